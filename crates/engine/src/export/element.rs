//! Element types of exported weights, and the rounding of f32 to them.

use std::fmt;
use std::str::FromStr;

use super::k_quants::{q4_k, q6_k};
use crate::files::StoredType;
use crate::kernels::{MAX_F16, bf16_bits, f16_bits};

/// Number of weights of a block of integers, which share a scale in f16.
const BLOCK: usize = 32;

/// Element type of the matrices of an exported model. Norms and biases of GGUF files are always f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// 32-bit floating point.
    F32,
    /// 16-bit floating point of IEEE 754.
    F16,
    /// 16-bit floating point with the exponents of f32.
    Bf16,
    /// Integers of eight bits, 32 to a scale. GGUF only.
    Q8_0,
    /// Integers of four bits, 32 to a scale. GGUF only. A head or a tied embedding has eight bits.
    Q4_0,
    /// Integers of four bits, 32 to a scale and an offset, which are integers too. GGUF only. In a mixture: weights on which more
    /// depends have six bits, and rows of other widths five or eight.
    Q4K,
    /// Integers of six bits, of a mixture.
    Q6K,
    /// Integers of five bits, of a mixture.
    Q5_0,
}

/// Error of the name of an element type.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ElementTypeError {
    #[error("{0} is not written; export f16, and let llama.cpp round it: llama-quantize model.gguf out.gguf {0}")]
    Quantise(String),
    #[error("there is no element type {0:?}; there are f32, f16, bf16, q8_0, q4_0 and q4_k_m")]
    Unknown(String),
}

/// Properties of an element type.
struct Row {
    name: &'static str,
    /// Name in the header of safetensors, and `torch_dtype` of `config.json`; `None` if these have no such type.
    safetensors: Option<(&'static str, &'static str)>,
    /// Number of the type in `ggml.h`, by which readers know its blocks, and of a file of it in `general.file_type`.
    ggml: [u32; 2],
    /// Type of rows that are no whole blocks.
    narrow: ElementType,
    /// Largest magnitude that does not become infinite.
    limit: f32,
    /// Rounds a row.
    encode: fn(&[f32], &mut [u8]),
}

/// Properties in the order of [`ElementType`].
static ROWS: [Row; 8] = [
    Row {
        name: "f32",
        safetensors: Some(("F32", "float32")),
        ggml: [0, 0],
        narrow: ElementType::F16,
        limit: f32::MAX,
        encode: |values, bytes| each(values, bytes, f32::to_le_bytes),
    },
    Row {
        name: "f16",
        safetensors: Some(("F16", "float16")),
        ggml: [1, 1],
        narrow: ElementType::F16,
        limit: BELOW_HALF_INFINITY,
        encode: |values, bytes| each(values, bytes, |value| f16_bits(value.clamp(-MAX_F16, MAX_F16)).to_le_bytes()),
    },
    Row {
        name: "bf16",
        safetensors: Some(("BF16", "bfloat16")),
        ggml: [30, 32],
        narrow: ElementType::F16,
        limit: BELOW_BF16_INFINITY,
        encode: |values, bytes| each(values, bytes, |value| bf16_bits(value).to_le_bytes()),
    },
    Row::integers("q8_0", [8, 7], 127.0 * MAX_F16, q8_0),
    Row::integers("q4_0", [2, 2], 8.0 * MAX_F16, q4_0),
    Row { narrow: ElementType::Q5_0, ..Row::integers("q4_k_m", [12, 15], 63.0 * MAX_F16, q4_k) },
    Row { narrow: ElementType::Q8_0, ..Row::integers("q6_k", [14, 18], 63.0 * MAX_F16, q6_k) },
    Row::integers("q5_0", [6, 8], 16.0 * MAX_F16, q5_0),
];

impl Row {
    const fn integers(name: &'static str, ggml: [u32; 2], limit: f32, encode: fn(&[f32], &mut [u8])) -> Self {
        Self { name, safetensors: None, ggml, narrow: ElementType::F16, limit, encode }
    }
}

/// Largest f32 that rounds to a finite f16.
const BELOW_HALF_INFINITY: f32 = f32::from_bits(65520.0_f32.to_bits() - 1);
/// Largest f32 that rounds to a finite bf16.
const BELOW_BF16_INFINITY: f32 = f32::from_bits(0x7f7f_7fff);

impl ElementType {
    /// Every element type but those of mixtures alone.
    pub const ALL: [Self; 6] = [Self::F32, Self::F16, Self::Bf16, Self::Q8_0, Self::Q4_0, Self::Q4K];

    fn properties(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the name, such as `bf16`.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// Returns the names in the header of safetensors and in `config.json`; `None` if those have no such type.
    pub(super) fn safetensors(self) -> Option<(&'static str, &'static str)> {
        self.properties().safetensors
    }

    /// Returns the number in `ggml.h`.
    pub(super) fn ggml_type(self) -> u32 {
        self.properties().ggml[0]
    }

    /// Returns the value of `general.file_type`.
    pub(super) fn ggml_file_type(self) -> u32 {
        self.properties().ggml[1]
    }

    /// Returns the type as readers have it.
    fn stored(self) -> &'static StoredType {
        StoredType::of_number(self.ggml_type()).expect("every type that is written is read")
    }

    /// Returns whether the elements are integers with scales.
    pub fn is_quantised(self) -> bool {
        self.stored().is_quantised()
    }

    /// Returns this type, or the next one of which rows of this width are whole blocks.
    pub(super) fn for_width(self, width: usize) -> Self {
        if width.is_multiple_of(self.stored().elements) { self } else { self.properties().narrow.for_width(width) }
    }

    /// Returns the size of a row in bytes. The width is a whole number of blocks.
    pub(super) fn row_bytes(self, width: usize) -> usize {
        let stored = self.stored();
        width / stored.elements * stored.bytes
    }

    /// Returns whether the value can be written.
    pub(super) fn holds(self, value: f32) -> bool {
        value.abs() <= self.properties().limit
    }

    /// Rounds a row of values that can be written, once.
    pub(super) fn encode(self, values: &[f32], bytes: &mut [u8]) {
        (self.properties().encode)(values, bytes);
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ElementType {
    type Err = ElementTypeError;

    fn from_str(name: &str) -> Result<Self, ElementTypeError> {
        let found = Self::ALL.into_iter().find(|element| element.name() == name);
        found.ok_or_else(|| match name.strip_prefix('q') {
            Some(rest) if rest.contains("_k") => ElementTypeError::Quantise(name.to_owned()),
            _ => ElementTypeError::Unknown(name.to_owned()),
        })
    }
}

fn each<const SIZE: usize>(values: &[f32], bytes: &mut [u8], convert: impl Fn(f32) -> [u8; SIZE]) {
    bytes.as_chunks_mut().0.iter_mut().zip(values).for_each(|(bytes, value)| *bytes = convert(*value));
}

/// Rounds as ggml does: the scale is a 127th of the largest magnitude, and ties of numbers go away from zero.
fn q8_0(values: &[f32], bytes: &mut [u8]) {
    for (values, block) in values.as_chunks::<BLOCK>().0.iter().zip(bytes.as_chunks_mut::<34>().0) {
        let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let scale = largest / 127.0;
        let inverse = inverse(scale);
        let (head, numbers) = block.split_at_mut(2);
        head.copy_from_slice(&f16_bits(scale).to_le_bytes());
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = (value * inverse).round() as i8 as u8;
        }
    }
}

/// Rounds as ggml does: the value of the largest magnitude becomes -8, and the others are rounded half up.
fn q4_0(values: &[f32], bytes: &mut [u8]) {
    for (values, block) in values.as_chunks::<BLOCK>().0.iter().zip(bytes.as_chunks_mut::<18>().0) {
        let larger = |largest: f32, value: &f32| if value.abs() > largest.abs() { *value } else { largest };
        let scale = values.iter().fold(0.0, larger) / -8.0;
        let inverse = inverse(scale);
        let number = |value: f32| ((value * inverse + 8.5) as u8).min(15);
        let (head, numbers) = block.split_at_mut(2);
        head.copy_from_slice(&f16_bits(scale).to_le_bytes());
        let (low, high) = values.split_at(BLOCK / 2);
        for (byte, (low, high)) in numbers.iter_mut().zip(low.iter().zip(high)) {
            *byte = number(*low) | number(*high) << 4;
        }
    }
}

/// Rounds as ggml does: like [`q4_0`], with a fifth bit beside the other four.
fn q5_0(values: &[f32], bytes: &mut [u8]) {
    for (values, block) in values.as_chunks::<BLOCK>().0.iter().zip(bytes.as_chunks_mut::<22>().0) {
        let larger = |largest: f32, value: &f32| if value.abs() > largest.abs() { *value } else { largest };
        let scale = values.iter().fold(0.0, larger) / -16.0;
        let inverse = inverse(scale);
        let numbers = values.map(|value| ((value * inverse + 16.5) as u8).min(31));
        let fifth =
            numbers.iter().enumerate().fold(0_u32, |bits, (index, number)| bits | u32::from(number >> 4) << index);
        block[..2].copy_from_slice(&f16_bits(scale).to_le_bytes());
        block[2..6].copy_from_slice(&fifth.to_le_bytes());
        let (low, high) = numbers.split_at(BLOCK / 2);
        for (byte, (low, high)) in block[6..].iter_mut().zip(low.iter().zip(high)) {
            *byte = low & 15 | high << 4;
        }
    }
}

fn inverse(scale: f32) -> f32 {
    if scale == 0.0 { 0.0 } else { 1.0 / scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_have_a_remedy() {
        for element in ElementType::ALL {
            assert_eq!(element.name().parse(), Ok(element));
        }
        let error = "q5_k_m".parse::<ElementType>().unwrap_err().to_string();
        assert!(error.contains("llama-quantize model.gguf out.gguf q5_k_m"), "{error}");
        assert_eq!("int3".parse::<ElementType>(), Err(ElementTypeError::Unknown("int3".to_owned())));
    }

    /// Blocks that ggml's reference functions, as gguf-py has them, made of the same values.
    #[test]
    fn integers_are_those_of_ggml() {
        let values: Vec<f32> = (0..BLOCK as i32).map(|i| (i * i % 37 - 17) as f32 * 0.125).collect();
        let mut bytes = [0; 34];
        ElementType::Q8_0.encode(&values, &mut bytes);
        assert_eq!(hex(&bytes), Q8_0);
        let mut bytes = [0; 18];
        ElementType::Q4_0.encode(&values, &mut bytes);
        assert_eq!(hex(&bytes), Q4_0);
    }

    const Q8_0: &str = "ca248e95a9cbf9357fdf43bd3cd16b1bd8a272574a4a5772a2d81b6bd13cbd43df7f";
    const Q4_0: &str = "c0b41f3f3d3b3815e0ba641cb44bc146ab0e";

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn values_at_the_limits_are_finite_and_beyond_are_refused() {
        for element in [ElementType::F16, ElementType::Bf16] {
            let limit = element.properties().limit;
            let mut bytes = [0; 2];
            element.encode(&[limit], &mut bytes);
            let largest: u16 = if element == ElementType::F16 { 0x7bff } else { 0x7f7f };
            assert_eq!(u16::from_le_bytes(bytes), largest, "{element}");
            assert!(element.holds(-limit) && !element.holds(limit.next_up()));
        }
        assert!(!ElementType::F32.holds(f32::NAN) && !ElementType::F32.holds(f32::INFINITY));
    }
}
