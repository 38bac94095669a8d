//! Artifacts as W&B's clients see them: uploaded data sets, and the steps of models.

use std::io::BufRead;

use base64::{Engine, engine::general_purpose::STANDARD};
use md5::{Digest, Md5};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use crate::{
    api::checkpoints::files,
    http::Failure,
    store::{
        artifacts::{ArtifactError, ArtifactId, Artifacts},
        records::{CheckpointRecord, FileVersion, ModelRecord, UnixMillis},
    },
};

/// What the id of a data set's artifact begins with.
const DATA_SET: &str = "dataset:";
/// Files that are digested at the same time: each is read whole.
static DIGESTING: Semaphore = Semaphore::const_new(2);
/// What the id of a checkpoint's artifact begins with.
const CHECKPOINT: &str = "checkpoint:";

/// An artifact of an entity that was uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::api) struct ArtifactName {
    pub project: String,
    pub artifact: String,
}

impl ArtifactName {
    /// Under what name one of its files is kept.
    pub(in crate::api) fn file(&self, name: &str) -> String {
        format!("wandb/{}/{}/{name}", self.project, self.artifact)
    }

    /// The path to which one of its files is sent.
    pub(super) fn upload_path(&self, file: &str) -> String {
        let encoded =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        format!("/wandb/files/{}/{}/{}", encoded(&self.project), encoded(&self.artifact), encoded(file))
    }

    /// Its id.
    pub(super) fn id(&self) -> String {
        format!("{DATA_SET}{}/{}", self.project, self.artifact)
    }

    /// Reads its id.
    pub(super) fn of_id(id: &str) -> Option<Self> {
        let (project, artifact) = id.strip_prefix(DATA_SET)?.split_once('/')?;
        Some(Self { project: project.to_owned(), artifact: artifact.to_owned() })
    }
}

/// Whether a project, an artifact or a file can be called so.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c == '/' || c == ':' || c.is_control())
}

/// The id of a checkpoint's artifact.
fn checkpoint_id(checkpoint: &CheckpointRecord) -> String {
    format!("{CHECKPOINT}{}:{}", checkpoint.model_id, checkpoint.step)
}

/// The model and the step in the id of a checkpoint's artifact.
pub(super) fn read_checkpoint_id(id: &str) -> Option<(&str, u64)> {
    let (model, step) = id.strip_prefix(CHECKPOINT)?.split_once(':')?;
    Some((model, step.parse().ok()?))
}

/// The address of a checkpoint's manifest.
pub(super) fn manifest_path(checkpoint: &CheckpointRecord) -> String {
    format!("/wandb/manifests/{}/{}", checkpoint.model_id, checkpoint.step)
}

/// The files of a checkpoint, with where each can be fetched.
pub(super) fn file_links(model: &ModelRecord, checkpoint: &CheckpointRecord) -> Vec<(&'static str, String)> {
    let (model_id, step) = (model.id, checkpoint.step);
    let link = |(name, _)| (name, format!("/v1/preview/models/{model_id}/checkpoints/{step}/files/{name}"));
    files(model, checkpoint).into_iter().map(link).collect()
}

/// The manifest of a checkpoint: its files with their MD5, which is what W&B's clients check a download with.
pub(super) async fn manifest(
    artifacts: &Artifacts,
    model: &ModelRecord,
    checkpoint: &CheckpointRecord,
) -> Result<Map<String, Value>, Failure> {
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

/// MD5 of an artifact in base64, and its size.
pub(super) async fn md5(artifacts: &Artifacts, artifact: ArtifactId) -> Result<(String, u64), ArtifactError> {
    // The semaphore is never closed; without a permit there would only be more at a time.
    let _turn = DIGESTING.acquire().await;
    let mut reader = artifacts.open(artifact).await?;
    let size = artifacts.size(artifact).await?;
    let digesting = tokio::task::spawn_blocking(move || {
        let mut digest = Md5::new();
        // A read that fails is told by the proof that follows it.
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

/// A project of an entity.
pub(super) fn project(entity: &str, name: &str) -> Value {
    json!({ "__typename": "Project", "id": name, "internalId": name, "name": name, "entity": { "id": entity, "name": entity } })
}

/// A collection: the artifacts of one name.
pub(super) fn collection(entity: &str, of: &str, name: &str) -> Value {
    json!({ "__typename": "ArtifactSequence", "id": format!("{of}/{name}"), "name": name, "project": project(entity, of) })
}

/// A data set that was uploaded.
pub(super) fn data_set(name: &ArtifactName, newest: &FileVersion) -> Value {
    let FileVersion { file, version } = newest;
    let sequence = collection(&file.entity, &name.project, &name.artifact);
    let aliases = ["latest".to_owned(), format!("v{version}")];
    artifact(&name.id(), "dataset", *version, &sequence, &aliases, &time(file.created_at), 1, None)
}

/// A step of a model, as an artifact with the alias `stepN`.
pub(super) fn step(model: &ModelRecord, checkpoint: &CheckpointRecord, is_newest: bool) -> Value {
    let sequence = collection(&model.entity, &model.project, &model.name);
    let files = files(model, checkpoint).len();
    let created_at = time(checkpoint.created_at);
    artifact(
        &checkpoint_id(checkpoint),
        "lora",
        checkpoint.step,
        &sequence,
        &aliases(checkpoint, is_newest),
        &created_at,
        files,
        checkpoint.metadata.as_deref(),
    )
}

/// The names of a step beside its number.
fn aliases(checkpoint: &CheckpointRecord, is_newest: bool) -> Vec<String> {
    let latest = is_newest.then(|| "latest".to_owned());
    std::iter::once(format!("step{}", checkpoint.step)).chain(latest).collect()
}

fn alias(name: &str, sequence: &Value) -> Value {
    json!({ "__typename": "ArtifactAlias", "id": name, "alias": name, "artifactCollection": sequence })
}

fn artifact(
    id: &str,
    kind: &str,
    version: i64,
    sequence: &Value,
    aliases: &[String],
    created_at: &str,
    files: usize,
    metadata: Option<&str>,
) -> Value {
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

/// A step as a member of its model's artifacts.
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
