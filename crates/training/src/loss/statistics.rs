//! Statistics of a step's logprobs: how far the policy has moved. All values are finite.

/// Importance ratios of the trained tokens of a step, before they are bounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RatioStatistics {
    /// Smallest ratio.
    pub min: f64,
    /// Largest ratio; an overflow counts as the largest finite number.
    pub max: f64,
    /// Mean ratio.
    pub mean: f64,
    /// Share of the tokens whose ratio is outside the clip range.
    pub clip_share: f64,
}

impl RatioStatistics {
    /// Adds the ratio of one token. Until [`Self::finish`], `mean` and `clip_share` are sums.
    pub(super) fn add(sums: &mut Option<Self>, ratio: f64, clipped: bool) {
        let ratio = ratio.min(f64::MAX);
        let sums = sums.get_or_insert(Self { min: ratio, max: ratio, mean: 0.0, clip_share: 0.0 });
        sums.min = sums.min.min(ratio);
        sums.max = sums.max.max(ratio);
        sums.mean = (sums.mean + ratio).min(f64::MAX);
        sums.clip_share += f64::from(u8::from(clipped));
    }

    /// Divides the sums by the number of tokens.
    pub(super) fn finish(self, tokens: usize) -> Self {
        let tokens = tokens as f64;
        Self { mean: self.mean / tokens, clip_share: self.clip_share / tokens, ..self }
    }
}

/// Difference between logprobs under the current weights and at sampling time, over the tokens that have both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SamplingMismatch {
    /// Mean of `|new - sampled|` in nats.
    pub mean_abs: f64,
    /// Largest `|new - sampled|` in nats.
    pub max_abs: f64,
    /// Estimate of the KL divergence of the sampling policy from the current one, in nats: the mean of `exp(d) - 1 - d`
    /// with `d = new - sampled`. It is never negative and has less variance than the mean of `-d` (Schulman 2020,
    /// "Approximating KL divergence").
    pub kl: f64,
}

impl SamplingMismatch {
    /// Compares two lists of logprobs of the same tokens; NaN in `sampled` if unknown. `None` if none is known.
    pub(crate) fn of(new: &[f32], sampled: &[f32]) -> Option<Self> {
        let mut known = 0.0;
        let mut sums = Self { mean_abs: 0.0, max_abs: 0.0, kl: 0.0 };
        for (&new, &sampled) in new.iter().zip(sampled).filter(|(_, sampled)| !sampled.is_nan()) {
            let difference = f64::from(new) - f64::from(sampled);
            known += 1.0;
            sums.mean_abs += difference.abs();
            sums.max_abs = sums.max_abs.max(difference.abs());
            // exp_m1 keeps the precision of small differences; rounding may make the result slightly negative.
            sums.kl = (sums.kl + (difference.exp_m1() - difference).max(0.0)).min(f64::MAX);
        }
        (known > 0.0).then(|| Self { mean_abs: sums.mean_abs / known, kl: sums.kl / known, ..sums })
    }
}
