use serde_json::{Map, json};

use super::*;
use crate::loss::KlSource;

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
        "allow_training_without_logprobs",
        "kl_penalty_coef",
        "kl_penalty_reference_step",
        "kl_penalty_source",
        "kl_penalty_step_lag",
        "kl_ref_adapter_path",
        "logprob_calculation_chunk_size",
        "loss_fn",
        "normalize_advantages",
        "num_trajectories_learning_rate_multiplier_power",
        "packed_sequence_length",
        "plot_tensors",
        "scale_learning_rate_by_reward_std_dev",
        "truncated_importance_sampling",
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
fn wrong_types_and_ranges_are_rejected_by_name() {
    for (option, value) in [
        ("learning_rate", json!("fast")),
        ("learning_rate", json!(-1)),
        ("learning_rate", json!(1e300)),
        ("ppo", json!("yes please")),
        ("importance_sampling_level", json!("galaxy")),
        ("epsilon", json!([])),
        ("scale_rewards", json!(5)),
        ("advantage_balance", json!(1.5)),
        ("loss_fn", json!("dpo")),
        ("kimi_k2_tau", json!("x")),
        ("allow_training_without_logprobs", json!("yes")),
        ("kl_penalty_coef", json!(-0.1)),
        ("kl_penalty_reference_step", json!(-1)),
        ("kl_penalty_reference_step", json!(1.5)),
        ("kl_penalty_source", json!("teacher")),
        ("kl_penalty_step_lag", json!(0)),
        ("kl_ref_adapter_path", json!(7)),
        ("logprob_calculation_chunk_size", json!(0)),
        ("normalize_advantages", json!("no")),
        ("num_trajectories_learning_rate_multiplier_power", json!(1e3)),
        ("packed_sequence_length", json!(1)),
        ("packed_sequence_length", json!(32769)),
        ("plot_tensors", json!(1)),
        ("scale_learning_rate_by_reward_std_dev", json!(1)),
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
fn each_option_reaches_its_field() {
    let changed = |config: Value, change: fn(&mut RlConfig)| {
        let mut expected = RlConfig::default();
        change(&mut expected);
        assert_ne!(expected, RlConfig::default());
        assert_eq!(read(config.clone()), Ok(expected), "{config}");
    };
    changed(json!({"allow_training_without_logprobs": true}), |config| config.train_without_logprobs = true);
    changed(json!({"num_trajectories_learning_rate_multiplier_power": 0.5}), |config| {
        config.sequence_count_power = 0.5
    });
    changed(json!({"packed_sequence_length": 2048}), |config| config.packed_sequence_length = Some(2048));
    changed(json!({"scale_learning_rate_by_reward_std_dev": true}), |config| config.follow_reward_deviation = true);
    changed(json!({"normalize_advantages": false, "scale_rewards": true}), |config| config.scale_rewards = false);
    changed(json!({"normalize_advantages": true, "scale_rewards": false}), |config| config.scale_rewards = false);
    changed(json!({"kl_penalty_source": "sample"}), |config| config.loss.kl_source = KlSource::Sampled);
    changed(json!({"kl_penalty_coef": 0.1}), |config| {
        config.loss.kl_penalty_coefficient = 0.1;
        config.kl_reference = Some(KlReference::Base);
    });
    let nothing = json!({"plot_tensors": true, "logprob_calculation_chunk_size": 1024, "normalize_advantages": true,
        "kl_penalty_source": "current_learner", "allow_training_without_logprobs": false});
    assert_eq!(read(nothing), Ok(RlConfig::default()));
}

#[test]
fn the_kl_penalty_has_one_reference() {
    let reference = |mut options: Value| {
        options["kl_penalty_coef"] = json!(0.5);
        read(options).map(|config| config.kl_reference.expect("a penalty"))
    };
    assert_eq!(reference(json!({})), Ok(KlReference::Base));
    assert_eq!(reference(json!({"kl_penalty_reference_step": 0})), Ok(KlReference::Base));
    assert_eq!(reference(json!({"kl_penalty_reference_step": 3.0})), Ok(KlReference::Step(3)));
    assert_eq!(reference(json!({"kl_penalty_step_lag": 2})), Ok(KlReference::StepsBefore(2)));
    assert_eq!(reference(json!({"kl_ref_adapter_path": "e/p/n:step1"})), Ok(KlReference::Model("e/p/n:step1".into())));
    assert_eq!(read(json!({"kl_penalty_step_lag": 2})), Ok(RlConfig::default()), "without a coefficient no penalty");
    for (options, rejected) in [
        (json!({"kl_penalty_reference_step": 0, "kl_penalty_step_lag": 1}), "kl_penalty_step_lag"),
        (json!({"kl_penalty_reference_step": 0, "kl_ref_adapter_path": "e/p/n"}), "kl_ref_adapter_path"),
        (json!({"kl_penalty_step_lag": 1, "kl_ref_adapter_path": "e/p/n"}), "kl_ref_adapter_path"),
    ] {
        let error = read(options).expect_err(rejected);
        assert!(matches!(error, ConfigError::Contradiction { option, .. } if option == rejected), "{error}");
        assert!(error.to_string().contains("one reference"), "{error}");
    }
}

#[test]
fn the_objective_has_two_names() {
    assert_eq!(read(json!({"loss_fn": "ppo", "ppo": false})).unwrap().loss, LossConfig::new(Objective::Ppo));
    assert_eq!(read(json!({"ppo": true})).unwrap().loss, LossConfig::new(Objective::Ppo));
    assert!(read(json!({"ppo": true, "loss_fn": "cispo"})).is_err());
}

#[test]
fn importance_sampling_is_truncated_by_default_where_others_sample() {
    let of_job = |config: Value| RlConfig::of_job(Some(&config), true).unwrap();
    let bounds = |config: Value| {
        let RlConfig { loss, truncation_skipped, .. } = of_job(config);
        (loss.truncated_importance_sampling, loss.ratio_bound, truncation_skipped)
    };
    assert_eq!(bounds(json!({})), (None, Some(2.0), false));
    assert_eq!(bounds(json!({"precalculate_logprobs": true})), (Some(2.0), None, false));
    let sent = |cap: f64, precalculate: bool| {
        bounds(json!({"truncated_importance_sampling": cap, "precalculate_logprobs": precalculate}))
    };
    assert_eq!(sent(0.0, false), (None, None, false));
    assert_eq!(sent(0.0, true), (None, None, false));
    assert_eq!(sent(1.5, true), (Some(1.5), None, false));
    assert_eq!(sent(1.5, false), (None, Some(2.0), true), "a value of one's own needs recomputed logprobs");
    // The resolved options say so, and are read as the same.
    for config in [json!({}), json!({"precalculate_logprobs": true}), json!({"truncated_importance_sampling": 0})] {
        let options = of_job(config.clone());
        let resolved = Value::Object(options.to_wire());
        let is_off = config["truncated_importance_sampling"] == 0;
        assert_eq!(resolved["truncated_importance_sampling"], if is_off { Value::Null } else { json!(2.0) });
        if !is_off {
            assert_eq!(of_job(resolved), options);
        }
    }
    // Of the embedded sampler's rollouts it is off.
    assert_eq!(RlConfig::of_job(None, false), Ok(RlConfig::default()));
    assert_eq!(RlConfig::of_job(None, true).unwrap().loss.ratio_bound, Some(2.0));
}
