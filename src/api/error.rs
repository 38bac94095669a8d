//! Converts domain errors to error responses.
//!
//! An error that the caller can fix is a 4xx whose message says how. An internal error is a 500 or 503 whose cause is
//! only logged. Errors of the store are converted in its crate: Rust wants the conversion beside one of the two types.

use std::time::Duration;

use crate::auth::KeyError;
use crate::chat::ChatError;
use crate::engine::export::ExportError;
use crate::error_chain;
use crate::export::FormError;
use crate::http::ApiError;
use crate::jobs::reference::ReferenceError;
use crate::limits::LimitReached;
use crate::models::ResolveError;
use crate::sessions::TrajectoryError;
use crate::training::ConfigError;

/// `Retry-After` of a busy store or a full queue of samples.
const SOON: Duration = Duration::from_secs(1);
/// `Retry-After` of an unreachable object store, a full disk, too many models in use, too many unfinished jobs, or nothing
/// that samples.
const LATER: Duration = Duration::from_secs(5);

impl From<ResolveError> for ApiError {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Unknown(_) | ResolveError::BaseNotServed(_) | ResolveError::NothingSamples(_) => {
                Self::not_found(error.to_string()).with_param("model").with_code("model_not_found")
            }
            ResolveError::Store(error) => error.into(),
            ResolveError::Artifact(error) => error.into(),
            ResolveError::Busy => Self::too_many_requests(error.to_string(), LATER),
            ResolveError::Adapter(_)
            | ResolveError::AdapterDirectory(_)
            | ResolveError::Weights(_)
            | ResolveError::BaseWeights(_)
            | ResolveError::Own(_) => Self::internal(error_chain(&error)),
        }
    }
}

impl From<ReferenceError> for ApiError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Store(error) => error.into(),
            error => Self::invalid(format!("experimental_config.{}", error.option()), error.to_string()),
        }
    }
}

impl From<TrajectoryError> for ApiError {
    fn from(error: TrajectoryError) -> Self {
        let message = error.to_string();
        match error {
            TrajectoryError::Unknown(_) => Self::not_found(message).with_param("sessions"),
            TrajectoryError::EmptyGroup(_) => Self::invalid("group", message),
            TrajectoryError::Store(error) => error.into(),
            TrajectoryError::Artifact(error) => error.into(),
            TrajectoryError::Corrupt(_) => Self::internal(error_chain(&error)),
            _ => Self::invalid("sessions", message),
        }
    }
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        Self::internal(error_chain(&error))
    }
}

impl From<ChatError> for ApiError {
    fn from(error: ChatError) -> Self {
        let message = error.to_string();
        match error {
            ChatError::Invalid { param, .. } => Self::invalid(param, message),
            ChatError::Unsupported { param, .. } => Self::invalid(param, message).with_code("unsupported_parameter"),
            ChatError::PromptTooLong { .. } => {
                Self::bad_request(message).with_param("messages").with_code("context_length_exceeded")
            }
            ChatError::Busy(_) => Self::too_many_requests(message, SOON),
            ChatError::Unavailable(_) => Self::unavailable(message, LATER),
            ChatError::Stopping => Self::unavailable(message, SOON),
            ChatError::NotFinite | ChatError::BaseNotFinite(_) => Self::invalid("model", message),
            ChatError::Failed(cause) => Self::internal(cause),
        }
    }
}

impl From<FormError> for ApiError {
    fn from(error: FormError) -> Self {
        let message = error.to_string();
        match error {
            FormError::PeftWeights
            | FormError::AdapterWeights(_)
            | FormError::Export(ExportError::NoSafetensors(_) | ExportError::Range { .. }) => {
                Self::invalid("weights", message)
            }
            FormError::NoAdapter(_)
            | FormError::FullTraining
            | FormError::OtherBase { .. }
            | FormError::Tokenizer(_)
            | FormError::Export(ExportError::NoGguf(_)) => Self::invalid("form", message),
            FormError::Store(error) => error.into(),
            FormError::Artifact(error) => error.into(),
            FormError::Interrupted => Self::unavailable("the service is stopping", SOON),
            error => Self::internal(error_chain(&error)),
        }
    }
}

impl From<LimitReached> for ApiError {
    fn from(reached: LimitReached) -> Self {
        Self::too_many_requests(reached.to_string(), reached.wait()).with_code(reached.code())
    }
}

/// Returns the error response for an invalid training option. `field` is the field that contains the options.
pub(super) fn option_failure(field: &str, error: &ConfigError) -> ApiError {
    match error {
        ConfigError::Invalid { option, .. } | ConfigError::Contradiction { option, .. } => {
            ApiError::invalid(format!("{field}.{option}"), error.to_string())
        }
        ConfigError::NotAnObject { .. } => ApiError::invalid(field, error.to_string()),
        ConfigError::TooFewLearningRates { .. } => {
            ApiError::invalid(format!("{field}.learning_rate"), error.to_string())
        }
    }
}
