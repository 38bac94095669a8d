//! Readable descriptions of errors for the terminal.

use std::error::Error;

use crate::client::{ClientError, Rejection};
use crate::error_chain;

/// Describes an error in a sentence: the service's message, without HTTP status codes, and with a remedy if one is
/// known.
pub(super) fn explain(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<ClientError>() {
        Some(ClientError::Rejected(rejection)) => rejected(rejection),
        Some(ClientError::Transport(cause)) if cause.is_connect() => {
            unreachable_service(cause).unwrap_or_else(|| error_chain(error))
        }
        _ => error_chain(error),
    }
}

/// Returns whether the error is a closed pipe: the reader of standard output has ended.
pub(super) fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Describes an error response: the message of the service, the remedy for a wrong key, and for a server error the id
/// of the request in the server's log.
fn rejected(rejection: &Rejection) -> String {
    let Some(detail) = &rejection.detail else {
        return format!(
            "the response is not from a Trainyard server (HTTP status {}); check TRAINYARD_BASE_URL and any proxy. The \
             response: {}",
            rejection.status,
            if rejection.body_start.is_empty() { "nothing" } else { &rejection.body_start }
        );
    };
    let mut text = detail.message.clone();
    if let Some(param) = detail.param.as_deref().filter(|param| !text.contains(param)) {
        text = format!("{text} (at {param})");
    }
    if rejection.status == 401 {
        text = format!("{text}; give another key with `trainyard login` or TRAINYARD_API_KEY");
    }
    if let Some(wait) = rejection.retry_after {
        text = format!("{text}; try again in {} s", wait.as_secs_f64().ceil());
    }
    if let (500.., Some(id)) = (rejection.status, &rejection.request_id) {
        text = format!("{text} (the server's log has more under request {id})");
    }
    text
}

/// Describes a failed connection to an address without a listener; `None` for a certificate error, which has a better
/// description of its own.
fn unreachable_service(error: &reqwest::Error) -> Option<String> {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let cause = cause.to_string();
    let cause = cause.split(" (os error").next().unwrap_or_default();
    if error_chain(error).contains("certificate") {
        return None;
    }
    let url = error.url()?;
    let root = url.as_str().split("/v1/").next().unwrap_or_default().trim_end_matches('/');
    Some(format!(
        "no Trainyard server answers at {root} ({cause}); start one with `trainyard serve`, or set TRAINYARD_BASE_URL"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::connect;

    #[tokio::test]
    async fn an_address_where_nobody_listens_is_told_with_the_remedy() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address");
        let client = connect(&format!("http://{free}/v1"), "key").expect("a client");
        let error =
            client.create_file(crate::client::types::FilePurpose::UserData, "x", "").await.expect_err("refused");
        assert_eq!(
            explain(&error),
            format!(
                "no Trainyard server answers at http://{free} (Connection refused); start one with `trainyard serve`, or \
                 set TRAINYARD_BASE_URL"
            )
        );
    }

    #[test]
    fn a_closed_pipe_is_told_from_other_errors() {
        let error = |kind| Box::<dyn Error + Send + Sync>::from(std::io::Error::from(kind));
        assert!(is_closed_pipe(&*error(std::io::ErrorKind::BrokenPipe)));
        assert!(!is_closed_pipe(&*error(std::io::ErrorKind::StorageFull)));
        assert_eq!(explain(&*error(std::io::ErrorKind::StorageFull)), "no storage space");
    }
}
