//! Client side of the quickstart; all requests go through the generated client.

use std::path::Path;

use serde_json::{Value, json};
use url::Url;

use super::toy;
use crate::cli::CommandError;
use crate::cli::progress::progress_bar;
use crate::cli::watch::Seen;
use crate::client::{Client, connect, types};
use crate::generated::unions;

/// Number of rollouts of each prompt in a round.
const ROLLOUTS: u32 = 8;
/// Learning rate of the rounds of reinforcement learning.
const RL_LEARNING_RATE: f64 = 3e-4;
/// Initial learning rate of a lesson; it falls to a tenth over the lesson.
const SFT_LEARNING_RATE: f64 = 5e-3;
/// Number of examples of one optimizer step.
const BATCH: usize = 6;

/// A model being trained through the HTTP API.
pub(super) struct Session {
    client: Client,
    model: types::ModelResponse,
}

/// Scored rollouts of one round.
pub(super) struct Rollouts {
    groups: Vec<types::TrajectoryGroup>,
    pub(super) mean_reward: f64,
}

impl Session {
    /// Connects and creates a model.
    pub(super) async fn open(url: &str, key: &str) -> Result<Self, CommandError> {
        let client = connect(url, key)?;
        let body = types::ModelCreate {
            base_model: "trainyard/seedling".to_owned(),
            entity: None,
            // Each run has its own name, because a directory may be reused.
            name: format!("model-{}", &uuid::Uuid::new_v4().simple().to_string()[..6]),
            project: "quickstart".to_owned(),
            return_existing: None,
            training_method: None,
            lora: None,
            extra: Default::default(),
        };
        let model = client.create_model(&body).await?.into_inner();
        Ok(Self { client, model })
    }

    /// Returns the name that samples the newest step.
    pub(super) fn model_name(&self) -> String {
        crate::models::trained_name(&self.model.entity, &self.model.project, &self.model.name)
    }

    /// Returns the most likely completion of a question, from a given step or the newest.
    pub(super) async fn ask(&self, step: Option<u64>, question: &str) -> Result<String, CommandError> {
        let name = match step {
            Some(step) => format!("{}:step{step}", self.model_name()),
            None => self.model_name(),
        };
        let completion = self.complete(&name, question, json!({ "temperature": 0, "max_tokens": 24 })).await?;
        let text = completion.choices.into_iter().next().and_then(|choice| choice.message.content);
        Ok(text.unwrap_or_default().trim().to_owned())
    }

    async fn complete(
        &self,
        model: &str,
        question: &str,
        options: Value,
    ) -> Result<types::ChatCompletion, CommandError> {
        let mut body = json!({ "model": model, "messages": [{ "role": "user", "content": question }] });
        if let (Value::Object(body), Value::Object(options)) = (&mut body, options) {
            body.extend(options);
        }
        // Parsed from text: messages keep their original JSON, which only parsing from text can preserve.
        let body: types::ChatCompletionRequest = serde_json::from_str(&body.to_string())?;
        Ok(self.client.create_chat_completion(&body).await?.into_inner())
    }

    /// Runs an SFT job and returns the loss of each step.
    pub(super) async fn train_on_file(&self, file: &Path, label: &str) -> Result<Vec<f64>, CommandError> {
        let rows = std::fs::read_to_string(file)?.lines().count();
        let steps = rows.div_ceil(BATCH);
        #[expect(clippy::cast_precision_loss, reason = "a lesson has few steps")]
        let rates = (0..steps).map(|step| SFT_LEARNING_RATE * (1.0 - 0.9 * step as f64 / steps as f64)).collect();
        let body = types::CreateSftTrainingJob {
            model_id: self.model.id.clone(),
            training_data_url: Url::from_file_path(file).map_err(|()| "the scratch directory has no URL")?.into(),
            config: Some(types::SftTrainingConfig {
                batch_size: Some(unions::BatchSize::Integer(BATCH as u64)),
                learning_rate: Some(unions::LearningRate::Array(rates)),
                ..types::SftTrainingConfig::default()
            }),
            experimental_config: None,
            name: Some(label.trim().to_owned()),
            tags: None,
        };
        let job = self.client.create_sft_training_job(&body).await?.into_inner();
        self.watch(&job.id, label).await
    }

    /// Samples every prompt and scores the completions.
    pub(super) async fn roll_out(&self, round: u64) -> Result<Rollouts, CommandError> {
        let (mut groups, mut total, mut count) = (Vec::new(), 0.0, 0.0);
        for (index, prompt) in toy::PROMPTS.iter().enumerate() {
            let options = json!({
                "n": ROLLOUTS, "temperature": 1, "max_tokens": 8, "seed": 1000 * round + index as u64,
            });
            let completion = self.complete(&self.model_name(), prompt, options).await?;
            let mut trajectories = Vec::new();
            for choice in &completion.choices {
                let reward = toy::reward(choice.message.content.as_deref().unwrap_or_default());
                total += reward;
                count += 1.0;
                // The choice is sent back unchanged: training needs its logprobs.
                trajectories.push(json!({
                    "messages_and_choices": [{ "role": "user", "content": prompt }, choice],
                    "reward": reward,
                }));
            }
            groups.push(serde_json::from_str(&json!({ "trajectories": trajectories }).to_string())?);
        }
        Ok(Rollouts { groups, mean_reward: total / count })
    }

    /// Runs an RL job and returns its id.
    pub(super) async fn train_on_groups(&self, rollouts: Rollouts, label: &str) -> Result<String, CommandError> {
        let config = json!({ "learning_rate": RL_LEARNING_RATE });
        let body = types::CreateTrainingJob {
            model_id: self.model.id.clone(),
            trajectory_groups: Some(rollouts.groups),
            sessions: None,
            group: None,
            experimental_config: Some(serde_json::from_str(&config.to_string())?),
            name: Some(label.trim().to_owned()),
            tags: None,
        };
        let job = self.client.create_training_job(&body).await?.into_inner();
        self.watch(&job.id, label).await?;
        Ok(job.id)
    }

    /// Follows a job's events to its end, with a progress bar; returns the loss of each step.
    async fn watch(&self, job: &str, label: &str) -> Result<Vec<f64>, CommandError> {
        let bar = progress_bar("   {prefix} {bar:30} {pos}/{len} {msg}", 0);
        bar.set_prefix(label.to_owned());
        let mut seen = Seen::default();
        let mut events = self.client.watch_training_job(job);
        while let Some(event) = events.try_next().await? {
            seen.take(&event);
            bar.set_length(seen.total as u64);
            bar.set_position(seen.steps as u64);
            bar.set_message(seen.losses.last().map(|loss| format!("loss {loss:.3}")).unwrap_or_default());
        }
        if let Some(reason) = seen.failure {
            bar.abandon();
            return Err(format!("the job failed: {reason}").into());
        }
        bar.finish_and_clear();
        Ok(seen.losses)
    }
}
