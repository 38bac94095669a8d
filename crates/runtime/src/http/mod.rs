//! HTTP support for generated servers: request decoding, response encoding, one JSON shape for every error.
//!
//! axum's extractors and rejections are not used: each error body is the documented
//! `{"error": {"message", "type", "param", "code"}}`, with all four keys.

mod accept;
pub mod answer;
mod api_error;
mod authenticate;
mod body;
pub mod decode;
mod download;
mod events;
mod memory;
pub mod multipart;
mod range;
mod response_headers;
mod stream;
mod template;
pub mod validation;

pub use accept::Accept;
pub use answer::OperationId;
pub use api_error::{ApiError, Envelope, EnvelopeDetail, ErrorReport, ErrorStatus};
pub use authenticate::{
    Authenticate, Carrier, Credentials, Presented, Requirement, Secret, Security, authenticate, authenticate_optional,
};
pub use decode::JsonItems;
pub use download::Download;
pub use events::{EncodedEvents, EventLabel, EventStream};
pub use memory::{BodyMemory, take_body_memory};
pub use multipart::{FilePart, PartReader, PartStream};
pub use range::{RangeRequest, Selection};
pub use response_headers::{add_response_header, with_response_headers};
pub use stream::BodyStream;
pub use template::{Part, Template};

// Re-exports for generated code, so that its crate depends on this one only.
pub use crate::json;
pub use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue},
    response::{IntoResponse, Response},
    routing::{MethodFilter, on},
};
pub use serde_json::Value;

use std::sync::Arc;

use axum::{http::header, middleware::map_response};

/// Row of the generated operation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Operation id.
    pub id: &'static str,
    /// HTTP method in upper case.
    pub method: &'static str,
    /// Path relative to the base address, with `{parameters}`.
    pub path: &'static str,
    /// Tag, which also names the trait.
    pub tag: &'static str,
    /// Name of the base address; `None` for the document's own.
    pub base: Option<&'static str>,
    /// Whether the operation requires an authenticated caller.
    pub secured: bool,
    /// Accepted credentials: alternatives, each a set that is required together. Empty for an open operation.
    pub security: Security,
    /// Documented statuses: codes, ranges such as `4XX`, `default`.
    pub statuses: &'static [&'static str],
    /// Whether the operation is deprecated.
    pub deprecated: bool,
    /// Operation id of the operation that handles this route; `None` if it is not an alias.
    pub alias_of: Option<&'static str>,
    /// Whether the operation is an extension, absent from the service that this one is compatible with.
    pub extension: bool,
}

/// Adds the error responses for unknown paths (404) and methods that a path does not allow (405).
///
/// Call it once, after every router is merged or nested: the fallbacks cover the routes that exist then.
pub fn with_fallbacks(routes: Router) -> Router {
    routes.fallback(unknown_path).method_not_allowed_fallback(wrong_method)
}

/// Replaces the body of every error response, for documents whose errors have another shape than [`Envelope`].
///
/// `render` receives each [`ApiError`] before its response is sent, those of unknown paths included. Headers such as
/// `Retry-After` and `WWW-Authenticate` stay unless the rendered response sets them.
pub fn map_error_responses(routes: Router, render: fn(&ApiError) -> Response) -> Router {
    routes.layer(map_response(move |response: Response| async move {
        let Some(failure) = response.extensions().get::<Arc<ApiError>>().cloned() else { return response };
        let mut rendered = render(&failure);
        let (parts, _) = response.into_parts();
        for (name, value) in &parts.headers {
            let of_the_body = [header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name);
            if !of_the_body && !rendered.headers().contains_key(name) {
                rendered.headers_mut().append(name, value.clone());
            }
        }
        let mut extensions = parts.extensions;
        extensions.extend(std::mem::take(rendered.extensions_mut()));
        *rendered.extensions_mut() = extensions;
        rendered
    }))
}

/// Responds 404 to a path that the document does not have.
pub async fn unknown_path(request: Request) -> Response {
    ApiError::not_found(format!("no route for {} {}", request.method(), request.uri().path())).into_response()
}

/// Responds to a request whose method no matching template has: 405 with the methods of the templates that match the
/// path, 404 if none does. Several templates can share a route.
pub async fn other_method(request: Request, routes: &[(&'static str, Template)]) -> Response {
    let fitting = routes.iter().filter(|(_, template)| template.fits(request.uri()));
    let mut methods: Vec<&str> = fitting.map(|(method, _)| *method).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.sort_unstable();
    methods.dedup();
    if methods.is_empty() {
        return unknown_path(request).await;
    }
    let mut response = wrong_method(request).await;
    if let Ok(methods) = HeaderValue::from_str(&methods.join(",")) {
        response.headers_mut().insert(header::ALLOW, methods);
    }
    response
}

async fn wrong_method(request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("method {method} is not allowed for `{path}`; the Allow header lists the allowed methods");
    ApiError::new(ErrorStatus::METHOD_NOT_ALLOWED, message).into_response()
}
