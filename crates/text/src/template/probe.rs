//! Finds by rendering what a template shows of a conversation.
//!
//! Templates leave out what they do not know, without an error: a Gemma template has no tools, one of Llama 2 no calls. A
//! conversation of words that occur nowhere else tells what is shown.

use serde_json::{Map, Value, json};

use super::{Arguments, ChatTemplate, Variant};
use crate::messages::normalize_messages;

/// Words of the conversations.
const WORDS: [&str; 4] = ["firstword", "secondword", "thirdword", "fourthword"];
/// Id of a call. Templates that check it require nine characters.
const CALL_ID: &str = "a1b2c3d4e";

/// Parts of a conversation that a template shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Support {
    /// Tools.
    pub tools: bool,
    /// Tool calls and their results.
    pub calls: bool,
    /// Calls of functions and their results, the older form.
    pub functions: bool,
    /// A first message of the system.
    pub system: bool,
    /// Another message of the system.
    pub later_system: bool,
    /// Consecutive messages of the user.
    pub users: bool,
    /// Consecutive messages of the assistant.
    pub assistants: bool,
}

/// Returns a tool with these texts in it.
fn tool(name: &str, description: &str, parameter: &str) -> Value {
    let properties: Map<String, Value> =
        [(parameter.to_owned(), json!({"type": "string", "description": "a"}))].into_iter().collect();
    let parameters = json!({"type": "object", "properties": properties, "required": [parameter]});
    json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}})
}

impl Support {
    fn everything(tools: bool) -> Self {
        Self { tools, calls: true, functions: true, system: true, later_system: true, users: true, assistants: true }
    }

    /// Renders conversations, with a tool beside them or without.
    pub(super) fn of(template: &ChatTemplate, with_tools: bool) -> Self {
        let probe = Probe { template, variant: template.variant(with_tools), with_tools };
        let [first, second, third, fourth] = WORDS;
        let user = |text: &str| json!({"role": "user", "content": text});
        let assistant = |text: &str| json!({"role": "assistant", "content": text});
        let system = |text: &str| json!({"role": "system", "content": text});
        let function = json!({"name": first, "arguments": json!({second: third}).to_string()});
        let called = |result: Value| {
            let call = json!({"id": CALL_ID, "type": "function", "function": function.clone()});
            let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            probe.shows(&[user("a"), message, result], &WORDS)
        };
        if !probe.shows(&[user(first)], &[first]) {
            // Nothing is known of it, so its words tell what is wrong.
            return Self::everything(with_tools);
        }
        let result = json!({"role": "tool", "tool_call_id": CALL_ID, "content": fourth});
        let named = json!({"role": "tool", "tool_call_id": CALL_ID, "name": first, "content": fourth});
        let in_older_form = [
            user("a"),
            json!({"role": "assistant", "content": null, "function_call": function.clone()}),
            json!({"role": "function", "name": first, "content": fourth}),
        ];
        Self {
            tools: with_tools && probe.shows_tools(),
            calls: called(result) || called(named),
            functions: probe.shows(&in_older_form, &WORDS),
            system: probe.shows(&[system(first), user(second)], &[first, second]),
            later_system: probe.shows(&[system("a"), system(first), user(second)], &[first, second])
                && probe.shows(&[user("a"), assistant("b"), system(first), user(second)], &[first, second]),
            users: probe.shows(&[user(first), user(second)], &[first, second]),
            assistants: probe.shows(&[user("a"), assistant(first), assistant(second), user("b")], &[first, second]),
        }
    }
}

/// Returns whether a variant of a template shows messages of the role `developer`.
pub(super) fn shows_developer(template: &ChatTemplate, variant: &Variant) -> bool {
    let [first, second, ..] = WORDS;
    let messages = [json!({"role": "developer", "content": first}), json!({"role": "user", "content": second})];
    Probe { template, variant, with_tools: false }.shows(&messages, &[first, second])
}

struct Probe<'a> {
    template: &'a ChatTemplate,
    variant: &'a Variant,
    with_tools: bool,
}

impl Probe<'_> {
    /// Returns whether the template shows all words in these messages.
    fn shows(&self, messages: &[Value], words: &[&str]) -> bool {
        let tools = if self.with_tools { vec![tool("a", "b", "c")] } else { Vec::new() };
        self.render(messages, tools).is_some_and(|text| words.iter().all(|word| text.contains(word)))
    }

    /// Returns whether the template shows a tool.
    fn shows_tools(&self) -> bool {
        let [first, second, third, _] = WORDS;
        let messages = [json!({"role": "user", "content": "a"})];
        let text = self.render(&messages, vec![tool(first, second, third)]);
        text.is_some_and(|text| [first, second, third].iter().all(|word| text.contains(word)))
    }

    fn render(&self, messages: &[Value], tools: Vec<Value>) -> Option<String> {
        let mut messages = messages.to_vec();
        normalize_messages(&mut messages, self.variant.style).ok()?;
        let arguments = Arguments::read(Map::new(), true, false).ok()?;
        self.template.render_variant(self.variant, messages, tools, arguments).ok()
    }
}
