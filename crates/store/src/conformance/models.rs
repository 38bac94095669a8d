//! Rules of models and checkpoints.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{
    Store, adapter, artifact, claim, copy_of, follow, job, model, new_checkpoint, new_job, new_model, page, trained,
};
use crate::metadata::StoreError;
use crate::records::{DeletedModel, JobInput, JobOutcome, ModelCreation, ModelFilter, NewTrajectoryLog, Order};
use trainyard_model_options::{LoraOptions, TargetModules, TrainingMethod};

pub(crate) async fn parallel_creates_make_one_model(store: Store) {
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        tasks.spawn(async move { store.create_model(new_model("acme", "demo", "agent")).await.unwrap() });
    }
    let outcomes = tasks.join_all().await;
    let created = outcomes.iter().filter(|outcome| matches!(outcome, ModelCreation::Created(_))).count();
    let models: BTreeSet<Uuid> =
        outcomes.iter().map(|(ModelCreation::Created(model) | ModelCreation::Existing(model))| model.id).collect();
    assert_eq!((created, models.len()), (1, 1));
    let all = store.list_models("acme").await.unwrap();
    assert_eq!(all.len(), 1);
    let steps = store.list_checkpoints("acme", all[0].id, page(None, 100, Order::Ascending)).await.unwrap();
    assert_eq!(steps.items.len(), 1, "step 0 is made once");
}

pub(crate) async fn a_name_belongs_to_entity_and_project(store: Store) {
    let mut made = Vec::new();
    for (entity, project, name) in [("a", "p", "n"), ("b", "p", "n"), ("a", "q", "n"), ("a", "p", "m")] {
        let wanted = new_model(entity, project, name);
        match store.create_model(wanted).await.unwrap() {
            ModelCreation::Created(model) => made.push(model),
            ModelCreation::Existing(_) => panic!("{entity}/{project}/{name} is a name of its own"),
        }
        let found = store.find_model(entity, project, name).await.unwrap();
        assert_eq!(&found, made.last().unwrap());
    }
    // The base model of a later request is not taken over.
    let mut again = new_model("a", "p", "n");
    again.base_model = "other/base".to_owned();
    assert_eq!(store.create_model(again).await.unwrap(), ModelCreation::Existing(made[0].clone()));
    let listed = store.list_models("a").await.unwrap();
    assert_eq!(listed, [made[0].clone(), made[2].clone(), made[3].clone()]);
    assert!(store.list_models("nobody").await.unwrap().is_empty());
    assert!(matches!(store.find_model("b", "p", "m").await, Err(StoreError::NotFound("model"))));
}

pub(crate) async fn a_new_model_has_the_base_as_step_0(store: Store) {
    let model = model(&store, "acme", "agent").await;
    assert_eq!(model.last_step, 0);
    let newest = store.newest_checkpoint("acme", model.id).await.unwrap().unwrap();
    assert_eq!((newest.step, &newest.adapter, &newest.optimizer), (0, &None, &None));
    assert!(newest.metrics.is_empty());
    assert_eq!(store.checkpoint_at_step("acme", model.id, 0).await.unwrap(), newest);
    // The clock is the database's, in milliseconds: some time in this century.
    assert!((1_700_000_000_000..4_000_000_000_000).contains(&newest.created_at));
}

pub(crate) async fn foreign_models_do_not_exist(store: Store) {
    let theirs = trained(&store, "rival", "agent", 1).await;
    let their_job = job(&store, &theirs).await;
    let all = || page(None, 10, Order::Ascending);
    for (entity, model, job) in [("acme", theirs.id, their_job.id), ("rival", Uuid::now_v7(), Uuid::now_v7())] {
        let results = [
            store.get_model(entity, model).await.map(drop),
            store.list_checkpoints(entity, model, all()).await.map(drop),
            store.newest_checkpoint(entity, model).await.map(drop),
            store.checkpoint_at_step(entity, model, 1).await.map(drop),
            store.delete_checkpoints(entity, model, &[1], true).await.map(drop),
            store.delete_model(entity, model).await.map(drop),
            store
                .create_job({
                    let mut wanted = new_job(&theirs);
                    wanted.entity = entity.to_owned();
                    wanted.model_id = model;
                    wanted
                })
                .await
                .map(drop),
            store
                .add_trajectory_log(NewTrajectoryLog {
                    id: Uuid::now_v7(),
                    entity: entity.to_owned(),
                    model_id: model,
                    split: "train".to_owned(),
                    artifact: artifact("log"),
                    groups: 1,
                    request: None,
                })
                .await
                .map(drop),
        ];
        for (number, result) in results.into_iter().enumerate() {
            assert!(matches!(result, Err(StoreError::NotFound("model"))), "{entity}, call {number}: {result:?}");
        }
        let results =
            [store.get_job(entity, job).await.map(drop), store.list_events(entity, job, all()).await.map(drop)];
        for result in results {
            assert!(matches!(result, Err(StoreError::NotFound("training job"))), "{result:?}");
        }
    }
    // None of it left a trace.
    assert_eq!(store.list_checkpoints("rival", theirs.id, all()).await.unwrap().items.len(), 2);
    assert_eq!(store.queue_depth().await.unwrap().queued, 1);
}

pub(crate) async fn checkpoints_page_in_both_orders(store: Store) {
    let model = trained(&store, "acme", "agent", 6).await;
    for (order, expected) in [
        (Order::Ascending, vec![vec![0, 1, 2], vec![3, 4, 5], vec![6]]),
        (Order::Descending, vec![vec![6, 5, 4], vec![3, 2, 1], vec![0]]),
    ] {
        let ask = async |after| store.list_checkpoints("acme", model.id, page(after, 3, order)).await.unwrap();
        let pages = follow(ask, |checkpoint| checkpoint.id).await;
        let steps: Vec<Vec<i64>> =
            pages.iter().map(|page| page.iter().map(|checkpoint| checkpoint.step).collect()).collect();
        assert_eq!(steps, expected);
    }
    let exact = store.list_checkpoints("acme", model.id, page(None, 7, Order::Ascending)).await.unwrap();
    assert!(!exact.has_more, "a full last page is the last page");
    let last = exact.items.last().unwrap().id;
    let behind = store.list_checkpoints("acme", model.id, page(Some(last), 7, Order::Ascending)).await.unwrap();
    assert!(behind.items.is_empty() && !behind.has_more);
    // Values come back with the same bits.
    assert_eq!(exact.items[1].metrics, new_checkpoint("").metrics);
    assert_eq!(exact.items[1].adapter, Some(adapter("acme agent 1")));
}

pub(crate) async fn a_cursor_must_be_of_this_listing(store: Store) {
    let (ours, other) = (trained(&store, "acme", "one", 1).await, trained(&store, "acme", "two", 1).await);
    let foreign = store.newest_checkpoint("acme", other.id).await.unwrap().unwrap().id;
    for cursor in [foreign, Uuid::now_v7(), Uuid::nil()] {
        for order in [Order::Ascending, Order::Descending] {
            let rejected = store.list_checkpoints("acme", ours.id, page(Some(cursor), 5, order)).await;
            assert!(matches!(rejected, Err(StoreError::InvalidCursor(found)) if found == cursor));
        }
    }
}

pub(crate) async fn deleting_checkpoints_counts_and_collects(store: Store) {
    let model = trained(&store, "acme", "agent", 3).await;
    let deleted = store.delete_checkpoints("acme", model.id, &[7, 2, 0, 2, 7, -1, 1], true).await.unwrap();
    assert_eq!(deleted.deleted, [0, 1, 2]);
    assert_eq!(deleted.not_found, [-1, 7]);
    let mut expected: Vec<_> = ["acme agent 1", "acme agent 2"]
        .iter()
        .flat_map(|name| [adapter(name).config, adapter(name).weights])
        .collect();
    expected.sort_unstable();
    assert_eq!(deleted.unreferenced, expected);
    let again = store.delete_checkpoints("acme", model.id, &[2], true).await.unwrap();
    assert_eq!((again.deleted.as_slice(), again.not_found.as_slice()), ([].as_slice(), [2].as_slice()));
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap().unwrap().step, 3);
    let gone = store.checkpoint_at_step("acme", model.id, 2).await;
    assert!(matches!(gone, Err(StoreError::NotFound("checkpoint"))));
    let nothing = store.delete_checkpoints("acme", model.id, &[], true).await.unwrap();
    assert!(nothing.deleted.is_empty() && nothing.not_found.is_empty());
}

pub(crate) async fn the_newest_checkpoint_is_deleted_only_if_told(store: Store) {
    let model = trained(&store, "acme", "agent", 2).await;
    let latest = async || store.get_model("acme", model.id).await.unwrap().latest_step;
    assert_eq!((model.latest_step, latest().await), (Some(2), Some(2)));
    // Among others or alone, given once or twice: nothing is deleted.
    for steps in [&[2][..], &[0, 1, 2], &[2, 7, 2]] {
        let rejected = store.delete_checkpoints("acme", model.id, steps, false).await;
        assert!(matches!(rejected, Err(StoreError::LatestCheckpoint(2))), "{rejected:?}");
    }
    let listed = store.list_checkpoints("acme", model.id, page(None, 5, Order::Ascending)).await.unwrap();
    assert_eq!(listed.items.len(), 3);
    // Who may not see the model does not learn what its newest step is.
    let foreign = store.delete_checkpoints("rival", model.id, &[2], false).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("model"))));
    assert_eq!(store.delete_checkpoints("acme", model.id, &[0], false).await.unwrap().deleted, [0]);
    assert_eq!(store.delete_checkpoints("acme", model.id, &[2], true).await.unwrap().deleted, [2]);
    assert_eq!(latest().await, Some(1));
    let found = store.find_model("acme", "project", "agent").await.unwrap();
    assert_eq!((found.latest_step, found.last_step), (Some(1), 2));
    // A job goes on from what is left, and its step is new.
    job(&store, &model).await;
    let claimed = claim(&store).await;
    let start = store.record_start(&claimed.lease, None).await.unwrap();
    assert_eq!((start.step, start.adapter), (1, Some(adapter("acme agent 1"))));
    let made = store.publish_checkpoint(&claimed.lease, new_checkpoint("three")).await.unwrap();
    assert_eq!((made.step, latest().await), (3, Some(3)));
    assert_eq!(store.delete_checkpoints("acme", model.id, &[1, 3], true).await.unwrap().deleted, [1, 3]);
    assert_eq!(latest().await, None);
    let nothing = store.delete_checkpoints("acme", model.id, &[3], false).await.unwrap();
    assert_eq!(nothing.not_found, [3], "what is not there is reported, not refused");
    let page = store.page_models("acme", ModelFilter::default(), page(None, 5, Order::Ascending)).await.unwrap();
    assert_eq!(page.items[0].latest_step, None);
}

pub(crate) async fn a_step_is_never_used_twice(store: Store) {
    let model = trained(&store, "acme", "agent", 2).await;
    store.delete_checkpoints("acme", model.id, &[0, 1, 2], true).await.unwrap();
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap(), None);
    job(&store, &model).await;
    let claimed = claim(&store).await;
    // Nothing is left to start from but the base model; the count goes on.
    let start = store.record_start(&claimed.lease, None).await.unwrap();
    assert_eq!((start.step, start.adapter), (2, None));
    let published = store.publish_checkpoint(&claimed.lease, new_checkpoint("new")).await.unwrap();
    assert_eq!(published.step, 3);
    assert_eq!(store.get_model("acme", model.id).await.unwrap().last_step, 3);
}

pub(crate) async fn deleting_a_model_takes_everything_with_it(store: Store) {
    let (kept, gone) = (trained(&store, "acme", "kept", 2).await, trained(&store, "acme", "gone", 2).await);
    let mut queued = new_job(&gone);
    queued.input = JobInput::Artifact(artifact("body"));
    let queued = store.create_job(queued).await.unwrap();
    let log = NewTrajectoryLog {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        model_id: gone.id,
        split: "val".to_owned(),
        artifact: artifact("log"),
        groups: 3,
        request: None,
    };
    store.add_trajectory_log(log).await.unwrap();
    let DeletedModel { checkpoints, jobs, events, unreferenced } = store.delete_model("acme", gone.id).await.unwrap();
    assert_eq!((checkpoints, jobs, events), (3, 3, 2));
    let mut expected = vec![artifact("body"), artifact("log"), artifact("acme gone data")];
    for name in ["acme gone 1", "acme gone 2"] {
        expected.extend([adapter(name).config, adapter(name).weights]);
    }
    expected.extend(new_checkpoint("acme gone 2").optimizer.map(|optimizer| optimizer.state));
    expected.sort_unstable();
    assert_eq!(unreferenced, expected);
    assert!(matches!(store.get_model("acme", gone.id).await, Err(StoreError::NotFound("model"))));
    assert!(matches!(store.get_job("acme", queued.id).await, Err(StoreError::NotFound("training job"))));
    assert!(matches!(store.delete_model("acme", gone.id).await, Err(StoreError::NotFound("model"))));
    assert_eq!(store.list_models("acme").await.unwrap(), std::slice::from_ref(&kept));
    assert_eq!(store.newest_checkpoint("acme", kept.id).await.unwrap().unwrap().step, 2);
    // The name is free again, for a model that knows nothing of the old one.
    let reborn = model(&store, "acme", "gone").await;
    assert!(reborn.id != gone.id && reborn.last_step == 0);
}

pub(crate) async fn shared_artifacts_outlive_one_of_their_models(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "rival", "two").await);
    for model in [&one, &two] {
        job(&store, model).await;
        let claimed = claim(&store).await;
        store.finish_job(&claimed.lease, JobOutcome::Succeeded, Some(new_checkpoint("same")), None).await.unwrap();
    }
    // Waiting jobs of both models need the same data.
    for model in [&one, &two] {
        let mut waiting = new_job(model);
        waiting.input = JobInput::Artifact(artifact("same body"));
        store.create_job(waiting).await.unwrap();
    }
    assert!(store.delete_model("acme", one.id).await.unwrap().unreferenced.is_empty());
    let mut all = vec![artifact("same body"), adapter("same").config, adapter("same").weights];
    all.extend(new_checkpoint("same").optimizer.map(|optimizer| optimizer.state));
    assert!(store.unreferenced_artifacts(&all).await.unwrap().is_empty());
    assert_eq!(store.unreferenced_artifacts(&[artifact("never")]).await.unwrap(), [artifact("never")]);
    all.sort_unstable();
    assert_eq!(store.delete_model("rival", two.id).await.unwrap().unreferenced, all);
}

pub(crate) async fn a_model_keeps_its_training_method(store: Store) {
    let targets = TargetModules::from_names(["v_proj", "q_proj"]).unwrap();
    let slim = LoraOptions { rank: 4, alpha: 0.1, targets, rank_stabilised: true };
    for (name, method) in
        [("default", TrainingMethod::default()), ("slim", TrainingMethod::Lora(slim)), ("whole", TrainingMethod::Full)]
    {
        let mut wanted = new_model("acme", "demo", name);
        wanted.method = method;
        let ModelCreation::Created(created) = store.create_model(wanted).await.unwrap() else {
            panic!("{name} is new")
        };
        assert_eq!(created.method, method);
        // That of a later request is not taken over.
        let mut other = new_model("acme", "demo", name);
        other.method = TrainingMethod::Lora(LoraOptions { rank: 64, ..slim });
        assert_eq!(store.create_model(other).await.unwrap(), ModelCreation::Existing(created.clone()));
        assert_eq!(store.get_model("acme", created.id).await.unwrap(), created);
        assert_eq!(store.find_model("acme", "demo", name).await.unwrap(), created);
    }
    let methods: Vec<_> = store.list_models("acme").await.unwrap().into_iter().map(|model| model.method).collect();
    assert_eq!(methods, [TrainingMethod::default(), TrainingMethod::Lora(slim), TrainingMethod::Full]);
}

pub(crate) async fn notes_of_a_checkpoint_are_its_owners_and_its_provenance_is_inherited(store: Store) {
    let agent = trained(&store, "acme", "agent", 1).await;
    let notes = r#"{"score":0.5,"wandb.provenance":["serverless-rl"]}"#;
    assert_eq!(store.checkpoint_at_step("acme", agent.id, 1).await.unwrap().metadata, None);
    let noted = store.set_checkpoint_metadata("acme", agent.id, 1, notes).await.unwrap();
    assert_eq!(noted.metadata.as_deref(), Some(notes));
    assert_eq!(store.checkpoint_at_step("acme", agent.id, 1).await.unwrap(), noted);
    for (entity, step, what) in [("rival", 1, "model"), ("acme", 9, "checkpoint")] {
        let rejected = store.set_checkpoint_metadata(entity, agent.id, step, "{}").await;
        assert!(matches!(rejected, Err(StoreError::NotFound(found)) if found == what), "{rejected:?}");
    }
    // Training and copying go on from it; what was noted of that step alone stays there.
    job(&store, &agent).await;
    let lease = claim(&store).await.lease;
    store.record_start(&lease, None).await.unwrap();
    let finished =
        store.finish_job(&lease, JobOutcome::Succeeded, Some(new_checkpoint("agent 2")), None).await.unwrap();
    let fork = model(&store, "acme", "fork").await;
    let copied = store.add_checkpoint(copy_of("acme", fork.id, agent.id, 1)).await.unwrap();
    let inherited = Some(r#"{"wandb.provenance":["serverless-rl"]}"#);
    assert_eq!(finished.checkpoint.unwrap().metadata.as_deref(), inherited);
    assert_eq!(copied.metadata.as_deref(), inherited);
    store.set_checkpoint_metadata("acme", agent.id, 2, "{}").await.unwrap();
    assert_eq!(store.checkpoint_at_step("acme", agent.id, 1).await.unwrap().metadata, noted.metadata);
    let copied = store.add_checkpoint(copy_of("acme", fork.id, agent.id, 2)).await.unwrap();
    assert_eq!(copied.metadata, None);
}
