//! Hundreds of streams at once, and the same request in every company.

use futures_util::future::join_all;
use reqwest::Method;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

use super::{Said, ask, checkpoints, comes_to_rest, gauges, seeded, streamed};
use crate::support::{SEEDLING, TestService, documented};

const STREAMS: usize = 500;
/// Different requests among them.
const DIFFERENT: usize = 50;

/// Two descriptors for each stream, client and server being one process here.
fn allow_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    setrlimit(Resource::Nofile, raised).expect("the soft limit may rise to the hard one");
    let allowed = raised.current.unwrap_or(u64::MAX);
    assert!(allowed >= 3 * STREAMS as u64, "{allowed} file descriptors are too few for this test; raise `ulimit -Hn`");
}

fn request(number: usize) -> Value {
    let prompt = format!("{} {number}", "count on ".repeat(number % 7));
    let mut body = seeded(SEEDLING, &prompt, number, 3 + number % 6);
    body["stream_options"] = json!({ "include_usage": true });
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_streams_are_each_what_they_are_alone() {
    allow_descriptors();
    let service = TestService::start().await;
    let mut alone = Vec::new();
    for number in 0..DIFFERENT {
        let mut body = request(number);
        body.as_object_mut().expect("an object").remove("stream_options");
        let completion = service.post("/v1/chat/completions", &body).await.ok();
        alone.push((super::said(&completion), completion["usage"].clone()));
    }
    let before = gauges(&service).await;
    let streams = (0..STREAMS).map(|number| {
        let mut body = request(number % DIFFERENT);
        body["stream"] = json!(true);
        documented(service.request(Method::POST, "/v1/chat/completions").json(&body))
    });
    for (number, (status, text)) in join_all(streams).await.into_iter().enumerate() {
        assert_eq!(status.as_u16(), 200, "stream {number}: {text}");
        assert_eq!(streamed(&text, 1), alone[number % DIFFERENT], "stream {number}");
    }
    comes_to_rest(&service).await;

    let after = gauges(&service).await;
    for (metric, field) in
        [("trainyard_prompt_tokens_total", "prompt_tokens"), ("trainyard_completion_tokens_total", "completion_tokens")]
    {
        let of_each = (0..STREAMS).map(|number| alone[number % DIFFERENT].1[field].as_f64().expect("a count"));
        assert_eq!(after[metric] - before[metric], of_each.sum::<f64>(), "{metric}");
    }
    assert_eq!(after["trainyard_chats_cancelled_total"], 0.0);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_is_identical_in_any_company_and_after_a_restart() {
    let service = TestService::start().await;
    let trained = checkpoints(&service, "replayed", 1).await.remove(0);
    let requests = [SEEDLING, &trained].map(|model| {
        let mut body = seeded(model, "tell me of the sea", 1234, 10);
        body["n"] = json!(3);
        body
    });
    let mut expected: Vec<Vec<Said>> = Vec::new();
    for body in &requests {
        let alone = ask(&service, body, false).await;
        assert!(alone[0] != alone[1] && alone[1] != alone[2], "the choices differ: {alone:?}");
        assert_eq!(ask(&service, body, true).await, alone, "streamed");
        // The first choice of several is the only one of a request for one.
        let mut one = body.clone();
        one["n"] = json!(1);
        assert_eq!(ask(&service, &one, false).await, alone[..1]);
        expected.push(alone);
    }
    assert_ne!(expected[0], expected[1]);

    // A full batch of others, with every other one streamed.
    let company = (0..80).map(|number| {
        let mut body = seeded([SEEDLING, &trained][number % 2], &format!("company {number}"), number, 12);
        body["n"] = json!(1 + number % 2);
        body
    });
    let company: Vec<Value> = company.collect();
    let others = join_all(company.iter().enumerate().map(|(index, body)| ask(&service, body, index % 2 == 0)));
    let replays = join_all((0..4).map(|index| ask(&service, &requests[index % 2], index < 2)));
    let (_, replays) = tokio::join!(others, replays);
    for (index, replay) in replays.into_iter().enumerate() {
        assert_eq!(replay, expected[index % 2], "in a full batch");
    }

    let service = service.restart().await;
    for (body, expected) in requests.iter().zip(&expected) {
        assert_eq!(&ask(&service, body, false).await, expected, "after a restart");
    }
    service.stop().await;
}
