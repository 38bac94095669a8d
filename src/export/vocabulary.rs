//! Tokenizer and chat template as metadata of a GGUF file.

use super::FormError;
use crate::engine::export::MetadataValue;
use crate::model_files::ModelFiles;
use crate::text::GgmlVocabulary;

/// Returns the metadata of a model with an embedding of `size` tokens.
pub(super) fn metadata(files: &ModelFiles, size: usize) -> Result<Vec<(String, MetadataValue)>, FormError> {
    let GgmlVocabulary { model, pre, tokens, types, scores, merges, add_space_prefix, unknown } =
        GgmlVocabulary::read(&files.tokenizer_json, size)?;
    let tokenizer = files.tokenizer()?;
    let special = |name: &str| tokenizer.token_to_id(&files.special_token(name)?);
    let ends = files.end_of_turn(&tokenizer)?;
    let end = special("eos_token").or_else(|| ends.first().copied());
    let opening = tokenizer.opening().first().copied();
    let mut all = Vec::new();
    let mut add = |key: &str, value| all.push((format!("tokenizer.{key}"), value));
    add("ggml.model", MetadataValue::Text(model.to_owned()));
    add("ggml.pre", MetadataValue::Text(pre.to_owned()));
    add("ggml.tokens", MetadataValue::Texts(tokens));
    add("ggml.token_type", MetadataValue::I32s(types));
    if !scores.is_empty() {
        add("ggml.scores", MetadataValue::F32s(scores));
        add("ggml.add_space_prefix", MetadataValue::Bool(add_space_prefix));
    }
    if !merges.is_empty() {
        add("ggml.merges", MetadataValue::Texts(merges));
    }
    let ids = [
        ("bos", opening.or_else(|| special("bos_token"))),
        ("eos", end),
        // llama.cpp ends a turn at either.
        ("eot", ends.iter().copied().find(|id| Some(*id) != end)),
        ("unknown", unknown),
        ("padding", special("pad_token")),
    ];
    for (name, id) in ids {
        if let Some(id) = id {
            add(&format!("ggml.{name}_token_id"), MetadataValue::U32(id));
        }
    }
    add("ggml.add_bos_token", MetadataValue::Bool(opening.is_some()));
    add("ggml.add_eos_token", MetadataValue::Bool(false));
    if let Some(template) = &files.chat_template {
        add("chat_template", MetadataValue::Text(template.clone()));
    }
    Ok(all)
}
