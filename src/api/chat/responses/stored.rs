//! Operations on stored responses, and the count of input tokens.

use futures_util::StreamExt;
use serde_json::Value;

use super::super::super::Api;
use super::super::super::paging::page;
use super::background::Reader;
use super::memory::{parse_id, shown, unreadable, wire_id};
use super::{failure, read};
use crate::auth::Caller;
use crate::chat::PromptTokens;
use crate::generated::server::chat::{
    CancelResponseInput, CancelResponseOutput, CountResponseTokensInput, CountResponseTokensOutput,
    DeleteResponseInput, DeleteResponseOutput, GetResponseInput, GetResponseOutput, ListResponseInputItemsInput,
    ListResponseInputItemsOutput,
};
use crate::generated::types::{
    DeleteResponseResponse, FileOrder, ResponseEvent, ResponseItemPage, ResponseObjectName, ResponseStoredItem,
    ResponseTokenCount, ResponseTokenCountObject,
};
use crate::http::{ApiError, EventLabel, EventStream, take_body_memory};
use crate::store::records::{ResponseItem, StoredKind};

impl Api {
    /// Handles `GET /v1/responses/{response_id}`.
    pub(in super::super) async fn stored_response(
        &self,
        caller: Caller,
        input: GetResponseInput,
    ) -> Result<GetResponseOutput, ApiError> {
        let id = parse_id(&input.response_id)?;
        let record = self.metadata.get_response(&caller.entity, StoredKind::Response, id).await?;
        if !input.stream {
            if input.starting_after.is_some() {
                return Err(ApiError::invalid("starting_after", "starting_after is for `stream` true"));
            }
            return Ok(shown(&record)?.into());
        }
        if !record.is_background {
            let message = "the response was not created with `background`, so it has no events to read again";
            return Err(ApiError::invalid("stream", message));
        }
        let first =
            input.starting_after.map_or(0, |last| usize::try_from(last).unwrap_or(usize::MAX).saturating_add(1));
        let permit = self.admit_stream(&caller)?;
        let reader = Reader::new(self.metadata.clone(), caller.entity, id, first, self.background.find(id));
        let events = self.until_revoked(caller.key_id, reader.events()).inspect(move |_| _ = &permit);
        let label = |event: &ResponseEvent| EventLabel { id: None, event: event.type_.to_string() };
        Ok(GetResponseOutput::OkEventStream(EventStream::new(events).without_done().labelled(label)))
    }

    /// Handles `DELETE /v1/responses/{response_id}`.
    pub(in super::super) async fn delete_stored_response(
        &self,
        caller: Caller,
        input: DeleteResponseInput,
    ) -> Result<DeleteResponseOutput, ApiError> {
        let id = parse_id(&input.response_id)?;
        self.metadata.delete_response(&caller.entity, StoredKind::Response, id).await?;
        if let Some(live) = self.background.find(id) {
            live.cancel();
        }
        Ok(DeleteResponseResponse { id: wire_id(id), object: ResponseObjectName::Response, deleted: true }.into())
    }

    /// Handles `POST /v1/responses/{response_id}/cancel`.
    pub(in super::super) async fn cancel_stored_response(
        &self,
        caller: Caller,
        input: CancelResponseInput,
    ) -> Result<CancelResponseOutput, ApiError> {
        let id = parse_id(&input.response_id)?;
        let cancelled = self.metadata.cancel_response(&caller.entity, id).await?;
        let record = self.metadata.get_response(&caller.entity, StoredKind::Response, id).await?;
        if !record.is_background {
            return Err(ApiError::conflict("only a response that was created with `background` can be cancelled"));
        }
        if let Some(live) = self.background.find(id).filter(|_| cancelled) {
            live.cancel();
        }
        Ok(shown(&record)?.into())
    }

    /// Handles `GET /v1/responses/{response_id}/input_items`.
    pub(in super::super) async fn input_items_of(
        &self,
        caller: Caller,
        input: ListResponseInputItemsInput,
    ) -> Result<ListResponseInputItemsOutput, ApiError> {
        let id = parse_id(&input.response_id)?;
        let record = self.metadata.get_response(&caller.entity, StoredKind::Response, id).await?;
        let is_descending = input.order == FileOrder::Desc;
        let (items, has_more) = items_of_page(record.items, is_descending, input.after.as_deref(), input.limit)?;
        let items = self.resolved(&caller.entity, items).await?;
        let data = items.iter().map(stored_item).collect::<Result<_, ApiError>>()?;
        Ok(page!(ResponseItemPage, data, has_more).into())
    }

    /// Replaces references by the items that they stand for, as far as these are stored.
    async fn resolved(&self, entity: &str, items: Vec<ResponseItem>) -> Result<Vec<ResponseItem>, ApiError> {
        let is_reference = |item: &ResponseItem| {
            let value: Option<Value> = serde_json::from_str(&item.json).ok();
            value.is_some_and(|value| value["type"] == "item_reference")
        };
        let ids: Vec<String> = items.iter().filter(|item| is_reference(item)).map(|item| item.id.clone()).collect();
        if ids.is_empty() {
            return Ok(items);
        }
        let found = self.metadata.find_response_items(entity, &ids).await?;
        let resolve = |item: ResponseItem| {
            let referred = found.iter().find(|found| ids.contains(&item.id) && found.id == item.id);
            referred.cloned().unwrap_or(item)
        };
        Ok(items.into_iter().map(resolve).collect())
    }

    /// Handles `POST /v1/responses/input_tokens`.
    pub(in super::super) async fn count_input_tokens(
        &self,
        caller: Caller,
        input: CountResponseTokensInput,
    ) -> Result<CountResponseTokensOutput, ApiError> {
        let body = input.body;
        let ignored = read::ignored(&body)?;
        let (target, ignored) = self.target(&caller, &body.model, ignored).await?;
        let recalled = self.recall(&caller.entity, &body).await?;
        let (model, memory, owner) = (target.base.served.clone(), take_body_memory(), caller.entity);
        let count =
            model.tokens_from(memory, move || read::request(&body, &recalled, &owner)).await.map_err(failure)?;
        let PromptTokens { tokens, adaptations, ignored: names } = count;
        ignored.with_adaptations(&adaptations).with_names(names).tell();
        let object = ResponseTokenCountObject::ResponseInputTokens;
        Ok(ResponseTokenCount { object, input_tokens: tokens.len() as u64 }.into())
    }
}

/// Returns a page of the items that were sent, and whether more follow.
///
/// # Errors
/// Returns 422 for a cursor that is no such item.
pub(in super::super) fn items_of_page(
    items: Vec<ResponseItem>,
    is_descending: bool,
    after: Option<&str>,
    limit: u32,
) -> Result<(Vec<ResponseItem>, bool), ApiError> {
    let mut items: Vec<ResponseItem> = items.into_iter().filter(|item| !item.is_output).collect();
    if is_descending {
        items.reverse();
    }
    let first = match after {
        None => 0,
        Some(after) => {
            let message = "the cursor is not an item of this listing; pass the `last_id` of a page";
            let found = items.iter().position(|item| item.id == *after);
            found.ok_or_else(|| ApiError::invalid("after", message))? + 1
        }
    };
    let has_more = items.len() - first > limit as usize;
    Ok((items.into_iter().skip(first).take(limit as usize).collect(), has_more))
}

pub(super) fn stored_item(item: &ResponseItem) -> Result<ResponseStoredItem, ApiError> {
    serde_json::from_str(&item.json).map_err(unreadable)
}
