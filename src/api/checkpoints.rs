//! Operations on the checkpoints of a model.

use serde_json::value::RawValue;

use super::Api;
use super::archive::{self, archive};
use super::content::{content, content_output};
use super::job_view::seconds;
use super::paging::{following, id, page, page_request};
use crate::auth::Caller;
use crate::engine::TrainingMethod;
use crate::generated::server::checkpoints::*;
use crate::generated::types::{
    Checkpoint, CheckpointDetail, CheckpointFile, CheckpointManifest, CheckpointPage, DeleteCheckpointsResponse,
    ListObject, ManifestPage,
};
use crate::http::{ApiError, RangeRequest};
use crate::json::Verbatim;
use crate::store::artifacts::ArtifactId;
use crate::store::records::{CheckpointRecord, ManifestRecord, ModelRecord};

impl Checkpoints for Api {
    async fn list_checkpoints(
        &self,
        caller: Caller,
        input: ListCheckpointsInput,
    ) -> Result<ListCheckpointsOutput, ApiError> {
        let model_id = id(&input.model_id, "model")?;
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let page = self.metadata.list_checkpoints(&caller.entity, model_id, request).await?;
        Ok(page!(CheckpointPage, page.items.into_iter().map(wire).collect(), page.has_more).into())
    }

    async fn add_checkpoint(&self, caller: Caller, input: AddCheckpointInput) -> Result<AddCheckpointOutput, ApiError> {
        self.add_checkpoint(&caller, input).await
    }

    async fn get_checkpoint(&self, caller: Caller, input: GetCheckpointInput) -> Result<GetCheckpointOutput, ApiError> {
        let (model, checkpoint) = self.checkpoint(&caller, &input.model_id, input.step).await?;
        let mut described = Vec::new();
        for (name, artifact) in files(&model, &checkpoint) {
            let bytes = self.artifacts.size(artifact).await?;
            described.push(CheckpointFile { name: name.to_owned(), bytes, sha256: artifact.sha256() });
        }
        Ok(CheckpointDetail {
            id: checkpoint.id.to_string(),
            model_id: model.id.to_string(),
            step: checkpoint.step.unsigned_abs(),
            created_at: seconds(checkpoint.created_at),
            metrics: checkpoint.metrics,
            files: described,
        }
        .into())
    }

    async fn get_checkpoint_file(
        &self,
        caller: Caller,
        input: GetCheckpointFileInput,
    ) -> Result<GetCheckpointFileOutput, ApiError> {
        let (model, checkpoint) = self.checkpoint(&caller, &input.model_id, input.step).await?;
        let files = files(&model, &checkpoint);
        let Some((name, artifact)) = files.iter().find(|(name, _)| *name == input.file_name) else {
            let there: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
            let there = if there.is_empty() { "has no files".to_owned() } else { format!("has {}", there.join(", ")) };
            return Err(ApiError::not_found(format!("there is no such file; the checkpoint {there}")));
        };
        let GetCheckpointFileInput { range, if_range, if_none_match, .. } = input;
        let request = RangeRequest { range, if_range, if_none_match };
        let content = content(&self.artifacts, *artifact, name, &request).await?;
        Ok(content_output!(
            content,
            GetCheckpointFileOutput,
            GetCheckpointFileOkHeaders,
            GetCheckpointFilePartialContentHeaders,
            GetCheckpointFileNotModifiedHeaders
        ))
    }

    async fn get_checkpoint_archive(
        &self,
        caller: Caller,
        input: GetCheckpointArchiveInput,
    ) -> Result<GetCheckpointArchiveOutput, ApiError> {
        let (model, checkpoint) = self.checkpoint(&caller, &input.model_id, input.step).await?;
        let step = checkpoint.step;
        let mut entries = Vec::new();
        for (name, artifact) in files(&model, &checkpoint) {
            let bytes = self.artifacts.size(artifact).await?;
            entries.push(archive::Entry { path: format!("checkpoint-{step}/{name}"), artifact, bytes });
        }
        if entries.is_empty() {
            return Err(ApiError::not_found(format!("step {step} is the base model itself and has no files")));
        }
        let modified_at = seconds(checkpoint.created_at).unsigned_abs();
        let archive = archive(&self.artifacts, entries, modified_at).map_err(ApiError::internal)?;
        Ok(archive.with_file_name(&format!("{}-step{step}.tar", model.name)).into())
    }

    async fn get_checkpoint_export(
        &self,
        caller: Caller,
        input: GetCheckpointExportInput,
    ) -> Result<GetCheckpointExportOutput, ApiError> {
        self.export(caller, input).await
    }

    async fn get_checkpoint_manifest(
        &self,
        caller: Caller,
        input: GetCheckpointManifestInput,
    ) -> Result<GetCheckpointManifestOutput, ApiError> {
        let (model_id, step) = (id(&input.model_id, "model")?, step_number(input.step)?);
        let found = self.metadata.list_manifests(&caller.entity, model_id, step, 1).await?;
        let Some(found) = found.into_iter().find(|found| found.step == step) else {
            let message =
                "there is no manifest of this step; steps that were made before the service wrote manifests have none";
            return Err(ApiError::not_found(message));
        };
        Ok(manifest(found)?.into())
    }

    async fn list_manifests(&self, caller: Caller, input: ListManifestsInput) -> Result<ListManifestsOutput, ApiError> {
        let model_id = id(&input.model_id, "model")?;
        let first = following(input.after.as_deref())?;
        let limit = input.limit as usize;
        // One more than fits shows whether there are more.
        let mut found = self.metadata.list_manifests(&caller.entity, model_id, first, input.limit + 1).await?;
        let has_more = found.len() > limit;
        found.truncate(limit);
        let data = found.into_iter().map(manifest).collect::<Result<Vec<_>, _>>()?;
        let step = |item: Option<&CheckpointManifest>| item.map(|item| item.step.to_string()).unwrap_or_default();
        let (first_id, last_id) = (step(data.first()), step(data.last()));
        Ok(ManifestPage { object: ListObject::List, first_id, last_id, has_more, data }.into())
    }

    async fn delete_checkpoints(
        &self,
        caller: Caller,
        input: DeleteCheckpointsInput,
    ) -> Result<DeleteCheckpointsOutput, ApiError> {
        let model_id = id(&input.model_id, "model")?;
        // A step beyond `i64` cannot exist. It is reported as not found like any other.
        let (steps, beyond): (Vec<_>, Vec<_>) =
            input.body.steps.iter().map(|&step| i64::try_from(step).map_err(|_| step)).partition(Result::is_ok);
        let steps: Vec<i64> = steps.into_iter().flatten().collect();
        let deleted = self
            .metadata
            .delete_checkpoints(&caller.entity, model_id, &steps, input.body.allow_latest == Some(true))
            .await?;
        self.catalog.forget_artifacts(&deleted.unreferenced);
        self.exports.clear();
        self.collect_later(deleted.unreferenced);
        let mut not_found: Vec<u64> = deleted.not_found.iter().map(|step| step.unsigned_abs()).collect();
        not_found.extend(beyond.into_iter().filter_map(Result::err));
        not_found.sort_unstable();
        not_found.dedup();
        Ok(DeleteCheckpointsResponse { deleted_count: deleted.deleted.len() as u64, not_found_steps: not_found }.into())
    }
}

impl Api {
    /// Returns the checkpoint of a model at a step, with the model.
    pub(super) async fn checkpoint(
        &self,
        caller: &Caller,
        model_id: &str,
        step: u64,
    ) -> Result<(ModelRecord, CheckpointRecord), ApiError> {
        let model = self.metadata.get_model(&caller.entity, id(model_id, "model")?).await?;
        let checkpoint = self.metadata.checkpoint_at_step(&caller.entity, model.id, step_number(step)?).await?;
        Ok((model, checkpoint))
    }
}

/// Converts a step to the type of the store. A larger step cannot exist, so the error is 404.
pub(super) fn step_number(step: u64) -> Result<i64, ApiError> {
    i64::try_from(step).map_err(|_| ApiError::not_found("there is no such checkpoint"))
}

/// Returns the files of a checkpoint under the names that their readers expect.
pub(super) fn files(model: &ModelRecord, checkpoint: &CheckpointRecord) -> Vec<(&'static str, ArtifactId)> {
    let Some(adapter) = &checkpoint.adapter else { return Vec::new() };
    let [config, weights] = match model.method {
        TrainingMethod::Lora(_) => ["adapter_config.json", "adapter_model.safetensors"],
        TrainingMethod::Full => ["checkpoint.json", "model.safetensors"],
    };
    vec![(config, adapter.config), (weights, adapter.weights)]
}

fn manifest(ManifestRecord { step, sha256, text }: ManifestRecord) -> Result<CheckpointManifest, ApiError> {
    let text = RawValue::from_string(text).map_err(ApiError::internal)?;
    let manifest = Verbatim::of(&text).map_err(ApiError::internal)?;
    Ok(CheckpointManifest { step: step.unsigned_abs(), sha256, manifest })
}

pub(super) fn wire(checkpoint: CheckpointRecord) -> Checkpoint {
    Checkpoint { id: checkpoint.id.to_string(), step: checkpoint.step.unsigned_abs(), metrics: checkpoint.metrics }
}
