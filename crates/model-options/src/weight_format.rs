//! Number formats of weights.

use std::fmt;
use std::str::FromStr;

/// Number format of the base model's weights. Each format has its own results, which are the same bit for bit on every
/// instruction set, in any batch and in training. Sums are f32 in all formats.
///
/// In all formats but f32, products are those of bf16: activations are rounded to bf16 before each product with weights,
/// and an adapter's factors are rounded to bf16 in products, in chat and in training, and so are those of the attention.
/// The cache holds keys and values in bf16. Trained and saved values are f32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightFormat {
    /// f32, the reference.
    #[default]
    F32,
    /// bf16. It takes half the memory of f32, two fifths where it is compressed without loss, and is faster if the CPU multiplies bf16.
    Bf16,
    /// Eight bits and a scale for every 32 weights, as GGUF's `Q8_0`: 1.06 bytes per weight. A product multiplies the numbers
    /// of a group as bf16, then their sum with the scale. Training reads these weights in both directions, and keeps no copy of
    /// them.
    Int8,
    /// Four bits and a scale for every 32 weights, as GGUF's `Q4_0`: 0.56 bytes per weight, multiplied likewise. The head, the
    /// embedding that is tied to it, and matrices that a GGUF file has in more than four bits have eight, or six if the
    /// file has them so.
    Int4,
    /// Each matrix in the form that a GGUF file with quantised weights has, multiplied likewise. A minimum is multiplied with the sum of
    /// the group's activations. Of types that have no kernel, weights are rounded to eight bits, and those in f16 or f32 to bf16.
    /// Other files are read in f32 if they have all matrices so, and else in bf16.
    File,
}

impl WeightFormat {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::F32, Self::Bf16, Self::Int8, Self::Int4, Self::File];

    /// Returns the name, as settings have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
            Self::Int4 => "int4",
            Self::File => "file",
        }
    }

    /// Returns the number of the order in which products with such weights add. Another order has other bits, so a job goes on
    /// only in the one in which it began.
    pub const fn order(self) -> u32 {
        match self {
            Self::F32 => 1,
            Self::Bf16 | Self::Int8 | Self::Int4 | Self::File => 2,
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
#[error("{0:?} is no weight format; write f32, bf16, int8, int4 or file")]
pub struct UnknownWeightFormat(String);

impl FromStr for WeightFormat {
    type Err = UnknownWeightFormat;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownWeightFormat(name.to_owned()))
    }
}
