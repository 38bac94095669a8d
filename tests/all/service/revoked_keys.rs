//! Streams and answers that are under way when their key is revoked.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use trainyard::auth::{create_key, revoke_key};
use trainyard::server::open_metadata;
use uuid::Uuid;

use crate::support::process::{Process, Site};
use crate::support::{SEEDLING, TestService, answer, http, merge, row, text};

/// A key of `acme`, with its id.
async fn key(service: &TestService) -> (String, Uuid) {
    let metadata = open_metadata(&service.directory.path().join("data"), None).await.expect("the database");
    let (key, record) = create_key(&*metadata, "acme", "short lived").await.expect("a key");
    (key.reveal().to_owned(), record.id)
}

/// Revokes a key as another process does: over a connection of its own.
async fn revoke(service: &TestService, id: Uuid) {
    let metadata = open_metadata(&service.directory.path().join("data"), None).await.expect("the database");
    revoke_key(&*metadata, &id.to_string()).await.expect("revoked");
}

async fn open(service: &TestService, key: &str, method: Method, path: &str, body: &Value) -> Response {
    let request = http().request(method, format!("{}{path}", service.root)).bearer_auth(key);
    let request = request.header("accept", "text/event-stream");
    let request = if body.is_null() { request } else { request.json(body) };
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), 200, "{path}");
    response
}

/// The error event that ends a stream, which must end in time.
async fn ending(response: Response, path: &str) -> Value {
    let read = tokio::time::timeout(Duration::from_secs(60), response.text()).await;
    let read = read.unwrap_or_else(|_| panic!("{path} stays open")).expect("text");
    let events: Vec<&str> = read.split_terminator("\n\n").filter(|event| *event != "data: [DONE]").collect();
    let last = events.last().and_then(|event| event.strip_prefix("data: ")).unwrap_or_else(|| panic!("{path}: {read}"));
    let error: Value = serde_json::from_str(last).unwrap_or_else(|error| panic!("{path}: {error}: {last}"));
    assert_eq!(error["error"]["type"], "authentication_error", "{path}: {last}");
    error["error"].clone()
}

#[tokio::test]
async fn a_stream_of_events_ends_with_its_key() {
    // Nobody works on the job, so its events never end.
    let service = TestService::start_with(|settings| settings.worker = false).await;
    let model = service.model("agent").await;
    let job = service.start_sft(&model, &[row("a?", "b")], json!(null)).await;
    let path = format!("/v1/preview/training-jobs/{job}/events");
    let ((revoked, id), (kept, _)) = (key(&service).await, key(&service).await);
    let ends = open(&service, &revoked, Method::GET, &path, &Value::Null).await;
    let again = open(&service, &revoked, Method::GET, &path, &Value::Null).await;
    let mut stays = open(&service, &kept, Method::GET, &path, &Value::Null).await.bytes_stream();
    revoke(&service, id).await;
    for stream in [ends, again] {
        let error = ending(stream, &path).await;
        assert_eq!(error["code"], "invalid_api_key");
        assert!(text(&error["message"]).contains("revoked"), "{error}");
    }
    let more = tokio::time::timeout(Duration::from_millis(1500), async {
        while let Some(chunk) = stays.next().await {
            let chunk = chunk.expect("bytes");
            assert!(!String::from_utf8_lossy(&chunk).contains("error"), "{chunk:?}");
        }
    });
    assert!(more.await.is_err(), "the stream of another key stays open");
    service.stop().await;
}

/// Asks with a key again and again for a second, so that the server knows it at the end.
async fn keep_using(server: &Process, key: &str) {
    let http = http();
    let using = async {
        loop {
            answer(http.get(format!("{}/v1/preview/models", server.root)).bearer_auth(key)).await;
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), using).await;
}

#[tokio::test]
async fn every_server_of_a_store_rejects_a_revoked_key_within_a_second() {
    let site = Site::new();
    let servers = [0, 1].map(|_| Process::serve(site.path(), &["--no-worker"]));
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let (revoked, record) = create_key(&*metadata, "acme", "short lived").await.expect("a key");
    let ask = async |server: &Process, key: &str| {
        answer(http().get(format!("{}/v1/preview/models", server.root)).bearer_auth(key)).await
    };
    for server in &servers {
        ask(server, revoked.reveal()).await.ok();
        ask(server, &site.key).await.ok();
    }
    revoke_key(&*metadata, &record.id.to_string()).await.expect("revoked");
    tokio::join!(keep_using(&servers[0], revoked.reveal()), keep_using(&servers[1], revoked.reveal()));
    for server in servers {
        let error = ask(&server, revoked.reveal()).await.rejected(401);
        assert_eq!(error["code"], "invalid_api_key");
        ask(&server, &site.key).await.ok();
        server.stop();
    }
}

#[tokio::test]
async fn completions_end_with_their_key() {
    let service = TestService::start_with(|settings| settings.cache_bytes = 256 << 20).await;
    let long = json!({ "model": SEEDLING, "stream": true, "logit_bias": { "2": -100 }, "n": 32 });
    let messages = json!([{ "role": "user", "content": "say something" }]);
    // Far more than fits into the buffers between server and client, so that the stream is open until it is read.
    let chat = json!({ "messages": messages, "max_tokens": 4000, "logprobs": true, "top_logprobs": 20 });
    let completion = json!({ "prompt": "say something", "max_tokens": 4000, "logprobs": 5 });
    for (path, body) in [("/v1/chat/completions", chat), ("/v1/completions", completion)] {
        let mut asked = long.clone();
        for (name, value) in body.as_object().expect("an object") {
            asked[name] = value.clone();
        }
        let (key, id) = key(&service).await;
        let response = open(&service, &key, Method::POST, path, &asked).await;
        revoke(&service, id).await;
        assert_eq!(ending(response, path).await["code"], "invalid_api_key");
    }
    service.stop().await;
}

#[tokio::test]
async fn answers_that_are_not_streamed_end_with_their_key() {
    let service = TestService::start_with(|settings| settings.cache_bytes = 256 << 20).await;
    // Half a million tokens take far longer than a second.
    let long = json!({ "model": SEEDLING, "logit_bias": { "2": -100 }, "n": 128, "max_tokens": 4000 });
    let messages = json!([{ "role": "user", "content": "say something" }]);
    for (path, body) in [
        ("/v1/chat/completions", json!({ "messages": messages })),
        ("/v1/completions", json!({ "prompt": "say something" })),
    ] {
        let mut asked = long.clone();
        merge(&mut asked, body);
        let (key, id) = key(&service).await;
        let answer = tokio::spawn(answer(service.request_as(&key, Method::POST, path).json(&asked)));
        tokio::time::sleep(Duration::from_millis(300)).await;
        let revoked = Instant::now();
        revoke(&service, id).await;
        let error = answer.await.expect("an answer").rejected(401);
        assert_eq!(error["code"], "invalid_api_key", "{path}");
        println!("{path} ended {:?} after its key was revoked", revoked.elapsed());
    }
    // Nothing computes any further.
    service.chat(SEEDLING, "say something", json!({ "max_tokens": 1 })).await;
    service.stop().await;
}

#[tokio::test]
async fn a_response_ends_with_its_key() {
    let service = TestService::start().await;
    // The grammar lets the answer end after all of its tokens only. Some megabytes of them are more than sockets hold, so
    // the stream is open until it is read.
    let items = json!({ "type": "array", "items": { "type": "string" }, "minItems": 3000 });
    let asked = json!({
        "model": SEEDLING, "stream": true, "input": "say something", "max_output_tokens": 4000, "top_logprobs": 20,
        "text": { "format": { "type": "json_schema", "name": "list", "schema": items } },
    });
    let path = "/v1/responses";
    let ((revoked, id), (kept, _)) = (key(&service).await, key(&service).await);
    let ends = open(&service, &revoked, Method::POST, path, &asked).await;
    let stays = open(&service, &kept, Method::POST, path, &asked).await;
    revoke(&service, id).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(ending(ends, path).await["code"], "invalid_api_key");
    let whole = stays.text().await.expect("text");
    assert!(whole.contains("event: response.incomplete"), "the stream of another key goes on to its end");
    service.stop().await;
}
