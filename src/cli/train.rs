//! `trainyard sft` and `trainyard rl`: a training job from a local file.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};

use super::{
    Failure, files, jobs, print, print_json,
    remote::{Remote, model_id},
};
use crate::client::{
    from_json,
    types::{FilePurpose, TrainingJobResponse},
};

#[derive(Args)]
#[command(after_help = "A model is named by its id, by project/name, or by its inference name.\n\nExamples:\n  \
    trainyard sft demo/agent train.jsonl --dry-run           what it would do: steps, tokens, what is left out\n  \
    trainyard sft demo/agent train.jsonl --watch\n  \
    trainyard sft demo/agent train.jsonl --config '{\"batch_size\": 4, \"learning_rate\": 0.0002}'\n\n\
    With --watch it exits with 0 when the job succeeded, 3 when it failed, 4 when it was cancelled.")]
pub(super) struct SftOptions {
    /// The model.
    model: String,
    /// Conversations, one a line of JSON: a local file, or the id or URL of one that the service can read.
    data: String,
    #[command(flatten)]
    job: JobOptions,
}

#[derive(Args)]
#[command(after_help = "The file has trajectory groups: a JSON array of them, or one a line.\n\nExamples:\n  \
    trainyard rl demo/agent rollouts.json --watch\n  \
    trainyard rl demo/agent rollouts.jsonl --config '{\"learning_rate\": 0.00005}'\n\n\
    With --watch it exits with 0 when the job succeeded, 3 when it failed, 4 when it was cancelled.")]
pub(super) struct RlOptions {
    /// The model.
    model: String,
    /// Trajectory groups.
    rollouts: PathBuf,
    #[command(flatten)]
    job: JobOptions,
}

#[derive(Args)]
struct JobOptions {
    /// Options of the training as JSON.
    #[arg(long, value_name = "JSON", value_parser = object)]
    config: Option<Value>,
    /// Follow the job to its end.
    #[arg(long)]
    watch: bool,
    /// Print what the job would do, as JSON, and do nothing.
    #[arg(long, conflicts_with = "watch")]
    dry_run: bool,
    #[command(flatten)]
    remote: Remote,
}

pub(super) async fn sft(options: SftOptions) -> Result<ExitCode, Failure> {
    let SftOptions { model, data, job } = options;
    let client = job.remote.client()?;
    let model = model_id(&client, &model).await?;
    let is_remote = data.starts_with("file-") || data.contains("://");
    let (data, uploaded) = if is_remote && !std::path::Path::new(&data).exists() {
        (data, false)
    } else {
        (files::upload(&client, data.as_ref(), FilePurpose::FineTune).await?.id, true)
    };
    let body = json!({ "model_id": model, "training_data_url": data, "config": job.config });
    let made = client.create_sft_training_job(Some(job.dry_run), &from_json(body)?).await;
    if uploaded {
        // The job has its own hold on the content.
        client.delete_file(&data).await?;
    }
    let made = made?;
    job.follow(&made).await
}

pub(super) async fn rl(options: RlOptions) -> Result<ExitCode, Failure> {
    let RlOptions { model, rollouts, job } = options;
    let client = job.remote.client()?;
    let model = model_id(&client, &model).await?;
    let text =
        std::fs::read_to_string(&rollouts).map_err(|error| format!("cannot read {}: {error}", rollouts.display()))?;
    let groups = groups(&text).map_err(|fault| format!("{}: {fault}", rollouts.display()))?;
    let body = json!({ "model_id": model, "trajectory_groups": groups, "experimental_config": job.config });
    let made = client.create_training_job(Some(job.dry_run), &from_json(body)?).await?;
    job.follow(&made).await
}

impl JobOptions {
    /// Prints the id of the job, and follows it if that is wanted; of a dry run what was found.
    async fn follow(&self, made: &TrainingJobResponse) -> Result<ExitCode, Failure> {
        if let Some(estimate) = &made.estimate {
            print_json(estimate)?;
            return Ok(ExitCode::SUCCESS);
        }
        print(&format!("{}\n", made.id))?;
        if !self.watch {
            return Ok(ExitCode::SUCCESS);
        }
        jobs::watch(&made.id, false, &self.remote).await
    }
}

/// Groups from an array or from lines.
fn groups(text: &str) -> Result<Vec<Value>, String> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).map_err(|error| format!("it is no JSON array: {error}"));
    }
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| serde_json::from_str(line).map_err(|error| format!("line {number} is no JSON: {error}")))
        .collect()
}

fn object(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(options)) => Ok(Value::Object(options)),
        Ok(_) => Err("it is no JSON object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_an_array_or_lines() {
        let one = json!({ "trajectories": [] });
        assert_eq!(groups(" [{\"trajectories\": []}]").unwrap(), std::slice::from_ref(&one));
        assert_eq!(groups("{\"trajectories\": []}\n\n{\"trajectories\": []}\n").unwrap(), [one.clone(), one]);
        assert_eq!(groups("").unwrap(), [Value::Null; 0]);
        assert!(groups("{}\n{").unwrap_err().starts_with("line 2 is no JSON"));
        assert!(groups("[").unwrap_err().starts_with("it is no JSON array"));
    }
}
