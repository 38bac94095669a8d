//! What a job would do, found out without doing it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::Value;

pub use super::prepared::Finding;
use super::{attempt::AttemptError, prepared::Prepared, sft};
use crate::{
    models::Base,
    store::{
        artifacts::{ArtifactId, Artifacts},
        records::{JobErrorCode, JobKind, ModelRecord},
    },
    training::DataSource,
};

/// What a job would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Optimizer steps.
    pub steps: usize,
    /// Tokens of its sequences.
    pub tokens: usize,
    /// Those of them that it would learn from.
    pub trained_tokens: usize,
    /// What its event `training_started` would say.
    pub announcement: Value,
    /// What its owner should know before.
    pub findings: Vec<Finding>,
}

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum EstimateError {
    /// The job would fail, for this reason.
    #[error("the job would fail: {message}")]
    WouldFail {
        /// For programs.
        code: JobErrorCode,
        /// For people.
        message: String,
    },
    /// The service could not find out.
    #[error("the data of a dry run could not be read")]
    Service(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<AttemptError> for EstimateError {
    fn from(error: AttemptError) -> Self {
        match error.code() {
            JobErrorCode::StorageFailed | JobErrorCode::InternalError => Self::Service(error.into()),
            code => Self::WouldFail { code, message: error.for_owner() },
        }
    }
}

/// Copies what a URL gives into the store; the caller removes it again.
///
/// # Errors
/// When it cannot be read, or the store fails.
pub async fn fetch(artifacts: &Artifacts, data: &DataSource, url: &str) -> Result<ArtifactId, EstimateError> {
    let writer = sft::fetch(artifacts, data, url).await?;
    Ok(writer.finish().await.map_err(AttemptError::from)?)
}

/// Reads and tokenises the data of a job as the job would, and keeps nothing of it. Dropping the future ends the reading.
///
/// # Errors
/// When the job would fail on its data or options, or the store fails.
pub async fn estimate(
    artifacts: &Artifacts,
    kind: JobKind,
    data: ArtifactId,
    config: Value,
    base: Arc<Base>,
    model: &ModelRecord,
) -> Result<Estimate, EstimateError> {
    let abandoned = Abandoned(Arc::default());
    let prepared = Prepared::read(artifacts, kind, data, None, config, base, model, abandoned.0.clone()).await?;
    let (tokens, trained_tokens) = prepared.tokens();
    Ok(Estimate {
        steps: prepared.steps(),
        tokens,
        trained_tokens,
        announcement: prepared.announcement(),
        findings: prepared.findings(),
    })
}

/// Turns true when nobody waits for the answer any more.
struct Abandoned(Arc<AtomicBool>);

impl Drop for Abandoned {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
