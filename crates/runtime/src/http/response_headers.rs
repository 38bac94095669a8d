//! Headers that inner code adds to the response of the current request, whichever response that is.

use std::cell::RefCell;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

tokio::task_local! {
    static ADDED: RefCell<HeaderMap>;
}

/// Adds a header to the response of the current request, replacing an earlier one of that name. Outside a request it
/// has no effect.
pub fn add_response_header(name: HeaderName, value: HeaderValue) {
    let _ = ADDED.try_with(|added| added.borrow_mut().insert(name, value));
}

/// Awaits a response and adds the headers that [`add_response_header`] collected.
pub async fn with_response_headers(response: impl Future<Output = Response>) -> Response {
    let whole = async {
        let mut response = response.await;
        response.headers_mut().extend(ADDED.with(RefCell::take));
        response
    };
    ADDED.scope(RefCell::default(), whole).await
}
