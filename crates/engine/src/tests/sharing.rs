//! Tests of decoding during training on one pool.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::*;
use crate::generate::{BatchRow, Decoder};

/// Large operations of another thread, as in a training job, run between decoding steps, not within them.
#[test]
fn a_decoding_step_waits_for_one_foreign_operation() {
    const STEPS: usize = 6;
    let pool = ComputePool::new(2);
    let mut config = odd_config();
    config["num_hidden_layers"] = 8.into();
    let base = random_model(&config, 1, &pool);
    let mut decoder = Decoder::new(pool.clone(), base, 512);
    let (foreign, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let waited: Vec<usize> = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::SeqCst) {
                pool.run(2, &|task| {
                    foreign.fetch_add(1 - task, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(3));
                });
            }
        });
        let step = |_| {
            let sequence = decoder.add_sequence();
            // Enough rows that every operation is distributed over the threads.
            let row = |position| BatchRow { token: 1, position, sequence, adapter: None, want_logits: position == 199 };
            let rows: Vec<_> = (0..200).map(row).collect();
            let before = foreign.load(Ordering::SeqCst);
            while foreign.load(Ordering::SeqCst) == before {
                std::thread::yield_now();
            }
            let at_start = foreign.load(Ordering::SeqCst);
            decoder.forward(&rows).unwrap();
            decoder.remove_sequence(sequence);
            foreign.load(Ordering::SeqCst) - at_start
        };
        let waited = (0..STEPS).map(step).collect();
        stop.store(true, Ordering::SeqCst);
        waited
    });
    // At most one operation, and one more that started after the step. The minimum over the steps counts, since this
    // thread may lose its core before it requests its turn. Turns per operation would admit about eighty.
    assert!(waited.iter().min().is_some_and(|least| *least <= 2), "{waited:?}");
    assert!(foreign.load(Ordering::SeqCst) >= STEPS);
}
