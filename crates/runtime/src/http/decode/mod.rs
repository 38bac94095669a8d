//! Request decoding: parameters of every location and style, bodies of every media type.
//!
//! Errors: 400 for invalid syntax (percent-encoding, UTF-8, JSON), 422 with the path for a value that the document
//! does not allow, 415 for another media type.

mod form;
mod items;
mod json;
mod nesting;
mod parameter;
mod shape;
mod source;
mod style;
#[cfg(test)]
mod style_tests;

pub use form::{Form, form_body};
pub use items::{Check, JsonItems};
pub use json::json_body;
pub use parameter::{Encoding, Parameter};
pub use shape::{Scalar, Shape};

pub use crate::parameter::{ParameterLocation, Style};

use std::borrow::Cow;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Uri, header};

use crate::http::body::{self, BodyLimits};
use crate::http::{ApiError, ErrorStatus};

pub(super) use json::of_part;
pub(super) use parameter::{parameter, typed_value};
pub(super) use source::{Source, cookies};
pub(super) use style::Written;

/// The `code` of the error for a body that is not JSON.
const INVALID_JSON: &str = "invalid_json";
/// The `code` of the error for a name that the document does not define.
pub const UNKNOWN_PARAMETER: &str = "unknown_parameter";

/// Returns the value of a required parameter, or 422 if it is absent.
pub fn required<T>(value: Option<T>, name: &str) -> Result<T, ApiError> {
    value.ok_or_else(|| ApiError::invalid(name, format!("{name} is missing")))
}

/// Returns the body if it is not empty. A body of undeclared length that ends without data counts as empty.
///
/// # Errors
/// 408 on a time-out, 400 if the body is incomplete.
pub async fn present(body: Body) -> Result<Option<Body>, ApiError> {
    body::present(body).await
}

/// Returns the value of one query parameter; the first if it is repeated.
pub(super) fn query_value<'a>(uri: &'a Uri, name: &str) -> Result<Option<Cow<'a, str>>, ApiError> {
    for (key, value) in source::pairs(uri.query().unwrap_or_default())? {
        if key == name {
            return source::decoded(value, true, name).map(Some);
        }
    }
    Ok(None)
}

/// Returns the index of the documented media type that the body has; the first if the request does not declare one.
///
/// # Errors
/// 415 for another media type, for text in another charset than UTF-8, and for a compressed body.
pub fn media_type(headers: &HeaderMap, documented: &[&str]) -> Result<usize, ApiError> {
    unencoded(headers)?;
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(0) };
    let text = value.to_str().unwrap_or("unreadable");
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let charset = parts.find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    });
    let is_json = essence == "application/json" || essence.ends_with("+json");
    let is_range = |range: &str| match range.strip_suffix("/*") {
        Some("*") => essence.contains('/'),
        Some(kind) => essence.split('/').next() == Some(kind),
        None => false,
    };
    let found = documented
        .iter()
        .position(|media_type| *media_type == essence)
        .or_else(|| documented.iter().position(|media_type| *media_type == "application/json" && is_json))
        .or_else(|| documented.iter().position(|media_type| *media_type != "*/*" && is_range(media_type)))
        .or_else(|| documented.iter().position(|media_type| is_range(media_type)));
    let is_text = is_json || essence.starts_with("text/") || essence == "application/x-www-form-urlencoded";
    let is_utf8 = charset
        .is_none_or(|charset| ["utf-8", "utf8", "us-ascii"].iter().any(|known| charset.eq_ignore_ascii_case(known)));
    match found {
        Some(index) if is_utf8 || !is_text => Ok(index),
        _ => {
            let documented = documented.join(", ");
            let which = if documented.contains(", ") { "one of " } else { "" };
            Err(unsupported(format!("the content type must be {which}{documented} in UTF-8, not {}", quoted(text))))
        }
    }
}

fn unencoded(headers: &HeaderMap) -> Result<(), ApiError> {
    for value in headers.get_all(header::CONTENT_ENCODING) {
        let text = value.to_str().unwrap_or("unreadable").trim();
        if !text.is_empty() && !text.eq_ignore_ascii_case("identity") {
            return Err(unsupported(format!(
                "a body with content encoding {} is not read; send it as it is",
                quoted(text)
            )));
        }
    }
    Ok(())
}

fn unsupported(message: String) -> ApiError {
    ApiError::new(ErrorStatus::UNSUPPORTED_MEDIA_TYPE, message)
}

/// Reads a text body of at most `limit` bytes.
pub async fn text_body(headers: &HeaderMap, body: Body, limit: usize) -> Result<String, ApiError> {
    let held = body::receive(headers, body, BodyLimits::of_size(limit)).await?;
    String::from_utf8(held.into_vec()).map_err(|error| {
        ApiError::bad_request(format!("the body is not UTF-8 after {} bytes", error.utf8_error().valid_up_to()))
    })
}

/// Reads a binary body of at most `limit` bytes.
pub async fn bytes_body(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let held = body::receive(headers, body, BodyLimits::of_size(limit)).await?;
    Ok(held.into_bytes())
}

/// Returns the error of a parameter that is not of its type.
fn mismatch(at: &str, expected: &str, found: &str) -> ApiError {
    ApiError::invalid(at, format!("{at} must be {expected}, not {}", quoted(found)))
}

/// Quotes a value of the caller for a message, cut to 64 characters.
pub(super) fn quoted(value: &str) -> String {
    const SHOWN: usize = 64;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &value[..end]),
        None => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(content_type: &str, documented: &[&str]) -> Option<usize> {
        let headers = [(header::CONTENT_TYPE, content_type.parse().unwrap())].into_iter().collect();
        media_type(&headers, documented).ok()
    }

    #[test]
    fn content_types() {
        const JSON: &[&str] = &["application/json"];
        assert_eq!(media_type(&HeaderMap::new(), JSON).ok(), Some(0));
        for good in ["application/json", "Application/JSON; charset=UTF-8", "application/problem+json"] {
            assert_eq!(chosen(good, JSON), Some(0), "{good}");
        }
        for bad in ["text/plain", "application/json; charset=utf-16", "multipart/form-data; boundary=x", ""] {
            assert_eq!(chosen(bad, JSON), None, "{bad}");
        }
    }

    #[test]
    fn an_exact_media_type_comes_before_a_range() {
        const ALL: &[&str] = &["application/json", "application/merge-patch+json", "image/*", "*/*"];
        for (content_type, expected) in [
            ("application/merge-patch+json", 1),
            ("application/json", 0),
            ("application/json-patch+json", 0),
            ("image/png", 2),
            ("application/octet-stream", 3),
        ] {
            assert_eq!(chosen(content_type, ALL), Some(expected), "{content_type}");
        }
    }

    #[test]
    fn a_compressed_body_is_415() {
        for (encoding, good) in [("gzip", false), ("identity", true), ("", true), ("br, gzip", false)] {
            let headers = [(header::CONTENT_ENCODING, encoding.parse().unwrap())].into_iter().collect();
            let chosen = media_type(&headers, &["application/json"]);
            assert_eq!(chosen.is_ok(), good, "{encoding}");
            if let Err(failure) = chosen {
                assert_eq!(failure.status(), ErrorStatus::UNSUPPORTED_MEDIA_TYPE);
            }
        }
    }
}
