//! Turns captured requests and responses into training tokens.
//!
//! Exchanges with the trained model are read in order of time. The token ids and logprobs of their responses are marked
//! in a prefix tree. Each branch of the conversations is one sequence, and trains the sampled tokens that no earlier
//! branch trains. Exchanges with other models are ignored.

use serde_json::Value;

use super::branches::{Branches, Completion, Request, conversation_prefixes};
use super::captured::{Captured, Generation, Protocol};
use super::prefix_tree::PrefixTree;
use super::{ChoicePath, Drift, DriftKind, TextModel, TokenizeError, TokenizedHistory, visible_text};
use crate::trajectory::{Exchange, Exchanges, Item};

/// Tokenises a captured rollout.
///
/// `is_trained` matches the names of the trained model and its steps. Sequences of more than `max_length` tokens are
/// not trained, so tokens that they share with other sequences are trained there.
///
/// # Errors
/// No exchange is with the trained model, or one of its responses is malformed, lacks token ids, or lacks logprobs
/// while `without_logprobs` is not set.
pub(crate) fn tokenize_exchanges(
    exchanges: &Exchanges,
    model: &TextModel<'_>,
    is_trained: &dyn Fn(&str) -> bool,
    without_logprobs: bool,
    max_length: usize,
) -> Result<TokenizedHistory, TokenizeError> {
    let mut drift = Vec::new();
    let mut tree = PrefixTree::default();
    let mut lines: Vec<Line<'_>> = Vec::new();
    let captured = Captured { model, without_logprobs };
    for (sequence, (protocol, number, exchange)) in trained_exchanges(exchanges, is_trained).into_iter().enumerate() {
        let generations = captured.generations(protocol, number, exchange)?;
        let sampled_choice = |path: ChoicePath| match path {
            ChoicePath::Exchange { choice, .. } => exchange.response.get("choices")?.get(choice)?.as_object(),
            ChoicePath::Item(_) => None,
        };
        let is_chat = protocol == Protocol::ChatCompletions;
        let mut completions = Vec::with_capacity(generations.len());
        for (index, generation) in &generations {
            let Generation { path, prompt, ids, logprobs } = generation;
            let sampled = sampled_choice(*path);
            tree.add(prompt, ids, logprobs);
            if sampled.is_some_and(|choice| !visible_text::agrees_with_choice(choice, ids, Some(prompt), model)) {
                drift.push(Drift { path: *path, kind: DriftKind::Edited });
            }
            if logprobs.iter().any(|logprob| logprob.is_nan()) {
                drift.push(Drift { path: *path, kind: DriftKind::WithoutLogprobs });
            }
            let message = sampled.and_then(|choice| choice.get("message")?.as_object());
            let cut_off =
                is_chat && sampled.is_some_and(|choice| tool_calls_hit_limit(choice, &exchange.request, ids.len()));
            completions.push(Completion { choice: *index, generation, message, continuable: !cut_off });
        }
        let prefixes = if is_chat { conversation_prefixes(&exchange.request) } else { Vec::new() };
        line(&mut lines, exchange.model(), protocol).branches.add(&Request { sequence, prefixes }, &completions);
    }
    if lines.is_empty() {
        return Err(TokenizeError::OtherModelsOnly);
    }
    let branches = lines.into_iter().flat_map(|line| line.branches.into_tokens());
    let sequences = branches.filter_map(|tokens| tree.claim(&tokens, max_length)).collect();
    Ok(TokenizedHistory { sequences, drift })
}

/// The branches of one name of the model and one protocol.
struct Line<'a> {
    name: Option<&'a str>,
    protocol: Protocol,
    branches: Branches,
}

fn line<'a, 'b>(lines: &'b mut Vec<Line<'a>>, name: Option<&'a str>, protocol: Protocol) -> &'b mut Line<'a> {
    let found = lines.iter().position(|line| line.name == name && line.protocol == protocol);
    let index = found.unwrap_or_else(|| {
        lines.push(Line { name, protocol, branches: Branches::default() });
        lines.len() - 1
    });
    &mut lines[index]
}

/// Returns the exchanges with the trained model in order of time, each with its protocol and its index in its list.
fn trained_exchanges<'a>(
    exchanges: &'a Exchanges,
    is_trained: &dyn Fn(&str) -> bool,
) -> Vec<(Protocol, usize, &'a Exchange)> {
    let lists = [
        (Protocol::ChatCompletions, &exchanges.chat_completions),
        (Protocol::Completions, &exchanges.completions),
        (Protocol::Responses, &exchanges.responses),
        (Protocol::Messages, &exchanges.messages),
    ];
    let all = lists.into_iter().flat_map(|(protocol, list)| {
        list.iter().enumerate().map(move |(number, exchange)| (protocol, number, exchange))
    });
    let mut trained: Vec<_> = all.filter(|(.., exchange)| exchange.model().is_some_and(is_trained)).collect();
    trained.sort_by_key(|(.., exchange)| (exchange.start_time, exchange.end_time));
    trained
}

/// Returns whether the request's token limit truncated the tool calls: a later prompt then has a repaired form of them.
fn tool_calls_hit_limit(choice: &Item, request: &Item, sampled: usize) -> bool {
    let calls = choice.get("message").and_then(|message| message.get("tool_calls")?.as_array());
    let ended_with_calls = choice.get("finish_reason").and_then(Value::as_str) == Some("tool_calls");
    let limit = ["max_completion_tokens", "max_tokens"].iter().find_map(|name| request.get(*name)?.as_u64());
    ended_with_calls
        && calls.is_some_and(|calls| !calls.is_empty())
        && limit.is_some_and(|limit| limit > 0 && sampled as u64 >= limit)
}

#[cfg(test)]
mod tests;
