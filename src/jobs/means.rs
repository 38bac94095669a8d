//! The metrics of the steps that an earlier attempt made.

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::store::{
    metadata::{Metadata, StoreError},
    records::{Order, PageRequest},
};
use crate::training::MetricMeans;

/// A metric of the events that depends on the machine and its load; it is no part of a checkpoint.
pub(super) const TOKENS_PER_SECOND: &str = "tokens_per_second";

/// Events read at once.
const PAGE: u32 = 500;

/// The metrics of a job's first `steps` steps, from their events.
pub(super) async fn recorded_means(
    metadata: &dyn Metadata,
    entity: &str,
    job: Uuid,
    steps: usize,
) -> Result<MetricMeans, StoreError> {
    let mut means = MetricMeans::default();
    let (mut after, mut read) = (None, 0);
    while read < steps {
        let page = PageRequest { after, limit: PAGE, order: Order::Ascending };
        let events = metadata.list_events(entity, job, page).await?;
        after = events.items.last().map(|event| event.id);
        for event in events.items.iter().filter(|event| event.kind == "gradient_step").take(steps - read) {
            let data: Map<String, Value> = serde_json::from_str(&event.data)
                .map_err(|error| StoreError::Corrupt { column: "data", reason: error.to_string() })?;
            let numbers = data.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_f64()?)));
            means.add(numbers.filter(|(name, _)| *name != TOKENS_PER_SECOND));
            read += 1;
        }
        if !events.has_more {
            break;
        }
    }
    Ok(means)
}
