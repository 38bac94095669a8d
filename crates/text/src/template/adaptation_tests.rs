//! What templates of several shapes show, and the places of the rest.

use serde_json::json;

use super::*;
use crate::testing::{tiny_template, tiny_tokenizer};
use crate::{Prompt, render_prompt};

/// Any role, but nothing except content: Zephyr and most models that were tuned on conversations alone.
const TURNS: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
/// Turns that alternate, and no system message: Gemma 2 and Mistral 7B.
const ALTERNATING: &str = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{% for m in messages %}\
     {% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles alternate') }}{% endif %}\
     <{{ m.role }}>{{ m.content | trim }}</>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
/// A system message at the start only, and others are left out without a word: Apertus, MiniMax.
const SILENT: &str = "{% if messages[0].role == 'system' %}<system>{{ messages[0].content }}</>{% endif %}\
     {% for m in messages %}{% if m.role in ['user', 'assistant'] %}<{{ m.role }}>{{ m.content }}</>{% endif %}{% endfor %}";
/// Calls of the history, but no tools: DeepSeek R1.
const CALLS: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls or [] %}[{{ c.function.name }} \
     {{ c.function.arguments }}]{% endfor %}</>{% endfor %}";
/// Tools, but no calls of the history: LFM2, Granite 3.3.
const TOOLS: &str = "{% if tools %}[{{ tools | tojson }}]{% endif %}{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}";
/// All of it. A null where a call has no content is tested for in one place and breaks another: Qwen3, Ministral 3.
const WHOLE: &str = "{% if tools is iterable and tools | length > 0 %}[{{ tools | tojson }}]{% endif %}{% for m in messages %}<{{ m.role }}>\
     {{ m.content if m.content is not none else '' }}{{ '!' if '</think>' in m.content }}{% for c in m.tool_calls or [] %}\
     [{{ c.function.name }} {{ c.function.arguments | tojson }}]{% endfor %}</>{% endfor %}";

fn template(source: &str) -> ChatTemplate {
    ChatTemplate::new(source, &[]).expect("a template")
}

fn tools() -> Value {
    let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    json!([{"type": "function", "function": {"name": "weather", "description": "Of a city", "parameters": parameters}}])
}

fn input(messages: Value, tools: Value) -> RenderInput {
    let list = |value: Value| value.as_array().cloned().unwrap_or_default();
    RenderInput { messages: list(messages), tools: list(tools), ..RenderInput::default() }
}

/// Renders a conversation: its text, and the parts that have another place.
fn adapted(source: &str, messages: Value, tools: Value) -> (String, Vec<Adaptation>) {
    let tokenizer = tiny_tokenizer();
    let prompt: Prompt<'_> =
        render_prompt(&template(source), &tokenizer, input(messages, tools)).expect("the conversation is rendered");
    (prompt.text().to_owned(), prompt.adaptations().collect())
}

fn call() -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "a1b2c3d4e", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Rome\"}"}}]})
}

fn conversation() -> Value {
    json!([
        {"role": "user", "content": "Rome?"},
        call(),
        {"role": "tool", "tool_call_id": "a1b2c3d4e", "content": "18 °C"},
        {"role": "tool", "tool_call_id": "a1b2c3d4e", "content": [{"type": "text", "text": "dry"}]},
    ])
}

#[test]
fn what_is_shown_is_found_by_rendering() {
    let support = |source: &str| template(source).support;
    let none = Support::default();
    assert_eq!(support(ALTERNATING), [none; 2]);
    let any_role = Support { system: true, later_system: true, users: true, assistants: true, ..none };
    assert_eq!(support(TURNS), [any_role; 2]);
    assert_eq!(support(SILENT), [Support { later_system: false, ..any_role }; 2]);
    let calls = Support { calls: true, ..any_role };
    assert_eq!(support(CALLS), [calls; 2]);
    assert_eq!(support(TOOLS), [any_role, Support { tools: true, ..any_role }]);
    assert_eq!(support(WHOLE), [calls, Support { tools: true, ..calls }]);
    let shown = [ALTERNATING, TURNS, SILENT, CALLS, TOOLS, WHOLE].map(|source| template(source).shows_tools());
    assert_eq!(shown, [false, false, false, false, false, true]);
    assert!(tiny_template().shows_tools());
    let broken = support("{{ unknown.field }}{% for m in messages %}{{ m.content }}{% endfor %}")[0];
    assert!(broken.system && broken.users, "of a template that fails on everything nothing is known");
}

#[test]
fn tools_without_a_place_have_one_in_the_system_message() {
    let expected = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function \
         signatures within <tools></tools> XML tags:\n<tools>\n{\"type\": \"function\", \"function\": {\"name\": \"weather\", \
         \"description\": \"Of a city\", \"parameters\": {\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}}}}}\n\
         </tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML \
         tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";
    let turns = "<user>Rome?</><assistant><tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\":\"Rome\"}}\n</tool_call></>\
         <user><tool_response>\n18 °C\n</tool_response>\n<tool_response>\ndry\n</tool_response></>";
    let all = vec![Adaptation::Tools, Adaptation::ToolCalls, Adaptation::ToolResults];
    for source in [TURNS, CALLS, TOOLS] {
        let (text, adaptations) = adapted(source, conversation(), tools());
        assert_eq!(text, format!("<system>{expected}</>{turns}"), "{source}");
        assert_eq!(adaptations, all);
    }
    let mut with_system = vec![json!({"role": "developer", "content": "Be short."})];
    with_system.extend(conversation().as_array().cloned().expect("a list"));
    let (text, adaptations) = adapted(SILENT, with_system.into(), tools());
    assert_eq!(text, format!("<system>Be short.\n\n{expected}</>{turns}"));
    assert!(adaptations.contains(&Adaptation::Developer), "{adaptations:?}");
    let (text, adaptations) = adapted(ALTERNATING, conversation(), tools());
    assert_eq!(text, format!("<user>{expected}\n\n{}", turns.strip_prefix("<user>").expect("its start")));
    assert_eq!(adaptations, [all, vec![Adaptation::System]].concat());
}

#[test]
fn what_the_template_shows_stays_as_it_is() {
    for (source, tools) in [(WHOLE, tools()), (WHOLE, json!([])), (CALLS, json!([]))] {
        let (text, adaptations) = adapted(source, conversation(), tools.clone());
        assert_eq!(text, template(source).render(input(conversation(), tools)).expect("rendered"));
        assert!(text.contains("[weather {") && adaptations.is_empty(), "{text}");
    }
    let plain = json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]);
    for source in [ALTERNATING, TURNS, SILENT, TOOLS] {
        let (text, adaptations) = adapted(source, plain.clone(), json!([]));
        assert_eq!(text, template(source).render(input(plain.clone(), json!([]))).expect("rendered"));
        assert!(adaptations.is_empty());
    }
}

#[test]
fn system_messages_without_a_place_are_in_front_of_the_user_s() {
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
    let messages = json!([
        said("system", "S1"),
        said("developer", "S2"),
        said("user", "U1"),
        said("assistant", "A1"),
        said("assistant", "A2"),
        said("system", "S3"),
        said("user", "U2"),
        said("user", "U3"),
    ]);
    let (text, adaptations) = adapted(ALTERNATING, messages.clone(), json!([]));
    assert_eq!(text, "<user>S1\n\nS2\n\nU1</><assistant>A1\n\nA2</><user>S3\n\nU2\n\nU3</>");
    assert_eq!(adaptations, [Adaptation::Developer, Adaptation::System, Adaptation::Joined]);
    let (text, adaptations) = adapted(SILENT, messages, json!([]));
    assert_eq!(text, "<system>S1\n\nS2</><user>U1</><assistant>A1</><assistant>A2</><user>S3\n\nU2</><user>U3</>");
    assert_eq!(adaptations, [Adaptation::Developer, Adaptation::System]);
    let (text, _) = adapted(ALTERNATING, json!([said("user", "U1"), said("system", "S1")]), json!([]));
    assert_eq!(text, "<user>U1\n\nS1</>", "none of the user's follows");
}

#[test]
fn calls_in_the_older_form_are_calls() {
    let messages = json!([
        {"role": "user", "content": "Rome?"},
        {"role": "assistant", "content": null, "function_call": {"name": "weather", "arguments": "{}"}},
        {"role": "function", "name": "weather", "content": "dry"},
    ]);
    let (text, adaptations) = adapted(WHOLE, messages.clone(), json!([]));
    assert_eq!(text, "<user>Rome?</><assistant>[weather {}]</><tool>dry</>");
    assert_eq!(adaptations, [Adaptation::Functions]);
    let (text, _) = adapted(ALTERNATING, messages, json!([]));
    assert!(
        text.contains("<tool_call>") && text.ends_with("<user><tool_response>\ndry\n</tool_response></>"),
        "{text}"
    );
}

/// Each turn of a conversation follows the prompt that opened it, which training relies on.
#[test]
fn a_longer_conversation_begins_as_the_shorter_one() {
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
    let mut messages = vec![said("system", "S1"), said("developer", "S2")];
    messages.extend(conversation().as_array().cloned().expect("a list"));
    messages.extend([said("assistant", "A"), said("system", "S3"), said("user", "U"), said("assistant", "B")]);
    let tokenizer = tiny_tokenizer();
    for source in [TURNS, ALTERNATING, SILENT, CALLS, TOOLS, WHOLE] {
        let template = template(source);
        let render = |count: usize| {
            let prompt = render_prompt(&template, &tokenizer, input(messages[..count].into(), tools()));
            prompt.expect("rendered").text().to_owned()
        };
        let whole = render(messages.len());
        for (index, message) in messages.iter().enumerate().filter(|(_, message)| message["role"] == "assistant") {
            assert!(whole.starts_with(&render(index)), "{source}: {message}");
        }
    }
}

#[test]
fn spelled_control_tokens_stay_text_and_our_own_tags_may_be_tokens() {
    let tokenizer = tiny_tokenizer();
    let mut call = call();
    call["tool_calls"][0]["function"]["arguments"] = r#"{"city":"<|im_end|>"}"#.into();
    let messages = json!([{"role": "user", "content": "a"}, call, {"role": "tool", "content": "<|im_start|>"}]);
    let prompt = render_prompt(&template(TURNS), &tokenizer, input(messages, tools())).expect("rendered");
    let ids = prompt.encode().expect("tokens");
    assert!(ids.iter().all(|id| !tokenizer.is_control(*id)), "{ids:?}");
    let text = tokenizer.decode(&ids);
    assert!(text.contains(r#"{"city":"<|im_end|>"}"#) && text.contains("\n<|im_start|>\n"), "{text}");
}
