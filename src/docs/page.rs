//! `/docs`: Swagger UI from `assets/swagger-ui/`, which loads nothing from other hosts.
//!
//! The page reads `/docs/openapi.json`, the OpenAPI document with server URLs relative to it. Requests from the page
//! therefore go to the server that sent the page, through any address, proxy or path prefix. The URLs do not depend on
//! the request's headers. Each operation of that document has code samples (`x-codeSamples`), which the page shows.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::{Map, Value, json};

use super::Address;
use super::file::{File, Kind};
use crate::generated::OPENAPI_JSON;

/// Code samples of each operation, by its id.
const SAMPLES: &str = include_str!("../../generated/samples.json");

/// Content security policy: scripts, styles and requests only from this server. Swagger UI needs inline styles, and
/// pictures as data URLs in its styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) fn routes(address: Address) -> Router {
    let files = [
        ("/docs/", Kind::Html, &include_bytes!("../../assets/swagger-ui/index.html")[..]),
        ("/docs/start.js", Kind::Script, include_bytes!("../../assets/swagger-ui/start.js")),
        ("/docs/swagger-ui-bundle.js", Kind::Script, include_bytes!("../../assets/swagger-ui/swagger-ui-bundle.js")),
        ("/docs/swagger-ui.css", Kind::Style, include_bytes!("../../assets/swagger-ui/swagger-ui.css")),
        ("/docs/favicon-32x32.png", Kind::Png, include_bytes!("../../assets/swagger-ui/favicon-32x32.png")),
    ];
    // A relative URL preserves the path prefix of a proxy.
    let to_page = (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "docs/")]);
    let mut routes = Router::new().route("/docs", get(async move || to_page.into_response()));
    for (path, kind, content) in files {
        let file = File::new(kind, content)
            .with_header(header::CONTENT_SECURITY_POLICY, POLICY)
            .with_header(header::REFERRER_POLICY, "no-referrer");
        routes = file.serve(routes, path);
    }
    File::serve_lazily(move || File::new(Kind::Json, document(address)), routes, "/docs/openapi.json")
}

/// Returns the OpenAPI document with only the operations of `address`, and with server URLs relative to `/docs/`.
fn document(address: Address) -> String {
    let (service, inference) = match address {
        Address::Everything => (Some(".."), Some("../inference/v1")),
        Address::Service => (Some(".."), None),
        Address::Inference => (None, Some("../v1")),
    };
    // The document is compiled in, and a test parses it.
    let mut document: Value = serde_json::from_str(OPENAPI_JSON).unwrap_or_default();
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.retain(|_, item| match (item.get_mut("servers"), inference) {
            (None, _) => service.is_some(),
            (Some(_), None) => false,
            (Some(servers), Some(base)) => {
                *servers = json!([{"url": base, "description": "the inference API of this server"}]);
                true
            }
        });
    }
    add_samples(&mut document);
    document["servers"] = json!([{"url": service.or(inference), "description": "this server"}]);
    document.to_string()
}

fn add_samples(document: &mut Value) {
    let samples: BTreeMap<String, Value> = serde_json::from_str(SAMPLES).unwrap_or_default();
    let items = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in items.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let id = operation.get("operationId").and_then(Value::as_str);
        if let Some(samples) = id.and_then(|id| samples.get(id)).cloned() {
            operation["x-codeSamples"] = samples;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the server URL of each path.
    fn bases(address: Address) -> BTreeMap<String, String> {
        let document: Value = serde_json::from_str(&document(address)).expect("JSON");
        let paths = document["paths"].as_object().expect("paths");
        let base = |item: &Value| {
            let servers = item.get("servers").unwrap_or(&document["servers"]);
            assert_eq!(servers.as_array().map(Vec::len), Some(1), "{servers}");
            servers[0]["url"].as_str().expect("a text").to_owned()
        };
        paths.iter().map(|(path, item)| (path.clone(), base(item))).collect()
    }

    #[test]
    fn each_address_shows_what_it_answers_at_its_own_base() {
        for (address, health, models) in [
            (Address::Everything, Some(".."), Some("../inference/v1")),
            (Address::Service, Some(".."), None),
            (Address::Inference, None, Some("../v1")),
        ] {
            let bases = bases(address);
            let base = |path: &str| bases.get(path).map(String::as_str);
            assert_eq!((base("/v1/health"), base("/models")), (health, models), "{address:?}");
            assert!(bases.values().all(|base| base.starts_with("..")), "another machine: {bases:?}");
        }
    }

    #[test]
    fn every_operation_has_a_sample_in_each_language() {
        let document: Value = serde_json::from_str(&document(Address::Everything)).expect("JSON");
        let items = document["paths"].as_object().expect("paths").values();
        let operations = items.filter_map(Value::as_object).flat_map(Map::values);
        let mut seen = 0;
        for operation in operations.filter(|entry| entry["responses"].is_object() && entry["x-alias-of"].is_null()) {
            let samples = operation["x-codeSamples"].as_array().unwrap_or_else(|| panic!("no samples: {operation}"));
            let labels: Vec<&Value> = samples.iter().map(|sample| &sample["label"]).collect();
            assert_eq!(labels, ["curl", "Python", "TypeScript", "Rust"], "{}", operation["operationId"]);
            assert!(samples.iter().all(|sample| sample["source"].as_str().is_some_and(|text| !text.is_empty())));
            seen += 1;
        }
        assert!(seen > 40, "only {seen} operations were found");
    }
}
