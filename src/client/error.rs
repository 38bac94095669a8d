//! What can go wrong on the client's side, in words for a person.

use crate::{error_chain::error_chain, generated::types::ErrorResponse};

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The service answered with an error.
    #[error("{status}: {message}{}", .param.as_ref().map(|param| format!(" (at {param})")).unwrap_or_default())]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the service says.
        message: String,
        /// The `type` of the error.
        kind: String,
        /// The place in the request.
        param: Option<String>,
        /// The name of the fault for programs.
        code: Option<String>,
    },
    /// The service could not be reached, or the connection broke.
    #[error("the service cannot be reached: {}", error_chain(.0))]
    Transport(#[from] reqwest::Error),
    /// The service answered with something that is not in the document.
    #[error("the service answered what this client does not understand: {0}")]
    UnexpectedAnswer(String),
    /// The API key cannot be sent.
    #[error("the API key cannot be sent: {0}")]
    Key(String),
    /// An event of a stream is larger than any the service sends.
    #[error(transparent)]
    EventTooLarge(#[from] super::EventTooLarge),
}

impl ClientError {
    pub(super) fn refused(status: u16, body: ErrorResponse) -> Self {
        let detail = body.error;
        Self::Refused { status, message: detail.message, kind: detail.type_, param: detail.param, code: detail.code }
    }

    /// The HTTP status of the service's answer, where there was one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }
}

/// The errors of generated methods: `client.create_model(…).await.map_err(ClientError::from)`.
impl From<progenitor_client::Error<ErrorResponse>> for ClientError {
    fn from(error: progenitor_client::Error<ErrorResponse>) -> Self {
        use progenitor_client::Error;
        match error {
            Error::ErrorResponse(response) => Self::refused(response.status().as_u16(), response.into_inner()),
            Error::CommunicationError(error) | Error::ResponseBodyError(error) | Error::InvalidUpgrade(error) => {
                Self::Transport(error)
            }
            other => Self::UnexpectedAnswer(other.to_string()),
        }
    }
}

/// The errors of the one generated method without a documented error.
impl From<progenitor_client::Error<()>> for ClientError {
    fn from(error: progenitor_client::Error<()>) -> Self {
        use progenitor_client::Error;
        match error {
            Error::CommunicationError(error) | Error::ResponseBodyError(error) | Error::InvalidUpgrade(error) => {
                Self::Transport(error)
            }
            other => Self::UnexpectedAnswer(other.to_string()),
        }
    }
}
