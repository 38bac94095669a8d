//! Rules of what a job compares with: its reference checkpoint, and the rewards of earlier jobs.

use std::time::Duration;

use uuid::Uuid;

use super::{Store, adapter, claim, failed, job, model, new_checkpoint, trained, worker};
use crate::metadata::StoreError;
use crate::records::{JobOutcome, ModelRecord, ReferenceCheckpoint, RewardDeviation};

pub(crate) async fn a_reference_is_recorded_once(store: Store) {
    let (model, teacher) = (trained(&store, "acme", "agent", 2).await, trained(&store, "acme", "teacher", 1).await);
    job(&store, &model).await;
    let first = store.claim_next(&worker("dies"), Duration::ZERO).await.unwrap().unwrap();
    let early = store.record_reference(&first.lease, teacher.id, None).await;
    assert!(matches!(early, Err(StoreError::Conflict(_))), "{early:?}");
    store.record_start(&first.lease, None).await.unwrap();
    let newest = store.record_reference(&first.lease, teacher.id, None).await.unwrap();
    let files = Some(adapter("acme teacher 1"));
    assert_eq!(newest, ReferenceCheckpoint { model_id: teacher.id, step: 1, adapter: files });
    // The teacher goes on; a later attempt compares with what the first one did, whatever it asks for.
    let second = claim(&store).await;
    assert_eq!(second.job.start.unwrap().reference, Some(newest.clone()));
    assert_eq!(store.record_reference(&second.lease, model.id, Some(1)).await.unwrap(), newest);
    assert_eq!(store.record_start(&second.lease, None).await.unwrap().reference, Some(newest));
    assert!(matches!(
        store.record_reference(&first.lease, teacher.id, None).await,
        Err(StoreError::LeaseLost(lost)) if lost == first.lease
    ));
    let deviation = store.record_reward_deviation(&first.lease, 0.5).await;
    assert!(matches!(deviation, Err(StoreError::LeaseLost(lost)) if lost == first.lease));
}

pub(crate) async fn a_reference_outlives_its_checkpoint_and_its_model(store: Store) {
    let (model, teacher) = (trained(&store, "acme", "agent", 2).await, trained(&store, "acme", "teacher", 1).await);
    for (reference, step) in [(&model, 1), (&teacher, 1)] {
        job(&store, &model).await;
        let claimed = claim(&store).await;
        store.record_start(&claimed.lease, None).await.unwrap();
        let recorded = store.record_reference(&claimed.lease, reference.id, Some(step)).await.unwrap();
        let files = recorded.adapter.expect("an adapter");
        let mut files = vec![files.config, files.weights];
        files.sort_unstable();
        if reference.id == model.id {
            store.delete_checkpoints("acme", model.id, &[step], true).await.unwrap();
        } else {
            store.delete_model("acme", teacher.id).await.unwrap();
        }
        assert_eq!(store.unreferenced_artifacts(&files).await.unwrap(), [], "the job still compares with them");
        let finished =
            store.finish_job(&claimed.lease, JobOutcome::Succeeded, Some(new_checkpoint("next")), None).await.unwrap();
        assert_eq!(store.unreferenced_artifacts(&files).await.unwrap(), [], "it may be run again");
        let step = finished.checkpoint.unwrap().step;
        let deleted = store.delete_checkpoints("acme", model.id, &[step], true).await.unwrap();
        assert!(files.iter().all(|file| deleted.unreferenced.contains(file)), "{deleted:?}");
    }
}

pub(crate) async fn a_reference_belongs_to_the_entity(store: Store) {
    let (model, rival) = (trained(&store, "acme", "agent", 1).await, trained(&store, "rival", "agent", 1).await);
    job(&store, &model).await;
    let lease = claim(&store).await.lease;
    store.record_start(&lease, None).await.unwrap();
    for (id, step, what) in [
        (rival.id, Some(1), "model"),
        (Uuid::now_v7(), None, "model"),
        (model.id, Some(2), "checkpoint"),
        (model.id, Some(-1), "checkpoint"),
    ] {
        let result = store.record_reference(&lease, id, step).await;
        assert!(matches!(result, Err(StoreError::NotFound(missing)) if missing == what), "{result:?}");
    }
    let base = store.record_reference(&lease, model.id, Some(0)).await.unwrap();
    assert_eq!(base, ReferenceCheckpoint { model_id: model.id, step: 0, adapter: None });
}

pub(crate) async fn reward_deviations_follow_the_jobs_of_a_model(store: Store) {
    let (one, other) = (model(&store, "acme", "one").await, model(&store, "acme", "other").await);
    let run = async |model: &ModelRecord, deviation: f64, outcome: JobOutcome| {
        job(&store, model).await;
        let lease = claim(&store).await.lease;
        assert!(matches!(store.record_reward_deviation(&lease, deviation).await, Err(StoreError::Conflict(_))));
        store.record_start(&lease, None).await.unwrap();
        let recorded = store.record_reward_deviation(&lease, deviation).await.unwrap();
        let repeated = store.record_reward_deviation(&lease, deviation + 1.0).await.unwrap();
        assert_eq!(recorded, repeated, "what was recorded stays");
        let checkpoint = (outcome == JobOutcome::Succeeded).then(|| new_checkpoint("next"));
        store.finish_job(&lease, outcome, checkpoint, None).await.unwrap();
        recorded
    };
    let at = |step, deviation| RewardDeviation { step, deviation };
    let failed = || failed("no");
    assert_eq!(run(&one, 0.5, JobOutcome::Succeeded).await, [at(0, 0.5)]);
    assert_eq!(run(&other, 9.0, JobOutcome::Succeeded).await, [at(0, 9.0)], "each model has its own");
    assert_eq!(run(&one, 7.0, failed()).await, [at(0, 0.5), at(1, 7.0)]);
    // A job that says nothing about its rewards leaves no gap, one that failed no trace.
    job(&store, &one).await;
    let lease = claim(&store).await.lease;
    store.record_start(&lease, None).await.unwrap();
    store.finish_job(&lease, JobOutcome::Succeeded, Some(new_checkpoint("silent")), None).await.unwrap();
    assert_eq!(run(&one, 0.25, JobOutcome::Succeeded).await, [at(0, 0.5), at(2, 0.25)]);
}
