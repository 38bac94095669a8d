//! Rules of how checkpoints came to be, and of what is kept so that they can be made again.

use super::{
    ENGINE, LONG, Store, adapter, artifact, copy_of, failed, model, new_checkpoint, new_job, page, trained, trainers,
    worker,
};
use crate::metadata::StoreError;
use crate::records::{
    JobInput, JobKind, JobOutcome, MadeBy, Manifest, ModelRecord, NewJob, Order, RolloutArtifacts, TrainerKind,
    WorkerProfile,
};
use trainyard_model_options::WeightFormat;

async fn manifests(store: &Store, model: &ModelRecord) -> Vec<(String, Manifest)> {
    let all = store.list_manifests(&model.entity, model.id, 0, 100).await.unwrap();
    assert!(all.iter().all(|record| record.is_whole()));
    all.into_iter().map(|record| (record.sha256.clone(), record.read().unwrap())).collect()
}

/// Trains a model once more, on this data.
async fn train(store: &Store, model: &ModelRecord, data: &str, checkpoint: &str) -> i64 {
    train_in(store, model, Some(ENGINE), data, checkpoint).await
}

/// As [`train`], computing with this trainer, or without a step.
async fn train_in(
    store: &Store,
    model: &ModelRecord,
    trainer: Option<TrainerKind>,
    data: &str,
    checkpoint: &str,
) -> i64 {
    let input = JobInput::Artifact(artifact(data));
    store.create_job(NewJob { input, ..new_job(model) }).await.unwrap();
    let worker = WorkerProfile { trainers: trainers(trainer.unwrap_or(ENGINE)), ..worker("worker") };
    let lease = store.claim_next(&worker, LONG).await.unwrap().unwrap().lease;
    store.record_start(&lease, None).await.unwrap();
    if let Some(trainer) = trainer {
        store.record_trainer(&lease, trainer).await.unwrap();
    }
    let finished = store.finish_job(&lease, JobOutcome::Succeeded, Some(new_checkpoint(checkpoint)), None).await;
    finished.unwrap().checkpoint.unwrap().step
}

pub(crate) async fn manifests_are_one_chain(store: Store) {
    let agent = model(&store, "acme", "agent").await;
    for step in 1..=2 {
        assert_eq!(train(&store, &agent, "rows", &format!("agent {step}")).await, step);
    }
    let all = manifests(&store, &agent).await;
    let made_by: Vec<_> = all.iter().map(|(_, manifest)| (manifest.step, manifest.made_by)).collect();
    assert_eq!(made_by, [(0, MadeBy::Registration), (1, MadeBy::Training), (2, MadeBy::Training)]);
    assert_eq!((&all[0].1.parent, &all[0].1.files, &all[0].1.training), (&None, &None, &None));
    for pair in all.windows(2) {
        let parent = pair[1].1.parent.clone().unwrap();
        assert_eq!((parent.model_id, parent.step), (agent.id, pair[0].1.step));
        assert_eq!(parent.manifest_sha256.as_ref(), Some(&pair[0].0));
    }
    let newest = &all[2].1;
    let files = newest.files.clone().unwrap();
    assert_eq!(files.config, adapter("agent 2").config.sha256());
    assert_eq!(files.weights, adapter("agent 2").weights.sha256());
    let expected = new_checkpoint("agent 2");
    assert_eq!(newest.optimizer.as_ref().unwrap().sha256, expected.optimizer.unwrap().state.sha256());
    assert_eq!((&newest.metrics, &newest.program), (&expected.metrics, &expected.provenance.program));
    assert_eq!(newest.base_model.sha256, expected.provenance.base_sha256);
    let training = newest.training.clone().unwrap();
    assert_eq!((training.config, training.data_sha256), (expected.provenance.config, Some(artifact("rows").sha256())));
    assert_eq!(training.kind, JobKind::Sft.as_str());
    let job = store.get_job("acme", training.job_id).await.unwrap();
    assert_eq!(job.published_step, Some(2));

    // A copy is made from what it copies, whichever model has that.
    let fork = model(&store, "acme", "fork").await;
    store.add_checkpoint(copy_of("acme", fork.id, agent.id, 1)).await.unwrap();
    let copied = &manifests(&store, &fork).await[1].1;
    let parent = copied.parent.clone().unwrap();
    assert_eq!((copied.made_by, parent.model_id, parent.step), (MadeBy::Copy, agent.id, 1));
    assert_eq!((parent.manifest_sha256.as_ref(), &copied.files), (Some(&all[1].0), &all[1].1.files));

    // Deleting steps leaves no gap; what is trained then begins with the base model.
    store.delete_checkpoints("acme", agent.id, &[0, 1, 2], true).await.unwrap();
    assert_eq!(manifests(&store, &agent).await, all);
    assert_eq!(train(&store, &agent, "rows", "agent 3").await, 3);
    assert_eq!(manifests(&store, &agent).await[3].1.parent, None);

    let part = store.list_manifests("acme", agent.id, 1, 2).await.unwrap();
    assert_eq!(part.iter().map(|record| record.step).collect::<Vec<_>>(), [1, 2]);
    for (entity, id) in [("rival", agent.id), ("acme", uuid::Uuid::now_v7())] {
        let rejected = store.list_manifests(entity, id, 0, 1).await;
        assert!(matches!(rejected, Err(StoreError::NotFound("model"))), "{rejected:?}");
    }
    store.delete_model("acme", agent.id).await.unwrap();
    assert!(store.list_manifests("acme", fork.id, 0, 9).await.unwrap().len() == 2);
}

pub(crate) async fn inputs_of_a_checkpoint_are_kept_with_it(store: Store) {
    let agent = model(&store, "acme", "agent").await;
    let rows = |step: i64| artifact(&format!("rows {step}"));
    for step in 1..=3 {
        train(&store, &agent, &format!("rows {step}"), &format!("agent {step}")).await;
    }
    let all = [rows(1), rows(2), rows(3)];
    assert_eq!(store.unreferenced_artifacts(&all).await.unwrap(), []);
    // What is before a step that is there is needed to make that again.
    let deleted = store.delete_checkpoints("acme", agent.id, &[1, 2], true).await.unwrap();
    assert!(all.iter().all(|rows| !deleted.unreferenced.contains(rows)), "{deleted:?}");
    // But not what is behind it.
    train(&store, &agent, "rows 4", "agent 4").await;
    let deleted = store.delete_checkpoints("acme", agent.id, &[4], true).await.unwrap();
    assert!(deleted.unreferenced.contains(&rows(4)), "{deleted:?}");
    assert_eq!(store.unreferenced_artifacts(&all).await.unwrap(), []);
    let deleted = store.delete_checkpoints("acme", agent.id, &[3], true).await.unwrap();
    assert!(all.iter().all(|rows| deleted.unreferenced.contains(rows)), "{deleted:?}");
    let newest = store.list_checkpoints("acme", agent.id, page(None, 9, Order::Ascending)).await.unwrap().items;
    assert_eq!(newest.len(), 1);
}

pub(crate) async fn artifacts_about_rollouts_are_kept_with_their_data(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let begin = async |data: &str| {
        let input = JobInput::Artifact(artifact(data));
        let id = store.create_job(NewJob { input, kind: JobKind::Rl, ..new_job(&model) }).await.unwrap().id;
        let lease = store.claim_next(&worker("worker"), LONG).await.unwrap().unwrap().lease;
        store.record_start(&lease, None).await.unwrap();
        let index = |name: &str| RolloutArtifacts { index: Some(artifact(name)), logprobs: None };
        let recorded = store.record_rollouts(&lease, index(&format!("{data} index"))).await.unwrap();
        assert_eq!(store.record_rollouts(&lease, index("again")).await.unwrap(), recorded, "the first one stays");
        let logprobs = RolloutArtifacts { index: None, logprobs: Some(artifact(&format!("{data} logprobs"))) };
        let both = store.record_rollouts(&lease, logprobs).await.unwrap();
        assert_eq!((both.index, both.logprobs), (recorded.index, logprobs.logprobs));
        assert_eq!(store.get_job("acme", id).await.unwrap().rollouts, both);
        (lease, [artifact(data), both.index.unwrap(), both.logprobs.unwrap()])
    };
    let (lease, kept) = begin("kept").await;
    assert!(store.unreferenced_artifacts(&kept).await.unwrap().is_empty());
    store.finish_job(&lease, JobOutcome::Succeeded, Some(new_checkpoint("one")), None).await.unwrap();
    assert!(store.unreferenced_artifacts(&kept).await.unwrap().is_empty());
    let lost = store.record_rollouts(&lease, RolloutArtifacts::default()).await;
    assert!(matches!(lost, Err(StoreError::LeaseLost(_))), "the job has ended");
    let (lease, mut released) = begin("released").await;
    let mut finished = store.finish_job(&lease, failed("no"), None, None).await.unwrap().unreferenced;
    finished.sort_unstable();
    released.sort_unstable();
    assert_eq!(finished, released);
    let deleted = store.delete_model("acme", model.id).await.unwrap().unreferenced;
    assert!(kept.iter().all(|artifact| deleted.contains(artifact)));
}

pub(crate) async fn a_start_that_no_job_made_is_kept(store: Store) {
    let (agent, fork) = (trained(&store, "acme", "agent", 1).await, model(&store, "acme", "fork").await);
    store.add_checkpoint(copy_of("acme", fork.id, agent.id, 1)).await.unwrap();
    let start = new_checkpoint("acme agent 1");
    let state = start.optimizer.unwrap().state;
    train(&store, &fork, "rows", "fork 2").await;
    store.delete_model("acme", agent.id).await.unwrap();
    // The optimizer's state is dropped where a newer one is, but the copy cannot be made again.
    assert_eq!(store.checkpoint_at_step("acme", fork.id, 1).await.unwrap().optimizer, None);
    assert_eq!(store.unreferenced_artifacts(&[state]).await.unwrap(), []);
    store.delete_checkpoints("acme", fork.id, &[1], true).await.unwrap();
    assert_eq!(store.unreferenced_artifacts(&[state, start.adapter.unwrap().weights]).await.unwrap(), []);
    let deleted = store.delete_checkpoints("acme", fork.id, &[2], true).await.unwrap();
    assert!(deleted.unreferenced.contains(&state), "{deleted:?}");
}

pub(crate) async fn a_start_that_another_trainer_or_no_step_made_is_kept(store: Store) {
    let agent = model(&store, "acme", "agent").await;
    let state = |name: &str| new_checkpoint(name).optimizer.unwrap().state;
    let (bf16, learner) = (TrainerKind::Engine(WeightFormat::Bf16), TrainerKind::Learner);
    let made = [Some(ENGINE), Some(ENGINE), Some(bf16), None, Some(bf16), Some(learner), Some(learner)];
    for (step, trainer) in (1..).zip(made) {
        train_in(&store, &agent, trainer, "rows", &format!("agent {step}")).await;
    }
    let states: Vec<_> = (1..=6).map(|step| state(&format!("agent {step}"))).collect();
    let dropped = store.unreferenced_artifacts(&states).await.unwrap();
    // Step 3 began with what f32 made, step 4 made none itself and step 5 began with it. A learner does not make the same
    // bytes again, so step 7 keeps its start.
    assert_eq!(dropped, [state("agent 1")]);
}
