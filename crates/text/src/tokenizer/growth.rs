//! Growth of a text by the parts of a tokenizer, checked before the tokenizer is built.
//!
//! Base models come from strangers. Three steps that each replace a character by a thousand would make gigabytes of one
//! character.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::TokenizerError;

/// Maximum factor by which the steps may lengthen a text. Those of published tokenizers reach 16: a space becomes `▁`, and
/// another one is put before each piece.
const MAX_GROWTH: usize = 64;
/// Maximum number of steps.
const MAX_STEPS: usize = 64;
/// Maximum number of tokens that a post-processor puts around a text; those of published tokenizers put one or two.
const MAX_ADDED: usize = 64;

/// Checks the steps before the model, those of the decoder, which are applied to each entry of the vocabulary, and the
/// post-processor. Unicode normalisation and lower case do not count: they lengthen a text once, by a bounded factor.
///
/// # Errors
/// There are too many steps, one has no type, or they can lengthen a text too much.
pub(super) fn check_growth(document: &Value) -> Result<(), TokenizerError> {
    let mut before = Vec::new();
    for field in ["normalizer", "pre_tokenizer"] {
        add_steps(field, &document[field], &mut before)?;
        check("normalizer", &before)?;
    }
    let mut decoder = Vec::new();
    add_steps("decoder", &document["decoder"], &mut decoder)?;
    check("decoder", &decoder)?;
    check_template(&document["post_processor"])
}

/// Checks that a post-processor has at most one template, which contains the text once and few tokens beside it.
fn check_template(processor: &Value) -> Result<(), TokenizerError> {
    let mut templates = Vec::new();
    // A step with a template is one whatever its type says.
    let mut rest = vec![processor];
    while let Some(step) = rest.pop() {
        templates.extend(step["single"].as_array().map(|pieces| (step, pieces)));
        rest.extend(step["processors"].as_array().into_iter().flatten());
    }
    let rejected = |reason: String| Err(TokenizerError::Unsupported { field: "post_processor", reason });
    let (template, pieces) = match templates[..] {
        [] => return Ok(()),
        [template] => template,
        _ => return rejected(format!("it has {} templates; the limit is one", templates.len())),
    };
    let texts: Vec<&Value> = pieces.iter().map(|piece| &piece["Sequence"]).filter(|text| !text.is_null()).collect();
    if texts.len() != 1 || texts[0]["id"] != "A" {
        return rejected("its template does not contain the text exactly once".to_owned());
    }
    let tokens = pieces.iter().filter_map(|piece| piece["SpecialToken"]["id"].as_str());
    let added: usize =
        tokens.map(|token| template["special_tokens"][token]["ids"].as_array().map_or(0, Vec::len)).sum();
    if added > MAX_ADDED {
        return rejected(format!("its template adds {added} tokens; the limit is {MAX_ADDED}"));
    }
    Ok(())
}

fn check(field: &'static str, steps: &[&Value]) -> Result<(), TokenizerError> {
    let rejected = |reason: String| Err(TokenizerError::Unsupported { field, reason });
    if steps.len() > MAX_STEPS {
        return rejected(format!("it has {} steps; the limit is {MAX_STEPS}", steps.len()));
    }
    let growth = steps.iter().fold(1_usize, |product, step| product.saturating_mul(growth(step)));
    if growth > MAX_GROWTH {
        return rejected(format!("its steps can make a text {growth} times as long; the limit is {MAX_GROWTH} times"));
    }
    Ok(())
}

/// Adds the steps of a component, those of nested sequences included.
fn add_steps<'a>(field: &'static str, component: &'a Value, steps: &mut Vec<&'a Value>) -> Result<(), TokenizerError> {
    match component["type"].as_str() {
        Some("Sequence") => {
            let lists = ["normalizers", "pretokenizers", "decoders"].into_iter();
            let mut nested = lists.filter_map(|list| component[list].as_array()).flatten();
            nested.try_for_each(|step| add_steps(field, step, steps))
        }
        // The parser takes an object without a type for any kind that has its fields.
        None if component.is_object() => {
            let reason = "a step has no `type`".to_owned();
            Err(TokenizerError::Unsupported { field, reason })
        }
        _ => {
            steps.extend(component.is_object().then_some(component));
            Ok(())
        }
    }
}

/// Returns the maximum factor by which a step lengthens a text.
fn growth(step: &Value) -> usize {
    let length = |text: &Value| text.as_str().map_or(0, str::len);
    match step["type"].as_str() {
        Some("Replace") => match (length(&step["pattern"]["String"]), length(&step["content"])) {
            // An expression may match the empty text, which is before each character.
            (0, content) => content.saturating_add(1),
            (pattern, content) => content.div_ceil(pattern).max(1),
        },
        Some("Prepend") => length(&step["prepend"]).saturating_add(1),
        Some("Metaspace") => length(&step["replacement"]).saturating_add(1),
        Some("ByteLevel") => 2,
        Some("Precompiled") => precompiled(step["precompiled_charsmap"].as_str().unwrap_or_default()),
        _ => 1,
    }
}

/// Returns the length of the longest replacement in a character map of SentencePiece: the size of a trie, the trie, and
/// replacements that end with a zero.
fn precompiled(map: &str) -> usize {
    let Ok(map) = STANDARD.decode(map) else { return 1 };
    let Some((size, rest)) = map.split_first_chunk() else { return 1 };
    let replacements = rest.get(u32::from_le_bytes(*size) as usize..).unwrap_or_default();
    replacements.split(|byte| *byte == 0).map(<[u8]>::len).max().unwrap_or_default().max(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Tokenizer;

    /// Returns the error of the small tokenizer with other components.
    fn rejection(changes: Value) -> Option<String> {
        let mut document: Value =
            serde_json::from_str(include_str!("../../../../tests/golden/tiny_tokenizer/tokenizer.json")).unwrap();
        for (field, component) in changes.as_object().unwrap() {
            document[field] = component.clone();
        }
        Tokenizer::from_bytes(document.to_string().as_bytes()).err().map(|error| error.to_string())
    }

    fn replace(pattern: Value, content: &str) -> Value {
        json!({"type": "Replace", "pattern": pattern, "content": content})
    }

    #[test]
    fn steps_that_multiply_a_text_are_rejected() {
        let thousand = "a".repeat(1000);
        let text = replace(json!({"String": "a"}), &thousand);
        let expression = replace(json!({"Regex": "x*"}), &thousand);
        let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false});
        let prepend = json!({"type": "Prepend", "prepend": thousand});
        let map = STANDARD.encode([&[0; 4], thousand.as_bytes()].concat());
        let map = json!({"type": "Precompiled", "precompiled_charsmap": map});
        let nothing = json!({"type": "Sequence", "normalizers": vec![json!({"type": "NFC"}); 65]});
        for component in [&text, &expression, &prepend, &map, &nothing] {
            let nested = json!({"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [component]}]});
            for normalizer in [component, &nested] {
                let rejection = rejection(json!({"normalizer": normalizer})).expect("an error");
                assert!(rejection.contains("`normalizer` is not supported"), "{rejection}");
            }
        }
        let many = json!({"type": "Sequence", "pretokenizers": vec![bytes; 40]});
        assert!(rejection(json!({"pre_tokenizer": many})).unwrap().contains("times as long"));
        let decoder = json!({"type": "Sequence", "decoders": [text.clone(), text]});
        let rejection = rejection(json!({"decoder": decoder})).unwrap();
        assert!(
            rejection.contains("`decoder` is not supported: its steps can make a text 1000000 times"),
            "{rejection}"
        );
    }

    #[test]
    fn steps_that_hide_their_kind_are_rejected() {
        let mut untyped = replace(json!({"String": "a"}), &"a".repeat(1000));
        let mut sequence_too = untyped.clone();
        sequence_too["normalizers"] = json!([]);
        assert!(rejection(json!({"normalizer": sequence_too})).unwrap().contains("1000 times as long"));
        untyped.as_object_mut().unwrap().remove("type");
        for normalizer in
            [untyped.clone(), json!({"type": "Sequence", "normalizers": [untyped]}), json!({"normalizers": []})]
        {
            assert!(rejection(json!({"normalizer": normalizer})).unwrap().contains("a step has no `type`"));
        }
    }

    #[test]
    fn templates_that_multiply_a_text_are_rejected() {
        let piece = |kind: &str, id: &str| json!({kind: {"id": id, "type_id": 0}});
        let (text, token) = (piece("Sequence", "A"), piece("SpecialToken", "t"));
        let template = |pieces: Vec<&Value>, ids: usize| {
            let token = json!({"id": "t", "ids": vec![1; ids], "tokens": vec!["t"; ids]});
            json!({"type": "TemplateProcessing", "single": pieces, "pair": [], "special_tokens": {"t": token}})
        };
        let sequence = |steps: Vec<Value>| json!({"type": "Sequence", "processors": steps});
        let plain = template(vec![&token, &text, &token], 1);
        let other = piece("Sequence", "B");
        for (processor, reason) in [
            (template(vec![&text; 1000], 1), "exactly once"),
            (template(vec![&other], 1), "exactly once"),
            (template(vec![], 1), "exactly once"),
            (template(vec![&token, &text], 65), "adds 65 tokens"),
            (sequence(vec![sequence(vec![template(vec![&text, &text], 1)])]), "exactly once"),
            (sequence(vec![plain.clone(), plain.clone()]), "2 templates"),
        ] {
            let rejection = rejection(json!({"post_processor": processor})).expect("an error");
            assert!(
                rejection.contains("`post_processor` is not supported") && rejection.contains(reason),
                "{rejection}"
            );
        }
        let bytes = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false, "use_regex": true});
        for processor in [plain.clone(), sequence(vec![bytes, plain]), template(vec![&token, &text], 64)] {
            assert_eq!(rejection(json!({"post_processor": processor})), None);
        }
    }

    #[test]
    fn the_steps_of_published_tokenizers_are_read() {
        let space = replace(json!({"String": " "}), "▁");
        let llama = json!({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, space]});
        let long = replace(json!({"String": "-".repeat(500)}), &"-".repeat(1000));
        for normalizer in [llama, long, json!({"type": "NFKC"}), Value::Null] {
            assert_eq!(rejection(json!({"normalizer": normalizer})), None);
        }
    }
}
