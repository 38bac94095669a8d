//! The files of a base model in Hugging Face's layout, from a directory, from the hub, or built into the binary; or a GGUF file alone.
//!
//! | file | use |
//! |---|---|
//! | `config.json` | shape of the model |
//! | `model.safetensors`, or `model.safetensors.index.json` and its shards, or one GGUF file, perhaps in parts | weights |
//! | `tokenizer.json` | vocabulary |
//! | `chat_template.jinja`, or `chat_template` in `tokenizer_config.json` or in `chat_template.json` | chat template |
//! | `tokenizer_config.json` (optional) | spelling of the special tokens |
//! | `generation_config.json` (optional) | tokens that end a turn, and the sampling defaults ([`GenerationDefaults`]) |
//!
//! A file that is not there is made of the metadata of a GGUF file ([`gguf`]). Without a chat template a model completes texts and
//! does not chat.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::engine::{ConfigError, MappedFile, decoder_config};
use crate::text::{ChatTemplate, TemplateError, Tokenizer, TokenizerError};

mod generation;
mod gguf;
mod hub;
mod place;

use gguf::{GgufModel, Settings};
use place::Place;

pub(crate) use generation::GenerationDefaults;
pub(crate) use gguf::GgufFileError;
pub(crate) use hub::{HubError, HubModel, HubProgress, from_cache, from_hub};
pub(crate) use place::parent;

/// Name of the model that is built into the binary.
pub(crate) const SEEDLING: &str = "trainyard/seedling";

const CONFIG: &str = "config.json";
const GENERATION_CONFIG: &str = "generation_config.json";
const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
const CHAT_TEMPLATE: &str = "chat_template.jinja";
/// Where older models that also see have it.
const CHAT_TEMPLATE_JSON: &str = "chat_template.json";
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
    #[error(
        "{}: there are several .gguf files: {}; name one, as in --base-model NAME={}",
        directory.display(), files.join(", "), directory.join(&files[0]).display()
    )]
    SeveralWeights { directory: PathBuf, files: Vec<String> },
    #[error("{model}: {file}: {field}: {reason}")]
    Field { model: String, file: &'static str, field: &'static str, reason: String },
    #[error("{}: {reason}", path.display())]
    Place { path: PathBuf, reason: String },
    #[error("{}: {source}", path.display())]
    Gguf { path: PathBuf, source: GgufFileError },
    #[error(
        "{}: no {TOKENIZER} is there, and the weights are not in GGUF, which has one; fetch it: hf download {hub} {TOKENIZER} \
         {TOKENIZER_CONFIG} --local-dir {}",
        directory.display(), directory.display()
    )]
    NoTokenizer { directory: PathBuf, hub: String },
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
    /// The chat template's source; `None` if the model has none.
    pub chat_template: Option<String>,
    /// Name and content of each weight file; none if they were not asked for.
    pub weights: Vec<(String, Bytes)>,
    /// Location of the weight files.
    pub origin: WeightOrigin,
    made: Made,
}

/// Small files that are absent, or were made of the metadata of a GGUF file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Made {
    config: bool,
    generation_config: bool,
    tokenizer: bool,
    tokenizer_config: bool,
    chat_template: bool,
}

/// Location from which a model's weight files can be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeightOrigin {
    /// The binary.
    BuiltIn,
    /// A directory.
    Directory(PathBuf),
    /// A GGUF file, or one part of it.
    Gguf(PathBuf),
}

impl WeightOrigin {
    /// Returns the time of the last change of each weight file of the model `name`; nothing if they cannot be found.
    pub(crate) fn modified(&self, name: &str) -> Vec<SystemTime> {
        let Some(place) = self.place() else { return Vec::new() };
        let modified =
            |file: &String| std::fs::metadata(place.directory.join(file)).and_then(|file| file.modified()).ok();
        place.weight_files(name).unwrap_or_default().iter().filter_map(modified).collect()
    }

    /// Returns the name and content of each weight file of the model `name`. Those of a directory are mapped into memory.
    ///
    /// # Errors
    /// Returns an error if a file is missing or unreadable. The message names it.
    pub fn read(&self, name: &str) -> Result<Vec<(String, Bytes)>, ModelFilesError> {
        let Some(place) = self.place() else {
            let weights = Bytes::from_static(include_bytes!("../../assets/seedling/model.safetensors"));
            return Ok(vec![(WEIGHTS.to_owned(), weights)]);
        };
        place.weight_files(name)?.into_iter().map(|file| read_large(&place.directory, file)).collect()
    }

    /// Reads the files of the model `name` again.
    ///
    /// # Errors
    /// Returns an error if a file is missing, unreadable or invalid. The message names it.
    pub(crate) fn files(&self, name: &str, with_weights: bool) -> Result<ModelFiles, ModelFilesError> {
        match self {
            Self::BuiltIn => ModelFiles::seedling(),
            Self::Directory(path) | Self::Gguf(path) if with_weights => ModelFiles::from_path(name, path),
            Self::Directory(path) | Self::Gguf(path) => ModelFiles::without_weights(name, path),
        }
    }

    /// Returns the directory of the files; `None` if they are in the binary.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match self {
            Self::BuiltIn => None,
            Self::Directory(directory) => Some(directory),
            Self::Gguf(path) => Some(parent(path)),
        }
    }

    fn place(&self) -> Option<Place> {
        match self {
            Self::BuiltIn => None,
            Self::Directory(directory) => Some(Place { directory: directory.clone(), file: None }),
            Self::Gguf(path) => Some(Place {
                directory: parent(path).to_owned(),
                file: path.file_name().map(|file| file.to_string_lossy().into_owned()),
            }),
        }
    }
}

/// Returns the name and content of a file, which is mapped into memory.
fn read_large(directory: &Path, file: String) -> Result<(String, Bytes), ModelFilesError> {
    let path = directory.join(&file);
    // Some file systems map no files.
    let content = MappedFile::open(&path).map(Bytes::from_owner).or_else(|_| std::fs::read(&path).map(Bytes::from));
    Ok((file, content.map_err(|source| ModelFilesError::Read { path, source })?))
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
            config: File::there(include_str!("../../assets/seedling/config.json").to_owned()),
            generation_config: Some(include_str!("../../assets/seedling/generation_config.json").to_owned()),
            tokenizer_config: Some(include_str!("../../assets/seedling/tokenizer_config.json").to_owned()),
            chat_template: Some(include_str!("../../assets/seedling/chat_template.jinja").to_owned()),
            chat_template_json: None,
            tokenizer: File::there(Bytes::from_static(include_bytes!("../../assets/seedling/tokenizer.json"))),
            settings: None,
        };
        let files = Self::from_parts(SEEDLING, parts, WeightOrigin::BuiltIn)?;
        Ok(Self { weights: files.origin.read(SEEDLING)?, ..files })
    }

    /// Reads a model from a directory or a GGUF file. `name` is the name under which the model will be served.
    ///
    /// # Errors
    /// Returns an error if a file is missing, unreadable or invalid. The message names it.
    pub fn from_path(name: &str, path: &Path) -> Result<Self, ModelFilesError> {
        let files = Self::without_weights(name, path)?;
        Ok(Self { weights: files.origin.read(name)?, ..files })
    }

    /// Reads the files of a model but the weights, which need not be there unless other files are made of them; see
    /// [`Self::from_path`].
    ///
    /// # Errors
    /// Returns an error if a file is missing, unreadable or invalid. The message names it.
    pub fn without_weights(name: &str, path: &Path) -> Result<Self, ModelFilesError> {
        let place = Place::find(name, path)?;
        let directory = place.directory.as_path();
        let optional = |file: &str| -> Result<Option<String>, ModelFilesError> {
            let path = directory.join(file);
            match std::fs::read_to_string(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                other => other.map(Some).map_err(|source| ModelFilesError::Read { path, source }),
            }
        };
        let (config, tokenizer) = (optional(CONFIG)?, optional(TOKENIZER)?);
        let gguf = match place.gguf_files() {
            Ok(files) => files,
            // A complete directory is read without its weights.
            Err(_) if config.is_some() && tokenizer.is_some() => None,
            Err(error) => return Err(error),
        };
        let gguf = gguf.unwrap_or_default().into_iter().map(|file| read_large(directory, file));
        let gguf = gguf.collect::<Result<Vec<_>, _>>()?;
        let fault = |(index, source): (usize, GgufFileError)| ModelFilesError::Gguf {
            path: directory.join(gguf.get(index).map_or("", |(file, _)| file.as_str())),
            source,
        };
        let model = match (gguf.is_empty(), config.is_some() && tokenizer.is_some()) {
            (true, _) => None,
            // The loader of the weights says what is wrong with them.
            (false, true) => GgufModel::read(&gguf).ok(),
            (false, false) => Some(GgufModel::read(&gguf).map_err(fault)?),
        };
        let config = match (config, &model) {
            (Some(config), _) => File::there(config),
            (None, Some(model)) => File::made(model.config().map_err(|error| fault((0, error)))?),
            (None, None) => return Err(place.no_model(name)),
        };
        let tokenizer = match (tokenizer, &model) {
            (Some(tokenizer), _) => File::there(tokenizer.into()),
            (None, Some(model)) => File::made(model.tokenizer(name, directory).map_err(|error| fault((0, error)))?),
            (None, None) => {
                let hub = place::hub_name(name).to_owned();
                return Err(ModelFilesError::NoTokenizer { directory: directory.to_owned(), hub });
            }
        };
        let settings =
            model.as_ref().map(GgufModel::settings).transpose().map_err(|error| fault((0, error)))?.flatten();
        let parts = Parts {
            config,
            generation_config: optional(GENERATION_CONFIG)?,
            tokenizer_config: optional(TOKENIZER_CONFIG)?,
            chat_template: optional(CHAT_TEMPLATE)?,
            chat_template_json: optional(CHAT_TEMPLATE_JSON)?,
            tokenizer,
            settings,
        };
        let origin = match place.file {
            Some(_) => WeightOrigin::Gguf(path.to_owned()),
            None => WeightOrigin::Directory(path.to_owned()),
        };
        Self::from_parts(name, parts, origin)
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
        let Settings { tokenizer_config: special, generation_config: ends } =
            parts.settings.unwrap_or(Settings { tokenizer_config: empty_object(), generation_config: Value::Null });
        let tokenizer_config = parts.tokenizer_config.map(|text| json(TOKENIZER_CONFIG, text)).transpose()?;
        let generation_config = parts.generation_config.map(|text| json(GENERATION_CONFIG, text)).transpose()?;
        let template_json = parts.chat_template_json.map(|text| json(CHAT_TEMPLATE_JSON, text)).transpose()?;
        let embedded = || [&tokenizer_config, &template_json].into_iter().flatten().find_map(embedded_template);
        let chat_template = parts.chat_template.or_else(embedded);
        let made = Made {
            config: parts.config.is_made,
            generation_config: generation_config.is_none(),
            tokenizer: parts.tokenizer.is_made,
            tokenizer_config: tokenizer_config.is_none(),
            chat_template: chat_template.is_none(),
        };
        let chat_template = chat_template.or_else(|| embedded_template(&special));
        let tokenizer_config = tokenizer_config.unwrap_or(special);
        Ok(Self {
            name: name.to_owned(),
            config_json: parts.config.content,
            generation_config: generation_config.or(Some(ends).filter(|ends| !ends.is_null())),
            tokenizer_json: parts.tokenizer.content,
            tokenizer_config,
            chat_template,
            weights: Vec::new(),
            origin,
            made,
        })
    }

    /// Returns the SHA-256 of all files that determine the model's output, in hexadecimal. Slow for large weights. Files that were
    /// made of others count as absent, so that the hash is that of files alone.
    pub fn sha256(&self) -> String {
        let Made { config, generation_config, tokenizer, tokenizer_config, chat_template } = self.made;
        let none = (json_bytes(&Value::Null), json_bytes(&empty_object()));
        let (generation, special) = (json_bytes(&self.generation_config), json_bytes(&self.tokenizer_config));
        let template = self.chat_template.as_deref().unwrap_or_default();
        let texts: [(&str, &[u8]); 5] = [
            (CONFIG, if config { &[] } else { self.config_json.as_bytes() }),
            (GENERATION_CONFIG, if generation_config { &none.0 } else { &generation }),
            (TOKENIZER, if tokenizer { &[] } else { &self.tokenizer_json }),
            (TOKENIZER_CONFIG, if tokenizer_config { &none.1 } else { &special }),
            (CHAT_TEMPLATE, if chat_template { &[] } else { template.as_bytes() }),
        ];
        let weights = self.weights.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref()));
        let mut hash = Sha256::new();
        for (name, bytes) in texts.into_iter().chain(weights) {
            hash.update(format!("{name}\n{}\n", hex::encode(Sha256::digest(bytes))));
        }
        hex::encode(hash.finalize())
    }

    /// Returns `config.json` of the decoder.
    fn config(&self) -> Result<Value, ConfigError> {
        let document: Value = serde_json::from_str(&self.config_json)?;
        Ok(decoder_config(&document)?.unwrap_or(document))
    }

    /// Builds the tokenizer.
    ///
    /// # Errors
    /// Returns an error if `tokenizer.json` is not a supported tokenizer.
    pub fn tokenizer(&self) -> Result<Tokenizer, ModelFilesError> {
        let vocabulary = self.config().unwrap_or_default()["vocab_size"]
            .as_u64()
            .map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let tokenizer = match vocabulary {
            Some(vocabulary) => Tokenizer::for_vocabulary(&self.tokenizer_json, vocabulary),
            None => Tokenizer::from_bytes(&self.tokenizer_json),
        };
        tokenizer.map_err(|source| ModelFilesError::Tokenizer { model: self.name.clone(), source })
    }

    /// Compiles the chat template. That of a model without one rejects every conversation.
    ///
    /// # Errors
    /// Returns an error if the template is invalid.
    pub fn template(&self) -> Result<ChatTemplate, ModelFilesError> {
        let fault = |source| ModelFilesError::Template { model: self.name.clone(), source };
        let Some(template) = &self.chat_template else { return ChatTemplate::missing().map_err(fault) };
        let tokens = ["bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token"];
        let special: Vec<(String, String)> =
            tokens.iter().filter_map(|&name| Some((name.to_owned(), self.special_token(name)?))).collect();
        // A list of templates may contain one for conversations with tools, besides the default.
        let listed = embedded_template(&self.tokenizer_config).as_ref() == Some(template);
        let tool_use = self.tokenizer_config["chat_template"].as_array().filter(|_| listed).and_then(|named| {
            named.iter().find(|entry| entry["name"] == "tool_use").and_then(|entry| entry["template"].as_str())
        });
        ChatTemplate::with_clock(template, tool_use, &special, Arc::new(SystemTime::now)).map_err(fault)
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
            let config = self.config().map_err(|error| fault(CONFIG, "document", error.to_string()))?;
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
    pub(crate) fn special_token(&self, name: &str) -> Option<String> {
        let value = &self.tokenizer_config[name];
        value.as_str().or_else(|| value["content"].as_str()).map(str::to_owned)
    }
}

/// A file's content.
struct File<T> {
    content: T,
    /// Whether it was made of the metadata of a GGUF file.
    is_made: bool,
}

impl<T> File<T> {
    fn there(content: T) -> Self {
        Self { content, is_made: false }
    }

    fn made(content: T) -> Self {
        Self { content, is_made: true }
    }
}

/// The small files, unparsed.
struct Parts {
    config: File<String>,
    generation_config: Option<String>,
    tokenizer_config: Option<String>,
    chat_template: Option<String>,
    chat_template_json: Option<String>,
    tokenizer: File<Bytes>,
    /// What stands in for the optional files that are not there.
    settings: Option<Settings>,
}

fn empty_object() -> Value {
    Value::Object(serde_json::Map::new())
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

/// Returns the template in `tokenizer_config.json` or `chat_template.json`: text, or the `default` entry of a list of named templates.
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

#[cfg(test)]
pub(crate) mod tests;
