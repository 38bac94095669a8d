//! How a checkpoint came to be, in a form whose hash stands for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{AdapterArtifacts, JobKind, JobRecord, ModelRecord, NewCheckpoint};
use crate::engine::TrainingMethod;
use crate::hexadecimal::hexadecimal;

/// The form of manifests that this program writes.
const FORMAT: u32 = 1;

/// What a checkpoint was made with, as far as its maker knows and the store does not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// SHA-256 over the files of the base model, in hexadecimal digits.
    pub base_sha256: String,
    /// What computed it.
    pub program: Program,
    /// The options of the training, with the defaults filled in; null where none was.
    pub config: Value,
}

/// The program that made a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The processor's instructions that it computed with.
    pub instructions: String,
}

/// How a checkpoint came to be. Its text is what is hashed, and what the next one in the chain refers to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this form.
    pub format: u32,
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// SHA-256 of the newest manifest of the steps before, whatever that was made from; `None` if there is none.
    pub previous_sha256: Option<String>,
    /// What made it.
    pub made_by: MadeBy,
    /// The checkpoint it was made from; `None` if from the base model, or from outside.
    pub parent: Option<Parent>,
    /// The base model.
    pub base_model: BaseModelHash,
    /// How the model is trained.
    pub training_method: TrainingMethod,
    /// Its files; `None` for the base model itself.
    pub files: Option<FileHashes>,
    /// The optimizer's state after it.
    pub optimizer: Option<OptimizerHash>,
    /// Its metrics.
    pub metrics: BTreeMap<String, f64>,
    /// What it was trained with, if it was.
    pub training: Option<TrainingManifest>,
    /// What computed it.
    pub program: Program,
}

/// What makes a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeBy {
    /// The model was registered: its step 0.
    Registration,
    /// A training job.
    Training,
    /// A copy of another checkpoint.
    Copy,
    /// Files from outside.
    Import,
}

/// The checkpoint that another was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// SHA-256 of its manifest; `None` if it was made before there were any.
    pub manifest_sha256: Option<String>,
}

/// A base model and what its files are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseModelHash {
    /// Its name.
    pub name: String,
    /// SHA-256 over its files; empty where nobody knew it.
    pub sha256: String,
}

/// SHA-256 of the files of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHashes {
    /// `adapter_config.json`, or what stands for it.
    pub config: String,
    /// The weights.
    pub weights: String,
}

/// SHA-256 of the state of an optimizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptimizerHash {
    /// Of its bytes.
    pub sha256: String,
    /// Which kind of training left it.
    pub kind: String,
}

/// What a checkpoint was trained with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingManifest {
    /// The job.
    pub job_id: Uuid,
    /// The kind of training.
    pub kind: String,
    /// Its options, with the defaults filled in.
    pub config: Value,
    /// SHA-256 of the options as they were sent, JSON text.
    pub sent_config_sha256: String,
    /// SHA-256 of the data.
    pub data_sha256: Option<String>,
    /// SHA-256 of the data of its own that it was validated on; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_sha256: Option<String>,
    /// How the base model's weights were stored; `None` if nothing was computed.
    pub weight_format: Option<String>,
    /// The checkpoint that it was compared with, where that is not the base model.
    pub reference: Option<ReferenceHash>,
}

/// A checkpoint that training compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceHash {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// SHA-256 of its weights; `None` for the base model itself.
    pub weights_sha256: Option<String>,
}

/// A manifest as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestRecord {
    /// The checkpoint's step.
    pub step: i64,
    /// SHA-256 of the text when it was written, in hexadecimal digits.
    pub sha256: String,
    /// The [`Manifest`] as JSON text.
    pub text: String,
}

/// What the store is about to make a checkpoint from.
pub(in crate::store) enum Origin<'a> {
    /// A new model.
    Registration,
    /// A job.
    Job(&'a JobRecord),
    /// Another checkpoint.
    Copy { model_id: Uuid, step: i64 },
    /// Files from outside.
    Import,
}

impl Origin<'_> {
    /// Which checkpoint it is made from, if from one.
    pub(in crate::store) fn parent(&self, model_id: Uuid) -> Option<(Uuid, i64)> {
        match self {
            Self::Registration | Self::Import => None,
            Self::Job(job) => job.start.as_ref().map(|start| (model_id, start.step)),
            Self::Copy { model_id, step } => Some((*model_id, *step)),
        }
    }
}

impl FileHashes {
    /// The hashes of these files.
    pub fn of(files: &AdapterArtifacts) -> Self {
        Self { config: files.config.sha256(), weights: files.weights.sha256() }
    }
}

impl ManifestRecord {
    /// The manifest of a checkpoint of `model` that is about to get `step`. `parent` is the stored manifest of
    /// [`Origin::parent`], `previous` the newest of the steps before, if there are any.
    pub(in crate::store) fn of(
        model: &ModelRecord,
        step: i64,
        checkpoint: &NewCheckpoint,
        origin: &Origin<'_>,
        parent: Option<&ManifestRecord>,
        previous: Option<&ManifestRecord>,
    ) -> Self {
        let Provenance { base_sha256, program, config } = checkpoint.provenance.clone();
        let copied = parent.filter(|_| matches!(origin, Origin::Copy { .. })).and_then(|parent| parent.read().ok());
        // A job of a model without a checkpoint starts from the base model.
        let parent_of_model = origin.parent(model.id).filter(|_| !is_unrelated(origin, parent));
        let manifest = Manifest {
            format: FORMAT,
            model_id: model.id,
            step,
            previous_sha256: previous.map(|previous| previous.sha256.clone()),
            made_by: match origin {
                Origin::Registration => MadeBy::Registration,
                Origin::Job(_) => MadeBy::Training,
                Origin::Copy { .. } => MadeBy::Copy,
                Origin::Import => MadeBy::Import,
            },
            parent: parent_of_model.map(|(model_id, step)| Parent {
                model_id,
                step,
                manifest_sha256: parent.map(|parent| parent.sha256.clone()),
            }),
            base_model: BaseModelHash {
                name: model.base_model.clone(),
                // Who copies need not have the base model.
                sha256: copied.map_or(base_sha256, |copied| copied.base_model.sha256),
            },
            training_method: model.method,
            files: checkpoint.adapter.as_ref().map(FileHashes::of),
            optimizer: checkpoint.optimizer.as_ref().map(|saved| OptimizerHash {
                sha256: saved.state.sha256(),
                kind: JobKind::as_str(saved.kind).to_owned(),
            }),
            metrics: checkpoint.metrics.clone(),
            training: match origin {
                Origin::Job(job) => Some(training(job, config)),
                _ => None,
            },
            program,
        };
        let text = serde_json::to_string(&manifest).expect("texts, finite numbers and JSON values are always JSON");
        Self { step, sha256: sha256(&text), text }
    }

    /// Whether the text is what was written.
    pub fn is_whole(&self) -> bool {
        sha256(&self.text) == self.sha256
    }

    /// Reads the text.
    ///
    /// # Errors
    /// When it is no manifest.
    pub fn read(&self) -> Result<Manifest, serde_json::Error> {
        serde_json::from_str(&self.text)
    }
}

/// Whether the manifest at the step that a job began with is of a checkpoint that was deleted before.
fn is_unrelated(origin: &Origin<'_>, found: Option<&ManifestRecord>) -> bool {
    let Origin::Job(JobRecord { start: Some(start), .. }) = origin else { return false };
    let files = found.and_then(|found| found.read().ok()).map(|manifest| manifest.files);
    files.is_some_and(|files| files.is_some() != start.adapter.is_some())
}

fn training(job: &JobRecord, config: Value) -> TrainingManifest {
    let start = job.start.as_ref();
    TrainingManifest {
        job_id: job.id,
        kind: job.kind.as_str().to_owned(),
        config,
        sent_config_sha256: sha256(&job.config),
        data_sha256: job.data().map(|data| data.sha256()),
        validation_sha256: job.validation.map(|file| file.content.sha256()),
        weight_format: job.weights.map(|format| format.to_string()),
        reference: start.and_then(|start| start.reference.as_ref()).map(|reference| ReferenceHash {
            model_id: reference.model_id,
            step: reference.step,
            weights_sha256: reference.adapter.as_ref().map(|files| files.weights.sha256()),
        }),
    }
}

/// SHA-256 of a text, in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}
