//! The socket below hyper, with the limits that hyper lacks: a client that stops reading, an idle connection that
//! ends at shutdown or yields its slot, bytes that are still arriving when the connection closes, and a client that
//! closes its write side only.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use axum::http::Version;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::Sleep;

use super::half_close::{HalfClose, PROBE};

/// Time limit for reading on after the last response: closing a socket with unread bytes makes the kernel reset the
/// connection, and the client loses the response.
const LINGER: Duration = Duration::from_secs(5);
/// Bytes that are discarded at once meanwhile.
const DISCARD_BUFFER: usize = 64 << 10;

/// State of a connection, shared by its socket, its requests and its responses.
#[derive(Debug)]
pub(super) struct ConnectionState {
    state: Mutex<State>,
    /// Notified of an eviction.
    evicted: Notify,
}

#[derive(Debug)]
struct State {
    /// Number of requests in flight: one that is completed while the body of the one before is discarded makes two.
    in_flight: usize,
    /// Number of bodies that are discarded, among the requests in flight.
    discarded: usize,
    /// Begin of the connection, or end of the last response.
    waits_since: Instant,
    /// The connection ends, unless a request has arrived.
    is_evicted: bool,
    /// Number of requests so far.
    requests: usize,
    /// The handler of the newest request has not read the end of its body.
    receiving: bool,
    /// An interim response may precede the response to the newest request: the client speaks HTTP/1.1, and no byte of the
    /// response is written.
    accepts_interim: bool,
    /// Wakes the connection, whose client closed its write side, when no request is in flight.
    half_closed: Option<Waker>,
    /// The client does not read the response.
    stalled: bool,
    /// A request has arrived.
    used: bool,
    /// The connection ends when it is idle.
    ending: bool,
    /// Bytes have arrived that belong to no complete request head, or to a body that is not read to its end.
    unread: bool,
}

impl State {
    fn is_idle(&self) -> bool {
        self.in_flight == 0 && !self.stalled
    }

    /// Returns whether the connection is evicted and no response is on its way.
    fn yields(&self) -> bool {
        self.is_evicted && self.in_flight == self.discarded && !self.stalled
    }
}

/// A connection's wait for a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    /// Its begin.
    pub since: Instant,
    /// Whether a request has arrived before.
    pub is_used: bool,
    /// Whether the connection is about to end.
    pub is_evicted: bool,
}

impl ConnectionState {
    /// Creates the state of a new connection.
    pub(super) fn new() -> Self {
        let state = State {
            in_flight: 0,
            discarded: 0,
            waits_since: Instant::now(),
            is_evicted: false,
            requests: 0,
            receiving: false,
            accepts_interim: false,
            half_closed: None,
            stalled: false,
            used: false,
            ending: false,
            unread: false,
        };
        Self { state: Mutex::new(state), evicted: Notify::new() }
    }

    /// Returns how the connection waits for a request; `None` if a response is on its way.
    pub(super) fn waiting(&self) -> Option<Wait> {
        let state = self.state.lock();
        let is_waiting = state.in_flight == state.discarded && !state.stalled;
        let State { waits_since: since, used: is_used, is_evicted, .. } = *state;
        is_waiting.then_some(Wait { since, is_used, is_evicted })
    }

    /// Ends the connection, unless a request arrives before its socket has nothing more to read.
    pub(super) fn evict(&self) {
        self.state.lock().is_evicted = true;
        self.evicted.notify_one();
    }

    /// Waits for an eviction. The connection has to be polled then.
    pub(super) async fn evicted(&self) {
        self.evicted.notified().await;
    }

    /// Counts a body that is discarded among the requests in flight, until the guard is dropped.
    pub(super) fn discard(self: &Arc<Self>) -> InFlightGuard {
        let mut state = self.state.lock();
        state.in_flight += 1;
        state.discarded += 1;
        drop(state);
        InFlightGuard { connection: self.clone(), discards: true }
    }

    /// Marks a request of this HTTP version as in flight until every clone of the guard is dropped.
    pub(super) fn begin(self: &Arc<Self>, version: Version) -> Arc<InFlightGuard> {
        let mut state = self.state.lock();
        state.in_flight += 1;
        state.requests += 1;
        (state.receiving, state.accepts_interim) = (true, version == Version::HTTP_11);
        (state.used, state.unread, state.is_evicted) = (true, false, false);
        drop(state);
        Arc::new(InFlightGuard { connection: self.clone(), discards: false })
    }

    /// Returns whether no request has arrived yet.
    pub(super) fn is_unused(&self) -> bool {
        !self.state.lock().used
    }

    /// Ends the connection as soon as its socket has nothing more to read. Returns false and changes nothing while a
    /// request is in flight: an end of file would abort it.
    pub(super) fn end_when_idle(&self) -> bool {
        let mut state = self.state.lock();
        state.ending = state.is_idle();
        state.ending
    }

    /// Records that the handler has read the request body to its end.
    pub(super) fn set_received(&self) {
        self.state.lock().receiving = false;
    }

    /// Records whether a part of the request body is unread.
    pub(super) fn set_unread(&self, unread: bool) {
        self.state.lock().unread = unread;
    }
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct InFlightGuard {
    connection: Arc<ConnectionState>,
    discards: bool,
}

impl InFlightGuard {
    /// Returns the connection of the request.
    pub(super) fn connection(&self) -> &Arc<ConnectionState> {
        &self.connection
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut state = self.connection.state.lock();
        state.in_flight -= 1;
        state.discarded -= usize::from(self.discards);
        state.waits_since = Instant::now();
        let waker = if state.in_flight == 0 { state.half_closed.take() } else { None };
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// A socket with a time limit on stalled writes, an orderly end and a lingering close.
pub(super) struct ConnectionStream<S> {
    stream: S,
    state: Arc<ConnectionState>,
    /// Time limit for a write that the client does not read.
    write_stall: Duration,
    /// Set while a write is pending.
    stall: Option<Pin<Box<Sleep>>>,
    /// Set once the write side is shut down: the time limit, and the buffer for the bytes that are discarded.
    linger: Option<(Pin<Box<Sleep>>, Vec<u8>)>,
    /// The client has closed its write side.
    ended: bool,
    /// Set once the client closed its write side while a request was in flight.
    half_close: Option<HalfClose>,
    /// Every written byte is flushed.
    flushed: bool,
}

impl<S> ConnectionStream<S> {
    /// Wraps a socket.
    pub(super) fn new(stream: S, write_stall: Duration, state: Arc<ConnectionState>) -> Self {
        Self { stream, state, write_stall, stall: None, linger: None, ended: false, half_close: None, flushed: true }
    }
}

impl<S: AsyncWrite + Unpin> ConnectionStream<S> {
    /// Withholds the end of file from hyper, which would abort the request in flight, until the response is complete. Ready
    /// with `Ok` if the body of the request is incomplete, with an error if the client has closed the connection.
    fn poll_half_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut state = self.state.state.lock();
            if state.in_flight == 0 {
                return Poll::Ready(Ok(()));
            }
            state.half_closed = Some(cx.waker().clone());
            let (request, receiving) = (state.requests, state.receiving);
            let accepts_interim = state.accepts_interim && !state.stalled && self.flushed;
            drop(state);
            let half_close = match &mut self.half_close {
                Some(half_close) if half_close.request() == request => half_close,
                other => other.insert(HalfClose::new(request)),
            };
            ready!(half_close.poll_interval(cx));
            if receiving {
                return Poll::Ready(Ok(()));
            }
            if accepts_interim
                && let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(cx, PROBE)
                && written? < PROBE.len()
            {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
        }
    }

    /// Writes a part of a response with `write`, within the time limit.
    fn poll_response(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        self.flushed = false;
        self.state.state.lock().accepts_interim = false;
        self.poll_with_limit(cx, write)
    }

    /// Writes with `write`. Fails once the client has read nothing for the time limit: it would hold its connection, and
    /// the response behind it, for ever.
    fn poll_with_limit<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.stream), cx) {
            if self.stall.take().is_some() {
                self.state.state.lock().stalled = false;
            }
            return Poll::Ready(written);
        }
        let (limit, state) = (self.write_stall, &self.state);
        let stall = self.stall.get_or_insert_with(|| {
            state.state.lock().stalled = true;
            Box::pin(tokio::time::sleep(limit))
        });
        ready!(stall.as_mut().poll(cx));
        let message = format!("the client read nothing of the response for {limit:?}");
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for ConnectionStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, target: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = target.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, target) {
            Poll::Pending => {
                let state = this.state.state.lock();
                let ends = state.ending && state.is_idle() && !state.unread;
                if ends || state.yields() { Poll::Ready(Ok(())) } else { Poll::Pending }
            }
            Poll::Ready(read) => {
                this.ended = target.filled().len() == before;
                let mut state = this.state.state.lock();
                state.unread |= !this.ended && state.in_flight == 0;
                if this.ended && read.is_ok() && state.in_flight > 0 && !state.unread {
                    drop(state);
                    return this.poll_half_close(cx);
                }
                Poll::Ready(read)
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ConnectionStream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll_response(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_response(cx, |stream, cx| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_with_limit(cx, AsyncWrite::poll_flush))?;
        this.flushed = true;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.linger.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            if this.ended || !this.state.state.lock().unread {
                return Poll::Ready(Ok(()));
            }
        }
        let (linger, discarded) =
            this.linger.get_or_insert_with(|| (Box::pin(tokio::time::sleep(LINGER)), vec![0; DISCARD_BUFFER]));
        while !this.state.state.lock().yields() && linger.as_mut().poll(cx).is_pending() {
            let mut space = ReadBuf::new(discarded);
            // An error here is the client's way to hang up.
            if ready!(Pin::new(&mut this.stream).poll_read(cx, &mut space)).is_err() || space.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
