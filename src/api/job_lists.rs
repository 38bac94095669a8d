//! Streams of job listings: the jobs of a page again whenever they change, read once for all followers in this process.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_core::Stream;
use futures_util::stream;
use parking_lot::Mutex;
use tokio::sync::watch;
use uuid::Uuid;

use super::job_view::wire_page;
use crate::generated::types::TrainingJobListEvent;
use crate::http::{ApiError, EncodedEvents, EventLabel};
use crate::limits::StreamPermit;
use crate::stop::{self, Stop};
use crate::store::metadata::{Metadata, Result, StoreError};
use crate::store::records::{JobFilter, JobKind, JobState, JobStatus, Page, PageRequest};

/// Interval of the looks at a followed page, whose jobs may be changed by other processes.
const LOOK: Duration = Duration::from_secs(1);

/// A page of jobs that can be followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FollowedPage {
    pub(super) entity: String,
    pub(super) model_id: Option<Uuid>,
    pub(super) status: Option<JobStatus>,
    pub(super) kind: Option<JobKind>,
    pub(super) text: Option<String>,
    pub(super) request: PageRequest,
}

impl FollowedPage {
    async fn read(&self, metadata: &dyn Metadata) -> Result<Page<JobState>> {
        let filter =
            JobFilter { model_id: self.model_id, status: self.status, kind: self.kind, text: self.text.as_deref() };
        metadata.list_jobs(&self.entity, filter, self.request).await
    }
}

/// Pages that are followed in this process.
#[derive(Default)]
pub(crate) struct JobLists(Mutex<HashMap<FollowedPage, Weak<Followed>>>);

/// A followed page. One task reads it until it is dropped.
struct Followed(watch::Sender<Arc<Look>>);

/// A page at one look.
#[derive(Default)]
struct Look {
    /// Ids of the jobs in their order, and whether more follow.
    ids: (Vec<Uuid>, bool),
    jobs: Vec<Arc<ReadJob>>,
}

/// A job and its event. It is the same object as long as the job does not change.
struct ReadJob {
    state: JobState,
    event: EncodedEvents<TrainingJobListEvent>,
}

impl Look {
    /// Returns the look at a page, after an earlier one.
    fn new(page: Page<JobState>, before: &Self) -> Result<Self, ApiError> {
        let known: HashMap<Uuid, &Arc<ReadJob>> = before.jobs.iter().map(|job| (job.state.job.id, job)).collect();
        let ids = (page.items.iter().map(|state| state.job.id).collect(), page.has_more);
        let mut jobs = Vec::with_capacity(page.items.len());
        for state in page.items {
            match known.get(&state.job.id) {
                Some(job) if job.state == state => jobs.push(Arc::clone(job)),
                _ => {
                    let job = wire_page(std::slice::from_ref(&state)).pop();
                    let event = encoded(&TrainingJobListEvent { ids: None, has_more: None, job })?;
                    jobs.push(Arc::new(ReadJob { state, event }));
                }
            }
        }
        Ok(Self { ids, jobs })
    }

    /// Returns the events that lead from an earlier look to this one; `None` if nothing has changed.
    fn changes(&self, before: &Self, is_first: bool) -> Result<Option<EncodedEvents<TrainingJobListEvent>>, ApiError> {
        let mut events = Vec::new();
        if is_first || self.ids != before.ids {
            let ids = self.ids.0.iter().map(Uuid::to_string).collect();
            events.push(encoded(&TrainingJobListEvent { ids: Some(ids), has_more: Some(self.ids.1), job: None })?);
        }
        let is_new = |job: &&Arc<ReadJob>| !before.jobs.iter().any(|known| Arc::ptr_eq(known, job));
        events.extend(self.jobs.iter().filter(is_new).map(|job| job.event.clone()));
        (!events.is_empty()).then(|| EncodedEvents::concat(&events)).transpose()
    }
}

fn encoded(event: &TrainingJobListEvent) -> Result<EncodedEvents<TrainingJobListEvent>, ApiError> {
    EncodedEvents::new(event, &EventLabel { id: None, event: "training_job_list".to_owned() })
}

/// Follower of a page.
pub(super) struct Follower {
    receiver: watch::Receiver<Arc<Look>>,
    seen: Option<Arc<Look>>,
    stop: Stop,
    #[allow(dead_code)] // held only to be dropped
    followed: Arc<Followed>,
    #[allow(dead_code)] // held only to be dropped
    permit: Option<StreamPermit>,
}

impl JobLists {
    /// Returns a follower of a page.
    ///
    /// # Errors
    /// The page cannot be read.
    pub(super) async fn follow(
        self: &Arc<Self>,
        metadata: &Arc<dyn Metadata>,
        page: FollowedPage,
        stop: Stop,
        permit: Option<StreamPermit>,
    ) -> Result<Follower, ApiError> {
        // A request with an unknown cursor must get its error status before the stream begins.
        let first = page.read(&**metadata).await?;
        let followed = self.join(metadata, page, first)?;
        Ok(Follower { receiver: followed.0.subscribe(), seen: None, stop, followed, permit })
    }

    fn join(
        self: &Arc<Self>,
        metadata: &Arc<dyn Metadata>,
        page: FollowedPage,
        first: Page<JobState>,
    ) -> Result<Arc<Followed>, ApiError> {
        let mut lists = self.0.lock();
        if let Some(followed) = lists.get(&page).and_then(Weak::upgrade) {
            return Ok(followed);
        }
        let look = Arc::new(Look::new(first, &Look::default())?);
        let followed = Arc::new(Followed(watch::Sender::new(look)));
        lists.insert(page.clone(), Arc::downgrade(&followed));
        let (lists, weak, metadata) = (Arc::downgrade(self), Arc::downgrade(&followed), metadata.clone());
        tokio::spawn(async move {
            watch_page(&*metadata, &page, &weak).await;
            if let Some(lists) = lists.upgrade() {
                lists.remove(&page, &weak);
            }
        });
        Ok(followed)
    }

    /// Removes a page that nobody follows any more, unless another look at it has begun meanwhile.
    fn remove(&self, page: &FollowedPage, ended: &Weak<Followed>) {
        let mut lists = self.0.lock();
        if lists.get(page).is_some_and(|followed| followed.ptr_eq(ended)) {
            lists.remove(page);
        }
    }
}

/// Looks at a page until nobody follows it. A store that fails is asked again at the next look.
async fn watch_page(metadata: &dyn Metadata, page: &FollowedPage, followed: &Weak<Followed>) {
    loop {
        tokio::time::sleep(LOOK).await;
        if followed.strong_count() == 0 {
            return;
        }
        let read = page.read(metadata).await;
        let Some(followed) = followed.upgrade() else { return };
        let before = followed.0.borrow().clone();
        let look = match read {
            Ok(read) => Look::new(read, &before),
            // The job of the cursor was deleted with its model.
            Err(StoreError::InvalidCursor(_)) => Ok(Look::default()),
            Err(error) => {
                tracing::debug!(%error, "a followed page of jobs cannot be read");
                continue;
            }
        };
        match look {
            Ok(look) => drop(followed.0.send_replace(Arc::new(look))),
            Err(error) => tracing::warn!(?error, "a job cannot be encoded"),
        }
    }
}

impl Follower {
    /// Streams the page, then its changes, until the service stops.
    pub(super) fn stream(self) -> impl Stream<Item = Result<EncodedEvents<TrainingJobListEvent>, ApiError>> + Send {
        stream::try_unfold(self, |mut follower| async move {
            let events = follower.next().await?;
            Ok::<_, ApiError>(events.map(|events| (events, follower)))
        })
    }

    async fn next(&mut self) -> Result<Option<EncodedEvents<TrainingJobListEvent>>, ApiError> {
        loop {
            let look = self.receiver.borrow_and_update().clone();
            let before = self.seen.replace(look.clone());
            let changes = look.changes(before.as_deref().unwrap_or(&Look::default()), before.is_none())?;
            if changes.is_some() {
                return Ok(changes);
            }
            tokio::select! {
                changed = self.receiver.changed() => if changed.is_err() { return Ok(None) },
                () = stop::requested(&mut self.stop) => return Ok(None),
            }
        }
    }
}
