//! Typed server-sent events.

use std::{any::Any, convert::Infallible, fmt, panic::AssertUnwindSafe, pin::Pin};

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
/// A failure on the way, a panic included, becomes an event with the error body, after which only `[DONE]` comes; its
/// cause is logged. There are no ids and
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
        let events = AssertUnwindSafe(self.events).catch_unwind().map(|item| match item {
            Ok(item) => item,
            Err(panic) => Err(Failure::internal(format_args!("a stream of events panicked: {}", panic_text(&*panic)))),
        });
        let events = events.map(|item| item.and_then(|value| frame(&value)));
        let events = events.take_while(move |item| {
            let go_on = !failed;
            failed = item.is_err();
            future::ready(go_on)
        });
        let frames = events.map(|item| match item {
            Ok(frame) => frame,
            Err(failure) => {
                let cause = failure.cause();
                tracing::error!(refusal = failure.message(), cause, "a stream of events broke off");
                error_frame(&failure)
            }
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

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
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

    #[tokio::test]
    async fn a_panic_is_a_failure_on_the_way() {
        let mut left = 2_u32;
        let events = stream::poll_fn(move |_| {
            left = left.checked_sub(1).expect("a fault of the handler");
            std::task::Poll::Ready(Some(Ok::<_, Failure>(left)))
        });
        let body = EventStream::new(events).into_response().into_body();
        let text = String::from_utf8(axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap();
        let events: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(
            (events.len(), events[0], events[1], events[3]),
            (5, "data: 1", "data: 0", "data: [DONE]"),
            "{text}"
        );
        assert!(events[2].contains("internal_error") && !text.contains("handler"), "{text}");
    }
}
