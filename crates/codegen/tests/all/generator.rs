//! What the generator writes for one feature at a time.

use trainyard_codegen::{self as codegen, Settings};

const PARAMETERS: &str = include_str!("../fixtures/parameters.yaml");
const UNIONS: &str = include_str!("../fixtures/unions.yaml");
const ANSWERS: &str = include_str!("../fixtures/answers.yaml");

pub(super) fn artifact(document: &str, name: &str) -> String {
    let settings =
        Settings { file: "fixture.yaml".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    match codegen::generate(document, &settings) {
        Ok(output) => output.artifacts.into_iter().find(|(other, _)| *other == name).expect("an artifact").1,
        Err(faults) => panic!("the fixture has faults: {}", listed(&faults)),
    }
}

fn listed(faults: &[codegen::Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn parameters_and_a_body() {
    insta::assert_snapshot!(artifact(PARAMETERS, "server.rs"));
}

#[test]
fn limits() {
    insta::assert_snapshot!(artifact(PARAMETERS, "validate.rs"));
}

#[test]
fn unions_and_verbatim_values() {
    insta::assert_snapshot!(artifact(UNIONS, "unions.rs"));
}

#[test]
fn limits_inside_unions() {
    insta::assert_snapshot!(artifact(UNIONS, "validate.rs"));
}

#[test]
fn several_statuses_a_stream_an_alias_and_an_open_operation() {
    insta::assert_snapshot!(artifact(ANSWERS, "server.rs"));
}

/// A document with one operation, whose body has an array that comes item by item.
fn streamed(property: &str, media_type: &str, array: &serde_json::Value) -> String {
    let description = "D.";
    serde_json::json!({
        "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"post": {
            "x-stream-items": property,
            "requestBody": {"required": true, "content": {media_type: {"schema": {"$ref": "#/components/schemas/Order"}}}},
            "responses": {"204": {"description": description}},
        }}},
        "components": {"schemas": {
            "Order": {"type": "object", "description": description, "properties": {"items": array, "name": {"type": "string"}}},
            "Item": {"type": "object", "description": description, "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9}}},
        }},
    })
    .to_string()
}

#[test]
fn a_limit_beyond_the_numbers_of_32_bits_is_infinite() {
    let limited = |least: f64, most: f64| {
        let price = serde_json::json!({"type": "number", "format": "float", "minimum": least, "maximum": most});
        let document = serde_json::json!({
            "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
            "paths": {"/a": {"post": {
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}},
                "responses": {"204": {"description": "D."}},
            }}},
            "components": {"schemas": {"Order": {"type": "object", "description": "D.", "properties": {"price": price}}}},
        });
        artifact(&document.to_string(), "validate.rs").split_whitespace().collect::<String>()
    };
    let code = limited(-1e300, 1e300);
    assert!(code.contains(",-f32::INFINITY)") && code.contains(",f32::INFINITY)"), "{code}");
    assert!(!limited(-1.5, 3e38).contains("INFINITY"));
}

#[test]
fn an_array_that_comes_item_by_item() {
    let items = serde_json::json!({"type": "array", "items": {"$ref": "#/components/schemas/Item"}});
    let server = artifact(&streamed("items", "application/json", &items), "server.rs");
    let code: String = server.split_whitespace().collect();
    assert!(code.contains("pubbody:http::JsonItems<types::Order,types::Item>"), "{server}");
    assert!(code.contains(r#".json_items(8388608,"items",(validation::Validate::validate,"#), "{server}");

    let settings = Settings { file: "d".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    let inline = serde_json::json!({"type": "array", "items": {"type": "object"}});
    let bounded = serde_json::json!({"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Item"}});
    for (property, media_type, array, reason) in [
        ("name", "application/json", &items, "name is no array among the properties of the body"),
        ("others", "application/json", &items, "others is no array among the properties"),
        ("items", "application/json", &inline, "the items of items need a name"),
        ("items", "application/json", &bounded, "minItems of items cannot be checked as its items come"),
        ("items", "text/plain", &items, "text/plain has no array to stream"),
    ] {
        let faults = match codegen::generate(&streamed(property, media_type, array), &settings) {
            Ok(_) => panic!("{property} of {media_type} was accepted"),
            Err(faults) => listed(&faults),
        };
        assert!(faults.contains("/paths/~1a/post/x-stream-items") && faults.contains(reason), "{faults}");
    }
}
