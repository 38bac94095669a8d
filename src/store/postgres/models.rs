//! [`Models`] in PostgreSQL.

use async_trait::async_trait;
use sqlx::PgConnection;
use uuid::Uuid;

use super::database::PostgresMetadata;
use super::sql::now;
use super::transactions::{reading, statement, writing};
use super::{columns, idempotency, lineage, paging, references, usage};
use crate::store::metadata::{Models, Result, StoreError};
use crate::store::paging::{Listing, Value, of_existing};
use crate::store::records::{
    DeletedModel, IdempotentResult, ModelCreation, ModelFilter, ModelRecord, NewCheckpoint, NewModel, NewTrajectoryLog,
    NewestModels, Origin, Page, PageRequest, TrajectoryLogRecord,
};
use crate::store::rows::{self, Columns};

/// SQL for at most $5 logs of model $1 of entity $2 on one side of position $4 that pass the filter $3.
macro_rules! log_page {
    ($side:literal, $order:literal) => {
        concat!(
            "SELECT id, model_id, split, artifact, groups, created_at FROM trajectory_logs
             WHERE model_id = (SELECT id FROM models WHERE id = $1 AND entity = $2)
             AND ($3::text IS NULL OR split = $3) AND sequence ",
            $side,
            " $4 ORDER BY ",
            $order,
            " LIMIT $5"
        )
    };
}

#[async_trait]
impl Models for PostgresMetadata {
    async fn create_model(&self, model: NewModel) -> Result<ModelCreation> {
        writing!(self, |connection| {
            if let Some(done) = idempotency::find_alone(connection, &model.entity, model.request.as_ref()).await? {
                let record = owned(connection, &model.entity, done.object_id()).await?;
                return Ok(ModelCreation::repeated(done, record));
            }
            let creation = insert(connection, &model).await?;
            let result = creation.idempotent_result();
            idempotency::record(connection, &model.entity, model.request.as_ref(), result).await?;
            Ok(creation)
        })
    }

    async fn get_model(&self, entity: &str, id: Uuid) -> Result<ModelRecord> {
        statement!(self, |connection| owned(connection, entity, id).await)
    }

    async fn find_model(&self, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
        // No stored text contains this character, and PostgreSQL rejects it in a query.
        if [entity, project, name].iter().any(|text| text.contains('\0')) {
            return Err(StoreError::NotFound("model"));
        }
        statement!(self, |connection| named(connection, entity, project, name).await)
    }

    async fn list_models(&self, entity: &str) -> Result<Vec<ModelRecord>> {
        statement!(self, |connection| {
            let rows =
                sqlx::query(concat!("SELECT ", columns::models!(), " FROM models WHERE entity = $1 ORDER BY sequence"))
                    .bind(entity)
                    .fetch_all(connection)
                    .await?;
            rows.iter().map(rows::model).collect()
        })
    }

    async fn page_models(
        &self,
        entity: &str,
        filter: ModelFilter<'_>,
        request: PageRequest,
    ) -> Result<Page<ModelRecord>> {
        // No stored text contains this character, and PostgreSQL rejects it in a query.
        let project = filter.project.map(|project| project.replace('\0', "/"));
        let listing = Listing {
            position: "SELECT sequence FROM models WHERE entity = $1 AND id = $2",
            ascending: concat!(
                "SELECT ",
                columns::models!(),
                " FROM models WHERE entity = $1 AND ($2::text IS NULL OR project = $2)
                 AND ($3::text IS NULL OR strpos(lower(project || '/' || name), $3) > 0) AND sequence > $4
                 ORDER BY sequence LIMIT $5"
            ),
            descending: concat!(
                "SELECT ",
                columns::models!(),
                " FROM models WHERE entity = $1 AND ($2::text IS NULL OR project = $2)
                 AND ($3::text IS NULL OR strpos(lower(project || '/' || name), $3) > 0) AND sequence < $4
                 ORDER BY sequence DESC LIMIT $5"
            ),
            read: rows::model,
        };
        let filters = [Value::Text(project.as_deref()), Value::Text(filter.text)];
        statement!(self, |connection| paging::page(connection, &listing, entity.into(), &filters, request).await)
    }

    async fn list_newest(&self, entity: &str, limit: u32) -> Result<NewestModels> {
        reading!(self, |connection| {
            let models = sqlx::query(concat!(
                "SELECT ",
                columns::models!(),
                " FROM models WHERE entity = $1 ORDER BY sequence DESC LIMIT $2"
            ))
            .bind(entity)
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
            let checkpoints = sqlx::query(
                "SELECT model_id, step, created_at FROM checkpoints
                 WHERE model_id IN (SELECT id FROM models WHERE entity = $1)
                 ORDER BY created_at DESC, model_id, step DESC LIMIT $2",
            )
            .bind(entity)
            .bind(i64::from(limit))
            .fetch_all(connection)
            .await?;
            Ok(NewestModels {
                models: models.iter().map(rows::model).collect::<Result<_>>()?,
                checkpoints: checkpoints.iter().map(rows::checkpoint_step).collect::<Result<_>>()?,
            })
        })
    }

    async fn delete_model(&self, entity: &str, id: Uuid) -> Result<DeletedModel> {
        writing!(self, |connection| {
            owned(connection, entity, id).await?;
            // Jobs before their model: the lock order of workers.
            sqlx::query("SELECT 1 FROM jobs WHERE model_id = $1 ORDER BY sequence FOR UPDATE")
                .bind(id)
                .execute(&mut *connection)
                .await?;
            let model = sqlx::query("SELECT 1 FROM models WHERE id = $1 FOR UPDATE").bind(id).execute(&mut *connection);
            if model.await?.rows_affected() == 0 {
                return Err(StoreError::NotFound("model"));
            }
            let unfinished = sqlx::query("SELECT id FROM jobs WHERE model_id = $1 AND status IN ('queued', 'running')")
                .bind(id)
                .fetch_all(&mut *connection)
                .await?;
            for job in &unfinished {
                usage::add_training(connection, job.id("id")?).await?;
            }
            let used = references::of_model(connection, id).await?;
            let events = sqlx::query("DELETE FROM events WHERE job_id IN (SELECT id FROM jobs WHERE model_id = $1)")
                .bind(id)
                .execute(&mut *connection)
                .await?
                .rows_affected();
            let jobs = sqlx::query("DELETE FROM jobs WHERE model_id = $1")
                .bind(id)
                .execute(&mut *connection)
                .await?
                .rows_affected();
            let checkpoints = sqlx::query("DELETE FROM checkpoints WHERE model_id = $1")
                .bind(id)
                .execute(&mut *connection)
                .await?
                .rows_affected();
            sqlx::query("DELETE FROM manifests WHERE model_id = $1").bind(id).execute(&mut *connection).await?;
            sqlx::query("DELETE FROM kept_artifacts WHERE model_id = $1").bind(id).execute(&mut *connection).await?;
            sqlx::query("DELETE FROM trajectory_logs WHERE model_id = $1").bind(id).execute(&mut *connection).await?;
            sqlx::query("DELETE FROM models WHERE id = $1").bind(id).execute(&mut *connection).await?;
            let unreferenced = references::unreferenced(connection, &used).await?;
            Ok(DeletedModel { checkpoints, jobs, events, unreferenced })
        })
    }

    async fn add_trajectory_log(&self, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord> {
        writing!(self, |connection| {
            if let Some(done) = idempotency::find_alone(connection, &log.entity, log.request.as_ref()).await? {
                let row = sqlx::query(
                    "SELECT id, model_id, split, artifact, groups, created_at FROM trajectory_logs
                     WHERE id = $1 AND model_id = $2",
                )
                .bind(done.object_id())
                .bind(log.model_id)
                .fetch_optional(connection)
                .await?;
                return rows::trajectory_log(&row.ok_or(StoreError::NotFound("model"))?);
            }
            lock_owned(connection, &log.entity, log.model_id).await?;
            let row = sqlx::query(concat!(
                "INSERT INTO trajectory_logs (id, model_id, split, artifact, groups, created_at)
                 VALUES ($1, $2, $3, $4, $5, ",
                now!(),
                ") RETURNING id, model_id, split, artifact, groups, created_at"
            ))
            .bind(log.id)
            .bind(log.model_id)
            .bind(&log.split)
            .bind(log.artifact.to_string())
            .bind(log.groups)
            .fetch_one(&mut *connection)
            .await?;
            let result = IdempotentResult::TrajectoryLog(log.id);
            idempotency::record(connection, &log.entity, log.request.as_ref(), result).await?;
            rows::trajectory_log(&row)
        })
    }

    async fn list_trajectory_logs(
        &self,
        entity: &str,
        model_id: Uuid,
        split: Option<&str>,
        request: PageRequest,
    ) -> Result<Page<TrajectoryLogRecord>> {
        let listing = Listing {
            position: "SELECT sequence FROM trajectory_logs WHERE model_id = $1 AND id = $2",
            ascending: log_page!(">", "sequence"),
            descending: log_page!("<", "sequence DESC"),
            read: rows::trajectory_log,
        };
        let filters = [entity.into(), Value::Text(split)];
        statement!(self, |connection| {
            let page = paging::page(connection, &listing, model_id.into(), &filters, request).await;
            of_existing(page, owned(connection, entity, model_id)).await
        })
    }

    async fn get_trajectory_log(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<TrajectoryLogRecord> {
        statement!(self, |connection| {
            owned(connection, entity, model_id).await?;
            let row = sqlx::query(
                "SELECT id, model_id, split, artifact, groups, created_at FROM trajectory_logs
                 WHERE id = $1 AND model_id = $2",
            )
            .bind(id)
            .bind(model_id)
            .fetch_optional(connection)
            .await?;
            rows::trajectory_log(&row.ok_or(StoreError::NotFound("trajectory log"))?)
        })
    }
}

/// Inserts a model and its checkpoint of step 0, unless the name is taken.
pub(super) async fn insert(connection: &mut PgConnection, model: &NewModel) -> Result<ModelCreation> {
    let created = sqlx::query(concat!(
        "INSERT INTO models (id, entity, project, name, base_model, training_method, run_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, ",
        now!(),
        ") ON CONFLICT (entity, project, name) DO NOTHING RETURNING ",
        columns::models!()
    ))
    .bind(model.id)
    .bind(&model.entity)
    .bind(&model.project)
    .bind(&model.name)
    .bind(&model.base_model)
    .bind(rows::json(&model.method))
    .bind(&model.run_id)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = created else {
        return match named(connection, &model.entity, &model.project, &model.name).await {
            Ok(existing) => Ok(ModelCreation::Existing(existing)),
            // It was deleted between the two statements, so the name is free: a retry succeeds.
            Err(error @ StoreError::NotFound(_)) => Err(StoreError::Unavailable(Box::new(error))),
            Err(error) => Err(error),
        };
    };
    // Its checkpoint is inserted next.
    let record = ModelRecord { latest_step: Some(0), ..rows::model(&row)? };
    sqlx::query(concat!(
        "INSERT INTO checkpoints (id, model_id, step, metrics, created_at) VALUES ($1, $2, 0, '{}', ",
        now!(),
        ")"
    ))
    .bind(Uuid::now_v7())
    .bind(record.id)
    .execute(&mut *connection)
    .await?;
    let base = NewCheckpoint::base(model);
    lineage::record(connection, &record, 0, &base, &Origin::Registration).await?;
    Ok(ModelCreation::Created(record))
}

/// Reads the model, if it belongs to the entity.
pub(super) async fn owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    let row = sqlx::query(concat!("SELECT ", columns::models!(), " FROM models WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}

/// Reads the model as [`owned`] does, and locks it until the transaction ends: against deletion, and against other
/// calls of this function.
pub(super) async fn lock_owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    let row = sqlx::query(concat!(
        "SELECT ",
        columns::models!(),
        " FROM models WHERE id = $1 AND entity = $2 FOR NO KEY UPDATE"
    ))
    .bind(id)
    .bind(entity)
    .fetch_optional(connection)
    .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}

async fn named(connection: &mut PgConnection, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
    let row = sqlx::query(concat!(
        "SELECT ",
        columns::models!(),
        " FROM models WHERE entity = $1 AND project = $2 AND name = $3"
    ))
    .bind(entity)
    .bind(project)
    .bind(name)
    .fetch_optional(connection)
    .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}
