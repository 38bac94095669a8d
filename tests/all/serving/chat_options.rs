//! What a caller may ask of an answer, through HTTP, streamed and whole.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService};

const PATH: &str = "/v1/chat/completions";

fn body(more: Value) -> Value {
    let mut body = json!({"model": SEEDLING, "messages": [{"role": "user", "content": "Say something."}], "max_tokens": 8, "seed": 3});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

/// The chunks of a streamed answer, and that it ended well.
pub(crate) async fn chunks(service: &TestService, request: Value) -> Vec<Value> {
    chunks_of(service, PATH, request).await
}

/// The same of the operation at `path`.
pub(crate) async fn chunks_of(service: &TestService, path: &str, mut request: Value) -> Vec<Value> {
    request["stream"] = json!(true);
    let response = service.request(Method::POST, path).json(&request).send().await.expect("an answer");
    assert!(response.status().is_success(), "{}", response.status());
    let text = response.text().await.expect("a text");
    let mut lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(lines.pop(), Some("[DONE]"));
    lines.into_iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn token_ids(choice: &Value) -> Vec<String> {
    let entries = choice["logprobs"]["content"].as_array().expect("logprobs");
    entries.iter().map(|entry| entry["token"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn a_choice_of_tools_says_which_may_be_called() {
    let service = TestService::start().await;
    let parameters = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": parameters}});
    let request = |choice: Value| {
        body(json!({"tools": [tool("first"), tool("second")], "tool_choice": choice, "max_tokens": 64}))
    };
    let allowed = |name: &str| {
        let tools = json!([{"type": "function", "function": {"name": name}}]);
        json!({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": tools}})
    };
    let answer = service.post(PATH, &request(allowed("second"))).await.ok();
    assert_eq!(answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "second", "{answer}");
    for (choice, param) in [
        (allowed("third"), "tool_choice.allowed_tools.tools[0]"),
        (json!({"type": "allowed_tools"}), "tool_choice.allowed_tools"),
        (json!({"type": "function"}), "tool_choice.function"),
    ] {
        let error = service.post(PATH, &request(choice)).await.rejected(422);
        assert!(error["param"].as_str().is_some_and(|at| at.starts_with(param)), "{param}: {error}");
    }
    service.stop().await;
}

#[tokio::test]
async fn tokens_and_logprobs_of_the_prompt_are_answered_whole_and_streamed() {
    let service = TestService::start().await;
    let request = body(json!({"n": 2, "prompt_logprobs": 1, "return_token_ids": true}));
    let whole = service.post(PATH, &request).await.ok();
    let prompt = whole["prompt_token_ids"].as_array().expect("ids");
    assert_eq!(prompt.len() as u64, whole["usage"]["prompt_tokens"].as_u64().expect("a count"));
    let logprobs = whole["prompt_logprobs"].as_array().expect("places");
    assert_eq!((logprobs.len(), &logprobs[0]), (prompt.len(), &Value::Null));
    for (place, id) in logprobs[1..].iter().zip(&prompt[1..]) {
        let entries = place.as_object().expect("tokens");
        assert!(entries[&id.to_string()]["logprob"].as_f64().expect("a number") <= 0.0);
        let best = entries.values().find(|entry| entry["rank"] == 1).expect("the likeliest");
        assert!(entries.values().all(|entry| entry["logprob"].as_f64() <= best["logprob"].as_f64()));
        assert!(entries.len() <= 2 && entries.values().all(|entry| entry["decoded_token"].is_string()));
    }
    let chunks = chunks(&service, request).await;
    assert_eq!(chunks[0]["prompt_token_ids"], whole["prompt_token_ids"]);
    let told: Vec<&Value> =
        chunks.iter().map(|chunk| &chunk["prompt_logprobs"]).filter(|told| !told.is_null()).collect();
    assert_eq!(told, [&whole["prompt_logprobs"]]);
    for index in 0..2 {
        let streamed: Vec<Value> = chunks
            .iter()
            .flat_map(|chunk| chunk["choices"][index]["token_ids"].as_array().cloned().unwrap_or_default())
            .collect();
        assert_eq!(Value::Array(streamed), whole["choices"][index]["token_ids"]);
    }
    let silent = service.post(PATH, &body(json!({}))).await.ok();
    assert!(silent.get("prompt_logprobs").is_none() && silent.get("prompt_token_ids").is_none());
}

#[tokio::test]
async fn a_seed_gives_the_same_answers_whatever_else_runs() {
    let service = TestService::start().await;
    let request = body(json!({"n": 3, "max_tokens": 24}));
    let alone = service.post(PATH, &request).await.ok()["choices"].clone();
    let samples: Vec<_> = alone.as_array().expect("choices").iter().map(token_ids).collect();
    assert!(samples[0] != samples[1] && samples[1] != samples[2] && samples[0] != samples[2], "{samples:?}");
    let others = (0..6).map(|index| body(json!({"seed": index, "max_tokens": 30, "n": 1 + index % 3})));
    let others: Vec<Value> = others.collect();
    let (again, _) =
        tokio::join!(service.post(PATH, &request), join_all(others.iter().map(|other| service.post(PATH, other))));
    assert_eq!(again.ok()["choices"], alone);
    let one = service.post(PATH, &body(json!({"max_tokens": 24}))).await.ok();
    assert_eq!(one["choices"][0], alone[0], "the first of many is the only one of one");
    let other_seed = service.post(PATH, &body(json!({"max_tokens": 24, "seed": 4}))).await.ok();
    assert_ne!(token_ids(&other_seed["choices"][0]), samples[0]);
}

#[tokio::test]
async fn an_answer_has_the_form_that_was_asked_for() {
    let service = TestService::start().await;
    let schema = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": false});
    let is_word = |text: &str| ["yes", "no", "maybe"].contains(&text);
    let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|value| value["ok"].is_boolean());
    let is_number = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    type Check<'a> = &'a dyn Fn(&str) -> bool;
    let cases: Vec<(Value, Check<'_>)> = vec![
        (json!({"guided_choice": ["yes", "no", "maybe"]}), &is_word),
        (json!({"guided_regex": "^[0-9]{4}$"}), &is_number),
        (json!({"guided_json": schema}), &is_json),
        (json!({"guided_json": schema.to_string()}), &is_json),
        (json!({"guided_grammar": "start: \"yes\" | \"no\""}), &is_word),
        (json!({"structured_outputs": {"choice": ["yes", "no", "maybe"]}}), &is_word),
        (json!({"structured_outputs": {"regex": "[0-9]{4}"}}), &is_number),
        (json!({"structured_outputs": {"json": schema}}), &is_json),
        (json!({"structured_outputs": {"grammar": "start: DIGIT DIGIT DIGIT DIGIT\nDIGIT: /[0-9]/"}}), &is_number),
    ];
    for (form, holds) in cases {
        for seed in 0..3 {
            let mut request = body(form.clone());
            (request["seed"], request["max_tokens"]) = (json!(seed), json!(40));
            let choice = service.post(PATH, &request).await.ok()["choices"][0].clone();
            let text = choice["message"]["content"].as_str().expect("a text").to_owned();
            assert!(choice["finish_reason"] == "stop" && holds(&text), "{form}: {text:?}");
            let streamed: String = chunks(&service, request)
                .await
                .iter()
                .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
                .collect();
            assert_eq!(streamed, text);
        }
    }
}

#[tokio::test]
async fn unsupported_options_are_rejected_by_name() {
    let service = TestService::start().await;
    for (fields, param, code) in [
        (json!({"audio": {"voice": "alloy", "format": "wav"}}), "audio", json!("unsupported_parameter")),
        (
            json!({"web_search_options": {"search_context_size": "low"}}),
            "web_search_options",
            json!("unsupported_parameter"),
        ),
        (json!({"guided_regex": "("}), "guided_regex", Value::Null),
        (json!({"guided_grammar": "nonsense"}), "guided_grammar", Value::Null),
        (json!({"guided_regex": "(((x{1000}){1000}){1000}){1000}"}), "guided_regex", Value::Null),
        (json!({"structured_outputs": {"json": {"type": "nonsense"}}}), "structured_outputs.json", Value::Null),
        (json!({"guided_regex": "a", "guided_choice": ["a"]}), "guided_choice", Value::Null),
        (json!({"continue_final_message": true, "add_generation_prompt": true}), "add_generation_prompt", Value::Null),
        (json!({"prompt_logprobs": 21}), "prompt_logprobs", Value::Null),
    ] {
        let error = service.post(PATH, &body(fields.clone())).await.rejected(422);
        assert_eq!((&error["param"], &error["code"]), (&json!(param), &code), "{fields}: {error}");
    }
}

#[tokio::test]
async fn functions_are_tools_in_the_older_form() {
    let service = TestService::start().await;
    let parameters = json!({"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"], "additionalProperties": false});
    let request = body(
        json!({"functions": [{"name": "flip", "parameters": parameters}], "function_call": {"name": "flip"}, "max_tokens": 100}),
    );
    let choice = service.post(PATH, &request).await.ok()["choices"][0].clone();
    assert_eq!(choice["finish_reason"], "function_call");
    let call = &choice["message"]["function_call"];
    assert_eq!(call["name"], "flip");
    assert!(choice["message"].get("tool_calls").is_none());
    let arguments: Value = serde_json::from_str(call["arguments"].as_str().expect("text")).expect("JSON");
    assert!(arguments["b"].is_boolean(), "{arguments}");
    let (mut name, mut streamed, mut finish) = (String::new(), String::new(), Value::Null);
    for chunk in chunks(&service, request).await {
        let delta = &chunk["choices"][0]["delta"];
        name += delta["function_call"]["name"].as_str().unwrap_or_default();
        streamed += delta["function_call"]["arguments"].as_str().unwrap_or_default();
        assert!(delta.get("tool_calls").is_none());
        if !chunk["choices"][0]["finish_reason"].is_null() {
            finish = chunk["choices"][0]["finish_reason"].clone();
        }
    }
    assert_eq!(
        (json!(name), json!(streamed), finish),
        (call["name"].clone(), call["arguments"].clone(), json!("function_call"))
    );
}

#[tokio::test]
async fn every_chunk_says_what_was_used_when_asked_to() {
    let service = TestService::start().await;
    let options =
        |continuous: bool| json!({"stream_options": {"include_usage": true, "continuous_usage_stats": continuous}});
    let with = chunks(&service, body(options(true))).await;
    let counts: Vec<u64> =
        with.iter().map(|chunk| chunk["usage"]["completion_tokens"].as_u64().expect("a count")).collect();
    assert!(counts.is_sorted() && counts[0] == 0 && counts.last() > Some(&0), "{counts:?}");
    assert_eq!(with.last().expect("a chunk")["choices"], json!([]));
    let without = chunks(&service, body(options(false))).await;
    assert_eq!(without.iter().filter(|chunk| chunk.get("usage").is_some()).count(), 1);
    assert!(!without.last().expect("a chunk")["usage"].is_null());
}
