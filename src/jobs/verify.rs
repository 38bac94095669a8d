//! Verifies that a model's checkpoints match their manifests, and that the manifests form one chain.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};
use crate::store::metadata::{Metadata, OptionalExtension, StoreError};
use crate::store::records::{
    CheckpointRecord, FileHashes, MadeBy, Manifest, ManifestRecord, ModelRecord, OptimizerArtifact, Order, PageRequest,
    Parent, TrainerKind, TrainingManifest, sha256,
};

/// Description of the optimizer's state, which is deleted when there is a newer one.
const OPTIMIZER: &str = "optimizer state";
/// Number of rows per read.
const PAGE: u32 = 500;

/// Fault of a step.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub(crate) enum Problem {
    #[error("its manifest was altered")]
    Altered,
    #[error("its manifest cannot be read: {0}")]
    Unreadable(serde_json::Error),
    #[error("it has no manifest, and steps before it have")]
    NoManifest,
    #[error("its manifest is of step {step} of model {model_id}")]
    Misplaced { model_id: String, step: i64 },
    #[error("it was made from step {0}, whose manifest is not there")]
    NoParent(i64),
    #[error("it was made from a step {0} whose manifest was another one")]
    OtherParent(i64),
    #[error("when it was made, the manifest of step {0} was another one")]
    OtherPrevious(i64),
    #[error("its {part} is {found}; its manifest records {recorded}")]
    Differs { part: &'static str, recorded: String, found: String },
    #[error("its training job {0} is not there")]
    NoJob(String),
    #[error("its {part} cannot be used: {source}")]
    Artifact { part: &'static str, source: ArtifactError },
}

/// A fault that the verification found.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Number of the step.
    pub step: i64,
    /// Kind of the fault.
    pub problem: Problem,
}

/// Result of verifying a model.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Number of manifests read.
    pub manifests: u64,
    /// Number of checkpoints compared with them.
    pub checkpoints: u64,
    /// Number of artifacts read.
    pub artifacts: u64,
    /// Step and SHA-256 of the newest manifest, which covers all earlier ones.
    pub head: Option<(i64, String)>,
    /// Steps that were made before manifests existed.
    pub unrecorded: Vec<i64>,
    /// Steps copied from a model that no longer exists.
    pub from_deleted_models: Vec<i64>,
    /// Faults found.
    pub faults: Vec<Fault>,
}

/// Reads every manifest, checkpoint, training input and file of a model and compares them. `bases` has the SHA-256 of
/// the available base models. `on_progress` receives the number of artifacts read. A server may run at the same time.
///
/// # Errors
/// Rows cannot be read. A single unreadable artifact is a [`Fault`] instead.
pub(crate) async fn verify(
    metadata: &dyn Metadata,
    artifacts: &Artifacts,
    model: &ModelRecord,
    bases: &BTreeMap<String, String>,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Report, StoreError> {
    let mut check =
        Check { metadata, artifacts, model, bases, on_progress, read: HashSet::new(), report: Report::default() };
    // The manifest of a concurrent step exists as soon as the step does.
    let checkpoints = check.checkpoints().await?;
    let manifests = check.manifests().await?;
    check.chain(&manifests, &checkpoints);
    for (step, record) in &manifests {
        check.manifest(*step, record, checkpoints.get(step), &manifests).await?;
    }
    Ok(check.report)
}

struct Check<'a> {
    metadata: &'a dyn Metadata,
    artifacts: &'a Artifacts,
    model: &'a ModelRecord,
    bases: &'a BTreeMap<String, String>,
    on_progress: &'a mut (dyn FnMut(u64) + Send),
    /// Artifacts already read.
    read: HashSet<ArtifactId>,
    report: Report,
}

impl Check<'_> {
    async fn manifests(&self) -> Result<BTreeMap<i64, ManifestRecord>, StoreError> {
        let mut all = BTreeMap::new();
        let mut first = 0;
        loop {
            let page = self.metadata.list_manifests(&self.model.entity, self.model.id, first, PAGE).await?;
            let Some(last) = page.last() else { return Ok(all) };
            first = last.step + 1;
            all.extend(page.into_iter().map(|record| (record.step, record)));
        }
    }

    async fn checkpoints(&self) -> Result<BTreeMap<i64, CheckpointRecord>, StoreError> {
        let mut all = BTreeMap::new();
        let mut request = PageRequest { after: None, limit: PAGE, order: Order::Ascending };
        loop {
            let page = self.metadata.list_checkpoints(&self.model.entity, self.model.id, request).await?;
            request.after = page.items.last().map(|checkpoint| checkpoint.id);
            all.extend(page.items.into_iter().map(|checkpoint| (checkpoint.step, checkpoint)));
            if !page.has_more {
                return Ok(all);
            }
        }
    }

    /// Checks that every step since the first manifest has one. The next manifest reveals missing steps, because it
    /// refers to the one before them.
    fn chain(&mut self, manifests: &BTreeMap<i64, ManifestRecord>, checkpoints: &BTreeMap<i64, CheckpointRecord>) {
        self.report.head = manifests.last_key_value().map(|(step, record)| (*step, record.sha256.clone()));
        let first = manifests.first_key_value().map(|(step, _)| *step);
        let unrecorded = checkpoints.keys().filter(|step| first.is_none_or(|first| **step < first));
        self.report.unrecorded.extend(unrecorded);
        let newest = checkpoints.last_key_value().map_or(0, |(step, _)| *step).max(self.model.last_step);
        let behind_first = checkpoints.keys().copied().chain([newest]);
        let mut missing: BTreeSet<i64> =
            behind_first.filter(|step| first.is_some_and(|first| *step >= first)).collect();
        let mut previous: Option<&ManifestRecord> = None;
        for (step, record) in manifests {
            let recorded = record.read().ok().and_then(|manifest| manifest.previous_sha256);
            if recorded.as_deref() != previous.map(|previous| previous.sha256.as_str()) {
                let before = previous.map_or(step - 1, |previous| previous.step);
                if before + 1 < *step {
                    missing.insert(step - 1);
                }
                self.fault(*step, Problem::OtherPrevious(before));
            }
            previous = Some(record);
        }
        for step in missing.into_iter().filter(|step| !manifests.contains_key(step)) {
            self.fault(step, Problem::NoManifest);
        }
    }

    async fn manifest(
        &mut self,
        step: i64,
        record: &ManifestRecord,
        checkpoint: Option<&CheckpointRecord>,
        manifests: &BTreeMap<i64, ManifestRecord>,
    ) -> Result<(), StoreError> {
        self.report.manifests += 1;
        if !record.is_whole() {
            self.fault(step, Problem::Altered);
        }
        let manifest = match record.read() {
            Ok(manifest) => manifest,
            Err(error) => {
                self.fault(step, Problem::Unreadable(error));
                return Ok(());
            }
        };
        if (manifest.model_id, manifest.step) != (self.model.id, step) {
            let model_id = manifest.model_id.to_string();
            self.fault(step, Problem::Misplaced { model_id, step: manifest.step });
        }
        self.compare(step, "base model", &manifest.base_model.name, &self.model.base_model);
        let known = self.bases.get(&manifest.base_model.name).filter(|_| !manifest.base_model.sha256.is_empty());
        if let Some(found) = known {
            self.compare(step, "base model's SHA-256", &manifest.base_model.sha256, found);
        }
        self.compare(step, "training method", &text(&manifest.training_method), &text(&self.model.method));
        if let Some(parent) = &manifest.parent {
            self.parent(step, manifest.made_by, parent, manifests).await?;
        }
        if let Some(checkpoint) = checkpoint {
            self.checkpoint(&manifest, checkpoint).await?;
        }
        match (&manifest.training, manifest.made_by) {
            (Some(training), _) => {
                let parent = manifest.parent.as_ref().filter(|parent| parent.model_id == self.model.id);
                let parent = parent.and_then(|parent| manifests.get(&parent.step)?.read().ok());
                self.training(step, training, parent.as_ref()).await?;
            }
            (None, MadeBy::Training) => self.fault(step, Problem::NoJob("that made it".to_owned())),
            (None, _) => {}
        }
        Ok(())
    }

    async fn parent(
        &mut self,
        step: i64,
        made_by: MadeBy,
        parent: &Parent,
        manifests: &BTreeMap<i64, ManifestRecord>,
    ) -> Result<(), StoreError> {
        // The parent was made before manifests existed.
        let Some(recorded) = &parent.manifest_sha256 else { return Ok(()) };
        let found = if parent.model_id == self.model.id {
            manifests.get(&parent.step).cloned()
        } else {
            let there = self.metadata.list_manifests(&self.model.entity, parent.model_id, parent.step, 1).await;
            let there = there.optional()?;
            if there.is_none() && made_by == MadeBy::Copy {
                self.report.from_deleted_models.push(step);
                return Ok(());
            }
            there.into_iter().flatten().find(|record| record.step == parent.step)
        };
        match found {
            None => self.fault(step, Problem::NoParent(parent.step)),
            Some(found) if found.sha256 != *recorded || !found.is_whole() => {
                self.fault(step, Problem::OtherParent(parent.step));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Compares a checkpoint with its manifest, and its files with their names.
    async fn checkpoint(&mut self, manifest: &Manifest, checkpoint: &CheckpointRecord) -> Result<(), StoreError> {
        self.report.checkpoints += 1;
        let step = checkpoint.step;
        let none = || "none".to_owned();
        let (adapter, recorded) = (checkpoint.adapter.as_ref(), manifest.files.as_ref());
        let found = adapter.map(FileHashes::of);
        let found = found.as_ref();
        let (config, weights) = (|files: &FileHashes| files.config.clone(), |files: &FileHashes| files.weights.clone());
        self.compare(step, "configuration", &recorded.map_or_else(none, config), &found.map_or_else(none, config));
        self.compare(step, "weights", &recorded.map_or_else(none, weights), &found.map_or_else(none, weights));
        self.compare(step, "metrics", &text(&manifest.metrics), &text(&checkpoint.metrics));
        if let Some(files) = adapter {
            self.artifact(step, "configuration", files.config).await?;
            self.artifact(step, "weights", files.weights).await?;
        }
        // Only the newest step keeps it.
        if let Some(optimizer) = &checkpoint.optimizer {
            let recorded = manifest.optimizer.as_ref();
            let recorded = recorded.map_or_else(none, |saved| format!("{} ({})", saved.sha256, saved.kind));
            let found = format!("{} ({})", optimizer.state.sha256(), optimizer.kind.as_str());
            self.compare(step, OPTIMIZER, &recorded, &found);
            self.artifact(step, OPTIMIZER, optimizer.state).await?;
        }
        Ok(())
    }

    /// Compares a step's training inputs with the record of its job, and the job's initial state with the previous
    /// step.
    async fn training(
        &mut self,
        step: i64,
        training: &TrainingManifest,
        parent: Option<&Manifest>,
    ) -> Result<(), StoreError> {
        let Some(job) = self.metadata.get_job(&self.model.entity, training.job_id).await.optional()? else {
            self.fault(step, Problem::NoJob(training.job_id.to_string()));
            return Ok(());
        };
        let none = || "none".to_owned();
        self.compare(step, "kind of training", &training.kind, job.kind.as_str());
        let format = job.trainer.and_then(TrainerKind::weights).map_or_else(none, |format| format.to_string());
        self.compare(step, "number format", &training.weight_format.clone().unwrap_or_else(none), &format);
        let made = job.published_step.map_or_else(none, |step| step.to_string());
        self.compare(step, "step", &step.to_string(), &made);
        let data = job.data().map_or_else(none, |data| data.sha256());
        self.compare(step, "data's SHA-256", &training.data_sha256.clone().unwrap_or_else(none), &data);
        let validation = job.validation.map_or_else(none, |file| file.content.sha256());
        let recorded = training.validation_sha256.clone().unwrap_or_else(none);
        self.compare(step, "validation data's SHA-256", &recorded, &validation);
        self.compare(step, "options' SHA-256", &training.sent_config_sha256, &sha256(&job.config));
        let start = job.start.as_ref();
        let reference = start.and_then(|start| start.reference.as_ref()).and_then(|found| found.adapter.as_ref());
        let recorded = training.reference.as_ref().and_then(|reference| reference.weights_sha256.clone());
        let found = reference.map_or_else(none, |files| files.weights.sha256());
        self.compare(step, "reference's SHA-256", &recorded.unwrap_or_else(none), &found);
        let adapter = start.and_then(|start| start.adapter.as_ref());
        if let Some(parent) = parent {
            let files = |files: &FileHashes| format!("{} with {}", files.weights, files.config);
            let recorded = parent.files.as_ref().map_or_else(none, files);
            let found = adapter.map(FileHashes::of);
            self.compare(step, "start", &recorded, &found.as_ref().map_or_else(none, files));
            let begun = start.map_or_else(none, |start| start.step.to_string());
            self.compare(step, "first step", &parent.step.to_string(), &begun);
        }
        if let Some(data) = job.data() {
            self.artifact(step, "training data", data).await?;
        }
        if let Some(file) = job.validation {
            self.artifact(step, "validation data", file.content).await?;
        }
        for artifact in [job.rollouts.index, job.rollouts.logprobs].into_iter().flatten() {
            self.kept_artifact(step, "record of its rollouts", artifact).await?;
        }
        let optimizer = start.and_then(|start| start.optimizer.as_ref()).map(|saved| saved.state);
        for artifact in reference.into_iter().flat_map(|files| [files.config, files.weights]) {
            self.artifact(step, "reference", artifact).await?;
        }
        for artifact in adapter.into_iter().flat_map(|files| [files.config, files.weights]).chain(optimizer) {
            self.kept_artifact(step, "state that it began with", artifact).await?;
        }
        Ok(())
    }

    fn compare(&mut self, step: i64, part: &'static str, recorded: &str, found: &str) {
        if recorded != found {
            let (recorded, found) = (recorded.to_owned(), found.to_owned());
            self.fault(step, Problem::Differs { part, recorded, found });
        }
    }

    /// Reads an artifact that a step needs as long as the step exists.
    async fn artifact(&mut self, step: i64, part: &'static str, artifact: ArtifactId) -> Result<(), StoreError> {
        let Some(source) = self.read_once(artifact).await else { return Ok(()) };
        // A step that was deleted meanwhile no longer needs its artifact.
        let is_needed = !self.is_free(artifact).await? || {
            let (entity, model_id) = (&self.model.entity, self.model.id);
            let found = self.metadata.checkpoint_at_step(entity, model_id, step).await.optional()?;
            let has_it = |optimizer: Option<OptimizerArtifact>| optimizer.is_some_and(|saved| saved.state == artifact);
            found.is_some_and(|found| part != OPTIMIZER || has_it(found.optimizer))
        };
        if is_needed {
            self.fault(step, Problem::Artifact { part, source });
        }
        Ok(())
    }

    /// Reads an artifact that the store may delete if it can be recomputed. A failure is a fault only while a row
    /// refers to it.
    async fn kept_artifact(&mut self, step: i64, part: &'static str, artifact: ArtifactId) -> Result<(), StoreError> {
        if let Some(source) = self.read_once(artifact).await
            && !self.is_free(artifact).await?
        {
            self.fault(step, Problem::Artifact { part, source });
        }
        Ok(())
    }

    /// Verifies an artifact on its first use and returns the error, if any.
    async fn read_once(&mut self, artifact: ArtifactId) -> Option<ArtifactError> {
        if !self.read.insert(artifact) {
            return None;
        }
        let problem = self.artifacts.verify(artifact).await.err();
        if problem.is_none() {
            self.report.artifacts += 1;
            (self.on_progress)(self.report.artifacts);
        }
        problem
    }

    /// Returns whether no row refers to an artifact.
    async fn is_free(&self, artifact: ArtifactId) -> Result<bool, StoreError> {
        Ok(!self.metadata.unreferenced_artifacts(&[artifact]).await?.is_empty())
    }

    fn fault(&mut self, step: i64, problem: Problem) {
        self.report.faults.push(Fault { step, problem });
    }
}

/// Returns a value as JSON text; equal values have equal text.
fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
