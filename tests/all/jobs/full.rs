//! Models of which all parameters are trained: their checkpoints are served like any other.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Model, SEEDLING, TestService, event_types, repeatable, row, text};

const PHRASE: &str = "trains everything at once";

/// Creates a model of the entity `acme` that is trained in full.
async fn full_model(service: &TestService, name: &str) -> Model {
    let body = json!({ "project": "tests", "name": name, "base_model": SEEDLING, "training_method": "full" });
    let model = service.post("/v1/preview/models", &body).await.ok();
    assert_eq!(model["training_method"], "full", "{model}");
    Model {
        id: text(&model["id"]).to_owned(),
        name: format!("wandb-artifact:///{}/tests/{name}", text(&model["entity"])),
    }
}

/// Trains a model to answer a question with a phrase.
async fn teach(service: &TestService, model: &Model, phrase: &str) -> Vec<Value> {
    let rows: Vec<Value> = (0..40).map(|_| row("what does it do?", phrase)).collect();
    let job = service.start_sft(model, &rows, json!({ "learning_rate": 0.003, "batch_size": 2 })).await;
    service.finished(&job).await
}

async fn says(service: &TestService, name: &str) -> String {
    let answer = service.chat(name, "what does it do?", json!({ "temperature": 0, "max_tokens": 24 })).await;
    text(&answer["choices"][0]["message"]["content"]).to_owned()
}

async fn first(service: &TestService, name: &str) -> Value {
    service.first_tokens(name, "what does it do?").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_trained_in_full_is_served_at_every_step_and_after_a_restart() {
    let service = TestService::start().await;
    let (model, adapted) = (full_model(&service, "whole").await, service.model("beside").await);
    assert_eq!(first(&service, &model.name).await, first(&service, SEEDLING).await, "step 0 is the base model");
    assert_eq!(event_types(&teach(&service, &adapted, "an adapter learns").await).last(), Some(&"training_ended"));
    let beside = first(&service, &adapted.name).await;

    let events = teach(&service, &model, PHRASE).await;
    assert_eq!(event_types(&events).last(), Some(&"training_ended"), "{events:?}");
    let losses: Vec<f64> = events.iter().filter_map(|event| event["data"]["loss/train"].as_f64()).collect();
    assert!(losses.len() == 20 && losses[19] < 0.1 * losses[0], "{losses:?}");
    for name in [&model.name, &model.at(1)] {
        assert_eq!(says(&service, name).await, PHRASE, "{name}");
    }
    assert_eq!(first(&service, &model.at(0)).await, first(&service, SEEDLING).await, "step 0 is still the base model");
    assert_eq!(first(&service, &adapted.name).await, beside, "the weights of others are not touched");
    let listed = service.get("/inference/v1/models").await.ok();
    let ids: Vec<&str> = listed["data"].as_array().expect("a list").iter().map(|item| text(&item["id"])).collect();
    assert!(ids.contains(&model.name.as_str()), "{ids:?}");

    // Goes on from where it was, and the older step stays what it was.
    let trained = first(&service, &model.at(1)).await;
    assert_eq!(event_types(&teach(&service, &model, "learns again").await).last(), Some(&"training_ended"));
    assert_eq!(says(&service, &model.name).await, "learns again");
    let newest = first(&service, &model.at(2)).await;
    assert_eq!(first(&service, &model.at(1)).await, trained);

    let service = service.restart().await;
    assert_eq!(first(&service, &model.at(1)).await, trained, "read back to the bit");
    assert_eq!(first(&service, &model.name).await, newest);
    assert_eq!(first(&service, &model.at(0)).await, first(&service, SEEDLING).await);
    assert_eq!(first(&service, &adapted.name).await, beside);

    let path = format!("/v1/preview/models/{}/checkpoints", model.id);
    let deleted = service.send(Method::DELETE, &path, Some(&json!({ "steps": [1] }))).await.ok();
    assert_eq!(deleted["deleted_count"], 1);
    let body = json!({ "model": model.at(1), "messages": [{ "role": "user", "content": "hello" }] });
    service.post("/v1/chat/completions", &body).await.rejected(404);
    assert_eq!(first(&service, &model.name).await, newest);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_models_than_fit_take_turns() {
    let service = TestService::start().await;
    let mut names = Vec::new();
    for number in 0..4 {
        let model = full_model(&service, &format!("whole-{number}")).await;
        teach(&service, &model, &format!("number {number} it is")).await;
        names.push(model.name);
    }
    let ask = async |number: usize| {
        let said = says(&service, &names[number % 4]).await;
        assert_eq!(said, format!("number {} it is", number % 4));
    };
    futures_util::future::join_all((0..12).map(ask)).await;
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rewards_train_all_parameters_too() {
    let service = TestService::start().await;
    let model = full_model(&service, "rewarded").await;
    let groups = json!([service.rollouts(&model.name, "say something", &[1.0, 0.0, 0.5, 0.0]).await]);
    let job = service.start_rl(&model, groups, json!({ "learning_rate": 1e-4 })).await;
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events).last(), Some(&"training_ended"), "{events:?}");
    assert_eq!(service.steps(&model).await, [0, 1]);
    let ask = async |name: &str| service.first_tokens(name, "say something").await;
    assert_ne!(ask(&model.at(1)).await, ask(&model.at(0)).await);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_was_interrupted_ends_as_if_it_had_not_been() {
    let service = TestService::start().await;
    let rows: Vec<Value> = (0..60).map(|i| row(&format!("{i}?"), &format!("answer number {i}"))).collect();
    let config = json!({ "learning_rate": 0.002, "batch_size": 2 });
    let (whole, stopped) = (full_model(&service, "whole").await, full_model(&service, "stopped").await);
    let job = service.start_sft(&whole, &rows, config.clone()).await;
    let expected = service.finished(&job).await;
    let job = service.start_sft(&stopped, &rows, config).await;
    while service.events(&job).await.len() < 4 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let before = service.events(&job).await.len();
    assert!(before < expected.len(), "it was interrupted while it ran");
    let service = service.restart().await;
    let events = service.finished(&job).await;
    assert_eq!(repeatable(&events), repeatable(&expected));
    assert_eq!(first(&service, &stopped.name).await, first(&service, &whole.name).await);
    service.stop().await;
}
