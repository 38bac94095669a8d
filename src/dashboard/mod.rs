//! The dashboard: a page at `/dashboard/` from `assets/dashboard/`, and the session that signs it in.
//!
//! The page is a client of the API like any other: it reads nothing that an API key cannot read. Its files are built from
//! `dashboard/` and compiled in; it loads nothing from other hosts. The routes are not in the OpenAPI document, because
//! cookies are for browsers only.

#[cfg(all(test, feature = "docs"))]
mod description_tests;
mod guard;
mod session;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};

pub(crate) use self::session::{SESSION_PREFIX, Sessions};
use crate::docs::file::{File, Kind};
use crate::http;

/// Content security policy: everything from this server, no inline code, and no assignment of HTML except by the templates
/// that the page was compiled with (Trusted Types).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types svelte-trusted-html";

/// Adds the page, its session, and the redirect from `/` to `routes`. [`Sessions::admit`] has to see each request before.
pub(crate) fn with_dashboard(routes: Router, sessions: Arc<Sessions>) -> Router {
    let files = [
        ("/dashboard/", Kind::Html, &include_bytes!("../../assets/dashboard/index.html")[..]),
        ("/dashboard/dashboard.js", Kind::Script, include_bytes!("../../assets/dashboard/dashboard.js")),
        ("/dashboard/dashboard.css", Kind::Style, include_bytes!("../../assets/dashboard/dashboard.css")),
        ("/dashboard/icon.svg", Kind::Svg, include_bytes!("../../assets/dashboard/icon.svg")),
    ];
    // Relative URLs preserve the path prefix of a proxy.
    let to_page = (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "dashboard/")]);
    let mut routes = routes.route("/dashboard", get(async move || to_page.into_response())).route("/", any(root));
    for (path, kind, content) in files {
        let file = File::new(kind, content)
            .with_header(header::CACHE_CONTROL, "no-cache")
            .with_header(header::CONTENT_SECURITY_POLICY, POLICY)
            .with_header(header::REFERRER_POLICY, "no-referrer")
            .with_header(header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin")
            .with_header(header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
        routes = file.serve(routes, path);
    }
    session::with_sessions(routes, sessions)
}

/// Leads browsers to the page. Other clients get the 404 of an unknown path.
async fn root(request: Request) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if reads && accepts_html(request.headers()) {
        return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "dashboard/"), (header::VARY, "accept")])
            .into_response();
    }
    http::unknown_path(request).await
}

/// Returns whether the client names `text/html`, as browsers do for a page.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let names_html = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("text/html"));
        names_html && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};

    use sha2::{Digest, Sha256};

    use super::*;

    /// Maximum size of all files of the page in bytes.
    const MAX_BYTES: usize = 300_000;
    /// Directories of the sources, which the page is built from.
    const SOURCES: [&str; 2] = ["dashboard", "clients/typescript/src"];

    fn root_directory() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    /// Adds the files below a directory, as they are in the repository, by their path from its root.
    fn add_files(directory: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            if path.is_dir() && name != "node_modules" && name != "generated" {
                add_files(&path, files);
            } else if path.is_file() && name != "schema.ts" {
                let shown = path.strip_prefix(root_directory()).expect("below the root").display().to_string();
                files.insert(shown, fs::read(path).expect("a readable file"));
            }
        }
    }

    fn sources() -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        SOURCES.iter().for_each(|directory| add_files(&root_directory().join(directory), &mut files));
        files
    }

    #[test]
    fn the_built_files_are_those_of_the_sources() {
        let mut files = sources();
        assert!(files.len() > 20, "the sources were not found: {:?}", files.keys());
        add_files(&root_directory().join("assets/dashboard"), &mut files);
        let list = files.remove("assets/dashboard/SHA256SUMS").expect("the list of hashes");
        let readme = files.remove("assets/dashboard/README.md");
        assert!(readme.is_some(), "assets/dashboard/README.md is missing");
        let actual: String =
            files.iter().map(|(name, bytes)| format!("{}  {name}\n", hex::encode(Sha256::digest(bytes)))).collect();
        let expected = String::from_utf8(list).expect("UTF-8");
        assert!(
            actual == expected,
            "assets/dashboard/ is stale: run dashboard/build. Listed:\n{expected}Found:\n{actual}"
        );
    }

    #[test]
    fn the_page_is_small() {
        let mut files = BTreeMap::new();
        add_files(&root_directory().join("assets/dashboard"), &mut files);
        let bytes: usize = files.values().map(Vec::len).sum();
        assert!(bytes <= MAX_BYTES, "{bytes} bytes");
    }

    /// Completions of models and names that others chose are text: nothing in the sources makes HTML of a text.
    #[test]
    fn no_source_makes_html_of_a_text() {
        for (name, bytes) in sources() {
            let source = String::from_utf8_lossy(&bytes);
            for forbidden in
                ["{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "localStorage"]
            {
                assert!(!source.contains(forbidden), "{name} has {forbidden}");
            }
        }
    }

    #[test]
    fn only_clients_that_name_html_are_led_to_the_page() {
        let accepts = |value: &'static str| {
            accepts_html(&HeaderMap::from_iter([(header::ACCEPT, header::HeaderValue::from_static(value))]))
        };
        assert!(accepts("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
        assert!(accepts("application/json, TEXT/HTML;q=0.5"));
        for other in ["*/*", "application/json", "text/*", "text/html;q=0", ""] {
            assert!(!accepts(other), "{other}");
        }
        assert!(!accepts_html(&HeaderMap::new()));
    }
}
