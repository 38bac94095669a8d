//! Rules of keys, usage, logs and health.

use std::time::Duration;

use uuid::Uuid;

use super::{Store, artifact, claim, failed, follow, job, model, new_event, new_job, page};
use crate::metadata::StoreError;
use crate::records::{
    ArtifactHolder, JobOutcome, KeyLimits, KeyRecord, ModelCreation, NewJob, NewKey, NewTrajectoryLog, Order,
    QueueDepth, UsageCount, UsageKey,
};

pub(super) async fn key(store: &Store, entity: &str, hash: u8) -> KeyRecord {
    let key = NewKey {
        entity: entity.to_owned(),
        name: format!("key {hash}"),
        suffix: format!("x{hash}"),
        sha256: [hash; 32],
        limits: KeyLimits::default(),
        is_admin: false,
    };
    let key = store.create_key(key).await.unwrap();
    assert_eq!(store.get_key(key.id).await.unwrap(), key);
    key
}

pub(super) fn usage(key: &KeyRecord, project: &str, model: &str) -> UsageKey {
    UsageKey { key_id: key.id, entity: key.entity.clone(), project: project.to_owned(), model: model.to_owned() }
}

pub(crate) async fn keys_read_back_and_are_revoked_for_good(store: Store) {
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "rival", 2).await);
    assert_eq!((one.revoked_at, one.last_used_at, one.sha256), (None, None, [1; 32]));
    assert_eq!(store.list_keys(None).await.unwrap(), [one.clone(), two.clone()]);
    assert_eq!(store.list_keys(Some("rival")).await.unwrap(), std::slice::from_ref(&two));
    let admin = NewKey {
        entity: "acme".to_owned(),
        name: "operator".to_owned(),
        suffix: "x3".to_owned(),
        sha256: [3; 32],
        limits: KeyLimits::default(),
        is_admin: true,
    };
    let admin = store.create_key(admin).await.unwrap();
    assert!(admin.is_admin && !one.is_admin);
    assert!(store.find_key_by_hash(&[3; 32]).await.unwrap().unwrap().is_admin);
    assert_eq!(store.find_key_by_hash(&[1; 32]).await.unwrap(), Some(one.clone()));
    assert_eq!(store.find_key_by_hash(&[9; 32]).await.unwrap(), None);
    let (both, unknown) = ([two.id, one.id], [Uuid::now_v7()]);
    assert!(store.revoked_keys(&both).await.unwrap().is_empty());
    let revoked = store.revoke_key(one.id).await.unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!(store.revoked_keys(&both).await.unwrap(), [one.id]);
    assert!(store.revoked_keys(&[]).await.unwrap().is_empty());
    assert!(store.revoked_keys(&unknown).await.unwrap().is_empty());
    tokio::time::sleep(Duration::from_millis(3)).await;
    assert_eq!(store.revoke_key(one.id).await.unwrap(), revoked, "the time of the first revocation stays");
    assert_eq!(store.find_key_by_hash(&[1; 32]).await.unwrap(), Some(revoked));
    assert!(matches!(store.revoke_key(Uuid::now_v7()).await, Err(StoreError::NotFound("key"))));
    store.touch_key(two.id).await.unwrap();
    let touched = store.find_key_by_hash(&[2; 32]).await.unwrap().unwrap();
    assert!(touched.last_used_at >= Some(touched.created_at));
    tokio::time::sleep(Duration::from_millis(3)).await;
    store.touch_key(two.id).await.unwrap();
    assert_eq!(store.find_key_by_hash(&[2; 32]).await.unwrap(), Some(touched), "noted once a minute");
    let twice = NewKey {
        entity: "acme".to_owned(),
        name: "again".to_owned(),
        suffix: "x2".to_owned(),
        sha256: [2; 32],
        limits: KeyLimits::default(),
        is_admin: false,
    };
    assert!(store.create_key(twice).await.is_err(), "two keys cannot share a hash");
}

pub(crate) async fn usage_is_summed_per_key_project_and_model(store: Store) {
    let (one, two) = (key(&store, "acme", 1).await, key(&store, "rival", 2).await);
    let count = UsageCount { requests: 1, prompt_tokens: 10, completion_tokens: 100, trained_tokens: 0 };
    for wanted in [
        usage(&one, "p", "m"),
        usage(&one, "p", "m"),
        usage(&one, "q", "m"),
        usage(&one, "", "m"),
        usage(&one, "p", "n"),
        usage(&two, "p", "m"),
    ] {
        store.add_usage(wanted, count).await.unwrap();
    }
    let all = store.list_usage(None).await.unwrap();
    assert_eq!(all.len(), 5);
    let double = all.iter().find(|record| record.usage == usage(&one, "p", "m")).unwrap();
    assert_eq!(double.count, UsageCount { requests: 2, prompt_tokens: 20, completion_tokens: 200, trained_tokens: 0 });
    assert_eq!((double.key_name.as_str(), double.key_suffix.as_str()), ("key 1", "x1"));
    assert!(all.iter().filter(|record| record.usage != double.usage).all(|record| record.count == count));
    let today = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64 / 86400;
    let daily = store.list_daily_usage("acme", today - 1..=today + 1, None, 10).await.unwrap();
    assert_eq!(
        daily.iter().map(|sum| sum.usage.clone()).collect::<Vec<_>>(),
        all[..4],
        "the same, since it was all today"
    );
    assert!(daily.iter().all(|sum| (sum.day - today).abs() <= 1), "{daily:?}");
    assert_eq!(store.list_daily_usage("acme", today - 1..=today + 1, None, 3).await.unwrap(), daily[..3]);
    assert_eq!(store.list_daily_usage("acme", 1..=today - 2, None, 10).await.unwrap(), []);
    let of_project = store.list_daily_usage("acme", today - 1..=today + 1, Some("q"), 10).await.unwrap();
    assert_eq!(of_project.iter().map(|sum| sum.usage.usage.project.as_str()).collect::<Vec<_>>(), ["q"]);
    assert_eq!(store.list_daily_usage("acme", 1..=today + 1, Some("a\0"), 10).await.unwrap(), []);
    let theirs = store.list_usage(Some("rival")).await.unwrap();
    assert_eq!(theirs.len(), 1);
    assert_eq!(theirs[0].usage.key_id, two.id);
    let mut nobody = usage(&one, "p", "m");
    nobody.key_id = Uuid::now_v7();
    assert!(matches!(store.add_usage(nobody, count).await, Err(StoreError::NotFound("key"))));
}

pub(crate) async fn training_is_charged_to_the_key_that_asked(store: Store) {
    let key = key(&store, "acme", 1).await;
    let model = model(&store, "acme", "agent").await;
    for ends_well in [true, false] {
        store.create_job(NewJob { key_id: Some(key.id), ..new_job(&model) }).await.unwrap();
        let lease = claim(&store).await.lease;
        for (sequence, data) in
            [(1, "{}"), (2, r#"{"num_trainable_tokens": 7.0}"#), (3, r#"{"num_trainable_tokens": 5.0}"#)]
        {
            let kind = if sequence == 1 { "training_started" } else { "gradient_step" };
            store.append_event(&lease, sequence, new_event(kind, data)).await.unwrap();
        }
        let outcome = if ends_well { JobOutcome::Succeeded } else { failed("no") };
        store.finish_job(&lease, outcome, None, None).await.unwrap();
    }
    // One that nobody is known to have asked for is charged to nobody.
    job(&store, &model).await;
    let lease = claim(&store).await.lease;
    store.append_event(&lease, 1, new_event("gradient_step", r#"{"num_trainable_tokens": 3.0}"#)).await.unwrap();
    store.finish_job(&lease, JobOutcome::Succeeded, None, None).await.unwrap();
    let used = store.list_usage(None).await.unwrap();
    assert_eq!(used.len(), 1);
    assert_eq!(used[0].count, UsageCount { trained_tokens: 24, ..UsageCount::default() });
    let usage = &used[0].usage;
    assert_eq!((usage.key_id, usage.project.as_str()), (key.id, "project"));
    assert_eq!(usage.model, "wandb-artifact:///acme/project/agent");
    // What a cancelled job had done counts too.
    let waiting = store.create_job(NewJob { key_id: Some(key.id), ..new_job(&model) }).await.unwrap();
    let lease = claim(&store).await.lease;
    store.append_event(&lease, 1, new_event("gradient_step", r#"{"row/num_trained_tokens": 2.0}"#)).await.unwrap();
    for _ in 0..2 {
        store.cancel_job("acme", waiting.id, "enough", new_event("training_failed", "{}")).await.unwrap();
    }
    assert_eq!(store.list_usage(None).await.unwrap()[0].count.trained_tokens, 26);
    // And what a job had done whose model is deleted; one that waits has done nothing, and makes no sum.
    let other = super::model(&store, "acme", "other").await;
    store.create_job(NewJob { key_id: Some(key.id), ..new_job(&other) }).await.unwrap();
    let lease = claim(&store).await.lease;
    store.append_event(&lease, 1, new_event("gradient_step", r#"{"num_trainable_tokens": 4.0}"#)).await.unwrap();
    for _ in 0..2 {
        store.create_job(NewJob { key_id: Some(key.id), ..new_job(&other) }).await.unwrap();
    }
    store.delete_model("acme", other.id).await.unwrap();
    let waiting = store.create_job(NewJob { key_id: Some(key.id), ..new_job(&model) }).await.unwrap();
    store.cancel_job("acme", waiting.id, "enough", new_event("training_failed", "{}")).await.unwrap();
    let used: Vec<i64> = store.list_usage(None).await.unwrap().iter().map(|sum| sum.count.trained_tokens).collect();
    assert_eq!(used, [26, 4]);
    // By day each job is told apart.
    let daily = store.list_daily_usage("acme", 0..=i64::MAX, None, 10).await.unwrap();
    let mut jobs: Vec<_> = daily.iter().map(|sum| sum.job_id.expect("a job")).collect();
    let mut tokens: Vec<i64> = daily.iter().map(|sum| sum.usage.count.trained_tokens).collect();
    tokens.sort_unstable();
    assert_eq!(tokens, [2, 4, 12, 12]);
    jobs.sort_unstable();
    jobs.dedup();
    assert_eq!(jobs.len(), 4);
}

pub(crate) async fn parallel_usage_is_not_lost(store: Store) {
    let key = key(&store, "acme", 1).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, usage) = (store.clone(), usage(&key, "p", "m"));
        tasks.spawn(async move {
            for _ in 0..5 {
                let count = UsageCount { requests: 1, prompt_tokens: 2, completion_tokens: 3, trained_tokens: 0 };
                store.add_usage(usage.clone(), count).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    let sum = store.list_usage(Some("acme")).await.unwrap();
    assert_eq!(sum[0].count, UsageCount { requests: 40, prompt_tokens: 80, completion_tokens: 120, trained_tokens: 0 });
}

pub(crate) async fn trajectory_logs_keep_their_artifact(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let log = NewTrajectoryLog {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        model_id: model.id,
        split: "val".to_owned(),
        artifact: artifact("log"),
        groups: 2,
        request: None,
    };
    let stored = store.add_trajectory_log(log.clone()).await.unwrap();
    assert_eq!((stored.model_id, stored.split.as_str(), stored.groups), (model.id, "val", 2));
    assert_eq!(stored.artifact, artifact("log"));
    let again = store.add_trajectory_log(NewTrajectoryLog { id: Uuid::now_v7(), ..log.clone() }).await.unwrap();
    assert_ne!(again.id, stored.id, "every call is a log of its own");
    assert_eq!(store.get_trajectory_log("acme", model.id, stored.id).await.unwrap(), stored);
    let other = NewTrajectoryLog { id: Uuid::now_v7(), split: "train".to_owned(), ..log };
    let other = store.add_trajectory_log(other).await.unwrap();
    let listed = async |split: Option<&str>, order: Order| -> Vec<Uuid> {
        let ask =
            async |after| store.list_trajectory_logs("acme", model.id, split, page(after, 2, order)).await.unwrap();
        follow(ask, |log| log.id).await.into_iter().flatten().map(|log| log.id).collect()
    };
    assert_eq!(listed(None, Order::Ascending).await, [stored.id, again.id, other.id]);
    assert_eq!(listed(None, Order::Descending).await, [other.id, again.id, stored.id]);
    assert_eq!(listed(Some("val"), Order::Ascending).await, [stored.id, again.id]);
    let foreign = store.list_trajectory_logs("rival", model.id, None, page(None, 2, Order::Ascending)).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("model"))));
    let foreign = store.get_trajectory_log("rival", model.id, stored.id).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("model"))));
    let unknown = store.get_trajectory_log("acme", model.id, Uuid::now_v7()).await;
    assert!(matches!(unknown, Err(StoreError::NotFound("trajectory log"))));
    assert!(store.unreferenced_artifacts(&[artifact("log")]).await.unwrap().is_empty());
    assert_eq!(store.delete_model("acme", model.id).await.unwrap().unreferenced, [artifact("log")]);
}

pub(crate) async fn references_are_listed_once(store: Store) {
    assert_eq!(store.artifact_references(None, 10).await.unwrap(), []);
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "rival", "two").await);
    for (model, name) in [(&one, "a"), (&one, "b"), (&one, "b"), (&two, "c"), (&two, "d"), (&two, "e")] {
        let log = NewTrajectoryLog {
            id: Uuid::now_v7(),
            entity: model.entity.clone(),
            model_id: model.id,
            split: "val".to_owned(),
            artifact: artifact(name),
            groups: 1,
            request: None,
        };
        store.add_trajectory_log(log).await.unwrap();
    }
    let mut expected: Vec<_> = [("a", &one), ("b", &one), ("c", &two), ("d", &two), ("e", &two)]
        .map(|(name, model)| (artifact(name), ArtifactHolder::Model(model.id)))
        .into();
    expected.sort_by_key(|(artifact, _)| *artifact);
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = store.artifact_references(after, 2).await.unwrap();
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { break };
        after = Some(last.artifact);
        listed.extend(page.iter().map(|reference| (reference.artifact, reference.holder)));
    }
    assert_eq!(listed, expected);
    store.delete_model("rival", two.id).await.unwrap();
    assert_eq!(store.artifact_references(None, 10).await.unwrap().len(), 2);
}

pub(crate) async fn the_store_says_how_it_is(store: Store) {
    assert!(store.ping().await.unwrap() < Duration::from_secs(10));
    assert_eq!(store.queue_depth().await.unwrap(), QueueDepth::default());
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    assert_eq!(store.queue_depth().await.unwrap(), QueueDepth { queued: 1, running: 0 });
}

pub(crate) async fn texts_are_kept_or_rejected(store: Store) {
    // Every text reads back as it was, or is rejected in words; to look for one that cannot be is no failure.
    for name in ["", "Zoë 🚂", "a\u{1}\u{7f}b", "\u{fffe}", "it's \\ \"quoted\" %s $1", "zero\0byte"] {
        match store.create_model(super::new_model("acme", "project", name)).await {
            Ok(ModelCreation::Created(model)) => {
                assert_eq!(model.name, name);
                assert_eq!(store.find_model("acme", "project", name).await.unwrap(), model);
            }
            Err(StoreError::InvalidValue(_)) => {
                let found = store.find_model("acme", "project", name).await;
                assert!(matches!(found, Err(StoreError::NotFound("model"))), "{name:?}: {found:?}");
            }
            other => panic!("{name:?}: {other:?}"),
        }
    }
    // A cause that quotes such data still ends the job.
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let lease = super::claim(&store).await.lease;
    let outcome = failed("bad row: zero\0byte");
    store
        .finish_job(&lease, outcome, None, Some(super::new_event("training_failed", r#"{"e":"\u0000"}"#)))
        .await
        .unwrap();
    let log = store.list_events("acme", lease.job_id, super::page(None, 10, Default::default())).await.unwrap();
    let data: serde_json::Value = serde_json::from_str(&log.items[0].data).unwrap();
    assert_eq!(data["e"], "\0");
}
