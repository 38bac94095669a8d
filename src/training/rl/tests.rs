use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::training::golden::Tiny;

fn trajectory(tokens: &[u32], reward: f64) -> Value {
    let entries: Vec<Value> =
        tokens.iter().map(|id| json!({"token": format!("token_id:{id}"), "logprob": -0.5})).collect();
    json!({"messages_and_choices": [{"role": "user", "content": "a"},
        {"finish_reason": "stop", "message": {"role": "assistant", "content": "?"}, "logprobs": {"content": entries}}], "reward": reward})
}

fn groups(trajectories: &[Vec<Value>]) -> Vec<TrajectoryGroup> {
    let groups: Vec<Value> = trajectories.iter().map(|members| json!({"trajectories": members})).collect();
    serde_json::from_value(groups.into()).expect("groups")
}

fn prepare(groups: &[TrajectoryGroup], config: &RlConfig) -> PreparedRl {
    prepare_rl(groups, config, &Tiny::new().model(), 64).expect("valid")
}

#[test]
fn equal_rewards_leave_nothing_to_learn() {
    for (reward, size) in [(0.1, 3), (0.7, 6), (0.3, 10), (-2.2, 3), (0.5, 1)] {
        let members = vec![trajectory(&[269, 2], reward); size];
        let prepared = prepare(&groups(&[members]), &RlConfig::default());
        assert!(prepared.rows.is_empty(), "{reward} times {size}");
        assert_eq!(prepared.statistics.trainable_groups, 0);
    }
    assert!(prepare(&[], &RlConfig::default()).rows.is_empty());
    assert!(prepare(&groups(&[vec![]]), &RlConfig::default()).rows.is_empty());
}

#[test]
fn a_malformed_rollout_without_signal_is_not_looked_at() {
    let members = vec![trajectory(&[9999], 1.0); 2];
    assert!(prepare(&groups(&[members]), &RlConfig::default()).rows.is_empty());
}

#[test]
fn full_balance_with_nothing_on_the_kept_side_is_no_signal() {
    // only the rollout with the positive advantage has trained tokens
    let mut untrained = trajectory(&[], 0.0);
    untrained["messages_and_choices"] = json!([]);
    let groups = groups(&[vec![trajectory(&[269, 2], 1.0), untrained]]);
    let with = |advantage_balance| prepare(&groups, &RlConfig { advantage_balance, ..RlConfig::default() });
    assert!(with(-1.0).rows.is_empty());
    let rows = with(1.0).sequences;
    assert_eq!(rows.len(), 1);
    assert!((rows[0].advantage - 1.0).abs() < 1e-12 && (rows[0].weight - 1.0).abs() < 1e-12);
}

#[test]
fn long_sequences_are_left_out_and_counted() {
    let groups = groups(&[vec![trajectory(&[269; 70], 1.0), trajectory(&[269, 2], 0.0)]]);
    let prepared = prepare(&groups, &RlConfig::default());
    assert_eq!(prepared.rows.len(), 1);
    let statistics =
        RlStatistics { groups: 1, trainable_groups: 1, trajectories: 2, dropped_sequences: 1, trained_tokens: 2 };
    assert_eq!(prepared.statistics, statistics);
}

#[test]
fn what_does_not_fit_a_packed_row_is_left_out() {
    let members = vec![trajectory(&[269; 30], 1.0), trajectory(&[269, 2], 0.0), trajectory(&[270, 2], 0.25)];
    let groups = groups(&[members]);
    let whole = prepare(&groups, &RlConfig::default());
    let lengths: Vec<usize> = whole.sequences.iter().map(|sequence| sequence.tokens.len()).collect();
    assert_eq!((whole.rows.len(), whole.statistics.dropped_sequences), (3, 0));
    assert_eq!(whole.reward_deviation, reward_deviation(&groups));
    let packed =
        |row_length| prepare(&groups, &RlConfig { packed_sequence_length: Some(row_length), ..RlConfig::default() });
    assert_eq!(packed(64).rows, [0..3], "what they share counts once");
    assert_eq!(packed(lengths[0]).rows, [0..1, 1..3]);
    let shorter = packed(lengths[0] - 1);
    assert_eq!((shorter.rows, shorter.statistics.dropped_sequences), (vec![0..2], 1));
}

#[test]
fn errors_name_the_place_in_the_request() {
    let mut second = trajectory(&[269], 0.0);
    second["additional_histories"] = json!([{"messages_and_choices": []}, {"messages_and_choices": trajectory(&[777], 0.0)["messages_and_choices"]}]);
    let groups = groups(&[vec![], vec![trajectory(&[269], 1.0), second]]);
    let error =
        prepare_rl(&groups, &RlConfig::default(), &Tiny::new().model(), 64).expect_err("unknown id").to_string();
    let place = "trajectory_groups[1].trajectories[1].additional_histories[1].messages_and_choices[1].logprobs.content[0].token: token 777";
    assert!(error.starts_with(place), "{error}");
}

#[test]
fn rewards_that_overflow_are_refused() {
    let groups =
        groups(&[vec![trajectory(&[269], 1.7e308), trajectory(&[269], -1.7e308), trajectory(&[269], 1.7e308)]]);
    let error = prepare_rl(&groups, &RlConfig::default(), &Tiny::new().model(), 64).expect_err("overflow").to_string();
    assert!(error.starts_with("trajectory_groups[0]: "), "{error}");
}

#[test]
fn the_learning_rate_of_a_row() {
    let job = |sequence_count_power, learning_rate_multiplier| {
        let config = RlConfig { learning_rate: 0.5, sequence_count_power, ..RlConfig::default() };
        PreparedRl { learning_rate_multiplier, ..PreparedRl::new(vec![], config, RlStatistics::default()) }
    };
    for sequences in [1, 4, 1000] {
        assert_eq!(job(0.0, 1.0).learning_rate(sequences), 0.5, "no option, no change");
        assert_eq!(job(1.0, 1.0).learning_rate(sequences), 0.5 * sequences as f64);
    }
    assert_eq!(job(0.5, 1.0).learning_rate(4), 1.0);
    assert_eq!(job(-0.5, 1.0).learning_rate(4), 0.25);
    assert_eq!(job(0.5, 0.25).learning_rate(4), 0.25);
    assert_eq!(job(0.0, 0.0).learning_rate(1), 0.0);
}

proptest! {
    #[test]
    fn advantages_sum_to_nothing_and_weights_to_one(rewards in prop::collection::vec(-5.0..5.0f64, 2..8), lengths in prop::collection::vec(1usize..6, 8), balance in -0.9..0.9f64) {
        let advantages = group_advantages(&rewards, true);
        let sum: f64 = advantages.iter().flatten().sum();
        prop_assert!(sum.abs() < 1e-6 * rewards.len() as f64 || advantages.iter().all(Option::is_none));
        let members: Vec<Value> = rewards.iter().zip(&lengths).map(|(reward, length)| trajectory(&vec![269; *length], *reward)).collect();
        let prepared = prepare(&groups(&[members]), &RlConfig { advantage_balance: balance, ..RlConfig::default() });
        let tokens: f64 = prepared.sequences.iter().map(|row| row.trained_tokens() as f64).sum();
        let mean = |value: &dyn Fn(&TrainSequence) -> f64| prepared.sequences.iter().map(|row| row.trained_tokens() as f64 * value(row)).sum::<f64>() / tokens;
        if !prepared.sequences.is_empty() {
            prop_assert!((mean(&|row| row.weight) - 1.0).abs() < 1e-9);
            prop_assert!((mean(&|row| row.weight * row.advantage.abs()) - 1.0).abs() < 1e-9);
            for row in &prepared.sequences {
                let raw = advantages.iter().flatten().any(|raw| raw.signum() == row.advantage.signum());
                prop_assert!(raw, "signs are kept");
            }
        }
    }
}
