//! Every example of the document, done: it fits its schema, the service takes it, the generated types keep it, the
//! shell runs it.

use std::process::Command;

use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use trainyard::generated::server::OPERATIONS;
use trainyard::generated::types;
use trainyard::http::{ErrorStatus, Operation};

use super::json_schema::{document, faults, resolve};
use super::requests::{
    batch, import_steps, log, message_batch, open_session, parts, response, stored_chat, unused_key, waiting_job,
};
use super::specification::BYTES;
use crate::support::{Model, TestService, text};
use crate::time_limits::Limited;

/// Beginning of the names of models in OpenAI's lists; names without it are the same models.
const PREFIX: &str = "wandb-artifact:///";

/// The examples of a media type, a parameter or a header, by name.
fn examples<'a>(document: &'a Value, holder: &'a Value) -> Vec<(&'a str, &'a Value)> {
    let named = holder["examples"].as_object().into_iter().flatten();
    let named = named.map(|(name, example)| (name.as_str(), &resolve(document, example)["value"]));
    holder.get("example").map(|example| ("example", example)).into_iter().chain(named).collect()
}

/// Calls `visit` with each node that has a schema beside it, and where it is.
fn holders<'a>(node: &'a Value, at: &str, visit: &mut dyn FnMut(&str, &'a Value)) {
    if node.get("schema").is_some_and(Value::is_object) {
        visit(at, node);
    }
    match node {
        Value::Object(map) => map.iter().for_each(|(key, child)| holders(child, &format!("{at}/{key}"), visit)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, child)| holders(child, &format!("{at}/{index}"), visit));
        }
        _ => {}
    }
}

/// Calls `visit` with each schema in a schema, and where it is.
fn schemas<'a>(schema: &'a Value, at: &str, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(at, schema);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        schemas(property, &format!("{at}/{name}"), visit);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(nested) = schema.get(key).filter(|nested| nested.is_object()) {
            schemas(nested, &format!("{at}/{key}"), visit);
        }
    }
}

#[test]
fn every_example_fits_its_schema() {
    let document = document();
    let (mut seen, mut wrong) = (0, Vec::new());
    let mut check = |at: &str, schema: &Value, example: &Value| {
        seen += 1;
        wrong.extend(faults(&document, schema, example).into_iter().map(|fault| format!("{at}: {fault}")));
    };
    for part in ["paths", "components"] {
        // An example may itself have a field `schema`.
        let mut visit = |at: &str, holder: &Value| {
            if !at.contains("/example") && !at.contains("/schemas/") {
                for (name, example) in examples(&document, holder) {
                    check(&format!("{at} {name}"), &holder["schema"], example);
                }
            }
        };
        holders(&document[part], part, &mut visit);
    }
    for (name, component) in document["components"]["schemas"].as_object().unwrap() {
        schemas(component, name, &mut |at, schema| {
            if let Some(example) = schema.get("example") {
                check(at, schema, example);
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "only {seen} examples were found");
}

/// Reads a value as the type of that name and writes it again.
fn through_the_type(name: &str, value: &Value) -> Value {
    fn through<T: DeserializeOwned + Serialize>(value: &Value) -> Value {
        let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
        serde_json::to_value(read).expect("a generated type can be written")
    }
    macro_rules! types {
        ($($name:ident)*) => {
            match name {
                $(stringify!($name) => through::<types::$name>(value),)*
                other => panic!("add {other} to the types of this test"),
            }
        };
    }
    types! {
        AddCheckpoint Archive BaseModelList Batch BatchPage ChatCompletion ChatCompletionChunk ChatCompletionPage
        ChatCompletionRequest Checkpoint CheckpointDetail CheckpointManifest CheckpointPage CompactedResponse Completion
        CompletionRequest CreateBatch CreateFile CreateFineTuningJob CreateKey CreateMessageBatch CreateRecordedSession
        CreateSftTrainingJob CreateTrainingJob CreatedKey CsvTable DeleteChatCompletionResponse DeleteCheckpointsRequest
        DeleteCheckpointsResponse DeleteFileResponse DeleteModelResponse DeleteResponseResponse DeletedMessageBatch
        DeletedSession DetokenizeRequest DetokenizeResponse ErrorResponse File FileContent FilePage
        FineTuningCheckpointPage FineTuningEventPage FineTuningJob FineTuningJobPage HealthResponse InferenceModel
        InferenceModelList KeyDetail KeyLimits KeyPage KeySummary LogRequest LogResponse ManifestPage Message
        MessageBatch MessageBatchPage MessageBatchResults MessageEvent MessageRequest MessageTokenCount MetricsText
        ModelCreate ModelMetrics ModelPage ModelResponse RecordedSession RecordedSessionPage ResponseEvent
        ResponseItemPage ResponseObject ResponseRequest ResponseTokenCount RewardSession ServedModelList ServerDetail
        StepMetrics StoredChatMessagePage SystemCheckFailure SystemCheckResponse TokenizeRequest TokenizeResponse
        TokenizerInfo TrainingJobDropPage TrainingJobEvent TrainingJobEventPage TrainingJobGroupPage
        TrainingJobListEvent TrainingJobPage TrainingJobResponse TrainingJobTrajectoryPage TrajectoryLogPage
        UpdateChatCompletion UpdateTrainingJob UsageReport WandbAnswer WandbManifest WandbQuery WandbRunFiles WorkerList
    }
}

/// Without nulls and empty lists, which mean absence, and with every number as a floating-point one: `1` and `1.0` are
/// the same.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(comparable).collect(),
        Value::Object(map) => map
            .iter()
            .filter(|(_, child)| !child.is_null() && **child != json!([]))
            .map(|(key, child)| (key.clone(), comparable(child)))
            .collect(),
        other => other.clone(),
    }
}

#[test]
fn every_body_survives_its_generated_type() {
    let document = document();
    let mut seen = 0;
    let mut visit = |at: &str, media: &Value| {
        let Some(name) = media["schema"]["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) else {
            return;
        };
        // Parameters have a schema too, but no type of their own.
        if !at.contains("/content/") {
            return;
        }
        for (example, value) in examples(&document, media) {
            let again = through_the_type(name, value);
            assert_eq!(comparable(&again), comparable(value), "{at} {example}");
            seen += 1;
        }
    };
    for part in ["paths", "components"] {
        holders(&document[part], part, &mut visit);
    }
    assert!(seen > 40, "only {seen} bodies were found");
}

#[test]
fn errors_have_the_type_of_their_status() {
    let document = document();
    let statuses = [
        ("BadRequest", ErrorStatus::BAD_REQUEST),
        ("Unauthorized", ErrorStatus::UNAUTHORIZED),
        ("Forbidden", ErrorStatus::FORBIDDEN),
        ("NotFound", ErrorStatus::NOT_FOUND),
        ("NotAcceptable", ErrorStatus::NOT_ACCEPTABLE),
        ("RequestTimeout", ErrorStatus::REQUEST_TIMEOUT),
        ("Conflict", ErrorStatus::CONFLICT),
        ("ContentTooLarge", ErrorStatus::CONTENT_TOO_LARGE),
        ("UnsupportedMediaType", ErrorStatus::UNSUPPORTED_MEDIA_TYPE),
        ("RangeNotSatisfiable", ErrorStatus::RANGE_NOT_SATISFIABLE),
        ("UnprocessableContent", ErrorStatus::UNPROCESSABLE_CONTENT),
        ("TooManyRequests", ErrorStatus::TOO_MANY_REQUESTS),
        ("Unavailable", ErrorStatus::SERVICE_UNAVAILABLE),
        ("Stopping", ErrorStatus::SERVICE_UNAVAILABLE),
        ("Error", ErrorStatus::INTERNAL_SERVER_ERROR),
    ];
    let components = document["components"]["responses"].as_object().unwrap();
    assert_eq!(components.len(), statuses.len(), "every shared answer is in this table");
    for (name, status) in statuses {
        for (example, value) in examples(&document, &components[name]["content"]["application/json"]) {
            assert_eq!(value["error"]["type"], status.kind(), "{name} {example}");
        }
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().into_iter().flatten() {
                let Some(name) = response["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) else {
                    continue;
                };
                let expected = statuses.iter().find(|(component, _)| *component == name).unwrap().1.code();
                assert!(status == "default" || status == expected.as_str(), "{method} {path}: {status} is {name}");
            }
        }
    }
}

/// A service with what the examples speak of: a model, a job of it that has ended, and one that waits.
pub(super) struct Stage {
    pub(super) service: TestService,
    pub(super) model: Model,
    pub(super) job: String,
    /// A job with trajectory groups.
    pub(super) rl_job: String,
    waiting_job: String,
    pub(super) file: String,
    /// A trajectory log of the model.
    pub(super) log: String,
    /// A recorded session of the model.
    pub(super) session: String,
    /// A file of requests of a batch.
    requests: String,
    /// A batch that has ended.
    pub(super) batch: String,
    open_batch: String,
    /// A response that was sampled in the background.
    pub(super) response: String,
    /// A stored chat completion.
    pub(super) chat: String,
    /// A key that no request uses.
    unused_key: String,
}

impl Stage {
    pub(super) async fn set() -> Self {
        let service = TestService::start().await;
        let model = service.model("agent").await;
        let file = import_steps(&service, &model.id).await;
        let job = service.start_sft(&model, &[], json!(null)).await;
        service.finished(&job).await;
        let member =
            |reward: u32| json!({"messages_and_choices": [{"role": "user", "content": "q"}], "reward": reward});
        let groups = json!([{"trajectories": [member(0), member(1)]}]);
        let rl_job = service.start_rl(&model, groups.clone(), json!(null)).await;
        service.finished(&rl_job).await;
        let log = log(&service, &model.id, groups).await;
        let unused_key = unused_key(&service).await;
        let session = open_session(&service, &model.name).await;
        let requests = service.upload("batch", "requests.jsonl", Vec::new()).await;
        let ended = batch(&service, &requests, "completed").await;
        let open_batch = batch(&service, &requests, "in_progress").await;
        let response = response(&service, true).await;
        let chat = stored_chat(&service).await;
        // Of another model: jobs of one run one after the other.
        let waiting_job = waiting_job(&service, &service.model("other").await.id).await;
        Self {
            service,
            model,
            job,
            rl_job,
            waiting_job,
            file,
            log,
            session,
            requests,
            batch: ended,
            open_batch,
            response,
            chat,
            unused_key,
        }
    }

    /// An example in which what the document made up is replaced by what is there: ids, and the name of the model.
    fn real(&self, document: &Value, example: &Value) -> Value {
        let parameters = &document["components"]["parameters"];
        match example {
            Value::String(_) if *example == parameters["ModelId"]["example"] => self.model.id.clone().into(),
            Value::String(_) if *example == parameters["TrainingJobId"]["example"] => self.job.clone().into(),
            Value::String(_) if *example == parameters["SessionId"]["example"] => self.session.clone().into(),
            Value::String(_) if *example == parameters["ResponseId"]["example"] => self.response.clone().into(),
            Value::String(_) if *example == parameters["ChatCompletionId"]["example"] => self.chat.clone().into(),
            Value::String(_) if *example == parameters["FileId"]["example"] => self.file.clone().into(),
            Value::String(name) => match name.strip_prefix(&format!("{PREFIX}default/demo/agent")) {
                Some(step) => format!("{}{step}", self.model.name).into(),
                None if name == "default/demo/agent" => self.model.name.trim_start_matches(PREFIX).into(),
                None => example.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.real(document, item)).collect(),
            Value::Object(map) => {
                let map: Map<_, _> = map.iter().map(|(key, item)| (key.clone(), self.real(document, item))).collect();
                map.into()
            }
            other => other.clone(),
        }
    }

    /// A request of an operation with every documented parameter at its example.
    async fn request(&self, document: &Value, operation: &Operation, body: Option<&Value>) -> reqwest::RequestBuilder {
        let item = &document["paths"][operation.path];
        let method = operation.method.to_lowercase();
        let cancels = ["cancel_training_job", "cancel_fine_tuning_job"].contains(&operation.id);
        let job = match operation.path.contains("/groups") || operation.path.ends_with("/drops") {
            true => &self.rl_job,
            false if cancels => &self.waiting_job,
            false => &self.job,
        };
        let name = format!("{}:step2", self.model.name).replace('/', "%2F");
        // One operation deletes it.
        let of_response = match operation.path.contains("{response_id}") {
            true => response(&self.service, true).await,
            false => String::new(),
        };
        let of_chat = match operation.id {
            "delete_chat_completion" | "delete_inference_chat_completion" => stored_chat(&self.service).await,
            _ => self.chat.clone(),
        };
        let of_batch = if operation.id.starts_with("cancel_") { &self.open_batch } else { &self.batch };
        let of_messages = message_batch(of_batch);
        let values = [
            ("model_id", self.model.id.as_str()),
            ("model", &name),
            ("training_job_id", job),
            ("fine_tuning_job_id", job),
            ("file_id", &self.file),
            ("step", "2"),
            ("group_id", "0"),
            ("log_id", &self.log),
            ("session_id", &self.session),
            ("batch_id", of_batch),
            ("message_batch_id", &of_messages),
            ("response_id", &of_response),
            ("completion_id", &of_chat),
            ("key_id", &self.unused_key),
            ("file_name", "adapter_model.safetensors"),
            ("entity", "acme"),
        ];
        let path = values
            .iter()
            .fold(operation.path.to_owned(), |path, (name, value)| path.replace(&format!("{{{name}}}"), value));
        let path = format!("{}{path}", operation.base.map_or("", |_| "/inference/v1"));
        let method_name = Method::from_bytes(operation.method.as_bytes()).unwrap();
        let mut request = self.service.request_as(&self.service.admin_key, method_name, &path);
        let lists = [&item["parameters"], &item[&method]["parameters"]];
        for parameter in lists.into_iter().filter_map(Value::as_array).flatten() {
            let parameter = resolve(document, parameter);
            let (name, example) = (text(&parameter["name"]), self.real(document, &parameter["example"]));
            let value = match example {
                // A cursor is an item of the very listing.
                _ if name == "after" => {
                    let list = self.service.send_as(&self.service.admin_key, Method::GET, &path, None).await.ok();
                    text(&list["first_id"]).to_owned()
                }
                // Of the two cursors of a page, one is sent.
                _ if name == "before_id" && operation.id == "list_message_batches" => continue,
                _ if name == "after_id" && operation.id == "list_message_batches" => message_batch(&self.batch),
                _ if name == "starting_after" => "0".to_owned(),
                _ if name == "entity" => "acme".to_owned(),
                // A key stands for one request.
                _ if name == "Idempotency-Key" => uuid::Uuid::new_v4().to_string(),
                Value::String(word) => word,
                Value::Array(items) if text(&parameter["in"]) == "query" => {
                    let pairs: Vec<_> = items.iter().map(|item| (name, text(item))).collect();
                    request = request.query(&pairs);
                    continue;
                }
                other => other.to_string(),
            };
            request = match text(&parameter["in"]) {
                "query" => request.query(&[(name, value)]),
                "header" => request.header(name, value),
                _ => request,
            };
        }
        let content = &resolve(document, &item[&method]["requestBody"])["content"];
        match body {
            Some(body) if content.get("multipart/form-data").is_some() => request.multipart(parts(body)),
            Some(bytes) if content.get(BYTES).is_some() => {
                request.header("content-type", BYTES).body(text(bytes).to_owned())
            }
            Some(body) => {
                let mut body = self.real(document, body);
                if let Some(file) = body.get_mut("input_file_id") {
                    *file = self.requests.clone().into();
                }
                request.json(&body)
            }
            None => request,
        }
    }
}

/// Asserts that an answer is a documented success; server-sent events one by one.
async fn assert_documented(document: &Value, operation: &Operation, response: reqwest::Response, what: &str) {
    let status = response.status();
    let headers = response.headers().clone();
    let body = response.text().await.unwrap();
    assert!(status.is_success(), "{what}: {status} {body}");
    let method = operation.method.to_lowercase();
    let documented = &document["paths"][operation.path][&method]["responses"][status.as_str()];
    let kind = text(&json!(headers["content-type"].to_str().unwrap())).to_owned();
    let schema = &documented["content"][&kind]["schema"];
    assert!(schema.is_object(), "{what}: {kind} is not documented for {status}");
    for (name, header) in resolve(document, documented)["headers"].as_object().unwrap() {
        let is_required = resolve(document, header)["required"] == true;
        assert!(!is_required || headers.contains_key(name.as_str()), "{what}: no header {name}");
    }
    let values: Vec<Value> = if kind == "text/event-stream" {
        // Those of responses end with an event of their own.
        let events = match operation.path.contains("/responses/") {
            true => &*body,
            false => body.strip_suffix("data: [DONE]\n\n").unwrap_or_else(|| panic!("{what}: {body}")),
        };
        let lines = events.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    } else if kind.starts_with("text/")
        || kind == BYTES
        || ["application/x-tar", "application/x-jsonl"].contains(&&*kind)
    {
        vec![json!(body)]
    } else {
        vec![serde_json::from_str(&body).unwrap()]
    };
    assert!(!values.is_empty(), "{what}");
    for value in values {
        assert_eq!(faults(document, schema, &value), [""; 0], "{what}: {value}");
    }
}

/// Deletions come last: the others need the objects.
#[tokio::test]
async fn the_service_takes_every_example() {
    let document = document();
    let stage = Stage::set().await;
    let (mut deletes, others): (Vec<&Operation>, Vec<&Operation>) =
        OPERATIONS.iter().partition(|operation| operation.id.starts_with("delete_"));
    deletes.sort_by_key(|operation| operation.id == "delete_model");
    let mut sent = 0;
    for operation in others.into_iter().chain(deletes) {
        let node = &document["paths"][operation.path][operation.method.to_lowercase()];
        let body = resolve(&document, &node["requestBody"]);
        let bodies = body["content"].as_object().into_iter().flatten();
        let bodies: Vec<_> = bodies.flat_map(|(_, media)| examples(&document, media)).collect();
        let bodies = if body.is_null() {
            vec![("no body", None)]
        } else {
            bodies.into_iter().map(|(name, body)| (name, Some(body))).collect()
        };
        assert!(!bodies.is_empty(), "{} has no example of its body", operation.id);
        for (name, body) in bodies {
            let what = format!("{} {name}", operation.id);
            let request = stage.request(&document, operation, body).await;
            assert_documented(&document, operation, request.send().await.unwrap(), &what).await;
            sent += 1;
        }
    }
    assert!(sent > OPERATIONS.len(), "{sent}");
    stage.service.stop().await;
}

/// The jobs that the examples make end well, so that a reader who copies one sees it train.
#[tokio::test]
async fn the_example_of_an_rl_job_trains() {
    let document = document();
    let stage = Stage::set().await;
    let media = &document["paths"]["/v1/preview/training-jobs"]["post"]["requestBody"]["content"]["application/json"];
    for (name, body) in examples(&document, media) {
        let packed = body["experimental_config"]["packed_sequence_length"].is_u64();
        let job = stage.service.post("/v1/preview/training-jobs", &stage.real(&document, body)).await.ok();
        let events = stage.service.finished(text(&job["id"])).await;
        // Two answers to one prompt, in a step each or both in one.
        let steps = vec!["gradient_step"; if packed { 1 } else { 2 }];
        let expected = [vec!["training_started"], steps, vec!["training_ended"]].concat();
        assert_eq!(crate::support::event_types(&events), expected, "{name}: {events:?}");
    }
    stage.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shell_runs_what_the_front_page_shows() {
    let document = document();
    let front_page = text(&document["info"]["description"]);
    let scripts: Vec<&str> =
        front_page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(!scripts.is_empty(), "the front page shows how to begin");
    let service = TestService::start().await;
    for script in scripts {
        let run = Command::new("bash")
            .args(["-euo", "pipefail", "-c", script])
            .envs([("BASE", service.root.as_str()), ("KEY", service.key.as_str())])
            .output_limited();
        assert!(run.status.success(), "{script}\n{}", String::from_utf8_lossy(&run.stderr));
    }
    service.stop().await;
}
