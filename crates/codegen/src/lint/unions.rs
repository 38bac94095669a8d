//! Rules of `allOf`, `oneOf`, `anyOf` and `discriminator`: the parts exist, no cycles, a field discriminates the
//! branches.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::fault::{Fault, Report, child};
use crate::lint::grammar::Kind;
use crate::lint::messages::{either, nearest};
use crate::lint::schemas::{composition, follow};
use crate::lint::structure::{Index, Site};
use crate::reference::{reference_pointer, resolve};

pub(super) fn check(index: &Index, faults: &mut Vec<Fault>) {
    let children = children(index);
    for site in index.of_kind(Kind::Schema) {
        if let Some(discriminator) = site.object.get("discriminator").and_then(Value::as_object) {
            let rules = Rules { index, site, discriminator, faults };
            rules.check(children.contains(&std::ptr::from_ref(site.value)));
        }
        types(index.root, site, faults);
        closed(index.root, site, faults);
    }
    circles(index, faults);
}

/// Returns the schemas that others refer to in their `allOf`; a discriminator of such a schema discriminates the
/// others.
fn children(index: &Index) -> HashSet<*const Value> {
    let mut parents = HashSet::new();
    for site in index.of_kind(Kind::Schema) {
        for part in site.object.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if part.get("$ref").is_some() {
                parents.insert(std::ptr::from_ref(resolve(index.root, part)));
            }
        }
    }
    parents
}

struct Rules<'a, 'f> {
    index: &'a Index<'a>,
    site: &'a Site<'a>,
    discriminator: &'a Map<String, Value>,
    faults: &'f mut Vec<Fault>,
}

impl<'a> Rules<'a, '_> {
    fn check(mut self, inherited: bool) {
        let pointer = child(&self.site.pointer, "discriminator");
        let branches: Vec<&Value> =
            ["oneOf", "anyOf"].into_iter().filter_map(|key| self.site.object.get(key)?.as_array()).flatten().collect();
        self.mapping(&pointer, &branches);
        let Some(property) = self.discriminator.get("propertyName").and_then(Value::as_str) else { return };
        if branches.is_empty() {
            let declared = Declared::of(self.index.root, self.site.object, property);
            if !inherited && !self.discriminator.contains_key("mapping") {
                self.faults.warn(
                    &pointer,
                    "the discriminator tells nothing apart; list the branches under `oneOf`, or refer to this schema from their `allOf`",
                );
            } else if let Some(what) = declared.lacks() {
                self.faults.warn(&pointer, format!("`{property}` {what}"));
            }
            return;
        }
        // The schema's own declarations apply to every branch.
        let common = Declared::of(self.index.root, self.site.object, property);
        for branch in branches {
            let Some(reference) = branch.get("$ref").and_then(Value::as_str) else {
                self.faults.warn(
                    &pointer,
                    "a branch is written inline, so no value of the discriminator means it; name it under /components/schemas",
                );
                continue;
            };
            let Some(schema) = follow(self.index.root, branch) else { continue };
            if is_union(schema) {
                continue;
            }
            let Some(what) = Declared::of(self.index.root, schema, property).or(common).lacks() else { continue };
            let name = reference.rsplit('/').next().unwrap_or(reference);
            self.faults.warn(&pointer, format!("in branch {name} `{property}` {what}"));
        }
    }

    fn mapping(&mut self, pointer: &str, branches: &[&Value]) {
        let Some(mapping) = self.discriminator.get("mapping").and_then(Value::as_object) else { return };
        let schemas = self.index.root.pointer("/components/schemas").and_then(Value::as_object);
        let listed: HashSet<*const Value> =
            branches.iter().map(|branch| std::ptr::from_ref(resolve(self.index.root, branch))).collect();
        for (value, target) in mapping.iter().filter(|(value, _)| !value.starts_with("x-")) {
            let Some(target) = target.as_str() else { continue };
            let pointer = child(&child(pointer, "mapping"), value);
            let found = match schemas.and_then(|schemas| schemas.get(target)) {
                Some(found) => Some(found),
                None => reference_pointer(target).and_then(|target| self.index.root.pointer(&target)),
            };
            match found {
                None => {
                    let names = schemas.into_iter().flatten().map(|(name, _)| name.as_str());
                    let hint = nearest(target.rsplit('/').next().unwrap_or(target), names)
                        .map(|meant| format!("; did you mean {meant}?"))
                        .unwrap_or_default();
                    self.faults.error(&pointer, format!("{target:?} is no schema of this document{hint}"));
                }
                Some(found) if !branches.is_empty() && !listed.contains(&std::ptr::from_ref(found)) => {
                    let message = format!("{target} is none of the branches; list it, or remove it from the mapping");
                    self.faults.warn(&pointer, message);
                }
                Some(_) => {}
            }
        }
    }
}

fn is_union(schema: &Map<String, Value>) -> bool {
    schema.contains_key("oneOf") || schema.contains_key("anyOf")
}

/// Declarations of the discriminating property in a schema.
#[derive(Clone, Copy, Default)]
struct Declared {
    property: bool,
    required: bool,
    /// A part cannot be resolved completely.
    unsure: bool,
}

impl Declared {
    fn of(root: &Value, schema: &Map<String, Value>, property: &str) -> Self {
        let mut declared = Self::default();
        let Some(parts) = composition(root, schema, &["allOf"]) else { return Self { unsure: true, ..declared } };
        for part in parts {
            // A branch that is itself a union may declare the property in its own branches.
            declared.unsure |= !std::ptr::eq(part, schema) && is_union(part);
            declared.property |= part.get("properties").is_some_and(|properties| properties.get(property).is_some());
            let required = part.get("required").and_then(Value::as_array).into_iter().flatten();
            declared.required |= required.filter_map(Value::as_str).any(|name| name == property);
        }
        declared
    }

    fn or(self, common: Self) -> Self {
        Self {
            property: self.property || common.property,
            required: self.required || common.required,
            unsure: self.unsure || common.unsure,
        }
    }

    fn lacks(self) -> Option<&'static str> {
        match self {
            Self { unsure: true, .. } | Self { property: true, required: true, .. } => None,
            Self { property: false, .. } => Some("is not declared; add it to `properties` and `required`"),
            Self { required: false, .. } => Some("is not required; add it to `required`"),
        }
    }
}

/// Checks that the types of an `allOf` do not contradict each other.
fn types(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let Some(parts) = site.object.get("allOf").and_then(Value::as_array) else { return };
    let own = site.object.get("type").and_then(Value::as_str);
    let parts = parts.iter().filter_map(|part| follow(root, part)?.get("type")?.as_str());
    let mut types: Vec<&str> = own.into_iter().chain(parts).collect();
    types.sort_unstable();
    types.dedup();
    if types == ["integer", "number"] || types.len() < 2 {
        return;
    }
    faults.error(
        &child(&site.pointer, "allOf"),
        format!(
            "no value is at once of type {}; correct a type, or write `oneOf`",
            either(types).replace(" or ", " and ")
        ),
    );
}

/// Checks that no part of an `allOf` rejects properties that other parts declare.
fn closed(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let Some(parts) = site.object.get("allOf").and_then(Value::as_array) else { return };
    let parts: Option<Vec<_>> = parts.iter().map(|part| follow(root, part)).collect();
    let Some(mut parts) = parts else { return };
    parts.push(site.object);
    let names = |part: &Map<String, Value>| -> Vec<String> {
        part.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    for (at, part) in parts.iter().enumerate() {
        if part.get("additionalProperties") != Some(&Value::Bool(false))
            || ["allOf", "oneOf", "anyOf"].iter().any(|key| part.contains_key(*key))
        {
            continue;
        }
        let own = names(part);
        let rejected = parts.iter().flat_map(|other| names(other)).find(|name| !own.contains(name));
        if let Some(name) = rejected {
            let message = format!(
                "this part allows no properties but its own, so strictly no object with `{name}` of another part fits; the generated code takes the properties of all parts: move `additionalProperties: false` beside the `allOf`"
            );
            // The last of them is the schema itself.
            let pointer = match at + 1 == parts.len() {
                true => site.pointer.clone(),
                false => format!("{}/allOf/{at}", site.pointer),
            };
            faults.warn(&pointer, message);
            return;
        }
    }
}

/// Checks that no schema contains itself without a property or an item in between.
fn circles(index: &Index, faults: &mut Vec<Fault>) {
    // 1: being visited, 2: done.
    let mut colour: HashMap<*const Value, u8> = HashMap::new();
    let sites: HashMap<*const Value, &Site> =
        index.of_kind(Kind::Schema).map(|site| (std::ptr::from_ref(site.value), site)).collect();
    for site in index.of_kind(Kind::Schema) {
        if colour.contains_key(&std::ptr::from_ref(site.value)) {
            continue;
        }
        let mut stack = vec![(site.value, parts(index.root, site.value), 0)];
        colour.insert(site.value, 1);
        while let Some((node, edges, next)) = stack.last_mut() {
            let Some((edge, target)) = edges.get(*next).copied() else {
                colour.insert(std::ptr::from_ref(*node), 2);
                stack.pop();
                continue;
            };
            *next += 1;
            match colour.get(&std::ptr::from_ref(target)) {
                None => {
                    colour.insert(target, 1);
                    stack.push((target, parts(index.root, target), 0));
                }
                Some(1) => {
                    let from = stack.iter().position(|(node, ..)| std::ptr::eq(*node, target)).unwrap_or_default();
                    let edges: HashSet<&str> = stack[from..]
                        .iter()
                        .filter_map(|(_, edges, next)| Some(edges.get(next.checked_sub(1)?)?.0))
                        .collect();
                    if let Some(site) = sites.get(&std::ptr::from_ref(target)) {
                        report(site, edge, &edges, faults);
                    }
                }
                Some(_) => {}
            }
        }
    }
}

fn report(site: &Site, edge: &str, edges: &HashSet<&str>, faults: &mut Vec<Fault>) {
    let all: HashSet<&str> = edges.iter().copied().chain([edge]).collect();
    if all.contains("allOf") && all.len() > 1 {
        faults.warn(
            &site.pointer,
            "it lists a branch that includes it by `allOf`: read strictly, no value fits; move what they share into a schema of its own",
        );
    } else {
        let message = format!("it contains itself by `{edge}` without a property or an item between: no value fits");
        faults.error(&site.pointer, message);
    }
}

/// Returns the schemas that a schema is composed of, references followed.
fn parts<'a>(root: &'a Value, schema: &'a Value) -> Vec<(&'static str, &'a Value)> {
    let mut parts = Vec::new();
    for key in ["allOf", "oneOf", "anyOf"] {
        for part in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
            const MAX: usize = 16;
            let mut end = part;
            for _ in 0..MAX {
                if end.get("$ref").is_none() {
                    break;
                }
                end = resolve(root, end);
            }
            if end.is_object() && end.get("$ref").is_none() {
                parts.push((key, end));
            }
        }
    }
    parts
}
