//! Many streams of one job: each has the whole log from its place on.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestService, documented, row, text};

/// Streams from each place.
const STREAMS: usize = 60;

/// The events of a stream that has ended.
fn streamed(body: &str) -> Vec<Value> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|event| serde_json::from_str(event).expect("JSON")).collect()
}

/// Reads a stream to its end: from the begin, or after an event that is named in one of two ways.
async fn follow(service: &TestService, job: &str, after: Option<&str>, is_header: bool) -> Vec<Value> {
    let path = format!("/v1/preview/training-jobs/{job}/events");
    let mut request = service.request(Method::GET, &path).header("accept", "text/event-stream");
    match after {
        Some(id) if is_header => request = request.header("last-event-id", id),
        Some(id) => request = request.query(&[("after", id)]),
        None => {}
    }
    let (status, body) = documented(request).await;
    assert_eq!(status, 200, "{body}");
    streamed(&body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_follower_of_a_job_gets_the_whole_log_from_its_place_on() {
    let service = TestService::start().await;
    let model = service.model("followed").await;
    let rows: Vec<Value> = (0..120).map(|number| row(&format!("{number}?"), "a longer answer")).collect();
    let job = service.start_sft(&model, &rows, json!({ "batch_size": 1, "learning_rate": 1e-3 })).await;
    let from_the_begin = join_all((0..STREAMS).map(|_| follow(&service, &job, None, false)));
    let later = async {
        while service.events(&job).await.len() < 5 {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        let known = service.events(&job).await;
        let followers = (0..STREAMS).map(async |number| {
            let seen = number % known.len();
            (seen + 1, follow(&service, &job, Some(text(&known[seen]["id"])), number % 2 == 0).await)
        });
        join_all(followers).await
    };
    let waiting = async {
        let mut found: Vec<Value> = Vec::new();
        let ended = |events: &[Value]| events.last().is_some_and(|event| event["type"] == "training_ended");
        while !ended(&found) {
            let after = found.last().map(|event| format!("&after={}", text(&event["id"]))).unwrap_or_default();
            let page = service.get(&format!("/v1/preview/training-jobs/{job}/events?wait=20{after}")).await.ok();
            found.extend(page["data"].as_array().expect("events").iter().cloned());
        }
        found
    };
    let (from_the_begin, later, waited) = tokio::join!(from_the_begin, later, waiting);
    let all = service.finished(&job).await;
    assert!(all.len() > 120, "a step for each row: {}", all.len());
    for (number, events) in from_the_begin.iter().enumerate() {
        assert_eq!(events, &all, "stream {number}");
    }
    for (seen, events) in &later {
        assert_eq!(events, &all[*seen..], "after {seen} events");
    }
    assert_eq!(waited, all, "page by page");
    assert_eq!(follow(&service, &job, None, false).await, all, "after the end");
    let last = text(&all[all.len() - 1]["id"]);
    assert_eq!(follow(&service, &job, Some(last), true).await, Vec::<Value>::new(), "after the last event");
    service.stop().await;
}
