//! Options of reinforcement learning (`experimental_config`).

use serde_json::Value;

use super::ConfigError;
use super::options::Options;
use crate::training::loss::{ImportanceSampling, LossConfig, Objective};

/// Learning rate of reinforcement learning when none is given.
pub const DEFAULT_RL_LEARNING_RATE: f64 = 5e-6;

/// Options of a reinforcement learning job.
#[derive(Debug, Clone, PartialEq)]
pub struct RlConfig {
    /// Constant over the job.
    pub learning_rate: f64,
    /// Divide advantages by the standard deviation of the group's rewards.
    pub scale_rewards: bool,
    /// In -1 ..= 1; positive shrinks negative advantages, negative shrinks positive ones.
    pub advantage_balance: f64,
    /// Recompute the old log-probabilities with the weights the job starts from.
    pub precalculate_logprobs: bool,
    /// Options of the loss.
    pub loss: LossConfig,
}

impl Default for RlConfig {
    fn default() -> Self {
        Self {
            learning_rate: DEFAULT_RL_LEARNING_RATE,
            scale_rewards: true,
            advantage_balance: 0.0,
            precalculate_logprobs: false,
            loss: LossConfig::default(),
        }
    }
}

impl RlConfig {
    /// Read the wire form (`experimental_config`); `None` and null give the defaults.
    ///
    /// # Errors
    /// For values of the wrong type or range, and for options that are not implemented.
    pub fn from_wire(config: Option<&Value>) -> Result<Self, ConfigError> {
        let Some(options) = Options::new(config)? else { return Ok(Self::default()) };
        refuse_unimplemented(&options)?;
        let objective = objective(&options)?;
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
        if let Some(level) =
            options.text("importance_sampling_level", "one of token, sequence, average, geometric_average")?
        {
            loss.importance_sampling = importance_sampling(level)?;
        }
        loss.mask_outside_clip_range = options.boolean("mask_prob_ratio")?.unwrap_or(false);
        let positive = |value: Option<f64>| value.filter(|value| *value > 0.0);
        loss.ratio_cap = positive(options.not_negative("max_negative_advantage_importance_sampling_weight")?);
        loss.kimi_k2_tau = options.number("kimi_k2_tau", f64::MIN..=f64::MAX, "a number")?.filter(|tau| *tau != 0.0);
        loss.truncated_importance_sampling = positive(options.not_negative("truncated_importance_sampling")?);
        Ok(Self {
            learning_rate: options.not_negative("learning_rate")?.unwrap_or(DEFAULT_RL_LEARNING_RATE),
            scale_rewards: options.boolean("scale_rewards")?.unwrap_or(true),
            advantage_balance: options.number("advantage_balance", -1.0..=1.0, "a number from -1 to 1")?.unwrap_or(0.0),
            precalculate_logprobs: options.boolean("precalculate_logprobs")?.unwrap_or(false),
            loss,
        })
    }
}

/// `ppo` and `loss_fn` say the same; they must not contradict each other.
fn objective(options: &Options<'_>) -> Result<Objective, ConfigError> {
    let ppo = options.boolean("ppo")?;
    let named = match options.text("loss_fn", "cispo or ppo")? {
        None => None,
        Some("cispo") => Some(Objective::Cispo),
        Some("ppo") => Some(Objective::Ppo),
        Some(other) => return Err(ConfigError::invalid("loss_fn", "cispo or ppo", &other.into())),
    };
    // `ppo: false` is what clients send by default, so only `ppo: true` can contradict.
    match (ppo, named) {
        (Some(true), Some(Objective::Cispo)) => {
            Err(ConfigError::invalid("loss_fn", "ppo when `ppo` is true", &"cispo".into()))
        }
        (Some(true), _) | (_, Some(Objective::Ppo)) => Ok(Objective::Ppo),
        _ => Ok(Objective::Cispo),
    }
}

fn importance_sampling(level: &str) -> Result<ImportanceSampling, ConfigError> {
    Ok(match level {
        "token" => ImportanceSampling::Token,
        "sequence" => ImportanceSampling::Sequence,
        "average" => ImportanceSampling::Average,
        "geometric_average" => ImportanceSampling::GeometricAverage,
        other => {
            let expected = "one of token, sequence, average, geometric_average";
            return Err(ConfigError::invalid("importance_sampling_level", expected, &other.into()));
        }
    })
}

fn refuse_unimplemented(options: &Options<'_>) -> Result<(), ConfigError> {
    // Every token of these would be trained without an old log-probability, or compared with another policy.
    for (option, neutral) in [
        ("allow_training_without_logprobs", Value::Bool(false)),
        ("kl_penalty_coef", Value::from(0)),
        ("kl_penalty_reference_step", Value::Null),
        ("kl_penalty_source", Value::Null),
        ("kl_penalty_step_lag", Value::Null),
        ("kl_ref_adapter_path", Value::Null),
        ("num_trajectories_learning_rate_multiplier_power", Value::from(0)),
        ("packed_sequence_length", Value::Null),
        ("plot_tensors", Value::Bool(false)),
        ("scale_learning_rate_by_reward_std_dev", Value::Bool(false)),
        // Advantages are always normalised over the job.
        ("normalize_advantages", Value::Bool(true)),
    ] {
        let same =
            |value: &Value| *value == neutral || value.as_f64().is_some_and(|number| Some(number) == neutral.as_f64());
        if options.get(option).is_some_and(|value| !same(value)) {
            return Err(ConfigError::Unsupported { option });
        }
    }
    // `logprob_calculation_chunk_size` bounds memory elsewhere and cannot change a result: accepted and ignored.
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn read(config: Value) -> Result<RlConfig, ConfigError> {
        RlConfig::from_wire(Some(&config))
    }

    #[test]
    fn nulls_and_unknown_keys_leave_the_defaults() {
        let keys = [
            "advantage_balance",
            "epsilon",
            "epsilon_high",
            "importance_sampling_level",
            "kimi_k2_tau",
            "learning_rate",
            "mask_prob_ratio",
            "max_negative_advantage_importance_sampling_weight",
            "ppo",
            "precalculate_logprobs",
            "scale_rewards",
            "kl_penalty_coef",
            "packed_sequence_length",
        ];
        let nulls: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), Value::Null)).collect();
        assert_eq!(read(Value::Object(nulls)), Ok(RlConfig::default()));
        assert_eq!(read(json!({"future_option": 5})), Ok(RlConfig::default()));
        assert_eq!(RlConfig::from_wire(None), Ok(RlConfig::default()));
        assert_eq!(RlConfig::from_wire(Some(&Value::Null)), Ok(RlConfig::default()));
        let default = RlConfig::default();
        assert_eq!((default.learning_rate, default.loss.epsilon, default.loss.epsilon_high), (5e-6, 1.0, 4.0));
    }

    #[test]
    fn a_null_upper_bound_is_not_the_lower_one_in_cispo() {
        let config = read(json!({"epsilon": 0.3, "epsilon_high": null})).unwrap();
        assert_eq!((config.loss.epsilon, config.loss.epsilon_high), (0.3, 4.0));
        let config = read(json!({"epsilon": 0.3, "ppo": true})).unwrap();
        assert_eq!((config.loss.epsilon, config.loss.epsilon_high), (0.3, 0.3));
        let config = read(json!({"ppo": true, "epsilon_high": 0.4})).unwrap();
        assert_eq!((config.loss.epsilon, config.loss.epsilon_high), (0.2, 0.4));
    }

    #[test]
    fn zero_switches_optional_terms_off() {
        let zeros = json!({"kimi_k2_tau": 0.0, "max_negative_advantage_importance_sampling_weight": 0, "truncated_importance_sampling": 0});
        assert_eq!(read(zeros), Ok(RlConfig::default()));
    }

    #[test]
    fn wrong_types_and_ranges_are_refused_by_name() {
        for (option, value) in [
            ("learning_rate", json!("fast")),
            ("learning_rate", json!(-1)),
            ("ppo", json!("yes please")),
            ("importance_sampling_level", json!("galaxy")),
            ("epsilon", json!([])),
            ("scale_rewards", json!(5)),
            ("advantage_balance", json!(1.5)),
            ("loss_fn", json!("dpo")),
            ("kimi_k2_tau", json!("x")),
        ] {
            let error = read(json!({option: value})).expect_err(option).to_string();
            assert!(error.starts_with(&format!("`{option}` must be ")), "{error}");
        }
        for config in [json!("x"), json!([1]), json!(5)] {
            assert!(matches!(read(config), Err(ConfigError::NotAnObject { .. })));
        }
        let long = read(json!({"learning_rate": "é".repeat(5000)})).expect_err("text").to_string();
        assert!(long.len() < 300, "{long}");
    }

    #[test]
    fn options_that_are_not_implemented_are_refused() {
        for option in [
            "kl_penalty_coef",
            "packed_sequence_length",
            "num_trajectories_learning_rate_multiplier_power",
            "kl_penalty_step_lag",
        ] {
            assert_eq!(read(json!({option: 1})), Err(ConfigError::Unsupported { option }));
        }
        for option in ["allow_training_without_logprobs", "plot_tensors"] {
            assert_eq!(read(json!({option: true})), Err(ConfigError::Unsupported { option }));
            assert!(read(json!({option: false})).is_ok());
        }
        assert!(read(json!({"kl_penalty_coef": 0.0, "normalize_advantages": true})).is_ok());
        assert!(read(json!({"normalize_advantages": false})).is_err());
    }

    #[test]
    fn the_objective_has_two_names() {
        assert_eq!(read(json!({"loss_fn": "ppo", "ppo": false})).unwrap().loss, LossConfig::new(Objective::Ppo));
        assert_eq!(read(json!({"ppo": true})).unwrap().loss, LossConfig::new(Objective::Ppo));
        assert!(read(json!({"ppo": true, "loss_fn": "cispo"})).is_err());
    }
}
