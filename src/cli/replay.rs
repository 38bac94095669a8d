//! `trainyard replay`: runs a job again and compares the bytes of its result.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::options::WorkerOptions;
use super::progress::{LoadProgress, progress_bar};
use super::{CommandError, print_report, stored};
use crate::jobs::replay::{Reached, ReplayStep, Replayed, replay};
use crate::server::open_to_replay;
use crate::store::records::TrainerKind;

#[derive(Args)]
pub(super) struct Options {
    /// Id of the job.
    job: String,
    #[command(flatten)]
    worker: WorkerOptions,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(mut options: Options) -> Result<ExitCode, CommandError> {
    // No data is fetched, because it is in the store.
    options.worker.process.wandb_server = None;
    let mut settings = options.worker.settings()?;
    let metadata = stored::existing(&settings.data_directory, settings.database.as_ref()).await?;
    let job = stored::job(&*metadata, &options.job).await?;
    let model = metadata.get_model(&job.entity, job.model_id).await?;
    settings.base_models.retain(|base| base.name == model.base_model);
    if let (None, Some(format)) = (options.worker.trainers.weights, job.trainer.and_then(TrainerKind::weights)) {
        settings.weights = Some(format);
    }
    let mut loading = LoadProgress::default();
    let parts = open_to_replay(&settings, metadata, &mut |stage, done, total| loading.show(stage, done, total)).await?;
    loading.finish();
    let bar = progress_bar("{msg} {wide_bar} {pos}/{len}", 0);
    let show = |step: ReplayStep| {
        let behind = if step.jobs_left > 1 { format!(", then {} more", step.jobs_left - 1) } else { String::new() };
        bar.set_message(format!("{}{behind}", step.job_id));
        bar.set_length(step.total as u64);
        bar.set_position(step.done as u64);
    };
    let replayed = replay(&parts, job, &show).await;
    bar.finish_and_clear();
    let replayed = replayed?;
    print_report(options.json, &as_json(&replayed), &lines(&replayed)?)?;
    Ok(if replayed.difference().is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn lines(replayed: &Replayed) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let Replayed { job_id, step, found, .. } = replayed;
    let files = [("configuration", &found.config), ("weights", &found.weights), ("optimizer", &found.optimizer)];
    for (name, sha256) in files {
        writeln!(text, "{name:13} {}", sha256.as_deref().unwrap_or("-"))?;
    }
    match replayed.difference() {
        None => match replayed.tolerance {
            None => writeln!(text, "the replay of job {job_id} is bit-identical to step {step}")?,
            Some(tolerance) => writeln!(
                text,
                "the metrics of the replay of job {job_id} are those of step {step} within {tolerance}; a remote learner \
                 computed it, so its bits are not compared"
            )?,
        },
        Some(difference) => {
            writeln!(text, "the replay of job {job_id} differs from step {step}: {difference}")?;
        }
    }
    Ok(text)
}

fn as_json(replayed: &Replayed) -> Value {
    let reached = |reached: &Reached| {
        json!({
            "config_sha256": reached.config,
            "weights_sha256": reached.weights,
            "optimizer_sha256": reached.optimizer,
            "steps": reached.metrics.len().saturating_sub(1),
        })
    };
    let difference = replayed.difference();
    json!({
        "job_id": replayed.job_id.to_string(),
        "step": replayed.step,
        "same": difference.is_none(),
        "difference": difference,
        "tolerance": replayed.tolerance,
        "expected": reached(&replayed.expected),
        "found": reached(&replayed.found),
    })
}
