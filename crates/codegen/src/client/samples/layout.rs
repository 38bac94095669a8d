//! Layout of JSON values as literals of a language.

use serde_json::Value;

/// Maximum length of a line.
const WIDTH: usize = 100;

/// Literals of a language.
pub(super) struct Syntax {
    pub null: &'static str,
    pub booleans: [&'static str; 2],
    pub indent: usize,
    /// Text between the braces and the items of an object on one line.
    pub padding: &'static str,
    /// Whether a comma follows the last item of several lines.
    pub trailing_comma: bool,
    pub key: fn(&str) -> String,
    pub text: fn(&str) -> String,
}

/// JSON itself.
pub(super) const JSON: Syntax = Syntax {
    null: "null",
    booleans: ["false", "true"],
    indent: 2,
    padding: "",
    trailing_comma: false,
    key: quoted,
    text: quoted,
};

/// Returns a text as a string of JSON, which is also one of Python and JavaScript.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl Syntax {
    /// Returns the literal of a value. It is on one line if the line fits after `used` characters; further lines begin
    /// with the spaces of `depth` levels.
    pub(super) fn write(&self, value: &Value, depth: usize, used: usize) -> String {
        let line = self.line(value);
        if used + line.chars().count() <= WIDTH {
            return line;
        }
        let (open, close, items): (_, _, Vec<String>) = match value {
            Value::Array(items) if !items.is_empty() => {
                let used = self.indent * (depth + 1) + 1;
                ('[', ']', items.iter().map(|item| self.write(item, depth + 1, used)).collect())
            }
            Value::Object(map) if !map.is_empty() => {
                let item = |(key, item): (&String, &Value)| {
                    let key = format!("{}: ", (self.key)(key));
                    let used = self.indent * (depth + 1) + key.chars().count() + 1;
                    key + &self.write(item, depth + 1, used)
                };
                ('{', '}', map.iter().map(item).collect())
            }
            _ => return line,
        };
        let inner = " ".repeat(self.indent * (depth + 1));
        let last = if self.trailing_comma { "," } else { "" };
        let items = items.join(&format!(",\n{inner}"));
        format!("{open}\n{inner}{items}{last}\n{}{close}", " ".repeat(self.indent * depth))
    }

    fn line(&self, value: &Value) -> String {
        match value {
            Value::Null => self.null.to_owned(),
            Value::Bool(value) => self.booleans[usize::from(*value)].to_owned(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => (self.text)(text),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.line(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Object(map) if map.is_empty() => "{}".to_owned(),
            Value::Object(map) => {
                let items: Vec<String> =
                    map.iter().map(|(key, item)| format!("{}: {}", (self.key)(key), self.line(item))).collect();
                format!("{{{padding}{}{padding}}}", items.join(", "), padding = self.padding)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_values_have_several_lines() {
        let value = json!({"a": [1, null, true], "b": {"text": "x".repeat(90)}});
        let expected =
            format!("{{\n  \"a\": [1, null, true],\n  \"b\": {{\n    \"text\": \"{}\"\n  }}\n}}", "x".repeat(90));
        assert_eq!(JSON.write(&value, 0, 0), expected);
        assert_eq!(JSON.write(&json!({"a": []}), 0, 0), r#"{"a": []}"#);
    }
}
