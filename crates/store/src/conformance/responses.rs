//! Rules of stored responses.

use std::time::Duration;

use uuid::Uuid;

use super::{LONG, Store};
use crate::metadata::{OptionalExtension, StoreError};
use crate::records::{NewResponse, Order, PageRequest, ResponseItem, ResponseOutcome, ResponseState, StoredKind};

const KIND: StoredKind = StoredKind::Response;

/// Room of an entity in these tests, bytes.
const ROOM: i64 = 1 << 20;

fn item(id: &str, is_output: bool, text: &str) -> ResponseItem {
    ResponseItem { id: id.to_owned(), is_output, json: format!("{{\"text\":{text:?}}}") }
}

fn response(entity: &str, items: Vec<ResponseItem>) -> NewResponse {
    let outcome = ResponseOutcome {
        state: ResponseState::Completed,
        object: "{\"model\":\"m\"}".to_owned(),
        items,
        events: None,
    };
    NewResponse {
        id: Uuid::now_v7(),
        kind: KIND,
        entity: entity.to_owned(),
        previous: None,
        outcome,
        life: LONG,
        room: ROOM,
        lease: None,
    }
}

fn running(lease: Duration) -> NewResponse {
    let mut running = response("acme", vec![item("msg_in", false, "question")]);
    running.outcome.state = ResponseState::InProgress;
    NewResponse { lease: Some(lease), ..running }
}

fn ended() -> ResponseOutcome {
    let items = vec![item("msg_out", true, "answer")];
    ResponseOutcome { items, events: Some("[1]".to_owned()), ..response("acme", Vec::new()).outcome }
}

async fn exists(store: &Store, id: Uuid) -> bool {
    store.get_response("acme", KIND, id).await.optional().unwrap().is_some()
}

pub(crate) async fn a_response_reads_back_and_is_deleted(store: Store) {
    let items = vec![item("msg_1", false, "Zürich \u{0}"), item("msg_2", true, "answer")];
    let new = response("acme", items.clone());
    store.store_response(new.clone()).await.unwrap();
    let read = store.get_response("acme", KIND, new.id).await.unwrap();
    assert_eq!((read.id, read.state, read.previous), (new.id, ResponseState::Completed, None));
    assert_eq!((read.object, read.items, read.events), (new.outcome.object, items, None));
    assert!(!read.is_background && !read.is_lost);
    assert!(!store.cancel_response("acme", new.id).await.unwrap(), "it is not in progress");
    store.delete_response("acme", KIND, new.id).await.unwrap();
    assert!(!exists(&store, new.id).await);
    assert_eq!(store.find_response_items("acme", &["msg_1".to_owned()]).await.unwrap(), []);
    assert!(matches!(store.delete_response("acme", KIND, new.id).await, Err(StoreError::NotFound("response"))));
}

pub(crate) async fn a_conversation_is_read_from_its_beginning(store: Store) {
    let mut previous = None;
    let mut chain = Vec::new();
    for turn in 0..4 {
        let items = vec![item(&format!("q{turn}"), false, "?"), item(&format!("a{turn}"), true, "!")];
        let new = NewResponse { previous, ..response("acme", items) };
        store.store_response(new.clone()).await.unwrap();
        previous = Some(new.id);
        chain.push(new.id);
    }
    let read = store.stored_conversation("acme", chain[3]).await.unwrap();
    let ids: Vec<&str> = read.items.iter().map(|item| &*item.id).collect();
    assert_eq!(ids, ["q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3"]);
    assert_eq!((read.missing, read.state), (None, ResponseState::Completed));
    // A conversation may have several continuations.
    let branch = store.stored_conversation("acme", chain[1]).await.unwrap();
    assert_eq!(branch.items, read.items[..4]);
    store.delete_response("acme", KIND, chain[1]).await.unwrap();
    assert_eq!(store.stored_conversation("acme", chain[3]).await.unwrap().missing, Some(chain[1]));
    assert!(matches!(store.stored_conversation("acme", chain[1]).await, Err(StoreError::NotFound("response"))));
}

pub(crate) async fn responses_of_another_entity_do_not_exist(store: Store) {
    let ours = response("acme", vec![item("msg_1", true, "secret")]);
    let theirs = NewResponse { previous: Some(ours.id), ..response("rival", vec![item("msg_2", true, "other")]) };
    for new in [&ours, &theirs] {
        store.store_response(new.clone()).await.unwrap();
    }
    assert!(matches!(store.get_response("rival", KIND, ours.id).await, Err(StoreError::NotFound(_))));
    assert!(matches!(store.stored_conversation("rival", ours.id).await, Err(StoreError::NotFound(_))));
    assert!(matches!(store.delete_response("rival", KIND, ours.id).await, Err(StoreError::NotFound(_))));
    assert_eq!(store.find_response_items("rival", &["msg_1".to_owned()]).await.unwrap(), []);
    let continued = store.stored_conversation("rival", theirs.id).await.unwrap();
    assert_eq!((continued.items.len(), continued.missing), (1, Some(ours.id)), "a foreign id continues nothing");
    assert!(exists(&store, ours.id).await);
}

pub(crate) async fn expired_responses_do_not_exist(store: Store) {
    let short = |entity: &str| NewResponse { life: Duration::ZERO, ..response(entity, vec![item("msg_1", true, "x")]) };
    let (first, other) = (short("acme"), short("rival"));
    store.store_response(first.clone()).await.unwrap();
    store.store_response(other.clone()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(!exists(&store, first.id).await);
    assert_eq!(store.find_response_items("acme", &["msg_1".to_owned()]).await.unwrap(), []);
    assert!(matches!(store.delete_response("acme", KIND, first.id).await, Err(StoreError::NotFound(_))));
    // Their rows are gone: the same ids are free.
    store.store_response(NewResponse { life: LONG, ..response("acme", Vec::new()) }).await.unwrap();
    store.store_response(NewResponse { life: LONG, ..first.clone() }).await.unwrap();
    assert!(exists(&store, first.id).await);
    store.expire_responses().await.unwrap();
    store.store_response(NewResponse { life: LONG, ..other }).await.unwrap();
    assert!(exists(&store, first.id).await);
}

pub(crate) async fn the_oldest_responses_make_room(store: Store) {
    let large = |life: u64| {
        let mut large = response("acme", Vec::new());
        large.outcome.object = "x".repeat(ROOM as usize / 64);
        NewResponse { life: Duration::from_secs(life), ..large }
    };
    let mut ids = Vec::new();
    for number in 0..70 {
        let new = large(1000 + number);
        store.store_response(new.clone()).await.unwrap();
        ids.push(new.id);
    }
    assert!(!exists(&store, ids[0]).await && exists(&store, ids[69]).await);
    let mut kept = 0;
    for id in &ids {
        kept += usize::from(exists(&store, *id).await);
    }
    assert!((48..=64).contains(&kept), "{kept}");
    // Another entity has room of its own, and deletions make room.
    store.store_response(response("rival", Vec::new())).await.unwrap();
    store.delete_response("acme", KIND, ids[69]).await.unwrap();
    store.store_response(large(2000)).await.unwrap();
    assert!(exists(&store, ids[68]).await);
}

pub(crate) async fn items_are_found_by_id(store: Store) {
    let sampled = response("acme", vec![item("msg_1", true, "sampled")]);
    store.store_response(sampled).await.unwrap();
    store
        .store_response(response("acme", vec![item("msg_1", false, "sent"), item("fc_1", true, "call")]))
        .await
        .unwrap();
    let ids = ["fc_1", "msg_1", "absent", "\u{0}"].map(str::to_owned);
    let found = store.find_response_items("acme", &ids).await.unwrap();
    assert_eq!(found, [item("fc_1", true, "call"), item("msg_1", true, "sampled")], "what was sampled comes first");
}

pub(crate) async fn a_response_in_the_background_ends_once(store: Store) {
    let new = running(LONG);
    store.store_response(new.clone()).await.unwrap();
    let read = store.get_response("acme", KIND, new.id).await.unwrap();
    assert_eq!((read.state, read.is_background, read.is_lost), (ResponseState::InProgress, true, false));
    assert!(store.renew_response(new.id, LONG).await.unwrap());
    assert!(store.finish_response("acme", new.id, ended()).await.unwrap());
    let read = store.get_response("acme", KIND, new.id).await.unwrap();
    assert_eq!((read.state, read.events.as_deref()), (ResponseState::Completed, Some("[1]")));
    assert_eq!(read.items, [item("msg_in", false, "question"), item("msg_out", true, "answer")]);
    // It has ended.
    assert!(!store.renew_response(new.id, LONG).await.unwrap());
    assert!(!store.cancel_response("acme", new.id).await.unwrap());
    assert!(!store.finish_response("acme", new.id, ended()).await.unwrap());
    assert_eq!(store.get_response("acme", KIND, new.id).await.unwrap().items.len(), 2);

    let cancelled = running(LONG);
    store.store_response(cancelled.clone()).await.unwrap();
    assert!(!store.cancel_response("rival", cancelled.id).await.unwrap());
    assert!(store.cancel_response("acme", cancelled.id).await.unwrap());
    assert!(!store.finish_response("acme", cancelled.id, ended()).await.unwrap());
    assert_eq!(store.get_response("acme", KIND, cancelled.id).await.unwrap().state, ResponseState::Cancelled);

    let deleted = running(LONG);
    store.store_response(deleted.clone()).await.unwrap();
    store.delete_response("acme", KIND, deleted.id).await.unwrap();
    assert!(!store.renew_response(deleted.id, LONG).await.unwrap());
    assert!(!store.finish_response("acme", deleted.id, ended()).await.unwrap());
}

pub(crate) async fn a_response_whose_process_is_gone_has_failed(store: Store) {
    let new = running(Duration::from_millis(1));
    store.store_response(new.clone()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(10)).await;
    let read = store.get_response("acme", KIND, new.id).await.unwrap();
    assert_eq!((read.state, read.is_lost), (ResponseState::Failed, true));
    assert_eq!(store.stored_conversation("acme", new.id).await.unwrap().state, ResponseState::Failed);
    // Its process comes too late.
    assert!(!store.renew_response(new.id, LONG).await.unwrap());
    assert!(!store.finish_response("acme", new.id, ended()).await.unwrap());
    assert!(store.get_response("acme", KIND, new.id).await.unwrap().is_lost);
}

pub(crate) async fn items_are_kept_in_their_order(store: Store) {
    let items: Vec<ResponseItem> = (0..1234).map(|number| item("same", number % 2 == 1, &number.to_string())).collect();
    let new = response("acme", items.clone());
    store.store_response(new.clone()).await.unwrap();
    assert_eq!(store.get_response("acme", KIND, new.id).await.unwrap().items, items);
}

fn chat(entity: &str, items: Vec<ResponseItem>) -> NewResponse {
    NewResponse { kind: StoredKind::ChatCompletion, ..response(entity, items) }
}

pub(crate) async fn chat_completions_are_no_responses(store: Store) {
    let kind = StoredKind::ChatCompletion;
    let new = chat("acme", vec![item("question", false, "?"), item("choice", true, "!")]);
    store.store_response(new.clone()).await.unwrap();
    let read = store.get_response("acme", kind, new.id).await.unwrap();
    assert_eq!(read.items, new.outcome.items);
    assert!(!exists(&store, new.id).await);
    let lost = store.get_response("rival", kind, new.id).await;
    assert!(matches!(lost, Err(StoreError::NotFound("chat completion"))), "{lost:?}");
    // A response neither continues it nor refers to its parts.
    let continued = NewResponse { previous: Some(new.id), ..response("acme", Vec::new()) };
    store.store_response(continued.clone()).await.unwrap();
    assert!(matches!(store.stored_conversation("acme", new.id).await, Err(StoreError::NotFound(_))));
    assert_eq!(store.stored_conversation("acme", continued.id).await.unwrap().missing, Some(new.id));
    assert_eq!(store.find_response_items("acme", &["choice".to_owned()]).await.unwrap(), []);
    assert!(matches!(store.delete_response("acme", KIND, new.id).await, Err(StoreError::NotFound("response"))));
    assert!(matches!(store.delete_response("rival", kind, new.id).await, Err(StoreError::NotFound(_))));
    store.delete_response("acme", kind, new.id).await.unwrap();
    assert!(matches!(store.get_response("acme", kind, new.id).await, Err(StoreError::NotFound(_))));
}

pub(crate) async fn what_is_stored_is_listed_by_age(store: Store) {
    let mut ids = Vec::new();
    for new in [chat("acme", Vec::new()), chat("acme", vec![item("a", true, "x")]), chat("acme", Vec::new())] {
        store.store_response(new.clone()).await.unwrap();
        ids.push(new.id);
    }
    for other in [response("acme", Vec::new()), chat("rival", Vec::new())] {
        store.store_response(other).await.unwrap();
    }
    store.store_response(NewResponse { life: Duration::ZERO, ..chat("acme", Vec::new()) }).await.unwrap();
    tokio::time::sleep(Duration::from_millis(5)).await;
    let list = async |after, limit, order| {
        let page =
            store.list_responses("acme", StoredKind::ChatCompletion, PageRequest { after, limit, order }).await?;
        Ok::<_, StoreError>((page.items.iter().map(|record| record.id).collect::<Vec<_>>(), page.has_more))
    };
    assert_eq!(list(None, 3, Order::Ascending).await.unwrap(), (ids.clone(), false));
    assert_eq!(list(None, 2, Order::Descending).await.unwrap(), (vec![ids[2], ids[1]], true));
    assert_eq!(list(Some(ids[1]), 2, Order::Descending).await.unwrap(), (vec![ids[0]], false));
    assert_eq!(list(Some(ids[0]), 1, Order::Ascending).await.unwrap(), (vec![ids[1]], true));
    let absent = Uuid::now_v7();
    let failed = list(Some(absent), 1, Order::Ascending).await;
    assert!(matches!(failed, Err(StoreError::InvalidCursor(cursor)) if cursor == absent), "{failed:?}");
}

pub(crate) async fn a_replaced_object_counts_with_its_bytes(store: Store) {
    let kind = StoredKind::ChatCompletion;
    let new = chat("acme", Vec::new());
    store.store_response(new.clone()).await.unwrap();
    let larger = "é".repeat(ROOM as usize / 3);
    store.replace_response_object("acme", kind, new.id, &larger).await.unwrap();
    assert_eq!(store.get_response("acme", kind, new.id).await.unwrap().object, larger);
    for (entity, kind) in [("rival", kind), ("acme", KIND)] {
        let failed = store.replace_response_object(entity, kind, new.id, "{}").await;
        assert!(matches!(failed, Err(StoreError::NotFound(_))), "{failed:?}");
    }
    // Two thirds of the room are taken, so another such object takes its place.
    let mut next = chat("acme", Vec::new());
    next.outcome.object = larger;
    store.store_response(next.clone()).await.unwrap();
    assert!(store.get_response("acme", kind, new.id).await.optional().unwrap().is_none());
    assert!(store.get_response("acme", kind, next.id).await.is_ok());
}
