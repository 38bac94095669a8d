//! Tests of GGUF files against those that llama.cpp's own package writes (`tests/golden/README.md`).

use bytes::Bytes;
use proptest::prelude::*;

use super::golden::path;
use super::invariance::training_equals_decoding;
use super::*;
use crate::files::{GgufError, LoadError, read_gguf as read};
use crate::full::{FullAdam, FullSession, FullWeights};
use crate::generate::{BatchRow, Decoder};
use crate::kernels::{InstructionSet, MatrixFormat, Panels};
use crate::model::{Axis, SideBySide};
use crate::train::{AdamHyper, AdamState, Scores, SequenceInput, TrainSession};

/// Files of `tests/golden/gguf`, and the width of the model's residual stream.
const ARCHITECTURES: [(&str, usize); 7] =
    [("llama", 256), ("qwen3", 256), ("smollm3", 64), ("olmo2", 64), ("qwen3moe", 64), ("gemma3", 64), ("phi3", 64)];

fn file(architecture: &str) -> Vec<u8> {
    std::fs::read(path(&format!("gguf/{architecture}.gguf"))).unwrap()
}

fn config(architecture: &str) -> Value {
    let hidden = ARCHITECTURES.iter().find(|(name, _)| *name == architecture).map(|(_, hidden)| *hidden).unwrap();
    json!({
        "model_type": match architecture {
            "qwen3moe" => "qwen3_moe",
            "gemma3" => "gemma3_text",
            other => other,
        },
        "num_experts": 3, "num_experts_per_tok": 2, "moe_intermediate_size": 64, "hidden_act": "silu", "attention_bias": false, "hidden_size": hidden,
        "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
        "intermediate_size": 64, "vocab_size": 64, "max_position_embeddings": 128, "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0, "tie_word_embeddings": architecture != "llama",
    })
}

fn parsed(architecture: &str) -> ModelConfig {
    ModelConfig::from_json(&config(architecture).to_string()).unwrap()
}

#[test]
fn tensors_are_those_of_the_files_author() {
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(path("gguf/expected.json")).unwrap()).unwrap();
    for (architecture, _) in ARCHITECTURES {
        let file = file(architecture);
        let found = read(&file, &parsed(architecture)).unwrap();
        let expected = expected[architecture].as_object().unwrap();
        assert_eq!(found.len(), expected.len());
        for (name, expected) in expected {
            let (shape, tensor) = &found[name];
            assert_eq!(json!(shape), expected["shape"], "{name}");
            let width = *shape.last().unwrap();
            let rows = shape.iter().product::<usize>() / width;
            let mut values = vec![0.0; rows * width];
            values.chunks_exact_mut(width).enumerate().for_each(|(row, values)| tensor.read_row(row, values));
            let hash = fnv1a(values.into_iter().flat_map(f32::to_le_bytes));
            assert_eq!(hash, expected["fnv1a"].as_str().unwrap(), "{architecture} {name}");
        }
    }
}

/// Such a file loses nothing more in the format of its own bits.
#[test]
fn packing_in_as_many_bits_keeps_every_weight() {
    let pool = ComputePool::new(2);
    for architecture in ["llama", "qwen3"] {
        let file = file(architecture);
        let tensors = read(&file, &parsed(architecture)).unwrap();
        for (name, format) in [
            ("self_attn.q_proj", WeightFormat::Int4),
            ("mlp.down_proj", WeightFormat::Int4),
            ("self_attn.k_proj", WeightFormat::Int8),
            ("mlp.up_proj", WeightFormat::Int8),
        ] {
            let (shape, tensor) = &tensors[&format!("model.layers.0.{name}.weight")];
            let (depth, columns) = (shape[1], [shape[0]]);
            let computed = Panels::pack(&pool, format, depth, &columns, &|row, values| tensor.read_row(row, values));
            let (stored, rows) = tensor.stored().unwrap();
            assert_eq!(stored, format.into());
            let side_by_side = SideBySide::new([(Axis::new(1, columns[0]), rows)].into_iter());
            let moved = Panels::pack_stored(&pool, depth, &[(columns[0], stored)], &side_by_side);
            let (mut packed, mut stored) = (vec![0.0; depth], vec![0.0; depth]);
            for row in 0..shape[0] {
                tensor.read_row(row, &mut stored);
                for panels in [&computed, &moved] {
                    panels.column(row, &mut packed);
                    assert_eq!(packed, stored, "{name} {row}");
                }
            }
        }
    }
}

#[test]
fn scales_that_are_not_finite_are_named() {
    let (mut file, config) = (file("qwen3"), config("qwen3").to_string());
    let name = "model.layers.0.mlp.up_proj.weight";
    let (shape, tensor) = read(&file, &parsed("qwen3")).unwrap().remove(name).unwrap();
    // The scale of the second block of the fourth row.
    let (stored, rows) = tensor.stored().unwrap();
    assert_eq!(stored, MatrixFormat::INT8);
    let row = rows.row(3);
    let offset = row.as_ptr().addr() - file.as_ptr().addr() + row.len() / (shape[1] / 32);
    file[offset..][..2].copy_from_slice(&0x7c00_u16.to_le_bytes());
    for format in WeightFormat::ALL {
        let error = BaseModel::load(&config, &[("model.gguf", &file)], format, &ComputePool::new(2)).unwrap_err();
        let LoadError::NotFinite { name: found, index, .. } = error else { panic!("{format}: {error}") };
        assert_eq!((found.as_str(), index / 32), (name, (3 * shape[1] + 32) / 32));
    }
}

/// Returns the logits after eight tokens.
pub(super) fn logits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>) -> Vec<f32> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), 64);
    let sequence = decoder.add_sequence();
    let row = |position| BatchRow { token: 3, position, sequence, adapter: None, want_logits: position == 7 };
    decoder.forward(&(0..8).map(row).collect::<Vec<_>>()).unwrap().row(0).to_vec()
}

#[test]
fn a_model_whose_matrices_are_in_their_file_gives_the_same_bits() {
    let pool = ComputePool::new(2);
    for (architecture, _) in ARCHITECTURES {
        let (file, config) = (Bytes::from(file(architecture)), config(architecture).to_string());
        for format in WeightFormat::ALL {
            let load = || {
                let files = [("model.gguf".to_owned(), file.clone())];
                BaseModel::load_lazily(&config, &files, format, &pool, &mut |_, _| ()).unwrap()
            };
            let packed = BaseModel::load(&config, &[("model.gguf", &file)], format, &pool).unwrap();
            let (expected, lazy) = (logits(&pool, &packed), load());
            assert_eq!(lazy.bytes(), packed.bytes());
            assert_eq!(logits(&pool, &lazy), expected, "{architecture} {format}");
            // While another thread packs them, and afterwards.
            std::thread::scope(|scope| {
                let packing = scope.spawn(|| lazy.pack_rest(&pool));
                for _ in 0..3 {
                    assert_eq!(logits(&pool, &lazy), expected, "{architecture} {format}");
                }
                packing.join().unwrap();
            });
            assert_eq!(logits(&pool, &lazy), expected, "{architecture} {format}");
            let gradients = |base: &Arc<BaseModel>| {
                let adapter = random_adapter(&base.config, 4, 1);
                let adam = AdamState::new(&adapter);
                let mut session = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
                let sequence = SequenceInput { tokens: &[3, 9, 1, 27], scored: &[false, true, true, true] };
                session.forward_backward(&[sequence], &mut |_| vec![vec![1.0; 3]]).unwrap();
                session.gradients()
            };
            assert_eq!(gradients(&load()), gradients(&packed), "{architecture} {format}");
        }
    }
}

#[test]
fn a_head_of_six_bits_trains_as_it_decodes_with_the_same_bits_everywhere() {
    let (file, mut config) = (file("qwen3"), config("qwen3"));
    config["max_position_embeddings"] = 256.into();
    let (config, mut expected) = (config.to_string(), None);
    for set in InstructionSet::available() {
        for threads in [1, 3] {
            let pool = ComputePool::with_instruction_set(threads, set);
            let base = BaseModel::load(&config, &[("model.gguf", &file)], WeightFormat::Int4, &pool).unwrap();
            assert_eq!(base.head.forward.format(), MatrixFormat::INT6);
            let found = training_equals_decoding(&format!("{}, {threads} threads", set.name()), &pool, &base);
            assert!(*expected.get_or_insert_with(|| found.clone()) == found, "{}", set.name());
        }
    }
    // Other formats round these weights once more.
    let head = |format| {
        let base = BaseModel::load(&config, &[("model.gguf", &file)], format, &ComputePool::new(1)).unwrap();
        base.head.forward.format()
    };
    assert_eq!([WeightFormat::Int8, WeightFormat::Bf16].map(head), [MatrixFormat::INT8, MatrixFormat::Bf16]);
}

#[test]
fn an_embedding_that_is_not_tied_stays_as_the_file_has_it() {
    let (file, config, pool) = (file("llama"), parsed("llama"), ComputePool::new(2));
    let mut tensors = read(&file, &config).unwrap();
    let (shape, tensor) = tensors.remove("model.embed_tokens.weight").unwrap();
    let (mut expected, mut found) = (vec![0.0; shape[1]], vec![0.0; shape[1]]);
    for format in WeightFormat::ALL {
        let base = BaseModel::load_shape(config.clone(), &[("model.gguf", &file)], format, &pool).unwrap();
        assert_eq!(base.embedding.as_ref().unwrap().format(), MatrixFormat::INT6);
        for row in 0..shape[0] {
            tensor.read_row(row, &mut expected);
            base.embed(row as u32, &mut found);
            assert_eq!(found, expected, "{format}, token {row}");
        }
    }
}

#[test]
fn training_of_all_weights_starts_with_the_head_of_the_file() {
    let (file, config, pool) = (file("qwen3"), parsed("qwen3"), ComputePool::new(2));
    let base = BaseModel::load_shape(config.clone(), &[("model.gguf", &file)], WeightFormat::Int4, &pool).unwrap();
    let sequence = SequenceInput { tokens: &[3, 9, 1, 27], scored: &[false, true, true, true] };
    let adapter = Adapter::none(&config);
    let adam = AdamState::new(&adapter);
    let mut frozen = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
    let weights = FullWeights::read(&config, &[("model.gguf", &file)]).unwrap().of_model(&base);
    let mut session = FullSession::new(pool.clone(), weights, FullAdam::new(&config), WeightFormat::Int4).unwrap();
    let logprobs = |mut scores: Vec<Scores>| scores.remove(0).logprobs;
    assert_eq!(logprobs(session.score(&[sequence]).unwrap()), logprobs(frozen.score(&[sequence]).unwrap()));
    session.forward_backward(&[sequence], &mut |_| vec![vec![1.0; 3]]).unwrap();
    session.step(&AdamHyper { lr: 1e-2, ..AdamHyper::default() }).unwrap();
    // The weights that changed are those of the checkpoint that chat reads.
    let stepped = logprobs(session.score(&[sequence]).unwrap());
    let checkpoint = session.weights().to_bytes();
    let read = FullWeights::read(&config, &[("checkpoint", &checkpoint)]).unwrap();
    let mut again = FullSession::new(pool, read, FullAdam::new(&config), WeightFormat::Int4).unwrap();
    assert_eq!(logprobs(again.score(&[sequence]).unwrap()), stepped);
    assert_ne!(stepped, logprobs(frozen.score(&[sequence]).unwrap()));
}

#[test]
fn a_model_of_a_gguf_file_runs_in_every_format() {
    let pool = ComputePool::new(2);
    for (architecture, _) in ARCHITECTURES {
        let (file, config) = (file(architecture), config(architecture).to_string());
        let logits: Vec<Vec<f32>> = WeightFormat::ALL
            .into_iter()
            .map(|format| logits(&pool, &BaseModel::load(&config, &[("model.gguf", &file)], format, &pool).unwrap()))
            .collect();
        let size = |values: &[f32]| values.iter().map(|value| value * value).sum::<f32>().sqrt();
        for (format, found) in WeightFormat::ALL.into_iter().zip(&logits) {
            let distance: Vec<f32> = found.iter().zip(&logits[0]).map(|(found, exact)| found - exact).collect();
            // Matrices of more bits lose more in four.
            let limit = size(&logits[0]) * if format == WeightFormat::Int4 { 0.2 } else { 0.1 };
            assert!(size(&distance) <= limit, "{architecture} {format}: {} of {limit}", size(&distance));
        }
    }
}

#[test]
fn a_file_that_cannot_be_used_says_why() {
    let file = file("qwen3");
    let with = |from: &[u8], to: &[u8]| {
        let at = file.windows(from.len()).position(|window| window == from).unwrap();
        [&file[..at], to, &file[at + from.len()..]].concat()
    };
    let config = parsed("qwen3");
    let message = |file: &[u8]| read(file, &config).unwrap_err().to_string();
    let mut other = file.clone();
    other[4] = 1;
    assert_eq!(message(&other), GgufError::Version(1).to_string());
    assert_eq!(
        message(&with(b"attn_k_norm", b"attn_k_bias")),
        "tensor blk.0.attn_k_bias.weight is not part of a model that can be read from GGUF"
    );
    // The type follows the name and two sizes of eight bytes; 31 was of rows in turns, and is in no file of today.
    let name = b"blk.0.ffn_gate.weight";
    let at = file.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 4 + 16;
    other.copy_from_slice(&file);
    other[at] = 31;
    assert_eq!(
        message(&other),
        "tensor blk.0.ffn_gate.weight has element type 31, which is not known; update, or write the file again with \
         llama-quantize of a current llama.cpp"
    );
    assert_eq!(
        message(&self::file("llama")),
        r#"general.architecture is "llama"; a model with model_type qwen3 has "qwen3""#
    );
    // The third size, of eight bytes, is the number of experts.
    let config = parsed("qwen3moe");
    let mut experts = self::file("qwen3moe");
    let name = b"blk.0.ffn_up_exps.weight";
    let at = experts.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 4 + 16;
    experts[at] = 0;
    let error = read(&experts, &config).unwrap_err().to_string();
    assert!(error.contains("ffn_up_exps.weight has the shape [0, 64, 64], not one of experts"), "{error}");
    let mut llama = self::config("llama");
    llama["head_dim"] = 24.into();
    let llama = ModelConfig::from_json(&llama.to_string()).unwrap();
    let error = read(&self::file("llama"), &llama).unwrap_err().to_string();
    assert!(error.contains("has no whole heads"), "{error}");
    for end in (4..file.len()).step_by(if cfg!(debug_assertions) { 37 } else { 1 }) {
        assert!(read(&file[..end], &config).is_err(), "{end} of {} bytes", file.len());
    }
}

proptest! {
    #[test]
    fn damage_is_an_error_or_other_weights(changes in prop::collection::vec((0usize..4096, any::<u8>()), 1..6)) {
        let mut file = file("llama");
        for (offset, byte) in changes {
            file[4 + offset] = byte;
        }
        if let Ok(tensors) = read(&file, &parsed("llama")) {
            for (shape, tensor) in tensors.values() {
                let width = shape.last().copied().unwrap_or(1);
                tensor.read_row(0, &mut vec![0.0; width]);
            }
        }
    }
}
