//! Malformed requests, slow clients and unread bodies, on raw sockets.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Request;
use axum::routing::{any, get};
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use trainyard::server::{self, Limits};

use crate::raw::{Raw, exchange};
use crate::support::TestService;

/// Requests that another server could read in another way, or that nobody can read.
fn corpus() -> Vec<(&'static str, Vec<u8>, u16)> {
    let get = |headers: &str| format!("GET /health HTTP/1.1\r\n{headers}\r\n").into_bytes();
    let post =
        |headers: &str, body: &str| format!("POST /health HTTP/1.1\r\nHost: a\r\n{headers}\r\n{body}").into_bytes();
    let smuggled = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
    let large_header = format!("Host: a\r\nX: {}\r\n", "x".repeat(100_000));
    let many_headers = |count: usize| format!("Host: a\r\n{}", "X: y\r\n".repeat(count));
    vec![
        // Lengths.
        ("TE.TE", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n", smuggled), 400),
        ("TE identity", post("Transfer-Encoding: identity\r\n", smuggled), 400),
        ("TE empty", post("Transfer-Encoding:\r\n", smuggled), 400),
        ("TE vertical tab", post("Transfer-Encoding: \x0bchunked\r\n", smuggled), 400),
        ("TE space before the colon", post("Transfer-Encoding : chunked\r\n", smuggled), 400),
        ("TE in HTTP/1.0", b"POST /health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_vec(), 400),
        ("CL twice", post("Content-Length: 1\r\nContent-Length: 2\r\n", "x"), 400),
        ("CL list", post("Content-Length: 1, 1\r\n", "x"), 400),
        ("CL signed", post("Content-Length: +1\r\n", "x"), 400),
        ("CL negative", post("Content-Length: -1\r\n", "x"), 400),
        ("CL hexadecimal", post("Content-Length: 0x1\r\n", "x"), 400),
        ("CL empty", post("Content-Length:\r\n", ""), 400),
        ("CL too large to be", post("Content-Length: 99999999999999999999999\r\n", "x"), 400),
        ("CL 2^64-1", post("Content-Length: 18446744073709551615\r\n", "x"), 431),
        // Lines.
        ("folded header", get("Host: a\r\nX: y\r\n z\r\n"), 400),
        ("first header folded", get(" Host: a\r\n"), 400),
        ("space before the colon", get("Host : a\r\n"), 400),
        ("header without a colon", get("Host: a\r\nnonsense\r\n"), 400),
        ("header without a name", get("Host: a\r\n: x\r\n"), 400),
        ("NUL in a name", get("Host: a\r\nX\0Y: z\r\n"), 400),
        ("NUL in a value", get("Host: a\r\nX: y\0z\r\n"), 400),
        ("lone CR in a value", get("Host: a\r\nX: y\rz\r\n"), 400),
        ("lone CR ends a line", b"GET /health HTTP/1.1\rHost: a\r\r".to_vec(), 400),
        ("name that is not ASCII", get("Host: a\r\nX\u{e9}: z\r\n"), 400),
        // Request lines.
        ("no method", b" /health HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("bad method", b"G@T{} /health HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("no target", b"GET HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("two spaces", b"GET  /health HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("space in the target", b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("tab in the target", b"GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("NUL in the target", b"GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("target that is not UTF-8", b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("relative target", b"GET health HTTP/1.1/x\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("HTTP/0.9", b"GET /health\r\n\r\n".to_vec(), 400),
        ("HTTP/1.2", b"GET /health HTTP/1.2\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("HTTP/2.0", b"GET /health HTTP/2.0\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("http/1.1", b"GET /health http/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), 400),
        ("noise", (128..=255).chain(0..128).collect(), 400),
        // Host.
        ("no Host", get(""), 400),
        ("two Hosts", get("Host: a\r\nHost: b\r\n"), 400),
        ("two Hosts the same", get("Host: a\r\nHost: a\r\n"), 400),
        ("Host with a path", get("Host: a/b\r\n"), 400),
        ("Host with a user", get("Host: a@b\r\n"), 400),
        ("Host with a space", get("Host: a b\r\n"), 400),
        // Expectations and credentials.
        ("unknown expectation", get("Host: a\r\nExpect: 200-ok\r\n"), 417),
        ("two expectations", get("Host: a\r\nExpect: 100-continue\r\nExpect: x\r\n"), 417),
        ("two Authorizations", get("Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n"), 400),
        ("two Authorizations the same", get("Host: a\r\nAuthorization: x\r\nAuthorization: x\r\n"), 400),
        // Sizes.
        ("long target", format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "x".repeat(9000)).into_bytes(), 414),
        ("endless target", format!("GET /{}", "x".repeat(100_000)).into_bytes(), 431),
        ("large header", get(&large_header), 431),
        ("endless header", format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}", "x".repeat(200_000)).into_bytes(), 431),
        ("101 headers", get(&many_headers(100)), 431),
        ("10,000 headers", get(&many_headers(10_000)), 431),
    ]
}

#[tokio::test]
async fn a_malformed_request_ends_the_connection_with_an_error() {
    let service = TestService::start_with_inference().await;
    for root in [service.root.as_str(), service.inference_root()] {
        for (name, request, status) in corpus() {
            for before in ["", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"] {
                let mut raw = Raw::connect(root).await;
                raw.send(before).await;
                raw.send(&request).await;
                let mut answers = raw.answers().await;
                let error = answers.pop().unwrap_or_else(|| panic!("{name} at {root}: no answer"));
                assert_eq!(answers.len(), usize::from(!before.is_empty()), "{name}: {answers:?} {error:?}");
                assert_eq!(error.status, status, "{name}: {error:?}");
                assert_eq!(error.header("connection"), Some("close"), "{name}");
                assert!(error.header("date").is_some(), "{name}");
                // The error is hyper's, without a body, or the service's.
                if !error.body.is_empty() {
                    assert!(error.rejected(name)["code"].is_string(), "{name}: {error:?}");
                }
            }
        }
    }
    service.stop().await;
}

/// Two lengths in one request: a proxy that reads the other one would take the second request for a part of the first, and
/// pass it by its own checks (RFC 9112 section 11.2).
#[tokio::test]
async fn two_lengths_smuggle_no_request() {
    let (root, _running) = odd_server(Limits::default()).await;
    let smuggled = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";
    for (lengths, body) in [
        ("Content-Length: 6\r\nTransfer-Encoding: chunked", format!("0\r\n\r\n{smuggled}")),
        ("Transfer-Encoding: chunked\r\nContent-Length: 4", format!("5c\r\n{smuggled}")),
        ("Content-Length: 0\r\nTransfer-Encoding: chunked", format!("0\r\n\r\n{smuggled}")),
    ] {
        let mut raw = Raw::connect(&root).await;
        raw.send(format!("POST /echo HTTP/1.1\r\nHost: a\r\n{lengths}\r\n\r\n{body}")).await;
        raw.finish().await;
        let answers = raw.answers().await;
        assert!(answers.len() <= 1, "{lengths:?}: {answers:?}");
        assert!(answers.iter().all(|answer| answer.header("connection") == Some("close")), "{lengths:?}: {answers:?}");
    }
    assert!(exchange(&root, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.is_empty(), "HTTP/2 ends the connection");
}

/// The routes of a server that shows what arrived, and does what no handler should.
fn odd_router() -> Router {
    let echo = |request: Request<Body>| async move {
        let read = request.into_body().collect().await;
        read.map_or_else(|_| Bytes::from_static(b"broken"), |body| body.to_bytes())
    };
    let large = get(|| async { vec![b'x'; 16 << 20] });
    let panics = get(|| async {
        if true {
            panic!("a handler's fault");
        }
    });
    let panics_later = get(|| async {
        let chunks = stream::iter(0..4).map(|number| {
            assert!(number < 2, "a stream's fault");
            Ok::<_, Infallible>(format!("chunk {number}\n"))
        });
        Body::from_stream(chunks.then(|chunk| async move {
            tokio::task::yield_now().await;
            chunk
        }))
    });
    let slow = get(|| async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        "slow"
    });
    let unread = any(|| async { "unread" });
    Router::new()
        .route("/echo", any(echo))
        .route("/large", large)
        .route("/panics", panics)
        .route("/panics-later", panics_later)
        .route("/slow", slow)
        .route("/unread", unread)
}

/// Serves [`odd_router`]; gives its root and what keeps it running.
async fn odd_server(limits: Limits) -> (String, watch::Sender<bool>) {
    serve(odd_router(), limits).await
}

/// Serves a router; gives its root and what keeps it running.
pub(super) async fn serve(router: Router, limits: Limits) -> (String, watch::Sender<bool>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(server::serve(listener, router, limits, Arc::new(server::Metrics::new(1, "portable")), stopped));
    (root, stop)
}

const SLOW: &str = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";
const LARGE: &str = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test]
async fn a_rejection_waits_for_the_answers_before_it() {
    let (root, _running) = odd_server(Limits::default()).await;
    let answers = exchange(&root, format!("{SLOW}{SLOW}PRI * HTTP/2.0\r\n\r\n")).await;
    let seen: Vec<_> = answers.iter().map(|answer| (answer.status, answer.body.as_slice())).collect();
    assert_eq!(seen[..2], [(200, b"slow".as_slice()), (200, b"slow")]);
    assert_eq!((seen.len(), seen[2].0), (3, 400));
    // An answer that the client does not take for a while: nothing of it may be lost or come after the rejection.
    let mut raw = Raw::connect(&root).await;
    raw.send(format!("{LARGE}{LARGE}nonsense\r\n\r\n")).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let answers = raw.answers().await;
    let seen: Vec<_> = answers.iter().map(|answer| (answer.status, answer.body.len(), answer.cut)).collect();
    assert_eq!(seen[..2], [(200, 16 << 20, false); 2]);
    assert_eq!((seen.len(), seen[2].0), (3, 400));
}

#[tokio::test]
async fn a_head_is_rejected_however_it_arrives() {
    let (root, _running) = odd_server(Limits::default()).await;
    let mut raw = Raw::connect(&root).await;
    for byte in "GET /echo HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n".bytes() {
        raw.send([byte]).await;
        tokio::task::yield_now().await;
    }
    let answers = raw.answers().await;
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].status, 400);
    let mut raw = Raw::connect(&root).await;
    raw.send("HEAD /echo HTTP/1.1\r\n\r\n").await;
    let answer = raw.answer_to("HEAD").await.expect("an answer");
    assert_eq!((answer.status, answer.header("content-type")), (400, Some("application/json")));
    assert!(raw.answer().await.is_none(), "no body follows the head of an answer to HEAD");
    // Empty lines before a request are allowed, and the caller's own id comes back where there is one.
    let answers =
        exchange(&root, "\r\n\r\nGET /echo HTTP/1.1\r\nHost:\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n").await;
    assert_eq!((answers.len(), answers[0].status, answers[0].header("x-request-id")), (1, 200, Some("mine")));
}

#[tokio::test]
async fn bodies_end_where_they_say() {
    let (root, _running) = odd_server(Limits::default()).await;
    let chunked =
        |chunks: &str| format!("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
    let sized = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nworld";
    let last = "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let stream = format!(
        "{}{sized}{sized}{}{last}",
        chunked("5\r\nhello\r\n1;x\r\n!\r\n0\r\n\r\n"),
        chunked("0\r\nx: y\r\n\r\n")
    );
    for cut in (0..stream.len()).step_by(7) {
        let mut raw = Raw::connect(&root).await;
        raw.send(&stream[..cut]).await;
        tokio::task::yield_now().await;
        raw.send(&stream[cut..]).await;
        let answers = raw.answers().await;
        let bodies: Vec<_> = answers.iter().map(|answer| String::from_utf8_lossy(&answer.body)).collect();
        assert_eq!(bodies, ["hello!", "world", "world", "", ""], "cut at {cut}");
    }
    for bad in ["x\r\n", "5\r\nhelloworld", "5\nhello\n0\n\n", "-5\r\nhello\r\n0\r\n\r\n"] {
        let answers = exchange(&root, format!("{}{last}", chunked(bad))).await;
        let bodies: Vec<_> = answers.iter().map(|answer| answer.body.as_slice()).collect();
        assert_eq!(bodies, [b"broken"], "{bad:?}: one answer, and nothing behind the bad chunk is read");
    }
    let mut raw = Raw::connect(&root).await;
    raw.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello").await;
    raw.finish().await;
    assert_eq!(raw.answers().await.len(), 1, "the body broke off");
}

#[tokio::test]
async fn an_answer_reaches_a_client_that_is_still_sending() {
    let (root, _running) = odd_server(Limits::default()).await;
    let length = 32 << 20;
    let mut raw = Raw::connect(&root).await;
    raw.send(format!("POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n")).await;
    // Everything is sent before the answer is looked at, as simple clients do.
    raw.send(vec![b'x'; length]).await;
    let answers = raw.answers().await;
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].body, b"unread");
}

#[tokio::test]
async fn a_body_that_nobody_reads_does_not_end_the_connection() {
    let (root, _running) = odd_server(Limits::default()).await;
    for (head, body) in [("Content-Length: 5", "hello"), ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n")] {
        let mut raw = Raw::connect(&root).await;
        raw.send(format!("POST /unread HTTP/1.1\r\nHost: a\r\n{head}\r\n\r\n")).await;
        // The answer comes first, as when the head is rejected.
        assert_eq!(raw.answer().await.expect("an answer").body, b"unread");
        raw.send(body).await;
        raw.send(SLOW.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")).await;
        let answers = raw.answers().await;
        assert_eq!((answers.len(), answers[0].status), (1, 200), "{head}");
    }
}

#[tokio::test]
async fn the_time_for_a_head_is_limited() {
    let limits = Limits { header_read: Duration::from_millis(200), ..Limits::default() };
    let (root, _running) = odd_server(limits).await;
    let half = "GET /slow HTTP/1.1\r\nHost: a";
    for silent in ["", "\r\n\r\n", half] {
        assert!(exchange(&root, silent).await.is_empty(), "the connection is closed after {silent:?}");
    }
    for idle in [SLOW.to_owned(), format!("{SLOW}{half}")] {
        let answers = exchange(&root, &idle).await;
        assert_eq!((answers.len(), answers[0].status), (1, 200), "a response may take longer than a head");
    }
    // A client that sends a byte now and then gets no more time.
    let mut slow = TcpStream::connect(root.strip_prefix("http://").expect("a root")).await.expect("a connection");
    let begun = Instant::now();
    while slow.write_all(b"x").await.is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the connection is open while bytes arrive");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_client_that_reads_nothing_gives_its_place_up() {
    let limits = Limits { connections: 1, write_stall: Duration::from_millis(200), ..Limits::default() };
    let (root, _running) = odd_server(limits).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let address = root.strip_prefix("http://").expect("a root").parse().expect("an address");
    let mut unread = socket.connect(address).await.expect("a connection");
    unread.write_all(LARGE.as_bytes()).await.expect("a request");
    // There is one place: this answer comes when the other connection is over.
    let answers = exchange(&root, SLOW.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")).await;
    assert_eq!((answers.len(), answers[0].status), (1, 200));
    drop(unread);
}

#[tokio::test]
async fn connections_that_wait_for_a_request_yield_to_new_ones() {
    let (root, _running) = odd_server(Limits { connections: 3, ..Limits::default() }).await;
    let ask = SLOW.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    // One is answered and stays, one has sent a part of its request, one nothing.
    let mut idle = Raw::connect(&root).await;
    idle.send(SLOW).await;
    assert_eq!(idle.answer().await.expect("an answer").status, 200);
    let mut half = Raw::connect(&root).await;
    half.send("GET /slow HTTP/1.1\r\nHost: a").await;
    let mut silent = Raw::connect(&root).await;
    let mut others = Vec::new();
    for yields in [&mut half, &mut silent] {
        assert_eq!(exchange(&root, &ask).await[0].status, 200);
        assert!(yields.answer().await.is_none(), "it is closed");
        others.push(Raw::connect(&root).await);
    }
    idle.send(SLOW).await;
    assert_eq!(idle.answer().await.expect("it was used, so it yields last").status, 200);
}

#[tokio::test]
async fn a_running_request_never_yields() {
    let (root, _running) = odd_server(Limits { connections: 2, ..Limits::default() }).await;
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut raw = Raw::connect(&root).await;
        raw.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n").await;
        streams.push(raw);
    }
    let mut waiting = Raw::connect(&root).await;
    waiting.send(SLOW).await;
    let early = tokio::time::timeout(Duration::from_secs(1), waiting.answer()).await;
    assert!(early.is_err(), "both places are taken by requests: {early:?}");
    for raw in &mut streams {
        raw.send("x").await;
        assert_eq!(raw.answer().await.expect("the request goes on").status, 200);
    }
    assert_eq!(waiting.answer().await.expect("the places are idle now").status, 200);
}

/// Sockets that send nothing are opened again as soon as they are closed, many more than there are places.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_sockets_lock_nobody_out() {
    let (root, _running) = odd_server(Limits { connections: 64, ..Limits::default() }).await;
    let address = root.strip_prefix("http://").expect("a root").to_owned();
    let mut flood = tokio::task::JoinSet::new();
    for _ in 0..200 {
        let address = address.clone();
        flood.spawn(async move {
            loop {
                let Ok(mut socket) = TcpStream::connect(&address).await else { continue };
                let _ = tokio::io::AsyncReadExt::read(&mut socket, &mut [0]).await;
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let ask = SLOW.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    for _ in 0..18 {
        let begun = Instant::now();
        let answers = exchange(&root, &ask).await;
        assert_eq!((answers.len(), answers[0].status), (1, 200));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_panic_ends_one_answer_and_nothing_else() {
    let (root, _running) = odd_server(Limits::default()).await;
    let mut raw = Raw::connect(&root).await;
    for path in ["/panics", "/slow", "/panics-later"] {
        raw.send(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await;
    }
    let panicked = raw.answer().await.expect("an answer");
    assert_eq!(panicked.status, 500);
    let body: serde_json::Value = serde_json::from_slice(&panicked.body).expect("JSON");
    assert_eq!(body["error"]["type"], "internal_error");
    assert!(!body.to_string().contains("fault"), "the panic's text stays inside: {body}");
    assert!(panicked.header("x-request-id").is_some());
    assert_eq!(raw.answer().await.expect("the connection lives").status, 200);
    let cut = raw.answer().await.expect("an answer");
    assert!(cut.cut, "a stream that breaks off is seen to: {cut:?}");
    assert!(cut.body.starts_with(b"chunk 0\n"), "{cut:?}");
    assert_eq!(exchange(&root, SLOW.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")).await[0].status, 200);
}
