//! Servers that read no weights, because vLLM servers sample and others train.

use serde_json::{Value, json};
use tokio::sync::watch;
use trainyard::server::StandaloneWorker;

use super::ask;
use super::vllm::{becomes, greedy, on, train};
use crate::support::{SEEDLING, TestService, base_model, settings, text};
use crate::vllm::FakeVllm;

/// A directory with the built-in model's files but its weights.
fn small_files() -> tempfile::TempDir {
    let (directory, seedling) = (tempfile::tempdir().expect("a directory"), "assets/seedling");
    for file in std::fs::read_dir(seedling).expect("the model") {
        let file = file.expect("an entry");
        if file.path().extension().is_none_or(|extension| extension != "safetensors") {
            std::fs::copy(file.path(), directory.path().join(file.file_name())).expect("copied");
        }
    }
    directory
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configuration_and_tokenizer_suffice_for_a_server() {
    let (files, replica) = (small_files(), FakeVllm::start());
    let service = TestService::start_with(|settings| {
        on(&[&replica])(settings);
        settings.samplers.replicas[0].base = Some("acme/large".to_owned());
        settings.base_models = vec![base_model("acme/large", files.path())];
        settings.worker = false;
    })
    .await;
    let embedded = TestService::start().await;
    let here = ask(&embedded, &greedy(SEEDLING, "Say a colour.", json!({})), false).await;
    let body = greedy("acme/large", "Say a colour.", json!({}));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while !service.post("/v1/chat/completions", &body).await.status.is_success() {
        assert!(std::time::Instant::now() < deadline, "no answer");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(ask(&service, &body, false).await, here);
    let bases = service.get("/v1/preview/base-models").await.ok();
    let large = bases["data"].as_array().expect("models").iter().find(|base| base["id"] == "acme/large").expect("it");
    assert_eq!((&large["weights"], &large["vocabulary_size"]), (&Value::Null, &json!(1536)), "{large}");
    assert_eq!(large.get("memory"), None, "nothing of it is computed here");
    // Models that train all weights need the weights.
    let body = json!({ "project": "tests", "name": "whole", "base_model": "acme/large", "training_method": "full" });
    let error = service.post("/v1/preview/models", &body).await.rejected(422);
    assert!(error["param"] == "training_method" && text(&error["message"]).contains("acme/large"), "{error}");
    embedded.stop().await;
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_weights_is_rejected_where_it_would_sample_or_train() {
    let files = small_files();
    for worker in [false, true] {
        let directory = tempfile::tempdir().expect("a directory");
        let mut settings = settings(&directory);
        settings.base_models = vec![base_model("acme/large", files.path())];
        settings.worker = worker;
        let error = trainyard::server::Service::open(&settings, &mut |_, _, _| {}).await.err().expect("refused");
        assert!(error.to_string().contains("model.safetensors"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_elsewhere_trains_what_a_server_without_weights_serves() {
    let replica = FakeVllm::start();
    let service = TestService::start_with(|settings| {
        on(&[&replica])(settings);
        settings.worker = false;
    })
    .await;
    becomes(&service, &replica, "ready").await;
    let worker = StandaloneWorker::open(&settings(&service.directory), &mut |_, _, _| {}).await.expect("a worker");
    let (stop, stopped) = watch::channel(false);
    let worker = tokio::spawn(worker.run(stopped));
    let name = train(&service, 0.02).await;
    let trained = ask(&service, &greedy(&name, "up?", json!({})), false).await;
    assert_ne!(trained, ask(&service, &greedy(SEEDLING, "up?", json!({})), false).await);
    let gauges = super::gauges(&service).await;
    let right = gauges.iter().find(|(key, _)| key.contains("adapter_checks_total") && key.contains("right"));
    assert_eq!(right.map(|(_, count)| *count), Some(1.0), "the worker recorded the adapter's effect");
    stop.send(true).expect("the worker runs");
    worker.await.expect("the worker ends well");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checkpoints_of_all_weights_are_rejected_by_name_without_an_engine() {
    let service = TestService::start().await;
    let body = json!({ "project": "tests", "name": "whole", "base_model": SEEDLING, "training_method": "full" });
    let model = service.post("/v1/preview/models", &body).await.ok();
    let id = text(&model["id"]).to_owned();
    let data = service.directory.path().join("rows.jsonl");
    std::fs::write(&data, format!("{}\n", crate::support::row("up?", "down"))).expect("written");
    let url = format!("file://{}", data.display());
    let body = json!({ "model_id": id, "training_data_url": url, "config": { "learning_rate": 1e-4 } });
    let job = service.post("/v1/preview/sft-training-jobs", &body).await.ok();
    service.finished(text(&job["id"])).await;
    let name = "wandb-artifact:///acme/tests/whole:step1".to_owned();
    ask(&service, &greedy(&name, "up?", json!({})), false).await;
    let replica = FakeVllm::start();
    let service = service
        .restart_with(|settings| {
            on(&[&replica])(settings);
            settings.worker = false;
        })
        .await;
    becomes(&service, &replica, "ready").await;
    let error = service.post("/v1/chat/completions", &greedy(&name, "up?", json!({}))).await.rejected(404);
    assert!(text(&error["message"]).contains("weights of its own"), "{error}");
    assert!(text(&error["message"]).contains(SEEDLING), "{error}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_are_compared_with_each_other_where_nothing_else_is_known() {
    let left = FakeVllm::start();
    let mut other = FakeVllm::start_with(|behaviour| behaviour.other_model = true);
    other.kill();
    let service = TestService::start_with(|settings| {
        on(&[&left, &other])(settings);
        settings.worker = false;
    })
    .await;
    becomes(&service, &left, "ready").await;
    other.restart();
    becomes(&service, &other, "refused").await;
    ask(&service, &greedy(SEEDLING, "up?", json!({})), false).await;
    other.change(|behaviour| behaviour.other_model = false);
    becomes(&service, &other, "ready").await;
    service.stop().await;
}
