//! Responses that are sampled in the background. Their process renews a lease on each of them; one whose lease has run out has
//! failed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_core::Stream;
use futures_util::{StreamExt, stream};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use super::super::{KEEP_ALIVE, Metered};
use super::assembler::ResponseAssembler;
use super::memory::{Keeper, shown, unreadable};
use super::replay::{Replay, Step, bare_event};
use super::{broken_off, unkept};
use crate::auth::Revocation;
use crate::generated::types::{
    ResponseError, ResponseErrorCode, ResponseEvent, ResponseEventType as Event, ResponseObject,
};
use crate::http::ApiError;
use crate::stop::{self, Stop};
use crate::store::metadata::Metadata;
use crate::store::records::{ResponseState, StoredKind};

/// Time that a process may take until it renews the lease on a response.
pub(super) const LEASE: Duration = Duration::from_secs(15);
/// Interval of renewals, and of looks at a response that another process samples.
const RENEWAL: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_secs(1);
/// Time for which a store that fails is asked again.
const PATIENCE: Duration = Duration::from_secs(10);
/// Number of events that a reader takes at once.
const AT_ONCE: usize = 64;

/// The responses that this process samples in the background.
#[derive(Default)]
pub(crate) struct BackgroundResponses {
    live: Mutex<HashMap<Uuid, Arc<Live>>>,
    ending: watch::Sender<bool>,
}

impl BackgroundResponses {
    /// Returns a response that this process samples.
    pub(super) fn find(&self, id: Uuid) -> Option<Arc<Live>> {
        self.live.lock().get(&id).cloned()
    }

    /// Ends all responses as failed ones, and waits until that is stored, at most for this time.
    pub(crate) async fn end(&self, patience: Duration) {
        self.ending.send_replace(true);
        let deadline = Instant::now() + patience;
        while !self.live.lock().is_empty() && Instant::now() < deadline {
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A response that is sampled in the background.
pub(super) struct Live {
    progress: Mutex<Progress>,
    published: watch::Sender<Published>,
    cancelled: watch::Sender<bool>,
}

/// What readers may have.
#[derive(Clone, Copy)]
struct Published {
    /// Number of events.
    count: usize,
    /// Whether more of them may follow.
    is_open: bool,
}

struct Progress {
    assembler: ResponseAssembler,
    steps: Vec<Step>,
}

impl Live {
    /// Ends the response.
    pub(super) fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    /// Returns some of the first `count` events after a position.
    fn read(&self, replay: &mut Replay, count: usize) -> Vec<ResponseEvent> {
        let progress = self.progress.lock();
        let steps = progress.steps.get(..count).unwrap_or_default();
        std::iter::from_fn(|| replay.next(steps, progress.assembler.response())).take(AT_ONCE).collect()
    }
}

/// What a response in the background needs until its end.
pub(super) struct Work {
    pub background: Arc<BackgroundResponses>,
    pub id: Uuid,
    pub assembler: ResponseAssembler,
    pub metered: Metered,
    pub keeper: Keeper,
    pub revocation: Revocation,
    /// Memory of the request.
    pub memory: Box<dyn Send>,
}

/// Starts sampling in the background. The response is stored as one in progress.
pub(super) fn start(work: Work) -> Arc<Live> {
    let Work { background, id, mut assembler, metered, keeper, revocation, memory } = work;
    let steps: Vec<Step> = assembler.begin().iter().map(Step::of).collect();
    let published = watch::Sender::new(Published { count: steps.len(), is_open: true });
    let cancelled = watch::Sender::new(false);
    let live = Arc::new(Live { progress: Mutex::new(Progress { assembler, steps }), published, cancelled });
    background.live.lock().insert(id, live.clone());
    let ending = background.ending.subscribe();
    let task = live.clone();
    tokio::spawn(async move {
        let _memory = memory;
        // Also when the task panics: its readers then look into the store.
        let _registered = Registered { background, id, live: task.clone() };
        sample(&task, metered, keeper, revocation, ending).await;
    });
    live
}

/// Removes a response from those that are sampled.
struct Registered {
    background: Arc<BackgroundResponses>,
    id: Uuid,
    live: Arc<Live>,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.background.live.lock().remove(&self.id);
        self.live.published.send_modify(|published| published.is_open = false);
    }
}

/// Samples a response to its end, and stores it. Dropping the sampler's stream cancels it.
async fn sample(live: &Live, mut metered: Metered, keeper: Keeper, revocation: Revocation, mut ending: Stop) {
    let mut renewals = interval(RENEWAL);
    renewals.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut cancelled = live.cancelled.subscribe();
    let revoked = revocation.happens();
    tokio::pin!(revoked);
    let interrupted =
        |message: &str| ResponseError { code: ResponseErrorCode::ServerError, message: message.to_owned() };
    loop {
        let events = tokio::select! {
            delta = tokio::time::timeout(KEEP_ALIVE, metered.stream.next_kept()) => {
                let mut progress = live.progress.lock();
                match delta {
                    Err(_) => progress.assembler.in_progress(),
                    Ok(Some(Ok(delta))) => progress.assembler.push(delta),
                    Ok(Some(Err(error))) => progress.assembler.fail(broken_off(error)),
                    Ok(None) => return,
                }
            }
            _ = renewals.tick() => {
                // A store that is away is asked again before the lease runs out.
                if let Ok(false) = keeper.renew(LEASE).await {
                    return;
                }
                continue;
            }
            () = stop::requested(&mut cancelled) => return,
            () = &mut revoked => live.progress.lock().assembler.fail(interrupted("the API key was revoked")),
            () = stop::requested(&mut ending) => {
                live.progress.lock().assembler.fail(interrupted("the service stopped; send the request again"))
            }
        };
        let (count, outcome) = {
            let mut progress = live.progress.lock();
            progress.steps.extend(events.iter().map(Step::of));
            let ended = progress.assembler.has_ended();
            (progress.steps.len(), ended.then(|| (progress.assembler.response().clone(), progress.steps.clone())))
        };
        let Some((response, steps)) = outcome else {
            live.published.send_modify(|published| published.count = count);
            continue;
        };
        if finish(&keeper, &response, &steps).await {
            live.published.send_modify(|published| published.count = count);
        }
        return;
    }
}

/// Stores the end of a response; returns whether it is stored. A store that fails is asked again.
async fn finish(keeper: &Keeper, response: &ResponseObject, steps: &[Step]) -> bool {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match keeper.finish(response, steps).await {
            Ok(stored) => return stored,
            Err(failure) if Instant::now() >= deadline => {
                unkept(&failure);
                return false;
            }
            Err(_) => sleep(LOOK).await,
        }
    }
}

/// The source of a reader's events.
enum Source {
    /// A response that this process samples.
    Live(Arc<Live>, watch::Receiver<Published>),
    /// A response in the store.
    Stored,
    /// A response that has ended.
    Ended(Box<ResponseObject>, Vec<Step>),
}

/// A reader of the events of a response.
pub(super) struct Reader {
    metadata: Arc<dyn Metadata>,
    entity: String,
    id: Uuid,
    /// Number of events that the client has.
    first: usize,
    replay: Replay,
    source: Source,
}

impl Reader {
    /// Creates a reader of the events from a number on.
    pub(super) fn new(
        metadata: Arc<dyn Metadata>,
        entity: String,
        id: Uuid,
        first: usize,
        live: Option<Arc<Live>>,
    ) -> Self {
        let source = match live {
            None => Source::Stored,
            Some(live) => {
                let published = live.published.subscribe();
                Source::Live(live, published)
            }
        };
        Self { metadata, entity, id, first, replay: Replay::default(), source }
    }

    /// Returns the events.
    pub(super) fn events(self) -> impl Stream<Item = Result<ResponseEvent, ApiError>> + Send + 'static {
        let parts = stream::unfold(Some(self), |reader| async move {
            let mut reader = reader?;
            match reader.next().await {
                Ok((events, is_end)) => {
                    let events: Vec<_> = events.into_iter().map(Ok).collect();
                    Some((events, (!is_end).then_some(reader)))
                }
                Err(failure) => Some((vec![Err(failure)], None)),
            }
        });
        parts.flat_map(stream::iter)
    }

    /// Returns some further events that the client does not have, and whether they are the last. There may be none yet.
    async fn next(&mut self) -> Result<(Vec<ResponseEvent>, bool), ApiError> {
        let mut is_end = false;
        let events = match &mut self.source {
            Source::Live(live, published) => {
                let Published { count, is_open } = *published.borrow_and_update();
                let events = live.read(&mut self.replay, count);
                match events.last() {
                    Some(last) => is_end = is_last(last.type_),
                    None if is_open => {
                        let _ = tokio::time::timeout(LOOK, published.changed()).await;
                    }
                    None => self.source = Source::Stored,
                }
                events
            }
            Source::Stored => {
                let record = self.metadata.get_response(&self.entity, StoredKind::Response, self.id).await?;
                if record.state == ResponseState::InProgress {
                    sleep(LOOK).await;
                    return Ok((Vec::new(), false));
                }
                let response = shown(&record)?;
                let steps = match &record.events {
                    None => Vec::new(),
                    Some(text) => serde_json::from_str(text).map_err(unreadable)?,
                };
                self.source = Source::Ended(Box::new(response), steps);
                Vec::new()
            }
            Source::Ended(response, steps) => {
                let mut events: Vec<_> =
                    std::iter::from_fn(|| self.replay.next(steps, response)).take(AT_ONCE).collect();
                let has_end = steps.last().is_some_and(|step| is_last(step.type_()));
                if events.is_empty() && !has_end {
                    // It was cancelled, or its process is gone: nothing but its end is known.
                    let number = self.first.max(self.replay.position()) as u64;
                    let response = Some(ResponseObject::clone(response));
                    events.push(ResponseEvent { response, ..bare_event(Event::ResponseFailed, number) });
                }
                is_end = events.last().is_none_or(|event| is_last(event.type_));
                events
            }
        };
        Ok((events.into_iter().filter(|event| event.sequence_number >= self.first as u64).collect(), is_end))
    }
}

fn is_last(type_: Event) -> bool {
    matches!(type_, Event::ResponseCompleted | Event::ResponseIncomplete | Event::ResponseFailed)
}
