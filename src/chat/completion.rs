//! Completions: prompts without a chat template.

use std::sync::Arc;

use super::completion_parser::CompletionForm;
use super::{ChatError, ChatRequest, ChatStream, PromptTokens, ServedModel};
use crate::engine::sampler::AdapterRef;
use crate::text::Prompt;

/// Maximum number of tokens of a text that is only tokenized.
const MAX_TEXT_TOKENS: usize = 262_144;

/// A prompt that no template renders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompletionPrompt {
    /// A text; spellings of control tokens in it become these tokens.
    Text(String),
    /// Token ids.
    Tokens(Vec<u32>),
}

/// A request for completions.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletionRequest {
    /// Prompts, at least one.
    pub prompts: Vec<CompletionPrompt>,
    /// Whether the tokenizer's opening tokens are prepended to a text prompt that lacks them.
    pub add_special_tokens: bool,
    /// Sampling options; the fields of a conversation, of tools and of the response format are ignored.
    pub options: ChatRequest,
}

impl ServedModel {
    /// Starts the completions of every prompt, as [`Self::chat_from`] does for a conversation. Either all start or none.
    ///
    /// # Errors
    /// Same as [`Self::chat_from`].
    pub async fn complete_from(
        self: &Arc<Self>,
        adapter: Option<AdapterRef>,
        memory: impl Send + 'static,
        read: impl FnOnce() -> Result<CompletionRequest, ChatError> + Send + 'static,
    ) -> Result<ChatStream, ChatError> {
        let model = self.clone();
        let prepare = move || {
            let CompletionRequest { prompts, add_special_tokens, options } = read()?;
            options.check_length()?;
            let prompts = model.completion_prompts(prompts, add_special_tokens)?;
            Ok((options, prompts))
        };
        let (options, prompts) = self.prepared(memory, prepare).await?;
        let form = CompletionForm { continues: true, ..CompletionForm::default() };
        self.start(adapter, options, prompts, form, None).map_err(|error| of_field(error, "prompt"))
    }

    /// Returns the tokens of a text, which may be longer than the context. `memory` is as for [`Self::chat_from`].
    ///
    /// # Errors
    /// The text has too many tokens, or the tokenizer rejects it.
    pub async fn tokens_of_text(
        self: &Arc<Self>,
        memory: impl Send + 'static,
        text: String,
        add_special_tokens: bool,
    ) -> Result<PromptTokens, ChatError> {
        let model = self.clone();
        let encode = move || {
            let prompt = Prompt::plain(text, model.tokenizer());
            let encoded = prompt.encode_start(prompt.text(), MAX_TEXT_TOKENS);
            let (tokens, _) = encoded.map_err(|error| ChatError::invalid("prompt", error.to_string()))?;
            let tokens = if add_special_tokens { model.opened(tokens) } else { tokens };
            if tokens.len() > MAX_TEXT_TOKENS {
                let message = format!("the text has more than {MAX_TEXT_TOKENS} tokens; send it in parts");
                return Err(ChatError::invalid("prompt", message));
            }
            Ok(PromptTokens { tokens: tokens.into(), adaptations: Vec::new(), ignored: Vec::new() })
        };
        self.prepared(memory, encode).await
    }

    /// Puts the tokenizer's opening tokens before a text that lacks them.
    fn opened(&self, tokens: Vec<u32>) -> Vec<u32> {
        let opening = self.tokenizer().opening();
        if tokens.starts_with(opening) { tokens } else { [opening, &tokens].concat() }
    }

    fn completion_prompts(
        &self,
        prompts: Vec<CompletionPrompt>,
        add_special_tokens: bool,
    ) -> Result<Vec<Arc<[u32]>>, ChatError> {
        let only = prompts.len() == 1;
        let tokens = |(index, prompt)| {
            let field = if only { "prompt".to_owned() } else { format!("prompt[{index}]") };
            self.completion_prompt(prompt, add_special_tokens, &field).map_err(|error| of_field(error, &field))
        };
        prompts.into_iter().enumerate().map(tokens).collect()
    }

    fn completion_prompt(
        &self,
        prompt: CompletionPrompt,
        add_special_tokens: bool,
        field: &str,
    ) -> Result<Arc<[u32]>, ChatError> {
        let tokens = match prompt {
            CompletionPrompt::Tokens(tokens) => tokens,
            CompletionPrompt::Text(text) => {
                let prompt = Prompt::plain(text, self.tokenizer());
                self.reject_far_too_long(&prompt)?;
                let tokens = prompt.encode().map_err(|error| ChatError::invalid(field, error.to_string()))?;
                if add_special_tokens { self.opened(tokens) } else { tokens }
            }
        };
        if tokens.is_empty() {
            return Err(ChatError::invalid(field, "the prompt is empty; it needs at least one token"));
        }
        let limit = self.context_length();
        if tokens.len() >= limit {
            return Err(ChatError::PromptTooLong { prompt: tokens.len(), limit });
        }
        Ok(tokens.into())
    }
}

/// Reports an error in a chat request's `messages` as an error in `field`.
fn of_field(error: ChatError, field: &str) -> ChatError {
    match error {
        ChatError::Invalid { param, message } if param == "messages" => ChatError::invalid(field, message),
        error => error,
    }
}
