//! Paths that the OpenAPI document cannot express, and unknown paths.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};
use tower::ServiceExt;

use super::session_requests::SESSION;
use super::{API_KEY, Api};
use crate::http::{self, ApiError, Carrier, Requirement, Security};

/// The base paths that clients are configured with.
const BASES: [&str; 2] = ["/v1", "/inference/v1"];
/// Security requirement of requests below a base path.
const KEY: Security = &[
    &[Requirement { scheme: "bearer", carrier: Carrier::Bearer, scopes: &[] }],
    &[Requirement { scheme: API_KEY, carrier: Carrier::Header("x-api-key"), scopes: &[] }],
];

/// OpenAI endpoints that this service does not have: the beginning of their path below a base path, and topic. A star
/// stands for any segment.
const ELSEWHERE: [(&str, &str); 22] = [
    ("assistants", "assistants"),
    ("audio", "speech, transcription or translation"),
    ("chatkit", "chat interfaces"),
    ("containers", "containers"),
    ("conversations", "stored conversations"),
    ("edits", "edits"),
    ("embeddings", "embeddings"),
    ("evals", "evaluations"),
    ("fine_tuning/alpha/graders", "graders"),
    ("fine_tuning/checkpoints/*/permissions", "permissions of checkpoints: each key samples all models of its entity"),
    ("fine_tuning/jobs/*/pause", "pause of fine-tuning jobs"),
    ("fine_tuning/jobs/*/resume", "pause of fine-tuning jobs"),
    ("images", "images"),
    ("moderations", "moderations"),
    ("realtime", "realtime sessions"),
    ("rerank", "reranking"),
    ("skills", "skills"),
    ("threads", "assistants"),
    ("uploads", "uploads in parts: POST /v1/files takes up to 4 GiB at once"),
    ("vector_stores", "vector stores"),
    ("videos", "videos"),
    ("webhooks", "webhooks"),
];

/// Returns the topic of an endpoint that this service does not have.
fn elsewhere(path: &str) -> Option<&'static str> {
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let is_below = |pattern: &str| {
        let wanted = pattern.split('/');
        let mut pairs = wanted.clone().zip(&segments);
        wanted.count() <= segments.len() && pairs.all(|(wanted, found)| wanted == "*" || wanted == *found)
    };
    ELSEWHERE.iter().find(|(pattern, _)| is_below(pattern)).map(|(_, about)| *about)
}

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

/// Ends of the paths of listings whose filter clients write in brackets.
const FILTERED: [&str; 2] = ["/v1/fine_tuning/jobs", "/v1/chat/completions"];

/// Returns a query with the pairs `metadata[NAME]=TEXT` as one `metadata` in JSON; `None` without such a pair.
fn plain_notes(query: &str) -> Option<String> {
    let decoded = |text: &str| Some(percent_decode_str(&text.replace('+', " ")).decode_utf8().ok()?.into_owned());
    let mut notes = Map::new();
    let mut pairs: Vec<String> = Vec::new();
    for pair in query.split('&') {
        let note = pair.split_once('=').and_then(|(key, text)| {
            let name = decoded(key)?.strip_prefix("metadata[")?.strip_suffix(']')?.to_owned();
            Some((name, decoded(text)?))
        });
        match note {
            Some((name, text)) => drop(notes.insert(name, text.into())),
            None => pairs.push(pair.to_owned()),
        }
    }
    let text = Value::Object(notes.clone()).to_string();
    pairs.push(format!("metadata={}", utf8_percent_encode(&text, NON_ALPHANUMERIC)));
    (!notes.is_empty()).then(|| pairs.join("&"))
}

/// Returns a query with the pairs `include[]=VALUE` as `include=VALUE`; `None` without such a pair.
fn plain_list(query: &str) -> Option<String> {
    let plain = |pair: &str| match pair.split_once('=') {
        Some(("include[]" | "include%5B%5D", value)) => format!("include={value}"),
        _ => pair.to_owned(),
    };
    let plain: Vec<String> = query.split('&').map(plain).collect();
    let plain = plain.join("&");
    (plain != query).then_some(plain)
}

/// Converts requests that clients of OpenAI's API send and the document cannot express.
pub(super) async fn of_other_clients(mut request: Request, next: Next) -> Response {
    let uri = request.uri();
    let path = uri.path();
    let plain = |query| match path.contains("/v1/responses/") {
        true => plain_list(query),
        false => FILTERED.iter().any(|filtered| path.ends_with(filtered)).then(|| plain_notes(query))?,
    };
    if let Some(query) = uri.query().and_then(plain) {
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = PathAndQuery::try_from(format!("{path}?{query}")).ok();
        if let Ok(plain) = Uri::from_parts(parts) {
            *request.uri_mut() = plain;
        }
    }
    next.run(request).await
}

/// Returns the URI with the slashes of the name encoded.
fn encoded_name(uri: &Uri, models: &str) -> Option<Uri> {
    let name = uri.path().strip_prefix(models)?.strip_prefix('/')?.replace('/', "%2F");
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("{models}/{name}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}

/// Adds the base URL of each recorded session: `/sessions/ID/v1/…` is handled as `/v1/…` with the session's header.
pub(super) fn with_session_bases(routes: Router) -> Router {
    let inner = routes.clone();
    let handle = any(async move |mut request: Request| -> Response {
        let Some((uri, session)) = beneath_session(request.uri()) else { return http::unknown_path(request).await };
        *request.uri_mut() = uri;
        request.headers_mut().append(SESSION, session);
        inner.oneshot(request).await.into_response()
    });
    routes.route("/sessions/{session}/v1/{*path}", handle)
}

/// Returns the URI below the base URL of a session, and the session's id.
fn beneath_session(uri: &Uri) -> Option<(Uri, HeaderValue)> {
    let (session, rest) = uri.path().strip_prefix("/sessions/")?.split_once('/')?;
    let session = HeaderValue::from_str(session).ok()?;
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("/{rest}{query}")).ok()?);
    Some((Uri::from_parts(parts).ok()?, session))
}

/// Returns the address by which a caller reached the service, from its headers.
pub(super) fn caller_address(host: Option<String>, forwarded_proto: Option<&str>) -> String {
    // With several proxies, the header's first value, which the outermost proxy added.
    let outermost = forwarded_proto.and_then(|list| list.split(',').next()).map(str::trim);
    let scheme = if outermost == Some("https") { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or_else(|| "127.0.0.1:8000".to_owned()))
}

/// Returns the response for an unknown path. Below a base path the key is checked first, as for known paths.
pub(super) async fn nothing_here(api: Arc<Api>, request: Request) -> Response {
    let below = BASES.iter().find_map(|base| request.uri().path().strip_prefix(base));
    let Some(below) = below.filter(|below| below.is_empty() || below.starts_with('/')) else {
        return http::unknown_path(request).await;
    };
    let about = elsewhere(below);
    let (parts, body) = request.into_parts();
    match (http::authenticate(&*api, &parts, KEY).await, about) {
        (Err(failure), _) => failure.into_response(),
        (Ok(_), Some(about)) => ApiError::not_found(format!(
            "this service has no {about}; it trains language models and samples text from them, with chat/completions, \
             responses, messages and completions"
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
    fn notes_in_brackets_are_made_plain() {
        for (query, plain) in [
            ("metadata[a]=b&limit=2", Some("limit=2&metadata=%7B%22a%22%3A%22b%22%7D")),
            ("metadata%5Ba%3D%5D=c+d", Some("metadata=%7B%22a%3D%22%3A%22c%20d%22%7D")),
            ("metadata=%7B%7D&after=x[y]", None),
            ("metadata[team&x", None),
        ] {
            assert_eq!(plain_notes(query).as_deref(), plain, "{query}");
        }
        assert_eq!(plain_list("a=1&include[]=x&include%5B%5D=y").as_deref(), Some("a=1&include=x&include=y"));
        assert_eq!(plain_list("include=x"), None);
    }

    #[test]
    fn endpoints_of_others_are_known_by_their_path() {
        for (path, known) in [
            ("/uploads", true),
            ("/uploads/upload_1/parts", true),
            ("/fine_tuning/checkpoints/ft:a/permissions/cp_1", true),
            ("/fine_tuning/checkpoints/ft:a", false),
            ("/fine_tuning/jobs/ftjob-1/pause", true),
            ("/fine_tuning/jobs/ftjob-1/paus", false),
            ("/uploadsx", false),
            ("", false),
        ] {
            assert_eq!(elsewhere(path).is_some(), known, "{path}");
        }
    }

    #[test]
    fn a_path_below_a_session_is_one_of_the_api() {
        let beneath = |uri: &str| {
            let (uri, session) = beneath_session(&uri.parse().unwrap())?;
            Some((uri.to_string(), session.to_str().unwrap().to_owned()))
        };
        let found = |uri: &str| Some((uri.to_owned(), "a-b".to_owned()));
        assert_eq!(beneath("/sessions/a-b/v1/messages?beta=true"), found("/v1/messages?beta=true"));
        assert_eq!(beneath("http://host/sessions/a-b/v1/x/y"), found("http://host/v1/x/y"));
        assert_eq!(beneath("/v1/sessions/a-b/v1"), None);
    }

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
