//! Unpacking of groups to pairs of bf16: the numbers alone, or the weights that they stand for.

use super::groups::{Groups, Packed};
use crate::kernels::units::{Emulated, LANES, PairUnit, Simd, kernel, pair_kernel};

/// Calls a function of the type of the groups' numbers.
macro_rules! of_bits {
    ($groups:expr, $function:ident $(, $type:ty)* ; $($argument:expr),*) => {
        match $groups.bits {
            $crate::kernels::formats::Bits::Eight => $function::<$crate::kernels::formats::Eight $(, $type)*>($($argument),*),
            $crate::kernels::formats::Bits::Six => $function::<$crate::kernels::formats::Six $(, $type)*>($($argument),*),
            $crate::kernels::formats::Bits::Four => $function::<$crate::kernels::formats::Four $(, $type)*>($($argument),*),
        }
    };
}
pub(crate) use of_bits;

/// Runs a macro with the even or the odd pairs of a block as literals. Of the last block, only `left` pairs may be there.
macro_rules! for_pairs {
    ($odd:expr, $format:ident, $left:expr, $pairs:ident) => {
        match ($odd, $format::BITS.layout().block_pairs, $left) {
            (false, 8, _) => $pairs!(0 2 4 6),
            (true, 8, _) => $pairs!(1 3 5 7),
            (false, 4, 3..) => $pairs!(0 2),
            (true, 4, 4..) => $pairs!(1 3),
            (false, ..) => $pairs!(0),
            (true, _, 2..) => $pairs!(1),
            (true, ..) => {}
        }
    };
}
pub(crate) use for_pairs;

pair_kernel! {
    /// Writes the numbers as pairs of bf16, `[pairs][width]`.
    pub(crate) fn unpack_numbers(groups: Groups<'_>, numbers: &mut [u32]) = unpack_numbers_generic;
}

#[inline(always)]
fn unpack_numbers_generic<U: PairUnit>(unit: U, groups: Groups<'_>, numbers: &mut [u32]) {
    assert!(numbers.len() >= groups.pairs * groups.width, "all numbers have a place");
    of_bits!(groups, numbers_of, U; unit, groups, numbers);
}

#[inline(always)]
fn numbers_of<F: Packed, U: PairUnit>(unit: U, groups: Groups<'_>, numbers: &mut [u32]) {
    let target = numbers.as_mut_ptr();
    // SAFETY: the groups' width is that of a panel, and all numbers have memory, as was checked.
    unsafe {
        match groups.width / LANES {
            4 => numbers_of_vectors::<F, U, 4>(unit, groups, target),
            3 => numbers_of_vectors::<F, U, 3>(unit, groups, target),
            2 => numbers_of_vectors::<F, U, 2>(unit, groups, target),
            _ => numbers_of_vectors::<F, U, 1>(unit, groups, target),
        }
    }
}

/// # Safety
/// The groups are of this format and have `N` vectors of columns, and `numbers` must be writable at every pair and column.
#[inline(always)]
unsafe fn numbers_of_vectors<F: Packed, U: PairUnit, const N: usize>(
    unit: U,
    groups: Groups<'_>,
    mut numbers: *mut u32,
) {
    let (bytes, layout) = (F::BITS.group_bytes(N * LANES), F::BITS.layout());
    let (mut rest, mut group) = (groups.pairs, groups.data.as_ptr());
    // SAFETY: the caller's promise. A group has all blocks, whose sizes and offsets are multiples of four bytes.
    unsafe {
        while rest > 0 {
            let mut blocks = group.add(F::BITS.scale_bytes(N * LANES));
            let mut left = rest.min(F::BITS.group_pairs());
            rest -= left;
            while left > 0 {
                macro_rules! pairs {
                    ($($pair:literal)*) => {{ $( for j in 0..N {
                        let columns = F::load(unit, blocks.add(j * layout.block_bytes), $pair);
                        *numbers.add(($pair * N + j) * LANES).cast() = unit.pairs(columns);
                    } )* }};
                }
                for_pairs!(false, F, left, pairs);
                for_pairs!(true, F, left, pairs);
                left = left.saturating_sub(layout.block_pairs);
                numbers = numbers.wrapping_add(layout.block_pairs * N * LANES);
                blocks = blocks.wrapping_add(N * layout.block_bytes);
            }
            group = group.wrapping_add(bytes);
        }
    }
}

kernel! {
    /// Writes the weights, rounded to bf16, as pairs `[pairs][width]`. The second weight of an odd number is zero.
    pub(crate) fn unpack(groups: Groups<'_>, weights: &mut [u32]) = unpack_generic;
}

#[inline(always)]
fn unpack_generic<S: Simd>(simd: S, groups: Groups<'_>, weights: &mut [u32]) {
    of_bits!(groups, weights_of, S; simd, groups, weights);
}

#[inline(always)]
fn weights_of<F: Packed, S: Simd>(simd: S, groups: Groups<'_>, weights: &mut [u32]) {
    let (bits, layout, width) = (F::BITS, F::BITS.layout(), groups.width);
    let weights = weights[..groups.pairs * width].chunks_mut(bits.group_pairs() * width);
    for (index, (group, weights)) in groups.data.chunks_exact(bits.group_bytes(width)).zip(weights).enumerate() {
        let blocks = group[bits.scale_bytes(width)..].chunks_exact(layout.block_bytes);
        for (j, block) in blocks.enumerate() {
            let (vector, first) = (j % (width / LANES), j / (width / LANES) * layout.block_pairs);
            let scale = index * bits.scales() + first / layout.scale_pairs;
            // SAFETY: all of the group is there.
            let scale = unsafe { groups.scale(simd, scale, vector * LANES) };
            let rows = weights.chunks_exact_mut(width).skip(first).take(layout.block_pairs);
            for (pair, row) in rows.enumerate() {
                // SAFETY: all of the block is there, and its words are aligned.
                let [first, second] = unsafe { F::load(Emulated(simd), block.as_ptr(), pair) };
                let first = simd.round_to_bf16(simd.mul(first, scale));
                let second = simd.round_to_bf16(simd.mul(second, scale));
                row[vector * LANES..][..LANES].copy_from_slice(&simd.pairs(first, second));
            }
        }
    }
}
