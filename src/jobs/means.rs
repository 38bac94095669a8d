//! Metrics of the steps that an earlier attempt made.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::{Order, PageRequest};
use crate::training::MetricMeans;

/// Event metric that depends on the machine and its load; it is not part of a checkpoint.
pub(super) const TOKENS_PER_SECOND: &str = "tokens_per_second";

/// Number of events per read.
const PAGE: u32 = 500;

/// Returns the means of the metrics over a job's first `steps` steps, from their events.
pub(super) async fn recorded_means(
    metadata: &dyn Metadata,
    entity: &str,
    job: Uuid,
    steps: usize,
) -> Result<MetricMeans, StoreError> {
    let mut means = MetricMeans::default();
    for metrics in recorded_steps(metadata, entity, job, steps).await? {
        means.add(metrics.iter().map(|(name, value)| (name.as_str(), *value)));
    }
    Ok(means)
}

/// Returns the metrics of each of a job's first `steps` steps, from their events.
pub(super) async fn recorded_steps(
    metadata: &dyn Metadata,
    entity: &str,
    job: Uuid,
    steps: usize,
) -> Result<Vec<BTreeMap<String, f64>>, StoreError> {
    let mut recorded = Vec::new();
    let mut after = None;
    while recorded.len() < steps {
        let page = PageRequest { after, limit: PAGE, order: Order::Ascending };
        let events = metadata.list_events(entity, job, page).await?;
        after = events.items.last().map(|event| event.id);
        let missing = steps - recorded.len();
        for event in events.items.iter().filter(|event| event.kind == "gradient_step").take(missing) {
            let data: Map<String, Value> = serde_json::from_str(&event.data)
                .map_err(|error| StoreError::Corrupt { column: "data", reason: error.to_string() })?;
            let numbers = data.into_iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
            recorded.push(numbers.filter(|(name, _)| *name != TOKENS_PER_SECOND).collect());
        }
        if !events.has_more {
            break;
        }
    }
    Ok(recorded)
}
