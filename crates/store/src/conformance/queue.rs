//! Rules of who works on a job, and for how long.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{
    ENGINE, LONG, Store, adapter, artifact, claim, failed, job, model, new_checkpoint, new_event, new_job, page,
    trainers, worker,
};
use crate::metadata::{MAX_UNFINISHED_JOBS, StoreError};
use crate::records::{JobOutcome, JobStatus, Lease, Order, ResumeState, TrainerKind, WorkerProfile};
use trainyard_model_options::WeightFormat;

fn stale_state() -> ResumeState {
    ResumeState { next_step: 1, adapter: adapter("stale"), optimizer: artifact("stale") }
}

/// Asserts that every write of a worker is rejected.
pub(super) async fn assert_lost(store: &Store, lease: &Lease) {
    let event = || new_event("gradient_step", "{}");
    let results = [
        store.heartbeat(lease, LONG).await,
        store.release_job(lease, None).await,
        store.note_failure(lease, "stale").await.map(drop),
        store.record_start(lease, None).await.map(drop),
        store.record_trainer(lease, ENGINE).await,
        store.append_event(lease, 1, event()).await.map(drop),
        store.record_step(lease, 1, event(), stale_state()).await.map(drop),
        store.publish_checkpoint(lease, new_checkpoint("stale")).await.map(drop),
        store.finish_job(lease, JobOutcome::Succeeded, Some(new_checkpoint("stale")), Some(event())).await.map(drop),
        store.finish_job(lease, failed("stale"), None, Some(event())).await.map(drop),
    ];
    for (number, result) in results.into_iter().enumerate() {
        assert!(matches!(result, Err(StoreError::LeaseLost(lost)) if lost == *lease), "call {number}: {result:?}");
    }
}

pub(crate) async fn jobs_of_a_model_run_one_after_the_other(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "acme", "two").await);
    let first = job(&store, &one).await;
    let second = job(&store, &one).await;
    let other = job(&store, &two).await;
    let running = claim(&store).await;
    assert_eq!(running.job.id, first.id);
    // The second waits for the first; the other model's job need not.
    assert_eq!(claim(&store).await.job.id, other.id);
    assert_eq!(store.claim_next(&worker("worker"), LONG).await.unwrap(), None);
    let depth = store.queue_depth().await.unwrap();
    assert_eq!((depth.queued, depth.running), (1, 2));
    // A job that is given back comes before the younger one of its model.
    store.release_job(&running.lease, None).await.unwrap();
    let again = claim(&store).await;
    assert_eq!(again.job.id, first.id);
    store.finish_job(&again.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    assert_eq!(claim(&store).await.job.id, second.id);
}

pub(crate) async fn workers_never_share_a_job(store: Store) {
    let mut expected = BTreeSet::new();
    for number in 0..12 {
        let model = model(&store, "acme", &format!("agent-{number}")).await;
        expected.insert(job(&store, &model).await.id);
    }
    let mut workers = tokio::task::JoinSet::new();
    for number in 0..4 {
        let store = store.clone();
        workers.spawn(async move {
            let mut claimed = Vec::new();
            while let Some(job) = store.claim_next(&worker(&format!("worker-{number}")), LONG).await.unwrap() {
                claimed.push(job.job.id);
            }
            claimed
        });
    }
    let claimed: Vec<Uuid> = workers.join_all().await.into_iter().flatten().collect();
    assert_eq!(claimed.len(), expected.len());
    assert_eq!(claimed.into_iter().collect::<BTreeSet<_>>(), expected);
}

pub(crate) async fn a_lease_is_lost_to_the_next_claim(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let stale = store.claim_next(&worker("slow"), Duration::ZERO).await.unwrap().unwrap();
    // Run out, but nobody took over: the worker may still write and renew.
    store.append_event(&stale.lease, 1, new_event("training_started", "{}")).await.unwrap();
    let fresh = claim(&store).await;
    assert_eq!(fresh.job.id, job.id);
    assert!(fresh.lease.token > stale.lease.token);
    assert_eq!(fresh.job.attempts, 2);
    assert_eq!(fresh.job.started_at, stale.job.started_at);
    assert_lost(&store, &stale.lease).await;
    store.heartbeat(&fresh.lease, LONG).await.unwrap();
    assert_eq!(store.claim_next(&worker("third"), LONG).await.unwrap(), None, "a live lease protects the job");
    store.finish_job(&fresh.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    // An ended job takes no more writes, not even those of its last worker.
    assert_lost(&store, &fresh.lease).await;
    assert_lost(&store, &Lease { job_id: Uuid::now_v7(), token: 1 }).await;
    let events = store.list_events("acme", job.id, page(None, 10, Order::Ascending)).await.unwrap();
    assert_eq!(events.items.len(), 1);
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap().unwrap().step, 0);
    assert_eq!(store.get_job("acme", job.id).await.unwrap().status, JobStatus::Succeeded);
}

pub(crate) async fn a_released_job_can_be_claimed_at_once(store: Store) {
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let first = claim(&store).await;
    store.release_job(&first.lease, None).await.unwrap();
    assert_lost(&store, &first.lease).await;
    // Giving it back used up no attempt, however often; a lease that runs out does.
    let second = claim(&store).await;
    assert_eq!(second.job.attempts, 1);
    assert!(second.lease.token > first.lease.token);
    store.heartbeat(&second.lease, Duration::ZERO).await.unwrap();
    let third = claim(&store).await;
    assert_eq!(third.job.attempts, 2);
    store.release_job(&third.lease, None).await.unwrap();
    assert_eq!(store.get_job("acme", third.job.id).await.unwrap().attempts, 1);
}

pub(crate) async fn leases_of_dead_processes_end_at_once(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "acme", "two").await);
    let (dead, mine) = (job(&store, &one).await, job(&store, &two).await);
    let orphan = store.claim_next(&worker("before"), LONG).await.unwrap().unwrap();
    let own = store.claim_next(&worker("now"), LONG).await.unwrap().unwrap();
    assert_eq!((orphan.job.id, own.job.id), (dead.id, mine.id));
    assert_eq!(store.expire_leases_of_other_owners("now").await.unwrap(), 1);
    let adopted = store.claim_next(&worker("now"), LONG).await.unwrap().unwrap();
    assert_eq!(adopted.job.id, dead.id);
    assert_lost(&store, &orphan.lease).await;
    store.heartbeat(&own.lease, LONG).await.unwrap();
}

pub(crate) async fn unfinished_jobs_of_an_entity_are_limited(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "acme", "two").await);
    let rival = model(&store, "rival", "agent").await;
    for number in 0..MAX_UNFINISHED_JOBS {
        job(&store, if number % 2 == 0 { &one } else { &two }).await;
    }
    let running = claim(&store).await;
    for model in [&one, &two] {
        let rejected = store.create_job(new_job(model)).await;
        assert!(matches!(rejected, Err(StoreError::TooManyJobs { limit: MAX_UNFINISHED_JOBS })), "{rejected:?}");
    }
    let depth = store.queue_depth().await.unwrap();
    assert_eq!((depth.queued, depth.running), (MAX_UNFINISHED_JOBS - 1, 1));
    job(&store, &rival).await;
    // One that ends makes room for one.
    store.finish_job(&running.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    job(&store, &two).await;
    assert!(matches!(store.create_job(new_job(&one)).await, Err(StoreError::TooManyJobs { .. })));
}

pub(crate) async fn waiting_workers_are_notified_of_jobs(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let waiting = |longest: Duration| {
        let store = store.clone();
        tokio::spawn(async move {
            // It may return for nothing, so a worker looks and waits again.
            loop {
                store.wait_for_job(longest).await.unwrap();
                if let Some(claimed) = store.claim_next(&worker("worker"), LONG).await.unwrap() {
                    return claimed;
                }
            }
        })
    };
    let waiter = waiting(LONG);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!waiter.is_finished());
    job(&store, &model).await;
    let claimed = tokio::time::timeout(Duration::from_secs(10), waiter).await.expect("told of the job").unwrap();
    let waiter = waiting(LONG);
    tokio::time::sleep(Duration::from_millis(50)).await;
    store.release_job(&claimed.lease, None).await.unwrap();
    let told = tokio::time::timeout(Duration::from_secs(10), waiter).await.expect("told of the release").unwrap();
    assert_eq!(told.job.id, claimed.job.id);
    // What nobody tells of is found when the time is up: a lease that runs out.
    store.heartbeat(&told.lease, Duration::from_millis(300)).await.unwrap();
    let again =
        tokio::time::timeout(Duration::from_secs(10), waiting(Duration::from_millis(50))).await.unwrap().unwrap();
    assert_eq!(again.job.id, claimed.job.id);
}

pub(crate) async fn a_job_goes_to_a_worker_that_can_compute_it(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let other = [("acme/other".to_owned(), ENGINE)];
    let stranger = WorkerProfile { trainers: other.into(), ..worker("stranger") };
    assert_eq!(store.claim_next(&stranger, LONG).await.unwrap(), None);
    assert_eq!(store.count_jobs_for_others(&stranger).await.unwrap(), 1);
    // Before the job has begun, any trainer will do.
    let narrow = TrainerKind::Engine(WeightFormat::Bf16);
    let narrow_worker = WorkerProfile { trainers: trainers(narrow), ..worker("narrow") };
    let first = store.claim_next(&narrow_worker, LONG).await.unwrap().unwrap();
    assert_eq!(first.job.trainer, None);
    store.record_trainer(&first.lease, narrow).await.unwrap();
    store.record_trainer(&first.lease, narrow).await.unwrap();
    for other in [ENGINE, TrainerKind::Learner] {
        let rejected = store.record_trainer(&first.lease, other).await;
        assert!(matches!(rejected, Err(StoreError::Conflict(_))), "{rejected:?}");
    }
    store.release_job(&first.lease, None).await.unwrap();
    assert_eq!(store.claim_next(&worker("wide"), LONG).await.unwrap(), None);
    assert_eq!(store.count_jobs_for_others(&worker("wide")).await.unwrap(), 1);
    assert_eq!(store.count_jobs_for_others(&narrow_worker).await.unwrap(), 0);
    let second = store.claim_next(&narrow_worker, LONG).await.unwrap().unwrap();
    assert_eq!((second.job.id, second.job.trainer), (job.id, Some(narrow)));
    assert_eq!(store.count_jobs_for_others(&worker("wide")).await.unwrap(), 0, "it is not free");
    store.finish_job(&second.lease, JobOutcome::Succeeded, None, None).await.unwrap();

    // A job that began in an earlier order of operations goes to a worker of its format, which ends it.
    let job = self::job(&store, &model).await;
    let first = store.claim_next(&narrow_worker, LONG).await.unwrap().unwrap();
    let earlier = TrainerKind::EarlierEngine(WeightFormat::Bf16);
    store.record_trainer(&first.lease, earlier).await.unwrap();
    store.release_job(&first.lease, None).await.unwrap();
    assert_eq!(store.claim_next(&worker("wide"), LONG).await.unwrap(), None);
    let second = store.claim_next(&narrow_worker, LONG).await.unwrap().unwrap();
    assert_eq!((second.job.id, second.job.trainer), (job.id, Some(earlier)));
    let rejected = store.record_trainer(&second.lease, narrow).await;
    assert!(matches!(rejected, Err(StoreError::Conflict(_))), "{rejected:?}");
    store.finish_job(&second.lease, JobOutcome::Succeeded, None, None).await.unwrap();

    // A job that began on a learner waits for a worker with one, also if that has an engine for other base models.
    let job = self::job(&store, &model).await;
    let mut mixed = worker("mixed");
    mixed.trainers.insert("trainyard/seedling".to_owned(), TrainerKind::Learner);
    let first = store.claim_next(&mixed, LONG).await.unwrap().unwrap();
    store.record_trainer(&first.lease, TrainerKind::Learner).await.unwrap();
    store.release_job(&first.lease, None).await.unwrap();
    assert_eq!(store.claim_next(&worker("engine"), LONG).await.unwrap(), None);
    assert_eq!(store.count_jobs_for_others(&worker("engine")).await.unwrap(), 1);
    let second = store.claim_next(&mixed, LONG).await.unwrap().unwrap();
    assert_eq!((second.job.id, second.job.trainer), (job.id, Some(TrainerKind::Learner)));
}

pub(crate) async fn attempts_count_until_something_is_recorded(store: Store) {
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let claim = async || store.claim_next(&worker("dies"), Duration::ZERO).await.unwrap().unwrap();
    for fruitless in 1..4 {
        assert_eq!(claim().await.job.attempts_without_progress, fruitless);
    }
    let lease = claim().await.lease;
    store.record_start(&lease, None).await.unwrap();
    let claimed = claim().await;
    assert_eq!((claimed.job.attempts, claimed.job.attempts_without_progress), (5, 1));
    store.append_event(&claimed.lease, 1, new_event("training_started", "{}")).await.unwrap();
    let claimed = claim().await;
    assert_eq!(claimed.job.attempts_without_progress, 1);
    // What was there already is no progress.
    store.append_event(&claimed.lease, 1, new_event("training_started", "{}")).await.unwrap();
    let claimed = claim().await;
    assert_eq!(claimed.job.attempts_without_progress, 2);
    let state = ResumeState { next_step: 1, adapter: adapter("resume"), optimizer: artifact("resume optimizer") };
    store.record_step(&claimed.lease, 2, new_event("gradient_step", "{}"), state).await.unwrap();
    let claimed = claim().await;
    assert_eq!(claimed.job.attempts_without_progress, 1);
    // A claim that is given back was none.
    store.release_job(&claimed.lease, None).await.unwrap();
    let claimed = claim().await;
    assert_eq!((claimed.job.attempts, claimed.job.attempts_without_progress), (8, 1));
}

pub(crate) async fn equal_failures_in_a_row_are_counted(store: Store) {
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let mut claimed = claim(&store).await;
    let again = async |lease: Lease| {
        store.release_job(&lease, None).await.unwrap();
        claim(&store).await
    };
    for (reason, count) in [("a", 1), ("a", 2), ("b", 1), ("a", 1), ("a", 2), ("a", 3)] {
        assert_eq!(store.note_failure(&claimed.lease, reason).await.unwrap(), count);
        claimed = again(claimed.lease).await;
    }
    store.append_event(&claimed.lease, 1, new_event("training_started", "{}")).await.unwrap();
    assert_eq!(store.note_failure(&claimed.lease, "a").await.unwrap(), 1, "something was recorded meanwhile");
    let stale = claimed.lease;
    again(stale).await;
    let rejected = store.note_failure(&stale, "a").await;
    assert!(matches!(rejected, Err(StoreError::LeaseLost(lease)) if lease == stale), "{rejected:?}");
}

pub(crate) async fn a_waiting_worker_hears_of_a_job_at_once(store: Store) {
    let model = model(&store, "acme", "agent").await;
    // What was written before may end the first wait.
    store.wait_for_job(Duration::ZERO).await.unwrap();
    // So may a connection that is made meanwhile, now and then.
    let mut early = 0;
    loop {
        let quiet = Instant::now();
        store.wait_for_job(Duration::from_millis(100)).await.unwrap();
        if quiet.elapsed() >= Duration::from_millis(90) {
            break;
        }
        early += 1;
        assert!(early < 4, "nothing happened: {:?}", quiet.elapsed());
    }
    let waiter = store.clone();
    let waiting = tokio::spawn(async move {
        loop {
            waiter.wait_for_job(Duration::from_secs(60)).await.unwrap();
            // A wait may end early, as those above.
            if let Some(claimed) = waiter.claim_next(&worker("waits"), LONG).await.unwrap() {
                return (claimed, Instant::now());
            }
        }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!waiting.is_finished());
    let queued = Instant::now();
    let job = job(&store, &model).await;
    let (claimed, at) = waiting.await.unwrap();
    assert_eq!(claimed.job.id, job.id);
    assert!(at - queued < Duration::from_secs(1), "{:?}", at - queued);
    // A job that is queued between a look at the queue and the wait is not slept through.
    store.release_job(&claimed.lease, None).await.unwrap();
    let begun = Instant::now();
    store.wait_for_job(Duration::from_secs(60)).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

pub(crate) async fn a_lease_that_nobody_renews_ends_whatever_its_deadline_says(store: Store) {
    const TIME_TO_LIVE: Duration = Duration::from_millis(300);
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    // As of a worker that wrote it before the clock was set back by an hour.
    let owner = store.claim_next(&worker("owner"), LONG).await.unwrap().unwrap();
    let begun = Instant::now();
    while begun.elapsed() < 4 * TIME_TO_LIVE {
        tokio::time::sleep(Duration::from_millis(20)).await;
        store.heartbeat(&owner.lease, LONG).await.unwrap();
        assert_eq!(store.claim_next(&worker("waiting"), TIME_TO_LIVE).await.unwrap(), None, "it is renewed");
    }
    let renewed = Instant::now();
    let next = loop {
        assert!(renewed.elapsed() < Duration::from_secs(60), "the job waits for the time of day");
        match store.claim_next(&worker("waiting"), TIME_TO_LIVE).await.unwrap() {
            Some(next) => break next,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    assert!(next.lease.token > owner.lease.token);
    assert_lost(&store, &owner.lease).await;
}

pub(crate) async fn deleting_a_model_ends_the_lease_of_its_jobs(store: Store) {
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let lease = claim(&store).await.lease;
    store.delete_model("acme", model.id).await.unwrap();
    assert_lost(&store, &lease).await;
    assert_eq!(store.claim_next(&worker("worker"), LONG).await.unwrap(), None);
}
