//! Reading requests.

use std::{borrow::Cow, str::FromStr};

use axum::{
    body::Body,
    extract::{RawPathParams, rejection::RawPathParamsRejection},
    http::{HeaderMap, Uri, header},
};
use serde::de::DeserializeOwned;

use super::{
    ErrorStatus, Failure,
    body::{self, BodyLimits},
};
use crate::json::{JsonType, split_place};

/// What axum hands a handler for the path; [`path`] opens it.
pub type PathValues = Result<RawPathParams, RawPathParamsRejection>;

/// The decoded path parameters.
pub fn path(values: PathValues) -> Result<RawPathParams, Failure> {
    values.map_err(|_| Failure::not_found("a part of the path is not UTF-8, so nothing has that id"))
}

/// A path parameter.
pub fn path_value<'a>(path: &'a RawPathParams, name: &str) -> Option<Cow<'a, str>> {
    path.iter().find(|(key, _)| *key == name).map(|(_, value)| Cow::Borrowed(value))
}

/// The query of a request; of a repeated parameter the first counts.
pub struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Splits and decodes it; what is not UTF-8 becomes U+FFFD.
    pub fn of(uri: &'a Uri) -> Self {
        Self(form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).collect())
    }

    /// A parameter.
    pub fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| Cow::Borrowed(value.as_ref()))
    }
}

/// A header; what is not UTF-8 becomes U+FFFD.
pub fn header_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<Cow<'a, str>> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()))
}

/// Reads a parameter that may be absent; `expected` says what it must be, for the refusal.
pub fn parameter<T: FromStr>(value: Option<Cow<'_, str>>, name: &str, expected: &str) -> Result<Option<T>, Failure> {
    value
        .map(|value| {
            value
                .parse()
                .map_err(|_| Failure::invalid(name, format!("{name} must be {expected}, not {}", quoted(&value))))
        })
        .transpose()
}

/// A parameter that must be there.
pub fn required<T>(value: Option<T>, name: &str) -> Result<T, Failure> {
    value.ok_or_else(|| Failure::invalid(name, format!("{name} is missing")))
}

/// What a caller wrote, short enough for a message.
fn quoted(value: &str) -> String {
    const SHOWN: usize = 64;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &value[..end]),
        None => format!("{value:?}"),
    }
}

/// Bodies above this are parsed off the threads that serve connections, bytes.
const PARSED_ELSEWHERE: usize = 1 << 20;

/// Reads a JSON object of at most `limit` bytes.
///
/// The happy path is one pass; only a bad body is read again, to say where it is bad. Refusals: 415 for another
/// content type, 413 above the limit, 408 when nothing comes any more, 503 when other bodies take all the room, 400 for
/// what is not JSON, 422 with the place for what is not the type.
pub async fn json_body<T: DeserializeOwned + Send + 'static>(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
) -> Result<T, Failure> {
    check_content_type(headers)?;
    let held = body::receive(headers, body, BodyLimits::of_size(limit)).await?;
    if held.bytes().len() <= PARSED_ELSEWHERE {
        return parse(held.bytes());
    }
    // The whole of `held` goes along: parsing goes on when the caller hangs up, and so must its share of the budget.
    tokio::task::spawn_blocking(move || parse(held.bytes())).await.map_err(Failure::internal)?
}

/// JSON, or no word about it.
fn check_content_type(headers: &HeaderMap) -> Result<(), Failure> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let text = value.to_str().unwrap_or("unreadable");
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset = parts.find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    });
    let is_json = essence.eq_ignore_ascii_case("application/json")
        || (essence.len() >= 5
            && essence.is_char_boundary(essence.len() - 5)
            && essence[essence.len() - 5..].eq_ignore_ascii_case("+json"));
    let is_utf8 =
        charset.is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8"));
    if is_json && is_utf8 {
        return Ok(());
    }
    Err(Failure::new(
        ErrorStatus::UNSUPPORTED_MEDIA_TYPE,
        format!("the content type must be application/json in UTF-8, not {}", quoted(text)),
    ))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    check_utf8(bytes)?;
    // serde would take an array for a struct, field by field.
    let is_object = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let error = match serde_json::from_slice(bytes) {
        Ok(value) if is_object => return Ok(value),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    if let Some(error) = &error
        && (error.is_syntax() || error.is_eof() || error.is_io())
    {
        return Err(not_json(error));
    }
    if !is_object {
        let found = std::str::from_utf8(bytes).map_or(JsonType::Null, JsonType::of);
        return Err(Failure::invalid("", format!("the body must be a JSON object, not {found}")));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let Err(error) = serde_path_to_error::deserialize::<_, T>(&mut reader) else {
        // The value alone is fine, so what is wrong comes after it.
        return Err(error.map_or_else(|| Failure::bad_request("the body is not JSON"), |error| not_json(&error)));
    };
    let (place, reason) = split_place(&error.path().to_string(), &error.inner().to_string());
    if let Some(field) = reason.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let place = if place.is_empty() { field.to_owned() } else { format!("{place}.{field}") };
        return Err(Failure::invalid(place.clone(), format!("{place} is missing")));
    }
    let reason = in_json_terms(&reason);
    let message = if place.is_empty() { reason } else { format!("{place}: {reason}") };
    Err(Failure::invalid(place, message))
}

/// serde_json looks at the strings that a type reads, not at those of fields that it skips.
fn check_utf8(bytes: &[u8]) -> Result<(), Failure> {
    std::str::from_utf8(bytes).map(drop).map_err(|error| {
        let message =
            format!("the body is not JSON: what follows its first {} bytes is not UTF-8", error.valid_up_to());
        Failure::bad_request(message).with_code("invalid_json")
    })
}

fn not_json(error: &serde_json::Error) -> Failure {
    Failure::bad_request(format!("the body is not JSON: {error}")).with_code("invalid_json")
}

/// serde speaks of Rust types; whoever reads a refusal thinks in JSON.
fn in_json_terms(reason: &str) -> String {
    const TERMS: [(&str, &str); 11] = [
        ("expected u64", "expected a whole number of at least 0"),
        ("expected u32", "expected a whole number of at least 0"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected i64", "expected a whole number"),
        ("expected i32", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected an array"),
        ("expected a map", "expected an object"),
        ("invalid type: map", "invalid type: object"),
        ("invalid type: sequence", "invalid type: array"),
        ("unknown variant ", "unknown value "),
    ];
    let mut text = reason.to_owned();
    for (rust, json) in TERMS {
        text = text.replacen(rust, json, 1);
    }
    // The names of generated types mean nothing to a caller.
    match text.split_once("expected struct ") {
        Some((found, _)) => format!("{found}expected an object"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::types;

    fn refusal<T: DeserializeOwned>(body: &str) -> (u16, Option<String>, String) {
        match parse::<T>(body.as_bytes()) {
            Ok(_) => panic!("{body} was accepted"),
            Err(failure) => {
                (failure.status().code().as_u16(), failure.param().map(str::to_owned), failure.message().to_owned())
            }
        }
    }

    #[test]
    fn what_is_not_json_is_400() {
        for bad in ["", "{", "hello", r#"{"steps":[]} {}"#, "\u{feff}{}", r#"{"steps": NaN}"#, "{'a': 1}"] {
            let (status, param, message) = refusal::<types::DeleteCheckpointsRequest>(bad);
            assert_eq!((status, param), (400, None), "{bad}: {message}");
        }
    }

    #[test]
    fn what_is_not_the_type_is_422_with_its_place() {
        let (status, param, message) = refusal::<types::DeleteCheckpointsRequest>(r#"{"steps":[1,-2]}"#);
        assert_eq!((status, param.as_deref()), (422, Some("steps[1]")), "{message}");
        assert!(message.contains("whole number"), "{message}");
        for bad in ["[]", "[[1]]", "null", "5", r#""x""#] {
            let (status, _, message) = refusal::<types::DeleteCheckpointsRequest>(bad);
            assert_eq!(status, 422, "{bad}: {message}");
        }
    }

    #[test]
    fn the_place_reaches_through_unions_and_verbatim_values() {
        let body = r#"{"model":"m","messages":[{"role":"user","content":"x"},{"role":"wizard"}]}"#;
        let (_, param, message) = refusal::<types::ChatCompletionRequest>(body);
        assert_eq!(param.as_deref(), Some("messages[1].role"), "{message}");
        assert!(message.contains("wizard") && message.contains("assistant"), "{message}");
        let body = r#"{"model":"m","messages":[{"role":"user","content":["x"]}]}"#;
        let (_, param, message) = refusal::<types::ChatCompletionRequest>(body);
        assert_eq!(param.as_deref(), Some("messages[0].content[0]"), "{message}");
    }

    #[test]
    fn content_types() {
        let check = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, value.parse().unwrap());
            check_content_type(&headers).is_ok()
        };
        assert!(check_content_type(&HeaderMap::new()).is_ok());
        for good in ["application/json", "Application/JSON; charset=UTF-8", "application/problem+json"] {
            assert!(check(good), "{good}");
        }
        for bad in ["text/plain", "application/json; charset=utf-16", "multipart/form-data; boundary=x", ""] {
            assert!(!check(bad), "{bad}");
        }
    }
}
