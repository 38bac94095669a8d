//! JSON in the format of Python's `json.dumps(ensure_ascii=False)`, on which chat templates rely.

use serde_json::Value;

/// Keyword arguments of `json.dumps` that templates use.
pub struct JsonStyle {
    /// Whether characters outside ASCII are escaped.
    pub ensure_ascii: bool,
    /// Spaces per level; `None` writes everything on one line.
    pub indent: Option<usize>,
    /// Separator between items.
    pub item_separator: String,
    /// Separator between key and value.
    pub key_separator: String,
    /// Whether keys are sorted; otherwise they keep their order.
    pub sort_keys: bool,
}

impl Default for JsonStyle {
    fn default() -> Self {
        Self {
            ensure_ascii: false,
            indent: None,
            item_separator: ", ".to_owned(),
            key_separator: ": ".to_owned(),
            sort_keys: false,
        }
    }
}

/// Serialises `value` in the given style.
pub fn dumps(value: &Value, style: &JsonStyle) -> String {
    dumps_within(value, style, usize::MAX).unwrap_or_default()
}

/// Like [`dumps`]; `None` if the text is longer than `limit` bytes.
pub(crate) fn dumps_within(value: &Value, style: &JsonStyle, limit: usize) -> Option<String> {
    let mut out = Text { text: String::new(), limit, exceeded: false };
    write_value(&mut out, value, style, 0);
    (!out.exceeded).then_some(out.text)
}

/// Text of limited length.
struct Text {
    text: String,
    limit: usize,
    exceeded: bool,
}

impl Text {
    /// Returns whether `length` more bytes are within the limit.
    fn admits(&mut self, length: usize) -> bool {
        self.exceeded |= self.limit - self.text.len() < length;
        !self.exceeded
    }

    fn push_str(&mut self, text: &str) {
        if self.admits(text.len()) {
            self.text.push_str(text);
        }
    }

    fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }

    fn spaces(&mut self, count: usize) {
        if self.admits(count) {
            self.text.extend(std::iter::repeat_n(' ', count));
        }
    }
}

fn write_value(out: &mut Text, value: &Value, style: &JsonStyle, level: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => out.push_str(&float_repr(float)),
            None => out.push_str(&number.to_string()),
        },
        Value::String(text) => write_string(out, text, style.ensure_ascii),
        Value::Array(items) => {
            write_sequence(out, ('[', ']'), items.iter(), style, level, |out, item| {
                write_value(out, item, style, level + 1);
            });
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            if style.sort_keys {
                entries.sort_by(|left, right| left.0.cmp(right.0));
            }
            write_sequence(out, ('{', '}'), entries.into_iter(), style, level, |out, (key, item)| {
                write_string(out, key, style.ensure_ascii);
                out.push_str(&style.key_separator);
                write_value(out, item, style, level + 1);
            });
        }
    }
}

fn write_sequence<I>(
    out: &mut Text,
    (open, close): (char, char),
    items: impl ExactSizeIterator<Item = I>,
    style: &JsonStyle,
    level: usize,
    mut write_item: impl FnMut(&mut Text, I),
) {
    let line = |out: &mut Text, level: usize| {
        if let Some(indent) = style.indent {
            out.push('\n');
            out.spaces(indent.saturating_mul(level));
        }
    };
    out.push(open);
    let empty = items.len() == 0;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(&style.item_separator);
        }
        line(out, level + 1);
        write_item(out, item);
    }
    if !empty {
        line(out, level);
    }
    out.push(close);
}

fn write_string(out: &mut Text, text: &str, ensure_ascii: bool) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            character if character < ' ' || (ensure_ascii && !character.is_ascii()) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            character => out.push(character),
        }
    }
    out.push('"');
}

/// Formats a float like Python's `repr(float)`: the shortest digits that parse to the same value, with an exponent
/// below 1e-4 and from 1e16 on.
fn float_repr(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = value.to_string();
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_line_like_python() {
        let value =
            json!({"b": [1, 2.0, 1e-5, 1e16, 123456.75, -0.5], "a": {"<é>": "x\"\\\n\u{1}\u{7f}'&"}, "e": [], "f": {}});
        assert_eq!(
            dumps(&value, &JsonStyle::default()),
            "{\"b\": [1, 2.0, 1e-05, 1e+16, 123456.75, -0.5], \"a\": {\"<é>\": \"x\\\"\\\\\\n\\u0001\u{7f}'&\"}, \"e\": [], \"f\": {}}"
        );
    }

    #[test]
    fn indent_sort_and_ascii_like_python() {
        let value = json!({"b": [1, "☃😀"], "a": {}});
        let style = JsonStyle {
            ensure_ascii: true,
            indent: Some(2),
            item_separator: ",".to_owned(),
            sort_keys: true,
            ..JsonStyle::default()
        };
        assert_eq!(dumps(&value, &style), "{\n  \"a\": {},\n  \"b\": [\n    1,\n    \"\\u2603\\ud83d\\ude00\"\n  ]\n}");
    }
}
