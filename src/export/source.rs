//! The checkpoint of an export, from the store.

use std::io::{BufWriter, Write as _};

use super::{FormError, Lineage, Output, Weights};
use crate::engine::TrainingMethod;
use crate::store::artifacts::{ArtifactId, Artifacts};
use crate::store::metadata::Metadata;
use crate::store::records::{CheckpointRecord, ModelRecord};

/// Name of the file with the weights of a model that was trained in all of them, until the export is written.
const CHECKPOINT: &str = ".checkpoint";

impl Lineage {
    /// Reads the origin of a checkpoint.
    ///
    /// # Errors
    /// The store fails, or the manifest of the checkpoint is none.
    pub(crate) async fn read(
        metadata: &dyn Metadata,
        model: &ModelRecord,
        checkpoint: &CheckpointRecord,
    ) -> Result<Self, FormError> {
        let manifests = metadata.list_manifests(&model.entity, model.id, checkpoint.step, 1).await?;
        let manifest = match manifests.into_iter().find(|manifest| manifest.step == checkpoint.step) {
            Some(record) => {
                let manifest = record.read()?;
                Some((record, manifest))
            }
            None => None,
        };
        Ok(Self {
            project: model.project.clone(),
            name: model.name.clone(),
            step: checkpoint.step,
            base_model: model.base_model.clone(),
            metrics: checkpoint.metrics.clone(),
            manifest,
        })
    }

    /// Checks that files of a base model are those that the step was trained on. The hash of some manifests, and of files that
    /// changed, is not known.
    ///
    /// # Errors
    /// They are not.
    pub(crate) fn check_base(&self, found: &str) -> Result<(), FormError> {
        let expected = self.manifest.as_ref().map_or("", |(_, manifest)| &manifest.base_model.sha256);
        if expected.is_empty() || found.is_empty() || expected == found {
            return Ok(());
        }
        let (name, step) = (self.base_model.clone(), self.step);
        Err(FormError::OtherBase { name, step, found: found.to_owned(), expected: expected.to_owned() })
    }
}

impl Weights {
    /// Reads the weights of a checkpoint. All weights of a model become a file of the output: they may be larger than the
    /// memory.
    ///
    /// # Errors
    /// The store fails, or the file cannot be written.
    pub(crate) async fn read(
        artifacts: &Artifacts,
        model: &ModelRecord,
        checkpoint: &CheckpointRecord,
        output: &Output,
    ) -> Result<Self, FormError> {
        let Some(files) = &checkpoint.adapter else { return Ok(Self::Base) };
        if model.method == TrainingMethod::Full {
            save(artifacts, files.weights, output).await?;
            return Ok(Self::Full(output.path(CHECKPOINT)));
        }
        Ok(Self::Adapter { config: artifacts.get(files.config).await?, weights: artifacts.get(files.weights).await? })
    }
}

/// Writes an artifact to a file, with little memory.
async fn save(artifacts: &Artifacts, id: ArtifactId, output: &Output) -> Result<(), FormError> {
    let mut reader = artifacts.open(id).await?;
    let path = output.path(CHECKPOINT);
    let saved = tokio::task::spawn_blocking(move || {
        let mut file = BufWriter::new(std::fs::File::create_new(path)?);
        std::io::copy(&mut reader, &mut file)?;
        file.flush().map(|()| reader)
    });
    let failed = |source| output.failed(CHECKPOINT, source);
    let mut reader = saved.await.map_err(|error| failed(std::io::Error::other(error)))?.map_err(failed)?;
    let verified = tokio::task::spawn_blocking(move || reader.verify()).await;
    Ok(verified.map_err(|error| failed(std::io::Error::other(error)))??)
}
