//! [`Sampler`] on vLLM servers: token ids out, token ids and log-probabilities back.
//!
//! Text, tools, stop texts and limits stay in this process; a replica sees token ids alone. Each sample is one request to
//! one of the replicas, in a stream. A replica gets requests after a check, and while its state can be read.

mod adapters;
mod check;
mod client;
mod dispatch;
mod endpoint;
mod generator;
mod loads;
mod measure;
mod monitor;
mod probe;
mod replica;
mod replica_adapters;
mod request;
mod sample;
mod settings;
mod stream;
mod wire;

use std::collections::HashMap;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::mpsc;
use tracing::Instrument;
use url::Url;

pub(crate) use adapters::{AdapterDirectories, collect};
pub(crate) use check::{Expected, OPEN, mean_difference};
pub use endpoint::{Endpoint, EndpointError, SamplerOption};
pub(crate) use measure::{KnownAdapter, ReplicaFigures, measure};
pub(crate) use request::Interface;
pub use settings::{SamplerSettings, Timing};

use self::adapters::adapter_name;
use self::client::{KeyFile, ReplicaClient};
use self::dispatch::{Dispatcher, QueueLimits, RouteKey};
use self::monitor::Task;
use self::replica::{Replica, ReplicaState};
use self::request::check_counts;
use self::sample::SampleRun;
use crate::engine::sampler::{
    AdapterEffect, AdapterLocation, GenerateEvent, GenerateRequest, ReplicaLoad, Sampler, SamplerError, SamplerLoad,
};
use crate::engine::scheduler::SamplerLimits;
use crate::telemetry::Trace;

/// Maximum number of prompt tokens in one event.
const PROMPT_TOKENS_PER_EVENT: usize = 256;
/// Time since an adapter's last use in which it is loaded again by a replica that restarted.
const RECENT: Duration = Duration::from_secs(3600);
/// Maximum number of adapters that are loaded again.
const MAX_RECENT: usize = 32;

/// [`Sampler`] on vLLM replicas. Dropping it ends its observation of them; samples in flight continue.
pub(crate) struct VllmSampler {
    shared: Arc<Shared>,
    /// The length that the base model's configuration allows.
    max_context: usize,
    runtime: tokio::runtime::Handle,
    _tasks: Vec<Task>,
}

/// State that the sampler shares with its tasks.
struct Shared {
    dispatcher: Arc<Dispatcher>,
    expected: Expected,
    timing: Timing,
    http: reqwest::Client,
    key: Arc<KeyFile>,
    /// Smallest maximum length of the replicas that passed their check.
    context: AtomicUsize,
    /// Adapters of requests by name.
    used: Mutex<HashMap<String, UsedAdapter>>,
}

/// An adapter of a request.
#[derive(Clone)]
struct UsedAdapter {
    directory: Arc<Path>,
    effect: Option<Arc<AdapterEffect>>,
    /// Time of the last use.
    last: Instant,
}

/// Error of a sampler that cannot start.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum VllmError {
    #[error("{0}")]
    Key(String),
    #[error("the system's certificates cannot be read")]
    Http(#[from] reqwest::Error),
}

impl VllmSampler {
    /// Starts to observe the replicas. `max_context` is the length that the base model's configuration allows. Call it
    /// in a Tokio runtime.
    ///
    /// # Errors
    /// The key file cannot be read. Replicas that cannot be used are logged, and tried again.
    pub(crate) fn start(
        endpoints: &[Endpoint],
        settings: &SamplerSettings,
        expected: Expected,
        max_context: usize,
    ) -> Result<Self, VllmError> {
        let key = Arc::new(KeyFile::new(settings.key_file.clone()));
        key.refresh().map_err(VllmError::Key)?;
        let SamplerLimits { max_waiting, max_waiting_per_owner, .. } = SamplerLimits::default();
        let limits = QueueLimits {
            in_flight: settings.in_flight.max(1),
            waiting: max_waiting,
            waiting_per_owner: max_waiting_per_owner,
        };
        let shared = Arc::new(Shared {
            dispatcher: Arc::new(Dispatcher::new(limits)),
            expected,
            timing: settings.timing,
            http: client::http()?,
            key,
            context: AtomicUsize::new(max_context),
            used: Mutex::default(),
        });
        let tasks = endpoints.iter().map(|endpoint| match endpoint {
            Endpoint::Fixed(url) => shared.add(url.clone()).1,
            Endpoint::Dns { host, port } => {
                Task::spawn(monitor::discover(Arc::downgrade(&shared), host.clone(), *port))
            }
        });
        let tasks = tasks.collect();
        Ok(Self { shared, max_context, runtime: tokio::runtime::Handle::current(), _tasks: tasks })
    }

    /// Unloads an adapter from every replica. Returns whether any of them listed it, or may have.
    pub(crate) async fn unload(&self, name: &str) -> bool {
        let mut listed = false;
        for replica in self.shared.dispatcher.replicas() {
            listed |= replica.unload(name).await;
        }
        listed
    }

    fn check_request(&self, request: &GenerateRequest) -> Result<(), SamplerError> {
        let (prompt, limit, vocabulary) =
            (request.prompt.len(), self.context_length(), self.shared.expected.vocabulary);
        if prompt == 0 {
            return Err(SamplerError::EmptyPrompt);
        }
        if prompt >= limit {
            return Err(SamplerError::PromptTooLong { prompt, limit });
        }
        let unknown = |id: &&u32| usize::try_from(**id).is_ok_and(|id| id >= vocabulary);
        if let Some(&id) = request.prompt.iter().find(unknown) {
            return Err(SamplerError::UnknownToken { id, vocabulary });
        }
        check_counts(request, self.shared.expected.unused())?;
        match &request.adapter {
            Some(adapter) if !matches!(adapter.location, AdapterLocation::Directory(_)) => {
                Err(SamplerError::AdapterLocation)
            }
            _ => Ok(()),
        }
    }
}

impl Sampler for VllmSampler {
    fn generate(&self, requests: Vec<GenerateRequest>) -> Result<Vec<mpsc::Receiver<GenerateEvent>>, SamplerError> {
        for request in &requests {
            self.check_request(request)?;
        }
        let Some(first) = requests.first() else { return Ok(Vec::new()) };
        let dispatcher = &self.shared.dispatcher;
        if !dispatcher.may_respond() {
            return Err(SamplerError::Unavailable(
                "no replica of this model's sampler answers; try again in a moment".to_owned(),
            ));
        }
        let wanted = |request: &GenerateRequest| {
            let hash = request.adapter.as_ref().map(|adapter| &adapter.hash);
            let avoided = hash.map(|hash| dispatcher.replicas_without(&adapter_name(hash))).unwrap_or_default();
            (RouteKey::new(hash, &request.prompt), avoided)
        };
        let wanted: Vec<(RouteKey, Vec<String>)> = requests.iter().map(wanted).collect();
        let slots = dispatcher.submit(&first.owner.clone(), &wanted)?;
        let context = self.context_length();
        let runs = requests.into_iter().zip(wanted).zip(slots).map(|((request, (key, avoided)), slot)| {
            self.shared.note_use(&request);
            let length = request.prompt.len();
            let max_tokens = request.max_tokens.min(context.saturating_sub(length));
            // Room for all possible events, as in the embedded sampler: a slow reader occupies no replica.
            let prompt_events = request.prompt_logprobs.map_or(0, |_| length.div_ceil(PROMPT_TOKENS_PER_EVENT));
            let (events, receiver) = mpsc::channel(max_tokens + 1 + prompt_events);
            let run = SampleRun {
                request,
                dispatcher: dispatcher.clone(),
                timing: self.shared.timing,
                vocabulary: self.shared.expected.vocabulary,
                unused: self.shared.expected.unused(),
                max_tokens,
                key,
                failed: avoided,
                events,
            };
            // The request to the replica is part of the trace of this one.
            self.runtime.spawn(Trace::current().scope(run.run(slot).in_current_span()));
            receiver
        });
        Ok(runs.collect())
    }

    fn context_length(&self) -> usize {
        self.shared.context.load(Ordering::Relaxed).min(self.max_context)
    }

    fn load(&self) -> SamplerLoad {
        let replicas = self.replicas();
        SamplerLoad {
            running: replicas.iter().map(|replica| replica.in_flight).sum(),
            waiting: self.shared.dispatcher.waiting(),
            steps: replicas.iter().map(|replica| replica.tokens).sum(),
            ..SamplerLoad::default()
        }
    }

    fn replicas(&self) -> Vec<ReplicaLoad> {
        self.shared.dispatcher.replicas().iter().map(|replica| replica.reading()).collect()
    }
}

impl Shared {
    /// Adds a replica, and starts to observe it. Returns its name and the task that observes it.
    fn add(self: &Arc<Self>, url: Url) -> (String, Task) {
        let replica = Arc::new(Replica::new(ReplicaClient::new(self.http.clone(), url, self.key.clone())));
        self.dispatcher.add(replica.clone());
        (replica.name.clone(), Task::spawn(monitor::watch(Arc::downgrade(self), replica)))
    }

    /// Returns the other replicas that are ready, with the log-probabilities of their checks.
    fn peers(&self, replica: &Replica) -> Vec<(String, Vec<f32>)> {
        let is_peer = |other: &&Arc<Replica>| other.name != replica.name && other.state() == ReplicaState::Ready;
        let replicas = self.dispatcher.replicas();
        replicas.iter().filter(is_peer).map(|other| (other.name.clone(), other.known().logprobs.clone())).collect()
    }

    /// Limits the context to the smallest one of the replicas.
    fn update_context(&self) {
        let checked = self.dispatcher.replicas();
        let lengths = checked.iter().map(|replica| replica.known().context).filter(|context| *context > 0);
        self.context.store(lengths.min().unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    fn note_use(&self, request: &GenerateRequest) {
        let Some(adapter) = &request.adapter else { return };
        let AdapterLocation::Directory(directory) = &adapter.location else { return };
        let mut used = self.used.lock();
        used.retain(|_, adapter| adapter.last.elapsed() < RECENT);
        let (directory, effect) = (directory.clone(), adapter.effect.clone());
        used.insert(adapter_name(&adapter.hash), UsedAdapter { directory, effect, last: Instant::now() });
    }

    /// Loads the adapters of recent requests, the newest use first, so that a restarted replica responds at once.
    async fn load_recent(&self, replica: &Replica) {
        let mut recent: Vec<(String, UsedAdapter)> = {
            let used = self.used.lock();
            used.iter().map(|(name, used)| (name.clone(), used.clone())).collect()
        };
        recent.sort_by_key(|(_, adapter)| std::cmp::Reverse(adapter.last));
        recent.truncate(MAX_RECENT);
        for (name, UsedAdapter { directory, effect, .. }) in recent {
            if let Err(error) = replica.ensure_adapter(&name, &directory, effect.as_deref()).await {
                tracing::warn!(replica = replica.name, adapter = name, %error, "an adapter was not loaded again");
            }
        }
    }
}
