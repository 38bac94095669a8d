//! Requests to a hub: JSON and files, with retries and resumed downloads.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::{Client, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tokio::fs;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest time without data from the hub.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum number of attempts without progress, after which a download fails.
const MAX_ATTEMPTS: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Maximum size of a JSON document in bytes.
const MAX_JSON: usize = 16 << 20;

/// Errors of a download.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum DownloadError {
    #[error("{0}")]
    Connection(String),
    #[error("HTTP 404: the hub has no such model; check the name, and set HF_TOKEN if the model is private")]
    NotFound,
    #[error("HTTP {0}: the model is gated or private; accept its licence on the hub and set HF_TOKEN")]
    Forbidden(u16),
    #[error("HTTP {0}")]
    Status(u16),
    #[error("unexpected response: {0}")]
    Unexpected(String),
    #[error("{name} has {found}, the hub lists {expected}; the file was removed, start again")]
    Mismatch { name: String, found: String, expected: String },
    #[error("the cache directory cannot be written: {0}")]
    Disk(#[from] io::Error),
}

impl DownloadError {
    fn is_transient(&self) -> bool {
        matches!(self, Self::Connection(_) | Self::Status(408 | 429 | 500..))
    }
}

impl From<reqwest::Error> for DownloadError {
    fn from(error: reqwest::Error) -> Self {
        Self::Connection(crate::error_chain(&error.without_url()))
    }
}

/// A file to download.
pub(super) struct File<'a> {
    /// Path below the hub's address.
    pub(super) url: String,
    /// Destination. The file is moved there when it is complete.
    pub(super) path: PathBuf,
    /// Size in bytes.
    pub(super) bytes: u64,
    /// SHA-256 in hexadecimal digits, if the hub lists one.
    pub(super) sha256: Option<&'a str>,
}

/// A hub and its access token.
pub(super) struct Hub {
    endpoint: String,
    token: Option<String>,
    http: Client,
}

impl Hub {
    pub(super) fn new(endpoint: &str, token: Option<String>) -> Result<Self, DownloadError> {
        let http = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .user_agent(concat!("trainyard/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { endpoint: endpoint.to_owned(), token, http })
    }

    /// Requests a JSON document.
    pub(super) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, DownloadError> {
        let mut retries = Retries::default();
        loop {
            match self.json_once(path).await {
                Err(error) if error.is_transient() => retries.pause(error).await?,
                done => return done,
            }
        }
    }

    async fn json_once<T: DeserializeOwned>(&self, path: &str) -> Result<T, DownloadError> {
        let mut response = self.get(path, 0).await?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MAX_JSON {
                return Err(DownloadError::Unexpected(format!("{path} is larger than {MAX_JSON} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&body).map_err(|error| DownloadError::Unexpected(format!("{path}: {error}")))
    }

    /// Downloads a file, resuming a partial one, and calls `report` with the bytes on disk. Skips a complete file.
    pub(super) async fn download(&self, file: &File<'_>, report: impl Fn(u64)) -> Result<(), DownloadError> {
        if fs::metadata(&file.path).await.is_ok_and(|found| found.len() == file.bytes) {
            report(file.bytes);
            return Ok(());
        }
        let partial = file.path.with_added_extension("incomplete");
        let mut retries = Retries::default();
        loop {
            let before = size(&partial).await;
            match self.append(file, &partial, &report).await {
                Ok(()) => break,
                Err(error) if error.is_transient() => {
                    if size(&partial).await > before {
                        retries = Retries::default();
                    }
                    retries.pause(error).await?;
                }
                Err(error) => return Err(error),
            }
        }
        if let Err(error) = verify(file, &partial).await {
            fs::remove_file(&partial).await?;
            return Err(error);
        }
        fs::rename(&partial, &file.path).await?;
        Ok(())
    }

    /// Requests the bytes that `partial` lacks and appends them.
    async fn append(&self, file: &File<'_>, partial: &Path, report: &impl Fn(u64)) -> Result<(), DownloadError> {
        let mut written = size(partial).await;
        if written >= file.bytes && written > 0 {
            return Ok(());
        }
        let mut response = self.get(&file.url, written).await?;
        // A server may ignore the range and send the whole file, or send another part than the one that is missing.
        let mut resumed = response.status() == StatusCode::PARTIAL_CONTENT;
        if resumed && first_byte(&response) != Some(written) {
            response = self.get(&file.url, 0).await?;
            resumed = false;
        }
        let mut target =
            fs::OpenOptions::new().create(true).write(true).append(resumed).truncate(!resumed).open(partial).await?;
        if !resumed {
            written = 0;
        }
        while let Some(chunk) = response.chunk().await? {
            target.write_all(&chunk).await?;
            written += chunk.len() as u64;
            report(written);
            if written > file.bytes {
                break;
            }
        }
        target.flush().await?;
        target.sync_all().await?;
        match written < file.bytes {
            true => Err(DownloadError::Connection(format!("the hub sent {written} of {} bytes", file.bytes))),
            false => Ok(()),
        }
    }

    /// Sends a GET request for the bytes from `start` on. Redirects to another host do not carry the token.
    async fn get(&self, path: &str, start: u64) -> Result<Response, DownloadError> {
        let mut request = self.http.get(format!("{}/{path}", self.endpoint));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if start > 0 {
            request = request.header(header::RANGE, format!("bytes={start}-"));
        }
        let response = request.send().await?;
        match response.status() {
            StatusCode::OK => Ok(response),
            StatusCode::PARTIAL_CONTENT if start > 0 => Ok(response),
            StatusCode::PARTIAL_CONTENT => {
                Err(DownloadError::Unexpected(format!("HTTP 206: {path} was asked whole, and a part came")))
            }
            StatusCode::NOT_FOUND => Err(DownloadError::NotFound),
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                Err(DownloadError::Forbidden(status.as_u16()))
            }
            status => Err(DownloadError::Status(status.as_u16())),
        }
    }
}

/// Returns the position of a part in its file: the first number of `Content-Range`.
fn first_byte(response: &Response) -> Option<u64> {
    let range = response.headers().get(header::CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split_once('-')?.0.trim().parse().ok()
}

async fn size(path: &Path) -> u64 {
    fs::metadata(path).await.map_or(0, |found| found.len())
}

async fn verify(file: &File<'_>, path: &Path) -> Result<(), DownloadError> {
    let mismatch = |found, expected| {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Err(DownloadError::Mismatch { name, found, expected })
    };
    let found = size(path).await;
    if found != file.bytes {
        return mismatch(format!("{found} bytes"), format!("{} bytes", file.bytes));
    }
    let Some(expected) = file.sha256 else { return Ok(()) };
    let (mut source, mut hash, mut buffer) = (fs::File::open(path).await?, Sha256::new(), vec![0; 1 << 20]);
    loop {
        let read = source.read(&mut buffer).await?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
    }
    let found = hex::encode(hash.finalize());
    match found == expected {
        true => Ok(()),
        false => mismatch(format!("SHA-256 {found}"), expected.to_owned()),
    }
}

/// Waits between attempts, each twice as long as the one before.
#[derive(Default)]
struct Retries(u32);

impl Retries {
    /// Waits, or returns the error after [`MAX_ATTEMPTS`] attempts.
    async fn pause(&mut self, error: DownloadError) -> Result<(), DownloadError> {
        self.0 += 1;
        if self.0 >= MAX_ATTEMPTS {
            return Err(error);
        }
        tokio::time::sleep(FIRST_PAUSE * (1 << (self.0 - 1))).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::http::HeaderMap;
    use axum::response::IntoResponse;
    use axum::routing::get;

    use super::*;

    const CONTENT: &str = "0123456789";

    /// Returns the part of [`CONTENT`] from `start` on, declared to begin at `declared`.
    fn part(start: usize, declared: usize) -> axum::response::Response {
        let range = format!("bytes {declared}-9/10");
        (StatusCode::PARTIAL_CONTENT, [(header::CONTENT_RANGE, range)], &CONTENT[start..]).into_response()
    }

    /// Returns the first byte that a request asks for.
    fn start(headers: &HeaderMap) -> Option<usize> {
        let range = headers.get(header::RANGE)?.to_str().ok()?;
        range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }

    async fn hub() -> Hub {
        let good = |headers: HeaderMap| async move {
            start(&headers).map_or_else(|| CONTENT.into_response(), |start| part(start, start))
        };
        // Sends another part than the one that is asked for.
        let other =
            |headers: HeaderMap| async move { start(&headers).map_or_else(|| CONTENT.into_response(), |_| part(0, 0)) };
        // Does not say which part it sends.
        let silent = |headers: HeaderMap| async move {
            let part = |start| (StatusCode::PARTIAL_CONTENT, &CONTENT[start..]).into_response();
            start(&headers).map_or_else(|| CONTENT.into_response(), part)
        };
        // Sends a part of a file that was asked whole.
        let whole = || async { part(0, 0) };
        let routes = Router::new()
            .route("/good", get(good))
            .route("/other", get(other))
            .route("/silent", get(silent))
            .route("/part", get(whole));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Hub::new(&endpoint, None).unwrap()
    }

    #[tokio::test]
    async fn only_the_part_that_is_missing_is_appended() {
        let (hub, directory) = (hub().await, tempfile::tempdir().unwrap());
        for (name, begun) in [("good", "0123"), ("good", ""), ("other", "0123"), ("silent", "0123")] {
            let path = directory.path().join(format!("{name}-{}", begun.len()));
            if !begun.is_empty() {
                std::fs::write(path.with_added_extension("incomplete"), begun).unwrap();
            }
            let file = File { url: name.to_owned(), path: path.clone(), bytes: 10, sha256: None };
            hub.download(&file, |_| {}).await.unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), CONTENT, "{name}");
        }
    }

    #[tokio::test]
    async fn a_part_is_not_taken_for_the_whole() {
        let (hub, directory) = (hub().await, tempfile::tempdir().unwrap());
        let path = directory.path().join("file");
        let file = File { url: "part".to_owned(), path: path.clone(), bytes: 10, sha256: None };
        let error = hub.download(&file, |_| {}).await.unwrap_err();
        assert!(matches!(&error, DownloadError::Unexpected(reason) if reason.contains("206")), "{error}");
        assert!(!path.exists());
        assert!(matches!(hub.json::<String>("part").await, Err(DownloadError::Unexpected(_))));
    }
}
