//! What a client was told is stored stays stored, however the server ends.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use trainyard::store::metadata::Jobs;
use trainyard::store::records::{JobInput, JobStatus};
use trainyard::store::sqlite::SqliteMetadata;

use crate::job::{Client, ENTITY, Kind, Template, check_artifacts, check_database, template};
use crate::server::Server;
use crate::{Random, figure, scale};

const CLIENTS: usize = 8;

/// Responses that the clients received.
#[derive(Default)]
struct Told {
    models: Vec<String>,
    jobs: Vec<String>,
    deleted: Vec<String>,
    unanswered: Vec<Create>,
}

/// A create, and the key under which it may be sent again.
struct Create {
    path: &'static str,
    body: Value,
    key: String,
}

impl Create {
    /// Sends it; the id of what it created.
    async fn send(&self, http: &Client, root: &str) -> Option<String> {
        match http.create(&format!("{root}{}", self.path), &self.body, &self.key).await {
            Ok((status, created)) if status < 300 => Some(created["id"].as_str().expect("an id").to_owned()),
            _ => None,
        }
    }
}

fn note(told: &Mutex<Told>) -> MutexGuard<'_, Told> {
    told.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates models and jobs and deletes some, until the server is gone.
async fn write(template: &Template, root: &str, client: usize, told: &Mutex<Told>) {
    let http = Client::new(&template.key);
    for number in 0.. {
        let name = format!("client-{client}-{number}");
        let (path, body) = Client::model_request(&name);
        let create = Create { path, body, key: format!("{name}-model") };
        let Some(model) = create.send(&http, root).await else {
            return note(told).unanswered.push(create);
        };
        if number % 3 == 2 {
            let deleted = http.call("DELETE", &format!("{root}/v1/preview/models/{model}"), None).await;
            match deleted {
                Ok((status, _)) if status < 300 => note(told).deleted.push(model),
                _ => return,
            }
            continue;
        }
        note(told).models.push(model.clone());
        let kind = if client.is_multiple_of(2) { Kind::Rl } else { Kind::Sft };
        let (path, body) = template.request(kind, &model);
        let create = Create { path, body, key: format!("{name}-job") };
        match create.send(&http, root).await {
            Some(job) => note(told).jobs.push(job),
            None => return note(told).unanswered.push(create),
        }
    }
}

/// Checks that each of these creates of a job has made one.
async fn check_jobs_of(data: &Path, creates: &[Create]) {
    let jobs = check_database(data).await;
    let metadata = SqliteMetadata::open(&data.join("trainyard.db")).await.expect("the database opens");
    let mut models = Vec::new();
    for job in jobs {
        models
            .push(metadata.get_job(ENTITY, job.parse().expect("a UUID")).await.expect("the job").model_id.to_string());
    }
    for model in creates.iter().filter_map(|create| create.body["model_id"].as_str()) {
        assert_eq!(models.iter().filter(|other| *other == model).count(), 1, "jobs of model {model}");
    }
    metadata.close().await;
}

/// Checks that every input of an unfinished job is stored.
async fn check_inputs(data: &Path) {
    let jobs = check_database(data).await;
    let metadata = SqliteMetadata::open(&data.join("trainyard.db")).await.expect("the database opens");
    for job in jobs {
        let job = metadata.get_job(ENTITY, job.parse().expect("a UUID")).await.expect("the job");
        if let (JobInput::Artifact(input), JobStatus::Queued | JobStatus::Running) = (&job.input, job.status) {
            let name = input.to_string();
            let file = data.join("artifacts").join("sha256").join(&name[..2]).join(&name);
            assert!(file.exists(), "the input of job {} is lost", job.id);
        }
    }
    check_artifacts(data, &metadata).await;
    metadata.close().await;
}

#[tokio::test]
async fn acknowledged_requests_survive_a_kill() {
    let template = template().await;
    let mut random = Random::new(4);
    let (mut acknowledged, mut repeated) = (0, 0);
    for _ in 0..10 * scale() {
        let directory = template.copy();
        let data = directory.path().join("data");
        let server = Server::undisturbed(&data, &template.directory);
        let (root, told) = (server.root.clone(), Mutex::new(Told::default()));
        let time = Duration::from_millis(30 + random.below(300) as u64);
        let writing = join_all((0..CLIENTS).map(|client| write(template, &root, client, &told)));
        let killing = async {
            tokio::time::sleep(time).await;
            server.kill();
        };
        join(writing, killing).await;
        check_inputs(&data).await;
        let server = Server::undisturbed(&data, &template.directory);
        let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        let http = Client::new(&template.key);
        let status = async |path: String| {
            let answer = http.call("GET", &format!("{}{path}", server.root), None).await;
            answer.expect("an answer").0
        };
        for model in &told.models {
            assert_eq!(status(format!("/v1/preview/models/{model}/checkpoints")).await, 200, "a model is lost");
        }
        for job in &told.jobs {
            assert_eq!(status(format!("/v1/preview/training-jobs/{job}")).await, 200, "a job is lost");
        }
        for model in &told.deleted {
            assert_eq!(status(format!("/v1/preview/models/{model}/checkpoints")).await, 404, "a model came back");
        }
        // What had no answer is asked for again under its key: it may or may not have been done, and is done once.
        for create in &told.unanswered {
            let first = create.send(&http, &server.root).await.expect("an answer");
            assert_eq!(create.send(&http, &server.root).await, Some(first), "one request made two");
        }
        repeated += told.unanswered.len();
        acknowledged += told.models.len() + told.jobs.len() + told.deleted.len();
        server.kill();
        check_jobs_of(&data, &told.unanswered).await;
    }
    figure("kills of a server under requests, SQLite", 10 * scale());
    println!("{acknowledged} acknowledged writes, none lost; {repeated} repeated, none doubled");
    assert!(acknowledged > 10 * scale(), "hardly anything was written: {acknowledged}");
}

/// Sends `count` jobs of `bytes` each at once; all are stored, and the server answers others meanwhile.
async fn create_at_once(count: usize, bytes: usize) {
    let template = template().await;
    let directory = template.copy();
    let data = directory.path().join("data");
    let server = Server::undisturbed(&data, &template.directory);
    let http = Client::new(&template.key);
    let bodies = (0..count).map(|number| {
        let prompt = format!("{number} {}", "x".repeat(bytes));
        let turn = |answer: &str| {
            json!({ "messages_and_choices": [{ "role": "user", "content": prompt },
                { "finish_reason": "stop", "index": 0, "message": { "role": "assistant", "content": answer } }],
                "reward": answer.len() })
        };
        json!({ "model_id": template.models[number % 8], "trajectory_groups": [{ "trajectories": [turn("a")] }],
                "experimental_config": { "allow_training_without_logprobs": true } })
    });
    // Written beforehand: meanwhile a client that has connected would send nothing, and the server's time limit passes.
    let bodies: Vec<_> = bodies.map(|body| Bytes::from(body.to_string())).collect();
    let url = format!("{}/v1/preview/training-jobs", server.root);
    let (begun, done) = (Instant::now(), AtomicBool::new(false));
    let creating = async {
        let create = |(number, body): (usize, &Bytes)| {
            let (http, url, body) = (&http, &url, body.clone());
            async move { http.create_written(url, body, &format!("job-{number}")).await }
        };
        let answers = join_all(bodies.iter().enumerate().map(create)).await;
        done.store(true, Ordering::Relaxed);
        answers
    };
    let asking = async {
        let mut times = Vec::new();
        while !done.load(Ordering::Relaxed) {
            let asked = Instant::now();
            let url = format!("{}/health", server.root);
            assert_eq!(http.call("GET", &url, None).await.expect("an answer").0, 200);
            times.push(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        times
    };
    let (answers, mut times) = join(creating, asking).await;
    let (took, mut jobs) = (begun.elapsed(), Vec::new());
    for answer in answers {
        let (status, job) = answer.expect("an answer");
        assert!(status < 300, "{status} {job}\n{}", server.log());
        jobs.push(job["id"].as_str().expect("an id").to_owned());
    }
    times.sort();
    let slow = times[times.len() * 95 / 100];
    println!("{count} jobs of {bytes} bytes in {took:?}; meanwhile 95 of 100 health checks within {slow:?}");
    server.kill();
    let stored = check_database(&data).await;
    assert!(jobs.iter().all(|job| stored.contains(job)) && stored.len() == count, "{} are stored", stored.len());
    check_inputs(&data).await;
    assert!(slow < Duration::from_secs(2), "a health check took {slow:?}");
}

#[tokio::test]
async fn many_large_jobs_created_at_once_are_all_stored() {
    create_at_once(64, 500_000).await;
    create_at_once(208, 3_300_000).await;
}
