//! Convenience accessors of response types.

use super::types::{ChatCompletion, Choice, ModelResponse};

impl ModelResponse {
    /// Returns the model name for inference requests, `wandb-artifact:///entity/project/name`. It selects the newest
    /// step; append `:stepN` to select another one.
    pub fn inference_name(&self) -> String {
        format!("wandb-artifact:///{}/{}/{}", self.entity, self.project, self.name)
    }
}

impl ChatCompletion {
    /// Returns the text of the first choice; empty if the choice contains only tool calls.
    pub fn text(&self) -> &str {
        self.choices.first().map_or("", Choice::text)
    }
}

impl Choice {
    /// Returns the text of the choice; empty if it contains only tool calls.
    pub fn text(&self) -> &str {
        self.message.content.as_deref().unwrap_or_default()
    }
}
