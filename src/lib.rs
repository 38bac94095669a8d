//! Trainyard: a self-hosted service that trains language models and serves every checkpoint.
//!
//! As a library, this crate is the Rust client of the service. As a program, `trainyard serve` is the service.
//!
//! ```no_run
//! use trainyard::client::Client;
//!
//! # async fn example() -> Result<(), trainyard::client::ClientError> {
//! let client = Client::from_env()?; // TRAINYARD_BASE_URL, TRAINYARD_API_KEY
//! for model in client.list_base_models().await?.into_inner().data {
//!     println!("{}", model.id);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! | Feature | Contents |
//! |---|---|
//! | `client` | the generated client, its types and typed streams; needs no C compiler |
//! | `aws-lc-rs` | https of the client with aws-lc-rs, for processors that graviola does not support |
//! | `schemars` | JSON Schemas of Rust types for tools and response formats, and of the generated types |
//! | `chrono`, `uuid` | conversions of times and UUIDs from and to these crates |
//! | `server` | the service and the command line |
//! | `docs` | the page at `/docs` |
//! | `codegen` | `trainyard spec`, and `generated/` written while building |
//!
//! All are on by default. A program that only calls a service takes `default-features = false, features = ["client"]`.
//!
//! # Modules
//!
//! * [`client`]: the client, with retries, pages and event streams.
//! * [`generated`]: types, validators and server traits of the document.
//! * [`json`] and [`validation`]: the runtime that the generated types need; `http` is that of generated servers.
//! * `engine` and `codegen`: the crates `trainyard-engine` and `trainyard-codegen`.
//! * `server`, `store`, `auth` and `cli` are public for the program and its tests, and have no stable interface.
//!
//! Data flows in one direction: HTTP, the generated router, `api`, the domain (`chat`, `training`, `jobs`), then the
//! engine and the store. **A lower module never refers to a higher one.** `docs/architecture.md` has the map.

#[cfg(feature = "server")]
mod api;
#[cfg(feature = "server")]
#[doc(hidden)]
pub mod auth;
#[cfg(feature = "server")]
mod batches;
#[cfg(feature = "server")]
mod chat;
#[cfg(feature = "server")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
mod cluster_check;
#[cfg(feature = "server")]
mod dashboard;
#[cfg(feature = "server")]
mod docs;
#[cfg(feature = "server")]
mod export;
#[cfg(feature = "client")]
pub mod generated;
#[cfg(feature = "server")]
mod jobs;
#[cfg(feature = "server")]
mod learners;
#[cfg(feature = "server")]
mod limits;
#[cfg(feature = "server")]
mod managed_engines;
#[cfg(feature = "server")]
mod metrics;
#[cfg(feature = "server")]
mod model_files;
#[cfg(feature = "server")]
mod models;
#[cfg(feature = "server")]
mod process_group;
#[cfg(feature = "server")]
#[doc(hidden)]
pub mod server;
#[cfg(feature = "server")]
mod server_address;
#[cfg(feature = "server")]
mod sessions;
#[cfg(feature = "server")]
mod stop;
#[cfg(feature = "server")]
mod telemetry;
#[cfg(feature = "server")]
mod usage;
#[cfg(feature = "server")]
mod vllm;

#[cfg(feature = "codegen")]
pub use trainyard_codegen as codegen;
#[cfg(feature = "server")]
pub use trainyard_engine as engine;
#[cfg(feature = "client")]
use trainyard_runtime::error_chain;
#[cfg(feature = "server")]
pub use trainyard_runtime::{budget, http, work_threads};
pub use trainyard_runtime::{json, validation};
#[cfg(feature = "server")]
#[doc(hidden)]
pub use trainyard_store as store;
#[cfg(feature = "server")]
use trainyard_text as text;
#[cfg(feature = "server")]
use trainyard_training as training;
