use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::chat::{ChatDelta, ChatFinish, TokenEntry, ToolCallDelta, ToolCallStart};

fn assembler(logprobs: bool) -> ResponseAssembler {
    let body: ResponseRequest = serde_json::from_value(json!({"model": "m", "input": "hi"})).unwrap();
    let response = asked(&body, Uuid::nil(), &GenerationDefaults::default());
    ResponseAssembler::new(response, Arc::from([1, 2, 3]), ToolNames::default(), logprobs)
}

/// Returns a delta with one token for its text.
fn delta(id: u32, text: &str) -> ChatDelta {
    let token = TokenEntry { id, logprob: -0.5, bytes: text.as_bytes().to_vec(), top: Vec::new() };
    ChatDelta { tokens: vec![token], ..ChatDelta::default() }
}

fn thought(id: u32, text: &str) -> ChatDelta {
    ChatDelta { reasoning: text.to_owned(), ..delta(id, text) }
}

fn said(id: u32, text: &str) -> ChatDelta {
    ChatDelta { content: text.to_owned(), ..delta(id, text) }
}

fn called(index: u32, start: Option<&str>, arguments: &str) -> ChatDelta {
    let start = start.map(|id| ToolCallStart { id: id.to_owned(), name: "f".to_owned() });
    let call = ToolCallDelta { index, start, arguments: arguments.to_owned() };
    ChatDelta { tool_calls: vec![call], ..delta(20 + index, arguments) }
}

fn end(finish: ChatFinish) -> ChatDelta {
    ChatDelta { finish: Some(finish), ..delta(9, "") }
}

/// Returns all events of a streamed response as JSON, and the same response without streaming.
fn play(mut assembler: ResponseAssembler, deltas: Vec<ChatDelta>) -> (Vec<Value>, Value) {
    let mut events = assembler.begin();
    deltas.into_iter().for_each(|delta| events.extend(assembler.push(delta)));
    let events = events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    (events, serde_json::to_value(assembler.into_response()).unwrap())
}

/// Assembles the items of a response from its events, as a client does, and checks the fields of each event.
fn items(events: &[Value]) -> Value {
    let mut items: Vec<Value> = Vec::new();
    for (number, event) in events.iter().enumerate() {
        assert_eq!(event["sequence_number"], number, "{event}");
        let kind = event["type"].as_str().unwrap();
        if event.get("response").is_some() {
            continue;
        }
        let index = event["output_index"].as_u64().unwrap() as usize;
        if kind == "response.output_item.added" {
            assert_eq!((index, &event["item"]["status"]), (items.len(), &json!("in_progress")));
            items.push(event["item"].clone());
            continue;
        }
        assert_eq!(index, items.len() - 1, "items do not overlap");
        let item = &mut items[index];
        if kind == "response.output_item.done" {
            assert_ne!(event["item"]["status"], "in_progress");
            item["status"] = event["item"]["status"].clone();
            assert_eq!(*item, event["item"]);
            continue;
        }
        assert_eq!(event["item_id"], item["id"]);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        match kind {
            "response.content_part.added" => item["content"] = json!([event["part"]]),
            "response.output_text.delta" | "response.reasoning_text.delta" => {
                let part = &mut item["content"][0];
                part["text"] = json!(text(&part["text"]) + &text(&event["delta"]));
                if let Some(more) = event["logprobs"].as_array() {
                    part["logprobs"].as_array_mut().unwrap().extend(more.clone());
                }
            }
            "response.output_text.done" | "response.reasoning_text.done" => {
                assert_eq!(event["text"], item["content"][0]["text"]);
            }
            "response.content_part.done" => assert_eq!(event["part"], item["content"][0]),
            "response.function_call_arguments.delta" => {
                item["arguments"] = json!(text(&item["arguments"]) + &text(&event["delta"]));
            }
            "response.function_call_arguments.done" => {
                assert_eq!((&event["arguments"], &event["name"]), (&item["arguments"], &item["name"]));
            }
            other => panic!("{other}"),
        }
    }
    Value::Array(items)
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap().strip_prefix("response.").unwrap()).collect()
}

#[test]
fn thoughts_text_and_calls_are_items_in_order() {
    let deltas = vec![
        thought(4, "h"),
        thought(5, "m"),
        delta(6, ""),
        said(7, "a"),
        said(8, "b"),
        called(0, Some("one"), ""),
        called(0, None, "{}"),
        called(1, Some("two"), "{\"a\": 1}"),
        end(ChatFinish::ToolCalls),
    ];
    let (events, whole) = play(assembler(true), deltas);
    assert_eq!(items(&events), whole["output"]);
    assert_eq!(events.last().unwrap()["response"], whole);
    let kinds: Vec<&str> = whole["output"].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["reasoning", "message", "function_call", "function_call"]);
    assert_eq!(whole["output"][0]["content"], json!([{"type": "reasoning_text", "text": "hm"}]));
    assert_eq!(whole["output"][1]["content"][0]["text"], "ab");
    let logprobs = whole["output"][1]["content"][0]["logprobs"].as_array().unwrap();
    let tokens: Vec<&Value> = logprobs.iter().map(|entry| &entry["token"]).collect();
    assert_eq!(tokens, ["token_id:7", "token_id:8"], "thoughts and calls have no place there");
    assert_eq!((&whole["output"][2]["call_id"], &whole["output"][2]["arguments"]), (&json!("one"), &json!("{}")));
    assert_eq!(whole["status"], "completed");
    assert_eq!(whole["usage"]["output_tokens_details"]["reasoning_tokens"], 3);
    assert_eq!((&whole["usage"]["input_tokens"], &whole["usage"]["output_tokens"]), (&json!(3), &json!(9)));
    let generation = &whole["token_generations"][0];
    assert_eq!(generation["prompt_token_ids"], json!([1, 2, 3]));
    assert_eq!(generation["output_indices"], json!([0, 1, 2, 3]));
    let ids: Vec<u64> =
        generation["output_tokens"].as_array().unwrap().iter().map(|it| it["token_id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [4, 5, 6, 7, 8, 20, 20, 21, 9]);
    let expected = [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(types(&events), expected);
}

#[test]
fn text_between_calls_is_a_message_of_its_own() {
    let mut both = said(5, "x");
    both.tool_calls = [called(0, None, "}").tool_calls, called(1, Some("two"), "{}").tool_calls].concat();
    let (events, whole) = play(assembler(false), vec![called(0, Some("one"), "{"), both, end(ChatFinish::ToolCalls)]);
    assert_eq!(items(&events), whole["output"]);
    let output = whole["output"].as_array().unwrap();
    assert_eq!(output[0]["arguments"], "{}");
    assert_eq!(output[1]["content"], json!([{"type": "output_text", "text": "x", "annotations": [], "logprobs": []}]));
    assert_eq!((&output[2]["call_id"], output.len()), (&json!("two"), 3));
}

#[test]
fn a_truncated_response_is_incomplete() {
    let (events, whole) = play(assembler(false), vec![said(5, "x"), end(ChatFinish::Length)]);
    assert_eq!(types(&events).last(), Some(&"incomplete"));
    assert_eq!((&whole["status"], &whole["completed_at"]), (&json!("incomplete"), &Value::Null));
    assert_eq!(whole["incomplete_details"], json!({"reason": "max_output_tokens"}));
    assert_eq!(whole["output"][0]["status"], "incomplete");
}

#[test]
fn an_empty_answer_is_an_empty_message() {
    let (events, whole) = play(assembler(true), vec![end(ChatFinish::Stop)]);
    assert_eq!(items(&events), whole["output"]);
    assert_eq!(whole["output"][0]["content"][0]["text"], "");
    assert_eq!(whole["token_generations"][0]["output_indices"], json!([0]));
    assert!(!types(&events).contains(&"output_text.delta"));
}

#[test]
fn an_interrupted_stream_ends_with_its_cause() {
    let mut broken = assembler(false);
    broken.begin();
    let event = broken.fail(broken_off(ChatError::Failed("the cache is gone".to_owned()))).remove(0);
    let event = serde_json::to_value(event).unwrap();
    assert_eq!((&event["type"], &event["response"]["status"]), (&json!("response.failed"), &json!("failed")));
    assert_eq!(event["response"]["error"]["code"], "server_error");
    assert!(!event.to_string().contains("cache"), "the cause stays inside");
    let rejected = broken_off(ChatError::Invalid { param: "text.format".into(), message: "too hard".into() });
    assert_eq!((rejected.code, &*rejected.message), (ResponseErrorCode::InvalidPrompt, "too hard"));
}

#[test]
fn rejections_name_the_fields_of_this_operation() {
    let invalid = |param: &str, message: &str| ChatError::Invalid { param: param.into(), message: message.into() };
    for (error, param, message) in [
        (invalid("messages[2].role", "no"), "input", "no"),
        (
            invalid("tools[1].function.parameters", "tools[1].function.parameters: no"),
            "tools[1].parameters",
            "tools[1].parameters: no",
        ),
        (invalid("input[0].role", "no"), "input[0].role", "no"),
        (
            ChatError::Unsupported { param: "reasoning_effort".into(), message: "reasoning_effort \"x\" means".into() },
            "reasoning.effort",
            "reasoning.effort \"x\" means",
        ),
        (
            ChatError::Unsupported { param: "verbosity".into(), message: "verbosity \"low\" means".into() },
            "text.verbosity",
            "text.verbosity \"low\" means",
        ),
    ] {
        let failure = failure(error);
        assert_eq!((failure.param(), failure.message()), (Some(param), message));
    }
    let long = failure(ChatError::PromptTooLong { prompt: 9, limit: 8 });
    assert_eq!((long.param(), long.code()), (Some("input"), Some("context_length_exceeded")));
}

#[test]
fn numbers_are_echoed_as_they_are_written() {
    assert_eq!([0.7_f32, 1.0, 0.95].map(decimal), [0.7, 1.0, 0.95]);
}
