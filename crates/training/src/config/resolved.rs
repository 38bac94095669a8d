//! Wire form of the options with the defaults filled in.

use serde_json::{Map, Value, json};

use super::options::Word;
use super::{KlReference, LearningRates, RlConfig, SftConfig};

impl RlConfig {
    /// Returns the options in the form that [`Self::from_wire`] reads, each with its value; null for a disabled option.
    pub fn to_wire(&self) -> Map<String, Value> {
        let loss = &self.loss;
        let (mut step, mut lag, mut model) = (None, None, None);
        match &self.kl_reference {
            None | Some(KlReference::Base) => {}
            Some(KlReference::Step(number)) => step = Some(*number),
            Some(KlReference::StepsBefore(number)) => lag = Some(*number),
            Some(KlReference::Model(name)) => model = Some(name),
        }
        object(json!({
            "advantage_balance": self.advantage_balance,
            "allow_training_without_logprobs": self.train_without_logprobs,
            "epsilon": loss.epsilon,
            "epsilon_high": loss.epsilon_high,
            "importance_sampling_level": loss.importance_sampling.word(),
            "kimi_k2_tau": loss.kimi_k2_tau,
            "kl_penalty_coef": loss.kl_penalty_coefficient,
            "kl_penalty_reference_step": step,
            "kl_penalty_source": loss.kl_source.word(),
            "kl_penalty_step_lag": lag,
            "kl_ref_adapter_path": model,
            "learning_rate": self.learning_rate,
            "loss_fn": loss.objective.word(),
            "mask_prob_ratio": loss.mask_outside_clip_range,
            "max_negative_advantage_importance_sampling_weight": loss.ratio_cap,
            "num_trajectories_learning_rate_multiplier_power": self.sequence_count_power,
            "packed_sequence_length": self.packed_sequence_length,
            "precalculate_logprobs": self.precalculate_logprobs,
            "scale_learning_rate_by_reward_std_dev": self.follow_reward_deviation,
            "scale_rewards": self.scale_rewards,
            "truncated_importance_sampling": loss.truncated_importance_sampling.or(loss.ratio_bound),
        }))
    }
}

impl SftConfig {
    /// Returns the options in the form that [`Self::from_wire`] reads, each with its value; null for a disabled option.
    pub fn to_wire(&self) -> Map<String, Value> {
        object(json!({
            "assistant_turns": self.assistant_turns.word(),
            "batch_size": self.batch_size,
            "epochs": self.epochs,
            "learning_rate": match &self.learning_rate {
                LearningRates::Constant(rate) => json!(rate),
                LearningRates::PerBatch(rates) => json!(rates),
            },
            "max_sequence_length": self.max_sequence_length,
            "metric_logging": { "enabled": self.metric_logging.enabled, "every": self.metric_logging.every },
            "overlong_rows": self.overlong_rows.word(),
            "validation_every": self.validation_every,
            "validation_split": self.validation_split,
        }))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolved_options_are_read_as_the_same() {
        let given = [
            json!({}),
            json!({"ppo": true, "epsilon": 0.3, "kimi_k2_tau": 0.5, "advantage_balance": -0.25, "scale_rewards": false}),
            json!({"kl_penalty_coef": 0.1, "kl_penalty_step_lag": 3, "importance_sampling_level": "geometric_average"}),
            json!({"kl_penalty_coef": 0.1, "kl_penalty_reference_step": 2, "kl_penalty_source": "sample"}),
            json!({"kl_penalty_coef": 0.1, "kl_ref_adapter_path": "acme/p/m:step1", "mask_prob_ratio": true}),
            json!({"kl_penalty_coef": 0.1, "packed_sequence_length": 4096, "truncated_importance_sampling": 2.0, "precalculate_logprobs": true}),
            json!({"max_negative_advantage_importance_sampling_weight": 3, "epsilon_high": 0.7, "learning_rate": 1e-4}),
            json!({"num_trajectories_learning_rate_multiplier_power": 0.5, "scale_learning_rate_by_reward_std_dev": true,
                   "allow_training_without_logprobs": true, "precalculate_logprobs": true}),
        ];
        for config in given {
            let read = RlConfig::from_wire(Some(&config)).expect("valid");
            let again = RlConfig::from_wire(Some(&Value::Object(read.to_wire()))).expect("valid");
            assert_eq!(again, read, "{config}");
        }
        for config in [
            json!({}),
            json!({"batch_size": 7, "learning_rate": [1e-4, 2e-4], "assistant_turns": "last", "overlong_rows": "truncate", "epochs": 3}),
            json!({"max_sequence_length": 64, "validation_split": 0.25, "validation_every": 3,
                   "metric_logging": {"enabled": false, "every": 5}}),
        ] {
            let read = SftConfig::from_wire(Some(&config)).expect("valid");
            let again = SftConfig::from_wire(Some(&Value::Object(read.to_wire()))).expect("valid");
            assert_eq!(again, read, "{config}");
        }
    }
}
