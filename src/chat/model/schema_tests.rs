//! Completions under two hundred JSON schemas with five seeds each: every completion is complete and valid.

use futures_util::StreamExt;
use serde_json::{Value, json};

use super::engine_tests::served;
use super::*;
use crate::chat::{ChatFinish, ResponseFormat};
use crate::engine::scheduler::SamplerLimits;

const SCHEMAS: usize = 200;
const SEEDS: u64 = 5;
/// Token limit, above the need of any of the schemas.
const MAX_TOKENS: u64 = 300;

/// Returns the schema of an object with these properties, all required, and no others.
fn object(properties: Value) -> Value {
    let names: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

/// Returns the simple schemas: each keyword with related keywords.
fn leaves() -> Vec<Value> {
    let mut leaves = vec![
        json!({"type": "null"}),
        json!({"type": "boolean"}),
        json!({"const": "fixed"}),
        json!({"const": 5}),
        json!({"const": null}),
        json!({"const": {"a": [1, "é"]}}),
        json!({"const": [true, {"b": -1.5}]}),
        json!({"enum": ["red", "green", "blue"]}),
        json!({"enum": [1, 2.5, -3]}),
        json!({"enum": ["a", 1, null, true, {"x": 0}, [2]]}),
        json!({"enum": ["grün", "日本", "naïve ☃", "quote \" and \\ slash"]}),
        json!({"type": "string", "enum": ["one"]}),
        json!({"type": ["boolean", "null"]}),
        json!({"type": ["integer", "null"], "minimum": 0, "maximum": 9}),
        json!({"type": ["string", "boolean"], "maxLength": 3}),
        json!({"type": "integer", "minimum": 0, "maximum": 9, "nullable": true}),
        json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]}),
        json!({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 5}, {"enum": ["none"]}]}),
        json!({"oneOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}),
        json!({"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 12}]}),
        json!({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 4}]}),
        json!({"type": "integer", "multipleOf": 5, "minimum": 0, "maximum": 100}),
        json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 3}),
        json!({"type": "integer", "minimum": -20, "maximum": -10}),
        json!({"type": "integer", "minimum": 999, "maximum": 1001}),
        json!({"type": "string", "format": "date"}),
        json!({"type": "string", "format": "time"}),
        json!({"type": "string", "format": "date-time"}),
        json!({"type": "string", "format": "uuid"}),
        json!({"type": "string", "format": "ipv4"}),
        json!({"type": "array", "maxItems": 0}),
        json!({"type": "object", "additionalProperties": false}),
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false}),
    ];
    for (least, most) in [(0, 3), (1, 1), (2, 5), (4, 4), (0, 8)] {
        leaves.push(json!({"type": "string", "minLength": least, "maxLength": most}));
    }
    for pattern in [
        "^[a-z]{3}$",
        "^[A-Z][a-z]{1,4}$",
        "^\\d{3}-\\d{4}$",
        "^(yes|no|maybe)$",
        "^[äöü]{2}$",
        "^#[0-9a-f]{6}$",
        "^a.c$",
        "^(ab|cd){2}$",
    ] {
        leaves.push(json!({"type": "string", "pattern": pattern}));
    }
    leaves
}

/// Returns number schemas. Numbers may have unlimited digits, so these are not part of compound schemas.
fn numbers() -> Vec<Value> {
    vec![
        json!({"type": "number", "minimum": 0, "maximum": 1}),
        json!({"type": "number", "minimum": -1.5, "maximum": 1.5}),
        json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 10}),
    ]
}

/// Returns schemas composed of others.
fn compounds(leaves: &[Value]) -> Vec<Value> {
    let mut schemas = vec![
        object(
            json!({"ключ": {"type": "boolean"}, "鍵": {"const": 1}, "with space": {"type": "null"}, "quote\"": {"type": "boolean"}}),
        ),
        json!({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "null"}}, "required": ["b"], "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}}, "additionalProperties": false}),
        json!({"type": "object", "additionalProperties": {"type": "boolean"}, "properties": {"first": {"type": "null"}}, "required": ["first"], "maxProperties": 2}),
        json!({"type": "array", "prefixItems": [{"const": "x"}, {"type": "boolean"}], "items": false, "minItems": 2}),
        json!({"type": "array", "items": {"enum": [1, 2]}, "prefixItems": [{"type": "null"}], "minItems": 1, "maxItems": 4}),
        json!({"$defs": {"leaf": {"enum": ["l", "r"]}}, "type": "array", "items": {"$ref": "#/$defs/leaf"}, "minItems": 1, "maxItems": 3}),
        json!({"definitions": {"point": object(json!({"x": {"type": "integer", "minimum": 0, "maximum": 9}, "y": {"type": "integer", "minimum": 0, "maximum": 9}}))},
            "type": "object", "properties": {"from": {"$ref": "#/definitions/point"}, "to": {"$ref": "#/definitions/point"}}, "required": ["from", "to"], "additionalProperties": false}),
        // A list of unbounded length that rarely becomes long.
        json!({"$defs": {"list": {"anyOf": [{"type": "null"}, object(json!({"head": {"type": "boolean"}, "tail": {"$ref": "#/$defs/list"}}))]}}, "$ref": "#/$defs/list"}),
        json!({"$defs": {"a": {"anyOf": [{"type": "null"}, object(json!({"b": {"$ref": "#/$defs/b"}}))]}, "b": {"anyOf": [{"type": "null"}, object(json!({"a": {"$ref": "#/$defs/a"}}))]}}, "$ref": "#/$defs/a"}),
        json!({"oneOf": [object(json!({"kind": {"const": "circle"}, "radius": {"type": "integer", "minimum": 1, "maximum": 9}})), object(json!({"kind": {"const": "square"}, "side": {"type": "integer", "minimum": 1, "maximum": 9}}))]}),
        json!({"anyOf": [object(json!({"a": {"type": "null"}})), {"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, {"type": "boolean"}]}),
        json!({"allOf": [{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b"]}], "maxProperties": 2}),
    ];
    for (index, leaf) in leaves.iter().enumerate() {
        let other = &leaves[(index * 7 + 3) % leaves.len()];
        let (least, most) = [(0, 2), (1, 2), (2, 2)][index % 3];
        schemas.push(match index % 6 {
            0 => object(json!({"value": leaf, "other": other})),
            1 => json!({"type": "array", "items": leaf, "minItems": least, "maxItems": most}),
            2 => object(json!({"nested": object(json!({"value": leaf})), "flag": {"type": "boolean"}})),
            3 => json!({"anyOf": [object(json!({"some": leaf})), {"type": "null"}]}),
            4 => object(json!({"list": {"type": "array", "items": object(json!({"value": leaf})), "minItems": 1, "maxItems": 1}, "other": other})),
            _ => json!({"$defs": {"item": leaf}, "type": "object", "properties": {"optional": {"$ref": "#/$defs/item"}, "always": other},
                "required": ["always"], "additionalProperties": false}),
        });
        schemas.push(object(json!({"left": leaf, "middle": {"enum": ["-"]}, "right": object(json!({"deep": object(json!({"er": other}))}))})));
        schemas.push(json!({"type": "array", "prefixItems": [leaf, other], "items": false, "minItems": 2}));
    }
    schemas
}

#[tokio::test]
async fn two_hundred_schemas_under_five_seeds_are_all_valid() {
    let model = served(SamplerLimits { max_running: 24, ..SamplerLimits::default() });
    let mut schemas = [leaves(), numbers()].concat();
    schemas.extend(compounds(&leaves()));
    schemas.truncate(SCHEMAS);
    assert_eq!(schemas.len(), SCHEMAS);
    let requests = schemas.iter().flat_map(|schema| (0..SEEDS).map(move |seed| (schema, seed)));
    let completions = requests.map(async |(schema, seed)| {
        let request = ChatRequest {
            response_format: ResponseFormat::JsonSchema(schema.clone()),
            seed: Some(seed),
            max_tokens: Some(MAX_TOKENS),
            ..ChatRequest::new(vec![json!({"role": "user", "content": "JSON"})])
        };
        let mut stream = match model.chat(None, request).await {
            Ok(stream) => stream,
            Err(error) => return (schema, Err(error)),
        };
        let outcome = ChatStream::collect(&mut stream).await;
        (schema, outcome.map(|mut outcome| outcome.choices.remove(0)))
    });
    let completions: Vec<_> = futures_util::stream::iter(completions).buffered(32).collect().await;
    assert_eq!(completions.len(), SCHEMAS * SEEDS as usize);
    let mut faults = Vec::new();
    let mut different = std::collections::HashSet::new();
    for (schema, choice) in completions {
        let choice = match choice {
            Ok(choice) => choice,
            Err(error) => {
                faults.push(format!("{schema}: {error}"));
                continue;
            }
        };
        let text = choice.content.unwrap_or_default();
        let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
        let valid = serde_json::from_str(&text).is_ok_and(|value| validator.is_valid(&value));
        if choice.finish != ChatFinish::Stop || !valid {
            faults.push(format!("{schema}: {:?} after {} tokens: {text}", choice.finish, choice.tokens.len()));
        }
        different.insert((schema.to_string(), text));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    // Different seeds give different completions.
    assert!(different.len() > SCHEMAS * 2, "{}", different.len());
}
