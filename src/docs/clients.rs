//! Variant of the OpenAPI document for generators of clients.
//!
//! These generators make a method of every path, use one base address, and expect one media type of a response:
//! openapi-python-client reads the first one, openapi-fetch types the body as any of them. The variant therefore differs
//! in three ways:
//!
//! * Aliases (`x-alias-of`) of operations and parameters, and paths with servers of their own are left out: each operation
//!   has one method, and each value one parameter.
//! * An operation whose body asks for a stream with `stream` becomes two: one with a JSON response, and one with a text
//!   response, whose id ends in `_stream` and whose path ends in `#stream`. Clients do not send a fragment.
//! * Any other stream, and any other media type beside JSON, is left out. `Accept` selects it, which generated clients do not
//!   send.

use serde_json::{Map, Value, json};

use crate::generated::OPENAPI_JSON;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Returns the variant as JSON.
pub(crate) fn document() -> String {
    // The document is compiled in, and a test parses it.
    let mut document: Value = serde_json::from_str(OPENAPI_JSON).unwrap_or_default();
    let paths = document["paths"].as_object().cloned().unwrap_or_default();
    let mut kept = Map::new();
    for (path, item) in paths {
        let Value::Object(mut item) = item else { continue };
        item.retain(|_, operation| operation.get("x-alias-of").is_none());
        if item.contains_key("servers") || !item.values().any(is_operation) {
            continue;
        }
        if let Some(parameters) = item.get_mut("parameters").and_then(Value::as_array_mut) {
            parameters.retain(|parameter| {
                let shared = component(parameter).map(|name| &document["components"]["parameters"][name]);
                shared.unwrap_or(parameter).get("x-alias-of").is_none()
            });
        }
        let streams = take_streams(&mut document["components"], &mut item);
        let stream_path = format!("{path}#stream");
        kept.insert(path, item.into());
        if !streams.is_empty() {
            kept.insert(stream_path, streams.into());
        }
    }
    document["paths"] = kept.into();
    remove_unused_examples(&mut document);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Removes the shared examples of what is left out.
fn remove_unused_examples(document: &mut Value) {
    let text = document.to_string();
    if let Some(examples) = document["components"]["examples"].as_object_mut() {
        examples.retain(|name, _| text.contains(&format!("\"#/components/examples/{name}\"")));
    }
}

fn is_operation(entry: &Value) -> bool {
    entry.get("responses").is_some()
}

/// Removes the streams from the operations of a path. Returns a path with those that a body asks for.
fn take_streams(components: &mut Value, item: &mut Map<String, Value>) -> Map<String, Value> {
    let mut streams = Map::new();
    for (method, operation) in item.iter_mut() {
        let content = operation.pointer_mut("/responses/200/content").and_then(Value::as_object_mut);
        let Some(content) = content.filter(|content| content.contains_key(JSON)) else { continue };
        let events = content.shift_remove(EVENTS);
        content.retain(|media, _| media == JSON);
        let Some(events) = events else { continue };
        if let Some(stream) = split(components, operation, &events) {
            streams.insert(method.clone(), stream);
        }
    }
    if !streams.is_empty() {
        streams.extend(item.get("parameters").map(|shared| ("parameters".to_owned(), shared.clone())));
    }
    streams
}

/// Returns the streaming half of an operation, and restricts the operation to the other half. `None` if its body does
/// not ask for streams.
fn split(components: &mut Value, operation: &mut Value, events: &Value) -> Option<Value> {
    let body = component(&operation["requestBody"])?;
    let request = component(&components["requestBodies"][&body]["content"][JSON]["schema"])?;
    components["schemas"][&request]["properties"].get("stream")?;

    let mut streamed_request = components["schemas"][&request].clone();
    set_stream(&mut streamed_request, true);
    set_stream(&mut components["schemas"][&request], false);
    streamed_request["required"].as_array_mut()?.push("stream".into());
    let streamed_name = format!("{}StreamRequest", request.trim_end_matches("Request"));

    let mut streamed_body = components["requestBodies"][&body].clone();
    keep_examples(&mut streamed_body, true);
    keep_examples(&mut components["requestBodies"][&body], false);
    streamed_body["content"][JSON]["schema"] = json!({"$ref": format!("#/components/schemas/{streamed_name}")});

    let mut stream = operation.clone();
    for (key, suffix) in [("operationId", "_stream"), ("summary", " (stream)")] {
        stream[key] = format!("{}{suffix}", operation[key].as_str().unwrap_or_default()).into();
    }
    let event = component(&events["schema"])?;
    let description = format!("Server-sent events; `data` of each is a `{event}` as JSON.");
    stream["responses"]["200"]["content"] = json!({EVENTS: {"schema": {"type": "string", "description": description}}});
    stream["requestBody"] = json!({"$ref": format!("#/components/requestBodies/{body}Stream")});

    components["schemas"][streamed_name] = streamed_request;
    components["requestBodies"][format!("{body}Stream")] = streamed_body;
    Some(stream)
}

/// Returns the name of the component that a node refers to.
fn component(node: &Value) -> Option<String> {
    Some(node.get("$ref")?.as_str()?.rsplit('/').next()?.to_owned())
}

/// Restricts the field `stream` of a request to one value.
fn set_stream(request: &mut Value, value: bool) {
    if let Some(field) = request["properties"]["stream"].as_object_mut() {
        field.shift_remove("nullable");
        field.insert("enum".to_owned(), json!([value]));
    }
}

/// Keeps the examples of a body that ask for a stream, or the others.
fn keep_examples(body: &mut Value, streamed: bool) {
    if let Some(examples) = body["content"][JSON]["examples"].as_object_mut() {
        examples.retain(|_, example| (example["value"]["stream"] == true) == streamed);
        if examples.is_empty()
            && let Some(media) = body["content"][JSON].as_object_mut()
        {
            media.shift_remove("examples");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_operation_has_one_method_and_one_kind_of_success() {
        let document: Value = serde_json::from_str(&document()).expect("JSON");
        let (mut ids, mut streams) = (BTreeSet::new(), Vec::new());
        for (path, item) in document["paths"].as_object().expect("paths") {
            assert!(item.get("servers").is_none(), "{path}");
            for operation in item.as_object().expect("operations").values().filter(|entry| is_operation(entry)) {
                let id = operation["operationId"].as_str().expect("an id");
                assert!(ids.insert(id.to_owned()) && operation.get("x-alias-of").is_none(), "{id}");
                let content = operation["responses"]["200"]["content"].as_object();
                assert!(content.is_none_or(|content| content.len() == 1), "{id}");
                if content.is_some_and(|content| content.contains_key(EVENTS)) {
                    streams.push((id.to_owned(), path.clone()));
                }
            }
        }
        let expected = [
            ("create_chat_completion_stream", "/v1/chat/completions#stream"),
            ("create_response_stream", "/v1/responses#stream"),
            ("create_message_stream", "/v1/messages#stream"),
            ("create_completion_stream", "/v1/completions#stream"),
        ];
        assert_eq!(streams, expected.map(|(id, path)| (id.to_owned(), path.to_owned())));
        assert!(ids.contains("create_chat_completion") && ids.contains("list_training_job_events"), "{ids:?}");
    }

    #[test]
    fn the_request_selects_the_method() {
        let document: Value = serde_json::from_str(&document()).expect("JSON");
        let examples = &document["components"]["examples"];
        assert!(examples.get("CompletionText").is_some() && examples.get("ChunkRole").is_none(), "{examples}");
        let schemas = &document["components"]["schemas"];
        for (request, value) in [("ChatCompletionRequest", false), ("ChatCompletionStreamRequest", true)] {
            assert_eq!(schemas[request]["properties"]["stream"]["enum"], json!([value]), "{request}");
            let required = schemas[request]["required"].as_array().expect("a list").contains(&json!("stream"));
            assert_eq!(required, value, "{request}");
        }
        for (body, value) in [("ChatCompletion", false), ("ChatCompletionStream", true)] {
            let examples = &document["components"]["requestBodies"][body]["content"][JSON]["examples"];
            let examples = examples.as_object().expect("examples");
            assert!(examples.values().all(|example| (example["value"]["stream"] == true) == value), "{body}");
        }
    }
}
