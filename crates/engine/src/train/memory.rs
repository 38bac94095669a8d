//! Buffers of a training session, and the memory that sequences need, computed before any is allocated.

use super::token_tree::TokenTree;
use crate::config::ModelConfig;
use crate::kernels::attention::PAGE;
use crate::kernels::{Buffer, WeightFormat};
use crate::model::{BaseModel, Layout};
use crate::pass::{BackwardScratch, InnerWidths, KvCache, LayerState, RotaryTable, Scratch, wide_len};

/// Maximum number of rows whose logits exist at the same time.
pub(crate) const HEAD_CHUNK: usize = 256;

/// Buffers kept between calls.
pub(crate) struct Memory {
    /// Keys and values of the current layer.
    pub(crate) cache: KvCache,
    /// States of a delta network, one for each run of rows.
    pub(crate) run_states: Buffer,
    pub(crate) rotary: RotaryTable,
    /// Residual stream.
    pub(crate) x: Buffer,
    /// Gradient of the residual stream.
    pub(crate) dx: Buffer,
    /// Residual stream before each layer except the first, whose input is the embeddings.
    pub(crate) inputs: Vec<Buffer>,
    /// One state per layer, or a single one.
    pub(crate) states: Vec<LayerState>,
    pub(crate) scratch: Scratch,
    pub(crate) backward: BackwardScratch,
    /// Final norm of the rows that predict scored tokens, and the gradient of each row's logprob.
    pub(crate) predictors: Buffer,
    pub(crate) d_predictors: Buffer,
    /// Logits of a chunk; later used by the backward pass.
    pub(crate) logits: Buffer,
}

impl Memory {
    /// Creates empty buffers.
    pub(crate) fn new(base: &BaseModel) -> Self {
        let layers = base.config.layers;
        Self {
            cache: KvCache::of_one_layer(base.layout.attention),
            run_states: Buffer::default(),
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

/// Memory that sequences need in one call, as [`TrainSession::plan`](super::TrainSession::plan) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    /// Memory for states, keys, values and gradients, in bytes, in addition to the model, the adapter and its optimizer
    /// state.
    pub bytes: usize,
    /// Memory limit of the session, in bytes.
    pub limit_bytes: usize,
    /// Number of computed tokens; shared tokens count once.
    pub unique_tokens: usize,
    /// Number of tokens of all sequences, each up to its last scored token.
    pub tokens: usize,
    /// Whether layers are computed a second time for the gradient, since their states do not all fit.
    pub recomputes: bool,
}

/// Parameters that determine the memory of a call.
pub(crate) struct Demand<'a> {
    pub(crate) config: &'a ModelConfig,
    pub(crate) layout: &'a Layout,
    pub(crate) format: WeightFormat,
    pub(crate) inner_widths: InnerWidths,
    pub(crate) threads: usize,
    pub(crate) tree: &'a TokenTree,
    /// Whether a backward pass follows.
    pub(crate) gradient: bool,
}

impl Demand<'_> {
    /// Returns the size of one layer's state, in bytes.
    fn state_bytes(&self) -> usize {
        bytes(self.tree.rows(), LayerState::row_len(self.layout, self.inner_widths))
    }

    /// Returns the number of layer states to keep for a gradient, all or one, and the size of all buffers with them, in bytes. All
    /// are kept if they take at most `state_limit` and everything fits into `limit`.
    pub(crate) fn plan(&self, state_limit: usize, limit: usize) -> (usize, usize) {
        let layers = self.config.layers;
        let all_states = self.state_bytes().saturating_mul(layers);
        let keep = self.gradient && all_states <= state_limit && self.bytes(layers) <= limit;
        let states = if keep { layers } else { 1 };
        (states, self.bytes(states))
    }

    /// Returns the size of all buffers with `states` layer states, in bytes.
    fn bytes(&self, states: usize) -> usize {
        let Self { config, layout, tree, inner_widths, threads, .. } = *self;
        let (rows, longest, predictions) = (tree.rows(), tree.longest(), tree.predictions.len());
        let layers = config.layers;
        let (hidden, vocab) = (layout.hidden.padded_len(), layout.vocab.padded_len());
        let mut parts = vec![
            self.state_bytes().saturating_mul(states),
            bytes(rows.div_ceil(PAGE), layout.attention.page_len()),
            bytes(longest, config.head_dim * if config.local_rope.is_some() { 2 } else { 1 }), // rotary table
            bytes(rows, hidden + Scratch::row_len(layout)),
            bytes(1, run_states_len(layout, tree)),
            bytes(predictions, hidden),
        ];
        let logits = bytes(predictions.min(HEAD_CHUNK), vocab);
        if self.gradient {
            parts.push(logits.max(bytes(1, wide_len(rows, layout))));
            parts.push(bytes(rows, layers.saturating_mul(hidden))); // the layers' inputs, and the gradient
            parts.push(bytes(1, BackwardScratch::len(&tree.runs, layout, inner_widths, threads)));
            parts.push(bytes(predictions, hidden));
        } else {
            parts.push(logits);
        }
        if self.format != WeightFormat::F32 {
            // The rounded left factor of a product.
            let columns = hidden.max(layout.feed_forward() * if self.gradient { 2 } else { 1 });
            parts.push(bytes(rows, columns) / 2);
        }
        parts.into_iter().fold(0, usize::saturating_add)
    }
}

/// Returns the number of f32 of a delta network's states, one for each run of rows.
pub(crate) fn run_states_len(layout: &Layout, tree: &TokenTree) -> usize {
    layout.delta.map_or(0, |delta| delta.shape.checkpoints_len(&tree.runs, usize::MAX))
}

fn bytes(rows: usize, row_len: usize) -> usize {
    rows.saturating_mul(row_len).saturating_mul(size_of::<f32>())
}

#[cfg(test)]
mod for_tests {
    use super::{LayerState, Scratch};

    impl super::Memory {
        /// Returns the allocated bytes, without the threads' scratch memory and the rotary table.
        pub(crate) fn taken_bytes(&self) -> usize {
            let states = self.states.iter().flat_map(|state| {
                let LayerState { qkv, delta_gates, attention, attention_constants, attention_output, .. } = state;
                let LayerState {
                    middle, gate_up, probabilities, mlp_output, shared_gate_up, shared_gate, inner, ..
                } = state;
                let parts = [qkv, delta_gates, attention, attention_constants, attention_output, middle];
                parts.into_iter().chain([gate_up, probabilities, mlp_output, shared_gate_up, shared_gate]).chain(inner)
            });
            let own = [&self.x, &self.dx, &self.predictors, &self.d_predictors, &self.logits, &self.run_states];
            let Scratch { normed, wide, routed, delta_gates } = &self.scratch;
            let scratch = [normed, wide, routed, delta_gates];
            let buffers = states.chain(own).chain(scratch).chain(&self.inputs).chain(self.backward.buffers());
            let floats: usize = buffers.map(|buffer| buffer.len()).sum();
            floats * size_of::<f32>() + self.cache.bytes()
        }
    }
}
