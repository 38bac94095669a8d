//! Rules of what owners see of their jobs and models, and of ending a job.

use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::{
    Store, adapter, artifact, claim, failed, follow, job, model, new_checkpoint, new_event, new_job, new_model, page,
    trained,
};
use crate::metadata::StoreError;
use crate::records::{
    JobErrorCode, JobFilter, JobInput, JobKind, JobLabels, JobOutcome, JobStatus, LabelChange, ModelCreation,
    ModelFilter, NewJob, Order, RecentSteps, ResumeState, Wait, WaitReason,
};

pub(crate) async fn a_job_says_how_far_it_is(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let [first, second] = [job(&store, &model).await, job(&store, &model).await];
    let state = async |id: Uuid| store.get_job_state("acme", id).await.unwrap();
    let waiting = [state(first.id).await, state(second.id).await];
    assert_eq!(waiting.each_ref().map(|state| state.queue_position), [Some(0), Some(1)]);
    assert_eq!((waiting[0].steps, waiting[0].trained_tokens, &waiting[0].announcement), (0, 0, &None));
    let lease = claim(&store).await.lease;
    let announced = r#"{"num_sequences":3}"#;
    store.append_event(&lease, 1, new_event("training_started", announced)).await.unwrap();
    for (sequence, data) in [(2, r#"{"row/num_trained_tokens":12.0}"#), (3, r#"{"num_trainable_tokens":5}"#), (4, "{}")]
    {
        store.append_event(&lease, sequence, new_event("gradient_step", data)).await.unwrap();
    }
    let running = state(first.id).await;
    assert_eq!((running.steps, running.trained_tokens, running.queue_position), (3, 17, None));
    assert_eq!(running.announcement.as_deref(), Some(announced));
    assert_eq!(running.job, store.get_job("acme", first.id).await.unwrap().summary);
    assert_eq!(state(second.id).await.queue_position, Some(0), "what runs does not wait");
    let foreign = store.get_job_state("rival", first.id).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("training job"))));
    let came_to = async |id: Uuid| -> serde_json::Value {
        let log = store.list_events("acme", id, page(None, 1, Order::Descending)).await.unwrap();
        serde_json::from_str(&log.items[0].data).unwrap()
    };
    let event = || new_event("training_failed", r#"{"error_message":"no"}"#);
    store.finish_job(&lease, failed("no"), None, Some(event())).await.unwrap();
    let totals = json!({ "error_message": "no", "num_gradient_steps": 3, "num_trained_tokens": 17 });
    assert_eq!(came_to(first.id).await, totals);
    store.cancel_job("acme", second.id, "no", event()).await.unwrap();
    let totals = json!({ "error_message": "no", "num_gradient_steps": 0, "num_trained_tokens": 0 });
    assert_eq!(came_to(second.id).await, totals, "also of one that never ran");
}

pub(crate) async fn a_running_job_says_for_what_it_waits(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let waiting = async || store.get_job_state("acme", job.id).await.unwrap().waiting;
    let lease = claim(&store).await.lease;
    assert_eq!(waiting().await, None);
    let learner = |message| Some(Wait { reason: WaitReason::Learner, message: Some(message) });
    store.note_waiting(&lease, learner("a\0GPU")).await.unwrap();
    let noted = waiting().await.expect("it waits");
    assert_eq!(noted.reason, WaitReason::Learner);
    assert!(noted.message.is_some_and(|message| message.starts_with('a') && message.ends_with("GPU")));
    tokio::time::sleep(Duration::from_millis(5)).await;
    store.note_waiting(&lease, learner("another GPU")).await.unwrap();
    assert_eq!(waiting().await.map(|waiting| waiting.since), Some(noted.since), "it waits for the same thing");
    let listed = store.list_jobs("acme", JobFilter::default(), page(None, 1, Order::Descending)).await.unwrap();
    assert_eq!(listed.items[0].waiting, waiting().await);
    store.note_waiting(&lease, None).await.unwrap();
    assert_eq!(waiting().await, None);
    store.note_waiting(&lease, learner("a GPU")).await.unwrap();
    store.release_job(&lease, None).await.unwrap();
    let queued = waiting().await.expect("it waits in the queue");
    assert_eq!((queued.reason, queued.message), (WaitReason::Worker, None));
    let late = store.note_waiting(&lease, learner("a GPU")).await;
    assert!(matches!(late, Err(StoreError::LeaseLost(_))));
    let lease = claim(&store).await.lease;
    assert_eq!(waiting().await, None);
    store.note_waiting(&lease, learner("a GPU")).await.unwrap();
    store.expire_leases_of_other_owners("another").await.unwrap();
    assert_eq!(waiting().await.map(|waiting| waiting.reason), Some(WaitReason::Worker));
}

pub(crate) async fn a_running_job_has_the_time_of_its_last_steps(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let job = job(&store, &model).await;
    let recent = async || store.get_job_state("acme", job.id).await.unwrap().recent_steps;
    assert_eq!(recent().await, None, "it is queued");
    let lease = claim(&store).await.lease;
    let mut times = Vec::new();
    for sequence in 1..=26 {
        let kind = if sequence == 1 { "training_started" } else { "gradient_step" };
        times.push(store.append_event(&lease, sequence, new_event(kind, "{}")).await.unwrap().created_at);
        let count = sequence - 1;
        let expected = (count > 0).then(|| {
            let last = times.len() - 1;
            let first = last.saturating_sub(20);
            RecentSteps { count: count.min(20), since: times[first], until: times[last] }
        });
        assert_eq!(recent().await, expected, "after event {sequence}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

pub(crate) async fn jobs_are_listed_by_what_they_are(store: Store) {
    let [one, other] = [model(&store, "acme", "one").await, model(&store, "acme", "other").await];
    let rival = model(&store, "rival", "agent").await;
    let rl = NewJob { kind: JobKind::Rl, input: JobInput::Artifact(artifact("rollouts")), ..new_job(&other) };
    let jobs = [job(&store, &one).await.id, store.create_job(rl).await.unwrap().id, job(&store, &one).await.id];
    let foreign = job(&store, &rival).await.id;
    let lease = claim(&store).await.lease;
    store.finish_job(&lease, failed("no"), None, None).await.unwrap();
    store.cancel_job("acme", jobs[2], "enough", new_event("training_failed", "{}")).await.unwrap();
    let listed = async |filter: JobFilter<'static>, order: Order| -> Vec<Uuid> {
        let page_of = async |after| store.list_jobs("acme", filter, page(after, 2, order)).await.unwrap();
        follow(page_of, |state| state.job.id).await.into_iter().flatten().map(|state| state.job.id).collect()
    };
    let all = JobFilter::default();
    assert_eq!(listed(all, Order::Ascending).await, jobs);
    assert_eq!(listed(all, Order::Descending).await, [jobs[2], jobs[1], jobs[0]]);
    let of_model = JobFilter { model_id: Some(one.id), ..all };
    assert_eq!(listed(of_model, Order::Ascending).await, [jobs[0], jobs[2]]);
    assert_eq!(listed(JobFilter { kind: Some(JobKind::Rl), ..all }, Order::Ascending).await, [jobs[1]]);
    for (status, expected) in [
        (JobStatus::Queued, &jobs[1..2]),
        (JobStatus::Failed, &jobs[..1]),
        (JobStatus::Cancelled, &jobs[2..]),
        (JobStatus::Running, &[]),
    ] {
        assert_eq!(listed(JobFilter { status: Some(status), ..all }, Order::Ascending).await, expected, "{status:?}");
    }
    let nothing = JobFilter { model_id: Some(rival.id), ..all };
    assert!(listed(nothing, Order::Ascending).await.is_empty(), "a model of somebody else has no jobs here");
    for cursor in [foreign, Uuid::now_v7()] {
        let rejected = store.list_jobs("acme", all, page(Some(cursor), 2, Order::Ascending)).await;
        assert!(matches!(rejected, Err(StoreError::InvalidCursor(id)) if id == cursor));
    }
}

pub(crate) async fn a_waiting_job_is_cancelled_once(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let rollouts = artifact("rollouts");
    let rl = NewJob { kind: JobKind::Rl, input: JobInput::Artifact(rollouts), ..new_job(&model) };
    let [first, second] = [store.create_job(rl).await.unwrap(), job(&store, &model).await];
    let event = || new_event("training_failed", r#"{"error_message":"enough"}"#);
    let foreign = store.cancel_job("rival", first.id, "enough", event()).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("training job"))));
    let cancelled = store.cancel_job("acme", first.id, "enough", event()).await.unwrap();
    assert_eq!(cancelled.unreferenced, [rollouts]);
    let job = &cancelled.state.job;
    let error = job.error.as_ref().expect("an error");
    assert_eq!((job.status, error.code, &*error.message), (JobStatus::Cancelled, JobErrorCode::Cancelled, "enough"));
    assert!(job.ended_at.is_some() && job.started_at.is_none());
    let again = store.cancel_job("acme", first.id, "once more", event()).await.unwrap();
    assert_eq!((again.state, again.unreferenced), (cancelled.state, vec![]));
    let log = store.list_events("acme", first.id, page(None, 10, Order::Ascending)).await.unwrap();
    assert_eq!(
        log.items.iter().map(|event| (event.sequence, &*event.kind)).collect::<Vec<_>>(),
        [(1, "training_failed")]
    );
    assert_eq!(claim(&store).await.job.id, second.id, "the next job of the model goes on");
}

pub(crate) async fn the_owner_of_a_cancelled_job_writes_no_further_rows(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let [first, second] = [job(&store, &model).await, job(&store, &model).await];
    let lease = claim(&store).await.lease;
    store.record_start(&lease, None).await.unwrap();
    store.append_event(&lease, 1, new_event("training_started", "{}")).await.unwrap();
    let state = ResumeState { next_step: 1, adapter: adapter("state"), optimizer: artifact("state") };
    store.record_step(&lease, 2, new_event("gradient_step", "{}"), state.clone()).await.unwrap();
    let cancelled = store.cancel_job("acme", first.id, "enough", new_event("training_failed", "{}")).await.unwrap();
    assert_eq!((cancelled.state.steps, store.get_job("acme", first.id).await.unwrap().summary.lease_owner), (1, None));
    let mut released = cancelled.unreferenced;
    let mut expected = state.artifacts().to_vec();
    released.sort();
    expected.sort();
    assert_eq!(released, expected);
    super::queue::assert_lost(&store, &lease).await;
    let log = store.list_events("acme", first.id, page(None, 10, Order::Ascending)).await.unwrap();
    let kinds: Vec<_> = log.items.iter().map(|event| (event.sequence, &*event.kind)).collect();
    assert_eq!(kinds, [(1, "training_started"), (2, "gradient_step"), (3, "training_failed")]);
    assert_eq!(store.newest_checkpoint("acme", model.id).await.unwrap().unwrap().step, 0, "the model stays as it was");
    let next = claim(&store).await;
    assert_eq!(next.job.id, second.id);
    store.finish_job(&next.lease, JobOutcome::Succeeded, Some(new_checkpoint("next")), None).await.unwrap();
    let ended = store.cancel_job("acme", second.id, "late", new_event("training_failed", "{}")).await;
    assert!(matches!(ended, Err(StoreError::Conflict(reason)) if reason.contains("succeeded")));
}

pub(crate) async fn jobs_are_named_and_found_by_their_labels(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let labels =
        JobLabels { name: Some("Warm start 100%".to_owned()), tags: vec!["Baseline".to_owned(), "b".to_owned()] };
    let named = store.create_job(NewJob { labels: labels.clone(), ..new_job(&model) }).await.unwrap();
    assert_eq!(named.labels, labels);
    let other = job(&store, &model).await.id;
    assert_eq!(store.get_job_state("acme", other).await.unwrap().job.labels, JobLabels::default());
    let listed = async |text: &'static str| -> Vec<Uuid> {
        let filter = JobFilter { text: Some(text), ..JobFilter::default() };
        let page = store.list_jobs("acme", filter, page(None, 9, Order::Ascending)).await.unwrap();
        page.items.into_iter().map(|state| state.job.id).collect()
    };
    for text in ["warm start", "100%", "baseline", "b"] {
        assert_eq!(listed(text).await, [named.id], "{text}");
    }
    for text in ["%", "_arm", "\"baseline", ","] {
        assert_eq!(listed(text).await, if text == "%" { vec![named.id] } else { vec![] }, "{text}");
    }
    let change = |name, tags: Option<&[&str]>| LabelChange {
        name,
        tags: tags.map(|tags| tags.iter().map(|&tag| tag.to_owned()).collect()),
    };
    let changed = async |id, change| store.set_job_labels("acme", id, change).await.unwrap().job.labels;
    assert_eq!(changed(named.id, LabelChange::default()).await, labels);
    let without_name = JobLabels { name: None, ..labels };
    assert_eq!(changed(named.id, change(Some(None), None)).await, without_name);
    assert_eq!(changed(named.id, change(None, Some(&[]))).await, JobLabels::default());
    let named_later = changed(other, change(Some(Some("second".to_owned())), Some(&["b"]))).await;
    assert_eq!(store.get_job("acme", other).await.unwrap().labels, named_later);
    assert_eq!(listed("b").await, [other]);
    let foreign = store.set_job_labels("rival", other, LabelChange::default()).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("training job"))));
}

pub(crate) async fn models_page_by_project(store: Store) {
    let mut made = Vec::new();
    for (entity, project) in [("acme", "a"), ("acme", "b"), ("rival", "a"), ("acme", "a"), ("acme", "a")] {
        let new = new_model(entity, project, &format!("agent{}", made.len()));
        let ModelCreation::Created(model) = store.create_model(new).await.unwrap() else { panic!("a new name") };
        made.push(model.id);
    }
    let listed = async |filter: ModelFilter<'static>, order: Order| -> Vec<Uuid> {
        let page_of = async |after| store.page_models("acme", filter, page(after, 2, order)).await.unwrap();
        follow(page_of, |model| model.id).await.into_iter().flatten().map(|model| model.id).collect()
    };
    let of = |project| ModelFilter { project: Some(project), ..ModelFilter::default() };
    assert_eq!(listed(ModelFilter::default(), Order::Ascending).await, [made[0], made[1], made[3], made[4]]);
    assert_eq!(listed(of("a"), Order::Descending).await, [made[4], made[3], made[0]]);
    assert!(listed(of("a\0"), Order::Ascending).await.is_empty());
    let named = |text| ModelFilter { text: Some(text), ..ModelFilter::default() };
    assert_eq!(listed(named("a/agent"), Order::Ascending).await, [made[0], made[3], made[4]]);
    assert_eq!(listed(ModelFilter { text: Some("agent4"), ..of("a") }, Order::Descending).await, [made[4]]);
    assert!(listed(named("%"), Order::Ascending).await.is_empty());
    let rejected = store.page_models("acme", ModelFilter::default(), page(Some(made[2]), 2, Order::Ascending)).await;
    assert!(matches!(rejected, Err(StoreError::InvalidCursor(_))));
}

pub(crate) async fn newest_checkpoints_are_of_all_models_of_the_entity(store: Store) {
    let first = trained(&store, "acme", "first", 2).await;
    let second = trained(&store, "acme", "second", 1).await;
    trained(&store, "rival", "agent", 3).await;
    let listed = async |limit| -> Vec<(Uuid, i64)> {
        let checkpoints = store.list_newest("acme", limit).await.unwrap().checkpoints;
        assert!(checkpoints.is_sorted_by(|left, right| left.created_at >= right.created_at));
        checkpoints.iter().map(|checkpoint| (checkpoint.model_id, checkpoint.step)).collect()
    };
    let mut all = listed(100).await;
    assert_eq!(listed(2).await, all[..2]);
    all.sort_unstable();
    let mut expected = vec![(first.id, 0), (first.id, 1), (first.id, 2), (second.id, 0), (second.id, 1)];
    expected.sort_unstable();
    assert_eq!(all, expected);
    let models = async |limit| -> Vec<Uuid> {
        let newest = store.list_newest("acme", limit).await.unwrap();
        newest.models.iter().map(|model| model.id).collect()
    };
    assert_eq!((models(100).await, models(1).await), (vec![second.id, first.id], vec![second.id]));
    let nobody = store.list_newest("nobody", 100).await.unwrap();
    assert!(nobody.models.is_empty() && nobody.checkpoints.is_empty());
}

pub(crate) async fn jobs_of_every_entity_are_listed(store: Store) {
    let [ours, theirs] = [model(&store, "acme", "agent").await, model(&store, "rival", "agent").await];
    let jobs = [job(&store, &ours).await.id, job(&store, &theirs).await.id, job(&store, &ours).await.id];
    let listed = async |filter: JobFilter<'static>, order: Order| -> Vec<Uuid> {
        let page_of = async |after| store.list_all_jobs(filter, page(after, 2, order)).await.unwrap();
        follow(page_of, |state| state.job.id).await.into_iter().flatten().map(|state| state.job.id).collect()
    };
    let all = JobFilter::default();
    assert_eq!(listed(all, Order::Ascending).await, jobs);
    assert_eq!(listed(all, Order::Descending).await, [jobs[2], jobs[1], jobs[0]]);
    claim(&store).await;
    assert_eq!(listed(JobFilter { status: Some(JobStatus::Running), ..all }, Order::Ascending).await, [jobs[0]]);
    let rejected = store.list_all_jobs(all, page(Some(Uuid::now_v7()), 2, Order::Ascending)).await;
    assert!(matches!(rejected, Err(StoreError::InvalidCursor(_))));
}
