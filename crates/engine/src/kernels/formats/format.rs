//! Number formats of matrices.

pub use trainyard_model_options::{UnknownWeightFormat, WeightFormat};

use super::groups::BlockFormat;
use super::panel::Panel;

/// Number format of a matrix. Head, embedding and matrices of GGUF files may have another one than the
/// [`WeightFormat`] of their model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixFormat {
    /// [`WeightFormat::F32`].
    F32,
    /// [`WeightFormat::Bf16`].
    Bf16,
    /// Numbers of a few bits with scales for every 32 or 16, multiplied as bf16.
    Blocks(BlockFormat),
}

impl From<WeightFormat> for MatrixFormat {
    /// Returns the format of weights that are computed.
    fn from(format: WeightFormat) -> Self {
        match format {
            WeightFormat::F32 => Self::F32,
            WeightFormat::Bf16 | WeightFormat::File => Self::Bf16,
            WeightFormat::Int8 => Self::INT8,
            WeightFormat::Int4 => Self::INT4,
        }
    }
}

impl MatrixFormat {
    /// [`WeightFormat::Int8`].
    pub const INT8: Self = Self::Blocks(BlockFormat::Q8_0);
    /// Six bits, which come from files.
    pub const INT6: Self = Self::Blocks(BlockFormat::Q6K);
    /// [`WeightFormat::Int4`].
    pub const INT4: Self = Self::Blocks(BlockFormat::Q4_0);

    /// Returns the name, as messages have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Blocks(blocks) => blocks.layout().name,
        }
    }

    /// Returns the format of grouped weights.
    pub(crate) const fn blocks(self) -> Option<BlockFormat> {
        if let Self::Blocks(blocks) = self { Some(blocks) } else { None }
    }

    /// Returns whether the sums of left factors are part of products.
    pub(crate) const fn has_minima(self) -> bool {
        if let Self::Blocks(blocks) = self { blocks.layout().has_minima } else { false }
    }

    /// Returns the number of elements of a packed panel.
    pub(crate) const fn panel_len(self, depth: usize, width: usize) -> usize {
        match self {
            Self::Blocks(blocks) => blocks.panel_bytes(depth, width),
            Self::Bf16 => depth.div_ceil(2) * width,
            Self::F32 => depth * width,
        }
    }

    /// Returns the size in bytes of a packed matrix: the largest, as bf16 may be [compressed](super::compressed).
    pub fn packed_bytes(self, depth: usize, columns: usize) -> usize {
        let element = if self.blocks().is_some() { size_of::<u8>() } else { size_of::<u32>() };
        self.panel_len(depth, columns) * element
    }

    /// Returns the size in bytes of the copy that the backward pass makes of a matrix.
    pub fn transposed_bytes(self, depth: usize, columns: usize) -> usize {
        if self.blocks().is_some() { 0 } else { self.packed_bytes(columns, depth) }
    }
}

/// Returns the number of elements of all packed panels of a matrix.
pub(crate) fn panels_len(depth: usize, panels: &[Panel]) -> usize {
    panels.last().map_or(0, |panel| panel.offset + panel.format.panel_len(depth, panel.width))
}
