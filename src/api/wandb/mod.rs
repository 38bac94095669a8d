//! The subset of W&B's protocol that is needed to log a run, upload a data set, and download or fork a checkpoint.

mod arguments;
mod artifacts;
mod changes;
mod graphql;
mod queries;
mod uploads;

use std::time::SystemTime;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Api;
use super::files::keep;
use super::paths::caller_address;
use crate::auth::{Caller, PresignedUse, presigned_token};
use crate::generated::server::wandb::*;
use crate::generated::types::{WandbAnswer, WandbFault};
use crate::http::ApiError;
use crate::json::Verbatim;
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::OptionalExtension;
use crate::store::records::{FilePurpose, FileRecord, FileVersion, ModelRecord, NewFile};
use crate::training::{WANDB_DATA_FILE, WandbArtifact};

use artifacts::ArtifactName;
use uploads::Upload;

/// The artifact file that lists the artifact's files.
const MANIFEST: &str = "wandb_manifest.json";

impl Wandb for Api {
    async fn query_wandb(&self, caller: Caller, input: QueryWandbInput) -> Result<QueryWandbOutput, ApiError> {
        let key = self.metadata.get_key(caller.key_id).await?;
        let links = Links {
            root: caller_address(input.host, input.x_forwarded_proto.as_deref()),
            fetch: presigned_token(&key, PresignedUse::Fetch, SystemTime::now()),
            send: presigned_token(&key, PresignedUse::Send, SystemTime::now()),
        };
        let variables = match input.body.variables {
            Some(variables) => variables.read().map_err(ApiError::internal)?,
            None => Map::new(),
        };
        let response = match self.respond_to_wandb(&caller, &links, &input.body.query, &variables).await {
            Ok(data) => WandbAnswer { data: Some(Verbatim::of(&data).map_err(ApiError::internal)?), errors: None },
            // An internal error keeps its status, so that the client retries.
            Err(failure) if failure.status().code().is_server_error() => return Err(failure),
            Err(failure) => {
                WandbAnswer { data: None, errors: Some(vec![WandbFault { message: failure.message().to_owned() }]) }
            }
        };
        Ok(response.into())
    }

    async fn log_wandb_run(&self, caller: Caller, input: LogWandbRunInput) -> Result<LogWandbRunOutput, ApiError> {
        if input.entity != caller.entity {
            return Err(ApiError::not_found("there is no such run"));
        }
        Ok(Map::new().into())
    }

    async fn put_wandb_file(&self, caller: Caller, input: PutWandbFileInput) -> Result<PutWandbFileOutput, ApiError> {
        let PutWandbFileInput { project, artifact, file_name, mut body } = input;
        let upload = Upload::of_artifact(&project, &artifact);
        let artifact_is_name = upload.is_some() || artifacts::is_name(&artifact);
        if !artifact_is_name || ![&project, &file_name].into_iter().all(|name| artifacts::is_name(name)) {
            return Err(ApiError::not_found(
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
    ) -> Result<GetWandbManifestOutput, ApiError> {
        let (model, checkpoint) = self.checkpoint(&caller, &input.model_id, input.step).await?;
        Ok(artifacts::manifest(&self.artifacts, &model, &checkpoint).await?.into())
    }
}

/// Creates URLs for the caller's tools.
struct Links {
    /// Scheme, host and port of the service.
    root: String,
    /// Token for downloads with the caller's key.
    fetch: String,
    /// Token for uploads with the caller's key.
    send: String,
}

impl Links {
    /// Returns a download URL.
    fn from(&self, path: &str) -> String {
        format!("{}{path}?token={}", self.root, self.fetch)
    }

    /// Returns an upload URL.
    fn to(&self, path: &str) -> String {
        format!("{}{path}?upload_token={}", self.root, self.send)
    }
}

impl Api {
    /// Returns the data set of a `wandb-artifact:///` URL, if it was logged to this service. `None` means a data set of
    /// the configured W&B server, which the worker downloads. Both belong to the caller's entity.
    ///
    /// # Errors
    /// Returns 422 if there is no such data set.
    pub(super) async fn wandb_data(
        &self,
        caller: &Caller,
        url: &str,
        field: &str,
    ) -> Result<Option<FileRecord>, ApiError> {
        let unknown = || {
            ApiError::invalid(
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

    /// Returns a data set that was logged to this service, by its name and version.
    async fn data_set(&self, named: &WandbArtifact) -> Result<Option<FileVersion>, ApiError> {
        let version = match named.version.as_str() {
            "latest" => None,
            version => match version.strip_prefix('v').and_then(|number| number.parse().ok()) {
                Some(number) => Some(number),
                None => return Ok(None),
            },
        };
        let name = ArtifactName { project: named.project.clone(), artifact: named.name.clone() };
        Ok(self.metadata.find_file(&named.entity, &name.file(WANDB_DATA_FILE), version).await.optional()?)
    }

    /// Records a file of an artifact whose content is stored.
    async fn keep_wandb_file(
        &self,
        caller: &Caller,
        name: String,
        purpose: FilePurpose,
        bytes: u64,
        artifact: ArtifactId,
    ) -> Result<(), ApiError> {
        let bytes = i64::try_from(bytes).map_err(ApiError::internal)?;
        let (id, entity, key_id) = (Uuid::now_v7(), caller.entity.clone(), Some(caller.key_id));
        let max_stored_bytes = caller.limits.stored_bytes;
        let file =
            NewFile { id, entity, name, purpose, bytes, artifact, life: None, key_id, max_stored_bytes, request: None };
        keep(self, file).await?;
        Ok(())
    }

    /// Returns the model with this project and name, if there is one.
    async fn wandb_model(&self, caller: &Caller, project: &str, name: &str) -> Result<Option<ModelRecord>, ApiError> {
        Ok(self.metadata.find_model(&caller.entity, project, name).await.optional()?)
    }
}

/// Returns a listing with a single page.
fn only_page(edges: Vec<Value>) -> Value {
    json!({
        "totalCount": edges.len(),
        "pageInfo": { "__typename": "PageInfo", "endCursor": null, "hasNextPage": false },
        "edges": edges,
    })
}
