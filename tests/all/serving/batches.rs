//! Batches: the responses of live requests, in files, each once.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::contract::requests::database;
use crate::support::{SEEDLING, TestService, text};

const CHAT: &str = "/v1/chat/completions";

fn line(id: &str, url: &str, body: &Value) -> String {
    json!({ "custom_id": id, "method": "POST", "url": url, "body": body }).to_string() + "\n"
}

fn question(seed: usize, max_tokens: usize) -> Value {
    json!({
        "model": SEEDLING, "messages": [{ "role": "user", "content": format!("Say {seed}.") }], "seed": seed,
        "max_tokens": max_tokens, "temperature": 1, "logit_bias": { "2": -100 },
    })
}

async fn create(service: &TestService, endpoint: &str, content: String) -> Value {
    let file = service.upload("batch", "requests.jsonl", content).await;
    let body = json!({ "input_file_id": file, "endpoint": endpoint, "completion_window": "24h" });
    service.post("/v1/batches", &body).await.ok()
}

/// The state of a batch that has ended, or that has handled so many requests.
async fn ended(service: &TestService, batch: &Value, or_handled: u64) -> Value {
    let path = format!("/v1/batches/{}", text(&batch["id"]));
    let begun = Instant::now();
    loop {
        let batch = service.get(&path).await.ok();
        let is_final = ["completed", "failed", "expired", "cancelled"].contains(&text(&batch["status"]));
        if is_final || batch["request_counts"]["completed"].as_u64() >= Some(or_handled) {
            return batch;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{batch}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The lines of a file of a batch; none without the file.
async fn lines(service: &TestService, file: &Value) -> Vec<Value> {
    let Some(id) = file.as_str() else { return Vec::new() };
    let content = service.request(Method::GET, &format!("/v1/files/{id}/content")).send().await.expect("an answer");
    let content = content.text().await.expect("a text");
    assert_eq!(service.get(&format!("/v1/files/{id}")).await.ok()["purpose"], "batch_output");
    content.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn ids(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| text(&line["custom_id"])).collect()
}

#[tokio::test]
async fn a_batch_has_the_responses_of_live_requests_in_the_order_of_its_lines() {
    let service = TestService::start().await;
    let mut content = String::new();
    for number in 0..20 {
        let mut body = question(number, 8);
        if number % 5 == 3 {
            body["temperature"] = json!(9);
        }
        content += &line(&format!("line {number}"), CHAT, &body);
    }
    let batch = create(&service, CHAT, content).await;
    assert_eq!((&batch["status"], &batch["request_counts"]["total"]), (&json!("validating"), &json!(0)));
    let batch = ended(&service, &batch, u64::MAX).await;
    assert_eq!(batch["status"], "completed", "{batch}");
    assert_eq!(batch["request_counts"], json!({ "total": 20, "completed": 16, "failed": 4 }));
    let (output, failures) =
        (lines(&service, &batch["output_file_id"]).await, lines(&service, &batch["error_file_id"]).await);
    let wanted = |is_failed: bool| (0..20).filter(move |number| (number % 5 == 3) == is_failed);
    let names = |is_failed| wanted(is_failed).map(|number| format!("line {number}")).collect::<Vec<_>>();
    assert_eq!(ids(&output), names(false));
    assert_eq!(ids(&failures), names(true));
    for (line, number) in output.iter().zip(wanted(false)) {
        let live = service.post(CHAT, &question(number, 8)).await.ok();
        let (response, body) = (&line["response"], &line["response"]["body"]);
        assert_eq!((&response["status_code"], &line["error"]), (&json!(200), &Value::Null));
        assert!(text(&response["request_id"]).starts_with("req_"));
        assert_eq!(body["choices"], live["choices"], "the same bits as a live request");
    }
    for line in &failures {
        assert_eq!(line["response"]["status_code"], 422);
        assert_eq!(line["response"]["body"]["error"]["param"], "temperature", "{line}");
    }
    assert_eq!(batch["usage"]["output_tokens"], 16 * 8);
    let requests = || async {
        let usage = service.get("/v1/preview/usage").await.ok();
        let sums = usage["data"].as_array().into_iter().flatten();
        sums.filter_map(|sum| sum["requests"].as_u64()).sum::<u64>()
    };
    // Written off the path of the requests.
    let begun = Instant::now();
    while requests().await != 32 {
        assert!(begun.elapsed() < Duration::from_secs(20), "batches and live requests are both counted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn every_dialect_has_batches() {
    let service = TestService::start().await;
    let message = json!([{ "role": "user", "content": "hi" }]);
    let bodies = BTreeMap::from([
        ("/v1/completions", json!({ "model": SEEDLING, "prompt": ["a", "b"], "max_tokens": 2 })),
        ("/v1/messages", json!({ "model": SEEDLING, "messages": message, "max_tokens": 2 })),
        ("/v1/responses", json!({ "model": SEEDLING, "input": "hi", "max_output_tokens": 2 })),
    ]);
    for (endpoint, body) in bodies {
        let mut slip = body.clone();
        slip["model"] = json!("nobody/knows");
        let batch = create(&service, endpoint, line("one", endpoint, &body) + &line("two", endpoint, &slip)).await;
        let batch = ended(&service, &batch, u64::MAX).await;
        assert_eq!(batch["request_counts"], json!({ "total": 2, "completed": 1, "failed": 1 }), "{endpoint}");
        assert!(batch["usage"]["output_tokens"].as_u64() > Some(0), "{batch}");
        let failure = lines(&service, &batch["error_file_id"]).await.remove(0);
        assert_eq!(failure["response"]["status_code"], 404, "{failure}");
        let is_anthropic = failure["response"]["body"]["type"] == "error";
        assert_eq!(is_anthropic, endpoint == "/v1/messages", "{failure}");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_hostile_file_fails_with_the_numbers_of_its_lines() {
    let service = TestService::start().await;
    let good = question(1, 1);
    let content = [
        line("a", CHAT, &good),
        "not JSON\n".to_owned(),
        line("a", CHAT, &good),
        line("b", "/v1/responses", &good),
        line("c", CHAT, &json!({ "messages": [] })),
        line("d", CHAT, &json!({ "model": SEEDLING, "stream": true })),
    ];
    let batch = create(&service, CHAT, content.concat()).await;
    let batch = ended(&service, &batch, u64::MAX).await;
    assert_eq!((&batch["status"], &batch["output_file_id"]), (&json!("failed"), &Value::Null));
    assert!(batch["failed_at"].is_i64() && batch["completed_at"].is_null());
    let faults = batch["errors"]["data"].as_array().expect("faults");
    let faults: Vec<_> = faults.iter().map(|fault| (fault["line"].as_u64(), text(&fault["code"]))).collect();
    let expected = [
        (Some(2), "invalid_json_line"),
        (Some(3), "duplicate_custom_id"),
        (Some(4), "mismatched_endpoint"),
        (Some(5), "missing_required_parameter"),
        (Some(6), "invalid_request"),
    ];
    assert_eq!(faults, expected);
    let empty = ended(&service, &create(&service, CHAT, "\n \n".to_owned()).await, u64::MAX).await;
    assert_eq!(empty["errors"]["data"][0]["code"], "empty_file");
    let file = service.upload("user_data", "requests.jsonl", "").await;
    for (file, status) in [(file.as_str(), 422), ("file-1", 404)] {
        let body = json!({ "input_file_id": file, "endpoint": CHAT, "completion_window": "24h" });
        let rejected = service.post("/v1/batches", &body).await;
        assert_eq!((rejected.status.as_u16(), &rejected.body["error"]["param"]), (status, &json!("input_file_id")));
    }
    service.stop().await;
}

#[tokio::test]
async fn a_cancelled_batch_keeps_its_responses_and_another_entitys_is_not_there() {
    let service = TestService::start().await;
    let content: String = (0..600).map(|number| line(&format!("{number}"), CHAT, &question(number, 200))).collect();
    let batch = create(&service, CHAT, content).await;
    let path = format!("/v1/batches/{}", text(&batch["id"]));
    for (method, path) in [(Method::GET, path.clone()), (Method::POST, format!("{path}/cancel"))] {
        assert_eq!(service.send_as(&service.rival_key, method, &path, None).await.status.as_u16(), 404);
    }
    assert_eq!(service.send_as(&service.rival_key, Method::GET, "/v1/batches", None).await.ok()["data"], json!([]));
    ended(&service, &batch, 3).await;
    // A live request waits for one line at most, not for the batch.
    let begun = Instant::now();
    service.post(CHAT, &question(1, 8)).await.ok();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let cancelled = service.post(&format!("{path}/cancel"), &Value::Null).await.ok();
    assert!(["cancelling", "cancelled"].contains(&text(&cancelled["status"])), "{cancelled}");
    let batch = ended(&service, &batch, u64::MAX).await;
    assert_eq!(batch["status"], "cancelled", "{batch}");
    assert!(batch["cancelled_at"].is_i64() && batch["cancelling_at"].is_i64());
    let output = lines(&service, &batch["output_file_id"]).await;
    let completed = batch["request_counts"]["completed"].as_u64().expect("a number");
    assert_eq!(output.len() as u64, completed);
    assert!((3..600).contains(&completed), "{completed}");
    let failures = lines(&service, &batch["error_file_id"]).await;
    assert!(failures.iter().all(|line| line["error"]["code"] == "batch_cancelled"), "the others say why");
    assert_eq!((output.len() + failures.len(), &batch["request_counts"]["failed"]), (600, &json!(failures.len())));
    assert_eq!(service.post(&format!("{path}/cancel"), &Value::Null).await.ok()["status"], "cancelled");
    service.stop().await;
}

#[tokio::test]
async fn an_expired_batch_says_which_requests_it_did_not_come_to() {
    let service = TestService::start().await;
    let mut content = line("bad", CHAT, &json!({ "model": SEEDLING, "messages": [], "seed": 1 }));
    content.extend((0..600).map(|number| line(&format!("{number}"), CHAT, &question(number, 200))));
    let batch = create(&service, CHAT, content).await;
    let mut database = database(&service).await;
    ended(&service, &batch, 1).await;
    // Its process has read the time limit already: the batch goes to the next.
    let late = "UPDATE batches SET expires_at = 1, lease_token = lease_token + 1, lease_deadline = 0";
    sqlx::query(late).execute(&mut database).await.expect("the batch is changed");
    let batch = ended(&service, &batch, u64::MAX).await;
    assert_eq!(batch["status"], "expired", "{batch}");
    let (output, failures) =
        (lines(&service, &batch["output_file_id"]).await, lines(&service, &batch["error_file_id"]).await);
    assert_eq!(output.len() + failures.len(), 601);
    assert_eq!(failures[0]["response"]["status_code"], 422);
    assert!(failures[1..].iter().all(|line| line["error"]["code"] == "batch_expired" && line["response"].is_null()));
    let numbers: Vec<usize> = ids(&failures)[1..].iter().map(|id| id.parse().expect("a number")).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    assert_eq!(batch["request_counts"]["failed"], failures.len());
    service.stop().await;
}

const MESSAGES: &str = "/v1/messages/batches";

fn message(id: &str, more: Value) -> Value {
    let mut params = json!({ "model": SEEDLING, "max_tokens": 4, "messages": [{ "role": "user", "content": id }] });
    params.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    json!({ "custom_id": id, "params": params })
}

/// The results of a batch of messages.
async fn results(service: &TestService, batch: &Value) -> Vec<Value> {
    let url = text(&batch["results_url"]);
    let path = url.strip_prefix(&service.root).unwrap_or_else(|| panic!("{url} is not at {}", service.root));
    let response = service.request(Method::GET, path).send().await.expect("an answer");
    assert_eq!(response.headers()["content-type"], "application/x-jsonl");
    let content = response.text().await.expect("a text");
    content.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

async fn ended_messages(service: &TestService, batch: &Value) -> Value {
    let begun = Instant::now();
    loop {
        let batch = service.get(&format!("{MESSAGES}/{}", text(&batch["id"]))).await.ok();
        if batch["processing_status"] == "ended" {
            return batch;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{batch}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn batches_of_messages_have_results_in_anthropics_form() {
    let service = TestService::start().await;
    let requests =
        [message("one", json!({})), message("two", json!({ "temperature": 9 })), message("three", json!({}))];
    let batch = service.post(MESSAGES, &json!({ "requests": requests })).await.ok();
    let all = json!({ "processing": 3, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0 });
    assert_eq!((&batch["processing_status"], &batch["request_counts"]), (&json!("in_progress"), &all));
    let ended = ended_messages(&service, &batch).await;
    let counts = json!({ "processing": 0, "succeeded": 2, "errored": 1, "canceled": 0, "expired": 0 });
    assert_eq!(ended["request_counts"], counts);
    let results = results(&service, &ended).await;
    assert_eq!(ids(&results), ["one", "three", "two"]);
    let sampled = &results[0]["result"];
    assert_eq!((&sampled["type"], &sampled["message"]["type"]), (&json!("succeeded"), &json!("message")));
    assert!((1..=4).contains(&sampled["message"]["usage"]["output_tokens"].as_u64().expect("a number")), "{sampled}");
    let failure = &results[2]["result"];
    assert_eq!((&failure["type"], &failure["error"]["type"]), (&json!("errored"), &json!("error")));
    assert_eq!(failure["error"]["error"]["type"], "invalid_request_error");
    // The other format has the same batch, and this one those of its endpoint.
    let same = format!("/v1/batches/{}", text(&batch["id"]).replace("msgbatch_", "batch_"));
    assert_eq!(service.get(&same).await.ok()["endpoint"], "/v1/messages");
    let chat = create(&service, CHAT, line("a", CHAT, &question(1, 1))).await;
    let other = format!("{MESSAGES}/{}", text(&chat["id"]).replace("batch_", "msgbatch_"));
    service.get(&other).await.rejected(404);
    // Newest first, in both directions.
    let second = service.post(MESSAGES, &json!({ "requests": [message("only", json!({}))] })).await.ok();
    let listed = async |query: &str| {
        let page = service.get(&format!("{MESSAGES}{query}")).await.ok();
        let ids: Vec<_> = page["data"].as_array().expect("a list").iter().map(|batch| batch["id"].clone()).collect();
        (ids, page["has_more"] == true)
    };
    let (older, newer) = (batch["id"].clone(), second["id"].clone());
    assert_eq!(listed("").await, (vec![newer.clone(), older.clone()], false));
    assert_eq!(listed("?limit=1").await, (vec![newer.clone()], true));
    assert_eq!(listed(&format!("?after_id={}", text(&newer))).await, (vec![older.clone()], false));
    assert_eq!(listed(&format!("?before_id={}", text(&older))).await, (vec![newer], false));
    let path = format!("{MESSAGES}/{}", text(&older));
    for (method, path) in [
        (Method::GET, path.clone()),
        (Method::GET, format!("{path}/results")),
        (Method::POST, format!("{path}/cancel")),
        (Method::DELETE, path.clone()),
    ] {
        let rejected = service.send_as(&service.rival_key, method, &path, None).await;
        assert_eq!((rejected.status.as_u16(), &rejected.body["type"]), (404, &json!("error")), "{path}");
    }
    // Deleted with its files.
    let files = service.get("/v1/files").await.ok()["data"].as_array().map_or(0, Vec::len);
    let deleted = service.send(Method::DELETE, &path, None).await.ok();
    assert_eq!(deleted, json!({ "id": older, "type": "message_batch_deleted" }));
    service.get(&path).await.rejected(404);
    ended_messages(&service, &second).await;
    let left = service.get("/v1/files").await.ok()["data"].as_array().map_or(0, Vec::len);
    assert!(left < files, "{left} of {files}");
    service.stop().await;
}

#[tokio::test]
async fn a_cancelled_batch_of_messages_says_which_requests_it_did_not_come_to() {
    let service = TestService::start().await;
    let requests: Vec<Value> =
        (0..300).map(|number| message(&number.to_string(), json!({ "max_tokens": 200 }))).collect();
    let batch = service.post(MESSAGES, &json!({ "requests": requests })).await.ok();
    let path = format!("{MESSAGES}/{}", text(&batch["id"]));
    assert_eq!(service.get(&format!("{path}/results")).await.rejected(409)["type"], "conflict_error");
    service.send(Method::DELETE, &path, None).await.rejected(409);
    let cancelled = service.post(&format!("{path}/cancel"), &Value::Null).await.ok();
    assert!(cancelled["cancel_initiated_at"].is_string(), "{cancelled}");
    let ended = ended_messages(&service, &batch).await;
    let results = results(&service, &ended).await;
    let count = |type_: &str| results.iter().filter(|line| line["result"]["type"] == type_).count();
    assert_eq!(results.len(), 300);
    assert!(count("canceled") > 0);
    let counts = &ended["request_counts"];
    assert_eq!((&counts["canceled"], &counts["succeeded"]), (&json!(count("canceled")), &json!(count("succeeded"))));
    service.stop().await;
}

#[tokio::test]
async fn requests_for_messages_that_cannot_be_queued_are_rejected() {
    let service = TestService::start().await;
    for (requests, param) in [
        (json!([]), "requests"),
        (json!([message("a", json!({})), message("a", json!({}))]), "requests[1].custom_id"),
        (json!([message("a", json!({ "model": 5 }))]), "requests[0].params.model"),
        (json!([message("a", json!({ "stream": true }))]), "requests[0].params.stream"),
        (json!([message(&"x".repeat(65), json!({}))]), "requests[0].custom_id"),
        (json!([message("a", json!({ "system": "x".repeat(9 << 20) }))]), "requests[0].params"),
    ] {
        let error = service.post(MESSAGES, &json!({ "requests": requests })).await.rejected(422);
        assert_eq!(error["param"], param, "{error}");
    }
    assert_eq!(service.get(MESSAGES).await.ok()["data"], json!([]));
    assert_eq!(service.get("/v1/files").await.ok()["data"], json!([]));
    service.stop().await;
}
