//! A batch whose server is killed again and again has each of its lines once, with the responses of an undisturbed one.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::job::{Client, Template, check_artifacts, template};
use crate::server::Server;
use crate::{Random, figure, scale};
use trainyard::store::sqlite::SqliteMetadata;

const LINES: usize = 120;
const CHAT: &str = "/v1/chat/completions";
/// Kills of one batch.
const KILLS: usize = 6;

/// Requests of which every seventh fails.
fn requests() -> String {
    let line = |number: usize| {
        let temperature = if number % 7 == 3 { 9 } else { 1 };
        let body = json!({
            "model": "trainyard/seedling", "messages": [{ "role": "user", "content": format!("Say {number}.") }],
            "seed": number, "max_tokens": 24, "temperature": temperature, "logit_bias": { "2": -100 },
        });
        json!({ "custom_id": number.to_string(), "method": "POST", "url": CHAT, "body": body }).to_string() + "\n"
    };
    (0..LINES).map(line).collect()
}

/// Creates the batch; its URL below the root.
async fn create(http: &Client, root: &str) -> String {
    let file = http.upload_as("batch", &format!("{root}/v1/files"), "requests.jsonl", requests(), "requests").await;
    let file = file.expect("an answer").1["id"].clone();
    let body = json!({ "input_file_id": file, "endpoint": CHAT, "completion_window": "24h" });
    let batch = http.create(&format!("{root}/v1/batches"), &body, "batch").await.expect("an answer").1;
    format!("/v1/batches/{}", batch["id"].as_str().expect("an id"))
}

/// Follows the batch for a time; its last state.
async fn follow(http: &Client, url: &str, time: Duration) -> Value {
    let begun = Instant::now();
    loop {
        let (status, batch) = http.call("GET", url, None).await.expect("an answer");
        assert_eq!(status, 200, "{batch}");
        if batch["status"] == "completed" || begun.elapsed() >= time {
            return batch;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn handled(batch: &Value) -> u64 {
    let counts = &batch["request_counts"];
    counts["completed"].as_u64().expect("a number") + counts["failed"].as_u64().expect("a number")
}

/// The responses of a completed batch by custom id: each is in one file, in the order of the lines.
async fn responses(http: &Client, root: &str, batch: &Value) -> BTreeMap<usize, Value> {
    assert_eq!(batch["status"], "completed", "{batch}");
    let mut found = BTreeMap::new();
    for (file, is_failed) in [("output_file_id", false), ("error_file_id", true)] {
        let id = batch[file].as_str().expect("a file");
        let content = http.bytes(&format!("{root}/v1/files/{id}/content")).await.expect("the content");
        let mut last = None;
        for line in String::from_utf8(content).expect("a text").lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let number: usize = line["custom_id"].as_str().and_then(|id| id.parse().ok()).expect("a number");
            assert!(last < Some(number), "the lines of {file} are in order");
            last = Some(number);
            assert_eq!(number % 7 == 3, is_failed, "{line}");
            let body = &line["response"]["body"];
            let said = if is_failed { body["error"].clone() } else { body["choices"].clone() };
            assert!(found.insert(number, said).is_none(), "line {number} is there twice");
        }
    }
    assert_eq!(found.len(), LINES, "no line is lost");
    found
}

async fn check(data: &Path) {
    let metadata = SqliteMetadata::open(&data.join("trainyard.db")).await.expect("the database opens");
    check_artifacts(data, &metadata).await;
    metadata.close().await;
}

async fn undisturbed(template: &Template) -> BTreeMap<usize, Value> {
    let directory = template.copy();
    let server = Server::undisturbed(&directory.path().join("data"), &template.directory);
    let http = Client::new(&template.key);
    let path = create(&http, &server.root).await;
    let batch = follow(&http, &format!("{}{path}", server.root), Duration::from_secs(120)).await;
    let found = responses(&http, &server.root, &batch).await;
    server.kill();
    found
}

#[tokio::test]
async fn a_batch_killed_again_and_again_has_each_line_once() {
    let template = template().await;
    let expected = undisturbed(template).await;
    let mut random = Random::new(21);
    let mut kills = 0;
    for _ in 0..scale() {
        let directory = template.copy();
        let data = directory.path().join("data");
        let http = Client::new(&template.key);
        let mut server = Server::undisturbed(&data, &template.directory);
        let path = create(&http, &server.root).await;
        let mut told = 0;
        for _ in 0..KILLS {
            let time = Duration::from_millis(20 + random.below(400) as u64);
            let batch = follow(&http, &format!("{}{path}", server.root), time).await;
            assert!(handled(&batch) >= told, "a recorded response is lost: {batch}");
            told = handled(&batch);
            server.kill();
            kills += 1;
            server = Server::undisturbed(&data, &template.directory);
        }
        let batch = follow(&http, &format!("{}{path}", server.root), Duration::from_secs(120)).await;
        assert_eq!(handled(&batch), LINES as u64, "{batch}");
        assert_eq!(responses(&http, &server.root, &batch).await, expected, "the responses of an undisturbed batch");
        server.kill();
        check(&data).await;
    }
    figure("kills of a server that runs a batch", kills);
}
