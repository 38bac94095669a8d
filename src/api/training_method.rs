//! Training methods in requests and responses.

use crate::engine::{LoraOptions, ModelConfig, TargetModules, TrainingMethod, full};
use crate::generated::types::{self, LoraRequest, LoraSettings, ModelCreate, TargetModule};
use crate::http::ApiError;
use crate::models::Base;
use crate::store::records::ModelRecord;

/// Returns the training method of a request for a new model. Omitted options have their defaults.
///
/// # Errors
/// Returns 422 for options of another method, for targets that the model lacks, and for full training if the memory is
/// insufficient or the model has experts.
pub(super) fn requested(body: &ModelCreate, base: &Base) -> Result<TrainingMethod, ApiError> {
    if body.training_method != Some(types::TrainingMethod::Full) {
        return filled(body.lora.as_ref(), &base.config).map(TrainingMethod::Lora);
    }
    if body.lora.is_some() {
        let message = "lora describes an adapter, and training_method full has none; leave out one of the two";
        return Err(ApiError::invalid("lora", message));
    }
    let weights = base.weights().map_err(|error| {
        let message = format!("{error}; all weights are trained and sampled by a server that reads them");
        ApiError::invalid("training_method", message)
    })?;
    full::check(&base.config, weights.format)
        .map_err(|error| ApiError::invalid("training_method", error.to_string()))?;
    Ok(TrainingMethod::Full)
}

/// Returns the LoRA options, with the base model's defaults for omitted ones.
///
/// # Errors
/// Returns 422 for a target that the base model lacks.
fn filled(named: Option<&LoraRequest>, model: &ModelConfig) -> Result<LoraOptions, ApiError> {
    let default = model.lora_options();
    let Some(named) = named else { return Ok(default) };
    Ok(LoraOptions {
        rank: named.rank.map_or(default.rank, |rank| rank as usize),
        alpha: named.alpha.map_or(default.alpha, |alpha| alpha as f32),
        targets: named.target_modules.as_ref().map_or(Ok(default.targets), |named| targets(named, default.targets))?,
        rank_stabilised: named.use_rslora.unwrap_or(default.rank_stabilised),
    })
}

fn targets(named: &types::TargetModules, possible: TargetModules) -> Result<TargetModules, ApiError> {
    let types::TargetModules::Array(modules) = named else { return Ok(possible) };
    let targets = TargetModules::from_names(modules.iter().map(TargetModule::as_str))
        .expect("the document names the modules that there are, and asks for one at least");
    if !targets.are_in(possible) {
        let lacks = |name: &&str| !possible.names().any(|possible| possible == *name);
        let missing: Vec<&str> = targets.names().filter(lacks).collect();
        let message = format!(
            "the base model has no {} that can have an adapter; its target modules are {possible}",
            missing.join(", ")
        );
        return Err(ApiError::invalid("lora.target_modules", message));
    }
    Ok(targets)
}

/// Returns 409 if the request names a training method or option that differs from the existing model of that name.
/// Omitted ones are not compared.
pub(super) fn check_same(body: &ModelCreate, existing: &ModelRecord, base: &Base) -> Result<(), ApiError> {
    let differs = |field: &str, found: String, named: String| {
        let name = &existing.name;
        let message = format!("the existing model {name:?} has {field} {found}, not {named}; choose another name");
        Err(ApiError::conflict(message).with_param(field))
    };
    let named = match (&body.training_method, &body.lora) {
        (Some(types::TrainingMethod::Full), _) => Some("full"),
        (Some(types::TrainingMethod::Lora), _) | (None, Some(_)) => Some("lora"),
        (None, None) => None,
    };
    let method = existing.method.name();
    if let Some(named) = named.filter(|named| *named != method) {
        return differs("training_method", method.to_owned(), named.to_owned());
    }
    let (TrainingMethod::Lora(found), Some(lora)) = (&existing.method, &body.lora) else { return Ok(()) };
    let wanted = filled(Some(lora), &base.config)?;
    let is_named = |option: &str| match option {
        "rank" => lora.rank.is_some(),
        "alpha" => lora.alpha.is_some(),
        "target_modules" => lora.target_modules.is_some(),
        _ => lora.use_rslora.is_some(),
    };
    match different_options(found, &wanted).into_iter().find(|(option, ..)| is_named(option)) {
        Some((option, found, wanted)) => differs(&format!("lora.{option}"), found, wanted),
        None => Ok(()),
    }
}

/// Returns the options in which two adapters differ, each with its two values.
pub(super) fn different_options(one: &LoraOptions, other: &LoraOptions) -> Vec<(&'static str, String, String)> {
    let options = [
        ("rank", one.rank.to_string(), other.rank.to_string()),
        ("alpha", one.alpha.to_string(), other.alpha.to_string()),
        ("target_modules", one.targets.to_string(), other.targets.to_string()),
        ("use_rslora", one.rank_stabilised.to_string(), other.rank_stabilised.to_string()),
    ];
    options.into_iter().filter(|(_, one, other)| one != other).collect()
}

/// Returns the training method in the wire format.
pub(super) fn wire_method(method: &TrainingMethod) -> types::TrainingMethod {
    match method {
        TrainingMethod::Lora(_) => types::TrainingMethod::Lora,
        TrainingMethod::Full => types::TrainingMethod::Full,
    }
}

/// Returns the LoRA options in the wire format.
pub(super) fn wire_lora(method: &TrainingMethod) -> Option<LoraSettings> {
    let TrainingMethod::Lora(LoraOptions { rank, alpha, targets, rank_stabilised }) = method else { return None };
    let module = |name: &str| serde_json::from_value(name.into()).expect("the document names every module");
    Some(LoraSettings {
        rank: u32::try_from(*rank).unwrap_or(u32::MAX),
        // Via text, so that 0.1 in single precision is shown as 0.1, as requested.
        alpha: alpha.to_string().parse().unwrap_or(f64::from(*alpha)),
        target_modules: targets.names().map(module).collect(),
        use_rslora: *rank_stabilised,
    })
}
