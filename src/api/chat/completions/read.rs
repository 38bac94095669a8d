//! Converts a completion request of the OpenAPI document to a request of the chat domain.

use super::super::super::ignored::Ignored;
use super::super::read::{ignored_fields, invalid, logit_bias, reject, sampling_options, stops};
use crate::chat::{ChatError, ChatRequest, CompletionPrompt, CompletionRequest, SamplingRequest};
use crate::generated::types::{self, CompletionPromptItem as Item};
use crate::http::ApiError;
use crate::json::ReadObject;

/// Maximum number of completions per request, over all of its prompts.
const MAX_COMPLETIONS: u64 = 128;
/// Default `max_tokens`, as at OpenAI.
const DEFAULT_MAX_TOKENS: u64 = 16;

/// Documented options that would change the response and are not implemented. Null and the given value are accepted.
const REJECTED: [(&str, Option<&str>); 18] = [
    ("allowed_token_ids", None),
    ("bad_words", Some("[]")),
    ("detokenize", Some("true")),
    ("guided_choice", None),
    ("guided_grammar", None),
    ("guided_json", None),
    ("guided_regex", None),
    ("kv_transfer_params", None),
    ("length_penalty", Some("1")),
    ("logits_processors", None),
    ("prompt_embeds", None),
    ("prompt_logprobs", None),
    ("response_format", None),
    ("spaces_between_special_tokens", Some("true")),
    ("structured_outputs", None),
    ("suffix", Some(r#""""#)),
    ("truncate_prompt_tokens", None),
    ("use_beam_search", Some("false")),
];

/// Documented fields that cannot change the response.
const WITHOUT_EFFECT: [&str; 5] = ["cache_salt", "nvext", "priority", "request_id", "user"];

/// Returns the fields of a body that have no effect.
///
/// # Errors
/// Returns 422 for an unknown field whose name is similar to a known one.
pub(super) fn ignored(body: &types::CompletionRequest) -> Result<Ignored, ApiError> {
    ignored_fields(&body.extra, types::CompletionRequest::NAMES, &REJECTED, &WITHOUT_EFFECT)
}

/// Returns the maximum number of tokens per completion.
pub(super) fn max_tokens(body: &types::CompletionRequest) -> u64 {
    body.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS)
}

/// Returns the number of requested completions.
///
/// # Errors
/// Returns an error if they exceed the limit.
pub(super) fn completions(body: &types::CompletionRequest) -> Result<u64, ChatError> {
    let prompts = match &body.prompt {
        types::CompletionPrompt::Array(items) if !matches!(items.first(), Some(Item::Integer(_))) => items.len(),
        _ => 1,
    };
    let completions = prompts as u64 * u64::from(body.n.unwrap_or(1));
    if completions > MAX_COMPLETIONS {
        let message = format!(
            "{prompts} prompts with n {} are {completions} completions; one request may ask for {MAX_COMPLETIONS}",
            body.n.unwrap_or(1)
        );
        return Err(invalid("prompt", message));
    }
    Ok(completions)
}

/// Converts a body to a request for the owner of the key. Ignores `model` and the fields that affect only the
/// format of the response.
///
/// # Errors
/// Returns [`ChatError::Invalid`] or [`ChatError::Unsupported`] with the field's path.
pub(super) fn request(body: types::CompletionRequest, owner: &str) -> Result<CompletionRequest, ChatError> {
    reject(&body.extra, "", &REJECTED)?;
    if body.best_of.is_some_and(|best_of| best_of != body.n.unwrap_or(1)) {
        let message = "`best_of` is not supported; leave it out, or send the same number as in `n`";
        return Err(ChatError::Unsupported { param: "best_of".into(), message: message.into() });
    }
    let options = ChatRequest {
        owner: owner.into(),
        max_tokens: Some(max_tokens(&body)),
        prompt_logprobs: body.logprobs.filter(|_| body.echo == Some(true)).map(|count| count as usize),
        ..sampling_options!(&body, body.logprobs)
    };
    let add_special_tokens = body.add_special_tokens != Some(false);
    Ok(CompletionRequest { prompts: prompts(body.prompt)?, add_special_tokens, options })
}

fn prompts(prompt: types::CompletionPrompt) -> Result<Vec<CompletionPrompt>, ChatError> {
    let items = match prompt {
        types::CompletionPrompt::String(text) => return Ok(vec![CompletionPrompt::Text(text)]),
        types::CompletionPrompt::Array(items) => items,
    };
    let mixed = |index| {
        let message =
            "numbers of tokens stand beside such numbers alone; put those of one prompt into a list of its own";
        invalid(format!("prompt[{index}]"), message)
    };
    let is_one_prompt = matches!(items.first(), Some(Item::Integer(_)));
    let items = items.into_iter().enumerate();
    if is_one_prompt {
        let number = |(index, item)| match item {
            Item::Integer(id) => Ok(id),
            Item::String(_) | Item::Array(_) => Err(mixed(index)),
        };
        return Ok(vec![CompletionPrompt::Tokens(items.map(number).collect::<Result<_, _>>()?)]);
    }
    let prompt = |(index, item)| match item {
        Item::String(text) => Ok(CompletionPrompt::Text(text)),
        Item::Array(ids) => Ok(CompletionPrompt::Tokens(ids)),
        Item::Integer(_) => Err(mixed(index)),
    };
    items.map(prompt).collect()
}
