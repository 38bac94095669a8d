//! Jobs of several owners: nobody waits for the queue, or for the source of data, of another.

use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use trainyard::auth::create_key;
use trainyard::server::open_metadata;
use trainyard::store::metadata::Metadata;
use trainyard::store::records::JobRecord;

use crate::support::{SEEDLING, TestService, answer, event_types, row, text};

/// Time limit of an operation that takes milliseconds on an idle machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Request as a source of data sees it.
#[derive(Debug, PartialEq)]
enum Seen {
    Opened,
    Closed,
}

/// A source of data that sends a few bytes a second, and never all of them.
struct SlowSource {
    root: String,
    seen: mpsc::UnboundedReceiver<Seen>,
}

impl SlowSource {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let root = format!("http://{}/", listener.local_addr().expect("an address"));
        let (sender, seen) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sender = sender.clone();
                tokio::spawn(async move {
                    let _ = sender.send(Seen::Opened);
                    answer_slowly(stream).await;
                    let _ = sender.send(Seen::Closed);
                });
            }
        });
        Self { root, seen }
    }

    async fn next(&mut self) -> Seen {
        tokio::time::timeout(TIMEOUT, self.seen.recv()).await.expect("in time").expect("the source runs")
    }
}

/// Answers until the client has gone.
async fn answer_slowly(mut stream: TcpStream) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/jsonl\r\ncontent-length: 1000000\r\n\r\n";
    let mut buffer = [0; 4096];
    if !matches!(stream.read(&mut buffer).await, Ok(1..)) || stream.write_all(head.as_bytes()).await.is_err() {
        return;
    }
    loop {
        tokio::select! {
            read = stream.read(&mut buffer) => if !matches!(read, Ok(1..)) { return },
            () = tokio::time::sleep(Duration::from_millis(100)) => if stream.write_all(b"\n").await.is_err() { return },
        }
    }
}

async fn service_with(source: &SlowSource) -> TestService {
    TestService::start_with(|settings| settings.allow_data.push(source.root.clone())).await
}

/// Queues a job of a new model on the data of a URL.
async fn submit(service: &TestService, key: &str, name: &str, url: &str) -> String {
    let model = json!({ "project": "tests", "name": name, "base_model": SEEDLING });
    let model = service.send_as(key, Method::POST, "/v1/preview/models", Some(&model)).await.ok();
    let job = json!({ "model_id": model["id"], "training_data_url": url, "config": { "batch_size": 1 } });
    let job = service.send_as(key, Method::POST, "/v1/preview/sft-training-jobs", Some(&job)).await.ok();
    text(&job["id"]).to_owned()
}

async fn status(service: &TestService, key: &str, job: &str) -> String {
    let job = service.send_as(key, Method::GET, &format!("/v1/preview/training-jobs/{job}"), None).await.ok();
    text(&job["status"]).to_owned()
}

/// Writes rows to a file that jobs may read; returns its URL.
fn file(service: &TestService, rows: usize) -> String {
    let lines: String =
        (0..rows).map(|number| format!("{}\n", row(&format!("count {number}"), "one two three"))).collect();
    let file = service.directory.path().join(format!("{rows}.jsonl"));
    std::fs::write(&file, lines).expect("writable");
    format!("file://{}", file.display())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_data_of_one_owner_delays_no_other() {
    let mut source = SlowSource::start().await;
    let service = service_with(&source).await;
    let mut slow = Vec::new();
    for name in ["one", "two", "three"] {
        slow.push(submit(&service, &service.rival_key, name, &source.root).await);
    }
    for _ in 0..2 {
        assert_eq!(source.next().await, Seen::Opened);
    }
    let model = service.model("quick").await;
    for _ in 0..2 {
        let job = service.start_sft(&model, &[row("up?", "down")], Value::Null).await;
        assert_eq!(event_types(&service.finished(&job).await).last(), Some(&"training_ended"));
    }
    // Neither does it delay the owner's own jobs whose data is there.
    let data = Part::text(format!("{}\n", row("up?", "down"))).file_name("rows.jsonl");
    let form = Form::new().text("purpose", "fine-tune").part("file", data);
    let upload = service.request_as(&service.rival_key, Method::POST, "/v1/files").multipart(form);
    let uploaded = answer(upload).await.ok();
    let ready = submit(&service, &service.rival_key, "ready", text(&uploaded["id"])).await;
    let deadline = Instant::now() + TIMEOUT;
    while status(&service, &service.rival_key, &ready).await != "succeeded" {
        assert!(Instant::now() < deadline, "a job with its data waits for slow data");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut statuses = Vec::new();
    for job in &slow {
        statuses.push(status(&service, &service.rival_key, job).await);
    }
    assert_eq!(statuses, ["running", "running", "queued"], "an owner does not get every place");
    assert!(source.seen.try_recv().is_err(), "both transfers go on");
    // The jobs are given back at once.
    let stopping = Instant::now();
    let service = service.restart().await;
    assert!(stopping.elapsed() < TIMEOUT / 4, "the stop took {:?}", stopping.elapsed());
    let mut seen = [source.next().await, source.next().await, source.next().await, source.next().await];
    seen.sort_by_key(|seen| *seen == Seen::Opened);
    assert_eq!(seen, [Seen::Closed, Seen::Closed, Seen::Opened, Seen::Opened]);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_data_of_many_owners_delays_no_other() {
    const OWNERS: usize = 5;
    let mut source = SlowSource::start().await;
    let service = service_with(&source).await;
    let metadata = open_metadata(&service.directory.path().join("data"), None).await.expect("the database");
    for number in 0..OWNERS {
        let (key, _) = create_key(&*metadata, &format!("owner-{number}"), "test").await.expect("a key");
        for name in ["one", "two"] {
            submit(&service, key.reveal(), name, &source.root).await;
        }
    }
    for _ in 0..2 * OWNERS {
        assert_eq!(source.next().await, Seen::Opened);
    }
    let job = submit(&service, &service.key, "quick", &file(&service, 1)).await;
    service.finished(&job).await;
    assert!(source.seen.try_recv().is_err(), "every transfer goes on");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_is_cancelled_stops_fetching_at_once() {
    let mut source = SlowSource::start().await;
    let service = service_with(&source).await;
    let slow = submit(&service, &service.key, "slow", &source.root).await;
    assert_eq!(source.next().await, Seen::Opened);
    // Another model of the same owner trains meanwhile.
    let quick = submit(&service, &service.key, "quick", &file(&service, 1)).await;
    service.finished(&quick).await;
    assert_eq!(status(&service, &service.key, &slow).await, "running");

    let cancelled = Instant::now();
    service.post(&format!("/v1/preview/training-jobs/{slow}/cancel"), &json!({})).await.ok();
    assert_eq!(source.next().await, Seen::Closed);
    let closed = cancelled.elapsed();
    assert!(closed < Duration::from_secs(5), "the transfer went on for {closed:?}");
    assert_eq!(event_types(&service.events(&slow).await), ["training_failed"]);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_of_one_owner_comes_before_the_next_of_another_that_has_had_one() {
    let service = TestService::start().await;
    let lesson = file(&service, 40);
    let mut many = Vec::new();
    for number in 0..12 {
        many.push(submit(&service, &service.rival_key, &format!("agent-{number}"), &lesson).await);
    }
    let one = submit(&service, &service.key, "late", &lesson).await;
    service.finished(&one).await;
    let metadata = open_metadata(&service.directory.path().join("data"), None).await.expect("the database");
    let one = record(&*metadata, "acme", &one).await;
    let started = one.started_at.expect("a start");
    let (mut between, mut waiting) = (0, 0);
    for job in &many {
        match record(&*metadata, "rival", job).await.started_at {
            Some(start) if start <= one.created_at => {}
            Some(start) if start < started => between += 1,
            _ => waiting += 1,
        }
    }
    assert!(waiting > 0, "the jobs are too short for this test");
    assert_eq!(between, 0, "the late one is served next");
    service.stop().await;
}

async fn record(metadata: &dyn Metadata, entity: &str, job: &str) -> JobRecord {
    metadata.get_job(entity, job.parse().expect("a UUID")).await.expect("the job")
}
