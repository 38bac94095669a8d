//! Models and adapters for tests and benchmarks: configurations, names and shapes of tensors, random weights.
//!
//! Functions panic on invalid input: their callers are tests.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};

use crate::config::{HeadNorms, ModelConfig, NormPlacement};
use crate::lora::{Adapter, LoraOptions, PeftFiles};

/// Returns a configuration without dimensions that are multiples of sixteen; pairs of query heads share a key head.
pub fn odd_config() -> Value {
    json!({
        "model_type": "qwen3", "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 10, "intermediate_size": 40, "vocab_size": 77,
        "max_position_embeddings": 512, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": true,
    })
}

/// Returns names and shapes of a model's tensors.
pub fn tensor_shapes(config: &ModelConfig) -> Vec<(String, Vec<usize>)> {
    let ModelConfig { hidden_size: hidden, head_dim, intermediate_size: inner, vocab_size, .. } = *config;
    let (query, kv) = (config.heads * head_dim, config.kv_heads * head_dim);
    let mut shapes = vec![
        ("model.embed_tokens.weight".to_owned(), vec![vocab_size, hidden]),
        (config.family.name_of("model.norm.weight").to_owned(), vec![hidden]),
    ];
    if !config.tie_word_embeddings {
        shapes.push(("lm_head.weight".to_owned(), vec![vocab_size, hidden]));
    }
    for layer in 0..config.layers {
        let (query_norm, key_norm) = match config.head_norms {
            HeadNorms::None => (None, None),
            HeadNorms::Each => (Some(head_dim), Some(head_dim)),
            HeadNorms::All => (Some(query), Some(kv)),
        };
        let (before, after) =
            (config.norm_placement != NormPlacement::After, config.norm_placement != NormPlacement::Before);
        let has_attention = config.attention_layers.contains(&layer);
        let delta = config.delta.as_ref().filter(|_| !has_attention);
        let convolution = config.convolution.filter(|_| !has_attention);
        let norms = [
            ("input_layernorm", before.then_some(hidden)),
            ("post_attention_layernorm", Some(hidden)),
            ("pre_feedforward_layernorm", (before && after).then_some(hidden)),
            ("post_feedforward_layernorm", after.then_some(hidden)),
            ("self_attn.q_norm", query_norm.filter(|_| has_attention)),
            ("self_attn.k_norm", key_norm.filter(|_| has_attention)),
            ("linear_attn.norm", delta.map(|delta| delta.value_dim)),
        ];
        for (name, width) in norms.into_iter().filter_map(|(name, width)| Some((name, width?))) {
            let name = config.family.name_of(name);
            shapes.push((format!("model.layers.{layer}.{name}.weight"), vec![width]));
        }
        let mut matrices = Vec::new();
        if let Some(convolution) = convolution {
            matrices.push(("conv.in_proj".to_owned(), 3 * hidden, hidden, convolution.bias));
            matrices.push(("conv.out_proj".to_owned(), hidden, hidden, convolution.bias));
            let prefix = format!("model.layers.{layer}.conv.conv");
            shapes.push((format!("{prefix}.weight"), vec![hidden, 1, convolution.taps]));
            if convolution.bias {
                shapes.push((format!("{prefix}.bias"), vec![hidden]));
            }
        } else if let Some(delta) = delta {
            let (keys, values) = (delta.key_heads * delta.key_dim, delta.value_heads * delta.value_dim);
            for (name, output) in
                [("qkv", 2 * keys + values), ("z", values), ("b", delta.value_heads), ("a", delta.value_heads)]
            {
                matrices.push((format!("linear_attn.in_proj_{name}"), output, hidden, false));
            }
            matrices.push(("linear_attn.out_proj".to_owned(), hidden, values, false));
            let prefix = format!("model.layers.{layer}.linear_attn");
            shapes.push((format!("{prefix}.conv1d.weight"), vec![2 * keys + values, 1, delta.convolution]));
            shapes.push((format!("{prefix}.A_log"), vec![delta.value_heads]));
            shapes.push((format!("{prefix}.dt_bias"), vec![delta.value_heads]));
        } else {
            let heads = match config.joint_projections {
                true => vec![("qkv", query + 2 * kv)],
                false => vec![("q", if config.output_gate { 2 * query } else { query }), ("k", kv), ("v", kv)],
            };
            for (name, output) in heads {
                matrices.push((format!("self_attn.{name}_proj"), output, hidden, config.query_key_value_bias));
            }
            matrices.push(("self_attn.o_proj".to_owned(), hidden, query, config.attention_output_bias));
        }
        let mut feed_forward = |prefix: String, inner: usize| {
            let gate_up = match config.joint_projections {
                true => vec![("gate_up", 2 * inner)],
                false => vec![("gate", inner), ("up", inner)],
            };
            for (name, output) in gate_up {
                matrices.push((format!("{prefix}.{name}_proj"), output, hidden, config.mlp_bias));
            }
            matrices.push((format!("{prefix}.down_proj"), hidden, inner, config.mlp_bias));
        };
        match config.experts_of(layer) {
            None => feed_forward("mlp".into(), inner),
            Some(experts) => {
                (0..experts.count).for_each(|e| feed_forward(format!("mlp.experts.{e}"), experts.intermediate_size));
                if experts.has_shared {
                    feed_forward("mlp.shared_expert".into(), inner);
                    matrices.push(("mlp.shared_expert_gate".into(), 1, hidden, false));
                }
                matrices.push(("mlp.gate".into(), experts.count, hidden, false));
            }
        }
        for (name, output, input, bias) in matrices {
            let own = ["self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"].into_iter();
            let own = own.filter(|usual| *usual == name).map(|usual| config.family.name_of(usual)).next();
            let name = own.unwrap_or(&name);
            shapes.push((format!("model.layers.{layer}.{name}.weight"), vec![output, input]));
            if bias {
                shapes.push((format!("model.layers.{layer}.{name}.bias"), vec![output]));
            }
        }
    }
    shapes
}

/// Returns llama.cpp's name of a tensor.
pub fn ggml_name(name: &str, config: &ModelConfig) -> String {
    crate::files::ggml_name(name, config).unwrap()
}

/// Returns a deterministic sequence of values in [-1, 1).
pub fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

/// Returns 64 pseudo-random bits for each element: SplitMix64 of a counter, keyed by the name's FNV-1a hash.
pub fn formula(name: &str, count: usize) -> impl Iterator<Item = u64> + use<> {
    let key = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (1..=count as u64).map(move |i| {
        let mut z = key.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// Returns a tensor whose elements are exact in every element type.
pub fn values(name: &str, count: usize) -> Vec<f32> {
    let norm = name.ends_with("norm.weight");
    let value = |bits: u64| if norm { 0.5 + (bits >> 57) as f32 / 128.0 } else { (bits >> 56) as f32 / 256.0 - 0.5 };
    formula(name, count).map(value).collect()
}

/// Returns tensors as a safetensors file.
pub fn safetensors_file(tensors: &[(String, Vec<usize>, Vec<f32>)]) -> Vec<u8> {
    let bytes: Vec<Vec<u8>> =
        tensors.iter().map(|(_, _, values)| values.iter().flat_map(|x| x.to_le_bytes()).collect()).collect();
    let views = tensors
        .iter()
        .zip(&bytes)
        .map(|((name, shape, _), bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    safetensors::serialize(views, None).unwrap()
}

/// Returns PEFT's files of an adapter whose factors are derived from their names, times `scale`.
pub fn adapter_files(name: &str, config: &ModelConfig, rank: usize, alpha: f32, scale: f32) -> PeftFiles {
    let options = LoraOptions { rank, alpha, ..config.lora_options() };
    let mut files = Adapter::new(config, &options, 1).to_peft(name, config);
    let zeros = SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
    let tensors: Vec<_> = zeros
        .tensors()
        .into_iter()
        .map(|(tensor, view)| {
            let mut factor = values(&format!("{name}/{tensor}"), view.shape().iter().product());
            factor.iter_mut().for_each(|x| *x *= scale);
            (tensor, view.shape().to_vec(), factor)
        })
        .collect();
    files.adapter_model_safetensors = safetensors_file(&tensors);
    files
}

/// Returns a safetensors file of random bf16 weights for `config`: norms are 1, all others within ±0.025.
pub fn random_weights(config: &ModelConfig) -> Vec<u8> {
    let mut noise = noise(1);
    let tensors: Vec<(String, Vec<usize>, Vec<u8>)> = tensor_shapes(config)
        .into_iter()
        .map(|(name, shape)| {
            let (norm, count) = (name.ends_with("norm.weight"), shape.iter().product());
            let value = |_| if norm { 1.0 } else { 0.025 * noise() };
            let bytes = (0..count).map(value).flat_map(|value: f32| ((value.to_bits() >> 16) as u16).to_le_bytes());
            (name, shape, bytes.collect())
        })
        .collect();
    let views = tensors.iter().map(|(name, shape, bytes)| {
        (name, TensorView::new(Dtype::BF16, shape.clone(), bytes).expect("a tensor of this shape"))
    });
    safetensors::serialize(views, None).expect("a file")
}
