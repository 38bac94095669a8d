//! Files of a repository that make one model.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use indicatif::BinaryBytes;
use serde::Deserialize;

use super::super::place::{is_other_part, part, part_name};
use super::super::{
    CHAT_TEMPLATE, CHAT_TEMPLATE_JSON, CONFIG, GENERATION_CONFIG, TOKENIZER, TOKENIZER_CONFIG, WEIGHTS_INDEX,
};

/// Maximum number of files that a message lists.
const LISTED: usize = 100;

/// A file in the hub's listing of a repository.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Entry {
    #[serde(rename = "type")]
    kind: String,
    pub(super) path: String,
    #[serde(default)]
    size: u64,
    lfs: Option<LargeFile>,
}

#[derive(Debug, Clone, Deserialize)]
struct LargeFile {
    /// SHA-256 of the content.
    oid: String,
    size: u64,
}

impl Entry {
    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.lfs.as_ref().map_or(self.size, |file| file.size)
    }

    /// Returns the SHA-256 in hexadecimal digits; `None` of a small file.
    pub(super) fn sha256(&self) -> Option<&str> {
        self.lfs.as_ref().map(|file| file.oid.as_str())
    }

    /// Returns whether the path stays in the directory of the repository. The listing is untrusted.
    fn is_inside(&self) -> bool {
        self.path.split('/').all(|name| !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '\0']))
    }
}

/// Files of one model.
#[derive(Debug)]
pub(super) struct Selection {
    /// The files, the small ones first.
    pub(super) files: Vec<Entry>,
    /// GGUF file that names the model; `None` if its weights are others.
    pub(super) gguf: Option<String>,
}

/// Error of a repository in which no model, or more than one, is meant.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum SelectError {
    #[error(
        "the repository has no weights in safetensors (model*.safetensors) or GGUF that are read; it has {}",
        if .0.is_empty() { "no files".to_owned() } else { .0.join(", ") }
    )]
    NoWeights(Vec<String>),
    #[error("the repository has no GGUF file; leave out :{0}")]
    NoGguf(String),
    #[error(
        "the repository has several models in GGUF; name one by its file or its quantisation, as in {name}:{example}{list}"
    )]
    Several { name: String, example: String, list: String },
    #[error("the repository has no GGUF file {choice:?}; it has{list}")]
    Unknown { choice: String, list: String },
    #[error("the repository has several GGUF files {choice:?}; name one of them by its file{list}")]
    Ambiguous { choice: String, list: String },
    #[error("{0:?} is a file of a model in parts, and the repository lacks others of them")]
    Incomplete(String),
}

/// A model in GGUF: one file, or all parts of one.
struct Gguf<'a> {
    /// Path of the file, or of the first part.
    path: &'a str,
    files: Vec<&'a Entry>,
}

impl Gguf<'_> {
    fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes()).sum()
    }

    /// Returns whether a choice means this model: its file, any part of it, or its quantisation, which ends the name of the file
    /// or is the name of its directory.
    fn is_chosen(&self, choice: &str) -> bool {
        let file_name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let choice = choice.to_ascii_lowercase();
        if choice.ends_with(".gguf") {
            let is_named = |path: &str| path.to_ascii_lowercase() == choice || file_name(path) == choice;
            return is_named(self.path) || self.files.iter().any(|file| is_named(&file.path));
        }
        let name = file_name(self.path);
        let stem = part(&name).map_or_else(|| name.strip_suffix(".gguf").unwrap_or(&name), |(stem, ..)| stem);
        let ends =
            stem.strip_suffix(choice.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with(['-', '.', '_']));
        ends || self.path.rsplit('/').nth(1).is_some_and(|directory| directory.eq_ignore_ascii_case(&choice))
    }
}

/// Returns the models in GGUF of a repository.
fn ggufs(entries: &[Entry]) -> Result<Vec<Gguf<'_>>, SelectError> {
    let mut models: BTreeMap<String, Gguf<'_>> = BTreeMap::new();
    for entry in entries {
        let file = entry.path.rsplit('/').next().unwrap_or_default();
        if !file.ends_with(".gguf") || is_other_part(file) {
            continue;
        }
        let directory = &entry.path[..entry.path.len() - file.len()];
        let first = part(file)
            .map_or_else(|| entry.path.clone(), |(stem, _, count)| format!("{directory}{}", part_name(stem, 1, count)));
        models.entry(first).or_insert(Gguf { path: &entry.path, files: Vec::new() }).files.push(entry);
    }
    for (first, model) in &mut models {
        model.files.sort_by(|one, other| one.path.cmp(&other.path));
        let expected = part(first.rsplit('/').next().unwrap_or_default()).map_or(1, |(_, _, count)| count);
        if model.files.len() != expected {
            return Err(SelectError::Incomplete(model.path.to_owned()));
        }
        model.path = &model.files[0].path;
    }
    Ok(models.into_values().collect())
}

/// Returns the paths and sizes of models, a line for each.
fn list(models: &[&Gguf<'_>]) -> String {
    let width = models.iter().take(LISTED).map(|model| model.path.len()).max().unwrap_or_default();
    let mut text = String::new();
    for model in models.iter().take(LISTED) {
        // Writing to a string does not fail.
        let _ = write!(text, "\n  {:width$}  {}", model.path, BinaryBytes(model.bytes()));
    }
    if models.len() > LISTED {
        let _ = write!(text, "\n  and {} more", models.len() - LISTED);
    }
    text
}

fn is_small(path: &str) -> bool {
    [CONFIG, GENERATION_CONFIG, TOKENIZER, TOKENIZER_CONFIG, CHAT_TEMPLATE, CHAT_TEMPLATE_JSON].contains(&path)
}

fn is_safetensors(path: &str) -> bool {
    path == WEIGHTS_INDEX || (path.starts_with("model") && path.ends_with(".safetensors") && !path.contains('/'))
}

/// Returns the files of the model that is meant in the repository `name`: the GGUF file that `choice` names, otherwise the weights
/// in safetensors, if `with_weights` asks for them, otherwise the only model in GGUF.
///
/// # Errors
/// No model is meant, or several.
pub(super) fn select(
    name: &str,
    mut entries: Vec<Entry>,
    choice: Option<&str>,
    with_weights: bool,
) -> Result<Selection, SelectError> {
    entries.retain(|entry| entry.kind == "file" && entry.is_inside());
    let has = |path: &str| entries.iter().any(|entry| entry.path == path);
    // Many repositories of GGUF files have a config.json with nothing in it.
    let is_complete = has(CONFIG) && has(TOKENIZER);
    let has_safetensors = entries.iter().any(|entry| is_safetensors(&entry.path));
    if choice.is_none() && (has_safetensors || (!with_weights && is_complete)) {
        let wanted = |path: &str| is_small(path) || (with_weights && is_safetensors(path));
        let mut files: Vec<Entry> = entries.into_iter().filter(|entry| wanted(&entry.path)).collect();
        files.sort_by_key(|entry| !is_small(&entry.path));
        return Ok(Selection { files, gguf: None });
    }
    let models = ggufs(&entries)?;
    let chosen: Vec<&Gguf<'_>> =
        models.iter().filter(|model| choice.is_none_or(|choice| model.is_chosen(choice))).collect();
    let all: Vec<&Gguf<'_>> = models.iter().collect();
    let model = match (&chosen[..], choice) {
        ([model], _) => model,
        ([], None) => {
            let mut paths: Vec<String> = entries.iter().map(|entry| entry.path.clone()).collect();
            paths.truncate(LISTED);
            return Err(SelectError::NoWeights(paths));
        }
        ([], Some(choice)) if all.is_empty() => return Err(SelectError::NoGguf(choice.to_owned())),
        ([], Some(choice)) => return Err(SelectError::Unknown { choice: choice.to_owned(), list: list(&all) }),
        (several, Some(choice)) => {
            return Err(SelectError::Ambiguous { choice: choice.to_owned(), list: list(several) });
        }
        ([first, ..], None) => {
            let example = all.iter().find(|model| model.is_chosen("Q4_K_M")).map_or(first.path, |_| "Q4_K_M");
            let (name, example) = (name.to_owned(), example.to_owned());
            return Err(SelectError::Several { name, example, list: list(&all) });
        }
    };
    let small = entries.iter().filter(|entry| is_complete && is_small(&entry.path));
    let files = small.chain(model.files.iter().copied()).cloned().collect();
    Ok(Selection { files, gguf: Some(model.path.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(paths: &[&str]) -> Vec<Entry> {
        let entry = |path: &&str| serde_json::json!({ "type": "file", "path": path, "size": 3 << 20 });
        paths.iter().map(|path| serde_json::from_value(entry(path)).unwrap()).collect()
    }

    fn chosen(paths: &[&str], choice: Option<&str>, with_weights: bool) -> Result<Vec<String>, SelectError> {
        let selection = select("a/b", entries(paths), choice, with_weights)?;
        Ok(selection.files.into_iter().map(|entry| entry.path).collect())
    }

    const WHOLE: [&str; 7] = [
        "model-00001-of-00002.safetensors",
        "config.json",
        "model-00002-of-00002.safetensors",
        "model.safetensors.index.json",
        "onnx/model.safetensors",
        "pytorch_model.bin",
        "tokenizer.json",
    ];
    const QUANTISED: [&str; 8] = [
        "README.md",
        "config.json",
        "mmproj-F16.gguf",
        "X-Q4_K_M.gguf",
        "X-IQ4_K_M.gguf",
        "x.q8_0.gguf",
        "BF16/X-BF16-00002-of-00002.gguf",
        "BF16/X-BF16-00001-of-00002.gguf",
    ];

    #[test]
    fn safetensors_come_first_and_small_files_before_them() {
        let small = ["config.json", "tokenizer.json"];
        let weights =
            ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json"];
        assert_eq!(chosen(&WHOLE, None, true).unwrap(), [&small[..], &weights].concat());
        assert_eq!(chosen(&WHOLE, None, false).unwrap(), small);
        let both = [&WHOLE[..], &["X-Q8_0.gguf"]].concat();
        assert_eq!(chosen(&both, None, false).unwrap(), small);
        assert_eq!(chosen(&both, Some("q8_0"), false).unwrap(), [&small[..], &["X-Q8_0.gguf"]].concat());
    }

    #[test]
    fn a_gguf_file_is_chosen_by_name_or_quantisation() {
        let parts = ["BF16/X-BF16-00001-of-00002.gguf", "BF16/X-BF16-00002-of-00002.gguf"];
        for (choice, expected) in [
            ("Q4_K_M", &["X-Q4_K_M.gguf"][..]),
            ("iq4_k_m", &["X-IQ4_K_M.gguf"]),
            ("Q8_0", &["x.q8_0.gguf"]),
            ("X-Q4_K_M.gguf", &["X-Q4_K_M.gguf"]),
            ("bf16", &parts),
            ("X-BF16-00002-of-00002.gguf", &parts),
            ("BF16/X-BF16-00001-of-00002.gguf", &parts),
        ] {
            assert_eq!(chosen(&QUANTISED, Some(choice), true).unwrap(), expected, "{choice}");
        }
        let only = select("a/b", entries(&["README.md", "X-Q4_0.gguf", "mmproj-X.gguf"]), None, false).unwrap();
        assert_eq!((only.files.len(), only.gguf.as_deref()), (1, Some("X-Q4_0.gguf")));
        let split = select("a/b", entries(&QUANTISED), Some("bf16"), true).unwrap();
        assert_eq!(split.gguf.as_deref(), Some(parts[0]));
    }

    #[test]
    fn errors_list_what_there_is() {
        let error = |paths: &[&str], choice| chosen(paths, choice, true).unwrap_err().to_string();
        let list = "\n  BF16/X-BF16-00001-of-00002.gguf  6.00 MiB\n  X-IQ4_K_M.gguf                   3.00 MiB\n  \
                    X-Q4_K_M.gguf                    3.00 MiB\n  x.q8_0.gguf                      3.00 MiB";
        let several = error(&QUANTISED, None);
        assert!(several.ends_with(&format!("as in a/b:Q4_K_M{list}")), "{several}");
        let unknown = error(&QUANTISED, Some("Q5_0"));
        assert!(unknown.ends_with(&format!("no GGUF file \"Q5_0\"; it has{list}")), "{unknown}");
        let ambiguous = error(&["X-Q4_0.gguf", "X-UD-Q4_0.gguf"], Some("q4_0"));
        assert!(ambiguous.contains("X-UD-Q4_0.gguf  3.00 MiB"), "{ambiguous}");
        assert!(error(&WHOLE, Some("q4_0")).contains("leave out :q4_0"));
        assert!(error(&["pytorch_model.bin"], None).contains("it has pytorch_model.bin"));
        assert!(error(&[], None).contains("no files"));
        assert!(error(&["X-00002-of-00002.gguf"], None).contains("lacks others"));
    }

    #[test]
    fn paths_outside_the_repository_are_no_files() {
        for path in ["../X-Q4_0.gguf", "/X-Q4_0.gguf", "a/../X-Q4_0.gguf", ".cache/X-Q4_0.gguf", "a\\X-Q4_0.gguf"] {
            assert!(matches!(chosen(&[path], None, true), Err(SelectError::NoWeights(_))), "{path}");
        }
    }
}
