//! Clients that go away, at any moment.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::{Numbers, ask, checkpoints, comes_to_rest, gauges, seeded};
use crate::support::{SEEDLING, TestService};

const CLIENTS: usize = 1000;
/// Clients at a time: more than may run, so that some go away while they wait.
const AT_ONCE: usize = 100;
/// A cache smaller than the model's context, which is then as long as the cache: one lost page shows in a request that needs
/// all of them, and those who stay are suspended for want of room.
const CACHE_BYTES: usize = 4 << 20;

/// When a client goes away.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// With half of its request sent.
    InTheRequest,
    /// As soon as the request is sent.
    AtOnce,
    /// After this many milliseconds, whatever has come.
    After(usize),
    /// Once this many events have come.
    AfterEvents(usize),
    /// With the last byte of the answer, before the connection is idle again.
    AtTheEnd,
}

struct Client {
    address: String,
    head: String,
    body: String,
    moment: Moment,
}

impl Client {
    /// Goes through with it; whatever the server does to the connection is its right.
    async fn run(self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(&self.address).await?;
        stream.write_all(self.head.as_bytes()).await?;
        let (first, second) = self.body.split_at(self.body.len() / 2);
        stream.write_all(first.as_bytes()).await?;
        if matches!(self.moment, Moment::InTheRequest) {
            return Ok(());
        }
        stream.write_all(second.as_bytes()).await?;
        let mut received = Vec::new();
        match self.moment {
            Moment::InTheRequest | Moment::AtOnce => {}
            Moment::After(milliseconds) => {
                let reading = async { while matches!(stream.read_buf(&mut received).await, Ok(1..)) {} };
                let _ = tokio::time::timeout(Duration::from_millis(milliseconds as u64), reading).await;
            }
            Moment::AfterEvents(events) => {
                while received.windows(2).filter(|window| window == b"\n\n").count() < events
                    && stream.read_buf(&mut received).await? > 0
                {}
            }
            Moment::AtTheEnd => {
                let whole = |received: &[u8]| received.ends_with(b"\r\n0\r\n\r\n") || received.ends_with(b"}}");
                while !whole(&received) && stream.read_buf(&mut received).await? > 0 {}
            }
        }
        Ok(())
    }
}

fn client(service: &TestService, models: &[String], number: usize, random: &mut Numbers) -> Client {
    let mut body = seeded(&models[random.below(models.len())], &format!("say {number}"), number, 12);
    if random.below(3) == 0 {
        body["n"] = json!(4);
    }
    if random.below(2) == 0 {
        body["stream"] = json!(true);
    }
    let moment = match random.below(10) {
        0 => Moment::InTheRequest,
        1 | 2 => Moment::AtOnce,
        3..=5 => Moment::After(random.below(200)),
        6..=8 => Moment::AfterEvents(1 + random.below(10)),
        _ => Moment::AtTheEnd,
    };
    let body = body.to_string();
    let address = service.root.strip_prefix("http://").expect("a root").to_owned();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        service.key,
        body.len(),
    );
    Client { address, head, body, moment }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_clients_that_go_away_leave_nothing_behind() {
    let service = TestService::start_with(|settings| settings.cache_bytes = CACHE_BYTES).await;
    let mut models = checkpoints(&service, "left", 3).await;
    models.push(SEEDLING.to_owned());
    let control = seeded(&models[0], "who is there", 11, 8);
    let expected = ask(&service, &control, false).await;
    comes_to_rest(&service).await;

    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut random = Numbers(0x9e37_79b9);
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let place = places.clone().acquire_owned().await.expect("never closed");
        let client = client(&service, &models, number, &mut random);
        clients.push(tokio::spawn(async move {
            // A connection that the server has reset is one way to go away.
            let _ = client.run().await;
            drop(place);
        }));
    }
    for client in clients {
        client.await.expect("no panic");
    }
    comes_to_rest(&service).await;

    let gauges = gauges(&service).await;
    let cancelled = gauges["trainyard_chats_cancelled_total"];
    let answered = |class: &str| {
        let name = format!("trainyard_requests_total{{operation=\"create_chat_completion\",status=\"{class}\"}}");
        gauges.get(&name).copied().unwrap_or_default()
    };
    println!("{cancelled} answers were broken off, {} begun, {} refused", answered("2xx"), answered("4xx"));
    assert!(cancelled > 100.0, "hardly anybody went away in the middle: {gauges:?}");
    assert_eq!(answered("5xx"), 0.0);
    assert_eq!(ask(&service, &control, true).await, expected, "the rest of the service is as it was");

    // The whole cache can be had by one request: no page is lost.
    let long: Value = seeded(SEEDLING, &"word ".repeat(300), 1, 1_000_000);
    let whole = service.post("/v1/chat/completions", &long).await.ok();
    let capacity = super::of_seedling(&service, "trainyard_cache_pages_capacity").await;
    let used = whole["usage"]["total_tokens"].as_f64().expect("a count");
    assert!(used > (capacity - 1.0) * 64.0, "{used} tokens in {capacity} pages");
    comes_to_rest(&service).await;
    service.stop().await;
}
