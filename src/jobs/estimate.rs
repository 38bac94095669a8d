//! Dry runs: steps, tokens and warnings of a job, without its training.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::BinaryBytes;
use serde_json::Value;

use super::blocking::blocking;
use super::error::JobError;
use super::fetch::TrainingData;
use super::fetch::download;
pub(crate) use super::prepare::Finding;
use super::prepare::Prepared;
use crate::engine::{TrainingMemory, TrainingMethod};
use crate::models::{Base, JobMemory};
use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};
use crate::store::records::{JobErrorCode, JobKind, ModelRecord};
use crate::training::{DataSource, Sequence, engine_inputs};

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
    /// Memory of the job in a process like this one; `None` without weights here, or without a sequence.
    pub memory: Option<JobMemory>,
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

/// Returns the memory of the largest step of a job; `None` if the weights are not here, or no step has a sequence.
fn largest_step(prepared: &Prepared, base: &Base, method: &TrainingMethod) -> Result<Option<TrainingMemory>, JobError> {
    let Some(memory) = base.memory() else { return Ok(None) };
    let mut plan = |step: &[Sequence<'_>]| Ok(memory.job(method, &engine_inputs(step)));
    let plans = prepared.plans(base.config.vocab_size, &mut plan)?;
    Ok(plans.into_iter().flatten().max_by_key(|plan| plan.bytes))
}

/// Returns the warning about a step that needs more memory than there is. A learner elsewhere may have more.
fn too_large(memory: &TrainingMemory) -> Option<Finding> {
    let TrainingMemory { unique_tokens, sequence_bytes, limit_bytes, .. } = *memory;
    let message = format!(
        "the largest step has {unique_tokens} tokens, which need {} of memory, more than the {} that they may take on this \
         machine; give fewer or shorter sequences a step",
        BinaryBytes(sequence_bytes as u64),
        BinaryBytes(limit_bytes as u64)
    );
    (!memory.fits()).then_some(Finding { code: JobErrorCode::OutOfMemory.as_str(), count: 1, message })
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
    let prepared = Prepared::read(artifacts, data, base.clone(), model, cancel.0.clone(), None).await?.0;
    let method = model.method;
    let planned = blocking(move || {
        let memory = largest_step(&prepared, &base, &method)?;
        Ok((prepared, memory))
    });
    let (prepared, memory) = planned.await?;
    let (tokens, trained_tokens) = prepared.tokens();
    Ok(Estimate {
        steps: prepared.steps(),
        tokens,
        trained_tokens,
        announcement: prepared.announcement(),
        findings: prepared.findings().into_iter().chain(memory.as_ref().and_then(too_large)).collect(),
        memory: memory.map(Into::into),
    })
}

/// Turns true when it is dropped: the caller no longer waits for the result.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
