use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::chat::stop::tests::pieces;
use crate::chat::tool_formats::ToolFormatKind;

/// Returns two functions; `a` is text, and `b` a number.
fn functions() -> Vec<Value> {
    let properties = json!({"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "object"}});
    let function = |name: &str| json!({"name": name, "parameters": {"type": "object", "properties": properties}});
    vec![function("f"), function("g")]
}

/// Returns content and calls of a completion; the calls as name and arguments.
fn run<'a>(kind: ToolFormatKind, given: impl IntoIterator<Item = &'a str>) -> (String, Vec<(String, String)>) {
    let mut parser = reader(&ToolFormat::plain(kind), &functions());
    let mut content = String::new();
    let mut calls: Vec<(String, String)> = Vec::new();
    let mut open = false;
    let mut take = |parts: Vec<Part>, last: bool| {
        let begins = parts.iter().position(|part| matches!(part, Part::Call(_)));
        assert!(last || begins.is_none_or(|place| place + 1 == parts.len()), "arguments beside a beginning: {parts:?}");
        for part in parts {
            match part {
                Part::Text(text) => content.push_str(&text),
                Part::Call(name) => {
                    assert!(!std::mem::replace(&mut open, true), "a call within a call");
                    calls.push((name, String::new()));
                }
                Part::Arguments(more) => {
                    assert!(open && !more.is_empty());
                    calls.last_mut().unwrap().1.push_str(&more);
                }
                Part::End => assert!(std::mem::replace(&mut open, false), "an end without a call"),
            }
        }
    };
    for piece in given {
        take(parser.push(piece), false);
    }
    take(parser.finish(), true);
    (content, calls)
}

fn call(name: &str, arguments: &str) -> (String, String) {
    (name.to_owned(), arguments.to_owned())
}

const HERMES: &str = "I look. \n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"b\":  1, \"a\": \"}</tool_call>é\"}}\n</tool_call>\n<tool_call>{\"name\": \"g\"}</tool_call>\n";
const LLAMA: &str =
    "\n{\"name\": \"f\", \"parameters\": {\"b\":  1, \"a\": \"};\"}}; {\"name\": \"g\", \"parameters\": {}}\n";
const MISTRAL: &str = "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"b\":  1, \"a\": \"}]\"}, \"id\": \"x\"}, {\"name\": \"g\", \"arguments\": {}}]";
const QWEN: &str = "I look. \n\n<tool_call>\n<function=f>\n<parameter=b>\n1\n</parameter>\n<parameter=a>\n\"é\"\n\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=g>\n</function>\n</tool_call>\n";
const LFM: &str = "I look. <|tool_call_start|>[f(b=1, a='it\\'s \"é\"'), g()]<|tool_call_end|>";
const GEMMA: &str = "I look.<|tool_call>call:f{a:<|\"|>\"é\", }<|\"|>,b:1}<tool_call|><|tool_call>call:g{}<tool_call|>";

#[test]
fn arguments_in_other_notations_become_json() {
    let both = |arguments: &str| ("I look.".to_owned(), vec![call("f", arguments), call("g", "{}")]);
    assert_eq!(run(ToolFormatKind::Qwen, [QWEN]), both(r#"{"b": 1, "a": "\"é\"\n"}"#));
    assert_eq!(run(ToolFormatKind::Lfm, [LFM]), both(r#"{"b": 1, "a": "it's \"é\""}"#));
    assert_eq!(run(ToolFormatKind::Gemma, [GEMMA]), both(r#"{"a": "\"é\", }", "b": 1}"#));
}

#[test]
fn unusual_arguments_in_other_notations() {
    let qwen = |body: &str| format!("<tool_call>\n<function=f>{body}\n</tool_call>");
    for (kind, text, content, arguments) in [
        (ToolFormatKind::Qwen, qwen("<parameter=a>x</parameter></function>"), "", r#"{"a": "x"}"#),
        (ToolFormatKind::Qwen, qwen("\n<parameter=a>\n\n</parameter>\n</function>"), "", r#"{"a": ""}"#),
        (ToolFormatKind::Qwen, qwen("\n<parameter=a>\n</parameter>\n</function>"), "", r#"{"a": ""}"#),
        (
            ToolFormatKind::Qwen,
            qwen("<parameter=c>\n{\"x\": [1]}\n</parameter>\n</function>"),
            "",
            r#"{"c": {"x": [1]}}"#,
        ),
        (ToolFormatKind::Qwen, qwen("<parameter=b>\nmany\n</parameter></function>"), "", r#"{"b": "many"}"#),
        (ToolFormatKind::Qwen, qwen("<parameter=d>\nTrue\n</parameter>"), "", r#"{"d": true}"#),
        // Text is cut off, and any other value is then left out.
        (ToolFormatKind::Qwen, "<tool_call>\n<function=f>\n<parameter=a>\nx</para".to_owned(), "", "{\"a\": \"x</para"),
        (ToolFormatKind::Qwen, "<tool_call>\n<function=f>\n<parameter=b>\n1".to_owned(), "", "{\"b\": "),
        (
            ToolFormatKind::Qwen,
            qwen("<parameter=a>x</parameter>odd</function>"),
            "odd</function>\n</tool_call>",
            r#"{"a": "x"}"#,
        ),
        (ToolFormatKind::Lfm, "<|tool_call_start|>f(b=2)".to_owned(), "", r#"{"b": 2}"#),
        (
            ToolFormatKind::Lfm,
            "<|tool_call_start|>[ f ( b=2)]<|tool_call_end|>".to_owned(),
            "<|tool_call_start|>[ f ( b=2)]<|tool_call_end|>",
            "",
        ),
        (
            ToolFormatKind::Lfm,
            "<|tool_call_start|>[f(b=2,\n c={'x': None})] then".to_owned(),
            " then",
            r#"{"b": 2, "c": {"x": null}}"#,
        ),
        (ToolFormatKind::Lfm, "<|tool_call_start|>[f(1)]".to_owned(), "1)]", "{}"),
        (ToolFormatKind::Lfm, "<|tool_call_start|>[f(a='x".to_owned(), "", ""),
        (
            ToolFormatKind::Gemma,
            "<|tool_call>call:f{c:{x:[1,2.5]}}<tool_call|>".to_owned(),
            "",
            r#"{"c": {"x": [1, 2.5]}}"#,
        ),
        (ToolFormatKind::Gemma, "<|tool_call>call:f{b:1}<tool".to_owned(), "", r#"{"b": 1}"#),
        (ToolFormatKind::Gemma, "<|tool_call>f{b:1}<tool_call|>".to_owned(), "<|tool_call>f{b:1}<tool_call|>", ""),
    ] {
        let (found, calls) = run(kind, [text.as_str()]);
        assert_eq!(found, content, "{text}");
        let is_call = !arguments.is_empty() || text.contains("a='x");
        assert_eq!(calls, if is_call { vec![call("f", arguments)] } else { Vec::new() }, "{text}");
    }
}

#[test]
fn text_in_tags_streams_as_it_comes() {
    let mut parser = reader(&ToolFormat::plain(ToolFormatKind::Qwen), &functions());
    assert_eq!(parser.push("<tool_call>\n<function=f"), []);
    assert_eq!(parser.push(">\n<parameter=a>\nx"), [Part::Call("f".to_owned())]);
    let arguments = |text: &str| Part::Arguments(text.to_owned());
    assert_eq!(parser.push("\"\n"), [arguments("{\"a\": "), arguments("\""), arguments("x\\\"")]);
    assert_eq!(parser.push("y"), [arguments("\\ny")]);
    assert_eq!(parser.push("\n</parameter>\n<parameter=b>\n1"), [arguments("\""), arguments(", \"b\": ")]);
    assert_eq!(parser.push("2\n</parameter>\n</function>\n</tool_call>"), [arguments("12"), arguments("}"), Part::End]);
    assert_eq!(parser.finish(), []);
}

#[test]
fn calls_are_found_and_arguments_kept_as_written() {
    assert_eq!(
        run(ToolFormatKind::Hermes, [HERMES]),
        ("I look.".to_owned(), vec![call("f", "{\"b\":  1, \"a\": \"}</tool_call>é\"}"), call("g", "{}")])
    );
    let calls = |argument: &str| vec![call("f", &format!("{{\"b\":  1, \"a\": \"{argument}\"}}")), call("g", "{}")];
    assert_eq!(run(ToolFormatKind::Llama, [LLAMA]), (String::new(), calls("};")));
    assert_eq!(run(ToolFormatKind::Mistral, [MISTRAL]), (String::new(), calls("}]")));
    let tagged = format!("<|python_tag|>{LLAMA}");
    assert_eq!(run(ToolFormatKind::Llama, [tagged.as_str()]), (String::new(), calls("};")));
}

#[test]
fn unusual_calls_are_calls() {
    for (kind, text, expected) in [
        (
            ToolFormatKind::Hermes,
            "<tool_call>{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}</tool_call>",
            "{\"a\": 1}",
        ),
        (ToolFormatKind::Hermes, "<tool_call>{\"arguments\": [1], \"name\": \"f\"}</tool_call>", "[1]"),
        (ToolFormatKind::Hermes, "<tool_call>{\"name\": \"f\", \"arguments\": null}\n</tool_call>", "{}"),
        (ToolFormatKind::Hermes, "<tool_call>{\"name\": \"f\", \"arguments\": {}\n</tool_call>", "{}"),
        (ToolFormatKind::Hermes, "<tool_call>{\"name\": \"f\", \"arguments\": {}, \"x\": [1]}</tool_call>", "{}"),
        (ToolFormatKind::Hermes, "<tool_call>{\"name\": \"f\", \"arguments\": {}}", "{}"),
        (ToolFormatKind::Hermes, "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool", "{}"),
        (ToolFormatKind::Llama, "{\"type\": \"function\", \"name\": \"f\", \"parameters\": {\"a\": 1}}", "{\"a\": 1}"),
        (ToolFormatKind::Llama, "{\"name\": \"f\", \"arguments\": {\"a\": 1}}", "{\"a\": 1}"),
        (ToolFormatKind::Mistral, "[TOOL_CALLS]{\"name\": \"f\", \"arguments\": {}}", "{}"),
        (ToolFormatKind::Mistral, "[TOOL_CALLS][{\"arguments\": {}, \"name\": \"f\"}", "{}"),
    ] {
        assert_eq!(run(kind, [text]), (String::new(), vec![call("f", expected)]), "{text}");
    }
}

#[test]
fn arguments_that_are_cut_off_are_passed_on() {
    let cut = "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x";
    assert_eq!(run(ToolFormatKind::Hermes, [cut]), (String::new(), vec![call("f", "{\"a\": \"x")]));
}

#[test]
fn text_without_a_tool_call_stays_text() {
    for (kind, text) in [
        (ToolFormatKind::Hermes, "plain text \n"),
        (ToolFormatKind::Hermes, "ends in white space \n"),
        (ToolFormatKind::Hermes, " <tool_call>nonsense</tool_call>\n"),
        (ToolFormatKind::Hermes, "<tool_call>{\"name\": \"\"}</tool_call>"),
        (ToolFormatKind::Hermes, "a <tool_call>\n{\"name\": \"f\", \"argu"),
        (ToolFormatKind::Hermes, "<tool_call>{\"type\": \"</tool_call> x"),
        (ToolFormatKind::Hermes, "<tool_cal"),
        (ToolFormatKind::Llama, "{\"name\": \"Bob\", \"parameters\": {}}"),
        (ToolFormatKind::Llama, "{\"colour\": \"red\"} "),
        (ToolFormatKind::Llama, "See {\"name\": \"f\", \"parameters\": {}}"),
        (ToolFormatKind::Llama, "<|python_tag|>print(1)"),
        (ToolFormatKind::Llama, "{\"type\": \"function\""),
        (ToolFormatKind::Mistral, "[TOOL_CALLS] none"),
        (ToolFormatKind::Mistral, "[{\"name\": \"f\", \"arguments\": {}}]"),
    ] {
        assert_eq!(run(kind, [text]), (text.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn text_around_calls_is_kept() {
    let one = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    let (content, calls) = run(ToolFormatKind::Hermes, [format!("a {one} b <tool_call>c {one}").as_str()]);
    assert_eq!((content.as_str(), calls.len()), ("a b <tool_call>c", 2));
    let (content, calls) = run(ToolFormatKind::Llama, ["{\"name\": \"f\", \"parameters\": {}}; then"]);
    assert_eq!((content.as_str(), calls.len()), ("; then", 1));
    let (content, calls) = run(ToolFormatKind::Mistral, ["a[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {}}] b"]);
    assert_eq!((content.as_str(), calls.len()), ("a b", 1));
    let odd = "<tool_call>{\"name\": \"f\", \"arguments\": {}} odd</tool_call>";
    let (content, calls) = run(ToolFormatKind::Hermes, [odd]);
    assert_eq!((content.as_str(), calls.len()), ("} odd", 1));
}

#[test]
fn arguments_stream_as_they_come() {
    let mut parser = reader(&ToolFormat::hermes(), &[]);
    assert_eq!(parser.push("<tool_call>\n{\"name\": \"f\", \"arguments\": "), []);
    assert_eq!(parser.push("{\"a"), [Part::Call("f".to_owned())]);
    assert_eq!(parser.push("\": 1"), [Part::Arguments("{\"a\": 1".to_owned())]);
    assert_eq!(parser.push("2}"), [Part::Arguments("2}".to_owned())]);
    assert_eq!(parser.push("}\n</tool"), []);
    assert_eq!(parser.push("_call>"), [Part::End]);
    assert_eq!(parser.finish(), []);
}

proptest! {
    #[test]
    fn any_split_gives_the_same(
        kind in prop::sample::select(vec![
            (ToolFormatKind::Hermes, HERMES), (ToolFormatKind::Llama, LLAMA), (ToolFormatKind::Mistral, MISTRAL),
            (ToolFormatKind::Qwen, QWEN), (ToolFormatKind::Lfm, LFM), (ToolFormatKind::Gemma, GEMMA),
        ]),
        cuts in prop::collection::vec(1usize..9, 0..80),
        bad in prop::sample::select(vec!["", "\"f\"", "{", "}", "\"", "name", ">", "]", "'", "(", ":", "\n"]),
        place in 0usize..3,
    ) {
        let (kind, text) = kind;
        // Truncated and damaged texts are included.
        let mut text = text.to_owned();
        if let Some((at, _)) = text.match_indices(bad).filter(|_| !bad.is_empty()).nth(place) {
            text.replace_range(at..at + bad.len(), "");
        }
        let whole = run(kind, [text.as_str()]);
        prop_assert_eq!(run(kind, pieces(&text, &cuts).iter().map(String::as_str)), whole);
    }

    #[test]
    fn every_character_of_an_answer_is_in_its_parts(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "{\"name\": \"x\"", "<|tool_call_start|>", "<|tool_call_end|>", "<|tool_call>", "<tool_call|>", "<function=", "call:", "(", "=", "{", "}", "[", "]", ";", ",", " ", "\"", "é",
        ]), 0..12),
        kind in prop::sample::select(vec![
            ToolFormatKind::Hermes, ToolFormatKind::Llama, ToolFormatKind::Mistral, ToolFormatKind::Qwen, ToolFormatKind::Lfm,
            ToolFormatKind::Gemma,
        ]),
    ) {
        let text = parts.concat();
        let (content, calls) = run(kind, [text.as_str()]);
        if calls.is_empty() {
            prop_assert_eq!(content, text);
        }
    }
}
