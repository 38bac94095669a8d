//! Annotations of schemas: keywords that do not affect validity.

use serde_json::{Map, Value};

use crate::lower::schemas::Schemas;

impl<'a> Schemas<'a> {
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

    /// Returns the `default` of a schema or of the only member of its `allOf`, references followed.
    pub fn default_of(&self, node: &'a Value) -> Option<&'a Value> {
        self.default_within(node, 0)
    }

    fn default_within(&self, node: &'a Value, depth: usize) -> Option<&'a Value> {
        let node = self.followed("", node.as_object()?).ok()?.1;
        match (node.get("default"), node.get("allOf").and_then(Value::as_array).map(Vec::as_slice)) {
            (None, Some([one])) if depth < 32 => self.default_within(one, depth + 1),
            (default, _) => default,
        }
    }
}
