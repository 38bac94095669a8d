//! The fourth phase of a job: its optimizer steps, each recorded while the next one is computed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde_json::json;
use tokio::runtime::Handle;

use super::blocking::blocking;
use super::cancellation::CancellableTrainer;
use super::context::JobContext;
use super::error::JobError;
use super::journal::{Journal, MakeFiles};
use super::means::TOKENS_PER_SECOND;
use super::prepare::Prepared;
use super::restore::Origin;
use super::trainer::State;
use crate::engine::MemoryPlan;
use crate::engine::sampler::AdapterEffect;
use crate::error_chain;
use crate::models::Servable;
use crate::store::records::{Lease, NewEvent};
use crate::training::{GradientStep, RunOutcome, precalculate};

/// Result of training.
pub(super) struct Trained {
    /// Weights and optimizer state after the last step.
    pub(super) state: State,
    /// The weights in the form that is served.
    pub(super) servable: Servable,
    /// Metrics of the checkpoint: means over the steps.
    pub(super) metrics: BTreeMap<String, f64>,
    /// Logprobs of the trained tokens of a reinforcement learning job, four bytes each; those of the steps of earlier
    /// attempts are NaN. Empty for other jobs.
    pub(super) logprobs: Vec<u8>,
    /// Effect of the adapter on the last batch, if the base model is sampled elsewhere.
    pub(super) effect: Option<AdapterEffect>,
}

/// Returns the first event of a job.
pub(super) fn started(prepared: &Prepared) -> NewEvent {
    NewEvent { kind: "training_started".to_owned(), data: prepared.announcement().to_string() }
}

/// Returns the event of an optimizer step that took `seconds`.
fn step_event(step: &GradientStep, seconds: f64) -> NewEvent {
    let mut data = json!(step.metrics);
    data[TOKENS_PER_SECOND] = json!(step.tokens as f64 / seconds.max(1e-9));
    NewEvent { kind: "gradient_step".to_owned(), data: data.to_string() }
}

/// Makes the optimizer steps on a blocking thread. The event of a step is durable before the next but one begins.
pub(super) async fn train(
    context: &JobContext<'_>,
    lease: Lease,
    mut prepared: Prepared,
    origin: Origin,
) -> Result<Trained, JobError> {
    let (parts, base, cancel) = (context.parts.clone(), context.base.clone(), context.cancel.clone());
    let (trainers, is_sampled_elsewhere) = (context.trainers(), context.job.sampler.is_some());
    let runtime = Handle::current();
    blocking(move || {
        let Origin { start, resumed, steps, mut means } = origin;
        let stopped = |error: JobError| match cancel.load(Ordering::Relaxed) {
            true => JobError::Stopped,
            false => error,
        };
        let mut trainer = match resumed {
            None => trainers.open(start)?,
            Some(resumed) => {
                if let Prepared::Rl(job) = &mut prepared {
                    // The first attempt computed these with the weights at the start of the job.
                    let mut first = trainers.open(start)?;
                    precalculate(&mut first, job).map_err(|error| stopped(error.into()))?;
                }
                trainers.open(resumed)?
            }
        };
        // Before the first event: a job that cannot be finished is not started.
        let plans = prepared.plans(base.config.vocab_size, &mut |sequences| trainer.trainer().plan(sequences))?;
        let largest = plans.into_iter().flatten().max_by_key(|plan| plan.bytes);
        if let Some(MemoryPlan { bytes, unique_tokens, recomputes, .. }) = largest {
            tracing::info!(bytes, unique_tokens, recomputes, "memory of the largest step");
        }
        runtime.block_on(async {
            parts.metadata.record_trainer(&lease, parts.trainer_kind(base.name())).await?;
            parts.metadata.append_event(&lease, 1, started(&prepared)).await
        })?;

        let mut journal = Journal::new(parts.clone(), lease, runtime);
        let mut failure = None;
        let mut logprobs = prepared.unknown_logprobs(steps);
        let mut since = Instant::now();
        let mut on_step = |trainer: &mut CancellableTrainer, step: GradientStep| {
            let seconds = since.elapsed().as_secs_f64();
            since = Instant::now();
            means.add(step.metrics.iter().map(|(name, value)| (name.as_str(), *value)));
            logprobs.extend(step.logprobs.iter().flat_map(|logprob| logprob.to_le_bytes()));
            let make = |state: State| {
                let base = base.clone();
                Box::new(move || state.files(&base)) as MakeFiles
            };
            let recorded = journal.step(step.index, step_event(&step, seconds), |wanted| {
                Ok(trainer.record(wanted).map_err(JobError::Learner)?.map(make))
            });
            match recorded {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let outcome = prepared.run(&mut trainer, &base, steps, &mut on_step);
        if let Some(error) = failure {
            return Err(stopped(error));
        }
        journal.settle()?;
        match outcome {
            Ok(RunOutcome::Finished(_)) => {
                let effect =
                    if is_sampled_elsewhere { trainer.effect(&trainers.pool, &trainers.base) } else { Ok(None) };
                let effect = effect.unwrap_or_else(|error| {
                    tracing::warn!(error = %error_chain(&error), "the effect of the adapter was not recorded");
                    None
                });
                let (state, servable) = trainer.finish().map_err(|error| stopped(JobError::Learner(error)))?;
                Ok(Trained { state, servable, metrics: means.finish(), logprobs, effect })
            }
            Ok(RunOutcome::Stopped { .. }) => Err(JobError::Stopped),
            Err(error) => {
                let error = stopped(error.into());
                // An orderly stop keeps the last completed step, however large its state is. In the middle of a step
                // the weights are those of no step.
                if matches!(error, JobError::Stopped) && !trainer.is_dirty() && journal.is_behind() {
                    let (state, _) = trainer.finish().map_err(|_| JobError::Stopped)?;
                    journal.keep(Box::new(move || state.files(&base)))?;
                }
                Err(error)
            }
        }
    })
    .await
}
