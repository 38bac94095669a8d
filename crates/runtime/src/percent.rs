//! Percent-encoding of paths.

/// Bytes, besides letters and digits, that the text of a path template keeps: those that a path can contain, and `%`.
pub const TEMPLATE: &[u8] = b"-._~!$&'()*+,;=:@%";

/// Percent-encodes every byte of a text but ASCII letters, digits and the `kept` ones.
pub fn encode(text: &str, kept: &[u8]) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_bytes_are_encoded() {
        assert_eq!(encode("a b/é%20:", TEMPLATE), "a%20b%2F%C3%A9%20:");
        assert_eq!(encode("a%:", b":"), "a%25:");
    }
}
