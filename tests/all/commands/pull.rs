//! `trainyard models pull`, from a hub on this machine.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{finish, program};
use crate::support::process::{Process, Site};
use crate::time_limits::Limited;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const SEEDLING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/seedling");
const WEIGHTS: &str = "model.safetensors";

/// A hub that has the built-in model as `tiny/seedling`.
#[derive(Default)]
struct Hub {
    /// Number of bytes of the weights that are sent at once, before a pause; zero for all.
    trickle: AtomicUsize,
    /// First byte of each request for the weights.
    starts: std::sync::Mutex<Vec<usize>>,
}

fn file(name: &str) -> Bytes {
    std::fs::read(format!("{SEEDLING}/{name}")).expect("a file of the model").into()
}

async fn tree() -> Json<Vec<Value>> {
    let names =
        ["config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja"];
    let small = names.map(|name| json!({ "type": "file", "path": name, "size": file(name).len() }));
    let (oid, size) = (hex::encode(Sha256::digest(file(WEIGHTS))), file(WEIGHTS).len());
    let large = json!({ "type": "file", "path": WEIGHTS, "size": size, "lfs": { "oid": oid, "size": size } });
    Json([&small[..], &[large]].concat())
}

async fn resolve(State(hub): State<Arc<Hub>>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let content = file(&name);
    let range = headers.get("range").map(|range| range.to_str().expect("text"));
    let start = range.map_or(0, |range| range["bytes=".len()..range.len() - 1].parse().expect("a number"));
    if name != WEIGHTS {
        return content.into_response();
    }
    hub.starts.lock().expect("no panic").push(start);
    let step = hub.trickle.load(Ordering::SeqCst);
    let rest = content.slice(start..);
    let length = rest.len();
    let body = futures_util::stream::unfold(rest, move |mut rest| async move {
        if step > 0 && rest.len() < length {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let part = rest.split_to(if step > 0 { step.min(rest.len()) } else { rest.len() });
        (!part.is_empty()).then_some((Ok::<_, std::io::Error>(part), rest))
    });
    let headers = [
        ("content-range", format!("bytes {start}-{}/{}", content.len() - 1, content.len())),
        ("content-length", length.to_string()),
    ];
    let status = if start > 0 { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    (status, headers, Body::from_stream(body)).into_response()
}

impl Hub {
    async fn start() -> (String, Arc<Self>) {
        let hub = Arc::new(Self::default());
        let gated = async || (StatusCode::UNAUTHORIZED, [("x-error-code", "GatedRepo")]);
        let app = Router::new()
            .route("/api/models/tiny/seedling/revision/main", get(async || Json(json!({ "sha": COMMIT }))))
            .route(&format!("/api/models/tiny/seedling/tree/{COMMIT}"), get(tree))
            .route(&format!("/tiny/seedling/resolve/{COMMIT}/{{name}}"), get(resolve))
            .route("/api/models/tiny/gated/revision/main", get(gated))
            .with_state(hub.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, app).await });
        (address, hub)
    }
}

/// A pull from this hub into the site's data directory.
fn pull(site: &Site, endpoint: &str, model: &str) -> std::process::Command {
    let data = site.data().display().to_string();
    let mut command = program(site, &["models", "pull", model, "--from", endpoint, "--data-dir", &data]);
    command.env_remove("HF_TOKEN").env_remove("HF_ENDPOINT");
    command
}

#[tokio::test]
async fn a_pulled_model_is_served_without_the_hub() {
    let (site, (endpoint, hub)) = (Site::new(), Hub::start().await);
    hub.trickle.store(100_000, Ordering::SeqCst);
    let mut command = pull(&site, &endpoint, "tiny/seedling");
    let mut killed = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_limited();
    let mut lines = BufReader::new(killed.stderr.take().expect("standard error")).lines();
    let told: Vec<String> = tokio::task::spawn_blocking(move || {
        let mut next = || lines.next().expect("a line").expect("text");
        // A line for the stage, and one for each second.
        vec![next(), next(), next()]
    })
    .await
    .expect("no panic");
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");
    assert_eq!(told[0], format!("asking {endpoint} for the files of tiny/seedling"));
    assert!(told[1].starts_with("fetching tiny/seedling: ") && told[1].contains(" MiB ("), "{told:?}");
    assert!(told[2].contains("/s, ") && told[2].ends_with(" left"), "{told:?}");

    hub.trickle.store(0, Ordering::SeqCst);
    // Two at once: one fetches, and the other waits.
    let both = [(); 2].map(|()| finish(pull(&site, &endpoint, "tiny/seedling")));
    let [one, other] = both;
    let path = site.data().join("hub/models--tiny--seedling/snapshots").join(COMMIT);
    for (code, shown, told) in <[_; 2]>::from(tokio::join!(one, other)) {
        assert_eq!((code, shown), (0, format!("{}\n", path.display())), "{told}");
        assert!(told.ends_with("serve it with: trainyard serve --base-model tiny/seedling\n"), "{told}");
    }
    assert_eq!(std::fs::read(path.join(WEIGHTS)).expect("it is there"), file(WEIGHTS));
    let starts = std::mem::take(&mut *hub.starts.lock().expect("no panic"));
    assert!(matches!(starts[..], [0, next] if next > 0), "the rest is fetched once: {starts:?}");

    let server = Process::serve(site.path(), &["--base-model", "tiny/seedling"]);
    let bases = site.call(&server, reqwest::Method::GET, "/v1/preview/base-models", None).await.ok();
    assert!(bases["data"].to_string().contains("tiny/seedling"), "{bases}");
    server.stop();
    assert!(hub.starts.lock().expect("no panic").is_empty());
}

#[tokio::test]
async fn a_pull_that_fails_says_what_to_do() {
    let (site, (endpoint, _hub)) = (Site::new(), Hub::start().await);
    let remedy = format!("set HF_TOKEN to a token of your account, and accept its terms at {endpoint}/tiny/gated");
    for (model, code, expected) in [
        ("tiny/gated", 1, remedy.as_str()),
        ("tiny/none", 1, "HTTP 404: the hub has no such model"),
        ("tiny/seedling:Q4_K_M", 1, "the repository has no GGUF file; leave out :Q4_K_M"),
        ("local=/models/x", 1, "without a path"),
        ("seedling", 2, "organization/model:Q4_K_M"),
    ] {
        let (found, shown, told) = finish(pull(&site, &endpoint, model)).await;
        assert!(found == code && shown.is_empty() && told.contains(expected), "{model}: {found} {shown}{told}");
    }
}
