//! Numerical kernels: vectors, matrix products, attention. The only place of the crate with `unsafe`.
//!
//! Every kernel is compiled for AVX-512, AVX2 with FMA and plain Rust, chosen at run time, and gives the same bits in all
//! three (see [`simd`]). The interfaces are safe: lengths are checked before pointers are used.

pub mod attention;
pub mod buffer;
mod dispatch;
mod gemm;
pub mod matmul;
pub mod parallel;
pub mod rows;
pub mod simd;
pub(crate) mod task;
pub mod vocabulary;
#[cfg(target_arch = "x86_64")]
pub mod x86;

#[cfg(test)]
mod tests;

pub use buffer::Buffer;
pub use dispatch::InstructionSet;
pub use rows::LogSoftmax;

/// Normaliser of a row of logits. Sampler, scorer and loss all use this one function. Logits of minus infinity have
/// probability zero; a NaN or plus infinity makes `log_sum` NaN.
pub fn log_softmax(logits: &[f32]) -> LogSoftmax {
    rows::log_softmax_with(InstructionSet::best(), logits)
}
