//! Chat: from a conversation to answers.
//!
//! [`ServedModel::chat`] renders the conversation, gives the prompt to the sampler once for each choice, and returns a
//! [`ChatStream`]: per choice, text as it becomes final, the tokens with their log-probabilities, tool calls, and at
//! last why it ended. [`ChatStream::collect`] gives the same as whole choices. Nothing here knows HTTP, bodies of requests or
//! names of models.

mod answer;
mod choice;
mod compile;
mod completion;
mod error;
mod formats;
mod grammar;
mod model;
mod open_samples;
mod reasoning;
mod request;
mod stop;
mod stream;
mod tool_formats;
mod tools;
mod watchdog;

pub use choice::{ChatDelta, ChatFinish, TokenAlternative, TokenEntry};
pub use completion::{CompletionPrompt, CompletionRequest};
pub use error::ChatError;
pub use model::ServedModel;
pub use request::{ChatRequest, ResponseFormat, SamplingRequest, ToolChoice};
pub use stop::StopMatcher;
pub use stream::{ChatChoice, ChatOutcome, ChatStream, PromptLogprob, Usage};
pub use tool_formats::{CallPiece, ToolFormat, ToolFormatKind};
pub use tools::{ToolCall, ToolCallDelta, ToolCallStart};
