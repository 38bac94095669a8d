//! [`Checkpoints`].

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{self, Connection, Store, greatest, items, now, reading, snapshot, writing};
use super::fetch::Fetch;
use super::paging::{listing, of_existing};
use super::sql::limit;
use super::{columns, files, idempotency, lineage, models, references};
use crate::artifacts::ArtifactId;
use crate::metadata::{Checkpoints, Result, StoreError};
use crate::records::{
    AdapterArtifacts, AddedCheckpoint, CheckpointRecord, CheckpointSource, DeletedCheckpoints, IdempotentResult,
    ManifestRecord, NewCheckpoint, Origin, Page, PageRequest,
};
use crate::{rows, rules};
use trainyard_model_options::AdapterEffect;

#[async_trait]
impl Checkpoints for Store {
    async fn list_checkpoints(
        &self,
        entity: &str,
        model_id: Uuid,
        page: PageRequest,
    ) -> Result<Page<CheckpointRecord>> {
        let listing = listing! {
            position: "SELECT step FROM checkpoints WHERE model_id = $1 AND id = $2",
            rows: columns::checkpoints!(), columns::select!(
                checkpoints,
                "model_id = (SELECT id FROM models WHERE id = $1 AND entity = $2)"
            );
            order: "step", "$3", "$4";
            read: rows::checkpoint,
        };
        reading!(self, |connection| {
            let page = listing.page(connection, model_id.into(), &[entity.into()], page).await;
            of_existing(page, models::owned(connection, entity, model_id)).await
        })
    }

    async fn newest_checkpoint(&self, entity: &str, model_id: Uuid) -> Result<Option<CheckpointRecord>> {
        reading!(self, |connection| {
            // A model that exists afterwards existed before.
            let found = newest(connection, model_id).await?;
            models::owned(connection, entity, model_id).await?;
            Ok(found)
        })
    }

    async fn checkpoint_at_step(&self, entity: &str, model_id: Uuid, step: i64) -> Result<CheckpointRecord> {
        reading!(self, |connection| {
            let found = at_step(connection, model_id, step).await?;
            models::owned(connection, entity, model_id).await?;
            found.ok_or(StoreError::NotFound("checkpoint"))
        })
    }

    async fn get_checkpoint(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord> {
        reading!(self, |connection| {
            let found = by_id(connection, model_id, id).await;
            models::owned(connection, entity, model_id).await?;
            found
        })
    }

    async fn delete_checkpoints(
        &self,
        entity: &str,
        model_id: Uuid,
        steps: &[i64],
        allow_latest: bool,
    ) -> Result<DeletedCheckpoints> {
        let wanted = rules::distinct(steps.to_vec());
        writing!(self, |connection| {
            models::lock_owned(connection, entity, model_id).await?.check_deletion(&wanted, allow_latest)?;
            let checkpoints = sqlx::query(concat!(
                "DELETE FROM checkpoints WHERE model_id = $1 AND step IN ",
                items!("$2"),
                " RETURNING ",
                columns::checkpoints!()
            ))
            .bind(dialect::id(model_id))
            .bind(dialect::list(&wanted))
            .all(connection, rows::checkpoint)
            .await?;
            let mut used: Vec<ArtifactId> = checkpoints.iter().flat_map(CheckpointRecord::artifacts).collect();
            used.extend(lineage::release_artifacts(connection, model_id).await?);
            let unreferenced = references::unreferenced(connection, &used).await?;
            Ok(DeletedCheckpoints { unreferenced, ..DeletedCheckpoints::of(&wanted, &checkpoints) })
        })
    }

    async fn set_checkpoint_metadata(
        &self,
        entity: &str,
        model_id: Uuid,
        step: i64,
        metadata: &str,
    ) -> Result<CheckpointRecord> {
        writing!(self, |connection| {
            models::lock_owned(connection, entity, model_id).await?;
            sqlx::query(concat!(
                "UPDATE checkpoints SET metadata = $1 WHERE model_id = $2 AND step = $3 RETURNING ",
                columns::checkpoints!()
            ))
            .bind(metadata)
            .bind(dialect::id(model_id))
            .bind(step)
            .existing("checkpoint", connection, rows::checkpoint)
            .await
        })
    }

    async fn add_checkpoint(&self, added: AddedCheckpoint) -> Result<CheckpointRecord> {
        writing!(self, |connection| {
            if let Some(done) = idempotency::find_alone(connection, &added.entity, added.request.as_ref()).await? {
                return by_id(connection, added.model_id, done.object_id()).await;
            }
            let record = add(connection, &added).await?;
            let result = IdempotentResult::Checkpoint(record.id);
            idempotency::record(connection, &added.entity, added.request.as_ref(), result).await?;
            Ok(record)
        })
    }

    async fn adapter_effect(&self, base_model: &str, adapter: &AdapterArtifacts) -> Result<Option<AdapterEffect>> {
        reading!(self, |connection| {
            let text: Option<String> = sqlx::query_scalar(
                "SELECT adapter_effect FROM checkpoints JOIN models ON models.id = checkpoints.model_id
                 WHERE adapter_weights = $1 AND adapter_config = $2 AND base_model = $3 AND adapter_effect IS NOT NULL
                 LIMIT 1",
            )
            .bind(adapter.weights.to_string())
            .bind(adapter.config.to_string())
            .bind(base_model)
            .fetch_optional(connection)
            .await?;
            text.as_deref().map(rows::adapter_effect).transpose()
        })
    }

    async fn list_manifests(
        &self,
        entity: &str,
        model_id: Uuid,
        first_step: i64,
        limit: u32,
    ) -> Result<Vec<ManifestRecord>> {
        snapshot!(self, |connection| {
            models::owned(connection, entity, model_id).await?;
            sqlx::query(columns::select!(manifests, "model_id = $1 AND step >= $2 ORDER BY step", limit!("$3")))
                .bind(dialect::id(model_id))
                .bind(first_step)
                .bind(i64::from(limit))
                .all(connection, rows::manifest)
                .await
        })
    }
}

pub(super) async fn newest(connection: &mut Connection, model_id: Uuid) -> Result<Option<CheckpointRecord>> {
    sqlx::query(columns::select!(checkpoints, "model_id = $1 ORDER BY step DESC LIMIT 1"))
        .bind(dialect::id(model_id))
        .optional(connection, rows::checkpoint)
        .await
}

pub(super) async fn at_step(
    connection: &mut Connection,
    model_id: Uuid,
    step: i64,
) -> Result<Option<CheckpointRecord>> {
    sqlx::query(columns::select!(checkpoints, "model_id = $1 AND step = $2"))
        .bind(dialect::id(model_id))
        .bind(step)
        .optional(connection, rows::checkpoint)
        .await
}

async fn by_id(connection: &mut Connection, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord> {
    sqlx::query(columns::select!(checkpoints, "model_id = $1 AND id = $2"))
        .bind(dialect::id(model_id))
        .bind(dialect::id(id))
        .existing("checkpoint", connection, rows::checkpoint)
        .await
}

/// Drops the optimizer state of all but the model's newest checkpoint: training only resumes from that one. Returns the
/// artifacts; other rows may refer to them.
pub(super) async fn drop_superseded_optimizers(connection: &mut Connection, model_id: Uuid) -> Result<Vec<ArtifactId>> {
    let states = sqlx::query(
        "SELECT optimizer_state AS artifact FROM checkpoints WHERE model_id = $1 AND optimizer_state IS NOT NULL
         AND step < (SELECT max(step) FROM checkpoints WHERE model_id = $1)",
    )
    .bind(dialect::id(model_id))
    .all(connection, rows::artifact)
    .await?;
    sqlx::query(
        "UPDATE checkpoints SET optimizer_state = NULL, optimizer_kind = NULL
         WHERE model_id = $1 AND optimizer_state IS NOT NULL
         AND step < (SELECT max(step) FROM checkpoints WHERE model_id = $1)",
    )
    .bind(dialect::id(model_id))
    .execute(connection)
    .await?;
    Ok(states)
}

/// Copies or imports a checkpoint.
pub(super) async fn add(connection: &mut Connection, added: &AddedCheckpoint) -> Result<CheckpointRecord> {
    let AddedCheckpoint { id, entity, model_id, source, .. } = added;
    let (made, origin) = match *source {
        CheckpointSource::Step { model_id: from, step } => {
            // In the order of their ids: two crosswise copies would deadlock otherwise.
            models::lock_owned(connection, entity, (*model_id).min(from)).await?;
            models::lock_owned(connection, entity, (*model_id).max(from)).await?;
            let found = at_step(connection, from, step).await?.ok_or(StoreError::NotFound("checkpoint"))?;
            (NewCheckpoint::copied(found), Origin::Copy { model_id: from, step })
        }
        CheckpointSource::File { file, config } => {
            models::lock_owned(connection, entity, *model_id).await?;
            let weights = files::lock_owned(connection, entity, file).await?.artifact;
            (NewCheckpoint::imported(config, weights), Origin::Import)
        }
    };
    insert(connection, *id, *model_id, &made.added(added), &origin).await
}

/// Inserts a checkpoint under the model's next step, or [`NewCheckpoint::min_step`] if that is higher.
pub(super) async fn insert(
    connection: &mut Connection,
    id: Uuid,
    model_id: Uuid,
    checkpoint: &NewCheckpoint,
    origin: &Origin<'_>,
) -> Result<CheckpointRecord> {
    let metrics = rows::metrics(&checkpoint.metrics)?;
    let model = sqlx::query(concat!(
        "UPDATE models SET last_step = ",
        greatest!("last_step + 1", "$2"),
        " WHERE id = $1 RETURNING ",
        columns::models!()
    ))
    .bind(dialect::id(model_id))
    .bind(checkpoint.min_step)
    .existing("model", connection, rows::model)
    .await?;
    let step = model.last_step;
    lineage::record(connection, &model, step, checkpoint, origin).await?;
    let metadata = match checkpoint.metadata_parent(origin, model_id) {
        Some((parent, step)) => at_step(connection, parent, step).await?.and_then(|parent| parent.inherited_metadata()),
        None => checkpoint.metadata.clone(),
    };
    let (config, weights) = rows::adapter_columns(checkpoint.adapter.as_ref());
    let (optimizer_state, optimizer_kind) = rows::optimizer_columns(checkpoint.optimizer.as_ref());
    let effect: Option<String> = match *origin {
        Origin::Copy { model_id, step } => {
            sqlx::query_scalar("SELECT adapter_effect FROM checkpoints WHERE model_id = $1 AND step = $2")
                .bind(dialect::id(model_id))
                .bind(step)
                .fetch_one(&mut *connection)
                .await?
        }
        _ => checkpoint.effect.as_ref().map(rows::json),
    };
    sqlx::query(concat!(
        "INSERT INTO checkpoints (id, model_id, step, metrics, adapter_config, adapter_weights, optimizer_state,
         optimizer_kind, metadata, adapter_effect, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ",
        now!(),
        ") RETURNING ",
        columns::checkpoints!()
    ))
    .bind(dialect::id(id))
    .bind(dialect::id(model_id))
    .bind(step)
    .bind(metrics)
    .bind(config)
    .bind(weights)
    .bind(optimizer_state)
    .bind(optimizer_kind)
    .bind(metadata)
    .bind(effect)
    .one(connection, rows::checkpoint)
    .await
}
