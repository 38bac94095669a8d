//! Tests of the table of formats against templates in the structure of published ones.

use super::*;
use crate::chat::tools::{Part, reader};
use crate::text::testing::tiny_tokenizer as tiny;

impl ToolFormat {
    /// Returns the Hermes format with tags that are plain text.
    pub(crate) fn hermes() -> Self {
        Self::plain(ToolFormatKind::Hermes)
    }

    pub(crate) fn plain(kind: ToolFormatKind) -> Self {
        Self { kind, gaps: gaps(kind, ""), tokens: Vec::new(), control: Vec::new() }
    }
}

fn template(name: &str) -> ChatTemplate {
    let path = format!("{}/tests/golden/chat_templates/{name}.jinja", env!("CARGO_MANIFEST_DIR"));
    let special = [("bos_token".to_owned(), "<s>".to_owned()), ("eos_token".to_owned(), "</s>".to_owned())];
    ChatTemplate::new(&std::fs::read_to_string(path).unwrap(), &special).unwrap()
}

fn with_special(content: &str) -> Tokenizer {
    let mut document: Value =
        serde_json::from_str(include_str!("../../../tests/golden/tiny_tokenizer/tokenizer.json")).unwrap();
    let token = json!({"id": 337, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true});
    document["added_tokens"].as_array_mut().unwrap().push(token);
    Tokenizer::from_bytes(document.to_string().as_bytes()).unwrap()
}

#[test]
fn the_template_tells_the_format() {
    let kind = |name: &str| ToolFormat::of(&template(name), &tiny()).kind();
    for name in ["qwen2", "qwen3", "hermes2_tool_use"] {
        assert_eq!(kind(name), ToolFormatKind::Hermes, "{name}");
    }
    assert_eq!(kind("llama31"), ToolFormatKind::Llama);
    assert_eq!(kind("mistral_v3"), ToolFormatKind::Mistral);
    assert_eq!(kind("qwen3_5"), ToolFormatKind::Qwen);
    assert_eq!(kind("lfm2_5"), ToolFormatKind::Lfm);
    assert_eq!(kind("gemma4"), ToolFormatKind::Gemma);
    assert_eq!(kind("gpt_oss"), ToolFormatKind::GptOss);
}

#[test]
fn else_the_vocabulary_does() {
    let plain = "{{ tools }}{% for m in messages %}{{ m.content }}{{ m.tool_calls }}{% endfor %}";
    let plain = ChatTemplate::new(plain, &[]).unwrap();
    assert_eq!(ToolFormat::of(&plain, &tiny()).kind(), ToolFormatKind::Hermes);
    assert_eq!(ToolFormat::of(&plain, &with_special("<|python_tag|>")).kind(), ToolFormatKind::Llama);
    assert_eq!(ToolFormat::of(&plain, &with_special("[TOOL_CALLS]")).kind(), ToolFormatKind::Mistral);
}

#[test]
fn tools_that_the_template_does_not_show_have_the_form_of_hermes() {
    for silent in ["{{ m.content }}", "{{ tools }}{{ m.content }}", "{{ m }}"] {
        let silent = format!("{{% for m in messages %}}{silent}{{% endfor %}}");
        let silent = ChatTemplate::new(&silent, &[]).unwrap();
        assert_eq!(ToolFormat::of(&silent, &with_special("[TOOL_CALLS]")).kind(), ToolFormatKind::Hermes);
    }
}

/// Calls composed of the pieces match the template's rendering.
#[test]
fn pieces_are_the_templates_own() {
    for name in ["qwen2", "qwen3", "hermes2_tool_use", "llama31"] {
        let template = template(name);
        let format = ToolFormat::of(&template, &tiny());
        let arguments = json!({"a": [1, "é"]});
        let shown = template.render_call("f", arguments.as_object().unwrap()).unwrap();
        let mut pieces = format.before_calls();
        pieces.extend(format.before_arguments("f"));
        pieces.push(CallPiece::Text("{\"a\": [1, \"é\"]}".to_owned()));
        pieces.extend(format.after_arguments());
        pieces.extend(format.after_calls());
        let text: String = pieces
            .into_iter()
            .map(|piece| match piece {
                CallPiece::Text(text) => text,
                CallPiece::Token(id) => panic!("{id} is no control token"),
            })
            .collect();
        // The template may print arguments that are text with other white space.
        let dense = |text: &str| text.replace(' ', "");
        assert!(dense(&shown).contains(&dense(&text)), "{name}: {text:?} is not in {shown:?}");
    }
}

/// Returns pieces as text.
fn spelled(pieces: Vec<CallPiece>) -> String {
    let text = |piece| match piece {
        CallPiece::Text(text) => text,
        CallPiece::Token(id) => panic!("{id} is no control token"),
    };
    pieces.into_iter().map(text).collect()
}

/// What the template shows of a call is read back as the same call, and begins and ends with the pieces.
#[test]
fn calls_of_other_notations_are_read_back_from_the_template() {
    let arguments = json!({"a": "é \"x\"\n", "b": {"c": [1, true], "d": null}, "e": false, "n": -2.5});
    let schema = json!({"properties": {"a": {"type": "string"}}});
    for name in ["qwen3_5", "lfm2_5", "gemma4"] {
        let template = template(name);
        let format = ToolFormat::of(&template, &tiny());
        let shown = template.render_call("f", arguments.as_object().unwrap()).unwrap();
        let (begin, end) = (
            spelled([format.before_calls(), format.before_arguments("f")].concat()),
            spelled([format.after_arguments(), format.after_calls()].concat()),
        );
        let start = shown.rfind(&begin).unwrap_or_else(|| panic!("{begin:?} is not in {shown:?}"));
        let length = shown[start..].find(&end).unwrap_or_else(|| panic!("{end:?} is not in {shown:?}"));
        let call = &shown[start..start + length + end.len()];
        let mut reader = reader(&format, &[json!({"name": "f", "parameters": schema})]);
        let parts = [reader.push(call), reader.push(""), reader.finish()].concat();
        let mut found = Vec::new();
        let delta = parts.into_iter().map(|part| match part {
            Part::Arguments(text) => text,
            other => {
                found.push(other);
                String::new()
            }
        });
        let delta: String = delta.collect();
        assert_eq!(found, [Part::Call("f".to_owned()), Part::End], "{call}");
        assert_eq!(serde_json::from_str::<Value>(&delta).unwrap_or_default(), arguments, "{call}: {delta}");
    }
    let template = template("gpt_oss");
    let format = ToolFormat::of(&template, &tiny());
    let shown = template.render_call("f", arguments.as_object().unwrap()).unwrap();
    let begin = format!("<|start|>assistant{}{{\"a\": ", spelled(format.before_arguments("f")));
    assert!(shown.contains(&begin), "{begin} {shown}");
}

#[test]
fn markers_that_are_control_tokens_are_given_by_id() {
    let format = ToolFormat::of(&template("mistral_v3"), &with_special("[TOOL_CALLS]"));
    assert_eq!(format.before_calls(), [CallPiece::Token(337), CallPiece::Text(" [".to_owned())]);
    assert_eq!((format.marker(337), format.marker(5)), (Some("[TOOL_CALLS]"), None));
    let format = ToolFormat::of(&template("gemma4"), &with_special("<|\"|>"));
    assert_eq!(format.piece("<|\"|>"), CallPiece::Token(337));
    assert_eq!(format.marker(337), Some("<|\"|>"));
}

#[test]
fn ids_have_the_form_that_templates_demand() {
    let ids: std::collections::HashSet<String> =
        (0..200).map(|_| ToolFormat::plain(ToolFormatKind::Mistral).call_id()).collect();
    assert_eq!(ids.len(), 200);
    assert!(ids.iter().all(|id| id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric())));
    assert!(ToolFormat::hermes().call_id().starts_with("call_"));
}
