//! Training jobs: a durable queue and the worker that runs its jobs.
//!
//! A job is a row. A worker claims it by lease and runs one attempt, in five phases: [`fetch`] brings the data set into
//! the artifact store and records the checkpoint that the job starts from, [`prepare`] checks and tokenises the data,
//! [`restore`] reads the weights, [`train`] makes the optimizer steps, [`publish`] stores the checkpoint and ends the job.
//!
//! **Every attempt at a job computes the same bytes and writes the same events.** So the next worker repeats or resumes
//! an attempt that died, and events that it finds are those that it would write.

mod attempt;
mod blocking;
mod cancellation;
mod context;
mod error;
pub(crate) mod estimate;
mod fetch;
mod journal;
mod means;
mod memory;
mod options;
mod prepare;
mod publish;
pub(crate) mod reference;
pub(crate) mod replay;
mod restore;
mod rl;
pub(crate) mod rollouts;
mod sft;
mod slots;
mod train;
mod trainer;
mod trainers;
pub(crate) mod verify;
mod worker;
mod worker_parts;

pub(crate) use options::{ignored_options, resolved_config, sent_config};
pub(crate) use worker::Worker;
pub(crate) use worker_parts::WorkerParts;
