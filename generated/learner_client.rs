// Generated from spec/learner.yaml by trainyard. Do not edit.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    missing_docs,
    rustdoc::all,
    unreachable_pub,
    unused_imports
)]
#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    ///Gradients are accumulated.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct Accumulated {
        pub next_op: Count,
    }
    ///The base model.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct BaseModel {
        ///SHA-256 of the model's `config.json` in hexadecimal.
        pub config_sha256: ::std::string::String,
        ///Tokens of the longest sequence.
        pub max_sequence_tokens: ::std::num::NonZeroU64,
        ///Family of the model in transformers.
        pub model_type: ::std::string::String,
        ///Number of base parameters.
        pub parameters: i64,
        ///Whether shared leading tokens can be computed once.
        pub prefix_sharing: bool,
        ///Number of token ids.
        pub vocabulary_size: ::std::num::NonZeroU64,
    }
    ///A number that both sides count.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    #[serde(transparent)]
    pub struct Count(pub i64);
    impl ::std::ops::Deref for Count {
        type Target = i64;
        fn deref(&self) -> &i64 {
            &self.0
        }
    }
    impl ::std::convert::From<Count> for i64 {
        fn from(value: Count) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<i64> for Count {
        fn from(value: i64) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for Count {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for Count {
        type Err = <i64 as ::std::str::FromStr>::Err;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.parse()?))
        }
    }
    impl ::std::convert::TryFrom<&str> for Count {
        type Error = <i64 as ::std::str::FromStr>::Err;
        fn try_from(value: &str) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<String> for Count {
        type Error = <i64 as ::std::str::FromStr>::Err;
        fn try_from(value: String) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    ///The tensor call that runs.
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
    pub enum CurrentCall {
        #[serde(rename = "idle")]
        Idle,
        #[serde(rename = "forward")]
        Forward,
        #[serde(rename = "backward")]
        Backward,
        #[serde(rename = "step")]
        Step,
        #[serde(rename = "state")]
        State,
    }
    impl ::std::fmt::Display for CurrentCall {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Idle => f.write_str("idle"),
                Self::Forward => f.write_str("forward"),
                Self::Backward => f.write_str("backward"),
                Self::Step => f.write_str("step"),
                Self::State => f.write_str("state"),
            }
        }
    }
    impl ::std::str::FromStr for CurrentCall {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "idle" => Ok(Self::Idle),
                "forward" => Ok(Self::Forward),
                "backward" => Ok(Self::Backward),
                "step" => Ok(Self::Step),
                "state" => Ok(Self::State),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for CurrentCall {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for CurrentCall {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The error. All four keys are always present.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct ErrorDetail {
        ///Stable machine-readable code of the error.
        pub code: ::std::string::String,
        ///Human-readable cause and remedy; the wording may change.
        pub message: ::std::string::String,
        ///Parameter, field or tensor that caused the error, or null.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub param: ::std::option::Option<::std::string::String>,
        ///Class of the error; follows from the status.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
    }
    ///The body of every error response.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct ErrorResponse {
        pub error: ErrorDetail,
    }
    ///`session`: the session's adapter. `none`: the base model without an adapter.
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
    pub enum ForwardAdapter {
        #[serde(rename = "session")]
        Session,
        #[serde(rename = "none")]
        None,
    }
    impl ::std::fmt::Display for ForwardAdapter {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Session => f.write_str("session"),
                Self::None => f.write_str("none"),
            }
        }
    }
    impl ::std::str::FromStr for ForwardAdapter {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "session" => Ok(Self::Session),
                "none" => Ok(Self::None),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ForwardAdapter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ForwardAdapter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::default::Default for ForwardAdapter {
        fn default() -> Self {
            ForwardAdapter::Session
        }
    }
    ///`score`: keeps nothing. `keep`: keeps the batch for `backward`. `accumulate`: adds the gradients of the derivative in the body.
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
    pub enum ForwardMode {
        #[serde(rename = "score")]
        Score,
        #[serde(rename = "keep")]
        Keep,
        #[serde(rename = "accumulate")]
        Accumulate,
    }
    impl ::std::fmt::Display for ForwardMode {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Score => f.write_str("score"),
                Self::Keep => f.write_str("keep"),
                Self::Accumulate => f.write_str("accumulate"),
            }
        }
    }
    impl ::std::str::FromStr for ForwardMode {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "score" => Ok(Self::Score),
                "keep" => Ok(Self::Keep),
                "accumulate" => Ok(Self::Accumulate),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ForwardMode {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ForwardMode {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///`retain`: keeps the activations until `backward`. `recompute`: keeps the tokens, and `backward` computes the activations again. `auto`: the memory plan decides. All give the same gradients.
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
    pub enum Graph {
        #[serde(rename = "auto")]
        Auto,
        #[serde(rename = "retain")]
        Retain,
        #[serde(rename = "recompute")]
        Recompute,
    }
    impl ::std::fmt::Display for Graph {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Auto => f.write_str("auto"),
                Self::Retain => f.write_str("retain"),
                Self::Recompute => f.write_str("recompute"),
            }
        }
    }
    impl ::std::str::FromStr for Graph {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "auto" => Ok(Self::Auto),
                "retain" => Ok(Self::Retain),
                "recompute" => Ok(Self::Recompute),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for Graph {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for Graph {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::default::Default for Graph {
        fn default() -> Self {
            Graph::Auto
        }
    }
    ///State of the learner.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct Health {
        ///Device of the weights.
        pub device: ::std::string::String,
        ///Element type of the base weights.
        pub dtype: ::std::string::String,
        pub model: BaseModel,
        ///Number of open sessions.
        pub sessions: i64,
        pub status: HealthStatus,
        pub versions: Versions,
        ///Number of processes that share the work.
        pub world_size: ::std::num::NonZeroU64,
    }
    ///`idle`, or `busy` while a tensor call runs.
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
        #[serde(rename = "idle")]
        Idle,
        #[serde(rename = "busy")]
        Busy,
    }
    impl ::std::fmt::Display for HealthStatus {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Idle => f.write_str("idle"),
                Self::Busy => f.write_str("busy"),
            }
        }
    }
    impl ::std::str::FromStr for HealthStatus {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "idle" => Ok(Self::Idle),
                "busy" => Ok(Self::Busy),
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
    ///Memory of one process in bytes, estimated from the model's shape.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct MemoryPlan {
        ///Memory for activations.
        pub available: i64,
        ///Logits of one block of scored tokens.
        pub head: i64,
        ///Tokens computed together; larger batches are divided between sequences.
        pub max_tokens: i64,
        ///Tokens of a batch whose graph `auto` retains.
        pub max_tokens_retained: i64,
        ///Adapter, gradients and moments of this session.
        pub session: i64,
        ///Activations of a token that are kept when each layer is computed again in the backward pass.
        pub token_checkpointed: i64,
        ///Activations of a token with a retained graph.
        pub token_retained: i64,
        ///Base weights.
        pub weights: i64,
    }
    ///Settings of one AdamW step.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    #[serde(deny_unknown_fields)]
    pub struct OptimizerSettings {
        ///Decay of the first moment.
        pub beta1: f64,
        ///Decay of the second moment.
        pub beta2: f64,
        ///Maximum global L2 norm of the gradients.
        pub clip_norm: f64,
        ///Constant added to the root of the second moment.
        pub epsilon: f64,
        ///Learning rate.
        pub learning_rate: f64,
        ///Decoupled weight decay of all adapter tensors.
        pub weight_decay: f64,
    }
    ///`pad`: one row for each sequence. `tree`: one row in which leading tokens shared by sequences stand once, where the model permits it. `auto`: the one with less work.
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
    pub enum Packing {
        #[serde(rename = "auto")]
        Auto,
        #[serde(rename = "pad")]
        Pad,
        #[serde(rename = "tree")]
        Tree,
    }
    impl ::std::fmt::Display for Packing {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Auto => f.write_str("auto"),
                Self::Pad => f.write_str("pad"),
                Self::Tree => f.write_str("tree"),
            }
        }
    }
    impl ::std::str::FromStr for Packing {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "auto" => Ok(Self::Auto),
                "pad" => Ok(Self::Pad),
                "tree" => Ok(Self::Tree),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for Packing {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for Packing {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::default::Default for Packing {
        fn default() -> Self {
            Packing::Auto
        }
    }
    ///Position in the session's current tensor call.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct Progress {
        pub call: CurrentCall,
        pub next_op: Count,
        ///Time since the call began to compute.
        pub seconds: f64,
        ///Sequences of the call.
        pub sequences: i64,
        ///Sequences that are done.
        pub sequences_done: i64,
        ///Optimizer steps made so far.
        pub steps: i64,
    }
    ///A session that was opened.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct Session {
        ///Number of trained parameters.
        pub adapter_parameters: i64,
        pub epoch: Count,
        pub next_op: Count,
        pub plan: MemoryPlan,
        ///Optimizer steps made so far.
        pub steps: i64,
        pub versions: Versions,
    }
    ///Result of a step.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct StepResult {
        pub next_op: Count,
        ///Global L2 norm of the gradients before clipping.
        pub norm: f64,
        ///Optimizer steps made so far, those before the session included.
        pub steps: i64,
    }
    ///A file in the safetensors format; the tensors are listed above.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct Tensors(pub ::std::string::String);
    impl ::std::ops::Deref for Tensors {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<Tensors> for ::std::string::String {
        fn from(value: Tensors) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for Tensors {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for Tensors {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for Tensors {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///Versions of the software.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
    pub struct Versions {
        pub learner: ::std::string::String,
        pub peft: ::std::string::String,
        pub python: ::std::string::String,
        pub torch: ::std::string::String,
        pub transformers: ::std::string::String,
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
}
#[derive(Clone, Debug)]
/**Client for Trainyard learner

Tensor work of training on another machine. A **learner** holds a base model and any number of LoRA sessions. It
scores tokens, accumulates gradients and makes optimizer steps. Its client, a Trainyard worker, owns everything
else: losses, advantages, packing, schedules, events and durability. The memory of a learner is never the only copy
of anything.

## Workflow

1. `POST /v1/sessions/{session}` opens a session from an adapter and the optimizer's moments.
2. `forward` with `mode=keep` returns log-probabilities; the client computes the derivative of its loss by each of
   them; `backward` accumulates the gradients of the parameters. Where the derivative is known beforehand, as in
   supervised fine-tuning, `forward` with `mode=accumulate` carries it and does both in one call.
3. `step` clips the gradients, makes one AdamW step and clears them.
4. `state` returns adapter and moments. The client stores them; a later session opens with them.
5. `DELETE /v1/sessions/{session}` frees the session.

`forward` with `mode=score` keeps nothing. With `adapter=none` it scores with the base model, the usual reference of
a KL penalty. For another adapter as reference, open a session of its own with it and score there.

## Tensors

A body of type `application/octet-stream` is one file in the safetensors format: 8 bytes of header length, a JSON
header, the data. Every number beside the tensors is a query parameter, or a field of a JSON body where there are no
tensors. The order of tensors in the file has no meaning. In requests `__metadata__` is ignored, and a tensor with
an unlisted name, another dtype or another shape is an error that names it. Data are little-endian and in C order.

| body | tensor | dtype, shape | meaning |
|---|---|---|---|
| `open` request | `adapter_config` | U8 [bytes] | contents of PEFT's `adapter_config.json`; required |
| | `adapter` | U8 [bytes] | contents of PEFT's `adapter_model.safetensors`; without it PEFT draws a new adapter from `seed` |
| | `moments` | U8 [bytes] | state of the optimizer, see below; without it the moments are zero |
| `forward` request | `tokens` | I32 [T] | token ids of all sequences, one sequence after the other; 1 ≤ T ≤ 4194304 |
| | `lengths` | I32 [S] | tokens of each sequence, each at least 1; they add up to T; 1 ≤ S ≤ 65536 |
| | `scored` | U8 [T] | 1 requests the log-probability of this token given those before it in its sequence, 0 does not; 0 at the first token of each sequence |
| | `gradient` | F32 [N] | only, and required, with `mode=accumulate`: derivative of the loss by each requested log-probability; N is the number of ones in `scored` |
| `forward` response | `logprobs` | F32 [N] | natural logarithm of the probability at temperature 1 of each requested token, in the order of `tokens` |
| | `entropies` | F32 [N] | entropy in nats of the distribution of each requested token |
| `backward` request | `gradient` | F32 [N] | derivative of the loss by each log-probability that the kept `forward` returned |
| `state` response | `adapter` | U8 [bytes] | contents of PEFT's `adapter_model.safetensors`, all tensors F32 |
| | `moments` | U8 [bytes] | state of the optimizer |

`__metadata__` of a `state` response has the strings `epoch`, `steps` (decimal), `adapter_sha256` and
`moments_sha256` (hexadecimal). Equal states have equal bytes.

`moments` is itself a safetensors file, in the form of Trainyard's own engine: `step` (U64 [1]) is the number of
steps made, and for each tensor of the adapter there are `exp_avg.NAME` and `exp_avg_sq.NAME`, F32 [elements], the
moments of its elements in C order. NAME is the adapter tensor's name in PEFT's file without a leading
`base_model.model.model.` and without a trailing `.weight`, such as `layers.0.self_attn.q_proj.lora_A`.

Of `adapter_config.json` these fields count: `r`, `lora_alpha`, `target_modules` (a list of names, or
`all-linear`), `exclude_modules`, `target_parameters`, `layers_to_transform`, `rank_pattern`, `alpha_pattern`,
`use_rslora`. Fields that describe (`base_model_name_or_path`, `inference_mode`, versions) are ignored, and
so is `lora_dropout`: nothing is dropped. Any other field must have PEFT's default.

## Epochs

Each call on a session has `epoch`, the number of the client's lease. A session is opened by an epoch larger than
every earlier one of its name, closed and dropped sessions included; any other call with another epoch than the
session's is 409 `fenced`. A client that lost its lease can therefore change nothing.

## Exactly once

Each call that changes a session (`backward`, `step`, and `forward` with `mode=accumulate`) has `op`, which counts
such calls from 0 since the session was opened. The last one can be repeated after a lost response: the learner
answers it from memory. Any other number than the next is 409 `out_of_order`. A call that fails with 4xx or 503
does not use up its number.

If `backward`, `step` or `forward` with `mode=accumulate` fails after it began to change gradients or parameters,
the learner drops the session; later calls are 404 `no_session`. Gradients are never half accumulated. Errors that
are found before leave the session as it was, `not_finite` of a `step` included.

## Concurrency

Tensor calls run one at a time; others wait. `GET /health` and `GET /v1/sessions/{session}/progress` are answered
meanwhile. More waiting calls than the learner allows are 503 `busy`.

## Authentication

Each call but `GET /health` has `Authorization: Bearer TOKEN`. It is checked before the body is read.

## Limits

`x-body-limit-bytes` of an operation limits its body; a learner can be started with smaller limits. `Content-Length`
is required (411). A body that sends nothing for 30 s is aborted (408). An idle connection is closed after 10 min.

## Errors

Every error response has the body of `ErrorResponse` with all four keys.

| status | `code` | when | session afterwards |
|---|---|---|---|
| 400 | `malformed_request` | not HTTP | unchanged |
| 400 | `invalid_body` | the body is not safetensors, or not JSON | unchanged |
| 401 | `invalid_token` | the token is missing or wrong | unchanged |
| 404 | `not_found` | no such path | unchanged |
| 404 | `no_session` | never opened, closed, or dropped after a failure: open it from the durable state | – |
| 405 | `method_not_allowed` | the path does not allow this method | unchanged |
| 408 | `body_timeout` | the body stopped arriving | unchanged |
| 409 | `fenced` | the epoch is not the session's, or not larger at `open` | unchanged |
| 409 | `out_of_order` | `op` is neither the next nor the last | unchanged |
| 409 | `unknown_batch` | `backward` names another batch than the kept one | unchanged |
| 411 | `length_required` | `Content-Length` is missing | unchanged |
| 413 | `body_too_large` | the body is larger than the limit | unchanged |
| 415 | `unsupported_media_type` | another content type than the operation's | unchanged |
| 422 | `invalid_value` | a parameter, field or tensor is missing or invalid; `param` names it | unchanged |
| 422 | `adapter_mismatch` | adapter or moments do not fit the base model or the configuration | unchanged |
| 422 | `not_finite` | a derivative, a gradient or an updated parameter is not finite | unchanged |
| 500 | `internal_error` | a fault of the learner | dropped by changing calls |
| 503 | `busy` | too many calls wait, or too many sessions are open | unchanged |
| 503 | `out_of_memory` | the call did not fit; send fewer tokens at a time | dropped by changing calls that had begun |


Version: 0.1.0*/
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
}
impl Client {
    /// Create a new client.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new(baseurl: &str) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let client = {
            let dur = ::std::time::Duration::from_secs(15u64);
            reqwest::ClientBuilder::new().connect_timeout(dur).timeout(dur)
        };
        #[cfg(target_arch = "wasm32")]
        let client = reqwest::ClientBuilder::new();
        Self::new_with_client(baseurl, client.build().unwrap())
    }
    /// Construct a new client with an existing `reqwest::Client`,
    /// allowing more control over its configuration.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new_with_client(baseurl: &str, client: reqwest::Client) -> Self {
        Self {
            baseurl: baseurl.to_string(),
            client,
        }
    }
}
impl ClientInfo<()> for Client {
    fn api_version() -> &'static str {
        "0.1.0"
    }
    fn baseurl(&self) -> &str {
        self.baseurl.as_str()
    }
    fn client(&self) -> &reqwest::Client {
        &self.client
    }
    fn inner(&self) -> &() {
        &()
    }
}
impl ClientHooks<()> for &Client {}
#[allow(clippy::all)]
impl Client {
    /**Health

State, model and versions of the learner. Needs no token.

Sends a `GET` request to `/health`

*/
    pub async fn get_health<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::Health>, Error<types::ErrorResponse>> {
        let url = format!("{}/health", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_health",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Open session

Opens a session from an adapter and the optimizer's moments, or takes it over: a session of the same name with a smaller epoch is replaced. `op` starts at 0, and no gradients are accumulated.

Sends a `POST` request to `/v1/sessions/{session}`

Arguments:
- `session`: Name of the session, chosen by the client.
- `epoch`: Number of the client's lease.
- `seed`: Seed of a new adapter; used only without the tensor `adapter`.
- `body`: Tensors `adapter_config`, and optionally `adapter` and `moments`.
*/
    pub async fn open_session<'a, B: Into<reqwest::Body>>(
        &'a self,
        session: &'a str,
        epoch: &'a types::Count,
        seed: Option<i64>,
        body: B,
    ) -> Result<ResponseValue<types::Session>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}", self.baseurl, encode_path(& session.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .header(
                ::reqwest::header::CONTENT_TYPE,
                ::reqwest::header::HeaderValue::from_static("application/octet-stream"),
            )
            .body(body)
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .query(&progenitor_client::QueryParam::new("seed", &seed))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "open_session",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Close session

Frees the session. Its epoch stays the fence of its name. A repeated call is 404 `no_session`.

Sends a `DELETE` request to `/v1/sessions/{session}`

Arguments:
- `session`: Name of the session, chosen by the client.
- `epoch`: Number of the client's lease.
*/
    pub async fn close_session<'a>(
        &'a self,
        session: &'a str,
        epoch: &'a types::Count,
    ) -> Result<ResponseValue<()>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}", self.baseurl, encode_path(& session.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "close_session",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            204u16 => Ok(ResponseValue::empty(response)),
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Score tokens

Returns log-probabilities and entropies of the requested tokens. `mode` says what follows: nothing, a `backward`, or the accumulation of gradients from a derivative that is sent along. Sequences of one call may share leading tokens, which may be computed once; this changes results by rounding only.

Sends a `POST` request to `/v1/sessions/{session}/forward`

Arguments:
- `session`: Name of the session, chosen by the client.
- `adapter`: Weights to score with. `none` is allowed with `mode=score` only.
- `batch`: Number that the client gives to the kept batch, repeated by `backward`. Required with `mode=keep`, otherwise not allowed. A session keeps one batch: a new one replaces it, and `step` drops it.
- `epoch`: Number of the client's lease.
- `graph`: How `mode=keep` prepares the backward pass. Ignored by other modes.
- `mode`: Use of the result.
- `op`: Number of this call among those that change the session. Required with `mode=accumulate`, otherwise not allowed.
- `packing`: Layout of the sequences in the model's input.
- `body`: Tensors `tokens`, `lengths`, `scored`, and with `mode=accumulate` also `gradient`.
*/
    pub async fn forward<'a, B: Into<reqwest::Body>>(
        &'a self,
        session: &'a str,
        adapter: Option<types::ForwardAdapter>,
        batch: Option<&'a types::Count>,
        epoch: &'a types::Count,
        graph: Option<types::Graph>,
        mode: types::ForwardMode,
        op: Option<&'a types::Count>,
        packing: Option<types::Packing>,
        body: B,
    ) -> Result<ResponseValue<ByteStream>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}/forward", self.baseurl, encode_path(& session
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::CONTENT_TYPE,
                ::reqwest::header::HeaderValue::from_static("application/octet-stream"),
            )
            .body(body)
            .query(&progenitor_client::QueryParam::new("adapter", &adapter))
            .query(&progenitor_client::QueryParam::new("batch", &batch))
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .query(&progenitor_client::QueryParam::new("graph", &graph))
            .query(&progenitor_client::QueryParam::new("mode", &mode))
            .query(&progenitor_client::QueryParam::new("op", &op))
            .query(&progenitor_client::QueryParam::new("packing", &packing))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "forward",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => Ok(ResponseValue::stream(response)),
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Accumulate gradients

Adds the gradients of the kept batch to those accumulated since the last `step`, and drops the batch. Gradients are summed, not averaged: the derivative is taken as it is sent.

Sends a `POST` request to `/v1/sessions/{session}/backward`

Arguments:
- `session`: Name of the session, chosen by the client.
- `batch`: Number of the kept batch.
- `epoch`: Number of the client's lease.
- `op`: Number of this call among those that change the session, from 0.
- `body`: Tensor `gradient`.
*/
    pub async fn backward<'a, B: Into<reqwest::Body>>(
        &'a self,
        session: &'a str,
        batch: &'a types::Count,
        epoch: &'a types::Count,
        op: &'a types::Count,
        body: B,
    ) -> Result<ResponseValue<types::Accumulated>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}/backward", self.baseurl, encode_path(& session
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .header(
                ::reqwest::header::CONTENT_TYPE,
                ::reqwest::header::HeaderValue::from_static("application/octet-stream"),
            )
            .body(body)
            .query(&progenitor_client::QueryParam::new("batch", &batch))
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .query(&progenitor_client::QueryParam::new("op", &op))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "backward",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Optimizer step

Scales the accumulated gradients by min(1, clip_norm / (norm + 1e-6)), makes one step of AdamW with decoupled weight decay and bias correction, and clears the gradients and the kept batch. If a gradient or an updated parameter is not finite, the response is 422 `not_finite` and parameters, moments, gradients and `op` stay as they were.

Sends a `POST` request to `/v1/sessions/{session}/step`

Arguments:
- `session`: Name of the session, chosen by the client.
- `epoch`: Number of the client's lease.
- `op`: Number of this call among those that change the session, from 0.
- `body`: Settings of this step.
*/
    pub async fn step<'a>(
        &'a self,
        session: &'a str,
        epoch: &'a types::Count,
        op: &'a types::Count,
        body: &'a types::OptimizerSettings,
    ) -> Result<ResponseValue<types::StepResult>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}/step", self.baseurl, encode_path(& session.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .query(&progenitor_client::QueryParam::new("op", &op))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "step",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**State

Adapter and moments after the last step. Accumulated gradients are not a part of the state.

Sends a `GET` request to `/v1/sessions/{session}/state`

Arguments:
- `session`: Name of the session, chosen by the client.
- `epoch`: Number of the client's lease.
*/
    pub async fn get_state<'a>(
        &'a self,
        session: &'a str,
        epoch: &'a types::Count,
    ) -> Result<ResponseValue<ByteStream>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}/state", self.baseurl, encode_path(& session.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_state",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => Ok(ResponseValue::stream(response)),
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Progress

Position in the session's current tensor call. Answered while that call runs.

Sends a `GET` request to `/v1/sessions/{session}/progress`

Arguments:
- `session`: Name of the session, chosen by the client.
- `epoch`: Number of the client's lease.
*/
    pub async fn get_progress<'a>(
        &'a self,
        session: &'a str,
        epoch: &'a types::Count,
    ) -> Result<ResponseValue<types::Progress>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/sessions/{}/progress", self.baseurl, encode_path(& session
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("epoch", &epoch))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_progress",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
}
/// Items consumers will typically use such as the Client.
pub mod prelude {
    #[allow(unused_imports)]
    pub use super::Client;
}
