//! [`Jobs`].

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{self, Connection, Store};
use super::dialect::{indexed_by, json_texts, lock, now, position, queueing, reading, snapshot, writing};
use super::fetch::Fetch;
use super::paging::{listing, of_existing};
use super::sql::job_now;
use super::{checkpoints, columns, files, idempotency, job_state, models, references, usage};
use crate::metadata::{Jobs, Result};
use crate::paging::Value;
use crate::records::{
    CancelledJob, EventRecord, FirstModel, IdempotentResult, JobErrorCode, JobFilter, JobRecord, JobState, JobStatus,
    LabelChange, NewEvent, NewJob, Page, PageRequest, QueueDepth, RemoteSampler, RewardDeviation,
};
use crate::{rows, rules};

/// The jobs of an owner that pass a filter.
macro_rules! jobs_of {
    ($owner:literal) => {
        listing! {
            position: concat!("SELECT sequence FROM jobs WHERE ", $owner, " AND id = $2"),
            rows: job_state::names!(), job_state::states!(),
                "WHERE ",
                $owner,
                " AND ($2 IS NULL OR model_id = $2) AND ($3 IS NULL OR kind = $3)
                 AND ($4 IS NULL OR $4 = CASE WHEN error_code = 'cancelled' THEN 'cancelled' ELSE status END)
                 AND ($5 IS NULL OR ",
                position!("$5" in "lower(name)"),
                " > 0 OR EXISTS (SELECT 1 FROM ",
                json_texts!("tags"),
                " AS tag WHERE ",
                position!("$5" in "lower(tag.value)"),
                " > 0))";
            order: "sequence", "$6", "$7";
            read: rows::job_state,
        }
    };
}

#[async_trait]
impl Jobs for Store {
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

    async fn list_jobs(&self, entity: &str, filter: JobFilter<'_>, request: PageRequest) -> Result<Page<JobState>> {
        let listing = jobs_of!("entity = $1");
        let filters = filter.values();
        reading!(self, |connection| listing.page(connection, entity.into(), &filters, request).await)
    }

    async fn set_job_labels(&self, entity: &str, id: Uuid, change: LabelChange) -> Result<JobState> {
        writing!(self, |connection| {
            lock!(connection, "SELECT 1 FROM jobs WHERE id = $1 AND entity = $2 FOR UPDATE", dialect::id(id), entity);
            let labels = rules::changed_labels(owned(connection, entity, id).await?, change.clone());
            let (name, tags) = rows::label_columns(&labels);
            sqlx::query("UPDATE jobs SET name = $1, tags = $2 WHERE id = $3")
                .bind(name)
                .bind(tags)
                .bind(dialect::id(id))
                .execute(&mut *connection)
                .await?;
            job_state::read(connection, entity, id).await
        })
    }

    async fn list_all_jobs(&self, filter: JobFilter<'_>, request: PageRequest) -> Result<Page<JobState>> {
        let listing = jobs_of!("$1 IS NULL");
        let filters = filter.values();
        reading!(self, |connection| listing.page(connection, Value::Text(None), &filters, request).await)
    }

    async fn unfinished_jobs_of_key(&self, entity: &str, key_id: Uuid) -> Result<u64> {
        reading!(self, |connection| Ok(unfinished_of_key(connection, entity, key_id).await?.unsigned_abs()))
    }

    async fn cancel_job(&self, entity: &str, id: Uuid, message: &str, event: NewEvent) -> Result<CancelledJob> {
        // The next job of the model is claimable afterwards.
        queueing!(self, |connection| {
            // Its worker's writes wait for this lock and find the lease lost.
            lock!(connection, "SELECT 1 FROM jobs WHERE id = $1 AND entity = $2 FOR UPDATE", dialect::id(id), entity);
            let job = owned(connection, entity, id).await?;
            if !rules::is_cancellable(&job)? {
                let state = job_state::read(connection, entity, id).await?;
                return Ok(CancelledJob { state, unreferenced: Vec::new() });
            }
            job_state::append_last_event(connection, &job, &event).await?;
            // The new token fences off the job's worker.
            sqlx::query(concat!(
                "UPDATE jobs SET status = $1, error = $2, error_code = $3, ended_at = ",
                job_now!(),
                ", lease_owner = NULL, lease_deadline = NULL, lease_token = lease_token + 1 WHERE id = $4"
            ))
            .bind(JobStatus::Failed.as_str())
            .bind(message)
            .bind(JobErrorCode::Cancelled.as_str())
            .bind(dialect::id(id))
            .execute(&mut *connection)
            .await?;
            usage::add_training(connection, id).await?;
            let unreferenced = references::unreferenced(connection, &rules::artifacts_of_job(job)).await?;
            let state = job_state::read(connection, entity, id).await?;
            Ok(CancelledJob { state, unreferenced })
        })
    }

    async fn list_events(&self, entity: &str, job_id: Uuid, page: PageRequest) -> Result<Page<EventRecord>> {
        let listing = listing! {
            position: "SELECT sequence FROM events WHERE job_id = $1 AND id = $2",
            rows: columns::events!(), columns::select!(
                events,
                "job_id = (SELECT id FROM jobs WHERE id = $1 AND entity = $2)"
            );
            order: "sequence", "$3", "$4";
            read: rows::event,
        };
        reading!(self, |connection| {
            let page = listing.page(connection, job_id.into(), &[entity.into()], page).await;
            of_existing(page, owned(connection, entity, job_id)).await
        })
    }

    async fn reward_deviations(&self, entity: &str, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
        snapshot!(self, |connection| {
            owned(connection, entity, job_id).await?;
            reward_deviations(connection, job_id).await
        })
    }

    async fn queue_depth(&self) -> Result<QueueDepth> {
        reading!(self, |connection| {
            sqlx::query(
                "SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                        count(*) FILTER (WHERE status = 'running') AS running
                 FROM jobs WHERE status IN ('queued', 'running')",
            )
            .one(connection, rows::queue_depth)
            .await
        })
    }
}

/// Queues a job, after creating its model if `first` is given.
async fn create(store: &Store, first: Option<FirstModel>, job: NewJob) -> Result<JobRecord> {
    queueing!(store, |connection| {
        if let Some(done) = idempotency::find_alone(connection, &job.entity, job.request.as_ref()).await? {
            return owned(connection, &job.entity, done.object_id()).await;
        }
        // Serializes the creation of an entity's jobs. So the count is exact, and jobs become visible in the order of
        // their sequence, in which the jobs of a model run.
        lock!(connection, "SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", &job.entity);
        if let Some(FirstModel { model, copy }) = &first {
            models::insert(connection, model).await?.created()?;
            if let Some(copy) = copy {
                checkpoints::add(connection, copy).await?;
            }
        }
        let record = insert(connection, &job).await?;
        idempotency::record(connection, &job.entity, job.request.as_ref(), IdempotentResult::Job(record.id)).await?;
        Ok(record)
    })
}

async fn insert(connection: &mut Connection, job: &NewJob) -> Result<JobRecord> {
    let (artifact, file, url) = rows::input_columns(&job.input);
    let (name, tags) = rows::label_columns(&job.labels);
    models::lock_owned(connection, &job.entity, job.model_id).await?;
    for file in file.into_iter().chain(job.validation.map(|file| file.id)) {
        files::lock_owned(connection, &job.entity, file).await?;
    }
    let unfinished: i64 = sqlx::query_scalar(concat!(
        "SELECT count(*) FROM jobs",
        indexed_by!("unfinished_jobs_of_entity"),
        " WHERE entity = $1 AND status IN ('queued', 'running')"
    ))
    .bind(&job.entity)
    .fetch_one(&mut *connection)
    .await?;
    rules::check_unfinished_jobs(unfinished)?;
    if let Some((key_id, limit)) = job.key_id.zip(job.max_unfinished_jobs) {
        let unfinished = unfinished_of_key(connection, &job.entity, key_id).await?;
        rules::check_unfinished_jobs_of_key(unfinished, limit)?;
    }
    sqlx::query(concat!(
        "INSERT INTO jobs (id, entity, model_id, key_id, kind, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, sampler, name, tags, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, ",
        now!(),
        ") RETURNING ",
        columns::jobs!()
    ))
    .bind(dialect::id(job.id))
    .bind(&job.entity)
    .bind(dialect::id(job.model_id))
    .bind(job.key_id.map(dialect::id))
    .bind(job.kind.as_str())
    .bind(&job.config)
    .bind(artifact)
    .bind(file.map(dialect::id))
    .bind(url)
    .bind(job.validation.map(|file| dialect::id(file.id)))
    .bind(job.validation.map(|file| file.content.to_string()))
    .bind(job.fine_tuning.as_ref().map(rows::json))
    .bind(job.sampler.map(RemoteSampler::as_str))
    .bind(name)
    .bind(tags)
    .one(connection, rows::job)
    .await
}

async fn unfinished_of_key(connection: &mut Connection, entity: &str, key_id: Uuid) -> Result<i64> {
    let unfinished = sqlx::query_scalar(concat!(
        "SELECT count(*) FROM jobs",
        indexed_by!("unfinished_jobs_of_entity"),
        " WHERE entity = $1 AND status IN ('queued', 'running') AND key_id = $2"
    ));
    Ok(unfinished.bind(entity).bind(dialect::id(key_id)).fetch_one(connection).await?)
}

/// Reads the job, if it belongs to the entity.
pub(super) async fn owned(connection: &mut Connection, entity: &str, id: Uuid) -> Result<JobRecord> {
    sqlx::query(columns::select!(jobs, "id = $1 AND entity = $2"))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("training job", connection, rows::job)
        .await
}

/// Reads the reward deviations up to a job. They never change: the jobs of a model run one after the other.
pub(super) async fn reward_deviations(connection: &mut Connection, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
    sqlx::query(
        "SELECT jobs.start_step, jobs.reward_deviation FROM jobs JOIN jobs AS this ON this.model_id = jobs.model_id
         WHERE this.id = $1 AND jobs.reward_deviation IS NOT NULL AND jobs.start_step IS NOT NULL
             AND (jobs.id = this.id OR (jobs.status = 'succeeded' AND jobs.sequence < this.sequence))
         ORDER BY jobs.sequence",
    )
    .bind(dialect::id(job_id))
    .all(connection, rows::reward_deviation)
    .await
}
