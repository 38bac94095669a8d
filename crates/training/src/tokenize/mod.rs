//! Turns a rollout's conversation into training tokens.
//!
//! Training uses the exact tokens that were sampled. Choices carry them, and the tokens of their prompt (`token_ids`
//! and `prompt_token_ids`, which clients send back unchanged), so the model learns in the context in which it answered,
//! even if the messages have changed since. A turn whose prompt begins with all tokens before it continues their
//! sequence; any other turn begins its own sequence. For example, a chat template may remove the reasoning content of
//! earlier turns; each turn was then sampled in a different context.
//!
//! For a captured rollout ([`tokenize_exchanges`]), training uses only the token ids of its responses.
//!
//! The chat template renders the parts without token ids, with the sampled tokens in place of the trained turns.
//! Everything else is context, and the text after the last trained turn is cut off.
//!
//! If message and tokens disagree, or the tokens were not found by their ids, the conversation has drifted. This is
//! reported ([`Drift`]), and training uses the sampled tokens.

mod branches;
mod captured;
mod choice;
mod exchanges;
mod prefix_tree;
mod rendering;
mod visible_text;

use std::fmt;

use serde_json::Value;

pub(crate) use self::exchanges::tokenize_exchanges;
use trainyard_text::{ChatTemplate, TemplateError, Tokenizer, TokenizerError};

use self::rendering::RenderedTurn;
use super::trajectory::{History, Item, is_choice};

/// Tokenizer, template and vocabulary of one model.
#[derive(Clone, Copy)]
pub struct TextModel<'a> {
    /// Tokenizer of the model.
    pub tokenizer: &'a Tokenizer,
    /// Chat template of the model.
    pub template: &'a ChatTemplate,
    /// Token that ends an assistant turn.
    pub end_of_turn: u32,
    /// Number of rows of the model's embedding: ids must be below it.
    pub vocabulary_size: usize,
}

/// Training tokens of a conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TokenizedHistory {
    /// Sequences, one for each run of turns that continue each other; empty if nothing is trained.
    pub sequences: Vec<TokenizedSequence>,
    /// Turns whose message and tokens disagree.
    pub drift: Vec<Drift>,
}

/// Tokens of a run of turns, up to the last trained one. All vectors have the same length.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TokenizedSequence {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Whether each token was sampled and is trained. Never true for the first token, because no token precedes it.
    pub mask: Vec<bool>,
    /// Logprobs at sampling time; NaN where there is none.
    pub logprobs: Vec<f32>,
}

/// Path of a sampled choice in its conversation or captured rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoicePath {
    /// Index in `messages_and_choices`.
    Item(usize),
    /// Choice of a captured exchange.
    Exchange {
        /// Name of the list of exchanges.
        protocol: &'static str,
        /// Index of the exchange in its list.
        exchange: usize,
        /// Index of the choice in the response's list.
        choice: usize,
    },
}

impl fmt::Display for ChoicePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(item) => write!(formatter, "messages_and_choices[{item}]"),
            Self::Exchange { protocol, exchange, choice } => {
                write!(formatter, "exchanges.{protocol}[{exchange}].response.choices[{choice}]")
            }
        }
    }
}

/// A trained turn whose message and tokens disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drift {
    /// Path of the turn.
    pub path: ChoicePath,
    /// Kind of the drift.
    pub kind: DriftKind,
}

/// Kind of disagreement between message and tokens of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriftKind {
    /// The message differs from the text of its tokens. The tokens are trained.
    Edited,
    /// The turn has no token ids: they were looked up by their spelling, or its text was encoded.
    WithoutTokenIds,
    /// The turn has no prompt token ids: the chat template rendered the prompt.
    WithoutPromptIds,
    /// Tokens of the turn have no logprob: they are trained as if the current weights had sampled them.
    WithoutLogprobs,
    /// The prompt does not begin with the tokens of the earlier turns: the turn is trained in its own sequence.
    Discontinued,
}

/// Error of the tokenisation of a conversation. Paths are relative to the conversation.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum TokenizeError {
    #[error("messages_and_choices: {0}")]
    Template(#[from] TemplateError),
    #[error("messages_and_choices: {0}")]
    Tokenizer(#[from] TokenizerError),
    /// The template omitted or repeated the text of trained turns.
    #[error(
        "messages_and_choices: the chat template shows {found} of the {expected} trained turns; they cannot be located"
    )]
    TurnsNotFound { expected: usize, found: usize },
    /// The template renders a turn differently from the prompt that opens it, so the sampled text is unknown.
    #[error("messages_and_choices[{item}]: the chat template does not show this turn behind the prompt that it opens")]
    TurnNotOpened { item: usize },
    #[error("{path}.{field}: {problem}")]
    Choice { path: ChoicePath, field: String, problem: &'static str },
    #[error("{path}.{field}: the log-probability is not finite")]
    InfiniteLogprob { path: ChoicePath, field: String },
    #[error("{path}.{field}: token {id} is outside the vocabulary of {size} tokens; it was sampled from another model")]
    OutsideVocabulary { path: ChoicePath, field: String, id: u64, size: usize },
    /// A captured response of the trained model has no token ids. Its text is never tokenised as a replacement.
    #[error(
        "{path}: the response has no {missing}; captured exchanges are trained on the server's token ids only (ask for \
         them with `return_token_ids`)"
    )]
    WithoutTokenIds { path: ChoicePath, missing: &'static str },
    #[error(
        "{path}: the response has no log-probabilities; ask for `logprobs`, or train with \
         `allow_training_without_logprobs`"
    )]
    WithoutLogprobs { path: ChoicePath },
    #[error("exchanges.{protocol}[{exchange}].{field}: {problem}")]
    Exchange { protocol: &'static str, exchange: usize, field: &'static str, problem: &'static str },
    #[error("exchanges: none of them is with the trained model")]
    OtherModelsOnly,
}

/// A trained turn.
struct Turn {
    /// Index of its choice or message.
    item: usize,
    ids: Vec<u32>,
    logprobs: Vec<f32>,
    /// Token ids of the prompt it was sampled from, if the choice has them.
    prompt: Option<Vec<u32>>,
}

/// Tokenises a conversation.
///
/// The sampled choices with logprobs are trained. With `without_logprobs`, choices without logprobs and plain assistant
/// messages are trained too; if they have no token ids, the tokens are those that the chat template writes. Sequences of
/// more than `max_length` tokens are not trained, so they need not be whole.
///
/// # Errors
/// The conversation cannot be rendered, a choice is malformed, an id is outside the vocabulary, or a logprob is not
/// finite.
pub(crate) fn tokenize_history(
    history: &History,
    model: &TextModel<'_>,
    without_logprobs: bool,
    max_length: usize,
) -> Result<TokenizedHistory, TokenizeError> {
    let mut drift = Vec::new();
    let mut turns = Vec::new();
    for item in 0..history.messages_and_choices.len() {
        turns.extend(trained_turn(history, item, model, without_logprobs, max_length, &mut drift)?);
    }
    let rendered = match turns.iter().rposition(|turn| turn.prompt.is_none()) {
        None => None,
        Some(last) => {
            let shown: Vec<RenderedTurn<'_>> =
                turns[..=last].iter().map(|turn| RenderedTurn { item: turn.item, ids: &turn.ids }).collect();
            Some(rendering::conversation(history, &shown, model, max_length)?)
        }
    };
    let mut sequences: Vec<TokenizedSequence> = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let from_template = || rendered.as_ref().map_or(&[][..], |whole| &whole.tokens[..whole.starts[index]]);
        let prompt = turn.prompt.as_deref().unwrap_or_else(from_template);
        let continued = sequences.last().and_then(|sequence| prompt.strip_prefix(sequence.tokens.as_slice()));
        match (continued, sequences.last_mut()) {
            (Some(context), Some(sequence)) => sequence.push(context, turn),
            (_, before) => {
                if before.is_some() {
                    drift.push(Drift { path: ChoicePath::Item(turn.item), kind: DriftKind::Discontinued });
                }
                let mut sequence = TokenizedSequence::default();
                sequence.push(prompt, turn);
                sequences.push(sequence);
            }
        }
    }
    for sequence in &mut sequences {
        sequence.mask.first_mut().into_iter().for_each(|trained| *trained = false);
        sequence.logprobs.first_mut().into_iter().for_each(|logprob| *logprob = f32::NAN);
    }
    sequences.retain(|sequence| sequence.mask.contains(&true));
    Ok(TokenizedHistory { sequences, drift })
}

/// Returns the trained turn of an item; `None` if the item is context only.
fn trained_turn(
    history: &History,
    item: usize,
    model: &TextModel<'_>,
    without_logprobs: bool,
    max_length: usize,
    drift: &mut Vec<Drift>,
) -> Result<Option<Turn>, TokenizeError> {
    let fields = &history.messages_and_choices[item];
    let path = ChoicePath::Item(item);
    if !is_choice(fields) {
        let trained = without_logprobs && fields.get("role").and_then(Value::as_str) == Some("assistant");
        return if trained {
            Ok(Some(turn_from_text(history, item, None, model, max_length, drift)?))
        } else {
            Ok(None)
        };
    }
    let Some(sampled) = choice::read(path, fields, model, without_logprobs)? else { return Ok(None) };
    let Some(ids) = sampled.ids else {
        return Ok(Some(turn_from_text(history, item, sampled.prompt, model, max_length, drift)?));
    };
    if sampled.looked_up {
        drift.push(Drift { path, kind: DriftKind::WithoutTokenIds });
    } else if !visible_text::agrees_with_choice(fields, &ids, sampled.prompt.as_deref(), model) {
        drift.push(Drift { path, kind: DriftKind::Edited });
    }
    if sampled.prompt.is_none() {
        drift.push(Drift { path, kind: DriftKind::WithoutPromptIds });
    }
    if sampled.logprobs.iter().any(|logprob| logprob.is_nan()) {
        drift.push(Drift { path, kind: DriftKind::WithoutLogprobs });
    }
    Ok(Some(Turn { item, ids, logprobs: sampled.logprobs, prompt: sampled.prompt }))
}

/// Returns a turn whose tokens come from its text.
fn turn_from_text(
    history: &History,
    item: usize,
    prompt: Option<Vec<u32>>,
    model: &TextModel<'_>,
    max_length: usize,
    drift: &mut Vec<Drift>,
) -> Result<Turn, TokenizeError> {
    let ids = rendering::turn(history, item, model, max_length)?;
    let path = ChoicePath::Item(item);
    drift.push(Drift { path, kind: DriftKind::WithoutTokenIds });
    if prompt.is_none() {
        drift.push(Drift { path, kind: DriftKind::WithoutPromptIds });
    }
    drift.push(Drift { path, kind: DriftKind::WithoutLogprobs });
    let logprobs = vec![f32::NAN; ids.len()];
    Ok(Turn { item, ids, logprobs, prompt })
}

impl TokenizedSequence {
    /// Appends a turn and the context between it and the previous turn.
    fn push(&mut self, context: &[u32], turn: &Turn) {
        self.tokens.extend(context);
        self.mask.resize(self.tokens.len(), false);
        self.logprobs.resize(self.tokens.len(), f32::NAN);
        self.tokens.extend(&turn.ids);
        self.mask.resize(self.tokens.len(), true);
        self.logprobs.extend(&turn.logprobs);
    }

    /// Returns the number of trained tokens.
    pub(crate) fn trained_tokens(&self) -> usize {
        self.mask.iter().filter(|trained| **trained).count()
    }

    /// Returns the logprobs of the trained tokens.
    pub(crate) fn trained_logprobs(&self) -> impl Iterator<Item = f32> {
        self.logprobs.iter().zip(&self.mask).filter(|(_, trained)| **trained).map(|(logprob, _)| *logprob)
    }
}

/// Returns a message unchanged, and a choice as its assistant message.
fn as_message(item: &Item) -> Item {
    if !is_choice(item) {
        return item.clone();
    }
    let mut message = item.get("message").and_then(Value::as_object).cloned().unwrap_or_default();
    message.entry("role").or_insert_with(|| "assistant".into());
    message
}

#[cfg(test)]
mod template_tests;
#[cfg(test)]
mod tests;
