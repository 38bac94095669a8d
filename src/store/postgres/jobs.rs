//! [`Jobs`] in PostgreSQL.

use async_trait::async_trait;
use sqlx::PgConnection;
use uuid::Uuid;

use super::database::PostgresMetadata;
use super::sql::{job_now, now};
use super::transactions::{reading, statement, writing};
use super::{
    checkpoints, columns, files, idempotency, job_notifications, job_state, models, paging, references, usage,
};
use crate::store::metadata::{Jobs, Result, StoreError};
use crate::store::paging::{Listing, Value, of_existing};
use crate::store::records::{
    CancelledJob, EventRecord, FirstModel, IdempotentResult, JobErrorCode, JobFilter, JobKind, JobRecord, JobState,
    JobStatus, NewEvent, NewJob, Page, PageRequest, QueueDepth, RemoteSampler, RewardDeviation,
};
use crate::store::{rows, rules};

/// SQL for the jobs of entity $1 that pass the filters $2 to $4.
macro_rules! filtered {
    () => {
        "WHERE entity = $1 AND ($2::uuid IS NULL OR model_id = $2) AND ($3::text IS NULL OR kind = $3)
         AND ($4::text IS NULL OR $4 = CASE WHEN error_code = 'cancelled' THEN 'cancelled' ELSE status END) "
    };
}

#[async_trait]
impl Jobs for PostgresMetadata {
    async fn create_job(&self, job: NewJob) -> Result<JobRecord> {
        create(self, None, job).await
    }

    async fn create_model_with_job(&self, first: FirstModel, job: NewJob) -> Result<JobRecord> {
        create(self, Some(first), job).await
    }

    async fn get_job(&self, entity: &str, id: Uuid) -> Result<JobRecord> {
        statement!(self, |connection| owned(connection, entity, id).await)
    }

    async fn get_job_state(&self, entity: &str, id: Uuid) -> Result<JobState> {
        statement!(self, |connection| job_state::read(connection, entity, id).await)
    }

    async fn list_jobs(&self, entity: &str, filter: JobFilter, request: PageRequest) -> Result<Page<JobState>> {
        let listing = Listing {
            position: "SELECT sequence FROM jobs WHERE entity = $1 AND id = $2",
            ascending: concat!(job_state::states!(), filtered!(), "AND sequence > $5 ORDER BY sequence LIMIT $6"),
            descending: concat!(job_state::states!(), filtered!(), "AND sequence < $5 ORDER BY sequence DESC LIMIT $6"),
            read: rows::job_state,
        };
        let filters = [
            Value::Id(filter.model_id),
            Value::Text(filter.kind.map(JobKind::as_str)),
            Value::Text(filter.status.map(JobStatus::as_str)),
        ];
        statement!(self, |connection| paging::page(connection, &listing, entity.into(), &filters, request).await)
    }

    async fn cancel_job(&self, entity: &str, id: Uuid, message: &str, event: NewEvent) -> Result<CancelledJob> {
        writing!(self, |connection| {
            // Its worker's writes wait for this lock and find the lease lost.
            sqlx::query("SELECT 1 FROM jobs WHERE id = $1 AND entity = $2 FOR UPDATE")
                .bind(id)
                .bind(entity)
                .execute(&mut *connection)
                .await?;
            let job = owned(connection, entity, id).await?;
            if !rules::is_cancellable(&job)? {
                let state = job_state::read(connection, entity, id).await?;
                return Ok(CancelledJob { state, unreferenced: Vec::new() });
            }
            job_state::append_last_event(connection, &job, &event).await?;
            sqlx::query(concat!(
                "UPDATE jobs SET status = $1, error = $2, error_code = $3, ended_at = ",
                job_now!(),
                ", lease_owner = NULL, lease_deadline = NULL, lease_token = lease_token + 1 WHERE id = $4"
            ))
            .bind(JobStatus::Failed.as_str())
            .bind(message)
            .bind(JobErrorCode::Cancelled.as_str())
            .bind(id)
            .execute(&mut *connection)
            .await?;
            usage::add_training(connection, id).await?;
            let unreferenced = references::unreferenced(connection, &rules::artifacts_of_job(job)).await?;
            let state = job_state::read(connection, entity, id).await?;
            // The next job of the model is claimable now.
            job_notifications::notify(connection).await?;
            Ok(CancelledJob { state, unreferenced })
        })
    }

    async fn list_events(&self, entity: &str, job_id: Uuid, page: PageRequest) -> Result<Page<EventRecord>> {
        let listing = Listing {
            position: "SELECT sequence FROM events WHERE job_id = $1 AND id = $2",
            ascending: concat!(
                "SELECT ",
                columns::events!(),
                " FROM events WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND entity = $2)
                 AND sequence > $3 ORDER BY sequence LIMIT $4"
            ),
            descending: concat!(
                "SELECT ",
                columns::events!(),
                " FROM events WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND entity = $2)
                 AND sequence < $3 ORDER BY sequence DESC LIMIT $4"
            ),
            read: rows::event,
        };
        statement!(self, |connection| {
            let page = paging::page(connection, &listing, job_id.into(), &[entity.into()], page).await;
            of_existing(page, owned(connection, entity, job_id)).await
        })
    }

    async fn reward_deviations(&self, entity: &str, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
        reading!(self, |connection| {
            owned(connection, entity, job_id).await?;
            reward_deviations(connection, job_id).await
        })
    }

    async fn queue_depth(&self) -> Result<QueueDepth> {
        statement!(self, |connection| {
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
async fn create(store: &PostgresMetadata, first: Option<FirstModel>, job: NewJob) -> Result<JobRecord> {
    writing!(store, |connection| {
        if let Some(done) = idempotency::find_alone(connection, &job.entity, job.request.as_ref()).await? {
            return owned(connection, &job.entity, done.object_id()).await;
        }
        // Serializes the creation of an entity's jobs. So the count is exact, and jobs become visible in the order of
        // their sequence, in which the jobs of a model run.
        sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 2))")
            .bind(&job.entity)
            .execute(&mut *connection)
            .await?;
        if let Some(FirstModel { model, copy }) = &first {
            models::insert(connection, model).await?.created()?;
            if let Some(copy) = copy {
                checkpoints::add(connection, copy).await?;
            }
        }
        let record = insert(connection, &job).await?;
        idempotency::record(connection, &job.entity, job.request.as_ref(), IdempotentResult::Job(record.id)).await?;
        job_notifications::notify(connection).await?;
        Ok(record)
    })
}

async fn insert(connection: &mut PgConnection, job: &NewJob) -> Result<JobRecord> {
    let (artifact, file, url) = rows::input_columns(&job.input);
    models::lock_owned(connection, &job.entity, job.model_id).await?;
    for file in file.into_iter().chain(job.validation.map(|file| file.id)) {
        files::lock_owned(connection, &job.entity, file).await?;
    }
    let unfinished: i64 =
        sqlx::query_scalar("SELECT count(*) FROM jobs WHERE entity = $1 AND status IN ('queued', 'running')")
            .bind(&job.entity)
            .fetch_one(&mut *connection)
            .await?;
    rules::check_unfinished_jobs(unfinished)?;
    if let Some((key_id, limit)) = job.key_id.zip(job.max_unfinished_jobs) {
        let unfinished: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM jobs WHERE entity = $1 AND status IN ('queued', 'running') AND key_id = $2",
        )
        .bind(&job.entity)
        .bind(key_id)
        .fetch_one(&mut *connection)
        .await?;
        rules::check_unfinished_jobs_of_key(unfinished, limit)?;
    }
    let row = sqlx::query(concat!(
        "INSERT INTO jobs (id, entity, model_id, key_id, kind, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, sampler, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, ",
        now!(),
        ") RETURNING ",
        columns::jobs!()
    ))
    .bind(job.id)
    .bind(&job.entity)
    .bind(job.model_id)
    .bind(job.key_id)
    .bind(job.kind.as_str())
    .bind(&job.config)
    .bind(artifact)
    .bind(file)
    .bind(url)
    .bind(job.validation.map(|file| file.id))
    .bind(job.validation.map(|file| file.content.to_string()))
    .bind(job.fine_tuning.as_ref().map(rows::json))
    .bind(job.sampler.map(RemoteSampler::as_str))
    .fetch_one(connection)
    .await?;
    rows::job(&row)
}

/// Reads the job, if it belongs to the entity.
async fn owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<JobRecord> {
    let row = sqlx::query(concat!("SELECT ", columns::jobs!(), " FROM jobs WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// Reads the reward deviations up to a job. They never change: the jobs of a model run one after the other.
pub(super) async fn reward_deviations(connection: &mut PgConnection, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
    let recorded = sqlx::query(
        "SELECT jobs.start_step, jobs.reward_deviation FROM jobs JOIN jobs AS this ON this.model_id = jobs.model_id
         WHERE this.id = $1 AND jobs.reward_deviation IS NOT NULL AND jobs.start_step IS NOT NULL
             AND (jobs.id = this.id OR (jobs.status = 'succeeded' AND jobs.sequence < this.sequence))
         ORDER BY jobs.sequence",
    )
    .bind(job_id)
    .fetch_all(connection)
    .await?;
    recorded.iter().map(rows::reward_deviation).collect()
}
