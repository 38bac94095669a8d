//! Reads calls that are JSON.
//!
//! A call is certain as soon as its text reads `{"name": "…", "arguments": {`; from there its arguments are emitted as
//! they are generated. A call whose keys come in another order is buffered until it is complete.

use serde_json::Value;

use super::header::{self, Header, JsonScanner, WholeCall};
use super::{CallReader, Part, Step, find_opening, text};
use crate::chat::tool_formats::ToolFormatKind;

/// Position of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In content; a marker may follow.
    Outside,
    /// After the opening of a call, which is this many first bytes of the buffered text.
    Opening(usize),
    /// In the arguments of a call.
    Arguments(JsonScanner),
    /// After the arguments, before the end of the call; whether the call's bracket is still open.
    Tail { bracket: bool },
    /// After a call of a list.
    Between,
}

/// Splits a completion that arrives in pieces into content and calls.
#[derive(Debug)]
pub(super) struct JsonCalls {
    kind: ToolFormatKind,
    /// Names that a call without a marker must have, to distinguish it from a JSON completion.
    names: Vec<String>,
    held: String,
    state: State,
    called: bool,
    /// Arguments of a call that was parsed as a whole, for the delta after its first one.
    queued: Option<String>,
}

impl CallReader for JsonCalls {
    fn push(&mut self, piece: &str) -> Vec<Part> {
        self.held.push_str(piece);
        let mut parts = Vec::new();
        while matches!(self.step(&mut parts), Step::Again) {}
        parts
    }

    fn finish(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        while !matches!(self.step(&mut parts), Step::Wait) {}
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Outside | State::Opening(_) | State::Between => {
                if !(self.called && held.trim().is_empty()) {
                    text(&held, &mut parts);
                }
            }
            State::Arguments(_) => {}
            State::Tail { .. } => {
                let rest = held.trim();
                let rest = rest.strip_prefix('}').unwrap_or(rest).trim();
                if !self.kind.close().starts_with(rest) {
                    text(&held, &mut parts);
                }
                parts.push(Part::End);
            }
        }
        self.state = State::Outside;
        parts
    }
}

impl JsonCalls {
    /// Creates a reader at the start of a completion.
    pub(super) fn new(kind: ToolFormatKind, functions: &[Value]) -> Self {
        let names = functions.iter().filter_map(|function| function["name"].as_str()).map(str::to_owned).collect();
        let state = if kind == ToolFormatKind::Llama { State::Opening(0) } else { State::Outside };
        Self { kind, names, held: String::new(), state, called: false, queued: None }
    }

    fn step(&mut self, parts: &mut Vec<Part>) -> Step {
        if let Some(arguments) = self.queued.take() {
            parts.push(Part::Arguments(arguments));
        }
        match self.state {
            State::Outside => self.outside(parts),
            State::Opening(skip) => self.opening(skip, parts),
            State::Arguments(mut scanner) => {
                let end = scanner.advance(&self.held);
                let arguments: String = self.held.drain(..end.unwrap_or(self.held.len())).collect();
                if !arguments.is_empty() {
                    parts.push(Part::Arguments(arguments));
                }
                self.state = if end.is_some() { State::Tail { bracket: true } } else { State::Arguments(scanner) };
                if end.is_some() { Step::Again } else { Step::Wait }
            }
            State::Tail { bracket } => self.tail(bracket, parts),
            State::Between => self.between(),
        }
    }

    fn outside(&mut self, parts: &mut Vec<Part>) -> Step {
        let Some(opening) = find_opening(&mut self.held, self.kind.open(), parts) else { return Step::Wait };
        self.state = State::Opening(opening);
        Step::Again
    }

    fn opening(&mut self, skip: usize, parts: &mut Vec<Part>) -> Step {
        let mut object = self.held[skip..].trim_start();
        if self.kind == ToolFormatKind::Mistral && !self.called {
            object = object.strip_prefix('[').unwrap_or(object).trim_start();
        }
        let at = self.held.len() - object.len();
        let bare = at == self.held.len() - self.held.trim_start().len();
        let known = |name: &str| !bare || self.names.iter().any(|known| known == name);
        match header::read(object) {
            Header::Incomplete => Step::Wait,
            Header::Call { name, arguments } if known(&name) => {
                self.held.drain(..at + arguments);
                self.state = State::Arguments(JsonScanner::default());
                self.begin(name, parts)
            }
            Header::Whole => {
                let Some(end) = JsonScanner::default().advance(object) else {
                    let closed = !self.kind.close().is_empty() && object.contains(self.kind.close());
                    return if closed { self.no_call(skip, parts) } else { Step::Wait };
                };
                match header::parse(&object[..end]) {
                    Some(WholeCall { name, arguments }) if known(&name) => {
                        self.held.drain(..at + end);
                        self.state = State::Tail { bracket: false };
                        self.queued = Some(arguments);
                        self.begin(name, parts)
                    }
                    _ => self.no_call(skip, parts),
                }
            }
            Header::Call { .. } | Header::NoCall => self.no_call(skip, parts),
        }
    }

    fn begin(&mut self, name: String, parts: &mut Vec<Part>) -> Step {
        self.called = true;
        parts.push(Part::Call(name));
        Step::Begun
    }

    /// Treats the opening of a call as content.
    fn no_call(&mut self, skip: usize, parts: &mut Vec<Part>) -> Step {
        text(&self.held[..skip], parts);
        self.held.drain(..skip);
        self.state = State::Outside;
        Step::Again
    }

    fn tail(&mut self, bracket: bool, parts: &mut Vec<Part>) -> Step {
        let close = self.kind.close();
        let end = if !close.is_empty() {
            self.held.find(close)
        } else if bracket {
            JsonScanner::inside().advance(&self.held)
        } else {
            Some(0)
        };
        let Some(end) = end else { return Step::Wait };
        let tail = &self.held[..end];
        if !header::is_end_of_call(tail, bracket) {
            text(tail, parts);
        }
        self.held.drain(..end + close.len());
        parts.push(Part::End);
        self.state = if close.is_empty() { State::Between } else { State::Outside };
        Step::Again
    }

    fn between(&mut self) -> Step {
        let rest = self.held.trim_start();
        let skip = self.held.len() - rest.len() + 1;
        self.state = match (self.kind, rest.chars().next()) {
            (_, None) => return Step::Wait,
            (ToolFormatKind::Llama, Some(';')) | (ToolFormatKind::Mistral, Some(',')) => State::Opening(skip),
            (ToolFormatKind::Mistral, Some(']')) => {
                self.held.drain(..skip);
                State::Outside
            }
            _ => State::Outside,
        };
        Step::Again
    }
}
