//! Errors of rendering a chat template.

/// Error of rendering a conversation.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum TemplateError {
    #[error("chat template: {0}")]
    Invalid(String),
    #[error(
        "the model has no chat template: put chat_template.jinja beside its weights and start again, or use completions, which \
         need none"
    )]
    Missing,
    /// The template rejected the conversation (`raise_exception`) or failed on it.
    #[error("the chat template refused the conversation: {0}")]
    Rejected(String),
    #[error("messages[{index}].{field}: {reason}")]
    Message { index: usize, field: String, reason: String },
    /// The conversation leaves too few unused private-use characters to replace control-token spellings.
    #[error("the conversation holds almost every private-use character (U+F0000 to U+10FFFD); leave some of them out")]
    PrivateUseExhausted,
    #[error("chat_template_kwargs.{0}: this variable is set by the service; choose another name")]
    Reserved(String),
    #[error("chat_template_kwargs.{name}: {reason}")]
    Argument { name: &'static str, reason: &'static str },
}
