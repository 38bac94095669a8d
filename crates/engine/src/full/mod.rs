//! Training of all parameters of a small model.
//!
//! The parameters are stored as f32 ([`FullWeights`], the master weights). Each step packs them again in the number
//! format that is served. Both the next forward pass and the sampler read those packed weights, so the trained weights
//! equal the served ones bit for bit. With bf16 and int8 weights, the gradient is that of the rounded weights and is
//! applied to the master weights unchanged ("straight through"), so that steps smaller than the rounding accumulate.
//!
//! The backward pass is that of adapters; [`gradients`] adds those of weights, at no cost if weights are frozen. Sums
//! over tokens are f32, in the order of rows, for any number of threads.

mod adam;
mod gradients;
mod head;
mod memory;
mod parameters;
mod session;
mod weights;

pub use adam::FullAdam;
pub use memory::{FullTrainingError, check, memory_needed};
pub use session::FullSession;
pub use weights::{FullWeights, FullWeightsError};

pub(crate) use gradients::{LayerHook, WeightGradients};
