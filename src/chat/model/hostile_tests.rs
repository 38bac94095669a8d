//! Grammars designed to consume time, memory or stack, in requests with the built-in model's tokenizer.

use serde_json::{Value, json};

use super::tests::silent;
use super::*;
use crate::chat::ResponseFormat;
use crate::engine::sampling::{TokenMask, uniform};

/// Expected outcome for a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The request is rejected with the field's name before a completion begins.
    Rejected,
    /// The grammar can be enforced: a completion may be long, but each of its tokens takes bounded time.
    Enforced,
}
use Fate::{Enforced, Rejected};

fn chain(length: usize) -> Value {
    let definitions: Map<String, Value> = (0..length)
        .map(|i| (format!("a{i}"), json!({"$ref": format!("#/$defs/a{}", i + 1)})))
        .chain([(format!("a{length}"), json!({"type": "null"}))])
        .collect();
    json!({"$defs": definitions, "$ref": "#/$defs/a0"})
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!({"type": "null"}), |inner, _| json!({"type": "array", "items": inner}))
}

fn schemas() -> Vec<(&'static str, Fate, Value)> {
    let properties: Map<String, Value> = (0..2000).map(|i| (format!("p{i}"), json!({"type": "string"}))).collect();
    let any_of = (0..5).fold(json!({"type": "null"}), |inner, _| json!({"anyOf": vec![inner; 6]}));
    let alternatives: Vec<Value> = (0..8).map(|i| json!({"required": [format!("k{i}")], "type": "object"})).collect();
    let huge_array =
        json!({"type": "array", "items": {"type": "null"}, "minItems": 1_000_000_000u64, "maxItems": 2_000_000_000u64});
    let long_objects = json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 3000}}});
    let words: Vec<String> = (0..8000).map(|i| format!("{i}")).collect();
    vec![
        ("a chain of references", Enforced, chain(1400)),
        ("nested arrays", Rejected, nested(450)),
        (
            "references in a circle",
            Rejected,
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        ),
        ("a reference to itself", Rejected, json!({"$ref": "#"})),
        (
            "a reference beside allOf",
            Rejected,
            json!({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"type": "object"}]}}, "$ref": "#/$defs/a"}),
        ),
        ("a reference elsewhere", Rejected, json!({"$ref": "https://example.com/schema"})),
        ("anyOf within anyOf", Rejected, any_of),
        ("products of anyOf", Rejected, json!({"allOf": vec![json!({"anyOf": alternatives}); 12]})),
        ("a billion items", Rejected, huge_array),
        ("very many long objects", Enforced, json!({"type": "array", "items": long_objects, "minItems": 100_000})),
        ("a billion characters", Enforced, json!({"type": "string", "minLength": 1_000_000_000u64})),
        ("up to a billion characters", Enforced, json!({"type": "string", "maxLength": 1_000_000_000u64})),
        ("counts in counts", Enforced, json!({"type": "string", "pattern": "^((a{1,1000}){1,1000}){1,1000}$"})),
        (
            "an exponential pattern",
            Enforced,
            json!({"type": "string", "pattern": "^(a|b)*a(a|b){40}$", "maxLength": 100_000}),
        ),
        ("8000 values", Enforced, json!({"enum": words})),
        (
            "2000 properties",
            Rejected,
            json!({"type": "object", "properties": properties, "additionalProperties": false}),
        ),
        ("a negated schema", Rejected, json!({"not": {"not": {"not": {"type": "string"}}}})),
        (
            "multiples of a large number",
            Rejected,
            json!({"type": "integer", "multipleOf": 999_999_937, "minimum": -1e300, "maximum": 1e300}),
        ),
        ("multiples of a small number", Rejected, json!({"type": "number", "multipleOf": 1e-300})),
        ("bounds far apart", Rejected, json!({"type": "number", "minimum": 1.234567890123e-300, "maximum": 1.23e300})),
    ]
}

fn texts() -> Vec<(&'static str, Fate, ResponseFormat)> {
    use ResponseFormat::{Choice, Grammar, Regex};
    let rules = |count: usize, line: fn(usize) -> String| -> String { (0..count).map(line).collect() };
    vec![
        ("an exponential expression", Enforced, Regex("(a|b)*a(a|b){60}".into())),
        ("counts in counts", Rejected, Regex("(((x{1000}){1000}){1000}){1000}".into())),
        ("long Unicode classes", Enforced, Regex(r"\w{1000}\d{1000}\s{1000}".into())),
        ("nested groups", Rejected, Regex(format!("{}a{}", "(".repeat(30_000), ")".repeat(30_000)))),
        ("many dots", Enforced, Regex(".*".repeat(20) + "x")),
        ("6000 words", Enforced, Regex((0..6000).map(|i| format!("w{i}")).collect::<Vec<_>>().join("|"))),
        ("counted alternatives", Enforced, Regex("(?:[ab]*a[ab]{20}|[ab]*b[ab]{21}|[ab]*a[ab]{23})*c".into())),
        ("a back reference", Rejected, Regex(r"(a)\1".into())),
        ("a look ahead", Rejected, Regex("(?=a)b".into())),
        ("an expression of one megabyte", Rejected, Regex("a".repeat(1 << 20))),
        ("4096 choices", Enforced, Choice((0..4096).map(|i| format!("choice {i}")).collect())),
        ("left recursion", Enforced, Grammar("start: start start | start \"a\" | \"a\"".into())),
        ("empty recursion", Enforced, Grammar("start: start start | \"\"".into())),
        ("rules in a circle", Rejected, Grammar("start: a\na: b\nb: a".into())),
        ("nested rules", Rejected, Grammar(format!("start: {}\"a\"{}", "(".repeat(490), ")".repeat(490)))),
        ("deeply nested rules", Rejected, Grammar(format!("start: {}\"a\"{}", "(".repeat(20_000), ")".repeat(20_000)))),
        (
            "a chain of rules",
            Enforced,
            Grammar(format!("start: r0\n{}r3000: \"a\"\n", rules(3000, |i| format!("r{i}: r{}\n", i + 1)))),
        ),
        (
            "rules that double",
            Rejected,
            Grammar(format!("start: r0\n{}r40: \"a\"\n", rules(40, |i| format!("r{i}: r{} r{}\n", i + 1, i + 1)))),
        ),
        (
            "terminals that double",
            Rejected,
            Grammar(format!("start: R0\n{}R40: \"a\"\n", rules(40, |i| format!("R{i}: R{} R{}\n", i + 1, i + 1)))),
        ),
        ("terminals in a circle", Rejected, Grammar("start: A\nA: B\nB: A".into())),
        ("a rule a billion times", Enforced, Grammar("start: a{0,1000000000}\na: \"x\" | \"y\"".into())),
        ("an ambiguous grammar", Enforced, Grammar("start: e\ne: e e e e | e e | \"a\" | \"a\" e".into())),
        ("10000 alternatives", Rejected, Grammar(format!("start: {}", vec!["\"a\""; 10_000].join(" | ")))),
        ("no rules", Rejected, Grammar("\n".into())),
        ("no grammar", Rejected, Grammar("this is not a grammar".into())),
        ("an import", Rejected, Grammar("%import python.X\nstart: X".into())),
    ]
}

fn request(format: ResponseFormat) -> ChatRequest {
    let field = match &format {
        ResponseFormat::JsonSchema(_) => "response_format.json_schema.schema",
        ResponseFormat::Regex(_) => "guided_regex",
        ResponseFormat::Choice(_) => "guided_choice",
        _ => "guided_grammar",
    };
    let messages = vec![json!({"role": "user", "content": "a"})];
    ChatRequest { response_format: format, format_field: field, ..ChatRequest::new(messages) }
}

/// Samples random tokens for a while.
fn walk(constraint: &GrammarConstraint, end: u32) {
    let mut constraint = constraint.fork();
    let mut mask = TokenMask::new();
    for position in 0..200 {
        if constraint.allowed(&mut mask).is_err() {
            // The failure is recorded as an error of the request.
            assert!(matches!(constraint.failure().get(), Some(ChatError::Invalid { .. })));
            return;
        }
        let allowed: Vec<u32> = (0..4096).filter(|&id| mask.contains(id)).collect();
        assert!(!allowed.is_empty());
        let token = allowed[(uniform(1, 0, position) * allowed.len() as f64) as usize];
        if token == end || constraint.accept(token).is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn hostile_grammars_are_rejected_by_name_or_harmless() {
    let model = silent();
    let schemas = schemas().into_iter().map(|(name, fate, schema)| (name, fate, ResponseFormat::JsonSchema(schema)));
    let cases: Vec<_> = schemas.chain(texts()).collect();
    let harmless = request(ResponseFormat::Regex("yes|no".into()));
    let compile = async |request: ChatRequest| {
        let field = request.format_field;
        let (compiler, grammar) = match model.prepare(request) {
            Ok(prepared) => prepared.grammar.unwrap(),
            Err(error) => return (field, Err(error)),
        };
        (field, model.compilations.compile(compiler, grammar).await)
    };
    let mut results = Vec::new();
    for (name, fate, format) in cases {
        results.push((name, fate, compile(request(format)).await));
    }
    for (name, fate, (field, result)) in &results {
        match (fate, result) {
            (Rejected, Err(ChatError::Invalid { param, .. })) => assert_eq!(param, field, "{name}"),
            (Enforced, Ok(constraint)) => walk(constraint, model.end_of_turn()[0]),
            (fate, Ok(_)) => panic!("{name}: {fate:?} is not what happened"),
            (fate, Err(error)) => panic!("{name}: {fate:?} is not what happened: {error:?}"),
        }
    }
    let (_, constraint) = compile(harmless).await;
    walk(&constraint.unwrap(), model.end_of_turn()[0]);
}

#[tokio::test]
async fn hostile_grammars_at_once_leave_room_for_others() {
    let model = silent();
    let tasks: Vec<_> = (0..24)
        .map(|_| {
            let model = model.clone();
            let format = ResponseFormat::Grammar(format!("start: {}", vec!["\"a\""; 10_000].join(" | ")));
            tokio::spawn(async move { model.chat(None, request(format)).await.err() })
        })
        .collect();
    // Free text is not delayed by any of them.
    let plain = ChatRequest::new(vec![json!({"role": "user", "content": "a"})]);
    assert!(model.chat(None, plain).await.is_ok());
    for task in tasks {
        assert!(matches!(task.await.unwrap(), Some(ChatError::Invalid { param, .. }) if param == "guided_grammar"));
    }
    assert!(model.chat(None, request(ResponseFormat::Regex("yes|no".into()))).await.is_ok());
}
