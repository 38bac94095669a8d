//! `trainyard jobs`: training jobs of a running service.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use clap::{ArgGroup, Subcommand};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::age::{age_if_known, time_until};
use super::remote::{Listed, Remote, model_id, short_name};
use super::table::Table;
use super::watch::{Seen, watch};
use super::{CommandError, print_json};
use crate::client::Client;
use crate::client::types::{SortOrder, TrainingJobKind, TrainingJobResponse, TrainingJobStatus, UpdateTrainingJob};

/// Number of requests at once that read the rewards of a list of jobs.
const READ_AT_ONCE: usize = 8;

#[derive(Subcommand)]
#[command(after_help = "Examples:\n  \
    trainyard jobs list --model demo/agent --status running\n  \
    trainyard jobs label 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --name \"warm start\" --tag baseline\n  \
    trainyard jobs watch 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n  \
    trainyard jobs cancel 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n\n\
    watch exits with 0 when the job succeeded, 3 when it failed, 4 when it was cancelled, and with 130 on Ctrl-C, which leaves \
    the job running.")]
pub(super) enum Command {
    /// List jobs, newest first.
    List {
        /// List only jobs of this model: project/name, its inference name or its id.
        #[arg(long)]
        model: Option<String>,
        /// List only jobs with this status: queued, running, succeeded, failed or cancelled.
        #[arg(long)]
        status: Option<TrainingJobStatus>,
        /// List only jobs of this kind of training: rl or sft.
        #[arg(long)]
        kind: Option<TrainingJobKind>,
        /// List only jobs with this text in their name or a tag.
        #[arg(long, value_name = "TEXT")]
        search: Option<String>,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show one job as JSON: its progress, its options, and the reason of a failure.
    Get {
        /// Id of the job.
        id: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Follow a job to its end: show its progress, then its mean reward (RL) or a plot of its loss (SFT).
    Watch {
        /// Id of the job.
        id: String,
        /// Print each event as a line of JSON instead.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: Remote,
    },
    /// Change the name and the tags of a job.
    #[command(group = ArgGroup::new("change").required(true).multiple(true))]
    Label {
        /// Id of the job.
        id: String,
        /// New name; an empty one removes the name.
        #[arg(long, group = "change")]
        name: Option<String>,
        /// New tag, in place of all earlier ones; repeatable.
        #[arg(long = "tag", value_name = "TAG", group = "change")]
        tags: Vec<String>,
        /// Remove all tags.
        #[arg(long, conflicts_with = "tags", group = "change")]
        no_tags: bool,
        #[command(flatten)]
        remote: Remote,
    },
    /// Cancel a queued or running job; the model keeps its current step.
    Cancel {
        /// Id of the job.
        id: String,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(command: Command) -> Result<ExitCode, CommandError> {
    match command {
        Command::List { model, status, kind, search, listed, remote } => {
            let client = remote.client()?;
            let mut request = client.list_training_jobs().limit(listed.limit).order(SortOrder::Desc);
            (request.kind, request.status, request.q) = (kind, status, search);
            if let Some(named) = model {
                request = request.model_id(model_id(&client, &named).await?);
            }
            let page = request.await?.into_inner();
            let (names, rewards) = match listed.json {
                true => <_>::default(),
                false => (model_names(&client, &page.data).await?, mean_rewards(&client, &page.data).await?),
            };
            listed.show(&page.data, page.has_more, "no such jobs", |jobs| as_table(jobs, &names, &rewards))?;
        }
        Command::Get { id, remote } => {
            let client = remote.client()?;
            let job = client.get_training_job(&id).await?.into_inner();
            print_json(&job)?;
            if job.status == Some(TrainingJobStatus::Succeeded) && job.progress.is_none_or(|made| made.steps == 0) {
                let mut seen = Seen::default();
                let mut events = client.watch_training_job(&id);
                while let Some(event) = events.try_next().await? {
                    seen.take(&event);
                }
                note!("{}", seen.success());
            }
        }
        Command::Watch { id, json, remote } => return watch(&id, json, &remote).await,
        Command::Label { id, name, tags, no_tags, remote } => {
            let change = UpdateTrainingJob {
                name: name.map(|name| (!name.is_empty()).then_some(name)),
                tags: (no_tags || !tags.is_empty()).then_some(tags),
            };
            remote.client()?.update_training_job(&id, &change).await?;
        }
        Command::Cancel { id, remote } => {
            let job = remote.client()?.cancel_training_job(&id).await?.into_inner();
            note!("job {} is cancelled after {}", job.id, progress(&job));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the names of these jobs' models, by id.
async fn model_names(client: &Client, jobs: &[TrainingJobResponse]) -> Result<BTreeMap<String, String>, CommandError> {
    let ids: BTreeSet<&str> = jobs.iter().filter_map(|job| job.model_id.as_deref()).collect();
    let mut names = BTreeMap::new();
    for id in ids {
        match client.get_model(id).await {
            Ok(model) => names.insert(id.to_owned(), short_name(&model)),
            // The model was deleted meanwhile.
            Err(error) if error.status() == Some(404) => None,
            Err(error) => return Err(error.into()),
        };
    }
    Ok(names)
}

/// Returns the mean reward of each of these RL jobs that has started, by id. Its first event has it.
async fn mean_rewards(client: &Client, jobs: &[TrainingJobResponse]) -> Result<BTreeMap<String, f64>, CommandError> {
    let started = jobs.iter().filter(|job| job.kind == Some(TrainingJobKind::Rl) && job.started_at.is_some());
    let rewards = stream::iter(started).map(async |job| {
        let events = match client.list_training_job_events(&job.id).limit(1).await {
            Ok(events) => events.into_inner().data,
            // The job was deleted meanwhile.
            Err(error) if error.status() == Some(404) => Vec::new(),
            Err(error) => return Err(CommandError::from(error)),
        };
        let mean = events.first().and_then(|event| event.data.get("rewards")?.get("mean")?.as_f64());
        Ok(mean.map(|mean| (job.id.clone(), mean)))
    });
    let rewards: Vec<_> = rewards.buffer_unordered(READ_AT_ONCE).try_collect().await?;
    Ok(rewards.into_iter().flatten().collect())
}

fn as_table(jobs: &[TrainingJobResponse], names: &BTreeMap<String, String>, rewards: &BTreeMap<String, f64>) -> Table {
    let mut table = Table::new(["ID", "KIND", "MODEL", "NAME", "STATUS", "STEPS", "REWARD", "CREATED", "WHY"]);
    for job in jobs {
        let status = match (job.status, job.queue_position) {
            (_, Some(before)) => format!("queued behind {before}"),
            (status, None) => named(status),
        };
        let has_no_step = job.progress.as_ref().is_some_and(|progress| progress.total_steps == 0);
        let why = match &job.error {
            Some(error) => error.message.clone(),
            None if has_no_step => "there was nothing to train on".to_owned(),
            None => job.waiting_for.as_ref().map(|waiting| waiting.message.clone()).unwrap_or_default(),
        };
        let name = job.name.iter().chain(job.tags.iter().flatten().filter(|_| job.name.is_none()));
        let name = name.map(String::as_str).collect::<Vec<_>>().join(", ");
        let model = named(job.model_id.as_ref().map(|id| names.get(id).unwrap_or(id)));
        let created = age_if_known(job.created_at);
        let reward = rewards.get(&job.id).map(|reward| format!("{reward:.4}")).unwrap_or_default();
        table.row([job.id.clone(), named(job.kind), model, name, status, progress(job), reward, created, why]);
    }
    table
}

/// Formats a value that a hosted service may omit.
fn named(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

fn progress(job: &TrainingJobResponse) -> String {
    let Some(progress) = &job.progress else { return "no step".to_owned() };
    let made = format!("{}/{}", progress.steps, progress.total_steps);
    match progress.estimated_end_at.and_then(time_until) {
        Some(left) => format!("{made}, {left} left"),
        None => made,
    }
}
