//! `trainyard models inspect`, which needs no server.

use std::process::Command;

use serde_json::{Value, json};

use crate::time_limits::Limited;

/// Runs the command and returns its exit status, its output and its messages.
fn inspect(model: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainyard"));
    let output =
        command.args(["models", "inspect", model]).args(more).env_remove("TRAINYARD_DATA_DIR").output_limited();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn report(model: &str, more: &[&str]) -> Value {
    let (code, output, messages) = inspect(model, &[more, &["--json"]].concat());
    assert_eq!(code, Some(0), "{messages}");
    serde_json::from_str(&output).expect("JSON")
}

#[test]
fn a_model_is_described_with_the_memory_of_each_format() {
    let report = report("trainyard/seedling", &["--streams", "2", "--context", "512"]);
    assert_eq!((&report["family"], &report["problems"]), (&json!("qwen3"), &json!([])), "{report}");
    assert_eq!((&report["chat_template"], &report["tool_format"]), (&json!(true), &json!("hermes")), "{report}");
    let formats = report["memory"]["formats"].as_array().expect("formats");
    let names: Vec<&Value> = formats.iter().map(|format| &format["weights"]).collect();
    assert_eq!(names, ["f32", "bf16", "int8", "int4"], "a file that is not quantised has no form of its own");
    let bytes = |format: &Value| format["weight_bytes"].as_u64().expect("a size");
    assert!(formats.windows(2).all(|pair| bytes(&pair[0]) > bytes(&pair[1])), "{report}");
    let (_, text, _) = inspect("trainyard/seedling", &[]);
    assert!(text.contains("parameters") && text.contains("SERVE: 4 conversations of"), "{text}");
}

#[test]
fn what_a_model_lacks_is_said_with_a_remedy() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for file in ["config.json", "tokenizer.json", "tokenizer_config.json"] {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/seedling/");
        std::fs::copy(format!("{source}{file}"), directory.path().join(file)).expect("a copy");
    }
    let report = report(directory.path().to_str().expect("text"), &[]);
    let problems = report["problems"].as_array().expect("problems");
    let reasons: Vec<&str> = problems.iter().filter_map(|problem| problem["reason"].as_str()).collect();
    assert_eq!(reasons, ["the weights are not here", "the model has no chat template"], "{report}");
    assert!(problems.iter().all(|problem| problem["remedy"].as_str().is_some_and(|remedy| !remedy.is_empty())));
    let (code, _, told) = inspect("nowhere at all", &[]);
    assert!(code == Some(1) && told.contains("nothing is there"), "{code:?} {told}");
    let (code, _, told) = inspect("trainyard/seedling", &["--streams", "0"]);
    assert!(code == Some(1) && told.contains("--streams is 0"), "{code:?} {told}");
}
