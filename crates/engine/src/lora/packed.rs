//! Factors of an adapter in the kernels' layouts.

use std::ops::Range;
use std::sync::Mutex;

use super::factors::LayerFactors;
use super::{LoraOptions, TargetModules};
use crate::config::{LayerKind, ModelConfig};
use crate::kernels::products::{Factor, narrow_index, narrow_width};
use crate::kernels::{AlignedBuffer, Buffer, ComputePool, LANES, PANEL, WeightFormat, bf16_bits, round_to_bf16};
use crate::model::{Fused, Layout, Projection};

/// Packed factors of all layers.
pub(crate) struct PackedAdapter {
    /// Fused linear maps of each layer, at [`Fused::slot`].
    pub(crate) layers: Vec<Vec<PackedLinear>>,
}

/// Packed factors of one fused linear map. "Padded" is the rank rounded up to whole vectors, as training requires.
/// Decoding reads every factor for each row, so there it is the rank itself.
pub(crate) struct PackedLinear {
    pub(crate) rank: usize,
    pub(crate) padded_rank: usize,
    /// Projections that have an adapter; the factors contain these only.
    pub(crate) segments: Vec<Segment>,
    /// `scale * A^T` of the projections side by side: `[in][projections * padded]`, and a tail that lets the last row
    /// be read in whole vectors.
    pub(crate) down: PackedFactor,
    /// `B^T` in the panels of the weights that it is added to, each `[rank][width]`.
    pub(crate) up: PackedFactor,
    /// `scale * B` as a [`NarrowFactor`](crate::kernels::products::NarrowFactor) for the backward pass; otherwise empty.
    pub(crate) up_rows: Buffer,
    /// A for the backward pass: `[projections * rank][in]`; otherwise empty.
    pub(crate) down_rows: Buffer,
}

/// A projection with an adapter within a fused linear map.
pub(crate) struct Segment {
    pub(crate) projection: Projection,
    /// Columns of the projection in the fused output.
    pub(crate) columns: Range<usize>,
    /// First column of the projection among those of the segments only.
    pub(crate) first_column: usize,
}

/// Returns the segments of a fused linear map, in the order of their columns.
fn segments(fused: Fused, targets: TargetModules, layout: &Layout) -> Vec<Segment> {
    let mut first_column = 0;
    let parts = fused.projections(layout).iter().zip(fused.segments(layout));
    let targeted = parts.filter(|(projection, _)| projection.is_targeted(targets, layout.family));
    let segment = |(projection, columns): (&Projection, Range<usize>)| {
        let next = first_column + columns.len();
        Segment { projection: *projection, columns, first_column: std::mem::replace(&mut first_column, next) }
    };
    targeted.map(segment).collect()
}

/// Returns the number of columns of all segments.
fn columns(segments: &[Segment]) -> usize {
    segments.iter().map(|segment| segment.columns.len()).sum()
}

/// Values of a factor in the forward pass.
///
/// With weights in another format than f32, the factors are rounded to bf16 in training and decoding, so that both compute the
/// same bits; the trained values stay f32. Decoding reads each factor for each row and stores bf16. Training stores the
/// rounded values as f32, which every kernel reads.
pub(crate) enum PackedFactor {
    F32(Buffer),
    Rounded(Buffer),
    Bf16(AlignedBuffer<u16>),
}

impl PackedFactor {
    fn new(len: usize, weights: WeightFormat, training: bool) -> Self {
        match (weights, training) {
            (WeightFormat::F32, _) => Self::F32(Buffer::new(len)),
            (_, true) => Self::Rounded(Buffer::new(len)),
            (_, false) => Self::Bf16(AlignedBuffer::new(len)),
        }
    }

    fn put(&mut self, index: usize, value: f32) {
        match self {
            Self::F32(values) => values[index] = value,
            Self::Rounded(values) => values[index] = round_to_bf16(value),
            Self::Bf16(values) => values[index] = bf16_bits(value),
        }
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::F32(values) | Self::Rounded(values) => size_of_val(&values[..]),
            Self::Bf16(values) => size_of_val(&values[..]),
        }
    }

    /// Returns the factor for the kernels.
    pub(crate) fn factor(&self) -> Factor<'_> {
        match self {
            Self::F32(values) | Self::Rounded(values) => Factor::F32(values),
            Self::Bf16(values) => Factor::Bf16(values),
        }
    }
}

impl PackedLinear {
    /// Returns the distance between the rows of `down`.
    pub(crate) fn down_stride(&self) -> usize {
        self.segments.len() * self.padded_rank
    }

    /// Returns the number of values of a row of `x * down`, in whole vectors. Values after the projections' parts are
    /// unspecified.
    pub(crate) fn inner_width(&self) -> usize {
        self.down_stride().next_multiple_of(LANES)
    }
}

impl PackedAdapter {
    /// Allocates the memory of an adapter with zeros, for layers of these kinds; `training` includes the factors of the backward pass.
    pub(crate) fn new(
        options: &LoraOptions,
        layers: impl IntoIterator<Item = LayerKind>,
        layout: &Layout,
        weights: WeightFormat,
        training: bool,
    ) -> Self {
        let LoraOptions { rank, targets, .. } = *options;
        let padded_rank = if training { rank.next_multiple_of(LANES) } else { rank };
        let linear = |fused: &Fused| {
            let segments = segments(*fused, targets, layout);
            let (input, columns) = (fused.input(layout).padded_len(), columns(&segments));
            let projections = segments.len();
            let when = |len| Buffer::new(if training { len } else { 0 });
            PackedLinear {
                rank,
                padded_rank,
                segments,
                down: PackedFactor::new(down_len(input, projections * padded_rank), weights, training),
                up: PackedFactor::new(rank * columns, weights, training),
                up_rows: when(columns * narrow_width(rank)),
                down_rows: when(projections * rank * input),
            }
        };
        Self { layers: layers.into_iter().map(|kind| Fused::of(kind).iter().map(linear).collect()).collect() }
    }

    /// Packs an adapter for decoding, on this thread only.
    pub(crate) fn for_decoding(
        options: &LoraOptions,
        layers: &[LayerFactors],
        config: &ModelConfig,
        weights: WeightFormat,
    ) -> Self {
        let layout = &Layout::new(config);
        let mut packed = Self::new(options, config.kinds(), layout, weights, false);
        for (factors, layer) in layers.iter().zip(&mut packed.layers) {
            for linear in layer {
                linear.update(factors, options.scale(), layout);
            }
        }
        packed
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let linear = |linear: &PackedLinear| {
            let rows = linear.up_rows.len() + linear.down_rows.len();
            linear.down.bytes() + linear.up.bytes() + rows * size_of::<f32>()
        };
        self.layers.iter().flatten().map(linear).sum()
    }

    /// Returns the size in bytes of a layer of a kind packed for decoding with f32 weights; with other formats it takes half.
    pub(crate) fn decoding_layer_bytes(options: &LoraOptions, kind: LayerKind, layout: &Layout) -> usize {
        let linear = |fused: Fused| {
            let segments = segments(fused, options.targets, layout);
            let down = down_len(fused.input(layout).padded_len(), segments.len() * options.rank);
            (down + options.rank * columns(&segments)) * size_of::<f32>()
        };
        Fused::of(kind).iter().copied().map(linear).sum()
    }

    /// Writes the values of the adapter, whose update is scaled by `scale`. Padding stays zero.
    pub(crate) fn update(&mut self, pool: &ComputePool, layers: &[LayerFactors], scale: f32, layout: &Layout) {
        let mut tasks = Vec::new();
        for (layer, packed) in layers.iter().zip(&mut self.layers) {
            tasks.extend(packed.iter_mut().map(|packed| Mutex::new((layer, packed))));
        }
        pool.run(tasks.len(), &|task| {
            let mut guard = tasks[task].lock().expect("every linear is packed by one task");
            let (layer, packed) = &mut *guard;
            packed.update(layer, scale, layout);
        });
    }
}

impl PackedLinear {
    fn update(&mut self, factors: &LayerFactors, scale: f32, layout: &Layout) {
        for segment in 0..self.segments.len() {
            self.update_segment(segment, factors, scale, layout);
        }
    }

    fn update_segment(&mut self, segment: usize, factors: &LayerFactors, scale: f32, layout: &Layout) {
        let (rank, padded, width) = (self.rank, self.padded_rank, self.down_stride());
        let Segment { projection, ref columns, first_column: first } = self.segments[segment];
        let (input, output) = (projection.input(layout), projection.output(layout));
        let (factors, columns) = (&factors[projection as usize], columns.len());
        let training = !self.down_rows.is_empty();
        for (r, row) in factors.a.chunks_exact(input.len()).enumerate() {
            for (i, a) in row.iter().enumerate() {
                self.down.put(input.padded_index(i) * width + segment * padded + r, scale * a);
            }
            if training {
                let len = input.padded_len();
                input.spread(row, &mut self.down_rows[(segment * rank + r) * len..][..len]);
            }
        }
        for (i, row) in factors.b.chunks_exact(rank).enumerate() {
            let column = output.padded_index(i);
            let panel = column - column % PANEL;
            let width = PANEL.min(columns - panel);
            for (r, b) in row.iter().enumerate() {
                self.up.put((first + panel) * rank + r * width + column - panel, *b);
                if training {
                    self.up_rows[narrow_index(first + column, r, rank)] = scale * b;
                }
            }
        }
    }
}

/// Returns the number of f32 of `down` with rows of `stride`, so that the last row can be read in whole vectors.
fn down_len(rows: usize, stride: usize) -> usize {
    rows * stride + stride.next_multiple_of(LANES) - stride
}
