//! Which paths and methods there are: those of the document and the document itself, nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::specification::{Row, rows};
use crate::raw::{Raw, RawAnswer};
use crate::support::TestService;

/// Paths beside those of the document, with a path below them or not.
const BESIDE: [&str; 4] = ["/openapi.json", "/openapi.yaml", "/openapi.clients.json", "/docs"];
/// Files below `/docs`.
const PAGES: [(&str, &str); 6] = [
    ("/docs/", "text/html; charset=utf-8"),
    ("/docs/start.js", "text/javascript; charset=utf-8"),
    ("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    ("/docs/swagger-ui.css", "text/css; charset=utf-8"),
    ("/docs/favicon-32x32.png", "image/png"),
    ("/docs/openapi.json", "application/json"),
];
/// Every method that has a name, and one that has none.
const METHODS: [&str; 10] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"];

/// A listener and what is mounted on it.
struct Mount {
    root: String,
    /// Path template to its operations.
    paths: BTreeMap<String, Vec<&'static Row>>,
}

/// The listeners of a service: one for all, and then one for each address.
async fn mounts() -> (Vec<Mount>, [TestService; 2]) {
    let (one, two) = (TestService::start().await, TestService::start_with_inference().await);
    let mount = |root: &str, place: &dyn Fn(&Row) -> Option<String>| {
        let mut paths: BTreeMap<String, Vec<&'static Row>> = BTreeMap::new();
        for row in rows() {
            if let Some(path) = place(row) {
                paths.entry(path).or_default().push(row);
            }
        }
        assert!(!paths.is_empty());
        Mount { root: root.to_owned(), paths }
    };
    let mounts = vec![
        mount(&one.root, &|row| Some(row.mounted())),
        mount(&two.root, &|row| (!row.inference).then(|| row.path.clone())),
        mount(two.inference_root(), &|row| row.inference.then(|| format!("/v1{}", row.path))),
    ];
    (mounts, [one, two])
}

async fn ask(root: &str, method: &str, target: &str, key: Option<&str>) -> RawAnswer {
    let key = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
    ask_with(root, method, target, &key).await
}

/// `headers` are lines, each with its end.
async fn ask_with(root: &str, method: &str, target: &str, headers: &str) -> RawAnswer {
    let mut raw = Raw::connect(root).await;
    raw.send(format!("{method} {target} HTTP/1.1\r\nHost: a\r\n{headers}Connection: close\r\n\r\n")).await;
    raw.answer_to(method).await.unwrap_or_else(|| panic!("{method} {target}: no answer"))
}

fn filled(template: &str) -> String {
    let parts = template.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn documented_paths_exist_and_reject_other_methods() {
    let (mounts, _running) = mounts().await;
    for mount in &mounts {
        for (template, rows) in &mount.paths {
            let path = filled(template);
            let mut allowed: BTreeSet<&str> = rows.iter().map(|row| row.method.as_str()).collect();
            if allowed.contains("GET") {
                // RFC 9110 section 9.1: where there is GET there is HEAD.
                allowed.insert("HEAD");
            }
            for method in METHODS {
                let answer = ask(&mount.root, method, &path, None).await;
                let what = format!("{method} {path}: {answer:?}");
                assert!(answer.header("x-request-id").is_some(), "{what}");
                let operation =
                    rows.iter().find(|row| row.method == method || (method == "HEAD" && row.method == "GET"));
                match operation {
                    Some(row) if row.secured => assert_eq!(answer.status, 401, "{what}"),
                    Some(_) => assert_eq!(answer.status, 200, "{what}"),
                    None => {
                        assert_eq!(answer.status, 405, "{what}");
                        let named = answer.header("allow").unwrap_or_default().split(',').map(str::trim);
                        assert_eq!(named.collect::<BTreeSet<_>>(), allowed, "{what}");
                        if method != "HEAD" {
                            answer.rejected(&what);
                        }
                    }
                }
            }
        }
    }
}

/// Paths that are nearly those of the document, or that other services have.
fn near_misses(paths: &BTreeMap<String, Vec<&'static Row>>) -> BTreeSet<String> {
    let mut misses: BTreeSet<String> = [
        "/",
        "//",
        "/.",
        "/..",
        "/v1",
        "/v1/",
        "/v2/health",
        "/api/v1/health",
        "/v1/preview",
        "/v1/preview/",
        "/v1/preview/base-models",
        "/inference",
        "/inference/v1",
        "/inference/v1/",
        "/inference/v1/health",
        "/inference/v1/v1/health",
        "/v1/embeddings",
        "/v1/completions",
        "/v1/files",
        "/metrics",
        "/admin",
        "/debug/pprof/",
        "/livez",
        "/readyz",
        "/invocations",
        "/tokenize",
        "/pause",
        "/update_weights",
        "/.env",
        "/.git/config",
        "/favicon.ico",
        "/robots.txt",
        "/etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/openapi.json/",
        "/OPENAPI.json",
        "/swagger.json",
        "/docs/index.html",
        "/docs/nothing",
        "/docs/../openapi.yaml",
        "/docs/openapi.yaml",
        "/DOCS/",
        "/doc",
        "/graphql",
        "/health;x",
        "/health%00",
        "/v1%2Fhealth",
        "/%76%31/nothing",
        "*",
    ]
    .map(str::to_owned)
    .into();
    for template in paths.keys() {
        let path = filled(template);
        misses.extend([
            format!("{path}/"),
            format!("{path}//"),
            format!("{path}/x"),
            format!("/{path}"),
            format!("/x{path}"),
            format!("{path}x"),
            format!("{path}.json"),
            format!("{path}%20"),
            path.to_uppercase(),
            path.replace('/', "//"),
            path.replacen('/', "/./", 1),
            path.replacen('/', "/x/../", 1),
            path.trim_end_matches('/').rsplit_once('/').map_or_else(String::new, |(parent, _)| parent.to_owned()),
            template.replace("{model_id}", "").replace("{training_job_id}", ""),
        ]);
    }
    // An empty part is an id that nothing has.
    let matches = |path: &str, template: &str| {
        let (parts, wanted): (Vec<_>, Vec<_>) = (path.split('/').collect(), template.split('/').collect());
        parts.len() == wanted.len()
            && parts.iter().zip(wanted).all(|(part, wanted)| *part == wanted || (wanted.starts_with('{')))
    };
    misses.retain(|path| !path.is_empty() && !paths.keys().any(|template| matches(path, template)));
    misses
}

#[tokio::test]
async fn unknown_paths_are_404() {
    let (mounts, running) = mounts().await;
    for (mount, service) in mounts.iter().zip([&running[0], &running[1], &running[1]]) {
        let misses = near_misses(&mount.paths);
        assert!(misses.len() > 60, "{misses:?}");
        for path in misses {
            for method in ["GET", "POST", "DELETE"] {
                let answer = ask(&mount.root, method, &path, Some(&service.key)).await;
                let what = format!("{method} {path}: {answer:?}");
                assert_eq!(answer.status, 404, "{what}");
                answer.rejected(&what);
            }
        }
        // What one listener has is not on the other as well.
        let elsewhere = rows().iter().filter(|row| !mount.paths.values().flatten().any(|here| here.id == row.id));
        for row in elsewhere {
            for path in [filled(&row.path), filled(&row.mounted())] {
                if !mount.paths.keys().any(|template| filled(template) == path) {
                    let answer = ask(&mount.root, &row.method, &path, Some(&service.key)).await;
                    assert_eq!(answer.status, 404, "{} {path}: {answer:?}", row.method);
                }
            }
        }
    }
}

#[tokio::test]
async fn the_document_is_there_for_everybody() {
    let (mounts, _running) = mounts().await;
    for mount in &mounts {
        assert!(mount.paths.keys().all(|path| !BESIDE.contains(&path.as_str())), "the document takes a path of ours");
        let answer = ask(&mount.root, "GET", BESIDE[0], None).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
        let served: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
        assert_eq!(&served, super::specification::document());
        let tag = answer.header("etag").expect("an entity tag").to_owned();
        let answer = ask_with(&mount.root, "GET", BESIDE[0], &format!("If-None-Match: {tag}\r\n")).await;
        assert_eq!((answer.status, answer.body.len()), (304, 0), "{answer:?}");
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
        assert!(answer.header("x-request-id").is_some_and(|id| !id.is_empty()), "{answer:?}");
        let answer = ask(&mount.root, "DELETE", BESIDE[0], None).await;
        answer.rejected("another method");
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET,HEAD")));
    }
    // The form of the target that proxies use.
    let answer = ask(&mounts[0].root, "GET", "http://a/health", None).await;
    assert_eq!(answer.status, 200);
}

/// The pages that show the document, on every listener, for everybody, and for reading only.
#[tokio::test]
async fn the_pages_are_there_for_everybody() {
    let (mounts, _running) = mounts().await;
    for mount in &mounts {
        let answer = ask(&mount.root, "GET", "/docs", None).await;
        assert_eq!((answer.status, answer.header("location")), (307, Some("docs/")), "{answer:?}");
        for (path, media) in PAGES {
            for method in METHODS {
                let answer = ask(&mount.root, method, path, None).await;
                let what = format!("{method} {path} {}", answer.status);
                assert!(answer.header("x-request-id").is_some(), "{what}");
                if ["GET", "HEAD"].contains(&method) {
                    assert_eq!((answer.status, answer.header("content-type")), (200, Some(media)), "{what}");
                    assert_eq!(answer.body.is_empty(), method == "HEAD", "{what}");
                } else {
                    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET,HEAD")), "{what}");
                }
            }
        }
        // What the page asks for is there.
        let page = ask(&mount.root, "GET", PAGES[0].0, None).await;
        let page = String::from_utf8(page.body).expect("UTF-8");
        let named = page.split(['"', '\'']).filter_map(|text| text.strip_prefix("./").or(Some(text)));
        let files: Vec<_> =
            named.filter(|name| [".js", ".css", ".png"].iter().any(|end| name.ends_with(end))).collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in files {
            assert!(PAGES.iter().any(|(path, _)| *path == format!("/docs/{file}")), "{file} is not served");
        }
    }
}
