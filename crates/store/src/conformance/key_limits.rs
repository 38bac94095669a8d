//! Rules of what a key may do.

use uuid::Uuid;

use super::others::{key, usage};
use super::{Store, artifact, claim, model, new_event, new_job};
use crate::metadata::StoreError;
use crate::records::{FilePurpose, IdempotentRequest, JobOutcome, KeyLimits, NewFile, NewJob, UsageCount};

pub(crate) async fn limits_of_a_key_read_back_and_change(store: Store) {
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "acme", 2).await);
    assert_eq!(one.limits, KeyLimits::default());
    let limits =
        KeyLimits { streams: Some(0), tokens_per_month: Some(u64::from(u32::MAX) * 7), ..KeyLimits::default() };
    let limited = store.set_key_limits(one.id, limits).await.unwrap();
    assert_eq!((limited.limits, limited.name), (limits, one.name));
    assert_eq!(store.find_key_by_hash(&[1; 32]).await.unwrap().unwrap().limits, limits);
    assert_eq!(store.get_key(two.id).await.unwrap(), two, "of each key its own");
    assert_eq!(store.set_key_limits(one.id, KeyLimits::default()).await.unwrap().limits, KeyLimits::default());
    let unknown = store.set_key_limits(Uuid::now_v7(), limits).await;
    assert!(matches!(unknown, Err(StoreError::NotFound("key"))));
}

pub(crate) async fn ends_of_sessions_are_counted(store: Store) {
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "acme", 2).await);
    assert_eq!(one.session_ends, 0);
    assert_eq!(store.end_sessions(one.id).await.unwrap().session_ends, 1);
    assert_eq!(store.end_sessions(one.id).await.unwrap().session_ends, 2);
    assert_eq!(store.get_key(one.id).await.unwrap().session_ends, 2);
    assert_eq!(store.get_key(two.id).await.unwrap(), two, "of each key its own");
    assert!(matches!(store.end_sessions(Uuid::now_v7()).await, Err(StoreError::NotFound("key"))));
}

pub(crate) async fn unfinished_jobs_of_a_key_are_limited(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "acme", 2).await);
    let wanted = |key: Uuid| NewJob { key_id: Some(key), max_unfinished_jobs: Some(2), ..new_job(&model) };
    let request = Some(IdempotentRequest { key: "once".to_owned(), sha256: [1; 32] });
    let repeated = NewJob { request, ..wanted(one.id) };
    let first = store.create_job(repeated.clone()).await.unwrap();
    store.create_job(wanted(one.id)).await.unwrap();
    let rejected = store.create_job(wanted(one.id)).await;
    assert!(matches!(rejected, Err(StoreError::TooManyJobsOfKey { limit: 2 })), "{rejected:?}");
    // What was done before is no new job, and another key has its own.
    assert_eq!(store.create_job(NewJob { id: Uuid::now_v7(), ..repeated }).await.unwrap().id, first.id);
    store.create_job(wanted(two.id)).await.unwrap();
    store.create_job(new_job(&model)).await.unwrap();
    for (key, entity, jobs) in [(one.id, "acme", 2), (two.id, "acme", 1), (one.id, "rival", 0)] {
        assert_eq!(store.unfinished_jobs_of_key(entity, key).await.unwrap(), jobs);
    }
    let ended = claim(&store).await;
    store.finish_job(&ended.lease, JobOutcome::Succeeded, None, Some(new_event("training_ended", "{}"))).await.unwrap();
    store.create_job(wanted(one.id)).await.unwrap();
}

pub(crate) async fn bytes_of_the_files_of_a_key_are_limited(store: Store) {
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "acme", 2).await);
    let file = |key_id: Uuid, bytes: i64| NewFile {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        name: "rows.jsonl".to_owned(),
        purpose: FilePurpose::FineTune,
        bytes,
        artifact: artifact("rows"),
        life: None,
        key_id: Some(key_id),
        max_stored_bytes: Some(10),
        request: None,
    };
    let first = store.create_file(file(one.id, 6)).await.unwrap();
    let rejected = store.create_file(file(one.id, 5)).await;
    assert!(matches!(rejected, Err(StoreError::TooManyBytes { limit: 10, stored: 6 })), "{rejected:?}");
    store.create_file(file(one.id, 4)).await.unwrap();
    store.create_file(file(two.id, 10)).await.unwrap();
    assert_eq!(store.stored_bytes(one.id).await.unwrap(), 10);
    store.delete_file("acme", first.id).await.unwrap();
    assert_eq!(store.stored_bytes(one.id).await.unwrap(), 4);
    // At once too.
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, file) = (store.clone(), file(one.id, 3));
        tasks.spawn(async move { store.create_file(file).await.is_ok() });
    }
    assert_eq!(tasks.join_all().await.into_iter().filter(|kept| *kept).count(), 2);
}

pub(crate) async fn usage_of_a_key_is_summed_from_a_day_on(store: Store) {
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "acme", 2).await);
    let count = UsageCount { requests: 1, prompt_tokens: 10, completion_tokens: 5, trained_tokens: 2 };
    for usage in [usage(&one, "p", "m"), usage(&one, "q", "n"), usage(&two, "p", "m")] {
        store.add_usage(usage, count).await.unwrap();
    }
    assert_eq!(store.used_tokens("acme", one.id, 0).await.unwrap(), 34);
    assert_eq!(store.used_tokens("acme", one.id, 1_000_000).await.unwrap(), 0);
    assert_eq!(store.used_tokens("rival", one.id, 0).await.unwrap(), 0);
}
