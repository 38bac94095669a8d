//! What surrounds every request: an id, a log line, and an answer even when a handler panics.

use std::{panic::AssertUnwindSafe, time::Instant};

use axum::{
    Router,
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use tracing::Instrument;

use crate::{
    error_chain::panic_text,
    http::{Failure, FailureReport, OperationId},
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request: in its log lines and in the `x-request-id` of its answer.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Puts id, log line and panic guard around every route, the fallbacks included.
pub fn wrap(router: Router) -> Router {
    router.layer(from_fn(observe))
}

async fn observe(mut request: Request, next: Next) -> Response {
    let id = chosen_id(&request);
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        path = request.uri().path(),
    );
    request.extensions_mut().insert(RequestId(id.clone()));
    async move {
        let started = Instant::now();
        let mut response = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => response,
            Err(panic) => {
                tracing::error!(panic = panic_text(&*panic), "a handler panicked");
                Failure::internal("a handler panicked").into_response()
            }
        };
        let operation = response.extensions().get::<OperationId>().map_or("-", |operation| operation.0);
        let status = response.status().as_u16();
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        let report = response.extensions().get::<FailureReport>();
        let refusal = report.map(|report| &*report.message);
        let cause = report.and_then(|report| report.cause.as_deref());
        if status >= 500 {
            tracing::error!(operation, status, milliseconds, refusal, cause, "answered");
        } else {
            tracing::info!(operation, status, milliseconds, refusal, "answered");
        }
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }
    .instrument(span)
    .await
}

/// The caller's own id when it is a plain short word, so that traces join; a new one otherwise.
fn chosen_id(request: &Request) -> String {
    request
        .headers()
        .get(&REQUEST_ID)
        .and_then(|value| value.to_str().ok())
        .filter(|id| {
            (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        })
        .map_or_else(|| format!("req_{}", uuid::Uuid::now_v7().simple()), str::to_owned)
}
