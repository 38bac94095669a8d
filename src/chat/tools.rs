//! Tool calls in the text of an answer, in the Hermes form that ChatML templates use:
//!
//! ```text
//! <tool_call>
//! {"name": "get_weather", "arguments": {"city": "Rome"}}
//! </tool_call>
//! ```
//!
//! Text between calls that is not white space stays content. What opens a call and is none stays content too.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::stop::held_back;

pub(super) const OPEN: &str = "<tool_call>";
pub(super) const CLOSE: &str = "</tool_call>";

/// A call that the model made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Identifies the call in the conversation: `call_` and 24 hexadecimal digits.
    pub id: String,
    /// Function to call.
    pub name: String,
    /// Its arguments: JSON as the model wrote it.
    pub arguments: String,
}

/// What a piece of text led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Call { name: String, arguments: String },
}

/// Splits an answer that comes in pieces into content and calls.
#[derive(Debug, Default)]
pub(super) struct ToolParser {
    held: String,
    /// Whether `held` begins with [`OPEN`].
    inside: bool,
    called: bool,
}

impl ToolParser {
    /// Adds a piece of text.
    pub fn push(&mut self, piece: &str) -> Vec<Part> {
        self.held.push_str(piece);
        let mut parts = Vec::new();
        loop {
            if self.inside {
                let Some(end) = self.held.find(CLOSE) else { return parts };
                let rest = self.held.split_off(end + CLOSE.len());
                let block = std::mem::replace(&mut self.held, rest);
                self.inside = false;
                match parse_call(&block[OPEN.len()..end]) {
                    Some(call) => {
                        self.called = true;
                        parts.push(call);
                    }
                    None => parts.push(Part::Text(block)),
                }
            } else if let Some(start) = self.held.find(OPEN) {
                let rest = self.held.split_off(start);
                let text = std::mem::replace(&mut self.held, rest);
                self.text(text.trim_end(), &mut parts);
                self.inside = true;
            } else {
                // White space before a call is the template's, not content; it is held back until that is decided.
                let certain = self.held.len() - held_back(&self.held, std::iter::once(OPEN));
                let certain = self.held[..certain].trim_end().len();
                let rest = self.held.split_off(certain);
                let text = std::mem::replace(&mut self.held, rest);
                self.text(&text, &mut parts);
                return parts;
            }
        }
    }

    /// Ends the text: an open call is text, and so is white space unless it follows a call.
    pub fn finish(&mut self) -> Vec<Part> {
        let held = std::mem::take(&mut self.held);
        let mut parts = Vec::new();
        if !(self.called && held.trim().is_empty()) {
            self.inside = false;
            self.text(&held, &mut parts);
        }
        parts
    }

    fn text(&self, text: &str, parts: &mut Vec<Part>) {
        if !text.is_empty() {
            parts.push(Part::Text(text.to_owned()));
        }
    }
}

#[derive(Deserialize)]
struct Call<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

fn parse_call(text: &str) -> Option<Part> {
    let call: Call<'_> = serde_json::from_str(text.trim()).ok()?;
    let raw = call.arguments.map_or("{}", RawValue::get);
    // Some models write the arguments as a string that holds JSON.
    let arguments = serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned());
    (!call.name.is_empty()).then_some(Part::Call { name: call.name, arguments })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Content and calls of an answer.
    fn run<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, Vec<(String, String)>) {
        let mut parser = ToolParser::default();
        let mut parts: Vec<Part> = pieces.into_iter().flat_map(|piece| parser.push(piece)).collect();
        parts.extend(parser.finish());
        let (mut content, mut calls) = (String::new(), Vec::new());
        for part in parts {
            match part {
                Part::Text(text) => content.push_str(&text),
                Part::Call { name, arguments } => calls.push((name, arguments)),
            }
        }
        (content, calls)
    }

    fn call(name: &str, arguments: &str) -> (String, String) {
        (name.to_owned(), arguments.to_owned())
    }

    const TWO: &str = "I look. \n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"b\":  1, \"a\": 2}}\n</tool_call>\n<tool_call>{\"name\": \"g\"}</tool_call>\n";

    #[test]
    fn calls_are_found_and_arguments_kept_as_written() {
        assert_eq!(run([TWO]), ("I look.".to_owned(), vec![call("f", "{\"b\":  1, \"a\": 2}"), call("g", "{}")]));
        let string = "<tool_call>{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}</tool_call>";
        assert_eq!(run([string]), (String::new(), vec![call("f", "{\"a\": 1}")]));
    }

    #[test]
    fn what_is_no_call_stays_text() {
        for text in [
            "plain text \n",
            "<tool_call>nonsense</tool_call>",
            "<tool_call>{\"name\": \"\"}</tool_call>",
            "a <tool_call>\n{\"name\": \"f\", \"argu",
            "<tool_cal",
        ] {
            let (content, calls) = run([text]);
            assert!(calls.is_empty());
            assert_eq!(content.split_whitespace().collect::<String>(), text.split_whitespace().collect::<String>());
        }
        assert_eq!(run(["ends in white space \n"]).0, "ends in white space \n");
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same(cuts in prop::collection::vec(1usize..9, 0..60), bad in any::<bool>()) {
            let text = if bad { TWO.replace("\"f\"", "f") } else { TWO.to_owned() };
            let mut rest = text.as_str();
            let mut pieces = Vec::new();
            for cut in cuts {
                let (piece, tail) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = tail;
            }
            pieces.push(rest);
            prop_assert_eq!(run(pieces), run([text.as_str()]));
        }
    }
}
