//! Checks of a request head beyond hyper's parser.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Request, Version, header};

use crate::http::{ApiError, ErrorStatus};

/// Checks the length of the target, the expectation, and that an HTTP/1.1 request has exactly one `Host`, and any request
/// at most one `Authorization`: two could mean two things to two servers (RFC 9112 section 3.2).
///
/// # Errors
/// The error response: 414 for the target, 417 for the expectation, 400 for the others.
pub(super) fn check<B>(request: &Request<B>, max_target_bytes: usize) -> Result<(), ApiError> {
    if request.uri().path_and_query().map_or(0, |target| target.as_str().len()) > max_target_bytes {
        let message = format!("the request's path and query are longer than {max_target_bytes} bytes; shorten them");
        return Err(ApiError::new(ErrorStatus::URI_TOO_LONG, message).with_code("target_too_long"));
    }
    let headers = request.headers();
    if headers.get_all(header::EXPECT).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
        let message = "the request's `Expect` header is not `100-continue`; omit it";
        return Err(ApiError::new(ErrorStatus::EXPECTATION_FAILED, message).with_code("unknown_expectation"));
    }
    if headers.get_all(header::AUTHORIZATION).iter().nth(1).is_some() {
        return malformed("the request has more than one `Authorization` header; send one");
    }
    check_host(headers, request.version())
}

fn malformed(message: &str) -> Result<(), ApiError> {
    Err(ApiError::bad_request(message).with_code("malformed_request"))
}

fn check_host(headers: &HeaderMap, version: Version) -> Result<(), ApiError> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version == Version::HTTP_11 => malformed("the request has no `Host` header"),
        (Some(_), Some(_)) => malformed("the request has more than one `Host` header"),
        (Some(host), None) => {
            let host = host.as_bytes();
            let is_host = host.is_empty() || (!host.contains(&b'@') && Authority::try_from(host).is_ok());
            if is_host { Ok(()) } else { malformed("the request's `Host` header is not a host") }
        }
        (None, _) => Ok(()),
    }
}
