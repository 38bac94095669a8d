//! Training session of one adapter: score, accumulate gradients, step.

use std::ops::Range;
use std::sync::Arc;

use super::error::TrainError;
use super::head::{add_head, score_head};
use super::machine_memory::default_limit;
use super::memory::{Demand, Memory, MemoryPlan, run_states_len};
use super::optimizer::{AdamHyper, AdamState, clip_factor, gradient_norm};
use super::sequence::{Scores, SequenceInput};
use super::token_tree::TokenTree;
use crate::kernels::attention::PAGE;
use crate::kernels::rows::rms_norm_backward;
use crate::kernels::{ComputePool, ROW_BLOCK, for_row_blocks};
use crate::lora::{Adapter, LayerFactors, PackedAdapter, named_values};
use crate::model::BaseModel;
use crate::pass::{
    BackwardContext, Batch, Context, Gradients, LayerHook, LayerPass, LayerState, States, WeightGradients, copy_rows,
    inner_widths, layer_forward, wide_len,
};

/// Result of one optimizer step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Global L2 norm of the gradient before clipping.
    pub grad_norm: f32,
}

/// Size in bytes of the layer states that are always kept for the backward pass. Larger ones are kept within half of the
/// session's memory; beyond it each layer is computed a second time instead.
const KEPT_STATES: usize = 2 << 30;

/// Returns the limit of the states that are kept, within a memory limit.
pub(crate) fn state_limit(memory_limit: usize) -> usize {
    KEPT_STATES.max(memory_limit / 2)
}

/// Training session of one adapter on a base model: accumulates gradients over sequences, then steps.
///
/// The sequences of a call are computed together. A token that several sequences share, with all tokens before it, is
/// computed once. This does not change any bit of a logprob; a gradient equals the sum over the sequences up to
/// rounding.
///
/// # Examples
/// Two steps of supervised fine-tuning on one sequence:
/// ```
/// use trainyard_engine::{
///     AdamHyper, AdamState, Adapter, BaseModel, ComputePool, LoraOptions, Scores, SequenceInput, TrainSession,
///     WeightFormat,
/// };
///
/// let config = std::fs::read_to_string("../../assets/seedling/config.json")?;
/// let weights = std::fs::read("../../assets/seedling/model.safetensors")?;
/// let pool = ComputePool::new(1);
/// let base = BaseModel::load(&config, &[("model.safetensors", &weights)], WeightFormat::F32, &pool)?;
/// let adapter = Adapter::new(&base.config, &LoraOptions::new(8, 16.0), 3407);
/// let adam = AdamState::new(&adapter);
/// let mut session = TrainSession::new(pool, base, adapter, adam);
///
/// // The first token has no logprob; the other three are to become likelier.
/// let sequence = SequenceInput { tokens: &[1, 273, 201, 13], scored: &[false, true, true, true] };
/// let mut losses = Vec::new();
/// for _ in 0..2 {
///     // The loss is the mean of -logprob, so its derivative by each of the three logprobs is -1/3.
///     let mut derivative = |_: &[Scores]| vec![vec![-1.0 / 3.0; 3]];
///     let scores = session.forward_backward(&[sequence], &mut derivative)?;
///     losses.push(-scores[0].logprobs.iter().sum::<f32>() / 3.0);
///     session.step(&AdamHyper { lr: 1e-3, ..AdamHyper::default() })?;
/// }
/// assert!(losses[1] < losses[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TrainSession {
    pool: Arc<ComputePool>,
    base: Arc<BaseModel>,
    adapter: Adapter,
    adam: AdamState,
    packed: PackedAdapter,
    gradients: Gradients,
    /// Gradients of the weights, if they are trained instead of the adapter.
    weights: Option<WeightGradients>,
    tree: TokenTree,
    memory: Memory,
    state_limit: usize,
    memory_limit: usize,
}

impl TrainSession {
    /// Creates a session that continues from `adapter` and `adam`.
    ///
    /// # Panics
    /// If the adapter or the optimizer state was made for a model of another shape.
    pub fn new(pool: Arc<ComputePool>, base: Arc<BaseModel>, adapter: Adapter, adam: AdamState) -> Self {
        assert!(adapter.fits(&base.config), "the adapter fits the base model");
        assert!(adam.fits(&adapter), "the optimiser state fits the adapter");
        let (config, layout) = (&base.config, &base.layout);
        let mut packed = PackedAdapter::new(adapter.options(), config.kinds(), layout, base.format, true);
        packed.update(&pool, &adapter.layers, adapter.scale(), layout);
        let memory = Memory::new(&base);
        let gradients = Gradients::new(adapter.options(), config, layout);
        let memory_limit = default_limit();
        let (weights, tree, state_limit) = (None, TokenTree::default(), state_limit(memory_limit));
        Self { pool, base, adapter, adam, packed, gradients, weights, tree, memory, state_limit, memory_limit }
    }

    /// Creates a session without an adapter that accumulates the gradients of all weights. The caller applies the
    /// steps.
    pub(crate) fn of_weights(pool: Arc<ComputePool>, base: Arc<BaseModel>, gradients: WeightGradients) -> Self {
        let adapter = Adapter::none(&base.config);
        let adam = AdamState::new(&adapter);
        Self { weights: Some(gradients), ..Self::new(pool, base, adapter, adam) }
    }

    /// Returns the weights of a session created by [`TrainSession::of_weights`], which may be replaced by others of
    /// their shape, and their gradients.
    ///
    /// # Panics
    /// If the session trains an adapter.
    pub(crate) fn trained_weights(&mut self) -> (&mut Arc<BaseModel>, &mut WeightGradients) {
        (&mut self.base, self.weights.as_mut().expect("the session trains weights"))
    }

    /// Ends the session and returns its weights.
    pub(crate) fn into_base(self) -> Arc<BaseModel> {
        self.base
    }

    /// Sets the memory limit for sequences in bytes, in addition to the model, the adapter and its optimizer state. The
    /// default is half of the memory that this process may use.
    pub fn with_memory_limit(mut self, bytes: usize) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Returns the memory plan of one call with these sequences, with or without their gradient; an error if the call
    /// would be rejected.
    pub fn plan(&self, sequences: &[SequenceInput], gradient: bool) -> Result<MemoryPlan, TrainError> {
        self.check(sequences)?;
        let mut tree = TokenTree::default();
        tree.build(sequences);
        Ok(self.plan_tree(&tree, sequences, gradient)?.0)
    }

    /// Scores sequences with the current adapter, forward only.
    pub fn score(&mut self, sequences: &[SequenceInput]) -> Result<Vec<Scores>, TrainError> {
        let pool = self.pool.clone();
        let _training = pool.training();
        self.score_rows(sequences, false)
    }

    /// Scores sequences, calls `gradient` for d loss / d logprob of every scored token of every sequence, and
    /// accumulates the loss's gradient with respect to the adapter. Without scored tokens, `gradient` is not called.
    pub fn forward_backward(
        &mut self,
        sequences: &[SequenceInput],
        gradient: &mut dyn FnMut(&[Scores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<Scores>, TrainError> {
        let pool = self.pool.clone();
        let _training = pool.training();
        let scores = self.score_rows(sequences, true)?;
        if self.tree.predictions.is_empty() {
            return Ok(scores);
        }
        let by_logprob = gradient(&scores);
        let count = sequences.len();
        if by_logprob.len() != count {
            return Err(TrainError::GradientCount { found: by_logprob.len(), expected: count });
        }
        // Equal tokens after equal contexts are one prediction; its gradients are summed in the order of the sequences.
        let mut weights = vec![0.0; self.tree.predictions.len()];
        for (index, by_logprob) in by_logprob.iter().enumerate() {
            let predictions = self.tree.of_sequence(index);
            if by_logprob.len() != predictions.len() {
                let error = TrainError::GradientLength { found: by_logprob.len(), expected: predictions.len() };
                return Err(error.of_sequence(index, count));
            }
            if let Some(i) = by_logprob.iter().position(|weight| !weight.is_finite()) {
                let position = scored_position(&sequences[index], i);
                let what = format!("the loss's gradient with respect to the log-probability at position {position}");
                return Err(TrainError::NotFinite { what }.of_sequence(index, count));
            }
            for (prediction, weight) in predictions.iter().zip(by_logprob) {
                weights[*prediction] += weight;
            }
        }
        if weights.iter().any(|weight| *weight != 0.0) {
            self.backward(&weights);
        }
        Ok(scores)
    }

    /// Clips the norm of the accumulated gradient, applies AdamW and clears the gradient. After an error the gradient
    /// is cleared, and nothing else has changed.
    pub fn step(&mut self, hyper: &AdamHyper) -> Result<StepReport, TrainError> {
        let pool = self.pool.clone();
        let _training = pool.training();
        let gradients = self.factor_gradients();
        self.zero_gradients();
        if let Some(name) = hyper.invalid() {
            return Err(TrainError::Hyper { name, value: format!("{hyper:?}") });
        }
        let grad_norm = gradient_norm(&pool, &gradients);
        if !grad_norm.is_finite() {
            return Err(TrainError::NotFinite { what: "the gradient's norm".into() });
        }
        if !self.adam.update(&pool, &mut self.adapter, &gradients, clip_factor(grad_norm, hyper.clip_norm), hyper) {
            return Err(TrainError::NotFinite { what: "an adapter parameter after the step".into() });
        }
        self.packed.update(&self.pool, &self.adapter.layers, self.adapter.scale(), &self.base.layout);
        Ok(StepReport { grad_norm })
    }

    /// Clears the accumulated gradient.
    pub fn zero_gradients(&mut self) {
        self.gradients.clear();
    }

    /// Returns the accumulated gradient by PEFT's parameter names, each in the parameter's own layout.
    pub fn gradients(&self) -> Vec<(String, Vec<f32>)> {
        named_values(&self.factor_gradients(), self.base.config.family)
    }

    /// Returns the accumulated gradient in the adapter's shapes, by layer and projection.
    pub(crate) fn factor_gradients(&self) -> Vec<LayerFactors> {
        self.gradients.read(&self.pool, &self.base.layout)
    }

    /// Returns the adapter after the last step.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Returns the optimizer state after the last step.
    pub fn adam(&self) -> &AdamState {
        &self.adam
    }

    /// Ends the session and returns the adapter and the optimizer state.
    pub fn into_parts(self) -> (Adapter, AdamState) {
        (self.adapter, self.adam)
    }

    fn check(&self, sequences: &[SequenceInput]) -> Result<(), TrainError> {
        for (index, sequence) in sequences.iter().enumerate() {
            self.check_sequence(sequence).map_err(|error| error.of_sequence(index, sequences.len()))?;
        }
        Ok(())
    }

    fn check_sequence(&self, sequence: &SequenceInput) -> Result<(), TrainError> {
        let SequenceInput { tokens, scored } = *sequence;
        if tokens.len() != scored.len() {
            let (tokens, scored) = (tokens.len(), scored.len());
            return Err(TrainError::Input(format!("{tokens} tokens but {scored} marks of what to score")));
        }
        if scored.first() == Some(&true) {
            return Err(TrainError::Input("the first token has no context to score it by".into()));
        }
        let config = &self.base.config;
        if tokens.len() > config.max_position_embeddings {
            return Err(TrainError::TooLong { length: tokens.len(), limit: config.max_position_embeddings });
        }
        let vocab_size = config.vocab_size;
        if let Some(position) = tokens.iter().position(|token| *token as usize >= vocab_size) {
            return Err(TrainError::Token { token: tokens[position], position, vocab_size });
        }
        Ok(())
    }

    /// Plans the memory for the rows of `tree`. Returns the plan and the number of layer states to keep: all, or one if
    /// layers are to be computed again. Rows that do not fit the memory limit are an error here, before an allocation
    /// would abort the process.
    fn plan_tree(
        &self,
        tree: &TokenTree,
        sequences: &[SequenceInput],
        gradient: bool,
    ) -> Result<(MemoryPlan, usize), TrainError> {
        let (base, threads) = (&*self.base, self.pool.threads());
        let inner_widths = inner_widths(std::iter::once(&self.packed));
        let (config, layout, format) = (&base.config, &base.layout, base.format);
        let demand = Demand { config, layout, format, inner_widths, threads, tree, gradient };
        let (limit_bytes, unique_tokens) = (self.memory_limit, tree.rows());
        let (states, bytes) = demand.plan(self.state_limit, limit_bytes);
        if bytes > limit_bytes {
            return Err(match sequences.len() {
                1 => TrainError::TooLarge { length: unique_tokens, needed_bytes: bytes, limit_bytes },
                sequences => {
                    TrainError::TooLargeTogether { sequences, unique_tokens, needed_bytes: bytes, limit_bytes }
                }
            });
        }
        let last = |sequence: &SequenceInput| sequence.scored.iter().rposition(|scored| *scored).unwrap_or(0);
        let tokens = sequences.iter().map(last).sum();
        Ok((
            MemoryPlan { bytes, limit_bytes, unique_tokens, tokens, recomputes: gradient && states < config.layers },
            states,
        ))
    }

    /// Runs the forward pass and the head; with `gradient`, prepares [`Self::backward`].
    fn score_rows(&mut self, sequences: &[SequenceInput], gradient: bool) -> Result<Vec<Scores>, TrainError> {
        self.check(sequences)?;
        self.tree.build(sequences);
        if self.tree.predictions.is_empty() {
            return Ok(vec![Scores::default(); sequences.len()]);
        }
        let (_, states) = self.plan_tree(&self.tree, sequences, gradient)?;
        self.forward(states, gradient);
        // With trained weights, the head's gradient is computed in a separate pass, which also covers this part.
        let by_logprob = gradient && self.weights.is_none();
        let found = score_head(&self.pool, &self.base, &mut self.memory, &self.tree.predictions, by_logprob);
        let of_sequence = |(index, sequence)| {
            let predictions = self.tree.of_sequence(index);
            let logprobs: Vec<f32> = predictions.iter().map(|prediction| found.logprobs[*prediction]).collect();
            if let Some(i) = logprobs.iter().position(|logprob| !logprob.is_finite()) {
                let what = format!("the log-probability at position {}", scored_position(sequence, i));
                return Err(TrainError::NotFinite { what }.of_sequence(index, sequences.len()));
            }
            let entropies = predictions.iter().map(|prediction| found.entropies[*prediction]).collect();
            Ok(Scores { logprobs, entropies })
        };
        sequences.iter().enumerate().map(of_sequence).collect()
    }

    /// Runs the blocks over the rows of the tree and writes the result to `memory.x`. It keeps `states` layer states
    /// and, with `keep`, the layers' inputs for a backward pass.
    fn forward(&mut self, states: usize, keep: bool) {
        let Self { pool, base, packed, memory, tree, .. } = self;
        let (rows, layout, layers) = (tree.rows(), &base.layout, base.config.layers);
        let stride = layout.hidden.padded_len();
        let widths = inner_widths(std::iter::once(&*packed));
        memory.rotary.extend(&base.config, tree.longest());
        memory.cache.reserve(rows.div_ceil(PAGE));
        memory.run_states.reserve(run_states_len(layout, tree));
        memory.states.resize_with(states, LayerState::default);
        for state in &mut memory.states {
            state.reserve(rows, layout, widths);
        }
        memory.scratch.reserve(rows, layout);
        memory.x.reserve(rows * stride);
        embed(pool, base, tree, &mut memory.x);
        let adapters = [(0..rows, &*packed)];
        let batch = batch(tree, &adapters);
        for layer in 0..layers {
            if keep && layer > 0 {
                let input = &mut memory.inputs[layer - 1];
                input.reserve(rows * stride);
                copy_rows(pool, rows, stride, &memory.x, input);
            }
            let state = &mut memory.states[if states == 1 { 0 } else { layer }];
            let Memory { cache, run_states, x, scratch, rotary, .. } = memory;
            let mut context = Context { cache, states: States::Forest(&tree.runs, run_states) };
            layer_forward(pool, base, rotary, layer, &batch, &mut context, x, state, scratch);
        }
    }

    /// Adds the gradient of a loss; `weights` is its derivative with respect to the predictions' logprobs.
    fn backward(&mut self, weights: &[f32]) {
        let Self { pool, base, packed, gradients, memory, tree, weights: trained, .. } = self;
        let (rows, layout, config) = (tree.rows(), &base.layout, &base.config);
        let stride = layout.hidden.padded_len();
        let widths = inner_widths(std::iter::once(&*packed));
        memory.backward.reserve(&tree.runs, layout, widths, pool.threads());
        memory.logits.reserve(wide_len(rows, layout));
        memory.dx.reserve(rows * stride);
        let (set, norm) = (pool.instruction_set(), base.rms_norm(&base.final_norm));
        if let Some(trained) = &mut *trained {
            add_head(trained, pool, base, memory, &tree.predictions, weights);
        } else {
            scale_rows(pool, &mut memory.d_predictors, stride, weights);
        }
        let (x, d_predictors, predictions) = (&memory.x, &memory.d_predictors, &tree.predictions);
        for_row_blocks(pool, rows, ROW_BLOCK, [(&mut memory.dx, stride)], &|block, [dx]| {
            let mut next = predictions.partition_point(|prediction| prediction.row < block.start);
            for (row, dx) in block.zip(dx.chunks_exact_mut(stride)) {
                dx.fill(0.0);
                while predictions.get(next).is_some_and(|prediction| prediction.row == row) {
                    let (x, dy) = (&x[row * stride..][..stride], &d_predictors[next * stride..][..stride]);
                    rms_norm_backward(set, x, norm, dy, dx, true);
                    next += 1;
                }
            }
        });
        let adapters = [(0..rows, &*packed)];
        let batch = batch(tree, &adapters);
        for layer in (0..config.layers).rev() {
            let Memory { cache, run_states, rotary, x, dx, inputs, states, scratch, backward, .. } = memory;
            let wide = &mut memory.logits;
            let input = layer.checked_sub(1).map(|before| &inputs[before]);
            let kept = states.len() == config.layers;
            let state = &mut states[if kept { layer } else { 0 }];
            if !kept {
                match input {
                    Some(input) => copy_rows(pool, rows, stride, input, x),
                    None => embed(pool, base, tree, x),
                }
                let mut context = Context { cache, states: States::Forest(&tree.runs, run_states) };
                layer_forward(pool, base, rotary, layer, &batch, &mut context, x, state, scratch);
            }
            let context = BackwardContext { pool, base, adapter: packed, rotary, batch: &batch, runs: &tree.runs };
            if input.is_none() {
                embed(pool, base, tree, x);
            }
            let own = trained.as_mut().map(|trained| &mut trained.layers[layer]);
            context.layer(LayerPass {
                index: layer,
                input: input.unwrap_or(x),
                state,
                dx,
                scratch,
                backward,
                wide,
                gradients: &mut gradients.layers[layer],
                weights: LayerHook { pool, base, rows, gradients: own },
            });
        }
        if let Some(trained) = trained {
            trained.add_embedding(&tree.tokens, &memory.dx, stride, config.embedding_scale);
        }
    }
}

/// Multiplies each row by its weight.
fn scale_rows(pool: &ComputePool, rows: &mut [f32], stride: usize, weights: &[f32]) {
    for_row_blocks(pool, weights.len(), ROW_BLOCK, [(rows, stride)], &|block, [rows]| {
        for (i, row) in block.zip(rows.chunks_exact_mut(stride)) {
            row.iter_mut().for_each(|x| *x *= weights[i]);
        }
    });
}

/// Writes the input of the first layer.
fn embed(pool: &ComputePool, base: &BaseModel, tree: &TokenTree, x: &mut [f32]) {
    let stride = base.layout.hidden.padded_len();
    for_row_blocks(pool, tree.rows(), ROW_BLOCK, [(x, stride)], &|block, [x]| {
        for (row, x) in block.zip(x.chunks_exact_mut(stride)) {
            base.embed(tree.tokens[row], x);
        }
    });
}

/// Returns a batch of all rows of a tree with one adapter.
fn batch<'a>(tree: &'a TokenTree, adapters: &'a [(Range<usize>, &'a PackedAdapter)]) -> Batch<'a> {
    Batch { positions: &tree.positions, spans: &tree.spans, parts: &tree.parts, adapters }
}

/// Returns the position of a sequence's `index`-th scored token.
fn scored_position(sequence: &SequenceInput, index: usize) -> usize {
    let mut positions = (0..sequence.scored.len()).filter(|position| sequence.scored[*position]);
    positions.nth(index).unwrap_or(sequence.scored.len())
}

#[cfg(test)]
mod for_tests {
    impl super::TrainSession {
        /// Sets the size of the kept layer states in bytes, so that a test need not use two gigabytes.
        pub(crate) fn set_state_limit(&mut self, bytes: usize) {
            self.state_limit = bytes;
        }

        /// Returns the size of the buffers that are kept between calls, in bytes.
        pub(crate) fn taken_bytes(&self) -> usize {
            self.memory.taken_bytes()
        }
    }
}
