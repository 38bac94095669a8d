//! Allocations of one small request, from the request to the answer: the generated router against bare axum.

#[path = "support/mod.rs"]
mod support;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use support::{bare, generated, request, send, small_requests};

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let measure = |router: &Router, path: &str, body: &Bytes| {
        // Each router is cloned and asked once before: what is built on first use is not the request's.
        runtime.block_on(send(router.clone(), request(path, Body::from(body.clone()), body.len())));
        let (router, request) = (router.clone(), request(path, Body::from(body.clone()), body.len()));
        allocation_counter::measure(|| drop(runtime.block_on(send(router, request))))
    };
    println!("allocations (bytes, peak)         generated              bare axum");
    for (name, path, body) in small_requests() {
        let [ours, bare] = [generated(|| {}), bare()].map(|router| measure(&router, path, &body));
        let text = |info: allocation_counter::AllocationInfo| {
            format!("{:4} ({:6}, {:6})", info.count_total, info.bytes_total, info.bytes_max)
        };
        println!("{name:28} {:>22} {:>22}", text(ours), text(bare));
    }
}
