//! Types of the runtime against the components of the document that they stand for.

use std::time::Duration;

use serde_json::{Map, Value, json};
use trainyard::generated::{OPENAPI_JSON, types};
use trainyard::http::ApiError;
use trainyard::json::{AnyObject, Verbatim};

/// The limits of a schema, without its descriptions.
fn limits(schema: &Value) -> Value {
    let kept = |key: &str| !key.starts_with(['x', '$']) && !matches!(key, "description" | "title" | "example");
    let map = schema.as_object().into_iter().flatten().filter(|(key, _)| kept(key));
    map.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>().into()
}

/// Verbatim components that refer to no schema are read by `AnyObject`, which nobody generated.
#[test]
fn the_schema_of_any_object_is_the_documents() {
    let document: Value = serde_json::from_str(OPENAPI_JSON).unwrap();
    let by_hand = limits(schemars::schema_for!(Verbatim<AnyObject>).as_value());
    let components = document["components"]["schemas"].as_object().unwrap();
    let by_runtime = |schema: &Value| {
        schema["x-verbatim"] == true && ["allOf", "oneOf"].iter().all(|key| schema.get(*key).is_none())
    };
    let hand_written: Vec<_> = components.iter().filter(|(_, schema)| by_runtime(schema)).collect();
    assert!(!hand_written.is_empty());
    for (name, schema) in hand_written {
        assert_eq!(limits(schema), by_hand, "{name}");
    }
    assert!(components.values().all(|schema| schema.get("x-rust-type").is_none()), "compare it here as well");
    assert_eq!(by_hand, json!({"type": "object", "additionalProperties": true}));
}

#[test]
fn the_envelope_of_errors_is_the_documents() {
    let failures = [
        ApiError::invalid("messages[0].role", "no"),
        ApiError::unauthorized("who?"),
        ApiError::internal("disk"),
        ApiError::unavailable("later", Duration::from_secs(1)),
    ];
    for failure in failures {
        let own = serde_json::to_value(failure.body()).unwrap();
        let component: types::ErrorResponse = serde_json::from_value(own.clone()).unwrap();
        assert_eq!(serde_json::to_value(component).unwrap(), own);
        assert_eq!(own["error"].as_object().unwrap().len(), 4, "{own}");
    }
}

/// A type of a user's own that has the name of a component and contains generated types.
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Tool {
    request: types::ChatCompletionRequest,
    job: types::CreateTrainingJob,
    functions: Vec<types::Tool>,
}

#[test]
fn the_schemas_of_generated_types_are_the_documents() {
    let document: Value = serde_json::from_str(OPENAPI_JSON).unwrap();
    let own = schemars::schema_for!(Tool).to_value();
    let own = jsonschema::draft202012::new(&own).unwrap();
    let chat = json!({"model": "m", "messages": [{"role": "user", "content": "a"}]});
    let job = json!({"model_id": "m", "trajectory_groups": [{"trajectories": []}]});
    let tool = json!({"type": "function", "function": {"name": "f", "parameters": {}}});
    let cases = [
        ("/request", "ChatCompletionRequest", json!({})),
        ("/request/messages", "ChatCompletionRequest", json!([])),
        ("/request/messages/0/role", "ChatCompletionRequest", json!("nobody")),
        ("/request/messages/0/content", "ChatCompletionRequest", json!([{"type": "text", "text": "a"}])),
        ("/request/messages/0/content", "ChatCompletionRequest", json!(1)),
        ("/request/temperature", "ChatCompletionRequest", Value::Null),
        ("/request/temperature", "ChatCompletionRequest", json!("hot")),
        ("/request/temperature", "ChatCompletionRequest", json!(-1)),
        ("/request/top_p", "ChatCompletionRequest", json!(0)),
        ("/request/top_p", "ChatCompletionRequest", json!(1)),
        ("/request/reasoning_effort", "ChatCompletionRequest", Value::Null),
        ("/request/reasoning_effort", "ChatCompletionRequest", json!("endless")),
        ("/request/response_format", "ChatCompletionRequest", json!({"type": "json_object"})),
        ("/request/response_format", "ChatCompletionRequest", json!({"type": "poem"})),
        ("/job", "CreateTrainingJob", json!({"model_id": 1})),
        ("/functions/0", "Tool", json!({"type": "function"})),
        ("/functions/0", "Tool", tool.clone()),
    ];
    let (mut taken, mut rejected) = (0, 0);
    for (place, component, value) in cases {
        let mut whole = json!({"request": chat, "job": job, "functions": [tool]});
        let (parent, key) = place.rsplit_once('/').unwrap();
        match whole.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
            parent => parent[key] = value,
        }
        let part = &whole[place.split('/').nth(1).unwrap()];
        let part = if component == "Tool" { &part[0] } else { part };
        let schema = &document["components"]["schemas"][component];
        let faults = super::json_schema::faults(&document, schema, part);
        assert_eq!(own.is_valid(&whole), faults.is_empty(), "{place}: {part}: {faults:?}");
        *if faults.is_empty() { &mut taken } else { &mut rejected } += 1;
    }
    assert!(taken > 4 && rejected > 7, "{taken} taken, {rejected} refused");
}
