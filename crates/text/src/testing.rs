//! The tokenizer and template of the reference vectors in `tests/golden`, for tests.

use super::{ChatTemplate, Tokenizer};

/// Returns the tokenizer.
#[must_use]
pub fn tiny_tokenizer() -> Tokenizer {
    Tokenizer::from_bytes(include_bytes!("../../../tests/golden/tiny_tokenizer/tokenizer.json")).expect("a tokenizer")
}

/// Returns the chat template.
#[must_use]
pub fn tiny_template() -> ChatTemplate {
    let source = include_str!("../../../tests/golden/tiny_tokenizer/chat_template.jinja");
    ChatTemplate::new(source, &[]).expect("a template")
}
