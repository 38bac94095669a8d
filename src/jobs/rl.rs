//! Reinforcement learning jobs: their rollouts, the reference of their KL penalty, and the reward deviations of earlier
//! jobs.

use std::{
    io::BufReader,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::Value;

use super::{
    blocking::blocking, context::JobContext, error::JobError, reference, sequence_limit::longest_sequence,
    trainer::SEED, worker_parts::WorkerParts,
};
use crate::{
    engine::{Adapter, LoraOptions},
    models::{Base, Frozen, ModelName, ResolveError},
    store::{
        artifacts::{ArtifactId, Artifacts},
        records::{JobStart, Lease, ModelRecord, RemoteSampler, RewardDeviation},
    },
    training::{PreparedRl, RlConfig, Rollouts, learning_rate_multiplier, read_groups, score_reference},
};

/// Tokenises the rollouts of a job.
pub(super) async fn prepare(
    artifacts: &Artifacts,
    groups: ArtifactId,
    (config, sampler): (Value, Option<RemoteSampler>),
    base: Arc<Base>,
    model: ModelRecord,
    cancel: Arc<AtomicBool>,
) -> Result<PreparedRl, JobError> {
    let mut data = artifacts.open(groups).await?;
    blocking(move || {
        let config = RlConfig::of_job(Some(&config), sampler.is_some())?;
        let text = base.text();
        let is_trained = |name: &str| names_model(name, &model);
        let mut rollouts = Rollouts::new(&config, &text, &is_trained, longest_sequence(&base));
        let read = read_groups(BufReader::new(&mut data), |group| {
            rollouts.add(&group);
            if cancel.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if cancel.load(Ordering::Relaxed) {
            return Err(JobError::Stopped);
        }
        // Before errors in the rollouts: their author would search in vain for the cause of a corrupt artifact.
        data.verify()?;
        read?;
        Ok(rollouts.finish())
    })
    .await
}

/// Returns whether a name is that of the model or of one of its steps.
pub(super) fn names_model(name: &str, model: &ModelRecord) -> bool {
    match ModelName::parse(name) {
        Some(ModelName::Trained { entity, project, name, .. }) => {
            [entity, project, name] == [&*model.entity, &model.project, &model.name]
        }
        Some(ModelName::Base(_)) | None => false,
    }
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
        None => Frozen::Adapter(Adapter::new(&base.config, &LoraOptions::of_model(&base.config), SEED)),
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
