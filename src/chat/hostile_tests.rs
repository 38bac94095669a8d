//! Grammars that are made to take time, memory or stack.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::grammar::{Grammar, GrammarCompiler};
use super::{ChatRequest, ResponseFormat};
use crate::model_files::ModelFiles;

fn chain(length: usize) -> Value {
    let definitions: serde_json::Map<String, Value> = (0..length)
        .map(|i| (format!("a{i}"), json!({"$ref": format!("#/$defs/a{}", i + 1)})))
        .chain([(format!("a{length}"), json!({"type": "null"}))])
        .collect();
    json!({"$defs": definitions, "$ref": "#/$defs/a0"})
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!({"type": "null"}), |inner, _| json!({"type": "array", "items": inner}))
}

pub(crate) fn hostile() -> Vec<(&'static str, ResponseFormat)> {
    use ResponseFormat::{Choice, Grammar as Lark, JsonSchema as Json, Regex};
    let properties: serde_json::Map<String, Value> =
        (0..2000).map(|i| (format!("p{i}"), json!({"type": "string"}))).collect();
    let any_of = |width: usize, depth: usize| {
        (0..depth).fold(json!({"type": "null"}), |inner, _| json!({"anyOf": vec![inner; width]}))
    };
    vec![
        ("ref chain", Json(chain(1400))),
        ("nested arrays", Json(nested(450))),
        (
            "ref cycle",
            Json(json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"})),
        ),
        ("self ref", Json(json!({"$ref": "#"}))),
        (
            "allOf cycle",
            Json(json!({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"type": "object"}]}}, "$ref": "#/$defs/a"})),
        ),
        ("anyOf 4^6", Json(any_of(4, 6))),
        (
            "allOf of anyOf",
            Json(
                json!({"allOf": vec![json!({"anyOf": (0..8).map(|i| json!({"required": [format!("k{i}")], "type": "object"})).collect::<Vec<_>>()}); 12]}),
            ),
        ),
        (
            "huge minItems",
            Json(
                json!({"type": "array", "items": {"type": "null"}, "minItems": 1_000_000_000, "maxItems": 2_000_000_000}),
            ),
        ),
        (
            "huge minItems of objects",
            Json(
                json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3000}}}, "minItems": 100_000}),
            ),
        ),
        ("huge minLength", Json(json!({"type": "string", "minLength": 1_000_000_000}))),
        ("huge maxLength", Json(json!({"type": "string", "maxLength": 1_000_000_000}))),
        ("nested lengths", Json(json!({"type": "string", "pattern": "^((a{1,1000}){1,1000}){1,1000}$"}))),
        ("pattern and length", Json(json!({"type": "string", "pattern": "^(a|b)*a(a|b){40}$", "maxLength": 100000}))),
        ("enum 8000", Json(json!({"enum": (0..8000).map(|i| format!("{i}")).collect::<Vec<_>>()}))),
        ("2000 properties", Json(json!({"type": "object", "properties": properties, "additionalProperties": false}))),
        (
            "2000 properties with names",
            Json(
                json!({"type": "object", "properties": properties, "additionalProperties": {"type": "string"}, "propertyNames": {"pattern": "^p"}, "minProperties": 1000}),
            ),
        ),
        ("not", Json(json!({"not": {"not": {"not": {"type": "string"}}}}))),
        (
            "multipleOf",
            Json(json!({"type": "integer", "multipleOf": 999_999_937, "minimum": -1e300, "maximum": 1e300})),
        ),
        ("multipleOf small", Json(json!({"type": "number", "multipleOf": 1e-300}))),
        ("number bounds", Json(json!({"type": "number", "minimum": 1.234567890123e-300, "maximum": 1.23e300}))),
        ("exponential regex", Regex("(a|b)*a(a|b){60}".into())),
        ("counted regex", Regex("((a{0,100}){0,100}){0,100}".into())),
        ("counted regex 2", Regex("(((x{1000}){1000}){1000}){1000}".into())),
        ("unicode regex", Regex(r"\w{1000}\d{1000}\s{1000}".into())),
        ("nested regex", Regex(format!("{}a{}", "(".repeat(30_000), ")".repeat(30_000)))),
        ("dots", Regex(".*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*x".into())),
        ("alternation of words", Regex((0..6000).map(|i| format!("w{i}")).collect::<Vec<_>>().join("|"))),
        ("intersecting", Regex("(?:[ab]*a[ab]{20}|[ab]*b[ab]{21}|[ab]*a[ab]{23})*c".into())),
        ("back reference", Regex(r"(a)\1".into())),
        ("look ahead", Regex("(?=a)b".into())),
        ("choices", Choice((0..4096).map(|i| format!("choice {i}")).collect())),
        ("left recursion", Lark("start: start start | start \"a\" | \"a\"".into())),
        ("empty recursion", Lark("start: start start | \"\"".into())),
        ("unit cycle", Lark("start: a\na: b\nb: a".into())),
        ("nested rules", Lark(format!("start: {}\"a\"{}", "(".repeat(490), ")".repeat(490)))),
        ("deep rules", Lark(format!("start: {}\"a\"{}", "(".repeat(20_000), ")".repeat(20_000)))),
        (
            "rule chain",
            Lark(
                (0..4000).fold("start: r0\n".to_owned(), |text, i| text + &format!("r{i}: r{}\n", i + 1))
                    + "r4000: \"a\"\n",
            ),
        ),
        (
            "doubling rules",
            Lark(
                (0..40).fold("start: r0\n".to_owned(), |text, i| text + &format!("r{i}: r{} r{}\n", i + 1, i + 1))
                    + "r40: \"a\"\n",
            ),
        ),
        (
            "doubling terminals",
            Lark(
                (0..40).fold("start: R0\n".to_owned(), |text, i| text + &format!("R{i}: R{} R{}\n", i + 1, i + 1))
                    + "R40: \"a\"\n",
            ),
        ),
        ("terminal cycle", Lark("start: A\nA: B\nB: A".into())),
        ("rule count", Lark("start: a{0,1000000000}\na: \"x\" | \"y\"".into())),
        ("rule count nested", Lark("start: b{1,1000}\nb: a{1,1000}\na: c{1,1000}\nc: \"x\" | \"y\"".into())),
        ("ambiguous", Lark("start: e\ne: e e e e | e e | \"a\" | \"a\" e".into())),
        ("no rules", Lark("".into())),
        ("not lark", Lark("this is not a grammar".into())),
        ("imports", Lark("%import python.X\nstart: X".into())),
        ("many alternatives", Lark(format!("start: {}", vec!["\"a\""; 10_000].join(" | ")))),
        ("json in lark", Lark("start: %json {\"type\": \"array\", \"minItems\": 1000000000}".into())),
    ]
}

fn rss() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    text.lines().find(|l| l.starts_with("VmHWM")).unwrap().split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
        / 1024
}

#[test]
fn experiment() {
    let files = ModelFiles::seedling().unwrap();
    let tokenizer = Arc::new(files.tokenizer().unwrap());
    let compiler = Arc::new(GrammarCompiler::new(tokenizer.clone(), &files.end_of_turn(&tokenizer).unwrap()).unwrap());
    for (name, format) in hostile() {
        let mut request = ChatRequest::new(Vec::new());
        request.response_format = format;
        let begun = Instant::now();
        let compiler = compiler.clone();
        std::fs::write("/proc/self/clear_refs", "5").ok();
        let line = std::thread::Builder::new()
            .stack_size(32 << 20)
            .spawn(move || match Grammar::of(&request, &crate::chat::ToolFormat::hermes()) {
                Err(error) => format!("refused early {error:?}"),
                Ok(None) => "none".to_owned(),
                Ok(Some(grammar)) => match compiler.compile(&grammar) {
                    Err(error) => format!("refused {error}"),
                    Ok(constraint) => {
                        use crate::engine::sampling::{TokenMask, uniform};
                        use crate::engine::scheduler::TokenConstraint;
                        let compiled = begun.elapsed();
                        let mut c = constraint.fork();
                        let mut mask = TokenMask::new();
                        let (mut worst, mut worst_accept, mut count, mut end) = (0.0f64, 0.0f64, 0, "len".to_owned());
                        for position in 0..300 {
                            let t = Instant::now();
                            if let Err(e) = c.allowed(&mut mask) {
                                end = e;
                                break;
                            }
                            worst = worst.max(t.elapsed().as_secs_f64());
                            let allowed: Vec<u32> = (0..4096u32).filter(|&id| mask.contains(id)).collect();
                            if allowed.is_empty() {
                                end = "empty".into();
                                break;
                            }
                            let token = allowed[(uniform(1, 0, position) * allowed.len() as f64) as usize];
                            count += 1;
                            if token <= 2 {
                                end = "eos".into();
                                break;
                            }
                            let t = Instant::now();
                            if let Err(e) = c.accept(token) {
                                end = e;
                                break;
                            }
                            worst_accept = worst_accept.max(t.elapsed().as_secs_f64());
                        }
                        format!(
                            "COMPILED {:?}; mask max {:.1} ms accept max {:.1} ms, {count} tokens, {end}",
                            compiled,
                            worst * 1e3,
                            worst_accept * 1e3
                        )
                    }
                },
            })
            .unwrap()
            .join()
            .unwrap();
        eprintln!(
            "{name:26} {:7.1} ms peak {} MB: {}",
            begun.elapsed().as_secs_f64() * 1e3,
            rss(),
            line.chars().take(200).collect::<String>()
        );
    }
}
