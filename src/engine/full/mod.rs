//! Training of all parameters of a small model, where an adapter is not enough.
//!
//! The parameters live as f32 ([`FullWeights`], the masters). Each step packs them anew in the number format that is
//! served, and both the next forward pass and the sampler read those packed weights: what is trained is what is served,
//! to the bit. Beside bf16 and int8 weights the gradient is that of the rounded weights and is applied to the masters as
//! it is ("straight through"), so that steps smaller than the rounding add up.
//!
//! The backward pass is that of adapters; the gradients of weights hang on it ([`gradients`]) and cost nothing where
//! weights are frozen. Sums over tokens are f32, in order of rows, whatever the number of threads.

mod adam;
mod gradients;
mod head;
mod memory;
mod parameters;
mod session;
mod weights;

pub use adam::FullAdam;
pub use memory::{FullMemoryError, check_memory, memory_needed};
pub use session::FullSession;
pub use weights::{FullWeights, FullWeightsError};

pub(crate) use gradients::{LayerHook, LayerNorm, WeightGradients};
