//! Listings across all pages, and the events of a running job.

use std::time::Duration;

use futures_util::{TryStreamExt, stream};

use super::{Client, ClientError, ResultStream};
use crate::generated::types::{TrainingJobEvent, TrainingJobEventPage, TrainingJobEventType};

/// Items requested per page: the service's maximum.
const PAGE: u32 = 100;
/// Poll interval while a job produces events.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Poll interval after a long time without events.
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Maximum number of consecutive failed polls after the first event. They span at least half a minute, which is enough
/// for a restart of the service.
const MAX_FAILURES: u32 = 10;

/// One page of a listing.
pub trait Page {
    /// The type of the listed items.
    type Item;

    /// Returns the items and the cursor of the next page, or `None` on the last page.
    ///
    /// # Errors
    ///
    /// Returns an error if more pages follow but the page has no cursor.
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError>;
}

/// Returns the items of a page, and the id of the last one as the cursor of the next page.
pub(crate) fn page_parts<T>(
    items: Vec<T>,
    has_more: bool,
    id: impl FnOnce(&T) -> &str,
) -> Result<(Vec<T>, Option<String>), ClientError> {
    let next = if has_more {
        // The id of the last item instead of `last_id`: they are equal, and the item always has an id.
        Some(items.last().map(|item| id(item).to_owned()).ok_or(ClientError::EmptyPage)?)
    } else {
        None
    };
    Ok((items, next))
}

/// Returns every item of a listing. `fetch` requests the page after a cursor, the first time without a cursor.
///
/// The stream ends with an error if a cursor repeats, instead of looping forever, or if a page lacks the cursor to
/// continue from.
///
/// ```no_run
/// # use trainyard::client::{Client, ClientError, pages};
/// # async fn example(client: Client, model: String) -> Result<(), ClientError> {
/// let newest_first = client.list_checkpoints(&model).order(trainyard::client::types::SortOrder::Desc);
/// let mut checkpoints = pages(move |after| {
///     let mut request = newest_first.clone();
///     if let Some(after) = after {
///         request = request.after(after);
///     }
///     async move { Ok(request.await?.into_inner()) }
/// });
/// let newest = checkpoints.try_next().await?;
/// # Ok(())
/// # }
/// ```
pub fn pages<P, F, Fetched>(fetch: F) -> ResultStream<P::Item>
where
    P: Page<Item: Send + 'static>,
    F: FnMut(Option<String>) -> Fetched + Send + 'static,
    Fetched: Future<Output = Result<P, ClientError>> + Send + 'static,
{
    let start = Some((fetch, None, CursorCycleDetector::default()));
    let pages = stream::try_unfold(start, |state| async move {
        let Some((mut fetch, after, mut circles)) = state else { return Ok::<_, ClientError>(None) };
        let (items, next) = fetch(after).await?.into_parts()?;
        if let Some(next) = &next {
            circles.check(next)?;
        }
        let rest = next.map(|next| (fetch, Some(next), circles));
        Ok(Some((stream::iter(items.into_iter().map(Ok)), rest)))
    });
    ResultStream::new(pages.try_flatten())
}

/// Detects repeated cursors with the memory of one cursor (Brent's algorithm).
#[derive(Default)]
struct CursorCycleDetector {
    kept: Option<String>,
    since: u64,
    until: u64,
}

impl CursorCycleDetector {
    fn check(&mut self, cursor: &str) -> Result<(), ClientError> {
        if self.kept.as_deref() == Some(cursor) {
            return Err(ClientError::RepeatedCursor { cursor: cursor.to_owned() });
        }
        if self.since == self.until {
            self.kept = Some(cursor.to_owned());
            (self.since, self.until) = (0, self.until.saturating_mul(2).max(1));
        }
        self.since += 1;
        Ok(())
    }
}

impl Client {
    /// Streams the events of a job as they happen, from the first one to `training_ended` or `training_failed`.
    ///
    /// A failed job is an event and not an error: its `data` contains the `error_message`. The client polls every
    /// 0.2 s, and less often without new events, at least every 5 s. After the first event, it retries temporary errors
    /// for a while, which covers a restart of the service. Any other error ends the stream; a new call starts at the
    /// first event again.
    pub fn watch_training_job(&self, training_job_id: &str) -> ResultStream<TrainingJobEvent> {
        let watch = Watch {
            client: self.clone(),
            job: training_job_id.to_owned(),
            after: None,
            pause: Some(Duration::ZERO),
            failures: 0,
            over: false,
        };
        let pages = stream::try_unfold(watch, |mut watch| async move {
            if watch.over {
                return Ok(None);
            }
            let events = watch.next_events().await?;
            Ok::<_, ClientError>(Some((stream::iter(events.into_iter().map(Ok)), watch)))
        });
        ResultStream::new(pages.try_flatten())
    }

    async fn event_page(&self, job: &str, after: Option<&str>) -> Result<TrainingJobEventPage, ClientError> {
        let mut request = self.list_training_job_events(job).limit(PAGE);
        if let Some(after) = after {
            request = request.after(after);
        }
        Ok(request.await?.into_inner())
    }
}

struct Watch {
    client: Client,
    job: String,
    /// Id of the last event seen.
    after: Option<String>,
    /// Wait before the next poll; `None` if more events are known to be available.
    pause: Option<Duration>,
    /// Number of consecutive failed polls.
    failures: u32,
    over: bool,
}

impl Watch {
    /// Returns the events since the last poll; empty if there are none.
    async fn next_events(&mut self) -> Result<Vec<TrainingJobEvent>, ClientError> {
        if let Some(pause) = self.pause {
            tokio::time::sleep(pause).await;
        }
        let page = match self.client.event_page(&self.job, self.after.as_deref()).await {
            Ok(page) => page,
            Err(error) if error.is_retryable() && self.after.is_some() && self.failures < MAX_FAILURES => {
                self.failures += 1;
                self.pause_longer();
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        self.failures = 0;
        let mut events = page.data;
        if let Some(end) = events.iter().position(is_last) {
            events.truncate(end + 1);
            self.over = true;
        }
        match events.last() {
            // The page contains its own cursor again.
            Some(last) if self.after.as_ref() == Some(&last.id) => {
                return Err(ClientError::RepeatedCursor { cursor: last.id.clone() });
            }
            Some(last) => {
                self.after = Some(last.id.clone());
                self.pause = (!page.has_more).then_some(SHORTEST_PAUSE);
            }
            None if page.has_more => return Err(ClientError::EmptyPage),
            None => self.pause_longer(),
        }
        Ok(events)
    }

    fn pause_longer(&mut self) {
        let longer = self.pause.unwrap_or_default().mul_f64(1.5);
        self.pause = Some(longer.clamp(SHORTEST_PAUSE, MAX_PAUSE));
    }
}

/// Returns whether no event can follow this one.
fn is_last(event: &TrainingJobEvent) -> bool {
    matches!(event.type_, TrainingJobEventType::TrainingEnded | TrainingJobEventType::TrainingFailed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;
    use std::sync::{Arc, Mutex};

    struct Numbers(Vec<u32>, Option<String>);

    impl Page for Numbers {
        type Item = u32;

        fn into_parts(self) -> Result<(Vec<u32>, Option<String>), ClientError> {
            Ok((self.0, self.1))
        }
    }

    #[tokio::test]
    async fn items_come_over_all_pages_and_pages_only_when_needed() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        let mut items = pages(move |after: Option<String>| {
            log.lock().unwrap().push(after.clone());
            let page = match after.as_deref() {
                None => Numbers(vec![1, 2], Some("2".into())),
                Some("2") => Numbers(vec![], Some("x".into())),
                _ => Numbers(vec![3], None),
            };
            std::future::ready(Ok(page))
        });
        assert_eq!(items.try_next().await.unwrap(), Some(1));
        assert_eq!(asked.lock().unwrap().len(), 1);
        assert_eq!(items.try_collect().await.unwrap(), [2, 3]);
        assert_eq!(*asked.lock().unwrap(), [None, Some("2".into()), Some("x".into())]);
    }

    #[tokio::test]
    async fn circles_of_any_length_are_found() {
        for (lead, length) in [(0u32, 1u32), (0, 2), (3, 1), (5, 7), (40, 100)] {
            let mut step = 0;
            let items = pages(move |_| {
                let cursor = if step < lead { step } else { lead + (step - lead) % length };
                step += 1;
                std::future::ready(Ok(Numbers(vec![cursor], Some(format!("c{cursor}")))))
            });
            let items: Vec<_> = items.take(1000).collect().await;
            let last = items.last().unwrap();
            assert!(matches!(last, Err(ClientError::RepeatedCursor { .. })), "{lead} + {length}: {last:?}");
        }
    }
}
