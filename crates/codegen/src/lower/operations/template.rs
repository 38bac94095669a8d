//! Path templates: `/v1/{name}:cancel` as segments of fixed text and parameters.

use std::collections::BTreeSet;

use trainyard_runtime::percent;

use crate::ir::operation::Part;
use crate::lower::operations::Template;
use crate::template;

/// Parses a template; an error is the reason why no request can match it.
pub(super) fn read(text: &str) -> Result<Template, String> {
    let mut seen = BTreeSet::new();
    let are_names = |names: &Vec<&str>| names.iter().all(|name| !name.is_empty() && seen.insert(name.to_string()));
    let is_path = text.starts_with('/') && !text.contains(['?', '#']);
    if !is_path || template::parameters(text).filter(are_names).is_none() {
        return Err(format!("no request can have the path {text}; write parameters as {{name}}, each once"));
    }
    let segments = text.split('/').skip(1).map(segment).collect::<Result<Vec<_>, _>>()?;
    Ok(Template { text: text.to_owned(), segments })
}

fn segment(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    for piece in text.split('{') {
        let fixed = match piece.split_once('}') {
            Some(_) if matches!(parts.last(), Some(Part::Value(_))) => {
                return Err(format!(
                    "{text} has two parameters with nothing between them, so nobody can tell where one ends; put a \
                     character between"
                ));
            }
            Some((name, fixed)) => {
                parts.push(Part::Value(name.to_owned()));
                fixed
            }
            None => piece,
        };
        if !fixed.is_empty() {
            parts.push(Part::Text(percent::encode(fixed, percent::TEMPLATE)));
        }
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
