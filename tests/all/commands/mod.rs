//! The commands that ask a running service.

mod cluster;
mod collect;
mod configuration;
mod data_directory;
mod engines;
mod export;
mod inspect;
mod local;
mod login;
mod manners;
mod pull;
mod supervision;
mod training;

use std::process::{Command, Output};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::process::{Process, Site};
use crate::support::{answer, row};
use crate::time_limits::Limited;

/// The program with these arguments, which finds nothing of the person who runs the tests.
fn program(site: &Site, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainyard"));
    command.args(arguments).env("XDG_CONFIG_HOME", site.path().join("config")).env("HOME", site.path());
    for variable in ["TRAINYARD_BASE_URL", "TRAINYARD_API_KEY", "TRAINYARD_DATA_DIR"] {
        command.env_remove(variable);
    }
    command
}

/// Runs a program to its end, away from the threads of the test: exit code, standard output, standard error.
async fn finish(mut command: Command) -> (i32, String, String) {
    let output = tokio::task::spawn_blocking(move || command.output_limited()).await.expect("no panic");
    let Output { status, stdout, stderr } = output;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// The program against the server.
fn asking(site: &Site, root: &str, arguments: &[&str]) -> Command {
    let mut command = program(site, arguments);
    command.env("TRAINYARD_BASE_URL", root).env("TRAINYARD_API_KEY", &site.key);
    command
}

/// Runs the program against the server.
async fn run(site: &Site, root: &str, arguments: &[&str]) -> (i32, String, String) {
    finish(asking(site, root, arguments)).await
}

/// Runs a command that must end well; what it printed.
async fn done(site: &Site, root: &str, arguments: &[&str]) -> String {
    let (code, shown, told) = run(site, root, arguments).await;
    assert_eq!(code, 0, "{arguments:?}: {shown}{told}");
    shown
}

#[tokio::test]
async fn jobs_are_listed_followed_and_cancelled_from_a_shell() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let model = site.model(&server, "shell").await;
    let rows: Vec<Value> = (0..8).map(|number| row(&format!("{number}?"), "left right")).collect();
    let job = site.start_sft(&server, &model, &rows).await;

    let (code, shown, told) = run(&site, &root, &["jobs", "watch", &job]).await;
    assert_eq!(code, 0, "{shown}{told}");
    assert!(
        shown.contains("] 8/8  loss ") && shown.contains("loss/train") && told.contains("succeeded: 8 steps"),
        "{shown}{told}"
    );
    let (code, lines, _) = run(&site, &root, &["jobs", "watch", "--json", &job]).await;
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((code, events), (0, site.events(&server, &job).await));

    let broken = site.start_sft(&server, &model, &[json!({ "no": "messages" })]).await;
    let (code, _, told) = run(&site, &root, &["jobs", "watch", &broken]).await;
    assert!(code == 3 && told.contains("`messages` is missing (invalid_training_data)"), "{code} {told}");

    let lesson: Vec<Value> = (0..4000).map(|number| row(&format!("{number}?"), "left right up down")).collect();
    let long = site.start_sft(&server, &model, &lesson).await;
    site.reaches(&server, &long, 2).await;
    let (code, _, told) = run(&site, &root, &["jobs", "cancel", &long]).await;
    assert!(code == 0 && told.contains("is cancelled after"), "{code} {told}");
    assert_eq!(run(&site, &root, &["jobs", "watch", &long]).await.0, 4);
    assert_eq!(run(&site, &root, &["jobs", "cancel", &job]).await.0, 1, "it has ended");

    let (_, table, _) = run(&site, &root, &["jobs", "list"]).await;
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("ID ") && lines[1].starts_with(&long) && lines[1].contains("cancelled"), "{table}");
    assert!(lines[2].contains("failed") && lines[3].contains("sft") && lines[3].contains("8/8"), "{table}");
    assert!(lines[3].contains("p/shell") && [" ago", "just now"].iter().any(|age| lines[3].contains(age)), "{table}");
    let (_, of_model, _) = run(&site, &root, &["jobs", "list", "--model", "p/shell"]).await;
    assert_eq!(of_model.lines().count(), 4, "{of_model}");
    let (_, list, _) = run(&site, &root, &["jobs", "list", "--status", "succeeded", "--json"]).await;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!((list.as_array().map(Vec::len), &list[0]["id"]), (Some(1), &json!(job)));
    let (_, one, _) = run(&site, &root, &["jobs", "get", &job]).await;
    let mut one: Value = serde_json::from_str(&one).expect("JSON");
    let changed = one.as_object_mut().and_then(|job| job.remove("changed_options"));
    assert_eq!(changed, Some(json!(["batch_size", "learning_rate"])), "lists do not have them");
    assert_eq!(one, list[0]);
    let (code, _, told) = run(&site, &root, &["jobs", "list", "--status", "done"]).await;
    assert!(code == 2 && told.contains("succeeded"), "{code} {told}");

    let (_, models, _) = run(&site, &root, &["models", "list"]).await;
    assert!(models.contains("p/shell") && models.contains("trainyard/seedling"), "{models}");
    assert!(!models.contains(&model.id) && (models.contains(" ago") || models.contains("just now")), "{models}");
    let (_, bases, _) = run(&site, &root, &["models", "bases", "--json"]).await;
    let listed = answer(site.request(&server, Method::GET, "/v1/preview/base-models")).await.ok();
    assert_eq!(serde_json::from_str::<Value>(&bases).expect("JSON"), listed["data"]);
    server.stop();
    let (code, _, told) = run(&site, &root, &["jobs", "list"]).await;
    assert!(code == 1 && told.starts_with(&format!("error: no Trainyard server answers at {root} (")), "{code} {told}");
    assert!(told.contains("`trainyard serve`") && told.contains("TRAINYARD_BASE_URL"), "{told}");
}

#[tokio::test]
async fn data_goes_in_and_adapters_out_from_a_shell() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let model = site.model(&server, "shell").await;
    let name = model.name.strip_prefix("wandb-artifact:///").expect("an inference name");
    let short = name.split_once('/').expect("an entity").1;
    let path = |file: &str| site.path().join(file).display().to_string();
    let rows: String = (0..4).map(|number| format!("{}\n", row(&format!("{number}?"), "left right"))).collect();
    std::fs::write(path("train.jsonl"), &rows).expect("the data is written");

    let file = done(&site, &root, &["files", "upload", &path("train.jsonl")]).await;
    let file = file.trim_end();
    assert!(done(&site, &root, &["files", "list", "--purpose", "fine-tune"]).await.contains("train.jsonl"));
    assert_eq!(done(&site, &root, &["files", "download", file]).await, rows);
    done(&site, &root, &["files", "download", file, "--to", &path("back.jsonl")]).await;
    assert_eq!(std::fs::read_to_string(path("back.jsonl")).expect("it is there"), rows);
    let known: Value = serde_json::from_str(&done(&site, &root, &["files", "get", file]).await).expect("JSON");
    assert_eq!((&known["bytes"], &known["purpose"]), (&json!(rows.len()), &json!("fine-tune")));

    let estimate = done(&site, &root, &["sft", short, &path("train.jsonl"), "--dry-run"]).await;
    let estimate: Value = serde_json::from_str(&estimate).expect("JSON");
    assert_eq!(estimate["training_started"]["num_rows"], 4, "{estimate}");
    // By a local file, and by one that was uploaded.
    let config = r#"{"batch_size": 2, "learning_rate": 0.001}"#;
    let shown = done(&site, &root, &["sft", short, &path("train.jsonl"), "--config", config, "--watch"]).await;
    assert!(shown.contains("] 2/2  loss "), "{shown}");
    done(&site, &root, &["sft", name, file, "--watch"]).await;
    // What the first one uploaded for itself is gone again.
    let files = done(&site, &root, &["files", "list", "--json"]).await;
    assert_eq!(serde_json::from_str::<Value>(&files).expect("JSON").as_array().map(Vec::len), Some(1), "{files}");
    done(&site, &root, &["files", "delete", file]).await;
    assert_eq!(run(&site, &root, &["files", "get", file]).await.0, 1);
    std::fs::write(path("rollouts.jsonl"), "{\"trajectories\": []}\n").expect("the rollouts are written");
    let shown = done(&site, &root, &["rl", &model.id, &path("rollouts.jsonl"), "--watch"]).await;
    assert_eq!(shown.lines().next().map(str::len), Some(36), "the id of the job: {shown}");

    let answer = done(&site, &root, &["chat", name, "0?", "--temperature", "0", "--max-tokens", "4"]).await;
    assert!(answer.trim_end().len() > 1, "{answer:?}");
    done(&site, &root, &["checkpoints", "download", short, "2", "--to", &path("adapter")]).await;
    assert!(site.path().join("adapter/adapter_model.safetensors").is_file());
    let other = site.model(&server, "other").await;
    done(&site, &root, &["checkpoints", "import", &other.id, &path("adapter")]).await;
    done(&site, &root, &["checkpoints", "copy", &other.id, "--from", short, "--step", "1"]).await;
    let steps = done(&site, &root, &["checkpoints", "list", &other.id, "--json"]).await;
    let steps: Value = serde_json::from_str(&steps).expect("JSON");
    assert_eq!(steps.as_array().map(Vec::len), Some(3));
    let hash = async |model: &str, step: &str| {
        let detail = done(&site, &root, &["checkpoints", "get", model, step]).await;
        serde_json::from_str::<Value>(&detail).expect("JSON")["files"][1]["sha256"].clone()
    };
    assert_eq!(hash(&other.id, "1").await, hash(short, "2").await);
    assert_eq!(hash(&other.id, "2").await, hash(short, "1").await);
    done(&site, &root, &["checkpoints", "delete", &other.id, "1"]).await;
    let (code, _, told) = run(&site, &root, &["checkpoints", "delete", &other.id, "1"]).await;
    assert!(code == 1 && told.contains("no steps [1]"), "{code} {told}");
    // The files of an import are gone with it.
    assert_eq!(done(&site, &root, &["files", "list", "--purpose", "user_data", "--json"]).await.trim(), "[]");

    for (arguments, reason) in [
        (vec!["files", "upload", "/nowhere.jsonl"], "cannot read /nowhere.jsonl"),
        (vec!["files", "upload", "/"], "is no file"),
        (vec!["sft", short, "x.jsonl"], "cannot read x.jsonl"),
        (vec!["sft", "tests/nobody", "file-0"], "there is no model \"tests/nobody\"; --base-model makes it"),
        (vec!["sft", "nobody", "file-0"], "write project/name"),
        (vec!["checkpoints", "list", "other-team/tests/shell"], "there is no model"),
        (vec!["checkpoints", "list", "tests/shell:step1"], "name the model alone"),
        (vec!["checkpoints", "download", short, "1", "--to", "/dev/null"], "cannot make /dev/null"),
        (vec!["rl", short, "/nowhere.json"], "cannot read /nowhere.json"),
        (vec!["checkpoints", "download", short, "0", "--to", "/nowhere"], "has no files"),
        (vec!["chat", "nobody/knows", "hello"], "there is no model"),
    ] {
        let (code, _, told) = run(&site, &root, &arguments).await;
        assert!(code == 1 && told.contains(reason), "{arguments:?}: {code} {told}");
    }
    assert_eq!(run(&site, &root, &["sft", short, "x.jsonl", "--config", "[]"]).await.0, 2);
    for shell in ["bash", "zsh", "fish"] {
        let script = done(&site, &root, &["completions", shell]).await;
        assert!(script.contains("checkpoints") && script.contains("completions"), "{shell}");
    }
    server.stop();
}
