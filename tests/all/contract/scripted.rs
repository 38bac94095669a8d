//! A server that answers from a script: faults that no well-behaved server shows.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Response to one request; the connection ends after it.
#[derive(Clone)]
pub(super) enum ScriptedResponse {
    /// These bytes.
    Bytes(Vec<u8>),
    /// These bytes, then the last ones again and again until nobody reads.
    Endless(String, Vec<u8>),
    /// These bytes, then nothing, and the connection stays.
    Silence(String),
}

/// Its address, and the requests that it received.
pub(super) struct Scripted {
    pub base: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// The requests so far: head and body as they came.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no test panics with it").clone()
    }

    /// The request targets so far.
    pub(super) fn targets(&self) -> Vec<String> {
        let targets =
            self.requests().into_iter().map(|request| request.split(' ').nth(1).unwrap_or_default().to_owned());
        targets.collect()
    }
}

/// Serves the answers in order, the last one for ever.
pub(super) async fn serve(answers: Vec<ScriptedResponse>) -> Scripted {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = requests.clone();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            // A connection that was opened ahead and never used sends nothing.
            let Some(request) = read_request(&mut connection).await else { continue };
            let number = {
                let mut seen = seen.lock().expect("no test panics with it");
                seen.push(request);
                seen.len() - 1
            };
            let answer = answers[number.min(answers.len() - 1)].clone();
            tokio::spawn(give(connection, answer));
        }
    });
    Scripted { base, requests }
}

async fn read_request(connection: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

async fn give(mut connection: TcpStream, answer: ScriptedResponse) {
    match answer {
        ScriptedResponse::Bytes(bytes) => {
            let _ = connection.write_all(&bytes).await;
            let _ = connection.shutdown().await;
        }
        ScriptedResponse::Endless(head, bytes) => {
            let _ = connection.write_all(head.as_bytes()).await;
            while connection.write_all(&bytes).await.is_ok() {}
        }
        ScriptedResponse::Silence(head) => {
            let _ = connection.write_all(head.as_bytes()).await;
            std::future::pending().await
        }
    }
}

/// A whole answer.
pub(super) fn answer(status: u16, headers: &str, body: &str) -> ScriptedResponse {
    let length = body.len();
    ScriptedResponse::Bytes(
        format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nx-request-id: r-1\r\n{headers}\r\n{body}")
            .into_bytes(),
    )
}

/// A good answer of JSON.
pub(super) fn json(body: &serde_json::Value) -> ScriptedResponse {
    answer(200, "content-type: application/json\r\n", &body.to_string())
}

/// The head of a stream of events whose end is the end of the connection.
pub(super) const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: r-1\r\n\r\n";

/// A stream of events that breaks off after `text`.
pub(super) fn events(text: &str) -> ScriptedResponse {
    ScriptedResponse::Bytes(format!("{EVENTS}{text}").into_bytes())
}
