//! Weights of a base model: frozen, packed for the kernels, shared by training and sampling.

use std::sync::OnceLock;

use super::held::HeldMatrices;
use super::layout::{ConvolutionLayout, DeltaLayout, Fused, LAYER_NORMS, LayerNorm, Layout};
use crate::config::{ModelConfig, Rotation};
use crate::kernels::recurrent::{Convolution, GateWeights, GatedNorm};
use crate::kernels::rows::RmsNorm;
use crate::kernels::{ComputePool, Panels, WeightFormat};

/// A frozen linear map, packed for the forward pass and, after the first backward pass, also transposed.
pub(crate) struct Linear {
    pub(crate) forward: Panels,
    backward: OnceLock<Panels>,
    /// Bias, one value for each column.
    pub(crate) bias: Option<Vec<f32>>,
}

impl Linear {
    pub(super) fn new(forward: Panels) -> Self {
        Self { forward, backward: OnceLock::new(), bias: None }
    }

    /// Frees the transposed matrix until its next use.
    pub(crate) fn forget_backward(&mut self) {
        self.backward = OnceLock::new();
    }

    /// Returns the transposed matrix, computed at the first use.
    pub(crate) fn backward(&self, pool: &ComputePool) -> &Panels {
        self.backward.get_or_init(|| self.forward.transposed(pool))
    }

    fn bytes(&self) -> usize {
        self.forward.bytes() + self.backward.get().map_or(0, Panels::bytes)
    }
}

/// Weights of one decoder block.
pub(crate) struct Layer {
    /// Query, key and value projections, and output projection; of a part in place of attention those of its input and its output.
    pub(super) attention: [Linear; 2],
    pub(crate) mixer: Mixer,
    pub(crate) feed_forward: FeedForward,
    /// Norms of hidden rows, in the order of [`LayerNorm::ALL`]; `None` for those that the family lacks.
    pub(super) norms: [Option<Vec<f32>>; LAYER_NORMS],
    pub(crate) head_norms: HeadNormWeights,
    /// Rotation of queries and keys.
    pub(crate) rotation: Rotation,
    /// Number of tokens that a token attends to, itself included.
    pub(crate) window: usize,
}

/// Weights of the part that mixes tokens, beside the projections of its input and its output.
pub(crate) enum Mixer {
    /// Norms and rotation of the attention are the layer's.
    Attention,
    Delta(DeltaWeights),
    Convolution(ConvolutionWeights),
}

impl Mixer {
    /// Returns a projection beside those of input and output.
    fn gates(&self) -> Option<&Linear> {
        if let Self::Delta(delta) = self { Some(&delta.gates) } else { None }
    }
}

/// Weights of a gated short convolution.
pub(crate) struct ConvolutionWeights {
    /// `[taps][values]`, the oldest row first.
    pub(super) weights: Vec<f32>,
    pub(super) bias: Option<Vec<f32>>,
}

impl ConvolutionWeights {
    /// Returns the convolution of gated values.
    pub(crate) fn convolution(&self, layout: &ConvolutionLayout) -> Convolution<'_> {
        let (channels, taps) = (layout.channels.padded_len(), layout.taps.len());
        Convolution { channels, taps, silu: false, weights: &self.weights, bias: self.bias.as_deref() }
    }
}

/// Weights of a gated delta network, beside the projections of its input and output.
pub(crate) struct DeltaWeights {
    /// Projections to each value head's decay and strength, f32 in every number format.
    pub(super) gates: Linear,
    /// `[taps][values]`, the oldest row first.
    pub(super) convolution: Vec<f32>,
    /// Logarithm of each head's factor on the decay, and the value added before the softplus.
    pub(super) decay: [Vec<f32>; 2],
    pub(super) norm: Vec<f32>,
}

impl DeltaWeights {
    /// Returns the convolution of queries, keys and values.
    pub(crate) fn convolution(&self, delta: &DeltaLayout) -> Convolution<'_> {
        let (channels, taps) = (delta.mixed.padded_len(), delta.taps.len());
        Convolution { channels, taps, silu: true, weights: &self.convolution, bias: None }
    }

    /// Returns the weights of the decay.
    pub(crate) fn decay(&self) -> GateWeights<'_> {
        let [a_log, dt_bias] = &self.decay;
        GateWeights { a_log, dt_bias }
    }

    /// Returns the norm of the output.
    pub(crate) fn norm(&self, eps: f32) -> GatedNorm<'_> {
        GatedNorm { weight: &self.norm, eps }
    }
}

/// Feed-forward part of a layer.
pub(crate) enum FeedForward {
    /// Gate and up projections, and down projection.
    Dense([Linear; 2]),
    Experts(Experts),
}

/// Experts of a layer.
pub(crate) struct Experts {
    /// Map from hidden rows to the experts' logits, f32 in every number format: rounding would choose other experts.
    pub(crate) router: Linear,
    /// Gate and up projections of each expert, and its down projection.
    pub(crate) linears: Vec<[Linear; 2]>,
    /// Choice of a row's experts.
    pub(crate) choice: Choice,
    /// Expert of every row, if there is one.
    pub(crate) shared: Option<SharedExpert>,
}

/// Expert of every row.
pub(crate) struct SharedExpert {
    /// Gate and up projections, and down projection.
    pub(super) linears: [Linear; 2],
    /// Map from hidden rows to the logit of a factor on the output, f32 in every number format.
    pub(crate) gate: Linear,
}

/// Choice of a row's experts by their probabilities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Number of experts.
    pub(crate) count: usize,
    /// Number of experts of a row.
    pub(crate) per_token: usize,
    /// Whether the weights of a row's experts are scaled so that their sum is one.
    pub(crate) normalises_weights: bool,
}

impl Layer {
    /// Returns a fused linear map.
    ///
    /// # Panics
    /// If it is part of experts without a shared one, or the layer is of another kind.
    pub(crate) fn linear(&self, fused: Fused) -> &Linear {
        match (fused, &self.feed_forward) {
            (Fused::QueryKeyValue | Fused::DeltaInput | Fused::ConvolutionInput, _) => &self.attention[0],
            (Fused::Output | Fused::DeltaOutput | Fused::ConvolutionOutput, _) => &self.attention[1],
            (Fused::DeltaGates, _) => self.mixer.gates().expect("the layer has a delta network"),
            (Fused::GateUp, FeedForward::Dense(linears)) => &linears[0],
            (Fused::Down, FeedForward::Dense(linears)) => &linears[1],
            (Fused::GateUp | Fused::Down, FeedForward::Experts(experts)) => {
                let shared = experts.shared.as_ref().expect("other experts have their own maps");
                &shared.linears[fused.slot() - Fused::GateUp.slot()]
            }
        }
    }

    /// Returns all linear maps.
    fn linears(&self) -> impl Iterator<Item = &Linear> {
        let (plain, experts) = match &self.feed_forward {
            FeedForward::Dense(linears) => (&linears[..], None),
            FeedForward::Experts(experts) => (&[][..], Some(experts)),
        };
        let shared = experts.and_then(|experts| experts.shared.as_ref());
        let shared = shared.into_iter().flat_map(|shared| shared.linears.iter().chain([&shared.gate]));
        let experts = experts.into_iter().flat_map(|experts| experts.linears.iter().flatten().chain([&experts.router]));
        self.attention.iter().chain(self.mixer.gates()).chain(plain).chain(shared).chain(experts)
    }

    /// Returns the weights of a norm of hidden rows.
    pub(crate) fn norm(&self, which: LayerNorm) -> Option<&[f32]> {
        self.norms[which as usize].as_deref()
    }
}

/// Weights of the norms of queries and keys.
pub(crate) enum HeadNormWeights {
    None,
    /// `head_dim` values each.
    Each([Vec<f32>; 2]),
    /// The values of all query heads and of all key heads, padded like them.
    All([Vec<f32>; 2]),
}

impl HeadNormWeights {
    /// Returns the norms of a single head.
    pub(crate) fn each(&self) -> [Option<&[f32]>; 2] {
        match self {
            Self::Each([query, key]) => [Some(query), Some(key)],
            Self::None | Self::All(_) => [None; 2],
        }
    }

    /// Returns the norms of all heads together.
    pub(crate) fn all(&self) -> Option<[&[f32]; 2]> {
        match self {
            Self::All([query, key]) => Some([query, key]),
            Self::None | Self::Each(_) => None,
        }
    }
}

/// A loaded base model: frozen, packed for the kernels, shared by training and sampling.
pub struct BaseModel {
    /// Shape and constants of the model.
    pub config: ModelConfig,
    /// Number format of the linear maps' weights.
    pub format: WeightFormat,
    pub(crate) layout: Layout,
    /// A column for each token; `None` if the head's columns are the embedding.
    pub(crate) embedding: Option<Panels>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) final_norm: Vec<f32>,
    pub(crate) head: Linear,
    pub(super) held: HeldMatrices,
    /// Whether a matrix has another format, or perhaps other numbers, than packing its values would give it.
    pub(crate) has_other_formats: bool,
}

impl std::fmt::Debug for BaseModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BaseModel").field("config", &self.config).finish_non_exhaustive()
    }
}

impl BaseModel {
    /// Packs the matrices that are still in files. Chat and training may use the model meanwhile.
    pub fn pack_rest(&self, pool: &ComputePool) {
        let _share = pool.training();
        for linear in self.linears() {
            linear.forward.pack_rest(pool);
        }
        if let Some(embedding) = &self.embedding {
            embedding.pack_rest(pool);
        }
    }

    /// Writes the first layer's input for a token, padding included: its embedding, with the factor of the family.
    pub(crate) fn embed(&self, token: u32, row: &mut [f32]) {
        self.embedding.as_ref().unwrap_or(&self.head.forward).column(token as usize, row);
        if self.config.embedding_scale != 1.0 {
            row.iter_mut().for_each(|x| *x *= self.config.embedding_scale);
        }
    }

    /// Returns a norm of hidden rows.
    pub(crate) fn rms_norm<'a>(&self, weight: &'a [f32]) -> RmsNorm<'a> {
        RmsNorm { weight, width: self.config.hidden_size, eps: self.config.rms_norm_eps }
    }

    /// Frees the memory that only a backward pass through plain layers needs, until the next one.
    pub(crate) fn forget_backward(&mut self) {
        for layer in &mut self.layers {
            let gates = if let Mixer::Delta(delta) = &mut layer.mixer { Some(&mut delta.gates) } else { None };
            layer.attention.iter_mut().chain(gates).for_each(Linear::forget_backward);
            if let FeedForward::Dense(linears) = &mut layer.feed_forward {
                linears.iter_mut().for_each(Linear::forget_backward);
            }
        }
        self.head.forget_backward();
    }

    /// Returns all linear maps.
    pub(crate) fn linears(&self) -> impl Iterator<Item = &Linear> {
        self.layers.iter().flat_map(Layer::linears).chain([&self.head])
    }

    /// Returns the quantised matrices of the GGUF file that the model was read from, and how it holds them.
    pub fn held(&self) -> &HeldMatrices {
        &self.held
    }

    /// Returns the size of the packed weights, in bytes.
    pub fn bytes(&self) -> usize {
        self.linears().map(Linear::bytes).sum::<usize>() + self.embedding.as_ref().map_or(0, Panels::bytes)
    }
}
