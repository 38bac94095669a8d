//! Rollouts in the form that clients send.
//!
//! Parsing is lenient where rollouts vary (unknown fields, nulls, extra keys in messages) and strict where training
//! depends on it: a reward is a number, the items of a conversation are objects. A field that is absent or null has its
//! default, because clients omit fields that equal it.

use std::{borrow::Cow, fmt, io::Read, ops::ControlFlow};

use chrono::{DateTime, FixedOffset};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// An object of a conversation, kept unchanged: keys unknown to this service may matter to a chat template.
pub(crate) type Item = Map<String, Value>;

/// Rollouts of one task, compared with each other.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TrajectoryGroup {
    /// Members of the group; failed rollouts (`exceptions`) take no part in training.
    #[serde(default, deserialize_with = "null_as_default")]
    pub trajectories: Vec<Trajectory>,
}

/// One rollout and its reward.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Trajectory {
    /// Conversation of the rollout.
    #[serde(flatten)]
    pub history: History,
    /// Additional conversations of the same rollout, with the same reward.
    #[serde(default, deserialize_with = "null_as_default")]
    pub additional_histories: Vec<History>,
    /// Captured requests and responses, instead of conversations.
    #[serde(default, deserialize_with = "null_as_default")]
    pub exchanges: Exchanges,
    /// Reward of the rollout.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reward: f64,
}

impl Trajectory {
    /// Returns the own conversation, then the additional ones.
    pub fn histories(&self) -> impl Iterator<Item = &History> {
        std::iter::once(&self.history).chain(&self.additional_histories)
    }
}

/// A conversation: messages and sampled choices in order.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct History {
    /// Messages (with a `role`) and sampled choices (with a `message` or a `finish_reason`, and no `role`).
    #[serde(default, deserialize_with = "null_as_default")]
    pub messages_and_choices: Vec<Item>,
    /// Tools that the model could call.
    #[serde(default)]
    pub tools: Option<Vec<Value>>,
}

/// Captured requests and responses by protocol, each list in any order.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Exchanges {
    /// OpenAI's chat completions.
    #[serde(default, deserialize_with = "null_as_default")]
    pub chat_completions: Vec<Exchange>,
    /// OpenAI's legacy completions.
    #[serde(default, deserialize_with = "null_as_default")]
    pub completions: Vec<Exchange>,
    /// OpenAI's Responses API.
    #[serde(default, deserialize_with = "null_as_default")]
    pub responses: Vec<Exchange>,
    /// Anthropic's Messages API.
    #[serde(default, deserialize_with = "null_as_default")]
    pub messages: Vec<Exchange>,
}

impl Exchanges {
    /// Returns whether nothing was captured.
    pub fn is_empty(&self) -> bool {
        [&self.chat_completions, &self.completions, &self.responses, &self.messages].iter().all(|list| list.is_empty())
    }
}

/// A captured request and its response.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Exchange {
    /// Time of the request.
    #[serde(deserialize_with = "time")]
    pub start_time: DateTime<FixedOffset>,
    /// Time of the response.
    #[serde(deserialize_with = "time")]
    pub end_time: DateTime<FixedOffset>,
    /// JSON body of the request.
    pub request: Item,
    /// JSON body of the response.
    pub response: Item,
    /// Name of the sampled model, if the client provides it.
    #[serde(default)]
    model: Option<String>,
}

impl Exchange {
    /// Returns the name of the sampled model: from the client, else from the request, else from the response.
    pub fn model(&self) -> Option<&str> {
        fn named(body: &Item) -> Option<&str> {
            body.get("model")?.as_str()
        }
        self.model.as_deref().or_else(|| named(&self.request)).or_else(|| named(&self.response))
    }
}

/// Reads a list of groups and passes each to `add`, until `add` breaks or the list ends. A request may be larger than
/// the available memory.
///
/// # Errors
/// The source cannot be read, or is not a list of groups.
pub(crate) fn read_groups(
    source: impl Read,
    add: impl FnMut(TrajectoryGroup) -> ControlFlow<()>,
) -> serde_json::Result<()> {
    read_groups_from(source, 0, add)
}

/// Reads a list of groups as [`read_groups`] does, without the first `skipped` groups, whose contents are not checked.
///
/// # Errors
/// The source cannot be read, or is not a list of groups.
pub(crate) fn read_groups_from(
    source: impl Read,
    skipped: usize,
    add: impl FnMut(TrajectoryGroup) -> ControlFlow<()>,
) -> serde_json::Result<()> {
    struct Groups<F> {
        skipped: usize,
        add: F,
        stopped: bool,
    }

    impl<'de, F: FnMut(TrajectoryGroup) -> ControlFlow<()>> Visitor<'de> for &mut Groups<F> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list of trajectory groups")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut groups: A) -> Result<(), A::Error> {
            for _ in 0..self.skipped {
                if groups.next_element::<IgnoredAny>()?.is_none() {
                    return Ok(());
                }
            }
            while let Some(group) = groups.next_element()? {
                if (self.add)(group).is_break() {
                    self.stopped = true;
                    return Ok(());
                }
            }
            Ok(())
        }
    }

    let mut groups = Groups { skipped, add, stopped: false };
    let mut source = serde_json::Deserializer::from_reader(source);
    let read = source.deserialize_seq(&mut groups).and_then(|()| source.end());
    // Text after the last requested group is no error.
    if groups.stopped { Ok(()) } else { read }
}

/// Returns whether an item is a sampled choice rather than a message.
pub(crate) fn is_choice(item: &Item) -> bool {
    !item.contains_key("role") && (item.contains_key("message") || item.contains_key("finish_reason"))
}

/// Parses a time in RFC 3339 format.
fn time<'de, D: Deserializer<'de>>(source: D) -> Result<DateTime<FixedOffset>, D::Error> {
    let text = Cow::<str>::deserialize(source)?;
    DateTime::parse_from_rfc3339(&text).map_err(serde::de::Error::custom)
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
    fn absent_and_null_fields_have_their_defaults() {
        let read = |group: Value| serde_json::from_value::<TrajectoryGroup>(group).unwrap();
        for group in [json!({}), json!({"trajectories": null}), json!({"exceptions": [{"type": "X"}]})] {
            assert!(read(group).trajectories.is_empty());
        }
        let null_fields = json!({"reward": null, "messages_and_choices": null, "exchanges": null, "tools": null});
        let empty = json!({"exchanges": {"chat_completions": null, "messages": []}});
        let group = read(json!({"trajectories": [{}, null_fields, empty]}));
        for trajectory in &group.trajectories {
            assert_eq!(trajectory.reward, 0.0);
            assert!(trajectory.exchanges.is_empty() && trajectory.history.messages_and_choices.is_empty());
        }
    }

    #[test]
    fn the_sampled_model_is_named_by_client_request_or_response() {
        let named = |names: [Option<&str>; 3]| {
            let body = |name: Option<&str>| name.map_or(json!({}), |name| json!({"model": name}));
            let time = "2026-11-22T19:25:05.389185Z";
            let mut exchange =
                json!({"start_time": time, "end_time": time, "request": body(names[1]), "response": body(names[2])});
            exchange["model"] = names[0].into();
            let exchange: Exchange = serde_json::from_value(exchange).unwrap();
            exchange.model().map(str::to_owned)
        };
        assert_eq!(named([Some("a"), Some("b"), Some("c")]).as_deref(), Some("a"));
        assert_eq!(named([None, Some("b"), Some("c")]).as_deref(), Some("b"));
        assert_eq!(named([None, None, Some("c")]).as_deref(), Some("c"));
        assert_eq!(named([None; 3]), None);
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
            json!({"trajectories": "x"}),
            json!({"trajectories": [5]}),
            json!({"trajectories": [{"reward": "high", "messages_and_choices": []}]}),
            json!({"trajectories": [{"reward": 1, "messages_and_choices": "x"}]}),
            json!({"trajectories": [{"reward": 1, "messages_and_choices": [5]}]}),
            json!({"trajectories": [{"exchanges": {"chat_completions": [{"request": {}, "response": {}}]}}]}),
            json!({"trajectories": [{"exchanges": {"responses": [{
                "start_time": "yesterday", "end_time": "2026-01-01T00:00:00Z", "request": {}, "response": {},
            }]}}]}),
        ] {
            assert!(serde_json::from_value::<TrajectoryGroup>(group.clone()).is_err(), "{group}");
        }
    }
}
