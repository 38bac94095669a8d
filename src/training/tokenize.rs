//! From a rollout's conversation to the tokens that are trained.
//!
//! A sampled choice with log-probabilities is trained: in the rendered conversation its text is replaced by the very
//! ids that were sampled. Everything else is context, and whatever follows the last trained choice is cut off.
//!
//! Where choices carry `token_ids` and `prompt_token_ids` (fields this service adds and clients send back unchanged)
//! and each prompt continues the turn before it, those ids are the sequence and nothing is rendered: the model learns in
//! the very context it answered in, also where the messages were edited since.

use serde_json::{Map, Value};

use crate::text::{
    ChatTemplate, RenderInput, TemplateError, Tokenizer, TokenizerError, render_prompt, unused_characters,
};

use super::trajectory::{History, Item, is_choice};

/// Prefix of a token that is shown by its id.
const TOKEN_ID_PREFIX: &str = "token_id:";
/// A template that disables thinking renders `<think>`, blank lines and `</think>` before the reply: four tokens.
const EMPTY_THINKING_TOKENS: usize = 4;

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

/// Tokens of one conversation up to its last trained token. All vectors have the same length.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenizedHistory {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Which tokens were sampled and are trained. The first token of a sequence never is: nothing predicts it.
    pub mask: Vec<bool>,
    /// Log-probabilities at sampling time; NaN where there is none.
    pub logprobs: Vec<f32>,
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
    /// A sampled choice has another form than expected.
    #[error("messages_and_choices[{item}].{field}: {problem}")]
    Choice {
        /// Index of the choice.
        item: usize,
        /// Path inside the choice.
        field: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// An id that the model does not have.
    #[error(
        "messages_and_choices[{item}].{field}: token {id} is outside the vocabulary of {size} tokens; it was sampled from another model"
    )]
    OutsideVocabulary {
        /// Index of the choice.
        item: usize,
        /// Path inside the choice.
        field: String,
        /// The id.
        id: u64,
        /// Tokens of the model.
        size: usize,
    },
}

/// A trained turn.
struct Turn {
    /// Index of the choice.
    item: usize,
    ids: Vec<u32>,
    logprobs: Vec<f32>,
    /// Ids of the prompt it was sampled from, where the choice carries them.
    prompt: Option<Vec<u32>>,
}

/// Tokens of a conversation, or `None` if nothing in it is trained.
///
/// # Errors
/// When the conversation cannot be rendered, a choice is malformed, or an id is outside the vocabulary.
pub fn tokenize_history(history: &History, model: &TextModel<'_>) -> Result<Option<TokenizedHistory>, TokenizeError> {
    let items = &history.messages_and_choices;
    let mut turns = Vec::new();
    for (index, item) in items.iter().enumerate().filter(|(_, item)| is_choice(item)) {
        turns.extend(sampled_turn(index, item, model)?);
    }
    if turns.is_empty() {
        return Ok(None);
    }
    let mut sequence = match exact_sequence(&turns) {
        Some(sequence) => sequence,
        None => rendered_sequence(history, &turns, model)?,
    };
    sequence.mask[0] = false;
    sequence.logprobs[0] = f32::NAN;
    Ok(sequence.mask.contains(&true).then_some(sequence))
}

/// The sampled ids and log-probabilities of a choice; `None` if it is context only.
fn sampled_turn(item: usize, choice: &Item, model: &TextModel<'_>) -> Result<Option<Turn>, TokenizeError> {
    let malformed = |field: &str, problem| TokenizeError::Choice { item, field: field.to_owned(), problem };
    let logprobs = match choice.get("logprobs") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(logprobs)) => logprobs,
        Some(_) => return Err(malformed("logprobs", "expected an object or null")),
    };
    let mut list: Option<(&str, &Vec<Value>)> = None;
    for key in ["content", "refusal"] {
        match logprobs.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Array(entries)) if entries.is_empty() => {}
            Some(Value::Array(entries)) => list = list.or(Some((key, entries))),
            Some(_) => return Err(malformed(&format!("logprobs.{key}"), "expected a list or null")),
        }
    }
    let Some((key, entries)) = list else { return Ok(None) };
    let mut names = Vec::with_capacity(entries.len());
    let mut values = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let place = |field: &str| format!("logprobs.{key}[{index}].{field}");
        match entry.get("token") {
            Some(Value::String(token)) => names.push(token.as_str()),
            _ => return Err(malformed(&place("token"), "expected text")),
        }
        values.push(match entry.get("logprob") {
            None | Some(Value::Null) => f32::NAN,
            // rounding to f32 gives back exactly what was printed from an f32
            Some(Value::Number(number)) => number.as_f64().map_or(f32::NAN, |number| number as f32),
            Some(_) => return Err(malformed(&place("logprob"), "expected a number or null")),
        });
    }
    let ids = match id_list(item, choice, "token_ids", model)? {
        Some(ids) if ids.len() == entries.len() => ids,
        _ => ids_of(item, key, &names, model)?,
    };
    let prompt = id_list(item, choice, "prompt_token_ids", model)?;
    Ok(Some(Turn { item, ids, logprobs: values, prompt }))
}

/// Ids of a choice's entries: `token_id:N`, or else, if any entry is not of that form, the vocabulary's spelling of
/// each token. What the vocabulary does not know counts as the end of the turn.
fn ids_of(item: usize, key: &str, names: &[&str], model: &TextModel<'_>) -> Result<Vec<u32>, TokenizeError> {
    let numbered = |name: &&str| name.strip_prefix(TOKEN_ID_PREFIX)?.trim().parse::<u64>().ok();
    match names.iter().map(numbered).collect::<Option<Vec<u64>>>() {
        Some(ids) => ids
            .into_iter()
            .enumerate()
            .map(|(index, id)| in_vocabulary(item, id, model, || format!("logprobs.{key}[{index}].token")))
            .collect(),
        None => Ok(names.iter().map(|name| model.tokenizer.token_to_id(name).unwrap_or(model.end_of_turn)).collect()),
    }
}

/// A list of ids that a choice carries; anything but a list of ids counts as absent.
fn id_list(item: usize, choice: &Item, field: &str, model: &TextModel<'_>) -> Result<Option<Vec<u32>>, TokenizeError> {
    let Some(Value::Array(values)) = choice.get(field) else { return Ok(None) };
    let Some(ids) = values.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>() else { return Ok(None) };
    let checked = ids.into_iter().enumerate();
    checked
        .map(|(index, id)| in_vocabulary(item, id, model, || format!("{field}[{index}]")))
        .collect::<Result<_, _>>()
        .map(Some)
}

fn in_vocabulary(
    item: usize,
    id: u64,
    model: &TextModel<'_>,
    field: impl FnOnce() -> String,
) -> Result<u32, TokenizeError> {
    let size = model.vocabulary_size;
    let known = u32::try_from(id).ok().filter(|id| usize::try_from(*id).is_ok_and(|id| id < size));
    known.ok_or_else(|| TokenizeError::OutsideVocabulary { item, field: field(), id, size })
}

impl TokenizedHistory {
    fn new() -> Self {
        Self { tokens: Vec::new(), mask: Vec::new(), logprobs: Vec::new() }
    }

    fn push_context(&mut self, ids: &[u32]) {
        self.tokens.extend(ids);
        self.mask.resize(self.tokens.len(), false);
        self.logprobs.resize(self.tokens.len(), f32::NAN);
    }

    fn push_turn(&mut self, turn: &Turn) {
        self.tokens.extend(&turn.ids);
        self.mask.resize(self.tokens.len(), true);
        self.logprobs.extend(&turn.logprobs);
    }

    fn truncate(&mut self, length: usize) {
        self.tokens.truncate(length);
        self.mask.truncate(length);
        self.logprobs.truncate(length);
    }
}

/// The sequence from the ids that the choices carry, if all do and each prompt begins with all tokens before it.
fn exact_sequence(turns: &[Turn]) -> Option<TokenizedHistory> {
    let mut sequence = TokenizedHistory::new();
    for turn in turns {
        let context = turn.prompt.as_deref()?.strip_prefix(sequence.tokens.as_slice())?;
        sequence.push_context(context);
        sequence.push_turn(turn);
    }
    Some(sequence)
}

/// The sequence from the rendered conversation, with the sampled ids in place of the trained turns.
fn rendered_sequence(
    history: &History,
    turns: &[Turn],
    model: &TextModel<'_>,
) -> Result<TokenizedHistory, TokenizeError> {
    let last = turns.last().map_or(0, |turn| turn.item);
    let mut messages: Vec<Value> =
        history.messages_and_choices[..=last].iter().map(|item| Value::Object(as_message(item))).collect();
    let tools = history.tools.as_deref();
    // Another plane than the one that shields control tokens.
    let stand_in =
        unused_characters('\u{100000}'..='\u{10fffd}', messages.iter().chain(tools.into_iter().flatten()), 1)?[0];
    for turn in turns {
        // The sampled ids are the whole turn, tool calls and thoughts included: nothing of it is rendered beside them.
        let mut message = Map::new();
        message.insert("role".to_owned(), "assistant".into());
        message.insert("content".to_owned(), stand_in.to_string().into());
        messages[turn.item] = Value::Object(message);
    }
    let kwargs = Map::new();
    let input = RenderInput {
        messages: &messages,
        tools,
        add_generation_prompt: false,
        continue_final_message: false,
        kwargs: &kwargs,
    };
    let prompt = render_prompt(model.template, model.tokenizer, &input)?;
    let pieces: Vec<&str> = prompt.text().split(stand_in).collect();
    if pieces.len() != turns.len() + 1 {
        return Err(TokenizeError::TurnsNotFound { expected: turns.len(), found: pieces.len() - 1 });
    }
    let mut sequence = TokenizedHistory::new();
    let mut last_sampled = None;
    // The last piece, the template's own end of the last turn, is not part of the sequence.
    for (piece, turn) in pieces.iter().zip(turns) {
        let context = prompt.encode_piece(piece)?;
        // A sampled end of turn takes the place of the template's.
        let skip = usize::from(last_sampled.is_some() && context.first().copied() == last_sampled);
        sequence.push_context(&context[skip..]);
        if let Some(start) = repeated_thinking(&sequence.tokens, turn, model.tokenizer) {
            sequence.truncate(start);
        }
        sequence.push_turn(turn);
        last_sampled = turn.ids.last().copied();
    }
    Ok(sequence)
}

/// Where the template's own empty thinking begins, if the sampled turn begins with thinking of its own.
fn repeated_thinking(tokens: &[u32], turn: &Turn, tokenizer: &Tokenizer) -> Option<usize> {
    let opens = |id: u32| tokenizer.token_bytes(id) == b"<think>";
    let start = tokens.len().checked_sub(EMPTY_THINKING_TOKENS)?;
    (opens(*turn.ids.first()?) && opens(tokens[start])).then_some(start)
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
mod tests;
