//! Reader of GGUF files: names, shapes and element types of tensors, in the names that Hugging Face gives them.
//!
//! The header is read by [`trainyard_gguf`]. Shape and constants of the model are given, whether they come from `config.json` or
//! from the metadata; here only the architecture is read, because llama.cpp reorders the query and key rows of some.

use std::collections::HashMap;

use trainyard_gguf::{Header, HeaderError, TensorInfo, Value};

use super::element_types::ElementType;
use super::experts::{MAX_EXPERTS, experts_of};
use super::names::{CONVOLUTIONS, DECAY_LOG, SHARED_GATE, has_norm_offset, hugging_face_name};
use super::order::{Order, orders};
use super::rows::FileRows;
use crate::config::ModelConfig;
use crate::kernels::MatrixFormat;

/// Error of a GGUF file that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum GgufError {
    #[error("the file ends in the middle of {0}")]
    Short(String),
    #[error("GGUF version {0}; versions 2 and 3 in little-endian order are read")]
    Version(u32),
    #[error("general.architecture is {found:?}; a model with model_type {model_type} has {expected:?}")]
    Architecture {
        /// Architecture of the file; empty if it has none.
        found: String,
        model_type: &'static str,
        expected: &'static str,
    },
    /// A number in the header is impossible.
    #[error("{0}")]
    Header(String),
    #[error(
        "tensor {name} has element type {number}, which is not known; update, or write the file again with llama-quantize of a \
         current llama.cpp"
    )]
    ElementType {
        name: String,
        /// Number of the type, as in `ggml.h`.
        number: u32,
    },
    /// The tensor has no counterpart among those of supported models.
    #[error("tensor {0} is not part of a model that can be read from GGUF")]
    Tensor(String),
}

impl From<HeaderError> for GgufError {
    fn from(error: HeaderError) -> Self {
        match error {
            HeaderError::Short(part) => Self::Short(part),
            HeaderError::Version(version) => Self::Version(version),
            HeaderError::Invalid(reason) => Self::Header(reason),
        }
    }
}

/// A tensor of a GGUF file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tensor<'a> {
    pub(super) element: &'static ElementType,
    rows: FileRows<&'a [u8]>,
    width: usize,
    /// Order of the values of a row in the file, if it is another.
    columns: Option<Order>,
    /// Value that is subtracted: llama.cpp stores a norm's weights as they are applied.
    offset: f32,
    /// Factor of all values, which files in NVFP4 have beside a matrix.
    factor: f32,
    /// Whether the file has `-exp(x)` for each value x.
    is_negative_power: bool,
}

impl<'a> Tensor<'a> {
    /// Returns the number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.data.len()
    }

    /// Returns the rows and their format if the file has them in the form of [`StoredColumns`](crate::kernels::StoredColumns).
    pub(crate) fn stored(&self) -> Option<(MatrixFormat, FileRows<&'a [u8]>)> {
        self.element
            .format
            .filter(|_| self.offset == 0.0 && self.factor == 1.0 && self.columns.is_none())
            .map(|format| (format, self.rows))
    }

    /// Reads a row as f32.
    pub(crate) fn read_row(&self, row: usize, values: &mut [f32]) {
        let values = &mut values[..self.width];
        (self.element.read)(self.rows.row(row), values);
        if let Some(order) = self.columns {
            let stored = values.to_vec();
            values.iter_mut().enumerate().for_each(|(index, value)| *value = stored[order.stored(index)]);
        }
        if self.offset != 0.0 {
            values.iter_mut().for_each(|value| *value -= self.offset);
        }
        if self.factor != 1.0 {
            values.iter_mut().for_each(|value| *value *= self.factor);
        }
        if self.is_negative_power {
            values.iter_mut().for_each(|value| *value = (-*value).ln());
        }
    }
}

/// Returns the layer of a tensor, by llama.cpp's name.
fn layer_of(name: &str) -> Option<usize> {
    name.strip_prefix("blk.")?.split('.').next()?.parse().ok()
}

/// Returns shape and content of each tensor of a model by the name that Hugging Face gives it.
pub(crate) fn read<'a>(
    file: &'a [u8],
    config: &ModelConfig,
) -> Result<HashMap<String, (Vec<usize>, Tensor<'a>)>, GgufError> {
    let traits = config.family.traits();
    let Header { metadata, mut tensors, data: start } = Header::read(file)?;
    let architecture = match metadata.get("general.architecture") {
        Some(Value::Text(text)) => text,
        _ => "",
    };
    // Of a model in several files, the first has the metadata.
    let is_later = metadata.get("split.no").and_then(Value::as_count).is_some_and(|number| number > 0);
    let expected = traits.gguf_architecture;
    if architecture != expected && !(is_later && architecture.is_empty()) {
        let (found, model_type) = (architecture.to_owned(), config.family.model_type());
        return Err(GgufError::Architecture { found, model_type, expected });
    }
    let (mut found, mut factors) = (HashMap::new(), HashMap::new());
    // Factors come first, by the name of their matrix.
    tensors.sort_by_key(|tensor| !tensor.name.ends_with(".scale"));
    for TensorInfo { name, shape, element: number, offset } in tensors {
        if matches!(name, "rope_freqs.weight" | "rope_factors_long.weight" | "rope_factors_short.weight") {
            continue; // part of the configuration
        }
        if name.ends_with(".input_scale") {
            continue; // of quantised activations, which the engine does not have
        }
        if !traits.other_parts.is_empty() && layer_of(name).is_some_and(|layer| layer >= config.layers) {
            continue; // of a head that predicts later tokens
        }
        let element =
            ElementType::of_number(number).ok_or_else(|| GgufError::ElementType { name: name.to_owned(), number })?;
        let ElementType { elements, bytes, .. } = *element;
        let width = shape.last().copied().unwrap_or(1);
        if width == 0 || !width.is_multiple_of(elements) {
            return Err(GgufError::Header(format!(
                "rows of tensor {name} have {width} elements, no multiple of {elements}"
            )));
        }
        let data = shape
            .iter()
            .try_fold(1, |product: usize, size| product.checked_mul(*size))
            .and_then(|count| (count / elements).checked_mul(bytes))
            .and_then(|size| file.get(start.checked_add(offset)?..)?.get(..size))
            .ok_or_else(|| GgufError::Short(format!("tensor {name}")))?;
        if let Some(matrix) = name.strip_suffix(".scale") {
            let mut values = vec![0.0; data.len() / bytes * elements];
            (element.read)(data, &mut values);
            factors.insert(matrix, values);
            continue;
        }
        let offset = if has_norm_offset(name) { config.norm_offset } else { 0.0 };
        let named = hugging_face_name(name, config).ok_or_else(|| GgufError::Tensor(name.to_owned()))?;
        let [order, columns] = orders(&named, config);
        // A bias is one row, and its elements are reordered; no supported model has one.
        if order.is_some() && shape.len() != 2 {
            return Err(GgufError::Tensor(name.to_owned()));
        }
        if order.is_some_and(|order| !order.is_of(shape[0])) || columns.is_some_and(|order| !order.is_of(width)) {
            return Err(GgufError::Header(format!("tensor {name} has no whole heads")));
        }
        let is_negative_power = named.ends_with(DECAY_LOG);
        // Hugging Face has the convolution of each value as one of a single channel.
        let shape = match shape[..] {
            [values, taps] if CONVOLUTIONS.iter().any(|name| named.ends_with(name)) => vec![values, 1, taps],
            // A matrix of one row may be a vector there.
            [width] if named.strip_suffix(".weight").is_some_and(|name| name.ends_with(SHARED_GATE)) => vec![1, width],
            _ => shape,
        };
        // The matrices of all experts are one tensor.
        let parts = match (&shape[..], named.split_once(".experts.")) {
            (&[experts, rows, columns], Some((layer, part))) if !data.is_empty() && experts <= MAX_EXPERTS => {
                experts_of(layer, part, [experts, rows, columns], data)
            }
            (_, None) => vec![(named, shape, data)],
            _ => return Err(GgufError::Header(format!("tensor {name} has the shape {shape:?}, not one of experts"))),
        };
        let factors = name.strip_suffix(".weight").and_then(|matrix| factors.remove(matrix));
        let factors = factors.unwrap_or_else(|| vec![1.0; parts.len()]);
        if factors.len() != parts.len() {
            let found = factors.len();
            return Err(GgufError::Header(format!("tensor {name} has {found} factors for {} matrices", parts.len())));
        }
        let row_bytes = width / elements * bytes;
        for ((named, shape, data), factor) in parts.into_iter().zip(factors) {
            let rows = FileRows { data, row_bytes, order };
            if found
                .insert(named, (shape, Tensor { element, rows, width, columns, offset, factor, is_negative_power }))
                .is_some()
            {
                return Err(GgufError::Header(format!("tensor {name} is there twice")));
            }
        }
    }
    match factors.into_keys().min() {
        Some(matrix) => Err(GgufError::Tensor(format!("{matrix}.scale"))),
        None => Ok(found),
    }
}
