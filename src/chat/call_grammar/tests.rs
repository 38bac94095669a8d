//! Tests of the rules in every notation: what they allow is read back as the same arguments.

use super::*;
use crate::chat::grammar::tests::{compiler, completion};
use crate::chat::grammar::{Grammar, GrammarConstraint};
use crate::chat::tool_formats::ToolFormatKind;
use crate::chat::tools::{Part, reader};
use crate::engine::sampler::TokenConstraint;
use crate::text::Tokenizer;

/// Returns a function; `a` and `k` are required.
fn function() -> Value {
    let properties = json!({
        "z": {"$ref": "#/$defs/flag"},
        "a": {"type": "string"},
        "k": {"enum": ["x", "y's"]},
        "n": {"type": "integer", "minimum": 3},
        "l": {"type": "array", "items": {"type": "string", "pattern": "^[ab]+$"}, "maxItems": 2},
        "o": {"type": "object", "properties": {"m": {"type": ["null", "boolean"]}}, "required": ["m"], "additionalProperties": false},
        "w": {"type": "string", "pattern": "^[0-9]+$", "maxLength": 2},
    });
    json!({"name": "f", "parameters": {"type": "object", "properties": properties, "required": ["k", "a"],
        "additionalProperties": false, "$defs": {"flag": {"type": "boolean"}}}})
}

fn compile(kind: ToolFormatKind, functions: Vec<Value>, parallel: bool) -> Result<GrammarConstraint, ChatError> {
    compiler().0.compile(&Grammar::ToolCall { functions, format: ToolFormat::plain(kind), parallel })
}

/// Returns whether a constraint allows a whole completion.
fn allows(constraint: &GrammarConstraint, tokenizer: &Tokenizer, text: &str) -> bool {
    let mut constraint = constraint.fork();
    let ids = tokenizer.encode_ordinary(text).unwrap();
    ids.into_iter().chain([2]).all(|id| constraint.check(id).is_ok())
}

/// Returns the calls of a function in a completion.
fn read(kind: ToolFormatKind, function: &Value, text: &str) -> Vec<Value> {
    let mut reader = reader(&ToolFormat::plain(kind), std::slice::from_ref(function));
    let mut calls: Vec<String> = Vec::new();
    for part in [reader.push(text), reader.push(""), reader.push(""), reader.finish()].concat() {
        match part {
            Part::Call(_) => calls.push(String::new()),
            Part::Arguments(text) => calls.last_mut().unwrap().push_str(&text),
            Part::End => {}
            Part::Text(text) => panic!("{text:?} is content"),
        }
    }
    calls.iter().map(|call| serde_json::from_str(call).unwrap_or_else(|_| panic!("{call}"))).collect()
}

fn qwen(members: &[(&str, &str)]) -> String {
    let members = members.iter().map(|(name, value)| format!("<parameter={name}>\n{value}\n</parameter>\n"));
    format!("<tool_call>\n<function=f>\n{}</function>\n</tool_call>", members.collect::<String>())
}

#[test]
fn calls_have_the_notation_of_the_format_and_obey_the_schema() {
    let lfm = |members: &str| format!("<|tool_call_start|>[f({members})]<|tool_call_end|>");
    let gemma = |members: &str| {
        let members = members.replace('~', "<|\"|>");
        format!("<|tool_call>call:f{{{members}}}<tool_call|>")
    };
    let short = json!({"a": "it's <b> é\n\"", "k": "x"});
    let long = json!({"z": true, "a": "", "k": "y's", "n": 12, "l": ["ab", "b"], "o": {"m": null}, "w": "07"});
    let (json_list, json_object) = ("[\"ab\", \"b\"]", "{\"m\": null}");
    let cases = [
        (
            ToolFormatKind::Qwen,
            qwen(&[("a", "it's <b> é\n\""), ("k", "x")]),
            qwen(&[
                ("z", "True"),
                ("a", ""),
                ("k", "y's"),
                ("n", "12"),
                ("l", json_list),
                ("o", json_object),
                ("w", "07"),
            ]),
            vec![
                qwen(&[("k", "x"), ("a", "b")]),
                qwen(&[("a", "b")]),
                qwen(&[("a", "b"), ("k", "z")]),
                qwen(&[("z", "1"), ("a", "b"), ("k", "x")]),
                qwen(&[("a", "b"), ("k", "x"), ("n", "2")]),
                qwen(&[("a", "b"), ("k", "x"), ("w", "7a")]),
                qwen(&[("a", "b"), ("k", "x"), ("w", "777")]),
                qwen(&[("a", "b"), ("k", "x"), ("other", "1")]),
                qwen(&[("a", "its </parameter> ends"), ("k", "x")]),
            ],
        ),
        (
            ToolFormatKind::Lfm,
            lfm("a=\"it's <b> é\\n\\\"\", k='x'"),
            lfm(&format!("z=True, a='', k=\"y's\", n=12, l={json_list}, o={json_object}, w=\"07\"")),
            vec![
                lfm("k='x', a='b'"),
                lfm("a='b'"),
                lfm("a='b'k='x'"),
                lfm("z=true, a='b', k='x'"),
                lfm("a='b', k='x', w='77'"),
                lfm("a='b', k='x', l=[\"c\"]"),
            ],
        ),
        (
            ToolFormatKind::Gemma,
            gemma("a:~it's <b> é\n\"~,k:~x~"),
            gemma("a:~~,k:~y's~,l:[~ab~,~b~],n:12,o:{m:None},w:~07~,z:true"),
            vec![
                gemma("k:~x~,a:~b~"),
                gemma("a:~b~"),
                gemma("a:~b~,k:~x~,l:[~c~]"),
                gemma("a:~b~,k:~x~,l:[~a~,~a~,~a~]"),
                gemma("a:~b~,k:~x~,o:{}"),
            ],
        ),
    ];
    let tokenizer = compiler().1;
    for (kind, short_text, long_text, others) in cases {
        let one = compile(kind, vec![function()], false).unwrap();
        for (text, arguments) in [(&short_text, &short), (&long_text, &long)] {
            assert!(allows(&one, &tokenizer, text), "{text}");
            assert_eq!(read(kind, &function(), text), std::slice::from_ref(arguments), "{text}");
        }
        for text in others {
            assert!(!allows(&one, &tokenizer, &text), "{text}");
        }
        let format = ToolFormat::plain(kind);
        let between = format.between_calls().unwrap();
        let two = match kind {
            ToolFormatKind::Lfm => {
                lfm("a='', k='x'), f(a='', k='x'").replace("<|tool_call_end|>", "") + "<|tool_call_end|>"
            }
            _ => format!("{short_text}{between}{short_text}"),
        };
        assert!(!allows(&one, &tokenizer, &two));
        assert!(allows(&compile(kind, vec![function()], true).unwrap(), &tokenizer, &two), "{two}");
        assert_eq!(read(kind, &function(), &two).len(), 2);
    }
}

#[test]
fn functions_without_required_parameters() {
    let tokenizer = compiler().1;
    let optional = json!({"name": "f", "parameters": {"type": "object", "properties": {
        "p": {"type": "boolean"}, "q": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}});
    for (kind, texts, other) in [
        (
            ToolFormatKind::Qwen,
            [qwen(&[]), qwen(&[("q", "null")]), qwen(&[("p", "False"), ("q", "1")])],
            qwen(&[("q", "1"), ("p", "False")]),
        ),
        (
            ToolFormatKind::Lfm,
            ["", "q=None", "p=False, q=1"].map(|members| format!("<|tool_call_start|>[f({members})]<|tool_call_end|>")),
            "<|tool_call_start|>[f(, q=1)]<|tool_call_end|>".to_owned(),
        ),
        (
            ToolFormatKind::Gemma,
            ["", "q:None", "p:false,q:1"].map(|members| format!("<|tool_call>call:f{{{members}}}<tool_call|>")),
            "<|tool_call>call:f{p:false,}<tool_call|>".to_owned(),
        ),
    ] {
        let constraint = compile(kind, vec![optional.clone()], false).unwrap();
        let expected = [json!({}), json!({"q": null}), json!({"p": false, "q": 1})];
        for (text, expected) in texts.iter().zip(expected) {
            assert!(allows(&constraint, &tokenizer, text), "{text}");
            assert_eq!(read(kind, &optional, text), [expected], "{text}");
        }
        assert!(!allows(&constraint, &tokenizer, &other), "{other}");
        // A function without parameters, and one that may have any.
        let none = compile(kind, vec![json!({"name": "f"})], false).unwrap();
        assert!(allows(&none, &tokenizer, &texts[0]) && !allows(&none, &tokenizer, &texts[1]));
    }
    // Text beside another type needs no quotes either, and its type is found when it is read.
    let mixed = json!({"name": "f", "parameters": {"type": "object", "properties": {
        "s": {"type": ["string", "null"]}, "t": {"description": "anything"}}}});
    let constraint = compile(ToolFormatKind::Qwen, vec![mixed.clone()], false).unwrap();
    for (text, expected) in [
        (qwen(&[("s", "a"), ("t", "[1]")]), json!({"s": "a", "t": [1]})),
        (qwen(&[("s", "None"), ("t", "b")]), json!({"s": null, "t": "b"})),
    ] {
        assert!(allows(&constraint, &tokenizer, &text), "{text}");
        assert_eq!(read(ToolFormatKind::Qwen, &mixed, &text), [expected], "{text}");
    }
    let any =
        compile(ToolFormatKind::Qwen, vec![json!({"name": "f", "parameters": {"type": "object"}})], false).unwrap();
    assert!(allows(&any, &tokenizer, &qwen(&[("x", "1"), ("y_2", "a\nb")])));
}

#[test]
fn a_message_of_its_own_has_one_call() {
    let tokenizer = compiler().1;
    let constraint = compile(ToolFormatKind::GptOss, vec![function()], true).unwrap();
    let call = " to=functions.f<|channel|>commentary json<|message|>{\"a\": \"\", \"k\": \"x\"}";
    assert!(allows(&constraint, &tokenizer, call));
    assert!(!allows(&constraint, &tokenizer, &format!("{call}{call}")));
}

#[test]
fn random_calls_are_read_back() {
    let schema = json!({"type": "object", "properties": {
        "k": {"enum": ["x", "y's"]}, "z": {"type": "boolean"}, "n": {"enum": [1, 2.5, "three", true, null]}},
        "required": ["k"], "additionalProperties": false});
    let validator = jsonschema::validator_for(&schema).unwrap();
    let (_, tokenizer) = compiler();
    for kind in [ToolFormatKind::Qwen, ToolFormatKind::Lfm, ToolFormatKind::Gemma] {
        let function = json!({"name": "f", "parameters": schema});
        let constraint = compile(kind, vec![function.clone()], false).unwrap();
        let mut seen = std::collections::HashSet::new();
        for seed in 0..30 {
            let (text, ended) = completion(&constraint, &tokenizer, seed);
            assert!(ended, "{text}");
            let calls = read(kind, &function, &text);
            assert!(calls.len() == 1 && validator.is_valid(&calls[0]), "{text} {calls:?}");
            seen.insert(text);
        }
        assert!(seen.len() > 4, "{seen:?}");
    }
}

#[test]
fn schemas_without_an_end_are_rejected() {
    let looped = json!({"name": "f", "parameters": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}}}});
    let to_itself =
        json!({"name": "f", "parameters": {"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}});
    for (kind, function) in [(ToolFormatKind::Gemma, &looped), (ToolFormatKind::Qwen, &to_itself)] {
        let rejected = compile(kind, vec![function.clone()], false);
        assert!(matches!(rejected, Err(ChatError::Invalid { .. })));
    }
    // JSON inside tags may nest without an end.
    assert!(compile(ToolFormatKind::Qwen, vec![looped], false).is_ok());
}
