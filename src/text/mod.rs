//! Text on its way to tokens and back: tokenizer, chat template, and the streaming detokeniser.
//!
//! Nothing here knows requests, jobs or tensors.

mod calendar;
pub mod detokenizer;
mod environment;
mod json;
mod messages;
mod private_use;
pub mod prompt;
pub mod template;
pub mod tokenizer;

pub use detokenizer::{Detokenizer, Leading};
pub use json::{JsonStyle, dumps};
pub use messages::{normalize_messages, normalize_tools};
pub use private_use::unused_characters;
pub use prompt::{Prompt, PromptError, render_prompt};
pub use template::{ChatTemplate, RenderInput, TemplateError};
pub use tokenizer::{Tokenizer, TokenizerError};
