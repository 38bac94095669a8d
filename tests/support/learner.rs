//! A learner on the engine of this repository, which speaks the protocol of `spec/learner.yaml`: sessions, epochs, numbers of
//! operations. The real one needs torch; `tests/learner` tests it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use trainyard::engine::{
    AdamHyper, AdamState, Adapter, BaseModel, ComputePool, Scores, SequenceInput, TrainSession, WeightFormat,
};

/// The base model and the threads of every double.
fn engine() -> &'static (Arc<BaseModel>, Arc<ComputePool>) {
    static ENGINE: OnceLock<(Arc<BaseModel>, Arc<ComputePool>)> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let seedling = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling");
        let config = std::fs::read_to_string(seedling.join("config.json")).expect("config.json");
        let weights = std::fs::read(seedling.join("model.safetensors")).expect("the weights");
        let pool = ComputePool::new(1);
        let base = BaseModel::load(&config, &[("model.safetensors", &weights)], WeightFormat::F32, &pool);
        (base.expect("the model loads"), pool)
    })
}

struct Session {
    epoch: i64,
    train: TrainSession,
    next_op: i64,
    last: Option<(i64, Vec<u8>)>,
    kept: Option<Batch>,
}

#[derive(Clone)]
struct Batch {
    tokens: Vec<Vec<u32>>,
    scored: Vec<Vec<bool>>,
}

struct Shared {
    key: String,
    sessions: Mutex<HashMap<String, Session>>,
}

/// A learner on a port of its own.
pub(crate) struct FakeLearner {
    address: SocketAddr,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
}

/// Serves routes on a port of their own, on threads that end with the runtime.
pub(crate) fn serve(routes: Router) -> (Runtime, SocketAddr) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
    // A test's own runtime may not be blocked by another one.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket");
    let address = listener.local_addr().expect("an address");
    runtime.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        axum::serve(listener, routes).await
    });
    (runtime, address)
}

impl FakeLearner {
    pub(crate) fn start(key: &str) -> Self {
        let shared = Arc::new(Shared { key: key.to_owned(), sessions: Mutex::default() });
        let routes = Router::new()
            .route("/health", get(health))
            .route("/v1/sessions/{session}", any(session))
            .route("/v1/sessions/{session}/{operation}", any(session))
            .layer(DefaultBodyLimit::disable())
            .with_state(shared.clone());
        let (runtime, address) = serve(routes);
        Self { address, shared, runtime: Some(runtime) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Number of open sessions.
    pub(crate) fn sessions(&self) -> usize {
        lock(&self.shared.sessions).len()
    }
}

/// Ends at once, as by SIGKILL: connections break, nothing listens.
impl Drop for FakeLearner {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn versions() -> Value {
    json!({ "learner": "0", "python": "3", "torch": "2", "transformers": "5", "peft": "0" })
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let config = &engine().0.config;
    let model = json!({
        "model_type": "qwen3", "vocabulary_size": config.vocab_size, "max_sequence_tokens": 4096, "parameters": 1,
        "config_sha256": "00", "prefix_sharing": true,
    });
    let sessions = lock(&shared.sessions).len();
    axum::Json(json!({
        "status": "idle", "sessions": sessions, "model": model, "versions": versions(), "device": "cpu",
        "dtype": "float32", "world_size": 1,
    }))
    .into_response()
}

fn rejected(status: u16, code: &str) -> Response {
    let error = json!({ "error": { "message": "by the double", "type": "x", "param": null, "code": code } });
    (StatusCode::from_u16(status).expect("a status"), axum::Json(error)).into_response()
}

async fn session(
    State(shared): State<Arc<Shared>>,
    Path(path): Path<Vec<(String, String)>>,
    RawQuery(query): RawQuery,
    method: axum::http::Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if headers.get("authorization").is_none_or(|key| key.as_bytes() != format!("Bearer {}", shared.key).as_bytes()) {
        return rejected(401, "invalid_token");
    }
    let query: HashMap<String, String> = query
        .unwrap_or_default()
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let name = path[0].1.clone();
    let operation = path.get(1).map(|(_, operation)| operation.clone());
    let number = |name: &str| query.get(name).and_then(|text| text.parse::<i64>().ok());
    let epoch = number("epoch").expect("an epoch");
    let worked = tokio::task::spawn_blocking(move || {
        let mut sessions = lock(&shared.sessions);
        let Some(operation) = operation else {
            if method == axum::http::Method::DELETE {
                sessions.remove(&name);
                return StatusCode::NO_CONTENT.into_response();
            }
            if sessions.get(&name).is_some_and(|session| session.epoch >= epoch) {
                return rejected(409, "fenced");
            }
            sessions.insert(name, open(epoch, &body));
            return axum::Json(json!({
                "epoch": epoch, "next_op": 0, "steps": 0, "adapter_parameters": 1, "versions": versions(),
                "plan": {
                    "weights": 1, "session": 1, "token_retained": 1, "token_checkpointed": 1, "head": 1, "available": 1,
                    "max_tokens_retained": 4096, "max_tokens": 4096,
                },
            }))
            .into_response();
        };
        let Some(session) = sessions.get_mut(&name) else { return rejected(404, "no_session") };
        if session.epoch != epoch {
            return rejected(409, "fenced");
        }
        let op = query.get("op").and_then(|text| text.parse::<i64>().ok());
        if let Some(op) = op {
            match &session.last {
                Some((last, answer)) if *last == op => return bytes(answer.clone()),
                _ if op != session.next_op => return rejected(409, "out_of_order"),
                _ => {}
            }
        }
        let mode = query.get("mode").map(String::as_str);
        let answer = session.run(&operation, mode, &body);
        if let Some(op) = op {
            session.next_op = op + 1;
            session.last = Some((op, answer.clone()));
        }
        bytes(answer)
    });
    worked.await.expect("the double works")
}

/// Answers with JSON or with a file of tensors.
fn bytes(answer: Vec<u8>) -> Response {
    let kind = if answer.first() == Some(&b'{') { "application/json" } else { "application/octet-stream" };
    ([("content-type", kind)], answer).into_response()
}

fn open(epoch: i64, body: &[u8]) -> Session {
    let (base, pool) = engine();
    let files = SafeTensors::deserialize(body).expect("a body");
    let file = |name: &str| files.tensor(name).expect("a file").data().to_vec();
    let adapter = Adapter::from_peft(&base.config, &file("adapter_config"), &file("adapter")).expect("an adapter");
    let adam = AdamState::from_bytes(&file("moments"), &adapter).expect("moments");
    let train = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
    Session { epoch, train, next_op: 0, last: None, kept: None }
}

impl Batch {
    fn read(body: &SafeTensors<'_>) -> Self {
        let integers = |name: &str| -> Vec<i32> {
            let data = body.tensor(name).expect("a tensor").data();
            data.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect()
        };
        let tokens: Vec<u32> =
            integers("tokens").into_iter().map(|token| u32::try_from(token).expect("an id")).collect();
        let flags: Vec<bool> = body.tensor("scored").expect("flags").data().iter().map(|flag| *flag == 1).collect();
        let mut batch = Self { tokens: Vec::new(), scored: Vec::new() };
        let mut begin = 0;
        for length in integers("lengths") {
            let end = begin + usize::try_from(length).expect("a length");
            batch.tokens.push(tokens[begin..end].to_vec());
            batch.scored.push(flags[begin..end].to_vec());
            begin = end;
        }
        batch
    }

    fn inputs(&self) -> Vec<SequenceInput<'_>> {
        self.tokens.iter().zip(&self.scored).map(|(tokens, scored)| SequenceInput { tokens, scored }).collect()
    }
}

fn gradient(body: &SafeTensors<'_>) -> Vec<f32> {
    let data = body.tensor("gradient").expect("a gradient").data();
    data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn answer(tensors: &[(&str, Dtype, Vec<u8>)]) -> Vec<u8> {
    let views = tensors.iter().map(|(name, dtype, data)| {
        let size = if *dtype == Dtype::U8 { 1 } else { 4 };
        (*name, TensorView::new(*dtype, vec![data.len() / size], data).expect("a tensor"))
    });
    safetensors::serialize(views, None).expect("a file")
}

fn scores(scores: &[Scores]) -> Vec<u8> {
    let list =
        |of: fn(&Scores) -> &Vec<f32>| scores.iter().flat_map(of).flat_map(|value| value.to_le_bytes()).collect();
    let [logprobs, entropies] = [list(|scores| &scores.logprobs), list(|scores| &scores.entropies)];
    answer(&[("logprobs", Dtype::F32, logprobs), ("entropies", Dtype::F32, entropies)])
}

impl Session {
    fn run(&mut self, operation: &str, mode: Option<&str>, body: &[u8]) -> Vec<u8> {
        let next = |session: &Self| json!({ "next_op": session.next_op + 1 });
        match operation {
            "forward" => {
                let tensors = SafeTensors::deserialize(body).expect("a body");
                let batch = Batch::read(&tensors);
                if mode == Some("accumulate") {
                    return scores(&self.accumulate(&batch, gradient(&tensors)));
                }
                let found = self.train.score(&batch.inputs()).expect("scores");
                if mode == Some("keep") {
                    self.kept = Some(batch);
                }
                scores(&found)
            }
            "backward" => {
                let batch = self.kept.take().expect("a kept batch");
                self.accumulate(&batch, gradient(&SafeTensors::deserialize(body).expect("a body")));
                next(self).to_string().into_bytes()
            }
            "step" => {
                let settings: Value = serde_json::from_slice(body).expect("settings");
                let number = |name: &str| settings[name].as_f64().expect("a number") as f32;
                let hyper = AdamHyper {
                    lr: number("learning_rate"),
                    beta1: number("beta1"),
                    beta2: number("beta2"),
                    eps: number("epsilon"),
                    weight_decay: number("weight_decay"),
                    clip_norm: number("clip_norm"),
                };
                let norm = self.train.step(&hyper).expect("a step").grad_norm;
                let mut body = next(self);
                body["norm"] = norm.into();
                body["steps"] = 1.into();
                body.to_string().into_bytes()
            }
            "state" => {
                let adapter = self.train.adapter().to_peft("base", &engine().0.config).adapter_model_safetensors;
                answer(&[("adapter", Dtype::U8, adapter), ("moments", Dtype::U8, self.train.adam().to_bytes())])
            }
            "progress" => json!({
                "call": "idle", "sequences": 0, "sequences_done": 0, "seconds": 0.0, "next_op": self.next_op, "steps": 0,
            })
            .to_string()
            .into_bytes(),
            other => panic!("no operation {other}"),
        }
    }

    fn accumulate(&mut self, batch: &Batch, gradient: Vec<f32>) -> Vec<Scores> {
        let mut gradient = gradient.into_iter();
        let mut of_scores = |scores: &[Scores]| -> Vec<Vec<f32>> {
            scores.iter().map(|scores| gradient.by_ref().take(scores.logprobs.len()).collect()).collect()
        };
        self.train.forward_backward(&batch.inputs(), &mut of_scores).expect("gradients")
    }
}
