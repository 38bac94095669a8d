//! Path templates.

use axum::http::Uri;

/// Path segments that contain parameters, each with its index from the end of the path, which stays the same when a
/// router is nested beneath a prefix.
#[derive(Debug)]
pub struct Template(pub &'static [(usize, &'static [Part])]);

/// Part of a segment.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Fixed text, percent-encoded as in the request.
    Text(&'static str),
    /// Parameter of this name.
    Value(&'static str),
}

impl Template {
    /// Returns whether every segment has its fixed text.
    pub fn fits(&self, uri: &Uri) -> bool {
        self.values(uri.path()).is_some()
    }

    /// Returns names and percent-encoded values; `None` if a segment lacks its fixed text.
    pub(super) fn values<'a>(&self, path: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        let mut values = Vec::new();
        for (from_end, parts) in self.0 {
            split(path.rsplit('/').nth(*from_end)?, parts, &mut values)?;
        }
        Some(values)
    }
}

/// Splits a segment. A value ends at the last occurrence of the text after it: in `a.b.json`, `{name}.{extension}` is
/// `a.b` and `json`.
fn split<'a>(segment: &'a str, parts: &[Part], values: &mut Vec<(&'static str, &'a str)>) -> Option<()> {
    let mut rest = segment;
    let mut open = None;
    for (index, part) in parts.iter().enumerate() {
        match *part {
            Part::Text(text) => match open.take() {
                None => rest = rest.strip_prefix(text)?,
                Some(name) => {
                    let last = index + 1 == parts.len();
                    let at = if last { rest.len().checked_sub(text.len())? } else { rest.rfind(text)? };
                    if !rest.is_char_boundary(at) || &rest[at..at + text.len()] != text || at == 0 {
                        return None;
                    }
                    values.push((name, &rest[..at]));
                    rest = &rest[at + text.len()..];
                }
            },
            Part::Value(name) => open = Some(name),
        }
    }
    match open {
        Some(name) if !rest.is_empty() => values.push((name, rest)),
        None if rest.is_empty() => {}
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Template = Template(&[(0, &[Part::Value("name"), Part::Text("."), Part::Value("extension")])]);
    const CANCEL: Template =
        Template(&[(1, &[Part::Value("project")]), (0, &[Part::Value("id"), Part::Text(":cancel")])]);

    #[test]
    fn values_are_split_at_the_last_fixed_text() {
        assert_eq!(FILE.values("/files/a.b.json"), Some(vec![("name", "a.b"), ("extension", "json")]));
        assert_eq!(CANCEL.values("/nested/v1/p/7:cancel"), Some(vec![("project", "p"), ("id", "7")]));
        assert_eq!(CANCEL.values("/p/a:cancel:cancel"), Some(vec![("project", "p"), ("id", "a:cancel")]));
        for path in ["/p/7:pause", "/p/:cancel", "/p/7", "/p/é"] {
            assert_eq!(CANCEL.values(path), None, "{path}");
        }
        for path in ["/files/json", "/files/.json", "/files/a."] {
            assert_eq!(FILE.values(path), None, "{path}");
        }
    }
}
