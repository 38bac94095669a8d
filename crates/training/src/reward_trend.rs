//! Deviation of rewards within groups, and its trend over the jobs of a model.
//!
//! As rewards converge, there is less to learn; normalised advantages hide this, so every job would move the weights as
//! far as the first. A learning rate that follows the deviation decreases with it.

use std::collections::BTreeMap;

use super::distribution::moments;

/// Mean, over the groups of more than one trajectory, of the population standard deviation of their rewards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RewardDeviation {
    sum: f64,
    groups: usize,
}

impl RewardDeviation {
    /// Adds a group with these rewards.
    pub(crate) fn add(&mut self, rewards: &[f64]) {
        if rewards.len() < 2 {
            return;
        }
        let [_, deviation] = moments(rewards);
        self.sum += deviation;
        self.groups += 1;
    }

    /// Returns the mean; 0 without such a group. `None` if it overflows because of large rewards.
    pub(crate) fn mean(self) -> Option<f64> {
        let mean = self.sum / self.groups.max(1) as f64;
        mean.is_finite().then_some(mean)
    }
}

/// Returns the factor of the learning rate: the deviation at the last step over that at step 0, both on the
/// least-squares line through the history (step, deviation). Several deviations of one step count as their mean.
///
/// The factor is 1 without a usable line: fewer than two steps, or a line that is not positive at step 0. It is never
/// negative.
pub fn learning_rate_multiplier(history: &[(i64, f64)]) -> f64 {
    let mut by_step: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for (step, deviation) in history {
        let (sum, count) = by_step.entry(*step).or_default();
        *sum += deviation;
        *count += 1.0;
    }
    let points: Vec<(f64, f64)> = by_step.into_iter().map(|(step, (sum, count))| (step as f64, sum / count)).collect();
    let (Some((last, _)), true) = (points.last(), points.len() > 1) else { return 1.0 };
    let count = points.len() as f64;
    let mean_step = points.iter().map(|(step, _)| step).sum::<f64>() / count;
    let mean_deviation = points.iter().map(|(_, deviation)| deviation).sum::<f64>() / count;
    let covariance: f64 =
        points.iter().map(|(step, deviation)| (step - mean_step) * (deviation - mean_deviation)).sum();
    let variance: f64 = points.iter().map(|(step, _)| (step - mean_step).powi(2)).sum();
    let slope = covariance / variance;
    let at_start = mean_deviation - slope * mean_step;
    let multiplier = (at_start + slope * last) / at_start;
    if at_start > 0.0 && multiplier.is_finite() { multiplier.max(0.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_the_mean_over_groups_that_can_have_one() {
        let of = |groups: &[&[f64]]| {
            let mut deviation = RewardDeviation::default();
            groups.iter().for_each(|rewards| deviation.add(rewards));
            deviation.mean()
        };
        assert_eq!(of(&[]), Some(0.0));
        assert_eq!(of(&[&[5.0], &[]]), Some(0.0));
        assert_eq!(of(&[&[0.0, 2.0], &[7.0], &[1.0, 1.0]]), Some(0.5));
        assert_eq!(of(&[&[f64::MAX, -f64::MAX]]), Some(f64::MAX));
        assert_eq!(of(&[&[f64::MAX, -f64::MAX, f64::MAX]]), None);
    }

    #[test]
    fn the_multiplier_is_read_off_the_fitted_line() {
        assert_eq!(learning_rate_multiplier(&[]), 1.0);
        assert_eq!(learning_rate_multiplier(&[(3, 0.5)]), 1.0);
        assert_eq!(learning_rate_multiplier(&[(3, 0.5), (3, 0.1)]), 1.0, "one step is no line");
        assert_eq!(learning_rate_multiplier(&[(0, 0.5), (4, 0.25)]), 0.5);
        // 0.5, 0.3, 0.4 fit 0.45 - 0.05 step: 0.35 at step 2
        let fitted = learning_rate_multiplier(&[(0, 0.5), (1, 0.3), (2, 0.4)]);
        assert!((fitted - 0.35 / 0.45).abs() < 1e-12, "{fitted}");
        // two jobs that started from step 1 count once
        let averaged = learning_rate_multiplier(&[(0, 0.5), (1, 0.2), (1, 0.4), (2, 0.4)]);
        assert!((averaged - fitted).abs() < 1e-12, "{averaged}");
        assert_eq!(learning_rate_multiplier(&[(0, 0.25), (1, 0.5)]), 2.0, "it also grows");
        assert_eq!(learning_rate_multiplier(&[(0, 0.0), (1, 0.0)]), 1.0);
        assert_eq!(learning_rate_multiplier(&[(10, 0.1), (20, 0.5)]), 1.0, "not positive at step 0");
        assert_eq!(learning_rate_multiplier(&[(0, 1.0), (1, 0.0), (2, 0.0)]), 0.0, "below 0 is 0");
    }
}
