//! Chat templates: Jinja as Hugging Face's `apply_chat_template` runs it.
//!
//! What differs from minijinja's defaults, each because templates were written against the other: blocks are trimmed
//! (`trim_blocks`, `lstrip_blocks`), `tojson` writes what Python's `json.dumps(ensure_ascii=False)` writes and escapes
//! no HTML, Python's string and mapping methods exist, `raise_exception` is a function, `{% generation %}` is a block
//! without effect, and `true`/`none` print as Python prints them. `strftime_now` is left undefined: a prompt must not
//! depend on the clock, and templates that use it ask first whether it exists.

use minijinja::value::{Kwargs, Serde, Value as TemplateValue, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, syntax::SyntaxConfig};
use serde_json::{Map, Value};

use super::json::{JsonStyle, dumps};

/// Instructions a template may execute; a prompt of ten thousand messages takes about a tenth.
const FUEL: u64 = 20_000_000;
/// Depth of macro calls and includes.
const RECURSION_LIMIT: usize = 100;
const TEMPLATE_NAME: &str = "chat_template";
/// Variables that a caller's `chat_template_kwargs` may not replace.
const RESERVED: [&str; 4] = ["messages", "tools", "documents", "add_generation_prompt"];

/// Why a conversation could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The template itself is not valid.
    #[error("chat template: {0}")]
    Invalid(String),
    /// The template refused the conversation (`raise_exception`) or could not run on it.
    #[error("the chat template refused the conversation: {0}")]
    Refused(String),
    /// A message has a form that no template takes.
    #[error("messages[{index}].{field}: {reason}")]
    Message {
        /// Place of the message.
        index: usize,
        /// Place in the message.
        field: String,
        /// What is wrong and what to send instead.
        reason: String,
    },
    /// The conversation leaves too few private-use characters to stand for text that must not speak for the template.
    #[error("the conversation holds almost every private-use character (U+F0000 to U+10FFFD); leave some of them out")]
    PrivateUseExhausted,
    /// A caller tried to set a variable that the service sets.
    #[error("chat_template_kwargs.{0}: this variable is set by the service; choose another name")]
    Reserved(String),
}

/// What a template is rendered with.
#[derive(Debug, Clone, Copy)]
pub struct RenderInput<'a> {
    /// The conversation, one JSON object per message, as on the wire.
    pub messages: &'a [Value],
    /// Tools as on the wire; `None` and an empty list render alike.
    pub tools: Option<&'a [Value]>,
    /// Whether to open an assistant turn at the end.
    pub add_generation_prompt: bool,
    /// `chat_template_kwargs`: further variables.
    pub kwargs: &'a Map<String, Value>,
}

/// A compiled chat template.
pub struct ChatTemplate {
    environment: Environment<'static>,
    special_tokens: Map<String, Value>,
    parses_arguments: bool,
    mentions_thinking: bool,
    mentions_preserve_thinking: bool,
}

impl ChatTemplate {
    /// Compiles a template. `special_tokens` are the variables that `tokenizer_config.json` gives it
    /// (`bos_token`, `eos_token`, …), name and spelling.
    ///
    /// # Errors
    /// The template is not valid Jinja.
    pub fn new(source: &str, special_tokens: &[(String, String)]) -> Result<Self, TemplateError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| TemplateError::Invalid(error.to_string()))?);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_fuel(Some(FUEL));
        environment.set_recursion_limit(RECURSION_LIMIT);
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.set_formatter(|out, state, value| match value.kind() {
            ValueKind::Bool => Ok(out.write_str(if value.is_true() { "True" } else { "False" })?),
            ValueKind::None => Ok(out.write_str("None")?),
            _ => minijinja::escape_formatter(out, state, value),
        });
        environment.add_filter("tojson", tojson);
        environment.add_function("raise_exception", |message: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment
            .add_template_owned(TEMPLATE_NAME, without_generation_blocks(source))
            .map_err(|error| TemplateError::Invalid(describe(&error)))?;
        Ok(Self {
            environment,
            special_tokens: special_tokens.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect(),
            parses_arguments: wants_parsed_arguments(source),
            mentions_thinking: source.contains("enable_thinking"),
            mentions_preserve_thinking: source.contains("preserve_thinking"),
        })
    }

    /// Renders a conversation. Messages and tools are normalised first (see [`normalize_messages`], [`normalize_tools`]).
    ///
    /// `enable_thinking` is false and `preserve_thinking` true if the template mentions them and the caller does not.
    ///
    /// # Errors
    /// A message of no known form, or a template that refuses the conversation.
    pub fn render(&self, input: &RenderInput<'_>) -> Result<String, TemplateError> {
        let messages = normalize_messages(input.messages, self.parses_arguments)?;
        let tools = input.tools.filter(|tools| !tools.is_empty()).map(normalize_tools);
        self.render_normalized(&messages, tools.as_deref(), input)
    }

    /// Whether the template reads a variable that it does not set itself.
    pub fn reads(&self, variable: &str) -> bool {
        let template = self.environment.get_template(TEMPLATE_NAME);
        template.is_ok_and(|template| template.undeclared_variables(false).contains(variable))
    }

    /// Whether tool-call arguments are given to the template as objects rather than as JSON text.
    pub(super) fn parses_arguments(&self) -> bool {
        self.parses_arguments
    }

    /// Renders messages and tools as they are; only the switches are taken from `input`.
    pub(super) fn render_normalized(
        &self,
        messages: &[Value],
        tools: Option<&[Value]>,
        input: &RenderInput<'_>,
    ) -> Result<String, TemplateError> {
        let mut context = self.special_tokens.clone();
        if self.mentions_thinking {
            context.insert("enable_thinking".to_owned(), false.into());
        }
        if self.mentions_preserve_thinking {
            context.insert("preserve_thinking".to_owned(), true.into());
        }
        for (name, value) in input.kwargs {
            if RESERVED.contains(&name.as_str()) {
                return Err(TemplateError::Reserved(name.clone()));
            }
            context.insert(name.clone(), value.clone());
        }
        context.insert("messages".to_owned(), messages.into());
        context.insert("tools".to_owned(), tools.map_or(Value::Null, Value::from));
        context.insert("documents".to_owned(), Value::Null);
        context.insert("add_generation_prompt".to_owned(), input.add_generation_prompt.into());
        let template =
            self.environment.get_template(TEMPLATE_NAME).map_err(|error| TemplateError::Invalid(describe(&error)))?;
        template.render(TemplateValue::from(Serde(&context))).map_err(|error| TemplateError::Refused(describe(&error)))
    }
}

fn describe(error: &Error) -> String {
    let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    match error.line() {
        Some(line) => format!("{what} (line {line})"),
        None => what,
    }
}

/// `tojson` as transformers defines it: `json.dumps(x, ensure_ascii=False, indent=…, separators=…, sort_keys=…)`.
fn tojson(value: &TemplateValue, kwargs: Kwargs) -> Result<String, Error> {
    let invalid = |error: serde_json::Error| Error::new(ErrorKind::BadSerialization, error.to_string());
    let json = serde_json::to_value(value).map_err(invalid)?;
    let mut style = JsonStyle {
        ensure_ascii: kwargs.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false),
        indent: kwargs.get("indent")?,
        sort_keys: kwargs.get::<Option<bool>>("sort_keys")?.unwrap_or(false),
        ..JsonStyle::default()
    };
    match kwargs.get::<Option<Vec<String>>>("separators")?.as_deref() {
        Some([item, key]) => {
            style.item_separator.clone_from(item);
            style.key_separator.clone_from(key);
        }
        Some(_) => return Err(Error::new(ErrorKind::InvalidOperation, "tojson: separators takes two strings")),
        None if style.indent.is_some() => style.item_separator = ",".to_owned(),
        None => {}
    }
    kwargs.assert_all_used()?;
    Ok(dumps(&json, &style))
}

/// Replaces transformers' `{% generation %}` blocks, which mark assistant text, by blocks that print the same.
fn without_generation_blocks(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("{%") {
        let Some(length) = rest[start..].find("%}") else { break };
        let inner = &rest[start + 2..start + length];
        let word = inner.trim_matches(|c: char| c.is_whitespace() || c == '-' || c == '+');
        out.push_str(&rest[..start + 2]);
        match word {
            "generation" => out.push_str(&inner.replace(word, "if true")),
            "endgeneration" => out.push_str(&inner.replace(word, "endif")),
            _ => out.push_str(inner),
        }
        out.push_str("%}");
        rest = &rest[start + length + 2..];
    }
    out.push_str(rest);
    out
}

/// Whether the template works on tool-call arguments as on an object: it iterates over them, or it writes them by
/// `tojson` without first asking whether they are a string.
fn wants_parsed_arguments(source: &str) -> bool {
    let dense: String = source.chars().filter(|character| !character.is_whitespace()).collect();
    dense.contains("arguments|items")
        || dense.contains("arguments.items()")
        || (dense.contains("arguments|tojson") && !dense.contains("argumentsisstring"))
}

/// Brings messages into the form that templates expect: null or missing content becomes empty text, text parts are
/// joined, `developer` becomes `system`, null fields go, and with `parse_arguments` the arguments of tool calls are
/// objects.
///
/// # Errors
/// A message that is no object, has no role, or has content other than text.
pub fn normalize_messages(messages: &[Value], parse_arguments: bool) -> Result<Vec<Value>, TemplateError> {
    messages.iter().enumerate().map(|(index, message)| normalize_message(index, message, parse_arguments)).collect()
}

fn normalize_message(index: usize, message: &Value, parse_arguments: bool) -> Result<Value, TemplateError> {
    let fault = |field: &str, reason: &str| TemplateError::Message {
        index,
        field: field.to_owned(),
        reason: reason.to_owned(),
    };
    let Some(fields) = message.as_object() else { return Err(fault("", "a message is an object")) };
    let Some(role) = fields.get("role").and_then(Value::as_str) else {
        return Err(fault("role", "a message has a role, which is text"));
    };
    let mut out: Map<String, Value> = fields
        .iter()
        .filter(|(key, value)| !value.is_null() || *key == "content")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if role == "developer" {
        out.insert("role".to_owned(), "system".into());
    }
    let content = match fields.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => join_parts(index, parts)?,
        Some(_) => return Err(fault("content", "content is text, a list of text parts, or null")),
    };
    out.insert("content".to_owned(), content.into());
    if parse_arguments {
        let calls = out.get_mut("tool_calls").and_then(Value::as_array_mut);
        for call in calls.into_iter().flatten() {
            let Some(arguments) = call.pointer_mut("/function/arguments") else { continue };
            // Text that is no JSON object is left as it is; the template decides.
            if let Some(Ok(parsed @ Value::Object(_))) = arguments.as_str().map(serde_json::from_str) {
                *arguments = parsed;
            }
        }
    }
    Ok(out.into())
}

fn join_parts(index: usize, parts: &[Value]) -> Result<String, TemplateError> {
    let mut text = String::new();
    for (part_index, part) in parts.iter().enumerate() {
        let piece = match part["type"].as_str() {
            Some("text") => part["text"].as_str(),
            Some("refusal") => part["refusal"].as_str(),
            _ => None,
        };
        text.push_str(piece.ok_or_else(|| TemplateError::Message {
            index,
            field: format!("content[{part_index}]"),
            reason: "only parts of type `text` are supported".to_owned(),
        })?);
    }
    Ok(text)
}

/// Puts the keys of tools into one order, whatever order they arrived in: `type`, `function` with `name`,
/// `description`, `parameters`, `strict`, then any others. Templates print tools as they find them, and the client
/// library sends one order when sampling and another when training.
pub fn normalize_tools(tools: &[Value]) -> Vec<Value> {
    tools
        .iter()
        .map(|tool| {
            let mut tool = reorder(tool, &["type", "function"]);
            if let Some(function) = tool.get_mut("function") {
                *function = reorder(function, &["name", "description", "parameters", "strict"]);
            }
            tool
        })
        .collect()
}

fn reorder(value: &Value, first: &[&str]) -> Value {
    let Some(fields) = value.as_object() else { return value.clone() };
    let leading = first.iter().filter_map(|&key| fields.get_key_value(key));
    let others = fields.iter().filter(|(key, _)| !first.contains(&key.as_str()));
    leading.chain(others).map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>().into()
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    pub(crate) fn tiny_template() -> ChatTemplate {
        ChatTemplate::new(include_str!("../../tests/golden/tiny_tokenizer/chat_template.jinja"), &[]).unwrap()
    }

    fn render(source: &str, messages: Value, kwargs: Value) -> Result<String, TemplateError> {
        let messages = messages.as_array().unwrap().clone();
        let kwargs = kwargs.as_object().unwrap().clone();
        let input = RenderInput { messages: &messages, tools: None, add_generation_prompt: true, kwargs: &kwargs };
        ChatTemplate::new(source, &[("bos_token".into(), "<s>".into())])?.render(&input)
    }

    #[test]
    fn jinja_as_transformers_runs_it() {
        let source = "{{ bos_token }}{% for m in messages %}\n    {% if loop.first %}\nfirst {% endif %}\n{{ m.content.strip() | tojson }}{{ m.x }}\n{% if m.role == 'skip' %}{% continue %}{% endif %}{% endfor %}{{ add_generation_prompt }}{{ none }}";
        let out = render(
            source,
            json!([{"role": "user", "content": " <é> "}, {"role": "skip", "x": {"b": 1, "a": 2}}]),
            json!({}),
        );
        assert_eq!(out.unwrap(), "<s>first \"<é>\"\n\"\"{'b': 1, 'a': 2}\nTrueNone");
    }

    #[test]
    fn generation_blocks_print_their_content() {
        let source = "a {%- generation %} b {% endgeneration -%} c{% generation %}d{% endgeneration %}";
        assert_eq!(render(source, json!([]), json!({})).unwrap(), "a b cd");
    }

    #[test]
    fn refusals_carry_the_templates_words() {
        let error = render("{{ raise_exception('no system role') }}", json!([]), json!({})).unwrap_err();
        assert!(matches!(&error, TemplateError::Refused(text) if text.contains("no system role")), "{error}");
        let endless = "{% for a in range(10000) %}{% for b in range(10000) %}x{% endfor %}{% endfor %}";
        assert!(matches!(render(endless, json!([]), json!({})), Err(TemplateError::Refused(_))));
        assert!(matches!(render("{% if %}", json!([]), json!({})), Err(TemplateError::Invalid(_))));
    }

    #[test]
    fn thinking_is_off_unless_asked_for() {
        let source = "{{ enable_thinking }}{{ strftime_now is defined }}";
        assert_eq!(render(source, json!([]), json!({})).unwrap(), "FalseFalse");
        assert_eq!(render(source, json!([]), json!({"enable_thinking": true})).unwrap(), "TrueFalse");
        assert!(matches!(render(source, json!([]), json!({"messages": []})), Err(TemplateError::Reserved(_))));
    }

    #[test]
    fn messages_are_normalised() {
        let messages = [
            json!({"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
            json!({"role": "assistant", "content": null, "audio": null, "tool_calls": [{"function": {"name": "f", "arguments": "{\"z\": 1, \"a\": 2}"}}]}),
        ];
        let parsed = normalize_messages(&messages, true).unwrap();
        assert_eq!(parsed[0], json!({"role": "system", "content": "ab"}));
        assert_eq!(
            parsed[1].to_string(),
            r#"{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"z":1,"a":2}}}]}"#
        );
        assert!(normalize_messages(&messages, false).unwrap()[1]["tool_calls"][0]["function"]["arguments"].is_string());
        for bad in
            [json!("x"), json!({}), json!({"role": 1}), json!({"role": "user", "content": [{"type": "image_url"}]})]
        {
            assert!(normalize_messages(&[bad], false).is_err());
        }
    }

    #[test]
    fn arguments_are_parsed_where_the_template_needs_objects() {
        assert!(wants_parsed_arguments("{% for k, v in tool_call.arguments | items %}"));
        assert!(wants_parsed_arguments("{{ tool_call.arguments | tojson }}"));
        assert!(!wants_parsed_arguments(
            "{% if c.arguments is string %}{{ c.arguments }}{% else %}{{ c.arguments | tojson }}{% endif %}"
        ));
    }

    #[test]
    fn tools_have_one_order() {
        let tools =
            [json!({"function": {"parameters": {"b": 1, "a": 2}, "extra": 1, "name": "f"}, "type": "function"})];
        let text = serde_json::to_string(&normalize_tools(&tools)).unwrap();
        assert_eq!(text, r#"[{"type":"function","function":{"name":"f","parameters":{"b":1,"a":2},"extra":1}}]"#);
    }
}
