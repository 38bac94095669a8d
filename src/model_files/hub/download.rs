//! Requests to a hub: JSON and files, with retries and resumed downloads.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::BinaryBytes;
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
/// Maximum number of pages of a list.
const MAX_PAGES: usize = 20;
/// Variable that holds the access token of a hub.
pub(super) const TOKEN: &str = "HF_TOKEN";

/// Errors of a download.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum DownloadError {
    #[error("{0}")]
    Connection(String),
    #[error("HTTP 404: the hub has no such model; check the name, and set {TOKEN} if the model is private")]
    NotFound,
    #[error(
        "HTTP {status}: the model is gated or private; {} accept its terms at {page}",
        if *has_token { "the account of the token in HF_TOKEN must" } else { "set HF_TOKEN to a token of your account, and" }
    )]
    Forbidden { status: u16, page: String, has_token: bool },
    #[error("HTTP {0}")]
    Status(u16),
    #[error("unexpected response: {0}")]
    Unexpected(String),
    #[error("{name} has {found}, the hub lists {expected}; the file was removed, start again")]
    Mismatch { name: String, found: String, expected: String },
    #[error(
        "{} has {} free, and {} are still to come; free some, or name another directory with --data-dir",
        directory.display(), BinaryBytes(*free), BinaryBytes(*needed)
    )]
    Space { directory: PathBuf, free: u64, needed: u64 },
    #[error("{}: the disk is full; free some space and start again, which goes on from here", .0.display())]
    Full(PathBuf),
    #[error("{} cannot be written: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl DownloadError {
    /// Returns the error of a file or directory.
    pub(super) fn disk(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(path.clone()),
            _ => Self::Disk { path: path.clone(), source },
        }
    }

    fn is_transient(&self) -> bool {
        matches!(self, Self::Connection(_) | Self::Status(408 | 429 | 500..))
    }
}

impl From<reqwest::Error> for DownloadError {
    fn from(error: reqwest::Error) -> Self {
        Self::Connection(crate::error_chain(&error.without_url()))
    }
}

/// What happens to a file.
pub(super) enum FileProgress<'a> {
    /// So many of its bytes are on disk.
    Received(u64),
    /// So many of its bytes, which an earlier download left, were hashed.
    Checked(u64),
    /// The hub is asked again after a pause.
    Paused(&'a DownloadError, Duration),
}

/// A file to download.
pub(super) struct File {
    /// Path below the hub's address.
    pub(super) url: String,
    /// Destination. The file is moved there when it is complete.
    pub(super) path: PathBuf,
    /// Size in bytes.
    pub(super) bytes: u64,
    /// SHA-256 in hexadecimal digits, if the hub lists one.
    pub(super) sha256: Option<String>,
}

impl File {
    /// Returns the path of the part that is on disk.
    fn partial(&self) -> PathBuf {
        self.path.with_added_extension("incomplete")
    }

    async fn is_complete(&self) -> bool {
        fs::metadata(&self.path).await.is_ok_and(|found| found.len() == self.bytes)
    }

    /// Returns the number of bytes that are not on disk.
    pub(super) async fn missing(&self) -> u64 {
        if self.is_complete().await { 0 } else { self.bytes.saturating_sub(size(&self.partial()).await) }
    }
}

/// A hub and its access token.
pub(super) struct Hub {
    endpoint: String,
    token: Option<String>,
    /// Page on which people accept the terms of the model.
    page: String,
    http: Client,
}

impl Hub {
    /// Makes a client for the model `name`.
    pub(super) fn new(endpoint: &str, name: &str, token: Option<String>) -> Result<Self, DownloadError> {
        let http = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .user_agent(concat!("trainyard/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { endpoint: endpoint.to_owned(), token, page: format!("{endpoint}/{name}"), http })
    }

    /// Requests a JSON document.
    pub(super) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, DownloadError> {
        Ok(self.page(path).await?.0)
    }

    /// Requests all pages of a list.
    pub(super) async fn list<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, DownloadError> {
        let mut all = Vec::new();
        let mut query = "recursive=true".to_owned();
        for _ in 0..MAX_PAGES {
            let (items, next): (Vec<T>, _) = self.page(&format!("{path}?{query}")).await?;
            all.extend(items);
            match next {
                Some(next) => query = next,
                None => return Ok(all),
            }
        }
        Err(DownloadError::Unexpected(format!("{path} has more than {MAX_PAGES} pages")))
    }

    /// Requests a JSON document, and returns the query of the next page too.
    async fn page<T: DeserializeOwned>(&self, path: &str) -> Result<(T, Option<String>), DownloadError> {
        let mut retries = Retries::default();
        loop {
            match self.page_once(path).await {
                Err(error) if error.is_transient() => retries.pause(error, |_, _| ()).await?,
                done => return done,
            }
        }
    }

    async fn page_once<T: DeserializeOwned>(&self, path: &str) -> Result<(T, Option<String>), DownloadError> {
        let mut response = self.get(path, 0).await?;
        let next = next_query(&response);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MAX_JSON {
                return Err(DownloadError::Unexpected(format!("{path} is larger than {MAX_JSON} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        let document = serde_json::from_slice(&body);
        Ok((document.map_err(|error| DownloadError::Unexpected(format!("{path}: {error}")))?, next))
    }

    /// Downloads a file, resuming a partial one. Skips a complete file.
    pub(super) async fn download(&self, file: &File, report: impl Fn(FileProgress<'_>)) -> Result<(), DownloadError> {
        if file.is_complete().await {
            report(FileProgress::Received(file.bytes));
            return Ok(());
        }
        let mut partial = Partial::open(file, &report).await?;
        let mut retries = Retries::default();
        while partial.bytes < file.bytes || !partial.is_there {
            let before = partial.bytes;
            match self.append(file, &mut partial, &report).await {
                Err(error) if error.is_transient() => {
                    if partial.bytes > before {
                        retries = Retries::default();
                    }
                    retries.pause(error, |error, pause| report(FileProgress::Paused(error, pause))).await?;
                }
                done => done?,
            }
        }
        let disk = DownloadError::disk(&partial.path);
        if let Err(error) = partial.verify(file) {
            fs::remove_file(&partial.path).await.map_err(disk)?;
            return Err(error);
        }
        fs::rename(&partial.path, &file.path).await.map_err(disk)
    }

    /// Requests the bytes that `partial` lacks and appends them.
    async fn append(
        &self,
        file: &File,
        partial: &mut Partial,
        report: &impl Fn(FileProgress<'_>),
    ) -> Result<(), DownloadError> {
        let mut response = self.get(&file.url, partial.bytes).await?;
        // A server may ignore the range and send the whole file, or send another part than the one that is missing.
        let mut resumed = response.status() == StatusCode::PARTIAL_CONTENT;
        if resumed && first_byte(&response) != Some(partial.bytes) {
            response = self.get(&file.url, 0).await?;
            resumed = false;
        }
        if !resumed {
            partial.clear();
        }
        let path = partial.path.clone();
        let disk = DownloadError::disk(&path);
        let mut options = fs::OpenOptions::new();
        let opened = options.create(true).write(true).append(resumed).truncate(!resumed).open(&path).await;
        let mut target = opened.map_err(&disk)?;
        partial.is_there = true;
        let received = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    target.write_all(&chunk).await.map_err(&disk)?;
                    partial.hash.update(&chunk);
                    partial.bytes += chunk.len() as u64;
                    report(FileProgress::Received(partial.bytes));
                    if partial.bytes > file.bytes {
                        break Ok(());
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error.into()),
            }
        };
        // What arrived before the connection was lost is kept.
        target.flush().await.map_err(&disk)?;
        target.sync_all().await.map_err(&disk)?;
        match received {
            Ok(()) if partial.bytes < file.bytes => Err(DownloadError::Connection(format!(
                "the connection ended after {} of {} bytes",
                partial.bytes, file.bytes
            ))),
            received => received,
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
                // The public hub says so of names that nobody has.
                if response.headers().get("x-error-code").is_some_and(|code| code == "RepoNotFound") {
                    return Err(DownloadError::NotFound);
                }
                let (page, has_token) = (self.page.clone(), self.token.is_some());
                Err(DownloadError::Forbidden { status: status.as_u16(), page, has_token })
            }
            status => Err(DownloadError::Status(status.as_u16())),
        }
    }
}

/// The part of a file that is on disk.
struct Partial {
    path: PathBuf,
    is_there: bool,
    bytes: u64,
    hash: Sha256,
}

impl Partial {
    /// Hashes the part that an earlier download left.
    async fn open(file: &File, report: &impl Fn(FileProgress<'_>)) -> Result<Self, DownloadError> {
        let mut partial = Self { path: file.partial(), is_there: false, bytes: 0, hash: Sha256::new() };
        let disk = DownloadError::disk(&partial.path);
        let mut source = match fs::File::open(&partial.path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(partial),
            opened => opened.map_err(&disk)?,
        };
        let mut buffer = vec![0; 1 << 20];
        loop {
            let read = source.read(&mut buffer).await.map_err(&disk)?;
            if read == 0 {
                break;
            }
            partial.hash.update(&buffer[..read]);
            partial.bytes += read as u64;
            if partial.bytes > file.bytes {
                // It is no part of this file, and is replaced.
                partial.clear();
                return Ok(partial);
            }
            report(FileProgress::Checked(partial.bytes));
        }
        partial.is_there = true;
        Ok(partial)
    }

    fn clear(&mut self) {
        self.bytes = 0;
        self.hash = Sha256::new();
    }

    /// Checks size and hash.
    fn verify(&mut self, file: &File) -> Result<(), DownloadError> {
        let mismatch = |found, expected| {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(DownloadError::Mismatch { name, found, expected })
        };
        if self.bytes != file.bytes {
            return mismatch(format!("{} bytes", self.bytes), format!("{} bytes", file.bytes));
        }
        let found = hex::encode(self.hash.finalize_reset());
        match &file.sha256 {
            Some(expected) if found != *expected => mismatch(format!("SHA-256 {found}"), expected.clone()),
            _ => Ok(()),
        }
    }
}

/// Returns the position of a part in its file: the first number of `Content-Range`.
fn first_byte(response: &Response) -> Option<u64> {
    let range = response.headers().get(header::CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split_once('-')?.0.trim().parse().ok()
}

/// Returns the query of the page that `Link` names as the next one. Its address is not used, so that the token stays here.
fn next_query(response: &Response) -> Option<String> {
    let links = response.headers().get(header::LINK)?.to_str().ok()?;
    let next = links.split(',').find(|link| link.contains("rel=\"next\""))?;
    let (_, query) = next.split_once('<')?.1.split_once('>')?.0.split_once('?')?;
    Some(query.to_owned())
}

async fn size(path: &Path) -> u64 {
    fs::metadata(path).await.map_or(0, |found| found.len())
}

/// Waits between attempts, each twice as long as the one before.
#[derive(Default)]
struct Retries(u32);

impl Retries {
    /// Reports the error and waits, or returns it after [`MAX_ATTEMPTS`] attempts.
    async fn pause(
        &mut self,
        error: DownloadError,
        report: impl FnOnce(&DownloadError, Duration),
    ) -> Result<(), DownloadError> {
        self.0 += 1;
        if self.0 >= MAX_ATTEMPTS {
            return Err(error);
        }
        let pause = FIRST_PAUSE * (1 << (self.0 - 1));
        report(&error, pause);
        tokio::time::sleep(pause).await;
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
        Hub::new(&endpoint, "tiny/model", None).unwrap()
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
