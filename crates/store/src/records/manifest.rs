//! Manifests of checkpoints.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{AdapterArtifacts, JobKind, JobRecord, ModelRecord, NewCheckpoint, TrainerKind};
use trainyard_model_options::TrainingMethod;

/// The format version of written manifests.
const FORMAT: u32 = 1;

/// The provenance of a checkpoint, as far as the store does not know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// SHA-256 over the files of the base model, in hexadecimal digits.
    pub base_sha256: String,
    /// The program that computed it.
    pub program: Program,
    /// The training options with all defaults; null without training.
    pub config: Value,
}

/// A program that makes checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The server's version.
    pub version: String,
    /// The processor's instruction set that it computed with.
    pub instructions: String,
    /// The remote learner that computed the steps; `None` if the program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<LearnerProgram>,
}

/// A remote learner that trains checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnerProgram {
    /// Device of the base model's weights.
    pub device: String,
    /// Element type of the base model's weights.
    pub dtype: String,
    /// Number of processes that share the work.
    pub world_size: u64,
    /// Versions of the learner and its libraries, by name.
    pub versions: BTreeMap<String, String>,
}

/// The manifest of a checkpoint. The next manifest in the chain refers to the hash of its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format.
    pub format: u32,
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// SHA-256 of the newest manifest of an earlier step; `None` if there is none.
    pub previous_sha256: Option<String>,
    /// The way it was made.
    pub made_by: MadeBy,
    /// The parent checkpoint; `None` for the base model and for imports.
    pub parent: Option<Parent>,
    /// The base model.
    pub base_model: BaseModelHash,
    /// The training method.
    pub training_method: TrainingMethod,
    /// The hashes of its files; `None` for the base model.
    pub files: Option<FileHashes>,
    /// The hash of the optimizer's state.
    pub optimizer: Option<OptimizerHash>,
    /// Its metrics.
    pub metrics: BTreeMap<String, f64>,
    /// The inputs of its training; `None` without training.
    pub training: Option<TrainingManifest>,
    /// The program that computed it.
    pub program: Program,
}

/// The ways of making a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeBy {
    /// Registration of the model: its step 0.
    Registration,
    /// A training job.
    Training,
    /// A copy of another checkpoint.
    Copy,
    /// An import of files.
    Import,
}

/// A parent checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// SHA-256 of its manifest; `None` for checkpoints from before the introduction of manifests.
    pub manifest_sha256: Option<String>,
}

/// A base model with the hash of its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseModelHash {
    /// Name of the artifact.
    pub name: String,
    /// SHA-256 over its files; empty if unknown.
    pub sha256: String,
}

/// SHA-256 of the files of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHashes {
    /// `adapter_config.json`, or its equivalent.
    pub config: String,
    /// The weights.
    pub weights: String,
}

/// SHA-256 of the state of an optimizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptimizerHash {
    /// Hash of its bytes.
    pub sha256: String,
    /// The kind of training that made it.
    pub kind: String,
}

/// The inputs of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingManifest {
    /// The job.
    pub job_id: Uuid,
    /// The kind of training.
    pub kind: String,
    /// Its options with all defaults.
    pub config: Value,
    /// SHA-256 of the options as sent, JSON text.
    pub sent_config_sha256: String,
    /// SHA-256 of the data.
    pub data_sha256: Option<String>,
    /// SHA-256 of the separate validation data; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_sha256: Option<String>,
    /// Number format of the base model's weights; `None` if nothing was computed, or by a remote learner.
    pub weight_format: Option<String>,
    /// Kind of the base model's sampler; absent if this program sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampler: Option<String>,
    /// The reference checkpoint; `None` for the base model.
    pub reference: Option<ReferenceHash>,
}

/// A reference checkpoint with the hash of its weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceHash {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// SHA-256 of its weights; `None` for the base model.
    pub weights_sha256: Option<String>,
}

/// A stored manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestRecord {
    /// The checkpoint's step.
    pub step: i64,
    /// SHA-256 of the written text, in hexadecimal digits.
    pub sha256: String,
    /// The [`Manifest`] as JSON text.
    pub text: String,
}

/// The origin of a new checkpoint.
pub(crate) enum Origin<'a> {
    /// A new model.
    Registration,
    /// A job.
    Job(&'a JobRecord),
    /// Another checkpoint.
    Copy { model_id: Uuid, step: i64 },
    /// An import of files.
    Import,
}

impl Origin<'_> {
    /// Returns the parent checkpoint, by model and step.
    pub(crate) fn parent(&self, model_id: Uuid) -> Option<(Uuid, i64)> {
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
    /// Creates the manifest of a checkpoint of `model` that is about to get `step`. `parent` is the stored manifest of
    /// [`Origin::parent`], `previous` the newest of an earlier step.
    pub(crate) fn of(
        model: &ModelRecord,
        step: i64,
        checkpoint: &NewCheckpoint,
        origin: &Origin<'_>,
        parent: Option<&ManifestRecord>,
        previous: Option<&ManifestRecord>,
    ) -> Self {
        let Provenance { base_sha256, program, config } = checkpoint.provenance.clone();
        let copied = parent.filter(|_| matches!(origin, Origin::Copy { .. })).and_then(|parent| parent.read().ok());
        // Without a checkpoint, a job starts from the base model.
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
                // The copying process may lack the base model.
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

    /// Returns whether the text matches its hash.
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

/// Returns whether the manifest at a job's starting step belongs to a checkpoint that was deleted before the start.
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
        weight_format: job.trainer.and_then(TrainerKind::weights).map(|format| format.to_string()),
        sampler: job.sampler.map(|sampler| sampler.as_str().to_owned()),
        reference: start.and_then(|start| start.reference.as_ref()).map(|reference| ReferenceHash {
            model_id: reference.model_id,
            step: reference.step,
            weights_sha256: reference.adapter.as_ref().map(|files| files.weights.sha256()),
        }),
    }
}

/// SHA-256 of a text, in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}
