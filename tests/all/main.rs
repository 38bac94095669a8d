//! Behaviour of the whole service, a module per area, in one binary.

mod chat_options;
mod checklist;
mod commands;
mod contract;
mod drain;
mod exact;
mod examples;
mod families;
mod full;
mod job_control;
mod jobs;
mod memory;
mod random_models;
mod raw;
mod repeated;
mod rollouts;
mod service;
mod serving;
mod support;
#[path = "../support/threads.rs"]
mod threads;
mod training_method;
mod workers;
