//! The listeners: accept loop, connection limits, middleware, graceful shutdown.
//!
//! `axum::serve` has no limits on connections and no time-outs, so this module drives hyper directly. A request head that
//! hyper cannot parse gets hyper's own response, a status without a body.

mod connection;
mod connection_service;
mod descriptors;
mod drain_body;
mod half_close;
mod listener;
mod middleware;
mod open_connections;
mod parts;
mod presence;
mod request_head;
mod routes;
mod service;
mod settings;

pub use crate::docs::{Address as DocsAddress, routes as docs_routes};
pub use crate::learners::{
    Directories, LaunchOptions, LearnerAddress, LearnerDtype, LearnerServer, LearnerServers, LearnerUrlError,
};
pub use crate::metrics::Metrics;
pub use crate::training::{WandbKey, WandbServer};
pub use crate::vllm::{Endpoint, EndpointError, SamplerOption, SamplerSettings, Timing};
pub use descriptors::bound_connections;
pub use listener::{Limits, ServeError, bind, serve};
pub use middleware::RequestId;
pub(crate) use parts::{Download, adapter_directory, model_directory, open_to_check, replicas_by_base};
pub use parts::{lock_directory, open_artifacts, open_metadata, open_to_replay, read_schema};
pub use routes::Routes;
pub use service::{FIRST_ENTITY, OnProgress, Service, StandaloneWorker, StartError};
pub use settings::{BaseModelOption, MAX_THREADS, Settings};
