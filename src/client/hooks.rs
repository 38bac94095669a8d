//! What every call goes through: retries of what is safe to repeat, and answers that are not JSON.

use std::time::Duration;

use progenitor_client::{ClientHooks, ClientInfo, OperationInfo};
use reqwest::{Method, Request, Response, StatusCode, header};

use super::Client;

/// Calls after the first.
const RETRIES: u32 = 2;
/// Before the first retry; doubled for each other one.
const FIRST_DELAY: Duration = Duration::from_millis(400);
/// The longest wait that a `Retry-After` can ask for.
const LONGEST_DELAY: Duration = Duration::from_secs(20);

/// Retries GET and DELETE on a lost connection, 408, 429 and 502 to 504. A POST is never repeated: it may have worked.
impl ClientHooks<()> for Client {
    async fn exec(&self, request: Request, _info: &OperationInfo) -> reqwest::Result<Response> {
        let repeatable = *request.method() == Method::GET || *request.method() == Method::DELETE;
        let mut delay = FIRST_DELAY;
        for _ in 0..RETRIES {
            let Some(attempt) = repeatable.then(|| request.try_clone()).flatten() else { break };
            match self.client().execute(attempt).await {
                Ok(response) if is_passing(response.status()) => delay = retry_after(&response).unwrap_or(delay),
                Err(error) if error.is_connect() || error.is_timeout() => {}
                Err(error) => return Err(error),
                Ok(response) => return with_documented_error(response).await,
            }
            tokio::time::sleep(delay.min(LONGEST_DELAY)).await;
            delay *= 2;
        }
        with_documented_error(self.client().execute(request).await?).await
    }
}

fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 502..=504)
}

fn retry_after(response: &Response) -> Option<Duration> {
    response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

/// Gives an error answer of another shape (a proxy's page, the failed system check) the documented one: progenitor
/// would report that it cannot parse it and lose the status.
pub(super) async fn with_documented_error(response: Response) -> reqwest::Result<Response> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return Ok(response);
    }
    let mut headers = response.headers().clone();
    let bytes = response.bytes().await?;
    let body = match serde_json::from_slice::<crate::generated::types::ErrorResponse>(&bytes) {
        Ok(_) => bytes.to_vec(),
        Err(_) => described(status, &bytes),
    };
    headers.remove(header::CONTENT_LENGTH);
    headers.remove(header::TRANSFER_ENCODING);
    let mut documented = http::Response::new(body);
    *documented.status_mut() = status;
    *documented.headers_mut() = headers;
    Ok(documented.into())
}

fn described(status: StatusCode, bytes: &[u8]) -> Vec<u8> {
    const SHOWN: usize = 500;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    let message = match text.trim() {
        "" => format!("the answer is {status} without a body"),
        text => text.to_owned(),
    };
    let body = serde_json::json!({"error": {"message": message, "type": "unknown_error", "param": null, "code": null}});
    body.to_string().into_bytes()
}
