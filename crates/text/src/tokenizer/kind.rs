//! Detects the kind of a tokenizer in `tokenizer.json`: its spelling of bytes, and the positions of inserted spaces.

use std::collections::HashMap;

use serde_json::Value;

use super::TokenizerError;
use crate::detokenizer::Leading;

/// Spelling of a token's bytes in the vocabulary.
#[derive(Debug)]
pub(super) enum Spelling {
    /// One character per byte.
    ByteLevel(HashMap<char, u8>),
    /// Text with replacements for some pieces (`▁` for a space); with `byte_fallback`, `<0x0A>` is a byte.
    Text { replacements: Vec<(String, String)>, byte_fallback: bool },
}

impl Spelling {
    /// Returns the bytes of a vocabulary entry.
    pub(super) fn bytes(&self, spelling: &str) -> Box<[u8]> {
        match self {
            Self::ByteLevel(alphabet) => {
                let mapped: Option<Vec<u8>> =
                    spelling.chars().map(|character| alphabet.get(&character).copied()).collect();
                // Entries outside the byte alphabet represent their own UTF-8 bytes.
                mapped.unwrap_or_else(|| spelling.as_bytes().to_vec()).into_boxed_slice()
            }
            Self::Text { replacements, byte_fallback } => {
                if let Some(byte) = fallback_byte(spelling).filter(|_| *byte_fallback) {
                    return Box::new([byte]);
                }
                let replaced = replacements.iter().fold(spelling.to_owned(), |text, (from, to)| text.replace(from, to));
                replaced.into_bytes().into_boxed_slice()
            }
        }
    }

    /// Returns the bytes of an added token that is text: it passes through the decoder like any other token.
    pub(super) fn added_bytes(&self, content: &str) -> Box<[u8]> {
        match self {
            Self::ByteLevel(_) => content.as_bytes().into(),
            Self::Text { .. } => self.bytes(content),
        }
    }
}

/// Returns the byte of a spelling such as `<0x0A>`.
pub(crate) fn fallback_byte(spelling: &str) -> Option<u8> {
    let digits = spelling.strip_prefix("<0x")?.strip_suffix('>').filter(|digits| digits.len() == 2)?;
    u8::from_str_radix(digits, 16).ok()
}

/// Positions where the tokenizer inserts a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefix {
    /// No position.
    None,
    /// Start of the text.
    Start,
    /// Start of the text, and after each added token.
    EverySegment,
}

/// Detects how tokens are converted to text.
///
/// # Errors
/// The decoder is not supported.
pub(super) fn spelling(document: &Value) -> Result<(Spelling, Leading), TokenizerError> {
    let decoder = &document["decoder"];
    let steps = decoder["decoders"].as_array().map_or(std::slice::from_ref(decoder), Vec::as_slice);
    let unsupported = |what: &Value| TokenizerError::Unsupported {
        field: "decoder",
        reason: format!(
            "it is {what}; ByteLevel, Metaspace, ByteFallback, Fuse, Replace of a text and Strip at the start are"
        ),
    };
    if steps.iter().any(|step| step["type"] == "ByteLevel") {
        return Ok((Spelling::ByteLevel(byte_level_alphabet()), Leading::Keep));
    }
    let mut replacements = Vec::new();
    let mut byte_fallback = false;
    let mut leading = Leading::Keep;
    for step in steps {
        match step["type"].as_str() {
            Some("Metaspace") => {
                let replacement = step["replacement"].as_str().unwrap_or("▁");
                replacements.push((replacement.to_owned(), " ".to_owned()));
                if metaspace_prefix(step) != Prefix::None {
                    leading = Leading::DropInFirstToken;
                }
            }
            Some("Replace") => match (step["pattern"]["String"].as_str(), step["content"].as_str()) {
                (Some(from), Some(to)) => replacements.push((from.to_owned(), to.to_owned())),
                _ => return Err(unsupported(step)),
            },
            Some("ByteFallback") => byte_fallback = true,
            Some("Fuse") => {}
            Some("Strip") if step["content"] == " " && step["stop"] == 0 => {
                let start = step["start"].as_u64().and_then(|start| usize::try_from(start).ok());
                leading = Leading::Strip(start.ok_or_else(|| unsupported(step))?);
            }
            _ => return Err(unsupported(step)),
        }
    }
    Ok((Spelling::Text { replacements, byte_fallback }, leading))
}

/// Checks the model type.
///
/// # Errors
/// The model has an unsupported type, or encodes randomly.
pub(super) fn check_model(document: &Value) -> Result<(), TokenizerError> {
    let model = &document["model"];
    // Files of tokenizers before 0.7 omit the type; only BPE has merges.
    let kind = model["type"].as_str().or_else(|| (!model["merges"].is_null()).then_some("BPE"));
    if !matches!(kind, Some("BPE" | "Unigram")) {
        let reason = format!("it is {}; \"BPE\" and \"Unigram\" are", model["type"]);
        return Err(TokenizerError::Unsupported { field: "model.type", reason });
    }
    if model["dropout"].as_f64().is_some_and(|dropout| dropout != 0.0) {
        let reason = "encoding at random would make training and sampling differ; set it to null".to_owned();
        return Err(TokenizerError::Unsupported { field: "model.dropout", reason });
    }
    Ok(())
}

/// Returns the positions of inserted spaces, and the tokenizer document without the insertion.
pub(crate) fn without_prefix(document: &Value) -> (Prefix, Value) {
    let mut plain = document.clone();
    let mut prefix = Prefix::None;
    each_step(&mut plain, "normalizer", "normalizers", &mut |step| {
        if step["type"] == "Prepend" {
            prefix = Prefix::EverySegment;
        }
        step["type"] != "Prepend"
    });
    each_step(&mut plain, "pre_tokenizer", "pretokenizers", &mut |step| {
        let found = match step["type"].as_str() {
            Some("Metaspace") => metaspace_prefix(step),
            Some("ByteLevel") if step["add_prefix_space"] == true => Prefix::EverySegment,
            _ => Prefix::None,
        };
        if found != Prefix::None {
            prefix = found;
            if step["type"] == "Metaspace" {
                step["prepend_scheme"] = "never".into();
            }
            step["add_prefix_space"] = false.into();
        }
        true
    });
    (prefix, plain)
}

/// Calls `visit` with each step of a component; removes the step if `visit` returns false.
fn each_step(document: &mut Value, component: &str, list: &str, visit: &mut dyn FnMut(&mut Value) -> bool) {
    let component = &mut document[component];
    if let Some(steps) = component.get_mut(list).and_then(Value::as_array_mut) {
        steps.retain_mut(visit);
    } else if component.is_object() && !visit(component) {
        *component = Value::Null;
    }
}

fn metaspace_prefix(step: &Value) -> Prefix {
    match step["prepend_scheme"].as_str() {
        Some("never") => Prefix::None,
        Some("first") => Prefix::Start,
        // Older files use this switch.
        None if step["add_prefix_space"] == false => Prefix::None,
        _ => Prefix::EverySegment,
    }
}

/// Returns the inverse of GPT-2's map from bytes to printable characters: the printable bytes of Latin-1 map to
/// themselves, the other 68 to the characters from U+0100 on, in order.
fn byte_level_alphabet() -> HashMap<char, u8> {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let others = (0..=u8::MAX).filter(|byte| !printable(*byte)).zip('\u{100}'..);
    let themselves = (0..=u8::MAX).filter(|byte| printable(*byte)).map(|byte| (char::from(byte), byte));
    themselves.chain(others.map(|(byte, character)| (character, byte))).collect()
}
