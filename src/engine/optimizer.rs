//! AdamW with a global gradient-norm limit.

use super::Adapter;

/// Settings of one optimiser step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamHyper {
    /// Learning rate.
    pub lr: f32,
    /// Decay of the first moment.
    pub beta1: f32,
    /// Decay of the second moment.
    pub beta2: f32,
    /// Added to the root of the second moment.
    pub eps: f32,
    /// Decoupled weight decay, on every LoRA tensor.
    pub weight_decay: f32,
    /// Limit of the gradient's global L2 norm.
    pub clip_norm: f32,
}

impl Default for AdamHyper {
    fn default() -> Self {
        Self { lr: 5e-6, beta1: 0.9, beta2: 0.99, eps: 1e-8, weight_decay: 0.0, clip_norm: 1.0 }
    }
}

/// Why saved optimiser state cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("optimiser state: {0}")]
pub struct AdamStateError(pub String);

/// AdamW's memory of earlier steps.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamState {
    /// Steps taken so far.
    pub step: u64,
}

impl AdamState {
    /// Zero moments for an adapter's shape.
    pub fn new(_adapter: &Adapter) -> Self {
        todo!()
    }

    /// The state as safetensors bytes; the same state gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }

    /// Reads [`AdamState::to_bytes`] back; refuses state of another shape.
    pub fn from_bytes(_bytes: &[u8], _adapter: &Adapter) -> Result<Self, AdamStateError> {
        todo!()
    }
}
