//! Errors of rendering a chat template.

/// Error of rendering a conversation.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The template is not valid.
    #[error("chat template: {0}")]
    Invalid(String),
    /// The template rejected the conversation (`raise_exception`) or failed on it.
    #[error("the chat template refused the conversation: {0}")]
    Rejected(String),
    /// A message has a form that no template accepts.
    #[error("messages[{index}].{field}: {reason}")]
    Message {
        /// Index of the message.
        index: usize,
        /// Path in the message.
        field: String,
        /// Human-readable message: the fault and the fix.
        reason: String,
    },
    /// The conversation leaves too few unused private-use characters to replace control-token spellings.
    #[error("the conversation holds almost every private-use character (U+F0000 to U+10FFFD); leave some of them out")]
    PrivateUseExhausted,
    /// The caller sets a variable that is reserved for the service.
    #[error("chat_template_kwargs.{0}: this variable is set by the service; choose another name")]
    Reserved(String),
    /// An argument of the template has the wrong type.
    #[error("chat_template_kwargs.{name}: {reason}")]
    Argument {
        /// Name of the argument.
        name: &'static str,
        /// Required type.
        reason: &'static str,
    },
}
