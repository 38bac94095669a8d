//! Each command with its options as a shell gives them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command};
use serde_json::Value;
use tempfile::TempDir;

use crate::Fault;
use crate::command::diff::document;
use crate::command::{LintOptions, Named, Outcome, ServerOptions, listed};

const DOCUMENT: &str =
    "{openapi: 3.0.3, info: {title: T, version: '1'}, paths: {/a: {get: {responses: {'204': {description: Done.}}}}}}";

fn options<T: Args>(file: &Path, arguments: &[&str]) -> T {
    let arguments = [&[file.to_str().unwrap()], arguments].concat();
    let matches: ArgMatches = T::augment_args(Command::new("test").no_binary_name(true)).get_matches_from(arguments);
    T::from_arg_matches(&matches).unwrap()
}

fn lint(file: &Path, arguments: &[&str]) -> Outcome {
    options::<LintOptions>(file, arguments).run()
}

fn server(file: &Path, out: &Path, arguments: &[&str]) -> Outcome {
    options::<ServerOptions>(file, &[&["--out", out.to_str().unwrap()], arguments].concat()).run()
}

/// Creates a directory with a document in it.
fn folder(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.yaml");
    fs::write(&file, text).unwrap();
    (folder, file)
}

#[test]
fn the_runtime_comes_from_where_it_is_asked_for() {
    let (folder, file) = folder(DOCUMENT);
    let path = folder.path().canonicalize().unwrap();
    for (runtime, expected) in [
        ("vendor", "trainyard-runtime = { path = \"runtime\" }".to_owned()),
        ("registry", format!("trainyard-runtime = \"{}\"", env!("CARGO_PKG_VERSION"))),
        ("path", format!("trainyard-runtime = {{ path = {:?} }}", path.display().to_string())),
    ] {
        let out = folder.path().join(runtime);
        let from = ["--runtime", runtime, "--runtime-path", folder.path().to_str().unwrap()];
        assert_eq!(server(&file, &out, &from).code, 0);
        let manifest = fs::read_to_string(out.join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&expected), "{manifest}");
        assert_eq!(out.join("runtime").exists(), runtime == "vendor");
    }
}

#[test]
fn text_of_the_author_is_unchanged() {
    let (folder, file) = folder(DOCUMENT);
    let out = folder.path().join("My Server");
    server(&file, &out, &[]);
    let library = out.join("src/lib.rs");
    let manifest = fs::read_to_string(out.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("name = \"my-server\""), "{manifest}");
    fs::write(&library, "// mine\n").unwrap();
    fs::write(out.join("src/generated/server.rs"), "// stale\n").unwrap();
    server(&file, &out, &[]);
    assert_eq!(fs::read_to_string(&library).unwrap(), "// mine\n");
    assert!(fs::read_to_string(out.join("src/generated/server.rs")).unwrap().contains("OPERATIONS"));
}

#[test]
fn a_faulty_document_fails_with_its_faults() {
    let (folder, file) = folder(&DOCUMENT.replace("3.0.3", "3.2.0"));
    let out = folder.path().join("out");
    let rejected = server(&file, &out, &[]);
    assert_eq!(rejected.code, 1);
    assert!(rejected.messages.contains("/openapi: the version is 3.2.0"), "{rejected:?}");
    assert!(!out.exists());
    assert_eq!(lint(&file, &[]).code, 1);
}

#[test]
fn documents_of_others_are_read_leniently_unless_strictness_is_asked_for() {
    let (folder, file) = folder(&DOCUMENT.replace("responses: {'204': {description: Done.}}", "responses: {}"));
    for (arguments, code) in [(&[][..], 0), (&["--strict"], 1), (&["--project-rules"], 1)] {
        assert_eq!(lint(&file, arguments).code, code, "{arguments:?}");
    }
    assert_eq!(server(&file, &folder.path().join("a"), &[]).code, 0);
    assert_eq!(server(&file, &folder.path().join("b"), &["--strict"]).code, 1);
}

#[test]
fn a_file_that_is_not_there_is_another_exit_code() {
    assert_eq!(lint(Path::new("/nowhere/openapi.yaml"), &[]).code, 2);
}

#[test]
fn repeated_findings_are_counted() {
    let faults: Vec<_> = (0..5)
        .map(|index| Fault::warning(&format!("/{index}"), format!("the example does not fit: at /a/{index}: no")))
        .chain([Fault::error("/b", "the example is wrong"), Fault::warning("/c", "another word for it")])
        .collect();
    let text = listed(&faults, 2);
    assert_eq!(
        text,
        "warning: /0: the example does not fit: at /a/0: no\nwarning: /1: the example does not fit: at /a/1: no\n\
         error: /b: the example is wrong\nwarning: /c: another word for it\n\
         warning: 3 more places: the example does not fit\n"
    );
    assert_eq!(listed(&faults, usize::MAX).lines().count(), faults.len());
}

/// Returns the document of a file with this text, as a comparison reads it.
fn compared(text: &str) -> Result<Value, String> {
    let (_folder, file) = folder(text);
    document(file.to_str().unwrap(), &Named::NONE)
}

#[test]
fn yaml_and_json_are_the_same_document() {
    let json = r#"{"openapi": "3.0.3", "paths": {"/a": {"get": {"responses": {"200": {"description": "x"}}}}}}"#;
    let yaml = "openapi: 3.0.3\npaths:\n  /a:\n    get: {responses: {200: {description: x}}}\n";
    assert_eq!(compared(json).expect("JSON"), compared(yaml).expect("YAML"));
}

#[test]
fn a_number_beyond_64_bits_is_read_as_json_reads_it() {
    for number in ["9223372036854775808", "18446744073709551616", "-9223372036854775809"] {
        let json = format!(r#"{{"openapi": "3.0.3", "paths": {{}}, "x": {number}}}"#);
        let yaml = format!("openapi: 3.0.3\npaths: {{}}\nx: {number}\n");
        assert_eq!(compared(&json).expect("JSON"), compared(&yaml).expect("YAML"), "{number}");
    }
    let message = compared("openapi: 3.0.3\npaths: {}\nx: .inf\n").expect_err("no JSON");
    assert!(message.contains("JSON has no number inf"), "{message}");
}

#[test]
fn files_that_are_no_documents_are_rejected() {
    for (text, expected) in [
        ("{\"openapi\": \"3.0.3\"", "neither JSON nor YAML: EOF while parsing"),
        ("a: [", "neither JSON nor YAML"),
        ("swagger: '2.0'\npaths: {}", "is no OpenAPI document"),
        ("openapi: 3.0.3", "is no OpenAPI document"),
        ("", "the document is empty"),
    ] {
        let message = compared(text).expect_err(text);
        assert!(message.contains(expected), "{message}");
    }
    let named = Named { forms: " or current", find: |name| (name == "current").then(|| Err("gone".to_owned())) };
    let message = document("/nowhere/x.yaml", &named).expect_err("missing");
    assert!(
        message.starts_with("cannot read /nowhere/x.yaml: ") && message.ends_with("a file or current"),
        "{message}"
    );
    assert_eq!(document("current", &named), Err("gone".to_owned()));
}
