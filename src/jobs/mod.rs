//! Training jobs: a durable queue, and the worker that runs what is in it.
//!
//! A job is a row; a worker claims it by lease, appends its events, publishes one checkpoint and ends it. An attempt
//! that dies is repeated from the recorded start by the next worker: the repetition computes the same numbers, so the
//! events it finds already written are the ones it would write.

mod attempt;
pub(crate) mod estimate;
mod failure;
mod journal;
mod means;
mod memory;
mod options;
mod prepared;
pub(crate) mod reference;
pub(crate) mod replay;
mod rl;
mod sft;
mod state;
pub(crate) mod verify;
mod worker;

pub use options::{ignored_options, ignored_options_of, resolved_config};
pub use worker::{Worker, WorkerParts};
