//! The document's schemas as JSON Schema, for a validator that is not ours.

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use trainyard::generated::OPENAPI_JSON;

/// The document as it is published.
pub(super) fn document() -> Value {
    serde_json::from_str(OPENAPI_JSON).expect("the document is JSON")
}

/// Target of a `$ref`; anything else is itself.
pub(super) fn resolve<'a>(document: &'a Value, node: &'a Value) -> &'a Value {
    match node["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in the document")),
        None => node,
    }
}

/// Whether a value may have fields that the document does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fields {
    /// As JSON Schema has it, and as requests are read.
    Open,
    /// A field that is not documented is a fault: what is asked of answers.
    Closed,
}

/// A validator of a schema, a node of the document.
///
/// # Errors
/// Violation in the schema.
pub(super) fn compiled(document: &Value, schema: &Value, fields: Fields) -> Result<Validator, String> {
    let mut schema = as_json_schema(schema, fields);
    if schema.is_object() {
        schema["components"]["schemas"] = components(&document["components"]["schemas"], fields);
    }
    jsonschema::draft202012::new(&schema).map_err(|error| error.to_string())
}

/// A validator of a schema that takes further fields.
pub(super) fn validator(document: &Value, schema: &Value) -> Validator {
    compiled(document, schema, Fields::Open).expect("a schema")
}

/// Violations that a validator finds in a value of this schema.
pub(super) fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let validator = validator(document, schema);
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Named schemas; the names may be words of JSON Schema.
fn components(schemas: &Value, fields: Fields) -> Value {
    let schemas = schemas.as_object().into_iter().flatten();
    schemas.map(|(name, schema)| (name.clone(), as_json_schema(schema, fields))).collect()
}

/// OpenAPI 3.0 to JSON Schema 2020-12.
fn as_json_schema(node: &Value, fields: Fields) -> Value {
    match node {
        // What stands beside a reference means nothing in 3.0.
        Value::Object(map) if map.contains_key("$ref") => json!({"$ref": map["$ref"]}),
        Value::Object(map) => {
            let mut converted = Map::new();
            for (key, child) in map {
                match key.as_str() {
                    "nullable" | "example" | "discriminator" | "exclusiveMinimum" | "exclusiveMaximum" => {}
                    "minimum" if map.get("exclusiveMinimum") == Some(&json!(true)) => {
                        converted.insert("exclusiveMinimum".to_owned(), child.clone());
                    }
                    "maximum" if map.get("exclusiveMaximum") == Some(&json!(true)) => {
                        converted.insert("exclusiveMaximum".to_owned(), child.clone());
                    }
                    // `false`, but the service ignores an unknown field that is null.
                    "additionalProperties" if map.get("x-unknown-null-ignored") == Some(&json!(true)) => {
                        converted.insert(key.clone(), json!({"type": "null"}));
                    }
                    // Values, not schemas.
                    "enum" | "default" | "required" => drop(converted.insert(key.clone(), child.clone())),
                    "properties" => drop(converted.insert(key.clone(), components(child, fields))),
                    _ => drop(converted.insert(key.clone(), as_json_schema(child, fields))),
                }
            }
            let closes = converted.contains_key("properties") && !converted.contains_key("additionalProperties");
            if fields == Fields::Closed && closes && !map.contains_key("allOf") {
                converted.insert("unevaluatedProperties".to_owned(), json!(false));
            }
            if map.get("nullable") == Some(&json!(true)) {
                return json!({"anyOf": [converted, {"type": "null"}]});
            }
            Value::Object(converted)
        }
        Value::Array(items) => items.iter().map(|item| as_json_schema(item, fields)).collect(),
        scalar => scalar.clone(),
    }
}
