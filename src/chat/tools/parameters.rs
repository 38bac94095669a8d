//! Types of a function's parameters, which tell text from JSON where a call has both without quotes.

use serde_json::Value;

/// Maximum number of references and unions that are followed to a type.
const MAX_DEPTH: usize = 16;

/// Returns the types that a schema allows; `None` if it allows any, or if they are not known. `root` is the schema that references are
/// relative to.
pub(in crate::chat) fn types<'a>(root: &'a Value, schema: &'a Value) -> Option<Vec<&'a str>> {
    types_at(root, schema, MAX_DEPTH)
}

fn types_at<'a>(root: &'a Value, schema: &'a Value, depth: usize) -> Option<Vec<&'a str>> {
    let depth = depth.checked_sub(1)?;
    let union = |schemas: &'a Value| -> Option<Vec<&'a str>> {
        let types: Option<Vec<_>> = schemas.as_array()?.iter().map(|schema| types_at(root, schema, depth)).collect();
        Some(types?.concat())
    };
    if let Some(target) = resolved(root, schema) {
        return types_at(root, target, depth);
    }
    if let Some(value) = schema.get("const") {
        return Some(vec![type_of(value)]);
    }
    if let Some(values) = schema["enum"].as_array() {
        return Some(values.iter().map(type_of).collect());
    }
    match &schema["type"] {
        Value::String(name) => return Some(vec![name]),
        Value::Array(names) => return names.iter().map(Value::as_str).collect(),
        _ => {}
    }
    let all = || schema["allOf"].as_array()?.iter().find_map(|schema| types_at(root, schema, depth));
    union(&schema["anyOf"]).or_else(|| union(&schema["oneOf"])).or_else(all)
}

/// Returns the schema that a reference inside the same document names.
pub(in crate::chat) fn resolved<'a>(root: &'a Value, schema: &Value) -> Option<&'a Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A parameter of a function.
pub(super) struct Parameter<'a> {
    types: Option<Vec<&'a str>>,
}

impl<'a> Parameter<'a> {
    /// Returns a parameter of a function by its name. `schema` is that of all parameters.
    pub(super) fn of(schema: &'a Value, name: &str) -> Self {
        let own = schema["properties"].get(name);
        Self { types: own.and_then(|own| types(schema, own)) }
    }

    /// Returns whether every value is text.
    pub(super) fn is_text(&self) -> bool {
        self.types.as_ref().is_some_and(|types| types.iter().all(|name| *name == "string"))
    }

    /// Returns a value as JSON. Text that is a value of an allowed type other than text is that value; constants may be Python's.
    pub(super) fn json(&self, text: &str) -> String {
        let trimmed = match text.trim() {
            "True" => "true",
            "False" => "false",
            "None" => "null",
            other => other,
        };
        let parsed = serde_json::from_str::<Value>(trimmed).ok().filter(|value| !value.is_string());
        match parsed {
            Some(value) if self.allows(type_of(&value)) => trimmed.to_owned(),
            _ => Value::from(text).to_string(),
        }
    }

    fn allows(&self, name: &str) -> bool {
        let Some(types) = &self.types else { return true };
        // A number may be written without a fraction, and an integer with one.
        let is_number = |name: &str| matches!(name, "integer" | "number");
        types.iter().any(|allowed| *allowed == name || (is_number(allowed) && is_number(name)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_and_json_are_told_apart_by_the_schema() {
        let schema = json!({
            "properties": {
                "text": {"type": "string"},
                "choice": {"enum": ["1", "2"]},
                "count": {"type": "integer"},
                "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "list": {"$ref": "#/$defs/list"},
                "loop": {"$ref": "#/properties/loop"},
                "any": {},
            },
            "$defs": {"list": {"allOf": [{}, {"type": ["array", "boolean"]}]}},
        });
        for (name, is_text, text, expected) in [
            ("text", true, "1", "\"1\""),
            ("choice", true, "1", "\"1\""),
            ("count", false, " 1\n", "1"),
            ("count", false, "1.0", "1.0"),
            ("count", false, "one", "\"one\""),
            ("maybe", false, "None", "null"),
            ("maybe", false, "1", "\"1\""),
            ("list", false, "[1, \"a\"]", "[1, \"a\"]"),
            ("list", false, "True", "true"),
            ("list", false, "{}", "\"{}\""),
            ("loop", false, "{\"a\": 1}", "{\"a\": 1}"),
            ("any", false, "007", "\"007\""),
            ("any", false, "\"a\"", "\"\\\"a\\\"\""),
            ("unknown", false, "7", "7"),
        ] {
            let parameter = Parameter::of(&schema, name);
            assert_eq!((parameter.is_text(), parameter.json(text).as_str()), (is_text, expected), "{name} {text}");
        }
    }
}
