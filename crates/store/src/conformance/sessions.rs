//! Rules of recorded sessions.

use std::time::Duration;

use uuid::Uuid;

use super::Store;
use super::others::key;
use crate::metadata::StoreError;
use crate::records::{
    GenerationRecord, NewSession, Order, PageRequest, RecordedGeneration, SessionFilter, SessionLabels, SessionRecord,
    SessionReward,
};

const LONG: i64 = 3_600_000;

fn new_session(key_id: Uuid, number: u8, group: Option<&str>) -> NewSession {
    let labels = SessionLabels {
        model: "wandb-artifact:///acme/p/agent".to_owned(),
        name: Some("größer \u{1f682}".to_owned()),
        group: group.map(str::to_owned),
        tags: vec!["a".to_owned(), "b".to_owned()],
        metadata: serde_json::json!({"n": 1.5, "text": "\0"}).as_object().cloned().unwrap_or_default(),
    };
    let entity = "acme".to_owned();
    NewSession { id: Uuid::now_v7(), entity, key_id, sha256: [number; 32], labels, life: LONG, most: 10 }
}

fn generation(tokens: &str) -> RecordedGeneration {
    let generation = GenerationRecord {
        id: Uuid::now_v7(),
        number: 0,
        operation: "create_message".to_owned(),
        model: "wandb-artifact:///acme/p/agent".to_owned(),
        step: Some(3),
        is_whole: true,
        prompt_tokens: 7,
        completion_tokens: 2,
        request: r#"{"messages":[]}"#.to_owned(),
        choices: "[]".to_owned(),
        reward: None,
        started_at: 5,
        ended_at: 6,
    };
    RecordedGeneration { generation, tokens: tokens.to_owned() }
}

fn reward(reward: f64) -> SessionReward {
    let metrics =
        serde_json::json!({"turns": 2, "share": 0.30000000000000004}).as_object().cloned().unwrap_or_default();
    SessionReward { reward, metrics }
}

async fn opened(store: &Store, number: u8, group: Option<&str>) -> SessionRecord {
    let key = key(store, "acme", 100 + number).await;
    store.create_session(new_session(key.id, number, group)).await.unwrap()
}

fn is_missing<T>(result: Result<T, StoreError>, what: &str) -> bool {
    matches!(result, Err(StoreError::NotFound(missing)) if missing == what)
}

pub(crate) async fn a_session_is_found_by_its_key_and_its_owner(store: Store) {
    let key = key(&store, "acme", 1).await;
    let asked = new_session(key.id, 7, Some("g"));
    let session = store.create_session(asked.clone()).await.unwrap();
    assert_eq!((&session.labels, session.id, session.generations, session.bytes), (&asked.labels, asked.id, 0, 0));
    assert_eq!((session.expires_at - session.created_at, session.reward.clone()), (LONG, None));
    assert_eq!(store.get_session("acme", session.id).await.unwrap(), session);
    assert!(is_missing(store.get_session("rival", session.id).await, "session"));
    assert_eq!(store.find_session_by_key(&[7; 32]).await.unwrap(), Some((session.clone(), key.clone())));
    assert_eq!(store.find_session_by_key(&[8; 32]).await.unwrap(), None);
    let revoked = store.revoke_key(key.id).await.unwrap();
    assert_eq!(store.find_session_by_key(&[7; 32]).await.unwrap(), Some((session.clone(), revoked)));
    assert!(is_missing(store.delete_session("rival", session.id).await, "session"));
    store.delete_session("acme", session.id).await.unwrap();
    assert!(is_missing(store.delete_session("acme", session.id).await, "session"));
    assert_eq!(store.find_session_by_key(&[7; 32]).await.unwrap(), None);
}

pub(crate) async fn sessions_are_listed_by_group_and_model(store: Store) {
    let (one, two, three) =
        (opened(&store, 1, Some("a")).await, opened(&store, 2, None).await, opened(&store, 3, Some("a")).await);
    let list = async |entity: &str, filter: SessionFilter<'_>, after, limit| {
        let request = PageRequest { after, limit, order: Order::Ascending };
        let page = store.list_sessions(entity, filter, request).await.unwrap();
        (page.items.iter().map(|session| session.id).collect::<Vec<_>>(), page.has_more)
    };
    let all = SessionFilter::default();
    assert_eq!(list("acme", all, None, 2).await, (vec![one.id, two.id], true));
    assert_eq!(list("acme", all, Some(two.id), 2).await, (vec![three.id], false));
    let group = |group| SessionFilter { group: Some(group), model: None };
    assert_eq!(list("acme", group("a"), None, 9).await, (vec![one.id, three.id], false));
    assert_eq!(list("acme", group("\0"), None, 9).await, (vec![], false));
    let model = |model| SessionFilter { group: None, model: Some(model) };
    assert_eq!(list("acme", model("wandb-artifact:///acme/p/agent"), None, 9).await.0.len(), 3);
    assert_eq!(list("acme", model("other"), None, 9).await, (vec![], false));
    let key = key(&store, "acme", 9).await;
    let mut pinned = new_session(key.id, 9, None);
    pinned.labels.model += ":step2";
    let pinned = store.create_session(pinned).await.unwrap();
    for (name, expected) in [
        ("wandb-artifact:///acme/p/agent", vec![one.id, two.id, three.id, pinned.id]),
        ("wandb-artifact:///acme/p/agent:step2", vec![pinned.id]),
        ("wandb-artifact:///acme/p/agent:step", vec![]),
        ("wandb-artifact:///acme/p/age%", vec![]),
    ] {
        assert_eq!(list("acme", model(name), None, 9).await, (expected, false), "{name}");
    }
    assert_eq!(list("rival", all, None, 9).await, (vec![], false));
}

pub(crate) async fn generations_are_numbered_and_counted(store: Store) {
    let session = opened(&store, 1, None).await;
    let other = opened(&store, 2, None).await;
    let adding = (0..20).map(|number| {
        let store = store.clone();
        tokio::spawn(async move { store.add_generation(session.id, generation(&format!("[{number}]"))).await })
    });
    for added in adding.collect::<Vec<_>>() {
        added.await.unwrap().unwrap();
    }
    let listed = store.list_generations(session.id, 0, 100).await.unwrap();
    let numbers: Vec<i64> = listed.iter().map(|generation| generation.number).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    let first = store.next_generation(session.id, 0).await.unwrap().unwrap();
    assert_eq!((&first.generation, first.generation.step), (&listed[0], Some(3)));
    assert!(first.tokens.starts_with('['), "{}", first.tokens);
    assert_eq!(store.list_generations(session.id, 18, 100).await.unwrap(), listed[18..]);
    assert_eq!(store.list_generations(session.id, 0, 2).await.unwrap(), listed[..2]);
    assert_eq!(store.next_generation(session.id, 20).await.unwrap(), None);
    let counted = store.get_session("acme", session.id).await.unwrap();
    let bytes = (0..20).map(|number| generation(&format!("[{number}]")).bytes()).sum::<i64>();
    assert_eq!((counted.generations, counted.bytes), (20, bytes));
    store.add_generation(other.id, generation("[]")).await.unwrap();
    let total = bytes + generation("[]").bytes();
    assert_eq!(store.session_bytes("acme").await.unwrap(), total.unsigned_abs());
    assert_eq!(store.session_bytes("rival").await.unwrap(), 0);
    store.delete_session("acme", session.id).await.unwrap();
    assert_eq!(store.list_generations(session.id, 0, 100).await.unwrap(), []);
    assert!(is_missing(store.add_generation(session.id, generation("[]")).await, "session"));
}

pub(crate) async fn rewards_replace_each_other(store: Store) {
    let (session, other) = (opened(&store, 1, None).await, opened(&store, 2, None).await);
    let sampled = generation("[]");
    let id = sampled.generation.id;
    store.add_generation(session.id, sampled).await.unwrap();
    for number in [0.1 + 0.2, -1e300] {
        let rewarded = store.reward_session("acme", session.id, None, reward(number)).await.unwrap();
        assert_eq!(rewarded.reward, Some(reward(number)));
        assert_eq!(store.get_session("acme", session.id).await.unwrap(), rewarded);
        store.reward_session("acme", session.id, Some(id), reward(2.0 * number)).await.unwrap();
        let generations = store.list_generations(session.id, 0, 9).await.unwrap();
        assert_eq!(generations[0].reward, Some(reward(2.0 * number)));
    }
    assert!(is_missing(store.reward_session("rival", session.id, None, reward(1.0)).await, "session"));
    assert!(is_missing(store.reward_session("acme", other.id, Some(id), reward(1.0)).await, "generation"));
    assert_eq!(store.get_session("acme", other.id).await.unwrap().reward, None);
}

pub(crate) async fn an_expired_session_is_gone(store: Store) {
    let key = key(&store, "acme", 1).await;
    let short = NewSession { life: 1000, ..new_session(key.id, 7, Some("g")) };
    let (session, kept) = (store.create_session(short).await.unwrap(), opened(&store, 2, Some("g")).await);
    store.add_generation(session.id, generation("[]")).await.unwrap();
    assert_eq!(store.delete_expired_sessions().await.unwrap(), 0);
    let third = |number| NewSession { most: 2, ..new_session(key.id, number, None) };
    assert!(matches!(store.create_session(third(8)).await, Err(StoreError::TooManySessions(2))));
    assert_eq!(store.session_bytes("acme").await.unwrap(), generation("[]").bytes().unsigned_abs());
    tokio::time::sleep(Duration::from_millis(1100)).await;
    // Nothing of it counts before it is deleted.
    assert_eq!(store.session_bytes("acme").await.unwrap(), 0);
    let third = store.create_session(third(8)).await.unwrap();
    store.delete_session("acme", third.id).await.unwrap();
    assert!(is_missing(store.get_session("acme", session.id).await, "session"));
    assert_eq!(store.find_session_by_key(&[7; 32]).await.unwrap(), None);
    assert!(is_missing(store.add_generation(session.id, generation("[]")).await, "session"));
    assert!(is_missing(store.reward_session("acme", session.id, None, reward(1.0)).await, "session"));
    let all = PageRequest { after: None, limit: 9, order: Order::Descending };
    assert_eq!(
        store.list_sessions("acme", SessionFilter::default(), all).await.unwrap().items,
        std::slice::from_ref(&kept)
    );
    assert_eq!(store.delete_expired_sessions().await.unwrap(), 1);
    assert_eq!(store.delete_expired_sessions().await.unwrap(), 0);
    assert_eq!(store.list_generations(session.id, 0, 9).await.unwrap(), []);
    assert_eq!(store.get_session("acme", kept.id).await.unwrap(), kept);
}
