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

/// A client of the service at `base_url` (`http://127.0.0.1:8080`, without `/v1`) that sends `api_key`.
pub fn connect(base_url: &str, api_key: &str) -> Result<Client, ClientError> {
    let mut bearer = reqwest::header::HeaderValue::from_str(&format!("Bearer {api_key}"))
        .map_err(|_| ClientError::Key("an API key is printable ASCII".to_owned()))?;
    bearer.set_sensitive(true);
    let http = reqwest::Client::builder()
        .default_headers([(reqwest::header::AUTHORIZATION, bearer)].into_iter().collect())
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(READ_TIMEOUT)
        .build()?;
    Ok(Client::new_with_client(base_url.trim_end_matches('/'), http))
}
