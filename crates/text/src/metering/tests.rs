use std::time::{Duration, Instant};

use serde_json::json;

use crate::{ChatTemplate, RenderInput, TemplateError};

fn render(source: &str) -> Result<String, TemplateError> {
    let messages = vec![json!({"role": "user", "content": "Hello, world"})];
    let input = RenderInput { messages, add_generation_prompt: true, ..RenderInput::default() };
    ChatTemplate::new(source, &[])?.render(input)
}

/// Templates that would take gigabytes or hours.
const BOMBS: [(&str, &str); 45] = [
    (
        "a doubled text",
        "{% set n = namespace(x='abcdefgh') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    ),
    (
        "a text added to itself",
        "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
    ),
    (
        "texts that are kept",
        "{% set n = namespace(x=[]) %}{% for i in range(9999) %}{% set n.x = n.x + ['a' * 90000 ~ i] %}{% endfor %}",
    ),
    ("a repeated text", "{{ 'a' * 10**8 * 10 }}"),
    ("repeated constants", "{{ ('a' * 99999999) ~ ('b' * 99999999) ~ ('c' * 99999999) ~ ('d' * 99999999) }}"),
    ("a repeated list", "{{ ([1] * 10**8) | length }}"),
    (
        "a list added to itself",
        "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}{{ n.x }}",
    ),
    (
        "lists in lists",
        "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
    ),
    (
        "equal lists",
        "{% set n = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}{{ n.x == n.y }}",
    ),
    ("a deep list", "{% set n = namespace(x=[1]) %}{% for i in range(99999) %}{% set n.x = [n.x] %}{% endfor %}"),
    ("deep maps", "{% set n = namespace(x={}) %}{% for i in range(99999) %}{% set n.x = {'a': n.x} %}{% endfor %}"),
    (
        "deep maps by a function",
        "{% set n = namespace(x={}) %}{% for i in range(99999) %}{% set n.x = dict(a=n.x) %}{% endfor %}",
    ),
    (
        "a list as a key",
        "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ {n.x: 1} }}",
    ),
    (
        "a deep slice",
        "{% set n = namespace(x=range(99999) | list) %}{% for i in range(99999) %}{% set n.x = n.x[1:] %}{% endfor %}",
    ),
    ("a namespace in itself", "{% set n = namespace(x=1) %}{% set n.x = n %}{{ n }}"),
    ("a namespace in its list", "{% set n = namespace(x=1) %}{% set n.x = [n] %}{{ n }}"),
    ("ranges", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"),
    (
        "a kept block",
        "{% set x %}{% for a in range(99999) %}{% for b in range(999) %}{{ 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz' }}{% endfor %}{% endfor %}{% endset %}",
    ),
    ("a long output", "{% set s = 'a' * 1000000 %}{% for a in range(99999) %}{{ s }}{% endfor %}"),
    (
        "raw text",
        "{% for a in range(99999) %}{% for b in range(999) %}abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz{% endfor %}{% endfor %}",
    ),
    (
        "a macro",
        "{% macro f(x, n) %}{% if n %}{{ f(x ~ x, n - 1) }}{{ f(x ~ x, n - 1) }}{% else %}{{ x }}{% endif %}{% endmacro %}{{ f('abcdefgh', 24) }}",
    ),
    (
        "macros of macros",
        "{% macro f(x) %}{{ x }}{{ x }}{% endmacro %}{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = f(n.x) %}{% endfor %}",
    ),
    ("a recursive loop", "{% for x in [['a' * 100000]] recursive %}{{ loop([x ~ x, x ~ x]) }}{% endfor %}"),
    ("join", "{{ range(99999) | join('a' * 100000) }}"),
    ("join as a method", "{{ ('a' * 100000).join('b' * 100000) }}"),
    ("replace", "{{ ('a' * 100000) | replace('a', 'b' * 100000) }}"),
    ("replace as a method", "{{ ('a' * 100000).replace('', 'b' * 100000) }}"),
    ("indent", "{{ 'a\nb' | indent(10**9) }}"),
    ("indent by name", "{{ 'a\nb' | indent(width=10**9) }}"),
    ("batch", "{{ [1] | batch(10**9, 0) | length }}"),
    ("slice", "{{ [1] | slice(10**9) | length }}"),
    ("a width", "{{ '%1000000000d' | format(1) }}"),
    ("a width as an argument", "{{ '%*d' | format(1000000000, 1) }}"),
    ("a width of a method", "{{ '{:>1000000000}'.format(1) }}"),
    ("a nested width", "{{ '{:>{}}'.format(1, 1000000000) }}"),
    ("indented JSON", "{{ messages | tojson(indent=10**9) }}"),
    ("separators of JSON", "{{ range(99999) | list | tojson(separators=['a' * 100000, ':']) }}"),
    ("a mapped filter", "{{ ['a\nb'] | map('indent', 10**9) | list }}"),
    ("a mapped replacement", "{{ (['a' * 10000] * 1000) | map('replace', 'a', 'b' * 1000) | list }}"),
    ("selected items", "{{ range(99999) | select('in', 'a' * 1000000) | list }}"),
    ("sums", "{{ (['a' * 1000] * 50000) | sum(start='') }}"),
    (
        "a searched text",
        "{% set s = 'a' * 10000000 %}{% for i in range(99999) %}{% if 'b' in s %}{% endif %}{% endfor %}",
    ),
    (
        "a compared text",
        "{% set s = 'a' * 10000000 %}{% set t = s ~ '' %}{% for i in range(99999) %}{% if s == t %}{% endif %}{% endfor %}",
    ),
    ("stripped characters", "{{ ('a' * 1000000).strip('b' * 1000000 ~ 'a') }}"),
    (
        "many macros",
        "{% for i in range(99999) %}{% for j in range(99) %}{% macro f() %}{{ i }}{% endmacro %}{% endfor %}{% endfor %}",
    ),
];

#[test]
fn bombs_are_refused_before_they_take_memory() {
    for (name, bomb) in BOMBS {
        let start = Instant::now();
        let rendered = render(bomb);
        let took = start.elapsed();
        let error = rendered.err().unwrap_or_else(|| panic!("{name} is rendered, in {took:?}"));
        assert!(matches!(error, TemplateError::Refused(_)), "{name}: {error}");
        let message = error.to_string();
        assert!(message.len() < 400, "{name}: {message}");
        // A hang takes hours; these take a second.
        assert!(took < Duration::from_secs(120), "{name}: {took:?}");
    }
}

#[test]
fn a_limit_is_named_with_the_template_and_the_line() {
    let error = render("a\n{{ 'a' * 10**8 * 10 }}").unwrap_err().to_string();
    let limit = "`chat_template` exceeds a limit: a rendering copies at most 256 MiB of text and lists (line 2)";
    assert_eq!(error, format!("the chat template refused the conversation: {limit}"));
    let endless = "{% set x = range(9999) %}{% for a in x %}{% for b in x %}{% endfor %}{% endfor %}";
    let error = render(endless).unwrap_err();
    assert!(error.to_string().contains("`chat_template` exceeds a limit: a rendering takes at most"), "{error}");
}

#[test]
fn words_of_a_template_are_cut() {
    let error = render("{{ raise_exception('é' * 1000000) }}").unwrap_err().to_string();
    assert!(error.chars().count() < 1_100, "{}", error.len());
}

#[test]
fn sources_have_limits() {
    for source in [
        "a".repeat(300 * 1024),
        format!("{{{{ {} }}}}", vec!["1"; 9_000].join("+")),
        "{% include 'chat_template' %}".to_owned(),
        "{{ range(*[1, 2]) }}".to_owned(),
    ] {
        let invalid = render(&source);
        assert!(matches!(invalid, Err(TemplateError::Invalid(_))), "{:?}", &source[..20]);
    }
    // Neither compiler nor instructions descend for each of these on the stack of the caller.
    let branches = format!("{{% if x == 1 %}}a{}{{% endif %}}", "{% elif x %}".repeat(10_000));
    assert_eq!(render(&branches).unwrap(), "");
    let added = format!("{{{{ {} }}}}", vec!["1"; 4_000].join("+"));
    assert_eq!(render(&added).unwrap(), "4000");
}

#[test]
fn ordinary_operations_have_the_same_results() {
    for (source, expected) in [
        ("{{ 'ab' * 3 }}{{ 2 * 3 }}{{ 2 * 1.5 }}{{ ([1] * 2) }}{{ 'é' * 2 * 2 }}", "ababab63.0[1, 1]éééé"),
        (
            "{{ [1, 2] + [3] }}{{ ([1] + [2])[-1] }}{{ ('a', 1) }}{{ (1,) }}{{ {'a': [1]} }}",
            "[1, 2, 3]2('a', 1)(1,){'a': [1]}",
        ),
        ("{{ [1, 2, 3][1:] }}{{ 'abc'[::-1] }}{{ messages[-1].role }}{{ messages[0]['role'] }}", "[2, 3]cbauseruser"),
        ("{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }};{% endfor %}", "a=1;b=2;"),
        ("{% for k, v in {'a': 1} | items %}{{ k }}={{ v }};{% endfor %}{{ {'a': 1}.get('b') }}", "a=1;None"),
        ("{{ ['a', 'b'] | map('upper') | join(', ') }}{{ messages | map(attribute='role') | list }}", "A, B['user']"),
        ("{{ messages | selectattr('role', 'equalto', 'user') | list | length }}{{ [1, 2] | last }}", "12"),
        (
            "{% set n = namespace(x=1) %}{% set n.x = n.x + 1 %}{{ n.x }}{{ 0 < n.x < 3 }}{{ 0 < n.x < 1 }}",
            "2TrueFalse",
        ),
        ("{% macro f(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ f(1) }}{{ f(1, b=3) }}{{ f(b=1, a=0) }}", "121301"),
        (
            "{% for x in [[1, [2]], 3] recursive %}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}",
            "(1(2))3",
        ),
        ("{% for c in 'héy' %}{{ c }}.{% endfor %}{{ 'a,b'.split(',')[1] }}{{ 'a b'.split() }}", "h.é.y.b['a', 'b']"),
        ("{% for i in range(5) if i is odd %}{{ loop.index }}/{{ loop.length }}:{{ i }} {% endfor %}", "1/2:1 2/2:3 "),
        ("{% autoescape true %}<b>{{ '<' }}{% endautoescape %}", "<b>&lt;"),
        (
            "{% block a %}x{% endblock %}{% set y %}z{% endset %}{{ y | upper }}{{ '%05d|%s' | format(7, 'a') }}",
            "xZ00007|a",
        ),
        (
            "{{ 'a\nb' | indent(2) }}{{ [1, 2, 3] | batch(2, 0) | list }}{{ 'x'.join([1, 2]) }}",
            "a\n  b[[1, 2], [3, 0]]1x2",
        ),
        (
            "{{ 'c' in 'abc' }}{{ 1 in [1] }}{{ 'a' in {'a': 1} }}{{ [1] == [1] }}{{ {'a': 1} == {'a': 1} }}",
            "TrueTrueTrueTrueTrue",
        ),
        (
            "{{ dict(a=1).a }}{{ 'x' is string }}{{ [] is sequence }}{{ {} is mapping }}{{ (1, 2) == (1, 2) }}",
            "1TrueTrueTrueTrue",
        ),
        (
            "{{ 'ab'.replace('a', 'x') }}{{ ' a '.strip() }}{{ 'xax'.strip('x') }}{{ '{} {}'.format(1, 'b') }}",
            "xbaa1 b",
        ),
    ] {
        assert_eq!(render(source).unwrap_or_else(|error| panic!("{source}: {error}")), expected, "{source}");
    }
}

#[test]
fn unknown_filters_fail_where_they_are_used() {
    assert_eq!(render("{% if false %}{{ 1 | pprint }}{% endif %}a").unwrap(), "a");
    let error = render("{{ 1 | pprint }}").unwrap_err().to_string();
    assert!(error.contains("filter pprint is unknown"), "{error}");
}

/// A conversation that fills a long context is far from the limit.
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
