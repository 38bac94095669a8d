//! Gated delta networks of a `config.json`: layers with a recurrent state in place of attention.
//!
//! Such a layer computes the gated delta rule (Yang et al. 2024, "Gated Delta Networks: Improving Mamba2 with Delta Rule",
//! <https://arxiv.org/abs/2412.06464>) over queries, keys and values that a causal convolution has mixed.

use super::convolution::MAX_TAPS;
use super::error::{ConfigError, MAX_DIMENSION, require};
use super::fields::Fields;

/// Delta networks of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaConfig {
    /// Number of query and key heads.
    pub key_heads: usize,
    /// Number of value heads, a multiple of `key_heads`.
    pub value_heads: usize,
    /// Width of a query or key head.
    pub key_dim: usize,
    /// Width of a value head.
    pub value_dim: usize,
    /// Number of tokens that the convolution mixes, the present one included.
    pub convolution: usize,
}

impl DeltaConfig {
    /// Returns the number of values of a row that the convolution mixes: those of queries, keys and values.
    pub fn mixed(&self) -> usize {
        2 * self.key_heads * self.key_dim + self.values()
    }

    /// Returns the number of values of a row of the output.
    pub fn values(&self) -> usize {
        self.value_heads * self.value_dim
    }
}

/// Number of values of a vector of the kernels.
const VECTOR: usize = 16;

/// Reads the delta networks.
pub(super) fn read(file: &Fields<'_>) -> Result<DeltaConfig, ConfigError> {
    let count = |field: &'static str, default: usize| -> Result<usize, ConfigError> {
        let count = file.count(field)?.unwrap_or(default);
        require((1..=MAX_DIMENSION).contains(&count), field, count, "it must lie from 1 to 1048576")?;
        Ok(count)
    };
    let delta = DeltaConfig {
        key_heads: count("linear_num_key_heads", 16)?,
        value_heads: count("linear_num_value_heads", 32)?,
        key_dim: count("linear_key_head_dim", 128)?,
        value_dim: count("linear_value_head_dim", 128)?,
        convolution: count("linear_conv_kernel_dim", 4)?,
    };
    let (keys, values) = (delta.key_heads, delta.value_heads);
    let field = "linear_num_value_heads";
    require(values.is_multiple_of(keys), field, values, "it must be a multiple of linear_num_key_heads")?;
    let valid = 2 * keys * delta.key_dim <= MAX_DIMENSION && values * delta.value_dim <= MAX_DIMENSION;
    require(valid, field, values, "heads are too many")?;
    let are_whole = [delta.key_dim, delta.value_dim].iter().all(|width| width.is_multiple_of(VECTOR));
    let reason = "it must equal linear_key_head_dim, or both be multiples of 16";
    let valid = delta.key_dim == delta.value_dim || are_whole;
    require(valid, "linear_value_head_dim", delta.value_dim, reason)?;
    let valid = (2..=MAX_TAPS).contains(&delta.convolution);
    require(valid, "linear_conv_kernel_dim", delta.convolution, "it must lie from 2 to 8")?;
    Ok(delta)
}
