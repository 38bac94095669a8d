//! Packing of weights that a file has in the format of the panels: their numbers are moved, not computed.

use std::array;
use std::sync::Arc;

use super::bf16::rounded;
use super::buffer::AlignedBuffer;
use super::grouped::{Bits, GROUP, Grouped};
use super::panels::{Panel, Panels, WeightFormat, Weights, divide, for_panels};
use super::simd::LANES;
use crate::ComputePool;

/// The weights of sixteen columns, as [`Panels::pack_stored`] describes them.
type StoredColumns<'a> = [Option<&'a [u8]>; LANES];

impl Panels {
    /// Packs a matrix as [`Panels::pack`] does, from columns that a file has in this format. `stored(column)` returns the
    /// column's bytes, or `None` if all its weights are zero.
    ///
    /// | format | bytes of a column, numbers in little-endian order |
    /// |---|---|
    /// | `bf16` | `depth` numbers in bf16 |
    /// | `int8` | blocks of 32 weights as in GGUF's `Q8_0`: scale in f16, 32 signed bytes |
    /// | `int4` | blocks of 32 weights as in GGUF's `Q4_0`: scale in f16, 16 bytes; byte `i` has the numbers `i` and `i + 16`, increased by 8 |
    ///
    /// # Panics
    /// If the format is f32, the depth is odd or not in whole blocks, or a column has another size.
    pub fn pack_stored<'a>(
        pool: &ComputePool,
        format: WeightFormat,
        depth: usize,
        segments: &[usize],
        stored: &(dyn Fn(usize) -> Option<&'a [u8]> + Sync),
    ) -> Self {
        assert!(format != WeightFormat::F32, "files of f32 are packed by value");
        let (block, bytes) = match format.bits() {
            Some(bits) => (GROUP, depth / GROUP * (size_of::<u16>() + bits.of(GROUP))),
            None => (2, depth * size_of::<u16>()),
        };
        assert!(depth.is_multiple_of(block), "whole blocks, depth {depth}");
        let columns = |first: usize| -> StoredColumns<'a> {
            array::from_fn(|lane| {
                stored(first + lane).inspect(|stored| assert_eq!(stored.len(), bytes, "a whole column"))
            })
        };
        let (panels, weights) = match format.bits() {
            Some(bits) => {
                let (panels, len) = divide(segments, |width| bits.panel_bytes(depth, width));
                let mut data = AlignedBuffer::new(len);
                for_panels(pool, &panels, &mut data, &|Panel { column, width, .. }, panel| {
                    for first in (0..width).step_by(LANES) {
                        move_groups(bits, columns(column + first), width, first, panel);
                    }
                });
                (panels.clone(), Weights::Grouped(Arc::new(Grouped { bits, depth, panels, data })))
            }
            None => {
                let (panels, len) = divide(segments, |width| depth / 2 * width);
                let mut data = AlignedBuffer::new(len);
                for_panels(pool, &panels, &mut data, &|Panel { column, width, .. }, panel| {
                    for first in (0..width).step_by(LANES) {
                        move_pairs(columns(column + first), width, first, panel);
                    }
                });
                (panels, Weights::Bf16(data))
            }
        };
        Self { depth, columns: segments.iter().sum(), panels, weights }
    }
}

/// Moves the bf16 of sixteen columns to their place in a panel. The first number of a pair becomes its upper half.
fn move_pairs(columns: StoredColumns<'_>, width: usize, first: usize, panel: &mut [u32]) {
    const NOTHING: &[[u8; 4]] = &[];
    let columns = columns.map(|column| column.map_or(NOTHING, |column| column.as_chunks().0));
    // Parts of a cache line of each column.
    for (part, rows) in panel.chunks_mut(LANES * width).enumerate() {
        let mut pairs = [[0; LANES]; LANES];
        for (pairs, column) in pairs.iter_mut().zip(columns) {
            let column = column.get(part * LANES..).unwrap_or_default();
            for (pair, bytes) in pairs.iter_mut().zip(column) {
                let halves = u32::from_le_bytes(*bytes);
                // Tiny numbers become zero, as in all pairs.
                *pair = rounded(f32::from_bits(halves << 16)) | rounded(f32::from_bits(halves & 0xffff_0000)) >> 16;
            }
        }
        for (pair, row) in rows.chunks_exact_mut(width).enumerate() {
            for (place, pairs) in row[first..][..LANES].iter_mut().zip(&pairs) {
                *place = pairs[pair];
            }
        }
    }
}

/// A block whose scale and numbers are zero.
const ZEROS_OF_FOUR_BITS: [u8; 2 + GROUP / 2] = {
    let mut block = [0x88; 2 + GROUP / 2];
    (block[0], block[1]) = (0, 0);
    block
};

/// Moves scales and numbers of sixteen columns to their place in a panel (see [`grouped`](super::grouped)).
fn move_groups(bits: Bits, columns: StoredColumns<'_>, width: usize, first: usize, panel: &mut [u8]) {
    let (vectors, vector) = (width / LANES, first / LANES);
    let size = size_of::<u16>() + bits.of(GROUP);
    for (index, group) in panel.chunks_exact_mut(bits.group_bytes(width)).enumerate() {
        let (scales, blocks) = group.split_at_mut(size_of::<u16>() * width);
        for (lane, column) in columns.iter().enumerate() {
            let zeros = match bits {
                Bits::Eight => &[0; 2 + GROUP][..],
                Bits::Four => &ZEROS_OF_FOUR_BITS,
            };
            let block = column.map_or(zeros, |column| &column[index * size..][..size]);
            let (scale, numbers) = block.split_at(size_of::<u16>());
            let scale = u16::from_le_bytes([scale[0], scale[1]]);
            scales.as_chunks_mut().0[first + lane] = scale.to_ne_bytes();
            // Places of the column in the blocks of its vector.
            let place = vector * LANES + lane;
            match bits {
                Bits::Eight => {
                    let places = blocks.as_chunks_mut().0.iter_mut().skip(place).step_by(vectors * LANES);
                    for (place, [first, second]) in places.zip(numbers.as_chunks().0) {
                        *place = [*second, *first];
                    }
                }
                Bits::Four => {
                    let halves = numbers.as_chunks().0;
                    let (low, high) = (u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1]));
                    let places = blocks.as_chunks_mut().0.iter_mut().skip(place).step_by(vectors * LANES);
                    for (place, word) in places.zip([low, high, low >> 4, high >> 4]) {
                        *place = block_word(word).to_ne_bytes();
                    }
                }
            }
        }
    }
}

/// Returns the word that has the lower halves of eight bytes: those of even bytes in its upper half, of odd ones in its lower
/// half, the first in the lowest bits.
fn block_word(bytes: u64) -> u32 {
    let gather = |bytes: u64| {
        let nibbles = bytes & 0x000f_000f_000f_000f;
        let pairs = (nibbles | nibbles >> 12) & 0x0000_00ff_0000_00ff;
        (pairs | pairs >> 24) as u32 & 0xffff
    };
    gather(bytes) << 16 | gather(bytes >> 8)
}

#[cfg(test)]
mod tests {
    use super::super::bf16::round_to_bf16;
    use super::super::grouped::f16_value;
    use super::*;
    use crate::testing::noise;

    /// Returns the weights that a column of a file stands for.
    fn weights(format: WeightFormat, stored: &[u8]) -> Vec<f32> {
        let blocks = |numbers: usize| {
            let value = |block: &[u8]| f16_value(u16::from_le_bytes([block[0], block[1]]));
            stored.chunks_exact(2 + numbers).map(move |block| (value(block), &block[2..]))
        };
        match format {
            WeightFormat::Int8 => blocks(GROUP)
                .flat_map(|(scale, numbers)| {
                    numbers.iter().map(move |byte| round_to_bf16(f32::from(*byte as i8) * scale))
                })
                .collect(),
            WeightFormat::Int4 => blocks(GROUP / 2)
                .flat_map(|(scale, bytes)| {
                    let halves = bytes.iter().map(|byte| byte & 15).chain(bytes.iter().map(|byte| byte >> 4));
                    halves.map(move |number| scale * (f32::from(number) - 8.0))
                })
                .collect(),
            _ => stored
                .as_chunks()
                .0
                .iter()
                .map(|bytes| round_to_bf16(f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16)))
                .collect(),
        }
    }

    #[test]
    fn panels_have_the_weights_of_the_file() {
        const DEPTH: usize = 3 * GROUP;
        let pool = ComputePool::new(2);
        let segments = [80, 16, 48];
        let columns: usize = segments.iter().sum();
        for (format, block) in
            [(WeightFormat::Bf16, 2), (WeightFormat::Int8, 2 + GROUP), (WeightFormat::Int4, 2 + GROUP / 2)]
        {
            let bytes = if format == WeightFormat::Bf16 { 2 * DEPTH } else { DEPTH / GROUP * block };
            let mut noise = noise(7);
            let mut file: Vec<u8> = (0..columns * bytes).map(|_| (128.0 * (noise() + 1.0)) as u8).collect();
            // Finite scales, and finite bf16.
            file.chunks_exact_mut(block).for_each(|block| block[1] &= 0xbf);
            let stored = |column: usize| (column % 19 != 5).then(|| &file[column * bytes..][..bytes]);
            let panels = Panels::pack_stored(&pool, format, DEPTH, &segments, &stored);
            for column in 0..columns {
                let mut found = vec![f32::NAN; DEPTH];
                panels.column(column, &mut found);
                let expected = stored(column).map_or(vec![0.0; DEPTH], |stored| weights(format, stored));
                assert!(found == expected, "{format}, column {column}");
            }
            // The same bytes as from values, where these have one form only.
            if format == WeightFormat::Bf16 {
                let packed = Panels::pack(&pool, format, DEPTH, &segments, &|column, values| {
                    if let Some(stored) = stored(column) {
                        values.copy_from_slice(&weights(format, stored));
                    }
                });
                let [Weights::Bf16(packed), Weights::Bf16(moved)] = [&packed.weights, &panels.weights] else {
                    panic!()
                };
                assert!(packed[..] == moved[..]);
            }
        }
    }
}
