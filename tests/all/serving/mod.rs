//! Many requests at once, against a running service: none disturbs another, and none leaves anything behind.

mod adapters;
mod batches;
pub(crate) mod chat_options;
mod compaction;
mod completions;
mod crowds;
mod disconnects;
mod exact;
mod families;
mod gguf;
mod messages;
mod metrics;
mod openai_models;
pub(crate) mod random_models;
mod responses;
mod sessions;
mod stored_chats;
mod stored_responses;
mod streams;
mod templates;
mod tokens;
mod vllm;
mod vllm_adapters;
mod vllm_jobs;
mod vllm_without_weights;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, http, row, text};

/// The token of the built-in model that ends an answer.
const END_TOKEN: &str = "2";

/// A seeded request that runs to its limit: the token that ends an answer is forbidden.
fn seeded(model: &str, prompt: &str, seed: usize, max_tokens: usize) -> Value {
    json!({
        "model": model, "messages": [{ "role": "user", "content": prompt }], "seed": seed, "temperature": 1,
        "max_tokens": max_tokens, "logit_bias": { END_TOKEN: -100 },
    })
}

/// Parts of a choice: its tokens with their log-probabilities, its text, and why it ended.
#[derive(Clone, Debug, Default, PartialEq)]
struct Said {
    /// Names of the tokens and the log-probabilities as they lie on the wire.
    tokens: Vec<(String, String)>,
    content: String,
    finish: String,
}

impl Said {
    fn add_tokens(&mut self, logprobs: &Value) {
        for entry in logprobs["content"].as_array().into_iter().flatten() {
            self.tokens.push((text(&entry["token"]).to_owned(), entry["logprob"].to_string()));
        }
    }
}

/// The choices of a whole answer, in order.
fn said(completion: &Value) -> Vec<Said> {
    let choices = completion["choices"].as_array().unwrap_or_else(|| panic!("no choices: {completion}"));
    choices
        .iter()
        .enumerate()
        .map(|(index, choice)| {
            assert_eq!(choice["index"], index);
            let mut said = Said {
                content: choice["message"]["content"].as_str().unwrap_or_default().to_owned(),
                finish: text(&choice["finish_reason"]).to_owned(),
                ..Said::default()
            };
            said.add_tokens(&choice["logprobs"]);
            said
        })
        .collect()
}

/// The choices of a streamed answer, and its usage if that was asked for. The stream must have ended as it should.
fn streamed(body: &str, choices: usize) -> (Vec<Said>, Value) {
    let events = body.strip_suffix("data: [DONE]\n\n").unwrap_or_else(|| panic!("no end: {body}"));
    let (mut said, mut usage) = (vec![Said::default(); choices], Value::Null);
    for event in events.split_terminator("\n\n") {
        let chunk: Value = serde_json::from_str(event.strip_prefix("data: ").expect("an event")).expect("JSON");
        assert!(chunk.get("error").is_none(), "{chunk}");
        if chunk["usage"].is_object() {
            usage = chunk["usage"].clone();
        }
        for choice in chunk["choices"].as_array().expect("choices") {
            let said = &mut said[usize::try_from(choice["index"].as_u64().expect("an index")).expect("small")];
            said.content.push_str(choice["delta"]["content"].as_str().unwrap_or_default());
            said.add_tokens(&choice["logprobs"]);
            if let Some(finish) = choice["finish_reason"].as_str() {
                assert!(said.finish.is_empty(), "one end: {body}");
                said.finish = finish.to_owned();
            }
        }
    }
    (said, usage)
}

/// Sends a request whole or streamed and gives its choices.
async fn ask(service: &TestService, body: &Value, stream: bool) -> Vec<Said> {
    if !stream {
        return said(&service.post("/v1/chat/completions", body).await.ok());
    }
    let mut body = body.clone();
    body["stream"] = json!(true);
    let choices = body["n"].as_u64().unwrap_or(1);
    let request = service.request(reqwest::Method::POST, "/v1/chat/completions").json(&body);
    let (status, text) = crate::support::documented(request).await;
    assert_eq!(status.as_u16(), 200, "{text}");
    streamed(&text, usize::try_from(choices).expect("few")).0
}

/// The metrics without histograms: `name{labels}` to value.
async fn gauges(service: &TestService) -> BTreeMap<String, f64> {
    let request = http().get(format!("{}/metrics", service.root));
    let (status, text) = crate::support::documented(request).await;
    assert_eq!(status.as_u16(), 200, "{text}");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.rsplit_once(' ').unwrap_or_else(|| panic!("no sample: {line}")))
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap_or_else(|_| panic!("no number: {name} {value}"))))
        .collect()
}

/// The value of a metric with the label of the built-in model.
async fn of_seedling(service: &TestService, name: &str) -> f64 {
    let name = format!("{name}{{base_model=\"{SEEDLING}\"}}");
    *gauges(service).await.get(&name).unwrap_or_else(|| panic!("no metric {name}"))
}

/// Metrics that must be zero while there are no requests.
async fn busy(service: &TestService) -> Vec<(String, f64)> {
    const IDLE: [&str; 5] = [
        "trainyard_chats_running",
        "trainyard_samples_running",
        "trainyard_samples_waiting",
        "trainyard_cache_pages_in_use",
        "trainyard_adapters_pinned",
    ];
    let gauges = gauges(service).await;
    for name in IDLE {
        assert!(gauges.keys().any(|key| key.starts_with(name)), "no metric {name}");
    }
    gauges.into_iter().filter(|(key, value)| IDLE.iter().any(|name| key.starts_with(name)) && *value != 0.0).collect()
}

/// Waits until the service has nothing to do; fails with what is left when it never comes to rest.
async fn comes_to_rest(service: &TestService) {
    for _ in 0..1200 {
        if busy(service).await.is_empty() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("leaked: {:?}", busy(service).await);
}

/// Checkpoints 1 to `count` of a new model, each from one short job; gives the names under which they answer.
async fn checkpoints(service: &TestService, name: &str, count: usize) -> Vec<String> {
    const WORDS: [&str; 5] = ["blue green", "down", "two three", "yes yes yes", "never"];
    let model = service.model(name).await;
    let mut jobs = Vec::new();
    for number in 0..count {
        let rows = [row(&format!("number {number}"), WORDS[number % WORDS.len()])];
        jobs.push(service.start_sft(&model, &rows, json!({ "learning_rate": 0.02 })).await);
    }
    for job in jobs {
        let events = service.finished(&job).await;
        assert_eq!(text(&events.last().expect("an event")["type"]), "training_ended", "{events:?}");
    }
    (1..=count).map(|step| model.at(i64::try_from(step).expect("few"))).collect()
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a usize")
    }
}
