//! Reader of numbers and texts, none of which reaches past the end of the file.

/// Maximum number of tensors, and of metadata entries.
const MAX_COUNT: u64 = 256 * 1024;

/// Error of a header.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum HeaderError {
    #[error("the file ends in the middle of {0}")]
    Short(String),
    #[error("GGUF version {0}; versions 2 and 3 in little-endian order are read")]
    Version(u32),
    /// A number in the header is impossible.
    #[error("{0}")]
    Invalid(String),
}

/// A position in a file.
pub(crate) struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: &'a [u8], at: usize) -> Self {
        Self { file, at }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn take(&mut self, bytes: usize, what: &str) -> Result<&'a [u8], HeaderError> {
        let end = self.at.checked_add(bytes);
        let part =
            end.and_then(|end| self.file.get(self.at..end)).ok_or_else(|| HeaderError::Short(what.to_owned()))?;
        self.at += bytes;
        Ok(part)
    }

    /// Returns what was read since a position.
    pub(crate) fn since(&self, start: usize) -> &'a [u8] {
        &self.file[start..self.at]
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, HeaderError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn u64(&mut self, what: &str) -> Result<u64, HeaderError> {
        let (low, high) = (self.u32(what)?, self.u32(what)?);
        Ok(u64::from(low) | u64::from(high) << 32)
    }

    pub(crate) fn size(&mut self, what: &str) -> Result<usize, HeaderError> {
        let size = self.u64(what)?;
        usize::try_from(size).map_err(|_| HeaderError::Invalid(format!("{what}: {size} is too large")))
    }

    pub(crate) fn count(&mut self, what: &str) -> Result<u64, HeaderError> {
        let count = self.u64(what)?;
        if count > MAX_COUNT {
            return Err(HeaderError::Invalid(format!("the header makes {count} {what}; the limit is {MAX_COUNT}")));
        }
        Ok(count)
    }

    pub(crate) fn text(&mut self, what: &str) -> Result<&'a str, HeaderError> {
        let length = self.size(what)?;
        std::str::from_utf8(self.take(length, what)?).map_err(|_| HeaderError::Invalid(format!("{what} is not UTF-8")))
    }
}
