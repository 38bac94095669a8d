//! Memory that a base model needs, to be told before it is short.

use serde::Serialize;

use crate::engine::{LoraOptions, ModelConfig, ModelMemory, TrainingMemory, TrainingMethod, UnsharedSequences};

/// Memory of the program itself, as it was measured.
const PROGRAM: usize = 16 << 20;

/// What serving and training are assumed to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    /// Conversations that are served at once.
    pub streams: usize,
    /// Tokens of each of them.
    pub context: usize,
    /// Rank of the LoRA adapter.
    pub rank: usize,
    /// Sequences of a training step.
    pub batch: usize,
    /// Tokens of each of them.
    pub length: usize,
}

impl Default for Workload {
    fn default() -> Self {
        Self { streams: 4, context: 4096, rank: LoraOptions::default().rank, batch: 8, length: 512 }
    }
}

impl Workload {
    /// Returns the workload within the context length of a model.
    #[must_use]
    pub(crate) fn within(self, config: &ModelConfig) -> Self {
        let longest = config.max_position_embeddings;
        Self { context: self.context.min(longest), length: self.length.min(longest), ..self }
    }
}

/// Memory for a workload, in bytes, each sum with the weights and the program.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct MemoryNeeds {
    /// Packed weights.
    pub weight_bytes: usize,
    /// Serving.
    pub serving_bytes: usize,
    /// Training an adapter.
    pub lora: JobMemory,
    /// Training all weights; `None` where that is not possible.
    pub full: Option<JobMemory>,
}

/// Memory of a training job, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct JobMemory {
    /// Everything that the job needs, with the weights and the program.
    pub bytes: usize,
    /// Layers are computed a second time for the gradient, since their states do not all fit.
    pub recomputes: bool,
    /// Training may take as much on this machine.
    pub fits: bool,
}

impl From<TrainingMemory> for JobMemory {
    fn from(memory: TrainingMemory) -> Self {
        Self { bytes: memory.bytes.saturating_add(PROGRAM), recomputes: memory.recomputes, fits: memory.fits() }
    }
}

impl JobMemory {
    /// Computes it for a job of this method; `None` if the model cannot be trained so. The workload is within the context
    /// length of the model.
    pub(crate) fn of(
        config: &ModelConfig,
        memory: &ModelMemory<'_>,
        method: &TrainingMethod,
        step: &Workload,
    ) -> Option<Self> {
        let sequences = UnsharedSequences::new(&vec![step.length; step.batch], config.vocab_size);
        memory.job(method, &sequences.inputs()).map(Into::into)
    }
}

impl MemoryNeeds {
    /// Computes it for a model in one format. The workload is within the context length of the model.
    pub(crate) fn of(config: &ModelConfig, memory: &ModelMemory<'_>, workload: &Workload) -> Self {
        let sequences = UnsharedSequences::new(&vec![workload.length; workload.batch], config.vocab_size);
        let lora = LoraOptions { rank: workload.rank, ..config.lora_options() };
        Self {
            weight_bytes: memory.weights(),
            serving_bytes: memory.serving(workload.streams, workload.context).saturating_add(PROGRAM),
            lora: memory.lora(&lora, &sequences.inputs()).into(),
            full: memory.full(&sequences.inputs()).map(Into::into),
        }
    }
}
