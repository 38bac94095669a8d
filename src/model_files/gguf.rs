//! Small files of a model that are made of the metadata of its GGUF file, where they are not beside it.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde_json::Value;
use trainyard_gguf::{Header, HeaderError, MetadataError};

use super::place::hub_name;
use crate::engine::{GgufConfigError, gguf_config};
use crate::text::{GgufTokenizerError, gguf_settings, tokenizer_of_gguf};

/// Error of the metadata of a GGUF file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum GgufFileError {
    #[error(transparent)]
    Header(#[from] HeaderError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error("{0}; with a config.json beside the file, that is used")]
    Config(#[from] GgufConfigError),
    #[error(
        "{source}; put the tokenizer of the model from which the file was made beside it: hf download {hub} tokenizer.json \
         tokenizer_config.json --local-dir {}",
        directory.display()
    )]
    Tokenizer {
        source: GgufTokenizerError,
        /// Name of the model on the hub, or a word for it.
        hub: String,
        directory: PathBuf,
    },
    #[error(
        "it says that it is part {number} of {count}, and its name says that it is part {named} of {files}; rename it"
    )]
    Part { number: usize, count: usize, named: usize, files: usize },
}

/// GGUF files of a model.
pub(super) struct GgufModel<'a> {
    files: &'a [(String, Bytes)],
    header: Header<'a>,
}

/// Special tokens and templates, and the tokens that end a turn, as the files that have them elsewhere.
pub(super) struct Settings {
    pub(super) tokenizer_config: Value,
    pub(super) generation_config: Value,
}

impl<'a> GgufModel<'a> {
    /// Reads the headers.
    ///
    /// # Errors
    /// A header is invalid, or says that its file is another part. The error has the number of the file.
    pub(super) fn read(files: &'a [(String, Bytes)]) -> Result<Self, (usize, GgufFileError)> {
        let mut first = None;
        for (index, (_, bytes)) in files.iter().enumerate() {
            let header = Header::read(bytes).map_err(|error| (index, error.into()))?;
            let part = |key| header.metadata.count(key).map_err(|error| (index, error.into()));
            let (number, count) = (part("split.no")?.unwrap_or(index), part("split.count")?.unwrap_or(files.len()));
            if (number, count) != (index, files.len()) {
                let (number, named) = (number.saturating_add(1), index + 1);
                return Err((index, GgufFileError::Part { number, count, named, files: files.len() }));
            }
            first.get_or_insert(header);
        }
        let header = first.ok_or((0, GgufFileError::Header(HeaderError::Short("the header".to_owned()))))?;
        Ok(Self { files, header })
    }

    /// Returns `config.json`.
    ///
    /// # Errors
    /// The metadata describe no model that is computed.
    pub(super) fn config(&self) -> Result<String, GgufFileError> {
        let files: Vec<&[u8]> = self.files.iter().map(|(_, bytes)| bytes.as_ref()).collect();
        Ok(gguf_config(&files)?.to_string())
    }

    /// Returns `tokenizer.json` of the model `name` in a directory.
    ///
    /// # Errors
    /// The metadata have no tokenizer that is read.
    pub(super) fn tokenizer(&self, name: &str, directory: &Path) -> Result<Bytes, GgufFileError> {
        let tokenizer = tokenizer_of_gguf(&self.header.metadata).map_err(|source| GgufFileError::Tokenizer {
            source,
            hub: hub_name(name).to_owned(),
            directory: directory.to_owned(),
        })?;
        Ok(tokenizer.to_string().into())
    }

    /// Returns the settings; `None` if the file has no tokens.
    ///
    /// # Errors
    /// A value is of another kind than it should be.
    pub(super) fn settings(&self) -> Result<Option<Settings>, GgufFileError> {
        if self.header.metadata.get("tokenizer.ggml.tokens").is_none() {
            return Ok(None);
        }
        let (tokenizer_config, generation_config) = gguf_settings(&self.header.metadata)?;
        Ok(Some(Settings { tokenizer_config, generation_config }))
    }
}
