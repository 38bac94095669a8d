//! Ray's Jobs API, as far as learners need it.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::connection::{authorization, http_client};
use super::super::error::{Failure, RemoteError};
use super::package::Package;
use crate::error_chain;

/// Time limit of a request. Requests hang while the head's control process is away.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum size of the list of jobs.
const MAX_LIST: usize = 64 << 20;
/// Maximum size of the part of a log that is searched for the address of a learner.
const MAX_LOG: usize = 1 << 20;
/// Maximum size of an error's text.
const MAX_ERROR: usize = 64 << 10;
/// Variable of a learner's environment that has its key.
pub(super) const KEY_VARIABLE: &str = "TRAINYARD_LEARNER_TOKEN";

/// State of a Ray job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Status {
    Pending,
    Running,
    Stopped,
    Succeeded,
    Failed,
    #[serde(other)]
    Unknown,
}

/// A job as Ray describes it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RayJob {
    /// Name that its submitter gave it; `None` for a driver that was not submitted.
    #[serde(default)]
    pub(super) submission_id: Option<String>,
    pub(super) status: Status,
    #[serde(default)]
    pub(super) message: Option<String>,
    /// Cause of a failure that is not the program's.
    #[serde(default)]
    pub(super) error_type: Option<String>,
    #[serde(default)]
    pub(super) driver_exit_code: Option<i64>,
    /// Time of its submission, in milliseconds since 1970-01-01 UTC.
    #[serde(default)]
    pub(super) start_time: Option<u64>,
    #[serde(default)]
    runtime_env: Option<RuntimeEnv>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct RuntimeEnv {
    #[serde(default)]
    env_vars: HashMap<String, String>,
}

impl RayJob {
    /// Returns the key of the learner that the job runs.
    pub(super) fn key(&self) -> Option<&str> {
        self.runtime_env.as_ref()?.env_vars.get(KEY_VARIABLE).map(String::as_str)
    }
}

/// A job to submit.
pub(super) struct Submission<'a> {
    pub(super) id: &'a str,
    pub(super) entrypoint: &'a str,
    pub(super) gpus: u32,
    pub(super) package: &'a Package,
    pub(super) key: &'a str,
    pub(super) metadata: Value,
}

/// The Jobs API of one cluster.
pub(super) struct JobsApi {
    client: reqwest::Client,
    url: Url,
    /// The token of the cluster, if it has one.
    authorization: Option<HeaderValue>,
}

impl JobsApi {
    /// Creates a client without a token.
    pub(super) fn new(url: &Url, name: &str) -> Result<Self, RemoteError> {
        Ok(Self { client: http_client(name, None)?, url: url.clone(), authorization: None })
    }

    /// Reads the token, which may change.
    pub(super) fn read_token(&mut self, name: &str, file: Option<&Path>) -> Result<(), RemoteError> {
        self.authorization = authorization(name, file)?;
        Ok(())
    }

    /// Lists all jobs of the cluster.
    pub(super) async fn list(&self) -> Result<Vec<RayJob>, Failure> {
        let response = self.send(self.request(Method::GET, "api/jobs/")).await?;
        let body = crate::client::read(response, MAX_LIST).await;
        let body = body.map_err(|error| Failure::Transport(error_chain(&error)))?;
        let body = body.ok_or_else(|| Failure::Malformed(format!("it has more than {MAX_LIST} bytes")))?;
        serde_json::from_slice(&body).map_err(|error| Failure::Malformed(format!("no list of Ray jobs: {error}")))
    }

    /// Returns the address that a learner printed, if its job has printed it.
    pub(super) async fn learner_address(&self, id: &str) -> Result<Option<Url>, Failure> {
        let response = self.send(self.request(Method::GET, &format!("api/jobs/{id}/logs"))).await?;
        // The whole log is sent each time. The address is at its beginning, so the rest is not read.
        Ok(address_in(&String::from_utf8_lossy(&read_prefix(response, MAX_LOG).await?)))
    }

    /// Stores a package, unless it is stored.
    pub(super) async fn store(&self, package: &Package) -> Result<(), Failure> {
        let path = format!("api/packages/gcs/{}", package.name);
        match self.send(self.request(Method::GET, &path)).await {
            Ok(_) => Ok(()),
            Err(Failure::Rejected { status: 404, .. }) => {
                let put = self.request(Method::PUT, &path).header("content-type", "application/octet-stream");
                self.send(put.body(package.bytes.clone())).await.map(drop)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Submits a job. An id that is used is an error with status 500.
    pub(super) async fn submit(&self, submission: &Submission<'_>) -> Result<(), Failure> {
        let Submission { id, entrypoint, gpus, package, key, metadata } = submission;
        let body = json!({
            "entrypoint": entrypoint,
            "submission_id": id,
            "entrypoint_num_cpus": 0,
            "entrypoint_num_gpus": gpus,
            "runtime_env": {
                "working_dir": format!("gcs://{}", package.name),
                "env_vars": { KEY_VARIABLE: key, "HF_HUB_OFFLINE": "1" },
            },
            "metadata": metadata,
        });
        self.send(self.request(Method::POST, "api/jobs/").json(&body)).await.map(drop)
    }

    /// Asks Ray to stop a job. One that waits for resources stays in the list for a quarter of an hour.
    pub(super) async fn stop(&self, id: &str) -> Result<(), Failure> {
        self.send(self.request(Method::POST, &format!("api/jobs/{id}/stop"))).await.map(drop)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut url = self.url.clone();
        url.set_path(path);
        let headers = self.authorization.clone().map(|value| (AUTHORIZATION, value)).into_iter().collect();
        self.client.request(method, url).headers(headers).timeout(TIMEOUT)
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let response = request.send().await.map_err(|error| Failure::Transport(error_chain(&error)))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let text = read_prefix(response, MAX_ERROR).await.unwrap_or_default();
        let text = last_line(&String::from_utf8_lossy(&text));
        let message = if text.is_empty() { reason(status) } else { text };
        Err(Failure::Rejected { status: status.as_u16(), code: String::new(), message })
    }
}

fn reason(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("no reason").to_owned()
}

/// Reads the first `limit` bytes of a response, and a part of a chunk more.
async fn read_prefix(mut response: Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while bytes.len() < limit
        && let Some(chunk) = response.chunk().await.map_err(|error| Failure::Transport(error_chain(&error)))?
    {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Finds the line of the learner's address in the JSON text of a log, or of the beginning of one.
fn address_in(json: &str) -> Option<Url> {
    #[derive(Deserialize)]
    struct Printed {
        url: String,
    }

    let line = json.split_once("TRAINYARD_LEARNER ")?.1;
    // A line end within a JSON string; without it the line is not whole yet.
    let (line, _) = line.split_once("\\n")?;
    let line: String = serde_json::from_str(&format!("\"{line}\"")).ok()?;
    let printed: Printed = serde_json::from_str(&line).ok()?;
    printed.url.parse().ok()
}

/// Returns the last line of a text that has words, at most 500 characters of it.
pub(super) fn last_line(text: &str) -> String {
    let line = text.lines().map(str::trim).rfind(|line| line.contains(char::is_alphanumeric)).unwrap_or_default();
    line.chars().take(500).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_a_log_that_is_not_read_to_its_end() {
        let log = json!({ "logs": "Runtime env is setting up.\nTRAINYARD_LEARNER {\"url\": \"http://10.0.0.2:4242\"}\nmore" });
        let text = log.to_string();
        let address: Url = "http://10.0.0.2:4242".parse().unwrap();
        assert_eq!(address_in(&text), Some(address.clone()));
        assert_eq!(address_in(&text[..text.len() - 5]), Some(address));
        for end in [10, text.find("4242").unwrap(), text.find("more").unwrap() - 2] {
            assert_eq!(address_in(&text[..end]), None, "{}", &text[..end]);
        }
    }

    #[test]
    fn the_reason_is_the_last_line_of_a_traceback() {
        assert_eq!(last_line("Traceback:\n  File\nValueError: no\n.\n"), "ValueError: no");
        assert_eq!(last_line(""), "");
    }
}
