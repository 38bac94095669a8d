//! The files of a base model in Hugging Face's layout, from a directory, from the hub, or built into the binary.
//!
//! | file | use |
//! |---|---|
//! | `config.json` | shape of the model |
//! | `model.safetensors`, or `model.safetensors.index.json` and its shards, or one GGUF file | weights |
//! | `tokenizer.json` | vocabulary |
//! | `chat_template.jinja`, or `chat_template` in `tokenizer_config.json` | chat template |
//! | `tokenizer_config.json` (optional) | spelling of the special tokens |
//! | `generation_config.json` (optional) | tokens that end a turn, and the sampling defaults ([`GenerationDefaults`]) |

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::engine::MappedFile;
use crate::text::{ChatTemplate, TemplateError, Tokenizer, TokenizerError};

mod generation;
mod hub;

pub(crate) use generation::GenerationDefaults;
pub(crate) use hub::{HubError, HubProgress, from_hub};

/// Name of the model that is built into the binary.
pub(crate) const SEEDLING: &str = "trainyard/seedling";

const CONFIG: &str = "config.json";
const GENERATION_CONFIG: &str = "generation_config.json";
const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
const CHAT_TEMPLATE: &str = "chat_template.jinja";
const WEIGHTS: &str = "model.safetensors";
const WEIGHTS_INDEX: &str = "model.safetensors.index.json";

/// Error of model files that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ModelFilesError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: neither {WEIGHTS} nor {WEIGHTS_INDEX} nor a .gguf file is there", .0.display())]
    NoWeights(PathBuf),
    #[error("{}: there are several .gguf files: {}; keep one", directory.display(), files.join(", "))]
    SeveralWeights { directory: PathBuf, files: Vec<String> },
    #[error("{model}: {file}: {field}: {reason}")]
    Field { model: String, file: &'static str, field: &'static str, reason: String },
    #[error("{0}: no chat template: add {CHAT_TEMPLATE}, or `chat_template` to {TOKENIZER_CONFIG}")]
    NoChatTemplate(String),
    #[error("{model}: {source}")]
    Template { model: String, source: TemplateError },
    #[error("{model}: {source}")]
    Tokenizer { model: String, source: TokenizerError },
}

/// A model's files in memory.
#[derive(Debug, Clone)]
pub struct ModelFiles {
    /// Name under which the model is served, `organization/name`.
    pub name: String,
    /// `config.json`.
    pub config_json: String,
    /// `generation_config.json`.
    pub generation_config: Option<Value>,
    /// `tokenizer.json`.
    pub tokenizer_json: Bytes,
    /// `tokenizer_config.json`; an empty object if there is none.
    pub tokenizer_config: Value,
    /// The chat template's source.
    pub chat_template: String,
    /// Name and content of each weight file; none if they were not asked for.
    pub weights: Vec<(String, Bytes)>,
    /// Location of the weight files.
    pub origin: WeightOrigin,
}

/// Location from which a model's weight files can be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeightOrigin {
    /// The binary.
    BuiltIn,
    /// A directory.
    Directory(PathBuf),
}

impl WeightOrigin {
    /// Returns the time of the last change of each weight file of the model `name`; nothing if they cannot be found.
    pub(crate) fn modified(&self, name: &str) -> Vec<SystemTime> {
        let Self::Directory(directory) = self else { return Vec::new() };
        let modified = |file: &String| std::fs::metadata(directory.join(file)).and_then(|file| file.modified()).ok();
        weight_files(name, directory).unwrap_or_default().iter().filter_map(modified).collect()
    }

    /// Returns the name and content of each weight file of the model `name`. Those of a directory are mapped into memory.
    ///
    /// # Errors
    /// Returns an error if a file is missing or unreadable. The message names it.
    pub fn read(&self, name: &str) -> Result<Vec<(String, Bytes)>, ModelFilesError> {
        let directory = match self {
            Self::BuiltIn => {
                let weights = Bytes::from_static(include_bytes!("../../assets/seedling/model.safetensors"));
                return Ok(vec![(WEIGHTS.to_owned(), weights)]);
            }
            Self::Directory(directory) => directory,
        };
        let mut weights = Vec::new();
        for file in weight_files(name, directory)? {
            let path = directory.join(&file);
            // Some file systems map no files.
            let content =
                MappedFile::open(&path).map(Bytes::from_owner).or_else(|_| std::fs::read(&path).map(Bytes::from));
            weights.push((file, content.map_err(|source| ModelFilesError::Read { path, source })?));
        }
        Ok(weights)
    }
}

/// Name and content of each file of the model that is built into the binary.
pub(crate) const SEEDLING_FILES: [(&str, &[u8]); 6] = [
    ("config.json", include_bytes!("../../assets/seedling/config.json")),
    ("generation_config.json", include_bytes!("../../assets/seedling/generation_config.json")),
    ("tokenizer_config.json", include_bytes!("../../assets/seedling/tokenizer_config.json")),
    ("chat_template.jinja", include_bytes!("../../assets/seedling/chat_template.jinja")),
    ("tokenizer.json", include_bytes!("../../assets/seedling/tokenizer.json")),
    (WEIGHTS, include_bytes!("../../assets/seedling/model.safetensors")),
];

impl ModelFiles {
    /// Returns the model that is built into the binary.
    ///
    /// # Errors
    /// Returns an error only if the binary was built from invalid assets. A test verifies that they are valid.
    pub fn seedling() -> Result<Self, ModelFilesError> {
        let parts = Parts {
            config: include_str!("../../assets/seedling/config.json").to_owned(),
            generation_config: Some(include_str!("../../assets/seedling/generation_config.json").to_owned()),
            tokenizer_config: Some(include_str!("../../assets/seedling/tokenizer_config.json").to_owned()),
            chat_template: Some(include_str!("../../assets/seedling/chat_template.jinja").to_owned()),
            tokenizer: Bytes::from_static(include_bytes!("../../assets/seedling/tokenizer.json")),
        };
        let files = Self::from_parts(SEEDLING, parts, WeightOrigin::BuiltIn)?;
        Ok(Self { weights: files.origin.read(SEEDLING)?, ..files })
    }

    /// Reads a model from a directory. `name` is the name under which the model will be served.
    ///
    /// # Errors
    /// Returns an error if a file is missing, unreadable or invalid. The message names it.
    pub fn from_directory(name: &str, directory: &Path) -> Result<Self, ModelFilesError> {
        let files = Self::without_weights(name, directory)?;
        Ok(Self { weights: files.origin.read(name)?, ..files })
    }

    /// Reads the files of a directory but the weights, which need not be there; see [`Self::from_directory`].
    ///
    /// # Errors
    /// Returns an error if a file is missing, unreadable or invalid. The message names it.
    pub fn without_weights(name: &str, directory: &Path) -> Result<Self, ModelFilesError> {
        let text = |file: &str| -> Result<String, ModelFilesError> {
            let path = directory.join(file);
            std::fs::read_to_string(&path).map_err(|source| ModelFilesError::Read { path, source })
        };
        let optional = |file: &str| match text(file) {
            Err(ModelFilesError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        };
        let parts = Parts {
            config: text(CONFIG)?,
            generation_config: optional(GENERATION_CONFIG)?,
            tokenizer_config: optional(TOKENIZER_CONFIG)?,
            chat_template: optional(CHAT_TEMPLATE)?,
            tokenizer: text(TOKENIZER)?.into(),
        };
        Self::from_parts(name, parts, WeightOrigin::Directory(directory.to_owned()))
    }

    fn from_parts(name: &str, parts: Parts, origin: WeightOrigin) -> Result<Self, ModelFilesError> {
        let json = |file: &'static str, text: String| {
            serde_json::from_str::<Value>(&text).map_err(|error| ModelFilesError::Field {
                model: name.to_owned(),
                file,
                field: "document",
                reason: error.to_string(),
            })
        };
        let tokenizer_config = match parts.tokenizer_config {
            Some(text) => json(TOKENIZER_CONFIG, text)?,
            None => Value::Object(serde_json::Map::new()),
        };
        let generation_config = parts.generation_config.map(|text| json(GENERATION_CONFIG, text)).transpose()?;
        let chat_template = parts
            .chat_template
            .or_else(|| embedded_template(&tokenizer_config))
            .ok_or_else(|| ModelFilesError::NoChatTemplate(name.to_owned()))?;
        Ok(Self {
            name: name.to_owned(),
            config_json: parts.config,
            generation_config,
            tokenizer_json: parts.tokenizer,
            tokenizer_config,
            chat_template,
            weights: Vec::new(),
            origin,
        })
    }

    /// Returns the SHA-256 of all files that determine the model's output, in hexadecimal. Slow for large weights.
    pub fn sha256(&self) -> String {
        let texts = [
            (CONFIG, self.config_json.as_bytes()),
            (GENERATION_CONFIG, &json_bytes(&self.generation_config)),
            (TOKENIZER, &self.tokenizer_json),
            (TOKENIZER_CONFIG, &json_bytes(&self.tokenizer_config)),
            (CHAT_TEMPLATE, self.chat_template.as_bytes()),
        ];
        let weights = self.weights.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref()));
        let mut hash = Sha256::new();
        for (name, bytes) in texts.into_iter().chain(weights) {
            hash.update(format!("{name}\n{}\n", hex::encode(Sha256::digest(bytes))));
        }
        hex::encode(hash.finalize())
    }

    /// Builds the tokenizer.
    ///
    /// # Errors
    /// Returns an error if `tokenizer.json` is not a supported tokenizer.
    pub fn tokenizer(&self) -> Result<Tokenizer, ModelFilesError> {
        let config: Value = serde_json::from_str(&self.config_json).unwrap_or_default();
        let vocabulary = config["vocab_size"].as_u64().map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let tokenizer = match vocabulary {
            Some(vocabulary) => Tokenizer::for_vocabulary(&self.tokenizer_json, vocabulary),
            None => Tokenizer::from_bytes(&self.tokenizer_json),
        };
        tokenizer.map_err(|source| ModelFilesError::Tokenizer { model: self.name.clone(), source })
    }

    /// Compiles the chat template.
    ///
    /// # Errors
    /// Returns an error if the template is invalid.
    pub fn template(&self) -> Result<ChatTemplate, ModelFilesError> {
        let tokens = ["bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token"];
        let special: Vec<(String, String)> =
            tokens.iter().filter_map(|&name| Some((name.to_owned(), self.special_token(name)?))).collect();
        // A list of templates may contain one for conversations with tools, besides the default.
        let listed = embedded_template(&self.tokenizer_config).as_ref() == Some(&self.chat_template);
        let tool_use = self.tokenizer_config["chat_template"].as_array().filter(|_| listed).and_then(|named| {
            named.iter().find(|entry| entry["name"] == "tool_use").and_then(|entry| entry["template"].as_str())
        });
        ChatTemplate::with_clock(&self.chat_template, tool_use, &special, Arc::new(SystemTime::now))
            .map_err(|source| ModelFilesError::Template { model: self.name.clone(), source })
    }

    /// Returns the tokens that end a turn, in ascending order: `eos_token_id` of `generation_config.json` and the
    /// tokenizer's `eos_token`. If there is neither, returns `eos_token_id` of `config.json`.
    ///
    /// # Errors
    /// Returns an error if no file names such a token, or one is outside the vocabulary.
    pub fn end_of_turn(&self, tokenizer: &Tokenizer) -> Result<Vec<u32>, ModelFilesError> {
        let fault =
            |file, field, reason: String| ModelFilesError::Field { model: self.name.clone(), file, field, reason };
        let mut ids = BTreeSet::new();
        if let Some(value) = self.generation_config.as_ref().map(|config| &config["eos_token_id"]) {
            ids.extend(token_ids(value).ok_or_else(|| fault(GENERATION_CONFIG, "eos_token_id", value.to_string()))?);
        }
        if let Some(text) = self.special_token("eos_token") {
            let id = tokenizer.token_to_id(&text);
            ids.insert(id.ok_or_else(|| fault(TOKENIZER_CONFIG, "eos_token", format!("{text:?} is no token")))?);
        }
        if ids.is_empty() {
            let config: Value = serde_json::from_str(&self.config_json)
                .map_err(|error| fault(CONFIG, "document", error.to_string()))?;
            let value = &config["eos_token_id"];
            ids.extend(token_ids(value).ok_or_else(|| fault(CONFIG, "eos_token_id", value.to_string()))?);
        }
        if ids.is_empty() {
            return Err(fault(GENERATION_CONFIG, "eos_token_id", "no token that ends a turn is named".to_owned()));
        }
        Ok(ids.into_iter().collect())
    }

    /// Returns the sampling defaults that the model's author recommends.
    ///
    /// # Errors
    /// Returns an error if a setting of `generation_config.json` is invalid. The message names it.
    pub fn generation_defaults(&self) -> Result<GenerationDefaults, ModelFilesError> {
        let Some(config) = &self.generation_config else { return Ok(GenerationDefaults::default()) };
        GenerationDefaults::read(config).map_err(|(field, reason)| ModelFilesError::Field {
            model: self.name.clone(),
            file: GENERATION_CONFIG,
            field,
            reason,
        })
    }

    /// Returns the spelling of a special token in `tokenizer_config.json`: text, or an object with `content`.
    fn special_token(&self, name: &str) -> Option<String> {
        let value = &self.tokenizer_config[name];
        value.as_str().or_else(|| value["content"].as_str()).map(str::to_owned)
    }
}

/// The small files, unparsed.
struct Parts {
    config: String,
    generation_config: Option<String>,
    tokenizer_config: Option<String>,
    chat_template: Option<String>,
    tokenizer: Bytes,
}

/// Parses `eos_token_id`: a number, a list, or null. Returns `None` for anything else.
fn token_ids(value: &Value) -> Option<Vec<u32>> {
    let one = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
    match value {
        Value::Null => Some(Vec::new()),
        Value::Array(items) => items.iter().map(one).collect(),
        other => Some(vec![one(other)?]),
    }
}

/// Serializes a JSON value.
fn json_bytes(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("a JSON value can be written")
}

/// Returns the template in `tokenizer_config.json`: text, or the `default` entry of a list of named templates.
fn embedded_template(tokenizer_config: &Value) -> Option<String> {
    match &tokenizer_config["chat_template"] {
        Value::String(text) => Some(text.clone()),
        Value::Array(named) => named
            .iter()
            .find(|entry| entry["name"] == "default")
            .and_then(|entry| entry["template"].as_str())
            .map(str::to_owned),
        _ => None,
    }
}

/// Returns the names of the weight files, in order.
fn weight_files(model: &str, directory: &Path) -> Result<Vec<String>, ModelFilesError> {
    if directory.join(WEIGHTS).is_file() {
        return Ok(vec![WEIGHTS.to_owned()]);
    }
    let path = directory.join(WEIGHTS_INDEX);
    if !path.is_file() {
        return gguf_file(directory).map(|file| vec![file]);
    }
    let fault = |reason: String| ModelFilesError::Field {
        model: model.to_owned(),
        file: WEIGHTS_INDEX,
        field: "weight_map",
        reason,
    };
    let text = std::fs::read_to_string(&path).map_err(|source| ModelFilesError::Read { path, source })?;
    let index: Value = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
    let map = index["weight_map"].as_object().ok_or_else(|| fault("it is not an object".to_owned()))?;
    let mut files = BTreeSet::new();
    for (tensor, file) in map {
        let file = file.as_str().ok_or_else(|| fault(format!("{tensor:?} is not in a file: {file}")))?;
        // The index is untrusted: it must not refer to files outside the directory.
        if Path::new(file).file_name().is_none_or(|name| name != file) || !file.ends_with(".safetensors") {
            return Err(fault(format!("{tensor:?} is in {file:?}, which is no safetensors file of this directory")));
        }
        files.insert(file.to_owned());
    }
    if files.is_empty() {
        return Err(fault("it is empty".to_owned()));
    }
    Ok(files.into_iter().collect())
}

/// Returns the name of the only GGUF file of a directory.
fn gguf_file(directory: &Path) -> Result<String, ModelFilesError> {
    let read = |source| ModelFilesError::Read { path: directory.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(read)? {
        let name = entry.map_err(read)?.file_name();
        files.extend(name.to_str().filter(|name| name.ends_with(".gguf")).map(str::to_owned));
    }
    files.sort();
    match files.len() {
        0 => Err(ModelFilesError::NoWeights(directory.to_owned())),
        1 => Ok(files.remove(0)),
        _ => Err(ModelFilesError::SeveralWeights { directory: directory.to_owned(), files }),
    }
}

#[cfg(test)]
pub(crate) mod tests;
