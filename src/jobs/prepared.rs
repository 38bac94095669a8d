//! A job whose data is read and tokenised.

use std::sync::{Arc, atomic::AtomicBool};

use serde::Serialize;
use serde_json::Value;

use super::{
    attempt::AttemptError,
    memory, rl,
    sft::{self, SftJob},
    state::Trainer,
};
use crate::{
    engine::{MemoryPlan, TrainError},
    models::Base,
    store::{
        artifacts::{ArtifactId, Artifacts},
        records::{JobKind, ModelRecord},
    },
    training::{Learner, PreparedRl, RunError, RunOutcome, run::OnStep, run_rl},
};

/// The finding about a job whose importance ratios cannot be truncated.
const TRUNCATION_SKIPPED: (&str, usize, &str) =
    ("truncation_skipped", 1, "option truncated_importance_sampling is not applied: it needs precalculate_logprobs");

/// Something that a job's owner should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// For programs.
    pub code: &'static str,
    /// How often it is so.
    pub count: usize,
    /// For people.
    pub message: String,
}

/// A job with its data tokenised.
pub(super) enum Prepared {
    Rl(PreparedRl),
    Sft(SftJob),
}

impl Prepared {
    /// Reads the data of a job, and what a supervised one validates on beside it. `cancel` is looked at between rows or
    /// groups.
    pub(super) async fn read(
        artifacts: &Artifacts,
        kind: JobKind,
        data: ArtifactId,
        validation: Option<ArtifactId>,
        config: Value,
        base: Arc<Base>,
        model: &ModelRecord,
        cancel: Arc<AtomicBool>,
    ) -> Result<Self, AttemptError> {
        Ok(match kind {
            JobKind::Rl => Self::Rl(rl::prepare(artifacts, data, config, base, model.clone(), cancel).await?),
            JobKind::Sft => Self::Sft(sft::prepare(artifacts, data, validation, config, base, cancel).await?),
        })
    }

    /// Optimizer steps of the job.
    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Rl(job) => job.rows.len(),
            Self::Sft(job) => job.steps(),
        }
    }

    /// Tokens of the sequences that are trained, and how many of them are learned from.
    pub(super) fn tokens(&self) -> (usize, usize) {
        match self {
            Self::Rl(job) => job.sequences.iter().fold((0, 0), |(tokens, trained), sequence| {
                (tokens + sequence.tokens.len(), trained + sequence.trained_tokens())
            }),
            Self::Sft(job) => job.tokens(),
        }
    }

    /// Makes the optimizer steps from `first` on.
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

    /// What the largest call of the trainer needs.
    pub(super) fn plan(&self, trainer: &Trainer, vocab_size: usize) -> Result<Option<MemoryPlan>, TrainError> {
        match self {
            Self::Rl(job) => memory::of_rows(trainer, job),
            Self::Sft(job) => match job.largest_call() {
                lengths if lengths.is_empty() => Ok(None),
                lengths => memory::of_lengths(trainer, vocab_size, &lengths).map(Some),
            },
        }
    }

    /// Data of `training_started`: clients read the number of steps; the rest says what was left out.
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
                numbers.chain(job.report.data()).collect::<serde_json::Map<_, _>>().into()
            }
            Self::Sft(job) => job.announcement(),
        }
    }

    /// What its owner should know.
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
