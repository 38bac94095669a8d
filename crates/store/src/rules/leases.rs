//! Rules of the writes under a lease.

use uuid::Uuid;

use crate::metadata::{Result, StoreError};
use crate::records::{EventRecord, JobStart, Lease, NewEvent, ResumeState, TrainerKind};

/// Checks that an update under a lease found the job.
///
/// # Errors
/// [`StoreError::LeaseLost`] if it changed no row.
pub(crate) fn check_lease(lease: &Lease, changed_rows: u64) -> Result<()> {
    if changed_rows == 0 { Err(StoreError::LeaseLost(*lease)) } else { Ok(()) }
}

/// Returns the start that a job has just recorded.
///
/// # Errors
/// [`StoreError::Corrupt`] if it has none.
pub(crate) fn recorded_start(start: Option<JobStart>) -> Result<JobStart> {
    start.ok_or_else(|| StoreError::Corrupt { column: "start_step", reason: "it was not recorded".to_owned() })
}

/// Checks that a job's start is recorded.
///
/// # Errors
/// [`StoreError::Conflict`] if it is not.
pub(crate) fn check_started(job_id: Uuid, start_step: Option<i64>) -> Result<()> {
    match start_step {
        Some(_) => Ok(()),
        None => Err(StoreError::Conflict(format!("the start of job {job_id} is not recorded yet"))),
    }
}

/// Returns whether the kind of a job's trainer is yet to be recorded.
///
/// # Errors
/// [`StoreError::Conflict`] if another kind is recorded.
pub(crate) fn is_trainer_new(recorded: Option<TrainerKind>, trainer: TrainerKind) -> Result<bool> {
    let words = |kind: TrainerKind| match kind {
        TrainerKind::Engine(format) => format!("weights stored as {format}"),
        TrainerKind::EarlierEngine(format) => format!("weights stored as {format} in an earlier order of operations"),
        TrainerKind::Learner => "a remote learner".to_owned(),
    };
    match recorded {
        None => Ok(true),
        Some(begun) if begun == trainer => Ok(false),
        Some(begun) => Err(StoreError::Conflict(format!(
            "the job began with {} and cannot go on with {}",
            words(begun),
            words(trainer)
        ))),
    }
}

/// Returns whether a resume state replaces the recorded one: a later step's state stays.
pub(crate) fn is_state_newer(state: &ResumeState, recorded: Option<&ResumeState>) -> bool {
    recorded.is_none_or(|recorded| recorded.next_step < state.next_step)
}

/// Returns the event that an earlier attempt appended instead of `event`.
///
/// # Errors
/// [`StoreError::Conflict`] if it has another type.
pub(crate) fn repeated_event(existing: EventRecord, event: &NewEvent) -> Result<EventRecord> {
    if existing.kind == event.kind {
        return Ok(existing);
    }
    Err(StoreError::Conflict(format!(
        "event {} of job {} is {:?} already, not {:?}",
        existing.sequence, existing.job_id, existing.kind, event.kind
    )))
}

/// Checks that an event follows the last one.
///
/// # Errors
/// [`StoreError::Conflict`] for a gap.
pub(crate) fn check_sequence(job_id: Uuid, sequence: i64, last: i64) -> Result<()> {
    if sequence != last + 1 {
        return Err(StoreError::Conflict(format!(
            "event {sequence} of job {job_id} would leave a gap after event {last}"
        )));
    }
    Ok(())
}
