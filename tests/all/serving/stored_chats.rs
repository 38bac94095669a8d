//! Stored chat completions: read again, listed, updated and deleted.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, text};

const PATH: &str = "/v1/chat/completions";

fn body(more: Value) -> Value {
    let messages = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say something."}]);
    let mut body = json!({"model": SEEDLING, "messages": messages, "max_tokens": 8, "seed": 3, "store": true});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

fn of(id: &Value) -> String {
    format!("{PATH}/{}", text(id))
}

fn ids(page: &Value) -> Vec<Value> {
    page["data"].as_array().expect("items").iter().map(|item| item["id"].clone()).collect()
}

#[tokio::test]
async fn a_stored_completion_is_read_again_updated_and_deleted() {
    let service = TestService::start().await;
    let asked = body(json!({"metadata": {"team": "a"}, "n": 2, "return_token_ids": true, "prompt_logprobs": 1}));
    let stored = service.post(PATH, &asked).await.ok();
    assert_eq!(stored["metadata"], json!({"team": "a"}));
    assert_eq!(service.get(&of(&stored["id"])).await.ok(), stored);
    assert_eq!(service.get(&format!("/inference{}", of(&stored["id"]))).await.ok(), stored);
    let messages = of(&stored["id"]) + "/messages";
    let page = service.get(&messages).await.ok();
    let contents: Vec<_> = page["data"].as_array().expect("items").iter().map(|item| text(&item["content"])).collect();
    assert_eq!((contents, &page["has_more"]), (vec!["Be brief.", "Say something."], &json!(false)));
    assert_eq!(page["first_id"], format!("{}-0", text(&stored["id"])));
    let rest = service.get(&format!("{messages}?order=desc&after={}", text(&page["last_id"]))).await.ok();
    assert_eq!((ids(&rest), &rest["data"][0]["role"]), (vec![page["first_id"].clone()], &json!("system")));
    assert_eq!(service.get(&format!("{messages}?after=x")).await.rejected(422)["param"], "after");

    let updated = service.post(&of(&stored["id"]), &json!({"metadata": {"team": "b", "run": "1"}})).await.ok();
    assert_eq!((&updated["metadata"], &updated["choices"]), (&json!({"team": "b", "run": "1"}), &stored["choices"]));
    assert_eq!(service.get(&of(&stored["id"])).await.ok(), updated);
    let long = json!({"metadata": {"x".repeat(65): ""}});
    assert_eq!(service.post(&of(&stored["id"]), &long).await.rejected(422)["param"], "metadata");
    assert_eq!(service.post(&of(&stored["id"]), &json!({"metadata": null})).await.ok()["metadata"], json!({}));

    let deleted = service.send(Method::DELETE, &of(&stored["id"]), None).await.ok();
    assert_eq!(deleted, json!({"id": stored["id"], "object": "chat.completion.deleted", "deleted": true}));
    for path in [of(&stored["id"]), messages] {
        service.get(&path).await.rejected(404);
    }
    service.send(Method::DELETE, &of(&stored["id"]), None).await.rejected(404);
    // What is not stored is not there.
    for store in [json!(false), Value::Null] {
        let plain = service.post(PATH, &body(json!({"store": store, "metadata": {"team": "a"}}))).await.ok();
        assert!(plain.get("metadata").is_none(), "{plain}");
        service.get(&of(&plain["id"])).await.rejected(404);
    }
    assert_eq!(service.get(PATH).await.ok()["data"], json!([]));
    service.stop().await;
}

#[tokio::test]
async fn a_streamed_completion_is_stored_before_its_last_chunk() {
    let service = TestService::start().await;
    let request = body(json!({"stream": true, "n": 2, "stream_options": {"include_usage": true}}));
    let stream = service.request(Method::POST, PATH).json(&request).send().await.expect("a response");
    let stream = stream.text().await.expect("a text");
    let data = stream.split_terminator("\n\n").filter_map(|event| event.strip_prefix("data: "));
    let chunks: Vec<Value> = data.filter_map(|data| serde_json::from_str(data).ok()).collect();
    let stored = service.get(&of(&chunks[0]["id"])).await.ok();
    for choice in stored["choices"].as_array().expect("choices") {
        let index = choice["index"].as_u64().expect("a number") as usize;
        let deltas = chunks.iter().filter_map(|chunk| chunk["choices"][index]["delta"]["content"].as_str());
        assert_eq!(deltas.collect::<String>(), text(&choice["message"]["content"]));
    }
    assert_eq!(chunks[chunks.len() - 1]["usage"], stored["usage"]);
    // It is the same as a whole response.
    let whole = service.post(PATH, &body(json!({"n": 2}))).await.ok();
    assert_eq!((&whole["choices"], &whole["usage"]), (&stored["choices"], &stored["usage"]));
    // One that the client leaves is not stored.
    let long = body(json!({"stream": true, "max_tokens": 2000, "logit_bias": {"2": -100}}));
    let mut left = service.request(Method::POST, PATH).json(&long).send().await.expect("a response");
    left.chunk().await.expect("a chunk");
    drop(left);
    assert_eq!(ids(&service.get(PATH).await.ok()).len(), 2);
    service.stop().await;
}

#[tokio::test]
async fn stored_completions_are_listed_by_model_and_metadata() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut stored = Vec::new();
    for (number, name) in [SEEDLING, &model.name, SEEDLING, SEEDLING].into_iter().enumerate() {
        let metadata = json!({"number": number.to_string(), "odd": (number % 2 == 1).to_string()});
        let completion = service.post(PATH, &body(json!({"model": name, "metadata": metadata}))).await.ok();
        stored.push(completion["id"].clone());
    }
    let listed = async |query: &str| service.get(&format!("{PATH}?{query}")).await.ok();
    assert_eq!(ids(&listed("").await), stored, "the oldest comes first");
    let page = listed("order=desc&limit=2").await;
    assert_eq!((ids(&page), &page["has_more"]), (vec![stored[3].clone(), stored[2].clone()], &json!(true)));
    let next = listed(&format!("order=desc&limit=2&after={}", text(&page["last_id"]))).await;
    assert_eq!((ids(&next), &next["has_more"]), (vec![stored[1].clone(), stored[0].clone()], &json!(false)));
    let short = model.name.trim_start_matches("wandb-artifact:///");
    for name in [short, &model.name] {
        assert_eq!(ids(&listed(&format!("model={name}")).await), [stored[1].clone()]);
    }
    assert_eq!(ids(&listed("metadata[odd]=true").await), [stored[1].clone(), stored[3].clone()]);
    assert_eq!(ids(&listed("metadata[odd]=true&limit=1").await), [stored[1].clone()]);
    assert_eq!(
        ids(&listed("metadata=%7B%22odd%22%3A%22true%22%2C%22number%22%3A%223%22%7D").await),
        [stored[3].clone()]
    );
    assert_eq!(ids(&listed("metadata[odd]=maybe").await), [] as [Value; 0]);
    assert_eq!(service.get(&format!("{PATH}?metadata=x")).await.rejected(422)["param"], "metadata");
    let absent = "chatcmpl-00000000000000000000000000000000";
    assert_eq!(service.get(&format!("{PATH}?after={absent}")).await.rejected(422)["param"], "after");

    // Another entity has none of them, and neither are they responses.
    let rival = async |method: Method, path: &str, body: Option<&Value>| {
        service.send_as(&service.rival_key, method, path, body).await
    };
    assert_eq!(rival(Method::GET, PATH, None).await.ok()["data"], json!([]));
    let update = json!({"metadata": {}});
    for (method, path, body) in [
        (Method::GET, of(&stored[0]), None),
        (Method::POST, of(&stored[0]), Some(&update)),
        (Method::GET, of(&stored[0]) + "/messages", None),
        (Method::DELETE, of(&stored[0]), None),
    ] {
        rival(method, &path, body).await.rejected(404);
    }
    let response = text(&stored[0]).replace("chatcmpl-", "resp_");
    service.get(&format!("/v1/responses/{response}")).await.rejected(404);
    service.send(Method::DELETE, &format!("/v1/responses/{response}"), None).await.rejected(404);
    assert_eq!(ids(&listed("").await), stored);
    service.stop().await;
}

#[tokio::test]
async fn what_cannot_be_stored_is_rejected() {
    let service = TestService::start_with(|settings| settings.response_life = Duration::ZERO).await;
    assert_eq!(service.post(PATH, &body(json!({}))).await.rejected(422)["param"], "store");
    service.post(PATH, &body(json!({"store": false}))).await.ok();
    service.stop().await;
    let service = TestService::start().await;
    for metadata in [json!({"a": 1}), json!({"a": "x".repeat(513)}), json!({"x".repeat(65): "a"})] {
        let error = service.post(PATH, &body(json!({"metadata": metadata}))).await.rejected(422);
        assert_eq!(error["param"], "metadata", "{error}");
    }
    let long = json!([{"role": "user", "content": "x".repeat(9 << 20)}]);
    let error = service.post(PATH, &body(json!({"messages": long}))).await.rejected(422);
    assert!(error["param"] == "store" && text(&error["message"]).contains("bytes"), "{error}");
    service.stop().await;
}
