//! [`Models`].

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{
    self, Connection, Selection, Store, lock, locking, log_sequence, now, position, reading, selection, writing,
};
use super::fetch::Fetch;
use super::paging::{arguments, listing, of_existing};
use super::sql::limit;
use super::{columns, idempotency, lineage, references, usage};
use crate::metadata::{Models, Result, StoreError};
use crate::paging::Value;
use crate::records::{
    DeletedModel, IdempotentResult, ModelCreation, ModelFilter, ModelRecord, NewCheckpoint, NewModel, NewTrajectoryLog,
    NewestModels, Origin, Page, PageRequest, TrajectoryLogRecord,
};
use crate::rows;

/// SQL for models.
macro_rules! selected {
    ($($condition:expr),+) => {
        selection!([columns::names_of_models!()], columns::select!(models, $($condition),+))
    };
}

#[async_trait]
impl Models for Store {
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
        reading!(self, |connection| owned(connection, entity, id).await)
    }

    async fn find_model(&self, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
        if ![entity, project, name].into_iter().all(dialect::is_storable) {
            return Err(StoreError::NotFound("model"));
        }
        reading!(self, |connection| named(connection, entity, project, name).await)
    }

    async fn list_models(&self, entity: &str) -> Result<Vec<ModelRecord>> {
        let statement = selected!("entity = $1 ORDER BY sequence");
        reading!(self, |connection| {
            let rows = statement.fetch(connection, arguments(&[entity.into()])?).await?;
            rows.iter().map(rows::model).collect()
        })
    }

    async fn page_models(
        &self,
        entity: &str,
        filter: ModelFilter<'_>,
        request: PageRequest,
    ) -> Result<Page<ModelRecord>> {
        let listing = listing! {
            position: "SELECT sequence FROM models WHERE entity = $1 AND id = $2",
            rows: columns::names_of_models!(), columns::select!(
                models,
                "entity = $1 AND ($2 IS NULL OR project = $2) AND ($3 IS NULL OR ",
                position!("$3" in "lower(project || '/' || name)"),
                " > 0)"
            );
            order: "sequence", "$4", "$5";
            read: rows::model,
        };
        // No project has a name with a slash.
        let project = filter.project.map(|project| if dialect::is_storable(project) { project } else { "/" });
        let filters = [Value::Text(project), Value::Text(filter.text)];
        reading!(self, |connection| listing.page(connection, entity.into(), &filters, request).await)
    }

    async fn list_newest(&self, entity: &str, limit: u32) -> Result<NewestModels> {
        let models = selected!("entity = $1 ORDER BY sequence DESC", limit!("$2"));
        let checkpoints = selection!(
            [columns::checkpoint_steps!()],
            "SELECT ",
            columns::checkpoint_steps!(),
            " FROM checkpoints WHERE model_id IN (SELECT id FROM models WHERE entity = $1)
             ORDER BY created_at DESC, model_id, step DESC",
            limit!("$2")
        );
        let arguments = arguments(&[entity.into(), Value::Integer(limit.into())])?;
        let [models, checkpoints] = Selection::fetch_both([models, checkpoints], self, arguments).await?;
        Ok(NewestModels {
            models: models.iter().map(rows::model).collect::<Result<_>>()?,
            checkpoints: checkpoints.iter().map(rows::checkpoint_step).collect::<Result<_>>()?,
        })
    }

    async fn delete_model(&self, entity: &str, id: Uuid) -> Result<DeletedModel> {
        writing!(self, |connection| {
            owned(connection, entity, id).await?;
            // Jobs before their model: the lock order of workers.
            lock!(connection, "SELECT 1 FROM jobs WHERE model_id = $1 ORDER BY sequence FOR UPDATE", dialect::id(id));
            lock!(connection, "SELECT 1 FROM models WHERE id = $1 FOR UPDATE", dialect::id(id));
            // It may have been deleted before it was locked.
            owned(connection, entity, id).await?;
            let unfinished = sqlx::query("SELECT id FROM jobs WHERE model_id = $1 AND status IN ('queued', 'running')")
                .bind(dialect::id(id))
                .all(connection, rows::id)
                .await?;
            for job in unfinished {
                usage::add_training(connection, job).await?;
            }
            let used = references::of_model(connection, id).await?;
            let events = "DELETE FROM events WHERE job_id IN (SELECT id FROM jobs WHERE model_id = $1)";
            let events = delete(connection, events, id).await?;
            let jobs = delete(connection, "DELETE FROM jobs WHERE model_id = $1", id).await?;
            let checkpoints = delete(connection, "DELETE FROM checkpoints WHERE model_id = $1", id).await?;
            delete(connection, "DELETE FROM manifests WHERE model_id = $1", id).await?;
            delete(connection, "DELETE FROM kept_artifacts WHERE model_id = $1", id).await?;
            delete(connection, "DELETE FROM trajectory_logs WHERE model_id = $1", id).await?;
            delete(connection, "DELETE FROM models WHERE id = $1", id).await?;
            let unreferenced = references::unreferenced(connection, &used).await?;
            Ok(DeletedModel { checkpoints, jobs, events, unreferenced })
        })
    }

    async fn add_trajectory_log(&self, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord> {
        writing!(self, |connection| {
            if let Some(done) = idempotency::find_alone(connection, &log.entity, log.request.as_ref()).await? {
                let found = trajectory_log(connection, log.model_id, done.object_id()).await?;
                return found.ok_or(StoreError::NotFound("model"));
            }
            lock_owned(connection, &log.entity, log.model_id).await?;
            let record = sqlx::query(concat!(
                "INSERT INTO trajectory_logs (id, model_id, split, artifact, groups, created_at)
                 VALUES ($1, $2, $3, $4, $5, ",
                now!(),
                ") RETURNING ",
                columns::trajectory_logs!()
            ))
            .bind(dialect::id(log.id))
            .bind(dialect::id(log.model_id))
            .bind(&log.split)
            .bind(log.artifact.to_string())
            .bind(log.groups)
            .one(connection, rows::trajectory_log)
            .await?;
            let result = IdempotentResult::TrajectoryLog(log.id);
            idempotency::record(connection, &log.entity, log.request.as_ref(), result).await?;
            Ok(record)
        })
    }

    async fn list_trajectory_logs(
        &self,
        entity: &str,
        model_id: Uuid,
        split: Option<&str>,
        request: PageRequest,
    ) -> Result<Page<TrajectoryLogRecord>> {
        let listing = listing! {
            position: concat!("SELECT ", log_sequence!(), " FROM trajectory_logs WHERE model_id = $1 AND id = $2"),
            rows: columns::trajectory_logs!(), columns::select!(
                trajectory_logs,
                "model_id = (SELECT id FROM models WHERE id = $1 AND entity = $2) AND ($3 IS NULL OR split = $3)"
            );
            order: log_sequence!(), "$4", "$5";
            read: rows::trajectory_log,
        };
        let filters = [entity.into(), Value::Text(split)];
        reading!(self, |connection| {
            let page = listing.page(connection, model_id.into(), &filters, request).await;
            of_existing(page, owned(connection, entity, model_id)).await
        })
    }

    async fn get_trajectory_log(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<TrajectoryLogRecord> {
        reading!(self, |connection| {
            owned(connection, entity, model_id).await?;
            let found = trajectory_log(connection, model_id, id).await?;
            found.ok_or(StoreError::NotFound("trajectory log"))
        })
    }
}

/// Inserts a model and its checkpoint of step 0, unless the name is taken.
pub(super) async fn insert(connection: &mut Connection, model: &NewModel) -> Result<ModelCreation> {
    let created = sqlx::query(concat!(
        "INSERT INTO models (id, entity, project, name, base_model, training_method, run_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, ",
        now!(),
        ") ON CONFLICT (entity, project, name) DO NOTHING RETURNING ",
        columns::models!()
    ))
    .bind(dialect::id(model.id))
    .bind(&model.entity)
    .bind(&model.project)
    .bind(&model.name)
    .bind(&model.base_model)
    .bind(rows::json(&model.method))
    .bind(&model.run_id)
    .optional(connection, rows::model)
    .await?;
    let Some(created) = created else {
        return match named(connection, &model.entity, &model.project, &model.name).await {
            Ok(existing) => Ok(ModelCreation::Existing(existing)),
            // It was deleted between the two statements, so the name is free: a retry succeeds.
            Err(error @ StoreError::NotFound(_)) => Err(StoreError::Unavailable(Box::new(error))),
            Err(error) => Err(error),
        };
    };
    // Its checkpoint is inserted next.
    let record = ModelRecord { latest_step: Some(0), ..created };
    sqlx::query(concat!(
        "INSERT INTO checkpoints (id, model_id, step, metrics, created_at) VALUES ($1, $2, 0, '{}', ",
        now!(),
        ")"
    ))
    .bind(dialect::id(Uuid::now_v7()))
    .bind(dialect::id(record.id))
    .execute(&mut *connection)
    .await?;
    let base = NewCheckpoint::base(model);
    lineage::record(connection, &record, 0, &base, &Origin::Registration).await?;
    Ok(ModelCreation::Created(record))
}

/// Reads the model, if it belongs to the entity.
pub(super) async fn owned(connection: &mut Connection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    sqlx::query(columns::select!(models, "id = $1 AND entity = $2"))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("model", connection, rows::model)
        .await
}

/// Reads the model as [`owned`] does, and locks it until the transaction ends: against deletion, and against other
/// calls of this function.
pub(crate) async fn lock_owned(connection: &mut Connection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    sqlx::query(columns::select!(models, "id = $1 AND entity = $2", locking!("FOR NO KEY UPDATE")))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("model", connection, rows::model)
        .await
}

async fn named(connection: &mut Connection, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
    sqlx::query(columns::select!(models, "entity = $1 AND project = $2 AND name = $3"))
        .bind(entity)
        .bind(project)
        .bind(name)
        .existing("model", connection, rows::model)
        .await
}

async fn trajectory_log(connection: &mut Connection, model_id: Uuid, id: Uuid) -> Result<Option<TrajectoryLogRecord>> {
    sqlx::query(columns::select!(trajectory_logs, "id = $1 AND model_id = $2"))
        .bind(dialect::id(id))
        .bind(dialect::id(model_id))
        .optional(connection, rows::trajectory_log)
        .await
}

/// Deletes the rows of a model that the statement names; returns their number.
async fn delete(connection: &mut Connection, statement: &'static str, model_id: Uuid) -> Result<u64> {
    Ok(sqlx::query(statement).bind(dialect::id(model_id)).execute(connection).await?.rows_affected())
}
