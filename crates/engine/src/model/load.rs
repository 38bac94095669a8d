//! Loading of a base model: reads safetensors or GGUF and packs the tensors into panels.

use std::sync::Arc;

use super::axis::Axis;
use super::columns::SideBySide;
use super::held::HeldMatrices;
use super::layout::{
    ConvolutionLayout, DeltaLayout, Fused, KEY_NORM, LAYER_NORMS, LayerNorm, Layout, Projection, QUERY_NORM,
};
use super::parameters::{ConvolutionPart, DeltaPart};
use super::weights::{
    BaseModel, Choice, ConvolutionWeights, DeltaWeights, Experts, FeedForward, HeadNormWeights, Layer, Linear, Mixer,
    SharedExpert,
};
use crate::config::{ExpertConfig, HeadNorms, LayerKind, ModelConfig};
use crate::files::{EMBEDDING, FINAL_NORM, FileRows, HEAD, LoadError, Matrix, SHARED_GATE, Tensors};
use crate::kernels::{BlockFormat, ComputePool, MatrixFormat, Panels, Segment, WeightFormat};

impl BaseModel {
    /// Packs the tensors of `shards` (file name, bytes of a safetensors or GGUF file) in a number format. Norms stay f32.
    /// An embedding that is not also the head stays as the file has it: in f32, in blocks of a kernel, or in bf16 with
    /// zeros for numbers below 2^-56 in magnitude; of other quantised types it takes the format of the head. In four bits,
    /// matrices that a GGUF file has in more keep six or eight. In the format of the file, each matrix keeps its own; of files
    /// without quantised weights it is that of [`BaseModel::format`]. [`BaseModel::held`] says what became of quantised matrices.
    pub fn load(
        config_json: &str,
        shards: &[(&str, &[u8])],
        format: WeightFormat,
        pool: &ComputePool,
    ) -> Result<Arc<Self>, LoadError> {
        let config = ModelConfig::from_json(config_json)?;
        let tensors = Tensors::of_files(&config, shards)?;
        let format = tensors.format(format);
        Self::pack(config, tensors, format, pool)
    }

    /// Like [`BaseModel::load`], for a known shape, and in this format whatever the files are.
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
        let (held, has_other_formats) = (HeldMatrices::default(), format == WeightFormat::File);
        let mut loader = Loader { config: &config, layout: &layout, tensors, format, pool, held, has_other_formats };
        let mut layers = Vec::new(); // Grown on demand: the stated count is not yet checked against the files.
        for layer in 0..config.layers {
            layers.push(loader.layer(layer)?);
        }
        let final_norm = loader.norm(config.family.name_of(FINAL_NORM), layout.hidden)?;
        let keeps_head = |stored| match format {
            WeightFormat::Int4 => stored == MatrixFormat::INT6,
            other => other == WeightFormat::File,
        };
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
        let kind = config.kind_of(index);
        let [input, output] = match kind {
            LayerKind::Attention => [Fused::QueryKeyValue, Fused::Output],
            LayerKind::Delta => [Fused::DeltaInput, Fused::DeltaOutput],
            LayerKind::Convolution => [Fused::ConvolutionInput, Fused::ConvolutionOutput],
        };
        let attention = [self.fused(&prefix, input)?, self.fused(&prefix, output)?];
        let mixer = match (kind, layout.delta, layout.convolution) {
            (LayerKind::Delta, Some(delta), _) => Mixer::Delta(self.delta(&prefix, &delta)?),
            (LayerKind::Convolution, _, Some(convolution)) => {
                Mixer::Convolution(self.short_convolution(&prefix, &convolution)?)
            }
            _ => Mixer::Attention,
        };
        let feed_forward = match config.experts_of(index) {
            None => FeedForward::Dense([self.fused(&prefix, Fused::GateUp)?, self.fused(&prefix, Fused::Down)?]),
            Some(experts) => FeedForward::Experts(self.experts(&prefix, experts)?),
        };
        let mut norm = |name: &str, axis: Axis| self.norm(&format!("{prefix}.{name}.weight"), axis);
        let mut norms = [const { None }; LAYER_NORMS];
        for which in LayerNorm::ALL {
            if let Some(name) = which.name(config) {
                norms[which as usize] = Some(norm(name, layout.hidden)?);
            }
        }
        let head_norms = match layout.head_norms.filter(|_| kind == LayerKind::Attention) {
            None => HeadNormWeights::None,
            Some([query, key]) => {
                let weights =
                    [norm(config.family.name_of(QUERY_NORM), query)?, norm(config.family.name_of(KEY_NORM), key)?];
                if config.head_norms == HeadNorms::All {
                    HeadNormWeights::All(weights)
                } else {
                    HeadNormWeights::Each(weights)
                }
            }
        };
        let (rotation, window) = (config.rotation_of(index), config.window_of(index));
        Ok(Layer { attention, mixer, feed_forward, norms, head_norms, rotation, window })
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
            (format!("{prefix}.{}.{kind}", projection.name(layout.family)), projection.output(layout))
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

    /// Loads a delta network, without the projections of its input and output.
    fn delta(&mut self, prefix: &str, layout: &DeltaLayout) -> Result<DeltaWeights, LoadError> {
        let name = |part: DeltaPart| format!("{prefix}.{}", part.name());
        let projections = Fused::DeltaGates.projections(self.layout);
        let gates = projections
            .iter()
            .map(|projection| (format!("{prefix}.{}.weight", projection.name(self.layout.family)), layout.heads));
        let formats = Formats::uniform(WeightFormat::F32, projections.len());
        let gates = self.linear_in(formats, self.layout.hidden, &gates.collect::<Vec<_>>(), Reads::All)?;
        let convolution = self.convolution(&name(DeltaPart::Convolution), layout.mixed, layout.taps.len())?;
        let decay = [
            self.vector(&name(DeltaPart::DecayLog), layout.heads)?,
            self.vector(&name(DeltaPart::DecayBias), layout.heads)?,
        ];
        let norm = self.vector(&name(DeltaPart::Norm), layout.head)?;
        Ok(DeltaWeights { gates, convolution, decay, norm })
    }

    /// Loads a short convolution, without the projections of its input and output.
    fn short_convolution(&mut self, prefix: &str, layout: &ConvolutionLayout) -> Result<ConvolutionWeights, LoadError> {
        let name = |part: ConvolutionPart| format!("{prefix}.{}", part.name());
        let weights = self.convolution(&name(ConvolutionPart::Weights), layout.channels, layout.taps.len())?;
        let bias = match Projection::ConvolutionInput.has_bias(self.config) {
            true => Some(self.vector(&name(ConvolutionPart::Bias), layout.channels)?),
            false => None,
        };
        Ok(ConvolutionWeights { weights, bias })
    }

    /// Returns the weights of a convolution, `[taps][values]`.
    fn convolution(&mut self, name: &str, values: Axis, taps: usize) -> Result<Vec<f32>, LoadError> {
        let read = self.tensors.finite_values(name, &[values.len(), 1, taps])?;
        let mut weights = vec![0.0; taps * values.padded_len()];
        for (value, row) in read.chunks_exact(taps).enumerate() {
            for (tap, weight) in row.iter().enumerate() {
                weights[tap * values.padded_len() + values.padded_index(value)] = *weight;
            }
        }
        Ok(weights)
    }

    fn experts(&mut self, prefix: &str, config: &ExpertConfig) -> Result<Experts, LoadError> {
        let ExpertConfig { count, per_token, intermediate_size, normalises_weights, has_shared, .. } = *config;
        let (hidden, inner) = (self.layout.hidden, Axis::new(1, intermediate_size));
        let router = [(format!("{prefix}.mlp.gate.weight"), Axis::new(1, count))];
        let router = self.linear_in(Formats::uniform(WeightFormat::F32, 1), hidden, &router, Reads::All)?;
        let mut linears = Vec::new(); // Grown on demand, as the layers are.
        for expert in 0..count {
            let name = |part: &str| format!("{prefix}.mlp.experts.{expert}.{part}.weight");
            let gate_up = [(name("gate_proj"), inner), (name("up_proj"), inner)];
            let gate_up = self.linear(hidden, &gate_up, Reads::Parts)?;
            let down = self.linear(inner, &[(name("down_proj"), hidden)], Reads::Parts)?;
            linears.push([gate_up, down]);
        }
        let shared = if has_shared {
            let linears = [self.fused(prefix, Fused::GateUp)?, self.fused(prefix, Fused::Down)?];
            let gate = [(format!("{prefix}.{SHARED_GATE}.weight"), Axis::new(1, 1))];
            let gate = self.linear_in(Formats::uniform(WeightFormat::F32, 1), hidden, &gate, Reads::All)?;
            Some(SharedExpert { linears, gate })
        } else {
            None
        };
        Ok(Experts { router, linears, choice: Choice { count, per_token, normalises_weights }, shared })
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
        let matrix = self.tensors.matrix(name, vocab.len(), hidden.len())?;
        let kept = matrix.stored().map(|(format, _)| format).filter(|format| keeps(*format));
        let computed = match kept {
            // Weights in bf16 stay so even if they cannot be moved, as those of padded columns.
            Some(MatrixFormat::Bf16) => WeightFormat::Bf16,
            _ if self.format == WeightFormat::File && matrix.quantised_type().is_some() => WeightFormat::Int8,
            _ => computed,
        };
        let formats = Formats { stored: vec![kept.unwrap_or(computed.into())], computed };
        self.linear_in(formats, hidden, &[(name.to_owned(), vocab)], reads)
    }

    /// Loads matrices as [`Loader::linear_in`], in the format of the model. Four bits take no quantised weights for which the
    /// file has more: such a map has six bits if the file has all of its weights so, and else eight. In the format of the file, those
    /// beside quantised ones that have no kernel have eight.
    fn linear(&mut self, input: Axis, outputs: &[(String, Axis)], reads: Reads) -> Result<Linear, LoadError> {
        let mut matrices = Vec::new();
        for (name, output) in outputs {
            matrices.push(self.tensors.matrix(name, output.len(), input.len())?);
        }
        let exceeds = |matrix: &Matrix<'_>| matrix.quantised_type().is_some_and(|kind| kind.exceeds(BlockFormat::Q4_0));
        let in_six = |matrix: &Matrix<'_>| matrix.stored().is_some_and(|(format, _)| format == MatrixFormat::INT6);
        let in_blocks = |matrix: &Matrix<'_>| {
            let stored = matrix.stored().map(|(format, _)| format);
            stored.filter(|format| format.blocks().is_some()).unwrap_or(MatrixFormat::INT8)
        };
        let formats = match self.format {
            WeightFormat::Int4 if matrices.iter().any(exceeds) => {
                self.has_other_formats = true;
                let stored = if matrices.iter().all(in_six) { MatrixFormat::INT6 } else { MatrixFormat::INT8 };
                Formats { stored: vec![stored; matrices.len()], computed: WeightFormat::Int8 }
            }
            WeightFormat::File if matrices.iter().any(|matrix| matrix.quantised_type().is_some()) => {
                Formats { stored: matrices.iter().map(in_blocks).collect(), computed: WeightFormat::Int8 }
            }
            format => Formats::uniform(format, matrices.len()),
        };
        self.linear_in(formats, input, outputs, reads)
    }

    /// Loads matrices with the same input, side by side. Each has the name of its tensor and an output.
    fn linear_in(
        &mut self,
        formats: Formats,
        input: Axis,
        outputs: &[(String, Axis)],
        reads: Reads,
    ) -> Result<Linear, LoadError> {
        let (tensors, pool) = (&mut self.tensors, self.pool);
        let mut matrices = Vec::new();
        for (name, output) in outputs {
            matrices.push(tensors.matrix(name, output.len(), input.len())?);
        }
        let axes = outputs.iter().map(|(_, output)| *output);
        let widths: Vec<usize> = axes.clone().map(Axis::padded_len).collect();
        let segments: Vec<Segment> = widths.iter().copied().zip(formats.stored.iter().copied()).collect();
        // Weights that the file has in these formats and order are moved, not computed.
        let moved: Vec<_> = matrices
            .iter()
            .zip(&formats.stored)
            .map(|(matrix, format)| {
                let (stored, rows) = matrix.stored()?;
                (stored == *format && input.is_plain()).then_some(rows)
            })
            .collect();
        let all_moved = moved.iter().all(Option::is_some);
        let is_mixed = self.format == WeightFormat::File
            && formats.computed == WeightFormat::Int8
            && moved.iter().any(Option::is_some);
        if tensors.files.is_empty() || reads == Reads::Parts || !all_moved {
            for ((matrix, rows), format) in matrices.iter().zip(&moved).zip(&formats.stored) {
                rows.iter().for_each(|rows| matrix.check_stored(pool, *format, *rows));
            }
        }
        // Packing their values might give other numbers.
        self.has_other_formats |=
            moved.iter().zip(&formats.stored).any(|(rows, format)| rows.is_some() && format.blocks().is_some());
        let nothing = FileRows { data: &[][..], row_bytes: 0, order: None };
        let stored = SideBySide::new(axes.clone().zip(moved.iter().map(|rows| rows.unwrap_or(nothing))));
        let columns = SideBySide::new(axes.zip(&matrices));
        let fill = |column: usize, values: &mut [f32]| {
            let Some((matrix, row)) = columns.row(column) else { return };
            if input.is_plain() {
                matrix.read_row(row, values);
            } else {
                let mut packed = vec![0.0; input.len()];
                matrix.read_row(row, &mut packed);
                input.spread(&packed, values);
            }
        };
        let panels = if all_moved {
            match stored.in_files(&tensors.files) {
                Some(stored) => Panels::in_file(input.len(), &segments, Arc::new(stored)),
                None => Panels::pack_stored(pool, input.len(), &segments, &stored),
            }
        } else if is_mixed {
            let is_stored = |column| columns.matrix(column).is_some_and(|matrix| moved[matrix].is_some());
            Panels::pack_mixed(pool, input.len(), &segments, &stored, &is_stored, &fill)
        } else {
            Panels::pack(pool, formats.computed, input.padded_len(), &widths, &fill)
        };
        for (matrix, (name, _)) in matrices.iter().zip(outputs) {
            matrix.check_finite(name)?;
        }
        for ((matrix, (width, format)), rows) in matrices.iter().zip(&segments).zip(&moved) {
            let format = if all_moved || is_mixed { *format } else { panels.format() };
            // Of other types, those that are rounded.
            let is_exact = all_moved || is_mixed && rows.is_some() || format == MatrixFormat::F32;
            let kind = matrix.gguf_type().filter(|kind| kind.is_quantised() || !is_exact);
            if let Some(kind) = kind {
                let bytes = [matrix.bytes(), format.packed_bytes(input.padded_len(), *width)];
                self.held.add(kind.name, is_exact, format, bytes);
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

/// Formats of matrices: for each that of weights which are moved if the file has them so, and that of others, which are computed.
struct Formats {
    stored: Vec<MatrixFormat>,
    computed: WeightFormat,
}

impl Formats {
    /// Returns one format for all of `count` matrices.
    fn uniform(format: WeightFormat, count: usize) -> Self {
        Self { stored: vec![format.into(); count], computed: format }
    }
}
