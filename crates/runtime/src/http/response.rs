//! Response encoding.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http::response_memory::{self, ResponseText};
use crate::http::{ApiError, ErrorStatus, memory};

/// Operation id of a response, stored as a response extension for logs and metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationId(pub &'static str);

/// Status of a response, as the document declares it.
#[derive(Clone, Copy, Debug)]
pub enum Status {
    /// This code.
    Fixed(u16),
    /// Any code with this first digit; the second field is the code that the handler chose.
    Within(u16, u16),
    /// Any code; the field is the code that the handler chose.
    Any(u16),
}

impl From<u16> for Status {
    fn from(code: u16) -> Self {
        Self::Fixed(code)
    }
}

impl Status {
    /// Creates a response with this status; 500 if the handler chose a code that the document does not allow.
    pub(super) fn response(self, body: Body) -> Result<Response, ApiError> {
        let (code, allowed) = match self {
            Self::Fixed(code) => (code, true),
            Self::Within(digit, code) => (code, code / 100 == digit),
            Self::Any(code) => (code, (200..600).contains(&code)),
        };
        let status = StatusCode::from_u16(code).ok().filter(|_| allowed);
        let status = status.ok_or_else(|| ApiError::internal(format_args!("{code} is no status of this answer")))?;
        let mut response = Response::new(body);
        *response.status_mut() = status;
        Ok(response)
    }
}

/// Runs a handler and encodes its result. The memory of the request's body is released when the handler ends, that of the
/// response when it is sent.
pub async fn run<T: IntoResponse>(
    operation: &'static str,
    work: impl Future<Output = Result<T, ApiError>>,
) -> Response {
    // In a box: each future around it would have it twice, and some handlers' are too large for the stack then.
    let work = Box::pin(work);
    let response = async { of_result(memory::scope(work).await) };
    let mut response = response_memory::scope(response).await;
    response.extensions_mut().insert(OperationId(operation));
    response
}

/// Encodes the result of a handler.
pub(super) fn of_result(result: Result<impl IntoResponse, ApiError>) -> Response {
    match result {
        Ok(output) => output.into_response(),
        Err(failure) => failure.into_response(),
    }
}

/// Creates a JSON response; 503 if there is no memory for its text.
pub fn json(status: impl Into<Status>, media_type: &str, body: &impl Serialize) -> Response {
    let mut text = ResponseText::new();
    match text.write_json(body) {
        Ok(()) => with_type(status.into(), media_type, text),
        Err(failure) => failure.into_response(),
    }
}

/// Creates a text response. `charset=utf-8` is added unless the media type has a parameter.
pub fn text(status: impl Into<Status>, media_type: &str, body: String) -> Response {
    let media_type =
        if media_type.contains(';') { media_type.to_owned() } else { format!("{media_type}; charset=utf-8") };
    match ResponseText::of(body) {
        Ok(text) => with_type(status.into(), &media_type, text),
        Err(failure) => failure.into_response(),
    }
}

/// Creates a response without a body.
pub fn empty(status: impl Into<Status>) -> Response {
    status.into().response(Body::empty()).unwrap_or_else(ApiError::into_response)
}

fn with_type(status: Status, media_type: &str, text: ResponseText) -> Response {
    let mut response = match status.response(Body::from(text.into_bytes())) {
        Ok(response) => response,
        Err(failure) => return failure.into_response(),
    };
    match HeaderValue::from_str(media_type) {
        Ok(value) => {
            response.headers_mut().insert(header::CONTENT_TYPE, value);
            response
        }
        Err(_) => ApiError::internal(format_args!("{media_type:?} is no media type")).into_response(),
    }
}

/// Reads an example of the document.
///
/// # Errors
/// 500 with the reason when it is no value of its type.
pub fn example<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("the document's example {text} does not match its schema: {error}; correct it");
        ApiError::new(ErrorStatus::INTERNAL_SERVER_ERROR, message)
    })
}

/// Returns the text of a header (style `simple`); `None` for an absent value.
pub fn header(value: &impl Serialize, explode: bool, json: bool) -> Result<Option<String>, String> {
    let value = serde_json::to_value(value).map_err(|error| error.to_string())?;
    if value.is_null() {
        return Ok(None);
    }
    if json {
        return Ok(Some(value.to_string()));
    }
    Ok(Some(match value {
        Value::Array(items) => items.iter().map(scalar).collect::<Vec<_>>().join(","),
        Value::Object(fields) => {
            let between = if explode { "=" } else { "," };
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{name}{between}{}", scalar(value))).collect();
            fields.join(",")
        }
        value => scalar(&value),
    }))
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Adds headers to a response; 500 if HTTP cannot carry a value.
pub fn with_headers<const N: usize>(
    mut response: Response,
    headers: [(&'static str, Result<Option<String>, String>); N],
) -> Response {
    for (name, value) in headers {
        let rejected = |reason: String| ApiError::internal(format_args!("the header {name}: {reason}")).into_response();
        let value = match value {
            Ok(Some(value)) => value,
            Ok(None) => continue,
            Err(error) => return rejected(error),
        };
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value)) {
            (Ok(name), Ok(value)) => {
                response.headers_mut().insert(name, value);
            }
            _ => return rejected(format!("HTTP cannot carry {value:?}")),
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn headers_are_written_in_simple_style() {
        let colours = json!({"R": 100, "G": 200});
        for (value, explode, expected) in [
            (json!("blue"), false, Some("blue")),
            (json!(5), false, Some("5")),
            (json!(["blue", "black"]), false, Some("blue,black")),
            (colours.clone(), false, Some("R,100,G,200")),
            (colours, true, Some("R=100,G=200")),
            (json!(null), false, None),
        ] {
            assert_eq!(header(&value, explode, false).unwrap().as_deref(), expected, "{value}");
        }
        assert_eq!(header(&json!({"a": [1]}), false, true).unwrap().as_deref(), Some(r#"{"a":[1]}"#));
    }

    #[test]
    fn responses_outside_the_document_are_500() {
        assert_eq!(empty(Status::Within(4, 404)).status().as_u16(), 404);
        for status in [Status::Within(4, 200), Status::Any(101), Status::Any(700), Status::Within(4, 4)] {
            assert_eq!(empty(status).status().as_u16(), 500, "{status:?}");
        }
        let response = with_headers(empty(Status::Fixed(204)), [("X-A", Ok(Some("a\nb".to_owned())))]);
        assert_eq!(response.status().as_u16(), 500);
        let response = with_headers(empty(Status::Fixed(204)), [("X-A", Ok(Some("a".to_owned()))), ("X-B", Ok(None))]);
        assert_eq!((response.headers().len(), &response.headers()["x-a"]), (1, &HeaderValue::from_static("a")));
    }
}
