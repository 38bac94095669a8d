//! `type`, `const`, `enum` and null of OpenAPI 3.1.

use serde_json::{Map, Value, json};

use crate::fault::{Report, child};
use crate::lint::is_of_type;
use crate::openapi_3_1::reduce::{Purpose, Reader};

/// Types with the keywords that limit only their values. An integer is a number here.
const KEYWORDS: [(&str, &[&str]); 5] = [
    ("string", &["minLength", "maxLength", "pattern"]),
    ("number", &["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
    ("boolean", &[]),
    ("array", &["items", "minItems", "maxItems", "uniqueItems"]),
    (
        "object",
        &[
            "properties",
            "additionalProperties",
            "patternProperties",
            "unevaluatedProperties",
            "required",
            "minProperties",
            "maxProperties",
        ],
    ),
];

/// Formats of numbers; all others are of strings.
const NUMBERS: [&str; 12] =
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "decimal", "integer"];

/// Returns the schema of null.
fn null() -> Value {
    json!({"type": "string", "nullable": true, "enum": [null]})
}

impl Reader {
    pub(super) fn types(&mut self, schema: &mut Map<String, Value>, at: &str) {
        self.constant(schema, at);
        self.described_values(schema, at);
        self.nullable(schema, at);
        let types = match schema.get("type") {
            Some(Value::String(one)) if one == "null" => vec!["null".to_owned()],
            Some(Value::Array(_)) => self.listed(schema, at),
            // The linter reports a value that is no type.
            _ => return,
        };
        let null_allowed = types.iter().any(|named| named == "null");
        let types: Vec<_> = types.into_iter().filter(|named| named != "null").collect();
        match types.as_slice() {
            [] if null_allowed => null_only(schema),
            [] => {
                schema.shift_remove("type");
            }
            [one] => {
                schema.insert("type".to_owned(), one.as_str().into());
                if null_allowed {
                    self.with_null(schema, at);
                }
            }
            several => self.several(schema, several, null_allowed, at),
        }
    }

    /// Replaces `const` by an `enum` of one value.
    fn constant(&mut self, schema: &mut Map<String, Value>, at: &str) {
        let Some(value) = schema.shift_remove("const") else { return };
        let listed = schema.get("enum").and_then(Value::as_array);
        if listed.is_some_and(|listed| !listed.contains(&value)) {
            self.faults
                .error(&child(at, "const"), "the value of `const` is not listed under `enum`: nothing can be met");
        }
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|named| named != "null" || value.is_null());
        }
        if value.is_null() {
            schema.insert("type".to_owned(), "null".into());
        } else {
            schema.insert("enum".to_owned(), json!([value]));
        }
    }

    /// Replaces a choice between constants, each with its description, by an `enum`.
    fn described_values(&mut self, schema: &mut Map<String, Value>, at: &str) {
        for key in ["oneOf", "anyOf"] {
            let branches = schema.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let values: Option<Vec<Value>> = branches.iter().map(only_value).collect();
            let Some(values) = values.filter(|values| values.len() > 1 && !schema.contains_key("enum")) else {
                continue;
            };
            let types: Vec<Option<Value>> = branches.iter().map(|branch| branch.get("type").cloned()).collect();
            if let Some(Some(same)) = types.first().filter(|first| types.iter().all(|one| one == *first)) {
                schema.entry("type").or_insert_with(|| same.clone());
            }
            let path = |index: usize| format!("{at}/{key}/{index}/enum/0");
            let moved = (0..values.len()).map(|index| (path(index), format!("{at}/enum/{index}"))).collect();
            schema.shift_remove(key);
            schema.insert("enum".to_owned(), values.into());
            self.moves.record(moved, vec![(child(at, "enum"), child(at, key))]);
        }
    }

    /// Handles the `nullable` of OpenAPI 3.0, which many documents of 3.1 still have.
    fn nullable(&mut self, schema: &mut Map<String, Value>, at: &str) {
        let Some(Value::Bool(nullable)) = schema.get("nullable") else { return };
        if *nullable && matches!(self.purpose, Purpose::Code { .. }) {
            let remedy = "list \"null\" under `type`";
            let what = "`nullable` has no meaning in OpenAPI 3.1";
            self.lacks(&child(at, "nullable"), what, "null is taken, as in OpenAPI 3.0", remedy);
        }
        if !*nullable || !self.is_lenient() {
            schema.shift_remove("nullable");
        }
    }

    /// Returns the listed types, each once; an integer beside a number is one.
    fn listed(&mut self, schema: &Map<String, Value>, at: &str) -> Vec<String> {
        let pointer = child(at, "type");
        let mut types: Vec<String> = Vec::new();
        for (index, named) in schema.get("type").and_then(Value::as_array).into_iter().flatten().enumerate() {
            if named.is_null() {
                self.faults.warn(&format!("{pointer}/{index}"), "null is read as the type \"null\"; quote it");
            }
            match named.as_str().or(named.is_null().then_some("null")) {
                Some(name)
                    if name == "null" || name == "integer" || KEYWORDS.iter().any(|(known, _)| *known == name) =>
                {
                    if !types.iter().any(|known| known == name) {
                        types.push(name.to_owned());
                    }
                }
                _ => {
                    let message = format!(
                        "{named} is no type; write one of array, boolean, integer, null, number, object, string"
                    );
                    self.faults.error(&format!("{pointer}/{index}"), message);
                }
            }
        }
        if schema.get("type") == Some(&json!([])) {
            self.faults.error(&pointer, "`type` is empty: nothing can be met; list the types, or remove it");
        }
        if types.iter().any(|named| named == "number") {
            types.retain(|named| named != "integer");
        }
        types
    }

    fn with_null(&mut self, schema: &mut Map<String, Value>, at: &str) {
        schema.insert("nullable".to_owned(), true.into());
        let listed = schema.get("enum").and_then(Value::as_array);
        if listed.is_some_and(|values| !values.contains(&Value::Null)) && matches!(self.purpose, Purpose::Code { .. }) {
            let message = "`type` lists null, and `enum` does not: null is taken; list it in both, or in none";
            self.faults.warn(&child(at, "enum"), message);
        }
    }

    fn several(&mut self, schema: &mut Map<String, Value>, types: &[String], null_allowed: bool, at: &str) {
        if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
            let fits = |value: &&Value| match value {
                Value::Null => null_allowed,
                value => types.iter().any(|named| is_of_type(value, named)),
            };
            let values: Vec<Value> = values.iter().filter(fits).cloned().collect();
            if !values.is_empty() {
                schema.insert("enum".to_owned(), values.into());
                schema.shift_remove("type");
                return;
            }
        }
        if types.len() == KEYWORDS.len() {
            schema.shift_remove("type");
            // It was added to complete the type.
            if schema.get("items") == Some(&json!({})) {
                schema.shift_remove("items");
            }
            return;
        }
        let choices = ["oneOf", "anyOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten();
        let mut choices = choices.peekable();
        if choices.peek().is_some() {
            let is_listed = |branch: &Value| {
                branch.get("type").and_then(Value::as_str).is_some_and(|named| types.iter().any(|known| known == named))
            };
            if !choices.all(is_listed) {
                let remedy = "write `type` in each branch of the choice";
                let what = "several types beside a choice are not checked";
                self.lacks(&child(at, "type"), what, "the branches decide", remedy);
            }
            schema.shift_remove("type");
            return;
        }
        self.split(schema, types, null_allowed, at);
    }

    /// Writes a branch for each type, with the keywords that limit its values.
    fn split(&mut self, schema: &mut Map<String, Value>, types: &[String], null_allowed: bool, at: &str) {
        schema.shift_remove("type");
        let format = schema.shift_remove("format");
        let is_numeric = format.as_ref().and_then(Value::as_str).is_some_and(|format| NUMBERS.contains(&format));
        let choice = child(at, "oneOf");
        let (mut moved, mut made) = (Vec::new(), vec![(choice.clone(), child(at, "type"))]);
        let mut branches = Vec::new();
        for (index, named) in types.iter().enumerate() {
            let path = format!("{choice}/{index}");
            let mut branch = Map::from_iter([("type".to_owned(), Value::from(named.as_str()))]);
            let class = if named == "integer" { "number" } else { named };
            for key in KEYWORDS.iter().filter(|(known, _)| *known == class).flat_map(|(_, keys)| *keys) {
                if let Some(value) = schema.shift_remove(*key) {
                    branch.insert((*key).to_owned(), value);
                    moved.push((child(at, key), child(&path, key)));
                }
            }
            if let Some(format) = &format
                && class == if is_numeric { "number" } else { "string" }
            {
                branch.insert("format".to_owned(), format.clone());
                moved.push((child(at, "format"), child(&path, "format")));
            }
            made.push((path, at.to_owned()));
            branches.push(Value::Object(branch));
        }
        if null_allowed {
            made.push((format!("{choice}/{}", branches.len()), at.to_owned()));
            branches.push(null());
        }
        // Keywords of types that are not listed limit nothing.
        for key in KEYWORDS.iter().flat_map(|(_, keys)| *keys) {
            schema.shift_remove(*key);
        }
        schema.insert("oneOf".to_owned(), branches.into());
        self.moves.record(moved, made);
    }
}

/// Returns the value of a schema that is a constant with documentation only.
fn only_value(branch: &Value) -> Option<Value> {
    let branch = branch.as_object()?;
    let is_note = |key: &str| matches!(key, "title" | "description" | "deprecated" | "type" | "enum" | "example");
    let [value] = branch.get("enum")?.as_array()?.as_slice() else { return None };
    let is_plain = branch.keys().all(|key| is_note(key) || key.starts_with("x-"));
    (is_plain && !value.is_null()).then(|| value.clone())
}

/// Replaces the type null.
fn null_only(schema: &mut Map<String, Value>) {
    if let Value::Object(null) = null() {
        schema.extend(null);
    }
}
