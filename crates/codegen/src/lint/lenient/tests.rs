//! Each construct with its assumption, and a document without any.

use serde_json::{Value, json};

use crate::lint::lenient::assume;
use crate::{Document, Settings, artifacts};

fn settings() -> Settings {
    Settings { file: "d".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false }
}

/// A document with one operation that takes and returns a schema.
fn document(schema: Value) -> Value {
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/A"}}});
    json!({
        "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"post": {
            "requestBody": {"content": content},
            "responses": {"default": {"description": "Done.", "content": content}},
        }}},
        "components": {"schemas": {"A": schema, "B": {"type": "string"}}},
    })
}

/// Returns the generated types and the warnings.
fn served(document: &Value) -> (String, Vec<String>) {
    assert!(Document::parse_strict(&document.to_string(), &settings()).is_err(), "it is refused otherwise: {document}");
    let read = Document::parse(&document.to_string(), &settings()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let files = artifacts(&read, &settings()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let code = files.iter().filter(|(name, _)| *name != "openapi.json").map(|(_, text)| text.as_str());
    let code = code.flat_map(str::split_whitespace).collect();
    (code, read.warnings.iter().map(|fault| format!("{}: {}", fault.pointer, fault.message)).collect())
}

#[test]
fn schemas_get_their_widest_meaning() {
    let object = |schema: Value| json!({"type": "object", "required": ["p"], "properties": {"p": schema}});
    let p = "/components/schemas/A/properties/p";
    for (schema, code, place, warning) in [
        (object(json!({"type": "array"})), "pubp:Vec<::serde_json::Value>", p, "items of any kind are taken"),
        (
            object(json!({"type": "string", "not": {"enum": ["x"]}})),
            "pubp:String",
            "/not",
            "the values that it forbids",
        ),
        (object(json!({"not": {}})), "pubp:::serde_json::Value", "/not", "`not` is not checked"),
        (object(json!({"const": "x"})), "&[\"x\"]", "/const", "read as an `enum`"),
        (object(json!({"const": 7, "type": "integer"})), "pubp:i64", "/const", "read as an `enum`"),
        (
            object(
                json!({"type": "object", "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false}),
            ),
            "pubp:::serde_json::Map<",
            "/patternProperties",
            "of any name and value",
        ),
        (
            object(json!({"$ref": "other.yaml#/X"})),
            "pubp:::serde_json::Value",
            "/$ref",
            "\"other.yaml#/X\" lies in another file, which is not read: any value is taken",
        ),
        (
            object(json!({"type": "integer", "minimum": 5, "maximum": 1})),
            "pubp:i64",
            p,
            "`minimum` 5 is above `maximum` 1",
        ),
        (
            object(json!({"allOf": [{"type": "string"}, {"type": "object"}]})),
            "pubp:::serde_json::Value",
            p,
            "nothing is both string and object",
        ),
        (object(json!({"type": "string", "oneOf": []})), "pubp:String", "/oneOf", "is empty and is left out"),
        (object(json!({"type": "integer", "enum": ["a"]})), "pubp:i64", p, "no value of the `enum` is of type integer"),
    ] {
        let (written, warnings) = served(&document(schema.clone()));
        assert!(written.contains(code), "{schema}: {written}");
        assert!(warnings.iter().any(|told| told.contains(place) && told.contains(warning)), "{schema}: {warnings:?}");
    }
}

#[test]
fn a_branch_that_nothing_fits_is_left_out_and_the_others_keep_their_places() {
    let branch = |json_type: &str| json!({"allOf": [{"type": "string"}, {"type": json_type}]});
    let wrong = json!({"type": "boolean", "default": "no"});
    let union = json!({"oneOf": [branch("object"), {"type": "string"}, {"not": {}, "type": "integer", "minimum": 2, "maximum": 1}, wrong]});
    let (_, warnings) = served(&document(union));
    let at = "/components/schemas/A/oneOf";
    for told in [
        format!("{at}/0: no value fits this branch (nothing is both string and object): it is left out"),
        format!("{at}/2: no value fits this branch (`minimum` 2 is above `maximum` 1): it is left out"),
    ] {
        assert!(warnings.contains(&told), "{told}: {warnings:#?}");
    }
    assert!(warnings.iter().any(|told| told.starts_with(&format!("{at}/3/default: "))), "{warnings:#?}");
    assert!(!warnings.iter().any(|told| told.contains("any value is taken")), "{warnings:#?}");
}

#[test]
fn an_operation_without_responses_may_answer_anything() {
    let mut empty = document(json!({"type": "string"}));
    empty["paths"]["/a"]["post"]["responses"] = json!({});
    let (code, warnings) = served(&empty);
    assert!(code.contains("Default{"), "{code}");
    assert!(warnings.iter().any(|told| told.contains("/responses: no response is documented")), "{warnings:?}");
}

#[test]
fn an_undeclared_scheme_is_a_bearer_token() {
    let mut document = document(json!({"type": "string"}));
    document["security"] = json!([{"key": []}]);
    let (code, warnings) = served(&document);
    assert!(code.contains("Bearer"), "{code}");
    assert!(warnings.iter().any(|told| told.contains("/security/0/key: `key` is no scheme")), "{warnings:?}");
}

#[test]
fn parts_of_operations_in_other_files_have_stand_ins() {
    let mut document = document(json!({"type": "string"}));
    let operation = json!({
        "parameters": [{"$ref": "p.yaml"}, {"name": "q", "in": "query", "schema": {"type": "string", "default": 5}}],
        "requestBody": {"$ref": "b.yaml"},
        "responses": {"200": {"$ref": "r.yaml"}},
    });
    document["paths"] = json!({"/a/{id}": {"post": operation}, "/b": {"$ref": "paths.yaml#/b"}});
    let (code, warnings) = served(&document);
    assert!(code.contains("pubid:String") && code.contains("pubq:"), "{code}");
    for place in ["/post/parameters/0/$ref", "/post/requestBody/$ref", "/post/responses/200/$ref", "/paths/~1b/$ref"] {
        assert!(warnings.iter().any(|told| told.contains(place) && told.contains("another file")), "{warnings:?}");
    }
    assert!(warnings.iter().any(|told| told.contains("/post/parameters/1/schema/default: ")), "{warnings:?}");
}

#[test]
fn unsatisfiable_branches_are_dropped() {
    let mut document = document(json!({"type": "string"}));
    let content = &mut document["paths"]["/a"]["post"]["responses"]["default"]["content"];
    content["examples"] = json!({"one": {"value": 1}});
    for path in ["/a#again", "/b#again", "/a?again"] {
        document["paths"][path] = document["paths"]["/a"].clone();
    }
    let (code, warnings) = served(&document);
    assert!(code.contains("\"/a\"") && !code.contains("again"), "{code}");
    for told in [
        "/content/examples: `examples` is no media type",
        "/paths/~1a#again: its requests arrive at the path before `#`",
        "/paths/~1b#again: no request has this path",
        "/paths/~1a?again: no request has this path",
    ] {
        assert!(warnings.iter().any(|warning| warning.contains(told)), "{warnings:?}");
    }
}

#[test]
fn a_document_without_such_constructs_stays_as_it_is() {
    let document = document(json!({"oneOf": [{"type": "string"}, {"type": "array", "items": {}}]}));
    let assumed = assume(&document);
    assert_eq!((assumed.document, assumed.warnings), (document, Vec::new()));
}

/// Faults of paths and operations that are clear enough to be served.
#[test]
fn paths_are_served_with_what_is_known_of_them() {
    let response = json!({"default": {"description": "Done."}});
    let operation = json!({"operationId": "read", "responses": response});
    let mut document = document(json!({"type": "string"}));
    let text = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    document["paths"] = json!({
        "/a/{id}": {"get": operation, "put": {"$ref": "operations.yaml#/put"}},
        "/a/{other}": {"parameters": [text("other")], "get": operation},
        "/b": {"parameters": [text("gone")], "get": {"operationId": "Read", "parameters": [text("gone"), {
            "name": "q", "in": "query", "schema": {"$ref": "#/components/schemas/Missing"}}], "responses": response}},
    });
    let (code, warnings) = served(&document);
    assert!(code.contains("/a/{id}") && code.contains("get_b") && !code.contains("gone"), "{code}");
    for told in [
        "/paths/~1a~1{id}/get: no parameter declares `{id}` of the path: any text is taken",
        "/paths/~1a~1{id}/put: an operation cannot be a reference",
        "/paths/~1a~1{other}/get: `/a/{id}` has the same requests: this operation is not served",
        "/paths/~1b/parameters/0: the path has no `{gone}`: the parameter is left out",
        "/paths/~1b/get/parameters/0: the path has no `{gone}`: the parameter is left out",
        "/paths/~1b/get/parameters/1/schema/$ref: \"#/components/schemas/Missing\" does not exist: any value is taken",
        "/paths/~1b/get/operationId: another operation has the id `Read`, or one alike",
    ] {
        assert!(warnings.iter().any(|warning| warning.contains(told)), "{told}: {warnings:#?}");
    }
    document.as_object_mut().expect("an object").shift_remove("paths");
    assert!(served(&document).1.iter().any(|warning| warning.contains("the document has no `paths`")));
}

#[test]
fn keywords_that_cannot_be_read_are_left_out() {
    for (schema, told) in [
        (json!({"type": "string", "pattern": "(?z)a"}), "/pattern: the pattern is not checked"),
        (json!({"type": "array", "items": {}, "min_items": 1}), "/min_items: `min_items` is no key of a Schema Object"),
        (json!({"type": "string", "required": true}), "/required: `required` lists names"),
        (json!({"type": "object", "if": {}, "then": {}}), "/if: `if` is no key of a Schema Object"),
        (json!({"type": "string", "enum": ["abc"], "maxLength": 1}), "the limits of the length exclude every value"),
    ] {
        let (_, warnings) = served(&document(schema.clone()));
        assert!(warnings.iter().any(|warning| warning.contains(told)), "{schema}: {warnings:?}");
        assert!(Document::parse_strict(&document(schema.clone()).to_string(), &settings()).is_err(), "{schema}");
    }
}
