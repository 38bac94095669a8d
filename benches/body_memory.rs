//! Memory of decoding 20 MB of rollouts: what the parsed value holds, and what the way to it takes beside that.

#[path = "support/mod.rs"]
mod support;

use std::sync::atomic::{AtomicUsize, Ordering};

use peak_alloc::PeakAlloc;
use serde_json::Value;
use support::{JOBS, generated, in_frames, measuring, request, rollouts, send};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes in use when the handler has the value.
static IN_HANDLER: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let body = rollouts(if measuring() { 20 << 20 } else { 2 << 20 });
    let router = generated(|| IN_HANDLER.store(ALLOCATOR.current_usage(), Ordering::Relaxed));
    let request = request(JOBS, in_frames(&body), body.len());
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    runtime.block_on(send(router, request));
    let (value, peak) = (IN_HANDLER.load(Ordering::Relaxed) - before, ALLOCATOR.peak_usage() - before);
    println!("{:.1} MB of rollouts        value, MB   peak, MB   extra, MB", body.len() as f64 / 1e6);
    print("generated, whole path", value, peak);

    // The body lies in memory already, so it is counted as the other path counts what it receives.
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let received = body.to_vec();
    let parsed: Value = serde_json::from_slice(&received).expect("JSON");
    let peak = ALLOCATOR.peak_usage() - before;
    drop(received);
    let value = ALLOCATOR.current_usage() - before;
    drop(parsed);
    print("from_slice::<Value>", value, peak);
}

fn print(name: &str, value: usize, peak: usize) {
    let [value, peak] = [value, peak].map(|bytes| bytes as f64 / 1e6);
    println!("{name:28} {value:10.1} {peak:10.1} {:11.1}", peak - value);
}
