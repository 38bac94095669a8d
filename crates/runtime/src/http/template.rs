//! Path templates.

use axum::http::Uri;

use crate::percent;

/// A path with parameters.
#[derive(Debug)]
pub(super) struct Template {
    /// Segments, each as its parts.
    segments: Vec<Vec<Part>>,
}

/// Part of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Fixed text, percent-encoded as in a request.
    Text(String),
    /// Parameter of this name.
    Value(&'static str),
}

impl Template {
    /// Parses a path of the document, in which `{name}` is a parameter.
    pub(super) fn of(path: &'static str) -> Self {
        let segments = path.strip_prefix('/').unwrap_or(path).split('/').map(parts).collect();
        Self { segments }
    }

    /// Returns the router's path: a segment with parameters becomes one capture.
    pub(super) fn route(&self) -> String {
        let mut captures = 0;
        let segment = |parts: &Vec<Part>| match parts.as_slice() {
            [Part::Text(text)] => format!("/{text}"),
            [] => "/".to_owned(),
            _ => {
                captures += 1;
                format!("/{{{captures}}}")
            }
        };
        self.segments.iter().map(segment).collect()
    }

    /// Returns whether a segment has several parts, so that the router cannot distinguish it from another parameter.
    pub(super) fn is_split(&self) -> bool {
        self.segments.iter().any(|parts| parts.len() > 1)
    }

    /// Returns the length of the fixed text in bytes; a template with more is more specific.
    pub(super) fn literal_length(&self) -> usize {
        let parts = self.segments.iter().flatten();
        parts.map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum()
    }

    /// Returns whether every segment with parameters has its fixed text.
    pub(super) fn fits(&self, uri: &Uri) -> bool {
        self.values(uri.path()).is_some()
    }

    /// Returns names and percent-encoded values; `None` if a segment lacks its fixed text.
    ///
    /// Segments are counted from the end, so that a router can be nested beneath a prefix.
    pub(super) fn values<'a>(&self, path: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        let mut values = Vec::new();
        for (index, parts) in self.segments.iter().enumerate() {
            if parts.iter().any(|part| matches!(part, Part::Value(_))) {
                split(path.rsplit('/').nth(self.segments.len() - 1 - index)?, parts, &mut values)?;
            }
        }
        Some(values)
    }
}

/// Splits a segment of the document's path at its parameters.
fn parts(segment: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = segment;
    while let Some((text, (name, tail))) =
        rest.split_once('{').and_then(|(text, tail)| Some((text, tail.split_once('}')?)))
    {
        if !text.is_empty() {
            parts.push(Part::Text(percent::encode(text, percent::TEMPLATE)));
        }
        parts.push(Part::Value(name));
        rest = tail;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(percent::encode(rest, percent::TEMPLATE)));
    }
    parts
}

/// Splits a segment. A value ends at the last occurrence of the text after it: in `a.b.json`, `{name}.{extension}` is
/// `a.b` and `json`.
fn split<'a>(segment: &'a str, parts: &[Part], values: &mut Vec<(&'static str, &'a str)>) -> Option<()> {
    let mut rest = segment;
    let mut open = None;
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Text(text) => match open.take() {
                None => rest = rest.strip_prefix(text.as_str())?,
                Some(name) => {
                    let last = index + 1 == parts.len();
                    let at = if last { rest.len().checked_sub(text.len())? } else { rest.rfind(text.as_str())? };
                    if !rest.is_char_boundary(at) || &rest[at..at + text.len()] != text || at == 0 {
                        return None;
                    }
                    values.push((name, &rest[..at]));
                    rest = &rest[at + text.len()..];
                }
            },
            Part::Value(name) => open = Some(*name),
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

    #[test]
    fn a_segment_with_parameters_becomes_a_capture() {
        for (path, route) in [
            ("/", "/"),
            ("/a/", "/a/"),
            ("/a/{id}", "/a/{1}"),
            ("/{owner}.{extension}", "/{1}"),
            ("/v1/{name}:cancel/{id}/b", "/v1/{1}/{2}/b"),
            ("/a b", "/a%20b"),
        ] {
            assert_eq!(Template::of(path).route(), route, "{path}");
        }
    }

    #[test]
    fn values_are_split_at_the_last_fixed_text() {
        let (file, cancel) = (Template::of("/files/{name}.{extension}"), Template::of("/{project}/{id}:cancel"));
        assert!(file.is_split() && !Template::of("/a/{id}/b").is_split());
        assert_eq!(file.values("/files/a.b.json"), Some(vec![("name", "a.b"), ("extension", "json")]));
        assert_eq!(cancel.values("/nested/v1/p/7:cancel"), Some(vec![("project", "p"), ("id", "7")]));
        assert_eq!(cancel.values("/p/a:cancel:cancel"), Some(vec![("project", "p"), ("id", "a:cancel")]));
        for path in ["/p/7:pause", "/p/:cancel", "/p/7", "/p/é"] {
            assert_eq!(cancel.values(path), None, "{path}");
        }
        for path in ["/files/json", "/files/.json", "/files/a."] {
            assert_eq!(file.values(path), None, "{path}");
        }
    }
}
