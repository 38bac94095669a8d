//! A process that is told to stop while it is busy: load balancers learn of it, everything that was sent is answered, and
//! the job goes to somebody else at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::{Method, StatusCode};
use rustix::process::Signal;
use serde_json::{Value, json};
use trainyard::server::open_metadata;

use crate::raw::Raw;
use crate::support::process::{Process, Site};
use crate::support::{SEEDLING, row, text};

/// Time limit of an operation that takes milliseconds on an idle machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The token of the built-in model that ends an answer.
const END_TOKEN: &str = "2";

fn short() -> Value {
    json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "hello" }], "max_tokens": 4 })
}

/// A stream of some twenty megabytes: more than sockets hold, so it lasts until its client reads it.
fn long() -> Value {
    json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "hello" }], "max_tokens": 1500, "n": 8,
            "logit_bias": { END_TOKEN: -100 }, "logprobs": true, "top_logprobs": 20, "stream": true })
}

/// A stream that has begun.
struct Stream {
    response: reqwest::Response,
    received: Vec<u8>,
}

impl Stream {
    async fn begin(site: &Site, server: &Process) -> Self {
        let request = site.request(server, Method::POST, "/v1/chat/completions").json(&long());
        let mut response = request.send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK);
        let received = response.chunk().await.expect("bytes").expect("a beginning").to_vec();
        Self { response, received }
    }

    /// Content until it ended, and whether that was the end of the stream.
    async fn rest(self) -> (Vec<u8>, bool) {
        let Self { response, mut received } = self;
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            match chunk {
                Ok(bytes) => received.extend_from_slice(&bytes),
                Err(_) => return (received, false),
            }
        }
        let whole = received.ends_with(b"data: [DONE]\n\n");
        (received, whole)
    }
}

/// Clients behind a load balancer, which sends nothing more to the process once its health check fails.
struct Clients {
    ready: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    tasks: tokio::task::JoinSet<()>,
}

impl Clients {
    fn start(site: &Site, server: &Process) -> Self {
        let (ready, answered) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
        let mut tasks = tokio::task::JoinSet::new();
        for client in 0..6 {
            let (ready, answered) = (ready.clone(), answered.clone());
            // Half of them keep their connections.
            let idle = if client % 2 == 0 { usize::MAX } else { 0 };
            let http = reqwest::Client::builder().pool_max_idle_per_host(idle).timeout(TIMEOUT).build().expect("one");
            let request =
                http.post(format!("{}/v1/chat/completions", server.root)).bearer_auth(&site.key).json(&short());
            tasks.spawn(async move {
                while ready.load(Ordering::SeqCst) {
                    let response = request.try_clone().expect("a body of bytes").send().await.expect("an answer");
                    assert_eq!(response.status(), StatusCode::OK);
                    let answer: Value = response.json().await.expect("a whole answer");
                    assert!(answer["choices"][0]["finish_reason"].is_string(), "{answer}");
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        Self { ready, answered, tasks }
    }

    async fn answered(&self, more: usize) {
        let wanted = self.answered.load(Ordering::SeqCst) + more;
        let begun = Instant::now();
        while self.answered.load(Ordering::SeqCst) < wanted {
            assert!(begun.elapsed() < TIMEOUT, "the clients get no answers");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits for the requests that are under way; each must be answered.
    async fn finish(mut self) {
        self.ready.store(false, Ordering::SeqCst);
        while let Some(client) = self.tasks.join_next().await {
            client.expect("every request is answered");
        }
    }
}

const HEALTH: &str = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_that_was_sent_is_answered_and_the_job_goes_on_elsewhere() {
    let site = Site::new();
    let metadata = open_metadata(&site.data(), None).await.expect("the database");
    let mut server = Process::serve(site.path(), &["--drain-notice", "6", "--drain", "120"]);
    let model = site.model(&server, "busy").await;
    let rows: Vec<Value> = (0..10_000).map(|n| row(&format!("count {n}"), "one two three")).collect();
    let job = site.start_sft(&server, &model, &rows).await;
    let id = job.parse().expect("a UUID");
    let begun = Instant::now();
    while metadata.get_job("acme", id).await.expect("the job").resume.is_none() {
        assert!(begun.elapsed() < TIMEOUT, "the job makes no step");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let stream = Stream::begin(&site, &server).await;
    let clients = Clients::start(&site, &server);
    clients.answered(12).await;
    // A connection that was there before, and is idle.
    let mut kept = Raw::connect(&server.root).await;
    kept.send(HEALTH).await;
    assert_eq!(kept.answer().await.expect("an answer").status, 200);

    server.signal(Signal::TERM);
    let told = Instant::now();
    let rejection = loop {
        let mut fresh = Raw::connect(&server.root).await;
        fresh.send(HEALTH).await;
        let answer = fresh.answer().await.expect("connections are still taken");
        if answer.status == 503 {
            break answer;
        }
        assert!(told.elapsed() < TIMEOUT, "the health check never fails");
    };
    println!("the health check failed after {:?}", told.elapsed());
    assert!(rejection.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok()), "{rejection:?}");
    let body: Value = serde_json::from_slice(&rejection.body).expect("JSON");
    assert_eq!(text(&body["error"]["type"]), "overloaded_error");
    // Everything else is answered as before, each as the last of its connection.
    kept.send(HEALTH).await;
    let answer = kept.answer().await.expect("an answer");
    assert_eq!((answer.status, answer.header("connection")), (503, Some("close")));
    assert!(kept.answer().await.is_none(), "the connection has ended");
    let late = site.request(&server, Method::POST, "/v1/chat/completions").json(&short());
    let late = late.send().await.expect("an answer");
    assert_eq!((late.status(), &late.headers()["connection"]), (StatusCode::OK, &"close".parse().expect("a value")));
    let job_now = site.call(&server, Method::GET, &format!("/v1/preview/training-jobs/{job}"), None).await.ok();
    assert_ne!(text(&job_now["status"]), "succeeded", "the job is too short for this test");
    clients.finish().await;

    // The lease is free while the drain goes on: the stream cannot end before its client reads it.
    while metadata.get_job("acme", id).await.expect("the job").lease_owner.is_some() {
        assert!(told.elapsed() < TIMEOUT, "the job is not given back");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    println!("the job was given back after {:?}", told.elapsed());
    assert!(server.runs(), "the stream is still under way");
    let (received, whole) = stream.rest().await;
    assert!(whole, "the stream ended after {} bytes without its end", received.len());
    assert!(received.len() > 8 << 20, "{} bytes fit into the buffers between", received.len());
    assert!(server.ended().await.success());
    println!("it ended after {:?}", told.elapsed());
    // Somebody else can go on with the job.
    let worker = Process::worker(site.path(), &[]);
    while metadata.get_job("acme", id).await.expect("the job").lease_owner.is_none() {
        assert!(told.elapsed() < TIMEOUT * 2, "nobody takes the job up");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    worker.kill();
}

#[tokio::test]
async fn requests_longer_than_the_drain_are_aborted() {
    let site = Site::new();
    let server = Process::serve(site.path(), &["--drain", "1"]);
    let stream = Stream::begin(&site, &server).await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success());
    let (_, whole) = stream.rest().await;
    assert!(!whole, "the stream was too short for this test");
}

#[tokio::test]
async fn a_second_signal_ends_the_process_at_once() {
    let site = Site::new();
    let mut server = Process::serve(site.path(), &["--drain", "3600"]);
    let stream = Stream::begin(&site, &server).await;
    for signal in [Signal::TERM, Signal::INT] {
        assert!(server.runs(), "it waits for the stream");
        server.signal(signal);
        // Two signals at the same moment may be one.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(server.ended().await.code(), Some(130));
    drop(stream);
}

/// The bytes of the write-ahead log of a database; none if there is no file.
fn logged_bytes(site: &Site) -> u64 {
    std::fs::metadata(site.data().join("trainyard.db-wal")).map_or(0, |file| file.len())
}

#[tokio::test]
async fn a_database_is_one_file_when_its_last_process_has_stopped() {
    let site = Site::new();
    let (server, worker) = (Process::serve(site.path(), &["--no-worker"]), Process::worker(site.path(), &[]));
    let model = site.model(&server, "agent").await;
    let job = site.start_sft(&server, &model, &[row("a?", "b")]).await;
    site.finished(&server, &job).await;
    assert!(logged_bytes(&site) > 0, "what was written is in the log");
    worker.stop();
    assert!(logged_bytes(&site) > 0, "the server has it open");
    server.stop();
    assert_eq!(logged_bytes(&site), 0);
    let alone = Process::serve(site.path(), &[]);
    assert_eq!(site.status(&alone, &job).await, "succeeded");
    site.model(&alone, "other").await;
    alone.stop();
    assert_eq!(logged_bytes(&site), 0);
}
