//! Jobs whose base model is sampled on vLLM servers.

use serde_json::{Value, json};

use super::vllm::service_on;
use crate::support::{Model, SEEDLING, TestService, event_types, text};
use crate::vllm::FakeVllm;

/// Adds a number to every logprob in rollouts.
fn shift(value: &mut Value, by: f64) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| shift(item, by)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_f64().filter(|_| name == "logprob") {
                    Some(logprob) => *value = json!(logprob + by),
                    None => shift(value, by),
                }
            }
        }
        _ => {}
    }
}

/// A model, and rollouts of its base model.
async fn model_and_rollouts(service: &TestService, name: &str) -> (Model, Value) {
    let model = service.model(name).await;
    let rollouts = service.rollouts(SEEDLING, "up?", &[0.0, 1.0, 0.25]).await;
    (model, json!([rollouts]))
}

async fn job(service: &TestService, id: &str) -> Value {
    service.get(&format!("/v1/preview/training-jobs/{id}")).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn importance_sampling_is_truncated_and_the_mismatch_reported() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    for (config, precalculates) in [(json!({}), false), (json!({ "precalculate_logprobs": true }), true)] {
        let (model, groups) = model_and_rollouts(&service, &format!("agent-{precalculates}")).await;
        let id = service.start_rl(&model, groups, config).await;
        let events = service.finished(&id).await;
        assert_eq!(event_types(&events).last(), Some(&"training_ended"), "{events:?}");
        let step = &events[1]["data"];
        // The double computes with the engine of the trainer.
        assert_eq!(step["sampler_mismatch/mean_abs"], 0.0, "{step}");
        let job = job(&service, &id).await;
        let config = &job["config"];
        assert_eq!(config["truncated_importance_sampling"], 2.0, "{config}");
        assert_eq!(
            (&config["precalculate_logprobs"], &job["trainer"]),
            (&json!(precalculates), &json!("f32")),
            "{job}"
        );
        assert!(job.get("warnings").is_none_or(Value::is_null), "{job}");
        let path = format!("/v1/preview/models/{}/checkpoints/1/manifest", model.id);
        let manifest = service.get(&path).await.ok()["manifest"]["training"].clone();
        assert_eq!((&manifest["sampler"], &manifest["weight_format"]), (&json!("vllm"), &json!("f32")), "{manifest}");
        assert_eq!(manifest["config"]["truncated_importance_sampling"], 2.0, "{manifest}");
    }
    // It can be turned off, and is off where the engine samples.
    let (model, groups) = model_and_rollouts(&service, "off").await;
    let id = service.start_rl(&model, groups, json!({ "truncated_importance_sampling": 0 })).await;
    service.finished(&id).await;
    assert_eq!(job(&service, &id).await["config"]["truncated_importance_sampling"], Value::Null);
    service.stop().await;
    let embedded = TestService::start().await;
    let (model, groups) = model_and_rollouts(&embedded, "embedded").await;
    let id = embedded.start_rl(&model, groups, json!({})).await;
    let events = embedded.finished(&id).await;
    assert!(events[1]["data"].get("sampler_mismatch/mean_abs").is_none(), "{events:?}");
    assert_eq!(job(&embedded, &id).await["config"]["truncated_importance_sampling"], Value::Null);
    embedded.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rollouts_with_other_logprobs_fail_the_job_by_a_code_of_its_own() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    for (by, fails) in [(-0.05, false), (-0.2, true)] {
        let (model, mut groups) = model_and_rollouts(&service, &format!("agent-{fails}")).await;
        shift(&mut groups, by);
        let id = service.start_rl(&model, groups, json!({})).await;
        service.finished(&id).await;
        let job = job(&service, &id).await;
        let code = if fails { json!("sampler_mismatch") } else { Value::Null };
        assert_eq!(job["error"]["code"], code, "{job}");
        if fails {
            assert_eq!(job["error"]["retryable"], false, "{job}");
            assert!(text(&job["error"]["message"]).contains("0.2"), "{job}");
        }
    }
    service.stop().await;
}
