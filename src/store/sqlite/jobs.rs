//! [`Jobs`] in SQLite.

use async_trait::async_trait;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::database::{SqliteMetadata, reading};
use super::packed::packed;
use super::sql::{job_now, limit, now};
use super::{checkpoints, files, idempotency, job_state, models, paging, references, usage};
use crate::store::metadata::{Jobs, Result, StoreError};
use crate::store::paging::{Listing, Value, of_existing};
use crate::store::records::{
    CancelledJob, EventRecord, FirstModel, IdempotentResult, JobErrorCode, JobFilter, JobKind, JobRecord, JobState,
    JobStatus, NewEvent, NewJob, Page, PageRequest, QueueDepth, RemoteSampler, RewardDeviation,
};
use crate::store::{rows, rules};

/// SQL for at most ?6 jobs of entity ?1 on one side of position ?5 that pass the filters ?2 to ?4.
macro_rules! job_page {
    ($side:literal, $order:literal) => {
        packed!(
            [
                id,
                entity,
                model_id,
                kind,
                status,
                config,
                input_artifact,
                input_file,
                input_url,
                validation_file,
                validation_content,
                fine_tuning,
                sampler,
                trainer,
                weight_format,
                published_step,
                error,
                error_code,
                created_at,
                started_at,
                ended_at,
                steps,
                trained_tokens,
                waiting,
                announcement,
                ending,
                queue_position,
                recent_since,
                recent_until
            ],
            job_state::states!(),
            "WHERE entity = ?1 AND (?2 IS NULL OR model_id = ?2) AND (?3 IS NULL OR kind = ?3)
             AND (?4 IS NULL OR ?4 = CASE WHEN error_code = 'cancelled' THEN 'cancelled' ELSE status END)
             AND sequence ",
            $side,
            " ?5 ORDER BY ",
            $order,
            limit!("?6")
        )
    };
}

/// SQL for at most ?4 events of job ?1 of entity ?2 on one side of position ?3.
macro_rules! event_page {
    ($side:literal, $order:literal) => {
        packed!(
            [id, job_id, sequence, kind, data, created_at],
            "SELECT * FROM events WHERE job_id = (SELECT id FROM jobs WHERE id = ?1 AND entity = ?2) AND sequence ",
            $side,
            " ?3 ORDER BY ",
            $order,
            limit!("?4")
        )
    };
}

#[async_trait]
impl Jobs for SqliteMetadata {
    async fn create_job(&self, job: NewJob) -> Result<JobRecord> {
        create(self, None, job).await
    }

    async fn create_model_with_job(&self, first: FirstModel, job: NewJob) -> Result<JobRecord> {
        create(self, Some(first), job).await
    }

    async fn get_job(&self, entity: &str, id: Uuid) -> Result<JobRecord> {
        reading!(self, |connection| owned(connection, entity, id).await)
    }

    async fn get_job_state(&self, entity: &str, id: Uuid) -> Result<JobState> {
        reading!(self, |connection| job_state::read(connection, entity, id).await)
    }

    async fn list_jobs(&self, entity: &str, filter: JobFilter, request: PageRequest) -> Result<Page<JobState>> {
        let listing = Listing {
            position: "SELECT sequence FROM jobs WHERE entity = ?1 AND id = ?2",
            ascending: job_page!(">", "sequence"),
            descending: job_page!("<", "sequence DESC"),
            read: rows::job_state,
        };
        let filters = [
            Value::Id(filter.model_id),
            Value::Text(filter.kind.map(JobKind::as_str)),
            Value::Text(filter.status.map(JobStatus::as_str)),
        ];
        reading!(self, |connection| paging::page(connection, &listing, entity.into(), &filters, request).await)
    }

    async fn cancel_job(&self, entity: &str, id: Uuid, message: &str, event: NewEvent) -> Result<CancelledJob> {
        let mut transaction = self.write().await?;
        let job = owned(&mut transaction, entity, id).await?;
        if !rules::is_cancellable(&job)? {
            let state = job_state::read(&mut transaction, entity, id).await?;
            return Ok(CancelledJob { state, unreferenced: Vec::new() });
        }
        job_state::append_last_event(&mut transaction, &job, &event).await?;
        // The new token fences off the job's worker.
        sqlx::query(concat!(
            "UPDATE jobs SET status = ?, error = ?, error_code = ?, ended_at = ",
            job_now!(),
            ", lease_owner = NULL, lease_deadline = NULL, lease_token = lease_token + 1 WHERE id = ?"
        ))
        .bind(JobStatus::Failed.as_str())
        .bind(message)
        .bind(JobErrorCode::Cancelled.as_str())
        .bind(id.to_string())
        .execute(&mut *transaction)
        .await?;
        usage::add_training(&mut transaction, id).await?;
        let unreferenced = references::unreferenced(&mut transaction, &rules::artifacts_of_job(job)).await?;
        let state = job_state::read(&mut transaction, entity, id).await?;
        transaction.commit().await?;
        // The next job of the model is claimable now.
        self.queued.notify_waiters();
        Ok(CancelledJob { state, unreferenced })
    }

    async fn list_events(&self, entity: &str, job_id: Uuid, page: PageRequest) -> Result<Page<EventRecord>> {
        let listing = Listing {
            position: "SELECT sequence FROM events WHERE job_id = ?1 AND id = ?2",
            ascending: event_page!(">", "sequence"),
            descending: event_page!("<", "sequence DESC"),
            read: rows::event,
        };
        reading!(self, |connection| {
            let page = paging::page(connection, &listing, job_id.into(), &[entity.into()], page).await;
            of_existing(page, owned(connection, entity, job_id)).await
        })
    }

    async fn reward_deviations(&self, entity: &str, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
        let mut transaction = self.read().await?;
        owned(&mut transaction, entity, job_id).await?;
        reward_deviations(&mut transaction, job_id).await
    }

    async fn queue_depth(&self) -> Result<QueueDepth> {
        reading!(self, |connection| {
            let row = sqlx::query(
                "SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                        count(*) FILTER (WHERE status = 'running') AS running
                 FROM jobs WHERE status IN ('queued', 'running')",
            )
            .fetch_one(connection)
            .await?;
            rows::queue_depth(&row)
        })
    }
}

/// Queues a job, after creating its model if `first` is given.
async fn create(store: &SqliteMetadata, first: Option<FirstModel>, job: NewJob) -> Result<JobRecord> {
    let mut transaction = store.write().await?;
    if let Some(done) = idempotency::find(&mut transaction, &job.entity, job.request.as_ref()).await? {
        return owned(&mut transaction, &job.entity, done.object_id()).await;
    }
    if let Some(FirstModel { model, copy }) = first {
        models::insert(&mut transaction, &model).await?.created()?;
        if let Some(copy) = copy {
            checkpoints::add(&mut transaction, &copy).await?;
        }
    }
    let record = insert(&mut transaction, &job).await?;
    idempotency::record(&mut transaction, &job.entity, job.request.as_ref(), IdempotentResult::Job(record.id)).await?;
    transaction.commit().await?;
    store.queued.notify_waiters();
    Ok(record)
}

async fn insert(connection: &mut SqliteConnection, job: &NewJob) -> Result<JobRecord> {
    let (artifact, file, url) = rows::input_columns(&job.input);
    models::owned(connection, &job.entity, job.model_id).await?;
    for file in file.into_iter().chain(job.validation.map(|file| file.id)) {
        files::owned(connection, &job.entity, file).await?;
    }
    // Without the hint, SQLite would scan every job of the entity.
    let unfinished: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM jobs INDEXED BY unfinished_jobs_of_entity
         WHERE entity = ? AND status IN ('queued', 'running')",
    )
    .bind(&job.entity)
    .fetch_one(&mut *connection)
    .await?;
    rules::check_unfinished_jobs(unfinished)?;
    if let Some((key_id, limit)) = job.key_id.zip(job.max_unfinished_jobs) {
        let unfinished: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM jobs INDEXED BY unfinished_jobs_of_entity
             WHERE entity = ? AND status IN ('queued', 'running') AND key_id = ?",
        )
        .bind(&job.entity)
        .bind(key_id.to_string())
        .fetch_one(&mut *connection)
        .await?;
        rules::check_unfinished_jobs_of_key(unfinished, limit)?;
    }
    let row = sqlx::query(concat!(
        "INSERT INTO jobs (id, entity, model_id, key_id, kind, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, sampler, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ",
        now!(),
        ") RETURNING *"
    ))
    .bind(job.id.to_string())
    .bind(&job.entity)
    .bind(job.model_id.to_string())
    .bind(job.key_id.map(|key| key.to_string()))
    .bind(job.kind.as_str())
    .bind(&job.config)
    .bind(artifact)
    .bind(file.map(|file| file.to_string()))
    .bind(url)
    .bind(job.validation.map(|file| file.id.to_string()))
    .bind(job.validation.map(|file| file.content.to_string()))
    .bind(job.fine_tuning.as_ref().map(rows::json))
    .bind(job.sampler.map(RemoteSampler::as_str))
    .fetch_one(connection)
    .await?;
    rows::job(&row)
}

/// Reads the job, if it belongs to the entity.
pub(super) async fn owned(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<JobRecord> {
    let row = sqlx::query("SELECT * FROM jobs WHERE id = ? AND entity = ?")
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// Reads the reward deviations up to a job. They never change: the jobs of a model run one after the other.
pub(super) async fn reward_deviations(connection: &mut SqliteConnection, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
    let recorded = sqlx::query(
        "SELECT jobs.start_step, jobs.reward_deviation FROM jobs JOIN jobs AS this ON this.model_id = jobs.model_id
         WHERE this.id = ? AND jobs.reward_deviation IS NOT NULL AND jobs.start_step IS NOT NULL
             AND (jobs.id = this.id OR (jobs.status = 'succeeded' AND jobs.sequence < this.sequence))
         ORDER BY jobs.sequence",
    )
    .bind(job_id.to_string())
    .fetch_all(connection)
    .await?;
    recorded.iter().map(rows::reward_deviation).collect()
}
