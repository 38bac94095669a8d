//! Assembles a response from items during sampling.

use std::sync::Arc;

use super::super::{now, wire};
use super::memory::item_id;
use super::replay::bare_event;
use super::tools::{ToolNames, custom_input};
use crate::chat::{ChatDelta, ChatFinish, ToolCallStart};
use crate::generated::types::{
    AssistantRole, ResponseCustomToolCall, ResponseCustomToolCallType, ResponseError, ResponseEvent,
    ResponseEventType as Event, ResponseFunctionCall, ResponseFunctionCallType, ResponseGeneration,
    ResponseIncompleteDetails, ResponseIncompleteReason, ResponseInputDetails, ResponseItemStatus, ResponseMessage,
    ResponseMessageType, ResponseObject, ResponseOutputDetails, ResponseOutputItem as Item, ResponseOutputPart,
    ResponseOutputText, ResponseOutputTextType, ResponseReasoningText, ResponseReasoningTextType, ResponseStatus,
    ResponseThoughts, ResponseThoughtsType, ResponseToken, ResponseUsage, TokenLogprob,
};

/// A response that is being sampled. While `writing` is set, its last item is being written.
pub(super) struct ResponseAssembler {
    response: ResponseObject,
    prompt: Arc<[u32]>,
    tools: ToolNames,
    /// Arguments of the custom tool's call that is being written.
    custom: String,
    /// Whether texts have logprobs.
    logprobs: bool,
    /// Number of events so far.
    sequence: u64,
    events: Vec<ResponseEvent>,
    writing: bool,
    tokens: Vec<ResponseToken>,
    /// Tokens with text that are not in an item yet.
    held: Vec<TokenLogprob>,
    /// Number of tokens before the first text or call.
    before_content: u64,
    has_content: bool,
}

impl ResponseAssembler {
    /// Creates a response without items.
    pub(super) fn new(response: ResponseObject, prompt: Arc<[u32]>, tools: ToolNames, logprobs: bool) -> Self {
        Self {
            response,
            prompt,
            tools,
            custom: String::new(),
            logprobs,
            sequence: 0,
            events: Vec::new(),
            writing: false,
            tokens: Vec::new(),
            held: Vec::new(),
            before_content: 0,
            has_content: false,
        }
    }

    /// Returns the first events of a stream.
    pub(super) fn begin(&mut self) -> Vec<ResponseEvent> {
        self.tell_response(Event::ResponseCreated);
        self.in_progress()
    }

    /// Returns an event without news, as a heartbeat.
    pub(super) fn in_progress(&mut self) -> Vec<ResponseEvent> {
        self.tell_response(Event::ResponseInProgress);
        std::mem::take(&mut self.events)
    }

    /// Adds a delta and returns its events.
    pub(super) fn push(&mut self, delta: ChatDelta) -> Vec<ResponseEvent> {
        self.has_content |= !delta.content.is_empty() || !delta.tool_calls.is_empty();
        if !self.has_content {
            self.before_content += delta.tokens.len() as u64;
        }
        for token in delta.tokens {
            self.tokens.push(ResponseToken { token_id: token.id, logprob: f64::from(token.logprob) });
            if self.logprobs && !token.bytes.is_empty() {
                self.held.push(wire::token(token));
            }
        }
        if !delta.reasoning.is_empty() {
            self.think(&delta.reasoning);
        }
        // Order: the continuation of a call, then text, then new calls.
        let (begun, going_on): (Vec<_>, Vec<_>) = delta.tool_calls.into_iter().partition(|call| call.start.is_some());
        going_on.into_iter().for_each(|call| self.arguments(&call.arguments));
        if !delta.content.is_empty() {
            self.say(&delta.content);
        }
        for call in begun {
            if let Some(start) = call.start {
                self.call(start);
            }
            self.arguments(&call.arguments);
        }
        if let Some(finish) = delta.finish {
            self.end(finish);
        }
        std::mem::take(&mut self.events)
    }

    /// Returns the response in its current state.
    pub(super) fn response(&self) -> &ResponseObject {
        &self.response
    }

    /// Returns whether the response has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.response.status != ResponseStatus::InProgress
    }

    /// Ends the response with an error in place of its last event, which nobody has seen.
    pub(super) fn fail_instead(&mut self, error: ResponseError) -> Vec<ResponseEvent> {
        self.sequence -= 1;
        self.response.completed_at = None;
        self.fail(error)
    }

    /// Ends the response with an error and returns the event.
    pub(super) fn fail(&mut self, error: ResponseError) -> Vec<ResponseEvent> {
        self.response.status = ResponseStatus::Failed;
        self.response.error = Some(error);
        self.tell_response(Event::ResponseFailed);
        std::mem::take(&mut self.events)
    }

    /// Returns the response in its current state.
    pub(super) fn into_response(self) -> ResponseObject {
        self.response
    }

    fn think(&mut self, more: &str) {
        self.held.clear();
        if !(self.writing && matches!(self.response.output.last(), Some(Item::ResponseThoughts(_)))) {
            self.begin_item(Item::ResponseThoughts(ResponseThoughts {
                id: id("rs"),
                type_: ResponseThoughtsType::Reasoning,
                status: ResponseItemStatus::InProgress,
                summary: Vec::new(),
                content: Vec::new(),
            }));
            let part = ResponseReasoningText { type_: ResponseReasoningTextType::ReasoningText, text: String::new() };
            if let Some(Item::ResponseThoughts(thoughts)) = self.response.output.last_mut() {
                thoughts.content.push(part.clone());
            }
            self.tell_part(Event::ResponseContentPartAdded, part.into());
        }
        if let Some(Item::ResponseThoughts(thoughts)) = self.response.output.last_mut()
            && let Some(part) = thoughts.content.last_mut()
        {
            part.text.push_str(more);
        }
        let event =
            ResponseEvent { delta: Some(more.to_owned()), ..self.about_part(Event::ResponseReasoningTextDelta) };
        self.events.push(event);
    }

    fn say(&mut self, more: &str) {
        if !(self.writing && matches!(self.response.output.last(), Some(Item::ResponseMessage(_)))) {
            self.begin_item(Item::ResponseMessage(ResponseMessage {
                id: id("msg"),
                type_: ResponseMessageType::Message,
                status: ResponseItemStatus::InProgress,
                role: AssistantRole::Assistant,
                content: Vec::new(),
            }));
            let part = ResponseOutputText {
                type_: ResponseOutputTextType::OutputText,
                text: String::new(),
                annotations: Vec::new(),
                logprobs: Vec::new(),
            };
            if let Some(Item::ResponseMessage(message)) = self.response.output.last_mut() {
                message.content.push(part.clone());
            }
            self.tell_part(Event::ResponseContentPartAdded, part.into());
        }
        let logprobs = std::mem::take(&mut self.held);
        if let Some(Item::ResponseMessage(message)) = self.response.output.last_mut()
            && let Some(part) = message.content.last_mut()
        {
            part.text.push_str(more);
            part.logprobs.extend(logprobs.iter().cloned());
        }
        if !more.is_empty() {
            let about = self.about_part(Event::ResponseOutputTextDelta);
            self.events.push(ResponseEvent { delta: Some(more.to_owned()), logprobs: Some(logprobs), ..about });
        }
    }

    fn call(&mut self, start: ToolCallStart) {
        let known = self.tools.find(&start.name);
        let (name, namespace) =
            known.map_or((start.name.clone(), None), |known| (known.name.clone(), known.namespace.clone()));
        let (status, call_id) = (ResponseItemStatus::InProgress, start.id);
        let item = if known.is_some_and(|known| known.is_custom) {
            let (id, type_) = (id("ctc"), ResponseCustomToolCallType::CustomToolCall);
            Item::from(ResponseCustomToolCall { id, type_, status, call_id, name, namespace, input: String::new() })
        } else {
            let (id, type_) = (id("fc"), ResponseFunctionCallType::FunctionCall);
            Item::from(ResponseFunctionCall { id, type_, status, call_id, name, namespace, arguments: String::new() })
        };
        self.begin_item(item);
    }

    /// Adds arguments of a call. The input of a custom tool is known when they end.
    fn arguments(&mut self, more: &str) {
        self.held.clear();
        match self.response.output.last_mut() {
            Some(Item::ResponseFunctionCall(call)) if !more.is_empty() => {
                call.arguments.push_str(more);
                let about = self.about_item(Event::ResponseFunctionCallArgumentsDelta);
                self.events.push(ResponseEvent { delta: Some(more.to_owned()), ..about });
            }
            Some(Item::ResponseCustomToolCall(_)) => self.custom.push_str(more),
            _ => {}
        }
    }

    fn begin_item(&mut self, item: Item) {
        self.end_item(ResponseItemStatus::Completed);
        self.response.output.push(item.clone());
        self.writing = true;
        self.tell_item(Event::ResponseOutputItemAdded, item);
    }

    /// Ends the item that is being written, if there is one.
    fn end_item(&mut self, status: ResponseItemStatus) {
        if !std::mem::take(&mut self.writing) {
            return;
        }
        let Some(item) = self.response.output.last_mut() else { return };
        match item {
            Item::ResponseMessage(message) => message.status = status,
            Item::ResponseFunctionCall(call) => call.status = status,
            Item::ResponseCustomToolCall(call) => {
                call.status = status;
                call.input = custom_input(&std::mem::take(&mut self.custom));
            }
            Item::ResponseThoughts(thoughts) => thoughts.status = status,
        }
        let item = item.clone();
        match &item {
            Item::ResponseMessage(message) => {
                for part in &message.content {
                    let (text, logprobs) = (Some(part.text.clone()), Some(part.logprobs.clone()));
                    let about = self.about_part(Event::ResponseOutputTextDone);
                    self.events.push(ResponseEvent { text, logprobs, ..about });
                    self.tell_part(Event::ResponseContentPartDone, part.clone().into());
                }
            }
            Item::ResponseThoughts(thoughts) => {
                for part in &thoughts.content {
                    let about = self.about_part(Event::ResponseReasoningTextDone);
                    self.events.push(ResponseEvent { text: Some(part.text.clone()), ..about });
                    self.tell_part(Event::ResponseContentPartDone, part.clone().into());
                }
            }
            Item::ResponseFunctionCall(call) => {
                let (name, arguments) = (Some(call.name.clone()), Some(call.arguments.clone()));
                let about = self.about_item(Event::ResponseFunctionCallArgumentsDone);
                self.events.push(ResponseEvent { name, arguments, ..about });
            }
            Item::ResponseCustomToolCall(call) => {
                let input = Some(call.input.clone());
                if !call.input.is_empty() {
                    let about = self.about_item(Event::ResponseCustomToolCallInputDelta);
                    self.events.push(ResponseEvent { delta: input.clone(), ..about });
                }
                let about = self.about_item(Event::ResponseCustomToolCallInputDone);
                self.events.push(ResponseEvent { input, ..about });
            }
        }
        self.tell_item(Event::ResponseOutputItemDone, item);
    }

    fn end(&mut self, finish: ChatFinish) {
        if self.response.output.is_empty() {
            self.say("");
        }
        let is_cut = finish == ChatFinish::Length;
        self.end_item(if is_cut { ResponseItemStatus::Incomplete } else { ResponseItemStatus::Completed });
        let thought = self.response.output.iter().any(|item| matches!(item, Item::ResponseThoughts(_)));
        let (input_tokens, output_tokens) = (self.prompt.len() as u64, self.tokens.len() as u64);
        self.response.usage = Some(ResponseUsage {
            input_tokens,
            input_tokens_details: ResponseInputDetails { cached_tokens: 0, cache_write_tokens: 0 },
            output_tokens,
            output_tokens_details: ResponseOutputDetails {
                reasoning_tokens: if thought { self.before_content } else { 0 },
            },
            total_tokens: input_tokens + output_tokens,
        });
        self.response.token_generations = Some(vec![ResponseGeneration {
            prompt_token_ids: self.prompt.to_vec(),
            output_indices: (0..).take(self.response.output.len()).collect(),
            output_tokens: std::mem::take(&mut self.tokens),
        }]);
        if is_cut {
            self.response.status = ResponseStatus::Incomplete;
            self.response.incomplete_details =
                Some(ResponseIncompleteDetails { reason: ResponseIncompleteReason::MaxOutputTokens });
            self.tell_response(Event::ResponseIncomplete);
        } else {
            self.response.status = ResponseStatus::Completed;
            self.response.completed_at = Some(now());
            self.tell_response(Event::ResponseCompleted);
        }
    }

    fn tell_response(&mut self, type_: Event) {
        let event = ResponseEvent { response: Some(self.response.clone()), ..self.event(type_) };
        self.events.push(event);
    }

    fn tell_item(&mut self, type_: Event, item: Item) {
        let output_index = Some(self.index());
        let event = ResponseEvent { item: Some(item), output_index, ..self.event(type_) };
        self.events.push(event);
    }

    fn tell_part(&mut self, type_: Event, part: ResponseOutputPart) {
        let event = ResponseEvent { part: Some(part), ..self.about_part(type_) };
        self.events.push(event);
    }

    fn about_part(&mut self, type_: Event) -> ResponseEvent {
        ResponseEvent { content_index: Some(0), ..self.about_item(type_) }
    }

    fn about_item(&mut self, type_: Event) -> ResponseEvent {
        let id = self.response.output.last().map(|item| item_id(item).clone());
        ResponseEvent { item_id: id, output_index: Some(self.index()), ..self.event(type_) }
    }

    /// Returns the index of the last item.
    fn index(&self) -> u32 {
        self.response.output.len().saturating_sub(1) as u32
    }

    fn event(&mut self, type_: Event) -> ResponseEvent {
        self.sequence += 1;
        bare_event(type_, self.sequence - 1)
    }
}

fn id(kind: &str) -> String {
    format!("{kind}_{}", uuid::Uuid::new_v4().simple())
}
