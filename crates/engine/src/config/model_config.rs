//! Shape of a model, and its reading.

use serde_json::Value;

use super::convolution::ConvolutionConfig;
use super::delta::DeltaConfig;
use super::error::{ConfigError, MAX_DIMENSION, reject, require};
use super::experts::ExpertConfig;
use super::family::{Activation, AttentionBias, Family, HeadNorms, NormPlacement};
use super::fields::Fields;
use super::layer_kind::{self, LayerKind};
use super::quantisation::Quantisation;
use super::rope::{Rope, RopeScaling, Rotation};
use super::window::SlidingWindow;
use super::{convolution, delta, experts, family, quantisation, rope, text_part, window};

/// Shape and constants of a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelConfig {
    /// Kind of decoder. Its consequences are in the other fields.
    pub family: Family,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Number of decoder blocks.
    pub layers: usize,
    /// Number of query heads.
    pub heads: usize,
    /// Number of key and value heads, a divisor of `heads`.
    pub kv_heads: usize,
    /// Width of one head, an even number.
    pub head_dim: usize,
    /// Width of the feed-forward layer; beside experts that of the shared one, or of the layers without experts.
    pub intermediate_size: usize,
    /// Experts in place of the feed-forward layer, or beside it; `None` if no layer has any.
    pub experts: Option<ExpertConfig>,
    /// Layers with attention, in order; at least one. The others have a delta network or a convolution, of which a model has one kind.
    pub attention_layers: Vec<usize>,
    /// Gated delta networks in place of the attention; `None` if no layer has one.
    pub delta: Option<DeltaConfig>,
    /// Gated short convolutions in place of the attention; `None` if no layer has one.
    pub convolution: Option<ConvolutionConfig>,
    /// Whether the output of the attention has a gate. The query projection has its rows: for each head those of the query, then
    /// those of the gate.
    pub output_gate: bool,
    /// Number of tokens in the vocabulary, and of logits.
    pub vocab_size: usize,
    /// Epsilon that norms add to the mean square before the root.
    pub rms_norm_eps: f32,
    /// Whether the query, key and value projections add a bias.
    pub query_key_value_bias: bool,
    /// Whether the attention's output projection adds a bias.
    pub attention_output_bias: bool,
    /// Whether the gate, up and down projections add a bias.
    pub mlp_bias: bool,
    /// Norms of queries and keys.
    pub head_norms: HeadNorms,
    /// Position of the other norms of a layer.
    pub norm_placement: NormPlacement,
    /// Value added to every norm's weights.
    pub norm_offset: f32,
    /// Function of the gate in the feed-forward part.
    pub activation: Activation,
    /// Factor on embeddings as the first layer's input.
    pub embedding_scale: f32,
    /// Factor on the attention scores, which is applied to the queries.
    pub query_scale: f32,
    /// Whether query, key and value are one projection, and gate and up another, in this order of rows.
    pub joint_projections: bool,
    /// Width of the first part of each head that is rotated, an even number.
    pub rotated_dim: usize,
    /// Rotary embedding.
    pub rope: Rope,
    /// Rotary embedding of layers with a sliding window; `None` if it is the same.
    pub local_rope: Option<Rope>,
    /// Layers whose queries and keys are not rotated, in order (NoPE).
    pub layers_without_rope: Vec<usize>,
    /// Maximum sequence length in tokens.
    pub max_position_embeddings: usize,
    /// Sliding window; `None` if every layer attends to all tokens.
    pub sliding_window: Option<SlidingWindow>,
    /// Whether the output head is the transposed embedding.
    pub tie_word_embeddings: bool,
    /// Quantisation of the linear maps in the files; `None` if they are plain.
    pub quantisation: Option<Quantisation>,
    /// Whether the decoder is a part of a model that reads images or sound too. Its tensors, in files and adapters, have other
    /// names then.
    pub is_text_part: bool,
}

impl ModelConfig {
    /// Returns the number of tokens that a token attends to in a layer, itself included; the largest number for all.
    pub(crate) fn window_of(&self, layer: usize) -> usize {
        let window = self.sliding_window.as_ref();
        let window = window.filter(|window| window.full_layers.binary_search(&layer).is_err());
        window.map_or(usize::MAX, |window| window.tokens)
    }

    /// Returns the rotation of a layer.
    pub(crate) fn rotation_of(&self, layer: usize) -> Rotation {
        if self.layers_without_rope.binary_search(&layer).is_ok() {
            Rotation::None
        } else if self.local_rope.is_some() && self.window_of(layer) < usize::MAX {
            Rotation::Local
        } else {
            Rotation::Full
        }
    }

    /// Returns the experts of a layer; `None` if it has a plain feed-forward part.
    pub(crate) fn experts_of(&self, layer: usize) -> Option<&ExpertConfig> {
        self.experts.as_ref().filter(|experts| experts.dense_layers.binary_search(&layer).is_err())
    }

    /// Returns the kind of a layer.
    pub(crate) fn kind_of(&self, layer: usize) -> LayerKind {
        match self.attention_layers.binary_search(&layer) {
            Ok(_) => LayerKind::Attention,
            Err(_) if self.delta.is_some() => LayerKind::Delta,
            Err(_) => LayerKind::Convolution,
        }
    }

    /// Returns the kind of each layer.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = LayerKind> {
        (0..self.layers).map(|layer| self.kind_of(layer))
    }

    /// Returns the number of layers of a kind.
    pub(crate) fn layers_of(&self, kind: LayerKind) -> usize {
        let others = self.layers - self.attention_layers.len();
        match kind {
            LayerKind::Attention => self.attention_layers.len(),
            LayerKind::Delta => self.delta.as_ref().map_or(0, |_| others),
            LayerKind::Convolution => self.convolution.map_or(0, |_| others),
        }
    }

    /// Returns the index of a layer among those of its kind.
    pub(crate) fn index_in_kind(&self, layer: usize) -> usize {
        match self.attention_layers.binary_search(&layer) {
            Ok(index) => index,
            Err(before) => layer - before,
        }
    }

    /// Reads `config.json`. A field that the engine does not implement is an error with its name. An absent field has
    /// the default of `transformers`' configuration class of the family.
    pub fn from_json(json: &str) -> Result<Self, ConfigError> {
        Self::read(json, true)
    }

    /// Reads `config.json` of a model that other programs compute. Shapes are checked; of families and fields that concern
    /// the computation, more are accepted than by [`Self::from_json`].
    pub fn from_json_of_others(json: &str) -> Result<Self, ConfigError> {
        Self::read(json, false)
    }

    fn read(json: &str, is_computed_here: bool) -> Result<Self, ConfigError> {
        let document = serde_json::from_str(json)?;
        let Some(decoder) = text_part::decoder_config(&document)? else {
            return Self::read_decoder(&document, is_computed_here);
        };
        let config = Self::read_decoder(&decoder, is_computed_here).map_err(|error| error.inside(text_part::NAME))?;
        Ok(Self { is_text_part: true, ..config })
    }

    fn read_decoder(document: &Value, is_computed_here: bool) -> Result<Self, ConfigError> {
        let file = Fields::document(document)?;
        let model_type = file.text("model_type")?;
        let family = Family::ALL.into_iter().find(|family| Some(family.model_type()) == model_type);
        let family = family.ok_or_else(|| reject("model_type", model_type, family::SUPPORTED))?;
        let traits = family.traits();
        let quantisation = if is_computed_here {
            check_activation(&file, traits.activation)?;
            quantisation::read(&file)?
        } else {
            None
        };

        let hidden_size = file.count("hidden_size")?.unwrap_or(traits.hidden_size);
        let layers = file.count("num_hidden_layers")?.unwrap_or(traits.layers);
        let heads = file.count("num_attention_heads")?.unwrap_or(traits.heads);
        // Null means the number of query heads in every family.
        let absent = if file.has("num_key_value_heads") { None } else { traits.num_key_value_heads };
        let kv_heads = file.count("num_key_value_heads")?.or(absent).unwrap_or(heads);
        let intermediate_size = match traits.other_kind {
            LayerKind::Convolution => convolution::feed_forward(&file, traits.intermediate_size)?,
            _ => file.count(traits.intermediate_field)?.unwrap_or(traits.intermediate_size),
        };
        let vocab_size = file.count("vocab_size")?.unwrap_or(traits.vocab_size);
        let max_position_embeddings = file.count("max_position_embeddings")?.unwrap_or(traits.max_position_embeddings);
        for (field, value) in [
            ("max_position_embeddings", max_position_embeddings),
            ("hidden_size", hidden_size),
            ("num_hidden_layers", layers),
            ("num_attention_heads", heads),
            ("num_key_value_heads", kv_heads),
            (traits.intermediate_field, intermediate_size),
            ("vocab_size", vocab_size),
        ] {
            require((1..=MAX_DIMENSION).contains(&value), field, value, "it must lie from 1 to 1048576")?;
        }
        let head_dim = match file.count("head_dim")?.or(traits.head_dim) {
            Some(head_dim) => head_dim,
            None => {
                let reason = "it must be a multiple of num_attention_heads, or head_dim be given";
                require(hidden_size.is_multiple_of(heads), "hidden_size", hidden_size, reason)?;
                hidden_size / heads
            }
        };
        require((1..=MAX_DIMENSION).contains(&head_dim), "head_dim", head_dim, "it must lie from 1 to 1048576")?;
        require(heads * head_dim <= MAX_DIMENSION, "num_attention_heads", heads, "heads are too many")?;
        let divides = heads.is_multiple_of(kv_heads);
        require(divides, "num_key_value_heads", kv_heads, "it must divide num_attention_heads")?;
        require(head_dim.is_multiple_of(2), "head_dim", head_dim, "rotary embedding needs an even head_dim")?;
        let field = traits.eps_field;
        let eps = file.number(field)?.unwrap_or(traits.rms_norm_eps);
        require(eps > 0.0 && eps < 1.0, field, eps, "it must lie between 0 and 1")?;
        let layers_without_rope = match traits.lists_layers_without_rope {
            true => rope::layers_without_rope(&file, layers)?,
            false => Vec::new(),
        };
        let sliding_window = window::read(&file, family, layers, &layers_without_rope)?;
        let rotated_dim = rope::rotated_dim(&file, family, head_dim)?;
        let (rope, local_rope) = rope::read(&file, family, rotated_dim, max_position_embeddings)?;
        // `transformers` computes all keys of a sequence again when its length passes the limit of `longrope`. Here keys are
        // computed once, so sequences end at it. They end too where queries would have a scale of their own.
        let limit = match &rope.scaling {
            RopeScaling::LongRope { limit, .. } => Some(*limit),
            _ => rope::first_late_query(&file, family)?,
        };
        let max_position_embeddings = limit
            .filter(|_| is_computed_here)
            .map_or(max_position_embeddings, |limit| max_position_embeddings.min(limit));
        let query_scale = match traits.query_scalar {
            None => 1.0 / (head_dim as f32).sqrt(),
            Some(default) => {
                if is_computed_here {
                    check_logits(&file)?;
                }
                let field = "query_pre_attn_scalar";
                let scalar = file.number(field)?.unwrap_or(default);
                require(scalar >= 1.0, field, scalar, "it must be at least 1")?;
                scalar.powf(-0.5) as f32
            }
        };
        let embedding_scale = if traits.scales_embeddings { (hidden_size as f64).sqrt() as f32 } else { 1.0 };
        let experts = match traits.experts {
            Some(traits) => experts::read(&file, layers, traits)?,
            None => None,
        };
        let attention_layers = match traits.other_kind {
            // Their `layer_types` are those of windows.
            LayerKind::Attention => (0..layers).collect(),
            other => layer_kind::attention_layers(&file, layers, other)?,
        };
        let has_others = attention_layers.len() < layers;
        let has = |kind: LayerKind| has_others && traits.other_kind == kind;
        let delta = if has(LayerKind::Delta) { Some(delta::read(&file)?) } else { None };
        let convolution = if has(LayerKind::Convolution) { Some(convolution::read(&file)?) } else { None };
        if traits.output_gate {
            let field = "attn_output_gate";
            let has_gate = file.flag(field)?;
            require(has_gate != Some(false), field, has_gate, "the output of the attention has a gate")?;
        }
        let attention_bias = file.flag("attention_bias")?.unwrap_or(false);
        let mut tied = file.flag("tie_word_embeddings")?;
        if let Some(field) = traits.tie_field {
            tied = file.flag(field)?.or(tied);
        }
        // Like `transformers`, this ignores fields of other families. If they matter, the tensors in the file show it.
        let configured = attention_bias && traits.attention_bias == AttentionBias::Configured;
        Ok(Self {
            family,
            hidden_size,
            layers,
            heads,
            kv_heads,
            head_dim,
            intermediate_size,
            experts,
            attention_layers,
            delta,
            convolution,
            output_gate: traits.output_gate,
            vocab_size,
            rms_norm_eps: eps as f32,
            query_key_value_bias: configured || traits.attention_bias == AttentionBias::QueryKeyValue,
            attention_output_bias: configured,
            mlp_bias: traits.mlp_bias && file.flag("mlp_bias")?.unwrap_or(false),
            head_norms: traits.head_norms,
            norm_placement: traits.norm_placement,
            norm_offset: traits.norm_offset,
            activation: traits.activation,
            embedding_scale,
            query_scale,
            joint_projections: traits.joint_projections,
            rotated_dim,
            local_rope: local_rope.filter(|local| *local != rope),
            rope,
            layers_without_rope,
            max_position_embeddings,
            sliding_window,
            tie_word_embeddings: tied.unwrap_or(traits.tie_word_embeddings),
            quantisation,
            is_text_part: false,
        })
    }
}

/// Checks that the activation of the feed-forward part is that of the family.
fn check_activation(file: &Fields<'_>, activation: Activation) -> Result<(), ConfigError> {
    let (field, names, reason) = match activation {
        Activation::Silu => ("hidden_act", &["silu", "swish"][..], "the activation is silu"),
        Activation::GeluTanh => {
            ("hidden_activation", &["gelu_pytorch_tanh"][..], "the activation is gelu_pytorch_tanh")
        }
    };
    let name = file.text(field)?;
    require(name.is_none_or(|name| names.contains(&name)), field, name, reason)
}

/// Checks that the attention's and the model's logits are plain.
fn check_logits(file: &Fields<'_>) -> Result<(), ConfigError> {
    for field in ["attn_logit_softcapping", "final_logit_softcapping"] {
        require(file.get(field).is_none(), field, file.get(field), "logits are not capped")?;
    }
    let field = "use_bidirectional_attention";
    let both = file.flag(field)?;
    require(both != Some(true), field, both, "a token attends to those before it")
}
