//! Writer of small files for tests.

use crate::write::list;
use crate::{ALIGNMENT, MetadataValue, WrittenTensor, head};

/// A file that is being written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    entries: Vec<(String, Vec<u8>)>,
    tensors: Vec<(String, Vec<usize>, u32, Vec<u8>)>,
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

    fn value(self, key: &str, value: &MetadataValue) -> Self {
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        self.raw(key, bytes)
    }

    /// Adds a text.
    pub fn text(self, key: &str, value: &str) -> Self {
        self.value(key, &MetadataValue::Text(value.to_owned()))
    }

    /// Adds a number of 32 bits.
    pub fn number(self, key: &str, value: u32) -> Self {
        self.value(key, &MetadataValue::U32(value))
    }

    /// Adds a number of 16 bits.
    pub fn short(self, key: &str, value: u16) -> Self {
        self.raw(key, [&2_u32.to_le_bytes()[..], &value.to_le_bytes()].concat())
    }

    /// Adds a floating-point number of 32 bits.
    pub fn float(self, key: &str, value: f32) -> Self {
        self.value(key, &MetadataValue::F32(value))
    }

    /// Adds a boolean.
    pub fn flag(self, key: &str, value: bool) -> Self {
        self.value(key, &MetadataValue::Bool(value))
    }

    /// Adds a list of texts.
    pub fn texts<T: AsRef<str>>(self, key: &str, values: &[T]) -> Self {
        self.value(key, &MetadataValue::Texts(values.iter().map(|value| value.as_ref().to_owned()).collect()))
    }

    /// Adds a list of signed numbers of 32 bits.
    pub fn integers(self, key: &str, values: &[i32]) -> Self {
        self.value(key, &MetadataValue::I32s(values.to_vec()))
    }

    /// Adds a list of floating-point numbers of 32 bits.
    pub fn floats(self, key: &str, values: &[f32]) -> Self {
        self.value(key, &MetadataValue::F32s(values.to_vec()))
    }

    /// Adds a list of booleans.
    pub fn flags(self, key: &str, values: &[bool]) -> Self {
        let mut bytes = Vec::new();
        list(&mut bytes, 7, values.len());
        bytes.extend(values.iter().map(|value| u8::from(*value)));
        self.raw(key, bytes)
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
        let tensors = self.tensors.iter().map(|(name, shape, element, bytes)| WrittenTensor {
            name,
            shape,
            element: *element,
            bytes: bytes.len(),
        });
        let mut file = head(&self.entries, |bytes, file| file.extend(bytes), tensors);
        for (.., bytes) in &self.tensors {
            file.extend(bytes);
            // The header ends at a multiple too.
            file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        }
        file
    }
}
