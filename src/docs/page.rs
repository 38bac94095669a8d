//! `/docs`: Swagger UI from `assets/swagger-ui/`, which works without any other machine.
//!
//! The page reads `/docs/openapi.json`: the document with the servers written relative to it, so that what is tried
//! out goes to the server that sent the page, whatever address, proxy or path prefix led there. No header of the
//! request has a say in it.

use axum::{
    Router,
    http::{StatusCode, header},
    response::IntoResponse,
    routing::get,
};
use serde_json::{Value, json};

use super::{
    Address,
    file::{File, Kind},
};
use crate::generated::OPENAPI_JSON;

/// Scripts, styles and requests go to this server only. Swagger UI writes some styles into elements and some pictures
/// into its styles.
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
    // Relative, so that a path prefix of a proxy stays.
    let to_page = (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "docs/")]);
    let mut routes = Router::new().route("/docs", get(async move || to_page.into_response()));
    for (path, kind, content) in files {
        let file = File::new(kind, content)
            .with_header(header::CONTENT_SECURITY_POLICY, POLICY)
            .with_header(header::REFERRER_POLICY, "no-referrer");
        routes = file.serve(routes, path);
    }
    File::new(Kind::Json, document(address)).serve(routes, "/docs/openapi.json")
}

/// The document as the page needs it: only what `address` answers, at addresses relative to `/docs/`.
fn document(address: Address) -> String {
    let (service, inference) = match address {
        Address::Everything => (Some(".."), Some("../inference/v1")),
        Address::Service => (Some(".."), None),
        Address::Inference => (None, Some("../v1")),
    };
    // The document is compiled in, and a test reads it.
    let mut document: Value = serde_json::from_str(OPENAPI_JSON).unwrap_or_default();
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.retain(|_, item| {
            let base = if item.get("servers").is_some() { inference } else { service };
            if let (Some(base), Some(item)) = (base, item.as_object_mut()) {
                item.insert("servers".to_owned(), json!([{"url": base}]));
            }
            base.is_some()
        });
    }
    document["servers"] = json!([{"url": service.or(inference)}]);
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(address: Address) -> Vec<(String, String)> {
        let document: Value = serde_json::from_str(&document(address)).expect("JSON");
        let paths = document["paths"].as_object().expect("paths").clone();
        paths
            .into_iter()
            .map(|(path, item)| (path, item["servers"][0]["url"].as_str().unwrap_or_default().to_owned()))
            .collect()
    }

    #[test]
    fn each_address_shows_what_it_answers_at_its_own_base() {
        let base =
            |address, path: &str| servers(address).into_iter().find(|(name, _)| name == path).map(|(_, base)| base);
        assert_eq!(base(Address::Everything, "/v1/health").as_deref(), Some(".."));
        assert_eq!(base(Address::Everything, "/models").as_deref(), Some("../inference/v1"));
        assert_eq!(base(Address::Service, "/v1/health").as_deref(), Some(".."));
        assert_eq!(base(Address::Service, "/models"), None);
        assert_eq!(base(Address::Inference, "/v1/health"), None);
        assert_eq!(base(Address::Inference, "/models").as_deref(), Some("../v1"));
    }

    #[test]
    fn no_server_is_another_machine() {
        for address in [Address::Everything, Address::Service, Address::Inference] {
            assert!(servers(address).iter().all(|(_, base)| base.starts_with("..")), "{:?}", servers(address));
        }
    }
}
