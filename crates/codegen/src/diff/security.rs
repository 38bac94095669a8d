//! Comparison of access to an operation: alternatives of security schemes with scopes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::diff::Comparison;
use crate::diff::document::{Node, Operation, canonical};

/// Definition of each scheme, independent of its component's name, and the required scopes.
type Alternative = BTreeMap<String, BTreeSet<String>>;

/// Security alternatives of an operation. Without any, or with an empty one, access is open.
struct Access<'a> {
    alternatives: Vec<(Alternative, String)>,
    open: bool,
    at: Node<'a>,
}

impl<'a> Access<'a> {
    fn of(operation: &Operation<'a>) -> Self {
        let own = [&operation.node, &operation.root].into_iter().find_map(|node| node.child("security"));
        let at = own.unwrap_or_else(|| operation.node.clone());
        let listed = if at.pointer.ends_with("/security") { at.value.as_array() } else { None };
        let mut alternatives = Vec::new();
        for requirement in listed.into_iter().flatten() {
            let Some(requirement) = requirement.as_object() else {
                // An unreadable requirement does not open the access.
                alternatives.push(([(canonical(requirement), BTreeSet::new())].into(), requirement.to_string()));
                continue;
            };
            let schemes = requirement.iter().map(|(name, scopes)| {
                let scopes = scopes.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
                (identity(&operation.root, name), scopes.collect::<BTreeSet<_>>())
            });
            let names: Vec<&str> = requirement.keys().map(String::as_str).collect();
            alternatives.push((schemes.collect::<Alternative>(), names.join(" and ")));
        }
        let open = alternatives.is_empty() || alternatives.iter().any(|(alternative, _)| alternative.is_empty());
        Self { alternatives, open, at }
    }
}

/// Returns the definition of a scheme without its documentation and the scopes that it offers.
fn identity(root: &Node<'_>, name: &str) -> String {
    let Some(scheme) = root.get("components").and_then(|all| all.map("securitySchemes").remove(name)) else {
        return format!("undefined scheme {name}");
    };
    let mut definition = scheme.value.clone();
    if let Some(object) = definition.as_object_mut() {
        object.retain(|key, _| !super::is_text(key) && !key.starts_with("x-"));
        if let Some(flows) = object.get_mut("flows").and_then(Value::as_object_mut) {
            for flow in flows.values_mut().filter_map(Value::as_object_mut) {
                flow.shift_remove("scopes");
            }
        }
        if let Some(scheme) = object.get_mut("scheme") {
            *scheme = scheme.as_str().unwrap_or_default().to_ascii_lowercase().into();
        }
    }
    canonical(&definition)
}

impl<'a> Comparison<'a> {
    pub(super) fn security(&mut self, old: &Operation<'a>, new: &Operation<'a>) {
        let (older, newer) = (Access::of(old), Access::of(new));
        self.scheme_texts(old, new);
        let id = new.node.text("operationId").unwrap_or("the operation");
        match (older.open, newer.open) {
            (false, true) => {
                let message = format!("`{id}` can be called without a key now");
                let reason = "clients with a key are served as before; everyone else who reaches the server is served \
                              too, which only its operator can judge";
                self.safe(&newer.at, "security-dropped", message, reason);
            }
            (true, false) => {
                let message = format!("`{id}` needs a key now");
                self.breaking(&newer.at, "security-added", message, "clients that call it without one get 401");
            }
            _ => {}
        }
        let closed = |access: &Access<'a>| -> Vec<(Alternative, String)> {
            access.alternatives.iter().filter(|(alternative, _)| !alternative.is_empty()).cloned().collect()
        };
        let (mut gone, mut come) = (closed(&older), closed(&newer));
        gone.retain(|(alternative, _)| match come.iter().position(|(other, _)| other == alternative) {
            Some(index) => {
                come.remove(index);
                false
            }
            None => true,
        });
        for (alternative, name) in gone {
            let same_schemes = come.iter().position(|(other, _)| other.keys().eq(alternative.keys()));
            if let Some((changed, name)) = same_schemes.map(|index| come.remove(index)) {
                self.scopes(&newer.at, &alternative, &changed, &name);
            } else if let Some(index) = come.iter().position(|(_, other)| *other == name) {
                come.remove(index);
                let message = format!("`{id}` takes another key under the name `{name}`");
                self.breaking(&newer.at, "security-changed", message, "clients that use the old one get 401");
            } else if !newer.open {
                let message = format!("`{id}` no longer takes the key `{name}` as it was");
                self.breaking(&newer.at, "security-removed", message, "clients that use it get 401");
            }
        }
        if !older.open {
            for (_, name) in come {
                let reason = "keys that were accepted still are";
                self.safe(&newer.at, "security-alternative", format!("`{id}` also takes the key `{name}`"), reason);
            }
        }
    }

    fn scopes(&mut self, at: &Node<'a>, old: &Alternative, new: &Alternative, name: &str) {
        for (scheme, older) in old {
            let Some(newer) = new.get(scheme) else { continue };
            for scope in newer.difference(older) {
                let message = format!("`{name}` must have the scope `{scope}` now");
                self.breaking(at, "scope-added", message, "clients whose key lacks it get 403");
            }
            for scope in older.difference(newer) {
                let message = format!("`{name}` no longer needs the scope `{scope}`");
                let reason = "keys that were accepted still are; those without the scope are accepted too, which only the \
                              operator of the server can judge";
                self.safe(at, "scope-dropped", message, reason);
            }
        }
    }

    /// Compares the documentation of the schemes, and the scopes that they offer.
    fn scheme_texts(&mut self, old: &Operation<'a>, new: &Operation<'a>) {
        let schemes = |operation: &Operation<'a>| {
            operation.root.get("components").map(|all| all.map("securitySchemes")).unwrap_or_default()
        };
        let (older, newer) = (schemes(old), schemes(new));
        for (name, older) in &older {
            let Some(newer) = newer.get(name) else { continue };
            self.rest(older, newer, &["type", "name", "in", "scheme", "flows", "openIdConnectUrl"]);
            for (flow, older) in older.map("flows") {
                let Some(newer) = newer.map("flows").remove(&flow) else { continue };
                let (had, has) = (older.map("scopes"), newer.map("scopes"));
                for (scope, node) in had.iter().filter(|(scope, _)| !has.contains_key(*scope)) {
                    let message = format!("the scope `{scope}` cannot be had any more");
                    self.breaking(node, "scope-withdrawn", message, "clients that ask for it are refused");
                }
                for (scope, older) in &had {
                    self.keyword("description", Some(older), has.get(scope).or(Some(older)));
                }
                for (scope, node) in has.iter().filter(|(scope, _)| !had.contains_key(*scope)) {
                    let message = format!("the scope `{scope}` can be had");
                    self.safe(node, "scope-offered", message, "nobody has to ask for it");
                }
            }
        }
    }
}
