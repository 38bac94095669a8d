//! Trainyard: a self-hosted service that trains language models.
//!
//! Programs that call a service use [`client`], alone with `default-features = false, features = ["client"]`.
//!
//! Data flows one way: HTTP, the generated router, [`api`], the domain ([`chat`], [`training`], [`jobs`]), then
//! [`engine`] and [`store`]. A lower module never names a higher one.

#![cfg_attr(not(feature = "server"), allow(rustdoc::broken_intra_doc_links, reason = "the text names the whole"))]

#[cfg(feature = "server")]
pub mod api;
#[cfg(feature = "server")]
pub mod auth;
#[cfg(feature = "server")]
pub mod chat;
#[cfg(feature = "server")]
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "codegen")]
#[allow(missing_docs, reason = "the fields of the intermediate representation say it by their names")]
pub mod codegen;
#[cfg(feature = "server")]
pub mod docs;
#[cfg(feature = "server")]
pub mod engine;
#[cfg(feature = "client")]
mod error_chain;
#[cfg(feature = "client")]
pub mod generated;
#[cfg(feature = "server")]
mod hexadecimal;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "server")]
pub mod jobs;
#[cfg(any(feature = "client", feature = "http"))]
pub mod json;
#[cfg(feature = "server")]
pub mod limits;
#[cfg(feature = "server")]
pub mod metrics;
#[cfg(feature = "server")]
pub mod model_files;
#[cfg(feature = "server")]
pub mod models;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "server")]
pub mod spec_diff;
#[cfg(feature = "server")]
pub mod stop;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
pub mod text;
#[cfg(feature = "server")]
pub mod training;
#[cfg(feature = "server")]
pub mod usage;
#[cfg(any(feature = "client", feature = "http"))]
pub mod validation;
