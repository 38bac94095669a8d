//! Run of one sample: its slot at a replica, its stream, and its next replica if that one fails before the first token.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::Timing;
use super::adapters::adapter_name;
use super::client::CallError;
use super::dispatch::{Dispatcher, RouteKey, Slot};
use super::generator::{Generator, NOT_JSON};
use super::loads::AdapterFault;
use super::replica::{Replica, ReplicaState};
use super::request::{GenerateBody, SamplingParams, cache_salt};
use super::stream::TokenStream;
use super::wire::Token;
use crate::engine::sampler::{AdapterLocation, FinishReason, GenerateEvent, GenerateRequest, SampleError};

/// Maximum number of attempts, failed loads of adapters included.
const MAX_ATTEMPTS: usize = 4;
/// Maximum number of replicas that may fail with one sample: a request that ends an engine must not end all of them.
const MAX_FAILED: usize = 2;
/// Number of tokens under a grammar that are scored together, if they have arrived.
const MAX_SCORED: usize = 16;
/// Interval at which a waiting sample looks whether any replica is left.
const AWAY_POLL: Duration = Duration::from_millis(500);
const AWAY: &str = "no replica of this model's sampler answers; try again in a moment";
const INTERRUPTED: &str = "the replica that was answering failed in the middle of the answer; send the request again";

/// A sample and the sender of its events.
pub(super) struct SampleRun {
    pub request: GenerateRequest,
    pub dispatcher: Arc<Dispatcher>,
    pub timing: Timing,
    pub vocabulary: usize,
    /// Ids in the vocabulary that have no token.
    pub unused: Range<u32>,
    /// Maximum number of tokens to generate, within the context.
    pub max_tokens: usize,
    pub key: RouteKey,
    /// Replicas that failed with the sample, or at which its adapter is not right.
    pub failed: Vec<String>,
    pub events: mpsc::Sender<GenerateEvent>,
}

/// Progress that a further attempt must not repeat.
#[derive(Default)]
struct Progress {
    scored: bool,
    /// Number of tokens that were received and checked.
    tokens: usize,
    /// Number of tokens that were sent.
    sent: usize,
}

/// Reason for the end of an attempt.
enum Failure {
    /// The sample cannot succeed anywhere.
    Sample(SampleError),
    /// The replica failed.
    Replica(CallError),
    /// The replica works, and lacks the adapter.
    Forgotten(String),
    /// The replica works, and the adapter cannot be used there.
    Adapter(AdapterFault),
    /// The replica stopped responding to others.
    Suspected,
}

impl SampleRun {
    /// Runs the sample until it ends or its receiver is dropped, which closes the connection to the replica.
    pub(super) async fn run(mut self, next_slot: oneshot::Receiver<Slot>) {
        let events = self.events.clone();
        let end = tokio::select! {
            () = events.closed() => return,
            end = self.attempts(next_slot) => end,
        };
        let end = end.map_or_else(GenerateEvent::Failed, GenerateEvent::Finished);
        let _ = events.try_send(end);
    }

    async fn attempts(&mut self, mut next_slot: oneshot::Receiver<Slot>) -> Result<FinishReason, SampleError> {
        let mut progress = Progress::default();
        let mut failed = std::mem::take(&mut self.failed);
        let mut failures = 0;
        let mut last = AWAY.to_owned();
        for _ in 0..MAX_ATTEMPTS {
            let slot = wait(&self.dispatcher, self.timing, next_slot).await?;
            let replica = slot.replica.clone();
            let failure = match self.attempt(&replica, &mut progress).await {
                Ok(reason) => return Ok(reason),
                Err(Failure::Sample(error)) => return Err(error),
                Err(failure) => failure,
            };
            drop(slot);
            match failure {
                Failure::Sample(error) => return Err(error),
                Failure::Replica(error) => {
                    replica.suspect(&error.to_string());
                    failed.push(replica.name.clone());
                    failures += 1;
                }
                Failure::Suspected => failed.push(replica.name.clone()),
                Failure::Forgotten(name) => {
                    replica.forget_adapter(&name);
                    replica.recheck.notify_one();
                }
                Failure::Adapter(error) => {
                    tracing::error!(replica = replica.name, %error, "a vLLM replica cannot use an adapter");
                    last =
                        "no replica of this model's sampler can use the adapter; the server's log has the cause".into();
                    failed.push(replica.name.clone());
                }
            }
            if progress.tokens > 0 {
                return Err(SampleError::Unavailable(INTERRUPTED.to_owned()));
            }
            if failures == MAX_FAILED {
                break;
            }
            replica.retries.fetch_add(1, Ordering::Relaxed);
            next_slot = self.dispatcher.resubmit(&self.request.owner, self.key, failed.clone());
        }
        Err(SampleError::Unavailable(last))
    }

    async fn attempt(&mut self, replica: &Replica, progress: &mut Progress) -> Result<FinishReason, Failure> {
        let mut state = replica.watch();
        let model = self.model(replica, &mut state).await?;
        let salt = cache_salt(&self.request.owner);
        let interface = replica.known().interface;
        let generator = Generator::for_scores(&replica.client, interface, &salt, self.timing.first_token);
        if let Some(top) = self.request.prompt_logprobs
            && !progress.scored
        {
            // Streams have no prompt logprobs, so the prompt is scored by a request of its own.
            let scoring = generator.prompt(&model, &self.request.prompt, top);
            let scored = until_suspected(&mut state, async { Ok(scoring.await) }).await?;
            let tokens = scored.map_err(|error| self.failure(error, &model))?;
            for tokens in tokens.chunks(super::PROMPT_TOKENS_PER_EVENT) {
                self.send(GenerateEvent::Prompt(tokens.to_vec()));
            }
            progress.scored = true;
        }
        if self.max_tokens == 0 {
            return Ok(FinishReason::Length);
        }
        let params = SamplingParams::of(&self.request, self.vocabulary, self.unused.clone(), self.max_tokens);
        let body = GenerateBody {
            request_id: format!("ty-{}", uuid::Uuid::new_v4().simple()),
            model: &model,
            token_ids: &self.request.prompt,
            stream: true,
            cache_salt: &salt,
            sampling_params: params,
        };
        let (path, body) = (interface.path(), interface.body(&body));
        let opening = tokio::time::timeout(self.timing.first_token, replica.client.open(path, &body));
        let opened = until_suspected(&mut state, async { Ok(opening.await) }).await?;
        let response = opened.unwrap_or(Err(CallError::Timeout)).map_err(|error| self.failure(error, &model))?;
        let mut stream = TokenStream::new(response, self.request.sampling.top_logprobs);
        self.read(replica, generator, &mut stream, &mut state, &model, progress).await
    }

    /// Passes on the tokens of a stream.
    async fn read(
        &mut self,
        replica: &Replica,
        generator: Generator<'_>,
        stream: &mut TokenStream,
        state: &mut watch::Receiver<ReplicaState>,
        model: &str,
        progress: &mut Progress,
    ) -> Result<FinishReason, Failure> {
        // The prompt and what follows it, under a grammar.
        let mut text = self.request.grammar.as_ref().map(|_| self.request.prompt.to_vec());
        // Tokens that have arrived are scored together; others are passed on one by one.
        let at_once = if text.is_some() { MAX_SCORED } else { 1 };
        loop {
            let gap = if progress.tokens == 0 { self.timing.first_token } else { self.timing.token_gap };
            let next = tokio::time::timeout(gap, stream.next(at_once));
            let next = match progress.tokens {
                // Nothing is lost by another replica's response.
                0 => until_suspected(state, async { Ok(next.await) }).await?,
                _ => next.await,
            };
            let mut part = next.unwrap_or(Err(CallError::Timeout)).map_err(|error| self.failure(error, model))?;
            replica.tokens.fetch_add(part.tokens.len() as u64, Ordering::Relaxed);
            self.check(replica, &mut part.tokens, progress)?;
            let is_complete = self.request.constraint.as_ref().is_some_and(|constraint| constraint.is_finished());
            let finish = match part.finish.as_deref() {
                _ if is_complete => Some(FinishReason::Stop),
                None => None,
                Some("stop") => Some(FinishReason::Stop),
                Some("length") => Some(FinishReason::Length),
                Some(other) => {
                    return Err(Failure::Replica(CallError::Unreadable(format!("the sample ended by {other:?}"))));
                }
            };
            if let Some(text) = &mut text {
                text.extend(part.tokens.drain(..).map(|token| token.id));
                let first = self.request.prompt.len() + progress.sent;
                if first < text.len() && (self.request.is_streamed || finish.is_some()) {
                    let scored = self.unmasked(generator, model, text, first).await;
                    part.tokens = scored.map_err(|error| self.failure(error, model))?;
                }
            }
            progress.sent += part.tokens.len();
            for token in part.tokens {
                if !token.is_finite() {
                    return Err(Failure::Sample(SampleError::NotFinite));
                }
                self.send(GenerateEvent::Token { id: token.id, logprob: token.logprob, top: token.top });
            }
            if let Some(finish) = finish {
                return Ok(finish);
            }
        }
    }

    /// Checks sampled tokens. Those after the end of the grammar are removed.
    fn check(&mut self, replica: &Replica, tokens: &mut Vec<Token>, progress: &mut Progress) -> Result<(), Failure> {
        let unreadable = |reason: String| Err(Failure::Replica(CallError::Unreadable(reason)));
        if let Some(unknown) = tokens.iter().find(|token| token.id as usize >= self.vocabulary) {
            return unreadable(format!("it sampled token {}, which is outside the vocabulary", unknown.id));
        }
        if let Some(constraint) = &mut self.request.constraint {
            let mut allowed = 0;
            while allowed < tokens.len() && !constraint.is_finished() {
                if let Err(reason) = constraint.check(tokens[allowed].id) {
                    tracing::error!(replica = replica.name, reason, "a vLLM replica deviates from its grammar");
                    return Err(Failure::Sample(SampleError::Failed(reason)));
                }
                allowed += 1;
            }
            tokens.truncate(allowed);
        }
        progress.tokens += tokens.len();
        if progress.tokens > self.max_tokens {
            return unreadable("it has more tokens than max_tokens".to_owned());
        }
        Ok(())
    }

    /// Returns the tokens of a text from `first` with their log-probabilities under the raw logits. Under a grammar, vLLM
    /// 0.32.0 reports log-probabilities among the tokens that the grammar allows, which training does not know.
    async fn unmasked(
        &mut self,
        generator: Generator<'_>,
        model: &str,
        text: &[u32],
        first: usize,
    ) -> Result<Vec<Token>, CallError> {
        let top = self.request.sampling.top_logprobs;
        if self.request.is_streamed {
            let positions: Vec<usize> = (first..text.len()).collect();
            return generator.scored(model, text, &positions, top).await;
        }
        generator.scored_at_once(model, text, first, top).await
    }

    /// Returns the name of the model at the replica, after the adapter is loaded there.
    async fn model(&mut self, replica: &Replica, state: &mut watch::Receiver<ReplicaState>) -> Result<String, Failure> {
        let Some(adapter) = &self.request.adapter else { return Ok(replica.known().base.clone()) };
        let AdapterLocation::Directory(directory) = &adapter.location else {
            return Err(Failure::Sample(SampleError::Failed("the adapter has no directory".to_owned())));
        };
        let name = adapter_name(&adapter.hash);
        let (directory, effect): (&Path, _) = (directory, adapter.effect.as_deref());
        let load = async {
            replica.ensure_adapter(&name, directory, effect).await.map_err(|error| match error {
                AdapterFault::Call(CallError::Status { .. }) | AdapterFault::Wrong(_) => Failure::Adapter(error),
                AdapterFault::Call(error) => Failure::Replica(error),
            })
        };
        until_suspected(state, load).await?;
        Ok(name)
    }

    /// Decides what an error of a request means for the sample.
    fn failure(&self, error: CallError, model: &str) -> Failure {
        match error {
            CallError::Status { status: 404, .. } if self.request.adapter.is_some() => {
                Failure::Forgotten(model.to_owned())
            }
            CallError::Status { status: 400, message } if message.contains(NOT_JSON) => {
                Failure::Sample(SampleError::NotFinite)
            }
            // The request itself, which no other replica would accept.
            CallError::Status { status: 400, .. } => {
                Failure::Sample(SampleError::Failed(format!("a vLLM replica refused the request: {error}")))
            }
            error => Failure::Replica(error),
        }
    }

    /// Sends an event. The channel has room for every event of the sample.
    fn send(&self, event: GenerateEvent) {
        let _ = self.events.try_send(event);
    }
}

/// Waits for a slot at a replica while there is one that may respond.
async fn wait(
    dispatcher: &Dispatcher,
    timing: Timing,
    mut next_slot: oneshot::Receiver<Slot>,
) -> Result<Slot, SampleError> {
    let mut away_since = None;
    loop {
        match tokio::time::timeout(AWAY_POLL, &mut next_slot).await {
            Ok(Ok(slot)) => return Ok(slot),
            Ok(Err(_)) => return Err(SampleError::Unavailable("the server is stopping".to_owned())),
            Err(_) if dispatcher.any_ready() => away_since = None,
            Err(_) => {
                let since = *away_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= timing.away {
                    return Err(SampleError::Unavailable(AWAY.to_owned()));
                }
            }
        }
    }
}

/// Runs `work` until the replica is no longer ready.
async fn until_suspected<T>(
    state: &mut watch::Receiver<ReplicaState>,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::select! {
        biased;
        result = work => result,
        // The sender lives as long as the replica, which the sample holds.
        _ = state.wait_for(|state| *state != ReplicaState::Ready) => Err(Failure::Suspected),
    }
}
