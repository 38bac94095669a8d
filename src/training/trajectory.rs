//! Rollouts as clients send them.
//!
//! Reading is lenient where rollouts vary (unknown fields, nulls, extra keys in messages) and strict where training
//! depends on it: a reward is a number, the items of a conversation are objects.

use std::{fmt, io::Read, ops::ControlFlow};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
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

/// Reads a list of groups and hands over one after the other, until `add` breaks or the list ends: a request may be larger
/// than the memory that there is for it.
///
/// # Errors
/// When the source cannot be read, or holds no list of groups.
pub fn read_groups(source: impl Read, add: impl FnMut(TrajectoryGroup) -> ControlFlow<()>) -> serde_json::Result<()> {
    struct Groups<F> {
        add: F,
        stopped: bool,
    }

    impl<'de, F: FnMut(TrajectoryGroup) -> ControlFlow<()>> Visitor<'de> for &mut Groups<F> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list of trajectory groups")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut groups: A) -> Result<(), A::Error> {
            while let Some(group) = groups.next_element()? {
                if (self.add)(group).is_break() {
                    self.stopped = true;
                    return Ok(());
                }
            }
            Ok(())
        }
    }

    let mut groups = Groups { add, stopped: false };
    let mut source = serde_json::Deserializer::from_reader(source);
    let read = source.deserialize_seq(&mut groups).and_then(|()| source.end());
    // What follows the last group that was wanted is no fault.
    if groups.stopped { Ok(()) } else { read }
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
    fn groups_are_read_one_by_one() {
        let group = |reward: f64| json!({ "trajectories": [{ "messages_and_choices": [], "reward": reward }] });
        let text = format!(" [{}, {}\n,{}] ", group(1.0), group(2.0), group(3.0));
        let read = |text: &str, wanted: usize| {
            let mut rewards = Vec::new();
            let read = read_groups(text.as_bytes(), |group| {
                rewards.push(group.trajectories[0].reward);
                if rewards.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            (rewards, read.map_err(|error| error.to_string()))
        };
        assert_eq!(read(&text, 9), (vec![1.0, 2.0, 3.0], Ok(())));
        assert_eq!(read(&text, 2), (vec![1.0, 2.0], Ok(())), "the rest is not read");
        assert_eq!(read(" [ ] ", 9), (vec![], Ok(())));
        for (bad, rewards) in [(&text[..60], 0), (&text[..text.len() - 2], 3), ("{}", 0), ("[5]", 0), ("", 0)] {
            let (found, outcome) = read(bad, 9);
            assert!(found.len() == rewards && outcome.is_err(), "{bad}: {found:?} {outcome:?}");
        }
        assert!(read(&format!("{text}x"), 9).1.is_err(), "more than the list");
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
