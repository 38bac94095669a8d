//! Options of reinforcement learning (`experimental_config`).

use serde_json::Value;

use super::options::Options;
use super::{ConfigError, MAX_LEARNING_RATE};
use crate::MAX_SEQUENCE_LENGTH;
use crate::loss::{LossConfig, Objective};

/// Default learning rate of reinforcement learning.
pub(super) const DEFAULT_RL_LEARNING_RATE: f64 = 5e-6;
/// Default cap of truncated importance sampling, where it is on by default.
const DEFAULT_TRUNCATION: f64 = 2.0;
/// Largest magnitude of [`RlConfig::sequence_count_power`]: beyond it the learning rate could overflow.
pub(super) const MAX_LEARNING_RATE_POWER: f64 = 8.0;

/// Options of a reinforcement learning job.
#[derive(Debug, Clone, PartialEq)]
pub struct RlConfig {
    /// Learning rate of a row of one sequence, before [`Self::sequence_count_power`] and
    /// [`Self::follow_reward_deviation`] apply.
    pub learning_rate: f64,
    /// Exponent: the learning rate of a row is multiplied by its number of sequences to this power.
    pub sequence_count_power: f64,
    /// Whether the learning rate is multiplied by the trend of the deviation of rewards within groups over the model's
    /// jobs (see [`crate::reward_trend`]).
    pub follow_reward_deviation: bool,
    /// Whether advantages are divided by the standard deviation of the group's rewards.
    pub scale_rewards: bool,
    /// Balance in -1 ..= 1; positive shrinks negative advantages, negative shrinks positive ones.
    pub advantage_balance: f64,
    /// Whether assistant turns without logprobs are trained too; they are compared with the current weights.
    pub train_without_logprobs: bool,
    /// Whether the old logprobs are recomputed with the job's initial weights.
    pub precalculate_logprobs: bool,
    /// Token limit of a row of several sequences, shared leading tokens counted once; `None`: one sequence per row.
    pub packed_sequence_length: Option<usize>,
    /// Reference policy of the KL penalty; `None` without a penalty.
    pub kl_reference: Option<KlReference>,
    /// Whether truncated importance sampling was requested without [`Self::precalculate_logprobs`], which it needs. It
    /// is then skipped, as in ART since 0.5.20.
    pub truncation_skipped: bool,
    /// Options of the loss.
    pub loss: LossConfig,
}

/// Reference policy of the KL penalty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KlReference {
    /// The base model without an adapter.
    Base,
    /// This step of the trained model; step 0 is the base model.
    Step(usize),
    /// The step this many steps before the job's initial step; the base model if there is none.
    StepsBefore(usize),
    /// A model of the same owner, by the name used for sampling.
    Model(String),
}

impl Default for RlConfig {
    fn default() -> Self {
        Self {
            learning_rate: DEFAULT_RL_LEARNING_RATE,
            sequence_count_power: 0.0,
            follow_reward_deviation: false,
            scale_rewards: true,
            advantage_balance: 0.0,
            train_without_logprobs: false,
            precalculate_logprobs: false,
            packed_sequence_length: None,
            kl_reference: None,
            truncation_skipped: false,
            loss: LossConfig::default(),
        }
    }
}

/// Options that clients may send and that have no effect here.
const IGNORED: [&str; 3] = ["optimizer_save_interval", "plot_tensors", "save_checkpoint"];

impl RlConfig {
    /// Returns the names of options that are set in the wire form and have no effect.
    pub fn ignored(config: &Value) -> Vec<&'static str> {
        let asks = |name: &&str| !matches!(config.get(name), None | Some(Value::Null | Value::Bool(false)));
        IGNORED.into_iter().filter(asks).collect()
    }

    /// Reads the wire form (`experimental_config`); `None` and null give the defaults.
    ///
    /// # Errors
    /// A value has the wrong type or is outside its range, or options contradict each other.
    pub fn from_wire(config: Option<&Value>) -> Result<Self, ConfigError> {
        let Some(options) = Options::new(config)? else { return Ok(Self::default()) };
        check_without_effect(&options)?;
        let mut loss = loss_options(&options)?;
        let precalculate_logprobs = options.boolean("precalculate_logprobs")?.unwrap_or(false);
        let truncation = loss.truncated_importance_sampling.take_if(|_| !precalculate_logprobs);
        let reference = kl_reference(&options)?;
        let coefficient = options.not_negative("kl_penalty_coef")?.unwrap_or(0.0);
        loss.kl_penalty_coefficient = coefficient;
        // Two names of one switch. Either turns it off, because clients send the default of the name that they do not
        // use.
        let scale_rewards = options.boolean("scale_rewards")?.unwrap_or(true)
            && options.boolean("normalize_advantages")?.unwrap_or(true);
        let power = options.number(
            "num_trajectories_learning_rate_multiplier_power",
            -MAX_LEARNING_RATE_POWER..=MAX_LEARNING_RATE_POWER,
            "a number from -8 to 8",
        )?;
        Ok(Self {
            learning_rate: options
                .number("learning_rate", 0.0..=MAX_LEARNING_RATE, "a number from 0 to 3.4e38")?
                .unwrap_or(DEFAULT_RL_LEARNING_RATE),
            sequence_count_power: power.unwrap_or(0.0),
            follow_reward_deviation: options.boolean("scale_learning_rate_by_reward_std_dev")?.unwrap_or(false),
            scale_rewards,
            advantage_balance: options.number("advantage_balance", -1.0..=1.0, "a number from -1 to 1")?.unwrap_or(0.0),
            train_without_logprobs: options.boolean("allow_training_without_logprobs")?.unwrap_or(false),
            precalculate_logprobs,
            packed_sequence_length: options.whole(
                "packed_sequence_length",
                2..=MAX_SEQUENCE_LENGTH,
                "a whole number from 2 to 32768",
            )?,
            kl_reference: (coefficient > 0.0).then_some(reference),
            truncation_skipped: truncation.is_some(),
            loss,
        })
    }
}

/// Wire name of the cap of truncated importance sampling.
const TRUNCATION: &str = "truncated_importance_sampling";

impl RlConfig {
    /// Reads the wire form as [`Self::from_wire`] does, for a job whose base model is perhaps sampled in other processes.
    /// Their log-probabilities are rounded in another way than the trainer's, so importance sampling is then truncated by
    /// default: with recomputed logprobs as the option describes, otherwise by a bound of the importance ratio, which is
    /// the ratio to the sampler's probabilities.
    ///
    /// # Errors
    /// See [`Self::from_wire`].
    pub fn of_job(config: Option<&Value>, is_sampled_elsewhere: bool) -> Result<Self, ConfigError> {
        let mut options = Self::from_wire(config)?;
        let sent = config.and_then(|config| config.get(TRUNCATION)).and_then(Value::as_f64);
        if is_sampled_elsewhere && sent != Some(0.0) {
            if options.precalculate_logprobs {
                options.loss.truncated_importance_sampling.get_or_insert(DEFAULT_TRUNCATION);
            } else {
                options.loss.ratio_bound = Some(DEFAULT_TRUNCATION);
                options.truncation_skipped &= sent != Some(DEFAULT_TRUNCATION);
            }
        }
        Ok(options)
    }
}

/// Checks options that bound memory or draw plots in other trainers; they cannot change a result here.
fn check_without_effect(options: &Options<'_>) -> Result<(), ConfigError> {
    options.whole("logprob_calculation_chunk_size", 1..=usize::MAX, "a whole number of at least 1")?;
    options.boolean("plot_tensors")?;
    Ok(())
}

fn loss_options(options: &Options<'_>) -> Result<LossConfig, ConfigError> {
    let objective = objective(options)?;
    let mut loss = LossConfig::new(objective);
    if let Some(epsilon) = options.not_negative("epsilon")? {
        loss.epsilon = epsilon;
        if objective == Objective::Ppo {
            loss.epsilon_high = epsilon;
        }
    }
    if let Some(epsilon_high) = options.not_negative("epsilon_high")? {
        loss.epsilon_high = epsilon_high;
    }
    loss.importance_sampling = options.word("importance_sampling_level")?.unwrap_or_default();
    loss.mask_outside_clip_range = options.boolean("mask_prob_ratio")?.unwrap_or(false);
    let positive = |value: Option<f64>| value.filter(|value| *value > 0.0);
    loss.ratio_cap = positive(options.not_negative("max_negative_advantage_importance_sampling_weight")?);
    loss.kimi_k2_tau = options.number("kimi_k2_tau", f64::MIN..=f64::MAX, "a number")?.filter(|tau| *tau != 0.0);
    loss.truncated_importance_sampling = positive(options.not_negative(TRUNCATION)?);
    loss.kl_source = options.word("kl_penalty_source")?.unwrap_or_default();
    Ok(loss)
}

/// Returns the reference of the KL penalty, from the one option of three that may be given.
fn kl_reference(options: &Options<'_>) -> Result<KlReference, ConfigError> {
    let step = options.whole("kl_penalty_reference_step", 0..=MAX_STEP, "a whole number that is not negative")?;
    let lag = options.whole("kl_penalty_step_lag", 1..=MAX_STEP, "a whole number of at least 1")?;
    let model = options.text("kl_ref_adapter_path", "the name of a model")?;
    let contradiction = |option, other| {
        let advice = "the KL penalty has one reference, so give one of them";
        Err(ConfigError::Contradiction { option, other, advice })
    };
    match (step, lag, model) {
        (Some(_), Some(_), _) => contradiction("kl_penalty_step_lag", "kl_penalty_reference_step"),
        (Some(_), _, Some(_)) => contradiction("kl_ref_adapter_path", "kl_penalty_reference_step"),
        (_, Some(_), Some(_)) => contradiction("kl_ref_adapter_path", "kl_penalty_step_lag"),
        (Some(0), ..) | (None, None, None) => Ok(KlReference::Base),
        (Some(step), ..) => Ok(KlReference::Step(step)),
        (_, Some(lag), _) => Ok(KlReference::StepsBefore(lag)),
        (.., Some(model)) => Ok(KlReference::Model(model.to_owned())),
    }
}

/// Upper limit of a step number: above any model's steps, and within the range of every database.
const MAX_STEP: usize = i32::MAX as usize;

/// Returns the objective from `ppo` and `loss_fn`, two names of one option that must not contradict each other.
fn objective(options: &Options<'_>) -> Result<Objective, ConfigError> {
    let ppo = options.boolean("ppo")?;
    let named = options.word("loss_fn")?;
    // Clients send `ppo: false` by default, so only `ppo: true` can contradict.
    match (ppo, named) {
        (Some(true), Some(Objective::Cispo)) => {
            Err(ConfigError::invalid("loss_fn", "ppo when `ppo` is true", &"cispo".into()))
        }
        (Some(true), _) | (_, Some(Objective::Ppo)) => Ok(Objective::Ppo),
        _ => Ok(Objective::Cispo),
    }
}

#[cfg(test)]
mod tests;
