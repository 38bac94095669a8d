//! What a job would do, said before it is done.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Model, SEEDLING, TestService, row, text};

const SFT: &str = "/v1/preview/sft-training-jobs";
const RL: &str = "/v1/preview/training-jobs";

/// Asks for both: what a job would do, and the job. Returns the estimate, and the job's events.
async fn both(service: &TestService, path: &str, body: &Value) -> (Value, Vec<Value>) {
    let dry = service.post(&format!("{path}?dry_run=true"), body).await.ok();
    assert_eq!((&dry["id"], dry.get("status")), (&json!(""), None), "{dry}");
    let job = service.post(path, body).await.ok();
    assert_eq!(job.get("estimate"), None);
    (dry["estimate"].clone(), service.finished(text(&job["id"])).await)
}

/// The sum of a metric over the steps of a job.
fn sum(events: &[Value], metric: &str) -> u64 {
    events.iter().filter_map(|event| event["data"][metric].as_f64()).sum::<f64>() as u64
}

fn codes(estimate: &Value) -> Vec<(&str, u64)> {
    let findings = estimate["findings"].as_array().expect("findings").iter();
    findings.map(|finding| (text(&finding["code"]), finding["count"].as_u64().expect("a count"))).collect()
}

#[tokio::test]
async fn a_dry_run_of_examples_says_what_the_job_does() {
    let service = TestService::start().await;
    let model = service.model("dry").await;
    let silent = json!({ "messages": [{ "role": "user", "content": "nobody answers" }] });
    let rows = [row("red?", "blue"), row("up?", "down"), silent, row("one?", "two three four")];
    let data: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let file = service.upload("fine-tune", "train.jsonl", data.clone()).await;
    let body = json!({ "model_id": model.id, "training_data_url": file, "config": { "batch_size": 1 } });
    let (estimate, events) = both(&service, SFT, &body).await;
    assert_eq!(estimate["steps"], 4);
    assert_eq!(estimate["training_started"], events[0]["data"]);
    assert_eq!(estimate["trained_tokens"], sum(&events, "num_trainable_tokens"));
    assert_eq!(estimate["tokens"], sum(&events, "num_tokens"));
    assert_eq!(codes(&estimate), [("dropped_rows", 1)]);
    assert_eq!(estimate.get("expected_seconds"), None, "nothing was trained before");
    let memory = &estimate["memory"];
    assert_eq!((&memory["fits"], &memory["recomputes"]), (&json!(true), &json!(false)), "{memory}");
    let body = json!({ "project": "p", "name": "m", "base_model": SEEDLING });
    let default = &service.post("/v1/preview/models", &body).await.ok()["job_memory"]["bytes"];
    assert!(default.as_u64() > memory["bytes"].as_u64(), "8 sequences of 512 tokens need more: {default}, {memory}");
    // Now there is a speed to go by. What a URL gives is read the same way.
    let path = service.directory.path().join("rows.jsonl");
    std::fs::write(&path, data).expect("the data is written");
    let url = format!("file://{}", path.display());
    let by_url = json!({ "model_id": model.id, "training_data_url": url, "config": { "batch_size": 1 } });
    let (again, _) = both(&service, SFT, &by_url).await;
    assert!(again["expected_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{again}");
    assert_eq!((&again["tokens"], &again["findings"]), (&estimate["tokens"], &estimate["findings"]));
    service.stop().await;
}

fn rl(model: &Model, groups: Value, config: Value) -> Value {
    json!({ "model_id": model.id, "trajectory_groups": groups, "experimental_config": config })
}

#[tokio::test]
async fn a_dry_run_of_rollouts_says_what_teaches_nothing() {
    let service = TestService::start().await;
    let model = service.model("dry").await;
    let good = service.rollouts(&model.name, "red?", &[0.0, 1.0]).await;
    let equal = service.rollouts(&model.name, "up?", &[0.5, 0.5]).await;
    let lonely = service.rollouts(&model.name, "one?", &[1.0]).await;
    let mut bare = service.rollouts(&model.name, "left?", &[0.0, 1.0]).await;
    for trajectory in bare["trajectories"].as_array_mut().expect("trajectories") {
        trajectory["messages_and_choices"][1]["logprobs"] = Value::Null;
    }
    let body = rl(&model, json!([good, equal, lonely, bare]), json!({ "packed_sequence_length": 512 }));
    let (estimate, events) = both(&service, RL, &body).await;
    assert_eq!(estimate["training_started"], events[0]["data"]);
    assert_eq!(estimate["steps"], events.len() - 2);
    assert_eq!(estimate["trained_tokens"], sum(&events, "row/num_trained_tokens"));
    let found = codes(&estimate);
    assert!(found.contains(&("equal_rewards", 1)) && found.contains(&("too_few_trajectories", 1)), "{found:?}");
    assert!(found.contains(&("nothing_trained", 2)), "{found:?}");
    let message = text(&estimate["findings"][0]["message"]);
    assert!(message.starts_with("1 groups have "), "{message}");
    let (nothing, _) = both(&service, RL, &rl(&model, json!([]), Value::Null)).await;
    assert_eq!((&nothing["steps"], codes(&nothing)), (&json!(0), vec![("nothing_to_learn", 1)]));
    service.stop().await;
}

#[tokio::test]
async fn a_dry_run_leaves_nothing_behind() {
    let service = TestService::start().await;
    let model = service.model("dry").await;
    let group = service.rollouts(&model.name, "red?", &[0.0, 1.0]).await;
    let body = rl(&model, json!([group]), Value::Null);
    let path = format!("{RL}?dry_run=true");
    service.post(&path, &body).await.ok();
    let bad = service.upload("fine-tune", "bad.jsonl", "{\"messages\": 5}\n").await;
    let bad = json!({ "model_id": model.id, "training_data_url": bad });
    let error = service.post(&format!("{SFT}?dry_run=true"), &bad).await.rejected(422);
    assert_eq!((&error["param"], &error["code"]), (&json!("training_data_url"), &json!("invalid_training_data")));
    assert!(text(&error["message"]).contains("line 1"), "{error}");
    let nowhere = json!({ "model_id": model.id, "training_data_url": "https://nowhere.invalid/x.jsonl" });
    let error = service.post(&format!("{SFT}?dry_run=true"), &nowhere).await.rejected(422);
    assert_eq!(error["code"], "training_data_unavailable", "{error}");
    // A key is for what is created: the same one does it afterwards.
    let keyed = |path: &str| service.request(Method::POST, path).header("Idempotency-Key", "one").json(&body);
    crate::support::answer(keyed(&path)).await.ok();
    assert_eq!(service.get(RL).await.ok()["data"], json!([]), "no job was made");
    assert_eq!(service.steps(&model).await, [0]);
    crate::support::answer(keyed(RL)).await.ok();
    // A model of another entity is not there, dry or not.
    service.send_as(&service.rival_key, Method::POST, &path, Some(&body)).await.rejected(404);
    service.stop().await;
}
