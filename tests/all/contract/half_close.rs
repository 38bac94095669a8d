//! Clients that close their write side before they read the response.

use std::future;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::any;
use tokio::sync::{mpsc, watch};
use trainyard::server::Limits;

use super::framing;
use crate::raw::{Raw, RawAnswer};

/// Time of the slow handler, longer than the first intervals between interim responses.
const SLOW: Duration = Duration::from_millis(1200);

/// Serves `/echo`, `/slow`, which echoes late, and `/endless`, whose handler ends with the client; `ended` is then sent to.
async fn serve(ended: mpsc::UnboundedSender<()>) -> (String, watch::Sender<bool>) {
    let slow = async |body: Bytes| {
        tokio::time::sleep(SLOW).await;
        body
    };
    let endless = async move || {
        let _ended = OnDrop(ended);
        future::pending::<()>().await;
    };
    let router = Router::new()
        .route("/echo", any(async |body: Bytes| body))
        .route("/slow", any(slow))
        .route("/endless", any(endless));
    framing::serve(router, Limits::default()).await
}

struct OnDrop(mpsc::UnboundedSender<()>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

/// Sends the requests, closes the write side, and reads until the server closes.
async fn exchange_and_close(root: &str, requests: &str) -> Vec<RawAnswer> {
    let mut raw = Raw::connect(root).await;
    raw.send(requests).await;
    raw.finish().await;
    raw.answers().await
}

#[tokio::test]
async fn a_client_that_closes_its_write_side_gets_every_response() {
    let (root, _running) = serve(mpsc::unbounded_channel().0).await;
    for path in ["/echo", "/slow"] {
        for body in ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"] {
            let request = format!("POST {path} HTTP/1.1\r\nHost: a\r\n{body}");
            for count in [1, 3] {
                let mut answers = exchange_and_close(&root, &request.repeat(count)).await;
                let interim = answers.extract_if(.., |answer| answer.status == 100).count();
                let bodies: Vec<_> = answers.iter().map(|answer| (answer.status, answer.body.as_slice())).collect();
                assert_eq!(bodies, vec![(200, b"hello".as_slice()); count], "{request:?}");
                assert_eq!(interim > 0, path == "/slow", "{request:?}: {interim} interim responses");
            }
        }
    }
}

#[tokio::test]
async fn a_client_of_http_1_0_gets_no_interim_response() {
    let (root, _running) = serve(mpsc::unbounded_channel().0).await;
    let answers = exchange_and_close(&root, "GET /slow HTTP/1.0\r\n\r\n").await;
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [200]);
}

#[tokio::test]
async fn a_request_ends_with_its_client() {
    let (ended, mut endings) = mpsc::unbounded_channel();
    let (root, _running) = serve(ended).await;
    let mut raw = Raw::connect(&root).await;
    raw.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(endings.try_recv().is_err(), "the client waits");
    raw.finish().await;
    assert_eq!(raw.answer().await.map(|answer| answer.status), Some(100), "the client still waits");
    assert!(endings.try_recv().is_err());
    drop(raw);
    let ended = tokio::time::timeout(Duration::from_secs(60), endings.recv()).await;
    assert!(ended.is_ok(), "the client is gone");
}

#[tokio::test]
async fn a_body_cut_by_the_end_of_file_is_rejected_at_once() {
    let (root, _running) = serve(mpsc::unbounded_channel().0).await;
    let answers = exchange_and_close(&root, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello").await;
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [400]);
}
