//! What a key may do, and what it is told when it may not.

use std::process::Command;
use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, answer, http, row, text};
use crate::time_limits::Limited;

/// A new key with limits, made by the program while the service runs.
async fn key(service: &TestService, limits: &[&str]) -> String {
    let shown = keys(service, &[&["create", "--entity", "acme", "--name", "limited"], limits].concat()).await;
    shown.trim_end().to_owned()
}

/// Runs `trainyard keys` on the data of a service.
async fn keys(service: &TestService, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainyard"));
    command.arg("keys").args(arguments).arg("--data-dir").arg(service.directory.path().join("data"));
    let output = tokio::task::spawn_blocking(move || command.output_limited()).await.expect("no panic");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    if arguments[0] == "limit" {
        // A running server learns of a new limit within this time.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    String::from_utf8(output.stdout).expect("text")
}

async fn send(service: &TestService, key: &str, method: Method, path: &str, body: Option<Value>) -> Response {
    let mut request = http().request(method, format!("{}{path}", service.root)).bearer_auth(key);
    if let Some(body) = body {
        request = request.json(&body);
    }
    request.send().await.expect("an answer")
}

/// A header of an answer; empty if there is none.
fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).map(|value| value.to_str().expect("text").to_owned()).unwrap_or_default()
}

/// The error of an answer that must have this status.
async fn rejected(response: Response, status: u16, code: &str) -> Value {
    assert_eq!(response.status().as_u16(), status);
    let retry_after = header(&response, "retry-after");
    assert!(status != 429 || retry_after.parse::<u64>().is_ok_and(|seconds| seconds >= 1), "{retry_after:?}");
    let error = response.json::<Value>().await.expect("JSON")["error"].clone();
    assert_eq!(error["code"], code, "{error}");
    error
}

fn question(max_tokens: u64) -> Value {
    json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "hello" }], "max_tokens": max_tokens })
}

const CHAT: &str = "/inference/v1/chat/completions";
const RESPONSES: &str = "/v1/responses";
const MODELS: &str = "/v1/preview/models";

#[tokio::test]
async fn requests_of_a_minute_are_counted_for_each_key() {
    let service = TestService::start().await;
    let limited = key(&service, &["--requests-per-minute", "3"]).await;
    for left in ["2", "1", "0"] {
        let response = send(&service, &limited, Method::GET, MODELS, None).await;
        assert_eq!(response.status(), 200);
        assert_eq!(header(&response, "x-ratelimit-limit-requests"), "3");
        assert_eq!(header(&response, "x-ratelimit-remaining-requests"), left);
        assert!(header(&response, "x-ratelimit-reset-requests").ends_with('s'));
        assert_eq!(header(&response, "x-ratelimit-limit-tokens"), "", "it has no such limit");
    }
    let response = send(&service, &limited, Method::POST, CHAT, Some(question(1))).await;
    assert_eq!(header(&response, "x-ratelimit-remaining-requests"), "0");
    let error = rejected(response, 429, "requests_per_minute_exceeded").await;
    assert_eq!(error["type"], "rate_limit_error");
    assert!(text(&error["message"]).contains("3 requests a minute"), "{error}");
    // Nobody else waits, and what the operator allows counts soon.
    let other = send(&service, &service.key, Method::GET, MODELS, None).await;
    assert_eq!((other.status().as_u16(), header(&other, "x-ratelimit-limit-requests")), (200, String::new()));
    keys(&service, &["limit", &limited[limited.len() - 4..], "--requests-per-minute", "none"]).await;
    assert_eq!(send(&service, &limited, Method::GET, MODELS, None).await.status(), 200);
    service.stop().await;
}

#[tokio::test]
async fn tokens_of_a_minute_and_of_a_month_are_counted() {
    let service = TestService::start().await;
    let limited = key(&service, &["--tokens-per-minute", "1000", "--tokens-per-month", "60"]).await;
    let response = send(&service, &limited, Method::POST, CHAT, Some(question(20))).await;
    assert_eq!(header(&response, "x-ratelimit-limit-tokens"), "1000");
    let left: u64 = header(&response, "x-ratelimit-remaining-tokens").parse().expect("a number");
    let used = response.json::<Value>().await.expect("JSON")["usage"].clone();
    assert_eq!(left, 1000 - 20 - used["prompt_tokens"].as_u64().expect("a count"), "the longest answer is set aside");
    // More than is left makes the next one wait.
    let large = send(&service, &limited, Method::POST, CHAT, Some(question(5000))).await;
    assert_eq!((large.status().as_u16(), header(&large, "x-ratelimit-remaining-tokens")), (200, "0".to_owned()));
    drop(large);
    // Used up: also for training, and no client is to try again by itself.
    let mut asked = 0;
    let spent = loop {
        let response = send(&service, &limited, Method::POST, CHAT, Some(question(20))).await;
        if response.status() == 429 && header(&response, "x-should-retry") == "false" {
            break response;
        }
        asked += 1;
        assert!(asked < 200, "{}", response.status());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    let error = rejected(spent, 429, "insufficient_quota").await;
    assert!(text(&error["message"]).contains("60 tokens a month"), "{error}");
    let model = service.model("agent").await;
    let body = json!({ "model_id": model.id, "trajectory_groups": [] });
    let job = send(&service, &limited, Method::POST, "/v1/preview/training-jobs", Some(body.clone())).await;
    rejected(job, 429, "insufficient_quota").await;
    assert_eq!(send(&service, &limited, Method::GET, MODELS, None).await.status(), 200, "looking costs nothing");
    assert_eq!(send(&service, &service.key, Method::POST, "/v1/preview/training-jobs", Some(body)).await.status(), 200);
    service.stop().await;
}

#[tokio::test]
async fn completions_count_as_chat_does() {
    let service = TestService::start().await;
    let limited = key(&service, &["--tokens-per-minute", "1000", "--requests-per-minute", "2"]).await;
    let body = json!({ "model": SEEDLING, "prompt": ["hello", "yes"], "n": 2, "max_tokens": 20 });
    let response = send(&service, &limited, Method::POST, "/v1/completions", Some(body.clone())).await;
    let left: u64 = header(&response, "x-ratelimit-remaining-tokens").parse().expect("a number");
    let used = response.json::<Value>().await.expect("JSON")["usage"].clone();
    assert_eq!(left, 1000 - 4 * 20 - used["prompt_tokens"].as_u64().expect("a count"), "the longest are set aside");
    assert_eq!(send(&service, &limited, Method::POST, "/v1/completions", Some(body.clone())).await.status(), 200);
    let third = send(&service, &limited, Method::POST, "/v1/completions", Some(body)).await;
    rejected(third, 429, "requests_per_minute_exceeded").await;
    service.stop().await;
}

#[tokio::test]
async fn responses_count_like_chat() {
    let service = TestService::start().await;
    let limited = key(&service, &["--tokens-per-minute", "1000"]).await;
    let mut body = json!({ "model": SEEDLING, "input": "hello", "max_output_tokens": 20 });
    let whole = send(&service, &limited, Method::POST, RESPONSES, Some(body.clone())).await;
    assert_eq!(header(&whole, "x-ratelimit-limit-tokens"), "1000");
    let left: u64 = header(&whole, "x-ratelimit-remaining-tokens").parse().expect("a number");
    let used = whole.json::<Value>().await.expect("JSON")["usage"].clone();
    let [input, output] = ["input_tokens", "output_tokens"].map(|field| used[field].as_u64().expect("a count"));
    // The longest answer is set aside; a minute gives some back meanwhile.
    let aside = 1000 - 20 - input;
    assert!((aside..=1000 - input).contains(&left), "{left}: {used}");
    body["stream"] = json!(true);
    let streamed = send(&service, &limited, Method::POST, RESPONSES, Some(body.clone())).await;
    let left: u64 = header(&streamed, "x-ratelimit-remaining-tokens").parse().expect("a number");
    assert!((aside - input - output..=1000 - input).contains(&left), "{left}: {used}");
    drop(streamed);
    let limited = key(&service, &["--requests-per-minute", "1"]).await;
    assert_eq!(send(&service, &limited, Method::POST, RESPONSES, Some(body.clone())).await.status(), 200);
    let rejection = send(&service, &limited, Method::POST, RESPONSES, Some(body)).await;
    rejected(rejection, 429, "requests_per_minute_exceeded").await;
    service.stop().await;
}

#[tokio::test]
async fn answers_under_way_are_counted_until_they_end() {
    let service = TestService::start().await;
    let limited = key(&service, &["--streams", "1", "--tokens-per-minute", "10"]).await;
    // Of an answer that nobody reads to its end, what is not used is given back.
    let mut long = question(4000);
    long["stream"] = json!(true);
    long["ignore_eos"] = json!(true);
    let first = send(&service, &limited, Method::POST, CHAT, Some(long)).await;
    assert_eq!(first.status(), 200);
    let second = send(&service, &limited, Method::POST, CHAT, Some(question(1))).await;
    rejected(second, 429, "tokens_per_minute_exceeded").await;
    let model = service.model("agent").await;
    let job = service.start_sft(&model, &[row("a?", "b")], json!(null)).await;
    let follow = format!("/v1/preview/training-jobs/{job}/events?wait=1");
    rejected(send(&service, &limited, Method::GET, &follow, None).await, 429, "streams_exceeded").await;
    drop(first);
    let mut tries = 0;
    while send(&service, &limited, Method::GET, &follow, None).await.status() != 200 {
        tries += 1;
        assert!(tries < 100, "the answer that was broken off still counts");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn jobs_and_bytes_of_a_key_are_limited() {
    let service = TestService::start_with(|settings| settings.worker = false).await;
    let limited = key(&service, &["--queued-jobs", "1", "--stored-bytes", "100"]).await;
    let model = service.model("agent").await;
    let body = json!({ "model_id": model.id, "trajectory_groups": [] });
    let jobs = "/v1/preview/training-jobs";
    let first = send(&service, &limited, Method::POST, jobs, Some(body.clone())).await.json::<Value>().await;
    let first = first.expect("JSON");
    rejected(send(&service, &limited, Method::POST, jobs, Some(body.clone())).await, 429, "queued_jobs_exceeded").await;
    let cancel = format!("{jobs}/{}/cancel", text(&first["id"]));
    assert_eq!(send(&service, &limited, Method::POST, &cancel, None).await.status(), 200);
    assert_eq!(send(&service, &limited, Method::POST, jobs, Some(body)).await.status(), 200);

    let upload = async |bytes: usize| {
        let part = reqwest::multipart::Part::bytes(vec![b'x'; bytes]).file_name("rows.jsonl");
        let form = reqwest::multipart::Form::new().text("purpose", "fine-tune").part("file", part);
        let request = http().post(format!("{}/v1/files", service.root)).bearer_auth(&limited);
        request.multipart(form).send().await.expect("an answer")
    };
    let kept = upload(60).await.json::<Value>().await.expect("JSON");
    let error = rejected(upload(41).await, 409, "stored_bytes_exceeded").await;
    assert!(text(&error["message"]).contains("100 bytes of files and has 60"), "{error}");
    let path = format!("/v1/files/{}", text(&kept["id"]));
    assert_eq!(send(&service, &limited, Method::DELETE, &path, None).await.status(), 200);
    assert_eq!(upload(100).await.status(), 200);
    let listed = keys(&service, &["list"]).await;
    assert!(listed.contains("1 queued jobs, 100 stored bytes"), "{listed}");
    let all = answer(service.request(Method::GET, "/v1/files")).await.ok();
    assert_eq!(all["data"].as_array().map(Vec::len), Some(1), "what was refused is not kept");
    service.stop().await;
}
