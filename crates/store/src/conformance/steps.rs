//! Rules of optimizer steps across jobs.

use uuid::Uuid;

use super::{Store, claim, failed, job, model, new_event};
use crate::metadata::StoreError;
use crate::records::{JobOutcome, JobSteps, NewCheckpoint, StepsOf};

pub(crate) async fn steps_of_a_model_are_those_of_its_jobs_in_their_order(store: Store) {
    let (agent, other) = (model(&store, "acme", "agent").await, model(&store, "acme", "other").await);
    let mut ids = Vec::new();
    // Of the model: one that succeeded, one that failed, one without steps, one that runs.
    for (number, steps, outcome) in [
        (0, 3, Some(JobOutcome::Succeeded)),
        (1, 2, Some(failed("no"))),
        (2, 0, Some(JobOutcome::Succeeded)),
        (3, 2, None),
    ] {
        ids.push(job(&store, &agent).await.id);
        let lease = claim(&store).await.lease;
        store.append_event(&lease, 1, new_event("training_started", "{}")).await.unwrap();
        for step in 1..=steps {
            let data = format!("{{\"loss\":{}}}", 10 * number + step);
            store.append_event(&lease, step + 1, new_event("gradient_step", &data)).await.unwrap();
        }
        let checkpoint = matches!(outcome, Some(JobOutcome::Succeeded)).then(NewCheckpoint::default);
        if let Some(outcome) = outcome {
            let ended = Some(new_event("training_ended", "{}"));
            store.finish_job(&lease, outcome, checkpoint, ended).await.unwrap();
        }
    }
    job(&store, &agent).await;
    job(&store, &other).await;
    let lease = claim(&store).await.lease;
    store.append_event(&lease, 1, new_event("training_started", "{}")).await.unwrap();
    store.append_event(&lease, 2, new_event("gradient_step", "{}")).await.unwrap();

    let kind = crate::records::JobKind::Sft;
    let of_model = StepsOf::Model(agent.id);
    let jobs = [(ids[0], 3, Some(1)), (ids[2], 0, Some(2)), (ids[3], 2, None)];
    let announcement = Some("{}".to_owned());
    let job_steps = |(job_id, steps, published_step)| {
        let announcement = announcement.clone();
        JobSteps { job_id, kind, steps, published_step, announcement }
    };
    let expected = jobs.map(job_steps);
    assert_eq!(store.list_job_steps("acme", of_model).await.unwrap(), expected);
    let data = async |of: StepsOf, limit: u32| {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = store.list_steps("acme", of, after, limit).await.unwrap();
            let Some(last) = page.last() else { return all };
            assert!(page.len() <= limit as usize && page.iter().all(|step| step.created_at > 0));
            after = Some(last.position);
            all.extend(page.into_iter().map(|step| (step.job_id, step.data)));
        }
    };
    let step = |number: usize, loss: i64| (ids[number], format!("{{\"loss\":{loss}}}"));
    let expected = [step(0, 1), step(0, 2), step(0, 3), step(3, 31), step(3, 32)];
    for limit in [1, 2, 100] {
        assert_eq!(data(of_model, limit).await, expected, "{limit} at a time");
    }
    assert_eq!(data(StepsOf::Job(ids[1]), 1).await, [step(1, 11), step(1, 12)], "a failed one has its own");
    let failed = store.list_job_steps("acme", StepsOf::Job(ids[1])).await.unwrap();
    assert_eq!(failed, [job_steps((ids[1], 2, None))]);
    for of in [of_model, StepsOf::Job(ids[0]), StepsOf::Job(Uuid::now_v7()), StepsOf::Model(Uuid::now_v7())] {
        assert!(matches!(store.list_job_steps("rival", of).await, Err(StoreError::NotFound(_))), "{of:?}");
        assert!(store.list_steps("rival", of, None, 9).await.unwrap().is_empty());
    }
}
