//! W&B artifacts: uploaded data sets, and the steps of models.

use std::io::BufRead;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use crate::api::checkpoints::files;
use crate::http::ApiError;
use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};
use crate::store::records::{CheckpointRecord, FileVersion, ModelRecord, UnixMillis};

/// Prefix of the artifact id of a data set.
const DATA_SET: &str = "dataset:";
/// Limits the concurrent computations of digests: each reads a whole file.
static DIGESTING: Semaphore = Semaphore::const_new(2);
/// Prefix of the artifact id of a checkpoint.
const CHECKPOINT: &str = "checkpoint:";

/// Name of an artifact that was uploaded, within its entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::api) struct ArtifactName {
    pub project: String,
    pub artifact: String,
}

impl ArtifactName {
    /// Returns the name under which one of its files is stored.
    pub(in crate::api) fn file(&self, name: &str) -> String {
        format!("wandb/{}/{}/{name}", self.project, self.artifact)
    }

    /// Returns the URL path for the upload of one of its files.
    pub(super) fn upload_path(&self, file: &str) -> String {
        let encoded =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        format!("/wandb/files/{}/{}/{}", encoded(&self.project), encoded(&self.artifact), encoded(file))
    }

    /// Returns the artifact id.
    pub(super) fn id(&self) -> String {
        format!("{DATA_SET}{}/{}", self.project, self.artifact)
    }

    /// Parses an artifact id.
    pub(super) fn of_id(id: &str) -> Option<Self> {
        let (project, artifact) = id.strip_prefix(DATA_SET)?.split_once('/')?;
        Some(Self { project: project.to_owned(), artifact: artifact.to_owned() })
    }
}

/// Returns whether the text is a valid name of a project, an artifact or a file.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c == '/' || c == ':' || c.is_control())
}

/// Returns the artifact id of a checkpoint.
fn checkpoint_id(checkpoint: &CheckpointRecord) -> String {
    format!("{CHECKPOINT}{}:{}", checkpoint.model_id, checkpoint.step)
}

/// Parses the artifact id of a checkpoint into the model and the step.
pub(super) fn read_checkpoint_id(id: &str) -> Option<(&str, u64)> {
    let (model, step) = id.strip_prefix(CHECKPOINT)?.split_once(':')?;
    Some((model, step.parse().ok()?))
}

/// Returns the URL path of a checkpoint's manifest.
pub(super) fn manifest_path(checkpoint: &CheckpointRecord) -> String {
    format!("/wandb/manifests/{}/{}", checkpoint.model_id, checkpoint.step)
}

/// Returns the names of a checkpoint's files with their URL paths.
pub(super) fn file_links(model: &ModelRecord, checkpoint: &CheckpointRecord) -> Vec<(&'static str, String)> {
    let (model_id, step) = (model.id, checkpoint.step);
    let link = |(name, _)| (name, format!("/v1/preview/models/{model_id}/checkpoints/{step}/files/{name}"));
    files(model, checkpoint).into_iter().map(link).collect()
}

/// Returns the manifest of a checkpoint: its files with the MD5 digests that W&B's clients check.
pub(super) async fn manifest(
    artifacts: &Artifacts,
    model: &ModelRecord,
    checkpoint: &CheckpointRecord,
) -> Result<Map<String, Value>, ApiError> {
    let mut contents = Map::new();
    for (name, artifact) in files(model, checkpoint) {
        let (digest, size) = md5(artifacts, artifact).await?;
        let entry = json!({ "digest": digest, "size": size, "birthArtifactID": checkpoint_id(checkpoint) });
        contents.insert(name.to_owned(), entry);
    }
    let manifest = json!({
        "version": 1,
        "storagePolicy": "wandb-storage-policy-v1",
        "storagePolicyConfig": { "storageLayout": "V2" },
        "contents": contents,
    });
    let Value::Object(manifest) = manifest else { unreachable!("it is an object") };
    Ok(manifest)
}

/// Returns the base64 MD5 digest of an artifact, and its size.
pub(super) async fn md5(artifacts: &Artifacts, artifact: ArtifactId) -> Result<(String, u64), ArtifactError> {
    // The semaphore is never closed. Without a permit there would only be more concurrent computations.
    let _turn = DIGESTING.acquire().await;
    let mut reader = artifacts.open(artifact).await?;
    let size = artifacts.size(artifact).await?;
    let digesting = tokio::task::spawn_blocking(move || {
        let mut digest = Md5::new();
        // `verify` below reports a failed read.
        while let Ok(piece) = reader.fill_buf()
            && !piece.is_empty()
        {
            digest.update(piece);
            let length = piece.len();
            reader.consume(length);
        }
        reader.verify()?;
        Ok((STANDARD.encode(digest.finalize()), size))
    });
    match digesting.await {
        Ok(digested) => digested,
        Err(failure) => std::panic::resume_unwind(failure.into_panic()),
    }
}

/// Returns a project of an entity.
pub(super) fn project(entity: &str, name: &str) -> Value {
    json!({ "__typename": "Project", "id": name, "internalId": name, "name": name, "entity": { "id": entity, "name": entity } })
}

/// Returns a collection: the artifacts with the same name.
pub(super) fn collection(entity: &str, of: &str, name: &str) -> Value {
    json!({ "__typename": "ArtifactSequence", "id": format!("{of}/{name}"), "name": name, "project": project(entity, of) })
}

/// Returns an uploaded data set as an artifact.
pub(super) fn data_set(name: &ArtifactName, newest: &FileVersion) -> Value {
    let FileVersion { file, version } = newest;
    let sequence = collection(&file.entity, &name.project, &name.artifact);
    let aliases = ["latest".to_owned(), format!("v{version}")];
    artifact(Artifact {
        id: &name.id(),
        kind: "dataset",
        version: *version,
        sequence: &sequence,
        aliases: &aliases,
        created_at: &time(file.created_at),
        files: 1,
        metadata: None,
    })
}

/// Returns a step of a model as an artifact with the alias `stepN`.
pub(super) fn step(model: &ModelRecord, checkpoint: &CheckpointRecord, is_newest: bool) -> Value {
    let sequence = collection(&model.entity, &model.project, &model.name);
    artifact(Artifact {
        id: &checkpoint_id(checkpoint),
        kind: "lora",
        version: checkpoint.step,
        sequence: &sequence,
        aliases: &aliases(checkpoint, is_newest),
        created_at: &time(checkpoint.created_at),
        files: files(model, checkpoint).len(),
        metadata: checkpoint.metadata.as_deref(),
    })
}

/// Returns the aliases of a step.
fn aliases(checkpoint: &CheckpointRecord, is_newest: bool) -> Vec<String> {
    let latest = is_newest.then(|| "latest".to_owned());
    std::iter::once(format!("step{}", checkpoint.step)).chain(latest).collect()
}

fn alias(name: &str, sequence: &Value) -> Value {
    json!({ "__typename": "ArtifactAlias", "id": name, "alias": name, "artifactCollection": sequence })
}

/// Fields of an artifact that differ between data sets and steps.
struct Artifact<'a> {
    id: &'a str,
    kind: &'a str,
    version: i64,
    sequence: &'a Value,
    aliases: &'a [String],
    created_at: &'a str,
    files: usize,
    metadata: Option<&'a str>,
}

fn artifact(artifact: Artifact<'_>) -> Value {
    let Artifact { id, kind, version, sequence, aliases, created_at, files, metadata } = artifact;
    json!({
        "__typename": "Artifact",
        "id": id,
        "internalId": id,
        "artifactSequence": sequence,
        "versionIndex": version,
        "artifactType": { "name": kind },
        "aliases": aliases.iter().map(|name| alias(name, sequence)).collect::<Vec<_>>(),
        "description": null,
        "metadata": metadata,
        "ttlDurationSeconds": -2,
        "ttlIsInherited": true,
        "tags": [],
        "historyStep": null,
        "state": "COMMITTED",
        "size": 0,
        "digest": id,
        "digestAlgorithm": "MANIFEST_MD5",
        "commitHash": id,
        "fileCount": files,
        "createdAt": created_at,
        "updatedAt": created_at,
    })
}

/// Returns a step as a member of its model's artifact collection.
pub(super) fn membership(model: &ModelRecord, checkpoint: &CheckpointRecord, is_newest: bool) -> Value {
    let sequence = collection(&model.entity, &model.project, &model.name);
    json!({
        "__typename": "ArtifactCollectionMembership",
        "id": checkpoint_id(checkpoint),
        "versionIndex": checkpoint.step,
        "createdAt": time(checkpoint.created_at),
        "aliases": aliases(checkpoint, is_newest).iter().map(|name| alias(name, &sequence)).collect::<Vec<_>>(),
        "artifactCollection": sequence,
        "artifact": step(model, checkpoint, is_newest),
    })
}

fn time(at: UnixMillis) -> String {
    let at = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default();
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_data_set_is_read_back() {
        let odd = ArtifactName { project: "p q".into(), artifact: "a%b".into() };
        assert_eq!(ArtifactName::of_id(&odd.id()), Some(odd.clone()));
        assert_eq!(odd.upload_path("train.jsonl"), "/wandb/files/p%20q/a%25b/train%2Ejsonl");
    }
}
