//! Gradient of the output head, a few rows of logits at a time.

use super::WeightGradients;
use crate::kernels::cross_entropy::{GradientFormat, score_and_differentiate};
use crate::kernels::matmul::{Factor, SmallProduct, matmul, small_products};
use crate::kernels::parallel::for_row_blocks;
use crate::sequence::Prediction;
use crate::train_memory::{HEAD_CHUNK, Memory};
use crate::{BaseModel, ComputePool};

impl WeightGradients {
    /// Adds the gradients of the head and the final norm, and writes the gradient of the norm's output to
    /// `memory.d_predictors`. `weights[i]` is the derivative of the loss with respect to the logprob of
    /// `predictions[i]`. Scoring must have left the normalised rows in `memory.predictors`.
    ///
    /// The logits are computed a second time: the derivatives are known only after all logprobs of a call, and keeping
    /// the logits of a whole call would take more memory than the model.
    pub(crate) fn add_head(
        &mut self,
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
                c: self.head.as_mut().unwrap_or(&mut self.embedding),
                c_stride: stride,
                accumulate: true,
            };
            small_products(pool, vec![product]);
            let d_predictors = &mut memory.d_predictors[first * stride..];
            matmul(pool, rows, &memory.logits, base.head.backward(pool), d_predictors, false, &[]);
        }
        self.add_final_norm(pool, base, &memory.x, &memory.d_predictors, predictions);
    }
}
