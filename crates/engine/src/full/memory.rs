//! Memory needed to train all parameters, computed before any is allocated.

use crate::config::{LayerKind, ModelConfig};
use crate::kernels::{MatrixFormat, WeightFormat};
use crate::model::{Fused, Layout, Parameter, parameters};
use crate::train::default_limit;

/// Error of a model whose parameters cannot all be trained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum FullTrainingError {
    #[error(
        "training all {parameters} parameters needs {needed_bytes} bytes of memory (weights, their packed copies, \
         gradients and the optimizer's moments) before any sequence, more than the {limit_bytes} bytes that training may \
         take here, which is half of the machine's memory; train a LoRA adapter, a smaller model, or use a machine with \
         more memory"
    )]
    Memory { parameters: usize, needed_bytes: usize, limit_bytes: usize },
    #[error("a model with experts ({0}) cannot be trained as a whole; train a LoRA adapter")]
    Experts(&'static str),
}

/// Returns the memory for training all parameters without sequences, in bytes: f32 weights, their two moments and
/// gradients, and the packed weights with their transposed copies for the backward pass.
pub fn memory_needed(config: &ModelConfig, format: WeightFormat) -> usize {
    let parameters = parameters(config);
    let own = parameters.iter().map(|parameter| (3 * parameter.len()).saturating_add(parameter.padded_len()));
    let own = own.fold(0, usize::saturating_add).saturating_mul(size_of::<f32>());
    let layout = Layout::new(config);
    let panels = |format: WeightFormat, depth: usize, columns: usize| {
        let format = MatrixFormat::from(format);
        let forward = format.packed_bytes(depth, columns);
        // A step packs the new weights while the old ones exist; the transposed ones are freed before.
        forward + forward.max(format.transposed_bytes(depth, columns))
    };
    let linears = |kind: LayerKind| -> usize {
        let fused = Fused::of(kind).iter();
        fused.map(|fused| panels(fused.format(format), fused.input(&layout).padded_len(), fused.columns(&layout))).sum()
    };
    let linears = LayerKind::ALL.into_iter().map(|kind| linears(kind).saturating_mul(config.layers_of(kind)));
    let (vocab, hidden) = (layout.vocab.padded_len(), layout.hidden.padded_len());
    let embedding = if config.tie_word_embeddings { 0 } else { 2 * vocab * hidden * size_of::<f32>() };
    let packed = linears
        .fold(0, usize::saturating_add)
        .saturating_add(panels(format.head(), hidden, vocab))
        .saturating_add(embedding);
    own.saturating_add(packed)
}

/// Checks that all parameters of a model can be trained on this machine.
///
/// # Errors
/// The model has experts, or needs more memory.
pub fn check(config: &ModelConfig, format: WeightFormat) -> Result<(), FullTrainingError> {
    check_within(config, format, default_limit()).map(|_| ())
}

/// Returns the number of bytes that a limit leaves for sequences.
///
/// # Errors
/// The model has experts, or needs more memory.
pub(super) fn check_within(
    config: &ModelConfig,
    format: WeightFormat,
    limit_bytes: usize,
) -> Result<usize, FullTrainingError> {
    if config.experts.is_some() {
        return Err(FullTrainingError::Experts(config.family.model_type()));
    }
    let needed_bytes = memory_needed(config, format);
    limit_bytes.checked_sub(needed_bytes).ok_or_else(|| {
        let parameters = parameters(config).iter().map(Parameter::len).sum();
        FullTrainingError::Memory { parameters, needed_bytes, limit_bytes }
    })
}
