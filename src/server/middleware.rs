//! What surrounds every request: an id, a log line, and an answer even when a handler panics.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use tracing::Instrument;

use super::answer::Refused;
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
    let refused = request.extensions_mut().remove::<Refused>();
    async move {
        let started = Instant::now();
        let answer = async {
            match refused {
                Some(Refused(failure)) => failure.into_response(),
                None => next.run(request).await,
            }
        };
        let mut response = match AssertUnwindSafe(answer).catch_unwind().await {
            Ok(response) => response.map(|body| Body::new(PanicsEnd { body, span: tracing::Span::current() })),
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

/// A body whose panic ends the answer, broken off for the client to see, and not the connection's task.
struct PanicsEnd {
    body: Body,
    span: tracing::Span,
}

/// The body panicked.
#[derive(Debug, thiserror::Error)]
#[error("the answer broke off")]
struct BrokeOff;

impl HttpBody for PanicsEnd {
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
                Poll::Ready(Some(Err(BrokeOff.into())))
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
