//! A network connection between two processes that can be cut and stalled: a TCP proxy on this machine.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Fault of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// They arrive.
    Open,
    /// They arrive once the link is open again.
    Stalled,
    /// Connections are reset, and no new ones are made.
    Cut,
}

/// A link; open at first.
pub(crate) struct Link {
    /// Address that the near side connects to.
    pub address: SocketAddr,
    state: watch::Sender<State>,
}

impl Link {
    /// A link to a server. It exists as long as the runtime.
    pub(crate) async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let (state, seen) = watch::channel(State::Open);
        tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok((near, _)) => drop(tokio::spawn(carry(near, target, seen.clone()))),
                    // Too many open files: some will be closed.
                    Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
                }
            }
        });
        Self { address, state }
    }

    pub(crate) fn set(&self, state: State) {
        self.state.send_replace(state);
    }
}

/// Carries the bytes of one connection until an end closes it or the link is cut.
async fn carry(near: TcpStream, target: SocketAddr, mut state: watch::Receiver<State>) {
    // A connection that is dropped is reset.
    let _ = near.set_zero_linger();
    if *state.borrow() == State::Cut {
        return;
    }
    let Ok(far) = TcpStream::connect(target).await else { return };
    let _ = far.set_zero_linger();
    let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
    let (there, back) = (copy(near_read, far_write, state.clone()), copy(far_read, near_write, state.clone()));
    tokio::select! {
        _ = async { tokio::try_join!(there, back) } => {}
        _ = state.wait_for(|state| *state == State::Cut) => {}
    }
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<State>,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let count = from.read(&mut buffer).await?;
        state.wait_for(|state| *state == State::Open).await.map_err(io::Error::other)?;
        if count == 0 {
            return to.shutdown().await;
        }
        to.write_all(&buffer[..count]).await?;
    }
}
