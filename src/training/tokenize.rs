//! From a rollout's conversation to the tokens that are trained.
//!
//! A sampled choice is trained on the very tokens that were sampled. Choices carry them, and the tokens of the prompt
//! they were sampled from (`token_ids` and `prompt_token_ids`, which clients send back unchanged), so the model learns in
//! the very context it answered in, whatever became of the messages since. A turn whose prompt begins with all tokens
//! before it continues their sequence; any other begins a sequence of its own. A chat template may take the thoughts of
//! earlier turns away, for one, and then each turn was sampled in a context of its own.
//!
//! A captured rollout ([`tokenize_exchanges`]) is trained on the token ids of its responses alone.
//!
//! What is not carried is rendered by the chat template, with the sampled tokens in the place of the trained turns.
//! Everything else is context, and whatever follows the last trained turn is cut off.
//!
//! Where a message does not say what its tokens say, or tokens had to be found in another way than by their ids, the
//! conversation has drifted: that is told ([`Drift`]), and training goes on with the sampled tokens.

mod branches;
mod captured;
mod choice;
mod exchanges;
mod prefix_tree;
mod rendering;
mod visible_text;

use std::fmt;

use serde_json::Value;

pub use self::exchanges::tokenize_exchanges;
use crate::text::{ChatTemplate, TemplateError, Tokenizer, TokenizerError};

use self::rendering::RenderedTurn;
use super::trajectory::{History, Item, is_choice};

/// What turns text into tokens for one model.
#[derive(Clone, Copy)]
pub struct TextModel<'a> {
    /// The model's tokenizer.
    pub tokenizer: &'a Tokenizer,
    /// The model's chat template.
    pub template: &'a ChatTemplate,
    /// The token that ends an assistant turn.
    pub end_of_turn: u32,
    /// Rows of the model's embedding: ids must be below it.
    pub vocabulary_size: usize,
}

/// What a conversation gives to train on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TokenizedHistory {
    /// One sequence for each run of turns that continue each other; none if nothing is trained.
    pub sequences: Vec<TokenizedSequence>,
    /// Where messages and tokens have come apart.
    pub drift: Vec<Drift>,
}

/// Tokens up to the last trained one of a run of turns. All vectors have the same length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TokenizedSequence {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Which tokens were sampled and are trained. The first token of a sequence never is: nothing predicts it.
    pub mask: Vec<bool>,
    /// Log-probabilities at sampling time; NaN where there is none.
    pub logprobs: Vec<f32>,
}

/// Place of a sampled choice in its conversation or captured rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoicePlace {
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

impl fmt::Display for ChoicePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(item) => write!(formatter, "messages_and_choices[{item}]"),
            Self::Exchange { protocol, exchange, choice } => {
                write!(formatter, "exchanges.{protocol}[{exchange}].response.choices[{choice}]")
            }
        }
    }
}

/// A trained turn whose message and tokens have come apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drift {
    /// Place of the turn.
    pub place: ChoicePlace,
    /// In what way.
    pub kind: DriftKind,
}

/// In what way message and tokens of a turn have come apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriftKind {
    /// The message does not say what its tokens say. Trained are the tokens.
    Edited,
    /// The turn has no ids of its tokens: they were looked up by their spelling, or its text was encoded.
    WithoutTokenIds,
    /// The turn has no ids of its prompt: the chat template rendered it.
    WithoutPromptIds,
    /// Tokens of the turn have no log-probability: they are trained as if the present weights had sampled them.
    WithoutLogprobs,
    /// The prompt does not begin with the tokens of the turns before: the turn is trained in a sequence of its own.
    Discontinued,
}

/// Why a conversation gives no tokens. Places are relative to the conversation.
#[derive(Debug, thiserror::Error)]
pub enum TokenizeError {
    /// The chat template refused the conversation.
    #[error("messages_and_choices: {0}")]
    Template(#[from] TemplateError),
    /// The tokenizer refused the conversation.
    #[error("messages_and_choices: {0}")]
    Tokenizer(#[from] TokenizerError),
    /// The template left out or repeated the text of trained turns.
    #[error(
        "messages_and_choices: the chat template shows {found} of the {expected} trained turns; they cannot be located"
    )]
    TurnsNotFound {
        /// Trained turns of the conversation.
        expected: usize,
        /// How many the rendered text holds.
        found: usize,
    },
    /// The template shows a turn in another way than it opens one, so what would have been sampled is not known.
    #[error("messages_and_choices[{item}]: the chat template does not show this turn behind the prompt that it opens")]
    TurnNotOpened {
        /// Index of the turn.
        item: usize,
    },
    /// A sampled choice has another form than expected.
    #[error("{place}.{field}: {problem}")]
    Choice {
        /// Place of the choice.
        place: ChoicePlace,
        /// Path inside the choice.
        field: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A log-probability that is no number which can be compared.
    #[error("{place}.{field}: the log-probability is not finite")]
    InfiniteLogprob {
        /// Place of the choice.
        place: ChoicePlace,
        /// Path inside the choice.
        field: String,
    },
    /// An id that the model does not have.
    #[error(
        "{place}.{field}: token {id} is outside the vocabulary of {size} tokens; it was sampled from another model"
    )]
    OutsideVocabulary {
        /// Place of the choice.
        place: ChoicePlace,
        /// Path inside the choice.
        field: String,
        /// The id.
        id: u64,
        /// Tokens of the model.
        size: usize,
    },
    /// A captured response of the trained model carries no token ids, and text is never tokenised in their place.
    #[error(
        "{place}: the response has no {missing}; captured exchanges are trained on the server's token ids only (ask for \
         them with `return_token_ids`)"
    )]
    WithoutTokenIds {
        /// Place of the choice.
        place: ChoicePlace,
        /// Field that is missing.
        missing: &'static str,
    },
    /// A captured response of the trained model carries no log-probabilities.
    #[error(
        "{place}: the response has no log-probabilities; ask for `logprobs`, or train with \
         `allow_training_without_logprobs`"
    )]
    WithoutLogprobs {
        /// Place of the choice.
        place: ChoicePlace,
    },
    /// An exchange of the trained model has another form than its protocol has.
    #[error("exchanges.{protocol}[{exchange}].{field}: {problem}")]
    Exchange {
        /// Name of the list of exchanges.
        protocol: &'static str,
        /// Index of the exchange in its list.
        exchange: usize,
        /// Path inside the exchange.
        field: &'static str,
        /// What is wrong.
        problem: &'static str,
    },
    /// No exchange of a captured rollout is with the trained model.
    #[error("exchanges: none of them is with the trained model")]
    OtherModelsOnly,
}

/// A trained turn.
struct Turn {
    /// Index of its choice or message.
    item: usize,
    ids: Vec<u32>,
    logprobs: Vec<f32>,
    /// Ids of the prompt it was sampled from, where the choice carries them.
    prompt: Option<Vec<u32>>,
}

/// Tokens of a conversation.
///
/// Trained are the sampled choices that have log-probabilities; with `without_logprobs` those without and the
/// assistant's plain messages too, on the tokens that the chat template writes for them where they carry none.
///
/// # Errors
/// When the conversation cannot be rendered, a choice is malformed, an id is outside the vocabulary, or a
/// log-probability is not finite.
pub fn tokenize_history(
    history: &History,
    model: &TextModel<'_>,
    without_logprobs: bool,
) -> Result<TokenizedHistory, TokenizeError> {
    let mut drift = Vec::new();
    let mut turns = Vec::new();
    for item in 0..history.messages_and_choices.len() {
        turns.extend(trained_turn(history, item, model, without_logprobs, &mut drift)?);
    }
    let rendered = match turns.iter().rposition(|turn| turn.prompt.is_none()) {
        None => None,
        Some(last) => {
            let shown: Vec<RenderedTurn<'_>> =
                turns[..=last].iter().map(|turn| RenderedTurn { item: turn.item, ids: &turn.ids }).collect();
            Some(rendering::conversation(history, &shown, model)?)
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
                    drift.push(Drift { place: ChoicePlace::Item(turn.item), kind: DriftKind::Discontinued });
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

/// The tokens of an item; `None` if it is context only.
fn trained_turn(
    history: &History,
    item: usize,
    model: &TextModel<'_>,
    without_logprobs: bool,
    drift: &mut Vec<Drift>,
) -> Result<Option<Turn>, TokenizeError> {
    let fields = &history.messages_and_choices[item];
    let place = ChoicePlace::Item(item);
    if !is_choice(fields) {
        let trained = without_logprobs && fields.get("role").and_then(Value::as_str) == Some("assistant");
        return if trained { Ok(Some(turn_from_text(history, item, None, model, drift)?)) } else { Ok(None) };
    }
    let Some(sampled) = choice::read(place, fields, model, without_logprobs)? else { return Ok(None) };
    let Some(ids) = sampled.ids else {
        return Ok(Some(turn_from_text(history, item, sampled.prompt, model, drift)?));
    };
    if sampled.looked_up {
        drift.push(Drift { place, kind: DriftKind::WithoutTokenIds });
    } else if !visible_text::agrees_with_choice(fields, &ids, sampled.prompt.as_deref(), model) {
        drift.push(Drift { place, kind: DriftKind::Edited });
    }
    if sampled.prompt.is_none() {
        drift.push(Drift { place, kind: DriftKind::WithoutPromptIds });
    }
    if sampled.logprobs.iter().any(|logprob| logprob.is_nan()) {
        drift.push(Drift { place, kind: DriftKind::WithoutLogprobs });
    }
    Ok(Some(Turn { item, ids, logprobs: sampled.logprobs, prompt: sampled.prompt }))
}

/// A turn that has no tokens but those of its text.
fn turn_from_text(
    history: &History,
    item: usize,
    prompt: Option<Vec<u32>>,
    model: &TextModel<'_>,
    drift: &mut Vec<Drift>,
) -> Result<Turn, TokenizeError> {
    let ids = rendering::turn(history, item, model)?;
    let place = ChoicePlace::Item(item);
    drift.push(Drift { place, kind: DriftKind::WithoutTokenIds });
    if prompt.is_none() {
        drift.push(Drift { place, kind: DriftKind::WithoutPromptIds });
    }
    drift.push(Drift { place, kind: DriftKind::WithoutLogprobs });
    let logprobs = vec![f32::NAN; ids.len()];
    Ok(Turn { item, ids, logprobs, prompt })
}

impl TokenizedSequence {
    /// Adds a turn and the context between it and the turn before.
    fn push(&mut self, context: &[u32], turn: &Turn) {
        self.tokens.extend(context);
        self.mask.resize(self.tokens.len(), false);
        self.logprobs.resize(self.tokens.len(), f32::NAN);
        self.tokens.extend(&turn.ids);
        self.mask.resize(self.tokens.len(), true);
        self.logprobs.extend(&turn.logprobs);
    }

    /// How many tokens are trained.
    pub fn trained_tokens(&self) -> usize {
        self.mask.iter().filter(|trained| **trained).count()
    }

    /// The log-probabilities of the trained tokens.
    pub fn trained_logprobs(&self) -> impl Iterator<Item = f32> {
        self.logprobs.iter().zip(&self.mask).filter(|(_, trained)| **trained).map(|(logprob, _)| *logprob)
    }
}

/// A message as it is; a choice as the assistant message it holds.
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
