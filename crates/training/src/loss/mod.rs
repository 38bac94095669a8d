//! The policy-gradient loss of reinforcement learning, with its exact gradient.
//!
//! Inputs contain trained tokens only: every array has one entry per token whose logprob is trained, so the shift by
//! one position and the mask of the padded formulation are already applied. All arithmetic is in `f64`, independent of
//! the engine's precision, in a fixed order.
//!
//! Formulas, for a token with logprob `new` now and `old` at sampling time:
//!
//! * `d = new - old`, importance ratio `rho = exp(d)` with `d` bounded to ±20, or a mean over the token's sequence
//!   ([`ImportanceSampling`]);
//! * CISPO: `-stop_gradient(clip(rho)) * advantage * new`;
//! * PPO: `-min(rho * advantage, clip(rho) * advantage)`;
//! * total: `sum(loss * weight) / (tokens + 1e-6)`.
//!
//! The penalty for deviating from a reference policy shifts advantages. With `k = source - reference` (see
//! [`KlSource`]), held constant, a token's advantage grows by `coefficient * (mean(k) - k)`. The shifts of a step sum
//! to zero.

use std::collections::BTreeMap;

mod statistics;

pub(crate) use statistics::{RatioStatistics, SamplingMismatch};

/// Level at which the importance ratio of a token is averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImportanceSampling {
    /// The token's own ratio.
    #[default]
    Token,
    /// `exp` of the mean log-ratio of the sequence (GSPO).
    Sequence,
    /// Arithmetic mean of the token's and the sequence's ratio.
    Average,
    /// Geometric mean of the token's and the sequence's ratio.
    GeometricAverage,
}

/// Surrogate objective to minimise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Objective {
    /// Clipped importance weight on a plain policy gradient; no gradient through the ratio.
    #[default]
    Cispo,
    /// Proximal policy optimisation; the gradient flows through the ratio.
    Ppo,
}

/// Logprobs that the KL penalty compares with those of the reference policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KlSource {
    /// Logprobs under the current weights ([`LossTokens::new`]).
    #[default]
    CurrentWeights,
    /// Old logprobs of the importance ratio ([`LossTokens::old`]); where unknown, those of the current weights.
    Sampled,
}

/// Options of the loss. [`LossConfig::new`] gives the defaults of an objective.
#[derive(Debug, Clone, PartialEq)]
pub struct LossConfig {
    /// Objective to minimise.
    pub objective: Objective,
    /// Level of the importance ratio.
    pub importance_sampling: ImportanceSampling,
    /// Lower clip distance: the ratio is clipped below at `1 - epsilon`.
    pub epsilon: f64,
    /// Upper clip distance: the ratio is clipped above at `1 + epsilon_high`.
    pub epsilon_high: f64,
    /// Upper bound of the ratio before clipping, for tokens of either sign of advantage.
    pub ratio_cap: Option<f64>,
    /// Whether the ratio is set to zero outside the open clip range. CISPO still clips afterwards, so a masked token
    /// keeps the weight `1 - epsilon` if `epsilon < 1`.
    pub mask_outside_clip_range: bool,
    /// Factor `tau` of `tau * stop_gradient(d)`, which is subtracted from the advantage (Kimi K2).
    pub kimi_k2_tau: Option<f64>,
    /// Cap of truncated importance sampling: the loss is multiplied by `stop_gradient(min(ratio, cap))`, with the ratio
    /// of recomputed to sampled probabilities where both are known, else the importance ratio.
    pub truncated_importance_sampling: Option<f64>,
    /// Upper bound of the ratio before clipping, where it is the ratio to the probabilities of a sampler in other
    /// processes: truncated importance sampling without recomputed logprobs.
    pub ratio_bound: Option<f64>,
    /// Coefficient of the penalty for deviating from the reference policy; needs [`LossTokens::reference`].
    pub kl_penalty_coefficient: f64,
    /// Logprobs that the penalty compares with the reference.
    pub kl_source: KlSource,
}

impl LossConfig {
    /// Returns the default options: the clip range is `[0, 5]` for CISPO and `[0.8, 1.2]` for PPO.
    pub fn new(objective: Objective) -> Self {
        let (epsilon, epsilon_high) = match objective {
            Objective::Cispo => (1.0, 4.0),
            Objective::Ppo => (0.2, 0.2),
        };
        Self {
            objective,
            importance_sampling: ImportanceSampling::Token,
            epsilon,
            epsilon_high,
            ratio_cap: None,
            mask_outside_clip_range: false,
            kimi_k2_tau: None,
            truncated_importance_sampling: None,
            ratio_bound: None,
            kl_penalty_coefficient: 0.0,
            kl_source: KlSource::CurrentWeights,
        }
    }
}

impl Default for LossConfig {
    fn default() -> Self {
        Self::new(Objective::default())
    }
}

/// The trained tokens of one optimizer step. All slices have the same length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LossTokens<'a> {
    /// Natural logprobs under the current weights, temperature 1.
    pub new: &'a [f32],
    /// Logprobs of the policy the tokens are compared with; NaN if unknown, which gives the ratio 1.
    pub old: &'a [f32],
    /// Logprobs at sampling time, if `old` was recomputed later; NaN if unknown.
    pub original: Option<&'a [f32]>,
    /// Logprobs of the reference policy of the KL penalty.
    pub reference: Option<&'a [f32]>,
    /// Normalised advantages.
    pub advantages: &'a [f64],
    /// Normalised weights.
    pub weights: &'a [f64],
    /// Sequence number of each token (any numbering).
    pub sequences: &'a [usize],
    /// Entropies (nats) of the tokens' distributions when they were scored.
    pub entropies: &'a [f32],
}

/// The loss of one optimizer step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loss {
    /// Weighted mean over the trained tokens.
    pub value: f64,
    /// Weighted mean entropy; reported only.
    pub entropy: f64,
    /// Mean log-ratio of the [`KlSource`] to the reference, if the KL penalty is on: an estimate of their KL
    /// divergence.
    pub kl_to_reference: Option<f64>,
    /// Importance ratios; `None` without tokens.
    pub ratios: Option<RatioStatistics>,
    /// Mismatch of sampling and training; `None` if no token has a logprob of sampling time.
    pub mismatch: Option<SamplingMismatch>,
    /// Derivative of `value` by each entry of [`LossTokens::new`].
    pub gradient: Vec<f64>,
}

/// Mean log-ratio of one sequence, with its divisor.
struct SequenceMean {
    sum: f64,
    divisor: f64,
}

/// Computes loss and gradient over the trained tokens of one step. The loss is 0 without tokens.
///
/// # Panics
/// The slices differ in length; the caller builds them together.
pub(crate) fn loss(tokens: &LossTokens<'_>, config: &LossConfig) -> Loss {
    let count = tokens.new.len();
    let lengths = [tokens.old.len(), tokens.advantages.len(), tokens.weights.len(), tokens.sequences.len()];
    assert!(lengths.iter().all(|&length| length == count), "the arrays of the trained tokens differ in length");
    assert!(tokens.entropies.len() == count, "the arrays of the trained tokens differ in length");
    let denominator = count as f64 + 1e-6;

    let log_ratios: Vec<f64> = tokens
        .new
        .iter()
        .zip(tokens.old)
        .map(|(&new, &old)| if old.is_nan() { 0.0 } else { f64::from(new) - f64::from(old) })
        .collect();
    // A token without an old logprob is compared with itself. Its ratio is 1, and in PPO the gradient still flows
    // through it, because only the old side is held constant.
    let means = sequence_means(tokens.sequences, &log_ratios);
    let log_ratios_to_reference = log_ratios_to_reference(tokens, config);
    let mean_kl = log_ratios_to_reference.as_ref().map(|ratios| ratios.iter().sum::<f64>() / denominator);

    let mut value = 0.0;
    let mut entropy = 0.0;
    let mut gradient = vec![0.0; count];
    let mut ratios = None;
    // Sum over the tokens of a sequence of dLoss/d(sequence ratio) * d(sequence ratio)/d(new of any of its tokens).
    let mut shared: BTreeMap<usize, f64> = BTreeMap::new();
    for index in 0..count {
        let new = f64::from(tokens.new[index]);
        let mean = &means[&tokens.sequences[index]];
        // Ratios, and their derivatives by the log-ratio.
        let (token_ratio, token_slope) = bounded_exp(log_ratios[index]);
        let (sequence_ratio, sequence_slope) = bounded_exp(mean.sum / mean.divisor);
        // d ratio / d(own log-ratio), and d ratio / d(log-ratio of each token of the sequence, including its own)
        let (mut ratio, mut own, mut of_sequence) = match config.importance_sampling {
            ImportanceSampling::Token => (token_ratio, token_slope, 0.0),
            ImportanceSampling::Sequence => (sequence_ratio, 0.0, sequence_slope / mean.divisor),
            ImportanceSampling::Average => {
                ((token_ratio + sequence_ratio) / 2.0, token_slope / 2.0, sequence_slope / mean.divisor / 2.0)
            }
            ImportanceSampling::GeometricAverage => {
                let [token, sequence] = [log_ratios[index], mean.sum / mean.divisor].map(bounded);
                let ratio = ((token + sequence) / 2.0).exp();
                let of = |slope: f64| if slope > 0.0 { ratio / 2.0 } else { 0.0 };
                (ratio, of(token_slope), of(sequence_slope) / mean.divisor)
            }
        };
        let (low, high) = (1.0 - config.epsilon, 1.0 + config.epsilon_high);
        RatioStatistics::add(&mut ratios, ratio, !(low..=high).contains(&ratio));
        for cap in [config.ratio_cap, config.ratio_bound].into_iter().flatten() {
            if ratio > cap {
                (ratio, own, of_sequence) = (cap, 0.0, 0.0);
            }
        }
        if config.mask_outside_clip_range && !(ratio > low && ratio < high) {
            (ratio, own, of_sequence) = (0.0, 0.0, 0.0);
        }
        let mut advantage = tokens.advantages[index];
        if let Some(tau) = config.kimi_k2_tau {
            advantage -= tau * log_ratios[index];
        }
        if let (Some(mean_kl), Some(log_ratios)) = (mean_kl, &log_ratios_to_reference) {
            advantage += config.kl_penalty_coefficient * (mean_kl - log_ratios[index]);
        }

        // max then min, like torch.clamp, whose upper bound takes precedence in an empty range
        let clipped = ratio.max(low).min(high);
        let (mut token_loss, mut by_new, mut by_ratio) = match config.objective {
            Objective::Cispo => (-clipped * advantage * new, -clipped * advantage, 0.0),
            Objective::Ppo => {
                let (free, bounded) = (ratio * advantage, clipped * advantage);
                // In the clip range both terms are equal, and the gradient is that of the unclipped one.
                if free <= bounded { (-free, 0.0, -advantage) } else { (-bounded, 0.0, 0.0) }
            }
        };
        if let Some(cap) = config.truncated_importance_sampling {
            let factor = sampling_ratio(tokens, index).unwrap_or(ratio).min(cap);
            token_loss *= factor;
            by_new *= factor;
            by_ratio *= factor;
        }
        let scale = tokens.weights[index] / denominator;
        value += token_loss * scale;
        entropy += f64::from(tokens.entropies[index]) * scale;
        gradient[index] += by_new * scale;
        if by_ratio != 0.0 {
            gradient[index] += by_ratio * own * scale;
            *shared.entry(tokens.sequences[index]).or_default() += by_ratio * of_sequence * scale;
        }
    }
    for (entry, sequence) in gradient.iter_mut().zip(tokens.sequences) {
        *entry += shared.get(sequence).copied().unwrap_or_default();
    }
    let ratios = ratios.map(|ratios| ratios.finish(count));
    let mismatch = SamplingMismatch::of(tokens.new, tokens.original.unwrap_or(tokens.old));
    Loss { value, entropy, kl_to_reference: mean_kl, ratios, mismatch, gradient }
}

/// Maximum magnitude of a log-ratio, of a token or a sequence (`art.loss`, since 0.5.20).
const MAX_LOG_RATIO: f64 = 20.0;

fn bounded(log_ratio: f64) -> f64 {
    log_ratio.clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO)
}

/// Returns `exp` of the bounded log-ratio, and its derivative: 0 beyond the bound.
fn bounded_exp(log_ratio: f64) -> (f64, f64) {
    let ratio = bounded(log_ratio).exp();
    (ratio, if log_ratio.abs() <= MAX_LOG_RATIO { ratio } else { 0.0 })
}

fn sequence_means(sequences: &[usize], log_ratios: &[f64]) -> BTreeMap<usize, SequenceMean> {
    let mut means: BTreeMap<usize, SequenceMean> = BTreeMap::new();
    for (&sequence, log_ratio) in sequences.iter().zip(log_ratios) {
        let mean = means.entry(sequence).or_insert(SequenceMean { sum: 0.0, divisor: 1e-8 });
        mean.sum += log_ratio;
        mean.divisor += 1.0;
    }
    means
}

fn log_ratios_to_reference(tokens: &LossTokens<'_>, config: &LossConfig) -> Option<Vec<f64>> {
    let reference = tokens.reference.filter(|_| config.kl_penalty_coefficient > 0.0)?;
    assert!(reference.len() == tokens.new.len(), "the arrays of the trained tokens differ in length");
    let source = tokens.new.iter().zip(tokens.old).map(|(&new, &old)| match config.kl_source {
        KlSource::Sampled if !old.is_nan() => old,
        KlSource::Sampled | KlSource::CurrentWeights => new,
    });
    Some(source.zip(reference).map(|(source, &reference)| f64::from(source) - f64::from(reference)).collect())
}

/// Returns the probability under the recomputed policy over that at sampling time, if the logprobs of sampling time
/// were kept.
fn sampling_ratio(tokens: &LossTokens<'_>, index: usize) -> Option<f64> {
    let known = |value: f32| if value.is_nan() { tokens.new[index] } else { value };
    let original = known(tokens.original?[index]);
    Some((f64::from(known(tokens.old[index])) - f64::from(original)).exp())
}

#[cfg(test)]
mod tests;
