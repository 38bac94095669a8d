//! HTTP support for generated servers: request decoding, response encoding, one JSON shape for every error.
//!
//! axum's extractors and rejections are not used: each error body is the documented
//! `{"error": {"message", "type", "param", "code"}}`, with all four keys.

mod accept;
mod api_error;
mod authenticate;
mod body;
mod call;
pub mod decode;
mod download;
mod events;
mod memory;
pub mod multipart;
mod operation;
pub mod parameters;
mod range;
pub mod response;
mod response_headers;
mod response_memory;
mod routes;
mod stream;
mod template;
pub mod validation;

pub use accept::Accept;
pub use api_error::{ApiError, Envelope, EnvelopeDetail, ErrorReport, ErrorStatus};
pub use authenticate::{
    Authenticate, Carrier, Credentials, Presented, Requirement, Secret, Security, authenticate, authenticate_optional,
};
pub use call::{Call, Input, unlimited};
pub use decode::JsonItems;
pub use download::Download;
pub use events::{EncodedEvents, EventLabel, EventStream};
pub use memory::{BodyMemory, take_body_memory};
pub use multipart::{FilePart, PartReader, PartStream};
pub use operation::Operation;
pub use range::{RangeRequest, Selection};
pub use response::{OperationId, example};
pub use response_headers::{add_response_header, with_response_headers};
pub use response_memory::{hold_response, reserve_response};
pub use routes::{Endpoint, Method, MethodOfCaller, Routes, open, optional, secured};
pub use stream::BodyStream;

// Re-exports for generated code, so that its crate depends on this one only.
pub use crate::json;
pub use axum::Router;
pub use axum::body::Bytes;
pub use axum::extract::Request;
pub use axum::http::{HeaderMap, HeaderValue};
pub use axum::response::{IntoResponse, Response};
pub use serde_json::Value;

use std::sync::Arc;

use axum::http::header;
use axum::middleware::map_response;

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

async fn wrong_method(request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("method {method} is not allowed for `{path}`; the Allow header lists the allowed methods");
    ApiError::new(ErrorStatus::METHOD_NOT_ALLOWED, message).into_response()
}
