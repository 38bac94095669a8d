//! JSON bodies, and error messages with the path of the error.

use std::fmt;

use axum::body::Body;
use axum::http::HeaderMap;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::http::body::{self, BodyLimits};
use crate::http::decode::nesting::step;
use crate::http::decode::{INVALID_JSON, UNKNOWN_PARAMETER};
use crate::http::{ApiError, memory};
use crate::json::{self, JsonType, Scan, ValueCount, split_path};

/// Size in bytes above which bodies are parsed on a blocking thread, so that they do not delay other connections.
const PARSED_ELSEWHERE: usize = 1 << 20;

/// Reads a JSON body of at most `limit` bytes. With `is_object`, it must be an object.
///
/// A valid body is checked for UTF-8 and nesting depth, then parsed once. Only an invalid one is parsed again, to
/// locate the error.
///
/// # Errors
/// 413 above the limit, 408 on a time-out, 503 when other bodies use all of the memory budget, 400 for invalid JSON,
/// 422 with the place for a value of the wrong type.
pub async fn json_body<T: DeserializeOwned + Send + 'static>(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    is_object: bool,
) -> Result<T, ApiError> {
    let held = body::receive(headers, body, BodyLimits::of_size(limit)).await?;
    // The closure owns all of `held`: parsing continues after the client disconnects, and must keep its share of the
    // budget.
    let (length, read) = (held.bytes().len(), move || {
        let (value, values) = parse(held.bytes(), is_object, "", memory::reserve_values)?;
        Ok::<_, ApiError>((value, [held.into_share(), values]))
    });
    let (value, shares) = match length {
        0..=PARSED_ELSEWHERE => read()?,
        _ => memory::parse_elsewhere(read).await?,
    };
    memory::hold(shares);
    Ok(value)
}

/// Parses a JSON body, or the value at `at` in one, once `admit` accepts the number of its values. With `must_be_object`, it
/// must be an object. Returns also the result of `admit`.
pub(super) fn parse<T: DeserializeOwned, A>(
    bytes: &[u8],
    must_be_object: bool,
    at: &str,
    admit: impl FnOnce(ValueCount) -> Result<A, ApiError>,
) -> Result<(T, A), ApiError> {
    let text = utf8(bytes, at)?;
    let admitted = admit(scan(text)?)?;
    Ok((decode(text, must_be_object, at)?, admitted))
}

/// Parses a text that [`scan`] accepted.
fn decode<T: DeserializeOwned>(text: &str, must_be_object: bool, at: &str) -> Result<T, ApiError> {
    // serde accepts an array for a struct, field by field.
    let fits = !must_be_object || text.bytes().find(|byte| !byte.is_ascii_whitespace()) == Some(b'{');
    let error = match serde_json::from_str(text) {
        Ok(value) if fits => return Ok(value),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    if let Some(error) = &error
        && (error.is_syntax() || error.is_eof() || error.is_io())
    {
        return Err(not_json(error, at));
    }
    if !fits {
        let found = JsonType::of(text);
        return Err(ApiError::invalid(at, format!("{} must be a JSON object, not {found}", name(at))));
    }
    // A type can reject a value before it has read the text to its end.
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(not_json(&error, at));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let Err(error) = serde_path_to_error::deserialize::<_, T>(&mut reader) else {
        // The value alone is valid, so the error is in the text after it.
        let unknown = || ApiError::bad_request(format!("{} is not JSON", name(at)));
        return Err(error.map_or_else(unknown, |error| not_json(&error, at)));
    };
    Err(misfit(&error.path().to_string(), &error.inner().to_string(), at))
}

/// Parses the JSON of the parameter `at`. Every error is a 422 with the path, since a parameter is one value of the
/// request.
pub(in super::super) fn at_path<T: DeserializeOwned>(text: &str, at: &str) -> Result<T, ApiError> {
    read_at(text, at, |message| ApiError::invalid(at, message))
}

/// Parses the JSON of the form's part `at`: 400 for invalid JSON, 422 with the path for a value of the wrong type.
pub(in super::super) fn of_part<T: DeserializeOwned>(text: &str, at: &str) -> Result<T, ApiError> {
    read_at(text, at, |message| ApiError::bad_request(message).with_code(INVALID_JSON).with_param(at))
}

/// Rejects duplicate keys in every object, since not every type notices them.
fn read_at<T: DeserializeOwned>(text: &str, at: &str, not_json: impl Fn(String) -> ApiError) -> Result<T, ApiError> {
    let value = read_once(text, at, &not_json)?;
    read_once::<json::Typed<json::Any, serde_json::Value>>(text, at, &not_json)?;
    Ok(value)
}

fn read_once<T: DeserializeOwned>(text: &str, at: &str, reject: &impl Fn(String) -> ApiError) -> Result<T, ApiError> {
    let not_json = |error: &serde_json::Error| reject(format!("{at} is not JSON: {error}"));
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize::<_, T>(&mut reader).map_err(|error| match error.inner() {
        inner if inner.is_data() => misfit(&error.path().to_string(), &inner.to_string(), at),
        inner => not_json(inner),
    })?;
    reader.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

/// Checks the whole body, since serde_json checks the strings of fields that a type reads, not of those that it skips.
fn utf8<'a>(bytes: &'a [u8], at: &str) -> Result<&'a str, ApiError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let reason = format!("what follows its first {} bytes is not UTF-8", error.valid_up_to());
        not_json(&reason, at)
    })
}

/// Counts the values of a text and checks its depth, since serde_json does not count the nesting of fields that it skips.
fn scan(text: &str) -> Result<ValueCount, ApiError> {
    let mut scan = Scan::default();
    text.bytes().try_for_each(|byte| step(&mut scan, byte).map(drop))?;
    Ok(scan.values())
}

/// Creates the error of JSON that has the wrong type, with path and reason.
fn misfit(path: &str, error: &str, at: &str) -> ApiError {
    let (path, reason) = split_path(path, error);
    let join = |name: &str| match (at, name) {
        ("", name) => name.to_owned(),
        (at, "") => at.to_owned(),
        (at, name) if name.starts_with('[') => format!("{at}{name}"),
        (at, name) => format!("{at}.{name}"),
    };
    let path = join(&path);
    if let Some(field) = reason.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let path = if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
        return ApiError::invalid(path.clone(), format!("{path} is missing"));
    }
    let reason = in_json_terms(&reason);
    let is_unknown = reason.starts_with("unknown field ");
    let message = if path.is_empty() { reason } else { format!("{path}: {reason}") };
    let failure = ApiError::invalid(path, message);
    if is_unknown { failure.with_code(UNKNOWN_PARAMETER) } else { failure }
}

/// Creates the 400 of a body, or of a value at `at` in one, that is not JSON.
pub(super) fn not_json(error: &impl fmt::Display, at: &str) -> ApiError {
    let failure = ApiError::bad_request(format!("{} is not JSON: {error}", name(at))).with_code(INVALID_JSON);
    if at.is_empty() { failure } else { failure.with_param(at) }
}

/// Returns the name of a path for a message.
fn name(at: &str) -> &str {
    if at.is_empty() { "the body" } else { at }
}

/// Translates serde's Rust terms to JSON terms, which callers know.
fn in_json_terms(reason: &str) -> String {
    const TERMS: [(&str, &str); 18] = [
        ("expected usize", "expected a whole number of at least 0"),
        ("expected u64", "expected a whole number of at least 0"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected isize", "expected a whole number"),
        ("expected i64", "expected a whole number"),
        ("expected i32", "expected a whole number from -2147483648 to 2147483647"),
        ("expected i16", "expected a whole number from -32768 to 32767"),
        ("expected i8", "expected a whole number from -128 to 127"),
        ("expected f64", "expected a number"),
        ("expected f32", "expected a number"),
        ("expected a sequence", "expected an array"),
        ("expected a map", "expected an object"),
        ("invalid type: map", "invalid type: object"),
        ("invalid type: sequence", "invalid type: array"),
        ("invalid type: unit value", "invalid type: null"),
        ("unknown variant ", "unknown value "),
    ];
    let mut text = reason.to_owned();
    for (rust, json) in TERMS {
        text = text.replacen(rust, json, 1);
    }
    // Callers do not know the names of generated types.
    match text.split_once("expected struct ") {
        Some((found, _)) => format!("{found}expected an object"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct DeleteCheckpointsRequest {
        #[allow(dead_code, reason = "it is read, and looked at no further")]
        steps: Vec<u32>,
    }

    fn rejection<T: DeserializeOwned>(body: &str) -> (u16, Option<String>, String) {
        match parse::<T, _>(body.as_bytes(), true, "", |_| Ok(())) {
            Ok(_) => panic!("{body} was accepted"),
            Err(failure) => {
                (failure.status().code().as_u16(), failure.param().map(str::to_owned), failure.message().to_owned())
            }
        }
    }

    #[test]
    fn invalid_json_is_400() {
        let unknown_before = r#"{"stps": 1/* */}"#;
        for bad in
            [unknown_before, "", "{", "hello", r#"{"steps":[]} {}"#, "\u{feff}{}", r#"{"steps": NaN}"#, "{'a': 1}"]
        {
            let (status, param, message) = rejection::<DeleteCheckpointsRequest>(bad);
            assert_eq!((status, param), (400, None), "{bad}: {message}");
        }
    }

    #[test]
    fn bytes_after_the_json_of_a_part_are_400() {
        assert!(at_path::<serde_json::Value>(r#" {"x":1} "#, "part").is_ok());
        for bad in [r#"{"x":1} ]]garbage"#, r#"{"x":"#, "", "{x}"] {
            let failure = of_part::<serde_json::Value>(bad, "part").unwrap_err();
            let parameter = at_path::<serde_json::Value>(bad, "part").unwrap_err();
            assert_eq!((parameter.status().code().as_u16(), parameter.param()), (422, Some("part")), "{bad}");
            assert_eq!((failure.status().code().as_u16(), failure.param()), (400, Some("part")), "{bad}: {failure}");
        }
    }

    #[test]
    fn a_key_twice_in_a_part_or_parameter_is_422() {
        let failure = at_path::<serde_json::Value>(r#"{"x":{"y":1,"y":2}}"#, "part").unwrap_err();
        assert_eq!(failure.status().code().as_u16(), 422, "{failure}");
        assert!(failure.message().contains('y'), "{failure}");
    }

    #[test]
    fn a_number_outside_of_its_type_is_rejected_in_words_of_json() {
        fn message<T: DeserializeOwned>(text: &str) -> String {
            let Err(failure) = at_path::<T>(text, "n") else { panic!("{text} was accepted") };
            failure.message().to_owned()
        }
        let texts = ["700000000000000000000", "\"x\""];
        for text in texts {
            for message in [
                message::<i8>(text),
                message::<i16>(text),
                message::<i32>(text),
                message::<i64>(text),
                message::<u8>(text),
                message::<u16>(text),
                message::<u32>(text),
                message::<u64>(text),
            ] {
                assert!(message.contains("expected a whole number"), "{message}");
            }
        }
        for message in [message::<f32>("\"x\""), message::<f64>("\"x\"")] {
            assert!(message.contains("expected a number"), "{message}");
        }
        assert!(message::<i16>("70000").contains("from -32768 to 32767"));
    }

    #[test]
    fn values_of_another_type_are_422_with_their_places() {
        let (status, param, message) = rejection::<DeleteCheckpointsRequest>(r#"{"steps":[1,-2]}"#);
        assert_eq!((status, param.as_deref()), (422, Some("steps[1]")), "{message}");
        assert!(message.contains("whole number"), "{message}");
        for bad in ["[]", "[[1]]", "null", "5", r#""x""#] {
            let (status, _, message) = rejection::<DeleteCheckpointsRequest>(bad);
            assert_eq!(status, 422, "{bad}: {message}");
        }
    }
}
