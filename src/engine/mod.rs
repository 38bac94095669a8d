//! The numerical engine: tensors and tokens only. It knows nothing of text, HTTP or storage.
//!
//! One forward implementation serves training and decoding, and the order of every summation is fixed, so a token's
//! logits have the same bits in any batch, chunking, cache state, thread count and in training.

mod backward;
mod chat_share;
pub mod config;
pub mod decode;
mod forward;
pub mod full;
mod head;
pub mod kernels;
mod kv_cache;
mod layout;
mod linear_backward;
pub mod lora;
pub mod lora_options;
mod lora_packed;
mod machine_memory;
pub mod method;
pub mod optimizer;
mod peft_config;
pub mod pool;
mod rotary;
pub mod sampling;
pub mod scheduler;
mod token_tree;
pub mod train;
mod train_error;
mod train_memory;
mod turns;
pub mod weights;

#[cfg(test)]
pub(crate) mod tests;

pub use chat_share::{ChatShare, ChatShareError};
pub use config::{ConfigError, Family, ModelConfig};
pub use decode::{BatchRow, DecodeError, Decoder, Logits, SequenceHandle};
pub use kernels::{LogSoftmax, UnknownWeightFormat, WeightFormat, log_softmax};
pub use lora::{Adapter, AdapterError, PeftFiles};
pub use lora_options::{LoraOptions, LoraOptionsError, TargetModules};
pub use method::TrainingMethod;
pub use optimizer::{AdamHyper, AdamState, AdamStateError};
pub(crate) use peft_config::PeftConfig;
pub use pool::ComputePool;
pub use rotary::RopeScaling;
pub use train::{MemoryPlan, Scores, SequenceInput, StepReport, TrainError, TrainSession};
pub use weights::{BaseModel, LoadError};
