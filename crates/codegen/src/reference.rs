//! References within a document.

use serde_json::Value;

/// Follows `$ref` once.
pub fn resolve<'a>(root: &'a Value, node: &'a Value) -> &'a Value {
    match node.get("$ref").and_then(Value::as_str) {
        Some(reference) => {
            reference_pointer(reference).and_then(|pointer| root.pointer(&pointer)).unwrap_or(&Value::Null)
        }
        None => node,
    }
}

/// Returns the JSON pointer of a reference into the same document, percent-decoded; `None` for any other reference.
pub fn reference_pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    if !fragment.is_empty() && !fragment.starts_with('/') {
        return None;
    }
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let hex = std::str::from_utf8(&digits).ok().filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
                bytes.push(u8::from_str_radix(hex, 16).ok()?);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok()
}
