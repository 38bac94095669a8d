//! What jobs promise: the same bytes every time, and no job lost with the process that ran it.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use trainyard::{server::open_metadata, store::records::CheckpointRecord};

use crate::support::{Model, SEEDLING, TestService, answer, event_types, repeatable, row, text};

/// The stored checkpoint of one step: its artifact ids are the hashes of its bytes.
async fn stored(service: &TestService, model: &Model, step: i64) -> CheckpointRecord {
    let metadata = open_metadata(&service.directory.path().join("data")).await.expect("the database");
    metadata.checkpoint_at_step("acme", model.id.parse().expect("a UUID"), step).await.expect("a checkpoint")
}

#[tokio::test]
async fn two_runs_of_the_same_jobs_give_equal_bytes() {
    let service = TestService::start().await;
    let rows = [row("red?", "blue green"), row("up?", "down"), row("one?", "two three")].concat_rows(3);
    let groups = service.rollouts(SEEDLING, "pick a word", &[0.0, 0.25, 1.0, 0.5]).await;
    let mut outcomes = Vec::new();
    for name in ["one", "two"] {
        let model = service.model(name).await;
        let sft = service.start_sft(&model, &rows, json!({ "learning_rate": 5e-3 })).await;
        let rl = service.start_rl(&model, json!([groups]), json!({ "learning_rate": 1e-3 })).await;
        let (sft, rl) = (service.finished(&sft).await, service.finished(&rl).await);
        let checkpoints = [stored(&service, &model, 1).await, stored(&service, &model, 2).await];
        let artifacts = checkpoints.map(|checkpoint| (checkpoint.adapter, checkpoint.optimizer, checkpoint.metrics));
        assert!(sft[1]["data"]["tokens_per_second"].as_f64().is_some_and(|speed| speed > 0.0), "{}", sft[1]);
        outcomes.push((repeatable(&sft), repeatable(&rl), artifacts));
    }
    assert_eq!(outcomes[0], outcomes[1]);
    let (_, _, [after_sft, after_rl]) = &outcomes[0];
    assert!(after_sft.0.is_some() && after_sft.0 != after_rl.0, "both jobs moved the weights");
}

#[tokio::test]
async fn options_that_are_not_implemented_are_refused_by_name() {
    let service = TestService::start().await;
    let model = service.model("options").await;
    for option in ["kl_penalty_coef", "packed_sequence_length", "allow_training_without_logprobs"] {
        let value = if option.starts_with("allow") { json!(true) } else { json!(64) };
        let body = json!({ "model_id": model.id, "trajectory_groups": [], "experimental_config": { option: value } });
        let error = service.post("/v1/preview/training-jobs", &body).await.refused(422);
        assert!(text(&error["message"]).contains(option), "{error}");
        assert!(text(&error["param"]).contains(option), "{error}");
    }
}

#[tokio::test]
async fn training_on_the_last_turn_alone_is_refused_by_name() {
    let service = TestService::start().await;
    let model = service.model("turns").await;
    let body = |turns: &str| {
        json!({ "model_id": model.id, "training_data_url": "https://example.com/rows.jsonl",
                                     "config": { "assistant_turns": turns } })
    };
    let error = service.post("/v1/preview/sft-training-jobs", &body("last")).await.refused(422);
    assert_eq!(error["param"], "config.assistant_turns");
    service.post("/v1/preview/sft-training-jobs", &body("all")).await.ok();
}

#[tokio::test]
async fn a_failed_job_says_why_and_makes_no_checkpoint() {
    let service = TestService::start().await;
    let model = service.model("fails").await;
    let job = service.start_sft(&model, &[row("a", "b"), json!({ "prompt": "no messages" })], json!(null)).await;
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events), ["training_failed"]);
    assert!(text(&events[0]["data"]["error_message"]).contains('2'), "names the line: {events:?}");
    assert_eq!(service.steps(&model).await, [0]);
}

/// A server in a process of its own, which can be killed.
struct Process {
    child: Child,
    root: String,
}

impl Process {
    fn start(directory: &std::path::Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trainyard"))
            .args(["serve", "--listen", "127.0.0.1:0", "--threads", "1", "--data-dir"])
            .arg(directory.join("data"))
            .arg("--allow-data")
            .arg(format!("file://{}/", directory.display()))
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("standard error")).lines();
        let root = loop {
            let line = lines.next().expect("the server says where it listens").expect("text");
            if let Some(root) = line.strip_prefix("listening on ") {
                break root.to_owned();
            }
        };
        // Somebody has to read on, or the server's log fills the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, root }
    }

    fn kill(mut self) {
        self.child.kill().expect("the process runs");
        self.child.wait().expect("the process ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_job_whose_process_was_killed_is_taken_up_again_and_ends_with_the_same_bytes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let rows: String = (0..60).map(|n| format!("{}\n", row(&format!("count {n}"), "one two three"))).collect();
    std::fs::write(directory.path().join("rows.jsonl"), rows).expect("writable");
    let url = format!("file://{}", directory.path().join("rows.jsonl").display());
    let created = Command::new(env!("CARGO_BIN_EXE_trainyard"))
        .args(["keys", "create", "--entity", "acme", "--data-dir"])
        .arg(directory.path().join("data"))
        .output()
        .expect("the command runs");
    let key = String::from_utf8(created.stdout).expect("text").trim().to_owned();
    let http = reqwest::Client::builder().timeout(Duration::from_secs(60)).build().expect("a client");
    let call = async |root: &str, method: Method, path: &str, body: Value| {
        let mut request = http.request(method.clone(), format!("{root}{path}")).bearer_auth(&key);
        if method == Method::POST {
            request = request.json(&body);
        }
        answer(request).await.ok()
    };
    let start_job = async |root: &str, name: &str| {
        let body = json!({ "project": "p", "name": name, "base_model": SEEDLING });
        let model = call(root, Method::POST, "/v1/preview/models", body).await;
        let body = json!({ "model_id": model["id"], "training_data_url": url,
                           "config": { "batch_size": 1, "learning_rate": 1e-3 } });
        let job = call(root, Method::POST, "/v1/preview/sft-training-jobs", body).await;
        (text(&model["id"]).to_owned(), text(&job["id"]).to_owned())
    };
    let events = async |root: &str, job: &str| {
        let path = format!("/v1/preview/training-jobs/{job}/events?limit=100");
        call(root, Method::GET, &path, Value::Null).await["data"].as_array().expect("events").clone()
    };
    let finished = async |root: &str, job: &str| {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let events = events(root, job).await;
            if event_types(&events).contains(&"training_ended") {
                return events;
            }
            assert!(Instant::now() < deadline, "the job did not end: {:?}", event_types(&events));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };

    let server = Process::start(directory.path());
    let (quiet_model, quiet_job) = start_job(&server.root, "quiet").await;
    let undisturbed = finished(&server.root, &quiet_job).await;
    let (model, job) = start_job(&server.root, "killed").await;
    while events(&server.root, &job).await.len() < 5 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let before = events(&server.root, &job).await;
    server.kill();
    assert!(!event_types(&before).contains(&"training_ended"), "the job was killed while it ran");

    // Every step that was shown is one to go on from.
    let metadata = open_metadata(&directory.path().join("data")).await.expect("the database");
    let record = metadata.get_job("acme", job.parse().expect("a UUID")).await.expect("the job");
    let steps = event_types(&before).iter().filter(|kind| **kind == "gradient_step").count();
    assert!(record.resume.is_some_and(|state| state.next_step >= i64::try_from(steps).expect("few")));

    let server = Process::start(directory.path());
    let after = finished(&server.root, &job).await;
    assert_eq!(after[..before.len()], before[..], "what was told stays as it was told");
    assert_eq!(repeatable(&after), repeatable(&undisturbed));
    let record = metadata.get_job("acme", job.parse().expect("a UUID")).await.expect("the job");
    assert!(record.attempts >= 2, "the kill came too late to interrupt the job");
    let mut adapters = Vec::new();
    for id in [quiet_model, model] {
        let id = id.parse().expect("a UUID");
        adapters.push(metadata.checkpoint_at_step("acme", id, 1).await.expect("a checkpoint").adapter);
    }
    assert!(adapters[0].is_some());
    assert_eq!(adapters[0], adapters[1]);
}

/// Repeats rows.
trait ConcatRows {
    fn concat_rows(&self, times: usize) -> Vec<Value>;
}

impl ConcatRows for [Value] {
    fn concat_rows(&self, times: usize) -> Vec<Value> {
        self.iter().cycle().take(self.len() * times).cloned().collect()
    }
}
