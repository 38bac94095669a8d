//! What a caller may ask for.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::ChatError;
use crate::engine::sampling::SamplingParameters;

/// Which tools the answer may or must call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No tool; what looks like a call stays text.
    None,
    /// One call of any of the tools.
    Required,
    /// One call of this function.
    Function(String),
}

/// The form of the answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ResponseFormat {
    /// Free text.
    #[default]
    Text,
    /// Any JSON object.
    JsonObject,
    /// JSON that this schema accepts.
    JsonSchema(Value),
}

/// A chat request in the terms of the service.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// Whose request it is: the entity of the key. Not of the wire; the caller sets it.
    pub owner: Arc<str>,
    /// The conversation, one JSON object per message, as on the wire.
    pub messages: Vec<Value>,
    /// Tools as on the wire.
    pub tools: Vec<Value>,
    /// Whether they must be used.
    pub tool_choice: ToolChoice,
    /// Whether an answer may call more than one tool; if not, it ends with the first call.
    pub parallel_tool_calls: bool,
    /// The form of the answer. Text if a tool call is required.
    pub response_format: ResponseFormat,
    /// Number of choices, at least 1.
    pub n: u32,
    /// Tokens of an answer at most; `None` and everything beyond means all the room that the context leaves.
    pub max_tokens: Option<u64>,
    /// Texts that end an answer and are not part of it.
    pub stop: Vec<String>,
    /// Key of the random numbers; `None` draws one.
    pub seed: Option<u64>,
    /// How tokens are drawn. `seed` and `sample_index` in it are not read.
    pub sampling: SamplingParameters,
    /// Further variables of the chat template.
    pub chat_template_kwargs: Map<String, Value>,
}

impl ChatRequest {
    /// A request for one answer with nothing else asked for.
    pub fn new(messages: Vec<Value>) -> Self {
        Self {
            owner: "".into(),
            messages,
            tools: Vec::new(),
            tool_choice: ToolChoice::default(),
            parallel_tool_calls: true,
            response_format: ResponseFormat::default(),
            n: 1,
            max_tokens: None,
            stop: Vec::new(),
            seed: None,
            sampling: SamplingParameters::default(),
            chat_template_kwargs: Map::new(),
        }
    }

    /// Name and parameters of each tool that the answer must choose from; `None` if it need not call one.
    pub(super) fn required_tools(&self) -> Result<Option<Vec<&Value>>, ChatError> {
        let functions = self.tools.iter().filter_map(|tool| tool.get("function"));
        let chosen: Vec<&Value> = match &self.tool_choice {
            ToolChoice::Auto | ToolChoice::None => return Ok(None),
            ToolChoice::Required => functions.collect(),
            ToolChoice::Function(name) => functions.filter(|function| function["name"] == name.as_str()).collect(),
        };
        if chosen.is_empty() {
            return Err(ChatError::invalid("tool_choice", "a tool call is required, but `tools` has no such tool"));
        }
        Ok(Some(chosen))
    }
}
