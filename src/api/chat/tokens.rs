//! Tokens of texts and conversations, and the tokenizer's special tokens and chat template, in vLLM's form.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::Api;
use super::super::ignored::{Ignored, Names};
use super::read::{invalid, reject, unreadable, values};
use crate::auth::Caller;
use crate::chat::{ChatError, ChatRequest, PromptTokens, ServedModel};
use crate::generated::server::chat::{
    DetokenizeInput, DetokenizeOutput, GetTokenizerInfoInput, GetTokenizerInfoOutput, TokenizeInput, TokenizeOutput,
};
use crate::generated::types::{
    DetokenizeRequest, DetokenizeResponse, TokenizeRequest, TokenizeResponse, TokenizerInfo,
};
use crate::http::{ApiError, reserve_response, take_body_memory};
use crate::json::ReadObject;
use crate::model_files::SEEDLING;
use crate::models::Found;

/// Options of vLLM that would change the tokens. Null is accepted.
const REJECTED: [(&str, Option<&str>); 2] = [("chat_template", None), ("mm_processor_kwargs", None)];
/// Memory of a token of a response, without its spelling.
const TOKEN_BYTES: usize = 16;
/// Memory of a token's spelling, on average.
const SPELLING_BYTES: usize = 48;

impl Api {
    /// Handles `POST /tokenize`.
    pub(super) async fn tokens(&self, caller: Caller, input: TokenizeInput) -> Result<TokenizeOutput, ApiError> {
        let body = input.body;
        let ignored = ignored(&body)?;
        let model = self.named_or_only(&caller, body.model.as_deref()).await?;
        let (spells, memory, served) = (body.return_token_strs == Some(true), take_body_memory(), model.clone());
        let prompt = match (body.prompt.is_some(), body.messages.is_some()) {
            (false, true) => served.tokens_from(memory, move || conversation(&body, caller.entity)).await?,
            (true, false) => {
                let add_special_tokens = body.add_special_tokens != Some(false);
                served.tokens_of_text(memory, body.prompt.unwrap_or_default(), add_special_tokens).await?
            }
            _ => {
                return Err(ApiError::invalid(
                    "prompt",
                    "a request has either prompt or messages; send one of the two",
                ));
            }
        };
        let PromptTokens { tokens, adaptations, ignored: names } = prompt;
        ignored.with_adaptations(&adaptations).with_names(names).tell();
        reserve_response(tokens.len() * (TOKEN_BYTES + if spells { SPELLING_BYTES } else { 0 }))?;
        let spelling = |&id: &u32| model.tokenizer().id_to_token(id).unwrap_or_default();
        Ok(TokenizeResponse {
            count: tokens.len() as u64,
            max_model_len: model.context_length() as u64,
            token_strs: spells.then(|| tokens.iter().map(spelling).collect()),
            tokens: tokens.to_vec(),
        }
        .into())
    }

    /// Handles `POST /detokenize`.
    pub(super) async fn text_of_tokens(
        &self,
        caller: Caller,
        input: DetokenizeInput,
    ) -> Result<DetokenizeOutput, ApiError> {
        let body = input.body;
        let mut ignored = Ignored::default();
        ignored.add(&body.extra, "", &names(DetokenizeRequest::NAMES, &[]))?;
        let model = self.named_or_only(&caller, body.model.as_deref()).await?;
        let known = model.tokenizer().vocab_size();
        if let Some(position) = body.tokens.iter().position(|&id| id as usize >= known) {
            let message = format!("the vocabulary has {known} tokens; {} is not among them", body.tokens[position]);
            return Err(ApiError::invalid(format!("tokens[{position}]"), message));
        }
        ignored.tell();
        reserve_response(body.tokens.len() * SPELLING_BYTES)?;
        Ok(DetokenizeResponse { prompt: model.tokenizer().decode_spelled(&body.tokens) }.into())
    }

    /// Handles `GET /tokenizer_info`.
    pub(super) async fn tokenizer_info(
        &self,
        caller: Caller,
        input: GetTokenizerInfoInput,
    ) -> Result<GetTokenizerInfoOutput, ApiError> {
        let model = self.named_or_only(&caller, input.model.as_deref()).await?;
        let (tokenizer, template) = (model.tokenizer(), model.template());
        let special = |name: &str| template.special_token(name).map(str::to_owned);
        let end = || model.end_of_turn().first().and_then(|&id| tokenizer.id_to_token(id));
        Ok(TokenizerInfo {
            tokenizer_class: "PreTrainedTokenizerFast".to_owned(),
            bos_token: special("bos_token"),
            eos_token: special("eos_token").or_else(end),
            pad_token: special("pad_token"),
            unk_token: special("unk_token"),
            add_bos_token: !tokenizer.opening().is_empty(),
            model_max_length: model.context_length() as u64,
            chat_template: template.source().map(str::to_owned),
        }
        .into())
    }

    /// Returns the model of the session, or of a name, or the only base model; the built-in one counts if there is no other.
    async fn named_or_only(&self, caller: &Caller, name: Option<&str>) -> Result<Arc<ServedModel>, ApiError> {
        let recorded = caller.session.as_ref().map(|recording| recording.session.labels.model.as_str());
        let mut bases = self.catalog.base_names().filter(|name| *name != SEEDLING);
        let name = match (recorded.or(name), bases.next(), bases.next()) {
            (Some(name), ..) => name,
            (None, Some(only), None) => only,
            (None, None, None) => SEEDLING,
            _ => {
                let served: Vec<&str> = self.catalog.base_names().collect();
                let message = format!("model is missing; this service has several: {}", served.join(", "));
                return Err(ApiError::invalid("model", message));
            }
        };
        // A checkpoint has the tokenizer of its base model, so it need not be loaded.
        Ok(match self.catalog.find(&caller.entity, name).await? {
            Found::Base(base) | Found::Trained { base, .. } => base.served.clone(),
        })
    }
}

fn names(properties: &'static [&'static str], read_elsewhere: &[&'static str]) -> Names {
    Names { properties, read_elsewhere: read_elsewhere.to_vec(), without_effect: Cow::default() }
}

/// Returns the fields of a body that have no effect: unknown ones, and those of a conversation beside a text.
fn ignored(body: &TokenizeRequest) -> Result<Ignored, ApiError> {
    let mut ignored = Ignored::default();
    reject(&body.extra, "", &REJECTED)?;
    ignored.add(&body.extra, "", &names(TokenizeRequest::NAMES, &REJECTED.map(|(name, _)| name)))?;
    if body.prompt.is_some() {
        ignored.add_if(body.tools.is_some(), "tools");
        ignored.add_if(body.chat_template_kwargs.is_some(), "chat_template_kwargs");
        ignored.add_if(body.add_generation_prompt.is_some(), "add_generation_prompt");
        ignored.add_if(body.continue_final_message.is_some(), "continue_final_message");
    }
    Ok(ignored)
}

/// Converts a body with a conversation to a request of the key's owner.
fn conversation(body: &TokenizeRequest, owner: String) -> Result<ChatRequest, ChatError> {
    let continue_final_message = body.continue_final_message == Some(true);
    if continue_final_message && body.add_generation_prompt == Some(true) {
        let message = "add_generation_prompt opens a new turn, continue_final_message goes on with the last; send one";
        return Err(invalid("add_generation_prompt", message));
    }
    if body.add_special_tokens == Some(true) {
        let message =
            "the chat template has the special tokens of a conversation already; leave add_special_tokens out";
        return Err(invalid("add_special_tokens", message));
    }
    Ok(ChatRequest {
        owner: owner.into(),
        tools: values(body.tools.as_deref().unwrap_or_default())?,
        add_generation_prompt: body.add_generation_prompt.unwrap_or(!continue_final_message),
        continue_final_message,
        chat_template_kwargs: match &body.chat_template_kwargs {
            None => serde_json::Map::new(),
            Some(kwargs) => kwargs.read().map_err(unreadable)?,
        },
        ..ChatRequest::new(values(body.messages.as_deref().unwrap_or_default())?)
    })
}
