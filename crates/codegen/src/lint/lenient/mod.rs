//! Lenient reading of documents of others: constructs that the generator would reject get their widest meaning.
//!
//! The result is a document that accepts at least what the original accepts. Each change is a warning that names the
//! assumption. Pointers of faults stay those of the original.

mod paths;
mod references;
mod unsatisfiable;

use serde_json::{Map, Value, json};
use trainyard_runtime::validation::Pattern;

use crate::fault::{Fault, Report, Severity, child, unescaped};
use crate::lint::grammar::Kind;
use crate::lint::parameters::is_media_type;
use crate::lint::structure::{Index, Site, unknown_key};

/// A document with its assumptions.
pub struct Assumed {
    pub document: Value,
    pub warnings: Vec<Fault>,
    /// Lists that lost elements, by pointer, with the indices of these elements in the original.
    removed: Vec<(String, Vec<usize>)>,
}

/// Gives constructs that the generator would reject their widest meaning. A document of an unknown version
/// stays as it is.
pub fn assume(original: &Value) -> Assumed {
    let mut assumed = Assumed { document: original.clone(), warnings: Vec::new(), removed: Vec::new() };
    if super::version(original).is_some() {
        return assumed;
    }
    // Faults of the grammar are found again in the result.
    let index = Index::of(original, &mut Vec::new());
    for site in &index.sites {
        match site.kind {
            Kind::Schema => assumed.schema(site),
            Kind::Operation => assumed.responses(site),
            Kind::MediaType => assumed.media_type(site),
            Kind::Parameter | Kind::Header => assumed.parameter(site),
            _ => {}
        }
    }
    assumed.operations(&index);
    assumed.security(&index);
    assumed.external_references(&index);
    assumed.unsatisfiable(&index);
    assumed.remove_elements();
    assumed
}

impl Assumed {
    /// Returns a fault of the document with the pointer that its path has in the original.
    pub fn in_original(&self, fault: Fault) -> Fault {
        // The outermost list comes first, since the pointers of the others contain its original index.
        let pointer = self.removed.iter().rev().fold(fault.pointer.clone(), |pointer, (list, removed)| {
            let Some(rest) = pointer.strip_prefix(list.as_str()).and_then(|rest| rest.strip_prefix('/')) else {
                return pointer;
            };
            let (index, below) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let Ok(index) = index.parse::<usize>() else { return pointer };
            let index = removed.iter().fold(index, |index, gone| if *gone <= index { index + 1 } else { index });
            format!("{list}/{index}{below}")
        });
        Fault { pointer, ..fault }
    }

    fn object(&mut self, pointer: &str) -> Option<&mut Map<String, Value>> {
        self.document.pointer_mut(pointer)?.as_object_mut()
    }

    fn remove(&mut self, pointer: &str, key: &str) -> Option<Value> {
        self.object(pointer)?.shift_remove(key)
    }

    fn set(&mut self, pointer: &str, key: &str, value: Value) {
        if let Some(object) = self.object(pointer) {
            object.insert(key.to_owned(), value);
        }
    }

    /// Leaves out keywords that belong under the schema, where there is one.
    fn parameter(&mut self, site: &Site) {
        let is_unknown =
            |key: &&String| !key.starts_with("x-") && !site.kind.keys().iter().any(|(name, ..)| name == key);
        for key in site.object.keys().filter(is_unknown).filter(|_| site.object.contains_key("schema")) {
            let (severity, message) = unknown_key(site.kind, key);
            if severity == Severity::Error {
                self.remove(&site.pointer, key);
                self.warnings.warn(&child(&site.pointer, key), format!("{message}; it is not read"));
            }
        }
    }

    fn schema(&mut self, site: &Site) {
        let (at, schema) = (site.pointer.as_str(), site.object);
        if schema.get("required").is_some_and(Value::is_boolean) {
            self.remove(at, "required");
            let message = "`required` lists names in the object that holds the property; it is not read here";
            self.warnings.warn(&child(at, "required"), message);
        }
        if schema.contains_key("not") {
            self.remove(at, "not");
            self.warnings.warn(&child(at, "not"), "`not` is not checked: the values that it forbids are taken");
        }
        if let Some(value) = schema.get("const") {
            self.remove(at, "const");
            self.set(at, "enum", json!([value]));
            if value.is_null() {
                self.set(at, "nullable", true.into());
            }
            self.warnings
                .warn(&child(at, "const"), "`const` belongs to OpenAPI 3.1: read as an `enum` with this one value");
        }
        if schema.contains_key("patternProperties") {
            self.remove(at, "patternProperties");
            self.set(at, "additionalProperties", json!({}));
            let message = "`patternProperties` is not checked: properties of any name and value are taken";
            self.warnings.warn(&child(at, "patternProperties"), message);
        }
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && let Err(why) = Pattern::compile(pattern)
        {
            self.remove(at, "pattern");
            let message = format!("the pattern is not checked, for it is no regular expression of ECMA-262: {why}");
            self.warnings.warn(&child(at, "pattern"), message);
        }
        let known = || Kind::Schema.keys().iter().chain(Kind::Schema.keys_of_3_1()).map(|(name, ..)| *name);
        let is_unknown = |key: &&String| {
            !key.starts_with("x-") && !known().chain(["const", "patternProperties"]).any(|known| known == key.as_str())
        };
        for key in schema.keys().filter(is_unknown) {
            let (severity, message) = unknown_key(Kind::Schema, key);
            if severity == Severity::Error {
                self.remove(at, key);
                self.warnings.warn(&child(at, key), format!("{message}; it is not read"));
            }
        }
        if schema.get("type").is_some_and(|json_type| json_type == "array") && !schema.contains_key("items") {
            self.set(at, "items", json!({}));
            self.warnings.warn(at, "an array needs `items`; items of any kind are taken");
        }
        for key in ["allOf", "oneOf", "anyOf", "enum"] {
            if schema.get(key).and_then(Value::as_array).is_some_and(Vec::is_empty) {
                self.remove(at, key);
                self.warnings
                    .warn(&child(at, key), format!("`{key}` is empty and is left out: it limits nothing here"));
            }
        }
    }

    /// Leaves out entries of `content` whose key is no media type.
    fn media_type(&mut self, site: &Site) {
        let Some((content, key)) = site.pointer.rsplit_once('/') else { return };
        let key = unescaped(key);
        if content.ends_with("/content") && !is_media_type(&key) && !key.starts_with("x-") {
            self.remove(content, &key);
            self.warnings.warn(&site.pointer, format!("`{key}` is no media type and is left out"));
        }
    }

    fn responses(&mut self, site: &Site) {
        let is_empty = match site.object.get("responses") {
            None => true,
            Some(responses) => responses.as_object().is_some_and(|map| map.keys().all(|key| key.starts_with("x-"))),
        };
        if is_empty {
            let any = json!({"default": {"description": "", "content": {"*/*": {}}}});
            self.set(&site.pointer, "responses", any);
            let message = "no response is documented: any status with a body of any kind is assumed";
            self.warnings.warn(&child(&site.pointer, "responses"), message);
        }
    }

    fn security(&mut self, index: &Index) {
        let declared = index.root.pointer("/components/securitySchemes").and_then(Value::as_object);
        for site in index.sites.iter().filter(|site| matches!(site.kind, Kind::OpenApi | Kind::Operation)) {
            let requirements = site.object.get("security").and_then(Value::as_array).into_iter().flatten();
            for (at, requirement) in requirements.enumerate() {
                for (name, scopes) in requirement.as_object().into_iter().flatten() {
                    let list = format!("{}/security/{at}", site.pointer);
                    if scopes.is_null() {
                        self.set(&list, name, json!([]));
                        self.warnings.warn(&child(&list, name), "the scopes are null: none is assumed");
                    }
                    if declared.is_some_and(|declared| declared.contains_key(name)) {
                        continue;
                    }
                    let Some(root) = self.document.as_object_mut() else { return };
                    let components = root.entry("components").or_insert_with(|| json!({}));
                    let Some(components) = components.as_object_mut() else { return };
                    let schemes = components.entry("securitySchemes").or_insert_with(|| json!({}));
                    let Some(schemes) = schemes.as_object_mut() else { return };
                    schemes.insert(name.clone(), json!({"type": "http", "scheme": "bearer"}));
                    let pointer = child(&list, name);
                    let message =
                        format!("`{name}` is no scheme of /components/securitySchemes: a bearer token is assumed");
                    self.warnings.warn(&pointer, message);
                }
            }
        }
    }

    /// Marks an element of a list for removal.
    fn remove_element(&mut self, list: &str, index: usize) {
        match self.removed.iter_mut().find(|(known, _)| known == list) {
            Some((_, indices)) => indices.push(index),
            None => self.removed.push((list.to_owned(), vec![index])),
        }
    }

    /// Returns whether a path is a marked element, or within one.
    fn is_removed(&self, pointer: &str) -> bool {
        self.removed.iter().any(|(list, indices)| {
            let index = pointer.strip_prefix(list.as_str()).and_then(|rest| rest.strip_prefix('/'));
            let index = index.and_then(|rest| rest.split('/').next()?.parse().ok());
            index.is_some_and(|index: usize| indices.contains(&index))
        })
    }

    /// Removes the marked elements, inner lists first, so that the pointers of the others stay true.
    fn remove_elements(&mut self) {
        self.removed.sort_by_key(|(list, _)| std::cmp::Reverse(list.matches('/').count()));
        for (list, indices) in &mut self.removed {
            indices.sort_unstable();
            indices.dedup();
            if let Some(Value::Array(elements)) = self.document.pointer_mut(list) {
                let mut index = 0;
                elements.retain(|_| {
                    index += 1;
                    indices.binary_search(&(index - 1)).is_err()
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
