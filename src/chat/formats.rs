//! Formats of JSON schemas that are enforced strictly, and keywords that are not enforced.
//!
//! llguidance accepts 29 February in any year, second 60 in any minute, and fractions of unlimited length. RFC 3339,
//! which JSON Schema refers to, has neither of the first two. These formats are therefore replaced by patterns of this
//! module.

use serde_json::{Map, Value, json};

/// Keyword that no grammar can express.
const UNIQUE: &str = "uniqueItems";
/// Pattern of RFC 3339 dates, with the leap years of the Gregorian calendar.
const DATE: &str = concat!(
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
);
/// Pattern of RFC 3339 times, without leap seconds and with nanosecond precision.
const TIME: &str =
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";

/// Replaces formats by patterns in a schema and its subschemas.
pub(super) fn enforce(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    let pattern = match fields.get("format").and_then(Value::as_str) {
        Some("date") => Some(format!("^{DATE}$")),
        Some("time") => Some(format!("^{TIME}$")),
        Some("date-time") => Some(format!("^{DATE}T{TIME}$")),
        _ => None,
    };
    if let Some(pattern) = pattern {
        fields.remove("format");
        if fields.contains_key("pattern") {
            let also = json!({"pattern": pattern});
            match fields.get_mut("allOf") {
                Some(Value::Array(all)) => all.push(also),
                _ => drop(fields.insert("allOf".to_owned(), json!([also]))),
            }
        } else {
            fields.insert("pattern".to_owned(), pattern.into());
        }
    }
    // A grammar cannot express it; `is_weakened` tells of it.
    fields.shift_remove(UNIQUE);
    subschemas(fields, |_, schema| enforce(schema));
}

/// Returns whether [`enforce`] leaves out a condition of a schema.
pub(super) fn is_weakened(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            // A property may have this name too: then the warning is one too many.
            fields.get(UNIQUE) == Some(&Value::Bool(true)) || fields.values().any(is_weakened)
        }
        Value::Array(items) => items.iter().any(is_weakened),
        _ => false,
    }
}

/// Closes the objects of a schema that say nothing of undeclared properties, as strict schemas demand it. The parts of
/// an `allOf` stay open, for each would reject the properties of the others.
pub(crate) fn close_objects(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    let is_object = fields.contains_key("properties") || fields.get("type").is_some_and(|type_| type_ == "object");
    if is_object && !fields.contains_key("allOf") && !fields.contains_key("patternProperties") {
        fields.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    subschemas(fields, |key, schema| {
        if key != "allOf" {
            close_objects(schema);
        }
    });
}

/// Applies a change to each schema in the fields of another one, with the name of the field.
fn subschemas(fields: &mut Map<String, Value>, change: impl Fn(&str, &mut Value)) {
    for (key, value) in fields {
        match (key.as_str(), value) {
            // These hold values, not schemas.
            ("const" | "enum" | "default" | "example" | "examples", _) => {}
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(named),
            ) => {
                named.values_mut().for_each(|schema| change(key, schema));
            }
            (_, Value::Array(items)) => items.iter_mut().for_each(|schema| change(key, schema)),
            (_, value) => change(key, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_are_the_formats() {
        let patterns = |format: &str| {
            let mut schema = json!({"format": format});
            enforce(&mut schema);
            regex::Regex::new(schema["pattern"].as_str().unwrap()).unwrap()
        };
        let (date, time, both) = (patterns("date"), patterns("time"), patterns("date-time"));
        for good in ["2024-02-29", "2000-02-29", "2023-02-28", "1999-12-31", "2026-11-30", "2400-02-29"] {
            assert!(date.is_match(good), "{good}");
        }
        for bad in ["2023-02-29", "1900-02-29", "2026-11-31", "2026-13-01", "2026-00-10", "26-01-01", "2024-02-30"] {
            assert!(!date.is_match(bad), "{bad}");
        }
        for good in ["00:00:00Z", "23:59:59+14:00", "12:30:00.5-01:30"] {
            assert!(time.is_match(good) && both.is_match(&format!("2024-02-29T{good}")), "{good}");
        }
        for bad in ["24:00:00Z", "12:51:60Z", "12:00:00", "12:00:00.Z", "12:00:00+24:00"] {
            assert!(!time.is_match(bad), "{bad}");
        }
    }

    #[test]
    fn objects_are_closed_where_nothing_else_is_said() {
        let mut schema = json!({
            "type": "object",
            "properties": {"a": {"type": "object"}, "b": {"type": "object", "additionalProperties": true}},
            "$defs": {"c": {"allOf": [{"properties": {"x": {}}}, {"properties": {"y": {"properties": {}}}}]}},
        });
        close_objects(&mut schema);
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["a"]["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["b"]["additionalProperties"], json!(true));
        let all = &schema["$defs"]["c"]["allOf"];
        assert!(all[0].get("additionalProperties").is_none() && all[1].get("additionalProperties").is_none());
    }

    #[test]
    fn uniqueness_is_left_out_and_told() {
        let mut schema = json!({"properties": {"tags": {"type": "array", "uniqueItems": true}}});
        assert!(is_weakened(&schema) && !is_weakened(&json!({"type": "array", "uniqueItems": false})));
        enforce(&mut schema);
        assert_eq!(schema, json!({"properties": {"tags": {"type": "array"}}}));
    }

    #[test]
    fn only_schemas_are_changed() {
        let mut schema = json!({
            "const": {"format": "date"},
            "properties": {"format": {"type": "string", "format": "time"}, "date": {"enum": [{"format": "date"}]}},
            "items": {"anyOf": [{"format": "date", "pattern": "^2"}, {"format": "uuid"}]},
        });
        enforce(&mut schema);
        assert_eq!(schema["const"], json!({"format": "date"}));
        assert_eq!(schema["properties"]["format"], json!({"type": "string", "pattern": format!("^{TIME}$")}));
        assert_eq!(schema["properties"]["date"], json!({"enum": [{"format": "date"}]}));
        let any = &schema["items"]["anyOf"];
        assert_eq!(any[0], json!({"pattern": "^2", "allOf": [{"pattern": format!("^{DATE}$")}]}));
        assert_eq!(any[1], json!({"format": "uuid"}));
    }
}
