//! Writing answers.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::Failure;

/// The operation that gave an answer; an extension of the response, for logs and metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationId(pub &'static str);

/// Runs a handler.
pub async fn run<T: IntoResponse>(operation: &'static str, work: impl Future<Output = Result<T, Failure>>) -> Response {
    let mut response = match work.await {
        Ok(output) => output.into_response(),
        Err(failure) => failure.into_response(),
    };
    response.extensions_mut().insert(OperationId(operation));
    response
}

/// A JSON document with a status.
pub fn json(status: u16, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            let mut response = with_status(status, Body::from(bytes));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        // Our own types serialise; were one not to, the fault is ours and the caller gets the usual body.
        Err(error) => Failure::internal(format_args!("an answer does not serialise: {error}")).into_response(),
    }
}

/// A status alone.
pub fn empty(status: u16) -> Response {
    with_status(status, Body::empty())
}

fn with_status(status: u16, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
}
