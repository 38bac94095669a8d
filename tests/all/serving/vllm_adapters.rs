//! Adapters on vLLM servers that do not apply them as training did.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use super::vllm::{becomes, count, greedy, on, service_on, train};
use super::{ask, gauges};
use crate::support::{SEEDLING, TestService, text};
use crate::vllm::{Adapters, FakeVllm};

/// Number of comparisons of adapters at a replica with a result.
async fn compared(service: &TestService, replica: &FakeVllm, result: &str) -> f64 {
    let name = replica.name();
    let key = format!(
        "trainyard_replica_adapter_checks_total{{base_model=\"{SEEDLING}\",replica=\"{name}\",result=\"{result}\"}}"
    );
    *gauges(service).await.get(&key).unwrap_or_else(|| panic!("no metric {key}"))
}

/// The directory of the only adapter.
fn directory(service: &TestService) -> PathBuf {
    let adapters = std::fs::read_dir(service.directory.path().join("data/adapters")).expect("the adapters");
    let mut adapters = adapters.map(|entry| entry.expect("an entry").path());
    let adapter = adapters.next().expect("an adapter");
    assert_eq!(adapters.next(), None);
    adapter
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_applies_an_adapter_wrongly_is_not_asked_for_it() {
    for fault in [Adapters::Ignored, Adapters::Doubled, Adapters::Narrow, Adapters::NotFinite] {
        let (mut left, right) = (FakeVllm::start_with(|behaviour| behaviour.adapters = fault), FakeVllm::start());
        let service = service_on(&[&left, &right]).await;
        let name = train(&service, 0.02).await;
        // The prompts select both replicas.
        let bodies: Vec<_> = (0..8).map(|number| greedy(&name, &format!("up? {number}"), json!({}))).collect();
        let answers = join_all(bodies.iter().map(|body| ask(&service, body, false))).await;
        assert!(answers.iter().all(|said| said[0].finish == "length" || said[0].finish == "stop"));
        let results = (compared(&service, &left, "wrong").await, compared(&service, &right, "right").await);
        let undecided = compared(&service, &left, "undecided").await;
        assert_eq!((results, undecided), ((1.0, 1.0), 0.0), "{fault:?}");
        assert_eq!(count(&service, &left, "trainyard_replica_bad_adapters").await, 1.0);
        assert_eq!(count(&service, &right, "trainyard_replica_bad_adapters").await, 0.0);
        assert_eq!((left.listed().len(), right.listed().len()), (0, 1), "it is unloaded");
        let sent = left.generated();
        assert!(sent.iter().all(|body| body["model"] == "base"), "{sent:?}");
        let check = service.get("/v1/system-check").await.body.to_string();
        assert!(check.contains(&left.name()) && check.contains("ty-") && !check.contains(&right.name()), "{check}");
        // Everything else is answered there, and further requests do not try it again.
        becomes(&service, &left, "ready").await;
        let bases = (0..8).map(|number| greedy(SEEDLING, &format!("up? {number}"), json!({ "prompt_logprobs": null })));
        join_all(bases.collect::<Vec<_>>().iter().map(|body| ask(&service, body, false))).await;
        let retries = count(&service, &left, "trainyard_replica_retries_total").await;
        assert_eq!(join_all(bodies.iter().map(|body| ask(&service, body, false))).await, answers);
        assert_eq!(count(&service, &left, "trainyard_replica_retries_total").await, retries);
        assert!(!left.generated().is_empty());
        // A restart repairs it.
        left.change(|behaviour| behaviour.adapters = Adapters::Right);
        left.restart();
        while count(&service, &left, "trainyard_replica_restarts_total").await < 1.0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        becomes(&service, &left, "ready").await;
        assert_eq!(count(&service, &left, "trainyard_replica_bad_adapters").await, 0.0);
        assert_eq!(compared(&service, &left, "right").await, 1.0);
        assert_eq!(join_all(bodies.iter().map(|body| ask(&service, body, false))).await, answers);
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_adapter_that_no_replica_applies_is_rejected() {
    let replica = FakeVllm::start_with(|behaviour| behaviour.adapters = Adapters::Ignored);
    let service = service_on(&[&replica]).await;
    let name = train(&service, 0.02).await;
    for _ in 0..2 {
        let error = service.post("/v1/chat/completions", &greedy(&name, "up?", json!({}))).await.rejected(503);
        assert!(text(&error["message"]).contains("can use the adapter"), "{error}");
    }
    assert_eq!(replica.loads().len(), 1, "it is loaded once");
    ask(&service, &greedy(SEEDLING, "up?", json!({})), false).await;
    // The system check says so too while the replica does not answer.
    replica.change(|behaviour| behaviour.frozen = true);
    let check = service.get("/v1/system-check").await;
    assert!(check.body.to_string().contains("does not apply the adapter"), "{}", check.body);
    replica.change(|behaviour| behaviour.frozen = false);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_client_loaded_under_the_name_is_compared_too() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    let name = train(&service, 0.02).await;
    let body = greedy(&name, "up?", json!({}));
    ask(&service, &body, false).await;
    let directory = directory(&service);
    let adapter = text(&directory.file_name().expect("a name").to_string_lossy().into_owned().into()).to_owned();
    // A server that starts finds it, and compares it once.
    let service = service.restart().await;
    becomes(&service, &replica, "ready").await;
    ask(&service, &body, false).await;
    assert_eq!((compared(&service, &replica, "right").await, replica.loads().len()), (1.0, 1));
    replica.change(|behaviour| behaviour.adapters = Adapters::Doubled);
    replica.load_as(&adapter, &directory);
    let service = service.restart().await;
    becomes(&service, &replica, "ready").await;
    service.post("/v1/chat/completions", &body).await.rejected(503);
    assert_eq!((compared(&service, &replica, "wrong").await, replica.listed().len()), (1.0, 0));
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_effect_too_small_or_unknown_is_reported_and_not_rejected() {
    let replica = FakeVllm::start_with(|behaviour| behaviour.adapters = Adapters::Ignored);
    let service = service_on(&[&replica]).await;
    let name = train(&service, 1e-9).await;
    ask(&service, &greedy(&name, "up?", json!({})), false).await;
    assert_eq!(compared(&service, &replica, "undecided").await, 1.0);
    assert_eq!(count(&service, &replica, "trainyard_replica_bad_adapters").await, 0.0);
    let check = service.get("/v1/system-check").await.ok();
    assert_eq!(check["gpu_queue"]["success"], true, "{check}");
    service.stop().await;
}

/// A checkpoint from before there were records, or of a job that a server with the embedded sampler took.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_adapter_without_a_record_is_compared_with_the_engine() {
    let service = TestService::start().await;
    let name = train(&service, 0.02).await;
    let (left, right) = (FakeVllm::start(), FakeVllm::start_with(|behaviour| behaviour.adapters = Adapters::Ignored));
    let service = service.restart_with(on(&[&left, &right])).await;
    for replica in [&left, &right] {
        becomes(&service, replica, "ready").await;
    }
    let bodies: Vec<_> = (0..8).map(|number| greedy(&name, &format!("up? {number}"), json!({}))).collect();
    join_all(bodies.iter().map(|body| ask(&service, body, false))).await;
    assert_eq!((compared(&service, &left, "right").await, compared(&service, &right, "wrong").await), (1.0, 1.0));
    // Without the weights, nothing here can tell.
    let service = service.restart_with(|settings| settings.worker = false).await;
    for replica in [&left, &right] {
        becomes(&service, replica, "ready").await;
    }
    join_all(bodies.iter().map(|body| ask(&service, body, false))).await;
    assert_eq!(
        (compared(&service, &left, "undecided").await, compared(&service, &right, "undecided").await),
        (1.0, 1.0)
    );
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_a_directory_that_were_changed_reach_no_replica() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    let name = train(&service, 0.02).await;
    let body = greedy(&name, "up?", json!({}));
    let before = ask(&service, &body, false).await;
    // Another adapter of the same shape, and one that no replica can read.
    let mut service = service;
    for weights in [crate::support::seedling_adapter(5).1, crate::support::adapter_of_rank(3), b"damaged".to_vec()] {
        std::fs::write(directory(&service).join("adapter_model.safetensors"), &weights).expect("written");
        replica.forget();
        let loads = replica.loads().len();
        service = service.restart().await;
        becomes(&service, &replica, "ready").await;
        assert_eq!(ask(&service, &body, false).await, before);
        assert_eq!((replica.loads().len(), compared(&service, &replica, "right").await), (loads + 1, 1.0));
    }
    service.stop().await;
}
