//! Directories in which other programs find a checkpoint: an adapter, a model with the adapter merged, or GGUF files.
//!
//! | form | files |
//! |---|---|
//! | `peft` | `adapter_config.json`, `adapter_model.safetensors` |
//! | `merged` | `config.json`, safetensors, the files of tokenizer, chat template and sampling defaults |
//! | `gguf` | one GGUF file, which needs no other, and a `Modelfile` for ollama |
//! | `adapter-gguf` | the adapter for llama.cpp, beside the base model's GGUF file, and a `Modelfile` |
//!
//! Each has a model card with the lineage, and the licence of the base model. Two exports have the same bytes: nothing in a file tells
//! when or where it was written.

mod archive;
mod card;
mod modelfile;
mod output;
mod source;
mod vocabulary;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use clap::ValueEnum;
use serde_json::Value;

use crate::engine::export::{ElementType, ExportError, MergedModel, TensorFile, adapter_gguf};
use crate::engine::{Adapter, AdapterError, ComputePool, LoadError, MappedFile, ModelConfig, TrainingMethod};
use crate::model_files::{ModelFiles, ModelFilesError, SEEDLING_FILES, WeightOrigin};
use crate::store::artifacts::ArtifactError;
use crate::store::metadata::StoreError;
use crate::store::records::CheckpointRecord;

pub(crate) use archive::Archive;
pub(crate) use card::Lineage;
pub(crate) use output::{Output, OutputError};

/// Files of a PEFT adapter.
const ADAPTER_CONFIG: &str = "adapter_config.json";
const ADAPTER_WEIGHTS: &str = "adapter_model.safetensors";
/// Files of a base model that a merged one has unchanged, as far as they are there.
const TEXT_FILES: [&str; 9] = [
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "tokenizer.model",
    "chat_template.jinja",
    "generation_config.json",
];
/// Beginnings of the names of files with the terms of a base model, in capitals.
const TERMS: [&str; 5] = ["LICENSE", "LICENCE", "NOTICE", "USE_POLICY", "COPYING"];
/// Terms of the model that is built into the binary: those of the program.
const BUILT_IN_TERMS: (&str, &[u8]) = ("LICENSE", include_bytes!("../../LICENSE"));

/// Form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// An adapter that PEFT and vLLM load beside the base model.
    Peft,
    /// A model in Hugging Face's layout, with the adapter merged into its weights.
    Merged,
    /// The merged model as one GGUF file for llama.cpp, ollama and LM Studio.
    Gguf,
    /// The adapter as a GGUF file that llama.cpp loads beside the base model's.
    AdapterGguf,
}

/// Error of an export.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FormError {
    #[error("step {0} is the base model itself and has no adapter; export it merged or as gguf")]
    NoAdapter(i64),
    #[error("the model was trained in all its weights and has no adapter; export it merged or as gguf")]
    FullTraining,
    #[error("peft has the adapter as it was trained, in f32; leave --weights out")]
    PeftWeights,
    #[error("an adapter for llama.cpp is f32, f16 or bf16, not {0}")]
    AdapterWeights(ElementType),
    #[error(transparent)]
    Files(#[from] ModelFilesError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the checkpoint does not fit the base model: {0}")]
    Adapter(#[from] AdapterError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("the model cannot be a GGUF file: {0}")]
    Tokenizer(#[from] crate::text::TokenizerError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("the manifest of the step cannot be read: {0}")]
    Manifest(#[from] serde_json::Error),
    #[error(
        "the files of {name} are not those that step {step} was trained on: their SHA-256 is {found}, and the manifest has \
         {expected}; start the service with those files again, or export with the command line and --other-base"
    )]
    OtherBase { name: String, step: i64, found: String, expected: String },
    #[error("the export failed: {0}")]
    Failed(String),
    #[error("interrupted; nothing was written")]
    Interrupted,
}

/// Weights of a checkpoint.
#[derive(Debug)]
pub(crate) enum Weights {
    /// The base model's.
    Base,
    /// An adapter: PEFT's files.
    Adapter { config: Bytes, weights: Bytes },
    /// All weights of the model, as safetensors.
    Full(PathBuf),
}

/// A checkpoint to export.
pub(crate) struct Export {
    pub(crate) form: Form,
    /// Element type of the weights; `None` for that of the form.
    pub(crate) element: Option<ElementType>,
    pub(crate) lineage: Lineage,
    pub(crate) weights: Weights,
    /// Files of the base model; `None` if an adapter is exported without them.
    pub(crate) base: Option<ModelFiles>,
    pub(crate) pool: Arc<ComputePool>,
    /// Set to end the export.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Progress of an export: called with the name of a file, its bytes written, and its size.
pub(crate) type OnFile<'a> = dyn FnMut(&str, u64, u64) + 'a;

impl Form {
    /// Returns the element type that weights have unless another is asked for.
    ///
    /// # Errors
    /// The form cannot have the one that is asked for.
    pub(crate) fn element(self, asked: Option<ElementType>) -> Result<ElementType, FormError> {
        match (self, asked) {
            (Self::Peft, None) => Ok(ElementType::F32),
            (Self::Peft, Some(_)) => Err(FormError::PeftWeights),
            (Self::Merged, asked) => {
                let element = asked.unwrap_or(ElementType::Bf16);
                if element.is_quantised() { Err(ExportError::NoSafetensors(element).into()) } else { Ok(element) }
            }
            (Self::Gguf, asked) => Ok(asked.unwrap_or(ElementType::F16)),
            (Self::AdapterGguf, asked) => {
                let element = asked.unwrap_or(ElementType::F16);
                if element.is_quantised() { Err(FormError::AdapterWeights(element)) } else { Ok(element) }
            }
        }
    }

    /// Returns the name, such as `adapter-gguf`.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Checks that a checkpoint has the form.
    ///
    /// # Errors
    /// It has no adapter.
    pub(crate) fn check(self, method: TrainingMethod, checkpoint: &CheckpointRecord) -> Result<(), FormError> {
        match (self.is_adapter(), method) {
            (true, TrainingMethod::Full) => Err(FormError::FullTraining),
            (true, TrainingMethod::Lora(_)) if checkpoint.adapter.is_none() => {
                Err(FormError::NoAdapter(checkpoint.step))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the form has an adapter alone.
    pub(crate) fn is_adapter(self) -> bool {
        matches!(self, Self::Peft | Self::AdapterGguf)
    }

    /// Returns whether the form needs the weights of the base model.
    pub(crate) fn needs_base_weights(self, weights: &Weights) -> bool {
        !self.is_adapter() && !matches!(weights, Weights::Full(_))
    }
}

impl Export {
    /// Writes all files into a directory. Computes for minutes if the model is large. A file with all weights of a checkpoint is
    /// removed.
    ///
    /// # Errors
    /// The checkpoint has no such form, the files of the base model do not fit it, or a file cannot be written.
    pub(crate) fn write(&self, output: &Output, on_file: &mut OnFile<'_>) -> Result<(), FormError> {
        self.write_files(output, on_file)?;
        match &self.weights {
            Weights::Full(path) => {
                let failed = |source| OutputError::Write { path: path.clone(), source };
                Ok(std::fs::remove_file(path).map_err(failed)?)
            }
            Weights::Base | Weights::Adapter { .. } => Ok(()),
        }
    }

    fn write_files(&self, output: &Output, on_file: &mut OnFile<'_>) -> Result<(), FormError> {
        let element = self.form.element(self.element)?;
        let adapter_files = match &self.weights {
            Weights::Adapter { config, weights } => Some((config, weights)),
            Weights::Base if self.form.is_adapter() => return Err(FormError::NoAdapter(self.lineage.step)),
            Weights::Full(_) if self.form.is_adapter() => return Err(FormError::FullTraining),
            Weights::Base | Weights::Full(_) => None,
        };
        output.file("README.md", self.lineage.card(self.form, element).as_bytes())?;
        if let Some(base) = &self.base {
            for (name, content) in terms(&base.origin)? {
                output.file(&name, &content)?;
            }
        }
        if let (Form::Peft, Some((config, weights))) = (self.form, adapter_files) {
            output.file(ADAPTER_CONFIG, config)?;
            return Ok(output.file(ADAPTER_WEIGHTS, weights)?);
        }
        let base = self.base.as_ref().ok_or_else(|| ModelFilesError::NoWeights(PathBuf::new()))?;
        // A checkpoint of all weights is not quantised, whatever the base is.
        let config_json = match self.weights {
            Weights::Full(_) => without_quantisation(&base.config_json),
            _ => base.config_json.clone(),
        };
        let config = ModelConfig::from_json(&config_json).map_err(LoadError::from)?;
        let read = |(config_json, weights): (&Bytes, &Bytes)| Adapter::from_peft(&config, config_json, weights);
        let adapter = adapter_files.map(read).transpose()?;
        if let (Form::AdapterGguf, Some(adapter)) = (self.form, &adapter) {
            let name = self.gguf_name("adapter", element);
            let file = adapter_gguf(name.clone(), &config, adapter, element, self.lineage.metadata())?;
            self.tensors(output, &file, on_file)?;
            return Ok(output.file("Modelfile", modelfile::of_adapter(&name).as_bytes())?);
        }
        let checkpoint;
        let files: Vec<(&str, &[u8])> = match &self.weights {
            Weights::Full(path) => {
                let mapped = MappedFile::open(path).map_err(|source| OutputError::Read { path: path.clone(), source });
                checkpoint = Bytes::from_owner(mapped?);
                vec![("checkpoint", &checkpoint)]
            }
            _ => base.weights.iter().map(|(name, content)| (name.as_str(), &content[..])).collect(),
        };
        let merged = MergedModel::new(&config_json, &files, adapter.as_ref())?;
        if self.form == Form::Gguf {
            let name = self.gguf_name("", element);
            let mut metadata = self.lineage.metadata();
            metadata.extend(vocabulary::metadata(base, config.vocab_size)?);
            self.tensors(output, &merged.gguf(name.clone(), element, metadata)?, on_file)?;
            return Ok(output.file("Modelfile", modelfile::of_model(&name, base)?.as_bytes())?);
        }
        output.file("config.json", &merged.config_json(element)?)?;
        for (name, content) in text_files(base)? {
            output.file(name, &content)?;
        }
        let safetensors = merged.safetensors(element)?;
        for file in &safetensors.files {
            self.tensors(output, file, on_file)?;
        }
        if let Some(index) = &safetensors.index_json {
            output.file("model.safetensors.index.json", index)?;
        }
        Ok(())
    }

    /// Returns the name of a GGUF file, by which programs list it: `agent-step3-f16.gguf`.
    fn gguf_name(&self, kind: &str, element: ElementType) -> String {
        let Lineage { name, step, .. } = &self.lineage;
        let kind = if kind.is_empty() { String::new() } else { format!("-{kind}") };
        format!("{name}-step{step}{kind}-{element}.gguf")
    }

    fn tensors(&self, output: &Output, file: &TensorFile<'_>, on_file: &mut OnFile<'_>) -> Result<(), FormError> {
        let (mut written, total) = (0, file.bytes());
        on_file(file.name(), written, total);
        let mut progress = |bytes| {
            written += bytes;
            on_file(file.name(), written, total);
        };
        let write = |out: &mut dyn Write| {
            let written = file.write(&self.pool, &mut Stopping { out, stop: &self.stop }, &mut progress);
            written.map_err(|error| match error {
                ExportError::Write(source) => output.failed(file.name(), source).into(),
                other => FormError::from(other),
            })
        };
        match output.stream(file.name(), write) {
            Err(_) if self.stop.load(Ordering::Relaxed) => Err(FormError::Interrupted),
            written => written,
        }
    }
}

/// A file whose writing fails when the export is to end.
struct Stopping<'a> {
    out: &'a mut dyn Write,
    stop: &'a AtomicBool,
}

impl Write for Stopping<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(std::io::Error::other("interrupted"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Returns `config.json` of a model whose weights are plain.
fn without_quantisation(config_json: &str) -> String {
    let Ok(Value::Object(mut config)) = serde_json::from_str(config_json) else { return config_json.to_owned() };
    config.remove("quantization_config");
    Value::Object(config).to_string()
}

/// Reads a file of a base model; `None` if it has no such file.
fn base_file(origin: &WeightOrigin, name: &str) -> Result<Option<Bytes>, ModelFilesError> {
    match origin {
        WeightOrigin::BuiltIn => {
            let found = SEEDLING_FILES.iter().find(|(known, _)| *known == name);
            Ok(found.map(|(_, content)| Bytes::from_static(content)))
        }
        origin => origin.directory().map_or(Ok(None), |directory| read_if_there(&directory.join(name))),
    }
}

fn read_if_there(path: &Path) -> Result<Option<Bytes>, ModelFilesError> {
    match std::fs::read(path) {
        Ok(content) => Ok(Some(content.into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ModelFilesError::Read { path: path.to_owned(), source }),
    }
}

/// Returns the files of tokenizer, chat template and sampling defaults.
fn text_files(base: &ModelFiles) -> Result<Vec<(&'static str, Bytes)>, ModelFilesError> {
    let mut files = Vec::new();
    for name in TEXT_FILES {
        files.extend(base_file(&base.origin, name)?.map(|content| (name, content)));
    }
    // Those that the base model has elsewhere.
    let has = |files: &[(&str, Bytes)], name: &str| files.iter().any(|(known, _)| *known == name);
    if !has(&files, "tokenizer.json") {
        files.push(("tokenizer.json", base.tokenizer_json.clone()));
    }
    // Those of a GGUF file are made of its metadata.
    let (special, defaults) = (&base.tokenizer_config, base.generation_config.as_ref());
    for (name, value) in [("tokenizer_config.json", Some(special)), ("generation_config.json", defaults)] {
        let value = value.filter(|value| value.as_object().is_some_and(|object| !object.is_empty()));
        if let Some(value) = value.filter(|_| !has(&files, name)) {
            files.push((name, Bytes::from(value.to_string())));
        }
    }
    if let Some(template) = &base.chat_template
        && !has(&files, "chat_template.jinja")
        && base.tokenizer_config["chat_template"].is_null()
    {
        files.push(("chat_template.jinja", Bytes::from(template.clone())));
    }
    Ok(files)
}

/// Returns the files with the terms of a base model, in the order of their names.
fn terms(origin: &WeightOrigin) -> Result<Vec<(String, Bytes)>, ModelFilesError> {
    let Some(directory) = origin.directory() else {
        let (name, content) = BUILT_IN_TERMS;
        return Ok(vec![(name.to_owned(), Bytes::from_static(content))]);
    };
    let failed = |source| ModelFilesError::Read { path: directory.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_file() && TERMS.iter().any(|term| name.to_uppercase().starts_with(term)) {
            files.extend(read_if_there(&path)?.map(|content| (name.to_owned(), content)));
        }
    }
    files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    Ok(files)
}
