//! GraphQL mutations of W&B's client, by field.

use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{check_entity, check_names, metadata, required, text, unsupported};
use super::artifacts::{self, ArtifactName};
use super::graphql::Field;
use super::queries::{FIELD_BYTES, LORA, PER_BYTE, data_set_of, reserve_step};
use super::uploads::Upload;
use super::{Api, Links, MANIFEST};
use crate::auth::Caller;
use crate::http::{ApiError, reserve_response};

/// Maximum number of files of an uploaded artifact.
const FILES: usize = 1000;
/// W&B's default project.
const NO_PROJECT: &str = "uncategorized";
/// Permitted input names of `updateArtifact`.
const UPDATES: [&str; 3] = ["artifactID", "metadata", "clientMutationId"];

#[derive(Deserialize)]
struct ArtifactFile {
    #[serde(rename = "artifactID")]
    artifact_id: String,
    name: String,
}

impl Api {
    pub(super) async fn mutate(&self, caller: &Caller, links: &Links, field: Field<'_>) -> Result<Value, ApiError> {
        Ok(match field.name() {
            "upsertBucket" => run(caller, field)?,
            "createRunFiles" => {
                check_entity(caller, field, &["input", "entityName"])?;
                json!({ "runID": "run", "uploadHeaders": [], "files": [] })
            }
            "createArtifact" => self.create_wandb_artifact(caller, field).await?,
            "createArtifactManifest" => {
                let id = required(field, &["input", "artifactID"])?;
                let name = artifact_of(id)?;
                let url = match field.field("artifactManifest")? {
                    Some(manifest) => match manifest.field("file")? {
                        Some(file) => file.field("uploadUrl")?.map(|_| links.to(&name.upload_path(MANIFEST))),
                        None => None,
                    },
                    None => None,
                };
                json!({ "artifactManifest": { "id": id, "file": {
                    "id": MANIFEST, "name": MANIFEST, "displayName": MANIFEST, "uploadUrl": url, "uploadHeaders": [],
                } } })
            }
            "createArtifactFiles" => {
                let files = field.argument(&["input", "artifactFiles"]).unwrap_or(&Value::Null);
                let files = Vec::<ArtifactFile>::deserialize(files).map_err(|error| {
                    ApiError::bad_request(format!("input.artifactFiles of createArtifactFiles cannot be read: {error}"))
                })?;
                if files.len() > FILES {
                    return Err(ApiError::bad_request(format!("an artifact has at most {FILES} files here")));
                }
                let texts = files.iter().map(|file| file.name.len() + file.artifact_id.len()).sum::<usize>();
                reserve_response(files.len() * FIELD_BYTES + 4 * PER_BYTE * texts)?;
                let edge = |file| file_to_send(links, &file).map(|node| json!({ "node": node }));
                let edges: Vec<Value> = files.into_iter().map(edge).collect::<Result<_, _>>()?;
                json!({ "files": { "edges": edges } })
            }
            "commitArtifact" => {
                let id = required(field, &["input", "artifactID"])?;
                reserve_step()?;
                let artifact = match Upload::of_id(id) {
                    Some(upload) => {
                        let (model, checkpoint) = self.commit_upload(caller, &upload).await?;
                        artifacts::step(&model, &checkpoint, self.is_newest(caller, &checkpoint).await?)
                    }
                    // Each file of a data set was stored when it was sent.
                    None => data_set_of(id).map(|_| json!({ "id": id, "digest": id }))?,
                };
                json!({ "artifact": artifact })
            }
            "updateArtifact" => json!({ "artifact": self.note_on_artifact(caller, field).await? }),
            "__typename" => json!("Mutation"),
            other => return Err(unsupported(&format!("mutation {other}"))),
        })
    }

    /// Begins the upload of an artifact.
    async fn create_wandb_artifact(&self, caller: &Caller, field: Field<'_>) -> Result<Value, ApiError> {
        check_entity(caller, field, &["input", "entityName"])?;
        let name = ArtifactName {
            project: required(field, &["input", "projectName"])?.to_owned(),
            artifact: required(field, &["input", "artifactCollectionName"])?.to_owned(),
        };
        if ![&name.project, &name.artifact].into_iter().all(|name| artifacts::is_name(name)) {
            return Err(ApiError::bad_request(
                "names of projects and artifacts have no `/`, no `:` and no control characters",
            ));
        }
        let id = match required(field, &["input", "artifactTypeName"])? {
            // Each file of a data set is a file of its own, so there is nothing to begin.
            "dataset" => name.id(),
            LORA => self.begin_upload(caller, field, &name).await?.id(),
            other => {
                let message =
                    format!("artifacts of type {other:?} are not kept here; the types are dataset and {LORA}");
                return Err(ApiError::bad_request(message));
            }
        };
        Ok(json!({ "artifact": {
            "id": id, "state": "PENDING", "artifactSequence": { "id": name.artifact, "latestArtifact": null },
        } }))
    }

    /// Stores the metadata of a step.
    async fn note_on_artifact(&self, caller: &Caller, field: Field<'_>) -> Result<Value, ApiError> {
        let id = required(field, &["input", "artifactID"])?;
        check_names(field, &UPDATES)?;
        reserve_step()?;
        let (model, mut checkpoint) = match (artifacts::read_checkpoint_id(id), Upload::of_id(id)) {
            (Some((model, step)), _) => self.checkpoint(caller, model, step).await?,
            (None, Some(upload)) => self.uploaded_step(caller, &upload).await?,
            (None, None) => {
                data_set_of(id)?;
                return Err(unsupported("mutation updateArtifact of a data set"));
            }
        };
        if let Some(metadata) = metadata(field)? {
            let step = checkpoint.step;
            checkpoint = self.metadata.set_checkpoint_metadata(&caller.entity, model.id, step, metadata).await?;
        }
        Ok(artifacts::step(&model, &checkpoint, self.is_newest(caller, &checkpoint).await?))
    }
}

/// Returns a run. Runs are not stored.
fn run(caller: &Caller, field: Field<'_>) -> Result<Value, ApiError> {
    check_entity(caller, field, &["input", "entityName"])?;
    let project = text(field, &["input", "modelName"])?.unwrap_or(NO_PROJECT);
    let name = match text(field, &["input", "name"])? {
        Some(name) => name,
        None => required(field, &["input", "id"])?,
    };
    Ok(json!({ "inserted": true, "bucket": {
        "id": name, "name": name, "displayName": name, "description": null, "config": null, "sweepName": null,
        "historyLineCount": 0, "project": artifacts::project(&caller.entity, project),
    } }))
}

/// Returns the artifact name to which the files of an artifact id are uploaded.
fn artifact_of(id: &str) -> Result<ArtifactName, ApiError> {
    match Upload::of_id(id) {
        Some(upload) => Ok(upload.artifact_name()),
        None => data_set_of(id),
    }
}

fn file_to_send(links: &Links, file: &ArtifactFile) -> Result<Value, ApiError> {
    if Upload::of_id(&file.artifact_id).is_some() {
        Upload::check_file(&file.name)?;
    }
    let name = artifact_of(&file.artifact_id)?;
    Ok(json!({
        "id": file.name, "name": file.name, "displayName": file.name, "storagePath": file.name,
        "uploadUrl": links.to(&name.upload_path(&file.name)), "uploadHeaders": [], "uploadMultipartUrls": null,
        "artifact": { "id": file.artifact_id },
    }))
}
