use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::golden::Tiny;

/// Prepares the job of these groups.
pub(crate) fn prepare_rl(
    groups: &[TrajectoryGroup],
    config: &RlConfig,
    model: &TextModel<'_>,
    max_length: usize,
) -> PreparedRl {
    let mut rollouts = Rollouts::new(config, model, &|name| name == "trained", max_length);
    groups.iter().for_each(|group| drop(rollouts.add(group)));
    rollouts.finish()
}

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
    prepare_rl(groups, config, &Tiny::new().model(), 64)
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
fn rewards_of_groups_without_signal_count_in_the_metrics() {
    let members = |rewards: [f64; 2]| rewards.map(|reward| trajectory(&[269, 2], reward)).to_vec();
    let prepared = prepare(&groups(&[members([0.0, 2.0]), members([3.0, 3.0])]), &RlConfig::default());
    let expected = [("reward/mean", 2.0), ("reward/std", 1.5_f64.sqrt()), ("reward/zero_signal", 0.5)];
    assert_eq!(prepared.reward_metrics(), expected);
    assert_eq!(prepare(&[], &RlConfig::default()).reward_metrics(), []);
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
    let rows: Vec<_> = with(1.0).sequences.iter().collect();
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
fn sequences_longer_than_a_packed_row_are_dropped() {
    let members = vec![trajectory(&[269; 30], 1.0), trajectory(&[269, 2], 0.0), trajectory(&[270, 2], 0.25)];
    let groups = groups(&[members]);
    let whole = prepare(&groups, &RlConfig::default());
    let lengths: Vec<usize> = whole.sequences.iter().map(|sequence| sequence.tokens.len()).collect();
    assert_eq!((whole.rows.len(), whole.statistics.dropped_sequences), (3, 0));
    let deviation = whole.reward_deviation.expect("finite rewards");
    assert!((deviation - 0.424_918_292_8).abs() < 1e-9, "{deviation}");
    let packed =
        |row_length| prepare(&groups, &RlConfig { packed_sequence_length: Some(row_length), ..RlConfig::default() });
    assert_eq!(packed(64).rows, [0..3], "what they share counts once");
    assert_eq!(packed(lengths[0]).rows, [0..1, 1..3]);
    let shorter = packed(lengths[0] - 1);
    assert_eq!((shorter.rows, shorter.statistics.dropped_sequences), (vec![0..2], 1));
}

/// Returns the drops: path and beginning of the reason.
fn drops(prepared: &PreparedRl) -> Vec<(&str, &str)> {
    prepared.report.first_drops().map(|(_, drop)| (drop.path.as_str(), drop.reason.as_str())).collect()
}

#[test]
fn only_untrainable_trajectories_are_dropped() {
    let malformed = |field: &str, value: Value| {
        let mut trajectory = trajectory(&[269, 2], 0.0);
        trajectory["messages_and_choices"][1][field] = value;
        trajectory
    };
    let logprob =
        |logprob: Value| malformed("logprobs", json!({"content": [{"token": "token_id:269", "logprob": logprob}]}));
    let mut foreign = trajectory(&[269], 0.0);
    foreign["additional_histories"] = json!([
        {"messages_and_choices": []},
        {"messages_and_choices": trajectory(&[777], 0.0)["messages_and_choices"]},
    ]);
    let mut rejected = trajectory(&[269], 0.0);
    rejected["messages_and_choices"][0]["content"] = json!(5);
    let mut untrained = trajectory(&[269], 0.0);
    untrained["messages_and_choices"][1]["logprobs"] = Value::Null;
    let bad = [
        (
            foreign,
            DropReason::OutsideVocabulary,
            ".additional_histories[1]",
            "messages_and_choices[1].logprobs.content[0].token: token 777",
        ),
        (rejected, DropReason::ChatTemplate, "", "messages_and_choices: messages[0].content"),
        (untrained, DropReason::NothingTrained, "", "no choice of this trajectory has logprobs"),
        (
            malformed("logprobs", json!("x")),
            DropReason::MalformedChoice,
            "",
            "messages_and_choices[1].logprobs: expected an object",
        ),
        (
            malformed("token_ids", json!([269])),
            DropReason::MalformedChoice,
            "",
            "messages_and_choices[1].token_ids: lists other tokens",
        ),
        (
            malformed("token_ids", json!([270, 2])),
            DropReason::MalformedChoice,
            "",
            "messages_and_choices[1].token_ids: lists other tokens",
        ),
        (
            logprob(json!(-1e300)),
            DropReason::InfiniteLogprob,
            "",
            "messages_and_choices[1].logprobs.content[0].logprob: the log-probability is not finite",
        ),
        (trajectory(&[269; 70], 0.0), DropReason::TooLong, "", "80 tokens are more than the 64"),
    ];
    for (bad, kind, path, reason) in bad {
        let prepared = prepare(&groups(&[vec![], vec![trajectory(&[269, 2], 1.0), bad]]), &RlConfig::default());
        let [(first_path, _), (got_path, got_reason)] = drops(&prepared)[..] else { panic!("{:?}", drops(&prepared)) };
        assert_eq!(first_path, "trajectory_groups[0]");
        assert_eq!(got_path, format!("trajectory_groups[1].trajectories[1]{path}"));
        assert!(got_reason.starts_with(reason), "{got_reason}");
        assert_eq!((prepared.report.drops(kind), prepared.report.drops(DropReason::NoTrajectories)), (1, 1));
        let first = prepared.sequences.iter().next().expect("a sequence");
        assert_eq!(first.tokens[first.tokens.len() - 2..], [269, 2]);
        let own_conversations = prepared.rows.len() - 1;
        assert_eq!(
            own_conversations,
            usize::from(kind == DropReason::OutsideVocabulary),
            "the rest of a trajectory stays"
        );
    }
}

#[test]
fn groups_and_trajectories_without_signal_are_reported() {
    let members = |rewards: &[f64]| rewards.iter().map(|reward| trajectory(&[269], *reward)).collect::<Vec<_>>();
    let prepared = prepare(
        &groups(&[
            members(&[1.0, 1.0]),
            members(&[1.0]),
            members(&[1.0, 0.0, 0.5]),
            members(&[1.7e308, -1.7e308, 1.7e308]),
        ]),
        &RlConfig::default(),
    );
    let expected = [
        ("trajectory_groups[0]", "all rewards of the group are equal"),
        ("trajectory_groups[1]", "a group of one trajectory has nothing to be compared with"),
        ("trajectory_groups[2].trajectories[2]", "the reward is the mean of its group: the advantage is zero"),
        ("trajectory_groups[3]", "the rewards of this group are too large to compare"),
    ];
    assert_eq!(drops(&prepared), expected);
    assert_eq!((prepared.rows.len(), prepared.statistics.trainable_groups), (2, 1));
    let data = Value::from(prepared.report.data());
    let counts = json!({"too_few_trajectories": 1, "equal_rewards": 1, "rewards_too_large": 1, "mean_reward": 1});
    assert_eq!(data["dropped"], counts);
    assert_eq!(data["dropped_places"][1]["place"], "trajectory_groups[1]");
}

#[test]
fn drift_is_counted_by_turn_and_by_trajectory() {
    let mut exact = trajectory(&[269, 2], 1.0);
    exact["messages_and_choices"][1]["message"]["content"] = Tiny::new().decode(&[269, 2]).into();
    exact["messages_and_choices"][1]["prompt_token_ids"] = json!([1, 305, 67]);
    let mut edited = exact.clone();
    edited["reward"] = json!(0.0);
    edited["messages_and_choices"][1]["message"]["content"] = json!("something else");
    edited["additional_histories"] = json!([{"messages_and_choices": edited["messages_and_choices"]}]);
    let prepared = prepare(&groups(&[vec![exact, edited]]), &RlConfig::default());
    let data = Value::from(prepared.report.data());
    let counts = json!({"edited_turns": 2, "turns_without_token_ids": 0, "turns_without_prompt_token_ids": 0, "turns_without_logprobs": 0,
        "discontinued_turns": 0, "trajectories": 1});
    assert_eq!(data["drift"], counts);
    let paths: Vec<&str> =
        data["drift_places"].as_array().expect("a list").iter().filter_map(|remark| remark["place"].as_str()).collect();
    let edited = "trajectory_groups[0].trajectories[1]";
    assert_eq!(
        paths,
        [
            format!("{edited}.messages_and_choices[1]"),
            format!("{edited}.additional_histories[0].messages_and_choices[1]")
        ]
    );
    assert_eq!(data["dropped"], json!({}));
    assert_eq!(prepared.rows.len(), 3, "what was edited is trained as it was sampled");
    assert!(prepared.sequences.iter().all(|row| row.tokens == [1, 305, 67, 269, 2]));
}

#[test]
fn the_learning_rate_of_a_row() {
    let job = |sequence_count_power, learning_rate_multiplier| {
        let config = RlConfig { learning_rate: 0.5, sequence_count_power, ..RlConfig::default() };
        PreparedRl {
            learning_rate_multiplier,
            ..PreparedRl::new(TrainSequences::default(), config, RlStatistics::default())
        }
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
        let mean = |value: &dyn Fn(&TrainSequence) -> f64| prepared.sequences.iter().map(|row| row.trained_tokens() as f64 * value(&row)).sum::<f64>() / tokens;
        if prepared.sequences.len() > 0 {
            prop_assert!((mean(&|row| row.weight) - 1.0).abs() < 1e-9);
            prop_assert!((mean(&|row| row.weight * row.advantage.abs()) - 1.0).abs() < 1e-9);
            for row in prepared.sequences.iter() {
                let raw = advantages.iter().flatten().any(|raw| raw.signum() == row.advantage.signum());
                prop_assert!(raw, "signs are kept");
            }
        }
    }
}
