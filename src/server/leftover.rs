//! What a handler leaves unread of a request.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};

/// Bytes of a body that are read for nothing but the next request of the connection.
const LEFTOVER: u64 = 1 << 20;
/// How long they are waited for.
const TIME: Duration = Duration::from_secs(5);

/// The body of a request. A small rest that nobody has read when it is dropped is thrown away as it comes: a request may
/// be refused by its head before its body has arrived, and hyper would close the connection without a word, on which the
/// client sends its next request.
///
/// The body is there until this is dropped.
pub(super) struct RequestBody(Option<Incoming>);

impl RequestBody {
    pub fn new(body: Incoming) -> Self {
        Self(Some(body))
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.0.as_mut().map_or(Poll::Ready(None), |body| Pin::new(body).poll_frame(cx))
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let left = self.0.take().filter(|body| !body.is_end_stream() && body.size_hint().lower() <= LEFTOVER);
        if let (Some(mut body), Ok(runtime)) = (left, tokio::runtime::Handle::try_current()) {
            let mut received = 0;
            let reading = async move {
                while let Some(Ok(frame)) = body.frame().await {
                    received += frame.data_ref().map_or(0, |data| data.len() as u64);
                    if received > LEFTOVER {
                        break;
                    }
                }
            };
            runtime.spawn(tokio::time::timeout(TIME, reading));
        }
    }
}
