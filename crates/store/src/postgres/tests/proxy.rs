//! A TCP proxy that cuts connections to PostgreSQL at the moment of a commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The message that asks for a commit, as the driver sends it: type, length, text.
const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

/// Fault of the next commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Nothing.
    Nowhere = 0,
    /// The connection ends before the server hears of it.
    BeforeCommit = 1,
    /// The connection ends after the server has committed, before it says so.
    AfterCommit = 2,
    /// As before, but the server is left at work on it while the client comes back.
    WhileCommitting = 3,
}

/// A proxy on a port of its own.
pub(super) struct Proxy {
    pub(super) port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    cut: AtomicU8,
    cuts: AtomicU32,
    let_commit: Notify,
}

impl Proxy {
    pub(super) async fn start(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        tokio::spawn({
            let state = state.clone();
            async move {
                while let Ok((client, _)) = listener.accept().await {
                    let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else { continue };
                    client.set_nodelay(true).unwrap();
                    server.set_nodelay(true).unwrap();
                    tokio::spawn(carry(client, server, state.clone()));
                }
            }
        });
        Self { port, state }
    }

    /// Has the next commit of any connection cut.
    pub(super) fn cut_next(&self, cut: Cut) {
        self.state.cut.store(cut as u8, Ordering::SeqCst);
    }

    /// How many were cut.
    pub(super) fn cuts(&self) -> u32 {
        self.state.cuts.load(Ordering::SeqCst)
    }

    /// Lets a commit that was cut [`Cut::WhileCommitting`] reach the server.
    pub(super) fn let_commit(&self) {
        self.state.let_commit.notify_one();
    }
}

/// Carries bytes both ways until one side ends or a cut is due.
async fn carry(client: TcpStream, server: TcpStream, state: Arc<State>) {
    let (from_client, to_client) = client.into_split();
    let (mut from_server, to_server) = server.into_split();
    let responses = tokio::spawn(async move {
        let mut to_client = to_client;
        let _ = tokio::io::copy(&mut from_server, &mut to_client).await;
        from_server
    });
    requests(from_client, to_server, &state, responses).await;
}

async fn requests(
    mut from_client: OwnedReadHalf,
    mut to_server: OwnedWriteHalf,
    state: &State,
    responses: tokio::task::JoinHandle<OwnedReadHalf>,
) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let Ok(length @ 1..) = from_client.read(&mut buffer).await else {
            responses.abort();
            return;
        };
        let bytes = &buffer[..length];
        let is_commit = bytes.windows(COMMIT.len()).any(|window| window == COMMIT);
        let cut = if is_commit { state.cut.swap(Cut::Nowhere as u8, Ordering::SeqCst) } else { 0 };
        if cut == 0 {
            if to_server.write_all(bytes).await.is_err() {
                return;
            }
            continue;
        }
        state.cuts.fetch_add(1, Ordering::SeqCst);
        // The client hears nothing more on this connection.
        responses.abort();
        drop(from_client);
        if cut == Cut::WhileCommitting as u8 {
            state.let_commit.notified().await;
        }
        if cut != Cut::BeforeCommit as u8 {
            let _ = to_server.write_all(bytes).await;
            // Its end would roll back what the server has not read yet.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        return;
    }
}
