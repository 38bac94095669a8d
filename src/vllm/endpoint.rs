//! Text form of a sampler's replicas: `[BASE=]vllm=URL,URL…`.

use std::str::FromStr;
use std::{fmt, io};

use url::Url;

use crate::server_address::is_server_address;

/// Scheme prefix of a name that stands for all of its addresses.
const DNS: &str = "dns+";

/// Address of one replica, or a name with the addresses of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// One replica.
    Fixed(Url),
    /// A replica at each address of a DNS name.
    Dns {
        /// Name to look up.
        host: String,
        /// Port of every replica.
        port: u16,
    },
}

/// Replicas of one base model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamplerOption {
    /// Name of the base model; `None` if the only one is meant.
    pub base: Option<String>,
    /// Its replicas, at least one.
    pub endpoints: Vec<Endpoint>,
}

/// Error of a text that names no replicas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?}: {reason}; write [BASE=]vllm=http://HOST:PORT, with commas between several addresses")]
pub struct EndpointError {
    given: String,
    reason: String,
}

impl Endpoint {
    /// Returns the address of each replica now.
    ///
    /// # Errors
    /// The name cannot be looked up.
    pub(super) async fn addresses(&self) -> io::Result<Vec<Url>> {
        match self {
            Self::Fixed(url) => Ok(vec![url.clone()]),
            Self::Dns { host, port } => {
                let found = tokio::net::lookup_host((host.as_str(), *port)).await?;
                Ok(found.filter_map(|address| Url::parse(&format!("http://{address}")).ok()).collect())
            }
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(url) => f.write_str(url.as_str().trim_end_matches('/')),
            Self::Dns { host, port } => write!(f, "{DNS}http://{host}:{port}"),
        }
    }
}

impl FromStr for Endpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (is_dns, address) = text.strip_prefix(DNS).map_or((false, text), |address| (true, address));
        let url = Url::parse(address).map_err(|error| format!("the address {text:?} is not valid: {error}"))?;
        if !is_server_address(&url) {
            return Err(format!("the address {text:?} needs scheme, host and port alone"));
        }
        if !is_dns {
            return Ok(Self::Fixed(url));
        }
        // A certificate names the host, and the addresses behind it have none.
        if url.scheme() != "http" {
            return Err(format!("{text:?} must begin with dns+http://"));
        }
        match (url.host_str(), url.port_or_known_default()) {
            (Some(host), Some(port)) => Ok(Self::Dns { host: host.to_owned(), port }),
            _ => Err(format!("the address {text:?} has no host")),
        }
    }
}

impl FromStr for SamplerOption {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let failed = |reason: String| EndpointError { given: text.to_owned(), reason };
        let (base, addresses) = match text.strip_prefix("vllm=") {
            Some(addresses) => (None, addresses),
            None => match text.split_once("=vllm=") {
                Some((base, addresses)) => (Some(base.to_owned()), addresses),
                None => return Err(failed("the kind of sampler is missing".to_owned())),
            },
        };
        let endpoints: Result<Vec<Endpoint>, String> = addresses.split(',').map(str::parse).collect();
        Ok(Self { base, endpoints: endpoints.map_err(failed)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_by_address_and_by_name() {
        let one = |text: &str| Endpoint::Fixed(Url::parse(text).expect("a URL"));
        let option: SamplerOption = "a/b=vllm=http://gpu1:8000,https://gpu2".parse().expect("valid");
        assert_eq!(option.base.as_deref(), Some("a/b"));
        assert_eq!(option.endpoints, [one("http://gpu1:8000"), one("https://gpu2")]);
        let option: SamplerOption = "vllm=dns+http://vllm.svc:8000".parse().expect("valid");
        assert_eq!(option.base, None);
        assert_eq!(option.endpoints, [Endpoint::Dns { host: "vllm.svc".to_owned(), port: 8000 }]);
    }

    #[test]
    fn everything_else_is_rejected_with_the_form() {
        for bad in [
            "",
            "http://gpu1:8000",
            "vllm=",
            "vllm=gpu1:8000",
            "vllm=http://a,,http://b",
            "vllm=http://a/v1",
            "vllm=http://u:p@a",
            "vllm=ftp://a",
            "vllm=dns+https://a",
            "a/b=sglang=http://a",
        ] {
            let error = bad.parse::<SamplerOption>().expect_err(bad).to_string();
            assert!(error.contains("[BASE=]vllm=http://HOST:PORT"), "{error}");
        }
    }
}
