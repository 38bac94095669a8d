// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(
    clippy::all,
    missing_docs,
    deprecated,
    nonstandard_style,
    unreachable_pub,
    unused
)]
use super::types;
use crate::{json, json::Read as _, validation};
pub use super::unions::{
    AddCheckpoint, BatchSize, CapturedBody, ChatMessage, ChatMessageContent,
    CompletionPrompt, CompletionPromptItem, ContentPart, FineTuningEpochs, Function,
    FunctionCallChoice, GuidedJson, JsonObject, LearningRate, LearningRateMultiplier,
    MessageContent, MessageOrChoice, ResponseContent, ResponseContentPart,
    ResponseFormat, ResponseInput, ResponseOutputItem, ResponseOutputPart,
    ResponseTextFormat, ResponseToolChoice, Stop, SystemCheckFailure, TargetModules,
    Tool, ToolChoice,
};
/// Type of an import.
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
pub enum AdapterImport {
    /// `import`
    Import,
}
impl AdapterImport {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Import];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["import"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Import => "import",
        }
    }
}
impl ::std::fmt::Display for AdapterImport {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for AdapterImport {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "import" => Ok(Self::Import),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for AdapterImport {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for AdapterImport {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Every projection.
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
pub enum AllLinear {
    /// `all-linear`
    AllLinear,
}
impl AllLinear {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::AllLinear];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["all-linear"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::AllLinear => "all-linear",
        }
    }
}
impl ::std::fmt::Display for AllLinear {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for AllLinear {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "all-linear" => Ok(Self::AllLinear),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for AllLinear {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for AllLinear {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A tar archive.
pub type Archive = crate::json::Binary;
/// A message of the assistant: text, tool calls or both.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct AssistantMessage {
    /// The text; null or absent if there are only tool calls.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<types::MessageContent>,
    /// Name of the author; its use depends on the chat template.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    /// Reasoning before the message, for chat templates that render it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    /// Refusal of the model instead of content.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub refusal: ::std::option::Option<::std::string::String>,
    pub role: types::AssistantRole,
    /// Tool calls of the message.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<types::ToolCall>>,
}
impl json::ReadObject for AssistantMessage {
    const NAMES: &'static [&'static str] = &[
        "content",
        "name",
        "reasoning_content",
        "refusal",
        "role",
        "tool_calls",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
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
/// Role of the assistant.
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
/// Assistant turns to train: `all`, or `last`, the last message of each conversation. With `last`, conversations that do not end with an assistant message are dropped.
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
/// Selects the batch size of the service.
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
/// Selects the value of the service.
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
pub enum AutoOption {
    /// `auto`
    Auto,
}
impl AutoOption {
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
impl ::std::fmt::Display for AutoOption {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for AutoOption {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for AutoOption {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for AutoOption {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A model that registered models are based on.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct BaseModel {
    /// Maximum number of tokens of prompt and completion together.
    pub context_length: u64,
    /// Value for the `base_model` of a registered model.
    pub id: ::std::string::String,
    /// Number of tokens in the vocabulary.
    pub vocabulary_size: u64,
    pub weights: types::WeightFormat,
}
impl json::ReadObject for BaseModel {
    const NAMES: &'static [&'static str] = &[
        "context_length",
        "id",
        "vocabulary_size",
        "weights",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            context_length: json::required(slot0, "context_length")?,
            id: json::required(slot1, "id")?,
            vocabulary_size: json::required(slot2, "vocabulary_size")?,
            weights: json::required(slot3, "weights")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for BaseModel {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// The base models of a service.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct BaseModelList {
    /// All base models.
    pub data: ::std::vec::Vec<types::BaseModel>,
    pub object: types::ListObject,
}
impl json::ReadObject for BaseModelList {
    const NAMES: &'static [&'static str] = &["data", "object"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for BaseModelList {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A request and its response. Further fields are stored.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CapturedExchange {
    /// Time of the response; orders exchanges that began at the same time.
    pub end_time: ::std::string::String,
    /// Name of the sampled model. Default: `model` of the request, or else of the response.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub model: ::std::option::Option<::std::string::String>,
    /// JSON body of the request.
    pub request: types::CapturedBody,
    /// JSON body of the response, with the token ids and log-probabilities of each choice.
    pub response: types::CapturedBody,
    /// Time of the request. Exchanges are processed in the order of these times, not in list order.
    pub start_time: ::std::string::String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for CapturedExchange {
    const NAMES: &'static [&'static str] = &[
        "end_time",
        "model",
        "request",
        "response",
        "start_time",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            end_time: json::required(slot0, "end_time")?,
            model: slot1.flatten(),
            request: json::required(slot2, "request")?,
            response: json::required(slot3, "response")?,
            start_time: json::required(slot4, "start_time")?,
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CapturedExchange {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Requests and responses that the client captured during a rollout, by protocol. Exchanges with the trained model
/// (its name, with or without `:stepN`) are trained on the token ids and log-probabilities in the responses.
/// Exchanges with other models are neither read nor trained.
///
/// A request whose prompt tokens begin with all tokens of an earlier turn continues the sequence of that turn. Any
/// other request begins a new sequence. A sampled token is trained once for each prefix that leads to it. A rollout
/// whose exchanges lack token ids is dropped; `training_started` has its place and the reason.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CapturedExchanges {
    /// Exchanges with `/chat/completions`. The client assembles a streamed response into one. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub chat_completions: ::std::option::Option<
        ::std::vec::Vec<types::CapturedExchange>,
    >,
    /// Exchanges with `/completions`. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub completions: ::std::option::Option<::std::vec::Vec<types::CapturedExchange>>,
    /// Exchanges with Anthropic's `/messages`; with the trained model they need token ids and logprobs. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub messages: ::std::option::Option<::std::vec::Vec<types::CapturedExchange>>,
    /// Exchanges with `/responses`; with the trained model they need `token_generations`. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub responses: ::std::option::Option<::std::vec::Vec<types::CapturedExchange>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for CapturedExchanges {
    const NAMES: &'static [&'static str] = &[
        "chat_completions",
        "completions",
        "messages",
        "responses",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            chat_completions: slot0.flatten(),
            completions: slot1.flatten(),
            messages: slot2.flatten(),
            responses: slot3.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CapturedExchanges {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// All completions of one request.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChatCompletion {
    /// The `n` completions, ordered by `index`.
    pub choices: ::std::vec::Vec<types::Choice>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created: i64,
    /// Id of this response. Nothing is stored under it.
    pub id: ::std::string::String,
    /// `model` of the request.
    pub model: ::std::string::String,
    pub object: types::ChatCompletionObject,
    /// Log-probabilities of each token of the prompt and of its alternatives; requires `prompt_logprobs`. Null for the first token, which has no context.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_logprobs: ::std::option::Option<
        ::std::vec::Vec<
            ::std::option::Option<
                ::std::collections::BTreeMap<::std::string::String, types::PromptLogprob>,
            >,
        >,
    >,
    /// Token ids of the prompt; requires `return_token_ids`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// Always absent; clients expect the field.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    pub usage: types::Usage,
}
impl json::ReadObject for ChatCompletion {
    const NAMES: &'static [&'static str] = &[
        "choices",
        "created",
        "id",
        "model",
        "object",
        "prompt_logprobs",
        "prompt_token_ids",
        "system_fingerprint",
        "usage",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::Nullable<json::Entries<json::ViaDeserialize>>>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::ViaDeserialize>::fill(&mut slot8, Self::NAMES[8], &mut map)?
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
            prompt_logprobs: slot5.flatten(),
            prompt_token_ids: slot6.flatten(),
            system_fingerprint: slot7.flatten(),
            usage: json::required(slot8, "usage")?,
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
/// A chunk of a streamed completion. Every chunk lists all choices by `index`; a choice without an update has an empty `delta`.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChatCompletionChunk {
    /// All choices; empty in the chunk with the usage.
    pub choices: ::std::vec::Vec<types::ChunkChoice>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created: i64,
    /// Id of the response, the same in every chunk of a stream.
    pub id: ::std::string::String,
    /// `model` of the request.
    pub model: ::std::string::String,
    pub object: types::ChatCompletionChunkObject,
    /// Log-probabilities of each token of the prompt and of its alternatives, sent once before the first token of a completion; requires `prompt_logprobs`. Null for the first token, which has no context.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_logprobs: ::std::option::Option<
        ::std::vec::Vec<
            ::std::option::Option<
                ::std::collections::BTreeMap<::std::string::String, types::PromptLogprob>,
            >,
        >,
    >,
    /// Token ids of the prompt, in the first chunk; requires `return_token_ids`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// Always absent; clients expect the field.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    /// Usage in the last chunk, with `include_usage`; in every chunk with `continuous_usage_stats`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub usage: ::std::option::Option<types::Usage>,
}
impl json::ReadObject for ChatCompletionChunk {
    const NAMES: &'static [&'static str] = &[
        "choices",
        "created",
        "id",
        "model",
        "object",
        "prompt_logprobs",
        "prompt_token_ids",
        "system_fingerprint",
        "usage",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::Nullable<json::Entries<json::ViaDeserialize>>>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
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
            prompt_logprobs: slot5.flatten(),
            prompt_token_ids: slot6.flatten(),
            system_fingerprint: slot7.flatten(),
            usage: slot8.flatten(),
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
/// Object type of a chunk.
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
/// Object type of a chat completion.
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
/// A conversation and sampling options. Null means the same as absent.
///
/// An unknown field that resembles a documented one is rejected by name (422), because it is probably misspelt. Any
/// other unknown field is accepted for newer clients, and listed in the header `x-trainyard-warnings` of the
/// response. The same applies within `stream_options` and `structured_outputs`. Messages and tools may have any
/// further fields: they are passed to the chat template.
///
/// Fields of OpenAI's, vLLM's and Dynamo's APIs that cannot change the completion are ignored, and listed in that
/// header unless null or false: `metadata`, `nvext`, `prediction`, `priority`, `prompt_cache_key`,
/// `prompt_cache_options`, `prompt_cache_retention`, `request_id`, `safety_identifier`, `service_tier`, `store`,
/// `user`, `cache_salt`, `guided_decoding_backend`. `return_tokens_as_token_ids` is always treated as true.
///
/// Documented fields of these APIs that this service does not support are rejected by name (422,
/// `unsupported_parameter`), unless they are null or have the neutral value given in parentheses:
/// `allowed_token_ids`, `add_special_tokens` (false), `audio`, `bad_words` (empty), `best_of` (1), `chat_template`,
/// `documents`, `echo` (false), `guided_whitespace_pattern`, `kv_transfer_params`, `length_penalty` (1),
/// `logits_processors`, `mm_processor_kwargs`, `modalities` (text alone), `moderation`,
/// `spaces_between_special_tokens` (true), `thinking_token_budget`, `truncate_prompt_tokens`, `use_beam_search`
/// (false), `vllm_xargs`, `web_search_options`.
///
/// The defaults of `temperature`, `top_p`, `top_k`, `min_p` and `repetition_penalty` come from the model's
/// `generation_config.json`; the defaults given here apply if that file does not set them.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChatCompletionRequest {
    /// Ends the prompt with the start marker of the assistant's turn. Default true, or false with `continue_final_message`; true together with `continue_final_message` is an error.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub add_generation_prompt: ::std::option::Option<bool>,
    /// Additional variables of the model's chat template, such as `enable_thinking` (default false). Variables that the service sets itself are rejected.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub chat_template_kwargs: ::std::option::Option<types::JsonObject>,
    /// Continues the last message, which must be the assistant's, from its last character. The completion contains only the continuation. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub continue_final_message: ::std::option::Option<bool>,
    /// Value subtracted from a token's logit for each time that the completion already contains the token. Default 0. Reported log-probabilities are those of the model, before penalties.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub frequency_penalty: ::std::option::Option<f64>,
    /// Older form of `tool_choice`, for `functions`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub function_call: ::std::option::Option<types::FunctionCallChoice>,
    /// Older form of `tools`. The model calls at most one function, in `function_call` of its message, and `finish_reason` is then `function_call`. Cannot be combined with `tools`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub functions: ::std::option::Option<::std::vec::Vec<types::Function>>,
    /// Restricts the completion to one of these texts. vLLM's older name of `structured_outputs.choice`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub guided_choice: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    /// Restricts the completion to this grammar, in llguidance's variant of Lark with the start rule `start`. vLLM's older name of `structured_outputs.grammar`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub guided_grammar: ::std::option::Option<::std::string::String>,
    /// Restricts the completion to JSON that follows this schema. vLLM's older name of `structured_outputs.json`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub guided_json: ::std::option::Option<types::GuidedJson>,
    /// Restricts the whole completion to this regular expression, in the syntax of Rust's `regex` without look-around, back references and anchors. vLLM's older name of `structured_outputs.regex`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub guided_regex: ::std::option::Option<::std::string::String>,
    /// Ignores the model's end-of-turn token. A completion then has `max_completion_tokens` tokens unless a stop sequence ends it. Cannot be combined with structured output. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub ignore_eos: ::std::option::Option<bool>,
    /// Returns the reasoning in `reasoning_content`. Its tokens are counted and listed in either case. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include_reasoning: ::std::option::Option<bool>,
    /// Keeps the text or token that ends a completion (`stop`, `stop_token_ids`) at its end. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include_stop_str_in_output: ::std::option::Option<bool>,
    /// Biases added to the logits of tokens, by the token id in the vocabulary, written as a string.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logit_bias: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, f64>,
    >,
    /// No effect; unlike in OpenAI's API, log-probabilities are always returned.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<bool>,
    /// Maximum number of tokens of each completion; takes precedence over `max_tokens`. Default and upper bound: the rest of the model's context.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_completion_tokens: ::std::option::Option<u64>,
    /// Older name of `max_completion_tokens`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_tokens: ::std::option::Option<u64>,
    /// The conversation so far. Prompt and completion together must fit the model's context, otherwise 400.
    pub messages: ::std::vec::Vec<types::ChatMessage>,
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<types::JsonObject>,
    /// Minimum probability of a token, as a fraction of the most likely token's; less likely tokens are excluded. Default 0, disabled.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_p: ::std::option::Option<f64>,
    /// Minimum number of tokens of each completion before the model or a stop sequence can end it. Cannot be combined with structured output. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_tokens: ::std::option::Option<u32>,
    /// Model to sample: a base model, `organization/model`, or a trained model, `wandb-artifact:///entity/project/name`, at its newest step, or with `:stepN` at that step. `wandb-artifact:///` may be omitted. An unknown name returns 404.
    pub model: ::std::string::String,
    /// Number of completions to sample, independent of each other. Default 1.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub n: ::std::option::Option<u32>,
    /// Allows several tool calls in a completion; if false, it ends with its first call. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parallel_tool_calls: ::std::option::Option<bool>,
    /// Value subtracted from the logit of each token that the completion already contains. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub presence_penalty: ::std::option::Option<f64>,
    /// Number of most likely alternatives to report for every token of the prompt, with the log-probability of the token, in `prompt_logprobs`. Default: disabled.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_logprobs: ::std::option::Option<u32>,
    /// Reasoning effort of the model. A chat template that reads `reasoning_effort` receives the value. A template that reads `enable_thinking` enables reasoning unless the value is `none`. For other models, every value but `none` is rejected. `chat_template_kwargs` takes precedence.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_effort: ::std::option::Option<::std::string::String>,
    /// Repetition penalty: divides positive and multiplies negative logits of tokens that the prompt or the completion already contains. Default 1, disabled.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub repetition_penalty: ::std::option::Option<f64>,
    /// Format of the completion. Default: free text. A required tool call takes precedence.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub response_format: ::std::option::Option<types::ResponseFormat>,
    /// Selection of token ids in the response. True adds `prompt_token_ids` beside the choices, and the ids of the new tokens in chunks. False omits all lists of token ids, including those that choices have by default; trajectories with such choices are trained on prompts rendered again.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub return_token_ids: ::std::option::Option<bool>,
    /// Seed of the random number generator, 64 bits. The same request with the same seed on the same weights returns the same completions, regardless of concurrent requests. Default: random.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub seed: ::std::option::Option<i64>,
    /// Omits control tokens from the text. With false, the text contains their spelling, except for the token that ends the completion. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub skip_special_tokens: ::std::option::Option<bool>,
    /// Texts that end a completion and are not part of it. Empty texts are ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop: ::std::option::Option<types::Stop>,
    /// Ids of tokens that end a completion; their text is not part of it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// Accepted for compatibility and ignored; nothing is stored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub store: ::std::option::Option<bool>,
    /// Returns server-sent events, one chunk for each update. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream: ::std::option::Option<bool>,
    /// Options of a stream; ignored without `stream`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream_options: ::std::option::Option<types::StreamOptions>,
    /// Structured output: the format of the completion, given in exactly one way. Cannot be combined with a `response_format` other than text, with the `guided_` fields, or with a required tool call.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub structured_outputs: ::std::option::Option<types::StructuredOutputs>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1. Reported log-probabilities do not depend on it, as training requires.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub temperature: ::std::option::Option<f64>,
    /// Policy of tool calls. Default `auto`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_choice: ::std::option::Option<types::ToolChoice>,
    /// Functions that the model may call. The client executes the calls and sends the results.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::Tool>>,
    /// Number of most likely tokens to sample from. Default, 0 and -1: all tokens.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_k: ::std::option::Option<i64>,
    /// Number of most likely alternatives to report for each token, with or without `logprobs`. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_logprobs: ::std::option::Option<u32>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_p: ::std::option::Option<f64>,
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub user: ::std::option::Option<::std::string::String>,
    /// Verbosity of the completion, for chat templates that read `verbosity`; for others, every value but `medium` is rejected.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub verbosity: ::std::option::Option<types::Verbosity>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ChatCompletionRequest {
    const NAMES: &'static [&'static str] = &[
        "add_generation_prompt",
        "chat_template_kwargs",
        "continue_final_message",
        "frequency_penalty",
        "function_call",
        "functions",
        "guided_choice",
        "guided_grammar",
        "guided_json",
        "guided_regex",
        "ignore_eos",
        "include_reasoning",
        "include_stop_str_in_output",
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
        "prompt_logprobs",
        "reasoning_effort",
        "repetition_penalty",
        "response_format",
        "return_token_ids",
        "seed",
        "skip_special_tokens",
        "stop",
        "stop_token_ids",
        "store",
        "stream",
        "stream_options",
        "structured_outputs",
        "temperature",
        "tool_choice",
        "tools",
        "top_k",
        "top_logprobs",
        "top_p",
        "user",
        "verbosity",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        let mut slot32 = None;
        let mut slot33 = None;
        let mut slot34 = None;
        let mut slot35 = None;
        let mut slot36 = None;
        let mut slot37 = None;
        let mut slot38 = None;
        let mut slot39 = None;
        let mut slot40 = None;
        let mut slot41 = None;
        let mut slot42 = None;
        let mut slot43 = None;
        let mut slot44 = None;
        let mut slot45 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        let mut count: u64 = 0;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            count += 1;
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 128>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 4096>,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<
                        json::Entries<json::ViaDeserialize, 1024>,
                    >>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot14, Self::NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot15, Self::NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot16, Self::NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::List<
                        json::ViaDeserialize,
                        30000,
                    >>::fill(&mut slot17, Self::NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot18, Self::NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot19, Self::NAMES[19], &mut map)?
                }
                json::Key::Known(20) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot20, Self::NAMES[20], &mut map)?
                }
                json::Key::Known(21) => {
                    <json::ViaDeserialize>::fill(&mut slot21, Self::NAMES[21], &mut map)?
                }
                json::Key::Known(22) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot22, Self::NAMES[22], &mut map)?
                }
                json::Key::Known(23) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot23, Self::NAMES[23], &mut map)?
                }
                json::Key::Known(24) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot24, Self::NAMES[24], &mut map)?
                }
                json::Key::Known(25) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot25, Self::NAMES[25], &mut map)?
                }
                json::Key::Known(26) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot26, Self::NAMES[26], &mut map)?
                }
                json::Key::Known(27) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot27, Self::NAMES[27], &mut map)?
                }
                json::Key::Known(28) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot28, Self::NAMES[28], &mut map)?
                }
                json::Key::Known(29) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot29, Self::NAMES[29], &mut map)?
                }
                json::Key::Known(30) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot30, Self::NAMES[30], &mut map)?
                }
                json::Key::Known(31) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot31, Self::NAMES[31], &mut map)?
                }
                json::Key::Known(32) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot32, Self::NAMES[32], &mut map)?
                }
                json::Key::Known(33) => {
                    <json::Nullable<
                        json::List<json::Whole, 128>,
                    >>::fill(&mut slot33, Self::NAMES[33], &mut map)?
                }
                json::Key::Known(34) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot34, Self::NAMES[34], &mut map)?
                }
                json::Key::Known(35) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot35, Self::NAMES[35], &mut map)?
                }
                json::Key::Known(36) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot36, Self::NAMES[36], &mut map)?
                }
                json::Key::Known(37) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot37, Self::NAMES[37], &mut map)?
                }
                json::Key::Known(38) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot38, Self::NAMES[38], &mut map)?
                }
                json::Key::Known(39) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot39, Self::NAMES[39], &mut map)?
                }
                json::Key::Known(40) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 128>,
                    >>::fill(&mut slot40, Self::NAMES[40], &mut map)?
                }
                json::Key::Known(41) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot41, Self::NAMES[41], &mut map)?
                }
                json::Key::Known(42) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot42, Self::NAMES[42], &mut map)?
                }
                json::Key::Known(43) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot43, Self::NAMES[43], &mut map)?
                }
                json::Key::Known(44) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot44, Self::NAMES[44], &mut map)?
                }
                json::Key::Known(45) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot45, Self::NAMES[45], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        json::count(count, 0, 192)?;
        Ok(Self {
            add_generation_prompt: slot0.flatten(),
            chat_template_kwargs: slot1.flatten(),
            continue_final_message: slot2.flatten(),
            frequency_penalty: slot3.flatten(),
            function_call: slot4.flatten(),
            functions: slot5.flatten(),
            guided_choice: slot6.flatten(),
            guided_grammar: slot7.flatten(),
            guided_json: slot8.flatten(),
            guided_regex: slot9.flatten(),
            ignore_eos: slot10.flatten(),
            include_reasoning: slot11.flatten(),
            include_stop_str_in_output: slot12.flatten(),
            logit_bias: slot13.flatten(),
            logprobs: slot14.flatten(),
            max_completion_tokens: slot15.flatten(),
            max_tokens: slot16.flatten(),
            messages: json::required(slot17, "messages")?,
            metadata: slot18.flatten(),
            min_p: slot19.flatten(),
            min_tokens: slot20.flatten(),
            model: json::required(slot21, "model")?,
            n: slot22.flatten(),
            parallel_tool_calls: slot23.flatten(),
            presence_penalty: slot24.flatten(),
            prompt_logprobs: slot25.flatten(),
            reasoning_effort: slot26.flatten(),
            repetition_penalty: slot27.flatten(),
            response_format: slot28.flatten(),
            return_token_ids: slot29.flatten(),
            seed: slot30.flatten(),
            skip_special_tokens: slot31.flatten(),
            stop: slot32.flatten(),
            stop_token_ids: slot33.flatten(),
            store: slot34.flatten(),
            stream: slot35.flatten(),
            stream_options: slot36.flatten(),
            structured_outputs: slot37.flatten(),
            temperature: slot38.flatten(),
            tool_choice: slot39.flatten(),
            tools: slot40.flatten(),
            top_k: slot41.flatten(),
            top_logprobs: slot42.flatten(),
            top_p: slot43.flatten(),
            user: slot44.flatten(),
            verbosity: slot45.flatten(),
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
/// A saved step of a model.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Checkpoint {
    /// UUID of the checkpoint; the cursor of this item.
    pub id: ::std::string::String,
    /// The job's metrics by name, each the mean over its gradient steps; empty for step 0 and for a job with nothing to learn.
    pub metrics: ::std::collections::BTreeMap<::std::string::String, f64>,
    /// Number of the step within its model. 0 is the untrained model, each job adds 1. Never reused.
    pub step: u64,
}
impl json::ReadObject for Checkpoint {
    const NAMES: &'static [&'static str] = &["id", "metrics", "step"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Entries<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// Type of a copy.
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
pub enum CheckpointCopy {
    /// `copy`
    Copy,
}
impl CheckpointCopy {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Copy];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["copy"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Copy => "copy",
        }
    }
}
impl ::std::fmt::Display for CheckpointCopy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for CheckpointCopy {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "copy" => Ok(Self::Copy),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for CheckpointCopy {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for CheckpointCopy {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A saved step of a model, with its files.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CheckpointDetail {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Files of the checkpoint. An adapter has the two files that PEFT loads; a fully trained model has its weights and their configuration. Step 0, the base model itself, has none.
    pub files: ::std::vec::Vec<types::CheckpointFile>,
    /// UUID of the checkpoint; the cursor of this item in the list of checkpoints.
    pub id: ::std::string::String,
    /// Metrics of the job, as in the list of checkpoints.
    pub metrics: ::std::collections::BTreeMap<::std::string::String, f64>,
    /// Model of the checkpoint.
    pub model_id: ::std::string::String,
    /// Number of the step within its model.
    pub step: u64,
}
impl json::ReadObject for CheckpointDetail {
    const NAMES: &'static [&'static str] = &[
        "created_at",
        "files",
        "id",
        "metrics",
        "model_id",
        "step",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::ViaDeserialize,
                        2,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Entries<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Whole>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            created_at: json::required(slot0, "created_at")?,
            files: json::required(slot1, "files")?,
            id: json::required(slot2, "id")?,
            metrics: json::required(slot3, "metrics")?,
            model_id: json::required(slot4, "model_id")?,
            step: json::required(slot5, "step")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CheckpointDetail {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// One file of a checkpoint.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CheckpointFile {
    /// Size in bytes.
    pub bytes: u64,
    /// Name of the file, used to download it.
    pub name: ::std::string::String,
    /// SHA-256 of the content in hexadecimal digits.
    pub sha256: ::std::string::String,
}
impl json::ReadObject for CheckpointFile {
    const NAMES: &'static [&'static str] = &["bytes", "name", "sha256"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            bytes: json::required(slot0, "bytes")?,
            name: json::required(slot1, "name")?,
            sha256: json::required(slot2, "sha256")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CheckpointFile {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Provenance of a checkpoint.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CheckpointManifest {
    /// Content of the manifest. `made_by` is registration, training, copy or import. `previous_sha256` is the hash of the manifest of the previous step, regardless of the source of that step. `parent` has model, step and `manifest_sha256` of the checkpoint that this one was created from; null if the source is the base model or lies outside this service. `base_model.sha256` is the SHA-256 of one line with the name of a file and one line with its SHA-256, for each file of the base model. `files` and `optimizer` list the parts of the checkpoint by SHA-256. `training` has the job, its type, its options with the defaults filled in, the SHA-256 of the options as sent and of the data, the storage format of the base model's weights, and the reference checkpoint. `program` identifies the program that computed the step.
    pub manifest: types::JsonObject,
    /// SHA-256 of the bytes of `manifest` as they are in this response, in hexadecimal digits.
    pub sha256: ::std::string::String,
    /// Step of the checkpoint.
    pub step: u64,
}
impl json::ReadObject for CheckpointManifest {
    const NAMES: &'static [&'static str] = &["manifest", "sha256", "step"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            manifest: json::required(slot0, "manifest")?,
            sha256: json::required(slot1, "sha256")?,
            step: json::required(slot2, "step")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CheckpointManifest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// One page of checkpoints.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CheckpointPage {
    /// The checkpoints; at most `limit`.
    pub data: ::std::vec::Vec<types::Checkpoint>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for CheckpointPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
/// One completion. Put it into a trajectory unchanged.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Choice {
    pub finish_reason: types::FinishReason,
    /// Number of the completion, from 0.
    pub index: u32,
    /// The sampled tokens and their log-probabilities; always present, unlike in OpenAI's API.
    pub logprobs: ::std::option::Option<types::ChoiceLogprobs>,
    pub message: types::ChoiceMessage,
    /// Ids of the prompt tokens of this completion; absent if `return_token_ids` is false. Training uses exactly this context, even if the messages are changed later.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// Ids of the sampled tokens; absent if `return_token_ids` is false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
impl json::ReadObject for Choice {
    const NAMES: &'static [&'static str] = &[
        "finish_reason",
        "index",
        "logprobs",
        "message",
        "prompt_token_ids",
        "token_ids",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            finish_reason: json::required(slot0, "finish_reason")?,
            index: json::required(slot1, "index")?,
            logprobs: json::required(slot2, "logprobs")?,
            message: json::required(slot3, "message")?,
            prompt_token_ids: slot4.flatten(),
            token_ids: slot5.flatten(),
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
/// Update to append to the message of a choice. Absent fields have no update.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChoiceDelta {
    /// Text to append.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<::std::string::String>,
    /// Fragment of the function call, for a request with `functions`; only the first has the name.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub function_call: ::std::option::Option<types::FunctionCallDelta>,
    /// Reasoning to append.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    /// Always absent.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub refusal: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub role: ::std::option::Option<types::AssistantRole>,
    /// New tool calls and fragments of calls, identified by `index`; only the first fragment has `id` and name.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<types::ToolCallDelta>>,
}
impl json::ReadObject for ChoiceDelta {
    const NAMES: &'static [&'static str] = &[
        "content",
        "function_call",
        "reasoning_content",
        "refusal",
        "role",
        "tool_calls",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: slot0.flatten(),
            function_call: slot1.flatten(),
            reasoning_content: slot2.flatten(),
            refusal: slot3.flatten(),
            role: slot4,
            tool_calls: slot5,
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
/// Log-probabilities of a completion.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChoiceLogprobs {
    /// Every sampled token in order, including those of tool calls and the token that ends the completion.
    pub content: ::std::option::Option<::std::vec::Vec<types::TokenLogprob>>,
    /// Always null.
    pub refusal: ::std::option::Option<::std::vec::Vec<types::TokenLogprob>>,
}
impl json::ReadObject for ChoiceLogprobs {
    const NAMES: &'static [&'static str] = &["content", "refusal"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// Message of a completion: text, tool calls, or both.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChoiceMessage {
    /// The text; null if there are only calls.
    pub content: ::std::option::Option<::std::string::String>,
    /// Function call, for a request with `functions`; otherwise absent.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub function_call: ::std::option::Option<types::FunctionCall>,
    /// Reasoning before the message, for models whose chat template defines reasoning markers; otherwise absent.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    /// Always null.
    pub refusal: ::std::option::Option<::std::string::String>,
    pub role: types::AssistantRole,
    /// Tool calls in order; absent if there are none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<types::ToolCall>>,
}
impl json::ReadObject for ChoiceMessage {
    const NAMES: &'static [&'static str] = &[
        "content",
        "function_call",
        "reasoning_content",
        "refusal",
        "role",
        "tool_calls",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            function_call: slot1.flatten(),
            reasoning_content: slot2.flatten(),
            refusal: json::required(slot3, "refusal")?,
            role: json::required(slot4, "role")?,
            tool_calls: slot5,
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
/// Update of one choice.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ChunkChoice {
    pub delta: types::ChoiceDelta,
    /// Reason of the end; null until the choice ends.
    pub finish_reason: ::std::option::Option<types::FinishReason>,
    /// Number of the completion, from 0.
    pub index: u32,
    /// The new tokens; absent if there are none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<types::ChoiceLogprobs>,
    /// Ids of the new tokens; requires `return_token_ids`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
impl json::ReadObject for ChunkChoice {
    const NAMES: &'static [&'static str] = &[
        "delta",
        "finish_reason",
        "index",
        "logprobs",
        "token_ids",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
/// All completions of a request, or in a stream an update of them.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Completion {
    /// Completions ordered by `index`: `n` of the first prompt, then those of the other prompts; in a stream, those with an update.
    pub choices: ::std::vec::Vec<types::CompletionChoice>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created: i64,
    /// Id of this response. Nothing is stored under it.
    pub id: ::std::string::String,
    /// `model` of the request.
    pub model: ::std::string::String,
    pub object: types::CompletionObject,
    /// Always absent; clients expect the field.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    /// Token counts of the request; the tokens of each prompt count once. In a stream, present if `stream_options` requests it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub usage: ::std::option::Option<types::Usage>,
}
impl json::ReadObject for Completion {
    const NAMES: &'static [&'static str] = &[
        "choices",
        "created",
        "id",
        "model",
        "object",
        "system_fingerprint",
        "usage",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for Completion {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// One completion, or in a stream an update of it.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CompletionChoice {
    /// Reason of the end; null in a stream until the completion ends.
    pub finish_reason: ::std::option::Option<types::CompletionFinishReason>,
    /// Number of the completion, from 0. Divided by `n` and rounded down, it is the number of the prompt.
    pub index: u32,
    /// The tokens and their log-probabilities; requires `logprobs`.
    pub logprobs: ::std::option::Option<types::CompletionLogprobs>,
    /// Token ids of the prompt; see `return_token_ids`. In a stream, sent with the first update of a choice.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// The generated text; with `echo`, after the text of the prompt.
    pub text: ::std::string::String,
    /// Ids of the generated tokens; see `return_token_ids`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
impl json::ReadObject for CompletionChoice {
    const NAMES: &'static [&'static str] = &[
        "finish_reason",
        "index",
        "logprobs",
        "prompt_token_ids",
        "text",
        "token_ids",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            finish_reason: json::required(slot0, "finish_reason")?,
            index: json::required(slot1, "index")?,
            logprobs: json::required(slot2, "logprobs")?,
            prompt_token_ids: slot3.flatten(),
            text: json::required(slot4, "text")?,
            token_ids: slot5.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CompletionChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `stop`: the model or a stop sequence ended the completion; `length`: the token limit or the context ended it.
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
pub enum CompletionFinishReason {
    /// `stop`
    Stop,
    /// `length`
    Length,
}
impl CompletionFinishReason {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Stop, Self::Length];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["stop", "length"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
        }
    }
}
impl ::std::fmt::Display for CompletionFinishReason {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for CompletionFinishReason {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "stop" => Ok(Self::Stop),
            "length" => Ok(Self::Length),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for CompletionFinishReason {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for CompletionFinishReason {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Tokens and their log-probabilities: with `echo` those of the prompt first, then the generated ones, including the token that ends the completion. The lists have equal length.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CompletionLogprobs {
    /// Offsets of the tokens in `text`, in characters (Unicode code points).
    pub text_offset: ::std::vec::Vec<u64>,
    /// Natural logarithms of the tokens' probabilities, the same bit for bit as in chat and training. Null for the first token of a prompt, which has no context.
    pub token_logprobs: ::std::vec::Vec<::std::option::Option<f64>>,
    /// Texts of the tokens. A control token has its spelling; a part of a character has `bytes:` and its bytes, as in `bytes:\xe2\x98`. See `return_tokens_as_token_ids`.
    pub tokens: ::std::vec::Vec<::std::string::String>,
    /// Most likely tokens at each position, as many as `logprobs` requests, and the token itself, named as in `tokens`. Of several tokens with the same text, the most likely one is listed. Null for the first token of a prompt.
    pub top_logprobs: ::std::vec::Vec<
        ::std::option::Option<::std::collections::BTreeMap<::std::string::String, f64>>,
    >,
}
impl json::ReadObject for CompletionLogprobs {
    const NAMES: &'static [&'static str] = &[
        "text_offset",
        "token_logprobs",
        "tokens",
        "top_logprobs",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::Whole,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::Nullable<json::ViaDeserialize>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::List<
                        json::Nullable<json::Entries<json::ViaDeserialize>>,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            text_offset: json::required(slot0, "text_offset")?,
            token_logprobs: json::required(slot1, "token_logprobs")?,
            tokens: json::required(slot2, "tokens")?,
            top_logprobs: json::required(slot3, "top_logprobs")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CompletionLogprobs {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Object type of a completion.
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
pub enum CompletionObject {
    /// `text_completion`
    TextCompletion,
}
impl CompletionObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::TextCompletion];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["text_completion"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::TextCompletion => "text_completion",
        }
    }
}
impl ::std::fmt::Display for CompletionObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for CompletionObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "text_completion" => Ok(Self::TextCompletion),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for CompletionObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for CompletionObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Prompts and sampling options. Null means the same as absent. An unknown field that resembles a documented one
/// returns
/// 422. Any other unknown field, and `cache_salt`, `nvext`, `priority`, `request_id` and `user`, is accepted
///      without effect, and listed in the header `x-trainyard-warnings`.
///
/// Fields that OpenAI and vLLM document and this service does not support are rejected by name (422,
/// `unsupported_parameter`), unless they are null or have the neutral value given in parentheses:
/// `allowed_token_ids`, `bad_words` (empty), `best_of` (the same as `n`), `detokenize` (true), `guided_choice`,
/// `guided_grammar`, `guided_json`, `guided_regex`, `kv_transfer_params`, `length_penalty` (1),
/// `logits_processors`, `prompt_embeds`, `prompt_logprobs`, `response_format`, `spaces_between_special_tokens`
/// (true), `structured_outputs`, `suffix` (empty), `truncate_prompt_tokens`, `use_beam_search` (false).
///
/// The defaults of `temperature`, `top_p`, `top_k`, `min_p` and `repetition_penalty` come from the model's
/// `generation_config.json`; the defaults given here apply if that file does not set them.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CompletionRequest {
    /// Adds the tokens that the model's tokenizer puts before every text, such as a beginning-of-text token. They are not added twice, and never to a prompt of tokens. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub add_special_tokens: ::std::option::Option<bool>,
    /// Compatibility field; returns 422 unless it equals `n`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub best_of: ::std::option::Option<u32>,
    /// Puts the prompt before each completion, and the log-probabilities of its tokens before those in `logprobs`. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub echo: ::std::option::Option<bool>,
    /// Value subtracted from a token's logit for each time that the completion already contains the token. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub frequency_penalty: ::std::option::Option<f64>,
    /// Ignores the model's end-of-turn tokens. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub ignore_eos: ::std::option::Option<bool>,
    /// Keeps the text or token that ends a completion (`stop`, `stop_token_ids`) at its end. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include_stop_str_in_output: ::std::option::Option<bool>,
    /// Biases added to the logits of tokens, by the token id in the vocabulary, written as a string.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logit_bias: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, f64>,
    >,
    /// Number of most likely tokens to report at each position, with the log-probability of the token. Default: disabled.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<u32>,
    /// Maximum number of tokens of each completion. 0 generates none and only scores the prompt. Default 16. The upper bound is the rest of the model's context.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_tokens: ::std::option::Option<u64>,
    /// Minimum probability of a token, as a fraction of the most likely token's; less likely tokens are excluded. Default 0, disabled.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_p: ::std::option::Option<f64>,
    /// Minimum number of tokens of each completion before the model or a stop sequence can end it. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_tokens: ::std::option::Option<u32>,
    /// Model to sample, named as in chat completions. An unknown name returns 404.
    pub model: ::std::string::String,
    /// Number of completions to sample per prompt, independent of each other; at most 128 for all prompts together. Default 1.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub n: ::std::option::Option<u32>,
    /// Value subtracted from the logit of each token that the completion already contains. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub presence_penalty: ::std::option::Option<f64>,
    /// Prompts to continue. A prompt and its completion together must fit the model's context, otherwise 400.
    pub prompt: types::CompletionPrompt,
    /// Repetition penalty: divides positive and multiplies negative logits of tokens that the prompt or the completion already contains. Default 1, disabled.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub repetition_penalty: ::std::option::Option<f64>,
    /// Adds the token ids of the completion and of its prompt to each choice. Default: true without a stream, false in a stream.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub return_token_ids: ::std::option::Option<bool>,
    /// Identifies tokens in `logprobs` by id, as `token_id:N`, instead of by text. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub return_tokens_as_token_ids: ::std::option::Option<bool>,
    /// Seed of the random number generator, 64 bits. A prompt with the same seed on the same weights has the same completions, regardless of the other prompts. A chat completion of the same tokens with the same seed is the same too. Default: random.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub seed: ::std::option::Option<i64>,
    /// Omits control tokens from the generated text. With false, the text contains their spelling, except for the token that ends the completion. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub skip_special_tokens: ::std::option::Option<bool>,
    /// Texts that end a completion and are not part of it. Empty texts are ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop: ::std::option::Option<types::Stop>,
    /// Ids of tokens that end a completion; their text is not part of it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// Returns server-sent events, one chunk for each update. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream: ::std::option::Option<bool>,
    /// Options of a stream; ignored without `stream`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream_options: ::std::option::Option<types::StreamOptions>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1. Reported log-probabilities do not depend on it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub temperature: ::std::option::Option<f64>,
    /// Number of most likely tokens to sample from. Default, 0 and -1: all tokens.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_k: ::std::option::Option<i64>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_p: ::std::option::Option<f64>,
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub user: ::std::option::Option<::std::string::String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for CompletionRequest {
    const NAMES: &'static [&'static str] = &[
        "add_special_tokens",
        "best_of",
        "echo",
        "frequency_penalty",
        "ignore_eos",
        "include_stop_str_in_output",
        "logit_bias",
        "logprobs",
        "max_tokens",
        "min_p",
        "min_tokens",
        "model",
        "n",
        "presence_penalty",
        "prompt",
        "repetition_penalty",
        "return_token_ids",
        "return_tokens_as_token_ids",
        "seed",
        "skip_special_tokens",
        "stop",
        "stop_token_ids",
        "stream",
        "stream_options",
        "temperature",
        "top_k",
        "top_p",
        "user",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::Entries<json::ViaDeserialize, 1024>,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::ViaDeserialize>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::ViaDeserialize>::fill(&mut slot14, Self::NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot15, Self::NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot16, Self::NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot17, Self::NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot18, Self::NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot19, Self::NAMES[19], &mut map)?
                }
                json::Key::Known(20) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot20, Self::NAMES[20], &mut map)?
                }
                json::Key::Known(21) => {
                    <json::Nullable<
                        json::List<json::Whole, 128>,
                    >>::fill(&mut slot21, Self::NAMES[21], &mut map)?
                }
                json::Key::Known(22) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot22, Self::NAMES[22], &mut map)?
                }
                json::Key::Known(23) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot23, Self::NAMES[23], &mut map)?
                }
                json::Key::Known(24) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot24, Self::NAMES[24], &mut map)?
                }
                json::Key::Known(25) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot25, Self::NAMES[25], &mut map)?
                }
                json::Key::Known(26) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot26, Self::NAMES[26], &mut map)?
                }
                json::Key::Known(27) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot27, Self::NAMES[27], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            add_special_tokens: slot0.flatten(),
            best_of: slot1.flatten(),
            echo: slot2.flatten(),
            frequency_penalty: slot3.flatten(),
            ignore_eos: slot4.flatten(),
            include_stop_str_in_output: slot5.flatten(),
            logit_bias: slot6.flatten(),
            logprobs: slot7.flatten(),
            max_tokens: slot8.flatten(),
            min_p: slot9.flatten(),
            min_tokens: slot10.flatten(),
            model: json::required(slot11, "model")?,
            n: slot12.flatten(),
            presence_penalty: slot13.flatten(),
            prompt: json::required(slot14, "prompt")?,
            repetition_penalty: slot15.flatten(),
            return_token_ids: slot16.flatten(),
            return_tokens_as_token_ids: slot17.flatten(),
            seed: slot18.flatten(),
            skip_special_tokens: slot19.flatten(),
            stop: slot20.flatten(),
            stop_token_ids: slot21.flatten(),
            stream: slot22.flatten(),
            stream_options: slot23.flatten(),
            temperature: slot24.flatten(),
            top_k: slot25.flatten(),
            top_p: slot26.flatten(),
            user: slot27.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CompletionRequest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Log-probability by text of the token.
pub type CompletionTopLogprobs = ::std::collections::BTreeMap<
    ::std::string::String,
    f64,
>;
/// A step to copy.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CopiedCheckpoint {
    /// Model of the step: this model, or another one of your entity.
    pub model_id: ::std::string::String,
    /// Number of the step.
    pub step: u64,
    #[serde(rename = "type")]
    pub type_: types::CheckpointCopy,
}
impl json::ReadObject for CopiedCheckpoint {
    const NAMES: &'static [&'static str] = &["model_id", "step", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            model_id: json::required(slot0, "model_id")?,
            step: json::required(slot1, "step")?,
            type_: json::required(slot2, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CopiedCheckpoint {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A file to upload.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CreateFile {
    /// Content of the file, in a part that has a file name.
    pub file: crate::json::Binary,
    pub purpose: types::FilePurpose,
}
impl json::ReadObject for CreateFile {
    const NAMES: &'static [&'static str] = &["file", "purpose"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Other(key) => {
                    return Err(json::unknown_field(&key, Self::NAMES));
                }
                _ => {}
            }
        }
        Ok(Self {
            file: json::required(slot0, "file")?,
            purpose: json::required(slot1, "purpose")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CreateFile {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A supervised job in the format of OpenAI's fine-tuning API. Null means the same as absent.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CreateFineTuningJob {
    /// Older location of the training options; `method.supervised.hyperparameters` takes precedence for an option in both.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub hyperparameters: ::std::option::Option<types::FineTuningOptions>,
    /// Not supported; any item returns 422.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub integrations: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    /// Notes of the owner; without effect.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    >,
    /// Training method. Default `supervised` with default options.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub method: ::std::option::Option<types::FineTuningMethod>,
    /// Model that training starts from: the `id` of a base model, or the inference name of a trained model of the key's entity. The name selects the newest step unless it ends in `:stepN`. An unknown model returns 404.
    pub model: ::std::string::String,
    /// Accepted and returned. Training is reproducible with any seed: examples are read in file order, and no other part of training is random. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub seed: ::std::option::Option<i64>,
    /// Start of the new model's name. Characters other than letters, digits, `.`, `_` and `-` become `-`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub suffix: ::std::option::Option<::std::string::String>,
    /// `id` of a file uploaded with purpose `fine-tune`.
    pub training_file: ::std::string::String,
    /// `id` of a validation file in the same format. The loss on it is computed before the first step, about ten times in the job and after the last step. It is not trained.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub validation_file: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for CreateFineTuningJob {
    const NAMES: &'static [&'static str] = &[
        "hyperparameters",
        "integrations",
        "metadata",
        "method",
        "model",
        "seed",
        "suffix",
        "training_file",
        "validation_file",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 16>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::Entries<json::ViaDeserialize, 16>,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::ViaDeserialize>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            hyperparameters: slot0.flatten(),
            integrations: slot1.flatten(),
            metadata: slot2.flatten(),
            method: slot3.flatten(),
            model: json::required(slot4, "model")?,
            seed: slot5.flatten(),
            suffix: slot6.flatten(),
            training_file: json::required(slot7, "training_file")?,
            validation_file: slot8.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for CreateFineTuningJob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A supervised fine-tuning job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CreateSftTrainingJob {
    /// Options; null or absent selects the defaults.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub config: ::std::option::Option<types::SftTrainingConfig>,
    /// Experimental options; supervised jobs have none. Use `config`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub experimental_config: ::std::option::Option<types::SftExperimentalConfig>,
    /// `id` of the model to train. An unknown id returns 404.
    pub model_id: ::std::string::String,
    /// Location of the conversations, in one of these forms: the `id` of a file uploaded with `POST /v1/files`; the name of a data set uploaded here by W&B's client (`wandb-artifact:///ENTITY/PROJECT/ARTIFACT:v0`); such a name of your own entity for a data set on the W&B server that the operator configured, if any; or a URL. A URL is public `https` without credentials. `http`, private hosts and `file` are accepted below the prefixes that the operator allows (`--allow-data`). Redirects are not followed. Anything else returns 422.
    pub training_data_url: ::std::string::String,
}
impl json::ReadObject for CreateSftTrainingJob {
    const NAMES: &'static [&'static str] = &[
        "config",
        "experimental_config",
        "model_id",
        "training_data_url",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// A reinforcement learning job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct CreateTrainingJob {
    /// Options; null or absent selects the defaults.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub experimental_config: ::std::option::Option<types::ExperimentalTrainingConfig>,
    /// `id` of the model to train. An unknown id returns 404.
    pub model_id: ::std::string::String,
    /// Trajectory groups to train on. May be empty.
    pub trajectory_groups: ::std::vec::Vec<types::TrajectoryGroup>,
}
impl json::ReadObject for CreateTrainingJob {
    const NAMES: &'static [&'static str] = &[
        "experimental_config",
        "model_id",
        "trajectory_groups",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// Steps to delete.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteCheckpointsRequest {
    /// Allows the deletion of the newest step, after which the model's plain name samples an older one. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub allow_latest: ::std::option::Option<bool>,
    /// Numbers of steps, in any order; a repeated number counts once. Includes step 0 if listed. May be empty.
    pub steps: ::std::vec::Vec<u64>,
}
impl json::ReadObject for DeleteCheckpointsRequest {
    const NAMES: &'static [&'static str] = &["allow_latest", "steps"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::Whole,
                        100000,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            allow_latest: slot0.flatten(),
            steps: json::required(slot1, "steps")?,
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
/// Result of the deletion of checkpoints.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteCheckpointsResponse {
    /// Number of deleted checkpoints.
    pub deleted_count: u64,
    /// Requested steps that the model does not have, ascending, each once.
    pub not_found_steps: ::std::vec::Vec<u64>,
}
impl json::ReadObject for DeleteCheckpointsResponse {
    const NAMES: &'static [&'static str] = &["deleted_count", "not_found_steps"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::Whole,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// Result of the deletion of a file.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteFileResponse {
    /// Always true.
    pub deleted: bool,
    /// Id of the deleted file.
    pub id: ::std::string::String,
    pub object: types::FileObject,
}
impl json::ReadObject for DeleteFileResponse {
    const NAMES: &'static [&'static str] = &["deleted", "id", "object"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            deleted: json::required(slot0, "deleted")?,
            id: json::required(slot1, "id")?,
            object: json::required(slot2, "object")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for DeleteFileResponse {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Result of the deletion of a model.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct DeleteModelResponse {
    /// Number of deleted checkpoints, including step 0.
    pub deleted_checkpoints: u64,
    /// True if a run of an experiment tracker was deleted; always false here.
    pub deleted_run: bool,
    /// Id of the deleted model.
    pub model_id: ::std::string::String,
}
impl json::ReadObject for DeleteModelResponse {
    const NAMES: &'static [&'static str] = &[
        "deleted_checkpoints",
        "deleted_run",
        "model_id",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// The error. All four keys are always present.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ErrorDetail {
    /// Stable machine-readable code of the error: `invalid_api_key`, `invalid_json`, `context_length_exceeded`, `model_not_found`, `unsupported_parameter`, `unknown_parameter`, `latest_checkpoint`, `body_too_large`, `too_many_values`, `body_timeout`; for request heads that are not acceptable, `malformed_request` and `target_too_long`. New codes may be added. Null if `type` is sufficient.
    pub code: ::std::option::Option<::std::string::String>,
    /// Human-readable cause and remedy, in English; the wording may change.
    pub message: ::std::string::String,
    /// Part of the request that caused the error: the name of a parameter or a path into the body, such as `messages[0].role`. Null if no single part did.
    pub param: ::std::option::Option<::std::string::String>,
    /// Class of the error; follows from the status. One of `invalid_request_error`, `authentication_error`, `permission_error`, `not_found_error`, `conflict_error`, `rate_limit_error`, `overloaded_error`, `internal_error`. Handle an unknown value according to its status.
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
}
impl json::ReadObject for ErrorDetail {
    const NAMES: &'static [&'static str] = &["code", "message", "param", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
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
/// The body of every error response.
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
    const NAMES: &'static [&'static str] = &["error"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
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
/// Options of an RL job. A null option has its default value; an unknown option is ignored if it is null. Any other
/// unknown option is rejected by name (422). `plot_tensors`, `save_checkpoint` and `optimizer_save_interval` are
/// accepted without effect and listed in `warnings` of the job, unless they are false.
///
/// `rho` is the importance ratio: the probability of a token under the current weights, divided by its probability
/// at sampling time. CISPO (`loss_fn: cispo`) weights the policy gradient by the clipped ratio. PPO
/// (`loss_fn: ppo`) uses the clipped surrogate objective, through which the gradient flows.
///
/// A row is the input of one optimizer step: one sequence, or several with `packed_sequence_length`. Its loss is
/// the weighted mean over its trained tokens.
///
/// The KL penalty keeps the model near a reference. The reference is the base model, unless one of
/// `kl_penalty_reference_step`, `kl_penalty_step_lag` and `kl_ref_adapter_path` selects another; two of them
/// together are an error (422). The reference is resolved when the job first starts and retained until the job
/// ends, even if it is deleted meanwhile. Let `k` be the log-probability of a token minus its log-probability under
/// the reference. The penalty adds `kl_penalty_coef` times (the mean of `k` over the row, minus `k`) to the token's
/// advantage.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ExperimentalTrainingConfig {
    /// Balance between good and bad rollouts, from -1 to 1. A positive value b multiplies negative advantages by `1 - b`; a negative value b multiplies positive advantages by `1 + b`. Default 0, equal weight; 1 trains on good rollouts only.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub advantage_balance: ::std::option::Option<f64>,
    /// Trains also plain assistant messages and choices without `logprobs`, as if sampled from the current weights (`rho` is 1). Intended for responses that were written or sampled elsewhere. Default false: they are context only.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub allow_training_without_logprobs: ::std::option::Option<bool>,
    /// Lower clip range; `rho` is clipped below at `1 - epsilon`. Default 1 with CISPO, 0.2 with PPO.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epsilon: ::std::option::Option<f64>,
    /// Upper clip range; `rho` is clipped above at `1 + epsilon_high`. Default 4 with CISPO; with PPO the value of `epsilon`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epsilon_high: ::std::option::Option<f64>,
    /// Scope over which `rho` is averaged. Default `token`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub importance_sampling_level: ::std::option::Option<types::ImportanceSamplingLevel>,
    /// Coefficient tau of Kimi K2's penalty, which subtracts tau times the change in log-probability from the advantage. 0 (default) disables the penalty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kimi_k2_tau: ::std::option::Option<f64>,
    /// Coefficient of the KL penalty, which limits the drift from the reference over many jobs. 0 (default) disables the penalty and all its other options.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_coef: ::std::option::Option<f64>,
    /// Step of this model used as the reference; 0 is the base model. A step that does not exist returns 422. Use it to stay near one checkpoint, such as the end of supervised fine-tuning.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_reference_step: ::std::option::Option<i32>,
    /// Source of the log-probabilities that are compared with the reference. Default `current_learner`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_source: ::std::option::Option<types::KlPenaltySource>,
    /// Distance in steps between the reference and the step that the job starts from. The reference is the base model if the result is 0 or less. Use it for a moving reference. If the step is deleted, the job fails.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_penalty_step_lag: ::std::option::Option<i32>,
    /// Trained model used as the reference, by its inference name, at a given step or at its newest. It must belong to the same entity and have the same base model, otherwise 422.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kl_ref_adapter_path: ::std::option::Option<::std::string::String>,
    /// Learning rate of AdamW. It is constant over the job, unless `num_trajectories_learning_rate_multiplier_power` makes it depend on the row. Default 0.000005.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate: ::std::option::Option<f64>,
    /// Limits the memory of other trainers. Accepted without effect: this service limits its memory by itself, without effect on any result.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprob_calculation_chunk_size: ::std::option::Option<u64>,
    /// Loss function. Default `cispo`, or `ppo` when `ppo` is true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub loss_fn: ::std::option::Option<types::LossFunction>,
    /// Sets `rho` to 0 outside the clip range instead of clipping it. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub mask_prob_ratio: ::std::option::Option<bool>,
    /// Upper bound of `rho` before clipping. 0 (default) disables the bound.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_negative_advantage_importance_sampling_weight: ::std::option::Option<f64>,
    /// Alias of `scale_rewards`; false in either disables the division. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub normalize_advantages: ::std::option::Option<bool>,
    /// Exponent of the learning rate multiplier: the learning rate of a row is multiplied by its number of sequences raised to this power. For packed rows, which differ in their number of sequences: with 0.5 or 1, fuller rows change the weights more. 0 (default) disables the multiplier.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub num_trajectories_learning_rate_multiplier_power: ::std::option::Option<f64>,
    /// Interval at which other trainers save the optimizer state. Accepted without effect: this service saves the state that the next job needs.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub optimizer_save_interval: ::std::option::Option<u64>,
    /// Maximum number of tokens of a row that packs several sequences, in the order of the request. Leading tokens shared by sequences of a row count once and are computed once. Packing gives fewer optimizer steps with less variance; raise the learning rate accordingly. Longer sequences are dropped and counted in `num_dropped_sequences`. Default: each sequence is a row of its own.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub packed_sequence_length: ::std::option::Option<i32>,
    /// Draws plots on the host of other trainers, for debugging. Accepted without effect.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub plot_tensors: ::std::option::Option<bool>,
    /// Older form of `loss_fn`: true selects `loss_fn: ppo`, and is an error (422) with `loss_fn: cispo`. Default false: `loss_fn` applies.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub ppo: ::std::option::Option<bool>,
    /// Recomputes the old log-probabilities with the weights that the job starts from, instead of using those of the choices. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub precalculate_logprobs: ::std::option::Option<bool>,
    /// Saves a checkpoint in other trainers. Accepted without effect: this service always saves one.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub save_checkpoint: ::std::option::Option<bool>,
    /// Multiplies the learning rate by the relative change of the rewards' standard deviation within groups over the RL jobs of the model: its value at this job divided by its value at step 0, both on the line of best fit through the jobs. The learning rate falls as rollouts become more alike. Default false; no effect in the first job.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub scale_learning_rate_by_reward_std_dev: ::std::option::Option<bool>,
    /// Divides advantages by the standard deviation of their group's rewards. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub scale_rewards: ::std::option::Option<bool>,
    /// Upper bound of the ratio of recomputed to sampled probability, by which the loss is multiplied. Requires `precalculate_logprobs`; without it nothing is truncated, and the job has a warning. 0 (default) disables truncation.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub truncated_importance_sampling: ::std::option::Option<f64>,
}
impl json::ReadObject for ExperimentalTrainingConfig {
    const NAMES: &'static [&'static str] = &[
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
        "optimizer_save_interval",
        "packed_sequence_length",
        "plot_tensors",
        "ppo",
        "precalculate_logprobs",
        "save_checkpoint",
        "scale_learning_rate_by_reward_std_dev",
        "scale_rewards",
        "truncated_importance_sampling",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot14, Self::NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot15, Self::NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot16, Self::NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot17, Self::NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot18, Self::NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot19, Self::NAMES[19], &mut map)?
                }
                json::Key::Known(20) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot20, Self::NAMES[20], &mut map)?
                }
                json::Key::Known(21) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot21, Self::NAMES[21], &mut map)?
                }
                json::Key::Known(22) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot22, Self::NAMES[22], &mut map)?
                }
                json::Key::Known(23) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot23, Self::NAMES[23], &mut map)?
                }
                json::Key::Known(24) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot24, Self::NAMES[24], &mut map)?
                }
                json::Key::Known(25) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot25, Self::NAMES[25], &mut map)?
                }
                json::Key::Known(26) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot26, Self::NAMES[26], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
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
            optimizer_save_interval: slot18.flatten(),
            packed_sequence_length: slot19.flatten(),
            plot_tensors: slot20.flatten(),
            ppo: slot21.flatten(),
            precalculate_logprobs: slot22.flatten(),
            save_checkpoint: slot23.flatten(),
            scale_learning_rate_by_reward_std_dev: slot24.flatten(),
            scale_rewards: slot25.flatten(),
            truncated_importance_sampling: slot26.flatten(),
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
/// Metadata of a file.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct File {
    /// Size in bytes.
    pub bytes: u64,
    /// Upload time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// File name of the upload.
    pub filename: ::std::string::String,
    /// Id of the file, used in other requests.
    pub id: ::std::string::String,
    pub object: types::FileObject,
    pub purpose: types::FilePurpose,
    pub status: types::FileStatus,
}
impl json::ReadObject for File {
    const NAMES: &'static [&'static str] = &[
        "bytes",
        "created_at",
        "filename",
        "id",
        "object",
        "purpose",
        "status",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            bytes: json::required(slot0, "bytes")?,
            created_at: json::required(slot1, "created_at")?,
            filename: json::required(slot2, "filename")?,
            id: json::required(slot3, "id")?,
            object: json::required(slot4, "object")?,
            purpose: json::required(slot5, "purpose")?,
            status: json::required(slot6, "status")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for File {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Bytes of a file.
pub type FileContent = crate::json::Binary;
/// Object type of a file.
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
pub enum FileObject {
    /// `file`
    File,
}
impl FileObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::File];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["file"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::File => "file",
        }
    }
}
impl ::std::fmt::Display for FileObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FileObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "file" => Ok(Self::File),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FileObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FileObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// `asc`: oldest first; `desc`: newest first.
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
pub enum FileOrder {
    /// `asc`
    Asc,
    /// `desc`
    Desc,
}
impl FileOrder {
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
impl ::std::default::Default for FileOrder {
    fn default() -> Self {
        Self::Desc
    }
}
impl ::std::fmt::Display for FileOrder {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FileOrder {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "asc" => Ok(Self::Asc),
            "desc" => Ok(Self::Desc),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FileOrder {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FileOrder {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// One page of files.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FilePage {
    /// The files; at most `limit`.
    pub data: ::std::vec::Vec<types::File>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for FilePage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        10000,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for FilePage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `fine-tune`: conversations for training; `user_data`: any other data, such as the weights of an adapter.
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
pub enum FilePurpose {
    /// `fine-tune`
    FineTune,
    /// `user_data`
    UserData,
}
impl FilePurpose {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::FineTune, Self::UserData];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["fine-tune", "user_data"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::FineTune => "fine-tune",
            Self::UserData => "user_data",
        }
    }
}
impl ::std::fmt::Display for FilePurpose {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FilePurpose {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "fine-tune" => Ok(Self::FineTune),
            "user_data" => Ok(Self::UserData),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FilePurpose {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FilePurpose {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// `processed`: the file can be used. No other status exists here; client libraries expect the field.
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
pub enum FileStatus {
    /// `processed`
    Processed,
}
impl FileStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Processed];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["processed"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Processed => "processed",
        }
    }
}
impl ::std::fmt::Display for FileStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FileStatus {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "processed" => Ok(Self::Processed),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FileStatus {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FileStatus {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A model that a job created.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningCheckpoint {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Inference name of the checkpoint.
    pub fine_tuned_model_checkpoint: ::std::string::String,
    /// Job that created the checkpoint.
    pub fine_tuning_job_id: ::std::string::String,
    /// Id of the checkpoint; the cursor of this item.
    pub id: ::std::string::String,
    pub metrics: types::FineTuningMetrics,
    pub object: types::FineTuningCheckpointObject,
    /// Number of optimizer steps of the job.
    pub step_number: u64,
}
impl json::ReadObject for FineTuningCheckpoint {
    const NAMES: &'static [&'static str] = &[
        "created_at",
        "fine_tuned_model_checkpoint",
        "fine_tuning_job_id",
        "id",
        "metrics",
        "object",
        "step_number",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Whole>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            created_at: json::required(slot0, "created_at")?,
            fine_tuned_model_checkpoint: json::required(
                slot1,
                "fine_tuned_model_checkpoint",
            )?,
            fine_tuning_job_id: json::required(slot2, "fine_tuning_job_id")?,
            id: json::required(slot3, "id")?,
            metrics: json::required(slot4, "metrics")?,
            object: json::required(slot5, "object")?,
            step_number: json::required(slot6, "step_number")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningCheckpoint {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Object type of a checkpoint.
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
pub enum FineTuningCheckpointObject {
    /// `fine_tuning.job.checkpoint`
    FineTuningJobCheckpoint,
}
impl FineTuningCheckpointObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::FineTuningJobCheckpoint];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["fine_tuning.job.checkpoint"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::FineTuningJobCheckpoint => "fine_tuning.job.checkpoint",
        }
    }
}
impl ::std::fmt::Display for FineTuningCheckpointObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningCheckpointObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "fine_tuning.job.checkpoint" => Ok(Self::FineTuningJobCheckpoint),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningCheckpointObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningCheckpointObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// One page of checkpoints.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningCheckpointPage {
    /// The checkpoints; at most `limit`.
    pub data: ::std::vec::Vec<types::FineTuningCheckpoint>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for FineTuningCheckpointPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for FineTuningCheckpointPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Reason of a job's failure.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningError {
    pub code: types::TrainingJobErrorCode,
    /// Human-readable message.
    pub message: ::std::string::String,
    /// Part of the request that caused the failure, if known; `training_file` or `validation_file`.
    pub param: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for FineTuningError {
    const NAMES: &'static [&'static str] = &["code", "message", "param"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            code: json::required(slot0, "code")?,
            message: json::required(slot1, "message")?,
            param: json::required(slot2, "param")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningError {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// An event of a job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningEvent {
    /// Time of the event, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Data by event type. `metrics`: `step` and `total_steps`, `train_loss`, `learning_rate`, and `valid_loss` if the validation loss was computed after the step. `message`: the `data` of the same event in `/v1/preview/training-jobs/{training_job_id}/events`.
    pub data: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    /// Id of the event; the cursor of this item.
    pub id: ::std::string::String,
    pub level: types::FineTuningEventLevel,
    /// Human-readable description of the event.
    pub message: ::std::string::String,
    pub object: types::FineTuningEventObject,
    #[serde(rename = "type")]
    pub type_: types::FineTuningEventType,
}
impl json::ReadObject for FineTuningEvent {
    const NAMES: &'static [&'static str] = &[
        "created_at",
        "data",
        "id",
        "level",
        "message",
        "object",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Entries<
                        json::Any,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            created_at: json::required(slot0, "created_at")?,
            data: json::required(slot1, "data")?,
            id: json::required(slot2, "id")?,
            level: json::required(slot3, "level")?,
            message: json::required(slot4, "message")?,
            object: json::required(slot5, "object")?,
            type_: json::required(slot6, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningEvent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `warn`: something was dropped, or the job was cancelled; `error`: the job failed.
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
pub enum FineTuningEventLevel {
    /// `info`
    Info,
    /// `warn`
    Warn,
    /// `error`
    Error,
}
impl FineTuningEventLevel {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Info, Self::Warn, Self::Error];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["info", "warn", "error"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}
impl ::std::fmt::Display for FineTuningEventLevel {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningEventLevel {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "info" => Ok(Self::Info),
            "warn" => Ok(Self::Warn),
            "error" => Ok(Self::Error),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningEventLevel {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningEventLevel {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Object type of an event.
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
pub enum FineTuningEventObject {
    /// `fine_tuning.job.event`
    FineTuningJobEvent,
}
impl FineTuningEventObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::FineTuningJobEvent];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["fine_tuning.job.event"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::FineTuningJobEvent => "fine_tuning.job.event",
        }
    }
}
impl ::std::fmt::Display for FineTuningEventObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningEventObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "fine_tuning.job.event" => Ok(Self::FineTuningJobEvent),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningEventObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningEventObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// One page of events.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningEventPage {
    /// The events; at most `limit`.
    pub data: ::std::vec::Vec<types::FineTuningEvent>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for FineTuningEventPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for FineTuningEventPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `metrics`: an optimizer step was completed; `message`: any other event.
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
pub enum FineTuningEventType {
    /// `message`
    Message,
    /// `metrics`
    Metrics,
}
impl FineTuningEventType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Message, Self::Metrics];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["message", "metrics"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Metrics => "metrics",
        }
    }
}
impl ::std::fmt::Display for FineTuningEventType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningEventType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "message" => Ok(Self::Message),
            "metrics" => Ok(Self::Metrics),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningEventType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningEventType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A supervised job in the format of OpenAI's fine-tuning API.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningJob {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Reason of the failure; null otherwise.
    pub error: ::std::option::Option<types::FineTuningError>,
    /// Always null; the events have the completed and the total number of steps.
    pub estimated_finish: ::std::option::Option<i64>,
    /// Inference name of the step that the job created; null until it has succeeded.
    pub fine_tuned_model: ::std::option::Option<::std::string::String>,
    /// End time, in seconds since 1970-01-01 UTC; null before the end.
    pub finished_at: ::std::option::Option<i64>,
    pub hyperparameters: types::FineTuningResolvedOptions,
    /// Id of the job; the digits after `ftjob-` are those of its `id` in `/v1/preview/training-jobs`.
    pub id: ::std::string::String,
    /// Always empty.
    pub integrations: ::std::vec::Vec<types::JsonObject>,
    /// Notes of the request.
    pub metadata: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    >,
    pub method: types::FineTuningResolvedMethod,
    /// Model that training starts from, as named in the request; the base model for jobs of `/v1/preview/sft-training-jobs`.
    pub model: ::std::string::String,
    pub object: types::FineTuningJobObject,
    /// Entity that owns the job.
    pub organization_id: ::std::string::String,
    /// Always empty; the events carry the metrics.
    pub result_files: ::std::vec::Vec<::std::string::String>,
    /// Seed of the request.
    pub seed: i64,
    pub status: types::FineTuningStatus,
    /// Number of trained tokens in all epochs together; null until the job has ended.
    pub trained_tokens: ::std::option::Option<u64>,
    /// `id` of the training file, or URL of the training data.
    pub training_file: ::std::string::String,
    /// `suffix` of the request.
    pub user_provided_suffix: ::std::option::Option<::std::string::String>,
    /// `id` of the validation file; null without one.
    pub validation_file: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for FineTuningJob {
    const NAMES: &'static [&'static str] = &[
        "created_at",
        "error",
        "estimated_finish",
        "fine_tuned_model",
        "finished_at",
        "hyperparameters",
        "id",
        "integrations",
        "metadata",
        "method",
        "model",
        "object",
        "organization_id",
        "result_files",
        "seed",
        "status",
        "trained_tokens",
        "training_file",
        "user_provided_suffix",
        "validation_file",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::List<
                        json::ViaDeserialize,
                        16,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::Entries<json::ViaDeserialize, 16>,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::ViaDeserialize>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::ViaDeserialize>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::ViaDeserialize>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::ViaDeserialize>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::List<
                        json::ViaDeserialize,
                        16,
                    >>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::Whole>::fill(&mut slot14, Self::NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::ViaDeserialize>::fill(&mut slot15, Self::NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot16, Self::NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::ViaDeserialize>::fill(&mut slot17, Self::NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot18, Self::NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot19, Self::NAMES[19], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            created_at: json::required(slot0, "created_at")?,
            error: json::required(slot1, "error")?,
            estimated_finish: json::required(slot2, "estimated_finish")?,
            fine_tuned_model: json::required(slot3, "fine_tuned_model")?,
            finished_at: json::required(slot4, "finished_at")?,
            hyperparameters: json::required(slot5, "hyperparameters")?,
            id: json::required(slot6, "id")?,
            integrations: json::required(slot7, "integrations")?,
            metadata: json::required(slot8, "metadata")?,
            method: json::required(slot9, "method")?,
            model: json::required(slot10, "model")?,
            object: json::required(slot11, "object")?,
            organization_id: json::required(slot12, "organization_id")?,
            result_files: json::required(slot13, "result_files")?,
            seed: json::required(slot14, "seed")?,
            status: json::required(slot15, "status")?,
            trained_tokens: json::required(slot16, "trained_tokens")?,
            training_file: json::required(slot17, "training_file")?,
            user_provided_suffix: json::required(slot18, "user_provided_suffix")?,
            validation_file: json::required(slot19, "validation_file")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningJob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Object type of a job.
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
pub enum FineTuningJobObject {
    /// `fine_tuning.job`
    FineTuningJob,
}
impl FineTuningJobObject {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::FineTuningJob];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["fine_tuning.job"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::FineTuningJob => "fine_tuning.job",
        }
    }
}
impl ::std::fmt::Display for FineTuningJobObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningJobObject {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "fine_tuning.job" => Ok(Self::FineTuningJob),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningJobObject {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningJobObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// One page of jobs.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningJobPage {
    /// The jobs; at most `limit`.
    pub data: ::std::vec::Vec<types::FineTuningJob>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for FineTuningJobPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for FineTuningJobPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Texts by name, at most 16. A name has at most 64 characters.
pub type FineTuningMetadata = ::std::collections::BTreeMap<
    ::std::string::String,
    ::std::string::String,
>;
/// Training method.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningMethod {
    /// Options of the method `dpo`. Not supported; returns 422.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub dpo: ::std::option::Option<types::JsonObject>,
    /// Options of the method `reinforcement`, whose graders have no counterpart here. Not supported; returns 422. For reinforcement learning with your own rewards, use `POST /v1/preview/training-jobs`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reinforcement: ::std::option::Option<types::JsonObject>,
    /// Options of the method `supervised`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub supervised: ::std::option::Option<types::SupervisedMethod>,
    #[serde(rename = "type")]
    pub type_: types::FineTuningMethodType,
}
impl json::ReadObject for FineTuningMethod {
    const NAMES: &'static [&'static str] = &[
        "dpo",
        "reinforcement",
        "supervised",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            dpo: slot0.flatten(),
            reinforcement: slot1.flatten(),
            supervised: slot2.flatten(),
            type_: json::required(slot3, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningMethod {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `supervised`; `dpo` and `reinforcement` are not supported and return 422.
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
pub enum FineTuningMethodType {
    /// `supervised`
    Supervised,
    /// `dpo`
    Dpo,
    /// `reinforcement`
    Reinforcement,
}
impl FineTuningMethodType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Supervised, Self::Dpo, Self::Reinforcement];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["supervised", "dpo", "reinforcement"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Supervised => "supervised",
            Self::Dpo => "dpo",
            Self::Reinforcement => "reinforcement",
        }
    }
}
impl ::std::fmt::Display for FineTuningMethodType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningMethodType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "supervised" => Ok(Self::Supervised),
            "dpo" => Ok(Self::Dpo),
            "reinforcement" => Ok(Self::Reinforcement),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningMethodType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningMethodType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Metrics of a job. A metric that was not computed is absent.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningMetrics {
    /// Same value as `valid_loss`; every validation here covers the whole validation set.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub full_valid_loss: ::std::option::Option<f64>,
    /// Number of optimizer steps of the job.
    pub step: u64,
    /// Mean training loss over all steps.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub train_loss: ::std::option::Option<f64>,
    /// Validation loss after the last step.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub valid_loss: ::std::option::Option<f64>,
}
impl json::ReadObject for FineTuningMetrics {
    const NAMES: &'static [&'static str] = &[
        "full_valid_loss",
        "step",
        "train_loss",
        "valid_loss",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            full_valid_loss: slot0.flatten(),
            step: json::required(slot1, "step")?,
            train_loss: slot2.flatten(),
            valid_loss: slot3.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningMetrics {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Options of training. An option that is null, absent or `auto` has its default.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningOptions {
    /// Number of conversations per optimizer step. Default 2.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub batch_size: ::std::option::Option<types::BatchSize>,
    /// Factor applied to the default learning rate of supervised jobs, 0.00005. Default 1.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate_multiplier: ::std::option::Option<types::LearningRateMultiplier>,
    /// Number of passes over the file. Default 3.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub n_epochs: ::std::option::Option<types::FineTuningEpochs>,
}
impl json::ReadObject for FineTuningOptions {
    const NAMES: &'static [&'static str] = &[
        "batch_size",
        "learning_rate_multiplier",
        "n_epochs",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            batch_size: slot0.flatten(),
            learning_rate_multiplier: slot1.flatten(),
            n_epochs: slot2.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningOptions {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Training method of the job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningResolvedMethod {
    pub supervised: types::SupervisedResolvedMethod,
    #[serde(rename = "type")]
    pub type_: types::FineTuningMethodType,
}
impl json::ReadObject for FineTuningResolvedMethod {
    const NAMES: &'static [&'static str] = &["supervised", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            supervised: json::required(slot0, "supervised")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningResolvedMethod {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// The options with the defaults filled in.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FineTuningResolvedOptions {
    /// Number of conversations per optimizer step.
    pub batch_size: u64,
    /// Factor applied to the learning rate of 0.00005; absent for a job with one rate per step.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate_multiplier: ::std::option::Option<f64>,
    /// Number of passes over the file.
    pub n_epochs: u64,
}
impl json::ReadObject for FineTuningResolvedOptions {
    const NAMES: &'static [&'static str] = &[
        "batch_size",
        "learning_rate_multiplier",
        "n_epochs",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            batch_size: json::required(slot0, "batch_size")?,
            learning_rate_multiplier: slot1.flatten(),
            n_epochs: json::required(slot2, "n_epochs")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningResolvedOptions {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `queued`: the job waits for its start or for its resumption; `validating_files`: its data is read and validated; `running`: optimizer steps are executed; `succeeded`: its model can be sampled; `failed`: `error` has the reason; `cancelled`: the owner cancelled it.
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
pub enum FineTuningStatus {
    /// `validating_files`
    ValidatingFiles,
    /// `queued`
    Queued,
    /// `running`
    Running,
    /// `succeeded`
    Succeeded,
    /// `failed`
    Failed,
    /// `cancelled`
    Cancelled,
}
impl FineTuningStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::ValidatingFiles,
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "validating_files",
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::ValidatingFiles => "validating_files",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}
impl ::std::fmt::Display for FineTuningStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FineTuningStatus {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "validating_files" => Ok(Self::ValidatingFiles),
            "queued" => Ok(Self::Queued),
            "running" => Ok(Self::Running),
            "succeeded" => Ok(Self::Succeeded),
            "failed" => Ok(Self::Failed),
            "cancelled" => Ok(Self::Cancelled),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FineTuningStatus {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningStatus {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// `stop`: the model or a stop sequence ended the completion; `length`: the token limit or the context ended it; `tool_calls`: it calls tools; `function_call`: it calls one of `functions`. `content_filter` occurs only in choices of other services.
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
/// Function and arguments of the call.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionCall {
    /// The arguments as a JSON object in text form, generated by the model. Validate them before use, unless the call was required (`tool_choice`).
    pub arguments: ::std::string::String,
    /// Name of the function.
    pub name: ::std::string::String,
}
impl json::ReadObject for FunctionCall {
    const NAMES: &'static [&'static str] = &["arguments", "name"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// Function and arguments of the call.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionCallDelta {
    /// Fragment of the arguments, a JSON object in text form.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub arguments: ::std::option::Option<::std::string::String>,
    /// Name of the function.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for FunctionCallDelta {
    const NAMES: &'static [&'static str] = &["arguments", "name"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// `none`: no function call; `auto`: the model decides.
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
pub enum FunctionCallMode {
    /// `none`
    None,
    /// `auto`
    Auto,
}
impl FunctionCallMode {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::None, Self::Auto];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["none", "auto"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
        }
    }
}
impl ::std::fmt::Display for FunctionCallMode {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for FunctionCallMode {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "none" => Ok(Self::None),
            "auto" => Ok(Self::Auto),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for FunctionCallMode {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionCallMode {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A function and its parameters.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionDefinition {
    /// Purpose of the function, shown to the model.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    /// Name by which the model calls the function.
    pub name: ::std::string::String,
    /// JSON schema of the arguments, an object. A required call follows it. The schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parameters: ::std::option::Option<types::JsonObject>,
    /// Shown to the model; otherwise ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
}
impl json::ReadObject for FunctionDefinition {
    const NAMES: &'static [&'static str] = &[
        "description",
        "name",
        "parameters",
        "strict",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
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
/// The result of a function call in the older form.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionMessage {
    /// The result as text.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<::std::string::String>,
    /// Name of the function.
    pub name: ::std::string::String,
    pub role: types::FunctionRole,
}
impl json::ReadObject for FunctionMessage {
    const NAMES: &'static [&'static str] = &["content", "name", "role"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// Name of a function.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct FunctionName {
    /// Name of the function in `tools` or `functions`.
    pub name: ::std::string::String,
}
impl json::ReadObject for FunctionName {
    const NAMES: &'static [&'static str] = &["name"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// Role of a function in the older form.
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
/// Health of the service.
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
    const NAMES: &'static [&'static str] = &["status"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
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
/// Status of the service; there is only one.
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
/// A further conversation of a trajectory. Further fields are stored.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct History {
    /// The conversation in order: prompt messages, and in place of each response the unchanged choice from chat completions. The loss covers the tokens of the choices; without a choice there is nothing to train.
    pub messages_and_choices: ::std::vec::Vec<types::MessageOrChoice>,
    /// The `tools` of the chat requests. They are part of the prompt, so list all of them.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for History {
    const NAMES: &'static [&'static str] = &["messages_and_choices", "tools"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// `token`: the token's own ratio; `sequence`: `exp` of the sequence's mean log-ratio (GSPO); `average` and `geometric_average`: the arithmetic and the geometric mean of the two.
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
/// A PEFT adapter created outside this service.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ImportedAdapter {
    /// The content of `adapter_config.json`.
    pub adapter_config: types::JsonObject,
    #[serde(rename = "type")]
    pub type_: types::AdapterImport,
    /// `id` of an uploaded file with the content of `adapter_model.safetensors`.
    pub weights_file_id: ::std::string::String,
}
impl json::ReadObject for ImportedAdapter {
    const NAMES: &'static [&'static str] = &[
        "adapter_config",
        "type",
        "weights_file_id",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            adapter_config: json::required(slot0, "adapter_config")?,
            type_: json::required(slot1, "type")?,
            weights_file_id: json::required(slot2, "weights_file_id")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ImportedAdapter {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A model available for sampling.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct InferenceModel {
    /// Registration time, in seconds since 1970-01-01 UTC; 0 for base models.
    pub created: i64,
    /// Value for `model` of a chat request.
    pub id: ::std::string::String,
    pub object: types::InferenceModelObject,
    /// `system` for base models, otherwise the entity.
    pub owned_by: ::std::string::String,
    /// Base model of the model; for a base model, its own id.
    pub root: ::std::string::String,
}
impl json::ReadObject for InferenceModel {
    const NAMES: &'static [&'static str] = &[
        "created",
        "id",
        "object",
        "owned_by",
        "root",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
/// All models available for sampling.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct InferenceModelList {
    /// Base models, then trained models.
    pub data: ::std::vec::Vec<types::InferenceModel>,
    pub object: types::ListObject,
}
impl json::ReadObject for InferenceModelList {
    const NAMES: &'static [&'static str] = &["data", "object"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// Object type of a model.
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
/// Type of any JSON object.
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
pub enum JsonObjectFormat {
    /// `json_object`
    JsonObject,
}
impl JsonObjectFormat {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::JsonObject];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["json_object"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::JsonObject => "json_object",
        }
    }
}
impl ::std::fmt::Display for JsonObjectFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for JsonObjectFormat {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "json_object" => Ok(Self::JsonObject),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for JsonObjectFormat {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for JsonObjectFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Type of JSON that follows a schema.
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
pub enum JsonSchemaFormat {
    /// `json_schema`
    JsonSchema,
}
impl JsonSchemaFormat {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::JsonSchema];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["json_schema"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
        }
    }
}
impl ::std::fmt::Display for JsonSchemaFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for JsonSchemaFormat {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "json_schema" => Ok(Self::JsonSchema),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for JsonSchemaFormat {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for JsonSchemaFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// `current_learner`: the weights at the optimizer step; `sample`: the log-probabilities of the choices, or the recomputed ones with `precalculate_logprobs`.
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
/// Object type of a list.
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
/// Trajectories to store.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct LogRequest {
    /// Id of the model, as in the path; clients send it, and it is ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub model_id: ::std::option::Option<::std::string::String>,
    /// Purpose of the trajectories, such as `train` or `val`.
    pub split: ::std::string::String,
    /// The trajectories; stored unchanged, with any further fields.
    pub trajectory_groups: ::std::vec::Vec<types::TrajectoryGroup>,
}
impl json::ReadObject for LogRequest {
    const NAMES: &'static [&'static str] = &["model_id", "split", "trajectory_groups"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// Counts of the stored trajectories. The hosted service documents no particular body here.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct LogResponse {
    /// Number of groups in the request.
    pub logged_groups: u64,
    /// Number of trajectories in all groups.
    pub logged_trajectories: u64,
}
impl json::ReadObject for LogResponse {
    const NAMES: &'static [&'static str] = &["logged_groups", "logged_trajectories"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// Configuration of an adapter, with the names of PEFT's `LoraConfig`. Omitted fields have their defaults. Dropout and other settings do not exist; a field that is not listed here is rejected.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct LoraRequest {
    /// Numerator of the update's scale `alpha / rank`. Default 16, for every rank.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub alpha: ::std::option::Option<f64>,
    /// Rank of the update of each projection. Default 8.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub rank: ::std::option::Option<u32>,
    /// Projections with an adapter, in every layer. Default all.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub target_modules: ::std::option::Option<types::TargetModules>,
    /// Selects rank-stabilised scaling: the scale is `alpha / sqrt(rank)`, so the update does not shrink as the rank grows. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub use_rslora: ::std::option::Option<bool>,
}
impl json::ReadObject for LoraRequest {
    const NAMES: &'static [&'static str] = &[
        "alpha",
        "rank",
        "target_modules",
        "use_rslora",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Other(key) => {
                    return Err(json::unknown_field(&key, Self::NAMES));
                }
                _ => {}
            }
        }
        Ok(Self {
            alpha: slot0.flatten(),
            rank: slot1.flatten(),
            target_modules: slot2.flatten(),
            use_rslora: slot3.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for LoraRequest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Configuration of a model's adapter.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct LoraSettings {
    /// Numerator of the update's scale.
    pub alpha: f64,
    /// Rank of the update of each projection.
    pub rank: u32,
    /// Projections with an adapter, each once, in the order of the layer.
    pub target_modules: ::std::vec::Vec<types::TargetModule>,
    /// True if the scale is `alpha / sqrt(rank)` instead of `alpha / rank`.
    pub use_rslora: bool,
}
impl json::ReadObject for LoraSettings {
    const NAMES: &'static [&'static str] = &[
        "alpha",
        "rank",
        "target_modules",
        "use_rslora",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            alpha: json::required(slot0, "alpha")?,
            rank: json::required(slot1, "rank")?,
            target_modules: json::required(slot2, "target_modules")?,
            use_rslora: json::required(slot3, "use_rslora")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for LoraSettings {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `cispo`: policy gradient weighted by clipped importance ratios; `ppo`: the clipped surrogate objective.
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
/// Lines of the Prometheus text format, each ended by a line feed.
pub type MetricsText = ::std::string::String;
/// A model to register. An unknown key that resembles a documented one is rejected by name (422). Other unknown keys are accepted for newer versions of the API and listed in `x-trainyard-warnings`.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ModelCreate {
    /// Model that training starts from: the `id` of a base model in `GET /models` of the inference API. A model that is not served returns 422; the message lists the served ones.
    pub base_model: ::std::string::String,
    /// Owner of the model. Default: the key's own entity, also for null. It is the only accepted value; any other returns 403.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub entity: ::std::option::Option<::std::string::String>,
    /// Adapter of training method `lora`; an error (422) with another method.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub lora: ::std::option::Option<types::LoraRequest>,
    /// Name of the model, unique within entity and project. Last part of the inference name.
    pub name: ::std::string::String,
    /// Group of models; it need not exist before. Second part of the inference name.
    pub project: ::std::string::String,
    /// Handling of a taken name. True returns the existing model if it has the same `base_model` and the same training settings as far as the request sets them, otherwise 409. False returns 409. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub return_existing: ::std::option::Option<bool>,
    /// Set of parameters changed by training. Default `lora`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub training_method: ::std::option::Option<types::TrainingMethod>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ModelCreate {
    const NAMES: &'static [&'static str] = &[
        "base_model",
        "entity",
        "lora",
        "name",
        "project",
        "return_existing",
        "training_method",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        let mut count: u64 = 0;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            count += 1;
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        json::count(count, 0, 64)?;
        Ok(Self {
            base_model: json::required(slot0, "base_model")?,
            entity: slot1.flatten(),
            lora: slot2.flatten(),
            name: json::required(slot3, "name")?,
            project: json::required(slot4, "project")?,
            return_existing: slot5,
            training_method: slot6.flatten(),
            extra,
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
/// One page of models.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ModelPage {
    /// The models; at most `limit`.
    pub data: ::std::vec::Vec<types::ModelResponse>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for ModelPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for ModelPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A registered model. Its inference name is `wandb-artifact:///{entity}/{project}/{name}`; `:step{N}` selects one step.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ModelResponse {
    /// Base model; never changes.
    pub base_model: ::std::string::String,
    /// Creation time, in seconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub created_at: ::std::option::Option<i64>,
    /// Owner; the entity of the key that created the model.
    pub entity: ::std::string::String,
    /// UUID of the model, used in paths and jobs.
    pub id: ::std::string::String,
    /// Newest existing step, which the plain name samples and the next job starts from; 0 before any training. Null when every checkpoint is deleted: the base model is then sampled and trained.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub latest_step: ::std::option::Option<u64>,
    /// Adapter, with the defaults filled in; absent with another training method.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub lora: ::std::option::Option<types::LoraSettings>,
    /// Name of the model.
    pub name: ::std::string::String,
    /// Project of the model.
    pub project: ::std::string::String,
    /// Id of a run in an experiment tracker. The hosted service has one; here it is null.
    pub run_id: ::std::option::Option<::std::string::String>,
    /// Training method; never changes.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub training_method: ::std::option::Option<types::TrainingMethod>,
}
impl json::ReadObject for ModelResponse {
    const NAMES: &'static [&'static str] = &[
        "base_model",
        "created_at",
        "entity",
        "id",
        "latest_step",
        "lora",
        "name",
        "project",
        "run_id",
        "training_method",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::ViaDeserialize>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::ViaDeserialize>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            base_model: json::required(slot0, "base_model")?,
            created_at: slot1,
            entity: json::required(slot2, "entity")?,
            id: json::required(slot3, "id")?,
            latest_step: slot4.flatten(),
            lora: slot5,
            name: json::required(slot6, "name")?,
            project: json::required(slot7, "project")?,
            run_id: json::required(slot8, "run_id")?,
            training_method: slot9,
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
/// A JSON schema with its name.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct NamedJsonSchema {
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    /// Accepted for compatibility and ignored.
    pub name: ::std::string::String,
    /// The schema, at most 64 KiB. Keywords that cannot be enforced while sampling return 422, as does a schema that takes more than a second to compile.
    pub schema: types::JsonObject,
    /// Ignored; completions always follow the schema.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
}
impl json::ReadObject for NamedJsonSchema {
    const NAMES: &'static [&'static str] = &["description", "name", "schema", "strict"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// Requires one call of one function, which must be in `tools` (422).
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
    const NAMES: &'static [&'static str] = &["function", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// `drop` leaves the conversation out; `truncate` removes its end, and leaves out a conversation without any remaining trained token.
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
pub enum OverlongRows {
    /// `drop`
    Drop,
    /// `truncate`
    Truncate,
}
impl OverlongRows {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Drop, Self::Truncate];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["drop", "truncate"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Truncate => "truncate",
        }
    }
}
impl ::std::fmt::Display for OverlongRows {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for OverlongRows {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "drop" => Ok(Self::Drop),
            "truncate" => Ok(Self::Truncate),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for OverlongRows {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for OverlongRows {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A token at a position of the prompt.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct PromptLogprob {
    /// Text of the token. An incomplete character becomes U+FFFD, a control token its spelling.
    pub decoded_token: ::std::string::String,
    /// Natural logarithm of the token's probability.
    pub logprob: f64,
    /// Rank of the token among the most likely ones, from 1; null for a prompt token that is not among the requested alternatives.
    pub rank: ::std::option::Option<u32>,
}
impl json::ReadObject for PromptLogprob {
    const NAMES: &'static [&'static str] = &["decoded_token", "logprob", "rank"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            decoded_token: json::required(slot0, "decoded_token")?,
            logprob: json::required(slot1, "logprob")?,
            rank: json::required(slot2, "rank")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for PromptLogprob {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A token of the prompt and the most likely tokens at its position: token id in the vocabulary, written as a string, to log-probability.
pub type PromptTokenLogprobs = ::std::collections::BTreeMap<
    ::std::string::String,
    types::PromptLogprob,
>;
/// The result of one check.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct QueueCheck {
    /// Duration of the check in seconds.
    pub duration: f64,
    /// Errors of the check; empty if it passed.
    pub errors: ::std::vec::Vec<::std::string::String>,
    /// True if the check passed.
    pub success: bool,
}
impl json::ReadObject for QueueCheck {
    const NAMES: &'static [&'static str] = &["duration", "errors", "success"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// A refusal by the model, in one of its earlier messages.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct RefusalContentPart {
    /// Text of the refusal.
    pub refusal: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::RefusalContentType,
}
impl json::ReadObject for RefusalContentPart {
    const NAMES: &'static [&'static str] = &["refusal", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            refusal: json::required(slot0, "refusal")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for RefusalContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a refusal part.
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
pub enum RefusalContentType {
    /// `refusal`
    Refusal,
}
impl RefusalContentType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Refusal];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["refusal"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
        }
    }
}
impl ::std::fmt::Display for RefusalContentType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for RefusalContentType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "refusal" => Ok(Self::Refusal),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for RefusalContentType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for RefusalContentType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Reason of a failure after the response had started.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseError {
    pub code: types::ResponseErrorCode,
    /// Human-readable message.
    pub message: ::std::string::String,
}
impl json::ReadObject for ResponseError {
    const NAMES: &'static [&'static str] = &["code", "message"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            code: json::required(slot0, "code")?,
            message: json::required(slot1, "message")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseError {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `invalid_prompt`: the request cannot be executed; `server_error`: a fault of the service.
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
pub enum ResponseErrorCode {
    /// `invalid_prompt`
    InvalidPrompt,
    /// `server_error`
    ServerError,
}
impl ResponseErrorCode {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::InvalidPrompt, Self::ServerError];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["invalid_prompt", "server_error"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::InvalidPrompt => "invalid_prompt",
            Self::ServerError => "server_error",
        }
    }
}
impl ::std::fmt::Display for ResponseErrorCode {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseErrorCode {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "invalid_prompt" => Ok(Self::InvalidPrompt),
            "server_error" => Ok(Self::ServerError),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseErrorCode {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseErrorCode {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// An event of a streamed response. Each event has `type` and `sequence_number`, which counts from 0. Further
/// fields by `type`:
///
/// * `response.created`, `response.in_progress`, `response.completed`, `response.incomplete`, `response.failed`:
///   `response`;
/// * `response.output_item.added`, `response.output_item.done`: `output_index`, `item`;
/// * `response.content_part.added`, `response.content_part.done`: `output_index`, `item_id`, `content_index`,
///   `part`;
/// * `response.output_text.delta`: `output_index`, `item_id`, `content_index`, `delta`, `logprobs`;
/// * `response.output_text.done`: `output_index`, `item_id`, `content_index`, `text`, `logprobs`;
/// * `response.reasoning_text.delta`: `output_index`, `item_id`, `content_index`, `delta`;
/// * `response.reasoning_text.done`: `output_index`, `item_id`, `content_index`, `text`;
/// * `response.function_call_arguments.delta`: `output_index`, `item_id`, `delta`;
/// * `response.function_call_arguments.done`: `output_index`, `item_id`, `name`, `arguments`.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseEvent {
    /// Complete arguments of a call.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub arguments: ::std::option::Option<::std::string::String>,
    /// Index of the part in its item.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content_index: ::std::option::Option<u32>,
    /// Text or arguments to append.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub delta: ::std::option::Option<::std::string::String>,
    /// Current state of the item.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub item: ::std::option::Option<types::ResponseOutputItem>,
    /// Id of the item.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub item_id: ::std::option::Option<::std::string::String>,
    /// Tokens of the text, if requested; in a delta, the tokens since the last event.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<::std::vec::Vec<types::TokenLogprob>>,
    /// Name of a called function.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    /// Index of the item in `output`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub output_index: ::std::option::Option<u32>,
    /// Current state of the part.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub part: ::std::option::Option<types::ResponseOutputPart>,
    /// Current state of the response.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub response: ::std::option::Option<types::ResponseObject>,
    /// Number of the event in the stream, from 0.
    pub sequence_number: u64,
    /// Complete text of the part.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub text: ::std::option::Option<::std::string::String>,
    #[serde(rename = "type")]
    pub type_: types::ResponseEventType,
}
impl json::ReadObject for ResponseEvent {
    const NAMES: &'static [&'static str] = &[
        "arguments",
        "content_index",
        "delta",
        "item",
        "item_id",
        "logprobs",
        "name",
        "output_index",
        "part",
        "response",
        "sequence_number",
        "text",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Whole>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::ViaDeserialize>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            arguments: slot0.flatten(),
            content_index: slot1.flatten(),
            delta: slot2.flatten(),
            item: slot3.flatten(),
            item_id: slot4.flatten(),
            logprobs: slot5.flatten(),
            name: slot6.flatten(),
            output_index: slot7.flatten(),
            part: slot8.flatten(),
            response: slot9.flatten(),
            sequence_number: json::required(slot10, "sequence_number")?,
            text: slot11.flatten(),
            type_: json::required(slot12, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseEvent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of an event.
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
pub enum ResponseEventType {
    /// `response.created`
    ResponseCreated,
    /// `response.in_progress`
    ResponseInProgress,
    /// `response.output_item.added`
    ResponseOutputItemAdded,
    /// `response.content_part.added`
    ResponseContentPartAdded,
    /// `response.reasoning_text.delta`
    ResponseReasoningTextDelta,
    /// `response.reasoning_text.done`
    ResponseReasoningTextDone,
    /// `response.output_text.delta`
    ResponseOutputTextDelta,
    /// `response.output_text.done`
    ResponseOutputTextDone,
    /// `response.content_part.done`
    ResponseContentPartDone,
    /// `response.function_call_arguments.delta`
    ResponseFunctionCallArgumentsDelta,
    /// `response.function_call_arguments.done`
    ResponseFunctionCallArgumentsDone,
    /// `response.output_item.done`
    ResponseOutputItemDone,
    /// `response.completed`
    ResponseCompleted,
    /// `response.incomplete`
    ResponseIncomplete,
    /// `response.failed`
    ResponseFailed,
}
impl ResponseEventType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::ResponseCreated,
        Self::ResponseInProgress,
        Self::ResponseOutputItemAdded,
        Self::ResponseContentPartAdded,
        Self::ResponseReasoningTextDelta,
        Self::ResponseReasoningTextDone,
        Self::ResponseOutputTextDelta,
        Self::ResponseOutputTextDone,
        Self::ResponseContentPartDone,
        Self::ResponseFunctionCallArgumentsDelta,
        Self::ResponseFunctionCallArgumentsDone,
        Self::ResponseOutputItemDone,
        Self::ResponseCompleted,
        Self::ResponseIncomplete,
        Self::ResponseFailed,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.reasoning_text.delta",
        "response.reasoning_text.done",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
        "response.incomplete",
        "response.failed",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::ResponseCreated => "response.created",
            Self::ResponseInProgress => "response.in_progress",
            Self::ResponseOutputItemAdded => "response.output_item.added",
            Self::ResponseContentPartAdded => "response.content_part.added",
            Self::ResponseReasoningTextDelta => "response.reasoning_text.delta",
            Self::ResponseReasoningTextDone => "response.reasoning_text.done",
            Self::ResponseOutputTextDelta => "response.output_text.delta",
            Self::ResponseOutputTextDone => "response.output_text.done",
            Self::ResponseContentPartDone => "response.content_part.done",
            Self::ResponseFunctionCallArgumentsDelta => {
                "response.function_call_arguments.delta"
            }
            Self::ResponseFunctionCallArgumentsDone => {
                "response.function_call_arguments.done"
            }
            Self::ResponseOutputItemDone => "response.output_item.done",
            Self::ResponseCompleted => "response.completed",
            Self::ResponseIncomplete => "response.incomplete",
            Self::ResponseFailed => "response.failed",
        }
    }
}
impl ::std::fmt::Display for ResponseEventType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseEventType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "response.created" => Ok(Self::ResponseCreated),
            "response.in_progress" => Ok(Self::ResponseInProgress),
            "response.output_item.added" => Ok(Self::ResponseOutputItemAdded),
            "response.content_part.added" => Ok(Self::ResponseContentPartAdded),
            "response.reasoning_text.delta" => Ok(Self::ResponseReasoningTextDelta),
            "response.reasoning_text.done" => Ok(Self::ResponseReasoningTextDone),
            "response.output_text.delta" => Ok(Self::ResponseOutputTextDelta),
            "response.output_text.done" => Ok(Self::ResponseOutputTextDone),
            "response.content_part.done" => Ok(Self::ResponseContentPartDone),
            "response.function_call_arguments.delta" => {
                Ok(Self::ResponseFunctionCallArgumentsDelta)
            }
            "response.function_call_arguments.done" => {
                Ok(Self::ResponseFunctionCallArgumentsDone)
            }
            "response.output_item.done" => Ok(Self::ResponseOutputItemDone),
            "response.completed" => Ok(Self::ResponseCompleted),
            "response.incomplete" => Ok(Self::ResponseIncomplete),
            "response.failed" => Ok(Self::ResponseFailed),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseEventType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseEventType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Any JSON object. A completion truncated by `max_tokens` is incomplete.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFormatJsonObject {
    #[serde(rename = "type")]
    pub type_: types::JsonObjectFormat,
}
impl json::ReadObject for ResponseFormatJsonObject {
    const NAMES: &'static [&'static str] = &["type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// JSON that follows a schema. A completion truncated by `max_tokens` is incomplete.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFormatJsonSchema {
    pub json_schema: types::NamedJsonSchema,
    #[serde(rename = "type")]
    pub type_: types::JsonSchemaFormat,
}
impl json::ReadObject for ResponseFormatJsonSchema {
    const NAMES: &'static [&'static str] = &["json_schema", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// Free text.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFormatText {
    #[serde(rename = "type")]
    pub type_: types::TextFormat,
}
impl json::ReadObject for ResponseFormatText {
    const NAMES: &'static [&'static str] = &["type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
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
/// A call of a function.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseFunctionCall {
    /// The arguments as a JSON object in text form, generated by the model. Validate them before use, unless the call was required (`tool_choice`).
    pub arguments: ::std::string::String,
    /// Id of the call, referenced by the output that the client sends.
    pub call_id: ::std::string::String,
    /// Id of the item.
    pub id: ::std::string::String,
    /// Name of the function.
    pub name: ::std::string::String,
    pub status: types::ResponseItemStatus,
    #[serde(rename = "type")]
    pub type_: types::ResponseFunctionCallType,
}
impl json::ReadObject for ResponseFunctionCall {
    const NAMES: &'static [&'static str] = &[
        "arguments",
        "call_id",
        "id",
        "name",
        "status",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            arguments: json::required(slot0, "arguments")?,
            call_id: json::required(slot1, "call_id")?,
            id: json::required(slot2, "id")?,
            name: json::required(slot3, "name")?,
            status: json::required(slot4, "status")?,
            type_: json::required(slot5, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFunctionCall {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a call.
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
pub enum ResponseFunctionCallType {
    /// `function_call`
    FunctionCall,
}
impl ResponseFunctionCallType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::FunctionCall];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["function_call"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::FunctionCall => "function_call",
        }
    }
}
impl ::std::fmt::Display for ResponseFunctionCallType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseFunctionCallType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "function_call" => Ok(Self::FunctionCall),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseFunctionCallType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFunctionCallType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Tokens sampled from one prompt.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseGeneration {
    /// Indices of the items of `output` that the tokens belong to.
    pub output_indices: ::std::vec::Vec<u32>,
    /// Every sampled token in order, including the token that ends the response.
    pub output_tokens: ::std::vec::Vec<types::ResponseToken>,
    /// Token ids of the prompt.
    pub prompt_token_ids: ::std::vec::Vec<u32>,
}
impl json::ReadObject for ResponseGeneration {
    const NAMES: &'static [&'static str] = &[
        "output_indices",
        "output_tokens",
        "prompt_token_ids",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::Whole,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::List<
                        json::Whole,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            output_indices: json::required(slot0, "output_indices")?,
            output_tokens: json::required(slot1, "output_tokens")?,
            prompt_token_ids: json::required(slot2, "prompt_token_ids")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseGeneration {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Log-probabilities of the tokens of the output text.
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
pub enum ResponseInclude {
    /// `message.output_text.logprobs`
    MessageOutputTextLogprobs,
}
impl ResponseInclude {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::MessageOutputTextLogprobs];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["message.output_text.logprobs"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::MessageOutputTextLogprobs => "message.output_text.logprobs",
        }
    }
}
impl ::std::fmt::Display for ResponseInclude {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseInclude {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "message.output_text.logprobs" => Ok(Self::MessageOutputTextLogprobs),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseInclude {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseInclude {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Reason why a response is incomplete.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseIncompleteDetails {
    pub reason: types::ResponseIncompleteReason,
}
impl json::ReadObject for ResponseIncompleteDetails {
    const NAMES: &'static [&'static str] = &["reason"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            reason: json::required(slot0, "reason")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseIncompleteDetails {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `max_output_tokens`: the token limit was reached.
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
pub enum ResponseIncompleteReason {
    /// `max_output_tokens`
    MaxOutputTokens,
}
impl ResponseIncompleteReason {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::MaxOutputTokens];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["max_output_tokens"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::MaxOutputTokens => "max_output_tokens",
        }
    }
}
impl ::std::fmt::Display for ResponseIncompleteReason {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseIncompleteReason {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "max_output_tokens" => Ok(Self::MaxOutputTokens),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseIncompleteReason {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseIncompleteReason {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Cached tokens of the prompt. All tokens count alike here, and cache hits are not reported.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseInputDetails {
    /// Always 0.
    pub cache_write_tokens: u64,
    /// Always 0.
    pub cached_tokens: u64,
}
impl json::ReadObject for ResponseInputDetails {
    const NAMES: &'static [&'static str] = &["cache_write_tokens", "cached_tokens"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            cache_write_tokens: json::required(slot0, "cache_write_tokens")?,
            cached_tokens: json::required(slot1, "cached_tokens")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseInputDetails {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// An item of a conversation. Items of a response can be sent back unchanged. Fields by `type`:
///
/// * `message`, also the default without `type`: `role` and `content`;
/// * `function_call`: `call_id`, `name` and `arguments`;
/// * `function_call_output`: `call_id` and `output`;
/// * `reasoning`: `content`, or without it `summary`. Reasoning precedes the message or the calls that it led to.
///   The chat template decides whether the model sees it again. `encrypted_content` is rejected;
/// * `item_reference`: rejected, because no item is stored. Client libraries send the items themselves with
///   `store: false`.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseInputItem {
    /// Arguments of a call, a JSON object in text form.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub arguments: ::std::option::Option<::std::string::String>,
    /// Id of a call, shared by the call and its output.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub call_id: ::std::option::Option<::std::string::String>,
    /// Content of a message or of reasoning.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<types::ResponseContent>,
    /// Rejected, because the service cannot decrypt it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub encrypted_content: ::std::option::Option<::std::string::String>,
    /// Ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub id: ::std::option::Option<::std::string::String>,
    /// Name of a called function.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    /// Output of a called function.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub output: ::std::option::Option<types::ResponseContent>,
    /// Role of a message's author.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub role: ::std::option::Option<types::ResponseRole>,
    /// Summary of reasoning.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub summary: ::std::option::Option<::std::vec::Vec<types::ResponseTextPart>>,
    /// Type of the item.
    #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
    pub type_: ::std::option::Option<types::ResponseInputItemType>,
}
impl json::ReadObject for ResponseInputItem {
    const NAMES: &'static [&'static str] = &[
        "arguments",
        "call_id",
        "content",
        "encrypted_content",
        "id",
        "name",
        "output",
        "role",
        "summary",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 1024>,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            arguments: slot0.flatten(),
            call_id: slot1.flatten(),
            content: slot2.flatten(),
            encrypted_content: slot3.flatten(),
            id: slot4.flatten(),
            name: slot5.flatten(),
            output: slot6.flatten(),
            role: slot7.flatten(),
            summary: slot8.flatten(),
            type_: slot9.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseInputItem {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of an item. Other types are rejected.
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
pub enum ResponseInputItemType {
    /// `message`
    Message,
    /// `function_call`
    FunctionCall,
    /// `function_call_output`
    FunctionCallOutput,
    /// `reasoning`
    Reasoning,
    /// `item_reference`
    ItemReference,
}
impl ResponseInputItemType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::Message,
        Self::FunctionCall,
        Self::FunctionCallOutput,
        Self::Reasoning,
        Self::ItemReference,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "item_reference",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::FunctionCall => "function_call",
            Self::FunctionCallOutput => "function_call_output",
            Self::Reasoning => "reasoning",
            Self::ItemReference => "item_reference",
        }
    }
}
impl ::std::fmt::Display for ResponseInputItemType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseInputItemType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "message" => Ok(Self::Message),
            "function_call" => Ok(Self::FunctionCall),
            "function_call_output" => Ok(Self::FunctionCallOutput),
            "reasoning" => Ok(Self::Reasoning),
            "item_reference" => Ok(Self::ItemReference),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseInputItemType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseInputItemType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Status of an item; `incomplete` was truncated.
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
pub enum ResponseItemStatus {
    /// `in_progress`
    InProgress,
    /// `completed`
    Completed,
    /// `incomplete`
    Incomplete,
}
impl ResponseItemStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::InProgress,
        Self::Completed,
        Self::Incomplete,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "in_progress",
        "completed",
        "incomplete",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Incomplete => "incomplete",
        }
    }
}
impl ::std::fmt::Display for ResponseItemStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseItemStatus {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "in_progress" => Ok(Self::InProgress),
            "completed" => Ok(Self::Completed),
            "incomplete" => Ok(Self::Incomplete),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseItemStatus {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseItemStatus {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A message of the assistant.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseMessage {
    /// One text part; empty while the message has just started.
    pub content: ::std::vec::Vec<types::ResponseOutputText>,
    /// Id of the item.
    pub id: ::std::string::String,
    pub role: types::AssistantRole,
    pub status: types::ResponseItemStatus,
    #[serde(rename = "type")]
    pub type_: types::ResponseMessageType,
}
impl json::ReadObject for ResponseMessage {
    const NAMES: &'static [&'static str] = &["content", "id", "role", "status", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            id: json::required(slot1, "id")?,
            role: json::required(slot2, "role")?,
            status: json::required(slot3, "status")?,
            type_: json::required(slot4, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseMessage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a message.
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
pub enum ResponseMessageType {
    /// `message`
    Message,
}
impl ResponseMessageType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Message];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["message"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Message => "message",
        }
    }
}
impl ::std::fmt::Display for ResponseMessageType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseMessageType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "message" => Ok(Self::Message),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseMessageType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseMessageType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Requires one call of one function, which must be in `tools` (422).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseNamedTool {
    /// Name of the function in `tools`.
    pub name: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for ResponseNamedTool {
    const NAMES: &'static [&'static str] = &["name", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            name: json::required(slot0, "name")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseNamedTool {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A response, with the options of its request. It is not stored under its id.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseObject {
    /// Time of the completion; null unless `status` is `completed`.
    pub completed_at: ::std::option::Option<i64>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Reason of the failure.
    pub error: ::std::option::Option<types::ResponseError>,
    /// Id of the response.
    pub id: ::std::string::String,
    /// Reason why the response is incomplete.
    pub incomplete_details: ::std::option::Option<types::ResponseIncompleteDetails>,
    /// `instructions` of the request.
    pub instructions: ::std::option::Option<::std::string::String>,
    /// `max_output_tokens` of the request.
    pub max_output_tokens: ::std::option::Option<u64>,
    /// `metadata` of the request.
    pub metadata: ::std::collections::BTreeMap<
        ::std::string::String,
        ::std::string::String,
    >,
    /// `model` of the request.
    pub model: ::std::string::String,
    pub object: types::ResponseObjectName,
    /// Reasoning, text and calls in the order in which they were sampled.
    pub output: ::std::vec::Vec<types::ResponseOutputItem>,
    /// `parallel_tool_calls` of the request.
    pub parallel_tool_calls: bool,
    pub reasoning: types::ResponseReasoningEcho,
    pub status: types::ResponseStatus,
    /// Always false.
    pub store: bool,
    /// Sampling temperature in use.
    pub temperature: f64,
    pub text: types::ResponseTextConfig,
    /// Exact tokens for training; present once the response has ended.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_generations: ::std::option::Option<
        ::std::vec::Vec<types::ResponseGeneration>,
    >,
    pub tool_choice: types::ResponseToolChoice,
    /// `tools` of the request.
    pub tools: ::std::vec::Vec<types::ResponseTool>,
    /// `top_logprobs` of the request.
    pub top_logprobs: u32,
    /// Value of `top_p` in use.
    pub top_p: f64,
    pub truncation: types::ResponseTruncation,
    /// Token counts; null until the response has ended.
    pub usage: ::std::option::Option<types::ResponseUsage>,
    /// `user` of the request.
    pub user: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for ResponseObject {
    const NAMES: &'static [&'static str] = &[
        "completed_at",
        "created_at",
        "error",
        "id",
        "incomplete_details",
        "instructions",
        "max_output_tokens",
        "metadata",
        "model",
        "object",
        "output",
        "parallel_tool_calls",
        "reasoning",
        "status",
        "store",
        "temperature",
        "text",
        "token_generations",
        "tool_choice",
        "tools",
        "top_logprobs",
        "top_p",
        "truncation",
        "usage",
        "user",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Entries<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::ViaDeserialize>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::ViaDeserialize>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::ViaDeserialize>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::ViaDeserialize>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::ViaDeserialize>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::ViaDeserialize>::fill(&mut slot14, Self::NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::ViaDeserialize>::fill(&mut slot15, Self::NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::ViaDeserialize>::fill(&mut slot16, Self::NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot17, Self::NAMES[17], &mut map)?
                }
                json::Key::Known(18) => {
                    <json::ViaDeserialize>::fill(&mut slot18, Self::NAMES[18], &mut map)?
                }
                json::Key::Known(19) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot19, Self::NAMES[19], &mut map)?
                }
                json::Key::Known(20) => {
                    <json::Whole>::fill(&mut slot20, Self::NAMES[20], &mut map)?
                }
                json::Key::Known(21) => {
                    <json::ViaDeserialize>::fill(&mut slot21, Self::NAMES[21], &mut map)?
                }
                json::Key::Known(22) => {
                    <json::ViaDeserialize>::fill(&mut slot22, Self::NAMES[22], &mut map)?
                }
                json::Key::Known(23) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot23, Self::NAMES[23], &mut map)?
                }
                json::Key::Known(24) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot24, Self::NAMES[24], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            completed_at: json::required(slot0, "completed_at")?,
            created_at: json::required(slot1, "created_at")?,
            error: json::required(slot2, "error")?,
            id: json::required(slot3, "id")?,
            incomplete_details: json::required(slot4, "incomplete_details")?,
            instructions: json::required(slot5, "instructions")?,
            max_output_tokens: json::required(slot6, "max_output_tokens")?,
            metadata: json::required(slot7, "metadata")?,
            model: json::required(slot8, "model")?,
            object: json::required(slot9, "object")?,
            output: json::required(slot10, "output")?,
            parallel_tool_calls: json::required(slot11, "parallel_tool_calls")?,
            reasoning: json::required(slot12, "reasoning")?,
            status: json::required(slot13, "status")?,
            store: json::required(slot14, "store")?,
            temperature: json::required(slot15, "temperature")?,
            text: json::required(slot16, "text")?,
            token_generations: slot17.flatten(),
            tool_choice: json::required(slot18, "tool_choice")?,
            tools: json::required(slot19, "tools")?,
            top_logprobs: json::required(slot20, "top_logprobs")?,
            top_p: json::required(slot21, "top_p")?,
            truncation: json::required(slot22, "truncation")?,
            usage: json::required(slot23, "usage")?,
            user: json::required(slot24, "user")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseObject {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Object type of a response.
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
pub enum ResponseObjectName {
    /// `response`
    Response,
}
impl ResponseObjectName {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Response];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["response"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Response => "response",
        }
    }
}
impl ::std::fmt::Display for ResponseObjectName {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseObjectName {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "response" => Ok(Self::Response),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseObjectName {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseObjectName {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Output tokens by purpose.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseOutputDetails {
    /// Number of reasoning tokens, including the reasoning markers; 0 without reasoning.
    pub reasoning_tokens: u64,
}
impl json::ReadObject for ResponseOutputDetails {
    const NAMES: &'static [&'static str] = &["reasoning_tokens"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            reasoning_tokens: json::required(slot0, "reasoning_tokens")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputDetails {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Text part of a message.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseOutputText {
    /// Always empty.
    pub annotations: ::std::vec::Vec<types::JsonObject>,
    /// Tokens of the text, if requested; tokens without text are omitted.
    pub logprobs: ::std::vec::Vec<types::TokenLogprob>,
    /// Text of the part.
    pub text: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::ResponseOutputTextType,
}
impl json::ReadObject for ResponseOutputText {
    const NAMES: &'static [&'static str] = &["annotations", "logprobs", "text", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            annotations: json::required(slot0, "annotations")?,
            logprobs: json::required(slot1, "logprobs")?,
            text: json::required(slot2, "text")?,
            type_: json::required(slot3, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputText {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a text part.
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
pub enum ResponseOutputTextType {
    /// `output_text`
    OutputText,
}
impl ResponseOutputTextType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::OutputText];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["output_text"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::OutputText => "output_text",
        }
    }
}
impl ::std::fmt::Display for ResponseOutputTextType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseOutputTextType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "output_text" => Ok(Self::OutputText),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseOutputTextType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputTextType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Reasoning options. Rejected by name: `summary` and `generate_summary`; reasoning is returned unabridged.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseReasoning {
    /// Reasoning effort, as `reasoning_effort` of chat completions.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub effort: ::std::option::Option<::std::string::String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseReasoning {
    const NAMES: &'static [&'static str] = &["effort"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            effort: slot0.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseReasoning {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Reasoning options of the response.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseReasoningEcho {
    /// `reasoning.effort` of the request.
    pub effort: ::std::option::Option<::std::string::String>,
    /// Always null.
    pub summary: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for ResponseReasoningEcho {
    const NAMES: &'static [&'static str] = &["effort", "summary"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            effort: json::required(slot0, "effort")?,
            summary: json::required(slot1, "summary")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseReasoningEcho {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Text part of reasoning.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseReasoningText {
    /// Text of the reasoning.
    pub text: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::ResponseReasoningTextType,
}
impl json::ReadObject for ResponseReasoningText {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            text: json::required(slot0, "text")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseReasoningText {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a reasoning part.
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
pub enum ResponseReasoningTextType {
    /// `reasoning_text`
    ReasoningText,
}
impl ResponseReasoningTextType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::ReasoningText];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["reasoning_text"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::ReasoningText => "reasoning_text",
        }
    }
}
impl ::std::fmt::Display for ResponseReasoningTextType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseReasoningTextType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "reasoning_text" => Ok(Self::ReasoningText),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseReasoningTextType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseReasoningTextType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A conversation and sampling options. Null means the same as absent. An unknown field that resembles a documented
/// one returns 422; any other is accepted without effect, and listed in the header `x-trainyard-warnings`.
///
/// The same applies to fields of OpenAI's API that cannot change the completion: `prompt_cache_key`,
/// `prompt_cache_options`, `prompt_cache_retention`, `safety_identifier`, `service_tier`, `stream_options`, `user`;
/// and to `nvext`.
///
/// Fields that OpenAI documents and this service does not support are rejected by name (422,
/// `unsupported_parameter`), unless they are null or have the neutral value given in parentheses: `background`
/// (false), `context_management`, `conversation`, `max_tool_calls`, `moderation`, `previous_response_id`, `prompt`,
/// `store` (false; nothing is stored), `truncation` (`disabled`). The same applies to these fields of chat
/// completions: `frequency_penalty` (0), `function_call`, `functions`, `logit_bias`, `logprobs` (false),
/// `max_completion_tokens`, `max_tokens`, `messages`, `n` (1), `presence_penalty` (0), `reasoning_effort`,
/// `response_format`, `stop`.
///
/// The defaults of `temperature` and `top_p` come from the model's `generation_config.json`; the defaults given
/// here apply if that file does not set them.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseRequest {
    /// Variables of the chat template, as in chat completions.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub chat_template_kwargs: ::std::option::Option<types::JsonObject>,
    /// Additional data to return. Default: none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include: ::std::option::Option<::std::vec::Vec<types::ResponseInclude>>,
    pub input: types::ResponseInput,
    /// System message before the conversation.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub instructions: ::std::option::Option<::std::string::String>,
    /// Maximum number of generated tokens, including reasoning and calls. Default and upper bound: the rest of the model's context.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_output_tokens: ::std::option::Option<u64>,
    /// Texts by name, returned in the response; no other effect.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    >,
    /// Model to sample, named as in chat completions. An unknown name returns 404.
    pub model: ::std::string::String,
    /// Allows several tool calls in a response; if false, it ends with its first call. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parallel_tool_calls: ::std::option::Option<bool>,
    /// Reasoning options.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning: ::std::option::Option<types::ResponseReasoning>,
    /// Seed of the random number generator, as in chat completions.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub seed: ::std::option::Option<i64>,
    /// Returns server-sent events. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream: ::std::option::Option<bool>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub temperature: ::std::option::Option<f64>,
    /// Options of the text.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub text: ::std::option::Option<types::ResponseTextConfig>,
    /// Policy of tool calls. Default `auto`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_choice: ::std::option::Option<types::ResponseToolChoice>,
    /// Functions that the model may call. The client executes the calls and sends the results.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::ResponseTool>>,
    /// Number of most likely alternatives to report for each token. From 1 on, log-probabilities are returned also without `include`. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_logprobs: ::std::option::Option<u32>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_p: ::std::option::Option<f64>,
    /// Returned in the response.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub user: ::std::option::Option<::std::string::String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseRequest {
    const NAMES: &'static [&'static str] = &[
        "chat_template_kwargs",
        "include",
        "input",
        "instructions",
        "max_output_tokens",
        "metadata",
        "model",
        "parallel_tool_calls",
        "reasoning",
        "seed",
        "stream",
        "temperature",
        "text",
        "tool_choice",
        "tools",
        "top_logprobs",
        "top_p",
        "user",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 16>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::Entries<json::ViaDeserialize, 16>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                json::Key::Known(14) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 128>,
                    >>::fill(&mut slot14, Self::NAMES[14], &mut map)?
                }
                json::Key::Known(15) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot15, Self::NAMES[15], &mut map)?
                }
                json::Key::Known(16) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot16, Self::NAMES[16], &mut map)?
                }
                json::Key::Known(17) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot17, Self::NAMES[17], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            chat_template_kwargs: slot0.flatten(),
            include: slot1.flatten(),
            input: json::required(slot2, "input")?,
            instructions: slot3.flatten(),
            max_output_tokens: slot4.flatten(),
            metadata: slot5.flatten(),
            model: json::required(slot6, "model")?,
            parallel_tool_calls: slot7.flatten(),
            reasoning: slot8.flatten(),
            seed: slot9.flatten(),
            stream: slot10.flatten(),
            temperature: slot11.flatten(),
            text: slot12.flatten(),
            tool_choice: slot13.flatten(),
            tools: slot14.flatten(),
            top_logprobs: slot15.flatten(),
            top_p: slot16.flatten(),
            user: slot17.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseRequest {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `developer` is the newer name of `system`.
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
pub enum ResponseRole {
    /// `user`
    User,
    /// `assistant`
    Assistant,
    /// `system`
    System,
    /// `developer`
    Developer,
}
impl ResponseRole {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::User,
        Self::Assistant,
        Self::System,
        Self::Developer,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "user",
        "assistant",
        "system",
        "developer",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Developer => "developer",
        }
    }
}
impl ::std::fmt::Display for ResponseRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseRole {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "user" => Ok(Self::User),
            "assistant" => Ok(Self::Assistant),
            "system" => Ok(Self::System),
            "developer" => Ok(Self::Developer),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseRole {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseRole {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Status of a response.
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
pub enum ResponseStatus {
    /// `in_progress`
    InProgress,
    /// `completed`
    Completed,
    /// `incomplete`
    Incomplete,
    /// `failed`
    Failed,
}
impl ResponseStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::InProgress,
        Self::Completed,
        Self::Incomplete,
        Self::Failed,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "in_progress",
        "completed",
        "incomplete",
        "failed",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Incomplete => "incomplete",
            Self::Failed => "failed",
        }
    }
}
impl ::std::fmt::Display for ResponseStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseStatus {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "in_progress" => Ok(Self::InProgress),
            "completed" => Ok(Self::Completed),
            "incomplete" => Ok(Self::Incomplete),
            "failed" => Ok(Self::Failed),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseStatus {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseStatus {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Options of the text.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseTextConfig {
    /// Format of the text: free text, any JSON object, or JSON that follows a schema. Default: free text. A required tool call takes precedence.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub format: ::std::option::Option<types::ResponseTextFormat>,
    /// Verbosity, as `verbosity` of chat completions.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub verbosity: ::std::option::Option<types::Verbosity>,
}
impl json::ReadObject for ResponseTextConfig {
    const NAMES: &'static [&'static str] = &["format", "verbosity"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            format: slot0.flatten(),
            verbosity: slot1.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTextConfig {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// JSON that follows a schema. A response truncated by `max_output_tokens` is incomplete.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseTextJsonSchema {
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    /// Accepted for compatibility and ignored.
    pub name: ::std::string::String,
    /// The schema, as in `response_format.json_schema.schema` of chat completions.
    pub schema: types::JsonObject,
    /// Ignored; responses always follow the schema.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
    #[serde(rename = "type")]
    pub type_: types::JsonSchemaFormat,
}
impl json::ReadObject for ResponseTextJsonSchema {
    const NAMES: &'static [&'static str] = &[
        "description",
        "name",
        "schema",
        "strict",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            description: slot0.flatten(),
            name: json::required(slot1, "name")?,
            schema: json::required(slot2, "schema")?,
            strict: slot3.flatten(),
            type_: json::required(slot4, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTextJsonSchema {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A text part.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseTextPart {
    /// Text of the part; may be empty.
    pub text: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::ResponseTextPartType,
}
impl json::ReadObject for ResponseTextPart {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            text: json::required(slot0, "text")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTextPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a text part by its author; all types are treated alike.
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
pub enum ResponseTextPartType {
    /// `input_text`
    InputText,
    /// `output_text`
    OutputText,
    /// `reasoning_text`
    ReasoningText,
    /// `summary_text`
    SummaryText,
    /// `text`
    Text,
}
impl ResponseTextPartType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::InputText,
        Self::OutputText,
        Self::ReasoningText,
        Self::SummaryText,
        Self::Text,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "input_text",
        "output_text",
        "reasoning_text",
        "summary_text",
        "text",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::InputText => "input_text",
            Self::OutputText => "output_text",
            Self::ReasoningText => "reasoning_text",
            Self::SummaryText => "summary_text",
            Self::Text => "text",
        }
    }
}
impl ::std::fmt::Display for ResponseTextPartType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseTextPartType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "input_text" => Ok(Self::InputText),
            "output_text" => Ok(Self::OutputText),
            "reasoning_text" => Ok(Self::ReasoningText),
            "summary_text" => Ok(Self::SummaryText),
            "text" => Ok(Self::Text),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseTextPartType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTextPartType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Reasoning before the message or the calls.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseThoughts {
    /// One part with the reasoning; empty while it has just started.
    pub content: ::std::vec::Vec<types::ResponseReasoningText>,
    /// Id of the item.
    pub id: ::std::string::String,
    pub status: types::ResponseItemStatus,
    /// Always empty.
    pub summary: ::std::vec::Vec<types::ResponseTextPart>,
    #[serde(rename = "type")]
    pub type_: types::ResponseThoughtsType,
}
impl json::ReadObject for ResponseThoughts {
    const NAMES: &'static [&'static str] = &[
        "content",
        "id",
        "status",
        "summary",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            content: json::required(slot0, "content")?,
            id: json::required(slot1, "id")?,
            status: json::required(slot2, "status")?,
            summary: json::required(slot3, "summary")?,
            type_: json::required(slot4, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseThoughts {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of reasoning.
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
pub enum ResponseThoughtsType {
    /// `reasoning`
    Reasoning,
}
impl ResponseThoughtsType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Reasoning];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["reasoning"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
        }
    }
}
impl ::std::fmt::Display for ResponseThoughtsType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseThoughtsType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "reasoning" => Ok(Self::Reasoning),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseThoughtsType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseThoughtsType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A sampled token.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseToken {
    /// Natural logarithm of the token's probability under the model, as in chat completions.
    pub logprob: f64,
    /// Id of the token in the vocabulary.
    pub token_id: u32,
}
impl json::ReadObject for ResponseToken {
    const NAMES: &'static [&'static str] = &["logprob", "token_id"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            logprob: json::required(slot0, "logprob")?,
            token_id: json::required(slot1, "token_id")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseToken {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A function that the model may call. Rejected by name: `allowed_callers` (other than `direct`), `defer_loading` (true), `output_schema`. Other types of tools are rejected too.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseTool {
    /// Purpose of the function, shown to the model.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    /// Name by which the model calls the function.
    pub name: ::std::string::String,
    /// JSON schema of the arguments, an object. A required call follows it. The schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parameters: ::std::option::Option<types::JsonObject>,
    /// Shown to the model; otherwise ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseTool {
    const NAMES: &'static [&'static str] = &[
        "description",
        "name",
        "parameters",
        "strict",
        "type",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            description: slot0.flatten(),
            name: json::required(slot1, "name")?,
            parameters: slot2.flatten(),
            strict: slot3.flatten(),
            type_: json::required(slot4, "type")?,
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTool {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Truncation policy. Nothing is truncated; a conversation that is too long is rejected.
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
pub enum ResponseTruncation {
    /// `disabled`
    Disabled,
}
impl ResponseTruncation {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Disabled];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["disabled"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
        }
    }
}
impl ::std::fmt::Display for ResponseTruncation {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for ResponseTruncation {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "disabled" => Ok(Self::Disabled),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for ResponseTruncation {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTruncation {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Token counts of a response.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ResponseUsage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    pub input_tokens_details: types::ResponseInputDetails,
    /// Sampled tokens, including reasoning.
    pub output_tokens: u64,
    pub output_tokens_details: types::ResponseOutputDetails,
    /// Sum of input and output tokens.
    pub total_tokens: u64,
}
impl json::ReadObject for ResponseUsage {
    const NAMES: &'static [&'static str] = &[
        "input_tokens",
        "input_tokens_details",
        "output_tokens",
        "output_tokens_details",
        "total_tokens",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Whole>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            input_tokens: json::required(slot0, "input_tokens")?,
            input_tokens_details: json::required(slot1, "input_tokens_details")?,
            output_tokens: json::required(slot2, "output_tokens")?,
            output_tokens_details: json::required(slot3, "output_tokens_details")?,
            total_tokens: json::required(slot4, "total_tokens")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseUsage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Names accepted as `model` of a request.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ServedModelList {
    /// Base models, then trained models, each followed by its steps.
    pub data: ::std::vec::Vec<types::InferenceModel>,
    /// True if the list omits names of your entity.
    pub has_more: bool,
    pub object: types::ListObject,
}
impl json::ReadObject for ServedModelList {
    const NAMES: &'static [&'static str] = &["data", "has_more", "object"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: json::required(slot0, "data")?,
            has_more: json::required(slot1, "has_more")?,
            object: json::required(slot2, "object")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for ServedModelList {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Empty set of options; any option that is not null is rejected by name (422).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SftExperimentalConfig {}
impl json::ReadObject for SftExperimentalConfig {
    const NAMES: &'static [&'static str] = &[];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {})
    }
}
impl<'de> ::serde::Deserialize<'de> for SftExperimentalConfig {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Selection of the metrics in `gradient_step` events. `loss/train`, `loss/grad_norm`, `loss/learning_rate`, `num_trainable_tokens` and the validation loss are in every event.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SftMetricLogging {
    /// Includes further metrics. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub enabled: ::std::option::Option<bool>,
    /// Interval, in steps, of the events with further metrics, counted from the first step. The event of the last step also has them. Default 1: every step.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub every: ::std::option::Option<u64>,
    /// Step number that the client expects for the job's checkpoint. Accepted for compatibility and ignored: the checkpoint gets the number after the newest step.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub target_training_step: ::std::option::Option<i64>,
}
impl json::ReadObject for SftMetricLogging {
    const NAMES: &'static [&'static str] = &["enabled", "every", "target_training_step"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            enabled: slot0.flatten(),
            every: slot1.flatten(),
            target_training_step: slot2.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for SftMetricLogging {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Options of an SFT job. A null option has its default value; an unknown option is ignored if it is null. Any other unknown option is rejected by name (422).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SftTrainingConfig {
    /// Assistant turns to train. Default `all`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub assistant_turns: ::std::option::Option<types::AssistantTurns>,
    /// Number of conversations per optimizer step. Default `auto`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub batch_size: ::std::option::Option<types::BatchSize>,
    /// Number of passes over the data, each in the order of the file. Default 1.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epochs: ::std::option::Option<u64>,
    /// Learning rate of AdamW, one value or one per optimizer step. Default 0.00005, constant.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate: ::std::option::Option<types::LearningRate>,
    /// Maximum number of tokens of a conversation. Default and upper bound: the model's context (32768 at most).
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_sequence_length: ::std::option::Option<u64>,
    /// Selection of the metrics in the events.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metric_logging: ::std::option::Option<types::SftMetricLogging>,
    /// Handling of conversations that are too long. Default `drop`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub overlong_rows: ::std::option::Option<types::OverlongRows>,
    /// Optimizer steps between two computations of the validation loss. It is also computed before the first step and after the last. Default: about ten times in a job.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub validation_every: ::std::option::Option<u64>,
    /// Fraction of the conversations used for validation instead of training. The selection depends only on the file: the conversation at position `i`, counted from 1, is selected where `i * validation_split` passes a whole number; with 0.1, every tenth. Batches are formed from the others, as if these were not in the file. Default 0: none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub validation_split: ::std::option::Option<f64>,
}
impl json::ReadObject for SftTrainingConfig {
    const NAMES: &'static [&'static str] = &[
        "assistant_turns",
        "batch_size",
        "epochs",
        "learning_rate",
        "max_sequence_length",
        "metric_logging",
        "overlong_rows",
        "validation_every",
        "validation_split",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        let mut slot6 = None;
        let mut slot7 = None;
        let mut slot8 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            assistant_turns: slot0.flatten(),
            batch_size: slot1.flatten(),
            epochs: slot2.flatten(),
            learning_rate: slot3.flatten(),
            max_sequence_length: slot4.flatten(),
            metric_logging: slot5.flatten(),
            overlong_rows: slot6.flatten(),
            validation_every: slot7.flatten(),
            validation_split: slot8.flatten(),
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
/// `asc`: oldest first; `desc`: newest first.
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
/// Options of a stream.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct StreamOptions {
    /// Adds the `usage` so far to every chunk; requires `include_usage`. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub continuous_usage_stats: ::std::option::Option<bool>,
    /// Ends the stream with a chunk that has `usage` and no choices. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include_usage: ::std::option::Option<bool>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for StreamOptions {
    const NAMES: &'static [&'static str] = &["continuous_usage_stats", "include_usage"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        let mut count: u64 = 0;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            count += 1;
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        json::count(count, 0, 32)?;
        Ok(Self {
            continuous_usage_stats: slot0.flatten(),
            include_usage: slot1.flatten(),
            extra,
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
/// Format of a completion, with the field names of vLLM. Schemas, grammars and lists may have 64 KiB. A completion truncated by `max_tokens` is incomplete. Rejected by name: `whitespace_pattern`, `structural_tag`, `disable_additional_properties` (true). Ignored: `disable_fallback`, `disable_any_whitespace`; there is no fallback, and JSON has one space after `:` and `,` and no other whitespace.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct StructuredOutputs {
    /// Restricts the completion to one of these texts.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub choice: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    /// Restricts the completion to this grammar, in llguidance's variant of Lark with the start rule `start`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub grammar: ::std::option::Option<::std::string::String>,
    /// Restricts the completion to JSON that follows this schema.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub json: ::std::option::Option<types::GuidedJson>,
    /// Restricts the completion to a JSON object.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub json_object: ::std::option::Option<bool>,
    /// Restricts the whole completion to this regular expression, in the syntax of Rust's `regex` without look-around, back references and anchors.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub regex: ::std::option::Option<::std::string::String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for StructuredOutputs {
    const NAMES: &'static [&'static str] = &[
        "choice",
        "grammar",
        "json",
        "json_object",
        "regex",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        let mut count: u64 = 0;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            count += 1;
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 4096>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        json::count(count, 0, 32)?;
        Ok(Self {
            choice: slot0.flatten(),
            grammar: slot1.flatten(),
            json: slot2.flatten(),
            json_object: slot3.flatten(),
            regex: slot4.flatten(),
            extra,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for StructuredOutputs {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Options of supervised training.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SupervisedMethod {
    /// The options; null or absent selects the defaults.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub hyperparameters: ::std::option::Option<types::FineTuningOptions>,
}
impl json::ReadObject for SupervisedMethod {
    const NAMES: &'static [&'static str] = &["hyperparameters"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            hyperparameters: slot0.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for SupervisedMethod {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Supervised training.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SupervisedResolvedMethod {
    pub hyperparameters: types::FineTuningResolvedOptions,
}
impl json::ReadObject for SupervisedResolvedMethod {
    const NAMES: &'static [&'static str] = &["hyperparameters"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            hyperparameters: json::required(slot0, "hyperparameters")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for SupervisedResolvedMethod {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Result of each check.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SystemCheckResponse {
    /// Always true, because the service responded.
    pub api: bool,
    /// Result for the artifact store, which must store and return data, adapters and job state.
    pub artifacts: types::QueueCheck,
    /// Result for the queue of training jobs, which must be readable.
    pub cpu_queue: types::QueueCheck,
    /// True if the database responds.
    pub database: bool,
    /// Result for the free space on the disk of the data directory. Without free space, jobs pause.
    pub disk: types::QueueCheck,
    /// Result for the engine, regardless of its hardware.
    pub gpu_queue: types::QueueCheck,
}
impl json::ReadObject for SystemCheckResponse {
    const NAMES: &'static [&'static str] = &[
        "api",
        "artifacts",
        "cpu_queue",
        "database",
        "disk",
        "gpu_queue",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            api: json::required(slot0, "api")?,
            artifacts: json::required(slot1, "artifacts")?,
            cpu_queue: json::required(slot2, "cpu_queue")?,
            database: json::required(slot3, "database")?,
            disk: json::required(slot4, "disk")?,
            gpu_queue: json::required(slot5, "gpu_queue")?,
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
/// A message with instructions to the model.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct SystemMessage {
    pub content: types::MessageContent,
    /// Name of the author; its use depends on the chat template.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    pub role: types::SystemRole,
}
impl json::ReadObject for SystemMessage {
    const NAMES: &'static [&'static str] = &["content", "name", "role"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// `developer` is the newer name of `system`.
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
/// A linear projection of a layer, named as in the model's tensors.
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
pub enum TargetModule {
    /// `q_proj`
    QProj,
    /// `k_proj`
    KProj,
    /// `v_proj`
    VProj,
    /// `o_proj`
    OProj,
    /// `gate_proj`
    GateProj,
    /// `up_proj`
    UpProj,
    /// `down_proj`
    DownProj,
}
impl TargetModule {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::QProj,
        Self::KProj,
        Self::VProj,
        Self::OProj,
        Self::GateProj,
        Self::UpProj,
        Self::DownProj,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "q_proj",
        "k_proj",
        "v_proj",
        "o_proj",
        "gate_proj",
        "up_proj",
        "down_proj",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::QProj => "q_proj",
            Self::KProj => "k_proj",
            Self::VProj => "v_proj",
            Self::OProj => "o_proj",
            Self::GateProj => "gate_proj",
            Self::UpProj => "up_proj",
            Self::DownProj => "down_proj",
        }
    }
}
impl ::std::fmt::Display for TargetModule {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TargetModule {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "q_proj" => Ok(Self::QProj),
            "k_proj" => Ok(Self::KProj),
            "v_proj" => Ok(Self::VProj),
            "o_proj" => Ok(Self::OProj),
            "gate_proj" => Ok(Self::GateProj),
            "up_proj" => Ok(Self::UpProj),
            "down_proj" => Ok(Self::DownProj),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TargetModule {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TargetModule {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A text part.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TextContentPart {
    /// Text of the part; may be empty.
    pub text: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::TextContentType,
}
impl json::ReadObject for TextContentPart {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            text: json::required(slot0, "text")?,
            type_: json::required(slot1, "type")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TextContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Type of a text part.
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
pub enum TextContentType {
    /// `text`
    Text,
}
impl TextContentType {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Text];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["text"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Text => "text",
        }
    }
}
impl ::std::fmt::Display for TextContentType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TextContentType {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "text" => Ok(Self::Text),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TextContentType {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TextContentType {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Type of free text.
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
pub enum TextFormat {
    /// `text`
    Text,
}
impl TextFormat {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Text];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["text"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Text => "text",
        }
    }
}
impl ::std::fmt::Display for TextFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TextFormat {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "text" => Ok(Self::Text),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TextFormat {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TextFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// A sampled token.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TokenLogprob {
    /// Text of the token as UTF-8 bytes; a character may span several tokens. Empty for control tokens.
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Natural logarithm of the token's probability under the model at temperature 1, before penalties and truncation. Training computes the same value bit for bit.
    pub logprob: f64,
    /// Ids of the prompt tokens, in a stream with the first token of each choice; absent if `return_token_ids` is false. Clients that assemble a choice from its chunks keep these entries unchanged.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub prompt_token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
    /// `token_id:N`, with N the id of the token in the vocabulary, so that training can recover the exact token. OpenAI's API has the token's text here; use `bytes` for it.
    pub token: ::std::string::String,
    /// Most likely tokens at this position, in descending order; their number is `top_logprobs`.
    pub top_logprobs: ::std::vec::Vec<types::TopLogprob>,
}
impl json::ReadObject for TokenLogprob {
    const NAMES: &'static [&'static str] = &[
        "bytes",
        "logprob",
        "prompt_token_ids",
        "token",
        "top_logprobs",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::List<
                        json::ViaDeserialize,
                        20,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            bytes: json::required(slot0, "bytes")?,
            logprob: json::required(slot1, "logprob")?,
            prompt_token_ids: slot2.flatten(),
            token: json::required(slot3, "token")?,
            top_logprobs: json::required(slot4, "top_logprobs")?,
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
/// A call of a tool.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolCall {
    pub function: types::FunctionCall,
    /// Id of the call, referenced by the tool's result.
    pub id: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for ToolCall {
    const NAMES: &'static [&'static str] = &["function", "id", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// A tool call, or a fragment of one.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolCallDelta {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub function: ::std::option::Option<types::FunctionCallDelta>,
    /// Id of the call, referenced by the tool's result.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub id: ::std::option::Option<::std::string::String>,
    /// Number of the call within its choice, from 0.
    pub index: u32,
    #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
    pub type_: ::std::option::Option<types::ToolType>,
}
impl json::ReadObject for ToolCallDelta {
    const NAMES: &'static [&'static str] = &["function", "id", "index", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
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
/// `none`: no tool call, and text that resembles a call stays text; `auto`: the model decides; `required`: exactly one call of any tool; `tools` must not be empty (422).
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
/// A tool that the model may call.
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
    const NAMES: &'static [&'static str] = &["function", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
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
/// The result of a tool call.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct ToolMessage {
    pub content: types::MessageContent,
    pub role: types::ToolRole,
    /// `id` of the tool call that this result belongs to.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_call_id: ::std::option::Option<::std::string::String>,
}
impl json::ReadObject for ToolMessage {
    const NAMES: &'static [&'static str] = &["content", "role", "tool_call_id"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// Role of a tool.
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
/// Type of a tool; only functions exist.
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
/// An alternative token.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TopLogprob {
    /// Text of the token as UTF-8 bytes.
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Natural logarithm of the token's probability.
    pub logprob: f64,
    /// `token_id:N`, as in `TokenLogprob`.
    pub token: ::std::string::String,
}
impl json::ReadObject for TopLogprob {
    const NAMES: &'static [&'static str] = &["bytes", "logprob", "token"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::Whole>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// Result of a dry run.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingEstimate {
    /// Estimated duration in seconds at the speed of your last job on the same base model, without the time in the queue; absent without such a job.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub expected_seconds: ::std::option::Option<f64>,
    /// Diagnostics about the job, such as groups that contribute no gradient.
    pub findings: ::std::vec::Vec<types::TrainingFinding>,
    /// Number of optimizer steps.
    pub steps: u64,
    /// Number of tokens in the training sequences, including prompts.
    pub tokens: u64,
    /// Number of trained tokens among them.
    pub trained_tokens: u64,
    /// Data of the `training_started` event that the job would have.
    pub training_started: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for TrainingEstimate {
    const NAMES: &'static [&'static str] = &[
        "expected_seconds",
        "findings",
        "steps",
        "tokens",
        "trained_tokens",
        "training_started",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut slot5 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Whole>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Whole>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Entries<
                        json::Any,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            expected_seconds: slot0.flatten(),
            findings: json::required(slot1, "findings")?,
            steps: json::required(slot2, "steps")?,
            tokens: json::required(slot3, "tokens")?,
            trained_tokens: json::required(slot4, "trained_tokens")?,
            training_started: json::required(slot5, "training_started")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingEstimate {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A diagnostic about a job, its data or its options.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingFinding {
    /// Machine-readable code.
    pub code: ::std::string::String,
    /// Number of occurrences.
    pub count: u64,
    /// Human-readable explanation.
    pub message: ::std::string::String,
}
impl json::ReadObject for TrainingFinding {
    const NAMES: &'static [&'static str] = &["code", "count", "message"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            code: json::required(slot0, "code")?,
            count: json::required(slot1, "count")?,
            message: json::required(slot2, "message")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingFinding {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Reason of a job's failure or cancellation.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobError {
    pub code: types::TrainingJobErrorCode,
    /// Human-readable message; the `error_message` of the last event.
    pub message: ::std::string::String,
    /// True if the same job, created again without changes, may succeed.
    pub retryable: bool,
    /// Number of the next optimizer step at the time of the failure, counted from 1; null if training had not started, or every step was completed.
    pub step: ::std::option::Option<u64>,
}
impl json::ReadObject for TrainingJobError {
    const NAMES: &'static [&'static str] = &["code", "message", "retryable", "step"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            code: json::required(slot0, "code")?,
            message: json::required(slot1, "message")?,
            retryable: json::required(slot2, "retryable")?,
            step: json::required(slot3, "step")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobError {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// `invalid_config`: the options cannot be used with this model or data; `invalid_training_data`: the file is malformed or unsuitable; `training_data_unavailable`: the file could not be fetched; `model_unavailable`: the model cannot be loaded; `out_of_memory`: the job needs more memory than is available; `diverged`: the loss was not a finite number; `storage_failed`: the service could not read or write its own data; `interrupted`: the service crashed or stopped repeatedly while it worked on the job; `internal_error`: a fault of the service; `cancelled`: cancelled by the owner; `unknown`: the job failed before the service recorded codes.
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
pub enum TrainingJobErrorCode {
    /// `invalid_config`
    InvalidConfig,
    /// `invalid_training_data`
    InvalidTrainingData,
    /// `training_data_unavailable`
    TrainingDataUnavailable,
    /// `model_unavailable`
    ModelUnavailable,
    /// `out_of_memory`
    OutOfMemory,
    /// `diverged`
    Diverged,
    /// `storage_failed`
    StorageFailed,
    /// `interrupted`
    Interrupted,
    /// `internal_error`
    InternalError,
    /// `cancelled`
    Cancelled,
    /// `unknown`
    Unknown,
}
impl TrainingJobErrorCode {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::InvalidConfig,
        Self::InvalidTrainingData,
        Self::TrainingDataUnavailable,
        Self::ModelUnavailable,
        Self::OutOfMemory,
        Self::Diverged,
        Self::StorageFailed,
        Self::Interrupted,
        Self::InternalError,
        Self::Cancelled,
        Self::Unknown,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "invalid_config",
        "invalid_training_data",
        "training_data_unavailable",
        "model_unavailable",
        "out_of_memory",
        "diverged",
        "storage_failed",
        "interrupted",
        "internal_error",
        "cancelled",
        "unknown",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::InvalidConfig => "invalid_config",
            Self::InvalidTrainingData => "invalid_training_data",
            Self::TrainingDataUnavailable => "training_data_unavailable",
            Self::ModelUnavailable => "model_unavailable",
            Self::OutOfMemory => "out_of_memory",
            Self::Diverged => "diverged",
            Self::StorageFailed => "storage_failed",
            Self::Interrupted => "interrupted",
            Self::InternalError => "internal_error",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}
impl ::std::fmt::Display for TrainingJobErrorCode {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TrainingJobErrorCode {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "invalid_config" => Ok(Self::InvalidConfig),
            "invalid_training_data" => Ok(Self::InvalidTrainingData),
            "training_data_unavailable" => Ok(Self::TrainingDataUnavailable),
            "model_unavailable" => Ok(Self::ModelUnavailable),
            "out_of_memory" => Ok(Self::OutOfMemory),
            "diverged" => Ok(Self::Diverged),
            "storage_failed" => Ok(Self::StorageFailed),
            "interrupted" => Ok(Self::Interrupted),
            "internal_error" => Ok(Self::InternalError),
            "cancelled" => Ok(Self::Cancelled),
            "unknown" => Ok(Self::Unknown),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TrainingJobErrorCode {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobErrorCode {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// An event of a job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobEvent {
    /// Fields by event type:
    ///
    /// * `training_started`: `num_sequences`, the number of optimizer steps to come. RL events also have
    ///   `num_groups_submitted`, `num_groups_trainable`, `num_dropped_sequences` and the processing results of the
    ///   trajectories (below). SFT events have `num_rows`, `num_dropped_trajectories`,
    ///   `num_truncated_trajectories`, `num_validation_trajectories` and `dropped_rows`, the first 20 dropped
    ///   conversations, each with `line` and `reason` (`too_long`, `nothing_left_of_it`, `no_assistant_turn`,
    ///   `last_turn_not_assistant`), and `file` (`validation`) for those of a validation file.
    /// * `gradient_step`: metrics by name, all finite numbers: `loss/train`, `loss/grad_norm` (before clipping),
    ///   `loss/learning_rate`, `loss/entropy`, `tokens_per_second` (measured, so it differs between runs). RL
    ///   events also have the metrics below. SFT events have `num_tokens`, `num_trainable_tokens`,
    ///   `num_trajectories`, `num_dropped_trajectories`, `loss/val` if the validation loss was computed after the
    ///   step, and in the first event `loss/val_before`, the validation loss before any step.
    /// * `training_ended`: `num_gradient_steps`, and `num_trained_tokens`, the number of tokens trained in them. If
    ///   something was dropped, or messages and tokens differ, `findings` lists each diagnostic as `code`, `count`
    ///   and `message`. It contains `nothing_to_learn` when no token was trained.
    /// * `training_failed`: these two numbers up to the failure, and `error_message`.
    ///
    /// Metrics of an optimizer step of an RL job, over the trained tokens of its row:
    ///
    /// * `row/num_sequences`, `row/num_trained_tokens`: size of the row.
    /// * `importance_ratio/min`, `/max`, `/mean`: `rho` at the selected level, before any bound; 1 if the current
    ///   weights sampled the tokens. `importance_ratio/clip_share`: fraction of the tokens outside the clip range.
    /// * `logprob_mismatch/mean_abs`, `/max_abs`: absolute difference between the log-probabilities of the choices
    ///   and those under the current weights, in nats. Exactly 0 in the first step on choices of this service at
    ///   the same step of the model.
    /// * `loss/kl_div`: estimate of the KL divergence of the sampling policy from the current one, in nats. This
    ///   metric and the mismatch are absent if no choice of the row has log-probabilities.
    /// * `loss/kl_policy_ref`: with the KL penalty, the mean log-ratio to the reference, in nats.
    ///
    /// Processing results of the trajectories of an RL job:
    ///
    /// * `dropped`: number of dropped items by reason. Groups: `too_few_trajectories`, `equal_rewards`,
    ///   `rewards_too_large`. Trajectories: `mean_reward`, `nothing_trained`. Conversations: `chat_template`,
    ///   `malformed_choice`, `infinite_logprob`, `outside_vocabulary`. Sequences: `too_long`.
    /// * `drift`: number of trained turns whose messages and tokens differ, and the number of affected
    ///   `trajectories`. `edited_turns`: the message does not match its tokens, and the tokens are trained;
    ///   `turns_without_token_ids`: the tokens were found by their text; `turns_without_prompt_token_ids`: the chat
    ///   template rendered the prompt; `turns_without_logprobs`: their `rho` is 1; `discontinued_turns`: the prompt
    ///   does not begin with the tokens of the previous turns, so the turn is trained in a separate sequence, after
    ///   the prompt that it was sampled from.
    /// * `dropped_places`, `drift_places`: the first 20 of each, with `place`, a path into the request, and
    ///   `reason`.
    pub data: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    /// UUID of the event; the cursor of this item.
    pub id: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: types::TrainingJobEventType,
}
impl json::ReadObject for TrainingJobEvent {
    const NAMES: &'static [&'static str] = &["data", "id", "type"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Entries<
                        json::Any,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// One page of events.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobEventPage {
    /// The events; at most `limit`.
    pub data: ::std::vec::Vec<types::TrainingJobEvent>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrainingJobEventPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
/// `training_started` is sent once, before the first step; `gradient_step` once for each optimizer step; `training_ended` or `training_failed` once, last.
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
/// `rl`: reinforcement learning from trajectory groups; `sft`: supervised fine-tuning on conversations.
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
pub enum TrainingJobKind {
    /// `rl`
    Rl,
    /// `sft`
    Sft,
}
impl TrainingJobKind {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Rl, Self::Sft];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["rl", "sft"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Rl => "rl",
            Self::Sft => "sft",
        }
    }
}
impl ::std::fmt::Display for TrainingJobKind {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TrainingJobKind {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "rl" => Ok(Self::Rl),
            "sft" => Ok(Self::Sft),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TrainingJobKind {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobKind {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// One page of jobs.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobPage {
    /// The jobs; at most `limit`.
    pub data: ::std::vec::Vec<types::TrainingJobResponse>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrainingJobPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        100,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
impl<'de> ::serde::Deserialize<'de> for TrainingJobPage {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Progress of the optimizer steps of a job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobProgress {
    /// Number of completed optimizer steps.
    pub steps: u64,
    /// Total number of optimizer steps of the job.
    pub total_steps: u64,
}
impl json::ReadObject for TrainingJobProgress {
    const NAMES: &'static [&'static str] = &["steps", "total_steps"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            steps: json::required(slot0, "steps")?,
            total_steps: json::required(slot1, "total_steps")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingJobProgress {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A training job, RL or SFT.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrainingJobResponse {
    /// Options of the job, with the defaults filled in; disabled options are null.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub config: ::std::option::Option<
        ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    >,
    /// Creation time, in seconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub created_at: ::std::option::Option<i64>,
    /// Reason of the failure or cancellation; absent otherwise.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub error: ::std::option::Option<types::TrainingJobError>,
    /// Result of a dry run; absent otherwise.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub estimate: ::std::option::Option<types::TrainingEstimate>,
    /// End time, in seconds since 1970-01-01 UTC; absent before the end.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub finished_at: ::std::option::Option<i64>,
    /// UUID of the job, used in paths; empty in a dry run, which creates no job.
    pub id: ::std::string::String,
    /// Training type of the job.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kind: ::std::option::Option<types::TrainingJobKind>,
    /// `id` of the model that the job trains.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub model_id: ::std::option::Option<::std::string::String>,
    /// Progress of the optimizer steps; absent before `training_started`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub progress: ::std::option::Option<types::TrainingJobProgress>,
    /// Number of queued jobs of the service that were created before this one; absent once the job has started. Entities and models take turns, jobs of one model run one after the other, and workers may have other base models: the order of the starts is another one then.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub queue_position: ::std::option::Option<u64>,
    /// Time of the first start, in seconds since 1970-01-01 UTC; absent while the job is queued.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub started_at: ::std::option::Option<i64>,
    /// State of the job. The hosted service returns only the id.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub status: ::std::option::Option<types::TrainingJobStatus>,
    /// Tokens trained by the optimizer steps so far; a token counts once for each step.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub trained_tokens: ::std::option::Option<u64>,
    /// Diagnostics for the owner of the job: options without effect (`ignored_option`) from its creation on, and after success the `findings` of its last event, such as the reason why there was nothing to learn. Absent when there are none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub warnings: ::std::option::Option<::std::vec::Vec<types::TrainingFinding>>,
}
impl json::ReadObject for TrainingJobResponse {
    const NAMES: &'static [&'static str] = &[
        "config",
        "created_at",
        "error",
        "estimate",
        "finished_at",
        "id",
        "kind",
        "model_id",
        "progress",
        "queue_position",
        "started_at",
        "status",
        "trained_tokens",
        "warnings",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Entries<
                        json::Any,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::ViaDeserialize>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Known(10) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot10, Self::NAMES[10], &mut map)?
                }
                json::Key::Known(11) => {
                    <json::ViaDeserialize>::fill(&mut slot11, Self::NAMES[11], &mut map)?
                }
                json::Key::Known(12) => {
                    <json::Whole>::fill(&mut slot12, Self::NAMES[12], &mut map)?
                }
                json::Key::Known(13) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize, 100>,
                    >>::fill(&mut slot13, Self::NAMES[13], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            config: slot0,
            created_at: slot1,
            error: slot2.flatten(),
            estimate: slot3.flatten(),
            finished_at: slot4.flatten(),
            id: json::required(slot5, "id")?,
            kind: slot6,
            model_id: slot7,
            progress: slot8.flatten(),
            queue_position: slot9.flatten(),
            started_at: slot10.flatten(),
            status: slot11,
            trained_tokens: slot12,
            warnings: slot13.flatten(),
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
/// `queued`: the job waits for its start or for its resumption; `running`; `succeeded`: its checkpoint exists; `failed`: its last event has the reason, and there is no checkpoint; `cancelled`: the owner cancelled it, and there is no checkpoint.
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
    /// `cancelled`
    Cancelled,
}
impl TrainingJobStatus {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
    ];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &[
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
    ];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
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
            "cancelled" => Ok(Self::Cancelled),
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
/// `lora`: a low-rank adapter on the frozen base model, as in PEFT's LoRA; `full`: every parameter of the model, only for models small enough for the available memory (422 for others).
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
pub enum TrainingMethod {
    /// `lora`
    Lora,
    /// `full`
    Full,
}
impl TrainingMethod {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Lora, Self::Full];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["lora", "full"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Lora => "lora",
            Self::Full => "full",
        }
    }
}
impl ::std::fmt::Display for TrainingMethod {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for TrainingMethod {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "lora" => Ok(Self::Lora),
            "full" => Ok(Self::Full),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for TrainingMethod {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for TrainingMethod {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// One rollout and its reward, as a conversation (`messages_and_choices`) or as captured requests and responses
/// (`exchanges`); both together return 422. A field that is absent or null has its default: `{}` is a rollout with
/// reward 0 that trains nothing and counts in the mean of its group. Further fields are stored.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Trajectory {
    /// Further conversations of the same rollout, trained with the same reward. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub additional_histories: ::std::option::Option<::std::vec::Vec<types::History>>,
    /// Requests and responses of the rollout, captured by the client.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub exchanges: ::std::option::Option<types::CapturedExchanges>,
    /// Step at the end of the rollout; stored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub final_policy_version: ::std::option::Option<i64>,
    /// Step at the start of the rollout; stored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub initial_policy_version: ::std::option::Option<i64>,
    /// Lines of the caller's log; stored. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logs: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    /// The conversation in order: prompt messages, and in place of each response the unchanged choice from chat completions. The loss covers the tokens of the choices; without a choice there is nothing to train.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub messages_and_choices: ::std::option::Option<
        ::std::vec::Vec<types::MessageOrChoice>,
    >,
    /// Any data of the caller about the rollout; stored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<types::JsonObject>,
    /// Numbers and flags about the rollout; stored, and not trained.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metrics: ::std::option::Option<types::JsonObject>,
    /// Reward of the rollout. Only differences within its group count. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reward: ::std::option::Option<f64>,
    /// The `tools` of the chat requests. They are part of the prompt, so list all of them.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for Trajectory {
    const NAMES: &'static [&'static str] = &[
        "additional_histories",
        "exchanges",
        "final_policy_version",
        "initial_policy_version",
        "logs",
        "messages_and_choices",
        "metadata",
        "metrics",
        "reward",
        "tools",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::Whole,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                json::Key::Other(key) => <json::Any>::keep(&mut extra, key, &mut map)?,
                _ => {}
            }
        }
        Ok(Self {
            additional_histories: slot0.flatten(),
            exchanges: slot1.flatten(),
            final_policy_version: slot2.flatten(),
            initial_policy_version: slot3.flatten(),
            logs: slot4.flatten(),
            messages_and_choices: slot5.flatten(),
            metadata: slot6.flatten(),
            metrics: slot7.flatten(),
            reward: slot8.flatten(),
            tools: slot9.flatten(),
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
/// Trajectories whose rewards are compared with each other: rollouts from one starting point. A field that is absent or null has its default, so a group of failed rollouts is `{"exceptions": […]}`. Further fields are stored.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct TrajectoryGroup {
    /// Failed rollouts, as `type`, `message` and `traceback`; stored, and not trained. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub exceptions: ::std::option::Option<::std::vec::Vec<types::JsonObject>>,
    /// Lines of the caller's log; stored. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logs: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    /// Any data of the caller about the group; stored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<types::JsonObject>,
    /// Numbers about the group; stored, and not trained.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metrics: ::std::option::Option<types::JsonObject>,
    /// Rollouts. A group with no rollout, one rollout, or equal rewards is accepted and contributes no gradient; `training_started` reports it. Default empty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub trajectories: ::std::option::Option<::std::vec::Vec<types::Trajectory>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
impl json::ReadObject for TrajectoryGroup {
    const NAMES: &'static [&'static str] = &[
        "exceptions",
        "logs",
        "metadata",
        "metrics",
        "trajectories",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        let mut extra: ::serde_json::Map<::std::string::String, ::serde_json::Value> = ::std::default::Default::default();
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::Nullable<
                        json::List<json::ViaDeserialize>,
                    >>::fill(&mut slot4, Self::NAMES[4], &mut map)?
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
            trajectories: slot4.flatten(),
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
/// Token counts of a request.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct Usage {
    /// Tokens of all completions together.
    pub completion_tokens: u64,
    /// Prompt tokens, counted once for every `n`.
    pub prompt_tokens: u64,
    /// Sum of prompt and completion tokens.
    pub total_tokens: u64,
}
impl json::ReadObject for Usage {
    const NAMES: &'static [&'static str] = &[
        "completion_tokens",
        "prompt_tokens",
        "total_tokens",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// Usage of one key on one day in one project of one model, for chat or for one job.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct UsageOfDay {
    /// Completion tokens of these requests.
    pub completion_tokens: u64,
    /// Day in UTC; absent for usage recorded before it was kept by day.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub day: ::std::option::Option<::std::string::String>,
    /// Training job; absent for chat, and for training recorded before usage was kept by job.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub job_id: ::std::option::Option<::std::string::String>,
    /// Id of the key.
    pub key_id: ::std::string::String,
    /// Name that the owner gave the key.
    pub key_name: ::std::string::String,
    /// Model named in the request, or the trained model.
    pub model: ::std::string::String,
    /// `Vendor-Project` of the chat request, empty if absent; the project of a trained model.
    pub project: ::std::string::String,
    /// Prompt tokens of these requests.
    pub prompt_tokens: u64,
    /// Number of chat completion requests.
    pub requests: u64,
    /// Tokens trained by jobs; a token counts once for each optimizer step.
    pub trained_tokens: u64,
}
impl json::ReadObject for UsageOfDay {
    const NAMES: &'static [&'static str] = &[
        "completion_tokens",
        "day",
        "job_id",
        "key_id",
        "key_name",
        "model",
        "project",
        "prompt_tokens",
        "requests",
        "trained_tokens",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
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
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                json::Key::Known(5) => {
                    <json::ViaDeserialize>::fill(&mut slot5, Self::NAMES[5], &mut map)?
                }
                json::Key::Known(6) => {
                    <json::ViaDeserialize>::fill(&mut slot6, Self::NAMES[6], &mut map)?
                }
                json::Key::Known(7) => {
                    <json::Whole>::fill(&mut slot7, Self::NAMES[7], &mut map)?
                }
                json::Key::Known(8) => {
                    <json::Whole>::fill(&mut slot8, Self::NAMES[8], &mut map)?
                }
                json::Key::Known(9) => {
                    <json::Whole>::fill(&mut slot9, Self::NAMES[9], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            completion_tokens: json::required(slot0, "completion_tokens")?,
            day: slot1.flatten(),
            job_id: slot2.flatten(),
            key_id: json::required(slot3, "key_id")?,
            key_name: json::required(slot4, "key_name")?,
            model: json::required(slot5, "model")?,
            project: json::required(slot6, "project")?,
            prompt_tokens: json::required(slot7, "prompt_tokens")?,
            requests: json::required(slot8, "requests")?,
            trained_tokens: json::required(slot9, "trained_tokens")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for UsageOfDay {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Usage of an entity over a range of days.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct UsageReport {
    /// Usage records. Too many records return 422; request fewer days or one project.
    pub data: ::std::vec::Vec<types::UsageOfDay>,
    /// Last day of the report.
    pub end_date: ::std::string::String,
    pub object: types::ListObject,
    /// First day of the report.
    pub start_date: ::std::string::String,
    pub total: types::UsageTotal,
}
impl json::ReadObject for UsageReport {
    const NAMES: &'static [&'static str] = &[
        "data",
        "end_date",
        "object",
        "start_date",
        "total",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        let mut slot4 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::List<
                        json::ViaDeserialize,
                        10000,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::ViaDeserialize>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::ViaDeserialize>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                json::Key::Known(4) => {
                    <json::ViaDeserialize>::fill(&mut slot4, Self::NAMES[4], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: json::required(slot0, "data")?,
            end_date: json::required(slot1, "end_date")?,
            object: json::required(slot2, "object")?,
            start_date: json::required(slot3, "start_date")?,
            total: json::required(slot4, "total")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for UsageReport {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Sums over all records.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct UsageTotal {
    /// Completion tokens of these requests.
    pub completion_tokens: u64,
    /// Prompt tokens of these requests.
    pub prompt_tokens: u64,
    /// Number of chat completion requests.
    pub requests: u64,
    /// Tokens trained by jobs; a token counts once for each optimizer step.
    pub trained_tokens: u64,
}
impl json::ReadObject for UsageTotal {
    const NAMES: &'static [&'static str] = &[
        "completion_tokens",
        "prompt_tokens",
        "requests",
        "trained_tokens",
    ];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        let mut slot3 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Whole>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Whole>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::Whole>::fill(&mut slot2, Self::NAMES[2], &mut map)?
                }
                json::Key::Known(3) => {
                    <json::Whole>::fill(&mut slot3, Self::NAMES[3], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            completion_tokens: json::required(slot0, "completion_tokens")?,
            prompt_tokens: json::required(slot1, "prompt_tokens")?,
            requests: json::required(slot2, "requests")?,
            trained_tokens: json::required(slot3, "trained_tokens")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for UsageTotal {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// A message of the user.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct UserMessage {
    pub content: types::MessageContent,
    /// Name of the author; its use depends on the chat template.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    pub role: types::UserRole,
}
impl json::ReadObject for UserMessage {
    const NAMES: &'static [&'static str] = &["content", "name", "role"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        let mut slot2 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                json::Key::Known(2) => {
                    <json::ViaDeserialize>::fill(&mut slot2, Self::NAMES[2], &mut map)?
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
/// Role of the user.
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
/// Verbosity of a completion.
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
pub enum Verbosity {
    /// `low`
    Low,
    /// `medium`
    Medium,
    /// `high`
    High,
}
impl Verbosity {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::Low, Self::Medium, Self::High];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["low", "medium", "high"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
impl ::std::fmt::Display for Verbosity {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for Verbosity {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "low" => Ok(Self::Low),
            "medium" => Ok(Self::Medium),
            "high" => Ok(Self::High),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for Verbosity {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for Verbosity {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
/// Response to a GraphQL operation, with data or errors.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::default::Default,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct WandbAnswer {
    /// Requested data.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub data: ::std::option::Option<types::JsonObject>,
    /// Errors of the operation.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub errors: ::std::option::Option<::std::vec::Vec<types::WandbFault>>,
}
impl json::ReadObject for WandbAnswer {
    const NAMES: &'static [&'static str] = &["data", "errors"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::List<
                        json::ViaDeserialize,
                        1,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            data: slot0.flatten(),
            errors: slot1,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for WandbAnswer {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// An error of a GraphQL operation.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct WandbFault {
    /// Human-readable message.
    pub message: ::std::string::String,
}
impl json::ReadObject for WandbFault {
    const NAMES: &'static [&'static str] = &["message"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            message: json::required(slot0, "message")?,
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for WandbFault {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Files of an artifact by name, in the form of W&B's manifests.
pub type WandbManifest = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
/// A GraphQL operation.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
pub struct WandbQuery {
    /// GraphQL document with one operation.
    pub query: ::std::string::String,
    /// Values of the variables.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub variables: ::std::option::Option<types::JsonObject>,
}
impl json::ReadObject for WandbQuery {
    const NAMES: &'static [&'static str] = &["query", "variables"];
    fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
        mut map: A,
    ) -> ::std::result::Result<Self, A::Error> {
        let mut slot0 = None;
        let mut slot1 = None;
        while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
            match key {
                json::Key::Known(0) => {
                    <json::ViaDeserialize>::fill(&mut slot0, Self::NAMES[0], &mut map)?
                }
                json::Key::Known(1) => {
                    <json::Nullable<
                        json::ViaDeserialize,
                    >>::fill(&mut slot1, Self::NAMES[1], &mut map)?
                }
                _ => json::skip(&mut map)?,
            }
        }
        Ok(Self {
            query: json::required(slot0, "query")?,
            variables: slot1.flatten(),
        })
    }
}
impl<'de> ::serde::Deserialize<'de> for WandbQuery {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        json::read_object(deserializer)
    }
}
/// Lines of a run's files; accepted and not stored.
pub type WandbRunFiles = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
/// Storage format of the base model's weights in the engine; adapters are always f32.
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
pub enum WeightFormat {
    /// `f32`
    F32,
    /// `bf16`
    Bf16,
    /// `int8`
    Int8,
}
impl WeightFormat {
    /// Every value, in the order of the document.
    pub const ALL: &'static [Self] = &[Self::F32, Self::Bf16, Self::Int8];
    /// Every value as JSON spells it.
    pub const NAMES: &'static [&'static str] = &["f32", "bf16", "int8"];
    /// The value as JSON spells it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
        }
    }
}
impl ::std::fmt::Display for WeightFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl ::std::str::FromStr for WeightFormat {
    type Err = json::UnknownValue;
    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
        match text {
            "f32" => Ok(Self::F32),
            "bf16" => Ok(Self::Bf16),
            "int8" => Ok(Self::Int8),
            _ => Err(json::UnknownValue::new(text, Self::NAMES)),
        }
    }
}
impl ::serde::Serialize for WeightFormat {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
impl<'de> ::serde::Deserialize<'de> for WeightFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let known = json::known_value(deserializer, Self::NAMES)?;
        Ok(Self::ALL[known])
    }
}
