//! OpenAPI 3.0 to OpenAPI 3.1.

use serde_json::{Map, Value, json};

use crate::lint::grammar::Kind;
use crate::openapi_3_1::walk::{Visit, walk};

/// Version of the written document.
const VERSION: &str = "3.1.0";

/// Returns a valid document of OpenAPI 3.0 as OpenAPI 3.1, with its keys in their order.
pub fn raise(document: &Value) -> Value {
    let mut raised = document.clone();
    walk(&mut Writer, Kind::OpenApi, &mut raised, "");
    if let Some(version) = raised.get_mut("openapi") {
        *version = VERSION.into();
    }
    raised
}

struct Writer;

impl Visit for Writer {
    fn visit(&mut self, kind: Kind, value: &mut Value, _: &str) {
        if let Value::Object(object) = value
            && kind == Kind::Schema
            && !object.contains_key("$ref")
        {
            *value = schema(std::mem::take(object)).into();
        }
    }
}

fn schema(mut schema: Map<String, Value>) -> Map<String, Value> {
    let nullable = schema.shift_remove("nullable") == Some(Value::Bool(true));
    if nullable && !schema.contains_key("type") {
        let raised = keywords(&schema, false);
        return Map::from_iter([("anyOf".to_owned(), json!([raised, {"type": "null"}]))]);
    }
    if nullable && schema.get("enum") == Some(&json!([null])) {
        schema.shift_remove("enum");
        schema.insert("type".to_owned(), "null".into());
        return keywords(&schema, false);
    }
    keywords(&schema, nullable)
}

/// Rewrites the keywords of a schema.
fn keywords(schema: &Map<String, Value>, nullable: bool) -> Map<String, Value> {
    let is_excluded = |limit: &str| {
        let key = if limit == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
        schema.get(key) == Some(&Value::Bool(true))
    };
    let limit = |key: &str| if key == "exclusiveMinimum" { "minimum" } else { "maximum" };
    let mut raised = Map::new();
    for (key, value) in schema {
        let (key, value) = match (key.as_str(), value) {
            ("minimum" | "maximum", _) if is_excluded(key) => continue,
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(excluded)) => match schema.get(limit(key)) {
                Some(number) if *excluded => (key.as_str(), number.clone()),
                _ => continue,
            },
            ("type", named) if nullable => ("type", json!([named, "null"])),
            ("enum", Value::Array(values)) if nullable && !values.contains(&Value::Null) => {
                let values: Vec<_> = values.iter().cloned().chain([Value::Null]).collect();
                ("enum", values.into())
            }
            ("example", value) => ("examples", json!([value])),
            ("format", Value::String(format)) if format == "binary" => {
                ("contentMediaType", "application/octet-stream".into())
            }
            ("format", Value::String(format)) if format == "byte" => ("contentEncoding", "base64".into()),
            (key, value) => (key, value.clone()),
        };
        raised.insert(key.to_owned(), value);
    }
    raised
}
