//! The backward pass of a linear map with its adapter, and the gradients it leaves.

use super::ComputePool;
use super::kernels::Buffer;
use super::kernels::matmul::{Factor, FactorLayout, LowRankTerm, SmallProduct, matmul, small_products};
use super::layout::{Layout, PROJECTIONS, Projection};
use super::lora::{Factors, LayerFactors};
use super::lora_options::LoraOptions;
use super::lora_packed::PackedLinear;
use super::weights::Linear;

/// Accumulated gradient of one projection's factors, in the kernels' layout; empty where the projection has none.
pub(crate) struct Gradient {
    /// `[rank, in]`, padded.
    a: Buffer,
    /// Of the transposed B: `[rank, out]`, padded.
    b: Buffer,
}

/// Gradients of all layers.
pub(crate) struct Gradients {
    rank: usize,
    pub(crate) layers: Vec<[Gradient; PROJECTIONS]>,
}

impl Gradients {
    /// Zeros.
    pub(crate) fn new(options: &LoraOptions, layers: usize, layout: &Layout) -> Self {
        let LoraOptions { rank, targets, .. } = *options;
        let gradient = |projection: Projection| {
            let rows = if targets.contains(projection) { rank } else { 0 };
            Gradient {
                a: Buffer::new(rows * projection.input(layout).padded_len()),
                b: Buffer::new(rows * projection.output(layout).padded_len()),
            }
        };
        Self { rank, layers: (0..layers).map(|_| Projection::ALL.map(gradient)).collect() }
    }

    /// Sets all to zero.
    pub(crate) fn clear(&mut self) {
        for gradient in self.layers.iter_mut().flatten() {
            gradient.a.fill(0.0);
            gradient.b.fill(0.0);
        }
    }

    /// The gradients in the adapter's own shapes, by layer and projection.
    pub(crate) fn read(&self, layout: &Layout) -> Vec<LayerFactors> {
        let read = |layer: &[Gradient; PROJECTIONS]| {
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
                    factors.a.extend((0..input.len()).map(|i| row[input.place(i)]));
                    let row = &b[r * output.padded_len()..];
                    for i in 0..output.len() {
                        factors.b[i * rank + r] = row[output.place(i)];
                    }
                }
                factors
            })
        };
        self.layers.iter().map(read).collect()
    }
}

/// Backward pass of `y = W x + bias + B t` with `t = scale A x`: adds `dA += dt^T x` and `dB += dy^T t`, where `dt = scale B^T dy`,
/// and forms `dx = W^T dy + A^T dt`.
#[allow(clippy::too_many_arguments)] // a product's operands
pub(crate) fn linear_backward(
    pool: &ComputePool,
    linear: &Linear,
    adapter: &PackedLinear,
    rows: usize,
    x: &[f32],
    inner: &[f32],
    dy: &[f32],
    d_inner: &mut [f32],
    dx: Option<&mut [f32]>,
    gradients: &mut [Gradient],
) {
    let (depth, columns) = (linear.forward.depth(), linear.forward.columns());
    let PackedLinear { rank, padded_rank, ref segments, .. } = *adapter;
    let part = rows * padded_rank;
    let products = segments.iter().zip(d_inner.chunks_exact_mut(part)).map(|(segment, d_inner)| SmallProduct {
        rows,
        columns: padded_rank,
        depth: segment.columns.len(),
        a: &dy[segment.columns.start..],
        a_strides: (columns, 1),
        b: Factor::F32(&adapter.up_rows[segment.place * padded_rank..]),
        b_stride: padded_rank,
        c: d_inner,
        c_stride: padded_rank,
        accumulate: false,
    });
    small_products(pool, products.collect());

    // Tokens are summed in order of position.
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
            a: &d_inner[index * part..],
            a_strides: (1, padded_rank),
            b: Factor::F32(x),
            b_stride: depth,
            c: &mut gradient.a,
            c_stride: depth,
            accumulate: true,
        });
    }
    small_products(pool, products);

    if let Some(dx) = dx {
        let term = |index: usize| LowRankTerm {
            rows: 0..rows,
            columns: 0..depth,
            depth: rank,
            left: &d_inner[index * part..],
            left_stride: padded_rank,
            right: Factor::F32(&adapter.down_rows[index * rank * depth..]),
            right_layout: FactorLayout::Rows(depth),
        };
        let terms: Vec<_> = (0..segments.len()).map(term).collect();
        matmul(pool, rows, dy, linear.backward(pool), dx, false, &terms);
    }
}
