//! The GraphQL operations of W&B's client, each by its name.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Api, Links, MANIFEST,
    artifacts::{self, ArtifactName},
    only_page,
};
use crate::{
    api::files,
    auth::Caller,
    http::Failure,
    store::records::{CheckpointRecord, ModelRecord, Order, PageRequest},
    training::{WANDB_DATA_FILE, WandbArtifact},
};

/// Steps of a model that are listed at once; W&B's client follows no page here.
const STEPS: u32 = 1000;
/// Files of an artifact that is uploaded, at most.
const FILES: usize = 1000;

#[derive(Deserialize)]
struct OfProject {
    entity: String,
    project: String,
    /// Of a run, or of an artifact with its version.
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewArtifact {
    entity_name: String,
    project_name: String,
    artifact_collection_name: String,
    artifact_type_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewManifest {
    #[serde(rename = "artifactID")]
    artifact_id: String,
    include_upload: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewFiles {
    artifact_files: Vec<ArtifactFile>,
}

#[derive(Deserialize)]
struct ArtifactFile {
    #[serde(rename = "artifactID")]
    artifact_id: String,
    name: String,
}

#[derive(Deserialize)]
struct Input<T> {
    input: T,
}

#[derive(Deserialize)]
struct ById {
    #[serde(alias = "artifactID")]
    id: String,
}

#[derive(Deserialize)]
struct OfCollection {
    entity: String,
    project: String,
    collection: String,
    #[serde(default)]
    alias: String,
}

impl Api {
    /// The data of an operation.
    pub(super) async fn answer_wandb(
        &self,
        caller: &Caller,
        links: &Links,
        query: &str,
        variables: Value,
    ) -> Result<Value, Failure> {
        let entity = &caller.entity;
        let name = operation_name(query);
        Ok(match name {
            "Viewer" | "GetDefaultEntity" => json!({ "viewer": {
                "id": entity, "entity": entity, "username": entity, "name": entity, "email": "", "admin": false,
                "flags": "{}", "deletedAt": null, "generic": null, "apiKeys": { "edges": [] },
                "teams": { "edges": [{ "node": { "name": entity } }] },
            } }),
            "ServerFeaturesQuery" => json!({ "serverInfo": { "features": [] } }),
            "OrganizationCoreWeaveOrganizationID" => json!({ "entity": { "organization": null } }),
            // Nothing is kept of runs: each begins anew.
            "RunResumeStatus" => {
                let of: OfProject = read(name, variables)?;
                Self::check_wandb_entity(caller, &of.entity)?;
                json!({ "model": {
                    "id": of.project, "name": of.project, "entity": { "id": entity, "name": entity }, "bucket": null,
                } })
            }
            "UpsertBucket" => {
                let of: OfProject = read(name, variables)?;
                Self::check_wandb_entity(caller, &of.entity)?;
                let project =
                    json!({ "id": of.project, "name": of.project, "entity": { "id": entity, "name": entity } });
                json!({ "upsertBucket": { "inserted": true, "bucket": {
                    "id": of.name, "name": of.name, "displayName": of.name, "description": null, "config": null,
                    "sweepName": null, "historyLineCount": 0, "project": project,
                } } })
            }
            "CreateRunFiles" => json!({ "createRunFiles": { "runID": "run", "uploadHeaders": [], "files": [] } }),
            // What an artifact of that name was before does not matter.
            "ArtifactType" => json!({ "project": null }),
            "CreateArtifact" => {
                let new: Input<NewArtifact> = read(name, variables)?;
                create_artifact(caller, &new.input)?
            }
            "CreateArtifactManifest" => {
                let new: NewManifest = read(name, variables)?;
                let artifact = data_set_of(&new.artifact_id)?;
                let upload = new.include_upload.then(|| links.to(&artifact.upload_path(MANIFEST)));
                json!({ "createArtifactManifest": { "artifactManifest": {
                    "id": new.artifact_id,
                    "file": { "id": MANIFEST, "name": MANIFEST, "displayName": MANIFEST, "uploadUrl": upload, "uploadHeaders": [] },
                } } })
            }
            "CreateArtifactFiles" => {
                let new: Input<NewFiles> = read(name, variables)?;
                if new.input.artifact_files.len() > FILES {
                    return Err(Failure::bad_request(format!("an artifact has at most {FILES} files here")));
                }
                let mut edges = Vec::new();
                for file in &new.input.artifact_files {
                    edges.push(json!({ "node": file_to_send(links, file)? }));
                }
                json!({ "createArtifactFiles": { "files": { "edges": edges } } })
            }
            "CommitArtifact" => {
                let of: ById = read(name, variables)?;
                json!({ "commitArtifact": { "artifact": { "id": of.id, "digest": of.id } } })
            }
            "ArtifactByID" => {
                let of: ById = read(name, variables)?;
                let artifact = match self.wandb_checkpoint(caller, &of.id).await? {
                    Some((model, checkpoint)) => {
                        artifacts::step(&model, &checkpoint, self.is_newest(caller, &checkpoint).await?)
                    }
                    None => self.uploaded(caller, &data_set_of(&of.id)?).await?,
                };
                json!({ "artifact": artifact })
            }
            "ArtifactMembershipByName" => {
                let of: OfProject = read(name, variables)?;
                Self::check_wandb_entity(caller, &of.entity)?;
                let found = self.step_named(caller, &of.project, &of.name).await?;
                let member = match &found {
                    Some((model, checkpoint)) => {
                        Some(artifacts::membership(model, checkpoint, self.is_newest(caller, checkpoint).await?))
                    }
                    None => None,
                };
                json!({ "project": { "artifactCollectionMembership": member } })
            }
            "FetchArtifactManifest" => {
                let of: ById = read(name, variables)?;
                let found = self.wandb_checkpoint(caller, &of.id).await?;
                let url = found.map(|(_, checkpoint)| links.from(&artifacts::manifest_path(&checkpoint)));
                json!({ "artifact": { "currentManifest": url.map(|url| json!({ "file": { "directUrl": url } })) } })
            }
            "GetArtifactMembershipFileUrls" | "ArtifactMembershipFiles" => {
                let of: OfCollection = read(name, variables)?;
                Self::check_wandb_entity(caller, &of.entity)?;
                let found = self.step_named(caller, &of.project, &format!("{}:{}", of.collection, of.alias)).await?;
                let files = found.map(|(model, checkpoint)| artifacts::file_links(&model, &checkpoint));
                let node = |(file, path): (&str, String)| {
                    json!({ "node": {
                        "__typename": "File", "id": file, "name": file, "displayName": file, "directUrl": links.from(&path),
                    } })
                };
                let files = only_page(files.unwrap_or_default().into_iter().map(node).collect());
                json!({ "project": { "artifactCollection": {
                    "__typename": "ArtifactSequence", "artifactMembership": { "files": files },
                } } })
            }
            "ArtifactFileUrls" => {
                let of: OfProject = read(name, variables)?;
                Self::check_wandb_entity(caller, &of.entity)?;
                let url = format!("wandb-artifact:///{entity}/{}/{}", of.project, of.name);
                let found = match WandbArtifact::of_url(&url) {
                    Some(named) => self.data_set(&named).await?,
                    None => None,
                };
                let files = found.map(|found| {
                    let link = links.from(&files::content_path(found.file.id));
                    only_page(vec![json!({ "node": { "name": WANDB_DATA_FILE, "directUrl": link } })])
                });
                json!({ "project": { "artifact": files.map(|files| json!({ "files": files })) } })
            }
            "ProjectArtifacts" => {
                let of: OfCollection = read(name, variables)?;
                Self::check_wandb_entity(caller, &of.entity)?;
                self.steps(caller, &of).await?
            }
            other => {
                return Err(Failure::bad_request(format!(
                    "W&B's operation {other:?} is not answered here: this service takes data sets and gives checkpoints, and \
                     keeps no runs"
                )));
            }
        })
    }

    /// A data set by its newest upload.
    async fn uploaded(&self, caller: &Caller, name: &ArtifactName) -> Result<Value, Failure> {
        let newest = self.metadata.find_file(&caller.entity, &name.file(WANDB_DATA_FILE), None).await?;
        Ok(artifacts::data_set(name, &newest))
    }

    /// A step by the name of its model and its own: `stepN`, `vN` or `latest`.
    async fn step_named(
        &self,
        caller: &Caller,
        project: &str,
        name: &str,
    ) -> Result<Option<(ModelRecord, CheckpointRecord)>, Failure> {
        let (model, version) = name.split_once(':').unwrap_or((name, "latest"));
        let Some(model) = self.wandb_model(caller, project, model).await? else { return Ok(None) };
        if version == "latest" {
            let newest = self.metadata.newest_checkpoint(&caller.entity, model.id).await?;
            return Ok(newest.map(|checkpoint| (model, checkpoint)));
        }
        let number = version.strip_prefix("step").or_else(|| version.strip_prefix('v'));
        let Some(step) = number.and_then(|number| number.parse().ok()) else { return Ok(None) };
        self.checkpoint(caller, &model.id.to_string(), step).await.map(Some)
    }

    /// Whether a step is the newest that its model has.
    async fn is_newest(&self, caller: &Caller, checkpoint: &CheckpointRecord) -> Result<bool, Failure> {
        let newest = self.metadata.newest_checkpoint(&caller.entity, checkpoint.model_id).await?;
        Ok(newest.is_some_and(|newest| newest.id == checkpoint.id))
    }

    /// The newest steps of a model as artifacts.
    async fn steps(&self, caller: &Caller, of: &OfCollection) -> Result<Value, Failure> {
        let Some(model) = self.wandb_model(caller, &of.project, &of.collection).await? else {
            return Ok(json!({ "project": { "artifactType": { "artifactCollection": null } } }));
        };
        let newest = PageRequest { after: None, limit: STEPS, order: Order::Descending };
        let page = self.metadata.list_checkpoints(&caller.entity, model.id, newest).await?;
        let edge = |checkpoint: &CheckpointRecord| {
            let is_newest = page.items.first().is_some_and(|newest| newest.id == checkpoint.id);
            let node = artifacts::step(&model, checkpoint, is_newest);
            json!({ "version": format!("v{}", checkpoint.step), "node": node })
        };
        // Step 0 has no files.
        let steps = page.items.iter().filter(|checkpoint| checkpoint.adapter.is_some()).map(edge).collect();
        Ok(json!({ "project": { "artifactType": { "artifactCollection": {
            "__typename": "ArtifactSequence", "artifacts": only_page(steps),
        } } } }))
    }
}

/// Begins an upload; its files become one by one what they are.
fn create_artifact(caller: &Caller, new: &NewArtifact) -> Result<Value, Failure> {
    Api::check_wandb_entity(caller, &new.entity_name)?;
    if new.artifact_type_name != "dataset" {
        return Err(Failure::bad_request(format!(
            "artifacts of type {:?} are not kept here; import a checkpoint with POST \
             /v1/preview/models/{{model_id}}/add-checkpoint",
            new.artifact_type_name
        )));
    }
    if ![&new.project_name, &new.artifact_collection_name].into_iter().all(|name| artifacts::is_name(name)) {
        return Err(Failure::bad_request(
            "names of projects and artifacts have no `/`, no `:` and no control characters",
        ));
    }
    let name = ArtifactName { project: new.project_name.clone(), artifact: new.artifact_collection_name.clone() };
    Ok(json!({ "createArtifact": { "artifact": {
        "id": name.id(), "state": "PENDING", "artifactSequence": { "id": name.artifact, "latestArtifact": null },
    } } }))
}

fn file_to_send(links: &Links, file: &ArtifactFile) -> Result<Value, Failure> {
    let artifact = data_set_of(&file.artifact_id)?;
    Ok(json!({
        "id": file.name, "name": file.name, "displayName": file.name, "storagePath": file.name,
        "uploadUrl": links.to(&artifact.upload_path(&file.name)), "uploadHeaders": [], "uploadMultipartUrls": null,
        "artifact": { "id": file.artifact_id },
    }))
}

fn data_set_of(id: &str) -> Result<ArtifactName, Failure> {
    ArtifactName::of_id(id).ok_or_else(|| Failure::not_found(format!("there is no artifact {id:?}")))
}

/// The variables of an operation.
fn read<T: DeserializeOwned>(operation: &str, variables: Value) -> Result<T, Failure> {
    serde_json::from_value(variables)
        .map_err(|error| Failure::bad_request(format!("the variables of {operation} cannot be read: {error}")))
}

/// The name behind the kind of an operation; empty if it has none.
fn operation_name(query: &str) -> &str {
    let kinds = ["query", "mutation"];
    let rest = query.trim_start();
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind)).unwrap_or_default().trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_known_by_its_name() {
        for (query, name) in [
            ("query Viewer { viewer { id } }", "Viewer"),
            ("\n  mutation UpsertBucket($id: String) {\n", "UpsertBucket"),
            ("query Viewer{viewer{id}}", "Viewer"),
            ("{ viewer { id } }", ""),
            ("query { viewer { id } }", ""),
            ("", ""),
        ] {
            assert_eq!(operation_name(query), name, "{query}");
        }
    }
}
