//! Numerical kernels: vectors, matrix products, attention. `unsafe` code is allowed in this module only.
//!
//! Every kernel is compiled for AVX-512, AVX2 with FMA or NEON, and for plain Rust. The version is selected at run
//! time, and all give the same bits (see [`simd`]). Products of bf16 are also compiled for AVX-512-BF16 and for
//! NEON with BF16, again with the same bits (see [`bf16`]). The interfaces are safe: lengths are checked before pointers are used.

#![allow(unsafe_code, reason = "kernels read and write behind pointers, with instructions of the processor at hand")]

pub mod adam;
pub mod attention;
pub mod attention_backward;
mod bf16;
pub mod buffer;
mod chained_product;
mod compressed;
pub mod cross_entropy;
mod dispatch;
mod format;
mod gemm;
mod grouped;
mod int8_product;
mod mapped_file;
pub mod matmul;
pub mod narrow;
#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod panels;
pub mod parallel;
pub mod peak;
mod q6k;
pub mod rows;
pub mod simd;
mod split_rows;
mod stored;
pub(crate) mod task;
pub mod vocabulary;
#[cfg(target_arch = "x86_64")]
pub mod x86;

#[cfg(test)]
mod tests;

pub use bf16::{bf16_bits, round_to_bf16};
pub use buffer::{AlignedBuffer, Buffer};
pub use dispatch::InstructionSet;
pub use format::{MatrixFormat, UnknownWeightFormat, WeightFormat};
pub use mapped_file::MappedFile;
pub use panels::Panels;
pub use q6k::{Q6K_BYTES, Q6K_WEIGHTS, read_q6k};
pub use rows::LogSoftmax;
pub use stored::{StoredColumns, are_finite_in_file};

/// Computes the normaliser of a row of logits. Sampler, scorer and loss all use this function. Logits of minus infinity
/// have probability zero; a NaN or plus infinity makes `log_sum` NaN.
pub fn log_softmax(logits: &[f32]) -> LogSoftmax {
    rows::log_softmax_with(InstructionSet::best(), logits)
}
