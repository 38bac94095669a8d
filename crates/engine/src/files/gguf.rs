//! Reader of GGUF files: names, shapes and element types of tensors, in the names that Hugging Face gives them.
//!
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3, little-endian. Shape and constants
//! of the model come from `config.json`; of the metadata only the architecture is read, because llama.cpp reorders the
//! query and key rows of some.

use std::collections::HashMap;

use super::elements::{read_bf16, read_f16, read_f32};
use super::names::hugging_face_name;
use super::rows::FileRows;
use crate::config::ModelConfig;
use crate::kernels::{Bits, MatrixFormat, read_blocks};

/// First bytes of a GGUF file.
const MAGIC: &[u8; 4] = b"GGUF";
/// Alignment of tensors unless the metadata says otherwise.
const ALIGNMENT: usize = 32;
/// Maximum number of tensors, and of metadata entries.
const MAX_COUNT: u64 = 256 * 1024;

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
    #[error("tensor {name} has element type {number}; {types} are read", types = type_names())]
    ElementType {
        name: String,
        /// Number of the type, as in `ggml.h`.
        number: u32,
    },
    /// The tensor has no counterpart among those of supported models.
    #[error("tensor {0} is not part of a model that can be read from GGUF")]
    Tensor(String),
}

/// An element type that is read. A matrix in a format that the kernels have is moved into panels; others are read as f32.
#[derive(Debug)]
struct ElementType {
    name: &'static str,
    /// Number of the type, as in `ggml.h`.
    number: u32,
    /// Number of elements of a block.
    elements: usize,
    /// Size in bytes of a block.
    bytes: usize,
    /// Format of matrices whose files have this form (see [`StoredColumns`](crate::kernels::StoredColumns)).
    format: Option<MatrixFormat>,
    /// Reads a row as f32.
    read: fn(&[u8], &mut [f32]),
}

/// Element types that are read.
static TYPES: [ElementType; 6] = [
    ElementType { name: "F32", number: 0, elements: 1, bytes: 4, format: None, read: read_f32 },
    ElementType { name: "F16", number: 1, elements: 1, bytes: 2, format: None, read: read_f16 },
    ElementType { name: "BF16", number: 30, elements: 1, bytes: 2, format: Some(MatrixFormat::Bf16), read: read_bf16 },
    ElementType::grouped("Q8_0", 8, Bits::Eight, MatrixFormat::Int8, |row, values| {
        read_blocks(Bits::Eight, row, values)
    }),
    ElementType::grouped("Q4_0", 2, Bits::Four, MatrixFormat::Int4, |row, values| read_blocks(Bits::Four, row, values)),
    ElementType::grouped("Q6_K", 14, Bits::Six, MatrixFormat::Int6, |row, values| read_blocks(Bits::Six, row, values)),
];

impl ElementType {
    const fn grouped(
        name: &'static str,
        number: u32,
        bits: Bits,
        format: MatrixFormat,
        read: fn(&[u8], &mut [f32]),
    ) -> Self {
        let layout = bits.layout();
        Self { name, number, elements: layout.file_weights, bytes: layout.file_bytes, format: Some(format), read }
    }
}

impl PartialEq for ElementType {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// Returns the names of all types, for a message.
fn type_names() -> String {
    let names = TYPES.each_ref().map(|element| element.name).join(", ");
    names.rsplit_once(", ").map_or_else(String::new, |(all, last)| format!("{all} and {last}"))
}

/// A tensor of a GGUF file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tensor<'a> {
    element: &'static ElementType,
    rows: FileRows<&'a [u8]>,
    width: usize,
    /// Value that is subtracted: llama.cpp stores a norm's weights as they are applied.
    offset: f32,
}

impl<'a> Tensor<'a> {
    /// Returns the number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.data.len()
    }

    /// Returns the rows and their format if the file has them in the form of [`StoredColumns`](crate::kernels::StoredColumns).
    pub(crate) fn stored(&self) -> Option<(MatrixFormat, FileRows<&'a [u8]>)> {
        self.element.format.filter(|_| self.offset == 0.0).map(|format| (format, self.rows))
    }

    /// Reads a row as f32.
    pub(crate) fn read_row(&self, row: usize, values: &mut [f32]) {
        let values = &mut values[..self.width];
        (self.element.read)(self.rows.row(row), values);
        if self.offset != 0.0 {
            values.iter_mut().for_each(|value| *value -= self.offset);
        }
    }
}

/// Returns whether a file begins as GGUF.
pub(crate) fn is_gguf(file: &[u8]) -> bool {
    file.starts_with(MAGIC)
}

/// Returns shape and content of each tensor of a model by the name that Hugging Face gives it.
pub(crate) fn read<'a>(
    file: &'a [u8],
    config: &ModelConfig,
) -> Result<HashMap<String, (Vec<usize>, Tensor<'a>)>, GgufError> {
    let (traits, head_dim) = (config.family.traits(), config.head_dim);
    let mut header = Reader { file, at: MAGIC.len() };
    let version = header.u32("the version")?;
    if !(2..=3).contains(&version) {
        return Err(GgufError::Version(version));
    }
    let tensors = header.count("tensors")?;
    let entries = header.count("metadata entries")?;
    let (mut alignment, mut architecture) = (ALIGNMENT, "");
    for _ in 0..entries {
        let key = header.text("a metadata key")?;
        match (key, header.value()?) {
            ("general.alignment", Value::Number(number)) => alignment = number,
            ("general.architecture", Value::Text(text)) => architecture = text,
            _ => {}
        }
    }
    let expected = traits.gguf_architecture;
    if architecture != expected {
        let (found, model_type) = (architecture.to_owned(), config.family.model_type());
        return Err(GgufError::Architecture { found, model_type, expected });
    }
    if !alignment.is_power_of_two() || alignment > 1 << 16 {
        return Err(GgufError::Header(format!(
            "general.alignment is {alignment}, which is no power of two below 65537"
        )));
    }
    let mut infos = Vec::new();
    for _ in 0..tensors {
        let name = header.text("a tensor's name")?;
        let dimensions = header.u32("a tensor's shape")?;
        if dimensions > 4 {
            return Err(GgufError::Header(format!("tensor {name} has {dimensions} dimensions; there are at most 4")));
        }
        // The innermost dimension comes first.
        let mut shape = (0..dimensions).map(|_| header.size("a tensor's shape")).collect::<Result<Vec<_>, _>>()?;
        shape.reverse();
        let number = header.u32("a tensor's type")?;
        infos.push((name, shape, number, header.size("a tensor's offset")?));
    }
    let start = header.at.next_multiple_of(alignment);
    let mut found = HashMap::new();
    for (name, shape, number, offset) in infos {
        if matches!(name, "rope_freqs.weight" | "rope_factors_long.weight" | "rope_factors_short.weight") {
            continue; // derived from config.json
        }
        let element = TYPES.iter().find(|element| element.number == number);
        let element = element.ok_or_else(|| GgufError::ElementType { name: name.to_owned(), number })?;
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
        let reorder = traits.gguf_reorders_heads && (name.contains(".attn_q.") || name.contains(".attn_k."));
        // A bias is one row, and its elements are reordered; no supported model has one.
        if reorder && shape.len() != 2 {
            return Err(GgufError::Tensor(name.to_owned()));
        }
        let reordered_head = reorder.then_some(head_dim);
        if reordered_head.is_some_and(|head| head == 0 || head % 2 != 0 || shape[0] % head != 0) {
            return Err(GgufError::Header(format!("tensor {name} has no whole heads of {head_dim} rows")));
        }
        let offset = if name.ends_with("norm.weight") { config.norm_offset } else { 0.0 };
        let named = hugging_face_name(name, config).ok_or_else(|| GgufError::Tensor(name.to_owned()))?;
        // The matrices of all experts are one tensor.
        let parts = match (&shape[..], named.split_once(".experts.")) {
            (&[experts, rows, columns], Some((layer, part))) if !data.is_empty() && experts as u64 <= MAX_COUNT => data
                .chunks_exact(data.len() / experts)
                .enumerate()
                .map(|(expert, data)| (format!("{layer}.experts.{expert}.{part}"), vec![rows, columns], data))
                .collect(),
            (_, None) => vec![(named, shape, data)],
            _ => return Err(GgufError::Header(format!("tensor {name} has the shape {shape:?}, not one of experts"))),
        };
        let row_bytes = width / elements * bytes;
        for (named, shape, data) in parts {
            let rows = FileRows { data, row_bytes, reordered_head };
            if found.insert(named, (shape, Tensor { element, rows, width, offset })).is_some() {
                return Err(GgufError::Header(format!("tensor {name} is there twice")));
            }
        }
    }
    Ok(found)
}

/// A metadata value, as far as it is used.
enum Value<'a> {
    Number(usize),
    Text(&'a str),
    Other,
}

struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize, what: &str) -> Result<&'a [u8], GgufError> {
        let end = self.at.checked_add(bytes);
        let part = end.and_then(|end| self.file.get(self.at..end)).ok_or_else(|| GgufError::Short(what.to_owned()))?;
        self.at += bytes;
        Ok(part)
    }

    fn u32(&mut self, what: &str) -> Result<u32, GgufError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn u64(&mut self, what: &str) -> Result<u64, GgufError> {
        let (low, high) = (self.u32(what)?, self.u32(what)?);
        Ok(u64::from(low) | u64::from(high) << 32)
    }

    fn size(&mut self, what: &str) -> Result<usize, GgufError> {
        let size = self.u64(what)?;
        usize::try_from(size).map_err(|_| GgufError::Header(format!("{what}: {size} is too large")))
    }

    fn count(&mut self, what: &str) -> Result<u64, GgufError> {
        let count = self.u64(what)?;
        if count > MAX_COUNT {
            return Err(GgufError::Header(format!("the header makes {count} {what}; the limit is {MAX_COUNT}")));
        }
        Ok(count)
    }

    fn text(&mut self, what: &str) -> Result<&'a str, GgufError> {
        let length = self.size(what)?;
        std::str::from_utf8(self.take(length, what)?).map_err(|_| GgufError::Header(format!("{what} is not UTF-8")))
    }

    fn value(&mut self) -> Result<Value<'a>, GgufError> {
        let kind = self.u32("a metadata value")?;
        self.value_of(kind)
    }

    fn value_of(&mut self, kind: u32) -> Result<Value<'a>, GgufError> {
        const PART: &str = "a metadata value";
        Ok(match kind {
            4 => Value::Number(self.u32(PART)? as usize),
            8 => Value::Text(self.text(PART)?),
            9 => {
                let (kind, count) = (self.u32(PART)?, self.size(PART)?);
                match scalar_bytes(kind) {
                    Some(bytes) => {
                        let size = count.checked_mul(bytes).ok_or_else(|| GgufError::Short(PART.to_owned()))?;
                        self.take(size, PART)?;
                    }
                    // Every text takes eight bytes at least, so the file's length bounds this loop.
                    None if kind == 8 => (0..count).try_for_each(|_| self.text(PART).map(|_| ()))?,
                    None => return Err(GgufError::Header(format!("{PART} is a list of type {kind}"))),
                }
                Value::Other
            }
            _ => match scalar_bytes(kind) {
                Some(bytes) => {
                    self.take(bytes, PART)?;
                    Value::Other
                }
                None => return Err(GgufError::Header(format!("{PART} has the unknown type {kind}"))),
            },
        })
    }
}

/// Returns the size of a metadata value of a type that has no parts.
fn scalar_bytes(kind: u32) -> Option<usize> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}
