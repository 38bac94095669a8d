//! Reads model files by hub name from a cache directory in the layout of `huggingface_hub`.
//!
//! A complete snapshot in the cache is used without a request to the hub: a base model must not change under the
//! adapters trained on it.

mod download;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{
    CHAT_TEMPLATE, CONFIG, GENERATION_CONFIG, ModelFiles, ModelFilesError, TOKENIZER, TOKENIZER_CONFIG, WEIGHTS,
    WEIGHTS_INDEX,
};
use download::{DownloadError, Hub};

/// Address of the public hub; the variable `HF_ENDPOINT` replaces it.
const PUBLIC_HUB: &str = "https://huggingface.co";
const REVISION: &str = "main";
/// Reference to a snapshot of `main` that has everything but the weights.
const SMALL_FILES: &str = "main.without-weights";

/// Errors of [`from_hub`].
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum HubError {
    #[error("{0:?} is not a hub name: write owner/name, or name=directory for files on this machine")]
    Name(String),
    #[error("{model}: download from {endpoint} failed: {source}")]
    Download { model: String, endpoint: String, source: DownloadError },
    #[error(transparent)]
    Files(#[from] ModelFilesError),
    #[error("reading the files of {0} was interrupted")]
    Interrupted(String),
}

/// Progress of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HubProgress {
    /// The list of files is known.
    Started {
        /// Number of files.
        files: usize,
        /// Their size in bytes.
        bytes: u64,
    },
    /// A file has grown.
    File {
        /// Its name.
        name: String,
        /// Bytes on disk.
        bytes: u64,
        /// Its size.
        total: u64,
        /// Whether it is complete.
        complete: bool,
    },
    /// All files are complete.
    Finished,
}

/// Reads the model `name` (`owner/name`, newest revision of `main`) from `cache_directory`, after downloading missing
/// files; `with_weights` decides whether the weights are among them. `endpoint` is the hub's address; `None` means the variable `HF_ENDPOINT`, or the public hub. The variable
/// `HF_TOKEN` holds the token for gated models.
///
/// # Errors
/// Returns an error if the name is malformed, a download fails, or the files are not a usable model. A later call
/// resumes a failed download.
pub(crate) async fn from_hub(
    name: &str,
    cache_directory: &Path,
    endpoint: Option<&str>,
    with_weights: bool,
    progress: impl Fn(HubProgress) + Send + Sync + 'static,
) -> Result<ModelFiles, HubError> {
    let valid = |part: &str| {
        let characters = part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        characters && !part.is_empty() && !part.starts_with('.')
    };
    let (owner, repository) = name
        .split_once('/')
        .filter(|(owner, repository)| valid(owner) && valid(repository))
        .ok_or_else(|| HubError::Name(name.to_owned()))?;
    let cache = cache_directory.join(format!("models--{owner}--{repository}"));
    let references: &[&str] = if with_weights { &[REVISION] } else { &[REVISION, SMALL_FILES] };
    for reference in references {
        if let Some(snapshot) = cached_snapshot(&cache, reference)
            && let Ok(files) = read(name, &snapshot, with_weights).await
        {
            return Ok(files);
        }
    }
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let endpoint = endpoint.map(str::to_owned).or_else(|| variable("HF_ENDPOINT"));
    let endpoint = endpoint.as_deref().unwrap_or(PUBLIC_HUB).trim_end_matches('/').to_owned();
    let failed = |source| HubError::Download { model: name.to_owned(), endpoint: endpoint.clone(), source };
    let hub = Hub::new(&endpoint, variable("HF_TOKEN")).map_err(failed)?;
    let snapshot = fetch(&hub, name, &cache, with_weights, progress).await.map_err(failed)?;
    read(name, &snapshot, with_weights).await
}

/// Returns the directory of the revision in a reference, if there is one.
fn cached_snapshot(cache: &Path, reference: &str) -> Option<PathBuf> {
    let commit = std::fs::read_to_string(cache.join("refs").join(reference)).ok()?;
    is_commit(commit.trim()).then(|| cache.join("snapshots").join(commit.trim()))
}

/// Returns whether the text is a commit. It becomes a directory name, so only letters and digits are allowed.
fn is_commit(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A file in the hub's listing of the repository.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    lfs: Option<LargeFile>,
}

#[derive(Deserialize)]
struct LargeFile {
    /// SHA-256 of the content.
    oid: String,
    size: u64,
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

fn is_wanted(path: &str, with_weights: bool) -> bool {
    let names = [CONFIG, GENERATION_CONFIG, TOKENIZER, TOKENIZER_CONFIG, CHAT_TEMPLATE];
    let is_shard = path.starts_with("model-") && path.ends_with(".safetensors") && !path.contains('/');
    names.contains(&path) || (with_weights && (is_shard || [WEIGHTS, WEIGHTS_INDEX].contains(&path)))
}

/// Downloads the newest revision and returns its directory. The reference to it is written last, so that it refers only to
/// complete snapshots.
async fn fetch(
    hub: &Hub,
    name: &str,
    cache: &Path,
    with_weights: bool,
    progress: impl Fn(HubProgress),
) -> Result<PathBuf, DownloadError> {
    let Revision { sha } = hub.json(&format!("api/models/{name}/revision/{REVISION}")).await?;
    if !is_commit(&sha) {
        return Err(DownloadError::Unexpected(format!("{sha:?} is no commit")));
    }
    let mut entries: Vec<Entry> = hub.json(&format!("api/models/{name}/tree/{sha}")).await?;
    entries.retain(|entry| entry.kind == "file" && is_wanted(&entry.path, with_weights));
    let size = |entry: &Entry| entry.lfs.as_ref().map_or(entry.size, |file| file.size);
    progress(HubProgress::Started { files: entries.len(), bytes: entries.iter().map(size).sum() });
    let snapshot = cache.join("snapshots").join(&sha);
    tokio::fs::create_dir_all(&snapshot).await?;
    for entry in &entries {
        let total = size(entry);
        let file = download::File {
            url: format!("{name}/resolve/{sha}/{}", entry.path),
            path: snapshot.join(&entry.path),
            bytes: total,
            sha256: entry.lfs.as_ref().map(|file| file.oid.as_str()),
        };
        let report = |bytes| {
            progress(HubProgress::File { name: entry.path.clone(), bytes, total, complete: bytes == total });
        };
        hub.download(&file, report).await?;
    }
    let reference = if with_weights { REVISION } else { SMALL_FILES };
    let (refs, temporary) = (cache.join("refs"), cache.join("refs").join(format!(".{reference}.incomplete")));
    tokio::fs::create_dir_all(&refs).await?;
    tokio::fs::write(&temporary, &sha).await?;
    tokio::fs::rename(&temporary, refs.join(reference)).await?;
    progress(HubProgress::Finished);
    Ok(snapshot)
}

async fn read(name: &str, directory: &Path, with_weights: bool) -> Result<ModelFiles, HubError> {
    let (owned_name, directory) = (name.to_owned(), directory.to_owned());
    let read = if with_weights { ModelFiles::from_path } else { ModelFiles::without_weights };
    tokio::task::spawn_blocking(move || read(&owned_name, &directory))
        .await
        .map_err(|_| HubError::Interrupted(name.to_owned()))?
        .map_err(HubError::Files)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};

    use axum::Router;
    use axum::extract::{Path as UrlPath, State};
    use axum::http::{Method, StatusCode};
    use axum::response::{IntoResponse, Response};
    use axum::routing::get;

    use super::*;
    use crate::model_files::tests::write_model;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    struct Hub {
        files: HashMap<String, Vec<u8>>,
        requests: Mutex<usize>,
    }

    async fn resolve(State(hub): State<Arc<Hub>>, UrlPath(file): UrlPath<String>, method: Method) -> Response {
        *hub.requests.lock().unwrap() += 1;
        let Some(content) = hub.files.get(&file) else { return StatusCode::NOT_FOUND.into_response() };
        let headers = [
            ("x-repo-commit", COMMIT.to_owned()),
            ("etag", format!("\"{file}-etag\"")),
            ("content-length", content.len().to_string()),
        ];
        let body = if method == Method::HEAD { Vec::new() } else { content.clone() };
        (headers, body).into_response()
    }

    /// Serves the requests of the hub's client for a snapshot of `tiny/model`.
    async fn serve() -> (String, Arc<Hub>) {
        let directory = tempfile::tempdir().unwrap();
        write_model(directory.path());
        let mut files = HashMap::from([("pytorch_model.bin".to_owned(), b"not wanted".to_vec())]);
        for entry in std::fs::read_dir(directory.path()).unwrap() {
            let entry = entry.unwrap();
            files.insert(entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap());
        }
        let tree: Vec<_> = files
            .iter()
            .map(
                |(name, content)| serde_json::json!({"type": "file", "path": name, "size": content.len(), "oid": name}),
            )
            .collect();
        let hub = Arc::new(Hub { files, requests: Mutex::new(0) });
        let app = Router::new()
            .route(
                "/api/models/tiny/model/revision/main",
                get(|| async { axum::Json(serde_json::json!({"id": "tiny/model", "sha": COMMIT})) }),
            )
            .route(&format!("/api/models/tiny/model/tree/{COMMIT}"), get(move || async move { axum::Json(tree) }))
            .route(&format!("/tiny/model/resolve/{COMMIT}/{{file}}"), get(resolve))
            .with_state(hub.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (address, hub)
    }

    #[tokio::test]
    async fn a_model_is_downloaded_once() {
        let (endpoint, hub) = serve().await;
        let cache = tempfile::tempdir().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = seen.clone();
        let files =
            from_hub("tiny/model", cache.path(), Some(&endpoint), true, move |event| sink.lock().unwrap().push(event))
                .await
                .unwrap();
        assert_eq!(files.weights[0].1.as_ref(), b"weights");
        assert!(files.chat_template.is_some());
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        assert!(matches!(seen.first(), Some(HubProgress::Started { files: 5, .. })), "{seen:?}");
        assert_eq!(seen.last(), Some(&HubProgress::Finished));

        let before = *hub.requests.lock().unwrap();
        for with_weights in [true, false] {
            let nothing_left = |_| panic!("nothing is left to download");
            from_hub("tiny/model", cache.path(), Some(&endpoint), with_weights, nothing_left).await.unwrap();
        }
        from_hub("tiny/model", cache.path(), Some("http://127.0.0.1:9"), true, |_| {}).await.unwrap();
        assert_eq!(*hub.requests.lock().unwrap(), before);
    }

    #[tokio::test]
    async fn weights_that_nobody_needs_are_not_downloaded() {
        let (endpoint, _hub) = serve().await;
        let cache = tempfile::tempdir().unwrap();
        let files = from_hub("tiny/model", cache.path(), Some(&endpoint), false, |_| {}).await.unwrap();
        assert!(files.weights.is_empty() && files.chat_template.is_some());
        let nothing_left = |_| panic!("nothing is left to download");
        from_hub("tiny/model", cache.path(), Some("http://127.0.0.1:9"), false, nothing_left).await.unwrap();
        // A later start that needs them fetches them.
        let files = from_hub("tiny/model", cache.path(), Some(&endpoint), true, |_| {}).await.unwrap();
        assert_eq!(files.weights[0].1.as_ref(), b"weights");
    }

    #[tokio::test]
    async fn failures_name_the_model_and_the_hub() {
        let (endpoint, _hub) = serve().await;
        let cache = tempfile::tempdir().unwrap();
        let error = from_hub("tiny/other", cache.path(), Some(&endpoint), true, |_| {}).await.unwrap_err().to_string();
        assert!(error.contains("tiny/other") && error.contains(&endpoint), "{error}");
        for name in ["model", "../model", "a/b/c", "a/..", "a/b?c", "/b"] {
            let error = from_hub(name, cache.path(), Some(&endpoint), true, |_| {}).await.unwrap_err();
            assert!(matches!(error, HubError::Name(_)), "{name}: {error}");
        }
    }
    #[tokio::test]
    async fn a_broken_download_is_resumed_and_a_forged_file_is_rejected() {
        let content: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
        let served = content.clone();
        let ranges = Arc::new(Mutex::new(Vec::new()));
        let seen = ranges.clone();
        // Each response is cut off after a third of the file, like an interrupted connection.
        let app = Router::new().route(
            "/file",
            get(move |headers: axum::http::HeaderMap| {
                let range = headers.get("range").map(|range| range.to_str().unwrap().to_owned());
                seen.lock().unwrap().push(range.clone());
                let start = range.map_or(0, |range| range["bytes=".len()..range.len() - 1].parse().unwrap());
                let status = if start == 0 { StatusCode::OK } else { StatusCode::PARTIAL_CONTENT };
                let end = served.len().min(start + served.len() / 3 + 1);
                let body = served[start..end].to_vec();
                // Without the header a part has no position in the file.
                let range = format!("bytes {start}-{}/{}", end - 1, served.len());
                async move { (status, [("content-range", range)], body) }
            }),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let hub = download::Hub::new(&format!("http://{}", listener.local_addr().unwrap()), None).unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let sha256 = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&content));
        let forged = "0".repeat(64);
        let file = |sha256| download::File { url: "file".to_owned(), path: path.clone(), bytes: 400_000, sha256 };

        let error = hub.download(&file(Some(&forged)), |_| {}).await.unwrap_err().to_string();
        assert!(error.contains("SHA-256") && error.contains(&forged), "{error}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "the forged file is gone");

        ranges.lock().unwrap().clear();
        hub.download(&file(Some(&sha256)), |_| {}).await.unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), content);
        let asked: Vec<_> = std::mem::take(&mut *ranges.lock().unwrap());
        assert_eq!(asked, [None, Some("bytes=133334-".to_owned()), Some("bytes=266668-".to_owned())]);
        hub.download(&file(Some(&sha256)), |_| {}).await.unwrap();
        assert!(ranges.lock().unwrap().is_empty(), "a complete file is not requested again");
    }
}
