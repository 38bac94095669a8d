//! Trajectory groups of a job.

use serde_json::Value;
use tokio::sync::Semaphore;

use super::{
    Api,
    dry_run::refused,
    paging::{ends, id},
};
use crate::{
    auth::Caller,
    generated::types::{
        ListObject, TrainingJobGroup, TrainingJobGroupPage, TrainingJobRemark, TrainingJobSequence,
        TrainingJobTrajectory, TrainingJobTrajectoryPage,
    },
    http::ApiError,
    jobs::{
        estimate::EstimateError,
        rollouts::{JobGroups, Part, ReadTrajectory},
    },
    store::records::{JobKind, JobRecord},
    training::{GroupSummary, Remark, TrainSequence},
};

/// Limits the concurrent readers of groups of this process. Each of them parses, and tokenises, at full speed.
static READING: Semaphore = Semaphore::const_new(2);

impl Api {
    /// Returns a page of a job's groups.
    pub(super) async fn groups_of_job(
        &self,
        caller: &Caller,
        job_id: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<TrainingJobGroupPage, ApiError> {
        let (_, groups) = self.job_groups(caller, job_id).await?;
        let _permit = READING.acquire().await.map_err(|_| ApiError::internal("the readers of groups are closed"))?;
        let part = groups.list(&self.artifacts, following(after)?, limit as usize).await.map_err(failed)?;
        let data: Vec<TrainingJobGroup> = part.items.into_iter().map(wire_group).collect();
        let (first_id, last_id) = ends(&data, |group| &group.id);
        Ok(TrainingJobGroupPage { object: ListObject::List, first_id, last_id, has_more: part.has_more, data })
    }

    /// Returns a page of a group's trajectories.
    pub(super) async fn trajectories_of_job(
        &self,
        caller: &Caller,
        (job_id, group_id): (&str, &str),
        after: Option<&str>,
        limit: u32,
    ) -> Result<TrainingJobTrajectoryPage, ApiError> {
        let (job, groups) = self.job_groups(caller, job_id).await?;
        let unknown = || ApiError::not_found("the job has no such trajectory group");
        let index = group_id.parse().map_err(|_| unknown())?;
        let model = self.metadata.get_model(&caller.entity, job.model_id).await?;
        let base = self.catalog.served_base(&model)?.clone();
        let page = (following(after)?, limit as usize);
        let _permit = READING.acquire().await.map_err(|_| ApiError::internal("the readers of groups are closed"))?;
        let part = groups.trajectories(&self.artifacts, (base, model), index, page).await.map_err(failed)?;
        let Part { items, has_more } = part.ok_or_else(unknown)?;
        let data: Vec<TrainingJobTrajectory> = items.into_iter().map(wire_trajectory).collect();
        let (first_id, last_id) = ends(&data, |trajectory| &trajectory.id);
        Ok(TrainingJobTrajectoryPage { object: ListObject::List, first_id, last_id, has_more, data })
    }

    async fn job_groups(&self, caller: &Caller, job_id: &str) -> Result<(JobRecord, JobGroups), ApiError> {
        let job = self.metadata.get_job(&caller.entity, id(job_id, "training job")?).await?;
        let data = match job.kind {
            JobKind::Rl => job.data(),
            JobKind::Sft => None,
        };
        let data = data.ok_or_else(|| ApiError::not_found("the job has no trajectory groups: it is an SFT job"))?;
        let config: Value = serde_json::from_str(&job.config)
            .map_err(|error| ApiError::internal(format!("the options of the job are corrupt: {error}")))?;
        Ok((job, JobGroups { data, config }))
    }
}

/// Returns the position after a cursor.
fn following(after: Option<&str>) -> Result<usize, ApiError> {
    let Some(after) = after else { return Ok(0) };
    let last: usize = after.parse().map_err(|_| ApiError::invalid("after", "must be the `last_id` of a page"))?;
    Ok(last.saturating_add(1))
}

fn failed(error: EstimateError) -> ApiError {
    refused(JobKind::Rl, error)
}

fn wire_remark(remark: Remark) -> TrainingJobRemark {
    TrainingJobRemark { code: remark.code.to_owned(), place: remark.place, message: remark.message }
}

fn wire_group(group: GroupSummary) -> TrainingJobGroup {
    let (mean, deviation) = group.moments.unzip();
    // JSON has no infinity; rewards that large are a reason to drop the group.
    let finite = |number: &f64| number.is_finite();
    TrainingJobGroup {
        id: group.index.to_string(),
        num_trajectories: group.trajectories as u64,
        rewards: group.rewards,
        advantages: group.advantages,
        reward_mean: mean.filter(finite),
        reward_deviation: deviation.filter(finite),
        dropped: group.dropped.map(wire_remark),
    }
}

fn wire_trajectory(trajectory: ReadTrajectory) -> TrainingJobTrajectory {
    let ReadTrajectory { number, reward, items, inspected, texts, omitted_sequences } = trajectory;
    let sequences = inspected.sequences.into_iter().zip(texts);
    TrainingJobTrajectory {
        id: number.to_string(),
        reward,
        advantage: inspected.advantage,
        items,
        sequences: sequences.map(|(sequence, texts)| wire_sequence(sequence, texts)).collect(),
        omitted_sequences: omitted_sequences as u64,
        dropped: inspected.dropped.into_iter().map(wire_remark).collect(),
        drift: inspected.drift.into_iter().map(wire_remark).collect(),
    }
}

fn wire_sequence(sequence: TrainSequence, texts: Vec<String>) -> TrainingJobSequence {
    let TrainSequence { tokens, mask, logprobs, .. } = sequence;
    let mut sampled = logprobs.into_iter();
    let logprob = |trained: &bool| match trained {
        true => sampled.next().filter(|logprob| !logprob.is_nan()),
        false => None,
    };
    TrainingJobSequence { logprobs: mask.iter().map(logprob).collect(), token_ids: tokens, texts, trained: mask }
}
