//! The buffers of a training session, and how much memory sequences need before any of it is taken.

use super::backward::{BackwardScratch, wide_len};
use super::forward::{LayerState, Scratch};
use super::kernels::Buffer;
use super::kernels::attention::PAGE;
use super::kv_cache::KvCache;
use super::rotary::RotaryTable;
use super::token_tree::TokenTree;
use super::weights::BaseModel;
use super::{WeightFormat, layout::Fused};

/// Rows whose logits exist at the same time.
pub(crate) const HEAD_CHUNK: usize = 256;

/// Buffers kept from call to call.
pub(crate) struct Memory {
    /// Keys and values of the layer that is computed.
    pub(crate) cache: KvCache,
    pub(crate) rotary: RotaryTable,
    /// Residual stream.
    pub(crate) x: Buffer,
    /// Its gradient.
    pub(crate) dx: Buffer,
    /// Residual stream before each layer but the first, whose input are the embeddings.
    pub(crate) inputs: Vec<Buffer>,
    /// One state per layer, or a single one.
    pub(crate) states: Vec<LayerState>,
    pub(crate) scratch: Scratch,
    pub(crate) backward: BackwardScratch,
    /// Final norm of the rows that predict scored tokens, and the gradient of each row's log-probability.
    pub(crate) predictors: Buffer,
    pub(crate) d_predictors: Buffer,
    /// Logits of a chunk; later a part of the backward pass's.
    pub(crate) logits: Buffer,
}

impl Memory {
    /// Bytes taken, without the threads' own scratch and the rotary table.
    #[cfg(test)]
    pub(crate) fn taken_bytes(&self) -> usize {
        let states = self.states.iter().flat_map(|state| {
            let LayerState { qkv, attention, middle, gate_up, inner } = state;
            [qkv, attention, middle, gate_up].into_iter().chain(inner)
        });
        let own = [&self.x, &self.dx, &self.predictors, &self.d_predictors, &self.logits];
        let scratch = [&self.scratch.normed, &self.scratch.wide];
        let buffers = states.chain(own).chain(scratch).chain(&self.inputs).chain(self.backward.buffers());
        let floats: usize = buffers.map(|buffer| buffer.len()).sum();
        floats * size_of::<f32>() + self.cache.bytes()
    }

    /// Nothing yet.
    pub(crate) fn new(base: &BaseModel) -> Self {
        let layers = base.config.layers;
        Self {
            cache: KvCache::of_one_layer(base.layout.attention),
            rotary: RotaryTable::default(),
            x: Buffer::default(),
            dx: Buffer::default(),
            inputs: (1..layers).map(|_| Buffer::default()).collect(),
            states: Vec::new(),
            scratch: Scratch::default(),
            backward: BackwardScratch::default(),
            predictors: Buffer::default(),
            d_predictors: Buffer::default(),
            logits: Buffer::default(),
        }
    }
}

/// What sequences need in one call, as [`TrainSession::plan`](super::TrainSession::plan) tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    /// Memory for states, keys, values and gradients, on top of the model, the adapter and its optimiser state.
    pub bytes: usize,
    /// What the session may take.
    pub limit_bytes: usize,
    /// Tokens that are run, those that sequences share counted once.
    pub unique_tokens: usize,
    /// Tokens of all sequences up to the last scored one of each.
    pub tokens: usize,
    /// Whether layers are computed a second time for the gradient, because not all their states fit.
    pub recomputes: bool,
}

/// What determines the memory of a call.
pub(crate) struct Demand<'a> {
    pub(crate) base: &'a BaseModel,
    pub(crate) inner_widths: [usize; 4],
    pub(crate) threads: usize,
    pub(crate) tree: &'a TokenTree,
    /// Whether a backward pass follows.
    pub(crate) gradient: bool,
}

impl Demand<'_> {
    /// Bytes of one layer's state.
    pub(crate) fn state_bytes(&self) -> usize {
        bytes(self.tree.rows(), LayerState::row_len(&self.base.layout, self.inner_widths))
    }

    /// Bytes of all buffers with `states` layer states.
    pub(crate) fn bytes(&self, states: usize) -> usize {
        let Self { base, tree, inner_widths, threads, .. } = *self;
        let (rows, longest, predictions) = (tree.rows(), tree.longest(), tree.predictions.len());
        let (layout, layers) = (&base.layout, base.config.layers);
        let (hidden, vocab) = (layout.hidden.padded_len(), layout.vocab.padded_len());
        let mut parts = vec![
            self.state_bytes().saturating_mul(states),
            bytes(rows.div_ceil(PAGE), layout.attention.page_len()),
            bytes(longest, base.config.head_dim), // rotary table
            bytes(rows, hidden + Scratch::row_len(layout)),
            bytes(predictions, hidden),
        ];
        let logits = bytes(predictions.min(HEAD_CHUNK), vocab);
        if self.gradient {
            parts.push(logits.max(bytes(1, wide_len(rows, layout))));
            parts.push(bytes(rows, layers.saturating_mul(hidden))); // the layers' inputs, and the gradient
            parts.extend(BackwardScratch::len(rows, longest, layout, inner_widths, threads).map(|len| bytes(1, len)));
            parts.push(bytes(predictions, hidden));
        } else {
            parts.push(logits);
        }
        if base.format == WeightFormat::Bf16 {
            // The left factor of a product, rounded.
            let columns = if self.gradient { Fused::GateUp.columns(layout) } else { layout.intermediate.padded_len() };
            parts.push(bytes(rows, columns) / 2);
        }
        parts.into_iter().fold(0, usize::saturating_add)
    }
}

fn bytes(rows: usize, row_len: usize) -> usize {
    rows.saturating_mul(row_len).saturating_mul(size_of::<f32>())
}
