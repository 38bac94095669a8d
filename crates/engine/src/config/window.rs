//! Sliding window of a `config.json`: layers that attend to the last tokens only.

use super::fields::Fields;
use super::{ConfigError, Family, refuse, require};

/// Sliding window of some or all layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlidingWindow {
    /// Number of tokens that a token attends to, itself included.
    pub tokens: usize,
    /// Layers that attend to all tokens, in order.
    pub full_layers: Vec<usize>,
}

/// Reads the window; `None` if every layer attends to all tokens.
pub(super) fn read(
    file: &Fields<'_>,
    family: Family,
    layers: usize,
    layers_without_rope: &[usize],
) -> Result<Option<SlidingWindow>, ConfigError> {
    let kinds = kinds(file, layers)?;
    // Null means no window.
    let by_default = |tokens| if file.has("sliding_window") { None } else { Some(tokens) };
    let listed = file.count("sliding_window")?;
    let used = file.flag("use_sliding_window")? == Some(true);
    let tokens = match family {
        Family::Llama | Family::Olmo2 => None,
        Family::Mistral => listed.or(by_default(4096)),
        Family::Qwen2 | Family::Qwen3 | Family::Qwen3Moe => listed.or(by_default(4096)).filter(|_| used),
        Family::SmolLm3 => listed.filter(|_| used),
        Family::Phi3 => listed,
        Family::Olmo3 | Family::Gemma3 => listed.or(by_default(4096)),
    };
    require(tokens != Some(0), "sliding_window", tokens, "it must be at least 1, or null")?;
    let slides = match (family, kinds) {
        (Family::Qwen2 | Family::Qwen3 | Family::SmolLm3 | Family::Olmo3 | Family::Gemma3, Some(kinds)) => kinds,
        (Family::Olmo3 | Family::Gemma3, None) => {
            let pattern = match family {
                Family::Olmo3 => 4,
                _ => file.count("sliding_window_pattern")?.unwrap_or(6),
            };
            require(pattern > 0, "sliding_window_pattern", pattern, "it must be at least 1")?;
            (0..layers).map(|layer| !(layer + 1).is_multiple_of(pattern)).collect()
        }
        (Family::Qwen2 | Family::Qwen3, None) => {
            let first = file.count("max_window_layers")?.unwrap_or(28);
            (0..layers).map(|layer| tokens.is_some() && layer >= first).collect()
        }
        (Family::SmolLm3, None) => {
            (0..layers).map(|layer| tokens.is_some() && layers_without_rope.binary_search(&layer).is_ok()).collect()
        }
        // They have one kind of layer, whatever the list says.
        (Family::Llama | Family::Olmo2 | Family::Mistral | Family::Qwen3Moe | Family::Phi3, kinds) => {
            let full = kinds.is_none_or(|kinds| kinds.iter().all(|slides| !slides));
            let reason = "layers of this model_type are of one kind, full_attention";
            require(full, "layer_types", file.get("layer_types"), reason)?;
            vec![tokens.is_some(); layers]
        }
    };
    if !slides.contains(&true) {
        return Ok(None);
    }
    let reason = "layers with sliding_attention need sliding_window, and use_sliding_window where it exists";
    let tokens = tokens.ok_or_else(|| refuse("layer_types", file.get("layer_types"), reason))?;
    let full_layers = (0..layers).filter(|layer| !slides[*layer]).collect();
    Ok(Some(SlidingWindow { tokens, full_layers }))
}

/// Returns for each layer of `layer_types` whether it has a window.
fn kinds(file: &Fields<'_>, layers: usize) -> Result<Option<Vec<bool>>, ConfigError> {
    let field = "layer_types";
    let Some(value) = file.get(field) else { return Ok(None) };
    let reason = "it must list full_attention or sliding_attention for each layer";
    let listed =
        value.as_array().filter(|listed| listed.len() >= layers).ok_or_else(|| refuse(field, value, reason))?;
    let kind = |kind: &serde_json::Value| match kind.as_str() {
        Some("full_attention") => Some(false),
        Some("sliding_attention") => Some(true),
        _ => None,
    };
    let kinds: Option<Vec<bool>> = listed[..layers].iter().map(kind).collect();
    kinds.map(Some).ok_or_else(|| refuse(field, value, reason))
}
