//! Comparison of parameters: location, requirement, serialisation.

use std::collections::BTreeMap;

use crate::diff::Comparison;
use crate::diff::document::{Node, Operation};
use crate::ir::schema::Direction;
use crate::template;

/// Location of a parameter, and its identity there.
type Key = (String, String);

/// Parameters of an operation, including those of its path.
pub(super) struct Parameters<'a> {
    all: BTreeMap<Key, Node<'a>>,
    /// Node of findings about missing parameters.
    operation: Node<'a>,
}

impl<'a> Parameters<'a> {
    pub(super) fn of(operation: &Operation<'a>) -> Self {
        let names: Vec<&str> = template::braced(operation.path).collect();
        let mut all = BTreeMap::new();
        // The operation's own come last, so that they override those of the path.
        for node in [&operation.item, &operation.node].into_iter().flat_map(|node| node.list("parameters")) {
            let (location, name) = (node.text("in").unwrap_or_default(), node.text("name").unwrap_or_default());
            let name = match location {
                // Path parameters are identified by position, since their names are not sent.
                "path" => names.iter().position(|known| *known == name).unwrap_or(usize::MAX).to_string(),
                "header" => name.to_ascii_lowercase(),
                _ => name.to_owned(),
            };
            all.insert((location.to_owned(), name), node);
        }
        Self { all, operation: operation.node.clone() }
    }

    /// Returns the parameter of the same name in another location.
    fn elsewhere(&self, parameter: &Node<'_>) -> Option<&Node<'a>> {
        self.all.values().find(|other| {
            let name = |node: &Node<'_>| node.text("name").map(str::to_ascii_lowercase);
            name(other) == name(parameter) && other.text("in") != parameter.text("in")
        })
    }
}

impl<'a> Comparison<'a> {
    pub(super) fn parameters(&mut self, old: &Parameters<'a>, new: &Parameters<'a>) {
        for (key, older) in &old.all {
            if let Some(newer) = new.all.get(key) {
                self.parameter(older, newer);
                continue;
            }
            let name = older.text("name").unwrap_or_default();
            let here = older.text("in").unwrap_or_default();
            match new.elsewhere(older).filter(|_| here != "path") {
                Some(newer) if !old.all.contains_key(&key_at(newer)) => {
                    let there = newer.text("in").unwrap_or_default();
                    let message = format!("the parameter `{name}` moved from {here} to {there}");
                    let reason = "clients that send it where it stood are not understood";
                    self.breaking(newer, "parameter-moved", message, reason);
                }
                _ => {
                    let message = format!("the {here} parameter `{name}` of {} is gone", id(&new.operation));
                    let reason = "what clients send there is ignored, and generated clients lose the argument";
                    self.breaking(older, "parameter-removed", message, reason);
                }
            }
        }
        for (key, newer) in new.all.iter().filter(|(key, _)| !old.all.contains_key(*key)) {
            let moved = old.elsewhere(newer).is_some_and(|older| !new.all.contains_key(&key_at(older)));
            if moved && key.0 != "path" {
                continue;
            }
            let (name, location) = (newer.text("name").unwrap_or_default(), &key.0);
            if newer.flag("required") == Some(true) {
                let message = format!("{} needs the new {location} parameter `{name}`", id(&new.operation));
                self.breaking(newer, "required-parameter-added", message, "clients that do not send it are refused");
            } else {
                let message = format!("{} takes the new {location} parameter `{name}`", id(&new.operation));
                self.safe(newer, "parameter-added", message, "it may be left out");
            }
        }
    }

    fn parameter(&mut self, old: &Node<'a>, new: &Node<'a>) {
        let name = new.text("name").unwrap_or_default();
        let required = |node: &Node<'a>| node.flag("required") == Some(true);
        match (required(old), required(new)) {
            (false, true) => {
                let message = format!("the parameter `{name}` must be given now");
                self.breaking(new, "parameter-required", message, "clients that leave it out are refused");
            }
            (true, false) => {
                let message = format!("the parameter `{name}` may be left out now");
                self.safe(new, "parameter-optional", message, "clients that give it are served as before");
            }
            _ => {}
        }
        for key in ["style", "explode", "allowReserved"] {
            let (older, newer) = (writing(old, key), writing(new, key));
            if older != newer {
                let message = format!("`{key}` of the parameter `{name}` went from {older} to {newer}");
                let reason = "clients that write the value in the old way are not understood";
                self.breaking(&new.child_or_self(key), "parameter-style", message, reason);
            }
        }
        let empty = |node: &Node<'a>| node.flag("allowEmptyValue") == Some(true);
        match (empty(old), empty(new)) {
            (true, false) => {
                let message = format!("the parameter `{name}` may not be empty any more");
                self.breaking(new, "parameter-empty", message, "clients that send it empty are refused");
            }
            (false, true) => {
                let message = format!("the parameter `{name}` may be empty now");
                self.safe(new, "parameter-empty", message, "clients that give a value are served as before");
            }
            _ => {}
        }
        if old.child("content").is_some() || new.child("content").is_some() {
            self.content(old, new, Direction::Request);
        }
        if old.child("schema").is_some() || new.child("schema").is_some() {
            self.optional_schema(old, new, Direction::Request);
        }
        let looked_at =
            ["name", "in", "required", "style", "explode", "allowReserved", "allowEmptyValue", "schema", "content"];
        self.rest(old, new, &looked_at);
    }
}

fn key_at(parameter: &Node<'_>) -> Key {
    let (location, name) = (parameter.text("in").unwrap_or_default(), parameter.text("name").unwrap_or_default());
    (location.to_owned(), if location == "header" { name.to_ascii_lowercase() } else { name.to_owned() })
}

/// Returns the serialisation of a value, with the defaults of OpenAPI.
fn writing(parameter: &Node<'_>, key: &str) -> String {
    let style = parameter.text("style").unwrap_or(match parameter.text("in") {
        Some("query" | "cookie") => "form",
        _ => "simple",
    });
    match key {
        "style" => style.to_owned(),
        "explode" => parameter.flag("explode").unwrap_or(style == "form").to_string(),
        _ => parameter.flag(key).unwrap_or(false).to_string(),
    }
}

fn id(operation: &Node<'_>) -> String {
    operation.text("operationId").map_or_else(|| "the operation".to_owned(), |id| format!("`{id}`"))
}
