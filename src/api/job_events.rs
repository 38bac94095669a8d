//! Streams the events of a job as they are written by any process.

use std::{sync::Arc, time::Duration};

use futures_core::Stream;
use futures_util::{TryStreamExt, stream};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{
    generated::types::{TrainingJobEvent, TrainingJobEventType},
    http::ApiError,
    limits::StreamPermit,
    stop::{self, Stop},
    store::{
        metadata::{Metadata, Result, StoreError},
        records::{EventRecord, JobStatus, Order, Page, PageRequest},
    },
};

/// Poll interval for events written by other processes.
const LOOK: Duration = Duration::from_millis(250);
/// Maximum number of events per query.
const PAGE: u32 = 100;

/// Reader of the event log of one job.
pub(super) struct EventLog {
    /// Metadata store.
    pub metadata: Arc<dyn Metadata>,
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
        loop {
            // Read the job before the events. Otherwise events written in between would be missed.
            let job = self.metadata.get_job(&self.entity, self.job_id).await;
            let is_over = job.is_ok_and(|job| !matches!(job.status, JobStatus::Queued | JobStatus::Running));
            match self.metadata.list_events(&self.entity, self.job_id, request).await {
                Ok(page) if is_over || !page.items.is_empty() => return Ok(page),
                // The database is temporarily unavailable: retry without an error.
                Ok(_) | Err(StoreError::Unavailable(_)) => {}
                Err(error) => return Err(error),
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stop::requested(&mut self.stop) => return Ok(Page { items: Vec::new(), has_more: false }),
            }
        }
    }

    /// Streams every event after `after` as it is written.
    pub(super) fn follow(
        self,
        after: Option<Uuid>,
    ) -> impl Stream<Item = std::result::Result<TrainingJobEvent, ApiError>> + Send {
        let pages = stream::try_unfold((self, after), |(mut log, after)| async move {
            let page = log.next(PageRequest { after, limit: PAGE, order: Order::Ascending }).await?;
            let last = page.items.last().map(|event| event.id);
            let events = page.items.iter().map(event).collect::<std::result::Result<Vec<_>, ApiError>>()?;
            Ok::<_, ApiError>(last.map(|last| (stream::iter(events.into_iter().map(Ok)), (log, Some(last)))))
        });
        pages.try_flatten()
    }
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
