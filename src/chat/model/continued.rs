//! The prompt of an answer that goes on from an unfinished message.
//!
//! A template closes every message. To find where the last one ends in what the template printed, a character that
//! occurs nowhere else is put at its end, as `transformers` does with a text; the prompt is what comes before it. A space
//! behind it tells whether the template trims messages, whose white space at the end then goes too.

use serde_json::{Value, json};

use crate::chat::ChatError;
use crate::text::unused_characters;

/// What the mark is taken from: private-use characters, apart from those that stand for control tokens.
const MARKS: std::ops::RangeInclusive<char> = '\u{e000}'..='\u{f8ff}';

/// A conversation whose last message has a mark at its end.
pub(super) struct Marked {
    pub messages: Vec<Value>,
    mark: char,
}

/// Marks the end of the last message.
///
/// # Errors
/// It is not the assistant's, or has no text.
pub(super) fn mark(messages: &[Value]) -> Result<Marked, ChatError> {
    let fault = |message: &str| {
        let place = messages.len().saturating_sub(1);
        Err(ChatError::invalid(format!("messages[{place}]"), format!("continue_final_message: {message}")))
    };
    let mark = unused_characters(MARKS, messages, 1)?[0];
    let mut messages = messages.to_vec();
    let Some(last) = messages.last_mut().filter(|last| last["role"] == "assistant") else {
        return fault("the last message is not the assistant's");
    };
    let end = format!("{mark} ");
    match last.get_mut("content") {
        Some(Value::String(text)) => text.push_str(&end),
        Some(Value::Array(parts)) => parts.push(json!({"type": "text", "text": end})),
        _ => return fault("the last message has no text to go on from"),
    }
    Ok(Marked { messages, mark })
}

impl Marked {
    /// What a template printed before the end of the last message.
    ///
    /// # Errors
    /// The template does not print the message.
    pub fn before_mark<'a>(&self, rendered: &'a str) -> Result<&'a str, ChatError> {
        let Some(end) = rendered.rfind(self.mark) else {
            let message = "this model's chat template leaves the last message out; it cannot be continued";
            return Err(ChatError::invalid("continue_final_message", message));
        };
        let before = &rendered[..end];
        let trims = !rendered[end + self.mark.len_utf8()..].starts_with(' ');
        Ok(if trims { before.trim_end() } else { before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_ends_where_the_message_does() {
        for content in [json!("may "), json!([{"type": "text", "text": "may "}])] {
            let marked =
                mark(&[json!({"role": "user", "content": "\u{e000}"}), json!({"role": "assistant", "content": content})])
                    .unwrap();
            let text = match &marked.messages[1]["content"] {
                Value::String(text) => text.clone(),
                parts => parts.as_array().unwrap().iter().map(|part| part["text"].as_str().unwrap()).collect(),
            };
            assert_eq!(marked.before_mark(&format!("A: \u{e000} B: {text}.")).unwrap(), "A: \u{e000} B: may ");
            assert_eq!(marked.before_mark(&format!("B: {}.", text.trim())).unwrap(), "B: may");
            assert!(marked.before_mark("B: nothing").is_err());
        }
    }

    #[test]
    fn only_an_assistants_text_can_be_continued() {
        for last in [json!({"role": "user", "content": "x"}), json!({"role": "assistant"}), json!({"role": "assistant", "content": null})] {
            let refused = mark(&[json!({"role": "user", "content": "x"}), last]);
            assert!(matches!(refused.err(), Some(ChatError::Invalid { param, .. }) if param == "messages[1]"));
        }
    }
}
