//! Unpacking of groups to pairs of bf16: the numbers alone, or the weights that they stand for.

use super::groups::{Groups, Packed};
use crate::kernels::units::{Emulated, LANES, PairUnit, Simd, kernel, pair_kernel};

/// Calls a function of the type of the groups' numbers.
macro_rules! of_numbers {
    ($groups:expr, $function:ident $(, $type:ty)* ; $($argument:expr),*) => {
        match $groups.blocks.layout().numbers {
            $crate::kernels::formats::Numbers::Eight => $function::<$crate::kernels::formats::Eight $(, $type)*>($($argument),*),
            $crate::kernels::formats::Numbers::Six => $function::<$crate::kernels::formats::Six $(, $type)*>($($argument),*),
            $crate::kernels::formats::Numbers::Five => $function::<$crate::kernels::formats::Five $(, $type)*>($($argument),*),
            $crate::kernels::formats::Numbers::FiveUnsigned => {
                $function::<$crate::kernels::formats::FiveUnsigned $(, $type)*>($($argument),*)
            }
            $crate::kernels::formats::Numbers::Four => $function::<$crate::kernels::formats::Four $(, $type)*>($($argument),*),
            $crate::kernels::formats::Numbers::FourUnsigned => {
                $function::<$crate::kernels::formats::FourUnsigned $(, $type)*>($($argument),*)
            }
        }
    };
}
pub(crate) use of_numbers;

/// Runs a macro with the even or the odd pairs of a block as literals. Of the last block, only `left` pairs may be there.
macro_rules! for_pairs {
    ($odd:expr, $format:ident, $left:expr, $pairs:ident) => {
        match ($odd, $format::NUMBERS.block_pairs(), $left) {
            (false, 16, _) => $pairs!(0 2 4 6 8 10 12 14),
            (true, 16, _) => $pairs!(1 3 5 7 9 11 13 15),
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
    of_numbers!(groups, numbers_of, U; unit, groups, numbers);
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
    let (blocks_of, width) = (groups.blocks, N * LANES);
    let (block_pairs, block_bytes) = (F::NUMBERS.block_pairs(), F::NUMBERS.block_bytes());
    let (mut rest, mut group) = (groups.pairs, groups.data.as_ptr());
    // SAFETY: the caller's promise. A group has all blocks, whose sizes and offsets are multiples of four bytes.
    unsafe {
        while rest > 0 {
            let mut blocks = group.add(blocks_of.scale_bytes(width));
            let mut left = rest.min(blocks_of.group_pairs());
            rest -= left;
            while left > 0 {
                macro_rules! pairs {
                    ($($pair:literal)*) => {{ $( for j in 0..N {
                        let columns = F::load(unit, blocks.add(j * block_bytes), $pair);
                        *numbers.add(($pair * N + j) * LANES).cast() = unit.pairs(unit.exact(columns, F::position($pair)));
                    } )* }};
                }
                for_pairs!(false, F, left, pairs);
                for_pairs!(true, F, left, pairs);
                left = left.saturating_sub(block_pairs);
                numbers = numbers.wrapping_add(block_pairs * width);
                blocks = blocks.wrapping_add(N * block_bytes);
            }
            group = group.wrapping_add(blocks_of.group_bytes(width));
        }
    }
}

kernel! {
    /// Writes the weights from the pair `first` on, rounded to bf16, as pairs `[pairs][width]`. The second weight of an odd number is
    /// zero.
    pub(crate) fn unpack(groups: Groups<'_>, first: usize, weights: &mut [u32]) = unpack_generic;
}

#[inline(always)]
fn unpack_generic<S: Simd>(simd: S, groups: Groups<'_>, first: usize, weights: &mut [u32]) {
    of_numbers!(groups, weights_of, S; simd, groups, first, weights);
}

#[inline(always)]
fn weights_of<F: Packed, S: Simd>(simd: S, groups: Groups<'_>, first: usize, weights: &mut [u32]) {
    let (blocks, numbers, width, unit) = (groups.blocks, F::NUMBERS, groups.width, Emulated(simd));
    let vectors = width / LANES;
    for (index, group) in groups.data.chunks_exact(blocks.group_bytes(width)).enumerate() {
        let of_group = group[blocks.scale_bytes(width)..].chunks_exact(numbers.block_bytes());
        for (j, block) in of_group.enumerate() {
            let (vector, pair) = (j % vectors, index * blocks.group_pairs() + j / vectors * numbers.block_pairs());
            let Some(at) = pair.checked_sub(first).filter(|at| at * width < weights.len()) else { continue };
            let (scale, column) = (pair / numbers.scale_pairs(), vector * LANES);
            // SAFETY: all of the group is there.
            let (minimum, scale) = unsafe {
                let has_minima = groups.has_minima();
                let minimum = if has_minima { groups.scale(simd, scale, column, true) } else { simd.zero() };
                (minimum, groups.scale(simd, scale, column, false))
            };
            let rows = weights[at * width..].chunks_exact_mut(width).take(numbers.block_pairs());
            for (pair, row) in rows.enumerate() {
                // SAFETY: all of the block is there, and its words are aligned.
                let [first, second] = unsafe { unit.exact(F::load(unit, block.as_ptr(), pair), F::position(pair)) };
                let first = simd.round_to_bf16(simd.sub(simd.mul(first, scale), minimum));
                let second = simd.round_to_bf16(simd.sub(simd.mul(second, scale), minimum));
                row[column..][..LANES].copy_from_slice(&simd.pairs(first, second));
            }
        }
    }
}
