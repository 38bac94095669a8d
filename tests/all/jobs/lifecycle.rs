//! What jobs promise: the same bytes every time, and no job lost with the process that ran it.

use reqwest::Method;
use serde_json::{Value, json};
use trainyard::server::open_metadata;
use trainyard::store::records::CheckpointRecord;

use crate::support::process::{Process, Site};
use crate::support::{Model, SEEDLING, TestService, event_types, repeatable, row, text};
use crate::time_limits::Limited;

/// The stored checkpoint of one step: its artifact ids begin with the hashes of its bytes.
async fn stored(service: &TestService, model: &Model, step: i64) -> CheckpointRecord {
    let metadata = open_metadata(&service.directory.path().join("data"), None).await.expect("the database");
    metadata.checkpoint_at_step("acme", model.id.parse().expect("a UUID"), step).await.expect("a checkpoint")
}

#[tokio::test]
async fn two_runs_of_the_same_jobs_give_equal_bytes() {
    let service = TestService::start().await;
    let rows = [row("red?", "blue green"), row("up?", "down"), row("one?", "two three")].concat_rows(3);
    let groups = service.rollouts(SEEDLING, "pick a word", &[0.0, 0.25, 1.0, 0.5]).await;
    let mut outcomes = Vec::new();
    for name in ["one", "two"] {
        let model = service.model(name).await;
        let sft = service.start_sft(&model, &rows, json!({ "learning_rate": 5e-3 })).await;
        let rl = service.start_rl(&model, json!([groups]), json!({ "learning_rate": 1e-3 })).await;
        let (sft, rl) = (service.finished(&sft).await, service.finished(&rl).await);
        let checkpoints = [stored(&service, &model, 1).await, stored(&service, &model, 2).await];
        let artifacts = checkpoints.map(|checkpoint| {
            let adapter = checkpoint.adapter.map(|files| [files.config.hash(), files.weights.hash()]);
            let optimizer = checkpoint.optimizer.map(|saved| (saved.state.hash(), saved.kind));
            (adapter, optimizer, checkpoint.metrics)
        });
        assert!(sft[1]["data"]["tokens_per_second"].as_f64().is_some_and(|speed| speed > 0.0), "{}", sft[1]);
        outcomes.push((repeatable(&sft), repeatable(&rl), artifacts));
    }
    assert_eq!(outcomes[0], outcomes[1]);
    let (_, _, [after_sft, after_rl]) = &outcomes[0];
    assert!(after_sft.0.is_some() && after_sft.0 != after_rl.0, "both jobs moved the weights");
}

#[tokio::test]
async fn options_that_cannot_be_followed_are_rejected_by_name() {
    let service = TestService::start().await;
    let model = service.model("options").await;
    let name = |name: &str| json!({ "kl_penalty_coef": 0.1, "kl_ref_adapter_path": name });
    for (config, param, words) in [
        (json!({ "kl_penalty_reference_step": 0, "kl_penalty_step_lag": 1 }), "kl_penalty_step_lag", "one reference"),
        (json!({ "kl_penalty_step_lag": 1, "kl_ref_adapter_path": "a/b/c" }), "kl_ref_adapter_path", "one reference"),
        (json!({ "kl_penalty_coef": 0.1, "kl_penalty_reference_step": 7 }), "kl_penalty_reference_step", "of step 7"),
        (name("/etc/passwd"), "kl_ref_adapter_path", "must be the name"),
        (name(SEEDLING), "kl_ref_adapter_path", "must be the name"),
        (name("wandb-artifact:///rival/tests/options"), "kl_ref_adapter_path", "must be the name"),
        (name("wandb-artifact:///acme/tests/nobody"), "kl_ref_adapter_path", "which is not there"),
        (name(&model.at(3)), "kl_ref_adapter_path", "which is not there"),
        (json!({ "kl_penalty_source": "teacher" }), "kl_penalty_source", ""),
        (json!({ "kl_penalty_coef": -1 }), "kl_penalty_coef", ""),
        (json!({ "packed_sequence_length": 1 }), "packed_sequence_length", ""),
        (json!({ "packed_sequence_length": "long" }), "packed_sequence_length", ""),
        (
            json!({ "num_trajectories_learning_rate_multiplier_power": 9 }),
            "num_trajectories_learning_rate_multiplier_power",
            "",
        ),
        (json!({ "ppo": true, "loss_fn": "cispo" }), "loss_fn", "ppo"),
    ] {
        let body = json!({ "model_id": model.id, "trajectory_groups": [], "experimental_config": config });
        let error = service.post("/v1/preview/training-jobs", &body).await.rejected(422);
        assert_eq!(error["param"], format!("experimental_config.{param}"), "{error}");
        assert!(text(&error["message"]).contains(words), "{error}");
    }
}

#[tokio::test]
async fn every_option_of_the_published_list_trains() {
    let service = TestService::start().await;
    let model = service.model("every").await;
    let groups = service.rollouts(SEEDLING, "pick a word", &[0.0, 1.0, 0.25]).await;
    for (step, config) in [
        json!({ "packed_sequence_length": 2048, "num_trajectories_learning_rate_multiplier_power": 0.5 }),
        json!({ "kl_penalty_coef": 0.1, "kl_penalty_reference_step": 1, "kl_penalty_source": "sample" }),
        json!({ "kl_penalty_coef": 0.1, "kl_penalty_step_lag": 1, "precalculate_logprobs": true,
                "truncated_importance_sampling": 2.0 }),
        json!({ "kl_penalty_coef": 0.1, "kl_ref_adapter_path": model.at(2) }),
        json!({ "allow_training_without_logprobs": true, "normalize_advantages": false, "plot_tensors": true,
                "logprob_calculation_chunk_size": 1024, "scale_learning_rate_by_reward_std_dev": true }),
    ]
    .into_iter()
    .enumerate()
    {
        let job = service.start_rl(&model, json!([groups]), config.clone()).await;
        let events = service.finished(&job).await;
        assert_eq!(events.last().map(|event| &event["type"]), Some(&json!("training_ended")), "{config}: {events:?}");
        let steps: Vec<&Value> = events.iter().filter(|event| event["type"] == "gradient_step").collect();
        assert_eq!(steps.len(), if step == 0 { 1 } else { 3 }, "{config}");
        assert_eq!(events[0]["data"]["num_sequences"], steps.len(), "{config}");
        let penalty = steps[0]["data"].get("loss/kl_policy_ref");
        assert_eq!(penalty.is_some(), config.get("kl_penalty_coef").is_some(), "{config}");
        if step == 0 {
            // Sampled from the base model, which step 0 is: trained on exactly what was sampled.
            let data = &steps[0]["data"];
            let values =
                ["importance_ratio/min", "importance_ratio/max", "logprob_mismatch/max_abs"].map(|name| &data[name]);
            assert_eq!(values, [1.0, 1.0, 0.0]);
            assert_eq!(data["row/num_sequences"], 3.0);
        }
    }
    assert_eq!(service.steps(&model).await, [0, 1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_reference_that_was_deleted_fails_the_job_with_words() {
    let service = TestService::start().await;
    let model = service.model("forgetful").await;
    let groups = service.rollouts(SEEDLING, "pick a word", &[0.0, 1.0]).await;
    for _ in 0..2 {
        let job = service.start_rl(&model, json!([groups]), json!(null)).await;
        service.finished(&job).await;
    }
    let checkpoints = format!("/v1/preview/models/{}/checkpoints", model.id);
    service.send(Method::DELETE, &checkpoints, Some(&json!({ "steps": [1] }))).await.ok();
    let config = json!({ "kl_penalty_coef": 0.1, "kl_penalty_step_lag": 1 });
    let job = service.start_rl(&model, json!([groups]), config).await;
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events), ["training_failed"]);
    let message = text(&events[0]["data"]["error_message"]);
    assert!(message.contains("no checkpoint of step 1") && message.contains("kl_penalty_step_lag"), "{message}");
}

#[tokio::test]
async fn options_of_supervised_jobs_are_checked_by_name() {
    let service = TestService::start().await;
    let model = service.model("turns").await;
    let body = |config: Value| json!({ "model_id": model.id, "training_data_url": "https://example.com/rows.jsonl", "config": config });
    for (option, value) in [
        ("assistant_turns", json!("first")),
        ("overlong_rows", json!("split")),
        ("max_sequence_length", json!(0)),
        ("validation_split", json!(0.6)),
        ("validation_every", json!(0)),
        ("metric_logging", json!({ "every": 0 })),
    ] {
        let body = body(json!({ option: value }));
        let error = service.post("/v1/preview/sft-training-jobs", &body).await.rejected(422);
        assert!(text(&error["param"]).starts_with(&format!("config.{option}")), "{error}");
    }
    let accepted = json!({ "assistant_turns": "last", "overlong_rows": "truncate", "max_sequence_length": 64,
        "validation_split": 0.1, "validation_every": 5, "later_option": null,
        "metric_logging": { "enabled": true, "every": 2, "target_training_step": 1, "later_option": null } });
    service.post("/v1/preview/sft-training-jobs", &body(accepted)).await.ok();
}

/// The values of one metric in the events that carry it.
fn values(events: &[Value], metric: &str) -> Vec<f64> {
    events.iter().filter_map(|event| event["data"][metric].as_f64()).collect()
}

#[tokio::test]
async fn a_validation_split_shows_its_loss_and_leaves_the_weights_alone() {
    let service = TestService::start().await;
    let (learned, held_out) = (row("red?", "blue green"), row("up?", "down"));
    let trained = vec![learned.clone(); 9];
    // every fourth row validates
    let split: Vec<Value> = (1..=12).map(|n| if n % 4 == 0 { &held_out } else { &learned }).cloned().collect();
    let plain = service.model("plain").await;
    let job = service.start_sft(&plain, &trained, json!({ "learning_rate": 5e-3 })).await;
    let expected = service.finished(&job).await;
    let model = service.model("validating").await;
    let options = json!({ "learning_rate": 5e-3, "validation_split": 0.25, "validation_every": 2 });
    let events = service.finished(&service.start_sft(&model, &split, options).await).await;
    let started = json!({ "num_sequences": 5, "num_rows": 12, "num_dropped_trajectories": 0,
        "num_truncated_trajectories": 0, "num_validation_trajectories": 3, "dropped_rows": [] });
    assert_eq!(events[0]["data"], started);
    for metric in ["loss/train", "loss/grad_norm", "loss/entropy", "num_trainable_tokens"] {
        assert_eq!(values(&events, metric), values(&expected, metric), "{metric}");
        assert_eq!(values(&events, metric).len(), 5, "{metric}");
    }
    assert_eq!(values(&events, "loss/val_before").len(), 1);
    let validated: Vec<bool> = events[1..6].iter().map(|event| event["data"].get("loss/val").is_some()).collect();
    assert_eq!(validated, [false, true, false, true, true]);
    let (with, without) = (stored(&service, &model, 1).await, stored(&service, &plain, 1).await);
    let bytes = |checkpoint: &CheckpointRecord| {
        let adapter = checkpoint.adapter.as_ref().map(|files| [files.config.hash(), files.weights.hash()]);
        (adapter, checkpoint.optimizer.as_ref().map(|saved| saved.state.hash()))
    };
    assert_eq!(bytes(&with), bytes(&without));
    assert_eq!(with.metrics["loss/val"], *values(&events, "loss/val").last().expect("a validation loss"));
    assert_eq!(with.metrics["loss/train"], without.metrics["loss/train"]);
}

#[tokio::test]
async fn rows_that_are_cut_or_left_out_are_told() {
    let service = TestService::start().await;
    let model = service.model("rows").await;
    let asked = json!({ "messages": [{ "role": "user", "content": "only a question" }] });
    let long = row("say a lot", &"one two three ".repeat(60));
    let followed = json!({ "messages": [{ "role": "user", "content": "q" }, { "role": "assistant", "content": "a" },
                                        { "role": "user", "content": "and?" }] });
    let rows = [row("up?", "down"), asked, long, followed];
    let run = async |options: Value| {
        let mut config =
            json!({ "batch_size": 1, "learning_rate": [1e-3, 0.0, 2e-3, 3e-3], "max_sequence_length": 40 });
        config.as_object_mut().expect("options").extend(options.as_object().expect("options").clone());
        let events = service.finished(&service.start_sft(&model, &rows, config).await).await;
        assert_eq!(event_types(&events)[5], "training_ended");
        events
    };
    let dropping = run(json!({})).await;
    let told = |line: u32, reason: &str| json!({ "line": line, "reason": reason });
    assert_eq!(dropping[0]["data"]["dropped_rows"], json!([told(2, "no_assistant_turn"), told(3, "too_long")]));
    assert_eq!(values(&dropping, "num_dropped_trajectories"), [2.0, 0.0, 1.0, 1.0, 0.0]);
    assert_eq!(values(&dropping, "loss/learning_rate"), [1e-3, 0.0, 2e-3, 3e-3]);
    let cutting = run(json!({ "overlong_rows": "truncate", "assistant_turns": "last" })).await;
    let expected = json!([told(2, "last_turn_not_assistant"), told(4, "last_turn_not_assistant")]);
    assert_eq!(cutting[0]["data"]["dropped_rows"], expected);
    assert_eq!(cutting[0]["data"]["num_truncated_trajectories"], 1);
    assert_eq!(values(&cutting, "num_tokens")[2], 40.0);
    let quiet = run(json!({ "metric_logging": { "enabled": false } })).await;
    assert!(values(&quiet, "num_tokens").is_empty() && values(&quiet, "loss/train").len() == 4);
}

#[tokio::test]
async fn a_failed_job_says_why_and_makes_no_checkpoint() {
    let service = TestService::start().await;
    let model = service.model("fails").await;
    let job = service.start_sft(&model, &[row("a", "b"), json!({ "prompt": "no messages" })], json!(null)).await;
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events), ["training_failed"]);
    assert!(text(&events[0]["data"]["error_message"]).contains('2'), "names the line: {events:?}");
    assert_eq!(service.steps(&model).await, [0]);
}

#[tokio::test]
async fn a_path_without_a_regular_file_is_bad_input() {
    let service = TestService::start_with(|settings| settings.allow_data.push("file:///dev/".to_owned())).await;
    let model = service.model("agent").await;
    let directory = service.directory.path();
    let made = std::process::Command::new("mkfifo").arg(directory.join("pipe")).output_limited().status;
    assert!(made.success());
    let beneath = |name: &str| format!("file://{}/{name}", directory.display());
    for url in [beneath("pipe"), beneath("absent"), beneath("nul%00"), beneath(""), "file:///dev/null".to_owned()] {
        let body = json!({ "model_id": model.id, "training_data_url": url });
        let job = service.post("/v1/preview/sft-training-jobs", &body).await.ok();
        let job = text(&job["id"]).to_owned();
        service.finished(&job).await;
        let error = service.get(&format!("/v1/preview/training-jobs/{job}")).await.ok()["error"].clone();
        assert_eq!((&error["code"], &error["retryable"]), (&json!("invalid_training_data"), &json!(false)), "{url}");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_job_whose_process_was_killed_is_taken_up_again_and_ends_with_the_same_bytes() {
    let site = Site::new();
    let rows: Vec<Value> = (0..60).map(|n| row(&format!("count {n}"), "one two three")).collect();
    let server = Process::serve(site.path(), &[]);
    let quiet = site.model(&server, "quiet").await;
    let job = site.start_sft(&server, &quiet, &rows).await;
    let undisturbed = site.finished(&server, &job).await;
    let model = site.model(&server, "killed").await;
    let job = site.start_sft(&server, &model, &rows).await;
    let before = site.reaches(&server, &job, 5).await;
    server.kill();

    // Every step that was shown is one to go on from.
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let record = metadata.get_job("acme", job.parse().expect("a UUID")).await.expect("the job");
    let steps = event_types(&before).iter().filter(|kind| **kind == "gradient_step").count();
    assert!(record.resume.is_some_and(|state| state.next_step >= i64::try_from(steps).expect("few")));

    let server = Process::serve(site.path(), &[]);
    let after = site.finished(&server, &job).await;
    assert_eq!(after[..before.len()], before[..], "what was told stays as it was told");
    assert_eq!(repeatable(&after), repeatable(&undisturbed));
    let record = metadata.get_job("acme", job.parse().expect("a UUID")).await.expect("the job");
    assert!(record.attempts >= 2, "the kill came too late to interrupt the job");
    let mut adapters = Vec::new();
    for model in [quiet, model] {
        let id = model.id.parse().expect("a UUID");
        let checkpoint = metadata.checkpoint_at_step("acme", id, 1).await.expect("a checkpoint");
        adapters.push(checkpoint.adapter.map(|files| [files.config.hash(), files.weights.hash()]));
    }
    assert!(adapters[0].is_some());
    assert_eq!(adapters[0], adapters[1]);
}

/// Repeats rows.
trait ConcatRows {
    fn concat_rows(&self, times: usize) -> Vec<Value>;
}

impl ConcatRows for [Value] {
    fn concat_rows(&self, times: usize) -> Vec<Value> {
        self.iter().cycle().take(self.len() * times).cloned().collect()
    }
}
