//! What the generated server leans on: reading requests, writing answers, and one shape for every refusal.
//!
//! Nothing of axum's extractors or rejections is used: each refusal is the documented
//! `{"error": {"message", "type", "param", "code"}}`, with all four keys.

pub mod answer;
mod authenticate;
mod body;
pub mod decode;
mod events;
mod failure;
pub mod validation;

pub use answer::OperationId;
pub use authenticate::{Authenticate, authenticate};
pub use events::EventStream;
pub use failure::{ErrorStatus, Failure, FailureReport};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
};

/// A row of the generated operation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The operation id.
    pub id: &'static str,
    /// Upper case.
    pub method: &'static str,
    /// The path below the base address, with `{parameters}`.
    pub path: &'static str,
    /// The tag, and so the trait.
    pub tag: &'static str,
    /// Which base address; none means the training service's.
    pub base: Option<&'static str>,
    /// Whether it needs a key.
    pub secured: bool,
    /// The operation that answers here.
    pub alias_of: Option<&'static str>,
    /// Whether it is an addition to the service that this one is compatible with.
    pub extension: bool,
}

/// Completes an assembled router with the answers for unknown paths and wrong methods.
///
/// To be called once, after every router is merged or nested: the fallbacks cover the routes that are there.
pub fn finish(routes: Router) -> Router {
    routes.fallback(unknown_path).method_not_allowed_fallback(wrong_method)
}

async fn unknown_path(request: Request) -> Response {
    Failure::not_found(format!("there is nothing at {} {}", request.method(), request.uri().path())).into_response()
}

async fn wrong_method(request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("{path} does not take {method}; the Allow header names what it takes");
    Failure::new(ErrorStatus::METHOD_NOT_ALLOWED, message).into_response()
}
