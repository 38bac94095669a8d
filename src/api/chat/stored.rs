//! Stored chat completions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::Api;
use super::super::fine_tuning::{MAX_NOTES, check_names, wanted_notes};
use super::super::paging::{cursor, matching, page, page_request, parse_prefixed_id, prefixed_id};
use super::responses::{Keeper, MAX_STORED_BYTES, PER_BYTE, items_of_page, unreadable};
use crate::auth::Caller;
use crate::generated::server::chat::{
    DeleteChatCompletionInput, DeleteChatCompletionOutput, GetChatCompletionInput, GetChatCompletionOutput,
    ListChatCompletionMessagesInput, ListChatCompletionMessagesOutput, ListChatCompletionsInput,
    ListChatCompletionsOutput, UpdateChatCompletionInput, UpdateChatCompletionOutput,
};
use crate::generated::types::{
    ChatCompletion, ChatCompletionPage, ChatCompletionRequest, DeleteChatCompletionResponse,
    DeletedChatCompletionObject, SortOrder, StoredChatMessage, StoredChatMessagePage,
};
use crate::http::{ApiError, reserve_response};
use crate::models::SCHEME;
use crate::store::metadata::{OptionalExtension, StoreError};
use crate::store::records::{ResponseItem, ResponseOutcome, ResponseRecord, ResponseState, StoredKind};

const KIND: StoredKind = StoredKind::ChatCompletion;
/// Prefix of the ids of chat completions.
const PREFIX: &str = "chatcmpl-";
/// Maximum length of a text of metadata, in characters.
const MAX_NOTE_LENGTH: usize = 512;

/// Returns the id of a chat completion as clients see it.
pub(super) fn wire_id(id: Uuid) -> String {
    prefixed_id(PREFIX, id)
}

/// Parses the id of a chat completion. Any other text is the id of none.
fn parse_id(text: &str) -> Result<Uuid, ApiError> {
    parse_prefixed_id(PREFIX, text).ok_or_else(|| StoreError::NotFound(KIND.noun()).into())
}

/// What is stored beside a chat completion: what listings look for, and what is replaced.
#[derive(Serialize, Deserialize)]
struct Label {
    model: String,
    metadata: BTreeMap<String, String>,
}

/// Stores a chat completion when it has ended.
pub(super) struct KeptChat {
    keeper: Keeper,
    pub metadata: BTreeMap<String, String>,
}

impl KeptChat {
    /// Stores a chat completion. A long one is stored without exact tokens and log-probabilities.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn keep(self, completion: &ChatCompletion) -> Result<(), ApiError> {
        let mut outcome = outcome(completion)?;
        if outcome.bytes() > MAX_STORED_BYTES as i64 {
            let mut shorter = ChatCompletion { prompt_token_ids: None, prompt_logprobs: None, ..completion.clone() };
            for choice in &mut shorter.choices {
                (choice.logprobs, choice.token_ids, choice.prompt_token_ids) = (None, None, None);
            }
            outcome = self::outcome(&shorter)?;
        }
        self.keeper.store(outcome).await
    }
}

/// Returns what is stored of a chat completion.
fn outcome(completion: &ChatCompletion) -> Result<ResponseOutcome, ApiError> {
    let metadata = completion.metadata.clone().unwrap_or_default();
    let object = text(&Label { model: completion.model.clone(), metadata })?;
    let item = ResponseItem { id: completion.id.clone(), is_output: true, json: text(completion)? };
    Ok(ResponseOutcome { state: ResponseState::Completed, object, items: vec![item], events: None })
}

fn text(value: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(value).map_err(ApiError::internal)
}

/// Returns a stored chat completion as clients see it.
fn shown(record: &ResponseRecord) -> Result<ChatCompletion, ApiError> {
    let stored = record.items.iter().find(|item| item.is_output).map_or("", |item| &item.json);
    reserve_response(PER_BYTE * stored.len())?;
    let completion: ChatCompletion = serde_json::from_str(stored).map_err(unreadable)?;
    let Label { metadata, .. } = serde_json::from_str(&record.object).map_err(unreadable)?;
    Ok(ChatCompletion { metadata: Some(metadata), ..completion })
}

/// Returns a stored message as clients see it.
fn message(item: &ResponseItem) -> Result<StoredChatMessage, ApiError> {
    let mut message: Value = serde_json::from_str(&item.json).map_err(unreadable)?;
    let content = message["content"].take();
    let (text, parts) = if content.is_array() { (Value::Null, content) } else { (content, Value::Null) };
    (message["id"], message["content"], message["content_parts"]) = (json!(item.id), text, parts);
    if message.get("refusal").is_none() {
        message["refusal"] = Value::Null;
    }
    serde_json::from_value(message).map_err(unreadable)
}

impl Api {
    /// Decides whether a chat completion is stored.
    ///
    /// # Errors
    /// Returns 422 if the request asks for it and it is impossible.
    pub(super) fn kept_chat(
        &self,
        entity: &str,
        id: Uuid,
        body: &ChatCompletionRequest,
    ) -> Result<Option<KeptChat>, ApiError> {
        if body.store != Some(true) {
            return Ok(None);
        }
        let metadata = notes(body)?;
        let name = wire_id(id);
        let item = |(index, message): (usize, &crate::json::Verbatim<_>)| ResponseItem {
            id: format!("{name}-{index}"),
            is_output: false,
            json: message.text().to_owned(),
        };
        let items = body.messages.iter().enumerate().map(item).collect();
        let keeper = self.room_for(entity, KIND, id, items);
        let keeper = keeper.map_err(|reason| ApiError::invalid("store", format!("store is not possible: {reason}")))?;
        Ok(Some(KeptChat { keeper, metadata }))
    }

    /// Handles `GET /v1/chat/completions`.
    pub(super) async fn stored_chats(
        &self,
        caller: Caller,
        input: ListChatCompletionsInput,
    ) -> Result<ListChatCompletionsOutput, ApiError> {
        let after = cursor(PREFIX, input.after.as_deref());
        let request = page_request(after.as_deref(), input.limit, input.order)?;
        let wanted = wanted_notes(input.metadata.as_deref())?;
        let short = |name: &str| name.strip_prefix(SCHEME).unwrap_or(name).to_owned();
        let model = input.model.as_deref().map(short);
        let is_wanted = |record: &ResponseRecord| {
            let Ok(label) = serde_json::from_str::<Label>(&record.object) else { return false };
            wanted.iter().all(|(name, text)| label.metadata.get(name) == Some(text))
                && model.as_ref().is_none_or(|model| *model == short(&label.model))
        };
        let read = |request| self.metadata.list_responses(&caller.entity, KIND, request);
        let found = matching(request, read, |record| record.id, is_wanted).await?;
        let mut data = Vec::with_capacity(found.items.len());
        for record in &found.items {
            // One that was deleted in the meantime is left out.
            let whole = self.metadata.get_response(&caller.entity, KIND, record.id).await.optional()?;
            data.extend(whole.as_ref().map(shown).transpose()?);
        }
        Ok(page!(ChatCompletionPage, data, found.has_more).into())
    }

    /// Handles `GET /v1/chat/completions/{completion_id}`.
    pub(super) async fn stored_chat(
        &self,
        caller: Caller,
        input: GetChatCompletionInput,
    ) -> Result<GetChatCompletionOutput, ApiError> {
        let id = parse_id(&input.completion_id)?;
        Ok(shown(&self.metadata.get_response(&caller.entity, KIND, id).await?)?.into())
    }

    /// Handles `POST /v1/chat/completions/{completion_id}`.
    pub(super) async fn update_stored_chat(
        &self,
        caller: Caller,
        input: UpdateChatCompletionInput,
    ) -> Result<UpdateChatCompletionOutput, ApiError> {
        let id = parse_id(&input.completion_id)?;
        let metadata = input.body.metadata;
        check_names(metadata.iter().flatten().map(|(name, _)| name))?;
        let mut record = self.metadata.get_response(&caller.entity, KIND, id).await?;
        let Label { model, .. } = serde_json::from_str(&record.object).map_err(unreadable)?;
        record.object = text(&Label { model, metadata: metadata.unwrap_or_default() })?;
        self.metadata.replace_response_object(&caller.entity, KIND, id, &record.object).await?;
        Ok(shown(&record)?.into())
    }

    /// Handles `DELETE /v1/chat/completions/{completion_id}`.
    pub(super) async fn delete_stored_chat(
        &self,
        caller: Caller,
        input: DeleteChatCompletionInput,
    ) -> Result<DeleteChatCompletionOutput, ApiError> {
        let id = parse_id(&input.completion_id)?;
        self.metadata.delete_response(&caller.entity, KIND, id).await?;
        let object = DeletedChatCompletionObject::ChatCompletionDeleted;
        Ok(DeleteChatCompletionResponse { id: wire_id(id), object, deleted: true }.into())
    }

    /// Handles `GET /v1/chat/completions/{completion_id}/messages`.
    pub(super) async fn messages_of_stored_chat(
        &self,
        caller: Caller,
        input: ListChatCompletionMessagesInput,
    ) -> Result<ListChatCompletionMessagesOutput, ApiError> {
        let id = parse_id(&input.completion_id)?;
        let record = self.metadata.get_response(&caller.entity, KIND, id).await?;
        let is_descending = input.order == SortOrder::Desc;
        let (items, has_more) = items_of_page(record.items, is_descending, input.after.as_deref(), input.limit)?;
        reserve_response(PER_BYTE * items.iter().map(|item| item.json.len()).sum::<usize>())?;
        let data = items.iter().map(message).collect::<Result<_, _>>()?;
        Ok(page!(StoredChatMessagePage, data, has_more).into())
    }
}

/// Reads the metadata of a request.
fn notes(body: &ChatCompletionRequest) -> Result<BTreeMap<String, String>, ApiError> {
    let invalid = |message: String| ApiError::invalid("metadata", message);
    let Some(metadata) = &body.metadata else { return Ok(BTreeMap::new()) };
    let metadata: BTreeMap<String, String> = metadata
        .read()
        .map_err(|error| invalid(format!("the metadata of a stored completion are texts by name: {error}")))?;
    check_names(metadata.keys())?;
    if metadata.len() > MAX_NOTES || metadata.values().any(|text| text.chars().count() > MAX_NOTE_LENGTH) {
        return Err(invalid(format!("metadata has at most {MAX_NOTES} texts of {MAX_NOTE_LENGTH} characters")));
    }
    Ok(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_messages_have_their_content_in_one_of_two_forms() {
        let shown = |json: Value| {
            let item = ResponseItem { id: "chatcmpl-1-0".to_owned(), is_output: false, json: json.to_string() };
            serde_json::to_value(message(&item).unwrap()).unwrap()
        };
        let plain = shown(json!({"role": "user", "content": "hi", "name": "alice"}));
        assert_eq!(
            plain,
            json!({"id": "chatcmpl-1-0", "role": "user", "content": "hi", "content_parts": null, "refusal": null,
                "name": "alice"})
        );
        let parts = json!([{"type": "text", "text": "hi"}]);
        let in_parts = shown(json!({"role": "user", "content": parts}));
        assert_eq!((&in_parts["content"], &in_parts["content_parts"]), (&Value::Null, &parts));
        let called = shown(json!({"role": "assistant", "tool_calls": [{"id": "c"}], "refusal": "no"}));
        assert_eq!((&called["content"], &called["refusal"]), (&Value::Null, &json!("no")));
        assert_eq!(called["tool_calls"], json!([{"id": "c"}]));
    }
}
