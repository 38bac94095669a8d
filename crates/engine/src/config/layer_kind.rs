//! Kinds of layers, by the part that mixes tokens.

use serde_json::Value;

use super::error::{ConfigError, reject, require};
use super::fields::Fields;

/// Kind of a layer, by the part that mixes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerKind {
    Attention,
    /// A gated delta network.
    Delta,
    /// A gated short convolution.
    Convolution,
}

impl LayerKind {
    pub(crate) const ALL: [Self; 3] = [Self::Attention, Self::Delta, Self::Convolution];

    /// Returns the name in `layer_types`, and the error of a list with other names in a model that has layers of this kind beside
    /// those with attention.
    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Attention => ("full_attention", "it must list full_attention for each layer"),
            Self::Delta => ("linear_attention", "it must list full_attention or linear_attention for each layer"),
            Self::Convolution => ("conv", "it must list full_attention or conv for each layer"),
        }
    }
}

/// Returns the layers with attention of a model whose others are of a kind: those that `layer_types` lists so. Without that, every
/// fourth (`full_attention_interval`) is beside delta networks, and `full_attn_idxs` beside convolutions.
pub(super) fn attention_layers(file: &Fields<'_>, layers: usize, other: LayerKind) -> Result<Vec<usize>, ConfigError> {
    let (field, attention) = ("layer_types", LayerKind::Attention.name().0);
    let found: Vec<usize> = match (file.get(field), other) {
        (Some(listed), _) => {
            let (name, reason) = other.name();
            let kinds = listed.as_array().filter(|kinds| kinds.len() >= layers);
            let kinds = kinds.ok_or_else(|| reject(field, listed, reason))?[..layers].iter().map(Value::as_str);
            let known = |kind: &Option<&str>| *kind == Some(attention) || *kind == Some(name);
            require(kinds.clone().all(|kind| known(&kind)), field, listed, reason)?;
            kinds.enumerate().filter(|(_, kind)| *kind == Some(attention)).map(|(layer, _)| layer).collect()
        }
        (None, LayerKind::Attention) => (0..layers).collect(),
        (None, LayerKind::Delta) => {
            let interval = file.count("full_attention_interval")?.unwrap_or(4);
            require(interval > 0, "full_attention_interval", interval, "it must be at least 1")?;
            (0..layers).filter(|layer| (layer + 1).is_multiple_of(interval)).collect()
        }
        (None, LayerKind::Convolution) => {
            let listed = file.layers("full_attn_idxs")?;
            (0..layers).filter(|layer| listed.as_ref().is_none_or(|listed| listed.contains(layer))).collect()
        }
    };
    require(!found.is_empty(), field, file.get(field), "at least one layer must have full_attention")?;
    Ok(found)
}
