//! HTTP/1.1 byte by byte: what no client library would send, and answers as they lie on the wire.

#![allow(dead_code, reason = "the tests of the service use the rest")]

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Longest time that an answer may take.
const ANSWER_TIME: Duration = Duration::from_secs(60);

/// An answer on the wire.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The body broke off before the end that its head announces.
    pub cut: bool,
}

impl RawAnswer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The error object of a rejection, with everything that a rejection must have.
    #[track_caller]
    pub(crate) fn rejected(&self, what: &str) -> Value {
        assert!((400..500).contains(&self.status), "{what}: {self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"), "{what}: {self:?}");
        assert!(self.header("x-request-id").is_some_and(|id| !id.is_empty()), "{what}: {self:?}");
        let body: Value =
            serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{what}: {error}: {self:?}"));
        let error = &body["error"];
        let mut keys: Vec<&str> = error.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["code", "message", "param", "type"], "{what}: {body}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{what}: {body}");
        error.clone()
    }
}

/// A connection.
pub(crate) struct Raw {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Raw {
    /// Connects to `http://ADDRESS`.
    pub(crate) async fn connect(root: &str) -> Self {
        let address = root.strip_prefix("http://").expect("a root");
        let address = address.split('/').next().expect("an address");
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Self { stream, received: Vec::new() }
    }

    /// Sends; a server that has closed already may reject the rest.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref()).await;
    }

    /// Says that nothing more will be sent.
    pub(crate) async fn finish(&mut self) {
        let _ = self.stream.shutdown().await;
    }

    /// The next answer; `None` when the server closed instead.
    pub(crate) async fn answer(&mut self) -> Option<RawAnswer> {
        self.answer_to("GET").await
    }

    /// The next answer to a request of this method.
    pub(crate) async fn answer_to(&mut self, method: &str) -> Option<RawAnswer> {
        let end = loop {
            match self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(end) => break end + 4,
                None if self.more().await == 0 => {
                    assert!(self.received.is_empty(), "half a head: {:?}", String::from_utf8_lossy(&self.received));
                    return None;
                }
                None => {}
            }
        };
        let head: Vec<u8> = self.received.drain(..end).collect();
        let head = String::from_utf8(head).expect("a head of ASCII");
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status line");
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut answer = RawAnswer { status, headers, body: Vec::new(), cut: false };
        if method == "HEAD" || status == 304 || status < 200 {
            return Some(answer);
        }
        if answer.header("transfer-encoding") == Some("chunked") {
            self.chunks(&mut answer).await;
        } else if let Some(length) = answer.header("content-length") {
            let length = length.parse().expect("a length");
            answer.cut = !self.at_least(length).await;
            answer.body = self.received.drain(..length.min(self.received.len())).collect();
        } else {
            while self.more().await > 0 {}
            answer.body = std::mem::take(&mut self.received);
        }
        Some(answer)
    }

    /// The answers until the server closes.
    pub(crate) async fn answers(&mut self) -> Vec<RawAnswer> {
        let mut answers = Vec::new();
        while let Some(answer) = self.answer().await {
            answers.push(answer);
        }
        answers
    }

    async fn chunks(&mut self, answer: &mut RawAnswer) {
        loop {
            let line = loop {
                match self.received.windows(2).position(|window| window == b"\r\n") {
                    Some(end) => break end,
                    None if self.more().await == 0 => {
                        answer.cut = true;
                        return;
                    }
                    None => {}
                }
            };
            let size = std::str::from_utf8(&self.received[..line]).expect("a size");
            let size = usize::from_str_radix(size, 16).expect("a size");
            if !self.at_least(line + 2 + size + 2).await {
                answer.cut = true;
                return;
            }
            let chunk: Vec<u8> = self.received.drain(..line + 2 + size + 2).collect();
            answer.body.extend_from_slice(&chunk[line + 2..line + 2 + size]);
            if size == 0 {
                return;
            }
        }
    }

    async fn at_least(&mut self, length: usize) -> bool {
        while self.received.len() < length {
            if self.more().await == 0 {
                return false;
            }
        }
        true
    }

    async fn more(&mut self) -> usize {
        match tokio::time::timeout(ANSWER_TIME, self.stream.read_buf(&mut self.received)).await {
            Ok(Ok(count)) => count,
            Ok(Err(error)) => panic!("the connection broke: {error}; received {} bytes", self.received.len()),
            Err(_) => panic!("neither an answer nor the end within {ANSWER_TIME:?}"),
        }
    }
}

/// Sends `bytes` on a new connection and gives what comes back until the server closes.
pub(crate) async fn exchange(root: &str, bytes: impl AsRef<[u8]>) -> Vec<RawAnswer> {
    let mut raw = Raw::connect(root).await;
    raw.send(bytes).await;
    raw.answers().await
}
