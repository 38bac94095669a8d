//! Chat: from a conversation to answers.
//!
//! [`ServedModel::chat`] renders the conversation, gives the prompt to the sampler once for each choice, and returns a
//! [`ChatStream`]: per choice, text as it becomes final, the tokens with their log-probabilities, tool calls, and at
//! last why it ended. [`ChatStream::collect`] gives the same as whole choices. Nothing here knows HTTP or names of
//! models; the wire's names appear only where a request is read ([`ChatRequest::from_json`]).

mod choice;
mod error;
mod grammar;
mod model;
mod read;
mod reasoning;
mod request;
mod stop;
mod stream;
mod tool_formats;
mod tools;

pub use choice::{ChatDelta, ChatFinish, TokenAlternative, TokenEntry};
pub use error::ChatError;
pub use model::ServedModel;
pub use request::{ChatRequest, ResponseFormat, ToolChoice};
pub use stop::StopMatcher;
pub use stream::{ChatChoice, ChatOutcome, ChatStream, Usage};
pub use tool_formats::{CallPiece, ToolFormat, ToolFormatKind};
pub use tools::{ToolCall, ToolCallDelta, ToolCallStart};
