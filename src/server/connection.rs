//! The socket below hyper, with what hyper's own limits leave open: a client that stops reading, an idle connection that
//! ends at shutdown, and bytes that are still arriving when the connection closes.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

/// Time limit for reading on after the last response: closing a socket with unread bytes makes the kernel reset the
/// connection, and the client loses the response.
const LINGER: Duration = Duration::from_secs(5);
/// Bytes that are discarded at once meanwhile.
const DISCARD_BUFFER: usize = 64 << 10;

/// State of a connection, shared by its socket, its requests and its responses.
#[derive(Debug, Default)]
pub(super) struct ConnectionState(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Number of requests in flight: one that is answered while the body of the one before is discarded makes two.
    in_flight: usize,
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
}

impl ConnectionState {
    /// Marks a request as in flight until every clone of the guard is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> Arc<InFlightGuard> {
        let mut state = self.state();
        state.in_flight += 1;
        (state.used, state.unread) = (true, false);
        drop(state);
        Arc::new(InFlightGuard(self.clone()))
    }

    /// Returns whether no request has arrived yet.
    pub(super) fn is_unused(&self) -> bool {
        !self.state().used
    }

    /// Ends the connection as soon as its socket has nothing more to read. Returns false and changes nothing while a
    /// request is in flight: an end of file would abort it.
    pub(super) fn end_when_idle(&self) -> bool {
        let mut state = self.state();
        state.ending = state.is_idle();
        state.ending
    }

    /// Records whether a part of the request body is unread.
    pub(super) fn set_unread(&self, unread: bool) {
        self.state().unread = unread;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No holder of the lock can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct InFlightGuard(Arc<ConnectionState>);

impl InFlightGuard {
    /// Returns the connection of the request.
    pub(super) fn connection(&self) -> &ConnectionState {
        &self.0
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.state().in_flight -= 1;
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
}

impl<S> ConnectionStream<S> {
    /// Wraps a socket.
    pub(super) fn new(stream: S, write_stall: Duration, state: Arc<ConnectionState>) -> Self {
        Self { stream, state, write_stall, stall: None, linger: None, ended: false }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ConnectionStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, target: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = target.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, target) {
            Poll::Pending => {
                let state = this.state.state();
                if state.ending && state.is_idle() && !state.unread { Poll::Ready(Ok(())) } else { Poll::Pending }
            }
            Poll::Ready(read) => {
                this.ended = target.filled().len() == before;
                let mut state = this.state.state();
                state.unread |= !this.ended && state.in_flight == 0;
                Poll::Ready(read)
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> ConnectionStream<S> {
    /// Writes with `write`. Fails once the client has read nothing for the time limit: it would hold its connection, and
    /// the response behind it, for ever.
    fn poll_with_limit<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.stream), cx) {
            if self.stall.take().is_some() {
                self.state.state().stalled = false;
            }
            return Poll::Ready(written);
        }
        let (limit, state) = (self.write_stall, &self.state);
        let stall = self.stall.get_or_insert_with(|| {
            state.state().stalled = true;
            Box::pin(tokio::time::sleep(limit))
        });
        ready!(stall.as_mut().poll(cx));
        let message = format!("the client read nothing of the response for {limit:?}");
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ConnectionStream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll_with_limit(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_with_limit(cx, |stream, cx| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_with_limit(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.linger.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            if this.ended || !this.state.state().unread {
                return Poll::Ready(Ok(()));
            }
        }
        let (linger, discarded) =
            this.linger.get_or_insert_with(|| (Box::pin(tokio::time::sleep(LINGER)), vec![0; DISCARD_BUFFER]));
        while linger.as_mut().poll(cx).is_pending() {
            let mut space = ReadBuf::new(discarded);
            // An error here is the client's way to hang up.
            if ready!(Pin::new(&mut this.stream).poll_read(cx, &mut space)).is_err() || space.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
