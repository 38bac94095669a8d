//! Reference checkpoint of a job's KL penalty.

use uuid::Uuid;

use crate::models::ModelName;
use crate::store::metadata::{Metadata, OptionalExtension, StoreError};
use crate::store::records::{JobStart, Lease, ModelRecord, ReferenceCheckpoint};
use crate::training::KlReference;

/// Error of the reference that a job names. All variants but [`Self::Store`] are errors of the request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReferenceError {
    #[error(
        "`kl_ref_adapter_path` must be the name under which a trained model of yours is sampled, such as \
         wandb-artifact:///entity/project/name:step3, not {0:?}"
    )]
    NotYours(String),
    #[error("`kl_ref_adapter_path` names {0:?}, which is not there; it may have been deleted")]
    Unknown(String),
    #[error(
        "`kl_ref_adapter_path` names {name:?}, which was trained from {found}; this model is trained from {expected}"
    )]
    OtherBase { name: String, found: String, expected: String },
    #[error("the model has no checkpoint of step {step} for `{option}` to compare with; it may have been deleted")]
    NoSuchStep { option: &'static str, step: i64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReferenceError {
    /// Returns the option that the error is about.
    pub(crate) fn option(&self) -> &'static str {
        match self {
            Self::NoSuchStep { option, .. } => option,
            Self::NotYours(_) | Self::Unknown(_) | Self::OtherBase { .. } | Self::Store(_) => "kl_ref_adapter_path",
        }
    }
}

/// Rejects a missing reference before a job is queued. A reference relative to the job's initial step cannot be checked
/// yet.
pub(crate) async fn check(
    metadata: &dyn Metadata,
    model: &ModelRecord,
    reference: &KlReference,
) -> Result<(), ReferenceError> {
    let (owner, step, missing) = match reference {
        KlReference::Base | KlReference::StepsBefore(_) => return Ok(()),
        KlReference::Step(step) => {
            let step = steps(*step);
            (model.id, Some(step), ReferenceError::NoSuchStep { option: "kl_penalty_reference_step", step })
        }
        KlReference::Model(name) => {
            let (owner, step) = named(metadata, model, name).await?;
            (owner, step, ReferenceError::Unknown(name.clone()))
        }
    };
    let found = match step {
        None => metadata.newest_checkpoint(&model.entity, owner).await?,
        Some(step) => metadata.checkpoint_at_step(&model.entity, owner, step).await.optional()?,
    };
    found.map(drop).ok_or(missing)
}

/// Finds the reference of a starting job and records it, so that every later attempt uses the same one. `None` is the
/// base model.
pub(super) async fn record(
    metadata: &dyn Metadata,
    lease: &Lease,
    model: &ModelRecord,
    start: &JobStart,
    reference: &KlReference,
) -> Result<Option<ReferenceCheckpoint>, ReferenceError> {
    if let Some(recorded) = &start.reference {
        return Ok(Some(recorded.clone()));
    }
    let of_this_model = |step, option| (model.id, Some(step), ReferenceError::NoSuchStep { option, step });
    let (owner, step, missing) = match reference {
        KlReference::Base => return Ok(None),
        KlReference::Step(step) => of_this_model(steps(*step), "kl_penalty_reference_step"),
        KlReference::StepsBefore(lag) => match start.step - steps(*lag) {
            ..=0 => return Ok(None),
            step => of_this_model(step, "kl_penalty_step_lag"),
        },
        KlReference::Model(name) => {
            let (owner, step) = named(metadata, model, name).await?;
            (owner, step, ReferenceError::Unknown(name.clone()))
        }
    };
    metadata.record_reference(lease, owner, step).await.optional()?.map(Some).ok_or(missing)
}

/// Returns the model with a sampling name, and the step in the name.
async fn named(
    metadata: &dyn Metadata,
    model: &ModelRecord,
    name: &str,
) -> Result<(Uuid, Option<i64>), ReferenceError> {
    let named = ModelName::parse(name).filter(|named| named.may_be_of(&model.entity));
    let Some(ModelName { entity, project, name: found, step }) = named else {
        return Err(ReferenceError::NotYours(name.to_owned()));
    };
    let Some(found) = metadata.find_model(&model.entity, &project, &found).await.optional()? else {
        // A name of two parts is probably that of a base model.
        let missing = if entity.is_some() { ReferenceError::Unknown } else { ReferenceError::NotYours };
        return Err(missing(name.to_owned()));
    };
    if found.base_model != model.base_model {
        let (name, found, expected) = (name.to_owned(), found.base_model, model.base_model.clone());
        return Err(ReferenceError::OtherBase { name, found, expected });
    }
    // A step beyond the database's range does not exist either.
    Ok((found.id, step.map(|step| i64::try_from(step).unwrap_or(i64::MAX))))
}

/// Converts a step number to the store's type.
fn steps(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
