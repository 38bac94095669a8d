//! Checkpoints.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::paging::Listing;
use super::{SqliteMetadata, files, idempotency, lineage, models, now, references};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    AdapterArtifacts, AddedCheckpoint, CheckpointRecord, CheckpointSource, DeletedCheckpoints, IdempotentResult,
    JobKind, NewCheckpoint, Origin, Page, PageRequest,
};
use crate::store::rows;

pub(super) async fn list(
    store: &SqliteMetadata,
    entity: &str,
    model_id: Uuid,
    page: PageRequest,
) -> Result<Page<CheckpointRecord>> {
    let mut transaction = store.read().await?;
    models::owned(&mut transaction, entity, model_id).await?;
    let listing = Listing {
        place: "SELECT step FROM checkpoints WHERE model_id = ?1 AND id = ?2",
        ascending: "SELECT * FROM checkpoints WHERE model_id = ?1 AND step > ?2 ORDER BY step LIMIT ?3",
        descending: "SELECT * FROM checkpoints WHERE model_id = ?1 AND step < ?2 ORDER BY step DESC LIMIT ?3",
        read: rows::checkpoint,
    };
    listing.page(&mut transaction, model_id, page).await
}

pub(super) async fn newest(connection: &mut SqliteConnection, model_id: Uuid) -> Result<Option<CheckpointRecord>> {
    let row = sqlx::query("SELECT * FROM checkpoints WHERE model_id = ? ORDER BY step DESC LIMIT 1")
        .bind(model_id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(rows::checkpoint).transpose()
}

pub(super) async fn list_newest(store: &SqliteMetadata, entity: &str, limit: u32) -> Result<Vec<CheckpointRecord>> {
    let rows = sqlx::query(
        "SELECT * FROM checkpoints WHERE model_id IN (SELECT id FROM models WHERE entity = ?)
         ORDER BY created_at DESC, model_id, step DESC LIMIT ?",
    )
    .bind(entity)
    .bind(limit)
    .fetch_all(&store.readers)
    .await?;
    rows.iter().map(rows::checkpoint).collect()
}

pub(super) async fn at_step(
    connection: &mut SqliteConnection,
    model_id: Uuid,
    step: i64,
) -> Result<Option<CheckpointRecord>> {
    let row = sqlx::query("SELECT * FROM checkpoints WHERE model_id = ? AND step = ?")
        .bind(model_id.to_string())
        .bind(step)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(rows::checkpoint).transpose()
}

pub(super) async fn of_id(connection: &mut SqliteConnection, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord> {
    let row = sqlx::query("SELECT * FROM checkpoints WHERE model_id = ? AND id = ?")
        .bind(model_id.to_string())
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    rows::checkpoint(&row.ok_or(StoreError::NotFound("checkpoint"))?)
}

pub(super) async fn delete(
    store: &SqliteMetadata,
    entity: &str,
    model_id: Uuid,
    steps: &[i64],
    allow_latest: bool,
) -> Result<DeletedCheckpoints> {
    let mut wanted = steps.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let mut transaction = store.write().await?;
    let model = models::owned(&mut transaction, entity, model_id).await?;
    model.check_deletion(&wanted, allow_latest)?;
    let deleted_rows = sqlx::query(
        "DELETE FROM checkpoints WHERE model_id = ? AND step IN (SELECT value FROM json_each(?)) RETURNING *",
    )
    .bind(model_id.to_string())
    .bind(rows::json(&wanted))
    .fetch_all(&mut *transaction)
    .await?;
    let mut deleted = Vec::with_capacity(deleted_rows.len());
    let mut used = Vec::new();
    for row in &deleted_rows {
        let checkpoint = rows::checkpoint(row)?;
        deleted.push(checkpoint.step);
        used.extend(checkpoint.adapter.iter().flat_map(|adapter| [adapter.config, adapter.weights]));
        used.extend(checkpoint.optimizer.iter().map(|optimizer| optimizer.state));
    }
    deleted.sort_unstable();
    used.extend(lineage::release(&mut transaction, model_id).await?);
    let unreferenced = references::unreferenced(&mut transaction, &used).await?;
    transaction.commit().await?;
    let not_found = wanted.into_iter().filter(|step| deleted.binary_search(step).is_err()).collect();
    Ok(DeletedCheckpoints { deleted, not_found, unreferenced })
}

/// Forgets the optimizer state of all but the model's newest checkpoint: training only ever goes on from that one.
/// Returns the artifacts, which other rows may refer to.
pub(super) async fn drop_superseded_optimizers(
    connection: &mut SqliteConnection,
    model_id: Uuid,
) -> Result<Vec<ArtifactId>> {
    let states = sqlx::query(
        "SELECT optimizer_state AS artifact FROM checkpoints WHERE model_id = ?1 AND optimizer_state IS NOT NULL
         AND step < (SELECT max(step) FROM checkpoints WHERE model_id = ?1)",
    )
    .bind(model_id.to_string())
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE checkpoints SET optimizer_state = NULL, optimizer_kind = NULL
         WHERE model_id = ?1 AND optimizer_state IS NOT NULL
         AND step < (SELECT max(step) FROM checkpoints WHERE model_id = ?1)",
    )
    .bind(model_id.to_string())
    .execute(connection)
    .await?;
    rows::artifacts(&states)
}

pub(super) async fn set_metadata(
    store: &SqliteMetadata,
    entity: &str,
    model_id: Uuid,
    step: i64,
    metadata: &str,
) -> Result<CheckpointRecord> {
    let mut transaction = store.write().await?;
    models::owned(&mut transaction, entity, model_id).await?;
    let row = sqlx::query("UPDATE checkpoints SET metadata = ? WHERE model_id = ? AND step = ? RETURNING *")
        .bind(metadata)
        .bind(model_id.to_string())
        .bind(step)
        .fetch_optional(&mut *transaction)
        .await?;
    let record = rows::checkpoint(&row.ok_or(StoreError::NotFound("checkpoint"))?)?;
    transaction.commit().await?;
    Ok(record)
}

pub(super) async fn add(store: &SqliteMetadata, added: AddedCheckpoint) -> Result<CheckpointRecord> {
    let mut transaction = store.write().await?;
    if let Some(request) = &added.request
        && let Some(done) = idempotency::find(&mut transaction, &added.entity, request).await?
    {
        return of_id(&mut transaction, added.model_id, done.object_id()).await;
    }
    let (entity, request) = (added.entity.clone(), added.request.clone());
    let record = make(&mut transaction, added).await?;
    if let Some(request) = &request {
        idempotency::record(&mut transaction, &entity, request, IdempotentResult::Checkpoint(record.id)).await?;
    }
    transaction.commit().await?;
    Ok(record)
}

/// Makes a checkpoint from what it names.
pub(super) async fn make(connection: &mut SqliteConnection, added: AddedCheckpoint) -> Result<CheckpointRecord> {
    let AddedCheckpoint { id, entity, model_id, least_step, metadata, source, provenance, request: _ } = added;
    models::owned(connection, &entity, model_id).await?;
    let (made, origin) = match source {
        CheckpointSource::Step { model_id, step } => {
            models::owned(connection, &entity, model_id).await?;
            let found = at_step(connection, model_id, step).await?;
            let CheckpointRecord { metrics, adapter, optimizer, .. } =
                found.ok_or(StoreError::NotFound("checkpoint"))?;
            (NewCheckpoint { metrics, adapter, optimizer, ..NewCheckpoint::default() }, Origin::Copy { model_id, step })
        }
        CheckpointSource::File { file, config } => {
            let weights = files::owned(connection, &entity, file).await?.artifact;
            let adapter = Some(AdapterArtifacts { config, weights });
            (NewCheckpoint { adapter, ..NewCheckpoint::default() }, Origin::Import)
        }
    };
    let checkpoint = NewCheckpoint { provenance, least_step, metadata, ..made };
    insert(connection, id, model_id, &checkpoint, &origin).await
}

/// Stores a checkpoint under the model's next step, or the least that it may get.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    id: Uuid,
    model_id: Uuid,
    checkpoint: &NewCheckpoint,
    origin: &Origin<'_>,
) -> Result<CheckpointRecord> {
    let metrics = rows::metrics(&checkpoint.metrics)?;
    let statement =
        concat!("UPDATE models SET last_step = max(last_step + 1, ?2) WHERE id = ?1 RETURNING ", models::columns!());
    let model = sqlx::query(statement)
        .bind(model_id.to_string())
        .bind(checkpoint.least_step)
        .fetch_optional(&mut *connection)
        .await?;
    let model = rows::model(&model.ok_or(StoreError::NotFound("model"))?)?;
    let step = model.last_step;
    lineage::record(connection, &model, step, checkpoint, origin).await?;
    let metadata = match (&checkpoint.metadata, origin.parent(model_id)) {
        (None, Some((parent, step))) => {
            at_step(connection, parent, step).await?.and_then(|parent| parent.inherited_metadata())
        }
        (metadata, _) => metadata.clone(),
    };
    let adapter = checkpoint.adapter.as_ref();
    let optimizer = checkpoint.optimizer.as_ref();
    let row = sqlx::query(concat!(
        "INSERT INTO checkpoints (id, model_id, step, metrics, adapter_config, adapter_weights, optimizer_state,
         optimizer_kind, metadata, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ",
        now!(),
        ") RETURNING *"
    ))
    .bind(id.to_string())
    .bind(model_id.to_string())
    .bind(step)
    .bind(metrics)
    .bind(adapter.map(|adapter| adapter.config.to_string()))
    .bind(adapter.map(|adapter| adapter.weights.to_string()))
    .bind(optimizer.map(|optimizer| optimizer.state.to_string()))
    .bind(optimizer.map(|optimizer| JobKind::as_str(optimizer.kind)))
    .bind(metadata)
    .fetch_one(connection)
    .await?;
    rows::checkpoint(&row)
}
