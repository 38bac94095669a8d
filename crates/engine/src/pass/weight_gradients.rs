//! Gradients of weights, computed during the backward pass of each layer.
//!
//! A matrix `y = x W^T` has the gradient `dW = dy^T x`: one product, whose sums run over the rows in order. Norms and
//! biases sum blocks of rows, each in order, and then the blocks, so the sums do not depend on the number of threads.

use crate::config::{HeadNorms, ModelConfig};
use crate::kernels::products::{Factor, SmallProduct, small_products};
use crate::kernels::recurrent::{Columns, Convolution, TreeRun, convolution_weights_backward};
use crate::kernels::rows::{HeadNorm, dot};
use crate::kernels::{Buffer, ComputePool, sum_row_blocks};
use crate::model::{
    BaseModel, DeltaPart, Fused, LayerNorm, LayerPart, Layout, Parameter, Projection, Role, parameters,
};

/// Accumulated gradients of a layer's parameters, in the order of [`parameters`], padded like the kernels' operands.
type LayerGradients = Vec<(LayerPart, Buffer)>;

/// Accumulated gradients of all parameters of a model.
pub(crate) struct WeightGradients {
    pub(crate) layers: Vec<LayerGradients>,
    /// `[vocab][hidden]`; includes the head's gradient if it is tied.
    pub(crate) embedding: Buffer,
    /// `[vocab][hidden]`; `None` if the head is tied to the embedding.
    pub(crate) head: Option<Buffer>,
    final_norm: Buffer,
}

impl WeightGradients {
    /// Creates zero gradients.
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let (layers, none) = ((0..config.layers).map(|_| Vec::new()).collect(), Buffer::default);
        let mut gradients = Self { layers, embedding: none(), head: None, final_norm: none() };
        for parameter in parameters(config) {
            let buffer = Buffer::new(parameter.padded_len());
            match parameter.role {
                Role::Embedding => gradients.embedding = buffer,
                Role::Head => gradients.head = Some(buffer),
                Role::FinalNorm => gradients.final_norm = buffer,
                Role::Layer(layer, part) => gradients.layers[layer].push((part, buffer)),
            }
        }
        gradients
    }

    /// Sets all gradients to zero.
    pub(crate) fn clear(&mut self) {
        let of_layers = self.layers.iter_mut().flatten().map(|(_, gradient)| gradient);
        let others = [&mut self.embedding, &mut self.final_norm].into_iter().chain(&mut self.head);
        of_layers.chain(others).for_each(|gradient| gradient.fill(0.0));
    }

    /// Returns a parameter's gradient, padded.
    pub(crate) fn of(&self, parameter: &Parameter) -> &[f32] {
        match parameter.role {
            Role::Embedding => &self.embedding,
            // Only an untied model has this parameter.
            Role::Head => self.head.as_ref().unwrap_or(&self.embedding),
            Role::FinalNorm => &self.final_norm,
            Role::Layer(layer, part) => {
                let found = self.layers[layer].iter().find(|(own, _)| *own == part);
                &found.expect("the parameter is the model's").1
            }
        }
    }

    /// Returns all gradients by the parameters' names, each in the parameter's own layout.
    pub(crate) fn named(&self, config: &ModelConfig) -> Vec<(String, Vec<f32>)> {
        let read = |parameter: Parameter| {
            let gradient = self.of(&parameter);
            let mut values = vec![0.0; parameter.len()];
            for (row, values) in values.chunks_exact_mut(parameter.width()).enumerate() {
                parameter.columns.gather(&gradient[parameter.gradient_row(row)..], values);
            }
            (parameter.name, values)
        };
        parameters(config).into_iter().map(read).collect()
    }

    /// Adds the gradient of the embedding: each row of `dx`, times `scale`, to the row of its token, in order.
    pub(crate) fn add_embedding(&mut self, tokens: &[u32], dx: &[f32], stride: usize, scale: f32) {
        for (token, dx) in tokens.iter().zip(dx.chunks_exact(stride)) {
            let gradient = &mut self.embedding[*token as usize * stride..][..stride];
            gradient.iter_mut().zip(dx).for_each(|(gradient, dx)| *gradient += scale * dx);
        }
    }

    /// Adds the gradient of the final norm for some rows of its input; `rows` returns x and dy of each.
    pub(crate) fn add_final_norm<'a>(
        &mut self,
        pool: &ComputePool,
        base: &BaseModel,
        count: usize,
        rows: &(dyn Fn(usize) -> [&'a [f32]; 2] + Sync),
    ) {
        let ModelConfig { hidden_size, rms_norm_eps, .. } = base.config;
        add_norm(pool, hidden_size, rms_norm_eps, count, &mut self.final_norm, rows);
    }
}

/// Collector of a layer's weight gradients in the backward pass; without effect if the weights are frozen.
pub(crate) struct LayerHook<'a> {
    pub(crate) pool: &'a ComputePool,
    pub(crate) base: &'a BaseModel,
    pub(crate) rows: usize,
    pub(crate) gradients: Option<&'a mut LayerGradients>,
}

impl LayerHook<'_> {
    /// Returns whether weights are trained, so that the embedding needs the gradient of the first layer's input.
    pub(crate) fn is_active(&self) -> bool {
        self.gradients.is_some()
    }

    /// Returns the gradient of a part of the layer; `None` if the weights are frozen, or if the layer lacks it.
    pub(super) fn of(&mut self, part: LayerPart) -> Option<&mut Buffer> {
        self.gradients.as_mut()?.iter_mut().find(|(own, _)| *own == part).map(|(_, gradient)| gradient)
    }

    /// Returns the gradients of a delta network's decay; `None` if the weights are frozen.
    pub(super) fn decay(&mut self) -> Option<[&mut Buffer; 2]> {
        let wanted = [DeltaPart::DecayLog, DeltaPart::DecayBias].map(LayerPart::Delta);
        let own = self.gradients.as_mut()?.iter_mut().filter(|(part, _)| wanted.contains(part));
        own.map(|(_, gradient)| gradient).collect::<Vec<_>>().try_into().ok()
    }

    /// Adds the gradients of a convolution over the rows of a forest: of its weights, and of its bias if the layer has one. `d_y` is
    /// that of the sums before the activation.
    pub(super) fn convolution<const N: usize>(
        &mut self,
        conv: Convolution<'_>,
        x: Columns<'_>,
        runs: &[TreeRun],
        d_y: &[f32],
        parts: [LayerPart; N],
    ) {
        let pool = self.pool;
        let Some(gradients) = &mut self.gradients else { return };
        let own = gradients.iter_mut().filter(|(part, _)| parts.contains(part)).map(|(_, gradient)| gradient);
        let (mut by_tap, mut own) = (Buffer::new(conv.taps * conv.channels), own);
        let Some(weights) = own.next() else { return };
        let bias = own.next().map(|bias| &mut bias[..]);
        convolution_weights_backward(pool, conv, x, runs, d_y, &mut by_tap, bias);
        // Each value's weights are a row.
        let row = weights.len() / conv.channels;
        for (tap, values) in by_tap.chunks_exact(conv.channels).enumerate() {
            let gradients = weights[tap..].iter_mut().step_by(row);
            gradients.zip(values).for_each(|(gradient, value)| *gradient += value);
        }
    }

    /// Adds the gradients of a fused linear map: `dW += dy^T x` and `dbias += sum of dy`.
    pub(crate) fn linear(&mut self, fused: Fused, x: &[f32], dy: &[f32]) {
        let Some(gradients) = &mut self.gradients else { return };
        let (layout, rows) = (&self.base.layout, self.rows);
        let (depth, columns) = (fused.input(layout).padded_len(), fused.columns(layout));
        let (projections, segments) = (fused.projections(layout), fused.segments(layout));
        let segment =
            |own: &Projection| projections.iter().position(|projection| projection == own).map(|i| &segments[i]);
        let (mut products, mut biases) = (Vec::new(), Vec::new());
        for (part, gradient) in gradients.iter_mut() {
            match part {
                LayerPart::Weight(projection) => products.extend(segment(projection).map(|segment| SmallProduct {
                    rows: segment.len(),
                    columns: depth,
                    depth: rows,
                    a: &dy[segment.start..],
                    a_strides: (1, columns),
                    b: Factor::F32(x),
                    b_stride: depth,
                    c: gradient,
                    c_stride: depth,
                    accumulate: true,
                })),
                LayerPart::Bias(projection) => biases.extend(segment(projection).map(|segment| (gradient, segment))),
                _ => {}
            }
        }
        small_products(self.pool, products);
        for (bias, segment) in biases {
            sum_row_blocks(self.pool, rows, bias, &|row, sum| {
                let dy = &dy[row * columns..][segment.clone()];
                sum.iter_mut().zip(dy).for_each(|(sum, dy)| *sum += dy);
            });
        }
    }

    /// Adds the gradient of a norm's weight; `x` is the norm's input, `dy` the gradient of its output.
    pub(crate) fn norm(&mut self, which: LayerNorm, x: &[f32], dy: &[f32]) {
        let (pool, base, count) = (self.pool, self.base, self.rows);
        let Some(gradient) = self.of(LayerPart::Norm(which)) else { return };
        let stride = base.layout.hidden.padded_len();
        let rows = |row: usize| [&x[row * stride..][..stride], &dy[row * stride..][..stride]];
        add_norm(pool, base.config.hidden_size, base.config.rms_norm_eps, count, gradient, &rows);
    }

    /// Adds the gradients of the weights of norms over all heads. `qkv` has the heads before the norms, `d_qkv` the
    /// gradients of the norms' outputs at the same positions.
    pub(crate) fn all_heads_norms(&mut self, qkv: &[f32], d_qkv: &[f32]) {
        let (pool, count, eps) = (self.pool, self.rows, self.base.config.rms_norm_eps);
        let Layout { query, kv, attention, .. } = self.base.layout;
        let stride = Fused::QueryKeyValue.columns(&self.base.layout);
        for (part, axis, first) in [(LayerPart::QueryNorm, query, 0), (LayerPart::KeyNorm, kv, attention.key_column())]
        {
            let Some(gradient) = self.of(part) else { return };
            let rows = |row: usize| [qkv, d_qkv].map(|values| &values[row * stride + first..][..axis.padded_len()]);
            add_norm(pool, axis.len(), eps, count, gradient, &rows);
        }
    }

    /// Adds the gradients of the head norms' weights. `qkv` has the heads before the norms; `d_qkv` has the gradients
    /// of the rotated and scaled queries and keys at the same positions. `norms` returns the norms of a row.
    pub(crate) fn head_norms<'n>(
        &mut self,
        qkv: &[f32],
        d_qkv: &[f32],
        norms: &(dyn Fn(usize) -> [HeadNorm<'n>; 2] + Sync),
    ) {
        if self.base.config.head_norms != HeadNorms::Each {
            return;
        }
        let (pool, count, layout) = (self.pool, self.rows, &self.base.layout);
        let (query, kv) = (layout.query.padded_len(), layout.kv.padded_len());
        let (qkv_width, head, set) =
            (Fused::QueryKeyValue.columns(layout), layout.attention.head_stride, pool.instruction_set());
        let parts = [(LayerPart::QueryNorm, 0, query), (LayerPart::KeyNorm, layout.attention.key_column(), kv)];
        for (which, (part, first, width)) in parts.into_iter().enumerate() {
            let Some(gradient) = self.of(part) else { return };
            sum_row_blocks(pool, count, gradient, &|row, sum| {
                let norm = norms(row)[which];
                let range = row * qkv_width + first..row * qkv_width + first + width;
                let heads = qkv[range.clone()].chunks_exact(head);
                for (x, dy) in heads.zip(d_qkv[range].chunks_exact(head)) {
                    let half = norm.cos.len();
                    let x = &x[..2 * half];
                    let root = (dot(set, x, x) / x.len() as f32 + norm.eps).sqrt();
                    let scale = norm.scale / root;
                    for k in 0..half {
                        let (a, b) = (dy[k], dy[k + half]);
                        // The inverse rotation.
                        sum[k] += (a * norm.cos[k] + b * norm.sin[k]) * (x[k] * scale);
                        sum[k + half] += (b * norm.cos[k] - a * norm.sin[k]) * (x[k + half] * scale);
                    }
                }
            });
        }
    }
}

/// Adds the gradient of a norm's weight, `dy x / sqrt(mean(x^2) + eps)` for each row. `rows` returns x and dy of a row.
fn add_norm<'a>(
    pool: &ComputePool,
    width: usize,
    eps: f32,
    count: usize,
    gradient: &mut [f32],
    rows: &(dyn Fn(usize) -> [&'a [f32]; 2] + Sync),
) {
    let set = pool.instruction_set();
    sum_row_blocks(pool, count, gradient, &|i, sum| {
        let [x, dy] = rows(i);
        let scale = 1.0 / (dot(set, x, x) / width as f32 + eps).sqrt();
        for ((sum, x), dy) in sum.iter_mut().zip(x).zip(dy) {
            *sum += dy * (x * scale);
        }
    });
}
