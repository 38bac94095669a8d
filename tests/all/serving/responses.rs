//! OpenAI's Responses API: the same answers as chat, in other words.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, text};

const PATH: &str = "/v1/responses";
const CHAT: &str = "/v1/chat/completions";

fn body(more: Value) -> Value {
    let mut body = json!({"model": SEEDLING, "input": "Say something.", "max_output_tokens": 8, "seed": 3});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

fn weather() -> Value {
    let parameters = json!({
        "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": false,
    });
    json!({"type": "function", "name": "get_weather", "description": "Current weather of a city", "parameters": parameters})
}

/// The events of a streamed answer, each with the name that stood beside it.
async fn events(service: &TestService, mut request: Value) -> Vec<Value> {
    request["stream"] = json!(true);
    let response = service.request(Method::POST, PATH).json(&request).send().await.expect("an answer");
    assert!(response.status().is_success(), "{}", response.status());
    let text = response.text().await.expect("a text");
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').expect("two lines");
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").expect("data")).expect("JSON");
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        data
    };
    text.split_terminator("\n\n").map(event).collect()
}

/// Without what is new each time: ids and times.
fn lasting(response: &Value) -> Value {
    let mut response = response.clone();
    for field in ["id", "created_at", "completed_at"] {
        response[field] = Value::Null;
    }
    for item in response["output"].as_array_mut().expect("items") {
        item["id"] = Value::Null;
        if item.get("call_id").is_some() {
            item["call_id"] = Value::Null;
        }
    }
    response
}

fn ids(tokens: &Value, field: &str) -> Vec<Value> {
    tokens.as_array().expect("tokens").iter().map(|token| token[field].clone()).collect()
}

#[tokio::test]
async fn an_answer_is_that_of_chat_whole_and_streamed() {
    let service = TestService::start().await;
    let request = body(json!({
        "instructions": "Be brief.", "top_logprobs": 2, "metadata": {"episode": "7"}, "user": "u", "temperature": 0.75,
    }));
    let whole = service.post(PATH, &request).await.ok();
    let chat = json!({
        "model": SEEDLING, "max_tokens": 8, "seed": 3, "temperature": 0.75, "top_logprobs": 2,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say something."}],
    });
    let chat = service.post(CHAT, &chat).await.ok();
    let choice = &chat["choices"][0];
    assert_eq!(whole["output"][0]["content"][0]["text"], choice["message"]["content"]);
    let generation = &whole["token_generations"][0];
    assert_eq!(generation["prompt_token_ids"], choice["prompt_token_ids"]);
    assert_eq!(ids(&generation["output_tokens"], "token_id"), *choice["token_ids"].as_array().expect("ids"));
    let sampled = &choice["logprobs"]["content"];
    assert_eq!(ids(&generation["output_tokens"], "logprob"), ids(sampled, "logprob"), "to the last bit");
    let spoken: Vec<&Value> =
        sampled.as_array().expect("tokens").iter().filter(|it| it["bytes"] != json!([])).collect();
    assert_eq!(whole["output"][0]["content"][0]["logprobs"], json!(spoken));
    for (ours, theirs) in
        [("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"), ("total_tokens", "total_tokens")]
    {
        assert_eq!(whole["usage"][ours], chat["usage"][theirs]);
    }
    for (field, value) in [
        ("metadata", json!({"episode": "7"})),
        ("user", json!("u")),
        ("instructions", json!("Be brief.")),
        ("temperature", json!(0.75)),
        ("store", json!(true)),
        ("tool_choice", json!("auto")),
        ("text", json!({"format": {"type": "text"}})),
        ("max_output_tokens", json!(8)),
    ] {
        assert_eq!(whole[field], value, "{field}");
    }
    let events = events(&service, request).await;
    for (number, event) in events.iter().enumerate() {
        assert_eq!(event["sequence_number"], number);
    }
    let types: Vec<&str> = events.iter().map(|event| text(&event["type"])).collect();
    assert_eq!(
        types[..4],
        ["response.created", "response.in_progress", "response.output_item.added", "response.content_part.added"]
    );
    assert_eq!(
        types[types.len() - 4..types.len() - 1],
        ["response.output_text.done", "response.content_part.done", "response.output_item.done"]
    );
    let deltas: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(deltas, text(&choice["message"]["content"]));
    let last = &events[events.len() - 1]["response"];
    assert_eq!(text(&last["status"]), types[types.len() - 1].trim_start_matches("response."));
    assert_eq!(lasting(last), lasting(&whole));
    service.stop().await;
}

#[tokio::test]
async fn a_call_goes_there_and_back() {
    let service = TestService::start().await;
    let request = body(json!({
        "input": "What is the weather in Rome?", "tools": [weather()], "tool_choice": "required", "max_output_tokens": 64,
    }));
    let whole = service.post(PATH, &request).await.ok();
    assert_eq!((&whole["status"], &whole["tools"]), (&json!("completed"), &json!([weather()])));
    let call = &whole["output"][0];
    assert_eq!(
        (&call["type"], &call["name"], &call["status"]),
        (&json!("function_call"), &json!("get_weather"), &json!("completed"))
    );
    let arguments: Value = serde_json::from_str(text(&call["arguments"])).expect("JSON");
    assert!(arguments["city"].is_string(), "{arguments}");
    let events = events(&service, request).await;
    let deltas: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(deltas, text(&call["arguments"]));
    assert_eq!(lasting(&events[events.len() - 1]["response"]), lasting(&whole));

    // What came is sent back as it is, and is the prompt that chat makes of the same conversation.
    let mut input = vec![json!({"role": "user", "content": "What is the weather in Rome?"})];
    input.extend(whole["output"].as_array().expect("items").clone());
    input.push(json!({"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}));
    let after = service.post(PATH, &body(json!({"input": input, "tools": [weather()]}))).await.ok();
    let mut function = weather();
    function.as_object_mut().expect("an object").remove("type");
    let chat_call = json!({"id": call["call_id"], "type": "function", "function": {"name": "get_weather", "arguments": call["arguments"]}});
    let chat = json!({
        "model": SEEDLING, "max_tokens": 8, "seed": 3, "tools": [{"type": "function", "function": function}],
        "messages": [
            {"role": "user", "content": "What is the weather in Rome?"},
            {"role": "assistant", "content": null, "tool_calls": [chat_call]},
            {"role": "tool", "tool_call_id": call["call_id"], "content": "sunny"},
        ],
    });
    let chat = service.post(CHAT, &chat).await.ok();
    assert_eq!(after["token_generations"][0]["prompt_token_ids"], chat["choices"][0]["prompt_token_ids"]);
    assert_eq!(after["output"][0]["content"][0]["text"], chat["choices"][0]["message"]["content"]);

    // The sampled turn is the beginning of the next prompt, as training on captured turns wants it.
    let named = body(
        json!({"tools": [weather()], "tool_choice": {"type": "function", "name": "get_weather"}, "max_output_tokens": 64}),
    );
    assert_eq!(service.post(PATH, &named).await.ok()["output"][0]["name"], "get_weather");
    service.stop().await;
}

#[tokio::test]
async fn an_answer_has_the_form_that_was_asked_for() {
    let service = TestService::start().await;
    let schema = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": false});
    let format = json!({"type": "json_schema", "name": "n", "schema": schema, "strict": true});
    for seed in 0..3 {
        let request = body(json!({"text": {"format": format}, "max_output_tokens": 32, "seed": seed}));
        let whole = service.post(PATH, &request).await.ok();
        let answer: Value = serde_json::from_str(text(&whole["output"][0]["content"][0]["text"])).expect("JSON");
        assert!(answer["ok"].is_boolean(), "{answer}");
        assert_eq!(whole["text"]["format"]["schema"], schema);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_response_at_the_length_limit_is_incomplete() {
    let service = TestService::start().await;
    let request = body(json!({"max_output_tokens": 1}));
    let whole = service.post(PATH, &request).await.ok();
    assert_eq!(whole["status"], "incomplete");
    assert_eq!(whole["incomplete_details"], json!({"reason": "max_output_tokens"}));
    assert_eq!(whole["output"][0]["status"], "incomplete");
    let events = events(&service, request).await;
    assert_eq!(events[events.len() - 1]["type"], "response.incomplete");
    service.stop().await;
}

#[tokio::test]
async fn unsupported_options_are_rejected_by_name() {
    let service = TestService::start().await;
    let tool = |more: Value| {
        let mut tool = weather();
        tool.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({"tools": [tool]})
    };
    let cases = [
        (json!({"conversation": "conv_1"}), "conversation"),
        (json!({"prompt": {"id": "pmpt_1"}}), "prompt"),
        (json!({"truncation": "auto"}), "truncation"),
        (json!({"max_tokens": 5}), "max_tokens"),
        (json!({"text": {"verbosity": "low"}}), "text.verbosity"),
        (json!({"text": {"format": {"type": "xml"}}}), "text.format.type"),
        (
            json!({"text": {"format": {"type": "json_schema", "name": "n", "schema": {"type": "no"}}}}),
            "text.format.schema",
        ),
        (json!({"tools": [{"type": "web_search"}]}), "tools[0].type"),
        (json!({"tools": [{"type": "web_search"}, weather()], "tool_choice": {"type": "web_search"}}), "tools[0].type"),
        (json!({"tool_choice": {"type": "mcp", "server_label": "x"}}), "tool_choice.type"),
        (tool(json!({"output_schema": {}})), "tools[0].output_schema"),
        (json!({"background": true, "store": false}), "background"),
        (json!({"tool_choice": "required"}), "tool_choice"),
        (json!({"tools": [weather()], "tool_choice": {"type": "function", "name": "no"}}), "tool_choice"),
        (json!({"max_output_tokens": 0}), "max_output_tokens"),
        (json!({"temperature": 3}), "temperature"),
        (json!({"top_logprobs": 21}), "top_logprobs"),
        (json!({"input": 5}), "input"),
        (json!({"input": []}), "input"),
        (json!({"input": [{"id": "msg_1"}]}), "input[0].role"),
        (
            json!({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]}),
            "input[0].content[0].type",
        ),
        (json!({"input": [{"type": "function_call_output", "output": "x"}]}), "input[0].call_id"),
    ];
    for (more, param) in cases {
        let error = service.post(PATH, &body(more.clone())).await.rejected(422);
        assert_eq!(error["param"], param, "{more}: {error}");
        let message = text(&error["message"]);
        assert!(message.contains(param.trim_end_matches(".type")), "{more}: {message}");
    }
    let error = service.post(PATH, &body(json!({"model": "acme/none/such"}))).await.rejected(404);
    assert_eq!(error["code"], "model_not_found");
    let error = service.post(PATH, &body(json!({"input": "word ".repeat(20_000)}))).await.rejected(400);
    assert_eq!((&error["param"], &error["code"]), (&json!("input"), &json!("context_length_exceeded")));
    service.send_as("nobody", Method::POST, PATH, Some(&body(json!({})))).await.rejected(401);
    for (method, path) in [(Method::GET, "/v1/responses/resp_1"), (Method::DELETE, "/v1/responses/resp_1")] {
        service.send(method, path, None).await.rejected(404);
    }
    service.stop().await;
}

#[tokio::test]
async fn options_without_effect_are_accepted() {
    let service = TestService::start().await;
    let plain = lasting(&service.post(PATH, &body(json!({}))).await.ok());
    let neutral = body(json!({
        "store": false, "background": false, "truncation": "disabled", "previous_response_id": null, "tools": [],
        "tool_choice": "auto", "text": {"format": {"type": "text"}, "verbosity": "medium"}, "include": [], "reasoning": {"effort": "none"},
        "service_tier": "auto", "prompt_cache_key": "k", "safety_identifier": "s", "stream_options": {"include_obfuscation": false},
        "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Say something."}]}],
    }));
    let same = lasting(&service.post(PATH, &neutral).await.ok());
    assert_eq!(same["output"], plain["output"]);
    assert_eq!(same["token_generations"], plain["token_generations"]);
    let slash = service.post("/inference/v1/responses", &body(json!({}))).await.ok();
    assert_eq!(lasting(&slash), plain, "at the inference address too");
    service.stop().await;
}
