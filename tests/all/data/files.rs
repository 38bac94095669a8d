//! Files: uploaded, listed, downloaded in parts, trained on, deleted.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use trainyard::client::types::FilePurpose;
use trainyard::client::{Client, Download, connect};
use trainyard::server::WandbServer;

use crate::support::{TestService, answer, event_types, http, row, text};

fn client(service: &TestService) -> Client {
    connect(&service.root, &service.key).expect("a client")
}

async fn bytes_of(mut download: Download) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = download.chunk().await.expect("a chunk") {
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

fn rows(count: usize) -> String {
    (0..count).map(|n| format!("{}\n", row(&format!("question {n}"), "an answer"))).collect()
}

#[tokio::test]
async fn a_file_is_kept_as_it_was_sent() {
    let service = TestService::start().await;
    let client = client(&service);
    // More than one piece of the store, and no multiple of any.
    let content: Vec<u8> = (0..9_000_001_u32).map(|n| (n % 251) as u8).collect();
    let made =
        client.create_file(FilePurpose::UserData, "naïve \"x\".bin", content.clone()).await.unwrap().into_inner();
    assert_eq!((made.bytes, made.filename.as_str()), (9_000_001, "naïve \"x\".bin"));
    assert_eq!(client.get_file(&made.id).await.unwrap().into_inner().id, made.id);
    let whole = client.get_file_content(&made.id).await.unwrap();
    assert_eq!(whole.length(), Some(9_000_001));
    let tag = whole.headers()["etag"].to_str().unwrap().to_owned();
    assert!(bytes_of(whole).await == content);
    // A download that broke off goes on, as long as the content is the same.
    let rest = client.get_file_content(&made.id).if_range(&tag).range("bytes=8999990-").await.unwrap();
    assert!(rest.is_part());
    assert_eq!(rest.headers()["content-range"], "bytes 8999990-9000000/9000001");
    assert_eq!(bytes_of(rest).await, content[8_999_990..]);
    let other = client.get_file_content(&made.id).if_range("\"other\"").range("bytes=8999990-").await.unwrap();
    assert!(!other.is_part() && bytes_of(other).await == content);
    let unchanged = client.get_file_content(&made.id).if_none_match(&tag).await.unwrap();
    assert!(unchanged.is_unchanged() && bytes_of(unchanged).await.is_empty());
    let beyond = client.get_file_content(&made.id).range("bytes=9000001-").await.unwrap_err();
    assert_eq!(beyond.status(), Some(416));
    // The newest comes first, and each page begins behind the one before.
    let mut ids = vec![made.id];
    for name in ["b.jsonl", "c.jsonl", "d.jsonl"] {
        ids.push(client.create_file(FilePurpose::FineTune, name, rows(1)).await.unwrap().id.clone());
    }
    ids.reverse();
    let first = client.list_files().limit(3).await.unwrap().into_inner();
    let second = client.list_files().after(&first.last_id).await.unwrap().into_inner();
    assert_eq!((first.has_more, second.has_more), (true, false));
    let listed: Vec<_> = first.data.into_iter().chain(second.data).map(|file| file.id).collect();
    assert_eq!(listed, ids);
    let data = client.list_files().purpose(FilePurpose::FineTune).await.unwrap().into_inner().data;
    assert_eq!(data.len(), 3);
    assert!(client.delete_file(&ids[0]).await.unwrap().deleted);
    for gone in [client.get_file(&ids[0]).await.map(drop), client.delete_file(&ids[0]).await.map(drop)] {
        assert_eq!(gone.unwrap_err().status(), Some(404));
    }
    service.stop().await;
}

#[tokio::test]
async fn an_uploaded_file_is_trained_on_also_when_it_is_deleted_meanwhile() {
    let service = TestService::start().await;
    let client = client(&service);
    let [from_file, from_url] = [service.model("from-file").await, service.model("from-url").await];
    let config = json!({ "batch_size": 2, "learning_rate": 1e-3 });
    let file = client.create_file(FilePurpose::FineTune, "train.jsonl", rows(4)).await.unwrap().into_inner();
    let body = json!({ "model_id": from_file.id, "training_data_url": file.id, "config": config });
    let jobs = "/v1/preview/sft-training-jobs";
    let job = service.post(jobs, &body).await.ok();
    let late = service.post(jobs, &body).await.ok();
    client.delete_file(&file.id).await.unwrap();
    let ended = ["training_started", "gradient_step", "gradient_step", "training_ended"];
    for job in [&job, &late] {
        assert_eq!(event_types(&service.finished(text(&job["id"])).await), ended);
    }
    // The same numbers as from the same rows at a URL.
    let values: Vec<Value> = rows(4).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let job = service.start_sft(&from_url, &values, config).await;
    service.finished(&job).await;
    let tokens = async |model: String| service.first_tokens(&model, "question 1").await;
    assert_eq!(tokens(from_file.at(1)).await, tokens(from_url.at(1)).await);
    let rejected = service.post(jobs, &body).await.rejected(422);
    assert_eq!(rejected["param"], "training_data_url", "{rejected}");
    service.stop().await;
}

#[tokio::test]
async fn files_that_cannot_be_trained_on_are_rejected_at_once() {
    let service = TestService::start().await;
    let model = service.model("picky").await;
    let other = service.upload("user_data", "weights.bin", "x").await;
    let theirs = {
        let form = Form::new().text("purpose", "fine-tune").part("file", Part::text(rows(1)).file_name("theirs.jsonl"));
        let request = http().post(format!("{}/v1/files", service.root)).bearer_auth(&service.rival_key);
        text(&answer(request.multipart(form)).await.ok()["id"]).to_owned()
    };
    for (url, reason) in [
        (other.as_str(), "another purpose"),
        (&theirs, "no such file"),
        ("file-", "no such file"),
        ("file-01a1f9c6218a7d10aa553b1f60a2c9e4", "no such file"),
    ] {
        let body = json!({ "model_id": model.id, "training_data_url": url });
        let error = service.post("/v1/preview/sft-training-jobs", &body).await.rejected(422);
        assert!(text(&error["message"]).contains(reason), "{url}: {error}");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_form_says_what_it_lacks() {
    let service = TestService::start().await;
    let file = || Part::text("x").file_name("x.jsonl");
    let cases: [(&str, Form, &str); 5] = [
        ("no file", Form::new().text("purpose", "fine-tune"), "file"),
        ("no purpose", Form::new().part("file", file()), "purpose"),
        ("another purpose", Form::new().text("purpose", "batch_output").part("file", file()), "purpose"),
        ("no file name", Form::new().text("purpose", "fine-tune").text("file", "x"), "file"),
        ("two files", Form::new().part("file", file()).part("file", file()).text("purpose", "fine-tune"), "file"),
    ];
    for (what, form, place) in cases {
        let error = answer(service.request(Method::POST, "/v1/files").multipart(form)).await.rejected(422);
        assert_eq!(error["param"], place, "{what}: {error}");
    }
    // The order of the parts does not matter, and others are passed over.
    let form = Form::new().part("file", file()).text("expires_after[seconds]", "3600");
    let form = form.text("expires_after[anchor]", "created_at").text("purpose", "user_data");
    answer(service.request(Method::POST, "/v1/files").multipart(form)).await.ok();
    assert_eq!(service.get("/v1/files").await.ok()["data"].as_array().map(Vec::len), Some(1));
    service.stop().await;
}

#[tokio::test]
async fn a_repeated_upload_is_done_once() {
    let service = TestService::start().await;
    let upload = async |content: &'static str| {
        let form = Form::new().text("purpose", "fine-tune").part("file", Part::text(content).file_name("a.jsonl"));
        let request = service.request(Method::POST, "/v1/files").header("Idempotency-Key", "once").multipart(form);
        let answered = request.send().await.unwrap();
        let replayed = answered.headers().get("idempotency-replayed").is_some();
        (answered.status().as_u16(), replayed, answered.json::<Value>().await.unwrap())
    };
    let answers = futures_util::future::join_all((0..50).map(|_| upload("one"))).await;
    assert!(answers.iter().all(|(status, _, file)| *status == 200 && file == &answers[0].2), "{answers:?}");
    assert_eq!(answers.iter().filter(|(_, replayed, _)| !replayed).count(), 1);
    assert_eq!(upload("two").await.2["error"]["code"], "idempotency_key_reused");
    assert_eq!(service.get("/v1/files").await.ok()["data"].as_array().map(Vec::len), Some(1));
    service.stop().await;
}

#[tokio::test]
async fn data_sets_of_a_wandb_server_are_trained_on() {
    // A service speaks W&B's protocol, so one can be the server of another.
    let origin = TestService::start().await;
    let rows = |answer: &str| Part::text(format!("{}\n", row("red?", answer)));
    for answer_row in ["blue", "green"] {
        let part = rows(answer_row).file_name("wandb/sets/colours/train.jsonl");
        let form = Form::new().text("purpose", "fine-tune").part("file", part);
        answer(origin.request(Method::POST, "/v1/files").multipart(form)).await.ok();
    }
    let server = WandbServer { url: origin.root.parse().unwrap(), key: origin.key.parse().unwrap() };
    let service = TestService::start_with(|settings| settings.wandb = Some(server)).await;
    let model = service.model("agent").await;
    let train = async |name: &str| {
        let url = format!("wandb-artifact:///acme/sets/{name}");
        let body = json!({ "model_id": model.id, "training_data_url": url, "config": { "learning_rate": 1e-3 } });
        text(&service.post("/v1/preview/sft-training-jobs", &body).await.ok()["id"]).to_owned()
    };
    let mut weights = Vec::new();
    for (step, name) in ["colours:v0", "colours:v1", "colours:latest", "colours"].iter().enumerate() {
        let events = service.finished(&train(name).await).await;
        assert_eq!(events.last().unwrap()["type"], "training_ended", "{name}: {events:?}");
        let path = format!("/v1/preview/models/{}/checkpoints/{}/manifest", model.id, step + 1);
        weights.push(service.get(&path).await.ok()["manifest"]["training"]["data_sha256"].clone());
    }
    assert!(weights[0] != weights[1] && weights[1] == weights[2] && weights[2] == weights[3], "{weights:?}");
    // An estimate reads it too, and a job says what is not there.
    let url = "wandb-artifact:///acme/sets/colours:v1";
    let body = json!({ "model_id": model.id, "training_data_url": url });
    let estimate = service.post("/v1/preview/sft-training-jobs?dry_run=true", &body).await.ok();
    assert_eq!(estimate["estimate"]["training_started"]["num_rows"], 1, "{estimate}");
    let events = service.finished(&train("colours:v7").await).await;
    let failed = events.last().unwrap();
    assert!(text(&failed["data"]["error_message"]).contains("no such artifact"), "{failed}");
    // Nobody reads another entity's with the operator's key, and no other URL is given that key.
    let other = json!({ "model_id": model.id, "training_data_url": "wandb-artifact:///rival/sets/colours:v0" });
    service.post("/v1/preview/sft-training-jobs", &other).await.rejected(422);
    let own = format!("{}/v1/files", origin.root);
    let other = json!({ "model_id": model.id, "training_data_url": own });
    service.post("/v1/preview/sft-training-jobs", &other).await.rejected(422);
    service.stop().await;
    origin.stop().await;
}
