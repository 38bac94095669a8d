//! Middleware of every request: request id, log line, metrics, panic guard.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tracing::Instrument;

use super::request_head;
use super::routes::Routes;
use crate::api;
use crate::dashboard::Sessions;
use crate::engine::panic_text;
use crate::http::{ApiError, ErrorReport, OperationId, with_response_headers};
use crate::metrics::{Metrics, RequestGuard};
use crate::telemetry::Trace;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request: in its log lines and in the `x-request-id` header of its response.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Adds request id, log line, metrics and panic guard to every route, including the fallbacks. A malformed head or a path
/// and query longer than `max_target_bytes` gets an error response, the last of its connection.
pub(super) fn wrap(Routes { router, sessions }: Routes, metrics: Arc<Metrics>, max_target_bytes: usize) -> Router {
    router.layer(from_fn_with_state(Observer { metrics, sessions, max_target_bytes }, observe))
}

/// State of the middleware.
#[derive(Clone)]
struct Observer {
    metrics: Arc<Metrics>,
    sessions: Option<Arc<Sessions>>,
    max_target_bytes: usize,
}

async fn observe(
    State(Observer { metrics, sessions, max_target_bytes }): State<Observer>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = chosen_id(&request);
    let (method, path) = (request.method(), request.uri().path());
    let trace = Trace::of_request(method, path, request.headers());
    let trace_id = trace.id().map(tracing::field::display);
    let span = tracing::info_span!("request", id, %method, path, trace_id);
    let ended = trace.clone();
    request.extensions_mut().insert(RequestId(id.clone()));
    let is_anthropic = api::is_anthropic(request.uri().path(), request.headers());
    let response = async move {
        let started = Instant::now();
        let response = async {
            if let Err(error) = request_head::check(&request, max_target_bytes) {
                return ([(header::CONNECTION, "close")], error).into_response();
            }
            // Here and not in a layer of its own, which would cost each request of any client two boxes.
            match sessions.map_or(Ok(()), |sessions| sessions.admit(request.headers_mut())) {
                Ok(()) => with_response_headers(next.run(request)).await,
                Err(error) => error.into_response(),
            }
        };
        let mut response = match AssertUnwindSafe(response).catch_unwind().await {
            Ok(response) => response,
            Err(panic) => {
                tracing::error!(panic = panic_text(&*panic), "a handler panicked");
                ApiError::internal("a handler panicked").into_response()
            }
        };
        if is_anthropic && !response.status().is_success() {
            response = api::anthropic_error(response, &id);
        }
        let operation_id = response.extensions().get::<OperationId>().map(|operation| operation.0);
        let operation = operation_id.unwrap_or("-");
        let status = response.status().as_u16();
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        let report = response.extensions().get::<ErrorReport>();
        let rejection = report.map(|report| &*report.message);
        let cause = report.and_then(|report| report.cause.as_deref());
        if status >= 500 {
            tracing::error!(operation, status, milliseconds, rejection, cause, "answered");
        } else {
            tracing::info!(operation, status, milliseconds, rejection, "answered");
        }
        ended.end_request(operation_id, status, cause.or(rejection));
        let counted = RequestGuard::responded(&metrics, operation_id, status, started);
        let span = tracing::Span::current();
        response = response.map(|body| Body::new(ResponseBody { body, span, _trace: ended, _counted: counted }));
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    };
    trace.scope(response.instrument(span)).await
}

/// Returns the caller's `x-request-id` if it is at most 128 letters, digits, `-`, `_` or `.`, so that traces can be
/// joined. Otherwise returns a new id.
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

/// The body of a response. A panic while polling it aborts the body with an error, which the client sees, but not the
/// connection's task.
struct ResponseBody {
    body: Body,
    span: tracing::Span,
    /// Dropped with the body, which ends the request's span.
    _trace: Trace,
    /// Dropped with the body, which ends the request's duration metric.
    _counted: RequestGuard,
}

/// The body panicked.
#[derive(Debug, thiserror::Error)]
#[error("the answer broke off")]
struct BodyAborted;

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, axum::BoxError>>> {
        let this = self.get_mut();
        let _entered = this.span.enter();
        match catch_unwind(AssertUnwindSafe(|| Pin::new(&mut this.body).poll_frame(cx))) {
            Ok(polled) => polled.map_err(Into::into),
            Err(panic) => {
                tracing::error!(panic = panic_text(&*panic), "an answer panicked on its way");
                this.body = Body::empty();
                Poll::Ready(Some(Err(BodyAborted.into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}
