//! Adapters uploaded by W&B's client, which forks a model this way. Their files are stored like other uploads until the
//! commit, which validates the adapter like an import. It then becomes a step in one transaction, or its files are
//! removed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::arguments::{check_names, metadata};
use super::artifacts::{self, ArtifactName};
use super::graphql::Field;
use super::{Api, MANIFEST};
use crate::api::idempotency;
use crate::api::new_checkpoint::{CONFIG, WEIGHTS, lora_options};
use crate::auth::Caller;
use crate::http::ApiError;
use crate::store::metadata::OptionalExtension;
use crate::store::records::{
    AddedCheckpoint, CheckpointRecord, CheckpointSource, FilePurpose, FileRecord, IdempotentRequest, ModelRecord,
};

/// Prefix of the artifact id of an upload.
const UPLOAD: &str = "lora:";
/// The files of an adapter.
const CONFIG_FILE: &str = "adapter_config.json";
const WEIGHTS_FILE: &str = "adapter_model.safetensors";
/// The file that stores the metadata until the commit.
const METADATA_FILE: &str = "metadata.json";
/// Maximum size of a file other than the weights, which is read into memory, in bytes.
const SMALL_FILE_BYTES: i64 = 1 << 20;
/// Maximum step that an upload may request, so that later steps do not overflow.
const HIGHEST_STEP: i64 = 1_000_000_000;
/// Serializes commits. A second commit of the same upload finds the first one's step, or nothing.
static COMMITTING: Semaphore = Semaphore::const_new(1);
/// Permitted input names of `createArtifact` for an adapter, including those without effect.
const SAID: [&str; 15] = [
    "aliases",
    "artifactCollectionName",
    "artifactTypeName",
    "clientID",
    "clientMutationId",
    "digest",
    "digestAlgorithm",
    "distributedID",
    "enableDigestDeduplication",
    "entityName",
    "historyStep",
    "metadata",
    "projectName",
    "runName",
    "sequenceClientID",
];

/// An adapter upload in progress: its model and step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Upload {
    project: String,
    model: String,
    /// Minimum step of the new checkpoint.
    step: i64,
    id: Uuid,
}

/// The list of an artifact's files.
#[derive(Deserialize)]
struct Manifest {
    contents: BTreeMap<String, ManifestEntry>,
}

#[derive(Deserialize)]
struct ManifestEntry {
    /// MD5 in base64.
    digest: String,
}

impl Upload {
    /// Returns the artifact name to which its files are uploaded. No data set can have such a name.
    pub(super) fn artifact_name(&self) -> ArtifactName {
        let Self { project, model, step, id } = self;
        ArtifactName { project: project.clone(), artifact: format!("{model}:step{step}:{}", id.simple()) }
    }

    /// Returns the artifact id.
    pub(super) fn id(&self) -> String {
        let ArtifactName { project, artifact } = self.artifact_name();
        format!("{UPLOAD}{project}/{artifact}")
    }

    /// Parses an artifact id.
    pub(super) fn of_id(id: &str) -> Option<Self> {
        let (project, artifact) = id.strip_prefix(UPLOAD)?.split_once('/')?;
        Self::of_artifact(project, artifact)
    }

    /// Returns the upload whose files are uploaded to this artifact name.
    pub(super) fn of_artifact(project: &str, artifact: &str) -> Option<Self> {
        let mut parts = artifact.split(':');
        let (model, step, id) = (parts.next()?, parts.next()?.strip_prefix("step")?, parts.next()?);
        let (project, model) = (project.to_owned(), model.to_owned());
        let upload = Self { project, model, step: step.parse().ok()?, id: id.parse().ok()? };
        // Only the canonical spelling is valid.
        let is_it = [&upload.project, &upload.model].into_iter().all(|name| artifacts::is_name(name))
            && upload.artifact_name().artifact == artifact
            && (0..=HIGHEST_STEP).contains(&upload.step);
        is_it.then_some(upload)
    }

    /// Returns an error for a file that does not belong to an adapter.
    pub(super) fn check_file(name: &str) -> Result<(), ApiError> {
        if [CONFIG_FILE, WEIGHTS_FILE, MANIFEST].contains(&name) {
            return Ok(());
        }
        let message = format!(
            "{name:?} is not kept: a checkpoint has {CONFIG_FILE} and {WEIGHTS_FILE}; upload it without the file"
        );
        Err(ApiError::bad_request(message))
    }

    /// Returns the idempotency record of the commit.
    fn request(&self) -> IdempotentRequest {
        let id = self.id();
        idempotency::record(format!("wandb {}", self.id.simple()), &[b"upload", id.as_bytes()])
    }
}

impl Api {
    /// Begins the upload of an adapter.
    pub(super) async fn begin_upload(
        &self,
        caller: &Caller,
        field: Field<'_>,
        name: &ArtifactName,
    ) -> Result<Upload, ApiError> {
        check_names(field, &SAID)?;
        let model = self.model_of_upload(caller, &name.project, &name.artifact).await?;
        lora_options(&model)?;
        let step = step_of(field)?;
        let upload = Upload { project: name.project.clone(), model: name.artifact.clone(), step, id: Uuid::new_v4() };
        if let Some(metadata) = metadata(field)?.filter(|metadata| *metadata != "{}") {
            let artifact = self.artifacts.put(metadata.as_bytes().to_vec()).await?;
            let name = upload.artifact_name().file(METADATA_FILE);
            self.keep_wandb_file(caller, name, FilePurpose::UserData, metadata.len() as u64, artifact).await?;
        }
        Ok(upload)
    }

    /// Commits an upload as a step of its model. Idempotent: a second commit returns the same step. The files of a
    /// rejected upload are removed.
    pub(super) async fn commit_upload(
        &self,
        caller: &Caller,
        upload: &Upload,
    ) -> Result<(ModelRecord, CheckpointRecord), ApiError> {
        // The semaphore is never closed. Without a permit there would only be more concurrent commits.
        let _turn = COMMITTING.acquire().await;
        let made = match self.import_upload(caller, upload).await {
            // Another process may have committed the upload and removed its files in the meantime.
            Err(failure) => self.uploaded_step(caller, upload).await.map_err(|_| failure),
            made => made,
        };
        // Keep the files, because the client retries after a server error.
        if let Err(failure) = &made
            && failure.status().code().is_server_error()
        {
            return made;
        }
        for name in [MANIFEST, CONFIG_FILE, WEIGHTS_FILE, METADATA_FILE] {
            while let Some(file) = self.staged(caller, upload, name).await? {
                if let Some(unreferenced) = self.metadata.delete_file(&caller.entity, file.id).await.optional()? {
                    self.collect_later(unreferenced);
                }
            }
        }
        made
    }

    /// Returns the step that an upload was committed as.
    pub(super) async fn uploaded_step(
        &self,
        caller: &Caller,
        upload: &Upload,
    ) -> Result<(ModelRecord, CheckpointRecord), ApiError> {
        let model = self.model_of_upload(caller, &upload.project, &upload.model).await?;
        let unknown = || ApiError::not_found(format!("there is no artifact {:?}", upload.id()));
        let checkpoint = self.find_upload(caller, &model, upload).await?.ok_or_else(unknown)?;
        Ok((model, checkpoint))
    }

    async fn model_of_upload(&self, caller: &Caller, project: &str, name: &str) -> Result<ModelRecord, ApiError> {
        let unknown = || {
            let message = format!("there is no model {name:?} in the project {project:?}; register it, then upload");
            ApiError::not_found(message)
        };
        self.wandb_model(caller, project, name).await?.ok_or_else(unknown)
    }

    async fn find_upload(
        &self,
        caller: &Caller,
        model: &ModelRecord,
        upload: &Upload,
    ) -> Result<Option<CheckpointRecord>, ApiError> {
        match self.metadata.find_idempotent_result(&caller.entity, &upload.request()).await? {
            Some(done) => Ok(Some(self.metadata.get_checkpoint(&caller.entity, model.id, done.object_id()).await?)),
            None => Ok(None),
        }
    }

    /// Returns the last uploaded version of a file of an upload.
    async fn staged(&self, caller: &Caller, upload: &Upload, name: &str) -> Result<Option<FileRecord>, ApiError> {
        let found =
            self.metadata.find_file(&caller.entity, &upload.artifact_name().file(name), None).await.optional()?;
        Ok(found.map(|found| found.file))
    }

    /// Returns the content of a small file of an upload.
    async fn staged_content(&self, file: &FileRecord, name: &str) -> Result<Vec<u8>, ApiError> {
        if file.bytes > SMALL_FILE_BYTES {
            let message = format!("{name} has {} bytes; {SMALL_FILE_BYTES} are read at most", file.bytes);
            return Err(ApiError::bad_request(message));
        }
        Ok(self.artifacts.get(file.artifact).await?.to_vec())
    }

    async fn import_upload(
        &self,
        caller: &Caller,
        upload: &Upload,
    ) -> Result<(ModelRecord, CheckpointRecord), ApiError> {
        let model = self.model_of_upload(caller, &upload.project, &upload.model).await?;
        if let Some(before) = self.find_upload(caller, &model, upload).await? {
            return Ok((model, before));
        }
        let file = async |name: &str| {
            let missing = || ApiError::bad_request(format!("{name} was not uploaded; a checkpoint needs it"));
            self.staged(caller, upload, name).await?.ok_or_else(missing)
        };
        let (manifest, config, weights) = (file(MANIFEST).await?, file(CONFIG_FILE).await?, file(WEIGHTS_FILE).await?);
        let manifest = self.staged_content(&manifest, MANIFEST).await?;
        self.check_manifest(&manifest, &[(CONFIG_FILE, &config), (WEIGHTS_FILE, &weights)]).await?;
        let config = self.staged_content(&config, CONFIG_FILE).await?;
        let provenance = self.catalog.served_base(&model)?.provenance().await;
        self.check_adapter(&model, config.clone(), &weights).await.map_err(by_file)?;
        let metadata = match self.staged(caller, upload, METADATA_FILE).await? {
            Some(file) => Some(self.staged_content(&file, METADATA_FILE).await?),
            None => None,
        };
        let added = AddedCheckpoint {
            id: Uuid::now_v7(),
            entity: caller.entity.clone(),
            model_id: model.id,
            min_step: upload.step,
            metadata: metadata.map(|text| String::from_utf8_lossy(&text).into_owned()),
            source: CheckpointSource::File { file: weights.id, config: self.artifacts.put(config).await? },
            provenance,
            request: Some(upload.request()),
        };
        let checkpoint = self.metadata.add_checkpoint(added).await?;
        Ok((model, checkpoint))
    }

    /// Returns an error if the manifest lists other files than those uploaded.
    async fn check_manifest(&self, manifest: &[u8], sent: &[(&str, &FileRecord)]) -> Result<(), ApiError> {
        let manifest: Manifest = serde_json::from_slice(manifest)
            .map_err(|error| ApiError::bad_request(format!("{MANIFEST} cannot be read: {error}")))?;
        for name in manifest.contents.keys() {
            Upload::check_file(name)?;
        }
        for (name, file) in sent {
            let listed = manifest.contents.get(*name).map(|entry| &entry.digest);
            if listed != Some(&artifacts::md5(&self.artifacts, file.artifact).await?.0) {
                let message = format!("{name} is not the file that {MANIFEST} lists; upload the artifact again");
                return Err(ApiError::bad_request(message));
            }
        }
        Ok(())
    }
}

/// Returns the step that the aliases of a new artifact name; 0 if they name none.
fn step_of(field: Field<'_>) -> Result<i64, ApiError> {
    let mut step = 0;
    for entry in field.argument(&["input", "aliases"]).and_then(Value::as_array).into_iter().flatten() {
        let alias = entry.get("alias").and_then(Value::as_str).unwrap_or_default();
        let number = alias.strip_prefix("step").and_then(|number| number.parse().ok());
        match number.filter(|number| (0..=HIGHEST_STEP).contains(number)) {
            Some(number) if step == 0 || step == number => step = number,
            None if alias == "latest" => {}
            _ => {
                let message = format!(
                    "the alias {alias:?} is not kept: a checkpoint has `latest` and one `stepN`, N at most {HIGHEST_STEP}"
                );
                return Err(ApiError::bad_request(message));
            }
        }
    }
    Ok(step)
}

/// Converts an error about an adapter: its field becomes the file name.
fn by_file(failure: ApiError) -> ApiError {
    let file = match failure.param() {
        Some(CONFIG) => CONFIG_FILE,
        Some(WEIGHTS) => WEIGHTS_FILE,
        _ => return failure,
    };
    ApiError::bad_request(format!("{file}: {}", failure.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_an_upload_is_read_back_in_one_spelling() {
        let (project, model) = ("p q".to_owned(), "agent".to_owned());
        let upload = Upload { project, model, step: 7, id: Uuid::from_u128(3) };
        let id = upload.id();
        assert_eq!(id, "lora:p q/agent:step7:00000000000000000000000000000003");
        assert_eq!(Upload::of_id(&id), Some(upload));
        for other in [
            "lora:p/agent:step07:00000000000000000000000000000003",
            "lora:p/agent:step7:00000000-0000-0000-0000-000000000003",
            "lora:p/agent:step-1:00000000000000000000000000000003",
            "lora:p/agent:step2000000000:00000000000000000000000000000003",
            "lora:p/a/b:step1:00000000000000000000000000000003",
            "lora:p/agent:step7:00000000000000000000000000000003:x",
            "lora:/agent:step7:00000000000000000000000000000003",
            "dataset:p/agent",
            "lora:",
            "",
        ] {
            assert_eq!(Upload::of_id(other), None, "{other}");
        }
    }
}
