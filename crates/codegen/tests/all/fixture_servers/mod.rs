//! The servers generated from the fixtures, on sockets: what a document says is what travels.

mod accounts;
mod examples;
mod markets;
mod members;
mod multipart;
mod parameters;
mod storage;
mod streams;

use std::fmt::Write;

use axum::Router;
use serde_json::Value;
use trainyard_runtime::http;

use crate::raw::{Raw, RawAnswer};

/// Serves the routes, completed as a server of ours would, on a free port; gives the address.
async fn serve(routes: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, http::with_fallbacks(routes)).await });
    format!("http://{address}")
}

/// Parts of a request, byte by byte: no client rewrites them.
struct Ask<'a> {
    line: &'a str,
    headers: Vec<(&'a str, &'a str)>,
    body: Option<Vec<u8>>,
}

/// `GET /path`
fn ask(line: &str) -> Ask<'_> {
    Ask { line, headers: Vec::new(), body: None }
}

impl<'a> Ask<'a> {
    fn header(mut self, name: &'a str, value: &'a str) -> Self {
        self.headers.push((name, value));
        self
    }

    fn body(mut self, content_type: &'a str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("content-type", content_type)
    }

    async fn of(self, root: &str) -> RawAnswer {
        let mut head = format!("{} HTTP/1.1\r\nhost: fixture\r\nconnection: close\r\n", self.line);
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").expect("a string takes everything");
        }
        if let Some(body) = &self.body {
            write!(head, "content-length: {}\r\n", body.len()).expect("a string takes everything");
        }
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend(self.body.unwrap_or_default());
        let mut raw = Raw::connect(root).await;
        raw.send(bytes).await;
        raw.answer_to(self.line.split(' ').next().unwrap_or_default()).await.expect("an answer")
    }
}

trait Answered {
    fn text(&self) -> &str;
    fn json(&self) -> Value;
    fn rejection(&self) -> (u16, String);
}

impl Answered for RawAnswer {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Status and `param` of a rejection, which is the envelope.
    #[track_caller]
    fn rejection(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        let body = self.json();
        let error = body["error"].as_object().unwrap_or_else(|| panic!("no envelope: {body}"));
        let mut keys: Vec<_> = error.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["code", "message", "param", "type"], "{body}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
        (self.status, error["param"].as_str().unwrap_or_default().to_owned())
    }
}
