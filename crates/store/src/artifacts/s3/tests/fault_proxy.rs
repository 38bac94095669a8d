//! A TCP proxy that does to one request what networks and servers do to requests.
//!
//! It reads whole requests, forwards each over a connection of its own, and closes the client's after the response.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It takes its time.
    Latency,
    /// The connection is reset before the server sees the request.
    ResetBefore,
    /// The server does what it is asked, and the connection is reset before it can say so.
    ResetAfter,
    /// The server gets half of the body.
    CutRequest,
    /// The client gets half of the response.
    CutResponse,
    /// No response ever comes.
    Stall,
    /// The server rejects for lack of capacity.
    SlowDown,
    /// The server fails.
    Error,
    /// The server does what it is asked and says that it failed.
    ErrorAfter,
    /// A bit of the body changes on its way to the server.
    FlipRequest,
    /// A bit of the body changes on its way back.
    FlipResponse,
}

impl Fault {
    pub(super) const ALL: [Self; 11] = [
        Self::Latency,
        Self::ResetBefore,
        Self::ResetAfter,
        Self::CutRequest,
        Self::CutResponse,
        Self::Stall,
        Self::SlowDown,
        Self::Error,
        Self::ErrorAfter,
        Self::FlipRequest,
        Self::FlipResponse,
    ];
}

#[derive(Default)]
struct Plan {
    /// For the next requests, one each; behind the end nothing happens.
    faults: VecDeque<Option<Fault>>,
    /// For every request.
    always: Option<Fault>,
    requests: usize,
    /// How many faults had something to act on.
    done: usize,
}

/// The proxy; it listens as long as the runtime lives.
#[derive(Clone)]
pub(super) struct FaultProxy {
    plan: Arc<Mutex<Plan>>,
    pub(super) address: SocketAddr,
}

impl FaultProxy {
    pub(super) async fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Self { plan: Arc::default(), address: listener.local_addr().unwrap() };
        let plan = proxy.plan.clone();
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let plan = plan.clone();
                // A client that goes away is no fault of the proxy.
                tokio::spawn(async move { pass(client, server, &plan).await.ok() });
            }
        });
        proxy
    }

    /// From now on: `fault` for request `index` from 0, nothing for the others.
    pub(super) fn fault_at(&self, index: usize, fault: Fault) {
        let mut faults = VecDeque::from(vec![None; index]);
        faults.push_back(Some(fault));
        *self.plan.lock().unwrap() = Plan { faults, ..Plan::default() };
    }

    /// From now on this for every request.
    pub(super) fn always(&self, fault: Option<Fault>) {
        *self.plan.lock().unwrap() = Plan { always: fault, ..Plan::default() };
    }

    /// How many requests there were since the last plan.
    pub(super) fn requests(&self) -> usize {
        self.plan.lock().unwrap().requests
    }

    /// How many faults happened since the last plan.
    pub(super) fn faults(&self) -> usize {
        self.plan.lock().unwrap().done
    }
}

const FAILURE: &[u8] = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const BUSY: &[u8] = b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

async fn pass(mut client: TcpStream, server: SocketAddr, plan: &Mutex<Plan>) -> std::io::Result<()> {
    let Some((mut request, body)) = read_request(&mut client).await? else { return Ok(()) };
    let fault = {
        let mut plan = plan.lock().unwrap();
        plan.requests += 1;
        let fault = plan.faults.pop_front().flatten().or(plan.always);
        // A body that is not there can be neither cut nor changed.
        let fault =
            fault.filter(|fault| body < request.len() || !matches!(fault, Fault::CutRequest | Fault::FlipRequest));
        plan.done += usize::from(fault.is_some_and(|fault| !matches!(fault, Fault::CutResponse | Fault::FlipResponse)));
        fault
    };
    match fault {
        Some(Fault::Latency) => tokio::time::sleep(Duration::from_millis(100)).await,
        Some(Fault::ResetBefore) => return reset(client),
        Some(Fault::Stall) => std::future::pending().await,
        Some(Fault::SlowDown) => return client.write_all(BUSY).await,
        Some(Fault::Error) => return client.write_all(FAILURE).await,
        Some(Fault::FlipRequest) => {
            let middle = body.midpoint(request.len());
            request[middle] ^= 1;
        }
        _ => {}
    }
    let mut upstream = TcpStream::connect(server).await?;
    if fault == Some(Fault::CutRequest) {
        upstream.write_all(&request[..body.midpoint(request.len())]).await?;
        drop(upstream);
        return reset(client);
    }
    upstream.write_all(&request).await?;
    let mut response = Vec::new();
    upstream.read_to_end(&mut response).await?;
    let body = head_length(&response).unwrap_or(response.len());
    let has_body = body < response.len();
    match fault {
        Some(Fault::ResetAfter) => return reset(client),
        Some(Fault::ErrorAfter) => response = FAILURE.to_vec(),
        Some(Fault::CutResponse) if has_body => {
            plan.lock().unwrap().done += 1;
            client.write_all(&response[..body.midpoint(response.len())]).await?;
            return client.shutdown().await;
        }
        Some(Fault::FlipResponse) if has_body => {
            plan.lock().unwrap().done += 1;
            let middle = body.midpoint(response.len());
            response[middle] ^= 1;
        }
        _ => {}
    }
    client.write_all(&response).await?;
    client.shutdown().await
}

/// Ends a connection so that the other side notices.
fn reset(client: TcpStream) -> std::io::Result<()> {
    client.set_zero_linger()?;
    drop(client);
    Ok(())
}

/// A whole request, told to end its connection, and where its body begins.
async fn read_request(client: &mut TcpStream) -> std::io::Result<Option<(Vec<u8>, usize)>> {
    let mut request = Vec::new();
    let head = loop {
        if let Some(head) = head_length(&request) {
            break head;
        }
        if client.read_buf(&mut request).await? == 0 {
            return Ok(None);
        }
    };
    let text = String::from_utf8_lossy(&request[..head]).to_lowercase();
    assert!(!text.contains("transfer-encoding"), "the proxy knows bodies of known length only");
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    while request.len() < head + length {
        if client.read_buf(&mut request).await? == 0 {
            return Ok(None);
        }
    }
    let close = b"Connection: close\r\n";
    let end_of_head = head - 2;
    request.splice(end_of_head..end_of_head, close.iter().copied());
    Ok(Some((request, head + close.len())))
}

fn head_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|start| start + 4)
}
