//! Panels of a matrix: up to 64 neighbouring columns, whose weights are contiguous and belong to one task.

use super::format::MatrixFormat;
use crate::kernels::pool::{ComputePool, Shared};
use crate::kernels::units::LANES;

/// Maximum width of a panel, in columns.
pub const PANEL: usize = 64;

/// Width of a segment of columns, and their format.
pub type Segment = (usize, MatrixFormat);

#[derive(Clone, Copy)]
pub(crate) struct Panel {
    pub(crate) column: usize,
    pub(crate) width: usize,
    /// Offset in elements of the weights.
    pub(crate) offset: usize,
    pub(crate) format: MatrixFormat,
}

/// Function that writes every pair of a panel in bf16, `[depth / 2, rounded up][width]`. The memory may hold anything before.
pub(crate) type PackPairs<'a> = dyn Fn(Panel, &mut [u32]) + Sync + 'a;

/// Returns the panels of a matrix.
pub(crate) fn divide(depth: usize, segments: impl IntoIterator<Item = Segment>) -> Vec<Panel> {
    let (mut panels, mut columns, mut end) = (Vec::new(), 0, 0);
    for (segment, format) in segments {
        assert!(segment.is_multiple_of(LANES), "segments come in whole vectors");
        for start in (0..segment).step_by(PANEL) {
            let (column, width) = (columns + start, PANEL.min(segment - start));
            panels.push(Panel { column, width, offset: end, format });
            end += format.panel_len(depth, width);
        }
        columns += segment;
    }
    panels
}

/// Calls `store` with each panel and its elements, in parallel.
pub(crate) fn for_panels<T: Copy + Send>(
    pool: &ComputePool,
    panels: &[Panel],
    data: &mut [T],
    store: &(dyn Fn(Panel, &mut [T]) + Sync),
) {
    let len = data.len();
    let shared = Shared::new(data);
    pool.run(panels.len(), &|i| {
        let end = panels.get(i + 1).map_or(len, |next| next.offset);
        // SAFETY: panels do not overlap, and each is given to one task.
        store(panels[i], unsafe { shared.part(panels[i].offset..end) });
    });
}
