//! Training methods.

use serde::{Deserialize, Serialize};

use crate::LoraOptions;

/// Training method: the parameters of a model that training changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub enum TrainingMethod {
    /// Parameters of a LoRA adapter; the base model is frozen.
    Lora(LoraOptions),
    /// All parameters of the model.
    Full,
}

impl Default for TrainingMethod {
    fn default() -> Self {
        Self::Lora(LoraOptions::default())
    }
}

impl TrainingMethod {
    /// Returns the name in the API.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Lora(_) => "lora",
            Self::Full => "full",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TargetModules;

    #[test]
    fn a_method_reads_back_as_it_was_written() {
        let lora = TrainingMethod::Lora(LoraOptions {
            rank: 4,
            alpha: 0.1,
            targets: TargetModules::from_names(["q_proj", "v_proj"]).unwrap(),
            rank_stabilised: true,
        });
        for (method, text) in [
            (lora, r#"{"method":"lora","rank":4,"alpha":0.1,"target_modules":["q_proj","v_proj"],"use_rslora":true}"#),
            (TrainingMethod::Full, r#"{"method":"full"}"#),
        ] {
            assert_eq!(serde_json::to_string(&method).unwrap(), text);
            assert_eq!(serde_json::from_str::<TrainingMethod>(text).unwrap(), method);
        }
    }

    #[test]
    fn a_method_without_targets_or_of_another_name_is_rejected() {
        for text in [
            r#"{"method":"lora","rank":4,"alpha":1.0,"target_modules":[],"use_rslora":true}"#,
            r#"{"method":"lora","rank":4,"alpha":1.0,"target_modules":["lm_head"],"use_rslora":true}"#,
            r#"{"method":"dora"}"#,
            "{}",
        ] {
            assert!(serde_json::from_str::<TrainingMethod>(text).is_err(), "{text}");
        }
    }
}
