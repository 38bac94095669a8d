//! The document and its generated files.

use std::fs;
use std::path::Path;

use trainyard::generated::server::OPERATIONS;
use trainyard::generated::{OPENAPI_JSON, OPENAPI_YAML};

use super::codegen::source::Source;
use super::codegen::{self, Artifact, Document, Settings, lint};

fn settings() -> Settings {
    Settings { file: "spec/openapi.yaml".to_owned(), support: "crate".to_owned(), project_rules: true }
}

fn learner_settings() -> Settings {
    Settings { file: "spec/learner.yaml".to_owned(), project_rules: false, ..settings() }
}

/// Of the file that tests and benches compile.
fn outside_settings() -> Settings {
    Settings { support: "::trainyard".to_owned(), ..settings() }
}

/// Files that `build.rs` writes.
fn generated() -> Vec<Artifact> {
    let document = Document::parse(OPENAPI_YAML, &settings()).expect("the document passes its linter");
    let mut artifacts = codegen::artifacts(&document, &settings()).expect("the generated code parses");
    artifacts.push(codegen::examples(&document, &outside_settings()).expect("the generated code parses"));
    artifacts
        .push(("client.rs", codegen::client::generate(&document, &settings()).expect("the client can express it")));
    artifacts.push(("json_schemas.rs", codegen::client::json_schemas(&document, &settings())));
    artifacts.extend(codegen::client::samples::generate(&document, &settings()).expect("each body has an example"));
    let learner = include_str!("../../../spec/learner.yaml");
    let client = codegen::client::standalone::generate(learner, &learner_settings());
    artifacts.push(("learner_client.rs", client.expect("progenitor can express it")));
    artifacts
}

#[test]
fn generated_files_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    let artifacts = generated();
    for (name, content) in &artifacts {
        let on_disk = fs::read_to_string(folder.join(name)).expect(name);
        assert!(on_disk == *content, "generated/{name} is stale: run `cargo build` and commit what changes");
        assert!(
            !name.ends_with(".rs")
                || [settings(), learner_settings()].iter().any(|source| content.starts_with(&codegen::header(source))),
            "generated/{name} does not say what it is"
        );
    }
    let mut expected: Vec<_> = artifacts.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut found: Vec<_> = fs::read_dir(&folder)
        .expect("generated/ is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "generated/ holds what the generator writes and nothing else");
}

#[test]
fn the_document_is_sound_and_keeps_the_project_rules() {
    assert_eq!(lint::check_text(OPENAPI_YAML), []);
    let document = Source::parse(OPENAPI_YAML).expect("it can be read").value();
    assert_eq!(lint::project_rules::check(&document), []);
}

#[test]
fn generating_twice_gives_the_same_bytes() {
    assert!(generated() == generated());
}

#[test]
fn operations() {
    let row = |operation: &trainyard::http::Operation| {
        format!(
            "{:6} {:53} {:38} {:12}{}{}{}{}",
            operation.method,
            operation.path,
            operation.id,
            operation.tag,
            operation.base.map(|base| format!(" at {base}")).unwrap_or_default(),
            operation.alias_of.map(|id| format!(" = {id}")).unwrap_or_default(),
            if operation.extension { " (extension)" } else { "" },
            if operation.secured { "" } else { " (open)" },
        )
    };
    let table: Vec<_> = OPERATIONS.iter().map(row).map(|row| row.trim_end().to_owned()).collect();
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn the_open_operation_is_as_the_service_describes_it() {
    let document: serde_json::Value = serde_json::from_str(OPENAPI_JSON).unwrap();
    assert_eq!(document["info"]["version"], "0.1.0");
    let health = &document["paths"]["/health"]["get"];
    assert_eq!(health["operationId"], "read_root_health_get");
    assert_eq!(health["tags"], serde_json::json!(["Service"]));
    assert_eq!(health["security"], serde_json::json!([]));
    assert_eq!(health["responses"]["200"]["content"]["application/json"]["schema"], serde_json::json!({}));
    assert!(health.get("parameters").is_none() && health.get("requestBody").is_none());
    let open: Vec<_> = OPERATIONS.iter().filter(|operation| !operation.secured).map(|operation| operation.id).collect();
    assert_eq!(open, ["read_root_health_get", "get_metrics"], "everything else needs a key");
}
