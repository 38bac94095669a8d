use serde_json::json;

use super::*;
use crate::json::split_path;
use crate::validation::{Faults, Location, Validate};

impl ChatRequest {
    /// Parses a body as the service does. `model` is optional.
    pub(crate) fn from_json(body: &Map<String, Value>) -> Result<Self, ChatError> {
        let mut body = body.clone();
        body.entry("model").or_insert_with(|| "m".into());
        let text = Value::Object(body).to_string();
        let mut reader = serde_json::Deserializer::from_str(&text);
        let typed: ChatCompletionRequest = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let (path, reason) = split_path(&error.path().to_string(), &error.inner().to_string());
            invalid(path, reason)
        })?;
        let mut faults = Faults::default();
        typed.validate(&Location::BODY, &mut faults);
        match faults.found().first() {
            Some((path, message)) => Err(invalid(path.as_str(), message.as_str())),
            None => request(&typed, ""),
        }
    }
}

fn read(mut body: Value) -> Result<ChatRequest, ChatError> {
    if body.get("messages").is_none() {
        body["messages"] = json!([{"role": "user", "content": "a"}]);
    }
    ChatRequest::from_json(body.as_object().unwrap())
}

fn plain() -> ChatRequest {
    ChatRequest::new(vec![json!({"role": "user", "content": "a"})])
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
        "chat_template_kwargs": {"x": 1}, "response_format": {"type": "json_object"}, "prompt_logprobs": 0,
        "stop_token_ids": [9], "parallel_tool_calls": false,
    });
    let request = read(body).unwrap();
    let s = &request.sampling;
    assert_eq!((s.temperature, s.top_p, s.top_k, s.min_p), (Some(0.5), Some(0.9), Some(0), Some(0.1)));
    assert_eq!((s.presence_penalty, s.frequency_penalty, s.repetition_penalty), (Some(1.0), Some(-1.0), Some(1.1)));
    assert_eq!((&*s.logit_bias, s.top_logprobs), (&[(5, -100.0)][..], 4));
    assert_eq!((request.n, request.max_tokens, request.seed), (3, Some(7), Some(u64::MAX)));
    assert_eq!((&*request.stop, &*request.stop_token_ids), (&["a".to_owned()][..], &[9][..]));
    assert_eq!(request.tool_choice, ToolChoice::Function("get_weather".to_owned()));
    assert_eq!(request.response_format, ResponseFormat::JsonObject);
    assert_eq!((request.prompt_logprobs, request.parallel_tool_calls), (Some(0), false));
    assert_eq!(Value::Object(request.chat_template_kwargs), json!({"x": 1}));
}

/// Effect of a field.
enum Does {
    /// It changes the request of the chat domain.
    Changes,
    /// It changes the response or its transport, but not the request of the chat domain.
    Answers,
    /// It has no effect on purpose, because it cannot change the response.
    Nothing,
    /// It is rejected by name.
    Rejected,
}
use Does::{Answers, Changes, Nothing, Rejected};

/// Returns every field of `openai.types.chat.CompletionCreateParams`, openai 2.54.0, in its order.
fn openai_fields() -> Vec<(&'static str, Value, Does)> {
    vec![
        ("messages", json!([{"role": "user", "content": "b"}]), Changes),
        ("model", json!("other"), Answers),
        ("audio", json!({"voice": "alloy", "format": "wav"}), Rejected),
        ("frequency_penalty", json!(0.5), Changes),
        ("function_call", json!("none"), Nothing),
        ("functions", json!([{"name": "f"}]), Changes),
        ("logit_bias", json!({"5": 1}), Changes),
        // Always returned.
        ("logprobs", json!(true), Nothing),
        ("max_completion_tokens", json!(5), Changes),
        ("max_tokens", json!(5), Changes),
        ("metadata", json!({"a": "b"}), Nothing),
        ("modalities", json!(["text", "audio"]), Rejected),
        ("moderation", json!({"model": "x"}), Rejected),
        ("n", json!(2), Changes),
        ("parallel_tool_calls", json!(false), Changes),
        ("prediction", json!({"type": "content", "content": "x"}), Nothing),
        ("presence_penalty", json!(0.5), Changes),
        ("prompt_cache_key", json!("x"), Nothing),
        ("prompt_cache_options", json!({"mode": "implicit"}), Nothing),
        ("prompt_cache_retention", json!("24h"), Nothing),
        ("reasoning_effort", json!("high"), Changes),
        ("response_format", json!({"type": "json_object"}), Changes),
        ("safety_identifier", json!("x"), Nothing),
        ("seed", json!(5), Changes),
        ("service_tier", json!("flex"), Nothing),
        ("stop", json!("x"), Changes),
        ("store", json!(true), Answers),
        ("stream_options", json!({"include_usage": true}), Answers),
        ("temperature", json!(0.5), Changes),
        // Has a meaning only with tools; see `tools_are_chosen`.
        ("tool_choice", json!("none"), Changes),
        ("tools", json!([weather()]), Changes),
        ("top_logprobs", json!(2), Changes),
        ("top_p", json!(0.5), Changes),
        ("user", json!("x"), Nothing),
        ("verbosity", json!("high"), Changes),
        ("web_search_options", json!({"search_context_size": "low"}), Rejected),
        ("stream", json!(true), Changes),
    ]
}

/// Returns every further field of vLLM's `ChatCompletionRequest` and of its older guided decoding.
fn vllm_fields() -> Vec<(&'static str, Value, Does)> {
    vec![
        ("add_generation_prompt", json!(false), Changes),
        ("add_special_tokens", json!(true), Rejected),
        ("allowed_token_ids", json!([1]), Rejected),
        ("bad_words", json!(["x"]), Rejected),
        ("best_of", json!(2), Rejected),
        ("cache_salt", json!("x"), Nothing),
        ("chat_template", json!("{{ messages }}"), Rejected),
        ("chat_template_kwargs", json!({"x": 1}), Changes),
        ("continue_final_message", json!(true), Changes),
        ("documents", json!([{"text": "x"}]), Rejected),
        ("echo", json!(true), Rejected),
        ("guided_choice", json!(["x"]), Changes),
        ("guided_decoding_backend", json!("xgrammar"), Nothing),
        ("guided_grammar", json!("start: \"x\""), Changes),
        ("guided_json", json!({"type": "object"}), Changes),
        ("guided_regex", json!("x"), Changes),
        ("guided_whitespace_pattern", json!(" "), Rejected),
        ("ignore_eos", json!(true), Changes),
        ("include_reasoning", json!(false), Answers),
        ("include_stop_str_in_output", json!(true), Changes),
        ("kv_transfer_params", json!({}), Rejected),
        ("length_penalty", json!(0.5), Rejected),
        ("logits_processors", json!(["x"]), Rejected),
        ("min_p", json!(0.5), Changes),
        ("min_tokens", json!(2), Changes),
        ("mm_processor_kwargs", json!({}), Rejected),
        ("priority", json!(2), Nothing),
        ("prompt_logprobs", json!(2), Changes),
        ("repetition_penalty", json!(1.5), Changes),
        ("request_id", json!("x"), Nothing),
        ("return_token_ids", json!(true), Answers),
        ("return_tokens_as_token_ids", json!(true), Nothing),
        ("skip_special_tokens", json!(false), Changes),
        ("spaces_between_special_tokens", json!(false), Rejected),
        ("stop_token_ids", json!([2]), Changes),
        ("structured_outputs", json!({"regex": "x"}), Changes),
        ("thinking_token_budget", json!(5), Rejected),
        ("top_k", json!(5), Changes),
        ("truncate_prompt_tokens", json!(5), Rejected),
        ("use_beam_search", json!(true), Rejected),
        ("vllm_xargs", json!({"x": 1}), Rejected),
    ]
}

#[test]
fn every_documented_field_is_honoured_rejected_or_ignored_on_purpose() {
    let description = {
        let document: Value = serde_json::from_str(crate::generated::OPENAPI_JSON).unwrap();
        document["components"]["schemas"]["ChatCompletionRequest"].clone()
    };
    let prose = description["description"].as_str().unwrap();
    for (name, value, does) in openai_fields().into_iter().chain(vllm_fields()) {
        let result = read(json!({name: value}));
        match does {
            Changes => assert_ne!(result.as_ref().unwrap(), &plain(), "{name} changes nothing"),
            Nothing | Answers => assert_eq!(result.as_ref().unwrap(), &plain(), "{name}"),
            Rejected => assert!(
                matches!(&result, Err(ChatError::Unsupported { param, .. }) if param == name),
                "{name}: {result:?}"
            ),
        }
        // The document mentions it: as a field, or by name in the prose about rejected and ignored fields.
        let documented = !description["properties"][name].is_null() || prose.contains(&format!("`{name}`"));
        assert!(documented, "{name} is not documented");
        assert_eq!(read(json!({name: null})).is_ok(), !matches!(name, "messages" | "model"), "{name}: null");
    }
}

#[test]
fn options_without_effect_are_accepted() {
    for body in [
        json!({"some_future_field": {"x": [1]}}),
        json!({"web_search_options": {}, "logit_bias": {}}),
        json!({"modalities": ["text"], "best_of": 1, "length_penalty": 1.0, "bad_words": [], "echo": false}),
        json!({"add_generation_prompt": true, "continue_final_message": false, "min_tokens": 0, "ignore_eos": false}),
        json!({"response_format": {"type": "text"}, "stop": "", "tool_choice": "auto", "top_logprobs": 0}),
    ] {
        assert_eq!(read(body.clone()).unwrap(), plain(), "{body}");
    }
}

#[test]
fn max_completion_tokens_stands_above_max_tokens() {
    let both = read(json!({"max_tokens": 5, "max_completion_tokens": 3})).unwrap();
    assert_eq!(both.max_tokens, Some(3));
}

#[test]
fn a_form_has_one_field() {
    let schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
    let json_schema = ResponseFormat::JsonSchema(schema.clone());
    for (body, form, field) in [
        (json!({"guided_json": schema}), json_schema.clone(), "guided_json"),
        (json!({"guided_json": schema.to_string()}), json_schema.clone(), "guided_json"),
        (json!({"structured_outputs": {"json": schema}}), json_schema.clone(), "structured_outputs.json"),
        (
            json!({"structured_outputs": {"json_object": true, "disable_fallback": true}}),
            ResponseFormat::JsonObject,
            "structured_outputs.json_object",
        ),
        (
            json!({"structured_outputs": {"choice": ["a", "b"]}}),
            ResponseFormat::Choice(vec!["a".into(), "b".into()]),
            "structured_outputs.choice",
        ),
        (
            json!({"structured_outputs": {"grammar": "start: \"a\""}}),
            ResponseFormat::Grammar("start: \"a\"".into()),
            "structured_outputs.grammar",
        ),
        (json!({"guided_regex": "a+"}), ResponseFormat::Regex("a+".into()), "guided_regex"),
        (
            json!({"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}}),
            json_schema,
            "response_format.json_schema.schema",
        ),
    ] {
        let request = read(body.clone()).unwrap();
        assert_eq!((request.response_format, request.format_field), (form, field), "{body}");
    }
}

#[test]
fn tools_are_chosen() {
    let named = json!({"name": "get_weather"});
    let tools = json!([weather()]);
    let newer = read(json!({"tools": tools, "tool_choice": {"type": "function", "function": named}})).unwrap();
    let older = read(json!({"functions": [weather()["function"]], "function_call": named})).unwrap();
    assert_eq!(older, ChatRequest { parallel_tool_calls: false, ..newer });
    let none = read(json!({"functions": [weather()["function"]], "function_call": "none"})).unwrap();
    assert_eq!(none.tool_choice, ToolChoice::None);
    assert_eq!(read(json!({"tools": tools, "tool_choice": "required"})).unwrap().tool_choice, ToolChoice::Required);
}

#[test]
fn wrong_values_are_rejected_by_name() {
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
        (json!({"stop": [5]}), "stop[0]"),
        (json!({"logprobs": "yes"}), "logprobs"),
        (json!({"top_logprobs": 21}), "top_logprobs"),
        (json!({"prompt_logprobs": 21}), "prompt_logprobs"),
        (json!({"prompt_logprobs": -1}), "prompt_logprobs"),
        (json!({"min_tokens": -1}), "min_tokens"),
        (json!({"stop_token_ids": [-1]}), "stop_token_ids[0]"),
        (json!({"ignore_eos": 1}), "ignore_eos"),
        (json!({"logit_bias": {"x": 1}}), "logit_bias.x"),
        (json!({"tools": [{}]}), "tools[0].function"),
        (json!({"tools": [{"type": "function"}]}), "tools[0].function"),
        (json!({"tools": [weather()], "tool_choice": {"type": "function", "function": {"name": "no"}}}), "tool_choice"),
        (json!({"tool_choice": "required"}), "tool_choice"),
        (json!({"tools": [weather()], "tool_choice": "sometimes"}), "tool_choice"),
        (json!({"tools": [weather()], "tool_choice": 5}), "tool_choice"),
        (json!({"functions": [{"name": "f"}], "function_call": {"name": "g"}}), "function_call"),
        (json!({"function_call": {"name": "g"}}), "function_call"),
        (json!({"functions": [{"name": "f"}], "tools": [weather()]}), "functions"),
        (json!({"response_format": {"type": "xml"}}), "response_format.type"),
        (json!({"response_format": "json"}), "response_format"),
        (json!({"response_format": {"type": "json_schema"}}), "response_format.json_schema"),
        (
            json!({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": "nope"}}}),
            "response_format.json_schema.schema",
        ),
        (json!({"chat_template_kwargs": 1}), "chat_template_kwargs"),
        (json!({"guided_json": 5}), "guided_json"),
        (json!({"guided_json": "{"}), "guided_json"),
        (json!({"guided_json": "[]"}), "guided_json"),
        (json!({"guided_choice": []}), "guided_choice"),
        (json!({"guided_regex": ""}), "guided_regex"),
        (json!({"guided_regex": "a", "guided_choice": ["a"]}), "guided_choice"),
        (json!({"structured_outputs": {}}), "structured_outputs"),
        (json!({"structured_outputs": {"regex": "a", "choice": ["a"]}}), "structured_outputs"),
        (
            json!({"structured_outputs": {"regex": "a"}, "response_format": {"type": "json_object"}}),
            "structured_outputs.regex",
        ),
        (json!({"continue_final_message": true, "add_generation_prompt": true}), "add_generation_prompt"),
        (json!({"verbosity": "loud"}), "verbosity"),
    ];
    for (body, field) in cases {
        match read(body.clone()) {
            Err(ChatError::Invalid { param, message }) => {
                let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
                let param = [&*param].into_iter().chain(missing).collect::<Vec<_>>().join(".");
                assert_eq!(param, field, "{body}: {message}");
            }
            other => panic!("{body}: {other:?}"),
        }
    }
    for (body, name) in [
        (
            json!({"structured_outputs": {"regex": "a", "whitespace_pattern": " "}}),
            "structured_outputs.whitespace_pattern",
        ),
        (json!({"structured_outputs": {"structural_tag": "a"}}), "structured_outputs.structural_tag"),
    ] {
        assert!(matches!(read(body.clone()), Err(ChatError::Unsupported { param, .. }) if param == name), "{body}");
    }
}
