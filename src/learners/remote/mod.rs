//! A learner in another process, by the protocol of `spec/learner.yaml`.
//!
//! The learner holds the base model, and a session for each job: an adapter and its optimizer. Nothing there is the only
//! copy of anything. Each attempt at a job opens its session from the stored state under a larger epoch, which fences off
//! the attempts before it. A call is sent again after a broken connection: its number makes it count once.

mod connection;
mod error;
mod launch;
mod ray;
mod servers;
#[cfg(test)]
mod tests;
mod wire;

use std::time::{Duration, Instant};

use bytes::Bytes;
use sha2::{Digest, Sha256};

pub(crate) use connection::Caller;
use connection::{Connection, authorization, bearer, read};
pub use connection::{LearnerAddress, LearnerServer};
use error::Failure;
pub(crate) use error::RemoteError;
pub use launch::{Directories, LaunchOptions, LearnerDtype};
use ray::{Found, Look, Search};
pub use servers::{LearnerServers, LearnerUrlError};
use wire::{Body, Tensors};

use crate::engine::{AdamState, Adapter, ModelConfig};
use crate::generated::learner_client::types::{self, Count, ForwardAdapter, ForwardMode, Graph, Packing};
use crate::model_files::WeightOrigin;
use crate::store::records::LearnerProgram;
use crate::training::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};

/// Size of a response's header, at most.
const MAX_HEADER: usize = 4 << 20;
/// Time after which a learner on Ray that was found and cannot be reached is looked for again.
const REOPEN_AFTER: Duration = Duration::from_secs(30);
/// Interval of the looks for a learner that starts.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);
/// A call may take this many times as long as the slowest one before it, by the number of its tokens.
const DEADLINE_FACTOR: f64 = 5.0;

/// The base model that a learner must hold.
#[derive(Clone, Copy)]
pub(crate) struct LearnerBase<'a> {
    pub(crate) name: &'a str,
    pub(crate) config: &'a ModelConfig,
    pub(crate) weights: &'a WeightOrigin,
}

/// Name and epoch of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionKey {
    /// Name: that of the job.
    pub name: String,
    /// Epoch: larger than those of all earlier attempts.
    pub epoch: i64,
}

/// An adapter in training on a remote learner.
pub(crate) struct RemoteLearner {
    connection: Connection,
    session: SessionKey,
    shape: ModelConfig,
    /// The adapter's `adapter_config.json`, which training does not change.
    config: Vec<u8>,
    /// Size of the adapter's parameters in bytes.
    bytes: usize,
    program: LearnerProgram,
    /// Tokens of the longest sequence that the learner's memory allows.
    max_tokens: u64,
    /// Number of the next call that changes the session.
    op: i64,
    /// Number of the last kept batch.
    batch: i64,
    /// Seconds for a token of the slowest call so far.
    pace: Option<f64>,
}

impl RemoteLearner {
    /// Opens a session that continues from an adapter and its optimizer. Finds or starts the learner, waits for one that is
    /// not ready and tells the reasons to `waiting`; blocks.
    ///
    /// # Errors
    /// The learner holds another model, rejects the adapter, or is not ready in time; or the job is cancelled.
    pub(crate) fn open(
        server: &LearnerServer,
        session: SessionKey,
        base: LearnerBase<'_>,
        adapter: &Adapter,
        adam: &AdamState,
        caller: Caller,
        waiting: &mut dyn FnMut(&str),
    ) -> Result<Self, RemoteError> {
        let address = server.address.to_string();
        let files = adapter.to_peft(base.name, base.config);
        let body = Tensors::default()
            .u8("adapter_config", files.adapter_config_json.as_slice())
            .u8("adapter", files.adapter_model_safetensors)
            .u8("moments", adam.to_bytes())
            .body();
        let body = Bytes::from(body.map_err(|error| Failure::from(error).of(&address, "open_session"))?);
        let health_timeout = server.time_limits.health_timeout;
        let open = |connection: &Connection, deadline, waiting: &mut dyn FnMut(&str)| {
            connection.open(deadline, waiting, || {
                let (client, session, body) = (connection.client.clone(), session.clone(), body.clone());
                async move {
                    let health = Connection::health(&client, health_timeout).await?;
                    let opened = client.open_session(&session.name, &session.epoch.into(), None, body).await?;
                    Ok((health, opened.into_inner()))
                }
            })
        };
        let deadline = Instant::now() + server.time_limits.start;
        let (connection, (health, opened)) = match &server.address {
            LearnerAddress::Url(url) => {
                let authorization = authorization(&address, server.key_file.as_deref())?;
                let connection = Connection::new(url, authorization, server.time_limits, caller)?;
                let opened = open(&connection, deadline, waiting)?;
                (connection, opened)
            }
            LearnerAddress::Ray(url, options) => loop {
                let search = Search::new(&address, server, url, options, base, &session)?;
                let found = find(search, &caller, deadline, waiting)?;
                let key = bearer(&found.key).ok();
                let connection = Connection::new(&found.url, key, server.time_limits, caller.clone())?;
                // It was healthy a moment ago; if it is gone, another one is looked for.
                match open(&connection, deadline.min(Instant::now() + REOPEN_AFTER), waiting) {
                    Err(RemoteError::Unreachable { reason, .. }) if Instant::now() < deadline => waiting(&reason),
                    opened => break (connection, opened?),
                }
            },
        };
        let address = connection.learner.as_str();
        let vocabulary = [health.model.vocabulary_size.get(), base.config.vocab_size as u64];
        if vocabulary[0] != vocabulary[1] {
            return Err(RemoteError::OtherModel {
                learner: address.to_owned(),
                base: base.name.to_owned(),
                difference: format!("its vocabulary has {} tokens, not {}", vocabulary[0], vocabulary[1]),
            });
        }
        let types::Health { device, dtype, world_size, .. } = health;
        let types::Versions { learner, torch, transformers, peft, .. } = opened.versions;
        let versions = [("learner", learner), ("torch", torch), ("transformers", transformers), ("peft", peft)];
        let program = LearnerProgram {
            device,
            dtype,
            world_size: world_size.get(),
            versions: versions.map(|(name, version)| (name.to_owned(), version)).into(),
        };
        tracing::info!(learner = address, epoch = session.epoch, ?program, "session opened");
        Ok(Self {
            connection,
            session,
            shape: base.config.clone(),
            config: files.adapter_config_json,
            bytes: adapter.bytes(),
            program,
            max_tokens: u64::try_from(opened.plan.max_tokens).unwrap_or(0),
            op: 0,
            batch: 0,
            pace: None,
        })
    }

    /// Returns the learner's description of itself.
    pub(crate) fn program(&self) -> &LearnerProgram {
        &self.program
    }

    /// Returns the number of tokens of the longest sequence that the learner's memory allows.
    pub(crate) fn max_tokens(&self) -> u64 {
        self.max_tokens
    }

    /// Returns the size of the adapter's parameters in bytes.
    pub(crate) fn adapter_bytes(&self) -> usize {
        self.bytes
    }

    /// Checks that the learner has the memory for these sequences. It divides a call between them, so the longest one
    /// decides.
    pub(crate) fn check_memory(&self, sequences: &[Sequence<'_>]) -> Result<(), RemoteError> {
        let length = sequences.iter().map(|sequence| sequence.tokens.len() as u64).max().unwrap_or(0);
        let limit = self.max_tokens;
        if length <= limit {
            return Ok(());
        }
        Err(RemoteError::TooLong { learner: self.connection.learner.clone(), limit, length })
    }

    /// Returns adapter and optimizer after the last step, also for a job that was cancelled since.
    ///
    /// # Errors
    /// The learner is lost, or what it returns is not a state of this adapter.
    pub(crate) fn state(&self) -> Result<(Adapter, AdamState), RemoteError> {
        const OPERATION: &str = "get_state";
        let address = self.connection.learner.as_str();
        // The adapter and two moments of each parameter.
        let limit = 3 * self.bytes + 2 * MAX_HEADER;
        let bytes = self.connection.finish(OPERATION, self.connection.time_limits.call, || {
            let (client, SessionKey { name, epoch }) = (self.connection.client.clone(), self.session.clone());
            async move { read(client.get_state(&name, &epoch.into()).await?.into_inner(), limit).await }
        })?;
        let malformed = |reason: String| Failure::Malformed(reason).of(address, OPERATION);
        let body = Body::read(&bytes).map_err(|error| malformed(error.to_string()))?;
        let file = |name: &str, hash: &str| {
            let bytes = body.u8(name).map_err(|error| malformed(error.to_string()))?;
            match body.entry(hash) {
                Some(hash) if hash != hex::encode(Sha256::digest(bytes)) => {
                    Err(malformed(format!("{name} does not have the SHA-256 that the learner computed")))
                }
                _ => Ok(bytes),
            }
        };
        let (adapter, moments) = (file("adapter", "adapter_sha256")?, file("moments", "moments_sha256")?);
        let adapter = Adapter::from_peft(&self.shape, &self.config, adapter);
        let adapter = adapter.map_err(|error| malformed(error.to_string()))?;
        let adam = AdamState::from_bytes(moments, &adapter).map_err(|error| malformed(error.to_string()))?;
        Ok((adapter, adam))
    }

    /// Scores tokens under the base model, without the adapter.
    ///
    /// # Errors
    /// The learner cannot process a sequence.
    pub(crate) fn score_base(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        self.forward(sequences, ForwardMode::Score, ForwardAdapter::None, None)
    }

    /// Sends sequences, and the derivative if it is known.
    fn forward(
        &mut self,
        sequences: &[Sequence<'_>],
        mode: ForwardMode,
        adapter: ForwardAdapter,
        derivative: Option<f32>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        const OPERATION: &str = "forward";
        let counts: Vec<usize> =
            sequences.iter().map(|sequence| sequence.scored.iter().filter(|scored| **scored).count()).collect();
        let scored = counts.iter().sum();
        let tokens: usize = sequences.iter().map(|sequence| sequence.tokens.len()).sum();
        let flags: Vec<u8> =
            sequences.iter().flat_map(|sequence| sequence.scored).map(|flag| u8::from(*flag)).collect();
        let mut tensors = Tensors::default()
            .i32("tokens", sequences.iter().flat_map(|sequence| sequence.tokens).map(|token| *token as i32))
            .i32("lengths", sequences.iter().map(|sequence| sequence.tokens.len() as i32))
            .u8("scored", flags);
        if let Some(derivative) = derivative {
            tensors = tensors.f32("gradient", std::iter::repeat_n(derivative, scored));
        }
        let address = self.connection.learner.clone();
        let body = tensors.body().map_err(|error| Failure::from(error).of(&address, OPERATION))?;
        let body = Bytes::from(body);
        let op = (mode == ForwardMode::Accumulate).then_some(self.op);
        let batch = (mode == ForwardMode::Keep).then(|| {
            self.batch += 1;
            self.batch
        });
        let limit = scored * 2 * size_of::<f32>() + MAX_HEADER;
        let begin = Instant::now();
        let bytes = self.connection.call(OPERATION, self.deadline(tokens), || {
            let (client, SessionKey { name, epoch }) = (self.connection.client.clone(), self.session.clone());
            let body = body.clone();
            async move {
                let (graph, packing) = (Graph::Auto, Packing::Auto);
                let response = client
                    .forward(
                        &name,
                        Some(adapter),
                        batch.map(Count::from).as_ref(),
                        &epoch.into(),
                        Some(graph),
                        mode,
                        op.map(Count::from).as_ref(),
                        Some(packing),
                        body,
                    )
                    .await?;
                read(response.into_inner(), limit).await
            }
        })?;
        self.note_pace(tokens, begin.elapsed());
        if op.is_some() {
            self.op += 1;
        }
        let malformed = |error: wire::WireError| Failure::from(error).of(&address, OPERATION);
        let body = Body::read(&bytes).map_err(malformed)?;
        let logprobs = body.f32("logprobs", scored).map_err(malformed)?;
        let entropies = body.f32("entropies", scored).map_err(malformed)?;
        if let Some(position) = logprobs.iter().position(|logprob| !logprob.is_finite()) {
            return Err(RemoteError::NotFinite(format!("the log-probability of scored token {}", position + 1)).into());
        }
        let (mut logprobs, mut entropies) = (logprobs.into_iter(), entropies.into_iter());
        let scores = counts.into_iter().map(|count| TokenScores {
            logprobs: logprobs.by_ref().take(count).collect(),
            entropies: entropies.by_ref().take(count).collect(),
        });
        Ok(scores.collect())
    }

    /// Returns the time limit of a call.
    fn deadline(&self, tokens: usize) -> Duration {
        let measured = self.pace.map(|pace| Duration::try_from_secs_f64(pace * DEADLINE_FACTOR * tokens as f64));
        let least = self.connection.time_limits.call;
        measured.and_then(Result::ok).unwrap_or(least).max(least)
    }

    fn note_pace(&mut self, tokens: usize, time: Duration) {
        let pace = time.as_secs_f64() / tokens.max(1) as f64;
        self.pace = Some(self.pace.unwrap_or(0.0).max(pace));
    }
}

/// Looks for a learner on a Ray cluster until one is ready; blocks.
fn find(
    mut search: Search<'_>,
    caller: &Caller,
    deadline: Instant,
    waiting: &mut dyn FnMut(&str),
) -> Result<Found, RemoteError> {
    loop {
        let looked = caller.unless_cancelled(search.look());
        let error = match looked {
            Ok(Ok(Look::Found(found))) => return Ok(found),
            Ok(Ok(Look::Waiting(reason))) => {
                waiting(&reason);
                match caller.unless_cancelled(async { tokio::time::sleep(LOOK_INTERVAL).await }) {
                    Ok(()) if Instant::now() < deadline => continue,
                    Ok(()) => RemoteError::NotReady { reason },
                    Err(error) => error,
                }
            }
            Ok(Err(error)) | Err(error) => error,
        };
        search.abandon(&caller.runtime);
        return Err(error);
    }
}

impl Learner for RemoteLearner {
    fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        self.forward(sequences, ForwardMode::Score, ForwardAdapter::Session, None)
    }

    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        const OPERATION: &str = "backward";
        let scores = self.forward(sequences, ForwardMode::Keep, ForwardAdapter::Session, None)?;
        let tokens = sequences.iter().map(|sequence| sequence.tokens.len()).sum();
        let body = Tensors::default().f32("gradient", gradient(&scores).into_iter().flatten()).body();
        let address = self.connection.learner.as_str();
        let body = Bytes::from(body.map_err(|error| Failure::from(error).of(address, OPERATION))?);
        let (batch, op, begin) = (self.batch, self.op, Instant::now());
        self.connection.call(OPERATION, self.deadline(tokens), || {
            let (client, SessionKey { name, epoch }) = (self.connection.client.clone(), self.session.clone());
            let body = body.clone();
            async move { Ok(client.backward(&name, &batch.into(), &epoch.into(), &op.into(), body).await?.into_inner()) }
        })?;
        self.note_pace(tokens, begin.elapsed());
        self.op += 1;
        Ok(scores)
    }

    fn accumulate_known(
        &mut self,
        sequences: &[Sequence<'_>],
        derivative: f32,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.forward(sequences, ForwardMode::Accumulate, ForwardAdapter::Session, Some(derivative))
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        let OptimizerSettings { learning_rate, beta1, beta2, epsilon, weight_decay, clip_norm } = *settings;
        let settings = types::OptimizerSettings { learning_rate, beta1, beta2, epsilon, weight_decay, clip_norm };
        let op = self.op;
        let made = self.connection.call("step", self.connection.time_limits.call, || {
            let (client, SessionKey { name, epoch }) = (self.connection.client.clone(), self.session.clone());
            let settings = settings.clone();
            async move { Ok(client.step(&name, &epoch.into(), &op.into(), &settings).await?.into_inner()) }
        })?;
        self.op += 1;
        Ok(made.norm)
    }
}

/// Frees the session. Nobody waits for it: a later attempt replaces a session that is left.
impl Drop for RemoteLearner {
    fn drop(&mut self) {
        let (client, SessionKey { name, epoch }) = (self.connection.client.clone(), self.session.clone());
        self.connection.detach(async move {
            if let Err(error) = client.close_session(&name, &epoch.into()).await {
                tracing::debug!(error = ?Failure::from(error), "the session was not closed");
            }
        });
    }
}
