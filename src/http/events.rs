//! Typed server-sent events.

use std::{convert::Infallible, fmt, pin::Pin};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_core::Stream;
use futures_util::{StreamExt, future, stream};
use serde::Serialize;

use super::{Failure, answer::Status};

/// An answer of server-sent events: each item is one `data:` line of JSON, `[DONE]` ends them.
///
/// A failure on the way becomes an event with the error body, after which only `[DONE]` comes. There are no ids and
/// no comment lines: OpenAI's clients take the blank line after a comment for an event. Dropping the answer, as
/// hyper does when the client goes away, drops the stream.
pub struct EventStream<T> {
    events: Pin<Box<dyn Stream<Item = Result<T, Failure>> + Send>>,
    done: bool,
}

impl<T: Serialize + Send + 'static> EventStream<T> {
    /// Events from a stream.
    pub fn new(events: impl Stream<Item = Result<T, Failure>> + Send + 'static) -> Self {
        Self { events: Box::pin(events), done: true }
    }

    /// Ends without the `[DONE]` event, for clients that know no such thing.
    #[must_use]
    pub fn without_done(mut self) -> Self {
        self.done = false;
        self
    }
}

impl<T> fmt::Debug for EventStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventStream")
    }
}

impl<T: Serialize + Send + 'static> IntoResponse for EventStream<T> {
    fn into_response(self) -> Response {
        self.answer(Status::Fixed(200))
    }
}

impl<T: Serialize + Send + 'static> EventStream<T> {
    /// The answer, with a status.
    pub fn answer(self, status: Status) -> Response {
        let mut failed = false;
        let events = self.events.take_while(move |item| {
            let go_on = !failed;
            failed = item.is_err();
            future::ready(go_on)
        });
        let frames = events.map(|item| match item {
            Ok(value) => frame(&value).unwrap_or_else(|failure| error_frame(&failure)),
            Err(failure) => error_frame(&failure),
        });
        let done = self.done.then(|| Bytes::from_static(b"data: [DONE]\n\n"));
        let done = stream::iter(done);
        let body = Body::from_stream(frames.chain(done).map(Ok::<_, Infallible>));
        let mut response = match status.response(body) {
            Ok(response) => response,
            Err(failure) => return failure.into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        // Proxies would collect events otherwise.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

/// JSON holds no raw line break, so one `data:` line is the whole event.
fn frame(value: &impl Serialize) -> Result<Bytes, Failure> {
    let mut bytes = b"data: ".to_vec();
    serde_json::to_writer(&mut bytes, value)
        .map_err(|error| Failure::internal(format_args!("an event does not serialise: {error}")))?;
    bytes.extend_from_slice(b"\n\n");
    Ok(Bytes::from(bytes))
}

fn error_frame(failure: &Failure) -> Bytes {
    frame(&failure.body()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(events: Vec<Result<u32, Failure>>) -> String {
        let response = EventStream::new(stream::iter(events)).into_response();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn done_ends_the_events() {
        assert_eq!(text(vec![Ok(1), Ok(2)]).await, "data: 1\n\ndata: 2\n\ndata: [DONE]\n\n");
    }

    #[tokio::test]
    async fn done_can_be_left_out() {
        let events = stream::iter(vec![Ok::<_, Failure>(1)]);
        let response = EventStream::new(events).without_done().answer(Status::Fixed(202));
        assert_eq!(response.status(), 202);
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        assert_eq!(bytes, "data: 1\n\n");
    }

    #[tokio::test]
    async fn nothing_follows_a_failure() {
        let text = text(vec![Ok(1), Err(Failure::internal("disk")), Ok(3)]).await;
        let events: Vec<&str> = text.split("\n\n").collect();
        assert_eq!((events.len(), events[0], events[2]), (4, "data: 1", "data: [DONE]"), "{text}");
        let error: serde_json::Value = serde_json::from_str(events[1].strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(error["error"]["type"], "internal_error");
        assert!(!text.contains("disk"), "the cause stays inside");
    }
}
