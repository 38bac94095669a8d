//! Means of a job's metrics.

use std::collections::BTreeMap;

/// Metric name of the validation loss after a step; for a job, that of its final weights.
pub(super) const VALIDATION: &str = "loss/val";

/// Means of metrics over steps, added in order of the steps. A resumed job that starts with the metrics of the earlier
/// steps has the means of an uninterrupted one, to the bit.
#[derive(Debug, Clone, Default)]
pub struct MetricMeans {
    /// Sum of each metric, and the number of steps that report it.
    sums: BTreeMap<String, (f64, u64)>,
}

impl MetricMeans {
    /// Adds the metrics of a step.
    pub fn add<'a>(&mut self, metrics: impl IntoIterator<Item = (&'a str, f64)>) {
        for (name, value) in metrics {
            let (sum, count) = self.sums.entry(name.to_owned()).or_default();
            if name == VALIDATION {
                // Only the last value describes the final model.
                (*sum, *count) = (0.0, 0);
            }
            *sum = (*sum + value).clamp(f64::MIN, f64::MAX);
            *count += 1;
        }
    }

    /// Returns the mean of each metric over the steps that report it; for `loss/val`, the last value.
    pub fn finish(self) -> BTreeMap<String, f64> {
        self.sums.into_iter().map(|(name, (sum, count))| (name, sum / count as f64)).collect()
    }
}
