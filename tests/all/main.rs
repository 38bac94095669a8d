//! Behaviour of the whole service, a module per area, in one binary.

mod bombs;
mod chat_options;
mod checklist;
mod checkpoints;
mod commands;
mod completions;
mod contract;
mod deletion;
mod drain;
mod dry_run;
mod exact;
mod examples;
mod families;
mod files;
mod fine_tuning;
mod full;
mod job_control;
mod jobs;
mod key_limits;
mod lineage;
mod memory;
mod openai_models;
mod random_models;
mod raw;
mod repeated;
mod responses;
mod rollouts;
mod service;
mod serving;
mod support;
#[path = "../support/threads.rs"]
mod threads;
mod training_method;
mod unknown_input;
mod wandb;
mod workers;
