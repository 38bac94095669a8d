//! Chat templates: byte-exact rendering as by Hugging Face's `apply_chat_template`.
//!
//! `environment` has the Jinja environment of templates, `messages` the form of conversations in it. Two defaults go
//! beyond transformers: if a template mentions them and the caller sets neither, `enable_thinking` is false and
//! `preserve_thinking` is true; and null content becomes empty text unless the template tests for null. `probe` finds what
//! a template does not show, and `adaptation` gives it another place.

mod adaptation;
mod probe;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::SystemTime;

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value as TemplateValue};
use serde_json::{Map, Value, json};

use super::environment::{Clock, FUEL, environment, is_python_space, prepared_source};
use super::messages::{MessageStyle, normalize_messages, normalize_tools};
use super::private_use::unused_characters;
use super::template_error::TemplateError;
use probe::Support;

pub use adaptation::Adaptation;
pub(crate) use adaptation::Adaptations;

/// Name of the default template, and of the one for conversations with tools.
const DEFAULT: &str = "chat_template";
const TOOL_USE: &str = "tool_use";
/// Variables that a caller's `chat_template_kwargs` must not replace.
const RESERVED: [&str; 2] = ["messages", "tools"];
/// Length of the mark after a message to be continued. It equals that of transformers, so that a template which prints
/// slices of a message prints the same.
const MARK_LENGTH: usize = 26;
/// Maximum number of items of a list or object. Templates collect items one by one, which takes time that grows with the
/// square of their number, and no limit ends it before the next print.
const MAX_ITEMS: usize = 30_000;
/// Maximum length of a template's own words in an error message.
const MAX_WORDS: usize = 1_000;
/// Boolean arguments of templates.
const SWITCHES: [&str; 6] = [
    "enable_thinking",
    "preserve_thinking",
    "thinking",
    "tools_in_user_message",
    "add_generation_prompt",
    "continue_final_message",
];

/// Input of a rendering.
///
/// A rendering consumes it, so that a long conversation is not copied on its way to the template.
#[derive(Debug, Clone, Default)]
pub struct RenderInput {
    /// Messages of the conversation, one JSON object per message, as on the wire.
    pub messages: Vec<Value>,
    /// Tools as on the wire.
    pub tools: Vec<Value>,
    /// Whether to open an assistant turn at the end; ignored if the last message is continued.
    pub add_generation_prompt: bool,
    /// Whether the last message stays open at its end, so that a completion continues it.
    pub continue_final_message: bool,
    /// Additional variables from `chat_template_kwargs`. `add_generation_prompt` and `continue_final_message` in it
    /// take precedence over the fields of the same name.
    pub kwargs: Map<String, Value>,
}

/// A compiled chat template, optionally with a second one for conversations with tools.
pub struct ChatTemplate {
    environment: Environment<'static>,
    /// The default template as it was given.
    source: String,
    special_tokens: Map<String, Value>,
    default: Variant,
    tool_use: Option<Variant>,
    is_missing: bool,
    /// What is shown of a conversation without tools, and of one with them.
    support: [Support; 2],
}

/// One of the compiled templates.
struct Variant {
    name: &'static str,
    /// Variables that the template reads and does not set itself.
    variables: HashSet<String>,
    style: MessageStyle,
    mentions_thinking: bool,
    mentions_preserve_thinking: bool,
    mentions_think_tags: bool,
}

/// Parsed `chat_template_kwargs` and related fields.
struct Arguments {
    variables: Map<String, Value>,
    documents: Value,
    add_generation_prompt: bool,
    continue_final_message: bool,
}

impl ChatTemplate {
    /// Compiles a template. `special_tokens` are its variables from `tokenizer_config.json` (`bos_token`, `eos_token`,
    /// …), as name and spelling.
    ///
    /// # Errors
    /// The template is not valid Jinja.
    pub fn new(source: &str, special_tokens: &[(String, String)]) -> Result<Self, TemplateError> {
        Self::with_clock(source, None, special_tokens, Arc::new(SystemTime::now))
    }

    /// Compiles a template, and optionally a second one for conversations with tools. `clock` is the time source of
    /// `strftime_now`.
    ///
    /// # Errors
    /// A template is not valid Jinja.
    pub fn with_clock(
        source: &str,
        tool_use: Option<&str>,
        special_tokens: &[(String, String)],
        clock: Clock,
    ) -> Result<Self, TemplateError> {
        let mut environment = environment(clock).map_err(|error| TemplateError::Invalid(describe(&error)))?;
        let default = Variant::compile(&mut environment, DEFAULT, source)?;
        let tool_use = tool_use.map(|source| Variant::compile(&mut environment, TOOL_USE, source)).transpose()?;
        let mut template = Self {
            environment,
            source: source.to_owned(),
            special_tokens: special_tokens.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect(),
            default,
            tool_use,
            is_missing: false,
            support: [Support::default(); 2],
        };
        template.default.style = template.style(&template.default);
        let style = template.tool_use.as_ref().map(|variant| template.style(variant));
        if let (Some(variant), Some(style)) = (&mut template.tool_use, style) {
            variant.style = style;
        }
        template.support = [false, true].map(|with_tools| Support::of(&template, with_tools));
        Ok(template)
    }

    /// Returns the style of a variant, with what is only known by rendering.
    fn style(&self, variant: &Variant) -> MessageStyle {
        let MessageStyle { knows_null_content, knows_developer, .. } = variant.style;
        let style = MessageStyle {
            parses_arguments: self.wants_parsed_arguments(variant, variant.style),
            // A template may test for null in one place, and fail on it in another.
            knows_null_content: knows_null_content && self.renders_call(variant, variant.style),
            knows_developer: knows_developer && probe::shows_developer(self, variant),
            ..variant.style
        };
        // Arguments are not seen where content of null fails.
        match style.knows_null_content == knows_null_content {
            true => style,
            false => MessageStyle { parses_arguments: self.wants_parsed_arguments(variant, style), ..style },
        }
    }

    fn renders_call(&self, variant: &Variant, style: MessageStyle) -> bool {
        let forms = [json!({}), "{}".into()];
        forms.into_iter().any(|arguments| self.render_example(variant, style, "example_name", arguments).is_ok())
    }

    /// Returns the template of a model that has none, which rejects every conversation.
    ///
    /// # Errors
    /// Never, unless the environment of templates is broken.
    pub fn missing() -> Result<Self, TemplateError> {
        Ok(Self { is_missing: true, ..Self::new("", &[])? })
    }

    /// Returns the text of the template for conversations without tools; `None` for a model without one.
    pub fn source(&self) -> Option<&str> {
        (!self.is_missing).then_some(&*self.source)
    }

    /// Returns the spelling of one of the tokenizer's special tokens, such as `bos_token`.
    pub fn special_token(&self, name: &str) -> Option<&str> {
        self.special_tokens.get(name)?.as_str()
    }

    /// Renders a conversation. Messages and tools are normalised first (see [`normalize_messages`],
    /// [`normalize_tools`]).
    ///
    /// # Errors
    /// A message has an unknown form, or the template rejects the conversation.
    pub fn render(&self, mut input: RenderInput) -> Result<String, TemplateError> {
        self.normalize(&mut input)?;
        self.render_normalized(input)
    }

    /// Returns whether one of the templates reads a variable that it does not set itself.
    pub fn reads(&self, variable: &str) -> bool {
        let variants = [Some(&self.default), self.tool_use.as_ref()];
        variants.into_iter().flatten().any(|variant| variant.variables.contains(variable))
    }

    /// Returns whether the template shows tools and their calls. If not, they have the form of Hermes (see
    /// [`Adaptation`]).
    pub fn shows_tools(&self) -> bool {
        let [_, with_tools] = &self.support;
        with_tools.tools && with_tools.calls
    }

    /// Converts messages and tools to the form that the template expects, and gives the parts that it does not show
    /// another place. `shield` is applied to the caller's texts in between.
    ///
    /// # Errors
    /// A message has an unknown form, or the error of `shield`.
    pub(super) fn adapt(
        &self,
        input: &mut RenderInput,
        shield: impl FnOnce(&mut RenderInput) -> Result<(), TemplateError>,
    ) -> Result<Adaptations, TemplateError> {
        let mut adaptations = Adaptations::new();
        let has_tools = !input.tools.is_empty();
        let own_tools = has_tools && !self.shows_tools();
        let support = self.support[usize::from(has_tools && !own_tools)];
        let own_calls = own_tools || !support.calls;
        if own_calls || !support.functions {
            adaptation::convert_functions(&mut input.messages, &mut adaptations);
        }
        let style = self.variant(has_tools && !own_tools).style;
        let style = MessageStyle { parses_arguments: style.parses_arguments && !own_calls, ..style };
        if !style.knows_developer && input.messages.iter().any(|message| message["role"] == "developer") {
            adaptations.insert(Adaptation::Developer);
        }
        normalize_tools(&mut input.tools);
        normalize_messages(&mut input.messages, style)?;
        shield(input)?;
        if !self.is_missing {
            adaptation::adapt(input, support, own_calls, &mut adaptations);
        }
        Ok(adaptations)
    }

    /// Converts messages and tools to the form that the template expects.
    fn normalize(&self, input: &mut RenderInput) -> Result<(), TemplateError> {
        normalize_tools(&mut input.tools);
        normalize_messages(&mut input.messages, self.variant(!input.tools.is_empty()).style)
    }

    /// Renders messages and tools unchanged.
    pub(super) fn render_normalized(&self, input: RenderInput) -> Result<String, TemplateError> {
        let RenderInput { mut messages, tools, add_generation_prompt, continue_final_message, kwargs } = input;
        let arguments = Arguments::read(kwargs, add_generation_prompt, continue_final_message)?;
        let variant = self.variant(!tools.is_empty());
        if !arguments.continue_final_message {
            return self.render_variant(variant, messages, tools, arguments);
        }
        let open = OpenMessage::mark(&mut messages)?;
        let text = self.render_variant(variant, messages, tools, arguments)?;
        open.cut(text)
    }

    /// Returns whether the template mentions `<think>` and `</think>`.
    pub fn mentions_think_tags(&self) -> bool {
        self.default.mentions_think_tags || self.tool_use.as_ref().is_some_and(|variant| variant.mentions_think_tags)
    }

    /// Renders a call of the function `name` with the JSON object `arguments`, with all surrounding text; `None` if the
    /// template rejects such a conversation.
    pub fn render_call(&self, name: &str, arguments: &Map<String, Value>) -> Option<String> {
        let variant = self.variant(true);
        let object = Value::Object(arguments.clone());
        let given = if variant.style.parses_arguments { object } else { object.to_string().into() };
        self.render_example(variant, variant.style, name, given).ok()
    }

    fn variant(&self, with_tools: bool) -> &Variant {
        self.tool_use.as_ref().filter(|_| with_tools).unwrap_or(&self.default)
    }

    fn render_variant(
        &self,
        variant: &Variant,
        messages: Vec<Value>,
        tools: Vec<Value>,
        arguments: Arguments,
    ) -> Result<String, TemplateError> {
        if self.is_missing {
            return Err(TemplateError::Missing);
        }
        let mut context = self.special_tokens.clone();
        if variant.mentions_thinking {
            context.insert("enable_thinking".to_owned(), false.into());
        }
        if variant.mentions_preserve_thinking {
            context.insert("preserve_thinking".to_owned(), true.into());
        }
        context.extend(arguments.variables);
        context.insert("messages".to_owned(), messages.into());
        context.insert("tools".to_owned(), if tools.is_empty() { Value::Null } else { tools.into() });
        context.insert("documents".to_owned(), arguments.documents);
        context.insert("add_generation_prompt".to_owned(), arguments.add_generation_prompt.into());
        let template =
            self.environment.get_template(variant.name).map_err(|error| TemplateError::Invalid(describe(&error)))?;
        // minijinja 3.0 panics when an empty text or list is sliced backwards; the panic is caught here.
        let values = template_value(Value::Object(context))?;
        let render = || template.render(values).map_err(|error| TemplateError::Rejected(describe(&error)));
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(render)) {
            Ok(rendered) => rendered,
            Err(_) => Err(TemplateError::Rejected("it cannot run on an empty text or list".to_owned())),
        }
    }

    /// Returns whether a call's arguments must be an object. This is found by rendering: text is printed quoted or not
    /// at all, or the template fails on it, while an object is printed as JSON; or an object has a notation of its own.
    fn wants_parsed_arguments(&self, variant: &Variant, style: MessageStyle) -> bool {
        let arguments = json!({"example_key": "example_value"});
        let render = |arguments| self.render_example(variant, style, "example_name", arguments);
        let Ok(object) = render(arguments.clone()) else { return false };
        let is_shown = object.contains("example_key") && !object.contains("'example_key'");
        let is_json = object.contains(r#""example_key""#);
        let text = render(arguments.to_string().into());
        is_shown && !(is_json && text.is_ok_and(|text| text.contains(r#""example_key":"#)))
    }

    fn render_example(
        &self,
        variant: &Variant,
        style: MessageStyle,
        name: &str,
        arguments: Value,
    ) -> Result<String, TemplateError> {
        let function = json!({"name": name, "arguments": arguments});
        // Templates that check the id require nine characters.
        let call = json!({"id": "a1b2c3d4e", "type": "function", "function": function});
        let mut messages = vec![
            json!({"role": "user", "content": "a"}),
            json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        ];
        let parameters = json!({"type": "object", "properties": {}});
        let tool =
            json!({"type": "function", "function": {"name": name, "description": "a", "parameters": parameters}});
        normalize_messages(&mut messages, MessageStyle { parses_arguments: false, ..style })?;
        self.render_variant(variant, messages, vec![tool], Arguments::read(Map::new(), false, false)?)
    }
}

/// Converts JSON to a value of a template. Consumes it, so that a long text is held twice no longer than it takes to copy.
///
/// # Errors
/// A list or object has too many items.
fn template_value(value: Value) -> Result<TemplateValue, TemplateError> {
    let count = value.as_array().map(Vec::len).or_else(|| value.as_object().map(Map::len)).unwrap_or(0);
    if count > MAX_ITEMS {
        return Err(TemplateError::Rejected(format!("a list or object has {count} items; the limit is {MAX_ITEMS}")));
    }
    Ok(match value {
        Value::String(text) => text.into(),
        Value::Array(items) => items.into_iter().map(template_value).collect::<Result<Vec<_>, _>>()?.into(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| Ok((name, template_value(value)?)));
            TemplateValue::from_pairs(fields.collect::<Result<Vec<_>, TemplateError>>()?)
        }
        scalar => Serde(&scalar).into(),
    })
}

impl Variant {
    fn compile(
        environment: &mut Environment<'static>,
        name: &'static str,
        source: &str,
    ) -> Result<Self, TemplateError> {
        let invalid = |error: Error| TemplateError::Invalid(describe(&error));
        environment.add_template_owned(name, prepared_source(source)).map_err(invalid)?;
        let template = environment.get_template(name).map_err(invalid)?;
        let variables = template.undeclared_variables(false);
        Ok(Self {
            name,
            variables,
            style: MessageStyle::of(source),
            mentions_thinking: source.contains("enable_thinking"),
            mentions_preserve_thinking: source.contains("preserve_thinking"),
            mentions_think_tags: source.contains("</think>") || source.contains("<think>"),
        })
    }
}

impl Arguments {
    fn read(
        mut variables: Map<String, Value>,
        add_generation_prompt: bool,
        continue_final_message: bool,
    ) -> Result<Self, TemplateError> {
        let fault = |name, reason| Err(TemplateError::Argument { name, reason });
        if let Some(name) = RESERVED.iter().find(|name| variables.contains_key(**name)) {
            return Err(TemplateError::Reserved((*name).to_owned()));
        }
        for name in SWITCHES {
            match variables.get(name) {
                Some(Value::Null) => drop(variables.shift_remove(name)),
                None | Some(Value::Bool(_)) => {}
                Some(_) => return fault(name, "it is true or false"),
            }
        }
        match variables.get("date_string") {
            Some(Value::Null) => drop(variables.shift_remove("date_string")),
            None | Some(Value::String(_)) => {}
            Some(_) => return fault("date_string", "it is text"),
        }
        let documents = variables.shift_remove("documents").unwrap_or_default();
        match &documents {
            Value::Null => {}
            Value::Array(items) if items.iter().all(Value::is_object) => {}
            _ => return fault("documents", "it is a list of objects, each with `title` and `text`"),
        }
        let mut switch = |name| variables.shift_remove(name).and_then(|value| value.as_bool());
        let prompt_asked = switch("add_generation_prompt");
        let continue_final_message = switch("continue_final_message").unwrap_or(continue_final_message);
        if continue_final_message && prompt_asked == Some(true) {
            let reason = "the last message is continued (`continue_final_message`), so no new turn can be opened";
            return fault("add_generation_prompt", reason);
        }
        let add_generation_prompt = !continue_final_message && prompt_asked.unwrap_or(add_generation_prompt);
        Ok(Self { variables, documents, add_generation_prompt, continue_final_message })
    }
}

/// The mark at the end of a conversation's last message.
struct OpenMessage {
    mark: String,
    /// Text of the last message.
    text: String,
}

impl OpenMessage {
    /// Appends the mark and a space to the text of the last message; the space shows whether the template trims.
    fn mark(messages: &mut [Value]) -> Result<Self, TemplateError> {
        let index = messages.len().saturating_sub(1);
        let fault =
            |reason: &str| TemplateError::Message { index, field: "content".to_owned(), reason: reason.to_owned() };
        let mark = unused_characters('\u{100000}'..='\u{10fffd}', &*messages, 1)?[0];
        let mark = mark.to_string().repeat(MARK_LENGTH);
        let content = messages.last_mut().and_then(|message| message.get_mut("content"));
        let content = match content {
            Some(Value::Array(parts)) => {
                parts.iter_mut().rev().find_map(|part| part.get_mut("text").filter(|text| text.is_string()))
            }
            content => content,
        };
        let Some(Value::String(content)) = content else {
            return Err(fault("there is no text that could be continued (`continue_final_message`)"));
        };
        let text = content.clone();
        content.push_str(&mark);
        content.push(' ');
        Ok(Self { mark, text })
    }

    /// Returns the rendered text up to the mark, without the white space before it if the template trims.
    fn cut(&self, mut rendered: String) -> Result<String, TemplateError> {
        let position =
            rendered.rfind(&self.mark).filter(|_| rendered.contains(self.text.trim_matches(is_python_space)));
        let Some(position) = position else {
            return Err(TemplateError::Rejected(
                "it does not show the last message as it is, so this cannot be continued (`continue_final_message`)"
                    .to_owned(),
            ));
        };
        let trims = !rendered[position + self.mark.len()..].starts_with(' ');
        rendered.truncate(position);
        if trims {
            rendered.truncate(rendered.trim_end_matches(is_python_space).len());
        }
        Ok(rendered)
    }
}

fn describe(error: &Error) -> String {
    let mut what = match (error.kind(), error.detail()) {
        (ErrorKind::OutOfFuel, None) => format!("a rendering takes at most {FUEL} steps"),
        (kind, None) => kind.to_string(),
        (_, Some(detail)) => detail.to_owned(),
    };
    if let Some((end, _)) = what.char_indices().nth(MAX_WORDS) {
        what.truncate(end);
        what.push('…');
    }
    if error.kind() == ErrorKind::OutOfFuel {
        what = format!("`{}` exceeds a limit: {what}", error.name().unwrap_or(DEFAULT));
    }
    match error.line() {
        Some(line) => format!("{what} (line {line})"),
        None => what,
    }
}

#[cfg(test)]
mod adaptation_tests;
#[cfg(test)]
mod tests;
