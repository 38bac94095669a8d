//! What a session's client has in whole is recorded, however the server ends.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::json;

use crate::job::{Client, Template, template};
use crate::server::Server;
use crate::{Random, figure, scale};

const CLIENTS: usize = 4;

/// An open session, and the number of its answers that the client received in whole.
type Told = (String, u64);

/// Opens a session and samples in it until the server is gone.
async fn sample(template: &Template, root: &str, told: &Mutex<Vec<Told>>) {
    let http = Client::new(&template.key);
    let body = json!({ "model": "trainyard/seedling" });
    let Ok((200, session)) = http.call("POST", &format!("{root}/v1/preview/sessions"), Some(&body)).await else {
        return;
    };
    let [id, key] = ["id", "key"].map(|name| session[name].as_str().expect("a text").to_owned());
    let (own, mut count) = (Client::new(&key), 0);
    let body = json!({
        "model": "any", "messages": [{ "role": "user", "content": "hello" }], "max_tokens": 4,
    });
    while let Ok((200, _)) = own.call("POST", &format!("{root}/v1/chat/completions"), Some(&body)).await {
        count += 1;
    }
    told.lock().expect("no panic").push((id, count));
}

#[tokio::test]
async fn recorded_generations_survive_a_kill() {
    let template = template().await;
    let mut random = Random::new(6);
    let mut acknowledged = 0;
    for _ in 0..3 * scale() {
        let directory = template.copy();
        let data = directory.path().join("data");
        let server = Server::undisturbed(&data, &template.directory);
        let (root, told) = (server.root.clone(), Mutex::new(Vec::new()));
        let time = Duration::from_millis(200 + random.below(600) as u64);
        let sampling = join_all((0..CLIENTS).map(|_| sample(template, &root, &told)));
        let killing = async {
            tokio::time::sleep(time).await;
            server.kill();
        };
        join(sampling, killing).await;
        let server = Server::undisturbed(&data, &template.directory);
        let http = Client::new(&template.key);
        for (id, told) in told.into_inner().expect("no panic") {
            let url = format!("{}/v1/preview/sessions/{id}", server.root);
            let (status, session) = http.call("GET", &url, None).await.expect("an answer");
            let stored = session["num_generations"].as_u64();
            assert_eq!(status, 200, "a session is lost: {session}");
            // The last one may be stored without its answer.
            assert!(stored == Some(told) || stored == Some(told + 1), "{told} answers, {stored:?} generations");
            assert_eq!(session["generations"].as_array().map(|list| list.len() as u64), stored);
            acknowledged += told;
        }
        server.kill();
    }
    figure("kills of a server that records sessions, SQLite", 3 * scale());
    assert!(acknowledged > 3, "hardly anything was sampled: {acknowledged}");
}
