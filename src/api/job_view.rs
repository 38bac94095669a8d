//! Jobs in the wire format.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::generated::types::{
    TrainingEstimate, TrainingFinding, TrainingJobError, TrainingJobErrorCode, TrainingJobKind, TrainingJobProgress,
    TrainingJobResponse, TrainingJobStatus, TrainingJobWaiting, TrainingJobWaitingReason,
};
use crate::jobs;
use crate::store::records::{
    JobErrorCode, JobKind, JobRecord, JobState, JobStatus, JobSummary, RecentSteps, RemoteSampler, TrainerKind,
    UnixMillis, WaitReason, Waiting,
};

/// Options of a job in the wire format.
struct Options {
    /// Names of the options without effect.
    ignored: Vec<&'static str>,
    /// Options with the defaults filled in.
    resolved: Map<String, Value>,
    /// Names of the options that the request set, as they are in `resolved`.
    changed: Option<Vec<String>>,
}

impl Options {
    fn of(job: &JobSummary) -> Self {
        let sent = jobs::sent_config(&job.config);
        Self {
            ignored: jobs::ignored_options(job.kind, &sent),
            resolved: jobs::resolved_config(job.kind, job.sampler, sent),
            changed: None,
        }
    }

    /// Returns the options with the names of those that differ from the defaults.
    fn with_changes(job: &JobSummary) -> Self {
        let mut options = Self::of(job);
        let defaults = jobs::resolved_config(job.kind, job.sampler, Value::Null);
        let changed = options.resolved.iter().filter(|(name, value)| defaults.get(*name) != Some(value));
        let changed: Vec<String> = changed.map(|(name, _)| name.clone()).collect();
        options.changed = (!changed.is_empty()).then_some(changed);
        options
    }
}

/// Converts a job and its progress to the wire format.
pub(super) fn wire(state: &JobState) -> TrainingJobResponse {
    with_options(state, &Options::with_changes(&state.job))
}

/// Converts the jobs of a page. Options that consecutive jobs share are resolved once.
pub(super) fn wire_page(states: &[JobState]) -> Vec<TrainingJobResponse> {
    let runs = states.chunk_by(|one, other| sent_options(one) == sent_options(other));
    runs.flat_map(|run| {
        let options = Options::of(&run[0].job);
        run.iter().map(move |state| with_options(state, &options))
    })
    .collect()
}

/// Returns all that the resolved options of a job depend on.
fn sent_options(state: &JobState) -> (JobKind, Option<RemoteSampler>, &str) {
    (state.job.kind, state.job.sampler, &state.job.config)
}

fn with_options(state: &JobState, options: &Options) -> TrainingJobResponse {
    let JobState { job, ending, .. } = state;
    let steps = unsigned(state.steps);
    let total_steps = total_steps(state);
    let error = job.error.as_ref().map(|failure| TrainingJobError {
        code: failure.code.into(),
        message: failure.message.clone(),
        retryable: failure.code.is_retryable(),
        step: total_steps.filter(|total| steps < *total).map(|_| steps + 1),
    });
    TrainingJobResponse {
        id: job.id.to_string(),
        entity: None,
        name: job.labels.name.clone(),
        tags: (!job.labels.tags.is_empty()).then(|| job.labels.tags.clone()),
        status: Some(job.status.into()),
        kind: Some(job.kind.into()),
        model_id: Some(job.model_id.to_string()),
        progress: total_steps.map(|total_steps| TrainingJobProgress {
            steps,
            total_steps,
            steps_per_second: state.recent_steps.and_then(steps_per_second),
            estimated_end_at: state.recent_steps.map(|recent| estimated_end(recent, total_steps.saturating_sub(steps))),
        }),
        trainer: job.trainer.map(|trainer| trainer.to_string()),
        queue_position: state.queue_position.map(unsigned),
        waiting_for: state.waiting.as_ref().map(|wait| waiting(wait, job)),
        worker: job.lease_owner.clone(),
        attempt: (job.attempts > 0).then(|| unsigned(job.attempts)),
        changed_options: options.changed.clone(),
        created_at: Some(seconds(job.created_at)),
        started_at: job.started_at.map(seconds),
        finished_at: job.ended_at.map(seconds),
        trained_tokens: Some(unsigned(state.trained_tokens)),
        error,
        warnings: warnings(&options.ignored, ending.as_deref()),
        config: Some(options.resolved.clone()),
        estimate: None,
    }
}

/// Returns the missing worker of a job in words.
fn missing_worker(job: &JobSummary) -> String {
    match job.trainer {
        None => "no running worker has its base model".to_owned(),
        Some(TrainerKind::Learner) => {
            "no running worker has its base model and a learner (--trainer, or --engine managed), on which the job began"
                .to_owned()
        }
        Some(TrainerKind::Engine(format) | TrainerKind::EarlierEngine(format)) => format!(
            "no running worker has its base model in the embedded engine with --weights {format}, with which the job began"
        ),
    }
}

/// Returns the rate of the last steps of a job; `None` if they took no measurable time.
fn steps_per_second(recent: RecentSteps) -> Option<f64> {
    let milliseconds = recent.until - recent.since;
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 milliseconds")]
    let rate = recent.count as f64 * 1e3 / milliseconds as f64;
    (milliseconds > 0).then_some(rate)
}

/// Returns the time at which a job has made `left` more steps at the rate of the last ones, in seconds since 1970-01-01
/// UTC. The time has passed if the job has made no step for longer than that.
fn estimated_end(recent: RecentSteps, left: u64) -> i64 {
    let left = i64::try_from(left).unwrap_or(i64::MAX);
    let milliseconds = (recent.until - recent.since).saturating_mul(left) / recent.count;
    seconds(recent.until.saturating_add(milliseconds))
}

/// Returns the estimated end of a running job, in seconds since 1970-01-01 UTC.
pub(super) fn estimated_finish(state: &JobState) -> Option<i64> {
    let recent = state.recent_steps?;
    Some(estimated_end(recent, total_steps(state)?.saturating_sub(unsigned(state.steps))))
}

/// Returns the total number of steps that the first event of a job announces.
pub(super) fn total_steps(state: &JobState) -> Option<u64> {
    let announced = serde_json::from_str::<Announcement>(state.announcement.as_deref()?).ok()?;
    announced.num_sequences.as_u64()
}

/// Returns the warnings of a job: options without effect, and the findings of its last event.
fn warnings(ignored: &[&str], ending: Option<&str>) -> Option<Vec<TrainingFinding>> {
    let option = |name: &&str| TrainingFinding {
        code: "ignored_option".to_owned(),
        count: 1,
        message: format!("`{name}` is accepted for compatibility and has no effect here"),
    };
    let ending = ending.and_then(|data| serde_json::from_str::<Ending>(data).ok());
    let findings = ending.map(|ending| ending.findings).unwrap_or_default();
    let warnings: Vec<_> = ignored.iter().map(option).chain(findings).collect();
    (!warnings.is_empty()).then_some(warnings)
}

/// The part of a first event's data that is read.
#[derive(Deserialize)]
struct Announcement {
    #[serde(default)]
    num_sequences: Value,
}

/// The part of a last event's data that is read.
#[derive(Deserialize)]
struct Ending {
    #[serde(default)]
    findings: Vec<TrainingFinding>,
}

/// Returns the response of a dry run, which creates no job.
pub(super) fn of_dry_run(estimate: TrainingEstimate, ignored: &[&str]) -> TrainingJobResponse {
    TrainingJobResponse {
        id: String::new(),
        entity: None,
        estimate: Some(estimate),
        warnings: warnings(ignored, None),
        name: None,
        tags: None,
        waiting_for: None,
        worker: None,
        attempt: None,
        changed_options: None,
        status: None,
        kind: None,
        model_id: None,
        progress: None,
        trainer: None,
        queue_position: None,
        created_at: None,
        started_at: None,
        finished_at: None,
        trained_tokens: None,
        error: None,
        config: None,
    }
}

/// Returns the state of a job of which only the record is known.
pub(super) fn new_state(job: JobRecord) -> JobState {
    JobState {
        job: job.summary,
        steps: 0,
        trained_tokens: 0,
        announcement: None,
        ending: None,
        queue_position: None,
        recent_steps: None,
        waiting: None,
    }
}

/// Converts a count. Counts are never negative.
fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}

pub(super) fn seconds(time: UnixMillis) -> i64 {
    time.div_euclid(1000)
}

fn waiting(waiting: &Waiting, job: &JobSummary) -> TrainingJobWaiting {
    let missing;
    let message = match waiting.reason {
        WaitReason::EarlierJob => "an earlier job of its model is unfinished",
        WaitReason::Worker => {
            missing = missing_worker(job);
            missing.as_str()
        }
        WaitReason::Turn => "the workers run other jobs",
        WaitReason::Place => "its worker prepares or trains other jobs",
        WaitReason::Storage => "the service could not store its data; it tries again",
        WaitReason::Learner => "the remote learner was lost; another attempt follows",
        WaitReason::Retry => "the last attempt failed; another one follows",
        WaitReason::LostWorker => "its worker no longer reports; another one takes over",
    };
    let message = waiting.message.clone().unwrap_or_else(|| message.to_owned());
    TrainingJobWaiting { reason: waiting.reason.into(), since: seconds(waiting.since), message }
}

/// Converts between an enum of the service and one of the wire format that have the same variants.
macro_rules! same_variants {
    ($stored:ty, $wire:ty: $($variant:ident),+ $(,)?) => {
        impl From<$stored> for $wire {
            fn from(stored: $stored) -> Self {
                match stored {
                    $(<$stored>::$variant => Self::$variant),+
                }
            }
        }

        impl From<$wire> for $stored {
            fn from(wire: $wire) -> Self {
                match wire {
                    $(<$wire>::$variant => Self::$variant),+
                }
            }
        }
    };
}

pub(super) use same_variants;

same_variants!(JobKind, TrainingJobKind: Rl, Sft);
same_variants!(JobStatus, TrainingJobStatus: Queued, Running, Succeeded, Failed, Cancelled);
same_variants!(
    WaitReason, TrainingJobWaitingReason:
    EarlierJob, Worker, Turn, Place, Storage, Learner, Retry, LostWorker
);
same_variants!(
    JobErrorCode, TrainingJobErrorCode:
    InvalidConfig, InvalidTrainingData, TrainingDataUnavailable, ModelUnavailable, OutOfMemory, Diverged,
    SamplerMismatch, StorageFailed, Interrupted, InternalError, Cancelled, Unknown
);

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::engine::WeightFormat;
    use crate::store::records::{JobInput, JobLabels};

    fn state(kind: JobKind, config: &str) -> JobState {
        let job = JobSummary {
            id: Uuid::now_v7(),
            entity: "acme".to_owned(),
            model_id: Uuid::now_v7(),
            kind,
            status: JobStatus::Running,
            config: config.to_owned(),
            input: JobInput::Url("file:///rows.jsonl".to_owned()),
            validation: None,
            fine_tuning: None,
            sampler: None,
            trainer: None,
            published_step: None,
            error: None,
            created_at: 1_795_330_000_123,
            started_at: Some(1_795_330_001_000),
            ended_at: None,
            labels: JobLabels::default(),
            lease_owner: Some("worker-1".to_owned()),
            attempts: 2,
        };
        let announcement = Some(r#"{"num_sequences":8,"num_rows":9}"#.to_owned());
        let recent_steps = Some(RecentSteps { count: 3, since: 1_795_330_002_000, until: 1_795_330_004_000 });
        JobState {
            job,
            steps: 3,
            trained_tokens: 70,
            announcement,
            ending: None,
            queue_position: None,
            recent_steps,
            waiting: None,
        }
    }

    #[test]
    fn a_page_has_its_jobs_as_they_are_alone() {
        let (sent, other) = (r#"{"plot_tensors":true,"learning_rate":0.5}"#, r#"{"batch_size":3}"#);
        let states = [
            state(JobKind::Rl, sent),
            state(JobKind::Rl, sent),
            state(JobKind::Sft, other),
            state(JobKind::Rl, sent),
            state(JobKind::Sft, "null"),
            state(JobKind::Rl, "null"),
        ];
        let page = wire_page(&states);
        let alone = |state| TrainingJobResponse { changed_options: None, ..wire(state) };
        assert_eq!(page, states.iter().map(alone).collect::<Vec<_>>());
        assert_eq!(wire(&states[2]).changed_options, Some(vec!["batch_size".to_owned()]));
        assert_eq!(wire(&states[4]).changed_options, None);
        assert!(page[1].warnings.is_some() && page[2].warnings.is_none());
        assert_eq!(page[2].config.as_ref().map(|config| &config["batch_size"]), Some(&Value::from(3)));
        let progress = TrainingJobProgress {
            steps: 3,
            total_steps: 8,
            steps_per_second: Some(1.5),
            // 5 steps of 2/3 s after the last one.
            estimated_end_at: Some(1_795_330_007),
        };
        assert_eq!(page[0].progress, Some(progress));
        assert!(wire_page(&[]).is_empty());
    }

    #[test]
    fn a_job_that_waits_for_a_worker_says_for_which() {
        let mut state = state(JobKind::Rl, "null");
        state.job.status = JobStatus::Queued;
        state.waiting = Some(Waiting { reason: WaitReason::Worker, since: 1_795_330_000_000, message: None });
        let message = |state: &JobState| wire(state).waiting_for.expect("a wait").message;
        assert_eq!(message(&state), "no running worker has its base model");
        state.job.trainer = Some(TrainerKind::Learner);
        assert!(message(&state).contains("--trainer"));
        state.job.trainer = Some(TrainerKind::Engine(WeightFormat::Bf16));
        assert!(message(&state).contains("--weights bf16"));
    }
}
