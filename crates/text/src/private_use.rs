//! Private-use characters as placeholders for text that templates must not see.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::template_error::TemplateError;

/// Returns `count` characters of `range` that occur in none of the texts and keys of `values`.
///
/// # Errors
/// The range has fewer unused characters.
pub fn unused_characters<'a>(
    range: RangeInclusive<char>,
    values: impl IntoIterator<Item = &'a Value>,
    count: usize,
) -> Result<Vec<char>, TemplateError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut used = HashSet::new();
    for value in values {
        each_text(value, &mut |text| used.extend(text.chars().filter(|character| range.contains(character))));
    }
    let unused: Vec<char> = range.filter(|character| !used.contains(character)).take(count).collect();
    if unused.len() < count { Err(TemplateError::PrivateUseExhausted) } else { Ok(unused) }
}

/// Calls `visit` with each text of a value, including keys.
pub(super) fn each_text<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, visit)),
        Value::Object(fields) => fields.iter().for_each(|(key, item)| {
            visit(key);
            each_text(item, visit);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn characters_in_texts_and_keys_are_not_given_out() {
        let value = json!({"\u{f0000}": [{"a": "x\u{f0002}"}]});
        let get = |last, count| unused_characters('\u{f0000}'..=last, [&value], count);
        assert_eq!(get('\u{f0004}', 2).unwrap(), ['\u{f0001}', '\u{f0003}']);
        assert!(get('\u{f0002}', 1).is_ok());
        assert!(matches!(get('\u{f0002}', 2), Err(TemplateError::PrivateUseExhausted)));
        assert!(get('\u{f0000}', 0).unwrap().is_empty());
    }
}
