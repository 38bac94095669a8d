//! Names in braces: parameters of a path, variables of a server's address.

/// Returns the names in braces, as far as braces match.
pub(crate) fn braced(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name)
}

/// Returns the parameter names of a path; `None` if its braces do not match within each segment.
pub(crate) fn parameters(path: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut rest = path;
    while let Some(open) = rest.find(['{', '}']) {
        let inside = rest[open..].strip_prefix('{')?;
        let close = inside.find(['{', '}', '/']).filter(|close| inside[*close..].starts_with('}'))?;
        names.push(&inside[..close]);
        rest = &inside[close + 1..];
    }
    Some(names)
}

/// Returns a path without the names of its parameters, which no request has.
pub(crate) fn shape(path: &str) -> String {
    let mut shape = String::new();
    for (at, part) in path.split('{').enumerate() {
        shape.push_str(if at == 0 { part } else { part.split_once('}').map_or("", |(_, after)| after) });
        shape.push('\u{0}');
    }
    shape
}
