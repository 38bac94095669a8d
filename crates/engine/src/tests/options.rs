//! Tests of adapters of every rank, on some projections, with either scale.

use safetensors::SafeTensors;

use super::golden::{assert_close, path, recording};
use super::reference::Reference;
use super::*;
use crate::config::LayerKind;
use crate::generate::{BatchRow, Decoder};
use crate::kernels::{InstructionSet, log_softmax};
use crate::lora::{PackedAdapter, PeftFiles};
use crate::model::Projection;
use crate::train::{AdamHyper, AdamState, Scores, SequenceInput, TrainSession};

const LENGTH: usize = 70;

fn options(rank: usize, targets: &[&str], rank_stabilised: bool) -> LoraOptions {
    let targets = TargetModules::from_names(targets.iter().copied()).unwrap();
    LoraOptions { rank, alpha: 1.5 * rank as f32, targets, rank_stabilised }
}

/// Returns options with ranks that are whole vectors and that are not, and with none, some or all projections of a
/// fused product targeted.
fn all_options() -> Vec<LoraOptions> {
    vec![
        options(1, &["v_proj"], false),
        options(4, &["q_proj", "v_proj"], true),
        options(12, &["k_proj", "o_proj", "up_proj"], true),
        options(16, &["gate_proj"], false),
        options(64, &["down_proj"], true),
        LoraOptions::new(1, 2.0),
        LoraOptions::new(128, 16.0),
    ]
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

fn marks(length: usize) -> Vec<bool> {
    (0..length).map(|position| position > 0 && position % 3 != 1).collect()
}

/// Returns the logits of every position, computed in calls of `chunk` rows.
fn logits(decoder: &mut Decoder, tokens: &[u32], adapter: &Arc<Adapter>, chunk: usize) -> Vec<Vec<u32>> {
    let sequence = decoder.add_sequence();
    let mut result = Vec::new();
    for start in (0..tokens.len()).step_by(chunk) {
        let row = |position| BatchRow {
            token: tokens[position],
            position,
            sequence,
            adapter: Some(adapter),
            want_logits: true,
        };
        let rows: Vec<_> = (start..tokens.len().min(start + chunk)).map(row).collect();
        let logits = decoder.forward(&rows).unwrap();
        result.extend((0..logits.rows()).map(|row| bits(logits.row(row))));
    }
    decoder.remove_sequence(sequence);
    result
}

#[test]
fn prefill_decoding_batch_mates_and_training_agree() {
    for (format, config) in FORMATS.into_iter().zip([odd_config(), odd_config(), family_configs().remove(3).1]) {
        let pool = ComputePool::new(2);
        let base = random_model_in(format, &config, 6, &pool);
        let mut decoder = Decoder::new(pool.clone(), base.clone(), 64 * 40);
        let tokens = tokens(LENGTH, 77, 5);
        let adapters: Vec<_> =
            all_options().iter().map(|options| Arc::new(random_adapter_of(&base.config, options, 3))).collect();
        let expected: Vec<_> = adapters.iter().map(|adapter| logits(&mut decoder, &tokens, adapter, LENGTH)).collect();
        // All adapters side by side, one token of each per call.
        let handles: Vec<_> = adapters.iter().map(|_| decoder.add_sequence()).collect();
        for position in 0..LENGTH {
            let row = |(sequence, adapter)| BatchRow {
                token: tokens[position],
                position,
                sequence,
                adapter: Some(adapter),
                want_logits: true,
            };
            let rows: Vec<_> = handles.iter().copied().zip(&adapters).map(row).collect();
            let logits = decoder.forward(&rows).unwrap();
            for (index, expected) in expected.iter().enumerate() {
                assert!(bits(logits.row(index)) == expected[position], "{format}, {:?}", adapters[index].options());
            }
        }
        for (adapter, expected) in adapters.iter().zip(&expected) {
            let what = format!("{format}, {:?}", adapter.options());
            assert!(logits(&mut decoder, &tokens, adapter, 7) == *expected, "{what}");
            let scored = marks(LENGTH);
            let logprob = |position: usize| {
                let row: Vec<f32> = expected[position - 1].iter().map(|bits| f32::from_bits(*bits)).collect();
                log_softmax(&row).logprob(row[tokens[position] as usize])
            };
            let logprobs: Vec<f32> = (0..LENGTH).filter(|position| scored[*position]).map(logprob).collect();
            let adapter = Adapter::clone(adapter);
            let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter));
            let sequence = SequenceInput { tokens: &tokens, scored: &scored };
            // Alone, and together with a sequence that shares its first half.
            let forked: Vec<u32> = tokens[..LENGTH / 2].iter().chain(&tokens[..LENGTH / 2]).copied().collect();
            let pack = [SequenceInput { tokens: &forked, scored: &scored }, sequence];
            assert_eq!(bits(&session.score(&[sequence]).unwrap()[0].logprobs), bits(&logprobs), "{what}");
            let mut ones = |scores: &[Scores]| scores.iter().map(|scores| vec![1.0; scores.logprobs.len()]).collect();
            let scores = session.forward_backward(&pack, &mut ones).unwrap();
            assert_eq!(bits(&scores[1].logprobs), bits(&logprobs), "{what}");
        }
    }
}

/// Returns scores and gradients of a sequence.
fn trained_once(
    pool: &Arc<ComputePool>,
    base: &Arc<BaseModel>,
    adapter: &Adapter,
) -> (Scores, Vec<(String, Vec<f32>)>) {
    let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(adapter));
    let (tokens, scored) = (tokens(LENGTH, 77, 1), marks(LENGTH));
    let sequence = SequenceInput { tokens: &tokens, scored: &scored };
    let mut gradient = |scores: &[Scores]| vec![(0..scores[0].logprobs.len()).map(|i| (i as f32).sin()).collect()];
    let scores = session.forward_backward(&[sequence], &mut gradient).unwrap().remove(0);
    (scores, session.gradients())
}

#[test]
fn a_projection_without_adapter_is_one_whose_update_is_zero() {
    let pool = ComputePool::new(2);
    for format in FORMATS {
        let base = random_model_in(format, &odd_config(), 4, &pool);
        for options in all_options() {
            let adapter = random_adapter_of(&base.config, &options, 8);
            let whole = LoraOptions { targets: TargetModules::SEPARATE, ..options };
            let mut whole = Adapter::new(&base.config, &whole, 8);
            for (whole, part) in whole.layers_mut().iter_mut().zip(&adapter.layers) {
                for (whole, part) in whole.iter_mut().zip(part).filter(|(_, part)| !part.is_empty()) {
                    assert_eq!(whole.a, part.a, "what is drawn does not depend on the other targets");
                    whole.b.clone_from(&part.b);
                }
            }
            let (scores, gradients) = trained_once(&pool, &base, &adapter);
            let (whole_scores, whole_gradients) = trained_once(&pool, &base, &whole);
            assert_eq!(bits(&scores.logprobs), bits(&whole_scores.logprobs), "{format}, {options:?}");
            assert_eq!(gradients.len(), 2 * 2 * options.targets.names().count());
            for (name, gradient) in gradients {
                let (_, expected) = whole_gradients.iter().find(|(other, _)| *other == name).unwrap();
                assert!(gradient == *expected, "{format}, {options:?}: {name}");
            }
        }
    }
}

#[test]
fn gradients_equal_finite_differences() {
    let pool = ComputePool::new(2);
    let base = random_model(&odd_config(), 2, &pool);
    for options in all_options() {
        let adapter = random_adapter_of(&base.config, &options, 6);
        let (_, gradients) = trained_once(&pool, &base, &adapter);
        let mut reference = Reference::new(&base.config, 2, &adapter);
        let (tokens, scored) = (tokens(LENGTH, 77, 1), marks(LENGTH));
        let mut loss = |nudge| -> f64 {
            reference.nudge = Some(nudge);
            let scores = reference.scores(&tokens, &scored);
            scores.iter().enumerate().map(|(i, (logprob, _))| f64::from((i as f32).sin()) * logprob).sum()
        };
        let targeted = Projection::ALL
            .into_iter()
            .filter(|projection| projection.is_targeted_in(options.targets, &base.config, LayerKind::Attention));
        let parameters: Vec<_> = (0..base.config.layers)
            .flat_map(|layer| {
                targeted.clone().flat_map(move |projection| ['A', 'B'].map(|side| (layer, projection, side)))
            })
            .collect();
        assert_eq!(parameters.len(), gradients.len());
        for ((layer, projection, side), (name, values)) in parameters.into_iter().zip(gradients) {
            let scale = values.iter().fold(0f32, |max, g| max.max(g.abs()));
            assert!(scale > 0.0, "{options:?} {name} has no gradient");
            for index in [0, values.len() - 1] {
                let step = 1e-5;
                let difference =
                    loss((layer, projection, side, index, step)) - loss((layer, projection, side, index, -step));
                let (expected, found) = (difference / (2.0 * step), f64::from(values[index]));
                let close = (expected - found).abs() < 1e-4 * f64::from(scale);
                assert!(close, "{options:?} {name} [{index}]: {found} instead of {expected}, scale {scale}");
            }
        }
    }
}

#[test]
fn training_gives_the_same_bytes_on_any_machine() {
    for (format, options) in FORMATS.into_iter().cycle().zip(all_options()) {
        let run = |pool: Arc<ComputePool>| -> (PeftFiles, Vec<u8>) {
            let base = random_model_in(format, &odd_config(), 7, &pool);
            let adapter = Adapter::new(&base.config, &options, 3);
            let config = base.config.clone();
            let mut session = TrainSession::new(pool, base, adapter.clone(), AdamState::new(&adapter));
            let (tokens, scored) = (tokens(LENGTH, 77, 2), marks(LENGTH));
            for _ in 0..2 {
                let mut gradient = |scores: &[Scores]| vec![scores[0].logprobs.iter().map(|p| 0.01 * p).collect()];
                session.forward_backward(&[SequenceInput { tokens: &tokens, scored: &scored }], &mut gradient).unwrap();
                session.step(&AdamHyper { lr: 1e-2, weight_decay: 0.1, ..AdamHyper::default() }).unwrap();
            }
            (session.adapter().to_peft("random", &config), session.adam().to_bytes())
        };
        let expected = run(ComputePool::new(1));
        assert!(run(ComputePool::new(3)) == expected, "{format}, {options:?}, 3 threads");
        for set in InstructionSet::available() {
            let found = run(ComputePool::with_instruction_set(2, set));
            assert!(found == expected, "{format}, {options:?}, {}", set.name());
        }
    }
}

#[test]
fn files_hold_the_targets_alone() {
    let pool = ComputePool::new(1);
    let base = random_model(&odd_config(), 1, &pool);
    let config = &base.config;
    let whole = random_adapter(config, 4, 1);
    for options in all_options() {
        let adapter = random_adapter_of(config, &options, 1);
        let files = adapter.to_peft("some/model", config);
        let read = Adapter::from_peft(config, &files.adapter_config_json, &files.adapter_model_safetensors).unwrap();
        assert_eq!((&read, read.options()), (&adapter, &options));
        assert!(adapter.fits(config));
        let json: Value = serde_json::from_slice(&files.adapter_config_json).unwrap();
        let mut names: Vec<&str> = options.targets.names().collect();
        names.sort_unstable();
        assert_eq!((&json["target_modules"], &json["use_rslora"]), (&json!(names), &json!(options.rank_stabilised)));
        let tensors = SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
        assert_eq!(tensors.len(), 2 * config.layers * names.len());
        for name in tensors.names() {
            assert!(names.iter().any(|target| name.contains(target)), "{name}");
        }
        // Projections without adapter take no memory, neither in the parameters nor in their packed copies.
        assert_eq!(adapter.bytes(), tensors.tensors().iter().map(|(_, view)| view.data().len()).sum::<usize>());
        let packed = PackedAdapter::for_decoding(adapter.options(), &adapter.layers, config, WeightFormat::F32);
        let packed: usize = packed.layers.iter().flatten().map(|linear| linear.down.bytes() + linear.up.bytes()).sum();
        assert_eq!(adapter.resident_bytes(), adapter.bytes() + packed);

        let state = AdamState::new(&adapter);
        let bytes = state.to_bytes();
        assert_eq!(SafeTensors::deserialize(&bytes).unwrap().len(), 1 + 2 * tensors.len());
        assert_eq!(AdamState::from_bytes(&bytes, &adapter).unwrap(), state);
        assert!(AdamState::from_bytes(&bytes, &whole).is_err() && !state.fits(&whole));
        assert!(AdamState::from_bytes(&AdamState::new(&whole).to_bytes(), &adapter).is_err());
    }
    let (slim, all) = (random_adapter_of(config, &options(4, &["v_proj"], false), 1), whole);
    assert!(7 * slim.resident_bytes() < all.resident_bytes(), "{} {}", slim.resident_bytes(), all.resident_bytes());
}

#[test]
fn target_modules_may_be_written_in_every_way_of_peft() {
    let pool = ComputePool::new(1);
    let base = random_model(&odd_config(), 1, &pool);
    let adapter = random_adapter_of(&base.config, &options(3, &["q_proj", "down_proj"], false), 1);
    let files = adapter.to_peft("some/model", &base.config);
    let read = |targets: Value| {
        let mut config: Value = serde_json::from_slice(&files.adapter_config_json).unwrap();
        config["target_modules"] = targets;
        Adapter::from_peft(&base.config, config.to_string().as_bytes(), &files.adapter_model_safetensors)
    };
    for targets in [
        json!(["down_proj", "q_proj"]),
        json!(["self_attn.q_proj", "mlp.down_proj", "absent"]),
        json!("all-linear"),
        json!(r".*\.(q|down)_proj"),
        Value::Null,
    ] {
        assert_eq!(read(targets.clone()).unwrap(), adapter, "{targets}");
    }
    for targets in [json!(["q_proj"]), json!(["proj", "down_proj"]), json!([])] {
        let error = read(targets.clone()).unwrap_err().to_string();
        assert!(error.contains("_proj.lora_A.weight: belongs to no module that target_modules names"), "{error}");
    }
    assert!(read(json!(7)).is_err());
    let nothing = Adapter::from_peft(&base.config, &files.adapter_config_json, &safetensors_file(&[]));
    assert!(nothing.unwrap_err().to_string().contains("no tensor"));
}

#[test]
fn peft_writes_reads_and_computes_the_same() {
    let pool = ComputePool::new(2);
    let cases: Value = serde_json::from_slice(&std::fs::read(path("lora/cases.json")).unwrap()).unwrap();
    let bases = super::families::cases(&pool);
    let mut seen = Vec::new();
    for (name, base_name) in cases.as_object().unwrap() {
        let base = &bases.iter().find(|case| base_name == &case.name).unwrap().base;
        let read = |file: &str| std::fs::read(path(&format!("lora/{name}/{file}"))).unwrap();
        let (config, tensors) = (read("adapter_config.json"), read("adapter_model.safetensors"));
        let adapter = Adapter::from_peft(&base.config, &config, &tensors).unwrap();
        seen.push((adapter.options().rank, adapter.options().rank_stabilised));
        // The recording was checked against PEFT's own output from these files.
        let written = adapter.to_peft(base_name.as_str().unwrap(), &base.config);
        assert!(written.adapter_model_safetensors == tensors, "{name}: PEFT's own bytes");
        let expected = String::from_utf8(read("written_config.json")).unwrap();
        assert_eq!(String::from_utf8(written.adapter_config_json).unwrap(), expected, "{name}");

        let recorded = recording(&format!("lora/{name}/expected.safetensors"));
        let tokens = super::families::tokens_of(&format!("{name}/trained"), 48, base.config.vocab_size);
        let scored: Vec<bool> = (0..tokens.len()).map(|position| position > 0).collect();
        let factors = super::families::values(&format!("{name}/factors"), 47);
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter));
        let sequence = SequenceInput { tokens: &tokens, scored: &scored };
        let scores = session.forward_backward(&[sequence], &mut |_| vec![factors.clone()]).unwrap().remove(0);
        assert_close(&scores.logprobs, &recorded.floats["logprobs"], 1e-4, &format!("{name} log-probabilities"));
        let gradients = session.gradients();
        assert_eq!(gradients.len() + 1, recorded.floats.len(), "{name}");
        for (parameter, found) in gradients {
            let expected = &recorded.floats[&format!("gradient.{parameter}")];
            let scale = expected.iter().fold(0f32, |largest, x| largest.max(x.abs()));
            assert!(scale > 0.0, "{name} {parameter} has no gradient");
            assert_close(&found, expected, 1e-4 * scale, &format!("{name} {parameter}"));
        }
    }
    assert_eq!(seen, [(4, true), (1, false), (12, false), (33, true), (5, false)]);
}
