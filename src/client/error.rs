//! Errors of the client: messages for people, accessors for programs.

use std::fmt;
use std::time::Duration;

use reqwest::StatusCode;

use super::event_decoder::EventTooLarge;
use crate::error_chain;
use crate::generated::types::ErrorDetail;

/// The error type of every call of the client, generated or not.
///
/// The message states the cause and the remedy. [`status`](Self::status), [`code`](Self::code) and
/// [`is_retryable`](Self::is_retryable) are for programs.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The service, or a proxy in front of it, returned an error status.
    #[error("{0}")]
    Rejected(Box<Rejection>),
    /// The service could not be reached, or the connection failed.
    #[error("{}", transport_sentence(.0))]
    Transport(#[from] reqwest::Error),
    /// The response has a success status, but its body does not match the OpenAPI document.
    #[error("the answer with status {status} is not what this client expects: {reason}; is the base URL the service's?{}", request_id_note(.request_id.as_deref()))]
    UnexpectedAnswer {
        /// The HTTP status.
        status: u16,
        /// The service's request id.
        request_id: Option<String>,
        /// The mismatch.
        reason: String,
    },
    /// The response is larger than the client's limit.
    #[error("the answer is larger than {limit} bytes; ask for less, or raise `ClientBuilder::largest_answer`")]
    AnswerTooLarge {
        /// The limit, bytes.
        limit: usize,
    },
    /// The service reported an error within a stream that had begun successfully.
    #[error("the stream failed: {}{}", .detail.message, request_id_note(.request_id.as_deref()))]
    StreamFailed {
        /// The service's error.
        detail: Box<ErrorDetail>,
        /// The service's request id.
        request_id: Option<String>,
    },
    /// The connection ended before the stream did: the received data is incomplete.
    #[error("the connection ended before the stream did; what was received is incomplete{}", request_id_note(.request_id.as_deref()))]
    StreamCut {
        /// The service's request id.
        request_id: Option<String>,
    },
    /// An event of a stream is larger than the limit.
    #[error(transparent)]
    EventTooLarge(#[from] EventTooLarge),
    /// A listing repeats a cursor, so that paging would never end.
    #[error("the listing goes in circles: the service gave the cursor `{cursor}` again")]
    RepeatedCursor {
        /// The cursor.
        cursor: String,
    },
    /// A page of a listing is empty although `has_more` is set, so that there is no cursor for the next page.
    #[error("the listing breaks off: a page without items says that more follows")]
    EmptyPage,
    /// The base URL cannot be used.
    #[error("the base URL `{given}` cannot be used: {reason}")]
    BaseUrl {
        /// The given URL, without a password.
        given: String,
        /// The fault and the remedy.
        reason: String,
    },
    /// A header value cannot be sent: an API key, an idempotency key or a project.
    #[error("{0}")]
    Header(String),
    /// The value is not a valid request body.
    #[error("{0}")]
    Body(String),
    /// https is not supported on this machine.
    #[error("https cannot be spoken here: {0}")]
    Tls(String),
}

/// An error response.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rejection {
    /// The HTTP status.
    pub status: u16,
    /// The service's request id, which is also in its log.
    pub request_id: Option<String>,
    /// The service's error. `None` if the service did not write the response, for example if a proxy did.
    pub detail: Option<ErrorDetail>,
    /// The beginning of the body, if `detail` is `None`.
    pub body_start: String,
    /// The wait before the next attempt, from `Retry-After`.
    pub retry_after: Option<Duration>,
    /// The service's `x-should-retry` header: whether a retry is useful.
    pub should_retry: Option<bool>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = StatusCode::from_u16(self.status).ok().and_then(|status| status.canonical_reason());
        let status = format!("{}{}", self.status, reason.map(|reason| format!(" {reason}")).unwrap_or_default());
        match &self.detail {
            Some(detail) => {
                write!(f, "{status}: {}", detail.message)?;
                if let Some(param) = detail.param.as_deref().filter(|param| !detail.message.contains(param)) {
                    write!(f, " (at {param})")?;
                }
            }
            None if self.body_start.is_empty() => {
                write!(f, "{status}, without a word: is the base URL the service's, or does a proxy answer?")?;
            }
            None => write!(
                f,
                "{status}, and not in the service's words: is the base URL the service's, or does a proxy answer? It \
                 says: {}",
                self.body_start
            )?,
        }
        if let Some(wait) = self.retry_after {
            write!(f, "; try again in {} s", wait.as_secs_f64().ceil())?;
        }
        f.write_str(&request_id_note(self.request_id.as_deref()))
    }
}

/// Formats the message, so that `fn main() -> Result<(), ClientError>` and `unwrap` print it.
impl fmt::Debug for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ClientError {
    /// Returns the HTTP status of the response, if there was a response.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Rejected(rejection) => Some(rejection.status),
            Self::UnexpectedAnswer { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns the service's error: `message`, `type`, `param`, `code`.
    pub fn detail(&self) -> Option<&ErrorDetail> {
        match self {
            Self::Rejected(rejection) => rejection.detail.as_ref(),
            Self::StreamFailed { detail, .. } => Some(detail),
            _ => None,
        }
    }

    /// Returns the error code, for example `model_not_found`. Codes are stable.
    pub fn code(&self) -> Option<&str> {
        self.detail()?.code.as_deref()
    }

    /// Returns the service's request id, which identifies the request in the service's log.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Rejected(rejection) => rejection.request_id.as_deref(),
            Self::UnexpectedAnswer { request_id, .. }
            | Self::StreamFailed { request_id, .. }
            | Self::StreamCut { request_id } => request_id.as_deref(),
            _ => None,
        }
    }

    /// Returns the wait that the service requests before the next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Rejected(rejection) => rejection.retry_after,
            _ => None,
        }
    }

    /// Returns whether the same call may succeed later: the service was busy or unavailable, or the connection failed.
    ///
    /// This does not mean that a retry is safe: a POST without an idempotency key may have succeeded.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Rejected(rejection) => {
                rejection.should_retry.unwrap_or(matches!(rejection.status, 408 | 429 | 500 | 502 | 503 | 504))
            }
            Self::Transport(error) => is_broken_connection(error),
            Self::StreamCut { .. } => true,
            _ => false,
        }
    }
}

/// Returns whether the error is not a fault of the request itself.
fn is_broken_connection(error: &reqwest::Error) -> bool {
    !error.is_builder() && !error.is_redirect() && !error.is_status()
}

/// Generated methods send parameters as headers.
impl From<reqwest::header::InvalidHeaderValue> for ClientError {
    fn from(_: reqwest::header::InvalidHeaderValue) -> Self {
        Self::Header("a parameter that is sent as a header has a character which no header can have".to_owned())
    }
}

fn transport_sentence(error: &reqwest::Error) -> String {
    let causes = error_chain(error);
    let what = if error.is_builder() || error.is_redirect() {
        "the request cannot be sent"
    } else if error.is_connect() && causes.contains("certificate") {
        "the service's certificate is not one that this system trusts"
    } else if error.is_connect() {
        "the service cannot be reached; is it running, and is the base URL right?"
    } else if error.is_timeout() {
        "the service is silent for longer than the read timeout"
    } else {
        "the connection broke"
    };
    format!("{what} ({causes})")
}

fn request_id_note(id: Option<&str>) -> String {
    id.map(|id| format!(" [request {id}]")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejection(status: u16) -> Rejection {
        Rejection {
            status,
            request_id: None,
            detail: None,
            body_start: String::new(),
            retry_after: None,
            should_retry: None,
        }
    }

    #[test]
    fn a_rejection_is_told_in_a_sentence() {
        let detail = ErrorDetail {
            message: "there is no model `a`".into(),
            type_: "not_found_error".into(),
            param: Some("model_id".into()),
            code: Some("model_not_found".into()),
        };
        let known = Rejection { detail: Some(detail), request_id: Some("r-1".into()), ..rejection(404) };
        let error = ClientError::Rejected(Box::new(known));
        assert_eq!(error.to_string(), "404 Not Found: there is no model `a` (at model_id) [request r-1]");
        assert_eq!(
            (error.status(), error.code(), error.request_id()),
            (Some(404), Some("model_not_found"), Some("r-1"))
        );
        let page = Rejection { body_start: "<h1>Bad gateway</h1>".into(), ..rejection(502) };
        assert_eq!(
            page.to_string(),
            "502 Bad Gateway, and not in the service's words: is the base URL the service's, or does a proxy answer? \
             It says: <h1>Bad gateway</h1>"
        );
        let busy = Rejection { retry_after: Some(Duration::from_millis(1500)), ..rejection(503) };
        assert!(busy.to_string().ends_with("does a proxy answer?; try again in 2 s"), "{busy}");
    }

    #[test]
    fn the_service_has_the_last_word_on_retries() {
        let retryable = |rejection| ClientError::Rejected(Box::new(rejection)).is_retryable();
        for (status, expected) in [(400, false), (404, false), (408, true), (409, false), (429, true), (501, false)] {
            assert_eq!(retryable(rejection(status)), expected, "{status}");
        }
        assert!(!retryable(Rejection { should_retry: Some(false), ..rejection(503) }));
        assert!(retryable(Rejection { should_retry: Some(true), ..rejection(404) }));
    }
}
