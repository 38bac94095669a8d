//! Memory needed to train all parameters, computed before any is allocated.

use super::parameters::parameters;
use crate::kernels::Panels;
use crate::layout::{Fused, Layout};
use crate::machine_memory::default_limit;
use crate::{ModelConfig, WeightFormat};

/// Error of a model whose parameters do not fit into the memory for full training.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "training all {parameters} parameters needs {needed_bytes} bytes of memory (weights, their packed copies, gradients \
     and the optimizer's moments) before any sequence, more than the {limit_bytes} bytes that training may take here, \
     which is half of the machine's memory; train a LoRA adapter, a smaller model, or use a machine with more memory"
)]
pub struct FullMemoryError {
    /// Number of parameters of the model.
    pub parameters: usize,
    /// Memory needed, in bytes.
    pub needed_bytes: usize,
    /// Memory limit of training, in bytes.
    pub limit_bytes: usize,
}

/// Returns the memory for training all parameters without sequences, in bytes: f32 weights, their two moments and
/// gradients, and the packed weights with their transposed copies for the backward pass.
pub fn memory_needed(config: &ModelConfig, format: WeightFormat) -> usize {
    let parameters = parameters(config);
    let own = parameters.iter().map(|parameter| (3 * parameter.len()).saturating_add(parameter.padded_len()));
    let own = own.fold(0, usize::saturating_add).saturating_mul(size_of::<f32>());
    let layout = Layout::new(config);
    let panels = |format: WeightFormat, depth: usize, columns: usize| {
        let forward = Panels::packed_bytes(format, depth, columns);
        // A step packs the new weights while the old ones exist; the transposed ones are freed before.
        forward + forward.max(Panels::transposed_bytes(format, depth, columns))
    };
    let linears: usize = Fused::ALL
        .into_iter()
        .map(|fused| panels(format, fused.input(&layout).padded_len(), fused.columns(&layout)))
        .sum();
    let (vocab, hidden) = (layout.vocab.padded_len(), layout.hidden.padded_len());
    let embedding = if config.tie_word_embeddings { 0 } else { 2 * vocab * hidden * size_of::<f32>() };
    let packed = linears
        .saturating_mul(config.layers)
        .saturating_add(panels(format.head(), hidden, vocab))
        .saturating_add(embedding);
    own.saturating_add(packed)
}

/// Checks that all parameters of a model can be trained on this machine.
///
/// # Errors
/// The memory needed and the limit.
pub fn check_memory(config: &ModelConfig, format: WeightFormat) -> Result<(), FullMemoryError> {
    check_within(config, format, default_limit()).map(|_| ())
}

/// Returns the number of bytes that a limit leaves for sequences.
pub(super) fn check_within(
    config: &ModelConfig,
    format: WeightFormat,
    limit_bytes: usize,
) -> Result<usize, FullMemoryError> {
    let needed_bytes = memory_needed(config, format);
    limit_bytes.checked_sub(needed_bytes).ok_or_else(|| {
        let parameters = parameters(config).iter().map(super::parameters::Parameter::len).sum();
        FullMemoryError { parameters, needed_bytes, limit_bytes }
    })
}
