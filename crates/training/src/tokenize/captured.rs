//! Reads the token ids of captured responses, for each protocol.
//!
//! Only the server's own ids are used. If they are missing, or two sources of them disagree, the response is rejected
//! with its path: its text is never tokenised as a replacement.

use serde_json::Value;

use super::choice::{Entry, Reader};
use super::{ChoicePath, TextModel, TokenizeError};
use crate::trajectory::{Exchange, Item};

/// Fields of a choice with its logprobs as plain numbers.
const PLAIN_LOGPROBS: [&str; 2] = ["compact_logprobs", "art_completion_logprobs"];

/// Protocol of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    /// OpenAI's chat completions.
    ChatCompletions,
    /// OpenAI's legacy completions.
    Completions,
    /// OpenAI's Responses API.
    Responses,
    /// Anthropic's Messages API.
    Messages,
}

impl Protocol {
    /// Returns the name of the protocol's list of exchanges.
    pub(super) fn list(self) -> &'static str {
        match self {
            Self::ChatCompletions => "chat_completions",
            Self::Completions => "completions",
            Self::Responses => "responses",
            Self::Messages => "messages",
        }
    }
}

/// Tokens sampled after a prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Generation {
    /// Path of the choice.
    pub path: ChoicePath,
    /// Token ids of the prompt; at least one.
    pub prompt: Vec<u32>,
    /// Sampled token ids.
    pub ids: Vec<u32>,
    /// Logprob of each sampled token; NaN where there is none.
    pub logprobs: Vec<f32>,
}

/// Reads the generations of exchanges.
#[derive(Clone, Copy)]
pub(super) struct Captured<'a> {
    pub model: &'a TextModel<'a>,
    /// Whether tokens without logprobs are accepted.
    pub without_logprobs: bool,
}

impl Captured<'_> {
    /// Returns the generations of an exchange with their choice indices, in the order of these.
    ///
    /// # Errors
    /// The response is malformed, or lacks token ids or logprobs.
    pub(super) fn generations(
        self,
        protocol: Protocol,
        number: usize,
        exchange: &Exchange,
    ) -> Result<Vec<(usize, Generation)>, TokenizeError> {
        let path = |choice| ChoicePath::Exchange { protocol: protocol.list(), exchange: number, choice };
        let response = &exchange.response;
        match protocol {
            Protocol::ChatCompletions | Protocol::Completions => {
                let choices = choices(protocol, number, response)?;
                let sole = choices.len() == 1;
                let generations = choices.into_iter().map(|(at, index, choice)| {
                    let reader = Reader { path: path(at), choice, model: self.model };
                    let generation = match protocol {
                        Protocol::ChatCompletions => self.chat(reader, response, sole)?,
                        _ => self.completion(reader, exchange)?,
                    };
                    Ok((index, generation))
                });
                generations.collect()
            }
            Protocol::Responses => {
                let listed = response.get("token_generations").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                if listed.is_empty() {
                    return Err(TokenizeError::WithoutTokenIds { path: path(0), missing: "token_generations" });
                }
                let generations = listed.iter().enumerate().map(|(index, generation)| {
                    let Some(choice) = generation.as_object() else {
                        return Err(malformed(protocol, number, "response.token_generations", "expected objects"));
                    };
                    let reader = Reader { path: path(index), choice, model: self.model };
                    Ok((index, self.response(reader)?))
                });
                generations.collect()
            }
            Protocol::Messages => {
                let reader = Reader { path: path(0), choice: response, model: self.model };
                let ids = reader.exact_ids(response.get("token_ids"), "token_ids")?;
                let logprobs = reader.plain_logprobs(&["logprobs"], ids.as_ref().map_or(0, Vec::len))?;
                let prompt = reader.exact_ids(response.get("prompt_token_ids"), "prompt_token_ids")?;
                Ok(vec![(0, self.generation(reader, prompt, ids, logprobs)?)])
            }
        }
    }

    fn chat(self, reader: Reader<'_>, response: &Item, sole: bool) -> Result<Generation, TokenizeError> {
        let choice = reader.choice;
        let engine = if sole { engine_data(response) } else { None };
        let from_engine = |field: &str| engine.and_then(|data| data.get(field));
        let mut prompt = reader.prompt_ids(response)?;
        if prompt.is_none() {
            prompt = reader.exact_ids(from_engine("prompt_token_ids"), "prompt_token_ids")?;
        }
        let (content, refusal) = (reader.entries("content")?, reader.entries("refusal")?);
        let entries: Vec<Entry<'_>> = content.into_iter().chain(refusal).collect();
        let says_something = !entries.is_empty() || has_text(choice);
        let listed = reader.exact_ids(choice.get("token_ids"), "token_ids")?;
        let mut listed = listed.filter(|ids| !(ids.is_empty() && says_something));
        if listed.is_none() {
            listed = reader.exact_ids(from_engine("completion_token_ids"), "token_ids")?;
        }
        let numbered = reader.numbered("content", &entries)?.filter(|ids| !ids.is_empty());
        let ids = listed.or_else(|| numbered.clone());
        let count = ids.as_ref().map_or(0, Vec::len);
        if let (Some(ids), false) = (&ids, entries.is_empty()) {
            reader.check_equal(ids, numbered.as_deref(), entries.len())?;
        }
        let mut logprobs = reader.plain_logprobs(&PLAIN_LOGPROBS, count)?;
        if logprobs.is_none() && !entries.is_empty() {
            logprobs = Some(entries.iter().map(|entry| entry.logprob).collect());
        }
        if logprobs.is_none() {
            logprobs = reader.numbers(from_engine("completion_logprobs"), "completion_logprobs", count)?;
        }
        self.generation(reader, prompt, ids, logprobs)
    }

    fn completion(self, reader: Reader<'_>, exchange: &Exchange) -> Result<Generation, TokenizeError> {
        let Exchange { request, response, .. } = exchange;
        if request.get("echo").and_then(Value::as_bool) == Some(true) {
            return Err(reader.malformed("text", "echoes the prompt; only completions without `echo` are trained"));
        }
        let mut prompt = reader.prompt_ids(response)?;
        if prompt.is_none() {
            prompt = reader.id_list(request.get("prompt"), "prompt")?.filter(|ids| !ids.is_empty());
        }
        let ids = reader.exact_ids(reader.choice.get("token_ids"), "token_ids")?;
        let count = ids.as_ref().map_or(0, Vec::len);
        let mut logprobs = reader.plain_logprobs(&PLAIN_LOGPROBS, count)?;
        if logprobs.is_none() {
            let listed = reader.choice.get("logprobs").and_then(|logprobs| logprobs.get("token_logprobs"));
            logprobs = reader.numbers(listed, "logprobs.token_logprobs", count)?;
        }
        self.generation(reader, prompt, ids, logprobs)
    }

    fn response(self, reader: Reader<'_>) -> Result<Generation, TokenizeError> {
        let choice = reader.choice;
        let prompt = reader.exact_ids(choice.get("prompt_token_ids"), "prompt_token_ids")?;
        let listed = choice.get("output_tokens").and_then(Value::as_array);
        let (ids, logprobs) = match listed {
            Some(tokens) => {
                let number = |token: &Value| token.get("token_id").or_else(|| token.get("token")).cloned();
                let numbers = tokens.iter().map(|token| number(token).unwrap_or_default()).collect::<Vec<_>>();
                let ids = reader.exact_ids(Some(&numbers.into()), "output_tokens")?;
                let logprobs = tokens.iter().map(|token| token.get("logprob").cloned().unwrap_or_default());
                let logprobs: Vec<Value> = logprobs.collect();
                (ids, reader.numbers(Some(&logprobs.into()), "output_tokens", tokens.len())?)
            }
            None => {
                let ids = reader.exact_ids(choice.get("token_ids"), "token_ids")?;
                let count = ids.as_ref().map_or(0, Vec::len);
                (ids, reader.plain_logprobs(&PLAIN_LOGPROBS, count)?)
            }
        };
        self.generation(reader, prompt, ids, logprobs)
    }

    fn generation(
        self,
        reader: Reader<'_>,
        prompt: Option<Vec<u32>>,
        ids: Option<Vec<u32>>,
        logprobs: Option<Vec<f32>>,
    ) -> Result<Generation, TokenizeError> {
        let path = reader.path;
        let missing = |missing| TokenizeError::WithoutTokenIds { path, missing };
        let prompt = prompt.filter(|ids| !ids.is_empty()).ok_or_else(|| missing("prompt_token_ids"))?;
        let ids = ids.ok_or_else(|| missing("token_ids"))?;
        let logprobs = logprobs.unwrap_or_else(|| vec![f32::NAN; ids.len()]);
        if !self.without_logprobs && logprobs.iter().any(|logprob| logprob.is_nan()) {
            return Err(TokenizeError::WithoutLogprobs { path });
        }
        Ok(Generation { path, prompt, ids, logprobs })
    }
}

impl Reader<'_> {
    /// Reads a list of ids; `None` if it is absent or null.
    fn exact_ids(self, value: Option<&Value>, field: &str) -> Result<Option<Vec<u32>>, TokenizeError> {
        match value {
            None | Some(Value::Null) => Ok(None),
            value => match self.id_list(value, field)? {
                Some(ids) => Ok(Some(ids)),
                None => Err(self.malformed(field, "expected a list of token ids")),
            },
        }
    }

    /// Reads the prompt's ids from the choice or else from the response; an empty list counts as absent.
    fn prompt_ids(self, response: &Item) -> Result<Option<Vec<u32>>, TokenizeError> {
        for carrier in [self.choice, response] {
            let ids = self.exact_ids(carrier.get("prompt_token_ids"), "prompt_token_ids")?;
            if let Some(ids) = ids.filter(|ids| !ids.is_empty()) {
                return Ok(Some(ids));
            }
        }
        Ok(None)
    }

    /// Reads logprobs from the first of these fields that is present; the others must agree with it.
    fn plain_logprobs(self, fields: &[&str], count: usize) -> Result<Option<Vec<f32>>, TokenizeError> {
        let mut found: Option<Vec<f32>> = None;
        for field in fields {
            let Some(logprobs) = self.numbers(self.choice.get(*field), field, count)? else { continue };
            if found.as_ref().is_some_and(|found| *found != logprobs) {
                return Err(self.malformed(field, "differs from the other list of log-probabilities"));
            }
            found = Some(logprobs);
        }
        Ok(found)
    }

    /// Reads as many logprobs as there are tokens; `None` if the list is absent, null or without numbers.
    fn numbers(self, value: Option<&Value>, field: &str, count: usize) -> Result<Option<Vec<f32>>, TokenizeError> {
        let values = match value {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(self.malformed(field, "expected a list of numbers or null")),
        };
        if values.len() != count {
            return Err(self.malformed(field, "has another length than the token ids"));
        }
        if values.iter().all(Value::is_null) {
            return Ok(None);
        }
        let numbers = values.iter().enumerate();
        numbers
            .map(|(index, value)| self.logprob(value, || format!("{field}[{index}]")))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

/// Returns the choices with their position in the list and their index, in the order of the index.
fn choices(protocol: Protocol, number: usize, response: &Item) -> Result<Vec<(usize, usize, &Item)>, TokenizeError> {
    let rejected = |problem| malformed(protocol, number, "response.choices", problem);
    let listed = response.get("choices").and_then(Value::as_array).ok_or_else(|| rejected("expected a list"))?;
    let mut choices = Vec::with_capacity(listed.len());
    for (at, choice) in listed.iter().enumerate() {
        let choice = choice.as_object().ok_or_else(|| rejected("expected objects"))?;
        let index = match choice.get("index") {
            None => Some(at),
            Some(index) => index.as_u64().and_then(|index| usize::try_from(index).ok()),
        };
        choices.push((at, index.ok_or_else(|| rejected("an index is no whole number"))?, choice));
    }
    choices.sort_by_key(|(_, index, _)| *index);
    if choices.windows(2).any(|pair| pair[0].1 == pair[1].1) {
        return Err(rejected("two choices have one index"));
    }
    Ok(choices)
}

/// Returns the token data of servers with an `nvext` field, once the generation is complete.
fn engine_data(response: &Item) -> Option<&Item> {
    let data = response.get("nvext")?.get("engine_data")?.as_object()?;
    (data.get("finished") == Some(&Value::Bool(true))).then_some(data)
}

/// Returns whether the message of a choice has content that must have been sampled.
fn has_text(choice: &Item) -> bool {
    const SHOWN: [&str; 6] = ["content", "refusal", "reasoning", "reasoning_content", "tool_calls", "function_call"];
    let message = choice.get("message").and_then(Value::as_object);
    message.is_some_and(|message| {
        SHOWN.iter().filter_map(|field| message.get(*field)).any(|value| match value {
            Value::Null => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => true,
        })
    })
}

fn malformed(protocol: Protocol, exchange: usize, field: &'static str, problem: &'static str) -> TokenizeError {
    TokenizeError::Exchange { protocol: protocol.list(), exchange, field, problem }
}
