//! Servers and workers in processes of their own, which can be stopped, frozen and killed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{JsonResponse, Model, SEEDLING, answer, http, text};
use crate::time_limits::{Limited, wait_within};

/// Longest time that a job of a test may take, lost leases included.
const JOB_TIME: Duration = Duration::from_secs(120);
/// Longest time that a process may take to end.
const END_TIME: Duration = Duration::from_secs(60);

/// A running `trainyard`.
pub(crate) struct Process {
    child: Child,
    /// Text after the words that it prints when it is ready; of a server `http://127.0.0.1:PORT`.
    pub root: String,
}

impl Process {
    /// A server on the data in `directory`, with more arguments.
    pub(crate) fn serve(directory: &Path, more: &[&str]) -> Self {
        Self::start(directory, &[&["serve", "--listen", "127.0.0.1:0"][..], more].concat(), "listening on ")
    }

    /// A worker on the data in `directory`, with more arguments.
    pub(crate) fn worker(directory: &Path, more: &[&str]) -> Self {
        Self::start(directory, &[&["worker"][..], more].concat(), "working on ")
    }

    /// A server on the data in `directory` that inherits this umask, in octal digits.
    pub(crate) fn serve_with_umask(directory: &Path, umask: &str) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask \"$0\" && exec \"$@\"", umask, env!("CARGO_BIN_EXE_trainyard")]);
        Self::start_by(shell, directory, &["serve", "--listen", "127.0.0.1:0"], "listening on ")
    }

    /// A server on the data in `directory` that runs as another user than root, with more arguments.
    pub(crate) fn serve_as(directory: &Path, user: u32, more: &[&str]) -> Self {
        let mut setpriv = Command::new("setpriv");
        let user = user.to_string();
        setpriv.args(["--reuid", &user, "--regid", &user, "--clear-groups", env!("CARGO_BIN_EXE_trainyard")]);
        Self::start_by(setpriv, directory, &[&["serve", "--listen", "127.0.0.1:0"][..], more].concat(), "listening on ")
    }

    fn start(directory: &Path, arguments: &[&str], ready: &str) -> Self {
        Self::start_by(Command::new(env!("CARGO_BIN_EXE_trainyard")), directory, arguments, ready)
    }

    fn start_by(mut program: Command, directory: &Path, arguments: &[&str], ready: &str) -> Self {
        let mut child = program
            .args(arguments)
            .args(["--threads", "1", "--data-dir"])
            .arg(directory.join("data"))
            .arg("--allow-data")
            .arg(format!("file://{}/", directory.display()))
            .stderr(Stdio::piped())
            .spawn_limited();
        let mut lines = BufReader::new(child.stderr.take().expect("standard error")).lines();
        let root = loop {
            let line = lines.next().expect("the program says that it is ready").expect("text");
            if let Some(root) = line.strip_prefix(ready) {
                break root.to_owned();
            }
        };
        // Somebody has to read on, or the log fills the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, root }
    }

    /// Whether it is the worker of that name.
    pub(crate) fn is_worker(&self, owner: &str) -> bool {
        owner.starts_with(&format!("worker-{}-", self.child.id()))
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.child.id().try_into().expect("a process id")).expect("not zero");
        kill_process(id, signal).expect("the process is there");
    }

    /// Whether it runs.
    pub(crate) fn runs(&mut self) -> bool {
        self.child.try_wait().expect("the process can be asked").is_none()
    }

    /// How it ends, which it does by itself.
    pub(crate) async fn ended(mut self) -> ExitStatus {
        let deadline = Instant::now() + END_TIME;
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                return status;
            }
            assert!(Instant::now() < deadline, "the process does not end");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Kills it without a word.
    pub(crate) fn kill(self) {
        drop(self);
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(mut self) {
        self.signal(Signal::TERM);
        let status = wait_within(END_TIME, &mut self.child, "a process that was asked to stop");
        assert!(status.is_some_and(|status| status.success()), "{status:?}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        wait_within(END_TIME, &mut self.child, "a process that was killed");
    }
}

/// A data directory, a key for it, and shorthands to talk to any server on it.
pub(crate) struct Site {
    pub directory: tempfile::TempDir,
    /// A key of the entity `acme`.
    pub key: String,
    http: reqwest::Client,
}

impl Site {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let created = Command::new(env!("CARGO_BIN_EXE_trainyard"))
            .args(["keys", "create", "--entity", "acme", "--data-dir"])
            .arg(directory.path().join("data"))
            .output_limited();
        let key = String::from_utf8(created.stdout).expect("text").trim().to_owned();
        let http = http();
        Self { directory, key, http }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// A request to be completed by the test.
    pub(crate) fn request(&self, server: &Process, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", server.root)).bearer_auth(&self.key)
    }

    pub(crate) async fn call(&self, server: &Process, method: Method, path: &str, body: Option<Value>) -> JsonResponse {
        let mut request = self.request(server, method, path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        answer(request).await
    }

    pub(crate) async fn model(&self, server: &Process, name: &str) -> Model {
        let body = json!({ "project": "p", "name": name, "base_model": SEEDLING });
        let model = self.call(server, Method::POST, "/v1/preview/models", Some(body)).await.ok();
        Model { id: text(&model["id"]).to_owned(), name: format!("wandb-artifact:///acme/p/{name}") }
    }

    /// Queues a job of one step for each row.
    pub(crate) async fn start_sft(&self, server: &Process, model: &Model, rows: &[Value]) -> String {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let file = self.path().join(format!("{}.jsonl", uuid::Uuid::new_v4().simple()));
        std::fs::write(&file, lines).expect("writable");
        let body = json!({ "model_id": model.id, "training_data_url": format!("file://{}", file.display()),
                           "config": { "batch_size": 1, "learning_rate": 1e-3 } });
        let job = self.call(server, Method::POST, "/v1/preview/sft-training-jobs", Some(body)).await.ok();
        text(&job["id"]).to_owned()
    }

    pub(crate) async fn status(&self, server: &Process, job: &str) -> String {
        let job = self.call(server, Method::GET, &format!("/v1/preview/training-jobs/{job}"), None).await.ok();
        text(&job["status"]).to_owned()
    }

    pub(crate) async fn events(&self, server: &Process, job: &str) -> Vec<Value> {
        let path = format!("/v1/preview/training-jobs/{job}/events?limit=100");
        let page = self.call(server, Method::GET, &path, None).await.ok();
        assert_eq!(page["has_more"], json!(false), "more events than a page has");
        page["data"].as_array().expect("events").clone()
    }

    /// Waits until a job has so many events, which it has before its end.
    pub(crate) async fn reaches(&self, server: &Process, job: &str, events: usize) -> Vec<Value> {
        let reached = self.wait(server, job, |found| found.len() >= events).await;
        assert!(!ended(&reached), "the job ended before anything could be done to it");
        reached
    }

    pub(crate) async fn finished(&self, server: &Process, job: &str) -> Vec<Value> {
        self.wait(server, job, ended).await
    }

    async fn wait(&self, server: &Process, job: &str, enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let deadline = Instant::now() + JOB_TIME;
        loop {
            let events = self.events(server, job).await;
            if enough(&events) {
                return events;
            }
            assert!(Instant::now() < deadline, "it did not come to that: {events:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

fn ended(events: &[Value]) -> bool {
    events.iter().any(|event| ["training_ended", "training_failed"].contains(&text(&event["type"])))
}
