//! Checkpoints that leave the service, and those that come to it.

use std::io::Read;

use reqwest::Method;
use serde_json::{Value, json};
use trainyard::client::{Download, connect};

use crate::support::{Model, TestService, adapter_of_rank, answer, row, seedling_adapter, text};

const ADAPTER: [&str; 2] = ["adapter_config.json", "adapter_model.safetensors"];

async fn bytes_of(mut download: Download) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = download.chunk().await.expect("a chunk") {
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

/// A model with one trained step.
async fn trained(service: &TestService, name: &str) -> Model {
    let model = service.model(name).await;
    let config = json!({ "batch_size": 1, "learning_rate": 5e-3 });
    let job = service.start_sft(&model, &[row("red?", "blue"), row("up?", "down")], config).await;
    service.finished(&job).await;
    model
}

async fn create(service: &TestService, model: &Model, body: &Value) -> crate::support::JsonResponse {
    service.post(&format!("/v1/preview/models/{}/add-checkpoint", model.id), body).await
}

/// Uploads weights and imports them.
async fn import(
    service: &TestService,
    model: &Model,
    config: &Value,
    weights: Vec<u8>,
) -> crate::support::JsonResponse {
    let file = service.upload("user_data", "adapter_model.safetensors", weights).await;
    let body = json!({ "type": "import", "adapter_config": config, "weights_file_id": file });
    create(service, model, &body).await
}

#[tokio::test]
async fn a_downloaded_adapter_comes_back_as_it_was() {
    let service = TestService::start().await;
    let client = connect(&service.root, &service.key).unwrap();
    let model = trained(&service, "source").await;
    let detail = client.get_checkpoint(&model.id, 1).await.unwrap().into_inner();
    let names: Vec<_> = detail.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ADAPTER);
    let mut contents = Vec::new();
    for file in &detail.files {
        let download = client.get_checkpoint_file(&model.id, 1, &file.name).await.unwrap();
        assert_eq!(download.headers()["etag"], format!("\"{}\"", file.sha256));
        let bytes = bytes_of(download).await;
        assert_eq!(bytes.len() as u64, file.bytes);
        contents.push(bytes);
    }
    // The archive has the same files.
    let archive = bytes_of(client.get_checkpoint_archive(&model.id, 1).await.unwrap()).await;
    let mut archive = tar::Archive::new(&archive[..]);
    let mut unpacked = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        unpacked.push((path, bytes));
    }
    let expected = ADAPTER.iter().map(|name| format!("checkpoint-1/{name}")).zip(contents.clone());
    assert!(unpacked == expected.collect::<Vec<_>>());
    // Imported into another model it answers the same, and training goes on from it.
    let copy = service.model("copy").await;
    let config: Value = serde_json::from_slice(&contents[0]).unwrap();
    let made = import(&service, &copy, &config, contents[1].clone()).await.ok();
    assert_eq!(made["step"], 1);
    let tokens = async |name: String| service.first_tokens(&name, "red?").await;
    assert_eq!(tokens(copy.name.clone()).await, tokens(model.name.clone()).await);
    assert_ne!(tokens(copy.at(0)).await, tokens(copy.at(1)).await);
    let job = service.start_sft(&copy, &[row("one?", "two")], json!({ "learning_rate": 1e-3 })).await;
    service.finished(&job).await;
    assert_eq!(service.steps(&copy).await, [0, 1, 2]);
    // Step 0 is the base itself.
    assert!(client.get_checkpoint(&model.id, 0).await.unwrap().files.is_empty());
    for gone in [
        client.get_checkpoint_archive(&model.id, 0).await.map(drop),
        client.get_checkpoint_file(&model.id, 1, "optimizer.pt").await.map(drop),
        client.get_checkpoint(&model.id, 9).await.map(drop),
    ] {
        assert_eq!(gone.unwrap_err().status(), Some(404));
    }
    service.stop().await;
}

#[tokio::test]
async fn a_fork_goes_on_as_its_source_would() {
    let service = TestService::start().await;
    let source = trained(&service, "source").await;
    let fork = service.model("fork").await;
    let body = json!({ "type": "copy", "model_id": source.id, "step": 1 });
    let made = create(&service, &fork, &body).await.ok();
    assert_eq!(made["step"], 1);
    assert!(made["metrics"]["loss/train"].is_number(), "{made}");
    let tokens = async |name: String| service.first_tokens(&name, "one?").await;
    assert_eq!(tokens(fork.at(1)).await, tokens(source.at(1)).await);
    // The optimizer's state came along: the next step is the same, to the bit.
    let rows = [row("one?", "two"), row("left?", "right")];
    for model in [&source, &fork] {
        let job = service.start_sft(model, &rows, json!({ "batch_size": 1, "learning_rate": 1e-3 })).await;
        service.finished(&job).await;
    }
    let weights = async |model: &Model| {
        let detail = service.get(&format!("/v1/preview/models/{}/checkpoints/2", model.id)).await.ok();
        detail["files"][1]["sha256"].clone()
    };
    assert_eq!(weights(&fork).await, weights(&source).await);
    // The fork keeps what it needs when its source goes.
    let before = tokens(fork.at(1)).await;
    service.send(Method::DELETE, &format!("/v1/preview/models/{}", source.id), None).await.ok();
    assert_eq!(tokens(fork.at(1)).await, before);
    service.stop().await;
}

#[tokio::test]
async fn only_what_fits_is_copied() {
    let service = TestService::start().await;
    let source = trained(&service, "source").await;
    let slim =
        json!({ "project": "tests", "name": "slim", "base_model": crate::support::SEEDLING, "lora": { "rank": 2 } });
    let slim = text(&service.post("/v1/preview/models", &slim).await.ok()["id"]).to_owned();
    let path = format!("/v1/preview/models/{slim}/add-checkpoint");
    let copy = |model: &str, step: u64| json!({ "type": "copy", "model_id": model, "step": step });
    let error = service.post(&path, &copy(&source.id, 1)).await.rejected(422);
    assert!(text(&error["message"]).contains("rank 8"), "{error}");
    for (model, step) in [(slim.as_str(), 7), (slim.as_str(), i64::MAX as u64), ("nobody", 0)] {
        service.post(&path, &copy(model, step)).await.rejected(404);
    }
    // What belongs to another entity is not there, neither as a source nor as a target.
    let theirs = json!({ "project": "tests", "name": "theirs", "base_model": crate::support::SEEDLING });
    let theirs = service.send_as(&service.rival_key, Method::POST, "/v1/preview/models", Some(&theirs)).await.ok();
    let theirs = text(&theirs["id"]);
    let path = format!("/v1/preview/models/{theirs}/add-checkpoint");
    let stolen = copy(&source.id, 1);
    service.send_as(&service.rival_key, Method::POST, &path, Some(&stolen)).await.rejected(404);
    service.post(&path, &stolen).await.rejected(404);
    service.stop().await;
}

/// The weights of an adapter with one number changed.
fn with_number(mut weights: Vec<u8>, number: f32) -> Vec<u8> {
    let at = weights.len() - 4;
    weights[at..].copy_from_slice(&number.to_le_bytes());
    weights
}

#[tokio::test]
async fn adapters_of_other_models_are_rejected_with_a_reason() {
    let service = TestService::start().await;
    let model = service.model("strict").await;
    let (config, weights) = seedling_adapter(1);
    let changed = |field: &str, value: Value| {
        let mut config = config.clone();
        config[field] = value;
        config
    };
    let header = |length: u64| [&length.to_le_bytes()[..], &weights[8..]].concat();
    let other_rank = adapter_of_rank(4);
    let cases: Vec<(&str, Value, Vec<u8>, &str, &str)> = vec![
        ("no numbers", config.clone(), with_number(weights.clone(), f32::NAN), "weights_file_id", "has the value"),
        ("infinite", config.clone(), with_number(weights.clone(), f32::INFINITY), "weights_file_id", "has the value"),
        ("cut", config.clone(), weights[..weights.len() - 1].to_vec(), "weights_file_id", "safetensors"),
        ("empty", config.clone(), Vec::new(), "weights_file_id", "safetensors"),
        ("no safetensors", config.clone(), b"hello, world".to_vec(), "weights_file_id", "safetensors"),
        ("a header without end", config.clone(), header(u64::MAX), "weights_file_id", "header"),
        ("a header of gigabytes", config.clone(), header(2 << 30), "weights_file_id", "header"),
        ("too large", config.clone(), vec![0; 16 << 20], "weights_file_id", "bytes at most"),
        ("another rank", changed("r", json!(4)), weights.clone(), "adapter_config", "rank 4"),
        ("another rank in the file", config.clone(), other_rank, "weights_file_id", "lora_"),
        ("another alpha", changed("lora_alpha", json!(32)), weights.clone(), "adapter_config", "alpha 32"),
        ("another scale", changed("use_rslora", json!(true)), weights.clone(), "adapter_config", "use_rslora"),
        (
            "fewer modules",
            changed("target_modules", json!(["q_proj"])),
            weights.clone(),
            "weights_file_id",
            "target_modules",
        ),
        ("no LoRA", changed("peft_type", json!("PROMPT_TUNING")), weights.clone(), "adapter_config", "PROMPT_TUNING"),
        ("DoRA", changed("use_dora", json!(true)), weights.clone(), "adapter_config", "use_dora"),
        ("PiSSA", changed("init_lora_weights", json!("pissa")), weights.clone(), "adapter_config", "init_lora_weights"),
        ("unknown", changed("use_news", json!(true)), weights.clone(), "adapter_config", "use_news"),
        (
            "excluded",
            changed("exclude_modules", json!(".*[.]o_proj")),
            weights.clone(),
            "weights_file_id",
            "exclude_modules",
        ),
        ("no rank", changed("r", json!("eight")), weights.clone(), "adapter_config", "invalid type"),
    ];
    for (what, config, weights, place, reason) in cases {
        let error = import(&service, &model, &config, weights).await.rejected(422);
        assert_eq!(error["param"], place, "{what}: {error}");
        assert!(text(&error["message"]).contains(reason), "{what}: {error}");
    }
    let body = json!({ "type": "import", "adapter_config": config, "weights_file_id": "file-nowhere" });
    assert_eq!(create(&service, &model, &body).await.rejected(422)["param"], "weights_file_id");
    assert_eq!(service.steps(&model).await, [0], "a refusal takes no step");
    import(&service, &model, &config, weights).await.ok();
    service.stop().await;
}

#[tokio::test]
async fn a_repeated_create_makes_one_checkpoint() {
    let service = TestService::start().await;
    let model = service.model("once").await;
    let (config, weights) = seedling_adapter(1);
    let file = service.upload("user_data", "adapter_model.safetensors", weights).await;
    let body = json!({ "type": "import", "adapter_config": config, "weights_file_id": file });
    let path = format!("/v1/preview/models/{}/add-checkpoint", model.id);
    let ask = async |body: &Value| {
        answer(service.request(Method::POST, &path).header("Idempotency-Key", "once").json(body)).await
    };
    let answers = futures_util::future::join_all((0..50).map(|_| ask(&body))).await;
    let steps: Vec<Value> = answers.into_iter().map(|answer| answer.ok()["step"].clone()).collect();
    assert!(steps.iter().all(|step| *step == 1), "{steps:?}");
    assert_eq!(service.steps(&model).await, [0, 1]);
    // Also when what it was made from is gone.
    service.send(Method::DELETE, &format!("/v1/files/{file}"), None).await.ok();
    assert_eq!(ask(&body).await.ok()["step"], 1);
    let other = json!({ "type": "copy", "model_id": model.id, "step": 1 });
    assert_eq!(ask(&other).await.rejected(422)["code"], "idempotency_key_reused");
    service.stop().await;
}

/// `scripts/make_golden_imported.py` made the adapter and the numbers, with PEFT and transformers.
#[tokio::test]
async fn an_adapter_made_by_peft_serves_what_peft_computes() {
    let read = |name: &str| {
        let path = format!("{}/tests/golden/imported/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let service = TestService::start().await;
    let config: Value = serde_json::from_slice(&read(ADAPTER[0])).unwrap();
    let lora =
        json!({ "rank": config["r"], "alpha": config["lora_alpha"], "target_modules": config["target_modules"] });
    let body = json!({ "project": "tests", "name": "peft", "base_model": crate::support::SEEDLING, "lora": lora });
    let made = service.post("/v1/preview/models", &body).await.ok();
    let model = Model { id: text(&made["id"]).to_owned(), name: "wandb-artifact:///acme/tests/peft".to_owned() };
    import(&service, &model, &config, read(ADAPTER[1])).await.ok();
    let recordings: Vec<Value> = serde_json::from_slice(&read("logprobs.json")).unwrap();
    for recording in recordings {
        let options = json!({ "temperature": 0, "max_tokens": 1, "logprobs": true, "top_logprobs": 10 });
        let answer = service.chat(&model.name, text(&recording["prompt"]), options).await;
        let choice = &answer["choices"][0];
        assert_eq!(choice["prompt_token_ids"], recording["prompt_token_ids"], "{answer}");
        let top = choice["logprobs"]["content"][0]["top_logprobs"].as_array().expect("the likeliest tokens");
        let expected = recording["first_tokens"].as_array().expect("pairs");
        assert_eq!(top.len(), expected.len());
        for (found, expected) in top.iter().zip(expected) {
            assert_eq!(text(&found["token"]), format!("token_id:{}", expected[0]));
            let difference = found["logprob"].as_f64().unwrap() - expected[1].as_f64().unwrap();
            assert!(difference.abs() < 1e-4, "{found} {expected}");
        }
    }
    service.stop().await;
}
