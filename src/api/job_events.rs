//! Following the events of a job as they are written, by whichever process.

use std::{sync::Arc, time::Duration};

use futures_core::Stream;
use futures_util::{TryStreamExt, stream};
use tokio::time::timeout;
use uuid::Uuid;

use super::training_jobs::event;
use crate::{
    generated::types::TrainingJobEvent,
    http::Failure,
    limits::StreamPermit,
    stop::{self, Stop},
    store::{
        metadata::{Metadata, Result, StoreError},
        records::{EventRecord, JobStatus, Order, Page, PageRequest},
    },
};

/// How soon an event is seen that another process has written.
const LOOK: Duration = Duration::from_millis(250);
/// Events that are read at once.
const PAGE: u32 = 100;

/// The log of one job, read on from some event.
pub(super) struct EventLog {
    /// Rows.
    pub metadata: Arc<dyn Metadata>,
    /// Who asks.
    pub entity: String,
    /// Whose events.
    pub job_id: Uuid,
    /// Ends every wait.
    pub stop: Stop,
    /// The right to follow them; held as long as this is read.
    #[allow(dead_code)] // its end is what counts
    pub permit: Option<StreamPermit>,
}

impl EventLog {
    /// The page that was asked for. If it is empty and in order of time, its events are waited for so long.
    pub async fn page(&mut self, request: PageRequest, wait: Duration) -> Result<Page<EventRecord>> {
        if !wait.is_zero() && request.order == Order::Ascending {
            if let Ok(page) = timeout(wait, self.next(request)).await {
                return page;
            }
        }
        self.metadata.list_events(&self.entity, self.job_id, request).await
    }

    /// Waits for events behind those that were seen. The page is empty when none can come any more, or the service stops.
    async fn next(&mut self, request: PageRequest) -> Result<Page<EventRecord>> {
        loop {
            // Before the events, or those written in between would be missed.
            let job = self.metadata.get_job(&self.entity, self.job_id).await;
            let is_over = job.is_ok_and(|job| !matches!(job.status, JobStatus::Queued | JobStatus::Running));
            match self.metadata.list_events(&self.entity, self.job_id, request).await {
                Ok(page) if is_over || !page.items.is_empty() => return Ok(page),
                // The database is away for a moment; nobody has to know.
                Ok(_) | Err(StoreError::Unavailable(_)) => {}
                Err(error) => return Err(error),
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stop::requested(&mut self.stop) => return Ok(Page { items: Vec::new(), has_more: false }),
            }
        }
    }

    /// Every event behind `after`, as it is written.
    pub fn follow(
        self,
        after: Option<Uuid>,
    ) -> impl Stream<Item = std::result::Result<TrainingJobEvent, Failure>> + Send {
        let pages = stream::try_unfold((self, after), |(mut log, after)| async move {
            let page = log.next(PageRequest { after, limit: PAGE, order: Order::Ascending }).await?;
            let last = page.items.last().map(|event| event.id);
            let events = page.items.iter().map(event).collect::<std::result::Result<Vec<_>, Failure>>()?;
            Ok::<_, Failure>(last.map(|last| (stream::iter(events.into_iter().map(Ok)), (log, Some(last)))))
        });
        pages.try_flatten()
    }
}
