//! Means of a job's metrics over all of its steps, also those that an earlier attempt made.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::store::{
    metadata::{Metadata, StoreError},
    records::{Order, PageRequest},
};

/// A metric of the events that depends on the machine and its load; it is no part of a checkpoint.
pub(super) const TOKENS_PER_SECOND: &str = "tokens_per_second";

/// Events read at once.
const PAGE: u32 = 500;

/// Sums of the metrics of the steps so far, in order of the steps, so that a continued job has the means of an
/// uninterrupted one to the bit.
#[derive(Default)]
pub(super) struct StepMeans {
    /// Sum and number of steps that report the metric.
    sums: BTreeMap<String, (f64, u64)>,
}

impl StepMeans {
    /// The first `steps` steps of a job, from their events.
    pub(super) async fn of_recorded(
        metadata: &dyn Metadata,
        entity: &str,
        job: Uuid,
        steps: usize,
    ) -> Result<Self, StoreError> {
        let mut means = Self::default();
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

    /// Adds a step.
    pub(super) fn add<'a>(&mut self, metrics: impl IntoIterator<Item = (&'a str, f64)>) {
        for (name, value) in metrics {
            let (sum, count) = self.sums.entry(name.to_owned()).or_default();
            *sum += value;
            *count += 1;
        }
    }

    /// The mean of each metric over the steps that report it.
    pub(super) fn finish(self) -> BTreeMap<String, f64> {
        self.sums.into_iter().map(|(name, (sum, count))| (name, sum / count as f64)).collect()
    }
}
