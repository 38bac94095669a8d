//! Backward pass of a linear map with its adapter, and the accumulated gradients.

use std::sync::Mutex;

use crate::config::ModelConfig;
use crate::kernels::products::{
    Factor, FactorLayout, LowRankTerm, NarrowFactor, SmallProduct, matmul, narrow_products, small_products,
};
use crate::kernels::{Buffer, ComputePool};
use crate::lora::{Factors, LayerFactors, LoraOptions, PackedLinear};
use crate::model::{Layout, Linear, PROJECTIONS, Projection};

/// Accumulated gradient of one projection's factors, in the kernels' layout; empty if the projection has no adapter.
pub(crate) struct Gradient {
    /// Gradient of A: `[rank, in]`, padded.
    a: Buffer,
    /// Gradient of the transposed B: `[rank, out]`, padded.
    b: Buffer,
}

/// Accumulated gradients of all layers.
pub(crate) struct Gradients {
    rank: usize,
    pub(crate) layers: Vec<[Gradient; PROJECTIONS]>,
}

impl Gradients {
    /// Creates zero gradients.
    pub(crate) fn new(options: &LoraOptions, config: &ModelConfig, layout: &Layout) -> Self {
        let LoraOptions { rank, targets, .. } = *options;
        let gradient = |kind, projection: Projection| {
            let rows = if projection.is_targeted_in(targets, config, kind) { rank } else { 0 };
            Gradient {
                a: Buffer::new(rows * projection.input(layout).padded_len()),
                b: Buffer::new(rows * projection.output(layout).padded_len()),
            }
        };
        Self { rank, layers: config.kinds().map(|kind| Projection::ALL.map(|one| gradient(kind, one))).collect() }
    }

    /// Sets all gradients to zero.
    pub(crate) fn clear(&mut self) {
        for gradient in self.layers.iter_mut().flatten() {
            gradient.a.fill(0.0);
            gradient.b.fill(0.0);
        }
    }

    /// Returns the gradients in the adapter's own shapes, by layer and projection.
    pub(crate) fn read(&self, pool: &ComputePool, layout: &Layout) -> Vec<LayerFactors> {
        let read = |layer: &[Gradient; PROJECTIONS]| -> LayerFactors {
            Projection::ALL.map(|projection| {
                let (input, output) = (projection.input(layout), projection.output(layout));
                let Gradient { a, b } = &layer[projection as usize];
                if a.is_empty() {
                    return Factors::default();
                }
                let rank = self.rank;
                let mut factors =
                    Factors { a: Vec::with_capacity(rank * input.len()), b: vec![0.0; output.len() * rank] };
                for r in 0..rank {
                    let row = &a[r * input.padded_len()..];
                    factors.a.extend((0..input.len()).map(|i| row[input.padded_index(i)]));
                    let row = &b[r * output.padded_len()..];
                    for i in 0..output.len() {
                        factors.b[i * rank + r] = row[output.padded_index(i)];
                    }
                }
                factors
            })
        };
        let layers: Vec<_> = self.layers.iter().map(|_| Mutex::new(None)).collect();
        pool.run(layers.len(), &|layer| {
            *layers[layer].lock().expect("every layer is read by one task") = Some(read(&self.layers[layer]));
        });
        let taken = |layer: Mutex<Option<LayerFactors>>| layer.into_inner().ok().flatten();
        layers.into_iter().map(|layer| taken(layer).expect("every layer was read")).collect()
    }
}

/// Backward pass of a linear map with its adapter.
pub(super) struct LinearBackward<'a> {
    pub(super) pool: &'a ComputePool,
    pub(super) linear: &'a Linear,
    pub(super) adapter: &'a PackedLinear,
    pub(super) rows: usize,
    /// `t = scale A x`, in rows of [`PackedLinear::inner_width`].
    pub(super) inner: &'a [f32],
    /// Memory for `dt`.
    pub(super) d_inner: &'a mut [f32],
    pub(super) gradients: &'a mut [Gradient],
}

impl LinearBackward<'_> {
    /// Computes the backward pass of `y = W x + bias + B t`. It adds `dA += dt^T x` and `dB += dy^T t`, where
    /// `dt = scale B^T dy`, and computes `dx (+)= W^T dy + A^T dt`.
    pub(super) fn run(self, x: &[f32], dy: &[f32], dx: Option<&mut [f32]>, accumulate: bool) {
        let Self { pool, linear, adapter, rows, inner, d_inner, gradients } = self;
        let (depth, columns) = (linear.forward.depth(), linear.forward.columns());
        let PackedLinear { rank, padded_rank, ref segments, .. } = *adapter;
        let width = segments.len() * rank;
        let parts: Vec<_> = segments.iter().map(|segment| (segment.columns.clone(), segment.first_column)).collect();
        let up = NarrowFactor { values: &adapter.up_rows, columns: rank, parts: &parts };
        narrow_products(pool, rows, dy, columns, up, &mut d_inner[..rows * width]);

        // Tokens are summed in the order of their positions.
        let mut products = Vec::with_capacity(2 * segments.len());
        let gradients = gradients.iter_mut().filter(|gradient| !gradient.a.is_empty());
        for ((index, segment), gradient) in segments.iter().enumerate().zip(gradients) {
            products.push(SmallProduct {
                rows: rank,
                columns: segment.columns.len(),
                depth: rows,
                a: &inner[index * padded_rank..],
                a_strides: (1, adapter.inner_width()),
                b: Factor::F32(&dy[segment.columns.start..]),
                b_stride: columns,
                c: &mut gradient.b,
                c_stride: segment.columns.len(),
                accumulate: true,
            });
            products.push(SmallProduct {
                rows: rank,
                columns: depth,
                depth: rows,
                a: &d_inner[index * rank..],
                a_strides: (1, width),
                b: Factor::F32(x),
                b_stride: depth,
                c: &mut gradient.a,
                c_stride: depth,
                accumulate: true,
            });
        }
        small_products(pool, products);

        if let Some(dx) = dx {
            let term = LowRankTerm {
                rows: 0..rows,
                columns: 0..depth,
                depth: width,
                left: d_inner,
                left_stride: width,
                right: Factor::F32(&adapter.down_rows),
                right_layout: FactorLayout::Rows(depth),
            };
            let terms = if segments.is_empty() { &[][..] } else { &[term] };
            matmul(pool, rows, dy, linear.backward(pool), dx, accumulate, terms);
        }
    }
}
