//! The examples of the client, run as a newcomer runs them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::support::{SEEDLING, TestService, row};
use crate::time_limits::Limited;

const CLIENT_EXAMPLES: [&str; 6] = ["chat", "stream", "structured_output", "sft", "rl_loop", "watch_job"];

/// Builds the examples, which a run of this test alone leaves stale; gives their directory.
fn build() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    // The whole workspace: its features are those that the tests were built with.
    cargo.args(["build", "--workspace"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    CLIENT_EXAMPLES.iter().for_each(|name| {
        cargo.args(["--example", name]);
    });
    let output = cargo.output_limited();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let this = std::env::current_exe().expect("a path");
    this.ancestors().nth(2).expect("two directories above").join("examples")
}

/// Runs an example to its end; gives what it prints.
async fn run(service: &TestService, name: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(build().join(name));
    command.args(arguments).env("TRAINYARD_BASE_URL", &service.root).env("TRAINYARD_API_KEY", &service.key);
    let output = tokio::task::spawn_blocking(move || command.output_limited()).await.expect("no panic");
    let (printed, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} fails: {printed}{told}");
    printed.into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_and_stream_print_an_answer() {
    let service = TestService::start().await;
    for name in ["chat", "stream"] {
        let printed = run(&service, name, &[SEEDLING, "who are you?"]).await;
        assert!(printed.trim().len() > 1, "{name}: {printed:?}");
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn structured_output_prints_the_fields_of_an_answer() {
    let service = TestService::start().await;
    let printed = run(&service, "structured_output", &[SEEDLING, "is it late?"]).await;
    let (decision, confidence) = printed.trim_end().split_once(", ").expect("two fields");
    assert!(["Yes", "No", "Maybe"].contains(&decision), "{printed:?}");
    let percent: u8 = confidence.strip_suffix(" %").and_then(|number| number.parse().ok()).expect("a number");
    assert!(percent <= 100, "{printed:?}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sft_shows_the_loss_and_an_answer() {
    let service = TestService::start().await;
    let file = service.directory.path().join("train.jsonl");
    std::fs::write(&file, format!("{}\n", row("ping", "pong")).repeat(4)).unwrap();
    let url = format!("file://{}", file.display());
    let printed = run(&service, "sft", &[&url, "ping"]).await;
    let losses: Vec<f64> = printed
        .lines()
        .filter_map(|line| line.strip_prefix("gradient_step "))
        .map(|loss| loss.parse().unwrap())
        .collect();
    assert!(losses.len() > 1 && losses.last() < losses.first(), "{printed}");
    assert!(printed.contains("ping  →  ") && printed.contains("the model is wandb-artifact:///acme/examples/sft"));
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rl_loop_shows_the_reward_of_each_round() {
    let service = TestService::start().await;
    let printed = run(&service, "rl_loop", &[]).await;
    let rewards: Vec<f64> = printed
        .lines()
        .filter_map(|line| line.split_once("mean reward "))
        .map(|(_, text)| text.parse().unwrap())
        .collect();
    assert_eq!(rewards.len(), 6, "{printed}");
    assert!(rewards.last() > rewards.first(), "it learns: {printed}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_job_shows_every_event() {
    let service = TestService::start().await;
    let model = service.model("watched").await;
    let job = service.start_sft(&model, &[row("ping", "pong")], json!({})).await;
    let printed = run(&service, "watch_job", &[&job]).await;
    let kinds: Vec<&str> = printed.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(kinds, ["training_started", "gradient_step", "training_ended"], "{printed}");
    assert!(printed.contains("    num_sequences: 1\n"), "{printed}");
    service.stop().await;
}
