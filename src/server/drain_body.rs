//! Request bodies that a handler does not read to their end.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};

use super::connection::InFlightGuard;

/// Largest rest of a body that is read and discarded, in bytes.
const MAX_DRAINED: u64 = 1 << 20;
/// Time limit for it.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// The body of a request. When it is dropped, a small unread rest is read and discarded, so that the connection can serve
/// the next request: a handler may respond by the head alone, before the body has arrived. A larger rest ends the
/// connection after the response.
pub(super) struct RequestBody {
    /// Present until this is dropped.
    body: Option<Incoming>,
    in_flight: Arc<InFlightGuard>,
}

impl RequestBody {
    pub(super) fn new(body: Incoming, in_flight: Arc<InFlightGuard>) -> Self {
        if body.is_end_stream() {
            in_flight.connection().set_received();
        }
        Self { body: Some(body), in_flight }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = self.body.as_mut().map_or(Poll::Ready(None), |body| Pin::new(body).poll_frame(cx));
        if matches!(frame, Poll::Ready(None)) || self.is_end_stream() {
            self.in_flight.connection().set_received();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some(mut body) = self.body.take().filter(|body| !body.is_end_stream()) else {
            self.in_flight.connection().set_received();
            return;
        };
        self.in_flight.connection().set_unread(true);
        let runtime = tokio::runtime::Handle::try_current();
        let (Ok(runtime), true) = (runtime, body.size_hint().lower() <= MAX_DRAINED) else { return };
        let in_flight = self.in_flight.connection().discard();
        let reading = async move {
            let mut received = 0;
            while let Some(Ok(frame)) = body.frame().await {
                received += frame.data_ref().map_or(0, |data| data.len() as u64);
                if received > MAX_DRAINED {
                    return;
                }
            }
            in_flight.connection().set_unread(false);
            in_flight.connection().set_received();
        };
        runtime.spawn(tokio::time::timeout(DRAIN_TIMEOUT, reading));
    }
}
