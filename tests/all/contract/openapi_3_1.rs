//! Documents as OpenAPI 3.1: the same types and operations as in their form of 3.0, and no change between the two.

use std::process::Command;

use serde_json::{Value, json};

use super::codegen::diff::diff;
use super::codegen::openapi_3_1::raise;
use super::codegen::{Document, Settings, lint};
use crate::time_limits::Limited;

fn settings() -> Settings {
    Settings { file: String::new(), support: "crate".to_owned(), project_rules: false }
}

/// Returns the intermediate form of a document, without assumptions.
fn lowered(document: &Value) -> String {
    let document = Document::parse_strict(&document.to_string(), &settings());
    let document = document.unwrap_or_else(|faults| panic!("{}", faults[0]));
    format!("{:#?}", document.api)
}

/// Returns the document that the command prints; `None` if it fails.
fn print(arguments: &[&str]) -> Option<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_trainyard")).args(arguments).output_limited();
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

fn printed(arguments: &[&str]) -> Value {
    print(arguments).unwrap_or_else(|| panic!("{arguments:?} fails"))
}

#[test]
fn a_document_has_the_same_meaning_in_both_versions() {
    let own = [("own", printed(&["spec", "--format", "json"])), ("clients", printed(&["spec", "--for", "clients"]))];
    for (name, document) in own {
        let raised = raise(&document);
        assert_eq!(raised["openapi"], "3.1.0", "{name}");
        assert_eq!(diff(&document, &raised), [], "{name}");
        assert_eq!(diff(&raised, &document), [], "{name}");
        let (old, new) = (lowered(&document), lowered(&raised));
        let difference = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        assert!(old == new, "{name}: {difference:?}");
    }
}

#[test]
fn the_printed_document_has_no_keyword_of_3_0() {
    fn keywords(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                // Values of examples are data.
                for (key, value) in
                    map.iter().filter(|(key, _)| !matches!(key.as_str(), "example" | "examples" | "value"))
                {
                    let is_old = match key.as_str() {
                        "nullable" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_boolean(),
                        "format" => value == "binary" || value == "byte",
                        _ => false,
                    };
                    if is_old {
                        found.push(format!("{key}: {value}"));
                    }
                    keywords(value, found);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| keywords(value, found)),
            _ => {}
        }
    }
    for arguments in [&["spec", "--openapi", "3.1"][..], &["spec", "--for", "clients", "--openapi", "3.1"]] {
        let document = printed(arguments);
        let mut found = Vec::new();
        keywords(&document, &mut found);
        assert_eq!(found, Vec::<String>::new(), "{arguments:?}");
        assert_eq!(document["components"]["schemas"]["FileContent"]["contentMediaType"], "application/octet-stream");
    }
    assert_eq!(print(&["spec", "--openapi", "3.1", "--format", "yaml"]), None);
}

/// The paths with `#stream` are the second form of operations; they are told, and not rejected.
#[test]
fn the_document_for_clients_is_sound() {
    for document in [printed(&["spec", "--for", "clients"]), printed(&["spec", "--for", "clients", "--openapi", "3.1"])]
    {
        let faults = lint::check(&document);
        let streams = document["paths"].as_object().expect("paths").keys().filter(|path| path.contains('#')).count();
        assert_eq!((faults.len(), streams), (4, 4), "{faults:?}");
        for fault in faults {
            assert!(!fault.is_error() && fault.pointer.ends_with("#stream"), "{fault}");
        }
    }
    let alone = json!({
        "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "paths": {"/a#stream": {"get": {"responses": {"200": {"description": "Done."}}}}},
    });
    assert!(lint::check(&alone).iter().any(|fault| fault.is_error() && fault.pointer == "/paths/~1a#stream"));
}
