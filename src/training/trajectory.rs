//! Rollouts as clients send them.
//!
//! Reading is lenient where rollouts vary (unknown fields, nulls, extra keys in messages) and strict where training
//! depends on it: a reward is a number, the items of a conversation are objects.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// An object of a conversation, kept as it came: keys that this service does not know may matter to a chat template.
pub type Item = Map<String, Value>;

/// Rollouts of one task, compared with each other.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TrajectoryGroup {
    /// The members; failed rollouts (`exceptions`) take no part in training.
    pub trajectories: Vec<Trajectory>,
}

/// One rollout and what it was worth.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Trajectory {
    /// The conversation.
    #[serde(flatten)]
    pub history: History,
    /// Further conversations of the same rollout, under the same reward.
    #[serde(default, deserialize_with = "null_as_default")]
    pub additional_histories: Vec<History>,
    /// What the rollout was worth.
    pub reward: f64,
}

impl Trajectory {
    /// The own conversation, then the additional ones.
    pub fn histories(&self) -> impl Iterator<Item = &History> {
        std::iter::once(&self.history).chain(&self.additional_histories)
    }
}

/// A conversation: messages and sampled choices in order.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct History {
    /// Messages (they have a `role`) and sampled choices (they have a `message` or a `finish_reason`, and no `role`).
    pub messages_and_choices: Vec<Item>,
    /// Tools the model could call.
    #[serde(default)]
    pub tools: Option<Vec<Value>>,
}

/// Whether an item is a sampled choice rather than a message.
pub fn is_choice(item: &Item) -> bool {
    !item.contains_key("role") && (item.contains_key("message") || item.contains_key("finish_reason"))
}

fn null_as_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(source: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(source)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nulls_and_unknown_fields_are_accepted() {
        let group: TrajectoryGroup = serde_json::from_value(json!({
            "trajectories": [{
                "messages_and_choices": [{"role": "user", "content": "q", "extra": 1}, {"finish_reason": "stop", "message": {}}],
                "tools": null, "additional_histories": null, "reward": 1, "metrics": {"x": true}, "start_time": "now",
            }],
            "exceptions": [{"type": "X"}], "future": 1,
        }))
        .unwrap();
        let trajectory = &group.trajectories[0];
        assert_eq!(trajectory.reward, 1.0);
        assert_eq!(trajectory.histories().count(), 1);
        let choices: Vec<bool> = trajectory.history.messages_and_choices.iter().map(is_choice).collect();
        assert_eq!(choices, [false, true]);
        assert_eq!(trajectory.history.messages_and_choices[0]["extra"], 1);
    }

    #[test]
    fn wrong_types_are_refused() {
        for group in [
            json!({}),
            json!({"trajectories": "x"}),
            json!({"trajectories": [5]}),
            json!({"trajectories": [{"reward": "high", "messages_and_choices": []}]}),
            json!({"trajectories": [{"reward": 1, "messages_and_choices": "x"}]}),
            json!({"trajectories": [{"reward": 1, "messages_and_choices": [5]}]}),
            json!({"trajectories": [{"messages_and_choices": []}]}),
        ] {
            assert!(serde_json::from_value::<TrajectoryGroup>(group.clone()).is_err(), "{group}");
        }
    }
}
