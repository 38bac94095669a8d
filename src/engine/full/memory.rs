//! How much memory training all parameters takes, before any of it is taken.

use super::parameters::parameters;
use crate::engine::kernels::Panels;
use crate::engine::layout::{Fused, Layout};
use crate::engine::machine_memory::default_limit;
use crate::engine::{ModelConfig, WeightFormat};

/// A model whose parameters cannot all be trained here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "training all {parameters} parameters needs {needed_bytes} bytes of memory (weights, their packed copies, gradients \
     and the optimizer's moments) before any sequence, more than the {limit_bytes} bytes that training may take here, \
     which is half of the machine's memory; train a LoRA adapter, a smaller model, or use a machine with more memory"
)]
pub struct FullMemoryError {
    /// Parameters of the model.
    pub parameters: usize,
    /// What they take.
    pub needed_bytes: usize,
    /// What training may take.
    pub limit_bytes: usize,
}

/// Bytes that training all parameters takes whatever the sequences: f32 weights, their two moments and gradients, and
/// the packed weights with their transposed copies for the backward pass.
pub fn memory_needed(config: &ModelConfig, format: WeightFormat) -> usize {
    let parameters = parameters(config);
    let own = parameters.iter().map(|parameter| (3 * parameter.len()).saturating_add(parameter.padded_len()));
    let own = own.fold(0, usize::saturating_add).saturating_mul(size_of::<f32>());
    let layout = Layout::new(config);
    let panels = |depth: usize, columns: usize| {
        let forward = Panels::packed_bytes(format, depth, columns);
        // A step packs the new weights beside the old ones, when the transposed ones are gone.
        forward + forward.max(Panels::packed_bytes(format.backward(), columns, depth))
    };
    let linears: usize =
        Fused::ALL.into_iter().map(|fused| panels(fused.input(&layout).padded_len(), fused.columns(&layout))).sum();
    let (vocab, hidden) = (layout.vocab.padded_len(), layout.hidden.padded_len());
    let embedding = if config.tie_word_embeddings { 0 } else { 2 * vocab * hidden * size_of::<f32>() };
    let packed = linears.saturating_mul(config.layers).saturating_add(panels(hidden, vocab)).saturating_add(embedding);
    own.saturating_add(packed)
}

/// Refuses a model whose parameters cannot all be trained on this machine.
///
/// # Errors
/// With what is needed and what there is.
pub fn check_memory(config: &ModelConfig, format: WeightFormat) -> Result<(), FullMemoryError> {
    check_within(config, format, default_limit()).map(|_| ())
}

/// Bytes that a limit leaves for sequences.
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
