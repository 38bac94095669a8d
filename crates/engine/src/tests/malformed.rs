//! Tests of rejected input: the error, and that it changes nothing.

use bytes::Bytes;

use super::*;
use crate::files::LoadError;
use crate::generate::{BatchRow, DecodeError, Decoder, check_logits};
use crate::lora::{AdapterError, PackedAdapter};
use crate::testing::random_weights;
use crate::train::{AdamHyper, AdamState, SequenceInput, TrainError, TrainSession};

/// Name, shape and values.
type RandomTensor = (String, Vec<usize>, Vec<f32>);

fn config() -> ModelConfig {
    ModelConfig::from_json(&odd_config().to_string()).unwrap()
}

#[test]
fn weights_are_rejected_by_name() {
    let pool = ComputePool::new(1);
    let json = odd_config().to_string();
    let load = |file: &[u8]| {
        BaseModel::load(&json, &[("part.safetensors", file)], WeightFormat::F32, &pool).unwrap_err().to_string()
    };
    assert!(load(b"not a file").contains("part.safetensors"));
    let tensors = random_tensors(&config(), 1);
    for index in [0, 1, 5, tensors.len() - 1] {
        let mut invalid = tensors.clone();
        let (name, ..) = invalid.remove(index);
        assert_eq!(load(&safetensors_file(&invalid)), format!("tensor {name} is missing"));
        let mut invalid = tensors.clone();
        invalid[index].1 = vec![1, invalid[index].2.len()];
        let error = load(&safetensors_file(&invalid));
        assert!(error.contains(&name) && error.contains("shape"), "{error}");
    }
    let bytes: Vec<(String, Vec<usize>, Vec<u8>)> =
        tensors.iter().map(|(name, shape, values)| (name.clone(), shape.clone(), vec![0; values.len()])).collect();
    let views =
        bytes.iter().map(|(name, shape, bytes)| (name, TensorView::new(Dtype::U8, shape.clone(), bytes).unwrap()));
    let error = load(&safetensors::serialize(views, None).unwrap());
    assert!(error.contains("U8"), "{error}");
    let mut wrong = odd_config();
    wrong["model_type"] = "bert".into();
    assert!(matches!(BaseModel::load(&wrong.to_string(), &[], WeightFormat::F32, &pool), Err(LoadError::Config(_))));
}

#[test]
fn weights_that_are_not_finite_are_named() {
    let pool = ComputePool::new(2);
    let json = odd_config().to_string();
    let tensors = random_tensors(&config(), 1);
    for (index, offset, value) in [(0, 3, f32::NAN), (1, 0, f32::INFINITY), (5, 7, f32::NEG_INFINITY), (9, 1, f32::NAN)]
    {
        let mut invalid = tensors.clone();
        let last = invalid[index].2.len() - 1;
        (invalid[index].2[offset], invalid[index].2[last]) = (value, f32::NAN);
        let file = safetensors_file(&invalid);
        for format in WeightFormat::ALL {
            match BaseModel::load(&json, &[("all", &file)], format, &pool) {
                Err(LoadError::NotFinite { name, index: found, value: shown }) => {
                    assert_eq!((&name, found, shown.to_bits()), (&invalid[index].0, offset, value.to_bits()));
                }
                other => panic!("{}: {other:?}", invalid[index].0),
            }
        }
    }
}

#[test]
fn models_that_compute_values_that_are_not_finite_are_told() {
    let pool = ComputePool::new(2);
    let checked = |config: Value, tensors: &[(String, Vec<usize>, Vec<f32>)], format| {
        let file = safetensors_file(tensors);
        let base = BaseModel::load(&config.to_string(), &[("all", &file)], format, &pool).unwrap();
        check_logits(&pool, &base)
    };
    let good = random_tensors(&config(), 1);
    let mut huge = good.clone();
    // Huge embeddings alone are normalised to zero.
    for (_, _, values) in huge.iter_mut().filter(|(name, ..)| !name.contains("embed")) {
        values.iter_mut().for_each(|value| *value = 3e38_f32.copysign(*value));
    }
    let with_rope = |scaling: Value| {
        let mut config = odd_config();
        config["rope_scaling"] = scaling;
        config
    };
    let original = 64;
    let yarn = |factor: f64, attention_factor: f64| {
        with_rope(json!({ "rope_type": "yarn", "factor": factor, "attention_factor": attention_factor,
                          "original_max_position_embeddings": original }))
    };
    for format in WeightFormat::ALL {
        assert!(checked(odd_config(), &good, format).is_ok(), "{format}");
        assert!(checked(yarn(4.0, 1.0), &good, format).is_ok(), "{format}");
        assert!(matches!(checked(odd_config(), &huge, format), Err(LoadError::Logits)), "{format}");
        for config in [
            yarn(4.0, 1e300),
            yarn(4.0, 1e30),
            yarn(1e-300, 1.0),
            with_rope(json!({ "rope_type": "linear", "factor": 1e-300 })),
        ] {
            assert!(matches!(checked(config.clone(), &good, format), Err(LoadError::Logits)), "{format}: {config}");
        }
    }
}

#[test]
fn headers_that_are_too_large_are_rejected_by_file() {
    let pool = ComputePool::new(1);
    let header = (1_u64 << 30).to_le_bytes();
    let error = BaseModel::load(&odd_config().to_string(), &[("part", &header)], WeightFormat::F32, &pool).unwrap_err();
    assert!(matches!(&error, LoadError::Header { file, .. } if file == "part"), "{error}");
}

#[test]
fn element_types_and_shards_make_no_difference() {
    let pool = ComputePool::new(1);
    // Files of bf16 differ in how their embedding is kept, unless it is also the head.
    let mut config = odd_config();
    config["tie_word_embeddings"] = false.into();
    let json = config.to_string();
    // Values that are exact in bf16 and f16.
    let mut tensors = random_tensors(&ModelConfig::from_json(&json).unwrap(), 1);
    for x in tensors.iter_mut().flat_map(|(_, _, values)| values) {
        *x = (*x * 64.0).round() / 64.0;
    }
    let logits = |base: Arc<BaseModel>| {
        let mut decoder = Decoder::new(pool.clone(), base, 64);
        let sequence = decoder.add_sequence();
        let row = |position| BatchRow {
            token: position as u32 + 3,
            position,
            sequence,
            adapter: None,
            want_logits: position == 4,
        };
        decoder.forward(&(0..5).map(row).collect::<Vec<_>>()).unwrap().row(0).to_vec()
    };
    let (first, second) = tensors.split_at(9);
    let files = [("1".to_owned(), safetensors_file(first).into()), ("2".to_owned(), safetensors_file(second).into())];
    let mut progress = Vec::new();
    let mut on_progress = |done, total| progress.push((done, total));
    let base = BaseModel::load_lazily(&json, &files, WeightFormat::F32, &pool, &mut on_progress).unwrap();
    let bytes_in_f32 = base.bytes();
    let expected = logits(base);
    assert!(progress.is_sorted() && progress.last().is_some_and(|(done, total)| done == total));
    for dtype in [Dtype::BF16, Dtype::F16] {
        let convert = |x: &f32| {
            if dtype == Dtype::BF16 {
                return (x.to_bits() >> 16) as u16;
            }
            // Exact for zero and normal numbers.
            let bits = x.to_bits();
            if *x == 0.0 {
                0
            } else {
                (bits >> 16 & 0x8000 | ((bits >> 23 & 0xff) - 112) << 10 | bits >> 13 & 0x3ff) as u16
            }
        };
        let bytes: Vec<Vec<u8>> = tensors
            .iter()
            .map(|(_, _, values)| values.iter().flat_map(|x| convert(x).to_le_bytes()).collect())
            .collect();
        let views = tensors
            .iter()
            .zip(&bytes)
            .map(|((name, shape, _), bytes)| (name, TensorView::new(dtype, shape.clone(), bytes).unwrap()));
        let file = safetensors::serialize(views, None).unwrap();
        let base = BaseModel::load(&json, &[("all", &file)], WeightFormat::F32, &pool).unwrap();
        let saved = if dtype == Dtype::BF16 { base.config.vocab_size * base.config.hidden_size * 2 } else { 0 };
        assert!(base.bytes() <= bytes_in_f32 - saved, "{dtype:?}: {} of {bytes_in_f32}", base.bytes());
        assert_eq!(logits(base), expected, "{dtype:?}");
    }
}

/// A matrix in bf16 whose width comes in whole vectors is moved to its panels, not computed.
#[test]
fn files_of_bf16_are_packed_and_checked_like_those_of_f32() {
    let pool = ComputePool::new(2);
    let mut config = odd_config();
    (config["hidden_size"], config["intermediate_size"]) = (64.into(), 96.into());
    let json = config.to_string();
    let file = random_weights(&ModelConfig::from_json(&json).unwrap());
    let load = |file: &[u8]| BaseModel::load(&json, &[("all", file)], WeightFormat::Bf16, &pool);
    let load_lazily = |files: &[Bytes]| {
        let files: Vec<_> = files.iter().map(|file| ("part".to_owned(), file.clone())).collect();
        BaseModel::load_lazily(&json, &files, WeightFormat::Bf16, &pool, &mut |_, _| ())
    };
    let values = |bytes: &[u8]| -> Vec<f32> {
        let bits = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
        bits.map(|bits| f32::from_bits(u32::from(bits) << 16)).collect()
    };
    let stored = safetensors::SafeTensors::deserialize(&file).unwrap();
    let tensors: Vec<RandomTensor> =
        stored.tensors().into_iter().map(|(name, view)| (name, view.shape().to_vec(), values(view.data()))).collect();
    let logits = |base: Arc<BaseModel>| {
        let mut decoder = Decoder::new(pool.clone(), base, 64);
        let sequence = decoder.add_sequence();
        let row = |position| BatchRow { token: 5, position, sequence, adapter: None, want_logits: position == 4 };
        decoder.forward(&(0..5).map(row).collect::<Vec<_>>()).unwrap().row(0).to_vec()
    };
    let expected = logits(load(&file).unwrap());
    assert_eq!(expected, logits(load(&safetensors_file(&tensors)).unwrap()));
    let (first, second) = stored.tensors().into_iter().partition::<Vec<_>, _>(|(name, _)| name.contains("layers.0"));
    let shards = [first, second].map(|tensors| Bytes::from(safetensors::serialize(tensors, None).unwrap()));
    assert_eq!(expected, logits(load_lazily(&shards).unwrap()));
    let changed = "model.layers.1.mlp.up_proj.weight";
    let offset = stored.tensor(changed).unwrap().data().as_ptr().addr() - file.as_ptr().addr() + 2 * 69;
    let mut invalid = file.clone();
    invalid[offset..][..2].copy_from_slice(&0x7f80_u16.to_le_bytes());
    for error in [load(&invalid).unwrap_err(), load_lazily(&[invalid.into()]).unwrap_err()] {
        assert!(matches!(&error, LoadError::NotFinite { name, index: 69, .. } if name == changed), "{error}");
    }
}

#[test]
fn adapters_survive_peft_files() {
    let config = config();
    let adapter = random_adapter(&config, 5, 1);
    let files = adapter.to_peft("some/model", &config);
    assert_eq!(files, adapter.clone().to_peft("some/model", &config));
    let read = Adapter::from_peft(&config, &files.adapter_config_json, &files.adapter_model_safetensors).unwrap();
    assert_eq!(read, adapter);
    let json: Value = serde_json::from_slice(&files.adapter_config_json).unwrap();
    assert_eq!((json["r"].as_u64(), json["lora_alpha"].as_u64()), (Some(5), Some(11)));
    assert_eq!(json["base_model_name_or_path"], "some/model");
    let tensors = safetensors::SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
    let view = tensors.tensor("base_model.model.model.layers.1.mlp.down_proj.lora_A.weight").unwrap();
    assert_eq!(view.shape(), [5, 40]);
    assert_eq!(adapter.bytes(), tensors.tensors().iter().map(|(_, view)| view.data().len()).sum::<usize>());
    // The size stated before packing equals that of the packed copy.
    let packed = PackedAdapter::for_decoding(adapter.options(), &adapter.layers, &config, WeightFormat::F32);
    let packed: usize = packed.layers.iter().flatten().map(|linear| linear.down.bytes() + linear.up.bytes()).sum();
    assert_eq!(read.resident_bytes(), adapter.bytes() + packed);
}

#[test]
fn adapters_are_rejected_by_name() {
    let config = config();
    let adapter = random_adapter(&config, 5, 1);
    let files = adapter.to_peft("some/model", &config);
    let json: Value = serde_json::from_slice(&files.adapter_config_json).unwrap();
    for (field, value) in [
        ("peft_type", json!("LOHA")),
        ("use_dora", true.into()),
        ("fan_in_fan_out", true.into()),
        ("bias", "all".into()),
        ("rank_pattern", json!({"q_proj": 4})),
        ("modules_to_save", json!(["lm_head"])),
        ("alpha_pattern", json!({"q_proj": 4})),
        ("r", 0.into()),
        ("lora_alpha", "big".into()),
    ] {
        let mut json = json.clone();
        json[field] = value;
        let error =
            Adapter::from_peft(&config, json.to_string().as_bytes(), &files.adapter_model_safetensors).unwrap_err();
        assert!(matches!(error, AdapterError::Config(_)), "{field}: {error}");
        let named = field == "lora_alpha" || error.to_string().contains(field);
        assert!(named, "{field}: {error}");
    }
    let spoil = |change: &dyn Fn(&mut Vec<RandomTensor>)| {
        let mut tensors: Vec<_> = safetensors::SafeTensors::deserialize(&files.adapter_model_safetensors)
            .unwrap()
            .tensors()
            .into_iter()
            .map(|(name, view)| {
                let values = view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
                (name, view.shape().to_vec(), values)
            })
            .collect();
        tensors.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        change(&mut tensors);
        Adapter::from_peft(&config, &files.adapter_config_json, &safetensors_file(&tensors)).unwrap_err().to_string()
    };
    let name = "base_model.model.model.layers.0.mlp.down_proj.lora_A.weight";
    let missing = spoil(&|tensors| drop(tensors.remove(0)));
    assert!(missing.contains(name) && missing.contains("missing"), "{missing}");
    let shape = spoil(&|tensors| tensors[0].1 = vec![40, 5]);
    assert!(shape.contains(name) && shape.contains("[40, 5]"), "{shape}");
    let infinite = spoil(&|tensors| tensors[0].2[41] = f32::INFINITY);
    assert!(infinite.contains(name) && infinite.contains("[1, 1]"), "{infinite}");
    let unknown = spoil(&|tensors| tensors[0].0 = tensors[0].0.replace("down_proj", "side_proj"));
    assert!(unknown.contains("_proj"), "{unknown}");
    assert!(matches!(Adapter::from_peft(&config, &files.adapter_config_json, b"12345678"), Err(AdapterError::File(_))));
}

#[test]
fn optimiser_state_survives_bytes_and_is_checked() {
    let pool = ComputePool::new(1);
    let base = random_model(&odd_config(), 1, &pool);
    let adapter = random_adapter(&base.config, 3, 1);
    let mut session = TrainSession::new(pool, base.clone(), adapter.clone(), AdamState::new(&adapter));
    let (tokens, scored) = (tokens(9, 77, 1), [false, true, true, true, true, true, true, true, true]);
    let sequence = SequenceInput { tokens: &tokens, scored: &scored };
    session.forward_backward(&[sequence], &mut |scores| vec![vec![1.0; scores[0].logprobs.len()]]).unwrap();
    session.step(&AdamHyper::default()).unwrap();
    let bytes = session.adam().to_bytes();
    let read = AdamState::from_bytes(&bytes, session.adapter()).unwrap();
    assert_eq!((&read, read.step), (session.adam(), 1));
    let other = random_adapter(&base.config, 4, 1);
    assert!(AdamState::from_bytes(&bytes, &other).unwrap_err().to_string().contains("exp_avg"));
    assert!(AdamState::from_bytes(&bytes[..100], session.adapter()).is_err());
}

#[test]
fn sequences_that_do_not_fit_the_memory_are_rejected() {
    let pool = ComputePool::new(1);
    let base = random_model(&odd_config(), 1, &pool);
    let adapter = random_adapter(&base.config, 3, 1);
    let score = |limit: usize, length: usize, gradient: bool| {
        let session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter));
        let mut session = session.with_memory_limit(limit);
        let (tokens, mut scored) = (tokens(length, 77, 1), vec![true; length]);
        scored[0] = false;
        let sequence = SequenceInput { tokens: &tokens, scored: &scored };
        let result = if gradient {
            session.forward_backward(&[sequence], &mut |scores| vec![vec![1.0; scores[0].logprobs.len()]])
        } else {
            session.score(&[sequence])
        };
        result.map(|_| (session.gradients(), session.taken_bytes()))
    };
    let needed = |length, gradient| match score(1, length, gradient) {
        Err(TrainError::TooLarge { length: found, needed_bytes, limit_bytes: 1 }) => {
            assert_eq!(found, length - 1); // the last token is scored, not run
            needed_bytes
        }
        other => panic!("{other:?}"),
    };
    for gradient in [false, true] {
        let (short, long) = (needed(100, gradient), needed(500, gradient));
        assert!(long > 3 * short, "{short} {long}");
        assert!(score(long - 1, 500, gradient).is_err());
        // With just enough memory, layers are computed twice, with the same result.
        let (least, most) = (score(long, 500, gradient).unwrap(), score(usize::MAX, 500, gradient).unwrap());
        assert_eq!(least.0, most.0);
        assert_eq!(least.1 < most.1, gradient);
        // The estimate is the allocated memory plus the scratch memory, which is not counted here.
        assert!(least.1 <= long && long < least.1 * 3 / 2, "{} {long}", least.1);
    }
    assert!(needed(500, true) > needed(500, false));
}

#[test]
fn bad_training_input_changes_nothing() {
    let pool = ComputePool::new(1);
    let base = random_model(&odd_config(), 1, &pool);
    let adapter = random_adapter(&base.config, 3, 1);
    let mut session = TrainSession::new(pool, base, adapter.clone(), AdamState::new(&adapter));
    let mut run = |tokens: &[u32], scored: &[bool], gradient: Vec<f32>| {
        session.forward_backward(&[SequenceInput { tokens, scored }], &mut |_| vec![gradient.clone()])
    };
    let marks = [false, true, true];
    assert!(matches!(run(&[1, 2], &marks, vec![]), Err(TrainError::Input(_))));
    assert!(matches!(run(&[1, 2, 3], &[true, true, true], vec![]), Err(TrainError::Input(_))));
    assert!(matches!(run(&[1, 77, 3], &marks, vec![]), Err(TrainError::Token { token: 77, position: 1, .. })));
    assert!(matches!(run(&[1; 513], &[false; 513], vec![]), Err(TrainError::TooLong { length: 513, limit: 512 })));
    let length = run(&[1, 2, 3], &marks, vec![1.0]);
    assert!(matches!(length, Err(TrainError::GradientLength { found: 1, expected: 2 })));
    assert!(matches!(run(&[1, 2, 3], &marks, vec![1.0, f32::NAN]), Err(TrainError::NotFinite { .. })));
    // Without scored tokens, the call has no effect.
    assert_eq!(run(&[1, 2, 3], &[false; 3], vec![]).unwrap(), [Default::default()]);
    assert!(session.gradients().iter().all(|(_, values)| values.iter().all(|g| *g == 0.0)));

    let sequence = SequenceInput { tokens: &[1, 2, 3], scored: &marks };
    session.forward_backward(&[sequence], &mut |_| vec![vec![3e38, 3e38]]).unwrap();
    assert!(matches!(session.step(&AdamHyper::default()), Err(TrainError::NotFinite { .. })));
    session.forward_backward(&[sequence], &mut |_| vec![vec![1.0, 1.0]]).unwrap();
    let hyper = AdamHyper { lr: f32::NAN, ..AdamHyper::default() };
    assert!(matches!(session.step(&hyper), Err(TrainError::Hyper { name: "lr", .. })));
    session.forward_backward(&[sequence], &mut |_| vec![vec![1.0, 1.0]]).unwrap();
    let hyper = AdamHyper { lr: 3e38, weight_decay: 1e30, ..AdamHyper::default() };
    assert!(matches!(session.step(&hyper), Err(TrainError::NotFinite { .. })));
    assert_eq!(session.adapter(), &adapter);
    assert_eq!(session.adam(), &AdamState::new(&adapter));
}

#[test]
fn bad_rows_change_nothing() {
    let pool = ComputePool::new(1);
    let base = random_model(&odd_config(), 1, &pool);
    let mut decoder = Decoder::new(pool, base.clone(), 64);
    let sequence = decoder.add_sequence();
    let row = |token, position| BatchRow { token, position, sequence, adapter: None, want_logits: true };
    assert!(matches!(decoder.forward(&[row(1, 1)]), Err(DecodeError::Position { found: 1, expected: 0 })));
    assert!(matches!(decoder.forward(&[row(1, 0), row(1, 0)]), Err(DecodeError::Position { .. })));
    assert!(matches!(decoder.forward(&[row(77, 0)]), Err(DecodeError::Token { token: 77, .. })));
    let rows: Vec<_> = (0..65).map(|position| row(1, position)).collect();
    assert!(matches!(decoder.forward(&rows), Err(DecodeError::CacheFull { free: 64, needed: 128 })));
    let rows: Vec<_> = (0..513).map(|position| row(1, position)).collect();
    assert!(matches!(decoder.forward(&rows), Err(DecodeError::TooLong { position: 512, limit: 512 })));
    let mut larger = odd_config();
    larger["hidden_size"] = 32.into();
    let larger = ModelConfig::from_json(&larger.to_string()).unwrap();
    let (foreign, own) = (Arc::new(random_adapter(&larger, 3, 1)), Arc::new(random_adapter(&base.config, 3, 1)));
    assert!(matches!(decoder.forward(&[BatchRow { adapter: Some(&foreign), ..row(1, 0) }]), Err(DecodeError::Adapter)));
    let mixed = [row(1, 0), BatchRow { adapter: Some(&own), ..row(1, 1) }];
    assert!(matches!(decoder.forward(&mixed), Err(DecodeError::MixedAdapters)));
    assert_eq!((decoder.sequence_length(sequence), decoder.free_tokens()), (Some(0), 64));
    assert_eq!(decoder.forward(&[]).unwrap().rows(), 0);
    decoder.remove_sequence(sequence);
    assert!(matches!(decoder.forward(&[row(1, 0)]), Err(DecodeError::UnknownSequence)));
    let next = decoder.add_sequence();
    assert_ne!(next, sequence);
    assert_eq!(decoder.sequence_length(sequence), None);
}
