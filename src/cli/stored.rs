//! Access to a store for commands that work without a running service.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use uuid::Uuid;

use super::remote::Named;
use super::{CommandError, ConfigError, DataDirectory, StoreOptions, open_artifacts, open_metadata};
use crate::store::artifacts::Artifacts;
use crate::store::directory_lock::DirectoryLock;
use crate::store::layout::{DATABASE, RESTORING};
use crate::store::metadata::{Metadata, OptionalExtension, StoreError};
use crate::store::postgres::DatabaseAddress;
use crate::store::records::{JobRecord, ModelRecord};

/// Number of models that a message lists.
const LISTED: usize = 10;

/// Opens the metadata of an existing service.
pub(super) async fn existing(
    directory: &Path,
    database: Option<&DatabaseAddress>,
) -> Result<Arc<dyn Metadata>, CommandError> {
    check_exists(directory, database)?;
    Ok(open_metadata(directory, database).await?)
}

impl DataDirectory {
    /// Opens the metadata of an existing service.
    pub(super) async fn existing(&self) -> Result<Arc<dyn Metadata>, CommandError> {
        existing(&self.path()?, self.database.as_ref()).await
    }
}

impl StoreOptions {
    /// Opens the metadata and the artifacts of an existing service.
    pub(super) async fn existing(&self) -> Result<(Arc<dyn Metadata>, Artifacts), CommandError> {
        let metadata = self.data.existing().await?;
        Ok((metadata, open_artifacts(&self.data.path()?, self.artifacts.as_ref()).await?))
    }
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
        if let Some(job) = metadata.get_job(&entity, id).await.optional()? {
            return Ok(job);
        }
    }
    Err(unknown().into())
}

/// Finds a model of any entity by its id, its project/name, or its inference name.
pub(super) async fn model(metadata: &dyn Metadata, named: &str) -> Result<ModelRecord, CommandError> {
    let name = Named::parse(named)?;
    let is_named = |model: &ModelRecord| match name {
        Some(name) => name.is(&model.entity, &model.project, &model.name),
        None => named.parse() == Ok(model.id),
    };
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for entity in entities(metadata).await? {
        let (named, unnamed): (Vec<_>, Vec<_>) = metadata.list_models(&entity).await?.into_iter().partition(is_named);
        found.extend(named);
        others.extend(unnamed.into_iter().map(|model| format!("{}/{}", model.project, model.name)));
    }
    match found.len() {
        0 if others.is_empty() => Err(format!("there is no model {named:?} in this store, and no other").into()),
        0 => {
            let more = if others.len() > LISTED { ", and others" } else { "" };
            others.truncate(LISTED);
            Err(format!("there is no model {named:?} in this store; it has {}{more}", others.join(", ")).into())
        }
        1 => Ok(found.remove(0)),
        _ => {
            let all: Vec<String> =
                found.iter().map(|model| format!("{}/{}/{}", model.entity, model.project, model.name)).collect();
            Err(format!("{named:?} may be {}; name one of them", all.join(" or ")).into())
        }
    }
}

/// Returns all entities. Every record belongs to an entity that has, or had, a key.
async fn entities(metadata: &dyn Metadata) -> Result<BTreeSet<String>, StoreError> {
    Ok(metadata.list_keys(None).await?.into_iter().map(|key| key.entity).collect())
}
