//! Tests of the engine against recordings of transformers, PEFT and torch (`tests/golden/README.md`).

use std::collections::HashMap;
use std::path::PathBuf;

use safetensors::SafeTensors;

use super::*;
use crate::generate::{BatchRow, Decoder};
use crate::train::{AdamHyper, AdamState, Scores, SequenceInput, TrainSession};

pub(super) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden").join(name)
}

fn load(name: &str, pool: &ComputePool) -> Arc<BaseModel> {
    let config = std::fs::read_to_string(path(name).join("config.json")).unwrap();
    let weights = std::fs::read(path(name).join("model.safetensors")).unwrap();
    BaseModel::load(&config, &[("model.safetensors", &weights)], WeightFormat::F32, pool).unwrap()
}

fn adapter(base: &BaseModel) -> Adapter {
    let read = |name: &str| std::fs::read(path("qwen3-tiny/adapter").join(name)).unwrap();
    Adapter::from_peft(&base.config, &read("adapter_config.json"), &read("adapter_model.safetensors")).unwrap()
}

/// A recorded file: integers are tokens, floats are values.
pub(super) struct Recording {
    pub(super) tokens: HashMap<String, Vec<u32>>,
    pub(super) floats: HashMap<String, Vec<f32>>,
}

pub(super) fn recording(name: &str) -> Recording {
    let bytes = std::fs::read(path(name)).unwrap();
    let (mut tokens, mut floats) = (HashMap::new(), HashMap::new());
    for (name, view) in SafeTensors::deserialize(&bytes).unwrap().tensors() {
        if view.dtype() == Dtype::I64 {
            let ids = view.data().as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes) as u32);
            tokens.insert(name, ids.collect());
        } else if view.dtype() == Dtype::U8 {
            tokens.insert(name, view.data().iter().map(|id| u32::from(*id)).collect());
        } else {
            floats.insert(name, view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect());
        }
    }
    Recording { tokens, floats }
}

pub(super) fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance, "{what} [{i}]: {found} instead of {expected}");
    }
}

#[test]
fn logits_equal_transformers() {
    let pool = ComputePool::new(2);
    for name in ["qwen3-tiny", "qwen3-tied"] {
        let base = load(name, &pool);
        let recorded = recording(&format!("{name}/logits.safetensors"));
        let mut decoder = Decoder::new(pool.clone(), base.clone(), 1024);
        for sequence in 0..5 {
            let ids = &recorded.tokens[&format!("ids.{sequence}")];
            let handle = decoder.add_sequence();
            let row = |position: usize| BatchRow {
                token: ids[position],
                position,
                sequence: handle,
                adapter: None,
                want_logits: sequence < 4 || position + 1 == ids.len(),
            };
            let logits = decoder.forward(&(0..ids.len()).map(row).collect::<Vec<_>>()).unwrap();
            let found: Vec<f32> = (0..logits.rows()).flat_map(|row| logits.row(row).to_vec()).collect();
            let key = if sequence < 4 { format!("logits.{sequence}") } else { format!("last_logits.{sequence}") };
            assert_close(&found, &recorded.floats[&key], 1e-4, &format!("{name} {key}"));
            decoder.remove_sequence(handle);
        }
        let ids = &recorded.tokens["ids.4"];
        let zero = Adapter::new(&base.config, &LoraOptions::default(), 1);
        let mut session = TrainSession::new(pool.clone(), base, zero.clone(), AdamState::new(&zero));
        let scored: Vec<bool> = (0..ids.len()).map(|t| t > 0).collect();
        let scores = session.score(&[SequenceInput { tokens: ids, scored: &scored }]).unwrap().remove(0);
        assert_close(&scores.logprobs, &recorded.floats["logprobs.4"][1..], 1e-4, name);
    }
}

#[test]
fn optimiser_steps_equal_torch() {
    let pool = ComputePool::new(2);
    let base = load("qwen3-tiny", &pool);
    for name in ["step-reinforce", "step-supervised"] {
        let settings = std::fs::read_to_string(path("qwen3-tiny").join(format!("{name}.json"))).unwrap();
        let settings: Value = serde_json::from_str(&settings).unwrap();
        let recorded = recording(&format!("qwen3-tiny/{name}.safetensors"));
        let number = |key: &str| settings[key].as_f64().unwrap() as f32;
        let hyper = AdamHyper {
            lr: number("learning_rate"),
            beta1: number("beta1"),
            beta2: number("beta2"),
            eps: number("epsilon"),
            weight_decay: number("weight_decay"),
            clip_norm: number("clip_norm"),
        };
        let adapter = adapter(&base);
        let before: HashMap<_, _> =
            crate::lora::named_values(&adapter.layers, base.config.family).into_iter().collect();
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter));
        for step in 0..3 {
            let mut loss = 0.0;
            let names = 0..settings["sequences"].as_u64().unwrap();
            let coefficients: Vec<&Vec<f32>> =
                names.clone().map(|sequence| &recorded.floats[&format!("coefficients.{sequence}")]).collect();
            let marks: Vec<Vec<bool>> =
                coefficients.iter().map(|all| all.iter().map(|coefficient| *coefficient != 0.0).collect()).collect();
            let sequences: Vec<SequenceInput> = names
                .map(|sequence| &recorded.tokens[&format!("ids.{sequence}")])
                .zip(&marks)
                .map(|(tokens, scored)| SequenceInput { tokens, scored })
                .collect();
            let pick = |values: &[f32], sequence: usize| -> Vec<f32> {
                values.iter().zip(&marks[sequence]).filter(|(_, scored)| **scored).map(|(value, _)| *value).collect()
            };
            let mut gradient = |scores: &[Scores]| {
                let of_sequence = |(sequence, scores): (usize, &Scores)| {
                    if step == 0 {
                        let logprobs = &recorded.floats[&format!("logprobs.{sequence}")];
                        assert_close(&scores.logprobs, &pick(logprobs, sequence), 1e-4, name);
                    }
                    let coefficients = pick(coefficients[sequence], sequence);
                    loss += scores.logprobs.iter().zip(&coefficients).map(|(l, c)| f64::from(l * c)).sum::<f64>();
                    coefficients
                };
                scores.iter().enumerate().map(of_sequence).collect()
            };
            session.forward_backward(&sequences, &mut gradient).unwrap();
            let expected = settings["losses"][step].as_f64().unwrap();
            assert!((loss - expected).abs() < 1e-5 * expected.abs().max(1.0), "{name} loss {step}: {loss} {expected}");
            if step == 0 {
                for (parameter, found) in session.gradients() {
                    let expected = &recorded.floats[&format!("gradient.{parameter}")];
                    let scale = expected.iter().fold(0f32, |max, g| max.max(g.abs()));
                    assert_close(&found, expected, 1e-4 * scale, &parameter);
                }
            }
            let report = session.step(&hyper).unwrap();
            let expected = settings["gradient_norms"][step].as_f64().unwrap() as f32;
            assert!((report.grad_norm / expected - 1.0).abs() < 1e-4, "{name} norm {step}: {report:?} {expected}");
            if step == 0 {
                for (parameter, found) in crate::lora::named_values(&session.adapter().layers, base.config.family) {
                    let expected = &recorded.floats[&format!("after.{parameter}")];
                    let gradient = &recorded.floats[&format!("gradient.{parameter}")];
                    let scale = gradient.iter().fold(0f32, |max, g| max.max(g.abs()));
                    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                        // The first step is about lr * sign(gradient), so the sign of a gradient as small as the
                        // rounding error is arbitrary.
                        let tolerance = if gradient[i].abs() > 1e-3 * scale { 1e-6 } else { 2.1 * hyper.lr };
                        let start = before[&parameter][i];
                        assert!(
                            (found - expected).abs() <= tolerance,
                            "{name} {parameter} [{i}]: {start} became {found} instead of {expected}"
                        );
                    }
                }
            }
        }
    }
}
