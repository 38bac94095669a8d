//! Numbers of a caller that overflow: their errors name the model or the option, and are no faults of the service.

use serde_json::{Value, json};

use crate::support::{Model, TestService, row, seedling_adapter, text};

/// Replaces all values of an adapter.
fn with_all(mut weights: Vec<u8>, value: f32) -> Vec<u8> {
    let header = u64::from_le_bytes(weights[..8].try_into().expect("eight bytes"));
    let values = 8 + usize::try_from(header).expect("a length");
    weights[values..].as_chunks_mut().0.iter_mut().for_each(|bytes: &mut [u8; 4]| *bytes = value.to_le_bytes());
    weights
}

/// A model whose newest step is an imported adapter of huge values.
async fn huge(service: &TestService, name: &str) -> Model {
    let model = service.model(name).await;
    let (config, weights) = seedling_adapter(1);
    let file = service.upload("user_data", "adapter_model.safetensors", with_all(weights, 1e30)).await;
    let body = json!({ "type": "import", "adapter_config": config, "weights_file_id": file });
    service.post(&format!("/v1/preview/models/{}/add-checkpoint", model.id), &body).await.ok();
    model
}

async fn error_of(service: &TestService, job: &str) -> Value {
    service.finished(job).await;
    let job = service.get(&format!("/v1/preview/training-jobs/{job}")).await.ok();
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["retryable"], false, "{job}");
    job["error"].clone()
}

#[tokio::test]
async fn an_adapter_of_huge_values_is_named_by_each_answer() {
    let service = TestService::start().await;
    let model = huge(&service, "huge").await;
    let messages = json!([{ "role": "user", "content": "red?" }]);
    for (path, body) in [
        ("/v1/chat/completions", json!({ "messages": messages })),
        ("/v1/chat/completions", json!({ "messages": messages, "prompt_logprobs": 1 })),
        ("/v1/completions", json!({ "prompt": "red?" })),
        ("/v1/responses", json!({ "input": "red?" })),
    ] {
        let mut body = body;
        body["model"] = json!(model.name);
        let error = service.post(path, &body).await.rejected(422);
        assert_eq!(error["param"], "model", "{path}: {error}");
        assert!(text(&error["message"]).contains("adapter"), "{path}: {error}");
    }
    // Others are not affected, in the same batch either.
    let other = service.model("other").await;
    let bad = json!({ "model": model.name, "messages": messages });
    let (good, bad) =
        tokio::join!(service.chat(&other.name, "red?", json!({})), service.post("/v1/chat/completions", &bad));
    assert!(good["choices"][0]["finish_reason"].is_string(), "{good}");
    bad.rejected(422);
    service.stop().await;
}

#[tokio::test]
async fn a_job_that_starts_from_huge_values_says_so() {
    let service = TestService::start().await;
    let model = huge(&service, "huge").await;
    let job = service.start_sft(&model, &[row("red?", "blue")], json!(null)).await;
    let error = error_of(&service, &job).await;
    assert_eq!(error["code"], "diverged", "{error}");
    assert!(text(&error["message"]).contains("the checkpoint that the job starts from"), "{error}");

    let other = service.model("other").await;
    let groups = json!([service.rollouts(&other.name, "q", &[0.0, 1.0]).await]);
    let job = service.start_rl(&model, groups.clone(), json!({ "precalculate_logprobs": true })).await;
    let error = error_of(&service, &job).await;
    assert_eq!(error["code"], "diverged", "{error}");
    assert!(text(&error["message"]).contains("the checkpoint that the job starts from"), "{error}");

    let config = json!({ "kl_penalty_coef": 0.1, "kl_ref_adapter_path": model.name });
    let job = service.start_rl(&other, groups, config).await;
    let error = error_of(&service, &job).await;
    assert_eq!(error["code"], "invalid_config", "{error}");
    assert!(text(&error["message"]).contains("kl_ref_adapter_path"), "{error}");
    service.stop().await;
}

#[tokio::test]
async fn a_learning_rate_beyond_single_precision_is_rejected_by_name() {
    let service = TestService::start().await;
    let model = service.model("fast").await;
    let file = service.upload("fine-tune", "rows.jsonl", format!("{}\n", row("red?", "blue"))).await;
    let sft = json!({ "model_id": model.id, "training_data_url": file, "config": { "learning_rate": 1e300 } });
    let error = service.post("/v1/preview/sft-training-jobs", &sft).await.rejected(422);
    assert!(text(&error["param"]).ends_with("learning_rate"), "{error}");
    let groups = json!([service.rollouts(&model.name, "q", &[0.0, 1.0]).await]);
    let rl = json!({ "model_id": model.id, "trajectory_groups": groups,
                     "experimental_config": { "learning_rate": 1e300 } });
    let error = service.post("/v1/preview/training-jobs", &rl).await.rejected(422);
    assert!(text(&error["param"]).ends_with("learning_rate"), "{error}");
    let tuned = json!({ "model": crate::support::SEEDLING, "training_file": file,
                        "hyperparameters": { "learning_rate_multiplier": 1e300 } });
    let error = service.post("/v1/fine_tuning/jobs", &tuned).await.rejected(422);
    assert_eq!(error["param"], "hyperparameters.learning_rate_multiplier", "{error}");
    // A rate that the engine can hold makes the weights overflow.
    let rows = vec![row("red?", "blue"); 6];
    let job = service.start_sft(&model, &rows, json!({ "batch_size": 1, "learning_rate": 1e30 })).await;
    let error = error_of(&service, &job).await;
    assert_eq!(error["code"], "diverged", "{error}");
    assert!(text(&error["message"]).contains("learning rate"), "{error}");
    service.stop().await;
}
