//! Model files: tensors by their names, whatever the format of the file, and safetensors that the engine writes.
//!
//! [`tensors`] finds a tensor, checks its shape and its values, and gives its rows as f32 or as bytes in a
//! [format](crate::kernels::MatrixFormat) of the kernels, which are moved into panels without being computed. What the
//! model does with a tensor is no matter here. A new element type of GGUF is a row of [`element_types`] with a reader
//! in [`blocks`]; a new way to quantise safetensors is a variant in [`config`](crate::config) and its unpacking in
//! [`quantised`]; the names of a new part of llama.cpp are in [`names`].
//!
//! Rejected: conversion of all weights to f32 or bf16 when they are read. A model of four bits would need eight times
//! its memory to start.

mod blocks;
mod element_types;
mod elements;
mod error;
mod experts;
mod forms;
mod gguf;
mod header;
mod names;
mod order;
mod quantised;
mod rows;
mod tensors;
mod write;

pub(crate) use element_types::ElementType as StoredType;
pub(crate) use elements::{read_bf16, read_f16, read_f32};
pub use error::LoadError;
pub use forms::{StoredForm, stored_forms};
pub use gguf::GgufError;
#[cfg(test)]
pub(crate) use gguf::{Tensor as GgufTensor, read as read_gguf};
pub use header::HeaderError;
pub(crate) use names::{DECAY_LOG, EMBEDDING, FINAL_NORM, HEAD, SHARED_GATE, ggml_name, has_norm_offset};
pub(crate) use order::{Order, orders};
pub(crate) use rows::FileRows;
pub(crate) use tensors::{Matrix, Tensors};
pub(crate) use write::{Values, write};
