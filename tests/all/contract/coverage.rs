//! For each operation and each status and media type that the document has for it: one real answer at least, which is
//! what the document says. A promise that no request here can provoke fails the test by name.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use trainyard::auth::create_key;
use trainyard::server::open_metadata;

use super::requests::{self, Asked, Things, database};
use super::specification::{BYTES, Pair, Row, Seen, judge, rows};
use crate::raw::{Raw, RawAnswer};
use crate::support::{TestService, http, settings};
use crate::time_limits::{Limited, wait_within};

/// The answers seen so far.
#[derive(Default)]
struct Record(Mutex<BTreeSet<Pair>>);

impl Record {
    /// Judges an answer and remembers which promise it keeps.
    #[track_caller]
    fn note(&self, seen: &Seen<'_>) {
        match judge(seen) {
            Ok(Some(pair)) => drop(self.0.lock().expect("no panic").insert(pair)),
            Ok(None) => panic!("{} {}: no operation answered {}", seen.method, seen.path, seen.status),
            Err(fault) => panic!("{} {}: {fault}", seen.method, seen.path),
        }
    }

    fn note_raw(&self, method: &str, path: &str, answer: &RawAnswer) {
        let headers = answer.headers.clone();
        self.note(&Seen { method, path, status: answer.status, headers, body: &answer.body });
    }

    async fn send(&self, request: RequestBuilder) -> (u16, Value) {
        let (client, request) = request.build_split();
        let request = request.expect("a request");
        let (method, path) = (request.method().to_string(), request.url().path().to_owned());
        let mut answer = client.execute(request).await.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let status = answer.status().as_u16();
        let headers = answer.headers().iter();
        let headers: Vec<_> =
            headers.map(|(name, value)| (name.to_string(), value.to_str().expect("ASCII").to_owned())).collect();
        let is_endless = answer.headers().get("content-type").is_some_and(|media| media == "text/event-stream")
            && path.ends_with("/training-jobs");
        let body =
            if is_endless { first_events(&mut answer).await } else { answer.bytes().await.expect("a body").to_vec() };
        self.note(&Seen { method: &method, path: &path, status, headers, body: &body });
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    /// Sends a request that must be answered with this status.
    async fn expect(&self, status: u16, what: &str, request: RequestBuilder) {
        let (seen, body) = self.send(request).await;
        assert_eq!(seen, status, "{what}: {body}");
    }
}

/// The events that a stream without an end begins with.
async fn first_events(answer: &mut reqwest::Response) -> Vec<u8> {
    let mut events = Vec::new();
    while !events.ends_with(b"\n\n") {
        events.extend_from_slice(&answer.chunk().await.expect("a chunk").expect("an event"));
    }
    events
}

/// A server and keys for it.
#[derive(Clone)]
struct Target {
    root: String,
    /// Of an operator, who may do everything.
    key: String,
    /// Of anybody else.
    plain_key: String,
}

impl Target {
    fn of(service: &TestService) -> Self {
        Self { root: service.root.clone(), key: service.admin_key.clone(), plain_key: service.key.clone() }
    }

    fn open(&self, row: &Row, path: &str) -> RequestBuilder {
        let method: Method = row.method.parse().expect("a method");
        http().request(method, format!("{}{path}", self.root))
    }

    fn request(&self, row: &Row, path: &str) -> RequestBuilder {
        self.open(row, path).bearer_auth(&self.key)
    }

    fn ask(&self, row: &Row, asked: &Asked) -> RequestBuilder {
        asked.on(self.request(row, &asked.path))
    }

    /// A request with only the beginning of its body.
    async fn half(&self, row: &Row, path: &str, declared: u64, body: &str) -> Raw {
        let mut raw = Raw::connect(&self.root).await;
        let (method, key, media) = (&row.method, &self.key, media_type(row));
        raw.send(format!(
            "{method} {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\nContent-Type: {media}\r\n\
             Content-Length: {declared}\r\n\r\n{body}"
        ))
        .await;
        raw
    }
}

/// Of the body that an operation takes.
fn media_type(row: &Row) -> &'static str {
    if row.form().is_some() {
        "multipart/form-data; boundary=b"
    } else if row.body_of(BYTES).is_some() {
        BYTES
    } else {
        "application/json"
    }
}

fn lists(row: &Row, status: &str) -> bool {
    row.answers.iter().any(|(listed, _)| listed == status)
}

/// An answer to a request as it should be, in each media type.
async fn succeed(record: &Record, target: &Target, row: &Row, things: &Things) {
    let asked = requests::about(row, things);
    record.expect(200, &row.id, target.ask(row, &asked)).await;
    let answers = |media: &str| row.answer(200).is_some_and(|(_, answer)| answer["content"].get(media).is_some());
    if answers("text/csv") {
        record.expect(200, &row.id, target.ask(row, &asked).header("accept", "text/csv")).await;
    }
    if answers("text/event-stream") {
        let mut asked = asked;
        if let Some(body) = &mut asked.body {
            body["stream"] = json!(true);
        } else if row.of("query").any(|parameter| parameter["name"] == "stream") {
            asked.path.push_str("?stream=true");
        }
        record.expect(200, &row.id, target.ask(row, &asked).header("accept", "text/event-stream")).await;
    }
}

/// Rejections that follow from the operation's shape in the document.
async fn reject(record: &Record, target: &Target, row: &Row, things: &Things) {
    let asked = requests::about(row, things);
    if lists(row, "401") {
        record.expect(401, &row.id, target.open(row, &asked.path)).await;
    }
    if lists(row, "404") {
        let mut absent = requests::about(row, &Things::absent());
        for name in ["model_id", "model"] {
            if row.of("query").any(|parameter| parameter["name"] == name) {
                absent.path = format!("{}?{name}={}", absent.path, Things::absent().model_id);
            }
        }
        record.expect(404, &row.id, target.ask(row, &absent)).await;
    }
    let with = |body: &'static str, content_type: &'static str| {
        target.request(row, &asked.path).header("content-type", content_type).body(body)
    };
    if lists(row, "400") {
        record.expect(400, &row.id, with("{", media_type(row))).await;
    }
    if lists(row, "415") {
        record.expect(415, &row.id, with("{}", "text/plain")).await;
    }
    if lists(row, "406") {
        record.expect(406, &row.id, target.ask(row, &asked).header("accept", "image/png")).await;
    }
    if lists(row, "413") {
        let mut raw = target.half(row, &asked.path, 1 << 40, "").await;
        let answer = raw.answer().await.expect("an answer");
        assert_eq!(answer.status, 413, "{}: {answer:?}", row.id);
        record.note_raw(&row.method, &asked.path, &answer);
    }
    for (status, header, value) in
        [(206, "range", "bytes=1-2"), (304, "if-none-match", "*"), (416, "range", "bytes=99999999999-")]
    {
        if lists(row, &status.to_string()) {
            record.expect(status, &row.id, target.ask(row, &asked).header(header, value)).await;
        }
    }
    if lists(row, "422") {
        record.expect(422, &row.id, out_of_limits(target, row, &asked)).await;
    }
}

/// A request that is well formed and breaks a limit of the document.
fn out_of_limits(target: &Target, row: &Row, asked: &Asked) -> RequestBuilder {
    if row.json_body().is_some() {
        return target.request(row, &asked.path).json(&json!([]));
    }
    if row.form().is_some() {
        return target
            .request(row, &asked.path)
            .multipart(reqwest::multipart::Form::new().text("purpose", "fine-tune"));
    }
    if let Some(parameter) = row.of("query").find(|parameter| parameter["schema"]["maximum"].is_u64()) {
        let beyond = parameter["schema"]["maximum"].as_u64().expect("a number") + 1;
        let name = parameter["name"].as_str().expect("a name");
        return target.request(row, &format!("{}?{name}={beyond}", asked.path));
    }
    if let Some(parameter) = row.of("query").find(|parameter| parameter["schema"]["pattern"].is_string()) {
        return target.request(row, &format!("{}?{}=x", asked.path, parameter["name"].as_str().expect("a name")));
    }
    if let Some(parameter) = row.of("header").find(|parameter| parameter["schema"]["maxLength"].is_u64()) {
        let beyond = parameter["schema"]["maxLength"].as_u64().expect("a number") + 1;
        let value = "x".repeat(usize::try_from(beyond).expect("a length"));
        return target.request(row, &asked.path).header(parameter["name"].as_str().expect("a name"), value);
    }
    if let Some(parameter) = row.of("path").find(|parameter| parameter["schema"]["type"] == "integer") {
        let name = parameter["name"].as_str().expect("a name");
        let path = row.filled(|given| if given == name { "-1".to_owned() } else { "x".to_owned() });
        return target.request(row, &path);
    }
    panic!("{} documents 422, and nothing in it has a limit that could be broken", row.id)
}

/// 408: bodies that fall silent. They take half a minute, all of them at once.
async fn fall_silent(record: &Record, target: &Target, things: &Things) {
    let silent = rows().iter().filter(|row| lists(row, "408")).map(|row| async move {
        let asked = requests::about(row, things);
        let answer = target.half(row, &asked.path, 10, "{").await.answer().await.expect("an answer");
        assert_eq!(answer.status, 408, "{}: {answer:?}", row.id);
        record.note_raw(&row.method, &asked.path, &answer);
    });
    futures_util::future::join_all(silent).await;
}

/// 403 and 409, which the shape of an operation does not show.
async fn contradict(record: &Record, service: &TestService, target: &Target, things: &Things) {
    for row in rows() {
        let asked = requests::about(row, things);
        let changed = |field: &str, value: Value| {
            let mut asked = asked.clone();
            asked.body.as_mut().expect("a body")[field] = value;
            target.ask(row, &asked)
        };
        match row.id.as_str() {
            "create_model" => {
                record.expect(403, &row.id, changed("entity", json!("rival"))).await;
                record.expect(409, &row.id, changed("return_existing", json!(false))).await;
            }
            "delete_checkpoints" => {
                let steps: Vec<u64> = (0..100).collect();
                record.expect(409, &row.id, changed("steps", json!(steps))).await;
            }
            "cancel_training_job" | "cancel_fine_tuning_job" => {
                // It had nothing to learn, and has ended long ago.
                let path = row.filled(|_| things.job_id.clone());
                record.expect(409, &row.id, target.request(row, &path)).await;
            }
            "cancel_batch" => {
                let path = row.filled(|_| things.batch_id.clone());
                record.expect(409, &row.id, target.request(row, &path)).await;
            }
            "cancel_message_batch" => {
                let path = row.filled(|_| requests::message_batch(&things.batch_id));
                record.expect(409, &row.id, target.request(row, &path)).await;
            }
            "delete_message_batch" | "get_message_batch_results" => {
                let path = row.filled(|_| requests::message_batch(&things.open_batch_id));
                record.expect(409, &row.id, target.request(row, &path)).await;
            }
            _ if row.path.ends_with("/{response_id}/cancel") => {
                let id = requests::response(service, false).await;
                record.expect(409, &row.id, target.request(row, &row.filled(|_| id.clone()))).await;
            }
            _ if row.path.contains("/admin/") => {
                let request = asked.on(target.open(row, &asked.path).bearer_auth(&target.plain_key));
                record.expect(403, &row.id, request).await;
            }
            other => {
                for status in ["403", "409"] {
                    assert!(!lists(row, status), "{other}: say in `contradict` how to provoke {status}");
                }
            }
        }
    }
}

/// 429: as many jobs as an entity may have, and as many samples as may wait.
async fn crowd(record: &Record, service: &TestService, target: &Target, things: &Things) {
    let mut database = database(service).await;
    // Running under a lease that nobody gives back: the worker leaves them alone.
    let jobs = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000)
        INSERT INTO jobs (id, entity, model_id, kind, status, config, input_url, lease_owner, lease_deadline, created_at)
        SELECT 'job-' || n, 'acme', ?, 'sft', 'running', 'null', 'file:///x', 'nobody', 1 << 60, 0 FROM number";
    sqlx::query(jobs).bind(&things.model_id).execute(&mut database).await.expect("the jobs are inserted");
    let sessions = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
        INSERT INTO sessions (id, entity, key_id, sha256, model, tags, metadata, created_at, expires_at)
        SELECT 'session-' || n, 'acme', (SELECT id FROM keys LIMIT 1), randomblob(32), 'm', '[]', '{}', 0, 1 << 60 FROM number";
    sqlx::query(sessions).execute(&mut database).await.expect("the sessions are inserted");
    let mut streams = Vec::new();
    for row in rows().iter().filter(|row| lists(row, "429")) {
        let mut asked = requests::about(row, things);
        let is_sampling = asked.body.as_ref().is_some_and(samples);
        if let Some(body) = &mut asked.body
            && is_sampling
            && body.get("input").is_none()
        {
            // As many as those that fill the queue ask for: room for fewer is no room for it.
            body["n"] = json!(128);
        }
        for attempt in 0.. {
            if is_sampling {
                streams.extend(full_queue(target).await);
            }
            let (status, body) = record.send(target.ask(row, &asked)).await;
            if status == 429 {
                break;
            }
            // Some of the streams had come to their end.
            assert!(is_sampling && attempt < 20, "{}: {status} {body}", row.id);
        }
    }
    drop(streams);
    let sessions = sqlx::query("DELETE FROM sessions WHERE id LIKE 'session-%'");
    sessions.execute(&mut database).await.expect("they are deleted");
    sqlx::query("DELETE FROM jobs WHERE id LIKE 'job-%'").execute(&mut database).await.expect("they are deleted");
}

/// Whether a request asks for samples of a model.
fn samples(body: &Value) -> bool {
    ["messages", "prompt", "input"].iter().any(|field| body.get(*field).is_some())
}

/// Token of the built-in model that ends an answer.
const END_TOKEN: &str = "2";

/// Streams that keep the engine busy and its queue full; they end when they are dropped.
async fn full_queue(target: &Target) -> Vec<reqwest::Response> {
    let chat = rows().iter().find(|row| row.id == "create_chat_completion").expect("an operation that samples");
    let mut streams = Vec::new();
    // More than may run and wait together, and all at once, for a fast engine empties what comes one by one; then fewer
    // each, until there is no room for one more.
    for (requests, samples) in [(40, 128), (16, 8), (16, 1)] {
        let body = json!({
            "model": crate::support::SEEDLING, "messages": [{"role": "user", "content": "hello"}],
            "n": samples, "max_tokens": 200, "stream": true, "logit_bias": {END_TOKEN: -100},
        });
        let answers = (0..requests).map(|_| target.request(chat, &chat.mounted()).json(&body).send());
        let answers = futures_util::future::join_all(answers).await;
        streams.extend(answers.into_iter().map(|answer| answer.expect("an answer")));
    }
    assert!(streams.iter().all(|answer| [200, 429].contains(&answer.status().as_u16())), "{streams:?}");
    assert!(streams.iter().any(|answer| answer.status() == 429), "the queue takes everything");
    streams
}

/// Damage to the database: first the job queue, then the keys.
async fn damage(record: &Record, service: &TestService, target: &Target, things: &Things) {
    let mut database = database(service).await;
    let mut rename = async |from: &str, to: &str| {
        let statement = format!("ALTER TABLE {from} RENAME TO {to}");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut database).await.expect("the table is renamed");
    };
    rename("jobs", "lost_jobs").await;
    let check = rows().iter().find(|row| row.id == "get_system_check").expect("the self-check");
    record.expect(503, "a queue that cannot be read", target.request(check, &check.mounted())).await;
    rename("lost_jobs", "jobs").await;
    rename("keys", "lost_keys").await;
    // A server knows an accepted key for less than this.
    tokio::time::sleep(Duration::from_secs(1)).await;
    for row in rows().iter().filter(|row| row.secured && lists(row, "default")) {
        assert!(!lists(row, "500"), "{}: 500 is listed, so this is no answer for `default`", row.id);
        record.expect(500, &row.id, target.ask(row, &requests::about(row, things))).await;
    }
    rename("lost_keys", "keys").await;
}

/// A server in a process of its own.
struct Process {
    child: Child,
    target: Target,
    _directory: tempfile::TempDir,
}

impl Process {
    async fn start() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let metadata = open_metadata(&settings(&directory).data_directory, None).await.expect("a database");
        let (key, _) = create_key(&*metadata, "acme", "test").await.expect("a key");
        let mut child = Command::new(env!("CARGO_BIN_EXE_trainyard"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(settings(&directory).data_directory)
            .stderr(Stdio::piped())
            .spawn_limited();
        let mut lines = BufReader::new(child.stderr.take().expect("its standard error")).lines();
        let root = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listening on ").map(str::to_owned))
            .expect("it says where it listens");
        // A full pipe would stop it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let key = key.reveal().to_owned();
        let target = Target { root, key: key.clone(), plain_key: key };
        Self { child, target, _directory: directory }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        wait_within(Duration::from_secs(60), &mut self.child, "a server that was killed");
    }
}

/// 503: bodies that were announced take all the memory there is for bodies. In a process of its own, for the memory is
/// the process's.
async fn exhaust(record: &Record) {
    let process = Process::start().await;
    let target = &process.target;
    let largest = rows().iter().find(|row| row.id == "create_chat_completion").expect("an operation with large bodies");
    let path = largest.filled(|_| "x".to_owned());
    // The limit of one is 64 MiB, of all 1 GiB.
    let mut held = Vec::new();
    for _ in 0..16 {
        held.push(target.half(largest, &path, 64 << 20, "").await);
    }
    for row in rows().iter().filter(|row| row.body.is_some() && lists(row, "503")) {
        let asked = requests::about(row, &Things::absent());
        // Until the heads above have arrived, the answer is another one. A head that arrives during this request may find
        // too little memory, and is rejected.
        for attempt in 0.. {
            let (status, body) = record.send(target.ask(row, &asked)).await;
            if status == 503 {
                break;
            }
            assert!(attempt < 200, "{}: {status} {body}", row.id);
            held.push(target.half(largest, &path, 64 << 20, "").await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    drop(held);
}

/// A service that was told to stop and still takes requests.
async fn stop(record: &Record) {
    let service = TestService::start_with(|settings| settings.limits.drain_notice = Duration::from_secs(3600)).await;
    service.begin_to_stop();
    let target = Target::of(&service);
    let health = rows().iter().find(|row| row.id == "read_root_health_get").expect("the check of load balancers");
    record.expect(503, "a service that is stopping", target.open(health, &health.mounted())).await;
}

#[tokio::test]
async fn every_answer_of_the_document_was_seen() {
    let record = Record::default();
    let service = TestService::start().await;
    let things = Things::of(&service, "covered").await;
    let target = Target::of(&service);
    let by_shape = async {
        for row in rows() {
            let things = Things::of(&service, &format!("for-{}", row.id)).await;
            reject(&record, &target, row, &things).await;
            succeed(&record, &target, row, &things).await;
        }
        contradict(&record, &service, &target, &things).await;
        crowd(&record, &service, &target, &things).await;
    };
    tokio::join!(fall_silent(&record, &target, &things), by_shape, exhaust(&record));
    damage(&record, &service, &target, &things).await;
    stop(&record).await;

    let seen = record.0.into_inner().expect("no panic");
    let promised: BTreeSet<Pair> = rows().iter().flat_map(Row::pairs).collect();
    let missing: Vec<String> =
        promised.difference(&seen).map(|pair| format!("  {} {} {}", pair.operation, pair.status, pair.media)).collect();
    assert!(missing.is_empty(), "no request here provokes these documented answers:\n{}", missing.join("\n"));
    println!("{} answers of {} operations were seen", seen.len(), rows().len());
    service.stop().await;
}
