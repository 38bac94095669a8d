//! A response that a client was told of is stored, and ends, however the server ends.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::job::{Client, Template, template};
use crate::server::Server;
use crate::{Random, figure, scale};

const CLIENTS: usize = 4;
/// Time after which the lease of a response whose process is gone has ended for sure.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a client was told of responses: the last state of each.
type Told = Mutex<Vec<Value>>;

/// Samples responses, half of them in the background, until the server is gone.
async fn sample(template: &Template, root: &str, number: usize, told: &Told) {
    let http = Client::new(&template.key);
    let responses = format!("{root}/v1/responses");
    let in_background = number.is_multiple_of(2);
    let body = json!({
        "model": "trainyard/seedling", "input": format!("Say {number}."), "max_output_tokens": 48,
        "background": in_background,
    });
    while let Ok((200, mut response)) = http.call("POST", &responses, Some(&body)).await {
        let url = format!("{responses}/{}", response["id"].as_str().expect("an id"));
        while response["status"] == "in_progress" {
            tokio::time::sleep(Duration::from_millis(10)).await;
            let Ok((200, state)) = http.call("GET", &url, None).await else { break };
            response = state;
        }
        told.lock().expect("no panic").push(response);
    }
}

/// The response as it is when it has ended.
async fn ended(http: &Client, url: &str) -> Value {
    let begun = Instant::now();
    loop {
        let (status, response) = http.call("GET", url, None).await.expect("an answer");
        assert_eq!(status, 200, "a response is lost: {response}");
        if response["status"] != "in_progress" {
            return response;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody samples it and it does not end: {response}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn responses_that_a_client_knows_survive_a_kill_and_end() {
    let template = template().await;
    let mut random = Random::new(22);
    let (mut whole, mut broken) = (0, 0);
    for _ in 0..3 * scale() {
        let directory = template.copy();
        let data = directory.path().join("data");
        let server = Server::undisturbed(&data, &template.directory);
        let (root, told) = (server.root.clone(), Told::default());
        let time = Duration::from_millis(200 + random.below(600) as u64);
        let sampling = join_all((0..CLIENTS).map(|number| sample(template, &root, number, &told)));
        let killing = async {
            tokio::time::sleep(time).await;
            server.kill();
        };
        join(sampling, killing).await;
        let server = Server::undisturbed(&data, &template.directory);
        let http = Client::new(&template.key);
        for told in told.into_inner().expect("no panic") {
            let url = format!("{}/v1/responses/{}", server.root, told["id"].as_str().expect("an id"));
            let stored = ended(&http, &url).await;
            if told["status"] == "in_progress" {
                // It may have ended after the last look; else its process is gone, and its end says so.
                let is_failed = stored["status"] == "failed";
                assert_eq!(is_failed, !stored["error"].is_null(), "{stored}");
                broken += usize::from(is_failed);
            } else {
                assert_eq!(stored, told);
                whole += 1;
            }
        }
        server.kill();
    }
    figure("kills of a server that stores responses, SQLite", 3 * scale());
    assert!(whole > 3, "hardly anything was sampled: {whole} responses, {broken} broken off");
}
