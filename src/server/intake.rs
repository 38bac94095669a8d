//! What lies between a socket and hyper: nothing is handed on but whole heads that were judged, and their bodies.
//!
//! In place of a head that is refused hyper gets one of our own, and the service answers it with the refusal. So that
//! answer takes the same way as every other: in its turn behind requests that came before, with id and log line,
//! without a body for `HEAD`; and the connection closes after it.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

use super::{
    Limits,
    chunked::Chunked,
    head::{self, BodyLength},
};
use crate::http::{ErrorStatus, Failure};

/// Bytes that a connection buffers at first; as many as a head may have when they come faster.
const BUFFER: usize = 8 << 10;
/// How long a connection is still read after its last answer, so that what the client is sending does not make the
/// kernel reset the connection and take the answer with it.
const LINGER: Duration = Duration::from_secs(5);

/// Bytes that are thrown away at once meanwhile.
const LINGER_BUFFER: usize = 64 << 10;

/// What the two sides of hyper know of one connection.
#[derive(Debug)]
pub(super) struct Turn(Mutex<TurnState>);

#[derive(Debug)]
struct TurnState {
    answering: bool,
    /// The client does not take what is to be written.
    stalled: bool,
    any_answer: bool,
    /// Nothing more is awaited than what has come.
    ending: bool,
    /// When the last answer ended, or the connection began.
    idle_since: Instant,
    refusal: Option<Failure>,
}

impl TurnState {
    fn is_quiet(&self) -> bool {
        !self.answering && !self.stalled
    }
}

impl Turn {
    pub fn new() -> Self {
        Self(Mutex::new(TurnState {
            answering: false,
            stalled: false,
            any_answer: false,
            ending: false,
            idle_since: Instant::now(),
            refusal: None,
        }))
    }

    /// Begins an answer; it lasts until what this returns is dropped.
    pub fn begin(self: &Arc<Self>) -> Answering {
        let mut state = self.state();
        state.answering = true;
        state.any_answer = true;
        drop(state);
        Answering(self.clone())
    }

    /// Whether no request has come yet.
    pub fn is_unused(&self) -> bool {
        !self.state().any_answer
    }

    /// Has the read side end the connection as soon as it finds nothing more to read. False, and nothing happens, while
    /// an answer is under way: an end of what comes would cut it off.
    pub fn end_when_silent(&self) -> bool {
        let mut state = self.state();
        state.ending = state.is_quiet();
        state.ending
    }

    /// The refusal that the request in hand stands for.
    pub fn refusal(&self) -> Option<Failure> {
        self.state().refusal.take()
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        // Nothing that holds it can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer under way.
#[derive(Debug)]
pub(super) struct Answering(Arc<Turn>);

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.answering = false;
        state.idle_since = Instant::now();
    }
}

/// The read side of a connection, judged; the write side is the stream's own, but for a limit on how long it stalls.
pub(super) struct Intake<S> {
    stream: S,
    limits: Limits,
    turn: Arc<Turn>,
    /// Bytes `start..end` have come; the first `released` of them may go to hyper.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    released: usize,
    /// How many of the bytes of an unfinished head were looked at.
    judged: usize,
    place: Place,
    any_request: bool,
    ended: bool,
    wait: Option<Wait>,
    alarm: Pin<Box<Sleep>>,
    /// Set while the client takes nothing of what is to be written.
    stall: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug)]
enum Place {
    Head,
    Sized(u64),
    Chunked(Chunked),
    /// A head was refused: nothing more is read.
    Refused,
    /// The chunks make no sense: nothing more is read.
    Broken,
    /// The write side is shut down: what comes is thrown away.
    Lingering,
}

/// What the alarm is set for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    FirstByte,
    WholeHead,
}

impl<S: AsyncRead + Unpin> Intake<S> {
    pub fn new(stream: S, limits: Limits, turn: Arc<Turn>) -> Self {
        Self {
            stream,
            limits,
            turn,
            buffer: vec![0; BUFFER.min(limits.head_bytes)],
            start: 0,
            end: 0,
            released: 0,
            judged: 0,
            place: Place::Head,
            any_request: false,
            ended: false,
            wait: None,
            alarm: Box::pin(tokio::time::sleep(limits.header_read)),
            stall: None,
        }
    }

    /// Looks at what has come and releases what may go on.
    fn examine(&mut self) {
        let received = &self.buffer[self.start..self.end];
        match &mut self.place {
            Place::Head => self.examine_head(),
            Place::Sized(left) => {
                self.released = usize::try_from(*left).unwrap_or(usize::MAX).min(received.len());
                *left -= self.released as u64;
                if *left == 0 {
                    self.place = Place::Head;
                }
            }
            Place::Chunked(reader) => match reader.advance(received) {
                Ok((used, ended)) => {
                    self.released = used;
                    if ended {
                        self.place = Place::Head;
                    }
                }
                Err(_) => self.place = Place::Broken,
            },
            Place::Refused | Place::Broken | Place::Lingering => {}
        }
    }

    fn examine_head(&mut self) {
        // Empty lines before a request are allowed (RFC 9112 section 2.2).
        while self.judged == 0 && self.start < self.end && matches!(self.buffer[self.start], b'\r' | b'\n') {
            self.start += 1;
        }
        let received = &self.buffer[self.start..self.end];
        // Byte by byte, a head would be parsed as often as it has bytes: only a line end can complete it.
        let new = &received[self.judged..];
        let is_worth_it = self.judged == 0 || received.len() >= self.limits.head_bytes || new.contains(&b'\n');
        self.judged = received.len();
        if received.is_empty() || !is_worth_it {
            return;
        }
        match head::judge(received, &self.limits) {
            Ok(None) => {}
            Ok(Some(head)) => {
                self.released = head.length;
                self.judged = 0;
                self.any_request = true;
                self.wait = None;
                self.place = match head.body {
                    BodyLength::Sized(0) => Place::Head,
                    BodyLength::Sized(length) => Place::Sized(length),
                    BodyLength::Chunked => Place::Chunked(Chunked::default()),
                };
            }
            Err(failure) => self.refuse(failure),
        }
    }

    /// Puts a request of our own in place of the one that is refused.
    fn refuse(&mut self, failure: Failure) {
        let method = if self.buffer[self.start..self.end].starts_with(b"HEAD ") { "HEAD" } else { "GET" };
        self.buffer = format!("{method} / HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n").into_bytes();
        (self.start, self.end, self.released) = (0, self.buffer.len(), self.buffer.len());
        self.place = Place::Refused;
        self.wait = None;
        self.turn.state().refusal = Some(failure);
    }

    /// Reads more; true when there is something new to look at, the end included.
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.end * 2 > self.buffer.len() {
                self.buffer
                    .resize((self.buffer.len() * 2).clamp(self.end + 1, self.limits.head_bytes.max(self.end + 1)), 0);
            }
        }
        let mut space = ReadBuf::new(&mut self.buffer[self.end..]);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut space))?;
        let read = space.filled().len();
        self.end += read;
        self.ended = read == 0;
        Poll::Ready(Ok(()))
    }

    /// Whether the connection is to end now that nothing more has come.
    fn is_over(&self) -> bool {
        if !matches!(self.place, Place::Head) || self.start < self.end {
            return false;
        }
        let state = self.turn.state();
        state.ending && state.is_quiet()
    }

    /// Whether a wait for a head has lasted too long; sets the alarm when the wait begins.
    fn poll_alarm(&mut self, cx: &mut Context<'_>) -> Poll<Wait> {
        if !matches!(self.place, Place::Head) {
            self.wait = None;
            return Poll::Pending;
        }
        let wait = if self.start < self.end { Wait::WholeHead } else { Wait::FirstByte };
        let is_between = wait == Wait::FirstByte && self.any_request;
        let limit = if is_between { self.limits.idle } else { self.limits.header_read };
        if self.wait != Some(wait) {
            self.alarm.as_mut().reset(Instant::now() + limit);
            self.wait = Some(wait);
        }
        loop {
            ready!(self.alarm.as_mut().poll(cx));
            if wait == Wait::WholeHead {
                return Poll::Ready(wait);
            }
            // A client that awaits an answer may be silent, and hyper does not ask again when the answer ends: so the
            // alarm finds out that it is early.
            let state = self.turn.state();
            let since = if state.answering { Instant::now() } else { state.idle_since };
            if since + limit <= Instant::now() {
                return Poll::Ready(wait);
            }
            self.alarm.as_mut().reset(since + limit);
        }
    }

    fn head_timeout(&self) -> Failure {
        let message = format!("the request's head did not come within {:?}", self.limits.header_read);
        Failure::new(ErrorStatus::REQUEST_TIMEOUT, message).with_code("head_timeout")
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Intake<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, target: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if this.released > 0 {
                let count = this.released.min(target.remaining());
                target.put_slice(&this.buffer[this.start..this.start + count]);
                this.start += count;
                this.released -= count;
                return Poll::Ready(Ok(()));
            }
            match this.place {
                // An end would make hyper drop the answer.
                Place::Refused => return Poll::Pending,
                Place::Broken => return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, "bad chunks"))),
                _ if this.ended => return Poll::Ready(Ok(())),
                _ => {}
            }
            this.examine();
            if this.released > 0 || matches!(this.place, Place::Broken) {
                continue;
            }
            match this.poll_receive(cx) {
                Poll::Ready(received) => received?,
                Poll::Pending if this.is_over() => this.ended = true,
                Poll::Pending => match ready!(this.poll_alarm(cx)) {
                    Wait::FirstByte => this.ended = true,
                    Wait::WholeHead => this.refuse(this.head_timeout()),
                },
            }
            if this.ended && matches!(this.place, Place::Head) && this.start < this.end {
                let message = "the connection ended within the head of a request";
                this.refuse(Failure::bad_request(message).with_code("malformed_request"));
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> Intake<S> {
    /// Writes with `write`; an error once nothing has been taken for too long. Otherwise a client that reads nothing
    /// would hold its connection, and the answer behind it, for ever.
    fn poll_unstalled<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.stream), cx) {
            if self.stall.take().is_some() {
                self.turn.state().stalled = false;
            }
            return Poll::Ready(written);
        }
        let limit = self.limits.write_stall;
        let turn = &self.turn;
        let stall = self.stall.get_or_insert_with(|| {
            turn.state().stalled = true;
            Box::pin(tokio::time::sleep(limit))
        });
        ready!(stall.as_mut().poll(cx));
        let message = format!("the client took nothing of its answer for {limit:?}");
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Intake<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll_unstalled(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_unstalled(cx, |stream, cx| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_unstalled(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !matches!(this.place, Place::Lingering) {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            let all_was_read = matches!(this.place, Place::Head) && this.start == this.end;
            if all_was_read || this.ended {
                return Poll::Ready(Ok(()));
            }
            this.place = Place::Lingering;
            this.buffer.resize(LINGER_BUFFER, 0);
            this.alarm.as_mut().reset(Instant::now() + LINGER);
        }
        while this.alarm.as_mut().poll(cx).is_pending() {
            (this.start, this.end, this.released) = (0, 0, 0);
            // An error now is the client's way to hang up.
            if ready!(this.poll_receive(cx)).is_err() || this.ended {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
