//! Reads model files by hub name from a cache directory in the layout of `huggingface_hub`.
//!
//! A complete snapshot in the cache is used without a request to the hub: a base model must not change under the
//! adapters trained on it. Each choice of a repository's files has a reference of its own, which is written last, so that it refers
//! only to complete snapshots.

mod download;
mod select;
#[cfg(test)]
mod tests;

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tokio::fs;

use super::{ModelFiles, ModelFilesError};
use download::{DownloadError, FileProgress, Hub};
use select::{Entry, SelectError, Selection};

/// Address of the public hub; the variable `HF_ENDPOINT` replaces it.
const PUBLIC_HUB: &str = "https://huggingface.co";
const REVISION: &str = "main";
/// Reference to a snapshot of `main` that has everything but the weights.
const SMALL_FILES: &str = "main.without-weights";
/// Maximum length of a choice in bytes: it becomes the name of a file.
const MAX_CHOICE: usize = 200;
/// File that a process locks while it downloads.
const LOCK: &str = ".lock";
/// Time between two attempts at the lock.
const LOCK_INTERVAL: Duration = Duration::from_millis(200);

/// Errors of [`from_hub`].
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum HubError {
    #[error("{0:?} is not a hub name: write owner/name, or name=directory for files on this machine")]
    Name(String),
    #[error("{0:?} names no file of a repository: write FILE.gguf or a quantisation such as Q4_K_M")]
    Choice(String),
    #[error("{model}: download from {endpoint} failed: {source}")]
    Download { model: String, endpoint: String, source: DownloadError },
    #[error("{model} at {endpoint}: {source}")]
    Select { model: String, endpoint: String, source: SelectError },
    #[error(transparent)]
    Files(#[from] ModelFilesError),
    #[error("reading the files of {0} was interrupted")]
    Interrupted(String),
}

/// Progress of a download: its stage, and the bytes of it that are done. A stage of unknown length has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct HubProgress {
    pub(crate) stage: String,
    pub(crate) done: u64,
    pub(crate) total: u64,
}

/// A model of a hub.
pub(crate) struct HubModel<'a> {
    /// Name of the repository, `owner/name`.
    pub(crate) name: &'a str,
    /// GGUF file of the repository, or its quantisation.
    pub(crate) choice: Option<&'a str>,
    /// Whether the weights are needed.
    pub(crate) with_weights: bool,
    /// Directory of the cache.
    pub(crate) cache: &'a Path,
    /// Address of the hub; `None` means the variable `HF_ENDPOINT`, or the public hub.
    pub(crate) endpoint: Option<&'a str>,
}

impl HubModel<'_> {
    /// Returns the directory of the repository in the cache.
    fn directory(&self) -> Result<PathBuf, HubError> {
        let (owner, repository) = self
            .name
            .split_once('/')
            .filter(|(owner, repository)| is_name(owner) && is_name(repository))
            .ok_or_else(|| HubError::Name(self.name.to_owned()))?;
        match self.choice {
            Some(choice) if choice.len() > MAX_CHOICE || !choice.split('/').all(is_name) => {
                Err(HubError::Choice(choice.to_owned()))
            }
            _ => Ok(self.cache.join(format!("models--{owner}--{repository}"))),
        }
    }

    /// Returns the name of the reference to the files.
    fn reference(&self) -> String {
        self.choice.map_or_else(
            || REVISION.to_owned(),
            |choice| format!("{REVISION}.{}", choice.replace('/', "--").to_ascii_lowercase()),
        )
    }
}

/// Reads a model from the cache, if it is complete there.
pub(crate) async fn from_cache(model: &HubModel<'_>) -> Option<ModelFiles> {
    let directory = model.directory().ok()?;
    let small = (model.choice.is_none() && !model.with_weights).then(|| SMALL_FILES.to_owned());
    for reference in [Some(model.reference()), small].into_iter().flatten() {
        if let Some(path) = cached_path(&directory, &reference)
            && let Ok(files) = read(model.name, path, model.with_weights).await
        {
            return Some(files);
        }
    }
    None
}

/// Reads a model, the newest revision of `main`, from the cache, after downloading missing files. The variable `HF_TOKEN` holds the
/// token for gated models.
///
/// # Errors
/// Returns an error if the name is malformed, a download fails, or the files are not a usable model. A later call
/// resumes a failed download.
pub(crate) async fn from_hub(
    model: HubModel<'_>,
    progress: impl Fn(HubProgress) + Send + Sync,
) -> Result<ModelFiles, HubError> {
    let directory = model.directory()?;
    if let Some(files) = from_cache(&model).await {
        return Ok(files);
    }
    let HubModel { name, choice, with_weights, endpoint, .. } = model;
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let endpoint = endpoint.map(str::to_owned).or_else(|| variable("HF_ENDPOINT"));
    let endpoint = endpoint.as_deref().unwrap_or(PUBLIC_HUB).trim_end_matches('/');
    let failed = |source| HubError::Download { model: name.to_owned(), endpoint: endpoint.to_owned(), source };
    let disk = DownloadError::disk(&directory);
    fs::create_dir_all(&directory).await.map_err(|error| failed(disk(error)))?;
    let _lock = lock(&directory, name, &progress).await.map_err(failed)?;
    // Another process may have downloaded it meanwhile.
    if let Some(files) = from_cache(&model).await {
        return Ok(files);
    }
    let stage = format!("asking {endpoint} for the files of {name}");
    progress(HubProgress { stage, ..HubProgress::default() });
    let hub = Hub::new(endpoint, name, variable(download::TOKEN)).map_err(failed)?;
    let (commit, entries) = listing(&hub, name).await.map_err(failed)?;
    let Selection { files, gguf } = select::select(name, entries, choice, with_weights)
        .map_err(|source| HubError::Select { model: name.to_owned(), endpoint: endpoint.to_owned(), source })?;
    let snapshot = directory.join("snapshots").join(&commit);
    fetch(&hub, name, &files, &snapshot, &progress).await.map_err(failed)?;
    let reference = if with_weights || gguf.is_some() { model.reference() } else { SMALL_FILES.to_owned() };
    refer(&directory, &reference, &commit, gguf.as_deref()).await.map_err(failed)?;
    read(name, gguf.map_or(snapshot.clone(), |file| snapshot.join(file)), with_weights).await
}

fn is_name(part: &str) -> bool {
    let characters = part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    characters && !part.is_empty() && !part.starts_with('.')
}

/// Returns the directory or the GGUF file to which a reference refers, if there is one.
fn cached_path(cache: &Path, reference: &str) -> Option<PathBuf> {
    let text = std::fs::read_to_string(cache.join("refs").join(reference)).ok()?;
    let (commit, file) = text.split_once('\n').map_or((text.as_str(), ""), |(commit, file)| (commit, file.trim()));
    let snapshot = is_commit(commit.trim()).then(|| cache.join("snapshots").join(commit.trim()))?;
    Some(if file.is_empty() { snapshot } else { snapshot.join(file) })
}

/// Writes a reference to a snapshot, or to a GGUF file of it.
async fn refer(cache: &Path, reference: &str, commit: &str, file: Option<&str>) -> Result<(), DownloadError> {
    let refs = cache.join("refs");
    let temporary = refs.join(format!(".{reference}.incomplete"));
    let written = async {
        fs::create_dir_all(&refs).await?;
        let text = file.map_or_else(|| commit.to_owned(), |file| format!("{commit}\n{file}"));
        fs::write(&temporary, text).await?;
        fs::rename(&temporary, refs.join(reference)).await
    };
    written.await.map_err(DownloadError::disk(&refs))
}

/// Returns whether the text is a commit. It becomes a directory name, so only letters and digits are allowed.
fn is_commit(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Waits until no other download of the repository runs. Some network file systems have no locks.
async fn lock(
    cache: &Path,
    name: &str,
    progress: &impl Fn(HubProgress),
) -> Result<Option<std::fs::File>, DownloadError> {
    let path = cache.join(LOCK);
    let opened = std::fs::File::options().create(true).write(true).truncate(false).open(&path);
    let file = opened.map_err(DownloadError::disk(&path))?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => {
                let stage = format!("waiting for another download of {name}");
                progress(HubProgress { stage, ..HubProgress::default() });
                tokio::time::sleep(LOCK_INTERVAL).await;
            }
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

/// Requests the newest commit and its files.
async fn listing(hub: &Hub, name: &str) -> Result<(String, Vec<Entry>), DownloadError> {
    let Revision { sha } = hub.json(&format!("api/models/{name}/revision/{REVISION}")).await?;
    if !is_commit(&sha) {
        return Err(DownloadError::Unexpected(format!("{sha:?} is no commit")));
    }
    let entries = hub.list(&format!("api/models/{name}/tree/{sha}")).await?;
    Ok((sha, entries))
}

/// Downloads files into the directory of a snapshot.
async fn fetch(
    hub: &Hub,
    name: &str,
    entries: &[Entry],
    snapshot: &Path,
    progress: &impl Fn(HubProgress),
) -> Result<(), DownloadError> {
    let commit = snapshot.file_name().unwrap_or_default().to_string_lossy();
    let file = |entry: &'_ Entry| download::File {
        url: format!("{name}/resolve/{commit}/{}", entry.path),
        path: snapshot.join(&entry.path),
        bytes: entry.bytes(),
        sha256: entry.sha256().map(str::to_owned),
    };
    let files: Vec<download::File> = entries.iter().map(file).collect();
    let mut needed = 0;
    for file in &files {
        let directory = super::parent(&file.path);
        fs::create_dir_all(directory).await.map_err(DownloadError::disk(directory))?;
        needed += file.missing().await;
    }
    // A file system that does not say how much is free does not keep the download from a try.
    let free = rustix::fs::statvfs(snapshot).map_or(u64::MAX, |space| space.f_bavail.saturating_mul(space.f_frsize));
    if needed > free {
        return Err(DownloadError::Space { directory: snapshot.to_owned(), free, needed });
    }
    let total = files.iter().map(|file| file.bytes).sum();
    let mut before = 0;
    for (entry, file) in entries.iter().zip(&files) {
        let report = |event: FileProgress<'_>| {
            progress(match event {
                FileProgress::Received(bytes) => {
                    HubProgress { stage: format!("fetching {name}"), done: before + bytes, total }
                }
                FileProgress::Checked(bytes) => {
                    HubProgress { stage: format!("checking {}", entry.path), done: bytes, total: file.bytes }
                }
                FileProgress::Paused(error, pause) => {
                    let stage = format!("{name}: {error}; trying again in {} s", pause.as_secs_f32());
                    HubProgress { stage, ..HubProgress::default() }
                }
            });
        };
        hub.download(file, report).await?;
        before += file.bytes;
    }
    Ok(())
}

async fn read(name: &str, path: PathBuf, with_weights: bool) -> Result<ModelFiles, HubError> {
    let owned_name = name.to_owned();
    let read = if with_weights { ModelFiles::from_path } else { ModelFiles::without_weights };
    tokio::task::spawn_blocking(move || read(&owned_name, &path))
        .await
        .map_err(|_| HubError::Interrupted(name.to_owned()))?
        .map_err(HubError::Files)
}
