//! Receiving request bodies within limits of size, idle time and shared memory.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{HeaderMap, header},
};
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{ErrorStatus, Failure};

/// How long a body may send nothing.
const IDLE: Duration = Duration::from_secs(30);
/// The unit of a budget, bytes.
const UNIT: usize = 1024;
/// What the bodies that are being received and decoded may take together in this process: 1 GiB.
static BUDGET: Semaphore = Semaphore::const_new((1 << 30) / UNIT);

/// The limits of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLimits {
    /// Bytes; more is 413.
    pub size: usize,
    /// Without a byte for longer is 408.
    pub idle: Duration,
    /// Permits of [`UNIT`] bytes that all bodies share; none left is 503.
    pub budget: &'static Semaphore,
}

impl BodyLimits {
    /// `size` bytes, and the idle time and the budget of the process.
    pub fn of_size(size: usize) -> Self {
        Self { size, idle: IDLE, budget: &BUDGET }
    }
}

/// The part of the shared budget that a body takes; free again when it is dropped.
#[derive(Debug)]
pub(super) struct Share {
    permit: SemaphorePermit<'static>,
    budget: &'static Semaphore,
}

impl Share {
    /// Room for `bytes`, or 503.
    pub fn of(budget: &'static Semaphore, bytes: usize) -> Result<Self, Failure> {
        Ok(Self { permit: reserve(budget, bytes)?, budget })
    }

    /// Makes it room for at least `bytes` in all, or 503.
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), Failure> {
        let missing = bytes.saturating_sub(self.permit.num_permits() * UNIT);
        self.permit.merge(reserve(self.budget, missing)?);
        Ok(())
    }
}

/// A received body; its share of the budget is free again when it is dropped.
#[derive(Debug)]
pub(super) struct HeldBody {
    bytes: Vec<u8>,
    share: Share,
}

impl HeldBody {
    /// The body.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The body without a copy; its share of the budget lasts as long as the bytes.
    pub fn into_bytes(self) -> Bytes {
        Bytes::from_owner(Held { bytes: self.bytes, _share: Arc::new(self.share) })
    }

    /// The body as it is, which no longer counts in the budget.
    pub fn into_vec(self) -> Vec<u8> {
        self.bytes
    }

    fn append(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.share.grow_to(self.bytes.len() + data.len())?;
        self.bytes.extend_from_slice(data);
        Ok(())
    }
}

/// Bytes that keep a share of the budget, alone or with others.
struct Held {
    bytes: Vec<u8>,
    _share: Arc<Share>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes that keep `share`, which others keep as well.
pub(super) fn sharing(bytes: Vec<u8>, share: &Arc<Share>) -> Bytes {
    Bytes::from_owner(Held { bytes, _share: share.clone() })
}

/// Receives a body to its end.
///
/// A declared length is reserved before the first byte, so that what has no room is refused before it is sent; a body
/// of undeclared length reserves as it grows.
pub(super) async fn receive(headers: &HeaderMap, mut body: Body, limits: BodyLimits) -> Result<HeldBody, Failure> {
    let declared = check_declared(headers, limits.size)?;
    let share = Share::of(limits.budget, declared)?;
    let mut held = HeldBody { bytes: Vec::with_capacity(declared), share };
    while let Some(frame) = tokio::time::timeout(limits.idle, body.frame()).await.map_err(|_| idle(limits.idle))? {
        let frame = frame.map_err(broken)?;
        // Trailers mean nothing here.
        let Ok(data) = frame.into_data() else { continue };
        if data.len() > limits.size - held.bytes.len() {
            return Err(too_large(limits.size));
        }
        held.append(&data)?;
    }
    Ok(held)
}

/// The body, if it has bytes at all; as much as the first of them is waited for where no length is declared.
pub(super) async fn present(mut body: Body) -> Result<Option<Body>, Failure> {
    if body.is_end_stream() {
        return Ok(None);
    }
    if body.size_hint().lower() > 0 {
        return Ok(Some(body));
    }
    while let Some(frame) = tokio::time::timeout(IDLE, body.frame()).await.map_err(|_| idle(IDLE))? {
        let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
        if !data.is_empty() {
            let first = stream::iter([Ok(data)]);
            return Ok(Some(Body::from_stream(first.chain(body.into_data_stream()))));
        }
    }
    Ok(None)
}

/// The declared length, if it is within the limit; 0 where none is declared.
pub(super) fn check_declared(headers: &HeaderMap, limit: usize) -> Result<usize, Failure> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let declared = usize::try_from(declared.unwrap_or(0)).unwrap_or(usize::MAX);
    if declared > limit { Err(too_large(limit)) } else { Ok(declared) }
}

pub(super) fn broken(error: axum::Error) -> Failure {
    Failure::bad_request("the body broke off before its end").with_cause(error)
}

fn reserve(budget: &'static Semaphore, bytes: usize) -> Result<SemaphorePermit<'static>, Failure> {
    let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
    budget.try_acquire_many(units).map_err(|_| {
        let message = "the requests that are being received leave no room for this one; try again in a moment";
        Failure::unavailable(message, Duration::from_secs(1))
    })
}

pub(super) fn idle(limit: Duration) -> Failure {
    let message = format!("nothing more of the body came for {limit:?}; send the request again");
    Failure::new(ErrorStatus::REQUEST_TIMEOUT, message).with_code("body_timeout")
}

pub(super) fn too_large(limit: usize) -> Failure {
    Failure::new(
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

    fn limits(idle: Duration, units: usize) -> BodyLimits {
        BodyLimits { size: 16 * UNIT, idle, budget: Box::leak(Box::new(Semaphore::new(units))) }
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
        assert_eq!(limits.budget.available_permits(), 16, "its share is free again");
    }

    #[tokio::test]
    async fn a_slow_body_may_take_longer_than_the_idle_time() {
        let limits = limits(Duration::from_millis(300), 16);
        let held = receive(&HeaderMap::new(), chunks(5, Duration::from_millis(80)), limits).await.unwrap();
        assert_eq!(held.bytes().len(), 5 * UNIT);
    }

    #[tokio::test]
    async fn bodies_share_the_budget_and_give_it_back() {
        let limits = limits(Duration::from_secs(30), 4);
        let held = receive(&declaring(3 * UNIT), Body::from(vec![b' '; 3 * UNIT]), limits).await.unwrap();
        assert_eq!(limits.budget.available_permits(), 1, "what is declared is reserved once");

        // The body is never asked for, or this would wait.
        let never = Body::from_stream(stream::pending::<Result<&str, Infallible>>());
        let failure = receive(&declaring(UNIT + 1), never, limits).await.unwrap_err();
        let answer = failure.into_response();
        assert_eq!((answer.status().as_u16(), &answer.headers()[header::RETRY_AFTER]), (503, &"1".parse().unwrap()));

        let failure = receive(&HeaderMap::new(), chunks(2, Duration::ZERO), limits).await.unwrap_err();
        assert_eq!(failure.status(), ErrorStatus::SERVICE_UNAVAILABLE, "{failure}");
        assert_eq!(limits.budget.available_permits(), 1, "a refused body leaves nothing reserved");

        drop(held);
        let held = receive(&HeaderMap::new(), chunks(4, Duration::ZERO), limits).await.unwrap();
        assert_eq!((held.bytes().len(), limits.budget.available_permits()), (4 * UNIT, 0));
        drop(held);
        assert_eq!(limits.budget.available_permits(), 4);
    }

    #[tokio::test]
    async fn bytes_that_live_on_keep_their_share() {
        let limits = limits(Duration::from_secs(30), 4);
        let held = receive(&declaring(3 * UNIT), Body::from(vec![b' '; 3 * UNIT]), limits).await.unwrap();
        let (at, bytes) = (held.bytes().as_ptr(), held.into_bytes());
        assert_eq!((bytes.as_ptr(), limits.budget.available_permits()), (at, 1), "the same bytes, still reserved");
        drop(bytes);
        assert_eq!(limits.budget.available_permits(), 4);
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
