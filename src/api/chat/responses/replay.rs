//! The events of a response again: each is determined by the response and its size, so only the sizes are kept.

use serde::{Deserialize, Serialize};

use super::memory::item_id;
use crate::generated::types::{
    ResponseEvent, ResponseEventType as Event, ResponseItemStatus, ResponseObject, ResponseOutputItem as Item,
    ResponseOutputPart, ResponseStatus,
};

/// What is kept of an event: its type, the bytes of its text, and the number of its log-probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step(Event, u32, u32);

impl Step {
    /// Keeps an event.
    pub(super) fn of(event: &ResponseEvent) -> Self {
        let text = event.delta.as_ref().map_or(0, String::len);
        let logprobs = event.logprobs.as_ref().map_or(0, Vec::len);
        Self(event.type_, text as u32, logprobs as u32)
    }

    /// Returns the type of the event.
    pub(super) fn type_(&self) -> Event {
        self.0
    }
}

/// Returns an event without fields of its type.
pub(super) fn bare_event(type_: Event, sequence_number: u64) -> ResponseEvent {
    ResponseEvent {
        type_,
        sequence_number,
        arguments: None,
        content_index: None,
        delta: None,
        input: None,
        item: None,
        item_id: None,
        logprobs: None,
        name: None,
        output_index: None,
        part: None,
        response: None,
        text: None,
    }
}

/// A position in the events of a response.
#[derive(Debug, Default)]
pub(super) struct Replay {
    /// Number of the next event.
    next: usize,
    /// Number of items that have begun.
    begun: usize,
    /// Number of items that have ended.
    ended: usize,
    /// Bytes of the text of the item that is written.
    text: usize,
    /// Log-probabilities of the item that is written.
    logprobs: usize,
}

impl Replay {
    /// Returns the number of the next event.
    pub(super) fn position(&self) -> usize {
        self.next
    }

    /// Returns the next event; `None` if there is none yet. The response may be one that is still written: it has the text of every
    /// step.
    pub(super) fn next(&mut self, steps: &[Step], response: &ResponseObject) -> Option<ResponseEvent> {
        let Step(type_, text, logprobs) = steps.get(self.next)?.clone();
        let mut event = bare_event(type_, self.next as u64);
        self.next += 1;
        match type_ {
            Event::ResponseCreated | Event::ResponseInProgress => {
                event.response = Some(self.unfinished(response));
                return Some(event);
            }
            Event::ResponseCompleted | Event::ResponseIncomplete | Event::ResponseFailed => {
                event.response = Some(response.clone());
                return Some(event);
            }
            Event::ResponseOutputItemAdded => {
                self.begun += 1;
                (self.text, self.logprobs) = (0, 0);
            }
            _ => {}
        }
        let index = self.begun.checked_sub(1)?;
        let item = response.output.get(index)?;
        event.output_index = Some(index as u32);
        if !matches!(type_, Event::ResponseOutputItemAdded | Event::ResponseOutputItemDone) {
            event.item_id = Some(item_id(item).clone());
        }
        match type_ {
            Event::ResponseOutputItemAdded => event.item = Some(begun(item)),
            Event::ResponseOutputItemDone => {
                self.ended = self.begun;
                event.item = Some(item.clone());
            }
            Event::ResponseContentPartAdded | Event::ResponseContentPartDone => {
                event.content_index = Some(0);
                event.part = part(item, type_ == Event::ResponseContentPartDone);
            }
            Event::ResponseOutputTextDelta | Event::ResponseReasoningTextDelta => {
                event.content_index = Some(0);
                let (first, last) = (self.text, self.text + text as usize);
                event.delta = written(item).get(first..last).map(str::to_owned);
                self.text = last;
                if let (Item::ResponseMessage(message), Event::ResponseOutputTextDelta) = (item, type_) {
                    let all = message.content.first().map_or(&[][..], |part| &part.logprobs);
                    let last = (self.logprobs + logprobs as usize).min(all.len());
                    event.logprobs = Some(all.get(self.logprobs..last).unwrap_or_default().to_vec());
                    self.logprobs = last;
                }
            }
            Event::ResponseOutputTextDone | Event::ResponseReasoningTextDone => {
                event.content_index = Some(0);
                event.text = Some(written(item).to_owned());
                if let Item::ResponseMessage(message) = item {
                    event.logprobs = message.content.first().map(|part| part.logprobs.clone());
                }
            }
            Event::ResponseFunctionCallArgumentsDelta | Event::ResponseCustomToolCallInputDelta => {
                let (first, last) = (self.text, self.text + text as usize);
                event.delta = written(item).get(first..last).map(str::to_owned);
                self.text = last;
            }
            Event::ResponseFunctionCallArgumentsDone => {
                event.arguments = Some(written(item).to_owned());
                event.name = match item {
                    Item::ResponseFunctionCall(call) => Some(call.name.clone()),
                    _ => None,
                };
            }
            Event::ResponseCustomToolCallInputDone => event.input = Some(written(item).to_owned()),
            Event::ResponseCreated
            | Event::ResponseInProgress
            | Event::ResponseCompleted
            | Event::ResponseIncomplete
            | Event::ResponseFailed => {}
        }
        Some(event)
    }

    /// Returns the response with the items that have ended by now.
    fn unfinished(&self, response: &ResponseObject) -> ResponseObject {
        ResponseObject {
            status: ResponseStatus::InProgress,
            completed_at: None,
            error: None,
            incomplete_details: None,
            usage: None,
            token_generations: None,
            output: response.output.iter().take(self.ended).cloned().collect(),
            ..response.clone()
        }
    }
}

/// Returns the text of an item.
fn written(item: &Item) -> &str {
    match item {
        Item::ResponseMessage(message) => message.content.first().map_or("", |part| &part.text),
        Item::ResponseThoughts(thoughts) => thoughts.content.first().map_or("", |part| &part.text),
        Item::ResponseFunctionCall(call) => &call.arguments,
        Item::ResponseCustomToolCall(call) => &call.input,
    }
}

/// Returns an item as it began.
fn begun(item: &Item) -> Item {
    let mut item = item.clone();
    let status = ResponseItemStatus::InProgress;
    match &mut item {
        Item::ResponseMessage(message) => (message.status, message.content) = (status, Vec::new()),
        Item::ResponseThoughts(thoughts) => (thoughts.status, thoughts.content) = (status, Vec::new()),
        Item::ResponseFunctionCall(call) => (call.status, call.arguments) = (status, String::new()),
        Item::ResponseCustomToolCall(call) => (call.status, call.input) = (status, String::new()),
    }
    item
}

/// Returns the part of an item, whole or as it began.
fn part(item: &Item, is_whole: bool) -> Option<ResponseOutputPart> {
    match item {
        Item::ResponseMessage(message) => {
            let mut part = message.content.first()?.clone();
            if !is_whole {
                part.text.clear();
                part.logprobs.clear();
            }
            Some(part.into())
        }
        Item::ResponseThoughts(thoughts) => {
            let mut part = thoughts.content.first()?.clone();
            if !is_whole {
                part.text.clear();
            }
            Some(part.into())
        }
        Item::ResponseFunctionCall(_) | Item::ResponseCustomToolCall(_) => None,
    }
}
