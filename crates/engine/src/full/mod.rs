//! Training of all parameters of a small model.
//!
//! The parameters are stored as f32 ([`FullWeights`], the master weights). Each step packs them again in the number
//! format that is served. Both the next forward pass and the sampler read those packed weights, so the trained weights
//! equal the served ones bit for bit. With bf16 and int8 weights, the gradient is that of the rounded weights and is
//! applied to the master weights unchanged ("straight through"), so that steps smaller than the rounding accumulate.
//!
//! The backward pass is that of adapters, which [collects](crate::pass::WeightGradients) the gradients of weights too, at no cost if
//! they are frozen. Sums over tokens are f32, in the order of rows, for any number of threads.
//!
//! It stands above [`train`](crate::train), whose session it drives, and adds what weights need and adapters do not: master values,
//! an optimizer over all tensors of the model, and its memory.

mod adam;
mod memory;
mod session;
mod weights;

pub use adam::FullAdam;
pub use memory::{FullTrainingError, check, memory_needed};
pub use session::FullSession;
pub use weights::{FullWeights, FullWeightsError};
