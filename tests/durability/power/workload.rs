//! The requests whose effects must outlive a power cut, and when each was acknowledged.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::trace::{self, Recording};
use crate::job::{Client, ENTITY, JOB_TIME, Kind, Template, end_of};
use crate::requests::{UPLOADED_STEP, upload, upload_name};
use crate::server::{Fault, Server, Start, Task, binary, strace};
use crate::time_limits::Limited;

/// Small files that are uploaded at once.
const FILES: usize = 6;
/// More than a streaming write keeps in memory.
const LARGE_FILE: usize = 9 << 20;
/// Steps of the second job before its server stops.
const STEPS_BEFORE_STOP: usize = 3;

const KEY_COMMAND: &[&str] = &["keys", "create", "--entity", ENTITY, "--data-dir"];

/// A moment that the recording knows.
#[derive(Clone, Debug)]
enum Moment {
    /// The response with this name was sent.
    Response(String),
    /// The request with this name had arrived.
    Request(String),
    /// This process wrote to its standard output.
    Printed(usize),
    /// This process had ended.
    End(usize),
}

impl Moment {
    fn position(&self, recording: &Recording) -> usize {
        match self {
            Self::Response(id) => recording.answered[id],
            Self::Request(id) => recording.received[id],
            Self::Printed(process) => recording.printed[process],
            Self::End(process) => recording.ends[*process],
        }
    }
}

/// State that a client knows.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// The key is valid.
    Key,
    Model(String),
    NoModel(String),
    File {
        id: String,
        content: [u8; 32],
    },
    NoFile(String),
    /// The create under this key made this job, and makes no other.
    Job {
        path: &'static str,
        body: Value,
        key: String,
        id: String,
    },
    /// The first events of the job.
    Events {
        job: String,
        events: Vec<Value>,
    },
    Cancelled(String),
    /// The weights of a checkpoint.
    Checkpoint {
        model: String,
        step: i64,
        weights: [u8; 32],
    },
    NoCheckpoint {
        model: String,
        step: i64,
    },
    /// A backup that is whole.
    Backup(PathBuf),
}

struct Acknowledged {
    fact: Fact,
    since: Moment,
    /// From when on it may be otherwise.
    until: Option<Moment>,
}

/// A recorded run.
pub(crate) struct Workload {
    pub recording: Recording,
    pub key: String,
    /// The directory below which everything is stored.
    pub disk: PathBuf,
    /// Each job that ends as an undisturbed one of this kind does.
    pub jobs: Vec<(String, Kind)>,
    facts: Vec<Acknowledged>,
}

impl Workload {
    /// State that was acknowledged at a position and may not have changed since.
    pub(crate) fn known(&self, position: usize) -> impl Iterator<Item = &Fact> {
        let passed = move |moment: &Moment| moment.position(&self.recording) < position;
        let known =
            self.facts.iter().filter(move |told| passed(&told.since) && !told.until.as_ref().is_some_and(passed));
        known.map(|told| &told.fact)
    }

    /// The position after each acknowledgement, in order.
    pub(crate) fn acknowledgements(&self) -> Vec<usize> {
        let mut positions: Vec<usize> =
            self.facts.iter().map(|told| told.since.position(&self.recording) + 1).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Makes the requests in `directory` and records what the processes do to its files.
    pub(crate) async fn record(template: &Template, directory: &Path) -> Self {
        let disk = directory.join("disk");
        std::fs::create_dir(&disk).expect("a directory");
        let data = disk.join("data");
        let traces: Vec<PathBuf> = (0..4).map(|number| directory.join(format!("trace-{number}"))).collect();
        let mut session = Session::new(template, &command(&traces[0], KEY_COMMAND, &data));
        let start =
            |file| Server::ready(&data, &template.directory, &Start { record: Some(file), ..Default::default() });

        let server = start(&traces[1]);
        session.root = server.root.clone();
        let models = join_all((0..5).map(|number| session.create_model(number))).await;
        let names: Vec<String> = (0..FILES).map(|number| number.to_string()).collect();
        let files = join_all(names.iter().map(|name| session.create_file(name.clone().into_bytes()))).await;
        session.create_file((0..LARGE_FILE).map(|byte| (byte % 251) as u8).collect()).await;
        let first = session.create_job(Kind::Sft, &models[0]).await;
        session.follow(&first, usize::MAX).await;
        session.delete_file(&files[0]).await;
        session.change_checkpoints(&models[0]).await;
        let second = session.create_job(Kind::Rl, &models[1]).await;
        session.follow(&second, STEPS_BEFORE_STOP).await;
        assert!(server.stop().success());

        let server = start(&traces[2]);
        session.root = server.root.clone();
        let third = session.create_job(Kind::Sft, &models[2]).await;
        session.cancel(&third).await;
        session.delete_model(&models[3]).await;
        session.delete_file(&files[1]).await;
        session.follow(&second, usize::MAX).await;
        let fourth = session.create_job(Kind::Sft, &models[4]).await;
        session.follow(&fourth, 1).await;
        assert!(server.stop().success());

        let backup = disk.join("backups").join("first");
        let path = backup.to_str().expect("text");
        command(&traces[3], &["backup", path, "--data-dir"], &data);
        session.note(Fact::Backup(PathBuf::from("backups/first")), Moment::End(3));
        session.end_recording(disk, &traces, vec![(first, Kind::Sft), (second, Kind::Rl), (fourth, Kind::Sft)])
    }

    /// Records a server that is killed before a sync of SQLite's log, and another that tells what it finds there.
    pub(crate) async fn record_kill(template: &Template, directory: &Path, syncs: usize) -> Self {
        let disk = directory.join("disk");
        std::fs::create_dir(&disk).expect("a directory");
        let data = disk.join("data");
        let traces: Vec<PathBuf> = (0..3).map(|number| directory.join(format!("trace-{number}"))).collect();
        let mut session = Session::new(template, &command(&traces[0], KEY_COMMAND, &data));
        let fault = Fault::kill("fsync", syncs);
        let start = |file, fault| {
            let start = Start { task: Task::Serve, record: Some(file), fault, ..Default::default() };
            Server::ready(&data, &template.directory, &start)
        };

        let mut server = start(&traces[1], Some(&fault));
        let client = Client::new(&session.key);
        let mut created = 0;
        while client.create_model(&server.root, &format!("model-{created}")).await.is_some() {
            created += 1;
        }
        let begun = Instant::now();
        while !server.was_killed() {
            assert!(begun.elapsed() < JOB_TIME, "no answer, but a process: {}", server.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }

        let server = start(&traces[2], None);
        session.root = server.root.clone();
        let (request, page) = session.call("GET", "/v1/preview/models?limit=100", None).await;
        let models = page["data"].as_array().expect("a page");
        assert_eq!(models.len(), created + 1, "the create that was cut off is in the log of SQLite");
        for model in models {
            session.note(Fact::Model(id_of(model)), Moment::Response(request.clone()));
        }
        assert!(server.stop().success());
        session.end_recording(disk, &traces, Vec::new())
    }
}

/// Records a command; its output.
fn command(trace: &Path, arguments: &[&str], data: &Path) -> String {
    let mut command = strace();
    command.args(trace::options(trace, None)).arg(binary()).args(arguments).arg(data);
    let output = command.output_limited();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command that nobody records; whether it succeeded, and what it said.
pub(crate) fn run(arguments: &[&str], data: &Path) -> (bool, String) {
    let output = Command::new(binary()).args(arguments).arg("--data-dir").arg(data).output_limited();
    let words = [output.stdout, output.stderr].map(|words| String::from_utf8_lossy(&words).into_owned()).concat();
    (output.status.success(), words)
}

pub(crate) fn sha256(content: &[u8]) -> [u8; 32] {
    Sha256::digest(content).into()
}

/// A client that names its requests and notes what it is told.
struct Session<'a> {
    template: &'a Template,
    http: reqwest::Client,
    key: String,
    root: String,
    number: Cell<usize>,
    facts: RefCell<Vec<Acknowledged>>,
}

impl<'a> Session<'a> {
    /// A session of the new key.
    fn new(template: &'a Template, key: &str) -> Self {
        let http = reqwest::Client::builder().timeout(JOB_TIME).build().expect("a client");
        let (key, root) = (key.trim().to_owned(), String::new());
        let session = Self { template, http, key, root, number: Cell::new(0), facts: RefCell::default() };
        session.note(Fact::Key, Moment::Printed(0));
        session
    }

    /// Reads the traces of the processes, which have ended.
    fn end_recording(self, disk: PathBuf, traces: &[PathBuf], jobs: Vec<(String, Kind)>) -> Workload {
        let mut recording = Recording::default();
        for file in traces {
            recording.add(file, &disk);
        }
        Workload { recording, key: self.key, disk, jobs, facts: self.facts.into_inner() }
    }

    fn note(&self, fact: Fact, since: Moment) {
        self.facts.borrow_mut().push(Acknowledged { fact, since, until: None });
    }

    /// Notes that facts may end with a request.
    fn end(&self, request: &str, ends: impl Fn(&Fact) -> bool) {
        for told in self.facts.borrow_mut().iter_mut().filter(|told| ends(&told.fact)) {
            told.until.get_or_insert(Moment::Request(request.to_owned()));
        }
    }

    /// Sends a request; its name and the answer.
    async fn send(&self, request: reqwest::RequestBuilder) -> (String, Value) {
        self.number.set(self.number.get() + 1);
        let id = format!("request-{}", self.number.get());
        let response = request.bearer_auth(&self.key).header("x-request-id", &id).send().await.expect("an answer");
        let (status, body) = (response.status(), response.text().await.expect("a body"));
        assert!(status.is_success(), "{status} {body}");
        (id, if body.is_empty() { Value::Null } else { serde_json::from_str(&body).expect("JSON") })
    }

    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> (String, Value) {
        let request = self.http.request(method.parse().expect("a method"), format!("{}{path}", self.root));
        self.send(if let Some(body) = body { request.json(&body) } else { request }).await
    }

    async fn create_model(&self, number: usize) -> String {
        let (path, body) = Client::model_request(&format!("model-{number}"));
        let (request, model) = self.call("POST", path, Some(body)).await;
        let id = id_of(&model);
        self.note(Fact::Model(id.clone()), Moment::Response(request));
        id
    }

    async fn create_file(&self, bytes: Vec<u8>) -> String {
        let content = sha256(&bytes);
        let file = reqwest::multipart::Part::bytes(bytes).file_name("rows.jsonl");
        let form = reqwest::multipart::Form::new().text("purpose", "fine-tune").part("file", file);
        let request = self.http.post(format!("{}/v1/files", self.root)).multipart(form);
        let (request, file) = self.send(request).await;
        let id = id_of(&file);
        self.note(Fact::File { id: id.clone(), content }, Moment::Response(request));
        id
    }

    async fn delete_file(&self, file: &str) {
        let (request, _) = self.call("DELETE", &format!("/v1/files/{file}"), None).await;
        self.end(&request, |fact| matches!(fact, Fact::File { id, .. } if id == file));
        self.note(Fact::NoFile(file.to_owned()), Moment::Response(request));
    }

    async fn delete_model(&self, model: &str) {
        let (request, _) = self.call("DELETE", &format!("/v1/preview/models/{model}"), None).await;
        self.end(&request, |fact| matches!(fact, Fact::Model(id) if id == model));
        self.note(Fact::NoModel(model.to_owned()), Moment::Response(request));
    }

    async fn create_job(&self, kind: Kind, model: &str) -> String {
        let (path, body) = self.template.request(kind, model);
        let key = format!("job of {model}");
        let request = self.http.post(format!("{}{path}", self.root)).header("Idempotency-Key", &key).json(&body);
        let (request, job) = self.send(request).await;
        let id = id_of(&job);
        self.note(Fact::Job { path, body, key, id: id.clone() }, Moment::Response(request));
        id
    }

    async fn cancel(&self, job: &str) {
        let (request, answer) = self.call("POST", &format!("/v1/preview/training-jobs/{job}/cancel"), None).await;
        assert_eq!(answer["status"], "cancelled", "{answer}");
        self.note(Fact::Cancelled(job.to_owned()), Moment::Response(request));
    }

    /// Looks at the events of a job until there are so many, or it has ended.
    async fn follow(&self, job: &str, count: usize) {
        let (begun, mut told) = (Instant::now(), 0);
        loop {
            let (request, page) =
                self.call("GET", &format!("/v1/preview/training-jobs/{job}/events?limit=100"), None).await;
            let events = page["data"].as_array().expect("a page").clone();
            let ended = end_of(&events).is_some();
            let enough = events.len() >= count;
            if events.len() > told {
                told = events.len();
                self.note(Fact::Events { job: job.to_owned(), events }, Moment::Response(request));
            }
            if ended || enough {
                return;
            }
            assert!(begun.elapsed() < JOB_TIME, "{page}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Copies the trained checkpoint, publishes its files as an upload, and deletes it.
    async fn change_checkpoints(&self, model: &str) {
        let trained = format!("/v1/preview/models/{model}");
        let note = async |step: i64, since: Option<String>| {
            let url = format!("{}{trained}/checkpoints/{step}/files/adapter_model.safetensors", self.root);
            let id = format!("weights-{step}");
            let request = self.http.get(url).bearer_auth(&self.key).header("x-request-id", &id);
            let weights = request.send().await.expect("an answer").bytes().await.expect("a file");
            let fact = Fact::Checkpoint { model: model.to_owned(), step, weights: sha256(&weights) };
            self.note(fact, Moment::Response(since.unwrap_or(id)));
        };
        note(1, None).await;
        let body = json!({ "type": "copy", "model_id": model, "step": 1 });
        let (copied, _) = self.call("POST", &format!("{trained}/add-checkpoint"), Some(body)).await;
        note(2, Some(copied)).await;
        let client = Client::new(&self.key);
        upload(&client, &self.key, &self.root, model).await;
        let name = upload_name(&client, &self.root, model).await.expect("a model");
        let query = "mutation Any($id: ID!) { commitArtifact(input: {artifactID: $id}) { artifact { id } } }";
        let body = json!({ "query": query, "variables": { "id": format!("lora:p/{name}") } });
        let (committed, answer) = self.call("POST", "/graphql", Some(body)).await;
        assert!(answer.get("errors").is_none(), "{answer}");
        note(UPLOADED_STEP, Some(committed)).await;
        let body = json!({ "steps": [1] });
        let (deleted, _) = self.call("DELETE", &format!("{trained}/checkpoints"), Some(body)).await;
        self.end(&deleted, |fact| matches!(fact, Fact::Checkpoint { step: 1, .. }));
        self.note(Fact::NoCheckpoint { model: model.to_owned(), step: 1 }, Moment::Response(deleted));
    }
}

fn id_of(created: &Value) -> String {
    created["id"].as_str().expect("an id").to_owned()
}
