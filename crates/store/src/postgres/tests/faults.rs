//! The database goes away: at a commit, in the middle of load, for good.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::proxy::{Cut, Proxy};
use super::server::{self, PostgresServer};
use super::{LONG, agent, create_database, job, model, new_job, shared_server, worker};
use crate::artifacts::ArtifactId;
use crate::metadata::{Checkpoints, Jobs, Keys, Leases, Models, StoreError, Usage};
use crate::postgres::PostgresMetadata;
use crate::records::{
    AdapterArtifacts, JobOutcome, JobStatus, KeyLimits, Lease, ModelCreation, ModelRecord, NewCheckpoint, NewEvent,
    NewKey, NewTrajectoryLog, Order, PageRequest, ResumeState, UsageCount, UsageKey,
};

const ALL: PageRequest = PageRequest { after: None, limit: 100_000, order: Order::Ascending };

fn event() -> NewEvent {
    NewEvent { kind: "gradient_step".to_owned(), data: "{}".to_owned() }
}

fn checkpoint() -> NewCheckpoint {
    NewCheckpoint::default()
}

fn state(next_step: i64) -> ResumeState {
    let artifact = ArtifactId::of(&next_step.to_le_bytes());
    ResumeState { next_step, adapter: AdapterArtifacts { config: artifact, weights: artifact }, optimizer: artifact }
}

/// A store behind a proxy, and one beside it that looks at what became of things.
struct Cutting {
    proxy: Proxy,
    behind: Arc<PostgresMetadata>,
    beside: PostgresMetadata,
    cut: Cut,
}

impl Cutting {
    async fn new(cut: Cut) -> Self {
        let name = create_database(shared_server(), "UTF8").await;
        let proxy = Proxy::start(shared_server().port()).await;
        let behind = PostgresMetadata::open(&server::address(proxy.port, &name).parse().unwrap()).await.unwrap();
        let beside = PostgresMetadata::open(&shared_server().address(&name).parse().unwrap()).await.unwrap();
        Self { proxy, behind: Arc::new(behind), beside, cut }
    }

    /// Makes a call whose commit is cut.
    async fn cut<T>(&self, call: impl AsyncFn(&PostgresMetadata) -> T) -> T {
        let before = self.proxy.cuts();
        self.proxy.cut_next(self.cut);
        let late = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            if self.cut == Cut::WhileCommitting {
                self.proxy.let_commit();
            }
        };
        let (result, ()) = tokio::join!(call(&self.behind), late);
        assert_eq!(self.proxy.cuts(), before + 1, "the commit was not cut");
        result
    }
}

/// Every write takes effect once, and says what it did, wherever the connection breaks.
async fn writes_are_done_once(cut: Cut) {
    let cutting = Cutting::new(cut).await;
    let beside = &cutting.beside;
    let new_key = || NewKey {
        entity: "acme".to_owned(),
        name: "k".to_owned(),
        suffix: "x".to_owned(),
        sha256: [1; 32],
        limits: KeyLimits::default(),
        is_admin: false,
    };
    let key = cutting.cut(async |store| store.create_key(new_key()).await.unwrap()).await;
    assert_eq!(beside.list_keys(None).await.unwrap(), std::slice::from_ref(&key));

    let usage =
        || UsageKey { key_id: key.id, entity: "acme".to_owned(), project: "p".to_owned(), model: "m".to_owned() };
    let count = UsageCount { requests: 1, prompt_tokens: 2, completion_tokens: 3, trained_tokens: 0 };
    cutting.cut(async |store| store.add_usage(usage(), count).await.unwrap()).await;
    assert_eq!(beside.list_usage(None).await.unwrap()[0].count, count);

    let created = cutting.cut(async |store| store.create_model(agent("agent")).await.unwrap()).await;
    let ModelCreation::Created(model) = created else { panic!("it says that it found the model it made: {created:?}") };
    assert_eq!(beside.list_models("acme").await.unwrap(), std::slice::from_ref(&model));

    let job = cutting.cut(async |store| store.create_job(new_job(&model)).await.unwrap()).await;
    assert_eq!(beside.queue_depth().await.unwrap().queued, 1);
    let claimed =
        cutting.cut(async |store| store.claim_next(&worker("worker"), LONG).await.unwrap()).await.expect("a job");
    assert_eq!((claimed.job.id, claimed.lease.token, claimed.job.attempts), (job.id, 1, 1));
    cutting.cut(async |store| store.release_job(&claimed.lease, None).await.unwrap()).await;
    let claimed = beside.claim_next(&worker("worker"), LONG).await.unwrap().expect("it was given back");
    assert_eq!(claimed.job.attempts, 1, "given back once");
    let lease = claimed.lease;

    cutting.cut(async |store| store.record_start(&lease, None).await.unwrap()).await;
    let first = cutting.cut(async |store| store.append_event(&lease, 1, event()).await.unwrap()).await;
    cutting.cut(async |store| store.record_step(&lease, 2, event(), state(1)).await.unwrap()).await;
    let log = beside.list_events("acme", job.id, ALL).await.unwrap().items;
    assert_eq!((log.len(), &log[0]), (2, &first));
    assert_eq!(beside.get_job("acme", job.id).await.unwrap().resume, Some(state(1)));

    let published = cutting.cut(async |store| store.publish_checkpoint(&lease, checkpoint()).await.unwrap()).await;
    assert_eq!(published.step, 1);
    let finish = async |store: &PostgresMetadata| {
        store.finish_job(&lease, JobOutcome::Succeeded, Some(checkpoint()), Some(event())).await.unwrap()
    };
    let finished = cutting.cut(finish).await;
    assert_eq!(finished.checkpoint, Some(published));
    assert_eq!(finished.unreferenced, [state(1).optimizer]);
    assert_eq!(beside.list_events("acme", job.id, ALL).await.unwrap().items.len(), 3);
    assert_eq!(beside.get_job("acme", job.id).await.unwrap().status, JobStatus::Succeeded);
    assert_eq!(beside.get_model("acme", model.id).await.unwrap().last_step, 1);

    let log = || NewTrajectoryLog {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        model_id: model.id,
        split: "s".to_owned(),
        artifact: state(9).optimizer,
        groups: 1,
        request: None,
    };
    cutting.cut(async |store| store.add_trajectory_log(log()).await.unwrap()).await;
    let deleted =
        cutting.cut(async |store| store.delete_checkpoints("acme", model.id, &[1, 7], true).await.unwrap()).await;
    assert_eq!((deleted.deleted, deleted.not_found), (vec![1], vec![7]));
    let deleted = cutting.cut(async |store| store.delete_model("acme", model.id).await.unwrap()).await;
    assert_eq!((deleted.checkpoints, deleted.jobs, deleted.events), (1, 1, 3));
    assert_eq!(deleted.unreferenced, [state(9).optimizer]);
    assert_eq!(beside.list_models("acme").await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_before_the_commit_loses_nothing() {
    writes_are_done_once(Cut::BeforeCommit).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_after_the_commit_repeats_nothing() {
    writes_are_done_once(Cut::AfterCommit).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_while_committing_repeats_nothing() {
    writes_are_done_once(Cut::WhileCommitting).await;
}

/// Rows that one client saw acknowledged are stored.
#[derive(Default)]
struct Acknowledged {
    jobs: Vec<Uuid>,
    usage: i64,
    events: Vec<(i64, Uuid)>,
    /// Calls that were rejected because there was no database.
    rejected: usize,
    slowest: Duration,
}

impl Acknowledged {
    /// Waits for a call; nothing but success and [`StoreError::Unavailable`] is right.
    async fn call<T>(&mut self, call: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
        let begun = Instant::now();
        let result = call.await;
        self.slowest = self.slowest.max(begun.elapsed());
        match result {
            Ok(value) => Some(value),
            Err(StoreError::Unavailable(_)) => {
                self.rejected += 1;
                None
            }
            Err(error) => panic!("{}", trainyard_runtime::error_chain(&error)),
        }
    }
}

/// Writes until told to stop: jobs, usage, and the events of the lease. A rejected event is appended again, as a worker does.
async fn write_until(
    stop: Arc<AtomicBool>,
    store: Arc<PostgresMetadata>,
    model: ModelRecord,
    usage: UsageKey,
    lease: Lease,
) -> Acknowledged {
    let mut told = Acknowledged::default();
    let mut sequence = 1;
    while !stop.load(Ordering::Relaxed) {
        let queued = told.call(store.create_job(new_job(&model))).await;
        told.jobs.extend(queued.map(|job| job.id));
        let count = UsageCount { requests: 1, prompt_tokens: 0, completion_tokens: 0, trained_tokens: 0 };
        let added = told.call(store.add_usage(usage.clone(), count)).await;
        told.usage += i64::from(added.is_some());
        if let Some(event) = told.call(store.append_event(&lease, sequence, event())).await {
            told.events.push((sequence, event.id));
            sequence += 1;
        }
        told.call(store.list_models("acme")).await;
        told.call(store.heartbeat(&lease, LONG)).await;
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_under_load_lose_and_repeat_nothing() {
    let rounds = std::env::var("TRAINYARD_FAULTS").ok().and_then(|faults| faults.parse().ok()).unwrap_or(1) * 3;
    let mut server = tokio::task::spawn_blocking(PostgresServer::start).await.unwrap();
    let name = create_database(&server, "UTF8").await;
    let store = Arc::new(PostgresMetadata::open(&server.address(&name).parse().unwrap()).await.unwrap());
    let key = NewKey {
        entity: "acme".to_owned(),
        name: "k".to_owned(),
        suffix: "x".to_owned(),
        sha256: [1; 32],
        limits: KeyLimits::default(),
        is_admin: false,
    };
    let key = store.create_key(key).await.unwrap();
    let (mut jobs, mut used, mut rejected, mut slowest, mut longest_recovery) =
        (0, 0, 0, Duration::ZERO, Duration::ZERO);
    for round in 0..rounds {
        // An entity has a bounded number of unfinished jobs; each round has models of its own.
        let stop = Arc::new(AtomicBool::new(false));
        let mut writers = Vec::new();
        let mut models = Vec::new();
        for number in 0..3 {
            let model = model(&store, &format!("agent {round} {number}")).await;
            let first = job(&store, &model).await;
            let lease = store.claim_next(&worker("writer"), LONG).await.unwrap().expect("the job of this model").lease;
            assert_eq!(lease.job_id, first.id);
            let usage = UsageKey {
                key_id: key.id,
                entity: "acme".to_owned(),
                project: "p".to_owned(),
                model: model.name.clone(),
            };
            let writer = write_until(stop.clone(), store.clone(), model.clone(), usage, lease);
            writers.push(tokio::spawn(writer));
            models.push((model, first));
        }
        tokio::time::sleep(Duration::from_millis(200 + 37 * (round as u64 % 8))).await;
        server = tokio::task::spawn_blocking(move || {
            server.kill();
            server.start_again();
            server
        })
        .await
        .unwrap();
        let up = Instant::now();
        while store.ping().await.is_err() {
            assert!(up.elapsed() < Duration::from_secs(10), "no connection after the restart");
        }
        longest_recovery = longest_recovery.max(up.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.store(true, Ordering::Relaxed);
        for (writer, (model, first)) in writers.into_iter().zip(models) {
            let told = writer.await.unwrap();
            let log = store.list_events("acme", first.id, ALL).await.unwrap().items;
            let stored: Vec<(i64, Uuid)> = log.iter().map(|event| (event.sequence, event.id)).collect();
            // Every result that was given still holds; at most the last call of all had none.
            assert_eq!(stored[..told.events.len()], told.events);
            assert!(stored.len() <= told.events.len() + 1, "an event is there twice");
            assert_eq!(
                stored.iter().map(|(n, _)| *n).collect::<Vec<_>>(),
                (1..=stored.len() as i64).collect::<Vec<_>>()
            );
            for id in &told.jobs {
                store.get_job("acme", *id).await.expect("a job that was acknowledged");
            }
            let usage = store.list_usage(None).await.unwrap();
            let sum = usage.iter().find(|sum| sum.usage.model == model.name).map_or(0, |sum| sum.count.requests);
            // A rejected write may have been done, an acknowledged one was, once.
            assert!(
                (told.usage..=told.usage + told.rejected as i64).contains(&sum),
                "{} told, {sum} stored",
                told.usage
            );
            let deleted = store.delete_model("acme", model.id).await.unwrap();
            let made = told.jobs.len() as u64 + 1;
            assert!(
                (made..=made + told.rejected as u64).contains(&deleted.jobs),
                "{made} told, {} stored",
                deleted.jobs
            );
            jobs += told.jobs.len();
            used += told.usage;
            rejected += told.rejected;
            slowest = slowest.max(told.slowest);
        }
    }
    println!("figure: {rounds} restarts of PostgreSQL under writes");
    println!(
        "{rounds} restarts: {jobs} jobs and {used} sums acknowledged, {rejected} calls refused, the slowest call \
         {slowest:?}, answers again {longest_recovery:?} after the server"
    );
    assert!(jobs > 0 && slowest < Duration::from_secs(10), "{slowest:?}");
    // Announcements arrive again.
    let model = model(&store, "after").await;
    let waiting = store.wait_for_job(LONG);
    let queue = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        job(&store, &model).await;
    };
    let told = async { tokio::join!(waiting, queue).0 };
    tokio::time::timeout(Duration::from_secs(10), told).await.expect("told of the job").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_database_calls_end_within_seconds() {
    let mut server = tokio::task::spawn_blocking(PostgresServer::start).await.unwrap();
    let store = PostgresMetadata::open(&server.address("postgres").parse().unwrap()).await.unwrap();
    let model = model(&store, "agent").await;
    let server = tokio::task::spawn_blocking(move || {
        server.kill();
        server
    })
    .await
    .unwrap();
    let begun = Instant::now();
    let (read, written, asked) =
        tokio::join!(store.list_models("acme"), store.create_job(new_job(&model)), store.ping());
    assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
    assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
    assert!(matches!(asked, Err(StoreError::Unavailable(_))), "{asked:?}");
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    drop(server);
}
