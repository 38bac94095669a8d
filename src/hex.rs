//! Hexadecimal encoding.

use std::fmt::Write;

/// Encodes bytes as lower-case hexadecimal digits, two per byte.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
