//! Lowering of operations: inherited keys filled in, references followed, Rust names assigned.

mod bodies;
mod media;
mod naming;
mod parameters;
mod security;
mod servers;
mod template;

use std::collections::{BTreeMap, BTreeSet};

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::Value;

use crate::fault::{Fault, Report, Severity, child};
use crate::ir::operation::{Method, Operation, Tag, Template};
use crate::lower::operations::naming::Names;
use crate::lower::operations::servers::Bases;
use crate::lower::schemas::Schemas;
use crate::reference::reference_pointer;

/// Operations of a document with their tags and faults.
pub struct Operations {
    /// Operations, by path and method.
    pub operations: Vec<Operation>,
    /// Tags that have operations, in the order of their modules.
    pub tags: Vec<Tag>,
    pub faults: Vec<Fault>,
}

/// Lowers every operation of the document `root`, whose keys are sorted.
pub fn lower<'a>(root: &'a Value, schemas: &mut Schemas<'a>) -> Operations {
    let mut lowering = Lowering { root, schemas, faults: Vec::new(), bases: Bases::of(root) };
    let mut found = Vec::new();
    for (path, item) in root["paths"].as_object().into_iter().flatten() {
        if path.starts_with("x-") || is_variant(root, path) {
            continue;
        }
        let pointer = child("/paths", path);
        let Some((pointer, item)) = lowering.follow(&pointer, item) else { continue };
        for method in Method::ALL {
            let Some(node) = item.get(method.key()).filter(|node| node.is_object()) else { continue };
            let pointer = child(&pointer, method.key());
            let item_pointer = child("/paths", path);
            let own_pointer = child(&item_pointer, method.key());
            found.push(Source { path, item, method, node, pointer, own_pointer, item_pointer });
        }
    }
    let tags = lowering.tags(&found);
    let mut names = lowering.operation_names(&found);
    let mut operations: Vec<Operation> = Vec::new();
    for source in &found {
        // An operation without a name has an invalid id, which is reported as a fault.
        let Some((id, rust_name, type_name)) = names.remove(&source.own_pointer) else { continue };
        operations.extend(lowering.operation(source, &tags, id, rust_name, type_name));
    }
    lowering.clashes(&operations);
    lowering.aliases(&mut operations);
    Operations { operations, tags: tags.into_values().collect(), faults: lowering.faults }
}

/// Returns whether a path is another path of the document with a fragment. It documents a second form of the same
/// requests, for generators of clients.
pub(crate) fn is_variant(root: &Value, path: &str) -> bool {
    let served = path.split_once('#').and_then(|(path, _)| root.get("paths")?.get(path));
    served.is_some()
}

/// An operation with its own_pointer in the document.
struct Source<'a> {
    path: &'a str,
    item: &'a Value,
    item_pointer: String,
    method: Method,
    node: &'a Value,
    /// JSON pointer, with the reference of the path item followed.
    pointer: String,
    /// JSON pointer below its path.
    own_pointer: String,
}

impl<'a> Source<'a> {
    fn tag(&self) -> &'a str {
        self.node["tags"][0].as_str().unwrap_or("default")
    }

    fn text(&self, key: &str) -> String {
        self.node[key].as_str().unwrap_or_default().to_owned()
    }
}

struct Lowering<'a, 's> {
    root: &'a Value,
    schemas: &'s mut Schemas<'a>,
    faults: Vec<Fault>,
    bases: Bases,
}

impl<'a> Lowering<'a, '_> {
    /// Follows references to their final target; `None` without one.
    fn follow(&self, pointer: &str, node: &'a Value) -> Option<(String, &'a Value)> {
        let (mut at, mut here) = (pointer.to_owned(), node);
        // More references than any legitimate chain has: a cycle.
        for _ in 0..64 {
            let Some(reference) = here.get("$ref").and_then(Value::as_str) else { return Some((at, here)) };
            at = reference_pointer(reference)?;
            here = self.root.pointer(&at)?;
        }
        None
    }

    /// Returns the tags in use by name, with their Rust names.
    fn tags(&self, found: &[Source<'a>]) -> BTreeMap<&'a str, Tag> {
        let (mut modules, mut traits) = (Names::modules(), Names::types());
        let names: BTreeSet<&str> = found.iter().map(Source::tag).collect();
        let tag = |name: &'a str| {
            let declared = self.root["tags"].as_array().into_iter().flatten().find(|entry| entry["name"] == *name);
            let tag = Tag {
                name: name.to_owned(),
                description: declared.and_then(|tag| tag["description"].as_str()).unwrap_or_default().to_owned(),
                module: modules.take(&name.to_snake_case(), "tag"),
                trait_name: traits.take(&name.to_pascal_case(), "Tag"),
            };
            (name, tag)
        };
        names.into_iter().map(tag).collect()
    }

    /// Returns id, method name and type name of each operation, by pointer.
    fn operation_names(&mut self, found: &[Source<'a>]) -> BTreeMap<String, (String, String, String)> {
        let mut taken: BTreeMap<String, (&str, &str)> = BTreeMap::new();
        let (mut functions, mut types) = (Names::functions(), Names::types());
        let mut names = BTreeMap::new();
        let (given, derived): (Vec<_>, Vec<_>) =
            found.iter().partition(|source| source.node["operationId"].is_string());
        for source in given {
            let id = source.node["operationId"].as_str().unwrap_or_default();
            let chosen = self.chosen_name(source);
            let snake = chosen.unwrap_or(id).to_snake_case();
            if let Some((other, own_pointer)) = taken.get(&snake) {
                let message = format!("{id} and {other} of {own_pointer} both become {snake} in code; rename one");
                let key = if chosen.is_some() { "x-rust-name" } else { "operationId" };
                self.faults.error(&child(&source.own_pointer, key), message);
                continue;
            }
            taken.insert(snake.clone(), (id, &source.own_pointer));
            let name = functions.take(&snake, "operation");
            let type_name = types.take(&chosen.unwrap_or(id).to_pascal_case(), "Operation");
            names.insert(source.own_pointer.clone(), (id.to_owned(), name, type_name));
        }
        // Derived names come after the given ones, so that a derived name changes in a conflict.
        for source in derived {
            let words = format!("{} {}", source.method.key(), source.path);
            let name = functions.take(&words.to_snake_case(), "operation");
            let type_name = types.take(&words.to_pascal_case(), "Operation");
            names.insert(source.own_pointer.clone(), (name.clone(), name, type_name));
        }
        names
    }

    /// Returns the `x-rust-name` of an operation.
    fn chosen_name(&mut self, source: &Source<'a>) -> Option<&'a str> {
        let given = source.node.get("x-rust-name")?;
        let name = given.as_str().filter(|name| !name.is_empty() && name.to_snake_case() == *name);
        if name.is_none() {
            self.faults.error(
                &child(&source.own_pointer, "x-rust-name"),
                format!("{given} is no method name; write snake_case"),
            );
        }
        name
    }

    fn operation(
        &mut self,
        source: &Source<'a>,
        tags: &BTreeMap<&str, Tag>,
        id: String,
        rust_name: String,
        type_name: String,
    ) -> Option<Operation> {
        let path = match template::read(source.path) {
            Ok(path) => path,
            Err(message) => {
                self.faults.error(&source.item_pointer, message);
                return None;
            }
        };
        if source.node["callbacks"].as_object().is_some_and(|map| !map.is_empty()) {
            self.faults.warn(
                &child(&source.pointer, "callbacks"),
                "no code is generated for callbacks; the server has to send these requests itself",
            );
        }
        let base = self.base(source);
        let security = self.security(source);
        let parameters = self.parameters(source, &path);
        let body = self.body(source, &type_name);
        let (responses, statuses) = self.responses(source, &type_name);
        Some(Operation {
            summary: source.text("summary"),
            description: source.text("description"),
            deprecated: source.node["deprecated"] == true,
            alias_of: source.node["x-alias-of"].as_str().map(str::to_owned),
            extension: source.node["x-extension"] == true,
            tag: tags.keys().position(|tag| *tag == source.tag()).unwrap_or_default(),
            pointer: source.pointer.clone(),
            method: source.method,
            id,
            rust_name,
            type_name,
            path,
            base,
            security,
            parameters,
            body,
            responses,
            statuses,
        })
    }

    /// Reports paths that match the same requests.
    fn clashes(&mut self, operations: &[Operation]) {
        let mut seen: BTreeMap<_, Vec<&Operation>> = BTreeMap::new();
        for operation in operations {
            seen.entry((&operation.base, operation.path.shape())).or_default().push(operation);
        }
        for same in seen.values() {
            for (index, operation) in same.iter().enumerate() {
                let is_other = |other: &&&Operation| other.path.text != operation.path.text;
                let Some(other) = same[..index].iter().find(is_other) else { continue };
                let (severity, remedy) =
                    match same.iter().filter(is_other).any(|other| other.method == operation.method) {
                        true => (Severity::Error, ", so no request can mean it; merge the two or rename a fixed part"),
                        false => (
                            Severity::Warning,
                            "; the specification calls them identical, so write their methods under one path",
                        ),
                    };
                let message = format!("it differs from {} in the names of parameters only{remedy}", other.path.text);
                self.faults.report(severity, &child("/paths", &operation.path.text), message);
            }
        }
    }

    /// Checks that an alias has the same inputs and responses as its target, since the target's handler handles it.
    fn aliases(&mut self, operations: &mut Vec<Operation>) {
        let targets: BTreeMap<String, (usize, String)> = operations
            .iter()
            .enumerate()
            .filter(|(_, operation)| operation.alias_of.is_none())
            .map(|(index, operation)| (operation.id.clone(), (index, operation.pointer.clone())))
            .collect();
        for alias in operations.iter() {
            let Some(target) = &alias.alias_of else { continue };
            let pointer = child(&alias.pointer, "x-alias-of");
            let Some((index, at)) = targets.get(target) else {
                self.faults.error(
                    &pointer,
                    format!("{target} is no operation of its own; name the operationId that answers here"),
                );
                continue;
            };
            let own = self.root.pointer(&alias.pointer).unwrap_or(&Value::Null);
            let other = self.root.pointer(at).unwrap_or(&Value::Null);
            for key in ["tags", "security", "requestBody", "responses"] {
                if own.get(key) != other.get(key) {
                    self.faults.error(&pointer, format!("its {key} differs from that of {target}; repeat it"));
                }
            }
            let names = |operation: &Operation| {
                let list = operation.parameters.iter();
                list.map(|parameter| (parameter.location, parameter.wire_name.clone())).collect::<Vec<_>>()
            };
            if names(alias) != names(&operations[*index]) {
                self.faults.error(&pointer, format!("its parameters differ from those of {target}; repeat them"));
            }
        }
        operations.retain(|operation| operation.alias_of.as_ref().is_none_or(|target| targets.contains_key(target)));
    }
}
