//! The commands that ask a running service.

use std::process::{Command, Output};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    answer,
    process::{Process, Site},
    row,
};

/// Runs the program against the server, away from the threads of the test.
async fn run(site: &Site, root: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainyard"));
    command.args(arguments).env("TRAINYARD_BASE_URL", root).env("TRAINYARD_API_KEY", &site.key);
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("no panic");
    let Output { status, stdout, stderr } = output.expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
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
    let (_, list, _) = run(&site, &root, &["jobs", "list", "--status", "succeeded", "--json"]).await;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!((list.as_array().map(Vec::len), &list[0]["id"]), (Some(1), &json!(job)));
    let (_, one, _) = run(&site, &root, &["jobs", "get", &job]).await;
    assert_eq!(serde_json::from_str::<Value>(&one).expect("JSON"), list[0]);
    let (code, _, told) = run(&site, &root, &["jobs", "list", "--status", "done"]).await;
    assert!(code == 2 && told.contains("succeeded"), "{code} {told}");

    let (_, models, _) = run(&site, &root, &["models", "list"]).await;
    assert!(models.contains(&model.id) && models.contains("trainyard/seedling"), "{models}");
    let (_, bases, _) = run(&site, &root, &["models", "bases", "--json"]).await;
    let listed = answer(site.request(&server, Method::GET, "/v1/preview/base-models")).await.ok();
    assert_eq!(serde_json::from_str::<Value>(&bases).expect("JSON"), listed["data"]);
    server.stop();
    let (code, _, told) = run(&site, &root, &["jobs", "list"]).await;
    assert!(code == 1 && told.starts_with("error: "), "{code} {told}");
}
