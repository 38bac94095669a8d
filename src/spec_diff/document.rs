//! A place in a document: its value, its JSON pointer, and the way from there to others.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Side;

/// References in a row that are followed; a longer row is a circle.
const LONGEST_CHAIN: usize = 64;

/// A value in a document, with its address.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) root: &'a Value,
    pub(super) value: &'a Value,
    pub(super) pointer: String,
    pub(super) side: Side,
}

impl<'a> Place<'a> {
    pub(super) fn root(root: &'a Value, side: Side) -> Self {
        Self { root, value: root, pointer: String::new(), side }
    }

    /// The value of a key, as it is written.
    pub(super) fn child(&self, key: &str) -> Option<Self> {
        Some(self.with(key, self.value.as_object()?.get(key)?))
    }

    /// The value of a key, references followed.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        Some(self.child(key)?.resolved())
    }

    /// The elements of the list under a key, references followed.
    pub(super) fn list(&self, key: &str) -> Vec<Self> {
        let Some(list) = self.child(key) else { return Vec::new() };
        let elements = list.value.as_array().into_iter().flatten();
        elements.enumerate().map(|(index, value)| list.with(&index.to_string(), value).resolved()).collect()
    }

    /// The entries of the map under a key by name, references followed.
    pub(super) fn map(&self, key: &str) -> BTreeMap<String, Self> {
        let Some(map) = self.child(key) else { return BTreeMap::new() };
        map.object().map(|(name, value)| (name.to_owned(), map.with(name, value).resolved())).collect()
    }

    /// The entries of this object; nothing when it is none.
    pub(super) fn object(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        self.value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.value.get(key)?.as_bool()
    }

    /// The place of a key that may be missing; then this place itself.
    pub(super) fn child_or_self(&self, key: &str) -> Self {
        self.child(key).unwrap_or_else(|| self.clone())
    }

    /// An element of this list, as it is written.
    pub(super) fn child_at(&self, index: usize) -> Option<Self> {
        Some(self.with(&index.to_string(), self.value.as_array()?.get(index)?))
    }

    /// Follows references. One that leads nowhere, or out of the document, stays as it is.
    pub(super) fn resolved(self) -> Self {
        let mut place = self;
        for _ in 0..LONGEST_CHAIN {
            let Some(pointer) = place.text("$ref").and_then(|reference| reference.strip_prefix('#')) else { break };
            let Some(value) = place.root.pointer(pointer) else { break };
            place = Self { value, pointer: pointer.to_owned(), ..place };
        }
        place
    }

    /// The name of the component that this place is, if it is one.
    pub(super) fn component(&self) -> Option<String> {
        let name = self.pointer.strip_prefix("/components/schemas/")?;
        (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
    }

    fn with(&self, key: &str, value: &'a Value) -> Self {
        let pointer = format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1"));
        Self { value, pointer, ..self.clone() }
    }
}

/// A text that is the same for equal values.
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
