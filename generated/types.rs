// Generated from spec/openapi.yaml by build.rs. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports)]
///What the model said, text, tool calls or both.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct AssistantMessage {
    ///The text; null or absent when there are only tool calls.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<crate::generated::unions::MessageContent>,
    ///Name of the speaker; the chat template decides what becomes of it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    ///Thoughts before the answer, for chat templates that show them.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    ///A refusal instead of an answer.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub refusal: ::std::option::Option<::std::string::String>,
    pub role: AssistantRole,
    ///The tools it called.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_calls: ::std::option::Option<::std::vec::Vec<ToolCall>>,
}
///The model.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum AssistantRole {
    #[serde(rename = "assistant")]
    Assistant,
}
impl ::std::fmt::Display for AssistantRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Assistant => f.write_str("assistant"),
        }
    }
}
impl ::std::str::FromStr for AssistantRole {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "assistant" => Ok(Self::Assistant),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for AssistantRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for AssistantRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Which turns of the assistant. The hosted service also has `last`, which is not implemented here.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum AssistantTurns {
    #[serde(rename = "all")]
    All,
}
impl ::std::fmt::Display for AssistantTurns {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::All => f.write_str("all"),
        }
    }
}
impl ::std::str::FromStr for AssistantTurns {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "all" => Ok(Self::All),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for AssistantTurns {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for AssistantTurns {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Leaves the batch size to the service.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum AutoBatchSize {
    #[serde(rename = "auto")]
    Auto,
}
impl ::std::fmt::Display for AutoBatchSize {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Auto => f.write_str("auto"),
        }
    }
}
impl ::std::str::FromStr for AutoBatchSize {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "auto" => Ok(Self::Auto),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for AutoBatchSize {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for AutoBatchSize {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Every answer to one request.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ChatCompletion {
    ///The answers, `n` of them, by `index`.
    pub choices: ::std::vec::Vec<Choice>,
    ///When it was asked for; Unix time in seconds.
    pub created: i64,
    ///Names this completion; nothing can be asked with it later.
    pub id: ::std::string::String,
    ///`model` as the request had it.
    pub model: ::std::string::String,
    pub object: ChatCompletionObject,
    ///Never sent; for clients that expect the field.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    pub usage: Usage,
}
///A piece of a streamed answer. Every chunk lists all choices by `index`, those without news with an empty `delta`.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ChatCompletionChunk {
    ///All choices; none in the chunk with the usage.
    pub choices: ::std::vec::Vec<ChunkChoice>,
    ///When it was asked for; Unix time in seconds.
    pub created: i64,
    ///The same in every chunk of a stream.
    pub id: ::std::string::String,
    ///`model` as the request had it.
    pub model: ::std::string::String,
    pub object: ChatCompletionChunkObject,
    ///Never sent; for clients that expect the field.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub system_fingerprint: ::std::option::Option<::std::string::String>,
    ///In the last chunk, when `include_usage` asks for it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub usage: ::std::option::Option<Usage>,
}
///Marks a chunk.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ChatCompletionChunkObject {
    #[serde(rename = "chat.completion.chunk")]
    ChatCompletionChunk,
}
impl ::std::fmt::Display for ChatCompletionChunkObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::ChatCompletionChunk => f.write_str("chat.completion.chunk"),
        }
    }
}
impl ::std::str::FromStr for ChatCompletionChunkObject {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "chat.completion.chunk" => Ok(Self::ChatCompletionChunk),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ChatCompletionChunkObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ChatCompletionChunkObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Marks a completion.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ChatCompletionObject {
    #[serde(rename = "chat.completion")]
    ChatCompletion,
}
impl ::std::fmt::Display for ChatCompletionObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::ChatCompletion => f.write_str("chat.completion"),
        }
    }
}
impl ::std::str::FromStr for ChatCompletionObject {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "chat.completion" => Ok(Self::ChatCompletion),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ChatCompletionObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ChatCompletionObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
/**A conversation and how to answer it. Null is the same as absent. Fields that nobody documents are accepted and
ignored.

What OpenAI and vLLM document and this service cannot honour is refused by name (422, `unsupported_parameter`),
unless null or at the value that changes nothing: `audio`, `modalities` (text alone), `prediction`,
`web_search_options`, `functions`, `function_call`, `reasoning_effort`, `verbosity`, `best_of` (1),
`use_beam_search` (false), `guided_json`, `guided_regex`, `guided_choice`, `guided_grammar`, `prompt_logprobs`,
`continue_final_message` (false), `min_tokens` (0), `ignore_eos` (false), `stop_token_ids` (empty),
`include_stop_str_in_output` (false), `skip_special_tokens` (true), `echo` (false).
*/
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ChatCompletionRequest {
    ///Further variables of the model's chat template, such as `enable_thinking` (false unless set here). Names that the service sets itself are refused.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub chat_template_kwargs: ::std::option::Option<
        crate::generated::unions::JsonObject,
    >,
    ///Subtracted from a token's logit for each time that the answer has it already. Default 0. Reported log-probabilities are those of the model, before penalties.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub frequency_penalty: ::std::option::Option<f64>,
    ///Added to the logits of tokens: number of the token in the vocabulary, written as a string, to a bias. At most 1024 tokens.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logit_bias: ::std::option::Option<
        ::std::collections::BTreeMap<::std::string::String, f64>,
    >,
    ///Without effect: log-probabilities are always answered, unlike at OpenAI.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<bool>,
    ///Tokens of each answer at most; stands above `max_tokens`. Default, and whatever is more than there is room for: all that the model's context leaves.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_completion_tokens: ::std::option::Option<u64>,
    ///The older name of `max_completion_tokens`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_tokens: ::std::option::Option<u64>,
    ///The conversation so far. Prompt and answer together must fit the model's context, else 400.
    pub messages: ::std::vec::Vec<crate::generated::unions::ChatMessage>,
    ///Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///Drops tokens whose probability is below this share of the likeliest token's. Default 0, none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub min_p: ::std::option::Option<f64>,
    ///A base model, `organization/model`, or a trained one, `wandb-artifact:///entity/project/name`, its newest step, or with `:stepN` that step. `wandb-artifact:///` may be left out. An unknown name is 404.
    pub model: ::std::string::String,
    ///Answers to sample, independently of each other. Default 1.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub n: ::std::option::Option<u32>,
    ///Whether an answer may call several tools; if not it ends with its first call. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parallel_tool_calls: ::std::option::Option<bool>,
    ///Subtracted from the logit of each token that the answer has already. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub presence_penalty: ::std::option::Option<f64>,
    ///Divides the positive and multiplies the negative logits of tokens that prompt or answer have already. Default 1, none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub repetition_penalty: ::std::option::Option<f64>,
    ///The form of the answer. Default is free text. A required tool call stands above it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub response_format: ::std::option::Option<crate::generated::unions::ResponseFormat>,
    ///Answers each choice with the numbers of its tokens in `token_ids` too. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub return_token_ids: ::std::option::Option<bool>,
    ///Key of the random numbers, 64 bits. The same request with the same seed on the same weights gives the same answers, whatever else is sampled at the time. Default: drawn anew.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub seed: ::std::option::Option<i64>,
    ///Texts that end an answer; they are not part of it. Empty ones are ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stop: ::std::option::Option<crate::generated::unions::Stop>,
    ///Accepted for compatibility and ignored; nothing is stored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub store: ::std::option::Option<bool>,
    ///Answers with server-sent events, a chunk for each piece of news. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream: ::std::option::Option<bool>,
    ///Options of a stream; ignored without one.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub stream_options: ::std::option::Option<StreamOptions>,
    ///Divides the logits before sampling; 0 takes the likeliest token. Default 1. Reported log-probabilities do not depend on it, as training needs.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub temperature: ::std::option::Option<f64>,
    ///Which tools must be called. Default `auto`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_choice: ::std::option::Option<crate::generated::unions::ToolChoice>,
    ///Functions that the model may call. Calling them, and sending the result, is up to the client.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<::std::vec::Vec<crate::generated::unions::Tool>>,
    ///Samples from this many likeliest tokens. Default, 0 and -1, all.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_k: ::std::option::Option<i64>,
    ///Likeliest alternatives to report for each token, also without `logprobs`. Default 0.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_logprobs: ::std::option::Option<u32>,
    ///Samples from the likeliest tokens that together have this probability. Default 1, all; 0 takes the likeliest one.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub top_p: ::std::option::Option<f64>,
    ///Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub user: ::std::option::Option<::std::string::String>,
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
///A saved step of a model.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct Checkpoint {
    ///UUID; the cursor of this item.
    pub id: ::std::string::String,
    ///The job's metrics by name, each the mean over its gradient steps; empty for step 0 and for a job with nothing to learn.
    pub metrics: ::std::collections::BTreeMap<::std::string::String, f64>,
    ///Number of the step within its model; 0 is the untrained model, each job adds 1. Never used twice.
    pub step: u64,
}
///One page of checkpoints.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct CheckpointPage {
    ///The checkpoints, at most `limit`.
    pub data: ::std::vec::Vec<Checkpoint>,
    ///`id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    ///Whether items follow this page in the direction of the listing.
    pub has_more: bool,
    ///`id` of the last item, the `after` of the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: ListObject,
}
///One answer. Put it into a trajectory as it is.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct Choice {
    pub finish_reason: FinishReason,
    ///Number of the answer, from 0.
    pub index: u32,
    ///The sampled tokens and their log-probabilities; always there, unlike at OpenAI.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub logprobs: ::std::option::Option<ChoiceLogprobs>,
    pub message: ChoiceMessage,
    ///Numbers of the sampled tokens in the vocabulary, when `return_token_ids` is set.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
///What to append to the message of a choice; absent fields have no news.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
pub struct ChoiceDelta {
    ///Text to append.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<::std::string::String>,
    ///Never sent.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    ///Never sent.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub refusal: ::std::option::Option<::std::string::String>,
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub role: ::std::option::Option<AssistantRole>,
    ///New tool calls; each comes whole.
    #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
    pub tool_calls: ::std::vec::Vec<ToolCallDelta>,
}
///Log-probabilities of an answer.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ChoiceLogprobs {
    ///Every sampled token in order, also those of tool calls and the one that ends the answer.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub content: ::std::option::Option<::std::vec::Vec<TokenLogprob>>,
    ///Always null.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub refusal: ::std::option::Option<::std::vec::Vec<TokenLogprob>>,
}
///The text of an answer, its tool calls, or both.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ChoiceMessage {
    ///The text; null when there are only tool calls.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub content: ::std::option::Option<::std::string::String>,
    ///Never sent; thoughts stay in `content`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub reasoning_content: ::std::option::Option<::std::string::String>,
    ///Always null.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub refusal: ::std::option::Option<::std::string::String>,
    pub role: AssistantRole,
    ///The tools it calls, in order; absent when there are none.
    #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
    pub tool_calls: ::std::vec::Vec<ToolCall>,
}
///What is new in one choice.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ChunkChoice {
    pub delta: ChoiceDelta,
    ///Null until the choice ends.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub finish_reason: ::std::option::Option<FinishReason>,
    ///Number of the answer, from 0.
    pub index: u32,
    ///The new tokens; absent when there are none.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprobs: ::std::option::Option<ChoiceLogprobs>,
    ///Numbers of the new tokens, when `return_token_ids` is set.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub token_ids: ::std::option::Option<::std::vec::Vec<u32>>,
}
///A supervised fine-tuning job.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct CreateSftTrainingJob {
    ///Options; null or absent means the defaults.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub config: ::std::option::Option<SftTrainingConfig>,
    ///Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub experimental_config: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///`id` of the model to train; an unknown one is 404.
    pub model_id: ::std::string::String,
    ///Where the conversations are. Public `https` without credentials in the URL; `http`, private hosts and `file` below the prefixes that the operator allows (`--allow-data`). Redirects are not followed. Any other URL is 422.
    pub training_data_url: ::std::string::String,
}
///A reinforcement learning job.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct CreateTrainingJob {
    ///Options; null or absent means the defaults.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub experimental_config: ::std::option::Option<ExperimentalTrainingConfig>,
    ///`id` of the model to train; an unknown one is 404.
    pub model_id: ::std::string::String,
    ///What to learn from. May be empty.
    pub trajectory_groups: ::std::vec::Vec<TrajectoryGroup>,
}
///Which steps to delete.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct DeleteCheckpointsRequest {
    ///Numbers of steps, in any order; a repeated one counts once. Step 0 can be deleted too. May be empty.
    pub steps: ::std::vec::Vec<u64>,
}
///What a deletion removed.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct DeleteCheckpointsResponse {
    ///Checkpoints removed.
    pub deleted_count: u64,
    ///The requested steps that the model does not have, ascending, each once.
    pub not_found_steps: ::std::vec::Vec<u64>,
}
///What a deletion removed.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct DeleteModelResponse {
    ///Checkpoints removed, step 0 included.
    pub deleted_checkpoints: u64,
    ///Whether a run of an experiment tracker was deleted; always false here.
    pub deleted_run: bool,
    ///Id of the deleted model.
    pub model_id: ::std::string::String,
}
///What went wrong. All four keys are always there.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ErrorDetail {
    ///A stable name of the fault for programs: `invalid_api_key`, `invalid_json`, `context_length_exceeded`, `model_not_found`, `unsupported_parameter`, `unsupported_option`, `body_too_large`, `body_timeout`; of requests that could not be read `malformed_request`, `http_version_not_supported`, `target_too_long`, `headers_too_large`, `head_timeout`. New ones may come. Null when `type` says it all.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub code: ::std::option::Option<::std::string::String>,
    ///What is wrong and what to do about it, in English, for people; its wording may change.
    pub message: ::std::string::String,
    ///The part of the request at fault: a parameter's name or a path into the body, such as `messages[0].role`. Null when it is not one part.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub param: ::std::option::Option<::std::string::String>,
    ///The kind of fault; it follows from the status. One of `invalid_request_error`, `authentication_error`, `permission_error`, `not_found_error`, `conflict_error`, `rate_limit_error`, `overloaded_error`, `internal_error`; take an unknown one for what its status says.
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
}
///The body of every refusal and every error.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ErrorResponse {
    pub error: ErrorDetail,
}
/**Options of an RL job. A null option means its default; options that nobody documents are accepted and ignored.

With `rho` for the ratio of a token's probability now to that at sampling time: CISPO (`loss_fn: cispo`) weights
the policy gradient with the clipped ratio, PPO (`loss_fn: ppo`) has the clipped surrogate objective, through
which the gradient flows.

Options of the hosted service that are not implemented are refused by name (422, `unsupported_option`), unless
null or at the value that changes nothing: `allow_training_without_logprobs` (false), `kl_penalty_coef` (0),
`kl_penalty_reference_step`, `kl_penalty_source`, `kl_penalty_step_lag`, `kl_ref_adapter_path`,
`normalize_advantages` (true), `num_trajectories_learning_rate_multiplier_power` (0), `packed_sequence_length`,
`plot_tensors` (false), `scale_learning_rate_by_reward_std_dev` (false).
*/
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
pub struct ExperimentalTrainingConfig {
    ///Shifts weight between good and bad rollouts: a positive value scales negative advantages by one less it, a negative value the positive ones. Default 0, both alike; 1 learns from good rollouts only.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub advantage_balance: ::std::option::Option<f64>,
    ///`rho` is clipped below at 1 - epsilon. Default 1 with CISPO, 0.2 with PPO.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epsilon: ::std::option::Option<f64>,
    ///`rho` is clipped above at 1 + epsilon_high. Default 4 with CISPO; with PPO the value of `epsilon`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub epsilon_high: ::std::option::Option<f64>,
    ///Over what `rho` is averaged. Default `token`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub importance_sampling_level: ::std::option::Option<ImportanceSamplingLevel>,
    ///Coefficient of Kimi K2's penalty: tau times the change in log-probability is subtracted from the advantage. Default and 0: no penalty.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub kimi_k2_tau: ::std::option::Option<f64>,
    ///Step size of AdamW, constant over the job. Default 0.000005.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate: ::std::option::Option<f64>,
    ///Bounds memory in the hosted service; accepted and ignored, it cannot change a result.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logprob_calculation_chunk_size: ::std::option::Option<u64>,
    ///The objective. Default `cispo`, or `ppo` when `ppo` is true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub loss_fn: ::std::option::Option<LossFunction>,
    ///Sets `rho` to 0 outside the clip range instead of clipping it. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub mask_prob_ratio: ::std::option::Option<bool>,
    ///Upper bound of `rho` before clipping. Default and 0, no bound.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub max_negative_advantage_importance_sampling_weight: ::std::option::Option<f64>,
    ///True is `loss_fn: ppo`, and contradicts `loss_fn: cispo` (422). Default false, which leaves it to `loss_fn`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub ppo: ::std::option::Option<bool>,
    ///Recomputes the old log-probabilities with the weights that the job starts from, instead of taking those of the choices. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub precalculate_logprobs: ::std::option::Option<bool>,
    ///Divides advantages by the standard deviation of their group's rewards. Default true.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub scale_rewards: ::std::option::Option<bool>,
    ///Multiplies the loss by the ratio of recomputed to sampled probability, at most this value; without `precalculate_logprobs` by `rho` so bounded. Default and 0: not at all.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub truncated_importance_sampling: ::std::option::Option<f64>,
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
///`stop`: the model ended the answer, or a stop text did; `length`: the limit of tokens or the context did; `tool_calls`: it calls tools. `content_filter` and `function_call` are for choices of other services.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum FinishReason {
    #[serde(rename = "stop")]
    Stop,
    #[serde(rename = "length")]
    Length,
    #[serde(rename = "tool_calls")]
    ToolCalls,
    #[serde(rename = "content_filter")]
    ContentFilter,
    #[serde(rename = "function_call")]
    FunctionCall,
}
impl ::std::fmt::Display for FinishReason {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Stop => f.write_str("stop"),
            Self::Length => f.write_str("length"),
            Self::ToolCalls => f.write_str("tool_calls"),
            Self::ContentFilter => f.write_str("content_filter"),
            Self::FunctionCall => f.write_str("function_call"),
        }
    }
}
impl ::std::str::FromStr for FinishReason {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "stop" => Ok(Self::Stop),
            "length" => Ok(Self::Length),
            "tool_calls" => Ok(Self::ToolCalls),
            "content_filter" => Ok(Self::ContentFilter),
            "function_call" => Ok(Self::FunctionCall),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for FinishReason {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for FinishReason {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Which function, with what arguments.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct FunctionCall {
    ///The arguments, a JSON object as text. The model wrote it: unless the call was required (`tool_choice`), check it before use.
    pub arguments: ::std::string::String,
    ///Name of the function.
    pub name: ::std::string::String,
}
///Which function, with what arguments.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
pub struct FunctionCallDelta {
    ///The arguments, a JSON object as text.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub arguments: ::std::option::Option<::std::string::String>,
    ///Name of the function.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
}
///A function and its parameters.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct FunctionDefinition {
    ///Tells the model what it does.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    ///What the model calls it by.
    pub name: ::std::string::String,
    ///JSON schema of the arguments, an object. When a call is required the arguments follow it, and the schemas of all tools together may have 64 KiB.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub parameters: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///Shown to the model and otherwise ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
}
///The result of a function call, in the older form.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct FunctionMessage {
    ///The result as text.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub content: ::std::option::Option<::std::string::String>,
    ///Name of the function.
    pub name: ::std::string::String,
    pub role: FunctionRole,
}
///Names a function.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct FunctionName {
    ///Its name in `tools`.
    pub name: ::std::string::String,
}
///A function.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum FunctionRole {
    #[serde(rename = "function")]
    Function,
}
impl ::std::fmt::Display for FunctionRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Function => f.write_str("function"),
        }
    }
}
impl ::std::str::FromStr for FunctionRole {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "function" => Ok(Self::Function),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for FunctionRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for FunctionRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///The service answers.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct HealthResponse {
    pub status: HealthStatus,
}
///The one status there is.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum HealthStatus {
    #[serde(rename = "ok")]
    Ok,
}
impl ::std::fmt::Display for HealthStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Ok => f.write_str("ok"),
        }
    }
}
impl ::std::str::FromStr for HealthStatus {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "ok" => Ok(Self::Ok),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for HealthStatus {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for HealthStatus {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A further conversation of a trajectory. Further fields are kept.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct History {
    ///The conversation in order: messages as they were prompted, and in the place of each answer the choice that chat completions gave, unchanged. Trained are the tokens of the choices; without a choice there is nothing to train.
    pub messages_and_choices: ::std::vec::Vec<crate::generated::unions::MessageOrChoice>,
    ///The `tools` of the chat requests; they are part of the prompt, so leave none out.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<
        ::std::vec::Vec<crate::generated::unions::JsonObject>,
    >,
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
///`token`: the token's own ratio; `sequence`: `exp` of the sequence's mean log-ratio (GSPO); `average` and `geometric_average`: the mean of the two.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ImportanceSamplingLevel {
    #[serde(rename = "token")]
    Token,
    #[serde(rename = "sequence")]
    Sequence,
    #[serde(rename = "average")]
    Average,
    #[serde(rename = "geometric_average")]
    GeometricAverage,
}
impl ::std::fmt::Display for ImportanceSamplingLevel {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Token => f.write_str("token"),
            Self::Sequence => f.write_str("sequence"),
            Self::Average => f.write_str("average"),
            Self::GeometricAverage => f.write_str("geometric_average"),
        }
    }
}
impl ::std::str::FromStr for ImportanceSamplingLevel {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "token" => Ok(Self::Token),
            "sequence" => Ok(Self::Sequence),
            "average" => Ok(Self::Average),
            "geometric_average" => Ok(Self::GeometricAverage),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ImportanceSamplingLevel {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ImportanceSamplingLevel {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A model that can be sampled.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct InferenceModel {
    ///When it was registered; Unix time in seconds. 0 for base models.
    pub created: i64,
    ///What goes into `model` of a chat request.
    pub id: ::std::string::String,
    pub object: InferenceModelObject,
    ///`system` for base models, else the entity.
    pub owned_by: ::std::string::String,
    ///The base model; of a base model its own id.
    pub root: ::std::string::String,
}
///Every model that can be sampled.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct InferenceModelList {
    ///Base models, then trained ones.
    pub data: ::std::vec::Vec<InferenceModel>,
    pub object: ListObject,
}
///Marks a model.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum InferenceModelObject {
    #[serde(rename = "model")]
    Model,
}
impl ::std::fmt::Display for InferenceModelObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Model => f.write_str("model"),
        }
    }
}
impl ::std::str::FromStr for InferenceModelObject {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "model" => Ok(Self::Model),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for InferenceModelObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for InferenceModelObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Marks any JSON object.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum JsonObjectFormat {
    #[serde(rename = "json_object")]
    JsonObject,
}
impl ::std::fmt::Display for JsonObjectFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::JsonObject => f.write_str("json_object"),
        }
    }
}
impl ::std::str::FromStr for JsonObjectFormat {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "json_object" => Ok(Self::JsonObject),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for JsonObjectFormat {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for JsonObjectFormat {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Marks JSON that follows a schema.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum JsonSchemaFormat {
    #[serde(rename = "json_schema")]
    JsonSchema,
}
impl ::std::fmt::Display for JsonSchemaFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::JsonSchema => f.write_str("json_schema"),
        }
    }
}
impl ::std::str::FromStr for JsonSchemaFormat {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "json_schema" => Ok(Self::JsonSchema),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for JsonSchemaFormat {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for JsonSchemaFormat {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Marks a list.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ListObject {
    #[serde(rename = "list")]
    List,
}
impl ::std::fmt::Display for ListObject {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::List => f.write_str("list"),
        }
    }
}
impl ::std::str::FromStr for ListObject {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "list" => Ok(Self::List),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ListObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ListObject {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Trajectories to be kept.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct LogRequest {
    ///The id of the path again, as clients send it; ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub model_id: ::std::option::Option<::std::string::String>,
    ///What the trajectories are for, such as `train` or `val`.
    pub split: ::std::string::String,
    ///The trajectories; kept as they are, with whatever else they carry.
    pub trajectory_groups: ::std::vec::Vec<TrajectoryGroup>,
}
///How much was kept. The hosted service promises no particular body here.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct LogResponse {
    ///Groups of the request.
    pub logged_groups: u64,
    ///Trajectories in all groups together.
    pub logged_trajectories: u64,
}
///`cispo`: clipped importance weights on a plain policy gradient; `ppo`: the clipped surrogate objective.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum LossFunction {
    #[serde(rename = "cispo")]
    Cispo,
    #[serde(rename = "ppo")]
    Ppo,
}
impl ::std::fmt::Display for LossFunction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Cispo => f.write_str("cispo"),
            Self::Ppo => f.write_str("ppo"),
        }
    }
}
impl ::std::str::FromStr for LossFunction {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "cispo" => Ok(Self::Cispo),
            "ppo" => Ok(Self::Ppo),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for LossFunction {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for LossFunction {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A model to be registered.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ModelCreate {
    ///The model that training starts from: the `id` of a base model in `GET /models` of the inference API. One that is not served is refused with 422, which lists those that are.
    pub base_model: ::std::string::String,
    ///Owner of the model. Null or absent: the key's own entity, which is also the only one that is accepted; another one is 403.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub entity: ::std::option::Option<::std::string::String>,
    ///Unique within entity and project. The last part of the inference name.
    pub name: ::std::string::String,
    ///Groups models; it need not exist before. The second part of the inference name.
    pub project: ::std::string::String,
    ///When the name is taken: true answers with the existing model if it has the same `base_model`, false refuses with 409.
    #[serde(default)]
    pub return_existing: bool,
}
///A registered model. Its inference name is `wandb-artifact:///{entity}/{project}/{name}`, with `:step{N}` for one step.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ModelResponse {
    ///As it was registered; it never changes.
    pub base_model: ::std::string::String,
    ///Owner; the entity of the key that made it.
    pub entity: ::std::string::String,
    ///UUID that paths and jobs name the model by.
    pub id: ::std::string::String,
    ///As it was registered.
    pub name: ::std::string::String,
    ///As it was registered.
    pub project: ::std::string::String,
    ///Id of a run in an experiment tracker; the hosted service has one, this service answers null.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub run_id: ::std::option::Option<::std::string::String>,
}
///A JSON schema under a name.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct NamedJsonSchema {
    ///Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub description: ::std::option::Option<::std::string::String>,
    ///Accepted for compatibility and ignored.
    pub name: ::std::string::String,
    ///The schema, at most 64 KiB. Keywords that cannot be enforced while sampling are refused (422).
    pub schema: crate::generated::unions::JsonObject,
    ///Ignored; answers always follow the schema.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub strict: ::std::option::Option<bool>,
}
///One call of one function, which must be in `tools` (422).
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct NamedToolChoice {
    pub function: FunctionName,
    #[serde(rename = "type")]
    pub type_: ToolType,
}
///The result of one check.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct QueueCheck {
    ///Seconds that it took.
    pub duration: f64,
    ///What went wrong; empty when it passed.
    pub errors: ::std::vec::Vec<::std::string::String>,
    ///Whether it passed.
    pub success: bool,
}
///A refusal of the model, in its own earlier messages.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct RefusalContentPart {
    ///Its text.
    pub refusal: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: RefusalContentType,
}
///Marks a refusal.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum RefusalContentType {
    #[serde(rename = "refusal")]
    Refusal,
}
impl ::std::fmt::Display for RefusalContentType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Refusal => f.write_str("refusal"),
        }
    }
}
impl ::std::str::FromStr for RefusalContentType {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "refusal" => Ok(Self::Refusal),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for RefusalContentType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for RefusalContentType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Any JSON object. An answer that `max_tokens` cuts is not complete.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ResponseFormatJsonObject {
    #[serde(rename = "type")]
    pub type_: JsonObjectFormat,
}
///JSON that follows a schema. An answer that `max_tokens` cuts is not complete.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ResponseFormatJsonSchema {
    pub json_schema: NamedJsonSchema,
    #[serde(rename = "type")]
    pub type_: JsonSchemaFormat,
}
///Free text.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ResponseFormatText {
    #[serde(rename = "type")]
    pub type_: TextFormat,
}
///Options of an SFT job. A null option means its default; options that nobody documents are accepted and ignored.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
pub struct SftTrainingConfig {
    ///Which turns of the assistant are trained. Default `all`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub assistant_turns: ::std::option::Option<AssistantTurns>,
    ///Conversations of one optimizer step. Default `auto`.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub batch_size: ::std::option::Option<crate::generated::unions::BatchSize>,
    ///Step size of AdamW. Default 0.00005, constant.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub learning_rate: ::std::option::Option<crate::generated::unions::LearningRate>,
    ///Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metric_logging: ::std::option::Option<crate::generated::unions::JsonObject>,
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
///`asc`: oldest first; `desc`: newest first.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum SortOrder {
    #[serde(rename = "asc")]
    Asc,
    #[serde(rename = "desc")]
    Desc,
}
impl ::std::fmt::Display for SortOrder {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Asc => f.write_str("asc"),
            Self::Desc => f.write_str("desc"),
        }
    }
}
impl ::std::str::FromStr for SortOrder {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "asc" => Ok(Self::Asc),
            "desc" => Ok(Self::Desc),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for SortOrder {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for SortOrder {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::default::Default for SortOrder {
    fn default() -> Self {
        SortOrder::Asc
    }
}
///Options of a stream.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
pub struct StreamOptions {
    ///Accepted for compatibility and ignored.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub continuous_usage_stats: ::std::option::Option<bool>,
    ///Ends the stream with a chunk that has `usage` and no choices. Default false.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub include_usage: ::std::option::Option<bool>,
}
///What each part said.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct SystemCheckResponse {
    ///Always true; you read it.
    pub api: bool,
    ///Whether the queue of training jobs can be read.
    pub cpu_queue: QueueCheck,
    ///Whether the database answers.
    pub database: bool,
    ///Whether the engine computes, on whatever hardware it runs.
    pub gpu_queue: QueueCheck,
}
///Instructions to the model.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct SystemMessage {
    pub content: crate::generated::unions::MessageContent,
    ///Name of the speaker; the chat template decides what becomes of it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    pub role: SystemRole,
}
///`developer` is the newer word for `system`.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum SystemRole {
    #[serde(rename = "system")]
    System,
    #[serde(rename = "developer")]
    Developer,
}
impl ::std::fmt::Display for SystemRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::System => f.write_str("system"),
            Self::Developer => f.write_str("developer"),
        }
    }
}
impl ::std::str::FromStr for SystemRole {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "system" => Ok(Self::System),
            "developer" => Ok(Self::Developer),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for SystemRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for SystemRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A piece of text.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TextContentPart {
    ///What the part says; may be empty.
    pub text: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: TextContentType,
}
///Marks text.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum TextContentType {
    #[serde(rename = "text")]
    Text,
}
impl ::std::fmt::Display for TextContentType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Text => f.write_str("text"),
        }
    }
}
impl ::std::str::FromStr for TextContentType {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "text" => Ok(Self::Text),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for TextContentType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for TextContentType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///Marks free text.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum TextFormat {
    #[serde(rename = "text")]
    Text,
}
impl ::std::fmt::Display for TextFormat {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Text => f.write_str("text"),
        }
    }
}
impl ::std::str::FromStr for TextFormat {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "text" => Ok(Self::Text),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for TextFormat {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for TextFormat {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A sampled token.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TokenLogprob {
    ///The token's text as UTF-8 bytes; a character may be spread over tokens. Empty for control tokens.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    ///Natural logarithm of its probability under the model at temperature 1, before penalties and truncation; the trainer computes the same bits.
    pub logprob: f64,
    ///`token_id:N`, N the number of the token in the vocabulary, so that training can recover the exact token. OpenAI has the token's text here; take it from `bytes`.
    pub token: ::std::string::String,
    ///The likeliest tokens at this place, likeliest first, as many as `top_logprobs` asked for.
    pub top_logprobs: ::std::vec::Vec<TopLogprob>,
}
///A call of a tool.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub function: FunctionCall,
    ///Names the call in the tool's answer.
    pub id: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: ToolType,
}
///A tool call, or a piece of one.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ToolCallDelta {
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub function: ::std::option::Option<FunctionCallDelta>,
    ///Names the call in the tool's answer.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub id: ::std::option::Option<::std::string::String>,
    ///Number of the call within its choice, from 0.
    pub index: u32,
    #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
    pub type_: ::std::option::Option<ToolType>,
}
///`none`: no tool, what looks like a call stays text; `auto`: the model decides; `required`: exactly one call of any of the tools, of which there must be one (422).
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ToolChoiceMode {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "required")]
    Required,
}
impl ::std::fmt::Display for ToolChoiceMode {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::None => f.write_str("none"),
            Self::Auto => f.write_str("auto"),
            Self::Required => f.write_str("required"),
        }
    }
}
impl ::std::str::FromStr for ToolChoiceMode {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "none" => Ok(Self::None),
            "auto" => Ok(Self::Auto),
            "required" => Ok(Self::Required),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ToolChoiceMode {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ToolChoiceMode {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A tool that the model may call.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    pub function: FunctionDefinition,
    #[serde(rename = "type")]
    pub type_: ToolType,
}
///The result of a tool call.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct ToolMessage {
    pub content: crate::generated::unions::MessageContent,
    pub role: ToolRole,
    ///The `id` of the call that this answers.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tool_call_id: ::std::option::Option<::std::string::String>,
}
///A tool.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ToolRole {
    #[serde(rename = "tool")]
    Tool,
}
impl ::std::fmt::Display for ToolRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Tool => f.write_str("tool"),
        }
    }
}
impl ::std::str::FromStr for ToolRole {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "tool" => Ok(Self::Tool),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ToolRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ToolRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///The one kind of tool.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum ToolType {
    #[serde(rename = "function")]
    Function,
}
impl ::std::fmt::Display for ToolType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Function => f.write_str("function"),
        }
    }
}
impl ::std::str::FromStr for ToolType {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "function" => Ok(Self::Function),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for ToolType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for ToolType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A token that could have been sampled.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TopLogprob {
    ///The token's text as UTF-8 bytes.
    #[serde(deserialize_with = "::std::option::Option::deserialize")]
    pub bytes: ::std::option::Option<::std::vec::Vec<u8>>,
    ///Natural logarithm of its probability.
    pub logprob: f64,
    ///`token_id:N`, as in `TokenLogprob`.
    pub token: ::std::string::String,
}
///Something that happened in a job.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TrainingJobEvent {
    /**By type:

* `training_started`: `num_sequences`, the number of optimizer steps to come; RL also
  `num_groups_submitted`, `num_groups_trainable`, `num_dropped_sequences`, SFT `num_dropped_trajectories`.
* `gradient_step`: metrics by name, all numbers: `loss/train`, `loss/grad_norm`, `loss/learning_rate`; RL also
  `loss/entropy`, SFT `num_tokens`, `num_trainable_tokens`, `num_trajectories`, `num_dropped_trajectories`.
* `training_ended`: nothing.
* `training_failed`: `error_message`.
*/
    pub data: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    ///UUID; the cursor of this item.
    pub id: ::std::string::String,
    #[serde(rename = "type")]
    pub type_: TrainingJobEventType,
}
///One page of events.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TrainingJobEventPage {
    ///The events, at most `limit`.
    pub data: ::std::vec::Vec<TrainingJobEvent>,
    ///`id` of the first item; empty on an empty page.
    pub first_id: ::std::string::String,
    ///Whether items follow this page in the direction of the listing.
    pub has_more: bool,
    ///`id` of the last item, the `after` of the next page; empty on an empty page.
    pub last_id: ::std::string::String,
    pub object: ListObject,
}
///`training_started` comes once, before the first step; `gradient_step` once for each optimizer step; `training_ended` or `training_failed` once, last.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum TrainingJobEventType {
    #[serde(rename = "training_started")]
    TrainingStarted,
    #[serde(rename = "gradient_step")]
    GradientStep,
    #[serde(rename = "training_ended")]
    TrainingEnded,
    #[serde(rename = "training_failed")]
    TrainingFailed,
}
impl ::std::fmt::Display for TrainingJobEventType {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::TrainingStarted => f.write_str("training_started"),
            Self::GradientStep => f.write_str("gradient_step"),
            Self::TrainingEnded => f.write_str("training_ended"),
            Self::TrainingFailed => f.write_str("training_failed"),
        }
    }
}
impl ::std::str::FromStr for TrainingJobEventType {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "training_started" => Ok(Self::TrainingStarted),
            "gradient_step" => Ok(Self::GradientStep),
            "training_ended" => Ok(Self::TrainingEnded),
            "training_failed" => Ok(Self::TrainingFailed),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for TrainingJobEventType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for TrainingJobEventType {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///A training job, RL or SFT.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TrainingJobResponse {
    ///UUID that paths name the job by.
    pub id: ::std::string::String,
    ///How far the job is. The hosted service answers the id alone.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub status: ::std::option::Option<TrainingJobStatus>,
}
///`queued`: it waits, also when it is taken up again; `running`; `succeeded`: its checkpoint is there; `failed`: its last event says why, and there is no checkpoint.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum TrainingJobStatus {
    #[serde(rename = "queued")]
    Queued,
    #[serde(rename = "running")]
    Running,
    #[serde(rename = "succeeded")]
    Succeeded,
    #[serde(rename = "failed")]
    Failed,
}
impl ::std::fmt::Display for TrainingJobStatus {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::Queued => f.write_str("queued"),
            Self::Running => f.write_str("running"),
            Self::Succeeded => f.write_str("succeeded"),
            Self::Failed => f.write_str("failed"),
        }
    }
}
impl ::std::str::FromStr for TrainingJobStatus {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "queued" => Ok(Self::Queued),
            "running" => Ok(Self::Running),
            "succeeded" => Ok(Self::Succeeded),
            "failed" => Ok(Self::Failed),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for TrainingJobStatus {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for TrainingJobStatus {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
///One rollout and its reward. Further fields are kept.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct Trajectory {
    ///Further conversations of the same rollout, trained with the same reward.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub additional_histories: ::std::option::Option<::std::vec::Vec<History>>,
    ///Step that the rollout ended with; kept.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub final_policy_version: ::std::option::Option<i64>,
    ///Step that the rollout began with; kept.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub initial_policy_version: ::std::option::Option<i64>,
    ///Lines of the caller's log; kept.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logs: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    ///The conversation in order: messages as they were prompted, and in the place of each answer the choice that chat completions gave, unchanged. Trained are the tokens of the choices; without a choice there is nothing to train.
    pub messages_and_choices: ::std::vec::Vec<crate::generated::unions::MessageOrChoice>,
    ///Whatever the caller wants to know about the rollout later; kept.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///Numbers and flags about the rollout; kept, and not trained on.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metrics: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///How good the rollout was; only the differences within its group count.
    pub reward: f64,
    ///The `tools` of the chat requests; they are part of the prompt, so leave none out.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub tools: ::std::option::Option<
        ::std::vec::Vec<crate::generated::unions::JsonObject>,
    >,
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
///Trajectories whose rewards are compared with each other: rollouts from one starting point. Further fields are kept.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct TrajectoryGroup {
    ///Rollouts that failed, as `type`, `message` and `traceback`; kept, and not trained on.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub exceptions: ::std::option::Option<
        ::std::vec::Vec<crate::generated::unions::JsonObject>,
    >,
    ///Lines of the caller's log; kept.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub logs: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
    ///Whatever the caller wants to know about the group later; kept.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metadata: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///Numbers about the group; kept, and not trained on.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub metrics: ::std::option::Option<crate::generated::unions::JsonObject>,
    ///The rollouts. A group of none, of one, or of equal rewards is accepted and teaches nothing.
    pub trajectories: ::std::vec::Vec<Trajectory>,
    #[serde(flatten)]
    pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}
///Tokens of a request.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct Usage {
    ///Tokens of all answers together.
    pub completion_tokens: u64,
    ///Tokens of the prompt, counted once whatever `n` is.
    pub prompt_tokens: u64,
    ///The sum of the two.
    pub total_tokens: u64,
}
///What the user says.
#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
pub struct UserMessage {
    pub content: crate::generated::unions::MessageContent,
    ///Name of the speaker; the chat template decides what becomes of it.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub name: ::std::option::Option<::std::string::String>,
    pub role: UserRole,
}
///The user.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
pub enum UserRole {
    #[serde(rename = "user")]
    User,
}
impl ::std::fmt::Display for UserRole {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {
            Self::User => f.write_str("user"),
        }
    }
}
impl ::std::str::FromStr for UserRole {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "user" => Ok(Self::User),
            _ => Err("invalid value".into()),
        }
    }
}
impl ::std::convert::TryFrom<&str> for UserRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
impl ::std::convert::TryFrom<::std::string::String> for UserRole {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}
/// Error types.
pub mod error {
    /// Error from a `TryFrom` or `FromStr` implementation.
    pub struct ConversionError(::std::borrow::Cow<'static, str>);
    impl ::std::error::Error for ConversionError {}
    impl ::std::fmt::Display for ConversionError {
        fn fmt(
            &self,
            f: &mut ::std::fmt::Formatter<'_>,
        ) -> Result<(), ::std::fmt::Error> {
            ::std::fmt::Display::fmt(&self.0, f)
        }
    }
    impl ::std::fmt::Debug for ConversionError {
        fn fmt(
            &self,
            f: &mut ::std::fmt::Formatter<'_>,
        ) -> Result<(), ::std::fmt::Error> {
            ::std::fmt::Debug::fmt(&self.0, f)
        }
    }
    impl From<&'static str> for ConversionError {
        fn from(value: &'static str) -> Self {
            Self(value.into())
        }
    }
    impl From<String> for ConversionError {
        fn from(value: String) -> Self {
            Self(value.into())
        }
    }
}
pub use super::unions::{
    BatchSize, ChatMessage, ContentPart, JsonObject, LearningRate, Message,
    MessageContent, MessageOrChoice, ResponseFormat, Stop, Tool, ToolChoice,
};
