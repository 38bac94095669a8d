//! Compute threads of the process, shared by training and sampling: the threads themselves, the lending of a closure to them,
//! and operations on blocks of rows.
//!
//! The pool belongs to the kernels: each of them runs on it, and to lend a closure to threads that outlive it takes unsafe code.
//! [`threads`](crate::threads) decides who has the threads, in safe code and without them.
//!
//! One operation runs at a time, on all threads. Chat has priority: a training operation yields between two of its
//! tasks and resumes later, and a decoding step ([`ComputePool::turn`]) is never interrupted. [`ChatShare`](crate::threads::ChatShare) determines
//! the share of training. Results do not depend on the thread and time at which a task runs, since tasks write disjoint
//! memory.

mod compute_pool;
mod parallel;
mod task;

pub use compute_pool::ComputePool;
pub use parallel::{ROW_BLOCK, for_row_blocks};
pub(crate) use parallel::{Shared, sum_row_blocks};
