//! Rules of workers and their reports.

use std::time::Duration;

use uuid::Uuid;

use super::{ENGINE, LONG, Store, claim, failed, job, model, trainers, worker};
use crate::metadata::StoreError;
use crate::records::{LeasedJob, TrainerKind, WaitReason, WorkerReport};

pub(crate) async fn a_worker_is_listed_with_its_jobs_until_it_leaves(store: Store) {
    assert!(store.list_workers().await.unwrap().is_empty());
    let (one, two) = (report("one"), report("two"));
    for report in [&one, &two, &one] {
        store.report_worker(report).await.unwrap();
    }
    let model = model(&store, "acme", "agent").await;
    let held = job(&store, &model).await;
    let waiting = job(&store, &model).await;
    let lease = store.claim_next(&worker("two"), LONG).await.unwrap().unwrap().lease;
    let workers = store.list_workers().await.unwrap();
    let names: Vec<&str> = workers.iter().map(|worker| worker.report.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!((&workers[0].report, &workers[1].report), (&one, &two));
    assert!(workers.iter().all(|worker| worker.is_alive && worker.started_at <= worker.reported_at));
    assert_eq!(workers[0].jobs, []);
    assert_eq!(workers[1].jobs, [LeasedJob { id: held.id, entity: "acme".to_owned() }]);
    store.release_job(&lease, None).await.unwrap();
    assert_eq!(store.list_workers().await.unwrap()[1].jobs, [], "{} waits as {} does", held.id, waiting.id);
    store.remove_worker("one").await.unwrap();
    store.remove_worker("one").await.unwrap();
    assert_eq!(store.list_workers().await.unwrap().len(), 1);
}

pub(crate) async fn a_job_says_why_it_waits(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let [first, second] = [job(&store, &model).await.id, job(&store, &model).await.id];
    let waiting = async |id: Uuid| store.get_job_state("acme", id).await.unwrap().waiting;
    let reason = async |id: Uuid| waiting(id).await.map(|waiting| waiting.reason);
    assert_eq!(reason(first).await, Some(WaitReason::Worker));
    let created = store.get_job("acme", first).await.unwrap().created_at;
    assert_eq!(waiting(first).await.unwrap().since, created);
    assert_eq!(reason(second).await, Some(WaitReason::EarlierJob));
    let other = WorkerReport { trainers: [("trainyard/other".to_owned(), ENGINE)].into(), ..report("other") };
    store.report_worker(&other).await.unwrap();
    assert_eq!(reason(first).await, Some(WaitReason::Worker));
    store.report_worker(&report("one")).await.unwrap();
    assert_eq!(reason(first).await, Some(WaitReason::Turn));

    let lease = claim(&store).await.lease;
    assert_eq!(reason(first).await, None);
    store.note_waiting(&lease, Some(WaitReason::Place.into())).await.unwrap();
    assert_eq!(reason(first).await, Some(WaitReason::Place));
    assert!(waiting(first).await.unwrap().since > created - 1);
    store.note_waiting(&lease, None).await.unwrap();
    assert_eq!(reason(first).await, None);
    let mut lease = lease;
    for noted in [WaitReason::Storage, WaitReason::Learner, WaitReason::Retry] {
        store.release_job(&lease, Some(noted)).await.unwrap();
        assert_eq!(reason(first).await, Some(noted));
        lease = claim(&store).await.lease;
    }
    assert_eq!(reason(first).await, None, "a claim ends the wait");

    // Its trainer is that of the first attempt, which no worker has any more.
    store.record_trainer(&lease, ENGINE).await.unwrap();
    store.release_job(&lease, None).await.unwrap();
    assert_eq!(reason(first).await, Some(WaitReason::Turn));
    let changed = WorkerReport { trainers: trainers(TrainerKind::Learner), ..report("one") };
    store.report_worker(&changed).await.unwrap();
    assert_eq!(reason(first).await, Some(WaitReason::Worker));

    let short = store.claim_next(&worker("one"), Duration::from_millis(1)).await.unwrap().unwrap().lease;
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(reason(first).await, Some(WaitReason::LostWorker));
    assert!(matches!(
        store.note_waiting(&lease, Some(WaitReason::Place.into())).await,
        Err(StoreError::LeaseLost(lost)) if lost == lease
    ));
    store.finish_job(&short, failed("no"), None, None).await.unwrap();
    assert_eq!((reason(first).await, reason(second).await), (None, Some(WaitReason::Turn)));
}

/// Report of a worker that computes the jobs of these tests.
fn report(name: &str) -> WorkerReport {
    let profile = worker(name);
    let (name, trainers) = (profile.owner, profile.trainers);
    WorkerReport { name, host: "gpu-1".to_owned(), version: "1.2.3".to_owned(), trainers }
}
