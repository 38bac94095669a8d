//! GGUF files of models and adapters: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, version 3.

use trainyard_gguf::{ALIGNMENT, MetadataValue, WrittenTensor};

use super::architecture;
use super::merged::{MergedModel, MergedTensor};
use super::rows::{Rows, Source};
use super::tensor_file::{Tensor, TensorFile};
use super::{ElementType, ExportError};
use crate::config::ModelConfig;
use crate::files::{DECAY_LOG, EMBEDDING, HEAD, ggml_name, has_norm_offset, orders};
use crate::lora::{Adapter, each_factor, parameter_name};
use crate::model::Layout;

/// Metadata of a GGUF file, in the order of the file.
pub(super) type Metadata = Vec<(String, MetadataValue)>;

/// A tensor with its name and its shape.
struct Named<'a> {
    name: String,
    shape: Vec<usize>,
    tensor: Tensor<'a>,
}

/// Returns a file of tensors.
fn file<'a>(name: String, metadata: &[(String, MetadataValue)], tensors: Vec<Named<'a>>) -> TensorFile<'a> {
    let written = tensors.iter().map(|Named { name, shape, tensor }| WrittenTensor {
        name,
        shape,
        element: tensor.element.ggml_type(),
        bytes: tensor.bytes(),
    });
    let head = trainyard_gguf::head(metadata, MetadataValue::write, written);
    TensorFile::new(name, head, tensors.into_iter().map(|named| named.tensor).collect(), ALIGNMENT)
}

impl<'a> MergedModel<'a> {
    /// Returns the model as a GGUF file. `metadata` is added to that of the architecture.
    ///
    /// # Errors
    /// llama.cpp's architecture lacks a part of the model, or computes it differently.
    pub fn gguf(
        &self,
        name: String,
        element: ElementType,
        metadata: impl IntoIterator<Item = (String, MetadataValue)>,
    ) -> Result<TensorFile<'a>, ExportError> {
        let mut all = architecture::metadata(&self.config, &self.document)?;
        all.push(("general.file_type".to_owned(), MetadataValue::U32(element.ggml_file_type())));
        if element.is_quantised() {
            all.push(("general.quantization_version".to_owned(), MetadataValue::U32(2)));
        }
        all.extend(metadata);
        let mut tensors = Vec::new();
        for (name, values) in architecture::rope_factors(&self.config, &self.document)? {
            let (shape, width) = (vec![values.len()], values.len());
            let tensor = Tensor { element: ElementType::F32, parts: vec![Rows::of_values(values, width)] };
            tensors.push(Named { name: name.to_owned(), shape, tensor });
        }
        for tensor in &self.tensors {
            let rows = self.ggml_rows(tensor)?;
            match expert(&tensor.name) {
                // The matrices of all experts are one tensor.
                Some((name, number)) if number > 0 => {
                    let name = self.ggml_name(&name)?;
                    if let Some(Named { shape, tensor, .. }) = tensors.iter_mut().rev().find(|named| named.name == name)
                    {
                        tensor.parts.push(rows);
                        shape[0] += 1;
                    }
                }
                expert => {
                    // A convolution of single channels has no dimension for them.
                    let mut shape = match tensor.shape[..] {
                        [values, 1, taps] => vec![values, taps],
                        _ => tensor.shape.clone(),
                    };
                    let name = self.ggml_name(&expert.map_or(tensor.name.clone(), |(name, _)| {
                        shape.insert(0, 1);
                        name
                    }))?;
                    let element = self.ggml_element(tensor, element);
                    tensors.push(Named { name, shape, tensor: Tensor { element, parts: vec![rows] } });
                }
            }
        }
        Ok(file(name, &all, tensors))
    }

    fn ggml_name(&self, name: &str) -> Result<String, ExportError> {
        ggml_name(name, &self.config).ok_or_else(|| ExportError::NoGguf(format!("llama.cpp has no tensor {name}")))
    }

    /// Returns the element type of a tensor: as llama.cpp's converter chooses, f32 for all that is no matrix, and for the maps
    /// that choose experts and that give a single number.
    fn ggml_element(&self, tensor: &MergedTensor, element: ElementType) -> ElementType {
        let head = if self.config.tie_word_embeddings { EMBEDDING } else { HEAD };
        match &tensor.shape[..] {
            [rows, width] if *rows > 1 && !tensor.name.ends_with(".mlp.gate.weight") => match element {
                // Every token's probability depends on each of these weights.
                ElementType::Q4_0 if tensor.name == head => ElementType::Q8_0.for_width(*width),
                ElementType::Q4K if tensor.name == head || self.has_more_bits(&tensor.name) => {
                    ElementType::Q6K.for_width(*width)
                }
                element => element.for_width(*width),
            },
            _ => ElementType::F32,
        }
    }

    /// Returns whether a matrix has six bits beside others of four, as llama-quantize chooses: half of the values and of the
    /// outputs of feed-forward layers, and joint queries, keys and values.
    fn has_more_bits(&self, name: &str) -> bool {
        let Some((layer, part)) = name.strip_prefix("model.layers.").and_then(|rest| rest.split_once('.')) else {
            return false;
        };
        let (Ok(layer), eighth) = (layer.parse::<usize>(), self.config.layers / 8) else { return false };
        let is_chosen = layer < eighth || layer >= 7 * self.config.layers / 8 || (layer - eighth) % 3 == 2;
        match part {
            "self_attn.v_proj.weight" => is_chosen,
            "self_attn.qkv_proj.weight" => true,
            part => is_chosen && ["down_proj.weight", "feed_forward.w2.weight"].iter().any(|end| part.ends_with(end)),
        }
    }

    /// Returns the rows of a tensor in the order of llama.cpp.
    fn ggml_rows(&self, tensor: &MergedTensor) -> Result<Rows<'a>, ExportError> {
        let mut rows = self.rows(tensor)?;
        if has_norm_offset(&tensor.name) {
            rows.offset = self.config.norm_offset;
        }
        let vector = |rows: &Rows<'a>| {
            let Source::File { name, matrix, .. } = &rows.source else { return Ok(Vec::new()) };
            let mut values = vec![0.0; rows.width];
            matrix.read_row(0, &mut values);
            matrix.check_finite(name).map(|()| values)
        };
        if tensor.name.ends_with(DECAY_LOG) {
            let factors: Vec<f32> = vector(&rows)?.into_iter().map(|log| -log.exp()).collect();
            rows = Rows::of_values(factors, rows.width);
        }
        let [order, columns] = orders(&tensor.name, &self.config);
        // The elements of a bias are the rows.
        if order.is_some() && tensor.shape.len() == 1 {
            rows = Rows::of_values(vector(&rows)?, 1);
        }
        Ok(Rows { order, columns, ..rows })
    }
}

/// Splits the name of an expert's matrix into that of all experts' matrices and the number of the expert.
fn expert(name: &str) -> Option<(String, usize)> {
    let (layer, rest) = name.split_once(".experts.")?;
    let (number, part) = rest.split_once('.')?;
    Some((format!("{layer}.experts.{part}"), number.parse().ok()?))
}

/// Returns an adapter as llama.cpp's GGUF file, which is used beside that of its base model. `metadata` is added to that of the
/// adapter.
///
/// # Errors
/// The adapter is of another model.
pub fn adapter_gguf<'a>(
    name: String,
    config: &ModelConfig,
    adapter: &'a Adapter,
    element: ElementType,
    metadata: impl IntoIterator<Item = (String, MetadataValue)>,
) -> Result<TensorFile<'a>, ExportError> {
    if !adapter.fits(config) {
        return Err(ExportError::Adapter);
    }
    let (options, layout) = (adapter.options(), Layout::new(config));
    // llama.cpp divides by the rank, also if the adapter divides by its root.
    let alpha = adapter.scale() * options.rank as f32;
    let text = |text: &str| MetadataValue::Text(text.to_owned());
    let mut all: Metadata = [
        ("general.architecture", text(config.family.traits().gguf_architecture)),
        ("general.type", text("adapter")),
        ("adapter.type", text("lora")),
        ("adapter.lora.alpha", MetadataValue::F32(alpha)),
        ("general.file_type", MetadataValue::U32(element.ggml_file_type())),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .to_vec();
    all.extend(metadata);
    let mut tensors = Vec::new();
    for (layer, projection, side, values) in each_factor(&adapter.layers) {
        let named = format!("model.{}.weight", parameter_name(layer, projection, config.family));
        let ggml = ggml_name(&named, config);
        let ggml = ggml.ok_or_else(|| ExportError::NoGguf(format!("llama.cpp has no tensor {named}")))?;
        let (name, width) = match side {
            'A' => (format!("{ggml}.lora_a"), projection.input(&layout).len()),
            _ => (format!("{ggml}.lora_b"), options.rank),
        };
        let rows = Rows::of_values(&values[..], width);
        let [order, columns] = orders(&named, config);
        let (order, columns) = if side == 'A' { (None, columns) } else { (order, None) };
        let (shape, rows) = (vec![rows.rows, width], Rows { order, columns, ..rows });
        let element = element.for_width(width);
        tensors.push(Named { name, shape, tensor: Tensor { element, parts: vec![rows] } });
    }
    Ok(file(name, &all, tensors))
}
