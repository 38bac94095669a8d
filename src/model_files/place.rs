//! The place that an operator names for a base model: a directory, or a GGUF file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{CONFIG, ModelFilesError, WEIGHTS, WEIGHTS_INDEX};

/// Beginning of the names of files that belong to another part of a model, which reads images or sound.
const OTHER_PART: &str = "mmproj";
/// Maximum number of files that a message lists.
const LISTED: usize = 8;

/// Location of a model's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) directory: PathBuf,
    /// The GGUF file that was named.
    pub(super) file: Option<String>,
}

/// Returns the directory of a file. The parent of a plain name is empty.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Place {
    /// Finds the place of the model `name`.
    ///
    /// # Errors
    /// There is nothing, or a file that is not GGUF, or a directory without a model.
    pub(super) fn find(name: &str, path: &Path) -> Result<Self, ModelFilesError> {
        let fault = |reason: String| ModelFilesError::Place { path: path.to_owned(), reason };
        let read = |source| ModelFilesError::Read { path: path.to_owned(), source };
        let kind = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(fault(format!(
                    "nothing is there; name a directory with config.json, or a .gguf file, or fetch the model from the hub \
                     with --base-model {}",
                    hub_name(name)
                )));
            }
            other => other.map_err(read)?,
        };
        if kind.is_dir() {
            return Ok(Self { directory: path.to_owned(), file: None });
        }
        let mut start = [0; 4];
        let is_gguf = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
        match is_gguf {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(read(error)),
            Ok(()) if trainyard_gguf::is_gguf(&start) => {}
            _ => {
                return Err(fault(
                    "it is a file that does not begin as GGUF; name a .gguf file, or the directory that has config.json, \
                     tokenizer.json and the weights in safetensors"
                        .to_owned(),
                ));
            }
        }
        let file = path.file_name().and_then(|file| file.to_str());
        let file = file.ok_or_else(|| fault("its name is not UTF-8; rename it".to_owned()))?;
        Ok(Self { directory: parent(path).to_owned(), file: Some(file.to_owned()) })
    }

    /// Returns the names of the weight files of the model `name`, in order.
    pub(super) fn weight_files(&self, name: &str) -> Result<Vec<String>, ModelFilesError> {
        match &self.file {
            Some(file) => self.parts(file),
            None => weight_files(name, &self.directory),
        }
    }

    /// Returns the names of the GGUF files of which the model consists; `None` if its weights are others.
    pub(super) fn gguf_files(&self) -> Result<Option<Vec<String>>, ModelFilesError> {
        match &self.file {
            Some(file) => self.parts(file).map(Some),
            None if [WEIGHTS, WEIGHTS_INDEX].iter().any(|file| self.directory.join(file).is_file()) => Ok(None),
            None => gguf_files(&self.directory),
        }
    }

    /// Returns all files of the model of which a file is a part.
    fn parts(&self, file: &str) -> Result<Vec<String>, ModelFilesError> {
        let Some((stem, _, count)) = part(file) else { return Ok(vec![file.to_owned()]) };
        let files: Vec<String> = (1..=count).map(|number| part_name(stem, number, count)).collect();
        match files.iter().find(|file| !self.directory.join(file).is_file()) {
            None => Ok(files),
            Some(missing) => Err(ModelFilesError::Place {
                path: self.directory.join(file),
                reason: format!(
                    "it is one of {count} parts, and {missing} is not beside it; fetch all parts: trainyard models pull \
                     ORGANIZATION/NAME:{file}"
                ),
            }),
        }
    }

    /// Returns the error of a place that has no `config.json` and no GGUF file.
    pub(super) fn no_model(&self, name: &str) -> ModelFilesError {
        let mut found: Vec<String> = fs::read_dir(&self.directory)
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        found.sort();
        let more = found.len().saturating_sub(LISTED);
        found.truncate(LISTED);
        let found = match (found.is_empty(), more) {
            (true, _) => "the directory is empty".to_owned(),
            (false, 0) => format!("it has {}", found.join(", ")),
            (false, more) => format!("it has {} and {more} more", found.join(", ")),
        };
        let (hub, directory) = (hub_name(name), self.directory.display());
        ModelFilesError::Place {
            path: self.directory.clone(),
            reason: format!(
                "{found}; a base model is {CONFIG}, tokenizer.json and weights, or one .gguf file. Fetch all files: hf download \
                 {hub} --local-dir {directory}"
            ),
        }
    }
}

/// Returns the name by which the hub may have a model.
pub(super) fn hub_name(name: &str) -> &str {
    if name.starts_with("local/") { "ORGANIZATION/NAME" } else { name }
}

/// Returns whether a file belongs to another part of a model.
pub(super) fn is_other_part(file: &str) -> bool {
    file.starts_with(OTHER_PART)
}

/// Returns stem, number and count of a name such as `model-00001-of-00003.gguf`.
pub(super) fn part(file: &str) -> Option<(&str, usize, usize)> {
    let number = |digits: &str| {
        let is_number = digits.len() == 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<usize>().ok()).flatten()
    };
    let (rest, count) = file.strip_suffix(".gguf")?.rsplit_once("-of-")?;
    let (stem, index) = rest.rsplit_once('-')?;
    let (index, count) = (number(index)?, number(count)?);
    (1..=count).contains(&index).then_some((stem, index, count))
}

pub(super) fn part_name(stem: &str, number: usize, count: usize) -> String {
    format!("{stem}-{number:05}-of-{count:05}.gguf")
}

/// Returns the names of the GGUF files of a directory with one model in GGUF; `None` if there is none.
fn gguf_files(directory: &Path) -> Result<Option<Vec<String>>, ModelFilesError> {
    let read = |source| ModelFilesError::Read { path: directory.to_owned(), source };
    let mut models: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(read)? {
        let name = entry.map_err(read)?.file_name();
        let Some(name) = name.to_str().filter(|name| name.ends_with(".gguf") && !is_other_part(name)) else {
            continue;
        };
        let first = part(name).map_or_else(|| name.to_owned(), |(stem, _, count)| part_name(stem, 1, count));
        models.insert(first, name.to_owned());
    }
    if models.len() > 1 {
        let files = models.into_keys().collect();
        return Err(ModelFilesError::SeveralWeights { directory: directory.to_owned(), files });
    }
    let place = Place { directory: directory.to_owned(), file: None };
    models.into_values().next().map(|file| place.parts(&file)).transpose()
}

/// Returns the names of the weight files of a directory, in order.
fn weight_files(model: &str, directory: &Path) -> Result<Vec<String>, ModelFilesError> {
    if directory.join(WEIGHTS).is_file() {
        return Ok(vec![WEIGHTS.to_owned()]);
    }
    let path = directory.join(WEIGHTS_INDEX);
    if !path.is_file() {
        return gguf_files(directory)?.ok_or_else(|| ModelFilesError::NoWeights(directory.to_owned()));
    }
    let fault = |reason: String| ModelFilesError::Field {
        model: model.to_owned(),
        file: WEIGHTS_INDEX,
        field: "weight_map",
        reason,
    };
    let text = fs::read_to_string(&path).map_err(|source| ModelFilesError::Read { path, source })?;
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
