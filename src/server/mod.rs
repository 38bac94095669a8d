//! The listeners: accept loop, limits on connections, middleware, orderly stop.
//!
//! `axum::serve` has no header-read timeout, so connections are driven here with hyper directly.

mod listener;
mod middleware;
mod service;

pub use listener::{Limits, ServeError, bind, serve};
pub use middleware::RequestId;
pub use service::{FIRST_ENTITY, OnProgress, Service, Settings, StartError, open_metadata};
