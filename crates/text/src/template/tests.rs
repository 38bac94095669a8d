use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use super::*;

fn render(source: &str, messages: Value, kwargs: Value) -> Result<String, TemplateError> {
    let messages = messages.as_array().unwrap().clone();
    let kwargs = kwargs.as_object().unwrap().clone();
    let input = RenderInput { messages, add_generation_prompt: true, kwargs, ..RenderInput::default() };
    ChatTemplate::new(source, &[("bos_token".into(), "<s>".into())])?.render(input)
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
fn none_is_not_iterable() {
    let source =
        "{{ none is iterable }} {{ [] is iterable }} {{ 'a' is iterable }} {{ tools is iterable }} {{ 1 is iterable }}";
    assert_eq!(render(source, json!([]), json!({})).unwrap(), "False True True False False");
}

#[test]
fn generation_blocks_print_their_content() {
    let source = "a {%- generation %} b {% endgeneration -%} c{% generation %}d{% endgeneration %}";
    assert_eq!(render(source, json!([]), json!({})).unwrap(), "a b cd");
}

#[test]
fn rejections_carry_the_templates_words() {
    let error = render("{{ raise_exception('no system role') }}", json!([]), json!({})).unwrap_err();
    assert!(matches!(&error, TemplateError::Rejected(text) if text.contains("no system role")), "{error}");
    let endless = "{% for a in range(10000) %}{% for b in range(10000) %}x{% endfor %}{% endfor %}";
    assert!(matches!(render(endless, json!([]), json!({})), Err(TemplateError::Rejected(_))));
    assert!(matches!(render("{% if %}", json!([]), json!({})), Err(TemplateError::Invalid(_))));
}

#[test]
fn a_limit_is_named_with_the_template_and_the_line() {
    let text = |text: &str| json!([{"role": "user", "content": text}]);
    let long = text(&"a".repeat(1_000_000));
    for (source, messages, limit) in [
        ("a\n{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", &long, "50000000 steps"),
        ("a\n{% for a in range(9999) %}{{ messages[0].content }}{% endfor %}", &long, "prints at most 64 MiB"),
        ("a\n{{ messages[0].content | split('a') }}", &long, "split into at most 200000 pieces"),
        ("a\n{{ messages[0].content.split('a') }}", &long, "split into at most 200000 pieces"),
        ("a\n{{ messages[0].content | replace('a', '12345678' * 8) }}", &long, "at most 32 MiB"),
        ("a\n{{ messages[0].content.replace('a', '12345678' * 8) }}", &long, "at most 32 MiB"),
    ] {
        let error = render(source, messages.clone(), json!({})).unwrap_err().to_string();
        assert!(error.contains("`chat_template` exceeds a limit: a ") && error.contains(limit), "{error}");
        assert!(error.ends_with("(line 2)"), "{error}");
    }
    let items = render("a", json!([]), json!({"x": vec![0; 30_001]})).unwrap_err();
    assert!(items.to_string().contains("has 30001 items; the limit is 30000"), "{items}");
    assert_eq!(render("a", json!([]), json!({"x": vec![0; 30_000]})).unwrap(), "a");
}

#[test]
fn words_of_a_template_are_cut() {
    let error = render("{{ raise_exception('é' * 1000000) }}", json!([]), json!({})).unwrap_err().to_string();
    assert!(error.chars().count() < 1_100, "{}", error.len());
}

/// A conversation that fills a long context is far from the limits.
#[test]
fn long_conversations_are_rendered() {
    let template = crate::testing::tiny_template();
    let text = "Some words of a conversation. ".repeat(20);
    let messages: Vec<_> = (0..10_000)
        .map(|index| json!({"role": if index % 2 == 0 { "user" } else { "assistant" }, "content": text}))
        .collect();
    let input = RenderInput { messages, add_generation_prompt: true, ..RenderInput::default() };
    assert!(template.render(input).unwrap().len() > 10_000 * text.len());
}

#[test]
fn a_panic_of_the_template_engine_is_a_rejection() {
    let source = "{{ messages[0].content[::-1] }}";
    assert_eq!(render(source, json!([{"role": "user", "content": "ab"}]), json!({})).unwrap(), "ba");
    let empty = render(source, json!([{"role": "user", "content": ""}]), json!({}));
    assert!(matches!(empty, Err(TemplateError::Rejected(_))), "{empty:?}");
}

#[test]
fn thinking_is_off_unless_asked_for() {
    let source = "{{ enable_thinking }}";
    assert_eq!(render(source, json!([]), json!({})).unwrap(), "False");
    assert_eq!(render(source, json!([]), json!({"enable_thinking": true})).unwrap(), "True");
    assert!(matches!(render(source, json!([]), json!({"messages": []})), Err(TemplateError::Reserved(_))));
}

#[test]
fn arguments_have_types() {
    let source = "{{ date_string is defined }} {{ documents }} {{ add_generation_prompt }} {{ x }}";
    assert_eq!(
        render(
            source,
            json!([]),
            json!({"date_string": null, "documents": null, "add_generation_prompt": false, "x": null})
        )
        .unwrap(),
        "False None False None"
    );
    for (name, value) in [
        ("enable_thinking", json!("yes")),
        ("thinking", json!(1)),
        ("tools_in_user_message", json!([])),
        ("add_generation_prompt", json!("x")),
        ("continue_final_message", json!(0)),
        ("date_string", json!(5)),
        ("documents", json!({"a": 1})),
        ("documents", json!(["a"])),
    ] {
        let rejected = render(source, json!([]), json!({name: value}));
        assert!(
            matches!(&rejected, Err(TemplateError::Argument { name: of, .. }) if *of == name),
            "{name}: {rejected:?}"
        );
    }
    let both = json!({"add_generation_prompt": true, "continue_final_message": true});
    assert!(matches!(render(source, json!([]), both), Err(TemplateError::Argument { .. })));
}

#[test]
fn conversations_that_cannot_be_continued_are_rejected() {
    let open = json!({"continue_final_message": true});
    let message = |content: Value| json!([{"role": "assistant", "content": content}]);
    let whole = "{{ messages[0].content }}<end>";
    assert_eq!(render(whole, message(json!("")), open.clone()).unwrap(), "");
    assert!(matches!(render(whole, json!([]), open.clone()), Err(TemplateError::Message { .. })));
    let hides = "{{ messages[0].role }}{{ messages[0].content[5:] }}";
    assert!(matches!(render(hides, message(json!("abcdefgh")), open.clone()), Err(TemplateError::Rejected(_))));
    let asks = "{% if messages[0].content is none %}{% endif %}";
    assert!(matches!(render(asks, message(Value::Null), open), Err(TemplateError::Message { .. })));
}

#[test]
fn arguments_are_parsed_where_the_template_needs_objects() {
    let parses = |shown: &str| {
        let calls = format!("{{% for c in m.tool_calls %}}{shown}{{% endfor %}}");
        let source = format!("{{% for m in messages %}}{{{{ m.content }}}}{calls}{{% endfor %}}");
        ChatTemplate::new(&source, &[]).unwrap().default.style.parses_arguments
    };
    assert!(parses("{% for k, v in c.function.arguments | items %}{{ k }}={{ v }}{% endfor %}"));
    assert!(parses("{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }}{% endfor %}"));
    assert!(parses("{{ c.function.arguments | tojson }}"));
    assert!(parses("{{ c.function | tojson }}"));
    assert!(parses("{{ m.tool_calls | tojson }}"));
    assert!(!parses("{{ c.function.arguments }}"));
    assert!(!parses(
        "{% set f = c.function %}{% if f.arguments is string %}{{ f.arguments }}{% else %}{{ f.arguments | tojson }}{% endif %}"
    ));
    let own = "{% set a = c.function.arguments %}{% if a is mapping %}{% for k in a %}{{ k }}:{{ a[k] }}{% endfor %}{% else %}{{ a }}{% endif %}";
    assert!(parses(own), "text is shown, and an object in another notation than JSON");
    assert!(!parses(""));
}

/// Compares every conversation under every template with the output of transformers.
#[test]
fn conversations_render_as_transformers_renders_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/chat_templates/");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}{file}"));
    let conversations: Map<String, Value> = serde_json::from_str(&read("conversations.json").unwrap()).unwrap();
    let golden: Map<String, Value> = serde_json::from_str(&read("rendered.json").unwrap()).unwrap();
    assert!(golden.len() >= 10);
    let mut wrong = Vec::new();
    for (name, expected) in golden {
        let special: Vec<(String, String)> =
            serde_json::from_value::<std::collections::BTreeMap<_, _>>(expected["special_tokens"].clone())
                .unwrap()
                .into_iter()
                .collect();
        let tool_use = read(&format!("{name}_tool_use.jinja")).ok();
        // Clock of the golden files.
        let clock = Arc::new(|| UNIX_EPOCH + Duration::from_secs(1_741_529_107));
        let source = read(&format!("{name}.jinja")).unwrap();
        let template = ChatTemplate::with_clock(&source, tool_use.as_deref(), &special, clock).unwrap();
        let outputs = expected["outputs"].as_object().unwrap();
        assert!(outputs.len() + 2 >= conversations.len());
        for (case, output) in outputs {
            let given = &conversations[case];
            let kwargs = given["kwargs"].as_object().cloned().unwrap_or_default();
            let input = RenderInput {
                messages: given["messages"].as_array().unwrap().clone(),
                tools: given["tools"].as_array().cloned().unwrap_or_default(),
                add_generation_prompt: given["add_generation_prompt"] != false,
                continue_final_message: false,
                kwargs,
            };
            match (template.render(input), output) {
                (Ok(text), Value::String(expected)) if text == *expected => {}
                // A rejection by the template passes on the template's message.
                (Err(error), Value::Object(rejected))
                    if error.to_string().contains(rejected["refused"].as_str().unwrap()) => {}
                (got, expected) => wrong.push(format!("{name}, {case}:\n  {got:?}\n  {expected}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
