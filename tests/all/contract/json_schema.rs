//! The document's schemas as JSON Schema, for a validator that is not ours.

use serde_json::{Value, json};
use trainyard::generated::OPENAPI_JSON;

/// The document as it is published.
pub fn document() -> Value {
    serde_json::from_str(OPENAPI_JSON).expect("the document is JSON")
}

/// What a `$ref` names; anything else is itself.
pub fn resolve<'a>(document: &'a Value, node: &'a Value) -> &'a Value {
    match node["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in the document")),
        None => node,
    }
}

/// What a validator has against a value of this schema, a node of the document.
pub fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut schema = as_json_schema(schema);
    schema["components"]["schemas"] = as_json_schema(&document["components"]["schemas"]);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// OpenAPI 3.0 to JSON Schema: `nullable` becomes a choice with null.
fn as_json_schema(node: &Value) -> Value {
    match node {
        Value::Object(map) => {
            let known = map.iter().filter(|(key, _)| *key != "nullable" && *key != "example");
            let converted: Value = known.map(|(key, child)| (key.clone(), as_json_schema(child))).collect();
            if map.get("nullable") == Some(&Value::Bool(true)) {
                json!({ "anyOf": [converted, { "type": "null" }] })
            } else {
                converted
            }
        }
        Value::Array(items) => items.iter().map(as_json_schema).collect(),
        scalar => scalar.clone(),
    }
}
