//! What the generated server leans on: reading requests, writing answers, and one shape for every refusal.
//!
//! Nothing of axum's extractors or rejections is used: each refusal is the documented
//! `{"error": {"message", "type", "param", "code"}}`, with all four keys.

mod accept;
pub mod answer;
mod answer_headers;
mod authenticate;
mod body;
pub mod decode;
mod download;
mod events;
mod failure;
pub mod multipart;
mod range;
mod stream;
mod template;
pub mod validation;

pub use accept::Accept;
pub use answer::OperationId;
pub use answer_headers::{add_to_answer, with_added_headers};
pub use authenticate::{
    Authenticate, Carrier, Credentials, Presented, Requirement, Secret, Security, authenticate, authenticate_optional,
};
pub use decode::JsonItems;
pub use download::Download;
pub use events::{EventLabel, EventStream};
pub use failure::{Envelope, EnvelopeDetail, ErrorStatus, Failure, FailureReport};
pub use multipart::{FilePart, PartReader, PartStream};
pub use range::{RangeRequest, Selection};
pub use stream::BodyStream;
pub use template::{Part, Template};

// What generated code names, so that a crate of generated code needs no more than this one.
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
    /// Whether a caller must be known.
    pub secured: bool,
    /// The credentials that it takes: alternatives of what belongs together; none for an open operation.
    pub security: Security,
    /// The documented statuses: codes, ranges such as `4XX`, `default`.
    pub statuses: &'static [&'static str],
    /// Whether it should no longer be used.
    pub deprecated: bool,
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

/// Writes every refusal of a router in another shape than [`Envelope`]: for documents with an envelope of their own.
///
/// `render` gets each [`Failure`] that is about to be answered, those of unknown paths included. Headers such as
/// `Retry-After` and `WWW-Authenticate` stay unless the rendered answer sets them.
pub fn render_refusals(routes: Router, render: fn(&Failure) -> Response) -> Router {
    routes.layer(map_response(move |response: Response| async move {
        let Some(failure) = response.extensions().get::<Arc<Failure>>().cloned() else { return response };
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

/// The answer where the document has nothing.
pub async fn unknown_path(request: Request) -> Response {
    Failure::not_found(format!("there is nothing at {} {}", request.method(), request.uri().path())).into_response()
}

/// The answer where several templates share a route and none of the request's method fits its path: 405 with the
/// methods of those that fit, 404 when none does.
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
    let message = format!("{path} does not take {method}; the Allow header names what it takes");
    Failure::new(ErrorStatus::METHOD_NOT_ALLOWED, message).into_response()
}
