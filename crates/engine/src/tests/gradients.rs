//! Tests of the engine against the plain reference: scores, and gradients against finite differences.

use super::reference::Reference;
use super::*;
use crate::lora::present;
use crate::train::{AdamState, Scores, SequenceInput, TrainSession};

fn untied() -> Value {
    let mut config = odd_config();
    config["tie_word_embeddings"] = false.into();
    config["num_key_value_heads"] = 1.into();
    config["head_dim"] = 16.into();
    config
}

#[test]
fn scores_equal_the_reference() {
    let pool = ComputePool::new(2);
    let configs = family_configs().into_iter().chain([("untied", untied())]);
    for (name, json) in configs {
        let base = random_model(&json, 1, &pool);
        let adapter = random_adapter(&base.config, 3, 5);
        let reference = Reference::new(&base.config, 1, &adapter);
        let tokens = tokens(131, base.config.vocab_size, 0);
        let scored: Vec<bool> = (0..tokens.len()).map(|t| t > 0 && t % 5 != 3).collect();
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool.clone(), base, adapter, adam);
        let scores = session.score(&[SequenceInput { tokens: &tokens, scored: &scored }]).unwrap().remove(0);
        let expected = reference.scores(&tokens, &scored);
        assert_eq!(scores.logprobs.len(), expected.len());
        for (i, (logprob, entropy)) in expected.into_iter().enumerate() {
            assert!(
                (f64::from(scores.logprobs[i]) - logprob).abs() < 2e-5,
                "{name} {i}: {} {logprob}",
                scores.logprobs[i]
            );
            assert!(
                (f64::from(scores.entropies[i]) - entropy).abs() < 2e-5,
                "{name} {i}: {} {entropy}",
                scores.entropies[i]
            );
        }
    }
}

#[test]
fn gradients_equal_finite_differences() {
    let pool = ComputePool::new(2);
    // Head norms without biases, biases without head norms, norms at other positions, experts, another activation with
    // windows, joint projections, delta networks, and convolutions; other tests compare each family with torch.
    let parts = [
        "qwen3",
        "llama with biases",
        "olmo2",
        "qwen3_moe",
        "qwen3_moe with a plain layer",
        "gemma3",
        "phi3",
        "qwen3_5",
        "qwen3_5 with groups",
        "lfm2",
        "lfm2 with biases",
        "qwen3_5_moe",
    ];
    let configs = family_configs().into_iter().filter(|(name, _)| parts.contains(name));
    let configs = configs.map(|(name, json)| (name, json, usize::MAX));
    for (name, json, state_limit) in configs.chain([("untied, computed twice", untied(), 0)]) {
        let base = random_model(&json, 2, &pool);
        let adapter = random_adapter(&base.config, 3, 6);
        let mut reference = Reference::new(&base.config, 2, &adapter);
        let sequences = [tokens(71, base.config.vocab_size, 1), tokens(20, base.config.vocab_size, 2)];
        let marks: Vec<Vec<bool>> =
            sequences.iter().map(|tokens| (0..tokens.len()).map(|t| t > 2 && t % 4 != 1).collect()).collect();
        let weight = |i: usize| ((i * 37 % 11) as f32 - 4.0) / 10.0;
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), adam);
        session.set_state_limit(state_limit);
        for (tokens, scored) in sequences.iter().zip(&marks) {
            let mut gradient = |scores: &[Scores]| vec![(0..scores[0].logprobs.len()).map(weight).collect()];
            session.forward_backward(&[SequenceInput { tokens, scored }], &mut gradient).unwrap();
        }
        let gradients = session.factor_gradients();
        let mut loss = |nudge| -> f64 {
            reference.nudge = Some(nudge);
            let parts = sequences.iter().zip(&marks).map(|(tokens, scored)| {
                let scores = reference.scores(tokens, scored);
                scores.iter().enumerate().map(|(i, (logprob, _))| f64::from(weight(i)) * logprob).sum::<f64>()
            });
            parts.sum()
        };
        for (layer, gradients) in gradients.iter().enumerate() {
            for (projection, factors) in present(gradients) {
                for (side, values) in [('A', &factors.a), ('B', &factors.b)] {
                    let scale = values.iter().fold(0f32, |max, g| max.max(g.abs()));
                    assert!(scale > 0.0, "{name} layer {layer} {projection:?} {side} has no gradient");
                    for index in [1, values.len() / 2, values.len() - 1] {
                        let step = 1e-5;
                        let difference = loss((layer, projection, side, index, step))
                            - loss((layer, projection, side, index, -step));
                        let (expected, found) = (difference / (2.0 * step), f64::from(values[index]));
                        assert!(
                            (expected - found).abs() < 1e-4 * f64::from(scale),
                            "{name} layer {layer} {projection:?} {side} [{index}]: {found} instead of {expected}, scale {scale}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn other_weight_formats_have_nearly_the_gradients_of_f32() {
    let pool = ComputePool::new(2);
    let tokens = tokens(71, 77, 1);
    let scored: Vec<bool> = (0..tokens.len()).map(|t| t > 2 && t % 4 != 1).collect();
    let gradient = |format| -> Vec<f64> {
        let base = random_model_in(format, &odd_config(), 2, &pool);
        let adapter = random_adapter(&base.config, 3, 6);
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool.clone(), base, adapter, adam);
        let mut gradient = |scores: &[Scores]| vec![vec![1.0; scores[0].logprobs.len()]];
        session.forward_backward(&[SequenceInput { tokens: &tokens, scored: &scored }], &mut gradient).unwrap();
        let layers = session.factor_gradients();
        let factors = layers.iter().flatten().flat_map(|factors| factors.a.iter().chain(&factors.b));
        factors.map(|gradient| f64::from(*gradient)).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let exact = gradient(WeightFormat::F32);
    for format in [WeightFormat::Bf16, WeightFormat::Int8, WeightFormat::Int4] {
        let found = gradient(format);
        let cosine = dot(&exact, &found) / (dot(&exact, &exact) * dot(&found, &found)).sqrt();
        // Four bits round a weight by up to an eighth of its group's largest.
        let least = if format == WeightFormat::Int4 { 0.97 } else { 0.999 };
        assert!(cosine > least && cosine < 1.0, "{format}: {cosine}");
    }
}
