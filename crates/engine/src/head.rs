//! Output head: logprobs and their gradients from the last layer, a few rows of logits at a time.

use super::kernels::cross_entropy::{GradientFormat, score_and_differentiate};
use super::kernels::matmul::{matmul, matmul_pairs};
use super::kernels::parallel::{ROW_BLOCK, for_row_blocks};
use super::kernels::rows::{log_softmax_with, rms_norm};
use super::sequence::{Prediction, Scores};
use super::train_memory::{HEAD_CHUNK, Memory};
use super::{BaseModel, ComputePool, WeightFormat};

/// Computes logprob and entropy of each prediction from `memory.x`; they may be NaN or infinite. With `gradient`,
/// writes the gradient of each logprob with respect to the predicting row's final norm to `memory.d_predictors`.
///
/// That gradient does not depend on the loss, which only scales it, so one pass over the logits computes both. At most
/// [`HEAD_CHUNK`] rows of logits exist at a time.
pub(crate) fn score_head(
    pool: &ComputePool,
    base: &BaseModel,
    memory: &mut Memory,
    predictions: &[Prediction],
    gradient: bool,
) -> Scores {
    let (count, layout, config) = (predictions.len(), &base.layout, &base.config);
    let (stride, vocab) = (layout.hidden.padded_len(), layout.vocab.padded_len());
    let set = pool.instruction_set();
    let gradient_format = match base.format {
        WeightFormat::F32 => GradientFormat::F32,
        _ => GradientFormat::Bf16Pairs,
    };
    memory.predictors.reserve(count * stride);
    memory.logits.reserve(HEAD_CHUNK.min(count) * vocab);
    let x = &memory.x;
    for_row_blocks(pool, count, ROW_BLOCK, [(&mut memory.predictors, stride)], &|block, [normed]| {
        for (i, normed) in block.zip(normed.chunks_exact_mut(stride)) {
            let x = &x[predictions[i].row * stride..][..stride];
            rms_norm(set, x, &base.final_norm, config.hidden_size, config.rms_norm_eps, normed);
        }
    });
    if gradient {
        memory.d_predictors.reserve(count * stride);
    }
    let mut scores = Scores { logprobs: vec![0.0; count], entropies: vec![0.0; count] };
    for first in (0..count).step_by(HEAD_CHUNK) {
        let rows = HEAD_CHUNK.min(count - first);
        let predictors = &memory.predictors[first * stride..];
        matmul(pool, rows, predictors, &base.head.forward, &mut memory.logits, false, &[]);
        let outputs = [
            (&mut memory.logits[..], vocab),
            (&mut scores.logprobs[first..first + rows], 1),
            (&mut scores.entropies[first..first + rows], 1),
        ];
        for_row_blocks(pool, rows, 4, outputs, &|block, [logits, logprobs, entropies]| {
            let results = logprobs.iter_mut().zip(entropies);
            for ((i, logits), (logprob, entropy)) in block.zip(logits.chunks_exact_mut(vocab)).zip(results) {
                let target = predictions[first + i].target as usize;
                (*logprob, *entropy) = if gradient {
                    let score = score_and_differentiate(set, logits, config.vocab_size, target, gradient_format);
                    (score.logprob, score.entropy)
                } else {
                    let stats = log_softmax_with(set, &logits[..config.vocab_size]);
                    (stats.logprob(logits[target]), stats.entropy)
                };
            }
        });
        if gradient {
            let d_predictors = &mut memory.d_predictors[first * stride..];
            let head = base.head.backward(pool);
            match gradient_format {
                GradientFormat::F32 => matmul(pool, rows, &memory.logits, head, d_predictors, false, &[]),
                GradientFormat::Bf16Pairs => matmul_pairs(pool, rows, &memory.logits, vocab, head, d_predictors),
            }
        }
    }
    scores
}
