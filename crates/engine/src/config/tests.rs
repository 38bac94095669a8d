//! Tests of accepted and rejected `config.json` files.

use super::*;
use serde_json::json;

fn base() -> serde_json::Value {
    json!({
        "model_type": "qwen3", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 96, "vocab_size": 100,
        "max_position_embeddings": 128, "rms_norm_eps": 1e-6, "tie_word_embeddings": true, "rope_scaling": null,
        "sliding_window": null, "layer_types": ["full_attention", "full_attention"], "attention_bias": false,
    })
}

fn read(json: &serde_json::Value) -> ModelConfig {
    ModelConfig::from_json(&json.to_string()).unwrap()
}

#[test]
fn reads_both_places_of_rope_theta() {
    let mut json = base();
    json["rope_theta"] = 5e5.into();
    assert_eq!(read(&json).rope_theta, 5e5);
    let mut json = base();
    json["rope_parameters"] = json!({"rope_theta": 1e6, "rope_type": "default"});
    let config = read(&json);
    assert_eq!((config.rope_theta, config.heads, config.kv_heads), (1e6, 4, 2));
}

/// Defaults of the configuration classes of transformers 5.23.
#[test]
fn absent_fields_have_the_defaults_of_the_family() {
    let sizes = |config: &ModelConfig| {
        let ModelConfig { hidden_size, layers, heads, kv_heads, head_dim, intermediate_size, vocab_size, .. } = *config;
        [hidden_size, layers, heads, kv_heads, head_dim, intermediate_size, vocab_size, config.max_position_embeddings]
    };
    for (family, expected) in [
        ("llama", [4096, 32, 32, 32, 128, 11008, 32_000, 2048]),
        // Limited by the default window.
        ("mistral", [4096, 32, 32, 8, 128, 14336, 32_000, 4096]),
        ("qwen2", [4096, 32, 32, 32, 128, 22016, 151_936, 32_768]),
        ("qwen3", [4096, 32, 32, 32, 128, 22016, 151_936, 32_768]),
    ] {
        let config = read(&json!({ "model_type": family }));
        assert_eq!(sizes(&config), expected, "{family}");
        assert_eq!((config.rms_norm_eps, config.rope_theta, config.tie_word_embeddings), (1e-6, 1e4, false));
        assert_eq!(config.family.model_type(), family);
        let config = read(&json!({"model_type": family, "num_attention_heads": 16, "num_key_value_heads": null}));
        assert_eq!(config.kv_heads, 16, "{family}");
        assert_eq!(config.head_dim, if family == "qwen3" { 128 } else { 256 }, "{family}");
    }
}

#[test]
fn biases_and_norms_are_those_of_the_family() {
    let parts = |family: &str, attention_bias: bool, mlp_bias: bool| {
        let mut json = base();
        json["model_type"] = family.into();
        json["attention_bias"] = attention_bias.into();
        json["mlp_bias"] = mlp_bias.into();
        let config = read(&json);
        (config.query_key_value_bias, config.attention_output_bias, config.mlp_bias, config.head_norms)
    };
    for (attention, mlp) in [(false, false), (true, false), (false, true), (true, true)] {
        assert_eq!(parts("llama", attention, mlp), (attention, attention, mlp, false));
        assert_eq!(parts("mistral", attention, mlp), (false, false, false, false));
        assert_eq!(parts("qwen2", attention, mlp), (true, false, false, false));
        assert_eq!(parts("qwen3", attention, mlp), (attention, attention, false, true));
    }
}

#[test]
fn a_sliding_window_limits_the_context() {
    let limit = |window: serde_json::Value| {
        let mut json = base();
        json["model_type"] = "mistral".into();
        json["sliding_window"] = window;
        let config = read(&json);
        (config.max_position_embeddings, config.sliding_window)
    };
    assert_eq!(limit(serde_json::Value::Null), (128, None));
    assert_eq!(limit(64.into()), (64, Some(64)));
    assert_eq!(limit(4096.into()), (128, Some(4096)));
    // Present, but not used: disabled, or for layers after the last.
    let mut json = base();
    json["sliding_window"] = 64.into();
    assert_eq!(read(&json).max_position_embeddings, 128);
    json["layer_types"] = serde_json::Value::Null;
    json["use_sliding_window"] = true.into();
    assert_eq!(read(&json).max_position_embeddings, 128);
}

#[test]
fn refuses_by_name_what_it_does_not_implement() {
    for (field, value) in [
        ("model_type", json!("gemma")),
        ("use_sliding_window", true.into()),
        ("hidden_act", "gelu".into()),
        ("rope_scaling", json!({"rope_type": "longrope", "factor": 4.0})),
        ("rope_parameters", json!({"rope_type": "longrope", "rope_theta": 1e6})),
        ("partial_rotary_factor", 0.5.into()),
        ("quantization_config", json!({"bits": 4})),
        ("layer_types", json!(["sliding_attention"])),
        ("num_key_value_heads", 3.into()),
        ("head_dim", 15.into()),
        ("vocab_size", 0.into()),
        ("hidden_size", (1u64 << 40).into()),
        ("max_position_embeddings", (1u64 << 40).into()),
        ("rms_norm_eps", 0.into()),
    ] {
        let mut json = base();
        if field == "use_sliding_window" {
            // The layers' kinds would take precedence.
            json["layer_types"] = serde_json::Value::Null;
            (json["sliding_window"], json["max_window_layers"]) = (64.into(), 1.into());
        }
        json[field] = value;
        let error = ModelConfig::from_json(&json.to_string()).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
    }
    for (field, value) in [
        ("hidden_size", json!("64")),
        ("num_key_value_heads", json!(-1)),
        ("rms_norm_eps", json!("small")),
        ("tie_word_embeddings", json!(1)),
        ("hidden_act", json!(["silu"])),
        ("rope_theta", json!("1e6")),
    ] {
        let mut json = base();
        json[field] = value.clone();
        let error = ModelConfig::from_json(&json.to_string()).unwrap_err().to_string();
        assert!(error.contains(&format!("{field} = {value}")), "{error}");
    }
    assert!(ModelConfig::from_json("[]").unwrap_err().to_string().contains("object"));
    assert!(ModelConfig::from_json("{}").unwrap_err().to_string().contains("model_type"));
    let error = ModelConfig::from_json(r#"{"model_type": "mistral", "sliding_window": 0}"#).unwrap_err().to_string();
    assert!(error.contains("sliding_window = 0"), "{error}");
    let uneven = r#"{"model_type": "llama", "hidden_size": 65, "num_attention_heads": 4}"#;
    let error = ModelConfig::from_json(uneven).unwrap_err().to_string();
    assert!(error.contains("hidden_size = 65"), "{error}");
}

#[test]
fn a_mixture_of_experts_has_a_shape_and_is_not_computed() {
    let mut json = base();
    json["model_type"] = "qwen3_moe".into();
    json["num_experts"] = 4.into();
    json["moe_intermediate_size"] = 32.into();
    let error = ModelConfig::from_json(&json.to_string()).unwrap_err().to_string();
    assert!(error.contains("qwen3_moe") && error.contains("others may"), "{error}");
    let config = ModelConfig::from_json_of_others(&json.to_string()).unwrap();
    assert_eq!((config.heads, config.kv_heads, config.head_dim, config.vocab_size), (4, 2, 16, 100));
    assert_eq!(config.targets(), TargetModules::ATTENTION);
    let adapter = crate::Adapter::new(&config, &crate::LoraOptions::of_model(&config), 1);
    let files = adapter.to_peft("moe", &config);
    let parse = |weights: &[u8]| crate::Adapter::from_peft(&config, &files.adapter_config_json, weights);
    assert_eq!(parse(&files.adapter_model_safetensors).unwrap(), adapter);
    // A dense model of the same shape has projections that this one lacks.
    let dense = read(&base());
    let other = crate::Adapter::new(&dense, &crate::LoraOptions::default(), 1).to_peft("dense", &dense);
    let error = crate::Adapter::from_peft(&config, &other.adapter_config_json, &other.adapter_model_safetensors);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("mlp.down_proj") && error.contains("q_proj, k_proj, v_proj, o_proj"), "{error}");
}

#[test]
fn quantized_weights_are_left_to_others() {
    let mut json = base();
    json["quantization_config"] = json!({ "quant_method": "fp8" });
    assert!(ModelConfig::from_json(&json.to_string()).unwrap_err().to_string().contains("quantization_config"));
    assert_eq!(ModelConfig::from_json_of_others(&json.to_string()).unwrap(), read(&base()));
}
