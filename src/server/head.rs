//! Judges the head of a request before hyper sees it.
//!
//! hyper answers a head that it cannot read by itself, with a bare status: no body, no id. So what hyper would refuse is
//! refused here, by the same parser; and so is what two servers could read in two ways (RFC 9112 section 11.2), which
//! hyper resolves by itself: both lengths at once, a repeated length, a lone line feed.

use axum::http::{Method, Uri, uri::Authority};
use httparse::{EMPTY_HEADER, Error, Status};

use super::Limits;
use crate::http::{ErrorStatus, Failure};

/// The head of a request that may be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Its bytes, the empty line included.
    pub length: usize,
    /// How the end of the body is told.
    pub body: BodyLength,
}

/// How the end of a body is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BodyLength {
    /// By its length in bytes; there is none at 0.
    Sized(u64),
    /// By a last chunk.
    Chunked,
}

/// Judges the head that `received` begins with; `None` as long as it is not complete.
///
/// # Errors
/// What to answer instead, after which nothing more of this connection can be understood.
pub(super) fn judge(received: &[u8], limits: &Limits) -> Result<Option<Head>, Failure> {
    let mut headers = vec![EMPTY_HEADER; limits.headers];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(received) {
        Ok(Status::Complete(length)) if length <= limits.head_bytes => length,
        Ok(Status::Partial) if received.len() < limits.head_bytes => return Ok(None),
        Ok(_) if received.contains(&b'\n') => return Err(too_large(limits)),
        Ok(_) => return Err(target_too_long(limits)),
        Err(error) => return Err(unreadable(error, received, request.method.is_some(), limits)),
    };
    let lines = &received[..length];
    if lines.iter().enumerate().any(|(at, byte)| *byte == b'\n' && (at == 0 || lines[at - 1] != b'\r')) {
        return Err(refused("a line of the request's head does not end with CR LF"));
    }
    check_target(request.method.unwrap_or_default(), request.path.unwrap_or_default(), limits)?;
    let is_http_11 = request.version == Some(1);
    check_host(request.headers, is_http_11)?;
    Ok(Some(Head { length, body: body_length(request.headers, is_http_11)? }))
}

fn check_target(method: &str, target: &str, limits: &Limits) -> Result<(), Failure> {
    if target.len() > limits.target_bytes {
        return Err(target_too_long(limits));
    }
    if Method::from_bytes(method.as_bytes()).is_err() {
        return Err(refused("the request's method cannot be read"));
    }
    if !target.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(refused("the request's target has bytes that must be percent-encoded"));
    }
    match target.parse::<Uri>() {
        Ok(_) => Ok(()),
        Err(error) => Err(refused(&format!("the request's target cannot be read: {error}"))),
    }
}

/// Exactly one `Host`: two could mean two things to two servers (RFC 9112 section 3.2).
fn check_host(headers: &[httparse::Header<'_>], is_http_11: bool) -> Result<(), Failure> {
    let mut hosts = values(headers, "host");
    match (hosts.next(), hosts.next()) {
        (None, _) if is_http_11 => Err(refused("the request has no `Host` header")),
        (Some(_), Some(_)) => Err(refused("the request has more than one `Host` header")),
        (Some(host), None) => {
            let readable = host.is_empty() || (!host.contains(&b'@') && Authority::try_from(host).is_ok());
            if readable { Ok(()) } else { Err(refused("the request's `Host` header is not a host")) }
        }
        (None, _) => Ok(()),
    }
}

fn body_length(headers: &[httparse::Header<'_>], is_http_11: bool) -> Result<BodyLength, Failure> {
    let mut lengths = values(headers, "content-length");
    let mut codings = values(headers, "transfer-encoding");
    match (lengths.next(), codings.next()) {
        (None, None) => Ok(BodyLength::Sized(0)),
        (Some(_), Some(_)) => Err(refused("the request has both `Content-Length` and `Transfer-Encoding`")),
        (Some(length), None) => {
            if lengths.next().is_some() {
                return Err(refused("the request has more than one `Content-Length`"));
            }
            // Not `parse` alone: it would take a sign.
            let digits = std::str::from_utf8(length).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            match digits.and_then(|digits| digits.parse().ok()) {
                Some(length) if length < u64::MAX - 2 => Ok(BodyLength::Sized(length)),
                _ => Err(refused("the request's `Content-Length` is not a length in bytes")),
            }
        }
        (None, Some(_)) if !is_http_11 => Err(refused("`Transfer-Encoding` is not for HTTP/1.0")),
        (None, Some(coding)) if coding.eq_ignore_ascii_case(b"chunked") && codings.next().is_none() => {
            Ok(BodyLength::Chunked)
        }
        (None, Some(_)) => Err(refused("the only `Transfer-Encoding` that is taken is `chunked`")),
    }
}

fn values<'a>(headers: &'a [httparse::Header<'a>], name: &'a str) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

fn unreadable(error: Error, received: &[u8], method_was_read: bool, limits: &Limits) -> Failure {
    match error {
        Error::TooManyHeaders => too_large(limits),
        Error::Version if received.starts_with(b"PRI * HTTP/2.0") => {
            refused("HTTP/2 is not spoken here; use HTTP/1.1").with_code("http_version_not_supported")
        }
        Error::Version => refused("the request's HTTP version is not 1.1 or 1.0; use HTTP/1.1")
            .with_code("http_version_not_supported"),
        Error::Token if method_was_read => refused("the request's target cannot be read"),
        Error::Token => refused("the request's method cannot be read"),
        Error::HeaderName => refused("the name of a header cannot be read"),
        Error::HeaderValue => refused("the value of a header cannot be read"),
        Error::NewLine | Error::Status => refused("a line of the request's head cannot be read"),
    }
}

fn refused(message: &str) -> Failure {
    Failure::bad_request(message).with_code("malformed_request")
}

fn target_too_long(limits: &Limits) -> Failure {
    let message = format!("the request's target is longer than {} bytes", limits.target_bytes);
    Failure::new(ErrorStatus::URI_TOO_LONG, message).with_code("target_too_long")
}

fn too_large(limits: &Limits) -> Failure {
    let Limits { head_bytes, headers, .. } = limits;
    let message = format!("the request's head has more than {head_bytes} bytes or more than {headers} headers");
    Failure::new(ErrorStatus::REQUEST_HEADER_FIELDS_TOO_LARGE, message).with_code("headers_too_large")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(head: &str) -> Result<Option<Head>, Failure> {
        judge(head.as_bytes(), &Limits::default())
    }

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let whole = "POST /a?b=%20 HTTP/1.1\r\nHost: localhost:80\r\nContent-Length: 5\r\n\r\n";
        for end in 0..whole.len() {
            assert_eq!(judged(&whole[..end]).unwrap(), None, "{end}");
        }
        let expected = Head { length: whole.len(), body: BodyLength::Sized(5) };
        assert_eq!(judged(&format!("{whole}12345GET")).unwrap(), Some(expected));
        let chunked = "POST / HTTP/1.1\r\nhost: [::1]\r\ntransfer-encoding: Chunked\r\n\r\n";
        assert_eq!(judged(chunked).unwrap().unwrap().body, BodyLength::Chunked);
        assert_eq!(judged("GET / HTTP/1.0\r\n\r\n").unwrap().unwrap().body, BodyLength::Sized(0));
    }

    #[test]
    fn limits_are_exact() {
        let limits = Limits { head_bytes: 200, headers: 3, target_bytes: 10, ..Limits::default() };
        let status = |head: &str| judge(head.as_bytes(), &limits).err().map(|failure| failure.status().code().as_u16());
        assert_eq!(status(&format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "x".repeat(9))), None);
        assert_eq!(status(&format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "x".repeat(10))), Some(414));
        assert_eq!(status(&format!("GET /{}", "x".repeat(195))), Some(414));
        assert_eq!(status("GET / HTTP/1.1\r\nhost: a\r\na:\r\na:\r\n\r\n"), None);
        assert_eq!(status("GET / HTTP/1.1\r\nhost: a\r\na:\r\na:\r\na:\r\n\r\n"), Some(431));
        let filled = |length: usize| format!("GET / HTTP/1.1\r\nhost: a\r\nb: {}\r\n\r\n", "x".repeat(length - 32));
        assert_eq!((filled(200).len(), status(&filled(200))), (200, None));
        assert_eq!(status(&filled(201)), Some(431));
        assert_eq!(status(&filled(400)[..200]), Some(431), "not awaited when it cannot end in time");
    }
}
