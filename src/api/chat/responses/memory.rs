//! Memory of responses: the stored items that a request refers to, and what is stored of its response.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use super::super::super::Api;
use super::super::super::ignored::Ignored;
use super::super::super::job_view::same_variants;
use super::super::super::paging::{parse_prefixed_id, prefixed_id};
use super::replay::Step;
use crate::generated::types::{
    ResponseError, ResponseErrorCode, ResponseInput, ResponseInputItem, ResponseInputItemType as ItemType,
    ResponseObject, ResponseOutputItem, ResponseRequest, ResponseRole, ResponseStatus,
};
use crate::http::{ApiError, reserve_response};
use crate::store::metadata::{Metadata, OptionalExtension, StoreError};
use crate::store::records::{NewResponse, ResponseItem, ResponseOutcome, ResponseRecord, ResponseState, StoredKind};

/// Prefix of the ids of responses.
const PREFIX: &str = "resp_";
/// Bytes that the stored responses of an entity may have.
const ROOM: i64 = 1 << 30;
/// Bytes of an input that is stored, and of a response that is stored with exact tokens and log-probabilities.
pub(in super::super) const MAX_STORED_BYTES: usize = 8 << 20;
/// Number of stored items that a request may refer to.
const MAX_REFERENCES: usize = 1024;
/// Memory of a stored item, in bytes for each byte of its text.
pub(in super::super) const PER_BYTE: usize = 3;
/// Message about a response whose process ended first.
const LOST: &str = "the process that sampled this response ended before it; send the request again";

/// Returns the id of a response as clients see it.
pub(super) fn wire_id(id: Uuid) -> String {
    prefixed_id(PREFIX, id)
}

/// Parses the id of a response. Any other text is the id of none.
pub(super) fn parse_id(text: &str) -> Result<Uuid, ApiError> {
    parse_prefixed_id(PREFIX, text).ok_or_else(|| StoreError::NotFound("response").into())
}

/// Stored items that a request refers to.
#[derive(Debug, Default)]
pub(super) struct Recalled {
    /// The conversation that the request continues.
    pub context: Vec<ResponseInputItem>,
    /// Items by id.
    pub references: HashMap<String, ResponseInputItem>,
}

impl Api {
    /// Reads the stored items that a request refers to.
    ///
    /// # Errors
    /// Returns 404 for an id that is not stored, and 422 for a response that cannot be continued.
    pub(super) async fn recall(&self, entity: &str, body: &ResponseRequest) -> Result<Recalled, ApiError> {
        let context = match &body.previous_response_id {
            None => Vec::new(),
            Some(previous) => self.conversation(entity, previous).await?,
        };
        let mut wanted = HashMap::new();
        for item in &context {
            add_reference(&mut wanted, item, || "previous_response_id".to_owned());
        }
        if let Some(ResponseInput::Array(items)) = &body.input {
            for (index, item) in items.iter().enumerate() {
                add_reference(&mut wanted, item, || format!("input[{index}].id"));
            }
        }
        let references = self.references(entity, wanted).await?;
        Ok(Recalled { context, references })
    }

    /// Reads the conversation that ends with a response.
    async fn conversation(&self, entity: &str, previous: &str) -> Result<Vec<ResponseInputItem>, ApiError> {
        const FIELD: &str = "previous_response_id";
        let absent =
            |message: String| ApiError::not_found(message).with_param(FIELD).with_code("previous_response_not_found");
        let found = match parse_prefixed_id(PREFIX, previous) {
            None => None,
            Some(id) => {
                self.metadata.stored_conversation(entity, id).await.optional().map_err(|error| match error {
                    StoreError::InvalidValue(message) => ApiError::invalid(FIELD, message),
                    other => other.into(),
                })?
            }
        };
        let Some(conversation) = found else {
            let message = "there is no such response; it was not stored, or it is deleted or expired";
            return Err(absent(message.to_owned()));
        };
        if let Some(missing) = conversation.missing {
            let missing = wire_id(missing);
            return Err(absent(format!("the conversation lacks {missing}, which is deleted or expired")));
        }
        if !conversation.state.has_output() {
            let message = format!("the response cannot be continued: its status is {}", conversation.state.as_str());
            return Err(ApiError::invalid(FIELD, message));
        }
        read_items(&conversation.items)
    }

    /// Reads the items with these ids, each of which stands at a path of the request.
    async fn references(
        &self,
        entity: &str,
        wanted: HashMap<String, String>,
    ) -> Result<HashMap<String, ResponseInputItem>, ApiError> {
        if wanted.is_empty() {
            return Ok(HashMap::new());
        }
        if wanted.len() > MAX_REFERENCES {
            let message = format!("input refers to {} stored items; {MAX_REFERENCES} are possible", wanted.len());
            return Err(ApiError::invalid("input", message));
        }
        let ids: Vec<String> = wanted.keys().cloned().collect();
        let found = self.metadata.find_response_items(entity, &ids).await?;
        let items = read_items(&found)?;
        let items: HashMap<String, ResponseInputItem> =
            found.into_iter().map(|item| item.id).zip(items).filter(|(_, item)| !is_reference(item)).collect();
        match wanted.into_iter().find(|(id, _)| !items.contains_key(id)) {
            None => Ok(items),
            Some((id, at)) => {
                let message = format!(
                    "{at}: there is no stored item {id:?}; items are stored with `store` true, otherwise send the item itself"
                );
                Err(ApiError::not_found(message).with_param(at).with_code("item_not_found"))
            }
        }
    }

    /// Decides whether the response to a request is stored.
    ///
    /// # Errors
    /// Returns 422 if the request requires it and it is impossible.
    pub(super) fn keeper(
        &self,
        entity: &str,
        id: Uuid,
        body: &ResponseRequest,
        ignored: &mut Ignored,
    ) -> Result<Option<Keeper>, ApiError> {
        let needs = if body.background == Some(true) { "background" } else { "store" };
        let is_required = needs == "background" || body.store == Some(true);
        let reject = |reason: &str| Err(ApiError::invalid(needs, format!("{needs} is not possible: {reason}")));
        if body.store == Some(false) {
            return if is_required { reject("`store` is false; leave it out") } else { Ok(None) };
        }
        if self.facts.response_life.is_zero() && !is_required {
            return Ok(None);
        }
        let previous = body.previous_response_id.as_deref().map(parse_id).transpose()?;
        match self.room_for(entity, StoredKind::Response, id, input_items(body.input.as_ref())?) {
            Ok(keeper) => Ok(Some(Keeper { previous, ..keeper })),
            Err(reason) if is_required => reject(&reason),
            Err(_) => {
                ignored.add_if(true, "store");
                Ok(None)
            }
        }
    }

    /// Returns what stores the result of a request with these items, or why it cannot be stored.
    pub(in super::super) fn room_for(
        &self,
        entity: &str,
        kind: StoredKind,
        id: Uuid,
        items: Vec<ResponseItem>,
    ) -> Result<Keeper, String> {
        let life = self.facts.response_life;
        if life.is_zero() {
            return Err(format!("this server stores no {}s", kind.noun()));
        }
        let bytes: usize = items.iter().map(|item| item.json.len()).sum();
        if bytes > MAX_STORED_BYTES {
            return Err(format!(
                "the request has {bytes} bytes, {MAX_STORED_BYTES} can be stored; set `store` to false"
            ));
        }
        let (metadata, entity) = (self.metadata.clone(), entity.to_owned());
        Ok(Keeper { metadata, id, kind, entity, previous: None, items, life })
    }
}

/// Adds the id of an item that refers to a stored one.
fn add_reference(wanted: &mut HashMap<String, String>, item: &ResponseInputItem, at: impl FnOnce() -> String) {
    if is_reference(item)
        && let Some(id) = &item.id
    {
        wanted.entry(id.clone()).or_insert_with(at);
    }
}

fn is_reference(item: &ResponseInputItem) -> bool {
    item.type_ == Some(ItemType::ItemReference)
}

fn read_items(items: &[ResponseItem]) -> Result<Vec<ResponseInputItem>, ApiError> {
    reserve_response(items.iter().map(|item| PER_BYTE * item.json.len()).sum())?;
    items.iter().map(|item| serde_json::from_str(&item.json).map_err(unreadable)).collect()
}

/// Converts the error of a stored text, which this program or an older one has written.
pub(in super::super) fn unreadable(error: serde_json::Error) -> ApiError {
    ApiError::internal(format!("what is stored cannot be read: {error}"))
}

/// Returns the items of an input as they are stored: each has an id and a type.
fn input_items(input: Option<&ResponseInput>) -> Result<Vec<ResponseItem>, ApiError> {
    match input {
        None => Ok(Vec::new()),
        Some(ResponseInput::String(text)) => Ok(vec![said(text)]),
        Some(ResponseInput::Array(items)) => items.iter().map(sent).collect(),
    }
}

/// Returns a message of the user as it is stored.
pub(super) fn said(text: &str) -> ResponseItem {
    let content = [json!({"type": "input_text", "text": text})];
    with_id(json!({"type": "message", "role": "user", "status": "completed", "content": content}))
}

/// Returns an item that was sent as it is stored.
pub(super) fn sent(item: &ResponseInputItem) -> Result<ResponseItem, ApiError> {
    let mut value = serde_json::to_value(item).map_err(ApiError::internal)?;
    if item.type_.unwrap_or(ItemType::Message) == ItemType::Message {
        // Client libraries read messages in their long form.
        let kind = if item.role == Some(ResponseRole::Assistant) { "output_text" } else { "input_text" };
        if let Some(text) = value["content"].as_str() {
            value["content"] = match kind {
                "output_text" => json!([{"type": kind, "text": text, "annotations": []}]),
                _ => json!([{"type": kind, "text": text}]),
            };
        }
        value["status"] = json!("completed");
    }
    Ok(with_id(value))
}

/// Returns an item with its id and type.
fn with_id(mut item: Value) -> ResponseItem {
    let type_ = item["type"].as_str().unwrap_or("message").to_owned();
    let id = item["id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
    let id = id.unwrap_or_else(|| new_id(&type_));
    item["id"] = json!(id);
    item["type"] = json!(type_);
    ResponseItem { id, is_output: false, json: item.to_string() }
}

/// Returns an id for an item of this type.
pub(super) fn new_id(type_: &str) -> String {
    let prefix = match type_ {
        "compaction" => "cmp",
        "function_call" => "fc",
        "function_call_output" => "fco",
        "custom_tool_call" => "ctc",
        "custom_tool_call_output" => "ctco",
        "reasoning" => "rs",
        _ => "msg",
    };
    format!("{prefix}_{}", Uuid::new_v4().simple())
}

/// Stores a response or a chat completion.
pub(in super::super) struct Keeper {
    metadata: Arc<dyn Metadata>,
    id: Uuid,
    kind: StoredKind,
    entity: String,
    previous: Option<Uuid>,
    items: Vec<ResponseItem>,
    life: Duration,
}

impl Keeper {
    /// Stores a response that has ended.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn keep(self, response: &ResponseObject) -> Result<(), ApiError> {
        self.store(outcome(response, None)?).await
    }

    /// Stores what a request has brought, behind what was sent.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(in super::super) async fn store(self, mut outcome: ResponseOutcome) -> Result<(), ApiError> {
        let Self { metadata, id, kind, entity, previous, items, life } = self;
        outcome.items.splice(0..0, items);
        let stored = NewResponse { id, kind, entity, previous, outcome, life, room: ROOM, lease: None };
        Ok(metadata.store_response(stored).await?)
    }

    /// Stores a response that is sampled in the background, with its input.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn begin(&mut self, response: &ResponseObject, lease: Duration) -> Result<(), ApiError> {
        let mut outcome = outcome(response, None)?;
        outcome.items = std::mem::take(&mut self.items);
        let Self { id, kind, ref entity, previous, life, .. } = *self;
        let (entity, lease) = (entity.clone(), Some(lease));
        let stored = NewResponse { id, kind, entity, previous, outcome, life, room: ROOM, lease };
        Ok(self.metadata.store_response(stored).await?)
    }

    /// Renews the lease on a response in the background; returns false if it has ended.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn renew(&self, lease: Duration) -> Result<bool, ApiError> {
        Ok(self.metadata.renew_response(self.id, lease).await?)
    }

    /// Stores the end of a response in the background; returns false if it was cancelled or deleted.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn finish(&self, response: &ResponseObject, steps: &[Step]) -> Result<bool, ApiError> {
        let steps = serde_json::to_string(steps).map_err(ApiError::internal)?;
        let outcome = outcome(response, Some(steps))?;
        Ok(self.metadata.finish_response(&self.entity, self.id, outcome).await?)
    }
}

same_variants!(ResponseState, ResponseStatus: InProgress, Completed, Incomplete, Failed, Cancelled);

/// Returns what is stored of a response. A long one is stored without exact tokens and log-probabilities.
fn outcome(response: &ResponseObject, events: Option<String>) -> Result<ResponseOutcome, ApiError> {
    let outcome = whole_outcome(response, events)?;
    if outcome.bytes() <= MAX_STORED_BYTES as i64 {
        return Ok(outcome);
    }
    let mut shorter = ResponseObject { token_generations: None, ..response.clone() };
    for item in &mut shorter.output {
        if let ResponseOutputItem::ResponseMessage(message) = item {
            message.content.iter_mut().for_each(|part| part.logprobs.clear());
        }
    }
    whole_outcome(&shorter, outcome.events)
}

fn whole_outcome(response: &ResponseObject, events: Option<String>) -> Result<ResponseOutcome, ApiError> {
    let item = |item: &ResponseOutputItem| {
        let json = serde_json::to_string(item).map_err(ApiError::internal)?;
        Ok::<_, ApiError>(ResponseItem { id: item_id(item).to_owned(), is_output: true, json })
    };
    let items = response.output.iter().map(item).collect::<Result<_, _>>()?;
    let object = ResponseObject { output: Vec::new(), ..response.clone() };
    let object = serde_json::to_string(&object).map_err(ApiError::internal)?;
    Ok(ResponseOutcome { state: response.status.into(), object, items, events })
}

/// Returns the id of an item.
pub(super) fn item_id(item: &ResponseOutputItem) -> &String {
    match item {
        ResponseOutputItem::ResponseMessage(message) => &message.id,
        ResponseOutputItem::ResponseFunctionCall(call) => &call.id,
        ResponseOutputItem::ResponseCustomToolCall(call) => &call.id,
        ResponseOutputItem::ResponseThoughts(thoughts) => &thoughts.id,
    }
}

/// Returns a stored response as clients see it.
///
/// # Errors
/// Returns 500 if what is stored is damaged.
pub(super) fn shown(record: &ResponseRecord) -> Result<ResponseObject, ApiError> {
    reserve_response(
        PER_BYTE * (record.object.len() + record.items.iter().map(|item| item.json.len()).sum::<usize>()),
    )?;
    let mut response: ResponseObject = serde_json::from_str(&record.object).map_err(unreadable)?;
    let output = record.items.iter().filter(|item| item.is_output);
    response.output =
        output.map(|item| serde_json::from_str(&item.json).map_err(unreadable)).collect::<Result<_, _>>()?;
    response.status = record.state.into();
    if record.is_lost {
        response.error = Some(ResponseError { code: ResponseErrorCode::ServerError, message: LOST.to_owned() });
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_stored_with_ids_and_types() {
        let stored = |input: Value| {
            let items = input_items(Some(&serde_json::from_value(input).unwrap())).unwrap();
            items.into_iter().map(|item| (item.id, serde_json::from_str(&item.json).unwrap())).collect::<Vec<_>>()
        };
        let text: Vec<(String, Value)> = stored(json!("hi"));
        assert!(text[0].0.starts_with("msg_") && text[0].1["id"] == *text[0].0);
        assert_eq!(text[0].1["content"], json!([{"type": "input_text", "text": "hi"}]));
        let items: Vec<(String, Value)> = stored(json!([
            {"role": "assistant", "content": "a"},
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": ""},
            {"type": "function_call_output", "call_id": "c", "output": "1", "id": "mine"},
            {"type": "item_reference", "id": "rs_1"},
        ]));
        assert_eq!(items[0].1["content"][0], json!({"type": "output_text", "text": "a", "annotations": []}));
        assert!(items[1].0.starts_with("fc_") && items[1].1["name"] == "f");
        assert_eq!((&*items[2].0, &items[2].1["output"]), ("mine", &json!("1")));
        assert_eq!(items[3].1, json!({"type": "item_reference", "id": "rs_1"}));
    }
}
