//! Headers of GGUF files: metadata and the list of tensors.
//!
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3, little-endian. Files come from strangers:
//! nothing is allocated for a count before the file is known to be long enough for it.

mod metadata;
mod reader;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod write;

pub use metadata::{List, Metadata, MetadataError, Value};
pub use reader::HeaderError;
pub use write::{MetadataValue, WrittenTensor, head};

use reader::Reader;

/// First bytes of a GGUF file.
const MAGIC: &[u8; 4] = b"GGUF";
/// Alignment of tensors unless the metadata says otherwise.
pub const ALIGNMENT: usize = 32;
/// Maximum number of dimensions of a tensor.
const MAX_DIMENSIONS: u32 = 4;

/// Header of a GGUF file.
#[derive(Debug)]
pub struct Header<'a> {
    /// Metadata.
    pub metadata: Metadata<'a>,
    /// Tensors in the order of the file.
    pub tensors: Vec<TensorInfo<'a>>,
    /// Offset at which the tensors' data begin.
    pub data: usize,
}

/// Entry of a tensor in a header. Nothing says that its data are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo<'a> {
    /// Name by llama.cpp.
    pub name: &'a str,
    /// Shape, with the innermost dimension last.
    pub shape: Vec<usize>,
    /// Number of the element type, as in `ggml.h`.
    pub element: u32,
    /// Offset of the data from [`Header::data`].
    pub offset: usize,
}

/// Returns whether a file begins as GGUF.
pub fn is_gguf(file: &[u8]) -> bool {
    file.starts_with(MAGIC)
}

impl<'a> Header<'a> {
    /// Reads the header of a file that begins as GGUF.
    ///
    /// # Errors
    /// The file has another version, ends too early, or has an impossible number in its header.
    pub fn read(file: &'a [u8]) -> Result<Self, HeaderError> {
        let mut reader = Reader::new(file, MAGIC.len());
        let version = reader.u32("the version")?;
        if !(2..=3).contains(&version) {
            return Err(HeaderError::Version(version));
        }
        let tensors = reader.count("tensors")?;
        let entries = reader.count("metadata entries")?;
        let metadata = Metadata::read(&mut reader, entries)?;
        let alignment = match metadata.get("general.alignment") {
            None => ALIGNMENT,
            Some(Value::Unsigned(number)) => {
                let alignment = usize::try_from(*number).ok().filter(|size| size.is_power_of_two());
                let alignment = alignment.filter(|size| *size <= 1 << 16);
                alignment.ok_or_else(|| {
                    HeaderError::Invalid(format!("general.alignment is {number}, which is no power of two below 65537"))
                })?
            }
            Some(_) => return Err(HeaderError::Invalid("general.alignment is no number".to_owned())),
        };
        let mut infos = Vec::new();
        for _ in 0..tensors {
            let name = reader.text("a tensor's name")?;
            let dimensions = reader.u32("a tensor's shape")?;
            if dimensions > MAX_DIMENSIONS {
                return Err(HeaderError::Invalid(format!(
                    "tensor {name} has {dimensions} dimensions; there are at most {MAX_DIMENSIONS}"
                )));
            }
            // The innermost dimension comes first.
            let mut shape = (0..dimensions).map(|_| reader.size("a tensor's shape")).collect::<Result<Vec<_>, _>>()?;
            shape.reverse();
            let element = reader.u32("a tensor's type")?;
            infos.push(TensorInfo { name, shape, element, offset: reader.size("a tensor's offset")? });
        }
        let data = reader.position().next_multiple_of(alignment);
        Ok(Self { metadata, tensors: infos, data })
    }

    /// Returns the entry of a tensor.
    pub fn tensor(&self, name: &str) -> Option<&TensorInfo<'a>> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }
}

#[cfg(test)]
mod tests;
