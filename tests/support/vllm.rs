//! A double of a vLLM server, for faults that a real one cannot be made to show on demand.
//!
//! Paths, bodies and errors are those of the recordings in `tests/recordings`. Behind them is the engine of this
//! repository with the built-in model, so that tokens and log-probabilities are real; answers to grammars are scripted.

use std::collections::{BTreeMap, HashMap};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::Receiver;
use trainyard::engine::sampler::{AdapterHash, AdapterRef, FinishReason, GenerateEvent, GenerateRequest, Sampler};
use trainyard::engine::sampling::SamplingParameters;
use trainyard::engine::scheduler::{EngineSampler, SamplerLimits};
use trainyard::engine::{Adapter, BaseModel, ComputePool, WeightFormat};

/// Recorded answer of the guidance backend to the grammar of the check, and that of another backend.
const GUIDANCE: &str = "grammar: guidance";
const ANOTHER_BACKEND: &str = "grammar: another backend";

/// How a double applies adapters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Adapters {
    Right,
    /// They have no effect.
    Ignored,
    /// Their effect is twice as large, as with a configuration of half the rank.
    Doubled,
    /// The first factors have the shape of a smaller model: a quarter of the columns, and the rest reads as zeros.
    Narrow,
    /// Their values are not numbers.
    NotFinite,
}

/// Files of an adapter.
const FILES: [&str; 2] = ["adapter_config.json", "adapter_model.safetensors"];
/// Recorded message of a server whose values are not numbers.
const NOT_JSON: &str = "Out of range float values are not JSON compliant";

/// Properties of the double that a test changes.
#[derive(Clone)]
pub(crate) struct Behaviour {
    /// Bearer token that it wants.
    pub key: Option<String>,
    /// Answers nothing, as under SIGSTOP.
    pub frozen: bool,
    /// Ends its connection in the middle of a stream after this many tokens.
    pub cut_after: Option<usize>,
    /// The engine behind the server has died.
    pub engine_dead: bool,
    /// Started with `--enable-scale-out`.
    pub scale_out: bool,
    /// Started with `VLLM_SERVER_DEV_MODE=1`.
    pub dev_mode: bool,
    /// Has `/v1/completions`.
    pub completions: bool,
    /// Started with the guidance backend.
    pub guidance: bool,
    /// Serves another model.
    pub other_model: bool,
    /// Applies `logit_bias`.
    pub logit_bias: bool,
    /// How it applies the adapters that it has loaded.
    pub adapters: Adapters,
    /// Samples tokens that are outside the vocabulary.
    pub unknown_tokens: bool,
    /// Version of vLLM.
    pub version: &'static str,
    /// Wait before each token.
    pub delay: Duration,
    /// Tokens of the answers with a grammar other than that of the check.
    pub script: Vec<u32>,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            key: None,
            frozen: false,
            cut_after: None,
            engine_dead: false,
            scale_out: true,
            completions: true,
            dev_mode: false,
            guidance: true,
            other_model: false,
            logit_bias: true,
            adapters: Adapters::Right,
            unknown_tokens: false,
            version: "0.32.0",
            delay: Duration::ZERO,
            script: Vec::new(),
        }
    }
}

/// The engine behind every double.
struct Engine {
    base: Arc<BaseModel>,
    sampler: EngineSampler,
}

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let seedling = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling");
        let config = std::fs::read_to_string(seedling.join("config.json")).expect("config.json");
        let weights = std::fs::read(seedling.join("model.safetensors")).expect("the weights");
        let pool = ComputePool::new(1);
        let base = BaseModel::load(&config, &[("model.safetensors", &weights)], WeightFormat::F32, &pool);
        let base = base.expect("the model loads");
        let sampler = EngineSampler::start(pool, base.clone(), SamplerLimits::default()).expect("a thread");
        Engine { base, sampler }
    })
}

/// Returns a recorded exchange.
pub(crate) fn recorded(name: &str) -> Value {
    static RECORDINGS: OnceLock<Value> = OnceLock::new();
    let recordings = RECORDINGS.get_or_init(|| {
        serde_json::from_str(include_str!("../recordings/vllm-0.32.0.json")).expect("the recordings are JSON")
    });
    assert!(recordings[name].is_object(), "no recording {name:?}");
    recordings[name].clone()
}

struct Shared {
    behaviour: Mutex<Behaviour>,
    adapters: Mutex<BTreeMap<String, (String, Arc<Adapter>)>>,
    started: Mutex<f64>,
    /// Bodies of `generate`, but those of checks.
    generated: Mutex<Vec<Value>>,
    /// Headers `traceparent` of the same requests.
    traces: Mutex<Vec<String>>,
    /// Names of loaded adapters, one for each load.
    loads: Mutex<Vec<String>>,
    running: Mutex<usize>,
}

/// A double of a vLLM server on a port of its own.
pub(crate) struct FakeVllm {
    address: SocketAddr,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
}

impl FakeVllm {
    pub(crate) fn start() -> Self {
        Self::start_with(|_| {})
    }

    pub(crate) fn start_with(change: impl FnOnce(&mut Behaviour)) -> Self {
        let mut behaviour = Behaviour::default();
        change(&mut behaviour);
        let shared = Arc::new(Shared {
            behaviour: Mutex::new(behaviour),
            adapters: Mutex::default(),
            started: Mutex::new(1_795_376_030.0),
            generated: Mutex::default(),
            traces: Mutex::default(),
            loads: Mutex::default(),
            running: Mutex::default(),
        });
        let (runtime, address) = serve(shared.clone(), (Ipv4Addr::LOCALHOST, 0).into());
        Self { address, shared, runtime: Some(runtime) }
    }

    /// `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn name(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut lock(&self.shared.behaviour));
    }

    /// Bodies of `generate` so far, but those of checks.
    pub(crate) fn generated(&self) -> Vec<Value> {
        lock(&self.shared.generated).clone()
    }

    /// Returns the headers `traceparent` of the requests of `generate`, but those of checks.
    pub(crate) fn traces(&self) -> Vec<String> {
        lock(&self.shared.traces).clone()
    }

    /// Names of loaded adapters, one for each load.
    pub(crate) fn loads(&self) -> Vec<String> {
        lock(&self.shared.loads).clone()
    }

    /// Number of requests that are being answered.
    pub(crate) fn running(&self) -> usize {
        *lock(&self.shared.running)
    }

    /// Loads the directory of an adapter under a name, as another client may.
    pub(crate) fn load_as(&self, name: &str, directory: &Path) {
        let [config, weights] = FILES.map(|file| std::fs::read(directory.join(file)).expect("the files"));
        let fault = lock(&self.shared.behaviour).adapters;
        let adapter = Adapter::from_peft(&engine().base.config, &config, &changed(&weights, fault)).expect("valid");
        let path = directory.display().to_string();
        lock(&self.shared.adapters).insert(name.to_owned(), (path, Arc::new(adapter)));
    }

    /// Names of the adapters that it lists.
    pub(crate) fn listed(&self) -> Vec<String> {
        lock(&self.shared.adapters).keys().cloned().collect()
    }

    /// Loses its adapters without a restart.
    pub(crate) fn forget(&self) {
        lock(&self.shared.adapters).clear();
    }

    /// Ends at once, as by SIGKILL: connections break, nothing listens.
    pub(crate) fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    /// Starts again at the same address, without adapters.
    pub(crate) fn restart(&mut self) {
        self.kill();
        self.forget();
        *lock(&self.shared.running) = 0;
        *lock(&self.shared.started) += 60.0;
        let (runtime, _) = serve(self.shared.clone(), self.address);
        self.runtime = Some(runtime);
    }
}

impl Drop for FakeVllm {
    fn drop(&mut self) {
        self.kill();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn serve(shared: Arc<Shared>, address: SocketAddr) -> (Runtime, SocketAddr) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
    let routes = Router::new()
        .route("/health", get(health))
        .route("/version", get(version))
        .route("/metrics", get(metrics))
        .route("/is_sleeping", get(is_sleeping))
        .route("/v1/models", get(models))
        .route("/v1/load_lora_adapter", post(load))
        .route("/v1/unload_lora_adapter", post(unload))
        .route("/inference/v1/generate", post(generate))
        .route("/v1/completions", post(complete))
        .with_state(shared);
    let (sender, bound) = std::sync::mpsc::channel();
    runtime.spawn(async move {
        let listener = loop {
            // The port of a killed double is free after a moment.
            match tokio::net::TcpListener::bind(address).await {
                Ok(listener) => break listener,
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        sender.send(listener.local_addr().expect("an address")).expect("somebody waits");
        axum::serve(listener, routes).await
    });
    let address = bound.recv_timeout(Duration::from_secs(20)).expect("the port can be bound");
    (runtime, address)
}

/// Waits while the double is frozen.
async fn thaw(shared: &Shared) {
    while lock(&shared.behaviour).frozen {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn answer(recording: &str) -> Response {
    let recording = recorded(recording);
    let status = u16::try_from(recording["status"].as_u64().expect("a status")).expect("small");
    reply(status, recording["response"].clone())
}

fn reply(status: u16, body: Value) -> Response {
    let status = StatusCode::from_u16(status).expect("a status");
    match body {
        // vLLM answers loads with plain text.
        Value::String(text) => (status, text).into_response(),
        body => (status, axum::Json(body)).into_response(),
    }
}

fn rejected(shared: &Shared, headers: &HeaderMap) -> Option<Response> {
    let key = lock(&shared.behaviour).key.clone()?;
    let given = headers.get("authorization").and_then(|value| value.to_str().ok());
    (given != Some(&format!("Bearer {key}"))).then(|| answer("wrong key"))
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    thaw(&shared).await;
    if lock(&shared.behaviour).engine_dead { reply(503, json!("")) } else { reply(200, json!("")) }
}

async fn is_sleeping(State(shared): State<Arc<Shared>>) -> Response {
    let is_open = lock(&shared.behaviour).dev_mode;
    reply(if is_open { 200 } else { 404 }, json!({ "is_sleeping": false }))
}

async fn version(State(shared): State<Arc<Shared>>) -> Response {
    thaw(&shared).await;
    let version = lock(&shared.behaviour).version;
    reply(200, json!({ "version": version }))
}

async fn metrics(State(shared): State<Arc<Shared>>) -> String {
    thaw(&shared).await;
    let (started, running) = (*lock(&shared.started), *lock(&shared.running));
    format!(
        "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {started}\n\
         vllm:num_requests_running{{engine=\"0\",model_name=\"base\"}} {running}.0\n\
         vllm:num_requests_waiting{{engine=\"0\",model_name=\"base\"}} 0.0\n"
    )
}

async fn models(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    thaw(&shared).await;
    if let Some(rejected) = rejected(&shared, &headers) {
        return rejected;
    }
    let mut body = recorded("models")["response"].clone();
    let mut base = body["data"][0].clone();
    base["max_model_len"] = engine().base.config.max_position_embeddings.into();
    let adapter = body["data"][1].clone();
    let mut data = vec![base];
    for (name, (path, _)) in &*lock(&shared.adapters) {
        let mut entry = adapter.clone();
        entry["id"] = json!(name);
        entry["root"] = json!(path);
        data.push(entry);
    }
    body["data"] = data.into();
    reply(200, body)
}

async fn load(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    thaw(&shared).await;
    if let Some(rejected) = rejected(&shared, &headers) {
        return rejected;
    }
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let (name, path) = (body["lora_name"].as_str().expect("a name"), body["lora_path"].as_str().expect("a path"));
    if lock(&shared.adapters).contains_key(name) {
        return answer("load again");
    }
    let read = |file: &str| std::fs::read(Path::new(path).join(file));
    let [Ok(config), Ok(weights)] = FILES.map(read) else {
        return answer("load: no directory");
    };
    let fault = lock(&shared.behaviour).adapters;
    let adapter =
        Adapter::from_peft(&engine().base.config, &config, &changed(&weights, fault)).expect("a valid adapter");
    lock(&shared.loads).push(name.to_owned());
    // Loads that overlap would show here.
    tokio::time::sleep(Duration::from_millis(30)).await;
    lock(&shared.adapters).insert(name.to_owned(), (path.to_owned(), Arc::new(adapter)));
    answer("load")
}

async fn unload(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let removed = lock(&shared.adapters).remove(body["lora_name"].as_str().expect("a name"));
    if removed.is_some() { answer("unload") } else { answer("unload again") }
}

/// Returns the weights of an adapter as a server with a fault reads them.
fn changed(weights: &[u8], fault: Adapters) -> Vec<u8> {
    let header = u64::from_le_bytes(weights[..8].try_into().expect("eight bytes"));
    let data = 8 + usize::try_from(header).expect("a small header");
    let tensors: BTreeMap<String, Value> = serde_json::from_slice(&weights[8..data]).expect("a header");
    let mut weights = weights.to_vec();
    for (name, tensor) in tensors.into_iter().filter(|(name, _)| name != "__metadata__") {
        let (shape, range) = (&tensor["shape"], &tensor["data_offsets"]);
        let number = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("a small number");
        let (begin, end, columns) = (data + number(&range[0]), data + number(&range[1]), number(&shape[1]));
        for (index, value) in weights[begin..end].chunks_exact_mut(4).enumerate() {
            let before = f32::from_le_bytes((&*value).try_into().expect("four bytes"));
            let is_first = name.contains("lora_A");
            let after = match fault {
                Adapters::Doubled if !is_first => 2.0 * before,
                Adapters::Narrow if is_first && index % columns >= columns / 4 => 0.0,
                _ => before,
            };
            value.copy_from_slice(&after.to_le_bytes());
        }
    }
    weights
}

/// Counts a request for a sample as running until it is dropped.
struct Running(Option<Arc<Shared>>);

impl Running {
    fn new(shared: &Arc<Shared>, is_sample: bool) -> Self {
        if !is_sample {
            return Self(None);
        }
        *lock(&shared.running) += 1;
        Self(Some(shared.clone()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(shared) = &self.0 {
            // A killed double counts from 0 again.
            let mut running = lock(&shared.running);
            *running = running.saturating_sub(1);
        }
    }
}

/// Form of a request and its answer.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Generate,
    Completion,
}

async fn generate(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    thaw(&shared).await;
    if let Some(rejected) = rejected(&shared, &headers) {
        return rejected;
    }
    if !lock(&shared.behaviour).scale_out {
        return answer("scale-out disabled");
    }
    answered(shared, &headers, serde_json::from_slice(&body).expect("JSON"), Form::Generate).await
}

async fn complete(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    thaw(&shared).await;
    if let Some(rejected) = rejected(&shared, &headers) {
        return rejected;
    }
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    if !lock(&shared.behaviour).completions {
        return reply(404, json!({ "detail": "Not Found" }));
    }
    assert!(body["return_token_ids"] == true && body["return_tokens_as_token_ids"] == true, "{body}");
    let field = |name: &str| body[name].clone();
    let body = json!({
        "request_id": field("request_id"), "model": field("model"), "token_ids": field("prompt"), "stream": field("stream"),
        "cache_salt": field("cache_salt"), "sampling_params": body,
    });
    answered(shared, &headers, body, Form::Completion).await
}

async fn answered(shared: Arc<Shared>, headers: &HeaderMap, body: Value, form: Form) -> Response {
    let behaviour = lock(&shared.behaviour).clone();
    if behaviour.engine_dead {
        return answer("engine dead");
    }
    let of_service = |id: &str| ["ty-check-", "ty-score-"].iter().any(|prefix| id.starts_with(prefix));
    let is_sample = !body["request_id"].as_str().is_some_and(of_service);
    if is_sample {
        lock(&shared.generated).push(body.clone());
        let trace = headers.get("traceparent").and_then(|value| value.to_str().ok());
        lock(&shared.traces).extend(trace.map(str::to_owned));
    }
    let model = body["model"].as_str().expect("a model");
    let adapter = match model {
        "base" => None,
        name => match lock(&shared.adapters).get(name) {
            Some((_, adapter)) => (behaviour.adapters != Adapters::Ignored).then(|| adapter.clone()),
            None => return answer("unknown model"),
        },
    };
    let vocabulary = engine().base.config.vocab_size as u64;
    let prompt = body["token_ids"].as_array().expect("token ids");
    if prompt.iter().any(|id| id.as_u64().is_none_or(|id| id >= vocabulary)) {
        return answer("unknown token");
    }
    if behaviour.adapters == Adapters::NotFinite && adapter.is_some() {
        return reply(
            400,
            json!({ "error": { "message": NOT_JSON, "type": "BadRequestError", "param": null, "code": 400 } }),
        );
    }
    let running = Running::new(&shared, is_sample);
    let params = &body["sampling_params"];
    let tokens = match params["structured_outputs"]["grammar"].as_str() {
        Some(_) => Tokens::Script(script(&behaviour, is_sample).into_iter()),
        None => Tokens::Engine(sample(&body, adapter, &behaviour)),
    };
    if body["stream"] == json!(true) {
        return stream(shared, tokens, behaviour, running, form);
    }
    whole(tokens, &behaviour, form).await
}

/// Returns the tokens of an answer with a grammar: those of the recordings for the grammar of the check.
fn script(behaviour: &Behaviour, is_sample: bool) -> Vec<u32> {
    if is_sample {
        return behaviour.script.clone();
    }
    let recording = recorded(if behaviour.guidance { GUIDANCE } else { ANOTHER_BACKEND });
    serde_json::from_value(recording["response"]["choices"][0]["token_ids"].clone()).expect("token ids")
}

/// Starts a sample of the engine with vLLM's parameters.
fn sample(body: &Value, adapter: Option<Arc<Adapter>>, behaviour: &Behaviour) -> Receiver<GenerateEvent> {
    let params = &body["sampling_params"];
    let number = |name: &str| params[name].as_f64().unwrap_or_else(|| panic!("no {name}")) as f32;
    let count = |name: &str| params[name].as_u64().and_then(|count| usize::try_from(count).ok());
    let bias: HashMap<String, f32> = if behaviour.logit_bias {
        serde_json::from_value(params["logit_bias"].clone()).unwrap_or_default()
    } else {
        HashMap::new()
    };
    let request = GenerateRequest {
        owner: body["cache_salt"].as_str().expect("a salt").into(),
        adapter: adapter
            .map(|adapter| AdapterRef::in_memory(AdapterHash { config: [0; 32], weights: [0; 32] }, adapter)),
        prompt: serde_json::from_value::<Vec<u32>>(body["token_ids"].clone()).expect("token ids").into(),
        max_tokens: count("max_tokens").expect("max_tokens"),
        sampling: SamplingParameters {
            temperature: number("temperature"),
            top_p: number("top_p"),
            top_k: count("top_k").expect("top_k"),
            min_p: number("min_p"),
            presence_penalty: number("presence_penalty"),
            frequency_penalty: number("frequency_penalty"),
            repetition_penalty: number("repetition_penalty"),
            logit_bias: bias.into_iter().map(|(id, bias)| (id.parse().expect("an id"), bias)).collect(),
            seed: params["seed"].as_u64().expect("a seed"),
            sample_index: 0,
            top_logprobs: count("logprobs").expect("logprobs"),
        },
        stop_tokens: serde_json::from_value(params["stop_token_ids"].clone()).expect("token ids"),
        min_tokens: count("min_tokens").expect("min_tokens"),
        prompt_logprobs: count("prompt_logprobs"),
        constraint: None,
        grammar: None,
        is_streamed: false,
        cached_tokens: None,
    };
    engine().sampler.generate(vec![request]).expect("the engine has room").remove(0)
}

/// Source of tokens.
enum Tokens {
    Engine(Receiver<GenerateEvent>),
    Script(std::vec::IntoIter<u32>),
}

/// A step of an answer.
enum Step {
    Prompt(Vec<Value>),
    Token { id: u32, entry: Value },
    End(&'static str),
}

impl Tokens {
    async fn next(&mut self, behaviour: &Behaviour) -> Step {
        match self {
            Self::Script(ids) => match ids.next() {
                Some(id) => Step::Token { id, entry: logprob(id, -1.0, &[]) },
                None => Step::End("stop"),
            },
            Self::Engine(events) => match events.recv().await.expect("an end") {
                GenerateEvent::Prompt(tokens) => {
                    let shift = if behaviour.other_model { 1.5 } else { 0.0 };
                    let entry = |(id, logprob): (u32, f32), rank: Option<usize>| {
                        (id.to_string(), json!({ "logprob": logprob - shift, "rank": rank, "decoded_token": "x" }))
                    };
                    let scores = tokens.iter().map(|token| match token.logprob {
                        None => Value::Null,
                        Some(logprob) => {
                            let mut entries: BTreeMap<String, Value> = [entry((token.id, logprob), Some(100))].into();
                            let ranked = token.top.iter().enumerate();
                            entries.extend(ranked.map(|(index, top)| entry(*top, Some(index + 1))));
                            json!(entries)
                        }
                    });
                    Step::Prompt(scores.collect())
                }
                GenerateEvent::Token { id, logprob, top } => {
                    let shift = if behaviour.other_model { 1.5 } else { 0.0 };
                    let id = if behaviour.unknown_tokens { 1 << 20 } else { id };
                    Step::Token { id, entry: self::logprob(id, logprob - shift, &top) }
                }
                GenerateEvent::Finished(FinishReason::Stop) => Step::End("stop"),
                GenerateEvent::Finished(FinishReason::Length) => Step::End("length"),
                GenerateEvent::Failed(error) => panic!("{error}"),
            },
        }
    }
}

/// An entry of `logprobs.content`: the sampled token first, then the likeliest ones.
fn logprob(id: u32, logprob: f32, top: &[(u32, f32)]) -> Value {
    let own = json!({ "token_id": id, "logprob": logprob, "rank": 1 });
    let others = top.iter().filter(|(other, _)| *other != id);
    let others = others.map(|(id, logprob)| json!({ "token_id": id, "logprob": logprob, "rank": 2 }));
    let top: Vec<Value> = std::iter::once(own.clone()).chain(others).collect();
    let mut entry = own;
    entry["top_logprobs"] = top.into();
    entry
}

/// Sets the tokens of a choice.
fn set_tokens(choice: &mut Value, form: Form, ids: Vec<u32>, entries: Vec<Value>) {
    choice["token_ids"] = json!(ids);
    if form == Form::Generate {
        choice["logprobs"]["content"] = entries.into();
        return;
    }
    let name = |entry: &Value| format!("token_id:{}", entry["token_id"]);
    let tops = entries.iter().map(|entry| {
        let top = entry["top_logprobs"].as_array().expect("alternatives").iter();
        top.map(|top| (name(top), top["logprob"].clone())).collect::<serde_json::Map<_, _>>()
    });
    choice["logprobs"] = json!({
        "text_offset": vec![0; entries.len()],
        "token_logprobs": entries.iter().map(|entry| entry["logprob"].clone()).collect::<Vec<_>>(),
        "tokens": entries.iter().map(name).collect::<Vec<_>>(),
        "top_logprobs": tops.collect::<Vec<_>>(),
    });
}

async fn whole(mut tokens: Tokens, behaviour: &Behaviour, form: Form) -> Response {
    let recording = if form == Form::Generate { "logprobs 3" } else { "completions: prompt_logprobs" };
    let mut body = recorded(recording)["response"].clone();
    let (mut ids, mut entries, mut scores) = (Vec::new(), Vec::new(), Value::Null);
    let finish = loop {
        match tokens.next(behaviour).await {
            Step::Prompt(more) => match &mut scores {
                Value::Array(all) => all.extend(more),
                scores => *scores = more.into(),
            },
            Step::Token { id, entry } => {
                ids.push(id);
                entries.push(entry);
            }
            Step::End(reason) => break reason,
        }
    };
    let choice = match form {
        Form::Generate => {
            body["prompt_logprobs"] = scores;
            &mut body["choices"][0]
        }
        Form::Completion => {
            let choice = &mut body["choices"][0];
            choice["prompt_logprobs"] = scores;
            choice
        }
    };
    choice["finish_reason"] = json!(finish);
    set_tokens(choice, form, ids, entries);
    reply(200, body)
}

/// Answers as a stream: each token in an event, the last with the reason for the end.
fn stream(shared: Arc<Shared>, tokens: Tokens, behaviour: Behaviour, running: Running, form: Form) -> Response {
    let recording = recorded(if form == Form::Generate { "stream" } else { "completions: stream" });
    let events = recording["response"].as_str().expect("a recorded stream");
    let mut events =
        events.split_terminator("\n\n").map(|event| event.strip_prefix("data: ").expect("data").to_owned());
    let first: Value = serde_json::from_str(&events.next().expect("an event")).expect("JSON");
    let tail: String = events.skip(1).map(|event| format!("data: {event}\n\n")).collect();
    let state = (shared, tokens, None::<(u32, Value)>, 0_usize, Some((running, tail)));
    let parts = futures_util::stream::unfold(state, move |(shared, mut tokens, mut held, sent, mut end)| {
        let (behaviour, first) = (behaviour.clone(), first.clone());
        async move {
            let (running, tail) = end.take()?;
            loop {
                thaw(&shared).await;
                if behaviour.cut_after == Some(sent) {
                    return Some((Err(std::io::Error::other("cut")), (shared, tokens, held, sent, None)));
                }
                let event = |held: Option<(u32, Value)>, finish: Option<&str>| {
                    let mut event = first.clone();
                    let choice = &mut event["choices"][0];
                    choice["finish_reason"] = json!(finish);
                    let (ids, entries): (Vec<u32>, Vec<Value>) = held.into_iter().unzip();
                    set_tokens(choice, form, ids, entries);
                    format!("data: {event}\n\n")
                };
                match tokens.next(&behaviour).await {
                    Step::Prompt(_) => {}
                    Step::Token { id, entry } => {
                        tokio::time::sleep(behaviour.delay).await;
                        // One token behind, since the last one comes with the reason for the end.
                        if let Some(before) = held.replace((id, entry)) {
                            let event = Bytes::from(event(Some(before), None));
                            return Some((Ok(event), (shared, tokens, held, sent + 1, Some((running, tail)))));
                        }
                    }
                    Step::End(reason) => {
                        let last = event(held.take(), Some(reason)) + &tail;
                        drop(running);
                        return Some((Ok(Bytes::from(last)), (shared, tokens, None, sent, None)));
                    }
                }
            }
        }
    });
    let body = Body::from_stream(parts);
    ([("content-type", "text/event-stream; charset=utf-8")], body).into_response()
}
