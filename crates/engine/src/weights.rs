//! Frozen base model: reads safetensors or GGUF and packs the tensors into panels.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::decode::check_logits;
use super::experts::Choice;
use super::file_columns::SideBySide;
use super::kernels::{MatrixFormat, Panels, WeightFormat};
use super::layout::{Axis, Fused, LAYER_NORMS, LayerNorm, Layout, Projection};
use super::rotary::Rotation;
pub use super::tensors::LoadError;
use super::tensors::{EMBEDDING, HEAD, Tensors};
use super::{ComputePool, ExpertConfig, HeadNorms, ModelConfig};

/// A frozen linear map, packed for the forward pass and, after the first backward pass, also transposed.
pub(crate) struct Linear {
    pub(crate) forward: Panels,
    backward: OnceLock<Panels>,
    /// Bias, one value for each column.
    pub(crate) bias: Option<Vec<f32>>,
}

impl Linear {
    fn new(forward: Panels, bias: Option<Vec<f32>>) -> Self {
        Self { forward, backward: OnceLock::new(), bias }
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
    /// Query, key and value projections, and output projection.
    attention: [Linear; 2],
    pub(crate) feed_forward: FeedForward,
    /// Norms of hidden rows, in the order of [`LayerNorm::ALL`]; `None` for those that the family lacks.
    norms: [Option<Vec<f32>>; LAYER_NORMS],
    pub(crate) head_norms: HeadNormWeights,
    /// Rotation of queries and keys.
    pub(crate) rotation: Rotation,
    /// Number of tokens that a token attends to, itself included.
    pub(crate) window: usize,
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
}

impl Layer {
    /// Returns a fused linear map.
    ///
    /// # Panics
    /// If it is part of the experts.
    pub(crate) fn linear(&self, fused: Fused) -> &Linear {
        match (fused, &self.feed_forward) {
            (Fused::QueryKeyValue, _) => &self.attention[0],
            (Fused::Output, _) => &self.attention[1],
            (Fused::GateUp, FeedForward::Dense(linears)) => &linears[0],
            (Fused::Down, FeedForward::Dense(linears)) => &linears[1],
            (Fused::GateUp | Fused::Down, FeedForward::Experts(_)) => unreachable!("experts have their own maps"),
        }
    }

    /// Returns all linear maps.
    fn linears(&self) -> impl Iterator<Item = &Linear> {
        let (plain, experts) = match &self.feed_forward {
            FeedForward::Dense(linears) => (&linears[..], None),
            FeedForward::Experts(experts) => (&[][..], Some(experts)),
        };
        let experts = experts.into_iter().flat_map(|experts| experts.linears.iter().flatten().chain([&experts.router]));
        self.attention.iter().chain(plain).chain(experts)
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
}

impl std::fmt::Debug for BaseModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BaseModel").field("config", &self.config).finish_non_exhaustive()
    }
}

impl BaseModel {
    /// Packs the tensors of `shards` (file name, bytes of a safetensors or GGUF file) in a number format. Norms stay f32. An
    /// embedding that is not also the head stays as the file has it: in f32, in eight, six or four bits, or in bf16 with zeros for
    /// numbers below 2^-56 in magnitude.
    pub fn load(
        config_json: &str,
        shards: &[(&str, &[u8])],
        format: WeightFormat,
        pool: &ComputePool,
    ) -> Result<Arc<Self>, LoadError> {
        Self::load_shape(ModelConfig::from_json(config_json)?, shards, format, pool)
    }

    /// Like [`BaseModel::load`] with [`check_logits`], but leaves the matrices that a file has in this format there until
    /// [`BaseModel::pack_rest`]: the model can be used at once, with the same results, and more slowly. Calls `progress` with
    /// (bytes of tensors found so far, bytes of tensors in all files).
    ///
    /// # Errors
    /// The errors of those functions.
    pub fn load_lazily(
        config_json: &str,
        files: &[(String, Bytes)],
        format: WeightFormat,
        pool: &Arc<ComputePool>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Arc<Self>, LoadError> {
        let config = ModelConfig::from_json(config_json)?;
        let shards: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        let mut tensors = Tensors::of_files(&config, &shards)?;
        tensors.files = files.iter().map(|(_, bytes)| bytes.clone()).collect();
        tensors.progress = Some(progress);
        let base = Self::pack(config, tensors, format, pool)?;
        // This reads all weights, and so finds those that are not finite.
        let logits = check_logits(pool, &base);
        if !base.linears().all(|linear| linear.forward.is_finite()) {
            // The weight is named.
            Self::load(config_json, &shards, format, pool)?;
        }
        logits.map(|()| base)
    }

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

    /// Like [`BaseModel::load`], for a known shape.
    ///
    /// # Errors
    /// The errors of that function.
    pub fn load_shape(
        config: ModelConfig,
        shards: &[(&str, &[u8])],
        format: WeightFormat,
        pool: &ComputePool,
    ) -> Result<Arc<Self>, LoadError> {
        let tensors = Tensors::of_files(&config, shards)?;
        Self::pack(config, tensors, format, pool)
    }

    /// Packs the tensors of a model, all of which must be used.
    pub(crate) fn pack(
        config: ModelConfig,
        mut tensors: Tensors<'_>,
        format: WeightFormat,
        pool: &ComputePool,
    ) -> Result<Arc<Self>, LoadError> {
        let layout = Layout::new(&config).with_weights(format);
        let hidden = config.hidden_size;
        let mut layers = Vec::new(); // Grown on demand: the stated count is not yet checked against the files.
        for layer in 0..config.layers {
            let prefix = format!("model.layers.{layer}");
            let mut fused = |fused| load_fused(&mut tensors, pool, format, &config, &layout, &prefix, fused);
            let attention = [fused(Fused::QueryKeyValue)?, fused(Fused::Output)?];
            let feed_forward = match config.experts_of(layer) {
                None => FeedForward::Dense([fused(Fused::GateUp)?, fused(Fused::Down)?]),
                Some(experts) => {
                    FeedForward::Experts(load_experts(&mut tensors, pool, format, experts, &layout, &prefix)?)
                }
            };
            let norm = |tensors: &mut Tensors<'_>, name: &str, axis: Axis| {
                load_norm(tensors, &config, &format!("{prefix}.{name}.weight"), axis)
            };
            let mut norms = [const { None }; LAYER_NORMS];
            for which in LayerNorm::ALL {
                if let Some(name) = which.name(config.norm_placement) {
                    norms[which as usize] = Some(norm(&mut tensors, name, layout.hidden)?);
                }
            }
            let mut head_norms = |query: Axis, key: Axis| {
                let query = norm(&mut tensors, "self_attn.q_norm", query)?;
                Ok::<_, LoadError>([query, norm(&mut tensors, "self_attn.k_norm", key)?])
            };
            let head_norms = match config.head_norms {
                HeadNorms::None => HeadNormWeights::None,
                HeadNorms::Each => HeadNormWeights::Each(head_norms(layout.head, layout.head)?),
                HeadNorms::All => HeadNormWeights::All(head_norms(layout.query, layout.kv)?),
            };
            let (rotation, window) = (config.rotation_of(layer), config.window_of(layer));
            layers.push(Layer { attention, feed_forward, norms, head_norms, rotation, window });
        }
        let final_norm = load_norm(&mut tensors, &config, "model.norm.weight", layout.hidden)?;
        let mut vocabulary =
            |name: &str, computed: WeightFormat, keeps: &dyn Fn(MatrixFormat) -> bool, reads: Reads| {
                let stored = tensors.matrix(name, config.vocab_size, hidden)?.stored();
                let kept = stored.map(|(format, _)| format).filter(|format| keeps(*format));
                // Weights in bf16 stay so even if they cannot be moved, as those of padded columns.
                let computed = if kept == Some(MatrixFormat::Bf16) { WeightFormat::Bf16 } else { computed };
                let formats = Formats { stored: kept.unwrap_or(computed.into()), computed };
                load_linear(&mut tensors, pool, formats, layout.hidden, &[(name.to_owned(), layout.vocab)], reads)
            };
        let keeps_head = |stored| format == WeightFormat::Int4 && stored == MatrixFormat::Int6;
        let name = if config.tie_word_embeddings { EMBEDDING } else { HEAD };
        let head = vocabulary(name, format.head(), &keeps_head, Reads::All)?;
        let embedding = if config.tie_word_embeddings {
            None
        } else {
            Some(vocabulary(EMBEDDING, WeightFormat::F32, &|_| true, Reads::Parts)?.forward)
        };
        tensors.finish(&config)?;
        Ok(Arc::new(Self { config, format, layout, embedding, layers, final_norm, head }))
    }

    /// Writes the first layer's input for a token, padding included: its embedding, with the factor of the family.
    pub(crate) fn embed(&self, token: u32, row: &mut [f32]) {
        match &self.embedding {
            Some(embedding) => embedding.exact_column(token as usize, row),
            None => self.head.forward.column(token as usize, row),
        }
        if self.config.embedding_scale != 1.0 {
            row.iter_mut().for_each(|x| *x *= self.config.embedding_scale);
        }
    }

    /// Frees the memory that only a backward pass through plain layers needs, until the next one.
    pub(crate) fn forget_backward(&mut self) {
        for layer in &mut self.layers {
            layer.attention.iter_mut().for_each(Linear::forget_backward);
            if let FeedForward::Dense(linears) = &mut layer.feed_forward {
                linears.iter_mut().for_each(Linear::forget_backward);
            }
        }
        self.head.forget_backward();
    }

    /// Returns all linear maps.
    fn linears(&self) -> impl Iterator<Item = &Linear> {
        self.layers.iter().flat_map(Layer::linears).chain([&self.head])
    }

    /// Returns the size of the packed weights, in bytes.
    pub fn bytes(&self) -> usize {
        self.linears().map(Linear::bytes).sum::<usize>() + self.embedding.as_ref().map_or(0, Panels::bytes)
    }
}

fn load_norm(tensors: &mut Tensors<'_>, config: &ModelConfig, name: &str, axis: Axis) -> Result<Vec<f32>, LoadError> {
    let mut weights = tensors.axis(name, axis)?;
    if config.norm_offset != 0.0 {
        (0..axis.len()).for_each(|index| weights[axis.place(index)] += config.norm_offset);
    }
    Ok(weights)
}

fn load_fused(
    tensors: &mut Tensors<'_>,
    pool: &ComputePool,
    format: WeightFormat,
    config: &ModelConfig,
    layout: &Layout,
    prefix: &str,
    fused: Fused,
) -> Result<Linear, LoadError> {
    let name = |projection: &Projection| (format!("{prefix}.{}", projection.name()), projection.output(layout));
    let parts: Vec<_> = fused.projections(layout).iter().map(name).collect();
    let weights: Vec<_> = parts.iter().map(|(name, output)| (format!("{name}.weight"), *output)).collect();
    let mut linear = load_linear(tensors, pool, format, fused.input(layout), &weights, Reads::All)?;
    let biased = match fused {
        Fused::QueryKeyValue => config.query_key_value_bias,
        Fused::Output => config.attention_output_bias,
        Fused::GateUp | Fused::Down => config.mlp_bias,
    };
    if biased {
        let columns = linear.bias.insert(Vec::with_capacity(fused.columns(layout)));
        for (name, output) in &parts {
            columns.extend(tensors.axis(&format!("{name}.bias"), *output)?);
        }
    }
    Ok(linear)
}

fn load_experts(
    tensors: &mut Tensors<'_>,
    pool: &ComputePool,
    format: WeightFormat,
    config: &ExpertConfig,
    layout: &Layout,
    prefix: &str,
) -> Result<Experts, LoadError> {
    let ExpertConfig { count, per_token, intermediate_size, normalises_weights, .. } = *config;
    let (hidden, inner) = (layout.hidden, Axis::new(1, intermediate_size));
    let router = [(format!("{prefix}.mlp.gate.weight"), Axis::new(1, count))];
    let router = load_linear(tensors, pool, WeightFormat::F32, hidden, &router, Reads::All)?;
    let mut linears = Vec::new(); // Grown on demand, as the layers are.
    for expert in 0..count {
        let name = |part: &str| format!("{prefix}.mlp.experts.{expert}.{part}.weight");
        let gate_up = [(name("gate_proj"), inner), (name("up_proj"), inner)];
        let gate_up = load_linear(tensors, pool, format, hidden, &gate_up, Reads::Parts)?;
        let down = load_linear(tensors, pool, format, inner, &[(name("down_proj"), hidden)], Reads::Parts)?;
        linears.push([gate_up, down]);
    }
    Ok(Experts { router, linears, choice: Choice { count, per_token, normalises_weights } })
}

/// Weights of a map that a forward pass reads.
#[derive(Clone, Copy, PartialEq)]
enum Reads {
    /// Every weight, so that the first pass finds those that are not finite.
    All,
    Parts,
}

/// Formats of matrices: that of weights which are moved if the file has them so, and that of others, which are computed.
struct Formats {
    stored: MatrixFormat,
    computed: WeightFormat,
}

impl From<WeightFormat> for Formats {
    fn from(format: WeightFormat) -> Self {
        Self { stored: format.into(), computed: format }
    }
}

/// Loads matrices with the same input, side by side. Each has the name of its tensor and an output.
fn load_linear(
    tensors: &mut Tensors<'_>,
    pool: &ComputePool,
    formats: impl Into<Formats>,
    input: Axis,
    outputs: &[(String, Axis)],
    reads: Reads,
) -> Result<Linear, LoadError> {
    let Formats { stored: format, computed } = formats.into();
    let mut matrices = Vec::new();
    for (name, output) in outputs {
        matrices.push(tensors.matrix(name, output.len(), input.len())?);
    }
    let axes = outputs.iter().map(|(_, output)| *output);
    let widths: Vec<usize> = axes.clone().map(Axis::padded_len).collect();
    // Weights that the file has in this format and order are moved, not computed.
    let stored = matrices.iter().map(|matrix| {
        let (stored, rows) = matrix.stored()?;
        (stored == format && input.is_plain()).then_some(rows)
    });
    let panels = if let Some(stored) = stored.collect::<Option<Vec<_>>>() {
        if tensors.files.is_empty() || reads == Reads::Parts {
            matrices.iter().zip(&stored).for_each(|(matrix, rows)| matrix.check_stored(pool, format, *rows));
        }
        let columns = SideBySide::new(axes.zip(stored));
        match columns.in_files(&tensors.files) {
            Some(columns) => Panels::in_file(format, input.len(), &widths, Arc::new(columns)),
            None => Panels::pack_stored(pool, format, input.len(), &widths, &columns),
        }
    } else {
        let columns = SideBySide::new(axes.zip(&matrices));
        Panels::pack(pool, computed, input.padded_len(), &widths, &|column, values| {
            let Some((matrix, row)) = columns.row(column) else { return };
            if input.is_plain() {
                matrix.read_row(row, values);
            } else {
                let mut packed = vec![0.0; input.len()];
                matrix.read_row(row, &mut packed);
                input.spread(&packed, values);
            }
        })
    };
    for (matrix, (name, _)) in matrices.iter().zip(outputs) {
        matrix.check_finite(name)?;
    }
    drop(matrices);
    tensors.mark_read(&outputs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    Ok(Linear::new(panels, None))
}
