//! Reads calls whose arguments are names and values of another notation than JSON, and writes them as JSON.
//!
//! A call is certain with its name. A text in tags is emitted as it is generated; any other value once it is complete.
//! Arguments that are not in the format's notation end the call, and the rest is content.

use serde_json::Value;

use super::literals::{self, Unread};
use super::parameters::Parameter;
use super::{CallReader, Part, Step, find_opening, text};
use crate::chat::stop::held_back;
use crate::chat::tool_formats::{Literals, Notation, ToolFormatKind};

const FUNCTION: &str = "<function=";
const END_OF_FUNCTION: &str = "</function>";
const PARAMETER: &str = "<parameter=";
/// End of a parameter, with the line break of the template or without.
const ENDS_OF_PARAMETER: [&str; 2] = ["\n</parameter>", "</parameter>"];
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 1024;

/// Position of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In content; a marker may follow.
    Outside,
    /// After the opening of a call, which is this many first bytes of the buffered text.
    Opening(usize),
    /// Between the members of a call.
    Members,
    /// At the start of a parameter's value; whether the value is text.
    Value { is_text: bool },
    /// In a parameter's value.
    Inside { is_text: bool },
    /// After the arguments, before the marker that closes a call.
    Tail,
    /// After a call of a list.
    Between,
    /// After the last call of a list.
    AfterList,
}

/// Splits a completion that arrives in pieces into content and calls.
pub(super) struct MemberCalls {
    kind: ToolFormatKind,
    /// `None` if parameters are in tags.
    literals: Option<Literals>,
    functions: Vec<Value>,
    held: String,
    state: State,
    called: bool,
    /// Index of the call's function, if it is known.
    function: Option<usize>,
    /// Whether the call has a member.
    has_member: bool,
    /// Name of the parameter whose value comes next, if the value is not text.
    name: String,
}

impl CallReader for MemberCalls {
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
        let is_cut_off = self.kind.close().starts_with(held.trim());
        match self.state {
            State::Outside | State::Opening(_) | State::Between => {
                if !(self.called && held.trim().is_empty()) {
                    text(&held, &mut parts);
                }
            }
            State::Inside { is_text: true } => arguments(escaped(&held), &mut parts),
            State::Members | State::Value { .. } | State::Inside { .. } => {}
            State::Tail => {
                if !is_cut_off {
                    text(&held, &mut parts);
                }
                parts.push(Part::End);
            }
            State::AfterList => {
                if !is_cut_off {
                    text(&held, &mut parts);
                }
            }
        }
        self.state = State::Outside;
        parts
    }
}

impl MemberCalls {
    /// Creates a reader at the start of a completion.
    pub(super) fn new(kind: ToolFormatKind, functions: &[Value]) -> Self {
        let literals = match kind.notation() {
            Notation::Literals(literals) => Some(literals),
            Notation::Parameters | Notation::Json => None,
        };
        Self {
            kind,
            literals,
            functions: functions.to_vec(),
            held: String::new(),
            state: State::Outside,
            called: false,
            function: None,
            has_member: false,
            name: String::new(),
        }
    }

    fn step(&mut self, parts: &mut Vec<Part>) -> Step {
        match self.state {
            State::Outside => {
                let Some(opening) = find_opening(&mut self.held, self.kind.open(), parts) else { return Step::Wait };
                self.state = State::Opening(opening);
                Step::Again
            }
            State::Opening(skip) => self.opening(skip, parts),
            State::Members => match self.literals {
                Some(literals) => self.member(literals, parts),
                None => self.parameter(parts),
            },
            State::Value { is_text } => {
                if self.held.is_empty() {
                    return Step::Wait;
                }
                // The template's, also where the value is empty.
                if self.held.starts_with('\n') {
                    self.held.drain(..1);
                }
                self.state = State::Inside { is_text };
                Step::Again
            }
            State::Inside { is_text } => self.value(is_text, parts),
            State::Tail => {
                let close = self.kind.close();
                let Some(end) = self.held.find(close) else { return Step::Wait };
                text(self.held[..end].trim(), parts);
                self.held.drain(..end + close.len());
                parts.push(Part::End);
                self.state = State::Outside;
                Step::Again
            }
            State::Between => self.between(),
            State::AfterList => {
                let (rest, close) = (self.held.trim_start(), self.kind.close());
                if close.starts_with(rest) && rest.len() < close.len() {
                    return Step::Wait;
                }
                if rest.starts_with(close) {
                    self.held.drain(..self.held.len() - rest.len() + close.len());
                }
                self.state = State::Outside;
                Step::Again
            }
        }
    }

    fn opening(&mut self, skip: usize, parts: &mut Vec<Part>) -> Step {
        let call = self.held[skip..].trim_start();
        match self.header(call) {
            Ok((name, length)) => {
                let name = name.to_owned();
                let end = self.held.len() - call.len() + length;
                self.held.drain(..end);
                self.function = self.functions.iter().position(|function| function["name"] == name.as_str());
                (self.state, self.called, self.has_member) = (State::Members, true, false);
                parts.push(Part::Call(name));
                Step::Begun
            }
            Err(Unread::Incomplete) => Step::Wait,
            Err(Unread::Invalid) => {
                // The opening of a call is content.
                text(&self.held[..skip], parts);
                self.held.drain(..skip);
                self.state = State::Outside;
                Step::Again
            }
        }
    }

    /// Returns the name of the function, and the length of the text before its first member.
    fn header<'a>(&self, call: &'a str) -> Result<(&'a str, usize), Unread> {
        let (prefix, end) = match self.literals {
            None => (FUNCTION, '>'),
            Some(Literals { list: None, call, .. }) => ("call:", call[0]),
            Some(Literals { call, .. }) => ("", call[0]),
        };
        let mut rest = call;
        if let Some(list) = self.literals.and_then(|literals| literals.list) {
            rest = rest.strip_prefix(list[0]).unwrap_or(rest).trim_start();
        }
        if rest.len() < prefix.len() && prefix.starts_with(rest) {
            return Err(Unread::Incomplete);
        }
        let rest = rest.strip_prefix(prefix).ok_or(Unread::Invalid)?;
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let Some(length) = rest.find(|c: char| !is_name(c)) else {
            return Err(if rest.len() <= MAX_NAME { Unread::Incomplete } else { Unread::Invalid });
        };
        if length == 0 || length > MAX_NAME || !rest[length..].starts_with(end) {
            return Err(Unread::Invalid);
        }
        Ok((&rest[..length], call.len() - rest.len() + length + end.len_utf8()))
    }

    /// Emits the text before a member's value. `name` is JSON.
    fn begin(&mut self, name: &str, parts: &mut Vec<Part>) {
        let separator = if self.has_member { ", " } else { "{" };
        arguments(format!("{separator}{name}: "), parts);
        self.has_member = true;
    }

    /// Emits the end of the arguments.
    fn end(&mut self, parts: &mut Vec<Part>) {
        arguments(if self.has_member { "}" } else { "{}" }.to_owned(), parts);
    }

    /// Ends a call whose arguments are not in the format's notation.
    fn abandon(&mut self, parts: &mut Vec<Part>) -> Step {
        self.end(parts);
        parts.push(Part::End);
        self.state = State::Outside;
        Step::Again
    }

    /// Reads the start of a parameter, or the end of the call.
    fn parameter(&mut self, parts: &mut Vec<Part>) -> Step {
        let rest = self.held.trim_start();
        let at = self.held.len() - rest.len();
        if let Some(named) = rest.strip_prefix(PARAMETER) {
            let Some(end) = named.find(['>', '\n']) else {
                return if named.len() <= MAX_NAME { Step::Wait } else { self.abandon(parts) };
            };
            if !named[end..].starts_with('>') {
                return self.abandon(parts);
            }
            let name = named[..end].to_owned();
            self.held.drain(..at + PARAMETER.len() + end + 1);
            let schema = self.function.map_or(&Value::Null, |function| &self.functions[function]["parameters"]);
            let is_text = Parameter::of(schema, &name).is_text();
            self.begin(&Value::from(name.as_str()).to_string(), parts);
            if is_text {
                arguments("\"".to_owned(), parts);
            } else {
                self.name = name;
            }
            self.state = State::Value { is_text };
            return Step::Again;
        }
        let ends = [END_OF_FUNCTION, self.kind.close()];
        if let Some(end) = ends.iter().find(|end| rest.starts_with(**end)) {
            let end = if *end == END_OF_FUNCTION { at + end.len() } else { at };
            self.held.drain(..end);
            self.end(parts);
            self.state = State::Tail;
            return Step::Again;
        }
        match [PARAMETER, END_OF_FUNCTION, self.kind.close()].iter().any(|begun| begun.starts_with(rest)) {
            true => Step::Wait,
            false => self.abandon(parts),
        }
    }

    /// Reads a parameter's value.
    fn value(&mut self, is_text: bool, parts: &mut Vec<Part>) -> Step {
        let end = self.held.find(ENDS_OF_PARAMETER[1]);
        let Some(end) = end else {
            if is_text {
                let certain = self.held.len() - held_back(&self.held, ENDS_OF_PARAMETER.into_iter());
                let certain: String = self.held.drain(..certain).collect();
                arguments(escaped(&certain), parts);
            }
            return Step::Wait;
        };
        let value = self.held[..end].strip_suffix('\n').unwrap_or(&self.held[..end]);
        if is_text {
            arguments(escaped(value) + "\"", parts);
        } else {
            let schema = self.function.map_or(&Value::Null, |function| &self.functions[function]["parameters"]);
            arguments(Parameter::of(schema, &self.name).json(value), parts);
        }
        self.held.drain(..end + ENDS_OF_PARAMETER[1].len());
        self.state = State::Members;
        Step::Again
    }

    /// Reads a name and a literal, or the end of the call.
    fn member(&mut self, literals: Literals, parts: &mut Vec<Part>) -> Step {
        let rest = self.held.trim_start();
        let mut at = self.held.len() - rest.len();
        let Some(next) = rest.chars().next() else { return Step::Wait };
        if next == literals.call[1] {
            self.held.drain(..at + next.len_utf8());
            self.end(parts);
            self.state = State::Tail;
            if literals.list.is_some() {
                parts.push(Part::End);
                self.state = State::Between;
            }
            return Step::Again;
        }
        if self.has_member {
            if next != ',' {
                return self.abandon(parts);
            }
            at += 1;
        }
        match literals::member(&self.held[at..], literals) {
            Ok(([name, value], length)) => {
                self.held.drain(..at + length);
                self.begin(&name, parts);
                arguments(value, parts);
                Step::Again
            }
            Err(Unread::Incomplete) => Step::Wait,
            Err(Unread::Invalid) => self.abandon(parts),
        }
    }

    fn between(&mut self) -> Step {
        let rest = self.held.trim_start();
        let skip = self.held.len() - rest.len() + 1;
        self.state = match rest.chars().next() {
            None => return Step::Wait,
            Some(',') => State::Opening(skip),
            Some(']') => {
                self.held.drain(..skip);
                State::AfterList
            }
            Some(_) => State::Outside,
        };
        Step::Again
    }
}

/// Emits text of the arguments, unless it is empty.
fn arguments(text: String, parts: &mut Vec<Part>) {
    if !text.is_empty() {
        parts.push(Part::Arguments(text));
    }
}

/// Returns text as it is between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}
