//! Models and the trajectories that were logged with them.

use sqlx::PgConnection;
use uuid::Uuid;

use super::paging::FilteredListing;
use super::transactions::{reading, statement, writing};
use super::{PostgresMetadata, columns, idempotency, lineage, now, references, usage};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    DeletedModel, IdempotentResult, ModelCreation, ModelRecord, NewCheckpoint, NewModel, NewTrajectoryLog, Origin,
    Page, PageRequest, TrajectoryLogRecord,
};
use crate::store::rows::{self, Columns};

pub(super) async fn create(store: &PostgresMetadata, model: NewModel) -> Result<ModelCreation> {
    writing!(store, |connection| {
        if let Some(request) = &model.request
            && let Some(done) = idempotency::find_alone(connection, &model.entity, request).await?
        {
            let record = owned(connection, &model.entity, done.object_id()).await?;
            return Ok(rows::repeated_model(done, record));
        }
        let creation = insert(connection, &model).await?;
        if let Some(request) = &model.request {
            let result = match &creation {
                ModelCreation::Created(model) => IdempotentResult::CreatedModel(model.id),
                ModelCreation::Existing(model) => IdempotentResult::ExistingModel(model.id),
            };
            idempotency::record(connection, &model.entity, request, result).await?;
        }
        Ok(creation)
    })
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
            // It was deleted between the two statements, so the name is free: to be tried again.
            Err(error @ StoreError::NotFound(_)) => Err(StoreError::Unavailable(Box::new(error))),
            Err(error) => Err(error),
        };
    };
    // Its checkpoint comes next.
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
    let base = NewCheckpoint { provenance: model.provenance.clone(), ..NewCheckpoint::default() };
    lineage::record(connection, &record, 0, &base, &Origin::Registration).await?;
    Ok(ModelCreation::Created(record))
}

/// The model, if it belongs to the entity.
pub(super) async fn owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    let row = sqlx::query(concat!("SELECT ", columns::models!(), " FROM models WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}

/// As [`owned`]; until the transaction ends nobody deletes the model, and nobody else who calls this goes on.
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

pub(super) async fn find(store: &PostgresMetadata, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
    // No stored text has this character, and the database refuses to look for it.
    if [entity, project, name].iter().any(|text| text.contains('\0')) {
        return Err(StoreError::NotFound("model"));
    }
    statement!(store, |connection| named(connection, entity, project, name).await)
}

pub(super) async fn list(store: &PostgresMetadata, entity: &str) -> Result<Vec<ModelRecord>> {
    statement!(store, |connection| {
        let rows =
            sqlx::query(concat!("SELECT ", columns::models!(), " FROM models WHERE entity = $1 ORDER BY sequence"))
                .bind(entity)
                .fetch_all(connection)
                .await?;
        rows.iter().map(rows::model).collect()
    })
}

pub(super) async fn page_of(
    store: &PostgresMetadata,
    entity: &str,
    project: Option<&str>,
    request: PageRequest,
) -> Result<Page<ModelRecord>> {
    // No stored text has this character, and the database refuses to look for it.
    let project = project.map(|project| project.replace('\0', "/"));
    let listing = FilteredListing {
        place: "SELECT sequence FROM models WHERE entity = $1 AND id = $2",
        ascending: concat!(
            "SELECT ",
            columns::models!(),
            " FROM models WHERE entity = $1 AND ($2::text IS NULL OR project = $2) AND sequence > $3
             ORDER BY sequence LIMIT $4"
        ),
        descending: concat!(
            "SELECT ",
            columns::models!(),
            " FROM models WHERE entity = $1 AND ($2::text IS NULL OR project = $2) AND sequence < $3
             ORDER BY sequence DESC LIMIT $4"
        ),
        read: rows::model,
    };
    reading!(store, |connection| listing.page(connection, entity, project.as_deref(), request).await)
}

pub(super) async fn delete(store: &PostgresMetadata, entity: &str, id: Uuid) -> Result<DeletedModel> {
    writing!(store, |connection| {
        owned(connection, entity, id).await?;
        // Jobs before their model, as their workers lock them.
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

pub(super) async fn add_trajectory_log(store: &PostgresMetadata, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord> {
    writing!(store, |connection| {
        if let Some(request) = &log.request
            && let Some(done) = idempotency::find_alone(connection, &log.entity, request).await?
        {
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
        if let Some(request) = &log.request {
            let result = IdempotentResult::TrajectoryLog(log.id);
            idempotency::record(connection, &log.entity, request, result).await?;
        }
        rows::trajectory_log(&row)
    })
}
