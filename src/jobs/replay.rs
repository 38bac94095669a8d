//! Replays of finished jobs: a job runs again on its stored inputs and must produce the same bytes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use uuid::Uuid;

use super::blocking::blocking;
use super::context::JobContext;
use super::error::JobError;
use super::journal::StateFiles;
use super::means::recorded_steps;
use super::prepare::{self, Prepared};
use super::trainer::State;
use super::trainers::Sessions;
use super::worker_parts::WorkerParts;
use super::{restore, rl};
use crate::engine::WeightFormat;
use crate::store::artifacts::{ArtifactError, ArtifactId};
use crate::store::metadata::StoreError;
use crate::store::records::{JobRecord, JobStart, JobStatus, Manifest, TrainerKind};
use crate::training::{GradientStep, RunOutcome};

/// Error of a replay.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub(crate) enum ReplayError {
    #[error("job {id} is {status}; only one that succeeded can be replayed", status = status.as_str())]
    NotSucceeded { id: Uuid, status: JobStatus },
    #[error("job {0} ended before the service kept records to replay jobs from")]
    NoRecord(Uuid),
    #[error("the data of job {0} is no longer kept: the checkpoint that it made and all later ones were deleted")]
    DataGone(Uuid),
    #[error(
        "job {id} began with step {step}, whose state is no longer kept, and no training job made it, so it cannot be \
         made again"
    )]
    StartGone { id: Uuid, step: i64 },
    #[error(
        "job {id} computed with weights stored as {began}, this process has {here}; replay it with --weights {began}"
    )]
    OtherFormat { id: Uuid, began: WeightFormat, here: WeightFormat },
    #[error(
        "job {id} was computed by an earlier version, whose products with {weights} weights add in another order: this \
         version makes other bits of it; replay it with a version of its time"
    )]
    EarlierOrder { id: Uuid, weights: WeightFormat },
    #[error("job {0} was trained by a remote learner; replay it with one, which --trainer names")]
    OnLearner(Uuid),
    #[error("the replay of job {id}, whose step this job starts from, differs from the recorded result: {difference}")]
    EarlierDiffers { id: Uuid, difference: String },
    #[error("the manifest of step {step} cannot be read: {source}")]
    Manifest { step: i64, source: serde_json::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("job {id} could not be run again: {reason}")]
    Run { id: Uuid, reason: String },
}

/// A completed step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayStep {
    /// Id of the job.
    pub job_id: Uuid,
    /// Number of jobs left to run, including this one.
    pub jobs_left: usize,
    /// Number of completed steps.
    pub done: usize,
    /// Number of steps of the job.
    pub total: usize,
}

/// Result of a run of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reached {
    /// SHA-256 of the adapter's configuration; `None` for the base model itself.
    pub config: Option<String>,
    /// SHA-256 of the weights.
    pub weights: Option<String>,
    /// SHA-256 of the optimizer's state.
    pub optimizer: Option<String>,
    /// Metrics of each step, then those of the checkpoint.
    pub metrics: Vec<BTreeMap<String, f64>>,
}

/// A replayed job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Replayed {
    /// Id of the job.
    pub job_id: Uuid,
    /// Step of the job's checkpoint.
    pub step: i64,
    /// Result of the original run.
    pub expected: Reached,
    /// Result of the replay.
    pub found: Reached,
    /// Largest accepted difference of a metric, relative to its value above 1, if a remote learner computed the replay:
    /// its libraries do not promise equal bits. Weights are then compared through the metrics alone.
    pub tolerance: Option<f64>,
}

/// Tolerance of a replay on a remote learner.
const REMOTE_TOLERANCE: f64 = 1e-3;

/// Returns whether two sets of metrics are equal, or within a tolerance.
fn agree(before: &BTreeMap<String, f64>, now: &BTreeMap<String, f64>, tolerance: Option<f64>) -> bool {
    let Some(tolerance) = tolerance else { return before == now };
    let near = |(before, now): (&f64, &f64)| (before - now).abs() <= tolerance * before.abs().max(1.0);
    before.keys().eq(now.keys()) && before.values().zip(now.values()).all(near)
}

impl Replayed {
    /// Returns the first difference, if there is any.
    pub(crate) fn difference(&self) -> Option<String> {
        let (expected, found) = (&self.expected, &self.found);
        let mut steps = expected.metrics.iter().zip(&found.metrics);
        let different = steps.position(|(before, now)| !agree(before, now, self.tolerance));
        if expected.metrics.len() != found.metrics.len() {
            let steps = |reached: &Reached| reached.metrics.len().saturating_sub(1);
            return Some(format!("it made {} steps, and makes {} now", steps(expected), steps(found)));
        }
        if let Some(index) = different {
            let of = if index + 1 == expected.metrics.len() {
                "its checkpoint".to_owned()
            } else {
                format!("optimizer step {}", index + 1)
            };
            return Some(format!("the metrics of {of} differ"));
        }
        let mut files = vec![("configuration", &expected.config, &found.config)];
        if self.tolerance.is_none() {
            files.push(("weights", &expected.weights, &found.weights));
            files.push(("optimizer state", &expected.optimizer, &found.optimizer));
        }
        let text = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "not there".to_owned());
        let (name, before, now) = files.into_iter().find(|(_, before, now)| before != now)?;
        Some(format!("the {name} was {}, and is {} now", text(before), text(now)))
    }
}

/// Replays a job and returns its original result and the new one. If its initial state is no longer stored, the jobs
/// that produced it are replayed first. Nothing is written.
///
/// # Errors
/// The job did not succeed, too few inputs are stored, an earlier job produces other bytes, or the store fails.
pub(crate) async fn replay(
    parts: &WorkerParts,
    job: JobRecord,
    on_step: &(dyn Fn(ReplayStep) + Sync),
) -> Result<Replayed, ReplayError> {
    let model = parts.metadata.get_model(&job.entity, job.model_id).await?;
    let base = parts.catalog.served_base(&model).map_err(|error| failed(job.id, &error))?.clone();
    let mut jobs = jobs_to_run(parts, parts.trainer_kind(base.name()), job).await?;
    let mut before = None;
    while let Some(job) = jobs.pop() {
        let id = job.id;
        let on_step = |done, total| on_step(ReplayStep { job_id: id, jobs_left: jobs.len() + 1, done, total });
        let context = JobContext {
            parts,
            job,
            model: model.clone(),
            base: base.clone(),
            sessions: Arc::new(Sessions::of_replay()),
            cancel: Arc::default(),
        };
        let (replayed, files) = run_again(&context, before.take(), &on_step).await?;
        if jobs.is_empty() {
            return Ok(replayed);
        }
        if let Some(difference) = replayed.difference() {
            return Err(ReplayError::EarlierDiffers { id, difference });
        }
        before = files;
    }
    unreachable!("the job that was asked for is the last one to be run")
}

/// Returns the job, and the jobs that produce its initial state; the last one runs first.
async fn jobs_to_run(parts: &WorkerParts, here: TrainerKind, job: JobRecord) -> Result<Vec<JobRecord>, ReplayError> {
    let mut jobs = vec![job];
    loop {
        let job = &jobs[jobs.len() - 1];
        if job.status != JobStatus::Succeeded {
            return Err(ReplayError::NotSucceeded { id: job.id, status: job.status });
        }
        let start = job.start.as_ref().ok_or(ReplayError::NoRecord(job.id))?;
        match (job.trainer, here) {
            (Some(TrainerKind::Engine(began)), TrainerKind::Engine(here)) if began != here => {
                return Err(ReplayError::OtherFormat { id: job.id, began, here });
            }
            (Some(TrainerKind::EarlierEngine(weights)), TrainerKind::Engine(_)) => {
                return Err(ReplayError::EarlierOrder { id: job.id, weights });
            }
            (Some(TrainerKind::Learner), TrainerKind::Engine(_)) => return Err(ReplayError::OnLearner(job.id)),
            // A learner computes what the engine did within a tolerance.
            _ => {}
        }
        let data = job.data().ok_or(ReplayError::NoRecord(job.id))?;
        let data: Vec<_> = job.validation.iter().map(|file| file.content).chain([data]).collect();
        if !are_there(parts, &data).await? {
            return Err(ReplayError::DataGone(job.id));
        }
        if are_there(parts, &start_artifacts(job, start)).await? {
            return Ok(jobs);
        }
        let gone = ReplayError::StartGone { id: job.id, step: start.step };
        let made_by = manifest(parts, job, start.step).await?.and_then(|manifest| manifest.training);
        let Some(training) = made_by else { return Err(gone) };
        let earlier = parts.metadata.get_job(&job.entity, training.job_id).await?;
        jobs.push(earlier);
    }
}

/// Returns the files of a job's initial state.
fn start_artifacts(job: &JobRecord, start: &JobStart) -> Vec<ArtifactId> {
    let files = start.adapter.iter().flat_map(|files| [files.config, files.weights]);
    files.chain(start.optimizer_for(job.kind)).collect()
}

async fn are_there(parts: &WorkerParts, artifacts: &[ArtifactId]) -> Result<bool, ArtifactError> {
    for artifact in artifacts {
        match parts.artifacts.size(*artifact).await {
            Ok(_) => {}
            Err(ArtifactError::NotFound(_)) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

async fn manifest(parts: &WorkerParts, job: &JobRecord, step: i64) -> Result<Option<Manifest>, ReplayError> {
    let found = parts.metadata.list_manifests(&job.entity, job.model_id, step, 1).await?;
    let found = found.first().filter(|found| found.step == step).map(|found| found.read());
    found.transpose().map_err(|source| ReplayError::Manifest { step, source })
}

/// Runs one job. `before` holds the files of the preceding job if the store no longer has them.
async fn run_again(
    context: &JobContext<'_>,
    before: Option<StateFiles>,
    on_step: &(dyn Fn(usize, usize) + Sync),
) -> Result<(Replayed, Option<StateFiles>), ReplayError> {
    let JobContext { parts, job, model, base, .. } = context;
    let (Some(step), Some(start)) = (job.published_step, job.start.as_ref()) else {
        return Err(ReplayError::NoRecord(job.id));
    };
    let recorded = manifest(parts, job, step).await?.ok_or(ReplayError::NoRecord(job.id))?;
    let mut metrics = recorded_steps(&*parts.metadata, &job.entity, job.id, usize::MAX).await?;
    metrics.push(recorded.metrics);
    let expected = Reached {
        config: recorded.files.as_ref().map(|files| files.config.clone()),
        weights: recorded.files.as_ref().map(|files| files.weights.clone()),
        optimizer: recorded.optimizer.map(|saved| saved.sha256),
        metrics,
    };
    let failed = |error: JobError| failed(job.id, &error);
    let mut prepared = prepare::prepare(context, None).await.map_err(failed)?.0;
    if prepared.steps() == 0 {
        // The job published its initial state.
        let found = Reached {
            config: start.adapter.as_ref().map(|files| files.config.sha256()),
            weights: start.adapter.as_ref().map(|files| files.weights.sha256()),
            optimizer: start.optimizer.as_ref().map(|saved| saved.state.sha256()),
            metrics: vec![BTreeMap::new()],
        };
        return Ok((Replayed { job_id: job.id, step, expected, found, tolerance: None }, before));
    }
    if let Prepared::Rl(prepared) = &mut prepared {
        rl::follow_reward_deviations(prepared, &parts.metadata.reward_deviations(&job.entity, job.id).await?);
    }
    let prepared = restore::with_reference(context, start, prepared).await.map_err(failed)?;
    let state = match before {
        Some(files) => {
            State::from_files(base, model.method, &files, start.optimizer_for(job.kind).is_some()).map_err(failed)?
        }
        None => restore::start_state(context, start).await.map_err(failed)?,
    };
    let (files, metrics) = compute(context, prepared, state, on_step).await.map_err(failed)?;
    let found = Reached {
        config: Some(ArtifactId::of(&files.config).sha256()),
        weights: Some(ArtifactId::of(&files.weights).sha256()),
        optimizer: Some(ArtifactId::of(&files.optimizer).sha256()),
        metrics,
    };
    let tolerance = parts.trainers.of(base.name()).map(|_| REMOTE_TOLERANCE);
    Ok((Replayed { job_id: job.id, step, expected, found, tolerance }, Some(files)))
}

/// Makes every step; returns the files of the final state, and the metrics in the form of [`Reached`].
async fn compute(
    context: &JobContext<'_>,
    prepared: Prepared,
    state: State,
    on_step: &(dyn Fn(usize, usize) + Sync),
) -> Result<(StateFiles, Vec<BTreeMap<String, f64>>), JobError> {
    let (sender, mut steps) = tokio::sync::mpsc::unbounded_channel();
    let (base, trainers) = (context.base.clone(), context.trainers());
    let training = tokio::spawn(blocking(move || {
        let mut learner = trainers.open(state)?;
        let mut metrics = Vec::new();
        let outcome = prepared.run(&mut learner, &base, 0, &mut |_, step: GradientStep| {
            metrics.push(step.metrics);
            // A closed channel means that the caller no longer waits, so the run stops.
            match sender.send((step.index + 1, step.total)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        match outcome {
            RunOutcome::Finished(summary) => metrics.push(summary.metrics),
            RunOutcome::Stopped { .. } => return Err(JobError::Stopped),
        }
        Ok((learner.finish().map_err(JobError::Learner)?.0.files(&base), metrics))
    }));
    while let Some((done, total)) = steps.recv().await {
        on_step(done, total);
    }
    training.await?
}

fn failed(id: Uuid, error: &(dyn std::error::Error + 'static)) -> ReplayError {
    ReplayError::Run { id, reason: crate::error_chain(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_on_a_remote_learner_is_compared_within_a_tolerance() {
        let reached = |weights: &str, loss: f64| Reached {
            config: Some("c".to_owned()),
            weights: Some(weights.to_owned()),
            optimizer: None,
            metrics: vec![BTreeMap::from([("loss/train".to_owned(), loss)]), BTreeMap::new()],
        };
        let difference = |tolerance, found| {
            let expected = reached("before", 20.0);
            Replayed { job_id: Uuid::nil(), step: 1, expected, found, tolerance }.difference()
        };
        assert_eq!(difference(None, reached("before", 20.0)), None);
        assert!(difference(None, reached("now", 20.0)).unwrap().contains("the weights was before"));
        assert_eq!(difference(Some(1e-3), reached("now", 20.01)), None);
        let text = difference(Some(1e-3), reached("now", 20.03)).unwrap();
        assert!(text.contains("optimizer step 1"), "{text}");
        let mut other = reached("now", 20.0);
        other.metrics[0].insert("more".to_owned(), 1.0);
        assert!(difference(Some(1e-3), other).is_some());
    }
}
