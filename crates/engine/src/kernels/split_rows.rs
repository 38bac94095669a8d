//! Products of bf16 by multiply-adds in f32, with the pairs of the left factor split beforehand.
//!
//! An f32 represents every bf16, and the multiply-adds of a pair are those of f32 (see [`bf16`](super::bf16)). Products with
//! weights are computed so where [`multiplies_pairs_in_f32`](super::InstructionSet::multiplies_pairs_in_f32) is true, with the same bits. The attention and the gradient of
//! the head multiply pairs in f32 there without splitting them beforehand.

use super::InstructionSet;
use super::bf16::{Emulated, MultiplyUnit, PairProduct, gemm_generic, rounded};
use super::chained_product::scaled_chains_generic;
use super::dispatch::kernel;
use super::grouped::Groups;
use super::simd::{LANES, Simd};

/// Unit that multiplies pairs of columns with split pairs of rows: two f32.
#[derive(Clone, Copy)]
struct SplitRows<S>(Emulated<S>);

impl<S: Simd> MultiplyUnit for SplitRows<S> {
    type Simd = S;
    type Columns = [S::V; 2];
    type Row = [S::V; 2];
    const ROW_WORDS: usize = 2;
    const NATIVE: bool = false;

    #[inline(always)]
    fn simd(self) -> S {
        self.0.simd()
    }
    #[inline(always)]
    fn load(self, pairs: &[u32; LANES]) -> Self::Columns {
        self.0.load(pairs)
    }
    #[inline(always)]
    unsafe fn row(self, words: *const u32) -> Self::Row {
        // SAFETY: the caller's promise.
        unsafe { [self.simd().splat(f32::from_bits(*words)), self.simd().splat(f32::from_bits(*words.add(1)))] }
    }
    #[inline(always)]
    fn multiply_add(self, row: Self::Row, columns: Self::Columns, sum: S::V) -> S::V {
        self.0.multiply_add(row, columns, sum)
    }
}

kernel! {
    /// # Safety
    /// As for [`gemm_bf16`](super::bf16::gemm_bf16), and `product.columns` is a multiple of [`LANES`].
    pub(super) unsafe fn gemm_split(product: PairProduct) = gemm_split_generic;
}

/// # Safety
/// As for [`gemm_split`].
#[inline(always)]
unsafe fn gemm_split_generic<S: Simd>(simd: S, product: PairProduct) {
    // SAFETY: the caller's promise.
    unsafe { gemm_generic(SplitRows(Emulated(simd)), product) };
}

kernel! {
    /// Computes the product with unpacked numbers.
    ///
    /// # Safety
    /// As for [`gemm_chained`](super::chained_product::gemm_chained); `numbers` are the groups' unpacked ones.
    pub(super) unsafe fn scaled_chains_split(product: PairProduct, groups: Groups<'_>, numbers: &[u32])
        = scaled_chains_split_generic;
}

/// # Safety
/// As for [`scaled_chains_split`].
#[inline(always)]
unsafe fn scaled_chains_split_generic<S: Simd>(simd: S, product: PairProduct, groups: Groups<'_>, numbers: &[u32]) {
    // SAFETY: the caller's promise.
    unsafe { scaled_chains_generic(SplitRows(Emulated(simd)), product, groups, numbers) };
}

/// Rounds rows of `depth` values to bf16, stored as f32. An odd depth is padded with zero.
pub(super) fn round_rows(set: InstructionSet, x: &[f32], depth: usize, words: &mut [u32]) {
    for (x, words) in x.chunks_exact(depth).zip(words.chunks_exact_mut(depth.next_multiple_of(2))) {
        words[depth..].fill(0);
        round(set, x, words);
    }
}

kernel! {
    fn round(x: &[f32], words: &mut [u32]) = round_generic;
}

#[inline(always)]
fn round_generic<S: Simd>(_: S, x: &[f32], words: &mut [u32]) {
    for (x, word) in x.iter().zip(words) {
        *word = rounded(*x);
    }
}
