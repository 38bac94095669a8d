//! `trainyard health`: checks that a server accepts requests.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::CommandError;
use crate::client::{BASE_URL_VARIABLE, Client};
use crate::error_chain;

#[derive(Args)]
#[command(
    after_help = "Sends GET /health without an API key. Exits with 0 if the server accepts requests, and with 1 if it does \
    not answer, answers with an error, or is shutting down. Made for health checks of containers.\n\nExamples:\n  \
    trainyard health\n  \
    trainyard health --base-url https://training.example.org --timeout 5"
)]
pub(super) struct Options {
    /// Address of the server [default: that of TRAINYARD_LISTEN, or http://127.0.0.1:8000].
    #[arg(long, env = BASE_URL_VARIABLE, value_name = "URL")]
    base_url: Option<String>,
    /// Listen address of the server on this machine, as given to `trainyard serve`.
    #[arg(long, env = "TRAINYARD_LISTEN", value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Time limit of the whole request, seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let timeout = Duration::from_secs(options.timeout);
    let base_url = options.base_url.filter(|url| !url.trim().is_empty());
    let base_url = base_url.unwrap_or_else(|| options.listen.map_or_else(default_url, local_url));
    // The operation needs no key, and the request below sends none.
    let client = Client::builder().base_url(base_url).api_key("none").connect_timeout(timeout).build()?;
    let url = format!("{}/health", client.base_url());
    let response = match client.client.get(&url).timeout(timeout).send().await {
        Ok(response) => response,
        Err(error) => return Err(format!("{url} does not answer: {}", error_chain(&error.without_url())).into()),
    };
    match response.status().as_u16() {
        200 => {
            note!("{url} answers");
            Ok(ExitCode::SUCCESS)
        }
        503 => Err(format!("{url} answers 503: the server is shutting down").into()),
        status => Err(format!("{url} answers {status}: is it a Trainyard server?").into()),
    }
}

fn default_url() -> String {
    local_url(SocketAddr::from(([127, 0, 0, 1], 8000)))
}

/// Returns the URL at which this machine reaches a listen address. An unspecified address listens on loopback as well.
fn local_url(mut listen: SocketAddr) -> String {
    if listen.ip().is_unspecified() {
        listen.set_ip(match listen {
            SocketAddr::V4(_) => [127, 0, 0, 1].into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{listen}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listen_address_becomes_a_url_of_this_machine() {
        for (listen, url) in [
            ("0.0.0.0:8000", "http://127.0.0.1:8000"),
            ("[::]:9000", "http://[::1]:9000"),
            ("10.0.0.7:80", "http://10.0.0.7:80"),
        ] {
            assert_eq!(local_url(listen.parse().unwrap()), url);
        }
        assert_eq!(default_url(), "http://127.0.0.1:8000");
    }
}
