//! What the linter says: nothing to sound documents, exact messages for invalid ones, and never a panic.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, json};

use trainyard_codegen::source::Source;
use trainyard_codegen::{self as codegen, Fault, Settings, lint};

use crate::mutation::{FIXTURES, mutate, mutation};

fn listed(faults: &[Fault]) -> String {
    let line = |fault: &Fault| format!("{} {fault}", if fault.is_error() { "error  " } else { "warning" });
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn sound_documents_have_no_errors() {
    let told: Vec<_> =
        FIXTURES.iter().map(|(name, text)| format!("{name}\n{}", listed(&lint::check_text(text)))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn invalid_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/invalid");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{names:?}");
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).expect("it can be read");
        let faults = lint::check_text(&text).into_iter().map(|fault| fault.in_file(&name)).collect::<Vec<_>>();
        insta::assert_snapshot!(format!("invalid_{}", name.trim_end_matches(".yaml")), listed(&faults));
    }
}

/// The `type` that once made a code generator of others panic.
#[test]
fn a_type_that_nobody_knows_is_rejected() {
    let text = include_str!("../fixtures/unknown_type.yaml");
    let errors: Vec<_> = lint::check_text(text).into_iter().filter(Fault::is_error).collect();
    assert!(
        errors.iter().any(|fault| fault.pointer == "/components/schemas/Circle/type"
            && fault.message.contains("not `objec1111111111111111111111111111111111111111t`")),
        "{}",
        listed(&errors)
    );
}

#[test]
fn addresses_of_paths_and_operations_give_routers_with_names() {
    let answer = json!({"204": {"description": "Done."}});
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://example.com"}],
        "paths": {
            "/a": {"servers": [{"url": "/"}], "get": {"responses": answer}},
            "/b": {"servers": [{"url": "/v2"}], "get": {"responses": answer}},
            "/c": {"get": {"servers": [{"url": "https://{name}.{region}.example.com", "variables": {
                "name": {"default": "n"}, "region": {"default": "r"}}}], "responses": answer}},
            "/d": {"get": {"servers": [{"url": "https://日本.example"}], "responses": answer}},
            "/e": {"get": {"servers": [{"url": ""}], "responses": answer}},
        },
    });
    let settings = Settings { file: "d".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    let output =
        codegen::generate(&document.to_string(), &settings).unwrap_or_else(|faults| panic!("{}", listed(&faults)));
    let (_, server) = output.artifacts.iter().find(|(name, _)| *name == "server.rs").expect("a server");
    for path in ["/a", "/b", "/c", "/d", "/e"] {
        assert!(server.contains(&format!("\"{path}\"")), "{path} is lost");
    }
}

#[test]
fn bodies_that_no_code_reads_are_told() {
    let text = |limits: serde_json::Value| {
        let mut schema = json!({"type": "string"});
        schema.as_object_mut().expect("an object").extend(limits.as_object().expect("an object").clone());
        json!({"schema": schema})
    };
    let object = json!({"schema": {"type": "object", "properties": {"a": {"type": "string"}}}});
    let content = json!({
        "application/xml": object, "text/xml": object, "application/x-ndjson": object, "application/json": object,
        "application/yaml": text(json!({"maxLength": 3})), "text/plain": text(json!({"maxLength": 3})),
        "application/pdf": text(json!({"format": "binary"})), "application/toml": text(json!({})),
    });
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"post": {"requestBody": {"content": content}, "responses": {"default": {"description": "Done."}}}}},
    });
    let settings = Settings { file: "d".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    let output = codegen::generate(&document.to_string(), &settings).expect("warnings alone");
    let told = output.warnings.iter().filter(|fault| fault.message.starts_with("no code reads"));
    let told: Vec<_> = told.filter_map(|fault| fault.pointer.rsplit('/').next()).collect();
    assert_eq!(told, ["application~1xml", "text~1xml", "application~1x-ndjson", "application~1yaml"]);
}

#[test]
fn a_fault_of_a_place_is_told_once() {
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {},
        "components": {"schemas": {"A": {"type": "object", "properties": {
            "bad": {"type": "integer", "default": "x"},
            "wide": {"type": "integer", "format": "uint8", "default": 256},
        }}}},
    });
    let settings = Settings { file: "d".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    let output = codegen::generate(&document.to_string(), &settings).expect("warnings alone");
    let pointers: Vec<_> = output.warnings.iter().map(|fault| fault.pointer.as_str()).collect();
    let of = |name: &str| format!("/components/schemas/A/properties/{name}/default");
    assert_eq!(pointers, [of("bad"), of("wide")]);
}

#[test]
fn faults_stand_in_the_order_of_the_text() {
    let text = "openapi: 3.0.3\npaths:\n  b: {}\n  a: {}\ninfo: {titel: A, version: '1'}\n";
    let pointers: Vec<_> = lint::check_text(text).into_iter().map(|fault| fault.pointer).collect();
    assert_eq!(pointers, ["/paths/b", "/paths/a", "/info", "/info/titel"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_document_makes_the_linter_panic(which in 0..5_usize, mutations in prop::collection::vec(mutation(), 1..12)) {
        let mut document = Source::parse(FIXTURES[which].1).expect("it can be read").value();
        for mutation in &mutations {
            mutate(&mut document, mutation);
        }
        for fault in lint::check(&document) {
            prop_assert!(!fault.message.is_empty());
            prop_assert!(document.pointer(&fault.pointer).is_some() , "{fault}");
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(which in 0..5_usize, cuts in prop::collection::vec((any::<Index>(), "[{}\\[\\]:,&*!?<\t\n'\"# a-]{0,3}"), 1..6)) {
        let mut text: Vec<char> = FIXTURES[which].1.chars().collect();
        for (at, insert) in &cuts {
            let at = at.index(text.len());
            text.splice(at..(at + 1).min(text.len()), insert.chars());
        }
        let text: String = text.into_iter().collect();
        lint::check_text(&text);
    }
}

#[test]
fn a_chain_of_many_references_is_followed_without_recursion() {
    let mut schemas = Map::new();
    for index in 0..20_000 {
        let next = format!("#/components/schemas/S{}", index + 1);
        schemas.insert(format!("S{index}"), json!({"allOf": [{"$ref": next}]}));
    }
    schemas.insert("S20000".to_owned(), json!({"type": "object"}));
    let document = json!({"openapi": "3.0.3", "info": {"title": "Long", "version": "1"}, "paths": {}, "components": {"schemas": schemas}});
    assert_eq!(lint::check(&document), []);
}

#[test]
fn other_styles_break_the_project_rules() {
    let document = Source::parse(include_str!("../fixtures/project_rules.yaml")).expect("it can be read").value();
    insta::assert_snapshot!("project_rules", listed(&lint::project_rules::check(&document)));
    insta::assert_snapshot!("project_rules_described", listed(&lint::project_rules::described(&document)));
}

#[test]
fn schemas_that_double_at_each_step_are_looked_at_once() {
    let mut schemas = Map::new();
    for index in 0..64 {
        let next = json!({"$ref": format!("#/components/schemas/S{}", index + 1)});
        let schema = json!({"required": ["a"], "allOf": [next, next], "oneOf": [next, next], "example": {"a": 1},
            "discriminator": {"propertyName": "a"}});
        schemas.insert(format!("S{index}"), schema);
    }
    schemas.insert(
        "S64".to_owned(),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}),
    );
    let document = json!({"openapi": "3.0.3", "info": {"title": "Wide", "version": "1"}, "paths": {}, "components": {"schemas": schemas}});
    assert_eq!(lint::check(&document), []);
}

#[test]
fn a_fault_is_one_line_whatever_the_document_is_called() {
    let document =
        json!({"openapi": "3.0.3", "info": {"title": "T", "version": "1", "a\nb\u{1b}[31m": 1}, "paths": {}});
    assert_eq!(
        listed(&lint::check(&document)),
        "warning /info/a\\nb\\u{1b}[31m: `a\\nb\\u{1b}[31m` is no key of an Info Object and is ignored; remove it, or let it begin with `x-`"
    );
}
