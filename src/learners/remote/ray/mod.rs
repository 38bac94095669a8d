//! Learners that run as jobs of a Ray cluster: found by their names, and started where there is none.
//!
//! A learner outlives a training job, since loading a large model takes minutes: it ends by itself after some time without
//! a call. Its Ray job is named by what it runs and a number, so that workers which start the same learner at the same time
//! meet at one name. Ray is asked for the address of a learner and starts it; it is not in the path of the data. Nothing
//! waits for a stop: sessions are fenced off by their epochs.

mod api;
mod package;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use reqwest::Url;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;

use super::connection::{Connection, bearer, http_client};
use super::error::{Failure, RemoteError};
use super::launch::LaunchOptions;
use super::{LearnerBase, LearnerServer, SessionKey};
use crate::generated::learner_client::Client;
use crate::generated::learner_client::types::Count;
use crate::model_files::WeightOrigin;
use api::{JobsApi, RayJob, Status, Submission, last_line};
use package::{Package, SEEDLING_DIRECTORY};

/// Time limit of a question for the health of a learner.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(10);
/// Questions without a response in a row after which a learner that responded before is given up and stopped.
const MAX_MISSES: u32 = 3;
/// Time that a worker waits for a learner of its own before it shares one that another worker uses.
const SHARE_AFTER: Duration = Duration::from_secs(10);
/// Number of learners that may end while they start before the search is given up.
const MAX_FAILED_STARTS: u32 = 3;

/// A learner that responds.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) url: Url,
    pub(super) key: String,
}

/// Result of one look at the cluster.
pub(super) enum Look {
    Found(Found),
    /// The learner is not ready, for this reason.
    Waiting(String),
}

/// A search for a learner, which starts one if there is none.
pub(super) struct Search<'a> {
    /// The cluster as its operator names it.
    name: &'a str,
    api: JobsApi,
    key_file: Option<&'a Path>,
    options: &'a LaunchOptions,
    session: &'a SessionKey,
    base: &'a str,
    package: Package,
    entrypoint: String,
    /// Beginning of the names of the learner's Ray jobs.
    prefix: String,
    start_limit: Duration,
    begin: Instant,
    looks: u32,
    /// Largest number that was submitted. A number is never submitted twice.
    submitted: u64,
    /// The job that this search has submitted, while it has not started.
    pending: Option<String>,
    /// Numbers of the jobs that were waited for.
    awaited: HashSet<u64>,
    failed_starts: u32,
    addresses: HashMap<u64, Url>,
    misses: HashMap<u64, u32>,
}

impl<'a> Search<'a> {
    /// Begins a search on the cluster that its operator names `name`. No request is sent.
    pub(super) fn new(
        name: &'a str,
        server: &'a LearnerServer,
        url: &Url,
        options: &'a LaunchOptions,
        base: LearnerBase<'a>,
        session: &'a SessionKey,
    ) -> Result<Self, RemoteError> {
        let (directory, with_seedling) = match (options.directories.of(base.name), base.weights) {
            (Some(directory), _) => (directory.to_owned(), false),
            (None, WeightOrigin::BuiltIn) => (SEEDLING_DIRECTORY.to_owned(), true),
            (None, WeightOrigin::Directory(directory)) => (directory.display().to_string(), false),
            (None, WeightOrigin::Gguf(path)) => {
                let reason = format!(
                    "a learner reads no GGUF file, as {} is; name a directory with safetensors",
                    path.display()
                );
                return Err(RemoteError::NotStarted { cluster: name.to_owned(), reason });
            }
        };
        let package = Package::new(with_seedling);
        let entrypoint = options.entrypoint(&directory);
        let settings = json!([base.name, entrypoint, options.gpus, package.name]);
        let hash = hex::encode(Sha256::digest(settings.to_string()));
        let key = &hash[..12];
        Ok(Self {
            name,
            api: JobsApi::new(url, name)?,
            key_file: server.key_file.as_deref(),
            options,
            session,
            base: base.name,
            package,
            entrypoint,
            prefix: format!("trainyard-{key}-"),
            start_limit: server.time_limits.start,
            begin: Instant::now(),
            looks: 0,
            submitted: 0,
            pending: None,
            awaited: HashSet::new(),
            failed_starts: 0,
            addresses: HashMap::new(),
            misses: HashMap::new(),
        })
    }

    /// Looks for a learner once, and starts one if none is there or starting. A head that does not respond is waited for.
    ///
    /// # Errors
    /// Learners end while they start, or Ray rejects a request in a way that will not change.
    pub(super) async fn look(&mut self) -> Result<Look, RemoteError> {
        self.looks += 1;
        self.api.read_token(self.name, self.key_file)?;
        match self.try_look().await {
            Ok(look) => Ok(look),
            Err(LookError::Remote(error)) => Err(error),
            Err(LookError::Failure(failure)) => {
                let is_awaited = failure.is_transport() || failure.is_unauthorized() || failure.is_server_error();
                let error = failure.of(self.name, "the search for a learner");
                if is_awaited { Ok(Look::Waiting(error.to_string())) } else { Err(error) }
            }
        }
    }

    async fn try_look(&mut self) -> Result<Look, LookError> {
        let mut jobs: Vec<(u64, RayJob)> = self
            .api
            .list()
            .await?
            .into_iter()
            .filter_map(|job| Some((job.submission_id.as_deref()?.strip_prefix(&self.prefix)?.parse().ok()?, job)))
            .collect();
        jobs.sort_by_key(|(number, _)| *number);
        let last = jobs.last().map_or(0, |(number, _)| *number).max(self.submitted);
        let mut starting = None;
        let mut shared: Option<(i64, Found)> = None;
        for (number, job) in jobs.into_iter().rev() {
            if job.status != Status::Pending && self.pending == job.submission_id {
                self.pending = None;
            }
            match job.status {
                Status::Pending if !self.is_given_up(&job) => {
                    self.awaited.insert(number);
                    starting.get_or_insert(job.message.unwrap_or_else(|| "Ray has not started it".to_owned()));
                }
                Status::Running => match self.reach(number, &job).await? {
                    Reach::Ready(..=0, found) => return Ok(Look::Found(found)),
                    Reach::Ready(sessions, found) => {
                        if shared.as_ref().is_none_or(|(fewest, _)| sessions < *fewest) {
                            shared = Some((sessions, found));
                        }
                    }
                    Reach::Loading(state) => {
                        self.awaited.insert(number);
                        starting.get_or_insert(state.to_owned());
                    }
                    Reach::Lost => {}
                },
                Status::Failed | Status::Stopped | Status::Succeeded if self.awaited.remove(&number) => {
                    self.note_end(&job)?;
                }
                _ => {}
            }
        }
        // A session of this worker's last job may just be closing.
        if starting.is_none() && (shared.is_none() || self.looks > 1) {
            self.start(last + 1).await?;
            starting = Some("it was submitted".to_owned());
        }
        match shared {
            Some((_, found)) if self.begin.elapsed() >= SHARE_AFTER => Ok(Look::Found(found)),
            _ => {
                let state = starting.unwrap_or_else(|| "another job uses it".to_owned());
                Ok(Look::Waiting(format!("the learner on {} is not ready: {state}", self.name)))
            }
        }
    }

    /// Returns whether a job has waited so long for its start that nobody waits for it any more. Some jobs never start,
    /// such as one whose submission was cut off.
    fn is_given_up(&self, job: &RayJob) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        job.start_time.is_some_and(|time| now.saturating_sub(Duration::from_millis(time)) > self.start_limit)
    }

    /// Asks Ray to stop the job that this search has submitted and that has not started. Nobody waits for it.
    pub(super) fn abandon(self, runtime: &Handle) {
        let Self { api, pending: Some(id), .. } = self else { return };
        runtime.spawn(async move {
            if let Err(failure) = api.stop(&id).await {
                tracing::debug!(?failure, id, "the Ray job was not stopped");
            }
        });
    }

    /// Asks a running learner for its health.
    async fn reach(&mut self, number: u64, job: &RayJob) -> Result<Reach, LookError> {
        let id = format!("{}{number}", self.prefix);
        let Some(key) = job.key() else { return Ok(Reach::Lost) };
        let url = match self.addresses.get(&number) {
            Some(url) => url.clone(),
            None => match self.api.learner_address(&id).await? {
                Some(url) => self.addresses.entry(number).or_insert(url).clone(),
                None => return Ok(Reach::Loading("it loads the base model")),
            },
        };
        let client = http_client(url.as_str(), bearer(key).ok()).map_err(LookError::Remote)?;
        let client = Client::new_with_client(url.as_str().trim_end_matches('/'), client);
        match Connection::health(&client, HEALTH_TIMEOUT).await {
            Ok(health) => {
                self.misses.remove(&number);
                let sessions = health.sessions - i64::from(self.has_session(&client).await);
                Ok(Reach::Ready(sessions, Found { url, key: key.to_owned() }))
            }
            Err(failure) => {
                let misses = self.misses.entry(number).or_default();
                *misses += 1;
                tracing::debug!(?failure, misses, id, "the learner does not say how it is");
                if *misses < MAX_MISSES {
                    return Ok(Reach::Loading("it does not answer"));
                }
                tracing::warn!(id, "the learner does not answer; Ray is asked to stop it");
                if let Err(failure) = self.api.stop(&id).await {
                    tracing::debug!(?failure, id, "the Ray job was not stopped");
                }
                Ok(Reach::Lost)
            }
        }
    }

    /// Returns whether a learner has a session of this job, which an earlier attempt left.
    async fn has_session(&self, client: &Client) -> bool {
        let SessionKey { name, epoch } = self.session;
        let asked = client.get_progress(name, &Count::from(*epoch)).await;
        match asked.map_err(Failure::from) {
            Ok(_) => true,
            Err(failure) => matches!(failure, Failure::Rejected { status: 409, .. }),
        }
    }

    /// Decides whether another start can succeed after a learner ended that was waited for.
    fn note_end(&mut self, job: &RayJob) -> Result<(), LookError> {
        let (kind, code) = (job.error_type.as_deref().unwrap_or_default(), job.driver_exit_code);
        let line = last_line(job.message.as_deref().unwrap_or_default());
        tracing::warn!(state = ?job.status, kind, ?code, line, "a learner ended while it started");
        // Ray found no resources for it in time, or lost the node.
        if matches!(kind, "JOB_SUPERVISOR_ACTOR_START_TIMEOUT" | "JOB_SUPERVISOR_ACTOR_UNSCHEDULABLE") {
            return Ok(());
        }
        self.failed_starts += 1;
        let is_of_program = code.is_some_and(|code| code > 0)
            || matches!(kind, "RUNTIME_ENV_SETUP_FAILURE" | "JOB_ENTRYPOINT_COMMAND_START_ERROR");
        if !is_of_program && self.failed_starts < MAX_FAILED_STARTS {
            return Ok(());
        }
        let reason = match code {
            Some(code) => format!("it ended with exit code {code}: {line}"),
            None => line,
        };
        Err(LookError::Remote(RemoteError::NotStarted { cluster: self.name.to_owned(), reason }))
    }

    /// Submits the learner under a number. A response that is lost is no error: the next look shows whether it counts.
    async fn start(&mut self, number: u64) -> Result<(), LookError> {
        self.api.store(&self.package).await?;
        let mut random = [0; 24];
        let failed = |reason: String| RemoteError::NotStarted { cluster: self.name.to_owned(), reason };
        getrandom::fill(&mut random).map_err(|error| LookError::Remote(failed(error.to_string())))?;
        let id = format!("{}{number}", self.prefix);
        let submission = Submission {
            id: &id,
            entrypoint: &self.entrypoint,
            gpus: self.options.gpus,
            package: &self.package,
            key: &hex::encode(random),
            metadata: json!({ "trainyard_base_model": self.base, "trainyard_job": self.session.name }),
        };
        self.submitted = number;
        let submitted = self.api.submit(&submission).await;
        match submitted {
            Ok(()) => {
                tracing::info!(id, cluster = self.name, "learner submitted to Ray");
                self.awaited.insert(number);
                self.pending = Some(id);
                Ok(())
            }
            // Another worker may have taken the number, or the response was lost.
            Err(failure) if failure.is_transport() || failure.is_server_error() => {
                tracing::warn!(?failure, id, "Ray may not have started the learner");
                Ok(())
            }
            Err(failure) => Err(failure.into()),
        }
    }
}

/// State of a running learner.
enum Reach {
    /// It responds, and has so many sessions of other jobs.
    Ready(i64, Found),
    Loading(&'static str),
    Lost,
}

enum LookError {
    /// A request to Ray failed.
    Failure(Failure),
    /// The search cannot succeed.
    Remote(RemoteError),
}

impl From<Failure> for LookError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}
