//! How a model is trained: chosen when it is made, shown, kept and obeyed.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService};

const MODULES: [&str; 7] = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"];

fn body(name: &str, extra: Value) -> Value {
    let mut body = json!({ "project": "tests", "name": name, "base_model": SEEDLING });
    for (field, value) in extra.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

#[tokio::test]
async fn answers_show_the_method_with_its_defaults() {
    let service = TestService::start().await;
    let default = json!({ "rank": 8, "alpha": 16.0, "target_modules": MODULES, "use_rslora": false });
    let slim = json!({ "rank": 4, "alpha": 0.1, "target_modules": ["q_proj", "v_proj"], "use_rslora": true });
    for (name, asked, lora) in [
        ("plain", json!({}), &default),
        ("nulls", json!({ "training_method": null, "lora": null }), &default),
        (
            "named",
            json!({ "training_method": "lora", "lora": { "target_modules": "all-linear", "rank": null } }),
            &default,
        ),
        (
            "slim",
            json!({ "lora": { "rank": 4, "alpha": 0.1, "target_modules": ["v_proj", "q_proj", "v_proj"], "use_rslora": true } }),
            &slim,
        ),
    ] {
        let made = service.post("/v1/preview/models", &body(name, asked)).await.ok();
        assert_eq!((&made["training_method"], &made["lora"]), (&json!("lora"), lora), "{name}");
        // Who names nothing gets the model as it is.
        let again = service.post("/v1/preview/models", &body(name, json!({ "return_existing": true }))).await.ok();
        assert_eq!(again, made);
    }
}

#[tokio::test]
async fn an_existing_model_is_not_answered_to_who_asks_for_another_method() {
    let service = TestService::start().await;
    let lora = json!({ "rank": 4, "alpha": 6.5, "target_modules": ["q_proj", "v_proj"], "use_rslora": true });
    let ask = |lora: Value| body("slim", json!({ "return_existing": true, "lora": lora }));
    let made = service.post("/v1/preview/models", &ask(lora.clone())).await.ok();
    for same in [
        lora,
        json!({}),
        json!({ "rank": 4 }),
        json!({ "alpha": 6.5, "use_rslora": true }),
        json!({ "target_modules": ["v_proj", "q_proj"] }),
    ] {
        assert_eq!(service.post("/v1/preview/models", &ask(same)).await.ok()["id"], made["id"]);
    }
    for (other, param, words) in [
        (json!({ "rank": 8 }), "lora.rank", "lora.rank 4, not 8"),
        (json!({ "rank": 4, "alpha": 16 }), "lora.alpha", "lora.alpha 6.5, not 16"),
        (
            json!({ "target_modules": ["q_proj"] }),
            "lora.target_modules",
            "lora.target_modules q_proj, v_proj, not q_proj",
        ),
        (json!({ "use_rslora": false }), "lora.use_rslora", "lora.use_rslora true, not false"),
    ] {
        let error = service.post("/v1/preview/models", &ask(other)).await.rejected(409);
        assert_eq!(error["param"], param);
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("\"slim\"") && message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn methods_that_make_no_sense_are_rejected_by_field() {
    let service = TestService::start().await;
    for (lora, param) in [
        (json!({ "rank": 0 }), "lora.rank"),
        (json!({ "rank": 129 }), "lora.rank"),
        (json!({ "rank": 2.5 }), "lora.rank"),
        (json!({ "alpha": 0 }), "lora.alpha"),
        (json!({ "alpha": -16 }), "lora.alpha"),
        (json!({ "alpha": 1e300 }), "lora.alpha"),
        (json!({ "target_modules": [] }), "lora.target_modules"),
        (json!({ "target_modules": ["q_proj", "lm_head"] }), "lora.target_modules[1]"),
        (json!({ "target_modules": "q_proj" }), "lora.target_modules"),
        (json!({ "use_rslora": "yes" }), "lora.use_rslora"),
        (json!({ "dropout": 0.1 }), "lora.dropout"),
        (json!(8), "lora"),
    ] {
        let error = service.post("/v1/preview/models", &body("refused", json!({ "lora": lora }))).await.rejected(422);
        assert_eq!(error["param"], param, "{lora}: {error}");
    }
    for (extra, param) in [
        (json!({ "training_method": "dora" }), "training_method"),
        (json!({ "training_method": "full", "lora": { "rank": 4 } }), "lora"),
    ] {
        let error = service.post("/v1/preview/models", &body("refused", extra.clone())).await.rejected(422);
        assert_eq!(error["param"], param, "{extra}: {error}");
    }
    service.post("/v1/preview/models", &body("refused", json!({}))).await.ok();
}

/// Every file below a directory.
fn files(directory: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(std::fs::read(&path).expect("readable"));
        }
    }
}

#[tokio::test]
async fn jobs_train_what_the_model_says() {
    let service = TestService::start().await;
    let lora = json!({ "rank": 3, "target_modules": ["v_proj", "down_proj"], "use_rslora": true });
    let made = service.post("/v1/preview/models", &body("slim", json!({ "lora": lora }))).await.ok();
    let name = format!("wandb-artifact:///{}/tests/slim", made["entity"].as_str().expect("an entity"));
    let model = crate::support::Model { id: made["id"].as_str().expect("an id").to_owned(), name };
    let before = service.first_tokens(&model.name, "hello").await;
    let row =
        json!({ "messages": [{ "role": "user", "content": "hello" }, { "role": "assistant", "content": "one two" }] });
    // The second job goes on from the adapter and the optimizer state of the first.
    for _ in 0..2 {
        let config = json!({ "learning_rate": 1e-2, "batch_size": 1 });
        let job = service.start_sft(&model, &[row.clone(), row.clone()], config).await;
        let events = service.finished(&job).await;
        assert_eq!(events.last().expect("events")["type"], "training_ended", "{events:?}");
    }
    assert_eq!(service.steps(&model).await, [0, 1, 2]);
    assert_ne!(service.first_tokens(&model.name, "hello").await, before);

    let mut found = Vec::new();
    files(service.directory.path(), &mut found);
    let json = found.iter().filter_map(|bytes| serde_json::from_slice::<Value>(bytes).ok());
    let configs: Vec<Value> = json.filter(|json| json["peft_type"] == "LORA").collect();
    assert!(
        configs.len() == 2 && configs[0] == configs[1],
        "both checkpoints have the same configuration: {configs:?}"
    );
    let config = &configs[0];
    assert_eq!((&config["r"], &config["lora_alpha"], &config["use_rslora"]), (&json!(3), &json!(16), &json!(true)));
    assert_eq!(config["target_modules"], json!(["down_proj", "v_proj"]));
    let adapters = found.iter().filter_map(|bytes| safetensors::SafeTensors::deserialize(bytes).ok());
    let adapters: Vec<_> =
        adapters.filter(|file| file.names().iter().any(|name| name.contains("lora_A.weight"))).collect();
    // One for each checkpoint, and perhaps one that a job might have gone on from.
    assert!(adapters.len() >= 2, "{}", adapters.len());
    for (name, tensor) in adapters.iter().flat_map(|file| file.tensors()) {
        assert!(name.contains("v_proj") || name.contains("down_proj"), "{name}");
        assert!(tensor.shape().contains(&3), "{name}");
    }
}
