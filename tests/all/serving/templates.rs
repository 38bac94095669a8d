//! Models whose chat template has no place for tools, the system or consecutive messages.

use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, answer, base_model, text};

/// Turns of ChatML that alternate, for the user and the assistant alone.
const TEMPLATE: &str = "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles alternate') }}\
     {% endif %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
const MODEL: &str = "tiny/plain";

async fn service(directory: &tempfile::TempDir) -> TestService {
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling");
    for entry in std::fs::read_dir(assets).expect("the built-in model") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, directory.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    std::fs::write(directory.path().join("chat_template.jinja"), TEMPLATE).expect("a template");
    TestService::start_with(|settings| settings.base_models.push(base_model(MODEL, directory.path()))).await
}

fn tools() -> Value {
    let parameters = json!({ "type": "object", "properties": { "city": { "type": "string", "maxLength": 4 } }, "required": ["city"],
        "additionalProperties": false });
    json!([{ "type": "function", "function": { "name": "weather", "description": "Of a city", "parameters": parameters } }])
}

fn conversation() -> Vec<Value> {
    let function = json!({ "name": "weather", "arguments": "{\"city\":\"Rome\"}" });
    vec![
        json!({ "role": "developer", "content": "Be short." }),
        json!({ "role": "user", "content": "Rome?" }),
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "call_1", "type": "function", "function": function }] }),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "dry" }),
    ]
}

/// Sends a request: the body of the response, and its warnings.
async fn send(service: &TestService, path: &str, body: &Value) -> (Value, Option<String>) {
    let response = service.request(reqwest::Method::POST, path).json(body).send().await.expect("a response");
    let warnings = response.headers().get("x-trainyard-warnings").map(|value| value.to_str().expect("text").to_owned());
    assert!(response.status().is_success(), "{}", response.text().await.expect("a body"));
    (serde_json::from_str(&response.text().await.expect("a body")).expect("JSON"), warnings)
}

fn prompt_tokens(body: &Value) -> u64 {
    body["usage"]["prompt_tokens"].as_u64().expect("a count")
}

#[tokio::test]
async fn tools_without_a_place_in_the_template_are_in_the_prompt_and_the_header_says_so() {
    let directory = tempfile::tempdir().expect("a directory");
    let service = service(&directory).await;
    let mut body = json!({ "model": MODEL, "messages": [{ "role": "user", "content": "Rome?" }], "max_tokens": 64, "temperature": 0 });
    let (plain, warnings) = send(&service, "/v1/chat/completions", &body).await;
    assert_eq!(warnings, None, "all of it has a place");

    body["tools"] = tools();
    body["tool_choice"] = json!("required");
    let (called, warnings) = send(&service, "/v1/chat/completions", &body).await;
    let expected = "adapted: tools in the system message, system messages in other messages";
    assert_eq!(warnings.as_deref(), Some(expected));
    assert!(prompt_tokens(&called) > prompt_tokens(&plain) + 100, "{called}");
    let call = &called["choices"][0]["message"]["tool_calls"][0]["function"];
    assert_eq!(call["name"], "weather", "{called}");
    let arguments: Value = serde_json::from_str(text(&call["arguments"])).expect("JSON");
    assert!(arguments["city"].is_string(), "{arguments}");

    let response = json!({ "model": MODEL, "input": "Rome?", "max_output_tokens": 2, "prompt_cache_key": "x",
        "tools": [{ "type": "function", "name": "weather", "parameters": { "type": "object" }, "strict": false }] });
    let (_, warnings) = send(&service, "/v1/responses", &response).await;
    assert_eq!(warnings, Some(format!("ignored: prompt_cache_key; {expected}")));

    // The history of a call, and a message that the template rejects where it stands.
    body["messages"] = conversation().into();
    body["stream"] = json!(true);
    let streamed =
        service.request(reqwest::Method::POST, "/v1/chat/completions").json(&body).send().await.expect("a response");
    let warnings = streamed.headers()["x-trainyard-warnings"].to_str().expect("text");
    assert_eq!(
        warnings,
        "adapted: tools in the system message, tool calls in the text of the assistant, tool results in messages of the user, \
         developer as system, system messages in other messages"
    );
    // What has no place at all is rejected with the template's words.
    let first = json!({ "model": MODEL, "messages": [{ "role": "assistant", "content": "a" }] });
    let error = service.post("/v1/chat/completions", &first).await.rejected(422);
    assert!(text(&error["message"]).contains("roles alternate"), "{error}");
    // The built-in model has a place for all but the role of a developer.
    body["model"] = json!(SEEDLING);
    body["stream"] = json!(false);
    let (_, warnings) = send(&service, "/v1/chat/completions", &body).await;
    assert_eq!(warnings.as_deref(), Some("adapted: developer as system"));
    service.stop().await;
}

/// Training reads a conversation as chat does: to the token.
#[tokio::test]
async fn a_conversation_with_tools_is_trained_as_it_is_rendered() {
    let directory = tempfile::tempdir().expect("a directory");
    let service = service(&directory).await;
    let model = json!({ "project": "tests", "name": "plain", "base_model": MODEL });
    let model = service.post("/v1/preview/models", &model).await.ok();
    let mut messages = conversation();
    let mut body = json!({ "model": MODEL, "messages": messages, "tools": tools(), "max_tokens": 1, "temperature": 0 });
    let (asked, _) = send(&service, "/v1/chat/completions", &body).await;
    messages.push(json!({ "role": "assistant", "content": "maybe" }));
    body["messages"] = messages.clone().into();
    body["add_generation_prompt"] = json!(false);
    let (whole, _) = send(&service, "/v1/chat/completions", &body).await;

    let row = json!({ "messages": messages, "tools": tools() });
    let file = service.upload("fine-tune", "train.jsonl", format!("{row}\n")).await;
    let body = json!({ "model_id": model["id"], "training_data_url": file, "config": { "batch_size": 1 } });
    let dry = service.post("/v1/preview/sft-training-jobs?dry_run=true", &body).await.ok();
    assert_eq!(dry["estimate"]["tokens"], prompt_tokens(&whole), "{dry}");
    let job = service.post("/v1/preview/sft-training-jobs", &body).await.ok();
    let events = service.finished(text(&job["id"])).await;
    assert_eq!(events.last().expect("events")["type"], "training_ended", "{events:?}");

    // A rollout without the ids of its prompt: the template renders it again, to the tokens of the chat.
    let trained = format!("wandb-artifact:///{}/tests/plain", text(&model["entity"]));
    let options = json!({ "model": trained, "messages": conversation(), "tools": tools(), "n": 2, "max_tokens": 3, "seed": 1, "temperature": 1,
        "return_token_ids": true });
    let (sampled, _) = send(&service, "/v1/chat/completions", &options).await;
    assert_eq!(prompt_tokens(&sampled), prompt_tokens(&asked));
    let trajectories: Vec<Value> = sampled["choices"]
        .as_array()
        .expect("choices")
        .iter()
        .zip([0.0, 1.0])
        .map(|(choice, reward)| {
            let mut choice = choice.clone();
            choice.as_object_mut().expect("a choice").remove("prompt_token_ids");
            let mut items = conversation();
            items.push(choice);
            json!({ "messages_and_choices": items, "tools": tools(), "reward": reward })
        })
        .collect();
    let body = json!({ "model_id": model["id"], "trajectory_groups": [{ "trajectories": trajectories }],
        "experimental_config": { "packed_sequence_length": 4096 } });
    let dry =
        answer(service.request(reqwest::Method::POST, "/v1/preview/training-jobs?dry_run=true").json(&body)).await.ok();
    let completions = sampled["usage"]["completion_tokens"].as_u64().expect("a count");
    assert_eq!(dry["estimate"]["tokens"], 2 * prompt_tokens(&asked) + completions, "{dry}");
    service.stop().await;
}
