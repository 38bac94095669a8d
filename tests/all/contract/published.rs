//! The published contract: the gate on its changes, `GET /openapi.json`, `/docs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use reqwest::{Response, StatusCode};
use serde_json::Value;
use trainyard::codegen::diff::release::{Published, Version, check};
use trainyard::generated::published::PUBLISHED;
use trainyard::generated::{OPENAPI_JSON, OPENAPI_YAML};

use super::double::serve;
use crate::support::http;
use crate::time_limits::Limited;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn blessed() -> Vec<Published> {
    let read = |(version, text): &(&str, &str)| Published {
        version: Version::parse(version).unwrap_or_else(|| panic!("spec/published/{version}.json: no version")),
        document: serde_json::from_str(text).unwrap_or_else(|error| panic!("spec/published/{version}.json: {error}")),
    };
    PUBLISHED.iter().map(read).collect()
}

/// The gate. A failure says what changed, whom it breaks, and what to do.
#[test]
fn the_document_is_the_one_that_its_version_promises() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let document: Value = serde_json::from_str(OPENAPI_JSON).unwrap();
    if let Err(rejection) = check(&document, &blessed(), |version| version.is_released(&changelog)) {
        panic!("{rejection}");
    }
}

#[test]
fn the_document_has_the_version_of_the_crate() {
    let document: Value = serde_json::from_str(OPENAPI_JSON).unwrap();
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"), "spec/openapi.yaml and Cargo.toml");
}

#[test]
fn every_published_document_is_in_the_program() {
    let files = fs::read_dir(root().join("spec/published")).unwrap();
    let files: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let listed: BTreeSet<_> = PUBLISHED.iter().map(|(version, _)| format!("{version}.json")).collect();
    assert_eq!(files, listed);
    for Published { version, document } in blessed() {
        assert_eq!(Version::of(&document), Some(version));
    }
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).unwrap_or_else(|| panic!("{name} is missing")).to_str().unwrap()
}

#[tokio::test]
async fn the_document_is_served_and_kept_by_its_tag() {
    let url = format!("{}/openapi.json", serve().await);
    let answer = http().get(&url).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(header(&answer, "content-type"), "application/json");
    assert!(header(&answer, "cache-control").contains("max-age="));
    assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
    let tag = header(&answer, "etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 16, "not a strong tag: {tag}");
    assert_eq!(answer.text().await.unwrap(), OPENAPI_JSON);

    let head = http().head(&url).send().await.unwrap();
    assert_eq!((head.status(), header(&head, "etag")), (StatusCode::OK, tag.as_str()));
    assert_eq!(header(&head, "content-length"), OPENAPI_JSON.len().to_string());
    assert_eq!(head.text().await.unwrap(), "");

    for (asked, known) in [
        (tag.clone(), true),
        (format!("W/{tag}"), true),
        (format!("\"other\", {tag}"), true),
        ("*".to_owned(), true),
        ("\"other\"".to_owned(), false),
        (tag.trim_matches('"').to_owned(), false),
        (String::new(), false),
    ] {
        let answer = http().get(&url).header("if-none-match", &asked).send().await.unwrap();
        let expected = if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        assert_eq!(answer.status(), expected, "{asked}");
        assert_eq!(header(&answer, "etag"), tag);
        assert!(answer.headers().contains_key("cache-control"), "{asked}");
        assert_eq!(answer.text().await.unwrap().is_empty(), known, "{asked}");
    }

    let wrong = http().put(&url).send().await.unwrap();
    assert_eq!((wrong.status(), header(&wrong, "allow")), (StatusCode::METHOD_NOT_ALLOWED, "GET,HEAD"));
    assert!(wrong.json::<Value>().await.unwrap()["error"]["message"].is_string());
}

#[tokio::test]
async fn the_source_of_the_document_and_the_one_for_clients_are_served() {
    let base = serve().await;
    let source = http().get(format!("{base}/openapi.yaml")).send().await.unwrap();
    assert_eq!((source.status(), header(&source, "content-type")), (StatusCode::OK, "application/yaml"));
    assert_eq!(source.text().await.unwrap(), OPENAPI_YAML);
    let variant = http().get(format!("{base}/openapi.clients.json")).send().await.unwrap();
    assert_eq!((variant.status(), header(&variant, "content-type")), (StatusCode::OK, "application/json"));
    let printed = Command::new(env!("CARGO_BIN_EXE_trainyard")).args(["spec", "--for", "clients"]).output_limited();
    assert_eq!(variant.text().await.unwrap().as_bytes(), printed.stdout);
    let rejected = Command::new(env!("CARGO_BIN_EXE_trainyard"))
        .args(["spec", "--for", "clients", "--format", "yaml"])
        .output_limited();
    assert!(
        !rejected.status.success() && String::from_utf8_lossy(&rejected.stderr).contains("leave out --format yaml")
    );
}

#[cfg(feature = "docs")]
#[tokio::test]
async fn the_page_names_nothing_that_is_not_there() {
    let base = serve().await;
    // The client follows `/docs` to `/docs/`.
    let page = http().get(format!("{base}/docs")).send().await.unwrap();
    assert_eq!((page.status(), page.url().path()), (StatusCode::OK, "/docs/"));
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    let policy = header(&page, "content-security-policy").to_owned();
    for rule in ["default-src 'none'", "script-src 'self';", "connect-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    let html = page.text().await.unwrap();
    assert!(!html.contains("<script>") && !html.contains("://"), "{html}");
    let named = html.split(['"']).filter(|text| text.contains('.') && !text.contains(['<', ' ', '=']));
    let mut named: Vec<_> = named.filter(|text| !text.starts_with("..")).collect();
    named.push("openapi.json");
    assert_eq!(named.len(), 5, "{named:?}");
    for name in named {
        let url = format!("{base}/docs/{name}");
        let answer = http().get(&url).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{url}");
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
        let tag = header(&answer, "etag").to_owned();
        let known = http().get(&url).header("if-none-match", tag).send().await.unwrap();
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED, "{url}");
    }
    let missing = http().get(format!("{base}/docs/nothing.js")).send().await.unwrap();
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

/// Requests from the page go to the server that sent it, whatever a header says.
#[cfg(feature = "docs")]
#[tokio::test]
async fn the_page_calls_the_server_that_sent_it() {
    let url = format!("{}/docs/openapi.json", serve().await);
    let honest = http().get(&url).send().await.unwrap().text().await.unwrap();
    let forged = http().get(&url).header("host", "evil.example").header("x-forwarded-host", "evil.example");
    assert_eq!(forged.send().await.unwrap().text().await.unwrap(), honest);
    let document: Value = serde_json::from_str(&honest).unwrap();
    let published: Value = serde_json::from_str(OPENAPI_JSON).unwrap();
    assert_eq!(document["servers"][0]["url"], "..");
    assert_eq!(document["components"], published["components"]);
    for (path, item) in published["paths"].as_object().unwrap() {
        let base = document["paths"][path].get("servers").unwrap_or(&document["servers"])[0]["url"].as_str();
        let expected = if item.get("servers").is_some() { "../inference/v1" } else { ".." };
        assert_eq!(base, Some(expected), "{path}");
    }
}
