//! Rules of what jobs record and leave: events, steps, checkpoints.

use std::collections::BTreeSet;
use std::time::Duration;

use uuid::Uuid;

use super::{
    ENGINE, LONG, Store, adapter, artifact, claim, failed, follow, job, model, new_checkpoint, new_event, new_job,
    page, trained, worker,
};
use crate::metadata::StoreError;
use crate::records::{
    AdapterArtifacts, JobInput, JobKind, JobOutcome, JobStart, JobStatus, Lease, NewEvent, Order, ResumeState,
};

pub(crate) async fn a_job_reads_back(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let mut wanted = new_job(&model);
    wanted.kind = JobKind::Rl;
    wanted.input = JobInput::Artifact(artifact("body"));
    let job = store.create_job(wanted).await.unwrap();
    assert_eq!((job.kind, job.status, job.attempts), (JobKind::Rl, JobStatus::Queued, 0));
    assert_eq!(job.input, JobInput::Artifact(artifact("body")));
    assert_eq!(job.config, r#"{"batch_size":2}"#);
    assert_eq!((&job.start, &job.lease_owner, job.started_at, job.ended_at), (&None, &None, None, None));
    assert_eq!(store.get_job("acme", job.id).await.unwrap(), job);
    let events = store.list_events("acme", job.id, page(None, 10, Order::Ascending)).await.unwrap();
    assert!(events.items.is_empty() && !events.has_more);
    let claimed = claim(&store).await;
    assert_eq!(claimed.job.status, JobStatus::Running);
    assert_eq!((claimed.job.published_step, claimed.job.attempts), (None, 1));
    assert_eq!(claimed.job.lease_owner.as_deref(), Some("worker"));
    assert_eq!(store.get_job("acme", job.id).await.unwrap(), claimed.job);
}

/// `set_back` sets the clock back by an hour.
pub(crate) async fn times_of_a_job_stay_in_order(store: Store, set_back: impl AsyncFn()) {
    let model = model(&store, "acme", "agent").await;
    let done = job(&store, &model).await;
    set_back().await;
    let lease = claim(&store).await.lease;
    for (sequence, kind) in [(1, "training_started"), (2, "gradient_step")] {
        set_back().await;
        store.append_event(&lease, sequence, new_event(kind, "{}")).await.unwrap();
    }
    set_back().await;
    let ended = Some(new_event("training_ended", "{}"));
    store.finish_job(&lease, JobOutcome::Succeeded, None, ended).await.unwrap();
    let cancelled = job(&store, &model).await;
    set_back().await;
    store.cancel_job("acme", cancelled.id, "no", new_event("training_failed", "{}")).await.unwrap();
    for (id, events) in [(done.id, 3), (cancelled.id, 1)] {
        let job = store.get_job("acme", id).await.unwrap();
        let log = store.list_events("acme", id, page(None, 10, Order::Ascending)).await.unwrap().items;
        assert_eq!(log.len(), events);
        let mut times = vec![job.created_at];
        times.extend(job.started_at);
        times.extend(log.iter().map(|event| event.created_at));
        times.extend(job.ended_at);
        assert!(times.is_sorted() && job.ended_at.is_some(), "{times:?}");
    }
}

pub(crate) async fn a_job_needs_a_model_of_its_entity(store: Store) {
    let theirs = model(&store, "rival", "agent").await;
    let mut wanted = new_job(&theirs);
    wanted.entity = "acme".to_owned();
    assert!(matches!(store.create_job(wanted).await, Err(StoreError::NotFound("model"))));
    assert_eq!(store.claim_next(&worker("worker"), LONG).await.unwrap(), None);
}

pub(crate) async fn events_are_gapless_and_idempotent(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let first = store.claim_next(&worker("dies"), Duration::ZERO).await.unwrap().unwrap();
    let started = store.append_event(&first.lease, 1, new_event("training_started", r#"{"n":2}"#)).await.unwrap();
    let step = store.append_event(&first.lease, 2, new_event("gradient_step", r#"{"loss":1}"#)).await.unwrap();
    // The next attempt does the same again.
    let second = claim(&store).await;
    let again = store.append_event(&second.lease, 1, new_event("training_started", r#"{"n":2}"#)).await.unwrap();
    assert_eq!(again, started);
    let again = store.append_event(&second.lease, 2, new_event("gradient_step", r#"{"loss":9}"#)).await.unwrap();
    assert_eq!(again, step, "what was shown to a client stays");
    for (sequence, kind) in [(2, "training_ended"), (4, "gradient_step"), (0, "gradient_step"), (-1, "gradient_step")] {
        let rejected = store.append_event(&second.lease, sequence, new_event(kind, "{}")).await;
        assert!(matches!(rejected, Err(StoreError::Conflict(_))), "{sequence} {kind}: {rejected:?}");
    }
    store.append_event(&second.lease, 3, new_event("gradient_step", "{}")).await.unwrap();
    let ended = Some(new_event("training_ended", "{}"));
    store.finish_job(&second.lease, JobOutcome::Succeeded, None, ended).await.unwrap();
    let log = store.list_events("acme", job.id, page(None, 10, Order::Ascending)).await.unwrap();
    let seen: Vec<(i64, &str)> = log.items.iter().map(|event| (event.sequence, event.kind.as_str())).collect();
    assert_eq!(seen, [(1, "training_started"), (2, "gradient_step"), (3, "gradient_step"), (4, "training_ended")]);
    let ids: BTreeSet<Uuid> = log.items.iter().map(|event| event.id).collect();
    assert_eq!(ids.len(), 4);
}

pub(crate) async fn events_page_by_cursor(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "acme", "two").await);
    let (long, short) = (job(&store, &one).await, job(&store, &two).await);
    let claimed = claim(&store).await;
    for sequence in 1..=45 {
        store.append_event(&claimed.lease, sequence, new_event("gradient_step", "{}")).await.unwrap();
    }
    let other = claim(&store).await;
    let foreign = store.append_event(&other.lease, 1, new_event("gradient_step", "{}")).await.unwrap();
    assert_eq!(foreign.job_id, short.id);
    for order in [Order::Ascending, Order::Descending] {
        let ask = async |after| store.list_events("acme", long.id, page(after, 20, order)).await.unwrap();
        let pages = follow(ask, |event| event.id).await;
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20, 5]);
        let mut sequences: Vec<i64> = pages.iter().flatten().map(|event| event.sequence).collect();
        if order == Order::Descending {
            sequences.reverse();
        }
        assert_eq!(sequences, (1..=45).collect::<Vec<_>>());
    }
    for cursor in [foreign.id, Uuid::now_v7()] {
        let rejected = store.list_events("acme", long.id, page(Some(cursor), 20, Order::Ascending)).await;
        assert!(matches!(rejected, Err(StoreError::InvalidCursor(found)) if found == cursor));
    }
    // A client that waits behind the newest event sees the next one and only that.
    let newest = store.list_events("acme", long.id, page(None, 1, Order::Descending)).await.unwrap().items.remove(0);
    let behind = || page(Some(newest.id), 20, Order::Ascending);
    assert!(store.list_events("acme", long.id, behind()).await.unwrap().items.is_empty());
    let next = store.append_event(&claimed.lease, 46, new_event("gradient_step", "{}")).await.unwrap();
    assert_eq!(store.list_events("acme", long.id, behind()).await.unwrap().items, [next]);
}

pub(crate) async fn parallel_appends_make_one_event(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let lease = claim(&store).await.lease;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        tasks
            .spawn(async move { store.append_event(&lease, 1, new_event("training_started", "{}")).await.unwrap().id });
    }
    let ids: BTreeSet<Uuid> = tasks.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1);
    let log = store.list_events("acme", job.id, page(None, 10, Order::Ascending)).await.unwrap();
    assert_eq!(log.items.len(), 1);
}

pub(crate) async fn the_start_is_recorded_once(store: Store) {
    let model = trained(&store, "acme", "agent", 1).await;
    job(&store, &model).await;
    let first = store.claim_next(&worker("dies"), Duration::ZERO).await.unwrap().unwrap();
    assert_eq!(first.job.start, None);
    let start = store.record_start(&first.lease, Some(artifact("data"))).await.unwrap();
    let expected = JobStart {
        step: 1,
        adapter: Some(adapter("acme agent 1")),
        optimizer: new_checkpoint("acme agent 1").optimizer,
        dataset: Some(artifact("data")),
        reference: None,
    };
    assert_eq!(start, expected);
    let second = claim(&store).await;
    assert_eq!(second.job.start, Some(expected.clone()));
    assert_eq!(store.record_start(&second.lease, Some(artifact("other data"))).await.unwrap(), expected);
    assert_eq!(store.unreferenced_artifacts(&[artifact("data")]).await.unwrap(), []);
}

pub(crate) async fn a_start_outlives_its_checkpoint(store: Store) {
    let model = trained(&store, "acme", "agent", 1).await;
    let queued = job(&store, &model).await;
    let claimed = claim(&store).await;
    let start = store.record_start(&claimed.lease, None).await.unwrap();
    let deleted = store.delete_checkpoints("acme", model.id, &[1], true).await.unwrap();
    assert_eq!((deleted.deleted, deleted.unreferenced), (vec![1], vec![artifact("acme agent data")]));
    assert_eq!(store.record_start(&claimed.lease, None).await.unwrap(), start);
    // A checkpoint that was made from it cannot be made again without it.
    let finished =
        store.finish_job(&claimed.lease, JobOutcome::Succeeded, Some(new_checkpoint("second")), None).await.unwrap();
    assert_eq!(finished.unreferenced, []);
    let adapter = start.adapter.clone().unwrap();
    let mut expected = vec![adapter.config, adapter.weights, start.optimizer.clone().unwrap().state];
    let second = new_checkpoint("second");
    expected.extend([second.adapter.as_ref().unwrap().config, second.adapter.unwrap().weights]);
    expected.push(second.optimizer.unwrap().state);
    expected.sort_unstable();
    let deleted = store.delete_checkpoints("acme", model.id, &[2], true).await.unwrap();
    assert_eq!(deleted.unreferenced, expected);
    let ended = store.get_job("acme", queued.id).await.unwrap();
    assert_eq!(ended.start, Some(start), "what it started from can still be told");
}

pub(crate) async fn a_step_leaves_its_state(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let queued = job(&store, &model).await;
    let first = store.claim_next(&worker("dies"), Duration::ZERO).await.unwrap().unwrap();
    assert_eq!(first.job.resume, None);
    store.append_event(&first.lease, 1, new_event("training_started", "{}")).await.unwrap();
    let state = |step: i64| ResumeState {
        next_step: step,
        adapter: AdapterArtifacts { config: artifact("config"), weights: artifact(&format!("weights {step}")) },
        optimizer: artifact(&format!("optimizer {step}")),
    };
    let record = async |lease: &Lease, step: i64| {
        store.record_step(lease, step + 1, new_event("gradient_step", "{}"), state(step)).await
    };
    assert_eq!(record(&first.lease, 1).await.unwrap(), []);
    let mut replaced = vec![artifact("weights 1"), artifact("optimizer 1")];
    replaced.sort_unstable();
    assert_eq!(record(&first.lease, 2).await.unwrap(), replaced, "the configuration is still referred to");
    // A gap in the events leaves the state as it was.
    assert!(matches!(record(&first.lease, 4).await, Err(StoreError::Conflict(_))));
    let second = claim(&store).await;
    assert_eq!(second.job.resume, Some(state(2)));
    assert_eq!(store.unreferenced_artifacts(&state(2).artifacts()).await.unwrap(), []);
    assert!(matches!(record(&first.lease, 3).await, Err(StoreError::LeaseLost(_))));
    // A step that was recorded before is no step back.
    assert_eq!(record(&second.lease, 1).await.unwrap(), []);
    assert_eq!(store.get_job("acme", queued.id).await.unwrap().resume, Some(state(2)));
    assert_eq!(record(&second.lease, 3).await.unwrap().len(), 2);
    let finished = store.finish_job(&second.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    let mut released = state(3).artifacts();
    released.sort_unstable();
    assert_eq!(finished.unreferenced, released);
}

pub(crate) async fn a_checkpoint_is_published_once(store: Store) {
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let first = store.claim_next(&worker("dies"), Duration::ZERO).await.unwrap().unwrap();
    let published = store.publish_checkpoint(&first.lease, new_checkpoint("one")).await.unwrap();
    assert_eq!(published.step, 1);
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap(), Some(published.clone()));
    let second = claim(&store).await;
    assert_eq!(second.job.published_step, Some(1));
    let again = store.publish_checkpoint(&second.lease, new_checkpoint("one")).await.unwrap();
    assert_eq!(again, published);
    let finished =
        store.finish_job(&second.lease, JobOutcome::Succeeded, Some(new_checkpoint("one")), None).await.unwrap();
    assert_eq!(finished.checkpoint, Some(published));
    assert_eq!(store.get_model("acme", model.id).await.unwrap().last_step, 1);
}

pub(crate) async fn finishing_is_one_transaction(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let lease = claim(&store).await.lease;
    store.append_event(&lease, 1, new_event("training_started", "{}")).await.unwrap();
    // Whoever sees the last event sees the checkpoint and the status, at any moment.
    let watcher = tokio::spawn({
        let (store, job) = (store.clone(), job.clone());
        async move {
            loop {
                let log = store.list_events("acme", job.id, page(None, 1, Order::Descending)).await.unwrap();
                if log.items[0].kind == "training_ended" {
                    let newest = store.newest_checkpoint("acme", job.model_id).await.unwrap().unwrap();
                    return (newest.step, store.get_job("acme", job.id).await.unwrap().status);
                }
            }
        }
    });
    let ended = Some(new_event("training_ended", "{}"));
    let finished = store.finish_job(&lease, JobOutcome::Succeeded, Some(new_checkpoint("one")), ended).await.unwrap();
    assert_eq!(finished.checkpoint.unwrap().step, 1);
    assert_eq!(watcher.await.unwrap(), (1, JobStatus::Succeeded));
    let ended = store.get_job("acme", job.id).await.unwrap();
    assert!(ended.ended_at >= ended.started_at && ended.started_at >= Some(ended.created_at));
    assert_eq!((&ended.lease_owner, &ended.error), (&None, &None));
}

pub(crate) async fn a_failed_job_says_why(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let lease = claim(&store).await.lease;
    let event: NewEvent = new_event("training_failed", r#"{"error_message":"no data"}"#);
    let finished = store.finish_job(&lease, failed("no data"), None, Some(event)).await.unwrap();
    assert_eq!(finished.checkpoint, None);
    let failed = store.get_job("acme", job.id).await.unwrap();
    assert_eq!(
        (failed.status, failed.error.as_ref().map(|error| &*error.message)),
        (JobStatus::Failed, Some("no data"))
    );
    let log = store.list_events("acme", job.id, page(None, 10, Order::Ascending)).await.unwrap();
    assert_eq!((log.items[0].sequence, log.items[0].kind.as_str()), (1, "training_failed"));
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap().unwrap().step, 0);
    assert_eq!(store.queue_depth().await.unwrap(), Default::default());
}

pub(crate) async fn metrics_must_be_finite(store: Store) {
    let model = model(&store, "acme", "agent").await;
    job(&store, &model).await;
    let lease = claim(&store).await.lease;
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut checkpoint = new_checkpoint("one");
        checkpoint.metrics.insert("bad".to_owned(), value);
        let rejected = store.finish_job(&lease, JobOutcome::Succeeded, Some(checkpoint), None).await;
        assert!(matches!(rejected, Err(StoreError::InvalidValue(_))));
    }
    // Rejected as a whole: no step was used up and the job goes on.
    assert_eq!(store.publish_checkpoint(&lease, new_checkpoint("one")).await.unwrap().step, 1);
}

pub(crate) async fn an_ended_job_releases_its_data(store: Store) {
    let model = model(&store, "acme", "agent").await;
    for (outcome, body) in [(JobOutcome::Succeeded, "good body"), (failed("bad rows"), "bad body")] {
        let mut wanted = new_job(&model);
        wanted.input = JobInput::Artifact(artifact(body));
        let queued = store.create_job(wanted).await.unwrap();
        let claimed = claim(&store).await;
        let data = artifact(&format!("data beside {body}"));
        store.record_start(&claimed.lease, Some(data)).await.unwrap();
        let mut both = vec![artifact(body), data];
        both.sort_unstable();
        // Neither a running nor a given back job lets go of its data.
        assert_eq!(store.unreferenced_artifacts(&both).await.unwrap(), []);
        store.release_job(&claimed.lease, None).await.unwrap();
        assert_eq!(store.unreferenced_artifacts(&both).await.unwrap(), []);
        let again = claim(&store).await;
        let finished = store.finish_job(&again.lease, outcome, None, None).await.unwrap();
        assert_eq!(finished.unreferenced, both);
        assert_eq!(store.unreferenced_artifacts(&both).await.unwrap(), both);
        assert_eq!(store.get_job("acme", queued.id).await.unwrap().input, JobInput::Artifact(artifact(body)));
    }
}

pub(crate) async fn equal_data_stays_until_its_last_job_ends(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "rival", "two").await);
    for model in [&one, &two] {
        let mut wanted = new_job(model);
        wanted.input = JobInput::Artifact(artifact("same body"));
        store.create_job(wanted).await.unwrap();
    }
    let first = claim(&store).await;
    let finished = store.finish_job(&first.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    assert_eq!(finished.unreferenced, [], "the other job waits for the same bytes");
    let second = claim(&store).await;
    let finished = store.finish_job(&second.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    assert_eq!(finished.unreferenced, [artifact("same body")]);
}

pub(crate) async fn only_the_newest_checkpoint_keeps_optimizer_state(store: Store) {
    let (model, other) = (trained(&store, "acme", "agent", 1).await, trained(&store, "acme", "other", 1).await);
    let state = |name: &str| new_checkpoint(name).optimizer.unwrap().state;
    // With the checkpoint in the last transaction, and with the checkpoint before it.
    for (step, early) in [(2, false), (3, true)] {
        job(&store, &model).await;
        let claimed = claim(&store).await;
        let start = store.record_start(&claimed.lease, Some(artifact("more data"))).await.unwrap();
        store.record_trainer(&claimed.lease, ENGINE).await.unwrap();
        let before = start.optimizer.unwrap().state;
        let checkpoint = new_checkpoint(&format!("acme agent {step}"));
        if early {
            store.publish_checkpoint(&claimed.lease, checkpoint.clone()).await.unwrap();
            assert_eq!(store.unreferenced_artifacts(&[before]).await.unwrap(), [], "the job still works from it");
        }
        let finished = store.finish_job(&claimed.lease, JobOutcome::Succeeded, Some(checkpoint), None).await.unwrap();
        assert_eq!(before, state(&format!("acme agent {}", step - 1)));
        assert_eq!(finished.unreferenced, [before]);
    }
    // Also when the job never recorded what it started from.
    job(&store, &model).await;
    let claimed = claim(&store).await;
    let finished = store
        .finish_job(&claimed.lease, JobOutcome::Succeeded, Some(new_checkpoint("acme agent 4")), None)
        .await
        .unwrap();
    assert_eq!(finished.unreferenced, [state("acme agent 3")]);
    let all = store.list_checkpoints("acme", model.id, page(None, 10, Order::Ascending)).await.unwrap().items;
    let kept: Vec<_> = all.iter().map(|checkpoint| checkpoint.optimizer.as_ref().map(|saved| saved.state)).collect();
    assert_eq!(kept, [None, None, None, None, Some(state("acme agent 4"))]);
    assert!(all[1..].iter().all(|checkpoint| checkpoint.adapter.is_some()), "every step can still be served");
    let untouched = store.newest_checkpoint("acme", other.id).await.unwrap().unwrap();
    assert_eq!(untouched.optimizer.unwrap().state, state("acme other 1"));
    // Without the newest one, training goes on from the step before it, with fresh moments.
    store.delete_checkpoints("acme", model.id, &[4], true).await.unwrap();
    job(&store, &model).await;
    let start = store.record_start(&claim(&store).await.lease, None).await.unwrap();
    assert_eq!((start.step, start.adapter, start.optimizer), (3, Some(adapter("acme agent 3")), None));
}

pub(crate) async fn a_kept_optimizer_state_stays(store: Store) {
    let model = trained(&store, "acme", "agent", 1).await;
    let state = new_checkpoint("acme agent 1").optimizer;
    // A failed job leaves the newest checkpoint as it was.
    job(&store, &model).await;
    let lease = claim(&store).await.lease;
    store.record_start(&lease, None).await.unwrap();
    let finished = store.finish_job(&lease, failed("no"), None, None).await.unwrap();
    assert_eq!(finished.unreferenced, []);
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap().unwrap().optimizer, state);
    // A job with nothing to learn publishes what it started from once more.
    job(&store, &model).await;
    let lease = claim(&store).await.lease;
    let start = store.record_start(&lease, None).await.unwrap();
    let mut checkpoint = new_checkpoint("unused");
    (checkpoint.adapter, checkpoint.optimizer) = (start.adapter, start.optimizer);
    let finished = store.finish_job(&lease, JobOutcome::Succeeded, Some(checkpoint), None).await.unwrap();
    assert_eq!(finished.unreferenced, []);
    assert_eq!(finished.checkpoint.unwrap().optimizer, state);
    assert_eq!(store.checkpoint_at_step("acme", model.id, 1).await.unwrap().optimizer, None);
}
