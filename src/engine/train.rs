//! Training of one adapter: score, accumulate gradients, step.

use std::sync::Arc;

use super::backward::BackwardContext;
use super::forward::{Batch, LayerState, inner_widths, layer_forward};
use super::full::{LayerHook, WeightGradients};
use super::head::score_head;
use super::kernels::attention::PAGE;
use super::kernels::parallel::{ROW_BLOCK, for_row_blocks};
use super::kernels::rows::rms_norm_backward;
use super::kv_cache::Span;
use super::linear_backward::Gradients;
use super::lora::{LayerFactors, named_values};
use super::lora_packed::PackedAdapter;
use super::optimizer::{clip_factor, gradient_norm};
use super::train_memory::{Demand, Memory, default_limit};
use super::{AdamHyper, AdamState, Adapter, BaseModel, ComputePool};

/// One sequence and the tokens whose log-probability is wanted.
#[derive(Clone, Copy, Debug)]
pub struct SequenceInput<'a> {
    /// Token ids.
    pub tokens: &'a [u32],
    /// As long as `tokens`: whether the log-probability of `tokens[t]` given `tokens[..t]` is wanted. `scored[0]` is false.
    pub scored: &'a [bool],
}

/// What the model thinks of the scored tokens, in order of position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// Natural log-probability of each scored token, at temperature 1.
    pub logprobs: Vec<f32>,
    /// Entropy in nats of the distribution each scored token was drawn from.
    pub entropies: Vec<f32>,
}

/// Outcome of one optimiser step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Global L2 norm of the gradient before it was limited.
    pub grad_norm: f32,
}

/// Why a training operation was refused. The adapter and the optimiser state are as they were before the call.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// `tokens` and `scored` differ in length, or `scored[0]` is set.
    #[error("{0}")]
    Input(String),
    /// A token id outside the vocabulary.
    #[error("token {token} at position {position} is outside the vocabulary of {vocab_size}")]
    Token {
        /// The token id.
        token: u32,
        /// Where it stands.
        position: usize,
        /// Number of tokens of the model.
        vocab_size: usize,
    },
    /// The sequence is longer than the model allows.
    #[error("a sequence of {length} tokens is longer than the model's limit of {limit}")]
    TooLong {
        /// Tokens of the sequence.
        length: usize,
        /// The model's `max_position_embeddings`.
        limit: usize,
    },
    /// The sequence needs more memory than the session may take.
    #[error(
        "a sequence of {length} tokens needs {needed_bytes} bytes of memory, more than the limit of {limit_bytes}; \
         shorten it or use a machine with more memory"
    )]
    TooLarge {
        /// Tokens of the sequence.
        length: usize,
        /// Memory for its states, keys, values and gradients.
        needed_bytes: usize,
        /// What the session may take.
        limit_bytes: usize,
    },
    /// What `gradient` returned has not one value for each scored token.
    #[error("{found} gradient values for {expected} scored tokens")]
    GradientLength {
        /// Values returned.
        found: usize,
        /// Scored tokens.
        expected: usize,
    },
    /// A setting of the optimiser makes no sense.
    #[error("optimiser setting {name} = {value} is not usable")]
    Hyper {
        /// Name of the setting.
        name: &'static str,
        /// All settings.
        value: String,
    },
    /// A number became infinite or NaN.
    #[error("{what} is not finite; lower the learning rate or check the adapter")]
    NotFinite {
        /// Which number.
        what: String,
    },
}

/// Bytes of layer states kept for the backward pass; longer sequences compute each layer a second time instead.
const STATE_LIMIT: usize = 2 << 30;

/// Trains one adapter on a base model: accumulates gradients over sequences, then steps.
pub struct TrainSession {
    pool: Arc<ComputePool>,
    base: Arc<BaseModel>,
    adapter: Adapter,
    adam: AdamState,
    packed: PackedAdapter,
    gradients: Gradients,
    /// Where the weights are trained, and not the adapter.
    weights: Option<WeightGradients>,
    memory: Memory,
    state_limit: usize,
    memory_limit: usize,
}

impl TrainSession {
    /// A session that goes on from `adapter` and `adam`.
    ///
    /// # Panics
    /// If the adapter or the optimiser state was made for a model of another shape.
    pub fn new(pool: Arc<ComputePool>, base: Arc<BaseModel>, adapter: Adapter, adam: AdamState) -> Self {
        assert!(adapter.fits(&base.config), "the adapter fits the base model");
        assert!(adam.fits(&adapter), "the optimiser state fits the adapter");
        let (layers, layout) = (base.config.layers, &base.layout);
        let mut packed = PackedAdapter::new(&adapter, layout, base.format, true);
        packed.update(&pool, &adapter, layout);
        let memory = Memory::new(&base);
        let gradients = Gradients::new(adapter.options(), layers, layout);
        let memory_limit = default_limit();
        let (weights, state_limit) = (None, STATE_LIMIT);
        Self { pool, base, adapter, adam, packed, gradients, weights, memory, state_limit, memory_limit }
    }

    /// A session without an adapter that accumulates the gradients of all weights. Its owner makes the steps.
    pub(crate) fn of_weights(pool: Arc<ComputePool>, base: Arc<BaseModel>, gradients: WeightGradients) -> Self {
        let adapter = Adapter::none(&base.config);
        let adam = AdamState::new(&adapter);
        Self { weights: Some(gradients), ..Self::new(pool, base, adapter, adam) }
    }

    /// The weights that [`TrainSession::of_weights`] computes with, to be replaced by others of their shape, and their
    /// gradients.
    ///
    /// # Panics
    /// If the session trains an adapter.
    pub(crate) fn trained_weights(&mut self) -> (&mut Arc<BaseModel>, &mut WeightGradients) {
        (&mut self.base, self.weights.as_mut().expect("the session trains weights"))
    }

    /// Ends a session; the weights that it computed with.
    pub(crate) fn into_base(self) -> Arc<BaseModel> {
        self.base
    }

    /// Limits the memory that sequences may take, in bytes, on top of the model, the adapter and its optimiser state. Half
    /// of the machine's memory unless set.
    pub fn with_memory_limit(mut self, bytes: usize) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Scores a sequence under the current adapter, forward only.
    pub fn score(&mut self, sequence: &SequenceInput) -> Result<Scores, TrainError> {
        let scored = self.check(sequence)?;
        let Some(last) = scored.last() else { return Ok(Scores::default()) };
        let states = self.plan_states(*last, scored.len(), false)?;
        let pool = self.pool.clone();
        let _training = pool.training();
        self.forward(&sequence.tokens[..*last], states, false);
        score_head(&self.pool, &self.base, &mut self.memory, sequence.tokens, &scored, false)
    }

    /// Scores a sequence, asks `gradient` for d loss / d logprob of every scored token, and adds the loss's gradient with
    /// respect to the adapter to what has been accumulated.
    pub fn forward_backward(
        &mut self,
        sequence: &SequenceInput,
        gradient: &mut dyn FnMut(&Scores) -> Vec<f32>,
    ) -> Result<Scores, TrainError> {
        let scored = self.check(sequence)?;
        let Some(&rows) = scored.last() else { return Ok(Scores::default()) };
        let tokens = &sequence.tokens[..rows];
        let states = self.plan_states(rows, scored.len(), true)?;
        let pool = self.pool.clone();
        let _training = pool.training();
        self.forward(tokens, states, true);
        let scores =
            score_head(&self.pool, &self.base, &mut self.memory, sequence.tokens, &scored, self.weights.is_none())?;
        let weights = gradient(&scores);
        if weights.len() != scored.len() {
            return Err(TrainError::GradientLength { found: weights.len(), expected: scored.len() });
        }
        if let Some(i) = weights.iter().position(|weight| !weight.is_finite()) {
            let what = format!("the loss's gradient with respect to the log-probability at position {}", scored[i]);
            return Err(TrainError::NotFinite { what });
        }
        if weights.iter().any(|weight| *weight != 0.0) {
            self.backward(tokens, sequence.tokens, &scored, &weights);
        }
        Ok(scores)
    }

    /// Limits the accumulated gradient's norm, applies AdamW and clears the gradient. After an error the gradient is
    /// cleared and all else is as before.
    pub fn step(&mut self, hyper: &AdamHyper) -> Result<StepReport, TrainError> {
        let pool = self.pool.clone();
        let _training = pool.training();
        let gradients = self.factor_gradients();
        self.zero_gradients();
        if let Some(name) = hyper.invalid() {
            return Err(TrainError::Hyper { name, value: format!("{hyper:?}") });
        }
        let grad_norm = gradient_norm(&gradients);
        if !grad_norm.is_finite() {
            return Err(TrainError::NotFinite { what: "the gradient's norm".into() });
        }
        if !self.adam.update(&mut self.adapter, &gradients, clip_factor(grad_norm, hyper.clip_norm), hyper) {
            return Err(TrainError::NotFinite { what: "an adapter parameter after the step".into() });
        }
        self.packed.update(&self.pool, &self.adapter, &self.base.layout);
        Ok(StepReport { grad_norm })
    }

    /// Forgets the accumulated gradient.
    pub fn zero_gradients(&mut self) {
        self.gradients.clear();
    }

    /// The accumulated gradient by PEFT's parameter names, each in the parameter's own layout.
    pub fn gradients(&self) -> Vec<(String, Vec<f32>)> {
        named_values(&self.factor_gradients())
    }

    /// The accumulated gradient in the adapter's shapes, by layer and projection.
    pub(crate) fn factor_gradients(&self) -> Vec<LayerFactors> {
        self.gradients.read(&self.base.layout)
    }

    /// Bytes of layer states to keep, so that a test need not be two gigabytes large.
    #[cfg(test)]
    pub(crate) fn set_state_limit(&mut self, bytes: usize) {
        self.state_limit = bytes;
    }

    /// Bytes of the buffers kept from call to call.
    #[cfg(test)]
    pub(crate) fn taken_bytes(&self) -> usize {
        self.memory.taken_bytes()
    }

    /// The adapter as of the last step.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// The optimiser state as of the last step.
    pub fn adam(&self) -> &AdamState {
        &self.adam
    }

    /// Ends the session.
    pub fn into_parts(self) -> (Adapter, AdamState) {
        (self.adapter, self.adam)
    }

    /// Checks a sequence and returns the scored positions.
    fn check(&self, sequence: &SequenceInput) -> Result<Vec<usize>, TrainError> {
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
        Ok((0..scored.len()).filter(|position| scored[*position]).collect())
    }

    /// Layer states to keep for `rows` rows: all, or one if the others are to be computed again. Refuses what does not fit
    /// the memory limit, before the allocator would end the process.
    fn plan_states(&self, rows: usize, scored: usize, gradient: bool) -> Result<usize, TrainError> {
        let (base, threads) = (&*self.base, self.pool.threads());
        let inner_widths = inner_widths(std::iter::once(&self.packed));
        let demand = Demand { base, inner_widths, threads, rows, scored, gradient };
        let (layers, limit_bytes) = (base.config.layers, self.memory_limit);
        let all_states = demand.state_bytes().saturating_mul(layers);
        if gradient && all_states <= self.state_limit && demand.bytes(layers) <= limit_bytes {
            return Ok(layers);
        }
        match demand.bytes(1) {
            needed_bytes if needed_bytes > limit_bytes => {
                Err(TrainError::TooLarge { length: rows, needed_bytes, limit_bytes })
            }
            _ => Ok(1),
        }
    }

    /// Runs the blocks over a sequence from position 0; the result is in `memory.x`. `states` layer states are kept, and
    /// with `keep` the layers' inputs, for a backward pass.
    fn forward(&mut self, tokens: &[u32], states: usize, keep: bool) {
        let Self { pool, base, packed, memory, .. } = self;
        let (rows, layout, layers) = (tokens.len(), &base.layout, base.config.layers);
        let stride = layout.hidden.padded_len();
        let widths = inner_widths(std::iter::once(&*packed));
        memory.rotary.extend(&base.config, rows);
        while memory.pages.len() * PAGE < rows {
            memory.pages.push(memory.cache.allocate().expect("the cache holds the model's longest sequence"));
        }
        memory.states.resize_with(states, LayerState::default);
        for state in &mut memory.states {
            state.reserve(rows, layout, widths);
        }
        memory.scratch.reserve(rows, layout);
        memory.x.reserve(rows * stride);
        for_row_blocks(pool, rows, ROW_BLOCK, [(&mut memory.x, stride)], &|block, [x]| {
            for (row, x) in block.zip(x.chunks_exact_mut(stride)) {
                base.embed(tokens[row], x);
            }
        });
        let batch = batch(rows, packed, &memory.pages);
        for layer in 0..layers {
            if keep {
                let input = &mut memory.inputs[layer];
                input.reserve(rows * stride);
                input[..rows * stride].copy_from_slice(&memory.x[..rows * stride]);
            }
            let state = &mut memory.states[if states == 1 { 0 } else { layer }];
            let Memory { cache, x, scratch, rotary, .. } = memory;
            layer_forward(pool, base, rotary, layer, &batch, cache, x, state, scratch);
        }
    }

    /// Adds the gradient of a loss whose derivative by the scored log-probabilities is `weights`.
    fn backward(&mut self, run: &[u32], tokens: &[u32], scored: &[usize], weights: &[f32]) {
        let Self { pool, base, packed, gradients, memory, weights: trained, .. } = self;
        let rows = run.len();
        let (layout, config) = (&base.layout, &base.config);
        let stride = layout.hidden.padded_len();
        let widths = inner_widths(std::iter::once(&*packed));
        memory.backward.reserve(rows, layout, widths);
        memory.dx.reserve(rows * stride);
        let (set, shape) = (pool.instruction_set(), (config.hidden_size, config.rms_norm_eps));
        if let Some(trained) = &mut *trained {
            trained.add_head(pool, base, memory, weights, &|i| tokens[scored[i]]);
            trained.add_final_norm(pool, base, &memory.x, &memory.d_predictors, (scored.len(), &|i| scored[i] - 1));
        } else {
            for_row_blocks(
                pool,
                scored.len(),
                ROW_BLOCK,
                [(&mut memory.d_predictors, stride)],
                &|block, [gradient]| {
                    for (i, gradient) in block.zip(gradient.chunks_exact_mut(stride)) {
                        gradient.iter_mut().for_each(|gradient| *gradient *= weights[i]);
                    }
                },
            );
        }
        let (x, d_predictors) = (&memory.x, &memory.d_predictors);
        for_row_blocks(pool, rows, ROW_BLOCK, [(&mut memory.dx, stride)], &|block, [dx]| {
            for (row, dx) in block.zip(dx.chunks_exact_mut(stride)) {
                match scored.binary_search(&(row + 1)) {
                    Ok(i) => {
                        let (x, dy) = (&x[row * stride..][..stride], &d_predictors[i * stride..][..stride]);
                        rms_norm_backward(set, x, &base.final_norm, shape, dy, dx, false);
                    }
                    Err(_) => dx.fill(0.0),
                }
            }
        });
        for layer in (0..config.layers).rev() {
            let Memory { cache, pages, rotary, x, dx, inputs, states, scratch, backward, .. } = memory;
            let kept = states.len() == config.layers;
            let state = &mut states[if kept { layer } else { 0 }];
            if !kept {
                x[..rows * stride].copy_from_slice(&inputs[layer][..rows * stride]);
                layer_forward(pool, base, rotary, layer, &batch(rows, packed, pages), cache, x, state, scratch);
            }
            let pages = &pages[..rows.div_ceil(PAGE)];
            let context = BackwardContext { pool, base, adapter: packed, rotary, cache, pages, rows };
            let hook =
                LayerHook { pool, base, rows, gradients: trained.as_mut().map(|trained| &mut trained.layers[layer]) };
            context.layer(layer, &inputs[layer], state, dx, scratch, backward, gradients, hook);
        }
        if let Some(trained) = trained {
            trained.add_embedding(run.iter().copied(), &memory.dx, stride);
        }
    }
}

/// One whole sequence under one adapter.
fn batch<'a>(rows: usize, adapter: &'a PackedAdapter, pages: &[usize]) -> Batch<'a> {
    let pages = pages[..rows.div_ceil(PAGE)].to_vec();
    Batch {
        positions: (0..rows).collect(),
        spans: vec![Span { first_row: 0, rows, start: 0, pages }],
        adapters: vec![(0..rows, adapter)],
    }
}
