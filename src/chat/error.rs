//! Errors of chat requests.

use crate::engine::sampler::SamplerError;
use crate::text::PromptError;
use crate::text::TemplateError;

/// Error of a chat request. Each variant is one kind of error response, which `src/api/error.rs` chooses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChatError {
    /// The request is invalid.
    #[error("{message}")]
    Invalid {
        /// Path of the invalid field.
        param: String,
        /// Human-readable message: the fault and the fix.
        message: String,
    },
    /// The request uses a feature that other services have but this one does not.
    #[error("{message}")]
    Unsupported {
        /// Name of the field.
        param: String,
        /// Human-readable message: the unsupported feature.
        message: String,
    },
    /// The prompt leaves no space for a completion.
    #[error(
        "the prompt has at least {prompt} tokens, but prompt and answer together may have {limit}; shorten the messages"
    )]
    PromptTooLong {
        /// Tokens of the prompt. For a prompt far over the limit, only its beginning is counted.
        prompt: usize,
        /// Limit of the prompt's and the completion's tokens together.
        limit: usize,
    },
    /// Too many requests are waiting; a retry may succeed.
    #[error("{0}")]
    Busy(String),
    /// Nothing that could respond is reachable, or memory is used up; a retry may succeed.
    #[error("{0}")]
    Unavailable(String),
    /// The service is stopping.
    #[error("the service is stopping")]
    Stopping,
    /// The trained weights or the adapter of the model give logits that are not finite.
    #[error(
        "the adapter or the trained weights of this model have values so large that the logits are not finite; use \
         another step of the model, or import or train it again with smaller values"
    )]
    NotFinite,
    /// The base model gives logits that are not finite.
    #[error(
        "the weights of base model {0} have values so large that the logits are not finite after this prompt; use another \
         base model"
    )]
    BaseNotFinite(String),
    /// Internal error.
    #[error("{0}")]
    Failed(String),
}

impl ChatError {
    pub(super) fn invalid(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { param: param.into(), message: message.into() }
    }

    pub(super) fn unsupported(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Unsupported { param: param.into(), message: message.into() }
    }
}

impl From<SamplerError> for ChatError {
    fn from(error: SamplerError) -> Self {
        match error {
            SamplerError::QueueFull { .. } | SamplerError::OwnerQueueFull { .. } => Self::Busy(error.to_string()),
            SamplerError::TooManySamples { .. } => Self::invalid("n", error.to_string()),
            SamplerError::PromptTooLong { prompt, limit } => Self::PromptTooLong { prompt, limit },
            SamplerError::EmptyPrompt => Self::invalid("messages", "the chat template makes nothing of these messages"),
            SamplerError::UnknownToken { .. } => Self::invalid("messages", error.to_string()),
            SamplerError::TooManyBiases { .. } => Self::invalid("logit_bias", error.to_string()),
            SamplerError::TooManyStopTokens { .. } => Self::invalid("stop_token_ids", error.to_string()),
            SamplerError::Unavailable(message) => Self::Unavailable(message),
            SamplerError::AdapterLocation => Self::Failed(error.to_string()),
            SamplerError::Stopped => Self::Stopping,
        }
    }
}

impl From<PromptError> for ChatError {
    fn from(error: PromptError) -> Self {
        match error {
            PromptError::Template(error) => error.into(),
            PromptError::Tokenizer(error) => Self::invalid("messages", error.to_string()),
        }
    }
}

impl From<TemplateError> for ChatError {
    fn from(error: TemplateError) -> Self {
        let param = match &error {
            TemplateError::Message { index, field, .. } if field.is_empty() => format!("messages[{index}]"),
            TemplateError::Message { index, field, .. } => format!("messages[{index}].{field}"),
            TemplateError::Reserved(name) => format!("chat_template_kwargs.{name}"),
            TemplateError::Argument { name, .. } => format!("chat_template_kwargs.{name}"),
            TemplateError::Invalid(_) => return Self::Failed(error.to_string()),
            TemplateError::Rejected(_) | TemplateError::Missing | TemplateError::PrivateUseExhausted => {
                "messages".to_owned()
            }
        };
        Self::invalid(param, error.to_string())
    }
}
