//! Gradients of weights, computed during the backward pass of each layer.
//!
//! A matrix `y = x W^T` has the gradient `dW = dy^T x`: one product, whose sums run over the rows in order. Norms and
//! biases sum blocks of rows, each in order, and then the blocks, so the sums do not depend on the number of threads.

use super::parameters::{LayerPart, Parameter, Role, parameters};
use crate::kernels::Buffer;
use crate::kernels::matmul::{Factor, SmallProduct, small_products};
use crate::kernels::parallel::for_row_blocks;
use crate::kernels::rows::{HeadNorm, dot};
use crate::layout::{Axis, Fused, LAYER_NORMS, LayerNorm, Layout, PROJECTIONS, Projection};
use crate::sequence::Prediction;
use crate::{BaseModel, ComputePool, HeadNorms, ModelConfig};

/// Number of rows whose contributions to a norm or bias one task sums.
const SUM_ROWS: usize = 64;

/// Accumulated gradients of a layer's parameters, padded like the kernels' operands.
pub(crate) struct LayerGradients {
    /// `[out][in]`, in the order of [`Projection::ALL`]; empty for those that the model lacks.
    weights: [Buffer; PROJECTIONS],
    /// Empty for projections without bias.
    biases: [Buffer; PROJECTIONS],
    /// In the order of [`LayerNorm::ALL`]; empty for those that the family lacks.
    norms: [Buffer; LAYER_NORMS],
    /// Empty if heads have no norm.
    query_norm: Buffer,
    key_norm: Buffer,
}

/// Accumulated gradients of all parameters of a model.
pub(crate) struct WeightGradients {
    pub(crate) layers: Vec<LayerGradients>,
    /// `[vocab][hidden]`; includes the head's gradient if it is tied.
    pub(super) embedding: Buffer,
    /// `[vocab][hidden]`; `None` if the head is tied to the embedding.
    pub(super) head: Option<Buffer>,
    final_norm: Buffer,
}

impl WeightGradients {
    /// Creates zero gradients.
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let layout = Layout::new(config);
        let head_norm = |all: Axis| {
            Buffer::new(match config.head_norms {
                HeadNorms::None => 0,
                HeadNorms::Each => layout.head.padded_len(),
                HeadNorms::All => all.padded_len(),
            })
        };
        let table = || Buffer::new(layout.vocab.padded_len() * layout.hidden.padded_len());
        let layer = |_| LayerGradients {
            weights: Projection::ALL.map(|projection| {
                let len = projection.output(&layout).padded_len() * projection.input(&layout).padded_len();
                Buffer::new(if projection.is_in(config) { len } else { 0 })
            }),
            biases: Projection::ALL.map(|projection| {
                Buffer::new(if config.has_bias(projection) { projection.output(&layout).padded_len() } else { 0 })
            }),
            norms: LayerNorm::ALL
                .map(|which| Buffer::new(which.name(config.norm_placement).map_or(0, |_| layout.hidden.padded_len()))),
            query_norm: head_norm(layout.query),
            key_norm: head_norm(layout.kv),
        };
        Self {
            layers: (0..config.layers).map(layer).collect(),
            embedding: table(),
            head: (!config.tie_word_embeddings).then(table),
            final_norm: Buffer::new(layout.hidden.padded_len()),
        }
    }

    /// Sets all gradients to zero.
    pub(crate) fn clear(&mut self) {
        for layer in &mut self.layers {
            let LayerGradients { weights, biases, norms, query_norm, key_norm } = layer;
            let vectors = norms.iter_mut().chain([query_norm, key_norm]);
            weights.iter_mut().chain(biases).chain(vectors).for_each(|gradient| gradient.fill(0.0));
        }
        self.embedding.fill(0.0);
        self.final_norm.fill(0.0);
        if let Some(head) = &mut self.head {
            head.fill(0.0);
        }
    }

    /// Returns a parameter's gradient, padded.
    pub(super) fn of(&self, parameter: &Parameter) -> &[f32] {
        match parameter.role {
            Role::Embedding => &self.embedding,
            // Only an untied model has this parameter.
            Role::Head => self.head.as_ref().unwrap_or(&self.embedding),
            Role::FinalNorm => &self.final_norm,
            Role::Layer(layer, part) => {
                let layer = &self.layers[layer];
                match part {
                    LayerPart::Norm(which) => &layer.norms[which as usize],
                    LayerPart::QueryNorm => &layer.query_norm,
                    LayerPart::KeyNorm => &layer.key_norm,
                    LayerPart::Weight(projection) => &layer.weights[projection as usize],
                    LayerPart::Bias(projection) => &layer.biases[projection as usize],
                }
            }
        }
    }

    /// Returns all gradients by the parameters' names, each in the parameter's own layout.
    pub(super) fn named(&self, config: &ModelConfig) -> Vec<(String, Vec<f32>)> {
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

    /// Adds the gradient of the final norm; `dy` has a row for each prediction.
    pub(super) fn add_final_norm(
        &mut self,
        pool: &ComputePool,
        base: &BaseModel,
        x: &[f32],
        dy: &[f32],
        predictions: &[Prediction],
    ) {
        let (stride, shape) = (base.layout.hidden.padded_len(), (base.config.hidden_size, base.config.rms_norm_eps));
        add_norm(pool, shape, predictions.len(), &mut self.final_norm, &|i| {
            [&x[predictions[i].row * stride..][..stride], &dy[i * stride..][..stride]]
        });
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

    /// Adds the gradients of a fused linear map: `dW += dy^T x` and `dbias += sum of dy`.
    pub(crate) fn linear(&mut self, fused: Fused, x: &[f32], dy: &[f32]) {
        let Some(gradients) = &mut self.gradients else { return };
        let (layout, rows) = (&self.base.layout, self.rows);
        let (depth, columns) = (fused.input(layout).padded_len(), fused.columns(layout));
        let first = fused.projections(layout)[0] as usize;
        let segments = fused.segments(layout);
        let weights = gradients.weights[first..].iter_mut().zip(&segments);
        let products = weights.map(|(weights, segment)| SmallProduct {
            rows: segment.len(),
            columns: depth,
            depth: rows,
            a: &dy[segment.start..],
            a_strides: (1, columns),
            b: Factor::F32(x),
            b_stride: depth,
            c: weights,
            c_stride: depth,
            accumulate: true,
        });
        small_products(self.pool, products.collect());
        for (bias, segment) in gradients.biases[first..].iter_mut().zip(segments) {
            if !bias.is_empty() {
                add_rows(self.pool, rows, bias, &|row, sum| {
                    let dy = &dy[row * columns..][segment.clone()];
                    sum.iter_mut().zip(dy).for_each(|(sum, dy)| *sum += dy);
                });
            }
        }
    }

    /// Adds the gradient of a norm's weight; `x` is the norm's input, `dy` the gradient of its output.
    pub(crate) fn norm(&mut self, which: LayerNorm, x: &[f32], dy: &[f32]) {
        let Some(gradients) = &mut self.gradients else { return };
        let (stride, shape) =
            (self.base.layout.hidden.padded_len(), (self.base.config.hidden_size, self.base.config.rms_norm_eps));
        let rows = |row: usize| [&x[row * stride..][..stride], &dy[row * stride..][..stride]];
        add_norm(self.pool, shape, self.rows, &mut gradients.norms[which as usize], &rows);
    }

    /// Adds the gradients of the weights of norms over all heads. `qkv` has the heads before the norms, `d_qkv` the
    /// gradients of the norms' outputs at the same places.
    pub(crate) fn all_heads_norms(&mut self, qkv: &[f32], d_qkv: &[f32]) {
        let Some(gradients) = &mut self.gradients else { return };
        let (layout, eps) = (&self.base.layout, self.base.config.rms_norm_eps);
        let stride = Fused::QueryKeyValue.columns(layout);
        let mut first = 0;
        for (gradient, axis) in [(&mut gradients.query_norm, layout.query), (&mut gradients.key_norm, layout.kv)] {
            let columns = first..first + axis.padded_len();
            first = columns.end;
            let rows = |row: usize| [qkv, d_qkv].map(|values| &values[row * stride..][columns.clone()]);
            add_norm(self.pool, (axis.len(), eps), self.rows, gradient, &rows);
        }
    }

    /// Adds the gradients of the head norms' weights. `qkv` has the heads before the norms; `d_qkv` has the gradients
    /// of the rotated and scaled queries and keys at the same places. `norms` returns the norms of a row.
    pub(crate) fn head_norms<'n>(
        &mut self,
        qkv: &[f32],
        d_qkv: &[f32],
        norms: &(dyn Fn(usize) -> [HeadNorm<'n>; 2] + Sync),
    ) {
        let Some(gradients) = &mut self.gradients else { return };
        if self.base.config.head_norms != HeadNorms::Each {
            return;
        }
        let layout = &self.base.layout;
        let (query, kv) = (layout.query.padded_len(), layout.kv.padded_len());
        let (qkv_width, head, set) =
            (Fused::QueryKeyValue.columns(layout), layout.attention.head_stride, self.pool.instruction_set());
        let add = |gradient: &mut Buffer, which: usize, first: usize, width: usize| {
            add_rows(self.pool, self.rows, gradient, &|row, sum| {
                let norm = norms(row)[which];
                let place = row * qkv_width + first..row * qkv_width + first + width;
                let heads = qkv[place.clone()].chunks_exact(head);
                for (x, dy) in heads.zip(d_qkv[place].chunks_exact(head)) {
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
        };
        add(&mut gradients.query_norm, 0, 0, query);
        add(&mut gradients.key_norm, 1, query, kv);
    }
}

/// Adds the gradient of a norm's weight, `dy x / sqrt(mean(x^2) + eps)` for each row. `rows` returns x and dy of a row.
fn add_norm<'a>(
    pool: &ComputePool,
    (width, eps): (usize, f32),
    count: usize,
    gradient: &mut [f32],
    rows: &(dyn Fn(usize) -> [&'a [f32]; 2] + Sync),
) {
    let set = pool.instruction_set();
    add_rows(pool, count, gradient, &|i, sum| {
        let [x, dy] = rows(i);
        let scale = 1.0 / (dot(set, x, x) / width as f32 + eps).sqrt();
        for ((sum, x), dy) in sum.iter_mut().zip(x).zip(dy) {
            *sum += dy * (x * scale);
        }
    });
}

/// Calls `add(row, partial sum)` for each row, and adds the partial sums to `sum` in order.
fn add_rows(pool: &ComputePool, rows: usize, sum: &mut [f32], add: &(dyn Fn(usize, &mut [f32]) + Sync)) {
    let (width, blocks) = (sum.len(), rows.div_ceil(SUM_ROWS));
    let mut partial = Buffer::new(blocks * width);
    for_row_blocks(pool, blocks, 1, [(&mut partial, width)], &|block, [partial]| {
        for (block, partial) in block.zip(partial.chunks_exact_mut(width)) {
            (block * SUM_ROWS..rows.min((block + 1) * SUM_ROWS)).for_each(|row| add(row, partial));
        }
    });
    for partial in partial.chunks_exact(width) {
        sum.iter_mut().zip(partial).for_each(|(sum, partial)| *sum += partial);
    }
}
