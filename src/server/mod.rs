//! The listeners: accept loop, limits on connections, middleware, orderly stop.
//!
//! `axum::serve` has no header-read timeout, so connections are driven here with hyper directly. And hyper has no error
//! body, so it gets to see only requests that it will not refuse.

mod answer;
mod chunked;
mod descriptors;
mod head;
mod intake;
mod leftover;
mod listener;
mod middleware;
mod parts;
mod presence;
mod service;

pub use descriptors::bound_connections;
pub use listener::{Limits, ServeError, bind, serve};
pub use middleware::RequestId;
pub use parts::{open_artifacts, open_metadata, open_to_replay};
pub use service::{FIRST_ENTITY, OnProgress, Service, Settings, StandaloneWorker, StartError};
