//! Reading a chat completion request from its JSON body.
//!
//! What is documented for chat completions and cannot be honoured is refused by name; fields that nobody documents are
//! ignored, as are `user`, `metadata`, `store` and their like, which cannot change an answer.

use serde_json::{Map, Value};

use super::{ChatError, ChatRequest, ResponseFormat, ToolChoice};
use crate::engine::sampling::SamplingParameters;

/// Choices of one request.
const MAX_CHOICES: u64 = 128;
/// Stop texts of one request, and their length in characters.
const MAX_STOPS: usize = 16;
const MAX_STOP_LENGTH: usize = 1024;
/// Alternatives per token.
const MAX_TOP_LOGPROBS: u64 = 20;
/// Tools of one request.
const MAX_TOOLS: usize = 128;
/// Tokens with a bias.
const MAX_BIASES: usize = 1024;

/// Documented options that would change the answer and are not implemented; null and the value beside are accepted.
const UNSUPPORTED: [(&str, Option<&str>); 22] = [
    ("audio", None),
    ("modalities", Some(r#"["text"]"#)),
    ("prediction", None),
    ("web_search_options", None),
    ("functions", None),
    ("function_call", None),
    ("reasoning_effort", None),
    ("verbosity", None),
    ("best_of", Some("1")),
    ("use_beam_search", Some("false")),
    ("guided_json", None),
    ("guided_regex", None),
    ("guided_choice", None),
    ("guided_grammar", None),
    ("prompt_logprobs", None),
    ("continue_final_message", Some("false")),
    ("min_tokens", Some("0")),
    ("ignore_eos", Some("false")),
    ("stop_token_ids", Some("[]")),
    ("include_stop_str_in_output", Some("false")),
    ("skip_special_tokens", Some("true")),
    ("echo", Some("false")),
];

impl ChatRequest {
    /// Reads the body of a chat completion request. `model`, `stream` and `stream_options` are not read.
    ///
    /// # Errors
    /// [`ChatError::Invalid`] or [`ChatError::Unsupported`] with the field's path.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, ChatError> {
        let fields = Fields(body);
        for (name, accepted) in UNSUPPORTED {
            let Some(value) = fields.get(name) else { continue };
            let neutral = accepted.and_then(|text| serde_json::from_str::<Value>(text).ok());
            if neutral.as_ref() != Some(value) {
                return Err(ChatError::unsupported(name, format!("`{name}` is not supported; leave it out")));
            }
        }
        fields.boolean("logprobs")?;
        let parallel_tool_calls = fields.boolean("parallel_tool_calls")?.unwrap_or(true);
        let tools = read_tools(&fields)?;
        let tool_choice = read_tool_choice(&fields, &tools)?;
        Ok(Self {
            owner: "".into(),
            messages: read_messages(&fields)?,
            tools,
            tool_choice,
            parallel_tool_calls,
            response_format: read_response_format(&fields)?,
            n: fields.integer("n", 1, MAX_CHOICES)?.unwrap_or(1) as u32,
            max_tokens: read_max_tokens(&fields)?,
            stop: read_stop(&fields)?,
            seed: read_seed(&fields)?,
            sampling: read_sampling(&fields)?,
            chat_template_kwargs: match fields.get("chat_template_kwargs") {
                None => Map::new(),
                Some(Value::Object(kwargs)) => kwargs.clone(),
                Some(_) => return Err(ChatError::invalid("chat_template_kwargs", "chat_template_kwargs is an object")),
            },
        })
    }
}

/// The body's fields; null is the same as absent.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn boolean(&self, name: &str) -> Result<Option<bool>, ChatError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| ChatError::invalid(name, format!("{name} is true or false")))
    }

    fn integer(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, ChatError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_u64().filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| ChatError::invalid(name, format!("{name} is an integer from {least} to {most}")))
    }

    fn number(&self, name: &str, least: f64, most: f64) -> Result<Option<f32>, ChatError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        let number =
            number.ok_or_else(|| ChatError::invalid(name, format!("{name} is a number from {least} to {most}")))?;
        Ok(Some(number as f32))
    }
}

fn read_messages(fields: &Fields<'_>) -> Result<Vec<Value>, ChatError> {
    let messages = fields.get("messages").and_then(Value::as_array).filter(|messages| !messages.is_empty());
    messages.cloned().ok_or_else(|| ChatError::invalid("messages", "messages is a list of at least one message"))
}

/// `max_completion_tokens`, or its older name; `3.0` is the integer 3. A number beyond what fits 64 bits is as good as
/// no limit.
fn read_max_tokens(fields: &Fields<'_>) -> Result<Option<u64>, ChatError> {
    for name in ["max_completion_tokens", "max_tokens"] {
        let Some(value) = fields.get(name) else { continue };
        let whole = value.as_f64().filter(|number| *number >= 1.0 && number.fract() == 0.0);
        let Some(whole) = whole else {
            return Err(ChatError::invalid(name, format!("{name} is an integer of at least 1")));
        };
        // Exact below 2^64, which is as a float 2^64 itself.
        let from_float = || (whole < u64::MAX as f64).then_some(whole as u64);
        return Ok(value.as_u64().or_else(from_float));
    }
    Ok(None)
}

fn read_stop(fields: &Fields<'_>) -> Result<Vec<String>, ChatError> {
    let fault = |message: String| ChatError::invalid("stop", message);
    let stops = match fields.get("stop") {
        None => return Ok(Vec::new()),
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| fault("each stop is text".to_owned())))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(fault("stop is text or a list of texts".to_owned())),
    };
    if stops.len() > MAX_STOPS || stops.iter().any(|stop| stop.chars().count() > MAX_STOP_LENGTH) {
        return Err(fault(format!("at most {MAX_STOPS} stops of at most {MAX_STOP_LENGTH} characters each")));
    }
    // An empty stop would end every answer before it began; other services ignore it as well.
    Ok(stops.into_iter().filter(|stop| !stop.is_empty()).collect())
}

fn read_seed(fields: &Fields<'_>) -> Result<Option<u64>, ChatError> {
    let Some(value) = fields.get("seed") else { return Ok(None) };
    let seed = value.as_u64().or_else(|| value.as_i64().map(i64::cast_unsigned));
    seed.map(Some).ok_or_else(|| ChatError::invalid("seed", "seed is a 64-bit integer"))
}

fn read_sampling(fields: &Fields<'_>) -> Result<SamplingParameters, ChatError> {
    let neutral = SamplingParameters::default();
    let top_k = match fields.get("top_k") {
        // Both spellings of "all" are in use.
        Some(value) if value.as_i64() == Some(-1) => 0,
        _ => fields.integer("top_k", 0, u64::from(u32::MAX))?.unwrap_or(0) as usize,
    };
    let top_logprobs = fields.integer("top_logprobs", 0, MAX_TOP_LOGPROBS)?.unwrap_or(0) as usize;
    let repetition_penalty = fields.number("repetition_penalty", 0.01, 10.0)?.unwrap_or(neutral.repetition_penalty);
    Ok(SamplingParameters {
        temperature: fields.number("temperature", 0.0, 2.0)?.unwrap_or(neutral.temperature),
        top_p: fields.number("top_p", 0.0, 1.0)?.unwrap_or(neutral.top_p),
        top_k,
        min_p: fields.number("min_p", 0.0, 1.0)?.unwrap_or(neutral.min_p),
        presence_penalty: fields.number("presence_penalty", -2.0, 2.0)?.unwrap_or(neutral.presence_penalty),
        frequency_penalty: fields.number("frequency_penalty", -2.0, 2.0)?.unwrap_or(neutral.frequency_penalty),
        repetition_penalty,
        logit_bias: read_logit_bias(fields)?,
        top_logprobs,
        ..neutral
    })
}

fn read_logit_bias(fields: &Fields<'_>) -> Result<Vec<(u32, f32)>, ChatError> {
    let fault = || {
        let message = format!("logit_bias maps at most {MAX_BIASES} token ids to numbers from -100 to 100");
        ChatError::invalid("logit_bias", message)
    };
    let Some(value) = fields.get("logit_bias") else { return Ok(Vec::new()) };
    let biases = value.as_object().filter(|biases| biases.len() <= MAX_BIASES).ok_or_else(fault)?;
    let read = |(id, bias): (&String, &Value)| {
        let bias = bias.as_f64().filter(|bias| (-100.0..=100.0).contains(bias))?;
        Some((id.parse().ok()?, bias as f32))
    };
    biases.iter().map(|entry| read(entry).ok_or_else(fault)).collect()
}

fn read_tools(fields: &Fields<'_>) -> Result<Vec<Value>, ChatError> {
    let Some(value) = fields.get("tools") else { return Ok(Vec::new()) };
    let tools = value.as_array().filter(|tools| tools.len() <= MAX_TOOLS);
    let tools = tools.ok_or_else(|| ChatError::invalid("tools", format!("tools is a list of at most {MAX_TOOLS}")))?;
    for (index, tool) in tools.iter().enumerate() {
        let fault = |field: &str, message: &str| ChatError::invalid(format!("tools[{index}]{field}"), message);
        if tool["type"] != "function" {
            return Err(fault(".type", "only tools of type `function` are supported"));
        }
        if tool["function"]["name"].as_str().is_none_or(str::is_empty) {
            return Err(fault(".function.name", "a function has a name"));
        }
        let parameters = &tool["function"]["parameters"];
        if !parameters.is_null() && !parameters.is_object() {
            return Err(fault(".function.parameters", "parameters is a JSON schema: an object"));
        }
    }
    Ok(tools.clone())
}

fn read_tool_choice(fields: &Fields<'_>, tools: &[Value]) -> Result<ToolChoice, ChatError> {
    let fault = |message: &str| ChatError::invalid("tool_choice", message);
    let choice = match fields.get("tool_choice") {
        None => return Ok(ToolChoice::Auto),
        Some(Value::String(word)) => match word.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::None,
            "required" => ToolChoice::Required,
            _ => return Err(fault("tool_choice is `none`, `auto`, `required` or names a function")),
        },
        Some(value) => {
            let name = value["function"]["name"].as_str().filter(|_| value["type"] == "function");
            let name = name.ok_or_else(|| fault("tool_choice is `none`, `auto`, `required` or names a function"))?;
            if !tools.iter().any(|tool| tool["function"]["name"] == name) {
                return Err(fault(&format!("tool_choice names {name:?}, which is not in `tools`")));
            }
            ToolChoice::Function(name.to_owned())
        }
    };
    if choice == ToolChoice::Required && tools.is_empty() {
        return Err(fault("tool_choice is `required`, but there are no tools"));
    }
    Ok(choice)
}

fn read_response_format(fields: &Fields<'_>) -> Result<ResponseFormat, ChatError> {
    let fault = |field: &str, message: &str| ChatError::invalid(format!("response_format{field}"), message);
    let Some(value) = fields.get("response_format") else { return Ok(ResponseFormat::Text) };
    match value["type"].as_str() {
        Some("text") => Ok(ResponseFormat::Text),
        Some("json_object") => Ok(ResponseFormat::JsonObject),
        Some("json_schema") => {
            let schema = &value["json_schema"]["schema"];
            match schema {
                Value::Object(_) | Value::Bool(_) => Ok(ResponseFormat::JsonSchema(schema.clone())),
                _ => Err(fault(".json_schema.schema", "json_schema.schema is a JSON schema: an object")),
            }
        }
        _ => Err(fault(".type", "response_format.type is `text`, `json_object` or `json_schema`")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(mut body: Value) -> Result<ChatRequest, ChatError> {
        if body.get("messages").is_none() {
            body["messages"] = json!([{"role": "user", "content": "a"}]);
        }
        ChatRequest::from_json(body.as_object().unwrap())
    }

    fn weather() -> Value {
        json!({"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}})
    }

    #[test]
    fn everything_has_its_place() {
        let body = json!({
            "temperature": 0.5, "top_p": 0.9, "top_k": -1, "min_p": 0.1, "n": 3, "max_tokens": 7, "seed": -1, "stop": ["a", ""],
            "presence_penalty": 1, "frequency_penalty": -1, "repetition_penalty": 1.1, "logit_bias": {"5": -100},
            "logprobs": true, "top_logprobs": 4, "tools": [weather()], "tool_choice": {"type": "function", "function": {"name": "get_weather"}},
            "chat_template_kwargs": {"x": 1}, "response_format": {"type": "json_object"},
        });
        let request = read(body).unwrap();
        let s = &request.sampling;
        assert_eq!((s.temperature, s.top_p, s.top_k, s.min_p, s.top_logprobs), (0.5, 0.9, 0, 0.1, 4));
        assert_eq!((s.presence_penalty, s.frequency_penalty, s.repetition_penalty), (1.0, -1.0, 1.1));
        assert_eq!(s.logit_bias, [(5, -100.0)]);
        assert_eq!((request.n, request.max_tokens, request.seed), (3, Some(7), Some(u64::MAX)));
        assert_eq!(request.stop, ["a"]);
        assert_eq!(request.tool_choice, ToolChoice::Function("get_weather".to_owned()));
        assert_eq!(request.response_format, ResponseFormat::JsonObject);
    }

    #[test]
    fn nulls_and_unknown_fields_mean_nothing() {
        let body = json!({
            "temperature": null, "top_p": null, "stop": null, "tools": null, "tool_choice": null, "response_format": null, "seed": null,
            "n": null, "logprobs": null, "top_logprobs": null, "max_tokens": null, "audio": null, "functions": null,
            "user": "me", "metadata": {"a": "b"}, "store": false, "service_tier": "auto", "parallel_tool_calls": null,
            "some_future_field": {"x": [1]}, "modalities": ["text"],
        });
        let plain = ChatRequest::new(vec![json!({"role": "user", "content": "a"})]);
        assert_eq!(read(body).unwrap(), plain);
    }

    #[test]
    fn limits_of_any_size_are_read() {
        for (value, expected) in
            [(json!(1u64 << 63), Some(1 << 63)), (json!(1e30), None), (json!(5), Some(5)), (json!(3.0), Some(3))]
        {
            assert_eq!(read(json!({"max_tokens": value})).unwrap().max_tokens, expected);
        }
        assert_eq!(read(json!({"max_tokens": 5, "max_completion_tokens": 3})).unwrap().max_tokens, Some(3));
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        let cases = [
            (json!({"messages": []}), "messages"),
            (json!({"messages": "hi"}), "messages"),
            (json!({"temperature": -0.1}), "temperature"),
            (json!({"temperature": "hot"}), "temperature"),
            (json!({"top_p": 1.5}), "top_p"),
            (json!({"n": 0}), "n"),
            (json!({"n": 1.5}), "n"),
            (json!({"n": 1_000_000_000}), "n"),
            (json!({"max_tokens": 0}), "max_tokens"),
            (json!({"max_tokens": 1.5}), "max_tokens"),
            (json!({"max_completion_tokens": -5}), "max_completion_tokens"),
            (json!({"presence_penalty": 9}), "presence_penalty"),
            (json!({"seed": 1.5}), "seed"),
            (json!({"stop": 5}), "stop"),
            (json!({"stop": [5]}), "stop"),
            (json!({"logprobs": "yes"}), "logprobs"),
            (json!({"top_logprobs": 21}), "top_logprobs"),
            (json!({"logit_bias": {"x": 1}}), "logit_bias"),
            (json!({"tools": [{}]}), "tools[0].type"),
            (json!({"tools": [{"type": "function"}]}), "tools[0].function.name"),
            (
                json!({"tools": [weather()], "tool_choice": {"type": "function", "function": {"name": "no"}}}),
                "tool_choice",
            ),
            (json!({"tool_choice": "required"}), "tool_choice"),
            (json!({"tools": [weather()], "tool_choice": "sometimes"}), "tool_choice"),
            (json!({"tools": [weather()], "tool_choice": 5}), "tool_choice"),
            (json!({"response_format": {"type": "xml"}}), "response_format.type"),
            (json!({"response_format": "json"}), "response_format.type"),
            (json!({"response_format": {"type": "json_schema"}}), "response_format.json_schema.schema"),
            (
                json!({"response_format": {"type": "json_schema", "json_schema": {"schema": "nope"}}}),
                "response_format.json_schema.schema",
            ),
            (json!({"chat_template_kwargs": 1}), "chat_template_kwargs"),
        ];
        for (body, field) in cases {
            match read(body.clone()) {
                Err(ChatError::Invalid { param, .. }) => assert_eq!(param, field, "{body}"),
                other => panic!("{body}: {other:?}"),
            }
        }
        for body in [json!({"audio": {}}), json!({"functions": []}), json!({"modalities": ["audio"]})] {
            assert!(matches!(read(body.clone()), Err(ChatError::Unsupported { .. })), "{body}");
        }
    }
}
