//! The API's documentation: `GET /openapi.json` and `GET /openapi.yaml`, the document for generators of clients at
//! `GET /openapi.clients.json`, and with the feature `docs` an interactive page.
//!
//! These paths are not in the OpenAPI document, because they describe the service and are not part of it.

pub(crate) mod clients;
#[cfg(all(test, feature = "docs"))]
pub(crate) mod description_tests;
pub(crate) mod file;
#[cfg(feature = "docs")]
mod page;

use axum::Router;

use crate::generated::{OPENAPI_JSON, OPENAPI_YAML};
use file::{File, Kind};

/// The operations that are available at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// All operations, those of the inference API under `/inference/v1`.
    Everything,
    /// All operations but those of the inference API, which has its own address.
    Service,
    /// The operations of the inference API, under `/v1`.
    Inference,
}

/// Returns the documentation routes for `address`.
pub fn routes(address: Address) -> Router {
    let routes = File::new(Kind::Json, OPENAPI_JSON).serve(Router::new(), "/openapi.json");
    let routes = File::new(Kind::Yaml, OPENAPI_YAML).serve(routes, "/openapi.yaml");
    let routes = File::serve_lazily(|| File::new(Kind::Json, clients::document()), routes, "/openapi.clients.json");
    #[cfg(feature = "docs")]
    let routes = routes.merge(page::routes(address));
    #[cfg(not(feature = "docs"))]
    let _ = address;
    routes
}
