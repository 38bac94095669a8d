//! Products of matrices: tiles in registers for each [format](super::formats), and their division among the threads.
//!
//! A file has the tiles of one way to multiply, for all shapes and units; [`matmul()`] selects it by the format of the weights. A
//! new way to multiply, such as by tiles of a matrix unit, is a file here and an arm there.
//!
//! Rejected: libraries of linear algebra. They order sums by shape, threads and instruction set, and this engine computes the same
//! bits in any of them.

pub(crate) mod chained_product;
mod compressed_product;
mod gemm;
mod matmul;
mod narrow;
mod pair_product;
mod rounding;
mod small_products;
#[cfg(target_arch = "x86_64")]
mod tile_product;

/// Returns the number of vectors in a tile of so many rows where registers are few: enough sums that none waits for another.
#[inline(always)]
const fn narrow_vectors(rows: usize) -> usize {
    match rows {
        1 => 4,
        2 => 2,
        _ => 1,
    }
}

pub(crate) use gemm::{Product, gemm};
#[cfg(test)]
pub(crate) use matmul::{Blocking, matmul_in_blocks};
pub use matmul::{FactorLayout, LowRankTerm, matmul, matmul_pairs};
pub use narrow::{NarrowFactor, narrow_index, narrow_products, narrow_width};
pub(crate) use pair_product::{BlockSums, Order, PairProduct, Start, gemm_bf16};
#[cfg(test)]
pub(crate) use rounding::round_split_rows;
pub(crate) use rounding::{pair_rows, round_rows, scale_to_pairs};
pub use small_products::{Factor, SmallProduct, small_products};
