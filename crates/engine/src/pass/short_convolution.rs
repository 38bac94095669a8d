//! Gated short convolutions: `C * conv(B * x)`, where B, C and x are projections of the layer's input.

use super::context::States;
use super::weight_gradients::LayerHook;
use crate::kernels::recurrent::{
    Columns, ColumnsMut, Run, TreeRun, convolution, convolution_backward, convolution_tree, multiply_rows,
};
use crate::kernels::{Buffer, ComputePool};
use crate::model::{ConvolutionLayout, ConvolutionPart, ConvolutionWeights, LayerPart};

impl ConvolutionLayout {
    /// Returns the columns of B, C and x.
    fn split_input<'a>(&self, values: &'a [f32]) -> [Columns<'a>; 3] {
        let (width, stride) = (self.channels.padded_len(), self.input.padded_len());
        [0, 1, 2].map(|part| Columns { values, first: part * width, stride })
    }

    /// Returns whole rows of values.
    fn rows<'a>(&self, values: &'a [f32]) -> Columns<'a> {
        Columns { values, first: 0, stride: self.channels.padded_len() }
    }
}

/// Short convolution of a layer, over the rows of a call.
pub(super) struct ShortConvolution<'a> {
    pub(super) pool: &'a ComputePool,
    pub(super) layout: &'a ConvolutionLayout,
    pub(super) weights: &'a ConvolutionWeights,
    pub(super) rows: usize,
}

impl ShortConvolution<'_> {
    /// Computes `y = a * b`, `[rows, channels]`.
    fn multiply(&self, a: Columns<'_>, b: Columns<'_>, y: &mut [f32]) {
        let width = self.layout.channels.padded_len();
        multiply_rows(self.pool, self.rows, width, a, b, ColumnsMut { values: y, first: 0, stride: width });
    }

    /// Returns the number of values of the rows.
    fn len(&self) -> usize {
        self.rows * self.layout.channels.padded_len()
    }

    /// Computes the layer up to the input of its output projection, `[rows, channels]`, which is written to `wide` and returned.
    /// `input` is the output of the projection of gates and values; `convolved` keeps the output of the convolution. `layer` is the
    /// index among the layers with one.
    pub(super) fn forward<'m>(
        &self,
        input: &[f32],
        convolved: &mut [f32],
        wide: &'m mut [f32],
        states: &mut States<'_>,
        layer: usize,
    ) -> &'m [f32] {
        let Self { pool, layout, weights, .. } = *self;
        let conv = weights.convolution(layout);
        let [b, c, x] = layout.split_input(input);
        let (convolved, wide) = (&mut convolved[..self.len()], &mut wide[..self.len()]);
        self.multiply(b, x, wide);
        match states {
            States::Sequences(sequences) => {
                let len = layout.state_len();
                let mut runs: Vec<Run<'_>> = sequences
                    .iter_mut()
                    .map(|run| Run {
                        first_row: run.first_row,
                        rows: run.rows,
                        committed: run.rows,
                        state: &mut run.states[layer * len..][..len],
                    })
                    .collect();
                convolution(pool, conv, layout.rows(wide), &mut runs, convolved);
            }
            States::Forest(runs, _) => convolution_tree(pool, conv, layout.rows(wide), runs, convolved),
        }
        self.multiply(c, layout.rows(convolved), wide);
        wide
    }

    /// Computes the input of the output projection again from that of the convolution, which the forward pass has kept.
    pub(super) fn again(&self, input: &[f32], convolved: &[f32], y: &mut [f32]) {
        let [_, c, _] = self.layout.split_input(input);
        self.multiply(c, self.layout.rows(convolved), y);
    }

    /// Computes the gradient of the output of the projection of gates and values, given that of [`ShortConvolution::again`]'s `y`, which
    /// is overwritten. Adds the gradients of the weights if `hook` collects them.
    #[allow(clippy::too_many_arguments)] // the state of a pass, owned by the session
    pub(super) fn backward(
        &self,
        input: &[f32],
        convolved: &[f32],
        runs: &[TreeRun],
        memory: &mut ConvolutionBackwardMemory,
        d_y: &mut [f32],
        d_input: &mut [f32],
        hook: &mut LayerHook<'_>,
    ) {
        let Self { pool, layout, weights, rows } = *self;
        let (conv, width, stride) =
            (weights.convolution(layout), layout.channels.padded_len(), layout.input.padded_len());
        let [b, c, x] = layout.split_input(input);
        let ConvolutionBackwardMemory { product, d_convolved } = memory;
        let (product, d_convolved) = (&mut product[..self.len()], &mut d_convolved[..self.len()]);
        let d_y = &mut d_y[..self.len()];
        let mut to = |part: usize, a: Columns<'_>, b: Columns<'_>| {
            let target = ColumnsMut { values: &mut *d_input, first: part * width, stride };
            multiply_rows(pool, rows, width, a, b, target);
        };
        self.multiply(b, x, product);
        to(1, layout.rows(d_y), layout.rows(convolved));
        self.multiply(layout.rows(d_y), c, d_convolved);
        let product = layout.rows(product);
        let d_product = ColumnsMut { values: &mut *d_y, first: 0, stride: width };
        convolution_backward(pool, conv, product, runs, d_convolved, d_product);
        to(0, layout.rows(d_y), x);
        to(2, layout.rows(d_y), b);
        let parts = [ConvolutionPart::Weights, ConvolutionPart::Bias].map(LayerPart::Convolution);
        hook.convolution(conv, product, runs, d_convolved, parts);
    }
}

/// Memory of the backward pass of short convolutions, shared by all layers.
#[derive(Default)]
pub(super) struct ConvolutionBackwardMemory {
    /// Input of the convolution.
    product: Buffer,
    /// Gradient of its output.
    d_convolved: Buffer,
}

impl ConvolutionBackwardMemory {
    /// Returns the length of each buffer in f32, for so many rows.
    pub(super) fn lengths(layout: &ConvolutionLayout, rows: usize) -> [usize; 2] {
        [rows.saturating_mul(layout.channels.padded_len()); 2]
    }

    pub(super) fn reserve(&mut self, layout: &ConvolutionLayout, rows: usize) {
        let Self { product, d_convolved } = self;
        for (buffer, len) in [product, d_convolved].into_iter().zip(Self::lengths(layout, rows)) {
            buffer.reserve(len);
        }
    }
}

#[cfg(test)]
mod for_tests {
    use super::Buffer;

    impl super::ConvolutionBackwardMemory {
        pub(crate) fn buffers(&self) -> [&Buffer; 2] {
            [&self.product, &self.d_convolved]
        }
    }
}
