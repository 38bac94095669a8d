//! Rules of the order in which jobs are claimed.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::Handle;
use uuid::Uuid;

use super::{LONG, Store, artifact, claim, job, model, new_job, worker};
use crate::records::{ClaimedJob, JobInput, JobOutcome, ModelRecord, NewJob, WorkerProfile};

/// Claims the next job and ends it; returns it.
async fn start(store: &Store) -> Option<ClaimedJob> {
    let claimed = store.claim_next(&worker("worker"), LONG).await.unwrap()?;
    store.finish_job(&claimed.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    Some(claimed)
}

/// The owners of the jobs in the order of their claims.
async fn order<T>(store: &Store, owner: impl Fn(ClaimedJob) -> T) -> Vec<T> {
    let mut order = Vec::new();
    while let Some(claimed) = start(store).await {
        order.push(owner(claimed));
    }
    order
}

pub(crate) async fn an_entity_that_comes_later_is_served_second(store: Store) {
    for number in 0..12 {
        job(&store, &model(&store, "acme", &format!("agent-{number}")).await).await;
    }
    let late = job(&store, &model(&store, "rival", "agent").await).await;
    let first = claim(&store).await;
    assert_eq!(first.job.entity, "acme", "it is the oldest");
    assert_eq!(claim(&store).await.job.id, late.id);
    // Another one whose first job runs already has had its share too.
    let next = claim(&store).await;
    assert_eq!(next.job.entity, "acme");
    let newcomer = job(&store, &model(&store, "other", "agent").await).await;
    assert_eq!(claim(&store).await.job.id, newcomer.id);
}

pub(crate) async fn entities_take_turns(store: Store) {
    for entity in ["a", "b", "c"] {
        for number in 0..4 {
            job(&store, &model(&store, entity, &format!("agent-{number}")).await).await;
        }
    }
    let order = order(&store, |claimed| claimed.job.summary.entity).await;
    assert_eq!(order, ["a", "b", "c"].repeat(4));
}

pub(crate) async fn models_of_an_entity_take_turns(store: Store) {
    let (one, two) = (model(&store, "acme", "one").await, model(&store, "acme", "two").await);
    for model in [&one, &one, &one, &two, &two] {
        job(&store, model).await;
    }
    let order = order(&store, |claimed| claimed.job.model_id).await;
    assert_eq!(order, [one.id, two.id, one.id, two.id, one.id]);
}

pub(crate) async fn a_deleted_model_does_not_reset_the_share(store: Store) {
    let models = [model(&store, "acme", "one").await, model(&store, "acme", "two").await];
    let rival = model(&store, "rival", "agent").await;
    job(&store, &models[0]).await;
    job(&store, &rival).await;
    assert_eq!(start(&store).await.unwrap().job.entity, "acme");
    assert_eq!(start(&store).await.unwrap().job.entity, "rival");
    job(&store, &models[0]).await;
    assert_eq!(start(&store).await.unwrap().job.entity, "acme");
    store.delete_model("acme", models[0].id).await.unwrap();
    job(&store, &models[1]).await;
    job(&store, &rival).await;
    assert_eq!(start(&store).await.unwrap().job.entity, "rival");
}

pub(crate) async fn excluded_entities_are_left_to_others(store: Store) {
    let acme = job(&store, &model(&store, "acme", "agent").await).await;
    let rival = job(&store, &model(&store, "rival", "agent").await).await;
    let excluding = |entities: &[&str]| WorkerProfile {
        excluded_entities: entities.iter().map(|entity| (*entity).to_owned()).collect(),
        ..worker("busy")
    };
    assert_eq!(store.claim_next(&excluding(&["acme", "rival"]), LONG).await.unwrap(), None);
    assert_eq!(store.count_jobs_for_others(&excluding(&["acme"])).await.unwrap(), 0, "it can compute them");
    let claimed = store.claim_next(&excluding(&["acme"]), LONG).await.unwrap().unwrap();
    assert_eq!(claimed.job.id, rival.id);
    assert_eq!(claim(&store).await.job.id, acme.id);
}

pub(crate) async fn excluded_sources_are_left_to_others(store: Store) {
    let from_url = job(&store, &model(&store, "acme", "slow").await).await;
    let input = JobInput::Artifact(artifact("rows"));
    let ready = NewJob { input, ..new_job(&model(&store, "acme", "ready").await) };
    let ready = store.create_job(ready).await.unwrap();
    let excluding = WorkerProfile { excluded_sources: vec!["acme".to_owned()], ..worker("busy") };
    assert_eq!(store.claim_next(&excluding, LONG).await.unwrap().unwrap().job.id, ready.id);
    assert_eq!(store.claim_next(&excluding, LONG).await.unwrap(), None);
    let ClaimedJob { job, lease } = claim(&store).await;
    assert_eq!(job.id, from_url.id);
    store.record_start(&lease, Some(artifact("fetched"))).await.unwrap();
    store.release_job(&lease, None).await.unwrap();
    let again = store.claim_next(&excluding, LONG).await.unwrap().unwrap();
    assert_eq!(again.job.id, from_url.id, "its data is fetched");
}

/// Something that happens in a queue.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Arrival { entity: usize, model: usize },
    Start,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        (0_usize..4, 0_usize..3).prop_map(|(entity, model)| Happening::Arrival { entity, model }),
        Just(Happening::Start),
    ]
}

/// The wait of one party for a start.
#[derive(Debug)]
struct Wait {
    /// Starts of others since it waits.
    starts: usize,
    /// Every party that waited meanwhile, with itself.
    waiting: BTreeSet<usize>,
}

/// Parties that share starts.
#[derive(Debug, Default)]
struct Parties {
    queued: BTreeMap<usize, usize>,
    waits: BTreeMap<usize, Wait>,
}

impl Parties {
    fn arrives(&mut self, party: usize) {
        *self.queued.entry(party).or_default() += 1;
        for wait in self.waits.values_mut() {
            wait.waiting.insert(party);
        }
        self.waits(party);
    }

    fn waits(&mut self, party: usize) {
        let waiting = self.waits.keys().copied().chain([party]).collect();
        self.waits.entry(party).or_insert(Wait { starts: 0, waiting });
    }

    /// Counts a start; whoever still waits must have a start left within the bound.
    fn starts(&mut self, party: usize) -> Result<(), TestCaseError> {
        self.waits.remove(&party);
        for (other, wait) in &mut self.waits {
            wait.starts += 1;
            prop_assert!(wait.starts < wait.waiting.len(), "{} waits too long: {:?}", other, wait);
        }
        let queued = self.queued.entry(party).or_default();
        *queued -= 1;
        if *queued > 0 {
            self.waits(party);
        }
        Ok(())
    }
}

/// Plays what happens, and checks the bound for the entities, and for the models of each entity.
async fn play(store: &Store, models: &[Vec<ModelRecord>], happenings: Vec<Happening>) -> Result<(), TestCaseError> {
    let of = |id: Uuid| {
        let position = |entity: &Vec<ModelRecord>| entity.iter().position(|model| model.id == id);
        models.iter().enumerate().find_map(|(entity, models)| Some((entity, position(models)?))).expect("one of ours")
    };
    while start(store).await.is_some() {}
    let mut entities = Parties::default();
    let mut of_entity: Vec<Parties> = models.iter().map(|_| Parties::default()).collect();
    for happening in happenings.into_iter().chain([Happening::Start; 100]) {
        match happening {
            Happening::Arrival { entity, model } => {
                job(store, &models[entity][model]).await;
                entities.arrives(entity);
                of_entity[entity].arrives(model);
            }
            Happening::Start => {
                let Some(started) = start(store).await else { continue };
                let (entity, model) = of(started.job.model_id);
                entities.starts(entity)?;
                of_entity[entity].starts(model)?;
            }
        }
    }
    prop_assert!(entities.waits.is_empty(), "{:?}", entities);
    Ok(())
}

pub(crate) async fn every_entity_and_model_starts_within_as_many_starts_as_wait(store: Store) {
    let mut models = Vec::new();
    for entity in 0..4 {
        let mut of_entity = Vec::new();
        for number in 0..3 {
            of_entity.push(model(&store, &format!("entity-{entity}"), &format!("agent-{number}")).await);
        }
        models.push(of_entity);
    }
    let mut runner = TestRunner::new(Config { cases: 8, failure_persistence: None, ..Config::default() });
    let happenings = proptest::collection::vec(happening(), 1..60);
    tokio::task::block_in_place(|| {
        let played = |happenings| Handle::current().block_on(play(&store, &models, happenings));
        runner.run(&happenings, played).unwrap();
    });
}
