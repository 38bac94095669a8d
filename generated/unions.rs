// Generated from spec/openapi.yaml by build.rs. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports)]
use super::types;
use crate::json::{
    AnyObject, JsonType, Verbatim, expected_type, parse_at_place, unknown_discriminator,
};
use serde_json::value::RawValue;
/// A number of conversations, or `auto`, which leaves it to the service (2 today).
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum BatchSize {
    Integer(u64),
    AutoBatchSize(types::AutoBatchSize),
}
impl<'de> serde::Deserialize<'de> for BatchSize {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        match JsonType::of(text.get()) {
            JsonType::Number => parse_at_place(text.get()).map(Self::Integer),
            JsonType::String => parse_at_place(text.get()).map(Self::AutoBatchSize),
            other => Err(expected_type("an integer or one of \"auto\"", other)),
        }
    }
}
/// A message as the client wrote it, checked; further fields reach the chat template.
pub type ChatMessage = Verbatim<types::Message>;
/// A part of a message. Images, sounds and files are refused (422).
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum ContentPart {
    TextContentPart(types::TextContentPart),
    RefusalContentPart(types::RefusalContentPart),
}
impl From<types::TextContentPart> for ContentPart {
    fn from(value: types::TextContentPart) -> Self {
        Self::TextContentPart(value)
    }
}
impl From<types::RefusalContentPart> for ContentPart {
    fn from(value: types::RefusalContentPart) -> Self {
        Self::RefusalContentPart(value)
    }
}
impl<'de> serde::Deserialize<'de> for ContentPart {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Tag {
            #[serde(rename = "type")]
            tag: String,
        }
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let Tag { tag } = parse_at_place(text.get())?;
        match tag.as_str() {
            "refusal" => parse_at_place(text.get()).map(Self::RefusalContentPart),
            "text" => parse_at_place(text.get()).map(Self::TextContentPart),
            other => Err(unknown_discriminator("type", other, &["refusal", "text"])),
        }
    }
}
/// Any JSON object, kept as it was written.
pub type JsonObject = Verbatim<AnyObject>;
/// One rate, or one for each optimizer step in order. A list that is shorter than the job fails it; further values are ignored.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum LearningRate {
    Number(f64),
    Array(Vec<f64>),
}
impl<'de> serde::Deserialize<'de> for LearningRate {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        match JsonType::of(text.get()) {
            JsonType::Number => parse_at_place(text.get()).map(Self::Number),
            JsonType::Array => parse_at_place(text.get()).map(Self::Array),
            other => Err(expected_type("a number or an array", other)),
        }
    }
}
/// A message; its `role` says of which form.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Message {
    SystemMessage(types::SystemMessage),
    UserMessage(types::UserMessage),
    AssistantMessage(types::AssistantMessage),
    ToolMessage(types::ToolMessage),
    FunctionMessage(types::FunctionMessage),
}
impl From<types::SystemMessage> for Message {
    fn from(value: types::SystemMessage) -> Self {
        Self::SystemMessage(value)
    }
}
impl From<types::UserMessage> for Message {
    fn from(value: types::UserMessage) -> Self {
        Self::UserMessage(value)
    }
}
impl From<types::AssistantMessage> for Message {
    fn from(value: types::AssistantMessage) -> Self {
        Self::AssistantMessage(value)
    }
}
impl From<types::ToolMessage> for Message {
    fn from(value: types::ToolMessage) -> Self {
        Self::ToolMessage(value)
    }
}
impl From<types::FunctionMessage> for Message {
    fn from(value: types::FunctionMessage) -> Self {
        Self::FunctionMessage(value)
    }
}
impl<'de> serde::Deserialize<'de> for Message {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Tag {
            #[serde(rename = "role")]
            tag: String,
        }
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let Tag { tag } = parse_at_place(text.get())?;
        match tag.as_str() {
            "assistant" => parse_at_place(text.get()).map(Self::AssistantMessage),
            "developer" => parse_at_place(text.get()).map(Self::SystemMessage),
            "function" => parse_at_place(text.get()).map(Self::FunctionMessage),
            "system" => parse_at_place(text.get()).map(Self::SystemMessage),
            "tool" => parse_at_place(text.get()).map(Self::ToolMessage),
            "user" => parse_at_place(text.get()).map(Self::UserMessage),
            other => {
                Err(
                    unknown_discriminator(
                        "role",
                        other,
                        &["assistant", "developer", "function", "system", "tool", "user"],
                    ),
                )
            }
        }
    }
}
/// Text, or a list of parts that are joined without anything between them.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum MessageContent {
    String(String),
    Array(Vec<types::ContentPart>),
}
impl<'de> serde::Deserialize<'de> for MessageContent {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        match JsonType::of(text.get()) {
            JsonType::String => parse_at_place(text.get()).map(Self::String),
            JsonType::Array => parse_at_place(text.get()).map(Self::Array),
            other => Err(expected_type("a string or an array", other)),
        }
    }
}
/// A prompt message (it has a `role`), or a `Choice` of a chat completion to train on (it has a `message`). Both are taken as they are, with whatever else they carry; one that the chat template cannot use fails the job.
pub type MessageOrChoice = Verbatim<AnyObject>;
/// Free text, any JSON object, or JSON that follows a schema.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum ResponseFormat {
    ResponseFormatText(types::ResponseFormatText),
    ResponseFormatJsonObject(types::ResponseFormatJsonObject),
    ResponseFormatJsonSchema(types::ResponseFormatJsonSchema),
}
impl From<types::ResponseFormatText> for ResponseFormat {
    fn from(value: types::ResponseFormatText) -> Self {
        Self::ResponseFormatText(value)
    }
}
impl From<types::ResponseFormatJsonObject> for ResponseFormat {
    fn from(value: types::ResponseFormatJsonObject) -> Self {
        Self::ResponseFormatJsonObject(value)
    }
}
impl From<types::ResponseFormatJsonSchema> for ResponseFormat {
    fn from(value: types::ResponseFormatJsonSchema) -> Self {
        Self::ResponseFormatJsonSchema(value)
    }
}
impl<'de> serde::Deserialize<'de> for ResponseFormat {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Tag {
            #[serde(rename = "type")]
            tag: String,
        }
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let Tag { tag } = parse_at_place(text.get())?;
        match tag.as_str() {
            "json_object" => {
                parse_at_place(text.get()).map(Self::ResponseFormatJsonObject)
            }
            "json_schema" => {
                parse_at_place(text.get()).map(Self::ResponseFormatJsonSchema)
            }
            "text" => parse_at_place(text.get()).map(Self::ResponseFormatText),
            other => {
                Err(
                    unknown_discriminator(
                        "type",
                        other,
                        &["json_object", "json_schema", "text"],
                    ),
                )
            }
        }
    }
}
/// A text, or up to 16, each of at most 1024 characters.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Stop {
    String(String),
    Array(Vec<String>),
}
impl<'de> serde::Deserialize<'de> for Stop {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        match JsonType::of(text.get()) {
            JsonType::String => parse_at_place(text.get()).map(Self::String),
            JsonType::Array => parse_at_place(text.get()).map(Self::Array),
            other => Err(expected_type("a string or an array", other)),
        }
    }
}
/// A tool as the client wrote it, checked; the order of its keys is part of the prompt.
pub type Tool = Verbatim<types::ToolDefinition>;
/// A word, or the one function that must be called.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum ToolChoice {
    ToolChoiceMode(types::ToolChoiceMode),
    NamedToolChoice(types::NamedToolChoice),
}
impl<'de> serde::Deserialize<'de> for ToolChoice {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        match JsonType::of(text.get()) {
            JsonType::String => parse_at_place(text.get()).map(Self::ToolChoiceMode),
            JsonType::Object => parse_at_place(text.get()).map(Self::NamedToolChoice),
            other => {
                Err(
                    expected_type(
                        "one of \"none\", \"auto\", \"required\" or an object",
                        other,
                    ),
                )
            }
        }
    }
}
