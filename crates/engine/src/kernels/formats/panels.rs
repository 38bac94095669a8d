//! Weights packed for the products of [`matmul`](crate::kernels::products::matmul), in one of the number formats.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::columns::StoredColumns;
use super::compressed::{Compressed, expand};
use super::format::{MatrixFormat, WeightFormat, panels_len};
use super::grouped::Grouped;
use super::groups::BlockFormat;
use super::panel::{PANEL, PackPairs, Panel, Segment, divide, for_panels};
use super::quantise::quantise;
use super::stored::{check_packable, pack_groups, pack_pairs, read_column};
use crate::kernels::buffer::{AlignedBuffer, Buffer, with_scratch};
use crate::kernels::pool::ComputePool;
use crate::kernels::units::{Ahead, InstructionSet, LANES, Simd, kernel, rounded};

/// A matrix `[depth, columns]` packed for the kernels: contiguous panels of up to 64 columns.
///
/// A matrix may be in its file until [`Panels::pack_rest`]. Until then each task of a product packs the part that it multiplies.
pub struct Panels {
    pub(crate) depth: usize,
    pub(crate) columns: usize,
    pub(crate) panels: Vec<Panel>,
    packed: OnceLock<Weights>,
    /// Columns in the form of a file, until the weights are packed.
    stored: Mutex<Option<Arc<dyn StoredColumns>>>,
    /// Whether a task has packed weights of the file that are infinite or NaN.
    not_finite: AtomicBool,
}

/// Location of a matrix's weights.
pub(crate) enum Source<'a> {
    Packed(&'a Weights),
    Stored(Arc<dyn StoredColumns>),
}

/// Layout of a panel's weights.
pub(crate) enum Weights {
    /// `[depth][width]`.
    F32(Buffer),
    /// `[depth / 2, rounded up][width]` pairs (see [`pairs`](crate::kernels::units::pairs)).
    Bf16(AlignedBuffer<u32>),
    /// The same numbers in 12 bits each (see [`compressed`](super::compressed)).
    Compressed(Compressed),
    /// Groups (see [`groups`](super::groups)).
    Grouped(Arc<Grouped>),
    /// The transposed matrix of another one. A task unpacks the part that it multiplies.
    Transposed(Arc<Grouped>),
}

impl Panels {
    /// Packs a matrix whose columns are divided into segments, each with a width that is a multiple of [`LANES`]. No
    /// panel spans two segments. `fill(column, values)` writes a column's `depth` values into zeroed memory.
    pub fn pack(
        pool: &ComputePool,
        format: WeightFormat,
        depth: usize,
        segments: &[usize],
        fill: &(dyn Fn(usize, &mut [f32]) + Sync),
    ) -> Self {
        let format = MatrixFormat::from(format);
        let Some(blocks) = format.blocks() else {
            return Self::pack_plain(pool, format, depth, segments, fill, Weights::of_pairs);
        };
        let panels = divide(depth, segments.iter().map(|width| (*width, format)));
        let (mut data, set) = (AlignedBuffer::new(panels_len(depth, &panels)), pool.instruction_set());
        for_panels(pool, &panels, &mut data, &|panel, groups| round_panel(set, blocks, depth, panel, fill, groups));
        Self::of_weights(depth, panels.clone(), Weights::Grouped(Arc::new(Grouped { depth, panels, data })))
    }

    /// Packs a matrix in blocks: columns that a file has in these formats, and others that `fill` writes, which are rounded.
    ///
    /// # Panics
    /// If a format is not in blocks, the depth is not in whole blocks, or a column is shorter.
    pub fn pack_mixed(
        pool: &ComputePool,
        depth: usize,
        segments: &[Segment],
        columns: &dyn StoredColumns,
        is_stored: &(dyn Fn(usize) -> bool + Sync),
        fill: &(dyn Fn(usize, &mut [f32]) + Sync),
    ) -> Self {
        let (panels, set) = (divide(depth, segments.iter().copied()), pool.instruction_set());
        check_packable(&panels, depth);
        let mut data = AlignedBuffer::new(panels_len(depth, &panels));
        for_panels(pool, &panels, &mut data, &|panel, groups| {
            if is_stored(panel.column) {
                pack_groups(set, columns, panel, 0..depth, groups);
            } else {
                let blocks = panel.format.blocks().expect("the matrix is in blocks");
                round_panel(set, blocks, depth, panel, fill, groups);
            }
        });
        Self::of_weights(depth, panels.clone(), Weights::Grouped(Arc::new(Grouped { depth, panels, data })))
    }

    /// Packs a matrix in f32, or by `of_pairs` in bf16.
    fn pack_plain(
        pool: &ComputePool,
        format: MatrixFormat,
        depth: usize,
        segments: &[usize],
        fill: &(dyn Fn(usize, &mut [f32]) + Sync),
        of_pairs: impl Fn(&ComputePool, usize, &[Panel], &PackPairs<'_>) -> Weights,
    ) -> Self {
        let panels = divide(depth, segments.iter().map(|width| (*width, format)));
        let set = pool.instruction_set();
        let weights = if format == MatrixFormat::Bf16 {
            of_pairs(pool, depth, &panels, &|panel, pairs| {
                for_strips(set, depth, panel, fill, |strip, column| store_pairs(strip, panel.width, column, pairs));
            })
        } else {
            let mut data = Buffer::new(panels_len(depth, &panels));
            for_panels(pool, &panels, &mut data, &|panel, values| {
                for_strips(set, depth, panel, fill, |strip, column| {
                    for (strip, row) in strip.iter().zip(values.chunks_exact_mut(panel.width)) {
                        row[column..][..LANES].copy_from_slice(strip);
                    }
                });
            });
            Weights::F32(data)
        };
        Self::of_weights(depth, panels, weights)
    }

    /// Packs a matrix as [`Panels::pack`] does, from columns that a file has in these formats. Their numbers are moved, not
    /// computed. Beside a segment in blocks all others are such too.
    ///
    /// # Panics
    /// If a format is f32, the depth is odd or not in whole blocks, or a column is shorter.
    pub fn pack_stored(pool: &ComputePool, depth: usize, segments: &[Segment], columns: &dyn StoredColumns) -> Self {
        let panels = divide(depth, segments.iter().copied());
        let weights = pack_columns(pool, depth, &panels, columns);
        Self::of_weights(depth, panels, weights)
    }

    /// Returns a matrix that stays in a file which has it in these formats, until [`Panels::pack_rest`].
    ///
    /// # Panics
    /// If a format is f32, or the depth is odd or not in whole blocks. Products panic if a column is shorter.
    pub fn in_file(depth: usize, segments: &[Segment], columns: Arc<dyn StoredColumns>) -> Self {
        let panels = divide(depth, segments.iter().copied());
        check_packable(&panels, depth);
        Self::new(depth, panels, OnceLock::new(), Some(columns))
    }

    pub(crate) fn of_weights(depth: usize, panels: Vec<Panel>, weights: Weights) -> Self {
        Self::new(depth, panels, OnceLock::from(weights), None)
    }

    fn new(
        depth: usize,
        panels: Vec<Panel>,
        packed: OnceLock<Weights>,
        stored: Option<Arc<dyn StoredColumns>>,
    ) -> Self {
        let columns = panels.last().map_or(0, |panel| panel.column + panel.width);
        let (stored, not_finite) = (Mutex::new(stored), AtomicBool::new(false));
        Self { depth, columns, panels, packed, stored, not_finite }
    }

    /// Packs the matrix if it is in a file, and drops the file. The products of other threads go on meanwhile.
    ///
    /// # Panics
    /// If a column is shorter than the matrix.
    pub fn pack_rest(&self, pool: &ComputePool) {
        self.packed(pool);
    }

    /// Returns the packed weights, which are packed now if they are in a file.
    fn packed(&self, pool: &ComputePool) -> &Weights {
        let packed = self.packed.get_or_init(|| {
            let columns = self.stored().clone().expect("columns stay until they are packed");
            pack_columns(pool, self.depth, &self.panels, &*columns)
        });
        *self.stored() = None;
        packed
    }

    /// Returns whether all weights that tasks have read from the file are finite.
    pub fn is_finite(&self) -> bool {
        !self.not_finite.load(Ordering::Relaxed)
    }

    /// Notes whether weights that a task has read from the file are finite.
    pub(crate) fn note_finite(&self, are_finite: bool) {
        if !are_finite {
            self.not_finite.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the location of the weights.
    pub(crate) fn source(&self) -> Source<'_> {
        match self.packed.get() {
            Some(weights) => Source::Packed(weights),
            None => match self.stored().clone() {
                Some(columns) => Source::Stored(columns),
                None => Source::Packed(self.packed.get().expect("columns stay until they are packed")),
            },
        }
    }

    fn stored(&self) -> MutexGuard<'_, Option<Arc<dyn StoredColumns>>> {
        // An assignment is the only change.
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the transposed matrix, in one segment, for the backward pass. That of grouped weights shares their
    /// memory.
    pub fn transposed(&self, pool: &ComputePool) -> Self {
        let weights = self.packed(pool);
        if let Weights::Grouped(grouped) = weights {
            // Their format says only that these are no f32.
            let panels = divide(self.columns, [(self.depth.next_multiple_of(LANES), self.format())]);
            let weights = Weights::Transposed(grouped.clone());
            let columns = self.depth;
            return Self { columns, ..Self::of_weights(self.columns, panels, weights) };
        }
        let set = pool.instruction_set();
        // Training multiplies many rows, which gain nothing from compression.
        let fill = |k: usize, values: &mut [f32]| {
            for panel in &self.panels {
                let values = &mut values[panel.column..][..panel.width];
                match weights {
                    Weights::F32(data) => {
                        values.copy_from_slice(&data[panel.offset + k * panel.width..][..panel.width]);
                    }
                    Weights::Bf16(data) => {
                        let pairs = &data[panel.offset + k / 2 * panel.width..][..panel.width];
                        values.iter_mut().zip(pairs).for_each(|(value, pair)| *value = of_pair(*pair, k));
                    }
                    Weights::Compressed(compressed) => {
                        let mut pairs = [0; PANEL];
                        expand(set, compressed.pairs(*panel, k / 2..k / 2 + 1), Ahead::NONE, &mut pairs);
                        values.iter_mut().zip(pairs).for_each(|(value, pair)| *value = of_pair(pair, k));
                    }
                    Weights::Grouped(_) | Weights::Transposed(_) => unreachable!("grouped weights are not copied"),
                }
            }
        };
        Self::pack_plain(pool, self.format(), self.columns, &[self.depth], &fill, Weights::of_plain_pairs)
    }

    /// Copies one column with the values that its numbers stand for.
    pub fn column(&self, column: usize, values: &mut [f32]) {
        let panel = self.panels[self.panels.partition_point(|panel| panel.column <= column) - 1];
        let values = &mut values[..self.depth];
        match self.source() {
            Source::Packed(weights) => weights.column(panel, column, values),
            Source::Stored(columns) => read_column(panel.format, columns.column(column), values),
        }
    }

    /// Returns the number of rows of the matrix.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the number of columns of the matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number format, that of the first columns if they differ.
    pub fn format(&self) -> MatrixFormat {
        self.panels.first().map_or(MatrixFormat::F32, |panel| panel.format)
    }

    /// Returns whether products need the sums of left factors.
    pub(crate) fn has_minima(&self) -> bool {
        let is_transposed = matches!(self.packed.get(), Some(Weights::Transposed(_)));
        !is_transposed && self.panels.iter().any(|panel| panel.format.has_minima())
    }

    /// Returns the size in bytes once it is packed.
    pub fn bytes(&self) -> usize {
        match self.packed.get() {
            Some(Weights::Transposed(_)) => return 0,
            Some(Weights::Compressed(compressed)) => return compressed.bytes(),
            _ => {}
        }
        self.panels.iter().map(|panel| panel.format.packed_bytes(self.depth, panel.width)).sum()
    }
}

impl Weights {
    /// Returns weights in bf16, whose panels `pack` writes as pairs: compressed if that is worthwhile.
    pub(crate) fn of_pairs(pool: &ComputePool, depth: usize, panels: &[Panel], pack: &PackPairs<'_>) -> Self {
        let compressed = pool.instruction_set().compresses().then(|| Compressed::pack(pool, depth, panels, pack));
        compressed.flatten().map_or_else(|| Self::of_plain_pairs(pool, depth, panels, pack), Self::Compressed)
    }

    /// Likewise, never compressed.
    pub(crate) fn of_plain_pairs(pool: &ComputePool, depth: usize, panels: &[Panel], pack: &PackPairs<'_>) -> Self {
        let mut data = AlignedBuffer::new(panels_len(depth, panels));
        for_panels(pool, panels, &mut data, pack);
        Self::Bf16(data)
    }

    /// Copies one column of a panel.
    fn column(&self, panel: Panel, column: usize, values: &mut [f32]) {
        let within = column - panel.column;
        let mut values = values.iter_mut().enumerate();
        match self {
            Self::F32(data) => {
                let data = &data[panel.offset + within..];
                values.for_each(|(k, value)| *value = data[k * panel.width]);
            }
            Self::Bf16(data) => {
                let data = &data[panel.offset + within..];
                values.for_each(|(k, value)| *value = of_pair(data[k / 2 * panel.width], k));
            }
            Self::Compressed(compressed) => {
                let pairs = compressed.pairs(panel, 0..values.len().div_ceil(2));
                pairs.for_each_of_column(within, |word| {
                    values.by_ref().take(2).for_each(|(k, value)| *value = of_pair(word, k));
                });
            }
            Self::Grouped(grouped) => values.for_each(|(k, value)| *value = grouped.weight(k, column)),
            Self::Transposed(grouped) => values.for_each(|(k, value)| *value = grouped.weight(column, k)),
        }
    }
}

/// Packs all panels.
///
/// # Panics
/// As [`check_packable`], and if a column is shorter.
fn pack_columns(pool: &ComputePool, depth: usize, panels: &[Panel], columns: &dyn StoredColumns) -> Weights {
    check_packable(panels, depth);
    let set = pool.instruction_set();
    if panels.iter().all(|panel| panel.format == MatrixFormat::Bf16) {
        return Weights::of_pairs(pool, depth, panels, &|panel, pairs| {
            pack_pairs(set, columns, panel, 0..depth, pairs);
        });
    }
    let mut data = AlignedBuffer::new(panels_len(depth, panels));
    for_panels(pool, panels, &mut data, &|panel, groups| {
        pack_groups(set, columns, panel, 0..depth, groups);
    });
    Weights::Grouped(Arc::new(Grouped { depth, panels: panels.to_vec(), data }))
}

/// Rounds the columns of a panel to blocks.
fn round_panel(
    set: InstructionSet,
    blocks: BlockFormat,
    depth: usize,
    panel: Panel,
    fill: &(dyn Fn(usize, &mut [f32]) + Sync),
    groups: &mut [u8],
) {
    for_strips(set, depth, panel, fill, |strip, column| quantise(set, blocks, strip, panel.width, column, groups));
}

/// Returns the element of a pair for step `k`.
fn of_pair(pair: u32, k: usize) -> f32 {
    f32::from_bits(if k.is_multiple_of(2) { pair & 0xffff_0000 } else { pair << 16 })
}

/// Writes sixteen columns, `[depth][16]`, to a panel as pairs of bf16.
fn store_pairs(strip: &[[f32; LANES]], width: usize, column: usize, pairs: &mut [u32]) {
    for (values, row) in strip.chunks(2).zip(pairs.chunks_exact_mut(width)) {
        let (first, second) = (&values[0], values.get(1).unwrap_or(&[0.0; LANES]));
        for ((pair, first), second) in row[column..][..LANES].iter_mut().zip(first).zip(second) {
            *pair = rounded(*first) | rounded(*second) >> 16;
        }
    }
}

/// Reads the columns of a panel, sixteen at a time, and passes them to `store` transposed, `[depth][16]`, with the first one's position in
/// the panel.
fn for_strips(
    set: InstructionSet,
    depth: usize,
    panel: Panel,
    fill: &(dyn Fn(usize, &mut [f32]) + Sync),
    mut store: impl FnMut(&[[f32; LANES]], usize),
) {
    with_scratch(2 * LANES * depth, |scratch| {
        let (columns, strip) = scratch.split_at_mut(LANES * depth);
        let strip = strip.as_chunks_mut::<LANES>().0;
        for first in (0..panel.width).step_by(LANES) {
            columns.fill(0.0);
            for (j, values) in columns.chunks_exact_mut(depth).enumerate() {
                fill(panel.column + first + j, values);
            }
            transpose(set, columns, strip);
            store(strip, first);
        }
    });
}

kernel! {
    /// Transposes sixteen columns.
    fn transpose(columns: &[f32], strip: &mut [[f32; LANES]]) = transpose_generic;
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
fn transpose_generic<S: Simd>(simd: S, columns: &[f32], strip: &mut [[f32; LANES]]) {
    let depth = strip.len();
    for start in (0..depth).step_by(LANES) {
        let steps = LANES.min(depth - start);
        let mut words = [[0; LANES]; LANES];
        for j in 0..LANES {
            let column = &columns[j * depth + start..][..steps];
            for k in 0..steps {
                words[j][k] = column[k].to_bits();
            }
        }
        simd.transpose(&mut words);
        for k in 0..steps {
            for j in 0..LANES {
                strip[start + k][j] = f32::from_bits(words[k][j]);
            }
        }
    }
}
