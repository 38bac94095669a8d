//! Annotations of schemas: keywords that do not affect validity.

use serde_json::{Map, Value};

use crate::lower::schemas::Schemas;

impl<'a> Schemas<'a> {
    /// Returns the `default` of a schema, references followed.
    pub fn default_of(&self, node: &'a Value) -> Option<&'a Value> {
        self.annotation(node.as_object()?, "default", 0)
    }

    /// Returns the `description` of a schema, references not followed: a target's description belongs to the target.
    pub fn description_of(&self, node: &'a Value) -> &'a str {
        node.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether a flag is set on a schema or on a member of its `allOf`, references followed.
    pub(super) fn flag(&self, node: &'a Map<String, Value>, key: &str) -> bool {
        self.flagged(node, key, &mut Vec::new())
    }

    fn flagged(&self, node: &'a Map<String, Value>, key: &str, seen: &mut Vec<&'a Map<String, Value>>) -> bool {
        let Ok((_, node)) = self.followed("", node) else { return false };
        if seen.iter().any(|known| std::ptr::eq(*known, node)) {
            return false;
        }
        seen.push(node);
        let members = node.get("allOf").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
        node.get(key) == Some(&Value::Bool(true)) || members.into_iter().any(|member| self.flagged(member, key, seen))
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
