//! Where the steps of a model come from: that it can be told, checked, and done again.

use std::path::PathBuf;
use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Row, SqliteConnection};

use crate::support::{Model, SEEDLING, TestService, row, text};
use crate::time_limits::Limited;

/// Runs the program on the data of a service; its exit code, and what it printed as JSON.
async fn run(service: &TestService, arguments: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainyard"));
    command.args(arguments).arg("--json").arg("--data-dir").arg(service.directory.path().join("data"));
    let output = tokio::task::spawn_blocking(move || command.output_limited()).await.expect("no panic");
    let shown = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_str(&shown).unwrap_or_else(|_| json!({ "told": told }));
    (output.status.code().expect("an exit code"), value)
}

async fn assert_replays(service: &TestService, job: &str) -> Value {
    let (code, replayed) = run(service, &["replay", job]).await;
    assert_eq!((code, &replayed["same"]), (0, &json!(true)), "{job}: {replayed}");
    assert_eq!(replayed["expected"], replayed["found"]);
    replayed
}

async fn verify(service: &TestService, model: &Model) -> (i32, Value) {
    run(service, &["verify", &model.id]).await
}

async fn manifest(service: &TestService, model: &Model, step: i64) -> Value {
    service.get(&format!("/v1/preview/models/{}/checkpoints/{step}/manifest", model.id)).await.ok()
}

/// A model with a step of each kind of training, and its jobs in order.
async fn trained(service: &TestService) -> (Model, Vec<String>) {
    let model = service.model("agent").await;
    let rows = [row("red?", "blue"), row("up?", "down"), row("one?", "two")];
    let groups = json!([service.rollouts(SEEDLING, "pick a word", &[0.0, 1.0, 0.25]).await]);
    let mut jobs = Vec::new();
    let mut done = async |job: String| {
        let events = service.finished(&job).await;
        assert_eq!(events.last().expect("an end")["type"], "training_ended", "{events:?}");
        jobs.push(job);
    };
    let sft = json!({ "batch_size": 1, "learning_rate": 5e-3, "validation_split": 0.34 });
    done(service.start_sft(&model, &rows, sft).await).await;
    for config in [
        json!({ "scale_learning_rate_by_reward_std_dev": true }),
        json!({ "scale_learning_rate_by_reward_std_dev": true, "kl_penalty_coef": 0.1, "kl_penalty_reference_step": 1,
                "precalculate_logprobs": true }),
    ] {
        done(service.start_rl(&model, groups.clone(), config).await).await;
    }
    done(service.start_rl(&model, json!([]), Value::Null).await).await;
    let sft = json!({ "batch_size": 2, "learning_rate": [1e-3, 1e-4] });
    done(service.start_sft(&model, &rows, sft).await).await;
    (model, jobs)
}

#[tokio::test]
async fn jobs_that_are_run_again_come_to_the_same_bytes() {
    let service = TestService::start().await;
    let (model, jobs) = trained(&service).await;
    for (step, job) in (1..).zip(&jobs) {
        let replayed = assert_replays(&service, job).await;
        assert_eq!(replayed["step"], step);
        let detail = service.get(&format!("/v1/preview/models/{}/checkpoints/{step}", model.id)).await.ok();
        let found = ["config_sha256", "weights_sha256"].map(|name| &replayed["found"][name]);
        assert_eq!(found, [&detail["files"][0]["sha256"], &detail["files"][1]["sha256"]]);
    }
    // Also when the steps on the way were deleted, and the service is away.
    let steps = json!({ "steps": [0, 1, 2, 3] });
    let path = format!("/v1/preview/models/{}/checkpoints", model.id);
    service.send(Method::DELETE, &path, Some(&steps)).await.ok();
    assert_replays(&service, &jobs[4]).await;
    assert_eq!(verify(&service, &model).await.0, 0);

    // A fork of a model that is gone, trained as a whole or by an adapter.
    let full = json!({ "project": "tests", "name": "whole", "base_model": SEEDLING, "training_method": "full" });
    let full = text(&service.post("/v1/preview/models", &full).await.ok()["id"]).to_owned();
    let full = Model { id: full, name: "wandb-artifact:///acme/tests/whole".to_owned() };
    let fork = service.model("fork").await;
    let copy = json!({ "type": "copy", "model_id": model.id, "step": 5 });
    service.post(&format!("/v1/preview/models/{}/add-checkpoint", fork.id), &copy).await.ok();
    service.send(Method::DELETE, &format!("/v1/preview/models/{}", model.id), None).await.ok();
    for model in [&full, &fork] {
        for _ in 0..2 {
            let config = json!({ "batch_size": 1, "learning_rate": 1e-3 });
            let job = service.start_sft(model, &[row("left?", "right"), row("on?", "off")], config).await;
            service.finished(&job).await;
            assert_replays(&service, &job).await;
        }
        assert_eq!(verify(&service, model).await.0, 0);
    }
    let (_, told) = verify(&service, &fork).await;
    assert_eq!(told["steps_from_deleted_models"], json!([1]), "{told}");

    // What cannot be replayed is said.
    let failed = service.start_sft(&full, &[json!({ "no": "messages" })], json!(null)).await;
    service.finished(&failed).await;
    for (job, why) in [(failed.as_str(), "only one that succeeded"), (jobs[0].as_str(), "there is no job")] {
        let (code, told) = run(&service, &["replay", job]).await;
        assert!(code == 1 && text(&told["told"]).contains(why), "{told}");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_job_is_run_again_whatever_was_done_before_it() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let lesson = [row("left?", "right"), row("on?", "off")];
    // A step without training passes the optimizer's state of the other kind on.
    for kind in ["sft", "nothing", "sft", "nothing", "nothing", "sft"] {
        let job = match kind {
            "sft" => service.start_sft(&model, &lesson, json!({ "batch_size": 1, "learning_rate": 1e-3 })).await,
            _ => service.start_rl(&model, json!([]), Value::Null).await,
        };
        service.finished(&job).await;
        assert_replays(&service, &job).await;
    }
    assert_eq!(verify(&service, &model).await.0, 0);
    service.stop().await;
}

#[tokio::test]
async fn manifests_say_where_a_step_comes_from() {
    let service = TestService::start().await;
    let (model, jobs) = trained(&service).await;
    let mut parent = Value::Null;
    for step in 0..=5 {
        let found = manifest(&service, &model, step).await;
        let written = &found["manifest"];
        assert_eq!(
            (&found["step"], &written["step"], &written["model_id"]),
            (&json!(step), &json!(step), &json!(model.id))
        );
        assert_eq!(written["parent"]["manifest_sha256"], parent, "step {step}");
        assert_eq!(written["previous_sha256"], parent, "step {step}");
        assert_eq!(written["base_model"]["name"], SEEDLING);
        assert_eq!(written["program"]["version"], env!("CARGO_PKG_VERSION"));
        parent = found["sha256"].clone();
        if step > 0 {
            assert_eq!(written["training"]["job_id"], jobs[step as usize - 1]);
        }
    }
    let newest = manifest(&service, &model, 5).await;
    let training = &newest["manifest"]["training"];
    assert_eq!((&training["config"]["batch_size"], &training["config"]["overlong_rows"]), (&json!(2), &json!("drop")));
    assert_eq!((&training["kind"], text(&training["data_sha256"]).len()), (&json!("sft"), 64));
    let compared = manifest(&service, &model, 3).await;
    assert_eq!(compared["manifest"]["training"]["reference"]["step"], 1);
    // The hash is that of the bytes that were sent, and the manifest outlives its step.
    let path = format!("/v1/preview/models/{}/checkpoints", model.id);
    service.send(Method::DELETE, &path, Some(&json!({ "steps": [2] }))).await.ok();
    let answer = service.request(Method::GET, &format!("{path}/2/manifest")).send().await.expect("an answer");
    let body = answer.text().await.expect("a body");
    let (_, behind) = body.split_once("\"manifest\":").expect("the manifest");
    let (sent, _) = behind.rsplit_once(",\"sha256\":").expect("the hash behind it");
    let digits: String = Sha256::digest(sent).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(body.contains(&format!("\"sha256\":\"{digits}\"")), "{body}");
    for path in [format!("{path}/6/manifest"), format!("{path}/9223372036854775807/manifest")] {
        service.get(&path).await.rejected(404);
    }
    service.send_as(&service.rival_key, Method::GET, &format!("{path}/1/manifest"), None).await.rejected(404);
    service.stop().await;
}

/// The files that hold artifacts.
fn artifact_files(service: &TestService) -> Vec<PathBuf> {
    let mut directories = vec![service.directory.path().join("data").join("artifacts")];
    let mut files = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { directories.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The text with one character changed to another of its kind.
fn altered(text: &str, place: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes[place] = match bytes[place] {
        digit @ b'0'..=b'8' => digit + 1,
        b'9' => b'0',
        letter @ b'a'..=b'e' => letter + 1,
        _ => b'x',
    };
    String::from_utf8(bytes).expect("ASCII")
}

#[tokio::test]
async fn a_flipped_byte_is_found_wherever_it_is() {
    let service = TestService::start().await;
    let (model, _) = trained(&service).await;
    let database = service.directory.path().join("data").join("trainyard.db");
    let (code, whole) = verify(&service, &model).await;
    assert_eq!((code, &whole["manifests"], &whole["checkpoints"]), (0, &json!(6), &json!(6)), "{whole}");
    assert_eq!(whole["head"], json!({ "step": 5, "sha256": manifest(&service, &model, 5).await["sha256"] }));

    let files = artifact_files(&service);
    assert!(files.len() >= 10, "{files:?}");
    for (number, path) in files.iter().enumerate() {
        let content = std::fs::read(path).expect("an artifact");
        let mut damaged = content.clone();
        if let Some(byte) = damaged.get_mut(number * 997 % content.len().max(1)) {
            *byte ^= 1 << (number % 8);
        } else {
            damaged.push(0);
        }
        std::fs::write(path, damaged).expect("it can be damaged");
        let (code, told) = verify(&service, &model).await;
        assert!(code == 1 && told["faults"][0]["error"].is_string(), "{}: {told}", path.display());
        std::fs::write(path, content).expect("it can be mended");
    }

    let options = SqliteConnectOptions::new().filename(&database);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the database opens");
    let columns = [
        ("manifests", "text"),
        ("manifests", "sha256"),
        ("checkpoints", "adapter_config"),
        ("checkpoints", "adapter_weights"),
        ("checkpoints", "optimizer_state"),
        ("checkpoints", "metrics"),
        ("jobs", "config"),
        ("jobs", "dataset"),
        ("jobs", "input_artifact"),
        ("jobs", "reference_adapter_weights"),
        ("models", "training_method"),
        ("models", "base_model"),
    ];
    let mut flipped = 0;
    for (table, column) in columns {
        let read = format!("SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL");
        // A table without row ids has a key of its own.
        let read = if table == "manifests" { read.replace("rowid", "step") } else { read };
        let key = if table == "manifests" { "step" } else { "rowid" };
        let rows = sqlx::query(sqlx::AssertSqlSafe(read)).fetch_all(&mut connection).await.expect("rows");
        assert!(!rows.is_empty(), "{table}.{column}");
        for (number, row) in rows.iter().enumerate() {
            let (id, before): (i64, String) = (row.get(0), row.get(1));
            // Inside a value, not beside it.
            let digits: Vec<usize> =
                before.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).map(|(place, _)| place).collect();
            let Some(place) = digits.get((number * 41 + 7) % digits.len().max(1)) else { continue };
            let write = format!("UPDATE {table} SET {column} = ? WHERE {key} = ?");
            let mut write = async |value: &str| {
                let update = sqlx::query(sqlx::AssertSqlSafe(write.clone())).bind(value.to_owned()).bind(id);
                update.execute(&mut connection).await.expect("a write");
            };
            write(&altered(&before, *place)).await;
            let (code, told) = verify(&service, &model).await;
            assert_eq!(code, 1, "{table}.{column} of {id}, {before:?} at {place}: {told}");
            write(&before).await;
            flipped += 1;
        }
    }
    assert!(flipped > 30, "{flipped}");
    for (table, step) in [("manifests", 0), ("manifests", 3), ("manifests", 5)] {
        let mut transaction = connection.begin().await.expect("a transaction");
        let kept: (String, String) = sqlx::query_as("SELECT sha256, text FROM manifests WHERE step = ?")
            .bind(step)
            .fetch_one(&mut *transaction)
            .await
            .expect("a row");
        sqlx::query("DELETE FROM manifests WHERE step = ?").bind(step).execute(&mut *transaction).await.expect("gone");
        transaction.commit().await.expect("a commit");
        assert_eq!(verify(&service, &model).await.0, 1, "{table} without step {step}");
        sqlx::query("INSERT INTO manifests (model_id, step, sha256, text) VALUES (?, ?, ?, ?)")
            .bind(&model.id)
            .bind(step)
            .bind(kept.0)
            .bind(kept.1)
            .execute(&mut connection)
            .await
            .expect("back");
    }
    assert_eq!(verify(&service, &model).await, (0, whole));
    service.stop().await;
}
