//! Memory check of a job before it starts.

use crate::engine::MemoryPlan;
use crate::training::{PreparedRl, Sequence, TrainSequence};

use super::error::JobError;
use super::trainer::Trainer;

/// Returns the plan with the most memory.
fn greatest(plans: impl Iterator<Item = Result<Option<MemoryPlan>, JobError>>) -> Result<Option<MemoryPlan>, JobError> {
    let plans = plans.collect::<Result<Vec<_>, _>>()?;
    Ok(plans.into_iter().flatten().max_by_key(|plan| plan.bytes))
}

/// Returns the memory plan of the largest optimizer step of an RL job.
///
/// # Errors
/// A step does not fit; the error is that of the first one.
pub(super) fn of_rows(trainer: &Trainer, job: &PreparedRl) -> Result<Option<MemoryPlan>, JobError> {
    greatest(job.rows.iter().map(|row| {
        let sequences: Vec<_> = job.sequences.range(row.clone()).collect();
        let inputs: Vec<_> = sequences.iter().map(TrainSequence::input).collect();
        trainer.plan(&inputs)
    }))
}

/// Returns the maximum memory of sequences of these lengths in one call, for any tokens.
///
/// # Errors
/// The sequences do not fit.
pub(super) fn of_lengths(
    trainer: &Trainer,
    vocab_size: usize,
    lengths: &[usize],
) -> Result<Option<MemoryPlan>, JobError> {
    let sequences: Vec<(Vec<u32>, Vec<bool>)> = lengths
        .iter()
        .enumerate()
        .map(|(index, length)| {
            // The sequences have different first tokens, so nothing is shared.
            let token = u32::try_from(index % vocab_size).unwrap_or_default();
            (vec![token; *length], (0..*length).map(|position| position > 0).collect())
        })
        .collect();
    let inputs: Vec<_> = sequences.iter().map(|(tokens, scored)| Sequence { tokens, scored }).collect();
    trainer.plan(&inputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{AdamState, Adapter, BaseModel, ComputePool, LoraOptions, TrainSession, WeightFormat};

    fn trainer(limit: usize) -> Trainer {
        let config = include_str!("../../assets/seedling/config.json");
        let weights: &[u8] = include_bytes!("../../assets/seedling/model.safetensors");
        let pool = ComputePool::new(1);
        let base = BaseModel::load(config, &[("model.safetensors", weights)], WeightFormat::F32, &pool).unwrap();
        let adapter = Adapter::new(&base.config, &LoraOptions::default(), 1);
        let adam = AdamState::new(&adapter);
        Trainer::Lora(Box::new(TrainSession::new(pool, base, adapter, adam).with_memory_limit(limit)))
    }

    #[test]
    fn a_call_that_does_not_fit_is_rejected_with_numbers() {
        let plan = of_lengths(&trainer(1 << 30), 300, &[64, 32]).unwrap().unwrap();
        assert_eq!((plan.tokens, plan.unique_tokens), (94, 94), "the last token of a sequence is not run");
        assert!(!plan.recomputes && of_lengths(&trainer(plan.bytes - 1), 300, &[64, 32]).unwrap().unwrap().recomputes);
        let text = of_lengths(&trainer(100_000), 300, &[64, 32]).unwrap_err().to_string();
        assert!(text.contains("bytes of memory") && text.contains("limit of 100000"), "{text}");
    }
}
