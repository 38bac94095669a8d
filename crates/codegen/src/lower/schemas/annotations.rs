//! Annotations of schemas: keywords that do not affect validity.

use serde_json::{Map, Value};

use super::Schemas;

impl<'a> Schemas<'a> {
    /// Returns the `default` of a schema, references followed.
    pub fn default_of(&self, node: &'a Value) -> Option<&'a Value> {
        self.annotation(node.as_object()?, "default", 0)
    }

    /// Returns the `description` of a schema, references not followed: a target's description belongs to the target.
    pub fn description_of(&self, node: &'a Value) -> &'a str {
        node.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether a flag is set on a schema, references followed.
    pub(super) fn flag(&self, node: &'a Map<String, Value>, key: &str) -> bool {
        self.annotation(node, key, 0) == Some(&Value::Bool(true))
    }

    fn annotation(&self, node: &'a Map<String, Value>, key: &str, depth: usize) -> Option<&'a Value> {
        let node = self.followed("", node).ok()?.1;
        if let Some(value) = node.get(key) {
            return Some(value);
        }
        let all = node.get("allOf").and_then(Value::as_array)?;
        match all.as_slice() {
            [one] if depth < 32 => self.annotation(one.as_object()?, key, depth + 1),
            _ => None,
        }
    }
}
