//! What W&B's client reads, each by the field that it asks for.

use serde_json::{Map, Value, json};

use super::{
    Api, Links,
    artifacts::{self, ArtifactName},
    graphql::{Document, Field, GraphqlError, Kind},
    only_page,
    uploads::Upload,
};
use crate::{
    api::files,
    auth::Caller,
    http::{ErrorStatus, Failure},
    store::records::{CheckpointRecord, FileVersion, ModelRecord, Order, PageRequest},
    training::{WANDB_DATA_FILE, WandbArtifact},
};

/// Steps of a model that are listed at once; W&B's client follows no page here.
const STEPS: u32 = 1000;
/// Root fields of a query, at most.
const FIELDS: usize = 16;
/// The artifacts that are steps of models.
pub(super) const LORA: &str = "lora";

/// An artifact that is there.
enum Found {
    Step(Box<(ModelRecord, CheckpointRecord)>),
    DataSet(ArtifactName, FileVersion),
}

impl From<GraphqlError> for Failure {
    fn from(error: GraphqlError) -> Self {
        Self::bad_request(error.to_string())
    }
}

impl Api {
    /// The data of an operation.
    pub(super) async fn answer_wandb(
        &self,
        caller: &Caller,
        links: &Links,
        query: &str,
        variables: &Map<String, Value>,
    ) -> Result<Value, Failure> {
        let document = Document::parse(query)?;
        let request = document.request(variables)?;
        let fields = request.fields()?;
        let most = if request.kind() == Kind::Mutation { 1 } else { FIELDS };
        if fields.len() > most {
            let message = format!("the operation asks for {} fields; send {most} at a time at most", fields.len());
            return Err(Failure::bad_request(message));
        }
        let mut data = Map::new();
        for field in fields {
            let answer = match request.kind() {
                Kind::Query => self.answer_query(caller, links, field).await?,
                Kind::Mutation => self.answer_mutation(caller, links, field).await?,
            };
            data.insert(field.key().to_owned(), answer);
        }
        Ok(Value::Object(data))
    }

    async fn answer_query(&self, caller: &Caller, links: &Links, field: Field<'_>) -> Result<Value, Failure> {
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
            // Nothing is kept of runs: each begins anew.
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
            other => return Err(not_answered(&format!("query {other}"))),
        })
    }

    /// What is asked for of a project.
    async fn project(&self, caller: &Caller, links: &Links, field: Field<'_>) -> Result<Value, Failure> {
        check_entity(caller, field, &["entityName"])?;
        let name = required(field, &["name"])?;
        let mut project = artifacts::project(&caller.entity, name);
        for part in field.fields()? {
            let answer = match part.name() {
                known @ ("__typename" | "id" | "internalId" | "name" | "entity") => project[known].clone(),
                "run" => Value::Null,
                "artifact" => {
                    // Who asks for files at once wants to train on them.
                    let data_first = part.field("files")?.is_some();
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
                    let mut answer = artifacts::collection(&caller.entity, name, collection);
                    if let Some(member) = part.field("artifactMembership")? {
                        let alias = format!("{collection}:{}", required(member, &["aliasName"])?);
                        answer[member.key()] = self.membership(caller, links, member, name, &alias).await?;
                    }
                    answer
                }
                "artifactType" => self.listed_steps(caller, part, name).await?,
                other => return Err(not_answered(&format!("query project.{other}"))),
            };
            project[part.key()] = answer;
        }
        Ok(project)
    }

    /// An artifact, with those of its files and its manifest that are asked for.
    async fn artifact(
        &self,
        caller: &Caller,
        links: &Links,
        field: Field<'_>,
        found: &Found,
    ) -> Result<Value, Failure> {
        let mut answer = match found {
            Found::Step(found) => artifacts::step(&found.0, &found.1, self.is_newest(caller, &found.1).await?),
            Found::DataSet(name, newest) => artifacts::data_set(name, newest),
        };
        if let Some(manifest) = field.field("currentManifest")? {
            answer[manifest.key()] = match found {
                Found::Step(found) => {
                    json!({ "file": { "directUrl": links.from(&artifacts::manifest_path(&found.1)) } })
                }
                Found::DataSet(..) => Value::Null,
            };
        }
        if let Some(files) = field.field("files")? {
            answer[files.key()] = match found {
                Found::Step(found) => step_files(links, &found.0, &found.1),
                Found::DataSet(_, newest) => {
                    let link = links.from(&files::content_path(newest.file.id));
                    only_page(vec![json!({ "node": { "name": WANDB_DATA_FILE, "directUrl": link } })])
                }
            };
        }
        Ok(answer)
    }

    /// A step as a member of its model's artifacts; null if there is none of that name.
    async fn membership(
        &self,
        caller: &Caller,
        links: &Links,
        field: Field<'_>,
        project: &str,
        name: &str,
    ) -> Result<Value, Failure> {
        let Some((model, checkpoint)) = self.step_named(caller, project, name).await? else { return Ok(Value::Null) };
        let mut member = artifacts::membership(&model, &checkpoint, self.is_newest(caller, &checkpoint).await?);
        if let Some(files) = field.field("files")? {
            member[files.key()] = step_files(links, &model, &checkpoint);
        }
        Ok(member)
    }

    /// An artifact by its name: `NAME:VERSION`, or `NAME` for the newest.
    async fn artifact_named(
        &self,
        caller: &Caller,
        project: &str,
        name: &str,
        data_first: bool,
    ) -> Result<Option<Found>, Failure> {
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
        match self.checkpoint(caller, &model.id.to_string(), step).await {
            Err(failure) if failure.status() == ErrorStatus::NOT_FOUND => Ok(None),
            found => found.map(Some),
        }
    }

    /// Whether a step is the newest that its model has.
    pub(super) async fn is_newest(&self, caller: &Caller, checkpoint: &CheckpointRecord) -> Result<bool, Failure> {
        let newest = self.metadata.newest_checkpoint(&caller.entity, checkpoint.model_id).await?;
        Ok(newest.is_some_and(|newest| newest.id == checkpoint.id))
    }

    /// The newest steps of a model as artifacts of their type.
    async fn listed_steps(&self, caller: &Caller, field: Field<'_>, project: &str) -> Result<Value, Failure> {
        let kind = required(field, &["name"])?;
        if kind != LORA {
            return Err(not_answered(&format!("query project.artifactType of {kind:?}")));
        }
        check_fields(field, &["id", "name", "artifactCollection"])?;
        let mut answer = json!({ "__typename": "ArtifactType", "id": kind, "name": kind });
        let Some(collection) = field.field("artifactCollection")? else { return Ok(answer) };
        let name = required(collection, &["name"])?;
        let Some(model) = self.wandb_model(caller, project, name).await? else {
            answer[collection.key()] = Value::Null;
            return Ok(answer);
        };
        let mut listed = artifacts::collection(&caller.entity, project, name);
        if let Some(steps) = collection.field("artifacts")? {
            let newest = PageRequest { after: None, limit: STEPS, order: Order::Descending };
            let page = self.metadata.list_checkpoints(&caller.entity, model.id, newest).await?;
            let edge = |checkpoint: &CheckpointRecord| {
                let is_newest = page.items.first().is_some_and(|newest| newest.id == checkpoint.id);
                let node = artifacts::step(&model, checkpoint, is_newest);
                json!({ "version": format!("v{}", checkpoint.step), "node": node })
            };
            // Step 0 has no files.
            let edges = page.items.iter().filter(|checkpoint| checkpoint.adapter.is_some()).map(edge).collect();
            listed[steps.key()] = only_page(edges);
        }
        answer[collection.key()] = listed;
        Ok(answer)
    }
}

/// The files of a step, with where each can be fetched.
fn step_files(links: &Links, model: &ModelRecord, checkpoint: &CheckpointRecord) -> Value {
    let node = |(file, path): (&str, String)| {
        json!({ "node": {
            "__typename": "File", "id": file, "name": file, "displayName": file, "directUrl": links.from(&path),
        } })
    };
    only_page(artifacts::file_links(model, checkpoint).into_iter().map(node).collect())
}

/// The data set that an id is of.
pub(super) fn data_set_of(id: &str) -> Result<ArtifactName, Failure> {
    ArtifactName::of_id(id).ok_or_else(|| Failure::not_found(format!("there is no artifact {id:?}")))
}

/// Refuses what this service has no answer to.
pub(super) fn not_answered(what: &str) -> Failure {
    Failure::bad_request(format!(
        "W&B's {what} is not answered here: this service takes data sets and checkpoints, gives checkpoints, and keeps no \
         runs"
    ))
}

/// Refuses fields other than these.
fn check_fields(field: Field<'_>, known: &[&str]) -> Result<(), Failure> {
    match field.fields()?.iter().find(|part| !known.contains(&part.name()) && part.name() != "__typename") {
        Some(part) => Err(not_answered(&format!("query {}.{}", field.name(), part.name()))),
        None => Ok(()),
    }
}

/// A text in the arguments of a field; `None` is null.
pub(super) fn text<'a>(field: Field<'a>, path: &[&str]) -> Result<Option<&'a str>, Failure> {
    match field.argument(path) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Failure::bad_request(format!("{} of {} must be a string", path.join("."), field.name()))),
    }
}

/// A text that a field cannot do without.
pub(super) fn required<'a>(field: Field<'a>, path: &[&str]) -> Result<&'a str, Failure> {
    let missing = || Failure::bad_request(format!("{} needs {}, which is missing", field.name(), path.join(".")));
    text(field, path)?.ok_or_else(missing)
}

/// Refuses an entity that is not the caller's; null is the caller's.
pub(super) fn check_entity(caller: &Caller, field: Field<'_>, path: &[&str]) -> Result<(), Failure> {
    match text(field, path)? {
        Some(entity) if entity != caller.entity => {
            Err(Failure::forbidden(format!("this key acts for {:?}, not for {entity:?}", caller.entity)))
        }
        _ => Ok(()),
    }
}
