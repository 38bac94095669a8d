//! Chat: generates completions of a conversation.
//!
//! [`ServedModel::chat`] renders the conversation, passes the prompt to the sampler once for each choice, and returns a
//! [`ChatStream`]. For each choice the stream yields text as it becomes final, the tokens with their logprobs, tool
//! calls, and finally the finish reason. [`ChatStream::collect`] returns whole choices. This module does not depend on
//! HTTP, request bodies or model names.

mod call_grammar;
mod channels;
mod choice;
mod compile;
mod completion;
mod completion_memory;
mod completion_parser;
mod delta;
mod error;
mod formats;
mod grammar;
mod model;
mod open_samples;
mod reasoning;
mod recording;
mod request;
mod stop;
mod stream;
mod tool_formats;
mod tools;
mod watchdog;

pub(crate) use completion::{CompletionPrompt, CompletionRequest};
pub(crate) use delta::{ChatDelta, ChatFinish, TokenEntry};
pub(crate) use error::ChatError;
pub(crate) use formats::close_objects;
pub(crate) use model::{PromptTokens, ServedModel};
pub(crate) use reasoning::ReasoningStyle;
pub(crate) use recording::{RecordedChoice, RecordedSample, StoreRecording};
pub(crate) use request::{ChatRequest, ResponseFormat, SamplingRequest, ToolChoice};
pub(crate) use stream::{ChatChoice, ChatOutcome, ChatStream, CollectedChoices, PromptLogprob, Usage};
pub(crate) use tool_formats::ToolFormat;
#[cfg(test)]
pub(crate) use tools::ToolCallDelta;
pub(crate) use tools::{ToolCall, ToolCallStart};
