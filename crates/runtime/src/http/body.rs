//! Receives request bodies within limits of size, idle time and shared memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;

use crate::budget::{Budget, NoRoom, Share};
use crate::http::{ApiError, ErrorStatus};

/// Longest time without data from a body.
const IDLE: Duration = Duration::from_secs(30);
/// Time that any body may take.
const GRACE: Duration = Duration::from_secs(60);
/// Slowest rate of a longer body, in bytes per second.
const RATE: u32 = 1024;
/// Memory budget of all bodies that this process is receiving and decoding: 1 GiB.
static BUDGET: Budget = Budget::new(1 << 30);

/// Limits of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLimits {
    /// Maximum size in bytes; 413 above it.
    pub size: usize,
    /// Longest time without data; 408 after it.
    pub idle: Duration,
    /// Longest time of waiting for data in all, plus a second for each [`RATE`] bytes; 408 after it.
    pub grace: Duration,
    /// Memory of all bodies; 503 if none is left.
    pub budget: &'static Budget,
}

impl BodyLimits {
    /// Creates limits of `size` bytes, with the idle time and the budget of the process.
    pub(super) fn of_size(size: usize) -> Self {
        Self { size, idle: IDLE, grace: GRACE, budget: &BUDGET }
    }
}

/// Bytes of a body that have arrived, and the time that was spent waiting for them. The time that the reader takes for
/// them does not count: meanwhile the sender has to wait.
#[derive(Debug, Default)]
pub(super) struct Arrival {
    received: usize,
    waited: Duration,
}

impl Arrival {
    /// Returns the next bytes; `None` at the end.
    ///
    /// # Errors
    /// 408 if they do not come in time, 413 above the size, 400 when the body breaks off.
    pub(super) async fn next(&mut self, body: &mut Body, limits: &BodyLimits) -> Result<Option<Bytes>, ApiError> {
        loop {
            let allowed = limits.grace + Duration::from_secs(self.received as u64) / RATE;
            let left = allowed.saturating_sub(self.waited);
            let started = Instant::now();
            let frame = tokio::time::timeout(limits.idle.min(left), body.frame()).await;
            self.waited += started.elapsed();
            let frame = frame.map_err(|_| if left < limits.idle { slow() } else { idle(limits.idle) })?;
            let Some(frame) = frame else { return Ok(None) };
            // Trailers are ignored.
            let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
            self.received = self.received.saturating_add(data.len());
            return if self.received > limits.size { Err(too_large(limits.size)) } else { Ok(Some(data)) };
        }
    }
}

/// A received body; its share of the budget is released on drop.
#[derive(Debug)]
pub(super) struct HeldBody {
    bytes: Vec<u8>,
    share: Share,
}

impl HeldBody {
    /// Returns the bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes without a copy; they own the share of the budget.
    pub(super) fn into_bytes(self) -> Bytes {
        Bytes::from_owner(Held { bytes: self.bytes, _share: Arc::new(self.share) })
    }

    /// Releases the bytes and returns their share of the budget.
    pub(super) fn into_share(self) -> Share {
        self.share
    }

    /// Returns the bytes and releases the share of the budget.
    pub(super) fn into_vec(self) -> Vec<u8> {
        self.bytes
    }

    fn append(&mut self, data: &[u8]) -> Result<(), ApiError> {
        self.share.grow_to(self.bytes.len() + data.len())?;
        self.bytes.extend_from_slice(data);
        Ok(())
    }
}

/// Bytes that own a share of the budget, alone or together with others.
struct Held {
    bytes: Vec<u8>,
    _share: Arc<Share>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns bytes that own `share` together with others.
pub(super) fn sharing(bytes: Vec<u8>, share: &Arc<Share>) -> Bytes {
    Bytes::from_owner(Held { bytes, _share: share.clone() })
}

/// Receives a whole body.
///
/// A declared length is reserved before the first byte is read, so a body without room is rejected before it is sent. A
/// body of undeclared length reserves memory as it grows.
pub(super) async fn receive(headers: &HeaderMap, mut body: Body, limits: BodyLimits) -> Result<HeldBody, ApiError> {
    let declared = check_declared(headers, limits.size)?;
    let share = Share::of(limits.budget, declared)?;
    let mut held = HeldBody { bytes: Vec::with_capacity(declared), share };
    let mut arrival = Arrival::default();
    while let Some(data) = arrival.next(&mut body, &limits).await? {
        held.append(&data)?;
    }
    Ok(held)
}

/// Returns the body if it is not empty. If its length is not declared, waits for the first bytes.
pub(super) async fn present(mut body: Body) -> Result<Option<Body>, ApiError> {
    if body.is_end_stream() {
        return Ok(None);
    }
    if body.size_hint().lower() > 0 {
        return Ok(Some(body));
    }
    let mut arrival = Arrival::default();
    while let Some(data) = arrival.next(&mut body, &BodyLimits::of_size(usize::MAX)).await? {
        if !data.is_empty() {
            let first = stream::iter([Ok(data)]);
            return Ok(Some(Body::from_stream(first.chain(body.into_data_stream()))));
        }
    }
    Ok(None)
}

/// Returns the declared length if it is within the limit; 0 if none is declared.
pub(super) fn check_declared(headers: &HeaderMap, limit: usize) -> Result<usize, ApiError> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let declared = usize::try_from(declared.unwrap_or(0)).unwrap_or(usize::MAX);
    if declared > limit { Err(too_large(limit)) } else { Ok(declared) }
}

fn broken(error: axum::Error) -> ApiError {
    ApiError::bad_request("the body broke off before its end").with_cause(error)
}

impl From<NoRoom> for ApiError {
    fn from(_: NoRoom) -> Self {
        let message = "the requests that are being received leave no room for this one; try again in a moment";
        Self::unavailable(message, Duration::from_secs(1))
    }
}

fn idle(limit: Duration) -> ApiError {
    let message = format!("nothing more of the body came for {limit:?}; send the request again");
    ApiError::new(ErrorStatus::REQUEST_TIMEOUT, message).with_code("body_timeout")
}

fn slow() -> ApiError {
    let message = format!("the body came slower than {RATE} bytes a second; send the request again");
    ApiError::new(ErrorStatus::REQUEST_TIMEOUT, message).with_code("body_timeout")
}

fn too_large(limit: usize) -> ApiError {
    ApiError::new(
        ErrorStatus::CONTENT_TOO_LARGE,
        format!("the body is larger than the {limit} bytes that this operation takes"),
    )
    .with_code("body_too_large")
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use axum::response::IntoResponse;

    const UNIT: usize = 1024;

    fn limits(idle: Duration, units: usize) -> BodyLimits {
        BodyLimits { size: 16 * UNIT, idle, grace: GRACE, budget: Box::leak(Box::new(Budget::new(units * UNIT))) }
    }

    /// Units of the budget that nobody holds.
    fn free(limits: &BodyLimits) -> usize {
        (limits.budget.limit() - limits.budget.held()) / UNIT
    }

    /// Chunks of one unit, each after a pause.
    fn chunks(count: usize, pause: Duration) -> Body {
        Body::from_stream(stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(pause).await;
            Ok::<_, Infallible>(vec![b' '; UNIT])
        }))
    }

    fn declaring(length: usize) -> HeaderMap {
        [(header::CONTENT_LENGTH, length.into())].into_iter().collect()
    }

    #[tokio::test]
    async fn a_body_that_falls_silent_is_408() {
        let limits = limits(Duration::from_millis(20), 16);
        let silent = Body::from_stream(
            stream::iter([Ok::<_, Infallible>("{")]).chain(stream::pending::<Result<&str, Infallible>>()),
        );
        let failure = receive(&HeaderMap::new(), silent, limits).await.unwrap_err();
        assert_eq!(failure.status(), ErrorStatus::REQUEST_TIMEOUT, "{failure}");
        assert_eq!(free(&limits), 16, "its share is free again");
    }

    #[tokio::test]
    async fn a_slow_body_may_take_longer_than_the_idle_time() {
        let limits = limits(Duration::from_millis(300), 16);
        let held = receive(&HeaderMap::new(), chunks(5, Duration::from_millis(80)), limits).await.unwrap();
        assert_eq!(held.bytes().len(), 5 * UNIT);
    }

    #[tokio::test]
    async fn a_body_that_trickles_is_408() {
        let limits = BodyLimits { grace: Duration::from_millis(50), ..limits(Duration::from_secs(30), 16) };
        let bytes = stream::repeat(()).then(|()| async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Ok::<_, Infallible>("x")
        });
        let failure = receive(&HeaderMap::new(), Body::from_stream(bytes), limits).await.unwrap_err();
        assert_eq!((failure.status(), failure.code()), (ErrorStatus::REQUEST_TIMEOUT, Some("body_timeout")));
        assert!(failure.message().contains("1024 bytes a second"), "{failure}");
    }

    #[tokio::test]
    async fn the_readers_time_does_not_count() {
        let limits = BodyLimits { grace: Duration::from_secs(5), ..limits(Duration::from_secs(30), 16) };
        let (mut body, mut arrival) =
            (Body::from_stream(stream::iter([Ok::<_, Infallible>("a"), Ok("b")])), Arrival::default());
        assert_eq!(arrival.next(&mut body, &limits).await.unwrap().unwrap(), "a");
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert_eq!(arrival.next(&mut body, &limits).await.unwrap().unwrap(), "b");
        assert!(arrival.next(&mut body, &limits).await.unwrap().is_none());
        arrival.waited = Duration::from_secs(6);
        let late = Body::from_stream(stream::pending::<Result<&str, Infallible>>());
        assert!(arrival.next(&mut { late }, &limits).await.is_err());
    }

    #[tokio::test]
    async fn bodies_share_the_budget_and_give_it_back() {
        let limits = limits(Duration::from_secs(30), 4);
        let held = receive(&declaring(3 * UNIT), Body::from(vec![b' '; 3 * UNIT]), limits).await.unwrap();
        assert_eq!(free(&limits), 1, "what is declared is reserved once");

        // The body must not be polled; if it were, this test would hang.
        let never = Body::from_stream(stream::pending::<Result<&str, Infallible>>());
        let failure = receive(&declaring(UNIT + 1), never, limits).await.unwrap_err();
        let response = failure.into_response();
        assert_eq!(
            (response.status().as_u16(), &response.headers()[header::RETRY_AFTER]),
            (503, &"1".parse().unwrap())
        );

        let failure = receive(&HeaderMap::new(), chunks(2, Duration::ZERO), limits).await.unwrap_err();
        assert_eq!(failure.status(), ErrorStatus::SERVICE_UNAVAILABLE, "{failure}");
        assert_eq!(free(&limits), 1, "a refused body leaves nothing reserved");

        drop(held);
        let held = receive(&HeaderMap::new(), chunks(4, Duration::ZERO), limits).await.unwrap();
        assert_eq!((held.bytes().len(), free(&limits)), (4 * UNIT, 0));
        drop(held);
        assert_eq!(free(&limits), 4);
    }

    #[tokio::test]
    async fn bytes_that_live_on_keep_their_share() {
        let limits = limits(Duration::from_secs(30), 4);
        let held = receive(&declaring(3 * UNIT), Body::from(vec![b' '; 3 * UNIT]), limits).await.unwrap();
        let (at, bytes) = (held.bytes().as_ptr(), held.into_bytes());
        assert_eq!((bytes.as_ptr(), free(&limits)), (at, 1), "the same bytes, still reserved");
        drop(bytes);
        assert_eq!(free(&limits), 4);
    }

    #[tokio::test]
    async fn more_than_the_size_is_413() {
        let limits = limits(Duration::from_secs(30), 64);
        for (headers, units) in [(declaring(17 * UNIT), 17), (HeaderMap::new(), 17), (declaring(UNIT), 17)] {
            let failure = receive(&headers, chunks(units, Duration::ZERO), limits).await.unwrap_err();
            assert_eq!(failure.status(), ErrorStatus::CONTENT_TOO_LARGE, "{failure}");
        }
        assert!(receive(&HeaderMap::new(), chunks(16, Duration::ZERO), limits).await.is_ok());
    }
}
