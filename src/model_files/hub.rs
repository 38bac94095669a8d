//! Model files by hub name, kept in a cache directory in the hub's own layout.
//!
//! What the cache holds in full is used without asking the hub: a base model must not change under the adapters that
//! were trained on it.

use std::path::Path;

use hf_hub::progress::{DownloadEvent, FileStatus, ProgressEvent, ProgressHandler};
use hf_hub::{HFClient, HFError};

use super::{
    CHAT_TEMPLATE, CONFIG, GENERATION_CONFIG, ModelFiles, ModelFilesError, TOKENIZER, TOKENIZER_CONFIG, WEIGHTS,
    WEIGHTS_INDEX,
};

/// Why a model could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The name is not `owner/name`.
    #[error("{0:?} is not a hub name: write owner/name, or name=directory for files on this machine")]
    Name(String),
    /// The hub refused, or could not be reached.
    #[error("{model}: download from {endpoint} failed: {source}")]
    Download {
        /// Name of the model.
        model: String,
        /// Address of the hub; the variable HF_ENDPOINT sets it.
        endpoint: String,
        /// What happened.
        source: Box<HFError>,
    },
    /// The files that came are not a usable model.
    #[error(transparent)]
    Files(#[from] ModelFilesError),
    /// The task that reads the files was stopped.
    #[error("reading the files of {0} was interrupted")]
    Interrupted(String),
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HubProgress {
    /// What there is to fetch.
    Started {
        /// Number of files.
        files: usize,
        /// Their size in bytes.
        bytes: u64,
    },
    /// One file has grown.
    File {
        /// Its name.
        name: String,
        /// Bytes on disk.
        bytes: u64,
        /// Its size; 0 if unknown.
        total: u64,
        /// Whether it is complete.
        complete: bool,
    },
    /// All files are there.
    Finished,
}

struct Reporter<F>(F);

impl<F: Fn(HubProgress) + Send + Sync> ProgressHandler for Reporter<F> {
    fn on_progress(&self, event: &ProgressEvent) {
        let ProgressEvent::Download(event) = event else { return };
        match event {
            DownloadEvent::Start { total_files, total_bytes } => {
                (self.0)(HubProgress::Started { files: *total_files, bytes: *total_bytes });
            }
            DownloadEvent::Progress { files } => {
                for file in files {
                    (self.0)(HubProgress::File {
                        name: file.filename.clone(),
                        bytes: file.bytes_completed,
                        total: file.total_bytes,
                        complete: file.status == FileStatus::Complete,
                    });
                }
            }
            DownloadEvent::AggregateProgress { bytes_completed, total_bytes, .. } => {
                let complete = bytes_completed == total_bytes;
                (self.0)(HubProgress::File {
                    name: "weights".to_owned(),
                    bytes: *bytes_completed,
                    total: *total_bytes,
                    complete,
                });
            }
            DownloadEvent::Complete => (self.0)(HubProgress::Finished),
        }
    }
}

/// Reads the model `name` (`owner/name`, newest revision of `main`) from `cache_directory`, downloading what is not
/// there. `endpoint` replaces the hub's address; `None` means the variable `HF_ENDPOINT`, or the public hub. A token
/// for gated models comes from `HF_TOKEN`.
///
/// # Errors
/// A malformed name, a failed download, or files that are no usable model.
pub async fn from_hub(
    name: &str,
    cache_directory: &Path,
    endpoint: Option<&str>,
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
    let failed = |endpoint: &str, source: HFError| HubError::Download {
        model: name.to_owned(),
        endpoint: endpoint.to_owned(),
        source: Box::new(source),
    };
    let mut builder = HFClient::builder().cache_dir(cache_directory);
    if let Some(endpoint) = endpoint {
        builder = builder.endpoint(endpoint);
    }
    let client = builder.build().map_err(|error| failed(endpoint.unwrap_or("HF_ENDPOINT"), error))?;
    let repository = client.model(owner, repository);

    if let Ok(snapshot) = repository.snapshot_download().local_files_only(true).send().await
        && let Ok(files) = read(name, &snapshot).await
    {
        return Ok(files);
    }
    let wanted = [
        CONFIG,
        GENERATION_CONFIG,
        TOKENIZER,
        TOKENIZER_CONFIG,
        CHAT_TEMPLATE,
        WEIGHTS,
        WEIGHTS_INDEX,
        "model-*.safetensors",
    ];
    let snapshot = repository
        .snapshot_download()
        .allow_patterns(wanted.map(str::to_owned).to_vec())
        .progress(Reporter(progress))
        .send()
        .await
        .map_err(|error| failed(client.endpoint(), error))?;
    read(name, &snapshot).await
}

async fn read(name: &str, directory: &Path) -> Result<ModelFiles, HubError> {
    let (owned_name, directory) = (name.to_owned(), directory.to_owned());
    tokio::task::spawn_blocking(move || ModelFiles::from_directory(&owned_name, &directory))
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

    /// Answers what the hub's client asks for a snapshot of `tiny/model`.
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
            from_hub("tiny/model", cache.path(), Some(&endpoint), move |event| sink.lock().unwrap().push(event))
                .await
                .unwrap();
        assert_eq!(files.weights[0].1.as_ref(), b"weights");
        assert!(!files.chat_template.is_empty());
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        assert!(matches!(seen.first(), Some(HubProgress::Started { files: 5, .. })), "{seen:?}");
        assert_eq!(seen.last(), Some(&HubProgress::Finished));

        let before = *hub.requests.lock().unwrap();
        from_hub("tiny/model", cache.path(), Some(&endpoint), |_| panic!("nothing is left to download")).await.unwrap();
        from_hub("tiny/model", cache.path(), Some("http://127.0.0.1:9"), |_| {}).await.unwrap();
        assert_eq!(*hub.requests.lock().unwrap(), before);
    }

    #[tokio::test]
    async fn failures_name_the_model_and_the_hub() {
        let (endpoint, _hub) = serve().await;
        let cache = tempfile::tempdir().unwrap();
        let error = from_hub("tiny/other", cache.path(), Some(&endpoint), |_| {}).await.unwrap_err().to_string();
        assert!(error.contains("tiny/other") && error.contains(&endpoint), "{error}");
        for name in ["model", "../model", "a/b/c", "a/..", "a/b?c", "/b"] {
            let error = from_hub(name, cache.path(), Some(&endpoint), |_| {}).await.unwrap_err();
            assert!(matches!(error, HubError::Name(_)), "{name}: {error}");
        }
    }
}
