//! Number formats of matrices.

pub use trainyard_model_options::{UnknownWeightFormat, WeightFormat};

use super::groups::Bits;
use super::panel::Panel;

/// Number format of a matrix. Head, embedding and matrices of GGUF files may have another one than the
/// [`WeightFormat`] of their model.
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
    /// Returns the name, as messages have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
            Self::Int6 => "int6",
            Self::Int4 => "int4",
        }
    }

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
