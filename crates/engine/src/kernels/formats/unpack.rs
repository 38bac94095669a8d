//! Unpacking of groups to pairs of bf16 with the weights that they stand for: one function for each number of bits.

use super::groups::{Bits, Chained, Four, Groups, PAIRS, Six};
use crate::kernels::units::{CACHE_LINE, Emulated, InstructionSet, LANES, PairUnit, Simd, kernel, pair_kernel};

/// Distance in bytes between the weights of eight bits in use and those being prefetched.
pub(crate) const INT8_PREFETCH: usize = 4096;
/// Size in bytes of a pair of k of sixteen columns with eight bits.
pub(crate) const INT8_BLOCK: usize = Bits::Eight.layout().block_bytes;

/// Writes the weights as pairs of bf16, `[pairs][width]`. The second weight of an odd number is zero.
pub(crate) fn unpack(set: InstructionSet, groups: Groups<'_>, weights: &mut [u32]) {
    match groups.bits {
        Bits::Eight => unpack_int8(set, groups, weights),
        Bits::Six => unpack_int6(set, groups, weights),
        Bits::Four => unpack_int4(set, groups, weights),
    }
}

pair_kernel! {
    /// Writes the weights as pairs of bf16, `[pairs][width]`. The second weight of an odd number is zero.
    pub(crate) fn unpack_int8(groups: Groups<'_>, weights: &mut [u32]) = unpack_int8_generic;
}

#[inline(always)]
fn unpack_int8_generic<U: PairUnit>(unit: U, groups: Groups<'_>, weights: &mut [u32]) {
    assert!(weights.len() >= groups.pairs * groups.width, "all weights have a place");
    // SAFETY: the weights have memory, as was checked, and the groups have their sizes.
    unsafe {
        match groups.width / LANES {
            4 => unpack_vectors::<U, 4>(unit, groups, weights.as_mut_ptr()),
            3 => unpack_vectors::<U, 3>(unit, groups, weights.as_mut_ptr()),
            2 => unpack_vectors::<U, 2>(unit, groups, weights.as_mut_ptr()),
            _ => unpack_vectors::<U, 1>(unit, groups, weights.as_mut_ptr()),
        }
    }
}

/// Unpacks groups of `N` vectors of columns.
///
/// # Safety
/// `weights` must be writable at every pair and column, and the groups must have `N` vectors.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn unpack_vectors<U: PairUnit, const N: usize>(unit: U, groups: Groups<'_>, mut weights: *mut u32) {
    let simd = unit.simd();
    let (mut rest, mut group) = (groups.pairs, groups.data.as_ptr());
    // SAFETY: the caller's promise. A group has the scales of its columns, aligned to u16, and all blocks.
    unsafe {
        while rest > 0 {
            let mut scale = [unit.scales(simd.zero()); N];
            for j in 0..N {
                scale[j] = unit.scales(simd.load_f16(&*group.cast::<u16>().add(j * LANES).cast()));
            }
            let mut blocks = group.add(size_of::<u16>() * N * LANES);
            let pairs = rest.min(PAIRS);
            for _ in 0..pairs {
                for line in 0..(N * INT8_BLOCK).div_ceil(CACHE_LINE) {
                    simd.prefetch(blocks.wrapping_add(INT8_PREFETCH + line * CACHE_LINE));
                }
                for j in 0..N {
                    let columns = unit.load_i8(&*blocks.add(j * INT8_BLOCK).cast(), scale[j]);
                    *weights.add(j * LANES).cast() = unit.pairs(columns);
                }
                blocks = blocks.wrapping_add(N * INT8_BLOCK);
                weights = weights.wrapping_add(N * LANES);
            }
            rest -= pairs;
            group = group.wrapping_add(Bits::Eight.group_bytes(N * LANES));
        }
    }
}

kernel! {
    fn unpack_int4(groups: Groups<'_>, weights: &mut [u32]) = unpack_generic::<Four, _>;
}

kernel! {
    fn unpack_int6(groups: Groups<'_>, weights: &mut [u32]) = unpack_generic::<Six, _>;
}

#[inline(always)]
fn unpack_generic<F: Chained, S: Simd>(simd: S, groups: Groups<'_>, weights: &mut [u32]) {
    assert!(groups.bits == F::BITS, "the groups have this format");
    let (bits, layout, width) = (F::BITS, F::BITS.layout(), groups.width);
    let weights = weights[..groups.pairs * width].chunks_mut(bits.group_pairs() * width);
    for (group, weights) in groups.data.chunks_exact(bits.group_bytes(width)).zip(weights) {
        let blocks = group[bits.scale_bytes(width)..].chunks_exact(layout.block_bytes);
        for (j, block) in blocks.enumerate() {
            let (vector, first) = (j % (width / LANES), j / (width / LANES) * layout.block_pairs);
            // SAFETY: all of the group is there, and words and scales are aligned.
            let scale = unsafe { F::scale(simd, group.as_ptr(), width, vector * LANES, first / F::CHAIN_PAIRS) };
            let rows = weights.chunks_exact_mut(width).skip(first).take(layout.block_pairs);
            for (pair, row) in rows.enumerate() {
                // SAFETY: as above.
                let [first, second] = unsafe { F::load(Emulated(simd), block.as_ptr(), pair) };
                let first = simd.round_to_bf16(simd.mul(first, scale));
                let second = simd.round_to_bf16(simd.mul(second, scale));
                row[vector * LANES..][..LANES].copy_from_slice(&simd.pairs(first, second));
            }
        }
    }
}
