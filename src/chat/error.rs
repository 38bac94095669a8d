//! Why a chat request gets no answer.

use crate::engine::scheduler::SamplerError;
use crate::text::TemplateError;
use crate::text::prompt::PromptError;

/// Why a chat request gets no answer. Each variant is one kind of response.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChatError {
    /// The request is wrong (400).
    #[error("{message}")]
    Invalid {
        /// The field, as a path.
        param: String,
        /// What is wrong and what to send instead.
        message: String,
    },
    /// The request asks for something that exists elsewhere but not here (400).
    #[error("{message}")]
    Unsupported {
        /// The field.
        param: String,
        /// What is not supported.
        message: String,
    },
    /// The prompt leaves no room for an answer (400, `context_length_exceeded`).
    #[error(
        "the prompt has at least {prompt} tokens, but prompt and answer together may have {limit}; shorten the messages"
    )]
    PromptTooLong {
        /// Tokens of the prompt; if it is far too long, of its beginning.
        prompt: usize,
        /// Tokens of prompt and answer together.
        limit: usize,
    },
    /// Too much is waiting already (429; worth another try).
    #[error("{0}")]
    Busy(String),
    /// The service is stopping (503).
    #[error("the service is stopping")]
    Stopping,
    /// The fault is ours (500).
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
            TemplateError::Refused(_) | TemplateError::PrivateUseExhausted => "messages".to_owned(),
        };
        Self::invalid(param, error.to_string())
    }
}
