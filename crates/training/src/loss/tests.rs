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

/// Checks values small enough to compute by hand: d = 0.5 and -0.25, so the ratios are their exponentials.
#[test]
fn ratios_and_mismatch_by_hand() {
    let (new, old) = ([-0.5f32, -1.25], [-1.0f32, -1.0]);
    let config = LossConfig { epsilon: 0.5, epsilon_high: 0.5, ..LossConfig::default() };
    let at =
        |original: Option<&[f32]>| loss(&LossTokens { original, ..with(&new, &old, &[1.0, 1.0], &[0, 0]) }, &config);
    let (high, low) = (0.5f64.exp(), (-0.25f64).exp());
    let ratios = at(None).ratios.expect("tokens");
    let close = |left: f64, right: f64| (left - right).abs() < 1e-12;
    assert!(close(ratios.max, high) && close(ratios.min, low) && close(ratios.mean, (high + low) / 2.0));
    assert_eq!(ratios.clip_share, 0.5, "1.65 is above 1.5, 0.78 is not below 0.5");
    let mismatch = at(None).mismatch.expect("known");
    assert!(close(mismatch.mean_abs, 0.375) && close(mismatch.max_abs, 0.5));
    assert!(close(mismatch.kl, ((high - 1.5) + (low - 0.75)) / 2.0), "{mismatch:?}");
    // Compared with the sampled logprobs where the old ones were recomputed; unknown ones are excluded.
    let mismatch = at(Some(&[-0.75, f32::NAN])).mismatch.expect("one is known");
    assert!(close(mismatch.mean_abs, 0.25) && close(mismatch.max_abs, 0.25));
    assert_eq!(at(Some(&[f32::NAN; 2])).mismatch, None);
}

#[test]
fn the_kl_penalty_by_hand() {
    let (new, old, reference) = ([-0.5f32, -1.5], [-1.0f32, f32::NAN], [-1.0f32, -1.0]);
    let config = |kl_source| LossConfig { kl_penalty_coefficient: 0.5, kl_source, ..LossConfig::new(Objective::Ppo) };
    let at = |kl_source| {
        loss(&LossTokens { reference: Some(&reference), ..with(&new, &old, &[1.0, 1.0], &[0, 0]) }, &config(kl_source))
    };
    // k is 0.5 and -0.5 with the current weights; with the sampled ones it is 0, and -0.5 where the logprob is unknown
    for (source, k) in [(KlSource::CurrentWeights, [0.5, -0.5]), (KlSource::Sampled, [0.0, -0.5])] {
        let mean = (k[0] + k[1]) / 2.000001;
        let advantages = k.map(|k| 1.0 + 0.5 * (mean - k));
        let expected = loss(
            &LossTokens { advantages: &advantages, ..with(&new, &old, &[1.0, 1.0], &[0, 0]) },
            &LossConfig::new(Objective::Ppo),
        );
        let got = at(source);
        assert!((got.kl_to_reference.expect("a penalty") - mean).abs() < 1e-12);
        assert!((got.value - expected.value).abs() < 1e-12);
        assert!(got.gradient.iter().zip(&expected.gradient).all(|(left, right)| (left - right).abs() < 1e-12));
    }
    let off = loss(
        &LossTokens { reference: Some(&reference), ..with(&new, &old, &[1.0, 1.0], &[0, 0]) },
        &LossConfig::default(),
    );
    assert_eq!(off.kl_to_reference, None);
}

#[test]
fn the_ratio_to_the_sampler_is_bounded() {
    // Ratios e and 1/e.
    let (new, old) = ([-1.0f32, -2.0], [-2.0f32, -1.0]);
    let at = |ratio_cap, ratio_bound| {
        let config = LossConfig { ratio_cap, ratio_bound, ..LossConfig::default() };
        loss(&with(&new, &old, &[1.0, 1.0], &[0, 1]), &config)
    };
    let bounded = at(None, Some(2.0));
    assert!((bounded.gradient[0] / at(None, None).gradient[0] - 2.0 / 1f64.exp()).abs() < 1e-12);
    assert_eq!(bounded.gradient[1], at(None, None).gradient[1]);
    // The smaller of two bounds holds.
    for caps in [(Some(1.5), Some(2.0)), (Some(2.0), Some(1.5))] {
        assert_eq!(at(caps.0, caps.1), at(Some(1.5), None));
    }
}

#[test]
fn rollouts_of_the_current_weights_have_ratios_of_exactly_one() {
    let new = [-0.1f32, -2.7, -1e-8, -14.25];
    for importance_sampling in [
        ImportanceSampling::Token,
        ImportanceSampling::Sequence,
        ImportanceSampling::Average,
        ImportanceSampling::GeometricAverage,
    ] {
        for objective in [Objective::Cispo, Objective::Ppo] {
            let config = LossConfig {
                importance_sampling,
                ratio_cap: Some(2.0),
                kimi_k2_tau: Some(0.5),
                truncated_importance_sampling: Some(2.0),
                mask_outside_clip_range: true,
                ..LossConfig::new(objective)
            };
            let loss = loss(&with(&new, &new, &[1.0; 4], &[0, 0, 1, 1]), &config);
            let exact = RatioStatistics { min: 1.0, max: 1.0, mean: 1.0, clip_share: 0.0 };
            assert_eq!(loss.ratios, Some(exact), "{importance_sampling:?} {objective:?}");
            assert_eq!(loss.mismatch, Some(SamplingMismatch { mean_abs: 0.0, max_abs: 0.0, kl: 0.0 }));
        }
    }
}

fn bounds() -> impl Strategy<Value = LossConfig> {
    let cap = prop::option::of(0.5..3.0f64);
    (levels(), cap.clone(), any::<bool>(), cap, 0.05..1.0f64, 0.05..4.0f64).prop_map(
        |(importance_sampling, ratio_cap, mask_outside_clip_range, truncated, epsilon, epsilon_high)| LossConfig {
            importance_sampling,
            ratio_cap,
            mask_outside_clip_range,
            truncated_importance_sampling: truncated,
            epsilon,
            epsilon_high,
            ..LossConfig::default()
        },
    )
}

proptest! {
    /// PPO differentiates its whole formula, so away from the kinks its gradient is that of its value. The part held
    /// constant (the factor of truncated importance sampling) depends on other values here.
    #[test]
    fn the_ppo_gradient_is_the_slope_of_its_value(
        new in prop::collection::vec(-3.0f32..-0.01, 5),
        old in prop::collection::vec(-3.0f32..-0.01, 5),
        advantages in prop::collection::vec(-2.0..2.0f64, 5),
        weights in prop::collection::vec(0.1..2.0f64, 5),
        original in prop::collection::vec(-3.0f32..-0.01, 5),
        bounds in bounds(),
    ) {
        let config = LossConfig { objective: Objective::Ppo, ..bounds };
        let sequences = [0, 0, 1, 1, 1];
        let of = |new: &[f32], weights: &[f64]| {
            let tokens = with(new, &old, &advantages, &sequences);
            loss(&LossTokens { weights, original: Some(&original), ..tokens }, &config)
        };
        // Clipping, the cap and the mask hold a token's loss constant: its own gradient is then zero.
        let constant = |new: &[f32]| -> Vec<bool> {
            let alone = |token: usize| std::array::from_fn::<f64, 5, _>(|other| f64::from(u8::from(other == token)));
            (0..5).map(|token| of(new, &alone(token)).gradient.iter().all(|entry| *entry == 0.0)).collect()
        };
        let here = of(&new, &weights);
        for index in 0..new.len() {
            let moved = |by: f32| {
                let mut moved = new.clone();
                moved[index] += by;
                moved
            };
            let (low, high) = (moved(-1e-3), moved(1e-3));
            let kink = [&low, &high].into_iter().any(|beside| constant(beside) != constant(&new));
            if !kink {
                let width = f64::from(high[index]) - f64::from(low[index]);
                let slope = (of(&high, &weights).value - of(&low, &weights).value) / width;
                let entry = here.gradient[index];
                prop_assert!((slope - entry).abs() < 1e-4 * (1.0 + slope.abs()), "{index}: {slope} {entry}");
            }
        }
    }

    /// CISPO holds the clipped ratio constant: its value is linear in `new`, with the gradient as coefficient.
    #[test]
    fn the_cispo_gradient_is_its_coefficient(
        new in prop::collection::vec(-3.0f32..-0.01, 4),
        old in prop::collection::vec(-3.0f32..-0.01, 4),
        values in prop::collection::vec(0.1..2.0f64, 4),
        config in bounds(),
    ) {
        let loss = loss(&with(&new, &old, &values, &[0, 0, 1, 1]), &config);
        let linear: f64 = loss.gradient.iter().zip(&new).map(|(entry, new)| entry * f64::from(*new)).sum();
        prop_assert!((linear - loss.value).abs() < 1e-9);
    }

    /// The penalties shift advantages by constants: the gradient is that of the shifted advantages.
    #[test]
    fn penalties_are_shifts_of_the_advantage(
        new in prop::collection::vec(-3.0f32..-0.01, 4),
        old in prop::collection::vec(-3.0f32..-0.01, 4),
        reference in prop::collection::vec(-3.0f32..-0.01, 4),
        values in prop::collection::vec(0.1..2.0f64, 4),
        (tau, coefficient) in (-1.0..1.0f64, 0.01..2.0f64),
        sampled in any::<bool>(),
        ppo in any::<bool>(),
        bounds in bounds(),
    ) {
        let objective = if ppo { Objective::Ppo } else { Objective::Cispo };
        let kl_source = if sampled { KlSource::Sampled } else { KlSource::CurrentWeights };
        let plain = LossConfig { objective, ..bounds };
        let penalised = LossConfig { kimi_k2_tau: Some(tau), kl_penalty_coefficient: coefficient, kl_source, ..plain.clone() };
        let tokens = with(&new, &old, &values, &[0, 0, 1, 1]);
        let got = loss(&LossTokens { reference: Some(&reference), ..tokens }, &penalised);
        let wide = |value: f32| f64::from(value);
        let source = if sampled { &old } else { &new };
        let to_reference: Vec<f64> = source.iter().zip(&reference).map(|(left, right)| wide(*left) - wide(*right)).collect();
        let mean = to_reference.iter().sum::<f64>() / 4.000001;
        let advantages: Vec<f64> = (0..4)
            .map(|index| values[index] - tau * (wide(new[index]) - wide(old[index])) + coefficient * (mean - to_reference[index]))
            .collect();
        let expected = loss(&LossTokens { advantages: &advantages, ..tokens }, &plain);
        prop_assert!((got.value - expected.value).abs() < 1e-9);
        for (left, right) in got.gradient.iter().zip(&expected.gradient) {
            prop_assert!((left - right).abs() < 1e-9, "{left} {right}");
        }
    }
}
