//! Many checkpoints at once, new ones and deleted ones.

use futures_util::StreamExt;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Said, ask, checkpoints, comes_to_rest, gauges, seeded, streamed};
use crate::support::{SEEDLING, TestService, row, text};

const ADAPTERS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_adapters_in_one_batch_are_each_what_they_are_alone() {
    let service = TestService::start().await;
    let mut names = checkpoints(&service, "many", ADAPTERS).await;
    names.push(SEEDLING.to_owned());
    // One prompt and one seed for all, so that nothing but the adapter tells them apart.
    let request = |name: &str| seeded(name, "what is it", 5, 8);
    let mut alone: Vec<Vec<Said>> = Vec::new();
    for name in &names {
        alone.push(ask(&service, &request(name), false).await);
    }
    let mut different = alone.iter().map(|said| format!("{said:?}")).collect::<Vec<_>>();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), names.len(), "every adapter says something of its own");

    let asked: Vec<(usize, Value)> = (0..3 * names.len())
        .map(|number| {
            let index = (number * 8) % names.len();
            (index, request(&names[index]))
        })
        .collect();
    let together = join_all(asked.iter().map(|(index, body)| ask(&service, body, index % 2 == 0))).await;
    for ((index, _), said) in asked.iter().zip(together) {
        assert_eq!(said, alone[*index], "{} in company", names[*index]);
    }
    comes_to_rest(&service).await;
    assert_eq!(gauges(&service).await["trainyard_adapters_resident"], ADAPTERS as f64);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_checkpoint_answers_at_once_and_a_deleted_one_finishes_what_runs() {
    let service = TestService::start().await;
    let model = service.model("brief").await;
    let job = service.start_sft(&model, &[row("up?", "down")], json!({ "learning_rate": 0.02 })).await;
    // From the first moment at which the event can be read.
    loop {
        let events = service.events(&job).await;
        assert!(!events.iter().any(|event| text(&event["type"]) == "training_failed"), "{events:?}");
        if events.iter().any(|event| text(&event["type"]) == "training_ended") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let newest = seeded(&model.name, "up?", 3, 4);
    let first = ask(&service, &newest, false).await;
    assert_ne!(first, ask(&service, &seeded(SEEDLING, "up?", 3, 4), false).await, "the new weights answer");

    let name = model.at(1);
    let long = seeded(&name, "up?", 9, 120);
    let expected = ask(&service, &long, false).await;
    let mut body = long.clone();
    body["stream"] = json!(true);
    let answer = service.request(Method::POST, "/v1/chat/completions").json(&body).send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200);
    let mut pieces = answer.bytes_stream();
    let mut received = Vec::new();
    while received.windows(2).filter(|window| window == b"\n\n").count() < 3 {
        received.extend(pieces.next().await.expect("more").expect("bytes"));
    }
    let path = format!("/v1/preview/models/{}/checkpoints", model.id);
    let request = json!({ "steps": [1], "allow_latest": true });
    let deleted = service.send(Method::DELETE, &path, Some(&request)).await.ok();
    assert_eq!(deleted["deleted_count"], 1);
    service.post("/v1/chat/completions", &long).await.rejected(404);
    while let Some(piece) = pieces.next().await {
        received.extend(piece.expect("bytes"));
    }
    let received = String::from_utf8(received).expect("UTF-8");
    assert_eq!(streamed(&received, 1).0, expected, "what ran goes on as if nothing had been deleted");
    service.post("/v1/chat/completions", &long).await.rejected(404);
    comes_to_rest(&service).await;
    service.stop().await;
}
