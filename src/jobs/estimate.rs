//! Dry runs: steps, tokens and warnings of a job, without its training.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::error::JobError;
use super::fetch::TrainingData;
use super::fetch::download;
pub(crate) use super::prepare::Finding;
use super::prepare::Prepared;
use crate::models::Base;
use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};
use crate::store::records::{JobErrorCode, JobKind, ModelRecord};
use crate::training::DataSource;

/// Size of a job, and warnings about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// Optimizer steps.
    pub steps: usize,
    /// Tokens of its sequences.
    pub tokens: usize,
    /// Tokens that have a loss.
    pub trained_tokens: usize,
    /// Data of its event `training_started`.
    pub announcement: Value,
    /// Warnings for its owner.
    pub findings: Vec<Finding>,
}

/// Error of reading the data of a job without training.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EstimateError {
    #[error("the job would fail: {message}")]
    WouldFail { code: JobErrorCode, message: String },
    #[error("the data is no longer stored")]
    Gone,
    #[error("the data of the job could not be read")]
    Service(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<JobError> for EstimateError {
    fn from(error: JobError) -> Self {
        if let JobError::Artifact(ArtifactError::NotFound(_)) = error {
            return Self::Gone;
        }
        match error.code() {
            JobErrorCode::StorageFailed | JobErrorCode::InternalError => Self::Service(error.into()),
            code => Self::WouldFail { code, message: error.for_owner() },
        }
    }
}

/// Downloads a URL into the artifact store. The caller removes the artifact.
///
/// # Errors
/// When the URL cannot be read, or the store fails.
pub(crate) async fn fetch(artifacts: &Artifacts, data: &DataSource, url: &str) -> Result<ArtifactId, EstimateError> {
    Ok(download(artifacts, data, url).await?)
}

/// Reads and tokenises the data of a job as the job would, and keeps nothing. Dropping the future cancels the reading.
///
/// # Errors
/// When the job would fail on its data or options, or the store fails.
pub(crate) async fn estimate(
    artifacts: &Artifacts,
    kind: JobKind,
    data: ArtifactId,
    config: Value,
    base: Arc<Base>,
    model: &ModelRecord,
) -> Result<Estimate, EstimateError> {
    let cancel = CancelOnDrop(Arc::default());
    let sampler = base.remote_sampler();
    let data = TrainingData { kind, training: data, validation: None, config, sampler };
    let prepared = Prepared::read(artifacts, data, base, model, cancel.0.clone(), None).await?.0;
    let (tokens, trained_tokens) = prepared.tokens();
    Ok(Estimate {
        steps: prepared.steps(),
        tokens,
        trained_tokens,
        announcement: prepared.announcement(),
        findings: prepared.findings(),
    })
}

/// Turns true when it is dropped: the caller no longer waits for the result.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
