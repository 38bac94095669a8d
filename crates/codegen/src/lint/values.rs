//! Match of a value in the document (a default, an example, an enum value) with its schema.
//!
//! A mismatch is reported only if it is certain: patterns, formats, `not` and the "exactly one" of `oneOf` are not
//! checked.

use serde_json::{Map, Value};

use crate::lint::messages::{found, json};
use crate::reference::resolve;

/// Maximum number of schemas that one value is compared with: nested unions multiply.
const MAX_STEPS: usize = 5_000;
const MAX_DEPTH: usize = 64;

/// Returns the reason why `value` does not match `schema`; `None` if it matches, or if that is uncertain.
pub(crate) fn misfit(root: &Value, value: &Value, schema: &Value) -> Option<String> {
    Check { root, steps: 0 }.value(value, schema, 0).map(|(path, why)| match path.is_empty() {
        true => why,
        false => format!("at {path}: {why}"),
    })
}

/// Returns whether `value` has the JSON type `json_type`.
pub(crate) fn is_of_type(value: &Value, json_type: &str) -> bool {
    match (json_type, value) {
        ("string", Value::String(_))
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

/// Compares by JSON equality: `1` equals `1.0`.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// Path within the value, and reason.
type Misfit = (String, String);

struct Check<'a> {
    root: &'a Value,
    steps: usize,
}

impl<'a> Check<'a> {
    fn value(&mut self, value: &Value, schema: &'a Value, depth: usize) -> Option<Misfit> {
        self.steps += 1;
        if self.steps > MAX_STEPS || depth > MAX_DEPTH {
            return None;
        }
        let map = schema.as_object()?;
        if map.contains_key("$ref") {
            return self.value(value, resolve(self.root, schema), depth + 1);
        }
        if value.is_null() {
            let nullable = map.get("nullable") == Some(&Value::Bool(true)) || !map.contains_key("type");
            let listed = map.get("enum").and_then(Value::as_array).is_some_and(|list| list.contains(&Value::Null));
            return (!nullable && !listed).then(|| here("it is null, which the schema does not allow"));
        }
        if let Some(json_type) = map.get("type").and_then(Value::as_str)
            && ["string", "boolean", "number", "integer", "array", "object"].contains(&json_type)
            && !is_of_type(value, json_type)
        {
            return Some(here(&format!("it is {}, not of type {json_type}", found(value))));
        }
        if let Some(list) = map.get("enum").and_then(Value::as_array)
            && !list.iter().any(|listed| equal(listed, value))
        {
            return Some(here(&format!("{} is not listed under `enum`", json(value))));
        }
        self.limits(value, map).or_else(|| self.inside(value, map, depth)).or_else(|| self.composed(value, map, depth))
    }

    fn limits(&self, value: &Value, schema: &Map<String, Value>) -> Option<Misfit> {
        let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
        let exclusive = |key: &str| schema.get(key) == Some(&Value::Bool(true));
        let (size, least, most, what) = match value {
            Value::Number(number) => {
                let number = number.as_f64()?;
                if limit("minimum").is_some_and(|least| number == least && exclusive("exclusiveMinimum"))
                    || limit("maximum").is_some_and(|most| number == most && exclusive("exclusiveMaximum"))
                {
                    return Some(here(&format!("{value} is the limit itself, which is excluded")));
                }
                (number, "minimum", "maximum", "its value")
            }
            Value::String(text) => (text.chars().count() as f64, "minLength", "maxLength", "its length"),
            Value::Array(items) => (items.len() as f64, "minItems", "maxItems", "its length"),
            Value::Object(map) => (map.len() as f64, "minProperties", "maxProperties", "its number of keys"),
            _ => return None,
        };
        if let Some(least) = limit(least).filter(|limit| size < *limit) {
            return Some(here(&format!("{what} is {size}, at least {least} is asked for")));
        }
        let most = limit(most).filter(|limit| size > *limit)?;
        Some(here(&format!("{what} is {size}, at most {most} is allowed")))
    }

    fn inside(&mut self, value: &Value, schema: &'a Map<String, Value>, depth: usize) -> Option<Misfit> {
        match value {
            Value::Array(items) => {
                let schema = schema.get("items")?;
                items
                    .iter()
                    .enumerate()
                    .find_map(|(index, item)| below(&index.to_string(), self.value(item, schema, depth + 1)))
            }
            Value::Object(object) => {
                let properties = schema.get("properties").and_then(Value::as_object);
                let one_way = |name: &str| {
                    let property = properties.and_then(|properties| properties.get(name));
                    property.map(|property| resolve(self.root, property)).is_some_and(|property| {
                        property["readOnly"] == true || property["writeOnly"] == true || property.get("allOf").is_some()
                    })
                };
                let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
                for name in required.filter_map(Value::as_str) {
                    if !object.contains_key(name) && !one_way(name) {
                        return Some(here(&format!("`{name}` is required and missing")));
                    }
                }
                let extra = schema.get("additionalProperties");
                for (name, value) in object {
                    let schema = match properties.and_then(|properties| properties.get(name)) {
                        Some(schema) => schema,
                        None if extra == Some(&Value::Bool(false)) => {
                            return Some(here(&format!("`{name}` is no property, and others are not allowed")));
                        }
                        None => match extra {
                            Some(schema) => schema,
                            None => continue,
                        },
                    };
                    if let Some(misfit) = below(name, self.value(value, schema, depth + 1)) {
                        return Some(misfit);
                    }
                }
                None
            }
            _ => None,
        }
    }

    fn composed(&mut self, value: &Value, schema: &'a Map<String, Value>, depth: usize) -> Option<Misfit> {
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            // A closed part rejects the properties of the others; the schema's own rules report that.
            let misfit = self.value(value, part, depth + 1).filter(|(_, why)| !why.ends_with("others are not allowed"));
            if misfit.is_some() {
                return misfit;
            }
        }
        for key in ["oneOf", "anyOf"] {
            let Some(branches) = schema.get(key).and_then(Value::as_array).filter(|list| !list.is_empty()) else {
                continue;
            };
            if branches.iter().all(|branch| self.value(value, branch, depth + 1).is_some()) {
                return Some(here(&format!("{} fits no branch of `{key}`", json(value))));
            }
        }
        None
    }
}

fn here(why: &str) -> Misfit {
    (String::new(), why.to_owned())
}

fn below(key: &str, misfit: Option<Misfit>) -> Option<Misfit> {
    misfit.map(|(path, why)| (format!("/{key}{path}"), why))
}
