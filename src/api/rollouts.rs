//! Trajectory groups of jobs and logs.

use serde_json::Value;
use tokio::sync::Semaphore;

use super::Api;
use super::dry_run::rejected;
use super::job_view::seconds;
use super::paging::{following, id, page, page_request};
use crate::auth::Caller;
use crate::generated::server::models::{ListTrajectoryLogGroupsInput, ListTrajectoryLogsInput};
use crate::generated::server::training_jobs::{ListTrainingJobDropsInput, ListTrainingJobGroupsInput};
use crate::generated::types::{
    SortOrder, TrainingJobDrop, TrainingJobDropPage, TrainingJobGroup, TrainingJobGroupPage, TrainingJobGroupSort,
    TrainingJobRemark, TrainingJobSequence, TrainingJobTrajectory, TrainingJobTrajectoryPage, TrajectoryLog,
    TrajectoryLogPage,
};
use crate::http::ApiError;
use crate::jobs::estimate::EstimateError;
use crate::jobs::rollouts::{
    DropQuery, GroupQuery, GroupSort, ListedGroup, ListedRemark, Part, ReadSequence, ReadTrajectory, StoredGroups,
};
use crate::store::records::{JobKind, ModelRecord, TrajectoryLogRecord};
use crate::training::{Remark, TrainSequence};

/// Limits the concurrent readers of groups of this process. Each of them parses, and tokenises, at full speed.
static READING: Semaphore = Semaphore::const_new(2);

/// Parameters of a listing of groups; those of the generated inputs of a job's and of a log's groups.
macro_rules! query {
    ($input:expr) => {
        GroupQuery {
            sort: match $input.sort {
                TrainingJobGroupSort::Position => GroupSort::Position,
                TrainingJobGroupSort::RewardMean => GroupSort::RewardMean,
                TrainingJobGroupSort::RewardDeviation => GroupSort::RewardDeviation,
                TrainingJobGroupSort::NumTrajectories => GroupSort::Trajectories,
                TrainingJobGroupSort::CompletionTokens => GroupSort::CompletionTokens,
            },
            is_descending: $input.order == SortOrder::Desc,
            dropped: $input.dropped,
            min_reward: $input.min_reward,
            max_reward: $input.max_reward,
            text: $input.q,
            after: match $input.after {
                Some(after) => Some(after.parse().map_err(|_| unknown_cursor())?),
                None => None,
            },
            limit: $input.limit as usize,
        }
    };
}

impl Api {
    /// Returns a page of a job's groups.
    pub(super) async fn groups_of_job(
        &self,
        caller: &Caller,
        input: ListTrainingJobGroupsInput,
    ) -> Result<TrainingJobGroupPage, ApiError> {
        let (groups, _) = self.job_groups(caller, &input.training_job_id).await?;
        self.list_groups(groups, query!(input)).await
    }

    /// Returns a page of a log's groups.
    pub(super) async fn groups_of_log(
        &self,
        caller: &Caller,
        input: ListTrajectoryLogGroupsInput,
    ) -> Result<TrainingJobGroupPage, ApiError> {
        let (groups, _) = self.log_groups(caller, &input.model_id, &input.log_id).await?;
        self.list_groups(groups, query!(input)).await
    }

    async fn list_groups(&self, groups: StoredGroups, query: GroupQuery) -> Result<TrainingJobGroupPage, ApiError> {
        let _permit = READING.acquire().await.map_err(|_| ApiError::internal("the readers of groups are closed"))?;
        let listed = groups.list(&self.artifacts, query).await.map_err(failed)?;
        let part = listed.map_err(|_| unknown_cursor())?;
        Ok(page!(TrainingJobGroupPage, part.items.into_iter().map(wire_group).collect(), part.has_more))
    }

    /// Returns a page of the remarks on what training left out.
    pub(super) async fn drops_of_job(
        &self,
        caller: &Caller,
        input: ListTrainingJobDropsInput,
    ) -> Result<TrainingJobDropPage, ApiError> {
        let (groups, _) = self.job_groups(caller, &input.training_job_id).await?;
        let first = following(input.after.as_deref())?;
        let query = DropQuery { drift: input.drift, first, limit: input.limit as usize };
        let _permit = READING.acquire().await.map_err(|_| ApiError::internal("the readers of groups are closed"))?;
        let part = groups.drops(&self.artifacts, query).await.map_err(failed)?;
        Ok(page!(TrainingJobDropPage, part.items.into_iter().map(wire_drop).collect(), part.has_more))
    }

    /// Returns a page of the trajectories of a group of a job or a log.
    pub(super) async fn list_trajectories(
        &self,
        groups: StoredGroups,
        model: ModelRecord,
        group_id: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<TrainingJobTrajectoryPage, ApiError> {
        let unknown = || ApiError::not_found("there is no such trajectory group");
        let index = group_id.parse().map_err(|_| unknown())?;
        let base = self.catalog.served_base(&model)?.clone();
        let first = following::<u32>(after)? as usize;
        let _permit = READING.acquire().await.map_err(|_| ApiError::internal("the readers of groups are closed"))?;
        let part =
            groups.trajectories(&self.artifacts, base, model, index, first, limit as usize).await.map_err(failed)?;
        let Part { items, has_more } = part.ok_or_else(unknown)?;
        Ok(page!(TrainingJobTrajectoryPage, items.into_iter().map(wire_trajectory).collect(), has_more))
    }

    /// Returns a page of a model's logs.
    pub(super) async fn logs_of_model(
        &self,
        caller: &Caller,
        input: ListTrajectoryLogsInput,
    ) -> Result<TrajectoryLogPage, ApiError> {
        let model_id = id(&input.model_id, "model")?;
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let split = input.split.as_deref();
        let page = self.metadata.list_trajectory_logs(&caller.entity, model_id, split, request).await?;
        let log = |log: TrajectoryLogRecord| TrajectoryLog {
            id: log.id.to_string(),
            split: log.split,
            num_groups: log.groups.unsigned_abs(),
            created_at: seconds(log.created_at),
        };
        Ok(page!(TrajectoryLogPage, page.items.into_iter().map(log).collect(), page.has_more))
    }

    /// Returns the groups of a job, and its model.
    pub(super) async fn job_groups(
        &self,
        caller: &Caller,
        job_id: &str,
    ) -> Result<(StoredGroups, ModelRecord), ApiError> {
        let job = self.metadata.get_job(&caller.entity, id(job_id, "training job")?).await?;
        let data = match job.kind {
            JobKind::Rl => job.data(),
            JobKind::Sft => None,
        };
        let data = data.ok_or_else(|| ApiError::not_found("the job has no trajectory groups: it is an SFT job"))?;
        let config: Value = serde_json::from_str(&job.config)
            .map_err(|error| ApiError::internal(format!("the options of the job are corrupt: {error}")))?;
        let model = self.metadata.get_model(&caller.entity, job.model_id).await?;
        let groups = StoredGroups {
            data,
            index: job.rollouts.index,
            logprobs: job.rollouts.logprobs,
            config,
            sampler: job.sampler,
        };
        Ok((groups, model))
    }

    /// Returns the groups of a log, and its model.
    pub(super) async fn log_groups(
        &self,
        caller: &Caller,
        model_id: &str,
        log_id: &str,
    ) -> Result<(StoredGroups, ModelRecord), ApiError> {
        let model = self.metadata.get_model(&caller.entity, id(model_id, "model")?).await?;
        let log_id = id(log_id, "trajectory log")?;
        let log = self.metadata.get_trajectory_log(&caller.entity, model.id, log_id).await?;
        Ok((
            StoredGroups { data: log.artifact, index: None, logprobs: None, config: Value::Null, sampler: None },
            model,
        ))
    }
}

fn failed(error: EstimateError) -> ApiError {
    rejected(JobKind::Rl, error)
}

fn unknown_cursor() -> ApiError {
    ApiError::invalid("after", "the cursor is not an item of this listing; pass the `last_id` of a page")
}

fn wire_remark(remark: Remark) -> TrainingJobRemark {
    TrainingJobRemark { code: remark.code, place: remark.path, message: remark.message }
}

fn wire_drop(remark: ListedRemark) -> TrainingJobDrop {
    let ListedRemark { number, group, is_drift, code, path, message } = remark;
    TrainingJobDrop { id: number.to_string(), group_id: group.to_string(), drift: is_drift, code, place: path, message }
}

fn wire_group(ListedGroup { number, entry, advantages }: ListedGroup) -> TrainingJobGroup {
    TrainingJobGroup {
        id: number.to_string(),
        num_trajectories: entry.trajectories as u64,
        rewards: entry.rewards,
        advantages,
        completion_tokens: entry.completion_tokens,
        reward_mean: entry.reward_mean,
        reward_deviation: entry.reward_deviation,
        dropped: entry.dropped.map(|dropped| TrainingJobRemark {
            code: dropped.code,
            place: format!("trajectory_groups[{number}]"),
            message: dropped.message,
        }),
    }
}

fn wire_trajectory(trajectory: ReadTrajectory) -> TrainingJobTrajectory {
    let ReadTrajectory { number, reward, advantage, items, session, sequences, omitted_sequences, dropped, drift } =
        trajectory;
    TrainingJobTrajectory {
        id: number.to_string(),
        reward,
        advantage,
        items,
        session_id: session.map(|id| id.to_string()),
        sequences: sequences.into_iter().map(wire_sequence).collect(),
        omitted_sequences: omitted_sequences as u64,
        dropped: dropped.into_iter().map(wire_remark).collect(),
        drift: drift.into_iter().map(wire_remark).collect(),
    }
}

fn wire_sequence(read: ReadSequence) -> TrainingJobSequence {
    let ReadSequence { sequence, texts, trained_logprobs, normalised } = read;
    let TrainSequence { tokens, mask, logprobs, .. } = sequence;
    let (advantage, weight) = normalised.unzip();
    TrainingJobSequence {
        logprobs: of_trained(&mask, logprobs),
        trained_logprobs: (!trained_logprobs.is_empty()).then(|| of_trained(&mask, trained_logprobs)),
        token_ids: tokens,
        texts,
        trained: mask,
        advantage,
        weight,
    }
}

/// Puts the values of the trained tokens at their positions; a value that is not known is NaN.
fn of_trained(mask: &[bool], values: Vec<f32>) -> Vec<Option<f32>> {
    let mut values = values.into_iter();
    let value = |trained: &bool| match trained {
        true => values.next().filter(|value| !value.is_nan()),
        false => None,
    };
    mask.iter().map(value).collect()
}
