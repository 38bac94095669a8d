//! Comparison of paths, methods and the keys of an operation itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::diff::Comparison;
use crate::diff::document::{Node, Operation, canonical};
use crate::diff::parameters::Parameters;
use crate::ir::operation::Method;
use crate::openapi_3_1;
use crate::template;

impl<'a> Operation<'a> {
    /// Returns the operations of a path.
    fn methods(&self) -> BTreeMap<&'static str, Self> {
        let methods = Method::KEYS.into_iter();
        methods.filter_map(|method| Some((method, Self { node: self.item.child(method)?, ..self.clone() }))).collect()
    }
}

/// Returns the paths, each as an operation at its path item, by their template without parameter names, which are not sent.
fn paths<'a>(root: &Node<'a>) -> BTreeMap<String, Operation<'a>> {
    let Some(paths) = root.child("paths") else { return BTreeMap::new() };
    let names = paths.object().map(|(name, _)| name).filter(|name| !name.starts_with("x-"));
    names
        .filter_map(|name| {
            let node = paths.child(name)?;
            let item = node.clone().resolved();
            Some((template::shape(name), Operation { path: name, node, item, root: root.clone() }))
        })
        .collect()
}

impl<'a> Comparison<'a> {
    pub(super) fn documents(&mut self, old: &Node<'a>, new: &Node<'a>) {
        if old.value.get("openapi") != new.value.get("openapi") {
            let at = new.child_or_self("openapi");
            // A document of version 3.1 is compared in the form of 3.0.
            let is_known = |node: &Node<'_>| node.text("openapi").is_some_and(openapi_3_1::is_read);
            if !is_known(old) || !is_known(new) {
                let reason = "a program that reads the old version of OpenAPI may not read this one";
                self.breaking(&at, "openapi-version", "the version of OpenAPI changed", reason);
            }
        }
        // Components are compared where they are used; security and servers are compared per operation.
        self.rest(old, new, &["openapi", "info", "paths", "components", "security", "servers", "tags"]);
        for key in ["info", "tags"] {
            self.labels(key, old, new);
        }
        let (older, newer) = (paths(old), paths(new));
        for (key, path) in &older {
            match newer.get(key) {
                Some(newer) => self.path(path, newer),
                None => {
                    let message = format!("the path {} is gone", path.path);
                    self.breaking(&path.node, "path-removed", message, "clients that call it get 404");
                }
            }
        }
        for path in newer.iter().filter(|(key, _)| !older.contains_key(*key)).map(|(_, path)| path) {
            self.safe(&path.node, "path-added", format!("the path {} is new", path.path), "nobody calls it yet");
        }
    }

    /// Compares parts of the document that are documentation as a whole.
    fn labels(&mut self, key: &str, old: &Node<'a>, new: &Node<'a>) {
        let strip = |node: &Node<'_>| {
            let mut value = node.value.get(key).cloned().unwrap_or_default();
            if let Some(object) = value.as_object_mut() {
                object.shift_remove("version");
            }
            // The order of tags is documentation too.
            match value {
                Value::Array(list) => list.iter().map(canonical).collect::<BTreeSet<_>>(),
                other => [canonical(&other)].into(),
            }
        };
        if strip(old) != strip(new) {
            let reason = "it is for people to read; no program depends on it";
            self.safe(&new.child_or_self(key), super::TEXT, format!("`{key}` changed"), reason);
        }
    }

    fn path(&mut self, old: &Operation<'a>, new: &Operation<'a>) {
        let mut looked_at = vec!["parameters", "servers"];
        looked_at.extend(Method::KEYS);
        self.rest(&old.item, &new.item, &looked_at);
        let (older, newer) = (old.methods(), new.methods());
        for (method, operation) in &older {
            match newer.get(method) {
                Some(newer) => self.operation(operation, newer),
                None => {
                    let message = format!("{} {} is gone", method.to_uppercase(), old.path);
                    self.breaking(&operation.node, "method-removed", message, "clients that call it get 405");
                }
            }
        }
        for (method, operation) in newer.iter().filter(|(method, _)| !older.contains_key(*method)) {
            let message = format!("{} {} is new", method.to_uppercase(), new.path);
            self.safe(&operation.node, "method-added", message, "nobody calls it yet");
        }
    }

    fn operation(&mut self, old: &Operation<'a>, new: &Operation<'a>) {
        let (older, newer) = (&old.node, &new.node);
        if older.text("operationId") != newer.text("operationId") {
            let name = |node: &Node<'a>| node.text("operationId").map_or("nothing".to_owned(), |id| format!("`{id}`"));
            let message = format!("the operation id went from {} to {}", name(older), name(newer));
            let reason = "generated clients name the method after it, and programs that call the method no longer fit";
            self.breaking(&newer.child_or_self("operationId"), "operation-id", message, reason);
        }
        if older.value.get("tags") != newer.value.get("tags") {
            let reason = "tags are not sent; a generator that sorts by tag moves the method to another trait or class";
            self.safe(&newer.child_or_self("tags"), "tags", "the tags changed", reason);
        }
        self.body_limit(older, newer);
        self.security(old, new);
        self.servers(old, new);
        self.parameters(&Parameters::of(old), &Parameters::of(new));
        self.request_body(older, newer);
        self.responses(older, newer);
        let looked_at = [
            "operationId",
            "tags",
            "x-body-limit-bytes",
            "security",
            "servers",
            "parameters",
            "requestBody",
            "responses",
        ];
        self.rest(older, newer, &looked_at);
    }

    fn body_limit(&mut self, old: &Node<'a>, new: &Node<'a>) {
        const KEY: &str = "x-body-limit-bytes";
        let limit = |node: &Node<'a>| node.value.get(KEY).and_then(Value::as_u64);
        let (smaller, message) = match (limit(old), limit(new)) {
            (older, newer) if older == newer => return,
            (Some(older), Some(newer)) => {
                (newer < older, format!("the largest body went from {older} to {newer} bytes"))
            }
            (None, Some(newer)) => (true, format!("bodies have a limit of {newer} bytes now")),
            (_, None) => (false, "the documented limit of bodies is gone".to_owned()),
        };
        if smaller {
            self.breaking(&new.child_or_self(KEY), "body-limit", message, "clients that send larger bodies get 413");
        } else {
            let side = new.child(KEY).or(old.child(KEY));
            let at = side.as_ref().unwrap_or(new);
            self.safe(at, "body-limit", message, "every body that was accepted still is");
        }
    }
}
