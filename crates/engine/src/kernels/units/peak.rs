//! Loops that do nothing but multiply or read, to measure the peak of a processor and its memory. Benchmarks state their
//! figures as parts of it, and a CPU with two ways to multiply bf16 uses the faster one.

use super::dispatch::{kernel, pair_kernel};
use super::instruction_set::InstructionSet;
use super::pairs::PairUnit;
use super::simd::{LANES, Simd};

/// Number of independent sums, enough to hide the latency of an instruction.
const SUMS: usize = 24;

/// Values that [`read`] reads in a step.
const READ: usize = 16 * LANES;
/// Distance in values between those in use and those being prefetched.
const PREFETCH: usize = 2048;

kernel! {
    /// Reads whole steps of values, and returns a number that depends on all of them.
    pub fn read(values: &[f32]) -> f32 = read_generic;
}

#[inline(always)]
fn read_generic<S: Simd>(simd: S, values: &[f32]) -> f32 {
    let mut sums = [simd.zero(); 4];
    for part in values.chunks_exact(READ) {
        for (i, vector) in part.as_chunks().0.iter().enumerate() {
            simd.prefetch(vector.as_ptr().wrapping_add(PREFETCH).cast());
            sums[i % 4] = simd.add(sums[i % 4], simd.load(vector));
        }
    }
    sums.into_iter().map(|sum| simd.sum(sum)).sum()
}

/// Multiplications of one step of [`multiply_f32`].
pub const F32_STEP: usize = SUMS * LANES;
/// Multiplications of one step of [`multiply_bf16`].
pub const BF16_STEP: usize = 2 * F32_STEP;

kernel! {
    /// Runs `steps` steps of multiply-adds in f32, and returns a number that depends on all of them.
    pub fn multiply_f32(steps: usize) -> f32 = multiply_f32_generic;
}

#[inline(always)]
fn multiply_f32_generic<S: Simd>(simd: S, steps: usize) -> f32 {
    let (x, y) = (simd.splat(std::hint::black_box(0.5)), simd.splat(std::hint::black_box(1e-3)));
    let mut sums = [simd.zero(); SUMS];
    for _ in 0..steps {
        for sum in &mut sums {
            *sum = simd.mul_add(*sum, x, y);
        }
    }
    sums.into_iter().map(|sum| simd.sum(sum)).sum()
}

pair_kernel! {
    /// Runs `steps` steps of multiply-adds of pairs of bf16, and returns a number that depends on all of them.
    pub fn multiply_bf16(steps: usize) -> f32 = multiply_bf16_generic;
}

#[inline(always)]
fn multiply_bf16_generic<U: PairUnit>(unit: U, steps: usize) -> f32 {
    let (pair, columns) = (std::hint::black_box(0x3f00_3e80), unit.load(&std::hint::black_box([0x3c00_3c00; LANES])));
    const { assert!(U::ROW_WORDS == 1) };
    // SAFETY: one word.
    let row = unsafe { unit.row(&pair) };
    let mut sums = [unit.simd().zero(); SUMS];
    for _ in 0..steps {
        for sum in &mut sums {
            *sum = unit.multiply_add(row, columns, *sum);
        }
    }
    sums.into_iter().map(|sum| unit.simd().sum(sum)).sum()
}

/// Multiplications of one step of [`multiply_tiles`].
pub const TILE_STEP: usize = 4 * LANES * LANES * 2 * LANES;

/// Runs `steps` steps of products of tiles, and returns a number that depends on all of them, or `None` without tiles.
pub fn multiply_tiles(set: InstructionSet, steps: usize) -> Option<f32> {
    #[cfg(target_arch = "x86_64")]
    if let InstructionSet::Avx512Bf16(unit) = set
        && let Some(tiles) = unit.tiles()
    {
        use super::tiles::TileRows;
        // Factors that fit into the first-level cache.
        const BLOCKS: usize = 8;
        let a = std::hint::black_box([[0x3c00_3c00_u32; BLOCKS * LANES]; 2 * LANES]);
        let b = std::hint::black_box([[0x3c00_3c00_u32; BLOCKS * LANES * LANES]; 2]);
        let mut c = [[0.0_f32; 2 * LANES]; 2 * LANES];
        tiles.configure(LANES, LANES);
        for _ in 0..steps.div_ceil(BLOCKS) {
            let a = TileRows { start: a.as_ptr().cast(), row: BLOCKS * LANES };
            let (b, c) = ([b[0].as_ptr(), b[1].as_ptr()], (c.as_mut_ptr().cast(), 2 * LANES));
            // SAFETY: both factors have whole tiles of every block, and the results 32 rows and columns.
            unsafe { tiles.multiply_two_by_two(a, b, BLOCKS, c, true) };
        }
        tiles.release();
        return Some(c.as_flattened().iter().sum());
    }
    let _ = (set, steps);
    None
}

/// Measures whether this CPU multiplies clearly faster in f32 than in bf16. `vdpbf16ps` takes half the time of its multiply-adds
/// in f32 on some CPUs, and twice their time on others.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_f32_faster(set: InstructionSet) -> bool {
    const STEPS: usize = 500;
    fn least(f: impl Fn() -> f32) -> std::time::Duration {
        let time = || {
            let start = std::time::Instant::now();
            std::hint::black_box(f());
            start.elapsed()
        };
        (0..10).map(|_| time()).min().unwrap_or_default()
    }
    let in_bf16 = least(|| multiply_bf16(set, STEPS));
    let in_f32 = least(|| multiply_f32(set, STEPS * BF16_STEP / F32_STEP));
    in_f32.mul_f64(1.2) < in_bf16
}
