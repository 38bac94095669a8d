//! Weights of bf16 in 12 bits, without loss.
//!
//! The upper byte of a bf16 has the sign and seven of the eight bits of the exponent. Few values of it are frequent in a matrix: of
//! numbers with a normal distribution, sixteen cover all but one in 10,000. So each panel has a table of sixteen upper bytes, and a
//! weight is its lower byte and an index of four bits. A pair of k in which a weight has another upper byte stays plain: the
//! words of [`pairs`](crate::kernels::units::pairs).
//!
//! A single stream reads every weight once for a token, as fast as the memory gives them, so three quarters of the bytes
//! take little more than three quarters of the time.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::panel::{PANEL, PackPairs, Panel};
use crate::kernels::buffer::{AlignedBuffer, with_weight_scratch};
use crate::kernels::pool::{ComputePool, Shared};
use crate::kernels::units::{
    Ahead, CACHE_LINE, COMPRESSED, LANES, PairUnit, Simd, Table, VECTORS, half_index, pair_kernel, word,
};

/// Size in bytes of a plain one.
const PLAIN: usize = PANEL * size_of::<u32>();
/// Mean size in bytes of a pair of k up to which compression is worthwhile: one in eight is plain.
const MEAN: usize = COMPRESSED + (PLAIN - COMPRESSED) / 8;
/// Of so many pairs of k, one is counted for the table.
const SAMPLED: usize = 8;
/// Distance in bytes between the weights in use and those being prefetched.
const PREFETCH: usize = 8192;

/// Weights of a matrix whose panels have 64 columns each.
pub(crate) struct Compressed {
    /// Number of pairs of k.
    pairs: usize,
    /// Panels, `capacity` bytes for each.
    data: AlignedBuffer<u8>,
    capacity: usize,
    panels: Vec<PanelIndex>,
}

struct PanelIndex {
    table: Table,
    /// Plain pairs of k, in order.
    plain: Vec<u32>,
    /// Memory of a panel that did not fit into its part, in which all pairs are plain.
    own: Option<AlignedBuffer<u8>>,
}

/// Some pairs of k of a panel.
#[derive(Clone, Copy)]
pub(crate) struct CompressedPairs<'a> {
    table: &'a Table,
    first: usize,
    pub(crate) pairs: usize,
    /// Plain ones, numbered in the panel.
    plain: &'a [u32],
    data: &'a [u8],
}

impl Compressed {
    /// Compresses the panels that `pack` writes as pairs of bf16. Returns `None` if a panel is narrower than 64 columns, or if more
    /// than one in eight has too many upper bytes.
    pub(crate) fn pack(pool: &ComputePool, depth: usize, panels: &[Panel], pack: &PackPairs<'_>) -> Option<Self> {
        if panels.iter().any(|panel| panel.width != PANEL) {
            return None;
        }
        let pairs = depth.div_ceil(2);
        let capacity = (pairs * MEAN).next_multiple_of(CACHE_LINE);
        let mut data = AlignedBuffer::new(panels.len() * capacity);
        let shared = Shared::new(&mut data);
        let most = panels.len() / 8;
        let (indices, plain) = (panels.iter().map(|_| OnceLock::new()).collect::<Vec<_>>(), AtomicUsize::new(0));
        pool.run(panels.len(), &|i| {
            if plain.load(Ordering::Relaxed) > most {
                return;
            }
            with_weight_scratch(pairs * PANEL, |words| {
                pack(panels[i], words);
                // SAFETY: each panel is given to one task.
                let data = unsafe { shared.part(i * capacity..(i + 1) * capacity) };
                let index = compress(words, data).unwrap_or_else(|| {
                    plain.fetch_add(1, Ordering::Relaxed);
                    plain_panel(words)
                });
                // The only assignment.
                let _ = indices[i].set(index);
            });
        });
        if plain.into_inner() > most {
            return None;
        }
        let panels = indices.into_iter().map(OnceLock::into_inner).collect::<Option<_>>()?;
        Some(Self { pairs, data, capacity, panels })
    }

    /// Returns some pairs of k of a panel.
    pub(crate) fn pairs(&self, panel: Panel, pairs: Range<usize>) -> CompressedPairs<'_> {
        assert!(pairs.start <= pairs.end && pairs.end <= self.pairs, "pairs lie inside the depth");
        let index = panel.column / PANEL;
        let PanelIndex { table, plain, own } = &self.panels[index];
        let before = |pair: usize| plain.partition_point(|plain| (*plain as usize) < pair);
        let [start, end] = [pairs.start, pairs.end].map(before);
        let [first, last] = [bytes_of(pairs.start, start), bytes_of(pairs.end, end)];
        let data = || &self.data[index * self.capacity..][..self.capacity];
        let data = &own.as_deref().unwrap_or_else(data)[first..last];
        CompressedPairs { table, first: pairs.start, pairs: pairs.len(), plain: &plain[start..end], data }
    }

    /// Returns the size in bytes of all pairs of k, without the room that panels leave.
    pub(crate) fn bytes(&self) -> usize {
        let plain: usize = self.panels.iter().map(|panel| panel.plain.len()).sum();
        bytes_of(self.panels.len() * self.pairs, plain)
    }
}

impl<'a> CompressedPairs<'a> {
    /// Returns their memory.
    pub(crate) fn ahead(self) -> Ahead {
        Ahead::of(self.data)
    }

    /// Returns a walk over them. `ahead` is read next.
    #[inline(always)]
    pub(crate) fn walk(self, ahead: Ahead) -> Walk<'a> {
        let Self { table, first, plain, data, .. } = self;
        let (next_plain, plain) = match plain {
            [next, plain @ ..] => (*next as usize, plain),
            [] => (usize::MAX, plain),
        };
        let std::ops::Range { start, end } = data.as_ptr_range();
        Walk { table, number: first, next_plain, plain, data: start, end, jump: ahead.distance_from(end) }
    }

    /// Calls `f` with the word of a column of each pair of k in order.
    pub(crate) fn for_each_of_column(self, column: usize, mut f: impl FnMut(u32)) {
        let (vector, lane) = (column / LANES, column % LANES);
        let (mut data, mut plain) = (self.data, self.plain);
        for number in 0..self.pairs {
            let is_plain = plain.first().is_some_and(|plain| *plain as usize == self.first + number);
            let (pair, rest) = data.split_at(if is_plain { PLAIN } else { COMPRESSED });
            f(match pair.first_chunk() {
                Some(pair) if !is_plain => word(pair, self.table, vector, lane),
                _ => u32::from_ne_bytes(pair.as_chunks().0[column]),
            });
            (data, plain) = (rest, &plain[usize::from(is_plain)..]);
        }
    }

    /// Divides the pairs into blocks of so many, the last one of fewer.
    pub(crate) fn blocks(self, size: usize) -> impl Iterator<Item = Self> {
        let (mut data, mut plain) = (self.data, self.plain);
        (0..self.pairs).step_by(size).map(move |start| {
            let pairs = size.min(self.pairs - start);
            let first = self.first + start;
            let within = plain.partition_point(|plain| (*plain as usize) < first + pairs);
            let block;
            (block, data) = data.split_at(bytes_of(pairs, within));
            let those;
            (those, plain) = plain.split_at(within);
            Self { first, pairs, plain: those, data: block, ..self }
        })
    }
}

/// Returns the size in bytes of so many pairs of k, some of which are plain.
const fn bytes_of(pairs: usize, plain: usize) -> usize {
    pairs * COMPRESSED + plain * (PLAIN - COMPRESSED)
}

/// Writes the pairs of k `[pairs][64]` of a panel in order, compressed or plain. Returns `None` if there is too little room.
fn compress(words: &[u32], data: &mut [u8]) -> Option<PanelIndex> {
    let pairs = words.as_chunks::<PANEL>().0;
    let table = frequent_upper_bytes(pairs);
    // Indices of upper bytes; 16 of those that the table lacks.
    let mut indices = [16; 256];
    for (index, upper) in table.into_iter().enumerate().rev() {
        indices[usize::from(upper)] = index as u8;
    }
    let (mut plain, mut end) = (Vec::new(), 0);
    for (number, pair) in pairs.iter().enumerate() {
        let compressed: &mut [u8; COMPRESSED] = data.get_mut(end..)?.first_chunk_mut()?;
        if compress_pair(pair, &indices, compressed) {
            end += COMPRESSED;
        } else {
            for (bytes, word) in data.get_mut(end..end + PLAIN)?.as_chunks_mut().0.iter_mut().zip(pair) {
                *bytes = word.to_ne_bytes();
            }
            plain.push(number as u32);
            end += PLAIN;
        }
    }
    Some(PanelIndex { table, plain, own: None })
}

/// Returns a panel in memory of its own, in which all pairs of k are plain.
fn plain_panel(words: &[u32]) -> PanelIndex {
    let mut own = AlignedBuffer::new(size_of_val(words));
    own.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_ne_bytes());
    PanelIndex { table: [0; 16], plain: (0..(words.len() / PANEL) as u32).collect(), own: Some(own) }
}

/// Returns the sixteen most frequent upper bytes of a sample.
fn frequent_upper_bytes(pairs: &[[u32; PANEL]]) -> Table {
    let mut counts = [0u32; 256];
    for word in pairs.iter().step_by(SAMPLED).flatten() {
        counts[(word >> 8 & 0xff) as usize] += 1;
        counts[(word >> 24) as usize] += 1;
    }
    let mut bytes: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    bytes.sort_unstable_by_key(|byte| std::cmp::Reverse(counts[usize::from(*byte)]));
    std::array::from_fn(|index| bytes[index])
}

/// Compresses a pair of k, and returns whether the table has all its upper bytes.
fn compress_pair(pair: &[u32; PANEL], indices: &[u8; 256], compressed: &mut [u8; COMPRESSED]) -> bool {
    let (lower, codes) = compressed.split_at_mut(2 * CACHE_LINE);
    let mut all = 0;
    for (vector, words) in pair.as_chunks::<LANES>().0.iter().enumerate() {
        for (lane, word) in words.iter().enumerate() {
            for (half, bits) in [(2 * lane, *word), (2 * lane + 1, word >> 16)] {
                let (at, index) = (half_index(vector, half), indices[(bits >> 8 & 0xff) as usize]);
                all |= index;
                lower[vector / 2 * CACHE_LINE + at] = bits as u8;
                codes[at] = if vector < 2 { index } else { codes[at] | index << 4 };
            }
        }
    }
    all < 16
}

pair_kernel! {
    /// Expands the pairs, `[pairs][64]`. `ahead` is read next.
    pub(crate) fn expand(pairs: CompressedPairs<'_>, ahead: Ahead, words: &mut [u32]) = expand_generic;
}

/// A walk over pairs of k in order.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    table: &'a Table,
    /// Number of the next pair in the panel.
    number: usize,
    /// Number of the next plain one; none is so large.
    next_plain: usize,
    /// Plain ones behind that.
    plain: &'a [u32],
    data: *const u8,
    /// End of the pairs, beyond which the memory ahead is prefetched.
    end: *const u8,
    /// Distance to that memory from the end.
    jump: usize,
}

impl Walk<'_> {
    /// Passes a pair. Returns its address, and whether it is plain.
    #[inline(always)]
    pub(crate) fn pass(&mut self) -> (*const u8, bool) {
        let (data, is_plain) = (self.data, self.number == self.next_plain);
        self.number += 1;
        self.data = data.wrapping_add(if is_plain { PLAIN } else { COMPRESSED });
        if is_plain {
            self.next_plain = self.plain.first().map_or(usize::MAX, |plain| *plain as usize);
            self.plain = self.plain.get(1..).unwrap_or_default();
        }
        (data, is_plain)
    }

    /// Passes a pair and returns its weights.
    ///
    /// # Safety
    /// The walk must not be at its end.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // a counted loop over a constant, which the compiler unrolls
    pub(crate) unsafe fn next<U: PairUnit>(&mut self, unit: U) -> [U::Columns; VECTORS] {
        let (data, is_plain) = self.pass();
        let mut ahead = data.wrapping_add(PREFETCH);
        if ahead >= self.end {
            ahead = ahead.wrapping_add(self.jump);
        }
        for line in 0..COMPRESSED / CACHE_LINE {
            unit.simd().prefetch(ahead.wrapping_add(line * CACHE_LINE));
        }
        if !is_plain {
            // SAFETY: the memory of the pairs holds all of them in order, the plain ones as words.
            return unit.load_compressed(unsafe { &*data.cast() }, self.table);
        }
        // SAFETY: as above. Words are aligned, since every pair is whole cache lines.
        let words = unsafe { &*data.cast::<[[u32; LANES]; VECTORS]>() };
        let mut columns = [unit.load(&words[0]); VECTORS];
        for j in 1..VECTORS {
            columns[j] = unit.load(&words[j]);
        }
        columns
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
fn expand_generic<U: PairUnit>(unit: U, pairs: CompressedPairs<'_>, ahead: Ahead, words: &mut [u32]) {
    assert!(words.len() >= pairs.pairs * PANEL, "all words have a place");
    let (mut words, mut walk) = (words.as_mut_ptr(), pairs.walk(ahead));
    for _ in 0..pairs.pairs {
        // SAFETY: as many pairs as there are, and all words have memory, as was checked.
        unsafe {
            let columns = walk.next(unit);
            for j in 0..VECTORS {
                *words.add(j * LANES).cast() = unit.pairs(columns[j]);
            }
        }
        words = words.wrapping_add(PANEL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::formats::panel::divide;
    use crate::kernels::formats::{MatrixFormat, Panels, UNPACKED_PAIRS, Weights};
    use crate::kernels::products::{Blocking, matmul_in_blocks};
    use crate::kernels::units::{InstructionSet, pair_of, round_to_bf16};
    use crate::testing::noise;

    /// More than the pairs that are expanded at once.
    const DEPTH: usize = 2 * UNPACKED_PAIRS + 80;
    const COLUMNS: usize = 9 * PANEL;

    /// Weights as those of a model: zeros, frequent exponents and a few others. Those of the second panel are of all sizes.
    fn weights_of(column: usize) -> Vec<f32> {
        let mut noise = noise(column as u64 + 1);
        let mut weight = || match (noise(), noise()) {
            (kind, size) if column / PANEL == 1 => size * 2f32.powf(40.0 * kind),
            (..-0.95, _) => 0.0,
            (0.9998.., size) => size * 1e6,
            (0.9996.., size) => size * 1e-9,
            (_, size) => size * 0.02,
        };
        (0..DEPTH).map(|_| round_to_bf16(weight())).collect()
    }

    fn panels(pool: &ComputePool, depth: usize, is_compressed: bool) -> Panels {
        let panels = divide(depth, [(COLUMNS, MatrixFormat::Bf16)]);
        let pack = |panel: Panel, words: &mut [u32]| {
            for column in 0..panel.width {
                for (k, pair) in weights_of(panel.column + column)[..depth].chunks(2).enumerate() {
                    words[k * PANEL + column] = pair_of(pair);
                }
            }
        };
        let weights = if is_compressed {
            let compressed = Compressed::pack(pool, depth, &panels, &pack).expect("most panels have few upper bytes");
            assert_eq!(compressed.panels.iter().filter(|panel| panel.own.is_some()).count(), 1);
            assert!(
                compressed
                    .panels
                    .iter()
                    .all(|panel| (1..DEPTH / 2).contains(&panel.plain.len()) || panel.own.is_some())
            );
            Weights::Compressed(compressed)
        } else {
            Weights::of_plain_pairs(pool, depth, &panels, &pack)
        };
        Panels::of_weights(depth, panels, weights)
    }

    #[test]
    fn compressed_weights_are_the_same_numbers() {
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(2, set);
            let [plain, compressed] = [false, true].map(|is_compressed| panels(&pool, DEPTH, is_compressed));
            assert!(compressed.bytes() < plain.bytes() * 7 / 8);
            let transposed = compressed.transposed(&pool);
            for column in 0..COLUMNS {
                let mut values = [vec![f32::NAN; DEPTH], vec![f32::NAN; DEPTH]];
                plain.column(column, &mut values[0]);
                compressed.column(column, &mut values[1]);
                assert!(values[0] == values[1], "column {column}");
                assert!(values[0] == weights_of(column), "column {column}");
            }
            for k in [0, 1, DEPTH - 2, DEPTH - 1] {
                let mut row = vec![f32::NAN; COLUMNS];
                transposed.column(k, &mut row);
                assert!((0..COLUMNS).all(|column| row[column] == weights_of(column)[k]), "row {k}");
            }
        }
    }

    #[test]
    fn products_are_those_of_plain_weights() {
        let depth = DEPTH - 1;
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(2, set);
            let [plain, compressed] = [false, true].map(|is_compressed| panels(&pool, depth, is_compressed));
            for rows in (1..=14).chain([40, 70]) {
                let mut noise = noise(rows as u64);
                let x: Vec<f32> = (0..rows * depth).map(|_| noise()).collect();
                let blocks = [None, Some(Blocking { rows, panels: 2, depth: 64, round: 128 })];
                let [plain, compressed] = [&plain, &compressed].map(|weights| {
                    blocks.map(|blocking| {
                        let mut y = vec![0.5; rows * COLUMNS];
                        matmul_in_blocks(&pool, rows, &x, weights, &mut y, true, &[], blocking);
                        y.into_iter().map(f32::to_bits).collect::<Vec<_>>()
                    })
                });
                assert!(plain[0] == plain[1]);
                assert!(plain == compressed, "{rows} rows, {}", set.name());
            }
        }
    }

    #[test]
    fn weights_with_many_exponents_stay_plain() {
        let pool = ComputePool::new(2);
        let panels = divide(DEPTH, [(4 * PANEL, MatrixFormat::Bf16)]);
        let noisy = |panel: Panel, words: &mut [u32]| {
            let mut noise = noise(panel.column as u64 + 1);
            words.iter_mut().for_each(|word| *word = (noise() * 2e9) as i32 as u32);
        };
        assert!(Compressed::pack(&pool, DEPTH, &panels, &noisy).is_none());
        let narrow = divide(DEPTH, [(PANEL + LANES, MatrixFormat::Bf16)]);
        assert!(Compressed::pack(&pool, DEPTH, &narrow, &|_, words| words.fill(0)).is_none());
    }
}
