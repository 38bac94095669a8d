//! Traces, as an OpenTelemetry collector receives them, and their ids in the log.

use std::collections::BTreeMap;
use std::fs::File;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Attribute;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::process::Site;
use crate::support::{SEEDLING, http};
use crate::time_limits::{Limited, wait_within};
use crate::vllm::FakeVllm;

/// Longest time that the server may take to start, and to stop.
const START_TIME: Duration = Duration::from_secs(60);

/// Trace and span of the caller.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// What a collector received.
#[derive(Default)]
struct Received {
    spans: Vec<Span>,
    /// Attributes of the process.
    resource: BTreeMap<String, String>,
}

/// Collects exports in the binary form of OTLP; returns its address.
async fn collector(received: Arc<Mutex<Received>>) -> String {
    async fn export(State(received): State<Arc<Mutex<Received>>>, body: Bytes) {
        let request = ExportTraceServiceRequest::decode(body).expect("an export");
        let mut received = received.lock().expect("no panic");
        for of_process in request.resource_spans {
            received.resource = attributes(&of_process.resource.expect("a resource").attributes);
            received.spans.extend(of_process.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("bound"));
    let router = Router::new().route("/v1/traces", post(export)).with_state(received);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

fn attributes(list: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &KeyValue| match value.value.as_ref().and_then(|value| value.value.as_ref()) {
        Some(Attribute::StringValue(text)) => text.clone(),
        Some(Attribute::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    list.iter().map(|attribute| (attribute.key.clone(), text(attribute))).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A server that exports to a collector; its log is in the file `log` of the site.
async fn exporting(site: &Site, collector: &str, options: &[&str]) -> (Child, String) {
    let log = site.path().join("log");
    let server = Command::new(env!("CARGO_BIN_EXE_trainyard"))
        .args(["serve", "--listen", "127.0.0.1:0", "--threads", "1", "--log-format", "json", "--data-dir"])
        .arg(site.data())
        .args(options)
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
        .env_remove("OTEL_SERVICE_NAME")
        .stderr(Stdio::from(File::create(&log).expect("a file")))
        .spawn_limited();
    (server, listening_address(&log).await)
}

async fn listening_address(log: &Path) -> String {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(log).expect("the log");
        if let Some(root) = text.lines().find_map(|line| line.strip_prefix("listening on ")) {
            return root.to_owned();
        }
        assert!(begun.elapsed() < START_TIME, "{text}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Stops a server, which exports its last spans.
fn stop(mut server: Child) {
    kill_process(Pid::from_raw(server.id().try_into().expect("an id")).expect("not zero"), Signal::TERM).expect("sent");
    let status = wait_within(START_TIME, &mut server, "a server that was asked to stop");
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
}

/// A chat completion whose caller has a span.
fn chat(site: &Site, root: &str, stream: bool) -> reqwest::RequestBuilder {
    http()
        .post(format!("{root}/v1/chat/completions"))
        .bearer_auth(&site.key)
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
        .json(&json!({ "model": SEEDLING, "max_tokens": 4, "temperature": 0.0, "stream": stream,
                       "messages": [{ "role": "user", "content": "hello" }] }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_receives_a_span_for_each_request_and_job_in_the_trace_of_the_caller() {
    let received = Arc::default();
    let collector = collector(Arc::clone(&received)).await;
    let site = Site::new();
    let (server, root) = exporting(&site, &collector, &[]).await;
    for stream in [false, true] {
        let response = chat(&site, &root, stream).send().await.expect("an answer");
        assert_eq!(response.status(), 200);
        response.bytes().await.expect("a body");
    }
    // Without `traceparent`, with one that is none, and in the caller's trace: reads get a span for their caller's sake.
    let caller = format!("00-{TRACE}-{PARENT}-01");
    for header in [None, Some("00-junk"), Some(&*caller)] {
        let mut request = http().get(format!("{root}/v1/preview/models/none")).bearer_auth(&site.key);
        if let Some(header) = header {
            request = request.header("traceparent", header);
        }
        assert_eq!(request.send().await.expect("an answer").status(), 404);
    }
    stop(server);

    let received = received.lock().expect("no panic");
    assert_eq!(received.resource["service.name"], "trainyard");
    let chats: Vec<&Span> = received.spans.iter().filter(|span| span.name == "create_chat_completion").collect();
    assert_eq!(chats.len(), 2, "{:?}", received.spans);
    for span in chats {
        assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.to_owned(), PARENT.to_owned()));
        assert_eq!(span.kind(), SpanKind::Server);
        let attributes = attributes(&span.attributes);
        for (name, value) in [
            ("http.request.method", "POST"),
            ("url.path", "/v1/chat/completions"),
            ("http.response.status_code", "200"),
            ("gen_ai.operation.name", "chat"),
            ("gen_ai.request.model", SEEDLING),
            ("gen_ai.usage.output_tokens", "4"),
        ] {
            assert_eq!(attributes.get(name).map(String::as_str), Some(value), "{name} of {attributes:?}");
        }
        assert!(attributes["gen_ai.usage.input_tokens"].parse::<u64>().expect("a number") > 0);
        assert!(!attributes.values().any(|value| value.contains(&site.key)), "{attributes:?}");
    }
    let reads = received.spans.iter().filter(|span| span.name == "get_model");
    let parents: Vec<(String, bool)> =
        reads.map(|span| (hex(&span.parent_span_id), hex(&span.trace_id) == TRACE)).collect();
    assert_eq!(parents, [(String::new(), false), (PARENT.to_owned(), true)], "{:?}", received.spans);

    let text = std::fs::read_to_string(site.path().join("log")).expect("the log");
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let answered: Vec<&Value> = lines.iter().filter(|line| line["message"] == "answered").collect();
    assert_eq!(answered.len(), 5, "{text}");
    assert_eq!(answered.iter().filter(|line| line["span"]["trace_id"] == TRACE).count(), 3, "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sampler_receives_the_span_of_the_request() {
    let received = Arc::default();
    let collector = collector(Arc::clone(&received)).await;
    let replica = FakeVllm::start();
    let site = Site::new();
    let (server, root) = exporting(&site, &collector, &["--sampler", &format!("vllm={}", replica.url())]).await;
    let begun = Instant::now();
    for stream in [false, true] {
        // 503 until the first check of the replica has succeeded.
        loop {
            let response = chat(&site, &root, stream).send().await.expect("an answer");
            if response.status() == 200 {
                response.bytes().await.expect("a body");
                break;
            }
            assert!(begun.elapsed() < START_TIME, "{}", response.text().await.expect("a body"));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    stop(server);
    let received: std::sync::MutexGuard<'_, Received> = received.lock().expect("no panic");
    let answered = received.spans.iter().filter(|span| {
        hex(&span.trace_id) == TRACE
            && attributes(&span.attributes).get("http.response.status_code").is_some_and(|status| status == "200")
    });
    let mut expected: Vec<String> = answered.map(|span| format!("00-{TRACE}-{}-01", hex(&span.span_id))).collect();
    let mut traces = replica.traces();
    expected.sort();
    traces.sort();
    assert_eq!(traces, expected);
    assert_eq!(traces.len(), 2);
}

#[tokio::test]
async fn an_unreachable_collector_delays_no_request_and_no_end() {
    let site = Site::new();
    // A port of which nothing listens.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
    let endpoint = format!("http://127.0.0.1:{port}");
    let server = crate::support::process::Process::serve(site.path(), &["--otlp-endpoint", &endpoint]);
    let model = site.model(&server, "traced").await;
    let job = site.start_sft(&server, &model, &[crate::support::row("red?", "blue")]).await;
    site.finished(&server, &job).await;
    server.stop();
}

#[test]
fn an_endpoint_that_is_no_url_is_rejected_by_name() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_trainyard")).args(["serve", "--otlp-endpoint", "not a url"]).output_limited();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && told.contains("--otlp-endpoint"), "{told}");
}
