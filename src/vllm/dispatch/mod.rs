//! Queue of samples and choice of a replica for each.
//!
//! A replica gets a bounded number of samples, since vLLM queues without bound. The others wait here: owners in turn, the
//! oldest sample of an owner first. Samples with the same adapter and the same beginning of the prompt go to the same
//! replica, whose prefix cache has it, unless that replica has more than its share of the load.

use std::cmp::Reverse;

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use super::replica::{Replica, ReplicaState};
use crate::engine::sampler::{AdapterHash, SamplerError};

/// Number of prompt tokens that decide about the replica.
const PREFIX_TOKENS: usize = 256;

/// Limits of the queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueueLimits {
    /// Maximum number of samples at one replica.
    pub in_flight: usize,
    /// Maximum number of waiting samples.
    pub waiting: usize,
    /// Maximum number of waiting samples per owner.
    pub waiting_per_owner: usize,
}

/// Hash of adapter and beginning of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RouteKey(u64);

impl RouteKey {
    pub(super) fn new(adapter: Option<&AdapterHash>, prompt: &[u32]) -> Self {
        let mut hasher = DefaultHasher::new();
        adapter.hash(&mut hasher);
        prompt[..prompt.len().min(PREFIX_TOKENS)].hash(&mut hasher);
        Self(hasher.finish())
    }

    /// Returns the weight of a replica for this key. The greatest one wins, so a change of the replicas moves few keys.
    fn weight(self, replica: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0, replica).hash(&mut hasher);
        hasher.finish()
    }
}

struct Waiter {
    key: RouteKey,
    /// Replicas that failed with this sample, or lack its adapter. They are used if there are no others.
    failed: Vec<String>,
    slot: oneshot::Sender<Slot>,
}

#[derive(Default)]
struct Queue {
    replicas: Vec<Arc<Replica>>,
    /// Owners with waiting samples; the first one is next.
    turns: VecDeque<Arc<str>>,
    waiting: HashMap<Arc<str>, VecDeque<Waiter>>,
    count: usize,
}

/// Queue of samples in front of the replicas.
pub(super) struct Dispatcher {
    limits: QueueLimits,
    queue: Mutex<Queue>,
}

/// Slot of one sample at a replica, until it is dropped.
pub(super) struct Slot {
    pub(super) replica: Arc<Replica>,
    dispatcher: Arc<Dispatcher>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.dispatcher.leave(&self.replica);
    }
}

impl Dispatcher {
    pub(super) fn new(limits: QueueLimits) -> Self {
        Self { limits, queue: Mutex::default() }
    }

    pub(super) fn replicas(&self) -> Vec<Arc<Replica>> {
        self.queue.lock().replicas.clone()
    }

    /// Adds a replica.
    pub(super) fn add(&self, replica: Arc<Replica>) {
        self.queue.lock().replicas.push(replica);
    }

    /// Removes a replica. Its samples continue.
    pub(super) fn remove(&self, name: &str) {
        self.queue.lock().replicas.retain(|replica| replica.name != name);
    }

    /// Returns the number of waiting samples.
    pub(super) fn waiting(&self) -> usize {
        self.queue.lock().count
    }

    /// Returns whether a replica is ready, or may be within seconds.
    pub(super) fn may_respond(&self) -> bool {
        let away = |replica: &Arc<Replica>| matches!(replica.state(), ReplicaState::Gone | ReplicaState::Rejected);
        !self.queue.lock().replicas.iter().all(away)
    }

    /// Returns whether a replica is ready.
    pub(super) fn any_ready(&self) -> bool {
        self.queue.lock().replicas.iter().any(|replica| replica.state() == ReplicaState::Ready)
    }

    /// Returns the names of the replicas at which an adapter is not right.
    pub(super) fn replicas_without(&self, adapter: &str) -> Vec<String> {
        let queue = self.queue.lock();
        let without = queue.replicas.iter().filter(|replica| replica.adapters.fault(adapter).is_some());
        without.map(|replica| replica.name.clone()).collect()
    }

    /// Queues all of the samples of an owner or none; each receiver gets the sample's slot when it is its turn. With each
    /// sample come the replicas that it avoids.
    ///
    /// # Errors
    /// The queue has no room.
    pub(super) fn submit(
        self: &Arc<Self>,
        owner: &Arc<str>,
        wanted: &[(RouteKey, Vec<String>)],
    ) -> Result<Vec<oneshot::Receiver<Slot>>, SamplerError> {
        let QueueLimits { waiting: limit, waiting_per_owner, .. } = self.limits;
        let samples = wanted.len();
        let most = limit.min(waiting_per_owner);
        if samples > most {
            return Err(SamplerError::TooManySamples { samples, limit: most });
        }
        let mut queue = self.queue.lock();
        let waiting = queue.count;
        if waiting + samples > limit {
            return Err(SamplerError::QueueFull { waiting, limit });
        }
        let waiting = queue.waiting.get(owner).map_or(0, VecDeque::len);
        if waiting + samples > waiting_per_owner {
            return Err(SamplerError::OwnerQueueFull { waiting, limit: waiting_per_owner });
        }
        let receivers = wanted.iter().map(|(key, avoided)| queue.push(owner, *key, avoided.clone(), false)).collect();
        self.pump(queue);
        Ok(receivers)
    }

    /// Queues a sample again, before the others of its owner.
    pub(super) fn resubmit(
        self: &Arc<Self>,
        owner: &Arc<str>,
        key: RouteKey,
        failed: Vec<String>,
    ) -> oneshot::Receiver<Slot> {
        let mut queue = self.queue.lock();
        let receiver = queue.push(owner, key, failed, true);
        self.pump(queue);
        receiver
    }

    /// Gives slots to waiting samples, after a replica has become ready.
    pub(super) fn wake(self: &Arc<Self>) {
        self.pump(self.queue.lock());
    }

    fn leave(self: &Arc<Self>, replica: &Replica) {
        let queue = self.queue.lock();
        replica.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.pump(queue);
    }

    /// Gives slots to waiting samples while there are any.
    fn pump(self: &Arc<Self>, mut queue: MutexGuard<'_, Queue>) {
        // Slots whose sample is gone; dropping one locks the queue.
        let mut returned = Vec::new();
        let mut idle = 0;
        while idle < queue.turns.len() {
            let Some(owner) = queue.turns.pop_front() else { break };
            let Some(waiting) = queue.waiting.get_mut(&owner) else { continue };
            let before = waiting.len();
            waiting.retain(|waiter| !waiter.slot.is_closed());
            let cancelled = before - waiting.len();
            let front = waiting.front().map(|waiter| (waiter.key, waiter.failed.clone()));
            queue.count -= cancelled;
            let Some((key, failed)) = front else {
                queue.waiting.remove(&owner);
                continue;
            };
            match queue.route(key, &failed, self.limits.in_flight) {
                None => {
                    idle += 1;
                    queue.turns.push_back(owner);
                }
                Some(replica) => {
                    let waiter = queue.waiting.get_mut(&owner).and_then(VecDeque::pop_front);
                    queue.count -= 1;
                    replica.in_flight.fetch_add(1, Ordering::Relaxed);
                    let slot = Slot { replica, dispatcher: self.clone() };
                    if let Some(waiter) = waiter
                        && let Err(slot) = waiter.slot.send(slot)
                    {
                        returned.push(slot);
                    }
                    idle = 0;
                    queue.turns.push_back(owner);
                }
            }
        }
        drop(queue);
        drop(returned);
    }
}

impl Queue {
    fn push(&mut self, owner: &Arc<str>, key: RouteKey, failed: Vec<String>, first: bool) -> oneshot::Receiver<Slot> {
        let (slot, receiver) = oneshot::channel();
        let waiter = Waiter { key, failed, slot };
        if !self.waiting.contains_key(owner) {
            self.turns.push_back(owner.clone());
        }
        let waiting = self.waiting.entry(owner.clone()).or_default();
        match first {
            true => waiting.push_front(waiter),
            false => waiting.push_back(waiter),
        }
        self.count += 1;
        receiver
    }

    /// Returns the replica for a sample; `None` if no ready replica has room.
    fn route(&self, key: RouteKey, failed: &[String], in_flight: usize) -> Option<Arc<Replica>> {
        let ready: Vec<(&Arc<Replica>, usize)> = self
            .replicas
            .iter()
            .filter(|replica| replica.state() == ReplicaState::Ready)
            .map(|replica| (replica, replica.load()))
            .collect();
        let fresh = ready.iter().any(|(replica, _)| !failed.contains(&replica.name));
        let usable = |replica: &Replica| !(fresh && failed.contains(&replica.name));
        let total: usize = ready.iter().map(|(_, load)| load).sum();
        // 1.25 times the mean with this sample, rounded up.
        let share = (5 * (total + 1)).div_ceil(4 * ready.len().max(1));
        let mut candidates: Vec<(&Arc<Replica>, usize)> = ready
            .into_iter()
            .filter(|(replica, _)| usable(replica) && replica.in_flight.load(Ordering::Relaxed) < in_flight)
            .collect();
        candidates.sort_by_key(|(replica, _)| Reverse(key.weight(&replica.name)));
        let preferred = candidates.iter().find(|(_, load)| *load < share);
        let chosen = preferred.or_else(|| candidates.iter().min_by_key(|(_, load)| *load))?;
        Some(chosen.0.clone())
    }
}

#[cfg(test)]
mod tests;
