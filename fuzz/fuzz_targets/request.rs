//! Decoding and validation of request bodies: a rejection with the documented body or a value, never a fault of ours.

#![no_main]

#[path = "../../benches/support/mod.rs"]
mod support;

use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use tower::ServiceExt;
use trainyard::generated::types::ErrorResponse;

const PATHS: [&str; 5] = [
    "/v1/chat/completions",
    "/v1/preview/models",
    "/v1/preview/training-jobs",
    "/v1/preview/sft-training-jobs",
    "/v1/preview/models/3c90c3cc-0d44-4b50-8888-8dd25736052a/log",
];

static SERVICE: LazyLock<(Runtime, Router)> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    (runtime, support::generated(|| {}))
});

// The first byte chooses the operation; the rest is the body.
fuzz_target!(|data: &[u8]| {
    let Some((choice, body)) = data.split_first() else { return };
    let path = PATHS[usize::from(*choice) % PATHS.len()];
    let (runtime, router) = &*SERVICE;
    runtime.block_on(async {
        let request = support::request(path, Body::from(body.to_vec()), body.len());
        let Ok(response) = router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        // Handlers that no bench needs answer 409: the request was accepted.
        if matches!(status, 200 | 409) {
            return;
        }
        assert!(matches!(status, 400 | 422), "{status}");
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.expect("a bounded answer");
        let error: ErrorResponse = serde_json::from_slice(&bytes).expect("the documented refusal");
        assert!(!error.error.message.is_empty());
    });
});
