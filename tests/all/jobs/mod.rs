//! Training jobs: data, options, steps, workers, shutdown.

mod drain;
mod dry_run;
mod fair_share;
mod followers;
mod full;
mod job_control;
mod lifecycle;
mod lineage;
pub(crate) mod memory;
mod ray;
mod rollout_lists;
mod rollouts;
mod step_metrics;
mod training_method;
mod workers;
