//! Typed server-sent events.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, future};
use serde::Serialize;

use crate::http::ApiError;
use crate::http::response::Status;
use crate::http::response_memory::ResponseText;

/// A response of server-sent events: each item is one `data:` line of JSON, `[DONE]` ends them.
///
/// An error, or a panic of the stream, becomes an event with the error body, followed by `[DONE]` only; its cause is
/// logged. Ids and comment lines are off by default: OpenAI's clients take the blank line after a comment for an event.
/// Dropping the response, as hyper does when the client disconnects, drops the stream.
pub struct EventStream<T> {
    source: Source<T>,
    done: bool,
    label: Option<fn(&T) -> EventLabel>,
    heartbeat: Option<Duration>,
}

enum Source<T> {
    /// Events that this response encodes.
    Values(BoxStream<'static, Result<T, ApiError>>),
    /// Events in their encoding.
    Encoded(BoxStream<'static, Result<EncodedEvents<T>, ApiError>>),
}

/// One or several events, encoded once for any number of responses. A clone shares the bytes.
#[derive(Debug)]
pub struct EncodedEvents<T> {
    bytes: Bytes,
    events: PhantomData<fn() -> T>,
}

impl<T> Clone for EncodedEvents<T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), events: PhantomData }
    }
}

impl<T: Serialize> EncodedEvents<T> {
    /// Encodes one event.
    ///
    /// # Errors
    /// 503 if other responses use the memory; an internal error if the event does not serialise.
    pub fn new(event: &T, label: &EventLabel) -> Result<Self, ApiError> {
        Ok(Self { bytes: frame(Some(label), event)?, events: PhantomData })
    }
}

impl<T> EncodedEvents<T> {
    /// Returns the events of all `parts`, in their order.
    ///
    /// # Errors
    /// 503 if other responses use the memory.
    pub fn concat(parts: &[Self]) -> Result<Self, ApiError> {
        let parts: Vec<&[u8]> = parts.iter().map(|part| &part.bytes[..]).collect();
        let mut text = ResponseText::new();
        text.append(&parts)?;
        Ok(Self { bytes: text.into_bytes(), events: PhantomData })
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Fields of an event beside its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventLabel {
    /// Event id, which a client sends as `Last-Event-ID` to resume after this event; `None` if it cannot resume there.
    pub id: Option<String>,
    /// Event type, which selects the listeners of an `EventSource`.
    pub event: String,
}

impl<T: Serialize + Send + 'static> EventStream<T> {
    /// Creates a response from a stream of events.
    pub fn new(events: impl Stream<Item = Result<T, ApiError>> + Send + 'static) -> Self {
        Self::of(Source::Values(events.boxed()))
    }

    /// Creates a response from these events.
    pub fn of_events<const N: usize>(events: [T; N]) -> Self {
        Self::new(stream::iter(events.map(Ok)))
    }

    /// Creates a response from events that are encoded already, with their labels.
    pub fn encoded(events: impl Stream<Item = Result<EncodedEvents<T>, ApiError>> + Send + 'static) -> Self {
        Self::of(Source::Encoded(events.boxed()))
    }

    fn of(source: Source<T>) -> Self {
        Self { source, done: true, label: None, heartbeat: None }
    }

    /// Omits the final `[DONE]` event, for clients that do not expect it.
    #[must_use]
    pub fn without_done(mut self) -> Self {
        self.done = false;
        self
    }
}

impl<T> EventStream<T> {
    /// Sets a function that returns the type and id of each event.
    #[must_use]
    pub fn labelled(mut self, label: fn(&T) -> EventLabel) -> Self {
        self.label = Some(label);
        self
    }

    /// Sends a comment after each `silence` without an event, so that both ends detect a dead connection.
    #[must_use]
    pub fn with_heartbeat(mut self, silence: Duration) -> Self {
        self.heartbeat = Some(silence);
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
        self.response(Status::Fixed(200))
    }
}

impl<T: Serialize + Send + 'static> EventStream<T> {
    /// Creates the response with a status.
    pub fn response(self, status: impl Into<Status>) -> Response {
        let mut failed = false;
        let label = self.label;
        let events = match self.source {
            Source::Values(values) => values.map(move |item| encode(label, &item?)).boxed(),
            Source::Encoded(events) => events.map(|item| Ok(item?.bytes)).boxed(),
        };
        let events = AssertUnwindSafe(events).catch_unwind().map(|item| match item {
            Ok(item) => item,
            Err(panic) => Err(ApiError::internal(format_args!("a stream of events panicked: {}", panic_text(&*panic)))),
        });
        let events = events.take_while(move |item| {
            let go_on = !failed;
            failed = item.is_err();
            future::ready(go_on)
        });
        let frames = events.map(|item| match item {
            Ok(frame) => frame,
            Err(failure) => {
                let cause = failure.cause();
                tracing::error!(rejection = failure.message(), cause, "a stream of events broke off");
                error_frame(&failure)
            }
        });
        let done = self.done.then(|| Bytes::from_static(b"data: [DONE]\n\n"));
        let done = stream::iter(done);
        let frames = beating(frames.chain(done).boxed(), self.heartbeat);
        let body = Body::from_stream(frames.map(Ok::<_, Infallible>));
        let mut response = match status.into().response(body) {
            Ok(response) => response,
            Err(failure) => return failure.into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        // Without this header, proxies buffer events.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

/// Inserts a comment after each `silence` without a frame.
fn beating(frames: BoxStream<'static, Bytes>, silence: Option<Duration>) -> BoxStream<'static, Bytes> {
    let Some(silence) = silence else { return frames };
    let beating = stream::unfold(frames, move |mut frames| async move {
        match tokio::time::timeout(silence, frames.next()).await {
            Ok(frame) => frame.map(|frame| (frame, frames)),
            Err(_) => Some((Bytes::from_static(b":\n\n"), frames)),
        }
    });
    beating.boxed()
}

fn encode<T: Serialize>(label: Option<fn(&T) -> EventLabel>, value: &T) -> Result<Bytes, ApiError> {
    let label = label.map(|label| label(value));
    frame(label.as_ref(), value)
}

/// Encodes an event. JSON has no raw line break, so one `data:` line holds all of it; ids and types have none either.
fn frame(label: Option<&EventLabel>, value: &impl Serialize) -> Result<Bytes, ApiError> {
    let mut text = ResponseText::new();
    if let Some(EventLabel { id, event }) = label {
        let id = id.as_ref().map(|id| format!("id: {id}\n")).unwrap_or_default();
        text.append(&[format!("{id}event: {event}\n").as_bytes()])?;
    }
    text.append(&[b"data: "])?;
    text.write_json(value)?;
    text.append(&[b"\n\n"])?;
    Ok(text.into_bytes())
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

fn error_frame(failure: &ApiError) -> Bytes {
    frame(None, &failure.body()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(events: Vec<Result<u32, ApiError>>) -> String {
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
        let events = stream::iter(vec![Ok::<_, ApiError>(1)]);
        let response = EventStream::new(events).without_done().response(Status::Fixed(202));
        assert_eq!(response.status(), 202);
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        assert_eq!(bytes, "data: 1\n\n");
    }

    #[tokio::test]
    async fn labels_and_heartbeats_are_there_when_they_are_asked_for() {
        let events = stream::iter([1, 2]).then(|number| async move {
            tokio::time::sleep(Duration::from_millis(if number == 2 { 50 } else { 0 })).await;
            Ok::<_, ApiError>(number)
        });
        let label = |number: &u32| EventLabel { id: Some(format!("e{number}")), event: "step".to_owned() };
        let stream = EventStream::new(events).without_done().labelled(label);
        let body = stream.with_heartbeat(Duration::from_millis(20)).into_response().into_body();
        let text = String::from_utf8(axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap();
        let silences = text.matches(":\n\n").count();
        assert!((1..=3).contains(&silences), "{text}");
        let events = text.replace(":\n\n", "");
        assert_eq!(events, "id: e1\nevent: step\ndata: 1\n\nid: e2\nevent: step\ndata: 2\n\n");
    }

    #[tokio::test]
    async fn encoded_events_are_sent_as_they_are() {
        let [one, two] = [1, 2].map(|number: u32| {
            let label = EventLabel { id: Some(format!("e{number}")), event: "step".to_owned() };
            EncodedEvents::new(&number, &label).unwrap()
        });
        let both = EncodedEvents::concat(&[one.clone(), two]).unwrap();
        let events = stream::iter([Ok(one), Ok(both), Err(ApiError::internal("disk"))]);
        let body = EventStream::encoded(events).without_done().into_response().into_body();
        let text = String::from_utf8(axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap();
        let (one, two) = ("id: e1\nevent: step\ndata: 1\n\n", "id: e2\nevent: step\ndata: 2\n\n");
        let error = text.strip_prefix(&format!("{one}{one}{two}data: ")).expect("the events");
        assert!(error.contains("internal_error"), "{text}");
    }

    #[tokio::test]
    async fn nothing_follows_a_failure() {
        let text = text(vec![Ok(1), Err(ApiError::internal("disk")), Ok(3)]).await;
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
            std::task::Poll::Ready(Some(Ok::<_, ApiError>(left)))
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
