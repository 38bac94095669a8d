//! Numerical kernels: vectors, matrix products, attention, and the threads that they run on. `unsafe` code is allowed in this
//! module only.
//!
//! Every kernel is compiled for AVX-512, AVX2 with FMA or NEON, and for plain Rust. The version is selected at run
//! time, and all give the same bits (see [`units::simd`]). Products of bf16 are also compiled for AVX-512-BF16 and for
//! NEON with BF16, again with the same bits (see [`units::pairs`]). The interfaces are safe: lengths are checked before pointers
//! are used.
//!
//! A matrix product is a [format](formats) by a [unit](units) by a [shape](products). Kernels know no model: what they compute is
//! said by widths and strides.

#![allow(unsafe_code, reason = "kernels read and write behind pointers, with instructions of the processor at hand")]

pub mod adam;
pub mod attention;
pub mod attention_backward;
mod buffer;
pub mod cross_entropy;
mod formats;
mod mapped_file;
pub(crate) mod pool;
pub mod products;
pub mod recurrent;
pub mod rows;
mod units;
pub mod vocabulary;

#[cfg(test)]
mod tests;

pub use buffer::{AlignedBuffer, Buffer, with_scratch};
pub use formats::{
    BlockFormat, MatrixFormat, PANEL, Panels, Segment, StoredColumns, UnknownWeightFormat, WeightFormat,
    are_finite_in_file,
};
pub use mapped_file::MappedFile;
pub(crate) use pool::sum_row_blocks;
pub use pool::{ComputePool, ROW_BLOCK, for_row_blocks};
pub use rows::LogSoftmax;
pub use units::{InstructionSet, LANES, MissingInstructionSet, bf16_bits, peak, round_to_bf16};
pub(crate) use units::{MAX_F16, bf16_to_f32, f16_bits, half_to_f32};

/// Computes the normaliser of a row of logits. Sampler, scorer and loss all use this function. Logits of minus infinity
/// have probability zero; a NaN or plus infinity makes `log_sum` NaN.
pub fn log_softmax(logits: &[f32]) -> LogSoftmax {
    rows::log_softmax_with(InstructionSet::best(), logits)
}
