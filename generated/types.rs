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
use crate::json;
pub use super::unions::{
    AddCheckpoint, BatchSize, CapturedBody, ChatMessage, ChatMessageContent,
    CompletionPrompt, CompletionPromptItem, ContentPart, FineTuningEpochs, Function,
    FunctionCallChoice, GuidedJson, JsonObject, LearningRate, LearningRateMultiplier,
    MessageContent, MessageContentParam, MessageOrChoice, MessageResultParam,
    ResponseContent, ResponseContentPart, ResponseFormat, ResponseInput,
    ResponseOutputItem, ResponseOutputPart, ResponseTextFormat, ResponseToolChoice, Stop,
    SystemCheckFailure, TargetModules, Tool, ToolChoice,
};
/// Type of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdapterImport {
    Import,
}
impl AdapterImport {
    pub const ALL: &'static [Self] = &[Self::Import];
    pub const NAMES: &'static [&'static str] = &["import"];
}
json::enumeration!(AdapterImport);
/// Every projection, except those of experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AllLinear {
    /// `all-linear`
    AllLinear,
}
impl AllLinear {
    pub const ALL: &'static [Self] = &[Self::AllLinear];
    pub const NAMES: &'static [&'static str] = &["all-linear"];
}
json::enumeration!(AllLinear);
/// A tool that may be called.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct AllowedTool {
    /// Name of a function, in chat completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<types::FunctionName>,
    /// Name of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Namespace of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Type of the tool.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for AllowedTool {
    const NAMES: &'static [&'static str] = &["function", "name", "namespace", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            function: f0.flatten(),
            name: f1.flatten(),
            namespace: f2.flatten(),
            type_: json::required(f3, "type")?,
            extra,
        })
    }
}
json::object!(AllowedTool);
/// Tools that may be called, all of them in `tools` (422).
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct AllowedTools {
    pub mode: types::AllowedToolsMode,
    /// Names of the tools that may be called.
    pub tools: Vec<types::AllowedTool>,
}
impl json::ReadObject for AllowedTools {
    const NAMES: &'static [&'static str] = &["mode", "tools"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize, 1024>, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            mode: json::required(f0, "mode")?,
            tools: json::required(f1, "tools")?,
        })
    }
}
json::object!(AllowedTools);
/// Whether one of the tools must be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AllowedToolsMode {
    Auto,
    Required,
}
impl AllowedToolsMode {
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Required];
    pub const NAMES: &'static [&'static str] = &["auto", "required"];
}
json::enumeration!(AllowedToolsMode);
/// A tar archive.
pub type Archive = crate::json::Binary;
/// `directory`: a directory of the file system; `bucket`: an S3-compatible object store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArtifactStoreKind {
    Directory,
    Bucket,
}
impl ArtifactStoreKind {
    pub const ALL: &'static [Self] = &[Self::Directory, Self::Bucket];
    pub const NAMES: &'static [&'static str] = &["directory", "bucket"];
}
json::enumeration!(ArtifactStoreKind);
/// A message of the assistant: text, tool calls or both.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct AssistantMessage {
    /// The text; null or absent if there are only tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<types::MessageContent>,
    /// Name of the author; its use depends on the chat template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Reasoning before the message, for chat templates that render it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// Refusal of the model instead of content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    pub role: types::AssistantRole,
    /// Tool calls of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<types::ToolCall>>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f5)?
                }
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: f0.flatten(),
            name: f1.flatten(),
            reasoning_content: f2.flatten(),
            refusal: f3.flatten(),
            role: json::required(f4, "role")?,
            tool_calls: f5.flatten(),
        })
    }
}
json::object!(AssistantMessage);
/// Role of the assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssistantRole {
    Assistant,
}
impl AssistantRole {
    pub const ALL: &'static [Self] = &[Self::Assistant];
    pub const NAMES: &'static [&'static str] = &["assistant"];
}
json::enumeration!(AssistantRole);
/// Assistant turns to train: `all`, or `last`, the last message of each conversation. With `last`, conversations that do not end with an assistant message are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssistantTurns {
    All,
    Last,
}
impl AssistantTurns {
    pub const ALL: &'static [Self] = &[Self::All, Self::Last];
    pub const NAMES: &'static [&'static str] = &["all", "last"];
}
json::enumeration!(AssistantTurns);
/// Selects the batch size of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AutoBatchSize {
    Auto,
}
impl AutoBatchSize {
    pub const ALL: &'static [Self] = &[Self::Auto];
    pub const NAMES: &'static [&'static str] = &["auto"];
}
json::enumeration!(AutoBatchSize);
/// Selects the value of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AutoOption {
    Auto,
}
impl AutoOption {
    pub const ALL: &'static [Self] = &[Self::Auto];
    pub const NAMES: &'static [&'static str] = &["auto"];
}
json::enumeration!(AutoOption);
/// A model that registered models are based on.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BaseModel {
    /// Maximum number of tokens of prompt and completion together.
    pub context_length: u64,
    /// Value for the `base_model` of a registered model.
    pub id: String,
    /// Memory that the model needs in the server; absent if the server does not read the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<types::MemoryEstimate>,
    /// Number of tokens in the vocabulary.
    pub vocabulary_size: u64,
    /// Storage format of the weights in the engine; null if the server does not read them, because vLLM servers sample the model and other processes train it.
    pub weights: Option<types::WeightFormat>,
}
impl json::ReadObject for BaseModel {
    const NAMES: &'static [&'static str] = &[
        "context_length",
        "id",
        "memory",
        "vocabulary_size",
        "weights",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            context_length: json::required(f0, "context_length")?,
            id: json::required(f1, "id")?,
            memory: f2.flatten(),
            vocabulary_size: json::required(f3, "vocabulary_size")?,
            weights: json::required(f4, "weights")?,
        })
    }
}
json::object!(BaseModel);
/// The base models of a service.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BaseModelList {
    /// All base models.
    pub data: Vec<types::BaseModel>,
    pub object: types::ListObject,
}
impl json::ReadObject for BaseModelList {
    const NAMES: &'static [&'static str] = &["data", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            object: json::required(f1, "object")?,
        })
    }
}
json::object!(BaseModelList);
/// A batch and its state.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct Batch {
    /// Time at which the status was first the one in the name; null before.
    pub cancelled_at: Option<i64>,
    /// Time at which the status was first the one in the name; null before.
    pub cancelling_at: Option<i64>,
    /// Time at which the status was first the one in the name; null before.
    pub completed_at: Option<i64>,
    pub completion_window: types::BatchWindow,
    /// Time of creation, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Path of the operation that handles the requests.
    pub endpoint: String,
    /// File of requests that failed, in the same form. Those that an expired batch did not come to have `response` null and `error` `{"code": "batch_expired", "message": …}`.
    pub error_file_id: Option<String>,
    /// Faults of the file, with status `failed`.
    pub errors: Option<types::BatchErrors>,
    /// Time at which the status was first the one in the name; null before.
    pub expired_at: Option<i64>,
    /// Time limit of the batch.
    pub expires_at: i64,
    /// Time at which the status was first the one in the name; null before.
    pub failed_at: Option<i64>,
    /// Time at which the status was first the one in the name; null before.
    pub finalizing_at: Option<i64>,
    /// Id of the batch.
    pub id: String,
    /// Time at which the status was first the one in the name; null before.
    pub in_progress_at: Option<i64>,
    /// File of requests.
    pub input_file_id: String,
    /// Notes of the owner.
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
    pub object: types::BatchObject,
    /// File of responses, once the batch has ended and has any. Each line is `{"id": …, "custom_id": …, "response": {"status_code": 200, "request_id": …, "body": …}, "error": null}`.
    pub output_file_id: Option<String>,
    pub request_counts: types::BatchRequestCounts,
    pub status: types::BatchStatus,
    /// Tokens of the responses so far; null before the first request.
    pub usage: Option<types::BatchUsage>,
}
impl json::ReadObject for Batch {
    const NAMES: &'static [&'static str] = &[
        "cancelled_at",
        "cancelling_at",
        "completed_at",
        "completion_window",
        "created_at",
        "endpoint",
        "error_file_id",
        "errors",
        "expired_at",
        "expires_at",
        "failed_at",
        "finalizing_at",
        "id",
        "in_progress_at",
        "input_file_id",
        "metadata",
        "object",
        "output_file_id",
        "request_counts",
        "status",
        "usage",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let mut f20 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::Whole>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::Whole>, _>(&mut f8)?,
                9 => from.fill::<json::Whole, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::Whole>, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::Whole>, _>(&mut f11)?,
                12 => from.fill::<json::ViaDeserialize, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::Whole>, _>(&mut f13)?,
                14 => from.fill::<json::ViaDeserialize, _>(&mut f14)?,
                15 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f15)?
                }
                16 => from.fill::<json::ViaDeserialize, _>(&mut f16)?,
                17 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f17)?,
                18 => from.fill::<json::ViaDeserialize, _>(&mut f18)?,
                19 => from.fill::<json::ViaDeserialize, _>(&mut f19)?,
                20 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f20)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            cancelled_at: json::required(f0, "cancelled_at")?,
            cancelling_at: json::required(f1, "cancelling_at")?,
            completed_at: json::required(f2, "completed_at")?,
            completion_window: json::required(f3, "completion_window")?,
            created_at: json::required(f4, "created_at")?,
            endpoint: json::required(f5, "endpoint")?,
            error_file_id: json::required(f6, "error_file_id")?,
            errors: json::required(f7, "errors")?,
            expired_at: json::required(f8, "expired_at")?,
            expires_at: json::required(f9, "expires_at")?,
            failed_at: json::required(f10, "failed_at")?,
            finalizing_at: json::required(f11, "finalizing_at")?,
            id: json::required(f12, "id")?,
            in_progress_at: json::required(f13, "in_progress_at")?,
            input_file_id: json::required(f14, "input_file_id")?,
            metadata: json::required(f15, "metadata")?,
            object: json::required(f16, "object")?,
            output_file_id: json::required(f17, "output_file_id")?,
            request_counts: json::required(f18, "request_counts")?,
            status: json::required(f19, "status")?,
            usage: json::required(f20, "usage")?,
        })
    }
}
json::object!(Batch);
/// Path of the operation that handles the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BatchEndpoint {
    /// `/v1/chat/completions`
    V1ChatCompletions,
    /// `/v1/responses`
    V1Responses,
    /// `/v1/completions`
    V1Completions,
    /// `/v1/messages`
    V1Messages,
}
impl BatchEndpoint {
    pub const ALL: &'static [Self] = &[
        Self::V1ChatCompletions,
        Self::V1Responses,
        Self::V1Completions,
        Self::V1Messages,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/completions",
        "/v1/messages",
    ];
}
json::enumeration!(BatchEndpoint);
/// Faults of a file.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchErrors {
    /// The first faults.
    pub data: Vec<types::BatchFault>,
    pub object: types::ListObject,
}
impl json::ReadObject for BatchErrors {
    const NAMES: &'static [&'static str] = &["data", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            object: json::required(f1, "object")?,
        })
    }
}
json::object!(BatchErrors);
/// A fault of a line, or of the whole file.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchFault {
    /// Kind of the fault.
    pub code: String,
    /// Number of the line, from 1.
    pub line: Option<u64>,
    /// Explanation.
    pub message: String,
    /// Field of the line.
    pub param: Option<String>,
}
impl json::ReadObject for BatchFault {
    const NAMES: &'static [&'static str] = &["code", "line", "message", "param"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            line: json::required(f1, "line")?,
            message: json::required(f2, "message")?,
            param: json::required(f3, "param")?,
        })
    }
}
json::object!(BatchFault);
/// Parts of the prompts' tokens.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchInputDetails {
    /// Tokens in the prefix cache.
    pub cached_tokens: u64,
}
impl json::ReadObject for BatchInputDetails {
    const NAMES: &'static [&'static str] = &["cached_tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            cached_tokens: json::required(f0, "cached_tokens")?,
        })
    }
}
json::object!(BatchInputDetails);
/// Object type of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BatchObject {
    Batch,
}
impl BatchObject {
    pub const ALL: &'static [Self] = &[Self::Batch];
    pub const NAMES: &'static [&'static str] = &["batch"];
}
json::enumeration!(BatchObject);
/// Parts of the sampled tokens.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchOutputDetails {
    /// Tokens of reasoning content.
    pub reasoning_tokens: u64,
}
impl json::ReadObject for BatchOutputDetails {
    const NAMES: &'static [&'static str] = &["reasoning_tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            reasoning_tokens: json::required(f0, "reasoning_tokens")?,
        })
    }
}
json::object!(BatchOutputDetails);
/// One page of batches.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchPage {
    /// The batches; at most `limit`.
    pub data: Vec<types::Batch>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for BatchPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(BatchPage);
/// Numbers of requests.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchRequestCounts {
    /// Requests that have a response.
    pub completed: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Requests of the file; 0 until it is checked.
    pub total: u64,
}
impl json::ReadObject for BatchRequestCounts {
    const NAMES: &'static [&'static str] = &["completed", "failed", "total"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            completed: json::required(f0, "completed")?,
            failed: json::required(f1, "failed")?,
            total: json::required(f2, "total")?,
        })
    }
}
json::object!(BatchRequestCounts);
/// `validating`: the file is being checked; `in_progress`: requests are handled; `finalizing`: the files of responses are written; `completed`: every request has a response or an error; `failed`: the file has faults; `expired`: the time limit passed; `cancelling`, `cancelled`: the owner cancelled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BatchStatus {
    Validating,
    /// `in_progress`
    InProgress,
    Finalizing,
    Completed,
    Failed,
    Expired,
    Cancelling,
    Cancelled,
}
impl BatchStatus {
    pub const ALL: &'static [Self] = &[
        Self::Validating,
        Self::InProgress,
        Self::Finalizing,
        Self::Completed,
        Self::Failed,
        Self::Expired,
        Self::Cancelling,
        Self::Cancelled,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "validating",
        "in_progress",
        "finalizing",
        "completed",
        "failed",
        "expired",
        "cancelling",
        "cancelled",
    ];
}
json::enumeration!(BatchStatus);
/// Tokens of responses.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct BatchUsage {
    /// Tokens of the prompts.
    pub input_tokens: u64,
    pub input_tokens_details: types::BatchInputDetails,
    /// Sampled tokens.
    pub output_tokens: u64,
    pub output_tokens_details: types::BatchOutputDetails,
    /// Sum of both.
    pub total_tokens: u64,
}
impl json::ReadObject for BatchUsage {
    const NAMES: &'static [&'static str] = &[
        "input_tokens",
        "input_tokens_details",
        "output_tokens",
        "output_tokens_details",
        "total_tokens",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            input_tokens: json::required(f0, "input_tokens")?,
            input_tokens_details: json::required(f1, "input_tokens_details")?,
            output_tokens: json::required(f2, "output_tokens")?,
            output_tokens_details: json::required(f3, "output_tokens_details")?,
            total_tokens: json::required(f4, "total_tokens")?,
        })
    }
}
json::object!(BatchUsage);
/// Time limit of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BatchWindow {
    /// `24h`
    N24h,
}
impl BatchWindow {
    pub const ALL: &'static [Self] = &[Self::N24h];
    pub const NAMES: &'static [&'static str] = &["24h"];
}
json::enumeration!(BatchWindow);
/// A request and its response. Further fields are stored.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CapturedExchange {
    /// Time of the response; orders exchanges that began at the same time.
    pub end_time: crate::json::DateTime,
    /// Name of the sampled model. Default: `model` of the request, or else of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// JSON body of the request.
    pub request: types::CapturedBody,
    /// JSON body of the response, with the token ids and log-probabilities of each choice.
    pub response: types::CapturedBody,
    /// Time of the request. Exchanges are processed in the order of these times, not in list order.
    pub start_time: crate::json::DateTime,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for CapturedExchange {
    const NAMES: &'static [&'static str] = &[
        "end_time",
        "model",
        "request",
        "response",
        "start_time",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            end_time: json::required(f0, "end_time")?,
            model: f1.flatten(),
            request: json::required(f2, "request")?,
            response: json::required(f3, "response")?,
            start_time: json::required(f4, "start_time")?,
            extra,
        })
    }
}
json::object!(CapturedExchange);
/// Requests and responses that the client captured during a rollout, by protocol. Exchanges with the trained model
/// (its name, with or without `:stepN`) are trained on the token ids and log-probabilities in the responses.
/// Exchanges with other models are neither read nor trained.
///
/// A request whose prompt tokens begin with all tokens of an earlier turn continues the sequence of that turn. Any
/// other request begins a new sequence. A sampled token is trained once for each prefix that leads to it. A rollout
/// whose exchanges lack token ids is dropped; `training_started` has its place and the reason.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct CapturedExchanges {
    /// Exchanges with `/chat/completions`. The client assembles a streamed response into one. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_completions: Option<Vec<types::CapturedExchange>>,
    /// Exchanges with `/completions`. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<Vec<types::CapturedExchange>>,
    /// Exchanges with Anthropic's `/messages`; with the trained model they need token ids and logprobs. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<types::CapturedExchange>>,
    /// Exchanges with `/responses`; with the trained model they need `token_generations`. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responses: Option<Vec<types::CapturedExchange>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for CapturedExchanges {
    const NAMES: &'static [&'static str] = &[
        "chat_completions",
        "completions",
        "messages",
        "responses",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f0)?
                }
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                2 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f2)?
                }
                3 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f3)?
                }
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            chat_completions: f0.flatten(),
            completions: f1.flatten(),
            messages: f2.flatten(),
            responses: f3.flatten(),
            extra,
        })
    }
}
json::object!(CapturedExchanges);
/// All completions of one request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ChatCompletion {
    /// The `n` completions, ordered by `index`.
    pub choices: Vec<types::Choice>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created: i64,
    /// Id of this completion; with `store` true, it is stored under it.
    pub id: String,
    /// Metadata of a stored completion; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
    /// `model` of the request.
    pub model: String,
    pub object: types::ChatCompletionObject,
    /// Log-probabilities of each token of the prompt and of its alternatives; requires `prompt_logprobs`. Null for the first token, which has no context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_logprobs: Option<
        Vec<Option<::std::collections::BTreeMap<String, types::PromptLogprob>>>,
    >,
    /// Token ids of the prompt; requires `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<Vec<u32>>,
    /// Always absent; clients expect the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    pub usage: types::Usage,
}
impl json::ReadObject for ChatCompletion {
    const NAMES: &'static [&'static str] = &[
        "choices",
        "created",
        "id",
        "metadata",
        "model",
        "object",
        "prompt_logprobs",
        "prompt_token_ids",
        "system_fingerprint",
        "usage",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f3)?
                }
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => {
                    from.fill::<
                            json::Nullable<
                                json::List<
                                    json::Nullable<json::Entries<json::ViaDeserialize>>,
                                >,
                            >,
                            _,
                        >(&mut f6)?
                }
                7 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            choices: json::required(f0, "choices")?,
            created: json::required(f1, "created")?,
            id: json::required(f2, "id")?,
            metadata: f3.flatten(),
            model: json::required(f4, "model")?,
            object: json::required(f5, "object")?,
            prompt_logprobs: f6.flatten(),
            prompt_token_ids: f7.flatten(),
            system_fingerprint: f8.flatten(),
            usage: json::required(f9, "usage")?,
        })
    }
}
json::object!(ChatCompletion);
/// A chunk of a streamed completion. Every chunk lists all choices by `index`; a choice without an update has an empty `delta`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ChatCompletionChunk {
    /// All choices; empty in the chunk with the usage.
    pub choices: Vec<types::ChunkChoice>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created: i64,
    /// Id of the response, the same in every chunk of a stream.
    pub id: String,
    /// `model` of the request.
    pub model: String,
    pub object: types::ChatCompletionChunkObject,
    /// Log-probabilities of each token of the prompt and of its alternatives, sent once before the first token of a completion; requires `prompt_logprobs`. Null for the first token, which has no context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_logprobs: Option<
        Vec<Option<::std::collections::BTreeMap<String, types::PromptLogprob>>>,
    >,
    /// Token ids of the prompt, in the first chunk; requires `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<Vec<u32>>,
    /// Always absent; clients expect the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// Usage in the last chunk, with `include_usage`; in every chunk with `continuous_usage_stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<types::Usage>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => {
                    from.fill::<
                            json::Nullable<
                                json::List<
                                    json::Nullable<json::Entries<json::ViaDeserialize>>,
                                >,
                            >,
                            _,
                        >(&mut f5)?
                }
                6 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            choices: json::required(f0, "choices")?,
            created: json::required(f1, "created")?,
            id: json::required(f2, "id")?,
            model: json::required(f3, "model")?,
            object: json::required(f4, "object")?,
            prompt_logprobs: f5.flatten(),
            prompt_token_ids: f6.flatten(),
            system_fingerprint: f7.flatten(),
            usage: f8.flatten(),
        })
    }
}
json::object!(ChatCompletionChunk);
/// Object type of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChatCompletionChunkObject {
    /// `chat.completion.chunk`
    ChatCompletionChunk,
}
impl ChatCompletionChunkObject {
    pub const ALL: &'static [Self] = &[Self::ChatCompletionChunk];
    pub const NAMES: &'static [&'static str] = &["chat.completion.chunk"];
}
json::enumeration!(ChatCompletionChunkObject);
/// Object type of a chat completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChatCompletionObject {
    /// `chat.completion`
    ChatCompletion,
}
impl ChatCompletionObject {
    pub const ALL: &'static [Self] = &[Self::ChatCompletion];
    pub const NAMES: &'static [&'static str] = &["chat.completion"];
}
json::enumeration!(ChatCompletionObject);
/// One page of stored chat completions.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ChatCompletionPage {
    /// The chat completions; at most `limit`.
    pub data: Vec<types::ChatCompletion>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for ChatCompletionPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(ChatCompletionPage);
/// A conversation and sampling options. Null means the same as absent.
///
/// An unknown field that resembles a documented one is rejected by name (422), because it is probably misspelt. Any
/// other unknown field is accepted for newer clients, and listed in the header `x-trainyard-warnings` of the
/// response. The same applies within `stream_options` and `structured_outputs`. Messages and tools may have any
/// further fields: they are passed to the chat template.
///
/// Fields of OpenAI's, vLLM's and Dynamo's APIs that cannot change the completion are ignored, and listed in that
/// header unless null or false: `metadata` without `store`, `nvext`, `prediction`, `priority`, `prompt_cache_key`,
/// `prompt_cache_options`, `prompt_cache_retention`, `request_id`, `safety_identifier`, `service_tier`,
/// `user`, `cache_salt`, `guided_decoding_backend`. `return_tokens_as_token_ids` is always treated as true.
///
/// Documented fields of these APIs that this service does not support are rejected by name (422,
/// `unsupported_parameter`), unless they are null or have the neutral value given in parentheses:
/// `allowed_token_ids`, `add_special_tokens` (false), `audio`, `bad_words` (empty), `best_of` (1), `chat_template`,
/// `documents`, `echo` (false), `guided_whitespace_pattern`, `kv_transfer_params`, `length_penalty` (1),
/// `logits_processors`, `mm_processor_kwargs`, `modalities` (text alone), `moderation`,
/// `spaces_between_special_tokens` (true), `thinking_token_budget`, `truncate_prompt_tokens`, `use_beam_search`
/// (false), `vllm_xargs`, `web_search_options` (empty).
///
/// The defaults of `temperature`, `top_p`, `top_k`, `min_p` and `repetition_penalty` come from the model's
/// `generation_config.json`; the defaults given here apply if that file does not set them.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ChatCompletionRequest {
    /// Ends the prompt with the start marker of the assistant's turn. Default true, or false with `continue_final_message`; true together with `continue_final_message` is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_generation_prompt: Option<bool>,
    /// Additional variables of the model's chat template, such as `enable_thinking` (default false). Variables that the service sets itself are rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_template_kwargs: Option<types::JsonObject>,
    /// Continues the last message, which must be the assistant's, from its last character. The completion contains only the continuation. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continue_final_message: Option<bool>,
    /// Value subtracted from a token's logit for each time that the completion already contains the token. Default 0. Reported log-probabilities are those of the model, before penalties.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
    /// Older form of `tool_choice`, for `functions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_call: Option<types::FunctionCallChoice>,
    /// Older form of `tools`. The model calls at most one function, in `function_call` of its message, and `finish_reason` is then `function_call`. Cannot be combined with `tools`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<Vec<types::Function>>,
    /// Restricts the completion to one of these texts. vLLM's older name of `structured_outputs.choice`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guided_choice: Option<Vec<String>>,
    /// Restricts the completion to this grammar, in llguidance's variant of Lark with the start rule `start`. vLLM's older name of `structured_outputs.grammar`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guided_grammar: Option<String>,
    /// Restricts the completion to JSON that follows this schema. vLLM's older name of `structured_outputs.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guided_json: Option<types::GuidedJson>,
    /// Restricts the whole completion to this regular expression, in the syntax of Rust's `regex` without look-around, back references and anchors. vLLM's older name of `structured_outputs.regex`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guided_regex: Option<String>,
    /// Ignores the model's end-of-turn token. A completion then has `max_completion_tokens` tokens unless a stop sequence ends it. Cannot be combined with structured output. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_eos: Option<bool>,
    /// Returns the reasoning in `reasoning_content`. Its tokens are counted and listed in either case. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_reasoning: Option<bool>,
    /// Keeps the text or token that ends a completion (`stop`, `stop_token_ids`) at its end. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_stop_str_in_output: Option<bool>,
    /// Biases added to the logits of tokens, by the token id in the vocabulary, written as a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logit_bias: Option<::std::collections::BTreeMap<String, f64>>,
    /// No effect; unlike in OpenAI's API, log-probabilities are always returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<bool>,
    /// Maximum number of tokens of each completion; takes precedence over `max_tokens`. Default and upper bound: the rest of the model's context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_completion_tokens: Option<u64>,
    /// Older name of `max_completion_tokens`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The conversation so far. Prompt and completion together must fit the model's context, otherwise 400.
    pub messages: Vec<types::ChatMessage>,
    /// Metadata of a stored completion, at most 16 texts of 512 characters by names of 64. Ignored unless `store` is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<types::JsonObject>,
    /// Minimum probability of a token, as a fraction of the most likely token's; less likely tokens are excluded. Default 0, disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// Minimum number of tokens of each completion before the model or a stop sequence can end it. Cannot be combined with structured output. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<u32>,
    /// Model to sample: a base model, `organization/model`, or a trained model, `wandb-artifact:///entity/project/name`, at its newest step, or with `:stepN` at that step. `wandb-artifact:///` may be omitted. An unknown name returns 404.
    pub model: String,
    /// Number of completions to sample, independent of each other. Default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Allows several tool calls in a completion; if false, it ends with its first call. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Value subtracted from the logit of each token that the completion already contains. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// Number of most likely alternatives to report for every token of the prompt, with the log-probability of the token, in `prompt_logprobs`. Default: disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_logprobs: Option<u32>,
    /// Reasoning effort of the model. A chat template that reads `reasoning_effort` receives the value. A template that reads `enable_thinking` enables reasoning unless the value is `none`. For other models, every value but `none` is named in `x-trainyard-warnings`. `chat_template_kwargs` takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// Repetition penalty: divides positive and multiplies negative logits of tokens that the prompt or the completion already contains. Default 1, disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// Format of the completion. Default: free text. A required tool call takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<types::ResponseFormat>,
    /// Selection of token ids in the response. True adds `prompt_token_ids` beside the choices, and the ids of the new tokens in chunks. False omits all lists of token ids, including those that choices have by default; trajectories with such choices are trained on prompts rendered again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_token_ids: Option<bool>,
    /// Seed of the random number generator, 64 bits. The same request with the same seed on the same weights returns the same completions, regardless of concurrent requests. Default: random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Omits control tokens from the text. With false, the text contains their spelling, except for the token that ends the completion. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_special_tokens: Option<bool>,
    /// Texts that end a completion and are not part of it. Empty texts are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<types::Stop>,
    /// Ids of tokens that end a completion; their text is not part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_token_ids: Option<Vec<u32>>,
    /// Stores the completion and its messages. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<bool>,
    /// Returns server-sent events, one chunk for each update. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// Options of a stream; ignored without `stream`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<types::StreamOptions>,
    /// Structured output: the format of the completion, given in exactly one way. Cannot be combined with a `response_format` other than text, with the `guided_` fields, or with a required tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_outputs: Option<types::StructuredOutputs>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1. Reported log-probabilities do not depend on it, as training requires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Policy of tool calls. Default `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<types::ToolChoice>,
    /// Functions that the model may call. The client executes the calls and sends the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::Tool>>,
    /// Number of most likely tokens to sample from. Default, 0 and -1: all tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Number of most likely alternatives to report for each token, with or without `logprobs`. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_logprobs: Option<u32>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Verbosity of the completion, for chat templates that read `verbosity`; for others, every value but `medium` is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<types::Verbosity>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let (mut f20, mut f21, mut f22, mut f23) = (None, None, None, None);
        let (mut f24, mut f25, mut f26, mut f27) = (None, None, None, None);
        let (mut f28, mut f29, mut f30, mut f31) = (None, None, None, None);
        let (mut f32, mut f33, mut f34, mut f35) = (None, None, None, None);
        let (mut f36, mut f37, mut f38, mut f39) = (None, None, None, None);
        let (mut f40, mut f41, mut f42, mut f43) = (None, None, None, None);
        let (mut f44, mut f45) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 128>>,
                            _,
                        >(&mut f5)?
                }
                6 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 4096>>,
                            _,
                        >(&mut f6)?
                }
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f12)?,
                13 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 1024>>,
                            _,
                        >(&mut f13)?
                }
                14 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f14)?,
                15 => from.fill::<json::Nullable<json::Whole>, _>(&mut f15)?,
                16 => from.fill::<json::Nullable<json::Whole>, _>(&mut f16)?,
                17 => from.fill::<json::List<json::ViaDeserialize, 30000>, _>(&mut f17)?,
                18 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f18)?,
                19 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f19)?,
                20 => from.fill::<json::Nullable<json::Whole>, _>(&mut f20)?,
                21 => from.fill::<json::ViaDeserialize, _>(&mut f21)?,
                22 => from.fill::<json::Nullable<json::Whole>, _>(&mut f22)?,
                23 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f23)?,
                24 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f24)?,
                25 => from.fill::<json::Nullable<json::Whole>, _>(&mut f25)?,
                26 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f26)?,
                27 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f27)?,
                28 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f28)?,
                29 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f29)?,
                30 => from.fill::<json::Nullable<json::Whole>, _>(&mut f30)?,
                31 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f31)?,
                32 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f32)?,
                33 => {
                    from.fill::<
                            json::Nullable<json::List<json::Whole, 128>>,
                            _,
                        >(&mut f33)?
                }
                34 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f34)?,
                35 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f35)?,
                36 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f36)?,
                37 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f37)?,
                38 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f38)?,
                39 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f39)?,
                40 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 128>>,
                            _,
                        >(&mut f40)?
                }
                41 => from.fill::<json::Nullable<json::Whole>, _>(&mut f41)?,
                42 => from.fill::<json::Nullable<json::Whole>, _>(&mut f42)?,
                43 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f43)?,
                44 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f44)?,
                45 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f45)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        from.count(0, 192)?;
        Ok(Self {
            add_generation_prompt: f0.flatten(),
            chat_template_kwargs: f1.flatten(),
            continue_final_message: f2.flatten(),
            frequency_penalty: f3.flatten(),
            function_call: f4.flatten(),
            functions: f5.flatten(),
            guided_choice: f6.flatten(),
            guided_grammar: f7.flatten(),
            guided_json: f8.flatten(),
            guided_regex: f9.flatten(),
            ignore_eos: f10.flatten(),
            include_reasoning: f11.flatten(),
            include_stop_str_in_output: f12.flatten(),
            logit_bias: f13.flatten(),
            logprobs: f14.flatten(),
            max_completion_tokens: f15.flatten(),
            max_tokens: f16.flatten(),
            messages: json::required(f17, "messages")?,
            metadata: f18.flatten(),
            min_p: f19.flatten(),
            min_tokens: f20.flatten(),
            model: json::required(f21, "model")?,
            n: f22.flatten(),
            parallel_tool_calls: f23.flatten(),
            presence_penalty: f24.flatten(),
            prompt_logprobs: f25.flatten(),
            reasoning_effort: f26.flatten(),
            repetition_penalty: f27.flatten(),
            response_format: f28.flatten(),
            return_token_ids: f29.flatten(),
            seed: f30.flatten(),
            skip_special_tokens: f31.flatten(),
            stop: f32.flatten(),
            stop_token_ids: f33.flatten(),
            store: f34.flatten(),
            stream: f35.flatten(),
            stream_options: f36.flatten(),
            structured_outputs: f37.flatten(),
            temperature: f38.flatten(),
            tool_choice: f39.flatten(),
            tools: f40.flatten(),
            top_k: f41.flatten(),
            top_logprobs: f42.flatten(),
            top_p: f43.flatten(),
            user: f44.flatten(),
            verbosity: f45.flatten(),
            extra,
        })
    }
}
json::object!(ChatCompletionRequest);
/// A saved step of a model.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct Checkpoint {
    /// UUID of the checkpoint; the cursor of this item.
    pub id: String,
    /// The job's metrics by name, each the mean over its gradient steps; empty for step 0 and for a job with nothing to learn.
    pub metrics: ::std::collections::BTreeMap<String, f64>,
    /// Number of the step within its model. 0 is the untrained model, each job adds 1. Never reused.
    pub step: u64,
}
impl json::ReadObject for Checkpoint {
    const NAMES: &'static [&'static str] = &["id", "metrics", "step"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Entries<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            id: json::required(f0, "id")?,
            metrics: json::required(f1, "metrics")?,
            step: json::required(f2, "step")?,
        })
    }
}
json::object!(Checkpoint);
/// Type of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckpointCopy {
    Copy,
}
impl CheckpointCopy {
    pub const ALL: &'static [Self] = &[Self::Copy];
    pub const NAMES: &'static [&'static str] = &["copy"];
}
json::enumeration!(CheckpointCopy);
/// A saved step of a model, with its files.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CheckpointDetail {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Files of the checkpoint. An adapter has the two files that PEFT loads; a fully trained model has its weights and their configuration. Step 0, the base model itself, has none.
    pub files: Vec<types::CheckpointFile>,
    /// UUID of the checkpoint; the cursor of this item in the list of checkpoints.
    pub id: String,
    /// Metrics of the job, as in the list of checkpoints.
    pub metrics: ::std::collections::BTreeMap<String, f64>,
    /// Model of the checkpoint.
    pub model_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize, 2>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Entries<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::Whole, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created_at: json::required(f0, "created_at")?,
            files: json::required(f1, "files")?,
            id: json::required(f2, "id")?,
            metrics: json::required(f3, "metrics")?,
            model_id: json::required(f4, "model_id")?,
            step: json::required(f5, "step")?,
        })
    }
}
json::object!(CheckpointDetail);
/// One file of a checkpoint.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CheckpointFile {
    /// Size in bytes.
    pub bytes: u64,
    /// Name of the file, used to download it.
    pub name: String,
    /// SHA-256 of the content in hexadecimal digits.
    pub sha256: String,
}
impl json::ReadObject for CheckpointFile {
    const NAMES: &'static [&'static str] = &["bytes", "name", "sha256"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            bytes: json::required(f0, "bytes")?,
            name: json::required(f1, "name")?,
            sha256: json::required(f2, "sha256")?,
        })
    }
}
json::object!(CheckpointFile);
/// Provenance of a checkpoint.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CheckpointManifest {
    /// Content of the manifest. `made_by` is registration, training, copy or import. `previous_sha256` is the hash of the manifest of the previous step, regardless of the source of that step. `parent` has model, step and `manifest_sha256` of the checkpoint that this one was created from; null if the source is the base model or lies outside this service. `base_model.sha256` is the SHA-256 of one line with the name of a file and one line with its SHA-256, for each file of the base model. `files` and `optimizer` list the parts of the checkpoint by SHA-256. `training` has the job, its type, its options with the defaults filled in, the SHA-256 of the options as sent and of the data, the storage format of the base model's weights, and the reference checkpoint. `program` identifies the program that computed the step; its `learner` has device, element type, processes and versions of the remote learner that trained it, if one did.
    pub manifest: types::JsonObject,
    /// SHA-256 of the bytes of `manifest` as they are in this response, in hexadecimal digits.
    pub sha256: String,
    /// Step of the checkpoint.
    pub step: u64,
}
impl json::ReadObject for CheckpointManifest {
    const NAMES: &'static [&'static str] = &["manifest", "sha256", "step"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            manifest: json::required(f0, "manifest")?,
            sha256: json::required(f1, "sha256")?,
            step: json::required(f2, "step")?,
        })
    }
}
json::object!(CheckpointManifest);
/// One page of checkpoints.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CheckpointPage {
    /// The checkpoints; at most `limit`.
    pub data: Vec<types::Checkpoint>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(CheckpointPage);
/// One completion. Put it into a trajectory unchanged.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct Choice {
    pub finish_reason: types::FinishReason,
    /// Number of the completion, from 0.
    pub index: u32,
    /// The sampled tokens and their log-probabilities; always present, unlike in OpenAI's API.
    pub logprobs: Option<types::ChoiceLogprobs>,
    pub message: types::ChoiceMessage,
    /// Ids of the prompt tokens of this completion; absent if `return_token_ids` is false. Training uses exactly this context, even if the messages are changed later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<Vec<u32>>,
    /// Ids of the sampled tokens; absent if `return_token_ids` is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_ids: Option<Vec<u32>>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            finish_reason: json::required(f0, "finish_reason")?,
            index: json::required(f1, "index")?,
            logprobs: json::required(f2, "logprobs")?,
            message: json::required(f3, "message")?,
            prompt_token_ids: f4.flatten(),
            token_ids: f5.flatten(),
        })
    }
}
json::object!(Choice);
/// Update to append to the message of a choice. Absent fields have no update.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ChoiceDelta {
    /// Text to append.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Fragment of the function call, for a request with `functions`; only the first has the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_call: Option<types::FunctionCallDelta>,
    /// Reasoning to append.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// Always absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<types::AssistantRole>,
    /// New tool calls and fragments of calls, identified by `index`; only the first fragment has `id` and name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<types::ToolCallDelta>>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: f0.flatten(),
            function_call: f1.flatten(),
            reasoning_content: f2.flatten(),
            refusal: f3.flatten(),
            role: f4,
            tool_calls: f5,
        })
    }
}
json::object!(ChoiceDelta);
/// Log-probabilities of a completion.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ChoiceLogprobs {
    /// Every sampled token in order, including those of tool calls and the token that ends the completion.
    pub content: Option<Vec<types::TokenLogprob>>,
    /// Always null.
    pub refusal: Option<Vec<types::TokenLogprob>>,
}
impl json::ReadObject for ChoiceLogprobs {
    const NAMES: &'static [&'static str] = &["content", "refusal"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f0)?
                }
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            refusal: json::required(f1, "refusal")?,
        })
    }
}
json::object!(ChoiceLogprobs);
/// Message of a completion: text, tool calls, or both.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ChoiceMessage {
    /// The text; null if there are only calls.
    pub content: Option<String>,
    /// Function call, for a request with `functions`; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_call: Option<types::FunctionCall>,
    /// Reasoning before the message, for models whose chat template defines reasoning markers; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// Always null.
    pub refusal: Option<String>,
    pub role: types::AssistantRole,
    /// Tool calls in order; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<types::ToolCall>>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            function_call: f1.flatten(),
            reasoning_content: f2.flatten(),
            refusal: json::required(f3, "refusal")?,
            role: json::required(f4, "role")?,
            tool_calls: f5,
        })
    }
}
json::object!(ChoiceMessage);
/// Update of one choice.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ChunkChoice {
    pub delta: types::ChoiceDelta,
    /// Reason of the end; null until the choice ends.
    pub finish_reason: Option<types::FinishReason>,
    /// Number of the completion, from 0.
    pub index: u32,
    /// The new tokens; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<types::ChoiceLogprobs>,
    /// Ids of the new tokens; requires `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_ids: Option<Vec<u32>>,
}
impl json::ReadObject for ChunkChoice {
    const NAMES: &'static [&'static str] = &[
        "delta",
        "finish_reason",
        "index",
        "logprobs",
        "token_ids",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            delta: json::required(f0, "delta")?,
            finish_reason: json::required(f1, "finish_reason")?,
            index: json::required(f2, "index")?,
            logprobs: f3.flatten(),
            token_ids: f4.flatten(),
        })
    }
}
json::object!(ChunkChoice);
/// A compacted conversation.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CompactedResponse {
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Id of the compaction; nothing is stored under it.
    pub id: String,
    pub object: types::CompactedResponseObject,
    /// The messages of the user, then the compaction.
    pub output: Vec<types::ResponseStoredItem>,
    pub usage: types::ResponseUsage,
}
impl json::ReadObject for CompactedResponse {
    const NAMES: &'static [&'static str] = &[
        "created_at",
        "id",
        "object",
        "output",
        "usage",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created_at: json::required(f0, "created_at")?,
            id: json::required(f1, "id")?,
            object: json::required(f2, "object")?,
            output: json::required(f3, "output")?,
            usage: json::required(f4, "usage")?,
        })
    }
}
json::object!(CompactedResponse);
/// Object type of a compacted conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompactedResponseObject {
    /// `response.compaction`
    ResponseCompaction,
}
impl CompactedResponseObject {
    pub const ALL: &'static [Self] = &[Self::ResponseCompaction];
    pub const NAMES: &'static [&'static str] = &["response.compaction"];
}
json::enumeration!(CompactedResponseObject);
/// All completions of a request, or in a stream an update of them.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct Completion {
    /// Completions ordered by `index`: `n` of the first prompt, then those of the other prompts; in a stream, those with an update.
    pub choices: Vec<types::CompletionChoice>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created: i64,
    /// Id of this response. Nothing is stored under it.
    pub id: String,
    /// `model` of the request.
    pub model: String,
    pub object: types::CompletionObject,
    /// Always absent; clients expect the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// Token counts of the request; the tokens of each prompt count once. In a stream, present if `stream_options` requests it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<types::Usage>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            choices: json::required(f0, "choices")?,
            created: json::required(f1, "created")?,
            id: json::required(f2, "id")?,
            model: json::required(f3, "model")?,
            object: json::required(f4, "object")?,
            system_fingerprint: f5.flatten(),
            usage: f6.flatten(),
        })
    }
}
json::object!(Completion);
/// One completion, or in a stream an update of it.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CompletionChoice {
    /// Reason of the end; null in a stream until the completion ends.
    pub finish_reason: Option<types::CompletionFinishReason>,
    /// Number of the completion, from 0. Divided by `n` and rounded down, it is the number of the prompt.
    pub index: u32,
    /// The tokens and their log-probabilities; requires `logprobs`.
    pub logprobs: Option<types::CompletionLogprobs>,
    /// Token ids of the prompt; see `return_token_ids`. In a stream, sent with the first update of a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<Vec<u32>>,
    /// The generated text; with `echo`, after the text of the prompt.
    pub text: String,
    /// Ids of the generated tokens; see `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_ids: Option<Vec<u32>>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            finish_reason: json::required(f0, "finish_reason")?,
            index: json::required(f1, "index")?,
            logprobs: json::required(f2, "logprobs")?,
            prompt_token_ids: f3.flatten(),
            text: json::required(f4, "text")?,
            token_ids: f5.flatten(),
        })
    }
}
json::object!(CompletionChoice);
/// `stop`: the model or a stop sequence ended the completion; `length`: the token limit or the context ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompletionFinishReason {
    Stop,
    Length,
}
impl CompletionFinishReason {
    pub const ALL: &'static [Self] = &[Self::Stop, Self::Length];
    pub const NAMES: &'static [&'static str] = &["stop", "length"];
}
json::enumeration!(CompletionFinishReason);
/// Tokens and their log-probabilities: with `echo` those of the prompt first, then the generated ones, including the token that ends the completion. The lists have equal length.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CompletionLogprobs {
    /// Offsets of the tokens in `text`, in characters (Unicode code points).
    pub text_offset: Vec<u64>,
    /// Natural logarithms of the tokens' probabilities, the same bit for bit as in chat and training. Null for the first token of a prompt, which has no context.
    pub token_logprobs: Vec<Option<f64>>,
    /// Texts of the tokens. A control token has its spelling; a part of a character has `bytes:` and its bytes, as in `bytes:\xe2\x98`. See `return_tokens_as_token_ids`.
    pub tokens: Vec<String>,
    /// Most likely tokens at each position, as many as `logprobs` requests, and the token itself, named as in `tokens`. Of several tokens with the same text, the most likely one is listed. Null for the first token of a prompt.
    pub top_logprobs: Vec<Option<::std::collections::BTreeMap<String, f64>>>,
}
impl json::ReadObject for CompletionLogprobs {
    const NAMES: &'static [&'static str] = &[
        "text_offset",
        "token_logprobs",
        "tokens",
        "top_logprobs",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::Whole>, _>(&mut f0)?,
                1 => {
                    from.fill::<
                            json::List<json::Nullable<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                3 => {
                    from.fill::<
                            json::List<
                                json::Nullable<json::Entries<json::ViaDeserialize>>,
                            >,
                            _,
                        >(&mut f3)?
                }
                _ => from.skip()?,
            }
        }
        Ok(Self {
            text_offset: json::required(f0, "text_offset")?,
            token_logprobs: json::required(f1, "token_logprobs")?,
            tokens: json::required(f2, "tokens")?,
            top_logprobs: json::required(f3, "top_logprobs")?,
        })
    }
}
json::object!(CompletionLogprobs);
/// Object type of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompletionObject {
    /// `text_completion`
    TextCompletion,
}
impl CompletionObject {
    pub const ALL: &'static [Self] = &[Self::TextCompletion];
    pub const NAMES: &'static [&'static str] = &["text_completion"];
}
json::enumeration!(CompletionObject);
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
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CompletionRequest {
    /// Adds the tokens that the model's tokenizer puts before every text, such as a beginning-of-text token. They are not added twice, and never to a prompt of tokens. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_special_tokens: Option<bool>,
    /// Compatibility field; returns 422 unless it equals `n`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_of: Option<u32>,
    /// Puts the prompt before each completion, and the log-probabilities of its tokens before those in `logprobs`. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub echo: Option<bool>,
    /// Value subtracted from a token's logit for each time that the completion already contains the token. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
    /// Ignores the model's end-of-turn tokens. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_eos: Option<bool>,
    /// Keeps the text or token that ends a completion (`stop`, `stop_token_ids`) at its end. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_stop_str_in_output: Option<bool>,
    /// Biases added to the logits of tokens, by the token id in the vocabulary, written as a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logit_bias: Option<::std::collections::BTreeMap<String, f64>>,
    /// Number of most likely tokens to report at each position, with the log-probability of the token. Default: disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<u32>,
    /// Maximum number of tokens of each completion. 0 generates none and only scores the prompt. Default 16. The upper bound is the rest of the model's context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Minimum probability of a token, as a fraction of the most likely token's; less likely tokens are excluded. Default 0, disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// Minimum number of tokens of each completion before the model or a stop sequence can end it. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<u32>,
    /// Model to sample, named as in chat completions. An unknown name returns 404.
    pub model: String,
    /// Number of completions to sample per prompt, independent of each other; at most 128 for all prompts together. Default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Value subtracted from the logit of each token that the completion already contains. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// Prompts to continue. A prompt and its completion together must fit the model's context, otherwise 400.
    pub prompt: types::CompletionPrompt,
    /// Repetition penalty: divides positive and multiplies negative logits of tokens that the prompt or the completion already contains. Default 1, disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// Adds the token ids of the completion and of its prompt to each choice. Default: true without a stream, false in a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_token_ids: Option<bool>,
    /// Identifies tokens in `logprobs` by id, as `token_id:N`, instead of by text. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_tokens_as_token_ids: Option<bool>,
    /// Seed of the random number generator, 64 bits. A prompt with the same seed on the same weights has the same completions, regardless of the other prompts. A chat completion of the same tokens with the same seed is the same too. Default: random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Omits control tokens from the generated text. With false, the text contains their spelling, except for the token that ends the completion. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_special_tokens: Option<bool>,
    /// Texts that end a completion and are not part of it. Empty texts are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<types::Stop>,
    /// Ids of tokens that end a completion; their text is not part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_token_ids: Option<Vec<u32>>,
    /// Returns server-sent events, one chunk for each update. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// Options of a stream; ignored without `stream`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<types::StreamOptions>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1. Reported log-probabilities do not depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Number of most likely tokens to sample from. Default, 0 and -1: all tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let (mut f20, mut f21, mut f22, mut f23) = (None, None, None, None);
        let (mut f24, mut f25, mut f26, mut f27) = (None, None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 1024>>,
                            _,
                        >(&mut f6)?
                }
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::Whole>, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::Whole>, _>(&mut f10)?,
                11 => from.fill::<json::ViaDeserialize, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::Whole>, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f13)?,
                14 => from.fill::<json::ViaDeserialize, _>(&mut f14)?,
                15 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f15)?,
                16 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f16)?,
                17 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f17)?,
                18 => from.fill::<json::Nullable<json::Whole>, _>(&mut f18)?,
                19 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f19)?,
                20 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f20)?,
                21 => {
                    from.fill::<
                            json::Nullable<json::List<json::Whole, 128>>,
                            _,
                        >(&mut f21)?
                }
                22 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f22)?,
                23 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f23)?,
                24 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f24)?,
                25 => from.fill::<json::Nullable<json::Whole>, _>(&mut f25)?,
                26 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f26)?,
                27 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f27)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            add_special_tokens: f0.flatten(),
            best_of: f1.flatten(),
            echo: f2.flatten(),
            frequency_penalty: f3.flatten(),
            ignore_eos: f4.flatten(),
            include_stop_str_in_output: f5.flatten(),
            logit_bias: f6.flatten(),
            logprobs: f7.flatten(),
            max_tokens: f8.flatten(),
            min_p: f9.flatten(),
            min_tokens: f10.flatten(),
            model: json::required(f11, "model")?,
            n: f12.flatten(),
            presence_penalty: f13.flatten(),
            prompt: json::required(f14, "prompt")?,
            repetition_penalty: f15.flatten(),
            return_token_ids: f16.flatten(),
            return_tokens_as_token_ids: f17.flatten(),
            seed: f18.flatten(),
            skip_special_tokens: f19.flatten(),
            stop: f20.flatten(),
            stop_token_ids: f21.flatten(),
            stream: f22.flatten(),
            stream_options: f23.flatten(),
            temperature: f24.flatten(),
            top_k: f25.flatten(),
            top_p: f26.flatten(),
            user: f27.flatten(),
            extra,
        })
    }
}
json::object!(CompletionRequest);
/// Log-probability by text of the token.
pub type CompletionTopLogprobs = ::std::collections::BTreeMap<String, f64>;
/// A step to copy.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CopiedCheckpoint {
    /// Model of the step: this model, or another one of your entity.
    pub model_id: String,
    /// Number of the step.
    pub step: u64,
    #[serde(rename = "type")]
    pub type_: types::CheckpointCopy,
}
impl json::ReadObject for CopiedCheckpoint {
    const NAMES: &'static [&'static str] = &["model_id", "step", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            model_id: json::required(f0, "model_id")?,
            step: json::required(f1, "step")?,
            type_: json::required(f2, "type")?,
        })
    }
}
json::object!(CopiedCheckpoint);
/// A batch to create. Null means the same as absent.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateBatch {
    pub completion_window: types::BatchWindow,
    pub endpoint: types::BatchEndpoint,
    /// `id` of a file uploaded with purpose `batch`. An unknown file returns 404.
    pub input_file_id: String,
    /// Notes of the owner; without effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
    /// Lifetime of the files of responses. Default: they stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_expires_after: Option<types::FileExpiry>,
}
impl json::ReadObject for CreateBatch {
    const NAMES: &'static [&'static str] = &[
        "completion_window",
        "endpoint",
        "input_file_id",
        "metadata",
        "output_expires_after",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f3)?
                }
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            completion_window: json::required(f0, "completion_window")?,
            endpoint: json::required(f1, "endpoint")?,
            input_file_id: json::required(f2, "input_file_id")?,
            metadata: f3.flatten(),
            output_expires_after: f4.flatten(),
        })
    }
}
json::object!(CreateBatch);
/// A file to upload.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateFile {
    /// Lifetime of the file, as JSON or as the parts `expires_after[anchor]` and `expires_after[seconds]`. Default: it stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_after: Option<types::FileExpiry>,
    /// Content of the file, in a part that has a file name.
    pub file: crate::json::Binary,
    pub purpose: types::FilePurpose,
}
impl json::ReadObject for CreateFile {
    const NAMES: &'static [&'static str] = &["expires_after", "file", "purpose"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self {
            expires_after: f0,
            file: json::required(f1, "file")?,
            purpose: json::required(f2, "purpose")?,
        })
    }
}
json::object!(CreateFile);
/// A supervised job in the format of OpenAI's fine-tuning API. Null means the same as absent.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateFineTuningJob {
    /// Older location of the training options; `method.supervised.hyperparameters` takes precedence for an option in both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hyperparameters: Option<types::FineTuningOptions>,
    /// Not supported; any item returns 422.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrations: Option<Vec<types::JsonObject>>,
    /// Notes of the owner; without effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
    /// Training method. Default `supervised` with default options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<types::FineTuningMethod>,
    /// Model that training starts from: the `id` of a base model, or the inference name of a trained model of the key's entity. The name selects the newest step unless it ends in `:stepN`. An unknown model returns 404.
    pub model: String,
    /// Accepted and returned. Training is reproducible with any seed: examples are read in file order, and no other part of training is random. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Start of the new model's name. Characters other than letters, digits, `.`, `_` and `-` become `-`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
    /// `id` of a file uploaded with purpose `fine-tune`.
    pub training_file: String,
    /// `id` of a validation file in the same format. The loss on it is computed before the first step, about ten times in the job and after the last step. It is not trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_file: Option<String>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f1)?
                }
                2 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f2)?
                }
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::Whole>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            hyperparameters: f0.flatten(),
            integrations: f1.flatten(),
            metadata: f2.flatten(),
            method: f3.flatten(),
            model: json::required(f4, "model")?,
            seed: f5.flatten(),
            suffix: f6.flatten(),
            training_file: json::required(f7, "training_file")?,
            validation_file: f8.flatten(),
        })
    }
}
json::object!(CreateFineTuningJob);
/// A new key.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateKey {
    /// Whether the key may use the operations of operators. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin: Option<bool>,
    /// Name of the entity, a team or a person, that the key acts for.
    pub entity: String,
    /// Limits of the key. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<types::KeyLimits>,
    /// Name of the key in lists. Default: `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
impl json::ReadObject for CreateKey {
    const NAMES: &'static [&'static str] = &["admin", "entity", "limits", "name"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self {
            admin: f0,
            entity: json::required(f1, "entity")?,
            limits: f2,
            name: f3,
        })
    }
}
json::object!(CreateKey);
/// Requests for messages.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateMessageBatch {
    /// The requests; each has a `custom_id` of its own.
    pub requests: Vec<types::MessageBatchRequest>,
}
impl json::ReadObject for CreateMessageBatch {
    const NAMES: &'static [&'static str] = &["requests"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 10000>, _>(&mut f0)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            requests: json::required(f0, "requests")?,
        })
    }
}
json::object!(CreateMessageBatch);
/// A session to open.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateRecordedSession {
    /// Group of the session. The rewards of the sessions of a group are compared in training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Any data of the caller about the session; stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<types::JsonObject>,
    /// Model that the session samples, as in `model` of a chat request. An unknown name returns 404.
    pub model: String,
    /// Name of the session in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the session keeps the newest step of its model at its opening. Without it, each generation samples the step that is newest then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<bool>,
    /// Tags of the session in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}
impl json::ReadObject for CreateRecordedSession {
    const NAMES: &'static [&'static str] = &[
        "group",
        "metadata",
        "model",
        "name",
        "pin",
        "tags",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 20>>,
                            _,
                        >(&mut f5)?
                }
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self {
            group: f0.flatten(),
            metadata: f1.flatten(),
            model: json::required(f2, "model")?,
            name: f3.flatten(),
            pin: f4.flatten(),
            tags: f5.flatten(),
        })
    }
}
json::object!(CreateRecordedSession);
/// A supervised fine-tuning job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateSftTrainingJob {
    /// Options; null or absent selects the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<types::SftTrainingConfig>,
    /// Experimental options; supervised jobs have none. Use `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental_config: Option<types::SftExperimentalConfig>,
    /// `id` of the model to train. An unknown id returns 404.
    pub model_id: String,
    /// Name of the job in lists. It has no effect on training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Tags of the job in lists. They have no effect on training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Location of the conversations, in one of these forms: the `id` of a file uploaded with `POST /v1/files`; the name of a data set uploaded here by W&B's client (`wandb-artifact:///ENTITY/PROJECT/ARTIFACT:v0`); such a name of your own entity for a data set on the W&B server that the operator configured, if any; or a URL. A URL is public `https` without credentials. `http`, private hosts and `file` are accepted below the prefixes that the operator allows (`--allow-data`). Redirects are not followed. Anything else returns 422.
    pub training_data_url: String,
}
impl json::ReadObject for CreateSftTrainingJob {
    const NAMES: &'static [&'static str] = &[
        "config",
        "experimental_config",
        "model_id",
        "name",
        "tags",
        "training_data_url",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 20>>,
                            _,
                        >(&mut f4)?
                }
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            config: f0.flatten(),
            experimental_config: f1.flatten(),
            model_id: json::required(f2, "model_id")?,
            name: f3.flatten(),
            tags: f4.flatten(),
            training_data_url: json::required(f5, "training_data_url")?,
        })
    }
}
json::object!(CreateSftTrainingJob);
/// A reinforcement learning job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreateTrainingJob {
    /// Options; null or absent selects the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental_config: Option<types::ExperimentalTrainingConfig>,
    /// Group of recorded sessions to train on, all of it. The rules of `sessions` apply. It is the name of a job without a `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// `id` of the model to train. An unknown id returns 404.
    pub model_id: String,
    /// Name of the job in lists. It has no effect on training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Ids of recorded sessions to train on, after the trajectory groups. Sessions with one `group` are one trajectory group, and those without are one together. Each needs a reward and must have sampled this model, else the job is rejected (422).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions: Option<Vec<String>>,
    /// Tags of the job in lists. They have no effect on training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Trajectory groups to train on. May be empty, and be absent if there are `sessions` or a `group`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectory_groups: Option<Vec<types::TrajectoryGroup>>,
}
impl json::ReadObject for CreateTrainingJob {
    const NAMES: &'static [&'static str] = &[
        "experimental_config",
        "group",
        "model_id",
        "name",
        "sessions",
        "tags",
        "trajectory_groups",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 1000>>,
                            _,
                        >(&mut f4)?
                }
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 20>>,
                            _,
                        >(&mut f5)?
                }
                6 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f6)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            experimental_config: f0.flatten(),
            group: f1.flatten(),
            model_id: json::required(f2, "model_id")?,
            name: f3.flatten(),
            sessions: f4.flatten(),
            tags: f5.flatten(),
            trajectory_groups: f6,
        })
    }
}
json::object!(CreateTrainingJob);
/// A new key with its text.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct CreatedKey {
    /// Text of the key. The service stores only its hash.
    pub api_key: String,
    pub key: types::KeySummary,
}
impl json::ReadObject for CreatedKey {
    const NAMES: &'static [&'static str] = &["api_key", "key"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            api_key: json::required(f0, "api_key")?,
            key: json::required(f1, "key")?,
        })
    }
}
json::object!(CreatedKey);
/// Rows of a table, with the names of its columns first.
pub type CsvTable = crate::json::Binary;
/// Kind of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DatabaseKind {
    Sqlite,
    Postgresql,
}
impl DatabaseKind {
    pub const ALL: &'static [Self] = &[Self::Sqlite, Self::Postgresql];
    pub const NAMES: &'static [&'static str] = &["sqlite", "postgresql"];
}
json::enumeration!(DatabaseKind);
/// Result of the deletion of a chat completion.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeleteChatCompletionResponse {
    /// Always true.
    pub deleted: bool,
    /// Id of the deleted chat completion.
    pub id: String,
    pub object: types::DeletedChatCompletionObject,
}
impl json::ReadObject for DeleteChatCompletionResponse {
    const NAMES: &'static [&'static str] = &["deleted", "id", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deleted: json::required(f0, "deleted")?,
            id: json::required(f1, "id")?,
            object: json::required(f2, "object")?,
        })
    }
}
json::object!(DeleteChatCompletionResponse);
/// Steps to delete.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeleteCheckpointsRequest {
    /// Allows the deletion of the newest step, after which the model's plain name samples an older one. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_latest: Option<bool>,
    /// Numbers of steps, in any order; a repeated number counts once. Includes step 0 if listed. May be empty.
    pub steps: Vec<u64>,
}
impl json::ReadObject for DeleteCheckpointsRequest {
    const NAMES: &'static [&'static str] = &["allow_latest", "steps"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::Whole, 100000>, _>(&mut f1)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            allow_latest: f0.flatten(),
            steps: json::required(f1, "steps")?,
        })
    }
}
json::object!(DeleteCheckpointsRequest);
/// Result of the deletion of checkpoints.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeleteCheckpointsResponse {
    /// Number of deleted checkpoints.
    pub deleted_count: u64,
    /// Requested steps that the model does not have, ascending, each once.
    pub not_found_steps: Vec<u64>,
}
impl json::ReadObject for DeleteCheckpointsResponse {
    const NAMES: &'static [&'static str] = &["deleted_count", "not_found_steps"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::List<json::Whole>, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deleted_count: json::required(f0, "deleted_count")?,
            not_found_steps: json::required(f1, "not_found_steps")?,
        })
    }
}
json::object!(DeleteCheckpointsResponse);
/// Result of the deletion of a file.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeleteFileResponse {
    /// Always true.
    pub deleted: bool,
    /// Id of the deleted file.
    pub id: String,
    pub object: types::FileObject,
}
impl json::ReadObject for DeleteFileResponse {
    const NAMES: &'static [&'static str] = &["deleted", "id", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deleted: json::required(f0, "deleted")?,
            id: json::required(f1, "id")?,
            object: json::required(f2, "object")?,
        })
    }
}
json::object!(DeleteFileResponse);
/// Result of the deletion of a model.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeleteModelResponse {
    /// Number of deleted checkpoints, including step 0.
    pub deleted_checkpoints: u64,
    /// True if a run of an experiment tracker was deleted; always false here.
    pub deleted_run: bool,
    /// Id of the deleted model.
    pub model_id: String,
}
impl json::ReadObject for DeleteModelResponse {
    const NAMES: &'static [&'static str] = &[
        "deleted_checkpoints",
        "deleted_run",
        "model_id",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deleted_checkpoints: json::required(f0, "deleted_checkpoints")?,
            deleted_run: json::required(f1, "deleted_run")?,
            model_id: json::required(f2, "model_id")?,
        })
    }
}
json::object!(DeleteModelResponse);
/// Result of the deletion of a response.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeleteResponseResponse {
    /// Always true.
    pub deleted: bool,
    /// Id of the deleted response.
    pub id: String,
    pub object: types::ResponseObjectName,
}
impl json::ReadObject for DeleteResponseResponse {
    const NAMES: &'static [&'static str] = &["deleted", "id", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deleted: json::required(f0, "deleted")?,
            id: json::required(f1, "id")?,
            object: json::required(f2, "object")?,
        })
    }
}
json::object!(DeleteResponseResponse);
/// Object type of a deleted chat completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeletedChatCompletionObject {
    /// `chat.completion.deleted`
    ChatCompletionDeleted,
}
impl DeletedChatCompletionObject {
    pub const ALL: &'static [Self] = &[Self::ChatCompletionDeleted];
    pub const NAMES: &'static [&'static str] = &["chat.completion.deleted"];
}
json::enumeration!(DeletedChatCompletionObject);
/// Result of the deletion of a batch of messages.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeletedMessageBatch {
    /// Id of the deleted batch.
    pub id: String,
    #[serde(rename = "type")]
    pub type_: types::DeletedMessageBatchType,
}
impl json::ReadObject for DeletedMessageBatch {
    const NAMES: &'static [&'static str] = &["id", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            id: json::required(f0, "id")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(DeletedMessageBatch);
/// Object type of a deleted batch of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeletedMessageBatchType {
    /// `message_batch_deleted`
    MessageBatchDeleted,
}
impl DeletedMessageBatchType {
    pub const ALL: &'static [Self] = &[Self::MessageBatchDeleted];
    pub const NAMES: &'static [&'static str] = &["message_batch_deleted"];
}
json::enumeration!(DeletedMessageBatchType);
/// Result of the deletion of a session.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DeletedSession {
    /// Always true.
    pub deleted: bool,
    /// Id of the deleted session.
    pub id: String,
    pub object: types::SessionObject,
}
impl json::ReadObject for DeletedSession {
    const NAMES: &'static [&'static str] = &["deleted", "id", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deleted: json::required(f0, "deleted")?,
            id: json::required(f1, "id")?,
            object: json::required(f2, "object")?,
        })
    }
}
json::object!(DeletedSession);
/// Tokens. Unknown fields are treated as in `TokenizeRequest`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DetokenizeRequest {
    /// Name of the model, as in chat. It may be omitted in a session, and if the service has one base model besides the built-in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Token ids in the vocabulary; any other number returns 422.
    pub tokens: Vec<u32>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for DetokenizeRequest {
    const NAMES: &'static [&'static str] = &["model", "tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::Whole, 262144>, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            model: f0.flatten(),
            tokens: json::required(f1, "tokens")?,
            extra,
        })
    }
}
json::object!(DetokenizeRequest);
/// Text of tokens.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct DetokenizeResponse {
    /// Text of the tokens.
    pub prompt: String,
}
impl json::ReadObject for DetokenizeResponse {
    const NAMES: &'static [&'static str] = &["prompt"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            prompt: json::required(f0, "prompt")?,
        })
    }
}
json::object!(DetokenizeResponse);
/// Mean, deviation and quantiles of numbers.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct Distribution {
    /// Population standard deviation.
    pub deviation: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Eleven numbers: the smallest, each tenth, the largest.
    pub quantiles: Vec<f64>,
}
impl json::ReadObject for Distribution {
    const NAMES: &'static [&'static str] = &["deviation", "mean", "quantiles"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            deviation: json::required(f0, "deviation")?,
            mean: json::required(f1, "mean")?,
            quantiles: json::required(f2, "quantiles")?,
        })
    }
}
json::object!(Distribution);
/// The error. All four keys are always present.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ErrorDetail {
    /// Stable machine-readable code of the error: `invalid_api_key`, `invalid_json`, `context_length_exceeded`, `model_not_found`, `unsupported_parameter`, `unknown_parameter`, `latest_checkpoint`, `body_too_large`, `too_many_values`, `body_timeout`; for request heads that are not acceptable, `malformed_request` and `target_too_long`. New codes may be added. Null if `type` is sufficient.
    pub code: Option<String>,
    /// Human-readable cause and remedy, in English; the wording may change.
    pub message: String,
    /// Part of the request that caused the error: the name of a parameter or a path into the body, such as `messages[0].role`. Null if no single part did.
    pub param: Option<String>,
    /// Class of the error; follows from the status. One of `invalid_request_error`, `authentication_error`, `permission_error`, `not_found_error`, `conflict_error`, `rate_limit_error`, `overloaded_error`, `internal_error`. Handle an unknown value according to its status.
    #[serde(rename = "type")]
    pub type_: String,
}
impl json::ReadObject for ErrorDetail {
    const NAMES: &'static [&'static str] = &["code", "message", "param", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            message: json::required(f1, "message")?,
            param: json::required(f2, "param")?,
            type_: json::required(f3, "type")?,
        })
    }
}
json::object!(ErrorDetail);
/// The body of every error response.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ErrorResponse {
    pub error: types::ErrorDetail,
    /// Same as the header `x-request-id`; only in responses to client libraries of Anthropic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Always `error`; only in responses to client libraries of Anthropic.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<String>,
}
impl json::ReadObject for ErrorResponse {
    const NAMES: &'static [&'static str] = &["error", "request_id", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            error: json::required(f0, "error")?,
            request_id: f1.flatten(),
            type_: f2.flatten(),
        })
    }
}
json::object!(ErrorResponse);
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
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ExperimentalTrainingConfig {
    /// Balance between good and bad rollouts, from -1 to 1. A positive value b multiplies negative advantages by `1 - b`; a negative value b multiplies positive advantages by `1 + b`. Default 0, equal weight; 1 trains on good rollouts only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage_balance: Option<f64>,
    /// Trains also plain assistant messages and choices without `logprobs`, as if sampled from the current weights (`rho` is 1). Intended for responses that were written or sampled elsewhere. Default false: they are context only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_training_without_logprobs: Option<bool>,
    /// Lower clip range; `rho` is clipped below at `1 - epsilon`. Default 1 with CISPO, 0.2 with PPO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Upper clip range; `rho` is clipped above at `1 + epsilon_high`. Default 4 with CISPO; with PPO the value of `epsilon`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon_high: Option<f64>,
    /// Scope over which `rho` is averaged. Default `token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance_sampling_level: Option<types::ImportanceSamplingLevel>,
    /// Coefficient tau of Kimi K2's penalty, which subtracts tau times the change in log-probability from the advantage. 0 (default) disables the penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kimi_k2_tau: Option<f64>,
    /// Coefficient of the KL penalty, which limits the drift from the reference over many jobs. 0 (default) disables the penalty and all its other options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kl_penalty_coef: Option<f64>,
    /// Step of this model used as the reference; 0 is the base model. A step that does not exist returns 422. Use it to stay near one checkpoint, such as the end of supervised fine-tuning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kl_penalty_reference_step: Option<i32>,
    /// Source of the log-probabilities that are compared with the reference. Default `current_learner`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kl_penalty_source: Option<types::KlPenaltySource>,
    /// Distance in steps between the reference and the step that the job starts from. The reference is the base model if the result is 0 or less. Use it for a moving reference. If the step is deleted, the job fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kl_penalty_step_lag: Option<i32>,
    /// Trained model used as the reference, by its inference name, at a given step or at its newest. It must belong to the same entity and have the same base model, otherwise 422.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kl_ref_adapter_path: Option<String>,
    /// Learning rate of AdamW. It is constant over the job, unless `num_trajectories_learning_rate_multiplier_power` makes it depend on the row. Default 0.000005.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_rate: Option<f64>,
    /// Limits the memory of other trainers. Accepted without effect: this service limits its memory by itself, without effect on any result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprob_calculation_chunk_size: Option<u64>,
    /// Loss function. Default `cispo`, or `ppo` when `ppo` is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_fn: Option<types::LossFunction>,
    /// Sets `rho` to 0 outside the clip range instead of clipping it. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask_prob_ratio: Option<bool>,
    /// Upper bound of `rho` before clipping. 0 (default) disables the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_negative_advantage_importance_sampling_weight: Option<f64>,
    /// Alias of `scale_rewards`; false in either disables the division. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalize_advantages: Option<bool>,
    /// Exponent of the learning rate multiplier: the learning rate of a row is multiplied by its number of sequences raised to this power. For packed rows, which differ in their number of sequences: with 0.5 or 1, fuller rows change the weights more. 0 (default) disables the multiplier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_trajectories_learning_rate_multiplier_power: Option<f64>,
    /// Interval at which other trainers save the optimizer state. Accepted without effect: this service saves the state that the next job needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimizer_save_interval: Option<u64>,
    /// Maximum number of tokens of a row that packs several sequences, in the order of the request. Leading tokens shared by sequences of a row count once and are computed once. Packing gives fewer optimizer steps with less variance; raise the learning rate accordingly. Longer sequences are dropped and counted in `num_dropped_sequences`. Default: each sequence is a row of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed_sequence_length: Option<i32>,
    /// Draws plots on the host of other trainers, for debugging. Accepted without effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot_tensors: Option<bool>,
    /// Older form of `loss_fn`: true selects `loss_fn: ppo`, and is an error (422) with `loss_fn: cispo`. Default false: `loss_fn` applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ppo: Option<bool>,
    /// Recomputes the old log-probabilities with the weights that the job starts from, instead of using those of the choices. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precalculate_logprobs: Option<bool>,
    /// Saves a checkpoint in other trainers. Accepted without effect: this service always saves one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub save_checkpoint: Option<bool>,
    /// Multiplies the learning rate by the relative change of the rewards' standard deviation within groups over the RL jobs of the model: its value at this job divided by its value at step 0, both on the line of best fit through the jobs. The learning rate falls as rollouts become more alike. Default false; no effect in the first job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_learning_rate_by_reward_std_dev: Option<bool>,
    /// Divides advantages by the standard deviation of their group's rewards. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_rewards: Option<bool>,
    /// Upper bound of the ratio of recomputed to sampled probability, by which the loss is multiplied. Requires `precalculate_logprobs`; without it the value is not applied, and the job has a warning. 0 disables truncation, which is the default, unless vLLM servers sample the base model: the default is then 2, and without `precalculate_logprobs` it bounds `rho`, which is then the ratio to the probability at sampling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated_importance_sampling: Option<f64>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let (mut f20, mut f21, mut f22, mut f23) = (None, None, None, None);
        let (mut f24, mut f25, mut f26) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::Whole>, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::Whole>, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f13)?,
                14 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f14)?,
                15 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f15)?,
                16 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f16)?,
                17 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f17)?,
                18 => from.fill::<json::Nullable<json::Whole>, _>(&mut f18)?,
                19 => from.fill::<json::Nullable<json::Whole>, _>(&mut f19)?,
                20 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f20)?,
                21 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f21)?,
                22 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f22)?,
                23 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f23)?,
                24 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f24)?,
                25 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f25)?,
                26 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f26)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            advantage_balance: f0.flatten(),
            allow_training_without_logprobs: f1.flatten(),
            epsilon: f2.flatten(),
            epsilon_high: f3.flatten(),
            importance_sampling_level: f4.flatten(),
            kimi_k2_tau: f5.flatten(),
            kl_penalty_coef: f6.flatten(),
            kl_penalty_reference_step: f7.flatten(),
            kl_penalty_source: f8.flatten(),
            kl_penalty_step_lag: f9.flatten(),
            kl_ref_adapter_path: f10.flatten(),
            learning_rate: f11.flatten(),
            logprob_calculation_chunk_size: f12.flatten(),
            loss_fn: f13.flatten(),
            mask_prob_ratio: f14.flatten(),
            max_negative_advantage_importance_sampling_weight: f15.flatten(),
            normalize_advantages: f16.flatten(),
            num_trajectories_learning_rate_multiplier_power: f17.flatten(),
            optimizer_save_interval: f18.flatten(),
            packed_sequence_length: f19.flatten(),
            plot_tensors: f20.flatten(),
            ppo: f21.flatten(),
            precalculate_logprobs: f22.flatten(),
            save_checkpoint: f23.flatten(),
            scale_learning_rate_by_reward_std_dev: f24.flatten(),
            scale_rewards: f25.flatten(),
            truncated_importance_sampling: f26.flatten(),
        })
    }
}
json::object!(ExperimentalTrainingConfig);
/// Form of an export:
///
/// * `peft`: the adapter, for PEFT and vLLM beside the base model.
/// * `merged`: a model in Hugging Face's layout, with the adapter merged into its weights.
/// * `gguf`: the merged model as one GGUF file, for llama.cpp, ollama and LM Studio.
/// * `adapter-gguf`: the adapter as a GGUF file, for llama.cpp beside the base model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportForm {
    Peft,
    Merged,
    Gguf,
    /// `adapter-gguf`
    AdapterGguf,
}
impl ExportForm {
    pub const ALL: &'static [Self] = &[
        Self::Peft,
        Self::Merged,
        Self::Gguf,
        Self::AdapterGguf,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "peft",
        "merged",
        "gguf",
        "adapter-gguf",
    ];
}
json::enumeration!(ExportForm);
/// Element type of exported weights, as in `trainyard export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportWeights {
    F32,
    F16,
    Bf16,
    /// `q8_0`
    Q80,
    /// `q4_0`
    Q40,
    /// `q4_k_m`
    Q4KM,
}
impl ExportWeights {
    pub const ALL: &'static [Self] = &[
        Self::F32,
        Self::F16,
        Self::Bf16,
        Self::Q80,
        Self::Q40,
        Self::Q4KM,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "f32",
        "f16",
        "bf16",
        "q8_0",
        "q4_0",
        "q4_k_m",
    ];
}
json::enumeration!(ExportWeights);
/// Metadata of a file.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct File {
    /// Size in bytes.
    pub bytes: u64,
    /// Upload time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Time from which the file is absent, in seconds since 1970-01-01 UTC; absent if it stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// File name of the upload.
    pub filename: String,
    /// Id of the file, used in other requests.
    pub id: String,
    pub object: types::FileObject,
    pub purpose: types::FilePurpose,
    pub status: types::FileStatus,
}
impl json::ReadObject for File {
    const NAMES: &'static [&'static str] = &[
        "bytes",
        "created_at",
        "expires_at",
        "filename",
        "id",
        "object",
        "purpose",
        "status",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            bytes: json::required(f0, "bytes")?,
            created_at: json::required(f1, "created_at")?,
            expires_at: f2.flatten(),
            filename: json::required(f3, "filename")?,
            id: json::required(f4, "id")?,
            object: json::required(f5, "object")?,
            purpose: json::required(f6, "purpose")?,
            status: json::required(f7, "status")?,
        })
    }
}
json::object!(File);
/// Bytes of a file.
pub type FileContent = crate::json::Binary;
/// Lifetime of a file. It is absent from its end on.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FileExpiry {
    pub anchor: types::FileExpiryAnchor,
    /// Seconds from the anchor: an hour to 30 days.
    pub seconds: i64,
}
impl json::ReadObject for FileExpiry {
    const NAMES: &'static [&'static str] = &["anchor", "seconds"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            anchor: json::required(f0, "anchor")?,
            seconds: json::required(f1, "seconds")?,
        })
    }
}
json::object!(FileExpiry);
/// Beginning of the lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileExpiryAnchor {
    /// `created_at`
    CreatedAt,
}
impl FileExpiryAnchor {
    pub const ALL: &'static [Self] = &[Self::CreatedAt];
    pub const NAMES: &'static [&'static str] = &["created_at"];
}
json::enumeration!(FileExpiryAnchor);
/// Object type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileObject {
    File,
}
impl FileObject {
    pub const ALL: &'static [Self] = &[Self::File];
    pub const NAMES: &'static [&'static str] = &["file"];
}
json::enumeration!(FileObject);
/// `asc`: oldest first; `desc`: newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileOrder {
    Asc,
    #[default]
    Desc,
}
impl FileOrder {
    pub const ALL: &'static [Self] = &[Self::Asc, Self::Desc];
    pub const NAMES: &'static [&'static str] = &["asc", "desc"];
}
json::enumeration!(FileOrder);
/// One page of files.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FilePage {
    /// The files; at most `limit`.
    pub data: Vec<types::File>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 10000>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(FilePage);
/// `fine-tune`: conversations for training; `user_data`: any other data, such as the weights of an adapter; `batch`: requests of a batch; `batch_output`: their responses, which only batches make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilePurpose {
    /// `fine-tune`
    FineTune,
    /// `user_data`
    UserData,
    Batch,
    /// `batch_output`
    BatchOutput,
}
impl FilePurpose {
    pub const ALL: &'static [Self] = &[
        Self::FineTune,
        Self::UserData,
        Self::Batch,
        Self::BatchOutput,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "fine-tune",
        "user_data",
        "batch",
        "batch_output",
    ];
}
json::enumeration!(FilePurpose);
/// `processed`: the file can be used. No other status exists here; client libraries expect the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileStatus {
    Processed,
}
impl FileStatus {
    pub const ALL: &'static [Self] = &[Self::Processed];
    pub const NAMES: &'static [&'static str] = &["processed"];
}
json::enumeration!(FileStatus);
/// A model that a job created.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningCheckpoint {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Inference name of the checkpoint.
    pub fine_tuned_model_checkpoint: String,
    /// Job that created the checkpoint.
    pub fine_tuning_job_id: String,
    /// Id of the checkpoint; the cursor of this item.
    pub id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::Whole, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created_at: json::required(f0, "created_at")?,
            fine_tuned_model_checkpoint: json::required(
                f1,
                "fine_tuned_model_checkpoint",
            )?,
            fine_tuning_job_id: json::required(f2, "fine_tuning_job_id")?,
            id: json::required(f3, "id")?,
            metrics: json::required(f4, "metrics")?,
            object: json::required(f5, "object")?,
            step_number: json::required(f6, "step_number")?,
        })
    }
}
json::object!(FineTuningCheckpoint);
/// Object type of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningCheckpointObject {
    /// `fine_tuning.job.checkpoint`
    FineTuningJobCheckpoint,
}
impl FineTuningCheckpointObject {
    pub const ALL: &'static [Self] = &[Self::FineTuningJobCheckpoint];
    pub const NAMES: &'static [&'static str] = &["fine_tuning.job.checkpoint"];
}
json::enumeration!(FineTuningCheckpointObject);
/// One page of checkpoints.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningCheckpointPage {
    /// The checkpoints; at most `limit`.
    pub data: Vec<types::FineTuningCheckpoint>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(FineTuningCheckpointPage);
/// Reason of a job's failure.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningError {
    pub code: types::TrainingJobErrorCode,
    /// Human-readable message.
    pub message: String,
    /// Part of the request that caused the failure, if known; `training_file` or `validation_file`.
    pub param: Option<String>,
}
impl json::ReadObject for FineTuningError {
    const NAMES: &'static [&'static str] = &["code", "message", "param"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            message: json::required(f1, "message")?,
            param: json::required(f2, "param")?,
        })
    }
}
json::object!(FineTuningError);
/// An event of a job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningEvent {
    /// Time of the event, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Data by event type. `metrics`: `step` and `total_steps`, `train_loss`, `learning_rate`, and `valid_loss` if the validation loss was computed after the step. `message`: the `data` of the same event in `/v1/preview/training-jobs/{training_job_id}/events`.
    pub data: ::serde_json::Map<String, ::serde_json::Value>,
    /// Id of the event; the cursor of this item.
    pub id: String,
    pub level: types::FineTuningEventLevel,
    /// Human-readable description of the event.
    pub message: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Entries<json::Any>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created_at: json::required(f0, "created_at")?,
            data: json::required(f1, "data")?,
            id: json::required(f2, "id")?,
            level: json::required(f3, "level")?,
            message: json::required(f4, "message")?,
            object: json::required(f5, "object")?,
            type_: json::required(f6, "type")?,
        })
    }
}
json::object!(FineTuningEvent);
/// `warn`: something was dropped, or the job was cancelled; `error`: the job failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningEventLevel {
    Info,
    Warn,
    Error,
}
impl FineTuningEventLevel {
    pub const ALL: &'static [Self] = &[Self::Info, Self::Warn, Self::Error];
    pub const NAMES: &'static [&'static str] = &["info", "warn", "error"];
}
json::enumeration!(FineTuningEventLevel);
/// Object type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningEventObject {
    /// `fine_tuning.job.event`
    FineTuningJobEvent,
}
impl FineTuningEventObject {
    pub const ALL: &'static [Self] = &[Self::FineTuningJobEvent];
    pub const NAMES: &'static [&'static str] = &["fine_tuning.job.event"];
}
json::enumeration!(FineTuningEventObject);
/// One page of events.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningEventPage {
    /// The events; at most `limit`.
    pub data: Vec<types::FineTuningEvent>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(FineTuningEventPage);
/// `metrics`: an optimizer step was completed; `message`: any other event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningEventType {
    Message,
    Metrics,
}
impl FineTuningEventType {
    pub const ALL: &'static [Self] = &[Self::Message, Self::Metrics];
    pub const NAMES: &'static [&'static str] = &["message", "metrics"];
}
json::enumeration!(FineTuningEventType);
/// A supervised job in the format of OpenAI's fine-tuning API.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningJob {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Reason of the failure; null otherwise.
    pub error: Option<types::FineTuningError>,
    /// End of the last step at the rate of the last 20 ones, in seconds since 1970-01-01 UTC; null unless the job is running and has made a step.
    pub estimated_finish: Option<i64>,
    /// Inference name of the step that the job created; null until it has succeeded.
    pub fine_tuned_model: Option<String>,
    /// End time, in seconds since 1970-01-01 UTC; null before the end.
    pub finished_at: Option<i64>,
    pub hyperparameters: types::FineTuningResolvedOptions,
    /// Id of the job; the digits after `ftjob-` are those of its `id` in `/v1/preview/training-jobs`.
    pub id: String,
    /// Always empty.
    pub integrations: Vec<types::JsonObject>,
    /// Notes of the request.
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
    pub method: types::FineTuningResolvedMethod,
    /// Model that training starts from, as named in the request; the base model for jobs of `/v1/preview/sft-training-jobs`.
    pub model: String,
    pub object: types::FineTuningJobObject,
    /// Entity that owns the job.
    pub organization_id: String,
    /// Always empty; the events carry the metrics.
    pub result_files: Vec<String>,
    /// Seed of the request.
    pub seed: i64,
    pub status: types::FineTuningStatus,
    /// Number of trained tokens in all epochs together; null until the job has ended.
    pub trained_tokens: Option<u64>,
    /// `id` of the training file, or URL of the training data.
    pub training_file: String,
    /// `suffix` of the request.
    pub user_provided_suffix: Option<String>,
    /// `id` of the validation file; null without one.
    pub validation_file: Option<String>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::Whole>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::List<json::ViaDeserialize, 16>, _>(&mut f7)?,
                8 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f8)?
                }
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                11 => from.fill::<json::ViaDeserialize, _>(&mut f11)?,
                12 => from.fill::<json::ViaDeserialize, _>(&mut f12)?,
                13 => from.fill::<json::List<json::ViaDeserialize, 16>, _>(&mut f13)?,
                14 => from.fill::<json::Whole, _>(&mut f14)?,
                15 => from.fill::<json::ViaDeserialize, _>(&mut f15)?,
                16 => from.fill::<json::Nullable<json::Whole>, _>(&mut f16)?,
                17 => from.fill::<json::ViaDeserialize, _>(&mut f17)?,
                18 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f18)?,
                19 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f19)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created_at: json::required(f0, "created_at")?,
            error: json::required(f1, "error")?,
            estimated_finish: json::required(f2, "estimated_finish")?,
            fine_tuned_model: json::required(f3, "fine_tuned_model")?,
            finished_at: json::required(f4, "finished_at")?,
            hyperparameters: json::required(f5, "hyperparameters")?,
            id: json::required(f6, "id")?,
            integrations: json::required(f7, "integrations")?,
            metadata: json::required(f8, "metadata")?,
            method: json::required(f9, "method")?,
            model: json::required(f10, "model")?,
            object: json::required(f11, "object")?,
            organization_id: json::required(f12, "organization_id")?,
            result_files: json::required(f13, "result_files")?,
            seed: json::required(f14, "seed")?,
            status: json::required(f15, "status")?,
            trained_tokens: json::required(f16, "trained_tokens")?,
            training_file: json::required(f17, "training_file")?,
            user_provided_suffix: json::required(f18, "user_provided_suffix")?,
            validation_file: json::required(f19, "validation_file")?,
        })
    }
}
json::object!(FineTuningJob);
/// Object type of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningJobObject {
    /// `fine_tuning.job`
    FineTuningJob,
}
impl FineTuningJobObject {
    pub const ALL: &'static [Self] = &[Self::FineTuningJob];
    pub const NAMES: &'static [&'static str] = &["fine_tuning.job"];
}
json::enumeration!(FineTuningJobObject);
/// One page of jobs.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningJobPage {
    /// The jobs; at most `limit`.
    pub data: Vec<types::FineTuningJob>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(FineTuningJobPage);
/// Texts by name, at most 16. A name has at most 64 characters.
pub type FineTuningMetadata = ::std::collections::BTreeMap<String, String>;
/// Training method.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningMethod {
    /// Options of the method `dpo`. Not supported; returns 422.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dpo: Option<types::JsonObject>,
    /// Options of the method `reinforcement`, whose graders have no counterpart here. Not supported; returns 422. For reinforcement learning with your own rewards, use `POST /v1/preview/training-jobs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reinforcement: Option<types::JsonObject>,
    /// Options of the method `supervised`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supervised: Option<types::SupervisedMethod>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            dpo: f0.flatten(),
            reinforcement: f1.flatten(),
            supervised: f2.flatten(),
            type_: json::required(f3, "type")?,
        })
    }
}
json::object!(FineTuningMethod);
/// `supervised`; `dpo` and `reinforcement` are not supported and return 422.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningMethodType {
    Supervised,
    Dpo,
    Reinforcement,
}
impl FineTuningMethodType {
    pub const ALL: &'static [Self] = &[Self::Supervised, Self::Dpo, Self::Reinforcement];
    pub const NAMES: &'static [&'static str] = &["supervised", "dpo", "reinforcement"];
}
json::enumeration!(FineTuningMethodType);
/// Metrics of a job. A metric that was not computed is absent.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningMetrics {
    /// Same value as `valid_loss`; every validation here covers the whole validation set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_valid_loss: Option<f64>,
    /// Number of optimizer steps of the job.
    pub step: u64,
    /// Mean training loss over all steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_loss: Option<f64>,
    /// Validation loss after the last step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_loss: Option<f64>,
}
impl json::ReadObject for FineTuningMetrics {
    const NAMES: &'static [&'static str] = &[
        "full_valid_loss",
        "step",
        "train_loss",
        "valid_loss",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            full_valid_loss: f0.flatten(),
            step: json::required(f1, "step")?,
            train_loss: f2.flatten(),
            valid_loss: f3.flatten(),
        })
    }
}
json::object!(FineTuningMetrics);
/// Options of training. An option that is null, absent or `auto` has its default.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct FineTuningOptions {
    /// Number of conversations per optimizer step. Default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_size: Option<types::BatchSize>,
    /// Factor applied to the default learning rate of supervised jobs, 0.00005. Default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_rate_multiplier: Option<types::LearningRateMultiplier>,
    /// Number of passes over the file. Default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_epochs: Option<types::FineTuningEpochs>,
}
impl json::ReadObject for FineTuningOptions {
    const NAMES: &'static [&'static str] = &[
        "batch_size",
        "learning_rate_multiplier",
        "n_epochs",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            batch_size: f0.flatten(),
            learning_rate_multiplier: f1.flatten(),
            n_epochs: f2.flatten(),
        })
    }
}
json::object!(FineTuningOptions);
/// Training method of the job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningResolvedMethod {
    pub supervised: types::SupervisedResolvedMethod,
    #[serde(rename = "type")]
    pub type_: types::FineTuningMethodType,
}
impl json::ReadObject for FineTuningResolvedMethod {
    const NAMES: &'static [&'static str] = &["supervised", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            supervised: json::required(f0, "supervised")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(FineTuningResolvedMethod);
/// The options with the defaults filled in.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FineTuningResolvedOptions {
    /// Number of conversations per optimizer step.
    pub batch_size: u64,
    /// Factor applied to the learning rate of 0.00005; absent for a job with one rate per step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_rate_multiplier: Option<f64>,
    /// Number of passes over the file.
    pub n_epochs: u64,
}
impl json::ReadObject for FineTuningResolvedOptions {
    const NAMES: &'static [&'static str] = &[
        "batch_size",
        "learning_rate_multiplier",
        "n_epochs",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            batch_size: json::required(f0, "batch_size")?,
            learning_rate_multiplier: f1.flatten(),
            n_epochs: json::required(f2, "n_epochs")?,
        })
    }
}
json::object!(FineTuningResolvedOptions);
/// `queued`: the job waits for its start or for its resumption; `validating_files`: its data is read and validated; `running`: optimizer steps are executed; `succeeded`: its model can be sampled; `failed`: `error` has the reason; `cancelled`: the owner cancelled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FineTuningStatus {
    /// `validating_files`
    ValidatingFiles,
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
}
impl FineTuningStatus {
    pub const ALL: &'static [Self] = &[
        Self::ValidatingFiles,
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "validating_files",
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
    ];
}
json::enumeration!(FineTuningStatus);
/// `stop`: the model or a stop sequence ended the completion; `length`: the token limit or the context ended it; `tool_calls`: it calls tools; `function_call`: it calls one of `functions`. `content_filter` occurs only in choices of other services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FinishReason {
    Stop,
    Length,
    /// `tool_calls`
    ToolCalls,
    /// `content_filter`
    ContentFilter,
    /// `function_call`
    FunctionCall,
}
impl FinishReason {
    pub const ALL: &'static [Self] = &[
        Self::Stop,
        Self::Length,
        Self::ToolCalls,
        Self::ContentFilter,
        Self::FunctionCall,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "stop",
        "length",
        "tool_calls",
        "content_filter",
        "function_call",
    ];
}
json::enumeration!(FinishReason);
/// Function and arguments of the call.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FunctionCall {
    /// The arguments as a JSON object in text form, generated by the model. Validate them before use, unless the call was required (`tool_choice`).
    pub arguments: String,
    /// Name of the function.
    pub name: String,
}
impl json::ReadObject for FunctionCall {
    const NAMES: &'static [&'static str] = &["arguments", "name"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            arguments: json::required(f0, "arguments")?,
            name: json::required(f1, "name")?,
        })
    }
}
json::object!(FunctionCall);
/// Function and arguments of the call.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct FunctionCallDelta {
    /// Fragment of the arguments, a JSON object in text form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// Name of the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
impl json::ReadObject for FunctionCallDelta {
    const NAMES: &'static [&'static str] = &["arguments", "name"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self { arguments: f0, name: f1 })
    }
}
json::object!(FunctionCallDelta);
/// `none`: no function call; `auto`: the model decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FunctionCallMode {
    None,
    Auto,
}
impl FunctionCallMode {
    pub const ALL: &'static [Self] = &[Self::None, Self::Auto];
    pub const NAMES: &'static [&'static str] = &["none", "auto"];
}
json::enumeration!(FunctionCallMode);
/// A function and its parameters.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FunctionDefinition {
    /// Purpose of the function, shown to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Name by which the model calls the function.
    pub name: String,
    /// JSON schema of the arguments, an object. A required call follows it. The schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<types::JsonObject>,
    /// Shown to the model. Where a call is required, it closes the objects of the parameters, as if `additionalProperties` were false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}
impl json::ReadObject for FunctionDefinition {
    const NAMES: &'static [&'static str] = &[
        "description",
        "name",
        "parameters",
        "strict",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            description: f0.flatten(),
            name: json::required(f1, "name")?,
            parameters: f2.flatten(),
            strict: f3.flatten(),
        })
    }
}
json::object!(FunctionDefinition);
/// The result of a function call in the older form.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FunctionMessage {
    /// The result as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Name of the function.
    pub name: String,
    pub role: types::FunctionRole,
}
impl json::ReadObject for FunctionMessage {
    const NAMES: &'static [&'static str] = &["content", "name", "role"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: f0.flatten(),
            name: json::required(f1, "name")?,
            role: json::required(f2, "role")?,
        })
    }
}
json::object!(FunctionMessage);
/// Name of a function.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct FunctionName {
    /// Name of the function in `tools` or `functions`.
    pub name: String,
}
impl json::ReadObject for FunctionName {
    const NAMES: &'static [&'static str] = &["name"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            name: json::required(f0, "name")?,
        })
    }
}
json::object!(FunctionName);
/// Role of a function in the older form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FunctionRole {
    Function,
}
impl FunctionRole {
    pub const ALL: &'static [Self] = &[Self::Function];
    pub const NAMES: &'static [&'static str] = &["function"];
}
json::enumeration!(FunctionRole);
/// Health of the service.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct HealthResponse {
    pub status: types::HealthStatus,
}
impl json::ReadObject for HealthResponse {
    const NAMES: &'static [&'static str] = &["status"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            status: json::required(f0, "status")?,
        })
    }
}
json::object!(HealthResponse);
/// Status of the service; there is only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HealthStatus {
    Ok,
}
impl HealthStatus {
    pub const ALL: &'static [Self] = &[Self::Ok];
    pub const NAMES: &'static [&'static str] = &["ok"];
}
json::enumeration!(HealthStatus);
/// A further conversation of a trajectory. Further fields are stored.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct History {
    /// The conversation in order: prompt messages, and in place of each response the unchanged choice from chat completions. The loss covers the tokens of the choices; without a choice there is nothing to train.
    pub messages_and_choices: Vec<types::MessageOrChoice>,
    /// The `tools` of the chat requests. They are part of the prompt, so list all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::JsonObject>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for History {
    const NAMES: &'static [&'static str] = &["messages_and_choices", "tools"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            messages_and_choices: json::required(f0, "messages_and_choices")?,
            tools: f1.flatten(),
            extra,
        })
    }
}
json::object!(History);
/// `token`: the token's own ratio; `sequence`: `exp` of the sequence's mean log-ratio (GSPO); `average` and `geometric_average`: the arithmetic and the geometric mean of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportanceSamplingLevel {
    Token,
    Sequence,
    Average,
    /// `geometric_average`
    GeometricAverage,
}
impl ImportanceSamplingLevel {
    pub const ALL: &'static [Self] = &[
        Self::Token,
        Self::Sequence,
        Self::Average,
        Self::GeometricAverage,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "token",
        "sequence",
        "average",
        "geometric_average",
    ];
}
json::enumeration!(ImportanceSamplingLevel);
/// A PEFT adapter created outside this service.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ImportedAdapter {
    /// The content of `adapter_config.json`.
    pub adapter_config: types::JsonObject,
    #[serde(rename = "type")]
    pub type_: types::AdapterImport,
    /// `id` of an uploaded file with the content of `adapter_model.safetensors`.
    pub weights_file_id: String,
}
impl json::ReadObject for ImportedAdapter {
    const NAMES: &'static [&'static str] = &[
        "adapter_config",
        "type",
        "weights_file_id",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            adapter_config: json::required(f0, "adapter_config")?,
            type_: json::required(f1, "type")?,
            weights_file_id: json::required(f2, "weights_file_id")?,
        })
    }
}
json::object!(ImportedAdapter);
/// A model available for sampling.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct InferenceModel {
    /// Registration time, in seconds since 1970-01-01 UTC; 0 for base models.
    pub created: i64,
    /// Same as `created`, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<crate::json::DateTime>,
    /// Same as `id`, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Value for `model` of a chat request.
    pub id: String,
    /// Always `active`, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<String>,
    /// Length of the context in tokens, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_input_tokens: Option<u64>,
    /// Length of the context in tokens, in vLLM's field; absent if the base model is not served here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_model_len: Option<u64>,
    /// Same as `max_input_tokens`, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    pub object: types::InferenceModelObject,
    /// `system` for base models, otherwise the entity.
    pub owned_by: String,
    /// Base model of the model; for a base model, its own id.
    pub root: String,
    /// Same as `object`, with `anthropic-version`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<types::InferenceModelObject>,
}
impl json::ReadObject for InferenceModel {
    const NAMES: &'static [&'static str] = &[
        "created",
        "created_at",
        "display_name",
        "id",
        "lifecycle",
        "max_input_tokens",
        "max_model_len",
        "max_tokens",
        "object",
        "owned_by",
        "root",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::Whole>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::Whole>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f11)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created: json::required(f0, "created")?,
            created_at: f1.flatten(),
            display_name: f2.flatten(),
            id: json::required(f3, "id")?,
            lifecycle: f4.flatten(),
            max_input_tokens: f5.flatten(),
            max_model_len: f6.flatten(),
            max_tokens: f7.flatten(),
            object: json::required(f8, "object")?,
            owned_by: json::required(f9, "owned_by")?,
            root: json::required(f10, "root")?,
            type_: f11.flatten(),
        })
    }
}
json::object!(InferenceModel);
/// All models available for sampling.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct InferenceModelList {
    /// Base models, then trained models.
    pub data: Vec<types::InferenceModel>,
    /// Id of the first model, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_id: Option<String>,
    /// True if `limit` omits models, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
    /// Id of the last model, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_id: Option<String>,
    pub object: types::ListObject,
}
impl json::ReadObject for InferenceModelList {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: f1.flatten(),
            has_more: f2.flatten(),
            last_id: f3.flatten(),
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(InferenceModelList);
/// Object type of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InferenceModelObject {
    Model,
}
impl InferenceModelObject {
    pub const ALL: &'static [Self] = &[Self::Model];
    pub const NAMES: &'static [&'static str] = &["model"];
}
json::enumeration!(InferenceModelObject);
/// Memory of a training job, in bytes.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct JobMemory {
    /// Memory of everything that the job needs, with the weights and the program.
    pub bytes: u64,
    /// Whether the sequences of a step take at most half of the memory of the machine, the limit for training.
    pub fits: bool,
    /// Whether layers are computed a second time for the gradient, because their states do not all fit.
    pub recomputes: bool,
}
impl json::ReadObject for JobMemory {
    const NAMES: &'static [&'static str] = &["bytes", "fits", "recomputes"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            bytes: json::required(f0, "bytes")?,
            fits: json::required(f1, "fits")?,
            recomputes: json::required(f2, "recomputes")?,
        })
    }
}
json::object!(JobMemory);
/// Type of any JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonObjectFormat {
    /// `json_object`
    JsonObject,
}
impl JsonObjectFormat {
    pub const ALL: &'static [Self] = &[Self::JsonObject];
    pub const NAMES: &'static [&'static str] = &["json_object"];
}
json::enumeration!(JsonObjectFormat);
/// Type of JSON that follows a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonSchemaFormat {
    /// `json_schema`
    JsonSchema,
}
impl JsonSchemaFormat {
    pub const ALL: &'static [Self] = &[Self::JsonSchema];
    pub const NAMES: &'static [&'static str] = &["json_schema"];
}
json::enumeration!(JsonSchemaFormat);
/// The key of a request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct KeyDetail {
    /// True if the key may use the operations of operators.
    pub admin: bool,
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Entity that the key acts for.
    pub entity: String,
    /// UUID of the key.
    pub id: String,
    pub limits: types::KeyLimits,
    /// Name of the key in lists.
    pub name: String,
    /// Last characters of the key.
    pub suffix: String,
    #[serde(rename = "use")]
    pub use_: types::KeyUse,
}
impl json::ReadObject for KeyDetail {
    const NAMES: &'static [&'static str] = &[
        "admin",
        "created_at",
        "entity",
        "id",
        "limits",
        "name",
        "suffix",
        "use",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            admin: json::required(f0, "admin")?,
            created_at: json::required(f1, "created_at")?,
            entity: json::required(f2, "entity")?,
            id: json::required(f3, "id")?,
            limits: json::required(f4, "limits")?,
            name: json::required(f5, "name")?,
            suffix: json::required(f6, "suffix")?,
            use_: json::required(f7, "use")?,
        })
    }
}
json::object!(KeyDetail);
/// Limits of a key. An absent limit does not exist.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct KeyLimits {
    /// Queued and running jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_jobs: Option<u64>,
    /// Requests per minute at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// Bytes of uploaded files until they are deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes: Option<u64>,
    /// Concurrent chat completions and event streams at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<u64>,
    /// Chat tokens per minute at each server process, prompts and answers together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// Tokens of chat and training per calendar month, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_month: Option<u64>,
}
impl json::ReadObject for KeyLimits {
    const NAMES: &'static [&'static str] = &[
        "queued_jobs",
        "requests_per_minute",
        "stored_bytes",
        "streams",
        "tokens_per_minute",
        "tokens_per_month",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::Whole>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::Whole>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::Whole>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::Whole>, _>(&mut f5)?,
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self {
            queued_jobs: f0.flatten(),
            requests_per_minute: f1.flatten(),
            stored_bytes: f2.flatten(),
            streams: f3.flatten(),
            tokens_per_minute: f4.flatten(),
            tokens_per_month: f5.flatten(),
        })
    }
}
json::object!(KeyLimits);
/// One page of keys.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct KeyPage {
    /// The keys; at most `limit`.
    pub data: Vec<types::KeySummary>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for KeyPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(KeyPage);
/// A key in the lists of operators.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct KeySummary {
    /// True if the key may use the operations of operators.
    pub admin: bool,
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Entity that the key acts for.
    pub entity: String,
    /// UUID of the key.
    pub id: String,
    /// Time of the last use, to the minute, in seconds since 1970-01-01 UTC; absent before the first use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<i64>,
    pub limits: types::KeyLimits,
    /// Name of the key in lists.
    pub name: String,
    /// Time of the revocation, in seconds since 1970-01-01 UTC; absent for a valid key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<i64>,
    /// Last characters of the key.
    pub suffix: String,
}
impl json::ReadObject for KeySummary {
    const NAMES: &'static [&'static str] = &[
        "admin",
        "created_at",
        "entity",
        "id",
        "last_used_at",
        "limits",
        "name",
        "revoked_at",
        "suffix",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::Whole>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            admin: json::required(f0, "admin")?,
            created_at: json::required(f1, "created_at")?,
            entity: json::required(f2, "entity")?,
            id: json::required(f3, "id")?,
            last_used_at: f4.flatten(),
            limits: json::required(f5, "limits")?,
            name: json::required(f6, "name")?,
            revoked_at: f7.flatten(),
            suffix: json::required(f8, "suffix")?,
        })
    }
}
json::object!(KeySummary);
/// Use that counts against the limits of a key.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct KeyUse {
    /// Queued and running jobs that the key created.
    pub queued_jobs: u64,
    /// Requests that this process accepts at once; absent without the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_left: Option<u64>,
    /// Bytes of the files that the key uploaded.
    pub stored_bytes: u64,
    /// Chat completions and event streams of this process; always 0 without the limit.
    pub streams: u64,
    /// Chat tokens that this process accepts at once; absent without the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_left: Option<u64>,
    /// Tokens of chat and training since the first of the month, UTC.
    pub tokens_this_month: u64,
}
impl json::ReadObject for KeyUse {
    const NAMES: &'static [&'static str] = &[
        "queued_jobs",
        "requests_left",
        "stored_bytes",
        "streams",
        "tokens_left",
        "tokens_this_month",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::Whole>, _>(&mut f4)?,
                5 => from.fill::<json::Whole, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            queued_jobs: json::required(f0, "queued_jobs")?,
            requests_left: f1.flatten(),
            stored_bytes: json::required(f2, "stored_bytes")?,
            streams: json::required(f3, "streams")?,
            tokens_left: f4.flatten(),
            tokens_this_month: json::required(f5, "tokens_this_month")?,
        })
    }
}
json::object!(KeyUse);
/// `current_learner`: the weights at the optimizer step; `sample`: the log-probabilities of the choices, or the recomputed ones with `precalculate_logprobs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KlPenaltySource {
    /// `current_learner`
    CurrentLearner,
    Sample,
}
impl KlPenaltySource {
    pub const ALL: &'static [Self] = &[Self::CurrentLearner, Self::Sample];
    pub const NAMES: &'static [&'static str] = &["current_learner", "sample"];
}
json::enumeration!(KlPenaltySource);
/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct LeasedJob {
    /// Entity of the job.
    pub entity: String,
    /// UUID of the job.
    pub id: String,
}
impl json::ReadObject for LeasedJob {
    const NAMES: &'static [&'static str] = &["entity", "id"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            entity: json::required(f0, "entity")?,
            id: json::required(f1, "id")?,
        })
    }
}
json::object!(LeasedJob);
/// Object type of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListObject {
    List,
}
impl ListObject {
    pub const ALL: &'static [Self] = &[Self::List];
    pub const NAMES: &'static [&'static str] = &["list"];
}
json::enumeration!(ListObject);
/// Trajectories to store.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct LogRequest {
    /// Id of the model, as in the path; clients send it, and it is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Purpose of the trajectories, such as `train` or `val`.
    pub split: String,
    /// The trajectories; stored unchanged, with any further fields.
    pub trajectory_groups: Vec<types::TrajectoryGroup>,
}
impl json::ReadObject for LogRequest {
    const NAMES: &'static [&'static str] = &["model_id", "split", "trajectory_groups"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            model_id: f0.flatten(),
            split: json::required(f1, "split")?,
            trajectory_groups: json::required(f2, "trajectory_groups")?,
        })
    }
}
json::object!(LogRequest);
/// Counts of the stored trajectories. The hosted service documents no particular body here.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct LogResponse {
    /// Number of groups in the request.
    pub logged_groups: u64,
    /// Number of trajectories in all groups.
    pub logged_trajectories: u64,
}
impl json::ReadObject for LogResponse {
    const NAMES: &'static [&'static str] = &["logged_groups", "logged_trajectories"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            logged_groups: json::required(f0, "logged_groups")?,
            logged_trajectories: json::required(f1, "logged_trajectories")?,
        })
    }
}
json::object!(LogResponse);
/// Configuration of an adapter, with the names of PEFT's `LoraConfig`. Omitted fields have their defaults. Dropout and other settings do not exist; a field that is not listed here is rejected.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct LoraRequest {
    /// Numerator of the update's scale `alpha / rank`. Default 16, for every rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// Rank of the update of each projection. Default 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Projections with an adapter, in every layer that has them. Default all that the base model has; those of experts have none, but those of a shared expert (Qwen3.5-MoE) do. Phi has `qkv_proj` in place of `q_proj`, `k_proj` and `v_proj`, and `gate_up_proj` in place of `gate_proj` and `up_proj`. Layers of Qwen3.5 without attention have `in_proj_qkv`, `in_proj_z`, `in_proj_a`, `in_proj_b` and `out_proj`. LFM2 has `out_proj` in place of `o_proj`, `w1`, `w3` and `w2` in place of `gate_proj`, `up_proj` and `down_proj`, and in layers without attention `in_proj` and `out_proj`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_modules: Option<types::TargetModules>,
    /// Selects rank-stabilised scaling: the scale is `alpha / sqrt(rank)`, so the update does not shrink as the rank grows. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_rslora: Option<bool>,
}
impl json::ReadObject for LoraRequest {
    const NAMES: &'static [&'static str] = &[
        "alpha",
        "rank",
        "target_modules",
        "use_rslora",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self {
            alpha: f0.flatten(),
            rank: f1.flatten(),
            target_modules: f2.flatten(),
            use_rslora: f3.flatten(),
        })
    }
}
json::object!(LoraRequest);
/// Configuration of a model's adapter.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct LoraSettings {
    /// Numerator of the update's scale.
    pub alpha: f64,
    /// Rank of the update of each projection.
    pub rank: u32,
    /// Projections with an adapter, each once, in the order of the layer.
    pub target_modules: Vec<types::TargetModule>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            alpha: json::required(f0, "alpha")?,
            rank: json::required(f1, "rank")?,
            target_modules: json::required(f2, "target_modules")?,
            use_rslora: json::required(f3, "use_rslora")?,
        })
    }
}
json::object!(LoraSettings);
/// `cispo`: policy gradient weighted by clipped importance ratios; `ppo`: the clipped surrogate objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossFunction {
    Cispo,
    Ppo,
}
impl LossFunction {
    pub const ALL: &'static [Self] = &[Self::Cispo, Self::Ppo];
    pub const NAMES: &'static [&'static str] = &["cispo", "ppo"];
}
json::enumeration!(LossFunction);
/// One page of manifests.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ManifestPage {
    /// The manifests; at most `limit`.
    pub data: Vec<types::CheckpointManifest>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for ManifestPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(ManifestPage);
/// Memory that a model needs for a certain workload, in bytes, computed from its shape. Each sum includes the weights and the program.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MemoryEstimate {
    /// Sequences of a step.
    pub batch: u64,
    /// Tokens of each of them.
    pub context: u64,
    /// Memory of a job that trains all weights on as many sequences; absent if the model cannot be trained so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<types::JobMemory>,
    /// Tokens of each of them.
    pub length: u64,
    /// Memory of a job that trains an adapter of rank `rank` on `batch` sequences of `length` tokens a step.
    pub lora: types::JobMemory,
    /// Memory of the machine or of its container; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_bytes: Option<u64>,
    /// Rank of the adapter.
    pub rank: u64,
    /// Memory for serving `streams` conversations of `context` tokens at once.
    pub serving_bytes: u64,
    /// Conversations that are served at once.
    pub streams: u64,
    /// Memory of the weights.
    pub weight_bytes: u64,
}
impl json::ReadObject for MemoryEstimate {
    const NAMES: &'static [&'static str] = &[
        "batch",
        "context",
        "full",
        "length",
        "lora",
        "machine_bytes",
        "rank",
        "serving_bytes",
        "streams",
        "weight_bytes",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::Whole>, _>(&mut f5)?,
                6 => from.fill::<json::Whole, _>(&mut f6)?,
                7 => from.fill::<json::Whole, _>(&mut f7)?,
                8 => from.fill::<json::Whole, _>(&mut f8)?,
                9 => from.fill::<json::Whole, _>(&mut f9)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            batch: json::required(f0, "batch")?,
            context: json::required(f1, "context")?,
            full: f2.flatten(),
            length: json::required(f3, "length")?,
            lora: json::required(f4, "lora")?,
            machine_bytes: f5.flatten(),
            rank: json::required(f6, "rank")?,
            serving_bytes: json::required(f7, "serving_bytes")?,
            streams: json::required(f8, "streams")?,
            weight_bytes: json::required(f9, "weight_bytes")?,
        })
    }
}
json::object!(MemoryEstimate);
/// A message of the assistant.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct Message {
    /// Reasoning, text and calls in the order in which they were sampled.
    pub content: Vec<types::MessageBlock>,
    /// Id of the message.
    pub id: String,
    /// Log-probability of each sampled token, with `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<f64>>,
    /// `model` of the request.
    pub model: String,
    /// Token ids of the prompt, with `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<Vec<u32>>,
    pub role: types::AssistantRole,
    /// Reason why the message ended; null at the start of a stream.
    pub stop_reason: Option<types::MessageStopReason>,
    /// Text of `stop_sequences` that ended the message.
    pub stop_sequence: Option<String>,
    /// Sampled token ids, including the token that ends the turn, with `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_ids: Option<Vec<u32>>,
    #[serde(rename = "type")]
    pub type_: types::MessageType,
    pub usage: types::MessageUsage,
}
impl json::ReadObject for Message {
    const NAMES: &'static [&'static str] = &[
        "content",
        "id",
        "logprobs",
        "model",
        "prompt_token_ids",
        "role",
        "stop_reason",
        "stop_sequence",
        "token_ids",
        "type",
        "usage",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f2)?
                }
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            id: json::required(f1, "id")?,
            logprobs: f2.flatten(),
            model: json::required(f3, "model")?,
            prompt_token_ids: f4.flatten(),
            role: json::required(f5, "role")?,
            stop_reason: json::required(f6, "stop_reason")?,
            stop_sequence: json::required(f7, "stop_sequence")?,
            token_ids: f8.flatten(),
            type_: json::required(f9, "type")?,
            usage: json::required(f10, "usage")?,
        })
    }
}
json::object!(Message);
/// A batch of messages in the format of Anthropic's Message Batches API.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageBatch {
    /// Always null.
    pub archived_at: Option<String>,
    /// Time of the request to cancel it.
    pub cancel_initiated_at: Option<String>,
    /// Time of creation (RFC 3339).
    pub created_at: String,
    /// Time of its end; null before.
    pub ended_at: Option<String>,
    /// Time limit of its end.
    pub expires_at: String,
    /// Id of the batch.
    pub id: String,
    pub processing_status: types::MessageBatchStatus,
    pub request_counts: types::MessageBatchCounts,
    /// URL of the results; null until it has ended.
    pub results_url: Option<String>,
    #[serde(rename = "type")]
    pub type_: types::MessageBatchType,
}
impl json::ReadObject for MessageBatch {
    const NAMES: &'static [&'static str] = &[
        "archived_at",
        "cancel_initiated_at",
        "created_at",
        "ended_at",
        "expires_at",
        "id",
        "processing_status",
        "request_counts",
        "results_url",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            archived_at: json::required(f0, "archived_at")?,
            cancel_initiated_at: json::required(f1, "cancel_initiated_at")?,
            created_at: json::required(f2, "created_at")?,
            ended_at: json::required(f3, "ended_at")?,
            expires_at: json::required(f4, "expires_at")?,
            id: json::required(f5, "id")?,
            processing_status: json::required(f6, "processing_status")?,
            request_counts: json::required(f7, "request_counts")?,
            results_url: json::required(f8, "results_url")?,
            type_: json::required(f9, "type")?,
        })
    }
}
json::object!(MessageBatch);
/// Requests by what became of them; all are `processing` until the batch has ended.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageBatchCounts {
    /// Requests that a cancelled batch did not come to.
    pub canceled: u64,
    /// Requests that failed.
    pub errored: u64,
    /// Requests that an expired batch did not come to.
    pub expired: u64,
    /// Requests without a result.
    pub processing: u64,
    /// Requests with a message.
    pub succeeded: u64,
}
impl json::ReadObject for MessageBatchCounts {
    const NAMES: &'static [&'static str] = &[
        "canceled",
        "errored",
        "expired",
        "processing",
        "succeeded",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            canceled: json::required(f0, "canceled")?,
            errored: json::required(f1, "errored")?,
            expired: json::required(f2, "expired")?,
            processing: json::required(f3, "processing")?,
            succeeded: json::required(f4, "succeeded")?,
        })
    }
}
json::object!(MessageBatchCounts);
/// One page of batches of messages.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageBatchPage {
    /// The batches; at most `limit`.
    pub data: Vec<types::MessageBatch>,
    /// `id` of the first batch; null on an empty page.
    pub first_id: Option<String>,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last batch; null on an empty page.
    pub last_id: Option<String>,
}
impl json::ReadObject for MessageBatchPage {
    const NAMES: &'static [&'static str] = &["data", "first_id", "has_more", "last_id"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 1000>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
        })
    }
}
json::object!(MessageBatchPage);
/// A request of a batch of messages: its id in the results, and the body of `POST /v1/messages`, without `stream`. What is wrong with the body is told in its result, except a missing `model`, which rejects the batch.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageBatchRequest {
    /// Unique among the requests.
    pub custom_id: String,
    pub params: types::JsonObject,
}
impl json::ReadObject for MessageBatchRequest {
    const NAMES: &'static [&'static str] = &["custom_id", "params"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            custom_id: json::required(f0, "custom_id")?,
            params: json::required(f1, "params")?,
        })
    }
}
json::object!(MessageBatchRequest);
/// JSON Lines, each with the `custom_id` of a request and its `result`: `type` is `succeeded` with `message`, `errored` with
/// `error`, `canceled` or `expired`.
pub type MessageBatchResults = crate::json::Binary;
/// `canceling`: the owner cancelled it, and its results are being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageBatchStatus {
    /// `in_progress`
    InProgress,
    Canceling,
    Ended,
}
impl MessageBatchStatus {
    pub const ALL: &'static [Self] = &[Self::InProgress, Self::Canceling, Self::Ended];
    pub const NAMES: &'static [&'static str] = &["in_progress", "canceling", "ended"];
}
json::enumeration!(MessageBatchStatus);
/// Object type of a batch of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageBatchType {
    /// `message_batch`
    MessageBatch,
}
impl MessageBatchType {
    pub const ALL: &'static [Self] = &[Self::MessageBatch];
    pub const NAMES: &'static [&'static str] = &["message_batch"];
}
json::enumeration!(MessageBatchType);
/// A block of a message. Fields by `type`:
///
/// * `text`: `text`;
/// * `thinking`: `thinking` and `signature`;
/// * `tool_use`: `id`, `name` and `input`. Arguments that are no JSON object stand in `input.INVALID_JSON`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageBlock {
    /// Id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Arguments of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<types::JsonObject>,
    /// Name of the called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Opaque text to send back with the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Text of a text block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Reasoning content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    #[serde(rename = "type")]
    pub type_: types::MessageBlockType,
}
impl json::ReadObject for MessageBlock {
    const NAMES: &'static [&'static str] = &[
        "id",
        "input",
        "name",
        "signature",
        "text",
        "thinking",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            id: f0.flatten(),
            input: f1.flatten(),
            name: f2.flatten(),
            signature: f3.flatten(),
            text: f4.flatten(),
            thinking: f5.flatten(),
            type_: json::required(f6, "type")?,
        })
    }
}
json::object!(MessageBlock);
/// A block of a message. Blocks of a response can be sent back unchanged. Fields by `type`:
///
/// * `text`: `text`;
/// * `thinking`: `thinking` and `signature`. The chat template decides whether the model sees it again;
/// * `redacted_thinking`: left out with a warning, because the service cannot decrypt it;
/// * `tool_use`: `id`, `name` and `input`;
/// * `tool_result`: `tool_use_id`, `content` and `is_error`. A failed result whose text does not begin with `Error`
///   gets that word before it.
///
/// Blocks of other types, such as `image` and `document`, are rejected.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageBlockParam {
    /// Result of a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<types::MessageResultParam>,
    /// Id of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Arguments of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<types::JsonObject>,
    /// Whether the call of the tool failed. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Name of the called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Signature of a thinking block, as the response had it; others are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Text; may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Reasoning content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// Id of the call that a result belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// Type of the block.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageBlockParam {
    const NAMES: &'static [&'static str] = &[
        "content",
        "id",
        "input",
        "is_error",
        "name",
        "signature",
        "text",
        "thinking",
        "tool_use_id",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            content: f0.flatten(),
            id: f1.flatten(),
            input: f2.flatten(),
            is_error: f3.flatten(),
            name: f4.flatten(),
            signature: f5.flatten(),
            text: f6.flatten(),
            thinking: f7.flatten(),
            tool_use_id: f8.flatten(),
            type_: json::required(f9, "type")?,
            extra,
        })
    }
}
json::object!(MessageBlockParam);
/// Type of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageBlockType {
    Text,
    Thinking,
    /// `tool_use`
    ToolUse,
}
impl MessageBlockType {
    pub const ALL: &'static [Self] = &[Self::Text, Self::Thinking, Self::ToolUse];
    pub const NAMES: &'static [&'static str] = &["text", "thinking", "tool_use"];
}
json::enumeration!(MessageBlockType);
/// Change of a block or of the message. Fields by `type`:
///
/// * `text_delta`: `text`;
/// * `thinking_delta`: `thinking`;
/// * `signature_delta`: `signature`;
/// * `input_json_delta`: `partial_json`;
/// * without `type`: `stop_reason` and `stop_sequence`.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct MessageDelta {
    /// Text of the arguments to append.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_json: Option<String>,
    /// Signature of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<types::MessageStopReason>,
    /// Text of `stop_sequences` that ended the message; null if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequence: Option<Option<String>>,
    /// Text to append.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Reasoning content to append.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<types::MessageDeltaType>,
}
impl json::ReadObject for MessageDelta {
    const NAMES: &'static [&'static str] = &[
        "partial_json",
        "signature",
        "stop_reason",
        "stop_sequence",
        "text",
        "thinking",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            partial_json: f0,
            signature: f1,
            stop_reason: f2,
            stop_sequence: f3,
            text: f4,
            thinking: f5,
            type_: f6,
        })
    }
}
json::object!(MessageDelta);
/// Type of the change of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageDeltaType {
    /// `text_delta`
    TextDelta,
    /// `thinking_delta`
    ThinkingDelta,
    /// `signature_delta`
    SignatureDelta,
    /// `input_json_delta`
    InputJsonDelta,
}
impl MessageDeltaType {
    pub const ALL: &'static [Self] = &[
        Self::TextDelta,
        Self::ThinkingDelta,
        Self::SignatureDelta,
        Self::InputJsonDelta,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "text_delta",
        "thinking_delta",
        "signature_delta",
        "input_json_delta",
    ];
}
json::enumeration!(MessageDeltaType);
/// The error that ends a stream.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageError {
    /// Human-readable message.
    pub message: String,
    /// Class of the error.
    #[serde(rename = "type")]
    pub type_: String,
}
impl json::ReadObject for MessageError {
    const NAMES: &'static [&'static str] = &["message", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            message: json::required(f0, "message")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(MessageError);
/// An event of a streamed message. Fields by `type`:
///
/// * `message_start`: `message`, without content;
/// * `content_block_start`: `index` and `content_block`, without text;
/// * `content_block_delta`: `index` and `delta`, with text to append or the signature;
/// * `content_block_stop`: `index`;
/// * `message_delta`: `delta` with the reason of the end, `usage`, and with `return_token_ids` `token_ids` and
///   `logprobs`;
/// * `message_stop`, `ping`: none;
/// * `error`: `error`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageEvent {
    /// The new block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_block: Option<types::MessageBlock>,
    /// Change of the block or of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<types::MessageDelta>,
    /// The error that ends the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<types::MessageError>,
    /// Index of the block in `content`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Log-probability of each sampled token, with `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<f64>>,
    /// The message before its first block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<types::Message>,
    /// Sampled token ids, including the token that ends the turn, with `return_token_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_ids: Option<Vec<u32>>,
    #[serde(rename = "type")]
    pub type_: types::MessageEventType,
    /// Token counts at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<types::MessageUsage>,
}
impl json::ReadObject for MessageEvent {
    const NAMES: &'static [&'static str] = &[
        "content_block",
        "delta",
        "error",
        "index",
        "logprobs",
        "message",
        "token_ids",
        "type",
        "usage",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::Whole>, _>(&mut f3)?,
                4 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f4)?
                }
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content_block: f0.flatten(),
            delta: f1.flatten(),
            error: f2.flatten(),
            index: f3.flatten(),
            logprobs: f4.flatten(),
            message: f5.flatten(),
            token_ids: f6.flatten(),
            type_: json::required(f7, "type")?,
            usage: f8.flatten(),
        })
    }
}
json::object!(MessageEvent);
/// Type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageEventType {
    /// `message_start`
    MessageStart,
    /// `content_block_start`
    ContentBlockStart,
    /// `content_block_delta`
    ContentBlockDelta,
    /// `content_block_stop`
    ContentBlockStop,
    /// `message_delta`
    MessageDelta,
    /// `message_stop`
    MessageStop,
    Ping,
    Error,
}
impl MessageEventType {
    pub const ALL: &'static [Self] = &[
        Self::MessageStart,
        Self::ContentBlockStart,
        Self::ContentBlockDelta,
        Self::ContentBlockStop,
        Self::MessageDelta,
        Self::MessageStop,
        Self::Ping,
        Self::Error,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "ping",
        "error",
    ];
}
json::enumeration!(MessageEventType);
/// Options of the text.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct MessageOutputConfig {
    /// Reasoning effort, as `reasoning_effort` of chat completions; listed in `x-trainyard-warnings` if the chat template does not read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// JSON that the text follows. A required tool call takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<types::MessageOutputFormat>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageOutputConfig {
    const NAMES: &'static [&'static str] = &["effort", "format"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            effort: f0.flatten(),
            format: f1.flatten(),
            extra,
        })
    }
}
json::object!(MessageOutputConfig);
/// Parts of the sampled tokens.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageOutputDetails {
    /// Tokens of reasoning content.
    pub thinking_tokens: u64,
}
impl json::ReadObject for MessageOutputDetails {
    const NAMES: &'static [&'static str] = &["thinking_tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            thinking_tokens: json::required(f0, "thinking_tokens")?,
        })
    }
}
json::object!(MessageOutputDetails);
/// JSON that follows a schema. A message truncated by `max_tokens` is incomplete.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageOutputFormat {
    /// The schema, as in `response_format.json_schema.schema` of chat completions.
    pub schema: types::JsonObject,
    #[serde(rename = "type")]
    pub type_: types::JsonSchemaFormat,
}
impl json::ReadObject for MessageOutputFormat {
    const NAMES: &'static [&'static str] = &["schema", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            schema: json::required(f0, "schema")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(MessageOutputFormat);
/// A message of the conversation. Consecutive messages of one role are one turn.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageParam {
    pub content: types::MessageContentParam,
    pub role: types::MessageParamRole,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageParam {
    const NAMES: &'static [&'static str] = &["content", "role"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            role: json::required(f1, "role")?,
            extra,
        })
    }
}
json::object!(MessageParam);
/// Author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageParamRole {
    User,
    Assistant,
    System,
}
impl MessageParamRole {
    pub const ALL: &'static [Self] = &[Self::User, Self::Assistant, Self::System];
    pub const NAMES: &'static [&'static str] = &["user", "assistant", "system"];
}
json::enumeration!(MessageParamRole);
/// A conversation and sampling options. Null means the same as absent. An unknown field that resembles a documented
/// one returns 422; any other is accepted without effect, and listed in the header `x-trainyard-warnings`.
///
/// Fields of Anthropic's API that cannot change the message here are accepted and listed in that header; those that
/// would change it are rejected by name (422, `unsupported_parameter`). `docs/serving.md` lists both.
///
/// Tools that the client runs and that have no schema (`bash_*`, `text_editor_*`, `memory_*`) have their published
/// one. Tools that Anthropic's servers run, such as `web_search_*`, are left out with a warning while another tool
/// remains; otherwise they are rejected.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageRequest {
    /// Variables of the chat template, as in chat completions. They take precedence over `thinking`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_template_kwargs: Option<types::JsonObject>,
    /// Maximum number of generated tokens, including reasoning and calls. Required, except to count tokens. Upper bound: the rest of the model's context. 0 computes the prompt only, so that it is in the prefix cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The conversation so far. If the last message is the assistant's, the new one continues it from its last character. Prompt and completion together must fit the model's context, otherwise 400.
    pub messages: Vec<types::MessageParam>,
    /// Model to sample, named as in chat completions. An unknown name returns 404.
    pub model: String,
    /// Options of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_config: Option<types::MessageOutputConfig>,
    /// Older name of `output_config.format`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_format: Option<types::MessageOutputFormat>,
    /// Returns the exact tokens for training: `prompt_token_ids`, `token_ids` and `logprobs`. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_token_ids: Option<bool>,
    /// Seed of the random number generator, as in chat completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Texts that end the message and are not part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// Returns server-sent events. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// System message before the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<types::MessageContentParam>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Reasoning of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<types::MessageThinkingConfig>,
    /// Policy of tool calls. Default `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<types::MessageToolChoice>,
    /// Tools that the model may call. The client executes the calls and sends the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::MessageTool>>,
    /// Number of most likely tokens to sample from; 0 and -1 select all. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageRequest {
    const NAMES: &'static [&'static str] = &[
        "chat_template_kwargs",
        "max_tokens",
        "messages",
        "model",
        "output_config",
        "output_format",
        "return_token_ids",
        "seed",
        "stop_sequences",
        "stream",
        "system",
        "temperature",
        "thinking",
        "tool_choice",
        "tools",
        "top_k",
        "top_p",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let mut f16 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize, 30000>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 64>>,
                            _,
                        >(&mut f8)?
                }
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f13)?,
                14 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 512>>,
                            _,
                        >(&mut f14)?
                }
                15 => from.fill::<json::Nullable<json::Whole>, _>(&mut f15)?,
                16 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f16)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            chat_template_kwargs: f0.flatten(),
            max_tokens: f1,
            messages: json::required(f2, "messages")?,
            model: json::required(f3, "model")?,
            output_config: f4.flatten(),
            output_format: f5.flatten(),
            return_token_ids: f6.flatten(),
            seed: f7.flatten(),
            stop_sequences: f8.flatten(),
            stream: f9.flatten(),
            system: f10.flatten(),
            temperature: f11.flatten(),
            thinking: f12.flatten(),
            tool_choice: f13.flatten(),
            tools: f14.flatten(),
            top_k: f15.flatten(),
            top_p: f16.flatten(),
            extra,
        })
    }
}
json::object!(MessageRequest);
/// A block of a tool's result. Other types than `text` are rejected.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageResultBlockParam {
    /// Text; may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Type of the block.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageResultBlockParam {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            text: f0.flatten(),
            type_: json::required(f1, "type")?,
            extra,
        })
    }
}
json::object!(MessageResultBlockParam);
/// `end_turn`: the model ended its turn; `max_tokens`: the token limit was reached; `model_context_window_exceeded`: the end of the model's context was reached; `stop_sequence`: a text of `stop_sequences` occurred; `tool_use`: the model called tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageStopReason {
    /// `end_turn`
    EndTurn,
    /// `max_tokens`
    MaxTokens,
    /// `stop_sequence`
    StopSequence,
    /// `tool_use`
    ToolUse,
    /// `model_context_window_exceeded`
    ModelContextWindowExceeded,
}
impl MessageStopReason {
    pub const ALL: &'static [Self] = &[
        Self::EndTurn,
        Self::MaxTokens,
        Self::StopSequence,
        Self::ToolUse,
        Self::ModelContextWindowExceeded,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "model_context_window_exceeded",
    ];
}
json::enumeration!(MessageStopReason);
/// Reasoning of the model. It has an effect if the chat template can switch reasoning on and off; otherwise it is listed in `x-trainyard-warnings`. Default: as the chat template has it.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageThinkingConfig {
    /// `omitted` returns thinking blocks without their text; their `signature` contains it. Default `summarized`, which means the same as `updates`: the text is always complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<types::MessageThinkingDisplay>,
    #[serde(rename = "type")]
    pub type_: types::MessageThinkingType,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageThinkingConfig {
    const NAMES: &'static [&'static str] = &["display", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            display: f0.flatten(),
            type_: json::required(f1, "type")?,
            extra,
        })
    }
}
json::object!(MessageThinkingConfig);
/// Content of thinking blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageThinkingDisplay {
    Summarized,
    Omitted,
    Updates,
}
impl MessageThinkingDisplay {
    pub const ALL: &'static [Self] = &[Self::Summarized, Self::Omitted, Self::Updates];
    pub const NAMES: &'static [&'static str] = &["summarized", "omitted", "updates"];
}
json::enumeration!(MessageThinkingDisplay);
/// `disabled` switches reasoning off, any other type switches it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageThinkingType {
    Enabled,
    Disabled,
    Adaptive,
    /// `between_tools`
    BetweenTools,
}
impl MessageThinkingType {
    pub const ALL: &'static [Self] = &[
        Self::Enabled,
        Self::Disabled,
        Self::Adaptive,
        Self::BetweenTools,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "enabled",
        "disabled",
        "adaptive",
        "between_tools",
    ];
}
json::enumeration!(MessageThinkingType);
/// Number of tokens of a prompt.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageTokenCount {
    /// Tokens of the prompt.
    pub input_tokens: u64,
}
impl json::ReadObject for MessageTokenCount {
    const NAMES: &'static [&'static str] = &["input_tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            input_tokens: json::required(f0, "input_tokens")?,
        })
    }
}
json::object!(MessageTokenCount);
/// A tool. One without `type`, or with type `custom`, has a name and a schema.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct MessageTool {
    /// Purpose of the tool, shown to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON schema of the arguments, an object. A required call follows it. The schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<types::JsonObject>,
    /// Name by which the model calls the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Type of the tool. Default `custom`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageTool {
    const NAMES: &'static [&'static str] = &[
        "description",
        "input_schema",
        "name",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            description: f0.flatten(),
            input_schema: f1.flatten(),
            name: f2.flatten(),
            type_: f3.flatten(),
            extra,
        })
    }
}
json::object!(MessageTool);
/// `auto`: the model decides; `any`: a call of any tool; `tool`: a call of the tool `name`, which must be in `tools` (422); `none`: no call.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageToolChoice {
    /// Ends the message with its first call. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disable_parallel_tool_use: Option<bool>,
    /// Name of the tool to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub type_: types::MessageToolChoiceType,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for MessageToolChoice {
    const NAMES: &'static [&'static str] = &[
        "disable_parallel_tool_use",
        "name",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            disable_parallel_tool_use: f0.flatten(),
            name: f1.flatten(),
            type_: json::required(f2, "type")?,
            extra,
        })
    }
}
json::object!(MessageToolChoice);
/// Policy of tool calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageToolChoiceType {
    Auto,
    Any,
    Tool,
    None,
}
impl MessageToolChoiceType {
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Any, Self::Tool, Self::None];
    pub const NAMES: &'static [&'static str] = &["auto", "any", "tool", "none"];
}
json::enumeration!(MessageToolChoiceType);
/// Object type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageType {
    Message,
}
impl MessageType {
    pub const ALL: &'static [Self] = &[Self::Message];
    pub const NAMES: &'static [&'static str] = &["message"];
}
json::enumeration!(MessageType);
/// Token counts. The prompt has `input_tokens` and `cache_read_input_tokens` together.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MessageUsage {
    /// Always 0.
    pub cache_creation_input_tokens: u64,
    /// Tokens of the prompt that came from the prefix cache; known at the end of a stream.
    pub cache_read_input_tokens: u64,
    /// Tokens of the prompt that were computed.
    pub input_tokens: u64,
    /// Sampled tokens.
    pub output_tokens: u64,
    pub output_tokens_details: types::MessageOutputDetails,
}
impl json::ReadObject for MessageUsage {
    const NAMES: &'static [&'static str] = &[
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "input_tokens",
        "output_tokens",
        "output_tokens_details",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            cache_creation_input_tokens: json::required(
                f0,
                "cache_creation_input_tokens",
            )?,
            cache_read_input_tokens: json::required(f1, "cache_read_input_tokens")?,
            input_tokens: json::required(f2, "input_tokens")?,
            output_tokens: json::required(f3, "output_tokens")?,
            output_tokens_details: json::required(f4, "output_tokens_details")?,
        })
    }
}
json::object!(MessageUsage);
/// A metric at each point.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct MetricColumn {
    /// Largest value at each point; absent if each point has one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Vec<Option<f64>>>,
    /// Smallest value at each point; absent if each point has one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Vec<Option<f64>>>,
    /// Name of the metric.
    pub name: String,
    /// Mean over the steps of each point; null where no step has the metric.
    pub values: Vec<Option<f64>>,
}
impl json::ReadObject for MetricColumn {
    const NAMES: &'static [&'static str] = &["max", "min", "name", "values"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::List<json::Nullable<json::ViaDeserialize>>,
                            _,
                        >(&mut f0)?
                }
                1 => {
                    from.fill::<
                            json::List<json::Nullable<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => {
                    from.fill::<
                            json::List<json::Nullable<json::ViaDeserialize>>,
                            _,
                        >(&mut f3)?
                }
                _ => from.skip()?,
            }
        }
        Ok(Self {
            max: f0,
            min: f1,
            name: json::required(f2, "name")?,
            values: json::required(f3, "values")?,
        })
    }
}
json::object!(MetricColumn);
/// Lines of the Prometheus text format, each ended by a line feed.
pub type MetricsText = String;
/// A model to register. An unknown key that resembles a documented one is rejected by name (422). Other unknown keys are accepted for newer versions of the API and listed in `x-trainyard-warnings`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ModelCreate {
    /// Model that training starts from: the `id` of a base model in `GET /models` of the inference API. A model that is not served returns 422; the message lists the served ones.
    pub base_model: String,
    /// Owner of the model. Default: the key's own entity, also for null. It is the only accepted value; any other returns 403.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// Adapter of training method `lora`; an error (422) with another method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lora: Option<types::LoraRequest>,
    /// Name of the model, unique within entity and project. Last part of the inference name.
    pub name: String,
    /// Group of models; it need not exist before. Second part of the inference name.
    pub project: String,
    /// Handling of a taken name. True returns the existing model if it has the same `base_model` and the same training settings as far as the request sets them, otherwise 409. False returns 409. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_existing: Option<bool>,
    /// Set of parameters changed by training. Default `lora`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_method: Option<types::TrainingMethod>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        from.count(0, 64)?;
        Ok(Self {
            base_model: json::required(f0, "base_model")?,
            entity: f1.flatten(),
            lora: f2.flatten(),
            name: json::required(f3, "name")?,
            project: json::required(f4, "project")?,
            return_existing: f5,
            training_method: f6.flatten(),
            extra,
        })
    }
}
json::object!(ModelCreate);
/// Metrics of the optimizer steps of a model as columns, as in `StepMetrics`, with the jobs that made them.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ModelMetrics {
    /// The jobs in the order of their steps.
    pub jobs: Vec<types::ModelMetricsJob>,
    /// The metrics in the order of their first appearance.
    pub metrics: Vec<types::MetricColumn>,
    /// Number of completed optimizer steps.
    pub num_steps: u64,
    /// Number of the last step of each point, counted from 1.
    pub steps: Vec<u64>,
    /// End of each point, in seconds since 1970-01-01 UTC.
    pub times: Vec<f64>,
    /// Number of tokens trained up to the end of each point.
    pub tokens: Vec<u64>,
}
impl json::ReadObject for ModelMetrics {
    const NAMES: &'static [&'static str] = &[
        "jobs",
        "metrics",
        "num_steps",
        "steps",
        "times",
        "tokens",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::List<json::Whole>, _>(&mut f3)?,
                4 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::List<json::Whole>, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            jobs: json::required(f0, "jobs")?,
            metrics: json::required(f1, "metrics")?,
            num_steps: json::required(f2, "num_steps")?,
            steps: json::required(f3, "steps")?,
            times: json::required(f4, "times")?,
            tokens: json::required(f5, "tokens")?,
        })
    }
}
json::object!(ModelMetrics);
/// The steps of a job within the curve of its model.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ModelMetricsJob {
    /// Step of the checkpoint that it made; absent while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<u64>,
    /// Sampled tokens of its trajectories; absent if they do not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<types::Distribution>,
    /// Number of its first step; of the next job if it has none.
    pub first_step: u64,
    pub kind: types::TrainingJobKind,
    /// Number of its steps.
    pub num_steps: u64,
    /// Rewards of its trajectories; absent for SFT jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewards: Option<types::Distribution>,
    /// Fraction of its groups from which nothing can be learned; absent for SFT jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_without_signal: Option<f64>,
    /// UUID of the job.
    pub training_job_id: String,
}
impl json::ReadObject for ModelMetricsJob {
    const NAMES: &'static [&'static str] = &[
        "checkpoint",
        "completion_tokens",
        "first_step",
        "kind",
        "num_steps",
        "rewards",
        "share_without_signal",
        "training_job_id",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::Whole>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            checkpoint: f0.flatten(),
            completion_tokens: f1,
            first_step: json::required(f2, "first_step")?,
            kind: json::required(f3, "kind")?,
            num_steps: json::required(f4, "num_steps")?,
            rewards: f5,
            share_without_signal: f6.flatten(),
            training_job_id: json::required(f7, "training_job_id")?,
        })
    }
}
json::object!(ModelMetricsJob);
/// One page of models.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ModelPage {
    /// The models; at most `limit`.
    pub data: Vec<types::ModelResponse>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(ModelPage);
/// A registered model. Its inference name is `wandb-artifact:///{entity}/{project}/{name}`; `:step{N}` selects one step.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ModelResponse {
    /// Base model; never changes.
    pub base_model: String,
    /// Creation time, in seconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    /// Owner; the entity of the key that created the model.
    pub entity: String,
    /// UUID of the model, used in paths and jobs.
    pub id: String,
    /// Memory of a job with 8 sequences of 512 tokens a step, in the response to the creation of the model; absent elsewhere, and if the server does not read the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_memory: Option<types::JobMemory>,
    /// Newest existing step, which the plain name samples and the next job starts from; 0 before any training. Null when every checkpoint is deleted: the base model is then sampled and trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_step: Option<u64>,
    /// Adapter, with the defaults filled in; absent with another training method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lora: Option<types::LoraSettings>,
    /// Name of the model.
    pub name: String,
    /// Project of the model.
    pub project: String,
    /// Id of a run in an experiment tracker. The hosted service has one; here it is null.
    pub run_id: Option<String>,
    /// Training method; never changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_method: Option<types::TrainingMethod>,
}
impl json::ReadObject for ModelResponse {
    const NAMES: &'static [&'static str] = &[
        "base_model",
        "created_at",
        "entity",
        "id",
        "job_memory",
        "latest_step",
        "lora",
        "name",
        "project",
        "run_id",
        "training_method",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::Whole>, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            base_model: json::required(f0, "base_model")?,
            created_at: f1,
            entity: json::required(f2, "entity")?,
            id: json::required(f3, "id")?,
            job_memory: f4.flatten(),
            latest_step: f5.flatten(),
            lora: f6,
            name: json::required(f7, "name")?,
            project: json::required(f8, "project")?,
            run_id: json::required(f9, "run_id")?,
            training_method: f10,
        })
    }
}
json::object!(ModelResponse);
/// A JSON schema with its name.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct NamedJsonSchema {
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Accepted for compatibility and ignored.
    pub name: String,
    /// The schema, at most 64 KiB. Keywords that cannot be enforced while sampling return 422, as does a schema that takes more than ten seconds to compile.
    pub schema: types::JsonObject,
    /// Closes the objects of the schema that do not say what else they may have, as if `additionalProperties` were false. Completions always follow the schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}
impl json::ReadObject for NamedJsonSchema {
    const NAMES: &'static [&'static str] = &["description", "name", "schema", "strict"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            description: f0.flatten(),
            name: json::required(f1, "name")?,
            schema: json::required(f2, "schema")?,
            strict: f3.flatten(),
        })
    }
}
json::object!(NamedJsonSchema);
/// `function` requires one call of the function `function`, which must be in `tools` (422). `allowed_tools` restricts `tools` to those that `allowed_tools` lists.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct NamedToolChoice {
    /// Tools that may be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<types::AllowedTools>,
    /// Function to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<types::FunctionName>,
    #[serde(rename = "type")]
    pub type_: types::ToolChoiceType,
}
impl json::ReadObject for NamedToolChoice {
    const NAMES: &'static [&'static str] = &["allowed_tools", "function", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            allowed_tools: f0.flatten(),
            function: f1.flatten(),
            type_: json::required(f2, "type")?,
        })
    }
}
json::object!(NamedToolChoice);
/// `drop` leaves the conversation out; `truncate` removes its end, and leaves out a conversation without any remaining trained token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OverlongRows {
    Drop,
    Truncate,
}
impl OverlongRows {
    pub const ALL: &'static [Self] = &[Self::Drop, Self::Truncate];
    pub const NAMES: &'static [&'static str] = &["drop", "truncate"];
}
json::enumeration!(OverlongRows);
/// A token at a position of the prompt.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct PromptLogprob {
    /// Text of the token. An incomplete character becomes U+FFFD, a control token its spelling.
    pub decoded_token: String,
    /// Natural logarithm of the token's probability.
    pub logprob: f64,
    /// Rank of the token among the most likely ones, from 1; null for a prompt token that is not among the requested alternatives.
    pub rank: Option<u32>,
}
impl json::ReadObject for PromptLogprob {
    const NAMES: &'static [&'static str] = &["decoded_token", "logprob", "rank"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            decoded_token: json::required(f0, "decoded_token")?,
            logprob: json::required(f1, "logprob")?,
            rank: json::required(f2, "rank")?,
        })
    }
}
json::object!(PromptLogprob);
/// A token of the prompt and the most likely tokens at its position: token id in the vocabulary, written as a string, to log-probability.
pub type PromptTokenLogprobs = ::std::collections::BTreeMap<
    String,
    types::PromptLogprob,
>;
/// The result of one check.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct QueueCheck {
    /// Duration of the check in seconds.
    pub duration: f64,
    /// Errors of the check; empty if it passed.
    pub errors: Vec<String>,
    /// True if the check passed.
    pub success: bool,
}
impl json::ReadObject for QueueCheck {
    const NAMES: &'static [&'static str] = &["duration", "errors", "success"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            duration: json::required(f0, "duration")?,
            errors: json::required(f1, "errors")?,
            success: json::required(f2, "success")?,
        })
    }
}
json::object!(QueueCheck);
/// What a program samples under one id, stored token by token.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct RecordedSession {
    /// Base URL of the session for OpenAI's client libraries; Anthropic's take it without `/v1`. It authorises nothing. Only in the response that opens the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Bytes of the generations. A session takes no further generation from 64 MiB on.
    pub bytes: u64,
    /// Time of the opening in Unix seconds.
    pub created_at: i64,
    /// Time in Unix seconds from which the session is gone.
    pub expires_at: i64,
    /// Generations in their order; only in the response to `GET /v1/preview/sessions/{session_id}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generations: Option<Vec<types::SessionGeneration>>,
    /// Group of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Id of the session.
    pub id: String,
    /// Key of the session; only in the response that opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Data of the caller about the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<types::JsonObject>,
    /// Numbers and flags that came with the reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<types::JsonObject>,
    /// Model that the session samples; with `:stepN` if it is pinned.
    pub model: String,
    /// Name of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of generations; at most 1000.
    pub num_generations: u64,
    pub object: types::SessionObject,
    /// Reward of the session; absent before there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<f64>,
    /// Tags of the session.
    pub tags: Vec<String>,
}
impl json::ReadObject for RecordedSession {
    const NAMES: &'static [&'static str] = &[
        "base_url",
        "bytes",
        "created_at",
        "expires_at",
        "generations",
        "group",
        "id",
        "key",
        "metadata",
        "metrics",
        "model",
        "name",
        "num_generations",
        "object",
        "reward",
        "tags",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                11 => from.fill::<json::ViaDeserialize, _>(&mut f11)?,
                12 => from.fill::<json::Whole, _>(&mut f12)?,
                13 => from.fill::<json::ViaDeserialize, _>(&mut f13)?,
                14 => from.fill::<json::ViaDeserialize, _>(&mut f14)?,
                15 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f15)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            base_url: f0,
            bytes: json::required(f1, "bytes")?,
            created_at: json::required(f2, "created_at")?,
            expires_at: json::required(f3, "expires_at")?,
            generations: f4,
            group: f5,
            id: json::required(f6, "id")?,
            key: f7,
            metadata: f8,
            metrics: f9,
            model: json::required(f10, "model")?,
            name: f11,
            num_generations: json::required(f12, "num_generations")?,
            object: json::required(f13, "object")?,
            reward: f14,
            tags: json::required(f15, "tags")?,
        })
    }
}
json::object!(RecordedSession);
/// One page of sessions.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct RecordedSessionPage {
    /// The sessions; at most `limit`.
    pub data: Vec<types::RecordedSession>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for RecordedSessionPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(RecordedSessionPage);
/// A refusal by the model, in one of its earlier messages.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct RefusalContentPart {
    /// Text of the refusal.
    pub refusal: String,
    #[serde(rename = "type")]
    pub type_: types::RefusalContentType,
}
impl json::ReadObject for RefusalContentPart {
    const NAMES: &'static [&'static str] = &["refusal", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            refusal: json::required(f0, "refusal")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(RefusalContentPart);
/// Type of a refusal part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalContentType {
    Refusal,
}
impl RefusalContentType {
    pub const ALL: &'static [Self] = &[Self::Refusal];
    pub const NAMES: &'static [&'static str] = &["refusal"];
}
json::enumeration!(RefusalContentType);
/// `function` and `custom` require one call of the tool `name`, which must be in `tools` (422). `allowed_tools` restricts `tools` to those that it lists; `mode` is `auto` or `required`. Tools of other types are rejected.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseChosenTool {
    /// Whether a call is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<types::AllowedToolsMode>,
    /// Name of the tool in `tools`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Namespace of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Tools that may be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::AllowedTool>>,
    /// Type of the choice.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseChosenTool {
    const NAMES: &'static [&'static str] = &[
        "mode",
        "name",
        "namespace",
        "tools",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 1024>>,
                            _,
                        >(&mut f3)?
                }
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            mode: f0.flatten(),
            name: f1.flatten(),
            namespace: f2.flatten(),
            tools: f3.flatten(),
            type_: json::required(f4, "type")?,
            extra,
        })
    }
}
json::object!(ResponseChosenTool);
/// A call of a custom tool.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseCustomToolCall {
    /// Id of the call, referenced by the output that the client sends.
    pub call_id: String,
    /// Id of the item.
    pub id: String,
    /// Input of the tool, generated by the model.
    pub input: String,
    /// Name of the tool.
    pub name: String,
    /// Namespace of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    pub status: types::ResponseItemStatus,
    #[serde(rename = "type")]
    pub type_: types::ResponseCustomToolCallType,
}
impl json::ReadObject for ResponseCustomToolCall {
    const NAMES: &'static [&'static str] = &[
        "call_id",
        "id",
        "input",
        "name",
        "namespace",
        "status",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            call_id: json::required(f0, "call_id")?,
            id: json::required(f1, "id")?,
            input: json::required(f2, "input")?,
            name: json::required(f3, "name")?,
            namespace: f4.flatten(),
            status: json::required(f5, "status")?,
            type_: json::required(f6, "type")?,
        })
    }
}
json::object!(ResponseCustomToolCall);
/// Type of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseCustomToolCallType {
    /// `custom_tool_call`
    CustomToolCall,
}
impl ResponseCustomToolCallType {
    pub const ALL: &'static [Self] = &[Self::CustomToolCall];
    pub const NAMES: &'static [&'static str] = &["custom_tool_call"];
}
json::enumeration!(ResponseCustomToolCallType);
/// Reason of a failure after the response had started.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseError {
    pub code: types::ResponseErrorCode,
    /// Human-readable message.
    pub message: String,
}
impl json::ReadObject for ResponseError {
    const NAMES: &'static [&'static str] = &["code", "message"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            message: json::required(f1, "message")?,
        })
    }
}
json::object!(ResponseError);
/// `invalid_prompt`: the request cannot be executed; `server_error`: a fault of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseErrorCode {
    /// `invalid_prompt`
    InvalidPrompt,
    /// `server_error`
    ServerError,
}
impl ResponseErrorCode {
    pub const ALL: &'static [Self] = &[Self::InvalidPrompt, Self::ServerError];
    pub const NAMES: &'static [&'static str] = &["invalid_prompt", "server_error"];
}
json::enumeration!(ResponseErrorCode);
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
/// * `response.function_call_arguments.done`: `output_index`, `item_id`, `name`, `arguments`;
/// * `response.custom_tool_call_input.delta`: `output_index`, `item_id`, `delta`;
/// * `response.custom_tool_call_input.done`: `output_index`, `item_id`, `input`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseEvent {
    /// Complete arguments of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// Index of the part in its item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_index: Option<u32>,
    /// Text or arguments to append.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<String>,
    /// Complete input of a custom tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Current state of the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<types::ResponseOutputItem>,
    /// Id of the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<String>,
    /// Tokens of the text, if requested; in a delta, the tokens since the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<types::TokenLogprob>>,
    /// Name of a called function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Index of the item in `output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_index: Option<u32>,
    /// Current state of the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<types::ResponseOutputPart>,
    /// Current state of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<types::ResponseObject>,
    /// Number of the event in the stream, from 0.
    pub sequence_number: u64,
    /// Complete text of the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(rename = "type")]
    pub type_: types::ResponseEventType,
}
impl json::ReadObject for ResponseEvent {
    const NAMES: &'static [&'static str] = &[
        "arguments",
        "content_index",
        "delta",
        "input",
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f6)?
                }
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::Whole>, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f10)?,
                11 => from.fill::<json::Whole, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f12)?,
                13 => from.fill::<json::ViaDeserialize, _>(&mut f13)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            arguments: f0.flatten(),
            content_index: f1.flatten(),
            delta: f2.flatten(),
            input: f3.flatten(),
            item: f4.flatten(),
            item_id: f5.flatten(),
            logprobs: f6.flatten(),
            name: f7.flatten(),
            output_index: f8.flatten(),
            part: f9.flatten(),
            response: f10.flatten(),
            sequence_number: json::required(f11, "sequence_number")?,
            text: f12.flatten(),
            type_: json::required(f13, "type")?,
        })
    }
}
json::object!(ResponseEvent);
/// Type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// `response.custom_tool_call_input.delta`
    ResponseCustomToolCallInputDelta,
    /// `response.custom_tool_call_input.done`
    ResponseCustomToolCallInputDone,
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
        Self::ResponseCustomToolCallInputDelta,
        Self::ResponseCustomToolCallInputDone,
        Self::ResponseOutputItemDone,
        Self::ResponseCompleted,
        Self::ResponseIncomplete,
        Self::ResponseFailed,
    ];
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
        "response.custom_tool_call_input.delta",
        "response.custom_tool_call_input.done",
        "response.output_item.done",
        "response.completed",
        "response.incomplete",
        "response.failed",
    ];
}
json::enumeration!(ResponseEventType);
/// Any JSON object, or one that follows `schema`. A completion truncated by `max_tokens` is incomplete.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseFormatJsonObject {
    /// JSON schema of the object, as llama.cpp takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<types::JsonObject>,
    #[serde(rename = "type")]
    pub type_: types::JsonObjectFormat,
}
impl json::ReadObject for ResponseFormatJsonObject {
    const NAMES: &'static [&'static str] = &["schema", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            schema: f0.flatten(),
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(ResponseFormatJsonObject);
/// JSON that follows a schema. A completion truncated by `max_tokens` is incomplete.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseFormatJsonSchema {
    pub json_schema: types::NamedJsonSchema,
    #[serde(rename = "type")]
    pub type_: types::JsonSchemaFormat,
}
impl json::ReadObject for ResponseFormatJsonSchema {
    const NAMES: &'static [&'static str] = &["json_schema", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            json_schema: json::required(f0, "json_schema")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(ResponseFormatJsonSchema);
/// Free text.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseFormatText {
    #[serde(rename = "type")]
    pub type_: types::TextFormat,
}
impl json::ReadObject for ResponseFormatText {
    const NAMES: &'static [&'static str] = &["type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            type_: json::required(f0, "type")?,
        })
    }
}
json::object!(ResponseFormatText);
/// A call of a function.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseFunctionCall {
    /// The arguments as a JSON object in text form, generated by the model. Validate them before use, unless the call was required (`tool_choice`).
    pub arguments: String,
    /// Id of the call, referenced by the output that the client sends.
    pub call_id: String,
    /// Id of the item.
    pub id: String,
    /// Name of the function.
    pub name: String,
    /// Namespace of the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
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
        "namespace",
        "status",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            arguments: json::required(f0, "arguments")?,
            call_id: json::required(f1, "call_id")?,
            id: json::required(f2, "id")?,
            name: json::required(f3, "name")?,
            namespace: f4.flatten(),
            status: json::required(f5, "status")?,
            type_: json::required(f6, "type")?,
        })
    }
}
json::object!(ResponseFunctionCall);
/// Type of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseFunctionCallType {
    /// `function_call`
    FunctionCall,
}
impl ResponseFunctionCallType {
    pub const ALL: &'static [Self] = &[Self::FunctionCall];
    pub const NAMES: &'static [&'static str] = &["function_call"];
}
json::enumeration!(ResponseFunctionCallType);
/// Tokens sampled from one prompt.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseGeneration {
    /// Indices of the items of `output` that the tokens belong to.
    pub output_indices: Vec<u32>,
    /// Every sampled token in order, including the token that ends the response.
    pub output_tokens: Vec<types::ResponseToken>,
    /// Token ids of the prompt.
    pub prompt_token_ids: Vec<u32>,
}
impl json::ReadObject for ResponseGeneration {
    const NAMES: &'static [&'static str] = &[
        "output_indices",
        "output_tokens",
        "prompt_token_ids",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::Whole>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::List<json::Whole>, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            output_indices: json::required(f0, "output_indices")?,
            output_tokens: json::required(f1, "output_tokens")?,
            prompt_token_ids: json::required(f2, "prompt_token_ids")?,
        })
    }
}
json::object!(ResponseGeneration);
/// Data to include. `message.output_text.logprobs` are the log-probabilities of the tokens of the output text. The others are accepted; the service has no such data, and the fields are absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseInclude {
    /// `message.output_text.logprobs`
    MessageOutputTextLogprobs,
    /// `reasoning.encrypted_content`
    ReasoningEncryptedContent,
    /// `file_search_call.results`
    FileSearchCallResults,
    /// `web_search_call.results`
    WebSearchCallResults,
    /// `web_search_call.action.sources`
    WebSearchCallActionSources,
    /// `message.input_image.image_url`
    MessageInputImageImageUrl,
    /// `computer_call_output.output.image_url`
    ComputerCallOutputOutputImageUrl,
    /// `code_interpreter_call.outputs`
    CodeInterpreterCallOutputs,
}
impl ResponseInclude {
    pub const ALL: &'static [Self] = &[
        Self::MessageOutputTextLogprobs,
        Self::ReasoningEncryptedContent,
        Self::FileSearchCallResults,
        Self::WebSearchCallResults,
        Self::WebSearchCallActionSources,
        Self::MessageInputImageImageUrl,
        Self::ComputerCallOutputOutputImageUrl,
        Self::CodeInterpreterCallOutputs,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "message.output_text.logprobs",
        "reasoning.encrypted_content",
        "file_search_call.results",
        "web_search_call.results",
        "web_search_call.action.sources",
        "message.input_image.image_url",
        "computer_call_output.output.image_url",
        "code_interpreter_call.outputs",
    ];
}
json::enumeration!(ResponseInclude);
/// Reason why a response is incomplete.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseIncompleteDetails {
    pub reason: types::ResponseIncompleteReason,
}
impl json::ReadObject for ResponseIncompleteDetails {
    const NAMES: &'static [&'static str] = &["reason"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            reason: json::required(f0, "reason")?,
        })
    }
}
json::object!(ResponseIncompleteDetails);
/// `max_output_tokens`: the token limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseIncompleteReason {
    /// `max_output_tokens`
    MaxOutputTokens,
}
impl ResponseIncompleteReason {
    pub const ALL: &'static [Self] = &[Self::MaxOutputTokens];
    pub const NAMES: &'static [&'static str] = &["max_output_tokens"];
}
json::enumeration!(ResponseIncompleteReason);
/// Cached tokens of the prompt. All tokens count alike here, and cache hits are not reported.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseInputDetails {
    /// Always 0.
    pub cache_write_tokens: u64,
    /// Always 0.
    pub cached_tokens: u64,
}
impl json::ReadObject for ResponseInputDetails {
    const NAMES: &'static [&'static str] = &["cache_write_tokens", "cached_tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            cache_write_tokens: json::required(f0, "cache_write_tokens")?,
            cached_tokens: json::required(f1, "cached_tokens")?,
        })
    }
}
json::object!(ResponseInputDetails);
/// An item of a conversation. Items of a response can be sent back unchanged. Fields by `type`:
///
/// * `message`, also the default without `type`: `role` and `content`;
/// * `function_call`: `call_id`, `name` and `arguments`, and `namespace` for a function of one;
/// * `custom_tool_call`: `call_id`, `name` and `input`, and `namespace` for a tool of one;
/// * `function_call_output`, `custom_tool_call_output`: `call_id` and `output`;
/// * `reasoning`: `content`, or without it `summary`. Reasoning precedes the message or the calls that it led to.
///   The chat template decides whether the model sees it again. `encrypted_content` of another server cannot be read;
///   it is named in `x-trainyard-warnings`;
/// * `compaction`: the `encrypted_content` of a compaction of this service;
/// * `item_reference`: the `id` of an item of a stored response, which it stands for. An unknown id returns 404.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ResponseInputItem {
    /// Arguments of a call, a JSON object in text form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// Id of a call, shared by the call and its output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// Content of a message or of reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<types::ResponseContent>,
    /// Content of a compaction. That of reasoning is ignored, because the service cannot decrypt it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// Id of the item; of a stored one in `item_reference`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Input of a custom tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Name of a called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Namespace of a called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Output of a called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<types::ResponseContent>,
    /// Role of a message's author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<types::ResponseRole>,
    /// Summary of reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Vec<types::ResponseTextPart>>,
    /// Type of the item.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<types::ResponseInputItemType>,
}
impl json::ReadObject for ResponseInputItem {
    const NAMES: &'static [&'static str] = &[
        "arguments",
        "call_id",
        "content",
        "encrypted_content",
        "id",
        "input",
        "name",
        "namespace",
        "output",
        "role",
        "summary",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 1024>>,
                            _,
                        >(&mut f10)?
                }
                11 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f11)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            arguments: f0.flatten(),
            call_id: f1.flatten(),
            content: f2.flatten(),
            encrypted_content: f3.flatten(),
            id: f4.flatten(),
            input: f5.flatten(),
            name: f6.flatten(),
            namespace: f7.flatten(),
            output: f8.flatten(),
            role: f9.flatten(),
            summary: f10.flatten(),
            type_: f11.flatten(),
        })
    }
}
json::object!(ResponseInputItem);
/// Type of an item. Other types are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseInputItemType {
    Message,
    /// `function_call`
    FunctionCall,
    /// `function_call_output`
    FunctionCallOutput,
    Reasoning,
    /// `item_reference`
    ItemReference,
    /// `custom_tool_call`
    CustomToolCall,
    /// `custom_tool_call_output`
    CustomToolCallOutput,
    Compaction,
}
impl ResponseInputItemType {
    pub const ALL: &'static [Self] = &[
        Self::Message,
        Self::FunctionCall,
        Self::FunctionCallOutput,
        Self::Reasoning,
        Self::ItemReference,
        Self::CustomToolCall,
        Self::CustomToolCallOutput,
        Self::Compaction,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "item_reference",
        "custom_tool_call",
        "custom_tool_call_output",
        "compaction",
    ];
}
json::enumeration!(ResponseInputItemType);
/// One page of the items of a request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseItemPage {
    /// The items; at most `limit`.
    pub data: Vec<types::ResponseStoredItem>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for ResponseItemPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(ResponseItemPage);
/// Status of an item; `incomplete` was truncated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseItemStatus {
    /// `in_progress`
    InProgress,
    Completed,
    Incomplete,
}
impl ResponseItemStatus {
    pub const ALL: &'static [Self] = &[
        Self::InProgress,
        Self::Completed,
        Self::Incomplete,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "in_progress",
        "completed",
        "incomplete",
    ];
}
json::enumeration!(ResponseItemStatus);
/// A message of the assistant.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseMessage {
    /// One text part; empty while the message has just started.
    pub content: Vec<types::ResponseOutputText>,
    /// Id of the item.
    pub id: String,
    pub role: types::AssistantRole,
    pub status: types::ResponseItemStatus,
    #[serde(rename = "type")]
    pub type_: types::ResponseMessageType,
}
impl json::ReadObject for ResponseMessage {
    const NAMES: &'static [&'static str] = &["content", "id", "role", "status", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            id: json::required(f1, "id")?,
            role: json::required(f2, "role")?,
            status: json::required(f3, "status")?,
            type_: json::required(f4, "type")?,
        })
    }
}
json::object!(ResponseMessage);
/// Type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseMessageType {
    Message,
}
impl ResponseMessageType {
    pub const ALL: &'static [Self] = &[Self::Message];
    pub const NAMES: &'static [&'static str] = &["message"];
}
json::enumeration!(ResponseMessageType);
/// A function or a custom tool of a namespace.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseNamespaceTool {
    /// Purpose of the tool, shown to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Format of the input of a custom tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<types::ResponseToolFormat>,
    /// Name in the namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// JSON schema of the arguments, an object. A required call follows it. The schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<types::JsonObject>,
    /// Shown to the model; otherwise ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Type of the tool.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseNamespaceTool {
    const NAMES: &'static [&'static str] = &[
        "description",
        "format",
        "name",
        "parameters",
        "strict",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            description: f0.flatten(),
            format: f1.flatten(),
            name: f2.flatten(),
            parameters: f3.flatten(),
            strict: f4.flatten(),
            type_: json::required(f5, "type")?,
            extra,
        })
    }
}
json::object!(ResponseNamespaceTool);
/// A response, with the options of its request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseObject {
    /// `background` of the request.
    pub background: bool,
    /// Time of the completion; null unless `status` is `completed`.
    pub completed_at: Option<i64>,
    /// Time of the request, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// Reason of the failure.
    pub error: Option<types::ResponseError>,
    /// Id of the response.
    pub id: String,
    /// Reason why the response is incomplete.
    pub incomplete_details: Option<types::ResponseIncompleteDetails>,
    /// `instructions` of the request.
    pub instructions: Option<String>,
    /// `max_output_tokens` of the request.
    pub max_output_tokens: Option<u64>,
    /// `metadata` of the request.
    pub metadata: ::std::collections::BTreeMap<String, String>,
    /// `model` of the request.
    pub model: String,
    pub object: types::ResponseObjectName,
    /// Reasoning, text and calls in the order in which they were sampled.
    pub output: Vec<types::ResponseOutputItem>,
    /// `parallel_tool_calls` of the request.
    pub parallel_tool_calls: bool,
    /// `previous_response_id` of the request.
    pub previous_response_id: Option<String>,
    pub reasoning: types::ResponseReasoningEcho,
    pub status: types::ResponseStatus,
    /// Whether the response is stored when it is complete.
    pub store: bool,
    /// Sampling temperature in use.
    pub temperature: f64,
    pub text: types::ResponseTextConfig,
    /// Exact tokens for training; present once the response has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_generations: Option<Vec<types::ResponseGeneration>>,
    pub tool_choice: types::ResponseToolChoice,
    /// `tools` of the request.
    pub tools: Vec<types::ResponseTool>,
    /// `top_logprobs` of the request.
    pub top_logprobs: u32,
    /// Value of `top_p` in use.
    pub top_p: f64,
    pub truncation: types::ResponseTruncation,
    /// Token counts; null until the response has ended.
    pub usage: Option<types::ResponseUsage>,
    /// `user` of the request.
    pub user: Option<String>,
}
impl json::ReadObject for ResponseObject {
    const NAMES: &'static [&'static str] = &[
        "background",
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
        "previous_response_id",
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let (mut f20, mut f21, mut f22, mut f23) = (None, None, None, None);
        let (mut f24, mut f25, mut f26) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::Entries<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                11 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f11)?,
                12 => from.fill::<json::ViaDeserialize, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f13)?,
                14 => from.fill::<json::ViaDeserialize, _>(&mut f14)?,
                15 => from.fill::<json::ViaDeserialize, _>(&mut f15)?,
                16 => from.fill::<json::ViaDeserialize, _>(&mut f16)?,
                17 => from.fill::<json::ViaDeserialize, _>(&mut f17)?,
                18 => from.fill::<json::ViaDeserialize, _>(&mut f18)?,
                19 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f19)?
                }
                20 => from.fill::<json::ViaDeserialize, _>(&mut f20)?,
                21 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f21)?,
                22 => from.fill::<json::Whole, _>(&mut f22)?,
                23 => from.fill::<json::ViaDeserialize, _>(&mut f23)?,
                24 => from.fill::<json::ViaDeserialize, _>(&mut f24)?,
                25 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f25)?,
                26 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f26)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            background: json::required(f0, "background")?,
            completed_at: json::required(f1, "completed_at")?,
            created_at: json::required(f2, "created_at")?,
            error: json::required(f3, "error")?,
            id: json::required(f4, "id")?,
            incomplete_details: json::required(f5, "incomplete_details")?,
            instructions: json::required(f6, "instructions")?,
            max_output_tokens: json::required(f7, "max_output_tokens")?,
            metadata: json::required(f8, "metadata")?,
            model: json::required(f9, "model")?,
            object: json::required(f10, "object")?,
            output: json::required(f11, "output")?,
            parallel_tool_calls: json::required(f12, "parallel_tool_calls")?,
            previous_response_id: json::required(f13, "previous_response_id")?,
            reasoning: json::required(f14, "reasoning")?,
            status: json::required(f15, "status")?,
            store: json::required(f16, "store")?,
            temperature: json::required(f17, "temperature")?,
            text: json::required(f18, "text")?,
            token_generations: f19.flatten(),
            tool_choice: json::required(f20, "tool_choice")?,
            tools: json::required(f21, "tools")?,
            top_logprobs: json::required(f22, "top_logprobs")?,
            top_p: json::required(f23, "top_p")?,
            truncation: json::required(f24, "truncation")?,
            usage: json::required(f25, "usage")?,
            user: json::required(f26, "user")?,
        })
    }
}
json::object!(ResponseObject);
/// Object type of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseObjectName {
    Response,
}
impl ResponseObjectName {
    pub const ALL: &'static [Self] = &[Self::Response];
    pub const NAMES: &'static [&'static str] = &["response"];
}
json::enumeration!(ResponseObjectName);
/// Output tokens by purpose.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseOutputDetails {
    /// Number of reasoning tokens, including the reasoning markers; 0 without reasoning.
    pub reasoning_tokens: u64,
}
impl json::ReadObject for ResponseOutputDetails {
    const NAMES: &'static [&'static str] = &["reasoning_tokens"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            reasoning_tokens: json::required(f0, "reasoning_tokens")?,
        })
    }
}
json::object!(ResponseOutputDetails);
/// Text part of a message.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseOutputText {
    /// Always empty.
    pub annotations: Vec<types::JsonObject>,
    /// Tokens of the text, if requested; tokens without text are omitted.
    pub logprobs: Vec<types::TokenLogprob>,
    /// Text of the part.
    pub text: String,
    #[serde(rename = "type")]
    pub type_: types::ResponseOutputTextType,
}
impl json::ReadObject for ResponseOutputText {
    const NAMES: &'static [&'static str] = &["annotations", "logprobs", "text", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            annotations: json::required(f0, "annotations")?,
            logprobs: json::required(f1, "logprobs")?,
            text: json::required(f2, "text")?,
            type_: json::required(f3, "type")?,
        })
    }
}
json::object!(ResponseOutputText);
/// Type of a text part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseOutputTextType {
    /// `output_text`
    OutputText,
}
impl ResponseOutputTextType {
    pub const ALL: &'static [Self] = &[Self::OutputText];
    pub const NAMES: &'static [&'static str] = &["output_text"];
}
json::enumeration!(ResponseOutputTextType);
/// Reasoning options. `context`, `generate_summary`, `mode` and `summary` have no effect: reasoning is returned unabridged.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ResponseReasoning {
    /// Reasoning effort, as `reasoning_effort` of chat completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseReasoning {
    const NAMES: &'static [&'static str] = &["effort"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            effort: f0.flatten(),
            extra,
        })
    }
}
json::object!(ResponseReasoning);
/// Reasoning options of the response.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ResponseReasoningEcho {
    /// `reasoning.effort` of the request.
    pub effort: Option<String>,
    /// Always null.
    pub summary: Option<String>,
}
impl json::ReadObject for ResponseReasoningEcho {
    const NAMES: &'static [&'static str] = &["effort", "summary"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            effort: json::required(f0, "effort")?,
            summary: json::required(f1, "summary")?,
        })
    }
}
json::object!(ResponseReasoningEcho);
/// Text part of reasoning.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseReasoningText {
    /// Text of the reasoning.
    pub text: String,
    #[serde(rename = "type")]
    pub type_: types::ResponseReasoningTextType,
}
impl json::ReadObject for ResponseReasoningText {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            text: json::required(f0, "text")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(ResponseReasoningText);
/// Type of a reasoning part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseReasoningTextType {
    /// `reasoning_text`
    ReasoningText,
}
impl ResponseReasoningTextType {
    pub const ALL: &'static [Self] = &[Self::ReasoningText];
    pub const NAMES: &'static [&'static str] = &["reasoning_text"];
}
json::enumeration!(ResponseReasoningTextType);
/// A conversation and sampling options. Null means the same as absent. An unknown field that resembles a documented
/// one returns 422; any other is accepted without effect, and listed in the header `x-trainyard-warnings`.
///
/// The same applies to fields of OpenAI's API that cannot change the completion: `access_programs`,
/// `background_options`, `context_management`, `image`, `max_tool_calls`, `prompt_cache_key`, `prompt_cache_options`,
/// `prompt_cache_retention`, `safety_identifier`, `service_tier`, `stream_options`; and to `nvext`.
///
/// Fields that OpenAI documents and this service does not support are rejected by name (422,
/// `unsupported_parameter`), unless they are null or have the neutral value given in parentheses: `conversation`,
/// `moderation`, `personality`, `prompt`, `truncation` (`disabled`). The same applies to these fields of chat
/// completions: `frequency_penalty` (0), `function_call`, `functions`, `logit_bias`, `logprobs` (false),
/// `max_completion_tokens`, `max_tokens`, `messages`, `n` (1), `presence_penalty` (0), `reasoning_effort`,
/// `response_format`, `stop`.
///
/// The defaults of `temperature` and `top_p` come from the model's `generation_config.json`; the defaults given
/// here apply if that file does not set them.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseRequest {
    /// Samples the response after the response to the request. Needs `store`. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
    /// Variables of the chat template, as in chat completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_template_kwargs: Option<types::JsonObject>,
    /// Additional data to return, if the response has such. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include: Option<Vec<types::ResponseInclude>>,
    /// The conversation, or its continuation with `previous_response_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<types::ResponseInput>,
    /// System message before the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Maximum number of generated tokens, including reasoning and calls. Default and upper bound: the rest of the model's context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
    /// Texts by name, returned in the response; no other effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
    /// Model to sample, named as in chat completions. An unknown name returns 404.
    pub model: String,
    /// Allows several tool calls in a response; if false, it ends with its first call. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Stored response that this one continues: the items of its conversation precede `input`. Its `instructions` are not carried over. An unknown id returns 404.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_response_id: Option<String>,
    /// Reasoning options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<types::ResponseReasoning>,
    /// Seed of the random number generator, as in chat completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Stores the response and its input. Default true, unless the server stores none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<bool>,
    /// Returns server-sent events. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// Sampling temperature: divides the logits before sampling; 0 selects the most likely token. Default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Options of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<types::ResponseTextConfig>,
    /// Policy of tool calls. Default `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<types::ResponseToolChoice>,
    /// Tools that the model may call. The client executes the calls and sends the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::ResponseTool>>,
    /// Number of most likely alternatives to report for each token. From 1 on, log-probabilities are returned also without `include`. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_logprobs: Option<u32>,
    /// Cumulative probability of the most likely tokens to sample from. Default 1, all tokens; 0 selects the most likely token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Returned in the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseRequest {
    const NAMES: &'static [&'static str] = &[
        "background",
        "chat_template_kwargs",
        "include",
        "input",
        "instructions",
        "max_output_tokens",
        "metadata",
        "model",
        "parallel_tool_calls",
        "previous_response_id",
        "reasoning",
        "seed",
        "store",
        "stream",
        "temperature",
        "text",
        "tool_choice",
        "tools",
        "top_logprobs",
        "top_p",
        "user",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let mut f20 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f2)?
                }
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::Whole>, _>(&mut f5)?,
                6 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f6)?
                }
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f9)?,
                10 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::Whole>, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f13)?,
                14 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f14)?,
                15 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f15)?,
                16 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f16)?,
                17 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 128>>,
                            _,
                        >(&mut f17)?
                }
                18 => from.fill::<json::Nullable<json::Whole>, _>(&mut f18)?,
                19 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f19)?,
                20 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f20)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            background: f0.flatten(),
            chat_template_kwargs: f1.flatten(),
            include: f2.flatten(),
            input: f3.flatten(),
            instructions: f4.flatten(),
            max_output_tokens: f5.flatten(),
            metadata: f6.flatten(),
            model: json::required(f7, "model")?,
            parallel_tool_calls: f8.flatten(),
            previous_response_id: f9.flatten(),
            reasoning: f10.flatten(),
            seed: f11.flatten(),
            store: f12.flatten(),
            stream: f13.flatten(),
            temperature: f14.flatten(),
            text: f15.flatten(),
            tool_choice: f16.flatten(),
            tools: f17.flatten(),
            top_logprobs: f18.flatten(),
            top_p: f19.flatten(),
            user: f20.flatten(),
            extra,
        })
    }
}
json::object!(ResponseRequest);
/// `developer` is the newer name of `system`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseRole {
    User,
    Assistant,
    System,
    Developer,
}
impl ResponseRole {
    pub const ALL: &'static [Self] = &[
        Self::User,
        Self::Assistant,
        Self::System,
        Self::Developer,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "user",
        "assistant",
        "system",
        "developer",
    ];
}
json::enumeration!(ResponseRole);
/// Status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseStatus {
    /// `in_progress`
    InProgress,
    Completed,
    Incomplete,
    Failed,
    Cancelled,
}
impl ResponseStatus {
    pub const ALL: &'static [Self] = &[
        Self::InProgress,
        Self::Completed,
        Self::Incomplete,
        Self::Failed,
        Self::Cancelled,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "in_progress",
        "completed",
        "incomplete",
        "failed",
        "cancelled",
    ];
}
json::enumeration!(ResponseStatus);
/// An item of a stored response or of a compaction; further fields by `type`, as in `ResponseInputItem`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseStoredItem {
    /// Id of the item.
    pub id: String,
    #[serde(rename = "type")]
    pub type_: types::ResponseInputItemType,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseStoredItem {
    const NAMES: &'static [&'static str] = &["id", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            id: json::required(f0, "id")?,
            type_: json::required(f1, "type")?,
            extra,
        })
    }
}
json::object!(ResponseStoredItem);
/// Options of the text.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct ResponseTextConfig {
    /// Format of the text: free text, any JSON object, or JSON that follows a schema. Default: free text. A required tool call takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<types::ResponseTextFormat>,
    /// Verbosity, as `verbosity` of chat completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<types::Verbosity>,
}
impl json::ReadObject for ResponseTextConfig {
    const NAMES: &'static [&'static str] = &["format", "verbosity"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            format: f0.flatten(),
            verbosity: f1.flatten(),
        })
    }
}
json::object!(ResponseTextConfig);
/// JSON that follows a schema. A response truncated by `max_output_tokens` is incomplete.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseTextJsonSchema {
    /// Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Accepted for compatibility and ignored.
    pub name: String,
    /// The schema, as in `response_format.json_schema.schema` of chat completions.
    pub schema: types::JsonObject,
    /// Closes the objects of the schema that do not say what else they may have, as if `additionalProperties` were false. Responses always follow the schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            description: f0.flatten(),
            name: json::required(f1, "name")?,
            schema: json::required(f2, "schema")?,
            strict: f3.flatten(),
            type_: json::required(f4, "type")?,
        })
    }
}
json::object!(ResponseTextJsonSchema);
/// A text part.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseTextPart {
    /// Text of the part; may be empty.
    pub text: String,
    #[serde(rename = "type")]
    pub type_: types::ResponseTextPartType,
}
impl json::ReadObject for ResponseTextPart {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            text: json::required(f0, "text")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(ResponseTextPart);
/// Type of a text part by its author; all types are treated alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseTextPartType {
    /// `input_text`
    InputText,
    /// `output_text`
    OutputText,
    /// `reasoning_text`
    ReasoningText,
    /// `summary_text`
    SummaryText,
    Text,
}
impl ResponseTextPartType {
    pub const ALL: &'static [Self] = &[
        Self::InputText,
        Self::OutputText,
        Self::ReasoningText,
        Self::SummaryText,
        Self::Text,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "input_text",
        "output_text",
        "reasoning_text",
        "summary_text",
        "text",
    ];
}
json::enumeration!(ResponseTextPartType);
/// Reasoning before the message or the calls.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseThoughts {
    /// One part with the reasoning; empty while it has just started.
    pub content: Vec<types::ResponseReasoningText>,
    /// Id of the item.
    pub id: String,
    pub status: types::ResponseItemStatus,
    /// Always empty.
    pub summary: Vec<types::ResponseTextPart>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            id: json::required(f1, "id")?,
            status: json::required(f2, "status")?,
            summary: json::required(f3, "summary")?,
            type_: json::required(f4, "type")?,
        })
    }
}
json::object!(ResponseThoughts);
/// Type of reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseThoughtsType {
    Reasoning,
}
impl ResponseThoughtsType {
    pub const ALL: &'static [Self] = &[Self::Reasoning];
    pub const NAMES: &'static [&'static str] = &["reasoning"];
}
json::enumeration!(ResponseThoughtsType);
/// A sampled token.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseToken {
    /// Natural logarithm of the token's probability under the model, as in chat completions.
    pub logprob: f64,
    /// Id of the token in the vocabulary.
    pub token_id: u32,
}
impl json::ReadObject for ResponseToken {
    const NAMES: &'static [&'static str] = &["logprob", "token_id"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            logprob: json::required(f0, "logprob")?,
            token_id: json::required(f1, "token_id")?,
        })
    }
}
json::object!(ResponseToken);
/// Number of the tokens of a prompt.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseTokenCount {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    pub object: types::ResponseTokenCountObject,
}
impl json::ReadObject for ResponseTokenCount {
    const NAMES: &'static [&'static str] = &["input_tokens", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            input_tokens: json::required(f0, "input_tokens")?,
            object: json::required(f1, "object")?,
        })
    }
}
json::object!(ResponseTokenCount);
/// Object type of a number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseTokenCountObject {
    /// `response.input_tokens`
    ResponseInputTokens,
}
impl ResponseTokenCountObject {
    pub const ALL: &'static [Self] = &[Self::ResponseInputTokens];
    pub const NAMES: &'static [&'static str] = &["response.input_tokens"];
}
json::enumeration!(ResponseTokenCountObject);
/// A tool that the model may call. Types:
///
/// * `function`: a function with a JSON schema of its arguments;
/// * `custom`: a tool whose input is a text. The model calls it like a function with the argument `input`. The
///   grammar of its `format` is part of its description; a regular expression also constrains a required call;
/// * `namespace`: functions and custom tools, as `tools`. The model calls them by both names, joined by `__`.
///
/// Tools of other types need OpenAI's servers or have no schema: `apply_patch`, `code_interpreter`, `computer`,
/// `computer_use_preview`, `file_search`, `image_generation`, `local_shell`, `mcp`, `programmatic_tool_calling`,
/// `shell`, `tool_search`, `web_search`, `web_search_preview`. They are left out, and named in
/// `x-trainyard-warnings`, while another tool remains; otherwise they are rejected (422).
///
/// Rejected by name: `allowed_callers` (other than `direct`), `output_schema`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseTool {
    /// Purpose of the tool, shown to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Format of the input of a custom tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<types::ResponseToolFormat>,
    /// Name by which the model calls the tool, or name of the namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// JSON schema of the arguments, an object. A required call follows it. The schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<types::JsonObject>,
    /// Shown to the model. Where a call is required, it closes the objects of the parameters, as if `additionalProperties` were false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Tools of a namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::ResponseNamespaceTool>>,
    /// Type of the tool.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for ResponseTool {
    const NAMES: &'static [&'static str] = &[
        "description",
        "format",
        "name",
        "parameters",
        "strict",
        "tools",
        "type",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 128>>,
                            _,
                        >(&mut f5)?
                }
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            description: f0.flatten(),
            format: f1.flatten(),
            name: f2.flatten(),
            parameters: f3.flatten(),
            strict: f4.flatten(),
            tools: f5.flatten(),
            type_: json::required(f6, "type")?,
            extra,
        })
    }
}
json::object!(ResponseTool);
/// Format of the input of a custom tool; any text, or text that follows a grammar.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ResponseToolFormat {
    /// The grammar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// Syntax of the grammar: `lark` or `regex`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syntax: Option<String>,
    #[serde(rename = "type")]
    pub type_: types::ResponseToolFormatType,
}
impl json::ReadObject for ResponseToolFormat {
    const NAMES: &'static [&'static str] = &["definition", "syntax", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            definition: f0.flatten(),
            syntax: f1.flatten(),
            type_: json::required(f2, "type")?,
        })
    }
}
json::object!(ResponseToolFormat);
/// Type of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseToolFormatType {
    Text,
    Grammar,
}
impl ResponseToolFormatType {
    pub const ALL: &'static [Self] = &[Self::Text, Self::Grammar];
    pub const NAMES: &'static [&'static str] = &["text", "grammar"];
}
json::enumeration!(ResponseToolFormatType);
/// Truncation policy. Nothing is truncated; a conversation that is too long is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResponseTruncation {
    Disabled,
}
impl ResponseTruncation {
    pub const ALL: &'static [Self] = &[Self::Disabled];
    pub const NAMES: &'static [&'static str] = &["disabled"];
}
json::enumeration!(ResponseTruncation);
/// Token counts of a response.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            input_tokens: json::required(f0, "input_tokens")?,
            input_tokens_details: json::required(f1, "input_tokens_details")?,
            output_tokens: json::required(f2, "output_tokens")?,
            output_tokens_details: json::required(f3, "output_tokens_details")?,
            total_tokens: json::required(f4, "total_tokens")?,
        })
    }
}
json::object!(ResponseUsage);
/// A reward.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct RewardSession {
    /// Id of a generation of the session, whose reward it is. An unknown id returns 404.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation_id: Option<String>,
    /// Numbers and flags about the session; stored, and not trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<types::JsonObject>,
    /// How good the outcome was; more is better.
    pub reward: f64,
}
impl json::ReadObject for RewardSession {
    const NAMES: &'static [&'static str] = &["generation_id", "metrics", "reward"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self {
            generation_id: f0.flatten(),
            metrics: f1.flatten(),
            reward: json::required(f2, "reward")?,
        })
    }
}
json::object!(RewardSession);
/// Names accepted as `model` of a request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ServedModelList {
    /// Base models, then trained models, each followed by its steps.
    pub data: Vec<types::InferenceModel>,
    /// Id of the first model, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_id: Option<String>,
    /// True if the list omits names of your entity; with `anthropic-version`, only if `limit` omits them.
    pub has_more: bool,
    /// Id of the last model, with `anthropic-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_id: Option<String>,
    pub object: types::ListObject,
}
impl json::ReadObject for ServedModelList {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: f1.flatten(),
            has_more: json::required(f2, "has_more")?,
            last_id: f3.flatten(),
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(ServedModelList);
/// A server process.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ServerDetail {
    pub artifacts: types::ArtifactStoreKind,
    pub database: types::DatabaseKind,
    /// Instruction set of the processor that the engine uses.
    pub instruction_set: String,
    /// Number of jobs of one entity that may be queued or running.
    pub max_unfinished_jobs: u64,
    /// Start of the process, in seconds since 1970-01-01 UTC.
    pub started_at: i64,
    /// Number of engine threads.
    pub threads: u64,
    /// True if the process runs jobs too.
    pub trains: bool,
    /// Version of the program.
    pub version: String,
}
impl json::ReadObject for ServerDetail {
    const NAMES: &'static [&'static str] = &[
        "artifacts",
        "database",
        "instruction_set",
        "max_unfinished_jobs",
        "started_at",
        "threads",
        "trains",
        "version",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::Whole, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            artifacts: json::required(f0, "artifacts")?,
            database: json::required(f1, "database")?,
            instruction_set: json::required(f2, "instruction_set")?,
            max_unfinished_jobs: json::required(f3, "max_unfinished_jobs")?,
            started_at: json::required(f4, "started_at")?,
            threads: json::required(f5, "threads")?,
            trains: json::required(f6, "trains")?,
            version: json::required(f7, "version")?,
        })
    }
}
json::object!(ServerDetail);
/// A choice of a generation.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct SessionChoice {
    /// Reason of the end; absent for an abandoned choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Position among the choices.
    pub index: u32,
    /// Reasoning content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What the model wrote apart from reasoning and calls.
    pub text: String,
    /// Calls that were read from the text; `arguments` is JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<types::JsonObject>>,
}
impl json::ReadObject for SessionChoice {
    const NAMES: &'static [&'static str] = &[
        "finish_reason",
        "index",
        "reasoning",
        "text",
        "tool_calls",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            finish_reason: f0,
            index: json::required(f1, "index")?,
            reasoning: f2,
            text: json::required(f3, "text")?,
            tool_calls: f4,
        })
    }
}
json::object!(SessionChoice);
/// What was sampled for one request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct SessionGeneration {
    /// Choices in their order.
    pub choices: Vec<types::SessionChoice>,
    /// Number of sampled tokens.
    pub completion_tokens: u64,
    /// Time of the last token in Unix seconds.
    pub ended_at: i64,
    /// Id of the generation.
    pub id: String,
    /// Numbers and flags that came with the reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<types::JsonObject>,
    /// Sampled model.
    pub model: String,
    /// Operation of the request.
    pub operation: String,
    /// Number of tokens of the prompts.
    pub prompt_tokens: u64,
    /// Messages, tools and sampling options that the model got; on request only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<types::JsonObject>,
    /// Reward of the generation itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<f64>,
    /// Prompt and sampled tokens of each choice, on request only; `trained` marks the sampled ones. Absent if the model was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequences: Option<Vec<types::TrainingJobSequence>>,
    /// Time of the request in Unix seconds.
    pub started_at: i64,
    pub status: types::SessionGenerationStatus,
    /// Sampled step; absent for a base model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
}
impl json::ReadObject for SessionGeneration {
    const NAMES: &'static [&'static str] = &[
        "choices",
        "completion_tokens",
        "ended_at",
        "id",
        "metrics",
        "model",
        "operation",
        "prompt_tokens",
        "request",
        "reward",
        "sequences",
        "started_at",
        "status",
        "step",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::Whole, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f10)?,
                11 => from.fill::<json::Whole, _>(&mut f11)?,
                12 => from.fill::<json::ViaDeserialize, _>(&mut f12)?,
                13 => from.fill::<json::Whole, _>(&mut f13)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            choices: json::required(f0, "choices")?,
            completion_tokens: json::required(f1, "completion_tokens")?,
            ended_at: json::required(f2, "ended_at")?,
            id: json::required(f3, "id")?,
            metrics: f4,
            model: json::required(f5, "model")?,
            operation: json::required(f6, "operation")?,
            prompt_tokens: json::required(f7, "prompt_tokens")?,
            request: f8,
            reward: f9,
            sequences: f10,
            started_at: json::required(f11, "started_at")?,
            status: json::required(f12, "status")?,
            step: f13,
        })
    }
}
json::object!(SessionGeneration);
/// Whether the generation came to its end. An abandoned one is stored as far as it was sampled; it is not trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionGenerationStatus {
    Completed,
    Abandoned,
}
impl SessionGenerationStatus {
    pub const ALL: &'static [Self] = &[Self::Completed, Self::Abandoned];
    pub const NAMES: &'static [&'static str] = &["completed", "abandoned"];
}
json::enumeration!(SessionGenerationStatus);
/// Type of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionObject {
    Session,
}
impl SessionObject {
    pub const ALL: &'static [Self] = &[Self::Session];
    pub const NAMES: &'static [&'static str] = &["session"];
}
json::enumeration!(SessionObject);
/// Empty set of options; any option that is not null is rejected by name (422).
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct SftExperimentalConfig {}
impl json::ReadObject for SftExperimentalConfig {
    const NAMES: &'static [&'static str] = &[];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        while let Some(name) = from.next_field()? {
            match name {
                _ => from.only_null()?,
            }
        }
        Ok(Self {})
    }
}
json::object!(SftExperimentalConfig);
/// Selection of the metrics in `gradient_step` events. `loss/train`, `loss/grad_norm`, `loss/learning_rate`, `num_trainable_tokens` and the validation loss are in every event.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct SftMetricLogging {
    /// Includes further metrics. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Interval, in steps, of the events with further metrics, counted from the first step. The event of the last step also has them. Default 1: every step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Step number that the client expects for the job's checkpoint. Accepted for compatibility and ignored: the checkpoint gets the number after the newest step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_training_step: Option<i64>,
}
impl json::ReadObject for SftMetricLogging {
    const NAMES: &'static [&'static str] = &["enabled", "every", "target_training_step"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::Whole>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            enabled: f0.flatten(),
            every: f1.flatten(),
            target_training_step: f2.flatten(),
        })
    }
}
json::object!(SftMetricLogging);
/// Options of an SFT job. A null option has its default value; an unknown option is ignored if it is null. Any other unknown option is rejected by name (422).
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct SftTrainingConfig {
    /// Assistant turns to train. Default `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assistant_turns: Option<types::AssistantTurns>,
    /// Number of conversations per optimizer step. Default `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_size: Option<types::BatchSize>,
    /// Number of passes over the data, each in the order of the file. Default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epochs: Option<u64>,
    /// Learning rate of AdamW, one value or one per optimizer step. Default 0.00005, constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_rate: Option<types::LearningRate>,
    /// Maximum number of tokens of a conversation. Default and upper bound: the model's context (32768 at most).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_sequence_length: Option<u64>,
    /// Selection of the metrics in the events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric_logging: Option<types::SftMetricLogging>,
    /// Handling of conversations that are too long. Default `drop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlong_rows: Option<types::OverlongRows>,
    /// Optimizer steps between two computations of the validation loss. It is also computed before the first step and after the last. Default: about ten times in a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_every: Option<u64>,
    /// Fraction of the conversations used for validation instead of training. The selection depends only on the file: the conversation at position `i`, counted from 1, is selected where `i * validation_split` passes a whole number; with 0.1, every tenth. Batches are formed from the others, as if these were not in the file. Default 0: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_split: Option<f64>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::Whole>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            assistant_turns: f0.flatten(),
            batch_size: f1.flatten(),
            epochs: f2.flatten(),
            learning_rate: f3.flatten(),
            max_sequence_length: f4.flatten(),
            metric_logging: f5.flatten(),
            overlong_rows: f6.flatten(),
            validation_every: f7.flatten(),
            validation_split: f8.flatten(),
        })
    }
}
json::object!(SftTrainingConfig);
/// `asc`: oldest first; `desc`: newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SortOrder {
    #[default]
    Asc,
    Desc,
}
impl SortOrder {
    pub const ALL: &'static [Self] = &[Self::Asc, Self::Desc];
    pub const NAMES: &'static [&'static str] = &["asc", "desc"];
}
json::enumeration!(SortOrder);
/// Metrics of optimizer steps as columns. All lists have one item for each point. A point has one step, or several consecutive ones if there are more steps than points were asked for.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct StepMetrics {
    /// Id of the event of the newest step, to be sent as `Last-Event-ID` to follow the job from there; absent without steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_event_id: Option<String>,
    /// The metrics in the order of their first appearance.
    pub metrics: Vec<types::MetricColumn>,
    /// Number of completed optimizer steps.
    pub num_steps: u64,
    /// Number of the last step of each point, counted from 1.
    pub steps: Vec<u64>,
    /// End of each point, in seconds since 1970-01-01 UTC.
    pub times: Vec<f64>,
    /// Number of tokens trained up to the end of each point.
    pub tokens: Vec<u64>,
}
impl json::ReadObject for StepMetrics {
    const NAMES: &'static [&'static str] = &[
        "last_event_id",
        "metrics",
        "num_steps",
        "steps",
        "times",
        "tokens",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::List<json::Whole>, _>(&mut f3)?,
                4 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::List<json::Whole>, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            last_event_id: f0.flatten(),
            metrics: json::required(f1, "metrics")?,
            num_steps: json::required(f2, "num_steps")?,
            steps: json::required(f3, "steps")?,
            times: json::required(f4, "times")?,
            tokens: json::required(f5, "tokens")?,
        })
    }
}
json::object!(StepMetrics);
/// A message of a stored chat completion; further fields as they were sent.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct StoredChatMessage {
    /// The text; null if it was sent in parts or is absent.
    pub content: Option<String>,
    /// The parts of the content; null if it was sent as one text.
    pub content_parts: Option<Vec<types::StoredContentPart>>,
    /// Id of the message.
    pub id: String,
    /// Refusal that was sent.
    pub refusal: Option<String>,
    /// Role of the message.
    pub role: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for StoredChatMessage {
    const NAMES: &'static [&'static str] = &[
        "content",
        "content_parts",
        "id",
        "refusal",
        "role",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            content_parts: json::required(f1, "content_parts")?,
            id: json::required(f2, "id")?,
            refusal: json::required(f3, "refusal")?,
            role: json::required(f4, "role")?,
            extra,
        })
    }
}
json::object!(StoredChatMessage);
/// One page of the messages of a request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct StoredChatMessagePage {
    /// The messages; at most `limit`.
    pub data: Vec<types::StoredChatMessage>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for StoredChatMessagePage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(StoredChatMessagePage);
/// A part of the content of a stored message; further fields by `type`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct StoredContentPart {
    /// Kind of the part.
    #[serde(rename = "type")]
    pub type_: String,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for StoredContentPart {
    const NAMES: &'static [&'static str] = &["type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            type_: json::required(f0, "type")?,
            extra,
        })
    }
}
json::object!(StoredContentPart);
/// Options of a stream.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct StreamOptions {
    /// Adds the `usage` so far to every chunk; requires `include_usage`. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuous_usage_stats: Option<bool>,
    /// Ends the stream with a chunk that has `usage` and no choices. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_usage: Option<bool>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for StreamOptions {
    const NAMES: &'static [&'static str] = &["continuous_usage_stats", "include_usage"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        from.count(0, 32)?;
        Ok(Self {
            continuous_usage_stats: f0.flatten(),
            include_usage: f1.flatten(),
            extra,
        })
    }
}
json::object!(StreamOptions);
/// Format of a completion, with the field names of vLLM. Schemas, grammars and lists may have 64 KiB. A completion truncated by `max_tokens` is incomplete. Rejected by name: `whitespace_pattern`, `structural_tag`, `disable_additional_properties` (true). Ignored: `disable_fallback`, `disable_any_whitespace`; there is no fallback, and JSON has one space after `:` and `,` and no other whitespace.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct StructuredOutputs {
    /// Restricts the completion to one of these texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Vec<String>>,
    /// Restricts the completion to this grammar, in llguidance's variant of Lark with the start rule `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
    /// Restricts the completion to JSON that follows this schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json: Option<types::GuidedJson>,
    /// Restricts the completion to a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_object: Option<bool>,
    /// Restricts the whole completion to this regular expression, in the syntax of Rust's `regex` without look-around, back references and anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for StructuredOutputs {
    const NAMES: &'static [&'static str] = &[
        "choice",
        "grammar",
        "json",
        "json_object",
        "regex",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 4096>>,
                            _,
                        >(&mut f0)?
                }
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        from.count(0, 32)?;
        Ok(Self {
            choice: f0.flatten(),
            grammar: f1.flatten(),
            json: f2.flatten(),
            json_object: f3.flatten(),
            regex: f4.flatten(),
            extra,
        })
    }
}
json::object!(StructuredOutputs);
/// Options of supervised training.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct SupervisedMethod {
    /// The options; null or absent selects the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hyperparameters: Option<types::FineTuningOptions>,
}
impl json::ReadObject for SupervisedMethod {
    const NAMES: &'static [&'static str] = &["hyperparameters"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                _ => from.only_null()?,
            }
        }
        Ok(Self {
            hyperparameters: f0.flatten(),
        })
    }
}
json::object!(SupervisedMethod);
/// Supervised training.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct SupervisedResolvedMethod {
    pub hyperparameters: types::FineTuningResolvedOptions,
}
impl json::ReadObject for SupervisedResolvedMethod {
    const NAMES: &'static [&'static str] = &["hyperparameters"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            hyperparameters: json::required(f0, "hyperparameters")?,
        })
    }
}
json::object!(SupervisedResolvedMethod);
/// Result of each check.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
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
    /// Instruction set of the processor that the engine uses.
    pub instruction_set: String,
}
impl json::ReadObject for SystemCheckResponse {
    const NAMES: &'static [&'static str] = &[
        "api",
        "artifacts",
        "cpu_queue",
        "database",
        "disk",
        "gpu_queue",
        "instruction_set",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            api: json::required(f0, "api")?,
            artifacts: json::required(f1, "artifacts")?,
            cpu_queue: json::required(f2, "cpu_queue")?,
            database: json::required(f3, "database")?,
            disk: json::required(f4, "disk")?,
            gpu_queue: json::required(f5, "gpu_queue")?,
            instruction_set: json::required(f6, "instruction_set")?,
        })
    }
}
json::object!(SystemCheckResponse);
/// A message with instructions to the model.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct SystemMessage {
    pub content: types::MessageContent,
    /// Name of the author; its use depends on the chat template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub role: types::SystemRole,
}
impl json::ReadObject for SystemMessage {
    const NAMES: &'static [&'static str] = &["content", "name", "role"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            name: f1.flatten(),
            role: json::required(f2, "role")?,
        })
    }
}
json::object!(SystemMessage);
/// `developer` is the newer name of `system`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SystemRole {
    System,
    Developer,
}
impl SystemRole {
    pub const ALL: &'static [Self] = &[Self::System, Self::Developer];
    pub const NAMES: &'static [&'static str] = &["system", "developer"];
}
json::enumeration!(SystemRole);
/// A linear projection of a layer, named as in the model's tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetModule {
    /// `q_proj`
    QProj,
    /// `k_proj`
    KProj,
    /// `v_proj`
    VProj,
    /// `qkv_proj`
    QkvProj,
    /// `o_proj`
    OProj,
    /// `gate_proj`
    GateProj,
    /// `up_proj`
    UpProj,
    /// `gate_up_proj`
    GateUpProj,
    /// `down_proj`
    DownProj,
    /// `in_proj_qkv`
    InProjQkv,
    /// `in_proj_z`
    InProjZ,
    /// `in_proj_a`
    InProjA,
    /// `in_proj_b`
    InProjB,
    /// `out_proj`
    OutProj,
    /// `in_proj`
    InProj,
    W1,
    W2,
    W3,
}
impl TargetModule {
    pub const ALL: &'static [Self] = &[
        Self::QProj,
        Self::KProj,
        Self::VProj,
        Self::QkvProj,
        Self::OProj,
        Self::GateProj,
        Self::UpProj,
        Self::GateUpProj,
        Self::DownProj,
        Self::InProjQkv,
        Self::InProjZ,
        Self::InProjA,
        Self::InProjB,
        Self::OutProj,
        Self::InProj,
        Self::W1,
        Self::W2,
        Self::W3,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "q_proj",
        "k_proj",
        "v_proj",
        "qkv_proj",
        "o_proj",
        "gate_proj",
        "up_proj",
        "gate_up_proj",
        "down_proj",
        "in_proj_qkv",
        "in_proj_z",
        "in_proj_a",
        "in_proj_b",
        "out_proj",
        "in_proj",
        "w1",
        "w2",
        "w3",
    ];
}
json::enumeration!(TargetModule);
/// A text part.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TextContentPart {
    /// Text of the part; may be empty.
    pub text: String,
    #[serde(rename = "type")]
    pub type_: types::TextContentType,
}
impl json::ReadObject for TextContentPart {
    const NAMES: &'static [&'static str] = &["text", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            text: json::required(f0, "text")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(TextContentPart);
/// Type of a text part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextContentType {
    Text,
}
impl TextContentType {
    pub const ALL: &'static [Self] = &[Self::Text];
    pub const NAMES: &'static [&'static str] = &["text"];
}
json::enumeration!(TextContentType);
/// Type of free text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextFormat {
    Text,
}
impl TextFormat {
    pub const ALL: &'static [Self] = &[Self::Text];
    pub const NAMES: &'static [&'static str] = &["text"];
}
json::enumeration!(TextFormat);
/// A sampled token.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TokenLogprob {
    /// Text of the token as UTF-8 bytes; a character may span several tokens. Empty for control tokens.
    pub bytes: Option<Vec<u8>>,
    /// Natural logarithm of the token's probability under the model at temperature 1, before penalties and truncation. Training computes the same value bit for bit.
    pub logprob: f64,
    /// Ids of the prompt tokens, in a stream with the first token of each choice; absent if `return_token_ids` is false. Clients that assemble a choice from its chunks keep these entries unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<Vec<u32>>,
    /// `token_id:N`, with N the id of the token in the vocabulary, so that training can recover the exact token. OpenAI's API has the token's text here; use `bytes` for it.
    pub token: String,
    /// Most likely tokens at this position, in descending order; their number is `top_logprobs`.
    pub top_logprobs: Vec<types::TopLogprob>,
}
impl json::ReadObject for TokenLogprob {
    const NAMES: &'static [&'static str] = &[
        "bytes",
        "logprob",
        "prompt_token_ids",
        "token",
        "top_logprobs",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::List<json::ViaDeserialize, 20>, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            bytes: json::required(f0, "bytes")?,
            logprob: json::required(f1, "logprob")?,
            prompt_token_ids: f2.flatten(),
            token: json::required(f3, "token")?,
            top_logprobs: json::required(f4, "top_logprobs")?,
        })
    }
}
json::object!(TokenLogprob);
/// A text in `prompt`, or a conversation in `messages`; one of the two. Null means the same as absent. An unknown field that
/// resembles a documented one returns 422. Any other is accepted without effect and listed in the header
/// `x-trainyard-warnings`, as are the options of a conversation beside a text. `chat_template` and `mm_processor_kwargs`
/// are rejected.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct TokenizeRequest {
    /// As in chat. Default true, or false with `continue_final_message`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_generation_prompt: Option<bool>,
    /// Adds the tokens with which the tokenizer begins a text, unless the text begins with them. Default true; a conversation has them in its chat template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_special_tokens: Option<bool>,
    /// As in chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_template_kwargs: Option<types::JsonObject>,
    /// As in chat. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continue_final_message: Option<bool>,
    /// Conversation, as in chat. A prompt twice as long as the context returns 400.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<types::ChatMessage>>,
    /// Name of the model, as in chat. It may be omitted in a session, and if the service has one base model besides the built-in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Text; spellings of control tokens in it become these tokens. A text of more than 262,144 tokens returns 422.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Returns `token_strs`. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_token_strs: Option<bool>,
    /// As in chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::Tool>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for TokenizeRequest {
    const NAMES: &'static [&'static str] = &[
        "add_generation_prompt",
        "add_special_tokens",
        "chat_template_kwargs",
        "continue_final_message",
        "messages",
        "model",
        "prompt",
        "return_token_strs",
        "tools",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 30000>>,
                            _,
                        >(&mut f4)?
                }
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 128>>,
                            _,
                        >(&mut f8)?
                }
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            add_generation_prompt: f0.flatten(),
            add_special_tokens: f1.flatten(),
            chat_template_kwargs: f2.flatten(),
            continue_final_message: f3.flatten(),
            messages: f4.flatten(),
            model: f5.flatten(),
            prompt: f6.flatten(),
            return_token_strs: f7.flatten(),
            tools: f8.flatten(),
            extra,
        })
    }
}
json::object!(TokenizeRequest);
/// Tokens of a text or of a prompt.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TokenizeResponse {
    /// Number of the tokens.
    pub count: u64,
    /// Length of the model's context in tokens.
    pub max_model_len: u64,
    /// Spelling of each token in the vocabulary, with `return_token_strs`.
    pub token_strs: Option<Vec<String>>,
    /// Token ids in the vocabulary.
    pub tokens: Vec<u32>,
}
impl json::ReadObject for TokenizeResponse {
    const NAMES: &'static [&'static str] = &[
        "count",
        "max_model_len",
        "token_strs",
        "tokens",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f2)?
                }
                3 => from.fill::<json::List<json::Whole>, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            count: json::required(f0, "count")?,
            max_model_len: json::required(f1, "max_model_len")?,
            token_strs: json::required(f2, "token_strs")?,
            tokens: json::required(f3, "tokens")?,
        })
    }
}
json::object!(TokenizeResponse);
/// Tokenizer of a model.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TokenizerInfo {
    /// Whether the tokenizer begins a text with tokens of its own.
    pub add_bos_token: bool,
    /// Token that begins a text.
    pub bos_token: Option<String>,
    /// Chat template in the Jinja language; null for a model without one.
    pub chat_template: Option<String>,
    /// Token that ends a turn.
    pub eos_token: Option<String>,
    /// Length of the model's context in tokens.
    pub model_max_length: u64,
    /// Token that fills sequences.
    pub pad_token: Option<String>,
    /// Class of `transformers` that reads the tokenizer's file.
    pub tokenizer_class: String,
    /// Token in place of unknown symbols.
    pub unk_token: Option<String>,
}
impl json::ReadObject for TokenizerInfo {
    const NAMES: &'static [&'static str] = &[
        "add_bos_token",
        "bos_token",
        "chat_template",
        "eos_token",
        "model_max_length",
        "pad_token",
        "tokenizer_class",
        "unk_token",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            add_bos_token: json::required(f0, "add_bos_token")?,
            bos_token: json::required(f1, "bos_token")?,
            chat_template: json::required(f2, "chat_template")?,
            eos_token: json::required(f3, "eos_token")?,
            model_max_length: json::required(f4, "model_max_length")?,
            pad_token: json::required(f5, "pad_token")?,
            tokenizer_class: json::required(f6, "tokenizer_class")?,
            unk_token: json::required(f7, "unk_token")?,
        })
    }
}
json::object!(TokenizerInfo);
/// A call of a tool.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ToolCall {
    pub function: types::FunctionCall,
    /// Id of the call, referenced by the tool's result.
    pub id: String,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for ToolCall {
    const NAMES: &'static [&'static str] = &["function", "id", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            function: json::required(f0, "function")?,
            id: json::required(f1, "id")?,
            type_: json::required(f2, "type")?,
        })
    }
}
json::object!(ToolCall);
/// A tool call, or a fragment of one.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ToolCallDelta {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<types::FunctionCallDelta>,
    /// Id of the call, referenced by the tool's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Number of the call within its choice, from 0.
    pub index: u32,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<types::ToolType>,
}
impl json::ReadObject for ToolCallDelta {
    const NAMES: &'static [&'static str] = &["function", "id", "index", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            function: f0,
            id: f1,
            index: json::required(f2, "index")?,
            type_: f3,
        })
    }
}
json::object!(ToolCallDelta);
/// `none`: no tool call, and text that resembles a call stays text; `auto`: the model decides; `required`: exactly one call of any tool; `tools` must not be empty (422).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolChoiceMode {
    None,
    Auto,
    Required,
}
impl ToolChoiceMode {
    pub const ALL: &'static [Self] = &[Self::None, Self::Auto, Self::Required];
    pub const NAMES: &'static [&'static str] = &["none", "auto", "required"];
}
json::enumeration!(ToolChoiceMode);
/// Type of a tool choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolChoiceType {
    Function,
    /// `allowed_tools`
    AllowedTools,
}
impl ToolChoiceType {
    pub const ALL: &'static [Self] = &[Self::Function, Self::AllowedTools];
    pub const NAMES: &'static [&'static str] = &["function", "allowed_tools"];
}
json::enumeration!(ToolChoiceType);
/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ToolDefinition {
    pub function: types::FunctionDefinition,
    #[serde(rename = "type")]
    pub type_: types::ToolType,
}
impl json::ReadObject for ToolDefinition {
    const NAMES: &'static [&'static str] = &["function", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            function: json::required(f0, "function")?,
            type_: json::required(f1, "type")?,
        })
    }
}
json::object!(ToolDefinition);
/// The result of a tool call.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct ToolMessage {
    pub content: types::MessageContent,
    pub role: types::ToolRole,
    /// `id` of the tool call that this result belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}
impl json::ReadObject for ToolMessage {
    const NAMES: &'static [&'static str] = &["content", "role", "tool_call_id"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            role: json::required(f1, "role")?,
            tool_call_id: f2.flatten(),
        })
    }
}
json::object!(ToolMessage);
/// Role of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolRole {
    Tool,
}
impl ToolRole {
    pub const ALL: &'static [Self] = &[Self::Tool];
    pub const NAMES: &'static [&'static str] = &["tool"];
}
json::enumeration!(ToolRole);
/// Type of a tool; only functions exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolType {
    Function,
}
impl ToolType {
    pub const ALL: &'static [Self] = &[Self::Function];
    pub const NAMES: &'static [&'static str] = &["function"];
}
json::enumeration!(ToolType);
/// An alternative token.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TopLogprob {
    /// Text of the token as UTF-8 bytes.
    pub bytes: Option<Vec<u8>>,
    /// Natural logarithm of the token's probability.
    pub logprob: f64,
    /// `token_id:N`, as in `TokenLogprob`.
    pub token: String,
}
impl json::ReadObject for TopLogprob {
    const NAMES: &'static [&'static str] = &["bytes", "logprob", "token"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::List<json::Whole>>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            bytes: json::required(f0, "bytes")?,
            logprob: json::required(f1, "logprob")?,
            token: json::required(f2, "token")?,
        })
    }
}
json::object!(TopLogprob);
/// Result of a dry run.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingEstimate {
    /// Estimated duration in seconds at the speed of your last job on the same base model, without the time in the queue; absent without such a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_seconds: Option<f64>,
    /// Diagnostics about the job, such as groups that contribute no gradient.
    pub findings: Vec<types::TrainingFinding>,
    /// Memory of the job in a server like this one; absent if the server does not read the weights, or no step has a sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<types::JobMemory>,
    /// Number of optimizer steps.
    pub steps: u64,
    /// Number of tokens in the training sequences, including prompts.
    pub tokens: u64,
    /// Number of trained tokens among them.
    pub trained_tokens: u64,
    /// Data of the `training_started` event that the job would have.
    pub training_started: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for TrainingEstimate {
    const NAMES: &'static [&'static str] = &[
        "expected_seconds",
        "findings",
        "memory",
        "steps",
        "tokens",
        "trained_tokens",
        "training_started",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::Whole, _>(&mut f5)?,
                6 => from.fill::<json::Entries<json::Any>, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            expected_seconds: f0.flatten(),
            findings: json::required(f1, "findings")?,
            memory: f2.flatten(),
            steps: json::required(f3, "steps")?,
            tokens: json::required(f4, "tokens")?,
            trained_tokens: json::required(f5, "trained_tokens")?,
            training_started: json::required(f6, "training_started")?,
        })
    }
}
json::object!(TrainingEstimate);
/// A diagnostic about a job, its data or its options.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingFinding {
    /// Machine-readable code.
    pub code: String,
    /// Number of occurrences.
    pub count: u64,
    /// Human-readable explanation.
    pub message: String,
}
impl json::ReadObject for TrainingFinding {
    const NAMES: &'static [&'static str] = &["code", "count", "message"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            count: json::required(f1, "count")?,
            message: json::required(f2, "message")?,
        })
    }
}
json::object!(TrainingFinding);
/// A dropped part of the data of a job, or a turn whose message and tokens disagree.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobDrop {
    /// Machine-readable code, as in the event `training_started`.
    pub code: String,
    /// True for a turn whose message and tokens disagree, and whose tokens are trained.
    pub drift: bool,
    /// `id` of its group.
    pub group_id: String,
    /// Position among all places of the job, counted from 0.
    pub id: String,
    /// Human-readable explanation.
    pub message: String,
    /// Path in the request.
    pub place: String,
}
impl json::ReadObject for TrainingJobDrop {
    const NAMES: &'static [&'static str] = &[
        "code",
        "drift",
        "group_id",
        "id",
        "message",
        "place",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            drift: json::required(f1, "drift")?,
            group_id: json::required(f2, "group_id")?,
            id: json::required(f3, "id")?,
            message: json::required(f4, "message")?,
            place: json::required(f5, "place")?,
        })
    }
}
json::object!(TrainingJobDrop);
/// One page of places.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobDropPage {
    /// The places; at most `limit`.
    pub data: Vec<types::TrainingJobDrop>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrainingJobDropPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(TrainingJobDropPage);
/// Reason of a job's failure or cancellation.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobError {
    pub code: types::TrainingJobErrorCode,
    /// Human-readable message; the `error_message` of the last event.
    pub message: String,
    /// True if the same job, created again without changes, may succeed.
    pub retryable: bool,
    /// Number of the next optimizer step at the time of the failure, counted from 1; null if training had not started, or every step was completed.
    pub step: Option<u64>,
}
impl json::ReadObject for TrainingJobError {
    const NAMES: &'static [&'static str] = &["code", "message", "retryable", "step"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::Whole>, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            message: json::required(f1, "message")?,
            retryable: json::required(f2, "retryable")?,
            step: json::required(f3, "step")?,
        })
    }
}
json::object!(TrainingJobError);
/// `invalid_config`: the options cannot be used with this model or data; `invalid_training_data`: the file is malformed or unsuitable, or there is none at its `file://` URL; `training_data_unavailable`: the file could not be fetched; `model_unavailable`: the model cannot be loaded; `out_of_memory`: the job needs more memory than is available; `diverged`: the loss was not a finite number; `sampler_mismatch`: the log-probabilities of the rollouts differ from the trainer's by more than 0.1 nat in the mean, which is no rounding; `storage_failed`: the service could not read or write its own data; `interrupted`: the service crashed or stopped repeatedly while it worked on the job; `internal_error`: a fault of the service; `cancelled`: cancelled by the owner; `unknown`: the job failed before the service recorded codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    Diverged,
    /// `sampler_mismatch`
    SamplerMismatch,
    /// `storage_failed`
    StorageFailed,
    Interrupted,
    /// `internal_error`
    InternalError,
    Cancelled,
    Unknown,
}
impl TrainingJobErrorCode {
    pub const ALL: &'static [Self] = &[
        Self::InvalidConfig,
        Self::InvalidTrainingData,
        Self::TrainingDataUnavailable,
        Self::ModelUnavailable,
        Self::OutOfMemory,
        Self::Diverged,
        Self::SamplerMismatch,
        Self::StorageFailed,
        Self::Interrupted,
        Self::InternalError,
        Self::Cancelled,
        Self::Unknown,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "invalid_config",
        "invalid_training_data",
        "training_data_unavailable",
        "model_unavailable",
        "out_of_memory",
        "diverged",
        "sampler_mismatch",
        "storage_failed",
        "interrupted",
        "internal_error",
        "cancelled",
        "unknown",
    ];
}
json::enumeration!(TrainingJobErrorCode);
/// An event of a job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobEvent {
    /// Fields by event type:
    ///
    /// * `training_started`: `num_sequences`, the number of optimizer steps to come. RL events also have
    ///   `num_groups_submitted`, `num_groups_trainable`, `num_dropped_sequences`, distributions and the processing results
    ///   of the trajectories (below). SFT events have `num_rows`, `num_dropped_trajectories`,
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
    /// Metrics of an optimizer step of an RL job, apart from the rewards over the trained tokens of its row:
    ///
    /// * `reward/mean`, `reward/std` (population standard deviation): rewards of all trajectories of the request, trained
    ///   or not. `reward/zero_signal`: fraction of the groups from which nothing can be learned. Equal for all steps of a
    ///   job: they are the reward curve over the jobs of a model.
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
    /// Distributions of an RL job, over all trajectories of the request, trained or not:
    ///
    /// * `rewards`, and `completion_tokens`, the number of sampled tokens of those trajectories that tell it: `mean`,
    ///   `deviation` (population standard deviation), and `quantiles`, eleven numbers from the smallest over each tenth
    ///   to the largest. Absent without such trajectories.
    /// * `share_without_signal`: fraction of the groups from which nothing can be learned.
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
    ///   `reason`. `GET …/drops` lists all.
    pub data: ::serde_json::Map<String, ::serde_json::Value>,
    /// UUID of the event; the cursor of this item.
    pub id: String,
    #[serde(rename = "type")]
    pub type_: types::TrainingJobEventType,
}
impl json::ReadObject for TrainingJobEvent {
    const NAMES: &'static [&'static str] = &["data", "id", "type"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Entries<json::Any>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            id: json::required(f1, "id")?,
            type_: json::required(f2, "type")?,
        })
    }
}
json::object!(TrainingJobEvent);
/// One page of events.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobEventPage {
    /// The events; at most `limit`.
    pub data: Vec<types::TrainingJobEvent>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(TrainingJobEventPage);
/// `training_started` is sent once, before the first step; `gradient_step` once for each optimizer step; `training_ended` or `training_failed` once, last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    pub const ALL: &'static [Self] = &[
        Self::TrainingStarted,
        Self::GradientStep,
        Self::TrainingEnded,
        Self::TrainingFailed,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "training_started",
        "gradient_step",
        "training_ended",
        "training_failed",
    ];
}
json::enumeration!(TrainingJobEventType);
/// A trajectory group of an RL job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobGroup {
    /// Advantage of each of these trajectories within its group, before it is normalised over the job. Null if the reward is the mean of the group, or the group is dropped.
    pub advantages: Vec<Option<f64>>,
    /// Number of sampled tokens of each of these trajectories; null if its choices do not tell it.
    pub completion_tokens: Vec<Option<u64>>,
    /// Reason why no trajectory of the group is trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<types::TrainingJobRemark>,
    /// Position of the group in the request, counted from 0.
    pub id: String,
    /// Number of trajectories.
    pub num_trajectories: u64,
    /// Population standard deviation of the rewards; absent without trajectories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward_deviation: Option<f64>,
    /// Mean of the rewards; absent without trajectories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward_mean: Option<f64>,
    /// Rewards of the first 1000 trajectories, in their order.
    pub rewards: Vec<f64>,
}
impl json::ReadObject for TrainingJobGroup {
    const NAMES: &'static [&'static str] = &[
        "advantages",
        "completion_tokens",
        "dropped",
        "id",
        "num_trajectories",
        "reward_deviation",
        "reward_mean",
        "rewards",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::List<json::Nullable<json::ViaDeserialize>, 1000>,
                            _,
                        >(&mut f0)?
                }
                1 => {
                    from.fill::<
                            json::List<json::Nullable<json::Whole>, 1000>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::List<json::ViaDeserialize, 1000>, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            advantages: json::required(f0, "advantages")?,
            completion_tokens: json::required(f1, "completion_tokens")?,
            dropped: f2,
            id: json::required(f3, "id")?,
            num_trajectories: json::required(f4, "num_trajectories")?,
            reward_deviation: f5,
            reward_mean: f6,
            rewards: json::required(f7, "rewards")?,
        })
    }
}
json::object!(TrainingJobGroup);
/// One page of trajectory groups.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobGroupPage {
    /// The groups; at most `limit`.
    pub data: Vec<types::TrainingJobGroup>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrainingJobGroupPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(TrainingJobGroupPage);
/// `position`: place in the request; `reward_mean`; `reward_deviation`: spread of the rewards; `num_trajectories`; `completion_tokens`: mean number of sampled tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrainingJobGroupSort {
    #[default]
    Position,
    /// `reward_mean`
    RewardMean,
    /// `reward_deviation`
    RewardDeviation,
    /// `num_trajectories`
    NumTrajectories,
    /// `completion_tokens`
    CompletionTokens,
}
impl TrainingJobGroupSort {
    pub const ALL: &'static [Self] = &[
        Self::Position,
        Self::RewardMean,
        Self::RewardDeviation,
        Self::NumTrajectories,
        Self::CompletionTokens,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "position",
        "reward_mean",
        "reward_deviation",
        "num_trajectories",
        "completion_tokens",
    ];
}
json::enumeration!(TrainingJobGroupSort);
/// `rl`: reinforcement learning from trajectory groups; `sft`: supervised fine-tuning on conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrainingJobKind {
    Rl,
    Sft,
}
impl TrainingJobKind {
    pub const ALL: &'static [Self] = &[Self::Rl, Self::Sft];
    pub const NAMES: &'static [&'static str] = &["rl", "sft"];
}
json::enumeration!(TrainingJobKind);
/// A change of a page of jobs.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct TrainingJobListEvent {
    /// True if more jobs follow this page in the direction of the listing; present with `ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
    /// Ids of the page's jobs in their order, if they have changed. Each new one follows as `job`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
    /// A job of the page that is new or has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<types::TrainingJobResponse>,
}
impl json::ReadObject for TrainingJobListEvent {
    const NAMES: &'static [&'static str] = &["has_more", "ids", "job"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 100>>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            has_more: f0.flatten(),
            ids: f1.flatten(),
            job: f2,
        })
    }
}
json::object!(TrainingJobListEvent);
/// One page of jobs.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobPage {
    /// The jobs; at most `limit`.
    pub data: Vec<types::TrainingJobResponse>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(TrainingJobPage);
/// Progress of the optimizer steps of a job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobProgress {
    /// End of the last step at the rate of the last 20 ones, in seconds since 1970-01-01 UTC; in the past if the job has stopped making steps. Absent unless the job is running and has made a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_end_at: Option<i64>,
    /// Number of completed optimizer steps.
    pub steps: u64,
    /// Rate of the last 20 optimizer steps; absent unless the job is running and has made a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_per_second: Option<f64>,
    /// Total number of optimizer steps of the job.
    pub total_steps: u64,
}
impl json::ReadObject for TrainingJobProgress {
    const NAMES: &'static [&'static str] = &[
        "estimated_end_at",
        "steps",
        "steps_per_second",
        "total_steps",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::Whole>, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            estimated_end_at: f0.flatten(),
            steps: json::required(f1, "steps")?,
            steps_per_second: f2.flatten(),
            total_steps: json::required(f3, "total_steps")?,
        })
    }
}
json::object!(TrainingJobProgress);
/// A dropped part of the data of a job, or a turn whose message and tokens disagree.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobRemark {
    /// Machine-readable code, as in the event `training_started`.
    pub code: String,
    /// Human-readable explanation.
    pub message: String,
    /// Path in the request.
    pub place: String,
}
impl json::ReadObject for TrainingJobRemark {
    const NAMES: &'static [&'static str] = &["code", "message", "place"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            code: json::required(f0, "code")?,
            message: json::required(f1, "message")?,
            place: json::required(f2, "place")?,
        })
    }
}
json::object!(TrainingJobRemark);
/// A training job, RL or SFT.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobResponse {
    /// Number of the attempt at the job, counted from 1; absent before the first. A job that a worker returns to the queue goes on in the same attempt; one whose worker was lost begins another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// Names of the options in `config` that the request set; absent in lists, and if it set none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_options: Option<Vec<String>>,
    /// Options of the job, with the defaults filled in; disabled options are null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<::serde_json::Map<String, ::serde_json::Value>>,
    /// Creation time, in seconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    /// Entity of the job; only in the lists of operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// Reason of the failure or cancellation; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<types::TrainingJobError>,
    /// Result of a dry run; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<types::TrainingEstimate>,
    /// End time, in seconds since 1970-01-01 UTC; absent before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<i64>,
    /// UUID of the job, used in paths; empty in a dry run, which creates no job.
    pub id: String,
    /// Training type of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<types::TrainingJobKind>,
    /// `id` of the model that the job trains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Name of the job in lists; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Progress of the optimizer steps; absent before `training_started`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<types::TrainingJobProgress>,
    /// Number of queued jobs of the service that were created before this one; absent once the job has started. Entities and models take turns, jobs of one model run one after the other, and workers may have other base models: the order of the starts is another one then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_position: Option<u64>,
    /// Time of the first start, in seconds since 1970-01-01 UTC; absent while the job is queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    /// State of the job. The hosted service returns only the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<types::TrainingJobStatus>,
    /// Tags of the job in lists; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Tokens trained by the optimizer steps so far; a token counts once for each step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trained_tokens: Option<u64>,
    /// Trainer that the job began with: `learner`, or the storage format of the weights in the engine. Every attempt has the same, so a queued job with a trainer waits for a worker with such a one. Absent before it has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trainer: Option<String>,
    /// Reason why the job makes no steps; absent while it works, and after its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<types::TrainingJobWaiting>,
    /// Diagnostics for the owner of the job: options without effect (`ignored_option`) from its creation on, and after success the `findings` of its last event, such as the reason why there was nothing to learn. Absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<types::TrainingFinding>>,
    /// Name of the worker that holds the job; absent unless the job is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}
impl json::ReadObject for TrainingJobResponse {
    const NAMES: &'static [&'static str] = &[
        "attempt",
        "changed_options",
        "config",
        "created_at",
        "entity",
        "error",
        "estimate",
        "finished_at",
        "id",
        "kind",
        "model_id",
        "name",
        "progress",
        "queue_position",
        "started_at",
        "status",
        "tags",
        "trained_tokens",
        "trainer",
        "waiting_for",
        "warnings",
        "worker",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9, mut f10, mut f11) = (None, None, None, None);
        let (mut f12, mut f13, mut f14, mut f15) = (None, None, None, None);
        let (mut f16, mut f17, mut f18, mut f19) = (None, None, None, None);
        let (mut f20, mut f21) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::Whole>, _>(&mut f0)?,
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::Entries<json::Any>, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                4 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f4)?,
                5 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f5)?,
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::Whole>, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                9 => from.fill::<json::ViaDeserialize, _>(&mut f9)?,
                10 => from.fill::<json::ViaDeserialize, _>(&mut f10)?,
                11 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f11)?,
                12 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f12)?,
                13 => from.fill::<json::Nullable<json::Whole>, _>(&mut f13)?,
                14 => from.fill::<json::Nullable<json::Whole>, _>(&mut f14)?,
                15 => from.fill::<json::ViaDeserialize, _>(&mut f15)?,
                16 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 20>>,
                            _,
                        >(&mut f16)?
                }
                17 => from.fill::<json::Whole, _>(&mut f17)?,
                18 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f18)?,
                19 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f19)?,
                20 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize, 100>>,
                            _,
                        >(&mut f20)?
                }
                21 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f21)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            attempt: f0.flatten(),
            changed_options: f1.flatten(),
            config: f2,
            created_at: f3,
            entity: f4.flatten(),
            error: f5.flatten(),
            estimate: f6.flatten(),
            finished_at: f7.flatten(),
            id: json::required(f8, "id")?,
            kind: f9,
            model_id: f10,
            name: f11.flatten(),
            progress: f12.flatten(),
            queue_position: f13.flatten(),
            started_at: f14.flatten(),
            status: f15,
            tags: f16.flatten(),
            trained_tokens: f17,
            trainer: f18.flatten(),
            waiting_for: f19.flatten(),
            warnings: f20.flatten(),
            worker: f21.flatten(),
        })
    }
}
json::object!(TrainingJobResponse);
/// A sequence of tokens that a trajectory is trained on. All lists have one item per token.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobSequence {
    /// Advantage of each trained token after normalisation over the job, as the loss has it. Absent before the job has prepared its data, and if nothing of the job or of the trajectory is trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage: Option<f64>,
    /// Log-probability of each trained token when it was sampled; null for other tokens and where none was sent.
    pub logprobs: Vec<Option<f32>>,
    /// Text that each token completes. The texts of all tokens together are the text of the sequence; a token within a character has none.
    pub texts: Vec<String>,
    /// Numbers of the tokens in the vocabulary.
    pub token_ids: Vec<u32>,
    /// Whether each token has a loss.
    pub trained: Vec<bool>,
    /// Log-probability of each trained token under the weights before its optimizer step; null for other tokens, and for steps that an interrupted attempt of the job made. Absent before the end of the job, and for jobs of earlier versions of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trained_logprobs: Option<Vec<Option<f32>>>,
    /// Weight of each trained token in the loss, with a mean of 1 over the job; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}
impl json::ReadObject for TrainingJobSequence {
    const NAMES: &'static [&'static str] = &[
        "advantage",
        "logprobs",
        "texts",
        "token_ids",
        "trained",
        "trained_logprobs",
        "weight",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::Nullable<json::Single>>, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::List<json::Whole>, _>(&mut f3)?,
                4 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f4)?,
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::Nullable<json::Single>>>,
                            _,
                        >(&mut f5)?
                }
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            advantage: f0.flatten(),
            logprobs: json::required(f1, "logprobs")?,
            texts: json::required(f2, "texts")?,
            token_ids: json::required(f3, "token_ids")?,
            trained: json::required(f4, "trained")?,
            trained_logprobs: f5.flatten(),
            weight: f6.flatten(),
        })
    }
}
json::object!(TrainingJobSequence);
/// `queued`: the job waits for its start or for its resumption; `running`; `succeeded`: its checkpoint exists; `failed`: its last event has the reason, and there is no checkpoint; `cancelled`: the owner cancelled it, and there is no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrainingJobStatus {
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
}
impl TrainingJobStatus {
    pub const ALL: &'static [Self] = &[
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
    ];
}
json::enumeration!(TrainingJobStatus);
/// A trajectory of an RL job, as training sees it.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobTrajectory {
    /// Advantage of each trained token, before it is normalised over the job. Absent if the trajectory is not trained because of the rewards of its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage: Option<f64>,
    /// Turns whose message and tokens disagree; the tokens are trained.
    pub drift: Vec<types::TrainingJobRemark>,
    /// Reasons why the trajectory or a part of it is not trained.
    pub dropped: Vec<types::TrainingJobRemark>,
    /// Position of the trajectory in its group, counted from 0.
    pub id: String,
    /// Messages and choices of the trajectory as they were sent, without log-probabilities and token ids. Empty for captured exchanges.
    pub items: Vec<::serde_json::Map<String, ::serde_json::Value>>,
    /// Number of further sequences that this response omits, since it has 200,000 tokens already.
    pub omitted_sequences: u64,
    /// Reward of the trajectory.
    pub reward: f64,
    /// Sequences of tokens, one for each run of turns that continue each other.
    pub sequences: Vec<types::TrainingJobSequence>,
    /// Recorded session that the trajectory is; absent for other trajectories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}
impl json::ReadObject for TrainingJobTrajectory {
    const NAMES: &'static [&'static str] = &[
        "advantage",
        "drift",
        "dropped",
        "id",
        "items",
        "omitted_sequences",
        "reward",
        "sequences",
        "session_id",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let mut f8 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::List<json::Entries<json::Any>>, _>(&mut f4)?,
                5 => from.fill::<json::Whole, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::ViaDeserialize, _>(&mut f8)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            advantage: f0,
            drift: json::required(f1, "drift")?,
            dropped: json::required(f2, "dropped")?,
            id: json::required(f3, "id")?,
            items: json::required(f4, "items")?,
            omitted_sequences: json::required(f5, "omitted_sequences")?,
            reward: json::required(f6, "reward")?,
            sequences: json::required(f7, "sequences")?,
            session_id: f8,
        })
    }
}
json::object!(TrainingJobTrajectory);
/// One page of trajectories.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobTrajectoryPage {
    /// The trajectories; at most `limit`.
    pub data: Vec<types::TrainingJobTrajectory>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrainingJobTrajectoryPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(TrainingJobTrajectoryPage);
/// Reason why a job makes no steps.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrainingJobWaiting {
    /// The reason for people, such as the state of a learner that has no GPU yet.
    pub message: String,
    pub reason: types::TrainingJobWaitingReason,
    /// Time since when it waits, in seconds since 1970-01-01 UTC.
    pub since: i64,
}
impl json::ReadObject for TrainingJobWaiting {
    const NAMES: &'static [&'static str] = &["message", "reason", "since"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            message: json::required(f0, "message")?,
            reason: json::required(f1, "reason")?,
            since: json::required(f2, "since")?,
        })
    }
}
json::object!(TrainingJobWaiting);
/// `earlier_job`: an older job of the same model is queued or runs; `worker`: no running worker has the base model, with the `trainer` that the job began with; `turn`: the workers are busy with other jobs; `place`: its worker trains another job, or prepares the data of others; `storage`: the service could not store its data; `learner`: the remote learner is not ready yet, or was lost; `retry`: the last attempt failed, and another one follows; `lost_worker`: the worker has stopped to renew its lease, and another one takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrainingJobWaitingReason {
    /// `earlier_job`
    EarlierJob,
    Worker,
    Turn,
    Place,
    Storage,
    Learner,
    Retry,
    /// `lost_worker`
    LostWorker,
}
impl TrainingJobWaitingReason {
    pub const ALL: &'static [Self] = &[
        Self::EarlierJob,
        Self::Worker,
        Self::Turn,
        Self::Place,
        Self::Storage,
        Self::Learner,
        Self::Retry,
        Self::LostWorker,
    ];
    pub const NAMES: &'static [&'static str] = &[
        "earlier_job",
        "worker",
        "turn",
        "place",
        "storage",
        "learner",
        "retry",
        "lost_worker",
    ];
}
json::enumeration!(TrainingJobWaitingReason);
/// `lora`: a low-rank adapter on the frozen base model, as in PEFT's LoRA; `full`: every parameter of the model, only for models small enough for the available memory (422 for others).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrainingMethod {
    Lora,
    Full,
}
impl TrainingMethod {
    pub const ALL: &'static [Self] = &[Self::Lora, Self::Full];
    pub const NAMES: &'static [&'static str] = &["lora", "full"];
}
json::enumeration!(TrainingMethod);
/// One rollout and its reward, as a conversation (`messages_and_choices`) or as captured requests and responses
/// (`exchanges`); both together return 422. A field that is absent or null has its default: `{}` is a rollout with
/// reward 0 that trains nothing and counts in the mean of its group. Further fields are stored.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct Trajectory {
    /// Further conversations of the same rollout, trained with the same reward. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_histories: Option<Vec<types::History>>,
    /// Requests and responses of the rollout, captured by the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchanges: Option<types::CapturedExchanges>,
    /// Step at the end of the rollout; stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_policy_version: Option<i64>,
    /// Step at the start of the rollout; stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_policy_version: Option<i64>,
    /// Lines of the caller's log; stored. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<Vec<String>>,
    /// The conversation in order: prompt messages, and in place of each response the unchanged choice from chat completions. The loss covers the tokens of the choices; without a choice there is nothing to train.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages_and_choices: Option<Vec<types::MessageOrChoice>>,
    /// Any data of the caller about the rollout; stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<types::JsonObject>,
    /// Numbers and flags about the rollout; stored, and not trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<types::JsonObject>,
    /// Reward of the rollout. Only differences within its group count. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<f64>,
    /// The `tools` of the chat requests. They are part of the prompt, so list all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<types::JsonObject>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9) = (None, None);
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f0)?
                }
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::Whole>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::Whole>, _>(&mut f3)?,
                4 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f4)?
                }
                5 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f5)?
                }
                6 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f7)?,
                8 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f8)?,
                9 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f9)?
                }
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            additional_histories: f0.flatten(),
            exchanges: f1.flatten(),
            final_policy_version: f2.flatten(),
            initial_policy_version: f3.flatten(),
            logs: f4.flatten(),
            messages_and_choices: f5.flatten(),
            metadata: f6.flatten(),
            metrics: f7.flatten(),
            reward: f8.flatten(),
            tools: f9.flatten(),
            extra,
        })
    }
}
json::object!(Trajectory);
/// Trajectories whose rewards are compared with each other: rollouts from one starting point. A field that is absent or null has its default, so a group of failed rollouts is `{"exceptions": […]}`. Further fields are stored.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct TrajectoryGroup {
    /// Failed rollouts, as `type`, `message` and `traceback`; stored, and not trained. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exceptions: Option<Vec<types::JsonObject>>,
    /// Lines of the caller's log; stored. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<Vec<String>>,
    /// Any data of the caller about the group; stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<types::JsonObject>,
    /// Numbers about the group; stored, and not trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<types::JsonObject>,
    /// Rollouts. A group with no rollout, one rollout, or equal rewards is accepted and contributes no gradient; `training_started` reports it. Default empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectories: Option<Vec<types::Trajectory>>,
    /// The fields that the document does not name.
    #[serde(flatten)]
    pub extra: ::serde_json::Map<String, ::serde_json::Value>,
}
impl json::ReadObject for TrajectoryGroup {
    const NAMES: &'static [&'static str] = &[
        "exceptions",
        "logs",
        "metadata",
        "metrics",
        "trajectories",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        let mut extra: ::serde_json::Map<String, ::serde_json::Value> = Default::default();
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f0)?
                }
                1 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f1)?
                }
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f3)?,
                4 => {
                    from.fill::<
                            json::Nullable<json::List<json::ViaDeserialize>>,
                            _,
                        >(&mut f4)?
                }
                _ => from.keep::<json::Any, _, _>(&mut extra)?,
            }
        }
        Ok(Self {
            exceptions: f0.flatten(),
            logs: f1.flatten(),
            metadata: f2.flatten(),
            metrics: f3.flatten(),
            trajectories: f4.flatten(),
            extra,
        })
    }
}
json::object!(TrajectoryGroup);
/// Trajectory groups that were logged with one request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrajectoryLog {
    /// Creation time, in seconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// UUID of the log.
    pub id: String,
    /// Number of groups.
    pub num_groups: u64,
    /// Split of the trajectories.
    pub split: String,
}
impl json::ReadObject for TrajectoryLog {
    const NAMES: &'static [&'static str] = &["created_at", "id", "num_groups", "split"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            created_at: json::required(f0, "created_at")?,
            id: json::required(f1, "id")?,
            num_groups: json::required(f2, "num_groups")?,
            split: json::required(f3, "split")?,
        })
    }
}
json::object!(TrajectoryLog);
/// One page of trajectory logs.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct TrajectoryLogPage {
    /// The logs; at most `limit`.
    pub data: Vec<types::TrajectoryLog>,
    /// `id` of the first item; empty on an empty page.
    pub first_id: String,
    /// True if more items follow this page in the direction of the listing.
    pub has_more: bool,
    /// `id` of the last item, to be sent as `after` for the next page; empty on an empty page.
    pub last_id: String,
    pub object: types::ListObject,
}
impl json::ReadObject for TrajectoryLogPage {
    const NAMES: &'static [&'static str] = &[
        "data",
        "first_id",
        "has_more",
        "last_id",
        "object",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 100>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            first_id: json::required(f1, "first_id")?,
            has_more: json::required(f2, "has_more")?,
            last_id: json::required(f3, "last_id")?,
            object: json::required(f4, "object")?,
        })
    }
}
json::object!(TrajectoryLogPage);
/// New metadata of a stored chat completion.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct UpdateChatCompletion {
    /// Replaces the metadata; null removes it.
    pub metadata: Option<::std::collections::BTreeMap<String, String>>,
}
impl json::ReadObject for UpdateChatCompletion {
    const NAMES: &'static [&'static str] = &["metadata"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => {
                    from.fill::<
                            json::Nullable<json::Entries<json::ViaDeserialize, 16>>,
                            _,
                        >(&mut f0)?
                }
                _ => from.skip()?,
            }
        }
        Ok(Self {
            metadata: json::required(f0, "metadata")?,
        })
    }
}
json::object!(UpdateChatCompletion);
/// Changes to a job.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct UpdateTrainingJob {
    /// New name of the job; null removes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Option<String>>,
    /// New tags of the job; an empty list removes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}
impl json::ReadObject for UpdateTrainingJob {
    const NAMES: &'static [&'static str] = &["name", "tags"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize, 20>, _>(&mut f1)?,
                _ => return Err(from.unknown_field()),
            }
        }
        Ok(Self { name: f0, tags: f1 })
    }
}
json::object!(UpdateTrainingJob);
/// Token counts of a request.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            completion_tokens: json::required(f0, "completion_tokens")?,
            prompt_tokens: json::required(f1, "prompt_tokens")?,
            total_tokens: json::required(f2, "total_tokens")?,
        })
    }
}
json::object!(Usage);
/// Usage of one key on one day in one project of one model, for chat or for one job.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct UsageOfDay {
    /// Completion tokens of these requests.
    pub completion_tokens: u64,
    /// Day in UTC; absent for usage recorded before it was kept by day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Training job; absent for chat, and for training recorded before usage was kept by job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_id: Option<String>,
    /// Id of the key.
    pub key_id: String,
    /// Name that the owner gave the key.
    pub key_name: String,
    /// Model named in the request, or the trained model.
    pub model: String,
    /// `Vendor-Project` of the chat request, empty if absent; the project of a trained model.
    pub project: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        let (mut f8, mut f9) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                5 => from.fill::<json::ViaDeserialize, _>(&mut f5)?,
                6 => from.fill::<json::ViaDeserialize, _>(&mut f6)?,
                7 => from.fill::<json::Whole, _>(&mut f7)?,
                8 => from.fill::<json::Whole, _>(&mut f8)?,
                9 => from.fill::<json::Whole, _>(&mut f9)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            completion_tokens: json::required(f0, "completion_tokens")?,
            day: f1.flatten(),
            job_id: f2.flatten(),
            key_id: json::required(f3, "key_id")?,
            key_name: json::required(f4, "key_name")?,
            model: json::required(f5, "model")?,
            project: json::required(f6, "project")?,
            prompt_tokens: json::required(f7, "prompt_tokens")?,
            requests: json::required(f8, "requests")?,
            trained_tokens: json::required(f9, "trained_tokens")?,
        })
    }
}
json::object!(UsageOfDay);
/// Usage of an entity over a range of days.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct UsageReport {
    /// Usage records. Too many records return 422; request fewer days or one project.
    pub data: Vec<types::UsageOfDay>,
    /// Last day of the report.
    pub end_date: String,
    pub object: types::ListObject,
    /// First day of the report.
    pub start_date: String,
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let mut f4 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize, 10000>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::ViaDeserialize, _>(&mut f4)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            end_date: json::required(f1, "end_date")?,
            object: json::required(f2, "object")?,
            start_date: json::required(f3, "start_date")?,
            total: json::required(f4, "total")?,
        })
    }
}
json::object!(UsageReport);
/// Sums over all records.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
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
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Whole, _>(&mut f0)?,
                1 => from.fill::<json::Whole, _>(&mut f1)?,
                2 => from.fill::<json::Whole, _>(&mut f2)?,
                3 => from.fill::<json::Whole, _>(&mut f3)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            completion_tokens: json::required(f0, "completion_tokens")?,
            prompt_tokens: json::required(f1, "prompt_tokens")?,
            requests: json::required(f2, "requests")?,
            trained_tokens: json::required(f3, "trained_tokens")?,
        })
    }
}
json::object!(UsageTotal);
/// A message of the user.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct UserMessage {
    pub content: types::MessageContent,
    /// Name of the author; its use depends on the chat template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub role: types::UserRole,
}
impl json::ReadObject for UserMessage {
    const NAMES: &'static [&'static str] = &["content", "name", "role"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2) = (None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                2 => from.fill::<json::ViaDeserialize, _>(&mut f2)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            content: json::required(f0, "content")?,
            name: f1.flatten(),
            role: json::required(f2, "role")?,
        })
    }
}
json::object!(UserMessage);
/// Role of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UserRole {
    User,
}
impl UserRole {
    pub const ALL: &'static [Self] = &[Self::User];
    pub const NAMES: &'static [&'static str] = &["user"];
}
json::enumeration!(UserRole);
/// Verbosity of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verbosity {
    Low,
    Medium,
    High,
}
impl Verbosity {
    pub const ALL: &'static [Self] = &[Self::Low, Self::Medium, Self::High];
    pub const NAMES: &'static [&'static str] = &["low", "medium", "high"];
}
json::enumeration!(Verbosity);
/// Response to a GraphQL operation, with data or errors.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
pub struct WandbAnswer {
    /// Requested data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<types::JsonObject>,
    /// Errors of the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<types::WandbFault>>,
}
impl json::ReadObject for WandbAnswer {
    const NAMES: &'static [&'static str] = &["data", "errors"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::List<json::ViaDeserialize, 1>, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: f0.flatten(),
            errors: f1,
        })
    }
}
json::object!(WandbAnswer);
/// An error of a GraphQL operation.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct WandbFault {
    /// Human-readable message.
    pub message: String,
}
impl json::ReadObject for WandbFault {
    const NAMES: &'static [&'static str] = &["message"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let mut f0 = None;
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            message: json::required(f0, "message")?,
        })
    }
}
json::object!(WandbFault);
/// Files of an artifact by name, in the form of W&B's manifests.
pub type WandbManifest = ::serde_json::Map<String, ::serde_json::Value>;
/// A GraphQL operation.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct WandbQuery {
    /// GraphQL document with one operation.
    pub query: String,
    /// Values of the variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<types::JsonObject>,
}
impl json::ReadObject for WandbQuery {
    const NAMES: &'static [&'static str] = &["query", "variables"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::Nullable<json::ViaDeserialize>, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            query: json::required(f0, "query")?,
            variables: f1.flatten(),
        })
    }
}
json::object!(WandbQuery);
/// Lines of a run's files; accepted and not stored.
pub type WandbRunFiles = ::serde_json::Map<String, ::serde_json::Value>;
/// Storage format of the base model's weights in the engine; adapters are always f32. In `file`, each matrix is in the form of the GGUF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeightFormat {
    F32,
    Bf16,
    Int8,
    Int4,
    File,
}
impl WeightFormat {
    pub const ALL: &'static [Self] = &[
        Self::F32,
        Self::Bf16,
        Self::Int8,
        Self::Int4,
        Self::File,
    ];
    pub const NAMES: &'static [&'static str] = &["f32", "bf16", "int8", "int4", "file"];
}
json::enumeration!(WeightFormat);
/// A process that runs jobs.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct WorkerDetail {
    /// True if the last report is at most 45 s old.
    pub alive: bool,
    /// Name of its machine.
    pub host: String,
    /// Running jobs under its leases.
    pub jobs: Vec<types::LeasedJob>,
    /// Unique name; it contains the id of the process.
    pub name: String,
    /// Time of its last report, in seconds since 1970-01-01 UTC.
    pub reported_at: i64,
    /// Time of its first report, in seconds since 1970-01-01 UTC.
    pub started_at: i64,
    /// Base models that it trains, each with its trainer: `learner`, or the storage format of the weights in the engine.
    pub trainers: ::std::collections::BTreeMap<String, String>,
    /// Version of its program.
    pub version: String,
}
impl json::ReadObject for WorkerDetail {
    const NAMES: &'static [&'static str] = &[
        "alive",
        "host",
        "jobs",
        "name",
        "reported_at",
        "started_at",
        "trainers",
        "version",
    ];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1, mut f2, mut f3) = (None, None, None, None);
        let (mut f4, mut f5, mut f6, mut f7) = (None, None, None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::ViaDeserialize, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                2 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f2)?,
                3 => from.fill::<json::ViaDeserialize, _>(&mut f3)?,
                4 => from.fill::<json::Whole, _>(&mut f4)?,
                5 => from.fill::<json::Whole, _>(&mut f5)?,
                6 => from.fill::<json::Entries<json::ViaDeserialize>, _>(&mut f6)?,
                7 => from.fill::<json::ViaDeserialize, _>(&mut f7)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            alive: json::required(f0, "alive")?,
            host: json::required(f1, "host")?,
            jobs: json::required(f2, "jobs")?,
            name: json::required(f3, "name")?,
            reported_at: json::required(f4, "reported_at")?,
            started_at: json::required(f5, "started_at")?,
            trainers: json::required(f6, "trainers")?,
            version: json::required(f7, "version")?,
        })
    }
}
json::object!(WorkerDetail);
/// The workers of a service.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
pub struct WorkerList {
    /// All workers.
    pub data: Vec<types::WorkerDetail>,
    pub object: types::ListObject,
}
impl json::ReadObject for WorkerList {
    const NAMES: &'static [&'static str] = &["data", "object"];
    fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let mut from = json::Fields::of(map, Self::NAMES);
        let (mut f0, mut f1) = (None, None);
        while let Some(name) = from.next_field()? {
            match name {
                0 => from.fill::<json::List<json::ViaDeserialize>, _>(&mut f0)?,
                1 => from.fill::<json::ViaDeserialize, _>(&mut f1)?,
                _ => from.skip()?,
            }
        }
        Ok(Self {
            data: json::required(f0, "data")?,
            object: json::required(f1, "object")?,
        })
    }
}
json::object!(WorkerList);
