//! Reinforcement learning jobs: their rollouts, the reference of their KL penalty, and the reward deviations of earlier
//! jobs.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Handle;

use super::blocking::blocking;
use super::context::JobContext;
use super::error::JobError;
use super::fetch::TrainingData;
use super::reference;
use super::trainer::SEED;
use super::worker_parts::WorkerParts;
use crate::engine::Adapter;
use crate::models::{Base, ResolveError, Servable, names_model};
use crate::store::artifacts::{ArtifactId, ArtifactWriter, Artifacts};
use crate::store::garbage;
use crate::store::records::{JobStart, Lease, ModelRecord, RewardDeviation, RolloutArtifacts};
use crate::training::{
    IndexWriter, PreparedRl, RlConfig, Rollouts, learning_rate_multiplier, read_groups, score_reference,
};

/// Tokenises the rollouts of a job. Passes them to `index` on the way.
pub(super) async fn prepare(
    artifacts: &Artifacts,
    data: TrainingData,
    base: Arc<Base>,
    model: ModelRecord,
    cancel: Arc<AtomicBool>,
    mut index: Option<IndexFile>,
) -> Result<(PreparedRl, Option<IndexFile>), JobError> {
    let TrainingData { training, config, sampler, .. } = data;
    let mut data = artifacts.open(training).await?;
    blocking(move || {
        let config = RlConfig::of_job(Some(&config), sampler.is_some())?;
        let text = base.text();
        let is_trained = |name: &str| names_model(name, &model);
        let mut rollouts = Rollouts::new(&config, &text, &is_trained, base.longest_sequence());
        if index.is_some() {
            rollouts = rollouts.with_every_remark();
        }
        let mut lines = IndexWriter::new(&config);
        let mut written = Ok(());
        let read = read_groups(BufReader::new(&mut data), |located| {
            let added = rollouts.add(&located.group);
            if let Some(index) = &mut index {
                written = index.write(&lines.group(&located, added));
            }
            let goes_on = written.is_ok() && !cancel.load(Ordering::Relaxed);
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if cancel.load(Ordering::Relaxed) {
            return Err(JobError::Stopped);
        }
        written?;
        // Before errors in the rollouts: their author would search in vain for the cause of a corrupt artifact.
        data.verify()?;
        read?;
        let prepared = rollouts.finish();
        if let Some(index) = &mut index {
            index.write(&lines.end(prepared.normalisation))?;
        }
        Ok((prepared, index))
    })
    .await
}

/// The index of a job's rollouts while it is written. Its methods must be called on a thread that may block.
pub(super) struct IndexFile {
    writer: ArtifactWriter,
    runtime: Handle,
    /// Lines that are not written yet.
    lines: Vec<u8>,
}

impl IndexFile {
    /// Number of bytes that are written at once.
    const CHUNK: usize = 256 << 10;

    /// Creates an empty index.
    pub(super) fn new(artifacts: &Artifacts) -> Self {
        Self { writer: artifacts.writer(), runtime: Handle::current(), lines: Vec::new() }
    }

    fn write(&mut self, line: &[u8]) -> Result<(), JobError> {
        self.lines.extend_from_slice(line);
        if self.lines.len() >= Self::CHUNK {
            self.runtime.block_on(self.writer.write(&self.lines))?;
            self.lines.clear();
        }
        Ok(())
    }

    /// Makes the index durable.
    pub(super) async fn finish(mut self) -> Result<ArtifactId, JobError> {
        self.writer.write(&self.lines).await?;
        Ok(self.writer.finish().await?)
    }
}

/// Records artifacts about the rollouts of a job, unless an earlier attempt did.
pub(super) async fn record_rollouts(
    context: &JobContext<'_>,
    lease: &Lease,
    rollouts: RolloutArtifacts,
) -> Result<(), JobError> {
    let WorkerParts { metadata, artifacts, .. } = context.parts;
    let recorded = metadata.record_rollouts(lease, rollouts).await?;
    let kept = [recorded.index, recorded.logprobs];
    let surplus = [rollouts.index, rollouts.logprobs].into_iter().filter(|new| new.is_some() && !kept.contains(new));
    garbage::collect_later(metadata.clone(), artifacts.clone(), surplus.flatten().collect());
    Ok(())
}

/// Records the reference and the reward deviation of the job unless an earlier attempt did, and reads the deviations of
/// earlier jobs.
pub(super) async fn compare(
    parts: &WorkerParts,
    lease: Lease,
    model: &ModelRecord,
    start: &mut JobStart,
    job: &mut PreparedRl,
) -> Result<(), JobError> {
    if let Some(reference) = &job.config.kl_reference {
        start.reference = reference::record(&*parts.metadata, &lease, model, start, reference).await?;
    }
    // Recorded whether or not this job asks for it: a later one may.
    if let Some(deviation) = job.reward_deviation {
        follow_reward_deviations(job, &parts.metadata.record_reward_deviation(&lease, deviation).await?);
    }
    Ok(())
}

/// Scales the learning rate by the reward deviations of this job and of earlier ones, if its options ask for it.
pub(super) fn follow_reward_deviations(job: &mut PreparedRl, recorded: &[RewardDeviation]) {
    if job.config.follow_reward_deviation && job.reward_deviation.is_some() {
        let history: Vec<(i64, f64)> = recorded.iter().map(|point| (point.step, point.deviation)).collect();
        job.learning_rate_multiplier = learning_rate_multiplier(&history);
    }
}

/// Computes the logprobs of the reference, if the job has one. The memory of its session is free before training
/// begins.
pub(super) async fn score_against_reference(
    context: &JobContext<'_>,
    start: &JobStart,
    mut job: PreparedRl,
) -> Result<PreparedRl, JobError> {
    let JobContext { parts, base, cancel, .. } = context;
    if job.config.kl_reference.is_none() || job.rows.is_empty() {
        return Ok(job);
    }
    let frozen = match start.reference.as_ref().and_then(|reference| reference.adapter.as_ref()) {
        Some(files) => parts.catalog.load_frozen(base, files).await.map_err(|error| match error {
            ResolveError::NothingSamples(_) => JobError::FullReferenceOnRemote,
            error => error.into(),
        })?,
        // A new adapter changes nothing: its second factor is zero.
        None => Servable::Adapter(Arc::new(Adapter::new(&base.config, &base.config.lora_options(), SEED))),
    };
    let (trainers, cancel) = (context.trainers(), cancel.clone());
    blocking(move || {
        let mut reference = trainers.open_frozen(frozen)?;
        match score_reference(&mut reference, &mut job) {
            Ok(()) => Ok(job),
            Err(_) if cancel.load(Ordering::Relaxed) => Err(JobError::Stopped),
            Err(error) => Err(error.into()),
        }
    })
    .await
}
