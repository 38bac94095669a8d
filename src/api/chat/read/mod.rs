//! Converts a chat completion request of the OpenAPI document to a request of the chat domain.
//!
//! The body's types are validated already. This module checks rules across several fields and rejects unsupported
//! fields by name, which the document states only in prose. It parses the texts of messages and tools again, as JSON
//! for the template. For long bodies this takes time, so it must not run on a thread that serves connections.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::super::ignored::{Ignored, Names};
use super::conversation::there;
use super::tools::{Allowed, allow, chosen, in_mode};
use crate::chat::{ChatError, ChatRequest, ResponseFormat, SamplingRequest, ToolChoice, close_objects};
use crate::generated::types::{
    ChatCompletionRequest, FunctionCallChoice, FunctionCallMode, GuidedJson, JsonObject, ResponseFormat as WireFormat,
    Stop, StreamOptions, StructuredOutputs, ToolChoice as WireChoice, ToolChoiceType,
};
use crate::http::ApiError;
use crate::json::{ReadObject, Verbatim};

/// Documented options that would change the response and are not implemented. Null and the given value are accepted.
const REJECTED: [(&str, Option<&str>); 21] = [
    ("add_special_tokens", Some("false")),
    ("allowed_token_ids", None),
    ("audio", None),
    ("bad_words", Some("[]")),
    ("best_of", Some("1")),
    ("chat_template", None),
    ("documents", None),
    ("echo", Some("false")),
    ("guided_whitespace_pattern", None),
    ("kv_transfer_params", None),
    ("length_penalty", Some("1")),
    ("logits_processors", None),
    ("mm_processor_kwargs", None),
    ("modalities", Some(r#"["text"]"#)),
    ("moderation", None),
    ("spaces_between_special_tokens", Some("true")),
    ("thinking_token_budget", None),
    ("truncate_prompt_tokens", None),
    ("use_beam_search", Some("false")),
    ("vllm_xargs", None),
    ("web_search_options", Some("{}")),
];

/// Likewise for the fields of `structured_outputs`.
const REJECTED_FORMS: [(&str, Option<&str>); 3] =
    [("disable_additional_properties", Some("false")), ("structural_tag", None), ("whitespace_pattern", None)];

/// Documented fields without a type that cannot change the response.
const WITHOUT_EFFECT: [&str; 11] = [
    "cache_salt",
    "guided_decoding_backend",
    "nvext",
    "prediction",
    "priority",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "request_id",
    "safety_identifier",
    "service_tier",
];

/// An option that requests the only implemented behaviour.
const ALWAYS_SO: &str = "return_tokens_as_token_ids";

fn names_of(rejected: &'static [(&'static str, Option<&'static str>)]) -> impl Iterator<Item = &'static str> {
    rejected.iter().map(|(name, _)| *name)
}

/// Returns the fields of a body that have no effect, among those without a type. Other code reads the `rejected` ones.
///
/// # Errors
/// Returns 422 for an unknown field whose name is similar to a known one.
pub(super) fn ignored_fields(
    extra: &Map<String, Value>,
    properties: &'static [&'static str],
    rejected: &'static [(&'static str, Option<&'static str>)],
    without_effect: &'static [&'static str],
) -> Result<Ignored, ApiError> {
    let mut ignored = Ignored::default();
    let names =
        Names { properties, read_elsewhere: names_of(rejected).collect(), without_effect: without_effect.into() };
    ignored.add(extra, "", &names)?;
    Ok(ignored)
}

/// Returns the fields of a body that have no effect.
///
/// # Errors
/// Returns 422 for an unknown field whose name is similar to a known one.
pub(super) fn ignored(body: &ChatCompletionRequest) -> Result<Ignored, ApiError> {
    let mut ignored = Ignored::default();
    ignored.add_if(body.metadata.is_some() && body.store != Some(true), "metadata");
    ignored.add_if(body.user.is_some(), "user");
    ignored.add_if(body.extra.get(ALWAYS_SO) == Some(&Value::Bool(false)), ALWAYS_SO);
    let names_of_body = Names {
        properties: ChatCompletionRequest::NAMES,
        read_elsewhere: names_of(&REJECTED).chain([ALWAYS_SO]).collect(),
        without_effect: Cow::Borrowed(&WITHOUT_EFFECT),
    };
    ignored.add(&body.extra, "", &names_of_body)?;
    if let Some(options) = &body.stream_options {
        let names = Names {
            properties: StreamOptions::NAMES,
            read_elsewhere: Vec::new(),
            without_effect: Cow::Borrowed(&["include_obfuscation"]),
        };
        ignored.add(&options.extra, "stream_options.", &names)?;
    }
    if let Some(outputs) = &body.structured_outputs {
        let names = Names {
            properties: StructuredOutputs::NAMES,
            // The service behaves as if both were set.
            read_elsewhere: names_of(&REJECTED_FORMS).chain(["disable_any_whitespace", "disable_fallback"]).collect(),
            without_effect: Cow::default(),
        };
        ignored.add(&outputs.extra, "structured_outputs.", &names)?;
    }
    Ok(ignored)
}

/// Converts the options that bodies of chat completions and of completions have in common. The result has no messages.
macro_rules! sampling_options {
    ($body:expr, $top_logprobs:expr) => {{
        let body = $body;
        let single = |value: Option<f64>| value.map(|value| value as f32);
        ChatRequest {
            n: body.n.unwrap_or(1),
            min_tokens: body.min_tokens.unwrap_or(0) as usize,
            stop: stops(body.stop.as_ref()),
            stop_token_ids: body.stop_token_ids.clone().unwrap_or_default(),
            include_stop: body.include_stop_str_in_output == Some(true),
            ignore_eos: body.ignore_eos == Some(true),
            skip_special_tokens: body.skip_special_tokens != Some(false),
            stream: body.stream == Some(true),
            seed: body.seed.map(i64::cast_unsigned),
            sampling: SamplingRequest {
                temperature: single(body.temperature),
                top_p: single(body.top_p),
                // Clients use both -1 and 0 for "all".
                top_k: body.top_k.map(|count| usize::try_from(count).unwrap_or(0)),
                min_p: single(body.min_p),
                presence_penalty: single(body.presence_penalty),
                frequency_penalty: single(body.frequency_penalty),
                repetition_penalty: single(body.repetition_penalty),
                logit_bias: logit_bias(body.logit_bias.iter().flatten())?,
                top_logprobs: $top_logprobs.unwrap_or(0) as usize,
            },
            ..ChatRequest::new(Vec::new())
        }
    }};
}
pub(super) use sampling_options;

/// Converts a body to a request for the owner of the key. Ignores `model` and the fields that affect only the
/// format of the response.
///
/// # Errors
/// Returns [`ChatError::Invalid`] or [`ChatError::Unsupported`] with the field's path.
pub(super) fn request(body: &ChatCompletionRequest, owner: &str) -> Result<ChatRequest, ChatError> {
    reject(&body.extra, "", &REJECTED)?;
    let add_generation_prompt = body.add_generation_prompt;
    let continue_final_message = body.continue_final_message == Some(true);
    if continue_final_message && add_generation_prompt == Some(true) {
        let message = "add_generation_prompt opens a new turn, continue_final_message goes on with the last; send one";
        return Err(invalid("add_generation_prompt", message));
    }
    let Calls { tools, choice, parallel, ignored } = calls(body)?;
    let (response_format, format_field) = format(body)?;
    Ok(ChatRequest {
        owner: owner.into(),
        messages: values(&body.messages)?,
        tools,
        tool_choice: choice,
        parallel_tool_calls: parallel,
        ignored,
        response_format,
        format_field,
        max_tokens: body.max_completion_tokens.or(body.max_tokens),
        prompt_logprobs: body.prompt_logprobs.map(|count| count as usize),
        add_generation_prompt: add_generation_prompt.unwrap_or(!continue_final_message),
        continue_final_message,
        reasoning_effort: body.reasoning_effort.clone(),
        verbosity: body.verbosity.map(|verbosity| verbosity.as_str().to_owned()),
        chat_template_kwargs: match &body.chat_template_kwargs {
            None => Map::new(),
            Some(kwargs) => kwargs.read().map_err(unreadable)?,
        },
        ..sampling_options!(body, body.top_logprobs)
    })
}

pub(super) fn invalid(param: impl Into<String>, message: impl Into<String>) -> ChatError {
    ChatError::Invalid { param: param.into(), message: message.into() }
}

/// Converts an error that cannot occur: texts that are kept unparsed were validated before.
pub(super) fn unreadable(error: serde_json::Error) -> ChatError {
    ChatError::Failed(format!("a checked text cannot be read again: {error}"))
}

pub(super) fn reject(
    fields: &Map<String, Value>,
    at: &str,
    rejected: &[(&str, Option<&str>)],
) -> Result<(), ChatError> {
    for (name, accepted) in rejected {
        let Some(value) = fields.get(*name).filter(|value| !value.is_null()) else { continue };
        let neutral = accepted.and_then(|text| serde_json::from_str::<Value>(text).ok());
        let same = match (&neutral, value) {
            // 1.0 equals 1.
            (Some(Value::Number(neutral)), Value::Number(value)) => neutral.as_f64() == value.as_f64(),
            (Some(neutral), value) => neutral == value,
            (None, _) => false,
        };
        if !same {
            let param = format!("{at}{name}");
            let message = format!("`{param}` is not supported; leave it out");
            return Err(ChatError::Unsupported { param, message });
        }
    }
    Ok(())
}

/// Reads texts that were validated before.
pub(super) fn values<T>(texts: &[Verbatim<T>]) -> Result<Vec<Value>, ChatError> {
    texts.iter().map(|text| text.read().map_err(unreadable)).collect()
}

struct Calls {
    tools: Vec<Value>,
    choice: ToolChoice,
    parallel: bool,
    /// Paths of fields that have no effect.
    ignored: Vec<String>,
}

/// Returns the tools and the tool choice. With `functions`, the older form of tools, a response calls at most one.
fn calls(body: &ChatCompletionRequest) -> Result<Calls, ChatError> {
    if let Some(functions) = &body.functions {
        if body.tools.is_some() || body.tool_choice.is_some() {
            return Err(invalid("functions", "functions is the older form of tools; send one of the two"));
        }
        let functions = values(functions)?;
        let named = |name: &str| functions.iter().any(|function| function["name"] == name);
        let choice = match &body.function_call {
            None | Some(FunctionCallChoice::FunctionCallMode(FunctionCallMode::Auto)) => ToolChoice::Auto,
            Some(FunctionCallChoice::FunctionCallMode(FunctionCallMode::None)) => ToolChoice::None,
            Some(FunctionCallChoice::FunctionName(function)) => {
                chosen("function_call", "functions", &function.name, named)?
            }
        };
        let tool = |function| serde_json::json!({"type": "function", "function": function});
        let tools = functions.into_iter().map(tool).collect();
        return Ok(Calls { tools, choice, parallel: false, ignored: Vec::new() });
    }
    match &body.function_call {
        None | Some(FunctionCallChoice::FunctionCallMode(_)) => {}
        Some(FunctionCallChoice::FunctionName(_)) => {
            return Err(invalid("function_call", "function_call names a function, but there are no `functions`"));
        }
    }
    let mut tools = values(body.tools.as_deref().unwrap_or_default())?;
    let mut ignored = Vec::new();
    let choice = chosen_tool(body.tool_choice.as_ref(), &mut tools, &mut ignored)?;
    Ok(Calls { tools, choice, parallel: body.parallel_tool_calls != Some(false), ignored })
}

/// Returns the tool choice. Leaves the allowed tools in `tools`.
fn chosen_tool(
    choice: Option<&WireChoice>,
    tools: &mut Vec<Value>,
    ignored: &mut Vec<String>,
) -> Result<ToolChoice, ChatError> {
    match choice {
        None => Ok(ToolChoice::Auto),
        Some(WireChoice::ToolChoiceMode(mode)) => in_mode(*mode, tools),
        Some(WireChoice::NamedToolChoice(choice)) => match choice.type_ {
            ToolChoiceType::Function => {
                let function = there(choice.function.as_ref(), "tool_choice", "function")?;
                let named = |name: &str| tools.iter().any(|tool| tool["function"]["name"] == name);
                chosen("tool_choice", "tools", &function.name, named)
            }
            ToolChoiceType::AllowedTools => {
                let allowed = there(choice.allowed_tools.as_ref(), "tool_choice", "allowed_tools")?;
                let listed = allowed.tools.iter().enumerate().map(|(index, tool)| Allowed {
                    at: format!("tool_choice.allowed_tools.tools[{index}]"),
                    type_: &tool.type_,
                    function: tool.function.as_ref().map(|function| function.name.clone()),
                });
                allow(tools, listed.collect(), allowed.mode, ignored)
            }
        },
    }
}

/// Returns the response formats that four fields of an object set, each with the path of its field.
macro_rules! constraints {
    ($object:expr, $at:literal, $json:ident, $regex:ident, $choice:ident, $grammar:ident) => {{
        let object = $object;
        let json = object.$json.as_ref().map(|json| guided_json(json, concat!($at, stringify!($json)))).transpose()?;
        let formats = [
            (json, concat!($at, stringify!($json))),
            (object.$regex.clone().map(ResponseFormat::Regex), concat!($at, stringify!($regex))),
            (object.$choice.clone().map(ResponseFormat::Choice), concat!($at, stringify!($choice))),
            (object.$grammar.clone().map(ResponseFormat::Grammar), concat!($at, stringify!($grammar))),
        ];
        formats.into_iter().filter_map(|(format, field)| Some((format?, field))).collect::<Vec<_>>()
    }};
}

/// Returns the response format and the field that sets it. At most one field may set it.
fn format(body: &ChatCompletionRequest) -> Result<(ResponseFormat, &'static str), ChatError> {
    let mut forms = Vec::new();
    match &body.response_format {
        None | Some(WireFormat::ResponseFormatText(_)) => {}
        Some(WireFormat::ResponseFormatJsonObject(format)) => forms.push(match &format.schema {
            None => (ResponseFormat::JsonObject, "response_format"),
            Some(object) => (ResponseFormat::JsonSchema(schema(object)?), "response_format.schema"),
        }),
        Some(WireFormat::ResponseFormatJsonSchema(format)) => {
            let schema = strict_schema(&format.json_schema.schema, format.json_schema.strict)?;
            forms.push((ResponseFormat::JsonSchema(schema), "response_format.json_schema.schema"));
        }
    }
    if let Some(outputs) = &body.structured_outputs {
        forms.push(structured(outputs)?);
    }
    forms.extend(constraints!(body, "", guided_json, guided_regex, guided_choice, guided_grammar));
    match forms.as_slice() {
        [] => Ok((ResponseFormat::Text, "response_format")),
        [_] => Ok(forms.remove(0)),
        [(_, first), .., (_, last)] => {
            Err(invalid(*last, format!("{first} already sets the format of the answer; send one of the two")))
        }
    }
}

fn structured(outputs: &StructuredOutputs) -> Result<(ResponseFormat, &'static str), ChatError> {
    reject(&outputs.extra, "structured_outputs.", &REJECTED_FORMS)?;
    let mut forms = constraints!(outputs, "structured_outputs.", json, regex, choice, grammar);
    if outputs.json_object == Some(true) {
        forms.push((ResponseFormat::JsonObject, "structured_outputs.json_object"));
    }
    if forms.len() != 1 {
        let message = "structured_outputs has exactly one of json, regex, choice, grammar, json_object";
        return Err(invalid("structured_outputs", message));
    }
    Ok(forms.remove(0))
}

fn guided_json(json: &GuidedJson, field: &str) -> Result<ResponseFormat, ChatError> {
    let value = match json {
        GuidedJson::JsonObject(object) => schema(object)?,
        GuidedJson::String(text) => match serde_json::from_str(text) {
            Ok(value @ Value::Object(_)) => value,
            Ok(_) => return Err(invalid(field, format!("{field}: a JSON schema is an object"))),
            Err(error) => return Err(invalid(field, format!("{field} is not JSON: {error}"))),
        },
    };
    Ok(ResponseFormat::JsonSchema(value))
}

pub(super) fn schema(object: &JsonObject) -> Result<Value, ChatError> {
    object.read().map_err(unreadable)
}

/// Returns a schema, with its objects closed if it is strict.
pub(super) fn strict_schema(object: &JsonObject, strict: Option<bool>) -> Result<Value, ChatError> {
    let mut schema = schema(object)?;
    if strict == Some(true) {
        close_objects(&mut schema);
    }
    Ok(schema)
}

/// Returns the stop texts. Empty ones are ignored, as in other services: they would end the response before it began.
pub(super) fn stops(stop: Option<&Stop>) -> Vec<String> {
    let stops = match stop {
        None => Vec::new(),
        Some(Stop::String(text)) => vec![text.clone()],
        Some(Stop::Array(texts)) => texts.clone(),
    };
    stops.into_iter().filter(|text| !text.is_empty()).collect()
}

/// Returns the logit bias of each token.
pub(super) fn logit_bias<'a>(
    biases: impl Iterator<Item = (&'a String, &'a f64)>,
) -> Result<Vec<(u32, f32)>, ChatError> {
    let bias = |(id, bias): (&String, &f64)| match id.parse() {
        Ok(id) => Ok((id, *bias as f32)),
        Err(_) => Err(invalid(format!("logit_bias.{id}"), "logit_bias has numbers of tokens, written as strings")),
    };
    biases.map(bias).collect()
}

#[cfg(test)]
mod tests;
