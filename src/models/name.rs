//! The names under which models are sampled.
//!
//! A trained model answers to `wandb-artifact:///entity/project/name`, its newest step, and to the same with `:stepN`;
//! both also without the scheme. A base model answers to its own `organization/model`.

/// A name as it stands in the `model` field of a chat request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// A base model, `organization/model`.
    Base(String),
    /// A trained model, at a step or at its newest.
    Trained {
        /// Who owns it.
        entity: String,
        /// The project it belongs to.
        project: String,
        /// Its name inside the project.
        name: String,
        /// The step asked for; `None` is the newest.
        step: Option<u64>,
    },
}

/// The scheme in front of a trained model's name.
pub const SCHEME: &str = "wandb-artifact:///";

impl ModelName {
    /// Reads a name; `None` when it has neither form.
    pub fn parse(text: &str) -> Option<Self> {
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

/// The inference name of a trained model's newest step.
pub fn trained_name(entity: &str, project: &str, name: &str) -> String {
    format!("{SCHEME}{entity}/{project}/{name}")
}

/// `step12` → 12. Leading zeros are refused, so that a step has one name.
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
