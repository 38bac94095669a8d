//! Conversion of a row of logits to the gradient of a token's logprob, in place.

use super::products::scale_to_pairs;
use super::rows::{LogSoftmax, distance, first_lanes, largest, load_part, store_part};
use super::units::{InstructionSet, LANES, Simd, kernel};

/// Score of a target token, from a row of logits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenScore {
    /// Logprob of the token.
    pub logprob: f32,
    /// Entropy of the distribution in nats.
    pub entropy: f32,
}

/// Number format of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradientFormat {
    /// f32.
    F32,
    /// Pairs of bf16 in the first half of the row, the format of [`matmul_pairs`](super::products::matmul_pairs).
    Bf16Pairs,
}

/// Scores token `target` and replaces the first `vocab_size` logits by the gradient of its logprob, which is one-hot
/// minus softmax. The rest of the row is padding and is set to zero.
///
/// The score equals that of [`log_softmax`](super::log_softmax) bit for bit.
pub fn score_and_differentiate(
    set: InstructionSet,
    row: &mut [f32],
    vocab_size: usize,
    target: usize,
    format: GradientFormat,
) -> TokenScore {
    let (logits, padding) = row.split_at_mut(vocab_size);
    let logit = logits[target];
    let (stats, sum) = exponentials(set, logits);
    // -(e - sum) / sum is one minus the probability.
    logits[target] -= sum;
    let factor = -1.0 / sum;
    padding.fill(0.0);
    match format {
        GradientFormat::F32 => scale(set, logits, factor),
        GradientFormat::Bf16Pairs => {
            let padded = row.len();
            scale_to_pairs(set, &mut row[..vocab_size], factor);
            row[vocab_size.div_ceil(2)..padded.div_ceil(2)].fill(0.0);
        }
    }
    TokenScore { logprob: stats.logprob(logit), entropy: stats.entropy }
}

#[inline(always)]
fn exponentials_generic<S: Simd>(simd: S, logits: &mut [f32]) -> (LogSoftmax, f32) {
    let max = largest(simd, logits);
    let (mut sum, mut weighted) = (simd.zero(), simd.zero());
    let (vectors, tail) = logits.as_chunks_mut::<LANES>();
    for x in vectors {
        let distance = distance(simd, simd.load(x), max);
        let value = simd.exp(distance);
        sum = simd.add(sum, value);
        weighted = simd.mul_add(value, distance, weighted);
        simd.store(value, x);
    }
    if !tail.is_empty() {
        let distance = distance(simd, load_part(simd, tail, max), max);
        let value = first_lanes(simd, simd.exp(distance), tail.len());
        sum = simd.add(sum, value);
        weighted = simd.mul_add(value, distance, weighted);
        store_part(simd, value, tail);
    }
    let sum = simd.sum(sum);
    let log_sum = sum.ln();
    (LogSoftmax { max, log_sum, entropy: log_sum - simd.sum(weighted) / sum }, sum)
}

kernel! {
    /// Replaces logits by `exp(logit - max)`. Returns the result of [`log_softmax`](super::log_softmax) and the sum of
    /// the exponentials.
    fn exponentials(logits: &mut [f32]) -> (LogSoftmax, f32) = exponentials_generic;
}

#[inline(always)]
fn scale_generic<S: Simd>(_simd: S, values: &mut [f32], factor: f32) {
    for value in values {
        *value *= factor;
    }
}

kernel! {
    /// Multiplies values by a factor.
    fn scale(values: &mut [f32], factor: f32) = scale_generic;
}
