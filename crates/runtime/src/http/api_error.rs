//! Error responses: one type for handlers, one JSON shape on the wire.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use serde::Serialize;

use crate::http::response;

/// HTTP status of an error: 4xx or 5xx only, so that no [`ApiError`] has a success status.
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
    /// 417
    pub const EXPECTATION_FAILED: Self = Self(StatusCode::EXPECTATION_FAILED);
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

    /// Returns the status code.
    pub fn code(self) -> StatusCode {
        self.0
    }

    /// Returns the `type` of the error body.
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

/// An error response, as handlers return it.
///
/// `message` is for the caller: it says what is wrong and how to correct it, and reveals nothing of the service's
/// internals. Those belong into [`ApiError::with_cause`], which is logged and never sent.
///
/// ```
/// use trainyard_runtime::http::{ApiError, IntoResponse};
///
/// let error = ApiError::invalid("messages[0].role", "must be `user`, `assistant` or `system`");
/// assert_eq!(error.param(), Some("messages[0].role"));
/// assert_eq!(error.into_response().status(), 422);
/// ```
#[derive(Clone, Debug)]
pub struct ApiError(Box<Details>);

/// Behind a pointer, so that a `Result` with an [`ApiError`] is no larger than its value.
#[derive(Clone, Debug)]
struct Details {
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

/// Error body: `{"error": {"message", "type", "param", "code"}}`, all four keys always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Envelope<'a> {
    /// The error.
    pub error: EnvelopeDetail<'a>,
}

/// Content of an error body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EnvelopeDetail<'a> {
    /// Human-readable message: problem and remedy.
    pub message: &'a str,
    /// Kind of error, by its status.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Place in the request.
    pub param: Option<&'a str>,
    /// Stable name of the error, for programs.
    pub code: Option<&'a str>,
}

impl ApiError {
    /// Creates an error with the `type` that its status implies.
    pub fn new(status: ErrorStatus, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Details {
            status,
            message,
            param: None,
            code: None,
            retry_after: None,
            should_retry: None,
            challenge: None,
            content_length: None,
            cause: None,
        }))
    }

    /// Creates a 400: the request cannot be parsed.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::BAD_REQUEST, message)
    }

    /// Creates a 401: the API key is missing or unknown.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::UNAUTHORIZED, message).with_code("invalid_api_key")
    }

    /// Creates a 403: the API key is valid but lacks the permission.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::FORBIDDEN, message)
    }

    /// Creates a 404: the object does not exist, or belongs to another entity.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::NOT_FOUND, message)
    }

    /// Creates a 409: the request conflicts with the stored state. It sets `x-should-retry: false`.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(ErrorStatus::CONFLICT, message).with_should_retry(false)
    }

    /// Creates a 422: the value at `param` (`messages[0].role`, `limit`) is invalid.
    pub fn invalid(param: impl Into<String>, message: impl Into<String>) -> Self {
        let param = param.into();
        let failure = Self::new(ErrorStatus::UNPROCESSABLE_CONTENT, message);
        if param.is_empty() { failure } else { failure.with_param(param) }
    }

    /// Creates a 429: the caller exceeds a limit.
    pub fn too_many_requests(message: impl Into<String>, retry_after: Duration) -> Self {
        Self::new(ErrorStatus::TOO_MANY_REQUESTS, message).with_retry_after(retry_after)
    }

    /// Creates a 503: the service is overloaded or shutting down.
    pub fn unavailable(message: impl Into<String>, retry_after: Duration) -> Self {
        Self::new(ErrorStatus::SERVICE_UNAVAILABLE, message).with_retry_after(retry_after)
    }

    /// Creates a 500. The cause is logged and never sent.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new(
            ErrorStatus::INTERNAL_SERVER_ERROR,
            "something went wrong on our side; the log has it under this request's id",
        )
        .with_cause(cause)
    }

    /// Sets the path in the request.
    pub fn with_param(mut self, param: impl Into<String>) -> Self {
        self.0.param = Some(param.into());
        self
    }

    /// Sets the stable name of the error, for programs.
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// Sets `Retry-After`, rounded up to whole seconds, at least one.
    pub fn with_retry_after(mut self, delay: Duration) -> Self {
        self.0.retry_after = Some(delay);
        self
    }

    /// Sets `x-should-retry`, which takes precedence over the status in OpenAI's clients.
    pub fn with_should_retry(mut self, should_retry: bool) -> Self {
        self.0.should_retry = Some(should_retry);
        self
    }

    /// Sets `WWW-Authenticate` of a 401; the default is `Bearer`.
    pub fn with_challenge(mut self, challenge: &'static str) -> Self {
        self.0.challenge = Some(challenge);
        self
    }

    /// Sets the complete length in `Content-Range` of a 416, in bytes.
    pub fn with_content_length(mut self, bytes: u64) -> Self {
        self.0.content_length = Some(bytes);
        self
    }

    /// Sets the cause, which is logged and never sent.
    pub fn with_cause(mut self, cause: impl fmt::Display) -> Self {
        self.0.cause = Some(cause.to_string());
        self
    }

    /// Returns the status.
    pub fn status(&self) -> ErrorStatus {
        self.0.status
    }

    /// Returns the message for the caller.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the path in the request.
    pub fn param(&self) -> Option<&str> {
        self.0.param.as_deref()
    }

    /// Returns the stable name of the error, for programs.
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// Returns the cause for the log.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// Returns the response body.
    pub fn body(&self) -> Envelope<'_> {
        Envelope {
            error: EnvelopeDetail {
                message: &self.0.message,
                kind: self.0.status.kind(),
                param: self.0.param.as_deref(),
                code: self.0.code.as_deref(),
            },
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.status.code(), self.0.message)
    }
}

impl std::error::Error for ApiError {}

/// Extension of an error response with the text for the log.
#[derive(Clone, Debug)]
pub struct ErrorReport {
    /// Message that was sent to the caller.
    pub message: Arc<str>,
    /// Cause that was not sent.
    pub cause: Option<Arc<str>>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = response::Status::Any(self.0.status.0.as_u16());
        let mut response = response::json(status, "application/json", &self.body());
        let headers = response.headers_mut();
        if self.0.status == ErrorStatus::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(self.0.challenge.unwrap_or("Bearer")));
        }
        if let Some(length) = self.0.content_length
            && let Ok(value) = HeaderValue::from_str(&format!("bytes */{length}"))
        {
            headers.insert(header::CONTENT_RANGE, value);
        }
        if let Some(delay) = self.0.retry_after {
            let seconds = delay.as_millis().div_ceil(1000).max(1);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(u64::try_from(seconds).unwrap_or(u64::MAX)));
        }
        if let Some(should_retry) = self.0.should_retry {
            headers.insert("x-should-retry", HeaderValue::from_static(if should_retry { "true" } else { "false" }));
        }
        let report =
            ErrorReport { message: self.0.message.as_str().into(), cause: self.0.cause.as_deref().map(Into::into) };
        response.extensions_mut().insert(report);
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
