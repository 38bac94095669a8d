//! A base model in memory: the layout of its dimensions, its weights, and their names.
//!
//! [`layout`] lists the projections and norms that layers can have, and says of each which models have it, its name, its sizes
//! and its bias. Loading, adapters and the parameters of full training all read that list, so a new part is described there once;
//! [`weights`] keeps it, and [`load`] packs it. The computation is in [`pass`](crate::pass), and the file formats are in
//! [`files`](crate::files).
//!
//! Rejected: a tensor graph. Layers of all families are one graph with optional parts, written as code that the compiler checks
//! and that plans its memory before it runs.

mod axis;
mod columns;
mod held;
mod layout;
mod load;
mod parameters;
mod weights;

#[cfg(test)]
pub(crate) use axis::Axis;
#[cfg(test)]
pub(crate) use columns::SideBySide;
pub use held::HeldMatrices;
pub(crate) use layout::{ConvolutionLayout, DeltaLayout, FUSED, Fused, LayerNorm, Layout, PROJECTIONS, Projection};
pub(crate) use parameters::{ConvolutionPart, DeltaPart, LayerPart, Parameter, Role, parameters};
pub use weights::BaseModel;
pub(crate) use weights::{
    Choice, ConvolutionWeights, DeltaWeights, Experts, FeedForward, Layer, Linear, Mixer, SharedExpert,
};
