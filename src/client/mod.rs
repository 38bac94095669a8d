//! The client of a Trainyard service.
//!
//! ```no_run
//! use trainyard::client::{Client, ClientError, from_json, json};
//!
//! # async fn example() -> Result<(), ClientError> {
//! let client = Client::from_env()?; // TRAINYARD_BASE_URL, TRAINYARD_API_KEY
//! let request = from_json(json!({
//!     "model": "trainyard/seedling",
//!     "messages": [{"role": "user", "content": "Say yes or no."}],
//! }))?;
//! let completion = client.create_chat_completion(None, None, &request).await?;
//! println!("{:?}", completion.choices[0].message.content);
//! # Ok(())
//! # }
//! ```
//!
//! In `Cargo.toml`, without the engine and the server; it builds with nothing but the Rust compiler:
//!
//! ```toml
//! trainyard = { version = "0.1", default-features = false, features = ["client"] }
//! tokio = { version = "1", features = ["macros", "rt"] }
//! ```
//!
//! # Operations
//!
//! [`Client`] has a method for each operation of the OpenAPI document, under the operation's name; request and answer
//! types are in [`types`]. A method gives a [`ResponseValue`]: it reads like the answer, knows its `headers()`, and
//! `into_inner()` takes the answer out. [`from_json`] makes a request body of JSON. [`Client::builder`] sets what
//! [`Client::from_env`] leaves at its default.
//!
//! The `examples/` directory of the repository has a chat, a stream, supervised fine-tuning, a loop of reinforcement
//! learning, and a look at a running job.
//!
//! # Streams
//!
//! * [`Client::stream_chat_completion`]: the chunks of a completion.
//! * [`Client::watch_training_job`]: the events of a job until it ends.
//! * [`Client::list_checkpoints_stream`], [`Client::training_job_events_stream`]: listings over all their pages, and
//!   [`pages`] for one of your own.
//!
//! Each is a [`ResultStream`]: a `Stream`, with `try_next` and `try_collect` of its own. An incomplete stream ends with
//! an error, never silently.
//!
//! # Files
//!
//! [`Client::create_file`] uploads, from memory or as a stream; what answers bytes gives a [`Download`], whose chunks come
//! one by one.
//!
//! # Errors
//!
//! Every call fails with a [`ClientError`]. Its text is for a person; for a program there are
//! [`status`](ClientError::status), [`code`](ClientError::code), [`detail`](ClientError::detail),
//! [`request_id`](ClientError::request_id) and [`is_retryable`](ClientError::is_retryable). The status survives when a
//! proxy answers with a page of its own; the text has the beginning of it then.
//!
//! # Time limits and retries
//!
//! A connection may take 10 s to open, and 600 s may pass between two pieces of an answer; nothing limits the whole.
//! Reads and deletions are tried three times; so is a POST where its caller asks for it with
//! [`Client::with_idempotency_key`], and only there: without a key the service cannot tell a repeated POST from a new
//! one. [`RetryPolicy`] has the rules, [`ClientBuilder`] changes all of it.
//!
//! Nothing of a service is trusted to be small: answers, error pages and events of streams are read up to a bound.
//!
//! # https
//!
//! The feature `client` speaks https through rustls with the cryptography of [graviola], so that no C compiler is
//! needed, and trusts the certificates that the system trusts. Graviola runs on x86-64 with AVX2 and ADX (most processors since 2014)
//! and on 64-bit Arm with AES; elsewhere https is refused with an error that says so. With the feature `aws-lc-rs`,
//! which is part of the default features and needs a C compiler, aws-lc-rs is used instead; a provider that the
//! application installs for the whole process comes before both.
//!
//! [graviola]: https://crates.io/crates/graviola

mod answers;
mod body;
mod builder;
mod call;
mod error;
mod event_decoder;
mod files;
mod pages;
mod retry;
mod stream;
mod tls;

pub use body::from_json;
pub use builder::{API_KEY_VARIABLE, BASE_URL_VARIABLE, ClientBuilder};
pub use call::Client;
pub use error::{ClientError, Refusal};
pub use event_decoder::{EventDecoder, EventTooLarge, ServerEvent};
pub use files::Download;
pub use pages::{Page, pages};
pub use progenitor_client::ResponseValue;
pub use retry::RetryPolicy;
pub use serde_json::json;
pub use stream::ResultStream;

pub use crate::generated::types;

/// A client of the service at `base_url` that sends `api_key`, all else at its default.
///
/// # Errors
///
/// As [`ClientBuilder::build`].
pub fn connect(base_url: &str, api_key: &str) -> Result<Client, ClientError> {
    Client::builder().base_url(base_url).api_key(api_key).build()
}
