//! Headers that something on the way of a request adds to its answer, whatever that becomes.

use std::cell::RefCell;

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue},
    response::Response,
};

tokio::task_local! {
    static ADDED: RefCell<HeaderMap>;
}

/// Adds a header to the answer of the request that is being handled, instead of an earlier one of this name. Without a
/// request there is nothing to add to.
pub fn add_to_answer(name: HeaderName, value: HeaderValue) {
    let _ = ADDED.try_with(|added| added.borrow_mut().insert(name, value));
}

/// Waits for an answer and adds to it what was to be added.
pub async fn with_added_headers(answer: impl Future<Output = Response>) -> Response {
    let whole = async {
        let mut response = answer.await;
        ADDED.with(|added| response.headers_mut().extend(added.take()));
        response
    };
    ADDED.scope(RefCell::default(), whole).await
}
