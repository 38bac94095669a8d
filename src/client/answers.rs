//! What nearly every caller wants to know of an answer.

use super::types::{ChatCompletion, Choice, ModelResponse};

impl ModelResponse {
    /// The name under which its newest step is sampled, `wandb-artifact:///entity/project/name`; append `:stepN` for
    /// another.
    pub fn inference_name(&self) -> String {
        format!("wandb-artifact:///{}/{}/{}", self.entity, self.project, self.name)
    }
}

impl ChatCompletion {
    /// The text of the first choice; empty if it calls tools only.
    pub fn text(&self) -> &str {
        self.choices.first().map_or("", Choice::text)
    }
}

impl Choice {
    /// Its text; empty if it calls tools only.
    pub fn text(&self) -> &str {
        self.message.content.as_deref().unwrap_or_default()
    }
}
