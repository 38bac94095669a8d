// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unused)]
use super::types;
use crate::{json, validation};
/// What a checkpoint is made from; `type` says of which form.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum AddCheckpoint {
    CopiedCheckpoint(types::CopiedCheckpoint),
    ImportedAdapter(types::ImportedAdapter),
}
impl ::std::convert::From<types::CopiedCheckpoint> for AddCheckpoint {
    fn from(value: types::CopiedCheckpoint) -> Self {
        Self::CopiedCheckpoint(value)
    }
}
impl ::std::convert::From<types::ImportedAdapter> for AddCheckpoint {
    fn from(value: types::ImportedAdapter) -> Self {
        Self::ImportedAdapter(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for AddCheckpoint {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "copy" => {
                json::read_at_place::<json::Same, types::CopiedCheckpoint, _>(text.get())
                    .map(Self::CopiedCheckpoint)
            }
            "import" => {
                json::read_at_place::<json::Same, types::ImportedAdapter, _>(text.get())
                    .map(Self::ImportedAdapter)
            }
            other => Err(json::unknown_discriminator("type", other, &["copy", "import"])),
        }
    }
}
/// A number of conversations, or `auto`, which leaves it to the service (2 today).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum BatchSize {
    Integer(u64),
    AutoBatchSize(types::AutoBatchSize),
}
impl ::std::convert::From<types::AutoBatchSize> for BatchSize {
    fn from(value: types::AutoBatchSize) -> Self {
        Self::AutoBatchSize(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for BatchSize {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_place::<json::Whole, u64, _>(text.get()).map(Self::Integer)
            }
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::AutoBatchSize, _>(text.get())
                    .map(Self::AutoBatchSize)
            }
            other => Err(json::expected_type("an integer or one of \"auto\"", other)),
        }
    }
}
/// A JSON body as it was sent, unknown keys included.
pub type CapturedBody = json::Verbatim<json::AnyObject>;
/// A message as the client wrote it, checked; further fields reach the chat template.
pub type ChatMessage = json::Verbatim<types::Message>;
/// One text, a list of texts, one prompt as a list of tokens, or a list of such lists. Spellings of control tokens in a text mean these tokens.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum CompletionPrompt {
    String(::std::string::String),
    Array(::std::vec::Vec<types::CompletionPromptItem>),
}
impl<'de> ::serde::Deserialize<'de> for CompletionPrompt {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same, 1000000>,
                    ::std::vec::Vec<types::CompletionPromptItem>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A text, the number of a token in the vocabulary, or a list of such numbers. Numbers stand beside numbers alone.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum CompletionPromptItem {
    String(::std::string::String),
    Integer(u32),
    Array(::std::vec::Vec<u32>),
}
impl<'de> ::serde::Deserialize<'de> for CompletionPromptItem {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Number => {
                json::read_at_place::<json::Whole, u32, _>(text.get()).map(Self::Integer)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Whole, 1000000>,
                    ::std::vec::Vec<u32>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => {
                Err(json::expected_type("a string or an integer or an array", other))
            }
        }
    }
}
/// A part of a message. Images, sounds and files are refused (422).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ContentPart {
    TextContentPart(types::TextContentPart),
    RefusalContentPart(types::RefusalContentPart),
}
impl ::std::convert::From<types::RefusalContentPart> for ContentPart {
    fn from(value: types::RefusalContentPart) -> Self {
        Self::RefusalContentPart(value)
    }
}
impl ::std::convert::From<types::TextContentPart> for ContentPart {
    fn from(value: types::TextContentPart) -> Self {
        Self::TextContentPart(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "refusal" => {
                json::read_at_place::<
                    json::Same,
                    types::RefusalContentPart,
                    _,
                >(text.get())
                    .map(Self::RefusalContentPart)
            }
            "text" => {
                json::read_at_place::<json::Same, types::TextContentPart, _>(text.get())
                    .map(Self::TextContentPart)
            }
            other => {
                Err(json::unknown_discriminator("type", other, &["refusal", "text"]))
            }
        }
    }
}
/// A number of epochs, or `auto`, which leaves it to the service (3 today).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum FineTuningEpochs {
    Integer(u64),
    AutoOption(types::AutoOption),
}
impl ::std::convert::From<types::AutoOption> for FineTuningEpochs {
    fn from(value: types::AutoOption) -> Self {
        Self::AutoOption(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningEpochs {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_place::<json::Whole, u64, _>(text.get()).map(Self::Integer)
            }
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::AutoOption, _>(text.get())
                    .map(Self::AutoOption)
            }
            other => Err(json::expected_type("an integer or one of \"auto\"", other)),
        }
    }
}
/// A function as the client wrote it, checked; the order of its keys is part of the prompt.
pub type Function = json::Verbatim<types::FunctionDefinition>;
/// A word, or the one function that must be called.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum FunctionCallChoice {
    FunctionCallMode(types::FunctionCallMode),
    FunctionName(types::FunctionName),
}
impl ::std::convert::From<types::FunctionCallMode> for FunctionCallChoice {
    fn from(value: types::FunctionCallMode) -> Self {
        Self::FunctionCallMode(value)
    }
}
impl ::std::convert::From<types::FunctionName> for FunctionCallChoice {
    fn from(value: types::FunctionName) -> Self {
        Self::FunctionName(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionCallChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::FunctionCallMode, _>(text.get())
                    .map(Self::FunctionCallMode)
            }
            json::JsonType::Object => {
                json::read_at_place::<json::Same, types::FunctionName, _>(text.get())
                    .map(Self::FunctionName)
            }
            other => {
                Err(json::expected_type("one of \"none\", \"auto\" or an object", other))
            }
        }
    }
}
/// A JSON schema, or the text of one.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum GuidedJson {
    String(::std::string::String),
    JsonObject(types::JsonObject),
}
impl<'de> ::serde::Deserialize<'de> for GuidedJson {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Object => {
                json::read_at_place::<json::Same, types::JsonObject, _>(text.get())
                    .map(Self::JsonObject)
            }
            other => Err(json::expected_type("a string or an object", other)),
        }
    }
}
/// Any JSON object, kept as it was written.
pub type JsonObject = json::Verbatim<json::AnyObject>;
/// One rate, or one for each optimizer step in order. A list that is shorter than the job fails it; further values are ignored.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum LearningRate {
    Number(f64),
    Array(::std::vec::Vec<f64>),
}
impl<'de> ::serde::Deserialize<'de> for LearningRate {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_place::<json::Same, f64, _>(text.get()).map(Self::Number)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same, 1000000>,
                    ::std::vec::Vec<f64>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a number or an array", other)),
        }
    }
}
/// A factor, or `auto`, which leaves it to the service (1 today).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum LearningRateMultiplier {
    Number(f64),
    AutoOption(types::AutoOption),
}
impl ::std::convert::From<types::AutoOption> for LearningRateMultiplier {
    fn from(value: types::AutoOption) -> Self {
        Self::AutoOption(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for LearningRateMultiplier {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_place::<json::Same, f64, _>(text.get()).map(Self::Number)
            }
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::AutoOption, _>(text.get())
                    .map(Self::AutoOption)
            }
            other => Err(json::expected_type("a number or one of \"auto\"", other)),
        }
    }
}
/// A message; its `role` says of which form.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum Message {
    SystemMessage(types::SystemMessage),
    UserMessage(types::UserMessage),
    AssistantMessage(types::AssistantMessage),
    ToolMessage(types::ToolMessage),
    FunctionMessage(types::FunctionMessage),
}
impl ::std::convert::From<types::AssistantMessage> for Message {
    fn from(value: types::AssistantMessage) -> Self {
        Self::AssistantMessage(value)
    }
}
impl ::std::convert::From<types::FunctionMessage> for Message {
    fn from(value: types::FunctionMessage) -> Self {
        Self::FunctionMessage(value)
    }
}
impl ::std::convert::From<types::SystemMessage> for Message {
    fn from(value: types::SystemMessage) -> Self {
        Self::SystemMessage(value)
    }
}
impl ::std::convert::From<types::ToolMessage> for Message {
    fn from(value: types::ToolMessage) -> Self {
        Self::ToolMessage(value)
    }
}
impl ::std::convert::From<types::UserMessage> for Message {
    fn from(value: types::UserMessage) -> Self {
        Self::UserMessage(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for Message {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "role")?;
        match tag.as_str() {
            "assistant" => {
                json::read_at_place::<json::Same, types::AssistantMessage, _>(text.get())
                    .map(Self::AssistantMessage)
            }
            "developer" => {
                json::read_at_place::<json::Same, types::SystemMessage, _>(text.get())
                    .map(Self::SystemMessage)
            }
            "function" => {
                json::read_at_place::<json::Same, types::FunctionMessage, _>(text.get())
                    .map(Self::FunctionMessage)
            }
            "system" => {
                json::read_at_place::<json::Same, types::SystemMessage, _>(text.get())
                    .map(Self::SystemMessage)
            }
            "tool" => {
                json::read_at_place::<json::Same, types::ToolMessage, _>(text.get())
                    .map(Self::ToolMessage)
            }
            "user" => {
                json::read_at_place::<json::Same, types::UserMessage, _>(text.get())
                    .map(Self::UserMessage)
            }
            other => {
                Err(
                    json::unknown_discriminator(
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
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum MessageContent {
    String(::std::string::String),
    Array(::std::vec::Vec<types::ContentPart>),
}
impl<'de> ::serde::Deserialize<'de> for MessageContent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same>,
                    ::std::vec::Vec<types::ContentPart>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A prompt message (it has a `role`), or a `Choice` of a chat completion to train on (it has a `message`). Both are taken as they are, with whatever else they carry; one that the chat template cannot use fails the job.
pub type MessageOrChoice = json::Verbatim<json::AnyObject>;
/// Text, or a list of parts that are joined without anything between them.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseContent {
    String(::std::string::String),
    Array(::std::vec::Vec<types::ResponseContentPart>),
}
impl<'de> ::serde::Deserialize<'de> for ResponseContent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same>,
                    ::std::vec::Vec<types::ResponseContentPart>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A part of an item. Images, sounds and files are refused (422).
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseContentPart {
    ResponseTextPart(types::ResponseTextPart),
    RefusalContentPart(types::RefusalContentPart),
}
impl ::std::convert::From<types::RefusalContentPart> for ResponseContentPart {
    fn from(value: types::RefusalContentPart) -> Self {
        Self::RefusalContentPart(value)
    }
}
impl ::std::convert::From<types::ResponseTextPart> for ResponseContentPart {
    fn from(value: types::ResponseTextPart) -> Self {
        Self::ResponseTextPart(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "input_text" => {
                json::read_at_place::<json::Same, types::ResponseTextPart, _>(text.get())
                    .map(Self::ResponseTextPart)
            }
            "output_text" => {
                json::read_at_place::<json::Same, types::ResponseTextPart, _>(text.get())
                    .map(Self::ResponseTextPart)
            }
            "reasoning_text" => {
                json::read_at_place::<json::Same, types::ResponseTextPart, _>(text.get())
                    .map(Self::ResponseTextPart)
            }
            "refusal" => {
                json::read_at_place::<
                    json::Same,
                    types::RefusalContentPart,
                    _,
                >(text.get())
                    .map(Self::RefusalContentPart)
            }
            "summary_text" => {
                json::read_at_place::<json::Same, types::ResponseTextPart, _>(text.get())
                    .map(Self::ResponseTextPart)
            }
            "text" => {
                json::read_at_place::<json::Same, types::ResponseTextPart, _>(text.get())
                    .map(Self::ResponseTextPart)
            }
            other => {
                Err(
                    json::unknown_discriminator(
                        "type",
                        other,
                        &[
                            "input_text",
                            "output_text",
                            "reasoning_text",
                            "refusal",
                            "summary_text",
                            "text",
                        ],
                    ),
                )
            }
        }
    }
}
/// Free text, any JSON object, or JSON that follows a schema.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseFormat {
    ResponseFormatText(types::ResponseFormatText),
    ResponseFormatJsonObject(types::ResponseFormatJsonObject),
    ResponseFormatJsonSchema(types::ResponseFormatJsonSchema),
}
impl ::std::convert::From<types::ResponseFormatJsonObject> for ResponseFormat {
    fn from(value: types::ResponseFormatJsonObject) -> Self {
        Self::ResponseFormatJsonObject(value)
    }
}
impl ::std::convert::From<types::ResponseFormatJsonSchema> for ResponseFormat {
    fn from(value: types::ResponseFormatJsonSchema) -> Self {
        Self::ResponseFormatJsonSchema(value)
    }
}
impl ::std::convert::From<types::ResponseFormatText> for ResponseFormat {
    fn from(value: types::ResponseFormatText) -> Self {
        Self::ResponseFormatText(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "json_object" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseFormatJsonObject,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatJsonObject)
            }
            "json_schema" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseFormatJsonSchema,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatJsonSchema)
            }
            "text" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseFormatText,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatText)
            }
            other => {
                Err(
                    json::unknown_discriminator(
                        "type",
                        other,
                        &["json_object", "json_schema", "text"],
                    ),
                )
            }
        }
    }
}
/// A message of the user, or the conversation so far. Prompt and answer together must fit the model's context, else 400.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseInput {
    String(::std::string::String),
    Array(::std::vec::Vec<types::ResponseInputItem>),
}
impl<'de> ::serde::Deserialize<'de> for ResponseInput {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same, 100000>,
                    ::std::vec::Vec<types::ResponseInputItem>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A piece of an answer.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseOutputItem {
    ResponseMessage(types::ResponseMessage),
    ResponseFunctionCall(types::ResponseFunctionCall),
    ResponseThoughts(types::ResponseThoughts),
}
impl ::std::convert::From<types::ResponseFunctionCall> for ResponseOutputItem {
    fn from(value: types::ResponseFunctionCall) -> Self {
        Self::ResponseFunctionCall(value)
    }
}
impl ::std::convert::From<types::ResponseMessage> for ResponseOutputItem {
    fn from(value: types::ResponseMessage) -> Self {
        Self::ResponseMessage(value)
    }
}
impl ::std::convert::From<types::ResponseThoughts> for ResponseOutputItem {
    fn from(value: types::ResponseThoughts) -> Self {
        Self::ResponseThoughts(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputItem {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "function_call" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseFunctionCall,
                    _,
                >(text.get())
                    .map(Self::ResponseFunctionCall)
            }
            "message" => {
                json::read_at_place::<json::Same, types::ResponseMessage, _>(text.get())
                    .map(Self::ResponseMessage)
            }
            "reasoning" => {
                json::read_at_place::<json::Same, types::ResponseThoughts, _>(text.get())
                    .map(Self::ResponseThoughts)
            }
            other => {
                Err(
                    json::unknown_discriminator(
                        "type",
                        other,
                        &["function_call", "message", "reasoning"],
                    ),
                )
            }
        }
    }
}
/// A part of an item.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseOutputPart {
    ResponseOutputText(types::ResponseOutputText),
    ResponseReasoningText(types::ResponseReasoningText),
}
impl ::std::convert::From<types::ResponseOutputText> for ResponseOutputPart {
    fn from(value: types::ResponseOutputText) -> Self {
        Self::ResponseOutputText(value)
    }
}
impl ::std::convert::From<types::ResponseReasoningText> for ResponseOutputPart {
    fn from(value: types::ResponseReasoningText) -> Self {
        Self::ResponseReasoningText(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "output_text" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseOutputText,
                    _,
                >(text.get())
                    .map(Self::ResponseOutputText)
            }
            "reasoning_text" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseReasoningText,
                    _,
                >(text.get())
                    .map(Self::ResponseReasoningText)
            }
            other => {
                Err(
                    json::unknown_discriminator(
                        "type",
                        other,
                        &["output_text", "reasoning_text"],
                    ),
                )
            }
        }
    }
}
/// Free text, any JSON object, or JSON that follows a schema.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseTextFormat {
    ResponseFormatText(types::ResponseFormatText),
    ResponseFormatJsonObject(types::ResponseFormatJsonObject),
    ResponseTextJsonSchema(types::ResponseTextJsonSchema),
}
impl ::std::convert::From<types::ResponseFormatJsonObject> for ResponseTextFormat {
    fn from(value: types::ResponseFormatJsonObject) -> Self {
        Self::ResponseFormatJsonObject(value)
    }
}
impl ::std::convert::From<types::ResponseFormatText> for ResponseTextFormat {
    fn from(value: types::ResponseFormatText) -> Self {
        Self::ResponseFormatText(value)
    }
}
impl ::std::convert::From<types::ResponseTextJsonSchema> for ResponseTextFormat {
    fn from(value: types::ResponseTextJsonSchema) -> Self {
        Self::ResponseTextJsonSchema(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTextFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "json_object" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseFormatJsonObject,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatJsonObject)
            }
            "json_schema" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseTextJsonSchema,
                    _,
                >(text.get())
                    .map(Self::ResponseTextJsonSchema)
            }
            "text" => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseFormatText,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatText)
            }
            other => {
                Err(
                    json::unknown_discriminator(
                        "type",
                        other,
                        &["json_object", "json_schema", "text"],
                    ),
                )
            }
        }
    }
}
/// A word, or the one function that must be called.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ResponseToolChoice {
    ToolChoiceMode(types::ToolChoiceMode),
    ResponseNamedTool(types::ResponseNamedTool),
}
impl ::std::convert::From<types::ResponseNamedTool> for ResponseToolChoice {
    fn from(value: types::ResponseNamedTool) -> Self {
        Self::ResponseNamedTool(value)
    }
}
impl ::std::convert::From<types::ToolChoiceMode> for ResponseToolChoice {
    fn from(value: types::ToolChoiceMode) -> Self {
        Self::ToolChoiceMode(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseToolChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::ToolChoiceMode, _>(text.get())
                    .map(Self::ToolChoiceMode)
            }
            json::JsonType::Object => {
                json::read_at_place::<
                    json::Same,
                    types::ResponseNamedTool,
                    _,
                >(text.get())
                    .map(Self::ResponseNamedTool)
            }
            other => {
                Err(
                    json::expected_type(
                        "one of \"none\", \"auto\", \"required\" or an object",
                        other,
                    ),
                )
            }
        }
    }
}
/// A text, or up to 16, each of at most 1024 characters.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum Stop {
    String(::std::string::String),
    Array(::std::vec::Vec<::std::string::String>),
}
impl<'de> ::serde::Deserialize<'de> for Stop {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, ::std::string::String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same, 16>,
                    ::std::vec::Vec<::std::string::String>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// What each part said when one of them failed, or a refusal from before anything was tried.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum SystemCheckFailure {
    SystemCheckResponse(types::SystemCheckResponse),
    ErrorResponse(types::ErrorResponse),
}
impl ::std::convert::From<types::ErrorResponse> for SystemCheckFailure {
    fn from(value: types::ErrorResponse) -> Self {
        Self::ErrorResponse(value)
    }
}
impl ::std::convert::From<types::SystemCheckResponse> for SystemCheckFailure {
    fn from(value: types::SystemCheckResponse) -> Self {
        Self::SystemCheckResponse(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for SystemCheckFailure {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        let members = json::Members::of(text.get())?;
        if members.has("api") || members.has("artifacts") || members.has("cpu_queue")
            || members.has("database") || members.has("disk") || members.has("gpu_queue")
        {
            return json::read_at_place::<
                json::Same,
                types::SystemCheckResponse,
                _,
            >(text.get())
                .map(Self::SystemCheckResponse);
        }
        if members.has("error") {
            return json::read_at_place::<json::Same, types::ErrorResponse, _>(text.get())
                .map(Self::ErrorResponse);
        }
        Err(
            json::no_telling_field(
                "`api` or `artifacts` or `cpu_queue` or `database` or `disk` or `gpu_queue` (SystemCheckResponse), `error` (ErrorResponse)",
            ),
        )
    }
}
/// `all-linear`, or names of projections in any order.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum TargetModules {
    AllLinear(types::AllLinear),
    Array(::std::vec::Vec<types::TargetModule>),
}
impl ::std::convert::From<types::AllLinear> for TargetModules {
    fn from(value: types::AllLinear) -> Self {
        Self::AllLinear(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for TargetModules {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::AllLinear, _>(text.get())
                    .map(Self::AllLinear)
            }
            json::JsonType::Array => {
                json::read_at_place::<
                    json::List<json::Same, 7>,
                    ::std::vec::Vec<types::TargetModule>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("one of \"all-linear\" or an array", other)),
        }
    }
}
/// A tool as the client wrote it, checked; the order of its keys is part of the prompt.
pub type Tool = json::Verbatim<types::ToolDefinition>;
/// A word, or the one function that must be called.
#[derive(
    ::std::clone::Clone,
    ::std::fmt::Debug,
    ::std::cmp::PartialEq,
    ::serde::Serialize
)]
#[serde(untagged)]
pub enum ToolChoice {
    ToolChoiceMode(types::ToolChoiceMode),
    NamedToolChoice(types::NamedToolChoice),
}
impl ::std::convert::From<types::NamedToolChoice> for ToolChoice {
    fn from(value: types::NamedToolChoice) -> Self {
        Self::NamedToolChoice(value)
    }
}
impl ::std::convert::From<types::ToolChoiceMode> for ToolChoice {
    fn from(value: types::ToolChoiceMode) -> Self {
        Self::ToolChoiceMode(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::std::result::Result<Self, D::Error> {
        let text = ::std::boxed::Box::<
            ::serde_json::value::RawValue,
        >::deserialize(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_place::<json::Same, types::ToolChoiceMode, _>(text.get())
                    .map(Self::ToolChoiceMode)
            }
            json::JsonType::Object => {
                json::read_at_place::<json::Same, types::NamedToolChoice, _>(text.get())
                    .map(Self::NamedToolChoice)
            }
            other => {
                Err(
                    json::expected_type(
                        "one of \"none\", \"auto\", \"required\" or an object",
                        other,
                    ),
                )
            }
        }
    }
}
