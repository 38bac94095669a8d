//! Behaviour of the whole service, a module per area, in one binary.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod commands;
mod contract;
mod data;
mod jobs;
#[path = "../support/learner.rs"]
mod learner;
#[path = "../../crates/codegen/tests/all/raw.rs"]
mod raw;
#[path = "../support/ray.rs"]
mod ray;
mod service;
mod serving;
mod support;
#[path = "../support/threads.rs"]
mod threads;
#[path = "../support/time_limits.rs"]
mod time_limits;
#[path = "../support/vllm.rs"]
mod vllm;
