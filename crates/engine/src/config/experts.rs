//! Experts of a `config.json`: fields of mixture-of-experts models.

use super::error::{ConfigError, MAX_DIMENSION, require};
use super::fields::Fields;

/// Maximum number of experts of a layer: ten times that of published models.
const MAX_EXPERTS: usize = 4096;

/// Experts of a model. Each token's feed-forward part is a weighted sum of a few of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpertConfig {
    /// Number of experts of a layer.
    pub count: usize,
    /// Number of experts that a token uses.
    pub per_token: usize,
    /// Width of an expert.
    pub intermediate_size: usize,
    /// Whether the weights of a token's experts are scaled so that their sum is one.
    pub normalises_weights: bool,
    /// Layers with a feed-forward part of `ModelConfig::intermediate_size` in place of experts, in order.
    pub dense_layers: Vec<usize>,
    /// Whether every token uses a shared expert, too: a feed-forward part of `ModelConfig::intermediate_size`, times the sigmoid of
    /// a projection of the token's row to one number.
    pub has_shared: bool,
}

/// Experts of a family, with the defaults of its fields.
#[derive(Clone, Copy)]
pub(super) struct ExpertTraits {
    pub(super) count: usize,
    pub(super) intermediate_size: usize,
    /// Whether fields say which layers have experts, and whether weights are normalised: if not, all layers do and all weights are.
    pub(super) is_configured: bool,
    pub(super) has_shared: bool,
}

/// Reads the experts; `None` if no layer has any.
pub(super) fn read(
    file: &Fields<'_>,
    layers: usize,
    traits: ExpertTraits,
) -> Result<Option<ExpertConfig>, ConfigError> {
    // Version 5 of `transformers` writes the second name.
    let field = if file.get("num_experts").is_some() { "num_experts" } else { "num_local_experts" };
    let count = file.count(field)?.unwrap_or(traits.count);
    require(count <= MAX_EXPERTS, field, count, "it must be at most 4096")?;
    let (mut step, mut listed, mut normalises_weights) = (1, Vec::new(), true);
    if traits.is_configured {
        step = file.count("decoder_sparse_step")?.unwrap_or(1);
        require(step > 0, "decoder_sparse_step", step, "it must be at least 1")?;
        listed = file.layers("mlp_only_layers")?.unwrap_or_default();
        normalises_weights = file.flag("norm_topk_prob")?.unwrap_or(false);
    } else {
        require(count > 0, field, count, "every layer has experts")?;
    }
    let is_dense = |layer: &usize| count == 0 || listed.contains(layer) || !(layer + 1).is_multiple_of(step);
    let dense_layers: Vec<usize> = (0..layers).filter(is_dense).collect();
    if dense_layers.len() == layers {
        return Ok(None);
    }
    let per_token = file.count("num_experts_per_tok")?.unwrap_or(8);
    require((1..=count).contains(&per_token), "num_experts_per_tok", per_token, "it must lie from 1 to num_experts")?;
    let intermediate_size = file.count("moe_intermediate_size")?.unwrap_or(traits.intermediate_size);
    let valid = (1..=MAX_DIMENSION / per_token).contains(&intermediate_size);
    let reason = "it must lie from 1 to 1048576, over all experts of a token together";
    require(valid, "moe_intermediate_size", intermediate_size, reason)?;
    let has_shared = traits.has_shared;
    Ok(Some(ExpertConfig { count, per_token, intermediate_size, normalises_weights, dense_layers, has_shared }))
}
