//! Rules of schemas: satisfiable limits, values that match, names that exist.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use trainyard_runtime::validation::Pattern;

use crate::fault::{Fault, Report, child};
use crate::lint::grammar::Kind;
use crate::lint::messages::{either, json};
use crate::lint::structure::{Index, Site};
use crate::lint::values::{is_of_type, misfit};
use crate::reference::resolve;

const NUMERIC: &[&str] = &["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const TEXTUAL: &[&str] = &["minLength", "maxLength", "pattern"];
const LISTS: &[&str] = &["items", "minItems", "maxItems", "uniqueItems"];
const OBJECTS: &[&str] = &["properties", "additionalProperties", "required", "minProperties", "maxProperties"];
/// Keywords, by the JSON types that they limit.
const APPLIES: &[(&[&str], &[&str])] =
    &[(&["number", "integer"], NUMERIC), (&["string"], TEXTUAL), (&["array"], LISTS), (&["object"], OBJECTS)];

pub(super) fn check(index: &Index, faults: &mut Vec<Fault>) {
    let mut rules = Rules { root: index.root, parts: parts(index), patterns: HashMap::new(), faults };
    for site in index.of_kind(Kind::Schema) {
        rules.limits(site);
        rules.pattern(site);
        rules.enumeration(site);
        rules.required(site);
        rules.values(site);
        rules.shape(site);
    }
}

/// Returns the schemas that are parts of another schema under `allOf`, `oneOf`, `anyOf` or `not`. The other parts may
/// declare what such a schema lacks.
fn parts(index: &Index) -> HashSet<*const Value> {
    let mut parts = HashSet::new();
    for site in index.of_kind(Kind::Schema) {
        for key in ["allOf", "oneOf", "anyOf"] {
            for part in site.object.get(key).and_then(Value::as_array).into_iter().flatten() {
                parts.insert(std::ptr::from_ref(part));
                parts.insert(std::ptr::from_ref(resolve(index.root, part)));
            }
        }
        if let Some(part) = site.object.get("not") {
            parts.insert(std::ptr::from_ref(part));
        }
    }
    parts
}

struct Rules<'a, 'f> {
    root: &'a Value,
    parts: HashSet<*const Value>,
    /// For each pattern, whether its search takes linear time, or its syntax error. Patterns recur, so results are
    /// cached.
    patterns: HashMap<&'a str, Result<bool, String>>,
    faults: &'f mut Vec<Fault>,
}

impl<'a> Rules<'a, '_> {
    fn limits(&mut self, site: &Site<'a>) {
        let schema = site.object;
        for (least, most, exclusive) in [
            ("minimum", "maximum", ["exclusiveMinimum", "exclusiveMaximum"].as_slice()),
            ("minLength", "maxLength", &[]),
            ("minItems", "maxItems", &[]),
            ("minProperties", "maxProperties", &[]),
        ] {
            let (Some(low), Some(high)) = (number(schema, least), number(schema, most)) else { continue };
            let excluded = low == high && exclusive.iter().any(|key| schema.get(*key) == Some(&Value::Bool(true)));
            if low > high || excluded {
                let message = match excluded {
                    true => {
                        format!("`{least}` and `{most}` are both {low}, and the limit is excluded: nothing can be met")
                    }
                    false => format!("`{least}` {low} is above `{most}` {high}: nothing can be met"),
                };
                self.faults.error(&site.pointer, message);
            }
        }
        for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if schema.get(exclusive) == Some(&Value::Bool(true)) && !schema.contains_key(limit) {
                self.faults
                    .warn(&child(&site.pointer, exclusive), format!("`{exclusive}` means nothing without `{limit}`"));
            }
        }
        let Some(json_type) = schema.get("type").and_then(Value::as_str) else { return };
        for (types, keywords) in APPLIES.iter().filter(|(types, _)| !types.contains(&json_type)) {
            let stray: Vec<_> = keywords.iter().copied().filter(|key| schema.contains_key(*key)).collect();
            if !stray.is_empty() {
                let message = format!(
                    "{} says nothing about type {json_type}, only about {}: it is never checked",
                    either(stray).replace(" or ", " and "),
                    types.join(" and ")
                );
                self.faults.warn(&site.pointer, message);
            }
        }
    }

    fn pattern(&mut self, site: &Site<'a>) {
        let Some(pattern) = site.object.get("pattern").and_then(Value::as_str) else { return };
        let why = self
            .patterns
            .entry(pattern)
            .or_insert_with(|| Pattern::compile(pattern).map(|pattern| pattern.is_linear()));
        let at = child(&site.pointer, "pattern");
        match why.clone() {
            Ok(true) => {}
            Ok(false) => self.faults.warn(
                &at,
                "the pattern can only be searched by backtracking, whose time may grow exponentially with the text: \
                 write it without look-around and back references",
            ),
            Err(why) => self.faults.error(&at, format!("the pattern is no regular expression of ECMA-262: {why}")),
        }
    }

    fn enumeration(&mut self, site: &Site<'a>) {
        let Some(values) = site.object.get("enum").and_then(Value::as_array) else { return };
        let pointer = child(&site.pointer, "enum");
        if values.is_empty() {
            return self.faults.error(&pointer, "the enum is empty: nothing can be met; list the values, or remove it");
        }
        let mut seen: HashSet<String> = HashSet::new();
        for (at, value) in values.iter().enumerate() {
            if !seen.insert(value.to_string()) {
                self.faults.warn(&format!("{pointer}/{at}"), format!("{} is listed twice", json(value)));
            }
        }
        let Some(json_type) = site.object.get("type").and_then(Value::as_str) else { return };
        let misfits: Vec<_> = values.iter().enumerate().filter(|(_, value)| !is_of_type(value, json_type)).collect();
        let all_null = values.iter().all(Value::is_null);
        if misfits.len() == values.len() && json_type != "string" && !all_null {
            let hint = if json_type == "array" { "; put `enum` under `items`" } else { "; correct the type" };
            return self
                .faults
                .error(&pointer, format!("no value of the enum is of type {json_type}: nothing can be met{hint}"));
        }
        let nullable = site.object.get("nullable") == Some(&Value::Bool(true));
        for (at, value) in misfits {
            let pointer = format!("{pointer}/{at}");
            match value {
                Value::Null if nullable => {}
                Value::Null => self
                    .faults
                    .warn(&pointer, "null is listed, but the type refuses it; write `nullable: true`, or remove it"),
                value if json_type == "string" => {
                    self.faults.warn(&pointer, format!("{} is not of type string; quote it", json(value)));
                }
                value => {
                    self.faults
                        .warn(&pointer, format!("{} is not of type {json_type}, it can never be met", json(value)));
                }
            }
        }
    }

    fn required(&mut self, site: &Site<'a>) {
        let Some(required) = site.object.get("required").and_then(Value::as_array) else { return };
        let mut seen = HashSet::new();
        for (at, name) in required.iter().enumerate() {
            let Some(name) = name.as_str() else { continue };
            if !seen.insert(name) {
                self.faults.warn(&format!("{}/required/{at}", site.pointer), format!("`{name}` is listed twice"));
            }
        }
        if self.parts.contains(&std::ptr::from_ref(site.value))
            || site.object.get("type").is_some_and(|kind| kind != "object")
        {
            return;
        }
        let Some(known) = properties(self.root, site.object) else { return };
        for (at, name) in required.iter().enumerate() {
            let Some(name) = name.as_str().filter(|name| !known.contains(name)) else { continue };
            let pointer = format!("{}/required/{at}", site.pointer);
            let closed = site.object.get("additionalProperties") == Some(&Value::Bool(false))
                && !site.object.contains_key("allOf");
            if closed {
                self.faults
                    .error(&pointer, format!("`{name}` is required, but it is no property and others are not allowed"));
            } else {
                self.faults
                    .warn(&pointer, format!("`{name}` is required, but it is no property: any value of it is taken"));
            }
        }
    }

    fn values(&mut self, site: &Site<'a>) {
        if let Some(default) = site.object.get("default")
            && let Some(why) = misfit(self.root, default, site.value)
        {
            let message = format!("the default does not fit its own schema and cannot be used: {why}");
            self.faults.warn(&child(&site.pointer, "default"), message);
        }
        if let Some(example) = site.object.get("example")
            && let Some(why) = misfit(self.root, example, site.value)
        {
            self.faults
                .warn(&child(&site.pointer, "example"), format!("the example does not fit its own schema: {why}"));
        }
    }

    fn shape(&mut self, site: &Site<'a>) {
        let schema = site.object;
        if schema.get("type").is_some_and(|json_type| json_type == "array") && !schema.contains_key("items") {
            self.faults
                .warn(&site.pointer, "an array needs `items`; without it anything is taken, which is `items: {}`");
        }
        if schema.get("readOnly") == Some(&Value::Bool(true)) && schema.get("writeOnly") == Some(&Value::Bool(true)) {
            self.faults.error(&site.pointer, "`readOnly` and `writeOnly` exclude each other; keep one");
        }
        if schema.get("nullable") == Some(&Value::Bool(true)) && !schema.contains_key("type") {
            self.faults.warn(
                &child(&site.pointer, "nullable"),
                "`nullable` has no effect without `type` beside it, and tools differ on it; write the type, or `oneOf` \
                 with the schema and `{type: string, nullable: true, enum: [null]}`",
            );
        }
        for key in ["allOf", "oneOf", "anyOf"] {
            if schema.get(key).and_then(Value::as_array).is_some_and(Vec::is_empty) {
                self.faults.error(&child(&site.pointer, key), format!("`{key}` is empty; list schemas, or remove it"));
            }
        }
    }
}

fn number(schema: &Map<String, Value>, key: &str) -> Option<f64> {
    schema.get(key)?.as_f64()
}

/// Returns the properties of a schema and of all its parts; `None` if there are too many parts.
fn properties<'a>(root: &'a Value, schema: &'a Map<String, Value>) -> Option<HashSet<&'a str>> {
    let mut known = HashSet::new();
    for part in composition(root, schema, &["allOf", "oneOf", "anyOf"])? {
        let properties = part.get("properties").and_then(Value::as_object);
        known.extend(properties.into_iter().flatten().map(|(name, _)| name.as_str()));
    }
    Some(known)
}

/// Returns a schema and all its parts under `keys`, recursively, each once; `None` if there are too many or a reference
/// cannot be resolved.
pub(super) fn composition<'a>(
    root: &'a Value,
    schema: &'a Map<String, Value>,
    keys: &[&str],
) -> Option<Vec<&'a Map<String, Value>>> {
    const MAX: usize = 256;
    let mut all = vec![schema];
    let mut seen: HashSet<*const Map<String, Value>> = HashSet::from([std::ptr::from_ref(schema)]);
    let mut next = 0;
    while let Some(schema) = all.get(next).copied() {
        next += 1;
        for part in keys.iter().filter_map(|key| schema.get(*key)?.as_array()).flatten() {
            let part = follow(root, part)?;
            if seen.insert(part) {
                all.push(part);
            }
        }
        if all.len() > MAX {
            return None;
        }
    }
    Some(all)
}

/// Returns the schema at the end of a chain of references.
pub(super) fn follow<'a>(root: &'a Value, mut schema: &'a Value) -> Option<&'a Map<String, Value>> {
    const MAX: usize = 16;
    for _ in 0..MAX {
        let map = schema.as_object()?;
        if !map.contains_key("$ref") {
            return Some(map);
        }
        schema = resolve(root, schema);
    }
    None
}
