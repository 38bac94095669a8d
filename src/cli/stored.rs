//! Access to a store for commands that work without a running service.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use uuid::Uuid;

use super::{CommandError, ConfigError, open_metadata};
use crate::{
    models::ModelName,
    store::{
        directory_lock::DirectoryLock,
        layout::{DATABASE, RESTORING},
        metadata::{Metadata, StoreError},
        postgres::DatabaseAddress,
        records::{JobRecord, ModelRecord},
    },
};

/// Opens the metadata of an existing service.
pub(super) async fn existing(
    directory: &Path,
    database: Option<&DatabaseAddress>,
) -> Result<Arc<dyn Metadata>, CommandError> {
    check_exists(directory, database)?;
    Ok(open_metadata(directory, database).await?)
}

/// Checks that the data directory has a database, unless a PostgreSQL database is given.
pub(super) fn check_exists(directory: &Path, database: Option<&DatabaseAddress>) -> Result<(), CommandError> {
    if database.is_some() || directory.join(DATABASE).exists() {
        return Ok(());
    }
    if directory.join(RESTORING).exists() {
        DirectoryLock::share(directory)?;
    }
    Err(ConfigError::NoDatabase { directory: directory.to_owned() }.into())
}

/// Finds a job of any entity.
pub(super) async fn job(metadata: &dyn Metadata, id: &str) -> Result<JobRecord, CommandError> {
    let unknown = || format!("there is no job {id:?} in this store; `trainyard jobs list` shows those of a service");
    let id: Uuid = id.parse().map_err(|_| unknown())?;
    for entity in entities(metadata).await? {
        match metadata.get_job(&entity, id).await {
            Err(StoreError::NotFound(_)) => {}
            found => return Ok(found?),
        }
    }
    Err(unknown().into())
}

/// Finds a model of any entity by its id, its project/name, or its inference name.
pub(super) async fn model(metadata: &dyn Metadata, named: &str) -> Result<ModelRecord, CommandError> {
    let mut found = Vec::new();
    for entity in entities(metadata).await? {
        let models = metadata.list_models(&entity).await?;
        found.extend(models.into_iter().filter(|model| is_named(model, named)));
    }
    match found.len() {
        0 => {
            Err(format!("there is no model {named:?} in this store; `trainyard models list` shows those of a service")
                .into())
        }
        1 => Ok(found.remove(0)),
        _ => {
            let all: Vec<String> =
                found.iter().map(|model| format!("{}/{}/{}", model.entity, model.project, model.name)).collect();
            Err(format!("{named:?} may be {}; name one of them", all.join(" or ")).into())
        }
    }
}

fn is_named(model: &ModelRecord, named: &str) -> bool {
    let by_inference_name = match ModelName::parse(named) {
        Some(ModelName::Trained { entity, project, name, step: None }) => {
            (&entity, &project, &name) == (&model.entity, &model.project, &model.name)
        }
        _ => false,
    };
    by_inference_name
        || named.parse() == Ok(model.id)
        || named.split_once('/') == Some((model.project.as_str(), model.name.as_str()))
}

/// Returns all entities. Every record belongs to an entity that has, or had, a key.
async fn entities(metadata: &dyn Metadata) -> Result<BTreeSet<String>, StoreError> {
    Ok(metadata.list_keys(None).await?.into_iter().map(|key| key.entity).collect())
}
