//! Faults of a remote learner, by a double that fails as told. `tests/remote_training` runs jobs on the real one.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body as HttpBody;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::connection::TimeLimits;
use super::*;
use crate::engine::LoraOptions;
use crate::telemetry;

static SHAPE: LazyLock<ModelConfig> =
    LazyLock::new(|| ModelConfig::from_json(include_str!("../../../assets/seedling/config.json")).unwrap());

const TOKENS: [u32; 4] = [5, 6, 7, 8];
const SCORED: [bool; 4] = [false, true, true, true];
const SETTINGS: OptimizerSettings = OptimizerSettings {
    learning_rate: 1e-3,
    beta1: 0.9,
    beta2: 0.99,
    epsilon: 1e-8,
    weight_decay: 0.0,
    clip_norm: 1.0,
};

/// What the double does with the next request of an operation.
#[derive(Clone, Copy)]
enum Fault {
    /// Processes it, and breaks off the response.
    LostResponse,
    /// Rejects it.
    Rejection(u16, &'static str),
    /// Responds with something else and status 200.
    Nonsense,
    /// Never responds.
    Hang,
    /// Never responds, nor to a question for its health.
    Freeze,
}

/// State of the double.
#[derive(Default)]
struct Double {
    faults: Mutex<VecDeque<(&'static str, Fault)>>,
    /// Operation and query of each request but those for health.
    requests: Mutex<Vec<(String, String)>>,
    /// Numbers of the changing calls that were counted.
    counted: Mutex<Vec<String>>,
    keys: Mutex<Vec<Option<String>>>,
    traces: Mutex<Vec<Option<String>>>,
    is_frozen: AtomicBool,
}

impl Double {
    fn count(&self, operation: &str) -> usize {
        self.requests.lock().unwrap().iter().filter(|(name, _)| name == operation).count()
    }
}

fn versions() -> serde_json::Value {
    json!({ "learner": "0", "python": "3", "torch": "2", "transformers": "5", "peft": "0" })
}

async fn health(State(double): State<Arc<Double>>) -> Response {
    if double.is_frozen.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
    let model = json!({
        "model_type": "qwen3", "vocabulary_size": SHAPE.vocab_size, "max_sequence_tokens": 512, "parameters": 1,
        "config_sha256": "00", "prefix_sharing": true,
    });
    let health = json!({
        "status": "idle", "sessions": 0, "model": model, "versions": versions(), "device": "cpu", "dtype": "float32",
        "world_size": 1,
    });
    json_response(&health)
}

fn json_response(value: &serde_json::Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}

async fn session(
    State(double): State<Arc<Double>>,
    Path(path): Path<Vec<(String, String)>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let operation = path.get(1).map_or("open", |(_, operation)| operation).to_owned();
    let query = query.unwrap_or_default();
    double.requests.lock().unwrap().push((operation.clone(), query.clone()));
    let header = |name| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    double.keys.lock().unwrap().push(header("authorization"));
    double.traces.lock().unwrap().push(header("traceparent"));
    let fault = {
        let mut faults = double.faults.lock().unwrap();
        match faults.front() {
            Some((name, _)) if *name == operation => faults.pop_front().map(|(_, fault)| fault),
            _ => None,
        }
    };
    match fault {
        Some(Fault::Rejection(status, code)) => {
            let error = json!({ "error": { "message": "as told", "type": "x", "param": null, "code": code } });
            return (StatusCode::from_u16(status).unwrap(), json_response(&error)).into_response();
        }
        Some(Fault::Nonsense) => {
            return ([("content-type", "application/octet-stream")], "nonsense").into_response();
        }
        Some(fault @ (Fault::Hang | Fault::Freeze)) => {
            double.is_frozen.store(matches!(fault, Fault::Freeze), Ordering::Relaxed);
            std::future::pending::<()>().await;
        }
        Some(Fault::LostResponse) | None => {}
    }
    if let Some(op) = query.split('&').find_map(|pair| pair.strip_prefix("op=")) {
        let mut counted = double.counted.lock().unwrap();
        if counted.last().is_none_or(|last| last != op) {
            counted.push(op.to_owned());
        }
    }
    if matches!(fault, Some(Fault::LostResponse)) {
        let broken = futures_util::stream::iter([Ok("{"), Err(std::io::Error::other("cut"))]);
        return ([("content-type", "application/json")], HttpBody::from_stream(broken)).into_response();
    }
    match operation.as_str() {
        "open" => json_response(&json!({
            "epoch": 1, "next_op": 0, "steps": 0, "adapter_parameters": 1, "versions": versions(),
            "plan": {
                "weights": 1, "session": 1, "token_retained": 1, "token_checkpointed": 1, "head": 1, "available": 1,
                "max_tokens_retained": 64, "max_tokens": 64,
            },
        })),
        "forward" => {
            let values = || [-1.0f32, -2.0, -3.0].into_iter();
            let body = Tensors::default().f32("logprobs", values()).f32("entropies", values().map(|value| -value));
            ([("content-type", "application/octet-stream")], body.body().unwrap()).into_response()
        }
        "step" => json_response(&json!({ "norm": 0.5, "steps": 1, "next_op": 1 })),
        _ => json_response(&json!({ "next_op": 1 })),
    }
}

/// A running double, and the runtime that it runs on.
struct Running {
    double: Arc<Double>,
    server: LearnerServer,
    runtime: tokio::runtime::Runtime,
    cancel: Arc<AtomicBool>,
}

impl Running {
    fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let double = Arc::new(Double::default());
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = LearnerAddress::Url(format!("http://{}", listener.local_addr().unwrap()).parse().unwrap());
        runtime.spawn(serve(listener, double.clone()));
        let time_limits = TimeLimits {
            start: Duration::from_secs(20),
            health_interval: Duration::from_millis(50),
            health_timeout: Duration::from_millis(200),
            call: Duration::from_secs(20),
        };
        let server = LearnerServer { time_limits, ..LearnerServer::new(url, None) };
        Self { double, server, runtime, cancel: Arc::default() }
    }

    fn open(&self) -> Result<RemoteLearner, RemoteError> {
        let adapter = Adapter::new(&SHAPE, &LoraOptions::new(2, 4.0), 1);
        let adam = AdamState::new(&adapter);
        let session = SessionKey { name: "job".to_owned(), epoch: 1000 };
        let caller = Caller { runtime: self.runtime.handle().clone(), cancel: self.cancel.clone() };
        let base = LearnerBase { name: "trainyard/seedling", config: &SHAPE, weights: &WeightOrigin::BuiltIn };
        RemoteLearner::open(&self.server, session, base, &adapter, &adam, caller, &mut |_| {})
    }

    fn fail(&self, faults: impl IntoIterator<Item = (&'static str, Fault)>) {
        self.double.faults.lock().unwrap().extend(faults);
    }
}

async fn serve(listener: tokio::net::TcpListener, double: Arc<Double>) {
    let routes = Router::new()
        .route("/health", axum::routing::get(health))
        .route("/v1/sessions/{session}", axum::routing::post(session))
        .route("/v1/sessions/{session}/{operation}", axum::routing::any(session))
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(double);
    axum::serve(listener, routes).await.unwrap();
}

fn sequences() -> [Sequence<'static>; 1] {
    [Sequence { tokens: &TOKENS, scored: &SCORED }]
}

#[test]
fn a_step_of_each_kind_asks_for_what_it_says() {
    let running = Running::start();
    let mut learner = running.open().unwrap();
    let mut seen = Vec::new();
    let scores = learner
        .accumulate(&sequences(), &mut |scores| {
            seen = scores.to_vec();
            vec![vec![0.1, 0.2, 0.3]]
        })
        .unwrap();
    assert_eq!(scores, seen);
    assert_eq!(scores[0], TokenScores { logprobs: vec![-1.0, -2.0, -3.0], entropies: vec![1.0, 2.0, 3.0] });
    assert_eq!(learner.step(&SETTINGS).unwrap(), 0.5);
    learner.accumulate_known(&sequences(), -0.25).unwrap();
    learner.score(&sequences()).unwrap();
    let requests = running.double.requests.lock().unwrap().clone();
    let queries: Vec<&str> = requests.iter().map(|(_, query)| query.as_str()).collect();
    assert!(queries.iter().all(|query| query.contains("epoch=1000")), "{queries:?}");
    for (query, words) in queries.iter().zip(["", "mode=keep", "op=0", "op=1", "mode=accumulate", "mode=score"]) {
        assert!(query.contains(words), "{query}");
    }
    assert!(queries[2].contains("batch=1") && queries[4].contains("op=2"), "{queries:?}");
}

#[test]
fn the_requests_of_a_session_belong_to_the_trace_of_its_job() {
    // A port of which nothing listens: spans are made, and their export fails.
    let _telemetry = telemetry::Telemetry::start("http://127.0.0.1:9").unwrap();
    let running = Running::start();
    let trace = telemetry::Trace::of_job(uuid::Uuid::now_v7(), "sft");
    let trace_id = trace.id().unwrap();
    trace.sync_scope(|| running.open().unwrap().score(&sequences()).unwrap());
    let traces = running.double.traces.lock().unwrap().clone();
    assert!(traces.len() >= 2, "{traces:?}");
    let prefix = format!("00-{trace_id}-");
    assert!(traces.iter().all(|trace| trace.as_ref().is_some_and(|trace| trace.starts_with(&prefix))), "{traces:?}");
}

#[test]
fn a_call_whose_answer_was_lost_is_sent_again_and_counts_once() {
    let running = Running::start();
    running.fail([("step", Fault::LostResponse), ("step", Fault::LostResponse), ("forward", Fault::LostResponse)]);
    let mut learner = running.open().unwrap();
    learner.step(&SETTINGS).unwrap();
    learner.accumulate_known(&sequences(), 1.0).unwrap();
    learner.step(&SETTINGS).unwrap();
    assert_eq!(*running.double.counted.lock().unwrap(), ["0", "1", "2"]);
    assert_eq!((running.double.count("step"), running.double.count("forward")), (4, 2));
}

#[test]
fn a_learner_without_capacity_is_asked_again() {
    let running = Running::start();
    running.fail([("open", Fault::Rejection(503, "busy")), ("step", Fault::Rejection(503, "busy"))]);
    running.open().unwrap().step(&SETTINGS).unwrap();
    assert_eq!((running.double.count("open"), running.double.count("step")), (2, 2));
}

#[test]
fn each_rejection_has_its_consequence() {
    let consequence = |fault| {
        let running = Running::start();
        let mut learner = running.open().unwrap();
        running.fail([("forward", fault)]);
        let error = learner.accumulate_known(&sequences(), 1.0).unwrap_err();
        assert_eq!(running.double.count("forward"), 1, "{error}");
        error
    };
    for (status, code) in [(409, "fenced"), (404, "no_session"), (409, "out_of_order"), (409, "unknown_batch")] {
        let error = consequence(Fault::Rejection(status, code));
        assert!(matches!(error, LearnerError::Lost(_)), "{code}: {error}");
    }
    let error = consequence(Fault::Rejection(422, "not_finite"));
    assert!(error.is_not_finite() && error.to_string().contains("lower the learning rate"), "{error}");
    assert!(matches!(consequence(Fault::Rejection(503, "out_of_memory")), LearnerError::OutOfMemory(_)));
    assert!(matches!(consequence(Fault::Rejection(500, "internal_error")), LearnerError::Faulty(_)));
    assert!(matches!(consequence(Fault::Nonsense), LearnerError::Faulty(_)));
    let error = consequence(Fault::Rejection(422, "invalid_value"));
    assert!(matches!(error, LearnerError::Failed(_)), "{error}");
    assert!(error.to_string().contains("refused forward with status 422: as told"), "{error}");
}

#[test]
fn a_frozen_learner_is_given_up() {
    let running = Running::start();
    let mut learner = running.open().unwrap();
    running.fail([("step", Fault::Freeze)]);
    let error = learner.step(&SETTINGS).unwrap_err();
    assert!(matches!(error, LearnerError::Lost(_)) && error.to_string().contains("does not answer"), "{error}");
}

#[test]
fn a_cancelled_job_waits_for_no_call() {
    let running = Running::start();
    let mut learner = running.open().unwrap();
    running.fail([("step", Fault::Hang)]);
    let (cancel, double) = (running.cancel.clone(), running.double.clone());
    let canceller = std::thread::spawn(move || {
        while double.count("step") == 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
        cancel.store(true, Ordering::Relaxed);
    });
    let begin = Instant::now();
    learner.step(&SETTINGS).unwrap_err();
    assert!(begin.elapsed() < Duration::from_secs(15), "it ended before any deadline");
    canceller.join().unwrap();
    let error = running.open().err().expect("cancelled");
    assert!(matches!(error, RemoteError::Cancelled), "{error}");
}

#[test]
fn a_learner_that_starts_later_is_waited_for_and_one_with_another_key_too() {
    let running = Running::start();
    let key = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(key.path(), "first\n").unwrap();
    running.fail([("open", Fault::Rejection(401, "invalid_token"))]);
    let keyed = LearnerServer { key_file: Some(key.path().to_owned()), ..running.server.clone() };
    let running = Running { server: keyed, ..running };
    running.open().unwrap();
    std::fs::write(key.path(), "second").unwrap();
    running.open().unwrap();
    let keys = running.double.keys.lock().unwrap().clone();
    let expected = ["Bearer first", "Bearer first", "Bearer second"].map(|key| Some(key.to_owned()));
    let opened: Vec<_> = keys.into_iter().filter(|key| expected.contains(key)).collect();
    assert!(opened.len() >= 3 && opened[..2] == expected[..2] && opened.last() == expected.last(), "{opened:?}");

    // The address of a listener that is gone.
    let listener = running.runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let later = LearnerServer {
        address: LearnerAddress::Url(format!("http://{address}").parse().unwrap()),
        ..running.server.clone()
    };
    let double = running.double.clone();
    running.runtime.spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        serve(tokio::net::TcpListener::bind(address).await.unwrap(), double).await;
    });
    Running { server: later, ..running }.open().unwrap();
}

#[test]
fn a_sequence_beyond_the_learners_memory_is_rejected_with_numbers() {
    let running = Running::start();
    let learner = running.open().unwrap();
    let (tokens, scored) = ([5; 65], [false; 65]);
    let fits =
        |length: usize| learner.check_memory(&[Sequence { tokens: &tokens[..length], scored: &scored[..length] }]);
    fits(64).unwrap();
    let error = fits(65).unwrap_err();
    assert!(error.to_string().contains("up to 64 tokens") && error.to_string().contains("has 65"), "{error}");
    assert!(matches!(LearnerError::from(error), LearnerError::OutOfMemory(_)));
}
