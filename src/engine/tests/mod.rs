//! Tests of the whole engine, and the random models they run on.

pub(crate) mod families;
mod full;
mod golden;
mod gradients;
mod invariance;
mod malformed;
mod options;
mod packed;
mod reference;
mod sharing;

use std::sync::Arc;

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};

use super::{Adapter, BaseModel, ComputePool, LoraOptions, ModelConfig, TargetModules, WeightFormat};

/// No dimension is a multiple of sixteen; heads share keys in pairs.
pub(crate) fn odd_config() -> Value {
    json!({
        "model_type": "qwen3", "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 10, "intermediate_size": 40, "vocab_size": 77,
        "max_position_embeddings": 512, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": true,
    })
}

/// Models of every family, with head layouts, biases and rotary scalings that differ.
pub(crate) fn family_configs() -> Vec<(&'static str, Value)> {
    let changed = |changes: Value| {
        let mut config = odd_config();
        for (field, value) in changes.as_object().unwrap() {
            config[field] = value.clone();
        }
        config
    };
    vec![
        ("qwen3", odd_config()),
        ("qwen3 with biases", changed(json!({"attention_bias": true, "num_key_value_heads": 4}))),
        // One key head for all, width of a head from the hidden size, larger cosines.
        (
            "qwen2",
            changed(json!({"model_type": "qwen2", "num_key_value_heads": 1, "head_dim": null, "rope_scaling":
                {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}})),
        ),
        (
            "llama with biases",
            changed(json!({"model_type": "llama", "num_key_value_heads": 4, "attention_bias": true, "mlp_bias": true,
                "tie_word_embeddings": false, "rope_scaling": {"rope_type": "llama3", "factor": 8.0,
                "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}})),
        ),
        (
            "llama without",
            changed(
                json!({"model_type": "llama", "hidden_size": 36, "num_attention_heads": 3, "num_key_value_heads": 1,
                "head_dim": 34, "rope_scaling": {"type": "dynamic", "factor": 2.0}}),
            ),
        ),
        (
            "mistral",
            changed(json!({"model_type": "mistral", "sliding_window": 256, "tie_word_embeddings": false,
                "rope_scaling": {"type": "linear", "factor": 2.0}})),
        ),
    ]
}

/// One family in every format of weights, and every family in one of them.
pub(crate) fn family_models() -> Vec<(String, WeightFormat, Value)> {
    let formats = WeightFormat::ALL.map(|format| (("qwen3", odd_config()), format));
    let families = family_configs().into_iter().skip(1).zip(WeightFormat::ALL.into_iter().cycle());
    let name = |((family, config), format)| (format!("{family}, {format}"), format, config);
    formats.into_iter().chain(families).map(name).collect()
}

/// Names and shapes of a model's tensors.
pub(crate) fn tensor_shapes(config: &ModelConfig) -> Vec<(String, Vec<usize>)> {
    let ModelConfig { hidden_size: hidden, head_dim, intermediate_size: inner, vocab_size, .. } = *config;
    let (query, kv) = (config.heads * head_dim, config.kv_heads * head_dim);
    let mut shapes = vec![
        ("model.embed_tokens.weight".to_owned(), vec![vocab_size, hidden]),
        ("model.norm.weight".to_owned(), vec![hidden]),
    ];
    if !config.tie_word_embeddings {
        shapes.push(("lm_head.weight".to_owned(), vec![vocab_size, hidden]));
    }
    for layer in 0..config.layers {
        let norms = [
            ("input_layernorm", hidden, true),
            ("post_attention_layernorm", hidden, true),
            ("self_attn.q_norm", head_dim, config.head_norms),
            ("self_attn.k_norm", head_dim, config.head_norms),
        ];
        for (name, width, _) in norms.into_iter().filter(|(_, _, present)| *present) {
            shapes.push((format!("model.layers.{layer}.{name}.weight"), vec![width]));
        }
        for (name, output, input, bias) in [
            ("self_attn.q_proj", query, hidden, config.query_key_value_bias),
            ("self_attn.k_proj", kv, hidden, config.query_key_value_bias),
            ("self_attn.v_proj", kv, hidden, config.query_key_value_bias),
            ("self_attn.o_proj", hidden, query, config.attention_output_bias),
            ("mlp.gate_proj", inner, hidden, config.mlp_bias),
            ("mlp.up_proj", inner, hidden, config.mlp_bias),
            ("mlp.down_proj", hidden, inner, config.mlp_bias),
        ] {
            shapes.push((format!("model.layers.{layer}.{name}.weight"), vec![output, input]));
            if bias {
                shapes.push((format!("model.layers.{layer}.{name}.bias"), vec![output]));
            }
        }
    }
    shapes
}

/// A deterministic sequence of values in [-1, 1).
pub(crate) fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

/// Random weights: norms near one, biases near zero, matrices of a scale that keeps activations near one.
pub(crate) fn random_tensors(config: &ModelConfig, seed: u64) -> Vec<(String, Vec<usize>, Vec<f32>)> {
    let mut noise = noise(seed);
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let len = shape.iter().product();
        let norm = name.ends_with("norm.weight");
        let scale = if shape.len() == 1 { 0.3 } else { 1.5 / (shape[1] as f32).sqrt() };
        let values = (0..len).map(|_| f32::from(u8::from(norm)) + scale * noise()).collect();
        (name, shape, values)
    };
    tensor_shapes(config).into_iter().map(tensor).collect()
}

/// Tensors as a safetensors file.
pub(crate) fn safetensors_file(tensors: &[(String, Vec<usize>, Vec<f32>)]) -> Vec<u8> {
    let bytes: Vec<Vec<u8>> =
        tensors.iter().map(|(_, _, values)| values.iter().flat_map(|x| x.to_le_bytes()).collect()).collect();
    let views = tensors
        .iter()
        .zip(&bytes)
        .map(|((name, shape, _), bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    safetensors::serialize(views, None).unwrap()
}

/// A random model in f32.
pub(crate) fn random_model(config: &Value, seed: u64, pool: &ComputePool) -> Arc<BaseModel> {
    random_model_in(WeightFormat::F32, config, seed, pool)
}

/// A random model in a number format.
pub(crate) fn random_model_in(format: WeightFormat, config: &Value, seed: u64, pool: &ComputePool) -> Arc<BaseModel> {
    let json = config.to_string();
    let parsed = ModelConfig::from_json(&json).unwrap();
    let file = safetensors_file(&random_tensors(&parsed, seed));
    BaseModel::load(&json, &[("model.safetensors", &file)], format, pool).unwrap()
}

/// An adapter whose B is not zero.
pub(crate) fn random_adapter(config: &ModelConfig, rank: usize, seed: u64) -> Adapter {
    random_adapter_of(config, &LoraOptions::new(rank, 2.0 * rank as f32 + 1.0), seed)
}

/// An adapter of these options whose B is not zero.
pub(crate) fn random_adapter_of(config: &ModelConfig, options: &LoraOptions, seed: u64) -> Adapter {
    let mut adapter = Adapter::new(config, options, seed);
    let mut noise = noise(seed + 1);
    for factors in adapter.layers_mut().iter_mut().flatten() {
        factors.b.iter_mut().for_each(|b| *b = 0.05 * noise());
    }
    adapter
}

/// Tokens that look arbitrary.
pub(crate) fn tokens(count: usize, vocab_size: usize, seed: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i * i * 31) % vocab_size) as u32).collect()
}
