//! Units of the processor: vectors of sixteen lanes, units that multiply pairs of bf16, and the choice of an instruction set.
//!
//! A unit belongs here with the portable code that defines its results, and nothing that multiplies a whole matrix. Files stand
//! in this order, and none names a later one: `numbers`, [`simd`] and [`pairs`] say what a unit computes, `tiles`, `x86` and `neon`
//! how an instruction set does it, `instruction_set` which there are, `dispatch` compiles a kernel for each, [`peak`] measures
//! them, and `detect` chooses one. So a new unit is a file beside `x86`, a variant of
//! [`InstructionSet`], and an arm of the macros.
//!
//! Rejected: a table of function pointers for each instruction set. A kernel is inlined into one function for each set, so that
//! its tiles stay in registers; a pointer to each operation would be called once for a vector.

mod ahead;
mod compressed_pair;
mod detect;
mod dispatch;
mod instruction_set;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
mod numbers;
pub(crate) mod pairs;
pub mod peak;
pub(crate) mod simd;
#[cfg(target_arch = "x86_64")]
pub(crate) mod tiles;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

pub(crate) use ahead::{Ahead, Lines};
pub(crate) use compressed_pair::{COMPRESSED, Table, VECTORS, half_index, word};
pub use detect::MissingInstructionSet;
pub(crate) use dispatch::{kernel, pair_kernel};
pub use instruction_set::InstructionSet;
pub(crate) use instruction_set::{MIN_F32_ROWS, RowForm};
pub(crate) use numbers::{
    MAGNITUDE, MAX_F16, MIN_FACTOR, bf16_to_f32, f16_bits, f16_value, half_to_f32, pair_of, rounded,
};
pub use numbers::{bf16_bits, round_to_bf16};
pub(crate) use pairs::{Emulated, MultiplyUnit, PairUnit, SplitRows};
pub use simd::LANES;
pub(crate) use simd::{CACHE_LINE, Simd};
