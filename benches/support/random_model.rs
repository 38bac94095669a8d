//! A base model with random weights, for measuring: only the shape matters.

use safetensors::{Dtype, tensor::TensorView};
use trainyard::engine::ModelConfig;

/// A Qwen3 of 107 million parameters with tied embeddings.
pub const SHAPE_107M: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "num_key_value_heads": 4, "head_dim": 64,
    "intermediate_size": 2304, "vocab_size": 32000, "max_position_embeddings": 16384, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;

/// A Qwen3 of 54 million parameters with tied embeddings.
#[allow(dead_code)] // not every bench measures it
pub const SHAPE_54M: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 512, "num_hidden_layers": 12, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64,
    "intermediate_size": 1536, "vocab_size": 32000, "max_position_embeddings": 16384, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;

/// A small one, to see that a bench works.
pub const SHAPE_TINY: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
    "intermediate_size": 96, "vocab_size": 512, "max_position_embeddings": 16384, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;

/// A safetensors file of random bf16 weights for `config`.
pub fn random_weights(config: &str) -> Vec<u8> {
    let config = ModelConfig::from_json(config).expect("a configuration");
    let (hidden, inner) = (config.hidden_size, config.intermediate_size);
    let (query, kv) = (config.heads * config.head_dim, config.kv_heads * config.head_dim);
    let mut shapes = vec![
        ("model.embed_tokens".to_owned(), vec![config.vocab_size, hidden]),
        ("model.norm".to_owned(), vec![hidden]),
    ];
    for layer in 0..config.layers {
        for (name, shape) in [
            ("input_layernorm", vec![hidden]),
            ("post_attention_layernorm", vec![hidden]),
            ("self_attn.q_norm", vec![config.head_dim]),
            ("self_attn.k_norm", vec![config.head_dim]),
            ("self_attn.q_proj", vec![query, hidden]),
            ("self_attn.k_proj", vec![kv, hidden]),
            ("self_attn.v_proj", vec![kv, hidden]),
            ("self_attn.o_proj", vec![hidden, query]),
            ("mlp.gate_proj", vec![inner, hidden]),
            ("mlp.up_proj", vec![inner, hidden]),
            ("mlp.down_proj", vec![hidden, inner]),
        ] {
            shapes.push((format!("model.layers.{layer}.{name}"), shape));
        }
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let tensors: Vec<_> = shapes
        .into_iter()
        .map(|(name, shape)| {
            let (norm, count) = (shape.len() == 1, shape.iter().product::<usize>());
            let mut bytes = Vec::with_capacity(2 * count);
            for _ in 0..count {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let noise = ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 0.05;
                let value = if norm { 1.0 } else { noise };
                bytes.extend(((value.to_bits() >> 16) as u16).to_le_bytes());
            }
            (format!("{name}.weight"), shape, bytes)
        })
        .collect();
    let views = tensors.iter().map(|(name, shape, bytes)| {
        (name, TensorView::new(Dtype::BF16, shape.clone(), bytes).expect("a tensor of this shape"))
    });
    safetensors::serialize(views, None).expect("a file")
}
