//! Implements the operations of the OpenAPI document: the generated traits, one file per tag.
//!
//! A method gets a typed input, asks the domain, and returns a typed output. It knows no path, no header of its own and no
//! status but those of the document, so a response that the document lacks does not compile. Errors of the domain become
//! responses in `error`, and nowhere else.
//!
//! Rejected: handlers with axum's extractors, described by macros. The document would follow from the code, and a client would
//! learn of a change when it is released.

mod admin;
mod archive;
mod batches;
mod chat;
mod checkpoints;
mod content;
mod dry_run;
mod error;
mod exports;
mod files;
mod fine_tuning;
mod groups;
mod idempotency;
mod ignored;
mod inference;
mod job_events;
mod job_lists;
mod job_view;
mod keys;
mod limits;
mod message_batches;
mod metrics;
mod models;
mod new_checkpoint;
mod paging;
mod paths;
mod recent_reads;
mod rollouts;
mod service;
mod session_requests;
mod sessions;
mod step_metrics;
mod system_check;
mod training_jobs;
mod training_method;
mod usage;
mod wandb;

pub(crate) use batches::LineHandler;
pub(crate) use chat::{BackgroundResponses, anthropic_error, is_anthropic};
pub(crate) use exports::Exports;
pub(crate) use metrics::QueueReading;
pub(crate) use recent_reads::RecentReads;
pub(crate) use service::ServerFacts;
pub(crate) use system_check::{BackgroundTasks, MissedChecks};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use futures_util::{StreamExt, stream};
use tokio::sync::Notify;
use uuid::Uuid;

use self::job_events::EventTails;
use self::job_lists::JobLists;
use self::recent_reads::Question;
use crate::auth::{self, AuthenticationError, Caller, OpenKeys, PresignedUse, RecentKeys};
use crate::dashboard::{self, SESSION_PREFIX, Sessions};
use crate::docs::{self, Address};
use crate::generated::server;
use crate::http::{self, ApiError, Authenticate, Credentials, Secret};
use crate::limits::Limiter;
use crate::metrics::Metrics;
use crate::models::Catalog;
use crate::sessions::SessionRoom;
use crate::stop::Stop;
use crate::store::artifacts::{ArtifactId, Artifacts};
use crate::store::garbage;
use crate::store::metadata::Metadata;
use crate::training::DataSource;
use crate::usage::UsageLog;

/// Security scheme of an API key in the header of Anthropic's client libraries.
const API_KEY: &str = "apiKey";
/// Security scheme of the tokens for uploads.
const UPLOAD_TOKEN: &str = "uploadToken";
/// Message for an invalid key.
const INVALID_KEY: &str =
    "the API key is not valid: it is misspelt or revoked; `trainyard keys create` makes a new one";

/// Message for a key that is revoked during a response.
const REVOKED_KEY: &str =
    "the API key was revoked before the end of this response; `trainyard keys create` makes a new one";

/// State shared by all operations.
pub(crate) struct Api {
    /// Metadata store.
    pub metadata: Arc<dyn Metadata>,
    /// Artifact store.
    pub artifacts: Artifacts,
    /// Base models and adapters.
    pub catalog: Arc<Catalog>,
    /// Permitted sources of training data.
    pub data: Arc<DataSource>,
    /// Log of token usage.
    pub usage: UsageLog,
    /// Rate limits per key.
    pub limiter: Arc<Limiter>,
    /// Keys that were authenticated a moment ago.
    pub recent_keys: RecentKeys,
    /// Responses to the latest reads.
    pub recent_reads: RecentReads,
    pub session_room: SessionRoom,
    /// Keys with open streams and responses.
    pub open_keys: Arc<OpenKeys>,
    /// Responses that are sampled in the background.
    pub background: Arc<BackgroundResponses>,
    /// Newest events of followed jobs.
    pub event_tails: Arc<EventTails>,
    /// Followed pages of jobs.
    pub job_lists: Arc<JobLists>,
    /// Metrics of the process.
    pub metrics: Arc<Metrics>,
    /// Cached reading of the job queue for scrapes.
    pub queue: QueueReading,
    /// The system checks that did not end in time.
    pub missed_checks: MissedChecks,
    /// Outcomes of background tasks.
    pub tasks: BackgroundTasks,
    /// Exports that were prepared last.
    pub exports: Arc<Exports>,
    /// Facts about the process.
    pub facts: ServerFacts,
    /// Notified of a new batch.
    pub created_batch: Arc<Notify>,
    /// Data directory of the service.
    pub data_directory: PathBuf,
    /// Turns true when the process should stop.
    pub stop: Stop,
}

impl Api {
    /// Removes those artifacts that no row refers to. Runs in the background.
    fn collect_later(&self, candidates: Vec<ArtifactId>) {
        garbage::collect_later(self.metadata.clone(), self.artifacts.clone(), candidates);
    }

    /// Awaits a whole response, unless the key of its request is revoked before: whoever drops it computes no further.
    async fn unless_revoked<T>(
        &self,
        key: Uuid,
        response: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        tokio::select! {
            biased;
            response = response => response,
            () = self.open_keys.open(key).happens() => Err(ApiError::unauthorized(REVOKED_KEY)),
        }
    }

    /// Ends a stream with an error when the key of its request is revoked.
    fn until_revoked<T: Send + 'static>(
        &self,
        key: Uuid,
        events: impl Stream<Item = Result<T, ApiError>> + Send + 'static,
    ) -> impl Stream<Item = Result<T, ApiError>> + Send + 'static {
        let revocation = self.open_keys.open(key);
        let end = revocation.clone();
        let error = stream::once(async move { end.is_known() })
            .filter_map(|revoked| async move { revoked.then(|| Err(ApiError::unauthorized(REVOKED_KEY))) });
        events.take_until(revocation.happens()).chain(error)
    }
}

impl Authenticate for Api {
    type Caller = Caller;

    async fn authenticate(&self, credentials: &Credentials<'_>, headers: &HeaderMap) -> Result<Caller, ApiError> {
        if let Some(caller) = batches::requester() {
            self.count_request(&caller)?;
            return Ok(caller);
        }
        let presented = credentials.presented.first();
        let (found, reason) = match presented.map(|presented| &presented.secret) {
            Some(Secret::Key(token)) if presented.is_some_and(|presented| presented.requirement.scheme == API_KEY) => {
                (self.recent_keys.authenticate(&self.metadata, token).await, INVALID_KEY)
            }
            Some(Secret::Key(token)) => {
                let is_upload = presented.is_some_and(|presented| presented.requirement.scheme == UPLOAD_TOKEN);
                let transfer = if is_upload { PresignedUse::Send } else { PresignedUse::Fetch };
                let found = auth::authenticate_presigned(&self.metadata, token, transfer, SystemTime::now()).await;
                (found, "the link is not valid any more")
            }
            Some(Secret::Bearer(token)) => match token.strip_prefix(SESSION_PREFIX) {
                Some(token) => {
                    let now = SystemTime::now();
                    let found = auth::authenticate_presigned(&self.metadata, token, PresignedUse::Session, now).await;
                    (found, "the session has ended: sign in again")
                }
                None => (self.recent_keys.authenticate(&self.metadata, token).await, INVALID_KEY),
            },
            Some(Secret::Basic { password, .. }) => {
                (self.recent_keys.authenticate(&self.metadata, password).await, INVALID_KEY)
            }
            Some(Secret::Other(_)) | None => (Err(AuthenticationError::InvalidKey), INVALID_KEY),
        };
        let caller = found.map_err(|error| match error {
            AuthenticationError::InvalidKey => ApiError::unauthorized(reason),
            AuthenticationError::Store(error) => error.into(),
        })?;
        self.count_request(&caller)?;
        self.in_session(caller, headers).await
    }

    async fn respond<F: Future<Output = Response> + Send>(
        &self,
        mut caller: Caller,
        operation: &'static str,
        request: &Parts,
        run: impl FnOnce(Caller) -> F + Send,
    ) -> Response {
        if let Err(failure) = session_requests::begin(&mut caller, operation) {
            return failure.into_response();
        }
        match Question::of(&caller, operation, request) {
            Some(question) => self.recent_reads.respond(&*self.metadata, question, run(caller)).await,
            None => run(caller).await,
        }
    }
}

/// Returns the routes of the main listener. With `inference`, these include the routes of the inference API, under
/// `/inference/v1`. The dashboard signs in to `sessions`.
pub(crate) fn router(api: &Arc<Api>, inference: bool, sessions: Arc<Sessions>) -> Router {
    let mut routes = paths::with_unencoded_names(server::router(api.clone()), "/v1/models");
    if inference {
        routes = routes.nest("/inference/v1", inference_routes(api));
    }
    let address = if inference { Address::Everything } else { Address::Service };
    finish(dashboard::with_dashboard(routes.merge(docs::routes(address)), sessions), api)
}

/// Returns the routes of a separate inference listener, under `/v1`.
pub(crate) fn inference_router(api: &Arc<Api>) -> Router {
    let routes = Router::new().nest("/v1", inference_routes(api));
    finish(routes.merge(docs::routes(Address::Inference)), api)
}

fn inference_routes(api: &Arc<Api>) -> Router {
    paths::with_unencoded_names(server::inference_router(api.clone()), "/models")
}

fn finish(routes: Router, api: &Arc<Api>) -> Router {
    let api = api.clone();
    let routes = routes.layer(from_fn(paths::of_other_clients));
    let routes = http::with_fallbacks(routes).fallback(move |request| paths::nothing_here(api.clone(), request));
    paths::with_session_bases(routes)
}
