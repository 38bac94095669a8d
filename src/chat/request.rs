//! Fields of a chat request.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::ChatError;
use crate::engine::sampling::SamplingParameters;
use crate::model_files::GenerationDefaults;

/// Tool calls that the completion may or must make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No tool call; text that looks like a call stays text.
    None,
    /// One call of any tool.
    Required,
    /// One call of this function.
    Function(String),
}

/// Response format.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ResponseFormat {
    /// Free text.
    #[default]
    Text,
    /// Any JSON object.
    JsonObject,
    /// JSON that this schema accepts.
    JsonSchema(Value),
    /// Text that this regular expression matches as a whole.
    Regex(String),
    /// One of these texts.
    Choice(Vec<String>),
    /// Text that follows this grammar in llguidance's Lark dialect.
    Grammar(String),
}

/// Sampling parameters of a request. For fields it omits, [`GenerationDefaults`] of the model apply, then the defaults
/// of [`SamplingParameters`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SamplingRequest {
    /// Divisor of the logits; 0 selects the most likely token.
    pub temperature: Option<f32>,
    /// Nucleus sampling: keeps the most likely tokens whose probabilities sum to at least this.
    pub top_p: Option<f32>,
    /// Number of most likely tokens to keep; 0 keeps all.
    pub top_k: Option<usize>,
    /// Minimum probability of a token relative to the most likely one.
    pub min_p: Option<f32>,
    /// Penalty subtracted from the logit of every token generated before.
    pub presence_penalty: Option<f32>,
    /// Penalty subtracted from the logit of a token once for each time it was generated before.
    pub frequency_penalty: Option<f32>,
    /// Factor for tokens that occurred before: divides positive logits and multiplies negative ones.
    pub repetition_penalty: Option<f32>,
    /// Values added to the logits of single tokens.
    pub logit_bias: Vec<(u32, f32)>,
    /// Number of most likely tokens reported with each token.
    pub top_logprobs: usize,
}

impl SamplingRequest {
    /// Returns the parameters of one sample: from the request, else from the model's defaults, else neutral.
    pub(super) fn parameters(&self, defaults: &GenerationDefaults, seed: u64, sample_index: u32) -> SamplingParameters {
        let neutral = SamplingParameters::default();
        SamplingParameters {
            temperature: self.temperature.or(defaults.temperature).unwrap_or(neutral.temperature),
            top_p: self.top_p.or(defaults.top_p).unwrap_or(neutral.top_p),
            top_k: self.top_k.or(defaults.top_k).unwrap_or(neutral.top_k),
            min_p: self.min_p.or(defaults.min_p).unwrap_or(neutral.min_p),
            presence_penalty: self.presence_penalty.unwrap_or(neutral.presence_penalty),
            frequency_penalty: self.frequency_penalty.unwrap_or(neutral.frequency_penalty),
            repetition_penalty: self
                .repetition_penalty
                .or(defaults.repetition_penalty)
                .unwrap_or(neutral.repetition_penalty),
            logit_bias: self.logit_bias.clone(),
            seed,
            sample_index,
            top_logprobs: self.top_logprobs,
        }
    }
}

/// A chat request, independent of the wire format.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// Owner of the request: the entity of the API key. The caller sets it; the wire format does not have it.
    pub owner: Arc<str>,
    /// Messages of the conversation, one JSON object per message, as on the wire.
    pub messages: Vec<Value>,
    /// Tools, as on the wire.
    pub tools: Vec<Value>,
    /// Tool choice.
    pub tool_choice: ToolChoice,
    /// Whether a completion may call more than one tool; if not, it ends with the first call.
    pub parallel_tool_calls: bool,
    /// Response format; `Text` if a tool call is required.
    pub response_format: ResponseFormat,
    /// Name of the request field that sets the response format, for error messages.
    pub format_field: &'static str,
    /// Number of choices, at least 1.
    pub n: u32,
    /// Token limit of a completion; `None` and larger values mean all that the context length leaves.
    pub max_tokens: Option<u64>,
    /// Minimum number of tokens; nothing ends a completion earlier.
    pub min_tokens: usize,
    /// Texts that end a completion.
    pub stop: Vec<String>,
    /// Tokens that end a completion, in addition to the model's end-of-turn tokens.
    pub stop_token_ids: Vec<u32>,
    /// Whether the stop text or stop token stays at the completion's end.
    pub include_stop: bool,
    /// Whether the model's end-of-turn tokens are ignored.
    pub ignore_eos: bool,
    /// Whether control tokens are left out of the text.
    pub skip_special_tokens: bool,
    /// Whether the completion is read as it comes.
    pub stream: bool,
    /// Seed of the random numbers; `None` selects a random one.
    pub seed: Option<u64>,
    /// Sampling parameters.
    pub sampling: SamplingRequest,
    /// Requests the logprobs of the prompt's tokens, with this many alternatives each.
    pub prompt_logprobs: Option<usize>,
    /// Whether the prompt ends with the opening of the model's turn.
    pub add_generation_prompt: bool,
    /// Whether the completion continues the last message.
    pub continue_final_message: bool,
    /// Whether the completion has reasoning content, for templates that can switch it.
    pub thinking: Option<bool>,
    /// Amount of reasoning, for templates that read it.
    pub reasoning_effort: Option<String>,
    /// Verbosity of the completion, for templates that read it.
    pub verbosity: Option<String>,
    /// Additional variables of the chat template.
    pub chat_template_kwargs: Map<String, Value>,
    /// Fields of the request that have no effect, by their paths. Preparing the request adds those that the model does not
    /// read.
    pub ignored: Vec<String>,
    /// Messages and tools as they are recorded, members of a JSON object; empty unless the model
    /// [records](super::ServedModel::recording) them.
    pub recorded: String,
    /// Name of the request field that sets the effort, which templates that do not read it ignore.
    pub effort_field: &'static str,
}

impl ChatRequest {
    /// Creates a request for one completion with all other fields at their defaults.
    pub fn new(messages: Vec<Value>) -> Self {
        Self {
            owner: "".into(),
            messages,
            tools: Vec::new(),
            tool_choice: ToolChoice::default(),
            parallel_tool_calls: true,
            response_format: ResponseFormat::default(),
            format_field: "response_format",
            n: 1,
            max_tokens: None,
            min_tokens: 0,
            stop: Vec::new(),
            stop_token_ids: Vec::new(),
            include_stop: false,
            ignore_eos: false,
            skip_special_tokens: true,
            stream: false,
            seed: None,
            sampling: SamplingRequest::default(),
            prompt_logprobs: None,
            add_generation_prompt: true,
            continue_final_message: false,
            thinking: None,
            reasoning_effort: None,
            verbosity: None,
            chat_template_kwargs: Map::new(),
            ignored: Vec::new(),
            recorded: String::new(),
            effort_field: "reasoning_effort",
        }
    }

    /// Rejects a request whose minimum length exceeds its maximum.
    pub(super) fn check_length(&self) -> Result<(), ChatError> {
        if self.max_tokens.is_some_and(|most| self.min_tokens as u64 > most) {
            return Err(ChatError::invalid("min_tokens", "min_tokens is more than the answer may have"));
        }
        Ok(())
    }

    /// Returns whether a grammar constrains the completion.
    pub(super) fn is_constrained(&self) -> bool {
        self.response_format != ResponseFormat::Text
            || matches!(self.tool_choice, ToolChoice::Required | ToolChoice::Function(_))
    }

    /// Returns name and parameters of each tool that the completion must choose from; `None` if no call is required.
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
