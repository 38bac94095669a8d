//! The service around its operations: keys, entities, usage, addresses, request ids, clients that go away.

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use trainyard::client::types::ModelCreate;
use trainyard::client::{Client, from_json};
use trainyard::server::Service;

use crate::support::process::{Process, Site};
use crate::support::{SEEDLING, TestService, answer, end, http, settings, text};
use crate::time_limits::Limited;

fn hello(extra: Value) -> Value {
    let mut body = json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "hello" }], "max_tokens": 3 });
    if let (Value::Object(body), Value::Object(extra)) = (&mut body, extra) {
        body.extend(extra);
    }
    body
}

/// Output of `trainyard usage --json`, once it holds `requests` requests in all.
async fn usage(service: &TestService, requests: i64) -> Vec<Value> {
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end {
        let output = Command::new(env!("CARGO_BIN_EXE_trainyard"))
            .args(["usage", "--json", "--data-dir"])
            .arg(service.directory.path().join("data"))
            .output_limited();
        let rows: Vec<Value> = match output.stdout.as_slice() {
            b"" => Vec::new(),
            text => serde_json::from_slice(text).expect("JSON"),
        };
        if rows.iter().map(|row| row["requests"].as_i64().expect("a count")).sum::<i64>() >= requests {
            return rows;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("usage never showed {requests} requests");
}

#[tokio::test]
async fn usage_is_recorded_by_key_project_and_model() {
    let service = TestService::start().await;
    let model = service.model("used").await;
    let mut expected = [0, 0];
    for (header, model) in
        [("Vendor-Project", SEEDLING), ("OpenAI-Project", SEEDLING), ("Vendor-Project", model.name.as_str())]
    {
        let request = service.request(Method::POST, "/v1/chat/completions").header(header, "team/apollo");
        let completion = answer(request.json(&hello(json!({ "model": model })))).await.ok();
        if model == SEEDLING {
            expected[0] += completion["usage"]["prompt_tokens"].as_i64().expect("a count");
            expected[1] += completion["usage"]["completion_tokens"].as_i64().expect("a count");
        }
    }
    service.send_as(&service.rival_key, Method::POST, "/v1/chat/completions", Some(&hello(json!({})))).await.ok();
    let rows = usage(&service, 4).await;
    assert_eq!(rows.len(), 3, "{rows:?}");
    let of = |entity: &str, model: &str| {
        let found = rows.iter().find(|row| row["entity"] == entity && row["model"] == model);
        found.unwrap_or_else(|| panic!("no usage of {model} by {entity}: {rows:?}")).clone()
    };
    let base = of("acme", SEEDLING);
    assert_eq!((&base["project"], &base["requests"]), (&json!("team/apollo"), &json!(2)));
    assert_eq!([&base["prompt_tokens"], &base["completion_tokens"]], [&json!(expected[0]), &json!(expected[1])]);
    assert_eq!(of("acme", &model.name)["project"], "team/apollo");
    assert_eq!(of("rival", SEEDLING)["project"], "");
}

#[tokio::test]
async fn a_client_that_goes_away_stops_its_generation() {
    let service = TestService::start().await;
    // The token that ends a turn is forbidden, so that only going away ends the answer early.
    let completion = service.chat(SEEDLING, "hello", json!({ "temperature": 0 })).await;
    let entries = completion["choices"][0]["logprobs"]["content"].as_array().expect("logprobs").clone();
    let last = text(&entries.last().expect("a token")["token"]).trim_start_matches("token_id:").to_owned();
    let limit = 1500;
    let body = hello(json!({ "stream": true, "max_tokens": limit, "logit_bias": { last: -100 } }));
    let response = service.request(Method::POST, "/v1/chat/completions").json(&body).send().await.expect("an answer");
    let mut chunks = response.bytes_stream();
    chunks.next().await.expect("a chunk").expect("bytes");
    drop(chunks);
    let rows = usage(&service, 2).await;
    let generated: i64 = rows.iter().map(|row| row["completion_tokens"].as_i64().expect("a count")).sum();
    assert!(generated < limit, "all {generated} tokens were generated for nobody");
}

#[tokio::test]
async fn objects_of_others_respond_like_missing_ones() {
    let service = TestService::start().await;
    let model = service.model("private").await;
    let job = service.start_rl(&model, json!([]), json!(null)).await;
    service.finished(&job).await;
    let absent = "00000000-0000-7000-8000-000000000000";
    let steps = json!({ "steps": [0] });
    let log = json!({ "split": "val", "trajectory_groups": [] });
    let rl = |id: &str| json!({ "model_id": id, "trajectory_groups": [] });
    let sft = |id: &str| json!({ "model_id": id, "training_data_url": "https://example.com/x" });
    let requests = |model: &str, job: &str| {
        vec![
            (Method::DELETE, format!("/v1/preview/models/{model}"), None),
            (Method::GET, format!("/v1/preview/models/{model}/checkpoints"), None),
            (Method::DELETE, format!("/v1/preview/models/{model}/checkpoints"), Some(steps.clone())),
            (Method::POST, format!("/v1/preview/models/{model}/log"), Some(log.clone())),
            (Method::POST, "/v1/preview/training-jobs".to_owned(), Some(rl(model))),
            (Method::POST, "/v1/preview/sft-training-jobs".to_owned(), Some(sft(model))),
            (Method::GET, format!("/v1/preview/training-jobs/{job}"), None),
            (Method::GET, format!("/v1/preview/training-jobs/{job}/events"), None),
        ]
    };
    for (foreign, missing) in requests(&model.id, &job).into_iter().zip(requests(absent, absent)) {
        let (method, path, body) = foreign;
        let theirs = service.send_as(&service.rival_key, method.clone(), &path, body.as_ref()).await.rejected(404);
        let nobodys = service.send_as(&service.rival_key, method, &missing.1, missing.2.as_ref()).await.rejected(404);
        assert_eq!(theirs, nobodys, "{path}");
    }
    let chat = hello(json!({ "model": model.name }));
    service.send_as(&service.rival_key, Method::POST, "/v1/chat/completions", Some(&chat)).await.rejected(404);
    let claim = json!({ "entity": "acme", "project": "p", "name": "n", "base_model": SEEDLING });
    service.send_as(&service.rival_key, Method::POST, "/v1/preview/models", Some(&claim)).await.rejected(403);
    let list = service.send_as(&service.rival_key, Method::GET, "/inference/v1/models", None).await.ok();
    assert!(!list.to_string().contains("private"), "{list}");
    assert_eq!(service.steps(&model).await, [0, 1], "nothing of it was touched");
}

#[tokio::test]
async fn the_inference_api_can_have_an_address_of_its_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let settings = settings(&directory);
    let service = Service::open(&settings, &mut |_, _, _| {}).await.expect("the service starts");
    let key = service.first_key().await.expect("the store works").expect("the first start makes a key");
    assert!(service.first_key().await.expect("the store works").is_none(), "only the first start makes one");
    let mut listeners = Vec::new();
    for _ in 0..2 {
        listeners.push(TcpListener::bind("127.0.0.1:0").await.expect("a free port"));
    }
    let [main, inference] =
        [&listeners[0], &listeners[1]].map(|listener| format!("http://{}", listener.local_addr().expect("an address")));
    let (stop, stopped) = watch::channel(false);
    let second = listeners.pop();
    let task = tokio::spawn(service.run(listeners.remove(0), second, stopped));
    let http = http();
    let get = async |url: String| answer(http.get(url).bearer_auth(key.reveal())).await;
    // By itself: the document has another operation at this path of the service's own address.
    let listed = http.get(format!("{inference}/v1/models")).bearer_auth(key.reveal()).send().await.expect("an answer");
    assert_eq!(listed.json::<Value>().await.expect("JSON")["data"][0]["id"], SEEDLING);
    get(format!("{main}/inference/v1/models")).await.rejected(404);
    get(format!("{inference}/v1/health")).await.rejected(404);
    answer(http.post(format!("{inference}/v1/chat/completions")).bearer_auth(key.reveal()).json(&hello(json!({}))))
        .await
        .ok();
    stop.send(true).expect("it runs");
    end(task).await;
}

#[tokio::test]
async fn a_data_directory_has_one_server() {
    let service = TestService::start().await;
    let second = Service::open(&settings(&service.directory), &mut |_, _, _| {}).await;
    let error = second.err().expect("the directory is in use").to_string();
    assert!(error.contains("another server"), "{error}");
}

#[tokio::test]
async fn the_document_is_served_and_printed() {
    let service = TestService::start().await;
    let served = service.get("/openapi.json").await.ok();
    let printed = Command::new(env!("CARGO_BIN_EXE_trainyard")).args(["spec", "--format", "json"]).output_limited();
    let printed: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    assert_eq!(served, printed);
    assert_eq!(served["info"]["version"], "0.1.0");
    let health = &served["paths"]["/health"]["get"];
    assert_eq!((&health["operationId"], &health["security"]), (&json!("read_root_health_get"), &json!([])));
}

#[tokio::test]
async fn a_request_keeps_its_id() {
    let service = TestService::start().await;
    let named = service.request(Method::GET, "/v1/health").header("x-request-id", "trace-17");
    let response = named.send().await.expect("an answer");
    assert_eq!(response.headers()["x-request-id"], "trace-17");
    // What could break a log line is not taken over.
    let odd = service.request(Method::GET, "/nowhere").header("x-request-id", "a b{}");
    let response = odd.send().await.expect("an answer");
    assert!(response.headers()["x-request-id"].to_str().expect("text").starts_with("req_"));
}

#[tokio::test]
async fn every_part_is_checked() {
    let service = TestService::start().await;
    let check = service.get("/v1/system-check").await.ok();
    assert_eq!((&check["api"], &check["database"]), (&json!(true), &json!(true)));
    let parts = ["cpu_queue", "gpu_queue", "artifacts", "disk"];
    for part in parts {
        assert_eq!(check[part]["success"], json!(true), "{check}");
        assert!(check[part]["duration"].as_f64().is_some_and(|seconds| seconds < 1.0), "{check}");
    }
    // Artifacts that cannot be written are a reason.
    let artifacts = service.directory.path().join("data/artifacts");
    std::fs::rename(&artifacts, artifacts.with_extension("away")).expect("it is ours");
    std::fs::write(&artifacts, "no directory").expect("writable");
    let answer = service.get("/v1/system-check").await;
    assert_eq!(answer.status.as_u16(), 503);
    let check = answer.body;
    assert_eq!((&check["artifacts"]["success"], &check["database"]), (&json!(false), &json!(true)), "{check}");
    assert!(text(&check["artifacts"]["errors"][0]).contains("artifact"), "{check}");
    std::fs::remove_file(&artifacts).expect("it is ours");
    std::fs::rename(artifacts.with_extension("away"), &artifacts).expect("it is ours");
    // A sweep that ran meanwhile has failed, and is a reason until it is tried again.
    while service.get("/v1/system-check").await.status.as_u16() != 200 {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn a_program_that_computed_for_long_sends_its_next_request() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let client = Client::builder().base_url(&server.root).api_key(&site.key).build().expect("a client");
    let model = |name: &str| -> ModelCreate {
        from_json(json!({ "project": "p", "name": name, "base_model": SEEDLING })).expect("a body")
    };
    client.create_model(&model("before")).await.expect("a model");
    // The server closes the idle connection meanwhile, which nobody on this thread sees.
    std::thread::sleep(Duration::from_secs(31));
    client.create_model(&model("after")).await.expect("another model");
}
