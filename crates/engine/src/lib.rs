//! Numerical engine: tensors and tokens only, without text, HTTP or storage.
//!
//! One forward implementation serves training and decoding, and the order of every summation is fixed. A token's logits
//! therefore have the same bits in any batch, chunk, cache state and thread count, and in training.

mod adapter_effect;
mod backward;
mod chat_share;
pub mod config;
pub mod decode;
mod experts;
mod experts_backward;
mod file_columns;
mod forward;
pub mod full;
mod gguf;
mod head;
pub mod kernels;
mod kv_cache;
mod layout;
mod linear_backward;
pub mod lora;
mod lora_error;
pub mod lora_options;
mod lora_packed;
mod machine_memory;
pub mod method;
pub mod optimizer;
mod panic;
mod peft_config;
pub mod pool;
mod quantised;
mod rotary;
mod safetensors_header;
pub mod sampler;
pub mod sampling;
pub mod scheduler;
mod sequence;
mod tensors;
mod token_tree;
pub mod train;
mod train_error;
mod train_memory;
mod turns;
pub mod weights;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use chat_share::{ChatShare, ChatShareError};
pub use config::{Activation, ConfigError, ExpertConfig, Family, HeadNorms, ModelConfig, NormPlacement, SlidingWindow};
pub use decode::{BatchRow, DecodeError, Decoder, Logits, SequenceHandle, check_logits};
pub use gguf::GgufError;
pub use kernels::{LogSoftmax, MappedFile, UnknownWeightFormat, WeightFormat, log_softmax};
pub use lora::{Adapter, AdapterError, PeftFiles};
pub use lora_options::{LoraOptions, LoraOptionsError, TargetModules};
pub use machine_memory::machine_memory;
pub use method::TrainingMethod;
pub use optimizer::{AdamHyper, AdamState, AdamStateError};
pub use panic::panic_text;
pub use peft_config::PeftConfig;
pub use pool::ComputePool;
pub use rotary::{Rope, RopeScaling};
pub use safetensors_header::HeaderError;
pub use train::{MemoryPlan, Scores, SequenceInput, StepReport, TrainError, TrainSession};
pub use weights::{BaseModel, LoadError};
