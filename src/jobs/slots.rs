//! Jobs that a worker holds at once, and the slots in which their data is prepared and in which they train.
//!
//! A worker trains one job at a time. While the data of its jobs is slow, it claims further jobs, so that a source that
//! does not respond delays nobody else.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use super::error::JobError;

/// Maximum number of jobs that a worker holds. All of them but one wait for slow data, so it takes the slow data of half as
/// many entities to delay the others.
const MAX_HELD_JOBS: usize = 32;
/// Maximum number of jobs of one entity that a worker holds.
const MAX_HELD_JOBS_OF_ENTITY: usize = 3;
/// Maximum number of them whose data is being fetched: slow data does not delay the entity's own jobs that need none.
const MAX_FETCHING_JOBS_OF_ENTITY: usize = MAX_HELD_JOBS_OF_ENTITY - 1;
/// Maximum number of jobs whose data is tokenised, or kept tokenised until training begins. One entity cannot take all.
const PREPARATION_SLOTS: usize = MAX_HELD_JOBS_OF_ENTITY + 1;
/// Time after which the preparation of a job is slow. A job that is prepared in less time is the only one that its
/// worker holds: the next job is left to a worker that is free.
const SLOW_PREPARATION: Duration = Duration::from_secs(1);

/// Slots in which the jobs of a worker are prepared and trained, each given in the order of the requests.
pub(super) struct Slots {
    preparation: Semaphore,
    training: Semaphore,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self { preparation: Semaphore::new(PREPARATION_SLOTS), training: Semaphore::new(1) }
    }

    /// Waits for a slot to prepare data in.
    pub(super) async fn preparation(&self) -> Result<SemaphorePermit<'_>, JobError> {
        // The semaphores are never closed.
        self.preparation.acquire().await.map_err(|_| JobError::Stopped)
    }

    /// Waits for the slot to train in.
    pub(super) async fn training(&self) -> Result<SemaphorePermit<'_>, JobError> {
        self.training.acquire().await.map_err(|_| JobError::Stopped)
    }
}

/// A job that a worker holds.
pub(super) struct HeldJob {
    entity: String,
    claimed: Instant,
    /// Whether its data is in the artifact store.
    fetched: AtomicBool,
    /// Whether its data is prepared.
    prepared: AtomicBool,
}

impl HeldJob {
    /// Notes that the data is in the artifact store.
    pub(super) fn note_fetched(&self) {
        self.fetched.store(true, Ordering::Relaxed);
    }

    /// Notes that the data is prepared: the job trains, or waits for the slot to train in.
    pub(super) fn note_prepared(&self) {
        self.prepared.store(true, Ordering::Relaxed);
    }
}

/// The jobs that a worker holds, each until its attempt drops it.
#[derive(Default)]
pub(super) struct HeldJobs(Vec<Weak<HeldJob>>);

impl HeldJobs {
    /// Adds a job of the entity, of which the data may be fetched already.
    pub(super) fn add(&mut self, entity: &str, is_fetched: bool, claimed: Instant) -> Arc<HeldJob> {
        let (fetched, prepared) = (AtomicBool::new(is_fetched), AtomicBool::new(false));
        let job = Arc::new(HeldJob { entity: entity.to_owned(), claimed, fetched, prepared });
        self.0.push(Arc::downgrade(&job));
        job
    }

    /// Returns the time from which the worker may claim another job: while it holds none, or while the data of all that
    /// it holds is slow. `None` means not before an attempt ends.
    pub(super) fn next_claim(&mut self, now: Instant) -> Option<Instant> {
        let held = self.held();
        if held.len() >= MAX_HELD_JOBS || held.iter().any(|job| job.prepared.load(Ordering::Relaxed)) {
            return None;
        }
        let latest = held.iter().map(|job| job.claimed).max();
        Some(latest.map_or(now, |claimed| now.max(claimed + SLOW_PREPARATION)))
    }

    /// Returns the entities of which the worker holds as many jobs as it may.
    pub(super) fn excluded_entities(&mut self) -> Vec<String> {
        self.entities_with(MAX_HELD_JOBS_OF_ENTITY, |_| true)
    }

    /// Returns the entities of which the worker fetches the data of as many jobs as it may.
    pub(super) fn excluded_sources(&mut self) -> Vec<String> {
        self.entities_with(MAX_FETCHING_JOBS_OF_ENTITY, |job| !job.fetched.load(Ordering::Relaxed))
    }

    /// Returns the entities with at least so many held jobs that count.
    fn entities_with(&mut self, least: usize, counts: impl Fn(&HeldJob) -> bool) -> Vec<String> {
        let mut jobs = BTreeMap::new();
        for job in self.held().into_iter().filter(|job| counts(job)) {
            *jobs.entry(job.entity.clone()).or_insert(0) += 1;
        }
        jobs.into_iter().filter(|(_, count)| *count >= least).map(|(entity, _)| entity).collect()
    }

    fn held(&mut self) -> Vec<Arc<HeldJob>> {
        self.0.retain(|job| job.strong_count() > 0);
        self.0.iter().filter_map(Weak::upgrade).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_job_is_claimed_only_while_all_held_ones_are_slow() {
        let (mut held, now) = (HeldJobs::default(), Instant::now());
        assert_eq!(held.next_claim(now), Some(now));
        let first = held.add("acme", true, now);
        let slow = now + SLOW_PREPARATION;
        assert_eq!(held.next_claim(now), Some(slow));
        let second = held.add("acme", true, slow);
        assert_eq!(held.next_claim(slow), Some(slow + SLOW_PREPARATION));
        second.note_prepared();
        assert_eq!(held.next_claim(slow), None, "the second trains");
        drop(second);
        assert_eq!(held.next_claim(slow), Some(slow), "only the slow one is left");
        drop(first);
        let many: Vec<_> = (0..MAX_HELD_JOBS).map(|number| held.add(&number.to_string(), true, now)).collect();
        assert_eq!(held.next_claim(slow), None, "it holds {} jobs", many.len());
    }

    #[test]
    fn an_entity_does_not_get_every_slot() {
        let mut held = HeldJobs::default();
        let first = held.add("acme", false, Instant::now());
        let _other = held.add("rival", false, Instant::now());
        assert!(held.excluded_sources().is_empty());
        let second = held.add("acme", false, Instant::now());
        assert_eq!((held.excluded_sources(), held.excluded_entities()), (vec!["acme".to_owned()], vec![]));
        let _third = held.add("acme", true, Instant::now());
        assert_eq!(held.excluded_entities(), ["acme"]);
        second.note_fetched();
        assert!(held.excluded_sources().is_empty());
        drop(first);
        assert!(held.excluded_entities().is_empty());
    }

    #[tokio::test]
    async fn jobs_train_one_at_a_time_in_the_order_of_their_requests() {
        let slots = Arc::new(Slots::new());
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let first = slots.training().await.unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..4 {
            let (slots, order) = (slots.clone(), order.clone());
            tasks.spawn(async move {
                let _slot = slots.training().await.unwrap();
                order.lock().unwrap().push(number);
            });
            tokio::task::yield_now().await;
        }
        assert!(order.lock().unwrap().is_empty());
        drop(first);
        tasks.join_all().await;
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3]);
    }
}
