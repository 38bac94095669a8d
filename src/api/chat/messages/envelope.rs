//! Error responses as Anthropic's client libraries read them: the service's own body with two more keys.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

use crate::http::{ApiError, EnvelopeDetail, response};

/// Header of every request of Anthropic's client libraries.
pub(in crate::api) const VERSION: HeaderName = HeaderName::from_static("anthropic-version");

/// Body of an error response.
#[derive(Serialize)]
struct Envelope<'a> {
    #[serde(rename = "type")]
    type_: &'static str,
    error: EnvelopeDetail<'a>,
    request_id: &'a str,
}

/// Returns whether a request expects errors in the form of Anthropic's API: it is one of the Messages API or comes from one of its
/// client libraries.
pub(crate) fn is_anthropic(path: &str, headers: &HeaderMap) -> bool {
    headers.contains_key(VERSION)
        || ["/v1/messages", "/v1/messages/count_tokens"].iter().any(|end| path.ends_with(end))
        || path.contains("/v1/messages/batches")
}

/// Gives an error response the form of Anthropic's API. Other responses stay as they are.
pub(crate) fn anthropic_error(response: Response, request_id: &str) -> Response {
    let Some(error) = response.extensions().get::<Arc<ApiError>>().cloned() else { return response };
    let detail = EnvelopeDetail { kind: kind(&error), ..error.body().error };
    let (mut parts, _) = response.into_parts();
    let envelope = Envelope { type_: "error", error: detail, request_id };
    let body = response::json(parts.status.as_u16(), "application/json", &envelope).into_body();
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, body)
}

/// Returns the class of an error in Anthropic's words.
pub(super) fn kind(error: &ApiError) -> &'static str {
    match error.status().code() {
        StatusCode::PAYLOAD_TOO_LARGE => "request_too_large",
        StatusCode::INTERNAL_SERVER_ERROR => "api_error",
        _ => error.status().kind(),
    }
}
