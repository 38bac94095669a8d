//! A double of the Jobs API of a Ray head, for faults that a real one cannot be made to show on demand.
//!
//! Bodies and errors are those of the recordings in `tests/recordings`. A job that runs has a learner behind it, see
//! `learner.rs`; `tests/ray` runs the real ones.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::learner::{FakeLearner, serve};

/// Properties of the double that a test changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Behaviour {
    /// Token that it wants.
    pub token: Option<String>,
    /// Answers nothing, as after the death of the head's control process.
    pub hangs: bool,
    /// Answers every request with 500.
    pub fails: bool,
    /// Waits before each answer.
    pub delay: Duration,
    /// Processes so many submissions and breaks off their answers.
    pub lost_answers: u32,
    /// Has no resources for new jobs.
    pub full: bool,
    /// Exit code and log of jobs that are submitted.
    pub exits: Option<(i64, String)>,
}

struct Job {
    body: Value,
    status: &'static str,
    message: String,
    error_type: Option<&'static str>,
    exit_code: Option<i64>,
    start_time: u64,
    learner: Option<FakeLearner>,
}

#[derive(Default)]
struct Shared {
    behaviour: Mutex<Behaviour>,
    jobs: Mutex<BTreeMap<String, Job>>,
    packages: Mutex<BTreeMap<String, usize>>,
    /// Method and path of each request.
    requests: Mutex<Vec<String>>,
}

/// A double of a Ray head on a port of its own.
pub(crate) struct FakeRay {
    address: SocketAddr,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
}

/// Returns a recorded exchange.
fn recorded(name: &str) -> Value {
    static RECORDINGS: OnceLock<Value> = OnceLock::new();
    let recordings = RECORDINGS.get_or_init(|| {
        serde_json::from_str(include_str!("../recordings/ray-2.60.0.json")).expect("the recordings are JSON")
    });
    assert!(recordings[name].is_object(), "no recording {name:?}");
    recordings[name].clone()
}

fn answer(recording: &str) -> Response {
    let recording = recorded(recording);
    let status = StatusCode::from_u16(recording["status"].as_u64().expect("a status") as u16).expect("a status");
    match recording["response"].clone() {
        Value::String(text) => (status, text).into_response(),
        body => (status, axum::Json(body)).into_response(),
    }
}

impl FakeRay {
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let routes = Router::new().fallback(handle).layer(DefaultBodyLimit::disable()).with_state(shared.clone());
        let (runtime, address) = serve(routes);
        Self { address, shared, runtime: Some(runtime) }
    }

    /// Value of `--trainer`.
    pub(crate) fn trainer(&self) -> String {
        format!("ray=http://{}", self.address)
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut lock(&self.shared.behaviour));
    }

    /// Returns the jobs by name, with their states.
    pub(crate) fn jobs(&self) -> Vec<(String, &'static str)> {
        lock(&self.shared.jobs).iter().map(|(name, job)| (name.clone(), job.status)).collect()
    }

    /// Returns the bodies with which the jobs were submitted.
    pub(crate) fn submissions(&self) -> Vec<Value> {
        lock(&self.shared.jobs).values().map(|job| job.body.clone()).collect()
    }

    /// Returns the sizes of the packages by name.
    pub(crate) fn packages(&self) -> BTreeMap<String, usize> {
        lock(&self.shared.packages).clone()
    }

    /// Returns how many requests of a method went to paths with this end.
    pub(crate) fn count(&self, method: &str, end: &str) -> usize {
        let requests = lock(&self.shared.requests);
        requests.iter().filter(|request| request.starts_with(method) && request.ends_with(end)).count()
    }

    /// Number of sessions of all learners.
    pub(crate) fn sessions(&self) -> usize {
        let jobs = lock(&self.shared.jobs);
        jobs.values().filter_map(|job| job.learner.as_ref()).map(FakeLearner::sessions).sum()
    }

    /// Ends the running learners, as by SIGKILL.
    pub(crate) fn kill_learners(&self) {
        for job in lock(&self.shared.jobs).values_mut() {
            if job.learner.take().is_none() {
                continue;
            }
            (job.status, job.exit_code, job.error_type) = ("FAILED", Some(-9), Some("JOB_ENTRYPOINT_COMMAND_ERROR"));
            job.message = "Job entrypoint command failed with exit code -9, last available logs:\n".to_owned();
        }
    }

    /// Replaces the head by a new one, which knows nothing of the jobs of the old one.
    pub(crate) fn replace_head(&self) {
        self.kill_learners();
        lock(&self.shared.jobs).clear();
        lock(&self.shared.packages).clear();
    }

    /// Lets the time pass in which a job must start.
    pub(crate) fn give_up_pending(&self) {
        for job in lock(&self.shared.jobs).values_mut().filter(|job| job.status == "PENDING") {
            (job.status, job.error_type) = ("FAILED", Some("JOB_SUPERVISOR_ACTOR_START_TIMEOUT"));
            job.message = "Job supervisor actor failed to start within 900.0 seconds.".to_owned();
        }
    }

    /// Adds a job that somebody else has submitted and that has ended.
    pub(crate) fn use_name(&self, name: &str) {
        lock(&self.shared.jobs).insert(name.to_owned(), Job::new(json!({}), "SUCCEEDED", "Job finished successfully."));
    }
}

impl Drop for FakeRay {
    fn drop(&mut self) {
        self.kill_learners();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn new(body: Value, status: &'static str, message: &str) -> Self {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_millis();
        let start_time = u64::try_from(time).expect("a time");
        Self { body, status, message: message.to_owned(), error_type: None, exit_code: None, start_time, learner: None }
    }

    /// The job as Ray describes one.
    fn describe(&self, name: &str) -> Value {
        let mut job = recorded("seconds to RUNNING")["response"].clone();
        job["submission_id"] = name.into();
        job["status"] = self.status.into();
        job["message"] = self.message.clone().into();
        job["error_type"] = self.error_type.into();
        job["driver_exit_code"] = self.exit_code.into();
        job["start_time"] = self.start_time.into();
        for field in ["entrypoint", "metadata", "runtime_env"] {
            job[field] = self.body[field].clone();
        }
        job
    }
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    lock(&shared.requests).push(format!("{method} {path}"));
    let behaviour = lock(&shared.behaviour).clone();
    tokio::time::sleep(behaviour.delay).await;
    while lock(&shared.behaviour).hangs {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    if behaviour.fails {
        return answer("the same submission id again");
    }
    if let Some(token) = &behaviour.token {
        match request.headers().get("authorization").map(|value| value.to_str().expect("text")) {
            None => return answer("no token"),
            Some(given) if given != format!("Bearer {token}") => return answer("wrong token"),
            Some(_) => {}
        }
    }
    let body = axum::body::to_bytes(request.into_body(), usize::MAX).await.expect("a body");
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match (method, &parts[..]) {
        (Method::GET, ["api", "packages", "gcs", name]) if !lock(&shared.packages).contains_key(*name) => {
            answer("package: is it there")
        }
        (Method::GET, ["api", "packages", "gcs", _]) => answer("package: is it there now"),
        (Method::PUT, ["api", "packages", "gcs", name]) => {
            lock(&shared.packages).insert((*name).to_owned(), body.len());
            answer("package: put")
        }
        (Method::GET, ["api", "jobs"]) => {
            let jobs = lock(&shared.jobs);
            axum::Json(jobs.iter().map(|(name, job)| job.describe(name)).collect::<Vec<_>>()).into_response()
        }
        (Method::POST, ["api", "jobs"]) => submit(&shared, &behaviour, &body),
        (Method::GET, ["api", "jobs", name, "logs"]) => logs(&lock(&shared.jobs), name),
        (Method::POST, ["api", "jobs", name, "stop"]) => stop(&mut lock(&shared.jobs), name),
        other => panic!("Ray is not asked {other:?}"),
    }
}

fn submit(shared: &Shared, behaviour: &Behaviour, body: &Bytes) -> Response {
    let body: Value = serde_json::from_slice(body).expect("JSON");
    let name = body["submission_id"].as_str().expect("a name").to_owned();
    let package = body["runtime_env"]["working_dir"].as_str().and_then(|uri| uri.strip_prefix("gcs://"));
    assert!(lock(&shared.packages).contains_key(package.expect("a package")), "the package was not stored");
    let mut jobs = lock(&shared.jobs);
    if jobs.contains_key(&name) {
        return answer("the same submission id again");
    }
    let key = body["runtime_env"]["env_vars"]["TRAINYARD_LEARNER_TOKEN"].as_str().expect("a key").to_owned();
    let job = if behaviour.full {
        let waiting = recorded("more than there is: status")["response"]["message"].clone();
        Job::new(body, "PENDING", waiting.as_str().expect("a message"))
    } else if let Some((code, log)) = &behaviour.exits {
        let message = format!("Job entrypoint command failed with exit code {code}, last available logs:\n{log}");
        let ended = Job::new(body, "FAILED", &message);
        Job { exit_code: Some(*code), error_type: Some("JOB_ENTRYPOINT_COMMAND_ERROR"), ..ended }
    } else {
        Job { learner: Some(FakeLearner::start(&key)), ..Job::new(body, "RUNNING", "Job is currently running.") }
    };
    jobs.insert(name, job);
    drop(jobs);
    let lost = &mut lock(&shared.behaviour).lost_answers;
    if *lost > 0 {
        *lost -= 1;
        let broken = futures_util::stream::iter([Ok("{"), Err(std::io::Error::other("cut"))]);
        return ([("content-length", "40")], Body::from_stream(broken)).into_response();
    }
    answer("submit")
}

fn logs(jobs: &BTreeMap<String, Job>, name: &str) -> Response {
    let Some(job) = jobs.get(name) else { return answer("unknown job") };
    let begin = recorded("logs while it runs")["response"]["logs"].as_str().expect("a log").to_owned();
    let (begin, _) = begin.split_once("TRAINYARD_LEARNER").expect("the address");
    let address = job.learner.as_ref().map(|learner| json!({ "url": learner.url() }));
    let line = address.map(|address| format!("TRAINYARD_LEARNER {address}\n")).unwrap_or_default();
    axum::Json(json!({ "logs": format!("{begin}{line}") })).into_response()
}

/// Stops a job that runs. One that waits for resources stays as it is, as in Ray.
fn stop(jobs: &mut BTreeMap<String, Job>, name: &str) -> Response {
    let Some(job) = jobs.get_mut(name) else { return answer("unknown job") };
    match job.status {
        "RUNNING" => {
            (job.status, job.learner) = ("STOPPED", None);
            answer("stop")
        }
        "PENDING" => answer("stop"),
        _ => answer("stop a job that ended"),
    }
}
