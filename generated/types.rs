// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unused)]
use super::types;
use crate::{json, json::Read as _, validation};
pub use super::unions::{
    BatchSize, ChatMessage, JsonObject, LearningRate, Message, MessageContent,
    MessageOrChoice, ResponseFormat, Stop, Tool, ToolChoice,
};
/// AssistantMessage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct AssistantMessage {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<types::MessageContent>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub refusal: ::std::option::Option<::std::string::String>,
    pub role: types::AssistantRole,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<types::ToolCall>>,
}
impl json::ReadObject for AssistantMessage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "content",
            "name",
            "reasoning_content",
            "refusal",
            "role",
            "tool_calls",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: slot0.flatten(),
            name: slot1.flatten(),
            reasoning_content: slot2.flatten(),
            refusal: slot3.flatten(),
            role: json::required(slot4, "role")?,
            tool_calls: slot5.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for AssistantMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// AssistantRole
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum AssistantRole {
    /// `assistant`
    Assistant,
}
impl AssistantRole {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Assistant];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["assistant"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
        }
    }
}
impl ::std::fmt::Display for AssistantRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for AssistantRole {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "assistant" => Ok(Self::Assistant),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for AssistantRole {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for AssistantRole {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Which assistant turns of a conversation are trained. Only `all` is implemented today.
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum AssistantTurns {
    /// `all`
    All,
    /// `last`
    Last,
}
impl AssistantTurns {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::All, Self::Last];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["all", "last"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Last => "last",
        }
    }
}
impl ::std::fmt::Display for AssistantTurns {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for AssistantTurns {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self::All),
            "last" => Ok(Self::Last),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for AssistantTurns {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for AssistantTurns {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// AutoBatchSize
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum AutoBatchSize {
    /// `auto`
    Auto,
}
impl AutoBatchSize {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Auto];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["auto"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Auto => "auto",
        }
    }
}
impl ::std::fmt::Display for AutoBatchSize {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for AutoBatchSize {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for AutoBatchSize {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for AutoBatchSize {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ChatCompletion
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChatCompletion {
    pub choices: ::std::vec::Vec<types::Choice>,
    /// Unix time in seconds.
    pub created: i64,
    pub id: ::std::string::String,
    pub model: ::std::string::String,
    pub object: types::ChatCompletionObject,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    pub usage: types::Usage,
}
impl json::ReadObject for ChatCompletion {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "choices",
            "created",
            "id",
            "model",
            "object",
            "system_fingerprint",
            "usage",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<json::Same>>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Same>::fill(&mut slot6, NAMES[6], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            choices: json::required(slot0, "choices")?,
            created: json::required(slot1, "created")?,
            id: json::required(slot2, "id")?,
            model: json::required(slot3, "model")?,
            object: json::required(slot4, "object")?,
            system_fingerprint: slot5.flatten(),
            usage: json::required(slot6, "usage")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChatCompletion {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ChatCompletionChunk
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChatCompletionChunk {
    pub choices: ::std::vec::Vec<types::ChunkChoice>,
    /// Unix time in seconds.
    pub created: i64,
    pub id: ::std::string::String,
    pub model: ::std::string::String,
    pub object: types::ChatCompletionChunkObject,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub usage: ::std::option::Option<types::Usage>,
}
impl json::ReadObject for ChatCompletionChunk {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "choices",
            "created",
            "id",
            "model",
            "object",
            "system_fingerprint",
            "usage",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<json::Same>>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<json::Same>>::fill(&mut slot6, NAMES[6], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            choices: json::required(slot0, "choices")?,
            created: json::required(slot1, "created")?,
            id: json::required(slot2, "id")?,
            model: json::required(slot3, "model")?,
            object: json::required(slot4, "object")?,
            system_fingerprint: slot5.flatten(),
            usage: slot6.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChatCompletionChunk {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ChatCompletionChunkObject
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ChatCompletionChunkObject {
    /// `chat.completion.chunk`
    ChatCompletionChunk,
}
impl ChatCompletionChunkObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::ChatCompletionChunk];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["chat.completion.chunk"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::ChatCompletionChunk => "chat.completion.chunk",
        }
    }
}
impl ::std::fmt::Display for ChatCompletionChunkObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ChatCompletionChunkObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "chat.completion.chunk" => Ok(Self::ChatCompletionChunk),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ChatCompletionChunkObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ChatCompletionChunkObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ChatCompletionObject
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ChatCompletionObject {
    /// `chat.completion`
    ChatCompletion,
}
impl ChatCompletionObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::ChatCompletion];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["chat.completion"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::ChatCompletion => "chat.completion",
        }
    }
}
impl ::std::fmt::Display for ChatCompletionObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ChatCompletionObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "chat.completion" => Ok(Self::ChatCompletion),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ChatCompletionObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ChatCompletionObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ChatCompletionRequest
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChatCompletionRequest {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub chat_template_kwargs: ::std::option::Option<types::JsonObject>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub frequency_penalty: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub ignore_eos: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logit_bias: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, f64>,
    >,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_completion_tokens: ::std::option::Option<u64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_tokens: ::std::option::Option<u64>,
    pub messages: ::std::vec::Vec<types::ChatMessage>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<types::JsonObject>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_p: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_tokens: ::std::option::Option<u64>,
    /// A base model, or `wandb-artifact:///entity/project/name[:stepN]`.
    pub model: ::std::string::String,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub n: ::std::option::Option<u32>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parallel_tool_calls: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub presence_penalty: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_effort: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub repetition_penalty: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub response_format: ::std::option::Option<types::ResponseFormat>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub return_token_ids: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub seed: ::std::option::Option<i64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop: ::std::option::Option<types::Stop>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub store: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream_options: ::std::option::Option<types::StreamOptions>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub temperature: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_choice: ::std::option::Option<types::ToolChoice>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::Tool>>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_k: ::std::option::Option<i64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_logprobs: ::std::option::Option<u32>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_p: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub user: ::std::option::Option<::std::string::String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ChatCompletionRequest {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "chat_template_kwargs",
            "frequency_penalty",
            "ignore_eos",
            "logit_bias",
            "logprobs",
            "max_completion_tokens",
            "max_tokens",
            "messages",
            "metadata",
            "min_p",
            "min_tokens",
            "model",
            "n",
            "parallel_tool_calls",
            "presence_penalty",
            "reasoning_effort",
            "repetition_penalty",
            "response_format",
            "return_token_ids",
            "seed",
            "stop",
            "stop_token_ids",
            "store",
            "stream",
            "stream_options",
            "temperature",
            "tool_choice",
            "tools",
            "top_k",
            "top_logprobs",
            "top_p",
            "user",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        let mut slot9 = None;
        let mut slot10 = None;
        let mut slot11 = None;
        let mut slot12 = None;
        let mut slot13 = None;
        let mut slot14 = None;
        let mut slot15 = None;
        let mut slot16 = None;
        let mut slot17 = None;
        let mut slot18 = None;
        let mut slot19 = None;
        let mut slot20 = None;
        let mut slot21 = None;
        let mut slot22 = None;
        let mut slot23 = None;
        let mut slot24 = None;
        let mut slot25 = None;
        let mut slot26 = None;
        let mut slot27 = None;
        let mut slot28 = None;
        let mut slot29 = None;
        let mut slot30 = None;
        let mut slot31 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::Entries<json::Same>,
                    >>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<json::Same>>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<json::Whole>>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<json::Whole>>::fill(&mut slot6, NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::List<json::Same>>::fill(&mut slot7, NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<json::Same>>::fill(&mut slot8, NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<json::Same>>::fill(&mut slot9, NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot10, NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::Same>::fill(&mut slot11, NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot12, NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<json::Same>>::fill(&mut slot13, NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::Nullable<json::Same>>::fill(&mut slot14, NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::Nullable<json::Same>>::fill(&mut slot15, NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<json::Same>>::fill(&mut slot16, NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::Nullable<json::Same>>::fill(&mut slot17, NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::Nullable<json::Same>>::fill(&mut slot18, NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot19, NAMES[19], &mut map)?
                }
                json::Key::Known(20) => {
                    <json::Nullable<json::Same>>::fill(&mut slot20, NAMES[20], &mut map)?
                }
                json::Key::Known(21) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot21, NAMES[21], &mut map)?
                }
                json::Key::Known(22) => {
                    <json::Nullable<json::Same>>::fill(&mut slot22, NAMES[22], &mut map)?
                }
                json::Key::Known(23) => {
                    <json::Nullable<json::Same>>::fill(&mut slot23, NAMES[23], &mut map)?
                }
                json::Key::Known(24) => {
                    <json::Nullable<json::Same>>::fill(&mut slot24, NAMES[24], &mut map)?
                }
                json::Key::Known(25) => {
                    <json::Nullable<json::Same>>::fill(&mut slot25, NAMES[25], &mut map)?
                }
                json::Key::Known(26) => {
                    <json::Nullable<json::Same>>::fill(&mut slot26, NAMES[26], &mut map)?
                }
                json::Key::Known(27) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot27, NAMES[27], &mut map)?
                }
                json::Key::Known(28) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot28, NAMES[28], &mut map)?
                }
                json::Key::Known(29) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot29, NAMES[29], &mut map)?
                }
                json::Key::Known(30) => {
                    <json::Nullable<json::Same>>::fill(&mut slot30, NAMES[30], &mut map)?
                }
                json::Key::Known(31) => {
                    <json::Nullable<json::Same>>::fill(&mut slot31, NAMES[31], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            chat_template_kwargs: slot0.flatten(),
            frequency_penalty: slot1.flatten(),
            ignore_eos: slot2.flatten(),
            logit_bias: slot3.flatten(),
            logprobs: slot4.flatten(),
            max_completion_tokens: slot5.flatten(),
            max_tokens: slot6.flatten(),
            messages: json::required(slot7, "messages")?,
            metadata: slot8.flatten(),
            min_p: slot9.flatten(),
            min_tokens: slot10.flatten(),
            model: json::required(slot11, "model")?,
            n: slot12.flatten(),
            parallel_tool_calls: slot13.flatten(),
            presence_penalty: slot14.flatten(),
            reasoning_effort: slot15.flatten(),
            repetition_penalty: slot16.flatten(),
            response_format: slot17.flatten(),
            return_token_ids: slot18.flatten(),
            seed: slot19.flatten(),
            stop: slot20.flatten(),
            stop_token_ids: slot21.flatten(),
            store: slot22.flatten(),
            stream: slot23.flatten(),
            stream_options: slot24.flatten(),
            temperature: slot25.flatten(),
            tool_choice: slot26.flatten(),
            tools: slot27.flatten(),
            top_k: slot28.flatten(),
            top_logprobs: slot29.flatten(),
            top_p: slot30.flatten(),
            user: slot31.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChatCompletionRequest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Checkpoint
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Checkpoint {
    pub id: ::std::string::String,
    pub metrics: ::std::collections::BTreeMap<::std::string::String, f64>,
    pub step: u64,
}
impl json::ReadObject for Checkpoint {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["id", "metrics", "step"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Entries<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            id: json::required(slot0, "id")?,
            metrics: json::required(slot1, "metrics")?,
            step: json::required(slot2, "step")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for Checkpoint {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// CheckpointPage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CheckpointPage {
    pub data: ::std::vec::Vec<types::Checkpoint>,
    /// Empty on an empty page.
    pub first_id: ::std::string::String,
    pub has_more: bool,
    /// Empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for CheckpointPage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["data", "first_id", "has_more", "last_id", "object"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: json::required(slot0, "data")?,
            first_id: json::required(slot1, "first_id")?,
            has_more: json::required(slot2, "has_more")?,
            last_id: json::required(slot3, "last_id")?,
            object: json::required(slot4, "object")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CheckpointPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Choice
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Choice {
    pub finish_reason: types::FinishReason,
    pub index: u32,
    pub logprobs: ::std::option::Option<types::ChoiceLogprobs>,
    pub message: types::ChoiceMessage,
    /// The sampled tokens, when `return_token_ids` is set.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
impl json::ReadObject for Choice {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "finish_reason",
            "index",
            "logprobs",
            "message",
            "token_ids",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            finish_reason: json::required(slot0, "finish_reason")?,
            index: json::required(slot1, "index")?,
            logprobs: json::required(slot2, "logprobs")?,
            message: json::required(slot3, "message")?,
            token_ids: slot4.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for Choice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ChoiceDelta
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChoiceDelta {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub refusal: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub role: ::std::option::Option<types::AssistantRole>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<types::ToolCallDelta>>,
}
impl json::ReadObject for ChoiceDelta {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "content",
            "reasoning_content",
            "refusal",
            "role",
            "tool_calls",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::List<json::Same>>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: slot0.flatten(),
            reasoning_content: slot1.flatten(),
            refusal: slot2.flatten(),
            role: slot3,
            tool_calls: slot4,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChoiceDelta {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ChoiceLogprobs
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChoiceLogprobs {
    pub content: ::std::option::Option<::std::vec::Vec<types::TokenLogprob>>,
    pub refusal: ::std::option::Option<::std::vec::Vec<types::TokenLogprob>>,
}
impl json::ReadObject for ChoiceLogprobs {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["content", "refusal"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            refusal: json::required(slot1, "refusal")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChoiceLogprobs {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ChoiceMessage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChoiceMessage {
    pub content: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    pub refusal: ::std::option::Option<::std::string::String>,
    pub role: types::AssistantRole,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<types::ToolCall>>,
}
impl json::ReadObject for ChoiceMessage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "content",
            "reasoning_content",
            "refusal",
            "role",
            "tool_calls",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::List<json::Same>>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            reasoning_content: slot1.flatten(),
            refusal: json::required(slot2, "refusal")?,
            role: json::required(slot3, "role")?,
            tool_calls: slot4,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChoiceMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ChunkChoice
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChunkChoice {
    pub delta: types::ChoiceDelta,
    pub finish_reason: ::std::option::Option<types::FinishReason>,
    pub index: u32,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<types::ChoiceLogprobs>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
impl json::ReadObject for ChunkChoice {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "delta",
            "finish_reason",
            "index",
            "logprobs",
            "token_ids",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            delta: json::required(slot0, "delta")?,
            finish_reason: json::required(slot1, "finish_reason")?,
            index: json::required(slot2, "index")?,
            logprobs: slot3.flatten(),
            token_ids: slot4.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ChunkChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ContentPart
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ContentPart {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub text: ::std::option::Option<::std::string::String>,
    /// Only `text` is understood.
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ContentPart {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["text", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            text: slot0.flatten(),
            type_: json::required(slot1, "type")?,
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// CreateSftTrainingJob
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CreateSftTrainingJob {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub config: ::std::option::Option<types::SftTrainingConfig>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub experimental_config: ::std::option::Option<types::JsonObject>,
    pub model_id: ::std::string::String,
    /// JSON Lines, one conversation per line: `{"messages": [...], "tools": [...]}`.
    pub training_data_url: ::std::string::String,
}
impl json::ReadObject for CreateSftTrainingJob {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "config",
            "experimental_config",
            "model_id",
            "training_data_url",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            config: slot0.flatten(),
            experimental_config: slot1.flatten(),
            model_id: json::required(slot2, "model_id")?,
            training_data_url: json::required(slot3, "training_data_url")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CreateSftTrainingJob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// CreateTrainingJob
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CreateTrainingJob {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub experimental_config: ::std::option::Option<types::ExperimentalTrainingConfig>,
    pub model_id: ::std::string::String,
    pub trajectory_groups: ::std::vec::Vec<types::TrajectoryGroup>,
}
impl json::ReadObject for CreateTrainingJob {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["experimental_config", "model_id", "trajectory_groups"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            experimental_config: slot0.flatten(),
            model_id: json::required(slot1, "model_id")?,
            trajectory_groups: json::required(slot2, "trajectory_groups")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CreateTrainingJob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// DeleteCheckpointsRequest
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteCheckpointsRequest {
    pub steps: ::std::vec::Vec<u64>,
}
impl json::ReadObject for DeleteCheckpointsRequest {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["steps"];
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Whole>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            steps: json::required(slot0, "steps")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for DeleteCheckpointsRequest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// DeleteCheckpointsResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteCheckpointsResponse {
    pub deleted_count: u64,
    pub not_found_steps: ::std::vec::Vec<u64>,
}
impl json::ReadObject for DeleteCheckpointsResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["deleted_count", "not_found_steps"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<json::Whole>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            deleted_count: json::required(slot0, "deleted_count")?,
            not_found_steps: json::required(slot1, "not_found_steps")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for DeleteCheckpointsResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// DeleteModelResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteModelResponse {
    pub deleted_checkpoints: u64,
    pub deleted_run: bool,
    pub model_id: ::std::string::String,
}
impl json::ReadObject for DeleteModelResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["deleted_checkpoints", "deleted_run", "model_id"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            deleted_checkpoints: json::required(slot0, "deleted_checkpoints")?,
            deleted_run: json::required(slot1, "deleted_run")?,
            model_id: json::required(slot2, "model_id")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for DeleteModelResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ErrorDetail
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ErrorDetail {
    /// A stable name of the fault for programs.
    pub code: ::std::option::Option<::std::string::String>,
    /// What is wrong and what to do about it.
    pub message: ::std::string::String,
    /// Where in the request the fault lies.
    pub param: ::std::option::Option<::std::string::String>,
    /// One of `invalid_request_error`, `authentication_error`, `permission_error`, `not_found_error`, `conflict_error`, `rate_limit_error`, `overloaded_error`, `internal_error`.
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
}
impl json::ReadObject for ErrorDetail {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["code", "message", "param", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            code: json::required(slot0, "code")?,
            message: json::required(slot1, "message")?,
            param: json::required(slot2, "param")?,
            type_: json::required(slot3, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ErrorDetail {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ErrorResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ErrorResponse {
    pub error: types::ErrorDetail,
}
impl json::ReadObject for ErrorResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["error"];
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            error: json::required(slot0, "error")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ErrorResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Options of an RL job; null means the default. Unknown options are accepted.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ExperimentalTrainingConfig {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub advantage_balance: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub allow_training_without_logprobs: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epsilon: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epsilon_high: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub importance_sampling_level: ::std::option::Option<types::ImportanceSamplingLevel>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kimi_k2_tau: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_coef: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_reference_step: ::std::option::Option<u64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_source: ::std::option::Option<types::KlPenaltySource>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_step_lag: ::std::option::Option<u64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_ref_adapter_path: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprob_calculation_chunk_size: ::std::option::Option<u64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub loss_fn: ::std::option::Option<types::LossFunction>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub mask_prob_ratio: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_negative_advantage_importance_sampling_weight: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub normalize_advantages: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub num_trajectories_learning_rate_multiplier_power: ::std::option::Option<f64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub packed_sequence_length: ::std::option::Option<u64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub plot_tensors: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub ppo: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub precalculate_logprobs: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub scale_learning_rate_by_reward_std_dev: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub scale_rewards: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub truncated_importance_sampling: ::std::option::Option<f64>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ExperimentalTrainingConfig {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "advantage_balance",
            "allow_training_without_logprobs",
            "epsilon",
            "epsilon_high",
            "importance_sampling_level",
            "kimi_k2_tau",
            "kl_penalty_coef",
            "kl_penalty_reference_step",
            "kl_penalty_source",
            "kl_penalty_step_lag",
            "kl_ref_adapter_path",
            "learning_rate",
            "logprob_calculation_chunk_size",
            "loss_fn",
            "mask_prob_ratio",
            "max_negative_advantage_importance_sampling_weight",
            "normalize_advantages",
            "num_trajectories_learning_rate_multiplier_power",
            "packed_sequence_length",
            "plot_tensors",
            "ppo",
            "precalculate_logprobs",
            "scale_learning_rate_by_reward_std_dev",
            "scale_rewards",
            "truncated_importance_sampling",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        let mut slot9 = None;
        let mut slot10 = None;
        let mut slot11 = None;
        let mut slot12 = None;
        let mut slot13 = None;
        let mut slot14 = None;
        let mut slot15 = None;
        let mut slot16 = None;
        let mut slot17 = None;
        let mut slot18 = None;
        let mut slot19 = None;
        let mut slot20 = None;
        let mut slot21 = None;
        let mut slot22 = None;
        let mut slot23 = None;
        let mut slot24 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<json::Same>>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<json::Same>>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<json::Same>>::fill(&mut slot6, NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<json::Whole>>::fill(&mut slot7, NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<json::Same>>::fill(&mut slot8, NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<json::Whole>>::fill(&mut slot9, NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<json::Same>>::fill(&mut slot10, NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::Nullable<json::Same>>::fill(&mut slot11, NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot12, NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<json::Same>>::fill(&mut slot13, NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::Nullable<json::Same>>::fill(&mut slot14, NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::Nullable<json::Same>>::fill(&mut slot15, NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<json::Same>>::fill(&mut slot16, NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::Nullable<json::Same>>::fill(&mut slot17, NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot18, NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::Nullable<json::Same>>::fill(&mut slot19, NAMES[19], &mut map)?
                }
                json::Key::Known(20) => {
                    <json::Nullable<json::Same>>::fill(&mut slot20, NAMES[20], &mut map)?
                }
                json::Key::Known(21) => {
                    <json::Nullable<json::Same>>::fill(&mut slot21, NAMES[21], &mut map)?
                }
                json::Key::Known(22) => {
                    <json::Nullable<json::Same>>::fill(&mut slot22, NAMES[22], &mut map)?
                }
                json::Key::Known(23) => {
                    <json::Nullable<json::Same>>::fill(&mut slot23, NAMES[23], &mut map)?
                }
                json::Key::Known(24) => {
                    <json::Nullable<json::Same>>::fill(&mut slot24, NAMES[24], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            advantage_balance: slot0.flatten(),
            allow_training_without_logprobs: slot1.flatten(),
            epsilon: slot2.flatten(),
            epsilon_high: slot3.flatten(),
            importance_sampling_level: slot4.flatten(),
            kimi_k2_tau: slot5.flatten(),
            kl_penalty_coef: slot6.flatten(),
            kl_penalty_reference_step: slot7.flatten(),
            kl_penalty_source: slot8.flatten(),
            kl_penalty_step_lag: slot9.flatten(),
            kl_ref_adapter_path: slot10.flatten(),
            learning_rate: slot11.flatten(),
            logprob_calculation_chunk_size: slot12.flatten(),
            loss_fn: slot13.flatten(),
            mask_prob_ratio: slot14.flatten(),
            max_negative_advantage_importance_sampling_weight: slot15.flatten(),
            normalize_advantages: slot16.flatten(),
            num_trajectories_learning_rate_multiplier_power: slot17.flatten(),
            packed_sequence_length: slot18.flatten(),
            plot_tensors: slot19.flatten(),
            ppo: slot20.flatten(),
            precalculate_logprobs: slot21.flatten(),
            scale_learning_rate_by_reward_std_dev: slot22.flatten(),
            scale_rewards: slot23.flatten(),
            truncated_importance_sampling: slot24.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ExperimentalTrainingConfig {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// FinishReason
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum FinishReason {
    /// `stop`
    Stop,
    /// `length`
    Length,
    /// `tool_calls`
    ToolCalls,
    /// `content_filter`
    ContentFilter,
    /// `function_call`
    FunctionCall,
}
impl FinishReason {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::Stop,
        Self::Length,
        Self::ToolCalls,
        Self::ContentFilter,
        Self::FunctionCall,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "stop",
        "length",
        "tool_calls",
        "content_filter",
        "function_call",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::ContentFilter => "content_filter",
            Self::FunctionCall => "function_call",
        }
    }
}
impl ::std::fmt::Display for FinishReason {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FinishReason {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "stop" => Ok(Self::Stop),
            "length" => Ok(Self::Length),
            "tool_calls" => Ok(Self::ToolCalls),
            "content_filter" => Ok(Self::ContentFilter),
            "function_call" => Ok(Self::FunctionCall),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FinishReason {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FinishReason {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// FunctionCall
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionCall {
    /// A JSON document as text.
    pub arguments: ::std::string::String,
    pub name: ::std::string::String,
}
impl json::ReadObject for FunctionCall {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["arguments", "name"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            arguments: json::required(slot0, "arguments")?,
            name: json::required(slot1, "name")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionCall {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// FunctionCallDelta
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionCallDelta {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub arguments: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for FunctionCallDelta {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["arguments", "name"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            arguments: slot0,
            name: slot1,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionCallDelta {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// FunctionDefinition
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionDefinition {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    pub name: ::std::string::String,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parameters: ::std::option::Option<types::JsonObject>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
}
impl json::ReadObject for FunctionDefinition {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["description", "name", "parameters", "strict"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            description: slot0.flatten(),
            name: json::required(slot1, "name")?,
            parameters: slot2.flatten(),
            strict: slot3.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionDefinition {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// FunctionMessage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionMessage {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<::std::string::String>,
    pub name: ::std::string::String,
    pub role: types::FunctionRole,
}
impl json::ReadObject for FunctionMessage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["content", "name", "role"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: slot0.flatten(),
            name: json::required(slot1, "name")?,
            role: json::required(slot2, "role")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// FunctionName
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionName {
    pub name: ::std::string::String,
}
impl json::ReadObject for FunctionName {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["name"];
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            name: json::required(slot0, "name")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionName {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// FunctionRole
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum FunctionRole {
    /// `function`
    Function,
}
impl FunctionRole {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Function];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["function"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Function => "function",
        }
    }
}
impl ::std::fmt::Display for FunctionRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FunctionRole {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "function" => Ok(Self::Function),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FunctionRole {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionRole {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// HealthResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct HealthResponse {
    pub status: types::HealthStatus,
}
impl json::ReadObject for HealthResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["status"];
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            status: json::required(slot0, "status")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for HealthResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// HealthStatus
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum HealthStatus {
    /// `ok`
    Ok,
}
impl HealthStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Ok];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["ok"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
        }
    }
}
impl ::std::fmt::Display for HealthStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for HealthStatus {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "ok" => Ok(Self::Ok),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for HealthStatus {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for HealthStatus {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// History
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct History {
    pub messages_and_choices: ::std::vec::Vec<types::MessageOrChoice>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for History {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["messages_and_choices", "tools"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            messages_and_choices: json::required(slot0, "messages_and_choices")?,
            tools: slot1.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for History {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ImportanceSamplingLevel
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ImportanceSamplingLevel {
    /// `token`
    Token,
    /// `sequence`
    Sequence,
    /// `average`
    Average,
    /// `geometric_average`
    GeometricAverage,
}
impl ImportanceSamplingLevel {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::Token,
        Self::Sequence,
        Self::Average,
        Self::GeometricAverage,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "token",
        "sequence",
        "average",
        "geometric_average",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Sequence => "sequence",
            Self::Average => "average",
            Self::GeometricAverage => "geometric_average",
        }
    }
}
impl ::std::fmt::Display for ImportanceSamplingLevel {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ImportanceSamplingLevel {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "token" => Ok(Self::Token),
            "sequence" => Ok(Self::Sequence),
            "average" => Ok(Self::Average),
            "geometric_average" => Ok(Self::GeometricAverage),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ImportanceSamplingLevel {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ImportanceSamplingLevel {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// InferenceModel
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct InferenceModel {
    /// Unix time in seconds; 0 for base models.
    pub created: i64,
    /// What goes into `model` of a chat request.
    pub id: ::std::string::String,
    pub object: types::InferenceModelObject,
    pub owned_by: ::std::string::String,
    pub root: ::std::string::String,
}
impl json::ReadObject for InferenceModel {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["created", "id", "object", "owned_by", "root"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            created: json::required(slot0, "created")?,
            id: json::required(slot1, "id")?,
            object: json::required(slot2, "object")?,
            owned_by: json::required(slot3, "owned_by")?,
            root: json::required(slot4, "root")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for InferenceModel {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// InferenceModelList
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct InferenceModelList {
    pub data: ::std::vec::Vec<types::InferenceModel>,
    pub object: types::ListObject,
}
impl json::ReadObject for InferenceModelList {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["data", "object"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: json::required(slot0, "data")?,
            object: json::required(slot1, "object")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for InferenceModelList {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// InferenceModelObject
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum InferenceModelObject {
    /// `model`
    Model,
}
impl InferenceModelObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Model];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["model"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Model => "model",
        }
    }
}
impl ::std::fmt::Display for InferenceModelObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for InferenceModelObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "model" => Ok(Self::Model),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for InferenceModelObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for InferenceModelObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// KlPenaltySource
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum KlPenaltySource {
    /// `current_learner`
    CurrentLearner,
    /// `sample`
    Sample,
}
impl KlPenaltySource {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::CurrentLearner, Self::Sample];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["current_learner", "sample"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::CurrentLearner => "current_learner",
            Self::Sample => "sample",
        }
    }
}
impl ::std::fmt::Display for KlPenaltySource {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for KlPenaltySource {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "current_learner" => Ok(Self::CurrentLearner),
            "sample" => Ok(Self::Sample),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for KlPenaltySource {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for KlPenaltySource {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ListObject
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ListObject {
    /// `list`
    List,
}
impl ListObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::List];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["list"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::List => "list",
        }
    }
}
impl ::std::fmt::Display for ListObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ListObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "list" => Ok(Self::List),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ListObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ListObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// LogRequest
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct LogRequest {
    /// The id of the path again.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub model_id: ::std::option::Option<::std::string::String>,
    pub split: ::std::string::String,
    pub trajectory_groups: ::std::vec::Vec<types::TrajectoryGroup>,
}
impl json::ReadObject for LogRequest {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["model_id", "split", "trajectory_groups"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            model_id: slot0.flatten(),
            split: json::required(slot1, "split")?,
            trajectory_groups: json::required(slot2, "trajectory_groups")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for LogRequest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// LogResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct LogResponse {
    pub logged_groups: u64,
    pub logged_trajectories: u64,
}
impl json::ReadObject for LogResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["logged_groups", "logged_trajectories"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            logged_groups: json::required(slot0, "logged_groups")?,
            logged_trajectories: json::required(slot1, "logged_trajectories")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for LogResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// LossFunction
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum LossFunction {
    /// `cispo`
    Cispo,
    /// `ppo`
    Ppo,
}
impl LossFunction {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Cispo, Self::Ppo];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["cispo", "ppo"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Cispo => "cispo",
            Self::Ppo => "ppo",
        }
    }
}
impl ::std::fmt::Display for LossFunction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for LossFunction {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "cispo" => Ok(Self::Cispo),
            "ppo" => Ok(Self::Ppo),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for LossFunction {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for LossFunction {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ModelCreate
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ModelCreate {
    pub base_model: ::std::string::String,
    /// Owner of the model; the key's own entity when absent.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub entity: ::std::option::Option<::std::string::String>,
    pub name: ::std::string::String,
    pub project: ::std::string::String,
    /// Answer with the model of that name when there is one, instead of refusing.
    pub return_existing: bool,
}
impl json::ReadObject for ModelCreate {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "base_model",
            "entity",
            "name",
            "project",
            "return_existing",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            base_model: json::required(slot0, "base_model")?,
            entity: slot1.flatten(),
            name: json::required(slot2, "name")?,
            project: json::required(slot3, "project")?,
            return_existing: match slot4 {
                Some(value) => value,
                None => false,
            },
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ModelCreate {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ModelResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ModelResponse {
    pub base_model: ::std::string::String,
    pub entity: ::std::string::String,
    pub id: ::std::string::String,
    pub name: ::std::string::String,
    pub project: ::std::string::String,
    pub run_id: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for ModelResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "base_model",
            "entity",
            "id",
            "name",
            "project",
            "run_id",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<json::Same>>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            base_model: json::required(slot0, "base_model")?,
            entity: json::required(slot1, "entity")?,
            id: json::required(slot2, "id")?,
            name: json::required(slot3, "name")?,
            project: json::required(slot4, "project")?,
            run_id: json::required(slot5, "run_id")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ModelResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// NamedJsonSchema
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct NamedJsonSchema {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    pub name: ::std::string::String,
    pub schema: types::JsonObject,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
}
impl json::ReadObject for NamedJsonSchema {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["description", "name", "schema", "strict"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            description: slot0.flatten(),
            name: json::required(slot1, "name")?,
            schema: json::required(slot2, "schema")?,
            strict: slot3.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for NamedJsonSchema {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// NamedToolChoice
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct NamedToolChoice {
    pub function: types::FunctionName,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for NamedToolChoice {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["function", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            function: json::required(slot0, "function")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for NamedToolChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// QueueCheck
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct QueueCheck {
    /// Seconds.
    pub duration: f64,
    pub errors: ::std::vec::Vec<::std::string::String>,
    pub success: bool,
}
impl json::ReadObject for QueueCheck {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["duration", "errors", "success"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            duration: json::required(slot0, "duration")?,
            errors: json::required(slot1, "errors")?,
            success: json::required(slot2, "success")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for QueueCheck {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ResponseFormatJsonObject
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFormatJsonObject {
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
}
impl json::ReadObject for ResponseFormatJsonObject {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["type"];
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            type_: json::required(slot0, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFormatJsonObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ResponseFormatJsonSchema
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFormatJsonSchema {
    pub json_schema: types::NamedJsonSchema,
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
}
impl json::ReadObject for ResponseFormatJsonSchema {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["json_schema", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            json_schema: json::required(slot0, "json_schema")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFormatJsonSchema {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ResponseFormatText
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFormatText {
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
}
impl json::ReadObject for ResponseFormatText {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["type"];
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            type_: json::required(slot0, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFormatText {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Options of an SFT job; null means the default. Unknown options are accepted.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SftTrainingConfig {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub assistant_turns: ::std::option::Option<types::AssistantTurns>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub batch_size: ::std::option::Option<types::BatchSize>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate: ::std::option::Option<types::LearningRate>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metric_logging: ::std::option::Option<types::JsonObject>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for SftTrainingConfig {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "assistant_turns",
            "batch_size",
            "learning_rate",
            "metric_logging",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            assistant_turns: slot0.flatten(),
            batch_size: slot1.flatten(),
            learning_rate: slot2.flatten(),
            metric_logging: slot3.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for SftTrainingConfig {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// SortOrder
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum SortOrder {
    /// `asc`
    Asc,
    /// `desc`
    Desc,
}
impl SortOrder {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Asc, Self::Desc];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["asc", "desc"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }
}
impl ::std::default::Default for SortOrder {
    fn default() -> Self {
        Self::Asc
    }
}
impl ::std::fmt::Display for SortOrder {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for SortOrder {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "asc" => Ok(Self::Asc),
            "desc" => Ok(Self::Desc),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for SortOrder {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for SortOrder {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// StreamOptions
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct StreamOptions {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub continuous_usage_stats: ::std::option::Option<bool>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include_usage: ::std::option::Option<bool>,
}
impl json::ReadObject for StreamOptions {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["continuous_usage_stats", "include_usage"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            continuous_usage_stats: slot0.flatten(),
            include_usage: slot1.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for StreamOptions {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// SystemCheckResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SystemCheckResponse {
    pub api: bool,
    pub cpu_queue: types::QueueCheck,
    pub database: bool,
    pub gpu_queue: types::QueueCheck,
}
impl json::ReadObject for SystemCheckResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["api", "cpu_queue", "database", "gpu_queue"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            api: json::required(slot0, "api")?,
            cpu_queue: json::required(slot1, "cpu_queue")?,
            database: json::required(slot2, "database")?,
            gpu_queue: json::required(slot3, "gpu_queue")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for SystemCheckResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// SystemMessage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SystemMessage {
    pub content: types::MessageContent,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    pub role: types::SystemRole,
}
impl json::ReadObject for SystemMessage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["content", "name", "role"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            name: slot1.flatten(),
            role: json::required(slot2, "role")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for SystemMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// SystemRole
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum SystemRole {
    /// `system`
    System,
    /// `developer`
    Developer,
}
impl SystemRole {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::System, Self::Developer];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["system", "developer"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
        }
    }
}
impl ::std::fmt::Display for SystemRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for SystemRole {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "system" => Ok(Self::System),
            "developer" => Ok(Self::Developer),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for SystemRole {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for SystemRole {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// TokenLogprob
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TokenLogprob {
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    pub logprob: f64,
    /// `token_id:N`, so that training can recover the exact token.
    pub token: ::std::string::String,
    pub top_logprobs: ::std::vec::Vec<types::TopLogprob>,
}
impl json::ReadObject for TokenLogprob {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["bytes", "logprob", "token", "top_logprobs"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::List<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            bytes: json::required(slot0, "bytes")?,
            logprob: json::required(slot1, "logprob")?,
            token: json::required(slot2, "token")?,
            top_logprobs: json::required(slot3, "top_logprobs")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TokenLogprob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ToolCall
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolCall {
    pub function: types::FunctionCall,
    pub id: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for ToolCall {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["function", "id", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            function: json::required(slot0, "function")?,
            id: json::required(slot1, "id")?,
            type_: json::required(slot2, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolCall {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ToolCallDelta
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolCallDelta {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub function: ::std::option::Option<types::FunctionCallDelta>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub id: ::std::option::Option<::std::string::String>,
    pub index: u32,
    #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
    pub type_: ::std::option::Option<types::ToolType>,
}
impl json::ReadObject for ToolCallDelta {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["function", "id", "index", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            function: slot0,
            id: slot1,
            index: json::required(slot2, "index")?,
            type_: slot3,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolCallDelta {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ToolChoiceMode
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ToolChoiceMode {
    /// `none`
    None,
    /// `auto`
    Auto,
    /// `required`
    Required,
}
impl ToolChoiceMode {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::None, Self::Auto, Self::Required];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["none", "auto", "required"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
            Self::Required => "required",
        }
    }
}
impl ::std::fmt::Display for ToolChoiceMode {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ToolChoiceMode {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "none" => Ok(Self::None),
            "auto" => Ok(Self::Auto),
            "required" => Ok(Self::Required),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ToolChoiceMode {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolChoiceMode {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ToolDefinition
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolDefinition {
    pub function: types::FunctionDefinition,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for ToolDefinition {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["function", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            function: json::required(slot0, "function")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolDefinition {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ToolMessage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolMessage {
    pub content: types::MessageContent,
    pub role: types::ToolRole,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_call_id: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for ToolMessage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["content", "role", "tool_call_id"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            role: json::required(slot1, "role")?,
            tool_call_id: slot2.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// ToolRole
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ToolRole {
    /// `tool`
    Tool,
}
impl ToolRole {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Tool];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["tool"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Tool => "tool",
        }
    }
}
impl ::std::fmt::Display for ToolRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ToolRole {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "tool" => Ok(Self::Tool),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ToolRole {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolRole {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// ToolType
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum ToolType {
    /// `function`
    Function,
}
impl ToolType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Function];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["function"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Function => "function",
        }
    }
}
impl ::std::fmt::Display for ToolType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ToolType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "function" => Ok(Self::Function),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ToolType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// TopLogprob
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TopLogprob {
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    pub logprob: f64,
    pub token: ::std::string::String,
}
impl json::ReadObject for TopLogprob {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["bytes", "logprob", "token"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            bytes: json::required(slot0, "bytes")?,
            logprob: json::required(slot1, "logprob")?,
            token: json::required(slot2, "token")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TopLogprob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// TrainingJobEvent
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobEvent {
    pub data: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    pub id: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::TrainingJobEventType,
}
impl json::ReadObject for TrainingJobEvent {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["data", "id", "type"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Entries<json::Any>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: json::required(slot0, "data")?,
            id: json::required(slot1, "id")?,
            type_: json::required(slot2, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobEvent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// TrainingJobEventPage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobEventPage {
    pub data: ::std::vec::Vec<types::TrainingJobEvent>,
    /// Empty on an empty page.
    pub first_id: ::std::string::String,
    pub has_more: bool,
    /// Empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrainingJobEventPage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["data", "first_id", "has_more", "last_id", "object"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<json::Same>>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Same>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Same>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: json::required(slot0, "data")?,
            first_id: json::required(slot1, "first_id")?,
            has_more: json::required(slot2, "has_more")?,
            last_id: json::required(slot3, "last_id")?,
            object: json::required(slot4, "object")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobEventPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// TrainingJobEventType
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum TrainingJobEventType {
    /// `training_started`
    TrainingStarted,
    /// `gradient_step`
    GradientStep,
    /// `training_ended`
    TrainingEnded,
    /// `training_failed`
    TrainingFailed,
}
impl TrainingJobEventType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::TrainingStarted,
        Self::GradientStep,
        Self::TrainingEnded,
        Self::TrainingFailed,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "training_started",
        "gradient_step",
        "training_ended",
        "training_failed",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::TrainingStarted => "training_started",
            Self::GradientStep => "gradient_step",
            Self::TrainingEnded => "training_ended",
            Self::TrainingFailed => "training_failed",
        }
    }
}
impl ::std::fmt::Display for TrainingJobEventType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TrainingJobEventType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "training_started" => Ok(Self::TrainingStarted),
            "gradient_step" => Ok(Self::GradientStep),
            "training_ended" => Ok(Self::TrainingEnded),
            "training_failed" => Ok(Self::TrainingFailed),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TrainingJobEventType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobEventType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// TrainingJobResponse
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobResponse {
    pub id: ::std::string::String,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub status: ::std::option::Option<types::TrainingJobStatus>,
}
impl json::ReadObject for TrainingJobResponse {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["id", "status"];
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Same>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            id: json::required(slot0, "id")?,
            status: slot1,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// TrainingJobStatus
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum TrainingJobStatus {
    /// `queued`
    Queued,
    /// `running`
    Running,
    /// `succeeded`
    Succeeded,
    /// `failed`
    Failed,
}
impl TrainingJobStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "queued",
        "running",
        "succeeded",
        "failed",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}
impl ::std::fmt::Display for TrainingJobStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TrainingJobStatus {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "queued" => Ok(Self::Queued),
            "running" => Ok(Self::Running),
            "succeeded" => Ok(Self::Succeeded),
            "failed" => Ok(Self::Failed),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TrainingJobStatus {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobStatus {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Trajectory
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Trajectory {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub additional_histories: ::std::option::Option<::std::vec::Vec<types::History>>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub final_policy_version: ::std::option::Option<i64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub initial_policy_version: ::std::option::Option<i64>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logs: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    pub messages_and_choices: ::std::vec::Vec<types::MessageOrChoice>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<types::JsonObject>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metrics: ::std::option::Option<types::JsonObject>,
    pub reward: f64,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for Trajectory {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "additional_histories",
            "final_policy_version",
            "initial_policy_version",
            "logs",
            "messages_and_choices",
            "metadata",
            "metrics",
            "reward",
            "tools",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Whole>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Whole>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::List<json::Same>>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<json::Same>>::fill(&mut slot5, NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<json::Same>>::fill(&mut slot6, NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Same>::fill(&mut slot7, NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot8, NAMES[8], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            additional_histories: slot0.flatten(),
            final_policy_version: slot1.flatten(),
            initial_policy_version: slot2.flatten(),
            logs: slot3.flatten(),
            messages_and_choices: json::required(slot4, "messages_and_choices")?,
            metadata: slot5.flatten(),
            metrics: slot6.flatten(),
            reward: json::required(slot7, "reward")?,
            tools: slot8.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for Trajectory {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// TrajectoryGroup
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrajectoryGroup {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub exceptions: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logs: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<types::JsonObject>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metrics: ::std::option::Option<types::JsonObject>,
    pub trajectories: ::std::vec::Vec<types::Trajectory>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for TrajectoryGroup {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &[
            "exceptions",
            "logs",
            "metadata",
            "metrics",
            "trajectories",
        ];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::Same>,
                    >>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<json::Same>>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<json::Same>>::fill(&mut slot3, NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::List<json::Same>>::fill(&mut slot4, NAMES[4], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            exceptions: slot0.flatten(),
            logs: slot1.flatten(),
            metadata: slot2.flatten(),
            metrics: slot3.flatten(),
            trajectories: json::required(slot4, "trajectories")?,
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrajectoryGroup {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Usage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Usage {
    pub completion_tokens: u64,
    pub prompt_tokens: u64,
    pub total_tokens: u64,
}
impl json::ReadObject for Usage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["completion_tokens", "prompt_tokens", "total_tokens"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            completion_tokens: json::required(slot0, "completion_tokens")?,
            prompt_tokens: json::required(slot1, "prompt_tokens")?,
            total_tokens: json::required(slot2, "total_tokens")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for Usage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// UserMessage
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct UserMessage {
    pub content: types::MessageContent,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    pub role: types::UserRole,
}
impl json::ReadObject for UserMessage {
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        const NAMES: &[&str] = &["content", "name", "role"];
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Same>::fill(&mut slot0, NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<json::Same>>::fill(&mut slot1, NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Same>::fill(&mut slot2, NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            name: slot1.flatten(),
            role: json::required(slot2, "role")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for UserMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// UserRole
#[derive(
    ::std::clone::Clone,
    ::std::marker::Copy,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::std::cmp::Eq,
    ::std::cmp::PartialOrd,
    ::std::cmp::Ord,
    ::std::hash::Hash,
)]
pub enum UserRole {
    /// `user`
    User,
}
impl UserRole {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::User];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["user"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::User => "user",
        }
    }
}
impl ::std::fmt::Display for UserRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for UserRole {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "user" => Ok(Self::User),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for UserRole {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for UserRole {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
