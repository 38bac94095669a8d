//! Types of the runtime against the components of the document that they stand for.

use std::time::Duration;

use serde_json::{Map, Value, json};
use trainyard::{
    generated::{OPENAPI_JSON, types},
    http::ApiError,
    json::{AnyObject, Verbatim},
};

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
