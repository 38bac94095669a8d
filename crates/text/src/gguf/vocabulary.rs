//! A tokenizer as the lists of a GGUF file.
//!
//! llama.cpp knows two kinds that `tokenizer.json` can describe: `gpt2` is BPE over bytes behind one of its regular expressions,
//! `llama` is BPE over text with `▁` for spaces, which merges by the scores of tokens. A tokenizer that llama.cpp would not
//! compute alike is refused.

use std::collections::HashMap;

use serde_json::Value;

use super::pre_tokenizers;
use crate::tokenizer::TokenizerError;
use crate::tokenizer::kind::{Prefix, fallback_byte, without_prefix};

/// Kinds of tokens, as in `llama.h`.
pub(super) const NORMAL: i32 = 1;
pub(super) const UNKNOWN: i32 = 2;
pub(super) const CONTROL: i32 = 3;
pub(super) const USER_DEFINED: i32 = 4;
const UNUSED: i32 = 5;
pub(super) const BYTE: i32 = 6;

/// Returns an expression for words, with this one for numbers.
macro_rules! words {
    ($numbers:literal) => {
        concat!(
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|",
            $numbers,
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        )
    };
}

/// Returns an expression for words that begin with capitals, with these for their ends and for numbers.
macro_rules! cased_words {
    ($end:literal, $numbers:literal) => {
        concat!(
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
            $end,
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
            $end,
            "|",
            $numbers,
            r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        )
    };
}

/// Regular expressions that split a text, with llama.cpp's name of each and `ignore_merges`.
const SPLITS: [(&str, &str, bool); 5] = [
    (words!(r"\p{N}{1,3}"), "llama-bpe", true),
    (words!(r"\p{N}{1,3}"), "dbrx", false),
    (words!(r"\p{N}"), "qwen2", false),
    (cased_words!("", r"\p{N}"), "tekken", true),
    (cased_words!(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", r"\p{N}{1,3}"), "gpt-4o", false),
];
/// Another spelling of the contractions in these expressions, and theirs.
const CONTRACTIONS: [&str; 2] = [r"'(?i:[sdmt]|ll|ve|re)", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"];

/// A vocabulary as the lists of a GGUF file.
#[derive(Debug, Clone, PartialEq)]
pub struct GgmlVocabulary {
    /// `tokenizer.ggml.model`.
    pub model: &'static str,
    /// `tokenizer.ggml.pre`.
    pub pre: &'static str,
    /// `tokenizer.ggml.tokens`.
    pub tokens: Vec<String>,
    /// `tokenizer.ggml.token_type`.
    pub types: Vec<i32>,
    /// `tokenizer.ggml.scores`; empty if tokens are merged by rules.
    pub scores: Vec<f32>,
    /// `tokenizer.ggml.merges`; empty if tokens are merged by scores.
    pub merges: Vec<String>,
    /// `tokenizer.ggml.add_space_prefix`.
    pub add_space_prefix: bool,
    /// `tokenizer.ggml.unknown_token_id`.
    pub unknown: Option<u32>,
}

impl GgmlVocabulary {
    /// Reads `tokenizer.json`. The list has `size` tokens, one for each row of the embedding: unused ones where there are fewer, and
    /// none of those beyond.
    ///
    /// # Errors
    /// The file is not a tokenizer, or llama.cpp has none that encodes alike.
    pub fn read(tokenizer_json: &[u8], size: usize) -> Result<Self, TokenizerError> {
        let document: Value =
            serde_json::from_slice(tokenizer_json).map_err(|error| TokenizerError::Invalid(error.to_string()))?;
        let model = &document["model"];
        let vocabulary = model["vocab"].as_object().filter(|_| model["type"] != "Unigram");
        let vocabulary = vocabulary.ok_or_else(|| unsupported("model.type", "llama.cpp's tokenizers here are BPE"))?;
        for field in ["continuing_subword_prefix", "end_of_word_suffix"] {
            if model[field].as_str().is_some_and(|text| !text.is_empty()) {
                return Err(unsupported("model", &format!("llama.cpp has no {field}")));
            }
        }
        let (prefix, _) = without_prefix(&document);
        let by_scores = model["byte_fallback"] == true;
        let (kind, pre) = if by_scores { ("llama", "default") } else { ("gpt2", pre(&document, prefix)?) };

        let mut tokens: Vec<String> = (0..size).map(|id| format!("[PAD{id}]")).collect();
        let mut types = vec![UNUSED; size];
        let index = |id: &Value| id.as_u64().and_then(|id| usize::try_from(id).ok()).filter(|id| *id < size);
        let mut ids = HashMap::new();
        for (token, id) in vocabulary {
            let Some(id) = index(id) else { continue };
            ids.insert(token.as_str(), id);
            types[id] = if by_scores && fallback_byte(token).is_some() { BYTE } else { NORMAL };
            tokens[id].clone_from(token);
        }
        for added in document["added_tokens"].as_array().into_iter().flatten() {
            let (Some(id), Some(content)) = (index(&added["id"]), added["content"].as_str()) else { continue };
            let is_control = added["special"] == true || content.starts_with("<|") && content.ends_with("|>");
            types[id] = if is_control { CONTROL } else { USER_DEFINED };
            // llama.cpp looks for it in the text, before spaces are replaced.
            let replaces = by_scores && !is_control;
            tokens[id] = if replaces { content.replace('▁', " ") } else { content.to_owned() };
        }
        let unknown = model["unk_token"].as_str().and_then(|token| ids.get(token)).copied();
        if let Some(unknown) = unknown.filter(|_| by_scores) {
            types[unknown] = UNKNOWN;
        }
        let merges = merges(&model["merges"])?;
        let scores = if by_scores { scores(&merges, &ids, size) } else { Vec::new() };
        let merges = merges.into_iter().filter(|_| !by_scores).map(|[left, right]| format!("{left} {right}")).collect();
        let unknown = unknown.and_then(|id| u32::try_from(id).ok());
        Ok(Self { model: kind, pre, tokens, types, scores, merges, add_space_prefix: prefix != Prefix::None, unknown })
    }
}

fn unsupported(field: &'static str, reason: &str) -> TokenizerError {
    TokenizerError::Unsupported { field, reason: format!("{reason}; export the model merged in place of GGUF") }
}

/// Returns the pairs of tokens that are merged, in the order of their precedence. Version 0.20 of `tokenizers` writes pairs in place
/// of texts.
fn merges(merges: &Value) -> Result<Vec<[&str; 2]>, TokenizerError> {
    merges
        .as_array()
        .into_iter()
        .flatten()
        .map(|merge| {
            let pair = match merge.as_str() {
                Some(text) => text.split_once(' '),
                None => merge[0].as_str().zip(merge[1].as_str()),
            };
            pair.map(Into::into).ok_or_else(|| TokenizerError::Invalid(format!("model.merges has {merge}")))
        })
        .collect()
}

/// Returns the scores of tokens: the sooner a token is merged the higher. Those that no merge makes are never compared.
fn scores(merges: &[[&str; 2]], ids: &HashMap<&str, usize>, size: usize) -> Vec<f32> {
    let mut scores = vec![f32::NAN; size];
    let mut rank = 0.0;
    for [left, right] in merges {
        if let Some(&id) = ids.get(format!("{left}{right}").as_str())
            && scores[id].is_nan()
        {
            scores[id] = -rank;
            rank += 1.0;
        }
    }
    scores.iter_mut().filter(|score| score.is_nan()).for_each(|score| *score = -rank);
    scores
}

/// Returns llama.cpp's name of the step before BPE over bytes.
fn pre(document: &Value, prefix: Prefix) -> Result<&'static str, TokenizerError> {
    let refused = |reason: &str| unsupported("pre_tokenizer", reason);
    if prefix != Prefix::None {
        return Err(refused("llama.cpp puts no space before a text of such a tokenizer"));
    }
    let pre = &document["pre_tokenizer"];
    let steps = pre["pretokenizers"].as_array().map_or(std::slice::from_ref(pre), Vec::as_slice);
    let uses_regex = |step: &Value| step["type"] == "ByteLevel" && step["use_regex"] != false;
    let ignores = document["model"]["ignore_merges"] == true;
    match steps {
        [bytes] if uses_regex(bytes) && !ignores => Ok("gpt-2"),
        [digits, bytes] if digits["type"] == "Digits" && digits["individual_digits"] == true && uses_regex(bytes) => {
            Ok("smollm")
        }
        [splits @ .., bytes]
            if bytes["type"] == "ByteLevel"
                && !uses_regex(bytes)
                && splits.iter().all(|split| split["behavior"] == "Isolated") =>
        {
            let regexes = splits.iter().map(|split| split["pattern"]["Regex"].as_str().unwrap_or_default());
            let regexes: Vec<&str> = regexes.collect();
            let found = match &regexes[..] {
                [regex] => {
                    let spelled = regex.replace(CONTRACTIONS[0], CONTRACTIONS[1]);
                    SPLITS.iter().find(|(known, _, ignored)| *known == spelled && *ignored == ignores)
                }
                _ => None,
            };
            // A file that was a GGUF file has llama.cpp's own expressions.
            let found = found.map(|(_, name, _)| *name).or_else(|| pre_tokenizers::name(&regexes, ignores));
            found.ok_or_else(|| refused("llama.cpp has no such regular expressions"))
        }
        _ => Err(refused("llama.cpp has no such steps")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden(name: &str) -> Vec<u8> {
        let path = format!("{}/../../tests/golden/tokenizers/{name}.json", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).unwrap()
    }

    fn token<'a>(vocabulary: &'a GgmlVocabulary, token: &str) -> (usize, i32, &'a str) {
        let id = vocabulary.tokens.iter().position(|known| known == token).unwrap();
        (id, vocabulary.types[id], &vocabulary.tokens[id])
    }

    #[test]
    fn byte_level_tokenizers_have_merges_and_a_name_for_their_expression() {
        let seedling = include_bytes!("../../../../assets/seedling/tokenizer.json");
        let found = GgmlVocabulary::read(seedling, 1540).unwrap();
        assert_eq!((found.model, found.pre, found.merges.len(), found.tokens.len()), ("gpt2", "qwen2", 1269, 1540));
        assert!(found.scores.is_empty() && !found.add_space_prefix);
        assert_eq!(token(&found, "<|im_end|>"), (2, CONTROL, "<|im_end|>"));
        assert_eq!(token(&found, "<think>").1, USER_DEFINED);
        assert_eq!(token(&found, "[PAD1539]"), (1539, UNUSED, "[PAD1539]"));
        let names = [("byte_level", "gpt-2"), ("split_regex", "llama-bpe")];
        for (name, pre) in names {
            assert_eq!(GgmlVocabulary::read(&golden(name), 8).unwrap().pre, pre, "{name}");
        }
    }

    #[test]
    fn text_tokenizers_have_scores_in_the_order_of_merges() {
        for (name, adds_space) in [("prepended", true), ("replaced_spaces", false), ("metaspace_first", true)] {
            let file = golden(name);
            let found = GgmlVocabulary::read(&file, 480).unwrap();
            assert_eq!((found.model, found.add_space_prefix), ("llama", adds_space), "{name}");
            assert_eq!(found.types.iter().filter(|kind| **kind == BYTE).count(), 256);
            assert_eq!(found.unknown, Some(0));
            assert_eq!((found.types[0], found.types[1]), (UNKNOWN, CONTROL));
            let document: Value = serde_json::from_slice(&file).unwrap();
            let merged: Vec<f32> = merges(&document["model"]["merges"])
                .unwrap()
                .iter()
                .map(|[left, right]| found.scores[token(&found, &format!("{left}{right}")).0])
                .collect();
            assert!(merged.is_sorted_by(|first, then| first >= then) && merged[0] == 0.0, "{name}");
        }
    }

    #[test]
    fn tokenizers_that_llama_cpp_lacks_are_refused() {
        let error = GgmlVocabulary::read(&golden("unigram"), 91).unwrap_err().to_string();
        assert!(error.contains("`model.type`") && error.contains("export the model merged"), "{error}");
        let mut document: Value = serde_json::from_slice(&golden("split_regex")).unwrap();
        document["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "a|b".into();
        let error = GgmlVocabulary::read(document.to_string().as_bytes(), 91).unwrap_err().to_string();
        assert!(error.contains("no such regular expression"), "{error}");
    }
}
