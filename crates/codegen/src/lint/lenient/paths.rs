//! Paths and operations: parameters that are not declared, operations that no request reaches.

use std::collections::{HashMap, HashSet};

use heck::ToSnakeCase;
use serde_json::{Map, Value, json};

use crate::fault::{Report, child, unescaped};
use crate::ir::operation::Method;
use crate::lint::grammar::Kind;
use crate::lint::lenient::Assumed;
use crate::lint::structure::{Index, Site};
use crate::lower::operations::is_variant;
use crate::reference::resolve;
use crate::template;

impl Assumed {
    pub(super) fn operations(&mut self, index: &Index) {
        if let Some(root) = index.root.as_object().filter(|root| !root.contains_key("paths")) {
            self.set("", "paths", json!({}));
            let what =
                if root.contains_key("components") { "only types are generated" } else { "nothing is generated" };
            self.warnings.warn("", format!("the document has no `paths`: {what}"));
        }
        for site in index.of_kind(Kind::Paths) {
            self.paths(index.root, site);
        }
        for site in index.of_kind(Kind::PathItem) {
            let is_path = site.pointer.strip_prefix("/paths/").is_some_and(|path| !path.contains('/'));
            if is_path {
                self.path_parameters(index.root, site);
            }
            for method in Method::KEYS {
                self.referred_operation(site, method);
            }
        }
        self.ids(index);
    }

    /// Leaves out paths that no request can have, since a request has no fragment and its query is no part of its path,
    /// and operations whose requests are those of another path.
    fn paths(&mut self, root: &Value, site: &Site) {
        let mut shapes: HashMap<(String, &str), &str> = HashMap::new();
        for (path, item) in site.object.iter().filter(|(path, _)| !path.starts_with("x-") && !is_variant(root, path)) {
            let at = child(&site.pointer, path);
            if path.contains(['?', '#']) {
                self.remove(&site.pointer, path);
                let message = "no request has this path, which ends before `?` and `#`: its operations are not served";
                self.warnings.warn(&at, message);
                continue;
            }
            // A path with another address has requests of its own.
            if item.get("servers").is_some() {
                continue;
            }
            for method in Method::KEYS.into_iter().filter(|method| item.get(*method).is_some()) {
                let Some(other) = shapes.insert((template::shape(path), method), path) else { continue };
                shapes.insert((template::shape(path), method), other);
                self.remove(&at, method);
                self.warnings.warn(
                    &child(&at, method),
                    format!("`{other}` has the same requests: this operation is not served"),
                );
            }
        }
    }

    /// Declares the parameters that the path has as text, and leaves out those that it does not have.
    fn path_parameters(&mut self, root: &Value, site: &Site) {
        let path = unescaped(site.pointer.trim_start_matches("/paths/"));
        let Some(names) = template::parameters(&path) else { return };
        let declared = |holder: &Value| -> Vec<(usize, String)> {
            let list = holder.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate();
            let named = list.filter_map(|(at, parameter)| {
                let parameter = resolve(root, parameter);
                let is_path = parameter.get("in")? == "path";
                is_path.then(|| Some((at, parameter.get("name")?.as_str()?.to_owned())))?
            });
            named.collect()
        };
        let holders =
            Method::KEYS.iter().filter_map(|method| Some((child(&site.pointer, method), site.object.get(*method)?)));
        let holders: Vec<_> = [(site.pointer.clone(), site.value)].into_iter().chain(holders).collect();
        let shared: Vec<_> = declared(site.value).into_iter().map(|(_, name)| name).collect();
        for (at, holder) in &holders {
            let own = declared(holder);
            for (index, name) in own.iter().filter(|(_, name)| !names.contains(&name.as_str())) {
                let list = child(at, "parameters");
                self.remove_element(&list, *index);
                self.warnings.warn(
                    &format!("{list}/{index}"),
                    format!("the path has no `{{{name}}}`: the parameter is left out"),
                );
            }
            let is_item = *at == site.pointer;
            let unknown = |name: &&str| {
                let is_known = |known: &String| known == name;
                !name.is_empty()
                    && !is_item
                    && !shared.iter().any(is_known)
                    && !own.iter().any(|(_, known)| is_known(known))
            };
            for name in names.iter().copied().filter(unknown) {
                let parameter = any_text(name);
                if let Some(operation) = self.object(at)
                    && let Value::Array(parameters) = operation.entry("parameters").or_insert_with(|| json!([]))
                    && !parameters.contains(&parameter)
                {
                    parameters.push(parameter);
                    self.warnings
                        .warn(at, format!("no parameter declares `{{{name}}}` of the path: any text is taken"));
                }
            }
        }
    }

    /// Leaves out an operation that is a reference, which only other objects can be.
    fn referred_operation(&mut self, site: &Site, method: &str) {
        let target = site.object.get(method).and_then(|operation| operation.get("$ref")?.as_str());
        if let Some(target) = target {
            self.remove(&site.pointer, method);
            let message = format!("an operation cannot be a reference, and {target:?} is not read: it is not served");
            self.warnings.warn(&child(&site.pointer, method), message);
        }
    }

    /// Leaves out ids that another operation has, or that differ in case and separators only.
    fn ids(&mut self, index: &Index) {
        let mut ids = HashSet::new();
        for site in index.of_kind(Kind::Operation).filter(|site| site.pointer.starts_with("/paths/")) {
            let Some(id) = id(site.object) else { continue };
            if !site.pointer.contains("/callbacks/") && !ids.insert(id.to_snake_case()) {
                self.remove(&site.pointer, "operationId");
                let message =
                    format!("another operation has the id `{id}`, or one alike: a name is derived from the path");
                self.warnings.warn(&child(&site.pointer, "operationId"), message);
            }
        }
    }
}

/// Returns a parameter of the path that takes any text.
pub(super) fn any_text(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
}

fn id(operation: &Map<String, Value>) -> Option<&str> {
    operation.get("operationId")?.as_str()
}
