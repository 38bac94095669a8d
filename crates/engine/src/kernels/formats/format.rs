//! Number formats of weights.

use std::fmt;
use std::str::FromStr;

use super::groups::Bits;
use super::panel::Panel;

/// Number format of the base model's weights. Each format has its own results, which are the same bit for bit on every
/// instruction set, in any batch and in training. Sums are f32 in all formats.
///
/// In all formats but f32, products are those of bf16: activations are rounded to bf16 before each product with weights,
/// and an adapter's factors are rounded to bf16 in products, in chat and in training, and so are those of the attention.
/// The cache holds keys and values in bf16. Trained and saved values are f32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightFormat {
    /// f32, the reference.
    #[default]
    F32,
    /// bf16. It takes half the memory of f32, two fifths where it is compressed without loss, and is faster if the CPU multiplies bf16.
    Bf16,
    /// Eight bits and a scale for every 32 weights, as GGUF's `Q8_0`: 1.06 bytes per weight. The result is that of these
    /// weights in bf16. Training reads them in both directions, and keeps no copy of them.
    Int8,
    /// Four bits and a scale for every 32 weights, as GGUF's `Q4_0`: 0.56 bytes per weight. A product multiplies the numbers
    /// of a group as bf16, then their sum with the scale. Training reads these weights in both directions. The head, and
    /// the embedding that is tied to it, have eight bits, or six if a file has them so.
    Int4,
}

impl WeightFormat {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::F32, Self::Bf16, Self::Int8, Self::Int4];

    /// Returns the name, as settings have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
            Self::Int4 => "int4",
        }
    }

    /// Returns the format of the head's weights, unless a file has them in six bits.
    pub const fn head(self) -> Self {
        match self {
            Self::Int4 => Self::Int8,
            other => other,
        }
    }
}

impl fmt::Display for WeightFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error of an unknown weight format, by its name.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no weight format; write f32, bf16, int8 or int4")]
pub struct UnknownWeightFormat(String);

impl FromStr for WeightFormat {
    type Err = UnknownWeightFormat;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownWeightFormat(name.to_owned()))
    }
}

/// Number format of a matrix. A head or an embedding may have another one than the [`WeightFormat`] of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixFormat {
    /// [`WeightFormat::F32`].
    F32,
    /// [`WeightFormat::Bf16`].
    Bf16,
    /// [`WeightFormat::Int8`].
    Int8,
    /// Six bits and scales for every 16 weights, as GGUF's `Q6_K`: 0.84 bytes per weight. Products are as in four bits. Numbers
    /// of this format come from files: no matrix is rounded to it.
    Int6,
    /// [`WeightFormat::Int4`].
    Int4,
}

impl From<WeightFormat> for MatrixFormat {
    fn from(format: WeightFormat) -> Self {
        match format {
            WeightFormat::F32 => Self::F32,
            WeightFormat::Bf16 => Self::Bf16,
            WeightFormat::Int8 => Self::Int8,
            WeightFormat::Int4 => Self::Int4,
        }
    }
}

impl MatrixFormat {
    /// Returns the number of bits of grouped weights.
    pub(crate) const fn bits(self) -> Option<Bits> {
        match self {
            Self::F32 | Self::Bf16 => None,
            Self::Int8 => Some(Bits::Eight),
            Self::Int6 => Some(Bits::Six),
            Self::Int4 => Some(Bits::Four),
        }
    }

    /// Returns the number of elements of a packed panel.
    pub(crate) const fn panel_len(self, depth: usize, width: usize) -> usize {
        match (self, self.bits()) {
            (_, Some(bits)) => bits.panel_bytes(depth, width),
            (Self::Bf16, _) => depth.div_ceil(2) * width,
            _ => depth * width,
        }
    }

    /// Returns the number of elements of all packed panels of a matrix.
    pub(crate) fn panels_len(self, depth: usize, panels: &[Panel]) -> usize {
        panels.last().map_or(0, |panel| panel.offset + self.panel_len(depth, panel.width))
    }

    /// Returns the size in bytes of a packed matrix: the largest, as bf16 may be [compressed](super::compressed).
    pub fn packed_bytes(self, depth: usize, columns: usize) -> usize {
        let element = if self.bits().is_some() { size_of::<u8>() } else { size_of::<u32>() };
        self.panel_len(depth, columns) * element
    }

    /// Returns the size in bytes of the copy that the backward pass makes of a matrix.
    pub fn transposed_bytes(self, depth: usize, columns: usize) -> usize {
        if self.bits().is_some() { 0 } else { self.packed_bytes(columns, depth) }
    }
}
