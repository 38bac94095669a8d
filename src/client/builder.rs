//! Client settings: base URL, API key, time-outs, retries.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;

use super::call::Settings;
use super::{Client, ClientError, RetryPolicy, tls};

/// Environment variable with the service's base URL, read by [`ClientBuilder::from_env`].
pub const BASE_URL_VARIABLE: &str = "TRAINYARD_BASE_URL";
/// Environment variable with the API key, read by [`ClientBuilder::from_env`].
pub const API_KEY_VARIABLE: &str = "TRAINYARD_API_KEY";

/// Default address of `trainyard serve`.
const DEFAULT_BASE_URL: &str = "http://127.0.0.1:8000";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const READ_TIMEOUT: Duration = Duration::from_secs(600);
/// Age at which an idle connection is not used again. The service closes one after 30 s, and a program that computes on
/// the thread of its runtime does not see that before it sends the next request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// Default limit on a response body, bytes. 128 long completions with logprobs stay below it.
const MAX_RESPONSE: usize = 256 << 20;

/// Settings of a [`Client`]; created by [`Client::builder`].
///
/// ```
/// # fn main() -> Result<(), trainyard::client::ClientError> {
/// use std::time::Duration;
/// use trainyard::client::{Client, RetryPolicy};
///
/// let client = Client::builder()
///     .base_url("https://training.example.org")
///     .api_key("ty-…".replace('…', "0"))
///     .connect_timeout(Duration::from_secs(5))
///     .retries(RetryPolicy { retries: 4, ..RetryPolicy::default() })
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "`build` makes the client"]
pub struct ClientBuilder {
    base_url: String,
    api_key: Option<String>,
    connect_timeout: Duration,
    read_timeout: Duration,
    retries: RetryPolicy,
    user_agent: String,
    largest_answer: usize,
    http_client: Option<reqwest::Client>,
}

impl Default for ClientBuilder {
    /// Returns the defaults: the service on this machine, no API key, 10 s connect time-out, 600 s read time-out, two
    /// retries.
    fn default() -> Self {
        Self {
            base_url: DEFAULT_BASE_URL.to_owned(),
            api_key: None,
            connect_timeout: CONNECT_TIMEOUT,
            read_timeout: READ_TIMEOUT,
            retries: RetryPolicy::default(),
            user_agent: concat!("trainyard-rust/", env!("CARGO_PKG_VERSION")).to_owned(),
            largest_answer: MAX_RESPONSE,
            http_client: None,
        }
    }
}

/// Omits the API key.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("base_url", &without_password(&self.base_url))
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("connect_timeout", &self.connect_timeout)
            .field("read_timeout", &self.read_timeout)
            .field("retries", &self.retries)
            .field("user_agent", &self.user_agent)
            .field("largest_answer", &self.largest_answer)
            .finish_non_exhaustive()
    }
}

impl ClientBuilder {
    /// Returns the default settings with the base URL from `TRAINYARD_BASE_URL` and the API key from
    /// `TRAINYARD_API_KEY`, where these are set.
    pub fn from_env() -> Self {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name: &str| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let defaults = Self::default();
        let base_url = given(BASE_URL_VARIABLE).unwrap_or(defaults.base_url);
        Self { base_url, api_key: given(API_KEY_VARIABLE), ..defaults }
    }

    /// Sets the base URL of the service, with or without `/v1`: `http://127.0.0.1:8000`.
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Sets the API key. The client sends it as a bearer token and never prints it.
    pub fn api_key(mut self, api_key: impl Into<String>) -> Self {
        self.api_key = Some(api_key.into());
        self
    }

    /// Sets the connect time-out. Default: 10 s.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets the read time-out: the longest time without data while the client waits for or reads a response. Default:
    /// 600 s. The total time of a request is not limited, so that streams and large uploads can complete.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// Sets the retry policy.
    pub fn retries(mut self, policy: RetryPolicy) -> Self {
        self.retries = policy;
        self
    }

    /// Sets the `User-Agent` header of every request. The name of your program helps the operator of the service.
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Sets the limit on a response body, bytes. Default: 256 MiB. In a stream, the limit applies to each event and not
    /// to the whole body.
    pub fn largest_answer(mut self, bytes: usize) -> Self {
        self.largest_answer = bytes;
        self
    }

    /// Sends requests through `http`. Its proxies, certificates and time-outs replace the builder's.
    ///
    /// Do not set a total time-out on it: it would abort streams.
    pub fn http_client(mut self, http: reqwest::Client) -> Self {
        self.http_client = Some(http);
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    ///
    /// Returns an error if the base URL is invalid, if the API key is missing or not a valid header value, or if the
    /// base URL uses https and the processor does not support the built-in cryptography.
    pub fn build(self) -> Result<Client, ClientError> {
        let base_url = root_of(&self.base_url)?;
        let key = self.api_key.as_deref().map(str::trim).filter(|key| !key.is_empty()).ok_or_else(|| {
            ClientError::Header(format!(
                "there is no API key: set {API_KEY_VARIABLE}, or call `api_key`; `trainyard keys create` makes one"
            ))
        })?;
        let mut authorization = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
            ClientError::Header("the API key has characters that cannot be sent: it is printable ASCII".to_owned())
        })?;
        authorization.set_sensitive(true);
        let user_agent = HeaderValue::from_str(&self.user_agent)
            .map_err(|_| ClientError::Header("the user agent has characters that cannot be sent".to_owned()))?;
        let client = match self.http_client {
            Some(client) => client,
            None => {
                let http = || {
                    let http = reqwest::Client::builder();
                    let http = http.connect_timeout(self.connect_timeout).read_timeout(self.read_timeout);
                    let http = http.pool_idle_timeout(IDLE_TIMEOUT);
                    // A proxy from the environment cannot reach a loopback address of this machine.
                    if is_loopback(&base_url) { http.no_proxy() } else { http }
                };
                let is_https = base_url.scheme() == "https";
                match tls::configure(http(), is_https).and_then(|http| Ok(http.build()?)) {
                    // A system without certificates, such as an empty container, can still speak http.
                    Err(error) if !is_https => http().tls_certs_only([]).build().map_err(|_| error)?,
                    built => built?,
                }
            }
        };
        let settings =
            Settings { authorization, user_agent, retries: self.retries, largest_answer: self.largest_answer };
        Ok(Client {
            baseurl: base_url.as_str().trim_end_matches('/').to_owned(),
            client,
            settings: Arc::new(settings),
            idempotency_key: None,
        })
    }
}

/// Returns the root URL of the service's paths. Accepts the base URL with or without `/v1`.
fn root_of(given: &str) -> Result<Url, ClientError> {
    let fault = |reason: String| ClientError::BaseUrl { given: without_password(given), reason };
    let text = given.trim();
    if text.is_empty() {
        return Err(fault(format!("it is empty; write one like {DEFAULT_BASE_URL}")));
    }
    if !text.contains("://") {
        return Err(fault(format!("it has no scheme; write http://{text} or https://{text}")));
    }
    let mut url = Url::parse(text).map_err(|error| fault(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(fault(format!("`{}` is not spoken here; write http or https", url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fault("it holds a user or password; the API key is given on its own".to_owned()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(fault("it has a query or fragment; leave out what follows `?` or `#`".to_owned()));
    }
    let path = url.path().trim_end_matches('/');
    if let Some(at) = path.find("/v1/").filter(|_| !path.ends_with("/v1")) {
        return Err(fault(format!("it is the address of one operation; leave out `{}`", &path[at..])));
    }
    let path = path.strip_suffix("/v1").map_or(path, |path| path.strip_suffix("/inference").unwrap_or(path));
    let path = path.trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

/// Returns the address without user and password, for error messages.
fn without_password(given: &str) -> String {
    let given = given.trim();
    match given.rsplit_once('@') {
        Some((secret, host)) => {
            let scheme = secret.split_once("://").map_or("", |(scheme, _)| scheme);
            format!("{scheme}://…@{host}")
        }
        None => given.to_owned(),
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

impl Client {
    /// Returns a builder with the default settings.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Creates a client from the environment variables `TRAINYARD_BASE_URL` (default `http://127.0.0.1:8000`) and
    /// `TRAINYARD_API_KEY`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ClientBuilder::build`].
    pub fn from_env() -> Result<Self, ClientError> {
        ClientBuilder::from_env().build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_taken_as_people_write_it() {
        for given in [
            "http://127.0.0.1:8000",
            "http://127.0.0.1:8000/",
            " http://127.0.0.1:8000/v1 ",
            "http://127.0.0.1:8000/v1/",
            "http://127.0.0.1:8000/inference/v1",
            "HTTP://127.0.0.1:8000//",
        ] {
            let client = Client::builder().base_url(given).api_key("k").build().unwrap();
            assert_eq!(client.base_url(), "http://127.0.0.1:8000", "{given}");
        }
        let below = Client::builder().base_url("https://example.org/trainyard/v1/").api_key("k").build().unwrap();
        assert_eq!(below.base_url(), "https://example.org/trainyard");
    }

    #[test]
    fn an_address_that_cannot_work_is_told() {
        let told = |given: &str| root_of(given).map(String::from).unwrap_err().to_string();
        let table: String = [
            "",
            "localhost:8000",
            "ftp://a",
            "http://",
            "http://user:secret@a/",
            "http://a/v1?x=1",
            "http://a/v1/chat/completions",
            "http://a:99999",
        ]
        .iter()
        .map(|given| format!("{}\n", told(given)))
        .collect();
        insta::assert_snapshot!(table, @r"
        the base URL `` cannot be used: it is empty; write one like http://127.0.0.1:8000
        the base URL `localhost:8000` cannot be used: it has no scheme; write http://localhost:8000 or https://localhost:8000
        the base URL `ftp://a` cannot be used: `ftp` is not spoken here; write http or https
        the base URL `http://` cannot be used: empty host
        the base URL `http://…@a/` cannot be used: it holds a user or password; the API key is given on its own
        the base URL `http://a/v1?x=1` cannot be used: it has a query or fragment; leave out what follows `?` or `#`
        the base URL `http://a/v1/chat/completions` cannot be used: it is the address of one operation; leave out `/v1/chat/completions`
        the base URL `http://a:99999` cannot be used: invalid port number
        ");
    }

    #[test]
    fn settings_come_from_the_environment() {
        let set = |name: &str| match name {
            BASE_URL_VARIABLE => Some(" http://10.0.0.7:9/v1\n".to_owned()),
            API_KEY_VARIABLE => Some("secret-key".to_owned()),
            _ => None,
        };
        let client = ClientBuilder::from_variables(set).build().unwrap();
        assert_eq!(client.base_url(), "http://10.0.0.7:9");
        let error = ClientBuilder::from_variables(|_| None).build().unwrap_err();
        assert!(error.to_string().contains(API_KEY_VARIABLE), "{error}");
        let error = Client::builder().api_key("a\nb").build().unwrap_err();
        assert!(error.to_string().contains("printable ASCII"), "{error}");
    }

    #[test]
    fn the_key_is_never_shown() {
        let builder = Client::builder().base_url("http://u:secret-key@a").api_key("secret-key");
        assert!(!format!("{builder:?}").contains("secret-key"), "{builder:?}");
        let error = builder.clone().build().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret-key"), "{error:?}");
        let client = builder.base_url("http://a").build().unwrap();
        assert!(!format!("{client:?} {client:#?}").contains("secret-key"), "{client:?}");
    }

    #[test]
    fn only_this_machine_is_reached_without_a_proxy() {
        for (url, expected) in [
            ("http://127.0.0.1:8000", true),
            ("http://[::1]:8000/", true),
            ("http://localhost", true),
            ("https://example.org", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(is_loopback(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
