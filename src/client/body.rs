//! Request bodies from JSON.

use serde::de::DeserializeOwned;

use super::ClientError;

/// A request body, or part of one, from JSON: what the `json!` macro makes, or any serializable value.
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
/// When the value is not what the type is in the document; the error names the place.
pub fn from_json<T: DeserializeOwned>(value: impl serde::Serialize) -> Result<T, ClientError> {
    // Through text: messages are kept as they are written, which only a reader of text can do.
    let text = serde_json::to_string(&value).map_err(|error| ClientError::Body(format!("this is no JSON: {error}")))?;
    crate::json::parse_at_place::<T, serde_json::Error>(&text).map_err(|error| {
        let (place, reason) = crate::json::split_place("", &error.to_string());
        let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
        let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
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
