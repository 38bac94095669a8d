//! Accepts connections, bounds them in number and in time, and drains them on stop.

use std::{
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::Router;
use hyper_util::{
    rt::TokioIo,
    server::graceful::{GracefulShutdown, Watcher},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
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
    /// Time that running requests have to finish once a stop was asked for.
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
            drain: Duration::from_secs(30),
        }
    }
}

/// Longest time after a stop was asked for in which connections are still taken.
const LAST_CALL: Duration = Duration::from_millis(50);

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

/// Serves `router` until `stop` turns true, then lets running requests finish within the drain time.
///
/// Every answer is counted in `metrics`. It has an id, and an error body where it is a refusal: also those to requests that never reach the router.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, metrics: Arc<Metrics>, mut stop: Stop) {
    let router = middleware::wrap(router, metrics);
    let slots = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        // The slot comes first: a full server stops accepting instead of piling up sockets.
        let slot = tokio::select! {
            slot = slots.clone().acquire_owned() => slot.expect("the semaphore is never closed"),
            () = stop::requested(&mut stop) => break,
        };
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of file descriptors, mostly: wait for some to come free rather than spin.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = stop::requested(&mut stop) => break,
        };
        let connection = drive(stream, router.clone(), limits, graceful.watcher());
        connections.spawn(async move {
            connection.await;
            drop(slot);
        });
    }
    // Who has connected before this moment is answered too; the kernel would reset what waits in its queue.
    let last_call = Instant::now();
    while last_call.elapsed() < LAST_CALL
        && let Ok(slot) = slots.clone().try_acquire_owned()
        && let Ok(Ok((stream, _))) = tokio::time::timeout(LAST_CALL / 10, listener.accept()).await
    {
        let connection = drive(stream, router.clone(), limits, graceful.watcher());
        connections.spawn(async move {
            connection.await;
            drop(slot);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!(seconds = limits.drain.as_secs(), "requests were still running when the drain time was over");
        connections.shutdown().await;
    }
}

async fn drive(stream: TcpStream, router: Router, limits: Limits, watcher: Watcher) {
    // Streamed tokens are small writes; Nagle's algorithm would hold them back.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let turn = Arc::new(Turn::new());
    let intake = Intake::new(stream, limits, turn.clone());
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.max_headers(limits.headers);
    let connection = builder.serve_connection(TokioIo::new(intake), Answers { router, turn });
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended with an error");
    }
}
