//! The client of a Trainyard service.
//!
//! ```no_run
//! use trainyard::client::{Client, ClientError, message, types::{ChatCompletionRequest, UserMessage}};
//!
//! # async fn example() -> Result<(), ClientError> {
//! let client = Client::from_env()?; // TRAINYARD_BASE_URL, TRAINYARD_API_KEY
//! let question = message(UserMessage::new("Say yes or no."))?;
//! let request = ChatCompletionRequest::new("trainyard/seedling", [question]).temperature(0.0);
//! let completion = client.create_chat_completion(&request).await?;
//! println!("{:?}", completion.choices[0].message.content);
//! # Ok(())
//! # }
//! ```
//!
//! Dependencies for the client without the engine and the server. They build with only the Rust compiler:
//!
//! ```toml
//! trainyard = { version = "0.1", default-features = false, features = ["client"] }
//! tokio = { version = "1", features = ["macros", "rt"] }
//! ```
//!
//! # Operations
//!
//! [`Client`] has a method for each operation of the OpenAPI document, named after the operation or its `x-rust-name`.
//! The request and response types are in [`types`]. Required parameters are arguments of the method; optional ones are
//! methods of the request that it returns, which is sent when it is awaited:
//!
//! ```no_run
//! # async fn example(client: trainyard::client::Client) -> Result<(), trainyard::client::ClientError> {
//! let page = client.list_models().project("demo").limit(10).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A call returns a [`ResponseValue`], which dereferences to the response type;
//! `headers()` returns the response headers and `into_inner()` the owned value. [`Client::builder`] changes the settings
//! that [`Client::from_env`] leaves at their defaults.
//!
//! A type of requests has `new`, with the required fields, and a method for each optional field; [`from_json`] builds it
//! from JSON instead. A field that is `None` is not sent: the service treats null as absence. Ids are opaque texts in
//! requests and responses: any text that is no id returns 404. Times such as `created_at` are seconds since 1970-01-01 UTC.
//!
//! The `examples/` directory of the repository contains a chat, a stream, structured output, supervised fine-tuning, a
//! reinforcement learning loop, and a monitor of a running job.
//!
//! # Streams
//!
//! * [`Client::stream_chat_completion`]: the chunks of a completion.
//! * [`Client::watch_training_job`]: the events of a job until it ends.
//! * `into_stream()` of the request of a listing, such as `client.list_models().into_stream()`: the items of all pages.
//!
//! Each is a [`ResultStream`]: a `Stream` with its own `try_next` and `try_collect`. An incomplete stream always ends
//! with an error.
//!
//! # Files
//!
//! [`Client::create_file`] uploads a file from memory or from a stream. Operations that return bytes return a
//! [`Download`], which yields the content chunk by chunk.
//!
//! # Errors
//!
//! Every call fails with a [`ClientError`]. Its message is for people. Programs use
//! [`status`](ClientError::status), [`code`](ClientError::code), [`detail`](ClientError::detail),
//! [`request_id`](ClientError::request_id) and [`is_retryable`](ClientError::is_retryable). If a proxy responds with a
//! page of its own, the error keeps the status and the message contains the beginning of the page.
//!
//! # Time limits and retries
//!
//! The connect time-out is 10 s and the read time-out between two chunks of a response is 600 s. The total time is not
//! limited. Reads and deletions are attempted up to three times. A POST is retried only with
//! [`Client::with_idempotency_key`]: without a key the service cannot distinguish a repeated POST from a new one.
//! [`RetryPolicy`] documents the rules; [`ClientBuilder`] changes all of these settings.
//!
//! The client trusts no size that a service sends: it reads responses, error pages and stream events up to a limit.
//!
//! # https
//!
//! The feature `client` implements https with rustls and the cryptography of [graviola], which needs no C compiler. It
//! trusts the system's certificates. Graviola runs on x86-64 with AVX2 and ADX (most processors since 2014) and on
//! 64-bit Arm with AES; on other processors https fails with an error that names this cause. The feature `aws-lc-rs`,
//! which is a default feature and needs a C compiler, uses aws-lc-rs instead. A rustls provider that the application
//! installs for the whole process takes precedence over both.
//!
//! [graviola]: https://crates.io/crates/graviola

mod body;
mod builder;
mod call;
mod error;
mod event_decoder;
mod files;
#[cfg(feature = "schemars")]
mod json_schema;
mod pages;
mod responses;
mod retry;
mod stream;
mod tls;

pub use body::{from_json, message};
pub use builder::{API_KEY_VARIABLE, BASE_URL_VARIABLE, ClientBuilder};
pub use call::Client;
#[cfg(feature = "server")]
pub(crate) use call::read;
pub use error::{ClientError, Rejection};
pub use event_decoder::{EventDecoder, EventTooLarge, ServerEvent};
pub use files::Download;
#[cfg(feature = "schemars")]
pub use json_schema::json_schema_of;
pub(crate) use pages::page_parts;
pub use pages::{Page, pages};
pub use progenitor_client::ResponseValue;
pub use retry::RetryPolicy;
pub use serde_json::json;
pub use stream::ResultStream;

pub use crate::generated::{client as requests, types};

/// Creates a client of the service at `base_url` that sends `api_key`, with default settings otherwise.
///
/// # Errors
///
/// Returns the errors of [`ClientBuilder::build`].
pub fn connect(base_url: &str, api_key: &str) -> Result<Client, ClientError> {
    Client::builder().base_url(base_url).api_key(api_key).build()
}
