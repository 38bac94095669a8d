//! How fast a request becomes a typed, validated value: against bare axum with `Json<Value>` for small requests, against
//! `serde_json::from_slice::<Value>` for 20 MB of rollouts. Contenders take turns in one run; figures are medians.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use serde_json::Value;
use support::{JOBS, bare, generated, in_frames, measuring, median, request, rollouts, send, small_requests};
use tokio::runtime::Runtime;

fn main() {
    let (rounds, turn, large, repeats) =
        if measuring() { (30, Duration::from_millis(100), 20 << 20, 9) } else { (1, Duration::ZERO, 2 << 20, 1) };
    // One thread for the connections, as one core of the service has it, and one more for large bodies.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    println!("requests/s, in process        generated   bare axum   ratio");
    for (name, path, body) in small_requests() {
        let routers = [generated(|| {}), bare()];
        let mut speeds = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (router, speeds) in routers.iter().zip(&mut speeds) {
                speeds.push(requests_per_second(&runtime, router, path, &body, turn));
            }
        }
        let [generated, bare] = speeds.map(median);
        println!("{name:28} {generated:10.0}  {bare:10.0}  {:6.2}", generated / bare);
    }
    let body = rollouts(large);
    let router = generated(|| {});
    let megabytes = body.len() as f64 / 1e6;
    let (mut ours, mut value) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        ours.push(megabytes / seconds(|| runtime.block_on(post_job(&router, &body))));
        value.push(megabytes / seconds(|| drop(black_box(serde_json::from_slice::<Value>(&body)).expect("JSON"))));
    }
    let (ours, value) = (median(ours), median(value));
    println!("\n{megabytes:.1} MB of rollouts, MB/s        generated  from_slice   ratio");
    println!("create_training_job          {ours:10.0}  {value:10.0}  {:6.2}", ours / value);
}

fn requests_per_second(runtime: &Runtime, router: &Router, path: &str, body: &Bytes, turn: Duration) -> f64 {
    runtime.block_on(async {
        let (start, mut count) = (Instant::now(), 0u32);
        loop {
            for _ in 0..100 {
                black_box(send(router.clone(), request(path, Body::from(body.clone()), body.len())).await);
            }
            count += 100;
            if start.elapsed() >= turn {
                return f64::from(count) / start.elapsed().as_secs_f64();
            }
        }
    })
}

async fn post_job(router: &Router, body: &Bytes) {
    black_box(send(router.clone(), request(JOBS, in_frames(body), body.len())).await);
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
