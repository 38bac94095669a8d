//! Tests of the whole engine, and the random models they run on.

mod export;
pub(crate) mod families;
mod full;
mod gguf;
mod gguf_types;
mod golden;
mod gradients;
mod invariance;
mod joint;
mod malformed;
mod memory;
mod options;
mod packed;
mod peft_options;
mod quantised;
mod reference;
mod sharing;
mod text_part;

use std::sync::Arc;

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};

use crate::config::ModelConfig;
use crate::generate::{BatchRow, Decoder};
use crate::kernels::{ComputePool, WeightFormat};
use crate::lora::{Adapter, LoraOptions, TargetModules};
use crate::model::BaseModel;
pub(crate) use crate::testing::{noise, odd_config, safetensors_file, tensor_shapes};

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
        // One key head for all, a head width derived from the hidden size, larger cosines, a window of the second layer.
        (
            "qwen2",
            changed(json!({"model_type": "qwen2", "num_key_value_heads": 1, "head_dim": null,
                "use_sliding_window": true, "sliding_window": 64, "max_window_layers": 1, "rope_scaling":
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
            changed(json!({"model_type": "mistral", "sliding_window": 37, "tie_word_embeddings": false,
                "rope_scaling": {"type": "linear", "factor": 2.0}})),
        ),
        // The second layer does not rotate, and the scaling of cosines must not reach it.
        (
            "smollm3",
            changed(json!({"model_type": "smollm3", "no_rope_layer_interval": 2, "head_dim": null,
                "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}})),
        ),
        ("olmo2", changed(json!({"model_type": "olmo2", "tie_word_embeddings": false}))),
        (
            "qwen3_moe",
            changed(json!({"model_type": "qwen3_moe", "num_experts": 7, "num_experts_per_tok": 3,
                "moe_intermediate_size": 20, "norm_topk_prob": true})),
        ),
        // The first layer is plain, and the larger one.
        (
            "qwen3_moe with a plain layer",
            changed(json!({"model_type": "qwen3_moe", "num_experts": 5, "num_experts_per_tok": 1,
                "moe_intermediate_size": 12, "mlp_only_layers": [0], "tie_word_embeddings": false})),
        ),
        (
            "olmo3",
            changed(json!({"model_type": "olmo3", "sliding_window": 23, "layer_types":
                ["sliding_attention", "full_attention"], "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                "original_max_position_embeddings": 32}})),
        ),
        (
            "gemma3",
            changed(json!({"model_type": "gemma3_text", "sliding_window": 40, "sliding_window_pattern": 2,
                "query_pre_attn_scalar": 7, "rope_local_base_freq": 500.0})),
        ),
        // Four of the ten values of a head are not rotated.
        (
            "phi3",
            changed(json!({"model_type": "phi3", "partial_rotary_factor": 0.6, "sliding_window": 70,
                "original_max_position_embeddings": 300, "rope_scaling": {"type": "longrope",
                "short_factor": [1.0, 1.5, 3.0], "long_factor": [2.0, 4.0, 9.0]}})),
        ),
        ("phi3 with whole heads", changed(json!({"model_type": "phi3", "tie_word_embeddings": false}))),
        (
            "ministral3",
            changed(
                json!({"model_type": "ministral3", "sliding_window": null, "rope_parameters": {"rope_type": "yarn",
                "factor": 4.0, "original_max_position_embeddings": 300, "llama_4_scaling_beta": 0.1, "mscale": 1.0,
                "mscale_all_dim": 1.0, "rope_theta": 1e6}}),
            ),
        ),
        // Heads that are no whole vectors, and one query head for each key head; two of the ten values of a head rotate.
        (
            "qwen3_5",
            changed(json!({"model_type": "qwen3_5_text", "num_hidden_layers": 3, "layer_types":
                ["linear_attention", "full_attention", "linear_attention"], "linear_num_key_heads": 2,
                "linear_num_value_heads": 2, "linear_key_head_dim": 10, "linear_value_head_dim": 10,
                "linear_conv_kernel_dim": 3})),
        ),
        // Groups of value heads, of another width than key heads.
        (
            "qwen3_5 with groups",
            changed(json!({"model_type": "qwen3_5_text", "num_hidden_layers": 2, "full_attention_interval": 2,
                "linear_num_key_heads": 2, "linear_num_value_heads": 6, "linear_key_head_dim": 16,
                "linear_value_head_dim": 32, "attention_bias": true, "tie_word_embeddings": false,
                "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "partial_rotary_factor": 0.6,
                "mrope_section": [1, 1, 1], "mrope_interleaved": true}})),
        ),
        (
            "lfm2",
            changed(
                json!({"model_type": "lfm2", "num_hidden_layers": 3, "full_attn_idxs": [1], "block_multiple_of": 4}),
            ),
        ),
        (
            "lfm2 with biases",
            changed(
                json!({"model_type": "lfm2", "layer_types": ["conv", "full_attention"], "conv_L_cache": 4, "conv_bias": true,
                "block_auto_adjust_ff_dim": false, "tie_embedding": false}),
            ),
        ),
        (
            "qwen3_5_moe",
            changed(json!({"model_type": "qwen3_5_moe_text", "num_hidden_layers": 2, "full_attention_interval": 2,
                "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 10,
                "linear_value_head_dim": 10, "linear_conv_kernel_dim": 4, "num_experts": 7, "num_experts_per_tok": 3,
                "moe_intermediate_size": 20, "shared_expert_intermediate_size": 36, "tie_word_embeddings": false})),
        ),
    ]
}

/// Formats of weights that are computed: that of a file is one of them where no weight is quantised.
pub(crate) const FORMATS: [WeightFormat; 4] =
    [WeightFormat::F32, WeightFormat::Bf16, WeightFormat::Int8, WeightFormat::Int4];

/// Returns one family, one with experts, one with joint projections, one with delta networks, one with convolutions and one with a shared expert in every weight format, and every
/// family in one of them.
pub(crate) fn family_models() -> Vec<(String, WeightFormat, Value)> {
    let (whole, others): (Vec<_>, Vec<_>) = family_configs()
        .into_iter()
        .partition(|(name, _)| matches!(*name, "qwen3" | "qwen3_moe" | "phi3" | "qwen3_5" | "lfm2" | "qwen3_5_moe"));
    let in_every = |model: (&'static str, Value)| FORMATS.map(|format| (model.clone(), format));
    let formats = whole.into_iter().flat_map(in_every);
    let families = others.into_iter().zip(FORMATS.into_iter().cycle());
    let name = |((family, config), format)| (format!("{family}, {format}"), format, config);
    formats.chain(families).map(name).collect()
}

/// Returns whether a configuration is that of a family with experts.
pub(crate) fn has_experts(config: &Value) -> bool {
    config["model_type"] == "qwen3_moe" || config["model_type"] == "qwen3_5_moe_text"
}

/// Returns the models whose parameters can all be trained.
pub(crate) fn trainable_models() -> impl Iterator<Item = (String, WeightFormat, Value)> {
    family_models().into_iter().filter(|(_, _, config)| !has_experts(config))
}

/// Returns the logits of all tokens of a prompt, row after row.
pub(crate) fn prompt_logits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>, adapter: Option<&Adapter>) -> Vec<f32> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), 64);
    let (sequence, adapter) = (decoder.add_sequence(), adapter.cloned().map(Arc::new));
    let tokens = tokens(24, base.config.vocab_size, 3);
    let row = |position: usize| BatchRow {
        token: tokens[position],
        position,
        sequence,
        adapter: adapter.as_ref(),
        want_logits: true,
    };
    let found = decoder.forward(&(0..tokens.len()).map(row).collect::<Vec<_>>()).unwrap();
    (0..found.rows()).flat_map(|row| found.row(row).to_vec()).collect()
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
    let options = LoraOptions { rank, alpha: 2.0 * rank as f32 + 1.0, ..config.lora_options() };
    random_adapter_of(config, &options, seed)
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

/// Returns the FNV-1a hash in hexadecimal digits.
fn fnv1a(bytes: impl Iterator<Item = u8>) -> String {
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}
