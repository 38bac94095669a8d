//! Tokenizer of a GGUF file: its metadata as the files that Hugging Face has for a tokenizer.
//!
//! The result is read as any `tokenizer.json` is, so that what follows does not know where it came from. Two kinds of tokenizers are
//! read. Byte-level BPE (`gpt2`) has merges and the name of a [pre-tokenizer](pre_tokenizers). SentencePiece (`llama`) has a score for
//! each token, of which merges are made: llama.cpp joins the neighbours whose union has the highest score.
//!
//! Rejected: an encoder by scores beside that by merges. It would differ only where two unions of equal text overlap, as
//! `transformers`, which makes the same merges of the same file, does.

mod merges;
mod pre_tokenizers;
mod vocabulary;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value, json};
use trainyard_gguf::{Metadata, MetadataError};

pub use self::vocabulary::GgmlVocabulary;
use pre_tokenizers::PreTokenizer;
use vocabulary::{BYTE, CONTROL, NORMAL, UNKNOWN, USER_DEFINED};

/// Error of a tokenizer in the metadata that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum GgufTokenizerError {
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error("tokenizer.ggml.model is {0:?}; \"gpt2\" and \"llama\" are read")]
    Model(String),
    #[error("tokenizer.ggml.pre is {0:?}, a pre-tokenizer that is not known")]
    PreTokenizer(String),
    #[error("tokenizer.ggml.tokens has {token:?} twice, as {first} and {second}")]
    Twice { token: String, first: usize, second: usize },
    #[error("{key} has {found} values for {tokens} tokens")]
    Length { key: &'static str, found: usize, tokens: usize },
}

const MODEL: &str = "tokenizer.ggml.model";
const TOKENS: &str = "tokenizer.ggml.tokens";
/// llama.cpp's name of SentencePiece.
const SENTENCE_PIECE: &str = "llama";

/// Special tokens: name in `tokenizer_config.json`, key of the id, and the id that SentencePiece has without one; the spelling of a key is llama.cpp's.
const SPECIAL: [(&str, &str, Option<usize>); 6] = [
    ("bos_token", "tokenizer.ggml.bos_token_id", Some(1)),
    ("eos_token", "tokenizer.ggml.eos_token_id", Some(2)),
    ("unk_token", "tokenizer.ggml.unknown_token_id", Some(0)),
    ("pad_token", "tokenizer.ggml.padding_token_id", None),
    ("sep_token", "tokenizer.ggml.seperator_token_id", None),
    ("mask_token", "tokenizer.ggml.mask_token_id", None),
];

/// Tokens beside `eos_token` that end a turn: keys of their ids, and spellings by which llama.cpp knows them where a file has no key.
const END_KEYS: [&str; 2] = ["tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"];
const END_TOKENS: [&str; 10] = [
    "<|eot_id|>",
    "<|eom_id|>",
    "<|im_end|>",
    "<|end|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<EOT>",
    "<end_of_utterance>",
    "<｜end▁of▁sentence｜>",
];

/// Special tokens of Phi-3 that do not absorb the white space on their right, as all others do.
const PHI_3_KEEPS: [&str; 3] = ["<unk>", "<s>", "<|endoftext|>"];

/// Vocabulary of a file.
struct Vocabulary<'a> {
    /// Spelling of each id.
    tokens: Vec<Cow<'a, str>>,
    /// Kind of each id.
    kinds: Vec<i32>,
    ids: HashMap<Cow<'a, str>, usize>,
    metadata: &'a Metadata<'a>,
    /// Whether the special tokens of Phi-3 absorb white space. The file does not say so; llama.cpp goes by the model's name too.
    is_phi_3: bool,
}

/// Returns the tokenizer of a file as `tokenizer.json`.
///
/// # Errors
/// The metadata have no tokenizer, or one of a kind that is not read.
pub fn tokenizer_of_gguf(metadata: &Metadata<'_>) -> Result<Value, GgufTokenizerError> {
    let model = required(metadata.text(MODEL), MODEL)?;
    let vocabulary = Vocabulary::read(metadata)?;
    let special = special_tokens(metadata, vocabulary.tokens.len())?;
    let (mut tokenizer, opens) = match model {
        SENTENCE_PIECE => (vocabulary.sentence_piece(special.get("unk_token").copied())?, true),
        "gpt2" => {
            let name = metadata.text("tokenizer.ggml.pre")?.filter(|name| !name.is_empty()).unwrap_or("default");
            let pre = pre_tokenizers::find(name).ok_or_else(|| GgufTokenizerError::PreTokenizer(name.to_owned()))?;
            (vocabulary.byte_level(pre)?, pre.opens)
        }
        _ => return Err(GgufTokenizerError::Model(model.to_owned())),
    };
    let opens = metadata.flag("tokenizer.ggml.add_bos_token")?.unwrap_or(opens);
    if let Some(id) = special.get("bos_token").copied().filter(|_| opens) {
        tokenizer["post_processor"] = opening(id, &vocabulary.tokens[id]);
    }
    Ok(tokenizer)
}

/// Returns the special tokens and chat templates of a file as `tokenizer_config.json`, and the tokens that end a turn as
/// `generation_config.json`. These are read of tokenizers of any kind.
///
/// # Errors
/// The metadata have no tokens, or a value of another kind than it should be.
pub fn gguf_settings(metadata: &Metadata<'_>) -> Result<(Value, Value), MetadataError> {
    let tokens = required(metadata.texts(TOKENS), TOKENS)?;
    let special = special_tokens(metadata, tokens.len())?;
    let mut config: Map<String, Value> =
        special.iter().map(|(name, id)| ((*name).to_owned(), tokens[*id].into())).collect();
    if let Some(template) = chat_template(metadata)? {
        config.insert("chat_template".to_owned(), template);
    }
    let mut ends = BTreeSet::from_iter(special.get("eos_token").copied());
    for key in END_KEYS {
        ends.extend(token_id(metadata, key, tokens.len())?);
    }
    ends.extend(tokens.iter().enumerate().filter(|(_, token)| END_TOKENS.contains(token)).map(|(id, _)| id));
    Ok((config.into(), json!({ "eos_token_id": ends })))
}

/// Returns the ids of the special tokens.
fn special_tokens(metadata: &Metadata<'_>, tokens: usize) -> Result<BTreeMap<&'static str, usize>, MetadataError> {
    let is_sentence_piece = metadata.text(MODEL)? == Some(SENTENCE_PIECE);
    let mut special = BTreeMap::new();
    for (name, key, default) in SPECIAL {
        let id = match metadata.get(key) {
            None => default.filter(|id| is_sentence_piece && *id < tokens),
            Some(_) => token_id(metadata, key, tokens)?,
        };
        special.extend(id.map(|id| (name, id)));
    }
    Ok(special)
}

/// Returns the id at a key. One that is no token counts as absent, as in llama.cpp: files have -1 for none.
fn token_id(metadata: &Metadata<'_>, key: &str, tokens: usize) -> Result<Option<usize>, MetadataError> {
    let id = metadata.number(key)?.filter(|id| *id >= 0.0 && *id < tokens as f64);
    Ok(id.map(|id| id as usize))
}

/// Returns a value that must be there.
fn required<T>(value: Result<Option<T>, MetadataError>, key: &str) -> Result<T, MetadataError> {
    value?.ok_or_else(|| MetadataError::Missing(key.to_owned()))
}

/// Returns the chat template, or a list of templates with their names.
fn chat_template(metadata: &Metadata<'_>) -> Result<Option<Value>, MetadataError> {
    let Some(default) = metadata.text("tokenizer.chat_template")? else { return Ok(None) };
    let mut named = vec![json!({ "name": "default", "template": default })];
    for name in metadata.texts("tokenizer.chat_templates")?.unwrap_or_default() {
        if let Some(template) = metadata.text(&format!("tokenizer.chat_template.{name}"))? {
            named.push(json!({ "name": name, "template": template }));
        }
    }
    Ok(Some(if named.len() == 1 { default.into() } else { named.into() }))
}

/// Returns the post-processor that puts a token before a text.
fn opening(id: usize, token: &str) -> Value {
    let text = |name: &str| json!({ "Sequence": { "id": name, "type_id": 0 } });
    let opening = json!({ "SpecialToken": { "id": token, "type_id": 0 } });
    let special = Map::from_iter([(token.to_owned(), json!({ "id": token, "ids": [id], "tokens": [token] }))]);
    json!({ "type": "TemplateProcessing", "single": [opening, text("A")],
            "pair": [opening, text("A"), text("B")], "special_tokens": special })
}

impl<'a> Vocabulary<'a> {
    fn read(metadata: &'a Metadata<'a>) -> Result<Self, GgufTokenizerError> {
        let listed = required(metadata.texts(TOKENS), TOKENS)?;
        let key = "tokenizer.ggml.token_type";
        // A number beyond those of kinds says nothing.
        let kind = |number: i64| i32::try_from(number).unwrap_or(NORMAL);
        let kinds = metadata.integers(key)?.map(|kinds| kinds.into_iter().map(kind).collect());
        let kinds: Vec<_> = kinds.unwrap_or_else(|| vec![NORMAL; listed.len()]);
        check_length(key, kinds.len(), listed.len())?;
        let (mut tokens, mut ids) = (Vec::with_capacity(listed.len()), HashMap::with_capacity(listed.len()));
        for (second, token) in listed.into_iter().enumerate() {
            let token = if token.is_empty() { format!("[EMPTY_{second}]").into() } else { Cow::from(token) };
            if let Some(first) = ids.insert(token.clone(), second) {
                return Err(GgufTokenizerError::Twice { token: token.into_owned(), first, second });
            }
            tokens.push(token);
        }
        let name = metadata.text("general.name")?.unwrap_or_default().to_lowercase();
        let is_phi_3 = name.contains("phi-3") || name.contains("phi3");
        Ok(Self { tokens, kinds, ids, metadata, is_phi_3 })
    }

    /// Returns whether a token is found in a text before any merge.
    fn is_added(&self, id: usize) -> bool {
        matches!(self.kinds[id], UNKNOWN | CONTROL | USER_DEFINED) || END_TOKENS.contains(&self.tokens[id].as_ref())
    }

    /// Returns `added_tokens`.
    fn added(&self) -> Vec<Value> {
        let added = |(id, token): (usize, &Cow<'_, str>)| {
            let token = token.as_ref();
            (self.is_added(id) || (self.is_phi_3 && token == "</s>")).then(|| {
                json!({
                    "id": id, "content": token, "single_word": false, "lstrip": false,
                    "rstrip": self.is_phi_3 && !PHI_3_KEEPS.contains(&token), "normalized": false,
                    "special": self.kinds[id] != USER_DEFINED || END_TOKENS.contains(&token),
                })
            })
        };
        self.tokens.iter().enumerate().filter_map(added).collect()
    }

    fn vocab(&self) -> Value {
        let entries = self.tokens.iter().enumerate().map(|(id, token)| (token.clone().into_owned(), id.into()));
        Value::Object(entries.collect())
    }

    /// Returns `tokenizer.json` of byte-level BPE.
    fn byte_level(&self, pre: &PreTokenizer) -> Result<Value, GgufTokenizerError> {
        let key = "tokenizer.ggml.merges";
        let merges = required(self.metadata.texts(key), key)?;
        let split = |expression: &&str| json!({ "type": "Split", "pattern": { "Regex": expression }, "behavior": "Isolated", "invert": false });
        let bytes = json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false });
        let steps: Vec<Value> = pre.expressions.iter().map(split).chain([bytes.clone()]).collect();
        Ok(json!({
            "version": "1.0", "added_tokens": self.added(), "normalizer": null,
            "pre_tokenizer": { "type": "Sequence", "pretokenizers": steps },
            "post_processor": null, "decoder": bytes,
            "model": {
                "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
                "ignore_merges": pre.ignores_merges, "vocab": self.vocab(),
                "merges": merges::known(&merges, &self.ids),
            },
        }))
    }

    /// Returns `tokenizer.json` of SentencePiece's BPE.
    fn sentence_piece(&self, unknown: Option<usize>) -> Result<Value, GgufTokenizerError> {
        let key = "tokenizer.ggml.scores";
        let scores = required(self.metadata.numbers(key), key)?;
        check_length(key, scores.len(), self.tokens.len())?;
        let has_prefix = self.metadata.flag("tokenizer.ggml.add_space_prefix")?.unwrap_or(true);
        let space = json!({ "type": "Replace", "pattern": { "String": " " }, "content": "▁" });
        let prefix = has_prefix.then(|| json!({ "type": "Prepend", "prepend": "▁" }));
        let normalizers: Vec<Value> = prefix.into_iter().chain([space]).collect();
        let mut decoders = vec![
            json!({ "type": "Replace", "pattern": { "String": "▁" }, "content": " " }),
            json!({ "type": "ByteFallback" }),
            json!({ "type": "Fuse" }),
        ];
        decoders.extend(has_prefix.then(|| json!({ "type": "Strip", "content": " ", "start": 1, "stop": 0 })));
        let joined = |id: usize| !self.is_added(id) && self.kinds[id] != BYTE;
        Ok(json!({
            "version": "1.0", "added_tokens": self.added(),
            "normalizer": { "type": "Sequence", "normalizers": normalizers },
            "pre_tokenizer": null, "post_processor": null,
            "decoder": { "type": "Sequence", "decoders": decoders },
            "model": {
                "type": "BPE", "dropout": null, "unk_token": unknown.map(|id| &self.tokens[id]),
                "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": true,
                "byte_fallback": self.kinds.contains(&BYTE), "ignore_merges": false, "vocab": self.vocab(),
                "merges": merges::by_score(&self.tokens, &self.ids, &scores, &joined),
            },
        }))
    }
}

fn check_length(key: &'static str, found: usize, tokens: usize) -> Result<(), GgufTokenizerError> {
    if found == tokens { Ok(()) } else { Err(GgufTokenizerError::Length { key, found, tokens }) }
}

#[cfg(test)]
mod tests;
