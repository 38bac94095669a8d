//! Writes headers.

use crate::{ALIGNMENT, MAGIC};

/// Number of the type of lists.
const LIST: u32 = 9;

/// A metadata value of a GGUF file that is written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the variants are the format's types")]
pub enum MetadataValue {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(String),
    Texts(Vec<String>),
    I32s(Vec<i32>),
    F32s(Vec<f32>),
}

impl MetadataValue {
    /// Writes the number of the type, and the value.
    pub fn write(&self, file: &mut Vec<u8>) {
        match self {
            Self::U32(value) => {
                number(file, 4);
                number(file, *value);
            }
            Self::F32(value) => {
                number(file, 6);
                file.extend(value.to_le_bytes());
            }
            Self::Bool(value) => {
                number(file, 7);
                file.push(u8::from(*value));
            }
            Self::Text(value) => {
                number(file, 8);
                text(file, value);
            }
            Self::Texts(values) => {
                list(file, 8, values.len());
                values.iter().for_each(|value| text(file, value));
            }
            Self::I32s(values) => {
                list(file, 5, values.len());
                values.iter().for_each(|value| file.extend(value.to_le_bytes()));
            }
            Self::F32s(values) => {
                list(file, 6, values.len());
                values.iter().for_each(|value| file.extend(value.to_le_bytes()));
            }
        }
    }
}

/// A tensor of a header that is written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenTensor<'a> {
    /// Name by llama.cpp.
    pub name: &'a str,
    /// Shape, with the innermost dimension last.
    pub shape: &'a [usize],
    /// Number of the element type, as in `ggml.h`.
    pub element: u32,
    /// Size in bytes.
    pub bytes: usize,
}

/// Returns the header of a file, version 3, up to the data of the first tensor. `write` writes the type and value of an entry. The
/// tensors follow in their order, each at a multiple of [`ALIGNMENT`].
pub fn head<'a, V>(
    entries: &[(String, V)],
    write: impl Fn(&V, &mut Vec<u8>),
    tensors: impl ExactSizeIterator<Item = WrittenTensor<'a>>,
) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    number(&mut file, 3);
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend((entries.len() as u64).to_le_bytes());
    for (key, value) in entries {
        text(&mut file, key);
        write(value, &mut file);
    }
    let mut offset = 0;
    for WrittenTensor { name, shape, element, bytes } in tensors {
        text(&mut file, name);
        number(&mut file, shape.len() as u32);
        // The innermost dimension comes first.
        shape.iter().rev().for_each(|size| file.extend((*size as u64).to_le_bytes()));
        number(&mut file, element);
        file.extend((offset as u64).to_le_bytes());
        offset += bytes.next_multiple_of(ALIGNMENT);
    }
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    file
}

fn number(file: &mut Vec<u8>, number: u32) {
    file.extend(number.to_le_bytes());
}

fn text(file: &mut Vec<u8>, text: &str) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.as_bytes());
}

/// Writes the start of a list of items of a type.
pub(crate) fn list(file: &mut Vec<u8>, kind: u32, count: usize) {
    number(file, LIST);
    number(file, kind);
    file.extend((count as u64).to_le_bytes());
}
