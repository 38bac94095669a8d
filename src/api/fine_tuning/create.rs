//! Creates fine-tuning jobs, each with its own model.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::unsupported;
use crate::api::training_jobs::check_data;
use crate::api::{Api, idempotency};
use crate::auth::Caller;
use crate::engine::TrainingMethod;
use crate::generated::server::fine_tuning::CreateFineTuningJobInput;
use crate::generated::types::{
    BatchSize, CreateFineTuningJob, FineTuningEpochs, FineTuningMethod, FineTuningMethodType, FineTuningOptions,
    LearningRateMultiplier,
};
use crate::http::ApiError;
use crate::models::{Base, Found};
use crate::store::records::{
    AddedCheckpoint, CheckpointSource, FineTuning, FirstModel, JobFile, JobInput, JobKind, JobLabels, JobState, NewJob,
    NewModel,
};
use crate::training::{DEFAULT_SFT_LEARNING_RATE, LearningRates, MAX_LEARNING_RATE, SftConfig};

/// Project of every model created here.
const PROJECT: &str = "fine-tuning";
/// Default number of epochs.
const DEFAULT_EPOCHS: usize = 3;
/// Maximum length of a metadata key in characters, which a schema cannot express.
const METADATA_KEY_LENGTH: usize = 64;
/// Maximum number of texts of metadata.
pub(in super::super) const MAX_NOTES: usize = 16;
/// Maximum length of a model's name in characters, before the part that makes it unique.
const STEM_LENGTH: usize = 64;
/// Number of digits of the job's id in the name of its model, which make the name unique. They are random.
const UNIQUE_DIGITS: usize = 12;

impl Api {
    /// Creates a model and queues its job. Also returns `Some(true)` if the same request had done so before.
    pub(super) async fn fine_tune(
        &self,
        caller: &Caller,
        input: CreateFineTuningJobInput,
    ) -> Result<(JobState, Option<bool>), ApiError> {
        let CreateFineTuningJobInput { body, idempotency_key, .. } = input;
        let config = config(&body)?;
        let request = idempotency::record_of_body(idempotency_key, &[b"fine_tuning"], &body)?;
        if let Some(job) = self.repeated(&caller.entity, request.as_ref()).await? {
            return Ok((self.job_state(job).await, Some(true)));
        }
        let origin = self.origin(caller, &body.model).await?;
        self.check_budget(caller).await?;
        let training = self.data_file(caller, &body.training_file, "training_file").await?;
        let validation = match &body.validation_file {
            Some(file) => Some(self.data_file(caller, file, "validation_file").await?),
            None => None,
        };
        let provenance = origin.base.provenance().await;
        let (job_id, model_id) = (Uuid::now_v7(), Uuid::now_v7());
        let model = NewModel {
            id: model_id,
            entity: caller.entity.clone(),
            project: PROJECT.to_owned(),
            name: model_name(body.suffix.as_deref().unwrap_or(&origin.name), job_id),
            base_model: origin.base.name().to_owned(),
            method: origin.method,
            run_id: None,
            provenance: provenance.clone(),
            request: None,
        };
        let copy = origin.step.map(|source| AddedCheckpoint {
            id: Uuid::now_v7(),
            entity: caller.entity.clone(),
            model_id,
            min_step: 0,
            metadata: None,
            source,
            provenance,
            request: None,
        });
        let job = NewJob {
            id: job_id,
            entity: caller.entity.clone(),
            model_id,
            key_id: Some(caller.key_id),
            max_unfinished_jobs: caller.limits.queued_jobs,
            kind: JobKind::Sft,
            config: Value::Object(config.to_wire()).to_string(),
            input: JobInput::File { id: training.id, content: training.content },
            validation,
            fine_tuning: Some(FineTuning {
                model: body.model,
                suffix: body.suffix,
                seed: body.seed,
                metadata: body.metadata.map(|notes| notes.into_iter().collect()),
            }),
            labels: JobLabels::default(),
            sampler: origin.base.remote_sampler(),
            request,
        };
        let queued = self.metadata.create_model_with_job(FirstModel { model, copy }, job).await?;
        let replayed = (queued.id != job_id).then_some(true);
        Ok((self.job_state(queued).await, replayed))
    }

    /// Returns the uploaded file of conversations that a field of the request names.
    async fn data_file(&self, caller: &Caller, id: &str, field: &str) -> Result<JobFile, ApiError> {
        let file = self.named_file(caller, id, field).await?;
        check_data(&file, field)?;
        Ok(JobFile { id: file.id, content: file.artifact })
    }

    /// Returns the model or checkpoint from which training starts.
    async fn origin(&self, caller: &Caller, name: &str) -> Result<Origin, ApiError> {
        Ok(match self.catalog.find(&caller.entity, name).await? {
            Found::Base(base) => {
                let name = base.name().rsplit('/').next().unwrap_or_default().to_owned();
                let method = TrainingMethod::Lora(base.config.lora_options());
                Origin { base, method, step: None, name }
            }
            Found::Trained { base, model, checkpoint, .. } => {
                // Without an adapter it is the base model, from which a new model starts anyway.
                let trained = checkpoint.filter(|checkpoint| checkpoint.adapter.is_some());
                let step =
                    trained.map(|checkpoint| CheckpointSource::Step { model_id: model.id, step: checkpoint.step });
                Origin { base, method: model.method, step, name: model.name }
            }
        })
    }
}

/// The model or checkpoint from which training starts.
struct Origin {
    /// The base model.
    base: Arc<Base>,
    /// Training method of models derived from it.
    method: TrainingMethod,
    /// The step of a trained model, if training starts from one.
    step: Option<CheckpointSource>,
    /// Its name, without entity and project.
    name: String,
}

/// Converts the options of a request to those of a job.
///
/// # Errors
/// Returns 422 for an option that is not supported.
fn config(body: &CreateFineTuningJob) -> Result<SftConfig, ApiError> {
    if body.integrations.as_ref().is_some_and(|integrations| !integrations.is_empty()) {
        let message = "integrations are not supported; leave them out, and read the job's events for its metrics";
        return Err(unsupported("integrations", message));
    }
    check_names(body.metadata.iter().flatten().map(|(name, _)| name))?;
    let supervised = body.method.as_ref().map(supervised).transpose()?.flatten();
    // If both name an option, the method's takes precedence.
    let named: Vec<&FineTuningOptions> = supervised.into_iter().chain(&body.hyperparameters).collect();
    let epochs = named.iter().find_map(|options| options.n_epochs.as_ref());
    let batch_size = named.iter().find_map(|options| options.batch_size.as_ref());
    let multiplier = named.iter().find_map(|options| options.learning_rate_multiplier.as_ref());
    let default = SftConfig::default();
    let learning_rate = match multiplier {
        Some(LearningRateMultiplier::Number(factor)) => factor * DEFAULT_SFT_LEARNING_RATE,
        Some(LearningRateMultiplier::AutoOption(_)) | None => DEFAULT_SFT_LEARNING_RATE,
    };
    if learning_rate > MAX_LEARNING_RATE {
        let in_method = supervised.is_some_and(|options| options.learning_rate_multiplier.is_some());
        let path = if in_method { "method.supervised.hyperparameters" } else { "hyperparameters" };
        let message = format!("the learning rate would be {learning_rate}; it must not be above 3.4e38");
        return Err(ApiError::invalid(format!("{path}.learning_rate_multiplier"), message));
    }
    Ok(SftConfig {
        epochs: match epochs {
            Some(FineTuningEpochs::Integer(epochs)) => *epochs as usize,
            Some(FineTuningEpochs::AutoOption(_)) | None => DEFAULT_EPOCHS,
        },
        batch_size: match batch_size {
            Some(BatchSize::Integer(size)) => *size as usize,
            Some(BatchSize::AutoBatchSize(_)) | None => default.batch_size,
        },
        learning_rate: LearningRates::Constant(learning_rate),
        ..default
    })
}

/// Checks the names of an owner's notes.
///
/// # Errors
/// Returns 422 for a name that is too long.
pub(in super::super) fn check_names<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), ApiError> {
    if names.map(|name| name.chars().count()).max().is_some_and(|longest| longest > METADATA_KEY_LENGTH) {
        let message = format!("the keys of metadata have {METADATA_KEY_LENGTH} characters at most");
        return Err(ApiError::invalid("metadata", message));
    }
    Ok(())
}

/// Returns the options of supervised training.
fn supervised(method: &FineTuningMethod) -> Result<Option<&FineTuningOptions>, ApiError> {
    let advice = "train with `supervised`; POST /v1/preview/training-jobs has reinforcement learning";
    if method.type_ != FineTuningMethodType::Supervised {
        let message = format!("the method {} is not supported; {advice}", method.type_);
        return Err(unsupported("method.type", &message));
    }
    for (name, is_given) in [("dpo", method.dpo.is_some()), ("reinforcement", method.reinforcement.is_some())] {
        if is_given {
            return Err(unsupported(&format!("method.{name}"), &format!("`{name}` is not supported; {advice}")));
        }
    }
    Ok(method.supervised.as_ref().and_then(|supervised| supervised.hyperparameters.as_ref()))
}

/// Returns the name of a job's model: the stem in characters that any URL accepts, and digits of the job's id.
fn model_name(stem: &str, job_id: Uuid) -> String {
    let plain = |character: char| {
        if character.is_ascii_alphanumeric() || "._-".contains(character) { character } else { '-' }
    };
    let stem: String = stem.chars().take(STEM_LENGTH).map(plain).collect();
    let id = job_id.simple().to_string();
    format!("{stem}-{}", &id[id.len() - UNIQUE_DIGITS..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(options: Value) -> Result<SftConfig, ApiError> {
        let mut body = json!({ "model": "trainyard/seedling", "training_file": "file-1" });
        body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        config(&serde_json::from_value(body).unwrap())
    }

    #[test]
    fn options_are_read_from_either_path() {
        let auto = json!({ "n_epochs": "auto", "batch_size": "auto", "learning_rate_multiplier": "auto" });
        let default = SftConfig { epochs: 3, ..SftConfig::default() };
        for none in [json!({}), json!({ "hyperparameters": auto }), json!({ "method": {"type": "supervised"} })] {
            assert_eq!(read(none).unwrap(), default);
        }
        let options = json!({ "n_epochs": 7, "batch_size": 4, "learning_rate_multiplier": 10 });
        let expected = SftConfig { epochs: 7, batch_size: 4, learning_rate: LearningRates::Constant(5e-4), ..default };
        assert_eq!(read(json!({ "hyperparameters": options })).unwrap(), expected);
        let both = json!({
            "hyperparameters": { "n_epochs": 2, "batch_size": 4 },
            "method": { "type": "supervised", "supervised": { "hyperparameters": {
                "n_epochs": 7, "learning_rate_multiplier": 10 } } },
        });
        assert_eq!(read(both).unwrap(), expected);
        let fast = json!({ "learning_rate_multiplier": 1e300 });
        let in_method = json!({ "type": "supervised", "supervised": { "hyperparameters": fast } });
        for (options, path) in [
            (json!({ "hyperparameters": fast }), "hyperparameters.learning_rate_multiplier"),
            (json!({ "method": in_method }), "method.supervised.hyperparameters.learning_rate_multiplier"),
        ] {
            assert_eq!(read(options).unwrap_err().param(), Some(path));
        }
    }

    #[test]
    fn other_methods_and_integrations_are_rejected_by_name() {
        for (options, param) in [
            (json!({ "method": {"type": "dpo"} }), "method.type"),
            (json!({ "method": {"type": "reinforcement", "reinforcement": {}} }), "method.type"),
            (json!({ "method": {"type": "supervised", "dpo": {}} }), "method.dpo"),
            (json!({ "integrations": [{"type": "wandb"}] }), "integrations"),
        ] {
            let failure = read(options).unwrap_err();
            assert_eq!((failure.param(), failure.code()), (Some(param), Some("unsupported_parameter")));
        }
        assert!(read(json!({ "integrations": [] })).is_ok());
    }

    #[test]
    fn a_name_is_plain_and_ends_in_random_digits() {
        let id: Uuid = "01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4".parse().unwrap();
        assert_eq!(model_name("support", id), "support-3b1f60a2c9e4");
        assert_eq!(model_name("a/b:c ☃\0", id), "a-b-c----3b1f60a2c9e4");
        assert_eq!(model_name(&"x".repeat(500), id).len(), STEM_LENGTH + 1 + UNIQUE_DIGITS);
    }
}
