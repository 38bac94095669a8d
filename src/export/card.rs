//! The model card of an export: what it is, and how it was made.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::Form;
use crate::engine::export::{ElementType, MetadataValue};
use crate::store::records::{Manifest, ManifestRecord};

/// Origin of an exported checkpoint.
#[derive(Debug)]
pub(crate) struct Lineage {
    /// Project of the model.
    pub(crate) project: String,
    /// Name of the model within the project.
    pub(crate) name: String,
    pub(crate) step: i64,
    pub(crate) base_model: String,
    /// Metrics of the step.
    pub(crate) metrics: BTreeMap<String, f64>,
    /// The manifest of the step with its hash; `None` for steps from before the introduction of manifests.
    pub(crate) manifest: Option<(ManifestRecord, Manifest)>,
}

impl Lineage {
    /// Returns the metadata of a GGUF file that tells its origin.
    pub(super) fn metadata(&self) -> Vec<(String, MetadataValue)> {
        let base_model = &self.base_model;
        let text = |text: &str| MetadataValue::Text(text.to_owned());
        let (organization, base) = base_model.split_once('/').unwrap_or(("", base_model));
        let mut all = vec![
            ("general.name", text(&self.title())),
            ("general.base_model.count", MetadataValue::U32(1)),
            ("general.base_model.0.name", text(base)),
            ("general.base_model.0.organization", text(organization)),
        ];
        if let Some((record, _)) = &self.manifest {
            all.push(("trainyard.manifest_sha256", text(&record.sha256)));
        }
        all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Returns the name of a GGUF file's model. llama.cpp takes the tokenizer for one of Phi-3 by this name, so it must have that of
    /// the base model, and nothing else may seem to.
    fn title(&self) -> String {
        let Self { project, name, step, base_model, .. } = self;
        let seems_phi = |text: &str| ["phi3", "phi-3"].iter().any(|part| text.to_lowercase().contains(*part));
        let named = format!("{project}/{name}");
        match seems_phi(&named) && !seems_phi(base_model) {
            true => format!("step {step} of {base_model}"),
            false => format!("{named} step {step} of {base_model}"),
        }
    }

    /// Returns the model card, in Markdown with the fields that hubs read.
    pub(super) fn card(&self, form: Form, element: ElementType) -> String {
        let Self { project, name, step, base_model, metrics, manifest } = self;
        let (library, relation) = match form {
            Form::Peft => ("peft", "adapter"),
            Form::Merged => ("transformers", "finetune"),
            Form::Gguf => ("gguf", "finetune"),
            Form::AdapterGguf => ("gguf", "adapter"),
        };
        let weights = match form {
            Form::Peft | Form::AdapterGguf => format!("LoRA adapter for {base_model}, {element}"),
            Form::Merged | Form::Gguf => format!("all weights, {element}"),
        };
        let mut text = format!(
            "---\nbase_model: {base}\nbase_model_relation: {relation}\nlibrary_name: {library}\n\
             pipeline_tag: text-generation\ntags:\n- trainyard\n---\n\n# {project}/{name}, step {step}\n\n\
             Exported by Trainyard {version}. The terms of the base model apply.\n\n| | |\n|---|---|\n",
            base = json!(base_model),
            version = env!("CARGO_PKG_VERSION"),
        );
        let mut row = |name: &str, value: &str| {
            if !value.is_empty() {
                // Writing to a text cannot fail.
                let _ = writeln!(text, "| {name} | {} |", value.replace('|', "\\|"));
            }
        };
        row("Weights", &weights);
        row("Base model", base_model);
        if let Some((record, manifest)) = manifest {
            row("SHA-256 of the base model's files", &manifest.base_model.sha256);
            row("Training method", manifest.training_method.name());
            if let Some(parent) = &manifest.parent {
                row("Parent", &format!("step {} of model {}", parent.step, parent.model_id));
            }
            if let Some(files) = &manifest.files {
                row("SHA-256 of the checkpoint's configuration", &files.config);
                row("SHA-256 of the checkpoint's weights", &files.weights);
            }
            if let Some(training) = &manifest.training {
                row("Job", &format!("{} ({})", training.job_id, training.kind));
                row("SHA-256 of the training data", training.data_sha256.as_deref().unwrap_or_default());
            }
            row("Trained by", &format!("Trainyard {}", manifest.program.version));
            row("SHA-256 of the manifest", &record.sha256);
        }
        for (name, value) in metrics {
            row(name, &value.to_string());
        }
        let options = manifest.as_ref().and_then(|(_, manifest)| manifest.training.as_ref());
        if let Some(options) = options.map(|training| &training.config).filter(|options| **options != Value::Null) {
            let _ = write!(text, "\n## Options of the training\n\n```json\n{options:#}\n```\n");
        }
        text
    }
}
