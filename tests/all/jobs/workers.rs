//! Servers and workers that share a data directory: each job is done once and to the same bytes, whoever leaves meanwhile.

use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use trainyard::server::open_metadata;
use trainyard::store::metadata::Metadata;
use trainyard::store::records::JobRecord;

use crate::support::process::{Process, Site};
use crate::support::{Model, SEEDLING, TestService, event_types, repeatable, row, text};
use crate::threads::is_stopped;
use crate::time_limits::Limited;

/// How long a lease lasts.
const LEASE: Duration = Duration::from_secs(15);

/// Steps of a job that is still running when something is done to it.
const STEPS: usize = 95;

/// Rows for such a job.
fn long_lesson() -> Vec<Value> {
    (0..STEPS).map(|n| row(&format!("count {n}"), &"one two three ".repeat(20))).collect()
}

async fn record(metadata: &dyn Metadata, job: &str) -> JobRecord {
    metadata.get_job("acme", job.parse().expect("a UUID")).await.expect("the job")
}

/// SHA-256 of the files of the adapter that a model's first job made.
async fn adapter(metadata: &dyn Metadata, model: &Model) -> [[u8; 32]; 2] {
    let checkpoint = metadata.checkpoint_at_step("acme", model.id.parse().expect("a UUID"), 1).await;
    let adapter = checkpoint.expect("a checkpoint").adapter.expect("an adapter");
    [adapter.config.hash(), adapter.weights.hash()]
}

async fn chat(site: &Site, server: &Process, model: &str) -> crate::support::JsonResponse {
    let body = json!({ "model": model, "messages": [{ "role": "user", "content": "up?" }], "temperature": 0,
                       "max_tokens": 1, "logprobs": true, "top_logprobs": 10 });
    site.call(server, Method::POST, "/v1/chat/completions", Some(body)).await
}

/// Freezes a process, but not in the middle of a transaction: nobody else could write then, for as long as it lasts.
async fn freeze(site: &Site, process: &Process) {
    let options = SqliteConnectOptions::new().filename(site.data().join("trainyard.db")).busy_timeout(Duration::ZERO);
    let mut database = SqliteConnection::connect_with(&options).await.expect("the database opens");
    loop {
        process.signal(Signal::STOP);
        // The signal reaches one thread after the other, and one that still runs may begin to write.
        while !is_stopped(process.id()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if sqlx::query("BEGIN IMMEDIATE").execute(&mut database).await.is_ok() {
            sqlx::query("ROLLBACK").execute(&mut database).await.expect("nothing was done");
            return;
        }
        process.signal(Signal::CONT);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

#[tokio::test]
async fn a_checkpoint_of_another_process_is_served_at_once_and_a_deleted_one_no_more() {
    let site = Site::new();
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let one = Process::serve(site.path(), &["--no-worker"]);
    let other = Process::serve(site.path(), &["--no-worker"]);
    let model = site.model(&one, "shared").await;
    let job = site.start_sft(&one, &model, &[row("up?", "down"), row("up?", "down")]).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(site.status(&other, &job).await, "queued", "nobody works");
    let worker = Process::worker(site.path(), &[]);
    let events = site.finished(&other, &job).await;
    let ended = Instant::now();
    assert_eq!(event_types(&events).last(), Some(&"training_ended"));
    let choice = |answer: Value| answer["choices"][0]["logprobs"].clone();
    let trained = choice(chat(&site, &other, &model.at(1)).await.ok());
    let served = ended.elapsed();
    assert!(served < Duration::from_secs(1), "it took {served:?}");
    assert_eq!(choice(chat(&site, &one, &model.name).await.ok()), trained);
    assert_ne!(choice(chat(&site, &one, SEEDLING).await.ok()), trained, "the new weights answer");

    let checkpoints = format!("/v1/preview/models/{}/checkpoints", model.id);
    let request = json!({ "steps": [1], "allow_latest": true });
    site.call(&one, Method::DELETE, &checkpoints, Some(request)).await.ok();
    chat(&site, &other, &model.at(1)).await.rejected(404);
    site.call(&other, Method::DELETE, &format!("/v1/preview/models/{}", model.id), None).await.ok();
    for server in [&one, &other] {
        chat(&site, server, &model.name).await.rejected(404);
    }

    // A worker that is waiting starts at once.
    let model = site.model(&one, "quick").await;
    let queued = Instant::now();
    let job = site.start_sft(&one, &model, &[row("up?", "down")]).await;
    site.finished(&one, &job).await;
    let record = record(&*metadata, &job).await;
    let waited = record.started_at.expect("a start") - record.created_at;
    assert!(waited < 500, "the worker took {waited} ms to begin, the job {:?}", queued.elapsed());
    for process in [worker, other, one] {
        process.stop();
    }
}

/// Takes the worker out of `workers` that holds the lease on a job.
async fn working(metadata: &dyn Metadata, job: &str, workers: &mut Vec<Process>) -> Process {
    let owner = record(metadata, job).await.summary.lease_owner.expect("somebody works on it");
    let index = workers.iter().position(|worker| worker.is_worker(&owner)).expect("one of ours");
    workers.remove(index)
}

#[tokio::test]
async fn a_job_goes_from_worker_to_worker_and_ends_with_the_same_bytes() {
    let site = Site::new();
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let rows = long_lesson();
    let server = Process::serve(site.path(), &["--no-worker"]);
    let mut workers: Vec<Process> = (0..3).map(|_| Process::worker(site.path(), &[])).collect();
    let quiet = site.model(&server, "quiet").await;
    let job = site.start_sft(&server, &quiet, &rows).await;
    let undisturbed = site.finished(&server, &job).await;

    // An orderly stop hands it over at once.
    let model = site.model(&server, "handed").await;
    let job = site.start_sft(&server, &model, &rows).await;
    let before = site.reaches(&server, &job, 5).await;
    let leaving = working(&*metadata, &job, &mut workers).await;
    let asked = Instant::now();
    leaving.stop();
    let stopped = asked.elapsed();
    assert!(stopped < Duration::from_secs(5), "stopping took {stopped:?}");
    while record(&*metadata, &job).await.lease_owner.is_none() {
        assert!(asked.elapsed() < Duration::from_secs(6), "nobody took the job over");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!event_types(&site.events(&server, &job).await).contains(&"training_ended"), "stopped too late");
    let after = site.finished(&server, &job).await;
    assert_eq!(after[..before.len()], before[..], "what was told stays as it was told");
    assert_eq!(repeatable(&after), repeatable(&undisturbed));
    assert_eq!(adapter(&*metadata, &model).await, adapter(&*metadata, &quiet).await);
    assert_eq!(record(&*metadata, &job).await.attempts, 1, "a claim that was given back does not count");

    // A frozen worker is taken over when its lease has run out, and can write nothing when it wakes up.
    let model = site.model(&server, "frozen").await;
    let job = site.start_sft(&server, &model, &rows).await;
    site.reaches(&server, &job, 5).await;
    let sleeper = working(&*metadata, &job, &mut workers).await;
    freeze(&site, &sleeper).await;
    let frozen = Instant::now();
    while record(&*metadata, &job).await.attempts == 1 {
        assert!(frozen.elapsed() < LEASE + Duration::from_secs(10), "nobody took the job over");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let taken = frozen.elapsed();
    assert!(taken <= LEASE + Duration::from_secs(2), "it was taken over after {taken:?}");
    sleeper.signal(Signal::CONT);
    let after = site.finished(&server, &job).await;
    assert_eq!(repeatable(&after), repeatable(&undisturbed));
    assert_eq!(adapter(&*metadata, &model).await, adapter(&*metadata, &quiet).await);
    sleeper.stop();
    workers.into_iter().for_each(Process::stop);
    server.stop();
    assert_eq!(record(&*metadata, &job).await.attempts, 2);
    assert_eq!(after.len(), STEPS + 2);
}

#[tokio::test]
async fn a_job_goes_on_only_in_the_number_format_it_began_with() {
    let site = Site::new();
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let server = Process::serve(site.path(), &[]);
    let quiet = site.model(&server, "quiet").await;
    let job = site.start_sft(&server, &quiet, &long_lesson()).await;
    let undisturbed = site.finished(&server, &job).await;
    let model = site.model(&server, "moved").await;
    let job = site.start_sft(&server, &model, &long_lesson()).await;
    site.reaches(&server, &job, 5).await;
    server.kill();
    let server = Process::serve(site.path(), &["--weights", "bf16"]);
    let before = site.events(&server, &job).await;
    // It does not keep others waiting.
    let other = site.model(&server, "narrow").await;
    let narrow = site.start_sft(&server, &other, &[row("up?", "down")]).await;
    site.finished(&server, &narrow).await;
    assert_eq!(site.status(&server, &job).await, "queued");
    assert_eq!(site.events(&server, &job).await, before);
    server.stop();
    let server = Process::serve(site.path(), &[]);
    assert_eq!(repeatable(&site.finished(&server, &job).await), repeatable(&undisturbed));
    assert_eq!(adapter(&*metadata, &model).await, adapter(&*metadata, &quiet).await);
    server.stop();
}

/// Makes a job one that began in an earlier version: its kind of trainer was the number format alone.
async fn age(site: &Site, job: &str) {
    let options = SqliteConnectOptions::new().filename(site.data().join("trainyard.db"));
    let mut database = SqliteConnection::connect_with(&options).await.expect("the database opens");
    let aged = sqlx::query("UPDATE jobs SET trainer = weight_format WHERE id = ? AND trainer LIKE 'bf16/%'");
    let aged = aged.bind(job).execute(&mut database).await.expect("a write");
    assert_eq!(aged.rows_affected(), 1);
}

#[tokio::test]
async fn a_job_of_an_earlier_order_of_operations_ends_by_name() {
    let site = Site::new();
    let server = Process::serve(site.path(), &["--weights", "bf16"]);
    let whole = site.model(&server, "whole").await;
    let done = site.start_sft(&server, &whole, &[row("up?", "down")]).await;
    site.finished(&server, &done).await;
    let model = site.model(&server, "half").await;
    let job = site.start_sft(&server, &model, &long_lesson()).await;
    site.reaches(&server, &job, 5).await;
    server.kill();
    age(&site, &job).await;
    age(&site, &done).await;
    let server = Process::serve(site.path(), &["--weights", "bf16"]);
    let events = site.finished(&server, &job).await;
    assert_eq!(event_types(&events).last(), Some(&"training_failed"));
    let message = text(&events[events.len() - 1]["data"]["error_message"]);
    assert!(message.contains("bf16 weights add in another order"), "{message}");
    server.stop();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_trainyard"));
    let replay = replay.args(["replay", &done, "--data-dir"]).arg(site.data()).output_limited();
    let told = String::from_utf8_lossy(&replay.stderr);
    assert!(!replay.status.success() && told.contains("makes other bits of it"), "{told}");
}

#[tokio::test]
async fn a_job_that_is_killed_more_often_than_it_may_fail_goes_on_while_it_gets_further() {
    let site = Site::new();
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let mut server = Process::serve(site.path(), &[]);
    let model = site.model(&server, "hunted").await;
    // Steps that take a while: the job must not end before the last kill, however late its progress is seen.
    let slow: Vec<Value> = (0..STEPS).map(|n| row(&format!("count {n}"), &"one two three ".repeat(100))).collect();
    let job = site.start_sft(&server, &model, &slow).await;
    let mut seen = 1;
    for _ in 1..=12 {
        seen = site.reaches(&server, &job, seen + 1).await.len();
        server.kill();
        server = Process::serve(site.path(), &[]);
    }
    let events = site.finished(&server, &job).await;
    assert_eq!(event_types(&events).last(), Some(&"training_ended"), "{:?}", events.last());
    assert_eq!(events.len(), STEPS + 2);
    assert!(record(&*metadata, &job).await.attempts > 12);
}

#[tokio::test]
async fn a_job_that_fails_the_same_way_three_times_is_failed_with_its_cause() {
    let service = TestService::start().await;
    let model = service.model("unlucky").await;
    // Data that takes more than one request cannot be taken in, whatever else works.
    let incoming = service.directory.path().join("data/artifacts/incoming");
    if incoming.exists() {
        std::fs::remove_dir_all(&incoming).expect("it is ours");
    }
    std::fs::write(&incoming, "no directory").expect("writable");
    let large = vec![row("up?", &"down ".repeat(10_000)); 200];
    let job = service.start_sft(&model, &large, json!(null)).await;
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events), ["training_failed"]);
    let message = text(&events[0]["data"]["error_message"]);
    assert!(message.starts_with("3 attempts in a row failed: "), "{message}");
    // The worker is well.
    std::fs::remove_file(&incoming).expect("it is ours");
    let job = service.start_sft(&model, &[row("up?", "down")], json!(null)).await;
    assert_eq!(event_types(&service.finished(&job).await).last(), Some(&"training_ended"));
    service.stop().await;
}
