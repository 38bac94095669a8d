use std::net::SocketAddr;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Redirect;
use axum::routing::get;

use super::*;

fn source(prefixes: &[&str]) -> DataSource {
    DataSource::new(prefixes).expect("valid prefixes")
}

fn limits() -> SourceLimits {
    SourceLimits { bytes: 1000, total: Duration::from_secs(5), idle: Duration::from_secs(2) }
}

/// Reads all data.
async fn fetch_all(source: &DataSource, url: &str, limits: &SourceLimits) -> Result<Vec<u8>, SourceError> {
    let mut stream = source.open(url, limits).await?;
    let mut data = Vec::new();
    while let Some(chunk) = stream.next_chunk().await? {
        assert!(!chunk.is_empty());
        data.extend_from_slice(&chunk);
    }
    Ok(data)
}

/// Starts a server with one file and several faults.
async fn server() -> SocketAddr {
    let endless = || async {
        let piece = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(&[b'x'; 100])));
        Body::from_stream(piece)
    };
    let silent = || async { Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>()) };
    let routes = Router::new()
        .route("/data/rows.jsonl", get(|| async { "hello" }))
        .route("/data/large", get(|| async { "x".repeat(1001) }))
        .route("/data/endless", get(endless))
        .route("/data/silent", get(silent))
        .route("/data/missing", get(|| async { (StatusCode::NOT_FOUND, "secret body") }))
        .route(
            "/data/part",
            get(|| async { (StatusCode::PARTIAL_CONTENT, [("content-range", "bytes 0-4/9")], "hello") }),
        )
        .route("/data/moved", get(|| async { Redirect::temporary("/data/rows.jsonl") }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound listener has an address");
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

#[tokio::test]
async fn allowed_data_is_fetched_and_bounds_are_kept() {
    let address = server().await;
    let source = source(&[&format!("http://{address}/data")]);
    let fetch = async |path: &str| fetch_all(&source, &format!("http://{address}{path}"), &limits()).await;
    assert_eq!(fetch("/data/rows.jsonl").await.expect("allowed"), b"hello");
    assert!(matches!(fetch("/data/large").await, Err(SourceError::TooLarge { limit: 1000 })));
    assert!(matches!(fetch("/data/endless").await, Err(SourceError::TooLarge { limit: 1000 })));
    let error = fetch("/data/missing").await.expect_err("404");
    assert!(matches!(error, SourceError::Status { status: 404 }) && !error.to_string().contains("secret"));
    let part = fetch("/data/part").await;
    assert!(matches!(part, Err(SourceError::Status { status: 206 })), "a part is not the whole");
    assert!(
        matches!(fetch("/data/moved").await, Err(SourceError::Status { status: 307 })),
        "redirects are not followed"
    );
    assert!(matches!(fetch("/other").await, Err(SourceError::Rejected { .. })));
    assert!(matches!(fetch("/data/../other").await, Err(SourceError::Rejected { .. })));
}

#[tokio::test]
async fn time_is_bounded() {
    let address = server().await;
    let start = Instant::now();
    let source = source(&[&format!("http://{address}")]);
    let limits = SourceLimits { total: Duration::from_millis(300), ..limits() };
    let error = fetch_all(&source, &format!("http://{address}/data/silent"), &limits).await.expect_err("never ends");
    assert!(matches!(error, SourceError::TimedOut { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(4));
}

#[tokio::test]
async fn a_closed_port_is_an_error() {
    let error =
        fetch_all(&source(&["http://127.0.0.1"]), "http://127.0.0.1:1/none", &limits()).await.expect_err("closed");
    assert!(matches!(error, SourceError::Connection(_)), "{error}");
}

#[tokio::test]
async fn a_name_that_resolves_to_this_machine_is_rejected_without_connecting() {
    let url = Url::parse("https://localhost:1/x").expect("a URL");
    let error = DataSource::default().resolve(&url, Access::PublicOnly).await.expect_err("loopback");
    assert!(matches!(error, SourceError::Rejected { .. }), "{error}");
    let found = DataSource::default().resolve(&url, Access::Anywhere).await.expect("allowed by the operator");
    assert!(!found.is_empty() && found.iter().all(|address| address.port() == 1));
}

#[test]
fn only_public_https_is_allowed_by_default() {
    let source = DataSource::default();
    for url in ["https://example.com/a.jsonl", "https://example.com:8443/a?b#c", "HTTPS://EXAMPLE.com"] {
        assert!(source.check(url).is_ok(), "{url}");
    }
    for url in [
        "http://example.com/a",
        "http://127.0.0.1/a",
        "https://127.0.0.1/a",
        "https://2130706433/a",
        "https://0x7f.1/a",
        "https://[::1]/a",
        "https://[::ffff:10.0.0.1]/",
        "https://8.8.8.8/",
        "https://localhost/a",
        "https://LOCALHOST./a",
        "https://metadata.google.internal/",
        "https://printer.local/",
        "https://intranet/",
        "file:///etc/passwd",
    ] {
        assert!(matches!(source.check(url), Err(SourceError::Rejected { .. })), "{url}");
    }
    for url in ["gopher://x/y", "s3://bucket/key", "wandb-artifact:///a/b/c:v0", "data:,x", "ftp://x/"] {
        assert!(matches!(source.check(url), Err(SourceError::UnsupportedScheme { .. })), "{url}");
    }
    for url in ["", "not a url", "https://user@example.com/", "https://u:p@example.com/", "https://"] {
        assert!(matches!(source.check(url), Err(SourceError::InvalidUrl(_))), "{url}");
    }
}

#[test]
fn prefixes_are_matched_by_components() {
    for (prefix, allowed, rejected) in [
        (
            "http://127.0.0.1",
            &["http://127.0.0.1/x", "http://127.0.0.1:9/x"] as &[_],
            &["http://127.0.0.2/x", "https://127.0.0.1/x", "http://127.0.0.1.example.com/x"] as &[_],
        ),
        ("http://h:80", &["http://h/x", "http://h:80/x"], &["http://h:81/x"]),
        ("http://[::1]:9000/", &["http://[::1]:9000/x"], &["http://[::1]:9001/x", "http://[::2]:9000/"]),
        ("http://[::1]/", &["http://[::1]:9001/x"], &[]),
        (
            "http://h/data",
            &["http://h/data", "http://h/data/", "http://h/data/x", "http://h/a/../data/x"],
            &[
                "http://h/database",
                "http://h/",
                "http://h/data/../x",
                "http://h/data/%2e%2e/x",
                "http://h/data/..%2fx",
                "http://h/data/%5c..%5cx",
            ],
        ),
        ("https://10.0.0.1/sets/", &["https://10.0.0.1/sets/a"], &["https://10.0.0.1/setsa"]),
    ] {
        let source = source(&[prefix]);
        for url in allowed {
            assert!(source.check(url).is_ok(), "{prefix} allows {url}");
        }
        for url in rejected {
            assert!(source.check(url).is_err(), "{prefix} does not allow {url}");
        }
    }
}

#[test]
fn useless_prefixes_are_rejected() {
    for prefix in [
        "",
        "/data",
        "127.0.0.1:9000",
        "ftp://h/",
        "http://u@h/",
        "http://h/?q",
        "http://h/#f",
        "file://host/data",
        "http://h/a%2fb",
    ] {
        assert!(DataSource::new(&[prefix]).is_err(), "{prefix}");
    }
}

#[tokio::test]
async fn files_stay_below_their_directory() {
    let outer = tempfile::tempdir().expect("a directory");
    let root = outer.path().join("data");
    std::fs::create_dir(&root).expect("a directory");
    std::fs::create_dir(outer.path().join("database")).expect("a directory");
    for (path, text) in [("data/rows é.jsonl", "rows"), ("secret", "no"), ("database/x", "no")] {
        std::fs::write(outer.path().join(path), text).expect("a file");
    }
    let link = |target: &Path, name: &str| std::os::unix::fs::symlink(target, root.join(name)).expect("a link");
    link(Path::new("../secret"), "escape");
    link(&outer.path().join("secret"), "absolute");
    link(Path::new("rows é.jsonl"), "inside");
    let url = |path: &str| Url::from_file_path(outer.path().join(path)).expect("an absolute path").to_string();
    let source = source(&[&url("data")]);
    let fetch = async |url: String| fetch_all(&source, &url, &limits()).await;
    assert_eq!(fetch(url("data/rows é.jsonl")).await.expect("below the root"), b"rows");
    assert_eq!(fetch(url("data/inside")).await.expect("the link stays below the root"), b"rows");
    for path in ["data/escape", "data/absolute", "secret", "database/x"] {
        assert!(matches!(fetch(url(path)).await, Err(SourceError::Rejected { .. })), "{path}");
    }
    let root_url = url("data");
    for tail in ["/../secret", "/%2e%2e/secret", "/..%2fsecret"] {
        let rejected = fetch(format!("{root_url}{tail}")).await;
        assert!(matches!(rejected, Err(SourceError::Rejected { .. })), "{tail}: {rejected:?}");
    }
    assert!(matches!(fetch(url("data/none")).await, Err(SourceError::File(std::io::ErrorKind::NotFound))));
    assert!(matches!(fetch(root_url).await, Err(SourceError::NotRegular)), "a directory is no file");
    std::fs::write(root.join("large"), vec![b'x'; 1001]).expect("a file");
    assert!(matches!(fetch(url("data/large")).await, Err(SourceError::TooLarge { limit: 1000 })));
}

/// A client of the service may write to an allowed directory while a job reads from it.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_swapped_in_during_a_fetch_is_not_followed() {
    let outer = tempfile::tempdir().expect("a directory");
    let root = outer.path().join("data");
    std::fs::create_dir(&root).expect("a directory");
    std::fs::write(outer.path().join("secret"), "secret").expect("a file");
    std::fs::write(root.join("rows"), "rows").expect("a file");
    std::os::unix::fs::symlink("../secret", root.join("link")).expect("a link");
    let url = Url::from_file_path(root.join("rows")).expect("an absolute path").to_string();
    let source = source(&[Url::from_directory_path(&root).expect("an absolute path").as_str()]);
    let swapping = tokio::task::spawn_blocking(move || {
        for _ in 0..6000 {
            for (from, to) in [("rows", "spare"), ("link", "rows"), ("spare", "link")] {
                std::fs::rename(root.join(from), root.join(to)).expect("renamed");
            }
        }
    });
    while !swapping.is_finished() {
        if let Ok(data) = fetch_all(&source, &url, &limits()).await {
            assert_eq!(data, b"rows");
        }
    }
    assert_eq!(fetch_all(&source, &url, &limits()).await.expect("the file is back"), b"rows");
}

#[tokio::test]
async fn a_directory_in_several_allowed_ones_has_the_rights_of_each() {
    let outer = tempfile::tempdir().expect("a directory");
    for directory in ["data/own", "elsewhere"] {
        std::fs::create_dir_all(outer.path().join(directory)).expect("a directory");
    }
    let data = outer.path().join("data");
    for (path, text) in [("data/rows", "rows"), ("elsewhere/rows", "others")] {
        std::fs::write(outer.path().join(path), text).expect("a file");
    }
    std::os::unix::fs::symlink("../rows", data.join("own/up")).expect("a link");
    std::os::unix::fs::symlink("../elsewhere", data.join("linked")).expect("a link");
    let url = |path: &str| Url::from_file_path(data.join(path)).expect("an absolute path").to_string();
    let fetch = async |prefixes: &[&str], path: &str| {
        let prefixes: Vec<String> = prefixes.iter().map(|prefix| url(prefix)).collect();
        let prefixes: Vec<&str> = prefixes.iter().map(String::as_str).collect();
        fetch_all(&source(&prefixes), &url(path), &limits()).await
    };
    assert_eq!(fetch(&["own", ""], "own/up").await.expect("beneath the second"), b"rows");
    assert!(matches!(fetch(&["own"], "own/up").await, Err(SourceError::Rejected { .. })));
    assert_eq!(fetch(&["", "linked"], "linked/rows").await.expect("allowed itself"), b"others");
    assert!(matches!(fetch(&[""], "linked/rows").await, Err(SourceError::Rejected { .. })));
}

#[test]
fn addresses_that_are_not_public() {
    for address in [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::a00:1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:a00:1::",
        "3fff::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ] {
        assert!(!is_public(address.parse().expect("an address")), "{address}");
    }
    for address in [
        "1.1.1.1",
        "8.8.8.8",
        "100.128.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "2606:4700::1111",
        "2001:4860::1",
        "::ffff:8.8.8.8",
    ] {
        assert!(is_public(address.parse().expect("an address")), "{address}");
    }
}

#[tokio::test]
async fn a_large_file_comes_in_pieces() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let content: Vec<u8> = (0..3 * FILE_CHUNK_BYTES as u32 + 5).map(|value| value as u8).collect();
    let path = directory.path().join("large");
    std::fs::write(&path, &content).expect("writable");
    let url = Url::from_file_path(&path).expect("an absolute path");
    let source = source(&[Url::from_directory_path(directory.path()).expect("an absolute path").as_str()]);
    let limits = SourceLimits { bytes: content.len(), ..limits() };
    let mut stream = source.open(url.as_str(), &limits).await.expect("allowed");
    let mut data = Vec::new();
    while let Some(chunk) = stream.next_chunk().await.expect("within the bounds") {
        assert!((1..=FILE_CHUNK_BYTES).contains(&chunk.len()));
        data.extend_from_slice(&chunk);
    }
    assert!(data == content);
    let limits = SourceLimits { bytes: content.len() - 1, ..limits };
    assert!(matches!(fetch_all(&source, url.as_str(), &limits).await, Err(SourceError::TooLarge { .. })));
}
