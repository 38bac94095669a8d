//! Tests of the options of PEFT's `LoraConfig`: each is honoured, accepted with any value, or rejected by name.

use super::*;
use crate::lora::{AdapterError, PeftFiles};

struct Imported {
    config: ModelConfig,
    adapter: Adapter,
    files: PeftFiles,
}

impl Imported {
    /// Creates the files of an adapter on all projections.
    fn new() -> Self {
        let config = ModelConfig::from_json(&odd_config().to_string()).unwrap();
        let adapter = random_adapter(&config, 2, 1);
        let files = adapter.to_peft("some/model", &config);
        Self { config, adapter, files }
    }

    /// Reads the adapter with other options.
    fn with(&self, changes: Value) -> Result<Adapter, AdapterError> {
        let mut options: Value = serde_json::from_slice(&self.files.adapter_config_json).unwrap();
        for (option, value) in changes.as_object().unwrap() {
            options[option] = value.clone();
        }
        Adapter::from_peft(&self.config, options.to_string().as_bytes(), &self.files.adapter_model_safetensors)
    }

    fn accepts(&self, changes: Value) {
        match self.with(changes.clone()) {
            Ok(adapter) => assert_eq!(adapter, self.adapter, "{changes}"),
            Err(error) => panic!("{changes}: {error}"),
        }
    }

    /// Checks that an option is an error of the configuration, which the message names.
    fn rejects(&self, option: &str, changes: Value) {
        match self.with(changes.clone()) {
            Err(AdapterError::Config(problem)) => assert!(problem.starts_with(option), "{changes}: {problem}"),
            other => panic!("{changes}: {other:?}"),
        }
    }
}

/// The options of PEFT 0.21, with its defaults.
#[test]
fn the_defaults_of_peft_are_accepted() {
    Imported::new().accepts(json!({
        "alora_invocation_tokens": null, "alpha_pattern": {}, "arrow_config": null, "auto_mapping": null,
        "base_model_name_or_path": null, "bias": "none", "corda_config": null, "ensure_weight_tying": false,
        "eva_config": null, "exclude_modules": null, "fan_in_fan_out": false, "inference_mode": false,
        "init_lora_weights": true, "kasa_config": null, "layer_replication": null, "layers_pattern": null,
        "layers_to_transform": null, "loftq_config": {}, "lora_bias": false, "lora_dropout": 0.0,
        "lora_ga_config": null, "megatron_config": null, "megatron_core": "megatron.core", "modules_to_save": null,
        "monteclora_config": null, "peft_version": null, "qalora_group_size": 16, "rank_pattern": {}, "revision": null,
        "target_parameters": null, "task_type": null, "trainable_token_indices": null, "use_bdlora": null,
        "use_dora": false, "use_qalora": false, "velora_config": null,
    }));
}

#[test]
fn options_without_effect_have_any_value() {
    let imported = Imported::new();
    for (option, value) in [
        ("auto_mapping", json!({"base_model_class": "Qwen3ForCausalLM", "unsloth_fixed": true})),
        ("base_model_name_or_path", json!("/somewhere/else")),
        ("corda_config", json!({"corda_method": "kpm"})),
        ("ensure_weight_tying", json!(true)),
        ("eva_config", json!({"rho": 2.0})),
        ("inference_mode", json!(false)),
        ("init_lora_weights", json!(false)),
        ("init_lora_weights", json!("gaussian")),
        ("init_lora_weights", json!("orthogonal")),
        ("init_lora_weights", json!("eva")),
        ("init_lora_weights", json!("mica")),
        ("loftq_config", json!({"loftq_bits": 4})),
        ("lora_dropout", json!(0.1)),
        ("lora_ga_config", json!({"scale": "stable"})),
        ("megatron_core", json!("my.core")),
        ("merge_weights", json!(true)),
        ("peft_version", json!("0.99.0")),
        ("qalora_group_size", json!(32)),
        ("revision", json!("main")),
        ("runtime_config", json!({"ephemeral_gpu_offload": true})),
        ("task_type", json!("FEATURE_EXTRACTION")),
        ("velora_config", json!({"num_groups": 4})),
    ] {
        imported.accepts(json!({ option: value }));
    }
}

#[test]
fn options_that_change_the_result_are_rejected_by_name() {
    let imported = Imported::new();
    for (option, value) in [
        ("alora_invocation_tokens", json!([1, 2])),
        ("alpha_pattern", json!({"q_proj": 4})),
        ("arrow_config", json!({"top_k": 3})),
        ("bias", json!("all")),
        ("bias", json!("lora_only")),
        ("fan_in_fan_out", json!(true)),
        ("init_lora_weights", json!("pissa")),
        ("init_lora_weights", json!("pissa_niter_16")),
        ("init_lora_weights", json!("olora")),
        ("init_lora_weights", json!("corda")),
        ("init_lora_weights", json!("loftq")),
        ("init_lora_weights", json!("lora_ga")),
        ("init_lora_weights", json!("later")),
        ("kasa_config", json!({"beta": 1.0})),
        ("layer_replication", json!([[0, 1], [0, 2]])),
        ("lora_bias", json!(true)),
        ("megatron_config", json!({"hidden_size": 8})),
        ("modules_to_save", json!(["lm_head"])),
        ("monteclora_config", json!({"num_samples": 8})),
        ("peft_type", json!("LOHA")),
        ("peft_type", json!("ADALORA")),
        ("peft_type", Value::Null),
        ("rank_pattern", json!({"q_proj": 4})),
        ("target_parameters", json!(["mlp.experts.down_proj"])),
        ("trainable_token_indices", json!([0])),
        ("trainable_token_indices", json!({"embed_tokens": [0]})),
        ("use_bdlora", json!({"nblocks": 2})),
        ("use_dora", json!(true)),
        ("use_dora", json!("yes")),
        ("use_qalora", json!(true)),
        ("use_rslora", json!("yes")),
        ("r", Value::Null),
        ("r", json!(0)),
        ("r", json!("eight")),
        ("lora_alpha", Value::Null),
        ("lora_alpha", json!("big")),
        ("lora_alpha", json!(1e300)),
    ] {
        imported.rejects(option, json!({ option: value }));
    }
}

#[test]
fn unknown_options_may_only_be_off() {
    let imported = Imported::new();
    for value in [json!(null), json!(false), json!(""), json!([]), json!({})] {
        imported.accepts(json!({ "use_something_new": value }));
    }
    for value in [json!(true), json!("fast"), json!(2), json!([1]), json!({"a": 1})] {
        imported.rejects("use_something_new", json!({ "use_something_new": value }));
    }
}

#[test]
fn excluded_modules_have_no_tensors() {
    let imported = Imported::new();
    for excluded in [json!([]), json!(""), json!(["lm_head", "proj"]), json!("lm_head"), json!(".*[.]proj")] {
        imported.accepts(json!({ "exclude_modules": excluded }));
    }
    // `(?!…)` is Python's; most crates for regular expressions lack it.
    for excluded in [json!(["down_proj"]), json!("model.layers.1.*"), json!(r"model(?!.*q_proj).*")] {
        let error = imported.with(json!({ "exclude_modules": excluded })).unwrap_err().to_string();
        assert!(error.contains("lora_A") && error.contains("exclude_modules"), "{error}");
    }
    for unreadable in [json!("(*"), json!(7), json!([7]), json!("a".repeat(5000))] {
        imported.rejects("exclude_modules", json!({ "exclude_modules": unreadable }));
    }
    // A pattern that takes exponential time.
    imported.rejects("exclude_modules", json!({ "exclude_modules": r"(?:(?=.)(?:\w|[.]|\w)+)+!" }));
}

#[test]
fn target_patterns_decide() {
    let imported = Imported::new();
    for targets in [json!("ALL-LINEAR"), json!(r"model[.]layers[.]\d+[.](self_attn|mlp)[.]\w+_proj"), json!("(?=m).*")]
    {
        imported.accepts(json!({ "target_modules": targets }));
    }
    // Patterns match whole names.
    for targets in [json!("q_proj"), json!(r"(?!.*mlp).*"), json!(r".*[.]layers[.]0[.].*"), json!("")] {
        let error = imported.with(json!({ "target_modules": targets })).unwrap_err().to_string();
        assert!(error.contains("belongs to no module that target_modules names"), "{error}");
    }
    imported.rejects("target_modules", json!({ "target_modules": "(" }));
}

#[test]
fn layers_to_transform_are_those_with_tensors() {
    let imported = Imported::new();
    let layers: Vec<usize> = (0..imported.config.layers).collect();
    for layers in [json!(layers), json!([]), json!([-1, 0, 1, 2, 3, 4, 5, 6, 7])] {
        imported.accepts(json!({ "layers_to_transform": layers }));
    }
    for pattern in [json!("layers"), json!(["h", "layers"]), json!("model.layers"), json!(""), json!([])] {
        imported.accepts(json!({ "layers_to_transform": layers, "layers_pattern": pattern }));
    }
    for layers in [json!(0), json!([1])] {
        let error = imported.with(json!({ "layers_to_transform": layers })).unwrap_err().to_string();
        assert!(error.contains("layers_to_transform") && error.contains("lora_A"), "{error}");
    }
    imported.rejects("layers_pattern", json!({ "layers_to_transform": [0], "layers_pattern": "h" }));
    imported.rejects("layers_pattern", json!({ "layers_pattern": "layers" }));
    imported.rejects("layers_to_transform", json!({ "layers_to_transform": [0], "target_modules": ".*" }));
    imported.rejects("layers_to_transform", json!({ "layers_to_transform": "first" }));
    // A target with its whole name is one in any layer.
    let whole: Vec<String> = (0..imported.config.layers)
        .flat_map(|layer| imported.adapter.options().targets.names().map(move |name| (layer, name)))
        .map(|(layer, name)| {
            let block = if ["gate_proj", "up_proj", "down_proj"].contains(&name) { "mlp" } else { "self_attn" };
            format!("model.layers.{layer}.{block}.{name}")
        })
        .collect();
    imported.accepts(json!({ "target_modules": whole, "layers_to_transform": [0] }));
}

#[test]
fn a_configuration_is_an_object() {
    let imported = Imported::new();
    for text in ["", "null", "[]", "7", "{", "{\"peft_type\": \"LORA\""] {
        let read = Adapter::from_peft(&imported.config, text.as_bytes(), &imported.files.adapter_model_safetensors);
        assert!(matches!(read, Err(AdapterError::Config(_))), "{text}: {read:?}");
    }
}

#[test]
fn joint_projections_have_joint_adapters() {
    let (_, json) = family_configs().into_iter().find(|(name, _)| *name == "phi3").unwrap();
    let joint = ModelConfig::from_json(&json.to_string()).unwrap();
    let separate = ModelConfig::from_json(&odd_config().to_string()).unwrap();
    let options = LoraOptions { rank: 2, alpha: 4.0, ..joint.lora_options() };
    assert_eq!(options.targets.to_string(), "qkv_proj, o_proj, gate_up_proj, down_proj");
    let adapter = random_adapter_of(&joint, &options, 1);
    assert_eq!(adapter.parameters(), Adapter::parameters_of(&joint, &options));
    let files = adapter.to_peft("joint", &joint);
    let read = |config: &ModelConfig, files: &PeftFiles| {
        Adapter::from_peft(config, &files.adapter_config_json, &files.adapter_model_safetensors)
            .map_err(|error| error.to_string())
    };
    assert_eq!(read(&joint, &files).unwrap(), adapter);
    let tensors = safetensors::SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
    let shape = |name: &str| {
        let name = format!("base_model.model.model.layers.1.{name}.weight");
        tensors.tensor(&name).unwrap().shape().to_vec()
    };
    assert_eq!([shape("self_attn.qkv_proj.lora_A"), shape("self_attn.qkv_proj.lora_B")], [[2, 24], [80, 2]]);
    assert_eq!([shape("mlp.gate_up_proj.lora_A"), shape("mlp.gate_up_proj.lora_B")], [[2, 24], [80, 2]]);
    let other = random_adapter(&separate, 2, 1);
    assert!(!other.fits(&joint) && !adapter.fits(&separate));
    let error = read(&joint, &other.to_peft("separate", &separate)).unwrap_err();
    assert!(
        error.contains("proj.lora_") && error.contains("no qkv_proj, o_proj, gate_up_proj, down_proj of"),
        "{error}"
    );
    let error = read(&separate, &files).unwrap_err();
    assert!(
        error.contains("gate_up_proj.lora_A") && error.contains("no q_proj, k_proj, v_proj, o_proj, gate"),
        "{error}"
    );
}

#[test]
fn experts_have_no_adapters() {
    let (_, json) = family_configs().into_iter().find(|(name, _)| *name == "qwen3_moe").unwrap();
    let experts = ModelConfig::from_json(&json.to_string()).unwrap();
    let dense = ModelConfig::from_json(&odd_config().to_string()).unwrap();
    let options = LoraOptions::new(2, 4.0);
    let adapter = Adapter::new(&experts, &options, 1);
    assert_eq!(adapter.options().targets.to_string(), "q_proj, k_proj, v_proj, o_proj");
    assert_eq!(adapter.parameters(), Adapter::parameters_of(&experts, &options));
    let files = adapter.to_peft("moe", &experts);
    let read =
        |files: &PeftFiles| Adapter::from_peft(&experts, &files.adapter_config_json, &files.adapter_model_safetensors);
    assert_eq!(read(&files).unwrap(), adapter);
    let other = Adapter::new(&dense, &options, 1);
    assert!(!other.fits(&experts));
    let error = read(&other.to_peft("dense", &dense)).unwrap_err().to_string();
    assert!(error.contains("mlp.down_proj") && error.contains("no q_proj, k_proj, v_proj, o_proj of this"), "{error}");
    // PEFT's own adapters of experts.
    let config = String::from_utf8(files.adapter_config_json.clone()).unwrap();
    let config = config.replacen('{', r#"{"target_parameters": ["mlp.experts.down_proj"],"#, 1);
    let error = read(&PeftFiles { adapter_config_json: config.into(), ..files }).unwrap_err().to_string();
    assert!(error.contains("target_parameters"), "{error}");
}
