//! Each keyword of OpenAPI 3.1 with its form of 3.0, its fault and its paths.

use serde_json::{Value, json};

use crate::diff::diff;
use crate::fault::Fault;
use crate::openapi_3_1::{Purpose, raise, reduce};
use crate::{Document, Settings, lint};

const A: &str = "/components/schemas/A";

/// A document with one operation that takes and returns the schema `A`.
fn document(version: &str, schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/A"}}});
    json!({
        "openapi": version, "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"post": {
            "requestBody": {"content": content},
            "responses": {"default": {"description": "Done.", "content": content}},
        }}},
        "components": {"schemas": {"A": schema, "B": {"type": "string"}}},
    })
}

/// Returns the schema `A` in the form of 3.0, and the faults of each purpose.
fn reduced(schema: &Value, lenient: bool) -> (Value, Vec<Fault>) {
    let document = document("3.1.0", schema);
    let reduced = reduce(&document, Purpose::Code { lenient });
    (reduced.document["components"]["schemas"]["A"].clone(), reduced.faults)
}

fn settings() -> Settings {
    Settings { file: String::new(), support: "::trainyard_runtime".to_owned(), project_rules: false }
}

/// Keywords that have an equivalent, with it.
fn equivalents() -> Vec<(Value, Value)> {
    let only_null = json!({"type": "string", "nullable": true, "enum": [null]});
    vec![
        (json!(true), json!({})),
        (json!({"type": ["string"]}), json!({"type": "string"})),
        (json!({"type": ["string", "null"]}), json!({"type": "string", "nullable": true})),
        (json!({"type": "null"}), only_null.clone()),
        (
            json!({"type": ["string", "null"], "enum": ["a", null]}),
            json!({"type": "string", "nullable": true, "enum": ["a", null]}),
        ),
        (
            json!({"type": ["string", "integer"], "minLength": 1, "maximum": 9, "description": "D"}),
            json!({"description": "D", "oneOf": [{"type": "string", "minLength": 1}, {"type": "integer", "maximum": 9}]}),
        ),
        (
            json!({"type": ["array", "number", "null"], "items": {"type": "string"}, "format": "float"}),
            json!({"oneOf": [
                {"type": "array", "items": {"type": "string"}}, {"type": "number", "format": "float"}, only_null,
            ]}),
        ),
        (json!({"type": ["integer", "number"]}), json!({"type": "number"})),
        (json!({"type": ["string", "number", "boolean", "array", "object", "null"]}), json!({})),
        (json!({"type": ["string", "integer"], "enum": ["a", 1, true]}), json!({"enum": ["a", 1]})),
        (json!({"const": "a"}), json!({"enum": ["a"]})),
        (json!({"type": ["string", "null"], "const": "a"}), json!({"type": "string", "enum": ["a"]})),
        (json!({"const": null}), only_null.clone()),
        (
            json!({"oneOf": [{"const": "a", "title": "A"}, {"const": "b", "description": "B"}]}),
            json!({"enum": ["a", "b"]}),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 9}),
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": true}),
        ),
        (
            json!({"type": "integer", "minimum": 5, "exclusiveMinimum": 1, "maximum": 9, "exclusiveMaximum": 9}),
            json!({"type": "integer", "minimum": 5, "maximum": 9, "exclusiveMaximum": true}),
        ),
        (json!({"type": "string", "examples": ["a"]}), json!({"type": "string", "example": "a"})),
        (json!({"$ref": "#/components/schemas/B"}), json!({"$ref": "#/components/schemas/B"})),
        (
            json!({"$ref": "#/components/schemas/B", "description": "D", "maxLength": 3}),
            json!({"allOf": [{"$ref": "#/components/schemas/B"}], "description": "D", "maxLength": 3}),
        ),
        (
            json!({"$ref": "#/components/schemas/B", "allOf": [{"minLength": 1}]}),
            json!({"allOf": [{"minLength": 1}, {"$ref": "#/components/schemas/B"}]}),
        ),
        (json!({"type": "string", "contentEncoding": "base64"}), json!({"type": "string", "format": "byte"})),
        (
            json!({"type": "string", "contentMediaType": "application/octet-stream"}),
            json!({"type": "string", "format": "binary"}),
        ),
        (json!({"type": "string", "contentMediaType": "application/json"}), json!({"type": "string"})),
        (json!({"type": "array"}), json!({"type": "array", "items": {}})),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "items": false}),
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 2}),
        ),
        (
            json!({"type": "object", "unevaluatedProperties": false}),
            json!({"type": "object", "additionalProperties": false}),
        ),
        (json!({"type": "string", "$comment": "C", "$schema": "S", "$anchor": "X"}), json!({"type": "string"})),
        (json!({"type": "string", "then": true, "else": true}), json!({"type": "string"})),
    ]
}

#[test]
fn equivalents_are_exact() {
    for (schema, form) in equivalents() {
        for lenient in [false, true] {
            let (found, faults) = reduced(&schema, lenient);
            assert_eq!(found, form, "{schema}");
            assert_eq!(faults, [], "{schema}");
        }
    }
}

#[test]
fn a_document_and_its_other_version_do_not_differ() {
    for (schema, form) in equivalents() {
        let (new, old) = (document("3.1.0", &schema), document("3.0.3", &form));
        // The comparison keeps keywords that code ignores.
        if schema.get("then").is_none() && schema["contentMediaType"] != "application/json" {
            assert_eq!(diff(&old, &new), [], "{schema}");
            assert_eq!(diff(&new, &old), [], "{schema}");
        }
    }
}

/// Keywords without an equivalent: the path of the fault, and the widest meaning.
#[test]
fn other_keywords_are_rejected_or_read_with_their_widest_meaning() {
    let items = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
    let object = json!({"type": "object"});
    for (schema, place, form) in [
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
            "/prefixItems",
            json!({"type": "array", "items": items, "maxItems": 2}),
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}]}),
            "/prefixItems",
            json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {}]}}),
        ),
        (json!({"type": "object", "if": {}, "then": {"required": ["a"]}}), "/if", object.clone()),
        (json!({"type": "object", "dependentRequired": {"a": ["b"]}}), "/dependentRequired", object.clone()),
        (json!({"type": "object", "propertyNames": {"maxLength": 3}}), "/propertyNames", object.clone()),
        (json!({"type": "array", "items": {}, "contains": {}}), "/contains", json!({"type": "array", "items": {}})),
        (json!({"type": "string", "nullable": true}), "/nullable", json!({"type": "string", "nullable": true})),
        (json!({"$dynamicRef": "#node"}), "/$dynamicRef", json!({})),
    ] {
        let (found, faults) = reduced(&schema, true);
        assert_eq!(found, form, "{schema}");
        let [fault] = faults.as_slice() else { panic!("{schema}: {faults:?}") };
        assert_eq!((fault.is_error(), fault.pointer.as_str()), (false, format!("{A}{place}").as_str()), "{schema}");
        let strict = reduced(&schema, false).1;
        let [fault] = strict.as_slice() else { panic!("{schema}: {strict:?}") };
        assert_eq!((fault.is_error(), fault.pointer.as_str()), (true, format!("{A}{place}").as_str()), "{schema}");
    }
}

#[test]
fn faults_and_references_keep_their_places() {
    let at = |schema: &Value| -> Vec<String> {
        let faults = lint::check(&document("3.1.0", schema));
        faults.into_iter().filter(Fault::is_error).map(|fault| fault.pointer).collect()
    };
    let bad = json!({"type": "string", "pattern": "("});
    for (schema, places) in [
        (json!({"type": ["array", "string"], "items": bad}), vec!["/items/pattern"]),
        (json!({"type": "array", "prefixItems": [{}, bad]}), vec!["/prefixItems", "/prefixItems/1/pattern"]),
        (json!({"type": "array", "prefixItems": [{}], "items": bad}), vec!["/items/pattern", "/prefixItems"]),
        (
            json!({"type": "array", "prefixItems": [{}, {"type": ["array", "null"], "prefixItems": [bad, bad], "items": false}]}),
            vec!["/prefixItems", "/prefixItems/1/prefixItems/0/pattern"],
        ),
        (json!({"$ref": "#/components/schemas/C", "description": "D"}), vec!["/$ref"]),
        (json!({"type": "object", "unevaluatedProperties": bad}), vec!["/unevaluatedProperties/pattern"]),
        (json!({"$defs": {"X": bad}}), vec!["/$defs/X/pattern"]),
    ] {
        assert_eq!(at(&schema), places.iter().map(|place| format!("{A}{place}")).collect::<Vec<_>>(), "{schema}");
    }
    // References into moved schemas follow them.
    let moved = json!({
        "type": ["object", "string"],
        "properties": {
            "a": {"type": "string", "$anchor": "text"},
            "b": {"$ref": "#/components/schemas/A/properties/a"},
            "c": {"$ref": "#text"},
        },
    });
    let (found, _) = reduced(&moved, true);
    let target = format!("#{A}/oneOf/0/properties/a");
    for name in ["b", "c"] {
        assert_eq!(found["oneOf"][0]["properties"][name]["$ref"], target.as_str(), "{name}");
    }
    assert_eq!(at(&moved), Vec::<String>::new());
}

#[test]
fn findings_have_the_places_of_their_documents() {
    let old = document("3.1.0", &json!({"type": ["object", "string"], "properties": {"a": {"type": "string"}}}));
    let new = document("3.1.0", &json!({"type": ["object", "string"], "properties": {"a": {"type": "integer"}}}));
    let findings = diff(&old, &new);
    assert!(!findings.is_empty());
    for finding in findings {
        assert!(finding.pointer.starts_with(&format!("{A}/properties/a")), "{finding:?}");
    }
    // A keyword that the comparison does not know is not lost.
    let with = |then: Value| document("3.1.0", &json!({"type": "object", "if": {"required": ["a"]}, "then": then}));
    let findings = diff(&with(json!({"required": ["b"]})), &with(json!({"required": ["c"]})));
    assert!(findings.iter().any(|finding| finding.rule == "unknown-key"), "{findings:?}");
}

#[test]
fn what_3_1_adds_beside_schemas_is_read() {
    let mut whole = document("3.1.0", &json!({"type": "string"}));
    whole["jsonSchemaDialect"] = "https://spec.openapis.org/oas/3.1/dialect/base".into();
    whole["info"]["summary"] = "S".into();
    whole["info"]["license"] = json!({"name": "MIT", "identifier": "MIT"});
    let response = json!({"$ref": "#/components/responses/R", "description": "Other."});
    whole["components"]["pathItems"] = json!({"P": {"get": {"operationId": "p", "responses": {"default": response}}}});
    whole["components"]["responses"] = json!({"R": {"description": "Done."}});
    whole["paths"]["/p"] = json!({"$ref": "#/components/pathItems/P"});
    whole["webhooks"] = json!({"w": {"post": {"responses": {"200": {"description": "Done."}}}}});
    let read = Document::parse_strict(&whole.to_string(), &settings()).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert!(read.api.operations.iter().any(|operation| operation.id == "p"));
    let warned: Vec<_> = read.warnings.iter().map(|fault| fault.pointer.as_str()).collect();
    assert!(warned.contains(&"/webhooks"), "{warned:?}");
    assert!(!warned.iter().any(|place| place.starts_with("/info") || place.starts_with("/components/pathItems")));
    // Paths are optional.
    let alone = json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "webhooks": whole["webhooks"]});
    Document::parse_strict(&alone.to_string(), &settings()).unwrap_or_else(|faults| panic!("{faults:?}"));
    // A credential that no request carries.
    whole["components"]["securitySchemes"] = json!({"m": {"type": "mutualTLS"}});
    let faults = Document::parse_strict(&whole.to_string(), &settings()).err().expect("refused");
    assert!(faults.iter().any(|fault| fault.is_error() && fault.pointer == "/components/securitySchemes/m/type"));
    assert!(Document::parse(&whole.to_string(), &settings()).is_ok());
}

/// A closed object that consists of parts.
#[test]
fn unevaluated_properties_close_the_whole_object() {
    let schema = json!({
        "allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}],
        "properties": {"b": {"type": "string"}}, "unevaluatedProperties": false, "examples": [{"a": "x", "b": "y"}],
    });
    let text = document("3.1.0", &schema).to_string();
    let read = Document::parse_strict(&text, &settings()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let closed = |document: &Document| {
        let found = document.api.types.iter().find(|named| named.name == "A").expect("the type");
        format!("{:?}", found.kind)
    };
    assert!(closed(&read).contains("additional: Rejected"), "{}", closed(&read));
    assert!(!read.warnings.iter().any(|fault| fault.pointer.starts_with(A)), "{:?}", read.warnings);
}

#[test]
fn a_raised_document_is_reduced_to_itself() {
    for (_, form) in equivalents() {
        let document = document("3.0.3", &form);
        let raised = raise(&document);
        let reduced = reduce(&raised, Purpose::Code { lenient: false });
        assert_eq!(reduced.document["components"], document["components"], "{raised}");
        assert!(reduced.faults.is_empty(), "{:?}", reduced.faults);
    }
    let nullable = raise(&document("3.0.3", &json!({"type": "string", "nullable": true, "enum": ["a"]})));
    assert_eq!(nullable["components"]["schemas"]["A"], json!({"type": ["string", "null"], "enum": ["a", null]}));
    let untyped = raise(&document("3.0.3", &json!({"nullable": true, "allOf": [{"$ref": "#/components/schemas/B"}]})));
    let any_of = json!([{"allOf": [{"$ref": "#/components/schemas/B"}]}, {"type": "null"}]);
    assert_eq!(untyped["components"]["schemas"]["A"], json!({"anyOf": any_of}));
}
