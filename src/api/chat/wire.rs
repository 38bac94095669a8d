//! Answers of the chat domain in the words of the document.

use std::sync::Arc;

use super::{Head, TokenIds};
use crate::{
    chat::{self, ChatDelta, ChatFinish, ChatOutcome, TokenEntry},
    generated::types::{
        AssistantRole, ChatCompletion, ChatCompletionChunk, ChatCompletionChunkObject, ChatCompletionObject, Choice,
        ChoiceDelta, ChoiceLogprobs, ChoiceMessage, ChunkChoice, FinishReason, FunctionCall, FunctionCallDelta,
        PromptLogprob, PromptTokenLogprobs, TokenLogprob, ToolCall, ToolCallDelta, ToolType, TopLogprob, Usage,
    },
};

/// What an answer says of its prompt.
pub(super) struct PromptReport {
    /// Its tokens.
    pub tokens: Arc<[u32]>,
    /// What the model gave them, where asked for.
    pub logprobs: Option<Vec<Vec<chat::PromptLogprob>>>,
}

/// A whole answer.
pub(super) fn completion(head: Head, outcome: ChatOutcome, prompt: PromptReport) -> ChatCompletion {
    ChatCompletion {
        choices: outcome.choices.into_iter().map(|whole| choice(whole, &prompt.tokens, &head)).collect(),
        id: head.id,
        object: ChatCompletionObject::ChatCompletion,
        created: head.created,
        model: head.model,
        usage: usage(outcome.usage),
        prompt_token_ids: (head.token_ids == TokenIds::Everywhere).then(|| prompt.tokens.to_vec()),
        prompt_logprobs: prompt.logprobs.map(prompt_logprobs),
        system_fingerprint: None,
    }
}

fn choice(choice: chat::ChatChoice, prompt: &[u32], head: &Head) -> Choice {
    let mut calls = choice.tool_calls.into_iter().map(tool_call);
    let function_call = if head.function_call { calls.next().map(|call| call.function) } else { None };
    let tool_calls: Vec<ToolCall> = calls.collect();
    Choice {
        // Also unasked: what is beside the choices does not come back with a trajectory, what is in them does.
        token_ids: (head.token_ids != TokenIds::Nowhere).then(|| ids(&choice.tokens)),
        prompt_token_ids: (head.token_ids != TokenIds::Nowhere).then(|| prompt.to_vec()),
        finish_reason: finish_reason(choice.finish, head),
        index: choice.index,
        // Also unasked: rollouts never ask, and training needs them.
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

/// The prompt's tokens in the words of the document.
pub(super) fn prompt_logprobs(tokens: Vec<Vec<chat::PromptLogprob>>) -> Vec<Option<PromptTokenLogprobs>> {
    let entry = |token: chat::PromptLogprob| {
        let logprob = f64::from(token.logprob);
        (token.id.to_string(), PromptLogprob { logprob, rank: token.rank, decoded_token: token.text })
    };
    let place =
        |tokens: Vec<chat::PromptLogprob>| (!tokens.is_empty()).then(|| tokens.into_iter().map(entry).collect());
    tokens.into_iter().map(place).collect()
}

fn ids(tokens: &[TokenEntry]) -> Vec<u32> {
    tokens.iter().map(|token| token.id).collect()
}

fn finish_reason(finish: ChatFinish, head: &Head) -> FinishReason {
    match finish {
        ChatFinish::ToolCalls if head.function_call => FinishReason::FunctionCall,
        ChatFinish::Stop => FinishReason::Stop,
        ChatFinish::Length => FinishReason::Length,
        ChatFinish::ToolCalls => FinishReason::ToolCalls,
    }
}

fn logprobs(tokens: Vec<TokenEntry>) -> ChoiceLogprobs {
    ChoiceLogprobs { content: Some(tokens.into_iter().map(token).collect()), refusal: None }
}

/// A sampled token.
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

/// Names the exact token, which its text would not: training reads it back.
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

/// Makes the chunks of one streamed answer.
///
/// Every chunk lists all choices in order, those without news with an empty delta: there are clients which pair the
/// choices of a chunk with those of the first one by position.
pub(super) struct Chunks {
    head: Head,
    prompt: Arc<[u32]>,
    /// Which choices have a token.
    begun: Vec<bool>,
}

impl Chunks {
    pub(super) fn new(head: Head, prompt: Arc<[u32]>) -> Self {
        let begun = vec![false; head.choices as usize];
        Self { head, prompt, begun }
    }

    /// The first chunk: who speaks, and to what.
    pub(super) fn roles(&self) -> ChatCompletionChunk {
        let role = || ChoiceDelta {
            role: Some(AssistantRole::Assistant),
            content: Some(String::new()),
            ..ChoiceDelta::default()
        };
        let choices = (0..self.head.choices).map(|index| chunk_choice(index, role())).collect();
        let prompt_token_ids = (self.head.token_ids == TokenIds::Everywhere).then(|| self.prompt.to_vec());
        ChatCompletionChunk { prompt_token_ids, ..self.chunk(choices) }
    }

    /// News of one choice.
    pub(super) fn delta(&mut self, delta: ChatDelta) -> ChatCompletionChunk {
        let mut choices = self.silent_choices();
        let place = delta.index as usize;
        let Some(choice) = choices.get_mut(place) else { return self.silence() };
        choice.finish_reason = delta.finish.map(|finish| finish_reason(finish, &self.head));
        if !delta.tokens.is_empty() {
            choice.token_ids = (self.head.token_ids == TokenIds::Everywhere).then(|| ids(&delta.tokens));
            let mut logprobs = logprobs(delta.tokens);
            let first = logprobs.content.as_mut().and_then(|entries| entries.first_mut());
            if let (Some(first), false, true) = (first, self.begun[place], self.head.token_ids != TokenIds::Nowhere) {
                // Whoever puts the chunks together keeps these entries, and nothing else that OpenAI has not.
                first.prompt_token_ids = Some(self.prompt.to_vec());
            }
            self.begun[place] = true;
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

    /// No news.
    pub(super) fn silence(&self) -> ChatCompletionChunk {
        self.chunk(self.silent_choices())
    }

    /// The last chunk, when it was asked for: no choices, but what was used.
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
