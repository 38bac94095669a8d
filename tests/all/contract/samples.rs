//! The code samples of the document, run or compiled. `tests/clients/run` does the same for Python and TypeScript.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;
use trainyard::generated::server::OPERATIONS;

use super::examples::Stage;
use super::json_schema::document;
use super::requests::message_batch;
use crate::support::text;
use crate::time_limits::Limited;

/// The samples for Rust: they compile.
#[path = "../../../generated/samples.rs"]
#[rustfmt::skip]
mod rust;

/// The sample of each operation in a language, by the operation's id.
fn samples(label: &str) -> BTreeMap<String, String> {
    let all: BTreeMap<String, Vec<Value>> =
        serde_json::from_str(include_str!("../../../generated/samples.json")).expect("the samples are JSON");
    let source = |samples: &[Value]| {
        let sample = samples.iter().find(|sample| sample["label"] == label);
        text(&sample.unwrap_or_else(|| panic!("a sample without {label}"))["source"]).to_owned()
    };
    all.iter().map(|(id, samples)| (id.clone(), source(samples))).collect()
}

#[test]
fn the_shown_samples_for_rust_are_those_that_compile() {
    let compiled = include_str!("../../../generated/samples.rs").replace("\n    ", "\n");
    let samples = samples("Rust");
    assert!(samples.len() > 40, "only {} samples were found", samples.len());
    for (id, sample) in samples {
        assert!(compiled.contains(&format!("{{\n{sample}\nOk(())\n}}")), "{id} is not compiled:\n{sample}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shell_runs_the_samples_of_what_reads() {
    let stage = Stage::set().await;
    let document = document();
    let parameters = &document["components"]["parameters"];
    let log = &document["paths"]["/v1/preview/models/{model_id}/log/{log_id}/groups"];
    let example = |name: &str| text(&parameters[name]["example"]).to_owned();
    let real = [
        (example("ModelId"), stage.model.id.clone()),
        (example("TrainingJobId"), stage.job.clone()),
        (example("FineTuningJobId"), stage.job.clone()),
        (example("FileId"), stage.file.clone()),
        (example("SessionId"), stage.session.clone()),
        (example("MessageBatchId"), message_batch(&stage.batch)),
        (example("BatchId"), stage.batch.clone()),
        (example("ChatCompletionId"), stage.chat.clone()),
        (example("ResponseId"), stage.response.clone()),
        (text(&log["parameters"][1]["example"]).to_owned(), stage.log.clone()),
        ("default%2Fdemo%2Fagent".to_owned(), stage.model.name.replace('/', "%2F")),
    ];
    let directory = tempfile::tempdir().expect("a directory");
    let samples = samples("curl");
    let mut run = 0;
    for operation in OPERATIONS.iter().filter(|operation| operation.method == "GET") {
        // An alias has no sample.
        let Some(sample) = samples.get(operation.id) else { continue };
        let sample = match operation.path.contains("/groups") || operation.path.ends_with("/drops") {
            true => sample.replace(&example("TrainingJobId"), &stage.rl_job),
            false => sample.clone(),
        };
        let sample = real.iter().fold(sample, |sample, (made_up, real)| sample.replace(made_up, real));
        let mut shell = Command::new("sh");
        shell.args(["-ec", &sample]).current_dir(&directory);
        shell.env("TRAINYARD_BASE_URL", &stage.service.root).env("TRAINYARD_API_KEY", &stage.service.admin_key);
        let output = tokio::task::spawn_blocking(move || shell.output_limited()).await.expect("no panic");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {sample}\n{told}", operation.id);
        let stored = sample.contains("--remote-name");
        assert!(stored || !output.stdout.is_empty(), "{}: {sample}", operation.id);
        run += 1;
    }
    let files: Vec<_> = std::fs::read_dir(&directory).expect("a directory").collect();
    assert!(run > 20 && files.len() == 5, "{run} samples made {files:?}");
    stage.service.stop().await;
}
