//! [`Steps`].

use async_trait::async_trait;

use super::dialect::{Store, reading, selection};
use super::paging::arguments;
use super::sql::limit;
use super::{jobs, models};
use crate::metadata::{Result, Steps};
use crate::paging::Value;
use crate::records::{JobSteps, StepPosition, StepRecord, StepsOf};
use crate::rows;

/// SQL for the jobs of a model that changed its weights: those that succeeded, and the one that has begun.
macro_rules! jobs_of_model {
    () => {
        "entity = $1 AND model_id = $2 AND (status = 'succeeded' OR status IN ('queued', 'running') AND steps > 0)"
    };
}

/// SQL for at most $5 steps after the event $4 of the job $3. Parameters of the condition on `jobs`: $1, $2.
macro_rules! step_page {
    ($jobs:expr) => {
        selection!(
            ["job_sequence, event_sequence, job_id, event_id, data, created_at"],
            "SELECT jobs.sequence AS job_sequence, events.sequence AS event_sequence, events.job_id,
                 events.id AS event_id, events.data, events.created_at
             FROM jobs JOIN events ON events.job_id = jobs.id WHERE ",
            $jobs,
            " AND jobs.sequence >= $3 AND (jobs.sequence, events.sequence) > ($3, $4) AND events.kind = 'gradient_step'
             ORDER BY jobs.sequence, events.sequence",
            limit!("$5")
        )
    };
}

/// SQL for jobs with their numbers of steps.
macro_rules! job_steps {
    ($jobs:expr) => {
        selection!(
            ["id, kind, steps, published_step, announcement"],
            "SELECT id, kind, steps, published_step,
                 (SELECT data FROM events WHERE job_id = jobs.id AND events.sequence = 1 AND events.kind = 'training_started')
                     AS announcement
             FROM jobs WHERE ",
            $jobs,
            " ORDER BY sequence"
        )
    };
}

#[async_trait]
impl Steps for Store {
    async fn list_job_steps(&self, entity: &str, of: StepsOf) -> Result<Vec<JobSteps>> {
        let (statement, id) = match of {
            StepsOf::Job(id) => (job_steps!("entity = $1 AND id = $2"), id),
            StepsOf::Model(id) => (job_steps!(jobs_of_model!()), id),
        };
        reading!(self, |connection| {
            let rows = statement.fetch(connection, arguments(&[entity.into(), id.into()])?).await?;
            if rows.is_empty() {
                match of {
                    StepsOf::Job(id) => drop(jobs::owned(connection, entity, id).await?),
                    StepsOf::Model(id) => drop(models::owned(connection, entity, id).await?),
                }
            }
            rows.iter().map(rows::job_steps).collect()
        })
    }

    async fn list_steps(
        &self,
        entity: &str,
        of: StepsOf,
        after: Option<StepPosition>,
        limit: u32,
    ) -> Result<Vec<StepRecord>> {
        let (statement, id) = match of {
            StepsOf::Job(id) => (step_page!("jobs.entity = $1 AND jobs.id = $2"), id),
            StepsOf::Model(id) => (step_page!(jobs_of_model!()), id),
        };
        let StepPosition { job, event } = after.unwrap_or(StepPosition { job: 0, event: 0 });
        let values =
            [entity.into(), id.into(), Value::Integer(job), Value::Integer(event), Value::Integer(limit.into())];
        reading!(self, |connection| {
            let rows = statement.fetch(connection, arguments(&values)?).await?;
            rows.iter().map(rows::step).collect()
        })
    }
}
