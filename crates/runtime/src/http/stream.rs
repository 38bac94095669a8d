//! Request bodies as streams, for bodies larger than memory.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use futures_core::Stream;
use futures_util::{StreamExt, stream};

use crate::budget::Share;
use crate::http::ApiError;
use crate::http::body::{self, Arrival, BodyLimits};

/// Bytes of a streamed body that its reader may hold at once, for the memory budget: an artifact's next part, and the
/// bytes in transit to it.
pub(super) const HELD_BY_TAKER: usize = 16 << 20;

/// A request body as a stream, with limits of size and time.
///
/// It has no buffer of its own: data that the reader has not taken waits at the sender.
pub struct BodyStream(Pin<Box<dyn Stream<Item = Result<Bytes, ApiError>> + Send>>);

impl BodyStream {
    /// Creates the stream of a body of at most `limit` bytes.
    ///
    /// # Errors
    /// 413 when the declared length is above `limit`. A body that grows above it, is aborted or stops sending ends with
    /// an error as its last item.
    ///
    /// The stream reserves a share of the memory budget for the bytes that its reader holds; 503 without room.
    pub fn of(headers: &HeaderMap, body: Body, limit: usize) -> Result<Self, ApiError> {
        let limits = BodyLimits::of_size(limit);
        let mut share = Share::of(limits.budget, body::check_declared(headers, limit)?.min(HELD_BY_TAKER))?;
        let mut received = 0_usize;
        let chunks = Self::within(headers, body, limits)?.map(move |chunk| {
            let chunk = chunk?;
            received = received.saturating_add(chunk.len());
            share.grow_to(received.min(HELD_BY_TAKER))?;
            Ok(chunk)
        });
        Ok(Self(Box::pin(chunks)))
    }

    pub(super) fn within(headers: &HeaderMap, body: Body, limits: BodyLimits) -> Result<Self, ApiError> {
        body::check_declared(headers, limits.size)?;
        let chunks = stream::try_unfold((body, Arrival::default()), move |(mut body, mut arrival)| async move {
            let data = arrival.next(&mut body, &limits).await?;
            Ok::<_, ApiError>(data.map(|data| (data, (body, arrival))))
        });
        Ok(Self(Box::pin(chunks)))
    }

    /// Returns the next bytes; `None` at the end.
    ///
    /// # Errors
    /// 413 above the limit, 408 on a time-out, 400 when the body is incomplete.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        futures_util::TryStreamExt::try_next(&mut self.0).await
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, ApiError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyStream")
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use super::*;
    use crate::http::ErrorStatus;

    fn limits(size: usize) -> BodyLimits {
        BodyLimits { size, idle: Duration::from_millis(20), ..BodyLimits::of_size(size) }
    }

    fn chunks(count: usize) -> Body {
        Body::from_stream(stream::iter((0..count).map(|_| Ok::<_, Infallible>(vec![b'x'; 10]))))
    }

    #[tokio::test]
    async fn a_stream_ends_at_its_limit() {
        let mut stream = BodyStream::within(&HeaderMap::new(), chunks(3), limits(25)).unwrap();
        let mut received = 0;
        let failure = loop {
            match stream.next().await {
                Ok(Some(bytes)) => received += bytes.len(),
                Ok(None) => panic!("the limit is smaller"),
                Err(failure) => break failure,
            }
        };
        assert_eq!((received, failure.status()), (20, ErrorStatus::CONTENT_TOO_LARGE));
        let declared = [(axum::http::header::CONTENT_LENGTH, 26.into())].into_iter().collect();
        let rejected = BodyStream::within(&declared, chunks(0), limits(25)).unwrap_err();
        assert_eq!(rejected.status(), ErrorStatus::CONTENT_TOO_LARGE);
    }

    #[tokio::test]
    async fn a_stream_that_falls_silent_is_408() {
        let silent = Body::from_stream(stream::pending::<Result<&str, Infallible>>());
        let mut stream = BodyStream::within(&HeaderMap::new(), silent, limits(25)).unwrap();
        assert_eq!(stream.next().await.unwrap_err().status(), ErrorStatus::REQUEST_TIMEOUT);
    }
}
