//! A static file of the service, cacheable and with an entity tag.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

/// Cache lifetime, after which clients revalidate with the entity tag.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Media type of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Json,
    Yaml,
    Html,
    Script,
    Style,
    Svg,
    #[cfg(feature = "docs")]
    Png,
}

impl Kind {
    fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
            Self::Html => "text/html; charset=utf-8",
            Self::Script => "text/javascript; charset=utf-8",
            Self::Style => "text/css; charset=utf-8",
            Self::Svg => "image/svg+xml",
            #[cfg(feature = "docs")]
            Self::Png => "image/png",
        })
    }
}

/// A file with its response headers.
#[derive(Clone)]
pub(crate) struct File {
    bytes: Bytes,
    tag: String,
    headers: HeaderMap,
}

impl File {
    pub(crate) fn new(kind: Kind, content: impl Into<Bytes>) -> Self {
        let bytes = content.into();
        // A strong entity tag: equal tags mean equal bytes.
        let tag = format!("\"{}\"", hex::encode(&Sha256::digest(&bytes)[..16]));
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, kind.media_type());
        headers.insert(header::CACHE_CONTROL, CACHE);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        Self { bytes, tag, headers }
    }

    pub(crate) fn with_header(mut self, name: header::HeaderName, value: &'static str) -> Self {
        self.headers.insert(name, HeaderValue::from_static(value));
        self
    }

    /// Adds a route for a file that its first request makes: a server starts without it.
    pub(crate) fn serve_lazily(make: impl Fn() -> Self + Send + Sync + 'static, routes: Router, path: &str) -> Router {
        let file = Arc::new(LazyLock::new(make));
        routes.route(path, get(async move |asked: HeaderMap| file.respond(&asked)))
    }

    /// Adds a route for the file. axum adds `HEAD` to `GET`.
    pub(crate) fn serve(self, routes: Router, path: &str) -> Router {
        routes.route(path, get(async move |asked: HeaderMap| self.respond(&asked)))
    }

    fn respond(&self, asked: &HeaderMap) -> Response {
        if self.is_known(asked) {
            return (StatusCode::NOT_MODIFIED, self.headers.clone()).into_response();
        }
        (self.headers.clone(), Body::from(self.bytes.clone())).into_response()
    }

    /// Returns whether the client has the current content, by `If-None-Match`. Weak tags match too (RFC 9110, 13.1.2).
    fn is_known(&self, asked: &HeaderMap) -> bool {
        asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|value| {
            value.trim() == "*" || value.split(',').any(|tag| tag.trim().trim_start_matches("W/") == self.tag)
        })
    }
}
