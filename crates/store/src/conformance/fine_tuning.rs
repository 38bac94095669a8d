//! Rules of jobs that are created with their model.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{LONG, Store, copy_of, new_job, new_model, trained, worker};
use crate::metadata::{MAX_UNFINISHED_JOBS, StoreError};
use crate::records::{
    FineTuning, FirstModel, IdempotentRequest, IdempotentResult, JobRecord, ModelRecord, NewJob, NewModel,
};

/// A model of a name with its job, from a step of another model if one is named.
fn first(name: &str, from: Option<(&ModelRecord, i64)>) -> (FirstModel, NewJob) {
    let model = new_model("acme", "project", name);
    let NewModel { id, base_model, method, .. } = model.clone();
    let record = ModelRecord {
        id,
        entity: "acme".to_owned(),
        project: "project".to_owned(),
        name: name.to_owned(),
        base_model,
        method,
        run_id: None,
        last_step: 0,
        latest_step: Some(0),
        created_at: 0,
    };
    let copy = from.map(|(from, step)| copy_of("acme", id, from.id, step));
    (FirstModel { model, copy }, new_job(&record))
}

async fn models(store: &Store) -> usize {
    store.list_models("acme").await.unwrap().len()
}

pub(crate) async fn a_model_is_made_with_its_first_job(store: Store) {
    let (model, job) = first("new", None);
    let fine_tuning = FineTuning {
        model: "trainyard/seedling".to_owned(),
        suffix: Some("☃".to_owned()),
        seed: Some(-1),
        metadata: Some(BTreeMap::from([("team".to_owned(), "a \0 b".to_owned())])),
    };
    let job = NewJob { fine_tuning: Some(fine_tuning.clone()), ..job };
    let made = store.create_model_with_job(model, job.clone()).await.unwrap();
    assert_eq!((made.id, made.model_id, &made.fine_tuning), (job.id, job.model_id, &Some(fine_tuning)));
    assert_eq!(store.get_job("acme", made.id).await.unwrap(), made);
    let model = store.get_model("acme", made.model_id).await.unwrap();
    assert_eq!((&*model.name, model.last_step), ("new", 0));
    let claimed = store.claim_next(&worker("worker"), LONG).await.unwrap().expect("it waits");
    assert_eq!(claimed.job.id, made.id);

    let teacher = trained(&store, "acme", "teacher", 2).await;
    let (model, job) = first("pupil", Some((&teacher, 1)));
    let made = store.create_model_with_job(model, job).await.unwrap();
    let copied = store.newest_checkpoint("acme", made.model_id).await.unwrap().expect("a checkpoint");
    let source = store.checkpoint_at_step("acme", teacher.id, 1).await.unwrap();
    assert_eq!((copied.step, &copied.adapter), (1, &source.adapter));
    let last = store.get_model("acme", teacher.id).await.unwrap().last_step;
    assert_eq!(last, 2, "what it begins from stays as it was");
}

pub(crate) async fn a_rejected_job_leaves_no_model(store: Store) {
    let teacher = trained(&store, "acme", "teacher", 1).await;
    let (model, job) = first("teacher", None);
    let taken = store.create_model_with_job(model, job).await;
    assert!(matches!(taken, Err(StoreError::Conflict(_))), "{taken:?}");
    let (model, job) = first("pupil", Some((&teacher, 7)));
    let gone = store.create_model_with_job(model, job).await;
    assert!(matches!(gone, Err(StoreError::NotFound("checkpoint"))), "{gone:?}");
    for _ in 0..MAX_UNFINISHED_JOBS {
        store.create_job(new_job(&teacher)).await.unwrap();
    }
    let (model, job) = first("pupil", Some((&teacher, 1)));
    let full = store.create_model_with_job(model, job).await;
    assert!(matches!(full, Err(StoreError::TooManyJobs { .. })), "{full:?}");
    assert_eq!(models(&store).await, 1);
}

pub(crate) async fn a_repeated_request_makes_one_model_with_one_job(store: Store) {
    let teacher = trained(&store, "acme", "teacher", 1).await;
    let request = |what: u8| Some(IdempotentRequest { key: "once".to_owned(), sha256: [what; 32] });
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..20 {
        let (model, job) = first(&format!("pupil {number}"), Some((&teacher, 1)));
        let (store, job) = (store.clone(), NewJob { request: request(1), ..job });
        tasks.spawn(async move { store.create_model_with_job(model, job).await.unwrap() });
    }
    let jobs: Vec<JobRecord> = tasks.join_all().await;
    let ids: Vec<Uuid> = jobs.iter().map(|job| job.id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!((models(&store).await, store.queue_depth().await.unwrap().queued), (2, 1));
    let found = store.find_idempotent_result("acme", &request(1).unwrap()).await.unwrap();
    assert_eq!(found, Some(IdempotentResult::Job(ids[0])));
    let (model, job) = first("other", None);
    let reused = store.create_model_with_job(model, NewJob { request: request(2), ..job }).await;
    assert!(matches!(reused, Err(StoreError::KeyReused(_))), "{reused:?}");
    assert_eq!(models(&store).await, 2);
}
