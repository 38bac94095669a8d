//! Accepts connections, enforces limits on their number and times, and drains them on stop.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

use super::connection::{ConnectionState, ConnectionStream};
use super::connection_service::ConnectionService;
use super::middleware;
use super::open_connections::{OpenConnections, Peer};
use super::routes::Routes;
use crate::metrics::Metrics;
use crate::stop::{self, Stop};

/// Limits of a listener.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of open connections. A further one takes the slot of one that waits for a request, or waits in the
    /// kernel's backlog.
    pub connections: usize,
    /// Time limit for a complete request head, from the begin of the connection or the end of the response before. Then
    /// the connection is closed, so this is also the limit of an idle connection.
    pub header_read: Duration,
    /// Time limit for a client to read some of a response. Then the connection is closed.
    pub write_stall: Duration,
    /// Maximum size of a request's head in bytes, including the request line; a larger head gets 431.
    pub head_bytes: usize,
    /// Maximum number of headers of a request; more get 431.
    pub headers: usize,
    /// Bytes of a request's path and query; more is 414.
    pub target_bytes: usize,
    /// Time after a stop request during which connections are still accepted, so that load balancers can notice the stop.
    pub drain_notice: Duration,
    /// Time limit for running requests to finish after that.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            header_read: Duration::from_secs(30),
            write_stall: Duration::from_secs(60),
            head_bytes: 64 << 10,
            headers: 100,
            target_bytes: 8 << 10,
            drain_notice: Duration::ZERO,
            drain: Duration::from_secs(30),
        }
    }
}

/// Connections that wait in the kernel's queue; it takes fewer if its own limit (`net.core.somaxconn`) is lower. With a full
/// queue, Linux ignores a request for a connection, and the client's system tries again.
const BACKLOG: u32 = 4096;
/// Time limit on accepting the connections in the kernel's queue after the notice.
const LAST_CALL: Duration = Duration::from_millis(50);
/// Interval at which a full listener looks for connections that yield their slot.
const LOOK: Duration = Duration::from_millis(50);
/// Wait for the first request of a connection that has sent nothing yet when the listener closes, because the request
/// may be on its way.
const FIRST_REQUEST: Duration = Duration::from_secs(1);

/// Error of a listener that could not start.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}; is another server running there? choose another with --listen")]
pub struct ServeError {
    address: SocketAddr,
    source: io::Error,
}

/// Opens the listening socket, in a Tokio runtime. Port 0 selects a free port, which `local_addr` returns.
pub fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // A server that restarts need not wait for the last packets of its predecessor's connections.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        // `TcpListener::bind` asks for 128.
        socket.listen(BACKLOG)
    };
    listen().map_err(|source| ServeError { address, source })
}

/// Serves `routes` until `stop` turns true and for `drain_notice` after that. Then waits up to `drain` for running
/// requests. After `stop`, each response closes its connection.
///
/// Every response is counted in `metrics` and has a request id; every error response has an error body. This includes
/// the responses to requests that never reach the router.
pub async fn serve(
    listener: TcpListener,
    routes: impl Into<Routes>,
    limits: Limits,
    metrics: Arc<Metrics>,
    mut stop: Stop,
) {
    let (end, ended) = watch::channel(false);
    let mut acceptor = Acceptor {
        listener,
        accepted: None,
        open: OpenConnections::new(limits.connections),
        connections: JoinSet::new(),
        router: middleware::wrap(routes.into(), metrics, limits.target_bytes),
        limits,
        stop: stop.clone(),
        ended,
    };
    loop {
        tokio::select! {
            () = acceptor.admit() => {}
            () = stop::requested(&mut stop) => break,
        }
    }
    let noticed = Instant::now();
    while let Some(left) = limits.drain_notice.checked_sub(noticed.elapsed()).filter(|left| !left.is_zero()) {
        let _ = tokio::time::timeout(left, acceptor.admit()).await;
    }
    // Also accepts connections in the kernel's queue, which the kernel would reset when the socket closes.
    let last_call = Instant::now();
    while last_call.elapsed() < LAST_CALL && tokio::time::timeout(LAST_CALL / 10, acceptor.admit()).await.is_ok() {}
    let Acceptor { listener, mut connections, .. } = acceptor;
    drop(listener);
    end.send_replace(true);
    let finished = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.drain, finished).await.is_err() {
        tracing::warn!(seconds = limits.drain.as_secs(), "requests were still running when the drain time was over");
        connections.shutdown().await;
    }
}

/// Accepts connections and spawns a task for each.
struct Acceptor {
    listener: TcpListener,
    /// A connection without a slot.
    accepted: Option<(TcpStream, Peer)>,
    open: OpenConnections,
    connections: JoinSet<()>,
    router: Router,
    limits: Limits,
    stop: Stop,
    ended: Stop,
}

impl Acceptor {
    /// Accepts one connection, or waits for a moment if that fails. Cancel-safe: no connection is lost.
    async fn admit(&mut self) {
        if self.accepted.is_none() {
            match self.listener.accept().await {
                Ok((stream, address)) => self.accepted = Some((stream, address.into())),
                Err(error) => {
                    // Usually out of file descriptors: wait until some are closed instead of spinning.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    return;
                }
            }
        }
        self.make_room().await;
        let Some((stream, peer)) = self.accepted.take() else { return };
        let state = Arc::new(ConnectionState::new());
        let (stop, ended) = (self.stop.clone(), self.ended.clone());
        let connection = drive(stream, state.clone(), self.router.clone(), self.limits, stop, ended);
        let task = self.connections.spawn(connection);
        self.open.add(task.id(), state, peer);
    }

    /// Waits until there is a slot for the accepted connection. Closes it if its address has its share of the slots, and
    /// none of them yields.
    async fn make_room(&mut self) {
        loop {
            while let Some(ended) = self.connections.try_join_next_with_id() {
                self.open.remove(task_of(&ended));
            }
            let Some((_, peer)) = &self.accepted else { return };
            let own = self.open.has_share(*peer).then_some(*peer);
            if own.is_none() && !self.open.is_full() {
                return;
            }
            // A full server stops accepting instead of accumulating sockets.
            let yields = self.open.make_room(own, Instant::now());
            if own.is_some() && !yields {
                tracing::debug!(?peer, "a connection is closed: its address has its share of them");
                self.accepted = None;
                return;
            }
            tokio::select! {
                Some(ended) = self.connections.join_next_with_id() => self.open.remove(task_of(&ended)),
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }
}

/// Returns the task that has ended.
fn task_of(ended: &Result<(Id, ()), JoinError>) -> Id {
    match ended {
        Ok((task, ())) => *task,
        Err(error) => error.id(),
    }
}

/// Serves one connection until it ends. Once `ended` turns true, serves only the requests already sent.
async fn drive(
    stream: TcpStream,
    state: Arc<ConnectionState>,
    router: Router,
    limits: Limits,
    stop: Stop,
    mut ended: Stop,
) {
    // Streamed tokens are small writes, which Nagle's algorithm would delay.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let stream = ConnectionStream::new(stream, limits.write_stall, state.clone());
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_read)
        .max_headers(limits.headers)
        .max_header_size(limits.head_bytes);
    let service = ConnectionService { router, connection: state.clone(), stop };
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut ending = pin!(async {
        stop::requested(&mut ended).await;
        if state.is_unused() {
            tokio::time::sleep(FIRST_REQUEST).await;
        }
    });
    let outcome = loop {
        tokio::select! {
            outcome = connection.as_mut() => break outcome,
            () = &mut ending => {
                // hyper would drop a request that has arrived and is not read yet. So an idle connection ends when its
                // socket has nothing more to read.
                if !state.end_when_idle() {
                    connection.as_mut().graceful_shutdown();
                }
                break connection.await;
            }
            // The next poll of the connection ends it.
            () = state.evicted() => {}
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended with an error");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn hundreds_of_clients_may_connect_at_once() {
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
        let address = listener.local_addr().expect("an address");
        // Nobody accepts meanwhile, as while every thread of the server computes.
        let connect = |_| std::net::TcpStream::connect_timeout(&address, Duration::from_millis(500));
        let waiting: Vec<_> = (0..500).map(connect).collect::<Result<_, _>>().expect("room in the queue");
        assert_eq!(waiting.len(), 500);
    }
}
