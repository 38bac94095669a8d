//! Compaction of conversations: a summary takes their place.

use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, text};

const PATH: &str = "/v1/responses";
const COMPACT: &str = "/v1/responses/compact";

fn body(more: Value) -> Value {
    let mut body = json!({"model": SEEDLING, "max_output_tokens": 8, "seed": 3});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

fn conversation() -> Value {
    json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Say something."},
        {"role": "assistant", "content": "maybe"},
        {"role": "user", "content": [{"type": "input_text", "text": "And now?"}]},
    ])
}

fn prompt(response: &Value) -> &Value {
    &response["token_generations"][0]["prompt_token_ids"]
}

#[tokio::test]
async fn a_summary_takes_the_place_of_a_conversation() {
    let service = TestService::start().await;
    let compacted = service.post(COMPACT, &body(json!({"input": conversation()}))).await.ok();
    assert_eq!(compacted["object"], "response.compaction");
    let output = compacted["output"].as_array().expect("items");
    let texts: Vec<&str> = output[..2].iter().map(|item| text(&item["content"][0]["text"])).collect();
    assert_eq!(texts, ["Say something.", "And now?"]);
    assert_eq!((output.len(), &output[2]["type"]), (3, &json!("compaction")));
    let content = text(&output[2]["encrypted_content"]);
    let summary = content.strip_prefix("trainyard:summary:").expect("a readable summary");
    assert!(!summary.is_empty());
    let usage = &compacted["usage"];
    assert!(usage["output_tokens"].as_u64() > Some(0) && usage["output_tokens"].as_u64() <= Some(8), "{usage}");
    // The model reads it as a message of the user.
    let next =
        service.post(PATH, &body(json!({"input": [output[2], {"role": "user", "content": "Go on."}]}))).await.ok();
    let spelt = [
        json!({"role": "user", "content": format!("Summary of the conversation so far:\n\n{summary}")}),
        json!({"role": "user", "content": "Go on."}),
    ];
    let plain = service.post(PATH, &body(json!({"input": spelt}))).await.ok();
    assert_eq!(prompt(&next), prompt(&plain));
    // It is stored with the response, continued, and compacted again.
    let listed = service.get(&format!("{PATH}/{}/input_items?order=asc", text(&next["id"]))).await.ok();
    assert_eq!(listed["data"][0], output[2]);
    let again = service.post(COMPACT, &body(json!({"previous_response_id": next["id"]}))).await.ok();
    let output = again["output"].as_array().expect("items");
    assert_eq!((output.len(), text(&output[0]["content"][0]["text"])), (2, "Go on."));
    assert!(again["usage"]["input_tokens"].as_u64() > next["usage"]["input_tokens"].as_u64());
    service.stop().await;
}

#[tokio::test]
async fn what_cannot_be_compacted_or_read_is_rejected() {
    let service = TestService::start().await;
    for (more, param) in [
        (json!({"input": "hi", "stream": true}), "stream"),
        (json!({"input": "hi", "background": true}), "background"),
        (json!({}), "input"),
        (json!({"input": [{"type": "compaction"}]}), "input[0].encrypted_content"),
        (json!({"input": [{"type": "compaction", "encrypted_content": "gAAAAABo"}]}), "input[0].encrypted_content"),
    ] {
        let error = service.post(COMPACT, &body(more)).await.rejected(422);
        assert_eq!(error["param"], param, "{error}");
    }
    let foreign = json!({"input": [{"type": "compaction", "encrypted_content": "gAAAAABo"}]});
    let error = service.post(PATH, &body(foreign)).await.rejected(422);
    assert!(text(&error["message"]).contains("this service"), "{error}");
    let stored = service.post(PATH, &body(json!({"input": "hi"}))).await.ok();
    let theirs = body(json!({"previous_response_id": stored["id"]}));
    service.send_as(&service.rival_key, reqwest::Method::POST, COMPACT, Some(&theirs)).await.rejected(404);
    service.stop().await;
}
