//! What inner code adds to the response of the current request, whichever response that is: headers, and a change of its
//! body.

use std::cell::RefCell;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

tokio::task_local! {
    static ADDED: RefCell<Added>;
}

#[derive(Default)]
struct Added {
    headers: HeaderMap,
    change: Option<Box<dyn FnOnce(Body) -> Body + Send>>,
}

/// Adds a header to the response of the current request, replacing an earlier one of that name. Outside a request it
/// has no effect.
pub fn add_response_header(name: HeaderName, value: HeaderValue) {
    let _ = ADDED.try_with(|added| added.borrow_mut().headers.insert(name, value));
}

/// Changes the body of the response of the current request, in place of an earlier change. Outside a request it has no
/// effect.
pub fn change_response_body(change: impl FnOnce(Body) -> Body + Send + 'static) {
    let _ = ADDED.try_with(|added| added.borrow_mut().change = Some(Box::new(change)));
}

/// Awaits a response and applies to it what [`add_response_header`] and [`change_response_body`] collected.
pub async fn with_response_headers(answer: impl Future<Output = Response>) -> Response {
    let whole = async {
        let mut response = answer.await;
        let Added { headers, change } = ADDED.with(RefCell::take);
        response.headers_mut().extend(headers);
        match change {
            Some(change) => response.map(change),
            None => response,
        }
    };
    ADDED.scope(RefCell::default(), whole).await
}
