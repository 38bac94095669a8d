//! Nothing is lost: the real program is killed, frozen, and rejected its disk at every point that matters, and what is
//! stored afterwards is compared with what an undisturbed run leaves.
//!
//! The environment variable `TRAINYARD_FAULTS` multiplies the rounds: 1, unless it is set, is what every run of the tests
//! does; a great number tries every point that there is. `TRAINYARD_SEED` repeats the random choices of a run.
//! Needs strace, libfaketime, PostgreSQL, and a kernel that lets users mount a tmpfs in a namespace of their own.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod batches;
mod clients;
mod clocks;
mod disk;
mod errors;
mod frozen;
mod hangs;
mod history;
mod job;
mod kills;
#[path = "../support/link.rs"]
mod link;
mod migrations;
#[path = "../support/old_database.rs"]
mod old_database;
#[path = "../support/postgres.rs"]
#[allow(dead_code, reason = "other tests restart it")]
mod postgres;
mod power;
mod requests;
mod responses;
#[path = "../support/s3.rs"]
mod s3;
mod scaled;
mod server;
mod sessions;
mod streams;
mod takeover;
#[path = "../support/threads.rs"]
mod threads;
#[path = "../support/time_limits.rs"]
mod time_limits;
mod transitions;

use std::sync::LazyLock;
use std::time::SystemTime;

use time_limits::scale;

static SEED: LazyLock<u64> = LazyLock::new(|| match std::env::var("TRAINYARD_SEED") {
    Ok(text) => text.parse().expect("TRAINYARD_SEED is a number"),
    Err(_) => SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |time| time.as_secs()),
});

/// Random numbers of one test (SplitMix64).
struct Random(u64);

impl Random {
    /// The choices of the test with this number.
    fn new(test: u64) -> Self {
        println!("TRAINYARD_SEED={}", *SEED);
        Self(SEED.wrapping_add(test << 32))
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((bits ^ (bits >> 31)) % bound.max(1) as u64).expect("below the bound")
    }
}

/// Prints how often something was done that ended well, for `tests/durability/long`.
fn figure(subject: &str, count: usize) {
    println!("figure: {count} {subject}");
}

/// `count` of `points`, evenly spaced; all of them if there are no more.
fn spread<T: Clone>(points: &[T], count: usize) -> Vec<T> {
    let count = count.min(points.len());
    (0..count).map(|index| points[index * points.len() / count].clone()).collect()
}
