//! Equality of JSON values, for `uniqueItems` and `enum`.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

/// Returns the indices of the first two equal items.
pub(super) fn equal_pair<T: Serialize>(items: &[T]) -> Option<(usize, usize)> {
    let mut seen = HashMap::with_capacity(items.len());
    items.iter().enumerate().find_map(|(index, item)| {
        let text = canonical(&serde_json::to_value(item).ok()?);
        seen.insert(text, index).map(|first| (first, index))
    })
}

/// Returns a text that is the same for equal values.
pub(super) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e18 => {
                out.push_str(&(float as i64).to_string());
            }
            _ => out.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (key, value) in entries {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(value, out);
                out.push(',');
            }
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_is_what_json_schema_calls_equal() {
        assert_eq!(equal_pair(&[json!(1), json!("1"), json!(1.0)]), Some((0, 2)));
        assert_eq!(equal_pair(&[json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1})]), Some((0, 1)));
        assert_eq!(equal_pair(&[json!([1, 2]), json!([2, 1]), json!(null), json!(false)]), None);
    }
}
