//! Accepts connections, bounds them in number and in time, and drains them on stop.

use std::{
    io,
    net::SocketAddr,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::Router;
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    task::JoinSet,
};

use super::{
    answer::Answers,
    intake::{Intake, Turn},
    middleware,
};
use crate::{
    metrics::Metrics,
    stop::{self, Stop},
};

/// Bounds on what one listener holds.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections open at once; further ones wait in the kernel's backlog.
    pub connections: usize,
    /// Time from the first byte of a request's head to its last; longer is 408. Also until the first byte of all.
    pub header_read: Duration,
    /// How long a connection may be silent between two requests.
    pub idle: Duration,
    /// How long a client may take nothing of an answer that is ready for it; longer ends the connection.
    pub write_stall: Duration,
    /// Bytes of a request's head, request line included; more is 431.
    pub head_bytes: usize,
    /// Headers of a request; more is 431.
    pub headers: usize,
    /// Bytes of a request's target, which is path and query; more is 414.
    pub target_bytes: usize,
    /// Time after a stop was asked for in which connections are still taken, so that who sends them can learn of it.
    pub drain_notice: Duration,
    /// Time that running requests have to finish after that.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            header_read: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            write_stall: Duration::from_secs(60),
            head_bytes: 64 << 10,
            headers: 100,
            target_bytes: 8 << 10,
            drain_notice: Duration::ZERO,
            drain: Duration::from_secs(30),
        }
    }
}

/// Longest time after the notice in which the kernel's queue of connections is emptied.
const LAST_CALL: Duration = Duration::from_millis(50);
/// How long a connection that has sent nothing yet is waited for when no more are taken: its first request may be on
/// its way.
const FIRST_REQUEST: Duration = Duration::from_secs(1);

/// Why a listener could not start.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}; is another server running there? choose another with --listen")]
pub struct ServeError {
    address: SocketAddr,
    source: io::Error,
}

/// Opens the listening socket. Port 0 takes a free one; read it back with `local_addr`.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| ServeError { address, source })
}

/// Serves `router` until `stop` turns true, and for the time of the notice after that; then lets running requests finish
/// within the drain time. From `stop` on each answer is the last of its connection.
///
/// Every answer is counted in `metrics`. It has an id, and an error body where it is a refusal: also those to requests
/// that never reach the router.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, metrics: Arc<Metrics>, mut stop: Stop) {
    let (end, ended) = watch::channel(false);
    let mut door = Door {
        listener,
        slots: Arc::new(Semaphore::new(limits.connections)),
        connections: JoinSet::new(),
        router: middleware::wrap(router, metrics),
        limits,
        stop: stop.clone(),
        ended,
    };
    loop {
        tokio::select! {
            () = door.admit() => {}
            () = stop::requested(&mut stop) => break,
        }
    }
    let noticed = Instant::now();
    while let Some(left) = limits.drain_notice.checked_sub(noticed.elapsed()).filter(|left| !left.is_zero()) {
        let _ = tokio::time::timeout(left, door.admit()).await;
    }
    // Who has connected before this moment is answered too; the kernel would reset what waits in its queue.
    let last_call = Instant::now();
    while last_call.elapsed() < LAST_CALL && tokio::time::timeout(LAST_CALL / 10, door.admit()).await.is_ok() {}
    let Door { listener, mut connections, .. } = door;
    drop(listener);
    end.send_replace(true);
    let finished = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.drain, finished).await.is_err() {
        tracing::warn!(seconds = limits.drain.as_secs(), "requests were still running when the drain time was over");
        connections.shutdown().await;
    }
}

/// Where connections come in.
struct Door {
    listener: TcpListener,
    slots: Arc<Semaphore>,
    connections: JoinSet<()>,
    router: Router,
    limits: Limits,
    stop: Stop,
    ended: Stop,
}

impl Door {
    /// Takes one connection, or waits a while when that fails. Nothing is lost when the call is given up.
    async fn admit(&mut self) {
        while self.connections.try_join_next().is_some() {}
        // The slot comes first: a full server stops accepting instead of piling up sockets.
        let slot = self.slots.clone().acquire_owned().await.expect("the semaphore is never closed");
        let stream = match self.listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, mostly: wait for some to come free rather than spin.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
                return;
            }
        };
        let connection = drive(stream, self.router.clone(), self.limits, self.stop.clone(), self.ended.clone());
        self.connections.spawn(async move {
            connection.await;
            drop(slot);
        });
    }
}

/// Serves one connection until it ends; once `ended` turns true, until what it has sent is answered.
async fn drive(stream: TcpStream, router: Router, limits: Limits, stop: Stop, mut ended: Stop) {
    // Streamed tokens are small writes; Nagle's algorithm would hold them back.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let turn = Arc::new(Turn::new());
    let intake = Intake::new(stream, limits, turn.clone());
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.max_headers(limits.headers);
    let answers = Answers { router, turn: turn.clone(), stop };
    let mut connection = pin!(builder.serve_connection(TokioIo::new(intake), answers));
    let ending = async {
        stop::requested(&mut ended).await;
        if turn.is_unused() {
            tokio::time::sleep(FIRST_REQUEST).await;
        }
    };
    let outcome = tokio::select! {
        outcome = connection.as_mut() => outcome,
        () = ending => {
            // hyper would drop a request that has come and is not read yet, so where there is no answer under way the
            // connection ends when the read side finds nothing more.
            if !turn.end_when_silent() {
                connection.as_mut().graceful_shutdown();
            }
            connection.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended with an error");
    }
}
