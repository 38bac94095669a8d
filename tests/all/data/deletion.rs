//! Deleting steps: the newest one goes only if told, and afterwards everything agrees on what the newest is.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{JsonResponse, Model, TestService, row, text};

async fn train(service: &TestService, model: &Model) {
    let config = json!({ "batch_size": 1, "learning_rate": 5e-3 });
    let job = service.start_sft(model, &[row("red?", "blue"), row("up?", "down")], config).await;
    service.finished(&job).await;
}

async fn delete(service: &TestService, model: &Model, body: Value) -> JsonResponse {
    service.send(Method::DELETE, &format!("/v1/preview/models/{}/checkpoints", model.id), Some(&body)).await
}

/// Latest step of the model: by itself, and in the list of models.
async fn latest_step(service: &TestService, model: &Model) -> Value {
    let one = service.get(&format!("/v1/preview/models/{}", model.id)).await.ok();
    let listed = service.get("/v1/preview/models").await.ok();
    let listed = listed["data"].as_array().expect("models").iter().find(|found| found["id"] == one["id"]);
    let (latest, listed) = (&one["latest_step"], &listed.expect("the model is listed")["latest_step"]);
    assert_eq!(latest, listed);
    latest.clone()
}

/// Step that the next job of a model continued from, by its manifest.
async fn parent(service: &TestService, model: &Model, step: i64) -> Value {
    let path = format!("/v1/preview/models/{}/checkpoints/{step}/manifest", model.id);
    service.get(&path).await.ok()["manifest"]["parent"].clone()
}

#[tokio::test]
async fn the_newest_step_is_deleted_only_if_told_and_then_all_agree() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    for _ in 0..3 {
        train(&service, &model).await;
    }
    let tokens = async |name: &str| service.first_tokens(name, "red?").await;
    let newest = tokens(&model.name).await;
    for steps in [json!([3]), json!([0, 1, 2, 3])] {
        let error = delete(&service, &model, json!({ "steps": steps })).await.rejected(409);
        assert_eq!((&error["param"], &error["code"]), (&json!("steps"), &json!("latest_checkpoint")), "{error}");
        assert!(text(&error["message"]).contains("allow_latest"), "{error}");
    }
    assert_eq!(service.steps(&model).await, [0, 1, 2, 3], "a refusal deletes nothing");
    assert_eq!(tokens(&model.name).await, newest);
    // The others go without a word, as before.
    assert_eq!(delete(&service, &model, json!({ "steps": [1] })).await.ok()["deleted_count"], 1);
    // Told, the newest goes: listing, `latest_step`, the plain name and the next job agree on the one before.
    let before = tokens(&model.at(2)).await;
    assert_ne!(before, newest);
    delete(&service, &model, json!({ "steps": [3], "allow_latest": true })).await.ok();
    assert_eq!((service.steps(&model).await, latest_step(&service, &model).await), (vec![0, 2], json!(2)));
    assert_eq!(tokens(&model.name).await, before);
    train(&service, &model).await;
    assert_eq!((service.steps(&model).await, latest_step(&service, &model).await), (vec![0, 2, 4], json!(4)));
    assert_eq!(parent(&service, &model, 4).await["step"], 2);
    assert_eq!(tokens(&model.name).await, tokens(&model.at(4)).await);
    // All of them: what is left is the base model, and nothing says otherwise.
    delete(&service, &model, json!({ "steps": [0, 2, 4], "allow_latest": true })).await.ok();
    assert_eq!((service.steps(&model).await, latest_step(&service, &model).await), (vec![], Value::Null));
    assert_eq!(tokens(&model.name).await, tokens(crate::support::SEEDLING).await);
    train(&service, &model).await;
    assert_eq!((service.steps(&model).await, latest_step(&service, &model).await), (vec![5], json!(5)));
    assert_eq!(parent(&service, &model, 5).await, Value::Null, "it began anew, from the base model");
    let fresh = service.model("fresh").await;
    train(&service, &fresh).await;
    assert_eq!(tokens(&model.name).await, tokens(&fresh.name).await, "as a new model would");
    service.stop().await;
}

#[tokio::test]
async fn a_misspelt_permission_is_none() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let error = delete(&service, &model, json!({ "steps": [0], "allow_lastest": true })).await.rejected(422);
    assert!(text(&error["message"]).contains("did you mean `allow_latest`?"), "{error}");
    assert_eq!(service.steps(&model).await, [0]);
    // The only step of a new model is its newest.
    delete(&service, &model, json!({ "steps": [0] })).await.rejected(409);
    service.stop().await;
}
