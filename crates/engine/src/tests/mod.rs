//! Tests of the whole engine, and the random models they run on.

pub(crate) mod families;
mod full;
mod gguf;
mod golden;
mod gradients;
mod invariance;
mod malformed;
mod options;
mod packed;
mod peft_options;
mod reference;
mod sharing;

use std::sync::Arc;

use safetensors::{Dtype, tensor::TensorView};
use serde_json::{Value, json};

pub(crate) use super::testing::{noise, odd_config, safetensors_file, tensor_shapes};
use super::{Adapter, BaseModel, ComputePool, LoraOptions, ModelConfig, TargetModules, WeightFormat};

/// Returns models of every family, with different head layouts, biases and rotary scalings.
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
        // One key head for all, a head width derived from the hidden size, larger cosines.
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

/// Returns one family in every weight format, and every family in one of them.
pub(crate) fn family_models() -> Vec<(String, WeightFormat, Value)> {
    let formats = WeightFormat::ALL.map(|format| (("qwen3", odd_config()), format));
    let families = family_configs().into_iter().skip(1).zip(WeightFormat::ALL.into_iter().cycle());
    let name = |((family, config), format)| (format!("{family}, {format}"), format, config);
    formats.into_iter().chain(families).map(name).collect()
}

/// Returns random weights: norms near one, biases near zero, matrices with a scale that keeps activations near one.
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

/// Returns a random model in f32.
pub(crate) fn random_model(config: &Value, seed: u64, pool: &ComputePool) -> Arc<BaseModel> {
    random_model_in(WeightFormat::F32, config, seed, pool)
}

/// Returns a random model in a number format.
pub(crate) fn random_model_in(format: WeightFormat, config: &Value, seed: u64, pool: &ComputePool) -> Arc<BaseModel> {
    let json = config.to_string();
    let parsed = ModelConfig::from_json(&json).unwrap();
    let file = safetensors_file(&random_tensors(&parsed, seed));
    BaseModel::load(&json, &[("model.safetensors", &file)], format, pool).unwrap()
}

/// Returns an adapter with nonzero B.
pub(crate) fn random_adapter(config: &ModelConfig, rank: usize, seed: u64) -> Adapter {
    random_adapter_of(config, &LoraOptions::new(rank, 2.0 * rank as f32 + 1.0), seed)
}

/// Returns an adapter with these options and nonzero B.
pub(crate) fn random_adapter_of(config: &ModelConfig, options: &LoraOptions, seed: u64) -> Adapter {
    let mut adapter = Adapter::new(config, options, seed);
    let mut noise = noise(seed + 1);
    for factors in adapter.layers_mut().iter_mut().flatten() {
        factors.b.iter_mut().for_each(|b| *b = 0.05 * noise());
    }
    adapter
}

/// Returns tokens that look arbitrary.
pub(crate) fn tokens(count: usize, vocab_size: usize, seed: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i * i * 31) % vocab_size) as u32).collect()
}
