//! Training: sequences to scores and gradients, and steps of the optimizer.
//!
//! A [`TrainSession`] owns the memory of a call and plans it before any is allocated. It scores the sequences of a call as one
//! [forest](token_tree), runs the passes of [`pass`](crate::pass), and steps. It trains an adapter, or collects the gradients of all
//! weights for [`full`](crate::full). Losses and data are no matter here: a caller gives the derivative by each logprob.
//!
//! A new operation of training, and a record of operations that are to be repeated, begins at [`TrainSession`], the one place that
//! changes parameters; a new method is a variant of [`TrainingMethod`].
//!
//! Rejected: gradients of one sequence after another. Completions of a prompt share its rows, which would be computed once for
//! each of them.

mod error;
mod head;
mod machine_memory;
mod memory;
mod optimizer;
mod sequence;
mod session;
mod token_tree;

pub use error::TrainError;
pub(crate) use machine_memory::default_limit;
pub use machine_memory::machine_memory;
pub(crate) use memory::Demand;
pub use memory::MemoryPlan;
pub use optimizer::{AdamHyper, AdamState, AdamStateError};
pub(crate) use optimizer::{StateFile, clip_factor};
pub use sequence::{Scores, SequenceInput};
pub(crate) use session::state_limit;
pub use session::{StepReport, TrainSession};
pub(crate) use token_tree::TokenTree;
pub use trainyard_model_options::TrainingMethod;
