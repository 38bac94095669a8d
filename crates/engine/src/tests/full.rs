//! Tests of full training: gradients against finite differences and torch, steps, and the served weights.

use std::collections::HashMap;

use super::families::{cases, tokens_of, values};
use super::golden::{assert_close, path, recording};
use super::reference::Reference;
use super::*;
use crate::full::{FullAdam, FullSession, FullWeights, check, memory_needed};
use crate::generate::{BatchRow, Decoder};
use crate::kernels::{InstructionSet, log_softmax};
use crate::train::{AdamHyper, Scores, SequenceInput};

/// Returns the parameters of [`random_model`].
fn random_weights(config: &Value, seed: u64) -> FullWeights {
    let config = ModelConfig::from_json(&config.to_string()).unwrap();
    let file = safetensors_file(&random_tensors(&config, seed));
    FullWeights::read(&config, &[("model.safetensors", &file)]).unwrap()
}

fn session(pool: &Arc<ComputePool>, weights: FullWeights, format: WeightFormat) -> FullSession {
    let adam = FullAdam::new(weights.config());
    FullSession::new(pool.clone(), weights, adam, format).unwrap()
}

/// Returns the training data of most tests: two sequences, some of whose tokens are scored.
fn sequences(vocab_size: usize) -> Vec<(Vec<u32>, Vec<bool>)> {
    let scored = |tokens: Vec<u32>| {
        let scored = (0..tokens.len()).map(|t| t > 2 && t % 4 != 1).collect();
        (tokens, scored)
    };
    vec![scored(tokens(71, vocab_size, 1)), scored(tokens(20, vocab_size, 2))]
}

fn weight(i: usize) -> f32 {
    ((i * 37 % 11) as f32 - 4.0) / 10.0
}

fn accumulate(session: &mut FullSession, sequences: &[(Vec<u32>, Vec<bool>)]) {
    let inputs: Vec<_> = sequences.iter().map(|(tokens, scored)| SequenceInput { tokens, scored }).collect();
    let mut gradient = |scores: &[Scores]| -> Vec<Vec<f32>> {
        scores.iter().map(|scores| (0..scores.logprobs.len()).map(weight).collect()).collect()
    };
    session.forward_backward(&inputs, &mut gradient).unwrap();
}

fn hyper() -> AdamHyper {
    AdamHyper { lr: 3e-3, weight_decay: 0.1, ..AdamHyper::default() }
}

#[test]
fn gradients_of_all_parameters_equal_finite_differences() {
    let pool = ComputePool::new(2);
    let configs = family_configs().into_iter().filter(|(_, json)| !has_experts(json));
    let configs = configs.map(|(name, json)| (name, json, usize::MAX));
    for (name, json, state_limit) in configs.chain([("computed twice", odd_config(), 0)]) {
        let weights = random_weights(&json, 2);
        let config = weights.config().clone();
        let zero = Adapter::new(&config, &LoraOptions::default(), 1);
        let mut reference = Reference::new(&config, 2, &zero);
        let mut sequences: Vec<_> = [(33, 1), (9, 2)]
            .map(|(count, seed)| {
                let tokens = tokens(count, config.vocab_size, seed);
                let scored: Vec<bool> = (0..count).map(|t| t > 2 && t % 4 != 1).collect();
                (tokens, scored)
            })
            .into();
        // It begins like the first, and two of its tokens are also predictions of the first.
        let mut fork = sequences[0].clone();
        fork.0[15..].rotate_left(3);
        sequences.push(fork);
        let mut session = session(&pool, weights, WeightFormat::F32);
        session.set_state_limit(state_limit);
        accumulate(&mut session, &sequences);
        let loss = |reference: &Reference| -> f64 {
            let parts = sequences.iter().map(|(tokens, scored)| {
                let scores = reference.scores(tokens, scored);
                scores.iter().enumerate().map(|(i, (logprob, _))| f64::from(weight(i)) * logprob).sum::<f64>()
            });
            parts.sum()
        };
        let gradients = session.gradients();
        assert_eq!(gradients.len(), tensor_shapes(&config).len(), "{name}: every tensor has a gradient");
        for (parameter, values) in gradients {
            let scale = values.iter().fold(0f32, |max, g| max.max(g.abs()));
            assert!(scale > 0.0 && scale.is_finite(), "{name} {parameter} has no gradient");
            // The largest gradient, and an arbitrary one.
            let largest = values.iter().position(|g| g.abs() == scale).unwrap();
            for index in [largest, values.len() / 3] {
                let step = 1e-5;
                reference.tensor_mut(&parameter)[index] += step;
                let above = loss(&reference);
                reference.tensor_mut(&parameter)[index] -= 2.0 * step;
                let below = loss(&reference);
                reference.tensor_mut(&parameter)[index] += step;
                let (expected, found) = ((above - below) / (2.0 * step), f64::from(values[index]));
                assert!(
                    (expected - found).abs() < 1e-4 * f64::from(scale),
                    "{name} {parameter} [{index}]: {found} instead of {expected}, scale {scale}"
                );
            }
        }
    }
}

/// Returns `matrix v`, where the matrix has rows of `v.len()` values, and `u matrix`.
fn products(matrix: &[f32], u: &[f32], v: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let rows = matrix.chunks_exact(v.len());
    let right = rows.clone().map(|row| row.iter().zip(v).map(|(x, v)| f64::from(x * v)).sum::<f64>() as f32);
    let mut left = vec![0f64; v.len()];
    for (row, u) in rows.clone().zip(u) {
        left.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(x * u));
    }
    (right.collect(), left.into_iter().map(|x| x as f32).collect())
}

#[test]
fn gradients_and_steps_equal_torch() {
    let pool = ComputePool::new(2);
    let steps: Value = serde_json::from_str(&std::fs::read_to_string(path("full/steps.json")).unwrap()).unwrap();
    let number = |key: &str| steps["settings"][key].as_f64().unwrap() as f32;
    let hyper = AdamHyper {
        lr: number("learning_rate"),
        beta1: number("beta1"),
        beta2: number("beta2"),
        eps: number("epsilon"),
        weight_decay: number("weight_decay"),
        clip_norm: number("clip_norm"),
    };
    let models: HashMap<_, _> = cases(&pool).into_iter().map(|case| (case.name, case.base.config.clone())).collect();
    for case in steps["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let config = &models[name];
        let recorded = recording(&format!("full/{name}.safetensors")).floats;
        let start = tensor_shapes(config).into_iter().map(|(tensor, shape)| {
            let values = values(&format!("{name}/{tensor}"), shape.iter().product());
            (tensor, shape, values)
        });
        let file = safetensors_file(&start.collect::<Vec<_>>());
        let weights = FullWeights::read(config, &[("model.safetensors", &file)]).unwrap();
        let mut session = session(&pool, weights, WeightFormat::F32);
        let tokens = tokens_of(&format!("{name}/trained"), 48, config.vocab_size);
        let scored: Vec<bool> = (0..tokens.len()).map(|position| position > 0).collect();
        let factors = values(&format!("{name}/factors"), 47);
        let shapes: HashMap<_, _> = tensor_shapes(config).into_iter().collect();
        for step in 0..3 {
            let sequence = SequenceInput { tokens: &tokens, scored: &scored };
            let scores = session.forward_backward(&[sequence], &mut |_| vec![factors.clone()]).unwrap().remove(0);
            let loss: f64 = scores.logprobs.iter().zip(&factors).map(|(l, f)| f64::from(l * f)).sum();
            let expected = case["losses"][step].as_f64().unwrap();
            assert!((loss - expected).abs() < 2e-3, "{name} loss {step}: {loss} instead of {expected}");
            if step == 0 {
                assert_close(&scores.logprobs, &recorded["logprobs"], 1e-4, name);
                let gradients = session.gradients();
                assert_eq!(gradients.len(), case["parameters"].as_array().unwrap().len(), "{name}");
                for (parameter, found) in gradients {
                    let what = format!("{name} {parameter}");
                    let close = |found: &[f32], expected: &[f32]| {
                        let scale = expected.iter().fold(0f32, |largest, x| largest.max(x.abs()));
                        assert!(scale > 0.0, "{what} has no gradient");
                        assert_close(found, expected, 1e-4 * scale, &what);
                    };
                    if let Some(expected) = recorded.get(&format!("gradient.{parameter}")) {
                        close(&found, expected);
                    } else {
                        let [rows, columns] = shapes[&parameter][..] else { panic!("{what} is a matrix") };
                        let u = values(&format!("{what}/rows").replace(' ', "/"), rows);
                        let v = values(&format!("{what}/columns").replace(' ', "/"), columns);
                        let (right, left) = products(&found, &u, &v);
                        close(&right, &recorded[&format!("rows.{parameter}")]);
                        close(&left, &recorded[&format!("columns.{parameter}")]);
                    }
                }
            }
            let report = session.step(&hyper).unwrap();
            let expected = case["gradient_norms"][step].as_f64().unwrap() as f32;
            assert!((report.grad_norm / expected - 1.0).abs() < 1e-4, "{name} norm {step}: {report:?} {expected}");
            for (parameter, found) in session.weights().named().filter(|_| step == 0) {
                let Some(expected) = recorded.get(&format!("after.{parameter}")) else { continue };
                let gradient = &recorded[&format!("gradient.{parameter}")];
                let scale = gradient.iter().fold(0f32, |max, g| max.max(g.abs()));
                for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                    // The first step is about lr * sign(gradient), so the sign of a gradient as small as the rounding
                    // error is arbitrary.
                    let tolerance = if gradient[i].abs() > 1e-3 * scale { 1e-6 } else { 2.1 * hyper.lr };
                    assert!((found - expected).abs() <= tolerance, "{name} {parameter} [{i}]: {found} {expected}");
                }
            }
        }
    }
}

/// Returns the logprobs of all tokens but the first, as the sampler computes them.
fn decoded(pool: &Arc<ComputePool>, base: &Arc<BaseModel>, tokens: &[u32]) -> Vec<f32> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), 1024);
    let sequence = decoder.add_sequence();
    let mut logprobs = Vec::new();
    for position in 0..tokens.len() - 1 {
        let row = BatchRow { token: tokens[position], position, sequence, adapter: None, want_logits: true };
        let logits = decoder.forward(&[row]).unwrap();
        logprobs.push(log_softmax(logits.row(0)).logprob(logits.row(0)[tokens[position + 1] as usize]));
    }
    logprobs
}

#[test]
fn trained_and_served_weights_are_bit_identical() {
    let pool = ComputePool::new(2);
    for (name, format, json) in trainable_models() {
        let weights = random_weights(&json, 7);
        let config = weights.config().clone();
        let mut session = session(&pool, weights, format);
        let before = session.weights().clone();
        for _ in 0..3 {
            accumulate(&mut session, &sequences(config.vocab_size));
            session.step(&hyper()).unwrap();
        }
        let after: Vec<_> = session.weights().named().map(|(_, values)| values.to_vec()).collect();
        for ((parameter, before), after) in before.named().zip(after) {
            assert_ne!(before, after, "{name} {parameter} does not learn");
        }
        let tokens = tokens(50, config.vocab_size, 4);
        let scored: Vec<bool> = (0..tokens.len()).map(|t| t > 0).collect();
        let sequence = SequenceInput { tokens: &tokens, scored: &scored };
        let trained = session.score(&[sequence]).unwrap().remove(0).logprobs;
        let (weights, base, _) = session.into_parts();
        assert_eq!(decoded(&pool, &base, &tokens), trained, "{name}, as the session leaves it");
        let file = weights.to_bytes();
        let json = json.to_string();
        let loaded = BaseModel::load(&json, &[("checkpoint", &file)], format, &pool).unwrap();
        assert_eq!(decoded(&pool, &loaded, &tokens), trained, "{name}, read from its checkpoint");
        assert!(FullWeights::read(&config, &[("checkpoint", &file)]).unwrap() == weights, "{name}, written and read");
    }
}

#[test]
fn steps_have_the_same_bits_on_any_number_of_threads_and_instruction_set() {
    let run = |pool: Arc<ComputePool>, format| {
        let mut session = session(&pool, random_weights(&odd_config(), 3), format);
        // More rows than one block of partial sums.
        let tokens = tokens(200, 77, 1);
        let scored: Vec<bool> = (0..200).map(|t| t > 0).collect();
        for _ in 0..2 {
            accumulate(&mut session, &[(tokens.clone(), scored.clone())]);
            session.step(&hyper()).unwrap();
        }
        session.into_parts().0
    };
    for format in FORMATS {
        let one = run(ComputePool::new(1), format);
        assert!(run(ComputePool::new(3), format) == one, "{format}: three threads");
        for set in InstructionSet::available() {
            assert!(run(ComputePool::with_instruction_set(2, set), format) == one, "{format}: {}", set.name());
        }
    }
}

#[test]
fn twenty_steps_lower_the_loss_in_every_family_and_format() {
    let pool = ComputePool::new(2);
    for (name, format, json) in trainable_models() {
        let mut session = session(&pool, random_weights(&json, 7), format);
        let tokens = tokens(40, session.weights().config().vocab_size, 9);
        let scored: Vec<bool> = (0..tokens.len()).map(|t| t > 0).collect();
        let mut losses = Vec::new();
        for _ in 0..20 {
            let mut loss = 0.0;
            let mut gradient = |scores: &[Scores]| {
                let logprobs = &scores[0].logprobs;
                loss = -logprobs.iter().sum::<f32>() / logprobs.len() as f32;
                vec![vec![-1.0 / logprobs.len() as f32; logprobs.len()]]
            };
            session.forward_backward(&[SequenceInput { tokens: &tokens, scored: &scored }], &mut gradient).unwrap();
            session.step(&AdamHyper { lr: 3e-3, ..AdamHyper::default() }).unwrap();
            losses.push(loss);
        }
        assert!(losses[19] < 0.6 * losses[0], "{name}: {losses:?}");
        assert!(losses.windows(2).filter(|pair| pair[1] >= pair[0]).count() <= 1, "{name}: {losses:?}");
    }
}

#[test]
fn training_goes_on_from_what_was_saved_as_if_it_had_not_stopped() {
    let pool = ComputePool::new(2);
    let step = |session: &mut FullSession| {
        accumulate(session, &sequences(77));
        session.step(&hyper()).unwrap();
    };
    let mut whole = session(&pool, random_weights(&odd_config(), 3), WeightFormat::Bf16);
    (0..4).for_each(|_| step(&mut whole));

    let mut first = session(&pool, random_weights(&odd_config(), 3), WeightFormat::Bf16);
    (0..2).for_each(|_| step(&mut first));
    let (weights, _, adam) = first.into_parts();
    let config = weights.config().clone();
    let files = (weights.to_bytes(), adam.to_bytes(&config));
    assert_eq!(files.1, adam.to_bytes(&config), "the same state gives the same bytes");
    let weights = FullWeights::read(&config, &[("checkpoint", &files.0)]).unwrap();
    let read = FullAdam::from_bytes(&files.1, &config).unwrap();
    assert!(read == adam && read.step == 2);
    let mut second = FullSession::new(pool, weights, read, WeightFormat::Bf16).unwrap();
    (0..2).for_each(|_| step(&mut second));
    assert!(second.weights() == whole.weights() && second.adam() == whole.adam());
}

#[test]
fn an_unusable_state_is_rejected_and_changes_nothing() {
    let pool = ComputePool::new(1);
    let weights = random_weights(&odd_config(), 3);
    let config = weights.config().clone();
    let mut session = session(&pool, weights.clone(), WeightFormat::F32);
    accumulate(&mut session, &sequences(77));
    // A learning rate that overflows, and an invalid one.
    for lr in [f32::MAX, f32::NAN] {
        accumulate(&mut session, &sequences(77));
        session.step(&AdamHyper { lr, weight_decay: 1.0, ..hyper() }).unwrap_err();
        assert!(*session.weights() == weights && *session.adam() == FullAdam::new(&config));
        assert!(
            session.gradients().iter().all(|(_, values)| values.iter().all(|g| *g == 0.0)),
            "gradients are cleared"
        );
    }

    let needed = memory_needed(&config, WeightFormat::F32);
    let adam = FullAdam::new(&config);
    let with_limit =
        |limit| FullSession::with_memory_limit(pool.clone(), weights.clone(), adam.clone(), WeightFormat::F32, limit);
    let error = with_limit(needed - 1).err().unwrap().to_string();
    let parameters = weights.parameters();
    for part in [format!("{parameters} parameters"), format!("{needed} bytes"), format!("{} bytes", needed - 1)] {
        assert!(error.contains(&part), "{error}");
    }
    let (tokens, scored) = &sequences(77)[0];
    let error = with_limit(needed).ok().unwrap().score(&[SequenceInput { tokens, scored }]).unwrap_err();
    assert!(error.to_string().contains("limit of 0;"), "{error}");

    let (_, experts) = family_configs().into_iter().find(|(name, _)| *name == "qwen3_moe").unwrap();
    let experts = ModelConfig::from_json(&experts.to_string()).unwrap();
    let error = check(&experts, WeightFormat::F32).unwrap_err().to_string();
    assert!(error.contains("(qwen3_moe) cannot be trained as a whole"), "{error}");

    let mut other = odd_config();
    other["intermediate_size"] = 48.into();
    let other = ModelConfig::from_json(&other.to_string()).unwrap();
    let error = FullWeights::read(&other, &[("checkpoint", &weights.to_bytes())]).unwrap_err().to_string();
    assert!(error.contains("mlp.gate_proj.weight") && error.contains("[40, 24]"), "{error}");
    let error = FullAdam::from_bytes(&adam.to_bytes(&config), &other).unwrap_err().to_string();
    assert!(error.contains("exp_avg.model.layers.0.mlp.gate_proj.weight"), "{error}");
    let mut tensors = random_tensors(&config, 3);
    tensors[3].2[5] = f32::NAN;
    let error = FullWeights::read(&config, &[("checkpoint", &safetensors_file(&tensors))]).unwrap_err().to_string();
    assert!(error.contains(&tensors[3].0) && error.contains("index 5"), "{error}");
}
