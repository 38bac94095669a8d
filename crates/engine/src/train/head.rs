//! Output head: logprobs and their gradients from the last layer, a few rows of logits at a time.

use super::memory::{HEAD_CHUNK, Memory};
use super::sequence::{Prediction, Scores};
use crate::kernels::cross_entropy::{GradientFormat, score_and_differentiate};
use crate::kernels::products::{Factor, SmallProduct, matmul, matmul_pairs, small_products};
use crate::kernels::rows::{log_softmax_with, rms_norm};
use crate::kernels::{ComputePool, ROW_BLOCK, WeightFormat, for_row_blocks};
use crate::model::BaseModel;
use crate::pass::WeightGradients;

/// Computes logprob and entropy of each prediction from `memory.x`; they may be NaN or infinite. With `gradient`,
/// writes the gradient of each logprob with respect to the predicting row's final norm to `memory.d_predictors`.
///
/// That gradient does not depend on the loss, which only scales it, so one pass over the logits computes both. At most
/// [`HEAD_CHUNK`] rows of logits exist at a time.
pub(super) fn score_head(
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
            rms_norm(set, x, base.rms_norm(&base.final_norm), normed);
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

/// Adds the gradients of the head and the final norm, and writes the gradient of the norm's output to
/// `memory.d_predictors`. `weights[i]` is the derivative of the loss with respect to the logprob of
/// `predictions[i]`. Scoring must have left the normalised rows in `memory.predictors`.
///
/// The logits are computed a second time: the derivatives are known only after all logprobs of a call, and keeping
/// the logits of a whole call would take more memory than the model.
pub(super) fn add_head(
    gradients: &mut WeightGradients,
    pool: &ComputePool,
    base: &BaseModel,
    memory: &mut Memory,
    predictions: &[Prediction],
    weights: &[f32],
) {
    let (stride, vocab) = (base.layout.hidden.padded_len(), base.layout.vocab.padded_len());
    let (set, vocab_size) = (pool.instruction_set(), base.config.vocab_size);
    memory.d_predictors.reserve(weights.len() * stride);
    memory.logits.reserve(HEAD_CHUNK.min(weights.len()) * vocab);
    for (chunk, weights) in weights.chunks(HEAD_CHUNK).enumerate() {
        let (first, rows) = (chunk * HEAD_CHUNK, weights.len());
        let predictors = &memory.predictors[first * stride..];
        matmul(pool, rows, predictors, &base.head.forward, &mut memory.logits, false, &[]);
        for_row_blocks(pool, rows, 4, [(&mut memory.logits[..], vocab)], &|block, [logits]| {
            for (i, logits) in block.zip(logits.chunks_exact_mut(vocab)) {
                let target = predictions[first + i].target as usize;
                score_and_differentiate(set, logits, vocab_size, target, GradientFormat::F32);
                logits.iter_mut().for_each(|gradient| *gradient *= weights[i]);
            }
        });
        let product = SmallProduct {
            rows: vocab,
            columns: stride,
            depth: rows,
            a: &memory.logits,
            a_strides: (1, vocab),
            b: Factor::F32(predictors),
            b_stride: stride,
            c: gradients.head.as_mut().unwrap_or(&mut gradients.embedding),
            c_stride: stride,
            accumulate: true,
        };
        small_products(pool, vec![product]);
        let d_predictors = &mut memory.d_predictors[first * stride..];
        matmul(pool, rows, &memory.logits, base.head.backward(pool), d_predictors, false, &[]);
    }
    let (x, dy) = (&memory.x, &memory.d_predictors);
    gradients.add_final_norm(pool, base, predictions.len(), &|i| {
        [&x[predictions[i].row * stride..][..stride], &dy[i * stride..][..stride]]
    });
}
