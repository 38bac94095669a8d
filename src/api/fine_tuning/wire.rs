//! Converts jobs and checkpoints to the wire format.

use super::{CHECKPOINT, JOB};
use crate::api::files;
use crate::api::job_view::{estimated_finish, seconds};
use crate::api::paging::prefixed_id;
use crate::generated::types::{
    FineTuningCheckpoint, FineTuningCheckpointObject, FineTuningError, FineTuningJob, FineTuningJobObject,
    FineTuningMethodType, FineTuningMetrics, FineTuningResolvedMethod, FineTuningResolvedOptions, FineTuningStatus,
    SupervisedResolvedMethod,
};
use crate::jobs;
use crate::models::{at_step, trained_name};
use crate::store::records::{
    CheckpointRecord, JobErrorCode, JobFailure, JobInput, JobState, JobStatus, JobSummary, ModelRecord,
};
use crate::training::{DEFAULT_SFT_LEARNING_RATE, DataUse, LearningRates, SftConfig};

/// Converts a supervised job of a model.
pub(super) fn job(state: &JobState, model: &ModelRecord) -> FineTuningJob {
    let JobState { job, announcement, .. } = state;
    let request = job.fine_tuning.clone().unwrap_or_default();
    let is_over = !matches!(job.status, JobStatus::Queued | JobStatus::Running);
    let options = options(job);
    FineTuningJob {
        id: prefixed_id(JOB, job.id),
        object: FineTuningJobObject::FineTuningJob,
        created_at: seconds(job.created_at),
        finished_at: job.ended_at.map(seconds),
        model: if request.model.is_empty() { model.base_model.clone() } else { request.model },
        fine_tuned_model: fine_tuned_model(job, model),
        organization_id: job.entity.clone(),
        status: match (job.status, announcement) {
            (JobStatus::Queued, _) => FineTuningStatus::Queued,
            (JobStatus::Running, None) => FineTuningStatus::ValidatingFiles,
            (JobStatus::Running, Some(_)) => FineTuningStatus::Running,
            (JobStatus::Succeeded, _) => FineTuningStatus::Succeeded,
            (JobStatus::Failed, _) => FineTuningStatus::Failed,
            (JobStatus::Cancelled, _) => FineTuningStatus::Cancelled,
        },
        training_file: match &job.input {
            JobInput::File { id, .. } => files::wire_id(*id),
            JobInput::Url(url) => url.clone(),
            JobInput::Artifact(content) => content.to_string(),
        },
        validation_file: job.validation.map(|file| files::wire_id(file.id)),
        method: FineTuningResolvedMethod {
            type_: FineTuningMethodType::Supervised,
            supervised: SupervisedResolvedMethod { hyperparameters: options.clone() },
        },
        hyperparameters: options,
        trained_tokens: is_over.then(|| state.trained_tokens.unsigned_abs()),
        result_files: Vec::new(),
        integrations: Vec::new(),
        seed: request.seed.unwrap_or_default(),
        estimated_finish: estimated_finish(state),
        error: job.error.as_ref().filter(|_| job.status == JobStatus::Failed).map(error),
        metadata: request.metadata.map(|notes| notes.into_iter().collect()),
        user_provided_suffix: request.suffix,
    }
}

/// Returns the inference name of the step that a job created.
pub(super) fn fine_tuned_model(job: &JobSummary, model: &ModelRecord) -> Option<String> {
    let step = job.published_step?;
    Some(at_step(trained_name(&model.entity, &model.project, &model.name), Some(step)))
}

fn options(job: &JobSummary) -> FineTuningResolvedOptions {
    let config = SftConfig::from_wire(Some(
        &jobs::resolved_config(job.kind, job.sampler, jobs::sent_config(&job.config)).into(),
    ))
    .unwrap_or_default();
    FineTuningResolvedOptions {
        n_epochs: config.epochs as u64,
        batch_size: config.batch_size as u64,
        learning_rate_multiplier: match config.learning_rate {
            LearningRates::Constant(rate) => Some(multiplier(rate)),
            LearningRates::PerBatch(_) => None,
        },
    }
}

/// Returns the multiplier of a learning rate, without the rounding error of their multiplication.
fn multiplier(rate: f64) -> f64 {
    let factor = rate / DEFAULT_SFT_LEARNING_RATE;
    format!("{factor:.12e}").parse().unwrap_or(factor)
}

fn error(failure: &JobFailure) -> FineTuningError {
    let is_validation = || failure.message.contains(&format!(" of the {}", DataUse::Validation));
    let param = match failure.code {
        JobErrorCode::InvalidTrainingData if is_validation() => Some("validation_file"),
        JobErrorCode::InvalidTrainingData | JobErrorCode::TrainingDataUnavailable => Some("training_file"),
        _ => None,
    };
    FineTuningError { code: failure.code.into(), message: failure.message.clone(), param: param.map(str::to_owned) }
}

/// Converts the checkpoint that a job created.
pub(super) fn checkpoint(
    checkpoint: CheckpointRecord,
    state: &JobState,
    model: &ModelRecord,
) -> Option<FineTuningCheckpoint> {
    let steps = state.steps.unsigned_abs();
    let metric = |name: &str| checkpoint.metrics.get(name).copied();
    Some(FineTuningCheckpoint {
        id: prefixed_id(CHECKPOINT, checkpoint.id),
        object: FineTuningCheckpointObject::FineTuningJobCheckpoint,
        created_at: seconds(checkpoint.created_at),
        fine_tuned_model_checkpoint: fine_tuned_model(&state.job, model)?,
        fine_tuning_job_id: prefixed_id(JOB, state.job.id),
        step_number: steps,
        metrics: FineTuningMetrics {
            step: steps,
            train_loss: metric("loss/train"),
            valid_loss: metric("loss/val"),
            full_valid_loss: metric("loss/val"),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiplier_comes_back_as_it_was_sent() {
        for factor in [1.0, 0.1, 0.3, 2.0, 1.8, 40.0, 123.456, 1e-3] {
            assert_eq!(multiplier(factor * DEFAULT_SFT_LEARNING_RATE), factor);
        }
    }

    #[test]
    fn an_error_names_the_file_at_fault() {
        let param = |code, message: &str| error(&JobFailure { code, message: message.to_owned() }).param;
        let invalid = JobErrorCode::InvalidTrainingData;
        let fault = "`messages` is missing";
        assert_eq!(param(invalid, &format!("line 2 of the training data: {fault}")).as_deref(), Some("training_file"));
        let validation = format!("line 2 of the validation data: {fault}");
        assert_eq!(param(invalid, &validation).as_deref(), Some("validation_file"));
        assert_eq!(param(JobErrorCode::Diverged, "the loss is NaN"), None);
    }
}
