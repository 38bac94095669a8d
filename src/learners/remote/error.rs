//! Errors of a remote learner, by what a job does about them.

use std::time::Duration;

use progenitor_client::Error;

use super::wire::WireError;
use crate::error_chain;
use crate::generated::learner_client::types::ErrorResponse;
use crate::training::LearnerError;

/// Error of a call of a remote learner. Each message begins with its address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoteError {
    #[error("the learner {learner} cannot be reached: {reason}")]
    Unreachable { learner: String, reason: String },
    #[error("no learner could be started on {cluster}: {reason}")]
    NotStarted { cluster: String, reason: String },
    #[error("{reason}")]
    NotReady {
        /// Cause of the failure, with the cluster.
        reason: String,
    },
    /// The learner is reachable, and neither ends a call nor responds to the question for its health.
    #[error("the learner {learner} does not answer: {operation} has run for {} s", .seconds.as_secs())]
    Silent { learner: String, operation: &'static str, seconds: Duration },
    #[error("the learner {learner} has no such session for this attempt any more: {message}")]
    SessionLost { learner: String, message: String },
    #[error("the learner {learner} refused {operation} with status {status}: {message}")]
    Rejected {
        learner: String,
        operation: &'static str,
        status: u16,
        /// Code of the error; empty if the response is not the learner's.
        code: String,
        message: String,
    },
    #[error("the learner {learner} answered {operation} in a way that is not of the protocol: {reason}")]
    Malformed { learner: String, operation: &'static str, reason: String },
    #[error("the learner {learner} holds another model than {base}: {difference}; start it with the files of {base}")]
    OtherModel { learner: String, base: String, difference: String },
    #[error(
        "the learner {learner} processes sequences of up to {limit} tokens with the memory that it has, and one of the job \
         has {length}; shorten it, or start the learner with more memory"
    )]
    TooLong { learner: String, limit: u64, length: u64 },
    #[error("{0} is not finite; lower the learning rate or check the adapter")]
    NotFinite(String),
    #[error("the key of the learner {learner} cannot be read from {path}: {reason}")]
    Key { learner: String, path: String, reason: String },
    #[error("the job was stopped")]
    Cancelled,
}

impl From<RemoteError> for LearnerError {
    fn from(error: RemoteError) -> Self {
        match &error {
            RemoteError::NotFinite(_) => Self::NotFinite(error.into()),
            RemoteError::TooLong { .. } => Self::OutOfMemory(error.into()),
            RemoteError::Rejected { code, .. } if code == "out_of_memory" => Self::OutOfMemory(error.into()),
            RemoteError::Unreachable { .. }
            | RemoteError::NotReady { .. }
            | RemoteError::Silent { .. }
            | RemoteError::SessionLost { .. } => Self::Lost(error.into()),
            RemoteError::Rejected { status: 500.., .. }
            | RemoteError::Malformed { .. }
            | RemoteError::Key { .. }
            | RemoteError::NotStarted { .. } => Self::Faulty(error.into()),
            RemoteError::Rejected { .. } | RemoteError::OtherModel { .. } | RemoteError::Cancelled => {
                Self::Failed(error.into())
            }
        }
    }
}

/// Failure of one request.
#[derive(Debug)]
pub(super) enum Failure {
    /// No response, or a part of one. The learner may have processed the request.
    Transport(String),
    /// A response with an error status.
    Rejected { status: u16, code: String, message: String },
    /// A response that is not of the protocol.
    Malformed(String),
}

impl Failure {
    /// Returns whether the same request may succeed at once.
    pub(super) fn is_transport(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::Rejected { status: 408 | 502 | 504, .. })
    }

    /// Returns whether the learner has no capacity now.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Rejected { status: 429 | 503, code, .. } if code != "out_of_memory")
    }

    /// Returns whether the learner does not accept the key.
    pub(super) fn is_unauthorized(&self) -> bool {
        matches!(self, Self::Rejected { status: 401 | 403, .. })
    }

    /// Returns whether the server failed, which may pass.
    pub(super) fn is_server_error(&self) -> bool {
        matches!(self, Self::Rejected { status: 500.., .. })
    }

    /// Adds the operation and the learner's address.
    pub(super) fn of(self, learner: &str, operation: &'static str) -> RemoteError {
        let learner = learner.to_owned();
        match self {
            Self::Transport(reason) => RemoteError::Unreachable { learner, reason },
            Self::Malformed(reason) => RemoteError::Malformed { learner, operation, reason },
            Self::Rejected { status: 422, code, message } if code == "not_finite" => {
                RemoteError::NotFinite(format!("a value of {operation} ({message})"))
            }
            // A gap in the numbers of the calls, or a batch that is not kept, means that the session is not the one that
            // this attempt knows.
            Self::Rejected { status: 409, message, .. } => RemoteError::SessionLost { learner, message },
            Self::Rejected { status: 404, code, message } if code == "no_session" => {
                RemoteError::SessionLost { learner, message }
            }
            Self::Rejected { status, code, message } => {
                RemoteError::Rejected { learner, operation, status, code, message }
            }
        }
    }
}

impl From<WireError> for Failure {
    fn from(error: WireError) -> Self {
        Self::Malformed(error.to_string())
    }
}

impl From<Error<ErrorResponse>> for Failure {
    fn from(error: Error<ErrorResponse>) -> Self {
        match error {
            Error::ErrorResponse(response) => {
                let status = response.status().as_u16();
                let detail = response.into_inner().error;
                Self::Rejected { status, code: detail.code, message: detail.message }
            }
            Error::UnexpectedResponse(response) => {
                let (status, message) = (response.status().as_u16(), "not in the learner's words".to_owned());
                Self::Rejected { status, code: String::new(), message }
            }
            // A response of something between this process and the learner, which may be starting.
            Error::InvalidResponsePayload(_, error) => Self::Transport(format!("not the learner's answer: {error}")),
            Error::CommunicationError(error) | Error::ResponseBodyError(error) | Error::InvalidUpgrade(error) => {
                Self::Transport(error_chain(&error))
            }
            Error::InvalidRequest(reason) | Error::Custom(reason) => Self::Malformed(reason),
        }
    }
}
