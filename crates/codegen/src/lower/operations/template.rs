//! Path templates: `/v1/{name}:cancel` as segments of fixed text and parameters.

use std::collections::BTreeSet;

use trainyard_runtime::percent;

use crate::ir::operation::Part;
use crate::lower::operations::Template;

/// Parses a template; an error is the reason why no request can match it.
pub(super) fn read(text: &str) -> Result<Template, String> {
    let Some(rest) = text.strip_prefix('/') else {
        return Err(format!("the path {text} does not begin with a slash; write /{text}"));
    };
    // A `?` within braces would be part of a name, which is unusual, but not a query.
    if let Some(mark) = outside_braces(text).find(|c| matches!(c, '?' | '#')) {
        return Err(format!(
            "a path has no `{mark}`: what follows is no part of the path of a request; write query parameters as parameters"
        ));
    }
    let segments = rest.split('/').map(segment).collect::<Result<Vec<_>, _>>()?;
    let template = Template { text: text.to_owned(), segments };
    let mut seen = BTreeSet::new();
    if let Some(twice) = template.values().find(|name| !seen.insert(*name)) {
        return Err(format!("the path has two places for {{{twice}}}; give each place a name of its own"));
    }
    Ok(template)
}

fn outside_braces(text: &str) -> impl Iterator<Item = char> {
    let mut depth = 0_u32;
    text.chars().filter(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

fn segment(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (fixed, tail) = rest.split_once('{').map_or((rest, None), |(fixed, tail)| (fixed, Some(tail)));
        if fixed.contains('}') {
            return Err(format!("{text} has a `}}` without a `{{`; parameters are written {{name}}"));
        }
        if !fixed.is_empty() {
            parts.push(Part::Text(percent::encode(fixed, percent::TEMPLATE)));
        }
        let Some(tail) = tail else { break };
        let Some((name, tail)) = tail.split_once('}') else {
            return Err(format!("{text} has a `{{` without a `}}`; parameters are written {{name}}"));
        };
        if name.is_empty() || name.contains('{') {
            return Err(format!("{text} has a parameter without a name; write {{name}}"));
        }
        if matches!(parts.last(), Some(Part::Value(_))) {
            return Err(format!(
                "{text} has two parameters with nothing between them, so nobody can tell where one ends; put a character between"
            ));
        }
        parts.push(Part::Value(name.to_owned()));
        rest = tail;
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_may_hold_text_and_values() {
        let route = |text| read(text).map(|template| template.route());
        for (text, expected) in [
            ("/", "/"),
            ("/a/", "/a/"),
            ("/a/{id}", "/a/{1}"),
            ("/{owner}.{extension}", "/{1}"),
            ("/v1/{name}:cancel/{id}/b", "/v1/{1}/{2}/b"),
            ("/a b", "/a%20b"),
        ] {
            assert_eq!(route(text).as_deref(), Ok(expected), "{text}");
        }
        for bad in ["a", "/a?b=1", "/a#b", "/{a", "/a}", "/{}", "/{a}{b}", "/{a}/{a}", "/{{a}}"] {
            assert!(route(bad).is_err(), "{bad}");
        }
    }
}
