//! Writer of small files for tests.

use crate::{ALIGNMENT, MAGIC};

/// A file that is being written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    entries: Vec<(String, Vec<u8>)>,
    tensors: Vec<(String, Vec<usize>, u32, Vec<u8>)>,
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

fn list<const N: usize>(kind: u32, items: impl ExactSizeIterator<Item = [u8; N]>) -> Vec<u8> {
    let mut bytes = [9, kind].map(u32::to_le_bytes).concat();
    bytes.extend((items.len() as u64).to_le_bytes());
    bytes.extend(items.flatten());
    bytes
}

impl Writer {
    /// Returns a file of an architecture.
    pub fn new(architecture: &str) -> Self {
        Self::default().text("general.architecture", architecture)
    }

    /// Adds or replaces an entry, whose bytes begin with the number of its type.
    pub fn raw(mut self, key: &str, bytes: Vec<u8>) -> Self {
        self.entries.retain(|(other, _)| other != key);
        self.entries.push((key.to_owned(), bytes));
        self
    }

    /// Adds a text.
    pub fn text(self, key: &str, value: &str) -> Self {
        self.raw(key, [&8_u32.to_le_bytes()[..], &text(value)].concat())
    }

    /// Adds a number of 32 bits.
    pub fn number(self, key: &str, value: u32) -> Self {
        self.raw(key, [4, value].map(u32::to_le_bytes).concat())
    }

    /// Adds a number of 16 bits.
    pub fn short(self, key: &str, value: u16) -> Self {
        self.raw(key, [&2_u32.to_le_bytes()[..], &value.to_le_bytes()].concat())
    }

    /// Adds a floating-point number of 32 bits.
    pub fn float(self, key: &str, value: f32) -> Self {
        self.raw(key, [&6_u32.to_le_bytes()[..], &value.to_le_bytes()].concat())
    }

    /// Adds a boolean.
    pub fn flag(self, key: &str, value: bool) -> Self {
        self.raw(key, [&7_u32.to_le_bytes()[..], &[u8::from(value)]].concat())
    }

    /// Adds a list of texts.
    pub fn texts<T: AsRef<str>>(self, key: &str, values: &[T]) -> Self {
        let mut bytes = [9_u32, 8].map(u32::to_le_bytes).concat();
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend(values.iter().flat_map(|value| text(value.as_ref())));
        self.raw(key, bytes)
    }

    /// Adds a list of signed numbers of 32 bits.
    pub fn integers(self, key: &str, values: &[i32]) -> Self {
        self.raw(key, list(5, values.iter().map(|value| value.to_le_bytes())))
    }

    /// Adds a list of floating-point numbers of 32 bits.
    pub fn floats(self, key: &str, values: &[f32]) -> Self {
        self.raw(key, list(6, values.iter().map(|value| value.to_le_bytes())))
    }

    /// Adds a list of booleans.
    pub fn flags(self, key: &str, values: &[bool]) -> Self {
        self.raw(key, list(7, values.iter().map(|value| [u8::from(*value)])))
    }

    /// Removes an entry.
    pub fn without(mut self, key: &str) -> Self {
        self.entries.retain(|(other, _)| other != key);
        self
    }

    /// Adds a tensor; the innermost dimension of its shape is the last.
    pub fn tensor(mut self, name: &str, shape: &[usize], element: u32, bytes: Vec<u8>) -> Self {
        self.tensors.push((name.to_owned(), shape.to_vec(), element, bytes));
        self
    }

    /// Adds a tensor of F32.
    pub fn values(self, name: &str, shape: &[usize], values: &[f32]) -> Self {
        self.tensor(name, shape, 0, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Returns the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = [MAGIC.as_slice(), &3_u32.to_le_bytes()].concat();
        file.extend(
            [self.tensors.len(), self.entries.len()].into_iter().flat_map(|count| (count as u64).to_le_bytes()),
        );
        for (key, value) in &self.entries {
            file.extend(text(key));
            file.extend(value);
        }
        let mut data = Vec::new();
        for (name, shape, element, bytes) in &self.tensors {
            file.extend(text(name));
            file.extend((shape.len() as u32).to_le_bytes());
            file.extend(shape.iter().rev().flat_map(|size| (*size as u64).to_le_bytes()));
            file.extend(element.to_le_bytes());
            file.extend((data.len() as u64).to_le_bytes());
            data.extend(bytes);
            data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
        }
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        file.extend(data);
        file
    }
}
