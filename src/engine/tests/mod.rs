//! Tests of the whole engine, and the random models they run on.

mod golden;
mod gradients;
mod invariance;
mod malformed;
mod reference;
mod sharing;

use std::sync::Arc;

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};

use super::{Adapter, BaseModel, ComputePool, ModelConfig, WeightFormat};

/// No dimension is a multiple of sixteen; heads share keys in pairs.
pub(crate) fn odd_config() -> Value {
    json!({
        "model_type": "qwen3", "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 10, "intermediate_size": 40, "vocab_size": 77,
        "max_position_embeddings": 512, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": true,
    })
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
        for (name, shape) in [
            ("input_layernorm", vec![hidden]),
            ("post_attention_layernorm", vec![hidden]),
            ("self_attn.q_norm", vec![head_dim]),
            ("self_attn.k_norm", vec![head_dim]),
            ("self_attn.q_proj", vec![query, hidden]),
            ("self_attn.k_proj", vec![kv, hidden]),
            ("self_attn.v_proj", vec![kv, hidden]),
            ("self_attn.o_proj", vec![hidden, query]),
            ("mlp.gate_proj", vec![inner, hidden]),
            ("mlp.up_proj", vec![inner, hidden]),
            ("mlp.down_proj", vec![hidden, inner]),
        ] {
            shapes.push((format!("model.layers.{layer}.{name}.weight"), shape));
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

/// Random weights: norms near one, matrices of a scale that keeps activations near one.
pub(crate) fn random_tensors(config: &ModelConfig, seed: u64) -> Vec<(String, Vec<usize>, Vec<f32>)> {
    let mut noise = noise(seed);
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let len = shape.iter().product();
        let norm = shape.len() == 1;
        let scale = if norm { 0.3 } else { 1.5 / (shape[1] as f32).sqrt() };
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
    let mut adapter = Adapter::new(config, rank, 2.0 * rank as f32 + 1.0, seed);
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
