//! Tests of GGUF's element types: blocks against values of llama.cpp's package (`scripts/make_golden_blocks.py`), and
//! models whose matrices have several types.

use std::collections::HashMap;

use trainyard_gguf::testing::Writer;

use super::gguf::logits;
use super::golden::path;
use super::invariance::training_equals_decoding;
use super::*;
use crate::config::LayerKind;
use crate::files::{GgufError, GgufTensor, read_gguf};
use crate::full::{FullAdam, FullSession, FullWeights};
use crate::kernels::{BlockFormat, InstructionSet, MatrixFormat, Panels, bf16_bits};
use crate::model::{Fused, HeldMatrices};
use crate::train::{AdamState, Scores, SequenceInput, TrainSession};

/// An element type as the recording has it.
#[derive(serde::Deserialize)]
struct Recorded {
    number: u32,
    elements: usize,
    /// Positions of the bytes that scale whole blocks.
    scales: Vec<usize>,
    blocks: Vec<String>,
    fnv1a: Vec<String>,
}

fn recorded() -> HashMap<String, Recorded> {
    serde_json::from_str(&std::fs::read_to_string(path("gguf/blocks.json")).unwrap()).unwrap()
}

fn of_hex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// A tensor of a GGUF file: name, shape, number of its type, and bytes.
type Part = (String, Vec<usize>, u32, Vec<u8>);

/// Returns a GGUF file.
fn gguf_file(architecture: &str, parts: &[Part]) -> Vec<u8> {
    let add = |file: Writer, (name, shape, number, bytes): &Part| file.tensor(name, shape, *number, bytes.clone());
    parts.iter().fold(Writer::new(architecture), add).bytes()
}

const EMBEDDING: &str = "model.embed_tokens.weight";

fn embedding(shape: Vec<usize>, number: u32, bytes: Vec<u8>) -> Vec<u8> {
    gguf_file("qwen3", &[("token_embd.weight".to_owned(), shape, number, bytes)])
}

#[test]
fn values_of_blocks_are_those_of_llama_cpp() {
    let config = config("qwen3", 1);
    for (kind, Recorded { number, elements, blocks, fnv1a: hashes, .. }) in recorded() {
        // Rows of two blocks.
        let file = embedding(vec![blocks.len() / 2, 2 * elements], number, of_hex(&blocks.concat()));
        let tensor = read_gguf(&file, &config).unwrap()[EMBEDDING].1;
        let mut values = vec![0.0; 2 * elements];
        for (row, hashes) in hashes.chunks_exact(2).enumerate() {
            tensor.read_row(row, &mut values);
            for (block, hash) in hashes.iter().enumerate() {
                // NaN has many patterns of bits.
                let bits = values[block * elements..][..elements]
                    .iter()
                    .map(|value| if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() });
                assert_eq!(fnv1a(bits.flat_map(u32::to_le_bytes)), *hash, "{kind}, block {}", 2 * row + block);
            }
        }
    }
}

#[test]
fn tensors_of_every_type_end_in_whole_blocks_and_in_the_file() {
    let config = config("qwen3", 1);
    for (kind, Recorded { number, elements, blocks, .. }) in recorded() {
        let read = |shape, bytes| read_gguf(&embedding(shape, number, bytes), &config).map(|_| ()).unwrap_err();
        let bytes = of_hex(&blocks.concat());
        for width in [1, elements - 1, elements + 1, 3 * elements / 2] {
            let error = read(vec![2, width], bytes.clone());
            let found = format!("rows of tensor token_embd.weight have {width} elements, no multiple of {elements}");
            assert_eq!(error, GgufError::Header(found), "{kind}");
        }
        let short = GgufError::Short("tensor token_embd.weight".to_owned());
        // Beyond the blocks there is padding.
        for rows in [blocks.len() + 32, usize::MAX / elements, usize::MAX] {
            assert_eq!(read(vec![rows, elements], bytes.clone()), short, "{kind}, {rows} rows");
        }
    }
}

#[test]
fn factors_beside_a_matrix_are_part_of_its_values() {
    let (config, recorded) = (config("qwen3moe", 1), recorded());
    let part = |name: &str, shape: &[usize], kind: &str| {
        let Recorded { number, blocks, .. } = &recorded[kind];
        (name.to_owned(), shape.to_vec(), *number, of_hex(&blocks[..2].concat()))
    };
    let factors = |name: &str, values: &[f32]| {
        (name.to_owned(), vec![values.len()], 0, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    };
    let (query, experts) = (part("blk.0.attn_q.weight", &[2, 64], "NVFP4"), "blk.0.ffn_up_exps.weight");
    let experts = part(experts, &[2, 1, 32], "Q8_0");
    let plain = gguf_file("qwen3moe", &[query.clone(), experts.clone()]);
    let plain = read_gguf(&plain, &config).unwrap();
    let [of_query, of_experts] = [("blk.0.attn_q.scale", &[0.3][..]), ("blk.0.ffn_up_exps.scale", &[1.0, -0.7])]
        .map(|(name, values)| factors(name, values));
    let activations = factors("blk.0.attn_q.input_scale", &[3.0]);
    let scaled = gguf_file("qwen3moe", &[query, of_query.clone(), activations, experts.clone(), of_experts]);
    let scaled = read_gguf(&scaled, &config).unwrap();
    assert_eq!(scaled.len(), plain.len());
    for (name, factor) in [("self_attn.q_proj", 0.3), ("mlp.experts.0.up_proj", 1.0), ("mlp.experts.1.up_proj", -0.7)] {
        let name = format!("model.layers.0.{name}.weight");
        let (shape, tensor) = &scaled[&name];
        let (mut expected, mut found) = (vec![0.0; shape[1]], vec![0.0; shape[1]]);
        for row in 0..shape[0] {
            plain[&name].1.read_row(row, &mut expected);
            tensor.read_row(row, &mut found);
            expected.iter_mut().for_each(|value| *value *= factor);
            assert_eq!(found, expected, "{name}");
        }
        assert_eq!(tensor.stored().is_some(), factor == 1.0, "{name}");
    }
    let message = |parts: &[Part]| read_gguf(&gguf_file("qwen3moe", parts), &config).unwrap_err().to_string();
    assert!(message(&[of_query]).starts_with("tensor blk.0.attn_q.scale is not part of a model"));
    assert_eq!(
        message(&[experts, factors("blk.0.ffn_up_exps.scale", &[1.0])]),
        "tensor blk.0.ffn_up_exps.weight has 1 factors for 2 matrices"
    );
}

/// Matrices of a layer, in the order of [`Mixture::layers`].
const MATRICES: [&str; 7] = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"];
const HIDDEN: usize = 256;
const EXPERTS: usize = 3;

/// Types of a model's matrices.
struct Mixture {
    embedding: &'static str,
    head: &'static str,
    layers: Vec<[String; 7]>,
}

fn config_json(architecture: &str, layers: usize) -> Value {
    json!({
        "model_type": if architecture == "qwen3moe" { "qwen3_moe" } else { architecture }, "hidden_size": HIDDEN,
        "num_hidden_layers": layers, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64,
        "intermediate_size": 256, "num_experts": EXPERTS, "num_experts_per_tok": 2, "moe_intermediate_size": 256,
        "hidden_act": "silu", "attention_bias": false, "vocab_size": 64, "max_position_embeddings": 256,
        "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": false,
    })
}

fn config(architecture: &str, layers: usize) -> ModelConfig {
    ModelConfig::from_json(&config_json(architecture, layers).to_string()).unwrap()
}

impl Mixture {
    fn new([embedding, head]: [&'static str; 2], layer: [&str; 7]) -> Self {
        Self { embedding, head, layers: vec![layer.map(str::to_owned)] }
    }

    /// Returns a file of random weights.
    fn file(&self, architecture: &str) -> Vec<u8> {
        let (recorded, mut noise) = (recorded(), noise(3));
        let mut parts = Vec::new();
        let mut matrix = |name: String, kind: &str, shape: &[usize]| {
            let count = shape.iter().product::<usize>();
            let mut byte = || (128.0 * (noise() + 1.0)) as u8;
            let (number, bytes) = match recorded.get(kind) {
                Some(Recorded { number, elements, scales, blocks, .. }) => {
                    let block = of_hex(&blocks[0]);
                    let byte =
                        |at: usize| if scales.contains(&(at % block.len())) { block[at % block.len()] } else { byte() };
                    (*number, (0..count / elements * block.len()).map(byte).collect())
                }
                None if kind == "BF16" => {
                    (30, (0..count).flat_map(|_| bf16_bits(0.1 * noise()).to_le_bytes()).collect())
                }
                None => (0, (0..count).flat_map(|_| (1.0 + 0.1 * noise()).to_le_bytes()).collect()),
            };
            parts.push((name, shape.to_vec(), number, bytes));
        };
        matrix("token_embd.weight".to_owned(), self.embedding, &[64, HIDDEN]);
        matrix("output.weight".to_owned(), self.head, &[64, HIDDEN]);
        matrix("output_norm.weight".to_owned(), "F32", &[HIDDEN]);
        for (layer, kinds) in self.layers.iter().enumerate() {
            for (name, width) in [("attn_norm", HIDDEN), ("ffn_norm", HIDDEN), ("attn_q_norm", 64), ("attn_k_norm", 64)]
            {
                matrix(format!("blk.{layer}.{name}.weight"), "F32", &[width]);
            }
            let is_routed = architecture == "qwen3moe";
            for (name, kind) in MATRICES.into_iter().zip(kinds) {
                let rows = if matches!(name, "attn_k" | "attn_v") { 128 } else { 256 };
                if is_routed && name.starts_with("ffn") {
                    matrix(format!("blk.{layer}.{name}_exps.weight"), kind, &[EXPERTS, rows, HIDDEN]);
                } else {
                    matrix(format!("blk.{layer}.{name}.weight"), kind, &[rows, HIDDEN]);
                }
            }
            if is_routed {
                matrix(format!("blk.{layer}.ffn_gate_inp.weight"), "F32", &[EXPERTS, HIDDEN]);
            }
        }
        gguf_file(architecture, &parts)
    }
}

/// Returns mixtures as llama-quantize makes them.
fn mixtures() -> Vec<(&'static str, Mixture)> {
    let plain = |most: &'static str, more: &'static str, head: &'static str| {
        Mixture::new([most, head], [most, most, more, most, most, most, more])
    };
    vec![
        ("Q4_K_M", plain("Q4_K", "Q6_K", "Q6_K")),
        ("Q5_K_M", plain("Q5_K", "Q6_K", "Q6_K")),
        ("Q4_K_M of other widths", plain("Q5_0", "Q8_0", "Q8_0")),
        ("Q3_K_M", Mixture::new(["Q3_K", "Q6_K"], ["Q3_K", "Q3_K", "Q5_K", "Q4_K", "Q3_K", "Q3_K", "Q5_K"])),
        ("IQ4_XS", plain("IQ4_XS", "Q5_K", "Q6_K")),
    ]
}

/// Returns a model with every type.
fn every_type() -> Mixture {
    let mut kinds: Vec<String> = recorded().into_keys().chain(["F32", "BF16"].map(str::to_owned)).collect();
    kinds.sort();
    kinds.push("Q4_K".to_owned());
    let layers: Vec<[String; 7]> = kinds.as_chunks().0.to_vec();
    assert_eq!(layers.as_flattened().len(), kinds.len());
    Mixture { embedding: "Q4_K", head: "BF16", layers }
}

fn load(file: &[u8], config: &ModelConfig, format: WeightFormat, pool: &ComputePool) -> Arc<BaseModel> {
    BaseModel::load_shape(config.clone(), &[("model.gguf", file)], format, pool).unwrap()
}

#[test]
fn a_mixture_gives_the_logits_of_its_values_in_f32() {
    let pool = ComputePool::new(2);
    for (name, mixture) in mixtures().into_iter().chain([("every type", every_type())]) {
        let (file, config) = (mixture.file("qwen3"), config("qwen3", mixture.layers.len()));
        let values = |(name, (shape, tensor)): (String, (Vec<usize>, GgufTensor<'_>))| {
            let width = *shape.last().unwrap();
            let mut values = vec![0.0; shape.iter().product()];
            values.chunks_exact_mut(width).enumerate().for_each(|(row, values)| tensor.read_row(row, values));
            (name, shape, values)
        };
        let plain = safetensors_file(&read_gguf(&file, &config).unwrap().into_iter().map(values).collect::<Vec<_>>());
        let plain = BaseModel::load_shape(config.clone(), &[("plain", &plain)], WeightFormat::F32, &pool).unwrap();
        let exact = logits(&pool, &plain);
        let found = load(&file, &config, WeightFormat::F32, &pool);
        assert_eq!(logits(&pool, &found), exact, "{name}");
        assert!(!found.held().to_string().contains("rounded"), "{name}: {}", found.held());
        // Roundings of other formats are small beside the weights.
        let size = |values: &[f32]| values.iter().map(|value| value * value).sum::<f32>().sqrt();
        for (format, limit) in [
            (WeightFormat::Bf16, 0.05),
            (WeightFormat::Int8, 0.2),
            (WeightFormat::Int4, 0.4),
            (WeightFormat::File, 0.05),
        ] {
            let found = logits(&pool, &load(&file, &config, format, &pool));
            let distance: Vec<f32> = found.iter().zip(&exact).map(|(found, exact)| found - exact).collect();
            assert!(size(&distance) <= limit * size(&exact), "{name}, {format}: {}", size(&distance) / size(&exact));
        }
    }
}

#[test]
fn four_bits_take_no_matrix_that_the_file_has_in_more() {
    use MatrixFormat::{Bf16, F32};
    let [int4, int6, int8] = [MatrixFormat::INT4, MatrixFormat::INT6, MatrixFormat::INT8];
    let pool = ComputePool::new(2);
    // Query, key and value; output; gate and up; down; head; embedding.
    let formats = |base: &BaseModel| {
        let layer = &base.layers[0];
        let maps = [Fused::QueryKeyValue, Fused::Output, Fused::GateUp, Fused::Down].map(|map| layer.linear(map));
        let maps = maps.into_iter().chain([&base.head]).map(|map| &map.forward).chain(&base.embedding);
        maps.map(|panels| panels.format()).collect::<Vec<_>>()
    };
    let [q4_k, q5_k, q5_0] = [BlockFormat::Q4K, BlockFormat::Q5K, BlockFormat::Q5_0].map(MatrixFormat::Blocks);
    let four_bits = [
        [int8, int4, int4, int6, int6, q4_k],
        [int8, int8, int8, int6, int6, q5_k],
        [int8, int8, int8, int8, int8, q5_0],
        [int8, int4, int4, int8, int6, int8],
        [int8, int4, int4, int8, int6, int8],
    ];
    for ((name, mixture), expected) in mixtures().into_iter().zip(four_bits) {
        let (file, config) = (mixture.file("qwen3"), config("qwen3", 1));
        let found = |format| formats(&load(&file, &config, format, &pool));
        assert_eq!(found(WeightFormat::Int4), expected, "{name}");
        // An embedding stays as it is if it has a kernel.
        let kept = *expected.last().unwrap();
        for (format, computed) in [(WeightFormat::Int8, int8), (WeightFormat::Bf16, Bf16), (WeightFormat::F32, F32)] {
            let embedding = if kept == int8 { computed } else { kept };
            assert_eq!(found(format), [&[computed; 5][..], &[embedding]].concat(), "{name}");
        }
    }
    // What became of the file is said.
    let (_, mixture) = mixtures().swap_remove(0);
    let held = |format| load(&mixture.file("qwen3"), &config("qwen3", 1), format, &pool).held().to_string();
    assert_eq!(
        held(WeightFormat::Int4),
        "3 in Q4_K as int4, rounded, 0.1 MB for 0.1 MB; 2 in Q4_K as int8, rounded, 0.1 MB for 0.1 MB; \
         1 in Q4_K as q4_k, exact, 0.0 MB for 0.0 MB; 2 in Q6_K as int6, exact, 0.1 MB for 0.1 MB; \
         1 in Q6_K as int8, rounded, 0.0 MB for 0.0 MB"
    );
    assert_eq!(
        held(WeightFormat::F32),
        "5 in Q4_K as f32, exact, 1.2 MB for 0.2 MB; 1 in Q4_K as q4_k, exact, 0.0 MB for 0.0 MB; \
         3 in Q6_K as f32, exact, 0.5 MB for 0.1 MB"
    );
    let (file, config) = (safetensors_file(&random_tensors(&config("qwen3", 1), 1)), config("qwen3", 1));
    let plain = BaseModel::load_shape(config, &[("plain", &file)], WeightFormat::Int4, &pool).unwrap();
    let held: &HeldMatrices = plain.held();
    assert!(held.is_empty(), "{held}");
}

#[test]
fn each_matrix_of_a_file_keeps_its_values() {
    let pool = ComputePool::new(2);
    for (name, mixture) in mixtures().into_iter().chain([("every type", every_type())]) {
        let (file, config) = (mixture.file("qwen3"), config("qwen3", mixture.layers.len()));
        let tensors = read_gguf(&file, &config).unwrap();
        let (base, mut exact) = (load(&file, &config, WeightFormat::File, &pool), 0);
        let is_in_blocks =
            |tensor: &GgufTensor<'_>| tensor.stored().is_some_and(|(format, _)| format.blocks().is_some());
        let mut check = |tensor: &str, panels: &Panels, first: usize| {
            let (shape, stored) = &tensors[tensor];
            let (mut expected, mut found) = (vec![0.0; shape[1]], vec![0.0; shape[1]]);
            for row in 0..shape[0] {
                stored.read_row(row, &mut expected);
                panels.column(first + row, &mut found);
                if is_in_blocks(stored) {
                    assert_eq!(found, expected, "{name}, row {row} of {tensor}");
                    continue;
                }
                // One rounding to eight bits, or to bf16.
                for (found, expected) in found.chunks(32).zip(expected.chunks(32)) {
                    let largest = expected.iter().fold(0.0, |most: f32, value| most.max(value.abs()));
                    let limit = 0.51 / 127.0 * largest + 4e-6;
                    let is_close = |(found, expected): (&f32, &f32)| (found - expected).abs() <= limit;
                    assert!(found.iter().zip(expected).all(is_close), "{name}, row {row} of {tensor}");
                }
            }
            exact += usize::from(is_in_blocks(stored));
        };
        check("lm_head.weight", &base.head.forward, 0);
        check(EMBEDDING, base.embedding.as_ref().unwrap(), 0);
        for layer in 0..mixture.layers.len() {
            for fused in Fused::of(LayerKind::Attention).iter().copied() {
                for (projection, columns) in fused.projections(&base.layout).iter().zip(fused.segments(&base.layout)) {
                    let name = format!("model.layers.{layer}.{}.weight", projection.name(config.family));
                    check(&name, &base.layers[layer].linear(fused).forward, columns.start);
                }
            }
        }
        let kernels = tensors.values().filter(|(_, tensor)| is_in_blocks(tensor)).count();
        assert!(kernels > 2 && exact == kernels, "{name}: {exact} of {kernels}");
    }
    let (_, mixture) = mixtures().swap_remove(0);
    assert_eq!(
        load(&mixture.file("qwen3"), &config("qwen3", 1), WeightFormat::File, &pool).held().to_string(),
        "6 in Q4_K as q4_k, exact, 0.2 MB for 0.2 MB; 3 in Q6_K as int6, exact, 0.1 MB for 0.1 MB"
    );
}

#[test]
fn the_format_of_a_file_without_quantised_weights_is_that_of_its_matrices() {
    let (pool, json) = (ComputePool::new(2), config_json("qwen3", 1).to_string());
    let of_file = |file: &[u8]| BaseModel::load(&json, &[("file", file)], WeightFormat::File, &pool).unwrap();
    let of_type = |kind: &'static str| of_file(&Mixture::new([kind; 2], [kind; 7]).file("qwen3"));
    assert_eq!(of_type("F32").format, WeightFormat::F32);
    assert_eq!(of_type("BF16").format, WeightFormat::Bf16);
    assert_eq!(of_type("Q4_K").format, WeightFormat::File);
    let plain = safetensors_file(&random_tensors(&config("qwen3", 1), 1));
    assert_eq!(of_file(&plain).format, WeightFormat::F32);
}

#[test]
fn a_mixture_trains_as_it_decodes_with_the_same_bits_everywhere() {
    let mixtures = mixtures();
    for (architecture, format, (name, mixture)) in [
        ("qwen3", WeightFormat::Int4, &mixtures[0]),
        ("qwen3", WeightFormat::Bf16, &mixtures[4]),
        ("qwen3moe", WeightFormat::Int4, &mixtures[1]),
        ("qwen3", WeightFormat::File, &mixtures[0]),
        ("qwen3", WeightFormat::File, &mixtures[2]),
        ("qwen3", WeightFormat::File, &mixtures[4]),
        ("qwen3moe", WeightFormat::File, &mixtures[1]),
        ("qwen3", WeightFormat::File, &("every type", every_type())),
    ] {
        let layers = mixture.layers.len();
        let (file, config, mut expected) = (mixture.file(architecture), config(architecture, layers), None);
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(3, set);
            let name = format!("{architecture} in {name} as {format}, {}", set.name());
            let found = training_equals_decoding(&name, &pool, &load(&file, &config, format, &pool));
            assert!(*expected.get_or_insert_with(|| found.clone()) == found, "{name}");
        }
    }
}

#[test]
fn training_of_all_weights_starts_with_the_matrices_of_chat() {
    let pool = ComputePool::new(2);
    let sequence = SequenceInput { tokens: &[3, 9, 1, 27], scored: &[false, true, true, true] };
    let logprobs = |mut scores: Vec<Scores>| scores.remove(0).logprobs;
    for (name, mixture) in mixtures() {
        let (file, config) = (mixture.file("qwen3"), config("qwen3", 1));
        for format in WeightFormat::ALL {
            let base = load(&file, &config, format, &pool);
            let adapter = Adapter::none(&config);
            let adam = AdamState::new(&adapter);
            let mut frozen = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
            let weights = FullWeights::read(&config, &[("model.gguf", &file)]).unwrap().of_model(&base);
            let mut session = FullSession::new(pool.clone(), weights, FullAdam::new(&config), format).unwrap();
            let [all, none] = [session.score(&[sequence]).unwrap(), frozen.score(&[sequence]).unwrap()].map(logprobs);
            assert_eq!(all, none, "{name}, {format}");
        }
    }
}
