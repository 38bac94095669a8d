//! Batches of messages in Anthropic's format: the batches of `/v1/messages`, by other names.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader};

use axum::body::Bytes;
use chrono::{DateTime, SecondsFormat};
use futures_core::Stream;
use futures_util::stream;
use serde_json::json;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::Api;
use super::batches::WINDOW;
use super::files::keep;
use super::paging::{cursor, matching, page_request, parse_prefixed_id, prefixed_id};
use super::paths::caller_address;
use super::usage::project_of;
use crate::auth::Caller;
use crate::batches::{CANCELLED, EXPIRED, Outcome, check_line, outcome};
use crate::generated::server::batches::*;
use crate::generated::types::{
    DeletedMessageBatch, DeletedMessageBatchType, MessageBatch, MessageBatchCounts, MessageBatchPage,
    MessageBatchRequest, MessageBatchStatus, MessageBatchType, SortOrder,
};
use crate::http::{ApiError, Download, reserve_response};
use crate::store::artifacts::{ArtifactId, Artifacts};
use crate::store::metadata::{OptionalExtension, StoreError};
use crate::store::records::{BatchRecord, BatchStatus, FilePurpose, NewBatch, NewFile, UnixMillis};

/// Operation that handles the requests.
const ENDPOINT: &str = "/v1/messages";
/// Prefix of the ids of batches in this format.
const PREFIX: &str = "msgbatch_";
/// Lifetime of requests and results: 29 days, in milliseconds.
const LIFE: i64 = 29 * 24 * 60 * 60 * 1000;
/// Memory of a batch of a list.
const LISTED_BYTES: usize = 1024;

fn parse_id(text: &str) -> Result<Uuid, ApiError> {
    parse_prefixed_id(PREFIX, text).ok_or_else(|| StoreError::NotFound("batch").into())
}

/// Returns the name of the file with the requests of a batch.
fn file_name(id: Uuid) -> String {
    format!("message_batch_{}.jsonl", id.simple())
}

/// Returns a request as a line of a batch's file.
fn line(request: &MessageBatchRequest) -> String {
    // A line break in JSON is white space.
    let params = request.params.text().replace(['\n', '\r'], " ");
    let id = json!(request.custom_id);
    format!(r#"{{"custom_id": {id}, "method": "POST", "url": "{ENDPOINT}", "body": {params}}}"#)
}

impl Api {
    /// Handles `POST /v1/messages/batches`.
    pub(super) async fn batch_messages(
        &self,
        caller: Caller,
        input: CreateMessageBatchInput,
    ) -> Result<CreateMessageBatchOutput, ApiError> {
        let room = self.room(&caller).await?;
        let (mut ids, mut writer) = (HashSet::new(), self.artifacts.writer());
        for (index, request) in input.body.requests.iter().enumerate() {
            let at = |field: &str| format!("requests[{index}].{field}");
            if !ids.insert(&request.custom_id) {
                let message = format!("an earlier request has the custom_id {:?} too", request.custom_id);
                return Err(ApiError::invalid(at("custom_id"), message));
            }
            let line = line(request);
            check_line(&line, ENDPOINT).map_err(|fault| {
                let of_params = |text: &str| text.replace("body", "params");
                ApiError::invalid(at(&of_params(fault.param.as_deref().unwrap_or("body"))), of_params(&fault.message))
            })?;
            writer.write(line.as_bytes()).await?;
            writer.write(b"\n").await?;
            room.check(writer.length())?;
        }
        let total = i64::try_from(ids.len()).map_err(ApiError::internal)?;
        let bytes = i64::try_from(writer.length()).map_err(ApiError::internal)?;
        let (id, artifact) = (Uuid::now_v7(), writer.finish().await?);
        let (entity, key_id) = (caller.entity, caller.key_id);
        let file = NewFile {
            id: Uuid::now_v7(),
            entity: entity.clone(),
            name: file_name(id),
            purpose: FilePurpose::Batch,
            bytes,
            artifact,
            life: Some(LIFE),
            key_id: Some(key_id),
            max_stored_bytes: caller.limits.stored_bytes,
            request: None,
        };
        let file = keep(self, file).await?;
        let batch = NewBatch {
            id,
            entity: entity.clone(),
            key_id,
            project: project_of([input.vendor_project, input.open_ai_project]),
            endpoint: ENDPOINT.to_owned(),
            input_file: file.id,
            total: Some(total),
            metadata: None,
            output_life: Some(LIFE),
            window: WINDOW,
            request: None,
        };
        let batch = match self.metadata.create_batch(batch).await {
            Ok(batch) => batch,
            Err(error) => {
                if error.is_rejection() {
                    self.remove_file(&entity, file.id).await?;
                }
                return Err(error.into());
            }
        };
        self.created_batch.notify_one();
        Ok(wire(&batch, &caller_address(input.host, input.x_forwarded_proto.as_deref())).into())
    }

    /// Handles `GET /v1/messages/batches`.
    pub(super) async fn batches_of_messages(
        &self,
        caller: Caller,
        input: ListMessageBatchesInput,
    ) -> Result<ListMessageBatchesOutput, ApiError> {
        // The listing goes away from its cursor.
        let (from, order) = match (input.after_id, input.before_id) {
            (Some(_), Some(_)) => {
                return Err(ApiError::invalid("before_id", "the page has either after_id or before_id; send one"));
            }
            (after, None) => (after, SortOrder::Desc),
            (None, before) => (before, SortOrder::Asc),
        };
        let request = page_request(cursor(PREFIX, from.as_deref()).as_deref(), input.limit, order)?;
        let read = |request| self.metadata.list_batches(&caller.entity, request);
        let is_of_messages = |batch: &BatchRecord| batch.endpoint == ENDPOINT;
        let mut page = matching(request, read, |batch| batch.id, is_of_messages).await?;
        if order == SortOrder::Asc {
            page.items.reverse();
        }
        reserve_response(page.items.len() * LISTED_BYTES)?;
        let address = caller_address(input.host, input.x_forwarded_proto.as_deref());
        let data: Vec<MessageBatch> = page.items.iter().map(|batch| wire(batch, &address)).collect();
        let [first_id, last_id] = [data.first(), data.last()].map(|batch| batch.map(|batch| batch.id.clone()));
        Ok(MessageBatchPage { data, has_more: page.has_more, first_id, last_id }.into())
    }

    /// Handles `GET /v1/messages/batches/{message_batch_id}`.
    pub(super) async fn batch_of_messages(
        &self,
        caller: Caller,
        input: GetMessageBatchInput,
    ) -> Result<GetMessageBatchOutput, ApiError> {
        let batch = self.own_batch(&caller, &input.message_batch_id).await?;
        Ok(wire(&batch, &caller_address(input.host, input.x_forwarded_proto.as_deref())).into())
    }

    /// Handles `POST /v1/messages/batches/{message_batch_id}/cancel`.
    pub(super) async fn cancel_batch_of_messages(
        &self,
        caller: Caller,
        input: CancelMessageBatchInput,
    ) -> Result<CancelMessageBatchOutput, ApiError> {
        let batch = self.own_batch(&caller, &input.message_batch_id).await?;
        let batch = self.metadata.cancel_batch(&caller.entity, batch.id).await?;
        Ok(wire(&batch, &caller_address(input.host, input.x_forwarded_proto.as_deref())).into())
    }

    /// Handles `DELETE /v1/messages/batches/{message_batch_id}`.
    pub(super) async fn delete_batch_of_messages(
        &self,
        caller: Caller,
        input: DeleteMessageBatchInput,
    ) -> Result<DeleteMessageBatchOutput, ApiError> {
        let batch = self.own_batch(&caller, &input.message_batch_id).await?;
        let unreferenced = self.metadata.delete_batch(&caller.entity, batch.id).await?;
        self.collect_later(unreferenced);
        // A file that the owner has uploaded stays.
        let file = self.metadata.get_file(&caller.entity, batch.input_file).await.optional()?;
        if file.is_some_and(|file| file.name == file_name(batch.id)) {
            self.remove_file(&caller.entity, batch.input_file).await?;
        }
        let type_ = DeletedMessageBatchType::MessageBatchDeleted;
        Ok(DeletedMessageBatch { id: prefixed_id(PREFIX, batch.id), type_ }.into())
    }

    /// Handles `GET /v1/messages/batches/{message_batch_id}/results`.
    pub(super) async fn results_of_messages(
        &self,
        caller: Caller,
        input: GetMessageBatchResultsInput,
    ) -> Result<GetMessageBatchResultsOutput, ApiError> {
        let batch = self.own_batch(&caller, &input.message_batch_id).await?;
        if batch.ended_at.is_none() {
            return Err(ApiError::conflict("the batch has no results yet: it has not ended"));
        }
        let mut content = Vec::new();
        for file in [batch.output_file, batch.error_file].into_iter().flatten() {
            // One that was deleted or has expired is left out.
            content.extend(self.metadata.get_file(&caller.entity, file).await.optional()?.map(|file| file.artifact));
        }
        Ok(Download::stream(results(self.artifacts.clone(), content), None).into())
    }

    async fn own_batch(&self, caller: &Caller, id: &str) -> Result<BatchRecord, ApiError> {
        let batch = self.metadata.get_batch(&caller.entity, parse_id(id)?).await?;
        if batch.endpoint == ENDPOINT { Ok(batch) } else { Err(StoreError::NotFound("batch").into()) }
    }

    async fn remove_file(&self, entity: &str, file: Uuid) -> Result<(), ApiError> {
        let unreferenced = self.metadata.delete_file(entity, file).await.optional()?;
        self.collect_later(unreferenced.unwrap_or_default());
        Ok(())
    }
}

fn wire(batch: &BatchRecord, address: &str) -> MessageBatch {
    let time = |at: UnixMillis| {
        DateTime::from_timestamp_millis(at).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
    };
    let count = |number: i64| number.unsigned_abs();
    let id = prefixed_id(PREFIX, batch.id);
    let nothing = MessageBatchCounts { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
    let (succeeded, errored, unanswered) = (count(batch.completed), count(batch.failed), count(batch.unanswered()));
    let request_counts = match batch.status {
        BatchStatus::Cancelled => MessageBatchCounts { succeeded, errored, canceled: unanswered, ..nothing },
        BatchStatus::Expired => MessageBatchCounts { succeeded, errored, expired: unanswered, ..nothing },
        BatchStatus::Completed | BatchStatus::Failed => {
            MessageBatchCounts { succeeded, errored: errored + unanswered, ..nothing }
        }
        _ => MessageBatchCounts { processing: count(batch.total.unwrap_or_default()), ..nothing },
    };
    MessageBatch {
        type_: MessageBatchType::MessageBatch,
        processing_status: match batch.status {
            BatchStatus::Cancelling => MessageBatchStatus::Canceling,
            status if status.is_final() => MessageBatchStatus::Ended,
            _ => MessageBatchStatus::InProgress,
        },
        request_counts,
        created_at: time(batch.created_at),
        expires_at: time(batch.expires_at),
        ended_at: batch.ended_at.map(time),
        archived_at: None,
        cancel_initiated_at: batch.cancelling_at.map(time),
        results_url: batch.ended_at.map(|_| format!("{address}{ENDPOINT}/batches/{id}/results")),
        id,
    }
}

/// Returns the lines of a batch's files as results. They are read as the client takes them.
fn results(
    artifacts: Artifacts,
    content: Vec<ArtifactId>,
) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + 'static {
    let (send, lines) = mpsc::channel(1);
    tokio::spawn(async move {
        let read = async {
            for artifact in content {
                let reader = artifacts.open(artifact).await.map_err(io::Error::other)?;
                let send = send.clone();
                let reading = tokio::task::spawn_blocking(move || {
                    for line in BufReader::new(reader).lines() {
                        // Without a receiver, the client is gone.
                        if send.blocking_send(Ok(Bytes::from(result(&line?)?))).is_err() {
                            break;
                        }
                    }
                    Ok::<_, io::Error>(())
                });
                reading.await??;
            }
            Ok::<_, io::Error>(())
        };
        if let Err(error) = read.await {
            // Without a receiver nobody needs it.
            let _ = send.send(Err(error)).await;
        }
    });
    stream::unfold(lines, |mut lines| async move { lines.recv().await.map(|line| (line, lines)) })
}

/// Returns a line of a batch's files as a result.
fn result(line: &str) -> io::Result<String> {
    let (id, outcome) = outcome(line).map_err(io::Error::other)?;
    let result = match outcome {
        Outcome::Response { body, is_success: true } => format!(r#"{{"type": "succeeded", "message": {body}}}"#),
        Outcome::Response { body, is_success: false } => format!(r#"{{"type": "errored", "error": {body}}}"#),
        Outcome::None { code, .. } if code == EXPIRED => json!({"type": "expired"}).to_string(),
        Outcome::None { code, .. } if code == CANCELLED => json!({"type": "canceled"}).to_string(),
        Outcome::None { message, .. } => {
            let error = json!({"type": "error", "error": {"type": "api_error", "message": message}});
            json!({"type": "errored", "error": error}).to_string()
        }
    };
    Ok(format!("{{\"custom_id\": {}, \"result\": {result}}}\n", json!(id)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn lines_of_files_are_results() {
        let read = |line: Value| serde_json::from_str::<Value>(&result(&line.to_string()).unwrap()).unwrap();
        let answered = |status: u16| {
            let response = json!({"status_code": status, "request_id": "r", "body": {"id": 1.5}});
            read(json!({"id": "x", "custom_id": "a \"b\"", "response": response, "error": null}))
        };
        assert_eq!(
            answered(200),
            json!({"custom_id": "a \"b\"", "result": {"type": "succeeded", "message": {"id": 1.5}}})
        );
        assert_eq!(answered(404)["result"], json!({"type": "errored", "error": {"id": 1.5}}));
        let unanswered = |code: &str| {
            let error = json!({"code": code, "message": "m"});
            read(json!({"id": "x", "custom_id": "a", "response": null, "error": error}))["result"].clone()
        };
        assert_eq!(unanswered(EXPIRED), json!({"type": "expired"}));
        assert_eq!(unanswered(CANCELLED), json!({"type": "canceled"}));
        assert_eq!(unanswered("other")["error"]["error"]["message"], "m");
    }
}
