//! Decoders inside models that read images or sound too.
//!
//! Classes such as `Gemma3ForConditionalGeneration` have the decoder's fields in `text_config`, with a `model_type` of its own. For
//! text alone such a model computes what the decoder does.

use serde_json::{Map, Value};

use super::error::{ConfigError, reject};
use super::family::Family;
use super::fields::Fields;

/// Object with the decoder's fields.
pub(super) const NAME: &str = "text_config";
/// End of the names of classes that have one.
const CLASS: &str = "ForConditionalGeneration";
/// Fields beside the object that hold for the decoder if it does not have them.
const SHARED: [&str; 4] = ["quantization_config", "dtype", "torch_dtype", "eos_token_id"];
/// Field beside the object that stands above the decoder's own, since `transformers` 5 ties by it.
const TIED: &str = "tie_word_embeddings";

/// Returns `config.json` of the decoder alone, if the document is that of a model around one.
///
/// # Errors
/// The model around it has a class that is none of those, or the object is none.
pub fn decoder_config(document: &Value) -> Result<Option<Value>, ConfigError> {
    let file = Fields::document(document)?;
    let model_type = file.text("model_type")?;
    let is_decoder = Family::ALL.into_iter().any(|family| Some(family.model_type()) == model_type);
    let Some(inner) = file.get(NAME).filter(|_| !is_decoder) else { return Ok(None) };
    let inner = inner.as_object().ok_or_else(|| reject(NAME, inner, "it must be an object"))?;
    let is_class = |class: &Value| class.as_str().is_some_and(|class| class.ends_with(CLASS));
    let classes = file.get("architectures");
    if !classes.and_then(Value::as_array).is_none_or(|classes| classes.iter().any(is_class)) {
        let reason = "of models with a text_config, classes are read whose names end in ForConditionalGeneration";
        return Err(reject("architectures", classes, reason));
    }
    let mut decoder: Map<String, Value> = inner.clone();
    for field in [&SHARED[..], &[TIED]].concat() {
        if let Some(value) = file.get(field)
            && (field == TIED || decoder.get(field).is_none_or(Value::is_null))
        {
            decoder.insert(field.to_owned(), value.clone());
        }
    }
    let inner_type = decoder.get("model_type").and_then(Value::as_str);
    if let Some(family) = Family::ALL.into_iter().find(|family| Some(family.model_type()) == inner_type) {
        decoder.insert("architectures".to_owned(), Value::from(vec![family.traits().class]));
    }
    Ok(Some(Value::Object(decoder)))
}

/// Beginnings of the names of the decoder's tensors, and of the same tensors of a decoder alone. The first are those of
/// `transformers` from 4.52 on, the others of older files.
const BEGINNINGS: [(&str, &str); 6] = [
    ("model.language_model.", "model."),
    ("language_model.model.", "model."),
    ("language_model.lm_head.", "lm_head."),
    ("lm_head.", "lm_head."),
    ("model.text_model.", "model."),
    // Checkpoints of all weights, which have a decoder's names.
    ("model.layers.", "model.layers."),
];
const OUTSIDE: [&str; 3] = ["model.embed_tokens.weight", "model.norm.weight", "model.embedding_norm.weight"];

/// Returns the name that a tensor of the decoder has in a decoder alone; `None` for a tensor of another part.
pub(crate) fn decoder_name(name: &str) -> Option<String> {
    if OUTSIDE.contains(&name) {
        return Some(name.to_owned());
    }
    BEGINNINGS.iter().find_map(|(whole, alone)| Some(format!("{alone}{}", name.strip_prefix(whole)?)))
}
