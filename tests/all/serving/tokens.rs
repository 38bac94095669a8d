//! Tokens of texts and conversations, and names of models in every dialect.

use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, text};

#[tokio::test]
async fn a_text_has_the_tokens_of_its_completion_and_comes_back() {
    let service = TestService::start().await;
    let prompt = "yes, no or <|im_end|> naïve";
    let found = service.post("/tokenize", &json!({ "prompt": prompt, "return_token_strs": true })).await.ok();
    let completion = json!({ "model": SEEDLING, "prompt": prompt, "max_tokens": 0, "echo": true, "logprobs": 0 });
    let completion = service.post("/v1/completions", &completion).await.ok();
    assert_eq!(found["tokens"], completion["choices"][0]["prompt_token_ids"], "{completion}");
    assert_eq!(
        (&found["max_model_len"], found["token_strs"].as_array().map(Vec::len)),
        (&json!(4096), found["count"].as_u64().map(|count| count as usize))
    );
    assert!(found["token_strs"].as_array().expect("a list").contains(&json!("<|im_end|>")));
    let back = service.post("/detokenize", &json!({ "tokens": found["tokens"] })).await.ok();
    assert_eq!(back["prompt"], prompt);
    let empty = service.post("/tokenize", &json!({ "model": SEEDLING, "prompt": "" })).await.ok();
    assert_eq!((&empty["count"], &empty["token_strs"]), (&json!(0), &Value::Null));
    for (path, body, param) in [
        ("/tokenize", json!({}), "prompt"),
        ("/tokenize", json!({ "prompt": "a", "messages": [{ "role": "user", "content": "a" }] }), "prompt"),
        ("/tokenize", json!({ "prompts": "a", "prompt": "a" }), "prompts"),
        ("/tokenize", json!({ "prompt": "a b ".repeat(200_000) }), "prompt"),
        ("/detokenize", json!({ "tokens": [1, 4_000_000_000_u32] }), "tokens[1]"),
    ] {
        let rejected = service.post(path, &body).await;
        assert_eq!(
            (rejected.status.as_u16(), &rejected.body["error"]["param"]),
            (422, &json!(param)),
            "{}",
            rejected.body
        );
    }
    service.stop().await;
}

#[tokio::test]
async fn a_conversation_has_the_tokens_of_its_prompt() {
    let service = TestService::start().await;
    let tools = json!([{ "type": "function", "function": { "name": "f", "parameters": {} } }]);
    for more in [json!({}), json!({ "tools": tools }), json!({ "continue_final_message": true })] {
        let role = if more["continue_final_message"] == true { "assistant" } else { "user" };
        let mut body = json!({ "model": SEEDLING, "messages": [{ "role": role, "content": "yes" }] });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let found = service.post("/tokenize", &body).await.ok();
        body["max_tokens"] = json!(1);
        let completion = service.post("/v1/chat/completions", &body).await.ok();
        assert_eq!(found["tokens"], completion["choices"][0]["prompt_token_ids"], "{body}");
    }
    let info = service.get("/tokenizer_info").await.ok();
    let eos =
        service.post("/tokenize", &json!({ "prompt": info["eos_token"], "add_special_tokens": false })).await.ok();
    assert_eq!((&eos["count"], &info["model_max_length"]), (&json!(1), &json!(4096)));
    assert!(text(&info["chat_template"]).contains("messages"), "{info}");
    assert_eq!(service.get("/tokenizer_info?model=nobody/knows").await.status.as_u16(), 404);
    service.stop().await;
}

#[tokio::test]
async fn the_names_of_the_commands_are_names_in_every_dialect() {
    let service = TestService::start().await;
    let model = service.model("short").await;
    let message = json!([{ "role": "user", "content": "a" }]);
    for name in ["tests/short", "tests/short:step0"] {
        for (path, body) in [
            ("/v1/chat/completions", json!({ "messages": message, "max_tokens": 1 })),
            ("/v1/completions", json!({ "prompt": "a", "max_tokens": 1 })),
            ("/v1/responses", json!({ "input": "a", "max_output_tokens": 1 })),
            ("/v1/messages", json!({ "messages": message, "max_tokens": 1 })),
            ("/tokenize", json!({ "prompt": "a" })),
        ] {
            let mut body = body;
            body["model"] = json!(name);
            service.post(path, &body).await.ok();
            let rejected = service.send_as(&service.rival_key, reqwest::Method::POST, path, Some(&body)).await;
            assert_eq!(rejected.status.as_u16(), 404, "{path}: another entity has no such model");
        }
        let found = service.get(&format!("/v1/models/{name}")).await.ok();
        assert_eq!((&found["id"], &found["max_model_len"]), (&json!(name), &json!(4096)));
    }
    // Usage is written off the path of the requests.
    let mut usage = String::new();
    for _ in 0..400 {
        usage = service.get("/v1/preview/usage").await.ok().to_string();
        if usage.contains(&model.at(0)) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(usage.contains(&model.name) && !usage.contains("\"tests/short"), "one name for usage: {usage}");
    assert_eq!(service.get(&format!("/v1/models/{SEEDLING}")).await.ok()["max_model_len"], 4096);
    service.stop().await;
}
