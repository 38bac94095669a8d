//! Limits of a safetensors header, checked before it is parsed: the parser's time and memory grow with it.

/// Maximum size of a header in bytes; the largest published models have 12 MiB in all their files.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum number of tensors in all files of a model.
const MAX_TENSORS: usize = 256 * 1024;
/// Key that each tensor of a header has once.
const OFFSETS: &str = "\"data_offsets\"";

/// Error of a header that is too large.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum HeaderError {
    #[error("its header has {0} bytes; the limit is {MAX_BYTES}")]
    TooLarge(u64),
    /// Too many tensors, together with those of the files before.
    #[error("the header makes {0} tensors; the limit is {MAX_TENSORS}")]
    TooManyTensors(usize),
}

/// Checks the header of a safetensors file; `others` is the number of tensors in other files. Everything else is left
/// to the parser.
///
/// # Errors
/// The header exceeds a limit.
pub(crate) fn check(file: &[u8], others: usize) -> Result<(), HeaderError> {
    let Some((length, rest)) = file.split_first_chunk() else { return Ok(()) };
    let length = u64::from_le_bytes(*length);
    if length > MAX_BYTES {
        return Err(HeaderError::TooLarge(length));
    }
    let header = usize::try_from(length).ok().and_then(|length| rest.get(..length)).unwrap_or_default();
    let named = std::str::from_utf8(header).map_or(0, |header| header.matches(OFFSETS).count());
    if others + named > MAX_TENSORS {
        return Err(HeaderError::TooManyTensors(others + named));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat()
    }

    #[test]
    fn large_headers_are_rejected_before_they_are_parsed() {
        assert_eq!(check(&u64::MAX.to_le_bytes(), 0), Err(HeaderError::TooLarge(u64::MAX)));
        let tensor = |index| format!(r#""t{index}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#);
        let header = |count: usize| format!("{{{}}}", (0..count).map(tensor).collect::<Vec<_>>().join(","));
        let many = file(&header(MAX_TENSORS + 1));
        assert_eq!(check(&many, 0), Err(HeaderError::TooManyTensors(MAX_TENSORS + 1)));
        let few = file(&header(3));
        assert_eq!(check(&few, MAX_TENSORS - 3), Ok(()));
        assert_eq!(check(&few, MAX_TENSORS - 2), Err(HeaderError::TooManyTensors(MAX_TENSORS + 1)));
        assert_eq!(check(b"short", 0), Ok(()), "the parser refuses it");
    }
}
