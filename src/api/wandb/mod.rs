//! As much of W&B's protocol as it takes to log a run, upload a data set, and pull or fork a checkpoint.

mod artifacts;
mod changes;
mod graphql;
mod queries;
mod uploads;

use std::time::SystemTime;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Api, files::keep};
use crate::{
    auth::{Caller, Transfer, transfer_token},
    generated::{
        server::wandb::{
            GetWandbManifestInput, GetWandbManifestOutput, PutWandbFileInput, PutWandbFileOutput, QueryWandbInput,
            QueryWandbOutput, StreamWandbRunInput, StreamWandbRunOutput, Wandb,
        },
        types::{WandbAnswer, WandbFault},
    },
    http::Failure,
    json::Verbatim,
    store::{
        artifacts::ArtifactId,
        metadata::StoreError,
        records::{FilePurpose, FileRecord, FileVersion, ModelRecord, NewFile},
    },
    training::{WANDB_DATA_FILE, WandbArtifact},
};

use artifacts::ArtifactName;
use uploads::Upload;

/// The file in which an artifact lists its files.
const MANIFEST: &str = "wandb_manifest.json";

impl Wandb for Api {
    async fn query_wandb(&self, caller: Caller, input: QueryWandbInput) -> Result<QueryWandbOutput, Failure> {
        let key = self.metadata.get_key(caller.key_id).await?;
        // Of several proxies, the first one's.
        let outermost = input.x_forwarded_proto.as_deref().and_then(|list| list.split(',').next()).map(str::trim);
        let scheme = if outermost == Some("https") { "https" } else { "http" };
        let links = Links {
            root: format!("{scheme}://{}", input.host.unwrap_or_else(|| "127.0.0.1:8000".to_owned())),
            fetch: transfer_token(&key, Transfer::Fetch, SystemTime::now()),
            send: transfer_token(&key, Transfer::Send, SystemTime::now()),
        };
        let variables = match input.body.variables {
            Some(variables) => variables.read().map_err(Failure::internal)?,
            None => Map::new(),
        };
        let answer = match self.answer_wandb(&caller, &links, &input.body.query, &variables).await {
            Ok(data) => WandbAnswer { data: Some(Verbatim::of(&data).map_err(Failure::internal)?), errors: None },
            // A fault of ours keeps its status, so that the client tries again.
            Err(failure) if failure.status().code().is_server_error() => return Err(failure),
            Err(failure) => {
                WandbAnswer { data: None, errors: Some(vec![WandbFault { message: failure.message().to_owned() }]) }
            }
        };
        Ok(answer.into())
    }

    async fn stream_wandb_run(
        &self,
        caller: Caller,
        input: StreamWandbRunInput,
    ) -> Result<StreamWandbRunOutput, Failure> {
        if input.entity != caller.entity {
            return Err(Failure::not_found("there is no such run"));
        }
        Ok(Map::new().into())
    }

    async fn put_wandb_file(&self, caller: Caller, input: PutWandbFileInput) -> Result<PutWandbFileOutput, Failure> {
        let PutWandbFileInput { project, artifact, file_name, mut body } = input;
        let upload = Upload::of_place(&project, &artifact);
        let artifact_is_name = upload.is_some() || artifacts::is_name(&artifact);
        if !artifact_is_name || ![&project, &file_name].into_iter().all(|name| artifacts::is_name(name)) {
            return Err(Failure::not_found(
                "there is no such artifact: names have no `/`, no `:` and no control characters",
            ));
        }
        if upload.is_some() {
            Upload::check_file(&file_name)?;
        } else if file_name == MANIFEST {
            while body.next().await?.is_some() {}
            return Ok(Map::new().into());
        }
        let room = self.room(&caller).await?;
        let mut writer = self.artifacts.writer();
        while let Some(chunk) = body.next().await? {
            writer.write(&chunk).await?;
            room.check(writer.length())?;
        }
        let purpose = if file_name.ends_with(".jsonl") { FilePurpose::FineTune } else { FilePurpose::UserData };
        let name = ArtifactName { project, artifact }.file(&file_name);
        let (bytes, artifact) = (writer.length(), writer.finish().await?);
        self.keep_wandb_file(&caller, name, purpose, bytes, artifact).await?;
        Ok(Map::new().into())
    }

    async fn get_wandb_manifest(
        &self,
        caller: Caller,
        input: GetWandbManifestInput,
    ) -> Result<GetWandbManifestOutput, Failure> {
        let (model, checkpoint) = self.checkpoint(&caller, &input.model_id, input.step).await?;
        Ok(artifacts::manifest(&self.artifacts, &model, &checkpoint).await?.into())
    }
}

/// Addresses that the caller's tools can use.
struct Links {
    /// Scheme, host and port.
    root: String,
    /// Stands for the caller's key where something is fetched.
    fetch: String,
    /// The same where something is sent.
    send: String,
}

impl Links {
    /// The address from which something is fetched.
    fn from(&self, path: &str) -> String {
        format!("{}{path}?token={}", self.root, self.fetch)
    }

    /// The address to which something is sent.
    fn to(&self, path: &str) -> String {
        format!("{}{path}?upload_token={}", self.root, self.send)
    }
}

impl Api {
    /// The data set that a `wandb-artifact:///` URL names: one that was logged here, or one of the W&B server that the operator
    /// names, which the worker fetches. Either is the caller's by its entity.
    ///
    /// # Errors
    /// 422 when there is none.
    pub(super) async fn wandb_data(
        &self,
        caller: &Caller,
        url: &str,
        field: &str,
    ) -> Result<Option<FileRecord>, Failure> {
        let unknown = || {
            Failure::invalid(
                field,
                "there is no such artifact; log it with WANDB_BASE_URL set to this service, or upload the file with \
                 POST /v1/files and pass its `id`",
            )
        };
        let named = WandbArtifact::of_url(url).filter(|named| named.entity == caller.entity).ok_or_else(unknown)?;
        match self.data_set(&named).await? {
            Some(found) => Ok(Some(found.file)),
            None if self.data.has_wandb() => Ok(None),
            None => Err(unknown()),
        }
    }

    /// A data set that was logged here, by its name and version.
    async fn data_set(&self, named: &WandbArtifact) -> Result<Option<FileVersion>, Failure> {
        let version = match named.version.as_str() {
            "latest" => None,
            version => match version.strip_prefix('v').and_then(|number| number.parse().ok()) {
                Some(number) => Some(number),
                None => return Ok(None),
            },
        };
        let name = ArtifactName { project: named.project.clone(), artifact: named.name.clone() };
        match self.metadata.find_file(&named.entity, &name.file(WANDB_DATA_FILE), version).await {
            Err(StoreError::NotFound(_)) => Ok(None),
            found => Ok(Some(found?)),
        }
    }

    /// Keeps a file of an artifact whose content is stored.
    async fn keep_wandb_file(
        &self,
        caller: &Caller,
        name: String,
        purpose: FilePurpose,
        bytes: u64,
        artifact: ArtifactId,
    ) -> Result<(), Failure> {
        let bytes = i64::try_from(bytes).map_err(Failure::internal)?;
        let (id, entity, key_id) = (Uuid::now_v7(), caller.entity.clone(), Some(caller.key_id));
        let most_bytes = caller.limits.stored_bytes;
        let file = NewFile { id, entity, name, purpose, bytes, artifact, key_id, most_bytes, request: None };
        keep(self, file).await?;
        Ok(())
    }

    /// A model by the variables of a query, if there is one.
    async fn wandb_model(&self, caller: &Caller, project: &str, name: &str) -> Result<Option<ModelRecord>, Failure> {
        match self.metadata.find_model(&caller.entity, project, name).await {
            Err(StoreError::NotFound(_)) => Ok(None),
            found => Ok(Some(found?)),
        }
    }
}

/// A page of a listing that has only one.
fn only_page(edges: Vec<Value>) -> Value {
    json!({
        "totalCount": edges.len(),
        "pageInfo": { "__typename": "PageInfo", "endCursor": null, "hasNextPage": false },
        "edges": edges,
    })
}
