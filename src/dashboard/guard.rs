//! Checks that a request with a session comes from the dashboard of this server.
//!
//! A browser attaches the cookie of a session to any request for this server, whichever page sends it. Two checks make it
//! count for the dashboard only:
//!
//! * Cross-site request forgery: the header `X-Trainyard-Dashboard` is required. A page of another origin can send it only
//!   after a CORS preflight, which this server never grants. `Sec-Fetch-Site` and `Origin`, if present, must name this
//!   origin.
//! * DNS rebinding: a server on a loopback address accepts `Host` only with an IP address or `localhost`. A page of
//!   `attacker.example` that makes its own name resolve to 127.0.0.1 sends its own name.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, header};

use crate::http::ApiError;

/// Header that the dashboard adds to each of its requests.
pub(super) const MARK: HeaderName = HeaderName::from_static("x-trainyard-dashboard");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Checks the headers of a request.
///
/// # Errors
/// 403 for a request that does not come from the dashboard of this server.
pub(super) fn check(headers: &HeaderMap, is_loopback: bool) -> Result<(), ApiError> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("not ASCII"));
    let forbidden = |message: String| Err(ApiError::forbidden(message).with_code("not_from_dashboard"));
    if text(&MARK) != Some("1") {
        return forbidden(format!("sessions are for the dashboard: send an API key, or the header `{MARK}: 1`"));
    }
    let host = text(&header::HOST).unwrap_or_default();
    if is_loopback && !is_local(host_name(host)) {
        return forbidden(format!(
            "this server listens on a loopback address, but the request is for the host {host:?}. Open the dashboard at \
             localhost, or let the proxy send `Host: localhost`"
        ));
    }
    match (text(&SEC_FETCH_SITE), text(&header::ORIGIN)) {
        (Some("same-origin"), _) | (None, None) => Ok(()),
        (None, Some(origin)) if origin.split_once("://").is_some_and(|(_, authority)| authority == host) => Ok(()),
        _ => forbidden("the request comes from a page of another origin".to_owned()),
    }
}

/// Returns the name or address of a `Host` header, without the port.
fn host_name(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// Returns the port of a `Host` header, if it has one.
pub(super) fn port(headers: &HeaderMap) -> Option<u16> {
    headers.get(header::HOST)?.to_str().ok()?.rsplit_once(':')?.1.parse().ok()
}

/// Returns whether no DNS server decides on the address of this host.
fn is_local(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost") || name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(headers: &[(&str, &str)], is_loopback: bool) -> bool {
        let pair = |(name, value): &(&str, &str)| (name.parse().expect("a name"), value.parse().expect("a value"));
        let headers: HeaderMap = headers.iter().map(pair).collect::<Vec<(HeaderName, _)>>().into_iter().collect();
        check(&headers, is_loopback).is_ok()
    }

    #[test]
    fn only_requests_of_the_dashboard_pass() {
        let mark = ("x-trainyard-dashboard", "1");
        let host = ("host", "127.0.0.1:8000");
        assert!(passes(&[mark, host], true));
        assert!(passes(&[mark, host, ("sec-fetch-site", "same-origin")], true));
        assert!(passes(&[mark, host, ("origin", "http://127.0.0.1:8000")], true));
        // A proxy may change `Host`; then the browser's own word counts.
        assert!(passes(&[mark, host, ("origin", "https://yard.example"), ("sec-fetch-site", "same-origin")], true));
        for rejected in [
            &[host, ("sec-fetch-site", "same-origin")][..],
            &[("x-trainyard-dashboard", "yes"), host],
            &[mark, host, ("sec-fetch-site", "cross-site")],
            &[mark, host, ("sec-fetch-site", "same-site")],
            &[mark, host, ("sec-fetch-site", "none")],
            &[mark, host, ("origin", "http://127.0.0.1:9000")],
            &[mark, host, ("origin", "http://evil.example")],
            &[mark, host, ("origin", "null")],
            &[mark, ("host", "evil.example:8000"), ("sec-fetch-site", "same-origin")],
            &[mark],
        ] {
            assert!(!passes(rejected, true), "{rejected:?}");
        }
    }

    #[test]
    fn loopback_servers_answer_for_local_hosts_only() {
        let mark = ("x-trainyard-dashboard", "1");
        for (host, local) in [
            ("localhost:8000", true),
            ("LOCALHOST", true),
            ("yard.localhost:8000", true),
            ("[::1]:8000", true),
            ("10.0.0.7:8000", true),
            ("localhost.evil.example:8000", false),
            ("127.0.0.1.evil.example", false),
            ("evil.example", false),
            ("", false),
        ] {
            assert_eq!(passes(&[mark, ("host", host)], true), local, "{host}");
            assert!(passes(&[mark, ("host", host)], false), "{host}");
        }
    }
}
