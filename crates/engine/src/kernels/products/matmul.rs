//! Products with packed weights on all threads, with low-rank terms.
//!
//! Threads divide the tiles of the result. No sum is split, so the result does not depend on the number of threads.

use std::ops::Range;

use super::chained_product::gemm_chained;
use super::compressed_product::gemm_compressed;
use super::gemm::{Product, gemm};
use super::pair_product::{BlockSums, Order, PairProduct, Start, gemm_bf16};
use super::rounding::{round_rows, round_split_rows, round_tile_rows, sum_blocks};
use super::small_products::{Factor, ROW_CHUNK, assert_reach};
use crate::kernels::buffer::{with_byte_scratch, with_integer_scratch, with_scratch, with_weight_scratch};
use crate::kernels::formats::{
    GROUP, Groups, MatrixFormat, PAIRS, PANEL, Panel, Panels, Source, Weights, pack_groups, pack_pairs, transpose_pairs,
};
use crate::kernels::pool::{ComputePool, ROW_BLOCK, Shared};
use crate::kernels::units::{Ahead, InstructionSet, RowForm};

/// Number of rows below which memory bandwidth for the weights, not arithmetic, determines the time.
const FEW_ROWS: usize = 64;
/// Number of rows in a register tile.
const TILE_ROWS: usize = 6;
/// Number of rows that get their low-rank terms while they are in the first-level cache, unless that would unpack the
/// weights again.
const TERM_ROWS: usize = 4 * TILE_ROWS;
/// Number of steps of k of an f32 panel, and of one that a task packs, that fit into the second-level cache beside other data.
const F32_STEPS: usize = 1024;
/// Size in bytes of a left factor that also fits into that cache.
const LEFT_BYTES: usize = 512 << 10;
/// Minimum number of tasks per thread for an even distribution.
const MIN_TASKS: usize = 4;
/// Maximum number of multiplications in a task of several blocks: a fraction of a millisecond.
const TASK_STEPS: usize = 1 << 25;
/// Number of values up to which one thread rounds them to bf16 alone.
const ROUND_ALONE: usize = 1 << 15;

/// Memory layout of the right factor of a [`LowRankTerm`].
#[derive(Clone, Copy, Debug)]
pub enum FactorLayout {
    /// Row by row, with this distance.
    Rows(usize),
    /// In the panels of the matrix it is added to, each `[depth][width]`, so that the values that a tile reads are
    /// contiguous. The panel of column c begins at `(c - first) * depth`, where `first` is the field.
    Panels(usize),
}

/// A term `left[rows, depth] right[depth, columns]`, which is added to a part of a product after the product's own sum.
#[derive(Clone)]
pub struct LowRankTerm<'a> {
    /// Rows of the result that the term is added to.
    pub rows: Range<usize>,
    /// Columns of the result that the term is added to; whole panels.
    pub columns: Range<usize>,
    /// Number of steps of k.
    pub depth: usize,
    /// Left factor; its row 0 corresponds to row 0 of the result.
    pub left: &'a [f32],
    /// Distance between the rows of `left`.
    pub left_stride: usize,
    /// Right factor; unless it is in panels, its column 0 corresponds to column 0 of the result.
    pub right: Factor<'a>,
    /// Memory layout of `right`.
    pub right_layout: FactorLayout,
}

/// Computes `y (+)= x w + terms` in the number format of `w`, where x is `[rows, depth]` and y `[rows, columns]`, both
/// contiguous.
pub fn matmul(
    pool: &ComputePool,
    rows: usize,
    x: &[f32],
    w: &Panels,
    y: &mut [f32],
    accumulate: bool,
    terms: &[LowRankTerm<'_>],
) {
    matmul_in_blocks(pool, rows, x, w, y, accumulate, terms, None);
}

/// Computes [`matmul`], with the given blocking if there is one.
#[allow(clippy::too_many_arguments)] // a product's operands
pub(crate) fn matmul_in_blocks(
    pool: &ComputePool,
    rows: usize,
    x: &[f32],
    w: &Panels,
    y: &mut [f32],
    accumulate: bool,
    terms: &[LowRankTerm<'_>],
    blocking: Option<Blocking>,
) {
    if rows == 0 {
        return;
    }
    let (depth, columns) = (w.depth, w.columns);
    let (x, y) = (&x[..rows * depth], &mut y[..rows * columns]);
    for term in terms {
        assert!(term.rows.end <= rows && term.columns.end <= columns);
        assert_reach(term.left.len(), (term.rows.end, term.left_stride), (term.depth, 1));
        match term.right_layout {
            FactorLayout::Rows(stride) => assert_reach(term.right.len(), (term.depth, stride), (term.columns.end, 1)),
            FactorLayout::Panels(first) => {
                assert!(first <= term.columns.start && (term.columns.end - first) * term.depth <= term.right.len());
            }
        }
    }
    let y = Shared::new(y);
    let source = &w.source();
    let blocking = blocking.unwrap_or_else(|| Blocking::new(rows, w, source, pool));
    let product =
        PanelProduct { x, pairs: &[], pair_stride: 0, form: RowForm::Pairs, block_sums: &[], w, source, y, accumulate };
    if w.format() != MatrixFormat::F32 {
        let form = pool.instruction_set().row_form(rows);
        let pair_stride = form.row(depth);
        let blocks = if w.has_minima() { depth.div_ceil(GROUP) } else { 0 };
        with_scratch(rows * blocks, |block_sums| {
            with_integer_scratch(rows * pair_stride, |pairs| {
                round(pool, x, depth, pairs, form, block_sums);
                let product = PanelProduct { pairs, pair_stride, form, block_sums, ..product };
                run_tiles(pool, rows, product, terms, blocking);
            });
        });
    } else {
        run_tiles(pool, rows, product, terms, blocking);
    }
}

/// Computes `y = x w`, where the products of w are in bf16 and x is already rounded to pairs of bf16. Rows of x are `stride` apart. The
/// elements of `x` hold the bits of the pairs and have no meaning as f32.
///
/// # Panics
/// If w is f32 or has minima, or a factor is too short.
pub fn matmul_pairs(pool: &ComputePool, rows: usize, x: &[f32], stride: usize, w: &Panels, y: &mut [f32]) {
    assert!(w.format() != MatrixFormat::F32 && !w.has_minima(), "pairs are multiplied with pairs");
    if rows == 0 {
        return;
    }
    let width = w.depth.div_ceil(2);
    assert!(stride >= width, "rows do not overlap");
    let x = &x[..(rows - 1) * stride + width];
    // SAFETY: both are plain numbers of the same size and alignment.
    let pairs = unsafe { std::slice::from_raw_parts(x.as_ptr().cast::<u32>(), x.len()) };
    let y = Shared::new(&mut y[..rows * w.columns]);
    let source = &w.source();
    let set = pool.instruction_set();
    let form = set.row_form(rows);
    let multiply = |pairs: &[u32], pair_stride: usize, form: RowForm| {
        let product =
            PanelProduct { x: &[], pairs, pair_stride, form, block_sums: &[], w, source, y, accumulate: false };
        run_tiles(pool, rows, product, &[], Blocking::new(rows, w, source, pool));
    };
    if form != RowForm::Tiles {
        return multiply(pairs, stride, RowForm::Pairs);
    }
    let words = form.row(w.depth);
    with_integer_scratch(rows * words, |tiles| {
        let shared = Shared::new(tiles);
        pool.run(rows, &|row| {
            // SAFETY: rows do not overlap, and each is given to one task.
            let tiles = unsafe { shared.part(row * words..(row + 1) * words) };
            tiles[..width].copy_from_slice(&pairs[row * stride..][..width]);
            tiles[width..].fill(0);
            transpose_pairs(set, tiles);
        });
        multiply(tiles, words, form);
    });
}

/// Rounds the rows of x to pairs of bf16, or to split ones, and sums their blocks if there is room for the sums.
fn round(pool: &ComputePool, x: &[f32], depth: usize, pairs: &mut [u32], form: RowForm, block_sums: &mut [f32]) {
    let set = pool.instruction_set();
    let rows = x.len() / depth;
    let (width, blocks) = (pairs.len() / rows, block_sums.len() / rows);
    let round_rows = |x: &[f32], pairs: &mut [u32], block_sums: &mut [f32]| {
        match form {
            RowForm::Pairs => round_rows(set, x, depth, pairs),
            RowForm::Split => round_split_rows(set, x, depth, pairs),
            RowForm::Tiles => round_tile_rows(set, x, depth, pairs),
        }
        if blocks > 0 {
            sum_blocks(pairs, depth, form, block_sums);
        }
    };
    if x.len() <= ROUND_ALONE {
        return round_rows(x, pairs, block_sums);
    }
    let (pairs, block_sums) = (Shared::new(pairs), Shared::new(block_sums));
    pool.run(rows.div_ceil(ROW_BLOCK), &|i| {
        let rows = i * ROW_BLOCK..rows.min((i + 1) * ROW_BLOCK);
        let part = |width: usize| rows.start * width..rows.end * width;
        // SAFETY: blocks of rows do not overlap, and every block is given to one task.
        let (pairs, block_sums) = unsafe { (pairs.part(part(width)), block_sums.part(part(blocks))) };
        round_rows(&x[part(depth)], pairs, block_sums);
    });
}

/// Operands of a product with packed weights.
#[derive(Clone, Copy)]
struct PanelProduct<'a> {
    x: &'a [f32],
    /// x rounded to bf16 unless the weights are f32; then empty.
    pairs: &'a [u32],
    /// Distance between the rows of `pairs`.
    pair_stride: usize,
    /// Form of `pairs`.
    form: RowForm,
    /// Sums of the blocks of `pairs`, row by row; empty if the weights have no minima.
    block_sums: &'a [f32],
    w: &'a Panels,
    source: &'a Source<'a>,
    y: Shared<'a>,
    accumulate: bool,
}

/// Division of a product into tasks, and of a task into blocks that fit into the second-level cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocking {
    /// Number of rows in a task.
    pub rows: usize,
    /// Number of panels in a task.
    pub panels: usize,
    /// Number of steps of k that a task computes for all its rows and panels before the next ones: whole blocks of 32, and
    /// whole groups.
    pub depth: usize,
    /// Number of steps of k that all tasks compute before the next ones, so that no task is long: a multiple of
    /// `depth`, or all steps.
    pub round: usize,
}

impl Blocking {
    fn new(rows: usize, w: &Panels, source: &Source<'_>, pool: &ComputePool) -> Self {
        let (depth, panels, threads) = (w.depth, w.panels.len(), pool.threads());
        if rows < FEW_ROWS {
            // One panel may be too little work for a task. Of many panels, a task takes neighbours, so that data
            // prefetched beyond the end of one panel is used.
            let worthwhile = (1 << 17) / (depth * PANEL * rows.max(8));
            let shared_out = panels / (8 * threads);
            let block = if let Source::Stored(_) = source { F32_STEPS } else { depth };
            return Self { rows, panels: worthwhile.max(shared_out).clamp(1, 8), depth: block, round: depth };
        }
        let (block, bytes) = match source {
            Source::Packed(Weights::F32(_)) => (F32_STEPS, size_of::<f32>()),
            // Split rows have two f32 for each pair.
            Source::Packed(Weights::Bf16(_)) if pool.instruction_set().row_form(rows) == RowForm::Split => {
                (2 * F32_STEPS, size_of::<f32>())
            }
            Source::Packed(Weights::Bf16(_)) => (2 * F32_STEPS, size_of::<f32>() / 2),
            Source::Packed(Weights::Compressed(_) | Weights::Grouped(_) | Weights::Transposed(_))
            | Source::Stored(_) => (F32_STEPS, 0),
        };
        // As many rows as fit into the cache beside a panel, or fewer if there would not be enough tasks for all
        // threads. Unpacked weights are used for as many rows as possible.
        let fitting = match depth.min(block) * bytes {
            0 => TASK_STEPS / (PANEL * block),
            row => (LEFT_BYTES / row).clamp(ROW_CHUNK, 4 * ROW_CHUNK),
        };
        let wanted = (MIN_TASKS * threads).div_ceil(panels).min(rows.div_ceil(4 * TILE_ROWS));
        let rows = rows.div_ceil(rows.div_ceil(fitting).max(wanted)).next_multiple_of(TILE_ROWS);
        // Whole blocks, and few enough that a task is not long.
        let round = (TASK_STEPS / (rows * PANEL) / block).max(1).saturating_mul(block);
        Self { rows, panels: 1, depth: block, round: round.min(depth) }
    }
}

fn run_tiles(
    pool: &ComputePool,
    rows: usize,
    product: PanelProduct<'_>,
    terms: &[LowRankTerm<'_>],
    blocking: Blocking,
) {
    let (w, set, threads) = (product.w, pool.instruction_set(), pool.threads());
    let multiplies_in_place = matches!(product.source, Source::Packed(Weights::F32(_) | Weights::Bf16(_)));
    let groups = w.panels.len().div_ceil(blocking.panels);
    let chunks = rows.div_ceil(blocking.rows);
    for round in (0..w.depth).step_by(blocking.round) {
        let end = w.depth.min(round + blocking.round);
        pool.run(chunks * groups, &|task| {
            let chunk = task / groups * blocking.rows..rows.min((task / groups + 1) * blocking.rows);
            let first = task % groups * blocking.panels;
            let panels = &w.panels[first..w.panels.len().min(first + blocking.panels)];
            for start in (round..end).step_by(blocking.depth) {
                let steps = start..end.min(start + blocking.depth);
                for (index, panel) in (first..).zip(panels) {
                    let ahead = if steps.end < end {
                        ahead(product.source, *panel, steps.end..end.min(steps.end + blocking.depth))
                    } else {
                        // Threads claim tasks in turn, so this is most likely the next panel of this thread.
                        let skipped =
                            if index + 1 < first + panels.len() { 0 } else { (threads - 1) * blocking.panels };
                        let next = w.panels.get(index + 1 + skipped);
                        let steps = round..end.min(round + blocking.depth);
                        next.map_or(Ahead::NONE, |next| ahead(product.source, *next, steps))
                    };
                    let terms = terms.iter().filter(|term| term.columns.contains(&panel.column));
                    if steps.end < w.depth {
                        // SAFETY: tasks have distinct tiles of y.
                        unsafe { panel_product(set, product, &chunk, *panel, steps.clone(), ahead) };
                        continue;
                    }
                    // With several rows, the panel's product is bound by arithmetic, so there is memory bandwidth left
                    // for the factors.
                    terms.clone().for_each(|term| prefetch_term(set, term, *panel));
                    let in_parts = terms.clone().next().is_some() && multiplies_in_place;
                    let rows = if in_parts { TERM_ROWS } else { chunk.len() };
                    for first in chunk.clone().step_by(rows) {
                        let rows = first..chunk.end.min(first + rows);
                        let ahead = if first == chunk.start { ahead } else { Ahead::NONE };
                        // SAFETY: as above.
                        unsafe { panel_product(set, product, &rows, *panel, steps.clone(), ahead) };
                        terms.clone().for_each(|term| add_term(set, product, &rows, *panel, term));
                    }
                }
            }
        });
    }
}

/// Returns the memory of these steps of a panel, for products of pairs.
fn ahead(source: &Source<'_>, panel: Panel, steps: Range<usize>) -> Ahead {
    match source {
        Source::Packed(Weights::Bf16(data)) => {
            let pairs = steps.start / 2 * panel.width..steps.end.div_ceil(2) * panel.width;
            Ahead::of(&data[panel.offset..][pairs])
        }
        Source::Packed(Weights::Compressed(compressed)) => {
            compressed.pairs(panel, steps.start / 2..steps.end.div_ceil(2)).ahead()
        }
        Source::Packed(Weights::Grouped(grouped)) => Ahead::of(grouped.groups(panel, steps).data),
        Source::Packed(Weights::F32(_) | Weights::Transposed(_)) | Source::Stored(_) => Ahead::NONE,
    }
}

/// Prefetches the part of a term's right factor that a panel reads, if it is contiguous.
fn prefetch_term(set: InstructionSet, term: &LowRankTerm<'_>, panel: Panel) {
    if let FactorLayout::Panels(first) = term.right_layout {
        let first = (panel.column - first) * term.depth;
        term.right.prefetch(set, first..first + panel.width * term.depth);
    }
}

/// Adds a term to the tile of the rows in `chunk` and the columns of `panel`, which belongs to this task.
fn add_term(
    set: InstructionSet,
    product: PanelProduct<'_>,
    chunk: &Range<usize>,
    panel: Panel,
    term: &LowRankTerm<'_>,
) {
    let range = chunk.start.max(term.rows.start)..chunk.end.min(term.rows.end);
    if range.is_empty() {
        return;
    }
    assert!(panel.column + panel.width <= term.columns.end);
    let (first, b_depth) = match term.right_layout {
        FactorLayout::Rows(stride) => (panel.column, stride),
        FactorLayout::Panels(first) => ((panel.column - first) * term.depth, panel.width),
    };
    let columns = product.w.columns;
    let product = Product {
        rows: range.len(),
        columns: panel.width,
        depth: term.depth,
        a: term.left[range.start * term.left_stride..].as_ptr(),
        a_row: term.left_stride,
        a_depth: 1,
        b: std::ptr::null(),
        b_depth,
        c: product.y.pointer(range.start * columns + panel.column),
        c_row: columns,
        accumulate: true,
    };
    // SAFETY: inside both factors, checked by `matmul`, and inside this task's tile of y.
    unsafe { term.right.multiply(set, first, product) };
}

/// Computes the given steps of the sums in the tile of the rows in `chunk` and the columns of `panel`. The sums
/// continue from the content of y unless the steps are the first. `ahead` is read next.
///
/// # Safety
/// Nobody else may use that tile of y meanwhile.
unsafe fn panel_product(
    set: InstructionSet,
    product: PanelProduct<'_>,
    chunk: &Range<usize>,
    panel: Panel,
    steps: Range<usize>,
    ahead: Ahead,
) {
    let PanelProduct { x, pairs, pair_stride, form, block_sums, w, source, y, accumulate } = product;
    let (depth, c_row) = (w.depth, w.columns);
    assert!(steps.start < steps.end && steps.end <= depth, "steps lie inside the depth");
    assert!(panel.column + panel.width <= w.columns, "a panel lies inside its matrix");
    y.pointer((chunk.end - 1) * c_row + panel.column + panel.width - 1); // checks the tile's last element
    let c = y.pointer(chunk.start * c_row + panel.column);
    match source {
        Source::Packed(Weights::F32(data)) => {
            let product = Product {
                rows: chunk.len(),
                columns: panel.width,
                depth: steps.len(),
                a: x[chunk.start * depth..chunk.end * depth][steps.start..].as_ptr(),
                a_row: depth,
                a_depth: 1,
                b: data[panel.offset..][..depth * panel.width][steps.start * panel.width..].as_ptr(),
                b_depth: panel.width,
                c,
                c_row,
                accumulate: accumulate || steps.start > 0,
            };
            // SAFETY: inside x and the panel, whose lengths were just checked, and inside y; the caller's promise.
            unsafe { gemm(set, product) };
        }
        source => {
            assert!(steps.start.is_multiple_of(GROUP), "no task cuts a block of the order of operations");
            let (depth, steps) = (depth.div_ceil(2), steps.start / 2..steps.end.div_ceil(2));
            let words = form.words();
            let left = &pairs[chunk.start * pair_stride..(chunk.end - 1) * pair_stride + form.row(w.depth)];
            let blocks = if panel.format.has_minima() && !block_sums.is_empty() { depth.div_ceil(PAIRS) } else { 0 };
            let block_sums = &block_sums[chunk.start * blocks..chunk.end * blocks];
            let product = PairProduct {
                rows: chunk.len(),
                columns: panel.width,
                pairs: steps.len(),
                a: left[words * steps.start..].as_ptr(),
                a_row: pair_stride,
                a_pair: words,
                form,
                b: std::ptr::null(),
                b_pair: panel.width,
                prefetch: PairProduct::IN_ORDER,
                c,
                c_row,
                block_sums: BlockSums { start: block_sums.as_ptr().wrapping_add(steps.start / PAIRS), row: blocks },
                start: match (steps.start, accumulate) {
                    (0, false) => Start::Zero,
                    (0, true) => Start::Before,
                    _ => Start::Sums,
                },
                order: Order::Blocks,
                ahead,
            };
            let within = 2 * steps.start..w.depth.min(2 * steps.end);
            let multiply_groups = |groups: Groups<'_>| {
                // SAFETY: as above.
                unsafe { gemm_chained(set, product, groups) };
            };
            let multiply_pairs = |weights: &[u32]| {
                // SAFETY: as above, and all of B is in `weights`.
                unsafe { gemm_bf16(set, PairProduct { b: weights.as_ptr(), prefetch: 0, ..product }) };
            };
            match source {
                Source::Packed(Weights::F32(_)) => unreachable!("f32 is multiplied above"),
                Source::Packed(Weights::Bf16(data)) => {
                    let b = data[panel.offset..][..depth * panel.width][steps.start * panel.width..].as_ptr();
                    // SAFETY: as above.
                    unsafe { gemm_bf16(set, PairProduct { b, ..product }) };
                }
                Source::Packed(Weights::Compressed(compressed)) => {
                    // SAFETY: as above. All panels of compressed weights have 64 columns.
                    unsafe { gemm_compressed(set, product, compressed.pairs(panel, steps)) };
                }
                Source::Packed(Weights::Grouped(grouped)) => multiply_groups(grouped.groups(panel, within)),
                Source::Packed(Weights::Transposed(grouped)) => {
                    with_weight_scratch(steps.len() * panel.width, |weights| {
                        grouped.transpose(set, panel, within, weights);
                        multiply_pairs(weights);
                    });
                }
                Source::Stored(columns) => match panel.format.blocks() {
                    Some(blocks) => with_byte_scratch(blocks.panel_bytes(within.len(), panel.width), |groups| {
                        w.note_finite(pack_groups(set, &**columns, panel, within.clone(), groups));
                        multiply_groups(Groups::new(blocks, panel.width, within.len(), groups));
                    }),
                    None => with_weight_scratch(steps.len() * panel.width, |weights| {
                        w.note_finite(pack_pairs(set, &**columns, panel, within, weights));
                        multiply_pairs(weights);
                    }),
                },
            }
        }
    }
}
