//! What a caller may ask for.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::ChatError;
use crate::engine::sampling::SamplingParameters;
use crate::model_files::GenerationDefaults;

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
    /// A text that this regular expression matches from its first character to its last.
    Regex(String),
    /// One of these texts.
    Choice(Vec<String>),
    /// A text that follows this grammar, in llguidance's form of Lark.
    Grammar(String),
}

/// How tokens are to be drawn, as far as the request says. What it leaves open is the model's to say
/// ([`GenerationDefaults`]), and then that of [`SamplingParameters`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SamplingRequest {
    /// Divides the logits; 0 takes the likeliest token.
    pub temperature: Option<f32>,
    /// Keeps the likeliest tokens whose probabilities sum to at least this.
    pub top_p: Option<f32>,
    /// Keeps this many of the likeliest tokens; 0 keeps all.
    pub top_k: Option<usize>,
    /// Keeps tokens at least this likely relative to the likeliest one.
    pub min_p: Option<f32>,
    /// Subtracted from the logit of every token that was generated before.
    pub presence_penalty: Option<f32>,
    /// Subtracted from the logit of a token once for each time it was generated before.
    pub frequency_penalty: Option<f32>,
    /// Divides positive and multiplies negative logits of tokens seen before.
    pub repetition_penalty: Option<f32>,
    /// Added to the logits of single tokens.
    pub logit_bias: Vec<(u32, f32)>,
    /// How many of the likeliest tokens are reported with each token.
    pub top_logprobs: usize,
}

impl SamplingRequest {
    /// The parameters of one sample: what is asked for, else what the model's author recommends, else neutral.
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
    /// The field that says it, for refusals.
    pub format_field: &'static str,
    /// Number of choices, at least 1.
    pub n: u32,
    /// Tokens of an answer at most; `None` and everything beyond means all the room that the context leaves.
    pub max_tokens: Option<u64>,
    /// Tokens of an answer before which nothing ends it.
    pub min_tokens: usize,
    /// Texts that end an answer.
    pub stop: Vec<String>,
    /// Tokens that end an answer, beside those of the model.
    pub stop_token_ids: Vec<u32>,
    /// Whether what ends an answer, of the two above, stays at its end.
    pub include_stop: bool,
    /// Whether the model's own end of turn ends nothing.
    pub ignore_eos: bool,
    /// Whether control tokens are left out of the text.
    pub skip_special_tokens: bool,
    /// Key of the random numbers; `None` draws one.
    pub seed: Option<u64>,
    /// How tokens are drawn.
    pub sampling: SamplingRequest,
    /// Log-probabilities of the prompt's tokens, each with this many alternatives.
    pub prompt_logprobs: Option<usize>,
    /// Whether the prompt ends with what opens the model's turn.
    pub add_generation_prompt: bool,
    /// Whether the answer goes on from the end of the last message.
    pub continue_final_message: bool,
    /// How long to think, for templates that know it.
    pub reasoning_effort: Option<String>,
    /// How wordy to be, for templates that know it.
    pub verbosity: Option<String>,
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
            format_field: "response_format",
            n: 1,
            max_tokens: None,
            min_tokens: 0,
            stop: Vec::new(),
            stop_token_ids: Vec::new(),
            include_stop: false,
            ignore_eos: false,
            skip_special_tokens: true,
            seed: None,
            sampling: SamplingRequest::default(),
            prompt_logprobs: None,
            add_generation_prompt: true,
            continue_final_message: false,
            reasoning_effort: None,
            verbosity: None,
            chat_template_kwargs: Map::new(),
        }
    }

    /// Refuses an answer that would have to be longer than it may be.
    pub(super) fn check_length(&self) -> Result<(), ChatError> {
        if self.max_tokens.is_some_and(|most| self.min_tokens as u64 > most) {
            return Err(ChatError::invalid("min_tokens", "min_tokens is more than the answer may have"));
        }
        Ok(())
    }

    /// Whether the answer has a form that a grammar enforces.
    pub(super) fn is_constrained(&self) -> bool {
        self.response_format != ResponseFormat::Text
            || matches!(self.tool_choice, ToolChoice::Required | ToolChoice::Function(_))
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
