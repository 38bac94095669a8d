//! What a job's metrics come to.

use std::collections::BTreeMap;

/// Validation loss after a step; of a job, that of its last weights.
pub(super) const VALIDATION: &str = "loss/val";

/// Means of metrics over steps, added in order of the steps. A continued job that begins with the metrics of the steps
/// before has the means of an uninterrupted one, to the bit.
#[derive(Debug, Clone, Default)]
pub struct MetricMeans {
    /// Sum of each metric, and how many steps report it.
    sums: BTreeMap<String, (f64, u64)>,
}

impl MetricMeans {
    /// Adds the metrics of a step.
    pub fn add<'a>(&mut self, metrics: impl IntoIterator<Item = (&'a str, f64)>) {
        for (name, value) in metrics {
            let (sum, count) = self.sums.entry(name.to_owned()).or_default();
            if name == VALIDATION {
                // A model is as good as it is at the end.
                (*sum, *count) = (0.0, 0);
            }
            *sum = (*sum + value).clamp(f64::MIN, f64::MAX);
            *count += 1;
        }
    }

    /// The mean of each metric over the steps that report it; of `loss/val`, the last value.
    pub fn finish(self) -> BTreeMap<String, f64> {
        self.sums.into_iter().map(|(name, (sum, count))| (name, sum / count as f64)).collect()
    }
}
