//! Rules of requests that may be repeated.

use uuid::Uuid;

use super::{LONG, Store, artifact, model, new_job, new_model, worker};
use crate::metadata::{MAX_UNFINISHED_JOBS, StoreError};
use crate::records::{
    IdempotentRequest, IdempotentResult, JobOutcome, JobStatus, ModelCreation, ModelRecord, NewJob, NewModel,
    NewTrajectoryLog,
};

fn request(key: &str, what: u8) -> Option<IdempotentRequest> {
    Some(IdempotentRequest { key: key.to_owned(), sha256: [what; 32] })
}

fn job_request(model: &ModelRecord, key: &str, what: u8) -> NewJob {
    NewJob { request: request(key, what), ..new_job(model) }
}

fn model_request(name: &str, key: &str, what: u8) -> NewModel {
    NewModel { request: request(key, what), ..new_model("acme", "project", name) }
}

async fn recorded(store: &Store, entity: &str, key: &str, what: u8) -> Option<IdempotentResult> {
    store.find_idempotent_result(entity, &request(key, what).unwrap()).await.unwrap()
}

pub(crate) async fn a_repeated_request_makes_one_job(store: Store) {
    let model = model(&store, "acme", "agent").await;
    assert_eq!(recorded(&store, "acme", "once", 1).await, None);
    let first = store.create_job(job_request(&model, "once", 1)).await.unwrap();
    assert_eq!(recorded(&store, "acme", "once", 1).await, Some(IdempotentResult::Job(first.id)));
    assert_eq!(store.create_job(job_request(&model, "once", 1)).await.unwrap(), first);
    // Also when the job has gone on since.
    let claimed = store.claim_next(&worker("worker"), LONG).await.unwrap().unwrap();
    assert_eq!(store.create_job(job_request(&model, "once", 1)).await.unwrap(), claimed.job);
    store.finish_job(&claimed.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    let ended = store.create_job(job_request(&model, "once", 1)).await.unwrap();
    assert_eq!((ended.id, ended.status), (first.id, JobStatus::Succeeded));
    assert_eq!(store.claim_next(&worker("worker"), LONG).await.unwrap(), None, "nothing was queued again");
    // Another key, or none, is another request.
    let second = store.create_job(job_request(&model, "twice", 1)).await.unwrap();
    let third = store.create_job(new_job(&model)).await.unwrap();
    assert!(first.id != second.id && second.id != third.id);
}

pub(crate) async fn parallel_repetitions_make_one_job(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (store, job) = (store.clone(), job_request(&model, "once", 1));
        tasks.spawn(async move { store.create_job(job).await.unwrap().id });
    }
    let ids = tasks.join_all().await;
    assert!(ids.iter().all(|id| *id == ids[0]));
    assert_eq!(store.queue_depth().await.unwrap().queued, 1);
}

pub(crate) async fn a_key_names_one_request(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let first = store.create_job(job_request(&model, "once", 1)).await.unwrap();
    let rejections = [
        store.create_job(job_request(&model, "once", 2)).await.map(drop),
        store.create_model(model_request("other", "once", 3)).await.map(drop),
        store.find_idempotent_result("acme", &request("once", 2).unwrap()).await.map(drop),
    ];
    for rejected in rejections {
        assert!(matches!(&rejected, Err(StoreError::KeyReused(key)) if key == "once"), "{rejected:?}");
    }
    assert_eq!(store.queue_depth().await.unwrap().queued, 1);
    assert_eq!(store.list_models("acme").await.unwrap().len(), 1);
    assert_eq!(recorded(&store, "acme", "once", 1).await, Some(IdempotentResult::Job(first.id)));
    // To another entity it says nothing.
    assert_eq!(recorded(&store, "rival", "once", 2).await, None);
    let theirs = self::model(&store, "rival", "agent").await;
    assert_ne!(store.create_job(job_request(&theirs, "once", 2)).await.unwrap().id, first.id);
}

pub(crate) async fn a_repeated_request_makes_one_model(store: Store) {
    let ModelCreation::Created(agent) = store.create_model(model_request("agent", "first", 1)).await.unwrap() else {
        panic!("it is new")
    };
    // The result of a repetition is the first one's, not that the name is taken.
    let again = store.create_model(model_request("agent", "first", 1)).await.unwrap();
    assert_eq!(again, ModelCreation::Created(agent.clone()));
    assert_eq!(recorded(&store, "acme", "first", 1).await, Some(IdempotentResult::CreatedModel(agent.id)));
    let taken = store.create_model(model_request("agent", "second", 2)).await.unwrap();
    assert_eq!(taken, ModelCreation::Existing(agent.clone()));
    assert_eq!(store.create_model(model_request("agent", "second", 2)).await.unwrap(), taken);
    assert_eq!(recorded(&store, "acme", "second", 2).await, Some(IdempotentResult::ExistingModel(agent.id)));
    // A model that is gone is not made anew by a late repetition.
    store.delete_model("acme", agent.id).await.unwrap();
    let late = store.create_model(model_request("agent", "first", 1)).await;
    assert!(matches!(late, Err(StoreError::NotFound("model"))), "{late:?}");
    assert_eq!(store.list_models("acme").await.unwrap(), []);
}

pub(crate) async fn a_rejected_request_is_not_recorded(store: Store) {
    let agent = model(&store, "acme", "agent").await;
    let mut nowhere = job_request(&agent, "once", 1);
    nowhere.model_id = Uuid::now_v7();
    assert!(matches!(store.create_job(nowhere).await, Err(StoreError::NotFound("model"))));
    assert_eq!(recorded(&store, "acme", "once", 1).await, None);
    for _ in 0..MAX_UNFINISHED_JOBS {
        store.create_job(new_job(&agent)).await.unwrap();
    }
    let rejected = store.create_job(job_request(&agent, "once", 1)).await;
    assert!(matches!(rejected, Err(StoreError::TooManyJobs { .. })), "{rejected:?}");
    // When there is room, the same request is done.
    let lease = store.claim_next(&worker("worker"), LONG).await.unwrap().unwrap().lease;
    store.finish_job(&lease, JobOutcome::Succeeded, None, None).await.unwrap();
    let job = store.create_job(job_request(&agent, "once", 1)).await.unwrap();
    assert_eq!(recorded(&store, "acme", "once", 1).await, Some(IdempotentResult::Job(job.id)));
}

pub(crate) async fn a_repeated_request_keeps_one_log(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let log = |what: u8| NewTrajectoryLog {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        model_id: model.id,
        split: "val".to_owned(),
        artifact: artifact("log"),
        groups: 2,
        request: request("once", what),
    };
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (store, log) = (store.clone(), log(1));
        tasks.spawn(async move { store.add_trajectory_log(log).await.unwrap() });
    }
    let logs = tasks.join_all().await;
    assert!(logs.iter().all(|log| *log == logs[0]));
    assert_eq!(recorded(&store, "acme", "once", 1).await, Some(IdempotentResult::TrajectoryLog(logs[0].id)));
    assert!(matches!(store.add_trajectory_log(log(2)).await, Err(StoreError::KeyReused(_))));
    store.delete_model("acme", model.id).await.unwrap();
    assert!(matches!(store.add_trajectory_log(log(1)).await, Err(StoreError::NotFound("model"))));
}
