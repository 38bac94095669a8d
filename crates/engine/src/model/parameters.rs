//! Parameters of a model, by Hugging Face's names.

use super::axis::Axis;
use super::layout::{ConvolutionLayout, KEY_NORM, LayerNorm, Layout, Projection, QUERY_NORM};
use crate::config::{LayerKind, ModelConfig};
use crate::files::{EMBEDDING, FINAL_NORM, HEAD};

/// Role of a parameter in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Embedding, and the head if it is tied.
    Embedding,
    Head,
    FinalNorm,
    /// Parameter of a layer.
    Layer(usize, LayerPart),
}

/// A parameter of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerPart {
    Norm(LayerNorm),
    QueryNorm,
    KeyNorm,
    Weight(Projection),
    Bias(Projection),
    /// A part of a delta network beside its projections.
    Delta(DeltaPart),
    /// A part of a short convolution beside its projections.
    Convolution(ConvolutionPart),
}

/// A parameter of a short convolution that is no projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConvolutionPart {
    /// `[values, 1, taps]`.
    Weights,
    Bias,
}

impl ConvolutionPart {
    /// Returns the name within a layer.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Weights => "conv.conv.weight",
            Self::Bias => "conv.conv.bias",
        }
    }
}

/// A parameter of a delta network that is no projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeltaPart {
    /// Weights of the convolution, `[values, 1, taps]`.
    Convolution,
    /// Logarithm of each head's factor on the decay.
    DecayLog,
    /// Value that is added to each head's decay before the softplus.
    DecayBias,
    /// Weights of the output's norm, which have no offset.
    Norm,
}

impl DeltaPart {
    pub(crate) const ALL: [Self; 4] = [Self::Convolution, Self::DecayLog, Self::DecayBias, Self::Norm];

    /// Returns the name within a layer.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Convolution => "linear_attn.conv1d.weight",
            Self::DecayLog => "linear_attn.A_log",
            Self::DecayBias => "linear_attn.dt_bias",
            Self::Norm => "linear_attn.norm.weight",
        }
    }
}

/// A trained tensor: a vector, a matrix `[out, in]`, or the weights of a convolution.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) role: Role,
    /// Layout of a matrix's rows in its gradient; `None` for a vector.
    pub(crate) rows: Option<Axis>,
    /// Layout of a row's values in its gradient.
    pub(crate) columns: Axis,
}

impl Parameter {
    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the number of values of a row; a vector is one row.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Returns whether weight decay applies: to matrices, not to norms and biases.
    pub(crate) fn decays(&self) -> bool {
        self.rows.is_some()
    }

    /// Returns the number of values of the gradient, padding included.
    pub(crate) fn padded_len(&self) -> usize {
        self.rows.map_or(1, Axis::padded_len) * self.columns.padded_len()
    }

    /// Returns the offset of a row's gradient.
    pub(crate) fn gradient_row(&self, row: usize) -> usize {
        self.rows.map_or(0, |rows| rows.padded_index(row)) * self.columns.padded_len()
    }
}

/// Returns all parameters of a model, in an order that depends on its shape only.
pub(crate) fn parameters(config: &ModelConfig) -> Vec<Parameter> {
    let layout = Layout::new(config);
    let vector = |name: String, role: Role, columns: Axis| Parameter {
        name,
        shape: vec![columns.len()],
        role,
        rows: None,
        columns,
    };
    let matrix = |name: String, role: Role, rows: Axis, columns: Axis| Parameter {
        name,
        shape: vec![rows.len(), columns.len()],
        role,
        rows: Some(rows),
        columns,
    };
    let mut all = vec![matrix(EMBEDDING.to_owned(), Role::Embedding, layout.vocab, layout.hidden)];
    for layer in 0..config.layers {
        let prefix = format!("model.layers.{layer}");
        let kind = config.kind_of(layer);
        let mut norm = |name: &str, part: LayerPart, columns: Axis| {
            all.push(vector(format!("{prefix}.{name}.weight"), Role::Layer(layer, part), columns));
        };
        for which in LayerNorm::ALL {
            if let Some(name) = which.name(config) {
                norm(name, LayerPart::Norm(which), layout.hidden);
            }
            if which == LayerNorm::Attention
                && kind == LayerKind::Attention
                && let Some([query, key]) = layout.head_norms
            {
                norm(config.family.name_of(QUERY_NORM), LayerPart::QueryNorm, query);
                norm(config.family.name_of(KEY_NORM), LayerPart::KeyNorm, key);
            }
        }
        for projection in Projection::ALL.into_iter().filter(|projection| projection.is_in(config, kind)) {
            let (input, output) = (projection.input(&layout), projection.output(&layout));
            let name = format!("{prefix}.{}", projection.name(config.family));
            let role = Role::Layer(layer, LayerPart::Weight(projection));
            all.push(matrix(format!("{name}.weight"), role, output, input));
            if projection.has_bias(config) {
                all.push(vector(format!("{name}.bias"), Role::Layer(layer, LayerPart::Bias(projection)), output));
            }
        }
        let convolution = |name, role, values: Axis, taps: Axis| {
            let parameter = matrix(name, role, values, taps);
            Parameter { shape: vec![values.len(), 1, taps.len()], ..parameter }
        };
        if let Some(ConvolutionLayout { channels, taps, .. }) =
            layout.convolution.filter(|_| kind == LayerKind::Convolution)
        {
            let named = |part: ConvolutionPart| {
                (format!("{prefix}.{}", part.name()), Role::Layer(layer, LayerPart::Convolution(part)))
            };
            let (name, role) = named(ConvolutionPart::Weights);
            all.push(convolution(name, role, channels, taps));
            if Projection::ConvolutionInput.has_bias(config) {
                let (name, role) = named(ConvolutionPart::Bias);
                all.push(vector(name, role, channels));
            }
        }
        let Some(delta) = layout.delta.filter(|_| kind == LayerKind::Delta) else { continue };
        for part in DeltaPart::ALL {
            let (name, role) = (format!("{prefix}.{}", part.name()), Role::Layer(layer, LayerPart::Delta(part)));
            all.push(match part {
                DeltaPart::Convolution => convolution(name, role, delta.mixed, delta.taps),
                DeltaPart::DecayLog | DeltaPart::DecayBias => vector(name, role, delta.heads),
                DeltaPart::Norm => vector(name, role, delta.head),
            });
        }
    }
    all.push(vector(config.family.name_of(FINAL_NORM).to_owned(), Role::FinalNorm, layout.hidden));
    if !config.tie_word_embeddings {
        all.push(matrix(HEAD.to_owned(), Role::Head, layout.vocab, layout.hidden));
    }
    all
}
