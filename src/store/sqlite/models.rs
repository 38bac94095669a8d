//! [`Models`] in SQLite.

use async_trait::async_trait;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::database::{SqliteMetadata, reading};
use super::packed::{packed, packed_sql};
use super::sql::{limit, model_columns, now};
use super::{idempotency, lineage, paging, references, usage};
use crate::store::metadata::{Models, Result, StoreError};
use crate::store::paging::{Listing, Value};
use crate::store::records::{
    DeletedModel, IdempotentResult, ModelCreation, ModelRecord, NewCheckpoint, NewModel, NewTrajectoryLog,
    NewestModels, Origin, Page, PageRequest, TrajectoryLogRecord,
};
use crate::store::rows::{self, Columns};

/// SQL for models, made by `packed!` or `packed_sql!`.
macro_rules! selected {
    ($make:ident, $($condition:expr),+) => {
        $make!(
            [id, entity, project, name, base_model, training_method, run_id, last_step, latest_step, created_at],
            "SELECT ",
            model_columns!(),
            " FROM models ",
            $($condition),+
        )
    };
}

/// SQL for the ?2 newest models of entity ?1.
macro_rules! newest_models {
    ($make:ident) => {
        selected!($make, "WHERE entity = ?1 ORDER BY sequence DESC", limit!("?2"))
    };
}

/// SQL for the ?2 newest checkpoints of the models of entity ?1.
macro_rules! newest_checkpoints {
    ($make:ident) => {
        $make!(
            [model_id, step, created_at],
            "SELECT model_id, step, created_at FROM checkpoints WHERE model_id IN (SELECT id FROM models WHERE entity = ?1)
             ORDER BY created_at DESC, model_id, step DESC",
            limit!("?2")
        )
    };
}

/// SQL for at most ?4 models of entity ?1 on one side of position ?3 that pass the filter ?2.
macro_rules! model_page {
    ($side:literal, $order:literal) => {
        selected!(
            packed,
            "WHERE entity = ?1 AND (?2 IS NULL OR project = ?2) AND sequence ",
            $side,
            " ?3 ORDER BY ",
            $order,
            limit!("?4")
        )
    };
}

#[async_trait]
impl Models for SqliteMetadata {
    async fn create_model(&self, model: NewModel) -> Result<ModelCreation> {
        let mut transaction = self.write().await?;
        if let Some(done) = idempotency::find(&mut transaction, &model.entity, model.request.as_ref()).await? {
            let record = owned(&mut transaction, &model.entity, done.object_id()).await?;
            return Ok(ModelCreation::repeated(done, record));
        }
        let creation = insert(&mut transaction, &model).await?;
        let result = creation.idempotent_result();
        idempotency::record(&mut transaction, &model.entity, model.request.as_ref(), result).await?;
        transaction.commit().await?;
        Ok(creation)
    }

    async fn get_model(&self, entity: &str, id: Uuid) -> Result<ModelRecord> {
        reading!(self, |connection| owned(connection, entity, id).await)
    }

    async fn find_model(&self, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
        reading!(self, |connection| named(connection, entity, project, name).await)
    }

    async fn list_models(&self, entity: &str) -> Result<Vec<ModelRecord>> {
        let statement = selected!(packed, "WHERE entity = ? ORDER BY sequence");
        reading!(self, |connection| {
            let rows = statement.fetch(connection, paging::arguments(&[entity.into()])?).await?;
            rows.iter().map(rows::model).collect()
        })
    }

    async fn page_models(
        &self,
        entity: &str,
        project: Option<&str>,
        request: PageRequest,
    ) -> Result<Page<ModelRecord>> {
        let listing = Listing {
            position: "SELECT sequence FROM models WHERE entity = ? AND id = ?",
            ascending: model_page!(">", "sequence"),
            descending: model_page!("<", "sequence DESC"),
            read: rows::model,
        };
        let filters = [Value::Text(project)];
        reading!(self, |connection| paging::page(connection, &listing, entity.into(), &filters, request).await)
    }

    async fn list_newest(&self, entity: &str, limit: u32) -> Result<NewestModels> {
        const BOTH: &str =
            concat!("SELECT (", newest_models!(packed_sql), "), (", newest_checkpoints!(packed_sql), ")");
        let arguments = paging::arguments(&[entity.into(), Value::Integer(limit.into())])?;
        reading!(self, |connection| {
            let (models, checkpoints): (String, String) =
                sqlx::query_as_with(BOTH, arguments).fetch_one(connection).await?;
            let models = newest_models!(packed).rows(&models)?;
            let checkpoints = newest_checkpoints!(packed).rows(&checkpoints)?;
            Ok(NewestModels {
                models: models.iter().map(rows::model).collect::<Result<_>>()?,
                checkpoints: checkpoints.iter().map(rows::checkpoint_step).collect::<Result<_>>()?,
            })
        })
    }

    async fn delete_model(&self, entity: &str, id: Uuid) -> Result<DeletedModel> {
        let mut transaction = self.write().await?;
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
        let jobs = sqlx::query("DELETE FROM jobs WHERE model_id = ?")
            .bind(&id)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
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

    async fn add_trajectory_log(&self, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord> {
        let mut transaction = self.write().await?;
        if let Some(done) = idempotency::find(&mut transaction, &log.entity, log.request.as_ref()).await? {
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
        let result = IdempotentResult::TrajectoryLog(log.id);
        idempotency::record(&mut transaction, &log.entity, log.request.as_ref(), result).await?;
        transaction.commit().await?;
        rows::trajectory_log(&row)
    }
}

/// Inserts a model and its checkpoint of step 0, unless the name is taken.
pub(super) async fn insert(connection: &mut SqliteConnection, model: &NewModel) -> Result<ModelCreation> {
    let created = sqlx::query(concat!(
        "INSERT INTO models (id, entity, project, name, base_model, training_method, run_id, created_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ",
        now!(),
        ") ON CONFLICT (entity, project, name) DO NOTHING RETURNING ",
        model_columns!()
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
    // Its checkpoint is inserted next.
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
    let base = NewCheckpoint::base(model);
    lineage::record(connection, &record, 0, &base, &Origin::Registration).await?;
    Ok(ModelCreation::Created(record))
}

/// Reads the model, if it belongs to the entity.
pub(super) async fn owned(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<ModelRecord> {
    let row = sqlx::query(concat!("SELECT ", model_columns!(), " FROM models WHERE id = ? AND entity = ?"))
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}

async fn named(connection: &mut SqliteConnection, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
    let row =
        sqlx::query(concat!("SELECT ", model_columns!(), " FROM models WHERE entity = ? AND project = ? AND name = ?"))
            .bind(entity)
            .bind(project)
            .bind(name)
            .fetch_optional(connection)
            .await?;
    rows::model(&row.ok_or(StoreError::NotFound("model"))?)
}
