//! Conversion between text and tokens: tokenizer, chat template, and streaming detokeniser.
//!
//! This module does not depend on requests, jobs or tensors.

mod detokenizer;
mod environment;
mod gguf;
mod json;
mod messages;
mod private_use;
mod prompt;
mod strftime;
mod template;
mod template_error;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tokenizer;

pub use detokenizer::Detokenizer;
pub use gguf::{GgmlVocabulary, GgufTokenizerError, gguf_settings, tokenizer_of_gguf};
pub use json::{JsonStyle, dumps};
pub use private_use::unused_characters;
pub use prompt::{Prompt, PromptError, render_prompt};
pub use template::{Adaptation, ChatTemplate, RenderInput};
pub use template_error::TemplateError;
pub use tokenizer::{Tokenizer, TokenizerError};
