//! Adapters that W&B's client uploads: its fork of a model. Their files are kept like any upload until all are there; then
//! they are checked like an import and become a step at once, or nothing is left of them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    Api, MANIFEST,
    artifacts::{self, ArtifactName},
    changes::{check_names, metadata},
    graphql::Field,
};
use crate::{
    api::{
        new_checkpoint::{CONFIG, WEIGHTS, lora_options},
        repeated,
    },
    auth::Caller,
    http::Failure,
    store::{
        metadata::StoreError,
        records::{
            AddedCheckpoint, CheckpointRecord, CheckpointSource, FilePurpose, FileRecord, IdempotentRequest,
            ModelRecord,
        },
    },
};

/// What the id of an upload begins with.
const UPLOAD: &str = "lora:";
/// The files of an adapter.
const CONFIG_FILE: &str = "adapter_config.json";
const WEIGHTS_FILE: &str = "adapter_model.safetensors";
/// The file in which the metadata waits for the others.
const METADATA_FILE: &str = "metadata.json";
/// The most bytes of a file that is read whole beside the weights.
const SMALL_FILE_BYTES: i64 = 1 << 20;
/// The highest step that an upload may ask for; so many more can follow it.
const HIGHEST_STEP: i64 = 1_000_000_000;
/// Commits are made one after the other: the second of an upload finds the step of the first, or nothing.
static COMMITTING: Semaphore = Semaphore::const_new(1);
/// What may be said of an adapter, and what says nothing of it.
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

/// An adapter on its way: which model gets it, and under which step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Upload {
    project: String,
    model: String,
    /// The least step that it may become.
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
    /// Where its files are sent. No data set has such a name.
    pub(super) fn place(&self) -> ArtifactName {
        let Self { project, model, step, id } = self;
        ArtifactName { project: project.clone(), artifact: format!("{model}:step{step}:{}", id.simple()) }
    }

    /// Its id.
    pub(super) fn id(&self) -> String {
        let ArtifactName { project, artifact } = self.place();
        format!("{UPLOAD}{project}/{artifact}")
    }

    /// Reads its id.
    pub(super) fn of_id(id: &str) -> Option<Self> {
        let (project, artifact) = id.strip_prefix(UPLOAD)?.split_once('/')?;
        Self::of_place(project, artifact)
    }

    /// The upload whose files are sent to a place.
    pub(super) fn of_place(project: &str, artifact: &str) -> Option<Self> {
        let mut parts = artifact.split(':');
        let (model, step, id) = (parts.next()?, parts.next()?.strip_prefix("step")?, parts.next()?);
        let (project, model) = (project.to_owned(), model.to_owned());
        let upload = Self { project, model, step: step.parse().ok()?, id: id.parse().ok()? };
        // Written in one way only.
        let is_it = [&upload.project, &upload.model].into_iter().all(|name| artifacts::is_name(name))
            && upload.place().artifact == artifact
            && (0..=HIGHEST_STEP).contains(&upload.step);
        is_it.then_some(upload)
    }

    /// Refuses a file that no adapter has.
    pub(super) fn check_file(name: &str) -> Result<(), Failure> {
        if [CONFIG_FILE, WEIGHTS_FILE, MANIFEST].contains(&name) {
            return Ok(());
        }
        let message = format!(
            "{name:?} is not kept: a checkpoint has {CONFIG_FILE} and {WEIGHTS_FILE}; upload it without the file"
        );
        Err(Failure::bad_request(message))
    }

    /// Under what it is recorded that it became a step.
    fn request(&self) -> IdempotentRequest {
        let id = self.id();
        repeated::recorded_under(format!("wandb {}", self.id.simple()), &[b"upload", id.as_bytes()])
    }
}

impl Api {
    /// Begins the upload of an adapter.
    pub(super) async fn begin_upload(
        &self,
        caller: &Caller,
        field: Field<'_>,
        name: &ArtifactName,
    ) -> Result<Upload, Failure> {
        check_names(field, &SAID)?;
        let model = self.model_of_upload(caller, &name.project, &name.artifact).await?;
        lora_options(&model)?;
        let step = step_of(field)?;
        let upload = Upload { project: name.project.clone(), model: name.artifact.clone(), step, id: Uuid::new_v4() };
        if let Some(metadata) = metadata(field)?.filter(|metadata| *metadata != "{}") {
            let artifact = self.artifacts.put(metadata.as_bytes().to_vec()).await?;
            let name = upload.place().file(METADATA_FILE);
            self.keep_wandb_file(caller, name, FilePurpose::UserData, metadata.len() as u64, artifact).await?;
        }
        Ok(upload)
    }

    /// Makes an upload a step of its model. A second time it is the same step. What is refused leaves nothing behind.
    pub(super) async fn commit_upload(
        &self,
        caller: &Caller,
        upload: &Upload,
    ) -> Result<(ModelRecord, CheckpointRecord), Failure> {
        // The semaphore is never closed; without a permit there would only be more at a time.
        let _turn = COMMITTING.acquire().await;
        let made = match self.import_upload(caller, upload).await {
            // A commit in another process may have been faster, and taken the files away.
            Err(failure) => self.uploaded_step(caller, upload).await.map_err(|_| failure),
            made => made,
        };
        // The client tries again.
        if let Err(failure) = &made
            && failure.status().code().is_server_error()
        {
            return made;
        }
        for name in [MANIFEST, CONFIG_FILE, WEIGHTS_FILE, METADATA_FILE] {
            while let Some(file) = self.staged(caller, upload, name).await? {
                match self.metadata.delete_file(&caller.entity, file.id).await {
                    Err(StoreError::NotFound(_)) => {}
                    unreferenced => self.collect_later(unreferenced?),
                }
            }
        }
        made
    }

    /// The step that an upload has become.
    pub(super) async fn uploaded_step(
        &self,
        caller: &Caller,
        upload: &Upload,
    ) -> Result<(ModelRecord, CheckpointRecord), Failure> {
        let model = self.model_of_upload(caller, &upload.project, &upload.model).await?;
        let unknown = || Failure::not_found(format!("there is no artifact {:?}", upload.id()));
        let checkpoint = self.find_upload(caller, &model, upload).await?.ok_or_else(unknown)?;
        Ok((model, checkpoint))
    }

    async fn model_of_upload(&self, caller: &Caller, project: &str, name: &str) -> Result<ModelRecord, Failure> {
        let unknown = || {
            let message = format!("there is no model {name:?} in the project {project:?}; register it, then upload");
            Failure::not_found(message)
        };
        self.wandb_model(caller, project, name).await?.ok_or_else(unknown)
    }

    async fn find_upload(
        &self,
        caller: &Caller,
        model: &ModelRecord,
        upload: &Upload,
    ) -> Result<Option<CheckpointRecord>, Failure> {
        match self.metadata.find_idempotent_result(&caller.entity, &upload.request()).await? {
            Some(done) => Ok(Some(self.metadata.get_checkpoint(&caller.entity, model.id, done.object_id()).await?)),
            None => Ok(None),
        }
    }

    /// A file of an upload, as it was sent last.
    async fn staged(&self, caller: &Caller, upload: &Upload, name: &str) -> Result<Option<FileRecord>, Failure> {
        match self.metadata.find_file(&caller.entity, &upload.place().file(name), None).await {
            Err(StoreError::NotFound(_)) => Ok(None),
            found => Ok(Some(found?.file)),
        }
    }

    /// The content of a small file of an upload.
    async fn staged_content(&self, file: &FileRecord, name: &str) -> Result<Vec<u8>, Failure> {
        if file.bytes > SMALL_FILE_BYTES {
            let message = format!("{name} has {} bytes; {SMALL_FILE_BYTES} are read at most", file.bytes);
            return Err(Failure::bad_request(message));
        }
        Ok(self.artifacts.get(file.artifact).await?.to_vec())
    }

    async fn import_upload(
        &self,
        caller: &Caller,
        upload: &Upload,
    ) -> Result<(ModelRecord, CheckpointRecord), Failure> {
        let model = self.model_of_upload(caller, &upload.project, &upload.model).await?;
        if let Some(before) = self.find_upload(caller, &model, upload).await? {
            return Ok((model, before));
        }
        let file = async |name: &str| {
            let missing = || Failure::bad_request(format!("{name} was not uploaded; a checkpoint needs it"));
            self.staged(caller, upload, name).await?.ok_or_else(missing)
        };
        let (manifest, config, weights) = (file(MANIFEST).await?, file(CONFIG_FILE).await?, file(WEIGHTS_FILE).await?);
        let manifest = self.staged_content(&manifest, MANIFEST).await?;
        self.check_manifest(&manifest, &[(CONFIG_FILE, &config), (WEIGHTS_FILE, &weights)]).await?;
        let config = self.staged_content(&config, CONFIG_FILE).await?;
        self.check_adapter(&model, config.clone(), &weights).await.map_err(by_file)?;
        let metadata = match self.staged(caller, upload, METADATA_FILE).await? {
            Some(file) => Some(self.staged_content(&file, METADATA_FILE).await?),
            None => None,
        };
        let added = AddedCheckpoint {
            id: Uuid::now_v7(),
            entity: caller.entity.clone(),
            model_id: model.id,
            least_step: upload.step,
            metadata: metadata.map(|text| String::from_utf8_lossy(&text).into_owned()),
            source: CheckpointSource::File { file: weights.id, config: self.artifacts.put(config).await? },
            provenance: self.catalog.served_base(&model)?.provenance(),
            request: Some(upload.request()),
        };
        let checkpoint = self.metadata.add_checkpoint(added).await?;
        Ok((model, checkpoint))
    }

    /// Refuses a manifest that lists other files than were sent.
    async fn check_manifest(&self, manifest: &[u8], sent: &[(&str, &FileRecord)]) -> Result<(), Failure> {
        let manifest: Manifest = serde_json::from_slice(manifest)
            .map_err(|error| Failure::bad_request(format!("{MANIFEST} cannot be read: {error}")))?;
        for name in manifest.contents.keys() {
            Upload::check_file(name)?;
        }
        for (name, file) in sent {
            let listed = manifest.contents.get(*name).map(|entry| &entry.digest);
            if listed != Some(&artifacts::md5(&self.artifacts, file.artifact).await?.0) {
                let message = format!("{name} is not the file that {MANIFEST} lists; upload the artifact again");
                return Err(Failure::bad_request(message));
            }
        }
        Ok(())
    }
}

/// The step that the aliases of a new artifact name; 0 if they name none.
fn step_of(field: Field<'_>) -> Result<i64, Failure> {
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
                return Err(Failure::bad_request(message));
            }
        }
    }
    Ok(step)
}

/// A refusal of an adapter, whose files have names here.
fn by_file(failure: Failure) -> Failure {
    let file = match failure.param() {
        Some(CONFIG) => CONFIG_FILE,
        Some(WEIGHTS) => WEIGHTS_FILE,
        _ => return failure,
    };
    Failure::bad_request(format!("{file}: {}", failure.message()))
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
