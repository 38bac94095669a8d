//! Compute threads of a bench.

use std::env;
use std::sync::Arc;

use trainyard_engine::{ComputePool, InstructionSet};

/// Returns a pool with the instruction set that `TRAINYARD_INSTRUCTION_SET` names, or else the fastest of this processor.
pub(crate) fn new_pool(threads: usize) -> Arc<ComputePool> {
    let named = env::var("TRAINYARD_INSTRUCTION_SET").ok().map(|name| name.parse());
    let set = named.unwrap_or_else(|| Ok(InstructionSet::best())).unwrap_or_else(|error| panic!("{error}"));
    ComputePool::with_instruction_set(threads, set)
}
