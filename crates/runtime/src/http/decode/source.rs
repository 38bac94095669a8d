//! Sources of parameters: path, query, headers and cookies, with their percent-encoding checked.

use std::borrow::Cow;

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::http::ApiError;
use crate::http::decode::UNKNOWN_PARAMETER;
use crate::http::template::Template;
use crate::json;

/// Maximum number of pairs in a query or form; legitimate requests have far fewer.
const MAX_PAIRS: usize = 4096;

/// Parameters of a request, not yet decoded.
pub(in super::super) struct Source<'a> {
    /// Names, and percent-encoded values.
    pub(super) path: Vec<(&'static str, &'a str)>,
    /// Decoded names, and percent-encoded values: an encoded separator does not separate.
    pub(super) query: Vec<(Cow<'a, str>, &'a str)>,
    pub(super) headers: &'a HeaderMap,
}

impl<'a> Source<'a> {
    /// Splits path and query.
    ///
    /// # Errors
    /// 400 for percent-encoding in path or query that is malformed or not UTF-8; 404 if the path does not match
    /// `template`.
    pub(in super::super) fn of(parts: &'a Parts, template: &Template) -> Result<Self, ApiError> {
        let path = template.values(parts.uri.path());
        let path = path.ok_or_else(|| ApiError::not_found(format!("no route for {}", parts.uri.path())))?;
        for (name, value) in &path {
            decoded(value, false, name)?;
        }
        let query = pairs(parts.uri.query().unwrap_or_default())?;
        for (name, value) in &query {
            decoded(value, true, name)?;
        }
        Ok(Self { path, query, headers: &parts.headers })
    }

    /// Rejects query parameters that are not in `known`, so that a misspelt one is not silently ignored.
    ///
    /// # Errors
    /// 422 with the name.
    pub(in super::super) fn reject_others(&self, known: &[&str]) -> Result<(), ApiError> {
        let is_known = |name: &str| known.contains(&name.split_once('[').map_or(name, |(head, _)| head));
        let Some((name, _)) = self.query.iter().find(|(name, _)| !is_known(name)) else { return Ok(()) };
        let (shown, instead) = (json::shown(name), json::instead(name, known.iter().copied()));
        let failure = ApiError::invalid(shown.as_str(), format!("unknown parameter `{shown}`; {instead}"));
        Err(failure.with_code(UNKNOWN_PARAMETER))
    }
}

/// Splits a query or form into decoded names and percent-encoded values.
///
/// # Errors
/// 400 if a name is not percent-encoded UTF-8, or if there are too many pairs.
pub(super) fn pairs(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, ApiError> {
    let mut pairs = Vec::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        if pairs.len() == MAX_PAIRS {
            return Err(ApiError::bad_request(format!("there are more than {MAX_PAIRS} parameters; send fewer")));
        }
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        pairs.push((decoded(name, true, "the name of a parameter")?, value));
    }
    Ok(pairs)
}

/// Decodes percent-encoding; with `plus`, a plus sign is a space.
///
/// # Errors
/// 400 when `text` is malformed or not UTF-8. The message calls the text `what`.
pub(super) fn decoded<'a>(text: &'a str, plus: bool, what: &str) -> Result<Cow<'a, str>, ApiError> {
    if !(text.contains('%') || plus && text.contains('+')) {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'+' if plus => out.push(b' '),
            b'%' => {
                let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16));
                let (Some(high), Some(low)) = (digit(), digit()) else {
                    let message = format!(
                        "{what} has a `%` that two hexadecimal digits do not follow; write %25 for the sign itself"
                    );
                    return Err(ApiError::bad_request(message).with_code("invalid_percent_encoding"));
                };
                out.extend(u8::try_from(high * 16 + low));
            }
            other => out.push(other),
        }
    }
    String::from_utf8(out).map(Cow::Owned).map_err(|_| {
        let message = format!("{what} is not UTF-8 once its percent-encoding is undone; encode it as UTF-8");
        ApiError::bad_request(message).with_code("invalid_percent_encoding")
    })
}

/// Returns the cookies of a request; entries that are not `name=value` are ignored.
pub(in super::super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lists = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(';')).filter_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        Some((name, value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_percent_encoding_is_rejected() {
        for (text, plain, plus) in [("a%20b", "a b", "a b"), ("a+b", "a+b", "a b"), ("%C3%A9", "é", "é"), ("", "", "")]
        {
            assert_eq!(decoded(text, false, "x").unwrap(), plain);
            assert_eq!(decoded(text, true, "x").unwrap(), plus);
        }
        for bad in ["%", "%2", "%zz", "%FF", "a%C3", "%+1", "%-1"] {
            assert_eq!(decoded(bad, true, "x").unwrap_err().status().code(), 400, "{bad}");
        }
    }

    #[test]
    fn cookies_come_in_any_number_of_headers() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "a=1; b=\"x y\"; odd".parse().unwrap());
        headers.append(header::COOKIE, "c==".parse().unwrap());
        assert_eq!(cookies(&headers).collect::<Vec<_>>(), [("a", "1"), ("b", "x y"), ("c", "=")]);
    }
}
