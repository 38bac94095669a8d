//! LoRA adapters: their options, their factors, and PEFT's files of them.
//!
//! An adapter keeps its factors as PEFT has them, since these are trained, stored and exchanged. [`packed`] has a second copy, in
//! the layouts of the kernels: for decoding it is made at the first use and belongs to the adapter, for training it belongs to the
//! session. How adapters enter the products is in [`pass`](crate::pass).
//!
//! A new kind of adapter is a variant of the factors and of their packing. PEFT's options that change results are rejected by name
//! in [`peft_config`] until then.
//!
//! Rejected: merging of an adapter into the weights. Chat serves many adapters in one batch, and rounded weights would not have the
//! bits of training.

mod adapter;
mod error;
mod factors;
mod packed;
mod peft_config;
mod targets;

pub use adapter::{Adapter, PeftFiles};
pub use error::AdapterError;
pub(crate) use factors::{Factors, LayerFactors, each_factor, named_values, parameter_name, present};
pub(crate) use packed::{PackedAdapter, PackedLinear};
pub use peft_config::PeftConfig;
pub use trainyard_model_options::lora_options::MAX_RANK;
pub use trainyard_model_options::{AdapterEffect, LoraOptions, LoraOptionsError, TargetModules};
