//! Rules of tools that the dialects share: which tools are left out of a prompt, and which ones a choice allows.

use serde_json::Value;

use super::read::invalid;
use crate::chat::{ChatError, ToolChoice};
use crate::generated::types::{AllowedToolsMode, ToolChoiceMode};

/// A tool that the service cannot offer to the model.
pub(super) struct LeftOut<'a> {
    /// Its path in the request.
    pub at: String,
    /// Its type.
    pub type_: &'a str,
    /// Why it is not offered.
    pub reason: &'static str,
    /// Whether the request requires a call of it.
    pub is_chosen: bool,
}

/// Adds tools that are left out to `ignored`, while `functions` has another one.
///
/// # Errors
/// Returns [`ChatError::Unsupported`] for a tool that cannot be left out.
pub(super) fn leave_out(
    left_out: Vec<LeftOut<'_>>,
    functions: &[Value],
    ignored: &mut Vec<String>,
) -> Result<(), ChatError> {
    for LeftOut { at, type_, reason, is_chosen } in left_out {
        if functions.is_empty() || is_chosen {
            return Err(unsupported(&at, type_, reason));
        }
        ignored.push(at);
    }
    Ok(())
}

pub(super) fn unsupported(at: &str, type_: &str, reason: &str) -> ChatError {
    let param = format!("{at}.type");
    let message = format!("`{param}`: a tool of type `{type_}` is not supported: {reason}; leave it out");
    ChatError::Unsupported { param, message }
}

/// Returns the choice between functions in this mode.
///
/// # Errors
/// Returns 422 for a required call without a function.
pub(super) fn in_mode(mode: ToolChoiceMode, functions: &[Value]) -> Result<ToolChoice, ChatError> {
    match mode {
        ToolChoiceMode::Auto => Ok(ToolChoice::Auto),
        ToolChoiceMode::None => Ok(ToolChoice::None),
        ToolChoiceMode::Required if functions.is_empty() => {
            Err(invalid("tool_choice", "tool_choice is `required`, but there are no tools"))
        }
        ToolChoiceMode::Required => Ok(ToolChoice::Required),
    }
}

/// Returns the choice of a function that a field names.
///
/// # Errors
/// Returns 422 for a name that is not in the field `list`.
pub(super) fn chosen(
    field: &str,
    list: &str,
    name: &str,
    is_there: impl Fn(&str) -> bool,
) -> Result<ToolChoice, ChatError> {
    if is_there(name) {
        return Ok(ToolChoice::Function(name.to_owned()));
    }
    Err(invalid(field, format!("{field} names {name:?}, which is not in `{list}`")))
}

/// A tool that a request allows.
pub(super) struct Allowed<'a> {
    /// Its path in the request.
    pub at: String,
    /// Its type.
    pub type_: &'a str,
    /// Name of its function; `None` for a tool that is none.
    pub function: Option<String>,
}

/// Restricts the functions to those that a request allows, so that the model does not see the others. Tools that are no functions
/// are left out by the rule of [`leave_out`].
///
/// # Errors
/// Returns 422 for a function that is not in `tools`, or for a required call without a function.
pub(super) fn allow(
    functions: &mut Vec<Value>,
    allowed: Vec<Allowed<'_>>,
    mode: AllowedToolsMode,
    ignored: &mut Vec<String>,
) -> Result<ToolChoice, ChatError> {
    let mut left_out = Vec::new();
    let mut names = Vec::new();
    for Allowed { at, type_, function } in allowed {
        match function {
            None => {
                left_out.push(LeftOut { at, type_, reason: "only functions and custom tools are", is_chosen: false })
            }
            Some(name) if functions.iter().any(|tool| tool["function"]["name"] == *name) => names.push(name),
            Some(name) => {
                let message = format!("{at} names {name:?}, which is not in `tools`");
                return Err(invalid(at, message));
            }
        }
    }
    functions.retain(|tool| names.iter().any(|name| tool["function"]["name"] == **name));
    leave_out(left_out, functions, ignored)?;
    match mode {
        AllowedToolsMode::Auto => Ok(ToolChoice::Auto),
        AllowedToolsMode::Required if functions.is_empty() => {
            Err(invalid("tool_choice", "tool_choice requires a call, but allows no tools"))
        }
        AllowedToolsMode::Required => Ok(ToolChoice::Required),
    }
}
