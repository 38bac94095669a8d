//! Numerical engine: tensors and tokens only, without text, HTTP or storage.
//!
//! One forward implementation serves training and decoding, and the order of every summation is fixed. A token's logits
//! therefore have the same bits in any batch, chunk, cache state and thread count, and in training.
//!
//! The modules stand on one another, and none names a higher one:
//!
//! | | |
//! |---|---|
//! | [`memory`] | what a model needs, before its weights are read |
//! | [`scheduler`], [`full`] | batches of requests; training of all weights |
//! | [`generate`], [`train`] | decoding of sequences; training of an adapter |
//! | [`export`] | files of models and adapters for other programs |
//! | `pass` | the layers, forward and backward |
//! | [`lora`] | adapters |
//! | [`model`] | layout and weights of a base model |
//! | [`files`], [`sampling`] | tensors of files; drawing of tokens |
//! | [`kernels`] | vectors, products, attention, and the threads that compute them |
//! | [`config`], [`threads`] | the shape of a model; who has the threads |

pub mod config;
pub mod export;
pub mod files;
pub mod full;
pub mod generate;
pub mod kernels;
pub mod lora;
pub mod memory;
pub mod model;
mod pass;
pub mod sampling;
pub mod scheduler;
pub mod threads;
pub mod train;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use config::{
    Activation, ConfigError, ExpertConfig, Family, GgufConfigError, HeadNorms, ModelConfig, NormPlacement, Rope,
    RopeScaling, SlidingWindow, decoder_config, gguf_config,
};
pub use files::{GgufError, HeaderError, LoadError, StoredForm, stored_forms};
pub use generate::{BatchRow, DecodeError, Decoder, Logits, SequenceHandle, check_logits, sampler};
pub use kernels::{
    ComputePool, InstructionSet, LogSoftmax, MappedFile, MissingInstructionSet, UnknownWeightFormat, WeightFormat,
    log_softmax,
};
pub use lora::{Adapter, AdapterError, PeftConfig, PeftFiles};
pub use memory::{ModelMemory, TrainingMemory, UnsharedSequences};
pub use model::{BaseModel, HeldMatrices};
pub use threads::{ChatShare, ChatShareError, panic_text};
pub use train::{
    AdamHyper, AdamState, AdamStateError, MemoryPlan, Scores, SequenceInput, StepReport, TrainError, TrainSession,
    machine_memory,
};
pub use trainyard_model_options::{LoraOptions, LoraOptionsError, TargetModules, TrainingMethod, lora_options};
