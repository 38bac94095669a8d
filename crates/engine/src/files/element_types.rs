//! Element types of GGUF files.

use super::blocks::{self, grids, read_row};
use super::elements::{read_bf16, read_f16, read_f32};
use crate::kernels::{BlockFormat, MatrixFormat};

/// An element type that is read. A matrix in a format that the kernels have is moved into panels; others are read as
/// f32.
#[derive(Debug)]
pub(crate) struct ElementType {
    pub(crate) name: &'static str,
    /// Number of the type, as in `ggml.h`.
    pub(super) number: u32,
    /// Number of elements of a block.
    pub(crate) elements: usize,
    /// Size in bytes of a block.
    pub(crate) bytes: usize,
    /// Format of matrices whose files have this form (see [`StoredColumns`](crate::kernels::StoredColumns)).
    pub(super) format: Option<MatrixFormat>,
    /// Reads a row as f32.
    pub(super) read: fn(&[u8], &mut [f32]),
}

/// Returns a type of blocks, whose sizes are those of the reader's arguments, and the format of its kernel, if it has one.
macro_rules! blocks {
    ($name:literal, $number:literal, $read:expr) => {
        ElementType::of_blocks($name, $number, None, $read, |row, values| read_row($read, row, values))
    };
    ($name:literal, $number:literal, $read:expr, $format:ident) => {{
        let format = Some(MatrixFormat::Blocks(BlockFormat::$format));
        ElementType::of_blocks($name, $number, format, $read, |row, values| read_row($read, row, values))
    }};
}

/// Element types that are read. Others hold no weights, or llama.cpp has removed them.
pub(super) static TYPES: [ElementType; 28] = [
    ElementType { name: "F32", number: 0, elements: 1, bytes: 4, format: None, read: read_f32 },
    ElementType { name: "F16", number: 1, elements: 1, bytes: 2, format: None, read: read_f16 },
    ElementType { name: "BF16", number: 30, elements: 1, bytes: 2, format: Some(MatrixFormat::Bf16), read: read_bf16 },
    blocks!("Q8_0", 8, blocks::q8_0, Q8_0),
    blocks!("Q4_0", 2, blocks::q4_0, Q4_0),
    blocks!("Q4_1", 3, blocks::q4_1, Q4_1),
    blocks!("Q5_0", 6, blocks::q5_0, Q5_0),
    blocks!("Q5_1", 7, blocks::q5_1, Q5_1),
    blocks!("Q2_K", 10, blocks::q2_k),
    blocks!("Q3_K", 11, blocks::q3_k),
    blocks!("Q4_K", 12, blocks::q4_k, Q4K),
    blocks!("Q5_K", 13, blocks::q5_k, Q5K),
    blocks!("Q6_K", 14, blocks::q6_k, Q6K),
    blocks!("IQ2_XXS", 16, grids::iq2_xxs),
    blocks!("IQ2_XS", 17, grids::iq2_xs),
    blocks!("IQ3_XXS", 18, grids::iq3_xxs),
    blocks!("IQ1_S", 19, grids::iq1_s),
    blocks!("IQ4_NL", 20, blocks::iq4_nl),
    blocks!("IQ3_S", 21, grids::iq3_s),
    blocks!("IQ2_S", 22, grids::iq2_s),
    blocks!("IQ4_XS", 23, blocks::iq4_xs),
    blocks!("IQ1_M", 29, grids::iq1_m),
    blocks!("TQ1_0", 34, blocks::tq1_0),
    blocks!("TQ2_0", 35, blocks::tq2_0),
    blocks!("MXFP4", 39, blocks::mxfp4),
    blocks!("NVFP4", 40, blocks::nvfp4),
    blocks!("Q1_0", 41, blocks::q1_0),
    blocks!("Q2_0", 42, blocks::q2_0),
];

impl ElementType {
    /// Returns the type with this number.
    pub(crate) fn of_number(number: u32) -> Option<&'static Self> {
        TYPES.iter().find(|element| element.number == number)
    }

    const fn of_blocks<const BYTES: usize, const WEIGHTS: usize>(
        name: &'static str,
        number: u32,
        format: Option<MatrixFormat>,
        _: fn(&[u8; BYTES]) -> [f32; WEIGHTS],
        read: fn(&[u8], &mut [f32]),
    ) -> Self {
        Self { name, number, elements: WEIGHTS, bytes: BYTES, format, read }
    }

    /// Returns whether the weights of a block share scales.
    pub(crate) fn is_quantised(&self) -> bool {
        self.elements > 1
    }

    /// Returns whether elements are f32.
    pub(super) fn is_f32(&self) -> bool {
        self.number == 0
    }

    /// Returns whether a weight takes more bytes than in a format of the kernels.
    pub(crate) fn exceeds(&self, blocks: BlockFormat) -> bool {
        let layout = blocks.layout();
        self.bytes * layout.file_weights > layout.file_bytes * self.elements
    }
}

impl PartialEq for ElementType {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
