//! Calls of the system that fail, one at a time: nothing that was acknowledged is lost, and the job ends all the same.

use std::time::Duration;

use crate::job::{Kind, Over, Round, template};
use crate::kills::points;
use crate::server::{Fault, Start};
use crate::{scale, spread};

/// Longer than a job takes that makes its way past the fault. One that waits to be tried again is left to the next server.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Calls that only files see; a failing `write` could be one that wakes a thread.
const CALLS: [&str; 8] = ["fdatasync", "fsync", "ftruncate", "mkdir", "mkdirat", "pwrite64", "rename", "renameat"];

#[tokio::test]
async fn one_failing_call_neither_loses_nor_ends_a_job() {
    let template = template().await;
    let mut starts_rejected = 0;
    for (kind, effect) in [(Kind::Sft, "error=EIO"), (Kind::Rl, "error=ENOSPC")] {
        let mut points = points(template, kind).await;
        points.retain(|(call, _)| CALLS.contains(&call.as_str()));
        for (calls, k) in spread(&points, 20 * scale()) {
            let what = format!("{kind:?} with {effect} at {calls} {k}");
            let mut round = Round::new(template, kind);
            let fault = Fault { calls, effect, when: k.to_string() };
            let over = round.disturbed(&Start { fault: Some(&fault), ..Default::default() }, TIMEOUT).await;
            assert!(!round.log.contains("panicked"), "{what}: {}", round.log);
            assert_ne!(over, Over::Gone, "{what}: the process ended: {}", round.log);
            if over == Over::NoStart {
                starts_rejected += 1;
                assert!(round.log.contains("error: "), "{what}: refused without words: {:?}", round.log);
            }
            assert!(round.told.iter().all(|event| event["type"] != "training_failed"), "{what}: {:?}", round.told);
            round.finish().await;
            round.verify(&what).await;
        }
    }
    println!("{starts_rejected} starts were refused");
}
