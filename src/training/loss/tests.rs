use proptest::prelude::*;

use super::*;

fn with<'a>(new: &'a [f32], old: &'a [f32], values: &'a [f64], sequences: &'a [usize]) -> LossTokens<'a> {
    LossTokens {
        new,
        old,
        original: None,
        reference: None,
        advantages: values,
        weights: values,
        sequences,
        entropies: new,
    }
}

#[test]
fn no_tokens_no_loss() {
    let loss = loss(&with(&[], &[], &[], &[]), &LossConfig::default());
    let nothing =
        Loss { value: 0.0, entropy: 0.0, kl_to_reference: None, ratios: None, mismatch: None, gradient: vec![] };
    assert_eq!(loss, nothing);
}

#[test]
fn on_policy_the_first_step_is_plain_policy_gradient() {
    let (new, values) = ([-0.5, -1.25], [2.0, 2.0]);
    for objective in [Objective::Cispo, Objective::Ppo] {
        let loss = loss(&with(&new, &new, &values, &[0, 0]), &LossConfig::new(objective));
        for entry in loss.gradient {
            assert!((entry - -2.0 * 2.0 / 2.000001).abs() < 1e-12, "{objective:?}: {entry}");
        }
    }
}

#[test]
fn extreme_ratios_stay_finite_in_cispo() {
    let config = LossConfig::default();
    let loss = loss(&with(&[-0.1], &[-9999.0], &[1.0], &[0]), &config);
    assert!(loss.value.is_finite() && (loss.gradient[0] + 5.0).abs() < 1e-4, "{loss:?}");
}

fn levels() -> impl Strategy<Value = ImportanceSampling> {
    prop::sample::select(vec![
        ImportanceSampling::Token,
        ImportanceSampling::Sequence,
        ImportanceSampling::Average,
        ImportanceSampling::GeometricAverage,
    ])
}

proptest! {
    /// PPO differentiates all of its formula, so its gradient is that of its value, away from the kinks.
    #[test]
    fn the_ppo_gradient_is_the_slope_of_its_value(
        new in prop::collection::vec(-3.0f32..-0.01, 5),
        old in prop::collection::vec(-3.0f32..-0.01, 5),
        advantages in prop::collection::vec(-2.0..2.0f64, 5),
        weights in prop::collection::vec(0.1..2.0f64, 5),
        level in levels(),
    ) {
        let config = LossConfig { importance_sampling: level, ..LossConfig::new(Objective::Ppo) };
        let sequences = [0, 0, 1, 1, 1];
        let at = |new: &[f32]| {
            loss(&LossTokens { weights: &weights, ..with(new, &old, &advantages, &sequences) }, &config)
        };
        let here = at(&new);
        for index in 0..new.len() {
            let moved = |by: f32| {
                let mut moved = new.clone();
                moved[index] += by;
                (f64::from(moved[index]), at(&moved))
            };
            let ((low, below), (high, above)) = (moved(-1e-3), moved(1e-3));
            // between gradients that differ there is a kink
            let smooth = below.gradient.iter().zip(&above.gradient).all(|(left, right)| (left - right).abs() < 0.02 * (1.0 + left.abs()));
            if smooth {
                let slope = (above.value - below.value) / (high - low);
                prop_assert!((slope - here.gradient[index]).abs() < 1e-3 * (1.0 + slope.abs()), "{index}: {slope} {}", here.gradient[index]);
            }
        }
    }

    /// CISPO holds the clipped ratio constant: its value is linear in `new` with the gradient as coefficient.
    #[test]
    fn the_cispo_gradient_is_its_coefficient(
        new in prop::collection::vec(-3.0f32..-0.01, 4),
        old in prop::collection::vec(-3.0f32..-0.01, 4),
        values in prop::collection::vec(0.1..2.0f64, 4),
        level in levels(),
        mask_outside_clip_range in any::<bool>(),
    ) {
        let config = LossConfig { importance_sampling: level, mask_outside_clip_range, epsilon: 0.3, ..LossConfig::default() };
        let loss = loss(&with(&new, &old, &values, &[0, 0, 1, 1]), &config);
        let linear: f64 = loss.gradient.iter().zip(&new).map(|(entry, new)| entry * f64::from(*new)).sum();
        prop_assert!((linear - loss.value).abs() < 1e-9);
    }
}
