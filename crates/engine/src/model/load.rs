//! Loading of a base model: reads safetensors or GGUF and packs the tensors into panels.

use std::sync::Arc;

use super::axis::Axis;
use super::columns::SideBySide;
use super::held::HeldMatrices;
use super::layout::{Fused, LAYER_NORMS, LayerNorm, Layout, Projection};
use super::weights::{BaseModel, Choice, Experts, FeedForward, HeadNormWeights, Layer, Linear};
use crate::config::{ExpertConfig, HeadNorms, ModelConfig};
use crate::files::{EMBEDDING, FINAL_NORM, HEAD, LoadError, Matrix, Tensors};
use crate::kernels::{Bits, ComputePool, MatrixFormat, Panels, WeightFormat};

impl BaseModel {
    /// Packs the tensors of `shards` (file name, bytes of a safetensors or GGUF file) in a number format. Norms stay f32.
    /// An embedding that is not also the head stays as the file has it: in f32, in eight, six or four bits, or in bf16 with
    /// zeros for numbers below 2^-56 in magnitude; of other quantised types it takes the format of the head. In four bits,
    /// matrices that a GGUF file has in more keep six or eight. [`BaseModel::held`] says what became of quantised matrices.
    pub fn load(
        config_json: &str,
        shards: &[(&str, &[u8])],
        format: WeightFormat,
        pool: &ComputePool,
    ) -> Result<Arc<Self>, LoadError> {
        Self::load_shape(ModelConfig::from_json(config_json)?, shards, format, pool)
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
        tensors: Tensors<'_>,
        format: WeightFormat,
        pool: &ComputePool,
    ) -> Result<Arc<Self>, LoadError> {
        let layout = Layout::new(&config).with_weights(format);
        let (held, has_other_formats) = (HeldMatrices::default(), false);
        let mut loader = Loader { config: &config, layout: &layout, tensors, format, pool, held, has_other_formats };
        let mut layers = Vec::new(); // Grown on demand: the stated count is not yet checked against the files.
        for layer in 0..config.layers {
            layers.push(loader.layer(layer)?);
        }
        let final_norm = loader.norm(FINAL_NORM, layout.hidden)?;
        let keeps_head = |stored| format == WeightFormat::Int4 && stored == MatrixFormat::Int6;
        let name = if config.tie_word_embeddings { EMBEDDING } else { HEAD };
        let head = loader.vocabulary(name, format.head(), &keeps_head, Reads::All)?;
        loader.has_other_formats |= head.forward.format() != format.head().into();
        let embedding = if config.tie_word_embeddings {
            None
        } else {
            let [rows, columns] = [layout.vocab.len(), layout.hidden.len()];
            let is_quantised = loader.tensors.matrix(EMBEDDING, rows, columns)?.quantised_type().is_some();
            let computed = if is_quantised { format.head() } else { WeightFormat::F32 };
            let embedding = loader.vocabulary(EMBEDDING, computed, &|_| true, Reads::Parts)?.forward;
            loader.has_other_formats |= computed != WeightFormat::F32 && embedding.format() == computed.into();
            Some(embedding)
        };
        let Loader { tensors, held, has_other_formats, .. } = loader;
        tensors.finish(&config)?;
        Ok(Arc::new(Self { config, format, layout, embedding, layers, final_norm, head, held, has_other_formats }))
    }
}

/// Tensors of a model, and what is needed to pack them.
struct Loader<'a, 'b> {
    config: &'a ModelConfig,
    layout: &'a Layout,
    tensors: Tensors<'b>,
    format: WeightFormat,
    pool: &'a ComputePool,
    held: HeldMatrices,
    /// As in [`BaseModel`].
    has_other_formats: bool,
}

impl Loader<'_, '_> {
    fn layer(&mut self, index: usize) -> Result<Layer, LoadError> {
        let (config, layout, prefix) = (self.config, self.layout, format!("model.layers.{index}"));
        let attention = [self.fused(&prefix, Fused::QueryKeyValue)?, self.fused(&prefix, Fused::Output)?];
        let feed_forward = match config.experts_of(index) {
            None => FeedForward::Dense([self.fused(&prefix, Fused::GateUp)?, self.fused(&prefix, Fused::Down)?]),
            Some(experts) => FeedForward::Experts(self.experts(&prefix, experts)?),
        };
        let mut norm = |name: &str, axis: Axis| self.norm(&format!("{prefix}.{name}.weight"), axis);
        let mut norms = [const { None }; LAYER_NORMS];
        for which in LayerNorm::ALL {
            if let Some(name) = which.name(config.norm_placement) {
                norms[which as usize] = Some(norm(name, layout.hidden)?);
            }
        }
        let head_norms = match layout.head_norms {
            None => HeadNormWeights::None,
            Some([query, key]) => {
                let weights = [norm("self_attn.q_norm", query)?, norm("self_attn.k_norm", key)?];
                if config.head_norms == HeadNorms::All {
                    HeadNormWeights::All(weights)
                } else {
                    HeadNormWeights::Each(weights)
                }
            }
        };
        let (rotation, window) = (config.rotation_of(index), config.window_of(index));
        Ok(Layer { attention, feed_forward, norms, head_norms, rotation, window })
    }

    /// Returns a vector, padded like the axis.
    fn vector(&mut self, name: &str, axis: Axis) -> Result<Vec<f32>, LoadError> {
        let mut padded = vec![0.0; axis.padded_len()];
        axis.spread(&self.tensors.vector(name, axis.len())?, &mut padded);
        Ok(padded)
    }

    fn norm(&mut self, name: &str, axis: Axis) -> Result<Vec<f32>, LoadError> {
        let mut weights = self.vector(name, axis)?;
        let offset = self.config.norm_offset;
        if offset != 0.0 {
            (0..axis.len()).for_each(|index| weights[axis.padded_index(index)] += offset);
        }
        Ok(weights)
    }

    fn fused(&mut self, prefix: &str, fused: Fused) -> Result<Linear, LoadError> {
        let (layout, projections) = (self.layout, fused.projections(self.layout));
        let name = |projection: &Projection, kind| {
            (format!("{prefix}.{}.{kind}", projection.name()), projection.output(layout))
        };
        let weights: Vec<_> = projections.iter().map(|projection| name(projection, "weight")).collect();
        let mut linear = self.linear(fused.input(layout), &weights, Reads::All)?;
        if projections[0].has_bias(self.config) {
            let columns = linear.bias.insert(Vec::with_capacity(fused.columns(layout)));
            for projection in projections {
                let (name, output) = name(projection, "bias");
                columns.extend(self.vector(&name, output)?);
            }
        }
        Ok(linear)
    }

    fn experts(&mut self, prefix: &str, config: &ExpertConfig) -> Result<Experts, LoadError> {
        let ExpertConfig { count, per_token, intermediate_size, normalises_weights, .. } = *config;
        let (hidden, inner) = (self.layout.hidden, Axis::new(1, intermediate_size));
        let router = [(format!("{prefix}.mlp.gate.weight"), Axis::new(1, count))];
        let router = self.linear_in(WeightFormat::F32, hidden, &router, Reads::All)?;
        let mut linears = Vec::new(); // Grown on demand, as the layers are.
        for expert in 0..count {
            let name = |part: &str| format!("{prefix}.mlp.experts.{expert}.{part}.weight");
            let gate_up = [(name("gate_proj"), inner), (name("up_proj"), inner)];
            let gate_up = self.linear(hidden, &gate_up, Reads::Parts)?;
            let down = self.linear(inner, &[(name("down_proj"), hidden)], Reads::Parts)?;
            linears.push([gate_up, down]);
        }
        Ok(Experts { router, linears, choice: Choice { count, per_token, normalises_weights } })
    }

    /// Loads the embedding or the head. It stays in the format of the file if `keeps` says so of that.
    fn vocabulary(
        &mut self,
        name: &str,
        computed: WeightFormat,
        keeps: &dyn Fn(MatrixFormat) -> bool,
        reads: Reads,
    ) -> Result<Linear, LoadError> {
        let Layout { hidden, vocab, .. } = *self.layout;
        let stored = self.tensors.matrix(name, vocab.len(), hidden.len())?.stored();
        let kept = stored.map(|(format, _)| format).filter(|format| keeps(*format));
        // Weights in bf16 stay so even if they cannot be moved, as those of padded columns.
        let computed = if kept == Some(MatrixFormat::Bf16) { WeightFormat::Bf16 } else { computed };
        let formats = Formats { stored: kept.unwrap_or(computed.into()), computed };
        self.linear_in(formats, hidden, &[(name.to_owned(), vocab)], reads)
    }

    /// Loads matrices as [`Loader::linear_in`], in the format of the model. Four bits take no quantised weights for which the
    /// file has more: such a map has six bits if the file has all of its weights so, and else eight.
    fn linear(&mut self, input: Axis, outputs: &[(String, Axis)], reads: Reads) -> Result<Linear, LoadError> {
        let mut matrices = Vec::new();
        for (name, output) in outputs {
            matrices.push(self.tensors.matrix(name, output.len(), input.len())?);
        }
        let exceeds = |matrix: &Matrix<'_>| matrix.quantised_type().is_some_and(|kind| kind.exceeds(Bits::Four));
        let in_six = |matrix: &Matrix<'_>| matrix.stored().is_some_and(|(format, _)| format == MatrixFormat::Int6);
        let formats = if self.format != WeightFormat::Int4 || !matrices.iter().any(exceeds) {
            self.format.into()
        } else {
            self.has_other_formats = true;
            let stored = if matrices.iter().all(in_six) { MatrixFormat::Int6 } else { MatrixFormat::Int8 };
            Formats { stored, computed: WeightFormat::Int8 }
        };
        self.linear_in(formats, input, outputs, reads)
    }

    /// Loads matrices with the same input, side by side. Each has the name of its tensor and an output.
    fn linear_in(
        &mut self,
        formats: impl Into<Formats>,
        input: Axis,
        outputs: &[(String, Axis)],
        reads: Reads,
    ) -> Result<Linear, LoadError> {
        let Formats { stored: format, computed } = formats.into();
        let (tensors, pool) = (&mut self.tensors, self.pool);
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
        let stored = stored.collect::<Option<Vec<_>>>();
        let is_moved = stored.is_some();
        let panels = if let Some(stored) = stored {
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
        for (matrix, width) in matrices.iter().zip(&widths) {
            if let Some(kind) = matrix.quantised_type() {
                self.held.add(
                    kind.name,
                    is_moved,
                    panels.format(),
                    [matrix.bytes(), panels.format().packed_bytes(input.padded_len(), *width)],
                );
            }
        }
        drop(matrices);
        tensors.mark_read(&outputs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
        Ok(Linear::new(panels))
    }
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
