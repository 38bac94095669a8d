//! Configurations of base models, for measuring: only the shape matters.

/// A Qwen3 of 107 million parameters with tied embeddings.
pub(crate) const SHAPE_107M: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "num_key_value_heads": 4, "head_dim": 64,
    "intermediate_size": 2304, "vocab_size": 32000, "max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;

/// A Qwen3 of 54 million parameters with tied embeddings.
#[allow(dead_code, reason = "not every bench measures it")]
pub(crate) const SHAPE_54M: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 512, "num_hidden_layers": 12, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64,
    "intermediate_size": 1536, "vocab_size": 32000, "max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;

/// The shape of Qwen3-0.6B.
#[allow(dead_code, reason = "not every bench measures it")]
pub(crate) const SHAPE_600M: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128,
    "intermediate_size": 3072, "vocab_size": 151936, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6,
    "rope_theta": 1000000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;

/// A small one, to see that a bench works.
pub(crate) const SHAPE_TINY: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": false,
    "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
    "intermediate_size": 96, "vocab_size": 512, "max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 2
}"#;
