//! Safetensors that the engine writes: adapters, all weights, and the state of optimizers.

use std::borrow::Cow;
use std::collections::HashMap;

use safetensors::{Dtype, View};

/// A tensor to write; it is converted to bytes only when it is written.
pub(crate) enum Values<'a> {
    /// Shape and elements, row by row.
    F32(Vec<usize>, &'a [f32]),
    /// A single number.
    Count(u64),
}

impl View for Values<'_> {
    fn dtype(&self) -> Dtype {
        match self {
            Self::F32(..) => Dtype::F32,
            Self::Count(_) => Dtype::U64,
        }
    }

    fn shape(&self) -> &[usize] {
        match self {
            Self::F32(shape, _) => shape,
            Self::Count(_) => &[1],
        }
    }

    fn data(&self) -> Cow<'_, [u8]> {
        match self {
            Self::F32(_, values) => values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>(),
            Self::Count(count) => count.to_le_bytes().to_vec(),
        }
        .into()
    }

    fn data_len(&self) -> usize {
        match self {
            Self::F32(_, values) => size_of_val(*values),
            Self::Count(_) => size_of::<u64>(),
        }
    }
}

/// Serialises tensors as safetensors, sorted by element type and name.
pub(crate) fn write<'a>(tensors: impl Iterator<Item = (String, Values<'a>)>) -> Vec<u8> {
    // Only one metadata entry, since several would be written in random order.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize(tensors, Some(metadata)).expect("tensors with distinct names can be written")
}
