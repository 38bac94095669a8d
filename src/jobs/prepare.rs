//! The second phase of a job: its data read, checked and tokenised.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde_json::Value;

use super::context::JobContext;
use super::error::JobError;
use super::fetch::TrainingData;
use super::memory;
use super::rl::{self, IndexFile};
use super::sft::{self, SftJob};
use crate::models::Base;
use crate::store::artifacts::Artifacts;
use crate::store::metadata::StoreError;
use crate::store::records::{JobKind, ModelRecord};
use crate::training::{Learner, MAX_SAMPLER_MISMATCH, OnStep, PreparedRl, RunError, RunOutcome, Sequence, run_rl};

/// Warning about a job whose importance ratios cannot be truncated.
const TRUNCATION_SKIPPED: (&str, usize, &str) =
    ("truncation_skipped", 1, "option truncated_importance_sampling is not applied: it needs precalculate_logprobs");

/// A warning for the owner of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// Stable name for programs.
    pub code: &'static str,
    /// Number of occurrences.
    pub count: usize,
    /// Human-readable text.
    pub message: String,
}

/// Reads and tokenises the data of a job that has a start. Passes rollouts to `index` on the way.
pub(super) async fn prepare(
    context: &JobContext<'_>,
    index: Option<IndexFile>,
) -> Result<(Prepared, Option<IndexFile>), JobError> {
    let JobContext { parts, job, model, base, cancel, .. } = context;
    let data = TrainingData {
        kind: job.kind,
        training: job.data().ok_or(StoreError::NotFound("data set of this job"))?,
        validation: job.validation.map(|file| file.content),
        config: serde_json::from_str(&job.config)?,
        sampler: job.sampler,
    };
    let (mut prepared, index) =
        Prepared::read(&parts.artifacts, data, base.clone(), model, cancel.clone(), index).await?;
    let rounds_alike = job.sampler.is_none() && parts.trainers.of(base.name()).is_none();
    if let Prepared::Rl(prepared) = &mut prepared
        && !rounds_alike
    {
        prepared.max_sampler_mismatch = Some(MAX_SAMPLER_MISMATCH);
    }
    Ok((prepared, index))
}

/// A job with its data tokenised.
pub(super) enum Prepared {
    Rl(PreparedRl),
    Sft(SftJob),
}

impl Prepared {
    /// Reads and tokenises data, and passes rollouts to `index` on the way. Reading stops between rows or groups when
    /// `cancel` turns true.
    pub(super) async fn read(
        artifacts: &Artifacts,
        data: TrainingData,
        base: Arc<Base>,
        model: &ModelRecord,
        cancel: Arc<AtomicBool>,
        index: Option<IndexFile>,
    ) -> Result<(Self, Option<IndexFile>), JobError> {
        Ok(match data.kind {
            JobKind::Rl => {
                let (job, index) = rl::prepare(artifacts, data, base, model.clone(), cancel, index).await?;
                (Self::Rl(job), index)
            }
            JobKind::Sft => {
                let TrainingData { training, validation, config, .. } = data;
                (Self::Sft(sft::prepare(artifacts, training, validation, config, base, cancel).await?), None)
            }
        })
    }

    /// Returns the number of optimizer steps.
    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Rl(job) => job.rows.len(),
            Self::Sft(job) => job.steps(),
        }
    }

    /// Returns the number of tokens of the trained sequences, and the number of those that have a loss.
    pub(super) fn tokens(&self) -> (usize, usize) {
        match self {
            Self::Rl(job) => job.sequences.iter().fold((0, 0), |(tokens, trained), sequence| {
                (tokens + sequence.tokens.len(), trained + sequence.trained_tokens())
            }),
            Self::Sft(job) => job.tokens(),
        }
    }

    /// Returns the logprobs of the trained tokens of the first `steps` steps of a reinforcement learning job, all unknown:
    /// NaN in four bytes each.
    pub(super) fn unknown_logprobs(&self, steps: usize) -> Vec<u8> {
        let Self::Rl(job) = self else { return Vec::new() };
        let sequences = job.rows[..steps.min(job.rows.len())].last().map_or(0, |row| row.end);
        let tokens: usize = job.sequences.stakes()[..sequences].iter().map(|stake| stake.trained_tokens).sum();
        f32::NAN.to_le_bytes().repeat(tokens)
    }

    /// Makes the optimizer steps from step `first`, counted from 0.
    pub(super) fn run<L: Learner>(
        self,
        learner: &mut L,
        base: &Base,
        first: usize,
        on_step: &mut OnStep<'_, L>,
    ) -> Result<RunOutcome, RunError> {
        match self {
            Self::Rl(mut job) => run_rl(learner, &mut job, first, on_step),
            Self::Sft(job) => job.run(learner, base, first, on_step),
        }
    }

    /// Plans the memory of each call of the trainer that may be the largest, with `plan`.
    ///
    /// # Errors
    /// The first error of a plan: a call that does not fit.
    pub(super) fn plans<T>(
        &self,
        vocab_size: usize,
        plan: &mut dyn FnMut(&[Sequence<'_>]) -> Result<T, JobError>,
    ) -> Result<Vec<T>, JobError> {
        match self {
            Self::Rl(job) => memory::of_rows(job, plan),
            Self::Sft(job) => match job.largest_call() {
                lengths if lengths.is_empty() => Ok(Vec::new()),
                lengths => Ok(vec![memory::of_lengths(vocab_size, &lengths, plan)?]),
            },
        }
    }

    /// Returns the data of the event `training_started`: the number of steps, which clients read, and the numbers of
    /// groups, rows and sequences that are used and dropped.
    pub(super) fn announcement(&self) -> Value {
        match self {
            Self::Rl(job) => {
                let numbers = [
                    ("num_sequences", self.steps()),
                    ("num_groups_submitted", job.statistics.groups),
                    ("num_groups_trainable", job.statistics.trainable_groups),
                    ("num_dropped_sequences", job.statistics.dropped_sequences),
                ];
                let numbers = numbers.into_iter().map(|(name, number)| (name.to_owned(), number.into()));
                let numbers = numbers.chain(job.distributions());
                numbers.chain(job.report.data()).collect::<serde_json::Map<_, _>>().into()
            }
            Self::Sft(job) => job.announcement(),
        }
    }

    /// Returns the warnings for its owner.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = match self {
            Self::Rl(job) => {
                let skipped = job.config.truncation_skipped.then_some(TRUNCATION_SKIPPED);
                job.report.findings().into_iter().chain(skipped).collect()
            }
            Self::Sft(job) => job.findings(),
        };
        // A batch of examples that are all left out is a step without a token.
        if self.tokens().1 == 0 {
            findings.push(("nothing_to_learn", 1, "job has nothing to learn from: no token of its data is trained"));
        }
        let finding =
            |(code, count, meaning): (_, usize, &str)| Finding { code, count, message: format!("{count} {meaning}") };
        findings.into_iter().map(finding).collect()
    }
}
