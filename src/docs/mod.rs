//! What the service says about itself: `GET /openapi.json`, and with the feature `docs` a page to read and try it out.
//!
//! These paths are not in the document: they describe the service, they are no part of it.

mod file;
#[cfg(feature = "docs")]
mod page;

use axum::Router;

use crate::generated::OPENAPI_JSON;
use file::{File, Kind};

/// Which of the service's operations an address answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// All, those of the inference API under `/inference/v1`.
    Everything,
    /// All but those of the inference API, which has an address of its own.
    Service,
    /// Those of the inference API, under `/v1`.
    Inference,
}

/// The routes that describe the service at `address`.
pub fn routes(address: Address) -> Router {
    let routes = File::new(Kind::Json, OPENAPI_JSON).serve(Router::new(), "/openapi.json");
    #[cfg(feature = "docs")]
    let routes = routes.merge(page::routes(address));
    #[cfg(not(feature = "docs"))]
    let _ = address;
    routes
}
