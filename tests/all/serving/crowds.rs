//! Two entities on one engine: neither learns from the other's prompts, and neither shuts the other out.

use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::{comes_to_rest, of_seedling, seeded};
use crate::support::{SEEDLING, TestService};

/// Choices of one request, as many as there may be.
const MAX_CHOICES: usize = 128;

async fn hits(service: &TestService) -> f64 {
    comes_to_rest(service).await;
    of_seedling(service, "trainyard_prefix_hit_tokens_total").await
}

#[tokio::test]
async fn a_prompt_is_found_in_the_cache_by_its_own_entity_alone() {
    let service = TestService::start().await;
    let body = seeded(SEEDLING, &"the same long beginning ".repeat(20), 1, 2);
    let mut found = Vec::new();
    let mut answers = Vec::new();
    for key in [&service.key, &service.key, &service.rival_key, &service.rival_key] {
        let before = hits(&service).await;
        let answer = service.send_as(key, Method::POST, "/v1/chat/completions", Some(&body)).await.ok();
        answers.push(super::said(&answer));
        let prompt = answer["usage"]["prompt_tokens"].as_f64().expect("a count");
        assert!(prompt > 128.0, "the prompt is too short to be kept: {prompt} tokens");
        found.push(hits(&service).await - before);
    }
    assert!(found[1] >= 128.0 && found[3] >= 128.0, "an entity finds its own: {found:?}");
    assert_eq!([found[0], found[2]], [0.0, 0.0], "nobody finds another's");
    assert!(answers.iter().all(|said| *said == answers[0]), "the same answer, from the cache or not");
    service.stop().await;
}

/// Streams of one entity that fill its queue; they end when they are dropped.
async fn crowd(service: &TestService, body: &Value) -> Vec<Response> {
    let request = || service.request(Method::POST, "/v1/chat/completions").json(body).send();
    let answers = join_all((0..12).map(|_| request())).await;
    answers.into_iter().map(|answer| answer.expect("an answer")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_is_rejected_with_a_time_and_is_one_entitys_own() {
    let service = TestService::start().await;
    let mut body = seeded(SEEDLING, "on and on", 1, 300);
    body["n"] = json!(MAX_CHOICES);
    body["stream"] = json!(true);
    let streams = crowd(&service, &body).await;
    let rejected = streams.iter().find(|answer| answer.status().as_u16() == 429).expect("the queue takes everything");
    let seconds: u64 = rejected.headers()["retry-after"].to_str().expect("ASCII").parse().expect("seconds");
    assert!((1..=60).contains(&seconds));
    assert!(streams.iter().all(|answer| [200, 429].contains(&answer.status().as_u16())), "{streams:?}");
    // What one entity has waiting is no reason to reject another, nor to let it wait for all of that.
    let mut small = seeded(SEEDLING, "and I?", 2, 3);
    small["n"] = json!(2);
    let completion = service.send_as(&service.rival_key, Method::POST, "/v1/chat/completions", Some(&small)).await.ok();
    assert_eq!(super::said(&completion).len(), 2);
    let waiting = of_seedling(&service, "trainyard_samples_waiting").await;
    assert!(waiting > 0.0, "the crowd was gone already");
    drop(streams);
    comes_to_rest(&service).await;
    service.chat(SEEDLING, "again", json!({ "max_tokens": 1 })).await;
    service.stop().await;
}
