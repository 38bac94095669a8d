//! Writes a message as the events of its stream. A whole message is what a client makes of the same events.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::chat::{ChatDelta, ChatFinish, ToolCallStart};
use crate::generated::types::{
    AssistantRole, Message, MessageBlock, MessageBlockType as Block, MessageDelta, MessageDeltaType as Delta,
    MessageEvent, MessageEventType as Event, MessageOutputDetails, MessageRequest, MessageStopReason as Stop,
    MessageThinkingDisplay, MessageType, MessageUsage,
};
use crate::json::Verbatim;

/// Signature of reasoning content that the response shows.
const SHOWN: &str = "trainyard";
/// Beginning of the signature of reasoning content that the response does not show; the rest is that content.
pub(super) const OMITTED: &str = "trainyard:";
/// Key of arguments that are no JSON object, as Anthropic's documentation has it.
const INVALID_JSON: &str = "INVALID_JSON";

/// Fields of a request that decide the form of its response.
pub(super) struct MessageForm {
    model: String,
    max_tokens: u64,
    stop_sequences: Vec<String>,
    /// Whether the message has its tokens.
    token_ids: bool,
    /// Whether reasoning content is only in the signature.
    omits_thinking: bool,
}

impl MessageForm {
    pub(super) fn of(body: &MessageRequest) -> Self {
        let display = body.thinking.as_ref().and_then(|thinking| thinking.display);
        Self {
            model: body.model.clone(),
            max_tokens: body.max_tokens.unwrap_or(u64::MAX),
            stop_sequences: body.stop_sequences.clone().unwrap_or_default(),
            token_ids: body.return_token_ids == Some(true),
            omits_thinking: display == Some(MessageThinkingDisplay::Omitted),
        }
    }
}

/// Writes the events of a message.
pub(super) struct MessageWriter {
    form: MessageForm,
    prompt: Arc<[u32]>,
    /// Block that is being written.
    open: Option<Block>,
    /// Number of blocks so far.
    blocks: u32,
    events: Vec<MessageEvent>,
    /// Reasoning content of the open block, if it is only in the signature.
    hidden: String,
    token_ids: Vec<u32>,
    logprobs: Vec<f64>,
    /// Number of the prompt's tokens that came from the prefix cache, as far as known.
    cached: u64,
    /// Number of tokens so far.
    sampled: u64,
    /// Number of tokens before the first text or call, and whether these have begun.
    before_content: u64,
    has_content: bool,
    has_thoughts: bool,
}

impl MessageWriter {
    pub(super) fn new(form: MessageForm, prompt: Arc<[u32]>) -> Self {
        Self {
            form,
            prompt,
            open: None,
            blocks: 0,
            events: Vec::new(),
            hidden: String::new(),
            token_ids: Vec::new(),
            logprobs: Vec::new(),
            cached: 0,
            sampled: 0,
            before_content: 0,
            has_content: false,
            has_thoughts: false,
        }
    }

    /// Returns the first events of a stream.
    pub(super) fn begin(&self) -> std::vec::IntoIter<MessageEvent> {
        let start = MessageEvent { message: Some(self.empty()), ..event(Event::MessageStart) };
        vec![start, event(Event::Ping)].into_iter()
    }

    /// Returns the message before its first block.
    fn empty(&self) -> Message {
        Message {
            id: format!("msg_{}", uuid::Uuid::new_v4().simple()),
            type_: MessageType::Message,
            role: AssistantRole::Assistant,
            model: self.form.model.clone(),
            content: Vec::new(),
            stop_reason: None,
            stop_sequence: None,
            usage: self.usage(),
            prompt_token_ids: self.form.token_ids.then(|| self.prompt.to_vec()),
            token_ids: None,
            logprobs: None,
        }
    }

    /// Adds a delta and returns its events. `cached` tokens of the prompt came from the prefix cache.
    pub(super) fn push(&mut self, delta: ChatDelta, cached: u64) -> Vec<MessageEvent> {
        self.cached = cached;
        self.has_content |= !delta.content.is_empty() || !delta.tool_calls.is_empty();
        self.sampled += delta.tokens.len() as u64;
        if !self.has_content {
            self.before_content = self.sampled;
        }
        if self.form.token_ids {
            self.token_ids.extend(delta.tokens.iter().map(|token| token.id));
            self.logprobs.extend(delta.tokens.iter().map(|token| f64::from(token.logprob)));
        }
        if !delta.reasoning.is_empty() {
            self.think(delta.reasoning);
        }
        // Order: the continuation of a call, then text, then new calls.
        let (begun, going_on): (Vec<_>, Vec<_>) = delta.tool_calls.into_iter().partition(|call| call.start.is_some());
        going_on.into_iter().for_each(|call| self.arguments(call.arguments));
        if !delta.content.is_empty() {
            self.continue_in(Block::Text);
            self.grow(MessageDelta {
                type_: Some(Delta::TextDelta),
                text: Some(delta.content),
                ..MessageDelta::default()
            });
        }
        for call in begun {
            if let Some(ToolCallStart { id, name }) = call.start {
                let input = Verbatim::of(&Map::new()).ok();
                self.begin_block(MessageBlock { id: Some(id), name: Some(name), input, ..block(Block::ToolUse) });
            }
            self.arguments(call.arguments);
        }
        if let Some(finish) = delta.finish {
            self.end(finish);
        }
        std::mem::take(&mut self.events)
    }

    fn think(&mut self, more: String) {
        self.has_thoughts = true;
        self.continue_in(Block::Thinking);
        match self.form.omits_thinking {
            true => self.hidden.push_str(&more),
            false => {
                let type_ = Some(Delta::ThinkingDelta);
                self.grow(MessageDelta { type_, thinking: Some(more), ..MessageDelta::default() });
            }
        }
    }

    fn arguments(&mut self, more: String) {
        if !more.is_empty() && self.open == Some(Block::ToolUse) {
            let type_ = Some(Delta::InputJsonDelta);
            self.grow(MessageDelta { type_, partial_json: Some(more), ..MessageDelta::default() });
        }
    }

    /// Begins a block of this type unless one is open.
    fn continue_in(&mut self, type_: Block) {
        if self.open != Some(type_) {
            self.begin_block(block(type_));
        }
    }

    fn begin_block(&mut self, block: MessageBlock) {
        self.end_block();
        self.open = Some(block.type_);
        self.blocks += 1;
        let event = MessageEvent { content_block: Some(block), ..self.about_block(Event::ContentBlockStart) };
        self.events.push(event);
    }

    fn grow(&mut self, delta: MessageDelta) {
        let event = MessageEvent { delta: Some(delta), ..self.about_block(Event::ContentBlockDelta) };
        self.events.push(event);
    }

    fn end_block(&mut self) {
        let Some(type_) = self.open.take() else { return };
        if type_ == Block::Thinking {
            let hidden = std::mem::take(&mut self.hidden);
            let signature = if self.form.omits_thinking { format!("{OMITTED}{hidden}") } else { SHOWN.to_owned() };
            let type_ = Some(Delta::SignatureDelta);
            self.grow(MessageDelta { type_, signature: Some(signature), ..MessageDelta::default() });
        }
        let event = self.about_block(Event::ContentBlockStop);
        self.events.push(event);
    }

    fn end(&mut self, finish: ChatFinish) {
        self.end_block();
        let stop_sequence = match finish {
            ChatFinish::StopText(index) => self.form.stop_sequences.get(index).cloned(),
            _ => None,
        };
        let reason = match finish {
            ChatFinish::Stop => Stop::EndTurn,
            ChatFinish::StopText(_) => Stop::StopSequence,
            ChatFinish::ToolCalls => Stop::ToolUse,
            ChatFinish::Length if self.sampled < self.form.max_tokens => Stop::ModelContextWindowExceeded,
            ChatFinish::Length => Stop::MaxTokens,
        };
        let delta =
            MessageDelta { stop_reason: Some(reason), stop_sequence: Some(stop_sequence), ..MessageDelta::default() };
        let tokens = self.form.token_ids;
        let end = MessageEvent {
            delta: Some(delta),
            usage: Some(self.usage()),
            token_ids: tokens.then(|| std::mem::take(&mut self.token_ids)),
            logprobs: tokens.then(|| std::mem::take(&mut self.logprobs)),
            ..event(Event::MessageDelta)
        };
        self.events.extend([end, event(Event::MessageStop)]);
    }

    fn usage(&self) -> MessageUsage {
        MessageUsage {
            input_tokens: (self.prompt.len() as u64).saturating_sub(self.cached),
            output_tokens: self.sampled,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: self.cached,
            output_tokens_details: MessageOutputDetails {
                thinking_tokens: if self.has_thoughts { self.before_content } else { 0 },
            },
        }
    }

    fn about_block(&self, type_: Event) -> MessageEvent {
        MessageEvent { index: Some(self.blocks.saturating_sub(1)), ..event(type_) }
    }

    /// Continues as a whole message.
    pub(super) fn into_whole(self) -> WholeMessage {
        WholeMessage { message: self.empty(), writer: self, arguments: String::new() }
    }
}

/// A message that is assembled from its events.
pub(super) struct WholeMessage {
    message: Message,
    writer: MessageWriter,
    /// Arguments of the last call so far.
    arguments: String,
}

impl WholeMessage {
    /// Adds a delta.
    pub(super) fn push(&mut self, delta: ChatDelta, cached: u64) {
        for event in self.writer.push(delta, cached) {
            self.apply(event);
        }
    }

    /// Returns the message.
    pub(super) fn into_message(self) -> Message {
        self.message
    }

    fn apply(&mut self, event: MessageEvent) {
        let Message { content, stop_reason, stop_sequence, usage, token_ids, logprobs, .. } = &mut self.message;
        match event.type_ {
            Event::ContentBlockStart => content.extend(event.content_block),
            Event::ContentBlockDelta => {
                let (Some(block), Some(delta)) = (content.last_mut(), event.delta) else { return };
                let more = [
                    (&mut block.text, delta.text),
                    (&mut block.thinking, delta.thinking),
                    (&mut block.signature, delta.signature),
                ];
                for (text, more) in more {
                    text.iter_mut().zip(more).for_each(|(text, more)| text.push_str(&more));
                }
                self.arguments.extend(delta.partial_json);
            }
            Event::ContentBlockStop => {
                let arguments = std::mem::take(&mut self.arguments);
                if let Some(block) = content.last_mut().filter(|block| block.type_ == Block::ToolUse) {
                    block.input = Verbatim::of(&input(&arguments)).ok();
                }
            }
            Event::MessageDelta => {
                let MessageDelta { stop_reason: reason, stop_sequence: sequence, .. } = event.delta.unwrap_or_default();
                (*stop_reason, *stop_sequence) = (reason, sequence.flatten());
                *usage = event.usage.unwrap_or_else(|| usage.clone());
                (*token_ids, *logprobs) = (event.token_ids, event.logprobs);
            }
            Event::MessageStart | Event::MessageStop | Event::Ping | Event::Error => {}
        }
    }
}

/// Returns the arguments of a call as an object.
fn input(arguments: &str) -> Value {
    match serde_json::from_str(arguments) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) | Err(_) if arguments.is_empty() => json!({}),
        Ok(_) | Err(_) => json!({INVALID_JSON: arguments}),
    }
}

/// Creates an event without fields.
pub(super) fn event(type_: Event) -> MessageEvent {
    MessageEvent {
        type_,
        message: None,
        index: None,
        content_block: None,
        delta: None,
        usage: None,
        error: None,
        token_ids: None,
        logprobs: None,
    }
}

/// Creates an empty block.
fn block(type_: Block) -> MessageBlock {
    let empty = |of: Block| (type_ == of).then(String::new);
    MessageBlock {
        type_,
        text: empty(Block::Text),
        thinking: empty(Block::Thinking),
        signature: empty(Block::Thinking),
        id: None,
        name: None,
        input: None,
    }
}
