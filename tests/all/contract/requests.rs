//! Requests as the document's own examples write them, about things that are there.

use reqwest::RequestBuilder;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::specification::{BYTES, Row, document};
use crate::support::{Model, TestService, seedling_adapter, settings};

/// Inference name of a model in the examples of the document.
const EXAMPLE_NAME: &str = "default/demo/agent";
/// URLs of training data in the examples of the document.
const EXAMPLE_DATA: &str = "https://data.example.com/support/train.jsonl";
/// The step that the examples of the document name.
pub(crate) const EXAMPLE_STEP: usize = 2;

/// Real things in place of those that the examples name.
#[derive(Clone, Debug)]
pub(crate) struct Things {
    pub model_id: String,
    pub job_id: String,
    /// A job with trajectory groups.
    pub rl_job_id: String,
    /// A job that waits for a worker of another kind.
    pub waiting_job_id: String,
    /// Entity, project and name of the model.
    pub model_name: String,
    pub data_url: String,
    /// A file with the weights of an adapter.
    pub file_id: String,
    /// A file of requests of a batch.
    pub requests_id: String,
    /// A batch that has ended.
    pub batch_id: String,
    /// A batch that another process holds.
    pub open_batch_id: String,
    /// Logged trajectories of the model.
    pub log_id: String,
    /// A recorded session of the model.
    pub session_id: String,
    /// A response that was sampled in the background.
    pub response_id: String,
    /// A stored chat completion.
    pub completion_id: String,
    /// A key that nobody uses.
    pub key_id: String,
    pub entity: String,
}

impl Things {
    /// A model with imported steps, a job and a file of the entity `acme`.
    pub(crate) async fn of(service: &TestService, name: &str) -> Self {
        let model: Model = service.model(name).await;
        let file_id = import_steps(service, &model.id).await;
        let job_id = service.start_sft(&model, &[], Value::Null).await;
        let member =
            |reward: u32| json!({ "messages_and_choices": [{"role": "user", "content": "hello"}], "reward": reward });
        let rl_job_id = service.start_rl(&model, json!([{"trajectories": [member(0), member(1)]}]), Value::Null).await;
        let data = service.directory.path().join("rows.jsonl");
        std::fs::write(&data, format!("{}\n", crate::support::row("hello", "world"))).expect("the data can be written");
        let model_name = model.name.strip_prefix("wandb-artifact:///").expect("an inference name").to_owned();
        let waiting_job_id = waiting_job(service, &model.id).await;
        let data_url = format!("file://{}", data.display());
        let key_id = unused_key(service).await;
        let requests_id = service.upload("batch", "requests.jsonl", Vec::new()).await;
        let batch_id = batch(service, &requests_id, "completed").await;
        // Few batches may be under way, and operations on batches alone need one. Things of other operations are named after them.
        let needs_batch = !name.contains('-') || name.contains("batch");
        let open_batch_id = batch(service, &requests_id, if needs_batch { "in_progress" } else { "completed" }).await;
        let session_id = open_session(service, &model_name).await;
        let response_id = response(service, true).await;
        let completion_id = stored_chat(service).await;
        let log_id = log(service, &model.id, json!([{"trajectories": [member(0), member(1)]}])).await;
        Self {
            model_id: model.id,
            job_id,
            rl_job_id,
            waiting_job_id,
            model_name,
            data_url,
            file_id,
            requests_id,
            batch_id,
            open_batch_id,
            log_id,
            session_id,
            response_id,
            completion_id,
            key_id,
            entity: "acme".to_owned(),
        }
    }

    /// Names of things that nobody has.
    pub(crate) fn absent() -> Self {
        Self {
            model_id: uuid::Uuid::new_v4().to_string(),
            job_id: uuid::Uuid::new_v4().to_string(),
            rl_job_id: uuid::Uuid::new_v4().to_string(),
            waiting_job_id: uuid::Uuid::new_v4().to_string(),
            model_name: "acme/tests/absent".to_owned(),
            data_url: "file:///absent.jsonl".to_owned(),
            file_id: format!("file-{}", uuid::Uuid::new_v4().simple()),
            requests_id: format!("file-{}", uuid::Uuid::new_v4().simple()),
            batch_id: format!("batch_{}", uuid::Uuid::new_v4().simple()),
            open_batch_id: format!("batch_{}", uuid::Uuid::new_v4().simple()),
            log_id: uuid::Uuid::new_v4().to_string(),
            session_id: uuid::Uuid::new_v4().to_string(),
            response_id: format!("resp_{}", uuid::Uuid::new_v4().simple()),
            completion_id: format!("chatcmpl-{}", uuid::Uuid::new_v4().simple()),
            key_id: uuid::Uuid::new_v4().to_string(),
            entity: "nobody".to_owned(),
        }
    }

    /// The names by which others could find these things.
    pub(crate) fn names(&self) -> [&str; 13] {
        let Self { model_id, job_id, rl_job_id, waiting_job_id, model_name, file_id, session_id, .. } = self;
        let [batch, open_batch] = [&self.batch_id, &self.open_batch_id];
        let [response, chat] = [&self.response_id, &self.completion_id];
        let [digits, open_digits] = [batch, open_batch].map(|id| id.trim_start_matches("batch_"));
        let jobs = [job_id, rl_job_id, waiting_job_id];
        [
            model_id,
            jobs[0],
            jobs[1],
            jobs[2],
            model_name,
            file_id,
            batch,
            open_batch,
            digits,
            open_digits,
            session_id,
            response,
            chat,
        ]
    }
}

/// Gives a model the steps that the examples of the document name; the id of the file with their weights.
pub(crate) async fn import_steps(service: &TestService, model: &str) -> String {
    let (adapter_config, weights) = seedling_adapter(1);
    // One that could be trained on too, as far as its purpose goes.
    let file = service.upload("fine-tune", "adapter_model.safetensors", weights).await;
    for _ in 0..EXAMPLE_STEP {
        let body = json!({ "type": "import", "adapter_config": adapter_config, "weights_file_id": file });
        service.post(&format!("/v1/preview/models/{model}/add-checkpoint"), &body).await.ok();
    }
    file
}

/// Opens a recorded session of a model; returns its id.
pub(super) async fn open_session(service: &TestService, model: &str) -> String {
    let opened = service.post("/v1/preview/sessions", &json!({ "model": model })).await.ok();
    opened["id"].as_str().expect("an id").to_owned()
}

/// Logs groups of a model; returns the id of the log.
pub(super) async fn log(service: &TestService, model_id: &str, groups: Value) -> String {
    let path = format!("/v1/preview/models/{model_id}/log");
    service.post(&path, &json!({ "split": "val", "trajectory_groups": groups })).await.ok();
    service.get(&path).await.ok()["first_id"].as_str().expect("an id").to_owned()
}

/// A stored response; returns its id.
pub(super) async fn response(service: &TestService, background: bool) -> String {
    let body =
        json!({"model": crate::support::SEEDLING, "input": "hello", "max_output_tokens": 2, "background": background});
    service.post("/v1/responses", &body).await.ok()["id"].as_str().expect("an id").to_owned()
}

/// A stored chat completion; returns its id.
pub(super) async fn stored_chat(service: &TestService) -> String {
    let messages = json!([{"role": "user", "content": "hello"}]);
    let body = json!({"model": crate::support::SEEDLING, "messages": messages, "max_tokens": 2, "store": true});
    service.post("/v1/chat/completions", &body).await.ok()["id"].as_str().expect("an id").to_owned()
}

/// A key that operators may limit and revoke.
pub(super) async fn unused_key(service: &TestService) -> String {
    let body = json!({ "entity": "acme", "name": "unused" });
    let created = service.send_as(&service.admin_key, reqwest::Method::POST, "/v1/preview/admin/keys", Some(&body));
    created.await.ok()["key"]["id"].as_str().expect("an id").to_owned()
}

/// A connection to the service's database, as another process would have it.
pub(crate) async fn database(service: &TestService) -> SqliteConnection {
    let file = settings(&service.directory).data_directory.join("trainyard.db");
    SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(file)).await.expect("the database opens")
}

/// A job that began in a number format which no worker here has.
pub(crate) async fn waiting_job(service: &TestService, model: &str) -> String {
    let id = uuid::Uuid::new_v4().to_string();
    let job = "INSERT INTO jobs (id, entity, model_id, kind, status, config, input_url, weight_format, created_at)
        VALUES (?, 'acme', ?, 'sft', 'queued', 'null', 'file:///x', 'int8', 0)";
    let mut database = database(service).await;
    sqlx::query(job).bind(&id).bind(model).execute(&mut database).await.expect("the job is inserted");
    id
}

/// A batch of a file in a state; one that has not ended is held by a process that does nothing.
pub(crate) async fn batch(service: &TestService, file_id: &str, status: &str) -> String {
    let id = uuid::Uuid::new_v4();
    let file: uuid::Uuid = file_id.strip_prefix("file-").and_then(|id| id.parse().ok()).expect("the id of a file");
    let batch =
        "INSERT INTO batches (id, entity, key_id, project, endpoint, input_file, input_artifact, status, lease_owner,
            lease_deadline, created_at, expires_at, ended_at)
        VALUES (?, 'acme', ?, '', '/v1/messages', ?, (SELECT artifact FROM files WHERE id = ?), ?, 'nobody',
            (unixepoch() + 500) * 1000, 0, 1 << 60, ?)";
    let ended_at = (status == "completed").then_some(1_i64);
    let (file, mut database) = (file.to_string(), database(service).await);
    let inserted = sqlx::query(batch).bind(id.to_string()).bind(id.to_string()).bind(&file).bind(&file);
    inserted.bind(status).bind(ended_at).execute(&mut database).await.expect("the batch is inserted");
    format!("batch_{}", id.simple())
}

/// Returns the id of a batch in the format of batches of messages.
pub(super) fn message_batch(batch: &str) -> String {
    batch.replace("batch_", "msgbatch_")
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub path: String,
    pub body: Option<Value>,
    /// The parts of a body that is a form.
    pub form: Option<Value>,
    /// A body that is neither.
    pub bytes: Option<String>,
    /// It names one of the things.
    pub names_things: bool,
}

impl Asked {
    /// The request with its body.
    pub(crate) fn on(&self, request: RequestBuilder) -> RequestBuilder {
        match (&self.body, &self.form, &self.bytes) {
            (Some(body), ..) => request.json(body),
            (None, Some(form), _) => request.multipart(parts(form)),
            (None, None, Some(bytes)) => request.header("content-type", BYTES).body(bytes.clone()),
            (None, None, None) => request,
        }
    }
}

/// A form with a file named `file` and values.
pub(crate) fn parts(form: &Value) -> Form {
    form.as_object().expect("parts by name").iter().fold(Form::new(), |parts, (name, value)| {
        let text = value.as_str().expect("a text").to_owned();
        match name.as_str() {
            "file" => parts.part("file", Part::text(text).file_name("example.jsonl")),
            _ => parts.text(name.clone(), text),
        }
    })
}

/// The request of an operation about `things`: from an example that names such things where there is one.
pub(crate) fn about(row: &Row, things: &Things) -> Asked {
    let path = row.filled(|parameter| match parameter {
        "model_id" => things.model_id.clone(),
        "training_job_id" if row.id == "cancel_training_job" => things.waiting_job_id.clone(),
        "fine_tuning_job_id" if row.id == "cancel_fine_tuning_job" => things.waiting_job_id.clone(),
        "training_job_id" if row.path.contains("/groups") || row.path.ends_with("/drops") => things.rl_job_id.clone(),
        "training_job_id" | "fine_tuning_job_id" => things.job_id.clone(),
        "group_id" => "0".to_owned(),
        "file_id" => things.file_id.clone(),
        "key_id" => things.key_id.clone(),
        "batch_id" if row.id == "cancel_batch" => things.open_batch_id.clone(),
        "batch_id" => things.batch_id.clone(),
        "message_batch_id" if row.id == "cancel_message_batch" => message_batch(&things.open_batch_id),
        "message_batch_id" => message_batch(&things.batch_id),
        "response_id" => things.response_id.clone(),
        "completion_id" => things.completion_id.clone(),
        "log_id" => things.log_id.clone(),
        "session_id" => things.session_id.clone(),
        "step" => EXAMPLE_STEP.to_string(),
        "file_name" => "adapter_model.safetensors".to_owned(),
        "model" => format!("{}:step{EXAMPLE_STEP}", things.model_name).replace('/', "%2F"),
        "entity" => things.entity.clone(),
        "project" | "run" | "artifact" => "example".to_owned(),
        other => panic!("{}: say in `about` what the path parameter {other} stands for", row.id),
    });
    let replaced = |text: &str| {
        text.replace(&example("ModelId"), &things.model_id)
            .replace(&example("TrainingJobId"), &things.job_id)
            .replace(&example("FileId"), if row.id == "create_batch" { &things.requests_id } else { &things.file_id })
            .replace(&example("SessionId"), &things.session_id)
            .replace(EXAMPLE_NAME, &things.model_name)
            .replace(EXAMPLE_DATA, &things.data_url)
    };
    let is_named =
        |text: &str| [&example("ModelId"), &example("TrainingJobId"), EXAMPLE_NAME].iter().any(|it| text.contains(it));
    const IN_PATH: [&str; 10] = [
        "model_id",
        "training_job_id",
        "fine_tuning_job_id",
        "file_id",
        "batch_id",
        "session_id",
        "response_id",
        "completion_id",
        "entity",
        "{model}",
    ];
    let names_things = row.id == "create_batch" || IN_PATH.iter().any(|it| row.path.contains(it));
    let Some(media) = row.json_body() else {
        let form = row.form().map(|media| media["example"].clone());
        let bytes = row.body_of(BYTES).map(|media| media["example"].as_str().expect("a text").to_owned());
        let known = form.is_some() || bytes.is_some() || row.body.is_none();
        assert!(known, "{}: say in `about` how to write its body", row.id);
        return Asked { names_things, path, body: None, form, bytes };
    };
    let examples: Vec<String> = media["examples"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(_, example)| super::specification::resolved(example)["value"].to_string())
        .chain(media.get("example").map(Value::to_string))
        .collect();
    let chosen = examples.iter().find(|text| is_named(text)).or(examples.first());
    let chosen = chosen.unwrap_or_else(|| panic!("{}: the document has no example of the body", row.id));
    let body = serde_json::from_str(&replaced(chosen)).expect("an example is JSON");
    Asked { names_things: names_things || is_named(chosen), path, body: Some(body), form: None, bytes: None }
}

fn example(parameter: &str) -> String {
    let example = &document()["components"]["parameters"][parameter]["example"];
    example.as_str().unwrap_or_else(|| panic!("the parameter {parameter} has no example")).to_owned()
}
