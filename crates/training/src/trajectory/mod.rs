//! Rollouts in the form that clients send.
//!
//! Parsing is lenient where rollouts vary (unknown fields, nulls, extra keys in messages) and strict where training
//! depends on it: a reward is a number, the items of a conversation are objects. A field that is absent or null has its
//! default, because clients omit fields that equal it.

mod read;

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

pub(crate) use self::read::LocatedGroup;
pub use self::read::{read_group, read_groups, read_trajectory};

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

    /// Returns the number of sampled tokens, as the choices or the captured responses tell it; `None` if none does.
    pub fn completion_tokens(&self) -> Option<u64> {
        let choices = self.histories().flat_map(|history| &history.messages_and_choices).filter(|item| is_choice(item));
        let exchanges = self.exchanges.lists().into_iter().flatten();
        let told: Vec<u64> =
            choices.filter_map(tokens_of_choice).chain(exchanges.filter_map(tokens_of_exchange)).collect();
        (!told.is_empty()).then(|| told.iter().sum())
    }
}

fn tokens_of_choice(choice: &Item) -> Option<u64> {
    let listed = |list: Option<&Value>| list?.as_array().map(|list| list.len() as u64);
    listed(choice.get("token_ids")).or_else(|| listed(choice.get("logprobs")?.get("content")))
}

fn tokens_of_exchange(exchange: &Exchange) -> Option<u64> {
    let usage = exchange.response.get("usage")?;
    ["completion_tokens", "output_tokens"].iter().find_map(|name| usage.get(name)?.as_u64())
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
    /// Returns the lists of all protocols.
    fn lists(&self) -> [&[Exchange]; 4] {
        [&self.chat_completions, &self.completions, &self.responses, &self.messages]
    }

    /// Returns the bodies of all requests and responses.
    pub fn bodies(&self) -> impl Iterator<Item = &Item> {
        self.lists().into_iter().flatten().flat_map(|exchange| [&exchange.request, &exchange.response])
    }

    /// Returns whether nothing was captured.
    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|list| list.is_empty())
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
    fn sampled_tokens_are_counted_where_they_are_told() {
        let count = |trajectory: Value| serde_json::from_value::<Trajectory>(trajectory).unwrap().completion_tokens();
        let choice = |fields: Value| {
            let mut choice = json!({"finish_reason": "stop"});
            choice.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            choice
        };
        let entries = json!({"content": [{"token": "a", "logprob": -1.0}, {"token": "b", "logprob": -1.0}]});
        let listed = choice(json!({"token_ids": [1, 2, 3], "logprobs": entries}));
        let scored = choice(json!({"token_ids": null, "logprobs": entries}));
        let silent = choice(json!({"logprobs": null}));
        let user = json!({"role": "user", "content": "q", "token_ids": [1]});
        assert_eq!(count(json!({"messages_and_choices": [user, listed, user, scored, silent]})), Some(5));
        assert_eq!(
            count(
                json!({"messages_and_choices": [listed], "additional_histories": [{"messages_and_choices": [scored]}]})
            ),
            Some(5)
        );
        assert_eq!(count(json!({"messages_and_choices": [user, silent]})), None);
        let exchange = |usage: Value| {
            let time = "2026-11-22T19:25:05Z";
            json!({"start_time": time, "end_time": time, "request": {}, "response": {"usage": usage}})
        };
        let exchanges = json!({
            "chat_completions": [exchange(json!({"completion_tokens": 4})), exchange(json!(null))],
            "messages": [exchange(json!({"output_tokens": 6}))],
        });
        assert_eq!(count(json!({"exchanges": exchanges})), Some(10));
    }

    #[test]
    fn wrong_types_are_rejected() {
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
