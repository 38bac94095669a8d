//! Rules of batches and of files that expire.

use std::collections::BTreeMap;
use std::time::Duration;

use uuid::Uuid;

use super::files::new_file;
use super::{LONG, Store, artifact, page};
use crate::metadata::{MAX_UNFINISHED_BATCHES, StoreError};
use crate::records::{
    ArtifactHolder, BatchEnd, BatchFault, BatchLine, BatchRecord, BatchStatus, BatchUsage, ClaimedBatch, FilePurpose,
    IdempotentRequest, NewBatch, NewFile, Order,
};

fn new_batch(entity: &str, file: Uuid) -> NewBatch {
    NewBatch {
        id: Uuid::now_v7(),
        entity: entity.to_owned(),
        key_id: Uuid::now_v7(),
        project: "p".to_owned(),
        endpoint: "/v1/completions".to_owned(),
        input_file: file,
        total: None,
        metadata: Some(BTreeMap::from([("run".to_owned(), "1".to_owned())])),
        output_life: Some(9000),
        window: 60_000,
        request: None,
    }
}

async fn batch(store: &Store, entity: &str) -> BatchRecord {
    let file = store.create_file(new_file(entity, "requests", FilePurpose::Batch)).await.unwrap();
    store.create_batch(new_batch(entity, file.id)).await.unwrap()
}

async fn claim(store: &Store) -> ClaimedBatch {
    store.claim_batch("server", LONG / 60).await.unwrap().unwrap()
}

fn line(number: i64, is_failed: bool) -> BatchLine {
    BatchLine { line: number, is_failed, text: format!("{{\"line\": {number}}}") }
}

fn is_lost<T: std::fmt::Debug>(outcome: Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::LeaseLost(_)))
}

pub(crate) async fn a_batch_reads_back_and_belongs_to_its_entity(store: Store) {
    let made = batch(&store, "acme").await;
    assert_eq!((made.status, made.total, &*made.endpoint), (BatchStatus::Validating, None, "/v1/completions"));
    assert_eq!((made.expires_at - made.created_at, made.metadata.as_ref().unwrap()["run"].as_str()), (60_000, "1"));
    assert_eq!(store.get_batch("acme", made.id).await.unwrap(), made);
    let rival = batch(&store, "rival").await;
    for rejected in [store.get_batch("rival", made.id).await, store.cancel_batch("rival", made.id).await] {
        assert!(matches!(rejected, Err(StoreError::NotFound("batch"))), "{rejected:?}");
    }
    let rejected = store.create_batch(new_batch("rival", made.input_file)).await;
    assert!(matches!(rejected, Err(StoreError::NotFound("file"))), "{rejected:?}");
    let second = batch(&store, "acme").await;
    let listed = store.list_batches("acme", page(None, 1, Order::Descending)).await.unwrap();
    assert_eq!((listed.items, listed.has_more), (vec![second.clone()], true));
    let listed = store.list_batches("acme", page(Some(second.id), 1, Order::Descending)).await.unwrap();
    assert_eq!((listed.items, listed.has_more), (vec![made.clone()], false));
    let cursor = store.list_batches("acme", page(Some(rival.id), 1, Order::Descending)).await;
    assert!(matches!(cursor, Err(StoreError::InvalidCursor(_))), "{cursor:?}");
    // The content of its file stays until it ends.
    assert_eq!(store.delete_file("acme", made.input_file).await.unwrap(), []);
    let held = store.artifact_references(None, 10).await.unwrap();
    assert!(held.iter().any(|held| matches!(held.holder, ArtifactHolder::File(_))), "{held:?}");
}

pub(crate) async fn a_repeated_request_makes_one_batch_and_the_unfinished_are_limited(store: Store) {
    let file = store.create_file(new_file("acme", "requests", FilePurpose::Batch)).await.unwrap();
    let request = Some(IdempotentRequest { key: "once".to_owned(), sha256: [1; 32] });
    let first = store.create_batch(NewBatch { request: request.clone(), ..new_batch("acme", file.id) }).await.unwrap();
    let again = store.create_batch(NewBatch { request, ..new_batch("acme", file.id) }).await.unwrap();
    assert_eq!(again.id, first.id);
    for _ in 1..MAX_UNFINISHED_BATCHES {
        store.create_batch(new_batch("acme", file.id)).await.unwrap();
    }
    let rejected = store.create_batch(new_batch("acme", file.id)).await;
    assert!(matches!(rejected, Err(StoreError::TooManyBatches { limit: 100 })), "{rejected:?}");
    batch(&store, "rival").await;
}

pub(crate) async fn a_line_is_recorded_once_under_the_lease(store: Store) {
    let made = batch(&store, "acme").await;
    let ClaimedBatch { batch, lease } = claim(&store).await;
    assert_eq!(batch, made);
    assert_eq!(store.claim_batch("another", LONG).await.unwrap(), None, "it is held");
    assert_eq!(store.start_batch(&lease, 3).await.unwrap(), BatchStatus::InProgress);
    let usage = BatchUsage { input: 4, cached: 3, output: 2, reasoning: 1 };
    assert!(store.record_batch_line(&lease, line(2, false), usage).await.unwrap());
    assert!(store.record_batch_line(&lease, line(1, true), BatchUsage::default()).await.unwrap());
    assert!(!store.record_batch_line(&lease, line(2, true), usage).await.unwrap(), "it has a response");
    store.release_batch(&lease).await.unwrap();
    assert!(is_lost(store.record_batch_line(&lease, line(3, false), usage).await));
    assert!(is_lost(store.renew_batch(&lease, LONG).await) && is_lost(store.release_batch(&lease).await));
    let ClaimedBatch { batch, lease: next } = claim(&store).await;
    assert_eq!((batch.total, batch.completed, batch.failed, batch.usage), (Some(3), 1, 1, usage));
    assert_eq!(store.recorded_batch_lines(&next).await.unwrap(), [1, 2]);
    assert!(is_lost(store.finalize_batch(&lease).await), "the older lease is fenced off");
    assert_eq!(store.renew_batch(&next, LONG / 60).await.unwrap(), BatchStatus::InProgress);
    assert!(store.record_batch_line(&next, line(3, false), usage).await.unwrap());
    assert_eq!(store.finalize_batch(&next).await.unwrap(), BatchStatus::Finalizing);
    let cancelled = store.cancel_batch("acme", made.id).await;
    assert!(matches!(cancelled, Err(StoreError::Conflict(_))), "its files are being made");
    assert_eq!(store.read_batch_lines(&next, false, 0, 10).await.unwrap(), [line(2, false), line(3, false)]);
    assert_eq!(store.read_batch_lines(&next, false, 2, 1).await.unwrap(), [line(3, false)]);
    let output = NewFile { life: made.output_life, ..new_file("acme", "output", FilePurpose::BatchOutput) };
    let failures = new_file("acme", "failures", FilePurpose::BatchOutput);
    let (output_id, failures_id) = (output.id, failures.id);
    let end =
        BatchEnd { status: BatchStatus::Completed, errors: Vec::new(), output: Some(output), failures: Some(failures) };
    let ended = store.end_batch(&next, end.clone()).await.unwrap();
    assert_eq!(
        (ended.status, ended.output_file, ended.error_file),
        (BatchStatus::Completed, Some(output_id), Some(failures_id))
    );
    assert_eq!((ended.completed, ended.failed, ended.ended_at.is_some()), (2, 1, true));
    assert!(is_lost(store.end_batch(&next, end).await), "it ended once");
    assert_eq!(store.recorded_batch_lines(&next).await.unwrap(), [] as [i64; 0]);
    let file = store.get_file("acme", output_id).await.unwrap();
    assert_eq!(file.expires_at, Some(file.created_at + 9000));
    assert_eq!(store.claim_batch("server", LONG).await.unwrap(), None);
    assert_eq!(store.get_batch("acme", made.id).await.unwrap(), ended);
}

pub(crate) async fn a_batch_goes_to_the_next_when_its_lease_ends(store: Store) {
    let made = batch(&store, "acme").await;
    let first = store.claim_batch("server", Duration::ZERO).await.unwrap().unwrap();
    let second = claim(&store).await;
    assert_eq!((second.batch.id, second.lease.token), (made.id, first.lease.token + 1));
    assert!(is_lost(store.start_batch(&first.lease, 1).await));
    // The owner of a process that is gone: this one is alone.
    store.expire_leases_of_other_owners("").await.unwrap();
    let third = claim(&store).await;
    assert!(is_lost(store.start_batch(&second.lease, 1).await));
    // A deadline far away is one of a clock that was set back.
    store.renew_batch(&third.lease, LONG).await.unwrap();
    assert_eq!(claim(&store).await.batch.id, made.id);
}

pub(crate) async fn batches_of_entities_take_turns(store: Store) {
    let (one, two) = (batch(&store, "acme").await, batch(&store, "acme").await);
    let other = batch(&store, "rival").await;
    let order = [claim(&store).await.batch.id, claim(&store).await.batch.id, claim(&store).await.batch.id];
    assert_eq!(order, [one.id, other.id, two.id]);
}

pub(crate) async fn a_batch_ends_as_its_owner_or_its_file_says(store: Store) {
    let made = batch(&store, "acme").await;
    let claimed = claim(&store).await;
    let cancelled = store.cancel_batch("acme", made.id).await.unwrap();
    assert_eq!((cancelled.status, cancelled.cancelling_at.is_some()), (BatchStatus::Cancelling, true));
    assert_eq!(store.cancel_batch("acme", made.id).await.unwrap(), cancelled);
    assert_eq!(store.start_batch(&claimed.lease, 5).await.unwrap(), BatchStatus::Cancelling);
    assert_eq!(store.finalize_batch(&claimed.lease).await.unwrap(), BatchStatus::Cancelling);
    let end = BatchEnd { status: BatchStatus::Cancelled, errors: Vec::new(), output: None, failures: None };
    assert_eq!(store.end_batch(&claimed.lease, end.clone()).await.unwrap().status, BatchStatus::Cancelled);
    assert_eq!(store.cancel_batch("acme", made.id).await.unwrap().status, BatchStatus::Cancelled);

    batch(&store, "acme").await;
    let claimed = claim(&store).await;
    let fault = BatchFault { code: "c".to_owned(), line: Some(3), message: "m".to_owned(), param: None };
    let end = BatchEnd { status: BatchStatus::Failed, errors: vec![fault.clone()], ..end };
    let failed = store.end_batch(&claimed.lease, end).await.unwrap();
    assert_eq!((failed.status, &*failed.errors, failed.failed), (BatchStatus::Failed, &[fault][..], 0));
    let rejected = store.cancel_batch("acme", failed.id).await;
    assert!(matches!(rejected, Err(StoreError::Conflict(_))), "{rejected:?}");
}

pub(crate) async fn a_batch_is_deleted_with_its_responses(store: Store) {
    let file = store.create_file(new_file("acme", "requests", FilePurpose::Batch)).await.unwrap();
    let made = store.create_batch(NewBatch { total: Some(3), ..new_batch("acme", file.id) }).await.unwrap();
    assert_eq!(made.total, Some(3));
    let rejected = store.delete_batch("acme", made.id).await;
    assert!(matches!(rejected, Err(StoreError::Conflict(_))), "{rejected:?}");
    let lease = claim(&store).await.lease;
    store.start_batch(&lease, 3).await.unwrap();
    assert!(store.record_batch_line(&lease, line(2, false), BatchUsage::default()).await.unwrap());
    let output = new_file("acme", "output", FilePurpose::BatchOutput);
    let end = BatchEnd {
        status: BatchStatus::Expired,
        errors: Vec::new(),
        output: Some(output.clone()),
        failures: Some(new_file("acme", "failures", FilePurpose::BatchOutput)),
    };
    let ended = store.end_batch(&lease, end).await.unwrap();
    assert_eq!(ended.unanswered(), 2);
    assert!(matches!(store.delete_batch("rival", made.id).await, Err(StoreError::NotFound("batch"))));
    let mut unreferenced = store.delete_batch("acme", made.id).await.unwrap();
    unreferenced.sort_by_key(ToString::to_string);
    let mut expected = vec![artifact("output"), artifact("failures")];
    expected.sort_by_key(ToString::to_string);
    assert_eq!(unreferenced, expected);
    assert!(matches!(store.get_batch("acme", made.id).await, Err(StoreError::NotFound("batch"))));
    assert!(matches!(store.get_file("acme", output.id).await, Err(StoreError::NotFound("file"))));
    assert_eq!(store.get_file("acme", file.id).await.unwrap(), file);
}

pub(crate) async fn an_expired_file_is_absent(store: Store) {
    let expiring =
        |name: &str, life: i64| NewFile { life: Some(life), ..new_file("acme", name, FilePurpose::UserData) };
    let stays = store.create_file(expiring("a", 60_000)).await.unwrap();
    assert_eq!(stays.expires_at, Some(stays.created_at + 60_000));
    let gone = store.create_file(expiring("b", 0)).await.unwrap();
    let found = store.get_file("acme", gone.id).await;
    assert!(matches!(found, Err(StoreError::NotFound("file"))), "{found:?}");
    assert!(store.find_file("acme", "b", None).await.is_err() && store.find_file("acme", "b", Some(0)).await.is_err());
    assert!(store.create_batch(new_batch("acme", gone.id)).await.is_err());
    assert_eq!(store.list_files("acme", None, page(None, 9, Order::Ascending)).await.unwrap().items, [stays]);
    assert_eq!(store.delete_expired_files(9).await.unwrap(), [artifact("b")]);
    assert_eq!(store.delete_expired_files(9).await.unwrap(), []);
}
