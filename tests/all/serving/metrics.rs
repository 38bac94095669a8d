//! `GET /metrics`: what Prometheus reads, and that it tells nothing of anybody.

use std::collections::{BTreeMap, HashSet};

use reqwest::Method;
use serde_json::json;

use super::{checkpoints, comes_to_rest, gauges, seeded};
use crate::support::{SEEDLING, TestService, documented, http};

/// The text and its content type, without a key.
async fn scrape(service: &TestService) -> (String, String) {
    let url = format!("{}/metrics", service.root);
    let answer = http().get(&url).send().await.expect("an answer");
    let content_type = answer.headers()["content-type"].to_str().expect("ASCII").to_owned();
    (answer.text().await.expect("text"), content_type)
}

#[tokio::test]
async fn the_text_is_what_the_format_says() {
    let service = TestService::start().await;
    service.chat(SEEDLING, "hello", json!({ "max_tokens": 3 })).await;
    let (text, content_type) = scrape(&service).await;
    assert_eq!(content_type, "text/plain; version=0.0.4; charset=utf-8");
    assert!(text.ends_with('\n'));
    let mut types: BTreeMap<&str, &str> = BTreeMap::new();
    let mut seen = HashSet::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("# TYPE ") {
            let (name, kind) = head.split_once(' ').expect("a name and a type");
            assert!(types.insert(name, kind).is_none(), "{name} twice");
        } else if !line.starts_with("# HELP ") {
            let (series, value) = line.rsplit_once(' ').expect("a series and a value");
            assert!(value.parse::<f64>().expect("a number") >= 0.0, "{line}");
            assert!(seen.insert(series.to_owned()), "{series} twice");
            let name = series.split('{').next().expect("a name");
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .filter_map(|suffix| name.strip_suffix(suffix))
                .find(|family| types.get(family) == Some(&"histogram"))
                .unwrap_or(name);
            let kind = types.get(family).unwrap_or_else(|| panic!("no type before {line}"));
            assert_eq!(*kind == "counter", name.ends_with("_total"), "{line}");
            assert!(name.starts_with("trainyard_"), "{line}");
        }
    }
    for name in [
        "trainyard_samples_running",
        "trainyard_samples_waiting",
        "trainyard_cache_pages_in_use",
        "trainyard_cache_pages_cached",
        "trainyard_cache_pages_capacity",
        "trainyard_adapters_resident",
        "trainyard_adapters_pinned",
        "trainyard_adapter_bytes",
        "trainyard_compute_threads",
        "trainyard_engine_info",
        "trainyard_jobs",
        "trainyard_jobs_ended_total",
        "trainyard_prompt_tokens_total",
        "trainyard_completion_tokens_total",
        "trainyard_requests_total",
        "trainyard_prefix_hit_tokens_total",
        "trainyard_preemptions_total",
        "trainyard_forced_tokens_total",
        "trainyard_drafted_tokens_total",
        "trainyard_accepted_tokens_total",
        "trainyard_chats_cancelled_total",
        "trainyard_training_steps_total",
        "trainyard_time_to_first_token_seconds",
        "trainyard_time_between_tokens_seconds",
        "trainyard_request_duration_seconds",
    ] {
        assert!(types.contains_key(name), "no metric {name}:\n{text}");
    }
    service.stop().await;
}

#[tokio::test]
async fn requests_and_jobs_are_counted() {
    let service = TestService::start().await;
    let model = checkpoints(&service, "counted", 2).await.remove(0);
    let before = gauges(&service).await;
    assert_eq!(before["trainyard_training_steps_total"], 2.0);
    assert_eq!(before["trainyard_jobs_ended_total{outcome=\"succeeded\"}"], 2.0);
    assert_eq!(before["trainyard_adapters_resident"], 2.0);
    assert!(before["trainyard_adapter_bytes"] > 0.0);
    let mut body = seeded(&model, "hello", 1, 5);
    body["n"] = json!(2);
    let usage = service.post("/v1/chat/completions", &body).await.ok()["usage"].clone();
    service.post("/v1/chat/completions", &json!({ "model": "no such model", "messages": [] })).await;
    comes_to_rest(&service).await;
    let after = gauges(&service).await;
    let grown = |name: &str| after.get(name).unwrap_or(&0.0) - before.get(name).unwrap_or(&0.0);
    assert_eq!(grown("trainyard_prompt_tokens_total"), usage["prompt_tokens"].as_f64().expect("a count"));
    assert_eq!(grown("trainyard_completion_tokens_total"), 10.0);
    assert_eq!(grown("trainyard_time_to_first_token_seconds_count"), 1.0);
    assert_eq!(grown("trainyard_time_between_tokens_seconds_count"), 8.0, "each choice has a first token");
    for class in ["2xx", "4xx"] {
        let name = format!("trainyard_requests_total{{operation=\"create_chat_completion\",status=\"{class}\"}}");
        assert_eq!(grown(&name), 1.0, "{name}");
    }
    service.stop().await;
}

#[tokio::test]
async fn the_instruction_set_can_be_chosen_and_is_named() {
    let service = TestService::start_with(|settings| {
        settings.instruction_set = "portable".parse().expect("every processor has it");
    })
    .await;
    let (text, _) = scrape(&service).await;
    assert!(text.contains("\ntrainyard_engine_info{instruction_set=\"portable\"} 1\n"), "{text}");
    assert_eq!(service.get("/v1/system-check").await.ok()["instruction_set"], "portable");
    service.stop().await;
}

#[tokio::test]
async fn metrics_name_no_entity_key_or_model() {
    let service = TestService::start().await;
    let name = "zanzibar";
    checkpoints(&service, name, 1).await;
    let secret = "xylophone quixotic";
    service.chat(SEEDLING, secret, json!({ "max_tokens": 2, "user": secret })).await;
    let unknown = service.request(Method::GET, "/xylophone");
    assert_eq!(documented(unknown).await.0.as_u16(), 404);
    let (text, _) = scrape(&service).await;
    let words: HashSet<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    for private in ["acme", "rival", "tests", name, "xylophone", "quixotic", "artifact"] {
        assert!(!words.contains(private), "{private} is in it:\n{text}");
    }
    assert!(!text.contains(&service.key), "a key is in it:\n{text}");
    service.stop().await;
}
