//! Selection of the likeliest tokens, and of the token at a point of the cumulative distribution. The largest logit and
//! the weight of each block of the vocabulary exclude most blocks, so that their tokens need not be inspected.

use std::cmp::Ordering;

use crate::kernels::InstructionSet;
use crate::kernels::vocabulary::{BLOCK, Weighting, block_maxima, block_weights, weights};

/// A token and its logit.
pub(super) type Candidate = (u32, f32);

/// Reusable memory for sampling a token.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Largest logit of each block.
    maxima: Vec<f32>,
    /// Copy of `maxima`, partially sorted.
    ranked: Vec<f32>,
    /// Sum of the weights of each block.
    sums: Vec<f32>,
    pub(super) candidates: Vec<Candidate>,
    /// Logits of the candidates, followed by their weights.
    weights: Vec<f32>,
}

/// Orders candidates by descending logit, then by ascending id.
fn order(left: &Candidate, right: &Candidate) -> Ordering {
    right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0))
}

impl Room {
    /// Computes the block maxima of the logits, none of which may be NaN, for the methods below. Returns the largest
    /// logit.
    pub(super) fn survey(&mut self, logits: &[f32]) -> f32 {
        self.maxima.resize(logits.len().div_ceil(BLOCK), 0.0);
        block_maxima(InstructionSet::best(), logits, &mut self.maxima);
        self.maxima.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    /// Returns the likeliest token, the one with the smallest id among equals; `max` is its logit.
    pub(super) fn likeliest_one(&self, logits: &[f32], max: f32) -> Option<u32> {
        let block = self.maxima.iter().position(|maximum| *maximum == max)?;
        let at = logits.chunks(BLOCK).nth(block)?.iter().position(|logit| *logit == max)?;
        u32::try_from(block * BLOCK + at).ok()
    }

    /// Writes the `count` likeliest tokens to `candidates`, in order.
    pub(super) fn likeliest(&mut self, logits: &[f32], count: usize) {
        let Self { maxima, ranked, candidates, .. } = self;
        let count = count.min(logits.len());
        candidates.clear();
        if count == 0 {
            return;
        }
        // `count` blocks have a token with at least this logit, so the `count` likeliest tokens have it too.
        let least = if count <= maxima.len() {
            ranked.clone_from(maxima);
            *ranked.select_nth_unstable_by(count - 1, |left, right| right.total_cmp(left)).1
        } else {
            f32::NEG_INFINITY
        };
        for (block, (maximum, logits)) in maxima.iter().zip(logits.chunks(BLOCK)).enumerate() {
            if *maximum >= least {
                let ids = (block * BLOCK) as u32..;
                candidates.extend(ids.zip(logits.iter().copied()).filter(|(_, logit)| *logit >= least));
            }
        }
        if count < candidates.len() {
            candidates.select_nth_unstable_by(count, order);
            candidates.truncate(count);
        }
        candidates.sort_unstable_by(order);
    }

    /// Returns the weights of the candidates, in their order, with the same bits as in a whole row.
    pub(super) fn candidate_weights(&mut self, weighting: Weighting) -> &[f32] {
        let Self { candidates, weights: room, .. } = self;
        let count = candidates.len();
        room.clear();
        room.extend(candidates.iter().map(|(_, logit)| *logit));
        room.resize(2 * count, 0.0);
        let (logits, result) = room.split_at_mut(count);
        weights(InstructionSet::best(), logits, weighting, result);
        result
    }

    /// Returns the sum of the weights of all tokens.
    pub(super) fn total(&mut self, logits: &[f32], weighting: Weighting) -> f64 {
        self.sums.resize(logits.len().div_ceil(BLOCK), 0.0);
        block_weights(InstructionSet::best(), logits, weighting, &mut self.sums);
        self.sums.iter().map(|&sum| f64::from(sum)).sum()
    }

    /// Returns the first token, by id, at which the cumulative weight exceeds `target`; `None` if there is none.
    /// [`Room::total`] must have been called before.
    pub(super) fn at(&self, logits: &[f32], weighting: Weighting, target: f64) -> Option<u32> {
        let mut before = 0.0;
        for (block, sum) in self.sums.iter().enumerate() {
            let after = before + f64::from(*sum);
            if after > target {
                let logits = &logits[block * BLOCK..logits.len().min((block + 1) * BLOCK)];
                let mut room = [0.0; BLOCK];
                let block_weights = &mut room[..logits.len()];
                weights(InstructionSet::best(), logits, weighting, block_weights);
                let within = first_above(block_weights.iter().copied(), target - before);
                // The block's sum was rounded differently, so the point is after the last token; the last one with a
                // weight is selected.
                let within = within.or_else(|| block_weights.iter().rposition(|weight| *weight > 0.0));
                return within.and_then(|within| u32::try_from(block * BLOCK + within).ok());
            }
            before = after;
        }
        None
    }
}

/// Returns the first index at which the cumulative weight exceeds `target`.
pub(super) fn first_above(weights: impl Iterator<Item = f32>, target: f64) -> Option<usize> {
    let mut sum = 0.0;
    for (index, weight) in weights.enumerate() {
        sum += f64::from(weight);
        if sum > target {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn likeliest_is_a_prefix_of_the_sorted_order(
            values in prop::collection::vec(-30i8..30, 1..700),
            count in 0usize..100,
        ) {
            let logits: Vec<f32> = values.iter().map(|&value| f32::from(value)).collect();
            let mut all: Vec<Candidate> = (0..).zip(logits.iter().copied()).collect();
            all.sort_by(order);
            let mut room = Room::default();
            let max = room.survey(&logits);
            room.likeliest(&logits, count);
            prop_assert_eq!(&room.candidates[..], &all[..count.min(logits.len())]);
            prop_assert_eq!(room.likeliest_one(&logits, max), Some(all[0].0));
        }

        #[test]
        fn a_point_falls_on_the_token_of_a_plain_walk(
            logits in prop::collection::vec(prop_oneof![-8.0f32..8.0, Just(f32::NEG_INFINITY)], 1..700),
            point in 0.0f64..1.0,
        ) {
            let mut room = Room::default();
            let max = room.survey(&logits);
            prop_assume!(max.is_finite());
            let weighting = Weighting { max, temperature: 0.8 };
            let target = point * room.total(&logits, weighting);
            let chosen = room.at(&logits, weighting, target).expect("some token") as usize;
            let plain: Vec<f64> = logits.iter().map(|&logit| (f64::from(logit - max) / 0.8).exp()).collect();
            let (before, total): (f64, f64) = (plain[..chosen].iter().sum(), plain.iter().sum());
            let slack = 1e-5 * total;
            prop_assert!(plain[chosen] > 0.0);
            prop_assert!(before - slack <= target && target <= before + plain[chosen] + slack);
        }
    }

    #[test]
    fn a_point_at_the_edge_of_a_block_finds_a_token_that_can_be() {
        // The sum of a block by lanes and the sequential sum are rounded differently.
        let logits: Vec<f32> =
            (0..640).map(|i| if i % 3 == 0 { f32::NEG_INFINITY } else { (i as f32).sin() }).collect();
        let mut room = Room::default();
        let max = room.survey(&logits);
        let weighting = Weighting { max, temperature: 1.0 };
        let total = room.total(&logits, weighting);
        let mut edge = 0.0;
        for sum in room.sums.clone() {
            edge += f64::from(sum);
            for target in [edge.next_down(), edge] {
                if target < total {
                    let chosen = room.at(&logits, weighting, target).expect("some token");
                    assert!(logits[chosen as usize].is_finite());
                }
            }
        }
    }
}
