use proptest::prelude::*;

use super::*;
use crate::chat::stop::tests::pieces;

/// Returns content and calls of a completion; the calls as name and arguments.
fn run<'a>(kind: ToolFormatKind, given: impl IntoIterator<Item = &'a str>) -> (String, Vec<(String, String)>) {
    let mut parser = ToolParser::new(&ToolFormat::plain(kind), vec!["f".to_owned(), "g".to_owned()]);
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
    let mut parser = ToolParser::new(&ToolFormat::hermes(), Vec::new());
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
        kind in prop::sample::select(vec![(ToolFormatKind::Hermes, HERMES), (ToolFormatKind::Llama, LLAMA), (ToolFormatKind::Mistral, MISTRAL)]),
        cuts in prop::collection::vec(1usize..9, 0..80),
        bad in prop::sample::select(vec!["", "\"f\"", "{", "}", "\"", "name", ">", "]"]),
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
            "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "{\"name\": \"x\"", "{", "}", "[", "]", ";", ",", " ", "\"", "é",
        ]), 0..12),
        kind in prop::sample::select(vec![ToolFormatKind::Hermes, ToolFormatKind::Llama, ToolFormatKind::Mistral]),
    ) {
        let text = parts.concat();
        let (content, calls) = run(kind, [text.as_str()]);
        if calls.is_empty() {
            prop_assert_eq!(content, text);
        }
    }
}
