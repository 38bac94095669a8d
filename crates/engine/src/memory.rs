//! Memory that a model needs, computed from its shape before a weight is read.
//!
//! The sizes are those of the buffers that serving and training allocate, with the layouts that these have. What the allocator, the
//! tokenizer and the program take themselves comes on top.

use crate::config::{LayerKind, ModelConfig};
use crate::full;
use crate::kernels::{InstructionSet, MatrixFormat, WeightFormat};
use crate::lora::{Adapter, LoraOptions, PackedAdapter};
use crate::model::{Fused, Layout, parameters};
use crate::pass::{InnerWidths, LayerState, NO_WIDTHS, Scratch, inner_widths};
use crate::scheduler::SamplerLimits;
use crate::train::{Demand, SequenceInput, TokenTree, TrainingMethod, default_limit, state_limit};

/// Part of bf16 weights that remains where they are compressed.
const COMPRESSED: f64 = 0.78;

/// Memory of a model whose weights have a format, in bytes.
pub struct ModelMemory<'a> {
    config: &'a ModelConfig,
    layout: Layout,
    format: WeightFormat,
    instructions: InstructionSet,
    threads: usize,
    /// Bytes of quantised weights that stay as the files have them.
    stored: Option<usize>,
}

/// Memory of a training job, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingMemory {
    /// Memory of everything, with the weights.
    pub bytes: usize,
    /// Part of it for the sequences of a step: states, keys, values and gradients.
    pub sequence_bytes: usize,
    /// Whether layers are computed a second time for the gradient, since their states do not all fit.
    pub recomputes: bool,
    /// Number of tokens that a step computes; shared ones count once.
    pub unique_tokens: usize,
    /// Memory that the sequences of a step may take on this machine.
    pub limit_bytes: usize,
}

impl TrainingMemory {
    /// Returns whether training may take as much on this machine.
    pub fn fits(&self) -> bool {
        self.sequence_bytes <= self.limit_bytes
    }
}

/// Sequences of given lengths that share nothing, for the memory that they need.
pub struct UnsharedSequences(Vec<(Vec<u32>, Vec<bool>)>);

impl UnsharedSequences {
    /// Creates sequences with different first tokens, as far as the vocabulary has as many.
    pub fn new(lengths: &[usize], vocab_size: usize) -> Self {
        let sequence = |(index, length): (usize, &usize)| {
            let token = u32::try_from(index % vocab_size).unwrap_or_default();
            (vec![token; *length], (0..*length).map(|position| position > 0).collect())
        };
        Self(lengths.iter().enumerate().map(sequence).collect())
    }

    /// Returns the sequences, every token scored that can be.
    pub fn inputs(&self) -> Vec<SequenceInput<'_>> {
        self.iter().map(|(tokens, scored)| SequenceInput { tokens, scored }).collect()
    }

    /// Returns the tokens of each sequence, and which of them are scored.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[bool])> {
        self.0.iter().map(|(tokens, scored)| (&**tokens, &**scored))
    }
}

impl<'a> ModelMemory<'a> {
    /// Prepares the computation for the instructions and the number of threads of a pool.
    pub fn new(config: &'a ModelConfig, format: WeightFormat, instructions: InstructionSet, threads: usize) -> Self {
        Self { config, layout: Layout::new(config).with_weights(format), format, instructions, threads, stored: None }
    }

    /// Prepares it for quantised weights that stay as the files have them, in so many bytes.
    pub fn of_file(config: &'a ModelConfig, bytes: usize, instructions: InstructionSet, threads: usize) -> Self {
        Self { stored: Some(bytes), ..Self::new(config, WeightFormat::File, instructions, threads) }
    }

    /// Returns the number of weights of a model.
    pub fn parameters(config: &ModelConfig) -> usize {
        let experts = config.experts.as_ref().map_or(0, |experts| {
            let layers = config.layers - experts.dense_layers.len();
            let expert = 3 * experts.intermediate_size * config.hidden_size;
            // The parameters below have a plain part in every layer, which is that of a shared expert.
            let (others, plain) = match experts.has_shared {
                true => (config.hidden_size, 0),
                false => (0, 3 * config.intermediate_size * config.hidden_size),
            };
            (layers * (experts.count * (expert + config.hidden_size) + others)).saturating_sub(layers * plain)
        });
        parameters(config).iter().map(|parameter| parameter.len()).sum::<usize>() + experts
    }

    /// Returns the memory of the weights for the forward pass.
    pub fn weights(&self) -> usize {
        if let Some(bytes) = self.stored {
            return bytes;
        }
        // Beside a head of its own, the embedding stays as most files have it.
        let Layout { hidden, vocab, .. } = self.layout;
        let embedding = MatrixFormat::Bf16.packed_bytes(hidden.padded_len(), vocab.padded_len());
        let embedding = if self.config.tie_word_embeddings { 0 } else { embedding };
        self.linears(&|format, depth, columns| self.packed(format, depth, columns))
            + self.vocabulary(self.format.head())
            + embedding
    }

    /// Returns the memory of the copies of the weights that the first job with an adapter makes.
    pub fn copies(&self) -> usize {
        if self.stored.is_some() {
            // Quantised weights are read in both directions.
            return 0;
        }
        let head: MatrixFormat = self.format.head().into();
        let layout = &self.layout;
        let Layout { hidden, vocab, .. } = *layout;
        // Nothing before the first layer's input is trained.
        let first = Fused::of(self.config.kind_of(0)).iter().filter(|fused| fused.reads_layer());
        let unused = first.map(|first| {
            let format = MatrixFormat::from(first.format(self.format));
            format.transposed_bytes(first.input(layout).padded_len(), first.columns(layout))
        });
        self.linears(&|format, depth, columns| MatrixFormat::from(format).transposed_bytes(depth, columns))
            - unused.sum::<usize>()
            + head.transposed_bytes(hidden.padded_len(), vocab.padded_len())
    }

    /// Returns the memory of a token's keys and values. Recurrent states take the same memory for any number of tokens.
    pub fn token(&self) -> usize {
        SamplerLimits::page_bytes(self.config, self.format) / SamplerLimits::PAGE_TOKENS
    }

    /// Returns the memory for serving `streams` conversations of `context` tokens each at once.
    pub fn serving(&self, streams: usize, context: usize) -> usize {
        let pages = context.div_ceil(SamplerLimits::PAGE_TOKENS) * streams;
        let limits = SamplerLimits::default();
        let rows = limits.rows_per_step.min(streams * context).max(streams);
        let Layout { hidden, vocab, .. } = self.layout;
        let row =
            2 * hidden.padded_len() + Scratch::row_len(&self.layout) + LayerState::row_len(&self.layout, NO_WIDTHS);
        let logits = streams.min(limits.max_running) * vocab.padded_len();
        self.weights()
            + pages * SamplerLimits::page_bytes(self.config, self.format)
            + streams * SamplerLimits::state_bytes(self.config)
            + (rows * row + logits) * size_of::<f32>()
    }

    /// Returns the memory of a job, beside what serving needs, with these sequences in a step; `None` if the model cannot be
    /// trained so.
    pub fn job(&self, method: &TrainingMethod, sequences: &[SequenceInput<'_>]) -> Option<TrainingMemory> {
        match method {
            TrainingMethod::Lora(options) => Some(self.lora(options, sequences)),
            TrainingMethod::Full => self.full(sequences),
        }
    }

    /// Returns the memory of a job that trains an adapter.
    pub fn lora(&self, options: &LoraOptions, sequences: &[SequenceInput<'_>]) -> TrainingMemory {
        let layout = &self.layout;
        let options = LoraOptions { targets: options.targets.and(self.config.lora_targets()), ..*options };
        let kinds = LayerKind::ALL.into_iter().filter(|kind| self.config.layers_of(*kind) > 0);
        let layers: Vec<_> =
            kinds.map(|kind| (kind, PackedAdapter::new(&options, [kind], layout, self.format, true))).collect();
        // Its parameters, their moments and gradients, and the copies that the kernels read.
        let copies = layers.iter().map(|(kind, layer)| self.config.layers_of(*kind) * layer.bytes());
        let adapter = 4 * Adapter::parameters_of(self.config, &options) * size_of::<f32>() + copies.sum::<usize>();
        let widths = inner_widths(layers.iter().map(|(_, layer)| layer));
        self.training(self.weights() + self.copies() + adapter, widths, sequences)
    }

    /// Returns the memory of a job that trains all weights; `None` if it is not possible.
    pub fn full(&self, sequences: &[SequenceInput<'_>]) -> Option<TrainingMemory> {
        if self.config.experts.is_some() {
            return None;
        }
        let job = full::memory_needed(self.config, self.format);
        Some(self.training(self.weights() + job, NO_WIDTHS, sequences))
    }

    fn training(
        &self,
        without_sequences: usize,
        inner_widths: InnerWidths,
        sequences: &[SequenceInput<'_>],
    ) -> TrainingMemory {
        let mut tree = TokenTree::default();
        tree.build(sequences);
        let (config, layout, format, threads) = (self.config, &self.layout, self.format, self.threads);
        let demand = Demand { config, layout, format, inner_widths, threads, tree: &tree, gradient: true };
        let limit = default_limit();
        let (states, sequence_bytes) = demand.plan(state_limit(limit), limit);
        TrainingMemory {
            bytes: without_sequences.saturating_add(sequence_bytes),
            sequence_bytes,
            recomputes: states < config.layers,
            unique_tokens: tree.rows(),
            limit_bytes: limit,
        }
    }

    fn vocabulary(&self, format: WeightFormat) -> usize {
        self.packed(format, self.layout.hidden.padded_len(), self.layout.vocab.padded_len())
    }

    fn packed(&self, format: WeightFormat, depth: usize, columns: usize) -> usize {
        let bytes = MatrixFormat::from(format).packed_bytes(depth, columns);
        let compresses = format == WeightFormat::Bf16 && self.instructions.compresses();
        if compresses { (bytes as f64 * COMPRESSED) as usize } else { bytes }
    }

    /// Returns the sum over all matrices of the layers, by format, depth and columns.
    fn linears(&self, bytes: &dyn Fn(WeightFormat, usize, usize) -> usize) -> usize {
        let layout = &self.layout;
        let fused =
            |fused: &Fused| bytes(fused.format(self.format), fused.input(layout).padded_len(), fused.columns(layout));
        let is_plain = |fused: &&Fused| matches!(fused, Fused::GateUp | Fused::Down);
        let plain: usize = Fused::of(LayerKind::Attention).iter().filter(is_plain).map(fused).sum();
        let mixer = |kind| Fused::of(kind).iter().filter(|one| !is_plain(one)).map(fused).sum::<usize>();
        let layer =
            |layer: usize| match (mixer(self.config.kind_of(layer)), self.config.experts_of(layer), layout.experts) {
                (mixer, Some(experts), Some(experts_layout)) => {
                    let (hidden, inner) = (layout.hidden.padded_len(), experts_layout.intermediate.padded_len());
                    let expert = bytes(self.format, hidden, 2 * inner) + bytes(self.format, inner, hidden);
                    let shared = match experts.has_shared {
                        true => plain + bytes(WeightFormat::F32, hidden, layout.shared_gate()),
                        false => 0,
                    };
                    mixer
                        + shared
                        + experts.count * expert
                        + bytes(WeightFormat::F32, hidden, experts_layout.router.padded_len())
                }
                (mixer, ..) => mixer + plain,
            };
        (0..self.config.layers).map(layer).sum()
    }
}
