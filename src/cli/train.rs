//! `trainyard sft` and `trainyard rl`: create a training job from a local file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};

use super::remote::{Remote, find_model, short_name};
use super::training_options::{RlFlags, SftFlags, config, merged};
use super::watch::watch;
use super::{CommandError, files, models, print, print_json};
use crate::client::types::{CreateTrainingJob, FilePurpose, TrainingJobResponse, TrajectoryGroup};
use crate::client::{Client, from_json};

#[derive(Args)]
#[command(after_help = concat!("\
The file has one conversation per line, as JSON: `messages`, and optionally `tools`. Training uses the messages of the \
assistant. A file train.jsonl:\n\n  ",
    r#"{"messages":[{"role":"user","content":"2+2?"},{"role":"assistant","content":"4"}]}"#, "\n  ",
    r#"{"messages":[{"role":"user","content":"3+4?"},{"role":"assistant","content":"7"}]}"#, "\n\n\
Examples:\n  \
    trainyard sft demo/agent train.jsonl --dry-run    print an estimate, create no job\n  \
    trainyard sft demo/agent train.jsonl --base-model trainyard/seedling --watch\n  \
    trainyard sft demo/agent train.jsonl --batch-size 4 --epochs 3\n\n\
A model is named by project/name, by its inference name, or by its id. Exit codes with --watch: 0 the \
job succeeded, 3 it failed, 4 it was cancelled, 130 Ctrl-C, which leaves the job running."))]
pub(super) struct SftOptions {
    /// Model to train.
    model: String,
    /// Conversations, one per line as JSON: a local file, or the id or URL of one that the service can read.
    data: String,
    #[command(flatten)]
    flags: SftFlags,
    #[command(flatten)]
    job: JobOptions,
}

#[derive(Args)]
#[command(after_help = concat!("\
The file has trajectory groups: a JSON array, or one group per line. A group holds rollouts of one prompt; training uses the \
differences of their rewards. A rollout has a `reward` and `messages_and_choices`: messages, and in place of each answer the \
unchanged choice of the chat completion, requested with `logprobs`. Answers without logprobs, as in this rollouts.json, \
need --allow-training-without-logprobs:\n\n",
    r#"  [{"trajectories": [
    {"messages_and_choices": [
      {"role": "user", "content": "yes or no?"},
      {"role": "assistant", "content": "yes"}], "reward": 1.0},
    {"messages_and_choices": [
      {"role": "user", "content": "yes or no?"},
      {"role": "assistant", "content": "no"}], "reward": 0.0}]}]"#, "\n\n\
Examples:\n  \
    trainyard rl demo/agent rollouts.json --dry-run    print an estimate, create no job\n  \
    trainyard rl demo/agent rollouts.json --base-model trainyard/seedling --watch\n  \
    trainyard rl demo/agent rollouts.json --loss-fn ppo --kl-penalty 0.05\n\n\
A model is named by project/name, by its inference name, or by its id. Exit codes with --watch: 0 the \
job succeeded, 3 it failed, 4 it was cancelled, 130 Ctrl-C, which leaves the job running."))]
pub(super) struct RlOptions {
    /// Model to train.
    model: String,
    /// Local file of trajectory groups.
    rollouts: PathBuf,
    #[command(flatten)]
    flags: RlFlags,
    #[command(flatten)]
    job: JobOptions,
}

#[derive(Args)]
#[command(next_help_heading = "Job")]
struct JobOptions {
    /// Create the model from this base model if it does not exist yet.
    #[arg(long, value_name = "MODEL")]
    base_model: Option<String>,
    /// Name of the job in lists.
    #[arg(long)]
    name: Option<String>,
    /// Tag of the job in lists; repeatable.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Further training options as JSON, or a file with them.
    #[arg(long, value_name = "JSON", value_parser = config, help_heading = "Training")]
    config: Option<Map<String, Value>>,
    /// Follow the job to its end.
    #[arg(long)]
    watch: bool,
    /// Print the job's estimate as JSON, and create no job.
    #[arg(long, conflicts_with = "watch")]
    dry_run: bool,
    #[command(flatten)]
    remote: Remote,
}

pub(super) async fn sft(options: SftOptions) -> Result<ExitCode, CommandError> {
    let SftOptions { model, data, flags, job } = options;
    let config = merged(&flags, job.config.as_ref())?;
    let is_remote = (data.starts_with("file-") || data.contains("://")) && !Path::new(&data).exists();
    if !is_remote {
        // Checked first, so that no model is created for an unreadable file.
        std::fs::File::open(&data).map_err(|error| format!("cannot read {data}: {error}"))?;
    }
    let client = job.remote.client()?;
    let model = job.model(&client, &model).await?;
    let data = if is_remote { data } else { files::upload(&client, data.as_ref(), FilePurpose::FineTune).await?.id };
    let mut body = json!({ "model_id": model, "training_data_url": data, "config": config });
    job.label(&mut body);
    let made = client.create_sft_training_job(&from_json(body)?).dry_run(job.dry_run).await;
    if !is_remote {
        // The job has its own reference to the content.
        client.delete_file(&data).await?;
    }
    let made = made?;
    job.follow(&made).await
}

pub(super) async fn rl(options: RlOptions) -> Result<ExitCode, CommandError> {
    let RlOptions { model, rollouts, flags, job } = options;
    let config = merged(&flags, job.config.as_ref())?;
    let text =
        std::fs::read_to_string(&rollouts).map_err(|error| format!("cannot read {}: {error}", rollouts.display()))?;
    let groups = groups(&text).map_err(|fault| format!("{}: {fault}", rollouts.display()))?;
    let client = job.remote.client()?;
    let model = job.model(&client, &model).await?;
    let mut body = json!({ "model_id": model, "trajectory_groups": [], "experimental_config": config });
    job.label(&mut body);
    let mut body: CreateTrainingJob = from_json(body)?;
    body.trajectory_groups = Some(groups);
    let made = client.create_training_job(&body).dry_run(job.dry_run).await?;
    job.follow(&made).await
}

impl JobOptions {
    /// Returns the id of the model; creates the model if a base model is given.
    async fn model(&self, client: &Client, named: &str) -> Result<String, CommandError> {
        match (find_model(client, named).await?, &self.base_model) {
            (Some(found), Some(base)) if found.base_model != *base => {
                let (name, its_base) = (short_name(&found), &found.base_model);
                Err(format!("{name} is made on {its_base}, not on {base}; take another name for the model").into())
            }
            (Some(found), _) => Ok(found.id),
            (None, None) => Err(format!(
                "there is no model {named:?}; --base-model makes it, as in --base-model trainyard/seedling \
                 (`trainyard models bases` lists base models)"
            )
            .into()),
            (None, Some(_)) if self.dry_run => Err(format!(
                "there is no model {named:?} yet, and a dry run makes none; `trainyard models create` does"
            )
            .into()),
            (None, Some(base)) => Ok(models::create(client, named, json!({ "base_model": base })).await?.id),
        }
    }

    /// Adds the name and the tags to a request, unless there are none.
    fn label(&self, body: &mut Value) {
        if let Some(name) = &self.name {
            body["name"] = json!(name);
        }
        if !self.tags.is_empty() {
            body["tags"] = json!(self.tags);
        }
    }

    /// Prints the id of the job and follows it if requested; for a dry run, prints the estimate.
    async fn follow(&self, made: &TrainingJobResponse) -> Result<ExitCode, CommandError> {
        if let Some(estimate) = &made.estimate {
            print_json(estimate)?;
            return Ok(ExitCode::SUCCESS);
        }
        print(&format!("{}\n", made.id))?;
        for warning in made.warnings.iter().flatten() {
            note!("warning: {}", warning.message);
        }
        if !self.watch {
            return Ok(ExitCode::SUCCESS);
        }
        watch(&made.id, false, &self.remote).await
    }
}

/// Parses groups from a JSON array or from JSON lines.
fn groups(text: &str) -> Result<Vec<TrajectoryGroup>, String> {
    let values: Vec<Value> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|error| format!("it is no JSON array: {error}"))?
    } else {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let values = lines.map(|(line, number)| {
            serde_json::from_str(line).map_err(|error| format!("line {number} is no JSON: {error}"))
        });
        values.collect::<Result<_, _>>()?
    };
    let group = |(value, number)| {
        // The error names the client's type.
        let in_words = |error: String| error.replacen("this is no TrajectoryGroup", "it is no trajectory group", 1);
        from_json(value).map_err(|error| format!("group {number}: {}", in_words(error.to_string())))
    };
    values.into_iter().zip(1..).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_an_array_or_lines() {
        let count = |text| groups(text).expect("groups").len();
        assert_eq!(count(" [{\"trajectories\": []}]"), 1);
        assert_eq!(count("{\"trajectories\": []}\n\n{\"trajectories\": []}\n"), 2);
        assert_eq!(count(""), 0);
        let fault = |text| groups(text).expect_err("no groups");
        assert!(fault("{\"trajectories\": []}\n{").starts_with("line 2 is no JSON"));
        assert!(fault("[").starts_with("it is no JSON array"));
        let wrong = fault("{\"trajectories\": []}\n{\"trajectories\": 5}\n");
        assert!(wrong.starts_with("group 2: it is no trajectory group at trajectories"), "{wrong}");
    }
}
