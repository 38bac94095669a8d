//! Searches for a text in the messages of groups.

use aho_corasick::{AhoCorasick, BuildError};
use serde_json::Value;

use crate::training::TrajectoryGroup;

/// A text that is searched for, without regard to the case of ASCII letters.
pub(super) struct SearchedText {
    /// The text as JSON has it within a string.
    escaped: AhoCorasick,
    plain: AhoCorasick,
}

impl SearchedText {
    /// Prepares a search.
    ///
    /// # Errors
    /// The text is too long.
    pub(super) fn new(text: &str) -> Result<Self, BuildError> {
        let find = |text: &str| AhoCorasick::builder().ascii_case_insensitive(true).build([text]);
        let escaped = Value::from(text).to_string();
        Ok(Self { escaped: find(&escaped[1..escaped.len() - 1])?, plain: find(text)? })
    }

    /// Returns whether the bytes of a group may have the text in a message. Names of fields are not told from texts.
    pub(super) fn may_be_in(&self, bytes: &[u8]) -> bool {
        self.escaped.is_match(bytes)
    }

    /// Returns whether a message, a choice or a captured text of the group has the text.
    pub(super) fn is_in(&self, group: &TrajectoryGroup) -> bool {
        group.trajectories.iter().any(|trajectory| {
            let items = trajectory.histories().flat_map(|history| &history.messages_and_choices);
            let exchanges = trajectory.exchanges.bodies();
            items.chain(exchanges).flat_map(|item| item.iter()).any(|(key, value)| self.is_in_field(key, value))
        })
    }

    /// Returns whether a text of a value is a match. Tokens are not searched: a match may span several.
    fn is_in_field(&self, key: &str, value: &Value) -> bool {
        match value {
            _ if ["logprobs", "token_ids", "prompt_token_ids"].contains(&key) => false,
            Value::String(text) => self.plain.is_match(text),
            Value::Array(items) => items.iter().any(|item| self.is_in_field("", item)),
            Value::Object(fields) => fields.iter().any(|(key, value)| self.is_in_field(key, value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_found_and_names_and_tokens_are_not() {
        let group = json!({"trajectories": [{"messages_and_choices": [
            {"role": "user", "content": "Größe \"in\" Metern?\n"},
            {"finish_reason": "stop", "message": {"content": null, "tool_calls": [{"function": {"arguments": "{\"city\":1}"}}]},
             "logprobs": {"content": [{"token": "token_id:7", "logprob": -1}]}},
        ]}], "metadata": {"note": "elsewhere"}});
        let bytes = group.to_string().into_bytes();
        let group: TrajectoryGroup = serde_json::from_value(group).unwrap();
        for (text, is_there) in [
            ("größe", true),
            ("GRößE", true),
            ("\"in\" metern?\n", true),
            ("{\"city\"", true),
            ("logprob", false),
            ("token_id:7", false),
            ("finish", false),
            ("elsewhere", false),
            ("absent", false),
        ] {
            let searched = SearchedText::new(text).unwrap();
            assert_eq!(searched.is_in(&group), is_there, "{text}");
            assert!(searched.may_be_in(&bytes) || !is_there, "{text}");
        }
    }
}
