//! The third phase of a job: the weights that it starts from, those that an earlier attempt reached, and the scores of
//! its reference.

use super::context::JobContext;
use super::error::JobError;
use super::means::recorded_means;
use super::prepare::Prepared;
use super::rl;
use super::trainer::State;
use crate::store::records::JobStart;
use crate::training::MetricMeans;

/// State of training at the start of the job and at the start of this attempt.
pub(super) struct Origin {
    /// State that the job starts from.
    pub(super) start: State,
    /// State after the completed steps, if an earlier attempt completed some.
    pub(super) resumed: Option<State>,
    /// Number of completed steps.
    pub(super) steps: usize,
    /// Means of their metrics.
    pub(super) means: MetricMeans,
}

/// Reads the state that the job starts from.
pub(super) async fn start_state(context: &JobContext<'_>, start: &JobStart) -> Result<State, JobError> {
    let JobContext { parts, job, model, base, .. } = context;
    State::read(parts, base, model.method, start.adapter.as_ref(), start.optimizer_for(job.kind)).await
}

/// Reads the state that the job starts from and, if an earlier attempt completed steps, the state after them.
pub(super) async fn origin(context: &JobContext<'_>, start: &JobStart) -> Result<Origin, JobError> {
    let JobContext { parts, job, model, base, .. } = context;
    let start = start_state(context, start).await?;
    let mut origin = Origin { start, resumed: None, steps: 0, means: MetricMeans::default() };
    if let Some(resume) = &job.resume {
        let (weights, optimizer) = (Some(&resume.adapter), Some(resume.optimizer));
        origin.resumed = Some(State::read(parts, base, model.method, weights, optimizer).await?);
        origin.steps = usize::try_from(resume.next_step).unwrap_or(0);
        origin.means = recorded_means(&*parts.metadata, &job.entity, job.id, origin.steps).await?;
        tracing::info!(steps = origin.steps, "resuming after the last stored step");
    }
    Ok(origin)
}

/// Computes the logprobs of the reference of an RL job that has one.
pub(super) async fn with_reference(
    context: &JobContext<'_>,
    start: &JobStart,
    prepared: Prepared,
) -> Result<Prepared, JobError> {
    Ok(match prepared {
        Prepared::Rl(job) => Prepared::Rl(rl::score_against_reference(context, start, job).await?),
        sft @ Prepared::Sft(_) => sft,
    })
}
