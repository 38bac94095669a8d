//! An adapter's factors in the layouts that the kernels read.

use std::ops::Range;
use std::sync::Mutex;

use super::kernels::Buffer;
use super::kernels::panels::PANEL;
use super::kernels::simd::LANES;
use super::layout::{Fused, Layout, Projection};
use super::{Adapter, ComputePool};

/// The factors of all layers, packed.
pub(crate) struct PackedAdapter {
    /// In the order of [`Fused::ALL`].
    pub(crate) layers: Vec<[PackedLinear; 4]>,
}

/// The factors of one fused linear map. "Padded" is the rank rounded up to whole vectors.
pub(crate) struct PackedLinear {
    pub(crate) rank: usize,
    pub(crate) padded_rank: usize,
    /// Columns of each projection in the fused result.
    pub(crate) segments: Vec<Range<usize>>,
    /// `scale * A^T` of the projections side by side: `[in][projections * padded]`.
    pub(crate) down: Buffer,
    /// `B^T` in the panels of the weights it is added to, each `[rank][width]`.
    pub(crate) up: Buffer,
    /// For the backward pass, `scale * B`: `[columns][padded]`; otherwise empty.
    pub(crate) up_rows: Buffer,
    /// For the backward pass, A: `[projections * rank][in]`; otherwise empty.
    pub(crate) down_rows: Buffer,
}

impl PackedLinear {
    /// Values of a row of `x * down`.
    pub(crate) fn inner_width(&self) -> usize {
        self.segments.len() * self.padded_rank
    }
}

impl PackedAdapter {
    /// Memory for an adapter, still empty; `training` adds what the backward pass needs.
    pub(crate) fn new(adapter: &Adapter, layout: &Layout, training: bool) -> Self {
        let (rank, padded_rank) = (adapter.rank, adapter.rank.next_multiple_of(LANES));
        let linear = |fused: Fused| {
            let (input, columns) = (fused.input(layout).padded_len(), fused.columns(layout));
            let segments = fused.segments(layout);
            let projections = segments.len();
            let when = |len| Buffer::new(if training { len } else { 0 });
            PackedLinear {
                rank,
                padded_rank,
                segments,
                down: Buffer::new(input * projections * padded_rank),
                up: Buffer::new(rank * columns),
                up_rows: when(columns * padded_rank),
                down_rows: when(projections * rank * input),
            }
        };
        Self { layers: adapter.layers.iter().map(|_| Fused::ALL.map(linear)).collect() }
    }

    /// Bytes of a layer packed for decoding.
    pub(crate) fn decoding_layer_bytes(rank: usize, layout: &Layout) -> usize {
        let linear = |fused: Fused| {
            let down = fused.input(layout).padded_len() * fused.projections().len() * rank.next_multiple_of(LANES);
            (down + rank * fused.columns(layout)) * size_of::<f32>()
        };
        Fused::ALL.map(linear).iter().sum()
    }

    /// Writes the adapter's values. Padding stays zero.
    pub(crate) fn update(&mut self, pool: &ComputePool, adapter: &Adapter, layout: &Layout) {
        let scale = adapter.scale();
        let mut tasks = Vec::new();
        for (layer, packed) in self.layers.iter_mut().enumerate() {
            for (fused, packed) in Fused::ALL.into_iter().zip(packed) {
                tasks.push(Mutex::new((layer, fused, packed)));
            }
        }
        pool.run(tasks.len(), &|task| {
            let mut guard = tasks[task].lock().expect("every linear is packed by one task");
            let (layer, fused, packed) = &mut *guard;
            for (segment, projection) in fused.projections().iter().enumerate() {
                packed.update_segment(
                    segment,
                    *projection,
                    &adapter.layers[*layer][*projection as usize],
                    scale,
                    layout,
                );
            }
        });
    }
}

impl PackedLinear {
    fn update_segment(
        &mut self,
        segment: usize,
        projection: Projection,
        factors: &super::lora::Factors,
        scale: f32,
        layout: &Layout,
    ) {
        let (input, output) = (projection.input(layout), projection.output(layout));
        let (rank, padded, width) = (self.rank, self.padded_rank, self.inner_width());
        let training = !self.down_rows.is_empty();
        for (r, row) in factors.a.chunks_exact(input.len()).enumerate() {
            for (i, a) in row.iter().enumerate() {
                self.down[input.place(i) * width + segment * padded + r] = scale * a;
            }
            if training {
                let len = input.padded_len();
                input.spread(row, &mut self.down_rows[(segment * rank + r) * len..][..len]);
            }
        }
        for (i, row) in factors.b.chunks_exact(rank).enumerate() {
            let columns = &self.segments[segment];
            let (place, column) = (output.place(i), columns.start + output.place(i));
            let panel = place - place % PANEL;
            let width = PANEL.min(columns.len() - panel);
            for (r, b) in row.iter().enumerate() {
                self.up[(columns.start + panel) * rank + r * width + place - panel] = *b;
                if training {
                    self.up_rows[column * padded + r] = scale * b;
                }
            }
        }
    }
}
