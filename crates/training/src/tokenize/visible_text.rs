//! Compares a message with the text of its sampled tokens.
//!
//! A message holds the parts of a completion: reasoning content, content and calls, without the tags between them, without
//! control tokens, and without the text that a stop text removed. The tokens' text is split again in each way that may
//! have applied to the completion, and the message is unedited if it agrees with one of them. For calls, names and
//! arguments must occur in the text; the surrounding syntax differs between models.

use serde_json::{Map, Value};

use super::TextModel;
use crate::trajectory::Item;
use trainyard_text::Tokenizer;

/// Tags around reasoning content.
const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Visible parts of a message.
struct Message<'a> {
    /// Reasoning content; `None` if the message has none, which includes clients that omit it.
    reasoning: Option<&'a str>,
    content: String,
    /// Name and arguments.
    calls: Vec<(&'a str, &'a str)>,
}

/// Sampling data that decides which text the message shows.
struct Sampled<'a> {
    /// Sampled tokens.
    ids: &'a [u32],
    /// Tokens of the prompt, if known.
    prompt: Option<&'a [u32]>,
    /// Value of `finish_reason` of the choice.
    finish: Option<&'a str>,
}

/// Returns whether the message of a choice agrees with its tokens. A message that cannot be compared agrees.
pub(super) fn agrees_with_choice(choice: &Item, ids: &[u32], prompt: Option<&[u32]>, model: &TextModel<'_>) -> bool {
    let Some(message) = choice.get("message").and_then(Value::as_object) else { return true };
    let finish = choice.get("finish_reason").and_then(Value::as_str);
    agrees(message, &Sampled { ids, prompt, finish }, model)
}

fn agrees(message: &Map<String, Value>, sampled: &Sampled<'_>, model: &TextModel<'_>) -> bool {
    let Some(message) = Message::read(message) else { return true };
    let tokenizer = model.tokenizer;
    let ids = sampled.ids;
    let ended_by_control = ids.last().is_some_and(|id| tokenizer.token_bytes(*id).is_empty());
    // A stop text is removed, together with the rest of its last token.
    let may_be_cut = sampled.finish == Some("stop") && !ended_by_control;
    let opened = sampled.prompt.is_some_and(|prompt| leaves_thoughts_open(prompt, tokenizer));
    let without_end = if ended_by_control { &ids[..ids.len() - 1] } else { ids };
    let spellings: [&dyn Fn() -> String; 3] = [
        // The usual form of a completion.
        &|| text_of(ids, tokenizer, |spelling| [OPEN, CLOSE].contains(&spelling)),
        // With control tokens in the text, if the request asks for it; the last one is included if the request asks for
        // that too.
        &|| text_of(without_end, tokenizer, |_| true),
        &|| text_of(ids, tokenizer, |_| true),
    ];
    spellings.iter().any(|text| message.agrees(&text(), opened, may_be_cut))
}

impl<'a> Message<'a> {
    fn read(fields: &'a Map<String, Value>) -> Option<Self> {
        let content = match fields.get("content") {
            None | Some(Value::Null) => fields.get("refusal").and_then(Value::as_str).unwrap_or_default().to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => {
                parts.iter().map(|part| part.get("text")?.as_str()).collect::<Option<String>>()?
            }
            Some(_) => return None,
        };
        let text = |name: &str| fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let reasoning = ["reasoning_content", "reasoning", "thinking"].into_iter().find_map(text);
        let listed = fields.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        let functions = listed.map(|call| call.get("function")).chain([fields.get("function_call")]);
        let calls = functions
            .flatten()
            .filter(|function| !function.is_null())
            .map(|function| Some((function.get("name")?.as_str()?, function.get("arguments")?.as_str()?)))
            .collect::<Option<Vec<_>>>()?;
        Some(Self { reasoning, content, calls })
    }

    /// Returns whether the text can be split into this message.
    fn agrees(&self, text: &str, opened: bool, may_be_cut: bool) -> bool {
        let begun = text.trim_start().strip_prefix(OPEN);
        let thoughts = begun.unwrap_or(text);
        let mut splits = vec![(None, text)];
        if let Some((thoughts, content)) = thoughts.split_once(CLOSE) {
            splits.push((Some(thoughts), content.trim_start_matches('\n')));
        } else if begun.is_some() || opened {
            splits.push((Some(thoughts), ""));
        }
        let same = |shown: &str, said: &str| said == shown || (may_be_cut && said.starts_with(shown));
        splits.into_iter().any(|(thoughts, content)| {
            let thoughts_agree = match (self.reasoning, thoughts) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(shown), Some(said)) => same(shown.trim_matches('\n'), said.trim_matches('\n')),
            };
            thoughts_agree
                && if self.calls.is_empty() { same(&self.content, content) } else { self.calls_agree(content) }
        })
    }

    fn calls_agree(&self, content: &str) -> bool {
        let dense = |text: &str| text.chars().filter(|character| !character.is_whitespace()).collect::<String>();
        let Some(rest) = content.trim_start().strip_prefix(self.content.trim()) else { return false };
        let rest = dense(rest);
        self.calls.iter().all(|(name, arguments)| {
            let arguments = dense(arguments);
            // A call without arguments may have an empty object; arguments may have been written as text that holds
            // JSON.
            let quoted = || Value::from(arguments.as_str()).to_string();
            let shown = arguments == "{}" || rest.contains(&arguments) || rest.contains(quoted().trim_matches('"'));
            shown && rest.contains(&dense(name))
        })
    }
}

/// Returns the text of tokens, including the control tokens that `shown` accepts.
fn text_of(ids: &[u32], tokenizer: &Tokenizer, shown: impl Fn(&str) -> bool) -> String {
    let mut detokenizer = tokenizer.detokenizer();
    let mut text = String::new();
    for &id in ids {
        let bytes = tokenizer.token_bytes(id);
        let control = if bytes.is_empty() { tokenizer.id_to_token(id) } else { None };
        match control.filter(|spelling| shown(spelling)) {
            Some(spelling) => {
                text += &detokenizer.finish();
                text += &spelling;
            }
            None => text += &detokenizer.push(bytes),
        }
    }
    text + &detokenizer.finish()
}

/// Returns whether a prompt ends with the opening tag of a reasoning block.
fn leaves_thoughts_open(prompt: &[u32], tokenizer: &Tokenizer) -> bool {
    // Each token of the tag and of the white space after it has at least one character.
    let tail = &prompt[prompt.len().saturating_sub(2 * OPEN.len())..];
    text_of(tail, tokenizer, |spelling| spelling == OPEN).trim_end().ends_with(OPEN)
}
