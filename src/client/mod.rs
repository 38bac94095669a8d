//! The client of the service: progenitor's, plus what it cannot express.
//!
//! [`connect`] builds one; its operations are methods of [`Client`]. [`Client::stream_chat_completion`] is the
//! streamed form of `create_chat_completion`.

mod error;
mod event_decoder;
mod hooks;
mod stream;

use std::time::Duration;

pub use error::ClientError;
pub use event_decoder::{EventDecoder, EventTooLarge};

pub use crate::generated::{
    client::{Client, ResponseValue},
    types,
};

/// To open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Between two reads of an answer. There is no limit on the whole: streams and large uploads take what they take.
const READ_TIMEOUT: Duration = Duration::from_secs(600);

/// A client of the service at `base_url` (`http://127.0.0.1:8000`, without `/v1`) that sends `api_key`.
pub fn connect(base_url: &str, api_key: &str) -> Result<Client, ClientError> {
    let mut bearer = reqwest::header::HeaderValue::from_str(&format!("Bearer {api_key}"))
        .map_err(|_| ClientError::Key("an API key is printable ASCII".to_owned()))?;
    bearer.set_sensitive(true);
    let mut http = reqwest::Client::builder()
        .default_headers([(reqwest::header::AUTHORIZATION, bearer)].into_iter().collect())
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(READ_TIMEOUT);
    if is_loopback(base_url) {
        // A proxy of the environment cannot reach this machine's own address.
        http = http.no_proxy();
    }
    Ok(Client::new_with_client(base_url.trim_end_matches('/'), http.build()?))
}

fn is_loopback(base_url: &str) -> bool {
    let url = reqwest::Url::parse(base_url).ok();
    let host = url.as_ref().and_then(reqwest::Url::host_str).unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_this_machine_is_reached_without_a_proxy() {
        for (url, expected) in [
            ("http://127.0.0.1:8000", true),
            ("http://[::1]:8000/", true),
            ("http://localhost", true),
            ("https://example.org", false),
            ("http://10.0.0.1", false),
            ("nonsense", false),
        ] {
            assert_eq!(is_loopback(url), expected, "{url}");
        }
    }
}
