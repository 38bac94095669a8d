//! Converts responses of the chat domain to the wire format.

use std::sync::Arc;

use super::{Head, TokenIds};
use crate::chat::{self, ChatDelta, ChatFinish, ChatOutcome, TokenEntry};
use crate::generated::types::{
    AssistantRole, ChatCompletion, ChatCompletionChunk, ChatCompletionChunkObject, ChatCompletionObject, Choice,
    ChoiceDelta, ChoiceLogprobs, ChoiceMessage, ChunkChoice, FinishReason, FunctionCall, FunctionCallDelta,
    PromptLogprob, PromptTokenLogprobs, TokenLogprob, ToolCall, ToolCallDelta, ToolType, TopLogprob, Usage,
};

/// The part of a response about its prompt.
pub(super) struct PromptReport {
    /// Tokens of the prompt.
    pub tokens: Arc<[u32]>,
    /// Logprobs of the prompt's tokens, if requested.
    pub logprobs: Option<Vec<Vec<chat::PromptLogprob>>>,
}

/// Converts a complete response.
pub(super) fn completion(head: Head, outcome: ChatOutcome, prompt: PromptReport) -> ChatCompletion {
    ChatCompletion {
        choices: outcome.choices.into_iter().map(|whole| choice(whole, &prompt.tokens, &head)).collect(),
        id: head.id,
        object: ChatCompletionObject::ChatCompletion,
        created: head.created,
        model: head.model,
        usage: usage(outcome.usage),
        prompt_token_ids: (head.token_ids == TokenIds::All).then(|| prompt.tokens.to_vec()),
        prompt_logprobs: prompt.logprobs.map(prompt_logprobs),
        metadata: head.metadata,
        system_fingerprint: None,
    }
}

fn choice(choice: chat::ChatChoice, prompt: &[u32], head: &Head) -> Choice {
    let mut calls = choice.tool_calls.into_iter().map(tool_call);
    let function_call = if head.function_call { calls.next().map(|call| call.function) } else { None };
    let tool_calls: Vec<ToolCall> = calls.collect();
    Choice {
        // Also if not requested: a trajectory contains the choices but not the fields beside them.
        token_ids: (head.token_ids != TokenIds::Omitted).then(|| ids(&choice.tokens)),
        prompt_token_ids: (head.token_ids != TokenIds::Omitted).then(|| prompt.to_vec()),
        finish_reason: finish_reason(choice.finish, head),
        index: choice.index,
        // Also if not requested: rollouts never request them, and training needs them.
        logprobs: Some(logprobs(choice.tokens)),
        message: ChoiceMessage {
            role: AssistantRole::Assistant,
            content: choice.content,
            reasoning_content: choice.reasoning.filter(|_| head.reasoning),
            refusal: None,
            tool_calls: (!tool_calls.is_empty()).then_some(tool_calls),
            function_call,
        },
    }
}

/// Converts the logprobs of the prompt's tokens.
pub(super) fn prompt_logprobs(tokens: Vec<Vec<chat::PromptLogprob>>) -> Vec<Option<PromptTokenLogprobs>> {
    let entry = |token: chat::PromptLogprob| {
        let logprob = f64::from(token.logprob);
        (token.id.to_string(), PromptLogprob { logprob, rank: token.rank, decoded_token: token.text })
    };
    let entry =
        |tokens: Vec<chat::PromptLogprob>| (!tokens.is_empty()).then(|| tokens.into_iter().map(entry).collect());
    tokens.into_iter().map(entry).collect()
}

fn ids(tokens: &[TokenEntry]) -> Vec<u32> {
    tokens.iter().map(|token| token.id).collect()
}

fn finish_reason(finish: ChatFinish, head: &Head) -> FinishReason {
    match finish {
        ChatFinish::ToolCalls if head.function_call => FinishReason::FunctionCall,
        ChatFinish::Stop | ChatFinish::StopText(_) => FinishReason::Stop,
        ChatFinish::Length => FinishReason::Length,
        ChatFinish::ToolCalls => FinishReason::ToolCalls,
    }
}

fn logprobs(tokens: Vec<TokenEntry>) -> ChoiceLogprobs {
    ChoiceLogprobs { content: Some(tokens.into_iter().map(token).collect()), refusal: None }
}

/// Converts a sampled token.
pub(super) fn token(entry: TokenEntry) -> TokenLogprob {
    TokenLogprob {
        token: token_name(entry.id),
        bytes: Some(entry.bytes),
        logprob: f64::from(entry.logprob),
        prompt_token_ids: None,
        top_logprobs: entry
            .top
            .into_iter()
            .map(|other| TopLogprob {
                token: token_name(other.id),
                bytes: Some(other.bytes),
                logprob: f64::from(other.logprob),
            })
            .collect(),
    }
}

/// Returns the name of a token. It identifies the exact token, unlike its text; training parses it.
fn token_name(id: u32) -> String {
    format!("token_id:{id}")
}

fn tool_call(call: chat::ToolCall) -> ToolCall {
    ToolCall {
        id: call.id,
        type_: ToolType::Function,
        function: FunctionCall { name: call.name, arguments: call.arguments },
    }
}

pub(super) fn usage(usage: chat::Usage) -> Usage {
    Usage {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        total_tokens: usage.prompt_tokens + usage.completion_tokens,
    }
}

/// Creates the chunks of a streamed response.
///
/// Every chunk lists all choices in order, with empty deltas for those without news: some clients match the choices of
/// a chunk with those of the first one by position.
pub(super) struct Chunks {
    head: Head,
    prompt: Arc<[u32]>,
    /// Whether each choice has a token.
    begun: Vec<bool>,
}

impl Chunks {
    pub(super) fn new(head: Head, prompt: Arc<[u32]>) -> Self {
        let begun = vec![false; head.choices as usize];
        Self { head, prompt, begun }
    }

    /// Returns the first chunk: the roles and the prompt.
    pub(super) fn roles(&self) -> ChatCompletionChunk {
        let role = || ChoiceDelta {
            role: Some(AssistantRole::Assistant),
            content: Some(String::new()),
            ..ChoiceDelta::default()
        };
        let choices = (0..self.head.choices).map(|index| chunk_choice(index, role())).collect();
        let prompt_token_ids = (self.head.token_ids == TokenIds::All).then(|| self.prompt.to_vec());
        ChatCompletionChunk { prompt_token_ids, ..self.chunk(choices) }
    }

    /// Returns the chunk for a delta of one choice.
    pub(super) fn delta(&mut self, delta: ChatDelta) -> ChatCompletionChunk {
        let mut choices = self.silent_choices();
        let index = delta.index as usize;
        let Some(choice) = choices.get_mut(index) else { return self.silence() };
        choice.finish_reason = delta.finish.map(|finish| finish_reason(finish, &self.head));
        if !delta.tokens.is_empty() {
            choice.token_ids = (self.head.token_ids == TokenIds::All).then(|| ids(&delta.tokens));
            let mut logprobs = logprobs(delta.tokens);
            let first = logprobs.content.as_mut().and_then(|entries| entries.first_mut());
            if let (Some(first), false, true) = (first, self.begun[index], self.head.token_ids != TokenIds::Omitted) {
                // Clients that assemble the chunks keep these entries and drop other extensions of OpenAI's format.
                first.prompt_token_ids = Some(self.prompt.to_vec());
            }
            self.begun[index] = true;
            choice.logprobs = Some(logprobs);
        }
        if !delta.reasoning.is_empty() && self.head.reasoning {
            choice.delta.reasoning_content = Some(delta.reasoning);
        }
        if !delta.content.is_empty() {
            choice.delta.content = Some(delta.content);
        }
        for call in delta.tool_calls {
            let (id, name) = call.start.map_or((None, None), |start| (Some(start.id), Some(start.name)));
            let type_ = id.is_some().then_some(ToolType::Function);
            let function = FunctionCallDelta { name, arguments: Some(call.arguments) };
            if !self.head.function_call {
                let entry = ToolCallDelta { index: call.index, id, type_, function: Some(function) };
                choice.delta.tool_calls.get_or_insert_default().push(entry);
            } else if call.index == 0 {
                // The older form has room for one call.
                choice.delta.function_call = Some(function);
            }
        }
        self.chunk(choices)
    }

    /// Returns a chunk with empty deltas.
    pub(super) fn silence(&self) -> ChatCompletionChunk {
        self.chunk(self.silent_choices())
    }

    /// Returns the last chunk, if requested: no choices, only the usage.
    pub(super) fn usage(&self, used: chat::Usage) -> ChatCompletionChunk {
        ChatCompletionChunk { usage: Some(usage(used)), ..self.chunk(Vec::new()) }
    }

    fn silent_choices(&self) -> Vec<ChunkChoice> {
        (0..self.head.choices).map(|index| chunk_choice(index, ChoiceDelta::default())).collect()
    }

    fn chunk(&self, choices: Vec<ChunkChoice>) -> ChatCompletionChunk {
        ChatCompletionChunk {
            id: self.head.id.clone(),
            object: ChatCompletionChunkObject::ChatCompletionChunk,
            created: self.head.created,
            model: self.head.model.clone(),
            choices,
            system_fingerprint: None,
            usage: None,
            prompt_token_ids: None,
            prompt_logprobs: None,
        }
    }
}

fn chunk_choice(index: u32, delta: ChoiceDelta) -> ChunkChoice {
    ChunkChoice { delta, finish_reason: None, index, logprobs: None, token_ids: None }
}
