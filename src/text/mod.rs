//! Conversion between text and tokens: tokenizer, chat template, and streaming detokeniser.
//!
//! This module does not depend on requests, jobs or tensors.

pub(crate) mod detokenizer;
mod environment;
mod json;
mod messages;
mod metering;
mod private_use;
pub(crate) mod prompt;
mod strftime;
pub(crate) mod template;
mod template_error;
pub(crate) mod tokenizer;

pub(crate) use detokenizer::Detokenizer;
pub(crate) use json::{JsonStyle, dumps};
pub(crate) use private_use::unused_characters;
pub(crate) use prompt::{Prompt, PromptError, render_prompt};
pub(crate) use template::{ChatTemplate, RenderInput};
pub(crate) use template_error::TemplateError;
pub(crate) use tokenizer::{Tokenizer, TokenizerError};
