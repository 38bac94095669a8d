//! The first tokens of a model, which show whether what it computes is finite.

use std::sync::Arc;

use bytes::Bytes;

use super::decoder::Decoder;
use super::rows::BatchRow;
use crate::config::ModelConfig;
use crate::files::{LoadError, Tensors};
use crate::kernels::{ComputePool, WeightFormat, log_softmax};
use crate::model::BaseModel;

/// Number of tokens that [`check_logits`] runs: the attention and the rotation between two tokens take part.
const CHECKED_TOKENS: u32 = 3;

/// Runs a few tokens through a model and checks the logits after them.
///
/// # Errors
/// [`LoadError::Logits`] if they are infinite or NaN.
pub fn check_logits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>) -> Result<(), LoadError> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), CHECKED_TOKENS as usize);
    let sequence = decoder.add_sequence();
    let count = CHECKED_TOKENS.min(base.config.vocab_size as u32).min(base.config.max_position_embeddings as u32);
    let row =
        |token| BatchRow { token, position: token as usize, sequence, adapter: None, want_logits: token + 1 == count };
    let rows: Vec<BatchRow<'_>> = (0..count).map(row).collect();
    let logits = decoder.forward(&rows).expect("the rows are of this model and continue their sequence");
    if log_softmax(logits.row(0)).is_finite() { Ok(()) } else { Err(LoadError::Logits) }
}

impl BaseModel {
    /// Like [`BaseModel::load`] with [`check_logits`], but leaves the matrices that a file has in this format there until
    /// [`BaseModel::pack_rest`]: the model can be used at once, with the same results, and more slowly. Calls `progress` with
    /// (bytes of tensors found so far, bytes of tensors in all files).
    ///
    /// # Errors
    /// The errors of those functions.
    pub fn load_lazily(
        config_json: &str,
        files: &[(String, Bytes)],
        format: WeightFormat,
        pool: &Arc<ComputePool>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Arc<Self>, LoadError> {
        let config = ModelConfig::from_json(config_json)?;
        let shards: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        let mut tensors = Tensors::of_files(&config, &shards)?;
        tensors.files = files.iter().map(|(_, bytes)| bytes.clone()).collect();
        tensors.progress = Some(progress);
        let held = tensors.format(format);
        let base = Self::pack(config, tensors, held, pool)?;
        // This reads all weights, and so finds those that are not finite.
        let logits = check_logits(pool, &base);
        if !base.linears().all(|linear| linear.forward.is_finite()) {
            // The weight is named.
            Self::load(config_json, &shards, format, pool)?;
        }
        logits.map(|()| base)
    }
}
