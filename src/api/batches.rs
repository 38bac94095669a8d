//! Batches in OpenAI's format, and the handling of their requests.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tower::ServiceExt;
use uuid::Uuid;

use super::chat::anthropic_error;
use super::fine_tuning::check_names;
use super::job_view::{same_variants, seconds};
use super::paging::{cursor, page, page_request, parse_prefixed_id, prefixed_id};
use super::usage::project_of;
use super::{Api, files, idempotency};
use crate::auth::Caller;
use crate::batches::{Execute, LineRequest, LineResponse, MAX_FILE_BYTES};
use crate::engine::panic_text;
use crate::generated::server::batches::*;
use crate::generated::server::chat::chat_routes;
use crate::generated::types::{
    self, Batch, BatchErrors, BatchFault, BatchInputDetails, BatchObject, BatchOutputDetails, BatchPage,
    BatchRequestCounts, BatchUsage, BatchWindow, ListObject, SortOrder,
};
use crate::http::{ApiError, with_response_headers};
use crate::store::metadata::StoreError;
use crate::store::records::{BatchRecord, BatchStatus, FilePurpose, NewBatch};

/// Prefix of batch ids.
const PREFIX: &str = "batch_";
/// Time limit of a batch, in milliseconds.
pub(super) const WINDOW: i64 = 24 * 60 * 60 * 1000;
/// Maximum size of a response to a request of a batch.
const MAX_RESPONSE_BYTES: usize = 256 << 20;

tokio::task_local! {
    /// Caller on whose behalf the current task handles a request of a batch.
    static REQUESTER: Caller;
}

/// Returns the caller of the batch whose request the current task handles.
pub(super) fn requester() -> Option<Caller> {
    REQUESTER.try_with(Clone::clone).ok()
}

/// Returns the owner of an entity's samples. Those of batches have another one, which shares the sampler with it.
pub(super) fn sampling_owner(entity: &str) -> String {
    let is_batch = REQUESTER.try_with(|_| ()).is_ok();
    // No entity has a name with a control character.
    if is_batch { format!("{entity}\u{1}batch") } else { entity.to_owned() }
}

impl Batches for Api {
    async fn create_batch(&self, caller: Caller, input: CreateBatchInput) -> Result<CreateBatchOutput, ApiError> {
        let CreateBatchInput { body, idempotency_key, vendor_project, open_ai_project, .. } = input;
        check_names(body.metadata.iter().flatten().map(|(name, _)| name))?;
        let request = idempotency::record_of_body(idempotency_key, &[b"batch"], &body)?;
        let file = files::parse_id(&body.input_file_id).ok_or(StoreError::NotFound("file"));
        let file = match file {
            Ok(file) => self.metadata.get_file(&caller.entity, file).await,
            Err(error) => Err(error),
        };
        let file = file.map_err(|error| ApiError::from(error).with_param("input_file_id"))?;
        if file.purpose != FilePurpose::Batch {
            let message = format!("the file has the purpose {}; upload it as `batch`", file.purpose.as_str());
            return Err(ApiError::invalid("input_file_id", message));
        }
        if file.bytes > MAX_FILE_BYTES {
            let message = format!("the file has more than {MAX_FILE_BYTES} bytes; send it in parts");
            return Err(ApiError::invalid("input_file_id", message));
        }
        let id = Uuid::now_v7();
        let batch = NewBatch {
            id,
            entity: caller.entity,
            key_id: caller.key_id,
            project: project_of([vendor_project, open_ai_project]),
            endpoint: body.endpoint.to_string(),
            input_file: file.id,
            total: None,
            metadata: body.metadata.map(|notes| notes.into_iter().collect()),
            output_life: body.output_expires_after.map(|expiry| expiry.seconds.saturating_mul(1000)),
            window: WINDOW,
            request,
        };
        let batch = self.metadata.create_batch(batch).await?;
        self.created_batch.notify_one();
        let idempotency_replayed = (batch.id != id).then_some(true);
        Ok(CreateBatchOutput::Ok { headers: CreateBatchOkHeaders { idempotency_replayed }, body: wire(batch) })
    }

    async fn list_batches(&self, caller: Caller, input: ListBatchesInput) -> Result<ListBatchesOutput, ApiError> {
        let after = cursor(PREFIX, input.after.as_deref());
        let request = page_request(after.as_deref(), input.limit, SortOrder::Desc)?;
        let page = self.metadata.list_batches(&caller.entity, request).await?;
        Ok(page!(BatchPage, page.items.into_iter().map(wire).collect(), page.has_more).into())
    }

    async fn get_batch(&self, caller: Caller, input: GetBatchInput) -> Result<GetBatchOutput, ApiError> {
        let id = parse_id(&input.batch_id).ok_or(StoreError::NotFound("batch"))?;
        Ok(wire(self.metadata.get_batch(&caller.entity, id).await?).into())
    }

    async fn cancel_batch(&self, caller: Caller, input: CancelBatchInput) -> Result<CancelBatchOutput, ApiError> {
        let id = parse_id(&input.batch_id).ok_or(StoreError::NotFound("batch"))?;
        Ok(wire(self.metadata.cancel_batch(&caller.entity, id).await?).into())
    }

    async fn create_message_batch(
        &self,
        caller: Caller,
        input: CreateMessageBatchInput,
    ) -> Result<CreateMessageBatchOutput, ApiError> {
        self.batch_messages(caller, input).await
    }

    async fn list_message_batches(
        &self,
        caller: Caller,
        input: ListMessageBatchesInput,
    ) -> Result<ListMessageBatchesOutput, ApiError> {
        self.batches_of_messages(caller, input).await
    }

    async fn get_message_batch(
        &self,
        caller: Caller,
        input: GetMessageBatchInput,
    ) -> Result<GetMessageBatchOutput, ApiError> {
        self.batch_of_messages(caller, input).await
    }

    async fn cancel_message_batch(
        &self,
        caller: Caller,
        input: CancelMessageBatchInput,
    ) -> Result<CancelMessageBatchOutput, ApiError> {
        self.cancel_batch_of_messages(caller, input).await
    }

    async fn delete_message_batch(
        &self,
        caller: Caller,
        input: DeleteMessageBatchInput,
    ) -> Result<DeleteMessageBatchOutput, ApiError> {
        self.delete_batch_of_messages(caller, input).await
    }

    async fn get_message_batch_results(
        &self,
        caller: Caller,
        input: GetMessageBatchResultsInput,
    ) -> Result<GetMessageBatchResultsOutput, ApiError> {
        self.results_of_messages(caller, input).await
    }
}

fn parse_id(text: &str) -> Option<Uuid> {
    parse_prefixed_id(PREFIX, text)
}

same_variants!(
    BatchStatus, types::BatchStatus:
    Validating, InProgress, Finalizing, Completed, Failed, Expired, Cancelling, Cancelled
);

fn wire(batch: BatchRecord) -> Batch {
    let ended = |status: BatchStatus| batch.ended_at.filter(|_| batch.status == status).map(seconds);
    let count = |number: i64| number.unsigned_abs();
    let usage = batch.usage;
    // They are in the file of failures.
    let unanswered = match batch.status {
        BatchStatus::Expired | BatchStatus::Cancelled => batch.unanswered(),
        _ => 0,
    };
    let fault = |fault: crate::store::records::BatchFault| BatchFault {
        code: fault.code,
        line: fault.line,
        message: fault.message,
        param: fault.param,
    };
    Batch {
        id: prefixed_id(PREFIX, batch.id),
        object: BatchObject::Batch,
        input_file_id: files::wire_id(batch.input_file),
        completion_window: BatchWindow::N24h,
        status: batch.status.into(),
        output_file_id: batch.output_file.map(files::wire_id),
        error_file_id: batch.error_file.map(files::wire_id),
        created_at: seconds(batch.created_at),
        in_progress_at: batch.in_progress_at.map(seconds),
        expires_at: seconds(batch.expires_at),
        finalizing_at: batch.finalizing_at.map(seconds),
        completed_at: ended(BatchStatus::Completed),
        failed_at: ended(BatchStatus::Failed),
        expired_at: ended(BatchStatus::Expired),
        cancelling_at: batch.cancelling_at.map(seconds),
        cancelled_at: ended(BatchStatus::Cancelled),
        request_counts: BatchRequestCounts {
            total: count(batch.total.unwrap_or_default()),
            completed: count(batch.completed),
            failed: count(batch.failed + unanswered),
        },
        usage: batch.in_progress_at.map(|_| BatchUsage {
            input_tokens: count(usage.input),
            input_tokens_details: BatchInputDetails { cached_tokens: count(usage.cached) },
            output_tokens: count(usage.output),
            output_tokens_details: BatchOutputDetails { reasoning_tokens: count(usage.reasoning) },
            total_tokens: count(usage.input).saturating_add(count(usage.output)),
        }),
        metadata: batch.metadata.map(|notes| notes.into_iter().collect()),
        endpoint: batch.endpoint,
        errors: (!batch.errors.is_empty())
            .then(|| BatchErrors { object: ListObject::List, data: batch.errors.into_iter().map(fault).collect() }),
    }
}

/// Handles the requests of batches by the routes of live ones.
pub(crate) struct LineHandler {
    api: Arc<Api>,
    routes: Router,
}

impl LineHandler {
    /// Creates a handler.
    pub(crate) fn new(api: &Arc<Api>) -> Self {
        Self { api: api.clone(), routes: chat_routes(api.clone()) }
    }
}

impl Execute for LineHandler {
    fn execute(&self, request: LineRequest) -> Pin<Box<dyn Future<Output = LineResponse> + Send>> {
        let (api, routes) = (self.api.clone(), self.routes.clone());
        Box::pin(async move {
            let request_id = format!("req_{}", Uuid::new_v4().simple());
            let is_message = request.endpoint.ends_with("/messages");
            let handled = AssertUnwindSafe(handled(&api, routes, request)).catch_unwind().await;
            let response = handled.unwrap_or_else(|panic| {
                Err(ApiError::internal(format!("a handler panicked: {}", panic_text(&*panic))))
            });
            let mut response = response.unwrap_or_else(IntoResponse::into_response);
            if is_message && !response.status().is_success() {
                response = anthropic_error(response, &request_id);
            }
            read(response, request_id).await
        })
    }

    fn open_samples(&self) -> usize {
        let bases = self.api.catalog.base_names().filter_map(|name| self.api.catalog.base(name));
        let loads = bases.map(|base| base.served.sampler().load());
        loads.map(|load| load.running + load.waiting).sum()
    }
}

/// Handles a request as one of its key.
async fn handled(api: &Api, routes: Router, request: LineRequest) -> Result<Response, ApiError> {
    let key = api.metadata.get_key(request.key_id).await?;
    if key.revoked_at.is_some() {
        return Err(ApiError::unauthorized("the API key of the batch was revoked"));
    }
    let live = Request::post(&request.endpoint)
        .header(header::CONTENT_TYPE, "application/json")
        // The caller is known; the routes look whether there are credentials.
        .header(header::AUTHORIZATION, "Bearer batch")
        .header("vendor-project", request.project)
        .body(Body::from(request.body))
        .map_err(ApiError::internal)?;
    let responded = REQUESTER.scope(Caller::from(key), async move {
        with_response_headers(async move { routes.oneshot(live).await.into_response() }).await
    });
    Ok(responded.await)
}

/// Reads a response to its end.
async fn read(response: Response, request_id: String) -> LineResponse {
    let (parts, body) = response.into_parts();
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let may_retry = [429, 503].contains(&parts.status.as_u16()) && text("x-should-retry") != Some("false");
    let seconds = text("retry-after").and_then(|seconds| seconds.parse().ok()).unwrap_or(1);
    let retry_after = may_retry.then(|| Duration::from_secs(seconds));
    let body = match to_bytes(body, MAX_RESPONSE_BYTES).await {
        Ok(body) => String::from_utf8_lossy(&body).into_owned(),
        Err(error) => {
            let failure = ApiError::internal(error).into_response();
            let body = to_bytes(failure.into_body(), MAX_RESPONSE_BYTES).await.unwrap_or_default();
            let body = String::from_utf8_lossy(&body).into_owned();
            return LineResponse { status: 500, request_id, body, retry_after: None };
        }
    };
    LineResponse { status: parts.status.as_u16(), request_id, body, retry_after }
}
