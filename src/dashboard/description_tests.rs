//! The OpenAPI description of the dashboard's routes, which the document does not have, and their comparison with it.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tower::ServiceExt;
use utoipa::OpenApi;

use super::session::{Session, SignIn};
use super::{Sessions, guard, with_dashboard};
use crate::auth::create_key;
use crate::docs::description_tests::paths_of;
use crate::generated::OPENAPI_JSON;
use crate::store::background::LastOutcome;
use crate::store::sqlite::SqliteMetadata;

/// Describes a file of the page.
macro_rules! files {
    ($($name:ident: $path:tt;)*) => {
        $(#[expect(dead_code, reason = "utoipa reads its attributes")]
        #[utoipa::path(get, path = $path, responses((status = OK)))]
        fn $name() {})*

        #[derive(OpenApi)]
        #[openapi(paths(root, directory, read, sign_in, sign_out, $($name),*))]
        struct Description;
    };
}

files! {
    page: "/dashboard/";
    script: "/dashboard/dashboard.js";
    style: "/dashboard/dashboard.css";
    icon: "/dashboard/icon.svg";
}

#[expect(dead_code, reason = "utoipa reads its attributes")]
#[utoipa::path(get, path = "/", responses((status = TEMPORARY_REDIRECT)))]
fn root() {}

#[expect(dead_code, reason = "utoipa reads its attributes")]
#[utoipa::path(get, path = "/dashboard", responses((status = TEMPORARY_REDIRECT)))]
fn directory() {}

#[expect(dead_code, reason = "utoipa reads its attributes")]
#[utoipa::path(get, path = "/dashboard/session", responses((status = OK, body = Session), (status = FORBIDDEN)))]
fn read() {}

#[expect(dead_code, reason = "utoipa reads its attributes")]
#[utoipa::path(post, path = "/dashboard/session", request_body = SignIn, responses(
    (status = OK, body = Session), (status = BAD_REQUEST), (status = UNAUTHORIZED), (status = FORBIDDEN)
))]
fn sign_in() {}

#[expect(dead_code, reason = "utoipa reads its attributes")]
#[utoipa::path(delete, path = "/dashboard/session", responses((status = NO_CONTENT), (status = FORBIDDEN)))]
fn sign_out() {}

/// Sends a request of the page, or of another page without `is_marked`; returns the status and the body.
async fn ask(routes: &Router, method: &str, path: &str, is_marked: bool, body: String) -> (StatusCode, Value) {
    let mut request = Request::builder().method(method).uri(path);
    request = request.header(header::HOST, "localhost").header(header::ACCEPT, "text/html");
    if is_marked {
        request = request.header(guard::MARK, "1");
    }
    let request = request.body(Body::from(body)).expect("a request");
    let response = routes.clone().oneshot(request).await.expect("a response");
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn every_route_is_described_and_none_is_an_operation() {
    let directory = tempfile::tempdir().expect("a directory");
    let metadata = SqliteMetadata::open(&directory.path().join("metadata.db")).await.expect("a database");
    let (key, _) = create_key(&metadata, "acme", "laptop").await.expect("a key");
    let sessions = Sessions {
        metadata: Arc::new(metadata),
        codes: Arc::default(),
        uses: LastOutcome::default(),
        is_loopback: true,
    };
    let routes = with_dashboard(Router::new(), Arc::new(sessions));
    let document: Value = serde_json::from_str(OPENAPI_JSON).expect("JSON");
    let description = serde_json::to_value(Description::openapi()).expect("JSON");
    let described = description["paths"].as_object().expect("paths");
    assert_eq!(paths_of(&routes), described.keys().cloned().collect());
    let good = json!({ "api_key": key.reveal() }).to_string();
    for (path, item) in described {
        assert!(document["paths"].get(path).is_none(), "{path} is in the document: its route is generated");
        for method in ["GET", "POST", "DELETE", "PUT", "PATCH"] {
            let mut seen = BTreeSet::new();
            for (is_marked, body) in [
                (true, good.clone()),
                (true, "{}".to_owned()),
                (true, r#"{"code": "0"}"#.to_owned()),
                (false, good.clone()),
            ] {
                let (status, answer) = ask(&routes, method, path, is_marked, body).await;
                seen.insert(status.as_str().to_owned());
                if status == StatusCode::OK && path.ends_with("session") && !answer.is_null() {
                    let schema = &description["components"]["schemas"]["Session"];
                    let fields =
                        |value: &Value| value.as_object().map(|all| all.keys().cloned().collect::<BTreeSet<_>>());
                    assert_eq!(fields(&answer), fields(&schema["properties"]), "{method} {path}");
                }
            }
            match item.get(method.to_lowercase()) {
                Some(operation) => {
                    let statuses = operation["responses"].as_object().expect("responses");
                    assert_eq!(seen, statuses.keys().cloned().collect(), "{method} {path}");
                }
                // Other methods of the root have the 404 of an unknown path.
                None => assert!(
                    seen.iter().all(|status| ["404", "405"].contains(&status.as_str())),
                    "{method} {path}: {seen:?}"
                ),
            }
        }
    }
}
