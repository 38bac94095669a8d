//! Expected effect of an adapter on a text, by which a sampler elsewhere is checked.

use serde::{Deserialize, Serialize};

/// Maximum number of compared tokens.
const COMPARED: usize = 16;

/// Log-probabilities of some tokens of a text with an adapter and under the base model alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdapterEffect {
    /// Tokens of the text.
    pub tokens: Vec<u32>,
    /// Positions of the compared tokens in the text, ascending, each at least 1.
    #[serde(rename = "places")]
    pub positions: Vec<usize>,
    /// Logprob of each compared token with the adapter.
    pub with: Vec<f32>,
    /// Logprob of each compared token under the base model.
    pub without: Vec<f32>,
}

impl AdapterEffect {
    /// Keeps the tokens of a text that the adapter changes most. Of tokens that are almost certain with it, the change
    /// counts less: an adapter of twice the strength would hardly change them further. `with` and `without` have the logprob
    /// of each token but the first.
    ///
    /// # Panics
    /// If their lengths differ.
    pub fn of(tokens: &[u32], with: &[f32], without: &[f32]) -> Self {
        assert_eq!(with.len(), without.len(), "both have a logprob of each token but the first");
        let change = |index: &usize| (with[*index] - without[*index]).abs() * (1.0 - with[*index].exp());
        let mut kept: Vec<usize> = (0..with.len()).collect();
        kept.sort_by(|one, other| change(other).total_cmp(&change(one)));
        kept.truncate(COMPARED);
        kept.sort_unstable();
        let last = kept.last().map_or(0, |index| index + 2);
        Self {
            tokens: tokens[..last].to_vec(),
            positions: kept.iter().map(|index| index + 1).collect(),
            with: kept.iter().map(|index| with[*index]).collect(),
            without: kept.iter().map(|index| without[*index]).collect(),
        }
    }

    /// Returns the root of the mean square of the changes, in nats; 0 without a token.
    pub fn size(&self) -> f64 {
        let square = |(with, without): (&f32, &f32)| (f64::from(*with) - f64::from(*without)).powi(2);
        let sum: f64 = self.with.iter().zip(&self.without).map(square).sum();
        (sum / self.positions.len().max(1) as f64).sqrt()
    }

    /// Returns whether the fields belong together: a stored value may be damaged.
    pub fn is_valid(&self) -> bool {
        let count = self.positions.len();
        self.with.len() == count
            && self.without.len() == count
            && self.positions.iter().all(|position| (1..self.tokens.len()).contains(position))
            && self.with.iter().chain(&self.without).all(|logprob| logprob.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_that_change_most_are_kept_in_their_order() {
        let tokens: Vec<u32> = (0..41).collect();
        let without = vec![-1.0; 40];
        let with: Vec<f32> =
            (0..40).map(|index| if index % 2 == 0 { -1.0 } else { -1.0 - index as f32 / 100.0 }).collect();
        let effect = AdapterEffect::of(&tokens, &with, &without);
        // The 16 largest odd indexes are 9 to 39, each the logprob of the token after it.
        assert_eq!(effect.positions, (9..40).step_by(2).map(|index| index + 1).collect::<Vec<usize>>());
        assert_eq!(effect.tokens, tokens);
        assert_eq!((effect.with[0], effect.without[0]), (-1.09, -1.0));
        assert!(effect.is_valid());
        let expected = (effect.positions.iter().map(|position| ((position - 1) as f64 / 100.0).powi(2)).sum::<f64>()
            / 16.0)
            .sqrt();
        assert!((effect.size() - expected).abs() < 1e-6);
        // The largest change is that of a token which is certain now.
        let mut with = vec![-1.1; 40];
        with[7] = -1e-4;
        let effect = AdapterEffect::of(&tokens, &with, &without);
        assert!(!effect.positions.contains(&8), "{effect:?}");

        let short = AdapterEffect::of(&[7, 8, 9], &[-0.5, -2.0], &[-0.5, -1.0]);
        assert_eq!((short.positions, short.tokens), (vec![1, 2], vec![7, 8, 9]));
        assert_eq!(AdapterEffect::of(&[7], &[], &[]).size(), 0.0);
    }

    #[test]
    fn a_damaged_value_is_recognised() {
        let effect = AdapterEffect::of(&[7, 8, 9], &[-0.5, -2.0], &[-0.5, -1.0]);
        for damage in [
            (|effect| effect.positions[1] = 3) as fn(&mut AdapterEffect),
            |effect| effect.positions[0] = 0,
            |effect| effect.with[0] = f32::NAN,
            |effect| effect.without.truncate(1),
        ] {
            let mut damaged = effect.clone();
            damage(&mut damaged);
            assert!(!damaged.is_valid(), "{damaged:?}");
        }
    }
}
