//! The pass through the layers of a model, forward and backward: one implementation for training, prefill and decoding.
//!
//! A caller gives a [batch](Batch) of rows, which may belong to any sequences and adapters, and owns all memory. Callers are
//! [`generate`](crate::generate) and [`train`](crate::train); a pass knows neither of them, and so cannot compute other bits for
//! one of them.
//!
//! A part of a layer has its forward pass in [`forward`] or in a file of its own like [`experts`], and its gradient in
//! [`backward`] or beside it. A part that another family has is written here; which models have it, [`config`](crate::config) says.
//!
//! Rejected: automatic differentiation. The gradient of each part is written by hand, so that every sum has a fixed order, and
//! no part of a layer's state is kept but what its gradient reads.

mod backward;
mod batch;
mod context;
mod delta;
mod delta_backward;
mod experts;
mod experts_backward;
mod forward;
mod kv_cache;
mod linear_backward;
mod rotary;
mod row_wise;
mod shared_expert;
mod short_convolution;
mod weight_gradients;

pub(crate) use backward::{BackwardContext, BackwardScratch, LayerPass, wide_len};
pub(crate) use batch::Batch;
pub(crate) use context::{Context, SequenceRun, States};
pub(crate) use forward::{InnerWidths, LayerState, NO_WIDTHS, Scratch, inner_widths, layer_forward};
pub(crate) use kv_cache::KvCache;
pub(crate) use linear_backward::Gradients;
pub(crate) use rotary::RotaryTable;
pub(crate) use row_wise::{copy_rows, normalise};
pub(crate) use weight_gradients::{LayerHook, WeightGradients};
