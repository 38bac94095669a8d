//! What a client asks for is done wholly or not at all, whenever the process is cut off, and can be asked for again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base64::Engine;
use md5::Digest;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::OnceCell;

use crate::job::{Client, Kind, Round, Template, check_artifacts, check_database, template};
use crate::server::{Fault, Server, Start, Task, copy_directory};
use crate::{figure, scale};

/// Requests that change something.
#[derive(Clone, Copy, Debug)]
enum Change {
    CreateModel,
    LogTrajectories,
    DeleteModel,
    DeleteCheckpoint,
    CreateJob,
    CreateModelWithJob,
    CancelJob,
    LabelJob,
    CreateFile,
    DeleteFile,
    CopyCheckpoint,
    NoteOnCheckpoint,
    CommitUpload,
}

impl Change {
    const OF_MODELS: [Self; 7] = [
        Self::CreateModel,
        Self::LogTrajectories,
        Self::DeleteModel,
        Self::DeleteCheckpoint,
        Self::CopyCheckpoint,
        Self::NoteOnCheckpoint,
        Self::CommitUpload,
    ];
    const OF_JOBS_AND_FILES: [Self; 6] = [
        Self::CreateJob,
        Self::CreateModelWithJob,
        Self::CancelJob,
        Self::LabelJob,
        Self::CreateFile,
        Self::DeleteFile,
    ];

    /// Asks for it: the status of the answer, if there is one.
    async fn ask(self, template: &Template, http: &Client, root: &str) -> Option<u16> {
        let model = &template.models[0];
        let files = format!("{root}/v1/files");
        let url = format!("{root}/v1/preview/models/{model}");
        let (method, url, body) = match self {
            Self::CreateModel => {
                let body = json!({ "project": "p", "name": "new", "base_model": "trainyard/seedling", "return_existing": true });
                ("POST", format!("{root}/v1/preview/models"), Some(body))
            }
            Self::LogTrajectories => {
                let body = json!({ "split": "val", "trajectory_groups": [] });
                let logged = http.create(&format!("{url}/log"), &body, "log").await;
                return logged.ok().map(|(status, _)| status);
            }
            Self::DeleteModel => ("DELETE", url, None),
            Self::DeleteCheckpoint => {
                ("DELETE", format!("{url}/checkpoints"), Some(json!({ "steps": [1], "allow_latest": true })))
            }
            Self::CreateJob => {
                let (path, body) = template.request(Kind::Rl, &template.models[1]);
                ("POST", format!("{root}{path}"), Some(body))
            }
            Self::CreateModelWithJob => {
                let file = file_named(http, root, KEPT).await?;
                let body = json!({ "model": "trainyard/seedling", "training_file": file, "suffix": "new" });
                let made = http.create(&format!("{root}/v1/fine_tuning/jobs"), &body, "fine-tuning").await;
                return made.ok().map(|(status, _)| status);
            }
            Self::CancelJob => ("POST", format!("{}/cancel", waiting_job(http, root).await?), None),
            Self::LabelJob => {
                ("PATCH", waiting_job(http, root).await?, Some(json!({ "name": "labelled", "tags": ["one"] })))
            }
            Self::CreateFile => {
                return http.upload(&files, "more.jsonl", "again").await.ok().map(|(status, _)| status);
            }
            Self::DeleteFile => {
                let file = file_named(http, root, KEPT).await?;
                ("DELETE", format!("{files}/{}", file.as_deref().unwrap_or("file-gone")), None)
            }
            Self::CopyCheckpoint => {
                let body = json!({ "type": "copy", "model_id": model, "step": 1 });
                let copied = http.create(&format!("{url}/add-checkpoint"), &body, "copy").await;
                return copied.ok().map(|(status, _)| status);
            }
            Self::NoteOnCheckpoint => {
                let query = "mutation Any($input: X) { updateArtifact(input: $input) { artifact { id } } }";
                let input = json!({ "artifactID": format!("checkpoint:{model}:1"), "metadata": NOTES });
                return graphql(http, root, query, json!({ "input": input })).await.map(|(status, _)| status);
            }
            Self::CommitUpload => {
                let query = "mutation Any($id: ID!) { commitArtifact(input: {artifactID: $id}) { artifact { id } } }";
                let id = format!("lora:p/{}", upload_name(http, root, model).await?);
                return graphql(http, root, query, json!({ "id": id })).await.map(|(status, _)| status);
            }
        };
        http.call(method, &url, body.as_ref()).await.ok().map(|(status, _)| status)
    }

    /// Whether it has been made.
    async fn is_made(self, template: &Template, http: &Client, server: &Server, data: &std::path::Path) -> bool {
        let list = async |model: &str| {
            let url = format!("{}/v1/preview/models/{model}/checkpoints?limit=100", server.root);
            http.call("GET", &url, None).await.expect("an answer")
        };
        match self {
            Self::CreateModel => {
                // Asking for it again tells whether it was there: its id is as old as it is.
                let file = data.join("trainyard.db");
                let metadata = trainyard::store::sqlite::SqliteMetadata::open(&file).await.expect("the database opens");
                let found =
                    trainyard::store::metadata::Models::find_model(&metadata, crate::job::ENTITY, "p", "new").await;
                metadata.close().await;
                if let Ok(model) = &found {
                    assert_eq!(list(&model.id.to_string()).await.1["data"][0]["step"], 0, "a model has its step 0");
                }
                found.is_ok()
            }
            Self::LogTrajectories => logs(data).await == 1,
            Self::DeleteModel => list(&template.models[0]).await.0 == 404,
            Self::DeleteCheckpoint => {
                let (status, page) = list(&template.models[0]).await;
                assert_eq!(status, 200, "{page}");
                let steps: Vec<&Value> =
                    page["data"].as_array().expect("a page").iter().map(|item| &item["step"]).collect();
                assert!(steps.contains(&&json!(0)), "{steps:?}");
                !steps.contains(&&json!(1))
            }
            // Asked again without a key, it is another one.
            Self::CreateJob => check_database(data).await.len() >= 3,
            Self::CreateModelWithJob => {
                let jobs = http.call("GET", &format!("{}/v1/fine_tuning/jobs", server.root), None).await;
                let jobs = jobs.expect("an answer").1;
                let jobs = jobs["data"].as_array().expect("a page").iter();
                let jobs = jobs.filter(|job| job["user_provided_suffix"] == "new").count();
                let url = format!("{}/v1/preview/models?project=fine-tuning", server.root);
                let models = http.call("GET", &url, None).await.expect("an answer").1;
                let models = models["data"].as_array().expect("a page").len();
                assert!(jobs < 2 && jobs == models, "{jobs} jobs, {models} models");
                jobs == 1
            }
            Self::CancelJob => {
                let url = waiting_job(http, &server.root).await.expect("an answer");
                let job = http.call("GET", &url, None).await.expect("an answer").1;
                let events = http.call("GET", &format!("{url}/events"), None).await.expect("an answer").1;
                let ended = job["status"] == "cancelled";
                assert_eq!(events["data"].as_array().expect("a page").len(), usize::from(ended), "{job} {events}");
                ended
            }
            Self::LabelJob => {
                let url = waiting_job(http, &server.root).await.expect("an answer");
                let job = http.call("GET", &url, None).await.expect("an answer").1;
                let labels = (&job["name"], &job["tags"]);
                let is_made = labels == (&json!("labelled"), &json!(["one"]));
                assert!(
                    is_made || labels == (&Value::Null, &json!([])) || labels == (&Value::Null, &Value::Null),
                    "{job}"
                );
                is_made
            }
            Self::CreateFile => file_named(http, &server.root, "more.jsonl").await.expect("an answer").is_some(),
            Self::DeleteFile => file_named(http, &server.root, KEPT).await.expect("an answer").is_none(),
            Self::CopyCheckpoint => {
                let steps: Vec<Value> = list(&template.models[0]).await.1["data"]
                    .as_array()
                    .expect("a page")
                    .iter()
                    .map(|item| item["step"].clone())
                    .collect();
                assert!(!steps.contains(&json!(3)), "{steps:?}");
                steps.contains(&json!(2))
            }
            Self::NoteOnCheckpoint => {
                let query = "query Any($id: ID!) { artifact(id: $id) { metadata } }";
                let id = json!({ "id": format!("checkpoint:{}:1", template.models[0]) });
                let answer = graphql(http, &server.root, query, id).await.expect("an answer").1;
                answer["data"]["artifact"]["metadata"] == NOTES
            }
            Self::CommitUpload => {
                let page = list(&template.models[0]).await.1;
                let steps: Vec<i64> =
                    page["data"].as_array().expect("a page").iter().filter_map(|item| item["step"].as_i64()).collect();
                assert!(steps == [0, 1] || steps == [0, 1, UPLOADED_STEP], "{steps:?}");
                steps.len() == 3
            }
        }
    }
}

/// Answers a query of W&B's client.
async fn graphql(http: &Client, root: &str, query: &str, variables: Value) -> Option<(u16, Value)> {
    let body = json!({ "query": query, "variables": variables });
    let (status, answer) = http.call("POST", &format!("{root}/graphql"), Some(&body)).await.ok()?;
    assert!(status != 200 || answer.get("errors").is_none(), "{answer}");
    Some((status, answer))
}

/// Directory of the upload's files that [`trained`] has.
pub(crate) async fn upload_name(http: &Client, root: &str, model: &str) -> Option<String> {
    let model = http.call("GET", &format!("{root}/v1/preview/models/{model}"), None).await.ok()?.1;
    Some(format!("{}:step{UPLOADED_STEP}:{}", model["name"].as_str()?, "0".repeat(32)))
}

/// Sends the files of step 1 of a model as an upload that is to be another step of it.
pub(crate) async fn upload(http: &Client, key: &str, root: &str, model: &str) {
    let place = format!("{root}/wandb/files/p/{}", upload_name(http, root, model).await.expect("a model"));
    let plain = reqwest::Client::builder().timeout(Duration::from_secs(60)).build().expect("a client");
    let put = async |name: &str, content: Vec<u8>| {
        let request = plain.put(format!("{place}/{name}")).bearer_auth(key).body(content);
        let answer = request.header("content-type", "application/octet-stream").send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{name}");
    };
    let mut contents = serde_json::Map::new();
    for name in ["adapter_config.json", "adapter_model.safetensors"] {
        let url = format!("{root}/v1/preview/models/{model}/checkpoints/1/files/{name}");
        let content = plain.get(url).bearer_auth(key).send().await.expect("an answer").bytes().await.expect("a file");
        let digest = base64::engine::general_purpose::STANDARD.encode(md5::Md5::digest(&content));
        contents.insert(name.to_owned(), json!({ "digest": digest, "size": content.len() }));
        put(name, content.to_vec()).await;
    }
    put("wandb_manifest.json", json!({ "version": 1, "contents": contents }).to_string().into_bytes()).await;
}

/// How many trajectory logs there are: no more than one that was asked for under one key.
async fn logs(data: &std::path::Path) -> i64 {
    let options = SqliteConnectOptions::new().filename(data.join("trainyard.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the database opens");
    let logs = sqlx::query_scalar("SELECT count(*) FROM trajectory_logs").fetch_one(&mut connection).await;
    connection.close().await.expect("it closes");
    let logs: i64 = logs.expect("a count");
    assert!(logs < 2, "{logs} logs");
    logs
}

/// The address of the job that waits in [`trained`], if the server answers.
async fn waiting_job(http: &Client, root: &str) -> Option<String> {
    let url = format!("{root}/v1/preview/training-jobs");
    let jobs = http.call("GET", &format!("{url}?order=asc"), None).await.ok()?.1;
    Some(format!("{url}/{}", jobs["data"][1]["id"].as_str().expect("the second job")))
}

/// The id of the one file of this name, if there is one, if the server answers.
async fn file_named(http: &Client, root: &str, name: &str) -> Option<Option<String>> {
    let files = http.call("GET", &format!("{root}/v1/files"), None).await.ok()?.1;
    let files = files["data"].as_array().expect("a page").iter();
    let ids: Vec<&str> = files.filter(|file| file["filename"] == name).filter_map(|file| file["id"].as_str()).collect();
    assert!(ids.len() < 2, "{name} was stored twice");
    Some(ids.first().map(ToString::to_string))
}

/// Properties of a checkpoint that are compared.
const NOTES: &str = r#"{"wandb.provenance":["serverless-sft"]}"#;
/// The step that the upload of [`trained`] is to be.
pub(crate) const UPLOADED_STEP: i64 = 7;
/// A file that [`trained`] has.
const KEPT: &str = "kept.jsonl";

static TRAINED: OnceCell<PathBuf> = OnceCell::const_new();

/// A data directory with a file, whose first model has a trained checkpoint and an upload that waits to be one, and whose third has a job that waits.
async fn trained() -> &'static PathBuf {
    TRAINED
        .get_or_init(async || {
            let mut round = Round::new(template().await, Kind::Sft);
            round.finish().await;
            let of = template().await;
            let server = Server::ready(&round.data(), &of.directory, &without_worker());
            let (path, body) = of.request(Kind::Rl, &of.models[2]);
            let (status, job) = Client::new(&of.key)
                .call("POST", &format!("{}{path}", server.root), Some(&body))
                .await
                .expect("an answer");
            assert_eq!(status, 200, "{job}");
            let kept = Client::new(&of.key).upload(&format!("{}/v1/files", server.root), KEPT, "kept").await;
            assert_eq!(kept.expect("an answer").0, 200);
            upload(&Client::new(&of.key), &of.key, &server.root, &of.models[0]).await;
            server.kill();
            let kept = of.directory.join("trained");
            copy_directory(&round.data(), &kept);
            kept
        })
        .await
}

/// A process that only answers: a job that trains has calls of its own.
fn without_worker() -> Start<'static> {
    Start { task: Task::Serve, ..Start::default() }
}

/// Asks for a change under a disturbance; whether the process was killed by it.
async fn cut_off(change: Change, fault: &Fault) -> bool {
    let what = format!("{change:?} with {fault:?}");
    let template = template().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let data = directory.path().join("data");
    copy_directory(trained().await, &data);
    let mut server = Server::ready(&data, &template.directory, &without_worker());
    let http = Client::new(&template.key);
    // The first use of a key is noted; that is not what is disturbed.
    http.call("GET", &format!("{}/v1/preview/models/{}/checkpoints", server.root, template.models[0]), None)
        .await
        .expect("an answer");
    tokio::time::sleep(Duration::from_millis(20)).await;
    let tracer = server.disturb(fault);
    let status = change.ask(template, &http, &server.root).await;
    let killed = status.is_none();
    if killed {
        let begun = Instant::now();
        while !server.was_killed() {
            assert!(begun.elapsed() < Duration::from_secs(10), "{what}: no answer, but a process: {}", server.log());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    drop(tracer);
    assert!(!server.log().contains("panicked"), "{what}: {}", server.log());
    server.kill();
    let server = Server::ready(&data, &template.directory, &without_worker());
    let made = change.is_made(template, &http, &server, &data).await;
    match status {
        Some(200..300) => assert!(made, "{what}: acknowledged, and lost"),
        Some(status) => assert!((500..600).contains(&status) && fault.effect.starts_with("error"), "{what}: {status}"),
        None => {}
    }
    let again = change.ask(template, &http, &server.root).await.expect("an answer");
    let gone = made && matches!(change, Change::DeleteModel | Change::DeleteFile);
    assert!(if gone { again == 404 } else { (200..300).contains(&again) }, "{what}: asked again: {again}");
    assert!(gone || change.is_made(template, &http, &server, &data).await, "{what}: asked again, and not made");
    if matches!(change, Change::CommitUpload) {
        let files = http.call("GET", &format!("{}/v1/files", server.root), None).await.expect("an answer").1;
        assert_eq!(files["data"].as_array().map(Vec::len), Some(1), "{what}: files of the upload are left: {files}");
    }
    server.kill();
    check_database(&data).await;
    let file = data.join("trainyard.db");
    let metadata = trainyard::store::sqlite::SqliteMetadata::open(&file).await.expect("the database opens");
    check_artifacts(&data, &metadata).await;
    metadata.close().await;
    killed
}

/// Cuts each change off at each of its calls.
async fn cut_off_everywhere(changes: &[Change]) {
    let mut all_kills = 0;
    for change in changes.iter().copied() {
        let mut kills = 0;
        for calls in ["pwrite64", "fsync,fdatasync", "?rename,?renameat", "?unlink,?unlinkat"] {
            let mut k = 1;
            while cut_off(change, &Fault::kill(calls, k)).await {
                kills += 1;
                let effect = if k % 2 == 0 { "error=EIO" } else { "error=ENOSPC" };
                cut_off(change, &Fault { calls: calls.to_owned(), effect, when: k.to_string() }).await;
                k += if scale() > 1 { 1 } else { 1 + k / 4 };
                if k > 24 {
                    break;
                }
            }
        }
        println!("{change:?}: {kills} points");
        assert!(kills > 0, "{change:?} was never cut off");
        all_kills += kills;
    }
    figure("kills of a server in a request, SQLite", all_kills);
}

#[tokio::test]
async fn a_request_that_is_cut_off_changes_a_model_wholly_or_not_at_all() {
    cut_off_everywhere(&Change::OF_MODELS).await;
}

#[tokio::test]
async fn a_request_that_is_cut_off_changes_a_job_or_file_wholly_or_not_at_all() {
    cut_off_everywhere(&Change::OF_JOBS_AND_FILES).await;
}
