//! What `build.rs` writes into `generated/` from `spec/openapi.yaml`, and the document itself.

#[path = "../generated/client.rs"]
#[rustfmt::skip]
pub mod client;
#[path = "../generated/types.rs"]
#[rustfmt::skip]
pub mod types;
#[path = "../generated/unions.rs"]
#[rustfmt::skip]
pub mod unions;
#[cfg(feature = "server")]
#[path = "../generated/server.rs"]
#[rustfmt::skip]
pub mod server;
#[cfg(feature = "server")]
#[path = "../generated/validate.rs"]
#[rustfmt::skip]
mod validate;

/// The canonical document, as it is written.
pub const OPENAPI_YAML: &str = include_str!("../spec/openapi.yaml");

/// The canonical document as JSON.
pub const OPENAPI_JSON: &str = include_str!("../generated/openapi.json");
