//! Sampling on vLLM servers, through a running service: on doubles whose tokens are those of the embedded engine.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use trainyard::server::{Endpoint, SamplerOption, SamplerSettings, Settings, Timing};

use super::{Said, ask, gauges, said, seeded, streamed};
use crate::support::{SEEDLING, TestService, row, text};
use crate::vllm::FakeVllm;

/// Time within which a replica's change is noticed.
const NOTICED: Duration = Duration::from_secs(20);

/// Intervals and limits that suit a test.
pub(super) fn timing() -> Timing {
    Timing {
        interval: Duration::from_millis(50),
        recheck: Duration::from_millis(100),
        control: Duration::from_millis(1500),
        lookup: Duration::from_millis(100),
        first_token: Duration::from_secs(20),
        token_gap: Duration::from_secs(2),
        away: Duration::from_secs(3),
    }
}

pub(super) fn on(replicas: &[&FakeVllm]) -> impl FnOnce(&mut Settings) {
    let endpoints: Vec<Endpoint> = replicas.iter().map(|replica| replica.url().parse().expect("an address")).collect();
    move |settings| {
        settings.samplers = SamplerSettings {
            replicas: vec![SamplerOption { base: Some(SEEDLING.to_owned()), endpoints }],
            timing: timing(),
            ..SamplerSettings::default()
        };
    }
}

/// The answer to a seeded request.
async fn ask_seeded(service: &TestService, prompt: &str, seed: usize, max_tokens: usize, stream: bool) -> Vec<Said> {
    ask(service, &seeded(SEEDLING, prompt, seed, max_tokens), stream).await
}

/// The state of a replica in the metrics.
async fn state(service: &TestService, replica: &FakeVllm) -> String {
    let label = format!("replica=\"{}\"", replica.name());
    let gauges = gauges(service).await;
    let key = gauges.keys().find(|key| key.starts_with("trainyard_replica_state{") && key.contains(&label));
    let key = key.unwrap_or_else(|| panic!("no state of {label}: {gauges:?}"));
    key.split("state=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a state").to_owned()
}

/// A metric of a replica.
pub(super) async fn count(service: &TestService, replica: &FakeVllm, name: &str) -> f64 {
    let key = format!("{name}{{base_model=\"{SEEDLING}\",replica=\"{}\"}}", replica.name());
    *gauges(service).await.get(&key).unwrap_or_else(|| panic!("no metric {key}"))
}

pub(super) async fn becomes(service: &TestService, replica: &FakeVllm, expected: &str) {
    let deadline = Instant::now() + NOTICED;
    loop {
        let state = state(service, replica).await;
        if state == expected {
            return;
        }
        assert!(Instant::now() < deadline, "the replica is {state}, not {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A service on these replicas, when all of them are ready.
pub(super) async fn service_on(replicas: &[&FakeVllm]) -> TestService {
    let service = TestService::start_with(on(replicas)).await;
    for replica in replicas {
        becomes(&service, replica, "ready").await;
    }
    service
}

/// Samples of a service with the embedded engine, without random numbers.
pub(super) fn greedy(model: &str, prompt: &str, more: Value) -> Value {
    let mut body = json!({
        "model": model, "messages": [{ "role": "user", "content": prompt }], "temperature": 0, "max_tokens": 24,
        "logprobs": true, "top_logprobs": 3, "prompt_logprobs": 2,
    });
    crate::support::merge(&mut body, more);
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_are_those_of_the_embedded_engine() {
    answers_are_equal(&FakeVllm::start()).await;
}

/// A server that was started without `--enable-scale-out`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_of_completions_are_those_of_the_embedded_engine() {
    answers_are_equal(&without_scale_out()).await;
}

fn without_scale_out() -> FakeVllm {
    FakeVllm::start_with(|behaviour| behaviour.scale_out = false)
}

async fn answers_are_equal(replica: &FakeVllm) {
    let (remote, embedded) = (service_on(&[replica]).await, TestService::start().await);
    for more in [
        json!({}),
        json!({ "n": 3 }),
        json!({ "min_tokens": 12, "max_tokens": 16 }),
        json!({ "logit_bias": { "2": -100 }, "max_tokens": 40 }),
        json!({ "stop": ["e"], "include_stop_str_in_output": true }),
        json!({ "stop_token_ids": [201] }),
        json!({ "presence_penalty": 1.5, "frequency_penalty": 0.5, "ignore_eos": true }),
        json!({ "max_tokens": 1, "prompt_logprobs": 0 }),
    ] {
        let body = greedy(SEEDLING, "Say a colour.", more);
        let path = "/v1/chat/completions";
        let (there, here) = tokio::join!(remote.post(path, &body), embedded.post(path, &body));
        let (there, here) = (there.ok(), here.ok());
        for field in ["choices", "usage", "prompt_logprobs"] {
            assert_eq!(there[field], here[field], "{field} of {body}");
        }
        assert_eq!(ask(&remote, &body, true).await, said(&here), "the stream of {body}");
    }
    for body in [
        json!({ "model": SEEDLING, "prompt": "Once", "temperature": 0, "max_tokens": 9, "logprobs": 2 }),
        json!({ "model": SEEDLING, "prompt": ["Once", "Twice"], "temperature": 0, "max_tokens": 0, "echo": true, "logprobs": 1 }),
    ] {
        let there = remote.post("/v1/completions", &body).await.ok();
        assert_eq!(there["choices"], embedded.post("/v1/completions", &body).await.ok()["choices"], "{body}");
    }
    remote.stop().await;
    embedded.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seeds_repeat_a_sample_and_samples_differ() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    let mut body = seeded(SEEDLING, "Tell me something.", 7, 16);
    body["n"] = json!(4);
    let first = ask(&service, &body, false).await;
    assert_eq!(ask(&service, &body, true).await, first);
    assert!(first.iter().any(|said| *said != first[0]), "{first:?}");
    body["seed"] = json!(8);
    assert_ne!(ask(&service, &body, false).await, first);
    let sent = replica.generated();
    assert_eq!(sent.len(), 12, "one request a sample");
    assert!(sent.iter().all(|body| body["sampling_params"]["n"] == 1 && body["model"] == "base"));
    let salts: Vec<&Value> = sent.iter().map(|body| &body["cache_salt"]).collect();
    assert!(salts.iter().all(|salt| *salt == salts[0] && **salt != json!("acme")), "{salts:?}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grammars_are_sent_and_what_comes_back_is_checked() {
    for replica in [FakeVllm::start(), without_scale_out()] {
        grammars_are_checked(replica).await;
    }
}

async fn grammars_are_checked(replica: FakeVllm) {
    let service = service_on(&[&replica]).await;
    let schema = json!({
        "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "boolean" } },
        "required": ["a", "b"], "additionalProperties": false,
    });
    let body = json!({
        "model": SEEDLING, "messages": [{ "role": "user", "content": "JSON" }],
        "response_format": { "type": "json_schema", "json_schema": { "name": "x", "schema": schema } },
        "logprobs": true, "return_token_ids": true,
    });
    let tokens = |name: &str| -> Vec<u32> {
        let recording = crate::vllm::recorded(name);
        serde_json::from_value(recording["response"]["choices"][0]["token_ids"].clone()).expect("token ids")
    };
    replica.change(|behaviour| behaviour.script = tokens("grammar: guidance"));
    let answer = service.post("/v1/chat/completions", &body).await.ok();
    assert_eq!(text(&answer["choices"][0]["message"]["content"]), "{\"a\": 13, \"b\": true}");
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    assert_logprobs_are_of_raw_logits(&service, &answer).await;
    assert_eq!(ask(&service, &body, true).await, said(&answer), "streamed, with requests of one token");
    let sent = replica.generated();
    let grammar = text(&sent[0]["sampling_params"]["structured_outputs"]["grammar"]).to_owned();
    assert!(grammar.starts_with("start: %json ") && grammar.contains("whitespace_flexible"), "{grammar}");
    // The token that breaks the form is never passed on.
    replica.change(|behaviour| behaviour.script = tokens("grammar: another backend"));
    service.post("/v1/chat/completions", &body).await.rejected(500);
    let mut streaming = body.clone();
    streaming["stream"] = json!(true);
    let answer =
        service.request(Method::POST, "/v1/chat/completions").json(&streaming).send().await.expect("an answer");
    let answer = answer.text().await.expect("a body");
    assert!(answer.contains("\"error\"") && !answer.contains("\\n"), "{answer}");
    // An end before the form is complete is a deviation too.
    replica.change(|behaviour| behaviour.script = vec![275, 67, 263, 2]);
    service.post("/v1/chat/completions", &body).await.rejected(500);
    let mut call = greedy(SEEDLING, "call", json!({ "prompt_logprobs": null, "tool_choice": "required" }));
    call["tools"] = json!([{ "type": "function", "function": { "name": "f", "parameters": schema } }]);
    replica.change(|behaviour| behaviour.script = vec![275]);
    service.post("/v1/chat/completions", &call).await.rejected(500);
    let sent = replica.generated();
    let grammar = text(&sent.last().expect("a request")["sampling_params"]["structured_outputs"]["grammar"]).to_owned();
    assert!(grammar.contains("arguments_0: %json"), "{grammar}");
    // `<tool_call>` and `</tool_call>` are added tokens of this model. llguidance's reader of tokenizers gives them no text.
    assert!(grammar.contains("call_0: <[1528]> ") && grammar.trim_end().contains("<[1529]>"), "{grammar}");
    assert!(!grammar.contains("tool_call>"), "{grammar}");
    service.stop().await;
}

/// Asserts that the tokens of an answer have the log-probabilities of the same text as a prompt, which no grammar constrains.
async fn assert_logprobs_are_of_raw_logits(service: &TestService, answer: &Value) {
    let ids = |value: &Value| -> Vec<u64> { serde_json::from_value(value.clone()).expect("token ids") };
    let sampled = ids(&answer["choices"][0]["token_ids"]);
    let whole = [ids(&answer["prompt_token_ids"]), sampled.clone()].concat();
    let echo = json!({ "model": SEEDLING, "prompt": whole, "max_tokens": 0, "echo": true, "logprobs": 1 });
    let scored = service.post("/v1/completions", &echo).await.ok();
    let expected = &scored["choices"][0]["logprobs"]["token_logprobs"].as_array().expect("logprobs");
    let expected = &expected[whole.len() - sampled.len()..];
    let content = answer["choices"][0]["logprobs"]["content"].as_array().expect("logprobs");
    assert_eq!(content.len(), sampled.len());
    for (entry, expected) in content.iter().zip(expected) {
        let (found, expected) = (entry["logprob"].as_f64().expect("a number"), expected.as_f64().expect("a number"));
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

/// A service with a checkpoint of a model that was trained by the embedded engine, and the names of its step 1.
async fn trained(replicas: &[&FakeVllm]) -> (TestService, String) {
    let service = service_on(replicas).await;
    let name = train(&service, 0.02).await;
    (service, name)
}

/// Trains a model; returns the name of its step 1.
pub(super) async fn train(service: &TestService, learning_rate: f64) -> String {
    let model = service.model("trained").await;
    let job = service.start_sft(&model, &[row("up?", "down")], json!({ "learning_rate": learning_rate })).await;
    let events = service.finished(&job).await;
    assert!(events.iter().any(|event| text(&event["type"]) == "training_ended"), "{events:?}");
    model.at(1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_adapter_is_loaded_once_under_the_name_of_its_content() {
    let (mut left, right) = (FakeVllm::start(), FakeVllm::start());
    let (service, name) = trained(&[&left, &right]).await;
    let body = greedy(&name, "up?", json!({ "prompt_logprobs": null }));
    let answers = join_all((0..16).map(|_| ask(&service, &body, true))).await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let base = ask(&service, &greedy(SEEDLING, "up?", json!({ "prompt_logprobs": null })), false).await;
    assert_ne!(answers[0], base, "the adapter answers");
    for replica in [&left, &right] {
        let loads = replica.loads();
        assert!(loads.len() <= 1, "one load for all requests: {loads:?}");
        assert!(loads.iter().all(|name| name.starts_with("ty-") && name.len() == 35), "{loads:?}");
        assert_eq!(count(&service, replica, "trainyard_replica_adapter_loads_total").await, loads.len() as f64);
    }
    let directories: Vec<String> = std::fs::read_dir(service.directory.path().join("data/adapters"))
        .expect("the adapters")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    let loaded = [left.loads(), right.loads()].concat();
    assert_eq!(directories.len(), 1, "{directories:?}");
    assert!(!loaded.is_empty() && loaded.iter().all(|name| *name == directories[0]));

    // A replica that loses its adapters loads them again within the request.
    left.forget();
    right.forget();
    assert_eq!(ask(&service, &body, false).await, answers[0]);
    // After a restart the adapter is back before any request.
    let before = left.loads().len();
    left.restart();
    becomes(&service, &left, "ready").await;
    let deadline = Instant::now() + NOTICED;
    while left.loads().len() == before {
        assert!(Instant::now() < deadline, "the adapter was not loaded again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(count(&service, &left, "trainyard_replica_restarts_total").await, 1.0);
    assert_eq!(join_all((0..8).map(|_| ask(&service, &body, false))).await, vec![answers[0].clone(); 8]);

    // The server that starts again finds the directory, and its replicas' adapters.
    let loads = right.loads().len() + left.loads().len();
    let service = service.restart().await;
    for replica in [&left, &right] {
        becomes(&service, replica, "ready").await;
    }
    assert_eq!(ask(&service, &body, false).await, answers[0]);
    assert!(left.loads().len() + right.loads().len() <= loads + 1);
    service.stop().await;
}

/// Reads a stream to its end, or to its error.
async fn read(service: &TestService, body: &Value) -> String {
    let answer = service.request(Method::POST, "/v1/chat/completions").json(body).send().await.expect("an answer");
    let (status, text) = (answer.status(), answer.text().await.expect("a body"));
    assert_eq!(status.as_u16(), 200, "{text}");
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_is_killed_fails_its_streams_alone() {
    let (mut left, mut right) = (FakeVllm::start(), FakeVllm::start());
    let service = service_on(&[&left, &right]).await;
    let slow = |behaviour: &mut crate::vllm::Behaviour| behaviour.delay = Duration::from_millis(20);
    left.change(slow);
    right.change(slow);
    let bodies: Vec<Value> = (0..12)
        .map(|number| {
            let mut body = seeded(SEEDLING, &format!("Number {number}?"), number, 80);
            body["stream"] = json!(true);
            body
        })
        .collect();
    let streams = join_all(bodies.iter().map(|body| read(&service, body)));
    let kill = async {
        while left.running() < 2 || right.running() < 2 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        let running = left.running();
        left.kill();
        running
    };
    let (answers, killed) = tokio::join!(streams, kill);
    let (broken, whole): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.contains("\"error\""));
    assert!(!broken.is_empty() && broken.len() <= killed, "{} of {killed}", broken.len());
    assert!(broken.iter().all(|answer| answer.contains("send the request again")), "{broken:?}");
    assert!(whole.iter().all(|answer| streamed(answer, 1).0[0].finish == "length"), "{whole:?}");
    becomes(&service, &left, "gone").await;
    // The other replica answers everything.
    let answers = join_all((0..6).map(|number| ask_seeded(&service, "x", number, 4, false))).await;
    assert_eq!(answers.len(), 6);

    right.kill();
    becomes(&service, &right, "gone").await;
    let rejected =
        service.request(Method::POST, "/v1/chat/completions").json(&seeded(SEEDLING, "x", 1, 4)).send().await;
    let rejected = rejected.expect("an answer");
    assert_eq!(rejected.status().as_u16(), 503);
    assert!(rejected.headers().contains_key("retry-after"));
    let check = service.get("/v1/system-check").await;
    assert!(check.body.to_string().contains("no replica"), "{}", check.body);
    // They come back by themselves.
    left.restart();
    becomes(&service, &left, "ready").await;
    ask(&service, &seeded(SEEDLING, "x", 1, 4), false).await;
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn samples_without_a_token_are_answered_by_another_replica() {
    let (left, right) = (FakeVllm::start(), FakeVllm::start());
    let service = service_on(&[&left, &right]).await;
    let expected: Vec<Vec<Said>> = join_all((0..8).map(|number| ask_seeded(&service, "who?", number, 6, false))).await;
    for fault in [
        (|behaviour| behaviour.cut_after = Some(0)) as fn(&mut crate::vllm::Behaviour),
        |behaviour| behaviour.engine_dead = true,
        |behaviour| behaviour.frozen = true,
        |behaviour| behaviour.unknown_tokens = true,
    ] {
        left.change(fault);
        let answers = join_all((0..8).map(|number| ask_seeded(&service, "who?", number, 6, number % 2 == 0))).await;
        assert_eq!(answers, expected);
        left.change(|behaviour| *behaviour = Default::default());
        becomes(&service, &left, "ready").await;
    }
    assert!(count(&service, &left, "trainyard_replica_retries_total").await > 0.0);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_replica_fails_its_streams_at_the_limit_and_gets_no_more() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    replica.change(|behaviour| behaviour.delay = Duration::from_millis(30));
    let mut body = seeded(SEEDLING, "x", 1, 100);
    body["stream"] = json!(true);
    let freeze = async {
        while count(&service, &replica, "trainyard_replica_tokens_total").await < 5.0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        replica.change(|behaviour| behaviour.frozen = true);
        Instant::now()
    };
    let (answer, frozen) = tokio::join!(read(&service, &body), freeze);
    assert!(answer.contains("send the request again"), "{answer}");
    assert!(frozen.elapsed() < Duration::from_secs(15));
    becomes(&service, &replica, "suspect").await;
    let check = service.get("/v1/system-check").await;
    assert!(check.body.to_string().contains("no replica"), "{}", check.body);
    service.post("/v1/chat/completions", &seeded(SEEDLING, "x", 1, 4)).await.rejected(503);
    replica.change(|behaviour| behaviour.frozen = false);
    becomes(&service, &replica, "ready").await;
    ask(&service, &seeded(SEEDLING, "x", 1, 4), false).await;
    assert_eq!(count(&service, &replica, "trainyard_replica_restarts_total").await, 0.0);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_goes_away_ends_its_sample() {
    let replica = FakeVllm::start();
    let service = service_on(&[&replica]).await;
    replica.change(|behaviour| behaviour.delay = Duration::from_millis(50));
    let mut body = seeded(SEEDLING, "x", 1, 200);
    body["stream"] = json!(true);
    let answer = service.request(Method::POST, "/v1/chat/completions").json(&body).send().await.expect("an answer");
    let mut pieces = answer.bytes_stream();
    pieces.next().await.expect("a piece").expect("bytes");
    while replica.running() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(pieces);
    let deadline = Instant::now() + NOTICED;
    while replica.running() > 0 {
        assert!(Instant::now() < deadline, "the sample runs on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overloaded_sampler_rejects_and_loses_nothing() {
    let replica = FakeVllm::start();
    let service = TestService::start_with(|settings| {
        on(&[&replica])(settings);
        settings.samplers.in_flight = 2;
    })
    .await;
    becomes(&service, &replica, "ready").await;
    replica.change(|behaviour| behaviour.delay = Duration::from_millis(4));
    let mut body = seeded(SEEDLING, "x", 1, 2);
    body["n"] = json!(128);
    let answers = join_all((0..12).map(|_| service.post("/v1/chat/completions", &body))).await;
    let (mut whole, mut rejected) = (0, 0);
    for answer in answers {
        if answer.status.is_success() {
            assert_eq!(said(&answer.body).len(), 128);
            whole += 1;
        } else {
            answer.rejected(429);
            rejected += 1;
        }
    }
    assert!(whole >= 8 && rejected >= 1, "{whole} {rejected}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_that_cannot_be_used_are_rejected_until_they_can() {
    type Change = fn(&mut crate::vllm::Behaviour);
    let faults: [Change; 6] = [
        |behaviour| behaviour.key = Some("secret".to_owned()),
        |behaviour| (behaviour.scale_out, behaviour.completions) = (false, false),
        |behaviour| behaviour.guidance = false,
        |behaviour| behaviour.other_model = true,
        |behaviour| behaviour.logit_bias = false,
        |behaviour| behaviour.version = "0.31.4",
    ];
    let replicas: Vec<FakeVllm> = faults.iter().map(|fault| FakeVllm::start_with(fault)).collect();
    let service = TestService::start_with(on(&replicas.iter().collect::<Vec<_>>())).await;
    for replica in &replicas {
        becomes(&service, replica, "refused").await;
    }
    service.post("/v1/chat/completions", &seeded(SEEDLING, "x", 1, 4)).await.rejected(503);
    for replica in &replicas {
        replica.change(|behaviour| *behaviour = Default::default());
        becomes(&service, replica, "ready").await;
    }
    ask(&service, &seeded(SEEDLING, "x", 1, 4), false).await;
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_comes_from_a_file_that_may_change() {
    let replica = FakeVllm::start_with(|behaviour| behaviour.key = Some("first".to_owned()));
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("key");
    std::fs::write(&file, "first\n").expect("written");
    let key_file = file.clone();
    let service = TestService::start_with(|settings| {
        on(&[&replica])(settings);
        settings.samplers.key_file = Some(key_file);
    })
    .await;
    becomes(&service, &replica, "ready").await;
    ask(&service, &seeded(SEEDLING, "x", 1, 4), false).await;
    replica.change(|behaviour| behaviour.key = Some("second".to_owned()));
    becomes(&service, &replica, "suspect").await;
    std::fs::write(&file, "second\n").expect("written");
    becomes(&service, &replica, "ready").await;
    ask(&service, &seeded(SEEDLING, "x", 1, 4), false).await;
    service.stop().await;
}
