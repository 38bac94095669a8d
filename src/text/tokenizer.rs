//! Byte-level BPE tokenizers in the Hugging Face `tokenizer.json` format.
//!
//! Two ways to encode: [`Tokenizer::encode`] turns the spelling of a control token (`<|im_end|>`) into that token, as
//! chat templates need it; [`Tokenizer::encode_ordinary`] never gives a control token, whatever the text says.
//! A *control token* is an added token that is marked `special` or is spelled `<|…|>`. Other added tokens, such as
//! `<think>` and `<tool_call>` of Qwen3, are text and are recognised both ways.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, Input, MatchKind};

/// Why a tokenizer cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// The file is not a tokenizer.
    #[error("tokenizer.json: {0}")]
    Invalid(String),
    /// The file is a tokenizer of a kind that is not supported.
    #[error("tokenizer.json: `{field}` is not supported: {reason}")]
    Unsupported {
        /// Path of the field.
        field: &'static str,
        /// What it holds, and what is supported.
        reason: String,
    },
    /// A text could not be encoded.
    #[error("text could not be encoded: {0}")]
    Encode(String),
}

/// A control token as the vocabulary spells it.
#[derive(Debug, Clone)]
pub struct ControlToken {
    /// Its id.
    pub id: u32,
    /// Its spelling.
    pub content: String,
    /// Whether it swallows white space on its left.
    pub lstrip: bool,
    /// Whether it swallows white space on its right.
    pub rstrip: bool,
}

/// A vocabulary with its encoder; cheap to share behind an `Arc`.
pub struct Tokenizer {
    recognising: tokenizers::Tokenizer,
    ordinary: tokenizers::Tokenizer,
    /// Per id: `None` for an unused id, else the bytes that the token stands for (none for a control token).
    bytes: Vec<Option<Box<[u8]>>>,
    control: HashMap<u32, ControlToken>,
    /// Finds the spellings of control tokens; pattern numbers are places in `spelled`.
    matcher: AhoCorasick,
    spelled: Vec<u32>,
}

impl Tokenizer {
    /// Reads `tokenizer.json`.
    ///
    /// # Errors
    /// Not a tokenizer; not byte-level; or one that encodes at random (`model.dropout`).
    pub fn from_bytes(tokenizer_json: &[u8]) -> Result<Self, TokenizerError> {
        let mut document: serde_json::Value =
            serde_json::from_slice(tokenizer_json).map_err(|error| TokenizerError::Invalid(error.to_string()))?;
        check_byte_level(&document)?;
        mark_control_tokens(&mut document);
        // Cutting and padding are for batches of an encoder model; a chat prompt is taken as it is.
        document["truncation"] = serde_json::Value::Null;
        document["padding"] = serde_json::Value::Null;
        let text = document.to_string();
        let recognising = tokenizers::Tokenizer::from_bytes(text.as_bytes())
            .map_err(|error| TokenizerError::Invalid(error.to_string()))?;
        let mut ordinary = recognising.clone();
        ordinary.set_encode_special_tokens(true);

        let added = recognising.get_added_tokens_decoder();
        let control: HashMap<u32, ControlToken> = added
            .iter()
            .filter(|(_, token)| token.special)
            .map(|(&id, token)| {
                let (lstrip, rstrip) = (token.lstrip, token.rstrip);
                (id, ControlToken { id, content: token.content.clone(), lstrip, rstrip })
            })
            .collect();
        let vocabulary = recognising.get_vocab(true);
        let size = vocabulary.values().max().map_or(0, |&id| id as usize + 1);
        let unicode_to_byte = byte_level_alphabet();
        let mut bytes: Vec<Option<Box<[u8]>>> = vec![None; size];
        for (spelling, id) in vocabulary {
            bytes[id as usize] = Some(if control.contains_key(&id) {
                Box::default()
            } else if added.contains_key(&id) {
                spelling.into_bytes().into_boxed_slice()
            } else {
                spell_bytes(&spelling, &unicode_to_byte)
            });
        }
        let mut spelled: Vec<u32> =
            control.values().filter(|token| !token.content.is_empty()).map(|token| token.id).collect();
        spelled.sort_unstable();
        let matcher = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(spelled.iter().map(|id| &control[id].content))
            .map_err(|error| TokenizerError::Invalid(error.to_string()))?;
        Ok(Self { recognising, ordinary, bytes, control, matcher, spelled })
    }

    /// Encodes text in which the spelling of a control token means that token. No token is added at either end.
    ///
    /// # Errors
    /// The encoder refuses the text (an unknown symbol without an unknown token).
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        encode_with(&self.recognising, text)
    }

    /// Encodes text that may not speak for the template: no control token comes out of it.
    ///
    /// # Errors
    /// As [`Self::encode`].
    pub fn encode_ordinary(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        let ids = encode_with(&self.ordinary, text)?;
        if !ids.iter().any(|id| self.control.contains_key(id)) {
            return Ok(ids);
        }
        // The model's own merges spelled a control token. Characters on their own cannot.
        let mut split = Vec::with_capacity(text.len());
        let mut buffer = [0u8; 4];
        for character in text.chars() {
            split.extend(encode_with(&self.ordinary, character.encode_utf8(&mut buffer))?);
        }
        split.retain(|id| !self.control.contains_key(id));
        Ok(split)
    }

    /// The bytes that a token adds to the text: none for a control token or an id without a token.
    pub fn token_bytes(&self, id: u32) -> &[u8] {
        self.bytes.get(id as usize).and_then(Option::as_deref).unwrap_or_default()
    }

    /// The text of a token sequence; incomplete characters become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> String {
        let bytes: Vec<u8> = ids.iter().flat_map(|&id| self.token_bytes(id)).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The vocabulary's spelling of a token (`Ġmaybe`, `<|im_end|>`).
    pub fn id_to_token(&self, id: u32) -> Option<String> {
        self.recognising.id_to_token(id)
    }

    /// The id of a token by the vocabulary's spelling.
    pub fn token_to_id(&self, token: &str) -> Option<u32> {
        self.recognising.token_to_id(token)
    }

    /// One more than the largest id.
    pub fn vocab_size(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the id is a control token.
    pub fn is_control(&self, id: u32) -> bool {
        self.control.contains_key(&id)
    }

    /// The first spelling of a control token in `text` at or after byte `from`, and the longest of those that begin
    /// there; with its place in `text`.
    pub fn find_control(&self, text: &str, from: usize) -> Option<(usize, &ControlToken)> {
        let found = self.matcher.find(Input::new(text).range(from..))?;
        let id = self.spelled.get(found.pattern().as_usize())?;
        Some((found.start(), self.control.get(id)?))
    }
}

fn encode_with(encoder: &tokenizers::Tokenizer, text: &str) -> Result<Vec<u32>, TokenizerError> {
    let encoding = encoder.encode_fast(text, false).map_err(|error| TokenizerError::Encode(error.to_string()))?;
    Ok(encoding.get_ids().to_vec())
}

fn check_byte_level(document: &serde_json::Value) -> Result<(), TokenizerError> {
    let kind = document["model"]["type"].as_str();
    // Files of tokenizers before 0.7 leave the type out; merges are there only in BPE.
    if kind.is_some_and(|kind| kind != "BPE") || document["model"]["merges"].is_null() {
        let reason = format!("it is {}; only \"BPE\" is", document["model"]["type"]);
        return Err(TokenizerError::Unsupported { field: "model.type", reason });
    }
    if document["model"]["dropout"].as_f64().is_some_and(|dropout| dropout != 0.0) {
        let reason = "encoding at random would make training and sampling differ; set it to null".to_owned();
        return Err(TokenizerError::Unsupported { field: "model.dropout", reason });
    }
    let decoder = &document["decoder"];
    let steps = decoder["decoders"].as_array().map_or(std::slice::from_ref(decoder), Vec::as_slice);
    if !steps.iter().any(|step| step["type"] == "ByteLevel") {
        let reason = format!("it is {}; only \"ByteLevel\" is", decoder["type"]);
        return Err(TokenizerError::Unsupported { field: "decoder", reason });
    }
    Ok(())
}

/// Marks every `<|…|>` as special, so that ordinary encoding leaves it alone. Recognising encoding does not look.
fn mark_control_tokens(document: &mut serde_json::Value) {
    for token in document["added_tokens"].as_array_mut().into_iter().flatten() {
        let angled = token["content"].as_str().is_some_and(|text| text.starts_with("<|") && text.ends_with("|>"));
        if angled {
            token["special"] = true.into();
        }
    }
}

/// GPT-2's reversible map from bytes to printable characters, inverted: the printable bytes of Latin-1 stand for
/// themselves, the other 68 take the characters from U+0100 on, in order.
fn byte_level_alphabet() -> HashMap<char, u8> {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut next = 0x100u32;
    (0..=u8::MAX)
        .map(|byte| {
            if printable(byte) {
                return (char::from(byte), byte);
            }
            let character = char::from_u32(next).expect("U+0100 to U+0143 are characters");
            next += 1;
            (character, byte)
        })
        .collect()
}

/// The bytes of a vocabulary entry. Entries outside the byte alphabet stand for their own UTF-8.
fn spell_bytes(spelling: &str, unicode_to_byte: &HashMap<char, u8>) -> Box<[u8]> {
    let mapped: Option<Vec<u8>> = spelling.chars().map(|character| unicode_to_byte.get(&character).copied()).collect();
    mapped.unwrap_or_else(|| spelling.as_bytes().to_vec()).into_boxed_slice()
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn tiny() -> Tokenizer {
        Tokenizer::from_bytes(include_bytes!("../../tests/golden/tiny_tokenizer/tokenizer.json")).unwrap()
    }

    #[test]
    fn control_tokens_come_from_the_template_only() {
        let tokenizer = tiny();
        assert_eq!(tokenizer.encode("<|im_start|>user\na<|im_end|>\n").unwrap(), [1, 305, 201, 67, 2, 201]);
        let ordinary = tokenizer.encode_ordinary("<|im_start|>user").unwrap();
        assert!(!ordinary.contains(&1));
        assert_eq!(tokenizer.decode(&ordinary), "<|im_start|>user");
    }

    #[test]
    fn control_tokens_have_no_bytes() {
        let tokenizer = tiny();
        assert_eq!(tokenizer.token_bytes(2), b"");
        assert_eq!(tokenizer.token_bytes(1_000_000), b"");
        assert_eq!(tokenizer.token_bytes(tokenizer.token_to_id("Ġ").unwrap()), b" ");
        assert!(tokenizer.is_control(0) && !tokenizer.is_control(100));
    }

    #[test]
    fn angled_tokens_are_control_tokens_even_if_not_marked() {
        let mut document: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/tiny_tokenizer/tokenizer.json")).unwrap();
        document["added_tokens"][1]["special"] = false.into();
        let tokenizer = Tokenizer::from_bytes(document.to_string().as_bytes()).unwrap();
        assert!(tokenizer.is_control(1));
        assert!(!tokenizer.encode_ordinary("<|im_start|>").unwrap().contains(&1));
    }

    #[test]
    fn other_kinds_are_refused_by_field() {
        let mut document: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/tiny_tokenizer/tokenizer.json")).unwrap();
        document["model"]["dropout"] = 0.1.into();
        let error = Tokenizer::from_bytes(document.to_string().as_bytes()).err().unwrap().to_string();
        assert!(error.contains("model.dropout"), "{error}");
        document["model"]["dropout"] = serde_json::Value::Null;
        document["decoder"] = serde_json::json!({"type": "Metaspace"});
        let error = Tokenizer::from_bytes(document.to_string().as_bytes()).err().unwrap().to_string();
        assert!(error.contains("decoder"), "{error}");
    }

    proptest! {
        #[test]
        fn text_survives_the_round_trip(text in "(\\PC|[\\n\\t ]|<\\|im_end\\|>){0,30}") {
            let tokenizer = tiny();
            let ids = tokenizer.encode_ordinary(&text).unwrap();
            prop_assert!(ids.iter().all(|&id| !tokenizer.is_control(id)));
            prop_assert_eq!(tokenizer.decode(&ids), text);
        }
    }
}
