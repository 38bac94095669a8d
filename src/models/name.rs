//! Names of models in inference requests.
//!
//! The name `wandb-artifact:///entity/project/name` selects the newest step of a trained model, and the same name with
//! `:stepN` selects one step. The scheme is optional, and with it the entity: `project/name` is the model that the
//! commands print. The name of a base model is `organization/model`; it takes precedence over a project's model of that
//! name.

use std::fmt::Display;

use crate::store::records::ModelRecord;

/// The name of a trained model, at a step or at its newest step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelName {
    /// The model's entity; `None` is that of the caller.
    pub entity: Option<String>,
    /// The model's project.
    pub project: String,
    /// The model's name in the project.
    pub name: String,
    /// The requested step; `None` is the newest.
    pub step: Option<u64>,
}

/// Scheme of a trained model's name.
pub(crate) const SCHEME: &str = "wandb-artifact:///";

impl ModelName {
    /// Parses a name. Returns `None` if it has neither form.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (path, with_scheme) = match text.strip_prefix(SCHEME) {
            Some(path) => (path, true),
            None => (text, false),
        };
        let parts: Vec<&str> = path.split('/').collect();
        let (entity, project, last) = match parts[..] {
            [project, last] if !with_scheme => (None, project, last),
            [entity, project, last] => (Some(entity), project, last),
            _ => return None,
        };
        let (name, step) = match last.split_once(':') {
            Some((name, suffix)) => (name, Some(step(suffix)?)),
            None => (last, None),
        };
        let is_name = entity.is_none_or(plain) && plain(project) && plain(name);
        is_name.then(|| Self {
            entity: entity.map(str::to_owned),
            project: project.to_owned(),
            name: name.to_owned(),
            step,
        })
    }

    /// Returns whether a caller of this entity may mean one of its own models.
    pub(crate) fn may_be_of(&self, entity: &str) -> bool {
        self.entity.as_ref().is_none_or(|own| own == entity)
    }
}

/// Returns the inference name of a trained model's newest step.
pub(crate) fn trained_name(entity: &str, project: &str, name: &str) -> String {
    format!("{SCHEME}{entity}/{project}/{name}")
}

/// Returns the inference name of a step of the trained model with this name; the same name without a step.
pub(crate) fn at_step(name: String, step: Option<impl Display>) -> String {
    match step {
        Some(step) => format!("{name}:step{step}"),
        None => name,
    }
}

/// Returns whether a name is that of the model or of one of its steps.
pub(crate) fn names_model(name: &str, model: &ModelRecord) -> bool {
    name != model.base_model
        && ModelName::parse(name).is_some_and(|named| {
            named.may_be_of(&model.entity) && [&named.project, &named.name] == [&model.project, &model.name]
        })
}

/// Parses `step12` to 12. Leading zeros are rejected, so that each step has only one name.
fn step(suffix: &str) -> Option<u64> {
    let digits = suffix.strip_prefix("step")?;
    let one_spelling = digits == "0" || !digits.starts_with('0');
    (one_spelling && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok()).flatten()
}

fn plain(part: &str) -> bool {
    !part.is_empty() && !part.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trained(entity: Option<&str>, step: Option<u64>) -> Option<ModelName> {
        Some(ModelName { entity: entity.map(str::to_owned), project: "p".into(), name: "n".into(), step })
    }

    #[test]
    fn every_form_with_and_without_a_step() {
        for (text, entity, step) in [
            ("wandb-artifact:///e/p/n", Some("e"), None),
            ("e/p/n", Some("e"), None),
            ("p/n", None, None),
            ("wandb-artifact:///e/p/n:step0", Some("e"), Some(0)),
            ("e/p/n:step12", Some("e"), Some(12)),
            ("p/n:step3", None, Some(3)),
        ] {
            assert_eq!(ModelName::parse(text), trained(entity, step), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_name() {
        for text in [
            "",
            "x",
            "a/b/c/d",
            "wandb-artifact://",
            "wandb-artifact:///a/b",
            "p/n:v1",
            "p:x/n",
            "e/p/n:step",
            "e/p/n:step-1",
            "e/p/n:stepx",
            "e/p/n:step1.5",
            "e/p/n:v9",
            "e/p/n:step01x",
            "e/p/n:step01",
            "e/p/n:step99999999999999999999",
            "//",
            "e//n",
            "../../etc/passwd",
        ] {
            assert_eq!(ModelName::parse(text), None, "{text:?}");
        }
    }
}
