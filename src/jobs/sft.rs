//! Supervised fine-tuning jobs: their rows from the artifact store to the trainer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::blocking::blocking;
use super::error::JobError;
use crate::models::Base;
use crate::store::artifacts::{ArtifactId, ArtifactReader, Artifacts};
use crate::training::{
    DataUse, DatasetLimits, Learner, OnStep, PrepareSftError, PreparedSft, RunError, RunOutcome, SftConfig, SftReader,
    SftTokenizer, largest_call, prepare_sft, run_sft,
};

/// A supervised job that is ready to run.
pub(super) struct SftJob {
    prepared: PreparedSft,
    /// Training data, verified against its hash.
    data: ArtifactReader,
    /// Validation data, verified likewise.
    validation: Option<ArtifactReader>,
}

/// Checks every row of a job's data and counts its tokens.
pub(super) async fn prepare(
    artifacts: &Artifacts,
    dataset: ArtifactId,
    validation: Option<ArtifactId>,
    config: Value,
    base: Arc<Base>,
    cancel: Arc<AtomicBool>,
) -> Result<SftJob, JobError> {
    let mut data = artifacts.open(dataset).await?;
    let mut validation = match validation {
        Some(validation) => Some(artifacts.open(validation).await?),
        None => None,
    };
    blocking(move || {
        let config = SftConfig::from_wire(Some(&config))?;
        let tokenizer = SftTokenizer::new(&base.text(), &config, base.longest_sequence())?;
        let proceed = || !cancel.load(Ordering::Relaxed);
        let limits = DatasetLimits::default();
        let prepared = prepare_sft(&mut data, limits, config, &tokenizer, &proceed);
        let mut prepared = without_damage(prepared, &mut data)?;
        if let Some(validation) = &mut validation {
            without_damage(prepared.validate_on(&mut *validation, limits, &tokenizer, &proceed), validation)?;
        }
        Ok(SftJob { prepared, data, validation })
    })
    .await
}

/// Returns the outcome of reading `data`, unless the job was cancelled or the artifact is corrupt: corruption comes before
/// errors in the rows, which their author would search for in vain.
fn without_damage<T>(read: Result<T, PrepareSftError>, data: &mut ArtifactReader) -> Result<T, JobError> {
    if matches!(read, Err(PrepareSftError::Stopped)) {
        return Err(JobError::Stopped);
    }
    data.verify()?;
    Ok(read?)
}

impl SftJob {
    /// Returns the number of optimizer steps.
    pub(super) fn steps(&self) -> usize {
        self.prepared.steps()
    }

    /// Returns the number of tokens of the trained rows over all epochs, and the number of those that have a loss.
    pub(super) fn tokens(&self) -> (usize, usize) {
        let rows = self.prepared.training.iter().filter(|row| !row.is_dropped());
        let (tokens, trained) =
            rows.fold((0, 0), |(tokens, trained), row| (tokens + row.tokens as usize, trained + row.trained as usize));
        let epochs = self.prepared.config.epochs;
        (tokens.saturating_mul(epochs), trained.saturating_mul(epochs))
    }

    /// Returns the warnings for the owner: code, number of occurrences, text.
    pub(super) fn findings(&self) -> Vec<(&'static str, usize, &'static str)> {
        let statistics = &self.prepared.statistics;
        let all = [
            (
                "dropped_rows",
                statistics.dropped,
                "conversations are left out: the assistant says nothing in them, or they exceed the token limit",
            ),
            ("truncated_rows", statistics.truncated, "conversations are cut: they exceed the token limit"),
        ];
        all.into_iter().filter(|(_, count, _)| *count > 0).collect()
    }

    /// Returns the lengths of the sequences of the largest call of the trainer.
    pub(super) fn largest_call(&self) -> Vec<usize> {
        largest_call(&self.prepared)
    }

    /// Returns the data of the event `training_started`.
    pub(super) fn announcement(&self) -> Value {
        let statistics = &self.prepared.statistics;
        let dropped = statistics.dropped_rows.iter();
        let dropped: Vec<Value> = dropped
            .map(|row| match row.data {
                DataUse::Training => json!({ "line": row.line, "reason": row.reason.as_str() }),
                DataUse::Validation => {
                    json!({ "line": row.line, "reason": row.reason.as_str(), "file": "validation" })
                }
            })
            .collect();
        json!({
            "num_sequences": self.steps(),
            "num_rows": statistics.rows,
            "num_dropped_trajectories": statistics.dropped,
            "num_truncated_trajectories": statistics.truncated,
            "num_validation_trajectories": statistics.validation,
            "dropped_rows": dropped,
        })
    }

    /// Makes the optimizer steps from step `first`, counted from 0.
    pub(super) fn run<L: Learner>(
        self,
        learner: &mut L,
        base: &Base,
        first: usize,
        on_step: &mut OnStep<'_, L>,
    ) -> Result<RunOutcome, RunError> {
        let Self { prepared, data, validation } = self;
        let tokenizer = SftTokenizer::new(&base.text(), &prepared.config, base.longest_sequence());
        let total = prepared.steps();
        let tokenizer = tokenizer.map_err(|source| RunError::Data { step: first + 1, total, source })?;
        let mut rows = SftReader::new(data, validation, DatasetLimits::default(), tokenizer);
        run_sft(learner, &prepared, &mut rows, first, on_step)
    }
}
