//! Paths that the OpenAPI document cannot express, and unknown paths.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower::ServiceExt;

use super::{API_KEY, Api};
use crate::http::{self, ApiError, Carrier, Requirement, Security};

/// The base paths that clients are configured with.
const BASES: [&str; 2] = ["/v1", "/inference/v1"];
/// Security requirement of requests below a base path.
const KEY: Security = &[
    &[Requirement { scheme: "bearer", carrier: Carrier::Bearer, scopes: &[] }],
    &[Requirement { scheme: API_KEY, carrier: Carrier::Header("x-api-key"), scopes: &[] }],
];

/// OpenAI endpoints that this service does not have: path segment below a base path, and topic.
const ELSEWHERE: [(&str, &str); 17] = [
    ("assistants", "assistants"),
    ("audio", "speech, transcription or translation"),
    ("batches", "batches"),
    ("containers", "containers"),
    ("conversations", "stored conversations"),
    ("edits", "edits"),
    ("embeddings", "embeddings"),
    ("evals", "evaluations"),
    ("images", "images"),
    ("moderations", "moderations"),
    ("realtime", "realtime sessions"),
    ("rerank", "reranking"),
    ("skills", "skills"),
    ("threads", "assistants"),
    ("uploads", "uploads in parts"),
    ("vector_stores", "vector stores"),
    ("videos", "videos"),
];

/// Accepts model names with unencoded slashes at the end of a path. Not every client encodes the slashes, and some
/// proxies decode them. `{models}/a/b` is handled as `{models}/a%2Fb`.
pub(super) fn with_unencoded_names(routes: Router, models: &'static str) -> Router {
    let encoded = routes.clone();
    let get = get(async move |mut request: Request| -> Response {
        let Some(uri) = encoded_name(request.uri(), models) else { return http::unknown_path(request).await };
        *request.uri_mut() = uri;
        encoded.oneshot(request).await.into_response()
    });
    routes.route(&format!("{models}/{{organization}}/{{*name}}"), get.fallback(http::unknown_path))
}

/// Returns the URI with the slashes of the name encoded.
fn encoded_name(uri: &Uri, models: &str) -> Option<Uri> {
    let name = uri.path().strip_prefix(models)?.strip_prefix('/')?.replace('/', "%2F");
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("{models}/{name}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}

/// Returns the response for an unknown path. Below a base path the key is checked first, as for known paths.
pub(super) async fn nothing_here(api: Arc<Api>, request: Request) -> Response {
    let below = BASES.iter().find_map(|base| request.uri().path().strip_prefix(base));
    let Some(below) = below.filter(|below| below.is_empty() || below.starts_with('/')) else {
        return http::unknown_path(request).await;
    };
    let segment = below.split('/').nth(1).unwrap_or_default();
    let about = ELSEWHERE.iter().find(|(name, _)| *name == segment).map(|(_, about)| *about);
    let (parts, body) = request.into_parts();
    match (http::authenticate(&*api, &parts, KEY).await, about) {
        (Err(failure), _) => failure.into_response(),
        (Ok(_), Some(about)) => ApiError::not_found(format!(
            "this service has no {about}: it trains language models and samples text from them, with chat/completions, \
             responses and completions"
        ))
        .with_code("unsupported_endpoint")
        .into_response(),
        (Ok(_), None) => http::unknown_path(Request::from_parts(parts, body)).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_of_a_name_are_encoded() {
        let encoded = |uri: &str| encoded_name(&uri.parse().unwrap(), "/v1/models").map(|uri| uri.to_string());
        for (uri, expected) in [
            ("/v1/models/a/b", Some("/v1/models/a%2Fb")),
            (
                "/v1/models/wandb-artifact:///e/p/n:step1?x=/",
                Some("/v1/models/wandb-artifact:%2F%2F%2Fe%2Fp%2Fn:step1?x=/"),
            ),
            ("/v1/models/a%2Fb/c%2fd", Some("/v1/models/a%2Fb%2Fc%2fd")),
            ("http://host/v1/models/a/b", Some("http://host/v1/models/a%2Fb")),
            ("/v1/modelsa/b", None),
        ] {
            assert_eq!(encoded(uri).as_deref(), expected, "{uri}");
        }
    }
}
