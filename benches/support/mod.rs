//! What the benches share: a service that answers with constants, the same on bare axum, and requests for both.

#![allow(dead_code, reason = "each bench uses its part")]

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tower::ServiceExt;
use trainyard::generated::server;
use trainyard::generated::server::chat::{self, CreateChatCompletionInput, CreateChatCompletionOutput};
use trainyard::generated::server::models::{self, CreateModelInput, CreateModelOkHeaders, CreateModelOutput};
use trainyard::generated::server::training_jobs::{
    self, CreateTrainingJobInput, CreateTrainingJobOkHeaders, CreateTrainingJobOutput,
};
use trainyard::generated::types;
use trainyard::http::{ApiError, Authenticate, Credentials};

#[path = "../../generated/examples.rs"]
#[rustfmt::skip]
mod examples;

use examples::{Examples, WithExamples};

/// Answers with constants. `on_job` is called with a decoded job still in memory.
pub(crate) struct Constant {
    completion: types::ChatCompletion,
    model: types::ModelResponse,
    job: types::TrainingJobResponse,
    on_job: fn(),
}

impl Constant {
    pub(crate) fn new(on_job: fn()) -> Self {
        let completion = json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": "trainyard/seedling",
            "choices": [{
                "finish_reason": "stop", "index": 0, "logprobs": null,
                "message": {"role": "assistant", "content": "Rome is sunny.", "refusal": null},
            }],
            "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
        });
        let model = json!({
            "id": "3c90c3cc-0d44-4b50-8888-8dd25736052a", "entity": "acme", "project": "weather", "name": "reporter",
            "base_model": "trainyard/seedling", "run_id": null,
        });
        let job = json!({"id": "3c90c3cc-0d44-4b50-8888-8dd25736052a", "status": "queued"});
        Self {
            completion: serde_json::from_value(completion).expect("a completion"),
            model: serde_json::from_value(model).expect("a model"),
            job: serde_json::from_value(job).expect("a job"),
            on_job,
        }
    }
}

impl Authenticate for Constant {
    type Caller = ();

    async fn authenticate(&self, _credentials: &Credentials<'_>, _headers: &HeaderMap) -> Result<(), ApiError> {
        Ok(())
    }
}

impl Examples for Constant {
    async fn create_chat_completion(
        &self,
        _: (),
        _: CreateChatCompletionInput,
    ) -> Result<CreateChatCompletionOutput, ApiError> {
        Ok(self.completion.clone().into())
    }

    async fn create_model(&self, _: (), _: CreateModelInput) -> Result<CreateModelOutput, ApiError> {
        let headers = CreateModelOkHeaders::default();
        Ok(CreateModelOutput::Ok { headers, body: self.model.clone() })
    }

    async fn create_training_job(
        &self,
        _: (),
        input: CreateTrainingJobInput,
    ) -> Result<CreateTrainingJobOutput, ApiError> {
        (self.on_job)();
        drop(input);
        let headers = CreateTrainingJobOkHeaders::default();
        Ok(CreateTrainingJobOutput::Ok { headers, body: self.job.clone() })
    }
}

/// The generated router with the constant handlers.
pub(crate) fn generated(on_job: fn()) -> Router {
    let api = Arc::new(WithExamples(Constant::new(on_job)));
    Router::new()
        .merge(chat::chat_routes(api.clone()))
        .merge(models::models_routes(api.clone()))
        .merge(training_jobs::training_jobs_routes(api))
}

/// The same constants behind axum alone: any JSON is taken, nobody is asked for a key.
pub(crate) fn bare() -> Router {
    let Constant { completion, model, .. } = Constant::new(|| {});
    Router::new()
        .route("/v1/chat/completions", post(async move |Json(_): Json<Value>| Json(completion)))
        .route("/v1/preview/models", post(async move |Json(_): Json<Value>| Json(model)))
}

/// A request for either router.
pub(crate) fn request(path: &str, body: Body, length: usize) -> Request<Body> {
    Request::post(path)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONTENT_LENGTH, length)
        .header(header::AUTHORIZATION, "Bearer ty-0123456789")
        .body(body)
        .expect("a request")
}

/// Sends a request and insists on a 200.
pub(crate) async fn send(router: Router, request: Request<Body>) -> Response {
    let response = match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    assert_eq!(response.status(), StatusCode::OK);
    response
}

/// The small requests: name, path, body.
pub(crate) fn small_requests() -> [(&'static str, &'static str, Bytes); 2] {
    let chat = json!({
        "model": "trainyard/seedling",
        "messages": [
            {"role": "system", "content": "Answer in one sentence."},
            {"role": "user", "content": "What is the weather in Rome?"},
        ],
        "temperature": 0.7, "max_completion_tokens": 64, "n": 1, "stream": false,
    });
    let model = json!({"project": "weather", "name": "reporter", "base_model": "trainyard/seedling"});
    [
        ("create_chat_completion", "/v1/chat/completions", Bytes::from(chat.to_string())),
        ("create_model", "/v1/preview/models", Bytes::from(model.to_string())),
    ]
}

/// The path that takes rollouts.
pub(crate) const JOBS: &str = "/v1/preview/training-jobs";

/// The body of an RL job of about `bytes` bytes, as rollout libraries write it: two thirds are logprobs.
pub(crate) fn rollouts(bytes: usize) -> Bytes {
    let token = |id: usize| {
        let text: Vec<u8> = format!(" word{}", id % 97).into_bytes();
        let logprob = -((id % 1009) as f64) / 317.0;
        json!({"token": format!("token_id:{id}"), "bytes": text, "logprob": logprob, "top_logprobs": []})
    };
    let choice = |seed: usize| {
        let content: Vec<Value> = (0..200).map(|place| token((seed * 7919 + place * 104_729) % 151_000)).collect();
        json!({
            "finish_reason": "stop", "index": 0, "logprobs": {"content": content, "refusal": null},
            "message": {
                "content": "It rained this morning, \"heavily\", and cleared up at noon.\n".repeat(12), "refusal": null,
                "role": "assistant", "annotations": null, "audio": null, "function_call": null, "tool_calls": null,
            },
        })
    };
    let trajectory = |seed: usize| {
        json!({
            "messages_and_choices": [
                {"role": "system", "content": "You report the weather. ".repeat(20)},
                {"role": "user", "content": "What is the weather in Rome? ".repeat(20)},
                choice(seed),
                {"role": "user", "content": "And tomorrow? ".repeat(30)},
                choice(seed + 1),
            ],
            "tools": null, "additional_histories": [], "reward": 0.25, "initial_policy_version": 3,
            "final_policy_version": null, "metrics": {"correct": true, "turns": 2, "score": 0.5},
            "metadata": {"scenario": "s-1", "note": null}, "logs": ["rolled out"],
        })
    };
    let mut groups = String::new();
    for group in 0.. {
        let trajectories: Vec<Value> = (0..8).map(|index| trajectory(group * 16 + index * 2)).collect();
        let group = json!({
            "trajectories": trajectories, "exceptions": [], "metadata": {"scenario": "s-1"}, "metrics": {"rate": 0.5},
            "logs": [],
        });
        if !groups.is_empty() {
            groups.push(',');
        }
        groups.push_str(&group.to_string());
        if groups.len() >= bytes {
            break;
        }
    }
    let head = r#"{"model_id":"3c90c3cc-0d44-4b50-8888-8dd25736052a","trajectory_groups":["#;
    Bytes::from(format!(r#"{head}{groups}],"experimental_config":{{"epsilon":0.2,"learning_rate":null}}}}"#))
}

/// A body that arrives as a socket delivers it.
pub(crate) fn in_frames(body: &Bytes) -> Body {
    const FRAME: usize = 64 << 10;
    let frames: Vec<_> = (0..body.len())
        .step_by(FRAME)
        .map(|start| Ok::<_, std::convert::Infallible>(body.slice(start..body.len().min(start + FRAME))))
        .collect();
    Body::from_stream(futures_util::stream::iter(frames))
}

/// Whether to measure: `cargo bench` asks for it, `cargo test --benches` only for a run that shows that it works.
pub(crate) fn measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The median of some figures.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
