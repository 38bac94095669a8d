//! Checkpoints.

use sqlx::PgConnection;
use uuid::Uuid;

use super::paging::Listing;
use super::transactions::{reading, statement, writing};
use super::{PostgresMetadata, columns, files, idempotency, lineage, models, now, references};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    AdapterArtifacts, AddedCheckpoint, CheckpointRecord, CheckpointSource, DeletedCheckpoints, IdempotentResult,
    JobKind, NewCheckpoint, Origin, Page, PageRequest,
};
use crate::store::rows;

pub(super) async fn list(
    store: &PostgresMetadata,
    entity: &str,
    model_id: Uuid,
    page: PageRequest,
) -> Result<Page<CheckpointRecord>> {
    let listing = Listing {
        place: "SELECT step FROM checkpoints WHERE model_id = $1 AND id = $2",
        ascending: concat!(
            "SELECT ",
            columns::checkpoints!(),
            " FROM checkpoints WHERE model_id = $1 AND step > $2 ORDER BY step LIMIT $3"
        ),
        descending: concat!(
            "SELECT ",
            columns::checkpoints!(),
            " FROM checkpoints WHERE model_id = $1 AND step < $2 ORDER BY step DESC LIMIT $3"
        ),
        read: rows::checkpoint,
    };
    reading!(store, |connection| {
        models::owned(connection, entity, model_id).await?;
        listing.page(connection, model_id, page).await
    })
}

pub(super) async fn newest(connection: &mut PgConnection, model_id: Uuid) -> Result<Option<CheckpointRecord>> {
    let row = sqlx::query(concat!(
        "SELECT ",
        columns::checkpoints!(),
        " FROM checkpoints WHERE model_id = $1 ORDER BY step DESC LIMIT 1"
    ))
    .bind(model_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(rows::checkpoint).transpose()
}

pub(super) async fn list_newest(store: &PostgresMetadata, entity: &str, limit: u32) -> Result<Vec<CheckpointRecord>> {
    statement!(store, |connection| {
        let rows = sqlx::query(concat!(
            "SELECT ",
            columns::checkpoints!(),
            " FROM checkpoints WHERE model_id IN (SELECT id FROM models WHERE entity = $1)
             ORDER BY created_at DESC, model_id, step DESC LIMIT $2"
        ))
        .bind(entity)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
        rows.iter().map(rows::checkpoint).collect()
    })
}

pub(super) async fn at_step(
    connection: &mut PgConnection,
    model_id: Uuid,
    step: i64,
) -> Result<Option<CheckpointRecord>> {
    let row =
        sqlx::query(concat!("SELECT ", columns::checkpoints!(), " FROM checkpoints WHERE model_id = $1 AND step = $2"))
            .bind(model_id)
            .bind(step)
            .fetch_optional(connection)
            .await?;
    row.as_ref().map(rows::checkpoint).transpose()
}

pub(super) async fn of_id(connection: &mut PgConnection, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord> {
    let row =
        sqlx::query(concat!("SELECT ", columns::checkpoints!(), " FROM checkpoints WHERE model_id = $1 AND id = $2"))
            .bind(model_id)
            .bind(id)
            .fetch_optional(connection)
            .await?;
    rows::checkpoint(&row.ok_or(StoreError::NotFound("checkpoint"))?)
}

pub(super) async fn delete(
    store: &PostgresMetadata,
    entity: &str,
    model_id: Uuid,
    steps: &[i64],
    allow_latest: bool,
) -> Result<DeletedCheckpoints> {
    let mut wanted = steps.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    writing!(store, |connection| {
        models::lock_owned(connection, entity, model_id).await?.check_deletion(&wanted, allow_latest)?;
        let rows = sqlx::query(concat!(
            "DELETE FROM checkpoints WHERE model_id = $1 AND step = ANY($2) RETURNING ",
            columns::checkpoints!()
        ))
        .bind(model_id)
        .bind(&wanted)
        .fetch_all(&mut *connection)
        .await?;
        let checkpoints = rows.iter().map(rows::checkpoint).collect::<Result<Vec<_>>>()?;
        let mut used = Vec::new();
        for checkpoint in &checkpoints {
            used.extend(checkpoint.adapter.iter().flat_map(|adapter| [adapter.config, adapter.weights]));
            used.extend(checkpoint.optimizer.iter().map(|optimizer| optimizer.state));
        }
        let mut deleted: Vec<i64> = checkpoints.iter().map(|checkpoint| checkpoint.step).collect();
        deleted.sort_unstable();
        used.extend(lineage::release(connection, model_id).await?);
        let unreferenced = references::unreferenced(connection, &used).await?;
        let not_found = wanted.iter().copied().filter(|step| deleted.binary_search(step).is_err()).collect();
        Ok(DeletedCheckpoints { deleted, not_found, unreferenced })
    })
}

/// Forgets the optimizer state of all but the model's newest checkpoint: training only ever goes on from that one.
/// Returns the artifacts, which other rows may refer to.
pub(super) async fn drop_superseded_optimizers(
    connection: &mut PgConnection,
    model_id: Uuid,
) -> Result<Vec<ArtifactId>> {
    let states = sqlx::query(
        "WITH superseded AS (
             SELECT id, optimizer_state AS artifact FROM checkpoints
             WHERE model_id = $1 AND optimizer_state IS NOT NULL
             AND step < (SELECT max(step) FROM checkpoints WHERE model_id = $1)
         )
         UPDATE checkpoints SET optimizer_state = NULL, optimizer_kind = NULL
         FROM superseded WHERE checkpoints.id = superseded.id RETURNING superseded.artifact",
    )
    .bind(model_id)
    .fetch_all(connection)
    .await?;
    rows::artifacts(&states)
}

pub(super) async fn set_metadata(
    store: &PostgresMetadata,
    entity: &str,
    model_id: Uuid,
    step: i64,
    metadata: &str,
) -> Result<CheckpointRecord> {
    writing!(store, |connection| {
        models::lock_owned(connection, entity, model_id).await?;
        let row = sqlx::query(concat!(
            "UPDATE checkpoints SET metadata = $1 WHERE model_id = $2 AND step = $3 RETURNING ",
            columns::checkpoints!()
        ))
        .bind(metadata)
        .bind(model_id)
        .bind(step)
        .fetch_optional(connection)
        .await?;
        rows::checkpoint(&row.ok_or(StoreError::NotFound("checkpoint"))?)
    })
}

pub(super) async fn add(store: &PostgresMetadata, added: AddedCheckpoint) -> Result<CheckpointRecord> {
    writing!(store, |connection| {
        if let Some(request) = &added.request
            && let Some(done) = idempotency::find_alone(connection, &added.entity, request).await?
        {
            return of_id(connection, added.model_id, done.object_id()).await;
        }
        let record = make(connection, &added).await?;
        if let Some(request) = &added.request {
            let result = IdempotentResult::Checkpoint(record.id);
            idempotency::record(connection, &added.entity, request, result).await?;
        }
        Ok(record)
    })
}

/// Makes a checkpoint from what it names.
pub(super) async fn make(connection: &mut PgConnection, added: &AddedCheckpoint) -> Result<CheckpointRecord> {
    let AddedCheckpoint { id, entity, model_id, least_step, metadata, source, provenance, request: _ } = added;
    let (made, origin) = match *source {
        CheckpointSource::Step { model_id: from, step } => {
            // In an order, or two copies crosswise would wait for each other.
            models::lock_owned(connection, entity, (*model_id).min(from)).await?;
            models::lock_owned(connection, entity, (*model_id).max(from)).await?;
            let found = at_step(connection, from, step).await?.ok_or(StoreError::NotFound("checkpoint"))?;
            let CheckpointRecord { metrics, adapter, optimizer, .. } = found;
            let made = NewCheckpoint { metrics, adapter, optimizer, ..NewCheckpoint::default() };
            (made, Origin::Copy { model_id: from, step })
        }
        CheckpointSource::File { file, config } => {
            models::lock_owned(connection, entity, *model_id).await?;
            let weights = files::keep_owned(connection, entity, file).await?.artifact;
            let adapter = Some(AdapterArtifacts { config, weights });
            (NewCheckpoint { adapter, ..NewCheckpoint::default() }, Origin::Import)
        }
    };
    let (provenance, metadata) = (provenance.clone(), metadata.clone());
    let checkpoint = NewCheckpoint { provenance, least_step: *least_step, metadata, ..made };
    insert(connection, *id, *model_id, &checkpoint, &origin).await
}

/// Stores a checkpoint under the model's next step, or the least that it may get.
pub(super) async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    model_id: Uuid,
    checkpoint: &NewCheckpoint,
    origin: &Origin<'_>,
) -> Result<CheckpointRecord> {
    let metrics = rows::metrics(&checkpoint.metrics)?;
    let model = sqlx::query(concat!(
        "UPDATE models SET last_step = greatest(last_step + 1, $2) WHERE id = $1 RETURNING ",
        columns::models!()
    ))
    .bind(model_id)
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
         optimizer_kind, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ",
        now!(),
        ") RETURNING ",
        columns::checkpoints!()
    ))
    .bind(id)
    .bind(model_id)
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
