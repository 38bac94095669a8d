//! Products of f32 with 8-bit weights: integers from -127 to 127, and a scale for each column and group of k.
//!
//! A weight is `number * scale`, which is exact in f32 (7 bits times 8). The product is that of f32 with these weights:
//! the same chain over k, and the same bits as [`gemm`](super::gemm). Each tile unpacks its weights in registers.
//!
//! A panel of `width` columns holds the groups in order. A group holds the columns' scales in bf16, followed by
//! `[GROUP][width]` numbers.

use super::InstructionSet;
use super::dispatch::kernel;
use super::simd::{LANES, Simd};

/// Number of neighbours in k that share a scale.
pub(super) const GROUP: usize = 32;
/// Size of a group per column, in bytes: the scale and the numbers.
pub(super) const GROUP_BYTES: usize = 2 + GROUP;
/// Distance in bytes between the numbers in use and those being prefetched.
const PREFETCH: usize = 8192;
/// Magnitude below which a group's weights are stored as zero, if all of them are below it.
const MIN_WEIGHT: f32 = f32::from_bits((127 - 100) << 23);

/// Returns the size of a panel, in bytes.
pub(super) const fn panel_bytes(depth: usize, width: usize) -> usize {
    depth.div_ceil(GROUP) * GROUP_BYTES * width
}

/// Returns a weight of a panel.
pub(super) fn weight(panel: &[u8], width: usize, k: usize, column: usize) -> f32 {
    let group = &panel[k / GROUP * GROUP_BYTES * width..][..GROUP_BYTES * width];
    let scale = u16::from_ne_bytes([group[2 * column], group[2 * column + 1]]);
    let number = group[2 * width + k % GROUP * width + column] as i8;
    f32::from(number) * f32::from_bits(u32::from(scale) << 16)
}

/// Returns the least bf16 that is at least `x`.
fn rounded_up(x: f32) -> u16 {
    (x.to_bits().wrapping_add(0xffff) >> 16) as u16
}

#[inline(always)]
fn quantise_generic<S: Simd>(simd: S, strip: &[[f32; LANES]], width: usize, column: usize, panel: &mut [u8]) {
    for (strip, group) in strip.chunks(GROUP).zip(panel.chunks_exact_mut(GROUP_BYTES * width)) {
        let mut largest = simd.zero();
        for weights in strip {
            let weights = simd.load(weights);
            largest = simd.max(largest, simd.max(weights, simd.sub(simd.zero(), weights)));
        }
        let mut scales = [0.0; LANES];
        simd.store(largest, &mut scales);
        let (scale_bytes, numbers) = group.split_at_mut(2 * width);
        for (scale, bytes) in scales.iter_mut().zip(scale_bytes[2 * column..].as_chunks_mut::<2>().0) {
            let rounded = if *scale < MIN_WEIGHT { 0 } else { rounded_up(*scale / 127.0) };
            *bytes = rounded.to_ne_bytes();
            // Any nonzero divisor.
            *scale = if rounded == 0 { f32::INFINITY } else { f32::from_bits(u32::from(rounded) << 16) };
        }
        let (scale, limit) = (simd.load(&scales), simd.splat(127.0));
        for (weights, numbers) in strip.iter().zip(numbers.chunks_exact_mut(width)) {
            let number = simd.round(simd.div(simd.load(weights), scale));
            let number = simd.max(simd.sub(simd.zero(), limit), simd.min(limit, number));
            let mut values = [0.0; LANES];
            simd.store(number, &mut values);
            for (byte, value) in numbers[column..].iter_mut().zip(values) {
                *byte = value as i8 as u8;
            }
        }
    }
}

kernel! {
    /// Rounds sixteen columns, `[depth][16]`, into their place in a panel. The largest magnitude of a group becomes
    /// 127.
    pub(super) fn quantise(strip: &[[f32; LANES]], width: usize, column: usize, panel: &mut [u8]) = quantise_generic;
}

/// Operands of `C[rows, columns] (+)= A[rows, depth] B[depth, columns]`, where B is a panel.
#[derive(Clone, Copy)]
pub(super) struct Int8Product {
    pub rows: usize,
    /// Number of columns of the panel, a multiple of [`LANES`].
    pub columns: usize,
    pub depth: usize,
    pub a: *const f32,
    /// Distance in A from one row to the next.
    pub a_row: usize,
    pub panel: *const u8,
    pub c: *mut f32,
    /// Distance in C from one row to the next.
    pub c_row: usize,
    /// Whether to add to C rather than overwrite it.
    pub accumulate: bool,
}

/// Computes a product.
///
/// # Safety
/// A must be readable at every row and k, the panel must have [`panel_bytes`] and the alignment of u16, C must be writable
/// at every row and column, and nobody else may use those elements of C meanwhile.
pub(super) unsafe fn gemm_int8(set: InstructionSet, product: Int8Product) {
    assert!(product.columns.is_multiple_of(LANES), "columns come in whole vectors");
    // SAFETY: the caller's promise; whole vectors were checked.
    unsafe { gemm_whole_vectors(set, product) };
}

kernel! {
    /// # Safety
    /// As for [`gemm_int8`], and `product.columns` is a multiple of [`LANES`].
    unsafe fn gemm_whole_vectors(product: Int8Product) = gemm_generic;
}

/// # Safety
/// As for [`gemm_int8`], and `product.columns` is a multiple of [`LANES`].
#[inline(always)]
unsafe fn gemm_generic<S: Simd>(simd: S, product: Int8Product) {
    let mut j = 0;
    while j < product.columns {
        let vectors = if S::WIDE { ((product.columns - j) / LANES).min(4) } else { 1 };
        // SAFETY: columns from `j` on exist, as many as the vectors have.
        unsafe {
            match vectors {
                4 => strip::<S, 4>(simd, product, j),
                3 => strip::<S, 3>(simd, product, j),
                2 => strip::<S, 2>(simd, product, j),
                _ => strip::<S, 1>(simd, product, j),
            }
        }
        j += vectors * LANES;
    }
}

/// Computes all rows of `N` vectors of columns, starting at `column`.
///
/// # Safety
/// As for [`gemm_int8`], and the columns exist.
#[inline(always)]
unsafe fn strip<S: Simd, const N: usize>(simd: S, product: Int8Product, column: usize) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<S, $rows, N>(simd, Int8Product {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                }, column);
                i += $rows;
            } )* }};
        }
        if S::WIDE { tiles!(6 4 3 2 1) } else { tiles!(4 2 1) }
    }
}

/// Computes `M` rows by `N` vectors, held in registers over all of k.
///
/// # Safety
/// As for [`gemm_int8`] with `M` rows, and `N` times [`LANES`] columns from `column` on exist.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<S: Simd, const M: usize, const N: usize>(simd: S, product: Int8Product, column: usize) {
    let Int8Product { columns: width, depth, a_row, c_row, .. } = product;
    // SAFETY: rows below `M`, columns and k promised by the caller. An array reference needs no more than the alignment of
    // its elements, and a group has an even number of bytes.
    unsafe {
        let c = product.c.add(column);
        let mut sums = [[simd.zero(); N]; M];
        if product.accumulate {
            for i in 0..M {
                for j in 0..N {
                    sums[i][j] = simd.load(&*c.add(i * c_row + j * LANES).cast());
                }
            }
        }
        let (mut a, mut group) = (product.a, product.panel);
        let mut rest = depth;
        while rest > 0 {
            // In memory, since the sums need the registers.
            let mut scales = [[0.0; LANES]; N];
            for j in 0..N {
                let scale = simd.load_bf16(&*group.cast::<u16>().add(column + j * LANES).cast());
                simd.store(scale, &mut scales[j]);
            }
            let mut numbers = group.add(2 * width + column);
            let steps = rest.min(GROUP);
            for _ in 0..steps {
                simd.prefetch(numbers.wrapping_add(PREFETCH));
                let mut weights = [simd.zero(); N];
                for j in 0..N {
                    weights[j] = simd.mul(simd.load_i8(&*numbers.add(j * LANES).cast()), simd.load(&scales[j]));
                }
                for i in 0..M {
                    let x = simd.splat(*a.add(i * a_row));
                    for j in 0..N {
                        sums[i][j] = simd.mul_add(x, weights[j], sums[i][j]);
                    }
                }
                a = a.wrapping_add(1);
                numbers = numbers.wrapping_add(width);
            }
            rest -= steps;
            group = group.wrapping_add(GROUP_BYTES * width);
        }
        for i in 0..M {
            for j in 0..N {
                simd.store(sums[i][j], &mut *c.add(i * c_row + j * LANES).cast());
            }
        }
    }
}
