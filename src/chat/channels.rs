//! Reads completions of which every part is a message with a header, as those of gpt-oss: `<|channel|>analysis<|message|>…<|end|>`.
//!
//! | header | part |
//! |---|---|
//! | channel `analysis` | reasoning content |
//! | `to=functions.f`, in any channel | arguments of a call |
//! | any other | content |
//!
//! A completion begins behind `<|start|>assistant`, which the prompt has, and each further message has its own. Text without a header,
//! as a grammar forces it, is content. Parts of one kind from several messages have a line break between them.

use super::stop::held_back;
use super::tools::Part;

/// Markers of the format: of the channel, of the end of a header, of the type of a message's content, and of the start and the ends of
/// messages.
pub(super) const MARKERS: [&str; 7] = [CHANNEL, MESSAGE, "<|constrain|>", START, "<|end|>", "<|call|>", "<|return|>"];
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const START: &str = "<|start|>";
/// Markers that end a message. One of the next message may be missing.
const ENDS: [&str; 5] = ["<|end|>", "<|call|>", "<|return|>", START, CHANNEL];
/// Beginnings of a header behind the role.
const HEADERS: [&str; 3] = [CHANNEL, "to=", START];
/// Recipient of a call, before the name of the function.
const RECIPIENT: &str = "to=functions.";

/// Returns the beginning of the header that a prompt leaves to the completion, and the whole one if the completion continues a message.
pub(super) fn header_of(prompt: &str) -> &str {
    let last = prompt.rfind(START).map_or("", |at| &prompt[at + START.len()..]);
    let last = last.strip_prefix("assistant").unwrap_or(last);
    last.find(MESSAGE).map_or(last, |at| &last[..at + MESSAGE.len()])
}

/// Output for a piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChannelPart {
    /// Reasoning content.
    Reasoning(String),
    /// Content or a call.
    Other(Part),
}

/// Kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    Reasoning,
    Content,
    /// Arguments of a call, and whether there are any yet.
    Call {
        begun: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In a header, or before one; whether `<|start|>` came before.
    Header {
        started: bool,
    },
    Body(Body),
}

/// Splits a completion that arrives in pieces into reasoning content, content and calls.
#[derive(Debug)]
pub(super) struct ChannelReader {
    /// Whether the completion may call functions.
    calls: bool,
    held: String,
    state: State,
    /// Whether there was reasoning content, and content.
    has: [bool; 2],
    /// Whether a line break comes before the next text of the message.
    breaks: bool,
}

impl ChannelReader {
    /// Creates a reader at the start of a completion, after the beginning of a header.
    pub(super) fn new(header: &str, calls: bool) -> Self {
        let state = State::Header { started: false };
        Self { calls, held: header.to_owned(), state, has: [false; 2], breaks: false }
    }

    /// Adds a piece of text. After the beginning of a call, the rest of the piece stays buffered until the next one, so
    /// that a call's first delta has no arguments.
    pub(super) fn push(&mut self, piece: &str) -> Vec<ChannelPart> {
        self.held.push_str(piece);
        let mut parts = Vec::new();
        while self.step(&mut parts) {
            if matches!(parts.last(), Some(ChannelPart::Other(Part::Call(_)))) {
                break;
            }
        }
        parts
    }

    /// Ends the text. A header that is not complete is dropped.
    pub(super) fn finish(&mut self) -> Vec<ChannelPart> {
        let mut parts = Vec::new();
        while self.step(&mut parts) {}
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Body(body) => {
                self.emit(body, held, &mut parts);
                self.end(body, &mut parts);
            }
            State::Header { started: false } if !HEADERS.iter().any(|header| held.trim_start().starts_with(header)) => {
                let body = self.body(Body::Content);
                self.emit(body, held, &mut parts);
            }
            State::Header { .. } => {}
        }
        self.state = State::Header { started: false };
        parts
    }

    /// Returns whether another step may follow.
    fn step(&mut self, parts: &mut Vec<ChannelPart>) -> bool {
        match self.state {
            State::Header { started } => self.header(started, parts),
            State::Body(body) => {
                let end = ENDS.iter().filter_map(|end| Some((self.held.find(end)?, *end))).min();
                let certain = match end {
                    Some((at, _)) => at,
                    None => self.held.len() - held_back(&self.held, ENDS.into_iter()),
                };
                let text: String = self.held.drain(..certain).collect();
                let body = self.emit(body, text, parts);
                self.state = State::Body(body);
                let Some((_, end)) = end else { return false };
                self.end(body, parts);
                if end != CHANNEL {
                    self.held.drain(..end.len());
                }
                self.state = State::Header { started: end == START };
                true
            }
        }
    }

    fn header(&mut self, started: bool, parts: &mut Vec<ChannelPart>) -> bool {
        let text = self.held.trim_start();
        if !started && !HEADERS.iter().any(|header| text.starts_with(header) || header.starts_with(text)) {
            self.state = State::Body(self.body(Body::Content));
            return true;
        }
        let Some(end) = self.held.find(MESSAGE) else { return false };
        let header = &self.held[..end];
        let word = |after: &str| {
            let from = header.rfind(after)? + after.len();
            header[from..].split(|c: char| c.is_whitespace() || c == '<').next()
        };
        let called = word(RECIPIENT).filter(|name| self.calls && !name.is_empty()).map(str::to_owned);
        let is_reasoning = word(CHANNEL) == Some("analysis");
        self.held.drain(..end + MESSAGE.len());
        self.state = State::Body(match called {
            Some(name) => {
                parts.push(ChannelPart::Other(Part::Call(name)));
                Body::Call { begun: false }
            }
            None => self.body(if is_reasoning { Body::Reasoning } else { Body::Content }),
        });
        true
    }

    /// Begins a message that is no call.
    fn body(&mut self, body: Body) -> Body {
        self.breaks = self.has[usize::from(body == Body::Content)];
        body
    }

    /// Emits text of a message, unless it is empty.
    fn emit(&mut self, body: Body, text: String, parts: &mut Vec<ChannelPart>) -> Body {
        if text.is_empty() {
            return body;
        }
        let broken = |text: String, breaks: &mut bool| if std::mem::take(breaks) { format!("\n{text}") } else { text };
        parts.push(match body {
            Body::Reasoning => ChannelPart::Reasoning(broken(text, &mut self.breaks)),
            Body::Content => ChannelPart::Other(Part::Text(broken(text, &mut self.breaks))),
            Body::Call { .. } => ChannelPart::Other(Part::Arguments(text)),
        });
        match body {
            Body::Call { .. } => return Body::Call { begun: true },
            _ => self.has[usize::from(body == Body::Content)] = true,
        }
        body
    }

    /// Emits the end of a message.
    fn end(&mut self, body: Body, parts: &mut Vec<ChannelPart>) {
        if let Body::Call { begun } = body {
            if !begun {
                parts.push(ChannelPart::Other(Part::Arguments("{}".to_owned())));
            }
            parts.push(ChannelPart::Other(Part::End));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chat::stop::tests::pieces;

    /// Returns reasoning content, content, and calls as names and arguments.
    fn run<'a>(header: &str, given: impl IntoIterator<Item = &'a str>) -> (String, String, Vec<(String, String)>) {
        let mut reader = ChannelReader::new(header, true);
        let (mut reasoning, mut content, mut calls) = (String::new(), String::new(), Vec::<(String, String)>::new());
        let mut parts: Vec<ChannelPart> = Vec::new();
        for piece in given {
            let more = reader.push(piece);
            let begins = more.iter().position(|part| matches!(part, ChannelPart::Other(Part::Call(_))));
            assert!(begins.is_none_or(|at| at + 1 == more.len()), "arguments beside a beginning");
            parts.extend(more);
        }
        parts.extend(reader.finish());
        for part in parts {
            match part {
                ChannelPart::Reasoning(text) => reasoning += &text,
                ChannelPart::Other(Part::Text(text)) => content += &text,
                ChannelPart::Other(Part::Call(name)) => calls.push((name, String::new())),
                ChannelPart::Other(Part::Arguments(text)) => calls.last_mut().unwrap().1 += &text,
                ChannelPart::Other(Part::End) => {}
            }
        }
        (reasoning, content, calls)
    }

    fn expected(reasoning: &str, content: &str, calls: &[(&str, &str)]) -> (String, String, Vec<(String, String)>) {
        let calls = calls.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned()));
        (reasoning.to_owned(), content.to_owned(), calls.collect())
    }

    const WHOLE: &str = "<|channel|>analysis<|message|>hm\n<|end|><|start|>assistant<|channel|>commentary<|message|>I look. \
        <|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\": \"é\"}<|call|>";

    #[test]
    fn parts_are_those_of_the_channels() {
        assert_eq!(run("", [WHOLE]), expected("hm\n", "I look. ", &[("f", "{\"a\": \"é\"}")]));
        for (text, found) in [
            ("<|channel|>final<|message|>a<|return|>", expected("", "a", &[])),
            (" to=functions.g<|channel|>commentary json<|message|>{}", expected("", "", &[("g", "{}")])),
            ("<|channel|>commentary to=functions.g<|message|><|call|>", expected("", "", &[("g", "{}")])),
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b",
                expected("a\nb", "", &[]),
            ),
            // The end of a message, or the start of the next one, is missing.
            ("<|channel|>analysis<|message|>a<|channel|>final<|message|>b", expected("a", "b", &[])),
            ("<|channel|>analysis<|message|>a<|start|>assistant<|channel|>final<|message|>b", expected("a", "b", &[])),
            ("<|channel|>analysis to=python<|message|>1<|call|>", expected("1", "", &[])),
            ("<|channel|>fin", expected("", "", &[])),
            ("{\"a\": 1}", expected("", "{\"a\": 1}", &[])),
            ("to be", expected("", "to be", &[])),
            ("t", expected("", "t", &[])),
        ] {
            assert_eq!(run("", [text]), found, "{text}");
        }
    }

    #[test]
    fn a_prompt_has_the_beginning_of_the_header() {
        let start = "<|start|>user<|message|>x<|end|><|start|>assistant";
        assert_eq!(header_of(start), "");
        assert_eq!(header_of(""), "");
        let open = format!("{start}<|channel|>final<|message|>Once upon");
        assert_eq!(header_of(&open), "<|channel|>final<|message|>");
        assert_eq!(run(header_of(&open), [" a time"]), expected("", " a time", &[]));
        assert_eq!(run("<|channel|>analysis", ["<|message|>hm"]), expected("hm", "", &[]));
    }

    #[test]
    fn without_functions_a_call_is_content() {
        let mut reader = ChannelReader::new("", false);
        let parts = reader.push("<|channel|>commentary to=functions.f<|message|>{}");
        assert_eq!(parts, [ChannelPart::Other(Part::Text("{}".to_owned()))]);
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same(cuts in prop::collection::vec(1usize..9, 0..80), from in 0usize..40) {
            let text = &WHOLE[from..];
            prop_assert_eq!(run("", pieces(text, &cuts).iter().map(String::as_str)), run("", [text]));
        }
    }
}
