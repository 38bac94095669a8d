//! Comparison of an adapter's effect at a replica with its effect in training.
//!
//! vLLM may load an adapter and not apply it, or apply another one. Differences of log-probabilities are compared, not
//! values: in bf16 the rounding of a value hides a small adapter's whole effect.

use crate::engine::sampler::AdapterEffect;

/// Measured changes, in proportion to the expected ones, that belong to the right adapter.
const SLOPES: std::ops::RangeInclusive<f64> = 0.5..=1.5;
/// Largest difference of a change from the expected one, in proportion to it and beside rounding, that belongs to the right
/// adapter. bf16 rounds the weights of an adapter to 0.4 %.
const MAX_RESIDUAL: f64 = 0.1;
/// Largest difference of a change from the expected one as a multiple of the rounding of a change.
const MAX_ROUNDING: f64 = 3.0;
/// Smallest change of a token that counts, as a multiple of the rounding of a change.
const COUNTS: f64 = 2.0;
/// Smallest change of a token that counts, in nats: rounding in f32 makes a tenth of it.
const SMALLEST: f64 = 2e-5;
/// Largest standard error of the slope with which it can be decided on.
const MAX_ERROR: f64 = 0.125;
/// Standard error of a median, in proportion to that of a mean.
const OF_MEDIAN: f64 = 1.25;

/// Result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// The adapter is applied; measured changes in proportion to the expected ones.
    Right { slope: f64 },
    /// The effect is too small beside the rounding of a change, both in nats.
    Undecided { effect: f64, rounding: f64 },
    /// Another effect than in training.
    Wrong(String),
    /// None of the values with the adapter is finite.
    NotFinite,
    /// Some values are not finite: the replica has them from another adapter.
    Spoiled,
}

/// Compares the logprobs at a replica, with the adapter and without, with those of training.
pub(super) fn judge(expected: &AdapterEffect, with: &[f32], without: &[f32]) -> Verdict {
    if !without.iter().chain(with).all(|logprob| logprob.is_finite()) {
        return if with.iter().any(|logprob| logprob.is_finite()) { Verdict::Spoiled } else { Verdict::NotFinite };
    }
    let difference = |(left, right): (&f32, &f32)| f64::from(*left) - f64::from(*right);
    let changes = expected.with.iter().zip(&expected.without).map(difference);
    let measured = with.iter().zip(without).map(difference);
    // Rounding shows in the base model's values, which are those of training but for it. A change has two of them.
    let rounding = root_mean_square(without.iter().zip(&expected.without).map(difference)) * 2f64.sqrt();
    let counts = |(change, _): &(f64, f64)| change.abs() >= (COUNTS * rounding).max(SMALLEST);
    let counted: Vec<(f64, f64)> = changes.zip(measured).filter(counts).collect();
    let size = median(counted.iter().map(|(change, _)| change.abs()));
    let error = OF_MEDIAN * rounding / size / (counted.len() as f64).sqrt();
    // Not a number without a token.
    if error.is_nan() || error > MAX_ERROR {
        return Verdict::Undecided { effect: expected.size(), rounding };
    }
    // The median, since a token that is almost certain changes alike with adapters of different strength.
    let slope = median(counted.iter().map(|(change, measured)| measured / change));
    // Part of an adapter may make changes of the right size at other tokens.
    let residual = median(counted.iter().map(|(change, measured)| (measured - change).abs()));
    if SLOPES.contains(&slope) && residual <= MAX_RESIDUAL * size + MAX_ROUNDING * rounding {
        return Verdict::Right { slope };
    }
    Verdict::Wrong(format!(
        "it changes the log-probabilities of a text by {slope:.2} times the change in training, by the median of {} tokens \
         whose median change is {size:.4} nats; they differ from training's by {residual:.4} nats, of which rounding explains \
         {rounding:.4}",
        counted.len()
    ))
}

/// Returns the median; not a number without values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count => (values[(count - 1) / 2] + values[count / 2]) / 2.0,
    }
}

fn root_mean_square(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    (values.map(|value| value * value).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An effect of this size, with signs in turn.
    fn effect(size: f32) -> AdapterEffect {
        let sign = |place: usize| if place.is_multiple_of(2) { size } else { -size };
        AdapterEffect {
            tokens: vec![0; 17],
            positions: (1..17).collect(),
            with: (1..17).map(|place| sign(place) - 2.0).collect(),
            without: vec![-2.0; 16],
        }
    }

    /// Values with this rounding.
    fn rounded(values: &[f32], rounding: f32) -> Vec<f32> {
        // Independent of the signs of an effect.
        values
            .iter()
            .enumerate()
            .map(|(index, value)| value + if index % 4 < 2 { rounding } else { -rounding })
            .collect()
    }

    #[test]
    fn the_right_adapter_passes_within_rounding() {
        for (size, rounding) in [(0.2, 0.0), (0.2, 0.02), (1e-3, 1e-6), (6e-5, 1e-6)] {
            let expected = effect(size);
            let verdict = judge(&expected, &rounded(&expected.with, rounding), &rounded(&expected.without, -rounding));
            let Verdict::Right { slope } = verdict else { panic!("{size} {rounding}: {verdict:?}") };
            assert!((slope - 1.0).abs() < 0.05, "{slope}");
        }
    }

    #[test]
    fn adapters_without_or_with_another_effect_are_wrong() {
        for (size, rounding) in [(0.2, 0.0), (0.2, 0.02), (1e-3, 1e-6)] {
            let expected = effect(size);
            let factors: &[f32] =
                if rounding < 0.01 { &[0.0, 0.4, 0.8, 1.25, 2.0, -1.0] } else { &[0.0, 0.4, 1.7, -1.0] };
            for &factor in factors {
                let with: Vec<f32> = effect(size * factor).with;
                let verdict = judge(&expected, &rounded(&with, rounding), &rounded(&expected.without, -rounding));
                assert!(matches!(verdict, Verdict::Wrong(_)), "{size} {rounding} {factor}: {verdict:?}");
            }
        }
        // The right strength in the median of the tokens, with other changes.
        let expected = effect(0.2);
        let scattered: Vec<f32> =
            expected.with.iter().zip(0..).map(|(with, place)| with + [0.06, -0.06, 0.0][place % 3]).collect();
        assert!(matches!(judge(&expected, &scattered, &expected.without), Verdict::Wrong(_)));
        // Twice the strength, where a few tokens are almost certain with either.
        let mut expected = effect(0.2);
        let mut with = effect(0.4).with;
        for place in [1, 5, 9] {
            (expected.with[place], with[place]) = (-0.02, -0.001);
        }
        assert!(matches!(judge(&expected, &with, &expected.without), Verdict::Wrong(_)));
        let expected = effect(0.2);
        let mut spoiled = expected.with.clone();
        spoiled[3] = f32::NAN;
        assert_eq!(judge(&expected, &spoiled, &expected.without), Verdict::Spoiled);
        assert_eq!(judge(&expected, &expected.with, &spoiled), Verdict::Spoiled);
        assert_eq!(judge(&expected, &[f32::NAN; 16], &spoiled), Verdict::NotFinite);
    }

    #[test]
    fn an_effect_below_rounding_is_not_decidable() {
        for (size, rounding) in [(0.02, 0.02), (1e-5, 0.0), (0.0, 0.0)] {
            let expected = effect(size);
            for factor in [0.0, 1.0, 3.0] {
                let with: Vec<f32> = effect(size * factor).with;
                let verdict = judge(&expected, &with, &rounded(&expected.without, rounding));
                assert!(matches!(verdict, Verdict::Undecided { .. }), "{size} {rounding}: {verdict:?}");
            }
        }
    }
}
