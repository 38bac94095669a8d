//! Tokens of conversations without token ids: rendered by the chat template.

use serde_json::{Map, Value};

use super::{TextModel, TokenizeError, as_message};
use crate::trajectory::History;
use trainyard_text::{Prompt, RenderInput, Tokenizer, render_prompt, unused_characters};

/// Tokens of an empty reasoning block. A template that disables thinking renders `<think>`, blank lines and `</think>`
/// before the reply: four tokens.
const EMPTY_THINKING_TOKENS: usize = 4;
/// Range of stand-in characters for text that must not be mistaken for template text.
const SHIELDS: std::ops::RangeInclusive<char> = '\u{f0000}'..='\u{ffffd}';

/// A trained turn: index of its item and its tokens.
pub(super) struct RenderedTurn<'a> {
    pub item: usize,
    pub ids: &'a [u32],
}

/// A rendered conversation with the tokens of the trained turns in their positions.
pub(super) struct Conversation {
    /// Tokens up to the last trained one.
    pub tokens: Vec<u32>,
    /// Start of each turn in `tokens`.
    pub starts: Vec<usize>,
}

/// Renders a conversation up to its last trained turn; `turns` must be in order. Of one with more than `max_length`
/// tokens, which is not trained, the rest of the text between the turns may be left out.
///
/// # Errors
/// The template rejects the conversation, or does not show each trained turn once.
pub(super) fn conversation(
    history: &History,
    turns: &[RenderedTurn<'_>],
    model: &TextModel<'_>,
    max_length: usize,
) -> Result<Conversation, TokenizeError> {
    let last = turns.last().map_or(0, |turn| turn.item);
    let mut messages = messages(history, last + 1);
    let tools = history.tools.as_deref();
    // A different Unicode plane from the one of the stand-ins for control tokens.
    let stand_in =
        unused_characters('\u{100000}'..='\u{10fffd}', messages.iter().chain(tools.into_iter().flatten()), 1)?[0];
    for turn in turns {
        // The tokens cover the whole turn, including tool calls and reasoning content, so no other field is rendered.
        let mut message = Map::new();
        message.insert("role".to_owned(), "assistant".into());
        message.insert("content".to_owned(), stand_in.to_string().into());
        messages[turn.item] = Value::Object(message);
    }
    let prompt = render(messages, tools, false, Map::new(), model)?;
    let pieces: Vec<&str> = prompt.text().split(stand_in).collect();
    if pieces.len() != turns.len() + 1 {
        return Err(TokenizeError::TurnsNotFound { expected: turns.len(), found: pieces.len() - 1 });
    }
    let mut conversation = Conversation { tokens: Vec::new(), starts: Vec::new() };
    let mut last_of_turn = None;
    let mut end_of_turn = 0;
    // The last piece, the template's own end of the last turn, is not part of the sequence.
    for (piece, turn) in pieces.iter().zip(turns) {
        let (context, _) = prompt.encode_start(piece, max_length.saturating_sub(conversation.tokens.len()))?;
        // A sampled end of turn replaces the template's.
        let skip = usize::from(last_of_turn.is_some() && context.first().copied() == last_of_turn);
        conversation.tokens.extend(&context[skip..]);
        if let Some(start) = repeated_thinking(&conversation.tokens, turn, model.tokenizer) {
            conversation.tokens.truncate(start.max(end_of_turn));
        }
        conversation.starts.push(conversation.tokens.len());
        conversation.tokens.extend(turn.ids);
        end_of_turn = conversation.tokens.len();
        last_of_turn = turn.ids.last().copied();
    }
    Ok(conversation)
}

/// Returns the start of the template's empty reasoning block if the turn begins with a sampled one.
fn repeated_thinking(tokens: &[u32], turn: &RenderedTurn<'_>, tokenizer: &Tokenizer) -> Option<usize> {
    let opens = |id: u32| tokenizer.token_bytes(id) == b"<think>";
    let start = tokens.len().checked_sub(EMPTY_THINKING_TOKENS)?;
    (opens(*turn.ids.first()?) && opens(tokens[start])).then_some(start)
}

/// Returns the tokens that the template writes for the assistant message at `item`. A model would have sampled these:
/// from the end of the opened turn to the token that ends it. Of a turn with more than `max_length` tokens, which is not
/// trained, the rest may be left out.
///
/// # Errors
/// The template rejects the conversation, or renders a turn differently from the prompt that opens it.
pub(super) fn turn(
    history: &History,
    item: usize,
    model: &TextModel<'_>,
    max_length: usize,
) -> Result<Vec<u32>, TokenizeError> {
    let messages = messages(history, item + 1);
    let tools = history.tools.as_deref();
    let whole = render(messages.clone(), tools, false, Map::new(), model)?;
    // A template may open a turn with an empty reasoning block unless thinking is on, and show it only in a turn
    // without reasoning content.
    let mut thinking = Map::new();
    thinking.insert("enable_thinking".to_owned(), true.into());
    let mut turn = None;
    for kwargs in [Map::new(), thinking] {
        let opened = render(messages[..item].to_vec(), tools, true, kwargs, model)?;
        turn = turn.or_else(|| behind(whole.text(), opened.text()));
    }
    let turn = turn.ok_or(TokenizeError::TurnNotOpened { item })?;
    let (mut ids, _) = whole.encode_start(turn, max_length)?;
    // The template's text after the end of the turn belongs to the next message.
    if let Some(end) = ids.iter().rposition(|id| *id == model.end_of_turn || model.tokenizer.is_control(*id)) {
        ids.truncate(end + 1);
    }
    Ok(ids)
}

/// Returns the rest of `text` after `start`; `None` if it begins differently. All stand-ins compare as equal, because
/// they may differ between two renderings.
fn behind<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let same = |left: char, right: char| left == right || (SHIELDS.contains(&left) && SHIELDS.contains(&right));
    let mut rest = text.chars();
    let follows = start.chars().all(|expected| rest.next().is_some_and(|found| same(found, expected)));
    follows.then_some(rest.as_str())
}

fn messages(history: &History, count: usize) -> Vec<Value> {
    history.messages_and_choices[..count].iter().map(|item| Value::Object(as_message(item))).collect()
}

fn render<'a>(
    messages: Vec<Value>,
    tools: Option<&[Value]>,
    add_generation_prompt: bool,
    kwargs: Map<String, Value>,
    model: &TextModel<'a>,
) -> Result<Prompt<'a>, TokenizeError> {
    let input = RenderInput {
        messages,
        tools: tools.unwrap_or_default().to_vec(),
        add_generation_prompt,
        continue_final_message: false,
        kwargs,
    };
    Ok(render_prompt(model.template, model.tokenizer, input)?)
}
