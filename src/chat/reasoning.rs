//! Separates the reasoning content of a completion from its content.
//!
//! A reasoning model writes `<think>…</think>` before the content; some prompts already open the block. Line breaks next
//! to the tags belong to neither part: templates add and strip them.

use super::stop::held_back;
use crate::text::{ChatTemplate, Tokenizer};

pub(super) const OPEN: &str = "<think>";
pub(super) const CLOSE: &str = "</think>";

/// Returns whether a completion of this model may begin with reasoning content: its template mentions the tags, or its
/// vocabulary has a token for each of them.
pub(super) fn reasons(template: &ChatTemplate, tokenizer: &Tokenizer) -> bool {
    let has = |tag: &str| tokenizer.token_to_id(tag).is_some();
    template.mentions_think_tags() || (has(OPEN) && has(CLOSE))
}

/// Returns whether a prompt ends inside a reasoning block, so that the completion begins there.
pub(super) fn is_open(prompt: &str) -> bool {
    prompt.trim_end().ends_with(OPEN)
}

/// Output for a piece of text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    /// Additional reasoning content.
    pub reasoning: String,
    /// Additional content.
    pub content: String,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Before the content; only white space so far.
    Start,
    /// Between the tags; `begun` is true once reasoning content was found.
    Thoughts {
        begun: bool,
    },
    /// After the closing tag; only line breaks so far.
    Gap,
    Content,
}

/// Splits a completion that arrives in pieces.
#[derive(Debug)]
pub(super) struct ReasoningSplitter {
    held: String,
    state: State,
}

impl ReasoningSplitter {
    /// Creates a splitter at the start of a completion. `opened`: the prompt ends inside a reasoning block.
    pub(super) fn new(opened: bool) -> Self {
        let state = if opened { State::Thoughts { begun: false } } else { State::Start };
        Self { held: String::new(), state }
    }

    /// Adds a piece of text.
    pub(super) fn push(&mut self, piece: &str) -> Split {
        self.held.push_str(piece);
        let mut split = Split::default();
        loop {
            match self.state {
                State::Start => {
                    let text = self.held.trim_start();
                    if let Some(rest) = text.strip_prefix(OPEN) {
                        self.held = rest.to_owned();
                        self.state = State::Thoughts { begun: false };
                    } else if OPEN.starts_with(text) {
                        return split;
                    } else {
                        self.state = State::Content;
                    }
                }
                State::Thoughts { mut begun } => {
                    if !begun {
                        self.held.drain(..self.held.len() - self.held.trim_start_matches('\n').len());
                    }
                    if let Some(end) = self.held.find(CLOSE) {
                        split.reasoning.push_str(self.held[..end].trim_end_matches('\n'));
                        self.held.drain(..end + CLOSE.len());
                        self.state = State::Gap;
                        continue;
                    }
                    let certain = self.held.len() - held_back(&self.held, std::iter::once(CLOSE));
                    let certain = self.held[..certain].trim_end_matches('\n').len();
                    split.reasoning.extend(self.held.drain(..certain));
                    begun |= certain > 0;
                    self.state = State::Thoughts { begun };
                    return split;
                }
                State::Gap => {
                    self.held.drain(..self.held.len() - self.held.trim_start_matches('\n').len());
                    if self.held.is_empty() {
                        return split;
                    }
                    self.state = State::Content;
                }
                State::Content => {
                    split.content.push_str(&std::mem::take(&mut self.held));
                    return split;
                }
            }
        }
    }

    /// Ends the text and returns the buffered rest as part of the current state.
    pub(super) fn finish(&mut self) -> Split {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Thoughts { .. } => Split { reasoning: held, content: String::new() },
            _ => Split { reasoning: String::new(), content: held },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn run<'a>(opened: bool, pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
        let mut splitter = ReasoningSplitter::new(opened);
        let mut splits: Vec<Split> = pieces.into_iter().map(|piece| splitter.push(piece)).collect();
        splits.push(splitter.finish());
        let whole = |part: fn(&Split) -> &str| splits.iter().map(part).collect();
        (whole(|split| &split.reasoning), whole(|split| &split.content))
    }

    fn pair(reasoning: &str, content: &str) -> (String, String) {
        (reasoning.to_owned(), content.to_owned())
    }

    #[test]
    fn thoughts_come_first_or_not_at_all() {
        assert_eq!(run(false, ["<think>\nhm\n\nyes\n</think>\n\n a\n"]), pair("hm\n\nyes", " a\n"));
        assert_eq!(run(false, [" \n<think></think>a"]), pair("", "a"));
        assert_eq!(run(true, ["\nhm </think>a</think>"]), pair("hm ", "a</think>"));
        assert_eq!(run(false, ["a <think>b</think>"]), pair("", "a <think>b</think>"));
        assert_eq!(run(false, [" a"]), pair("", " a"));
    }

    #[test]
    fn unfinished_reasoning_is_kept() {
        assert_eq!(run(true, ["hm </thi"]), pair("hm </thi", ""));
        assert_eq!(run(true, ["hm\n"]), pair("hm\n", ""));
        assert_eq!(run(false, [" <thin"]), pair("", " <thin"));
    }

    #[test]
    fn an_open_block_is_seen_at_the_end_of_a_prompt() {
        assert!(is_open("<|im_start|>assistant\n<think>\n"));
        assert!(!is_open("<|im_start|>assistant\n<think>\n\n</think>\n\n"));
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same(
            parts in prop::collection::vec(prop::sample::select(vec!["<think>", "</think>", "<thi", "</", "\n", " ", "é", "a☃", "nk>"]), 0..12),
            cuts in prop::collection::vec(1usize..5, 0..40),
            opened in any::<bool>(),
        ) {
            let text = parts.concat();
            let pieces = crate::chat::stop::tests::pieces(&text, &cuts);
            let whole = run(opened, [text.as_str()]);
            prop_assert_eq!(run(opened, pieces.iter().map(String::as_str)), whole);
        }
    }
}
