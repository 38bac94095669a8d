//! Kernels over the vocabulary, with one value per token, for sampling block by block.

use super::rows::load_part;
use super::units::{LANES, Simd, kernel};

/// Number of tokens in a block.
pub const BLOCK: usize = 4 * LANES;

#[inline(always)]
fn block_maxima_generic<S: Simd>(simd: S, logits: &[f32], maxima: &mut [f32]) {
    assert_eq!(maxima.len(), logits.len().div_ceil(BLOCK));
    for (block, maximum) in logits.chunks(BLOCK).zip(maxima) {
        let mut largest = simd.splat(f32::NEG_INFINITY);
        let (vectors, tail) = block.as_chunks::<LANES>();
        for x in vectors {
            largest = simd.max(largest, simd.load(x));
        }
        if !tail.is_empty() {
            largest = simd.max(largest, load_part(simd, tail, f32::NEG_INFINITY));
        }
        *maximum = simd.largest(largest);
    }
}

kernel! {
    /// Computes the largest value of each block of [`BLOCK`] values.
    pub fn block_maxima(logits: &[f32], maxima: &mut [f32]) = block_maxima_generic;
}

/// Least exponent with a nonzero weight; smaller ones, including masked tokens, have the weight zero.
const MIN: f32 = -87.0;

/// Conversion of logits to weights: `exp((logit - max) / temperature)`.
#[derive(Clone, Copy, Debug)]
pub struct Weighting {
    /// Largest logit, whose weight is 1.
    pub max: f32,
    /// Temperature, above 0.
    pub temperature: f32,
}

#[inline(always)]
fn weight<S: Simd>(simd: S, logit: S::V, weighting: Weighting) -> S::V {
    let distance = simd.sub(logit, simd.splat(weighting.max));
    let exponent = simd.max(simd.splat(MIN), simd.div(distance, simd.splat(weighting.temperature)));
    // This subtraction is too small to change any other weight, and makes the least weight exactly zero.
    simd.sub(simd.exp(exponent), simd.exp(simd.splat(MIN)))
}

#[inline(always)]
fn weights_generic<S: Simd>(simd: S, logits: &[f32], weighting: Weighting, weights: &mut [f32]) {
    let ((logits, logits_tail), (weights, tail)) = (logits.as_chunks::<LANES>(), weights.as_chunks_mut::<LANES>());
    assert!(logits.len() == weights.len() && logits_tail.len() == tail.len());
    for (x, result) in logits.iter().zip(weights) {
        simd.store(weight(simd, simd.load(x), weighting), result);
    }
    if !tail.is_empty() {
        let mut result = [0.0; LANES];
        simd.store(weight(simd, load_part(simd, logits_tail, f32::NEG_INFINITY), weighting), &mut result);
        tail.copy_from_slice(&result[..tail.len()]);
    }
}

kernel! {
    /// Computes the weight of each logit.
    pub fn weights(logits: &[f32], weighting: Weighting, weights: &mut [f32]) = weights_generic;
}

#[inline(always)]
fn block_weights_generic<S: Simd>(simd: S, logits: &[f32], weighting: Weighting, sums: &mut [f32]) {
    assert_eq!(sums.len(), logits.len().div_ceil(BLOCK));
    for (block, result) in logits.chunks(BLOCK).zip(sums) {
        let mut sum = simd.zero();
        let (vectors, tail) = block.as_chunks::<LANES>();
        for x in vectors {
            sum = simd.add(sum, weight(simd, simd.load(x), weighting));
        }
        if !tail.is_empty() {
            sum = simd.add(sum, weight(simd, load_part(simd, tail, f32::NEG_INFINITY), weighting));
        }
        *result = simd.sum(sum);
    }
}

kernel! {
    /// Computes the sum of the weights of each block of [`BLOCK`] logits.
    pub fn block_weights(logits: &[f32], weighting: Weighting, sums: &mut [f32]) = block_weights_generic;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::InstructionSet;

    #[test]
    fn equal_the_plain_formula_on_every_instruction_set() {
        for count in [1, 15, 16, 63, 64, 65, 200, 1000] {
            let mut logits: Vec<f32> = (0..count).map(|i| ((i * 7919) % 1001) as f32 * 0.03 - 9.0).collect();
            logits[count / 2] = f32::NEG_INFINITY;
            logits[count - 1] = 25.0;
            let weighting = Weighting { max: 25.0, temperature: 1.7 };
            let plain: Vec<f64> = logits.iter().map(|&x| (f64::from(x - 25.0) / 1.7).exp()).collect();
            let blocks = count.div_ceil(BLOCK);
            let mut first: Option<[Vec<f32>; 3]> = None;
            for set in InstructionSet::available() {
                let mut results = [vec![0.0; blocks], vec![0.0; blocks], vec![0.0; count]];
                let [maxima, sums, each] = &mut results;
                block_maxima(set, &logits, maxima);
                block_weights(set, &logits, weighting, sums);
                weights(set, &logits, weighting, each);
                for (block, logits) in logits.chunks(BLOCK).enumerate() {
                    assert_eq!(maxima[block], logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
                    let sum: f64 = plain[block * BLOCK..][..logits.len()].iter().sum();
                    assert!((f64::from(sums[block]) - sum).abs() <= 4e-6 * sum, "{} {sum}", sums[block]);
                }
                for (weight, plain) in each.iter().zip(&plain) {
                    assert!((f64::from(*weight) - plain).abs() <= 4e-6 * plain + 1e-37, "{weight} {plain}");
                }
                assert!(count == 1 || each[count / 2] == 0.0, "a masked token weighs nothing");
                assert_eq!(first.get_or_insert_with(|| results.clone()), &results);
            }
        }
    }
}
