//! Streams the events of a job as they are written by any process.

mod tails;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_core::Stream;
use futures_util::stream;
use tokio::time::timeout;
use uuid::Uuid;

use crate::generated::types::{TrainingJobEvent, TrainingJobEventType};
use crate::http::{ApiError, EncodedEvents, EventLabel};
use crate::limits::StreamPermit;
use crate::stop::{self, Stop};
use crate::store::metadata::{Metadata, Result, StoreError};
use crate::store::records::{EventRecord, Order, Page, PageRequest};
pub(crate) use tails::EventTails;
use tails::{Following, LOOK, Position, Receiver, Tail};

/// Maximum number of events per query of a single reader.
const PAGE: u32 = 100;

/// Reader of the event log of one job.
pub(super) struct EventLog {
    /// Metadata store.
    pub metadata: Arc<dyn Metadata>,
    /// Tails of the followed jobs.
    pub tails: Arc<EventTails>,
    /// Entity of the caller.
    pub entity: String,
    /// Id of the job.
    pub job_id: Uuid,
    /// Ends every wait.
    pub stop: Stop,
    /// Permit of the stream, held until the reader is dropped.
    #[allow(dead_code)] // held only to be dropped
    pub permit: Option<StreamPermit>,
}

impl EventLog {
    /// Returns the requested page. If the page is empty and in ascending order, waits up to `wait` for events.
    pub(super) async fn page(&mut self, request: PageRequest, wait: Duration) -> Result<Page<EventRecord>> {
        if !wait.is_zero()
            && request.order == Order::Ascending
            && let Ok(page) = timeout(wait, self.next(request)).await
        {
            return page;
        }
        self.metadata.list_events(&self.entity, self.job_id, request).await
    }

    /// Waits for events after the cursor. Returns an empty page if no more events can follow or the service stops.
    async fn next(&mut self, request: PageRequest) -> Result<Page<EventRecord>> {
        let Some(Beginning { page, position }) = self.retry(request).await? else { return Ok(no_events()) };
        if !page.items.is_empty() {
            return Ok(page);
        }
        let mut tail = self.join(position);
        while let Following::Nothing = tail.receiver.next(position) {
            if !self.changed(&mut tail).await {
                return Ok(no_events());
            }
        }
        self.metadata.list_events(&self.entity, self.job_id, request).await
    }

    /// Reads the first events after `after` and prepares to follow the log.
    pub(super) async fn begin(&self, after: Option<Uuid>) -> Result<Beginning> {
        self.read(PageRequest { after, limit: PAGE, order: Order::Ascending }).await
    }

    /// Reads a page in ascending order, and the position of its cursor.
    async fn read(&self, request: PageRequest) -> Result<Beginning> {
        loop {
            let page = self.metadata.list_events(&self.entity, self.job_id, request).await?;
            if let Some(first) = page.items.first() {
                let position = Position { sequence: first.sequence - 1, id: request.after };
                return Ok(Beginning { page, position });
            }
            if request.after.is_none() {
                return Ok(Beginning { page, position: Position::default() });
            }
            // The cursor is the newest event, unless another one was written in between.
            let newest = PageRequest { after: None, limit: 1, order: Order::Descending };
            let newest = self.metadata.list_events(&self.entity, self.job_id, newest).await?.items.pop();
            if let Some(newest) = newest.filter(|newest| Some(newest.id) == request.after) {
                return Ok(Beginning { page, position: Position { sequence: newest.sequence, id: request.after } });
            }
        }
    }

    /// Reads as [`Self::read`] does, again while the database is temporarily unavailable. Returns `None` if the service
    /// stops.
    async fn retry(&mut self, request: PageRequest) -> Result<Option<Beginning>> {
        loop {
            match self.read(request).await {
                Err(StoreError::Unavailable(_)) => {}
                read => return read.map(Some),
            }
            if !self.pause().await {
                return Ok(None);
            }
        }
    }

    /// Streams every event after the position as it is written, the events of the page first.
    pub(super) fn follow(
        self,
        Beginning { page, position }: Beginning,
    ) -> impl Stream<Item = Result<EncodedEvents<TrainingJobEvent>, ApiError>> + Send {
        let follower = Follower { log: self, position, is_behind: page.has_more, page: Some(page), tail: None };
        stream::try_unfold(follower, |mut follower| async move {
            let events = follower.next().await?;
            Ok::<_, ApiError>(events.map(|events| (events, follower)))
        })
    }

    fn join(&self, position: Position) -> Joined {
        let tail = self.tails.join(&self.metadata, &self.entity, self.job_id, position);
        Joined { receiver: tail.subscribe(), tail }
    }

    /// Waits until the tail changes. Returns false if the service stops.
    async fn changed(&mut self, tail: &mut Joined) -> bool {
        tokio::select! {
            () = tail.receiver.changed() => true,
            () = stop::requested(&mut self.stop) => false,
        }
    }

    /// Waits before the store is asked again. Returns false if the service stops.
    async fn pause(&mut self) -> bool {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => true,
            () = stop::requested(&mut self.stop) => false,
        }
    }
}

/// The first page of a log that is followed.
pub(super) struct Beginning {
    page: Page<EventRecord>,
    /// Position before the page.
    position: Position,
}

/// A tail that is kept for its follower.
struct Joined {
    receiver: Receiver,
    #[allow(dead_code)] // held only to be dropped
    tail: Arc<Tail>,
}

/// Reader of one stream: pages of the store while it is behind, then the tail that all followers of the job share.
struct Follower {
    log: EventLog,
    position: Position,
    /// A page that is not sent yet.
    page: Option<Page<EventRecord>>,
    /// The store has events after the position that the tail lacks.
    is_behind: bool,
    tail: Option<Joined>,
}

impl Follower {
    /// Returns the next events; `None` if no more can follow or the service stops.
    async fn next(&mut self) -> Result<Option<EncodedEvents<TrainingJobEvent>>, ApiError> {
        loop {
            if let Some(page) = self.page.take()
                && let Some(last) = page.items.last()
            {
                self.position = Position { sequence: last.sequence, id: Some(last.id) };
                let events = page.items.iter().map(encoded).collect::<Result<Vec<_>, _>>()?;
                return EncodedEvents::concat(&events).map(Some);
            }
            if self.is_behind {
                let request = PageRequest { after: self.position.id, limit: PAGE, order: Order::Ascending };
                let Some(Beginning { page, .. }) = self.log.retry(request).await? else { return Ok(None) };
                self.is_behind = page.has_more;
                self.page = Some(page);
                continue;
            }
            let (log, position) = (&mut self.log, self.position);
            let tail = self.tail.get_or_insert_with(|| log.join(position));
            match tail.receiver.next(position) {
                Following::Events(events, position) => {
                    self.position = position;
                    return Ok(Some(events));
                }
                Following::Nothing if log.changed(tail).await => {}
                Following::Nothing | Following::Ended => return Ok(None),
                Following::Behind => self.is_behind = true,
                Following::Failed => {
                    // The read of the store returns the error, unless it has passed.
                    (self.is_behind, self.tail) = (true, None);
                    if !log.pause().await {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

fn no_events() -> Page<EventRecord> {
    Page { items: Vec::new(), has_more: false }
}

/// Encodes an event for a stream.
fn encoded(record: &EventRecord) -> Result<EncodedEvents<TrainingJobEvent>, ApiError> {
    let event = event(record)?;
    let label = EventLabel { id: Some(event.id.clone()), event: event.type_.to_string() };
    EncodedEvents::new(&event, &label)
}

/// Converts an event to its wire format.
pub(super) fn event(record: &EventRecord) -> Result<TrainingJobEvent, ApiError> {
    let corrupt = |reason: String| ApiError::internal(format!("event {}: {reason}", record.id));
    Ok(TrainingJobEvent {
        id: record.id.to_string(),
        type_: record.kind.parse::<TrainingJobEventType>().map_err(|error| corrupt(error.to_string()))?,
        data: serde_json::from_str(&record.data).map_err(|error| corrupt(error.to_string()))?,
    })
}
