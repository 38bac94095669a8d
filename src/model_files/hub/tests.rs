//! Downloads from a hub on this machine that has faults on demand.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path as UrlPath, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::*;
use crate::model_files::tests::write_model;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
/// Address at which nothing listens.
const NOWHERE: &str = "http://127.0.0.1:9";

/// A hub with one model, `tiny/model`.
struct Double {
    files: BTreeMap<String, Bytes>,
    /// Files that are listed with other properties than they have.
    listed: BTreeMap<String, Value>,
    /// Number of bytes after which each response ends.
    cut: AtomicUsize,
    /// Status of every file, and code of the error.
    status: Mutex<Option<(StatusCode, &'static str)>>,
    /// Paths of the requested files, and ranges.
    requests: Mutex<Vec<(String, Option<String>)>>,
}

async fn tree(State(hub): State<Arc<Double>>, RawQuery(query): RawQuery) -> Response {
    let start: usize = query.and_then(|query| query.split_once("cursor=")?.1.parse().ok()).unwrap_or_default();
    let entry = |(name, content): (&String, &Bytes)| {
        let sha256 = hex::encode(Sha256::digest(content));
        let mut entry = json!({ "type": "file", "path": name, "size": content.len(), "oid": "0" });
        if !name.ends_with("json") {
            entry["lfs"] = json!({ "oid": sha256, "size": content.len() });
        }
        hub.listed.get(name).cloned().unwrap_or(entry)
    };
    let page: Vec<Value> = hub.files.iter().skip(start).take(2).map(entry).collect();
    let next = start + page.len();
    let link = format!("<https://other.example.org/api?recursive=true&cursor={next}>; rel=\"next\"");
    let more = (next < hub.files.len()).then_some([("link", link)]);
    (
        more.map_or_else(HeaderMap::new, |[(name, link)]| {
            HeaderMap::from_iter([(name.parse().unwrap(), link.parse().unwrap())])
        }),
        Json(page),
    )
        .into_response()
}

async fn resolve(State(hub): State<Arc<Double>>, UrlPath(file): UrlPath<String>, headers: HeaderMap) -> Response {
    let range = headers.get("range").map(|range| range.to_str().unwrap().to_owned());
    hub.requests.lock().unwrap().push((file.clone(), range.clone()));
    if let Some((status, code)) = *hub.status.lock().unwrap() {
        return (status, [("x-error-code", code)]).into_response();
    }
    let Some(content) = hub.files.get(&file) else { return StatusCode::NOT_FOUND.into_response() };
    let start = range.as_ref().map_or(0, |range| range["bytes=".len()..range.len() - 1].parse().unwrap());
    let end = content.len().min(start + hub.cut.load(Ordering::SeqCst));
    let mut parts = vec![Ok(content.slice(start..end))];
    if end < content.len() {
        parts.push(Err(std::io::Error::other("cut")));
    }
    let status = if range.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    let headers = [
        ("content-range", format!("bytes {start}-{}/{}", content.len() - 1, content.len())),
        ("content-length", (content.len() - start).to_string()),
    ];
    let body = futures_util::stream::unfold(parts.into_iter(), |mut parts| async move {
        let part = parts.next()?;
        if part.is_err() {
            // What was sent before the cut arrives.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Some((part, parts))
    });
    (status, headers, Body::from_stream(body)).into_response()
}

impl Double {
    /// Starts the hub, with more files than the usual ones.
    async fn start(more: &[(&str, &[u8])]) -> (String, Arc<Self>) {
        Self::start_with(more, &[]).await
    }

    async fn start_with(more: &[(&str, &[u8])], listed: &[(&str, Value)]) -> (String, Arc<Self>) {
        let directory = tempfile::tempdir().unwrap();
        write_model(directory.path());
        let mut files = BTreeMap::from([("pytorch_model.bin".to_owned(), Bytes::from_static(b"not wanted"))]);
        for entry in std::fs::read_dir(directory.path()).unwrap() {
            let entry = entry.unwrap();
            files.insert(entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap().into());
        }
        files.extend(more.iter().map(|&(name, content)| (name.to_owned(), Bytes::copy_from_slice(content))));
        let hub = Arc::new(Self {
            files,
            listed: listed.iter().map(|(name, entry)| ((*name).to_owned(), entry.clone())).collect(),
            cut: AtomicUsize::new(usize::MAX / 2),
            status: Mutex::default(),
            requests: Mutex::default(),
        });
        let app = Router::new()
            .route("/api/models/tiny/model/revision/main", get(async || Json(json!({ "sha": COMMIT }))))
            .route(&format!("/api/models/tiny/model/tree/{COMMIT}"), get(tree))
            .route(&format!("/tiny/model/resolve/{COMMIT}/{{*file}}"), get(resolve))
            .with_state(hub.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (address, hub)
    }

    fn take_requests(&self) -> Vec<(String, Option<String>)> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }

    /// Returns the ranges that were asked of a file.
    fn ranges(&self, file: &str) -> Vec<Option<String>> {
        self.take_requests().into_iter().filter(|(name, _)| name == file).map(|(_, range)| range).collect()
    }
}

fn model<'a>(cache: &'a Path, endpoint: &'a str) -> HubModel<'a> {
    HubModel { name: "tiny/model", choice: None, with_weights: true, cache, endpoint: Some(endpoint) }
}

async fn pull(cache: &Path, endpoint: &str) -> Result<ModelFiles, HubError> {
    from_hub(model(cache, endpoint), |_| {}).await
}

/// Weights larger than a buffer.
fn weights() -> Vec<u8> {
    (0..100_000u32).flat_map(u32::to_le_bytes).collect()
}

#[tokio::test]
async fn a_model_is_downloaded_once() {
    let (endpoint, hub) = Double::start(&[]).await;
    let cache = tempfile::tempdir().unwrap();
    let seen = Mutex::new(Vec::new());
    let files = from_hub(model(cache.path(), &endpoint), |event| seen.lock().unwrap().push(event)).await.unwrap();
    assert_eq!(files.weights[0].1.as_ref(), b"weights");
    assert!(files.chat_template.is_some());
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen[0].stage, format!("asking {endpoint} for the files of tiny/model"));
    let last = seen.last().unwrap();
    assert!(last.stage == "fetching tiny/model" && last.done == last.total && last.total > 0, "{last:?}");
    assert_eq!(hub.take_requests().len(), 5, "the files of a model");

    for with_weights in [true, false] {
        let nothing_left = |_| panic!("nothing is left to download");
        from_hub(HubModel { with_weights, ..model(cache.path(), &endpoint) }, nothing_left).await.unwrap();
    }
    pull(cache.path(), NOWHERE).await.unwrap();
    assert_eq!(hub.take_requests(), []);
}

#[tokio::test]
async fn weights_that_nobody_needs_are_not_downloaded() {
    let (endpoint, _hub) = Double::start(&[]).await;
    let cache = tempfile::tempdir().unwrap();
    let small = |endpoint| HubModel { with_weights: false, ..model(cache.path(), endpoint) };
    let files = from_hub(small(&endpoint), |_| {}).await.unwrap();
    assert!(files.weights.is_empty() && files.chat_template.is_some());
    from_hub(small(NOWHERE), |_| panic!("nothing is left to download")).await.unwrap();
    // A later start that needs them fetches them.
    let files = pull(cache.path(), &endpoint).await.unwrap();
    assert_eq!(files.weights[0].1.as_ref(), b"weights");
}

#[tokio::test]
async fn one_of_several_gguf_files_is_chosen() {
    let more: [(&str, &[u8]); 3] =
        [("x-Q4_0.gguf", b"GGUF four"), ("x-Q8_0.gguf", b"GGUF eight"), ("x-F16.gguf", b"GGUF half")];
    let (endpoint, hub) = Double::start(&more).await;
    let cache = tempfile::tempdir().unwrap();
    fn chosen<'a>(cache: &'a Path, choice: &'a str, endpoint: &'a str) -> HubModel<'a> {
        HubModel { choice: Some(choice), ..model(cache, endpoint) }
    }
    for (choice, file, content) in [("q4_0", more[0].0, more[0].1), ("F16", more[2].0, more[2].1)] {
        let files = from_hub(chosen(cache.path(), choice, &endpoint), |_| {}).await.unwrap();
        assert_eq!(files.weights[0].1, content);
        let path = cache.path().join("models--tiny--model/snapshots").join(COMMIT).join(file);
        assert_eq!(files.origin, crate::model_files::WeightOrigin::Gguf(path));
        let fetched = hub.take_requests();
        assert!(fetched.iter().all(|(name, _)| !name.ends_with("safetensors")), "{fetched:?}");
        from_hub(chosen(cache.path(), &choice.to_uppercase(), NOWHERE), |_| panic!("it is there")).await.unwrap();
    }
    assert!(pull(cache.path(), NOWHERE).await.is_err(), "the safetensors are another model");
    assert_eq!(pull(cache.path(), &endpoint).await.unwrap().weights[0].1.as_ref(), b"weights");
    let error = from_hub(chosen(cache.path(), "Q5_0", &endpoint), |_| {}).await.unwrap_err().to_string();
    assert!(error.contains("tiny/model at http://") && error.contains("x-Q8_0.gguf  10 B"), "{error}");
    for choice in ["", "../x", "a b", "/x"] {
        let error = from_hub(chosen(cache.path(), choice, &endpoint), |_| {}).await.unwrap_err();
        assert!(matches!(error, HubError::Choice(_)), "{choice}: {error}");
    }
}

#[tokio::test]
async fn failures_name_the_model_the_hub_and_the_remedy() {
    let (endpoint, hub) = Double::start(&[]).await;
    let cache = tempfile::tempdir().unwrap();
    let other = HubModel { name: "tiny/other", ..model(cache.path(), &endpoint) };
    let error = from_hub(other, |_| {}).await.unwrap_err().to_string();
    assert!(error.contains("tiny/other") && error.contains(&endpoint) && error.contains("no such model"), "{error}");
    for name in ["model", "../model", "a/b/c", "a/..", "a/b?c", "/b"] {
        let error = from_hub(HubModel { name, ..model(cache.path(), &endpoint) }, |_| {}).await.unwrap_err();
        assert!(matches!(error, HubError::Name(_)), "{name}: {error}");
    }
    for status in [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN] {
        *hub.status.lock().unwrap() = Some((status, "GatedRepo"));
        let error = pull(cache.path(), &endpoint).await.unwrap_err().to_string();
        let remedy = format!("accept its terms at {endpoint}/tiny/model");
        assert!(error.contains("HF_TOKEN") && error.contains(&remedy), "{error}");
    }
    *hub.status.lock().unwrap() = Some((StatusCode::UNAUTHORIZED, "RepoNotFound"));
    let error = pull(cache.path(), &endpoint).await.unwrap_err().to_string();
    assert!(error.contains("no such model; check the name"), "{error}");
}

#[tokio::test]
async fn a_cut_connection_is_resumed() {
    let (endpoint, hub) = Double::start(&[("model.safetensors", &weights())]).await;
    let cache = tempfile::tempdir().unwrap();
    hub.cut.store(150_000, Ordering::SeqCst);
    let seen = Mutex::new(Vec::new());
    let files = from_hub(model(cache.path(), &endpoint), |event| seen.lock().unwrap().push(event)).await.unwrap();
    assert_eq!(files.weights[0].1, weights());
    let range = |start: u32| Some(format!("bytes={start}-"));
    assert_eq!(hub.ranges("model.safetensors"), [None, range(150_000), range(300_000)]);
    let told = |words: &str| seen.lock().unwrap().iter().any(|event| event.stage.contains(words));
    assert!(told("trying again in 0.5 s") && !told("in 1 s"), "an attempt that got on is no failure");
}

#[tokio::test]
async fn a_download_that_was_interrupted_goes_on() {
    let (endpoint, hub) = Double::start(&[("model.safetensors", &weights())]).await;
    let cache = tempfile::tempdir().unwrap();
    hub.cut.store(150_000, Ordering::SeqCst);
    let paused = tokio::sync::Notify::new();
    let report = |event: HubProgress| {
        if event.stage.contains("trying again") {
            paused.notify_one();
        }
    };
    tokio::select! {
        _ = from_hub(model(cache.path(), &endpoint), report) => panic!("the connection was cut"),
        () = paused.notified() => {}
    }
    hub.take_requests();
    hub.cut.store(usize::MAX / 2, Ordering::SeqCst);
    let seen = Mutex::new(Vec::new());
    let files = from_hub(model(cache.path(), &endpoint), |event| seen.lock().unwrap().push(event)).await.unwrap();
    assert_eq!(files.weights[0].1, weights());
    assert_eq!(hub.ranges("model.safetensors"), [Some("bytes=150000-".to_owned())]);
    let checked = HubProgress { stage: "checking model.safetensors".to_owned(), done: 150_000, total: 400_000 };
    assert!(seen.lock().unwrap().contains(&checked));
}

#[tokio::test]
async fn a_file_with_another_hash_is_rejected() {
    let forged = "0".repeat(64);
    let listed = json!({ "type": "file", "path": "model.safetensors", "size": 7, "lfs": { "oid": forged, "size": 7 } });
    let (endpoint, hub) = Double::start_with(&[], &[("model.safetensors", listed)]).await;
    let cache = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let error = pull(cache.path(), &endpoint).await.unwrap_err().to_string();
        assert!(error.contains("model.safetensors has SHA-256") && error.contains(&forged), "{error}");
        assert_eq!(hub.ranges("model.safetensors"), [None], "nothing of it is kept");
    }
    assert!(!cache.path().join("models--tiny--model/refs").exists(), "no reference to an incomplete snapshot");
}

#[tokio::test]
async fn a_full_disk_is_told_before_and_during_the_download() {
    let listed = json!({ "type": "file", "path": "model.safetensors", "size": 1u64 << 60 });
    let (endpoint, hub) = Double::start_with(&[], &[("model.safetensors", listed)]).await;
    let cache = tempfile::tempdir().unwrap();
    let error = pull(cache.path(), &endpoint).await.unwrap_err().to_string();
    assert!(error.contains("1.00 EiB are still to come") && error.contains("--data-dir"), "{error}");
    assert_eq!(hub.take_requests(), [], "nothing was fetched");

    let (endpoint, _hub) = Double::start(&[]).await;
    let partial = cache.path().join("models--tiny--model/snapshots").join(COMMIT).join("model.safetensors.incomplete");
    std::os::unix::fs::symlink("/dev/full", &partial).unwrap();
    let error = pull(cache.path(), &endpoint).await.unwrap_err().to_string();
    assert!(error.contains("model.safetensors.incomplete: the disk is full; free some space"), "{error}");
    std::fs::remove_file(partial).unwrap();
    pull(cache.path(), &endpoint).await.unwrap();
}

#[tokio::test]
async fn two_downloads_at_once_fetch_each_file_once() {
    let (endpoint, hub) = Double::start(&[("model.safetensors", &weights())]).await;
    let cache = tempfile::tempdir().unwrap();
    hub.cut.store(150_000, Ordering::SeqCst);
    let seen = Mutex::new(Vec::new());
    let report = |event: HubProgress| seen.lock().unwrap().push(event.stage);
    let one = from_hub(model(cache.path(), &endpoint), report);
    let (one, other) = tokio::join!(one, from_hub(model(cache.path(), &endpoint), report));
    assert_eq!((&one.unwrap().weights[0].1[..], &other.unwrap().weights[0].1[..]), (&weights()[..], &weights()[..]));
    assert_eq!(hub.ranges("model.safetensors").len(), 3, "of one download");
    assert!(seen.into_inner().unwrap().contains(&"waiting for another download of tiny/model".to_owned()));
}
