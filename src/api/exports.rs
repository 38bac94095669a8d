//! Exports of checkpoints, prepared in a temporary place and streamed as archives.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use parking_lot::Mutex;
use serde_json::json;

use super::Api;
use super::content::{Content, content_output};
use super::job_view::seconds;
use crate::auth::Caller;
use crate::engine::export::ElementType;
use crate::export::{Archive, Export, Form, FormError, Lineage, Output, Weights};
use crate::generated::server::checkpoints::*;
use crate::http::{ApiError, Download, RangeRequest, Selection};
use crate::models::Base;
use crate::stop::{self, Stop};
use crate::store::artifacts::Artifacts;
use crate::store::records::{CheckpointRecord, ModelRecord};

/// Directory of the files of exports in the data directory.
const DIRECTORY: &str = "exports";
/// Number of exports whose files are kept for further requests.
const KEPT: usize = 4;

/// Exports that were prepared last. The files of one that is not kept are removed when nobody reads it.
pub(crate) struct Exports {
    directory: PathBuf,
    /// The oldest comes first.
    kept: Mutex<VecDeque<(String, Arc<Archive>)>>,
    /// Held by the export that is computed: one at a time.
    turn: tokio::sync::Mutex<()>,
}

/// An export that is to be computed.
struct Preparation {
    exports: Arc<Exports>,
    /// Everything that its bytes depend on.
    key: String,
    artifacts: Artifacts,
    base: Arc<Base>,
    model: ModelRecord,
    checkpoint: CheckpointRecord,
    lineage: Lineage,
    form: Form,
    element: Option<ElementType>,
    stop: Stop,
}

impl Exports {
    /// Removes the files of a process that is gone.
    pub(crate) fn open(data_directory: &Path) -> Self {
        let directory = data_directory.join(DIRECTORY);
        // Without the directory there is nothing to remove, and an error shows when an export is written.
        let _ = std::fs::remove_dir_all(&directory);
        Self { directory, kept: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }

    /// Removes all exports: one of them may be of a checkpoint that was deleted.
    pub(super) fn clear(&self) {
        self.kept.lock().clear();
    }

    fn find(&self, key: &str) -> Option<Arc<Archive>> {
        self.kept.lock().iter().find(|(known, _)| known == key).map(|(_, archive)| archive.clone())
    }
}

impl Preparation {
    /// Returns the export, which another request may have prepared.
    async fn run(self) -> Result<Arc<Archive>, FormError> {
        let exports = self.exports.clone();
        let _turn = exports.turn.lock().await;
        if let Some(archive) = exports.find(&self.key) {
            return Ok(archive);
        }
        let key = self.key.clone();
        let archive = Arc::new(self.compute().await?);
        let mut kept = exports.kept.lock();
        kept.push_back((key, archive.clone()));
        while kept.len() > KEPT {
            kept.pop_front();
        }
        Ok(archive)
    }

    async fn compute(self) -> Result<Archive, FormError> {
        let Self { exports, artifacts, base, model, checkpoint, lineage, form, element, mut stop, .. } = self;
        let output = Output::create(&exports.directory.join("export"))?;
        let weights = Weights::read(&artifacts, &model, &checkpoint, &output).await?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = interrupted.clone();
        let modified_at = seconds(checkpoint.created_at).unsigned_abs();
        let directory = format!("{}-step{}-{}", model.name, checkpoint.step, form.name());
        let work = tokio::task::spawn_blocking(move || {
            let files = base.origin().files(base.name(), form.needs_base_weights(&weights))?;
            let pool = base.pool().clone();
            let export = Export { form, element, lineage, weights, base: Some(files), pool, stop: flag };
            export.write(&output, &mut |_, _, _| {})?;
            Ok(output.into_archive(&directory, modified_at)?)
        });
        let mut work = std::pin::pin!(work);
        let done = tokio::select! {
            done = &mut work => done,
            () = stop::requested(&mut stop) => {
                interrupted.store(true, Ordering::Relaxed);
                work.await
            }
        };
        done.map_err(|error| FormError::Failed(error.to_string()))?
    }
}

impl Api {
    /// Handles the export of a checkpoint.
    pub(super) async fn export(
        &self,
        caller: Caller,
        input: GetCheckpointExportInput,
    ) -> Result<GetCheckpointExportOutput, ApiError> {
        let form = input.form.map_or(Ok(Form::Merged), |form| Form::from_str(form.as_str(), false));
        let form = form.map_err(ApiError::internal)?;
        let element = input.weights.map(|weights| weights.as_str().parse::<ElementType>()).transpose();
        let element = element.map_err(|error| ApiError::invalid("weights", error.to_string()))?;
        form.element(element)?;
        let (model, checkpoint) = self.checkpoint(&caller, &input.model_id, input.step).await?;
        form.check(model.method, &checkpoint)?;
        let base = self.catalog.served_base(&model)?.clone();
        let lineage = Lineage::read(&*self.metadata, &model, &checkpoint).await?;
        let base_sha256 = base.provenance().await.base_sha256;
        lineage.check_base(&base_sha256)?;
        let adapter = checkpoint.adapter.as_ref().map(|files| [files.config.sha256(), files.weights.sha256()]);
        let key = json!([
            form.name(),
            form.element(element)?.name(),
            [&model.project, &model.name, &model.base_model],
            [checkpoint.step, seconds(checkpoint.created_at)],
            checkpoint.metrics,
            adapter,
            lineage.manifest.as_ref().map(|(record, _)| &record.sha256),
            base_sha256,
        ]);
        let file_name = format!("{}-step{}-{}.tar", model.name, checkpoint.step, form.name());
        let preparation = Preparation {
            exports: self.exports.clone(),
            key: key.to_string(),
            artifacts: self.artifacts.clone(),
            base,
            model,
            checkpoint,
            lineage,
            form,
            element,
            stop: self.stop.clone(),
        };
        let archive = match self.exports.find(&preparation.key) {
            Some(archive) => archive,
            // It goes on if the client leaves, who finds it when it asks again.
            None => tokio::spawn(preparation.run()).await.map_err(ApiError::internal)??,
        };
        let GetCheckpointExportInput { range, if_range, if_none_match, .. } = input;
        let (tag, length) = (format!("\"{}\"", archive.sha256()), archive.length());
        let content = match (RangeRequest { range, if_range, if_none_match }).select(&tag, length)? {
            Selection::Unchanged => Content::Unchanged(tag),
            Selection::Whole => {
                let whole = Download::stream(archive.read(0..length), Some(length));
                Content::Whole(tag, whole.with_file_name(&file_name))
            }
            Selection::Part { first, last } => {
                let part = Download::stream(archive.read(first..last + 1), Some(last + 1 - first));
                Content::Part(tag, format!("bytes {first}-{last}/{length}"), part.with_file_name(&file_name))
            }
        };
        Ok(content_output!(
            content,
            GetCheckpointExportOutput,
            GetCheckpointExportOkHeaders,
            GetCheckpointExportPartialContentHeaders,
            GetCheckpointExportNotModifiedHeaders
        ))
    }
}
