use serde_json::{Value, json};
use trainyard_gguf::testing::Writer;

use super::*;
use crate::config::{ModelConfig, RopeScaling};

/// Returns a file of an architecture with the keys that every file has: 6 layers, and as many tensors.
fn file(architecture: &str) -> Writer {
    let key = |key: &str| format!("{architecture}.{key}");
    let mut file = Writer::new(architecture)
        .number(&key("context_length"), 2048)
        .number(&key("embedding_length"), 48)
        .number(&key("block_count"), 6)
        .number(&key("feed_forward_length"), 80)
        .number(&key("attention.head_count"), 4)
        .number(&key("attention.head_count_kv"), 2)
        .float(&key("attention.layer_norm_rms_epsilon"), 1e-5)
        .float(&key("rope.freq_base"), 500_000.0)
        .values("token_embd.weight", &[70, 48], &[0.0; 70 * 48]);
    for layer in 0..6 {
        file = file.values(&format!("blk.{layer}.attn_norm.weight"), &[48], &[1.0; 48]);
    }
    file
}

/// Returns the `config.json` of such a model, with changes.
fn config(model_type: &str, changes: Value) -> Value {
    let mut config = json!({
        "model_type": model_type, "max_position_embeddings": 2048, "hidden_size": 48, "num_hidden_layers": 6,
        "intermediate_size": 80, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 12, "rms_norm_eps": 1e-5,
        "rope_theta": 500_000.0, "vocab_size": 70, "tie_word_embeddings": true, "sliding_window": null,
    });
    config.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    config
}

fn parsed(file: &Writer) -> ModelConfig {
    let made = gguf_config(&[&file.bytes()]).unwrap();
    ModelConfig::from_json(&made.to_string()).unwrap_or_else(|error| panic!("{error}: {made}"))
}

/// Returns a file of a model with delta networks in two of three layers.
fn delta_networks(groups: u32) -> Writer {
    delta_networks_of("qwen35", groups)
}

fn delta_networks_of(architecture: &str, groups: u32) -> Writer {
    let key = |key: &str| format!("{architecture}.{key}");
    file(architecture)
        .number(&key("full_attention_interval"), 3)
        .number(&key("ssm.conv_kernel"), 3)
        .number(&key("ssm.state_size"), 8)
        .number(&key("ssm.group_count"), groups)
        .number(&key("ssm.time_step_rank"), 2)
        .number(&key("ssm.inner_size"), 16)
        .number(&key("rope.dimension_count"), 4)
        .integers(&key("rope.dimension_sections"), &[1, 1, 0, 0])
}

#[test]
fn layers_that_predict_later_tokens_are_left_out() {
    let plain = parsed(&delta_networks(1));
    let flags = [true, true, false, true, true, false];
    assert_eq!(parsed(&delta_networks(1).flags("qwen35.attention.recurrent_layers", &flags)), plain);
    let five = parsed(&delta_networks(1).number("qwen35.nextn_predict_layers", 1));
    assert_eq!((five.layers, five.attention_layers), (5, vec![2]));
    let error = gguf_config(&[&file("qwen3").number("qwen3.nextn_predict_layers", 1).bytes()]).unwrap_err().to_string();
    assert!(error.starts_with("qwen3.nextn_predict_layers = 1 "), "{error}");
}

#[test]
fn each_family_is_that_of_its_config_json() {
    let head = |file: Writer| file.values("output.weight", &[70, 48], &[0.0; 70 * 48]);
    let olmo3 = [true, true, false, true, true, false];
    let kinds = olmo3.map(|slides| if slides { "sliding_attention" } else { "full_attention" });
    let cases = [
        (head(file("llama")), config("llama", json!({ "tie_word_embeddings": false }))),
        (
            file("llama").number("llama.attention.sliding_window", 64).number("llama.rope.dimension_count", 12),
            config("mistral", json!({ "sliding_window": 64 })),
        ),
        (
            file("llama").text("llama.rope.scaling.type", "linear").float("llama.rope.scaling.factor", 4.0),
            config("llama", json!({ "rope_scaling": { "rope_type": "linear", "factor": 4.0 } })),
        ),
        (file("qwen2"), config("qwen2", json!({}))),
        (
            delta_networks(1),
            config(
                "qwen3_5_text",
                json!({ "full_attention_interval": 3, "linear_conv_kernel_dim": 3,
                "linear_num_key_heads": 1, "linear_num_value_heads": 2, "linear_key_head_dim": 8,
                "linear_value_head_dim": 8, "partial_rotary_factor": 0.34 }),
            ),
        ),
        (
            file("qwen2")
                .text("qwen2.rope.scaling.type", "yarn")
                .float("qwen2.rope.scaling.factor", 4.0)
                .number("qwen2.rope.scaling.original_context_length", 512),
            config(
                "qwen2",
                json!({ "rope_scaling":
                { "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 512 } }),
            ),
        ),
        (
            file("qwen3").number("qwen3.attention.key_length", 16).number("qwen3.attention.value_length", 16),
            config("qwen3", json!({ "head_dim": 16 })),
        ),
        (
            file("qwen3moe")
                .number("qwen3moe.expert_count", 8)
                .number("qwen3moe.expert_used_count", 2)
                .number("qwen3moe.expert_feed_forward_length", 20),
            config(
                "qwen3_moe",
                json!({ "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
                "norm_topk_prob": true }),
            ),
        ),
        (file("smollm3"), config("smollm3", json!({}))),
        (
            delta_networks_of("qwen35moe", 1)
                .without("qwen35moe.feed_forward_length")
                .number("qwen35moe.expert_shared_feed_forward_length", 40)
                .number("qwen35moe.expert_count", 8)
                .number("qwen35moe.expert_used_count", 2)
                .number("qwen35moe.expert_feed_forward_length", 20),
            config(
                "qwen3_5_moe_text",
                json!({ "full_attention_interval": 3, "linear_conv_kernel_dim": 3,
                "linear_num_key_heads": 1, "linear_num_value_heads": 2, "linear_key_head_dim": 8,
                "linear_value_head_dim": 8, "partial_rotary_factor": 0.34, "num_experts": 8,
                "num_experts_per_tok": 2, "moe_intermediate_size": 20, "shared_expert_intermediate_size": 40 }),
            ),
        ),
        (
            file("lfm2")
                .without("lfm2.attention.head_count_kv")
                .integers("lfm2.attention.head_count_kv", &[0, 2, 0, 2, 2, 0])
                .number("lfm2.shortconv.l_cache", 4),
            config(
                "lfm2",
                json!({ "layer_types": ["conv", "full_attention", "conv", "full_attention", "full_attention", "conv"],
                "conv_L_cache": 4, "block_auto_adjust_ff_dim": false, "norm_eps": 1e-5 }),
            ),
        ),
        (
            file("lfm2").number("lfm2.shortconv.l_cache", 4),
            config(
                "lfm2",
                json!({ "intermediate_size": 7, "block_ff_dim": 120, "block_multiple_of": 16, "norm_eps": 1e-5 }),
            ),
        ),
        (file("olmo2"), config("olmo2", json!({}))),
        (
            file("olmo2")
                .number("olmo2.attention.sliding_window", 64)
                .flags("olmo2.attention.sliding_window_pattern", &olmo3),
            config("olmo3", json!({ "sliding_window": 64, "layer_types": kinds, "rope_local_base_freq": 500_000.0 })),
        ),
        (
            file("gemma3")
                .number("gemma3.attention.sliding_window", 64)
                .number("gemma3.attention.key_length", 16)
                .float("gemma3.rope.freq_base", 1e6)
                .text("gemma3.rope.scaling.type", "linear")
                .float("gemma3.rope.scaling.factor", 8.0),
            config(
                "gemma3_text",
                json!({ "sliding_window": 64, "head_dim": 16, "query_pre_attn_scalar": 16,
                "rope_theta": 1e6, "rope_scaling": { "rope_type": "linear", "factor": 8.0 } }),
            ),
        ),
        (
            file("phi3").number("phi3.rope.dimension_count", 12).number("phi3.attention.sliding_window", 64),
            config("phi3", json!({ "sliding_window": 64 })),
        ),
        (
            file("phi3")
                .number("phi3.rope.dimension_count", 8)
                .number("phi3.attention.sliding_window", 0)
                .number("phi3.rope.scaling.original_context_length", 256)
                .float("phi3.rope.scaling.attn_factor", 1.25)
                .values("rope_factors_short.weight", &[4], &[1.0, 1.5, 2.0, 4.0])
                .values("rope_factors_long.weight", &[4], &[2.0, 3.0, 4.0, 8.0]),
            config(
                "phi3",
                json!({ "partial_rotary_factor": 0.7, "original_max_position_embeddings": 256,
                "rope_scaling": { "type": "longrope", "short_factor": [1.0, 1.5, 2.0, 4.0],
                                  "long_factor": [2.0, 3.0, 4.0, 8.0], "attention_factor": 1.25 } }),
            ),
        ),
    ];
    for (file, config) in cases {
        let expected = ModelConfig::from_json(&config.to_string()).unwrap();
        assert_eq!(parsed(&file), expected, "{config}");
    }
}

/// llama.cpp's converter computes the factors of Llama 3 from the fields of `config.json`.
#[test]
fn factors_of_llama_3_give_its_frequencies() {
    let scaling = json!({ "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                          "original_max_position_embeddings": 8192 });
    let config = config("llama", json!({ "rope_scaling": scaling, "head_dim": 128 }));
    let expected = ModelConfig::from_json(&config.to_string()).unwrap();
    let plain = crate::config::Rope { theta: 500_000.0, scaling: RopeScaling::None };
    let (scaled, plain) = (expected.rope.frequencies(128), plain.frequencies(128));
    let factors: Vec<f32> = plain.iter().zip(&scaled).map(|(plain, scaled)| plain / scaled).collect();
    assert!(factors[0] == 1.0 && factors[63] == 8.0);
    let file = file("llama").number("llama.attention.key_length", 128).values("rope_freqs.weight", &[64], &factors);
    let found = parsed(&file);
    assert_eq!(ModelConfig { rope: expected.rope.clone(), ..found.clone() }, expected);
    for (found, expected) in found.rope.frequencies(128).iter().zip(&scaled) {
        assert!(found.to_bits().abs_diff(expected.to_bits()) <= 2, "{found} {expected}");
    }
    assert_eq!(found.rope.attention_factor(), 1.0);
}

#[test]
fn what_llama_cpp_has_in_its_code_is_here() {
    let gemma = file("gemma3").number("gemma3.attention.sliding_window", 64);
    let config = parsed(&gemma);
    assert_eq!(config.sliding_window.unwrap().full_layers, [5]);
    assert_eq!(config.local_rope.unwrap().theta, 10_000.0);
    let pattern = gemma.clone().number("gemma3.attention.sliding_window_pattern", 2);
    assert_eq!(parsed(&pattern).sliding_window.unwrap().full_layers, [1, 3, 5]);
    assert_eq!(parsed(&file("gemma3")).sliding_window, None);
    let base = gemma.float("gemma3.rope.freq_base_swa", 20_000.0);
    assert_eq!(parsed(&base).local_rope.unwrap().theta, 20_000.0);
    assert_eq!(parsed(&file("smollm3")).layers_without_rope, [3]);
}

#[test]
fn parts_of_a_head_are_whole_numbers_again() {
    for rotated in (2..=128).step_by(2) {
        let file = file("phi3").number("phi3.attention.key_length", 128).number("phi3.rope.dimension_count", rotated);
        assert_eq!(parsed(&file).rotated_dim, rotated as usize);
    }
}

#[test]
fn tensors_of_later_files_count() {
    let first = file("qwen3").short("split.no", 0).short("split.count", 2);
    let later = Writer::default().short("split.no", 1).values("output.weight", &[70, 48], &[0.0; 70 * 48]);
    let made = gguf_config(&[&first.bytes(), &later.bytes()]).unwrap();
    assert_eq!(made["tie_word_embeddings"], false);
}

#[test]
fn models_that_are_not_computed_are_rejected_by_key() {
    let message = |file: Writer| match gguf_config(&[&file.bytes()]) {
        Err(error) => error.to_string(),
        Ok(made) => panic!("{made}"),
    };
    for (file, expected) in [
        (
            Writer::new("mamba"),
            "general.architecture is \"mamba\"; the architectures that are computed are llama, qwen2",
        ),
        (file("llama").without("general.architecture"), "general.architecture is \"\""),
        (file("llama").without("llama.block_count"), "the metadata has no llama.block_count"),
        (file("llama").without("llama.attention.layer_norm_rms_epsilon"), "no llama.attention.layer_norm_rms_epsilon"),
        (
            file("llama").number("llama.block_count", u32::MAX),
            "llama.block_count = 4294967295 is not supported: the file",
        ),
        (file("llama").text("llama.block_count", "6"), "llama.block_count is \"6\", not a whole number"),
        (file("llama").integers("llama.attention.head_count", &[4, 8]), "llama.attention.head_count = a list"),
        (
            file("lfm2")
                .without("lfm2.attention.head_count_kv")
                .integers("lfm2.attention.head_count_kv", &[0, 2, 0, 4, 2, 0]),
            "lfm2.attention.head_count_kv = [0, 2, 0, 4, 2, 0]",
        ),
        (file("lfm2").number("lfm2.attention.sliding_window", 9), "lfm2.attention.sliding_window = 9"),
        (file("lfm2"), "no lfm2.shortconv.l_cache"),
        (file("llama").number("llama.expert_count", 8), "llama.expert_count = 8"),
        (file("llama").number("llama.rope.dimension_count", 6), "llama.rope.dimension_count = 6"),
        (file("llama").number("llama.attention.value_length", 6), "llama.attention.value_length = 6"),
        (file("llama").float("llama.residual_scale", 0.5), "llama.residual_scale = 0.5"),
        (file("llama").flag("llama.attention.causal", false), "llama.attention.causal = false"),
        (file("llama").text("llama.rope.scaling.type", "su"), "llama.rope.scaling.type = su"),
        (file("llama").text("llama.rope.scaling.type", "longrope"), "tensor rope_factors_short.weight is missing"),
        (file("llama").tensor("rope_freqs.weight", &[6], 1, vec![0; 12]), "tensor rope_freqs.weight is no list of F32"),
        (
            file("llama").tensor("rope_freqs.weight", &[1 << 40], 0, vec![]),
            "tensor rope_freqs.weight is no list of F32",
        ),
        (
            file("gemma3")
                .number("gemma3.attention.sliding_window", 9)
                .flags("gemma3.attention.sliding_window_pattern", &[true]),
            "gemma3.attention.sliding_window_pattern = [true]",
        ),
        (file("gemma3").float("gemma3.final_logit_softcapping", 30.0), "gemma3.final_logit_softcapping = 30"),
    ] {
        let found = message(file);
        assert!(found.contains(expected), "{found}");
    }
    assert!(gguf_config(&[]).is_err());
    assert!(matches!(gguf_config(&[b"GGUF"]), Err(GgufConfigError::Header(_))));
    // A list of the same number for each layer is that number.
    assert_eq!(parsed(&file("llama").integers("llama.attention.head_count", &[4; 6])).heads, 4);
    let granite = file("llama").float("llama.residual_scale", 1.0);
    assert_eq!(parsed(&granite), parsed(&file("llama")));
}
