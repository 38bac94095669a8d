//! Tests of accepted and rejected `config.json` files.

use serde_json::json;

use super::*;
use crate::lora::{Adapter, LoraOptions};

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
fn reads_both_positions_of_rope_theta() {
    let mut json = base();
    json["rope_theta"] = 5e5.into();
    assert_eq!(read(&json).rope.theta, 5e5);
    let mut json = base();
    json["rope_parameters"] = json!({"rope_theta": 1e6, "rope_type": "default"});
    let config = read(&json);
    assert_eq!((config.rope.theta, config.heads, config.kv_heads), (1e6, 4, 2));
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
        ("mistral", [4096, 32, 32, 8, 128, 14336, 32_000, 131_072]),
        ("ministral3", [4096, 34, 32, 8, 128, 14336, 131_072, 262_144]),
        ("qwen2", [4096, 32, 32, 32, 128, 22016, 151_936, 32_768]),
        ("qwen3", [4096, 32, 32, 32, 128, 22016, 151_936, 32_768]),
        ("qwen3_moe", [2048, 24, 32, 4, 64, 6144, 151_936, 32_768]),
        ("smollm3", [2048, 36, 16, 4, 128, 11008, 128_256, 32_768]),
        ("olmo2", [4096, 32, 32, 32, 128, 11008, 50_304, 2048]),
        ("olmo3", [4096, 32, 32, 32, 128, 11008, 50_304, 2048]),
        ("gemma3_text", [2304, 26, 8, 4, 256, 9216, 262_208, 131_072]),
        ("phi3", [3072, 32, 32, 32, 96, 8192, 32_064, 4096]),
        ("qwen3_5_text", [4096, 32, 16, 4, 256, 12288, 248_320, 32_768]),
    ] {
        let rope = (family == "ministral3").then(|| json!({ "rope_type": "default" }));
        let config = read(&json!({ "model_type": family, "rope_parameters": rope }));
        assert_eq!(sizes(&config), expected, "{family}");
        let (theta, tied) = match family {
            "smollm3" => (2e6, true),
            "olmo3" => (5e5, false),
            "gemma3_text" => (1e6, true),
            "ministral3" => (1e6, false),
            _ => (1e4, false),
        };
        let eps = if ["olmo2", "olmo3", "phi3", "ministral3"].contains(&family) { 1e-5 } else { 1e-6 };
        assert_eq!((config.rms_norm_eps, config.rope.theta, config.tie_word_embeddings), (eps, theta, tied));
        assert_eq!(config.family.model_type(), family);
        let config = read(&json!({"model_type": family, "num_attention_heads": 8, "num_key_value_heads": null,
            "rope_parameters": rope}));
        assert_eq!(config.kv_heads, 8, "{family}");
        let head_dim = match family {
            "qwen3" | "ministral3" => 128,
            "gemma3_text" | "qwen3_5_text" => 256,
            _ => config.hidden_size / 8,
        };
        assert_eq!(config.head_dim, head_dim, "{family}");
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
        let norms = (config.head_norms, config.norm_placement);
        (config.query_key_value_bias, config.attention_output_bias, config.mlp_bias, norms)
    };
    let plain = (HeadNorms::None, NormPlacement::Before);
    for (attention, mlp) in [(false, false), (true, false), (false, true), (true, true)] {
        assert_eq!(parts("llama", attention, mlp), (attention, attention, mlp, plain));
        assert_eq!(parts("mistral", attention, mlp), (false, false, false, plain));
        assert_eq!(parts("qwen2", attention, mlp), (true, false, false, plain));
        assert_eq!(parts("phi3", attention, mlp), (false, false, false, plain));
        let each = (HeadNorms::Each, NormPlacement::Before);
        assert_eq!(parts("qwen3", attention, mlp), (attention, attention, false, each));
        assert_eq!(parts("qwen3_moe", attention, mlp), (attention, attention, false, each));
        assert_eq!(parts("smollm3", attention, mlp), (attention, attention, mlp, plain));
        let all = (HeadNorms::All, NormPlacement::After);
        assert_eq!(parts("olmo2", attention, mlp), (attention, attention, false, all));
        assert_eq!(parts("olmo3", attention, mlp), (attention, attention, false, all));
        let both = (HeadNorms::Each, NormPlacement::Both);
        assert_eq!(parts("gemma3_text", attention, mlp), (attention, attention, false, both));
    }
}

#[test]
fn sliding_windows_are_those_of_the_configuration_class() {
    let window = |family: &str, changes: serde_json::Value| {
        let mut json = json!({"model_type": family, "num_hidden_layers": 5, "max_position_embeddings": 128});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let config = ModelConfig::from_json(&json.to_string()).map_err(|error| error.to_string())?;
        assert_eq!(config.max_position_embeddings, 128);
        Ok::<_, String>(config.sliding_window.map(|window| (window.tokens, window.full_layers)))
    };
    let of = |family: &str, changes| window(family, changes).unwrap();
    let all = |tokens| Some((tokens, vec![]));
    assert_eq!(of("mistral", json!({})), all(4096));
    assert_eq!(of("mistral", json!({"sliding_window": 64})), all(64));
    assert_eq!(of("mistral", json!({"sliding_window": null})), None);
    assert_eq!(of("phi3", json!({})), None);
    assert_eq!(of("phi3", json!({"sliding_window": 64})), all(64));
    assert_eq!(of("llama", json!({"sliding_window": 64, "use_sliding_window": true})), None);
    let used = |more: serde_json::Value| {
        let mut changes = json!({"sliding_window": 64, "use_sliding_window": true});
        changes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        changes
    };
    let listed = json!({"layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention"]});
    for family in ["qwen2", "qwen3"] {
        assert_eq!(of(family, json!({"sliding_window": 64, "max_window_layers": 1})), None);
        assert_eq!(of(family, used(json!({}))), None, "layers after the twenty-eighth have one");
        assert_eq!(of(family, used(json!({"max_window_layers": 3}))), Some((64, vec![0, 1, 2])));
        assert_eq!(of(family, json!({"use_sliding_window": true, "max_window_layers": 0})), all(4096));
        assert_eq!(of(family, used(listed.clone())), Some((64, vec![1, 3])));
        assert!(window(family, listed.clone()).unwrap_err().contains("layer_types"));
    }
    assert_eq!(of("qwen3_moe", json!({"sliding_window": 64})), None);
    assert_eq!(of("qwen3_moe", used(json!({"max_window_layers": 3}))), all(64));
    assert_eq!(of("olmo3", json!({})), Some((4096, vec![3])));
    assert_eq!(of("olmo3", listed.clone()), Some((4096, vec![1, 3])));
    assert_eq!(of("gemma3_text", json!({"sliding_window": 64})), Some((64, vec![])));
    assert_eq!(of("gemma3_text", json!({"sliding_window": 64, "sliding_window_pattern": 2})), Some((64, vec![1, 3])));
    // Layers without rotation have it.
    assert_eq!(of("smollm3", used(json!({}))), Some((64, vec![0, 1, 2, 4])));
    assert_eq!(of("smollm3", used(listed.clone())), Some((64, vec![1, 3])));
    assert_eq!(of("smollm3", json!({"use_sliding_window": true})), None);
    assert_eq!(of("smollm3", json!({"sliding_window": 64})), None);
    for (family, changes) in [
        ("mistral", json!({"sliding_window": 0})),
        ("mistral", listed.clone()),
        ("olmo3", json!({"layer_types": listed["layer_types"], "sliding_window": null})),
        ("qwen3", json!({"layer_types": ["full_attention"]})),
        ("qwen3", used(json!({"layer_types": vec!["chunked_attention"; 5]}))),
    ] {
        let field = if changes.get("layer_types").is_some() { "layer_types" } else { "sliding_window" };
        let error = window(family, changes).unwrap_err();
        assert!(error.contains(&format!("{field} = ")), "{error}");
    }
}

#[test]
fn layers_without_rope_are_listed_or_every_fourth() {
    let without = |changes: serde_json::Value| {
        let mut json = json!({"model_type": "smollm3", "num_hidden_layers": 9});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        ModelConfig::from_json(&json.to_string()).map(|config| config.layers_without_rope)
    };
    assert_eq!(without(json!({})).unwrap(), [3, 7]);
    assert_eq!(without(json!({"no_rope_layers": null, "no_rope_layer_interval": 3})).unwrap(), [2, 5, 8]);
    // The list takes precedence, and may be longer.
    let listed = json!({"no_rope_layers": [0, 1, 1, 1, 1, 1, 1, 1, 0, 0], "no_rope_layer_interval": 3});
    assert_eq!(without(listed).unwrap(), [0, 8]);
    for (field, value) in [
        ("no_rope_layers", json!([1, 1, 0])),
        ("no_rope_layers", json!([1, 1, 0, 1, 1, 1, 1, 1, 2])),
        ("no_rope_layer_interval", json!(0)),
    ] {
        let error = without(json!({ field: value })).unwrap_err().to_string();
        assert!(error.contains(&format!("{field} = {value}")), "{error}");
    }
    // Other families have none of this.
    let mut llama = base();
    (llama["model_type"], llama["no_rope_layers"]) = ("llama".into(), json!([0, 0]));
    assert!(read(&llama).layers_without_rope.is_empty());
}

#[test]
fn constants_of_gemma_are_those_of_the_configuration_class() {
    let read = |changes: serde_json::Value| {
        let mut json = json!({"model_type": "gemma3_text", "num_hidden_layers": 7, "hidden_act": "silu"});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        ModelConfig::from_json(&json.to_string())
    };
    let config = read(json!({"hidden_activation": "gelu_pytorch_tanh"})).unwrap();
    assert_eq!((config.activation, config.norm_offset, config.embedding_scale), (Activation::GeluTanh, 1.0, 48.0));
    assert_eq!(config.query_scale, 1.0 / 16.0);
    assert_eq!(config.local_rope.map(|rope| rope.theta), Some(1e4));
    let config = read(json!({"query_pre_attn_scalar": 64, "rope_local_base_freq": 1e6})).unwrap();
    assert_eq!((config.query_scale, config.local_rope), (1.0 / 8.0, None));
    for (field, value) in [
        ("hidden_activation", json!("gelu")),
        ("attn_logit_softcapping", json!(50.0)),
        ("final_logit_softcapping", json!(30.0)),
        ("use_bidirectional_attention", json!(true)),
        ("query_pre_attn_scalar", json!(0)),
        ("sliding_window_pattern", json!(0)),
    ] {
        let error = read(json!({ field: value })).unwrap_err().to_string();
        assert!(error.contains(&format!("{field} = ")), "{error}");
    }
    let others = json!({"model_type": "gemma3_text", "final_logit_softcapping": 30.0, "hidden_activation": "gelu"});
    ModelConfig::from_json_of_others(&others.to_string()).unwrap();
}

#[test]
fn delta_networks_are_those_of_the_configuration_class() {
    let with = |changes: serde_json::Value| {
        let mut json = json!({"model_type": "qwen3_5_text", "num_hidden_layers": 6});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        ModelConfig::from_json(&json.to_string())
    };
    let delta = |changes| with(changes).unwrap().delta.unwrap();
    let default = DeltaConfig { key_heads: 16, value_heads: 32, key_dim: 128, value_dim: 128, convolution: 4 };
    assert_eq!(delta(json!({"layer_types": null})), default);
    assert_eq!(with(json!({})).unwrap().attention_layers, [3]);
    assert_eq!(with(json!({"full_attention_interval": 2})).unwrap().attention_layers, [1, 3, 5]);
    let [full, linear] = ["full_attention", "linear_attention"];
    let listed = json!({"layer_types": [linear, full, linear, linear, full, full], "linear_num_key_heads": 3,
        "linear_num_value_heads": 9, "linear_key_head_dim": 16, "linear_value_head_dim": 48, "linear_conv_kernel_dim": 8});
    let read = delta(listed.clone());
    assert_eq!((read.key_heads, read.value_heads, read.key_dim, read.value_dim), (3, 9, 16, 48));
    assert_eq!((read.mixed(), read.values()), (2 * 48 + 432, 432));
    let config = with(listed).unwrap();
    assert_eq!((read.convolution, &config.attention_layers[..]), (8, &[1, 4, 5][..]));
    assert_eq!((0..6).map(|layer| config.index_in_kind(layer)).collect::<Vec<_>>(), [0, 0, 1, 2, 1, 2]);
    assert_eq!(with(json!({"layer_types": vec![full; 6]})).unwrap().delta, None);
    assert_eq!((config.rotated_dim, config.output_gate, config.norm_offset), (64, true, 1.0));
    for (field, value) in [
        ("layer_types", json!(vec![linear; 6])),
        ("layer_types", json!([full, linear])),
        ("layer_types", json!([full, linear, "sliding_attention", full, full, full])),
        ("full_attention_interval", 0.into()),
        ("linear_num_key_heads", 5.into()),
        ("linear_num_value_heads", 0.into()),
        ("linear_value_head_dim", 120.into()),
        ("linear_conv_kernel_dim", 1.into()),
        ("linear_conv_kernel_dim", 9.into()),
        ("attn_output_gate", false.into()),
        ("partial_rotary_factor", 1.5.into()),
    ] {
        let error = with(json!({ field: value })).unwrap_err().to_string();
        let field = if field == "linear_num_key_heads" { "linear_num_value_heads" } else { field };
        assert!(error.contains(&format!("{field} = ")) || error.contains("layer_types"), "{error}");
    }
}

#[test]
fn short_convolutions_are_those_of_the_configuration_class() {
    let with = |changes: serde_json::Value| {
        let mut json = json!({"model_type": "lfm2", "num_hidden_layers": 4});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        ModelConfig::from_json(&json.to_string())
    };
    let config = with(json!({})).unwrap();
    assert_eq!(
        (config.convolution, config.layers_of(LayerKind::Attention)),
        (None, 4),
        "without a list, all have attention"
    );
    assert_eq!((config.rope.theta, config.rms_norm_eps, config.tie_word_embeddings), (1e6, 1e-5, true));
    let some =
        with(json!({"full_attn_idxs": [3, 1, 9], "norm_eps": 1e-3, "rms_norm_eps": 1e-2, "tie_embedding": false,
        "tie_word_embeddings": true, "conv_L_cache": 8, "conv_bias": true, "attention_bias": true}));
    let config = some.unwrap();
    assert_eq!(config.convolution, Some(ConvolutionConfig { taps: 8, bias: true }));
    assert_eq!(config.kinds().map(|kind| kind == LayerKind::Attention).collect::<Vec<_>>(), [false, true, false, true]);
    assert_eq!((0..4).map(|layer| config.index_in_kind(layer)).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!((config.rms_norm_eps, config.tie_word_embeddings, config.query_key_value_bias), (1e-3, false, false));
    let [full, conv] = ["full_attention", "conv"];
    let listed = with(json!({"layer_types": [conv, conv, full, conv], "full_attn_idxs": [0]})).unwrap();
    assert_eq!(listed.attention_layers, [2]);
    // The widths of LFM2 350M, 700M and 1.2B.
    for (width, expected) in [(6656, 4608), (10240, 6912), (12288, 8192)] {
        assert_eq!(with(json!({"block_ff_dim": width, "intermediate_size": 5})).unwrap().intermediate_size, expected);
    }
    for (changes, expected) in [
        (json!({}), 256),
        (json!({"block_auto_adjust_ff_dim": false}), 100),
        (json!({"block_ffn_dim_multiplier": null}), 66),
        (json!({"block_ffn_dim_multiplier": 1.5, "block_multiple_of": 4}), 100),
    ] {
        let mut json = json!({"intermediate_size": 100});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        assert_eq!(with(json).unwrap().intermediate_size, expected, "{changes}");
    }
    for (field, value) in [
        ("layer_types", json!([conv, conv, conv, conv])),
        ("layer_types", json!([full, conv])),
        ("layer_types", json!([full, "linear_attention", full, full])),
        ("full_attn_idxs", json!(["first"])),
        ("block_ff_dim", json!(0)),
        ("block_ff_dim", json!(1)),
        ("block_multiple_of", json!(0)),
        ("block_ffn_dim_multiplier", json!(-1.0)),
        ("block_ffn_dim_multiplier", json!(1e6)),
    ] {
        let error = with(json!({ field: value })).unwrap_err().to_string();
        let field = if value == json!(1) || value == json!(1e6) { "block_auto_adjust_ff_dim" } else { field };
        assert!(error.contains(&format!("{field} = ")), "{error}");
    }
    let none = with(json!({"full_attn_idxs": []})).unwrap_err().to_string();
    assert!(none.contains("at least one layer must have full_attention"), "{none}");
    for taps in [1, 9] {
        let error = with(json!({"full_attn_idxs": [0], "conv_L_cache": taps})).unwrap_err().to_string();
        assert!(error.contains(&format!("conv_L_cache = {taps}")), "{error}");
    }
}

#[test]
fn experts_are_those_of_the_configuration_class() {
    let with = |changes: serde_json::Value| {
        let mut json = json!({"model_type": "qwen3_moe", "num_hidden_layers": 6});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        ModelConfig::from_json(&json.to_string())
    };
    let experts = |changes| with(changes).unwrap().experts.unwrap();
    let default = ExpertConfig {
        count: 128,
        per_token: 8,
        intermediate_size: 768,
        normalises_weights: false,
        dense_layers: vec![],
        has_shared: false,
    };
    assert_eq!(experts(json!({"mlp_only_layers": null})), default);
    let all = json!({"num_local_experts": 16, "num_experts_per_tok": 16, "moe_intermediate_size": 5,
        "norm_topk_prob": true, "decoder_sparse_step": 2, "mlp_only_layers": [1, 90]});
    let read = experts(all);
    assert_eq!((read.count, read.per_token, read.intermediate_size, read.normalises_weights), (16, 16, 5, true));
    assert_eq!(read.dense_layers, [0, 1, 2, 4]);
    for none in
        [json!({"num_experts": 0}), json!({"decoder_sparse_step": 7}), json!({"mlp_only_layers": [0, 1, 2, 3, 4, 5]})]
    {
        assert_eq!(with(none).unwrap().experts, None);
    }
    let mut dense = base();
    dense["num_experts"] = 4.into();
    assert_eq!(self::read(&dense).experts, None, "other families ignore the field");
    // Those of Qwen3.5 are in every layer, beside a shared one.
    let qwen35 = json!({"model_type": "qwen3_5_moe_text", "norm_topk_prob": false, "mlp_only_layers": [0]});
    let qwen35 = ModelConfig::from_json(&qwen35.to_string()).unwrap();
    let beside =
        ExpertConfig { count: 256, intermediate_size: 512, normalises_weights: true, has_shared: true, ..default };
    assert_eq!((qwen35.experts, qwen35.intermediate_size), (Some(beside), 512));
    for (field, value) in [("num_experts", json!(0)), ("shared_expert_intermediate_size", json!(0))] {
        let json = json!({"model_type": "qwen3_5_moe_text", field: value});
        let error = ModelConfig::from_json(&json.to_string()).unwrap_err().to_string();
        assert!(error.contains(&format!("{field} = 0")), "{error}");
    }
    for (field, value) in [
        ("num_experts", json!(5000)),
        ("num_experts_per_tok", json!(0)),
        ("num_experts_per_tok", json!(129)),
        ("moe_intermediate_size", json!(0)),
        ("moe_intermediate_size", json!(1 << 18)),
        ("norm_topk_prob", json!(1)),
        ("decoder_sparse_step", json!(0)),
        ("mlp_only_layers", json!(["first"])),
        ("mlp_only_layers", json!(3)),
    ] {
        let error = with(json!({ field: value })).unwrap_err().to_string();
        assert!(error.contains(&format!("{field} = {value}")), "{error}");
    }
}

#[test]
fn phi_rotates_a_part_of_each_head() {
    let with = |changes: serde_json::Value| {
        let mut json = json!({"model_type": "phi3", "num_attention_heads": 24, "max_position_embeddings": 131_072});
        json.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        json
    };
    let read = |changes| ModelConfig::from_json(&with(changes).to_string());
    let plain = read(json!({})).unwrap();
    assert_eq!((plain.head_dim, plain.rotated_dim, plain.max_position_embeddings), (128, 128, 131_072));
    assert!(plain.joint_projections);
    let part = json!({"partial_rotary_factor": 0.75, "rope_scaling": null});
    assert_eq!(read(part).unwrap().rotated_dim, 96);
    // The factor among the parameters takes precedence.
    let inside = json!({"partial_rotary_factor": 1.0, "rope_parameters": {"partial_rotary_factor": 0.5}});
    assert_eq!(read(inside).unwrap().rotated_dim, 64);
    let scaled = |field: &str, value: serde_json::Value| {
        let mut scaling = json!({"type": "longrope", "short_factor": vec![1; 48], "long_factor": vec![2.5; 48],
            "original_max_position_embeddings": 9});
        scaling[field] = value;
        json!({"partial_rotary_factor": 0.75, "rope_scaling": scaling})
    };
    let whole = read(scaled("type", "longrope".into())).unwrap();
    let attention_factor = (1.0 + 32f64.ln() / 4096f64.ln()).sqrt();
    let scaling = RopeScaling::LongRope { short_factors: vec![1.0; 48], attention_factor, limit: 4096 };
    assert_eq!((&whole.rope.scaling, whole.max_position_embeddings), (&scaling, 4096));
    // Others compute longer sequences too.
    let others = ModelConfig::from_json_of_others(&with(scaled("type", "longrope".into())).to_string()).unwrap();
    assert_eq!((others.rope, others.max_position_embeddings), (whole.rope, 131_072));
    let RopeScaling::LongRope { attention_factor, .. } = read(scaled("factor", 64.into())).unwrap().rope.scaling else {
        panic!("another scaling")
    };
    assert_eq!(attention_factor, 1.5f64.sqrt());
    let RopeScaling::LongRope { attention_factor, .. } =
        read(scaled("attention_factor", 1.25.into())).unwrap().rope.scaling
    else {
        panic!("another scaling")
    };
    assert_eq!(attention_factor, 1.25);
    for (changes, named) in [
        (json!({"partial_rotary_factor": 1.5}), "partial_rotary_factor = 1.5"),
        (json!({"partial_rotary_factor": 0.01}), "partial_rotary_factor = 0.01"),
        (json!({"partial_rotary_factor": 0.605}), "partial_rotary_factor = 0.605"),
        (json!({"partial_rotary_factor": -1}), "partial_rotary_factor = -1"),
        (json!({"rope_scaling": {"type": "linear", "factor": 2}}), "rope_scaling.rope_type = \"linear\""),
        (json!({"rope_scaling": {"type": "su"}}), "rope_scaling.rope_type = \"su\""),
        (scaled("short_factor", json!(vec![1; 47])), "rope_scaling.short_factor"),
        (scaled("short_factor", json!(vec![0; 48])), "rope_scaling.short_factor"),
        (scaled("long_factor", serde_json::Value::Null), "rope_scaling.long_factor"),
        (scaled("attention_factor", 0.into()), "rope_scaling.attention_factor"),
    ] {
        let error = read(changes.clone()).unwrap_err().to_string();
        assert!(error.contains(named), "{changes}: {error}");
    }
}

#[test]
fn rejects_by_name_what_it_does_not_implement() {
    for (field, value) in [
        ("model_type", json!("gpt_neox")),
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
fn an_adapter_beside_experts_is_on_the_attention() {
    let mut json = base();
    json["model_type"] = "qwen3_moe".into();
    json["num_experts"] = 4.into();
    json["num_experts_per_tok"] = 2.into();
    json["moe_intermediate_size"] = 32.into();
    let config = read(&json);
    let adapter = Adapter::new(&config, &config.lora_options(), 1);
    let files = adapter.to_peft("moe", &config);
    let parse = |weights: &[u8]| Adapter::from_peft(&config, &files.adapter_config_json, weights);
    assert_eq!(parse(&files.adapter_model_safetensors).unwrap(), adapter);
    // A dense model of the same shape has projections that this one lacks.
    let dense = read(&base());
    let other = Adapter::new(&dense, &LoraOptions::default(), 1).to_peft("dense", &dense);
    let error = Adapter::from_peft(&config, &other.adapter_config_json, &other.adapter_model_safetensors);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("mlp.down_proj") && error.contains("q_proj, k_proj, v_proj, o_proj"), "{error}");
}

#[test]
fn quantised_weights_are_of_known_formats() {
    let quantised = |value: &serde_json::Value| {
        let mut json = base();
        json["quantization_config"] = value.clone();
        ModelConfig::from_json(&json.to_string())
    };
    // With one field of the group changed.
    let compressed = |field: &str, value: serde_json::Value| {
        let mut group = json!({"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group"}});
        match field.split_once('.') {
            Some((object, field)) => group[object][field] = value,
            None => group[field] = value,
        }
        json!({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0": group}})
    };
    for (packing, value) in [
        (Packing::Gptq { zeros_less_one: true }, json!({"quant_method": "gptq", "bits": 4, "group_size": 128})),
        (
            Packing::Gptq { zeros_less_one: false },
            json!({"quant_method": "gptq", "bits": 4, "checkpoint_format": "gptq_v2"}),
        ),
        (Packing::Awq, json!({"quant_method": "awq", "bits": 4, "version": "GEMM", "zero_point": true})),
        (Packing::PackQuantised { has_zeros: true }, compressed("weights.symmetric", json!(false))),
    ] {
        assert_eq!(quantised(&value).unwrap().quantisation, Some(Quantisation { packing, bits: 4 }), "{value}");
    }
    for (named, value) in [
        ("quant_method = null", json!({"bits": 4})),
        ("quant_method = \"fp8\"", json!({"quant_method": "fp8"})),
        ("bits = 3", json!({"quant_method": "gptq", "bits": 3})),
        ("bits = null", json!({"quant_method": "gptq"})),
        ("bits = 8", json!({"quant_method": "awq", "bits": 8})),
        ("checkpoint_format = \"marlin\"", json!({"quant_method": "gptq", "bits": 4, "checkpoint_format": "marlin"})),
        ("version = \"gemv\"", json!({"quant_method": "awq", "bits": 4, "version": "gemv"})),
        ("format = \"float-quantized\"", json!({"quant_method": "compressed-tensors", "format": "float-quantized"})),
        ("config_groups = null", json!({"quant_method": "compressed-tensors", "format": "pack-quantized"})),
        ("config_groups.group_0.weights.num_bits = 3", compressed("weights.num_bits", json!(3))),
        ("config_groups.group_0.weights.type = \"float\"", compressed("weights.type", json!("float"))),
        ("config_groups.group_0.weights.strategy = \"block\"", compressed("weights.strategy", json!("block"))),
        (
            "config_groups.group_0.input_activations = {\"num_bits\":8}",
            compressed("input_activations", json!({"num_bits": 8})),
        ),
    ] {
        let error = quantised(&value).unwrap_err().to_string();
        assert!(error.contains(&format!("quantization_config.{named}")), "{error}");
    }
}

#[test]
fn quantized_weights_are_left_to_others() {
    let mut json = base();
    json["quantization_config"] = json!({ "quant_method": "fp8" });
    assert!(ModelConfig::from_json(&json.to_string()).unwrap_err().to_string().contains("quantization_config"));
    assert_eq!(ModelConfig::from_json_of_others(&json.to_string()).unwrap(), read(&base()));
}
