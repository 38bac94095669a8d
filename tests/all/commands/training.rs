//! `sft` and `rl`: models that they make, flags, and the examples of their help; `models` and `chat` by name.

use serde_json::{Value, json};

use super::{done, program, run};
use crate::support::process::{Process, Site};
use crate::support::{SEEDLING, row};
use crate::time_limits::Limited;

#[tokio::test]
async fn the_first_training_makes_the_model() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let path = |file: &str| site.path().join(file).display().to_string();
    let (data, options) = (path("train.jsonl"), path("options.json"));
    // The last line is not ended: what follows it in the next pass is a line of its own.
    let rows: Vec<String> = (0..4).map(|number| row(&format!("{number}?"), "left right").to_string()).collect();
    std::fs::write(&data, rows.join("\n")).expect("the data is written");
    std::fs::write(&options, r#"{"metric_logging": {"every": 2}}"#).expect("the options are written");

    let (code, _, told) = run(&site, &root, &["sft", "demo/agent", &data]).await;
    assert!(code == 1 && told.contains("there is no model \"demo/agent\"; --base-model makes it"), "{told}");
    let (code, _, told) = run(&site, &root, &["sft", "demo/agent", &data, "--base-model", SEEDLING, "--dry-run"]).await;
    assert!(code == 1 && told.contains("a dry run makes none"), "{told}");
    assert_eq!(done(&site, &root, &["models", "list", "--json"]).await.trim(), "[]");

    let flags = ["--epochs", "2", "--batch-size", "2", "--learning-rate", "0.02", "--config", &options];
    let first = ["sft", "demo/agent", &data, "--watch", "--base-model", SEEDLING];
    let (code, shown, told) = run(&site, &root, &[&first[..], &flags].concat()).await;
    assert!(code == 0 && told.contains("made the model demo/agent on trainyard/seedling"), "{shown}{told}");
    assert!(
        shown.contains("] 4/4  loss ") && told.contains("succeeded: 4 steps"),
        "4 rows twice, 2 a step: {shown}{told}"
    );
    let id = shown.lines().next().expect("the id of the job");
    let job: Value = serde_json::from_str(&done(&site, &root, &["jobs", "get", id]).await).expect("JSON");
    assert_eq!((&job["config"]["batch_size"], &job["config"]["learning_rate"]), (&json!(2), &json!(0.02)), "{job}");
    assert_eq!(job["config"]["metric_logging"]["every"], 2, "{job}");
    let csv = done(&site, &root, &["metrics", id, "--csv", "--metric", "loss/learning_rate"]).await;
    assert_eq!(csv, "step,loss/learning_rate\n1,0.02\n2,0.02\n3,0.02\n4,0.02\n");
    let table = done(&site, &root, &["metrics", id, "--metric", "loss/train"]).await;
    assert!(table.contains("loss/train  4      ") && table.contains('⠤'), "{table}");
    let (code, _, told) = run(&site, &root, &["metrics", id, "--metric", "loss/none"]).await;
    assert!(code == 1 && told.contains("no metric \"loss/none\"; it has loss/"), "{told}");

    // It is there now.
    let (code, _, told) = run(&site, &root, &["sft", "demo/agent", &data, "--base-model", SEEDLING, "--watch"]).await;
    assert!(code == 0 && !told.contains("made the model"), "{told}");
    for (more, reason) in [
        (vec!["--base-model", "other/base"], "demo/agent is made on trainyard/seedling, not on other/base"),
        (
            vec!["--batch-size", "2", "--config", r#"{"batch_size": 3}"#],
            "batch_size is 2 by its flag and 3 in --config",
        ),
        (vec!["--learning-rate", "-1"], "learning_rate"),
        (vec!["--epochs", "0"], "epochs"),
    ] {
        let (code, _, told) = run(&site, &root, &[&["sft", "demo/agent", &data][..], &more].concat()).await;
        assert!(code == 1 && told.contains(reason), "{code} {told}");
    }
    for wrong in [["--learning-rate", "NaN"], ["--batch-size", "few"], ["--overlong-rows", "keep"]] {
        assert_eq!(run(&site, &root, &[&["sft", "demo/agent", &data][..], &wrong].concat()).await.0, 2, "{wrong:?}");
    }

    // Chat knows the names of training, whatever they leave out.
    let said = async |model: &str| done(&site, &root, &["chat", model, "0?", "--temperature", "0"]).await;
    let newest = said("demo/agent").await;
    assert_eq!(newest, said("acme/demo/agent").await);
    assert_eq!(newest, said("wandb-artifact:///acme/demo/agent:step2").await);
    assert_eq!(said("demo/agent:step0").await, said(SEEDLING).await);
    assert_ne!(newest, said("demo/agent:step0").await);
    let (code, _, told) = run(&site, &root, &["chat", "demo/agent:step9", "0?"]).await;
    assert!(code == 1 && told.contains("there is no model \"demo/agent:step9\""), "{told}");
    server.stop();
}

#[tokio::test]
async fn models_are_made_shown_and_deleted_by_name() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let create = ["models", "create", "demo/agent", "--base-model", SEEDLING];
    let name = done(&site, &root, &[&create[..], &["--rank", "4"]].concat()).await;
    assert_eq!(name, "wandb-artifact:///acme/demo/agent\n");
    let (code, _, told) = run(&site, &root, &create).await;
    assert!(code == 1 && told.contains("demo") && !told.contains("409"), "the name is taken: {told}");
    let (code, _, told) = run(&site, &root, &["models", "create", "agent", "--base-model", SEEDLING]).await;
    assert!(code == 1 && told.contains("write project/name"), "{told}");
    let model: Value = serde_json::from_str(&done(&site, &root, &["models", "get", "demo/agent"]).await).expect("JSON");
    assert_eq!((&model["base_model"], &model["lora"]["rank"]), (&json!(SEEDLING), &json!(4)));
    let (code, _, told) = run(&site, &root, &["models", "delete", "demo/agent"]).await;
    assert!(code == 1 && told.contains("this deletes demo/agent") && told.contains("--yes"), "{told}");
    done(&site, &root, &["models", "get", "demo/agent"]).await;
    done(&site, &root, &["models", "delete", "demo/agent", "--yes"]).await;
    for command in [["models", "get", "demo/agent"], ["models", "delete", "demo/agent"], ["chat", "demo/agent", "x"]] {
        let (code, _, told) = run(&site, &root, &command).await;
        assert!(code == 1 && told.contains("there is no model \"demo/agent\""), "{command:?}: {told}");
    }
    server.stop();
}

/// The lines of a command's help from the first that begins so to the next that is empty, without the margin.
fn example(help: &str, start: &str) -> String {
    let lines = help.lines().skip_while(|line| !line.trim_start().starts_with(start));
    lines.take_while(|line| !line.trim().is_empty()).map(|line| format!("{}\n", line.trim_start())).collect()
}

#[tokio::test]
async fn the_examples_of_the_help_can_be_trained_on() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    done(&site, &root, &["models", "create", "demo/agent", "--base-model", SEEDLING]).await;
    for (command, start, more) in
        [("sft", "{\"messages\"", &[][..]), ("rl", "[{\"trajectories\"", &["--allow-training-without-logprobs"])]
    {
        let help = done(&site, &root, &[command, "--help"]).await;
        let file = site.path().join(command).display().to_string();
        std::fs::write(&file, example(&help, start)).expect("the example is written");
        let run = [&[command, "demo/agent", &file, "--dry-run"][..], more].concat();
        let estimate: Value = serde_json::from_str(&done(&site, &root, &run).await).expect("JSON");
        assert!(estimate["trained_tokens"].as_u64().is_some_and(|tokens| tokens > 0), "{command}: {estimate}");
        let started = &estimate["training_started"];
        let is_left_out = |list: &str| started[list].as_array().is_some_and(|places| !places.is_empty());
        assert!(!is_left_out("dropped_rows") && !is_left_out("dropped_places"), "{command}: {estimate}");
    }
    server.stop();
}

#[tokio::test]
async fn an_rl_job_shows_its_mean_reward() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let file = site.path().join("rollouts.json").display().to_string();
    let rollout = |reward: f64, said: &str| {
        let messages = [json!({ "role": "user", "content": "red?" }), json!({ "role": "assistant", "content": said })];
        json!({ "messages_and_choices": messages, "reward": reward })
    };
    let groups = json!([{ "trajectories": [rollout(0.25, "no"), rollout(1.0, "yes")] }]);
    std::fs::write(&file, groups.to_string()).expect("the rollouts are written");
    let submit = ["rl", "demo/a", &file, "--base-model", SEEDLING, "--allow-training-without-logprobs", "--watch"];
    let shown = done(&site, &root, &submit).await;
    assert!(
        shown.contains("  reward 0.6250  loss ") && shown.contains("mean reward of the rollouts: 0.6250"),
        "{shown}"
    );
    let table = done(&site, &root, &["jobs", "list"]).await;
    assert!(table.contains("REWARD") && table.contains("  0.6250  "), "{table}");
    let table = done(&site, &root, &["checkpoints", "list", "demo/a"]).await;
    assert!(table.contains("reward/mean 0.6250, reward/std 0.3750, reward/zero_signal 0.0000, "), "{table}");
    let table = done(&site, &root, &["metrics", "demo/a"]).await;
    let first = table.lines().nth(1).expect("a metric");
    assert!(first.starts_with("reward/mean ") && table.contains("\nreward/mean"), "{table}");
    let (code, _, told) = run(&site, &root, &["metrics", "demo/b"]).await;
    assert!(code == 1 && told.contains("there is no model \"demo/b\""), "{told}");
    server.stop();
}

#[tokio::test]
async fn a_job_with_nothing_to_train_on_says_why() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let file = site.path().join("rollouts.json").display().to_string();
    let rollout = json!({ "messages_and_choices": [{ "role": "user", "content": "red?" }], "reward": 1.0 });
    let groups = json!([{ "trajectories": [rollout, rollout] }, { "trajectories": [rollout] }]);
    std::fs::write(&file, groups.to_string()).expect("the rollouts are written");
    let (code, shown, told) = run(&site, &root, &["rl", "demo/a", &file, "--base-model", SEEDLING, "--watch"]).await;
    let id = shown.lines().next().expect("the id of the job");
    let (_, _, got) = run(&site, &root, &["jobs", "get", id]).await;
    let table = done(&site, &root, &["jobs", "list"]).await;
    assert!(table.contains("there was nothing to train on"), "{table}");
    let groups = done(&site, &root, &["rollouts", id]).await;
    assert!(
        groups.contains("0      2             1     0       1 1      all rewards of the group are equal"),
        "{groups}"
    );
    let (listed, _, hint) = run(&site, &root, &["rollouts", id, "--limit", "1"]).await;
    assert!(listed == 0 && hint.contains("there are more: --after 0"), "{hint}");
    let rest = done(&site, &root, &["rollouts", id, "--after", "0", "--json"]).await;
    assert_eq!(serde_json::from_str::<Value>(&rest).expect("JSON")[0]["dropped"]["code"], "too_few_trajectories");
    let trajectories = done(&site, &root, &["rollouts", id, "--group", "0"]).await;
    assert!(trajectories.starts_with("trajectory 0: reward 1, advantage none, 0 trained tokens\n"), "{trajectories}");
    assert!(trajectories.contains("  left out: ") && trajectories.contains("(equal_rewards, "), "{trajectories}");
    for told in [told, got] {
        assert!(code == 0 && told.contains("there was nothing to train on:"), "{code} {told}");
        assert!(told.contains("equal") && told.lines().count() >= 3, "{told}");
        assert!(!told.contains("0 steps"), "{told}");
    }
    server.stop();
}

#[test]
fn help_tells_commands_for_a_service_from_those_for_its_data() {
    let site = Site::new();
    let output = program(&site, &["--help"]).output_limited();
    let help = String::from_utf8(output.stdout).expect("text");
    let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text:?} is not in {help}"));
    let (remote, local) = (place("Ask a running service"), place("Work on the data directory"));
    assert!(remote < place("\n  sft ") && place("\n  sft ") < local && local < place("\n  keys "), "{help}");
}
