//! Nodes of a document: value, JSON pointer, and access to other nodes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diff::Side;
use crate::fault::{child, unescaped};

/// An operation with its path item and its document, from which it inherits.
#[derive(Clone)]
pub(super) struct Operation<'a> {
    pub(super) path: &'a str,
    pub(super) item: Node<'a>,
    pub(super) node: Node<'a>,
    pub(super) root: Node<'a>,
}

/// Maximum length of a chain of references; a longer chain is a cycle.
const MAX_CHAIN: usize = 64;

/// A value in a document, with its JSON pointer.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) root: &'a Value,
    pub(super) value: &'a Value,
    pub(super) pointer: String,
    pub(super) side: Side,
}

impl<'a> Node<'a> {
    pub(super) fn root(root: &'a Value, side: Side) -> Self {
        Self { root, value: root, pointer: String::new(), side }
    }

    /// Returns the value of a key, references not followed.
    pub(super) fn child(&self, key: &str) -> Option<Self> {
        Some(self.with(key, self.value.as_object()?.get(key)?))
    }

    /// Returns the value of a key, references followed.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        Some(self.child(key)?.resolved())
    }

    /// Returns the elements of the list under a key, references followed.
    pub(super) fn list(&self, key: &str) -> Vec<Self> {
        let Some(list) = self.child(key) else { return Vec::new() };
        let elements = list.value.as_array().into_iter().flatten();
        elements.enumerate().map(|(index, value)| list.with(&index.to_string(), value).resolved()).collect()
    }

    /// Returns the entries of the map under a key by name, references followed.
    pub(super) fn map(&self, key: &str) -> BTreeMap<String, Self> {
        let Some(map) = self.child(key) else { return BTreeMap::new() };
        map.object().map(|(name, value)| (name.to_owned(), map.with(name, value).resolved())).collect()
    }

    /// Returns the entries of this object; none if it is not an object.
    pub(super) fn object(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        self.value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.value.get(key)?.as_bool()
    }

    /// Returns the node of a key, or this node if the key is missing.
    pub(super) fn child_or_self(&self, key: &str) -> Self {
        self.child(key).unwrap_or_else(|| self.clone())
    }

    /// Returns an element of this list, references not followed.
    pub(super) fn child_at(&self, index: usize) -> Option<Self> {
        Some(self.with(&index.to_string(), self.value.as_array()?.get(index)?))
    }

    /// Follows references. An unresolvable or external reference stays as it is.
    pub(super) fn resolved(self) -> Self {
        let mut node = self;
        for _ in 0..MAX_CHAIN {
            let Some(pointer) = node.text("$ref").and_then(|reference| reference.strip_prefix('#')) else { break };
            let Some(value) = node.root.pointer(pointer) else { break };
            node = Self { value, pointer: pointer.to_owned(), ..node };
        }
        node
    }

    /// Returns the component name of this node; `None` if it is not a component schema.
    pub(super) fn component(&self) -> Option<String> {
        let name = self.pointer.strip_prefix("/components/schemas/")?;
        (!name.contains('/')).then(|| unescaped(name))
    }

    fn with(&self, key: &str, value: &'a Value) -> Self {
        Self { value, pointer: child(&self.pointer, key), ..self.clone() }
    }
}

/// Returns a text that is the same for equal values.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries: BTreeMap<&str, String> =
                map.iter().map(|(key, value)| (key.as_str(), canonical(value))).collect();
            format!("{entries:?}")
        }
        Value::Array(list) => format!("{:?}", list.iter().map(canonical).collect::<Vec<_>>()),
        other => other.to_string(),
    }
}
