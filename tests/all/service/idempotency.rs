//! Creates that are sent again under their key: done once, however often and however late they come.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use trainyard::client::Client;
use trainyard::server::open_metadata;
use trainyard::store::records::JobStatus;

use crate::support::{Model, SEEDLING, TestService, answer, http, row, text};

const MODELS: &str = "/v1/preview/models";
const RL: &str = "/v1/preview/training-jobs";
const SFT: &str = "/v1/preview/sft-training-jobs";

/// Sends a create under a key; what it answers, and whether it says that it was done before.
async fn create(service: &TestService, path: &str, body: &Value, key: &str) -> (String, bool) {
    let request = service.request(Method::POST, path).header("Idempotency-Key", key).json(body);
    let response = request.send().await.expect("an answer");
    let replayed = response.headers().get("Idempotency-Replayed").map(|value| value.to_str().expect("text").to_owned());
    assert!(replayed.as_deref().is_none_or(|replayed| replayed == "true"), "{replayed:?}");
    let (status, body) = (response.status(), response.json::<Value>().await.expect("JSON"));
    assert!(status.is_success(), "{status} {body}");
    (text(&body["id"]).to_owned(), replayed.is_some())
}

/// A body for each create, on a model of its own.
async fn bodies(service: &TestService, model: &Model) -> [(&'static str, Value); 3] {
    let file = service.directory.path().join("rows.jsonl");
    std::fs::write(&file, format!("{}\n", row("up?", "down"))).expect("writable");
    let groups = json!([service.rollouts(SEEDLING, "pick a word", &[0.0, 1.0]).await]);
    [
        (MODELS, json!({ "project": "tests", "name": "new", "base_model": SEEDLING })),
        (RL, json!({ "model_id": model.id, "trajectory_groups": groups })),
        (SFT, json!({ "model_id": model.id, "training_data_url": format!("file://{}", file.display()) })),
    ]
}

#[tokio::test]
async fn a_create_that_comes_fifty_times_is_done_once_also_after_a_restart() {
    let service = TestService::start().await;
    let model = service.model("repeated").await;
    let bodies = bodies(&service, &model).await;
    let mut created = Vec::new();
    for (path, body) in &bodies {
        let answers = join_all((0..50).map(|_| create(&service, path, body, path))).await;
        assert!(answers.iter().all(|(id, _)| *id == answers[0].0), "{path}: {answers:?}");
        assert_eq!(answers.iter().filter(|(_, replayed)| !replayed).count(), 1, "{path}: one has created it");
        created.push(answers[0].0.clone());
    }
    let data = service.directory.path().join("data");
    let metadata = open_metadata(&data, None).await.expect("the database");
    assert_eq!(metadata.list_models("acme").await.expect("models").len(), 2);
    for job in &created[1..] {
        service.finished(job).await;
    }
    let service = service.restart().await;
    for ((path, body), id) in bodies.iter().zip(&created) {
        assert_eq!(create(&service, path, body, path).await, (id.clone(), true), "{path}");
    }
    let depth = metadata.queue_depth().await.expect("the queue");
    assert_eq!((depth.queued, depth.running), (0, 0), "nothing was queued again");
    let job = metadata.get_job("acme", created[1].parse().expect("a UUID")).await.expect("the job");
    assert_eq!(job.status, JobStatus::Succeeded);
}

#[tokio::test]
async fn a_key_stands_for_one_request_of_one_entity() {
    let service = TestService::start().await;
    let model = service.model("keys").await;
    let bodies = bodies(&service, &model).await;
    let (first, _) = create(&service, RL, &bodies[1].1, "once").await;
    let mut other = bodies[1].1.clone();
    other["experimental_config"] = json!({ "learning_rate": 1e-3 });
    for (path, body) in [(RL, &other), (SFT, &bodies[2].1), (MODELS, &bodies[0].1)] {
        let request = service.request(Method::POST, path).header("Idempotency-Key", "once").json(body);
        let error = answer(request).await.rejected(422);
        assert_eq!((text(&error["code"]), text(&error["param"])), ("idempotency_key_reused", "Idempotency-Key"));
    }
    // A rejection leaves its key free.
    let nowhere = json!({ "model_id": "nobody", "trajectory_groups": [] });
    answer(service.request(Method::POST, RL).header("Idempotency-Key", "later").json(&nowhere)).await.rejected(404);
    let (second, replayed) = create(&service, RL, &bodies[1].1, "later").await;
    assert!(second != first && !replayed);
    for key in ["", &"k".repeat(256)] {
        let request = service.request(Method::POST, RL).header("Idempotency-Key", key).json(&bodies[1].1);
        answer(request).await.rejected(422);
    }
    // To another entity the key says nothing.
    let theirs = json!({ "project": "tests", "name": "theirs", "base_model": SEEDLING });
    let theirs = service.send_as(&service.rival_key, Method::POST, MODELS, Some(&theirs)).await.ok();
    let mut body = bodies[1].1.clone();
    body["model_id"] = theirs["id"].clone();
    let request = http().post(format!("{}{RL}", service.root)).bearer_auth(&service.rival_key);
    let job = answer(request.header("Idempotency-Key", "once").json(&body)).await.ok();
    assert_ne!(text(&job["id"]), first);
}

#[tokio::test]
async fn the_generated_client_finds_what_it_created() {
    let service = TestService::start().await;
    let model = service.model("client").await;
    let client = Client::builder().base_url(&service.root).api_key(&service.key).build().expect("a client");
    let body = serde_json::from_value(bodies(&service, &model).await[1].1.clone()).expect("a request");
    let keyed = client.with_idempotency_key("round-17").expect("a key");
    let first = keyed.create_training_job(&body).await.expect("a job");
    let again = keyed.create_training_job(&body).await.expect("the same job");
    assert_eq!(first.id, again.id);
    assert!(!first.headers().contains_key("idempotency-replayed"));
    assert_eq!(again.headers()["idempotency-replayed"], "true");
    assert_ne!(client.create_training_job(&body).await.expect("another job").id, first.id);
}

#[tokio::test]
async fn trajectories_that_come_twice_are_kept_once() {
    let service = TestService::start().await;
    let model = service.model("logged").await;
    let path = format!("{MODELS}/{}/log", model.id);
    let groups = json!([service.rollouts(SEEDLING, "pick a word", &[0.0, 1.0]).await]);
    let log = async |split: &str| {
        let body = json!({ "split": split, "trajectory_groups": groups });
        let request = service.request(Method::POST, &path).header("Idempotency-Key", "once").json(&body);
        let response = request.send().await.expect("an answer");
        let replayed = response.headers().contains_key("idempotency-replayed");
        (response.status().as_u16(), replayed, response.json::<Value>().await.expect("JSON"))
    };
    let answers = join_all((0..50).map(|_| log("val"))).await;
    let kept = json!({ "logged_groups": 1, "logged_trajectories": 2 });
    assert!(answers.iter().all(|(status, _, body)| (*status, body) == (200, &kept)), "{answers:?}");
    assert_eq!(answers.iter().filter(|(_, replayed, _)| !replayed).count(), 1);
    assert_eq!(log("train").await.2["error"]["code"], "idempotency_key_reused");
    service.stop().await;
}
