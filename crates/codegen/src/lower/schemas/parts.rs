//! Parts of a schema: itself and, through references, every member of its `allOf`.

use serde_json::{Map, Value};

use crate::fault::{Report, child};
use crate::lower::schemas::Schemas;
use crate::reference::reference_pointer;

/// One of several schema objects that apply together.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    pub pointer: String,
    pub node: &'a Map<String, Value>,
    /// For `oneOf` and `anyOf`, whether a branch has already become part of the list.
    pub spent: [bool; 2],
}

/// Keywords of a choice, in the order of [`Part::spent`].
pub(super) const CHOICES: [&str; 2] = ["oneOf", "anyOf"];

/// Keywords that are documentation and limit nothing.
const ANNOTATIONS: [&str; 12] = [
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "externalDocs",
    "xml",
    "nullable",
    "discriminator",
];

/// Returns whether a keyword does not affect the valid values, except null.
pub(super) fn is_annotation(key: &str, value: &Value) -> bool {
    ANNOTATIONS.contains(&key)
        || key.starts_with("x-")
        || key.starts_with('$') && key != "$ref"
        || match key {
            "additionalProperties" => value == &Value::Bool(true),
            "required" | "allOf" | "oneOf" | "anyOf" => value.as_array().is_some_and(Vec::is_empty),
            "uniqueItems" | "exclusiveMinimum" | "exclusiveMaximum" => value == &Value::Bool(false),
            _ => false,
        }
}

impl<'a> Part<'a> {
    /// Returns whether the part limits its values beyond their JSON type.
    pub fn limits_values(&self) -> bool {
        self.node.iter().any(|(key, value)| match CHOICES.iter().position(|choice| choice == key) {
            Some(choice) => !self.spent[choice] && !is_annotation(key, value),
            None => !matches!(key.as_str(), "allOf" | "type") && !is_annotation(key, value),
        })
    }
}

/// Returns the identity of several parts together.
pub(super) fn identity(parts: &[Part<'_>]) -> String {
    let parts = parts.iter().map(|part| {
        let spent = part.spent.iter().filter(|spent| **spent).count();
        format!("{}{}", part.pointer, "!".repeat(spent))
    });
    parts.collect::<Vec<_>>().join("&")
}

impl<'a> Schemas<'a> {
    /// Follows references to a schema that is not a reference.
    pub fn follow(&mut self, pointer: &str, node: &'a Map<String, Value>) -> Option<(String, &'a Map<String, Value>)> {
        match self.followed(pointer, node) {
            Ok(found) => Some(found),
            Err((pointer, message)) => {
                self.faults.error(&pointer, message);
                None
            }
        }
    }

    /// Follows references like [`Self::follow`], but returns the fault.
    #[expect(clippy::type_complexity, reason = "a place and what is there, twice")]
    pub fn followed(
        &self,
        pointer: &str,
        node: &'a Map<String, Value>,
    ) -> Result<(String, &'a Map<String, Value>), (String, String)> {
        let (mut pointer, mut node) = (pointer.to_owned(), node);
        for _ in 0..64 {
            let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return Ok((pointer, node)) };
            let target = reference_pointer(reference);
            match target.and_then(|target| Some((self.root.pointer(&target)?.as_object()?, target))) {
                Some((found, target)) => (pointer, node) = (target, found),
                None => {
                    let message = format!("`{reference}` does not exist; define it or correct the name");
                    return Err((child(&pointer, "$ref"), message));
                }
            }
        }
        Err((pointer, "references lead in a circle; write what the values are".to_owned()))
    }

    /// Appends the parts of a schema that are not in the list yet.
    pub fn flatten(&mut self, pointer: &str, node: &'a Map<String, Value>, parts: &mut Vec<Part<'a>>) {
        let Some((pointer, node)) = self.follow(pointer, node) else { return };
        if parts.iter().any(|part| part.pointer == pointer) {
            return;
        }
        parts.push(Part { pointer: pointer.clone(), node, spent: [false; 2] });
        let members = child(&pointer, "allOf");
        for (index, member) in node.get("allOf").and_then(Value::as_array).into_iter().flatten().enumerate() {
            if let Some(member) = member.as_object() {
                self.flatten(&format!("{members}/{index}"), member, parts);
            }
        }
    }

    /// Returns the one schema that this one repeats: a single reference in `allOf` with annotations only beside it.
    pub fn passed_through(&self, pointer: &str, node: &'a Map<String, Value>) -> Option<(String, &'a Value)> {
        let all = node.get("allOf")?.as_array()?;
        let mut only = None;
        for (index, member) in all.iter().enumerate() {
            let map = member.as_object()?;
            if map.iter().all(|(key, value)| is_annotation(key, value)) {
                continue;
            }
            if only.replace((format!("{pointer}/allOf/{index}"), member)).is_some() {
                return None;
            }
        }
        let (at, member) = only?;
        let target = member.as_object()?;
        target.get("$ref")?;
        // `type` beside the reference is redundant if it repeats that of the target.
        let expected = self.followed(&at, target).ok()?.1.get("type");
        let redundant = |key: &str, value: &Value| key == "type" && (expected.is_none() || expected == Some(value));
        node.iter()
            .all(|(key, value)| key == "allOf" || is_annotation(key, value) || redundant(key, value))
            .then_some((at, member))
    }

    /// Returns whether the schema allows null.
    pub fn is_nullable(&self, node: &'a Map<String, Value>) -> bool {
        self.allows_null(node, &mut Vec::new())
    }

    /// Visits each schema once: in a cycle, repeated visits would double the work with each level.
    fn allows_null(&self, node: &'a Map<String, Value>, seen: &mut Vec<&'a Map<String, Value>>) -> bool {
        let Ok((_, node)) = self.followed("", node) else { return false };
        if seen.iter().any(|known| std::ptr::eq(*known, node)) {
            return false;
        }
        seen.push(node);
        match node.get("nullable") {
            Some(Value::Bool(nullable)) => return *nullable,
            _ if node.contains_key("type") => return holds_null(node),
            _ => {}
        }
        if holds_null(node) {
            return true;
        }
        let members =
            |key: &str| node.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
        let all = members("allOf").count() > 0 && members("allOf").all(|member| self.allows_null(member, seen));
        all || CHOICES.iter().any(|choice| members(choice).any(|member| self.allows_null(member, seen)))
    }

    /// Returns a name for a schema that is referred to by its pointer.
    pub fn hint_of(&self, pointer: &str) -> String {
        let structure = ["components", "schemas", "properties", "items", "paths", "content", "schema", "allOf"];
        let words: Vec<_> = pointer.split('/').filter(|word| !structure.contains(word)).collect();
        words.join(" ").replace("~1", " ").replace("~0", "~")
    }
}

fn holds_null(node: &Map<String, Value>) -> bool {
    node.get("enum").and_then(Value::as_array).is_some_and(|values| values.contains(&Value::Null))
}
