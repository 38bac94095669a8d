//! GraphQL queries of W&B's client, by field.

use serde_json::{Map, Value, json};

use super::arguments::{METADATA_BYTES, check_entity, required, unsupported};
use super::artifacts::{self, ArtifactName};
use super::graphql::{Document, Field, GraphqlError, Kind};
use super::uploads::Upload;
use super::{Api, Links, only_page};
use crate::api::files;
use crate::api::paging::{Listed, read_in_parts};
use crate::auth::Caller;
use crate::http::{ApiError, ErrorStatus, reserve_response};
use crate::store::records::{CheckpointRecord, FileVersion, ModelRecord, Order, PageRequest};
use crate::training::{WANDB_DATA_FILE, WandbArtifact};

/// Maximum number of listed steps of a model. W&B's client does not request further pages here.
const STEPS: u32 = 1000;
/// Number of them of one read of the store: their metadata has a few megabytes at most.
const STEPS_AT_ONCE: u32 = 50;
/// Memory of a field's value without the fields below it, and of a step's without its metadata.
pub(super) const FIELD_BYTES: usize = 8 << 10;
/// Bytes of memory for each byte of a text: in the record, in the value, and with escapes in the text of all values.
pub(super) const PER_BYTE: usize = 4;
/// Maximum number of root fields of a query.
const FIELDS: usize = 16;
/// Artifact type of the steps of models.
pub(super) const LORA: &str = "lora";

/// An existing artifact.
enum Found {
    Step(Box<(ModelRecord, CheckpointRecord)>),
    DataSet(ArtifactName, FileVersion),
}

impl From<GraphqlError> for ApiError {
    fn from(error: GraphqlError) -> Self {
        Self::bad_request(error.to_string())
    }
}

impl Api {
    /// Returns the data of an operation.
    pub(super) async fn respond_to_wandb(
        &self,
        caller: &Caller,
        links: &Links,
        query: &str,
        variables: &Map<String, Value>,
    ) -> Result<Value, ApiError> {
        let document = Document::parse(query)?;
        let request = document.request(variables)?;
        let fields = request.fields()?;
        let most = if request.kind() == Kind::Mutation { 1 } else { FIELDS };
        if fields.len() > most {
            let message = format!("the operation asks for {} fields; send {most} at a time at most", fields.len());
            return Err(ApiError::bad_request(message));
        }
        let aliases: usize = request.all_fields()?.iter().map(|field| FIELD_BYTES + PER_BYTE * field.key().len()).sum();
        reserve_response(aliases)?;
        let mut data = Map::new();
        for field in fields {
            let value = match request.kind() {
                Kind::Query => self.query(caller, links, field).await?,
                Kind::Mutation => self.mutate(caller, links, field).await?,
            };
            data.insert(field.key().to_owned(), value);
        }
        Ok(Value::Object(data))
    }

    async fn query(&self, caller: &Caller, links: &Links, field: Field<'_>) -> Result<Value, ApiError> {
        let entity = &caller.entity;
        Ok(match field.name() {
            "__typename" => json!("Query"),
            "viewer" => json!({
                "id": entity, "entity": entity, "username": entity, "name": entity, "email": "", "admin": false,
                "flags": "{}", "deletedAt": null, "generic": null, "apiKeys": { "edges": [] },
                "teams": { "edges": [{ "node": { "name": entity } }] },
            }),
            "serverInfo" => json!({ "features": [] }),
            "entity" => {
                check_entity(caller, field, &["name"])?;
                check_fields(field, &["id", "name", "organization"])?;
                json!({ "id": entity, "name": entity, "organization": null })
            }
            // Runs are not stored: each one is new.
            "model" => {
                check_entity(caller, field, &["entityName"])?;
                check_fields(field, &["id", "name", "entity", "bucket"])?;
                let mut project = artifacts::project(entity, required(field, &["name"])?);
                if let Some(bucket) = field.field("bucket")? {
                    project[bucket.key()] = Value::Null;
                }
                project
            }
            "project" => self.project(caller, links, field).await?,
            "artifact" => {
                let id = required(field, &["id"])?;
                reserve_step()?;
                let found = match (artifacts::read_checkpoint_id(id), Upload::of_id(id)) {
                    (Some((model, step)), _) => Found::Step(Box::new(self.checkpoint(caller, model, step).await?)),
                    (None, Some(upload)) => Found::Step(Box::new(self.uploaded_step(caller, &upload).await?)),
                    (None, None) => {
                        let name = data_set_of(id)?;
                        let file = name.file(WANDB_DATA_FILE);
                        let newest = self.metadata.find_file(&caller.entity, &file, None).await?;
                        Found::DataSet(name, newest)
                    }
                };
                self.artifact(caller, links, field, &found).await?
            }
            other => return Err(unsupported(&format!("query {other}"))),
        })
    }

    /// Returns the requested fields of a project.
    async fn project(&self, caller: &Caller, links: &Links, field: Field<'_>) -> Result<Value, ApiError> {
        check_entity(caller, field, &["entityName"])?;
        let name = required(field, &["name"])?;
        let mut project = artifacts::project(&caller.entity, name);
        for part in field.fields()? {
            let value = match part.name() {
                known @ ("__typename" | "id" | "internalId" | "name" | "entity") => project[known].clone(),
                "run" => Value::Null,
                "artifact" => {
                    // A client that requests the files at once wants to train on them.
                    let data_first = part.field("files")?.is_some();
                    reserve_step()?;
                    match self.artifact_named(caller, name, required(part, &["name"])?, data_first).await? {
                        Some(found) => self.artifact(caller, links, part, &found).await?,
                        None => Value::Null,
                    }
                }
                "artifactCollectionMembership" => {
                    self.membership(caller, links, part, name, required(part, &["name"])?).await?
                }
                "artifactCollection" => {
                    let collection = required(part, &["name"])?;
                    let mut value = artifacts::collection(&caller.entity, name, collection);
                    if let Some(member) = part.field("artifactMembership")? {
                        let alias = format!("{collection}:{}", required(member, &["aliasName"])?);
                        value[member.key()] = self.membership(caller, links, member, name, &alias).await?;
                    }
                    value
                }
                "artifactType" => self.listed_steps(caller, part, name).await?,
                other => return Err(unsupported(&format!("query project.{other}"))),
            };
            project[part.key()] = value;
        }
        Ok(project)
    }

    /// Returns an artifact, with its files and manifest if requested.
    async fn artifact(
        &self,
        caller: &Caller,
        links: &Links,
        field: Field<'_>,
        found: &Found,
    ) -> Result<Value, ApiError> {
        let mut value = match found {
            Found::Step(found) => artifacts::step(&found.0, &found.1, self.is_newest(caller, &found.1).await?),
            Found::DataSet(name, newest) => artifacts::data_set(name, newest),
        };
        if let Some(manifest) = field.field("currentManifest")? {
            value[manifest.key()] = match found {
                Found::Step(found) => {
                    json!({ "file": { "directUrl": links.from(&artifacts::manifest_path(&found.1)) } })
                }
                Found::DataSet(..) => Value::Null,
            };
        }
        if let Some(files) = field.field("files")? {
            value[files.key()] = match found {
                Found::Step(found) => step_files(links, &found.0, &found.1),
                Found::DataSet(_, newest) => {
                    let link = links.from(&files::content_path(newest.file.id));
                    only_page(vec![json!({ "node": { "name": WANDB_DATA_FILE, "directUrl": link } })])
                }
            };
        }
        Ok(value)
    }

    /// Returns a step as a member of its model's artifact collection; null if there is no step with this name.
    async fn membership(
        &self,
        caller: &Caller,
        links: &Links,
        field: Field<'_>,
        project: &str,
        name: &str,
    ) -> Result<Value, ApiError> {
        reserve_step()?;
        let Some((model, checkpoint)) = self.step_named(caller, project, name).await? else { return Ok(Value::Null) };
        let mut member = artifacts::membership(&model, &checkpoint, self.is_newest(caller, &checkpoint).await?);
        if let Some(files) = field.field("files")? {
            member[files.key()] = step_files(links, &model, &checkpoint);
        }
        Ok(member)
    }

    /// Returns an artifact by its name: `NAME:VERSION`, or `NAME` for the newest version.
    async fn artifact_named(
        &self,
        caller: &Caller,
        project: &str,
        name: &str,
        data_first: bool,
    ) -> Result<Option<Found>, ApiError> {
        let entity = &caller.entity;
        let data = async || match WandbArtifact::of_url(&format!("wandb-artifact:///{entity}/{project}/{name}")) {
            Some(named) => {
                let of = ArtifactName { project: named.project.clone(), artifact: named.name.clone() };
                self.data_set(&named).await.map(|found| found.map(|newest| Found::DataSet(of, newest)))
            }
            None => Ok(None),
        };
        if data_first && let Some(found) = data().await? {
            return Ok(Some(found));
        }
        match self.step_named(caller, project, name).await? {
            Some(found) => Ok(Some(Found::Step(Box::new(found)))),
            None if data_first => Ok(None),
            None => data().await,
        }
    }

    /// Returns a step by the names of its model and version: `stepN`, `vN` or `latest`.
    async fn step_named(
        &self,
        caller: &Caller,
        project: &str,
        name: &str,
    ) -> Result<Option<(ModelRecord, CheckpointRecord)>, ApiError> {
        let (model, version) = name.split_once(':').unwrap_or((name, "latest"));
        let Some(model) = self.wandb_model(caller, project, model).await? else { return Ok(None) };
        if version == "latest" {
            let newest = self.metadata.newest_checkpoint(&caller.entity, model.id).await?;
            return Ok(newest.map(|checkpoint| (model, checkpoint)));
        }
        let number = version.strip_prefix("step").or_else(|| version.strip_prefix('v'));
        let Some(step) = number.and_then(|number| number.parse().ok()) else { return Ok(None) };
        match self.checkpoint(caller, &model.id.to_string(), step).await {
            Err(failure) if failure.status() == ErrorStatus::NOT_FOUND => Ok(None),
            found => found.map(Some),
        }
    }

    /// Returns whether a step is the newest of its model.
    pub(super) async fn is_newest(&self, caller: &Caller, checkpoint: &CheckpointRecord) -> Result<bool, ApiError> {
        let newest = self.metadata.newest_checkpoint(&caller.entity, checkpoint.model_id).await?;
        Ok(newest.is_some_and(|newest| newest.id == checkpoint.id))
    }

    /// Returns the newest steps of a model as artifacts of their type.
    async fn listed_steps(&self, caller: &Caller, field: Field<'_>, project: &str) -> Result<Value, ApiError> {
        let kind = required(field, &["name"])?;
        if kind != LORA {
            return Err(unsupported(&format!("query project.artifactType of {kind:?}")));
        }
        check_fields(field, &["id", "name", "artifactCollection"])?;
        let mut value = json!({ "__typename": "ArtifactType", "id": kind, "name": kind });
        let Some(collection) = field.field("artifactCollection")? else { return Ok(value) };
        let name = required(collection, &["name"])?;
        let Some(model) = self.wandb_model(caller, project, name).await? else {
            value[collection.key()] = Value::Null;
            return Ok(value);
        };
        let mut listed = artifacts::collection(&caller.entity, project, name);
        if let Some(steps) = collection.field("artifacts")? {
            let newest = PageRequest { after: None, limit: STEPS, order: Order::Descending };
            let read = |part| self.metadata.list_checkpoints(&caller.entity, model.id, part);
            let bytes = |checkpoint: &CheckpointRecord| {
                FIELD_BYTES + PER_BYTE * checkpoint.metadata.as_ref().map_or(0, String::len)
            };
            let mut is_newest = true;
            let edge = |checkpoint: CheckpointRecord| {
                let node = artifacts::step(&model, &checkpoint, std::mem::take(&mut is_newest));
                // Step 0 has no files.
                let has_files = checkpoint.adapter.is_some();
                has_files.then(|| json!({ "version": format!("v{}", checkpoint.step), "node": node }))
            };
            let page =
                read_in_parts(newest, STEPS_AT_ONCE, read, Listed { id: |checkpoint| checkpoint.id, bytes }, edge)
                    .await?;
            listed[steps.key()] = only_page(page.items);
        }
        value[collection.key()] = listed;
        Ok(value)
    }
}

/// Reserves the memory of the response about one step, before the step is read.
pub(super) fn reserve_step() -> Result<(), ApiError> {
    reserve_response(FIELD_BYTES + PER_BYTE * METADATA_BYTES)
}

/// Returns the files of a step with their download URLs.
fn step_files(links: &Links, model: &ModelRecord, checkpoint: &CheckpointRecord) -> Value {
    let node = |(file, path): (&str, String)| {
        json!({ "node": {
            "__typename": "File", "id": file, "name": file, "displayName": file, "directUrl": links.from(&path),
        } })
    };
    only_page(artifacts::file_links(model, checkpoint).into_iter().map(node).collect())
}

/// Parses the artifact id of a data set.
pub(super) fn data_set_of(id: &str) -> Result<ArtifactName, ApiError> {
    ArtifactName::of_id(id).ok_or_else(|| ApiError::not_found(format!("there is no artifact {id:?}")))
}

/// Returns an error if other fields than these are requested.
fn check_fields(field: Field<'_>, known: &[&str]) -> Result<(), ApiError> {
    match field.fields()?.iter().find(|part| !known.contains(&part.name()) && part.name() != "__typename") {
        Some(part) => Err(unsupported(&format!("query {}.{}", field.name(), part.name()))),
        None => Ok(()),
    }
}
