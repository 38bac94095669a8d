//! The stored form of a generation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::chat::{ChatFinish, RecordedChoice, RecordedSample};
use crate::store::records::{GenerationRecord, RecordedGeneration, UnixMillis};

/// Where a generation comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// Operation of the request.
    pub operation: &'static str,
    /// Canonical name of the model.
    pub model: String,
    /// Step of the checkpoint.
    pub step: Option<i64>,
    /// Time of the request.
    pub started_at: UnixMillis,
}

/// Tokens of a prompt and of its choices.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PromptTokens {
    /// Token ids of the prompt.
    pub prompt_token_ids: Vec<u32>,
    /// Tokens of its choices.
    pub choices: Vec<ChoiceTokens>,
}

/// Tokens of a choice.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ChoiceTokens {
    /// Sampled token ids.
    pub token_ids: Vec<u32>,
    /// Logprob of each token; an `f32` reads back as it was written.
    pub compact_logprobs: Vec<Option<f32>>,
}

/// Prompt and sampled tokens of a choice.
#[derive(Debug, PartialEq)]
pub(crate) struct SampledSequence {
    /// Token ids of the prompt, then the sampled ones.
    pub token_ids: Vec<u32>,
    /// Number of tokens of the prompt.
    pub prompt_tokens: usize,
    /// Logprob of each sampled token.
    pub logprobs: Vec<Option<f32>>,
}

/// Reads the stored tokens of a generation as a sequence for each choice.
///
/// # Errors
/// The text is not that of a generation.
pub(crate) fn sampled_sequences(tokens: &str) -> serde_json::Result<Vec<SampledSequence>> {
    let prompts: Vec<PromptTokens> = serde_json::from_str(tokens)?;
    let sequences = prompts.into_iter().flat_map(|PromptTokens { prompt_token_ids, choices }| {
        choices.into_iter().map(move |ChoiceTokens { token_ids, compact_logprobs }| SampledSequence {
            prompt_tokens: prompt_token_ids.len(),
            token_ids: [&prompt_token_ids[..], &token_ids].concat(),
            logprobs: compact_logprobs,
        })
    });
    Ok(sequences.collect())
}

/// Returns what a request sampled in its stored form.
///
/// # Errors
/// Never for texts and numbers.
pub(crate) fn recorded(
    origin: Origin,
    sample: RecordedSample,
    ended_at: UnixMillis,
) -> serde_json::Result<RecordedGeneration> {
    let Origin { operation, model, step, started_at } = origin;
    let RecordedSample { request, prompts, choices, is_whole } = sample;
    let of_each_prompt = choices.len() / prompts.len().max(1);
    let count = |tokens: usize| i64::try_from(tokens).unwrap_or(i64::MAX);
    let prompt_tokens = count(prompts.iter().map(|prompt| prompt.len()).sum());
    let completion_tokens = count(choices.iter().map(|choice| choice.ids.len()).sum());
    let texts: Vec<Value> = choices.iter().zip(0..).map(|(choice, index)| text_of(index, choice)).collect();
    let mut choices = choices.into_iter().map(|RecordedChoice { ids, logprobs, .. }| {
        let finite = |logprob: f32| Some(logprob).filter(|logprob| logprob.is_finite());
        ChoiceTokens { token_ids: ids, compact_logprobs: logprobs.into_iter().map(finite).collect() }
    });
    let tokens = prompts.iter().map(|prompt| PromptTokens {
        prompt_token_ids: prompt.to_vec(),
        choices: choices.by_ref().take(of_each_prompt).collect(),
    });
    let tokens = serde_json::to_string(&tokens.collect::<Vec<_>>())?;
    let generation = GenerationRecord {
        id: Uuid::now_v7(),
        number: 0,
        operation: operation.to_owned(),
        model,
        step,
        is_whole,
        prompt_tokens,
        completion_tokens,
        request,
        choices: Value::Array(texts).to_string(),
        reward: None,
        started_at,
        ended_at,
    };
    Ok(RecordedGeneration { generation, tokens })
}

/// Returns a choice without its tokens.
fn text_of(index: u32, choice: &RecordedChoice) -> Value {
    let RecordedChoice { reasoning, content, tool_calls, finish, .. } = choice;
    let mut fields = Map::new();
    fields.insert("index".to_owned(), index.into());
    fields.insert("text".to_owned(), content.as_str().into());
    if !reasoning.is_empty() {
        fields.insert("reasoning".to_owned(), reasoning.as_str().into());
    }
    if !tool_calls.is_empty() {
        let call = |call: &crate::chat::ToolCall| json!({"name": call.name, "arguments": call.arguments});
        fields.insert("tool_calls".to_owned(), tool_calls.iter().map(call).collect());
    }
    if let Some(finish) = finish {
        fields.insert("finish_reason".to_owned(), finish_name(*finish).into());
    }
    Value::Object(fields)
}

/// Returns the name of a finish reason, as in chat completions.
fn finish_name(finish: ChatFinish) -> &'static str {
    match finish {
        ChatFinish::Stop | ChatFinish::StopText(_) => "stop",
        ChatFinish::Length => "length",
        ChatFinish::ToolCalls => "tool_calls",
    }
}
