//! A real service on a free port with its data in a temporary directory, and shorthands to talk to it.

pub(crate) mod process;

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use trainyard::auth::{create_key, create_limited_key};
use trainyard::engine::{Adapter, LoraOptions, ModelConfig};
use trainyard::server::{BaseModelOption, Service, Settings, open_metadata};
use trainyard::store::records::KeyLimits;

use crate::contract::specification;
use crate::time_limits::limit_test;

/// The built-in base model.
pub(crate) const SEEDLING: &str = "trainyard/seedling";
/// Longest time that one job of a test may take.
const JOB_TIME: Duration = Duration::from_secs(120);
/// Longest time that a service may take to stop.
const STOP_TIME: Duration = Duration::from_secs(60);

/// A running service.
pub(crate) struct TestService {
    /// `http://127.0.0.1:PORT`.
    pub root: String,
    inference_root: Option<String>,
    /// A key of the entity `acme`.
    pub key: String,
    /// A key of the entity `rival`.
    pub rival_key: String,
    /// A key of the entity `acme` that may use the operations of operators.
    pub admin_key: String,
    /// Its data directory.
    pub directory: tempfile::TempDir,
    settings: Settings,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    http: reqwest::Client,
}

/// Status and JSON body of an answer.
#[derive(Debug)]
pub(crate) struct JsonResponse {
    pub status: StatusCode,
    pub body: Value,
}

impl JsonResponse {
    /// The body of an answer that must have been a success.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body
    }

    /// The error object of an answer that must have been rejected with this status.
    #[track_caller]
    pub(crate) fn rejected(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        let error = self.body["error"].clone();
        for field in ["message", "type", "param", "code"] {
            assert!(error.get(field).is_some(), "the error has no {field}: {error}");
        }
        error
    }
}

/// Settings of a service that keeps its data in `directory` and reads training data from there.
pub(crate) fn settings(directory: &tempfile::TempDir) -> Settings {
    Settings {
        allow_data: vec![format!("file://{}/", directory.path().display())],
        threads: 1,
        cache_bytes: 64 << 20,
        ..Settings::new(directory.path().join("data"))
    }
}

/// A base model in a directory.
pub(crate) fn base_model(name: &str, directory: &Path) -> BaseModelOption {
    BaseModelOption { name: name.to_owned(), path: Some(directory.to_owned()), choice: None }
}

/// A key of the entity `acme`, one of `rival`, and one of an operator.
async fn keys(settings: &Settings) -> [String; 3] {
    let metadata =
        open_metadata(&settings.data_directory, settings.database.as_ref()).await.expect("the database opens");
    let key = async |entity| create_key(&*metadata, entity, "test").await.expect("a key").0.reveal().to_owned();
    let [own, rival] = [key("acme").await, key("rival").await];
    let admin = create_limited_key(&*metadata, "acme", "operator", KeyLimits::default(), true).await.expect("a key").0;
    [own, rival, admin.reveal().to_owned()]
}

impl TestService {
    pub(crate) async fn start() -> Self {
        Self::start_on(None).await
    }

    /// With other settings.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut settings = settings(&directory);
        change(&mut settings);
        let keys = keys(&settings).await;
        Self::open(directory, settings, keys, None).await
    }

    /// Stops the service and starts it again on the same data.
    pub(crate) async fn restart(self) -> Self {
        self.restart_with(|_| {}).await
    }

    /// Stops the service and starts it again on the same data, with other settings.
    pub(crate) async fn restart_with(self, change: impl FnOnce(&mut Settings)) -> Self {
        let Self { directory, mut settings, key, rival_key, admin_key, stop, task, .. } = self;
        stop.send(true).expect("the service runs");
        end(task).await;
        change(&mut settings);
        Self::open(directory, settings, [key, rival_key, admin_key], None).await
    }

    /// With a listener of its own for inference.
    pub(crate) async fn start_with_inference() -> Self {
        Self::start_on(Some(TcpListener::bind("127.0.0.1:0").await.expect("a free port"))).await
    }

    async fn start_on(inference: Option<TcpListener>) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let settings = settings(&directory);
        let keys = keys(&settings).await;
        Self::open(directory, settings, keys, inference).await
    }

    async fn open(
        directory: tempfile::TempDir,
        settings: Settings,
        [key, rival_key, admin_key]: [String; 3],
        inference: Option<TcpListener>,
    ) -> Self {
        let service = Service::open(&settings, &mut |_, _, _| {}).await.expect("the service starts");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let root = format!("http://{}", listener.local_addr().expect("an address"));
        let inference_root =
            inference.as_ref().map(|inference| format!("http://{}", inference.local_addr().expect("an address")));
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(service.run(listener, inference, stopped));
        let http = http();
        Self { root, inference_root, key, rival_key, admin_key, directory, settings, stop, task, http }
    }

    /// `http://127.0.0.1:PORT` of the inference listener.
    pub(crate) fn inference_root(&self) -> &str {
        self.inference_root.as_deref().expect("an inference listener")
    }

    /// Tells the service to stop and waits for nothing.
    pub(crate) fn begin_to_stop(&self) {
        self.stop.send(true).expect("the service runs");
    }

    /// Stops the service and waits for it.
    pub(crate) async fn stop(self) {
        self.stop_keeping_data().await;
    }

    /// Stops the service; its directory and the key of `acme` are left.
    pub(crate) async fn stop_keeping_data(self) -> (tempfile::TempDir, String) {
        self.stop.send(true).expect("the service runs");
        end(self.task).await;
        (self.directory, self.key)
    }

    /// Sends a request with the key of `acme`; `path` begins behind the root.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> JsonResponse {
        self.send_as(&self.key, method, path, body).await
    }

    pub(crate) async fn send_as(&self, key: &str, method: Method, path: &str, body: Option<&Value>) -> JsonResponse {
        let mut request = self.request_as(key, method, path);
        if let Some(body) = body {
            request = request.json(body);
        }
        answer(request).await
    }

    /// A request to be completed by the test.
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.request_as(&self.key, method, path)
    }

    /// A request with this key, to be completed by the test.
    pub(crate) fn request_as(&self, key: &str, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.root)).bearer_auth(key)
    }

    pub(crate) async fn get(&self, path: &str) -> JsonResponse {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> JsonResponse {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Uploads a file of the entity `acme`; returns its id.
    pub(crate) async fn upload(&self, purpose: &str, name: &str, content: impl Into<reqwest::Body>) -> String {
        let file = reqwest::multipart::Part::stream(content).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().text("purpose", purpose.to_owned()).part("file", file);
        let file = answer(self.request(Method::POST, "/v1/files").multipart(form)).await.ok();
        text(&file["id"]).to_owned()
    }

    /// Creates a model of the entity `acme`.
    pub(crate) async fn model(&self, name: &str) -> Model {
        let body = json!({ "project": "tests", "name": name, "base_model": SEEDLING });
        let model = self.post("/v1/preview/models", &body).await.ok();
        Model {
            id: text(&model["id"]).to_owned(),
            name: format!("wandb-artifact:///{}/tests/{name}", text(&model["entity"])),
        }
    }

    /// A chat completion; `extra` is merged into the body.
    pub(crate) async fn chat(&self, model: &str, prompt: &str, extra: Value) -> Value {
        let mut body = json!({ "model": model, "messages": [{ "role": "user", "content": prompt }] });
        merge(&mut body, extra);
        self.post("/v1/chat/completions", &body).await.ok()
    }

    /// The likeliest first tokens with their logprobs: tells models apart.
    pub(crate) async fn first_tokens(&self, model: &str, prompt: &str) -> Value {
        let options = json!({ "temperature": 0, "max_tokens": 1, "logprobs": true, "top_logprobs": 10 });
        let completion = self.chat(model, prompt, options).await;
        completion["choices"][0]["logprobs"]["content"][0]["top_logprobs"].clone()
    }

    /// A trajectory group: `rewards.len()` completions of one prompt.
    pub(crate) async fn rollouts(&self, model: &str, prompt: &str, rewards: &[f64]) -> Value {
        let options = json!({ "n": rewards.len(), "temperature": 1, "max_tokens": 6, "seed": 1 });
        let completion = self.chat(model, prompt, options).await;
        let choices = completion["choices"].as_array().expect("choices");
        let trajectories: Vec<Value> = choices
            .iter()
            .zip(rewards)
            .map(|(choice, reward)| {
                json!({ "messages_and_choices": [{ "role": "user", "content": prompt }, choice], "reward": reward })
            })
            .collect();
        json!({ "trajectories": trajectories })
    }

    /// Queues an RL job.
    pub(crate) async fn start_rl(&self, model: &Model, groups: Value, config: Value) -> String {
        let body = json!({ "model_id": model.id, "trajectory_groups": groups, "experimental_config": config });
        text(&self.post("/v1/preview/training-jobs", &body).await.ok()["id"]).to_owned()
    }

    /// Queues an SFT job on rows that are written to a file.
    pub(crate) async fn start_sft(&self, model: &Model, rows: &[Value], config: Value) -> String {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let file = self.directory.path().join(format!("{}.jsonl", uuid()));
        std::fs::write(&file, lines).expect("the data can be written");
        let url = format!("file://{}", file.display());
        let body = json!({ "model_id": model.id, "training_data_url": url, "config": config });
        text(&self.post("/v1/preview/sft-training-jobs", &body).await.ok()["id"]).to_owned()
    }

    /// The events of a job so far.
    pub(crate) async fn events(&self, job: &str) -> Vec<Value> {
        let mut events = Vec::new();
        let mut after = String::new();
        loop {
            let page = self.get(&format!("/v1/preview/training-jobs/{job}/events?limit=100{after}")).await.ok();
            events.extend(page["data"].as_array().expect("a page has data").iter().cloned());
            if page["has_more"] != json!(true) {
                return events;
            }
            after = format!("&after={}", text(&page["last_id"]));
        }
    }

    /// Waits for a job's last event and returns all of them.
    pub(crate) async fn finished(&self, job: &str) -> Vec<Value> {
        let deadline = Instant::now() + JOB_TIME;
        loop {
            let events = self.events(job).await;
            if events.iter().any(|event| ["training_ended", "training_failed"].contains(&text(&event["type"]))) {
                return events;
            }
            assert!(Instant::now() < deadline, "the job did not end: {events:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The steps that a model lists.
    pub(crate) async fn steps(&self, model: &Model) -> Vec<i64> {
        let page = self.get(&format!("/v1/preview/models/{}/checkpoints?limit=100", model.id)).await.ok();
        page["data"].as_array().expect("a page").iter().map(|item| item["step"].as_i64().expect("a step")).collect()
    }
}

/// A client whose requests, and the test with them, have a time limit.
pub(crate) fn http() -> reqwest::Client {
    limit_test();
    // A test that prepares its next request for long does not see that the server has closed an idle connection.
    let idle = Duration::from_secs(20);
    reqwest::Client::builder().timeout(JOB_TIME).pool_idle_timeout(idle).build().expect("a client")
}

/// Waits for a service that was told to stop.
pub(crate) async fn end(service: JoinHandle<()>) {
    let ended = tokio::time::timeout(STOP_TIME, service).await.expect("the service stops");
    ended.expect("the service ends well");
}

/// A trained model.
pub(crate) struct Model {
    pub id: String,
    /// Its inference name.
    pub name: String,
}

impl Model {
    /// The inference name of one step.
    pub(crate) fn at(&self, step: i64) -> String {
        format!("{}:step{step}", self.name)
    }
}

/// Sends a request and reads its answer as JSON. Whatever the test is about, the answer is what the document says.
pub(crate) async fn answer(request: reqwest::RequestBuilder) -> JsonResponse {
    let (status, text) = documented(request).await;
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{status}: {error}: {text}"));
    JsonResponse { status, body }
}

/// Sends a request, and judges its answer by the document before it gives status and text.
pub(crate) async fn documented(request: reqwest::RequestBuilder) -> (StatusCode, String) {
    let (client, request) = request.build_split();
    let request = request.expect("a request");
    let (method, url) = (request.method().clone(), request.url().clone());
    let response = client.execute(request).await.expect("an answer");
    let status = response.status();
    let headers = response.headers().iter();
    let headers: Vec<(String, String)> = headers
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    assert!(response.headers().contains_key("x-request-id"), "every answer has its request's id");
    let text = response.text().await.expect("a body");
    let (method, path, body) = (method.as_str(), url.path(), text.as_bytes());
    let seen = specification::Seen { method, path, status: status.as_u16(), headers, body };
    if let Err(fault) = specification::judge(&seen) {
        panic!("{method} {path}: {fault}");
    }
    (status, text)
}

/// An untrained adapter on the built-in model: its configuration, and its weights as bytes.
pub(crate) fn seedling_adapter(seed: u64) -> (Value, Vec<u8>) {
    let config = include_str!("../../../assets/seedling/config.json");
    let config = ModelConfig::from_json(config).expect("the configuration of the built-in model");
    let files = Adapter::new(&config, &LoraOptions::default(), seed).to_peft(SEEDLING, &config);
    (serde_json::from_slice(&files.adapter_config_json).expect("JSON"), files.adapter_model_safetensors)
}

/// The weights of an adapter of another rank.
pub(crate) fn adapter_of_rank(rank: usize) -> Vec<u8> {
    let config = include_str!("../../../assets/seedling/config.json");
    let config = ModelConfig::from_json(config).expect("the configuration of the built-in model");
    let options = LoraOptions { rank, ..LoraOptions::default() };
    Adapter::new(&config, &options, 1).to_peft(SEEDLING, &config).adapter_model_safetensors
}

/// The string in a JSON value.
#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

/// A row of an SFT data set.
pub(crate) fn row(user: &str, assistant: &str) -> Value {
    json!({ "messages": [{ "role": "user", "content": user }, { "role": "assistant", "content": assistant }] })
}

pub(crate) fn event_types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| text(&event["type"])).collect()
}

/// Events without the speed of the machine: the same whenever the same is computed.
pub(crate) fn repeatable(events: &[Value]) -> Vec<Value> {
    let mut data: Vec<Value> = events.iter().map(|event| event["data"].clone()).collect();
    for data in data.iter_mut().filter_map(Value::as_object_mut) {
        data.remove("tokens_per_second");
    }
    data
}

pub(crate) fn merge(body: &mut Value, extra: Value) {
    if let (Value::Object(body), Value::Object(extra)) = (body, extra) {
        body.extend(extra);
    }
}

fn uuid() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}
