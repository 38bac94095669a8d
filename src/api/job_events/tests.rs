use axum::response::IntoResponse;
use futures_util::StreamExt;
use tokio::sync::watch;

use super::*;
use crate::engine::{TrainingMethod, WeightFormat};
use crate::http::EventStream;
use crate::store::records::{
    ClaimedJob, JobErrorCode, JobFailure, JobInput, JobKind, JobLabels, JobOutcome, NewEvent, NewJob, NewModel,
    Provenance, TrainerKind, WorkerProfile,
};
use crate::store::sqlite::SqliteMetadata;

/// A running job, its events written by the test.
struct Running {
    _directory: tempfile::TempDir,
    metadata: Arc<dyn Metadata>,
    tails: Arc<EventTails>,
    claimed: ClaimedJob,
    stop: watch::Sender<bool>,
    events: Vec<EventRecord>,
}

const ENTITY: &str = "acme";

impl Running {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        let metadata: Arc<dyn Metadata> = Arc::new(store);
        let model = NewModel {
            id: Uuid::now_v7(),
            entity: ENTITY.to_owned(),
            project: "project".to_owned(),
            name: "agent".to_owned(),
            base_model: "trainyard/seedling".to_owned(),
            method: TrainingMethod::default(),
            run_id: None,
            provenance: Provenance::default(),
            request: None,
        };
        let model_id = model.id;
        metadata.create_model(model).await.unwrap();
        let job = NewJob {
            key_id: None,
            max_unfinished_jobs: None,
            id: Uuid::now_v7(),
            entity: ENTITY.to_owned(),
            model_id,
            kind: JobKind::Sft,
            config: "{}".to_owned(),
            input: JobInput::Url("https://example.com/data.jsonl".to_owned()),
            validation: None,
            fine_tuning: None,
            labels: JobLabels::default(),
            sampler: None,
            request: None,
        };
        metadata.create_job(job).await.unwrap();
        let worker = WorkerProfile {
            owner: "worker".to_owned(),
            trainers: [("trainyard/seedling".to_owned(), TrainerKind::Engine(WeightFormat::F32))].into(),
            excluded_entities: Vec::new(),
            excluded_sources: Vec::new(),
        };
        let claimed = metadata.claim_next(&worker, Duration::from_secs(3600)).await.unwrap().unwrap();
        let (stop, _) = watch::channel(false);
        Self { _directory: directory, metadata, tails: Arc::default(), claimed, stop, events: Vec::new() }
    }

    fn event(kind: &str, bytes: usize) -> NewEvent {
        let data = serde_json::json!({ "text": "x".repeat(bytes) }).to_string();
        NewEvent { kind: kind.to_owned(), data }
    }

    /// Appends events of this size.
    async fn append(&mut self, events: usize, bytes: usize) {
        for _ in 0..events {
            let sequence = i64::try_from(self.events.len()).unwrap() + 1;
            let event = Self::event("gradient_step", bytes);
            self.events.push(self.metadata.append_event(&self.claimed.lease, sequence, event).await.unwrap());
        }
    }

    async fn finish(&self) {
        let failure = JobFailure { code: JobErrorCode::InvalidTrainingData, message: "no rows".to_owned() };
        let last = Some(Self::event("training_failed", 1));
        self.metadata.finish_job(&self.claimed.lease, JobOutcome::Failed(failure), None, last).await.unwrap();
    }

    fn log(&self) -> EventLog {
        EventLog {
            metadata: self.metadata.clone(),
            tails: self.tails.clone(),
            entity: ENTITY.to_owned(),
            job_id: self.claimed.job.id,
            stop: self.stop.subscribe(),
            permit: None,
        }
    }

    async fn follow(&self, after: Option<Uuid>) -> Events {
        let log = self.log();
        let beginning = log.begin(after).await.unwrap();
        log.follow(beginning).boxed()
    }

    /// The ids of all events in the store after the first `seen`.
    async fn ids(&self, seen: usize) -> Vec<String> {
        let page = PageRequest { after: None, limit: 1000, order: Order::Ascending };
        let events = self.metadata.list_events(ENTITY, self.claimed.job.id, page).await.unwrap().items;
        events[seen..].iter().map(|event| event.id.to_string()).collect()
    }
}

type Events = futures_util::stream::BoxStream<'static, Result<EncodedEvents<TrainingJobEvent>, ApiError>>;

/// The ids of the events of a stream.
async fn ids(
    events: impl Stream<Item = Result<EncodedEvents<TrainingJobEvent>, ApiError>> + Send + 'static,
) -> Vec<String> {
    let body = EventStream::encoded(events).without_done().into_response().into_body();
    let text = String::from_utf8(axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("id: ").map(str::to_owned)).collect()
}

#[tokio::test]
async fn followers_of_a_job_share_one_tail_as_long_as_they_follow() {
    let mut running = Running::start().await;
    let log = running.log();
    let (first, second) = (log.join(Position::default()), log.join(Position::default()));
    assert!(Arc::ptr_eq(&first.tail, &second.tail));
    running.append(3, 10).await;
    drop((first, second));
    while !running.tails.is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // The next follower gets a tail of its own.
    let events = running.follow(None).await;
    running.finish().await;
    assert_eq!(ids(events).await, running.ids(0).await);
}

#[tokio::test]
async fn a_follower_may_begin_at_any_event() {
    let mut running = Running::start().await;
    let mut joined = running.log().join(Position::default());
    let mut streams = vec![running.follow(None).await];
    running.append(5, 10).await;
    while let Following::Nothing = joined.receiver.next(Position::default()) {
        joined.receiver.changed().await;
    }
    for event in &running.events {
        streams.push(running.follow(Some(event.id)).await);
    }
    running.append(PAGE as usize + 5, 10).await;
    running.finish().await;
    for (seen, stream) in streams.into_iter().enumerate() {
        assert_eq!(ids(stream).await, running.ids(seen).await, "after {seen} events");
    }
    // The tail has all of the newest events, in batches of several.
    let all = running.ids(0).await;
    let last = Position { sequence: i64::try_from(all.len()).unwrap(), id: None };
    while let Following::Nothing = joined.receiver.next(last) {
        joined.receiver.changed().await;
    }
    for seen in 0..all.len() {
        let mut position = Position { sequence: i64::try_from(seen).unwrap(), id: None };
        let mut found = Vec::new();
        while let Following::Events(events, next) = joined.receiver.next(position) {
            found.extend(ids(stream::iter([Ok(events)])).await);
            position = next;
        }
        assert_eq!(found, all[seen..], "after {seen} events");
    }
}

#[tokio::test]
async fn a_slow_follower_reads_the_events_that_the_tail_has_dropped() {
    let mut running = Running::start().await;
    let (quick, mut slow) = (running.follow(None).await, running.follow(None).await);
    running.append(1, 10).await;
    let first = slow.next().await.expect("an event").unwrap();
    let quick = tokio::spawn(ids(quick));
    for _ in 0..4 {
        // More than the tail keeps.
        running.append(PAGE as usize, 1000).await;
        let behind = Position { sequence: 1, id: None };
        let mut joined = running.log().join(behind);
        let last = Position { sequence: i64::try_from(running.events.len()).unwrap() - 1, id: None };
        while let Following::Nothing = joined.receiver.next(last) {
            joined.receiver.changed().await;
        }
    }
    let mut joined = running.log().join(Position::default());
    let dropped = Position { sequence: 1, id: None };
    assert!(matches!(joined.receiver.next(dropped), Following::Behind));
    running.finish().await;
    let all = running.ids(0).await;
    assert_eq!(ids(stream::iter([Ok(first)]).chain(slow)).await, all);
    assert_eq!(quick.await.unwrap(), all);
}

#[tokio::test]
async fn a_stream_ends_when_the_service_stops_or_the_model_is_deleted() {
    let mut running = Running::start().await;
    running.append(2, 10).await;
    let (stopped, deleted) = (running.follow(None).await, running.follow(None).await);
    running.stop.send_replace(true);
    assert_eq!(ids(stopped).await, running.ids(0).await);
    running.stop.send_replace(false);
    running.metadata.delete_model(ENTITY, running.claimed.job.model_id).await.unwrap();
    let last = deleted.collect::<Vec<_>>().await.pop().expect("an item");
    assert_eq!(last.expect_err("the job is gone").status().code(), 404);
}
