//! Loads of adapters by one replica: each is loaded once, and compared with its effect in training before it gets requests.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::CallError;
use super::generator::Generator;
use super::probe::{Verdict, judge};
use super::replica::{Replica, ReplicaState};
use super::replica_adapters::Comparison;
use crate::engine::sampler::AdapterEffect;

/// Time limit of loading an adapter.
const LOAD: Duration = Duration::from_secs(60);

/// Largest difference of the base model's values at a replica from those of training, in nats, that may be rounding.
const MAX_ROUNDING: f64 = 0.1;
/// Number of times that the base model's values are read when they differ further.
const ATTEMPTS: usize = 4;
/// Time between two of them.
const AGAIN: Duration = Duration::from_millis(200);

/// Reason of a replica or an adapter with other values than numbers.
const NOT_FINITE: &str = "its log-probabilities are not finite";

/// Reason not to use an adapter at a replica.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum AdapterFault {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("it applies the adapter wrongly: {0}")]
    Wrong(String),
}

impl Replica {
    /// Loads an adapter from its directory unless the replica has it, and compares its effect. Concurrent calls for one
    /// adapter share one load.
    ///
    /// # Errors
    /// The replica cannot be reached, rejects the adapter, or applies it wrongly. Such an adapter is unloaded, and not used
    /// here until the replica restarts.
    pub(super) async fn ensure_adapter(
        &self,
        name: &str,
        directory: &Path,
        effect: Option<&AdapterEffect>,
    ) -> Result<(), AdapterFault> {
        let cell = self.adapters.load(name);
        let load = || async {
            // Perhaps found by the call that this one has waited for.
            if let Some(reason) = self.adapters.fault(name) {
                return Err(AdapterFault::Wrong(reason));
            }
            if !self.known().listed.contains(name) {
                self.load_adapter(name, directory).await?;
            }
            self.compare(name, effect).await?;
            self.known().listed.insert(name.to_owned());
            Ok(())
        };
        cell.get_or_try_init(load).await.copied()
    }

    async fn load_adapter(&self, name: &str, directory: &Path) -> Result<(), CallError> {
        let started = Instant::now();
        let body = json!({ "lora_name": name, "lora_path": directory });
        match self.client.post("/v1/load_lora_adapter", &body, LOAD).await {
            Ok(_) => {}
            // The name is derived from the content.
            Err(CallError::Status { status: 400, message }) if message.contains("already been loaded") => {}
            Err(error) => return Err(error),
        }
        let elapsed = started.elapsed();
        self.adapters.note_load(elapsed);
        tracing::info!(replica = self.name, adapter = name, ?elapsed, "adapter loaded by a vLLM replica");
        Ok(())
    }

    /// Compares the effect of a loaded adapter with the expected one.
    async fn compare(&self, name: &str, effect: Option<&AdapterEffect>) -> Result<(), AdapterFault> {
        let note = |comparison| self.adapters.note_comparison(comparison);
        let (replica, adapter) = (&self.name, name);
        let Some(effect) = effect else {
            note(Comparison::Undecided);
            tracing::warn!(replica, adapter, "the effect of an adapter is not known, so it is not checked");
            return Ok(());
        };
        let started = Instant::now();
        let (base, interface) = {
            let known = self.known();
            (known.base.clone(), known.interface)
        };
        let generator = Generator::for_checks(&self.client, interface);
        let (tokens, positions) = (&effect.tokens, &effect.positions);
        let with = generator.logprobs(name, tokens, positions).await?;
        // One after the other: vLLM's CPU build gives requests without an adapter the one of its last slot when both are in
        // one batch, and other clients' requests may still do that.
        let mut attempt = 1;
        let verdict = loop {
            let without = generator.logprobs(&base, tokens, positions).await?;
            match judge(effect, &with, &without) {
                Verdict::Undecided { rounding, .. } if rounding > MAX_ROUNDING && attempt < ATTEMPTS => {
                    attempt += 1;
                    tokio::time::sleep(AGAIN).await;
                }
                verdict => break verdict,
            }
        };
        let elapsed = started.elapsed();
        match verdict {
            Verdict::Right { slope } => {
                note(Comparison::Right);
                tracing::info!(replica, adapter, slope, ?elapsed, "a vLLM replica applies an adapter");
                Ok(())
            }
            Verdict::Undecided { effect, rounding } => {
                note(Comparison::Undecided);
                let message = "the effect of an adapter is too small beside rounding to be checked";
                tracing::warn!(replica, adapter, effect, rounding, "{message}");
                Ok(())
            }
            Verdict::Spoiled => {
                self.spoil();
                Err(CallError::Unreadable(NOT_FINITE.to_owned()).into())
            }
            verdict @ (Verdict::Wrong(_) | Verdict::NotFinite) => {
                note(Comparison::Wrong);
                let (reason, is_spoiled) = match verdict {
                    Verdict::Wrong(reason) => (reason, false),
                    _ => (NOT_FINITE.to_owned(), true),
                };
                let message =
                    "a vLLM replica applies an adapter wrongly; it is not used there until the replica restarts";
                tracing::error!(replica, adapter, reason, "{message}");
                self.adapters.reject(name, reason.clone());
                let _ = self.forget_at_replica(name).await;
                if is_spoiled {
                    // Last, because requests leave the replica at once.
                    self.spoil();
                }
                Err(AdapterFault::Wrong(reason))
            }
        }
    }

    /// Takes the replica out of use until its next check: values that are not finite stay in its cache for a while, and
    /// spoil the responses to other requests.
    fn spoil(&self) {
        self.known().is_spoiled = true;
        self.suspect(NOT_FINITE);
    }

    /// Unloads an adapter if the replica may have it. Returns whether it was listed or its list is not known.
    pub(super) async fn unload(&self, name: &str) -> bool {
        match self.state() {
            ReplicaState::Gone => return false,
            ReplicaState::Ready if !self.known().listed.contains(name) => return self.adapters.has(name),
            ReplicaState::Ready => {}
            _ => return true,
        }
        match self.forget_at_replica(name).await {
            Ok(()) => self.forget_adapter(name),
            Err(error) => {
                tracing::warn!(replica = self.name, adapter = name, %error, "an adapter cannot be unloaded");
            }
        }
        true
    }

    /// Makes the replica forget an adapter, if it has it.
    async fn forget_at_replica(&self, name: &str) -> Result<(), CallError> {
        match self.client.post("/v1/unload_lora_adapter", &json!({ "lora_name": name }), LOAD).await {
            Ok(_) | Err(CallError::Status { status: 404, .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
