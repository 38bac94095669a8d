//! Clients that make random requests of several servers, and record each with its response.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::checker::{Entry, Operation, Response};
use crate::Random;
use crate::job::{Client, Kind, Template};

/// Longest time until a client takes a response for lost.
const ANSWER_TIME: Duration = Duration::from_secs(5);
/// How often a create is sent until its response is given up for now.
const TRIES: usize = 3;

/// A create that may have been made.
#[derive(Clone)]
pub(crate) struct Create {
    path: &'static str,
    /// JSON, or the content of a file.
    body: Result<Value, String>,
    key: String,
    parent: Option<String>,
}

/// The requests of all clients, and the objects that they know.
pub(crate) struct Records {
    template: &'static Template,
    /// Addresses of the servers, behind links of the clients.
    roots: Vec<String>,
    http: reqwest::Client,
    key: String,
    clock: AtomicU64,
    history: Mutex<Vec<Entry>>,
    models: Mutex<Vec<String>>,
    files: Mutex<Vec<String>>,
    jobs: Mutex<Vec<String>>,
    unanswered: Mutex<Vec<Create>>,
}

fn lock<T>(values: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    values.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One of them at random.
fn any(values: &Mutex<Vec<String>>, random: &mut Random) -> Option<String> {
    let values = lock(values);
    values.get(random.below(values.len())).cloned()
}

impl Records {
    pub(crate) fn new(template: &'static Template, roots: Vec<String>, key: &str) -> Self {
        let http = reqwest::Client::builder().timeout(ANSWER_TIME).build().expect("a client");
        let [models, files, jobs] = [(); 3].map(|()| Mutex::default());
        let (clock, history, unanswered) = (AtomicU64::new(0), Mutex::default(), Mutex::default());
        Self { template, roots, http, key: key.to_owned(), clock, history, models, files, jobs, unanswered }
    }

    pub(crate) fn history(&self) -> Vec<Entry> {
        lock(&self.history).clone()
    }

    /// Every job that a client knows.
    pub(crate) fn jobs(&self) -> Vec<String> {
        lock(&self.jobs).clone()
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    /// Sends a request to one of the servers; its status and response, if a whole one came.
    async fn send(&self, request: reqwest::RequestBuilder) -> Option<(u16, Value)> {
        let response = request.bearer_auth(&self.key).send().await.ok()?;
        let status = response.status().as_u16();
        let text = response.text().await.ok()?;
        Some((status, if text.is_empty() { Value::Null } else { serde_json::from_str(&text).ok()? }))
    }

    /// Makes a request, and records what `read` makes of a success.
    async fn record(
        &self,
        operation: Operation,
        request: reqwest::RequestBuilder,
        read: impl FnOnce(&Value) -> Response,
    ) -> Response {
        let invoked = self.now();
        let response = match self.send(request).await {
            Some((200..300, body)) => read(&body),
            Some((404, _)) => Response::Absent,
            Some((400..500, _)) => Response::Rejected,
            Some(_) | None => Response::Unknown,
        };
        let entry = Entry { invoked, returned: self.now(), operation, response: response.clone() };
        lock(&self.history).push(entry);
        response
    }

    fn url(&self, path: &str, random: &mut Random) -> String {
        format!("{}{path}", self.roots[random.below(self.roots.len())])
    }

    /// Sends a create once; whether its outcome is known.
    async fn try_create(&self, create: &Create, random: &mut Random) -> bool {
        let request = self.http.post(self.url(create.path, random)).header("Idempotency-Key", &create.key);
        let request = match &create.body {
            Ok(json) => request.json(json),
            Err(content) => {
                let file = reqwest::multipart::Part::text(content.clone()).file_name("rows.jsonl");
                request.multipart(reqwest::multipart::Form::new().text("purpose", "fine-tune").part("file", file))
            }
        };
        let operation = Operation::Create { key: create.key.clone(), parent: create.parent.clone() };
        let created = |body: &Value| Response::Created(body["id"].as_str().expect("an id").to_owned());
        match self.record(operation, request, created).await {
            Response::Created(id) => {
                let known = match create.path {
                    "/v1/preview/models" => &self.models,
                    "/v1/files" => &self.files,
                    _ => &self.jobs,
                };
                lock(known).push(id);
                true
            }
            Response::Absent => true,
            _ => false,
        }
    }

    async fn create(&self, create: Create, random: &mut Random) {
        for _ in 0..TRIES {
            if self.try_create(&create, random).await {
                return;
            }
        }
        lock(&self.unanswered).push(create);
    }

    /// Sends again what had no response, while the network is whole.
    pub(crate) async fn settle(&self, random: &mut Random) {
        let unanswered = std::mem::take(&mut *lock(&self.unanswered));
        for create in unanswered {
            let mut tries = 0;
            while !self.try_create(&create, random).await {
                tries += 1;
                assert!(tries < 20, "{} is not answered", create.key);
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }

    /// Makes `count` random requests, one after the other.
    pub(crate) async fn operate(&self, client: usize, count: usize, random: &mut Random) {
        for number in 0..count {
            let key = format!("client-{client}-{number}");
            match random.below(20) {
                0..2 => {
                    let (path, body) = Client::model_request(&key);
                    self.create(Create { path, body: Ok(body), key, parent: None }, random).await;
                }
                2 => {
                    let Some(model) = any(&self.models, random) else { continue };
                    let kind = [Kind::Sft, Kind::Rl][random.below(2)];
                    let (path, body) = self.template.request(kind, &model);
                    self.create(Create { path, body: Ok(body), key, parent: Some(model) }, random).await;
                }
                3..5 => {
                    let body = Err(key.clone());
                    self.create(Create { path: "/v1/files", body, key, parent: None }, random).await;
                }
                5 => {
                    let Some(id) = any(&self.models, random) else { continue };
                    self.delete(format!("/v1/preview/models/{id}"), id, random).await;
                }
                6 => {
                    let Some(id) = any(&self.files, random) else { continue };
                    self.delete(format!("/v1/files/{id}"), id, random).await;
                }
                7 => {
                    let Some(id) = any(&self.jobs, random) else { continue };
                    let url = self.url(&format!("/v1/preview/training-jobs/{id}/cancel"), random);
                    self.record(Operation::Read { id }, self.http.post(url), |_| Response::Done).await;
                }
                8..11 => {
                    let Some(id) = any(&self.files, random) else { continue };
                    self.read(format!("/v1/files/{id}"), id, random).await;
                }
                11..16 => {
                    let Some(job) = any(&self.jobs, random) else { continue };
                    self.events(&job, random).await;
                }
                16..18 => {
                    let Some(model) = any(&self.models, random) else { continue };
                    self.checkpoints(&model, random).await;
                }
                _ => {
                    let Some(model) = any(&self.models, random) else { continue };
                    let Response::Checkpoints(steps) = self.checkpoints(&model, random).await else { continue };
                    let Some((step, _)) = steps.get(random.below(steps.len())).cloned() else { continue };
                    let url = self.url(&format!("/v1/preview/models/{model}/checkpoints"), random);
                    let request = self.http.delete(url).json(&json!({ "steps": [step], "allow_latest": true }));
                    self.record(Operation::DeleteCheckpoint { model, step }, request, |_| Response::Done).await;
                }
            }
        }
    }

    async fn delete(&self, path: String, id: String, random: &mut Random) {
        let request = self.http.delete(self.url(&path, random));
        self.record(Operation::Delete { id }, request, |_| Response::Done).await;
    }

    async fn read(&self, path: String, id: String, random: &mut Random) {
        let request = self.http.get(self.url(&path, random));
        self.record(Operation::Read { id }, request, |_| Response::Done).await;
    }

    /// Reads the first events of a job; all, since no job of the test has more.
    pub(crate) async fn events(&self, job: &str, random: &mut Random) -> Response {
        let request = self.http.get(self.url(&format!("/v1/preview/training-jobs/{job}/events?limit=100"), random));
        let read = |page: &Value| {
            Response::Events(page["data"].as_array().expect("a page").iter().map(ToString::to_string).collect())
        };
        self.record(Operation::Events { job: job.to_owned() }, request, read).await
    }

    async fn checkpoints(&self, model: &str, random: &mut Random) -> Response {
        let request = self.http.get(self.url(&format!("/v1/preview/models/{model}/checkpoints?limit=100"), random));
        let step =
            |item: &Value| (item["step"].as_u64().expect("a step"), item["id"].as_str().expect("an id").to_owned());
        let read =
            |page: &Value| Response::Checkpoints(page["data"].as_array().expect("a page").iter().map(step).collect());
        self.record(Operation::Checkpoints { model: model.to_owned() }, request, read).await
    }

    /// Reads everything that is known once more, and lists everything that is there.
    pub(crate) async fn read_all(&self, random: &mut Random) -> BTreeSet<String> {
        let (models, files) = (lock(&self.models).clone(), lock(&self.files).clone());
        for model in models {
            self.checkpoints(&model, random).await;
        }
        for file in files {
            self.read(format!("/v1/files/{file}"), file, random).await;
        }
        for job in self.jobs() {
            self.events(&job, random).await;
        }
        let mut listed = BTreeSet::new();
        for path in ["/v1/preview/models", "/v1/files", "/v1/preview/training-jobs"] {
            let mut after = String::new();
            loop {
                let url = self.url(&format!("{path}?limit=100{after}"), random);
                let (status, page) = self.send(self.http.get(url)).await.expect("an answer");
                assert_eq!(status, 200, "{page}");
                let items = page["data"].as_array().expect("a page");
                listed.extend(items.iter().map(|item| item["id"].as_str().expect("an id").to_owned()));
                if page["has_more"] != json!(true) {
                    break;
                }
                after = format!("&after={}", page["last_id"].as_str().expect("a cursor"));
            }
        }
        listed
    }
}
