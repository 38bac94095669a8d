//! Jobs that a worker holds at once, and the places in which their data is prepared and in which they train.
//!
//! A worker trains one job at a time. While the data of its jobs is slow, it claims further jobs, so that a source that
//! does not answer delays nobody else.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::Instant,
};

use super::error::JobError;

/// Maximum number of jobs that a worker holds. All of them but one wait for slow data, so it takes the slow data of half as
/// many entities to delay the others.
const MAX_HELD_JOBS: usize = 32;
/// Maximum number of jobs of one entity that a worker holds.
const MAX_HELD_JOBS_OF_ENTITY: usize = 2;
/// Maximum number of jobs whose data is tokenised, or kept tokenised until training begins. One entity cannot take all.
const PREPARATION_PLACES: usize = MAX_HELD_JOBS_OF_ENTITY + 1;
/// Time after which the preparation of a job is slow. A job that is prepared in less time is the only one that its
/// worker holds: the next job is left to a worker that is free.
const SLOW_PREPARATION: Duration = Duration::from_secs(1);

/// Places in which the jobs of a worker are prepared and trained, each given in the order of the requests.
pub(super) struct Places {
    preparation: Semaphore,
    training: Semaphore,
}

impl Places {
    pub(super) fn new() -> Self {
        Self { preparation: Semaphore::new(PREPARATION_PLACES), training: Semaphore::new(1) }
    }

    /// Waits for a place to prepare data in.
    pub(super) async fn preparation(&self) -> Result<SemaphorePermit<'_>, JobError> {
        // The semaphores are never closed.
        self.preparation.acquire().await.map_err(|_| JobError::Stopped)
    }

    /// Waits for the place to train in.
    pub(super) async fn training(&self) -> Result<SemaphorePermit<'_>, JobError> {
        self.training.acquire().await.map_err(|_| JobError::Stopped)
    }
}

/// A job that a worker holds.
pub(super) struct HeldJob {
    entity: String,
    claimed: Instant,
    /// Whether its data is prepared.
    prepared: AtomicBool,
}

impl HeldJob {
    /// Notes that the data is prepared: the job trains, or waits for the place to train in.
    pub(super) fn note_prepared(&self) {
        self.prepared.store(true, Ordering::Relaxed);
    }
}

/// The jobs that a worker holds, each until its attempt drops it.
#[derive(Default)]
pub(super) struct HeldJobs(Vec<Weak<HeldJob>>);

impl HeldJobs {
    /// Adds a job of the entity.
    pub(super) fn add(&mut self, entity: &str, claimed: Instant) -> Arc<HeldJob> {
        let job = Arc::new(HeldJob { entity: entity.to_owned(), claimed, prepared: AtomicBool::new(false) });
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
        let held = self.held();
        let of = |entity: &str| held.iter().filter(|job| job.entity == entity).count();
        let mut entities: Vec<String> = held.iter().map(|job| job.entity.clone()).collect();
        entities.retain(|entity| of(entity) >= MAX_HELD_JOBS_OF_ENTITY);
        entities.sort_unstable();
        entities.dedup();
        entities
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
        let first = held.add("acme", now);
        let slow = now + SLOW_PREPARATION;
        assert_eq!(held.next_claim(now), Some(slow));
        let second = held.add("acme", slow);
        assert_eq!(held.next_claim(slow), Some(slow + SLOW_PREPARATION));
        second.note_prepared();
        assert_eq!(held.next_claim(slow), None, "the second trains");
        drop(second);
        assert_eq!(held.next_claim(slow), Some(slow), "only the slow one is left");
        drop(first);
        let many: Vec<_> = (0..MAX_HELD_JOBS).map(|number| held.add(&number.to_string(), now)).collect();
        assert_eq!(held.next_claim(slow), None, "it holds {} jobs", many.len());
    }

    #[test]
    fn an_entity_does_not_get_every_place() {
        let mut held = HeldJobs::default();
        let first = held.add("acme", Instant::now());
        let _other = held.add("rival", Instant::now());
        assert!(held.excluded_entities().is_empty());
        let _second = held.add("acme", Instant::now());
        assert_eq!(held.excluded_entities(), ["acme"]);
        drop(first);
        assert!(held.excluded_entities().is_empty());
    }

    #[tokio::test]
    async fn jobs_train_one_at_a_time_in_the_order_of_their_requests() {
        let places = Arc::new(Places::new());
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let first = places.training().await.unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..4 {
            let (places, order) = (places.clone(), order.clone());
            tasks.spawn(async move {
                let _place = places.training().await.unwrap();
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
