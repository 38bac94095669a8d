//! Separates the reasoning content of a completion from its content.
//!
//! A reasoning model writes `<think>…</think>` or `<|channel>thought…<channel|>` before the content; some prompts already open the
//! block. Line breaks next to the tags belong to neither part: templates add and strip them. [`channels`](super::channels) has the
//! format in which every part of a completion is a message of its own.

use super::channels;
use super::stop::held_back;
use crate::text::{ChatTemplate, Tokenizer};

/// Tags around reasoning content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tags {
    open: &'static str,
    close: &'static str,
    /// Tokens of the tags that may be control tokens.
    pub(super) markers: [&'static str; 2],
}

const THINK: Tags = Tags { open: "<think>", close: "</think>", markers: ["<think>", "</think>"] };
/// Tags of Gemma 4.
const THOUGHT: Tags = Tags { open: "<|channel>thought", close: "<channel|>", markers: ["<|channel>", "<channel|>"] };

/// Form in which completions have reasoning content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReasoningStyle {
    /// Between tags.
    Tags(&'static Tags),
    /// In messages of a channel.
    Channels,
}

/// Reasoning content that a completion may contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReasoningForm {
    /// Between tags at the start; `opened` if the prompt has opened the block.
    Tags { tags: &'static Tags, opened: bool },
    /// In messages of a channel. The prompt has the beginning of the first one's header.
    Channels { header: String },
}

impl ReasoningStyle {
    /// Returns the style of a model: its template mentions the tags, or its vocabulary has a token for each marker. `None` if its
    /// completions have no reasoning content.
    pub(crate) fn of(template: &ChatTemplate, tokenizer: &Tokenizer) -> Option<Self> {
        let has = |markers: &[&str]| markers.iter().all(|marker| tokenizer.token_to_id(marker).is_some());
        if has(&channels::MARKERS[..2]) {
            return Some(Self::Channels);
        }
        let tags = [&THOUGHT, &THINK].into_iter().find(|tags| has(&tags.markers));
        tags.or_else(|| template.mentions_think_tags().then_some(&THINK)).map(Self::Tags)
    }

    /// Returns what begins reasoning content.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tags(tags) => tags.open,
            Self::Channels => "channel analysis",
        }
    }
}

impl ReasoningForm {
    /// Returns the form of a completion after a prompt; `None` if it has no reasoning content.
    pub(super) fn after(style: Option<ReasoningStyle>, prompt: &str) -> Option<Self> {
        match style {
            Some(ReasoningStyle::Channels) => Some(Self::Channels { header: channels::header_of(prompt).to_owned() }),
            Some(ReasoningStyle::Tags(tags)) => Some(Self::Tags { tags, opened: is_open(tags, prompt) }),
            // The prompt may open a block that no template mentions.
            None => is_open(&THINK, prompt).then_some(Self::Tags { tags: &THINK, opened: true }),
        }
    }
}

/// Returns whether a prompt ends inside a reasoning block, so that the completion begins there.
fn is_open(tags: &Tags, prompt: &str) -> bool {
    prompt.trim_end().ends_with(tags.open)
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
    tags: &'static Tags,
    held: String,
    state: State,
}

impl ReasoningSplitter {
    /// Creates a splitter at the start of a completion. `opened`: the prompt ends inside a reasoning block.
    pub(super) fn new(tags: &'static Tags, opened: bool) -> Self {
        let state = if opened { State::Thoughts { begun: false } } else { State::Start };
        Self { tags, held: String::new(), state }
    }

    /// Adds a piece of text.
    pub(super) fn push(&mut self, piece: &str) -> Split {
        self.held.push_str(piece);
        let Tags { open, close, .. } = *self.tags;
        let mut split = Split::default();
        loop {
            match self.state {
                State::Start => {
                    let text = self.held.trim_start();
                    if let Some(rest) = text.strip_prefix(open) {
                        self.held = rest.to_owned();
                        self.state = State::Thoughts { begun: false };
                    } else if open.starts_with(text) {
                        return split;
                    } else {
                        self.state = State::Content;
                    }
                }
                State::Thoughts { mut begun } => {
                    if !begun {
                        self.held.drain(..self.held.len() - self.held.trim_start_matches('\n').len());
                    }
                    if let Some(end) = self.held.find(close) {
                        split.reasoning.push_str(self.held[..end].trim_end_matches('\n'));
                        self.held.drain(..end + close.len());
                        self.state = State::Gap;
                        continue;
                    }
                    let certain = self.held.len() - held_back(&self.held, std::iter::once(close));
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
        run_with(&THINK, opened, pieces)
    }

    fn run_with<'a>(tags: &'static Tags, opened: bool, pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
        let mut splitter = ReasoningSplitter::new(tags, opened);
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
        assert!(is_open(&THINK, "<|im_start|>assistant\n<think>\n"));
        assert!(!is_open(&THINK, "<|im_start|>assistant\n<think>\n\n</think>\n\n"));
        assert!(is_open(&THOUGHT, "<|turn>model\n<|channel>thought\n"));
        assert!(!is_open(&THOUGHT, "<|turn>model\n<|channel>thought\n<channel|>"));
    }

    #[test]
    fn a_block_may_have_other_tags() {
        let whole = "<|channel>thought\nhm\n<channel|>a <channel|>";
        assert_eq!(run_with(&THOUGHT, false, [whole]), pair("hm", "a <channel|>"));
        assert_eq!(run_with(&THOUGHT, false, ["<|chan", "nel>though", "t\n<chan", "nel|>", "a"]), pair("", "a"));
        assert_eq!(run_with(&THOUGHT, true, ["hm\n<channel|>\na"]), pair("hm", "a"));
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
