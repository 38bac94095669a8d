//! Bodies of the learner's protocol: files in the safetensors format.

use std::borrow::Cow;
use std::collections::HashMap;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors};

/// Error of a body that is not of the protocol.
#[derive(Debug, thiserror::Error)]
#[error("its body cannot be read: {0}")]
pub(super) struct WireError(String);

impl From<SafeTensorError> for WireError {
    fn from(error: SafeTensorError) -> Self {
        Self(error.to_string())
    }
}

/// A list of numbers to send.
struct List<'a> {
    name: &'static str,
    dtype: Dtype,
    length: usize,
    bytes: Cow<'a, [u8]>,
}

/// Tensors of a body to send.
#[derive(Default)]
pub(super) struct Tensors<'a>(Vec<List<'a>>);

impl<'a> Tensors<'a> {
    /// Adds a list of integers.
    pub(super) fn i32(self, name: &'static str, values: impl Iterator<Item = i32>) -> Self {
        let bytes: Vec<u8> = values.flat_map(i32::to_le_bytes).collect();
        self.with(name, Dtype::I32, bytes.len() / size_of::<i32>(), bytes)
    }

    /// Adds a list of numbers.
    pub(super) fn f32(self, name: &'static str, values: impl Iterator<Item = f32>) -> Self {
        let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
        self.with(name, Dtype::F32, bytes.len() / size_of::<f32>(), bytes)
    }

    /// Adds bytes: a file, or a flag for each token.
    pub(super) fn u8(self, name: &'static str, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let bytes = bytes.into();
        self.with(name, Dtype::U8, bytes.len(), bytes)
    }

    fn with(mut self, name: &'static str, dtype: Dtype, length: usize, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        self.0.push(List { name, dtype, length, bytes: bytes.into() });
        self
    }

    /// Writes the body.
    pub(super) fn body(&self) -> Result<Vec<u8>, WireError> {
        let views = self.0.iter().map(|List { name, dtype, length, bytes }| {
            Ok::<_, SafeTensorError>((*name, TensorView::new(*dtype, vec![*length], bytes)?))
        });
        Ok(safetensors::serialize(views.collect::<Result<Vec<_>, _>>()?, None)?)
    }
}

/// A body that was received.
pub(super) struct Body<'a> {
    metadata: HashMap<String, String>,
    tensors: SafeTensors<'a>,
}

impl<'a> Body<'a> {
    /// Reads the header of a body.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, WireError> {
        let (_, header) = SafeTensors::read_metadata(bytes)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        Ok(Self { metadata, tensors: SafeTensors::deserialize(bytes)? })
    }

    /// Returns an entry of the metadata.
    pub(super) fn entry(&self, name: &str) -> Option<&str> {
        self.metadata.get(name).map(String::as_str)
    }

    /// Returns a list of `count` numbers.
    pub(super) fn f32(&self, name: &str, count: usize) -> Result<Vec<f32>, WireError> {
        let bytes = self.list(name, Dtype::F32)?;
        let values: Vec<f32> = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        match values.len() == count {
            true => Ok(values),
            false => Err(WireError(format!("tensor {name} has {} values, {count} were requested", values.len()))),
        }
    }

    /// Returns the bytes of a nested file.
    pub(super) fn u8(&self, name: &str) -> Result<&'a [u8], WireError> {
        self.list(name, Dtype::U8)
    }

    fn list(&self, name: &str, dtype: Dtype) -> Result<&'a [u8], WireError> {
        let tensor = self.tensors.tensor(name).map_err(|_| WireError(format!("tensor {name} is missing")))?;
        if tensor.dtype() != dtype || tensor.shape().len() != 1 {
            let found = format!("{:?} {:?}", tensor.dtype(), tensor.shape());
            return Err(WireError(format!("tensor {name} is {found}, a list of {dtype:?} was expected")));
        }
        Ok(tensor.data())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_read_as_it_was_written() {
        let tensors = Tensors::default().i32("tokens", [1, -2].into_iter()).f32("gradient", [0.5, -0.0].into_iter());
        let bytes = tensors.u8("adapter", b"file".as_slice()).body().unwrap();
        let body = Body::read(&bytes).unwrap();
        let gradient = body.f32("gradient", 2).unwrap();
        assert_eq!(gradient.iter().map(|value| value.to_bits()).collect::<Vec<_>>(), [0.5f32, -0.0].map(f32::to_bits));
        assert_eq!(body.u8("adapter").unwrap(), b"file");
        assert_eq!(body.entry("steps"), None);
    }

    #[test]
    fn a_body_of_something_else_is_an_error_with_its_cause() {
        let rejected = |bytes: &[u8]| Body::read(bytes).err().expect("refused").to_string();
        assert!(rejected(b"<html>").contains("cannot be read"));
        let bytes = Tensors::default().f32("logprobs", [1.0].into_iter()).body().unwrap();
        assert!(rejected(&bytes[..bytes.len() - 1]).contains("cannot be read"));
        let body = Body::read(&bytes).unwrap();
        for (error, words) in [
            (body.f32("logprobs", 2).err(), "has 1 values, 2 were requested"),
            (body.f32("entropies", 1).err(), "tensor entropies is missing"),
            (body.u8("logprobs").err(), "is F32 [1], a list of U8 was expected"),
        ] {
            let text = error.expect("refused").to_string();
            assert!(text.contains(words), "{text}");
        }
    }
}
