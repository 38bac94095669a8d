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
use crate::{json, validation::{self, Validate as _}};
/// Source of a new checkpoint; `type` selects the form.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum AddCheckpoint {
    CopiedCheckpoint(types::CopiedCheckpoint),
    ImportedAdapter(types::ImportedAdapter),
}
impl From<types::CopiedCheckpoint> for AddCheckpoint {
    fn from(value: types::CopiedCheckpoint) -> Self {
        Self::CopiedCheckpoint(value)
    }
}
impl From<types::ImportedAdapter> for AddCheckpoint {
    fn from(value: types::ImportedAdapter) -> Self {
        Self::ImportedAdapter(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for AddCheckpoint {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "copy" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::CopiedCheckpoint,
                    _,
                >(text.get())
                    .map(Self::CopiedCheckpoint)
            }
            "import" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ImportedAdapter,
                    _,
                >(text.get())
                    .map(Self::ImportedAdapter)
            }
            other => Err(json::unknown_discriminator("type", other, &["copy", "import"])),
        }
    }
}
/// A number of conversations, or `auto` for the value of the service (currently 2).
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum BatchSize {
    Integer(u64),
    AutoBatchSize(types::AutoBatchSize),
}
impl From<types::AutoBatchSize> for BatchSize {
    fn from(value: types::AutoBatchSize) -> Self {
        Self::AutoBatchSize(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for BatchSize {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_path::<json::Whole, u64, _>(text.get()).map(Self::Integer)
            }
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::AutoBatchSize,
                    _,
                >(text.get())
                    .map(Self::AutoBatchSize)
            }
            other => Err(json::expected_type("an integer or one of \"auto\"", other)),
        }
    }
}
/// A JSON body as sent, including unknown keys.
pub type CapturedBody = json::Verbatim<json::AnyObject>;
/// A validated message in the client's form; `role` selects the form. Further fields are passed to the chat template.
pub type ChatMessage = json::Verbatim<types::ChatMessageContent>;
/// A validated message in the client's form; `role` selects the form. Further fields are passed to the chat template.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ChatMessageContent {
    SystemMessage(types::SystemMessage),
    UserMessage(types::UserMessage),
    AssistantMessage(types::AssistantMessage),
    ToolMessage(types::ToolMessage),
    FunctionMessage(types::FunctionMessage),
}
impl From<types::AssistantMessage> for ChatMessageContent {
    fn from(value: types::AssistantMessage) -> Self {
        Self::AssistantMessage(value)
    }
}
impl From<types::FunctionMessage> for ChatMessageContent {
    fn from(value: types::FunctionMessage) -> Self {
        Self::FunctionMessage(value)
    }
}
impl From<types::SystemMessage> for ChatMessageContent {
    fn from(value: types::SystemMessage) -> Self {
        Self::SystemMessage(value)
    }
}
impl From<types::ToolMessage> for ChatMessageContent {
    fn from(value: types::ToolMessage) -> Self {
        Self::ToolMessage(value)
    }
}
impl From<types::UserMessage> for ChatMessageContent {
    fn from(value: types::UserMessage) -> Self {
        Self::UserMessage(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ChatMessageContent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "role")?;
        match tag.as_str() {
            "assistant" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::AssistantMessage,
                    _,
                >(text.get())
                    .map(Self::AssistantMessage)
            }
            "developer" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::SystemMessage,
                    _,
                >(text.get())
                    .map(Self::SystemMessage)
            }
            "function" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::FunctionMessage,
                    _,
                >(text.get())
                    .map(Self::FunctionMessage)
            }
            "system" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::SystemMessage,
                    _,
                >(text.get())
                    .map(Self::SystemMessage)
            }
            "tool" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ToolMessage,
                    _,
                >(text.get())
                    .map(Self::ToolMessage)
            }
            "user" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::UserMessage,
                    _,
                >(text.get())
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
/// One text, a list of texts, one prompt as a list of token ids, or a list of such lists. The spelling of a control token in a text is encoded as that token.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum CompletionPrompt {
    String(String),
    Array(Vec<types::CompletionPromptItem>),
}
impl<'de> ::serde::Deserialize<'de> for CompletionPrompt {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize, 100000>,
                    Vec<types::CompletionPromptItem>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A text, a token id in the vocabulary, or a list of token ids. Token ids cannot be mixed with texts or lists.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum CompletionPromptItem {
    String(String),
    Integer(u32),
    Array(Vec<u32>),
}
impl<'de> ::serde::Deserialize<'de> for CompletionPromptItem {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Number => {
                json::read_at_path::<json::Whole, u32, _>(text.get()).map(Self::Integer)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::Whole, 400000>,
                    Vec<u32>,
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
/// A part of a message. Images, audio and files are rejected (422).
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ContentPart {
    TextContentPart(types::TextContentPart),
    RefusalContentPart(types::RefusalContentPart),
}
impl From<types::RefusalContentPart> for ContentPart {
    fn from(value: types::RefusalContentPart) -> Self {
        Self::RefusalContentPart(value)
    }
}
impl From<types::TextContentPart> for ContentPart {
    fn from(value: types::TextContentPart) -> Self {
        Self::TextContentPart(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "refusal" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::RefusalContentPart,
                    _,
                >(text.get())
                    .map(Self::RefusalContentPart)
            }
            "text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::TextContentPart,
                    _,
                >(text.get())
                    .map(Self::TextContentPart)
            }
            other => {
                Err(json::unknown_discriminator("type", other, &["refusal", "text"]))
            }
        }
    }
}
/// A number of epochs, or `auto` for the value of the service (currently 3).
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum FineTuningEpochs {
    Integer(u64),
    AutoOption(types::AutoOption),
}
impl From<types::AutoOption> for FineTuningEpochs {
    fn from(value: types::AutoOption) -> Self {
        Self::AutoOption(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for FineTuningEpochs {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_path::<json::Whole, u64, _>(text.get()).map(Self::Integer)
            }
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::AutoOption,
                    _,
                >(text.get())
                    .map(Self::AutoOption)
            }
            other => Err(json::expected_type("an integer or one of \"auto\"", other)),
        }
    }
}
/// A validated function in the client's form; the order of its keys is part of the prompt.
pub type Function = json::Verbatim<types::FunctionDefinition>;
/// `none` or `auto`, or the one function that must be called.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum FunctionCallChoice {
    FunctionCallMode(types::FunctionCallMode),
    FunctionName(types::FunctionName),
}
impl From<types::FunctionCallMode> for FunctionCallChoice {
    fn from(value: types::FunctionCallMode) -> Self {
        Self::FunctionCallMode(value)
    }
}
impl From<types::FunctionName> for FunctionCallChoice {
    fn from(value: types::FunctionName) -> Self {
        Self::FunctionName(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for FunctionCallChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::FunctionCallMode,
                    _,
                >(text.get())
                    .map(Self::FunctionCallMode)
            }
            json::JsonType::Object => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::FunctionName,
                    _,
                >(text.get())
                    .map(Self::FunctionName)
            }
            other => {
                Err(json::expected_type("one of \"none\", \"auto\" or an object", other))
            }
        }
    }
}
/// A JSON schema, or its text.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum GuidedJson {
    String(String),
    JsonObject(types::JsonObject),
}
impl<'de> ::serde::Deserialize<'de> for GuidedJson {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Object => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::JsonObject,
                    _,
                >(text.get())
                    .map(Self::JsonObject)
            }
            other => Err(json::expected_type("a string or an object", other)),
        }
    }
}
/// Any JSON object; stored unchanged.
pub type JsonObject = json::Verbatim<json::AnyObject>;
/// One learning rate, or a list with one rate per optimizer step. A list shorter than the job fails it; surplus values are ignored.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum LearningRate {
    Number(f64),
    Array(Vec<f64>),
}
impl<'de> ::serde::Deserialize<'de> for LearningRate {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_path::<json::ViaDeserialize, f64, _>(text.get())
                    .map(Self::Number)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize, 400000>,
                    Vec<f64>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a number or an array", other)),
        }
    }
}
/// A factor, or `auto` for the value of the service (currently 1).
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum LearningRateMultiplier {
    Number(f64),
    AutoOption(types::AutoOption),
}
impl From<types::AutoOption> for LearningRateMultiplier {
    fn from(value: types::AutoOption) -> Self {
        Self::AutoOption(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for LearningRateMultiplier {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::Number => {
                json::read_at_path::<json::ViaDeserialize, f64, _>(text.get())
                    .map(Self::Number)
            }
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::AutoOption,
                    _,
                >(text.get())
                    .map(Self::AutoOption)
            }
            other => Err(json::expected_type("a number or one of \"auto\"", other)),
        }
    }
}
/// Text, or a list of parts that are concatenated without a separator.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum MessageContent {
    String(String),
    Array(Vec<types::ContentPart>),
}
impl<'de> ::serde::Deserialize<'de> for MessageContent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize>,
                    Vec<types::ContentPart>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// Text, or a list of blocks.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum MessageContentParam {
    String(String),
    Array(Vec<types::MessageBlockParam>),
}
impl<'de> ::serde::Deserialize<'de> for MessageContentParam {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize>,
                    Vec<types::MessageBlockParam>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A prompt message (with a `role`), or a `Choice` of a chat completion to train on (with a `message`). Both are stored with any further fields. A message that the chat template cannot render fails the job.
pub type MessageOrChoice = json::Verbatim<json::AnyObject>;
/// Text, or a list of text blocks.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum MessageResultParam {
    String(String),
    Array(Vec<types::MessageResultBlockParam>),
}
impl<'de> ::serde::Deserialize<'de> for MessageResultParam {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize>,
                    Vec<types::MessageResultBlockParam>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// Text, or a list of parts that are concatenated without a separator.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseContent {
    String(String),
    Array(Vec<types::ResponseContentPart>),
}
impl<'de> ::serde::Deserialize<'de> for ResponseContent {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize>,
                    Vec<types::ResponseContentPart>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// A part of an item. Images, audio and files are rejected (422).
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseContentPart {
    ResponseTextPart(types::ResponseTextPart),
    RefusalContentPart(types::RefusalContentPart),
}
impl From<types::RefusalContentPart> for ResponseContentPart {
    fn from(value: types::RefusalContentPart) -> Self {
        Self::RefusalContentPart(value)
    }
}
impl From<types::ResponseTextPart> for ResponseContentPart {
    fn from(value: types::ResponseTextPart) -> Self {
        Self::ResponseTextPart(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseContentPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "input_text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseTextPart,
                    _,
                >(text.get())
                    .map(Self::ResponseTextPart)
            }
            "output_text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseTextPart,
                    _,
                >(text.get())
                    .map(Self::ResponseTextPart)
            }
            "reasoning_text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseTextPart,
                    _,
                >(text.get())
                    .map(Self::ResponseTextPart)
            }
            "refusal" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::RefusalContentPart,
                    _,
                >(text.get())
                    .map(Self::RefusalContentPart)
            }
            "summary_text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseTextPart,
                    _,
                >(text.get())
                    .map(Self::ResponseTextPart)
            }
            "text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseTextPart,
                    _,
                >(text.get())
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
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseFormat {
    ResponseFormatText(types::ResponseFormatText),
    ResponseFormatJsonObject(types::ResponseFormatJsonObject),
    ResponseFormatJsonSchema(types::ResponseFormatJsonSchema),
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
impl From<types::ResponseFormatText> for ResponseFormat {
    fn from(value: types::ResponseFormatText) -> Self {
        Self::ResponseFormatText(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "json_object" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseFormatJsonObject,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatJsonObject)
            }
            "json_schema" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseFormatJsonSchema,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatJsonSchema)
            }
            "text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
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
/// A message of the user, or the conversation so far. Prompt and completion together must fit the model's context, otherwise 400.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseInput {
    String(String),
    Array(Vec<types::ResponseInputItem>),
}
impl<'de> ::serde::Deserialize<'de> for ResponseInput {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize, 30000>,
                    Vec<types::ResponseInputItem>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// An item of the output.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseOutputItem {
    ResponseMessage(types::ResponseMessage),
    ResponseFunctionCall(types::ResponseFunctionCall),
    ResponseCustomToolCall(types::ResponseCustomToolCall),
    ResponseThoughts(types::ResponseThoughts),
}
impl From<types::ResponseCustomToolCall> for ResponseOutputItem {
    fn from(value: types::ResponseCustomToolCall) -> Self {
        Self::ResponseCustomToolCall(value)
    }
}
impl From<types::ResponseFunctionCall> for ResponseOutputItem {
    fn from(value: types::ResponseFunctionCall) -> Self {
        Self::ResponseFunctionCall(value)
    }
}
impl From<types::ResponseMessage> for ResponseOutputItem {
    fn from(value: types::ResponseMessage) -> Self {
        Self::ResponseMessage(value)
    }
}
impl From<types::ResponseThoughts> for ResponseOutputItem {
    fn from(value: types::ResponseThoughts) -> Self {
        Self::ResponseThoughts(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputItem {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "custom_tool_call" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseCustomToolCall,
                    _,
                >(text.get())
                    .map(Self::ResponseCustomToolCall)
            }
            "function_call" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseFunctionCall,
                    _,
                >(text.get())
                    .map(Self::ResponseFunctionCall)
            }
            "message" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseMessage,
                    _,
                >(text.get())
                    .map(Self::ResponseMessage)
            }
            "reasoning" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseThoughts,
                    _,
                >(text.get())
                    .map(Self::ResponseThoughts)
            }
            other => {
                Err(
                    json::unknown_discriminator(
                        "type",
                        other,
                        &["custom_tool_call", "function_call", "message", "reasoning"],
                    ),
                )
            }
        }
    }
}
/// A part of an item.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseOutputPart {
    ResponseOutputText(types::ResponseOutputText),
    ResponseReasoningText(types::ResponseReasoningText),
}
impl From<types::ResponseOutputText> for ResponseOutputPart {
    fn from(value: types::ResponseOutputText) -> Self {
        Self::ResponseOutputText(value)
    }
}
impl From<types::ResponseReasoningText> for ResponseOutputPart {
    fn from(value: types::ResponseReasoningText) -> Self {
        Self::ResponseReasoningText(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseOutputPart {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "output_text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseOutputText,
                    _,
                >(text.get())
                    .map(Self::ResponseOutputText)
            }
            "reasoning_text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
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
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseTextFormat {
    ResponseFormatText(types::ResponseFormatText),
    ResponseFormatJsonObject(types::ResponseFormatJsonObject),
    ResponseTextJsonSchema(types::ResponseTextJsonSchema),
}
impl From<types::ResponseFormatJsonObject> for ResponseTextFormat {
    fn from(value: types::ResponseFormatJsonObject) -> Self {
        Self::ResponseFormatJsonObject(value)
    }
}
impl From<types::ResponseFormatText> for ResponseTextFormat {
    fn from(value: types::ResponseFormatText) -> Self {
        Self::ResponseFormatText(value)
    }
}
impl From<types::ResponseTextJsonSchema> for ResponseTextFormat {
    fn from(value: types::ResponseTextJsonSchema) -> Self {
        Self::ResponseTextJsonSchema(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseTextFormat {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let tag = json::discriminator(text.get(), "type")?;
        match tag.as_str() {
            "json_object" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseFormatJsonObject,
                    _,
                >(text.get())
                    .map(Self::ResponseFormatJsonObject)
            }
            "json_schema" => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseTextJsonSchema,
                    _,
                >(text.get())
                    .map(Self::ResponseTextJsonSchema)
            }
            "text" => {
                json::read_at_path::<
                    json::ViaDeserialize,
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
/// `none`, `auto` or `required`, or the tool that must be called, or the tools that may be.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ResponseToolChoice {
    ToolChoiceMode(types::ToolChoiceMode),
    ResponseChosenTool(types::ResponseChosenTool),
}
impl From<types::ResponseChosenTool> for ResponseToolChoice {
    fn from(value: types::ResponseChosenTool) -> Self {
        Self::ResponseChosenTool(value)
    }
}
impl From<types::ToolChoiceMode> for ResponseToolChoice {
    fn from(value: types::ToolChoiceMode) -> Self {
        Self::ToolChoiceMode(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ResponseToolChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ToolChoiceMode,
                    _,
                >(text.get())
                    .map(Self::ToolChoiceMode)
            }
            json::JsonType::Object => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ResponseChosenTool,
                    _,
                >(text.get())
                    .map(Self::ResponseChosenTool)
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
/// A text, or up to 16 texts, of at most 1024 characters each.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum Stop {
    String(String),
    Array(Vec<String>),
}
impl<'de> ::serde::Deserialize<'de> for Stop {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<json::ViaDeserialize, String, _>(text.get())
                    .map(Self::String)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize, 16>,
                    Vec<String>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("a string or an array", other)),
        }
    }
}
/// Result of each check after a failed check, or an error response sent before any check.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum SystemCheckFailure {
    SystemCheckResponse(types::SystemCheckResponse),
    ErrorResponse(types::ErrorResponse),
}
impl From<types::ErrorResponse> for SystemCheckFailure {
    fn from(value: types::ErrorResponse) -> Self {
        Self::ErrorResponse(value)
    }
}
impl From<types::SystemCheckResponse> for SystemCheckFailure {
    fn from(value: types::SystemCheckResponse) -> Self {
        Self::SystemCheckResponse(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for SystemCheckFailure {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        let members = json::Members::of(text.get())?;
        if members.has("api") || members.has("artifacts") || members.has("cpu_queue")
            || members.has("database") || members.has("disk") || members.has("gpu_queue")
            || members.has("instruction_set")
        {
            return json::read_at_path::<
                json::ViaDeserialize,
                types::SystemCheckResponse,
                _,
            >(text.get())
                .map(Self::SystemCheckResponse);
        }
        if members.has("error") {
            return json::read_at_path::<
                json::ViaDeserialize,
                types::ErrorResponse,
                _,
            >(text.get())
                .map(Self::ErrorResponse);
        }
        Err(
            json::missing_discriminating_field(
                "`api` or `artifacts` or `cpu_queue` or `database` or `disk` or `gpu_queue` or `instruction_set` (SystemCheckResponse), `error` (ErrorResponse)",
            ),
        )
    }
}
/// `all-linear`, or a list of projection names in any order.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum TargetModules {
    AllLinear(types::AllLinear),
    Array(Vec<types::TargetModule>),
}
impl From<types::AllLinear> for TargetModules {
    fn from(value: types::AllLinear) -> Self {
        Self::AllLinear(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for TargetModules {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::AllLinear,
                    _,
                >(text.get())
                    .map(Self::AllLinear)
            }
            json::JsonType::Array => {
                json::read_at_path::<
                    json::List<json::ViaDeserialize, 18>,
                    Vec<types::TargetModule>,
                    _,
                >(text.get())
                    .map(Self::Array)
            }
            other => Err(json::expected_type("one of \"all-linear\" or an array", other)),
        }
    }
}
/// A validated tool in the client's form; the order of its keys is part of the prompt.
pub type Tool = json::Verbatim<types::ToolDefinition>;
/// `none`, `auto` or `required`, or the one function that must be called, or the tools that may be.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
pub enum ToolChoice {
    ToolChoiceMode(types::ToolChoiceMode),
    NamedToolChoice(types::NamedToolChoice),
}
impl From<types::NamedToolChoice> for ToolChoice {
    fn from(value: types::NamedToolChoice) -> Self {
        Self::NamedToolChoice(value)
    }
}
impl From<types::ToolChoiceMode> for ToolChoice {
    fn from(value: types::ToolChoiceMode) -> Self {
        Self::ToolChoiceMode(value)
    }
}
impl<'de> ::serde::Deserialize<'de> for ToolChoice {
    fn deserialize<D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let text = json::text(deserializer)?;
        match json::JsonType::of(text.get()) {
            json::JsonType::String => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::ToolChoiceMode,
                    _,
                >(text.get())
                    .map(Self::ToolChoiceMode)
            }
            json::JsonType::Object => {
                json::read_at_path::<
                    json::ViaDeserialize,
                    types::NamedToolChoice,
                    _,
                >(text.get())
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
