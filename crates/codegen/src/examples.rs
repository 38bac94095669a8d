//! Examples of responses: those of the document, and values made from schemas where it has none that match.

use serde_json::{Map, Value, json};

use crate::lint::values::misfit;
use crate::reference::resolve;

/// Maximum number of schemas that a value is made from: nested schemas multiply.
const MAX_STEPS: usize = 2_000;
/// Maximum length of an array or a text that is made to reach its minimum.
const MAX_LENGTH: u64 = 1_000;

/// Returns the examples of a media type or a header of the document `root`: its own that match its schema, or else one
/// that is made from the schema.
pub(crate) fn examples(root: &Value, node: &Value) -> Vec<Value> {
    let named = node["examples"].as_object().into_iter().flatten();
    let named = named.filter_map(|(_, example)| resolve(root, example).get("value"));
    let own = node.get("example").into_iter().chain(named);
    let fitting: Vec<_> = own.filter(|value| misfit(root, value, &node["schema"]).is_none()).cloned().collect();
    if !fitting.is_empty() {
        return fitting;
    }
    vec![Maker { root, open: Vec::new(), steps: 0 }.value(&node["schema"]).unwrap_or_default()]
}

/// Maker of values from schemas.
struct Maker<'a> {
    root: &'a Value,
    /// References that lead to the current schema: a value does not contain itself.
    open: Vec<&'a str>,
    steps: usize,
}

impl<'a> Maker<'a> {
    /// Returns a value of the schema; `None` if it would contain itself.
    fn value(&mut self, schema: &'a Value) -> Option<Value> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            if self.open.contains(&reference) {
                return None;
            }
            self.open.push(reference);
            let value = self.value(resolve(self.root, schema));
            self.open.pop();
            return value;
        }
        let mut parts = Vec::new();
        self.parts(schema, &mut parts);
        let given = |part: &&'a Value| [part.get("example"), part.get("default"), part["enum"].get(0)];
        let mut given = parts.iter().flat_map(given).flatten();
        if let Some(given) = given.find(|value| misfit(self.root, value, schema).is_none()) {
            return Some(given.clone());
        }
        let json_type = parts.iter().find_map(|part| part["type"].as_str());
        match json_type {
            Some("string") => Some(text(&parts).into()),
            Some("integer" | "number") => Some(number(&parts)),
            Some("boolean") => Some(true.into()),
            Some("array") => self.array(&parts),
            _ => self.object(&parts),
        }
    }

    /// Lists a schema and the schemas that it combines with `allOf`.
    fn parts(&mut self, schema: &'a Value, parts: &mut Vec<&'a Value>) {
        self.steps += 1;
        if self.steps < MAX_STEPS {
            parts.push(schema);
            for part in list(schema, "allOf") {
                self.parts(resolve(self.root, part), parts);
            }
        }
    }

    fn array(&mut self, parts: &[&'a Value]) -> Option<Value> {
        let least = limit(parts, "minItems").unwrap_or(1).clamp(1, MAX_LENGTH);
        let item = parts.iter().find_map(|part| part.get("items")).and_then(|items| self.value(items));
        Some(item.map_or_else(|| json!([]), |item| (0..least).map(|_| item.clone()).collect()))
    }

    /// Returns an object with the required properties and those that have an example, or a value of the first possible
    /// branch.
    fn object(&mut self, parts: &[&'a Value]) -> Option<Value> {
        let required: Vec<&str> =
            parts.iter().flat_map(|part| list(part, "required")).filter_map(Value::as_str).collect();
        let mut object = Map::new();
        for (name, property) in parts.iter().filter_map(|part| part["properties"].as_object()).flatten() {
            let target = resolve(self.root, property);
            let shown = required.contains(&name.as_str()) || target.get("example").is_some();
            if shown
                && target["writeOnly"] != true
                && let Some(value) = self.value(property)
            {
                object.insert(name.clone(), value);
            }
        }
        for part in parts {
            for key in ["oneOf", "anyOf"].into_iter().filter(|key| part[*key].is_array()) {
                match list(part, key).find_map(|branch| self.branch(part, branch))? {
                    Value::Object(branch) => object.extend(branch),
                    other => return Some(other),
                }
            }
        }
        Some(object.into())
    }

    fn branch(&mut self, union: &'a Value, branch: &'a Value) -> Option<Value> {
        let mut value = self.value(branch)?;
        let discriminator = &union["discriminator"];
        if let (Some(object), Some(property)) = (value.as_object_mut(), discriminator["propertyName"].as_str())
            && let Some(reference) = branch["$ref"].as_str()
        {
            let name = reference.rsplit('/').next().unwrap_or_default();
            let mut mapping = discriminator["mapping"].as_object().into_iter().flatten();
            let mapped = mapping.find(|(_, target)| *target == reference || *target == name);
            object.insert(property.to_owned(), mapped.map_or(name, |(value, _)| value).into());
        }
        Some(value)
    }
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    schema[key].as_array().into_iter().flatten()
}

fn limit(parts: &[&Value], key: &str) -> Option<u64> {
    parts.iter().find_map(|part| part[key].as_u64())
}

fn text(parts: &[&Value]) -> String {
    let format = parts.iter().find_map(|part| part["format"].as_str());
    let text = match format {
        Some("date-time") => "2026-01-31T12:00:00Z",
        Some("date") => "2026-01-31",
        Some("time") => "12:00:00Z",
        Some("email") => "someone@example.com",
        Some("uri") => "https://example.com/",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        Some("byte") => "",
        _ => "text",
    };
    let least = limit(parts, "minLength").unwrap_or(0).min(MAX_LENGTH) as usize;
    let most = limit(parts, "maxLength").map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    text.chars().take(most).chain(std::iter::repeat_n('x', least.saturating_sub(text.len()))).collect()
}

/// Returns the number of the smallest magnitude within the limits, as far as whole numbers are.
fn number(parts: &[&Value]) -> Value {
    let bound = |key: &str, exclusive: &str, step: f64, whole: fn(f64) -> f64| {
        let part = parts.iter().find(|part| part[key].is_number())?;
        let limit = part[key].as_f64()?;
        let excluded = part[exclusive] == true && whole(limit) == limit;
        Some(if excluded { limit + step } else { whole(limit) })
    };
    let least = bound("minimum", "exclusiveMinimum", 1.0, f64::ceil).unwrap_or(f64::NEG_INFINITY);
    let most = bound("maximum", "exclusiveMaximum", -1.0, f64::floor).unwrap_or(f64::INFINITY);
    json!(0.0_f64.max(least).min(most) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(components: Value, node: Value) -> Vec<Value> {
        examples(&json!({"components": {"schemas": components, "examples": {"E": {"value": 7}}}}), &node)
    }

    fn made(components: Value, schema: Value) -> Value {
        of(components, json!({"schema": schema})).remove(0)
    }

    #[test]
    fn examples_of_the_document_come_first_if_they_match() {
        let integer = json!({"type": "integer"});
        assert_eq!(of(json!({}), json!({"schema": integer, "example": 5})), [json!(5)]);
        let named = json!({"a": {"$ref": "#/components/examples/E"}, "b": {"value": "no"}, "c": {"value": 9}});
        assert_eq!(of(json!({}), json!({"schema": integer, "examples": named})), [json!(7), json!(9)]);
        assert_eq!(of(json!({}), json!({"schema": integer, "example": "no"})), [json!(0)]);
        assert_eq!(made(json!({}), json!({"type": "string", "example": "own"})), "own");
    }

    #[test]
    fn a_value_keeps_to_its_schema() {
        for (schema, expected) in [
            (json!({"type": "integer", "minimum": 3, "exclusiveMinimum": true}), json!(4)),
            (json!({"type": "number", "minimum": 0.5}), json!(1)),
            (json!({"type": "integer", "maximum": -2}), json!(-2)),
            (json!({"type": "string", "minLength": 6}), json!("textxx")),
            (json!({"type": "string", "maxLength": 2}), json!("te")),
            (json!({"type": "string", "enum": ["one", "two"]}), json!("one")),
            (json!({"type": "array", "minItems": 2, "items": {"type": "boolean"}}), json!([true, true])),
            (json!({"type": "object", "additionalProperties": true}), json!({})),
            (json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}), json!(0)),
            (json!({}), json!({})),
        ] {
            assert_eq!(made(json!({}), schema.clone()), expected, "{schema}");
        }
    }

    #[test]
    fn an_object_has_what_it_requires_and_what_has_an_example() {
        let schema = json!({"required": ["id", "secret"], "allOf": [{"$ref": "#/components/schemas/Base"}], "properties": {
            "secret": {"type": "string", "writeOnly": true}, "note": {"type": "string"}, "size": {"type": "integer", "example": 3},
        }});
        let base = json!({"Base": {"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}}}});
        assert_eq!(made(base, schema), json!({"size": 3, "id": "00000000-0000-4000-8000-000000000000"}));
    }

    #[test]
    fn a_tree_ends_and_a_branch_has_its_discriminator() {
        let tree = json!({"$ref": "#/components/schemas/Tree"});
        let schemas = json!({"Tree": {"type": "object", "required": ["children"], "properties": {
            "children": {"type": "array", "items": tree},
        }}});
        assert_eq!(made(schemas, tree), json!({"children": []}));
        let pet = json!({
            "oneOf": [{"$ref": "#/components/schemas/Cat"}],
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}},
        });
        let cat = json!({"Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}});
        assert_eq!(made(cat, pet), json!({"kind": "cat"}));
    }
}
