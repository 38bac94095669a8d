//! Code that `build.rs` generates from `spec/openapi.yaml` and `spec/learner.yaml` into `generated/`, and the OpenAPI
//! document of the service itself.

#[path = "../../generated/client.rs"]
#[rustfmt::skip]
pub mod client;
#[cfg(feature = "server")]
#[path = "../../generated/learner_client.rs"]
#[rustfmt::skip]
pub mod learner_client;
#[cfg(feature = "server")]
pub mod published;
#[path = "../../generated/types.rs"]
#[rustfmt::skip]
pub mod types;
#[path = "../../generated/unions.rs"]
#[rustfmt::skip]
pub mod unions;
#[cfg(feature = "server")]
#[path = "../../generated/server.rs"]
#[rustfmt::skip]
pub mod server;
#[cfg(feature = "server")]
#[path = "../../generated/validate.rs"]
#[rustfmt::skip]
mod validate;

/// The OpenAPI document as written, in YAML.
pub const OPENAPI_YAML: &str = include_str!("../../spec/openapi.yaml");

/// The OpenAPI document as JSON.
pub const OPENAPI_JSON: &str = include_str!("../../generated/openapi.json");
