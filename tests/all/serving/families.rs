//! A directory of another family than the built-in model's is served, trained and served again as any model is.

use std::fs;
use std::path::Path;

use reqwest::Method;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};
use trainyard::server::{BaseModelOption, Service};

use crate::serving::random_models;
use crate::support::{Model, SEEDLING, TestService, base_model, event_types, row, settings, text};

/// Writes a random model that speaks with the built-in model's tokenizer and template.
fn write_model(directory: &Path, mut config: Value) {
    let seedling = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling");
    fs::create_dir(directory).expect("a new directory");
    for file in ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"] {
        fs::copy(seedling.join(file), directory.join(file)).expect("the built-in model's file");
    }
    config["vocab_size"] = 1536.into();
    let model = random_models::directory("served", &random_models::config(config), 7);
    fs::write(directory.join("config.json"), model.config_json).expect("config.json");
    fs::write(directory.join("model.safetensors"), model.weights).expect("the weights");
}

/// Runs one job to its end, which must be a good one, and returns its events.
async fn trained(service: &TestService, job: String) -> Vec<Value> {
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events).last(), Some(&"training_ended"), "{events:?}");
    events
}

#[tokio::test]
async fn other_families_are_served_and_trained() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let llama = json!({ "model_type": "llama", "attention_bias": true, "rope_scaling": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64 } });
    let qwen2 = json!({ "model_type": "qwen2", "num_key_value_heads": 1, "head_dim": 6, "tie_word_embeddings": false });
    let experts = json!({ "model_type": "qwen3_moe", "num_experts": 6, "num_experts_per_tok": 2,
        "moe_intermediate_size": 20, "norm_topk_prob": true });
    let gemma3 = json!({ "model_type": "gemma3_text", "hidden_activation": "gelu_pytorch_tanh",
        "query_pre_attn_scalar": 10, "sliding_window": 12, "sliding_window_pattern": 2 });
    let phi3 = json!({ "model_type": "phi3", "partial_rotary_factor": 0.6, "sliding_window": 12 });
    let qwen35 = json!({ "model_type": "qwen3_5_text", "num_hidden_layers": 3, "full_attention_interval": 3,
        "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 12, "linear_value_head_dim": 12,
        "linear_conv_kernel_dim": 4 });
    let qwen35_moe = json!({ "model_type": "qwen3_5_moe_text", "full_attention_interval": 2,
        "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 12, "linear_value_head_dim": 12,
        "linear_conv_kernel_dim": 4, "num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
        "shared_expert_intermediate_size": 28 });
    let lfm2 = json!({ "model_type": "lfm2", "num_hidden_layers": 3, "full_attn_idxs": [1], "conv_L_cache": 3,
        "conv_bias": false, "block_auto_adjust_ff_dim": false, "norm_eps": 1e-5 });
    let models = [
        ("tiny/llama", llama),
        ("tiny/qwen2", qwen2),
        ("tiny/qwen3-moe", experts),
        ("tiny/gemma3", gemma3),
        ("tiny/phi3", phi3),
        ("tiny/qwen3.5", qwen35),
        ("tiny/qwen3.5-moe", qwen35_moe),
        ("tiny/lfm2", lfm2),
    ];
    let bases = models.map(|(name, config)| {
        let path = directory.path().join(name.replace('/', "-"));
        write_model(&path, config);
        base_model(name, &path)
    });
    let service = TestService::start_with(|settings| settings.base_models.extend(bases.clone())).await;
    for BaseModelOption { name: base, .. } in &bases {
        let completion = service.chat(base, "hello", json!({ "max_tokens": 8, "temperature": 1, "seed": 3 })).await;
        assert!(completion["usage"]["completion_tokens"].as_u64().is_some_and(|count| count > 0), "{completion}");

        let body = json!({ "project": "tests", "name": base.replace('/', "-"), "base_model": base });
        let created = service.post("/v1/preview/models", &body).await.ok();
        let name = format!("wandb-artifact:///{}/tests/{}", text(&created["entity"]), text(&created["name"]));
        let model = Model { id: text(&created["id"]).to_owned(), name };
        let untrained = service.first_tokens(base, "red?").await;
        assert_eq!(service.first_tokens(&model.at(0), "red?").await, untrained, "an adapter begins as its base");

        let rows = [row("red?", "blue green"), row("up?", "down")];
        trained(&service, service.start_sft(&model, &rows, json!({ "learning_rate": 5e-3 })).await).await;
        let supervised = service.first_tokens(&model.name, "red?").await;
        assert_ne!(supervised, untrained, "{base} learned from rows");

        let groups = service.rollouts(&model.name, "red?", &[0.0, 0.25, 1.0, 0.5]).await;
        let job = service.start_rl(&model, json!([groups]), json!({ "learning_rate": 5e-3 })).await;
        let events = trained(&service, job).await;
        let step = events.iter().find(|event| event["type"] == "gradient_step").expect("a step");
        assert_eq!(step["data"]["logprob_mismatch/max_abs"], 0.0, "{base} scores what it sampled: {step}");
        assert_eq!(service.steps(&model).await, [0, 1, 2]);
        let reinforced = service.first_tokens(&model.name, "red?").await;
        assert_ne!(reinforced, supervised, "{base} learned from rewards");
        assert_eq!(service.first_tokens(&model.at(1), "red?").await, supervised, "the older checkpoint is as it was");
    }
}

/// Puts a model into one that reads images too, with the names of its files.
fn wrap(directory: &Path) {
    let path = |name: &str| directory.join(name);
    let text: Value = serde_json::from_slice(&fs::read(path("config.json")).expect("it was written")).expect("JSON");
    let whole = json!({ "model_type": "gemma3", "architectures": ["Gemma3ForConditionalGeneration"], "text_config": text,
                        "vision_config": { "model_type": "siglip_vision_model" } });
    fs::write(path("config.json"), whole.to_string()).expect("config.json");
    let file = fs::read(path("model.safetensors")).expect("it was written");
    let tensors = safetensors::SafeTensors::deserialize(&file).expect("a file").tensors();
    let vision = TensorView::new(safetensors::Dtype::F16, vec![2], &[0; 4]).expect("two values");
    let decoder = tensors.into_iter().map(|(name, view)| (format!("language_model.{name}"), view));
    let all = decoder.chain([("vision_tower.patch_embedding.weight".to_owned(), vision)]);
    fs::write(path("model.safetensors"), safetensors::serialize(all, None).expect("a file")).expect("the weights");
}

#[tokio::test]
async fn the_text_part_of_a_model_for_images_is_served_and_trained_as_the_decoder_alone() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let gemma3 = json!({ "model_type": "gemma3_text", "query_pre_attn_scalar": 10, "sliding_window": 12 });
    let bases = ["tiny/decoder", "tiny/vision"].map(|name| {
        let path = directory.path().join(name.replace('/', "-"));
        write_model(&path, gemma3.clone());
        base_model(name, &path)
    });
    wrap(&directory.path().join("tiny-vision"));
    let service = TestService::start_with(|settings| settings.base_models.extend(bases)).await;
    let image = json!([{ "type": "text", "text": "what?" }, { "type": "image_url", "image_url": { "url": "x" } }]);
    let body = json!({ "model": "tiny/vision", "messages": [{ "role": "user", "content": image }] });
    let error = service.post("/v1/chat/completions", &body).await.rejected(422);
    assert!(error.to_string().contains("content[1]") && error.to_string().contains("image_url"), "{error}");

    let (mut before, mut after, mut models) = (Vec::new(), Vec::new(), Vec::new());
    for base in ["tiny/decoder", "tiny/vision"] {
        before.push(service.first_tokens(base, "red?").await);
        let body = json!({ "project": "tests", "name": base.replace('/', "-"), "base_model": base });
        let created = service.post("/v1/preview/models", &body).await.ok();
        let name = format!("wandb-artifact:///{}/tests/{}", text(&created["entity"]), text(&created["name"]));
        let model = Model { id: text(&created["id"]).to_owned(), name };
        let rows = [row("red?", "blue green"), row("up?", "down")];
        trained(&service, service.start_sft(&model, &rows, json!({ "learning_rate": 5e-3 })).await).await;
        after.push(service.first_tokens(&model.name, "red?").await);
        models.push(model);
    }
    assert_eq!((&before[0], &after[0]), (&before[1], &after[1]), "the same bits before and after training");
    assert_ne!(before[0], after[0]);

    // Adapters of either go to the model for images, and its own have the names that other programs look for.
    let mut files = Vec::new();
    for model in &models {
        let path = format!("/v1/preview/models/{}/checkpoints/1/files", model.id);
        let request = |name: &str| service.request(Method::GET, &format!("{path}/{name}"));
        let config = request("adapter_config.json").send().await.expect("an answer").json().await.expect("JSON");
        let weights = request("adapter_model.safetensors").send().await.expect("an answer");
        files.push((config, weights.bytes().await.expect("a file")));
    }
    let names: Vec<String> = safetensors::SafeTensors::deserialize(&files[1].1)
        .expect("a file")
        .names()
        .into_iter()
        .map(str::to_owned)
        .collect();
    assert!(names.iter().all(|name| name.starts_with("base_model.model.model.language_model.layers.")), "{names:?}");
    for (config, weights) in files {
        let file = service.upload("user_data", "adapter_model.safetensors", weights).await;
        let config: Value = config;
        let body = json!({ "type": "import", "adapter_config": config, "weights_file_id": file });
        service.post(&format!("/v1/preview/models/{}/add-checkpoint", models[1].id), &body).await.ok();
        assert_eq!(service.first_tokens(&models[1].name, "red?").await, after[1]);
    }
}

#[tokio::test]
async fn experts_have_no_adapters_and_are_not_trained_as_a_whole() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("model");
    let config = json!({ "model_type": "qwen3_moe", "num_experts": 6, "num_experts_per_tok": 2,
        "moe_intermediate_size": 20 });
    write_model(&path, config);
    let service = TestService::start_with(|settings| settings.base_models.push(base_model("tiny/moe", &path))).await;
    let create = |name: &str, option: &str, value: Value| {
        let mut body = json!({ "project": "tests", "name": name, "base_model": "tiny/moe" });
        body[option] = value;
        body
    };
    for (option, value, param, named) in [
        ("lora", json!({ "target_modules": ["q_proj", "down_proj"] }), "lora.target_modules", "no down_proj that"),
        ("training_method", json!("full"), "training_method", "experts"),
    ] {
        let error = service.post("/v1/preview/models", &create("refused", option, value)).await.rejected(422);
        assert_eq!(error["param"], param);
        assert!(text(&error["message"]).contains(named), "{error}");
    }
    let all = json!(["q_proj", "k_proj", "v_proj", "o_proj"]);
    for (name, lora) in [("default", json!({})), ("all", json!({ "target_modules": "all-linear" }))] {
        let created = service.post("/v1/preview/models", &create(name, "lora", lora.clone())).await.ok();
        assert_eq!(created["lora"]["target_modules"], all, "{created}");
        let mut again = create(name, "lora", lora);
        again["return_existing"] = true.into();
        service.post("/v1/preview/models", &again).await.ok();
    }
}

#[tokio::test]
async fn modules_of_joint_projections_are_targets() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("model");
    write_model(&path, json!({ "model_type": "phi3" }));
    let service = TestService::start_with(|settings| settings.base_models.push(base_model("tiny/phi", &path))).await;
    let create = |name: &str, base: &str, targets: Value| {
        let lora = json!({ "target_modules": targets });
        json!({ "project": "tests", "name": name, "base_model": base, "lora": lora })
    };
    for (base, targets, named) in [
        (
            "tiny/phi",
            ["q_proj", "up_proj", "o_proj"],
            "no q_proj, up_proj that can have an adapter; its target modules are qkv_proj,",
        ),
        (SEEDLING, ["q_proj", "qkv_proj", "o_proj"], "no qkv_proj that"),
    ] {
        let error = service.post("/v1/preview/models", &create("refused", base, json!(targets))).await.rejected(422);
        assert_eq!(error["param"], "lora.target_modules");
        assert!(text(&error["message"]).contains(named), "{error}");
    }
    for (name, targets, found) in [
        ("all", json!("all-linear"), json!(["qkv_proj", "o_proj", "gate_up_proj", "down_proj"])),
        ("some", json!(["o_proj", "qkv_proj"]), json!(["qkv_proj", "o_proj"])),
    ] {
        let created = service.post("/v1/preview/models", &create(name, "tiny/phi", targets)).await.ok();
        assert_eq!(created["lora"]["target_modules"], found, "{created}");
    }
}

#[tokio::test]
async fn a_directory_that_cannot_be_served_is_rejected_by_field() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (field, value) in [
        ("hidden_act", json!("gelu")),
        ("rope_scaling", json!({ "rope_type": "longrope", "factor": 4.0 })),
        ("model_type", json!("gpt2")),
    ] {
        let path = directory.path().join(field);
        write_model(&path, json!({ "model_type": "llama" }));
        let mut config: Value =
            serde_json::from_slice(&fs::read(path.join("config.json")).expect("config.json")).expect("JSON");
        config[field] = value;
        fs::write(path.join("config.json"), config.to_string()).expect("config.json");
        let message = rejection("tiny/other", &path).await;
        assert!(message.contains("tiny/other") && message.contains(field), "{message}");
    }
}

#[tokio::test]
async fn a_model_that_computes_no_finite_logits_is_rejected_by_name() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let yarn = json!({ "rope_type": "yarn", "factor": 4.0, "attention_factor": 1e30,
                       "original_max_position_embeddings": 64 });
    for (name, rope_scaling) in [("yarn", yarn), ("linear", json!({ "rope_type": "linear", "factor": 1e-300 }))] {
        let path = directory.path().join(name);
        write_model(&path, json!({ "rope_scaling": rope_scaling }));
        let message = rejection("tiny/hostile", &path).await;
        assert!(message.contains("tiny/hostile") && message.contains("logits"), "{message}");
    }
}

/// The error, with its causes, of a service that is opened with a base model.
async fn rejection(name: &str, directory: &Path) -> String {
    let data = tempfile::tempdir().expect("a temporary directory");
    let mut settings = settings(&data);
    settings.base_models.push(base_model(name, directory));
    let Err(error) = Service::open(&settings, &mut |_, _, _| {}).await else {
        panic!("{} was accepted", directory.display());
    };
    with_causes(&error)
}

/// An error with all its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    message
}
