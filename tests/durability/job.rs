//! A training job that is disturbed, and what must be stored when it has ended all the same.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Row, SqliteConnection};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use trainyard::store::metadata::{Checkpoints, Metadata, Models};
use trainyard::store::records::{CheckpointRecord, EventRecord, JobKind, JobRecord, JobStatus, Order, PageRequest};
use trainyard::store::sqlite::SqliteMetadata;
use uuid::Uuid;

use crate::server::{Environment, Server, Start, Task, binary, copy_directory};
use crate::time_limits::Limited;

/// The built-in base model.
const SEEDLING: &str = "trainyard/seedling";
/// The entity of every key.
pub(crate) const ENTITY: &str = "acme";
/// Longest time that a job may take to end once nothing disturbs it: a lease that nobody released runs out in 15 s.
pub(crate) const JOB_TIME: Duration = Duration::from_secs(90);
/// Longest time for which a store may be busy: writers queue for it, and a slow disk has hundreds of megabytes to write first.
const MAX_BUSY: Duration = Duration::from_secs(120);
/// How often a job is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// Training data of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sft,
    Rl,
    /// Supervised, of [`LONG_STEPS`] steps.
    Long,
}

/// Steps of a job that is certainly not done yet when something is done to it.
pub(crate) const LONG_STEPS: usize = 150;

type Hash = [u8; 32];

/// State after the end of a job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// SHA-256 of the adapter's configuration and weights.
    pub adapter: Option<[Hash; 2]>,
    /// Which kind of job left the optimizer's state, and the state's SHA-256.
    optimizer: Option<(JobKind, Hash)>,
    metrics: BTreeMap<String, f64>,
    /// Type and data of each event, without the speed of the machine.
    pub events: Vec<(String, Value)>,
}

/// A data directory with a key and some models, made once and copied for every round.
pub(crate) struct Template {
    pub directory: PathBuf,
    pub key: String,
    pub models: Vec<String>,
    groups: Value,
    sft: Outcome,
    rl: Outcome,
    long: Outcome,
}

static TEMPLATE: OnceCell<Template> = OnceCell::const_new();

/// The template, and what undisturbed jobs leave.
pub(crate) async fn template() -> &'static Template {
    TEMPLATE.get_or_init(Template::make).await
}

impl Template {
    async fn make() -> Self {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("durability");
        // Those of runs that are over; none of them can clean up at its end.
        for old in std::fs::read_dir(&all).into_iter().flatten().flatten() {
            if !Path::new("/proc").join(old.file_name()).exists() {
                let _ = std::fs::remove_dir_all(old.path());
            }
        }
        let directory = all.join(std::process::id().to_string());
        std::fs::create_dir_all(&directory).expect("the target directory can be written");
        let rows: String = (0..8).map(|n| format!("{}\n", row(&format!("count {n}"), "one two three"))).collect();
        std::fs::write(directory.join("rows.jsonl"), rows).expect("writable");
        std::fs::write(directory.join("bad.jsonl"), "{\"prompt\": \"no messages\"}\n").expect("writable");
        let rows: String =
            (0..LONG_STEPS).map(|n| format!("{}\n", row(&format!("count {n}"), "one two three"))).collect();
        std::fs::write(directory.join("more.jsonl"), rows).expect("writable");
        let rows: String = (0..400).map(|n| format!("{}\n", row(&format!("count {n}"), "one two three"))).collect();
        std::fs::write(directory.join("long.jsonl"), rows).expect("writable");
        let data = directory.join("data");
        let created = Command::new(binary())
            .args(["keys", "create", "--entity", ENTITY, "--data-dir"])
            .arg(&data)
            .output_limited();
        let key = String::from_utf8(created.stdout).expect("text").trim().to_owned();
        let server = Server::undisturbed(&data, &directory);
        let client = Client::new(&key);
        let mut models = Vec::new();
        for number in 0..8 {
            models.push(client.create_model(&server.root, &format!("model-{number}")).await.expect("a model"));
        }
        let groups =
            json!([client.group(&server.root, "pick a word").await, client.group(&server.root, "again").await]);
        assert!(server.stop().success());
        let nothing = || Outcome { adapter: None, optimizer: None, metrics: BTreeMap::new(), events: Vec::new() };
        let mut template = Self { directory, key, models, groups, sft: nothing(), rl: nothing(), long: nothing() };
        for kind in [Kind::Sft, Kind::Rl, Kind::Long] {
            let mut round = Round::new(&template, kind);
            round.finish().await;
            let metadata = round.metadata().await;
            let (_, outcome) = ended(&metadata, round.job.as_deref().expect("a job")).await;
            assert!(outcome.adapter.is_some() && outcome.events.len() > 7, "{outcome:?}");
            drop(round);
            match kind {
                Kind::Sft => template.sft = outcome,
                Kind::Rl => template.rl = outcome,
                Kind::Long => template.long = outcome,
            }
        }
        template
    }

    /// State after an undisturbed job.
    pub(crate) fn expected(&self, kind: Kind) -> &Outcome {
        match kind {
            Kind::Sft => &self.sft,
            Kind::Rl => &self.rl,
            Kind::Long => &self.long,
        }
    }

    /// Path and body of the request that creates a job.
    pub(crate) fn request(&self, kind: Kind, model: &str) -> (&'static str, Value) {
        match kind {
            Kind::Sft => self.supervised(model, "rows.jsonl"),
            Kind::Long => self.supervised(model, "more.jsonl"),
            Kind::Rl => {
                let config = json!({ "learning_rate": 1e-3 });
                let body =
                    json!({ "model_id": model, "trajectory_groups": self.groups, "experimental_config": config });
                ("/v1/preview/training-jobs", body)
            }
        }
    }

    /// As [`Self::request`], of a supervised job on a file of the template: `bad.jsonl` makes it fail, `long.jsonl` has
    /// 400 steps.
    pub(crate) fn supervised(&self, model: &str, file: &str) -> (&'static str, Value) {
        let url = format!("file://{}", self.directory.join(file).display());
        let config = json!({ "batch_size": 1, "learning_rate": 1e-3 });
        ("/v1/preview/sft-training-jobs", json!({ "model_id": model, "training_data_url": url, "config": config }))
    }

    /// A copy of the data directory.
    pub(crate) fn copy(&self) -> TempDir {
        let directory = tempfile::tempdir().expect("a temporary directory");
        copy_directory(&self.directory.join("data"), &directory.path().join("data"));
        directory
    }
}

/// A row of a supervised data set.
fn row(user: &str, assistant: &str) -> Value {
    json!({ "messages": [{ "role": "user", "content": user }, { "role": "assistant", "content": assistant }] })
}

/// Speaks to a server.
pub(crate) struct Client {
    http: reqwest::Client,
    key: String,
}

impl Client {
    pub(crate) fn new(key: &str) -> Self {
        let http = reqwest::Client::builder().timeout(Duration::from_secs(60)).build().expect("a client");
        Self { http, key: key.to_owned() }
    }

    /// Status and JSON of the answer; an error if there is none, or not a whole one.
    pub(crate) async fn call(
        &self,
        method: &str,
        url: &str,
        body: Option<&Value>,
    ) -> Result<(u16, Value), reqwest::Error> {
        let mut request = self.http.request(method.parse().expect("a method"), url);
        if let Some(body) = body {
            request = request.json(body);
        }
        self.send(request).await
    }

    /// As [`Self::create`], of JSON that is written. While the store is busy, sends it again, as it is told to.
    pub(crate) async fn create_written(
        &self,
        url: &str,
        body: Bytes,
        key: &str,
    ) -> Result<(u16, Value), reqwest::Error> {
        let begun = Instant::now();
        loop {
            let request = self.http.post(url).header("Content-Type", "application/json").body(body.clone());
            match self.send(request.header("Idempotency-Key", key)).await? {
                (503, _) if begun.elapsed() < MAX_BUSY => tokio::time::sleep(Duration::from_secs(1)).await,
                answer => return Ok(answer),
            }
        }
    }

    /// As [`Self::call`], of a create that may be sent again under its key.
    pub(crate) async fn create(&self, url: &str, body: &Value, key: &str) -> Result<(u16, Value), reqwest::Error> {
        self.send(self.http.post(url).header("Idempotency-Key", key).json(body)).await
    }

    /// Uploads a file under a key.
    pub(crate) async fn upload(&self, url: &str, name: &str, key: &str) -> Result<(u16, Value), reqwest::Error> {
        self.upload_as("fine-tune", url, name, "content".to_owned(), key).await
    }

    /// Uploads a file of a purpose.
    pub(crate) async fn upload_as(
        &self,
        purpose: &'static str,
        url: &str,
        name: &str,
        content: String,
        key: &str,
    ) -> Result<(u16, Value), reqwest::Error> {
        let file = reqwest::multipart::Part::text(content).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().text("purpose", purpose).part("file", file);
        self.send(self.http.post(url).header("Idempotency-Key", key).multipart(form)).await
    }

    /// The bytes of a file that the server has.
    pub(crate) async fn bytes(&self, url: &str) -> Option<Vec<u8>> {
        let response = self.http.get(url).bearer_auth(&self.key).send().await.ok()?.error_for_status().ok()?;
        response.bytes().await.ok().map(|bytes| bytes.to_vec())
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<(u16, Value), reqwest::Error> {
        let response = request.bearer_auth(&self.key).send().await?;
        let status = response.status().as_u16();
        let text = response.text().await?;
        let parse =
            || serde_json::from_str(&text).unwrap_or_else(|error| panic!("{status}, no JSON: {error}: {text:?}"));
        let body = if text.is_empty() { Value::Null } else { parse() };
        assert!(status < 400 || body["error"]["message"].is_string(), "{status} without words: {body}");
        Ok((status, body))
    }

    /// Path and body of the request that creates a model.
    pub(crate) fn model_request(name: &str) -> (&'static str, Value) {
        ("/v1/preview/models", json!({ "project": "p", "name": name, "base_model": SEEDLING }))
    }

    /// Creates a model; its id.
    pub(crate) async fn create_model(&self, root: &str, name: &str) -> Option<String> {
        let (path, body) = Self::model_request(name);
        match self.call("POST", &format!("{root}{path}"), Some(&body)).await {
            Ok((status, model)) if status < 300 => model["id"].as_str().map(str::to_owned),
            _ => None,
        }
    }

    /// Three rollouts of a prompt, with rewards.
    async fn group(&self, root: &str, prompt: &str) -> Value {
        let messages = json!([{ "role": "user", "content": prompt }]);
        let body =
            json!({ "model": SEEDLING, "messages": messages, "n": 4, "temperature": 1, "max_tokens": 6, "seed": 1 });
        let (status, answer) =
            self.call("POST", &format!("{root}/v1/chat/completions"), Some(&body)).await.expect("an answer");
        assert_eq!(status, 200, "{answer}");
        let choices = answer["choices"].as_array().expect("choices");
        let trajectories = choices.iter().zip([0.0, 0.25, 1.0, 0.5]).map(|(choice, reward)| {
            json!({ "messages_and_choices": [{ "role": "user", "content": prompt }, choice], "reward": reward })
        });
        json!({ "trajectories": trajectories.collect::<Vec<_>>() })
    }

    /// The events of a job so far.
    pub(crate) async fn events(&self, root: &str, job: &str) -> Option<Vec<Value>> {
        let mut events: Vec<Value> = Vec::new();
        let mut after = String::new();
        loop {
            let url = format!("{root}/v1/preview/training-jobs/{job}/events?limit=100{after}");
            let (status, page) = self.call("GET", &url, None).await.ok()?;
            if status != 200 {
                return None;
            }
            events.extend(page["data"].as_array().expect("a page has data").iter().cloned());
            if page["has_more"] != json!(true) {
                return Some(events);
            }
            after = format!("&after={}", page["last_id"].as_str().expect("a cursor"));
        }
    }
}

/// The type of the last event if it ends a job.
pub(crate) fn end_of(events: &[Value]) -> Option<&str> {
    events
        .last()
        .and_then(|event| event["type"].as_str())
        .filter(|kind| *kind != "training_started" && *kind != "gradient_step")
}

/// Why a disturbed run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// The process ended before it listened.
    NoStart,
    /// The process ended.
    Gone,
    /// The job ended.
    JobEnded,
    /// Neither within the time.
    Time,
}

/// One job on a data directory of its own.
pub(crate) struct Round<'a> {
    template: &'a Template,
    directory: TempDir,
    kind: Kind,
    client: Client,
    /// Models that it may train; each request that fails uses one up.
    models: Vec<String>,
    /// Tells every process where rows and artifacts are, if not in the data directory.
    environment: Vec<(&'static str, String)>,
    /// The job, once a server acknowledged it.
    pub job: Option<String>,
    /// Requests for a job that failed or were not answered; each may have created one.
    asked: usize,
    /// The events that clients have been told of; they stay as they were told.
    pub told: Vec<Value>,
    /// Logs of the servers that have ended.
    pub log: String,
}

impl<'a> Round<'a> {
    pub(crate) fn new(template: &'a Template, kind: Kind) -> Self {
        Self::on(template, kind, template.copy(), &template.key, template.models.clone(), Vec::new())
    }

    /// A job of one of these models on data that `environment` leads to.
    pub(crate) fn on(
        template: &'a Template,
        kind: Kind,
        directory: TempDir,
        key: &str,
        models: Vec<String>,
        environment: Vec<(&'static str, String)>,
    ) -> Self {
        let client = Client::new(key);
        let (told, log) = (Vec::new(), String::new());
        Self { template, directory, kind, client, models, environment, job: None, asked: 0, told, log }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Starts a server that nothing disturbs.
    pub(crate) fn serve(&self) -> Server {
        Server::undisturbed(&self.data(), &self.template.directory)
    }

    /// Starts a process that nothing disturbs, with more variables in its environment.
    pub(crate) fn start(&self, task: Task, environment: &Environment) -> Server {
        let environment = [&self.environment, environment].concat();
        let start = Start { task, environment: &environment, ..Default::default() };
        Server::ready(&self.data(), &self.template.directory, &start)
    }

    /// Follows the job until it has so many events.
    pub(crate) async fn reach(&mut self, server: &mut Server, events: usize) {
        let (root, begun) = (server.root.clone(), Instant::now());
        while self.told.len() < events {
            let over = self.follow(server, &root, Duration::from_millis(1)).await;
            assert!(over != Over::Gone && begun.elapsed() < JOB_TIME, "{over:?}: {}", server.log());
        }
    }

    /// Follows the job to its end.
    pub(crate) async fn reach_end(&mut self, server: &mut Server, what: &str) {
        let root = server.root.clone();
        let over = self.follow(server, &root, JOB_TIME).await;
        assert_eq!(over, Over::JobEnded, "{what}: {}", server.log());
    }

    /// Runs a command of the program on the round's data.
    pub(crate) fn command(&self, arguments: &[&str]) -> Output {
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        let mut command = Command::new(binary());
        command.args(arguments).arg("--data-dir").arg(self.data()).envs(environment).output_limited()
    }

    pub(crate) async fn metadata(&self) -> SqliteMetadata {
        SqliteMetadata::open(&self.data().join("trainyard.db")).await.expect("the database opens")
    }

    /// Creates the job unless a server has acknowledged it. An unanswered request may have created one all the same, so
    /// the next goes to another model.
    pub(crate) async fn create(&mut self, root: &str) {
        if self.job.is_some() {
            return;
        }
        let model = self.models.get(self.asked).expect("few requests fail");
        let (path, body) = self.template.request(self.kind, model);
        match self.client.call("POST", &format!("{root}{path}"), Some(&body)).await {
            Ok((status, job)) if status < 300 => self.job = Some(job["id"].as_str().expect("an id").to_owned()),
            Ok((status, answer)) => {
                assert!(status >= 500, "{status} {answer}");
                self.asked += 1;
            }
            Err(_) => self.asked += 1,
        }
    }

    /// Whether the job is being worked on, read from the database file without a lock.
    pub(crate) async fn is_running(&self) -> bool {
        let options = SqliteConnectOptions::new().filename(self.data().join("trainyard.db"));
        let mut connection = SqliteConnection::connect_with(&options).await.expect("the database opens");
        let row = sqlx::query("SELECT status FROM jobs WHERE id = ?").bind(self.job.as_deref().expect("a job"));
        let status: String = row.fetch_one(&mut connection).await.expect("the job").get(0);
        connection.close().await.expect("the database closes");
        status == "running"
    }

    /// Writes a row that no job needs; whether the service did.
    pub(crate) async fn can_write(&self, root: &str) -> bool {
        let name = format!("beside-{}", Uuid::new_v4().simple());
        self.client.create_model(root, &name).await.is_some()
    }

    /// Looks at the job's events; `true` once it has ended.
    pub(crate) async fn look(&mut self, root: &str) -> bool {
        let Some(job) = &self.job else { return false };
        let Some(events) = self.client.events(root, job).await else { return false };
        let before = &self.told;
        assert!(
            events.len() >= before.len() && events[..before.len()] == before[..],
            "told {before:?}, now {events:?}"
        );
        self.told = events;
        end_of(&self.told).is_some()
    }

    /// Serves under a disturbance until the process or the job has ended, or `patience` is over.
    pub(crate) async fn disturbed(&mut self, start: &Start<'_>, patience: Duration) -> Over {
        let mut server = match Server::start(&self.data(), &self.template.directory, start) {
            Ok(server) => server,
            Err(log) => {
                self.log += &log.join("\n");
                return Over::NoStart;
            }
        };
        let root = server.root.clone();
        let over = self.follow(&mut server, &root, patience).await;
        self.log += &server.log();
        if over != Over::Gone {
            server.stop();
        }
        over
    }

    /// Creates the job and looks at it until the process or the job has ended, or `patience` is over.
    pub(crate) async fn follow(&mut self, server: &mut Server, root: &str, patience: Duration) -> Over {
        let deadline = Instant::now() + patience;
        self.create(root).await;
        loop {
            if self.look(root).await {
                return Over::JobEnded;
            }
            if !server.runs() {
                return Over::Gone;
            }
            if Instant::now() > deadline {
                return Over::Time;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Serves undisturbed until the job has ended.
    pub(crate) async fn finish(&mut self) {
        let mut server = self.serve();
        let root = server.root.clone();
        let over = self.follow(&mut server, &root, JOB_TIME).await;
        assert_eq!(over, Over::JobEnded, "told {:?}\n{}\n{}", self.told, self.log, server.log());
        let log = server.log();
        assert!(server.stop().success(), "{log}");
        self.log += &log;
    }

    /// Checks that everything is as if nothing had happened. No server may run.
    pub(crate) async fn verify(&self, what: &str) {
        let jobs = check_database(&self.data()).await;
        let metadata = self.metadata().await;
        self.verify_jobs(what, &jobs, &metadata).await;
        check_artifacts(&self.data(), &metadata).await;
        metadata.close().await;
    }

    /// Checks that these are all jobs, and that they have left what they should.
    pub(crate) async fn verify_jobs(&self, what: &str, jobs: &[String], metadata: &dyn Metadata) {
        assert!(!self.log.contains("panicked"), "{what}: {}", self.log);
        assert!(jobs.iter().any(|id| Some(id) == self.job.as_ref()), "{what}: an acknowledged job is lost");
        assert!(jobs.len() <= 1 + self.asked, "{what}: {jobs:?}");
        for id in jobs {
            let (record, outcome) = ended(metadata, id).await;
            assert_eq!(record.status, JobStatus::Succeeded, "{what}: {:?}\n{}", record.error, self.log);
            assert_eq!(record.lease_owner, None, "{what}");
            assert_eq!(&outcome, self.template.expected(self.kind), "{what}: job {id}");
            let page = PageRequest { after: None, limit: 100, order: Order::Ascending };
            let steps = metadata.list_checkpoints(ENTITY, record.model_id, page).await.expect("checkpoints").items;
            assert_eq!(steps.iter().map(|checkpoint| checkpoint.step).collect::<Vec<_>>(), [0, 1], "{what}");
        }
    }
}

/// A job that has ended, and what it left: its log is gapless and names no event twice, and its progress is that of the log.
pub(crate) async fn ended(metadata: &dyn Metadata, job: &str) -> (JobRecord, Outcome) {
    let job = metadata.get_job(ENTITY, job.parse().expect("a UUID")).await.expect("the job");
    let page = PageRequest { after: None, limit: 10_000, order: Order::Ascending };
    let events = metadata.list_events(ENTITY, job.id, page).await.expect("events").items;
    let sequences: Vec<i64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=i64::try_from(events.len()).expect("few")).collect::<Vec<_>>());
    let identities: HashSet<Uuid> = events.iter().map(|event| event.id).collect();
    assert_eq!(identities.len(), events.len());
    let state = metadata.get_job_state(ENTITY, job.id).await.expect("the progress");
    let steps = || events.iter().filter(|event| event.kind == "gradient_step");
    let tokens = |event: &EventRecord| -> i64 {
        let data: Value = serde_json::from_str(&event.data).expect("JSON");
        let trained = data.get("row/num_trained_tokens").or_else(|| data.get("num_trainable_tokens"));
        trained.map_or(0, |tokens| tokens.as_f64().expect("a number").to_string().parse().expect("a whole number"))
    };
    let counted = (i64::try_from(steps().count()).expect("few"), steps().map(tokens).sum());
    assert_eq!((state.steps, state.trained_tokens), counted);
    let events = events.into_iter().map(|event| {
        let mut data: Value = serde_json::from_str(&event.data).expect("JSON");
        if let Some(data) = data.as_object_mut() {
            data.remove("tokens_per_second");
        }
        (event.kind, data)
    });
    let events = events.collect();
    let (adapter, optimizer, metrics) = match metadata.checkpoint_at_step(ENTITY, job.model_id, 1).await {
        Ok(CheckpointRecord { adapter, optimizer, metrics, .. }) => (
            adapter.map(|adapter| [adapter.config.hash(), adapter.weights.hash()]),
            optimizer.map(|optimizer| (optimizer.kind, optimizer.state.hash())),
            metrics,
        ),
        Err(_) => (None, None, BTreeMap::new()),
    };
    (job, Outcome { adapter, optimizer, metrics, events })
}

/// Checks the database file, and returns the ids of all jobs in it.
pub(crate) async fn check_database(data: &Path) -> Vec<String> {
    let options = SqliteConnectOptions::new().filename(data.join("trainyard.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the database opens");
    let verdict: String =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await.expect("a verdict");
    assert_eq!(verdict, "ok");
    let dangling = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await.expect("a verdict");
    assert!(dangling.is_empty(), "{} rows refer to nothing", dangling.len());
    let jobs = sqlx::query("SELECT id FROM jobs ORDER BY sequence").fetch_all(&mut connection).await.expect("jobs");
    connection.close().await.expect("the database closes");
    jobs.iter().map(|row| row.get(0)).collect()
}

/// Checks that every artifact has the bytes that its name says, and that whatever a checkpoint refers to is there.
pub(crate) async fn check_artifacts(data: &Path, metadata: &SqliteMetadata) {
    let mut present = HashSet::new();
    let directories = std::fs::read_dir(data.join("artifacts").join("sha256")).into_iter().flatten();
    for directory in directories {
        for file in std::fs::read_dir(directory.expect("an entry").path()).expect("a directory") {
            let file = file.expect("an entry");
            let name = file.file_name().into_string().expect("a name");
            if name.contains('#') {
                continue; // being written when the process ended
            }
            let bytes = std::fs::read(file.path()).expect("an artifact");
            let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(Some(hash.as_str()), name.split('-').next(), "an artifact has other bytes than were stored");
            present.insert(name);
        }
    }
    for model in metadata.list_models(ENTITY).await.expect("models") {
        let page = PageRequest { after: None, limit: 100, order: Order::Ascending };
        for checkpoint in metadata.list_checkpoints(ENTITY, model.id, page).await.expect("checkpoints").items {
            let files = checkpoint.adapter.map(|adapter| [adapter.config, adapter.weights]).into_iter().flatten();
            for id in files.chain(checkpoint.optimizer.map(|optimizer| optimizer.state)) {
                assert!(present.contains(&id.to_string()), "step {} of {} lacks {id}", checkpoint.step, model.name);
            }
        }
    }
}
