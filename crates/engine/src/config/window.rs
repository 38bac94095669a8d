//! Sliding window of a `config.json`: layers that attend to the last tokens only.

use super::error::{ConfigError, reject, require};
use super::family::{Family, Traits, WindowLayers};
use super::fields::Fields;
use super::layer_kind::LayerKind;

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
    let Traits { window_layers, window, window_needs_flag, other_kind, .. } = family.traits();
    if other_kind != LayerKind::Attention {
        return Ok(None); // Their layers are of other kinds.
    }
    let kinds = kinds(file, layers)?;
    let listed = file.count("sliding_window")?;
    let used = file.flag("use_sliding_window")? == Some(true);
    let tokens = match window_layers {
        WindowLayers::None => None,
        // Null means no window.
        _ => listed.or(window.filter(|_| !file.has("sliding_window"))).filter(|_| used || !window_needs_flag),
    };
    require(tokens != Some(0), "sliding_window", tokens, "it must be at least 1, or null")?;
    let slides = match (window_layers, kinds) {
        // They have one kind of layer, whatever the list says.
        (WindowLayers::None | WindowLayers::All, kinds) => {
            let full = kinds.is_none_or(|kinds| kinds.iter().all(|slides| !slides));
            let reason = "layers of this model_type are of one kind, full_attention";
            require(full, "layer_types", file.get("layer_types"), reason)?;
            vec![tokens.is_some(); layers]
        }
        (_, Some(kinds)) => kinds,
        (WindowLayers::Last, None) => {
            let first = file.count("max_window_layers")?.unwrap_or(28);
            (0..layers).map(|layer| tokens.is_some() && layer >= first).collect()
        }
        (WindowLayers::WithoutRope, None) => {
            (0..layers).map(|layer| tokens.is_some() && layers_without_rope.binary_search(&layer).is_ok()).collect()
        }
        (WindowLayers::ExceptEvery { number, field }, None) => {
            let number = field.map(|field| file.count(field)).transpose()?.flatten().unwrap_or(number);
            require(number > 0, "sliding_window_pattern", number, "it must be at least 1")?;
            (0..layers).map(|layer| !(layer + 1).is_multiple_of(number)).collect()
        }
    };
    if !slides.contains(&true) {
        return Ok(None);
    }
    let reason = "layers with sliding_attention need sliding_window, and use_sliding_window where it exists";
    let tokens = tokens.ok_or_else(|| reject("layer_types", file.get("layer_types"), reason))?;
    let full_layers = (0..layers).filter(|layer| !slides[*layer]).collect();
    Ok(Some(SlidingWindow { tokens, full_layers }))
}

/// Returns for each layer of `layer_types` whether it has a window.
fn kinds(file: &Fields<'_>, layers: usize) -> Result<Option<Vec<bool>>, ConfigError> {
    let field = "layer_types";
    let Some(value) = file.get(field) else { return Ok(None) };
    let reason = "it must list full_attention or sliding_attention for each layer";
    let listed =
        value.as_array().filter(|listed| listed.len() >= layers).ok_or_else(|| reject(field, value, reason))?;
    let kind = |kind: &serde_json::Value| match kind.as_str() {
        Some("full_attention") => Some(false),
        Some("sliding_attention") => Some(true),
        _ => None,
    };
    let kinds: Option<Vec<bool>> = listed[..layers].iter().map(kind).collect();
    kinds.map(Some).ok_or_else(|| reject(field, value, reason))
}
