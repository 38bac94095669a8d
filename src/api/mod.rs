//! What the operations of the document do: one file per tag, filling the generated traits.

mod archive;
mod chat;
mod checkpoints;
mod content;
mod dry_run;
mod error;
mod files;
mod fine_tuning;
mod groups;
mod ignored;
mod inference;
mod job_events;
mod job_view;
mod limits;
mod models;
mod new_checkpoint;
mod paging;
mod paths;
mod repeated;
mod scrape;
mod service;
mod system_check;
mod training_jobs;
mod training_method;
mod usage;
mod wandb;

pub use scrape::QueueReading;

use std::{path::PathBuf, sync::Arc, time::SystemTime};

use axum::{Router, http::HeaderMap};

use crate::{
    auth::{self, AuthenticationError, Caller, Transfer},
    docs::{self, Address},
    generated::server,
    http::{self, Authenticate, Credentials, Failure, Secret},
    limits::Limiter,
    metrics::Metrics,
    models::Catalog,
    stop::Stop,
    store::{
        artifacts::{ArtifactId, Artifacts},
        garbage,
        metadata::Metadata,
    },
    training::DataSource,
    usage::UsageLog,
};

/// The security scheme of tokens with which a file is sent.
const UPLOAD_TOKEN: &str = "uploadToken";
/// What is wrong with a key.
const INVALID_KEY: &str =
    "the API key is not valid: it is misspelt or revoked; `trainyard keys create` makes a new one";

/// What the operations work with.
pub struct Api {
    /// Rows.
    pub metadata: Arc<dyn Metadata>,
    /// Bytes.
    pub artifacts: Artifacts,
    /// Base models and adapters.
    pub catalog: Arc<Catalog>,
    /// Where training data may come from.
    pub data: Arc<DataSource>,
    /// Takes what requests used.
    pub usage: UsageLog,
    /// Counts what keys do that may not do everything.
    pub limiter: Arc<Limiter>,
    /// What the process counts.
    pub metrics: Arc<Metrics>,
    /// The job queue as scrapes see it.
    pub queue: QueueReading,
    /// Where the service writes.
    pub data_directory: PathBuf,
    /// Turns true when the process is to stop.
    pub stop: Stop,
}

impl Api {
    /// Removes those artifacts that no row refers to; the request does not wait for it.
    fn collect_later(&self, candidates: Vec<ArtifactId>) {
        garbage::collect_later(self.metadata.clone(), self.artifacts.clone(), candidates);
    }
}

impl Authenticate for Api {
    type Caller = Caller;

    async fn authenticate(&self, credentials: &Credentials<'_>, _headers: &HeaderMap) -> Result<Caller, Failure> {
        let presented = credentials.presented.first();
        let (found, reason) = match presented.map(|presented| &presented.secret) {
            Some(Secret::Key(token)) => {
                let is_upload = presented.is_some_and(|presented| presented.requirement.scheme == UPLOAD_TOKEN);
                let transfer = if is_upload { Transfer::Send } else { Transfer::Fetch };
                let found = auth::authenticate_transfer(&self.metadata, token, transfer, SystemTime::now()).await;
                (found, "the link is not valid any more")
            }
            Some(Secret::Bearer(key)) => (auth::authenticate(&self.metadata, key).await, INVALID_KEY),
            Some(Secret::Basic { password, .. }) => (auth::authenticate(&self.metadata, password).await, INVALID_KEY),
            Some(Secret::Other(_)) | None => (Err(AuthenticationError::InvalidKey), INVALID_KEY),
        };
        let caller = found.map_err(|error| match error {
            AuthenticationError::InvalidKey => Failure::unauthorized(reason),
            AuthenticationError::Store(error) => error.into(),
        })?;
        self.count_request(&caller)?;
        Ok(caller)
    }
}

/// The routes of the service's own address; with `inference` also those of the inference address, under
/// `/inference/v1`.
pub fn router(api: &Arc<Api>, inference: bool) -> Router {
    let mut routes = paths::with_unencoded_names(server::router(api.clone()), "/v1/models");
    if inference {
        routes = routes.nest("/inference/v1", inference_routes(api));
    }
    let address = if inference { Address::Everything } else { Address::Service };
    finish(routes.merge(docs::routes(address)), api)
}

/// The routes of a separate inference address, under `/v1`.
pub fn inference_router(api: &Arc<Api>) -> Router {
    let routes = Router::new().nest("/v1", inference_routes(api));
    finish(routes.merge(docs::routes(Address::Inference)), api)
}

fn inference_routes(api: &Arc<Api>) -> Router {
    paths::with_unencoded_names(server::inference_router(api.clone()), "/models")
}

fn finish(routes: Router, api: &Arc<Api>) -> Router {
    let api = api.clone();
    http::finish(routes).fallback(move |request| paths::nothing_here(api.clone(), request))
}
