//! Builds parts of request bodies.

use serde::de::DeserializeOwned;

use super::ClientError;
use crate::generated::types::{ChatMessage, ChatMessageContent};

/// Returns a message of a conversation, with the JSON that the service receives.
///
/// ```
/// use trainyard::client::{ClientError, message, types};
///
/// # fn main() -> Result<(), ClientError> {
/// let conversation = [
///     message(types::SystemMessage::new(types::SystemRole::System, "Answer in one word."))?,
///     message(types::UserMessage::new("Yes or no?"))?,
/// ];
/// let request = types::ChatCompletionRequest::new("trainyard/seedling", conversation).temperature(0.0).seed(7);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the message does not serialise.
pub fn message(content: impl Into<ChatMessageContent>) -> Result<ChatMessage, ClientError> {
    from_json(content.into())
}

/// Converts JSON to a request body or a part of one. `value` is the result of the `json!` macro or any serializable
/// value.
///
/// ```
/// use trainyard::client::{from_json, json, types};
///
/// # fn main() -> Result<(), trainyard::client::ClientError> {
/// let body: types::ChatCompletionRequest = from_json(json!({
///     "model": "trainyard/seedling",
///     "messages": [{"role": "user", "content": "Say yes or no."}],
/// }))?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the value does not match the type's schema. The error names the path of the invalid value.
pub fn from_json<T: DeserializeOwned>(value: impl serde::Serialize) -> Result<T, ClientError> {
    // Via text: messages keep their JSON as written, which is possible only when parsing text.
    let text = serde_json::to_string(&value).map_err(|error| ClientError::Body(format!("this is no JSON: {error}")))?;
    crate::json::parse_at_path::<T, serde_json::Error>(&text).map_err(|error| {
        let (path, reason) = crate::json::split_path("", &error.to_string());
        let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
        let at = if path.is_empty() { String::new() } else { format!(" at {path}") };
        ClientError::Body(format!("this is no {name}{at}: {reason}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{json, types};

    #[test]
    fn a_body_that_does_not_fit_names_the_place() {
        let told = |value| from_json::<types::ChatCompletionRequest>(value).unwrap_err().to_string();
        assert_eq!(told(json!({"messages": []})), "this is no ChatCompletionRequest: missing field `model`");
        let told = told(json!({"model": "m", "messages": [{"role": "user", "content": "a"}, {"role": 5}]}));
        assert_eq!(
            told,
            "this is no ChatCompletionRequest at messages[1].role: invalid type: integer `5`, expected a string"
        );
    }
}
