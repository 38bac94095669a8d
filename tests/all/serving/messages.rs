//! Anthropic's Messages API: the same answers as chat, in other words.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, http, text};

const PATH: &str = "/v1/messages";
const CHAT: &str = "/v1/chat/completions";
const QUESTION: &str = "What is the weather in Rome?";

fn body(more: Value) -> Value {
    let mut body = json!({
        "model": SEEDLING, "max_tokens": 8, "seed": 3, "messages": [{"role": "user", "content": "Say something."}],
    });
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": false})
}

fn weather() -> Value {
    json!({"name": "get_weather", "description": "Current weather of a city", "input_schema": schema()})
}

fn chat_tool() -> Value {
    let function = json!({"name": "get_weather", "description": "Current weather of a city", "parameters": schema()});
    json!({"type": "function", "function": function})
}

/// The events of a streamed message, each with the name that stood beside it.
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

/// The warnings of an accepted request.
async fn warnings(request: RequestBuilder) -> String {
    let response = request.send().await.expect("an answer");
    let warnings =
        response.headers().get("x-trainyard-warnings").map(|value| value.to_str().expect("ASCII").to_owned());
    assert!(response.status().is_success(), "{}", response.text().await.expect("a text"));
    warnings.unwrap_or_default()
}

#[tokio::test]
async fn a_message_is_that_of_chat_whole_and_streamed() {
    let service = TestService::start().await;
    let request = body(json!({"system": "Be brief.", "temperature": 0.75, "return_token_ids": true}));
    let whole = service.post(PATH, &request).await.ok();
    let chat = json!({
        "model": SEEDLING, "max_tokens": 8, "seed": 3, "temperature": 0.75,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say something."}],
    });
    let chat = service.post(CHAT, &chat).await.ok();
    let choice = &chat["choices"][0];
    assert_eq!(whole["content"], json!([{"type": "text", "text": choice["message"]["content"]}]));
    assert_eq!(
        (&whole["type"], &whole["role"], &whole["model"]),
        (&json!("message"), &json!("assistant"), &json!(SEEDLING))
    );
    assert_eq!((&whole["prompt_token_ids"], &whole["token_ids"]), (&choice["prompt_token_ids"], &choice["token_ids"]));
    let logprobs =
        choice["logprobs"]["content"].as_array().expect("tokens").iter().map(|token| token["logprob"].clone());
    assert_eq!(whole["logprobs"], logprobs.collect::<Value>(), "to the last bit");
    let usage = &whole["usage"];
    let prompt = usage["input_tokens"].as_u64().expect("a number")
        + usage["cache_read_input_tokens"].as_u64().expect("a number");
    assert_eq!(json!(prompt), chat["usage"]["prompt_tokens"]);
    assert_eq!(usage["output_tokens"], chat["usage"]["completion_tokens"]);

    let events = events(&service, request).await;
    let types: Vec<&str> = events.iter().map(|event| text(&event["type"])).collect();
    assert_eq!(types[..3], ["message_start", "ping", "content_block_start"]);
    assert_eq!(types[types.len() - 3..], ["content_block_stop", "message_delta", "message_stop"]);
    let said: String = events.iter().filter_map(|event| event["delta"]["text"].as_str()).collect();
    assert_eq!(said, text(&whole["content"][0]["text"]));
    assert_eq!(events[0]["message"]["prompt_token_ids"], whole["prompt_token_ids"]);
    let last = &events[types.len() - 2];
    assert_eq!((&last["token_ids"], &last["logprobs"]), (&whole["token_ids"], &whole["logprobs"]));
    assert_eq!(last["delta"], json!({"stop_reason": whole["stop_reason"], "stop_sequence": null}));
    // Not asked for, the tokens are left out.
    let plain = service.post(PATH, &body(json!({}))).await.ok();
    assert!(["prompt_token_ids", "token_ids", "logprobs"].iter().all(|field| plain.get(field).is_none()), "{plain}");
    service.stop().await;
}

#[tokio::test]
async fn a_call_goes_there_and_back() {
    let service = TestService::start().await;
    let question = json!({"role": "user", "content": QUESTION});
    let tools = json!([weather(), {"type": "web_search_20250305", "name": "web_search", "max_uses": 2}]);
    let request =
        body(json!({"messages": [question], "tools": tools, "tool_choice": {"type": "any"}, "max_tokens": 64}));
    let whole = service.post(PATH, &request).await.ok();
    let call = &whole["content"][0];
    assert_eq!(
        (&whole["stop_reason"], &call["type"], &call["name"]),
        (&json!("tool_use"), &json!("tool_use"), &json!("get_weather"))
    );
    assert!(call["input"]["city"].is_string(), "{call}");
    let streamed = events(&service, request.clone()).await;
    let arguments: String = streamed.iter().filter_map(|event| event["delta"]["partial_json"].as_str()).collect();
    assert_eq!(serde_json::from_str::<Value>(&arguments).expect("JSON"), call["input"]);
    let request = service.request(Method::POST, PATH).json(&request);
    assert_eq!(warnings(request).await, "ignored: tools%5B1%5D", "the tool of Anthropic's servers is left out");

    // What came is sent back as it is, and is the prompt that chat makes of the same conversation.
    let result =
        |id: &Value| json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": "sunny"}]});
    let failed = json!({"type": "tool_result", "tool_use_id": "call_2", "content": "no such city", "is_error": true});
    let second = json!({"type": "tool_use", "id": "call_2", "name": "get_weather", "input": {"city": "X"}});
    let after = body(json!({"tools": [weather()], "return_token_ids": true, "messages": [
        question,
        {"role": "assistant", "content": [call, second]},
        {"role": "user", "content": [result(&call["id"]), failed, {"type": "text", "text": "So?"}]},
    ]}));
    let chat_call = |id: &Value, input: &Value| json!({"id": id, "type": "function", "function": {"name": "get_weather", "arguments": input.to_string()}});
    let chat = json!({
        "model": SEEDLING, "max_tokens": 8, "seed": 3, "tools": [chat_tool()],
        "messages": [
            question,
            {"role": "assistant", "content": null, "tool_calls": [chat_call(&call["id"], &call["input"]), chat_call(&json!("call_2"), &json!({"city": "X"}))]},
            {"role": "tool", "tool_call_id": call["id"], "content": "sunny"},
            {"role": "tool", "tool_call_id": "call_2", "content": "Error: no such city"},
            {"role": "user", "content": "So?"},
        ],
    });
    let (after, chat) = (service.post(PATH, &after).await.ok(), service.post(CHAT, &chat).await.ok());
    assert_eq!(after["prompt_token_ids"], chat["choices"][0]["prompt_token_ids"]);
    assert_eq!(after["token_ids"], chat["choices"][0]["token_ids"]);
    service.stop().await;
}

#[tokio::test]
async fn stop_sequences_formats_and_prefills_are_honoured() {
    let service = TestService::start().await;
    let free = service.post(PATH, &body(json!({"temperature": 0}))).await.ok();
    let said = text(&free["content"][0]["text"]);
    let stop: String = said.chars().skip(1).take(2).collect();
    let request = body(json!({"temperature": 0, "stop_sequences": ["never said", stop]}));
    let stopped = service.post(PATH, &request).await.ok();
    assert_eq!((&stopped["stop_reason"], &stopped["stop_sequence"]), (&json!("stop_sequence"), &json!(stop)));
    assert!(!stopped.to_string().contains(&format!("\"text\":\"{said}")), "{stopped}");

    let good = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": false});
    let format = json!({"type": "json_schema", "schema": good});
    for more in [json!({"output_config": {"format": format}}), json!({"output_format": format})] {
        let mut request = body(more);
        request["max_tokens"] = json!(32);
        let whole = service.post(PATH, &request).await.ok();
        let answer: Value = serde_json::from_str(text(&whole["content"][0]["text"])).expect("JSON");
        assert!(answer["ok"].is_boolean(), "{answer}");
    }

    let question = json!({"role": "user", "content": "Say something."});
    let begun = json!([question, {"role": "assistant", "content": "The answer is ("}]);
    let continued = service.post(PATH, &body(json!({"messages": begun, "return_token_ids": true}))).await.ok();
    let chat =
        json!({"model": SEEDLING, "max_tokens": 8, "seed": 3, "messages": begun, "continue_final_message": true});
    let chat = service.post(CHAT, &chat).await.ok();
    assert_eq!(continued["prompt_token_ids"], chat["choices"][0]["prompt_token_ids"]);
    assert_eq!(continued["token_ids"], chat["choices"][0]["token_ids"]);

    let cut = service.post(PATH, &body(json!({"max_tokens": 1}))).await.ok();
    assert_eq!(cut["stop_reason"], "max_tokens");
    let nothing = service.post(PATH, &body(json!({"max_tokens": 0}))).await.ok();
    assert_eq!((&nothing["content"], &nothing["usage"]["output_tokens"]), (&json!([]), &json!(0)));
    service.stop().await;
}

#[tokio::test]
async fn tokens_are_counted_as_they_are_sampled() {
    let service = TestService::start().await;
    let mut request = body(json!({"system": "Be brief.", "tools": [weather()]}));
    let whole = service.post(PATH, &request).await.ok();
    request.as_object_mut().expect("an object").shift_remove("max_tokens");
    for base in ["/v1", "/inference/v1"] {
        let count = service.post(&format!("{base}/messages/count_tokens"), &request).await.ok();
        let usage = &whole["usage"];
        let prompt = usage["input_tokens"].as_u64().expect("a number")
            + usage["cache_read_input_tokens"].as_u64().expect("a number");
        assert_eq!(count, json!({"input_tokens": prompt}));
    }
    // The second time, the prompt is in the prefix cache.
    let mut long = body(json!({"system": "Be brief. ".repeat(40)}));
    long["max_tokens"] = json!(2);
    let first = service.post(PATH, &long).await.ok();
    let again = service.post(PATH, &long).await.ok();
    assert_eq!(first["usage"]["cache_read_input_tokens"], 0);
    let cached = again["usage"]["cache_read_input_tokens"].as_u64().expect("a number");
    assert!(cached >= 16, "{again}");
    assert_eq!(
        json!(again["usage"]["input_tokens"].as_u64().expect("a number") + cached),
        first["usage"]["input_tokens"]
    );
    let last = events(&service, long).await.into_iter().rev().nth(1).expect("an event");
    assert_eq!(last["usage"]["cache_read_input_tokens"], again["usage"]["cache_read_input_tokens"]);
    let missing = service.post(PATH, &request).await.rejected(422);
    assert_eq!(missing["param"], "max_tokens");
    service.stop().await;
}

#[tokio::test]
async fn keys_errors_and_query_are_those_of_anthropic() {
    let service = TestService::start().await;
    let send = |key: &str, base: &str, body: Value| {
        http().post(format!("{}{base}/messages?beta=true", service.root)).header("x-api-key", key).json(&body).send()
    };
    for base in ["/v1", "/inference/v1"] {
        assert!(send(&service.key, base, body(json!({}))).await.expect("an answer").status().is_success());
    }
    for (key, more, status, kind, param) in [
        ("ty_wrong", json!({}), 401, "authentication_error", Value::Null),
        (&service.key, json!({"model": "nobody/knows"}), 404, "not_found_error", json!("model")),
        (&service.key, json!({"temperature": 9}), 422, "invalid_request_error", json!("temperature")),
        (&service.key, json!({"mcp_servers": [{"name": "a"}]}), 422, "invalid_request_error", json!("mcp_servers")),
        (
            &service.key,
            json!({"messages": [{"role": "user", "content": "a".repeat(1 << 16)}]}),
            400,
            "invalid_request_error",
            json!("messages"),
        ),
    ] {
        let response = send(key, "/v1", body(more)).await.expect("an answer");
        assert_eq!(response.status().as_u16(), status);
        let id = response.headers()["x-request-id"].to_str().expect("ASCII").to_owned();
        let error: Value = response.json().await.expect("JSON");
        assert_eq!((&error["type"], &error["request_id"]), (&json!("error"), &json!(id)), "{error}");
        assert_eq!((&error["error"]["type"], &error["error"]["param"]), (&json!(kind), &param), "{error}");
    }
    // The same error elsewhere has its own form, unless a client of Anthropic asks.
    let url = format!("{}/v1/models/nobody%2Fknows", service.root);
    for (version, keys) in [(None, 1), (Some("2023-06-01"), 3)] {
        let request = http().get(&url).header("x-api-key", &service.key);
        let request =
            version.into_iter().fold(request, |request, version| request.header("anthropic-version", version));
        let error: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        assert_eq!(error.as_object().expect("an object").len(), keys, "{error}");
    }
    service.stop().await;
}

#[tokio::test]
async fn options_without_effect_are_named() {
    let service = TestService::start().await;
    let more = json!({
        "metadata": {"user_id": "u"}, "thinking": {"type": "enabled", "budget_tokens": 1024, "display": "updates"},
        "output_config": {"effort": "high"}, "cache_control": {"type": "ephemeral"}, "context_management": {"edits": []},
    });
    let request = service.request(Method::POST, PATH).json(&body(more));
    let expected = "ignored: metadata, context_management, thinking.budget_tokens, output_config.effort, thinking";
    assert_eq!(warnings(request).await, expected);
    service.stop().await;
}

#[tokio::test]
async fn the_list_of_models_has_the_form_of_its_client() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    for base in ["/v1", "/inference/v1"] {
        let get = |query: &str| {
            let request = service.request(Method::GET, &format!("{base}/models{query}"));
            async {
                request
                    .header("anthropic-version", "2023-06-01")
                    .send()
                    .await
                    .expect("an answer")
                    .json::<Value>()
                    .await
                    .expect("JSON")
            }
        };
        let list = get("").await;
        let first = &list["data"][0];
        assert_eq!((&list["first_id"], &list["has_more"]), (&json!(SEEDLING), &json!(false)));
        assert_eq!(
            (&first["type"], &first["display_name"], &first["lifecycle"]),
            (&json!("model"), &json!(SEEDLING), &json!("active"))
        );
        assert_eq!((&first["created_at"], &first["max_input_tokens"]), (&json!("1970-01-01T00:00:00Z"), &json!(4096)));
        assert_eq!(list["last_id"], list["data"].as_array().expect("a list").last().expect("a model")["id"]);
        let first = get("?limit=1").await;
        assert_eq!((&first["last_id"], &first["has_more"]), (&json!(SEEDLING), &json!(true)));
        assert_eq!(get("?after_id=nobody%2Fknows").await["error"]["param"], "after_id");
        let rest = get(&format!("?after_id={SEEDLING}")).await;
        assert_eq!(rest["first_id"], model.name);
        assert_eq!(get(&format!("?before_id={}", model.name)).await["data"].as_array().expect("a list").len(), 1);
        assert_eq!(get(&format!("/{SEEDLING}")).await["max_tokens"], 4096);
    }
    service.stop().await;
}

#[tokio::test]
async fn captured_messages_are_trained_as_they_were_sampled() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut members = Vec::new();
    for reward in [0.0, 1.0] {
        let request = body(json!({"model": model.name, "seed": reward as u32, "return_token_ids": true}));
        let response = service.post(PATH, &request).await.ok();
        let time = "2026-11-22T19:25:05Z";
        let exchange = json!({"start_time": time, "end_time": time, "request": request, "response": response});
        members.push(json!({"exchanges": {"messages": [exchange]}, "reward": reward}));
    }
    let job = service.start_rl(&model, json!([{"trajectories": members}]), Value::Null).await;
    let events = service.finished(&job).await;
    let step = events.iter().find(|event| event["type"] == "gradient_step").expect("a step");
    let (ratio, mismatch) = (&step["data"]["importance_ratio/max"], &step["data"]["logprob_mismatch/max_abs"]);
    assert_eq!((ratio, mismatch), (&json!(1.0), &json!(0.0)));
    service.stop().await;
}
