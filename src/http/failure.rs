//! The one shape of every refusal and error.

use std::{fmt, sync::Arc, time::Duration};

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use serde::Serialize;

use super::answer;

/// A status of an error: a [`Failure`] with a success status cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorStatus(StatusCode);

impl ErrorStatus {
    /// 400
    pub const BAD_REQUEST: Self = Self(StatusCode::BAD_REQUEST);
    /// 401
    pub const UNAUTHORIZED: Self = Self(StatusCode::UNAUTHORIZED);
    /// 403
    pub const FORBIDDEN: Self = Self(StatusCode::FORBIDDEN);
    /// 404
    pub const NOT_FOUND: Self = Self(StatusCode::NOT_FOUND);
    /// 405
    pub const METHOD_NOT_ALLOWED: Self = Self(StatusCode::METHOD_NOT_ALLOWED);
    /// 406
    pub const NOT_ACCEPTABLE: Self = Self(StatusCode::NOT_ACCEPTABLE);
    /// 408
    pub const REQUEST_TIMEOUT: Self = Self(StatusCode::REQUEST_TIMEOUT);
    /// 409
    pub const CONFLICT: Self = Self(StatusCode::CONFLICT);
    /// 413
    pub const CONTENT_TOO_LARGE: Self = Self(StatusCode::PAYLOAD_TOO_LARGE);
    /// 414
    pub const URI_TOO_LONG: Self = Self(StatusCode::URI_TOO_LONG);
    /// 415
    pub const UNSUPPORTED_MEDIA_TYPE: Self = Self(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    /// 416
    pub const RANGE_NOT_SATISFIABLE: Self = Self(StatusCode::RANGE_NOT_SATISFIABLE);
    /// 422
    pub const UNPROCESSABLE_CONTENT: Self = Self(StatusCode::UNPROCESSABLE_ENTITY);
    /// 429
    pub const TOO_MANY_REQUESTS: Self = Self(StatusCode::TOO_MANY_REQUESTS);
    /// 431
    pub const REQUEST_HEADER_FIELDS_TOO_LARGE: Self = Self(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    /// 500
    pub const INTERNAL_SERVER_ERROR: Self = Self(StatusCode::INTERNAL_SERVER_ERROR);
    /// 503
    pub const SERVICE_UNAVAILABLE: Self = Self(StatusCode::SERVICE_UNAVAILABLE);

    /// The plain status.
    pub fn code(self) -> StatusCode {
        self.0
    }

    /// The `type` of the error body.
    pub fn kind(self) -> &'static str {
        match self.0 {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::FORBIDDEN => "permission_error",
            StatusCode::NOT_FOUND => "not_found_error",
            StatusCode::CONFLICT => "conflict_error",
            StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
            StatusCode::SERVICE_UNAVAILABLE => "overloaded_error",
            status if status.is_client_error() => "invalid_request_error",
            _ => "internal_error",
        }
    }
}

/// A refusal or an error, as handlers return it.
///
/// `message` is read by whoever called, so it says what is wrong and what to do about it, and nothing of our insides;
/// those belong into [`Failure::with_cause`], which is logged and never sent.
#[derive(Clone, Debug)]
pub struct Failure {
    status: ErrorStatus,
    message: String,
    param: Option<String>,
    code: Option<String>,
    retry_after: Option<Duration>,
    should_retry: Option<bool>,
    challenge: Option<&'static str>,
    content_length: Option<u64>,
    cause: Option<String>,
}

/// The error body: `{"error": {"message", "type", "param", "code"}}`, all four keys always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Envelope<'a> {
    /// The error.
    pub error: EnvelopeDetail<'a>,
}

/// What an error body says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EnvelopeDetail<'a> {
    /// What is wrong and what to do about it.
    pub message: &'a str,
    /// The kind of error, by its status.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// The place in the request.
    pub param: Option<&'a str>,
    /// The fault's name for programs.
    pub code: Option<&'a str>,
}

impl Failure {
    /// A failure with the `type` that its status implies.
    pub fn new(status: ErrorStatus, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            status,
            message,
            param: None,
            code: None,
            retry_after: None,
            should_retry: None,
            challenge: None,
            content_length: None,
            cause: None,
        }
    }

    /// 400: the request cannot be understood.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::BAD_REQUEST, message)
    }

    /// 401: no key, or not one of ours.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::UNAUTHORIZED, message).with_code("invalid_api_key")
    }

    /// 403: a good key that may not do this.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::FORBIDDEN, message)
    }

    /// 404: it does not exist, or not for this caller.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::NOT_FOUND, message)
    }

    /// 409: it contradicts what is stored. Tells clients not to try again by themselves, which they would.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::CONFLICT, message).with_should_retry(false)
    }

    /// 422: the part of the request at `param` (`messages[0].role`, `limit`) cannot be accepted.
    pub fn invalid(param: impl Into<String>, message: impl Into<String>) -> Self {
        let param = param.into();
        let failure = Self::new(ErrorStatus::UNPROCESSABLE_CONTENT, message);
        if param.is_empty() { failure } else { failure.with_param(param) }
    }

    /// 429: this caller has too much under way.
    pub fn too_many_requests(message: impl Into<String>, retry_after: Duration) -> Self {
        Self::new(ErrorStatus::TOO_MANY_REQUESTS, message).with_retry_after(retry_after)
    }

    /// 503: the service has too much under way, or is going down.
    pub fn unavailable(message: impl Into<String>, retry_after: Duration) -> Self {
        Self::new(ErrorStatus::SERVICE_UNAVAILABLE, message).with_retry_after(retry_after)
    }

    /// 500: our fault. The caller learns nothing but that; the cause goes into the log.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new(
            ErrorStatus::INTERNAL_SERVER_ERROR,
            "something went wrong on our side; the log has it under this request's id",
        )
        .with_cause(cause)
    }

    /// Names the place in the request.
    pub fn with_param(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// Names the fault for programs.
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Sends `Retry-After`, in whole seconds, at least one.
    pub fn with_retry_after(mut self, delay: Duration) -> Self {
        self.retry_after = Some(delay);
        self
    }

    /// Sends `x-should-retry`, which OpenAI's clients put above the status.
    pub fn with_should_retry(mut self, should_retry: bool) -> Self {
        self.should_retry = Some(should_retry);
        self
    }

    /// Sends this as `WWW-Authenticate` of a 401, instead of `Bearer`.
    pub fn with_challenge(mut self, challenge: &'static str) -> Self {
        self.challenge = Some(challenge);
        self
    }

    /// Says in `Content-Range` how many bytes there are: for 416.
    pub fn with_content_length(mut self, bytes: u64) -> Self {
        self.content_length = Some(bytes);
        self
    }

    /// Keeps the reason for the log; it is not sent.
    pub fn with_cause(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// The status.
    pub fn status(&self) -> ErrorStatus {
        self.status
    }

    /// What the caller reads.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place in the request.
    pub fn param(&self) -> Option<&str> {
        self.param.as_deref()
    }

    /// The fault's name for programs.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// The reason for the log.
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// The error body.
    pub fn body(&self) -> Envelope<'_> {
        Envelope {
            error: EnvelopeDetail {
                message: &self.message,
                kind: self.status.kind(),
                param: self.param.as_deref(),
                code: self.code.as_deref(),
            },
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status.code(), self.message)
    }
}

impl std::error::Error for Failure {}

/// What a log should say about an answer that is a [`Failure`]; an extension of the response.
#[derive(Clone, Debug)]
pub struct FailureReport {
    /// What the caller was told.
    pub message: Arc<str>,
    /// What the caller was not told.
    pub cause: Option<Arc<str>>,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = answer::Status::Any(self.status.0.as_u16());
        let mut response = answer::json(status, "application/json", &self.body());
        let headers = response.headers_mut();
        if self.status == ErrorStatus::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(self.challenge.unwrap_or("Bearer")));
        }
        if let Some(length) = self.content_length
            && let Ok(value) = HeaderValue::from_str(&format!("bytes */{length}"))
        {
            headers.insert(header::CONTENT_RANGE, value);
        }
        if let Some(delay) = self.retry_after {
            let seconds = delay.as_millis().div_ceil(1000).max(1);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(u64::try_from(seconds).unwrap_or(u64::MAX)));
        }
        if let Some(should_retry) = self.should_retry {
            headers.insert("x-should-retry", HeaderValue::from_static(if should_retry { "true" } else { "false" }));
        }
        let report =
            FailureReport { message: self.message.as_str().into(), cause: self.cause.as_deref().map(Into::into) };
        response.extensions_mut().insert(report);
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[cfg(all(test, feature = "client"))]
mod tests {
    use super::*;
    use crate::generated::types::ErrorResponse;

    #[test]
    fn the_envelope_is_the_documents_component() {
        let failures = [
            Failure::invalid("messages[0].role", "no"),
            Failure::unauthorized("who?"),
            Failure::internal("disk"),
            Failure::unavailable("later", Duration::from_secs(1)),
        ];
        for failure in failures {
            let own = serde_json::to_value(failure.body()).unwrap();
            let component: ErrorResponse = serde_json::from_value(own.clone()).unwrap();
            assert_eq!(serde_json::to_value(component).unwrap(), own);
            assert_eq!(own["error"].as_object().unwrap().len(), 4, "{own}");
        }
    }
}
