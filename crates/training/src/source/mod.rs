//! Fetches training data from URLs, without access to resources that the operator did not allow.
//!
//! * `https` to public hosts is allowed. The host must be a name; every address it resolves to must be public, and the
//!   connection uses exactly the addresses that were checked.
//! * `http`, private hosts and `file` are allowed only under prefixes that the operator listed.
//! * `wandb-artifact` URLs name data sets of the operator's Weights & Biases server; without such a server they are
//!   rejected.
//! * Redirects, proxies and credentials in URLs are not supported; size and time are limited. Errors never contain text
//!   of the server's response.
//!
//! Data is read in chunks, so memory does not grow with its size.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

mod beneath;
mod wandb;

pub use wandb::{DATA_FILE as WANDB_DATA_FILE, WandbArtifact};
pub use wandb::{WandbKey, WandbServer};

/// Size of a read from a file in bytes.
const FILE_CHUNK_BYTES: usize = 1 << 20;

/// Limits of one fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLimits {
    /// Maximum number of bytes.
    pub bytes: usize,
    /// Time limit of the whole fetch.
    pub total: Duration,
    /// Time limit of connecting, and of each read without data.
    pub idle: Duration,
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self { bytes: 1 << 30, total: Duration::from_secs(300), idle: Duration::from_secs(20) }
    }
}

/// Error of a fetch of training data.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum SourceError {
    #[error("the training data URL is not valid: {0}")]
    InvalidUrl(String),
    #[error("training data cannot be read from `{scheme}:` URLs; use https")]
    UnsupportedScheme { scheme: String },
    #[error(
        "this service may not read training data from there: {reason}; the operator can allow it with --allow-data"
    )]
    Rejected {
        /// Rule that the URL violates.
        reason: &'static str,
    },
    #[error("the host of the training data URL cannot be resolved")]
    Unresolved,
    #[error("the training data cannot be fetched: {0}")]
    Connection(&'static str),
    #[error("the training data cannot be fetched: the server answered with status {status}")]
    Status { status: u16 },
    #[error("the training data is larger than {limit} bytes; split it into several jobs")]
    TooLarge { limit: usize },
    #[error("the training data was not fetched within {seconds} seconds")]
    TimedOut { seconds: u64 },
    #[error("the artifact cannot be fetched: {0}")]
    Artifact(&'static str),
    /// The URL names a pipe, a device, a directory or the like, or a name that no file can have.
    #[error("the training data URL names no regular file")]
    NotRegular,
    #[error("the training data file cannot be read: {0}")]
    File(ErrorKind),
}

impl SourceError {
    /// Returns whether the URL or what it names has to change before it can be read.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::InvalidUrl(_)
            | Self::UnsupportedScheme { .. }
            | Self::Rejected { .. }
            | Self::TooLarge { .. }
            | Self::NotRegular => true,
            Self::File(kind) => {
                matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename)
            }
            Self::Unresolved
            | Self::Connection(_)
            | Self::Status { .. }
            | Self::TimedOut { .. }
            | Self::Artifact(_) => false,
        }
    }
}

/// A prefix that cannot be allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{prefix}` cannot be allowed as a source of training data: {reason}")]
pub struct PrefixError {
    /// Prefix as given.
    pub prefix: String,
    /// Reason of the rejection.
    pub reason: &'static str,
}

/// One prefix that the operator allows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Prefix {
    /// All URLs of a scheme and host, with one port or any, whose path begins with these segments.
    Web { scheme: String, host: Host<String>, port: Option<u16>, path: Vec<String> },
    /// All files under a directory, or one file.
    File(PathBuf),
}

/// Decides which URLs may be read, and reads them.
#[derive(Debug, Clone, Default)]
pub struct DataSource {
    prefixes: Vec<Prefix>,
    wandb: Option<WandbServer>,
    lookup: Lookup,
}

/// Resolver of host names: the system's, except in tests.
#[derive(Debug, Clone, Copy)]
struct Lookup(fn(String, u16) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>>);

impl Default for Lookup {
    fn default() -> Self {
        Self(|name, port| Box::pin(async move { Ok(tokio::net::lookup_host((name, port)).await?.collect()) }))
    }
}

impl DataSource {
    /// Allows public `https` and these prefixes, such as `http://127.0.0.1:9000/`, `https://data.internal/sets` or
    /// `file:///data/`. A prefix without a port allows any port of its host; a path is matched segment by segment.
    ///
    /// # Errors
    /// A prefix is not a URL, has an unsupported scheme, or has parts that are not allowed in a prefix.
    pub fn new<S: AsRef<str>>(prefixes: &[S]) -> Result<Self, PrefixError> {
        let prefixes = prefixes.iter().map(|prefix| Prefix::parse(prefix.as_ref()));
        Ok(Self { prefixes: prefixes.collect::<Result<_, _>>()?, wandb: None, lookup: Lookup::default() })
    }

    /// Allows the data sets of this server in addition.
    pub fn with_wandb(self, wandb: Option<WandbServer>) -> Self {
        Self { wandb, ..self }
    }

    /// Returns whether data sets of a W&B server can be read.
    pub fn has_wandb(&self) -> bool {
        self.wandb.is_some()
    }

    /// Checks a URL without connecting, to reject requests early: whether [`Self::open`] would try to read it.
    ///
    /// # Errors
    /// The URL is not valid or not allowed. A host name that resolves to a private address is only detected by
    /// [`Self::open`].
    pub fn check(&self, url: &str) -> Result<(), SourceError> {
        if self.has_wandb() && WandbArtifact::is_url(url) {
            return artifact(url).map(drop);
        }
        let url = parse(url)?;
        match url.scheme() {
            "file" => self.file_path(&url).map(|_| ()),
            _ => self.web_access(&url).map(|_| ()),
        }
    }

    /// Starts to read a URL.
    ///
    /// # Errors
    /// The URL is not allowed, or it cannot be read.
    pub async fn open(&self, url: &str, limits: &SourceLimits) -> Result<DataStream, SourceError> {
        let deadline = Instant::now() + limits.total;
        let opening = async {
            if let Some(server) = self.wandb.as_ref().filter(|_| WandbArtifact::is_url(url)) {
                let file = server.data_url(self, &artifact(url)?, limits).await?;
                return self.request(file, Some(server), limits).await;
            }
            let url = parse(url)?;
            match url.scheme() {
                "file" => self.open_file(&url).await,
                _ => self.request(url, None, limits).await,
            }
        };
        let timed_out = || Err(SourceError::TimedOut { seconds: limits.total.as_secs() });
        let content = timeout_at(deadline, opening).await.unwrap_or_else(|_| timed_out())?;
        Ok(DataStream { content, limits: *limits, deadline, received: 0 })
    }

    /// Returns the access allowed for a web URL.
    fn web_access(&self, url: &Url) -> Result<Access, SourceError> {
        if self.prefixes.iter().any(|prefix| prefix.allows_web(url)) {
            return Ok(Access::Anywhere);
        }
        let rejected = |reason| Err(SourceError::Rejected { reason });
        match (url.scheme(), url.host()) {
            ("https", Some(Host::Domain(name))) if !is_local_name(name) => Ok(Access::PublicOnly),
            ("https", Some(Host::Domain(_))) => rejected("the host is local"),
            ("https", _) => rejected("the host is an address, not a name"),
            _ => rejected("the connection would not be encrypted"),
        }
    }

    /// Returns the file path of a URL if the path is lexically below an allowed directory.
    fn file_path(&self, url: &Url) -> Result<PathBuf, SourceError> {
        let path = url.to_file_path().map_err(|()| SourceError::InvalidUrl("it names no local file".to_owned()))?;
        // Parsing resolves `..` in plain or percent-encoded form; only `..` next to an encoded slash remains.
        let plain = path.components().all(|part| !matches!(part, std::path::Component::ParentDir));
        if plain && self.roots_of(&path).next().is_some() { Ok(path) } else { Err(outside()) }
    }

    /// Returns the allowed directories, or files, that contain a path, each with the rest of the path.
    fn roots_of<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = (&'a Path, &'a Path)> {
        self.prefixes.iter().filter_map(move |prefix| match prefix {
            Prefix::File(root) => Some((root.as_path(), path.strip_prefix(root).ok()?)),
            Prefix::Web { .. } => None,
        })
    }

    async fn open_file(&self, url: &Url) -> Result<Content, SourceError> {
        let path = self.file_path(url)?;
        let roots: Vec<_> = self.roots_of(&path).map(|(root, rest)| (root.to_owned(), rest.to_owned())).collect();
        let opening = tokio::task::spawn_blocking(move || {
            let mut rejected = outside();
            for (root, rest) in roots {
                match beneath::open_file(&root, &rest) {
                    Ok(file) => return Ok(file),
                    // A path may lead outside of one allowed directory and stay in another.
                    Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                        let reason =
                            "a symbolic link on the path is absolute or leads outside of the allowed directory";
                        rejected = SourceError::Rejected { reason };
                    }
                    Err(error) if error.kind() == ErrorKind::InvalidInput => rejected = SourceError::NotRegular,
                    Err(error) => rejected = SourceError::File(error.kind()),
                }
            }
            Err(rejected)
        });
        match opening.await {
            Ok(opened) => Ok(Content::File(tokio::fs::File::from_std(opened?))),
            Err(failure) => std::panic::resume_unwind(failure.into_panic()),
        }
    }

    /// Returns the addresses of the URL's host, all within `access`. Empty for a host that is an address itself.
    async fn resolve(&self, url: &Url, access: Access) -> Result<Vec<SocketAddr>, SourceError> {
        let Some(Host::Domain(name)) = url.host() else { return Ok(Vec::new()) };
        let port = url.port_or_known_default().unwrap_or(443);
        let Lookup(lookup) = self.lookup;
        let addresses = lookup(name.to_owned(), port).await.map_err(|_| SourceError::Unresolved)?;
        if addresses.is_empty() {
            return Err(SourceError::Unresolved);
        }
        // One private address is enough to reject the host: a name with both kinds is not trustworthy.
        if access == Access::PublicOnly && !addresses.iter().all(|address| is_public(address.ip())) {
            return Err(SourceError::Rejected { reason: "the host resolves to an address that is not public" });
        }
        Ok(addresses)
    }

    /// Returns a client that connects only to addresses of the URL's host within `access`.
    async fn client(&self, url: &Url, access: Access, limits: &SourceLimits) -> Result<reqwest::Client, SourceError> {
        let addresses = self.resolve(url, access).await?;
        reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(limits.idle)
            .read_timeout(limits.idle)
            .dns_resolver(Arc::new(Fixed(addresses)))
            .build()
            .map_err(|_| SourceError::Connection("the client cannot be set up"))
    }

    /// Requests a URL. `named_by` is the server that returned the URL for an artifact; the URL may be one of its own
    /// files.
    async fn request(
        &self,
        url: Url,
        named_by: Option<&WandbServer>,
        limits: &SourceLimits,
    ) -> Result<Content, SourceError> {
        let own = named_by.filter(|server| server.has(&url));
        let access = if own.is_some() { Access::Anywhere } else { self.web_access(&url)? };
        let client = self.client(&url, access, limits).await?;
        let request = client.get(url.clone());
        let request = match own {
            Some(server) => server.authorize(request, &url),
            None => request,
        };
        let response = request.send().await.map_err(|error| connection(&error))?;
        let status = response.status();
        // Nothing asks for a part: 206 is not the whole.
        if status != reqwest::StatusCode::OK {
            return Err(SourceError::Status { status: status.as_u16() });
        }
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
        if announced.is_some_and(|length| length > limits.bytes) {
            return Err(SourceError::TooLarge { limit: limits.bytes });
        }
        Ok(Content::Web(Box::new(response)))
    }
}

/// Source of training data.
enum Content {
    File(tokio::fs::File),
    Web(Box<reqwest::Response>),
}

/// Stream of training data.
pub struct DataStream {
    content: Content,
    limits: SourceLimits,
    deadline: Instant,
    received: usize,
}

impl DataStream {
    /// Returns the next bytes, never empty; `None` at the end.
    ///
    /// # Errors
    /// The transfer fails, or a limit is exceeded. The data read before must then be discarded.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, SourceError> {
        let timed_out = || Err(SourceError::TimedOut { seconds: self.limits.total.as_secs() });
        let chunk = timeout_at(self.deadline, self.content.read()).await.unwrap_or_else(|_| timed_out())?;
        self.received += chunk.as_ref().map_or(0, Bytes::len);
        if self.received > self.limits.bytes {
            return Err(SourceError::TooLarge { limit: self.limits.bytes });
        }
        Ok(chunk)
    }
}

impl Content {
    async fn read(&mut self) -> Result<Option<Bytes>, SourceError> {
        match self {
            Self::File(file) => {
                let mut chunk = BytesMut::with_capacity(FILE_CHUNK_BYTES);
                file.read_buf(&mut chunk).await.map_err(|error| SourceError::File(error.kind()))?;
                Ok((!chunk.is_empty()).then(|| chunk.freeze()))
            }
            Self::Web(response) => loop {
                match response.chunk().await.map_err(|error| connection(&error))? {
                    Some(chunk) if chunk.is_empty() => {}
                    other => return Ok(other),
                }
            },
        }
    }
}

/// Addresses that a connection may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Anywhere,
    PublicOnly,
}

fn outside() -> SourceError {
    SourceError::Rejected { reason: "the file is outside the allowed directories" }
}

fn artifact(url: &str) -> Result<WandbArtifact, SourceError> {
    let expected = "write the name of an artifact as wandb-artifact:///ENTITY/PROJECT/NAME:VERSION";
    WandbArtifact::of_url(url).ok_or_else(|| SourceError::InvalidUrl(expected.to_owned()))
}

fn parse(url: &str) -> Result<Url, SourceError> {
    let url = Url::parse(url).map_err(|error| SourceError::InvalidUrl(error.to_string()))?;
    if !matches!(url.scheme(), "https" | "http" | "file") {
        let scheme = url.scheme().chars().take(40).collect();
        return Err(SourceError::UnsupportedScheme { scheme });
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(SourceError::InvalidUrl("it must not hold a user name or password".to_owned()));
    }
    Ok(url)
}

/// Returns whether a name denotes this machine or its network, independent of the resolver.
fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let local = ["localhost", "local", "internal", "intranet", "lan", "home.arpa"];
    !name.contains('.') || local.iter().any(|suffix| name == *suffix || name.ends_with(&format!(".{suffix}")))
}

/// Resolver that returns the checked addresses, so that a second lookup cannot return others.
struct Fixed(Vec<SocketAddr>);

impl Resolve for Fixed {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// Returns a description of a connection error, without the URL or any text of the server.
fn connection(error: &reqwest::Error) -> SourceError {
    SourceError::Connection(if error.is_timeout() {
        "the server did not answer in time"
    } else if error.is_connect() {
        "the connection failed"
    } else {
        "the transfer was interrupted"
    })
}

/// Returns whether an address belongs to the public internet. Unknown ranges are rejected, including transition
/// mechanisms that embed another address.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => is_public_v4(address),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _) // this network, private, loopback, multicast and reserved
            | (100, 64..=127, _) // carrier-grade NAT
            | (169, 254, _) // link-local, cloud metadata
            | (172, 16..=31, _) // private
            | (192, 0, 0 | 2) // protocol assignments, documentation
            | (192, 88, 99) // 6to4 relay
            | (192, 168, _) // private
            | (198, 18 | 19, _) // benchmarking
            | (198, 51, 100) // documentation
            | (203, 0, 113) // documentation
    );
    !reserved
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let global_unicast = a & 0xe000 == 0x2000;
    let reserved = matches!(
        (a, b),
        (0x2001, 0..=0x1ff) // protocol assignments, Teredo, ORCHID
        | (0x2001, 0xdb8) // documentation
        | (0x2002, _) // 6to4
        | (0x3fff, 0..=0xfff)
    ); // documentation
    global_unicast && !reserved
}

impl Prefix {
    fn parse(prefix: &str) -> Result<Self, PrefixError> {
        let fault = |reason| PrefixError { prefix: prefix.to_owned(), reason };
        let url = Url::parse(prefix).map_err(|_| fault("it is not a URL"))?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(fault("a prefix has no query and no fragment"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(fault("a prefix has no user name and no password"));
        }
        match url.scheme() {
            "file" => {
                let path = url.to_file_path().map_err(|()| fault("it names no local directory"))?;
                if path.components().any(|part| matches!(part, std::path::Component::ParentDir)) {
                    return Err(fault("it contains `..`"));
                }
                Ok(Self::File(path))
            }
            scheme @ ("http" | "https") => Ok(Self::Web {
                scheme: scheme.to_owned(),
                host: url.host().ok_or_else(|| fault("it has no host"))?.to_owned(),
                // The parser drops a port that is the scheme's default, but in a prefix it means "this port only".
                port: url.port().or_else(|| explicit_port(prefix).then(|| url.port_or_known_default()).flatten()),
                path: segments(&url).ok_or_else(|| fault("its path holds an encoded slash"))?,
            }),
            _ => Err(fault("only http, https and file can be allowed")),
        }
    }

    fn allows_web(&self, url: &Url) -> bool {
        let Self::Web { scheme, host, port, path } = self else { return false };
        let same_host = url.host().is_some_and(|found| found.to_owned() == *host);
        let same_port = port.is_none_or(|port| url.port_or_known_default() == Some(port));
        let below = path.is_empty() || segments(url).is_some_and(|found| found.starts_with(path));
        url.scheme() == scheme && same_host && same_port && below
    }
}

/// Returns whether a valid URL has an explicit port.
fn explicit_port(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest);
    let after_address = authority.rsplit(']').next().unwrap_or(authority);
    after_address.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty())
}

/// Returns the path segments without a trailing empty one. `None` if a segment contains an encoded slash, because
/// another parser might split it differently. The parser resolves `..`.
fn segments(url: &Url) -> Option<Vec<String>> {
    let mut segments: Vec<String> = url.path_segments()?.map(str::to_owned).collect();
    if segments.last().is_some_and(String::is_empty) {
        segments.pop();
    }
    let hidden = |segment: &String| {
        let lower = segment.to_ascii_lowercase();
        ["%2f", "%5c"].iter().any(|slash| lower.contains(slash))
    };
    (!segments.iter().any(hidden)).then_some(segments)
}

#[cfg(test)]
mod forged_urls_tests;
#[cfg(test)]
mod tests;
