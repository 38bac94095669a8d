//! Tools of the Responses API as functions.

use serde_json::{Value, json};

use super::super::conversation::there;
use super::super::read::{invalid, unreadable};
use super::super::tools::{self, Allowed, LeftOut, allow, in_mode, leave_out, unsupported};
use crate::chat::{ChatError, ToolChoice};
use crate::generated::types::{
    AllowedToolsMode, JsonObject, ResponseChosenTool, ResponseNamespaceTool, ResponseTool, ResponseToolChoice,
    ResponseToolFormat, ResponseToolFormatType,
};

/// Types of tools that cannot be functions, with the reason. A type may be followed by a date.
const LEFT_OUT: [(&str, &str); 13] = [
    ("apply_patch", OWN_FORM),
    ("code_interpreter", SERVER),
    ("computer", IMAGES),
    ("computer_use_preview", IMAGES),
    ("file_search", SERVER),
    ("image_generation", SERVER),
    ("local_shell", OWN_FORM),
    ("mcp", SERVER),
    ("programmatic_tool_calling", SERVER),
    ("shell", OWN_FORM),
    ("tool_search", SERVER),
    ("web_search", SERVER),
    ("web_search_preview", SERVER),
];
const SERVER: &str = "it runs on OpenAI's servers";
const OWN_FORM: &str = "its calls have a form of their own, and no schema";
const IMAGES: &str = "the model reads no images";

/// Parameter of a custom tool's function.
const INPUT: &str = "input";

/// The names of a tool: those of the API, and that of its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToolName {
    /// Name of the function that the model sees.
    function: String,
    /// Name in the API.
    pub name: String,
    /// Namespace in the API.
    pub namespace: Option<String>,
    /// Whether the tool is a custom one.
    pub is_custom: bool,
}

/// The names of a request's tools.
#[derive(Debug, Default)]
pub(super) struct ToolNames(Vec<ToolName>);

impl ToolNames {
    /// Reads the names of tools that can be called.
    pub(super) fn of(tools: &[ResponseTool]) -> Self {
        let names = tools.iter().flat_map(|tool| {
            let inner = tool.tools.iter().flatten();
            let inner = inner.filter_map(|inner| name(inner.name.as_deref(), tool.name.as_deref(), &inner.type_));
            let own = name(tool.name.as_deref(), None, &tool.type_);
            own.into_iter().chain(inner).collect::<Vec<_>>()
        });
        Self(names.collect())
    }

    /// Returns the names of the tool that the model calls by the name of its function.
    pub(super) fn find(&self, function: &str) -> Option<&ToolName> {
        self.0.iter().find(|name| name.function == function)
    }
}

fn name(name: Option<&str>, namespace: Option<&str>, type_: &str) -> Option<ToolName> {
    let is_custom = type_ == "custom";
    let name = name.filter(|_| is_custom || type_ == "function")?;
    let function = function_name(namespace, name);
    Some(ToolName { function, name: name.to_owned(), namespace: namespace.map(str::to_owned), is_custom })
}

/// Returns the name of a tool's function.
pub(super) fn function_name(namespace: Option<&str>, name: &str) -> String {
    match namespace {
        None => name.to_owned(),
        Some(namespace) if namespace.ends_with("__") => format!("{namespace}{name}"),
        Some(namespace) => format!("{namespace}__{name}"),
    }
}

/// Returns the arguments of a custom tool's function.
pub(super) fn custom_arguments(input: &str) -> String {
    json!({INPUT: input}).to_string()
}

/// Returns the input of a custom tool that was called with these arguments. A model that was not forced may write something else:
/// then the whole is the input.
pub(super) fn custom_input(arguments: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(arguments).ok();
    let input = parsed.as_ref().and_then(|value| value.get(INPUT)).and_then(Value::as_str);
    input.unwrap_or(arguments).to_owned()
}

/// Functions that the model sees, and the choice between them.
#[derive(Debug)]
pub(super) struct Offer {
    pub functions: Vec<Value>,
    pub choice: ToolChoice,
}

/// Converts tools and their choice to the format of chat completions. Paths of tools that are left out are added to
/// `ignored`.
///
/// # Errors
/// Returns [`ChatError::Unsupported`] for a tool that cannot be left out, or whose type is unknown, and
/// [`ChatError::Invalid`] for a choice that is not in `tools`.
pub(super) fn offer(
    tools: &[ResponseTool],
    choice: Option<&ResponseToolChoice>,
    ignored: &mut Vec<String>,
) -> Result<Offer, ChatError> {
    let mut functions = Vec::new();
    let mut left_out = Vec::new();
    let chosen = match choice {
        Some(ResponseToolChoice::ResponseChosenTool(chosen)) => Some(chosen),
        _ => None,
    };
    for (index, tool) in tools.iter().enumerate() {
        let at = format!("tools[{index}]");
        match &*tool.type_ {
            "function" | "custom" => functions.push(function(&Fields::of(tool), None, &at, ignored)?),
            "namespace" => {
                let namespace = there(tool.name.as_deref(), &at, "name")?;
                for (index, tool) in tool.tools.iter().flatten().enumerate() {
                    let at = format!("{at}.tools[{index}]");
                    functions.push(function(&Fields::of_inner(tool), Some(namespace), &at, ignored)?);
                }
            }
            type_ => {
                let Some(reason) = reason(type_) else { return Err(unsupported(&at, type_, "the type is unknown")) };
                let is_chosen = chosen.is_some_and(|chosen| chosen.type_ == type_);
                left_out.push(LeftOut { at, type_, reason, is_chosen });
            }
        }
    }
    leave_out(left_out, &functions, ignored)?;
    let choice = match choice {
        None => ToolChoice::Auto,
        Some(ResponseToolChoice::ToolChoiceMode(mode)) => in_mode(*mode, &functions)?,
        Some(ResponseToolChoice::ResponseChosenTool(chosen)) => choose(chosen, &mut functions, ignored)?,
    };
    Ok(Offer { functions, choice })
}

fn reason(type_: &str) -> Option<&'static str> {
    let is = |name: &str| type_.strip_prefix(name).is_some_and(|date| date.is_empty() || date.starts_with("_20"));
    LEFT_OUT.iter().find(|(name, _)| is(name)).map(|(_, reason)| *reason)
}

fn choose(
    chosen: &ResponseChosenTool,
    functions: &mut Vec<Value>,
    ignored: &mut Vec<String>,
) -> Result<ToolChoice, ChatError> {
    match &*chosen.type_ {
        "function" | "custom" => {
            let name = there(chosen.name.as_deref(), "tool_choice", "name")?;
            let name = function_name(chosen.namespace.as_deref(), name);
            tools::chosen("tool_choice", "tools", &name, |name| {
                functions.iter().any(|it| it["function"]["name"] == name)
            })
        }
        "allowed_tools" => {
            let tools = there(chosen.tools.as_ref(), "tool_choice", "tools")?;
            let allowed = tools.iter().enumerate().map(|(index, tool)| {
                let at = format!("tool_choice.tools[{index}]");
                let is_function = matches!(&*tool.type_, "function" | "custom");
                let function = match (is_function, &tool.name) {
                    (false, _) => None,
                    (true, name) => Some(there(name.as_deref(), &at, "name")?),
                };
                let function = function.map(|name| function_name(tool.namespace.as_deref(), name));
                Ok::<_, ChatError>(Allowed { at, type_: &tool.type_, function })
            });
            let allowed = allowed.collect::<Result<_, _>>()?;
            allow(functions, allowed, chosen.mode.unwrap_or(AllowedToolsMode::Auto), ignored)
        }
        type_ => match reason(type_) {
            Some(reason) => Err(unsupported("tool_choice", type_, reason)),
            None => Err(unsupported("tool_choice", type_, "the type is unknown")),
        },
    }
}

/// What a function or a custom tool consists of, alone or in a namespace.
struct Fields<'a> {
    type_: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    format: Option<&'a ResponseToolFormat>,
    parameters: Option<&'a JsonObject>,
    strict: Option<bool>,
}

/// Reads the fields that both types of tools have.
macro_rules! fields {
    ($tool:expr) => {{
        let tool = $tool;
        Fields {
            type_: &tool.type_,
            name: tool.name.as_deref(),
            description: tool.description.as_deref(),
            format: tool.format.as_ref(),
            parameters: tool.parameters.as_ref(),
            strict: tool.strict,
        }
    }};
}

impl<'a> Fields<'a> {
    fn of(tool: &'a ResponseTool) -> Self {
        fields!(tool)
    }

    fn of_inner(tool: &'a ResponseNamespaceTool) -> Self {
        fields!(tool)
    }
}

/// Converts a function or a custom tool.
fn function(
    tool: &Fields<'_>,
    namespace: Option<&str>,
    at: &str,
    ignored: &mut Vec<String>,
) -> Result<Value, ChatError> {
    let name = there(tool.name, at, "name")?;
    let mut function = json!({"name": function_name(namespace, name)});
    match tool.type_ {
        "custom" => {
            let (description, parameters) = custom(tool, at, ignored)?;
            if let Some(description) = description {
                function["description"] = json!(description);
            }
            function["parameters"] = parameters;
        }
        "function" => {
            if let Some(description) = tool.description {
                function["description"] = json!(description);
            }
            if let Some(parameters) = tool.parameters {
                function["parameters"] = parameters.read().map_err(unreadable)?;
            }
            if let Some(strict) = tool.strict {
                function["strict"] = json!(strict);
            }
        }
        type_ => return Err(unsupported(at, type_, "a namespace has functions and custom tools")),
    }
    Ok(json!({"type": "function", "function": function}))
}

/// Returns the description and the parameters of a custom tool's function. A regular expression is a pattern of its input. Another
/// grammar is shown to the model, and named in `ignored`, since it does not constrain the input.
fn custom(tool: &Fields<'_>, at: &str, ignored: &mut Vec<String>) -> Result<(Option<String>, Value), ChatError> {
    let description = tool.description.map(str::to_owned);
    let mut input = json!({"type": "string", "description": "Input of the tool, as plain text"});
    let format = tool.format.filter(|format| format.type_ == ResponseToolFormatType::Grammar);
    let mut described = description;
    if let Some(format) = format {
        let at = format!("{at}.format");
        let definition = there(format.definition.as_deref(), &at, "definition")?;
        let syntax = there(format.syntax.as_deref(), &at, "syntax")?;
        match syntax {
            "regex" => input["pattern"] = json!(format!("^(?:{definition})$")),
            "lark" => ignored.push(at),
            other => {
                let param = format!("{at}.syntax");
                let message = format!("{param} is {other:?}; it must be `lark` or `regex`");
                return Err(invalid(param, message));
            }
        }
        let rule = format!("The input follows this {syntax} grammar:\n{definition}");
        described = Some(described.map_or(rule.clone(), |text| format!("{text}\n\n{rule}")));
    }
    let parameters =
        json!({"type": "object", "properties": {INPUT: input}, "required": [INPUT], "additionalProperties": false});
    Ok((described, parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(tools: Value, choice: Value) -> Result<(Vec<String>, ToolChoice, Vec<String>), ChatError> {
        let tools: Vec<ResponseTool> = serde_json::from_value(tools).unwrap();
        let choice: Option<ResponseToolChoice> = serde_json::from_value(choice).unwrap();
        let mut ignored = Vec::new();
        let Offer { functions, choice } = offer(&tools, choice.as_ref(), &mut ignored)?;
        let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
        Ok((functions.iter().map(name).collect(), choice, ignored))
    }

    fn param(outcome: Result<(Vec<String>, ToolChoice, Vec<String>), ChatError>) -> String {
        match outcome {
            Err(ChatError::Invalid { param, .. } | ChatError::Unsupported { param, .. }) => param,
            other => panic!("{other:?}"),
        }
    }

    fn codex() -> Value {
        json!([
            {"type": "function", "name": "exec", "parameters": {"type": "object"}},
            {"type": "local_shell"},
            {"type": "web_search", "external_web_access": false},
            {"type": "web_search_preview_2025_03_11"},
            {"type": "image_generation", "output_format": "png"},
            {"type": "custom", "name": "apply_patch", "description": "Edits.", "format": {"type": "text"}},
            {"type": "namespace", "name": "mcp__files__", "description": "d", "tools": [
                {"type": "function", "name": "read"}, {"type": "custom", "name": "write"},
            ]},
        ])
    }

    #[test]
    fn tools_that_cannot_run_are_left_out() {
        let (functions, choice, ignored) = offered(codex(), Value::Null).unwrap();
        assert_eq!(functions, ["exec", "apply_patch", "mcp__files__read", "mcp__files__write"]);
        assert_eq!(choice, ToolChoice::Auto);
        assert_eq!(ignored, ["tools[1]", "tools[2]", "tools[3]", "tools[4]"]);
        assert_eq!(param(offered(json!([{"type": "web_search"}]), Value::Null)), "tools[0].type");
        assert_eq!(param(offered(codex(), json!({"type": "image_generation"}))), "tools[4].type");
        assert_eq!(param(offered(codex(), json!({"type": "mcp", "server_label": "x"}))), "tool_choice.type");
        assert_eq!(param(offered(json!([{"type": "teleport"}]), Value::Null)), "tools[0].type");
        assert_eq!(param(offered(json!([{"type": "function"}]), Value::Null)), "tools[0].name");
    }

    #[test]
    fn names_lead_back_to_the_tools() {
        let tools: Vec<ResponseTool> = serde_json::from_value(codex()).unwrap();
        let names = ToolNames::of(&tools);
        let found = names.find("mcp__files__write").unwrap();
        assert_eq!((&*found.name, found.namespace.as_deref(), found.is_custom), ("write", Some("mcp__files__"), true));
        assert!(names.find("apply_patch").unwrap().is_custom && !names.find("exec").unwrap().is_custom);
        assert_eq!(names.find("mcp__files__"), None);
        assert_eq!(function_name(Some("weather"), "get"), "weather__get");
    }

    #[test]
    fn a_choice_may_allow_some_tools() {
        let choice = |mode: &str, tools: Value| json!({"type": "allowed_tools", "mode": mode, "tools": tools});
        let two = json!([{"type": "function", "name": "read", "namespace": "mcp__files__"}, {"type": "web_search"}]);
        let (functions, allowed, ignored) = offered(codex(), choice("required", two)).unwrap();
        assert_eq!((functions, allowed), (vec!["mcp__files__read".to_owned()], ToolChoice::Required));
        assert_eq!(ignored.last().unwrap(), "tool_choice.tools[1]");
        let custom = choice("auto", json!([{"type": "custom", "name": "apply_patch"}]));
        assert_eq!(offered(codex(), custom).unwrap().0, ["apply_patch"]);
        let absent = choice("auto", json!([{"type": "function", "name": "other"}]));
        assert_eq!(param(offered(codex(), absent)), "tool_choice.tools[0]");
        assert_eq!(param(offered(codex(), choice("auto", json!([{"type": "mcp"}])))), "tool_choice.tools[0].type");
        assert_eq!(param(offered(codex(), choice("required", json!([])))), "tool_choice");
    }

    #[test]
    fn a_custom_tool_is_a_function_with_one_text() {
        let custom = |format: Value| json!([{"type": "custom", "name": "t", "description": "Does.", "format": format}]);
        let read = |tools: Value| {
            let tools: Vec<ResponseTool> = serde_json::from_value(tools).unwrap();
            let mut ignored = Vec::new();
            (offer(&tools, None, &mut ignored).unwrap().functions.remove(0)["function"].clone(), ignored)
        };
        let (function, ignored) = read(custom(json!({"type": "grammar", "syntax": "regex", "definition": "[a-z]+"})));
        assert_eq!(function["parameters"]["properties"]["input"]["pattern"], "^(?:[a-z]+)$");
        assert_eq!(function["description"], "Does.\n\nThe input follows this regex grammar:\n[a-z]+");
        assert!(ignored.is_empty());
        let (function, ignored) =
            read(custom(json!({"type": "grammar", "syntax": "lark", "definition": "start: \"a\""})));
        assert!(function["description"].as_str().unwrap().ends_with("start: \"a\""));
        assert_eq!(ignored, ["tools[0].format"]);
        let bad = custom(json!({"type": "grammar", "syntax": "bnf", "definition": "x"}));
        assert_eq!(param(offered(bad, Value::Null)), "tools[0].format.syntax");
        assert_eq!(custom_input(&custom_arguments("a \"b\"\n")), "a \"b\"\n");
        assert_eq!(custom_input("{\"inp"), "{\"inp");
    }
}
