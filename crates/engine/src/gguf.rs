//! Reader of GGUF files: names, shapes and element types of tensors, in the names that Hugging Face gives them.
//!
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3, little-endian. Shape and constants
//! of the model come from `config.json`; of the metadata only the architecture is read, because llama.cpp reorders the
//! query and key rows of some.

use std::collections::HashMap;

use super::file_columns::FileRows;
use super::kernels::{self, InstructionSet, MatrixFormat, Q6K_BYTES, Q6K_WEIGHTS};
use super::tensors::{read_bf16, read_f16, read_f32};
use super::{Family, ModelConfig, NormPlacement};

/// First bytes of a GGUF file.
const MAGIC: &[u8; 4] = b"GGUF";
/// Alignment of tensors unless the metadata says otherwise.
const ALIGNMENT: usize = 32;
/// Maximum number of tensors, and of metadata entries.
const MAX_COUNT: u64 = 256 * 1024;
/// Number of elements that a quantised block has, except [`Element::Q6K`].
const BLOCK: usize = 32;

/// Error of a GGUF file that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GgufError {
    /// The file ends before its header does, or before a tensor.
    #[error("the file ends in the middle of {0}")]
    Short(String),
    /// The version is not supported.
    #[error("GGUF version {0}; versions 2 and 3 in little-endian order are read")]
    Version(u32),
    /// The tensors are those of another architecture than `config.json` has.
    #[error("general.architecture is {found:?}; a model with model_type {model_type} has {expected:?}")]
    Architecture {
        /// Architecture of the file; empty if it has none.
        found: String,
        /// `model_type` of `config.json`.
        model_type: &'static str,
        /// Architecture of such a model.
        expected: &'static str,
    },
    /// A number in the header is impossible.
    #[error("{0}")]
    Header(String),
    /// The element type of a tensor is not supported.
    #[error("tensor {name} has element type {number}; F32, F16, BF16, Q8_0, Q4_0 and Q6_K are read")]
    ElementType {
        /// Name of the tensor.
        name: String,
        /// Number of the type, as in `ggml.h`.
        number: u32,
    },
    /// The tensor has no counterpart among those of supported models.
    #[error("tensor {0} is not part of a model that can be read from GGUF")]
    Tensor(String),
}

/// Element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F32,
    F16,
    Bf16,
    /// Blocks of 32: a scale in f16 and 32 signed bytes.
    Q8,
    /// Blocks of 32: a scale in f16 and 32 numbers of four bits, increased by 8; byte `i` has the numbers `i` and `i + 16`.
    Q4,
    /// Blocks of 256: numbers of six bits, increased by 32, with a scale of eight bits for every 16, and one f16 for all.
    Q6K,
}

impl Element {
    fn of_number(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::F32,
            1 => Self::F16,
            2 => Self::Q4,
            8 => Self::Q8,
            14 => Self::Q6K,
            30 => Self::Bf16,
            _ => return None,
        })
    }

    /// Returns elements and bytes of a block.
    fn block(self) -> (usize, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::Bf16 => (1, 2),
            Self::Q8 => (BLOCK, 2 + BLOCK),
            Self::Q4 => (BLOCK, 2 + BLOCK / 2),
            Self::Q6K => (Q6K_WEIGHTS, Q6K_BYTES),
        }
    }
}

/// A tensor of a GGUF file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tensor<'a> {
    element: Element,
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

    /// Returns the rows and their format if the file has them in the form of [`StoredColumns`](super::kernels::StoredColumns).
    pub(crate) fn stored(&self) -> Option<(MatrixFormat, FileRows<&'a [u8]>)> {
        let format = match self.element {
            Element::Bf16 => MatrixFormat::Bf16,
            Element::Q8 => MatrixFormat::Int8,
            Element::Q4 => MatrixFormat::Int4,
            Element::Q6K => MatrixFormat::Int6,
            Element::F32 | Element::F16 => return None,
        };
        (self.offset == 0.0).then_some((format, self.rows))
    }

    /// Reads a row as f32.
    pub(crate) fn read_row(&self, row: usize, values: &mut [f32]) {
        let (elements, bytes) = self.element.block();
        let row = self.rows.row(row);
        let read_block = match self.element {
            Element::F32 => read_f32,
            Element::F16 => read_f16,
            Element::Bf16 => read_bf16,
            Element::Q8 => read_q8,
            Element::Q4 => read_q4,
            Element::Q6K => read_q6k,
        };
        // Elements without blocks are read as one.
        let (bytes, elements) = if elements == 1 { (row.len(), self.width) } else { (bytes, elements) };
        for (block, values) in row.chunks_exact(bytes).zip(values[..self.width].chunks_exact_mut(elements)) {
            read_block(block, values);
        }
        if self.offset != 0.0 {
            values[..self.width].iter_mut().for_each(|value| *value -= self.offset);
        }
    }
}

fn half(bytes: &[u8]) -> f32 {
    super::tensors::half_to_f32(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn read_q8(block: &[u8], values: &mut [f32]) {
    let scale = half(block);
    values.iter_mut().zip(&block[2..]).for_each(|(value, byte)| *value = scale * f32::from(*byte as i8));
}

fn read_q4(block: &[u8], values: &mut [f32]) {
    let scale = half(block);
    let (low, high) = values.split_at_mut(BLOCK / 2);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(&block[2..]) {
        *low = scale * (f32::from(byte & 15) - 8.0);
        *high = scale * (f32::from(byte >> 4) - 8.0);
    }
}

fn read_q6k(block: &[u8], values: &mut [f32]) {
    kernels::read_q6k(InstructionSet::best(), block, half(&block[Q6K_BYTES - 2..]), values);
}

/// Returns whether a file begins as GGUF.
pub(crate) fn is_gguf(file: &[u8]) -> bool {
    file.starts_with(MAGIC)
}

impl Family {
    /// Returns llama.cpp's name of the architecture.
    fn gguf_architecture(self) -> &'static str {
        match self {
            Self::Llama | Self::Mistral => "llama",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Qwen3Moe => "qwen3moe",
            Self::SmolLm3 => "smollm3",
            Self::Olmo2 | Self::Olmo3 => "olmo2",
            Self::Gemma3 => "gemma3",
            Self::Phi3 => "phi3",
        }
    }

    /// Returns whether llama.cpp reorders the rows of queries and keys.
    fn gguf_reorders_heads(self) -> bool {
        matches!(self, Self::Llama | Self::Mistral | Self::SmolLm3)
    }
}

/// Returns shape and content of each tensor of a model by the name that Hugging Face gives it.
pub(crate) fn read<'a>(
    file: &'a [u8],
    config: &ModelConfig,
) -> Result<HashMap<String, (Vec<usize>, Tensor<'a>)>, GgufError> {
    let (family, head_dim) = (config.family, config.head_dim);
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
    let expected = family.gguf_architecture();
    if architecture != expected {
        let (found, model_type) = (architecture.to_owned(), family.model_type());
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
        let element =
            Element::of_number(number).ok_or_else(|| GgufError::ElementType { name: name.to_owned(), number })?;
        let (elements, bytes) = element.block();
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
        let reorder = family.gguf_reorders_heads() && (name.contains(".attn_q.") || name.contains(".attn_k."));
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

/// Returns Hugging Face's name of a tensor; of the experts' matrices without the number of the expert.
fn hugging_face_name(name: &str, config: &ModelConfig) -> Option<String> {
    let fixed = match name {
        "token_embd.weight" => Some("model.embed_tokens.weight"),
        "output_norm.weight" => Some("model.norm.weight"),
        "output.weight" => Some("lm_head.weight"),
        _ => None,
    };
    if let Some(fixed) = fixed {
        return Some(fixed.to_owned());
    }
    let (layer, rest) = name.strip_prefix("blk.")?.split_once('.')?;
    let layer: usize = layer.parse().ok()?;
    let (part, kind) = rest.rsplit_once('.')?;
    let part = match part {
        "attn_norm" => "input_layernorm",
        "ffn_norm" if config.norm_placement == NormPlacement::Both => "pre_feedforward_layernorm",
        "ffn_norm" | "post_attention_norm" => "post_attention_layernorm",
        "post_ffw_norm" => "post_feedforward_layernorm",
        "attn_q" => "self_attn.q_proj",
        "attn_k" => "self_attn.k_proj",
        "attn_v" => "self_attn.v_proj",
        "attn_qkv" => "self_attn.qkv_proj",
        "attn_output" => "self_attn.o_proj",
        "attn_q_norm" => "self_attn.q_norm",
        "attn_k_norm" => "self_attn.k_norm",
        "ffn_gate" => "mlp.gate_proj",
        "ffn_up" if config.joint_projections => "mlp.gate_up_proj",
        "ffn_up" => "mlp.up_proj",
        "ffn_down" => "mlp.down_proj",
        "ffn_gate_inp" => "mlp.gate",
        "ffn_gate_exps" => "mlp.experts.gate_proj",
        "ffn_up_exps" => "mlp.experts.up_proj",
        "ffn_down_exps" => "mlp.experts.down_proj",
        _ => return None,
    };
    matches!(kind, "weight" | "bias").then(|| format!("model.layers.{layer}.{part}.{kind}"))
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
        const PLACE: &str = "a metadata value";
        Ok(match kind {
            4 => Value::Number(self.u32(PLACE)? as usize),
            8 => Value::Text(self.text(PLACE)?),
            9 => {
                let (kind, count) = (self.u32(PLACE)?, self.size(PLACE)?);
                match scalar_bytes(kind) {
                    Some(bytes) => {
                        let size = count.checked_mul(bytes).ok_or_else(|| GgufError::Short(PLACE.to_owned()))?;
                        self.take(size, PLACE)?;
                    }
                    // Every text takes eight bytes at least, so the file's length bounds this loop.
                    None if kind == 8 => (0..count).try_for_each(|_| self.text(PLACE).map(|_| ()))?,
                    None => return Err(GgufError::Header(format!("{PLACE} is a list of type {kind}"))),
                }
                Value::Other
            }
            _ => match scalar_bytes(kind) {
                Some(bytes) => {
                    self.take(bytes, PLACE)?;
                    Value::Other
                }
                None => return Err(GgufError::Header(format!("{PLACE} has the unknown type {kind}"))),
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
