//! `trainyard jobs`: the training jobs of a running service.

use std::{
    io::{IsTerminal, Write},
    process::ExitCode,
};

use clap::{Args, Subcommand};

use super::{
    Failure,
    plot::line_plot,
    print, print_json,
    remote::{Listed, Remote},
    table::Table,
};
use crate::client::types::{
    SortOrder, TrainingJobEvent, TrainingJobEventType, TrainingJobKind, TrainingJobResponse, TrainingJobStatus,
};

/// Exit code of `jobs watch` for a job that failed.
const FAILED: u8 = 3;
/// Exit code of `jobs watch` for a job that was cancelled.
const CANCELLED: u8 = 4;
/// Characters of a progress bar.
const BAR: usize = 30;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    trainyard jobs list --status running\n  \
    trainyard jobs watch 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n  \
    trainyard jobs cancel 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n\n\
    watch exits with 0 when the job succeeded, 3 when it failed, 4 when it was cancelled.")]
pub(super) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List jobs, the newest first.
    List {
        /// Only those of the model with this id.
        #[arg(long, value_name = "ID")]
        model: Option<String>,
        /// Only those that are this far: queued, running, succeeded, failed or cancelled.
        #[arg(long)]
        status: Option<TrainingJobStatus>,
        /// Only those of this kind of training: rl or sft.
        #[arg(long)]
        kind: Option<TrainingJobKind>,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show one job as JSON: how far it is, its options, why it failed.
    Get {
        /// The job's id.
        id: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Follow a job to its end, with its progress and, at the end, a plot of its loss.
    Watch {
        /// The job's id.
        id: String,
        /// Print each event as a line of JSON instead.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: Remote,
    },
    /// End a job that waits or runs; the model stays at the step it has.
    Cancel {
        /// The job's id.
        id: String,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(options: Options) -> Result<ExitCode, Failure> {
    match options.command {
        Command::List { model, status, kind, listed, remote } => {
            let (limit, newest) = (Some(listed.limit), Some(SortOrder::Desc));
            let client = remote.client()?;
            let page =
                client.list_training_jobs(None, kind, limit, model.as_deref(), newest, status).await?.into_inner();
            listed.show(&page.data, page.has_more, "no such jobs", as_table)?;
        }
        Command::Get { id, remote } => {
            let job = remote.client()?.get_training_job(&id).await?.into_inner();
            print_json(&job)?;
        }
        Command::Watch { id, json, remote } => return watch(&id, json, &remote).await,
        Command::Cancel { id, remote } => {
            let job = remote.client()?.cancel_training_job(&id).await?.into_inner();
            eprintln!("job {} is cancelled after {}", job.id, progress(&job));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn as_table(jobs: &[TrainingJobResponse]) -> Table {
    let mut table = Table::new(["ID", "KIND", "STATUS", "STEPS", "MODEL", "WHY"]);
    for job in jobs {
        let status = match (job.status, job.queue_position) {
            (_, Some(before)) => format!("queued behind {before}"),
            (status, None) => named(status),
        };
        let why = job.error.as_ref().map(|error| error.message.clone()).unwrap_or_default();
        let model = job.model_id.clone().unwrap_or_default();
        table.row([job.id.clone(), named(job.kind), status, progress(job), model, why]);
    }
    table
}

/// What a hosted service does not tell is unknown.
fn named(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

fn progress(job: &TrainingJobResponse) -> String {
    job.progress
        .as_ref()
        .map_or_else(|| "no step".to_owned(), |progress| format!("{}/{}", progress.steps, progress.total_steps))
}

/// What `watch` has seen of a job.
#[derive(Default)]
struct Seen {
    steps: usize,
    total: usize,
    losses: Vec<f64>,
    /// What the last event of a job that failed says.
    failure: Option<String>,
}

impl Seen {
    fn take(&mut self, event: &TrainingJobEvent) {
        match event.type_ {
            TrainingJobEventType::TrainingStarted => {
                let total = event.data.get("num_sequences").and_then(serde_json::Value::as_u64);
                self.total = total.and_then(|total| usize::try_from(total).ok()).unwrap_or_default();
            }
            TrainingJobEventType::GradientStep => {
                self.steps += 1;
                self.losses.extend(event.data.get("loss/train").and_then(serde_json::Value::as_f64));
            }
            TrainingJobEventType::TrainingFailed => {
                let message = event.data.get("error_message").and_then(serde_json::Value::as_str);
                self.failure = Some(message.unwrap_or("no reason is given").to_owned());
            }
            TrainingJobEventType::TrainingEnded => {}
        }
    }

    /// One line: a bar, the steps, the last loss.
    fn line(&self) -> String {
        let filled = (self.steps * BAR).checked_div(self.total).unwrap_or_default().min(BAR);
        let loss = self.losses.last().map(|loss| format!("  loss {loss:.4}")).unwrap_or_default();
        format!("[{}{}] {}/{}{loss}", "#".repeat(filled), "-".repeat(BAR - filled), self.steps, self.total)
    }
}

pub(super) async fn watch(id: &str, json: bool, remote: &Remote) -> Result<ExitCode, Failure> {
    let client = remote.client()?;
    let mut events = client.watch_training_job(id);
    let mut seen = Seen::default();
    let live = !json && std::io::stderr().is_terminal();
    while let Some(event) = events.try_next().await? {
        seen.take(&event);
        if json {
            print(&format!("{}\n", serde_json::to_string(&event)?))?;
        } else if live {
            // The line of the terminal is written over; nothing is lost if that fails.
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", seen.line());
        } else if event.type_ == TrainingJobEventType::GradientStep {
            print(&format!("{}\n", seen.line()))?;
        }
    }
    if live {
        eprintln!();
    }
    let job = client.get_training_job(id).await?.into_inner();
    if !json {
        print(&line_plot("loss/train", &seen.losses))?;
        match (&job.error, &seen.failure) {
            (Some(error), _) => eprintln!("{}: {} ({})", named(job.status), error.message, error.code),
            (None, Some(message)) => eprintln!("failed: {message}"),
            (None, None) => eprintln!("succeeded: {} steps", seen.steps),
        }
    }
    Ok(match job.status {
        Some(TrainingJobStatus::Cancelled) => ExitCode::from(CANCELLED),
        _ if seen.failure.is_some() => ExitCode::from(FAILED),
        _ => ExitCode::SUCCESS,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_job_is_one_line_while_it_runs() {
        let mut seen = Seen::default();
        assert_eq!(seen.line(), format!("[{}] 0/0", "-".repeat(BAR)));
        for (kind, data) in [
            ("training_started", json!({ "num_sequences": 3 })),
            ("gradient_step", json!({ "loss/train": 2.5 })),
            ("gradient_step", json!({ "loss/train": 1.25 })),
        ] {
            let event = json!({ "id": "e", "type": kind, "data": data });
            seen.take(&serde_json::from_value(event).expect("an event"));
        }
        assert_eq!(seen.line(), format!("[{}{}] 2/3  loss 1.2500", "#".repeat(20), "-".repeat(10)));
    }
}
