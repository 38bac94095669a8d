//! Memory check of a job before it starts.

use std::ops::Range;

use crate::engine::UnsharedSequences;
use crate::training::{PreparedRl, Sequence, TrainSequence};

use super::error::JobError;

/// Plans the memory of each optimizer step of an RL job with `plan`.
///
/// # Errors
/// The first error of a plan: a step that does not fit.
pub(super) fn of_rows<T>(
    job: &PreparedRl,
    plan: &mut dyn FnMut(&[Sequence<'_>]) -> Result<T, JobError>,
) -> Result<Vec<T>, JobError> {
    let of_row = |row: &Range<usize>| {
        let sequences: Vec<_> = job.sequences.range(row.clone()).collect();
        let inputs: Vec<_> = sequences.iter().map(TrainSequence::input).collect();
        plan(&inputs)
    };
    job.rows.iter().map(of_row).collect()
}

/// Plans the memory of sequences of these lengths in one call with `plan`, for any tokens.
///
/// # Errors
/// The error of the plan: the sequences do not fit.
pub(super) fn of_lengths<T>(
    vocab_size: usize,
    lengths: &[usize],
    plan: &mut dyn FnMut(&[Sequence<'_>]) -> Result<T, JobError>,
) -> Result<T, JobError> {
    let sequences = UnsharedSequences::new(lengths, vocab_size);
    let inputs: Vec<_> = sequences.iter().map(|(tokens, scored)| Sequence { tokens, scored }).collect();
    plan(&inputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        AdamState, Adapter, BaseModel, ComputePool, LoraOptions, MemoryPlan, TrainSession, WeightFormat,
    };
    use crate::jobs::trainer::Trainer;

    fn plan(limit: usize) -> Result<MemoryPlan, JobError> {
        let config = include_str!("../../assets/seedling/config.json");
        let weights: &[u8] = include_bytes!("../../assets/seedling/model.safetensors");
        let pool = ComputePool::new(1);
        let base = BaseModel::load(config, &[("model.safetensors", weights)], WeightFormat::F32, &pool).unwrap();
        let adapter = Adapter::new(&base.config, &LoraOptions::default(), 1);
        let adam = AdamState::new(&adapter);
        let trainer = Trainer::Lora(Box::new(TrainSession::new(pool, base, adapter, adam).with_memory_limit(limit)));
        of_lengths(300, &[64, 32], &mut |sequences| Ok(trainer.plan(sequences)?.unwrap()))
    }

    #[test]
    fn a_call_that_does_not_fit_is_rejected_with_numbers() {
        let ample = plan(1 << 30).unwrap();
        assert_eq!((ample.tokens, ample.unique_tokens), (94, 94), "the last token of a sequence is not run");
        assert!(!ample.recomputes && plan(ample.bytes - 1).unwrap().recomputes);
        let text = plan(100_000).unwrap_err().to_string();
        assert!(text.contains("bytes of memory") && text.contains("limit of 100000"), "{text}");
    }
}
