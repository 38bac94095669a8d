//! Gated short convolutions of a `config.json`: layers that mix the last few tokens, in place of attention.
//!
//! Such a layer projects a row to three of its width, B, C and x. The output is the projection of `C * conv(B * x)`, where `conv` is a
//! causal convolution of each value on its own.

use super::error::{ConfigError, MAX_DIMENSION, require};
use super::fields::Fields;

/// Short convolutions of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvolutionConfig {
    /// Number of tokens that the convolution mixes, the present one included.
    pub taps: usize,
    /// Whether the convolution, and the projections of its input and its output, add a bias.
    pub bias: bool,
}

/// Maximum number of tokens that a convolution mixes.
pub(super) const MAX_TAPS: usize = 8;

/// Reads the short convolutions.
pub(super) fn read(file: &Fields<'_>) -> Result<ConvolutionConfig, ConfigError> {
    let field = "conv_L_cache";
    let taps = file.count(field)?.unwrap_or(3);
    require((2..=MAX_TAPS).contains(&taps), field, taps, "it must lie from 2 to 8")?;
    Ok(ConvolutionConfig { taps, bias: file.flag("conv_bias")?.unwrap_or(false) })
}

/// Returns the width of the feed-forward layer: `block_ff_dim` or `intermediate_size`, of which `block_auto_adjust_ff_dim` takes two
/// thirds, times `block_ffn_dim_multiplier`, rounded up to a multiple of `block_multiple_of`.
pub(super) fn feed_forward(file: &Fields<'_>, default: usize) -> Result<usize, ConfigError> {
    let field = if file.get("block_ff_dim").is_some() { "block_ff_dim" } else { "intermediate_size" };
    let width = file.count(field)?.unwrap_or(default);
    let reason = "it must lie from 1 to 1048576";
    require((1..=MAX_DIMENSION).contains(&width), field, width, reason)?;
    if !file.flag("block_auto_adjust_ff_dim")?.unwrap_or(true) {
        return Ok(width);
    }
    let mut width = 2 * width / 3;
    let field = "block_ffn_dim_multiplier";
    // Null leaves the width as it is.
    let absent = if file.has(field) { None } else { Some(1.0) };
    if let Some(factor) = file.number(field)?.or(absent) {
        require(factor > 0.0 && factor <= MAX_DIMENSION as f64, field, factor, "it must lie above 0, to 1048576")?;
        let multiple = file.count("block_multiple_of")?.unwrap_or(256);
        require((1..=MAX_DIMENSION).contains(&multiple), "block_multiple_of", multiple, reason)?;
        width = ((factor * width as f64) as usize).next_multiple_of(multiple);
    }
    require((1..=MAX_DIMENSION).contains(&width), "block_auto_adjust_ff_dim", width, reason)?;
    Ok(width)
}
