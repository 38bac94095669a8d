//! Generation: the interface of samplers, and the decoder that the embedded one computes with.
//!
//! [`sampler`] names no type of an engine, since chat uses it for samplers in other processes too. [`Decoder`] runs rows of many
//! sequences and keeps their pages; it knows neither requests nor their order, which are those of [`scheduler`](crate::scheduler).
//! [`sampling`](crate::sampling) draws a token from logits and runs no model.
//!
//! Rejected: one decoder for each sequence. All rows of a step share each weight that is read.

mod decoder;
mod first_pass;
mod rows;
pub mod sampler;

pub use decoder::{DecodeError, Decoder};
pub use first_pass::check_logits;
pub(crate) use rows::same_adapter;
pub use rows::{BatchRow, Logits, RowEngine, RowError, SequenceHandle};
