//! Models and the trajectories that were logged with them.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::paging::FilteredListing;
use super::{SqliteMetadata, idempotency, lineage, now, references, usage};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    DeletedModel, IdempotentResult, ModelCreation, ModelRecord, NewCheckpoint, NewModel, NewTrajectoryLog, Origin,
    Page, PageRequest, TrajectoryLogRecord,
};
use crate::store::rows::{self, Columns};

/// The columns that a model is read from.
macro_rules! columns {
    () => {
        "*, (SELECT max(step) FROM checkpoints WHERE model_id = models.id) AS latest_step"
    };
}
pub(super) use columns;

pub(super) async fn create(store: &SqliteMetadata, model: NewModel) -> Result<ModelCreation> {
    let mut transaction = store.write().await?;
    if let Some(request) = &model.request
        && let Some(done) = idempotency::find(&mut transaction, &model.entity, request).await?
    {
        let record = owned(&mut transaction, &model.entity, done.object_id()).await?;
        return Ok(rows::repeated_model(done, record));
    }
    let creation = insert(&mut transaction, &model).await?;
    if let Some(request) = &model.request {
        let result = match &creation {
            ModelCreation::Created(model) => IdempotentResult::CreatedModel(model.id),
            ModelCreation::Existing(model) => IdempotentResult::ExistingModel(model.id),
        };
        idempotency::record(&mut transaction, &model.entity, request, result).await?;
    }
    transaction.commit().await?;
    Ok(creation)
}

/// Inserts a model and its checkpoint of step 0, unless the name is taken.
pub(super) async fn insert(connection: &mut SqliteConnection, model: &NewModel) -> Result<ModelCreation> {
    let created = sqlx::query(concat!(
        "INSERT INTO models (id, entity, project, name, base_model, training_method, run_id, created_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ",
        now!(),
        ") ON CONFLICT (entity, project, name) DO NOTHING RETURNING ",
        columns!()
    ))
    .bind(model.id.to_string())
    .bind(&model.entity)
    .bind(&model.project)
    .bind(&model.name)
    .bind(&model.base_model)
    .bind(rows::json(&model.method))
    .bind(&model.run_id)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = created else {
        let existing = named(connection, &model.entity, &model.project, &model.name).await?;
        return Ok(ModelCreation::Existing(existing));
    };
    // Its checkpoint comes next.
    let record = ModelRecord { latest_step: Some(0), ..rows::model(&row)? };
    sqlx::query(concat!(
        "INSERT INTO checkpoints (id, model_id, step, metrics, created_at) VALUES (?, ?, 0, '{}', ",
        now!(),
        ")"
    ))
    .bind(Uuid::now_v7().to_string())
    .bind(record.id.to_string())
    .execute(&mut *connection)
    .await?;
    let base = NewCheckpoint { provenance: model.provenance.clone(), ..NewCheckpoint::default() };
    lineage::record(connection, &record, 0, &base, &Origin::Registration).await?;
    Ok(ModelCreation::Created(record))
}

/// The model, if it belongs to the entity.
pub(super) async fn owned(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    let row = sqlx::query(concat!("SELECT ", columns!(), " FROM models WHERE id = ? AND entity = ?"))
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}

async fn named(connection: &mut SqliteConnection, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
    let row = sqlx::query(concat!("SELECT ", columns!(), " FROM models WHERE entity = ? AND project = ? AND name = ?"))
        .bind(entity)
        .bind(project)
        .bind(name)
        .fetch_optional(connection)
        .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}

pub(super) async fn find(store: &SqliteMetadata, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
    let mut transaction = store.read().await?;
    named(&mut transaction, entity, project, name).await
}

pub(super) async fn list(store: &SqliteMetadata, entity: &str) -> Result<Vec<ModelRecord>> {
    let rows = sqlx::query(concat!("SELECT ", columns!(), " FROM models WHERE entity = ? ORDER BY sequence"))
        .bind(entity)
        .fetch_all(&store.readers)
        .await?;
    rows.iter().map(rows::model).collect()
}

pub(super) async fn page_of(
    store: &SqliteMetadata,
    entity: &str,
    project: Option<&str>,
    request: PageRequest,
) -> Result<Page<ModelRecord>> {
    let listing = FilteredListing {
        place: "SELECT sequence FROM models WHERE entity = ? AND id = ?",
        ascending: concat!(
            "SELECT ",
            columns!(),
            " FROM models WHERE entity = ?1 AND (?2 IS NULL OR project = ?2) AND sequence > ?3
             ORDER BY sequence LIMIT ?4"
        ),
        descending: concat!(
            "SELECT ",
            columns!(),
            " FROM models WHERE entity = ?1 AND (?2 IS NULL OR project = ?2) AND sequence < ?3
             ORDER BY sequence DESC LIMIT ?4"
        ),
        read: rows::model,
    };
    let mut transaction = store.read().await?;
    listing.page(&mut transaction, entity, project, request).await
}

pub(super) async fn delete(store: &SqliteMetadata, entity: &str, id: Uuid) -> Result<DeletedModel> {
    let mut transaction = store.write().await?;
    owned(&mut transaction, entity, id).await?;
    let id = id.to_string();
    let used = references::of_model(&mut transaction, &id).await?;
    let unfinished = sqlx::query("SELECT id FROM jobs WHERE model_id = ? AND status IN ('queued', 'running')")
        .bind(&id)
        .fetch_all(&mut *transaction)
        .await?;
    for job in &unfinished {
        usage::add_training(&mut transaction, job.id("id")?).await?;
    }
    let events = sqlx::query("DELETE FROM events WHERE job_id IN (SELECT id FROM jobs WHERE model_id = ?)")
        .bind(&id)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
    let jobs =
        sqlx::query("DELETE FROM jobs WHERE model_id = ?").bind(&id).execute(&mut *transaction).await?.rows_affected();
    let checkpoints = sqlx::query("DELETE FROM checkpoints WHERE model_id = ?")
        .bind(&id)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
    sqlx::query("DELETE FROM manifests WHERE model_id = ?").bind(&id).execute(&mut *transaction).await?;
    sqlx::query("DELETE FROM kept_artifacts WHERE model_id = ?").bind(&id).execute(&mut *transaction).await?;
    sqlx::query("DELETE FROM trajectory_logs WHERE model_id = ?").bind(&id).execute(&mut *transaction).await?;
    sqlx::query("DELETE FROM models WHERE id = ?").bind(&id).execute(&mut *transaction).await?;
    let unreferenced = references::unreferenced(&mut transaction, &used).await?;
    transaction.commit().await?;
    Ok(DeletedModel { checkpoints, jobs, events, unreferenced })
}

pub(super) async fn add_trajectory_log(store: &SqliteMetadata, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord> {
    let mut transaction = store.write().await?;
    if let Some(request) = &log.request
        && let Some(done) = idempotency::find(&mut transaction, &log.entity, request).await?
    {
        let row = sqlx::query("SELECT * FROM trajectory_logs WHERE id = ? AND model_id = ?")
            .bind(done.object_id().to_string())
            .bind(log.model_id.to_string())
            .fetch_optional(&mut *transaction)
            .await?;
        return rows::trajectory_log(&row.ok_or(StoreError::NotFound("model"))?);
    }
    owned(&mut transaction, &log.entity, log.model_id).await?;
    let row = sqlx::query(concat!(
        "INSERT INTO trajectory_logs (id, model_id, split, artifact, groups, created_at) VALUES (?, ?, ?, ?, ?, ",
        now!(),
        ") RETURNING *"
    ))
    .bind(log.id.to_string())
    .bind(log.model_id.to_string())
    .bind(&log.split)
    .bind(log.artifact.to_string())
    .bind(log.groups)
    .fetch_one(&mut *transaction)
    .await?;
    if let Some(request) = &log.request {
        let result = IdempotentResult::TrajectoryLog(log.id);
        idempotency::record(&mut transaction, &log.entity, request, result).await?;
    }
    transaction.commit().await?;
    rows::trajectory_log(&row)
}
