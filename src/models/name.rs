//! Names of models in inference requests.
//!
//! The name `wandb-artifact:///entity/project/name` selects the newest step of a trained model, and the same name with
//! `:stepN` selects one step. The scheme is optional. The name of a base model is `organization/model`.

use crate::store::records::ModelRecord;

/// A name in the `model` field of a chat request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModelName {
    /// A base model, `organization/model`.
    Base(String),
    /// A trained model, at a step or at its newest step.
    Trained {
        /// The model's entity.
        entity: String,
        /// The model's project.
        project: String,
        /// The model's name in the project.
        name: String,
        /// The requested step; `None` is the newest.
        step: Option<u64>,
    },
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
        match parts[..] {
            [organization, model] if !with_scheme && plain(organization) && plain(model) => {
                Some(Self::Base(text.to_owned()))
            }
            [entity, project, last] if plain(entity) && plain(project) => {
                let (name, step) = match last.split_once(':') {
                    Some((name, suffix)) => (name, Some(step(suffix)?)),
                    None => (last, None),
                };
                plain(name).then(|| Self::Trained {
                    entity: entity.to_owned(),
                    project: project.to_owned(),
                    name: name.to_owned(),
                    step,
                })
            }
            _ => None,
        }
    }
}

/// Returns the inference name of a trained model's newest step.
pub(crate) fn trained_name(entity: &str, project: &str, name: &str) -> String {
    format!("{SCHEME}{entity}/{project}/{name}")
}

/// Returns whether a name is that of the model or of one of its steps.
pub(crate) fn names_model(name: &str, model: &ModelRecord) -> bool {
    match ModelName::parse(name) {
        Some(ModelName::Trained { entity, project, name, .. }) => {
            [entity, project, name] == [&*model.entity, &model.project, &model.name]
        }
        Some(ModelName::Base(_)) | None => false,
    }
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

    fn trained(step: Option<u64>) -> Option<ModelName> {
        Some(ModelName::Trained { entity: "e".into(), project: "p".into(), name: "n".into(), step })
    }

    #[test]
    fn both_forms_with_and_without_a_step() {
        assert_eq!(ModelName::parse("wandb-artifact:///e/p/n"), trained(None));
        assert_eq!(ModelName::parse("e/p/n"), trained(None));
        assert_eq!(ModelName::parse("wandb-artifact:///e/p/n:step0"), trained(Some(0)));
        assert_eq!(ModelName::parse("e/p/n:step12"), trained(Some(12)));
        assert_eq!(ModelName::parse("org/model"), Some(ModelName::Base("org/model".into())));
    }

    #[test]
    fn anything_else_is_no_name() {
        for text in [
            "",
            "x",
            "a/b/c/d",
            "wandb-artifact://",
            "wandb-artifact:///a/b",
            "org/model:step1",
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
