//! The OpenAPI description of the hand-written routes, which the document does not have, and their comparison with it.

use std::collections::BTreeSet;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt;
use utoipa::OpenApi;

use super::{Address, routes};
use crate::generated::OPENAPI_JSON;

/// Describes a file of a route.
macro_rules! files {
    ($($name:ident: $path:tt, $media_type:tt;)*) => {
        $(#[expect(dead_code, reason = "utoipa reads its attributes")]
        #[utoipa::path(get, path = $path, responses((status = OK, body = String, content_type = $media_type)))]
        fn $name() {})*

        #[expect(dead_code, reason = "utoipa reads its attributes")]
        #[utoipa::path(get, path = "/docs", responses((status = TEMPORARY_REDIRECT)))]
        fn docs() {}

        #[derive(OpenApi)]
        #[openapi(paths(docs, $($name),*))]
        struct Description;
    };
}

files! {
    openapi_json: "/openapi.json", "application/json";
    openapi_yaml: "/openapi.yaml", "application/yaml";
    openapi_clients: "/openapi.clients.json", "application/json";
    page: "/docs/", "text/html; charset=utf-8";
    start: "/docs/start.js", "text/javascript; charset=utf-8";
    bundle: "/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8";
    style: "/docs/swagger-ui.css", "text/css; charset=utf-8";
    icon: "/docs/favicon-32x32.png", "image/png";
    page_document: "/docs/openapi.json", "application/json";
}

/// Returns the paths of a router, which axum shows to debuggers only.
pub(crate) fn paths_of(routes: &Router) -> BTreeSet<String> {
    let shown = format!("{routes:?}");
    let (paths, _fallbacks) = shown.split_once("fallback_router").expect("the fallbacks come last");
    paths.split('"').skip(1).step_by(2).filter(|text| text.starts_with('/')).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_hand_written_route_is_described_and_none_is_an_operation() {
    let document: Value = serde_json::from_str(OPENAPI_JSON).expect("JSON");
    let description = serde_json::to_value(Description::openapi()).expect("JSON");
    let described = description["paths"].as_object().expect("paths");
    for address in [Address::Everything, Address::Service, Address::Inference] {
        let routes = routes(address);
        assert_eq!(paths_of(&routes), described.keys().cloned().collect(), "{address:?}");
        for (path, item) in described {
            assert!(document["paths"].get(path).is_none(), "{path} is in the document: its route is generated");
            let request = Request::get(path).body(Body::empty()).expect("a request");
            let response = routes.clone().oneshot(request).await.expect("a response");
            let (status, content) =
                item["get"]["responses"].as_object().and_then(|all| all.iter().next()).expect("one");
            assert_eq!(response.status().as_str(), status, "{path}");
            let media_type = content["content"].as_object().and_then(|types| types.keys().next());
            let sent = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
            assert_eq!(sent, media_type.map(String::as_str), "{path}");
            let request = Request::post(path).body(Body::empty()).expect("a request");
            let response = routes.clone().oneshot(request).await.expect("a response");
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        }
    }
}
